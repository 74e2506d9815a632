
/*
 * Copyright (C) The detemplate authors
 *
 * First occurrence of a byte, inlined: in markup the next one is some ten
 * bytes away, and the call of memchr() would cost more than the search.
 * SSE2 is part of amd64, NEON of arm64; elsewhere eight bytes at a time.
 * All variants return the same and read only [p, end).
 */


#ifndef DT_FIND_H_INCLUDED_
#define DT_FIND_H_INCLUDED_


#include "hash.h"

#if defined(__SSE2__) && !defined(DT_PORTABLE)
#include <emmintrin.h>
#define DT_FIND_SSE2 1
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(DT_PORTABLE)
#include <arm_neon.h>
#define DT_FIND_NEON 1
#endif


/* the first c in [p, end), or end */
static inline const char *
dt_find(const char *p, const char *end, char c)
{
#if DT_FIND_SSE2
    const __m128i want = _mm_set1_epi8(c);

    for (; end - p >= 16; p += 16) {
        unsigned m;

        m = (unsigned) _mm_movemask_epi8(_mm_cmpeq_epi8(
            _mm_loadu_si128((const __m128i *) (const void *) p), want));
        if (m) {
            return p + __builtin_ctz(m);
        }
    }

#elif DT_FIND_NEON
    const uint8x16_t want = vdupq_n_u8((uint8_t) c);

    for (; end - p >= 16; p += 16) {
        uint64_t m;

        /* four bits a byte */
        m = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(
                              vreinterpretq_u16_u8(vceqq_u8(
                                  vld1q_u8((const uint8_t *) p), want)),
                              4)),
                          0);
        if (m) {
            return p + (__builtin_ctzll(m) >> 2);
        }
    }

#else
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t want = ones * (unsigned char) c;

    for (; end - p >= 8; p += 8) {
        uint64_t x = dt_load64(p) ^ want;

        x = (x - ones) & ~x & (ones << 7);
        if (x) {
            return p + (__builtin_ctzll(x) >> 3);
        }
    }
#endif

    for (; p < end; p++) {
        if (*p == c) {
            break;
        }
    }

    return p;
}


/*
 * The first byte in [p, end) above 0x20, or end: text without what is white
 * space for every purpose here, control characters included.
 */
static inline const char *
dt_skip_white(const char *p, const char *end)
{
#if DT_FIND_SSE2
    const __m128i white = _mm_set1_epi8(0x20);

    for (; end - p >= 16; p += 16) {
        unsigned m;
        __m128i b;

        b = _mm_loadu_si128((const __m128i *) (const void *) p);
        m = (unsigned) _mm_movemask_epi8(
            _mm_cmpeq_epi8(_mm_min_epu8(b, white), b));
        if (m != 0xffff) {
            return p + __builtin_ctz(~m);
        }
    }
#endif

    while (p < end && (unsigned char) *p <= 0x20) {
        p++;
    }

    return p;
}


/* Behind the last byte above 0x20 before end; there must be one. */
static inline const char *
dt_trim_white(const char *end)
{
    while ((unsigned char) end[-1] <= 0x20) {
        end--;
    }

    return end;
}


#endif /* DT_FIND_H_INCLUDED_ */
