
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/base/hash.h"
#include "core/detect/detect.h"
#include "core/detect/methods.h"
#include "t/core/detect.h"


#define MANY 1500
#define NODES 9


static uint64_t seed = 1;


static unsigned
any(unsigned n)
{
    seed = dt_mix(seed, 0x1234567);

    return (unsigned) ((seed >> 20) % n);
}


/* a random tree of up to n nodes, made by hand: no parser is needed */
static dt_dom_t *
grow(unsigned n, unsigned tags)
{
    uint32_t up[NODES + 1];
    dt_dom_t *dom = dt_arena_calloc(arena, 1, sizeof(dt_dom_t));
    dt_node_t *node;

    dom->n = 1 + any(n);
    dom->nodes = dt_arena_calloc(arena, dom->n, sizeof(dt_node_t));

    for (uint32_t i = 0, depth = 0; i < dom->n; i++) {
        /* the parent is the node before, or one above it */
        depth = i ? 1 + any(depth + 1) : 0;
        up[depth] = i;
        node = &dom->nodes[i];
        node->depth = depth;
        node->parent = depth ? up[depth - 1] : DT_DOM_NONE;
        node->tag = i ? 1 + any(tags) : 7;
        node->next = i + 1;

        if (depth) {
            node->index = dom->nodes[node->parent].nchildren++;
        }
    }

    for (uint32_t i = dom->n; i-- > 1;) {
        node = &dom->nodes[dom->nodes[i].parent];
        node->next =
            node->next < dom->nodes[i].next ? dom->nodes[i].next : node->next;
    }

    return dom;
}


/*
 * The least cost by trying all: what is below a and b may be mapped in order,
 * and below a pair with different tags nothing is.
 */
static unsigned brute(const dt_dom_t *a, uint32_t i, uint32_t i_end,
                      const dt_dom_t *b, uint32_t j, uint32_t j_end);

/* siblings from i up to i_end against those from j up to j_end */
static unsigned
brute(const dt_dom_t *a, uint32_t i, uint32_t i_end, const dt_dom_t *b,
      uint32_t j, uint32_t j_end)
{
    uint32_t x, y;
    unsigned best, cost;

    if (i >= i_end || j >= j_end) {
        return (i < i_end ? i_end - i : 0) + (j < j_end ? j_end - j : 0);
    }

    x = a->nodes[i].next;
    y = b->nodes[j].next;
    best = x - i + brute(a, x, i_end, b, j, j_end);
    cost = y - j + brute(a, i, i_end, b, y, j_end);
    best = cost < best ? cost : best;

    cost = a->nodes[i].tag == b->nodes[j].tag ? brute(a, i + 1, x, b, j + 1, y)
                                              : 1 + (x - i - 1) + (y - j - 1);
    cost += brute(a, x, i_end, b, y, j_end);

    return cost < best ? cost : best;
}


/* one to one, in order, same tag, parents with parents */
static int
sound(const dt_dom_t *a, const dt_dom_t *b, const uint32_t *map,
      uint32_t *kept)
{
    uint32_t last = 0;

    *kept = 0;

    for (uint32_t i = 0; i < a->n; i++) {
        if (map[i] == DT_DOM_NONE) {
            continue;
        }

        if (map[i] >= b->n || a->nodes[i].tag != b->nodes[map[i]].tag
            || (i && map[a->nodes[i].parent] != b->nodes[map[i]].parent)
            || (*kept && map[i] <= last))
        {
            return 0;
        }

        last = map[i];
        ++*kept;
    }

    return 1;
}


static void
test_least(void)
{
    unsigned least = 0, good = 0, adds = 0, over = 0, want;
    dt_dom_t *a, *b;
    dt_rtdm_t r;
    uint32_t map[NODES], kept, left;

    for (int i = 0; i < MANY; i++) {
        fresh();
        a = grow(NODES, 1 + any(3));
        b = grow(NODES, 1 + any(3));
        want = brute(a, 1, a->n, b, 1, b->n);

        r = (dt_rtdm_t){ 0, DT_RTDM_CELLS, 0 };
        dt_rtdm_map(&r, a, b, map);
        least += r.cost == want;
        good += (unsigned) sound(a, b, map, &kept);

        /* what is not kept costs 1, or 1 for two where it is replaced */
        left = a->n + b->n - 2 * kept;
        adds += r.cost <= left && 2 * r.cost >= left;

        r = (dt_rtdm_t){ 0, any(12), 0 };
        dt_rtdm_map(&r, a, b, map);
        over += r.cost >= want && sound(a, b, map, &kept);
    }

    is_int(least, MANY, "the least cost, as by trying all mappings");
    is_int(good, MANY, "and a mapping");
    is_int(adds, MANY, "of that cost");
    is_int(over, MANY, "out of cells: a mapping, not a cost below the least");
}


/* a template that stands in a page whole is found whole */
static void
test_find(void)
{
    unsigned same = 0, good = 0, found = 0, could = 0;
    dt_dom_t *a, *b;
    dt_rtdm_t r;
    uint32_t map[NODES], kept;
    int whole;

    for (int i = 0; i < MANY; i++) {
        fresh();
        a = grow(4, 1 + any(3));
        b = grow(NODES, 1 + any(3));
        r = (dt_rtdm_t){ 0, DT_RTDM_CELLS, 0 };
        dt_rtdm_map(&r, a, b, map);
        could += r.cost + a->n == b->n;

        dt_rtdm_find(a, b, 0, arena, map, &whole);
        good += sound(a, b, map, &kept) && whole == (kept == a->n)
                && (!whole || r.cost + a->n == b->n);
        found += (unsigned) whole;

        dt_rtdm_find(b, b, 0, arena, map, &whole);
        same += (unsigned) whole;
    }

    is_int(good, MANY, "found: a mapping, whole only where it can be");
    is_int(same, MANY, "a page is in itself");
    ok(could > 100 && found * 10 > could * 8, "most that can be found is");
}


typedef struct {
    const char *a;
    const char *b;
    int attrs;
    unsigned cost;
    const char *want; /* what of a is kept */
    const char *name;
} cost_t;

static const cost_t costs[] = {
    { "<p>a<p>b", "<p>a<p>b", 0, 0, "p # p #", "identical" },
    { "<p>a<p>b", "<p>a<p>c", 0, 1, "p # p", "a text is replaced" },
    { "<p>a", "<div>a</div>", 0, 3, "", "a replaced node takes all with it" },
    { "<ul><li>a</ul>x", "<ul><li>a</ul>y<p>z", 0, 3, "ul li #",
      "one replaced, two inserted" },
    { "<div><p>a<p>b<p>c</div>", "<div><p>b</div>", 0, 4, "div p #",
      "identical in the middle" },
    { "<b>x</b><i>a</i>", "<i>a</i><b>x</b>", 0, 4, "b #", "order counts" },
    { "<b></b><i></i>", "<i></i><hr>", 0, 2, "i",
      "what keeps a node goes before two that are replaced" },
    { "<p class=x>a", "<p class=y>a", 0, 0, "p #", "attributes do not" },
    { "<p class=x>a", "<p class=y>a", 1, 3, "", "but when asked for" },
    { "<p class=x>a", "<p class=x>a", 1, 0, "p #", "the same attributes" },
};


static void
test_costs(void)
{
    char out[MAX_OUT];
    uint8_t in[64];
    uint32_t map[64];
    dt_rtdm_t r;
    const dt_dom_t *a, *b;

    for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
        fresh();
        a = parse(costs[i].a);
        b = parse(costs[i].b);
        r = (dt_rtdm_t){ costs[i].attrs, DT_RTDM_CELLS, 0 };
        dt_rtdm_map(&r, a, b, map);

        for (uint32_t k = 0; k < a->n; k++) {
            in[k] = map[k] != DT_DOM_NONE;
        }

        list(a, in, out);
        is_str(out, strlen(out), costs[i].want, costs[i].name);
        is_int((long long) r.cost, costs[i].cost, "cost");
    }
}


/* options of the detector, as "evaluate" sets them */
static void
attrs(dt_detect_opts_t *o)
{
    is_int(dt_detect_opts_set(o, dt_str("rtdm-attrs"), 1), DT_OK, "an option");
    is_int(dt_detect_opts_set(o, dt_str("rtdm-none"), 1), DT_DECLINED,
           "no option");
}


static void
exact(dt_detect_opts_t *o)
{
    attrs(o);
    (void) dt_detect_opts_set(o, dt_str("rtdm-exact"), 1);
}


#define DE "<html lang=de>"
#define EN "<html lang=en>"
#define MENU "<ul><li>a<li>b</ul>"
#define FOOT "<div>foot</div>"

static const found_t rows[] = {
    { "rtdm-td",
      NULL,
      MENU "<p>k" FOOT,
      { MENU "<p>x" FOOT, MENU "<p>y<p>z" FOOT },
      "ul li # li # p div #",
      "what two pages share, in a third" },
    { "rtdm-td",
      NULL,
      MENU "<p>x" FOOT,
      { MENU "<p>x" FOOT, MENU "<p>x" FOOT },
      "ul li # li # p # div #",
      "what they share is template, whatever it is" },
    { "rtdm-td",
      NULL,
      "<h1>k</h1>" FOOT,
      { MENU "<p>x" FOOT, MENU "<p>y" FOOT },
      "div #",
      "a page without a part of it" },
    { "rtdm-td",
      NULL,
      MENU "<p>k" FOOT,
      { MENU "<p>x" FOOT, "<table><tr><td>y</table>", MENU "<p>x" FOOT },
      "",
      "a page of another layout leaves nothing" },
    { "rtdm-td",
      NULL,
      MENU "<p>k<p>l",
      { MENU "<p>m<p>n<p>o" },
      "ul li # li # p p",
      "one page" },
    { "rtdm-td",
      attrs,
      DE MENU "<p>k",
      { DE MENU "<p>m", DE MENU "<p>n" },
      "ul li # li # p",
      "attributes count" },
    { "rtdm-td",
      attrs,
      DE MENU "<p>k",
      { EN MENU "<p>m", EN MENU "<p>n" },
      "",
      "the key page has another root" },
    { "rtdm-td",
      attrs,
      DE MENU "<p>k",
      { DE MENU "<p>m", EN MENU "<p>n" },
      "",
      "pages with two roots" },
    { "rtdm-td",
      exact,
      DE MENU "<p>k",
      { DE MENU "<p>m", DE MENU "<p>n" },
      "ul li # li # p",
      "exact" },
    { "rtdm-td",
      exact,
      DE MENU "<p>k",
      { EN MENU "<p>m", EN MENU "<p>n" },
      "",
      "exact: another root" },
    { "rtdm-td",
      exact,
      DE MENU "<p>k",
      { DE MENU "<p>m", EN MENU "<p>n" },
      "",
      "exact: pages with two roots" },
};


int
main(void)
{
    test_least();
    test_find();
    test_costs();
    test_found(rows, sizeof(rows) / sizeof(rows[0]));

    dt_arena_destroy(arena);

    return done();
}
