
/*
 * Copyright (C) The detemplate authors
 *
 * The numbers of all rules that decide which patterns are template.  The
 * accuracy bench chose the defaults.  decide.c says which question each number
 * answers, and core/template/serve.h has the numbers that count while pages
 * are served.
 *
 * A share is a percentage, from 0 to 100, unless its comment says otherwise.
 * Shares of pages are counted in votes.
 */


#ifndef DT_RULES_H_INCLUDED_
#define DT_RULES_H_INCLUDED_


typedef struct {
    /* alike.c: two pages are alike, and have one vote, when they share */
    unsigned alike;       /* more than this percent of their words, weighed by
                             rarity; */
    unsigned alike_rare;  /* or more than this percent of them, with the cube
                             of their rarity; */
    unsigned alike_name;  /* or, if both have one name, more than this
                             percent of alike or of alike_rare */
    unsigned alike_least; /* a page has this percent of words that at most
                             half of the pages show; a page with less is
                             no copy of a page with more */

    /* decide.c */
    unsigned support;       /* a pattern has at least this many votes, */
    unsigned support_votes; /* and one more for each further support_votes
                               votes of all pages */
    unsigned links; /* a pattern is made of links if this percent of its words
                       are in links */
    unsigned place; /* a pattern without words is shown by this percent of the
                       pages that have its place */

    unsigned share;   /* a pattern that is cut everywhere is shown by this
                         percent of all pages, */
    unsigned sampled; /* or by this percent, where more pages of the site are
                         known than were loaded, */
    unsigned outside; /* quorum.c: and by this number outside of any
                         directory */
    unsigned queries; /* percent of all votes: when the linked pages of one
                         path have as many, the path's queries are the site's
                         own, and the path is not a directory */

    /* decide.c: in main and article elements, the pages that show a pattern
       have this percent of the weight of all pages; 0: never asked */
    unsigned kind;

    /* decide.c: in the main region, a pattern that is not made of links is
       shown by this percent of the pages that have its place; */
    unsigned slot;
    unsigned region; /* and the main region is the smallest place with this
                        percent of the words that pages do not share */

    /* score.c */
    unsigned score;      /* thousandths from which on a pattern is template; */
    unsigned score_main; /* and in the main region; 0: not asked */

    /* guard.c */
    unsigned remain; /* percent of a page's words that remain; */
    unsigned empty;  /* a pattern is not cut if less would remain on the pages
                        that have this percent of its votes */

    /* shapes.c: elements of one shape at a place are cut when bold, */
    unsigned shape;        /* if this percent of all pages have one, */
    unsigned shape_unique; /* and if those that few pages show hold at most
                              this percent of all text that few pages show; */
    unsigned shape_again;  /* but not an element beside content, if this
                              percent of the pages with one have several */

    unsigned wrapper; /* write.c: percent of the text of a place that is
                         repeated, for an element there to be cut when all its
                         content is cut */
    unsigned gain;    /* the same: words that must go for 100 elements at a
                         place, for anything to be cut alone there */

    unsigned redesign; /* evidence.c: a page that shows less than this percent
                          of the typical page's template is of another design
                          */
} dt_rules_t;

/* Sets all numbers to their defaults. */
void dt_rules_init(dt_rules_t *r);

/* Returns the votes that a pattern needs, when all pages have votes in sum. */
unsigned dt_rules_support(const dt_rules_t *r, unsigned votes);


#endif /* DT_RULES_H_INCLUDED_ */
