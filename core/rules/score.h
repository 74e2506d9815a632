
/*
 * Copyright (C) The detemplate authors
 *
 * All that is known of a pattern, weighed together.
 */


#ifndef DT_SCORE_H_INCLUDED_
#define DT_SCORE_H_INCLUDED_


#include "core/rules/decide.h"


/* what is known of a pattern; percent are in tenths, 0 to 1000 */
enum {
    DT_SCORE_VOTES = 0, /* pages that show it, those alike as one */
    DT_SCORE_SHARE,     /* percent of all pages, by votes; */
    DT_SCORE_PAGES,     /* the same, each page by itself; */
    DT_SCORE_PLACE,     /* of those that have its place, by votes */
    DT_SCORE_LINKS,     /* its flags, 0 or 1 */
    DT_SCORE_LABEL,
    DT_SCORE_ASIDE,
    DT_SCORE_MAIN,
    DT_SCORE_DETECTED,
    DT_SCORE_VARIES,
    DT_SCORE_WORDS,       /* up to 1000 */
    DT_SCORE_TEXT,        /* no element */
    DT_SCORE_CALM,        /* percent of text repeated, at its place; */
    DT_SCORE_CALM_PARENT, /* at the place around that, */
    DT_SCORE_CALM_ABOVE,  /* around that again, */
    DT_SCORE_CALM_LEAST,  /* and of all around the least */
    DT_SCORE_OWN,         /* places around with less than half */
    DT_SCORE_OTHERS,      /* patterns at its place, it included; */
    DT_SCORE_REPEATED,    /* percent of them that enough pages show; */
    DT_SCORE_PER_PAGE,    /* hundred times those on a page */
    DT_SCORE_GROUND,      /* percent of the text of all pages that is in the
                             place around */
    DT_SCORE_ALL,         /* votes of all pages */
    DT_SCORE_FEATURES
};


/* a decision tree: is feature[i] over most[i]?  Then 2 * i + 2, else + 1 */
#define DT_SCORE_DEPTH 3
#define DT_SCORE_NODES ((1 << DT_SCORE_DEPTH) - 1)

typedef struct {
    uint8_t feature[DT_SCORE_NODES];
    uint16_t most[DT_SCORE_NODES];
    int16_t value[DT_SCORE_NODES + 1]; /* thousandths */
} dt_score_tree_t;


/* which question of decide.c was answered no */
typedef enum {
    DT_QUESTION_NONE = 0, /* none: it is cut on its own */
    DT_QUESTION_SUPPORT,
    DT_QUESTION_RULES, /* place to directory, of what the score does not weigh
                        */
    DT_QUESTION_KIND,
    DT_QUESTION_SCORE,
    DT_QUESTION_DIRECTORY,
    DT_QUESTION_GUARD,
    DT_QUESTION_SENTENCE /* none, but on a page: core/scan/line.c */
} dt_question_t;


/* what the score of a pattern was made of */
typedef struct dt_score_trace_s {
    uint16_t x[DT_SCORE_FEATURES];
    uint8_t rules;    /* the rules had said yes */
    uint8_t scored;   /* 0: it was not weighed */
    uint8_t question; /* dt_question_t */
} dt_score_trace_t;


/* model.c, made by "make model" */
extern const dt_score_tree_t dt_score_trees[];
extern const unsigned dt_score_ntrees;
extern const int dt_score_base;
extern const char *const dt_score_names[DT_SCORE_FEATURES];


/*
 * The score of a pattern in thousandths, higher for template: the sum of all
 * trees, which each give a value by its features.
 */
int dt_score(const uint16_t x[DT_SCORE_FEATURES]);

/*
 * Weighs again what the rules made of the patterns that have support: verdicts
 * has one for each.
 */
dt_status_t dt_score_decide(dt_evidence_t *ev, const uint8_t *voter,
                            const dt_place_sums_t *sums, dt_verdict_t *v);


#endif /* DT_SCORE_H_INCLUDED_ */
