
/*
 * Copyright (C) The detemplate authors
 *
 * What is template, rule by rule: t/core/rows/rules.  The rules alone decide
 * here, without the score.
 */


#include "pages.h"
#include "rows.h"


static unsigned number; /* of the last page */


/* the path that a text begins with, or the usual one; text is behind it */
static void
path_of(const char **text, const char *usual, char path[128])
{
    size_t len = **text == '/' || **text == '+' ? strcspn(*text, " ") : 0;

    snprintf(path, 128, "%.*s", len ? (int) len : 127, len ? *text : usual);
    *text += len + (len != 0);
}


/* pages of a text: how many, where they are, and what they are */
static void
add_group(const char *text)
{
    char *end, path[128], at[128];
    unsigned linked, n = (unsigned) strtoul(text, &end, 10);

    n = n ? n : 8;
    text = end + (*end == ' ');
    path_of(&text, "/p%u.html", path);
    linked = *path == '+';

    while (n--) {
        snprintf(at, sizeof(at), path + linked, ++number);
        add_at(at, text, number);
        evidence->pages[evidence->npages - 1].linked = linked & 1;
    }
}


/* the template of some parts of a row */
static void *
learned(const row_t *row, unsigned from, unsigned to)
{
    begin(NULL);
    number = 0;

    while (from < to) {
        add_group(row->part[from++].all);
    }

    return finish(NULL);
}


/* in pieces the same goes, and no more of it counts as template than is found
   in what goes by its shape */
static void
pieces_are(const char *name, const void *t, const char *path,
           const buf_t *page)
{
    size_t i;
    int same = 1;
    result_t whole, r;
    static const size_t chunks[] = {
        1, 4, 7, 13, 40, 121, 364, 1093, 3280, 9841, 29524, SITE_RANDOM
    };

    site_rewrite_at(t, DT_STRIP, path, page, 0, NULL, &whole);

    for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        site_rewrite_at(t, DT_STRIP, path, page, chunks[i], NULL, &r);
        same = same && result_eq(&r, &whole) && r.stats.held <= DT_HOLD_MAX;
        result_free(&r);
    }

    ok(same, name);

    if (site_bold) {
        site_bold = 0;
        site_rewrite_at(t, DT_STRIP, path, page, 0, NULL, &r);
        is_int(whole.stats.words, r.stats.words, name);
        result_free(&r);
        site_bold = 1;
    }

    result_free(&whole);
}


static void
row_is(const row_t *row)
{
    char path[128];
    void *t;
    buf_t page = { 0 };
    part_t asked = row->part[row->nparts - 1];

    path_of(&asked.left, "", path);
    path_of(&asked.all, "/new.html", path);
    t = learned(row, 1, row->nparts - 1);
    stripped_in(t, path, asked.all, 0, asked.left, row->part[0].all);

    if (t != NULL) {
        site_page(&page, asked.all, strlen(asked.all), 999);
        pieces_are(row->part[0].all, t, path, &page);
        buf_free(&page);
    }

    free(t);
}


/* a page that is learned as it is, with something that is template */
static void
shape_is(const row_t *row)
{
    buf_t text = { 0 };
    row_t own = *row;

    if (row->nparts == 2) {
        buf_puts(&text, "<h6>%</h6>");
        buf_puts(&text, row->part[1].all);
        buf_add(&text, "", 1);
        own.part[1].all = text.data;
        own.part[2] = row->part[1];
        own.nparts = 3;
    }

    row_is(&own);
    buf_free(&text);
}


static void
class_is(const char *class, const part_t *page)
{
    char name[64];

    snprintf(name, sizeof(name), "shape: %s", class);
    shape_is(&(row_t){ .nparts = 2, .part = { { name, name }, *page } });
}


static void
classes_are(const row_t *row)
{
    row_words(row, "|", class_is);
}


/* what is given up does not hold anything back */
static void
given_up_is(const row_t *row)
{
    void *t = learned(row, 1, 2);
    buf_t page = { 0 };
    result_t r;

    buf_puts(&page, row->part[2].all);
    site_rewrite_at(t, DT_STRIP, "/new.html", &page, 64, NULL, &r);
    ok(r.stats.held < 1000, row->part[0].all);
    result_free(&r);
    buf_free(&page);
    free(t);
}


/* typical: 50 % of the pages show more; low: less than 90 % of it */
static void
typical_is(const row_t *row)
{
    void *t = learned(row, 1, row->nparts);
    dt_template_info_t info;

    dt_template_info(t, &info);
    is_int(info.typical, atoi(row_get(row, "typical")), row->part[0].all);

    if (row_get(row, "low")) {
        is_int(dt_template_low(t, 90), 0, "low: 90 %");
        is_int(dt_template_low(t, 89), 1, "low: 89 %");
    }

    free(t);
}


int
main(void)
{
    dt_rules_t usual;

    dt_rules_init(&rules);
    rules.score = 0;   /* each rule by itself; test_score.c */
    rules.remain = 10; /* as in the rows, */
    rules.kind = 0;
    rows("rules", "rules", row_is);
    rules.kind = 55; /* and here */
    rows("rules", "kinds", row_is);

    usual = rules;
    rules.remain = 0; /* hardly a word is a page's own */
    rules.alike = 1000;
    rules.alike_rare = 1000;
    rows("rules", "given up", row_is);
    rules = usual;

    rules.kind = 0;
    rows("rules", "typical", typical_is);
    site_bold = 1;
    rows("rules", "shows", shape_is);
    rows("rules", "shapes", shape_is);
    rows("rules", "classes", classes_are);
    rows("rules", "held", row_is);
    rows("rules", "not held", given_up_is);

    return done();
}
