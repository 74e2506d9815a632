
/*
 * Copyright (C) The detemplate authors
 *
 * A page as a parser sees it: the array is a tree, and ranges lie in the
 * page.
 */


#include "fuzz.h"
#include "core/dom/dom.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t i;
    dt_dom_t *dom;
    dt_arena_t *a;
    const dt_node_t *n;
    dt_dom_opts_t o;

    a = dt_arena_create((size_t) 64 << 20);
    dt_dom_opts_init(&o);

    if (dt_dom_parse(fuzz_str(data, size), &o, a, &dom) == DT_OK) {
        for (i = 0; i < dom->n; i++) {
            n = &dom->nodes[i];

            fuzz_assert(n->next > i && n->next <= dom->n);
            fuzz_assert(n->start <= n->end && n->end <= size);
            fuzz_assert(i == 0 ? n->parent == DT_DOM_NONE : n->parent < i);
            fuzz_assert(i == 0 || n->next <= dom->nodes[n->parent].next);
            fuzz_assert(i == 0 || n->depth == dom->nodes[n->parent].depth + 1);
        }

        for (i = 0; i < dom->nanchors; i++) {
            fuzz_assert(dom->anchors[i].node < dom->n);
        }
    }

    dt_arena_destroy(a);

    return 0;
}
