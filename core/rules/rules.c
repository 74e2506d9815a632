
/*
 * Copyright (C) The detemplate authors
 */


#include "core/rules/rules.h"


unsigned
dt_rules_support(const dt_rules_t *r, unsigned votes)
{
    return r->support_votes == 0 || votes == 0
               ? r->support
               : r->support + (votes - 1) / r->support_votes;
}


/* .ci/docs-check.pl compares these numbers with those of doc/rules.md, and
   relies on one assignment a line. */

void
dt_rules_init(dt_rules_t *r)
{
    r->alike = 80;
    r->alike_rare = 50;
    r->alike_name = 85;
    r->alike_least = 5;
    r->support = 3;
    r->support_votes = 15;
    r->links = 50;
    r->place = 50;
    r->share = 25;
    r->sampled = 50;
    r->outside = 2;
    r->queries = 50;
    r->score = 700;
    r->score_main = 850;
    r->kind = 45;
    r->slot = 80;
    r->region = 70;
    r->remain = 10;
    r->empty = 50;
    r->shape = 50;
    r->shape_unique = 30;
    r->shape_again = 25;
    r->wrapper = 60;
    r->gain = 5;
    r->redesign = 10;
}
