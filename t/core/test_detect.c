
/*
 * Copyright (C) The detemplate authors
 */


#include "core/detect/methods.h"
#include "t/core/detect.h"


/*
 * A key page, another, and which node of the first is mapped to which of the
 * second: what of body is mapped, as a:b, by the places in preorder behind
 * body, from 0.
 */
typedef struct {
    const char *key;
    const char *page;
    const char *want;
    const char *name;
} row_t;

static const row_t maps[] = {
    { "<p>a<p>b", "<p>a<p>b", "0:0 1:1 2:2 3:3", "the same page" },
    { "<p>a", "<p>b", "0:0 1:1", "other text" },
    { "<p>a", "<div>a</div>", "", "other tag" },
    { "<div><p>a</div>", "<ul><p>a</ul>", "", "no child without its parent" },
    { "<div><p><i>a</i></div>", "<div><h1><i>a</i></h1></div>", "0:0",
      "nor below it" },

    /* body has the same number of children: place and count decide */
    { "<p class=x>a<p>b", "<p>a<p class=x>b", "0:0 1:1 2:2 3:3",
      "class counts for a tenth" },
    { "<p class=x y=1>a<p>b<p>c", "<p>a<p>b<p class=x y=1>c",
      "0:4 1:5 2:2 3:3", "class and attributes go before place" },
    { "<p class=x y=1>a<p>b<p>c", "<p>a<p>b<p class='x z' y=1>c",
      "0:0 1:1 2:2 3:3 4:4 5:5", "one class more and place wins" },
    { "<p y=1>a<p>b<p>c", "<p>a<p>b<p y=2>c", "0:0 1:1 2:2 3:3 4:4 5:5",
      "other attributes and place wins" },

    /* same id: always; other ids count for nothing */
    { "<p>a<p>b<p>c<p id=x>d", "<p id=x>a<p>b<p>c<p>d",
      "2:2 3:3 4:4 5:5 6:0 7:1", "id before place" },
    { "<div id=x>a<p>b<p>c<p>d</div>", "<div id=x>e</div>", "0:0 1:1",
      "id before children" },
    { "<div id=x>a</div>", "<p id=x>a", "", "not before tag" },
    { "<p id=x>a", "<p id=y>a", "0:0 1:1", "other ids" },
    { "<p id=x>a", "<p id=''>a", "0:0 1:1", "empty id" },

    /* 0.1 + 0.4 + 0.5 * 3/4 is not enough, 4/5 is */
    { "<ul><li>a<li>b<li>c</ul>", "<ul><li>a<li>b<li>c<li>d</ul>", "",
      "3 of 4 children" },
    { "<ul><li>a<li>b<li>c<li>d</ul>", "<ul><li>a<li>b<li>c<li>d<li>e</ul>",
      "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8", "4 of 5 children" },
    { "<ul class=x><li>a<li>b<li>c<li>d</ul>",
      "<ul class=y><li>a<li>b<li>c<li>d<li>e</ul>", "", "with other classes" },
    { "<ul x=1><li>a</ul>", "<ul x=1><li>a<li>b<li>c</ul>", "0:0 1:1 2:2",
      "children do not count where all else is alike" },

    /* in a window: one child was inserted before */
    { "<div id=d><p>a<p>b<p>c</div>", "<div id=d><p>n<p>a<p>b<p>c</div>",
      "0:0 1:3 2:4 3:5 4:6 5:7 6:8", "moved by one, saying the same" },
    { "<div id=d><h1>a</h1><p>b<h2>c</h2></div>",
      "<div id=d><h3>n</h3><h1>a</h1><p>b<h2>c</h2></div>",
      "0:0 1:3 2:4 3:5 4:6 5:7 6:8", "moved by one, other tags around" },
    { "<div id=d><hr><hr><hr><hr><h1>a</h1></div>",
      "<div id=d><h1>a</h1><hr><hr><hr><hr></div>", "0:0 2:3 3:4 4:5",
      "too far for the heading and one line" },

    /* html, head and body are always equal */
    { "<p id=x>a", "<p id=x>a<hr><hr><hr><hr><hr>", "0:0 1:1", "other body" },

    /* texts */
    { "a<br>b<br>c", "c<br>a<br>b", "0:2 1:1 2:4 3:3 4:0",
      "texts that say the same" },
    { "a<br>b<br>c", "x<br>b<br>y", "0:0 1:1 2:2 3:3 4:4",
      "else the place among the texts" },
    { "<div id=d>a<br>b</div>", "<div id=d><br>x</div>", "0:0 1:2 2:1",
      "first with first" },
    { "<p id=x>a</p>", "<p id=x><b>a</b></p>", "0:0", "text is no element" },
};


static void
test_maps(void)
{
    const row_t *r;
    const dt_dom_t *key, *page;
    char out[MAX_OUT];
    uint32_t *map;
    size_t len;
    int full;

    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        r = &maps[i];
        fresh();
        key = parse(r->key);
        page = parse(r->page);
        map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));
        dt_etdm_map(key, page, arena, map, &full);
        out[0] = '\0';
        len = 0;

        for (uint32_t k = key->body + 1; k < key->n; k++) {
            if (map[k] != DT_DOM_NONE) {
                len += (size_t) snprintf(out + len, 32, "%s%u:%u",
                                         len ? " " : "", k - key->body - 1,
                                         map[k] - page->body - 1);
            }
        }

        is_str(out, len, r->want, r->name);
    }
}


/* a key page, candidates, votes, and what of the key page is template */
typedef struct {
    const char *detector;
    unsigned votes;
    const char *key;
    const char *pages[MAX_PAGES];
    const char *want;
    const char *name;
} vote_t;

#define MENU "<ul id=menu><li>a</ul>"
#define FOOT "<div id=foot>b</div>"

static const vote_t votes[] = {
    { "etdm",
      1,
      MENU FOOT "<p>c",
      { MENU "<h1>x</h1><h2>y</h2>", "<h3>z</h3>" FOOT "<h2>y</h2>" },
      "ul li # div #",
      "one vote: the union of disjoint templates" },
    { "etdm",
      2,
      MENU FOOT "<p>c",
      { MENU "<h1>x</h1><h2>y</h2>", "<h3>z</h3>" FOOT "<h2>y</h2>" },
      "",
      "two votes: nothing of them" },
    { "etdm",
      2,
      MENU FOOT "<p>c",
      { MENU FOOT "<h2>y</h2>", MENU "<h1>x</h1><h2>y</h2>",
        "<h3>z</h3>" FOOT "<h2>y</h2>" },
      "ul li # div #",
      "two of three" },
    { "etdm",
      2,
      MENU FOOT "<p>c",
      { MENU "<h4>y</h4><h2>y</h2>", MENU "<h1>x</h1><h2>y</h2>",
        "<h3>z</h3>" FOOT "<h2>y</h2>" },
      "ul li #",
      "two of three, the other one of three" },
    { "etdm",
      3,
      MENU FOOT "<p>c",
      { MENU FOOT "<h2>y</h2>", MENU FOOT "<h2>y</h2>",
        "<h3>z</h3>" FOOT "<h2>y</h2>" },
      "div #",
      "three of three" },
    { "etdm",
      2,
      MENU "<p>c",
      { MENU "<p>c", MENU "<h1>x</h1>", MENU "<h2>y</h2>" },
      "ul li #",
      "the key page again: still two others" },
    { "etdm",
      2,
      MENU "<p>c",
      { MENU "<p>c", MENU "<p>c", MENU "<h2>y</h2>" },
      "",
      "twice: not enough others" },
    { "etdm", 2, MENU "<p>c", { MENU "<p>c" }, "", "alone: says nothing" },
    { "etdm",
      2,
      MENU "<p>c",
      { MENU "<h1>x</h1>" },
      "ul li #",
      "fewer candidates than votes" },
    { "etdm", 2, MENU "<p>c", { NULL }, "", "no candidate" },

    { "etdm-all",
      2,
      MENU FOOT "<p>c",
      { MENU FOOT "<h2>y</h2>", MENU "<h1>x</h1><h2>y</h2>",
        MENU FOOT "<h2>y</h2>" },
      "ul li #",
      "all of them" },
    { "etdm-all",
      2,
      MENU "<p>c",
      { MENU "<p>c" },
      "ul li # p #",
      "the key page again" },
    { "etdm-all", 2, MENU "<p>c", { NULL }, "", "all of none" },
};


static void
test_votes(void)
{
    const vote_t *v;
    const dt_detector_t *d;
    const dt_dom_t *key, *pages[MAX_PAGES];
    dt_detect_opts_t o;
    char out[MAX_OUT];
    uint8_t *in;
    size_t n;

    for (size_t i = 0; i < sizeof(votes) / sizeof(votes[0]); i++) {
        v = &votes[i];
        fresh();
        key = parse(v->key);

        for (n = 0; n < MAX_PAGES && v->pages[n] != NULL; n++) {
            pages[n] = parse(v->pages[n]);
        }

        dt_detect_opts_init(&o);
        o.votes = v->votes;
        in = dt_arena_alloc(arena, key->n);
        memset(in, 0xff, key->n);
        d = dt_detector_find(dt_cstr(v->detector));
        dt_detect(d, key, pages, n, &o, arena, in);
        list(key, in, out);

        is_str(out, strlen(out), v->want, v->name);
    }
}


/*
 * The refined template is what the next page is compared with: after a first
 * page without the <hr>s, what is left has as many children as the second.
 */
static void
test_refined(void)
{
    const char *key, *one, *two;
    const dt_dom_t *pages[2], *dom;
    dt_detect_opts_t o;
    uint8_t in[64];
    char out[MAX_OUT];

    fresh();
    dt_detect_opts_init(&o);
    key = "<div id=d><i>a</i><hr><hr><hr><p>b</div>";
    one = "<div id=d><i>a</i><p>b</div>";
    two = "<div><i>a</i><p>b</div>";
    dom = parse(key);
    pages[0] = parse(one);
    pages[1] = parse(two);

    dt_detect(dt_detector_find(dt_str("etdm-all")), dom, pages, 2, &o, arena,
              in);
    list(dom, in, out);
    is_str(out, strlen(out), "div i # p #", "refined by each in turn");

    pages[0] = parse(two);
    pages[1] = parse(one);
    dt_detect(dt_detector_find(dt_str("etdm-all")), dom, pages, 2, &o, arena,
              in);
    list(dom, in, out);
    is_str(out, strlen(out), "", "in another order");
}


/* a key page that is one of the pages does not count as one */
static void
test_own(void)
{
    const dt_dom_t *key, *pages[3], *other;
    dt_detect_opts_t o;
    uint8_t in[64];
    char with[MAX_OUT], out[MAX_OUT], name[64];

    for (size_t d = 0; dt_detectors[d] != NULL; d++) {
        fresh();
        dt_detect_opts_init(&o);
        key = parse(MENU FOOT "<p>c");
        other = parse(MENU FOOT "<h2>y</h2><h3>z</h3>");
        pages[0] = pages[2] = key;
        pages[1] = other;

        dt_detect(dt_detectors[d], key, pages, 1, &o, arena, in);
        list(key, in, out);
        snprintf(name, sizeof(name), "%s: alone", dt_detectors[d]->name);
        is_str(out, strlen(out), "", name);

        if (d > 1) {
            continue;
        }

        o.votes = 1;
        dt_detect(dt_detectors[d], key, pages, 3, &o, arena, in);
        list(key, in, with);
        dt_detect(dt_detectors[d], key, &other, 1, &o, arena, in);
        list(key, in, out);
        snprintf(name, sizeof(name), "%s: with itself", dt_detectors[d]->name);
        is_str(with, strlen(with), out, name);
    }
}


/* before, n times piece with its number, after */
static char *
repeat(const char *before, const char *piece, unsigned from, unsigned n,
       const char *after)
{
    size_t room = n * (strlen(piece) + 16) + 256, len;
    char *s = dt_arena_alloc(arena, room);

    len = (size_t) snprintf(s, room, "%s", before);

    for (unsigned i = from; i < from + n; i++) {
        len += (size_t) snprintf(s + len, room - len, "<%s>%u</%s>", piece, i,
                                 piece);
    }

    snprintf(s + len, room - len, "%s", after);

    return s;
}


static void
test_wide(void)
{
    const dt_dom_t *key, *page;
    uint32_t *map, right = 0, mapped = 0, twice = 0, base, there;
    uint8_t *seen;
    int full;

    fresh();
    key = parse(repeat("<ul id=u>", "li", 0, 20000, "</ul>"));
    page = parse(repeat("<ul id=u>", "li", 0, 20000, "</ul>"));
    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));

    is_int(dt_etdm_map(key, page, arena, map, &full), DT_OK, "a wide list");
    ok(full, "is mapped whole");

    /* 100 are gone from the front and are new at the end */
    page = parse(repeat("<ul id=u>", "li", 100, 20000, "</ul>"));
    dt_etdm_map(key, page, arena, map, &full);
    seen = dt_arena_calloc(arena, page->n, 1);
    base = key->body + 2;
    there = page->body + 2;

    for (uint32_t i = base; i < key->n; i += 2) {
        if (map[i] != DT_DOM_NONE) {
            mapped++;
            twice += seen[map[i]]++;
            right += i - base == map[i] - there + 200;
        }
    }

    is_int(right, 19900, "what says the same is found");
    is_int(twice, 0, "nothing is mapped to twice");
    ok(mapped >= right, "the rest by place");

    /* nothing says the same: only places are left */
    page = parse(repeat("<ul id=u>", "li", 50000, 20010, "</ul>"));
    dt_etdm_map(key, page, arena, map, &full);
    ok(full, "other texts, other number");
}


static void
test_properties(const char *a, const char *b)
{
    const dt_dom_t *key, *page;
    const dt_node_t *x, *y;
    uint32_t map[512];
    uint8_t seen[512] = { 0 };
    int full, sound = 1;

    fresh();
    key = parse(a);
    page = parse(b);
    dt_etdm_map(key, page, arena, map, &full);

    for (uint32_t i = 0; i < key->n; i++) {
        if (map[i] == DT_DOM_NONE) {
            continue;
        }

        x = &key->nodes[i];
        y = &page->nodes[map[i]];
        sound &= !seen[map[i]]++ && x->tag == y->tag && x->kind == y->kind
                 && x->depth == y->depth
                 && (i == 0 || map[x->parent] == y->parent);
    }

    ok(sound, "top-down, one to one, same tag");
}


static void
test_rank(void)
{
    const dt_dom_t *a, *b;

    fresh();
    a = parse("<div><i id=x>a</i><i id=y k=1>b</i></div>");
    b = parse("<div><i id=y z=1><b>c</b></i><i k=1>d</i></div>");

    /* html 0, head 1, body 2, div 3, i 4 and 6; in b the second is at 7 */
    ok(dt_equal_rank(a, b, 6, 4) > dt_equal_rank(a, b, 6, 7)
           && dt_equal_rank(a, b, 6, 7) >= DT_EQUAL,
       "same id is more than all alike");
    ok(dt_equal_rank(a, b, 3, 4) == 0, "other tag");
}


static void
test_memory(void)
{
    const dt_dom_t *key, *pages[1];
    dt_detect_opts_t o;
    unsigned failed = 0, fine = 0;
    uint8_t in[64];
    dt_arena_t *a;

    fresh();
    dt_detect_opts_init(&o);
    key = parse(MENU FOOT);
    pages[0] = parse(MENU FOOT "<p>x");

    for (int d = 0; dt_detectors[d] != NULL; d++) {
        for (size_t cap = 0; cap < (1u << 18); cap += 997) {
            a = dt_arena_create(cap);

            switch (dt_detect(dt_detectors[d], key, pages, 1, &o, a, in)) {
            case DT_OK:
                fine++;
                break;
            case DT_ENOMEM:
                failed++;
                break;
            default:
                failed = 1u << 31;
            }

            dt_arena_destroy(a);
        }
    }

    ok(fine > 0 && failed > 0 && failed < 10000, "any cap of memory");
}


int
main(void)
{
    ok(dt_detectors[0] == dt_detector_find(dt_str("etdm")), "the default");
    ok(dt_detector_find(dt_str("etdm-al")) == NULL, "no such detector");
    ok(dt_detector_find(dt_str("")) == NULL, "no name");

    test_maps();
    test_votes();
    test_refined();
    test_own();
    test_wide();
    test_properties(MENU "<div><p>a<p class=x>b<b>c</b></div>" FOOT,
                    "<div><p class=x>c<p>b</div>" FOOT MENU);
    test_rank();
    test_memory();

    dt_arena_destroy(arena);

    return done();
}
