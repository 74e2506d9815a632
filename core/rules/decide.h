
/*
 * Copyright (C) The detemplate authors
 *
 * Decides which patterns of the evidence are template.
 */


#ifndef DT_DECIDE_H_INCLUDED_
#define DT_DECIDE_H_INCLUDED_


#include "core/rules/guard.h"


/* sums over all patterns at a place and below it */
typedef struct {
    uint64_t pages;    /* set of the pages that have the place */
    uint64_t words;    /* of texts; each counts once for each page */
    uint64_t repeated; /* those of them in texts that have support */
} dt_place_sums_t;


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info; /* NULL: the table has keys only */
    unsigned bits;  /* it has 1 << bits slots */
} dt_table_t;


/* the tables that requests look up, under construction */
typedef struct {
    dt_table_t paths;
    dt_table_t nodes;
    uint64_t *firsts;
    unsigned first_bits;
    uint32_t patterns;      /* number of patterns that are template */
    uint32_t shapes;        /* number of shapes that are cut when bold */
    dt_verdict_t *verdicts; /* one for each pattern */
} dt_tables_t;


/*
 * Decides about each pattern of the evidence, and fills the tables.  Their
 * memory is the evidence's arena's.  DT_DECLINED: nothing is template, and the
 * tables are empty; DT_ENOMEM: there is no memory.
 */
dt_status_t dt_decide(dt_evidence_t *ev, dt_tables_t *t);

/*
 * Fills the tables of t by its verdicts.  sums has one for each place; voters
 * is the result of dt_alike().  All memory is the evidence's arena's.
 * DT_DECLINED: no pattern is active, and the tables are empty; DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_write(dt_evidence_t *ev, const dt_voters_t *voters,
                     const dt_place_sums_t *sums, dt_tables_t *t);


#endif /* DT_DECIDE_H_INCLUDED_ */
