
/*
 * Copyright (C) The detemplate authors
 *
 * Weighs all facts about a pattern together.
 */


#ifndef DT_SCORE_H_INCLUDED_
#define DT_SCORE_H_INCLUDED_


#include "core/rules/verdict.h"


/* features: the facts about a pattern; shares are in thousandths */
enum {
    DT_SCORE_VOTES = 0, /* votes of the pages that show it */
    DT_SCORE_SHARE,     /* the same as a share of the votes that count */
    DT_SCORE_PLACE,     /* its votes as a share of those of the pages with the
                           place around it */
    DT_SCORE_LINKS,     /* its flags, 0 or 1 */
    DT_SCORE_LABEL,
    DT_SCORE_ASIDE,
    DT_SCORE_MAIN,
    DT_SCORE_DETECTED,
    DT_SCORE_VARIES,
    DT_SCORE_WORDS,      /* its words, up to 1000 */
    DT_SCORE_TEXT,       /* 1: it is a text, 0: an element */
    DT_SCORE_REPETITION, /* share of the text at its place that is repeated */
    DT_SCORE_REPETITION_PARENT, /* the same at the place around that, */
    DT_SCORE_REPETITION_ABOVE,  /* at the next one, */
    DT_SCORE_REPETITION_LEAST,  /* and the least of all places around */
    DT_SCORE_UNREPEATED, /* places around with less than half repeated */
    DT_SCORE_PATTERNS,   /* patterns at its place, it included */
    DT_SCORE_SUPPORTED,  /* share of these that have support */
    DT_SCORE_PER_PAGE,   /* 100 times their mean number on a page */
    DT_SCORE_PLACE_TEXT, /* share of the text of all pages that is at the
                        place around it, or below that */
    DT_SCORE_FEATURES
};


/* A decision tree in an array.  Behind node i comes node 2 * i + 2 if the
   feature is more than most[i], else node 2 * i + 1; behind the last nodes
   come the values. */
#define DT_SCORE_DEPTH 3
#define DT_SCORE_NODES ((1 << DT_SCORE_DEPTH) - 1)

typedef struct {
    uint8_t feature[DT_SCORE_NODES];
    uint16_t most[DT_SCORE_NODES];
    int16_t value[DT_SCORE_NODES + 1]; /* thousandths */
} dt_score_tree_t;


/* how a pattern was decided, to explain it */
typedef struct dt_score_trace_s {
    uint16_t x[DT_SCORE_FEATURES];
    uint16_t least;   /* thousandths of score that are asked for */
    uint8_t scored;   /* x and least are set */
    uint8_t question; /* dt_question_t */
} dt_score_trace_t;


/* of model.c, which "make model" writes */
extern const dt_score_tree_t dt_score_trees[];
extern const unsigned dt_score_ntrees;
extern const int dt_score_base;
extern const char *const dt_score_names[DT_SCORE_FEATURES];


/*
 * Returns the score of a pattern with these features, in thousandths: the sum
 * of a value from each tree.  It is higher for template.
 */
int dt_score(const uint16_t x[DT_SCORE_FEATURES]);

/*
 * Decides by the score about the active patterns that have words.  v has the
 * verdict of each pattern; voters is the result of dt_alike(); sums has one
 * for each place.  If ev->traces is set, the features are noted there.
 * DT_ENOMEM: there is no memory, and nothing is changed.
 */
dt_status_t dt_score_decide(dt_evidence_t *ev, const dt_voters_t *voters,
                            const dt_place_sums_t *sums, dt_verdict_t *v);


#endif /* DT_SCORE_H_INCLUDED_ */
