
/*
 * Copyright (C) The detemplate authors
 */


#include <stddef.h>

#include "core/detect/detect.h"


#define DT_DECLARE(symbol, name)                                              \
    extern const dt_detector_t dt_detector_##symbol;
#define DT_POINT(symbol, name) &dt_detector_##symbol,

DT_DETECTORS(DT_DECLARE)


const dt_detector_t *const dt_detectors[] = { DT_DETECTORS(DT_POINT) NULL };


const dt_detector_t *
dt_detector_find(dt_str_t name)
{
    for (size_t i = 0; dt_detectors[i] != NULL; i++) {
        if (dt_str_eq(name, dt_cstr(dt_detectors[i]->name))) {
            return dt_detectors[i];
        }
    }

    return NULL;
}


/* clang-format off */
const dt_detect_option_t dt_detect_options[] = {
    { "votes", offsetof(dt_detect_opts_t, votes), 0,
      "etdm: pages that must map a node, v; 0: by their number" },
    { "equal-threshold", offsetof(dt_detect_opts_t, equal_threshold), 90,
      "etdm, etdm-all: percent of likeness that makes two elements "
      "equal" },
    { "equal-attributes", offsetof(dt_detect_opts_t, equal_attributes), 100,
      "how alike, in percent, the attributes of two elements "
      "without any are" },
    { "equal-class", offsetof(dt_detect_opts_t, equal_class), 10,
      "weight of the classes, in percent" },
    { "equal-position", offsetof(dt_detect_opts_t, equal_position), 40,
      "weight of the position among the siblings" },
    { "equal-children", offsetof(dt_detect_opts_t, equal_children), 50,
      "weight of the number of children" },
    { "rtdm-attrs", offsetof(dt_detect_opts_t, rtdm_attrs), 0,
      "rtdm-td: 1: the label of an element has its attributes" },
    { "rtdm-share", offsetof(dt_detect_opts_t, rtdm_share), 80,
      "percent of the words that the best quarter of the pages "
      "shares with the key page, below which a page does not count" },
    { "sst-classes", offsetof(dt_detect_opts_t, sst_classes), 0,
      "site-style-tree: 1: tags have their classes" },
    { "sst-threshold", offsetof(dt_detect_opts_t, sst_threshold), 50,
      "percent of importance below which a node is noise" },
    { "block-share", offsetof(dt_detect_opts_t, block_share), 50,
      "content-extractor, fast-content-extractor: percent of the "
      "pages that must have a block" },
    { "block-own", offsetof(dt_detect_opts_t, block_own), 1,
      "fast-content-extractor: 1: blocks inside an extracted one "
      "are compared too" },
    { "hash-low", offsetof(dt_detect_opts_t, hash_low), 50,
      "template-hash: percent of the pages, of which more must have "
      "a node" },
    { "hash-high", offsetof(dt_detect_opts_t, hash_high), 100,
      "percent of the pages that may have it at most" },
    { "hash-gap", offsetof(dt_detect_opts_t, hash_gap), 2,
      "most words between two nodes that are united" },
    { "shingle-window", offsetof(dt_detect_opts_t, shingle_window), 64,
      "shingles: bytes of a fragment, W" },
    { "shingle-density", offsetof(dt_detect_opts_t, shingle_density), 4,
      "one fragment in so many is counted, D; 0: all" },
    { "shingle-pages", offsetof(dt_detect_opts_t, shingle_pages), 0,
      "pages that are counted, P; 0: all" },
    { "shingle-share", offsetof(dt_detect_opts_t, shingle_share), 50,
      "percent of the pages that must have a fragment, F" },
    { "mdl-exact", offsetof(dt_detect_opts_t, mdl_exact), 0,
      "text-mdl: 1: pages are clustered without signatures" },
    { NULL, 0, 0, NULL }
};
/* clang-format on */


static unsigned *
dt_detect_option(dt_detect_opts_t *o, size_t i)
{
    return (unsigned *) (void *) ((char *) o + dt_detect_options[i].offset);
}


void
dt_detect_opts_init(dt_detect_opts_t *o)
{
    for (size_t i = 0; dt_detect_options[i].name != NULL; i++) {
        *dt_detect_option(o, i) = dt_detect_options[i].value;
    }
}


dt_status_t
dt_detect_opts_set(dt_detect_opts_t *o, dt_str_t name, unsigned value)
{
    for (size_t i = 0; dt_detect_options[i].name != NULL; i++) {
        if (dt_str_eq(name, dt_cstr(dt_detect_options[i].name))) {
            *dt_detect_option(o, i) = value;
            return DT_OK;
        }
    }

    return DT_DECLINED;
}


dt_status_t
dt_detect_prepare(const dt_detector_t *detector, const dt_dom_t *const *pages,
                  size_t n, const dt_detect_opts_t *o, dt_arena_t *arena,
                  dt_detect_t *d)
{
    d->detector = detector;
    d->pages = pages;
    d->n = n;
    d->o = *o;
    d->data = NULL;

    return n && detector->prepare ? detector->prepare(d, arena) : DT_OK;
}


dt_status_t
dt_detect_nodes(const dt_detect_t *d, const dt_dom_t *key, dt_arena_t *arena,
                uint8_t *out)
{
    size_t others = 0;

    memset(out, 0, key->n);

    for (size_t i = 0; i < d->n; i++) {
        others += d->pages[i] != key;
    }

    return others && key->n ? d->detector->nodes(d, key, arena, out) : DT_OK;
}


dt_status_t
dt_detect(const dt_detector_t *detector, const dt_dom_t *key,
          const dt_dom_t *const *pages, size_t n, const dt_detect_opts_t *o,
          dt_arena_t *arena, uint8_t *out)
{
    dt_status_t rc;
    dt_detect_t d;

    rc = dt_detect_prepare(detector, pages, n, o, arena, &d);

    return rc == DT_OK ? dt_detect_nodes(&d, key, arena, out) : rc;
}
