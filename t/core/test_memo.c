
/*
 * Copyright (C) The detemplate authors
 *
 * What is known by its bytes must be what the scanner finds: pages are
 * rewritten with what other pages left behind, and without.  The pages are in
 * t/core/rows/memo.
 */


#include "rows.h"
#include "site.h"


static void *tmpl;
static char *memory;


static void
learn(const char *text)
{
    size_t len;

    free(tmpl);
    tmpl = site_learn(text, strlen(text), &len);
}


/* a text, which may begin with a path, or a host and a path */
static void
written(const char *text, size_t chunk, int known, result_t *r)
{
    char host[64] = SITE_HOST, path[64] = "/dir/q.html";
    buf_t page = { 0 };
    const char *own = site_host;

    if (sscanf(text, "//%63[^/]%63s", host, path) == 2
        || sscanf(text, "%63[/a-z.]", path) == 1)
    {
        text = strchr(text, ' ') + 1;
    }

    site_host = host;
    site_memo = known ? (dt_memo_t *) memory : NULL;
    site_page(&page, text, strlen(text), SITE_PAGES + 1);
    site_rewrite_at(tmpl, DT_STRIP, path, &page, chunk, NULL, r);
    site_memo = NULL;
    site_host = own;
    buf_free(&page);
}


/* whether a text is the same with what is known and without; r is with it */
static int
is_same(const char *text, size_t chunk, result_t *r)
{
    int same;
    result_t without;

    written(text, chunk, 0, &without);
    written(text, chunk, 1, r);
    same = result_eq(r, &without);
    result_free(&without);

    return same;
}


/* bytes that are known after a text came three times */
static uint32_t
fill(const char *text)
{
    char page[32768];
    unsigned i;
    uint32_t known = 0;
    result_t r;

    (void) dt_memo_init(memory);
    snprintf(page, sizeof(page), "/dir/p.html %s", text);

    for (i = 0; i < 3; i++) {
        written(page, 0, 1, &r);
        known = r.stats.known;
        result_free(&r);
    }

    return known;
}


/* after the first text came, the second is what it is without */
static void
row_is(const row_t *row)
{
    char name[128];
    const char *known = row->part[1].all;
    result_t r;

    if (row->nparts == 2) {
        learn(known);
        return;
    }

    (void) fill(row->part[2].all);
    snprintf(name, sizeof(name), "%s: the same", row->part[0].all);
    ok(is_same(row->part[3].all, 0, &r), name);
    snprintf(name, sizeof(name), "%s: %s", row->part[0].all, known);
    is_int(r.stats.known != 0, strcmp(known, "known") == 0, name);
    result_free(&r);
}


/* what is known of pages that come one after the other */
static void
known_is(const row_t *row)
{
    char page[512];
    const char *text = row->part[row->nparts - 1].all;
    result_t r, whole;

    if (row->nparts == 2) {
        learn(text);
        is_int(fill(text) > 300, 1, "known: much of a page");
        ok(is_same(text, 0, &r) && r.stats.regions > 2, "known: the same");
        result_free(&r);
        written(text, 0, 0, &whole);
        written(text, 64, 1, &r);
        ok(result_eq(&r, &whole), "known: in pieces");
        result_free(&r);
        result_free(&whole);
        (void) dt_memo_init(memory);
        return;
    }

    snprintf(page, sizeof(page), "/dir/p.html %s", text);
    written(page, 0, 1, &r);
    is_int(r.stats.known != 0, strcmp(row->part[1].all, "known") == 0,
           row->part[0].all);
    result_free(&r);
}


/*
 * Each piece of the page is gone when the next one comes (site_rewrite_at()
 * frees it), and what may be worth remembering must not be looked for in it.
 */
static void
gone_is(const row_t *row)
{
    result_t r;

    (void) dt_memo_init(memory);
    ok(is_same(row->part[2].all, (size_t) atoi(row->part[1].all), &r),
       row->part[0].all);
    result_free(&r);
}


/* a text in pieces of any size: whether it is always the same, and how often
   some of it was known */
static int
cut_anywhere(const char *first, const char *text, unsigned *known)
{
    int same = 1;
    size_t chunk;
    result_t with, without;

    written(text, 0, 0, &without);
    (void) fill(first);

    for (chunk = 1, *known = 0; chunk < strlen(text) + 40; chunk++) {
        written(text, chunk, 1, &with);
        same &= result_eq(&with, &without);
        *known += with.stats.known != 0;
        result_free(&with);
    }

    result_free(&without);

    return same;
}


static void
pieces_are(const row_t *row)
{
    unsigned known, alone;
    const char *text = row->part[2].all, *name = row->part[0].all;

    ok(cut_anywhere(row->part[1].all, text, &known), name);

    if (row_get(row, "least")) {
        ok(known >= (unsigned) atoi(row_get(row, "least")), name);
    }

    if (row_get(row, "most")) {
        ok(known <= (unsigned) atoi(row_get(row, "most")), name);
    }

    if (row_get(row, "as")) {
        (void) cut_anywhere(row_get(row, "as"), text, &alone);
        is_int(known, alone, name);
    }
}


static void
stops_is(const row_t *row)
{
    size_t i, len, begin;
    char name[64];
    const char *first = row->part[1].all;
    buf_t text = { 0 };
    result_t r;
    static const struct {
        size_t at;
        uint32_t held;
    } at[] = { { 0, 320 },    { 2, 320 },     { 20, 1100 },
               { 100, 4200 }, { 400, 16500 }, { 500, 0 } };

    learn(first);
    (void) fill(first);
    begin = (size_t) (strstr(first, "<p>") - first);
    len = (size_t) (strstr(first, "<hr>") - first);

    for (i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        text.len = 0;
        buf_add(&text, first, len);
        text.data[begin + at[i].at * 38 + 3] ^= at[i].held ? 1 : 0;
        buf_puts(&text, "<main>@");
        buf_add(&text, "", 1);
        snprintf(name, sizeof(name), "stops: paragraph %zu: the same",
                 at[i].at);
        ok(is_same(text.data, 64, &r), name);
        snprintf(name, sizeof(name), "stops: paragraph %zu: %u held", at[i].at,
                 r.stats.held);
        ok(at[i].held == 0 || r.stats.held < at[i].held, name);
        is_int(r.stats.known != 0, at[i].held == 0, "stops: known");
        result_free(&r);
    }

    buf_free(&text);
}


static int
drop(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) p;
    *(size_t *) data += kind == DT_OUT_MARK ? 0 : len;

    return 0;
}


/* another page makes room in the memo while one waits for its next piece */
static void
cleared_is(const row_t *row)
{
    buf_t page = { 0 };
    size_t half, out = 0;
    unsigned i;
    char text[128];
    result_t r;
    dt_rewrite_t *rw;
    dt_rewrite_stats_t stats;
    dt_rewrite_opts_t o = { 0 };

    learn(row->part[1].all);
    (void) fill(row->part[2].all);
    site_page(&page, row->part[2].all, strlen(row->part[2].all),
              SITE_PAGES + 1);
    half = page.len - 8;
    /* more than the memo has, which must not be compared with all of it */
    buf_fill(&page, "x", 2 * dt_memo_size());

    o.tmpl = tmpl;
    o.host = dt_cstr(SITE_HOST);
    o.path = dt_cstr("/dir/q.html");
    o.out = drop;
    o.out_data = &out;
    o.memo = (dt_memo_t *) memory;

    rw = dt_rewrite_create(&o);
    is_int(dt_rewrite_feed(rw, page.data, half, 0), DT_OK, "cleared: fed");
    is_int((long long) out, 6, "cleared: the region is held");

    for (i = 0; i < 2000; i++) {
        snprintf(text, sizeof(text),
                 "<body><div class=%u><script></script><p># %% #</p></div>",
                 i / 2);
        written(text, 0, 1, &r);
        result_free(&r);
    }

    is_int(dt_rewrite_feed(rw, page.data + half, page.len - half, 1), DT_OK,
           "cleared: fed to its end");
    dt_rewrite_stats(rw, &stats);
    is_int(stats.known, 0, "cleared: not known any more");
    is_int(stats.regions, 1, "cleared: but found");
    is_int((long long) (out + stats.removed), (long long) page.len,
           "cleared: all the rest is there");

    dt_rewrite_destroy(rw);
    buf_free(&page);
}


/* pages of up to twelve pieces, in any order */
static void
mixed_is(const row_t *row)
{
    char *pieces[64], *p, text[4096], *list = strdup(row->part[1].all);
    unsigned i, n, r, npieces = 0, differ = 0, pages = 0;
    uint32_t state = 1, known = 0;
    size_t len;
    result_t with;

    static const char *const paths[] = { "/dir/p.html", "/dir/q.html",
                                         "/dir/q.html", "/o/q.html" };

    if (row->part[0].all[0] == 'l') {
        learn(list);
        free(list);
        return;
    }

    for (p = strtok(list, "|"); p; p = strtok(NULL, "|")) {
        pieces[npieces++] = p;
    }

    (void) dt_memo_init(memory);

    for (i = 0; i < 40000; i++) {
        r = site_random(&state);
        len = (size_t) snprintf(text, sizeof(text), "%s%s ",
                                r & 4 ? "" : "//o.example", paths[r & 3]);

        for (n = site_random(&state) % 12 + 1; n; n--) {
            len += (size_t) snprintf(text + len, sizeof(text) - len, "%s",
                                     pieces[site_random(&state) % npieces]);
        }

        r = site_random(&state) % 3;
        r = r ? 0 : site_random(&state) % 200 + 1;

        if (!is_same(text, r, &with) && differ++ == 0) {
            printf("#   %s\n", text);
        }

        pages += with.stats.known != 0;
        known += with.stats.known;
        result_free(&with);
    }

    is_int(differ, 0, "mixed: what is known is what would be found");
    ok(pages > 1000, "mixed: much is known");
    printf("#   %u pages, %u bytes\n", pages, known);
    free(list);
}


/* more than there is room for */
static void
test_full(void)
{
    unsigned i, n, differ = 0;
    char line[400];
    buf_t text = { 0 };
    result_t with;

    (void) dt_memo_init(memory);

    for (i = 0; i < 12; i++) {
        text.len = 0;
        buf_puts(&text, "<body>");

        for (n = 0; n < 40; n++) {
            snprintf(line, sizeof(line), "<p>line %u of %0250u</p>", n, i);
            buf_puts(&text, line);
        }

        buf_puts(&text, "<main>");
        buf_fill(&text, "@ ", 3000);
        buf_puts(&text, "</main>");
        buf_add(&text, "", 1);
        learn(text.data);

        for (n = 0; n < 3; n++) {
            differ += !is_same(text.data, 0, &with)
                      || (with.stats.known > 4000) != (n == 2 || (n && !i));
            result_free(&with);
        }
    }

    is_int(differ, 0, "full: begins anew");
    buf_free(&text);
}


/* what goes by its shape, or stays, must be what it was */
static void
bold_is(const row_t *row)
{
    unsigned bold;
    result_t r;

    if (row->nparts == 2) {
        learn(row->part[1].all);
        return;
    }

    for (bold = 0; bold < 2; bold++) {
        site_bold = bold;
        is_int(fill(row->part[1].all) != 0, 1, "decides: known");
        site_bold = !bold;
        written(row->part[2].all, 0, 1, &r);
        is_int(r.stats.known, 0, row->part[0].all);
        result_free(&r);
    }

    site_bold = 0;
}


int
main(void)
{
    memory = malloc(dt_memo_size());

    rows("memo", "known", known_is);
    rows("memo", "gone", gone_is);
    rows("memo", "pieces", pieces_are);
    rows("memo", "alike", row_is);
    rows("memo", "places", row_is);
    rows("memo", "stops", stops_is);
    rows("memo", "cleared", cleared_is);
    rows("memo", "around", row_is);
    rows("memo", "parts", row_is);
    rows("memo", "links", row_is);
    rows("memo", "lines", row_is);
    rows("memo", "mixed", mixed_is);
    test_full();
    site_bold = 1;
    rows("memo", "shape", row_is);
    site_bold = 0;
    rows("memo", "bold", bold_is);
    rows("memo", "not bold", row_is);
    rows("memo", "labels", row_is);
    rows("memo", "crowd", row_is);

    free(memory);
    free(tmpl);

    return done();
}
