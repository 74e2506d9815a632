
/*
 * Copyright (C) The detemplate authors
 *
 * What a template has, and how much of it, as learnings go on; what pages have
 * to show for something to be template is in t/core/rows/rules.
 */


#include "core/rules/compile.h"
#include "core/rules/store.h"
#include "core/template/table.h"
#include "core/template/template.h"
#include "pages.h"


#define OWN "<main><p>@ with @ and @</p></main>"
#define MENU "<nav>#</nav>"
#define FOOT "<footer>%</footer>"


static void
add(const char *text, unsigned n)
{
    char path[64];

    snprintf(path, sizeof(path), "/dir/page%u.html", n);
    add_at(path, text, n);
}


/* learning on and on, each time from other pages, adds up to no more */
static void
test_growth(void)
{
    char text[256], names[16];
    unsigned i, k;
    void *t = NULL;
    uint32_t size = 0;
    dt_template_info_t info = { 0 };

    for (i = 0; i < 60; i++) {
        begin(t);

        for (k = 0; k < 5; k++) {
            snprintf(names, sizeof(names), "x%u", i);
            snprintf(text, sizeof(text),
                     MENU "<%s><div><p>@</p></div></%s>" OWN, names, names);
            add(text, 10 * i + k);
        }

        t = finish(t);
        dt_template_info(t, &info);

        if (i == 20) {
            size = info.size;
        }
    }

    is_int(info.version, 60, "growth: learnings");
    is_int(info.size, size, "growth: what is gone takes no room");
    stripped_in(t, "/dir/unseen.html", MENU OWN, OWN,
                "growth: it still works");
    free(t);
}


static void
test_head(void)
{
    unsigned i;
    void *t;
    dt_arena_t *a;
    dt_url_t url;
    dt_page_id_t id;
    dt_evidence_t *c;
    dt_template_head_t *h;
    dt_template_info_t first, info;

    now = 500;
    begin(NULL);

    for (i = 1; i <= 4; i++) {
        add(MENU OWN, i);
    }

    t = finish(NULL);
    dt_template_info(t, &first);
    is_int(first.version, 1, "head: version");
    is_int(first.loads, 3, "head: loads");
    is_int(first.learned_at, 505, "head: learned at");
    is_int(first.created_at, 505, "head: created at");
    ok(first.seed == SITE_SEED, "head: seed");
    ok(first.patterns > 0 && first.serve_size < first.size, "head: sizes");

    a = dt_arena_create(1 << 20);
    c = dt_evidence_create(t, &rules, 77, a);
    ok(c->seed == SITE_SEED, "head: the seed stays");
    (void) dt_url_resolve(NULL, dt_str(URL "/dir/page4.html"), a, &url);
    id = dt_links_id(&url);
    is_int(dt_evidence_knows(c, &id, 503), 1, "known: loaded at 504");
    is_int(dt_evidence_knows(c, &id, 504), 0, "known: not later");
    (void) dt_url_resolve(NULL, dt_str(URL "/dir/page5.html"), a, &url);
    id = dt_links_id(&url);
    is_int(dt_evidence_knows(c, &id, 0), 0, "known: never loaded");
    dt_arena_destroy(a);

    now = 900;
    begin(t);
    add(MENU OWN, 5);
    t = finish(t);
    dt_template_info(t, &info);
    is_int(info.version, 2, "head: next version");
    is_int(info.loads, 6, "head: loads add up");
    is_int(info.learned_at, 902, "head: learned later");
    is_int(info.created_at, 505, "head: created at the same time");
    is_int(info.pages, 5, "head: pages add up");

    /* from a machine that may write anything */

    h = t;
    h->version = UINT32_MAX;
    h->serve_sum = dt_template_sum((char *) t + DT_TEMPLATE_SUMMED,
                                   h->serve_size - DT_TEMPLATE_SUMMED);
    begin(t);
    add(MENU OWN, 6);
    t = finish(t);
    dt_template_info(t, &info);
    is_int(info.version, UINT32_MAX, "head: the last version");
    free(t);
}


/* tables are as small as what is in them allows */
static void
test_tables(void)
{
    char text[8192], *t;
    unsigned i, n = 0;
    size_t slot, taken, len;
    const uint64_t *nodes;
    const dt_template_head_t *h;

    for (i = 0; i < 100; i++) {
        n += (unsigned) snprintf(text + n, sizeof(text) - n,
                                 "<p>%u template paragraph", i);
    }

    n += (unsigned) snprintf(text + n, sizeof(text) - n, OWN);
    t = site_learn(text, n, &len);
    h = (const void *) t;
    nodes = (const void *) (t + h->nodes);

    for (slot = 0, taken = 0; slot < (size_t) 1 << h->node_bits; slot++) {
        taken += nodes[slot] != 0;
    }

    ok(taken >= 200, "tables: all patterns are there");
    ok(2 * taken <= slot && 4 * taken > slot,
       "tables: no larger than they need be");
    is_int(h->first_bits, 13, "tables: few bits for how 100 texts begin");
    free(t);
}


/* of pages without a template, the evidence alone takes room */
static void
test_nothing(void)
{
    char name[64];
    unsigned i, k;
    buf_t text = { 0 };
    dt_compiled_t out;
    dt_template_info_t info;
    const dt_compile_info_t about = { .loads = 1, .now = 1 };
    static const unsigned places[] = { 1, 300, 12000 };

    for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        text.len = 0;

        for (k = 0; k < places[i]; k++) {
            snprintf(name, sizeof(name), "<x%u><p>@</p></x%u>", k, k);
            buf_puts(&text, name);
        }

        buf_add(&text, "", 1);
        begin(NULL);
        add(text.data, 1);

        snprintf(name, sizeof(name), "nothing: %u places", places[i]);
        is_int(dt_compile(evidence, &about, &out), DT_DECLINED, name);

        if (ok(out.bytes && !dt_template_check(out.bytes, out.len, NULL),
               name)) {
            dt_template_info(out.bytes, &info);
            is_int(info.patterns, 0, name);
            is_int(info.pages, 1, name);
            is_int(info.serve_size,
                   sizeof(dt_template_head_t) + (1 << DT_FIRST_LEAST >> 3)
                       + 16 * (8 + 8 + 4),
                   name);
            ok(info.size - info.serve_size
                       > 32 * (places[i] < 1500 ? places[i] : 1500)
                   && info.size - info.serve_size <= DT_STORE_SIZE,
               name);
        }

        free(out.bytes);
        dt_arena_destroy(arena);
    }

    buf_free(&text);
}


/* what the table says of the place of an element in another, or in body */
static void
path_is(const void *tmpl, const char *in, const char *name, int cut)
{
    char what[64];
    uint64_t path;
    const dt_template_head_t *h = tmpl;
    const uint64_t *paths = (const void *) ((const char *) tmpl + h->paths);

    path = h->seed | 1;
    path = *in ? dt_key_path(path, dt_name_fold(in, in + strlen(in))) : path;
    path = dt_key_path(path, dt_name_fold(name, name + strlen(name)));

    snprintf(what, sizeof(what), "paths: %s in %s", name, *in ? in : "body");
    ok((dt_table_find(paths, h->path_bits, path) != DT_TABLE_NONE) == cut,
       what);
}


/* scanning need not look into what is not template, unless a part may be */
static void
test_paths(void)
{
    unsigned i;
    void *t;
    buf_t text = { 0 };

    begin(NULL);
    evidence->rules.score = 0; /* it is nothing for pages made up */
    evidence->rules.score_main = 0;

    for (i = 1; i <= 8; i++) {
        text.len = 0;
        buf_puts(&text, "<div><p>#</p><h1>@</h1></div><nav><b>%</b></nav>"
                        "<main><p>@</p><ul>@ @ @ @ @ @ @</ul></main>"
                        "<dl><dd>@ @ @ @ @ @ @</dl>"
                        "<dl><dd>one</dd> of many in all</dl>"
                        "<section><p>%</p>");
        buf_fill(&text, "<p>@</p>", 238);
        buf_puts(&text, "</section><article><p>%</p>");
        buf_fill(&text, "<p>@</p>", 239);
        buf_puts(&text, "</article>");
        buf_add(&text, "", 1);
        add(text.data, i);
    }

    buf_free(&text);

    t = finish(NULL);

    path_is(t, "", "nav", 1);
    path_is(t, "", "div", 1);
    path_is(t, "div", "p", 1);
    path_is(t, "div", "h1", 0);
    path_is(t, "", "main", 0);
    path_is(t, "main", "ul", 0);
    path_is(t, "main", "p", 0);
    path_is(t, "", "dl", 1);
    path_is(t, "dl", "dd", 1);

    path_is(t, "section", "p", 1);
    path_is(t, "article", "p", 0);

    free(t);
}


/* a page of 30 pieces; from a seed, which of them come from the site */
static void
store_page(buf_t *text, unsigned n)
{
    unsigned i, r = n * 2654435761u;
    char piece[96];

    text->len = 0;
    buf_puts(text, "<body>");

    for (i = 0; i < 30; i++) {
        r = r * 1103515245u + 12345;
        snprintf(piece, sizeof(piece),
                 r >> 16 & 7 ? "<div class=c%u><p>text %u of page %u here</p>"
                               "<p>more</p><p>more</p></div>"
                             : "<div class=c%u><p>shared words %u</p></div>",
                 i % 9, i, n);
        buf_puts(text, piece);
    }

    buf_add(text, "", 1);
}


/* a template, or evidence only, of the pages from first to last and those of
   prev, which is freed */
static void *
store_learn(void *prev, unsigned first, unsigned last)
{
    buf_t text = { 0 };
    dt_compiled_t out = { 0 };
    dt_compile_info_t info = { .now = 1000 };

    begin(prev);

    for (now = first - 1; first <= last; first++) {
        store_page(&text, first);
        add(text.data, first);
    }

    (void) dt_compile(evidence, &info, &out);
    dt_arena_destroy(arena);
    buf_free(&text);
    free(prev);

    return out.bytes;
}


/* what is stored after each page decides as if all of it had been kept */
static void
test_store(void)
{
    int same;
    char name[64];
    void *t = NULL, *all;
    unsigned i, k;
    uint64_t removed = 0;
    buf_t text = { 0 }, page = { 0 };
    result_t a, b;

    for (i = 1; i <= 24; i++) {
        t = store_learn(t, i, i);
        all = store_learn(NULL, 1, i);

        for (k = 1, same = 1; k <= 30; k++) {
            store_page(&text, k);
            site_page(&page, text.data, text.len - 1, k);
            site_rewrite(t, DT_STRIP, &page, &a);
            site_rewrite(all, DT_STRIP, &page, &b);
            same = same && result_eq(&a, &b);
            removed += a.stats.removed;
            result_free(&a);
            result_free(&b);
        }

        snprintf(name, sizeof(name), "store: %u pages", i);
        ok(same, name);
        free(all);
    }

    ok(removed > 10000, "store: something is cut");
    free(t);
    buf_free(&text);
    buf_free(&page);
}


/* a large menu: a later page that does not show it takes nothing from it */
static void
test_many(void)
{
    unsigned i, k;
    void *t = NULL;
    uint32_t first = 0;
    buf_t text = { 0 };
    char piece[64];
    dt_template_info_t info;

    for (i = 0; i < 3000; i++) {
        snprintf(piece, sizeof(piece), "<p>line%u</p><p>@ %u</p>", i, i);
        buf_puts(&text, piece);
    }

    buf_add(&text, "", 1);

    for (k = 0; k < 3; k++) {
        begin(t);

        for (i = 1; i <= (k == 0 ? 4 : 1); i++) {
            add(k == 0 ? text.data : MENU OWN, 10 * k + i);
        }

        t = finish(t);
        dt_template_info(t, &info);
        first = k == 0 ? info.patterns : first;
    }

    is_int(first, 6000, "many: patterns");
    is_int(info.patterns, first, "many: patterns after other pages");
    free(t);
    buf_free(&text);
}


/* memory that runs out at any time */
static void
test_cap(void)
{
    int made = 0, refused = 0;
    unsigned i;
    size_t cap;
    buf_t page = { 0 };
    dt_status_t rc;
    dt_compiled_t out;
    dt_compile_info_t info = { .now = 1 };

    site_page(&page, MENU OWN FOOT, sizeof(MENU OWN FOOT) - 1, 1);

    for (cap = 64; cap < (8u << 20); cap += cap / 16) {
        rc = DT_ENOMEM;
        out.bytes = NULL;
        arena = dt_arena_create(cap);
        evidence = dt_evidence_create(NULL, &rules, 1, arena);

        for (i = 1; evidence != NULL && i <= 5; i++) {
            char url[64];

            snprintf(url, sizeof(url), URL "/%u", i);
            site_page(&page, MENU OWN FOOT, sizeof(MENU OWN FOOT) - 1, i);
            rc = site_evidence(evidence, arena, url,
                               (dt_str_t){ page.len, page.data }, 1);
            if (rc != DT_OK) {
                break;
            }
        }

        if (rc == DT_OK) {
            rc = dt_compile(evidence, &info, &out);
        }

        made += rc == DT_OK;
        refused += rc == DT_ENOMEM || rc == DT_ELIMIT;
        free(out.bytes);
        dt_arena_destroy(arena);
    }

    ok(made > 3 && refused > 30, "cap: no memory is said");
    buf_free(&page);
}


int
main(void)
{
    dt_rules_init(&rules);
    rules.kind = 0; /* else it leaves nothing to the guard: test_rules.c */

    test_growth();
    test_head();
    test_tables();
    test_nothing();
    test_paths();
    test_store();
    test_many();
    test_cap();

    return done();
}
