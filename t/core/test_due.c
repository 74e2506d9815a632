
/*
 * Copyright (C) The detemplate authors
 *
 * Which page is learned next.
 */


#include "core/template/due.h"
#include "site.h"
#include "test.h"


#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>% %</footer>"


static void
test_share(void)
{
    size_t i, len;
    void *tmpl;
    dt_template_info_t info;

    /* of a site whose pages are in "/dir/", and words of template, as percent
       of those on a usual page */
    static const struct {
        const char *name;
        const char *path;
        uint32_t words;
        unsigned share;
    } rows[] = {
        { "no template", .path = "/dir/new.html", .words = 0, .share = 100 },
        { "little of it", .path = "/dir/new.html", .words = 85, .share = 100 },
        { "all of it", .path = "/dir/new.html", .words = 100, .share = 20 },
        { "more of it", .path = "/dir/new.html", .words = 5000, .share = 20 },
        { "a directory there", .path = "/dir/new/", .words = 100,
          .share = 20 },
        { "a page above", .path = "/new.html", .words = 100, .share = 20 },
        { "the first page", .path = "/", .words = 100, .share = 20 },
        { "no path", .path = "", .words = 100, .share = 20 },
        { "a directory above", .path = "/new/", .words = 100, .share = 20 },
        { "another", .path = "/other/new.html", .words = 100, .share = 60 },
        { "and more", .path = "/other/new/", .words = 5000, .share = 60 },
        { "below", .path = "/dir/new/x.html", .words = 100, .share = 60 },
        { "both", .path = "/other/new.html", .words = 85, .share = 100 },
    };

    tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);
    if (!ok(tmpl != NULL, "learned")) {
        return;
    }

    dt_template_info(tmpl, &info);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        is_int(dt_due_share(tmpl, dt_cstr(rows[i].path),
                            info.typical * rows[i].words / 100),
               rows[i].share, rows[i].name);
    }

    free(tmpl);
}


static void
test_due(void)
{
    size_t i;

    static const struct {
        const char *name;
        unsigned share;
        uint64_t loads;
        uint64_t most;
        unsigned used;
        int due;
    } rows[] = {
        { "no load is used", .share = 100, .loads = 0, .most = 30, .used = 0,
          .due = 1 },
        { "one is left", .share = 100, .loads = 29, .most = 30, .used = 96,
          .due = 1 },
        { "none is left", .share = 100, .loads = 30, .most = 30, .used = 100,
          .due = 0 },
        { "more are used", .share = 100, .loads = 99, .most = 30, .used = 100,
          .due = 0 },
        { "fewer than 60 %", .share = 60, .loads = 17, .most = 30, .used = 56,
          .due = 1 },
        { "60 %", .share = 60, .loads = 18, .most = 30, .used = 60, .due = 0 },
        { "nearly 60 %", .share = 60, .loads = 599, .most = 1000, .used = 59,
          .due = 1 },
        { "not wanted", .share = 0, .loads = 0, .most = 30, .used = 0,
          .due = 0 },
        { "no loads", .share = 100, .loads = 0, .most = 0, .used = 100,
          .due = 0 },
        { "large numbers", .share = 100, .loads = UINT32_MAX - 1,
          .most = UINT32_MAX, .used = 99, .due = 1 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        is_int(dt_due_used(rows[i].loads, rows[i].most), rows[i].used,
               rows[i].name);
        is_int(dt_due(rows[i].share, rows[i].used), rows[i].due, rows[i].name);
    }
}


int
main(void)
{
    test_share();
    test_due();

    return done();
}
