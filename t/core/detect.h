
/*
 * Copyright (C) The detemplate authors
 *
 * For tests of detectors: small pages, and which nodes of one are template.
 */


#ifndef DT_TEST_DETECT_H_INCLUDED_
#define DT_TEST_DETECT_H_INCLUDED_


#include <stdlib.h>

#include "core/dom/dom.h"
#include "t/core/rows.h"


#define MAX_PAGES ROW_PARTS
#define MAX_OUT 8192


static dt_arena_t *arena;


static inline void
fresh(void)
{
    dt_arena_destroy(arena);
    arena = dt_arena_create((size_t) 512 << 20);
}


static inline const dt_dom_t *
parse(const char *page)
{
    dt_dom_t *dom = NULL;
    dt_dom_opts_t o;

    dt_dom_opts_init(&o);
    o.max_ms = 100000; /* valgrind is slow */

    if (dt_dom_parse(dt_cstr(page), &o, arena, &dom) != DT_OK) {
        printf("Bail out! %.60s\n", page);
        exit(1);
    }

    return dom;
}


/* names of the nodes of body that are in, texts as '#', all in preorder */
static inline void
list(const dt_dom_t *dom, const uint8_t *in, char *out)
{
    const dt_node_t *node;
    size_t len = 0;

    out[0] = '\0';

    for (uint32_t i = dom->body + 1; i < dom->n && len < MAX_OUT - 64; i++) {
        node = &dom->nodes[i];

        if (in[i]) {
            len += (size_t) snprintf(out + len, 64, "%s%.*s", len ? " " : "",
                                     node->name.len ? (int) node->name.len : 1,
                                     node->name.len ? node->name.data : "#");
        }
    }
}


/* the pages of a row from one part on */
static inline size_t
parse_row(const row_t *row, unsigned from, const dt_dom_t **pages)
{
    size_t n = 0;

    while (from < row->nparts) {
        pages[n++] = parse(row->part[from++].all);
    }

    return n;
}


/* what a list is, where "-" is an empty one */
static inline void
list_is(const char *got, const row_t *row, unsigned part)
{
    const char *want = row->part[part].all;

    is_str(got, strlen(got), strcmp(want, "-") == 0 ? "" : want,
           row->part[0].all);
}


#endif /* DT_TEST_DETECT_H_INCLUDED_ */
