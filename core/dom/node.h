
/*
 * Copyright (C) The detemplate authors
 *
 * Fills in nodes of a dom from what a parser says about them.
 */


#ifndef DT_NODE_H_INCLUDED_
#define DT_NODE_H_INCLUDED_


#include "core/dom/dom.h"
#include "core/dom/span.h"


/* an attribute as two C strings: the name is in lower case, entities of the
   value are decoded */
typedef struct {
    const char *name;
    const char *value;
} dt_node_attr_t;


/* Returns a copy of the name in lower case, in memory of the arena; its data
   is NULL if there is no memory. */
dt_str_t dt_node_name(const char *text, size_t len, dt_arena_t *arena);

/* Returns whether an element of that name is a leaf of a dom, whatever it
   contains. */
int dt_node_is_leaf(dt_str_t name);

/*
 * Sets the position in the tree, and the range in the source, of the node of
 * span i; n is the number of spans.  nodes has the index in dom of each span,
 * or DT_DOM_NONE.  It must be called for spans in their order, since it counts
 * the children of their parents.
 */
void dt_node_set_position(dt_dom_t *dom, const dt_span_t *spans,
                          const uint32_t *nodes, uint32_t n, uint32_t i);

/*
 * Sets id, classes and attributes of node.  Hashes are written to dom->hashes
 * from *at on, and *at moves behind them.  There must be room for one hash for
 * each attribute and one for each second byte of class.
 */
void dt_node_set_attrs(dt_dom_t *dom, dt_node_t *node,
                       const dt_node_attr_t *attrs, uint32_t nattrs,
                       uint32_t *at);

/*
 * Appends the node, an <a> or <area>, to dom->anchors if it has a href.  There
 * must be room for it.  The href is copied to the arena.  DT_ENOMEM: there is
 * no memory.
 */
dt_status_t dt_node_set_anchor(dt_dom_t *dom, uint32_t node,
                               const dt_node_attr_t *attrs, uint32_t nattrs,
                               dt_arena_t *arena);

/* Sets dom->base if this is the first <base> with a href, which is copied to
   the arena.  DT_ENOMEM: there is no memory. */
dt_status_t dt_node_set_base(dt_dom_t *dom, const dt_node_attr_t *attrs,
                             uint32_t nattrs, dt_arena_t *arena);

/*
 * Sets words and text of node from its text, a C string.  U+00A0 counts as
 * white space, since pages use it as such.
 */
void dt_node_set_text(dt_node_t *node, const char *text);


#endif /* DT_NODE_H_INCLUDED_ */
