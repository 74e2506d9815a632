
/*
 * Copyright (C) The detemplate authors
 *
 * The hash of many bytes, in pieces of any size: four numbers side by side,
 * since one alone waits for its own last multiplication, each of which takes
 * 16 bytes, half of them with a key.  Seeded, not cryptographic; not stored
 * outside of one machine.
 */


#ifndef DT_SUM_H_INCLUDED_
#define DT_SUM_H_INCLUDED_


#include "core/base/hash.h"


#define DT_SUM_BLOCK 64


typedef struct {
    uint64_t lanes[4];
    uint64_t key; /* of the seed: who knows it can make bytes count for none */
    uint64_t len;
    char rest[DT_SUM_BLOCK]; /* len modulo the block of it are there */
} dt_sum_t;


void dt_sum_init(dt_sum_t *s, uint64_t seed);

void dt_sum_add(dt_sum_t *s, const char *p, size_t len);

/* The same for the same bytes and seed, whatever pieces they came in. */
uint64_t dt_sum_end(const dt_sum_t *s);


#endif /* DT_SUM_H_INCLUDED_ */
