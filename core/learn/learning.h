
/*
 * Copyright (C) The detemplate authors
 *
 * The options of a learning, and its result.
 */


#ifndef DT_LEARNING_H_INCLUDED_
#define DT_LEARNING_H_INCLUDED_


#include "core/detect/detect.h"
#include "core/rules/rules.h"
#include "core/web/robots.h"


typedef struct {
    const char *url;     /* the key page, absolute */
    unsigned candidates; /* n, pages to compare with the key page; 6 */
    unsigned votes;      /* v, 0: by the number of those pages; 0 */
    unsigned loads;      /* pages to load; 30.  A learning may request three
                            times as many, since links may lead nowhere */
    unsigned alone;      /* not 0: only the key page and its subdigraph are
                            loaded, as published */
    unsigned cpu;        /* seconds of processor time after which no more pages
                            are loaded; 10.  The rest is left to learn from
                            those */
    const dt_detector_t *detector;
    dt_rules_t rules;

    dt_fetch_pt fetch;
    dt_fetch_many_pt fetch_many; /* the same for several pages at once; NULL:
                                    one after the other */
    dt_fetch_pt fetch_raw;       /* for sitemaps; NULL: these are not asked
                                    for */
    void *fetch_data;
    const dt_robots_t *robots; /* of the site, with fetch_raw */
    unsigned once; /* pages to load at once, at most DT_FETCH_ONCE; that */
    int (*has)(void *data, const char *target); /* whether the page of a target
                            (path and query) is here, so that loading it sends
                            no request; or NULL: none is */
    void *has_data;

    const char *const *visited; /* URLs of pages that visitors asked for, the
                                   most useful first.  At most a third of the
                                   pages are these */
    size_t nvisited;
    const char *const *named; /* URLs of known pages of the site, for instance
                                 from a list of its files */
    size_t nnamed;
    unsigned given; /* not 0: only pages that are here are loaded; where
                       others are few, none is refused for its URL */

    unsigned still; /* not 0: pages do not change, so that those that the
                       evidence has need not be loaded again */

    const void *prev; /* the site's template so far, to merge into; or the
                         evidence of a learning that was declined; or NULL */
    size_t prev_len;
    int64_t now;   /* seconds since 1970 */
    uint64_t seed; /* for a first template; 0: a random one */

    /* called for each page that was requested, or NULL */
    void (*progress)(void *data, const char *url, const char *what);
    void *progress_data;
} dt_learn_opts_t;


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
    unsigned fresh;           /* percent of the words of template on the loaded
                                 pages that are new, compared with prev */
    dt_learned_page_t *pages; /* in the order of requests, key page first */
    size_t npages;
    unsigned redesigned : 1; /* pages that were known have another design */
    unsigned
        retry_after;    /* seconds that Retry-After of a page asks for, or 0 */
    const char *reason; /* static word: "ok", "no-links", "no-candidates",
                           "no-template", "key-page", "denied", "robots",
                           "guard", ... */
    char errstr[DT_ERRSTR];
} dt_learned_t;


#endif /* DT_LEARNING_H_INCLUDED_ */
