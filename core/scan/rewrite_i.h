
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files that rewrite: rewrite.c, cut.c (regions), and hold.c
 * (bytes given out, and bytes held).
 */


#ifndef DT_REWRITE_I_H_INCLUDED_
#define DT_REWRITE_I_H_INCLUDED_


#include "core/scan/rewrite.h"
#include "core/scan/scan.h"


struct dt_rewrite_s {
    dt_mode_t mode;
    const dt_wrap_t *wrap;
    const dt_wrap_t *declared; /* of a page with an XML declaration */
    dt_str_t before;
    dt_str_t after;
    dt_str_t head;
    dt_alloc_t alloc;
    dt_out_pt out;
    dt_region_pt region;
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
    unsigned lent : 1; /* its memory is the caller's */
    unsigned xml : 2;  /* as in the options */

    uint64_t most; /* words of template that may be cut from a page */
    dt_rewrite_stats_t stats;
    dt_scan_t scan;
};


void dt_rewrite_out(dt_rewrite_t *rw, const char *p, size_t len,
                    dt_out_kind_t kind);

/* the bytes up to an offset stay: gives them out, or for DT_CUT what is of the
   head */
void dt_rewrite_keep(dt_rewrite_t *rw, uint64_t to);

void dt_rewrite_mark(dt_rewrite_t *rw, uint64_t at, dt_str_t mark);

/* cuts a region, all of which is there, or marks it, by an attribute behind
   its tag's name; at: see dt_region_t */
void dt_rewrite_apply(dt_rewrite_t *rw, uint64_t start, uint32_t len,
                      unsigned at, dt_str_t attribute);

/*
 * Cuts the first n regions, and the first nforced pieces that are cut by hand:
 * of two that are in one another, the larger one, and of the same, the region.
 */
void dt_rewrite_regions(dt_rewrite_t *rw, uint32_t n, uint32_t nforced);

/* puts into the head what is to be there, if its end is known */
void dt_rewrite_head(dt_rewrite_t *rw);

/* takes bytes [from, from + len) of the chunk into the carry */
dt_status_t dt_rewrite_carry(dt_rewrite_t *rw, const char *from, size_t len);

/* the carry is to hold the bytes from an offset to the end of the chunk */
dt_status_t dt_rewrite_hold(dt_rewrite_t *rw, uint64_t from);


#endif /* DT_REWRITE_I_H_INCLUDED_ */
