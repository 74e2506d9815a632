
/*
 * Copyright (C) The detemplate authors
 *
 * Small sites for tests.  A page is written as a text in which "@" stands for
 * a word that no other page has, "#" and "%" for text that all pages have; a
 * template is learned from some pages of it, and one that was not learned
 * from is rewritten.
 */


#ifndef DT_SITE_H_INCLUDED_
#define DT_SITE_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>

#include "core/dom/dom.h"
#include "core/learn/links.h"
#include "core/rules/compile.h"
#include "core/template/template.h"
#include "engine.h"


#define SITE_HOST "site.example"
#define SITE_SEED 0x5eed5eed5eed5eedu
#define SITE_PAGES 8


static const char *site_host = SITE_HOST; /* of the pages rewritten */

static const engine_t engine_own = ENGINE;
static const engine_t *site_engine = &engine_own; /* what rewrites them */

static dt_work_t *site_work; /* memory that other pages were in, or NULL */
static unsigned site_bold;   /* what repeats by its shape goes as well */
static unsigned site_xml;    /* the page is XML */

static const dt_hand_t *site_hand; /* what is kept and cut */

static const char *site_begin = "<body>"; /* of pages without a head */

static dt_str_t site_before; /* put around elements */
static dt_str_t site_after;
static dt_str_t site_put; /* put at the end of heads */


typedef struct {
    char *data;
    size_t len;
    size_t size;
} buf_t;


static inline void
buf_add(buf_t *b, const char *p, size_t len)
{
    if (b->data == NULL || len > b->size - b->len) {
        b->size = 2 * (b->len + len) + 64;
        b->data = realloc(b->data, b->size);

        if (b->data == NULL) {
            abort();
        }
    }

    if (len) {
        memcpy(b->data + b->len, p, len);
    }

    b->len += len;
}


static inline void
buf_puts(buf_t *b, const char *text)
{
    buf_add(b, text, strlen(text));
}


static inline void
buf_fill(buf_t *b, const char *text, size_t times)
{
    size_t len = strlen(text);

    while (times--) {
        buf_add(b, text, len);
    }
}


static inline void
buf_free(buf_t *b)
{
    free(b->data);
    memset(b, 0, sizeof(buf_t));
}


static inline int
buf_eq(const buf_t *a, const buf_t *b)
{
    return a->len == b->len
           && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}


/* whether a page begins with something of a head, or may */
static inline int
site_headed(const char *text, size_t len)
{
    static const char *const names[] = {
        "!do", "htm", "hea", "tit", "bas", "bod", "lin", "met", "scr",
    };
    size_t i;

    if (len < 4 || text[0] != '<') {
        return len && (unsigned char) text[0] >= 0x80;
    }

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (memcmp(text + 1, names[i], 3) == 0
            && strncmp(text, "<header", len < 7 ? len : 7) != 0)
        {
            return 1;
        }
    }

    return 0;
}


/*
 * Page number n of a text: @ is a word that no other page has, told apart from
 * what is beside it, and ~ one that is not.
 */
static inline void
site_page(buf_t *b, const char *text, size_t len, unsigned n)
{
    char own[16];

    b->len = 0;
    snprintf(own, sizeof(own), "/own%u/", n);

    if (!site_headed(text, len)) {
        buf_puts(b, site_begin);
    }

    for (; len; text++, len--) {
        switch (*text) {

        case '@':
            buf_puts(b, own);
            break;

        case '~':
            buf_add(b, own + 1, strlen(own) - 2);
            break;

        case '#':
            /* not in a character reference */
            buf_puts(b, b->len && b->data[b->len - 1] == '&'
                            ? "#"
                            : "menu of this whole site");
            break;

        case '%':
            buf_puts(b, "about those who made it");
            break;

        default:
            buf_add(b, text, 1);
        }
    }
}


static inline void
site_path(char *path, size_t size, unsigned n)
{
    snprintf(path, size, "/dir/page%u.html", n);
}


/* one page, as evidence */
static inline dt_status_t
site_evidence(dt_evidence_t *c, dt_arena_t *a, const char *url, dt_str_t page,
              int64_t now)
{
    size_t n;
    unsigned number;
    char *inert;
    dt_url_t u;
    dt_page_id_t id;
    dt_dom_t *dom;
    dt_status_t rc;
    dt_record_t *records;
    dt_dom_opts_t o;

    dt_dom_opts_init(&o);

    rc = dt_url_resolve(NULL, dt_cstr(url), a, &u);
    if (rc == DT_OK) {
        id = dt_links_id(&u);
        inert = dt_arena_alloc(a, page.len + 1);
        rc = dt_scan_inert(page, inert);
    }

    if (rc == DT_OK) {
        rc = dt_dom_parse((dt_str_t){ page.len, inert }, &o, a, &dom);
    }

    if (rc == DT_OK) {
        rc = dt_scan_records(page, c->seed, u.host, u.path, &records, &n);
    }

    if (rc == DT_OK) {
        rc = dt_evidence_add(c, &id, dom, records, n, now, &number);
        free(records);
    }

    return rc;
}


/* the template of pages 1 to SITE_PAGES of a text; NULL when there is none */
static inline void *
site_learn(const char *text, size_t text_len, size_t *len)
{
    char url[64];
    unsigned n;
    buf_t page = { 0 };
    dt_arena_t *a;
    dt_rules_t rules;
    dt_status_t rc = DT_ENOMEM;
    dt_evidence_t *c;
    dt_compiled_t out = { 0 };
    dt_compile_info_t info = { .now = 1000 };

    a = dt_arena_create((size_t) 512 << 20);
    dt_rules_init(&rules);
    rules.score = 0; /* the score is nothing for sites made up */
    rules.score_main = 0;
    rules.remain = 0; /* pages of one word */
    c = dt_evidence_create(NULL, &rules, SITE_SEED, a);

    for (n = 1; c != NULL && n <= SITE_PAGES; n++) {
        site_page(&page, text, text_len, n);
        snprintf(url, sizeof(url), "http://" SITE_HOST "/dir/page%u.html", n);
        rc = site_evidence(c, a, url, (dt_str_t){ page.len, page.data }, 1000);

        if (rc != DT_OK) {
            printf("#   %s: %s\n", url, dt_strstatus(rc));
            break;
        }
    }

    if (rc == DT_OK) {
        rc = dt_compile(c, &info, &out);
    }

    buf_free(&page);
    dt_arena_destroy(a);

    if (rc == DT_OK && dt_template_check(out.bytes, out.len, NULL) != DT_OK) {
        abort();
    }

    if (rc == DT_DECLINED) {
        free(out.bytes);
    }

    *len = out.len;

    return rc == DT_OK ? out.bytes : NULL;
}


/* the output of one rewriting */
typedef struct {
    buf_t out;
    buf_t unmarked; /* the same without what was inserted */
    dt_status_t rc;
    dt_rewrite_stats_t stats;
    unsigned wrong; /* slices that are not what their kind says */
    const char *in; /* the page */
    size_t in_len;
    uint64_t region; /* the end of the last region */
    uint64_t cut;    /* bytes in all regions */
    unsigned cuts;   /* how many */
} result_t;


static inline int
site_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    result_t *r = data;
    uintptr_t at = (uintptr_t) p, in = (uintptr_t) r->in;

    if ((kind == DT_OUT_INPUT) != (at >= in && at + len <= in + r->in_len)
        || len == 0)
    {
        r->wrong++;
    }

    buf_add(&r->out, p, len);

    if (kind != DT_OUT_MARK) {
        buf_add(&r->unmarked, p, len);
    }

    return 0;
}


/* regions come in the order of the page */
static inline void
site_region(void *data, uint64_t start, uint32_t len)
{
    result_t *r = data;

    if (start < r->region || len == 0) {
        r->wrong++;
    }

    r->region = start + len;
    r->cut += len;
    r->cuts++;
}


static inline void
result_free(result_t *r)
{
    buf_free(&r->out);
    buf_free(&r->unmarked);
}


static inline uint32_t
site_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;

    return *state >> 8;
}


/* the page is in memory of its own, which ends where it does */
static inline void
site_rewrite_at(const void *tmpl, dt_mode_t mode, const char *path,
                const buf_t *page, result_t *r)
{
    char *copy;
    dt_rewrite_opts_t o = { 0 };

    memset(r, 0, sizeof(result_t));
    o.tmpl = tmpl;
    o.mode = mode;
    o.bold = site_bold;
    o.xml = site_xml;
    o.hand = site_hand;
    o.before = site_before;
    o.after = site_after;
    o.head = site_put;
    o.host = dt_cstr(site_host);
    o.path = dt_cstr(path);
    o.work = site_engine == &engine_own ? site_work : NULL;
    o.out = site_out;
    o.region = site_region;
    o.out_data = r;

    copy = malloc(page->len + !page->len);
    if (copy == NULL) {
        abort();
    }

    if (page->len) {
        memcpy(copy, page->data, page->len);
    }

    r->in = copy;
    r->in_len = page->len;
    r->rc = site_engine->page(&o, (dt_str_t){ page->len, copy }, &r->stats);
    free(copy);

    if (r->stats.in != page->len || r->cut != r->stats.removed
        || r->cuts != r->stats.regions)
    {
        r->wrong++;
    }
}


static inline void
site_rewrite(const void *tmpl, dt_mode_t mode, const buf_t *page, result_t *r)
{
    char path[64];

    site_path(path, sizeof(path), SITE_PAGES + 1);
    site_rewrite_at(tmpl, mode, path, page, r);
}


/* whether the same was cut and kept */
static inline int
result_eq(const result_t *a, const result_t *b)
{
    return buf_eq(&a->out, &b->out) && a->stats.in == b->stats.in
           && a->stats.removed == b->stats.removed
           && a->stats.regions == b->stats.regions
           && a->stats.words == b->stats.words
           && a->stats.cut_words == b->stats.cut_words
           && a->stats.kept == b->stats.kept
           && a->stats.forced == b->stats.forced
           && a->stats.forced_bytes == b->stats.forced_bytes
           && a->stats.guard == b->stats.guard
           && a->stats.too_deep == b->stats.too_deep && a->rc == b->rc;
}


/* whether a is what is left of b when bytes are taken out of it */
static inline int
site_subsequence(const buf_t *a, const buf_t *b)
{
    size_t i, j;

    for (i = 0, j = 0; i < a->len; i++, j++) {
        while (j < b->len && b->data[j] != a->data[i]) {
            j++;
        }

        if (j == b->len) {
            return 0;
        }
    }

    return 1;
}


/* a page in one mode, twice: the second time in memory that pages before were
   in; removed: as in the mode before, or UINT64_MAX */
static inline int
site_mode_holds(const void *tmpl, dt_mode_t mode, const char *path,
                const buf_t *page, uint64_t *removed)
{
    int good;
    result_t r, again;
    static dt_work_t *work;

    work = work != NULL ? work : dt_work_create();
    site_rewrite_at(tmpl, mode, path, page, &r);
    site_work = work;
    site_rewrite_at(tmpl, mode, path, page, &again);
    site_work = NULL;

    *removed = *removed == UINT64_MAX ? r.stats.removed : *removed;
    good = r.rc == DT_OK && !r.wrong && !again.wrong && result_eq(&r, &again)
           && r.stats.removed == *removed;

    if (mode != DT_ANNOTATE) {
        good &= r.unmarked.len + r.stats.removed == page->len
                && site_subsequence(&r.unmarked, page);

    } else {
        good &= buf_eq(&r.unmarked, page);
    }

    if (!good) {
        printf("#   mode %u: %zu bytes in %u regions; again: %zu in %u\n",
               mode, r.out.len, r.stats.regions, again.out.len,
               again.stats.regions);
    }

    result_free(&r);
    result_free(&again);

    return good;
}


/*
 * Whether what holds of every page holds of this one: what is stripped is a
 * part of it, with marks it is all there, the same goes in both modes, the
 * template is a part of it, and pages before it are of no account.
 */
static inline int
site_holds(const void *tmpl, const char *path, const buf_t *page)
{
    uint64_t removed = UINT64_MAX, rest = UINT64_MAX;

    return site_mode_holds(tmpl, DT_STRIP, path, page, &removed)
           & site_mode_holds(tmpl, DT_ANNOTATE, path, page, &removed)
           & site_mode_holds(tmpl, DT_TEMPLATE, path, page, &rest);
}


#endif /* DT_SITE_H_INCLUDED_ */
