
/*
 * Copyright (C) The detemplate authors
 *
 * The detector judges nodes of a parser's tree, while the evidence counts
 * records of the scanner.  Both are in the order of their starts, so one pass
 * over both finds the record of each node.
 */


#include "core/rules/evidence.h"


dt_status_t
dt_evidence_detected(dt_evidence_t *ev, const dt_dom_t *dom,
                     const dt_record_t *records, size_t n, uint8_t *nodes)
{
    size_t i;
    uint32_t k;
    dt_pattern_t *e;
    const dt_node_t *node = NULL;

    /* an element is found only if all that it contains is; the nodes below it
       are visited before it */

    for (k = dom->n; k-- > 0; /* void */) {
        if (!nodes[k] && dom->nodes[k].parent != DT_DOM_NONE) {
            nodes[dom->nodes[k].parent] = 0;
        }
    }

    for (i = 0, k = 0; i < n; i++) {
        for (; k < dom->n; k++) {
            node = &dom->nodes[k];

            if (node->start < node->end
                && (node->kind == DT_NODE_TEXT
                        ? node->end > records[i].start
                        : node->start >= records[i].start))
            {
                break;
            }
        }

        if (k == dom->n || !nodes[k] || records[i].key == 0
            || node->start > records[i].start
            || (records[i].name != 0) != (node->kind == DT_NODE_ELEMENT))
        {
            continue;
        }

        e = dt_index_find(&ev->patterns, records[i].key);
        if (e != NULL) {
            e->flags |= DT_PATTERN_DETECTED;
        }
    }

    return DT_OK;
}
