
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_TEXT_MDL_H_INCLUDED_
#define DT_TEXT_MDL_H_INCLUDED_


#include "core/dom/dom.h"


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


#endif /* DT_TEXT_MDL_H_INCLUDED_ */
