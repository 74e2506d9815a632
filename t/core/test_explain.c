
/*
 * Copyright (C) The detemplate authors
 *
 * Why a piece is template, or is not: by deciding anew what was decided when
 * its template was made.
 */


#include "core/rules/explain.h"
#include "core/template/table.h"
#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST
#define OWN "<main><p>@ @ @ @ @ @ @ @ @ @</p></main>"
#define NAV                                                                   \
    "<nav><a href=/a>ten words that each page of the site has</a></nav>"
#define REPEATED NAV "<main><p>@ @ @ @ @</p></main>"
#define LINK "<a href=/x>%</a>"


typedef struct {
    const char *name;
    struct {
        unsigned n;
        const char *url; /* NULL: /p<n>.html */
        const char *text;
    } groups[3];
    const char *piece; /* where it begins on the first page of the first */
    dt_question_t question;
    const char *dir; /* or NULL */
    unsigned pages;
} row_t;


/* clang-format off */
static const row_t rows[] = {
    { "cut", { { 4, 0, NAV OWN } }, "<nav", DT_QUESTION_NONE, 0, 4 },
    { "a text of it", { { 4, 0, NAV OWN } }, "ten", DT_QUESTION_NONE, 0, 4 },
    { "two pages", { { 2, 0, "<div>%</div>" NAV OWN }, { 5, 0, NAV OWN } },
      "<div", DT_QUESTION_SUPPORT, 0, 2 },
    { "too few of all pages",
      { { 4, 0, "<nav><a href=/a>#</a>" LINK "</nav>" OWN },
        { 14, 0, "<nav><a href=/a>#</a></nav>" OWN } },
      "<a href=/x>", DT_QUESTION_SHARE, 0, 4 },
    { "in one directory", { { 4, "/d/p%u.html", "<div>%</div>" REPEATED },
      { 4, 0, REPEATED } }, "<div", DT_QUESTION_NONE, "/d/", 4 },
    { "hardly anything else is in the article",
      { { 5, 0, NAV "<article><div>ten words that are said once on each "
          "single page </div><p>@ </p></article><p>@ @ @ @ @ @ @ @</p>" } },
      "<div", DT_QUESTION_GUARD, 0, 5 },
    { "content of three pages",
      { { 3, 0, NAV "<main><p>% said on three</p><p>@ @ @ @ @ @</p></main>" },
        { 6, 0, NAV OWN } },
      "<p>", DT_QUESTION_KIND, 0, 3 },
};
/* clang-format on */


static dt_rules_t rules;
static dt_arena_t *arena;
static dt_record_t *first; /* of the first page */
static size_t nfirst;
static buf_t page;


/* the template of a row's pages */
static void *
learned(const row_t *row)
{
    char path[64], url[128];
    unsigned i, k, number = 0;
    dt_compiled_t out = { 0 };
    buf_t b;
    dt_evidence_t *ev = dt_evidence_create(NULL, &rules, SITE_SEED, arena);

    for (i = 0; i < 3 && row->groups[i].n; i++) {
        for (k = 0; k < row->groups[i].n; k++) {
            snprintf(path, sizeof(path),
                     row->groups[i].url ? row->groups[i].url : "/p%u.html",
                     ++number);
            snprintf(url, sizeof(url), URL "%s", path);
            b = (buf_t){ 0 };
            site_page(&b, row->groups[i].text, strlen(row->groups[i].text),
                      number);
            (void) site_evidence(ev, arena, url, (dt_str_t){ b.len, b.data },
                                 number);

            if (number == 1) {
                buf_add(&b, "", 1);
                b.len--;
                page = b;
                (void) dt_scan_records((dt_str_t){ b.len, b.data }, SITE_SEED,
                                       dt_str(SITE_HOST), dt_cstr(path),
                                       &first, &nfirst);

            } else {
                buf_free(&b);
            }
        }
    }

    (void) dt_compile(ev, &(dt_compile_info_t){ .now = number }, &out);

    return out.bytes;
}


/* what is said of each piece of the page is what the template does */
static void
test_all(const row_t *row, const dt_explain_t *x, const dt_template_head_t *h)
{
    int sum;
    size_t i, slot;
    unsigned k, wrong = 0, parts = 0, questions = 0;
    dt_why_t why;
    const char *base = (const char *) h;

    for (i = 0; i < nfirst; i++) {
        if (dt_explain(x, first[i].key, &why) != DT_OK) {
            continue;
        }

        slot = dt_table_find((const uint64_t *) (base + h->nodes),
                             h->node_bits, first[i].key);
        wrong += (why.question == DT_QUESTION_NONE)
                 != (slot != DT_TABLE_NONE
                     && (((const uint32_t *) (base + h->info))[slot]
                         & DT_NODE_STRONG));

        if (!why.scored) {
            continue;
        }

        for (k = 0, sum = why.mean; k < DT_SCORE_FEATURES; k++) {
            sum += why.terms[k];
        }

        parts += abs(sum - why.score) > DT_SCORE_FEATURES;
        questions +=
            (why.question == DT_QUESTION_SCORE) != (why.score < why.least);
    }

    is_int(wrong, 0, row->name);
    is_int(parts, 0, "the parts of each score");
    is_int(questions, 0, "and what it says");
}


static void
test_row(const row_t *row)
{
    void *tmpl;
    size_t i, at;
    dt_why_t why = { .question = DT_QUESTION_GUARD + 1u };
    dt_explain_t *x;

    arena = dt_arena_create((size_t) 64 << 20);
    tmpl = learned(row);
    x = dt_explain_create(tmpl, &rules, arena);
    at = (size_t) (strstr(page.data, row->piece) - page.data);

    for (i = 0; i < nfirst; i++) {
        if (first[i].start == at && first[i].key) {
            break;
        }
    }

    if (rules.score) {
        test_all(row, x, tmpl);

    } else {
        is_int(dt_explain(x, i < nfirst ? first[i].key : 0, &why), DT_OK,
               row->name);
        is_int(why.question, row->question, "stays by");
        is_int(why.pages, row->pages, "pages");
        is_int(
            why.dir
                == (row->dir ? dt_hash(row->dir, strlen(row->dir), 0) | 1 : 0),
            1, "directory");
        is_int(dt_explain(x, 12345, &why), DT_DECLINED, "of nothing");
        is_int(dt_explain(x, 0, &why), DT_DECLINED, "of no key");
    }

    free(tmpl);
    free(first);
    buf_free(&page);
    dt_arena_destroy(arena);
}


/* an element that goes by its shape, which no pattern explains */
static void
test_shape(void)
{
    static const row_t row = {
        "shape",
        { { 8, 0, "<h6>%</h6><div class=nav><a href=/@>@ @</a></div>" OWN } },
        "<div class=nav",
        DT_QUESTION_NONE,
        NULL,
        8
    };
    void *tmpl;
    size_t i, at;
    dt_why_t why;
    dt_explain_t *x;

    arena = dt_arena_create((size_t) 64 << 20);
    tmpl = learned(&row);
    x = dt_explain_create(tmpl, &rules, arena);
    at = (size_t) (strstr(page.data, row.piece) - page.data);

    for (i = 0; i < nfirst && first[i].start != at; i++) {
        /* void */
    }

    if (ok(i < nfirst && first[i].shape == DT_SHAPE_NAV, "shape: it has one"))
    {
        is_int(dt_explain_shape(x, first[i].path, first[i].shape, &why), DT_OK,
               "shape: it is cut");
        is_int(why.pages, 8, "shape: pages");
        is_int(why.npages, 8, "shape: of these");
        is_int(dt_explain_shape(x, first[i].path, DT_SHAPE_BESIDE, &why),
               DT_DECLINED, "shape: another kind");
        is_int(dt_explain_shape(x, 12345, DT_SHAPE_NAV, &why), DT_DECLINED,
               "shape: another place");
        is_int(dt_explain_shape(x, first[i].path, 0, &why), DT_DECLINED,
               "shape: none");
    }

    free(tmpl);
    free(first);
    buf_free(&page);
    dt_arena_destroy(arena);
}


/* what pages showed that there are none of is not what we have made */
static void
test_foreign(void)
{
    unsigned bits[] = { 3, 4, 63 };
    char *tmpl;
    size_t i;
    dt_pattern_t *e;
    dt_template_head_t *h;

    for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        arena = dt_arena_create((size_t) 256 << 20);
        tmpl = learned(&rows[0]);
        h = (void *) tmpl;
        is_int(h->npages, 4, "four pages");

        e = (void *) (tmpl + h->size - dt_seen_size(h->nseen)
                      - h->nevidence * sizeof(dt_pattern_t));
        e[h->nevidence - 1].pages |= (uint64_t) 1 << bits[i];
        h->rest_sum =
            dt_template_sum(tmpl + h->serve_size, h->size - h->serve_size);
        is_int(dt_template_check(tmpl, h->size, NULL), DT_OK, "sound");
        is_int(dt_evidence_create(tmpl, &rules, 0, arena)->npages,
               bits[i] < 4 ? 4 : 0, "its pages");

        free(tmpl);
        free(first);
        buf_free(&page);
        dt_arena_destroy(arena);
    }
}


int
main(void)
{
    size_t i;

    dt_rules_init(&rules);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        test_row(&rows[i]);
    }

    test_shape();
    test_foreign();

    rules.score = 0;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        test_row(&rows[i]);
    }

    return done();
}
