
/*
 * Copyright (C) The detemplate authors
 *
 * The detectors that count: template-hash and shingles.
 */


#include "core/detect/methods.h"
#include "t/core/detect.h"


#define MENU "<ul><li>a</ul>"
#define LONG                                                                  \
    "The quick brown fox jumps over the lazy dog, while eleven more "         \
    "foxes look on and say that nobody ever asked them to jump."


/* sampling keeps or drops a fragment on every page alike */
static void
test_sampling(void)
{
    dt_shingles_t a, b;
    unsigned common = 0, inside = 0, all;

    fresh();
    dt_shingles_make(parse("<p>" LONG), 16, 0, arena, &a);
    all = a.n;
    is_int(all, (long long) sizeof(LONG) - 15, "a fragment at each byte");

    dt_shingles_make(parse("<p>" LONG), 16, 4, arena, &a);
    ok(a.n > all / 8 && a.n < all / 2, "about one in four is kept");

    /* the same text behind others, in other elements and white space */
    dt_shingles_make(parse("<div>Before.<b>it</b> The  quick <i>brown</i>\n"
                           "fox<p>" LONG "</div>after"),
                     16, 4, arena, &b);

    for (uint32_t i = 0; i < a.n; i++) {
        for (uint32_t k = 0; k < b.n; k++) {
            if (a.hashes[i] == b.hashes[k]) {
                common++;
                break;
            }
        }
    }

    is_int(common, a.n, "what is kept on one page is kept on another");

    for (uint32_t k = 0; k < b.n; k++) {
        for (uint32_t i = 0; i <= a.len - 16; i++) {
            if (memcmp(b.text + b.at[k], a.text + i, 16) == 0) {
                inside++;
                break;
            }
        }
    }

    ok(inside >= a.n, "and the other way round");
    is_str(b.text, 31, "Before. it The quick brown fox ",
           "texts with a space between, white space folded");
}


static void
gap0(dt_detect_opts_t *o)
{
    o->hash_gap = 0;
}


static void
low80(dt_detect_opts_t *o)
{
    o->hash_low = 80;
}


static void
high100(dt_detect_opts_t *o)
{
    o->hash_high = 100;
}


static void
sample(dt_detect_opts_t *o)
{
    o->shingle_pages = 1;
    o->shingle_density = 0;
    o->shingle_share = 60;
}


static void
all(dt_detect_opts_t *o)
{
    o->shingle_density = 0;
    o->shingle_share = 60;
}


static void
wide(dt_detect_opts_t *o)
{
    o->shingle_window = 2000;
}


static const found_t rows[] = {
    { "template-hash",
      NULL,
      MENU "<p>k l m",
      { MENU "<p>x", MENU "<p>y" },
      "ul li #",
      "a node on all pages" },
    { "template-hash",
      NULL,
      MENU "<p>k l m",
      { "<p>x", "<p>y", MENU "<p>z" },
      "ul li #",
      "on half, with the key page" },
    { "template-hash",
      NULL,
      MENU "<p>k l m",
      { MENU "<p>x" },
      "ul li #",
      "twice at the least" },
    { "template-hash",
      low80,
      MENU "<p>k l m",
      { "<p>x", "<p>y", MENU "<p>z" },
      "",
      "below the lower threshold" },
    { "template-hash",
      NULL,
      "<p>k l m<p>k l m",
      { "<p>x", "<p>y" },
      "p # p #",
      "occurrences count, not pages" },
    { "template-hash",
      high100,
      "<p>z<p>z<hr>",
      { "<p>z<hr>", "<p>z<hr>" },
      "hr",
      "above the upper threshold" },
    { "template-hash",
      NULL,
      "<ul id=a><li>a</ul><p>k l m",
      { "<ul id=b><li>a</ul>", "<ul id=c><li>a</ul>" },
      "li #",
      "attributes are part of a node" },
    { "template-hash",
      NULL,
      "<h1>a</h1><b>two words</b><h2>b</h2><p>k l m",
      { "<h1>a</h1><b>x</b><h2>b</h2>", "<h1>a</h1><b>y</b><h2>b</h2>" },
      "h1 # b # h2 #",
      "a gap of two words" },
    { "template-hash",
      NULL,
      "<h1>a</h1><b>three words here</b><h2>b</h2><p>k l m",
      { "<h1>a</h1><b>x</b><h2>b</h2>", "<h1>a</h1><b>y</b><h2>b</h2>" },
      "h1 # h2 #",
      "of three: too wide" },
    { "template-hash",
      gap0,
      "<h1>a</h1><b>word</b><hr id=x><h2>b</h2><img><p>k l m",
      { "<h1>a</h1><b>x</b><h2>b</h2>", "<h1>a</h1><b>y</b><h2>b</h2>" },
      "h1 # h2 #",
      "no gap allowed" },
    { "template-hash",
      gap0,
      "<h1>a</h1><hr id=x><h2>b</h2><p>k l m",
      { "<h1>a</h1><b>x</b><h2>b</h2>", "<h1>a</h1><b>y</b><h2>b</h2>" },
      "h1 # hr h2 #",
      "but for what has no words" },

    { "shingles",
      NULL,
      "<h1>k</h1><p>" LONG "<p>l m n o p q r s t u v w x y z",
      { "<p>" LONG "<p>1", "<h2>2</h2><p>" LONG },
      "p #",
      "a text on all pages" },
    { "shingles",
      NULL,
      "<ul><li>" LONG "<li>and<li>more</ul><p>key page",
      { "<p>1<ul><li>" LONG "<li>and<li>more</ul>",
        "<p>2<ul><li>" LONG "<li>and<li>more</ul><hr>" },
      "ul li # li # li #",
      "short ones with the long one before them" },
    { "shingles",
      NULL,
      "<p>" LONG "<p>" LONG LONG "k",
      { "<h1>x</h1>" },
      "p # p #",
      "occurrences count" },
    { "shingles",
      NULL,
      "<p>" LONG,
      { "<h1>x</h1>" },
      "",
      "twice at the least" },
    { "shingles",
      sample,
      "<p>" LONG "<h1>k</h1>",
      { "<h1>x</h1>", "<p>" LONG, "<p>" LONG },
      "",
      "only the sample is counted" },
    { "shingles",
      all,
      "<p>" LONG "<h1>k</h1>",
      { "<h1>x</h1>", "<p>" LONG, "<p>" LONG },
      "p #",
      "three of four pages: more than 60 %" },
    { "shingles",
      all,
      "<p>" LONG "<h1>k</h1>",
      { "<h1>x</h1>", "<h1>y</h1>", "<p>" LONG },
      "",
      "two: not enough" },
    { "shingles",
      wide,
      "<p>" LONG,
      { "<p>" LONG },
      "",
      "a window that is longer than pages" },
};


/* a key page that is one of the pages has been counted once already */
static void
test_among(const char *detector, const char *text)
{
    char out[MAX_OUT];
    uint8_t in[64];
    const dt_dom_t *key, *pages[2];
    dt_detect_opts_t o;
    const dt_detector_t *d = dt_detector_find(dt_cstr(detector));

    fresh();
    dt_detect_opts_init(&o);
    key = parse(text);
    pages[0] = parse("<h1>x</h1>");
    pages[1] = key;

    is_int(dt_detect(d, key, pages, 2, &o, arena, in), DT_OK, detector);
    list(key, in, out);
    is_str(out, strlen(out), "", "nothing is on two pages");

    pages[0] = parse(text);
    is_int(dt_detect(d, key, pages, 2, &o, arena, in), DT_OK, detector);
    list(key, in, out);
    is_str(out, strlen(out), "p #", "something is");
}


/* more bytes than can be counted are sampled */
static void
test_bytes(void)
{
    char *text;
    size_t i, n = (1u << 21) + 100000;
    uint8_t in[64];
    const dt_dom_t *key, *pages[1];
    dt_detect_opts_t o;

    text = malloc(n + 1);
    if (text == NULL) {
        return;
    }

    memcpy(text, "<p>", 3);

    for (i = 3; i < n; i++) {
        text[i] = (char) ('a' + i * i % 23);
    }

    text[n] = '\0';
    fresh();
    dt_detect_opts_init(&o);
    o.shingle_density = 1;
    key = pages[0] = parse(text);
    is_int(dt_detect(dt_detector_find(dt_str("shingles")), key, pages, 1, &o,
                     arena, in),
           DT_OK, "2 MB of text");
    free(text);
}


int
main(void)
{
    test_sampling();
    test_among("template-hash", "<p>" LONG);
    test_among("shingles", "<p>" LONG);
    test_bytes();
    test_found(rows, sizeof(rows) / sizeof(rows[0]));
    dt_arena_destroy(arena);

    return done();
}
