
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files that make templates: evidence.c (what pages showed),
 * alike.c (which of them count as one), decide.c (what of it is template),
 * compile.c (the bytes).
 */


#ifndef DT_EVIDENCE_H_INCLUDED_
#define DT_EVIDENCE_H_INCLUDED_


#include "core/rules/compile.h"
#include "core/base/index.h"
#include "core/template/table.h"


#define DT_COMPILE_PATTERNS (1u << 17) /* at most, while learning */
#define DT_COMPILE_STORED 49152u       /* at most, in a template */
#define DT_COMPILE_PLACES (1u << 14)


/* a directory, of those that the pages are in */
typedef struct {
    uint64_t pages;
    uint64_t hash;   /* 0: all of the site */
    unsigned number; /* in the template, 0: not there */
} dt_quorum_dir_t;


/* what is decided of a pattern */
typedef struct {
    uint64_t cut;   /* on these pages on its own; */
    uint8_t active; /* as part of a larger one; */
    uint8_t dir;    /* in this directory only, 0: everywhere */
} dt_verdict_t;


struct dt_compile_s {
    dt_arena_t *arena;
    dt_template_head_t prev;
    uint64_t seed;

    dt_evidence_page_t pages[DT_PAGES_MAX];
    unsigned npages;
    uint64_t fresh;   /* pages of this learning */
    uint32_t typical; /* words of template on the middle page */
    uint32_t most;    /* and at the most */
    uint32_t guarded; /* patterns that would have left nothing of a page */

    dt_quorum_dir_t *dirs; /* that the pages are in; first, all of the site */
    unsigned ndirs;
    dt_quorum_dir_t *limits[DT_DIRS_MAX]; /* those that are in the template */
    unsigned nlimits;

    dt_index_t places;   /* dt_evidence_place_t */
    dt_index_t patterns; /* dt_evidence_t */
};


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info;
    unsigned bits;
} dt_table_t;


/* what requests look up, under construction */
typedef struct {
    dt_table_t paths;
    dt_table_t nodes;
    uint64_t *firsts;
    uint32_t patterns;
} dt_tables_t;


/* votes of a set of pages: those that are alike have one */
unsigned dt_decide_votes(uint64_t pages, const uint8_t *with);

/* which pages are in each directory; once for the rest */
dt_status_t dt_quorum_init(dt_compile_t *c);

/*
 * Where what these pages show may be cut: it is on share percent of the pages
 * of.  NULL: nowhere.
 */
dt_quorum_dir_t *dt_quorum(const dt_compile_t *c, const dt_rules_t *rules,
                           const uint8_t *with, uint64_t pages, uint64_t of,
                           unsigned share);

/*
 * The number of a directory in the template; 0: all of the site, or there are
 * too many (dir->hash is set).
 */
unsigned dt_quorum_number(dt_compile_t *c, dt_quorum_dir_t *dir);

/* what the head of the template says of directories */
void dt_quorum_write(const dt_compile_t *c, const dt_rules_t *rules,
                     dt_template_head_t *h);

/* the pages on which a node of this info may be cut */
uint64_t dt_quorum_pages(const dt_compile_t *c, uint32_t info);

/*
 * Takes out of the verdicts, one for each pattern, those that would leave
 * hardly anything of a page; counts them in c->guarded.
 */
dt_status_t dt_guard(dt_compile_t *c, const dt_rules_t *rules,
                     const uint8_t *with, dt_verdict_t *verdicts);

/* decides for each pattern, and fills the tables; DT_DECLINED: none */
dt_status_t dt_decide(dt_compile_t *c, const dt_rules_t *rules,
                      dt_tables_t *t);


#endif /* DT_EVIDENCE_H_INCLUDED_ */
