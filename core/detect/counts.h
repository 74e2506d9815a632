
/*
 * Copyright (C) The detemplate authors
 *
 * Counts how often hashes occur in a set of pages and in a key page.
 */


#ifndef DT_COUNTS_H_INCLUDED_
#define DT_COUNTS_H_INCLUDED_


#include "core/base/index.h"
#include "core/detect/detect.h"


/* Adds n hashes to the counts in ix. */
dt_status_t dt_counts_add(dt_index_t *ix, const uint64_t *hashes, size_t n,
                          dt_arena_t *arena);

/* Creates empty counts in arena; NULL: no memory. */
dt_index_t *dt_counts_make(dt_arena_t *arena);

uint64_t dt_counts_get(const dt_index_t *ix, uint64_t hash);

/* Whether key is one of the pages of d. */
int dt_counts_has(const dt_detect_t *d, const dt_dom_t *key);


#endif /* DT_COUNTS_H_INCLUDED_ */
