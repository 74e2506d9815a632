
/*
 * Copyright (C) The detemplate authors
 *
 * The blocks of Debnath, Mitra and Giles 2005, as described by Nguyen et al.
 * 2009, figures 1 to 3: a block is an element of certain tags, without the
 * blocks inside of it.  Its vector counts its images, scripts and links, and
 * each of its words.  The printed list of tags is incomplete.  Adding li and
 * the elements of HTML 5 would help ContentExtractor, but harm
 * FastContentExtractor.
 */


#include <math.h>
#include <stdlib.h>

#include "core/detect/content.h"
#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/detect.h"
#include "core/detect/tree.h"


#define DT_BLOCK_ALIKE 0.9


typedef struct {
    uint32_t block;
    uint64_t value;
} dt_found_t;


static const char *const dt_block_tags[] = {
    "html", "body", "table", "tr", "hr", "ul", "p", "span", "div", NULL,
};


/* returns the term that counts an element, or 0 */
static uint64_t
dt_block_term(const dt_node_t *node)
{
    if (dt_str_eq(node->name, dt_str("img"))) {
        return DT_BLOCK_IMAGES;
    }

    if (dt_str_eq(node->name, dt_str("script"))) {
        return DT_BLOCK_SCRIPTS;
    }

    return dt_str_eq(node->name, dt_str("a")) ? DT_BLOCK_LINKS : 0;
}


static void
dt_blocks_list(dt_blocks_t *b)
{
    uint32_t up;
    dt_block_t *block;
    const dt_node_t *node;

    for (uint32_t i = 0; i < b->dom->n; i++) {
        node = &b->dom->nodes[i];
        up = i ? b->of[node->parent] : DT_DOM_NONE;

        if (i && !dt_str_among(node->name, dt_block_tags)) {
            b->of[i] = up;
            continue;
        }

        b->of[i] = b->n;
        block = &b->blocks[b->n++];
        block->node = i;
        block->parent = up;
        block->next = b->n;
        block->path = dt_mix(i ? b->blocks[up].path : 0, node->tag);
    }

    for (uint32_t i = b->n; i-- > 1;) {
        block = &b->blocks[b->blocks[i].parent];
        block->next =
            block->next < b->blocks[i].next ? b->blocks[i].next : block->next;
    }
}


static int
dt_found_cmp(const void *a, const void *b)
{
    const dt_found_t *x = a, *y = b;

    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }

    return (x->value > y->value) - (x->value < y->value);
}


/* sets the members of a block that follow from its terms */
static void
dt_block_done(dt_block_t *block)
{
    block->norm = 0;
    block->hash = block->n;
    block->bits = 0;

    for (uint32_t i = 0; i < block->n; i++) {
        block->norm +=
            (double) block->terms[i].count * (double) block->terms[i].count;
        block->hash = dt_mix(block->hash, block->terms[i].value);
        block->hash = dt_mix(block->hash, block->terms[i].count);
        block->bits |= (uint64_t) 1
                       << (dt_mix(block->terms[i].value, 0) >> 58);
    }

    block->norm = sqrt(block->norm);
}


/* returns the words of a page in the order of its blocks */
static dt_found_t *
dt_blocks_words(const dt_blocks_t *b, dt_arena_t *arena, size_t *n)
{
    uint32_t at;
    uint64_t value;
    size_t room = b->dom->n;
    dt_found_t *found;
    const dt_node_t *node;

    /* node->words may be less: parsing ignores some tags within a text, and
       their words count here */

    for (uint32_t i = 0; i < b->dom->n; i++) {
        node = &b->dom->nodes[i];

        for (at = 0; node->kind != DT_NODE_ELEMENT
                     && dt_words_next(b->dom, i, &at, &value);)
        {
            room++;
        }
    }

    found = dt_arena_alloc(arena, room * sizeof(dt_found_t));
    *n = 0;

    for (uint32_t i = 0; found != NULL && i < b->dom->n; i++) {
        node = &b->dom->nodes[i];

        if (node->kind == DT_NODE_ELEMENT) {
            value = dt_block_term(node);
            found[*n] = (dt_found_t){ b->of[i], value };
            *n += value != 0;
            continue;
        }

        for (at = 0; dt_words_next(b->dom, i, &at, &value); ++*n) {
            found[*n] = (dt_found_t){ b->of[i], value };
        }
    }

    if (found != NULL) {
        qsort(found, *n, sizeof(dt_found_t), dt_found_cmp);
    }

    return found;
}


dt_status_t
dt_blocks_make(const dt_dom_t *dom, dt_arena_t *arena, dt_blocks_t *out)
{
    size_t n, i, m = 0;
    dt_term_t *terms;
    dt_found_t *found;
    dt_block_t *block;

    out->dom = dom;
    out->n = 0;
    out->blocks = dt_arena_calloc(arena, dom->n, sizeof(dt_block_t));
    out->of = dt_arena_calloc(arena, dom->n, sizeof(uint32_t));
    if (out->blocks == NULL || out->of == NULL) {
        return DT_ENOMEM;
    }

    dt_blocks_list(out);

    found = dt_blocks_words(out, arena, &n);
    terms = found ? dt_arena_alloc(arena, (n + 1) * sizeof(dt_term_t)) : NULL;
    if (terms == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < n; i++) {
        block = &out->blocks[found[i].block];

        if (block->n && terms[m - 1].value == found[i].value) {
            terms[m - 1].count++;
            continue;
        }

        block->terms = block->n ? block->terms : &terms[m];
        block->n++;
        terms[m++] = (dt_term_t){ found[i].value, 1 };
    }

    if (dt_index_init(&out->hashes, sizeof(uint64_t), arena) != DT_OK) {
        return DT_ENOMEM;
    }

    for (i = 0; i < out->n; i++) {
        block = &out->blocks[i];
        dt_block_done(block);

        if (block->n
            && !dt_index_get(&out->hashes, block->hash, UINT32_MAX, arena)) {
            return DT_ENOMEM;
        }
    }

    return DT_OK;
}


double
dt_block_cosine(const dt_block_t *x, const dt_block_t *y)
{
    double dot = 0;
    uint32_t i = 0, j = 0;

    while (i < x->n && j < y->n) {
        if (x->terms[i].value < y->terms[j].value) {
            i++;

        } else if (x->terms[i].value > y->terms[j].value) {
            j++;

        } else {
            dot += (double) x->terms[i++].count * (double) y->terms[j++].count;
        }
    }

    return dot > 0 ? dot / (x->norm * y->norm) : 0;
}


int
dt_block_similar(const dt_block_t *x, const dt_block_t *y, uint64_t *steps)
{
    uint64_t cost = (x->bits & y->bits) ? 1 + (uint64_t) x->n + y->n : 1;

    if (x->hash == y->hash) {
        return x->n != 0;
    }

    if (*steps < cost) {
        *steps = 0;
        return 0;
    }

    *steps -= cost;

    return cost > 1 && dt_block_cosine(x, y) > DT_BLOCK_ALIKE;
}


/*
 * Returns how many of n pages have a block similar to x; the page of the dom
 * but does not count.
 */
static size_t
dt_block_frequency(const dt_block_t *x, const dt_blocks_t *pages, size_t n,
                   const dt_dom_t *but, uint64_t *steps)
{
    size_t p, count = 0;

    for (p = 0; p < n && x->n; p++) {
        if (pages[p].dom == but) {
            continue;
        }

        if (dt_index_find(&pages[p].hashes, x->hash)) {
            count++;
            continue;
        }

        for (uint32_t i = 0; i < pages[p].n && *steps; i++) {
            if (dt_block_similar(x, &pages[p].blocks[i], steps)) {
                count++;
                break;
            }
        }
    }

    return count;
}


/* Joins the terms of several blocks of one page, without those with skip[i].
 */
static dt_status_t
dt_block_join(const dt_blocks_t *b, uint32_t from, const uint8_t *skip,
              dt_arena_t *arena, dt_block_t *out)
{
    size_t n = 0;
    const dt_block_t *block;

    *out = b->blocks[from];
    out->n = 0;

    for (uint32_t i = from; i < b->blocks[from].next; i++) {
        n += skip[i] ? 0 : b->blocks[i].n;
    }

    out->terms = dt_arena_alloc(arena, (n + 1) * sizeof(dt_term_t));
    if (out->terms == NULL) {
        return DT_ENOMEM;
    }

    n = 0;

    for (uint32_t i = from; i < b->blocks[from].next; i++) {
        block = &b->blocks[i];

        for (uint32_t k = 0; !skip[i] && k < block->n; k++) {
            out->terms[n++] = block->terms[k];
        }
    }

    qsort(out->terms, n, sizeof(dt_term_t), dt_index_cmp);

    for (size_t i = 0; i < n; i++) {
        if (out->n && out->terms[out->n - 1].value == out->terms[i].value) {
            out->terms[out->n - 1].count += out->terms[i].count;

        } else {
            out->terms[out->n++] = out->terms[i];
        }
    }

    dt_block_done(out);

    return DT_OK;
}


/*
 * Translates marks of blocks (1: template, 0: not) to marks of nodes.  Blocks
 * without terms get the mark of the block around them.
 */
static void
dt_blocks_nodes(const dt_blocks_t *b, const uint8_t *in, uint8_t *out)
{
    for (uint32_t i = 0; i < b->dom->n; i++) {
        out[i] = b->blocks[b->of[i]].n ? in[b->of[i]] : DT_TREE_OPEN;
    }

    dt_tree_close(b->dom, out);
}


/*
 * ContentExtractor (Debnath, Mitra, Pal and Giles 2005, as described by Nguyen
 * et al. 2009).  A block is not content when enough pages have a similar one:
 * one where the cosine of the two vectors is above 0.9.  Each block is
 * compared with all blocks of all pages.  The paper leaves open how many pages
 * are enough; here it is block-share percent.
 */

static dt_status_t
dt_content_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    dt_status_t rc = DT_OK;
    dt_blocks_t *pages;

    pages = dt_arena_calloc(arena, d->n, sizeof(dt_blocks_t));
    if (pages == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        rc = dt_blocks_make(d->pages[p], arena, &pages[p]);
    }

    d->data = pages;

    return rc;
}


static dt_status_t
dt_content_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                 uint8_t *out)
{
    size_t others = 0, count;
    uint8_t *in;
    uint64_t steps = DT_BLOCK_STEPS;
    dt_blocks_t b;

    in = dt_arena_calloc(arena, key->n, 1);
    if (in == NULL || dt_blocks_make(key, arena, &b) != DT_OK) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n; p++) {
        others += d->pages[p] != key;
    }

    for (uint32_t i = 0; i < b.n; i++) {
        count = dt_block_frequency(&b.blocks[i], d->data, d->n, key, &steps);
        in[i] = count && count * 100 >= others * d->o.block_share;
    }

    dt_blocks_nodes(&b, in, out);

    return DT_OK;
}


const dt_detector_t dt_detector_content = {
    "content-extractor",
    "blocks that other pages have as well (Debnath et al. 2005)",
    dt_content_prepare,
    dt_content_nodes,
};


/*
 * FastContentExtractor (Nguyen, Nguyen, Pham and Bui, "A Fast Template-based
 * Approach to Automatically Identify Primary Text Content of a Web Page", KSE
 * 2009, section III).  Preparation: finds content blocks of the pages as
 * ContentExtractor does; stores their paths of tags, and the other blocks that
 * have such a path.  Detection: extracts only blocks with such a path, without
 * the blocks inside that contain no such path, and compares them with the
 * stored blocks.  A block that is not extracted is not content.
 *
 * Content at a path that no prepared page has is lost.  The paper assumes
 * pages of one structure, and tests pages that it prepares with, so here the
 * key page is always one of those.
 *
 * A path consists of the tags of blocks, which says little on pages of div
 * elements only, so that many blocks are extracted together with their
 * surroundings.  So stored blocks inside an extracted one are not content
 * either.  With block-own 0 only the whole block is compared, which may be the
 * authors' way.
 */

#define DT_FAST_KEPT (1u << 20)


typedef struct {
    uint64_t key; /* hash of the block's terms */
    dt_block_t block;
} dt_stored_t;

typedef struct {
    dt_blocks_t *pages;
    uint8_t **content; /* content[p][i]: whether block i of page p is content
                        */
    size_t n;
    dt_index_t paths;  /* uint64_t */
    dt_index_t stored; /* dt_stored_t */
} dt_fast_t;


/* finds the content blocks of page p; others is the number of other pages */
static dt_status_t
dt_fast_judge(const dt_detect_t *d, dt_fast_t *f, size_t p, size_t others,
              dt_arena_t *arena, uint64_t *steps)
{
    size_t count;
    const dt_block_t *block;
    const dt_blocks_t *page = &f->pages[p];

    f->content[p] = dt_arena_calloc(arena, page->n + 1, 1);
    if (f->content[p] == NULL) {
        return DT_ENOMEM;
    }

    for (uint32_t i = 0; i < page->n; i++) {
        block = &page->blocks[i];
        count = dt_block_frequency(block, f->pages, d->n, page->dom, steps);
        f->content[p][i] =
            block->n && (!count || count * 100 < others * d->o.block_share);
    }

    return DT_OK;
}


/* stores the paths of the content of all pages, and other blocks with such
   paths */
static dt_status_t
dt_fast_store(dt_fast_t *f, dt_arena_t *arena)
{
    dt_stored_t *stored;
    const dt_block_t *block;

    if (dt_index_init(&f->paths, sizeof(uint64_t), arena) != DT_OK
        || dt_index_init(&f->stored, sizeof(dt_stored_t), arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < f->n; p++) {
        for (uint32_t i = 0; i < f->pages[p].n; i++) {
            if (f->content[p][i]
                && !dt_index_get(&f->paths, f->pages[p].blocks[i].path,
                                 UINT32_MAX, arena))
            {
                return DT_ENOMEM;
            }
        }
    }

    for (size_t p = 0; p < f->n; p++) {
        for (uint32_t i = 0; i < f->pages[p].n; i++) {
            block = &f->pages[p].blocks[i];

            if (!f->content[p][i] && block->n
                && dt_index_find(&f->paths, block->path)) {
                stored =
                    dt_index_get(&f->stored, block->hash, DT_FAST_KEPT, arena);
                if (stored == NULL) {
                    return DT_ENOMEM;
                }

                stored->block = *block;
            }
        }
    }

    return DT_OK;
}


static dt_status_t
dt_fast_prepare(dt_detect_t *d, dt_arena_t *arena)
{
    dt_fast_t *f;
    dt_status_t rc = DT_OK;
    uint64_t steps = DT_BLOCK_STEPS;

    f = dt_arena_calloc(arena, 1, sizeof(dt_fast_t));
    if (f == NULL) {
        return DT_ENOMEM;
    }

    /* one more, for a key page that is not one of the pages */
    f->n = d->n;
    f->pages = dt_arena_calloc(arena, d->n + 1, sizeof(dt_blocks_t));
    f->content = dt_arena_calloc(arena, d->n + 1, sizeof(uint8_t *));
    if (f->pages == NULL || f->content == NULL) {
        return DT_ENOMEM;
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        rc = dt_blocks_make(d->pages[p], arena, &f->pages[p]);
    }

    for (size_t p = 0; p < d->n && rc == DT_OK; p++) {
        rc = dt_fast_judge(d, f, p, d->n - 1, arena, &steps);
    }

    d->data = f;

    return rc;
}


/* makes the store for a key page; its blocks become *b */
static dt_status_t
dt_fast_make(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
             uint64_t *steps, dt_fast_t *f, dt_blocks_t *b)
{
    const dt_fast_t *prepared = d->data;
    dt_status_t rc;

    *f = *prepared;
    rc = dt_blocks_make(key, arena, b);

    if (rc == DT_OK && !dt_detect_has(d, key)) {
        f->pages[f->n] = *b;
        rc = dt_fast_judge(d, f, f->n++, d->n, arena, steps);
    }

    return rc == DT_OK ? dt_fast_store(f, arena) : rc;
}


/* whether a block is similar to a stored one */
static int
dt_fast_stored(const dt_fast_t *f, const dt_block_t *block, uint64_t *steps)
{
    const dt_stored_t *stored = f->stored.elts;

    if (block->n == 0 || dt_index_find(&f->stored, block->hash)) {
        return 1;
    }

    for (uint32_t i = 0; i < f->stored.n && *steps; i++) {
        if (dt_block_similar(block, &stored[i].block, steps)) {
            return 1;
        }
    }

    return 0;
}


/*
 * Judges block i and the blocks that are extracted with it: in[] is 1 for
 * those that are not content.  extracted[k] is 0 when neither block k nor a
 * block inside of it has such a path.
 */
static dt_status_t
dt_fast_extract(const dt_fast_t *f, const dt_blocks_t *b, uint32_t i,
                const uint8_t *skip, unsigned inside, dt_arena_t *arena,
                uint64_t *steps, uint8_t *in)
{
    int repeated;
    dt_block_t whole;

    if (dt_block_join(b, i, skip, arena, &whole) != DT_OK) {
        return DT_ENOMEM;
    }

    repeated = dt_fast_stored(f, &whole, steps);

    for (uint32_t k = i; k < b->blocks[i].next; k++) {
        in[k] = (uint8_t) (repeated || skip[k]
                           || (inside && b->blocks[k].n
                               && dt_fast_stored(f, &b->blocks[k], steps)));
    }

    return DT_OK;
}


static dt_status_t
dt_fast_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
              uint8_t *out)
{
    uint8_t *in, *path, *skip;
    uint64_t steps = DT_BLOCK_STEPS;
    dt_blocks_t b;
    dt_fast_t f;
    dt_status_t rc;

    in = dt_arena_calloc(arena, key->n, 1);
    path = dt_arena_calloc(arena, key->n, 1);
    skip = dt_arena_calloc(arena, key->n, 1);

    if (in == NULL || path == NULL || skip == NULL
        || dt_fast_make(d, key, arena, &steps, &f, &b) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (uint32_t i = b.n; i-- > 0;) {
        path[i] = dt_index_find(&f.paths, b.blocks[i].path) != NULL;
        skip[i] = skip[i] == 0 && !path[i];

        /* such a path inside of a block keeps the blocks around it */
        if (!skip[i] && i) {
            skip[b.blocks[i].parent] = 2;
        }
    }

    for (uint32_t i = 0; i < b.n; i++) {
        skip[i] = skip[i] == 1;
    }

    for (uint32_t i = 0; i < b.n;) {
        if (!path[i]) {
            in[i++] = 1;
            continue;
        }

        rc = dt_fast_extract(&f, &b, i, skip, d->o.block_own, arena, &steps,
                             in);
        if (rc != DT_OK) {
            return rc;
        }

        i = b.blocks[i].next;
    }

    dt_blocks_nodes(&b, in, out);

    return DT_OK;
}


const dt_detector_t dt_detector_fast_content = {
    "fast-content-extractor",
    "the same by paths of content blocks (Nguyen et al. 2009)",
    dt_fast_prepare,
    dt_fast_nodes,
};
