
/*
 * Copyright (C) The detemplate authors
 *
 * Explains why a piece of a page is template, or why it is not.
 */


#ifndef DT_EXPLAIN_H_INCLUDED_
#define DT_EXPLAIN_H_INCLUDED_


#include "core/rules/score.h"


typedef struct {
    dt_question_t question; /* that keeps it from being cut alone */
    unsigned pages;         /* number of pages that show it */
    unsigned npages;        /* number of pages in the evidence */
    unsigned votes;         /* the same two numbers in votes */
    unsigned nvotes;
    uint64_t dir; /* hash of the only directory in which it is cut; 0: it is
                     cut everywhere */
    int scored;   /* 0: the fields below are not set */
    int score;    /* in thousandths, as all that follow */
    int least;    /* the score from which on a pattern is template */
    int mean;     /* the mean of all scores of the site */
    int terms[DT_SCORE_FEATURES]; /* each feature's contribution to that */
} dt_why_t;


typedef struct dt_explain_s dt_explain_t;

/*
 * Decides again by these rules, from the evidence of a template, so that
 * decisions can be explained.  tmpl points to the whole bytes of a template,
 * checked; it may be freed after the call.  All memory is the arena's.  NULL:
 * there is no memory.
 */
dt_explain_t *dt_explain_create(const void *tmpl, const dt_rules_t *rules,
                                dt_arena_t *arena);

/*
 * Sets why to the decision about the pattern with the key of a record.
 * DT_DECLINED: no page of the evidence showed it.
 */
dt_status_t dt_explain(const dt_explain_t *x, uint64_t key, dt_why_t *why);

/*
 * Sets why to the decision about elements of these shapes (bits of DT_SHAPE_*)
 * with this path; its pages are those that have such an element.  DT_DECLINED:
 * such elements are not cut by their shape.
 */
dt_status_t dt_explain_shape(const dt_explain_t *x, uint64_t path,
                             unsigned shape, dt_why_t *why);


#endif /* DT_EXPLAIN_H_INCLUDED_ */
