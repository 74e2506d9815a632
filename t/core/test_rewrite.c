
/*
 * Copyright (C) The detemplate authors
 *
 * What is given out, pages with tokens and elements that are long, and pages
 * made to break a rewriter: t/core/rows/rewrite.
 */


#include "rows.h"
#include "site.h"


static void *tmpl;
static char *text; /* of the pages that it was learned from, */
static buf_t page; /* and one of them */
static dt_mode_t left_mode = DT_STRIP;


static void *
learned(const char *of)
{
    size_t len;

    return site_learn(of, strlen(of), &len);
}


static void
page_of(buf_t *p, const char *of)
{
    site_page(p, of, strlen(of), SITE_PAGES + 1);
}


static void
holds(const void *t, const buf_t *p, const char *what)
{
    char name[128];

    snprintf(name, sizeof(name), "%s: holds", what);
    ok(site_holds(t, "/dir/page9.html", p), name);
}


/* what is left of a page, or how that begins, is what its row says; \x01
   stands for a NUL */
static void
left_is(const void *t, const part_t *part, const char *begins, buf_t *p,
        const char *name)
{
    size_t i;
    buf_t want = { 0 };
    result_t r;

    page_of(p, part->all);
    page_of(&want, begins ? begins : part->left);

    for (i = 0; i < p->len; i++) {
        p->data[i] = p->data[i] == 1 ? 0 : p->data[i];
    }

    for (i = 0; i < want.len; i++) {
        want.data[i] = want.data[i] == 1 ? 0 : want.data[i];
    }

    site_rewrite(t, left_mode, p, &r);
    r.out.len = begins && r.out.len > want.len ? want.len : r.out.len;

    if (!ok(buf_eq(&r.out, &want), name)) {
        for (i = 0; i < r.out.len && i < want.len; i++) {
            if (r.out.data[i] != want.data[i]) {
                break;
            }
        }

        printf("#   from byte %zu on '%.*s' of %zu, want '%.*s' of %zu\n", i,
               (int) (r.out.len - i < 80 ? r.out.len - i : 80), r.out.data + i,
               r.out.len, (int) (want.len - i < 80 ? want.len - i : 80),
               want.data + i, want.len);
    }

    result_free(&r);
    buf_free(&want);
}


/* a page that is learned, and if that is another one, the one that came */
static void
row_is(const row_t *row)
{
    void *t;
    char name[128];
    buf_t own = { 0 };

    t = learned(row->part[1].all);
    snprintf(name, sizeof(name), "%s: learned", row->part[0].all);

    if (row_get(row, "none")) {
        ok(t == NULL, name);

    } else if (ok(t != NULL, name)) {
        left_is(t, &row->part[row->nparts - 1], row_get(row, "begins"), &own,
                row->part[0].all);
        holds(t, &own, row->part[0].all);
    }

    free(t);
    buf_free(&own);
}


/* a page of the site */
static void
usual_is(const row_t *row)
{
    buf_t own = { 0 };

    left_is(tmpl, &row->part[1], NULL, &own, row->part[0].all);
    holds(tmpl, &own, row->part[0].all);
    buf_free(&own);
}


/* the page from which the site's template is learned */
static void
page_is(const row_t *row)
{
    result_t r;

    text = strdup(row->part[1].all);
    tmpl = learned(text);
    left_is(tmpl, &row->part[1], NULL, &page, "page: stripped");

    site_rewrite(tmpl, DT_STRIP, &page, &r);
    is_int(r.stats.words, 10 + 5 + 5 + 10, "page: words of template");
    is_int(r.stats.guard, 0, "page: no guard");
    result_free(&r);

    holds(tmpl, &page, "page");
}


/* the template as a page, of the page that it is learned from, or another */
static void
template_is(const row_t *row)
{
    const part_t *part = &row->part[row->nparts - 1];
    void *t = learned(row->part[0].all);
    buf_t own = { 0 };
    result_t r;

    left_mode = DT_TEMPLATE;
    site_xml = row_get(row, "xml") != NULL;

    if (row_get(row, "none")) {
        page_of(&own, part->all);
        site_rewrite(t, left_mode, &own, &r);
        ok(r.rc == DT_OK && r.out.len == 0 && !r.wrong, part->all);
        result_free(&r);

    } else {
        left_is(t, part, NULL, &own, part->all);
    }

    left_mode = DT_STRIP;
    holds(t, &own, part->all);
    site_xml = 0;

    free(t);
    buf_free(&own);
}


/* what HTML cuts of a page, and what is cut of it as XML */
static void
xml_is(const row_t *row)
{
    void *t;
    buf_t own = { 0 };

    t = learned(row->part[0].all);

    for (site_xml = 0; site_xml < 2; site_xml++) {
        left_is(t, &row->part[site_xml], NULL, &own, row->part[site_xml].all);
        holds(t, &own, row->part[0].all);
    }

    site_xml = 0;
    free(t);
    buf_free(&own);
}


/* the site's template, marked, to r */
static dt_rewrite_opts_t
marks_to(result_t *r)
{
    memset(r, 0, sizeof(result_t));

    return (dt_rewrite_opts_t){
        .tmpl = tmpl,
        .mode = DT_ANNOTATE,
        .host = dt_str(SITE_HOST),
        .path = dt_str("/dir/page9.html"),
        .out = site_out,
        .out_data = r,
    };
}


/* the page up to each of its bytes, and from each on */
static void
test_parts(void)
{
    int good = 1;
    size_t i;
    buf_t part = { 0 };

    for (i = 0; i <= page.len; i++) {
        part.len = 0;
        buf_add(&part, page.data, i);
        good &= site_holds(tmpl, "/dir/page9.html", &part);
        part.len = 0;
        buf_add(&part, page.data + i, page.len - i);
        good &= site_holds(tmpl, "/dir/page9.html", &part);
    }

    ok(good, "parts: what holds of a page holds of each");
    buf_free(&part);
}


/* nothing is known of the site */
static void
test_no_template(void)
{
    result_t r;

    site_rewrite(NULL, DT_STRIP, &page, &r);
    ok(r.rc == DT_OK && !r.wrong && buf_eq(&r.out, &page),
       "no template: the page as it came");
    result_free(&r);
}


/* far more template than a page of the site has: nothing is cut */
static void
test_guard(void)
{
    buf_t own = { 0 }, many = { 0 };
    result_t r;

    buf_fill(&many, text, 200);
    site_page(&own, many.data, many.len, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &own, &r);

    is_int(r.stats.guard, 1, "guard: said");
    is_int(r.stats.cut_words, 0, "guard: no word is cut");
    ok(r.stats.words > 4000, "guard: there were many");
    ok(buf_eq(&r.out, &own), "guard: the page is as it came");
    holds(tmpl, &own, "guard");

    result_free(&r);
    buf_free(&own);
    buf_free(&many);
}


/* refuses what is given out by the call with this number, and all after it */
static unsigned out_calls, out_refuse;


static int
refuser_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return ++out_calls >= out_refuse;
}


static void
test_refused(void)
{
    int good = 1;
    result_t r;
    dt_rewrite_opts_t o = marks_to(&r);

    o.out = refuser_out;

    for (out_refuse = 1; out_refuse <= 8; out_refuse++) {
        out_calls = 0;
        good &= dt_rewrite_page(&o, (dt_str_t){ page.len, page.data }, NULL)
                    == DT_ELIMIT
                && out_calls == out_refuse;
    }

    ok(good, "refused: the call says so, and nothing more is given out");

    o.tmpl = NULL;
    out_calls = 0;
    out_refuse = 1;
    is_int(dt_rewrite_page(&o, (dt_str_t){ page.len, page.data }, NULL),
           DT_ELIMIT, "refused: and without a template");
}


/* marks of the caller's own */
static void
wrap_is(const row_t *row)
{
    void *t;
    buf_t own = { 0 }, want = { 0 };
    result_t r;
    dt_wrap_t wrap = {
        dt_str(" m=''"), dt_str("<m>"), dt_str("</m>"), { 0, "" }
    };
    dt_rewrite_opts_t o = marks_to(&r);

    t = learned(row->part[1].all);
    page_of(&own, row->part[1].all);
    page_of(&want, row->part[2].all);
    o.tmpl = t;
    o.wrap = &wrap;
    o.before = dt_str("<i>");
    o.after = dt_str("</i>");

    is_int(dt_rewrite_page(&o, (dt_str_t){ own.len, own.data }, NULL), DT_OK,
           row->part[0].all);
    ok(buf_eq(&r.out, &want), row->part[0].all);
    ok(buf_eq(&r.unmarked, &own), "without them, the page");

    free(t);
    buf_free(&own);
    buf_free(&want);
    result_free(&r);
}


/* the end of a head: <l> is put there */
static void
head_is(const row_t *row)
{
    unsigned mode;
    const char *want = row->part[0].all, *at = strstr(want, "<l>");
    buf_t own = { 0 };
    result_t r;
    int good = 1;

    buf_add(&own, want, at ? (size_t) (at - want) : strlen(want));
    buf_puts(&own, at ? at + 3 : "");
    site_put = dt_str("<l>");
    site_xml = row_get(row, "xml") != NULL;

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        site_rewrite(tmpl, (dt_mode_t) mode, &own, &r);
        good &= r.out.len == strlen(want)
                && memcmp(r.out.data, want, r.out.len) == 0
                && buf_eq(&r.unmarked, &own);
        result_free(&r);
    }

    ok(good, want);
    site_xml = 0;
    site_put = dt_str("");
    buf_free(&own);
}


/* a page that should cost much */
static void
hostile_is(const row_t *row)
{
    buf_t own = { 0 };
    result_t r;

    page_of(&own, row->part[1].all);
    site_rewrite(tmpl, DT_ANNOTATE, &own, &r);
    ok(r.rc == DT_OK && !r.wrong && buf_eq(&r.unmarked, &own),
       row->part[0].all);
    result_free(&r);
    buf_free(&own);
}


int
main(void)
{
    rows("rewrite", "page", page_is);
    rows("rewrite", "xml", xml_is);
    rows("rewrite", "template", template_is);
    test_parts();
    test_no_template();
    rows("rewrite", "long", usual_is);
    rows("rewrite", "learned", row_is);
    rows("rewrite", "behind", row_is);
    rows("rewrite", "glued", row_is);
    test_guard();
    test_refused();
    rows("rewrite", "wrap", wrap_is);
    rows("rewrite", "head", head_is);
    rows("rewrite", "hostile", hostile_is);

    free(tmpl);
    free(text);
    buf_free(&page);

    return done();
}
