
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"
#include "core/detect/rtdm.h"
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


static void
cost_is(const row_t *row)
{
    char out[MAX_OUT];
    uint8_t in[64];
    uint32_t map[64];
    dt_rtdm_t r = { strcmp(row->part[1].all, "attributes") == 0, DT_RTDM_CELLS,
                    0 };
    const dt_dom_t *pages[2];

    fresh();
    (void) parse_row(row, 4, pages);
    dt_rtdm_map(&r, pages[0], pages[1], map);

    for (uint32_t k = 0; k < pages[0]->n; k++) {
        in[k] = map[k] != DT_DOM_NONE;
    }

    list(pages[0], in, out);
    list_is(out, row, 3);
    is_int((long long) r.cost, atoi(row->part[2].all), "cost");
}


int
main(void)
{
    test_least();
    test_find();
    rows("detect", "costs", cost_is);

    dt_arena_destroy(arena);

    return done();
}
