
/*
 * Copyright (C) The detemplate authors
 *
 * Pages clustered by template: TEXT-MDL, and TEXT-HASH with MinHash.
 */


#ifndef DT_MDL_H_INCLUDED_
#define DT_MDL_H_INCLUDED_


#include "core/dom/dom.h"


#define DT_MDL_RANKS 128 /* of a signature */


/* a path, by its hash, and how many documents of a cluster have it */
typedef struct {
    uint64_t path;
    uint64_t count;
} dt_path_t;


/* of each of so many random orders of all paths, the first of a cluster */
typedef struct {
    uint64_t rank[DT_MDL_RANKS];
    uint32_t count[DT_MDL_RANKS]; /* documents that have that path */
} dt_signature_t;


/* a document is a cluster of one */
typedef struct {
    dt_path_t *paths; /* sorted by path */
    uint32_t n;
    uint32_t docs;  /* 0: became part of another */
    uint64_t total; /* essential paths of all its documents */
    dt_signature_t *signature;
} dt_cluster_t;


/* what a clustering costs: of these, templates have ones, ... */
typedef struct {
    double ones;  /* paths of the templates, */
    double plus;  /* paths that documents have besides, */
    double minus; /* and lack */
} dt_mdl_t;


/* The hash of the path of each node of dom; dom->n of them, or NULL. */
uint64_t *dt_mdl_hashes(const dt_dom_t *dom, dt_arena_t *arena);

/* The paths of a page, each once. */
dt_status_t dt_mdl_paths(const dt_dom_t *dom, dt_arena_t *arena,
                         dt_cluster_t *out);

/*
 * Leaves of the paths of n documents those that are essential: at least as
 * many documents have them as have most of the document's paths (the mode).
 * Returns in *paths how many there are in all.
 */
dt_status_t dt_mdl_essential(dt_cluster_t *docs, size_t n, dt_arena_t *arena,
                             size_t *paths);

/* The bits of a matrix with so many cells of 1 and of -1, by its entropy. */
double dt_mdl_bits(double cells, double ones, double minus);

/* The cost of clusters clusters of docs documents with paths paths. */
double dt_mdl_cost(const dt_mdl_t *m, size_t clusters, size_t docs,
                   size_t paths);

/* What a and b (NULL: nothing) would cost as one, exactly. */
void dt_mdl_exact(const dt_cluster_t *a, const dt_cluster_t *b, dt_mdl_t *out);

/* The same by their signatures. */
void dt_mdl_likely(const dt_cluster_t *a, const dt_cluster_t *b,
                   dt_mdl_t *out);

/* Makes the signature of a document. */
dt_status_t dt_mdl_sign(dt_cluster_t *c, dt_arena_t *arena);

/* The likely Jaccard coefficient of the paths of two, by their signatures. */
double dt_mdl_jaccard(const dt_cluster_t *a, const dt_cluster_t *b);

/* Whether a path that count of docs documents have is of their template. */
int dt_mdl_is_template(uint64_t count, uint64_t docs);

/*
 * Clusters n documents with essential paths, by signatures (fast) or exactly.
 * of[i] is the cluster of document i: docs[of[i]].
 */
dt_status_t dt_mdl_cluster(dt_cluster_t *docs, size_t n, size_t paths,
                           int fast, dt_arena_t *arena, uint32_t *of);


#endif /* DT_MDL_H_INCLUDED_ */
