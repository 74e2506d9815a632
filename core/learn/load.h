
/*
 * Copyright (C) The detemplate authors
 *
 * The state of a learning, for learn.c and load.c.
 */


#ifndef DT_LOAD_H_INCLUDED_
#define DT_LOAD_H_INCLUDED_


#include <time.h>

#include "core/learn/digraph.h"
#include "core/learn/learning.h"
#include "core/learn/links.h"
#include "core/learn/sample.h"


#define DT_LEARN_PAGES (DT_DIGRAPH_MAX - 1) /* beside the key page */
#define DT_LEARN_PATIENCE 3 /* pages in a row that find the server too busy */


typedef struct {
    uint64_t asked; /* dt_links_key() of the URL that was asked for, */
    uint64_t key;   /* and of the URL after redirects */
    uint64_t bytes; /* a hash of its bytes */
    uint64_t *to;   /* dt_links_key() of its links */
    size_t nto;
    dt_status_t rc;  /* of fetching it */
    long status;     /* likewise, in HTTP */
    unsigned number; /* in the evidence */

    dt_arena_t *arena; /* the page's own; NULL: it was not read, or dropped;
                          then the following is gone */
    size_t took;       /* bytes of the room for all pages */
    dt_url_t url;      /* after redirects */
    dt_dom_t *dom;
    dt_record_t *records; /* malloc()ed */
    size_t n;
    dt_links_t links;
} dt_loaded_t;


typedef struct {
    const dt_learn_opts_t *o;
    dt_learned_t *out;
    dt_arena_t *arena;
    size_t room;
    clock_t began; /* processor time */
    dt_evidence_t *evidence;
    dt_sample_t sample;
    dt_digraph_t graph; /* its pages are the first of those below */
    dt_loaded_t key;
    dt_loaded_t pages[DT_LEARN_PAGES];
    unsigned number[DT_LEARN_PAGES]; /* in out->pages */
    unsigned npages;
    unsigned busy;       /* pages in a row for which the server was too busy */
    unsigned failed;     /* pages that were requested in vain */
    unsigned key_tries;  /* requests for the key page: 0 or 1 */
    unsigned outside;    /* pages that outsiders may have chosen */
    unsigned denied;     /* pages that only some may see, or log-ins */
    unsigned shut;       /* of them, those that were answered with 401 or 403
                            */
    unsigned forbidden;  /* pages that robots.txt forbids */
    unsigned redesigned; /* pages that show hardly anything of prev */
    uint64_t shown;      /* words of template that prev knows on the pages */
} dt_learn_t;


/* Whether the site has a template.  If not, prev is NULL or has only the
   evidence of learnings that failed. */
static inline int
dt_learn_had(const dt_learn_t *l)
{
    return l->o->prev != NULL
           && ((const dt_template_head_t *) l->o->prev)->npatterns > 0;
}


/*
 * Loads the key page, and adds it to the sample and the evidence.
 * DT_DECLINED, DT_EIO: it cannot be used; out->reason says why.
 */
dt_status_t dt_learn_key_page(dt_learn_t *l, dt_url_t *url);

/*
 * Loads up to DT_FETCH_ONCE pages, and adds those that are new to the sample
 * and to the evidence.  With join, they become a part of the digraph and keep
 * their dom; otherwise they are dropped.  DT_ENOMEM: no memory.
 */
dt_status_t dt_learn_pages(dt_learn_t *l, const dt_str_t *urls, unsigned n,
                           unsigned join);

/* Frees a page's memory. */
void dt_learn_drop(dt_learn_t *l, dt_loaded_t *page);

/* Notes in the evidence which pages link to one another, when all are loaded.
 */
void dt_learn_linked(dt_learn_t *l);


#endif /* DT_LOAD_H_INCLUDED_ */
