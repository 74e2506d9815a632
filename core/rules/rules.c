
/*
 * Copyright (C) The detemplate authors
 */


#include "core/rules/rules.h"


void
dt_rules_init(dt_rules_t *r)
{
    r->support = 3;
    r->share = 15;
    r->share_low = 50;
    r->share_text = 20;
    r->share_label = 60;
    r->calm = 50;
    r->words = 2;
    r->varied_words = 100;
    r->hollow = 60;
    r->alike = 80;
    r->alike_rare = 50;
    r->stay = 10;
}
