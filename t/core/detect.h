
/*
 * Copyright (C) The detemplate authors
 *
 * For tests of detectors: small pages, and which nodes of one are template.
 */


#ifndef DT_TEST_DETECT_H_INCLUDED_
#define DT_TEST_DETECT_H_INCLUDED_


#include <stdlib.h>

#include "core/detect/detect.h"
#include "t/core/test.h"


#define MAX_PAGES 8
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


/* a key page, a set of pages, and what of the key page is template */
typedef struct {
    const char *detector;
    void (*set)(dt_detect_opts_t *o); /* or NULL: the default options */
    const char *key;
    const char *pages[MAX_PAGES];
    const char *want;
    const char *name;
} found_t;


static inline void
test_found(const found_t *rows, size_t n)
{
    const found_t *f;
    const dt_dom_t *key, *pages[MAX_PAGES];
    dt_detect_opts_t o;
    char out[MAX_OUT];
    uint8_t *in;
    size_t np;

    for (f = rows; f < rows + n; f++) {
        fresh();
        key = parse(f->key);

        for (np = 0; np < MAX_PAGES && f->pages[np] != NULL; np++) {
            pages[np] = parse(f->pages[np]);
        }

        dt_detect_opts_init(&o);

        if (f->set != NULL) {
            f->set(&o);
        }

        in = dt_arena_alloc(arena, key->n);
        memset(in, 0xff, key->n);

        if (dt_detect(dt_detector_find(dt_cstr(f->detector)), key, pages, np,
                      &o, arena, in)
            != DT_OK)
        {
            ok(0, f->name);
            continue;
        }

        list(key, in, out);
        is_str(out, strlen(out), f->want, f->name);
    }
}


#endif /* DT_TEST_DETECT_H_INCLUDED_ */
