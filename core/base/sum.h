
/*
 * Copyright (C) The detemplate authors
 *
 * The hash of many bytes that come in pieces of any size.  It keeps four
 * numbers side by side, since a single one would have to wait for its last
 * multiplication.  Each multiplication takes 16 bytes, half of them with a
 * key.  The hash is seeded and not cryptographic, and is never stored outside
 * of one machine.
 */


#ifndef DT_SUM_H_INCLUDED_
#define DT_SUM_H_INCLUDED_


#include "core/base/hash.h"


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

/* Returns the hash: the same for the same bytes and seed, whatever pieces the
   bytes came in. */
uint64_t dt_sum_end(const dt_sum_t *s);


#endif /* DT_SUM_H_INCLUDED_ */
