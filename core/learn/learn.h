
/*
 * Copyright (C) The detemplate authors
 *
 * The background pipeline: key page, links, complete subdigraph, mapping and
 * votes, static subtrees, template bytes.
 */


#ifndef DT_LEARN_H_INCLUDED_
#define DT_LEARN_H_INCLUDED_


#include "core/base/dt.h"
#include "core/rules/rules.h"
#include "core/detect/detect.h"
#include "core/web/fetch.h"


typedef struct {
    const char *url;     /* the key page, absolute */
    unsigned candidates; /* n, pages of the complete subdigraph; 3 */
    unsigned votes;      /* v; 2 */
    unsigned loads;      /* pages to load at the most; 30.  Most learnings stop
                            sooner: see enough */
    unsigned enough;     /* pages to load, as evidence, even when n candidates
                            are found sooner; 10.  When they are not, or pages
                            cannot be had, it ends at twice as many tries; with
                            hardly any page, at twice loads */
    unsigned more;       /* the same for a site that has a template; 5 */
    int64_t fresh;       /* seconds for which a page need not be loaded again;
                            12 hours */
    const dt_detector_t *detector;
    dt_rules_t rules;

    dt_fetch_pt fetch;
    void *fetch_data;
    int (*allowed)(void *data, const char *target); /* robots.txt, or NULL:
                            by path and query, rules may be about either */
    void *allowed_data;

    const void *prev; /* the site's template so far, to merge into; or what a
                         learning left that was declined; or NULL */
    size_t prev_len;
    unsigned extend; /* not 0: only when the key page shows what prev does
                        not know; see dt_known() */
    unsigned unseen; /* not 0, with extend: nor when prev was learned from
                        the key page as well, lately: it was asked for before
                        there was prev */
    unsigned used;   /* with extend: percent of the site's loads that are */
    int64_t now;     /* seconds since 1970 */
    uint64_t seed;   /* for a first template; 0: taken from the system */

    /* NULL, or told of each page as it was loaded */
    void (*progress)(void *data, const char *url, const char *what);
    void *progress_data;
} dt_learn_opts_t;

void dt_learn_opts_init(dt_learn_opts_t *o);


typedef struct {
    char *url;
    const char *result; /* "key", "candidate", "loaded", or why refused */
    unsigned in_cs : 1;
} dt_learned_page_t;


typedef struct {
    void *bytes; /* the template, malloc()ed; with DT_DECLINED one that
                    has no patterns, of what pages showed so far; or NULL */
    size_t len;
    unsigned loads;      /* pages loaded, the key page among them */
    unsigned tries;      /* pages asked for: those and others */
    unsigned candidates; /* pages of the subdigraph found */
    unsigned patterns;
    unsigned guarded;      /* patterns that stay, or a page would be empty */
    unsigned static_bytes; /* of the key page */
    unsigned static_words;
    unsigned words;           /* of the key page */
    double coverage;          /* static_words / words */
    dt_learned_page_t *pages; /* in the order of loading, key page first */
    size_t npages;
    unsigned retry_after; /* seconds for which the key page's server wants to
                             be left alone, or 0 */
    const char
        *reason; /* static word: "ok", "known", "no-links", "no-candidates",
                    "no-template", "key-page", "guard", ... */
    char errstr[DT_ERRSTR];
} dt_learned_t;

/*
 * Learns.  DT_OK: out->bytes is a template.  DT_DECLINED: the site gave none;
 * DT_EIO: the key page cannot be had now; out->reason says why.  Whatever the
 * result, out must be freed.
 */
dt_status_t dt_learn(const dt_learn_opts_t *o, dt_learned_t *out);
void dt_learned_free(dt_learned_t *out);


#endif /* DT_LEARN_H_INCLUDED_ */
