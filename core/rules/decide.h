
/*
 * Copyright (C) The detemplate authors
 *
 * What of the evidence is template.
 */


#ifndef DT_DECIDE_H_INCLUDED_
#define DT_DECIDE_H_INCLUDED_


#include "core/rules/guard.h"


/* what is known of a place, from all patterns there and below */
typedef struct {
    uint64_t pages;    /* that have it */
    uint64_t words;    /* times pages, of text */
    uint64_t repeated; /* the same, of text that enough pages repeat */
} dt_place_sums_t;


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info;
    unsigned bits;
} dt_table_t;


/* what requests look up, under construction */
typedef struct {
    dt_table_t paths;
    dt_table_t nodes;
    uint64_t *firsts;
    unsigned first_bits;
    uint32_t patterns;
    uint32_t shapes;
    dt_verdict_t *verdicts; /* one for each pattern */
} dt_tables_t;


/* decides for each pattern, and fills the tables; DT_DECLINED: these are
   empty */
dt_status_t dt_decide(dt_evidence_t *ev, dt_tables_t *t);


#endif /* DT_DECIDE_H_INCLUDED_ */
