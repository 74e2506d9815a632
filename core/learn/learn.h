
/*
 * Copyright (C) The detemplate authors
 *
 * A learning: key page, links, complete subdigraph, detector, evidence,
 * template bytes.
 */


#ifndef DT_LEARN_H_INCLUDED_
#define DT_LEARN_H_INCLUDED_


#include "core/base/dt.h"
#include "core/rules/rules.h"
#include "core/detect/detect.h"
#include "core/web/fetch.h"


typedef struct {
    const char *url;     /* the key page, absolute */
    unsigned candidates; /* n, pages to compare with the key page; 3 */
    unsigned votes;      /* v; 2 */
    unsigned loads;      /* most pages to load; 30.  Most learnings stop
                            earlier: see enough */
    unsigned enough;     /* pages to load as evidence, even when n candidates
                            are found earlier; 10.  Otherwise the learning ends
                            after twice as many requests; with fewer than three
                            pages, after twice loads */
    unsigned more;       /* the same for a site that has a template; 5 */
    unsigned cpu;        /* seconds of processor time after which no more pages
                            are loaded; 10.  The rest is left to learn from
                            those */
    int64_t fresh;       /* seconds in which a page is not loaded again; 12
                            hours */
    const dt_detector_t *detector;
    dt_rules_t rules;

    dt_fetch_pt fetch;
    void *fetch_data;
    int (*allowed)(void *data, const char *target); /* whether a target (path
                            and query) may be fetched, or NULL: all may */
    void *allowed_data;

    const void *prev; /* the site's template so far, to merge into; or the
                         evidence of a learning that was declined; or NULL */
    size_t prev_len;
    unsigned extend;     /* not 0: learn only when prev does not know what the
                            key page shows; see dt_known() */
    unsigned uncompared; /* not 0, with extend: the page was requested before
                            there was prev, so do not learn either when prev
                            was recently learned from it */
    unsigned used;       /* with extend: percent of the site's loads that are
                            used */
    int64_t now;         /* seconds since 1970 */
    uint64_t seed;       /* for a first template; 0: a random one */

    /* called for each page that was requested, or NULL */
    void (*progress)(void *data, const char *url, const char *what);
    void *progress_data;
} dt_learn_opts_t;

void dt_learn_opts_init(dt_learn_opts_t *o);


typedef struct {
    char *url;
    const char
        *result; /* "key", "candidate", "loaded", or why it was refused */
    unsigned in_cs : 1;
} dt_learned_page_t;


typedef struct {
    void *bytes; /* the template, malloc()ed; with DT_DECLINED one that has
                    evidence and no patterns; or NULL */
    size_t len;
    unsigned loads;      /* pages loaded, including the key page */
    unsigned tries;      /* pages requested, including those not loaded */
    unsigned beyond;     /* pages that exceeded a limit: depth, time, ... */
    unsigned candidates; /* pages of the subdigraph, without the key page */
    unsigned patterns;
    unsigned guarded;      /* patterns that the guard keeps */
    unsigned static_bytes; /* of the key page */
    unsigned static_words;
    unsigned words;           /* of the key page */
    double coverage;          /* static_words / words */
    dt_learned_page_t *pages; /* in the order of requests, key page first */
    size_t npages;
    unsigned redesigned : 1; /* pages that were known have another design */
    unsigned
        retry_after; /* seconds that Retry-After of a page asks for, or 0 */
    const char
        *reason; /* static word: "ok", "known", "no-links", "no-candidates",
                    "no-template", "key-page", "denied", "guard", ... */
    char errstr[DT_ERRSTR];
} dt_learned_t;

/*
 * Runs a learning.  DT_OK: out->bytes is a template.  DT_DECLINED: the site
 * gave none.  DT_EIO: the key page cannot be fetched now.  out->reason says
 * why.  The caller frees out, whatever the result.
 */
dt_status_t dt_learn(const dt_learn_opts_t *o, dt_learned_t *out);
void dt_learned_free(dt_learned_t *out);


#endif /* DT_LEARN_H_INCLUDED_ */
