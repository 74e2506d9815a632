
/*
 * Copyright (C) The detemplate authors
 *
 * What pages have to show for something to be template: how many, which, and
 * for how long.
 */


#include "core/rules/evidence.h"
#include "core/template/table.h"
#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST
#define OWN "<main><p>@ with @ and @</p></main>"
#define MENU "<nav>#</nav>"
#define FOOT "<footer>%</footer>"


static dt_arena_t *arena;
static dt_evidence_t *compile;
static int64_t now;


static void
begin(const void *prev)
{
    dt_rules_t rules;

    dt_rules_init(&rules);
    rules.kind = 0; /* else it leaves nothing to the guard: test_rules.c */
    arena = dt_arena_create((size_t) 256 << 20);
    compile = dt_evidence_create(prev, &rules, SITE_SEED, arena);
}


/* page n of a text is loaded from a URL */
static void
add_at(const char *url, const char *text, unsigned n)
{
    buf_t page = { 0 };
    dt_status_t rc;

    site_page(&page, text, strlen(text), n);
    rc = site_evidence(compile, arena, url, (dt_str_t){ page.len, page.data },
                       ++now);
    buf_free(&page);

    if (rc != DT_OK) {
        ok(0, dt_strstatus(rc));
    }
}


static void
add(const char *text, unsigned n)
{
    char url[64];

    snprintf(url, sizeof(url), URL "/dir/page%u.html", n);
    add_at(url, text, n);
}


/* the template, or NULL; prev, when given, is freed */
static void *
finish(void *prev)
{
    dt_status_t rc;
    dt_compiled_t out = { 0 };
    dt_compile_info_t info = { .loads = 3, .now = ++now };

    rc = dt_compile(compile, &info, &out);
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


/* page 999 of a text, stripped, at a path */
static void
stripped_at(const void *tmpl, const char *path, const char *text,
            const char *want, const char *name)
{
    buf_t page = { 0 }, left = { 0 };
    result_t r;

    if (tmpl == NULL) {
        is_str(text, strlen(text), want, name);
        return;
    }

    site_page(&page, text, strlen(text), 999);
    site_page(&left, want, strlen(want), 999);
    buf_add(&left, "", 1);
    site_rewrite_at(tmpl, DT_STRIP, path, &page, 0, NULL, &r);
    is_str(r.out.data, r.out.len, left.data, name);

    result_free(&r);
    buf_free(&page);
    buf_free(&left);
}


static void
stripped(const void *tmpl, const char *text, const char *want,
         const char *name)
{
    stripped_at(tmpl, "/dir/unseen.html", text, want, name);
}


static void
test_support(void)
{
    unsigned n, i;
    char name[64];
    void *t;

    for (n = 1; n <= 4; n++) {
        begin(NULL);

        for (i = 1; i <= n; i++) {
            add(MENU OWN, i);
        }

        t = finish(NULL);
        snprintf(name, sizeof(name), "support: %u pages", n);
        stripped(t, MENU OWN, n < 3 ? MENU OWN : OWN, name);
        free(t);
    }

    begin(NULL);

    for (i = 1; i <= 12; i++) {
        add(i <= 2 ? MENU OWN FOOT : MENU OWN, i);
    }

    t = finish(NULL);
    stripped(t, MENU OWN FOOT, OWN FOOT, "support: on two of twelve pages");
    free(t);

    begin(NULL);
    t = finish(NULL);
    ok(t == NULL, "support: no page at all");

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        add(OWN, i);
    }

    t = finish(NULL);
    stripped(t, OWN, OWN, "support: nothing in common");
    free(t);
}


/* a page that is loaded again shows what it shows now */
static void
test_replaced(void)
{
    void *t;
    unsigned i;
    dt_template_info_t info;

    begin(NULL);
    add(MENU OWN FOOT, 1);
    add(MENU OWN FOOT, 2);
    add(MENU OWN FOOT, 3);
    add(MENU OWN, 3);
    t = finish(NULL);
    dt_template_info(t, &info);
    is_int(info.pages, 3, "replaced: pages");
    stripped(t, MENU OWN FOOT, OWN FOOT, "replaced: by less");

    begin(t);
    add(MENU OWN FOOT, 3);
    t = finish(t);
    dt_template_info(t, &info);
    is_int(info.pages, 3, "replaced: pages, in another learning");
    stripped(t, MENU OWN FOOT, OWN, "replaced: by more");

    begin(t);

    for (i = 1; i <= 3; i++) {
        add("<header>%</header>" OWN, i);
    }

    t = finish(t);
    stripped(t, MENU "<header>%</header>" OWN, MENU OWN,
             "replaced: the whole design");
    free(t);

    begin(NULL);
    add_at(URL "/a/x.html", MENU OWN, 1);
    add_at("https://" SITE_HOST "/a/x.html", MENU OWN, 2);
    add_at(URL "/a/x.html#y", MENU OWN, 3);
    t = finish(NULL);
    ok(t == NULL, "replaced: one page, whatever scheme and fragment");
    free(t);

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        char url[64];

        snprintf(url, sizeof(url), URL "/index.php?page=%u", i);
        add_at(url, MENU OWN, i);
    }

    t = finish(NULL);
    stripped_at(t, "/index.php", MENU OWN, OWN,
                "pages that differ by their query are several");
    stripped(t, MENU OWN, MENU OWN, "pages of one path say nothing of others");
    free(t);
}


/* a menu of these many words, that of site i, and behind it the text */
static void
menu(char text[1024], unsigned i, unsigned words, const char *behind)
{
    size_t len;

    len = (size_t) snprintf(text, 1024, "<nav>");

    while (words--) {
        len += (size_t) snprintf(text + len, 1024 - len, "%u-%u ", i, words);
    }

    snprintf(text + len, 1024 - len, "</nav>%s", behind);
}


/* the same page under several URLs does not vouch for itself */
static void
test_alike(void)
{
    char url[64], text[1024];
    unsigned i;
    void *t;

    static const char body[] =
        "<main><h1>@</h1><p>@ is what this page is about, and it goes on for "
        "a while</p><p>@ because pages do that</p><p>@ in some more words, "
        "none of which is on another page</p><p>@ the end of it</p></main>";

    begin(NULL);

    for (i = 1; i <= 8; i++) {
        snprintf(url, sizeof(url), URL "/copy%u.html", i);
        add_at(url, body, 1);
    }

    t = finish(NULL);
    ok(t == NULL, "alike: one page eight times");
    free(t);

    /* among others, each with something of its own: a date, a session */

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        snprintf(text, sizeof(text), MENU "%s", body);
        add(text, i);
        snprintf(url, sizeof(url), URL "/dir/copy%u.html", i);
        snprintf(text, sizeof(text), MENU "%s<i>copy %u</i>", body, i);
        add_at(url, text, 999);
    }

    t = finish(NULL);
    snprintf(text, sizeof(text), MENU "%s", body);
    stripped(t, text, body, "alike: copies among other pages keep theirs");
    free(t);

    /* in six languages, of which only the menu is translated */

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        add(MENU OWN, i);
        snprintf(url, sizeof(url), URL "/lang%u/page999.html", i);
        menu(text, i, 99, body);
        add_at(url, text, 999);
    }

    t = finish(NULL);
    snprintf(text, sizeof(text), MENU "%s", body);
    stripped(t, text, body, "alike: pages of one name have one vote");
    free(t);

    /* one page in each of three sections that have menus of their own */

    begin(NULL);

    for (i = 1; i <= 27; i++) {
        snprintf(url, sizeof(url), URL "/section%u/page%u.html", i % 3, i);
        menu(text, i % 3, 36, i <= 24 ? "<p>@ with @ and @</p>" : body);
        add_at(url, text, i <= 24 ? i : 999);
    }

    t = finish(NULL);
    stripped(t, body, body, "alike: one page in several sections");
    free(t);

    /* the menu of six pages, and copies that have another one */

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        add(MENU OWN, i);
        snprintf(url, sizeof(url), URL "/copy%u.html", i);
        add_at(url, FOOT OWN, 999);
    }

    t = finish(NULL);
    stripped(t, MENU OWN FOOT, OWN FOOT, "alike: copies have one vote");
    free(t);
}


/* patterns that stay by the guard; -1: no template */
static int
guarded(const void *tmpl)
{
    dt_template_info_t info;

    if (tmpl == NULL) {
        return -1;
    }

    dt_template_info(tmpl, &info);

    return (int) info.guarded;
}


/*
 * Copies that have so much of their own that nothing tells them from other
 * pages: what they share would leave nothing of them.
 */
static void
test_guard(void)
{
    char url[64], text[1024];
    unsigned i, scope;
    void *t;

    static const char says[] =
        "<h1>@</h1><p>@ is what this page is about, and it goes on for a "
        "while</p><p>@ because pages do that</p>";
    static const char *const scopes[][3] = {
        { "<main>", "</main>", "guard: what main says" },
        { "<b><article>", "</article></b>", "guard: what an article says" },
        { "<div>", "</div>", "guard: what a page says" },
    };

    for (scope = 0; scope < 3; scope++) {
        begin(NULL);

        for (i = 1; i <= 20; i++) {
            snprintf(url, sizeof(url), URL "/gone%u.html", i);
            menu(text, i, scope == 2 ? 2 : 9, "<b>#</b>");
            snprintf(text + strlen(text), sizeof(text) - strlen(text),
                     "%s%s%s", scopes[scope][0], i <= 8 ? OWN : says,
                     scopes[scope][1]);
            add_at(url, text, i <= 8 ? i : 999);
        }

        t = finish(NULL);
        snprintf(text, sizeof(text), "%s%s%s", scopes[scope][0], says,
                 scopes[scope][1]);
        stripped(t, text, text, scopes[scope][2]);
        stripped(t, "<b>#</b>" OWN, OWN, "guard: not the menu");
        is_int(guarded(t) > 0, 1, "guard: counted");
        free(t);
    }

    begin(NULL);

    for (i = 1; i <= 6; i++) {
        add(MENU OWN, i);
    }

    add(MENU "<main></main>", 7);
    t = finish(NULL);
    stripped(t, MENU OWN, OWN, "guard: a page has nothing to say");
    is_int(guarded(t), 0, "guard: nothing counted");
    free(t);
}


/* who may write in one directory has no say on what is cut elsewhere */
static void
test_quorum(void)
{
    char url[64], text[1024];
    unsigned i, n;
    void *t;

    static const char says[] = "<div><p>this is what the honest page is "
                               "about and it goes on</p></div>";
    static const struct {
        const char *url; /* of the pages that repeat it */
        unsigned own;    /* pages elsewhere that show it, */
        unsigned of;     /* of so many */
        unsigned cut;
        const char *there; /* a page there */
        const char *name;
    } cases[] = {
        { URL "/~mallory/%u.html", 1, 6, 0, "/~mallory/new.html",
          "quorum: one page and a directory" },
        { URL "/~mallory/%u.html", 1, 1, 0, "/~mallory/new.html",
          "quorum: the page, a directory" },
        { URL "/u/mallory/x/%u/", 1, 6, 0, "/u/mallory/x/y/z/new.html",
          "quorum: one page and those below" },
        { URL "/search?q=%u", 1, 6, 0, "/search",
          "quorum: one page and queries" },
        { URL "/search?q=%u", 2, 6, 1, "/search",
          "quorum: two pages and queries" },
        { URL "/~mallory/%u.html", 4, 6, 1, "/~mallory/new.html",
          "quorum: four pages, a directory" },
        { URL "/~mallory/%u.html", 0, 6, 0, "/~mallory/new.html",
          "quorum: a directory" },
        { URL "/d%1$u/x%1$u.html", 1, 6, 1, "/d1/new.html",
          "quorum: one page and many directories" },
    };

    for (n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        begin(NULL);

        for (i = 1; i <= cases[n].of; i++) {
            snprintf(text, sizeof(text), MENU OWN "%s",
                     i <= cases[n].own ? says : "<div>@</div>");
            add(text, i);
        }

        for (i = 11; i <= 20; i++) {
            snprintf(url, sizeof(url), cases[n].url, i);
            menu(text, i, 50, says);
            add_at(url, text, i);
        }

        t = finish(NULL);
        snprintf(text, sizeof(text), MENU OWN "%s", says);
        stripped(t, text + strlen(MENU),
                 cases[n].cut ? OWN : text + strlen(MENU), cases[n].name);
        stripped_at(t, cases[n].there, text + strlen(MENU), OWN,
                    cases[n].name);
        free(t);
    }
}


/* a start tag may close another element, which then must not stay open */
static void
test_closes(void)
{
    unsigned i;
    void *t;

    begin(NULL);

    for (i = 1; i <= 8; i++) {
        add(MENU "<div><p>#<ul><li>%</ul> @</div><div><p>@ word<ul><li>%</ul>"
                 " @</div>" OWN,
            i);
    }

    t = finish(NULL);
    stripped(t, "<div><p>#<ul><li>%</ul> @</div>", "<div> @</div>",
             "closes: what is cut as well");
    stripped(t, "<div><p>@ word <ul><li>%</ul> @</div>",
             "<div><p>@ word <ul></ul> @</div>", "closes: what stays");
    free(t);
}


/* what pages show once or five times is not of the template */
static void
test_counts(void)
{
    char text[512];
    unsigned i, k;
    void *t;

    begin(NULL);

    for (i = 1; i <= 8; i++) {
        size_t len = (size_t) snprintf(text, sizeof(text), MENU OWN "<main>");

        for (k = 0; k < i % 4 + 1; k++) {
            len +=
                (size_t) snprintf(text + len, sizeof(text) - len,
                                  "<div><b>Read more here</b> @ %u</div>", k);
        }

        snprintf(text + len, sizeof(text) - len, "</main>");
        add(text, i);
    }

    t = finish(NULL);
    stripped(t, MENU OWN "<main><div><b>Read more here</b> @</div></main>",
             OWN "<main><div><b>Read more here</b> @</div></main>",
             "counts: a varying number of times");
    free(t);

    begin(NULL);

    for (i = 1; i <= 8; i++) {
        add(MENU OWN "<nav>#</nav><nav>%</nav>", i);
    }

    t = finish(NULL);
    stripped(t, MENU OWN "<nav>#</nav><nav>%</nav>", OWN,
             "counts: the same number of times");
    free(t);
}


/* evidence is kept of 64 pages; the oldest makes room */
static void
test_memory(void)
{
    unsigned i;
    void *t;
    dt_template_info_t info;

    begin(NULL);

    for (i = 1; i <= 20; i++) {
        add(i <= 6 ? MENU OWN FOOT : MENU OWN, i);
    }

    t = finish(NULL);
    stripped(t, MENU OWN FOOT, OWN, "memory: six of twenty");

    begin(t);

    for (; i <= 64; i++) {
        add(MENU OWN, i);
    }

    t = finish(t);
    dt_template_info(t, &info);
    is_int(info.pages, 64, "memory: 64 pages");
    is_int(info.version, 2, "memory: two learnings");

    begin(t);

    for (; i <= 68; i++) {
        add(MENU OWN, i);
    }

    t = finish(t);
    dt_template_info(t, &info);
    is_int(info.pages, 64, "memory: never more");
    stripped(t, MENU OWN FOOT, OWN FOOT, "memory: two are left of the six");

    begin(t);
    add(MENU OWN FOOT, 100);
    t = finish(t);
    stripped(t, MENU OWN FOOT, OWN FOOT, "memory: the oldest made room");
    free(t);
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
    stripped(t, MENU OWN, OWN, "growth: it still works");
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
    dt_rules_t rules;
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
    dt_rules_init(&rules);
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
        is_int(dt_compile(compile, &about, &out), DT_DECLINED, name);

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
    compile->rules.score = 0; /* it is nothing for pages made up */

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

    (void) dt_compile(compile, &info, &out);
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
            site_rewrite(t, DT_STRIP, &page, 0, &a);
            site_rewrite(all, DT_STRIP, &page, 0, &b);
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
    dt_rules_t rules;
    dt_status_t rc;
    dt_compiled_t out;
    dt_compile_info_t info = { .now = 1 };

    dt_rules_init(&rules);
    site_page(&page, MENU OWN FOOT, sizeof(MENU OWN FOOT) - 1, 1);

    for (cap = 64; cap < (8u << 20); cap += cap / 16) {
        rc = DT_ENOMEM;
        out.bytes = NULL;
        arena = dt_arena_create(cap);
        compile = dt_evidence_create(NULL, &rules, 1, arena);

        for (i = 1; compile != NULL && i <= 5; i++) {
            char url[64];

            snprintf(url, sizeof(url), URL "/%u", i);
            site_page(&page, MENU OWN FOOT, sizeof(MENU OWN FOOT) - 1, i);
            rc = site_evidence(compile, arena, url,
                               (dt_str_t){ page.len, page.data }, 1);
            if (rc != DT_OK) {
                break;
            }
        }

        if (rc == DT_OK) {
            rc = dt_compile(compile, &info, &out);
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
    test_support();
    test_replaced();
    test_alike();
    test_guard();
    test_quorum();
    test_closes();
    test_counts();
    test_memory();
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
