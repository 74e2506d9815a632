
/*
 * Copyright (C) The detemplate authors
 *
 * Inlined searches for bytes.  In markup the next byte of interest is some ten
 * bytes away, so a call of memchr() would cost more than the search.
 *
 * A block is the number of bytes that are compared at once.  A mask has one
 * set bit for each byte that was found; the lowest bit belongs to the first
 * byte.  DT_BLOCK_ALL is the mask of a whole block.  SSE2 is part of amd64 and
 * NEON of arm64.  Elsewhere, and with DT_PORTABLE, a block is eight bytes in a
 * number.  All variants return the same and read only [p, end).  Only ASCII
 * bytes can be searched for.
 */


#ifndef DT_FIND_H_INCLUDED_
#define DT_FIND_H_INCLUDED_


#include "core/base/hash.h"

#if defined(__SSE2__) && !defined(DT_PORTABLE)

#include <emmintrin.h>

#define DT_BLOCK 16
#define DT_BLOCK_ALL 0xffffu

typedef __m128i dt_block_t;
typedef unsigned dt_mask_t;

#define dt_block_load(p) _mm_loadu_si128((const __m128i *) (const void *) (p))
#define dt_block_eq(b, c) _mm_cmpeq_epi8(b, _mm_set1_epi8((char) (c)))
#define dt_block_le(b, c)                                                     \
    _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8((char) (c))), b)

/* The range moves to the end of ASCII, so bytes above it become negative or
   small. */
#define dt_block_range(b, low, high)                                          \
    _mm_cmpgt_epi8(_mm_add_epi8(b, _mm_set1_epi8((char) (0x7f - (high)))),    \
                   _mm_set1_epi8((char) (0x7e - (high) + (low))))
#define dt_block_or(a, b) _mm_or_si128(a, b)
#define dt_block_and(a, b) _mm_and_si128(a, b)
#define dt_block_andnot(a, b) _mm_andnot_si128(b, a)
#define dt_block_mask(b) ((unsigned) _mm_movemask_epi8(b))
#define dt_mask_first(m) ((size_t) (unsigned) __builtin_ctz(m))
#define dt_mask_bits(m) ((uint64_t) (m))

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(DT_PORTABLE)

#include <arm_neon.h>

#define DT_BLOCK 16
#define DT_BLOCK_ALL 0x1111111111111111u

typedef uint8x16_t dt_block_t;
typedef uint64_t dt_mask_t;

#define dt_block_load(p) vld1q_u8((const uint8_t *) (p))
#define dt_block_eq(b, c) vceqq_u8(b, vdupq_n_u8((uint8_t) (c)))
#define dt_block_le(b, c) vcleq_u8(b, vdupq_n_u8(c))
#define dt_block_or(a, b) vorrq_u8(a, b)
#define dt_block_and(a, b) vandq_u8(a, b)
#define dt_block_andnot(a, b) vbicq_u8(a, b)
#define dt_block_mask(b)                                                      \
    (vget_lane_u64(                                                           \
         vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(b), 4)), 0)     \
     & DT_BLOCK_ALL)
#define dt_mask_first(m) ((size_t) __builtin_ctzll(m) >> 2)

/* takes one bit of each four, and moves the sixteen bits side by side */
static inline uint64_t
dt_mask_bits(dt_mask_t m)
{
    m = (m | m >> 3) & 0x0303030303030303u;
    m = (m | m >> 6) & 0x000f000f000f000fu;
    m = (m | m >> 12) & 0x000000ff000000ffu;

    return (m | m >> 24) & 0xffff;
}

#else

#define DT_BLOCK 8
#define DT_BLOCK_ALL 0x0101010101010101u

typedef uint64_t dt_block_t; /* the highest bit of each byte found is set */
typedef uint64_t dt_mask_t;

#define dt_block_load(p) dt_load64(p)
#define dt_block_or(a, b) ((a) | (b))
#define dt_block_and(a, b) ((a) & (b))
#define dt_block_andnot(a, b) ((a) & ~(b))
#define dt_block_mask(b) ((b) >> 7 & DT_BLOCK_ALL)
#define dt_mask_first(m) ((size_t) __builtin_ctzll(m) >> 3)

/* takes the lowest bit of each byte, and moves them side by side */
static inline uint64_t
dt_mask_bits(dt_mask_t m)
{
    return m * 0x0102040810204080u >> 56;
}

/* c is below 0x80, so no carry goes from one byte to the next */

static inline dt_block_t
dt_block_le(dt_block_t b, unsigned char c)
{
    dt_block_t low = b & DT_BLOCK_ALL * 0x7f;

    return ~((low + DT_BLOCK_ALL * (0x7fu - c)) | b);
}

static inline dt_block_t
dt_block_eq(dt_block_t b, unsigned char c)
{
    return dt_block_le(b ^ DT_BLOCK_ALL * c, 0);
}

#endif


/* the bytes of a block that are in [low, high] */
#ifndef dt_block_range
#define dt_block_range(b, low, high)                                          \
    dt_block_andnot(dt_block_le(b, high), dt_block_le(b, (low) -1))
#endif


/* Returns the first c in [p, end), or end. */
static inline const char *
dt_find(const char *p, const char *end, char c)
{
    dt_mask_t m;

    for (; end - p >= DT_BLOCK; p += DT_BLOCK) {
        m = dt_block_mask(dt_block_eq(dt_block_load(p), (unsigned char) c));
        if (m) {
            return p + dt_mask_first(m);
        }
    }

    while (p < end && *p != c) {
        p++;
    }

    return p;
}


/* Returns the first c or d in [p, end), or end. */
static inline const char *
dt_find_two(const char *p, const char *end, char c, char d)
{
    dt_mask_t m;
    dt_block_t b;

    for (; end - p >= DT_BLOCK; p += DT_BLOCK) {
        b = dt_block_load(p);
        m = dt_block_mask(dt_block_or(dt_block_eq(b, (unsigned char) c),
                                      dt_block_eq(b, (unsigned char) d)));
        if (m) {
            return p + dt_mask_first(m);
        }
    }

    while (p < end && *p != c && *p != d) {
        p++;
    }

    return p;
}


/* Returns a bit for each c or d in the DT_BITS bytes at p. */
#define DT_BITS 32

static inline uint64_t
dt_find_bits(const char *p, char c, char d)
{
    unsigned i;
    dt_block_t b;
    uint64_t bits = 0;

#pragma GCC unroll 4
    for (i = 0; i < DT_BITS; i += DT_BLOCK) {
        b = dt_block_load(p + i);
        bits |= dt_mask_bits(dt_block_mask(
                    dt_block_or(dt_block_eq(b, (unsigned char) c),
                                dt_block_eq(b, (unsigned char) d))))
                << i;
    }

    return bits;
}


/* Returns the first byte in [p, end) above c, which is ASCII, or end. */
static inline const char *
dt_find_above(const char *p, const char *end, unsigned char c)
{
    dt_mask_t m;

    for (; end - p >= DT_BLOCK; p += DT_BLOCK) {
        m = dt_block_mask(dt_block_le(dt_block_load(p), c)) ^ DT_BLOCK_ALL;
        if (m) {
            return p + dt_mask_first(m);
        }
    }

    while (p < end && (unsigned char) *p <= c) {
        p++;
    }

    return p;
}


/*
 * Returns the first byte in [p, end) above 0x20, or end.  Everything else,
 * including control characters, is white space for all purposes here.
 */
static inline const char *
dt_skip_white(const char *p, const char *end)
{
    return dt_find_above(p, end, 0x20);
}


/* Returns the position behind the last byte above 0x20 before end; there must
   be one. */
static inline const char *
dt_trim_white(const char *end)
{
    while ((unsigned char) end[-1] <= 0x20) {
        end--;
    }

    return end;
}


#endif /* DT_FIND_H_INCLUDED_ */
