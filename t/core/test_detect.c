
/*
 * Copyright (C) The detemplate authors
 */


#include <math.h>

#include "core/detect/content.h"
#include "core/detect/etdm.h"
#include "core/detect/sst.h"
#include "core/detect/tree.h"
#include "t/core/detect.h"


#define MENU "<ul id=menu><li>a</ul>"
#define FOOT "<div id=foot>b</div>"


/* the options behind a detector's name are set */
static const dt_detector_t *
detector(char *text, dt_detect_opts_t *o)
{
    char *value, *name = strtok(text, " ");

    dt_detect_opts_init(o);

    while ((value = strtok(NULL, " ")) != NULL) {
        dt_str_t option = { strcspn(value, "="), value };

        is_int(dt_detect_opts_set(o, option,
                                  (unsigned) atoi(value + option.len + 1)),
               DT_OK, "an option");
    }

    return dt_detector_find(dt_cstr(name));
}


static void
found_is(const row_t *row)
{
    char out[MAX_OUT], *text = strdup(row->part[1].all);
    uint8_t *in;
    size_t n;
    const dt_dom_t *key, *pages[MAX_PAGES];
    const dt_detector_t *d;
    dt_detect_opts_t o;

    fresh();
    d = detector(text, &o);
    key = parse(row->part[3].all);
    n = parse_row(row, 4, pages);
    in = dt_arena_alloc(arena, key->n);
    memset(in, 0xff, key->n);

    if (dt_detect(d, key, pages, n, &o, arena, in) != DT_OK) {
        ok(0, row->part[0].all);

    } else {
        list(key, in, out);
        list_is(out, row, 2);
    }

    free(text);
}


/* what of the body is mapped, as a:b, by the places in preorder behind it */
static void
map_is(const row_t *row)
{
    const dt_dom_t *pages[2];
    char out[MAX_OUT] = "";
    uint32_t *map;
    size_t len = 0;
    int full;
    dt_detect_opts_t o;

    fresh();
    dt_detect_opts_init(&o);
    (void) parse_row(row, 2, pages);
    map = dt_arena_calloc(arena, pages[0]->n, sizeof(uint32_t));
    dt_etdm_map(&o, pages[0], pages[1], arena, map, &full);

    for (uint32_t k = pages[0]->body + 1; k < pages[0]->n; k++) {
        if (map[k] != DT_DOM_NONE) {
            len += (size_t) snprintf(out + len, 32, "%s%u:%u", len ? " " : "",
                                     k - pages[0]->body - 1,
                                     map[k] - pages[1]->body - 1);
        }
    }

    list_is(out, row, 1);
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
    dt_detect_opts_t o;

    fresh();
    dt_detect_opts_init(&o);
    key = parse(repeat("<ul id=u>", "li", 0, 20000, "</ul>"));
    page = parse(repeat("<ul id=u>", "li", 0, 20000, "</ul>"));
    map = dt_arena_calloc(arena, key->n, sizeof(uint32_t));

    is_int(dt_etdm_map(&o, key, page, arena, map, &full), DT_OK,
           "a wide list");
    ok(full, "is mapped whole");

    /* 100 are gone from the front and are new at the end */
    page = parse(repeat("<ul id=u>", "li", 100, 20000, "</ul>"));
    dt_etdm_map(&o, key, page, arena, map, &full);
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
    dt_etdm_map(&o, key, page, arena, map, &full);
    mapped = 0;

    for (uint32_t i = base; i < key->n; i += 2) {
        mapped += map[i] != DT_DOM_NONE && map[i + 1] == DT_DOM_NONE;
    }

    is_int(mapped, 20000, "other texts, other number");
}


static void
test_properties(const char *a, const char *b)
{
    const dt_dom_t *key, *page;
    const dt_node_t *x, *y;
    uint32_t map[512];
    uint8_t seen[512] = { 0 };
    int full, sound = 1;
    dt_detect_opts_t o;

    fresh();
    dt_detect_opts_init(&o);
    key = parse(a);
    page = parse(b);
    dt_etdm_map(&o, key, page, arena, map, &full);

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
    dt_detect_opts_t o;

    fresh();
    dt_detect_opts_init(&o);
    a = parse("<div><i id=x>a</i><i id=y k=1>b</i></div>");
    b = parse("<div><i id=y z=1><b>c</b></i><i k=1>d</i></div>");

    /* html 0, head 1, body 2, div 3, i 4 and 6; in b the second is at 7 */
    ok(dt_equal_rank(&o, a, b, 6, 4) > dt_equal_rank(&o, a, b, 6, 7)
           && dt_equal(&o, dt_equal_rank(&o, a, b, 6, 7)),
       "same id is more than all alike");
    ok(dt_equal_rank(&o, a, b, 3, 4) == 0, "other tag");
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


static void
cosine_is(const row_t *row)
{
    uint64_t steps = 1000;
    char page[256];
    int want = atoi(row->part[1].all);
    dt_blocks_t x, y;

    fresh();
    snprintf(page, sizeof(page), "<p>%s</p>", row->part[2].all);
    dt_blocks_make(parse(page), arena, &x);
    snprintf(page, sizeof(page), "<p>%s</p>", row->part[3].all);
    dt_blocks_make(parse(page), arena, &y);

    is_int(lround(dt_block_cosine(&x.blocks[2], &y.blocks[2]) * 1000), want,
           row->part[0].all);
    is_int(dt_block_similar(&x.blocks[2], &y.blocks[2], &steps), want > 900,
           "above 0.9 is similar");
    steps = 1;
    is_int(dt_block_similar(&x.blocks[2], &y.blocks[2], &steps),
           x.blocks[2].hash == y.blocks[2].hash,
           "without steps, the same terms are");
}


static void
importance_is(const row_t *row)
{
    char out[MAX_OUT] = "";
    size_t n, len = 0;
    const dt_dom_t *pages[MAX_PAGES];
    dt_detect_opts_t o;
    dt_sst_t *sst;

    fresh();
    dt_detect_opts_init(&o);
    n = parse_row(row, 2, pages);
    dt_sst_make(pages, n, &o, arena, &sst);

    for (uint32_t k = pages[0]->body + 1; k < pages[0]->n; k++) {
        len += (size_t) snprintf(
            out + len, 16, "%s%.0f", len ? " " : "",
            fabs(dt_sst_importance(sst, pages[0], k, arena) * 1000));
    }

    list_is(out, row, 1);
}


int
main(void)
{
    dt_detect_opts_t o;

    ok(dt_detectors[0] == dt_detector_find(dt_str("etdm")), "the default");
    ok(dt_detector_find(dt_str("etdm-al")) == NULL, "no such detector");
    ok(dt_detector_find(dt_str("")) == NULL, "no name");

    is_int(dt_detect_opts_set(&o, dt_str("rtdm-none"), 1), DT_DECLINED,
           "no option");

    rows("detect", "found", found_is);
    rows("detect", "maps", map_is);
    rows("detect", "importance", importance_is);
    rows("detect", "cosines", cosine_is);
    test_figure();
    test_own();
    test_wide();
    test_properties(MENU "<div><p>a<p class=x>b<b>c</b></div>" FOOT,
                    "<div><p class=x>c<p>b</div>" FOOT MENU);
    test_rank();
    test_memory();

    dt_arena_destroy(arena);

    return done();
}
