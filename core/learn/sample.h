
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_SAMPLE_H_INCLUDED_
#define DT_SAMPLE_H_INCLUDED_


#include "core/learn/links.h"


/*
 * The pages of a site that a learning knows of, and its random choice of them.
 */

#define DT_SAMPLE_LINKS 100  /* links of one page that count */
#define DT_SAMPLE_NAMED 4096 /* pages that the site names elsewhere */
#define DT_SAMPLE_MAX 16384  /* pages */


/* a page that may be loaded */
typedef struct {
    uint64_t key;    /* see dt_links_key() */
    uint64_t order;  /* the page with the least one is next */
    dt_str_t href;   /* with a NUL behind */
    uint64_t dir;    /* its directory; with a query, its path */
    unsigned known;  /* the evidence has it */
    unsigned taken;  /* it was chosen, or cannot be chosen */
    unsigned linked; /* a link leads to it */
} dt_sample_page_t;


/* a directory of pages */
typedef struct {
    uint64_t key;    /* dir of its pages */
    unsigned linked; /* a link leads to one of them */
    unsigned came;   /* pages that were loaded, */
    unsigned failed; /* and that could not be */
} dt_sample_dir_t;


/* embedded by the caller */
typedef struct {
    dt_arena_t *arena;
    uint64_t seed;
    dt_index_t pages;                /* dt_sample_page_t */
    dt_index_t dirs;                 /* dt_sample_dir_t */
    dt_str_t named[DT_SAMPLE_NAMED]; /* a random part of nnamed */
    uint64_t nnamed;
} dt_sample_t;


/* Initialises an empty sample, whose choice depends on seed alone.  DT_ENOMEM:
   no memory. */
dt_status_t dt_sample_init(dt_sample_t *s, uint64_t seed, dt_arena_t *arena);

/*
 * Adds a page, unless it is there.  known: the evidence has it; taken: it
 * cannot be chosen; linked: a link leads to it.  The URL is copied.  Returns
 * the page, or NULL: there are DT_SAMPLE_MAX, or no memory.
 */
dt_sample_page_t *dt_sample_add(dt_sample_t *s, const dt_url_t *url,
                                unsigned known, unsigned taken,
                                unsigned linked);

/* Notes that the page at url came when it was requested, or did not. */
void dt_sample_answered(dt_sample_t *s, const dt_url_t *url, unsigned came);

/* Adds the links of a page: of more than DT_SAMPLE_LINKS a random part, since
   an author may link to any number of his own pages. */
void dt_sample_links(dt_sample_t *s, const dt_links_t *links,
                     const dt_evidence_t *ev);

/* Notes the URL of a page that the site names elsewhere, such as in a sitemap.
   The string must live as long as the sample. */
void dt_sample_name(dt_sample_t *s, dt_str_t url);

/* Adds the pages that were noted, relative to the page at base; those that
   dt_links_page() refuses are left out.  linked: as if links led to them. */
void dt_sample_names(dt_sample_t *s, const dt_url_t *base, unsigned given,
                     unsigned linked, const dt_evidence_t *ev);

/* Returns the number of pages that were not taken and that the evidence does
   not have. */
unsigned dt_sample_rest(const dt_sample_t *s);

/*
 * Returns a random page that was not taken, and takes it; NULL: there is none.
 * Pages of a directory of which three failed, and none came, are left out.
 * With fresh, only a page that the evidence does not have.  *beyond becomes
 * whether no link leads to its directory: any outsider may have made it.  If
 * that is set before, none of these pages is taken.
 */
dt_sample_page_t *dt_sample_take(dt_sample_t *s, unsigned fresh,
                                 unsigned *beyond);


#endif /* DT_SAMPLE_H_INCLUDED_ */
