
/*
 * Copyright (C) The detemplate authors
 *
 * The interface of detectors: which nodes of a key page are template, given
 * other pages of its site?  Each published method has a const descriptor;
 * core/base/wire.h has the list.  A method first learns from the whole set of
 * pages, once.  Then it marks the nodes of any number of key pages.
 */


#ifndef DT_DETECT_H_INCLUDED_
#define DT_DETECT_H_INCLUDED_


#include "core/base/wire.h"
#include "core/dom/dom.h"


/* the options of the methods; dt_detect_options[] describes each */
typedef struct {
    unsigned votes;
    unsigned equal_threshold;
    unsigned equal_attributes;
    unsigned equal_class;
    unsigned equal_position;
    unsigned equal_children;
    unsigned rtdm_attrs;
    unsigned rtdm_share;
    unsigned sst_classes;
    unsigned sst_threshold;
    unsigned block_share;
    unsigned block_own;
    unsigned hash_low;
    unsigned hash_high;
    unsigned hash_gap;
    unsigned shingle_window;
    unsigned shingle_density;
    unsigned shingle_pages;
    unsigned shingle_share;
    unsigned mdl_exact;
} dt_detect_opts_t;

typedef struct {
    const char *name; /* with "-" for "_" */
    size_t offset;    /* of the member */
    unsigned value;   /* the default */
    const char *about;
} dt_detect_option_t;

/* ends with a NULL name */
extern const dt_detect_option_t dt_detect_options[];

void dt_detect_opts_init(dt_detect_opts_t *o);

/* Sets the option of that name; DT_DECLINED: there is no such option. */
dt_status_t dt_detect_opts_set(dt_detect_opts_t *o, dt_str_t name,
                               unsigned value);


/* a detector with a set of pages */
typedef struct {
    const struct dt_detector_s *detector;
    const dt_dom_t *const *pages; /* the caller's; they must outlive this */
    size_t n;
    dt_detect_opts_t o;
    void *data; /* the detector's own, in the arena of dt_detect_prepare() */
} dt_detect_t;


typedef struct dt_detector_s {
    const char *name;
    const char *about; /* one line that names the paper, for --help */

    /*
     * Learns from d->pages, at least one, into d->data, with memory from
     * arena.  NULL: the method has nothing to learn.
     */
    dt_status_t (*prepare)(dt_detect_t *d, dt_arena_t *arena);

    /*
     * Sets out[i], which is 0, to 1 for each of the key->n nodes that is
     * template.  key may be one of d->pages.  Working memory comes from
     * arena; d is not changed.
     */
    dt_status_t (*nodes)(const dt_detect_t *d, const dt_dom_t *key,
                         dt_arena_t *arena, uint8_t *out);
} dt_detector_t;


/* All detectors, the default first, and NULL at the end. */
extern const dt_detector_t *const dt_detectors[];

/* Returns the detector of that name, or NULL. */
const dt_detector_t *dt_detector_find(dt_str_t name);

/* The first half: fills in d, with memory from arena, which must outlive d. */
dt_status_t dt_detect_prepare(const dt_detector_t *detector,
                              const dt_dom_t *const *pages, size_t n,
                              const dt_detect_opts_t *o, dt_arena_t *arena,
                              dt_detect_t *d);

/*
 * The second half: sets out[i] to 1 for each node of key that is template, and
 * to 0 for others.  Without any page but the key page itself, none is.
 */
dt_status_t dt_detect_nodes(const dt_detect_t *d, const dt_dom_t *key,
                            dt_arena_t *arena, uint8_t *out);

/* Does both halves, for one key page. */
dt_status_t dt_detect(const dt_detector_t *detector, const dt_dom_t *key,
                      const dt_dom_t *const *pages, size_t n,
                      const dt_detect_opts_t *o, dt_arena_t *arena,
                      uint8_t *out);


#endif /* DT_DETECT_H_INCLUDED_ */
