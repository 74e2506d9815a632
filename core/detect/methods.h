
/*
 * Copyright (C) The detemplate authors
 *
 * Functions for several methods, and those of each that tests call.
 */


#ifndef DT_METHODS_H_INCLUDED_
#define DT_METHODS_H_INCLUDED_


#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/detect/detect.h"
#include "core/dom/dom.h"


/* Whether key is one of the pages of d. */
static inline int
dt_detect_has(const dt_detect_t *d, const dt_dom_t *key)
{
    size_t p;

    for (p = 0; p < d->n && d->pages[p] != key; p++) {
        /* void */
    }

    return p < d->n;
}


/* a tree from which nodes are removed; it knows where its nodes are in the
   page that it was copied from */
typedef struct {
    dt_dom_t dom;
    uint32_t *places;
    uint32_t *at; /* working memory */
} dt_tree_t;

/* Copies the nodes of key into t, with memory from arena; the rest is shared
   with key. */
dt_status_t dt_tree_copy(const dt_dom_t *key, dt_arena_t *arena,
                         dt_tree_t *out);

/* Removes the nodes whose map is DT_DOM_NONE; the others must be a tree. */
void dt_tree_keep(dt_tree_t *t, const uint32_t *map);

/* Returns a hash of a node without its subtree; attrs: with its attributes. */
uint64_t dt_tree_label(const dt_dom_t *dom, uint32_t i, int attrs);

/*
 * Returns for each node a hash of the labels in its subtree and of their
 * order: dom->n numbers in arena, or NULL without memory.
 */
uint64_t *dt_tree_hashes(const dt_dom_t *dom, int attrs, dt_arena_t *arena);

#define DT_TREE_OPEN 2 /* a leaf that gets the mark of its parent */

/*
 * Extends the marks of leaves (1: template, 0: not, DT_TREE_OPEN) to all
 * nodes. An element is template, with all that is in it, when some of its
 * leaves are template and none is not.
 */
void dt_tree_close(const dt_dom_t *dom, uint8_t *out);

/*
 * Removes marks of elements that hold words, but no word that is marked: that
 * a mapping finds the element around a page's own words does not make it
 * template.  A node without words is template only inside a template element.
 */
void dt_tree_prune(const dt_dom_t *dom, uint8_t *out);


/* reads the words of texts, for detectors that count them */

/*
 * Reads the next word of the text i: *word becomes its hash, and *at, which
 * starts at 0, moves behind it.  Returns 0 when there is no more.  A text
 * whose bytes in the page are unknown has one word, all of it.
 */
static inline int
dt_words_next(const dt_dom_t *dom, uint32_t i, uint32_t *at, uint64_t *word)
{
    const dt_node_t *node = &dom->nodes[i];
    const char *p, *end, *start;

    if (node->start == node->end) {
        *word = node->text;
        return (*at)++ == 0;
    }

    p = dom->src.data + node->start + *at;
    end = dom->src.data + node->end;

    while (p < end && (unsigned char) *p <= 0x20) {
        p++;
    }

    for (start = p; p < end && (unsigned char) *p > 0x20; p++) {
        /* void */
    }

    *word = dt_hash(start, (size_t) (p - start), 0);
    *at = (uint32_t) (p - dom->src.data) - node->start;

    return p > start;
}


/* says when two nodes of two pages are equal */

/*
 * Returns how equal element b of page is to element a of key: 0 for different
 * tags.  The highest rank, 4, is for the same id; then for equality in
 * everything, 3; in everything but the position, 2; and then the weighted sum,
 * which is equality from equal_threshold on.
 */
double dt_equal_rank(const dt_detect_opts_t *o, const dt_dom_t *key,
                     const dt_dom_t *page, uint32_t a, uint32_t b);

/* Returns whether that rank is one of an equal pair. */
static inline int
dt_equal(const dt_detect_opts_t *o, double rank)
{
    return rank > 0 && rank * 100 > o->equal_threshold - 1e-6;
}


/* shingles: fragments of the text of a page */

typedef struct {
    char *text; /* with white space folded, and a space between two texts */
    uint32_t len;
    uint32_t *from;   /* for each node: where its text begins in text */
    uint32_t *to;     /* for each node: where it ends; from == to: no text */
    uint64_t *hashes; /* of the selected fragments */
    uint32_t *at;     /* for each of them: where it begins in text */
    uint32_t n;
} dt_shingles_t;

/*
 * Selects, of the fragments of window bytes at each byte of the text, those
 * whose hash is 0 modulo density (0: all).
 */
dt_status_t dt_shingles_make(const dt_dom_t *dom, unsigned window,
                             unsigned density, dt_arena_t *arena,
                             dt_shingles_t *out);


/* the restricted top-down mapping of Vieira et al. 2006 */

/* cells of matrices for one template; no labelled page of the corpus needs a
   hundredth of them */
#define DT_RTDM_CELLS ((uint64_t) 1 << 26)


typedef struct {
    int attrs;      /* labels of elements have their attributes */
    uint64_t cells; /* cells that may still be computed */
    uint64_t cost;  /* of the last mapping */
} dt_rtdm_t;

/*
 * RTDM-TD and retrieveTemplate: finds a mapping from a to b of the least cost,
 * where each node that is removed, inserted or replaced costs 1.  map[i]
 * becomes the node of b that equals node i of a, or DT_DOM_NONE.  When the
 * cells run out, only identical nodes are mapped, and the cost is not the
 * least.
 */
dt_status_t dt_rtdm_map(dt_rtdm_t *r, const dt_dom_t *a, const dt_dom_t *b,
                        uint32_t *map);

/*
 * Finds the tree a in b in linear time: first identical children, in order;
 * then, between those, children with the same label.  map is set as above.
 * *whole says whether all of a was found.
 */
dt_status_t dt_rtdm_find(const dt_dom_t *a, const dt_dom_t *b, int attrs,
                         dt_arena_t *arena, uint32_t *map, int *whole);


/* the site style tree of Yi, Liu and Li 2003 */

typedef struct dt_sst_s dt_sst_t;

/* Builds the tree of n pages, and computes the importance of its nodes. */
dt_status_t dt_sst_make(const dt_dom_t *const *pages, size_t n,
                        const dt_detect_opts_t *o, dt_arena_t *arena,
                        dt_sst_t **out);

/*
 * Returns the importance, 0 to 1, of the element node that node i of a page
 * belongs to; -1: the tree has no such node.
 */
double dt_sst_importance(const dt_sst_t *sst, const dt_dom_t *dom, uint32_t i,
                         dt_arena_t *arena);


/* splits pages into blocks, for ContentExtractor and FastContentExtractor */

typedef struct {
    uint64_t value; /* a word, or DT_BLOCK_... */
    uint64_t count;
} dt_term_t;

/* terms that are not words */
enum { DT_BLOCK_IMAGES = 1, DT_BLOCK_SCRIPTS, DT_BLOCK_LINKS };


/* a block: an element without the blocks inside of it */
typedef struct {
    uint32_t node;
    uint32_t parent; /* the block around it, or DT_DOM_NONE */
    uint32_t next;   /* index behind the last block inside of it */
    uint64_t path; /* hash of the tags of the blocks around it, and its own */
    uint64_t hash; /* hash of its terms */
    uint64_t bits; /* one or more bits for each term */
    dt_term_t *terms; /* sorted; without any, the block is empty */
    uint32_t n;
    double norm;
} dt_block_t;


typedef struct {
    const dt_dom_t *dom;
    dt_block_t *blocks; /* in the order of the page; the first is the root's */
    uint32_t n;
    uint32_t *of;      /* the block of each node */
    dt_index_t hashes; /* uint64_t: hashes of the blocks that have terms */
} dt_blocks_t;


dt_status_t dt_blocks_make(const dt_dom_t *dom, dt_arena_t *arena,
                           dt_blocks_t *out);

/* Returns the cosine of the angle between two vectors, 0 to 1. */
double dt_block_cosine(const dt_block_t *x, const dt_block_t *y);

#define DT_BLOCK_STEPS ((uint64_t) 1 << 30) /* for comparing, in one run */

/*
 * Whether the cosine is above 0.9.  *steps is counted down; when it reaches 0,
 * only blocks with equal terms are similar.
 */
int dt_block_similar(const dt_block_t *x, const dt_block_t *y,
                     uint64_t *steps);


/* clusters pages by template: TEXT-MDL, and TEXT-HASH with MinHash */

#define DT_MDL_RANKS 128 /* orders in a signature */


/* the hash of a path, and how many documents of a cluster have it */
typedef struct {
    uint64_t path;
    uint64_t count;
} dt_path_t;


/* a signature: the first path of a cluster in each random order of all paths
 */
typedef struct {
    uint64_t rank[DT_MDL_RANKS];
    uint32_t count[DT_MDL_RANKS]; /* documents that have that path */
} dt_signature_t;


/* a cluster; a document is a cluster of one */
typedef struct {
    dt_path_t *paths; /* sorted by path */
    uint32_t n;
    uint32_t docs;  /* 0: merged into another cluster */
    uint64_t total; /* essential paths of all its documents */
    dt_signature_t *signature;
} dt_cluster_t;


/* the numbers that a clustering's cost depends on */
typedef struct {
    double ones;  /* paths of the templates */
    double plus;  /* paths that documents have in addition */
    double minus; /* paths of templates that documents lack */
} dt_mdl_t;


/* Collects the paths of a page, each once. */
dt_status_t dt_mdl_paths(const dt_dom_t *dom, dt_arena_t *arena,
                         dt_cluster_t *out);

/*
 * Removes the paths of n documents that are not essential.  A path is
 * essential when at least as many documents have it as have most of the
 * document's paths (the mode).  *paths becomes the number of all essential
 * paths.
 */
dt_status_t dt_mdl_essential(dt_cluster_t *docs, size_t n, dt_arena_t *arena,
                             size_t *paths);

/* Returns the bits of a matrix by entropy, with the given numbers of cells, of
   ones and of minus ones. */
double dt_mdl_bits(double cells, double ones, double minus);

/* Returns the cost of a number of clusters, documents and paths. */
double dt_mdl_cost(const dt_mdl_t *m, size_t clusters, size_t docs,
                   size_t paths);

/* Computes the exact cost of a and b (NULL: nothing) as one cluster. */
void dt_mdl_exact(const dt_cluster_t *a, const dt_cluster_t *b, dt_mdl_t *out);

/* Estimates the same by their signatures. */
void dt_mdl_likely(const dt_cluster_t *a, const dt_cluster_t *b,
                   dt_mdl_t *out);

/* Computes the signature of a document, in arena. */
dt_status_t dt_mdl_sign(dt_cluster_t *c, dt_arena_t *arena);

/* Estimates the Jaccard coefficient of the paths of two clusters by their
   signatures. */
double dt_mdl_jaccard(const dt_cluster_t *a, const dt_cluster_t *b);


/*
 * Clusters n documents by their essential paths, with signatures (fast) or
 * exactly.  docs[of[i]] becomes the cluster of document i.
 */
dt_status_t dt_mdl_cluster(dt_cluster_t *docs, size_t n, size_t paths,
                           int fast, dt_arena_t *arena, uint32_t *of);


#endif /* DT_METHODS_H_INCLUDED_ */
