
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of SITE_HOST are learned one by one, and then another one is stripped.
 */


#ifndef DT_PAGES_H_INCLUDED_
#define DT_PAGES_H_INCLUDED_


#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST

/* a template, and what the page of a text is without it */
static dt_rules_t rules;
static dt_arena_t *arena;
static dt_evidence_t *evidence;
static int64_t now;


static inline void
begin(const void *prev)
{
    arena = dt_arena_create((size_t) 256 << 20);
    evidence = dt_evidence_create(prev, &rules, SITE_SEED, arena);
}


/* page n of a text, at a path */
static inline void
add_at(const char *path, const char *text, unsigned n)
{
    char url[256];
    buf_t page = { 0 };
    dt_status_t rc;

    snprintf(url, sizeof(url), URL "%s", path);
    site_page(&page, text, strlen(text), n);
    rc = site_evidence(evidence, arena, url, (dt_str_t){ page.len, page.data },
                       ++now);
    buf_free(&page);

    if (rc != DT_OK) {
        ok(0, dt_strstatus(rc));
    }
}


/* the template, or NULL; prev, when given, is freed */
static inline void *
finish(void *prev)
{
    dt_status_t rc;
    dt_compiled_t out = { 0 };
    dt_compile_info_t info = { .loads = 3, .now = ++now };

    rc = dt_compile(evidence, &info, &out);
    dt_arena_destroy(arena);
    free(prev);

    if (rc == DT_OK && dt_template_check(out.bytes, out.len, NULL) != DT_OK) {
        ok(0, "the template passes its check");
    }

    if (rc != DT_OK) {
        free(out.bytes);
    }

    return rc == DT_OK ? out.bytes : NULL;
}


/* page 999 of a text at a path is stripped in pieces: this is left */
static inline void
stripped_in(const void *tmpl, const char *path, const char *text, size_t chunk,
            const char *want, const char *name)
{
    buf_t page = { 0 }, left = { 0 };
    result_t r;

    site_page(&page, text, strlen(text), 999);
    site_page(&left, want, strlen(want), 999);
    buf_add(&left, "", 1);

    if (tmpl == NULL) {
        is_str(page.data, page.len, left.data, name);

    } else {
        site_rewrite_at(tmpl, DT_STRIP, path, &page, chunk, NULL, &r);
        is_str(r.out.data, r.out.len, left.data, name);
        result_free(&r);
    }

    buf_free(&page);
    buf_free(&left);
}


#endif /* DT_PAGES_H_INCLUDED_ */
