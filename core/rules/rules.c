
/*
 * Copyright (C) The detemplate authors
 */


#include "core/rules/rules.h"


/* .ci/docs-check.pl compares these numbers with those of doc/rules.md, and
   relies on one assignment a line. */

void
dt_rules_init(dt_rules_t *r)
{
    r->alike = 80;
    r->alike_power = 1;
    r->alike_rare = 50;
    r->alike_rare_power = 3;
    r->alike_name = 85;
    r->alike_least = 5;
    r->support = 3;
    r->links = 50;
    r->repetition = 50;
    r->share = 15;
    r->share_low = 50;
    r->share_text = 20;
    r->share_label = 60;
    r->words = 2;
    r->varied_words = 100;
    r->outside = 2;
    r->queries = 50;
    r->score = 1000;
    r->score_rules = 1000;
    r->kind = 55;
    r->kind_bare = 20;
    r->kind_own = 50;
    r->kind_around = 3;
    r->kind_words = 100;
    r->remain = 10;
    r->empty = 50;
    r->shape = 50;
    r->shape_unique = 30;
    r->shape_again = 25;
    r->wrapper = 60;
    r->gain = 5;
    r->typical = 50;
    r->redesign = 10;
}
