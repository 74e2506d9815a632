
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_LINKS_H_INCLUDED_
#define DT_LINKS_H_INCLUDED_


#include "core/rules/evidence.h"
#include "core/web/url.h"


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


#endif /* DT_LINKS_H_INCLUDED_ */
