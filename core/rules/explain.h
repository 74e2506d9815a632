
/*
 * Copyright (C) The detemplate authors
 *
 * Why a piece of a page is template, or is not.
 */


#ifndef DT_EXPLAIN_H_INCLUDED_
#define DT_EXPLAIN_H_INCLUDED_


#include "core/rules/score.h"


#define DT_WHY_TERMS (DT_SCORE_FEATURES + 1)

typedef struct {
    dt_question_t question;
    unsigned pages;  /* that show it, */
    unsigned npages; /* of those in the evidence; */
    unsigned votes;  /* the same, those that are alike as one, */
    unsigned nvotes; /* of all */
    uint64_t dir;    /* hash of the directory that it is cut in, 0: all */
    int scored;      /* 0: the rest is not set */
    int score;       /* thousandths, */
    int least;       /* and what is enough */
    int mean;        /* the mean of all pieces; */
    int terms[DT_WHY_TERMS]; /* what each feature adds to that, and the rules'
                             own yes, which comes last */
} dt_why_t;


typedef struct dt_explain_s dt_explain_t;

/*
 * Decides anew, by these rules, what was decided when a template was made:
 * from its evidence, so tmpl are checked whole bytes.  All memory is the
 * arena's; NULL: there is none left.
 */
dt_explain_t *dt_explain_create(const void *tmpl, const dt_rules_t *rules,
                                dt_arena_t *arena);

/* What was decided of the record's key; DT_DECLINED: no page showed it. */
dt_status_t dt_explain(const dt_explain_t *x, uint64_t key, dt_why_t *why);

/*
 * The same of elements at a path that call themselves shape (DT_SHAPE_*), of
 * which the pages are those that have such a one; DT_DECLINED: they do not go
 * by their shape.
 */
dt_status_t dt_explain_shape(const dt_explain_t *x, uint64_t path,
                             unsigned shape, dt_why_t *why);


#endif /* DT_EXPLAIN_H_INCLUDED_ */
