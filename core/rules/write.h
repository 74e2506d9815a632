
/*
 * Copyright (C) The detemplate authors
 *
 * Writes decisions into the tables that requests look up.
 */


#ifndef DT_WRITE_H_INCLUDED_
#define DT_WRITE_H_INCLUDED_


#include "core/rules/verdict.h"


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info; /* NULL: the table has keys only */
    unsigned bits;  /* the table has 1 << bits slots */
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
 * Fills the tables of t by its verdicts.  sums has one for each place; voters
 * is the result of dt_alike().  All memory is the evidence's arena's.
 * DT_DECLINED: no pattern is active, and the tables are empty; DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_write(dt_evidence_t *ev, const dt_voters_t *voters,
                     const dt_place_sums_t *sums, dt_tables_t *t);


#endif /* DT_WRITE_H_INCLUDED_ */
