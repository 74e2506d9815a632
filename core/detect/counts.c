
/*
 * Copyright (C) The detemplate authors
 */


#include "core/detect/counts.h"
#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/tree.h"


typedef struct {
    uint64_t hash;
    uint32_t count; /* pages that have it */
    uint32_t last;  /* the last of those, from 1 */
} dt_count_t;


/* Creates empty counts in arena; NULL: no memory. */
static dt_index_t *
dt_counts_make(dt_arena_t *arena)
{
    dt_index_t *ix = dt_arena_calloc(arena, 1, sizeof(dt_index_t));

    return ix && dt_index_init(ix, sizeof(dt_count_t), arena) == DT_OK ? ix
                                                                       : NULL;
}


/* Adds the n hashes of one page, which has that number, to the counts in ix.
   A hash that comes twice on the page is counted once. */
static dt_status_t
dt_counts_add(dt_index_t *ix, size_t page, const uint64_t *hashes, size_t n,
              dt_arena_t *arena)
{
    dt_count_t *c;

    for (size_t i = 0; i < n; i++) {
        c = dt_index_get(ix, hashes[i], UINT32_MAX, arena);
        if (c == NULL) {
            return DT_ENOMEM;
        }

        c->count += c->last != page + 1;
        c->last = (uint32_t) page + 1;
    }

    return DT_OK;
}


static uint64_t
dt_counts_get(const dt_index_t *ix, uint64_t hash)
{
    const dt_count_t *c = dt_index_find(ix, hash);

    return c ? c->count : 0;
}


/*
 * The DOM-based algorithm of Gibson, Punera and Tomkins 2005, as described in
 * Prathibha, Sukumar and Sriram 2012, section 3.  A first pass counts the
 * template-hash of each node, of its tag, attributes and content, on all pages
 * of the site.  A second pass takes for each page the outermost nodes whose
 * count is between a lower and an upper threshold.  It unites siblings with
 * small gaps of changing content between them.
 *
 * Left open: the thresholds and the gap.  Here a node is on more than hash-low
 * and at most hash-high percent of the pages, the key page being one of them,
 * and on two at least; the gap is hash-gap words.  Pages are counted, since a
 * node that comes twice on one page, like <br>, says nothing about the site.
 */

static dt_status_t
dt_hashes_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    uint64_t *hashes;
    dt_index_t *counts;

    counts = dt_counts_make(arena);
    if (counts == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        hashes = dt_tree_hashes(d->pages[p], 1, arena);

        if (hashes == NULL
            || dt_counts_add(counts, p, hashes, d->pages[p]->n, arena)
                   != DT_OK)
        {
            return DT_ENOMEM;
        }
    }

    d->data = counts;

    return DT_OK;
}


/* returns the words in the subtree of each node */
static uint32_t *
dt_hashes_words(const dt_dom_t *dom, dt_arena_t *arena)
{
    uint32_t *words = dt_arena_calloc(arena, dom->n, sizeof(uint32_t));

    for (uint32_t i = dom->n; words != NULL && i-- > 0;) {
        words[i] += dom->nodes[i].words;

        if (i) {
            words[dom->nodes[i].parent] += words[i];
        }
    }

    return words;
}


/* marks small siblings between two that are template */
static void
dt_hashes_unite(const dt_dom_t *dom, uint32_t parent, const uint32_t *words,
                unsigned gap, uint8_t *out)
{
    uint32_t last = DT_DOM_NONE, between = 0;

    for (uint32_t i = parent + 1; i < dom->nodes[parent].next;
         i = dom->nodes[i].next)
    {
        if (!out[i]) {
            between += words[i];
            continue;
        }

        if (last != DT_DOM_NONE && between <= gap) {
            memset(out + last, 1, i - last);
        }

        last = dom->nodes[i].next;
        between = 0;
    }
}


static dt_status_t
dt_hashes_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                uint8_t *out)
{
    int had = dt_detect_has(d, key);
    uint32_t next, *words;
    uint64_t *hashes, count, pages = d->n + !had;
    dt_index_t *key_counts;

    hashes = dt_tree_hashes(key, 1, arena);
    words = dt_hashes_words(key, arena);
    key_counts = dt_counts_make(arena);

    /* a key page that is not one of the pages is counted too */
    if (hashes == NULL || words == NULL || key_counts == NULL
        || dt_counts_add(key_counts, 0, hashes, had ? 0 : key->n, arena)
               != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i = next) {
        next = i + 1;
        count = dt_counts_get(key_counts, hashes[i])
                + dt_counts_get(d->data, hashes[i]);

        if (count >= 2 && count * 100 > pages * d->o.hash_low
            && count * 100 <= pages * d->o.hash_high)
        {
            next = key->nodes[i].next;
            memset(out + i, 1, next - i);
        }
    }

    for (uint32_t i = 0; i < key->n; i++) {
        if (!out[i]) {
            dt_hashes_unite(key, i, words, d->o.hash_gap, out);
        }
    }

    return DT_OK;
}


const dt_detector_t dt_detector_hashes = {
    "template-hash",
    "how often a node's hash is on the site (Gibson et al. 2005)",
    dt_hashes_prepare,
    dt_hashes_nodes,
};


/*
 * The text-based algorithm of Gibson, Punera and Tomkins 2005, as described in
 * Prathibha, Sukumar and Sriram 2012, section 3.  First pass: a window of W
 * bytes slides over the text, without tags, of P pages.  It counts fragments
 * whose hash is 0 modulo D, so that a fragment is counted on all pages or on
 * none.  Second pass: fragments that occur F times are searched in a page, and
 * overlapping ones are united.
 *
 * The values are left open.  Here W is shingle-window, D is shingle-density, P
 * is shingle-pages (0: all), and F is shingle-share, in percent of the pages
 * including the key page, at least 2.  D is raised when long pages would give
 * more than DT_SHINGLES_MAX fragments.  A text node is template when half of
 * it is.
 */

#define DT_SHINGLES_MAX (1u << 21)
#define DT_SHINGLES_BASE 0x9e3779b97f4a7c15u


typedef struct {
    dt_index_t *counts;
    unsigned density;
    size_t pages; /* pages that were counted */
} dt_frequent_t;


/* returns the most bytes that the texts can take */
static size_t
dt_shingles_room(const dt_dom_t *dom)
{
    size_t room = 1;

    for (uint32_t i = 0; i < dom->n; i++) {
        if (dom->nodes[i].kind == DT_NODE_TEXT) {
            room += dom->nodes[i].end - dom->nodes[i].start + 1;
        }
    }

    return room;
}


static void
dt_shingles_text(const dt_dom_t *dom, dt_shingles_t *s)
{
    int space = 1;
    const char *p = dom->src.data;
    const dt_node_t *node;

    for (uint32_t i = 0; i < dom->n; i++) {
        node = &dom->nodes[i];
        s->from[i] = s->len;

        for (uint32_t k = node->start;
             node->kind == DT_NODE_TEXT && k < node->end; k++)
        {
            if ((unsigned char) p[k] > 0x20) {
                s->text[s->len++] = p[k];
                space = 0;

            } else if (!space) {
                s->text[s->len++] = ' ';
                space = 1;
            }
        }

        if (!space) {
            s->text[s->len++] = ' ';
            space = 1;
        }

        s->to[i] = s->len;
    }
}


dt_status_t
dt_shingles_make(const dt_dom_t *dom, unsigned window, unsigned density,
                 dt_arena_t *arena, dt_shingles_t *out)
{
    size_t room = dt_shingles_room(dom);
    uint64_t hash = 0, power = 1, mixed;

    memset(out, 0, sizeof(dt_shingles_t));
    out->text = dt_arena_alloc(arena, room);
    out->from = dt_arena_alloc(arena, dom->n * sizeof(uint32_t));
    out->to = dt_arena_alloc(arena, dom->n * sizeof(uint32_t));

    if (out->text == NULL || out->from == NULL || out->to == NULL) {
        return DT_ENOMEM;
    }

    dt_shingles_text(dom, out);

    for (unsigned i = 0; i < window; i++) {
        power *= DT_SHINGLES_BASE;
    }

    /* the first pass counts the fragments, the second one stores them */
    for (int pass = 0; pass < 2; pass++) {
        hash = 0;
        out->n = 0;

        for (uint32_t i = 0; window && i < out->len; i++) {
            hash = hash * DT_SHINGLES_BASE + (unsigned char) out->text[i];

            if (i >= window) {
                hash -= power * (unsigned char) out->text[i - window];
            }

            mixed = dt_mix(hash, window);

            if (i + 1 < window || (density && mixed % density)) {
                continue;
            }

            if (pass) {
                out->hashes[out->n] = mixed;
                out->at[out->n] = i + 1 - window;
            }

            out->n++;
        }

        if (pass == 0) {
            out->hashes =
                dt_arena_alloc(arena, (out->n + 1) * sizeof(uint64_t));
            out->at = dt_arena_alloc(arena, (out->n + 1) * sizeof(uint32_t));

            if (out->hashes == NULL || out->at == NULL) {
                return DT_ENOMEM;
            }
        }
    }

    return DT_OK;
}


static dt_status_t
dt_shingles_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    size_t bytes = 0;
    dt_frequent_t *f;
    dt_shingles_t s;

    f = dt_arena_calloc(arena, 1, sizeof(dt_frequent_t));
    if (f == NULL || (f->counts = dt_counts_make(arena)) == NULL) {
        return DT_ENOMEM;
    }

    f->pages = d->n;

    if (d->o.shingle_pages && d->o.shingle_pages < d->n) {
        f->pages = d->o.shingle_pages;
    }

    for (size_t p = 0; p < f->pages; p++) {
        bytes += dt_shingles_room(d->pages[p]);
    }

    f->density = d->o.shingle_density;

    if (bytes / (f->density ? f->density : 1) > DT_SHINGLES_MAX) {
        f->density = (unsigned) (bytes / DT_SHINGLES_MAX) + 1;
    }

    for (size_t p = 0; p < f->pages; p++) {
        if (dt_shingles_make(d->pages[p], d->o.shingle_window, f->density,
                             arena, &s)
                != DT_OK
            || dt_counts_add(f->counts, p, s.hashes, s.n, arena) != DT_OK)
        {
            return DT_ENOMEM;
        }
    }

    d->data = f;

    return DT_OK;
}


/* marks the bytes that frequent fragments cover */
static dt_status_t
dt_shingles_cover(const dt_detect_t *d, const dt_shingles_t *s, int had,
                  dt_arena_t *arena, uint8_t *covered)
{
    uint32_t end = 0, from;
    uint64_t count;
    dt_index_t *key_counts;
    const dt_frequent_t *f = d->data;

    key_counts = dt_counts_make(arena);

    if (key_counts == NULL
        || dt_counts_add(key_counts, 0, s->hashes, had ? 0 : s->n, arena)
               != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < s->n; i++) {
        count = dt_counts_get(f->counts, s->hashes[i])
                + dt_counts_get(key_counts, s->hashes[i]);

        if (count < 2 || count * 100 < (f->pages + !had) * d->o.shingle_share)
        {
            continue;
        }

        from = s->at[i] > end ? s->at[i] : end;
        end = s->at[i] + d->o.shingle_window;
        memset(covered + from, 1, end - from);
    }

    return DT_OK;
}


static dt_status_t
dt_shingles_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                  uint8_t *out)
{
    uint32_t n;
    uint8_t *covered;
    dt_shingles_t s;
    const dt_frequent_t *f = d->data;

    if (dt_shingles_make(key, d->o.shingle_window, f->density, arena, &s)
        != DT_OK) {
        return DT_ENOMEM;
    }

    covered = dt_arena_calloc(arena, s.len + 1, 1);

    if (covered == NULL
        || dt_shingles_cover(d, &s, dt_detect_has(d, key), arena, covered)
               != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < key->n; i++) {
        if (s.from[i] == s.to[i]) {
            out[i] = DT_TREE_OPEN;
            continue;
        }

        n = 0;

        for (uint32_t k = s.from[i]; k < s.to[i]; k++) {
            n += covered[k];
        }

        out[i] = 2 * n >= s.to[i] - s.from[i];
    }

    dt_tree_close(key, out);

    return DT_OK;
}


const dt_detector_t dt_detector_shingles = {
    "shingles",
    "how often pieces of text are on the site (Gibson et al. 2005)",
    dt_shingles_prepare,
    dt_shingles_nodes,
};
