
/*
 * Copyright (C) The detemplate authors
 *
 * Which nodes of the key page are template, given other pages of its site?
 * One const descriptor per published method, one file each in detect/.
 */


#ifndef DT_DETECT_H_INCLUDED_
#define DT_DETECT_H_INCLUDED_


#include "core/dom/dom.h"


typedef struct {
    unsigned votes; /* pages that must map a node; etdm: v, default 2 */
} dt_detect_opts_t;


typedef struct {
    const char *name;
    const char *about; /* one line with the paper, for --help */

    /*
     * Sets out[i] to 1 for each of the key->n nodes that is template, else
     * to 0.  pages are n candidates; none of them is the key page.  Working
     * memory comes from arena.
     */
    dt_status_t (*detect)(const dt_dom_t *key, const dt_dom_t *const *pages,
                          size_t n, const dt_detect_opts_t *o,
                          dt_arena_t *arena, uint8_t *out);
} dt_detector_t;


/* All of them, ended by NULL; the first is the default. */
extern const dt_detector_t *const dt_detectors[];

/* The detector of that name, or NULL. */
const dt_detector_t *dt_detector_find(dt_str_t name);

/*
 * The equal top-down mapping of Alarte et al. 2015 from key to page with the
 * equality of the authors' tool (equal.h): map[i] is the index in page of the
 * node that node i of key corresponds to, or DT_DOM_NONE.
 * Returns through full whether every node of key is mapped.
 */
dt_status_t dt_etdm_map(const dt_dom_t *key, const dt_dom_t *page,
                        dt_arena_t *arena, uint32_t *map, int *full);


#endif /* DT_DETECT_H_INCLUDED_ */
