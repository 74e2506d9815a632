
/*
 * Copyright (C) The detemplate authors
 *
 * What is template, by all rules and by each: t/core/rows/rules.
 */


#include "pages.h"


/* no more counts as template than is found in what goes by its shape */
static void
holds(const char *name, const void *t, const char *path, const buf_t *page)
{
    result_t bold, r;

    ok(site_holds(t, path, page), name);

    if (site_bold) {
        site_rewrite_at(t, DT_STRIP, path, page, &bold);
        site_bold = 0;
        site_rewrite_at(t, DT_STRIP, path, page, &r);
        site_bold = 1;
        is_int(bold.stats.words, r.stats.words, name);
        result_free(&bold);
        result_free(&r);
    }
}


/* what is left of the pages that are asked for: those behind "? ", or the last
   part */
static void
row_is(const row_t *row)
{
    char path[128];
    void *t;
    unsigned i, asked = row->nparts - 1;
    buf_t page = { 0 };
    part_t part;
    const char *name = row->part[0].all, *says;
    dt_template_info_t info = { 0 };

    while (asked > 1 && strncmp(row->part[asked - 1].all, "? ", 2) == 0) {
        asked--;
    }

    t = learned(row, 1, asked);

    for (i = asked; i < row->nparts; i++) {
        part = row->part[i];
        part.all += *part.all == '?' ? 2 : 0;
        part.left += *part.left == '?' ? 2 : 0;
        path_of(&part.left, "", path);
        path_of(&part.all, "/new.html", path);
        stripped_in(t, path, part.all, part.left, name);

        if (t != NULL) {
            site_page(&page, part.all, strlen(part.all), 999);
            holds(name, t, path, &page);
        }
    }

    if (t != NULL) {
        dt_template_info(t, &info);
    }

    if (row_get(row, "none")) {
        ok(t == NULL, name);
    }

    if ((says = row_get(row, "pages")) != NULL) {
        is_int(info.pages, atoi(says), name);
    }

    if ((says = row_get(row, "version")) != NULL) {
        is_int(info.version, atoi(says), name);
    }

    if ((says = row_get(row, "guarded")) != NULL) {
        is_int(t != NULL && info.guarded > 0, atoi(says), name);
    }

    buf_free(&page);
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
    rules.kind = 0; /* else it leaves nothing to the guard */
    rows("rules", "all", row_is);

    rules.score = 0; /* each rule by itself; test_score.c */
    rules.score_main = 0;
    rules.remain = 10; /* as in the rows, */
    rules.kind = 0;
    rows("rules", "rules", row_is);
    rules.kind = 55; /* and here */
    rows("rules", "kinds", row_is);

    usual = rules;
    rules.remain = 0; /* hardly a word is a page's own */
    rules.alike = 1000;
    rules.alike_rare = 1000;
    rows("rules", "sentence", row_is);
    rules = usual;

    rules.kind = 0;
    rows("rules", "typical", typical_is);
    site_bold = 1;
    rows("rules", "shows", shape_is);
    rows("rules", "shapes", shape_is);
    rows("rules", "classes", classes_are);
    rows("rules", "long", row_is);

    return done();
}
