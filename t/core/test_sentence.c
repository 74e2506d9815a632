
/*
 * Copyright (C) The detemplate authors
 *
 * What stands in a sentence; test_rules.c has what becomes of it.
 */


#include "core/rules/sentence.h"
#include "site.h"
#include "test.h"


/* clang-format off */
static const struct {
    const char *page;   /* in it one text is "x", */
    const char *beside; /* and this one is in a sentence with it; NULL: none */
} rows[] = {
    { "<p>some <b>x</b></p>", "some" },
    { "<p><b>x</b> some</p>", "some" },
    { "<p>see <code>x</code> and</p>", "and" },
    { "<p>see <a href=/1>x</a></p>", "see" },
    { "<p><a href=/1>see</a> <i>x</i></p>", "see" },
    { "<p><a href=/1><b>x</b> see</a></p>", "see" },
    { "<p>see <b>the</b> <b>x</b></p>", "the" },
    { "<p>see <b>(</b> <b>x</b></p>", "see" },
    { "<p>see <!-- --><b>x</b></p>", NULL },
    { "<p><a href=/1>see</a> <a href=/2>x</a></p>", NULL },
    { "<p>see</p><b>x</b>", NULL },
    { "<ul><li>see<li>x</ul>", NULL },
    { "<p>see<br><b>x</b></p>", NULL },
    { "<p>see <img src=/i> <b>x</b></p>", NULL },
    { "<p>see | <b>x</b></p>", NULL },
    { "<p><b>x</b> / see</p>", NULL },
    { "<p>see \xc2\xb7 <b>x</b></p>", NULL },
    { "<p><b>x</b> \xe2\x80\x93 see</p>", NULL },
    { "<p>see \xe2\x86\x92 <b>x</b></p>", NULL },
    { "<p>see &raquo; <b>x</b></p>", NULL },
    { "<p><b>x</b> &middot; see</p>", NULL },
    { "<p><b>x</b> ...</p>", NULL },
    { "<p><b>x</b></p>", NULL },
};

/* clang-format on */


static void
test_beside(void)
{
    size_t i, n;
    uint32_t k, beside[64];
    char got[16];
    dt_str_t page;
    dt_record_t *r;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        page = dt_cstr(rows[i].page);
        (void) dt_scan_records(page, SITE_SEED, dt_str(SITE_HOST),
                               dt_str("/x.html"), &r, &n);
        dt_sentence_beside(page, r, n, beside);
        snprintf(got, sizeof(got), "no x");

        for (k = 0; k < n; k++) {
            if (r[k].name || r[k].end != r[k].start + 1
                || page.data[r[k].start] != 'x') {
                continue;
            }

            snprintf(got, sizeof(got), "none");

            if (beside[k] != UINT32_MAX) {
                snprintf(got, sizeof(got), "%.*s",
                         (int) (r[beside[k]].end - r[beside[k]].start),
                         page.data + r[beside[k]].start);
            }
        }

        is_str(got, strlen(got), rows[i].beside ? rows[i].beside : "none",
               rows[i].page);
        free(r);
    }
}


int
main(void)
{
    test_beside();

    return done();
}
