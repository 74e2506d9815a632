
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of SITE_HOST are learned, and then another one is stripped.  A part of
 * a row is so many pages of a text:
 *
 *     [then] [N[:M]] [path] text
 *
 * Before "then" a learning ends, and another one goes on with its template.
 * There are eight pages, or N; page number M stands for each of them in @, or
 * its own number, which is %u in the path, and a letter for \x01 in the text.
 * Behind "+" in the path they are linked with another page, there and back.
 */


#ifndef DT_PAGES_H_INCLUDED_
#define DT_PAGES_H_INCLUDED_


#include "rows.h"
#include "site.h"


#define URL "http://" SITE_HOST

static dt_rules_t rules;
static dt_arena_t *arena;
static dt_evidence_t *evidence;
static int64_t now;
static unsigned number; /* of the last page */


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

    snprintf(url, sizeof(url), "%s%s", *path == '/' ? URL : "", path);
    site_page(&page, text, strlen(text), n);
    rc = site_evidence(evidence, arena, url, (dt_str_t){ page.len, page.data },
                       ++now);
    buf_free(&page);

    if (rc != DT_OK) {
        ok(0, dt_strstatus(rc));
    }
}


/* the path that a text begins with, or the usual one; text is behind it */
static inline void
path_of(const char **text, const char *usual, char path[128])
{
    size_t len = **text == '/' || **text == '+' || **text == 'h'
                     ? strcspn(*text, " ")
                     : 0;

    snprintf(path, 128, "%.*s", len ? (int) len : 127, len ? *text : usual);
    *text += len + (len != 0);
}


/* pages of a text, as a part of a row says */
static inline void
add_group(const char *text)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char *end, *own, *p, path[128], at[160];
    unsigned linked, n = (unsigned) strtoul(text, &end, 10), of = 0;

    n = n ? n : 8;
    of = *end == ':' ? (unsigned) strtoul(end + 1, &end, 10) : 0;
    text = end + (*end == ' ');
    path_of(&text, "/p%u.html", path);
    linked = *path == '+';

    while (n--) {
        snprintf(at, sizeof(at), path + linked, ++number);
        own = strdup(text);

        while ((p = strchr(own, '\x01')) != NULL) {
            *p = letters[number % (sizeof(letters) - 1)];
        }

        add_at(at, own, of ? of : number);
        free(own);

        if (linked) {
            evidence->pages[evidence->npages - 1].linked = 1;
        }
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


/* the template of some parts of a row */
static inline void *
learned(const row_t *row, unsigned from, unsigned to)
{
    void *t = NULL;
    const char *text;

    begin(NULL);
    number = 0;

    while (from < to) {
        text = row->part[from++].all;

        if (strncmp(text, "then ", 5) == 0) {
            t = finish(t);
            begin(t);
            text += 5;
        }

        add_group(text);
    }

    return finish(t);
}


/* page 999 of a text at a path is stripped: this is left */
static inline void
stripped_in(const void *tmpl, const char *path, const char *text,
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
        site_rewrite_at(tmpl, DT_STRIP, path, &page, &r);
        is_str(r.out.data, r.out.len, left.data, name);
        result_free(&r);
    }

    buf_free(&page);
    buf_free(&left);
}


#endif /* DT_PAGES_H_INCLUDED_ */
