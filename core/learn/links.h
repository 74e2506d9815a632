
/*
 * Copyright (C) The detemplate authors
 *
 * The links of a page that may lead to pages of the same template, and the
 * order in which to load them (Alarte et al. 2015, section 3.1).
 */


#ifndef DT_LINKS_H_INCLUDED_
#define DT_LINKS_H_INCLUDED_


#include "core/dom/dom.h"
#include "core/rules/evidence.h"
#include "core/web/url.h"


typedef struct {
    dt_url_t url;
    uint32_t node; /* the first anchor to that URL */
    int distance;  /* hyperlink distance from the page */
    unsigned args; /* of its query, where pages have not as many */
} dt_link_t;


typedef struct {
    dt_link_t *links;
    size_t n;
} dt_links_t;


#define DT_LINKS_MAX 2000 /* anchors looked at per page; the rest is left */

/*
 * The links of dom, the page at url: each URL once, in document order, with
 * <base> heeded.  Left out: the page itself (also as directory index, with or
 * without "www."), other sites, other schemes, rel=nofollow,
 * extensions that are not HTML, feeds, URLs with more than one query
 * argument, URLs that act (logout, login, signin, delete, add-to-cart,
 * edit, print, replytocom, share, ...).
 */
dt_status_t dt_links_collect(const dt_dom_t *dom, const dt_url_t *url,
                             dt_arena_t *a, dt_links_t *out);

/*
 * Whether two URLs of one site are the same page: a directory and its index,
 * with and without "www.", http and https are, and any order of arguments.
 */
int dt_links_same(const dt_url_t *a, const dt_url_t *b);

/* Takes session ids and tracking arguments out of a URL. */
dt_status_t dt_links_plain(dt_url_t *u, dt_arena_t *a);

/*
 * What names a page: the last part of its path without extensions, or, when
 * that is a directory's index, the directory.  Points into the URL; empty for
 * the first page of a site, or of a language.
 */
dt_str_t dt_links_name(const dt_url_t *url);

/* What the page at url is known by, in the evidence. */
dt_page_id_t dt_links_id(const dt_url_t *url);

/*
 * Puts links into the published order: hyperlink distance 0 first, then
 * positive ascending, then negative by closeness; among equals the link whose
 * DOM distance to those already chosen is largest (the sum; the first link of
 * all: the first in the document).  Links with more arguments than pages have
 * come after all others.
 * Only the first max need be exact.
 */
dt_status_t dt_links_order(const dt_dom_t *dom, dt_links_t *links, size_t max,
                           dt_arena_t *a);


#endif /* DT_LINKS_H_INCLUDED_ */
