
/*
 * Copyright (C) The detemplate authors
 *
 * The numbers of all rules that decide what is template.  The accuracy bench
 * chose the defaults.  decide.c says which question each number answers, and
 * core/template/serve.h has the numbers that count while pages are served.
 *
 * A share is a percentage, from 0 to 100, unless its comment says otherwise.
 * Shares of pages are counted in votes.
 */


#ifndef DT_RULES_H_INCLUDED_
#define DT_RULES_H_INCLUDED_


typedef struct {
    /* alike.c: two pages are alike, and have one vote, when they share */
    unsigned alike;            /* more than this percent of their words, */
    unsigned alike_power;      /* with rarity to this power as the weight; */
    unsigned alike_rare;       /* or more than this percent of them, */
    unsigned alike_rare_power; /* with rarity to this power; */
    unsigned alike_name;       /* or, if both have one name, more than this
                                  percent of alike or of alike_rare */
    unsigned alike_least;      /* a page has this percent of words that at most
                                  half of the pages show; a page with less is
                                  no copy of a page with more */

    /* decide.c: what a pattern is, and at which place it is */
    unsigned support;    /* a pattern has at least this many votes */
    unsigned links;      /* a pattern is made of links if this percent of its
                            words are in links */
    unsigned repetition; /* a place is repeated if this percent of its text
                            is; the text of other places is mostly a page's
                            own */

    /* of the pages that have the place, this percent show the pattern, */
    unsigned share;     /* if the place is repeated, */
    unsigned share_low; /* or if it is not; */
    /* and of all pages this percent show it, */
    unsigned share_text;  /* if it is not made of links, */
    unsigned share_label; /* or if it is in a heading or label */

    /* a pattern that is cut alone has this many words, */
    unsigned words;        /* if it is not made of links and its place is not
                              repeated; */
    unsigned varied_words; /* or if pages show it a varying number of times,
                              unless it is made of links and its place is
                              repeated */

    unsigned outside; /* votes outside of a directory that a pattern needs to
                         be cut outside of it */
    unsigned queries; /* percent of all votes: when the linked pages of one
                         path have as many, the path's queries are the site's
                         own, and the path is not a directory */

    /* kind.c: the pages that show a pattern have this percent of the weight
       of all pages, */
    unsigned kind;        /* in main and article elements; 0: never asked; */
    unsigned kind_bare;   /* or, on pages without such elements, everywhere
                             unless the pattern is made of links; there, */
    unsigned kind_own;    /* where text is mostly a page's own, more than this
                             percent of all votes are for the pattern */
    unsigned kind_around; /* a text of this many words that stays there keeps
                             what is around it */
    unsigned kind_words;  /* a list of links in main content is exempt if it
                             has this many words */

    /* score.c, in thousandths */
    unsigned score;       /* a pattern is template from this score on; 0: the
                             rules above alone decide */
    unsigned score_rules; /* a yes of the rules adds this to the score */

    /* guard.c */
    unsigned remain; /* percent of a page's words that remain; */
    unsigned empty;  /* a pattern is not cut if less would remain on the pages
                        that have this percent of its votes */

    /* shapes.c: elements of one shape at a place are cut when bold, */
    unsigned shape;        /* if this percent of all pages have one, */
    unsigned shape_unique; /* and if those that few pages show hold at most
                              this percent of all text that few pages show; */
    unsigned shape_again;  /* but not what stands beside content, if this
                              percent of the pages with one have several */

    unsigned wrapper; /* write.c: percent of the text of a place that is
                        repeated, for an element there to be cut when all that
                        it contains is cut */
    unsigned gain;    /* the same: words that must go for 100 elements at a
                         place, for anything to be cut alone there */

    /* compile.c and evidence.c: the words of template that a page shows */
    unsigned typical;  /* percent of the pages that show more than the typical
                          page */
    unsigned redesign; /* a page that shows less than this percent of the
                         typical page is of another design */
} dt_rules_t;

/* Sets all numbers to their defaults. */
void dt_rules_init(dt_rules_t *r);


#endif /* DT_RULES_H_INCLUDED_ */
