
/*
 * Copyright (C) The detemplate authors
 *
 * What counts as template: every number that decides it.
 */


#ifndef DT_RULES_H_INCLUDED_
#define DT_RULES_H_INCLUDED_


/* what counts as template; the defaults are what the accuracy bench chose */
typedef struct {
    unsigned support;     /* pages that must show a subtree, at the least, */
    unsigned share;       /* and percent of the pages that have its place; */
    unsigned share_low;   /* percent, where less than calm percent of the
                             text is repeated; */
    unsigned share_text;  /* percent of all pages, for what is not links, */
    unsigned share_label; /* and for headings and the like; */
    unsigned calm;        /* see share_low */
    unsigned words;       /* words of what is cut on its own among text that is
                             mostly not repeated, links aside; */
    unsigned varied_words; /* the same, when pages show it a different number
                              of times */
    unsigned hollow;       /* percent of its text that must be repeated for an
                              element to go when all of its children go */
    unsigned alike;      /* percent of words that two pages share: one vote */
    unsigned alike_rare; /* the same, when rare words weigh much more */
    unsigned stay;       /* percent of a page's words that must stay */
} dt_rules_t;

void dt_rules_init(dt_rules_t *r);


#endif /* DT_RULES_H_INCLUDED_ */
