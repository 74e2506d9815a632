
/*
 * Copyright (C) The detemplate authors
 *
 * The questions about each pattern of the evidence, file by file.
 */


#ifndef DT_DECIDE_H_INCLUDED_
#define DT_DECIDE_H_INCLUDED_


#include "core/rules/evidence.h"


/* pages that are alike have one vote together */

/* which pages are alike: the result of dt_alike() */
typedef struct {
    uint64_t alike[DT_PAGES_MAX]; /* for each page, the set of the pages that
                                     are alike with it, and itself */
    uint8_t order[DT_PAGES_MAX];  /* the pages, from the one with the fewest
                                     words */
    unsigned npages;
} dt_voters_t;

/* share[i][j], for pages i < j: the words that both pages show, in thousandths
   of the words of the page that has less; words are weighed by rarity */
typedef struct {
    uint16_t share[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_alike_t;

/*
 * Sets which pages are alike, such as a page and its print view.  If alike is
 * not NULL, its shares are set too.
 */
void dt_alike(const dt_evidence_t *ev, dt_voters_t *voters, dt_alike_t *alike);


/*
 * Returns the votes of a set of pages, which has a bit for each page.  The
 * pages are counted from the one with the fewest words on; a page that is
 * alike with a counted one does not count.  So a page that contains others
 * adds no vote to theirs, and takes none of them.
 */
static inline unsigned
dt_rules_votes(uint64_t pages, const dt_voters_t *voters)
{
    unsigned i, p, n = 0;

    for (i = 0; i < voters->npages && pages; i++) {
        p = voters->order[i];

        if (pages >> p & 1) {
            pages &= ~voters->alike[p];
            n++;
        }
    }

    return n;
}


/* finds the directory in which a pattern may be cut */

/*
 * Returns the pages of the largest directory that has more than half of the
 * pages, but not all of them; 0: there is none.
 */
uint64_t dt_quorum_most(const dt_evidence_t *ev);

/*
 * Fills ev->dirs with the directories of the pages.  It is called once, before
 * the functions below.  voters is the result of dt_alike().  DT_ENOMEM: there
 * is no memory.
 */
dt_status_t dt_quorum_init(dt_evidence_t *ev, const dt_voters_t *voters);

/*
 * Returns the directory in which a pattern may be cut that these pages show;
 * NULL: it may be cut nowhere.
 */
dt_quorum_dir_t *dt_quorum(const dt_evidence_t *ev, const dt_voters_t *voters,
                           uint64_t pages);

/*
 * Returns the number of a directory in the template, which it gives to the
 * directory if it has none.  0: the directory is the whole site (dir->hash is
 * 0), or the template has no more numbers.
 */
unsigned dt_quorum_number(dt_evidence_t *ev, dt_quorum_dir_t *dir);


/* keeps the patterns whose cutting would leave hardly anything of a page */

/* the verdict about a pattern */
typedef struct {
    uint64_t cut;     /* set of the pages on which it is cut alone */
    uint64_t removed; /* texts: the same, and those on which an element around
                       it is cut */
    uint8_t active;   /* it may be cut as part of a larger pattern */
    uint8_t dir;      /* number of the only directory in which it is cut alone;
                         0: it is cut everywhere */
} dt_verdict_t;


/*
 * Clears the verdicts of the patterns that would leave hardly anything of a
 * page, and counts them in ev->guarded.  verdicts
 * has one for each pattern; voters is the result of dt_alike().  DT_ENOMEM:
 * there is no memory, and nothing is changed.
 */
dt_status_t dt_guard(dt_evidence_t *ev, const dt_voters_t *voters,
                     dt_verdict_t *verdicts);

/* Sets removed of each text: the pages on which it is cut, or an element
   around it. */
void dt_guard_removed(const dt_evidence_t *ev, dt_verdict_t *verdicts);


/* decides which elements are cut by their shape, with any text */

/* elements of one shape at one place */
typedef struct {
    uint64_t key;    /* dt_key_shape() */
    uint64_t pages;  /* set of the pages that have such an element */
    uint64_t again;  /* set of the pages that have several */
    uint64_t unique; /* words of patterns without support; each counts once for
                        each page */
    uint32_t place;
    uint16_t words; /* of the longest element */
    uint8_t kind;   /* DT_SHAPE_NAV or DT_SHAPE_BESIDE */
    uint8_t dir;    /* as in dt_verdict_t */
    uint8_t cut;    /* they are cut when bold */
} dt_shape_t;


/*
 * Returns the flags of a pattern outside of main content: DT_PATTERN_NAV and
 * DT_PATTERN_BESIDE, or 0.  shape has bits of DT_SHAPE_*; links: the pattern
 * is made of links.
 */
unsigned dt_shapes_flags(unsigned shape, int links);

/*
 * Decides about all shapes of the evidence.  It initializes the index shapes
 * and adds a dt_shape_t for each, also for those that are not cut.  voters is
 * the result of dt_alike().  All memory is the evidence's arena's.  DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_shapes(dt_evidence_t *ev, const dt_voters_t *voters,
                      dt_index_t *shapes);


/* decides which patterns of the evidence are template */

/* sums over all patterns at a place and below it: the first three of places by
   their path, the others of named ones */
typedef struct {
    uint64_t pages;     /* set of the pages that have the place */
    uint64_t words;     /* of texts; each counts once for each page */
    uint64_t repeated;  /* the words of texts that have support */
    uint64_t said;      /* the words of texts without support that are no
                           links */
    uint64_t own_pages; /* set of the pages that have elements at the place
                           without support, */
    uint64_t own;       /* and how many such elements they have together */
    uint32_t inside;    /* not 0: there are places in it */
} dt_place_sums_t;


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info; /* NULL: the table has keys only */
    unsigned bits;  /* the table has 1 << bits slots */
} dt_table_t;


/* the tables that requests look up, under construction */
typedef struct {
    dt_table_t paths;
    dt_table_t nodes;
    uint64_t *firsts;
    unsigned first_bits;
    uint32_t patterns;      /* number of patterns that are template */
    uint32_t shapes;        /* number of shapes that are cut when bold */
    dt_verdict_t *verdicts; /* one for each pattern */
} dt_tables_t;


/*
 * Decides about each pattern of the evidence, and fills the tables.  Their
 * memory is the evidence's arena's.  DT_DECLINED: nothing is template, and the
 * tables are empty; DT_ENOMEM: there is no memory.
 */
dt_status_t dt_decide(dt_evidence_t *ev, dt_tables_t *t);

/*
 * Fills the tables of t by its verdicts.  sums has one for each place; voters
 * is the result of dt_alike().  All memory is the evidence's arena's.
 * DT_DECLINED: no pattern is active, and the tables are empty; DT_ENOMEM:
 * there is no memory.
 */
dt_status_t dt_write(dt_evidence_t *ev, const dt_voters_t *voters,
                     const dt_place_sums_t *sums, dt_tables_t *t);


/* weighs all facts about a pattern together */

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


/* the question of decide.c that keeps a pattern from being cut alone */
typedef enum {
    DT_QUESTION_NONE = 0, /* it is cut alone */
    DT_QUESTION_SUPPORT,
    DT_QUESTION_SCORE,
    DT_QUESTION_SHARE,
    DT_QUESTION_KIND,
    DT_QUESTION_GUARD,
    DT_QUESTION_SLOT,
    DT_QUESTION_SENTENCE /* it is cut alone, but not on this page:
                            core/scan/line.c, unit.c */
} dt_question_t;


/* how a pattern was decided, to explain it */
typedef struct dt_score_trace_s {
    uint16_t x[DT_SCORE_FEATURES];
    uint8_t scored;   /* x is set */
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


#endif /* DT_DECIDE_H_INCLUDED_ */
