
/*
 * Copyright (C) The detemplate authors
 *
 * What becomes of a parsed node in a dom.
 */


#ifndef DT_NODE_H_INCLUDED_
#define DT_NODE_H_INCLUDED_


#include "core/dom/dom.h"
#include "core/dom/span.h"


/* entities decoded, name in lower case, both ended by a NUL */
typedef struct {
    const char *name;
    const char *value;
} dt_node_attr_t;


/* The name in lower case, in arena; data NULL without memory. */
dt_str_t dt_node_name(const char *text, size_t len, dt_arena_t *arena);

/* Is an element of that name in a dom without what is in it? */
int dt_node_is_leaf(dt_str_t name);

/*
 * Sets the place in the tree and in the source of the node of span i, one of
 * n; nodes has the place in dom of each span, or DT_DOM_NONE.  Spans go in
 * order, since children are counted.
 */
void dt_node_set_place(dt_dom_t *dom, const dt_span_t *spans,
                       const uint32_t *nodes, uint32_t n, uint32_t i);

/*
 * Sets id, classes and attributes of node.  Hashes are written to
 * dom->hashes from *at on, which has to have room for one of each attribute
 * and one of each second byte of class; *at is moved on.
 */
void dt_node_set_attrs(dt_dom_t *dom, dt_node_t *node,
                       const dt_node_attr_t *attrs, uint32_t nattrs,
                       uint32_t *at);

/*
 * Appends an <a> or <area> with a href to dom->anchors, which has to have
 * room for it.  The href is copied to arena; DT_ENOMEM without memory.
 */
dt_status_t dt_node_set_anchor(dt_dom_t *dom, uint32_t node,
                               const dt_node_attr_t *attrs, uint32_t nattrs,
                               dt_arena_t *arena);

/* Sets dom->base, if this is the first <base> with a href. */
dt_status_t dt_node_set_base(dt_dom_t *dom, const dt_node_attr_t *attrs,
                             uint32_t nattrs, dt_arena_t *arena);

/*
 * Sets words and text of node.  U+00A0 looks like white space and is used as
 * such, so it counts as white space.
 */
void dt_node_set_text(dt_node_t *node, const char *text);


#endif /* DT_NODE_H_INCLUDED_ */
