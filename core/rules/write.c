
/*
 * Copyright (C) The detemplate authors
 *
 * Writes decisions into the tables that requests look up.
 */


#include "core/rules/write.h"
#include "core/rules/shapes.h"
#include "core/template/template.h"


#define DT_FIRST_SPARSE 64 /* at most one bit in this number is set */


/* the words that are cut alone at a place, and below it, over all pages */
typedef struct {
    uint64_t words;
    uint64_t elements; /* that stand there */
    unsigned cut;      /* some are cut */
} dt_gain_t;


/* allocates an empty table for n keys, of 1 << bits slots or more; info: with
   values beside the keys */
static dt_status_t
dt_table_alloc(dt_table_t *t, uint64_t n, unsigned bits, int info,
               dt_arena_t *a)
{
    for (t->bits = bits; ((uint64_t) 1 << t->bits) < 2 * n; t->bits++) {
        /* void */
    }

    t->info = NULL;
    t->keys = dt_arena_calloc(a, (size_t) 1 << t->bits, sizeof(uint64_t));

    if (info) {
        t->info = dt_arena_calloc(a, (size_t) 1 << t->bits, sizeof(uint32_t));
    }

    return t->keys && (t->info || !info) ? DT_OK : DT_ENOMEM;
}


/* adds a key, if it is not there yet; returns its slot */
static size_t
dt_table_add(dt_table_t *t, uint64_t key)
{
    size_t i, mask = ((size_t) 1 << t->bits) - 1;

    for (i = dt_hash_home(key, t->bits); t->keys[i] && t->keys[i] != key;
         i = (i + 1) & mask)
    {
        /* void */
    }

    t->keys[i] = key;

    return i;
}


/*
 * Makes a table as small as its keys allow.  Their number is known only after
 * all decisions, and a request waits for each line of memory that it reads.
 */
static dt_status_t
dt_table_fit(dt_table_t *t, dt_arena_t *a)
{
    size_t i, slot;
    unsigned bits;
    uint64_t n;
    dt_table_t small;

    (void) dt_table_run(t->keys, t->bits, &n);

    for (bits = 4; bits < t->bits; bits = small.bits + 1) {
        if (dt_table_alloc(&small, n, bits, t->info != NULL, a)) {
            return DT_ENOMEM;
        }

        for (i = 0; i < (size_t) 1 << t->bits; i++) {
            if (t->keys[i]) {
                slot = dt_table_add(&small, t->keys[i]);

                if (t->info != NULL) {
                    small.info[slot] = t->info[i];
                }
            }
        }

        if (dt_table_run(small.keys, small.bits, &n) <= DT_PROBE_MAX) {
            *t = small;
            break;
        }
    }

    return DT_OK;
}


/* makes the set of bits for the beginnings of texts as small as possible while
   most are unset: a text whose bit is set is hashed and looked up */
static void
dt_firsts_fit(dt_tables_t *t)
{
    uint32_t i, to, n = 0, all = 1u << DT_FIRST_BITS;

    for (i = 0; i < all >> 6; i++) {
        n += (unsigned) __builtin_popcountll(t->firsts[i]);
    }

    while (t->first_bits < DT_FIRST_BITS
           && 1u << t->first_bits < DT_FIRST_SPARSE * n)
    {
        t->first_bits++;
    }

    /* each bit moves down or stays, so it is never read a second time */

    for (i = 0; i < all; i++) {
        if (t->firsts[i >> 6] >> (i & 63) & 1) {
            to = i >> (DT_FIRST_BITS - t->first_bits);
            t->firsts[i >> 6] &= ~((uint64_t) 1 << (i & 63));
            t->firsts[to >> 6] |= (uint64_t) 1 << (to & 63);
        }
    }
}


/* notes that a piece with this number of words is cut alone at a place on some
   pages; one without words, such as a picture, counts as well */
static void
dt_write_gain(dt_gain_t *gains, uint32_t place, uint32_t words, uint64_t pages)
{
    if (place != UINT32_MAX) {
        gains[place].cut = 1;
        gains[place].words +=
            (words + 1ull) * (unsigned) __builtin_popcountll(pages);
    }
}


/*
 * Adds the places where patterns are cut alone, and all places around them; at
 * other places patterns are cut only as part of larger ones.  The scanner has
 * to look at each element there.  So a place is left out, with those inside of
 * it, where hardly any word is cut for the number of elements.
 */
static void
dt_write_paths(const dt_evidence_t *ev, dt_gain_t *gains, dt_tables_t *t)
{
    uint32_t i;
    dt_gain_t *g, *up;
    const dt_pattern_t *e = ev->patterns.elts;
    const dt_evidence_place_t *places = ev->places.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        if (e[i].start) {
            gains[e[i].place].elements +=
                (e[i].merged ? e[i].merged : 1u) * (uint64_t) e[i].count
                * (unsigned) __builtin_popcountll(e[i].pages);
        }
    }

    /* a place comes behind the one around it */

    for (i = ev->places.n; i-- > 0; /* void */) {
        g = &gains[i];
        g->cut = g->cut && g->words * 100 >= g->elements * ev->rules.gain;

        if (g->cut && places[i].parent != UINT32_MAX) {
            up = &gains[places[i].parent];
            up->cut = 1;
            up->words += g->words;
            up->elements += g->elements;
        }
    }

    for (i = 0; i < ev->places.n; i++) {
        up = places[i].parent != UINT32_MAX ? &gains[places[i].parent] : NULL;
        gains[i].cut = gains[i].cut && (up == NULL || up->cut);

        if (gains[i].cut) {
            (void) dt_table_add(&t->paths, places[i].path);
        }
    }
}


/*
 * Adds elements that several pages have with different template inside, such
 * as a menu whose current entry looks different.  They are cut when all that
 * they contain is cut.
 */
static dt_status_t
dt_write_wrappers(dt_evidence_t *ev, const dt_voters_t *voters,
                  const dt_place_sums_t *sums, dt_tables_t *t)
{
    size_t slot;
    uint32_t i, n;
    uint64_t pages;
    dt_index_t starts;
    dt_pattern_t *e = ev->patterns.elts, *s;
    const dt_place_sums_t *g;

    if (dt_index_init(&starts, sizeof(dt_pattern_t), ev->arena)) {
        return DT_ENOMEM;
    }

    for (i = 0; i < ev->patterns.n; i++) {
        g = &sums[e[i].place];

        if (e[i].start == 0 || g->words == 0
            || g->repeated * 100 < g->words * ev->rules.wrapper)
        {
            continue;
        }

        s = dt_index_get(&starts, e[i].start, UINT32_MAX, ev->arena);
        if (s == NULL) {
            return DT_ENOMEM;
        }

        pages = s->pages;
        *s = e[i];
        s->key = e[i].start;
        s->pages |= pages;
    }

    s = starts.elts;

    for (i = 0, n = 0; i < starts.n && n < ev->places.n; i++) {
        if (dt_rules_votes(s[i].pages, voters) >= ev->rules.support) {
            slot = dt_table_add(&t->nodes, s[i].key);
            t->nodes.info[slot] = DT_NODE_START | DT_NODE_WRAPPER;
            n++;
        }
    }

    return DT_OK;
}


/* adds the shapes that are cut when bold, and their places */
static dt_status_t
dt_write_shapes(dt_evidence_t *ev, const dt_voters_t *voters, dt_gain_t *gains,
                dt_tables_t *t)
{
    size_t slot;
    uint32_t i;
    dt_index_t shapes;
    const dt_shape_t *s;

    if (dt_shapes(ev, voters, &shapes) != DT_OK) {
        return DT_ENOMEM;
    }

    s = shapes.elts;

    for (i = 0; i < shapes.n; i++) {
        if (s[i].cut) {
            slot = dt_table_add(&t->nodes, s[i].key);
            t->nodes.info[slot] = DT_NODE_START | DT_NODE_SHAPE | s[i].words
                                  | (uint32_t) s[i].dir << DT_NODE_DIR;
            dt_write_gain(gains, s[i].place, s[i].words, s[i].pages);
            t->shapes++;
        }
    }

    return DT_OK;
}


/* adds the active patterns, and the places where they are cut alone */
static void
dt_write_nodes(const dt_evidence_t *ev, const dt_verdict_t *v,
               dt_gain_t *gains, dt_tables_t *t)
{
    uint32_t i;
    size_t slot;
    const dt_pattern_t *e = ev->patterns.elts;
    const dt_evidence_place_t *places = ev->places.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].active) {
            continue;
        }

        slot = dt_table_add(&t->nodes, e[i].key);
        t->nodes.info[slot] =
            e[i].words
            | (v[i].cut ? DT_NODE_STRONG | (uint32_t) v[i].dir << DT_NODE_DIR
                        : 0);

        if (e[i].start) {
            slot = dt_table_add(&t->nodes, e[i].start);
            t->nodes.info[slot] |= DT_NODE_START;

        } else {
            t->firsts[e[i].first >> 6] |= (uint64_t) 1 << (e[i].first & 63);
        }

        /* requests look for texts at the place of the element around */

        if (v[i].cut) {
            dt_write_gain(gains,
                          e[i].start ? e[i].place : places[e[i].place].parent,
                          e[i].words, v[i].cut);
        }
    }
}


dt_status_t
dt_write(dt_evidence_t *ev, const dt_voters_t *voters,
         const dt_place_sums_t *sums, dt_tables_t *t)
{
    uint32_t i, n, starts, places;
    dt_gain_t *gains;
    const dt_pattern_t *e = ev->patterns.elts;
    const dt_verdict_t *v = t->verdicts;

    for (i = 0, n = 0, starts = 0; i < ev->patterns.n; i++) {
        n += v[i].active;
        starts += v[i].active && e[i].start;
    }

    t->patterns = n;
    t->shapes = 0;
    t->first_bits = DT_FIRST_LEAST;

    t->firsts = dt_arena_calloc(ev->arena, 1u << DT_FIRST_BITS >> 3, 1);
    gains = dt_arena_calloc(ev->arena, ev->places.n + 1, sizeof(dt_gain_t));

    /* without active patterns the tables stay empty */

    places = n ? ev->places.n : 0;

    if (t->firsts == NULL || gains == NULL
        || dt_table_alloc(&t->paths, 2 * (uint64_t) places, 4, 0, ev->arena)
        || dt_table_alloc(&t->nodes, 2 * ((uint64_t) n + starts + 3 * places),
                          4, 1, ev->arena))
    {
        return DT_ENOMEM;
    }

    if (n == 0) {
        return DT_DECLINED;
    }

    if (ev->rules.wrapper && dt_write_wrappers(ev, voters, sums, t)) {
        return DT_ENOMEM;
    }

    dt_write_nodes(ev, v, gains, t);

    if (dt_write_shapes(ev, voters, gains, t) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_write_paths(ev, gains, t);

    dt_firsts_fit(t);

    return dt_table_fit(&t->paths, ev->arena)
                   || dt_table_fit(&t->nodes, ev->arena)
               ? DT_ENOMEM
               : DT_OK;
}
