
/*
 * Copyright (C) The detemplate authors
 *
 * A learning: key page, links, complete subdigraph, detector, evidence,
 * template bytes.
 */


#ifndef DT_LEARN_H_INCLUDED_
#define DT_LEARN_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/index.h"
#include "core/detect/detect.h"
#include "core/rules/evidence.h"
#include "core/rules/rules.h"
#include "core/web/fetch.h"
#include "core/web/url.h"


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

    const void *prev; /* the site's template so far, to merge into; or the
                         evidence of a learning that was declined; or NULL */
    size_t prev_len;
    int64_t now;   /* seconds since 1970 */
    uint64_t seed; /* for a first template; 0: a random one */

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

/*
 * Runs a learning.  DT_OK: out->bytes is a template.  DT_DECLINED: the site
 * gave none.  DT_EIO: the key page cannot be fetched now.  out->reason says
 * why.  The caller frees out after any result.
 */
dt_status_t dt_learn(const dt_learn_opts_t *o, dt_learned_t *out);
void dt_learned_free(dt_learned_t *out);


/*
 * Collects the links of a page that may lead to pages with the same template,
 * and puts them into the order of loading (Alarte et al. 2015, section 3.1).
 */

typedef struct {
    dt_url_t url;
    uint32_t node; /* the first anchor to that URL */
    int distance;  /* hyperlink distance from the page */
    unsigned args; /* see dt_links_args() in links.c */
} dt_link_t;


typedef struct {
    dt_link_t *links;
    size_t n;
} dt_links_t;


#define DT_LINKS_MAX 2000 /* anchors of a page that are read */

/*
 * Collects the links of dom, the page at url: each URL once, in document
 * order, relative to <base>, with memory from a.  These are left out: the page
 * itself (also as directory index, with or without "www."), other sites, other
 * schemes, rel=nofollow, extensions that are not HTML, feeds, and targets that
 * dt_page_kind() refuses (login, delete, edit, print, share, ...).
 */
dt_status_t dt_links_collect(const dt_dom_t *dom, const dt_url_t *url,
                             dt_arena_t *a, dt_links_t *out);

/*
 * Whether two URLs of one site are the same page.  A directory and its index
 * are; the order of arguments, "www.", http and https do not count.
 */
int dt_links_same(const dt_url_t *a, const dt_url_t *b);

/* Returns a hash that is equal for the URLs of one page; never 0. */
uint64_t dt_links_key(const dt_url_t *u);

/* Removes session ids and tracking arguments from a URL. */
dt_status_t dt_links_plain(dt_url_t *u, dt_arena_t *a);

/*
 * Resolves ref, as dt_url_resolve() does, to the plain URL of a page of the
 * same site as the page from.  DT_DECLINED: it is of another site, or no page
 * to learn from, by its extension and by dt_page_kind(), where the directories
 * that it shares with from say nothing.  With given, which is that of
 * dt_learn_opts_t, each is a page to learn from.
 */
dt_status_t dt_links_page(const dt_url_t *from, const dt_url_t *base,
                          dt_str_t ref, unsigned given, dt_arena_t *a,
                          dt_url_t *out);

/*
 * Returns the name of a page: the last part of its path without extensions;
 * or, for a directory's index, the directory.  It points into the URL, and is
 * empty for the first page of a site or of a language.
 */
dt_str_t dt_links_name(const dt_url_t *url);

/* Returns the identity in the evidence of the page at url. */
dt_page_id_t dt_links_id(const dt_url_t *url);

/*
 * Puts links into the published order: first hyperlink distance 0, then
 * positive distances ascending, then negative ones by closeness.  Among
 * equals, the link with the largest sum of DOM distances to the chosen ones is
 * next; the very first is the first in the document.  Links with more
 * arguments than the key page come after all others.  Only the first max links
 * are ordered exactly.
 */
dt_status_t dt_links_order(const dt_dom_t *dom, dt_links_t *links, size_t max,
                           dt_arena_t *a);


/*
 * Finds the complete subdigraph: pages of a site that all link to one another
 * (Alarte et al. 2015, Algorithm 1).
 */

#define DT_DIGRAPH_MAX 64 /* pages */


/* embedded by the caller, all zero at first; bit j of out[i] is set when page
   i links to page j */
typedef struct {
    unsigned n;
    uint64_t out[DT_DIGRAPH_MAX];
    uint64_t best; /* the largest complete subdigraph so far, as a bit set */
} dt_digraph_t;


/*
 * Adds page g->n with its links to earlier pages (out) and from earlier pages
 * (in), both as bit sets.  Then it searches the largest complete subdigraph
 * that contains the page and has at most limit pages.  The result replaces
 * g->best when it has more pages.  Returns the size of g->best, or 0 when the
 * graph is full.
 */
unsigned dt_digraph_add(dt_digraph_t *g, uint64_t out, uint64_t in,
                        unsigned limit);


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


/* embedded by the caller */
typedef struct {
    dt_arena_t *arena;
    uint64_t seed;
    dt_index_t pages;                /* dt_sample_page_t */
    dt_index_t dirs;                 /* uint64_t: dir of pages that are linked
                                        */
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
 * With fresh, only a page that the evidence does not have.  *beyond becomes
 * whether no link leads to its directory: any outsider may have made it.  If
 * that is set before, none of these pages is taken.
 */
dt_sample_page_t *dt_sample_take(dt_sample_t *s, unsigned fresh,
                                 unsigned *beyond);


/* restricts a process that parses untrusted pages */

/*
 * Restricts this process, which must have one thread, for good.  It may read
 * files, connect over IP, allocate memory and start threads.  It may not
 * execute, fork, open files for writing, signal or trace other processes,
 * connect to local sockets, or accept connections: these calls fail.  Where
 * the kernel has Landlock, it also cannot read memory, environment or
 * descriptors of other processes.
 *
 * DT_DECLINED: this machine or kernel has no filter of system calls; all other
 * restrictions hold.
 */
dt_status_t dt_confine(void);


#endif /* DT_LEARN_H_INCLUDED_ */
