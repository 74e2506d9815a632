
/*
 * Copyright (C) The detemplate authors
 *
 * The hash that the whole project uses: 64 bits, seeded, not cryptographic.
 * It is equal on every machine, since its values are stored.
 */


#ifndef DT_HASH_H_INCLUDED_
#define DT_HASH_H_INCLUDED_


#include <stdint.h>
#include <stddef.h>
#include <string.h>


static inline uint64_t
dt_load64(const char *p)
{
    uint64_t v;

    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif

    return v;
}


static inline uint64_t
dt_load32(const char *p)
{
    uint32_t v;

    memcpy(&v, p, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif

    return v;
}


/* the number that dt_load64() reads from these letters; 0 stands for none */
#define dt_letters(a, b, c, d, e, f, g, h)                                    \
    ((uint64_t) (a) | (uint64_t) (b) << 8 | (uint64_t) (c) << 16              \
     | (uint64_t) (d) << 24 | (uint64_t) (e) << 32 | (uint64_t) (f) << 40     \
     | (uint64_t) (g) << 48 | (uint64_t) (h) << 56)


/* Returns the first n (0 to 8) bytes as a little-endian number; no other bytes
   are read. */
static inline uint64_t
dt_load_tail(const char *p, size_t n)
{
    if (n >= 4) {
        /* the two halves overlap only in equal bytes */
        return dt_load32(p) | dt_load32(p + n - 4) << (8 * (n - 4));
    }

    if (n == 0) {
        return 0;
    }

    return (uint64_t) (unsigned char) p[0]
           | (uint64_t) (unsigned char) p[n / 2] << (8 * (n / 2))
           | (uint64_t) (unsigned char) p[n - 1] << (8 * (n - 1));
}


/* Returns the exclusive or of the two halves of a * b. */
static inline uint64_t
dt_fold(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !defined(DT_PORTABLE)
    unsigned __int128 x = (unsigned __int128) a * b;

    return (uint64_t) x ^ (uint64_t) (x >> 64);
#else
    uint64_t low, mid, cross, high;

    low = (a & UINT32_MAX) * (b & UINT32_MAX);
    mid = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    cross = (a & UINT32_MAX) * (b >> 32) + (mid & UINT32_MAX);
    high = (a >> 32) * (b >> 32) + (mid >> 32) + (cross >> 32);

    return (cross << 32 | (low & UINT32_MAX)) ^ high;
#endif
}


/* Mixes two numbers into one; their order counts. */
static inline uint64_t
dt_mix(uint64_t a, uint64_t b)
{
    return dt_fold(a ^ (b << 32 | b >> 32), 0x9e3779b97f4a7c15u);
}


/* Returns the hash of len bytes. */
static inline uint64_t
dt_hash(const char *p, size_t len, uint64_t seed)
{
    uint64_t h = dt_mix(seed, len);

    for (; len >= 8; p += 8, len -= 8) {
        h = dt_mix(h, dt_load64(p));
    }

    return len ? dt_mix(h, dt_load_tail(p, len)) : h;
}


/* the first slot for a hash, in a table of 1 << bits slots */
#define dt_hash_home(h, bits) ((size_t) ((h) >> (64 - (bits))))


/*
 * The hash of many bytes that come in pieces of any size.  It keeps four
 * numbers side by side, since a single one would have to wait for its last
 * multiplication.  Each multiplication takes 16 bytes, half of them with a
 * key.  The hash is seeded and not cryptographic, and is never stored outside
 * of one machine.
 */

#define DT_SUM_BLOCK 64


typedef struct {
    uint64_t lanes[4];
    uint64_t key; /* made from the seed, and secret: with it one can construct
                     bytes that do not count */
    uint64_t len;
    char rest[DT_SUM_BLOCK]; /* len modulo DT_SUM_BLOCK bytes */
} dt_sum_t;


void dt_sum_init(dt_sum_t *s, uint64_t seed);

void dt_sum_add(dt_sum_t *s, const char *p, size_t len);

/* Returns the hash, which depends on the bytes and the seed, but not on how
   the bytes were divided into pieces. */
uint64_t dt_sum_end(const dt_sum_t *s);


#endif /* DT_HASH_H_INCLUDED_ */
