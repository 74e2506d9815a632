
/*
 * Copyright (C) The detemplate authors
 */


#include <math.h>

#include "core/detect/methods.h"
#include "t/core/detect.h"


/*
 * Pages, and a thousand times the importance of the nodes of the body of the
 * first, in preorder; worked out by hand.  H3(2/3, 1/3) is 0.5794.
 */
typedef struct {
    const char *pages[MAX_PAGES];
    const char *want;
    const char *name;
} importance_t;

static const importance_t rows[] = {
    /* a is on both: p = 1/2, 1/2, H = 1 */
    { { "<p>a", "<p>a" }, "0 0", "the same on both pages" },

    /* a is on one: H = 0; p: 0.1 * 0 + 0.9 * 1 */
    { { "<p>a", "<p>b" }, "900 1000", "another word on each" },

    /* one of three words is on both: 1 - 1/3; p: 0.9 of that */
    { { "<p>a b", "<p>a c" }, "600 667", "a word in three" },

    /* a: 2/3 and 1/3 of it, H2 = 0.9183; b: 0; 1 - 0.9183 / 2 */
    { { "<p>a a b", "<p>a" }, "487 541", "more often on one page" },

    /* two styles, 1/2 each: (1 - 0.81) * 1 + 0.81 * 1; one page: 1 */
    { { "<div><i>a</i></div>", "<div><b>a</b></div>" },
      "1000 1000 1000",
      "another style on each" },

    /* 0.19 * 0.5794 + 0.81 * (2/3 * 0 + 1/3 * 1) */
    { { "<div><i>a</i></div>", "<div><i>a</i></div>", "<div><b>a</b></div>" },
      "380 0 0",
      "two styles of three pages" },

    /* the mean of the children, 1/2 and 0: 0.9 * 0.45 */
    { { "<div><i>a</i><i>z</i></div>", "<div><i>b</i><i>z</i></div>" },
      "405 900 1000 0 0",
      "children weigh alike" },

    { { "<p>a<hr>" }, "1000 1000 1000", "a single page" },

    /* an image says what its attributes say; hr has none */
    { { "<img src=a><hr>", "<img src=b><hr>" }, "1000 0", "leaves" },
};


static void
test_importance(void)
{
    char out[MAX_OUT];
    double v;
    size_t n, len;
    const dt_dom_t *pages[MAX_PAGES];
    dt_detect_opts_t o;
    dt_sst_t *sst;

    dt_detect_opts_init(&o);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fresh();

        for (n = 0; n < MAX_PAGES && rows[i].pages[n]; n++) {
            pages[n] = parse(rows[i].pages[n]);
        }

        dt_sst_make(pages, n, &o, arena, &sst);
        out[0] = '\0';
        len = 0;

        for (uint32_t k = pages[0]->body + 1; k < pages[0]->n; k++) {
            v = dt_sst_importance(sst, pages[0], k, arena);
            len += (size_t) snprintf(out + len, 16, "%s%.0f", len ? " " : "",
                                     fabs(v * 1000));
        }

        is_str(out, len, rows[i].want, rows[i].name);
    }
}


static void
strict(dt_detect_opts_t *o)
{
    o->sst_threshold = 0;
}


static void
classes(dt_detect_opts_t *o)
{
    o->sst_classes = 1;
}


static const found_t found[] = {
    { "site-style-tree",
      NULL,
      "<ul><li>a</ul><p>k",
      { "<ul><li>a</ul><p>x", "<ul><li>a</ul><p>y" },
      "ul li #",
      "what all say is noise" },
    { "site-style-tree",
      NULL,
      "<ul><li>changed</ul><p>k",
      { "<ul><li>a</ul><p>x", "<ul><li>a</ul><p>y" },
      "ul li #",
      "by its place, whatever the page says there" },
    { "site-style-tree",
      NULL,
      "<ul><li>a</ul><h1>k</h1>",
      { "<ul><li>a</ul><p>x", "<ul><li>a</ul><p>y" },
      "",
      "a style that no page has is not mapped" },
    { "site-style-tree",
      NULL,
      "<div>z<b>k</b></div>",
      { "<div>z<b>x</b></div>", "<div>z<b>y</b></div>" },
      "#",
      "noise around what is not stays" },
    { "site-style-tree",
      strict,
      "<ul><li>a</ul><p>k",
      { "<ul><li>a</ul><p>x", "<ul><li>a</ul><p>y" },
      "",
      "nothing is below a threshold of 0" },
    { "site-style-tree",
      classes,
      "<p class=u>z</p><b>k</b>",
      { "<p class=v>z</p><b>x</b>", "<p class=v>z</p><b>y</b>" },
      "",
      "classes count when asked for" },
    { "site-style-tree",
      NULL,
      "<p class=u>z</p><b>k</b>",
      { "<p class=v>z</p><b>x</b>", "<p class=v>z</p><b>y</b>" },
      "p #",
      "and not when not" },
};


int
main(void)
{
    test_importance();
    test_found(found, sizeof(found) / sizeof(found[0]));
    dt_arena_destroy(arena);

    return done();
}
