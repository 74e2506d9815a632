
/*
 * Copyright (C) The detemplate authors
 *
 * The numbers of all rules that decide what is template; the defaults are
 * what the accuracy bench chose.  decide.c says which question each answers.
 * Those that count while pages are served are in core/template/serve.h.
 */


#ifndef DT_RULES_H_INCLUDED_
#define DT_RULES_H_INCLUDED_


typedef struct {
    /* which pages count as one: alike.c */
    unsigned alike;            /* more percent of words shared: one vote, */
    unsigned alike_power;      /* rare words weighing by this power; */
    unsigned alike_rare;       /* the same again, */
    unsigned alike_rare_power; /* by this one; */
    unsigned alike_name;       /* more percent of either, pages of one name */
    unsigned alike_own;        /* less percent of a page's words on few pages:
                                  no copy of one that has more of its own */

    /* what a pattern is, and where it stands */
    unsigned support; /* votes that it needs at the least */
    unsigned links;   /* percent of words in links: it is made of links */
    unsigned calm;    /* percent of text repeated: a calm place, else it is
                         mostly a page's own */

    /* percent of the pages that have its place, */
    unsigned share;     /* in calm places; */
    unsigned share_low; /* in others; */
    /* percent of all pages, */
    unsigned share_text;  /* of what is not links; */
    unsigned share_label; /* of headings and the like */

    /* least words, outside of calm places, */
    unsigned words;        /* of what is not links; */
    unsigned varied_words; /* when pages show it a different number of times;
                              for what is not links in calm places too */

    unsigned elsewhere; /* votes outside of a directory, to hold without it */
    unsigned own;       /* percent of all votes: as many linked pages of one
                           path make its queries the site's own */

    /* in main and article elements: kind.c */
    unsigned kind;      /* percent of what all pages are worth that those
                           must be which show it; 0: any */
    unsigned kind_bare; /* the same, everywhere but of links, where no page has
                           main or article elements */
    unsigned kind_words; /* words of a list of links that any may show */

    /* what all that is known says together: score.c */
    unsigned score;       /* thousandths, from which it is template; 0: the
                             rules above alone decide */
    unsigned score_rules; /* and what the rules' yes adds to it */

    /* the guard */
    unsigned stay;  /* percent of a page's words that must stay; */
    unsigned empty; /* a pattern is not cut when this percent of the votes
                       that show it would be left with less */

    /* what goes by its shape, when bold: shapes.c */
    unsigned shape;     /* percent of all pages that must have such a one, */
    unsigned shape_own; /* and the most of the text that is not repeated
                           which may be in those that differ */

    unsigned hollow; /* percent of its text that must be repeated for an
                        element to go when all that is in it goes */

    /* of a site's pages, by the words of template that they show */
    unsigned typical; /* percent that show more than the usual one */
    unsigned strange; /* a page that shows less percent of the usual is of
                         another design */
} dt_rules_t;

void dt_rules_init(dt_rules_t *r);


#endif /* DT_RULES_H_INCLUDED_ */
