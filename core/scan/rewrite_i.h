
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files that rewrite: rewrite.c (by scanning), edits.c (by a list
 * made when the page was scanned), stored.c (the same, from a file), hold.c
 * (bytes given out, and bytes held).
 */


#ifndef DT_REWRITE_I_H_INCLUDED_
#define DT_REWRITE_I_H_INCLUDED_


#include "core/base/sum.h"
#include "core/scan/edits.h"
#include "core/scan/rewrite.h"
#include "core/scan/scan.h"


typedef struct dt_made_s dt_made_t;


struct dt_rewrite_s {
    dt_mode_t mode;
    const dt_wrap_t *wrap;
    dt_str_t before;
    dt_str_t after;
    dt_alloc_t alloc;
    dt_out_pt out;
    void *out_data;

    uint64_t in;   /* bytes seen */
    uint64_t sent; /* bytes decided and given out, or cut */

    const char *chunk; /* the piece being fed */
    uint64_t chunk_off;

    char *carry;
    size_t carry_len;
    size_t carry_size;
    uint64_t carry_off;

    uint64_t token; /* where the incomplete token begins */
    unsigned open_token : 1;
    unsigned pass : 1;
    unsigned failed : 1;
    unsigned trusted : 1; /* regions are known to be what they were */
    unsigned whole : 1;   /* scanned to its end */
    unsigned lent : 1;    /* its memory is the caller's */

    const dt_edits_t *edits; /* to be applied; NULL: the page is scanned */
    dt_edits_walk_t walk;
    dt_made_t *made; /* of the page that is scanned; NULL: not asked for */

    uint64_t most; /* words of template that may be cut from a page */
    dt_rewrite_stats_t stats;
    dt_scan_t scan;
};


void dt_rewrite_out(dt_rewrite_t *rw, const char *p, size_t len,
                    dt_out_kind_t kind);

/* gives out the bytes up to an offset */
void dt_rewrite_keep(dt_rewrite_t *rw, uint64_t to);

void dt_rewrite_mark(dt_rewrite_t *rw, uint64_t at, dt_str_t mark);

/* cuts or marks a region, all of which is there; at: see dt_region_t */
void dt_rewrite_apply(dt_rewrite_t *rw, uint64_t start, uint32_t len,
                      unsigned at);

/* adds bytes that are there, by offsets, to a sum */
void dt_rewrite_sum(const dt_rewrite_t *rw, uint64_t from, uint64_t to,
                    dt_sum_t *sum);

/* takes bytes [from, from + len) of the chunk into the carry */
dt_status_t dt_rewrite_carry(dt_rewrite_t *rw, const char *from, size_t len);

/* the carry is to hold the bytes from an offset to the end of the chunk */
dt_status_t dt_rewrite_hold(dt_rewrite_t *rw, uint64_t from);

/* edits.c: a new list, NULL: no memory; a region that is cut, in order */
dt_made_t *dt_made_create(const dt_alloc_t *alloc, uint64_t seed);
void dt_made_add(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at);
void dt_made_destroy(dt_made_t *made, const dt_alloc_t *alloc);

/* applies those that are there as a whole; whether one is not what it was */
int dt_edits_apply(dt_rewrite_t *rw);

/* applies rw->edits to the chunk; DT_ENOMEM: what is held could not be */
dt_status_t dt_edits_feed(dt_rewrite_t *rw, int last);


#endif /* DT_REWRITE_I_H_INCLUDED_ */
