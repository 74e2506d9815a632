
/*
 * Copyright (C) The detemplate authors
 *
 * Why a piece is template, or is not: by deciding anew what was decided when
 * its template was made.
 */


#include "core/rules/explain.h"
#include "core/template/table.h"
#include "core/template/template.h"
#include "pages.h"


static const char *const asks[] = { "none",  "support", "score",
                                    "share", "kind",    "guard" };

static dt_record_t *first; /* of the first page */
static size_t nfirst;
static buf_t page; /* that page */


/* the template of a row's pages */
static void *
explained(const row_t *row)
{
    const char *text;
    char path[128];

    page.len = 0;
    free(first);
    text = row->part[1].all;
    text += strspn(text, "0123456789");
    text += *text == ' ';
    path_of(&text, "/p1.html", path);
    snprintf(path, sizeof(path), "%s",
             strchr(path, '%') ? "/d/p1.html" : path);
    site_page(&page, text, strlen(text), 1);
    buf_add(&page, "", 1);
    page.len--;
    (void) dt_scan_records((dt_str_t){ page.len, page.data }, SITE_SEED,
                           dt_str(SITE_HOST), dt_cstr(path), &first, &nfirst);

    return learned(row, 1, row->nparts);
}


/* what begins with the piece of the first page that a row names */
static dt_record_t
piece(const row_t *row)
{
    size_t i, at;
    const char *text = row_get(row, "piece");

    at = (size_t) (strstr(page.data, text) - page.data);

    for (i = 0; i < nfirst; i++) {
        if (first[i].start == at && (first[i].key || first[i].shape)) {
            return first[i];
        }
    }

    return (dt_record_t){ 0 };
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

    is_int(wrong, 0, row->part[0].all);
    is_int(parts, 0, "the parts of each score");
    is_int(questions, 0, "and what it says");
}


static void
explains(const row_t *row)
{
    void *tmpl = explained(row);
    dt_arena_t *a = dt_arena_create((size_t) 64 << 20);
    dt_why_t why = { .question = DT_QUESTION_SENTENCE + 1u };
    dt_explain_t *x = dt_explain_create(tmpl, &rules, a);
    const char *name = row->part[0].all, *dir = row_get(row, "dir");

    if (rules.score) {
        test_all(row, x, tmpl);

    } else {
        is_int(dt_explain(x, piece(row).key, &why), DT_OK, name);
        is_str(asks[why.question], strlen(asks[why.question]),
               row_get(row, "question"), "stays by");
        is_int(why.pages, atoi(row_get(row, "pages")), "pages");
        is_int(why.dir == (dir ? dt_hash(dir, strlen(dir), 0) | 1 : 0), 1,
               "directory");
        is_int(dt_explain(x, 12345, &why), DT_DECLINED, "of nothing");
        is_int(dt_explain(x, 0, &why), DT_DECLINED, "of no key");
    }

    free(tmpl);
    dt_arena_destroy(a);
}


/* an element that goes by its shape, which no pattern explains */
static void
shape_is(const row_t *row)
{
    void *tmpl = explained(row);
    dt_arena_t *a = dt_arena_create((size_t) 64 << 20);
    dt_why_t why;
    dt_record_t r = piece(row);
    dt_explain_t *x = dt_explain_create(tmpl, &rules, a);

    ok(r.shape == DT_SHAPE_NAV, "shape: it has one");
    is_int(dt_explain_shape(x, r.path, r.shape, &why), DT_OK,
           "shape: it is cut");
    is_int(why.pages, 8, "shape: pages");
    is_int(why.npages, 8, "shape: of these");
    is_int(dt_explain_shape(x, r.path, DT_SHAPE_BESIDE, &why), DT_DECLINED,
           "shape: another kind");
    is_int(dt_explain_shape(x, 12345, DT_SHAPE_NAV, &why), DT_DECLINED,
           "shape: another place");
    is_int(dt_explain_shape(x, r.path, 0, &why), DT_DECLINED, "shape: none");

    free(tmpl);
    dt_arena_destroy(a);
}


/* what pages showed that there are none of is not what we have made */
static void
foreign_is(const row_t *row)
{
    static const unsigned bits[] = { 3, 4, 63 };
    char *tmpl;
    size_t i;
    dt_arena_t *a;
    dt_pattern_t *e;
    dt_template_head_t *h;

    for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        a = dt_arena_create((size_t) 256 << 20);
        tmpl = explained(row);
        h = (void *) tmpl;
        is_int(h->npages, 4, "four pages");

        e = (void *) (tmpl + h->size - dt_seen_size(h->nseen)
                      - h->nevidence * sizeof(dt_pattern_t));
        e[h->nevidence - 1].pages |= (uint64_t) 1 << bits[i];
        h->rest_sum =
            dt_template_sum(tmpl + h->serve_size, h->size - h->serve_size);
        is_int(dt_template_check(tmpl, h->size, NULL), DT_OK, "sound");
        is_int(dt_evidence_create(tmpl, &rules, 0, a)->npages,
               bits[i] < 4 ? 4 : 0, "its pages");

        free(tmpl);
        dt_arena_destroy(a);
    }
}


int
main(void)
{
    dt_rules_init(&rules);
    rows("rules", "explained", explains);
    rows("rules", "explained shape", shape_is);
    rows("rules", "explained foreign", foreign_is);
    rules.score = 0;
    rules.score_main = 0;
    rows("rules", "explained", explains);
    rules.score_main = UINT16_MAX;
    rows("rules", "explained score", explains);

    free(first);
    buf_free(&page);

    return done();
}
