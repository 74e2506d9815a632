
/*
 * Copyright (C) The detemplate authors
 *
 * What is cut where: t/core/rows/scan.
 */


#include "core/scan/scan.h"
#include "rows.h"
#include "same.h"
#include "site.h"


static void *tmpl;

/* all that the template knows may go on its own */
static unsigned strong;


/* the name of a test, on one line */
static const char *
title(const char *text, const char *what)
{
    char *p;
    static char name[256];

    snprintf(name, sizeof(name), "%s%s", text, what);

    for (p = name; *p; p++) {
        *p = *p < ' ' ? ' ' : *p;
    }

    return name;
}


/* a page, given a template of another or the same one */
static void
page_is(const part_t *text, const char *marked)
{
    buf_t page = { 0 }, want = { 0 };
    result_t r;

    site_page(&page, text->all, strlen(text->all), SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, &r);
    site_page(&want, text->left, strlen(text->left), SITE_PAGES + 1);
    buf_add(&want, "", 1);
    is_str(r.out.data, r.out.len, want.data, title(text->all, ""));
    result_free(&r);

    if (marked) {
        site_rewrite(tmpl, DT_ANNOTATE, &page, &r);
        site_page(&want, marked, strlen(marked), SITE_PAGES + 1);
        buf_add(&want, "", 1);
        is_str(r.out.data, r.out.len, want.data, title(text->all, ": marked"));
        result_free(&r);
    }

    ok(site_holds(tmpl, "/dir/page9.html", &page),
       title(text->all, ": holds"));
    ok(same_tree(tmpl, "/dir/page9.html", &page),
       title(text->all, ": for a parser"));

    buf_free(&page);
    buf_free(&want);
}


static void
strengthen(void)
{
    uint32_t *info;
    const dt_template_head_t *h = tmpl;

    info = (uint32_t *) (void *) ((char *) tmpl + h->info);

    for (size_t i = 0; i < (size_t) 1 << h->node_bits; i++) {
        info[i] |= info[i] & DT_NODE_START ? 0 : DT_NODE_STRONG;
    }
}


/* what is learned, if not the page, and the page */
static void
row_is(const row_t *row)
{
    size_t len;
    const char *learned = row->part[0].all;

    tmpl = site_learn(learned, strlen(learned), &len);

    if (row_get(row, "none")) {
        ok(tmpl == NULL, title(learned, ": nothing"));

    } else if (ok(tmpl != NULL, title(learned, ": learned"))) {
        if (strong) {
            strengthen();
        }

        page_is(&row->part[row->nparts - 1], row_get(row, "marked"));
    }

    free(tmpl);
}


static void
sign_is(const char *sign, const part_t *page)
{
    (void) sign;
    row_is(&(row_t){ .nparts = 1, .part = { *page } });
}


static void
signs_are(const row_t *row)
{
    row_words(row, " ", sign_is);
}


/* NUL bytes, which no C string holds: here they are written as "$" */
static void
test_nul(void)
{
    size_t i, len;
    buf_t page = { 0 };
    result_t r;
    char text[] = "<nav a$=$b>me$nu of this site</nav>$<na$v>about those who "
                  "made</na$v><p>@ $";

    for (i = 0; i < sizeof(text) - 1; i++) {
        if (text[i] == '$') {
            text[i] = '\0';
        }
    }

    tmpl = site_learn(text, sizeof(text) - 1, &len);

    if (!ok(tmpl != NULL, "NUL: learned")) {
        return;
    }

    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, &r);
    ok(r.stats.words >= 1 && site_subsequence(&r.out, &page),
       "NUL: bytes like others");
    ok(site_holds(tmpl, "/dir/page9.html", &page), "NUL: holds");

    result_free(&r);
    buf_free(&page);
    free(tmpl);
}


/* names without an end, in a script: each is read once, not the page from each
   of them on, which would take a minute */
static void
test_endless_names(void)
{
    static const char name[] = "<!--<script";
    size_t n = 0, len = (size_t) 4 << 20;
    dt_record_t *records;
    clock_t began;
    buf_t page = { 0 };

    buf_puts(&page, "<script>");

    while (page.len < len) {
        buf_add(&page, name, sizeof(name) - 1);
    }

    began = clock();

    is_int(dt_scan_records((dt_str_t){ page.len, page.data }, SITE_SEED,
                           dt_cstr(SITE_HOST), dt_cstr("/"), &records, &n),
           DT_OK, "endless names: a page");
    ok(clock() - began < 5 * CLOCKS_PER_SEC, "endless names: time");

    free(records);
    buf_free(&page);
}


int
main(void)
{
    rows("scan", "implied", row_is);
    rows("scan", "tables", row_is);
    rows("scan", "misnested", row_is);
    rows("scan", "soup", row_is);
    rows("scan", "comments", row_is);
    rows("scan", "behind", row_is);
    rows("scan", "foreign", row_is);
    rows("scan", "raw", row_is);
    rows("scan", "tags", row_is);
    rows("scan", "same", row_is);
    rows("scan", "words", row_is);
    rows("scan", "lines", row_is);
    rows("scan", "gaps", row_is);
    rows("scan", "headings", row_is);
    rows("scan", "signs", signs_are);
    rows("scan", "others", row_is);
    site_begin = "";
    rows("scan", "bare", row_is);
    site_begin = "<body>";
    rows("scan", "elsewhere", row_is);
    rows("scan", "left_open", row_is);
    strong = 1;
    rows("scan", "left_void", row_is);
    test_nul();
    test_endless_names();

    return done();
}
