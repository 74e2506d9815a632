
/*
 * Copyright (C) The detemplate authors
 */


#include <math.h>

#include "core/detect/methods.h"
#include "t/core/detect.h"


/* figure 2 of Nguyen et al. 2009 */
static const char *const figure =
    "<p> On Sept. 27, the US <span class=\"yshortcuts\" "
    "id=\"lw_1223369478_0\">House of Representatives</span> unanimously "
    "passed a resolution recognizing <span class=\"yshortcuts\" "
    "id=\"lw_1223369478_1\">The Christian Science Monitor</span> on its "
    "centennial. The measure was sponsored by <span class=\"yshortcuts\" "
    "id=\"lw_1223369478_2\">Rep. Lamar Smith</span> (R) of Texas who once "
    "served on the Monitor staff. It was cosponsored by 40 other <span "
    "class=\"yshortcuts\" id=\"lw_1223369478_3\">members of Congress</span>. "
    "</p>";


static void
test_figure(void)
{
    dt_blocks_t b;
    const dt_dom_t *dom;
    char out[MAX_OUT];
    size_t len = 0;
    uint32_t words;

    fresh();
    dom = parse(figure);
    dt_blocks_make(dom, arena, &b);
    out[0] = '\0';

    for (uint32_t i = 0; i < b.n; i++) {
        words = 0;

        for (uint32_t k = 0; k < b.blocks[i].n; k++) {
            words += (uint32_t) b.blocks[i].terms[k].count;
        }

        len +=
            (size_t) snprintf(out + len, 64, "%s%.*s %u", len ? ", " : "",
                              (int) dom->nodes[b.blocks[i].node].name.len,
                              dom->nodes[b.blocks[i].node].name.data, words);
    }

    /* 35 words of the paragraph are in no span: figure 3 */
    is_str(out, len, "html 0, body 0, p 35, span 3, span 4, span 3, span 3",
           "figure 3: four spans, and the paragraph without them");
    is_int(b.blocks[2].next, 7, "the spans are inside");
    ok(b.blocks[3].path == b.blocks[6].path
           && b.blocks[3].path != b.blocks[2].path,
       "a path is made of tags");
}


/* a thousand times the cosine of the vectors of two paragraphs */
typedef struct {
    const char *x;
    const char *y;
    int want;
    const char *name;
} cosine_t;

static const cosine_t cosines[] = {
    { "a b", "a b", 1000, "the same" },
    { "a b", "b a", 1000, "in another order" },
    { "a b", "c d", 0, "nothing in common" },
    { "a b", "a c", 500, "1 / 2" },
    { "a a b", "a b b", 800, "4 / 5" },
    { "a b c d e f g h i j", "a b c d e f g h i k", 900, "9 / 10" },
    { "<img>", "<img><img>", 1000, "images: parallel" },
    { "a <a href=u>b</a>", "a <a href=v>c</a>", 667, "a link, a word of two" },
    { "a <img>", "a <script></script>", 500, "kinds do not mix" },
};


static void
test_cosine(void)
{
    uint64_t steps;
    char page[256];
    dt_blocks_t x, y;
    const cosine_t *c;

    for (size_t i = 0; i < sizeof(cosines) / sizeof(cosines[0]); i++) {
        c = &cosines[i];
        fresh();
        snprintf(page, sizeof(page), "<p>%s</p>", c->x);
        dt_blocks_make(parse(page), arena, &x);
        snprintf(page, sizeof(page), "<p>%s</p>", c->y);
        dt_blocks_make(parse(page), arena, &y);

        is_int(lround(dt_block_cosine(&x.blocks[2], &y.blocks[2]) * 1000),
               c->want, c->name);

        steps = 1000;
        is_int(dt_block_similar(&x.blocks[2], &y.blocks[2], &steps),
               c->want > 900, "above 0.9 is similar");
        steps = 1;
        is_int(dt_block_similar(&x.blocks[2], &y.blocks[2], &steps),
               x.blocks[2].hash == y.blocks[2].hash,
               "without steps, the same terms are");
    }
}


static void
all(dt_detect_opts_t *o)
{
    o->block_share = 100;
}


static void
any(dt_detect_opts_t *o)
{
    o->block_share = 0;
}


static void
whole(dt_detect_opts_t *o)
{
    o->block_own = 0;
}


#define MENU "<ul><li>home<li>about</ul>"

static const found_t rows[] = {
    { "content-extractor",
      NULL,
      MENU "<p>k",
      { MENU "<p>x", MENU "<p>y" },
      "ul li # li #",
      "a block on all pages" },
    { "content-extractor",
      NULL,
      MENU "<p>k",
      { MENU "<p>x", "<p>y" },
      "ul li # li #",
      "on half of them" },
    { "content-extractor",
      all,
      MENU "<p>k",
      { MENU "<p>x", "<p>y" },
      "",
      "when it has to be on all" },
    { "content-extractor",
      any,
      MENU "<p>k",
      { MENU "<p>x", "<p>y" },
      "ul li # li #",
      "on no page: content, however few are enough" },
    { "content-extractor",
      NULL,
      "<p>k" MENU,
      { "<div>x" MENU "</div>", "<p>y" MENU "<p>z" },
      "ul li # li #",
      "wherever it stands" },
    { "content-extractor",
      NULL,
      "<div>l m<p>foot</div>",
      { "<div>x y<p>foot</div>", "<div>v w<p>foot</div>" },
      "p #",
      "a block without those in it" },

    { "fast-content-extractor",
      NULL,
      MENU "<p>k",
      { MENU "<p>x", MENU "<p>y" },
      "ul li # li #",
      "no content has that path" },
    { "fast-content-extractor",
      NULL,
      "<p>home<p>k",
      { "<p>home<p>x", "<p>home<p>y" },
      "p #",
      "a block of that path that was kept" },
    { "fast-content-extractor",
      NULL,
      "<p>a b c d e f g h i j K<p>k",
      { "<p>a b c d e f g h i j L<p>x", "<p>a b c d e f g h i j M<p>y" },
      "p #",
      "or is similar to one" },
    { "fast-content-extractor",
      NULL,
      "<p>k <span>l</span><div>d</div>",
      { "<p>x <span>s</span><div>d</div>", "<p>y<div>d</div>" },
      "div #",
      "an extracted block with what is in it" },
    { "fast-content-extractor",
      NULL,
      "<div>k<p>l<span>q</span></p></div>",
      { "<div>x<p>f<span>s</span></p></div>",
        "<div>y<p>f<span>t</span></p></div>" },
      "",
      "with what has a path in it" },
    { "fast-content-extractor",
      NULL,
      "<div>k<ul><li>l</ul></div>",
      { "<div>x<ul><li>f</ul></div>", "<div>y<ul><li>f</ul></div>" },
      "ul li #",
      "without what has none" },
    { "fast-content-extractor",
      NULL,
      "<div>k<div>home</div></div>",
      { "<div>x<div>home</div></div><div><div>z</div></div>",
        "<div>y<div>home</div></div>" },
      "div #",
      "blocks in it that were kept" },
    { "fast-content-extractor",
      whole,
      "<div>k<div>home</div></div>",
      { "<div>x<div>home</div></div><div><div>z</div></div>",
        "<div>y<div>home</div></div>" },
      "",
      "when only the whole is compared" },
};


int
main(void)
{
    test_figure();
    test_cosine();
    test_found(rows, sizeof(rows) / sizeof(rows[0]));
    dt_arena_destroy(arena);

    return done();
}
