
/*
 * Copyright (C) The detemplate authors
 *
 * The steps from the bytes of a page to a dom.
 */


#ifndef DT_NODE_H_INCLUDED_
#define DT_NODE_H_INCLUDED_


#include <gumbo.h>

#include "core/base/arena.h"
#include "core/base/dt.h"
#include "core/dom/dom.h"


/* finds the bytes of a page that are a node of its tree */

#define DT_SPAN_NONE UINT32_MAX


/* a node of a tree in preorder; an unknown offset is DT_SPAN_NONE */
typedef struct {
    uint32_t parent; /* DT_SPAN_NONE for the root */
    uint32_t next;   /* index behind the subtree */
    dt_str_t name;   /* lower-case tag name; empty for texts and comments */

    /* as the parser has it */
    uint32_t start;     /* offset of its start tag, text or comment */
    uint32_t open_end;  /* offset behind that */
    uint32_t tail;      /* offset of the token that closed it */
    uint32_t end;       /* offset behind its own end tag, or tail */
    unsigned moved : 1; /* it is not where the source has it, or not in it */
    unsigned empty : 1; /* it has a start tag only */

    /* set by dt_span_verify() */
    unsigned sound : 1; /* the bytes from start to end are the whole node, and
                           nothing else */
    unsigned end_tag : 1;  /* tail is its own end tag */
    uint32_t inside_start; /* the least start of the nodes inside */
    uint32_t inside_end;   /* the greatest end of the nodes inside */
    uint32_t edges;        /* number of edges of it and of the nodes inside */
    uint32_t first; /* the least start of it and of all nodes behind it in the
                       array */
} dt_span_t;


/*
 * Sets sound in the n spans of the page src, and tail and end in those that
 * are sound.  The arena gives it working memory, 4 bytes for each byte of the
 * page.  DT_ENOMEM: there is no memory.
 */
dt_status_t dt_span_verify(dt_span_t *spans, uint32_t n, dt_str_t src,
                           dt_arena_t *arena);


/* fills in nodes of a dom from a parser's facts about them */

/* an attribute as two C strings: the name is in lower case, entities of the
   value are decoded */
typedef struct {
    const char *name;
    const char *value;
} dt_node_attr_t;


/* Returns a copy of the name in lower case, in memory of the arena; its data
   is NULL if there is no memory. */
dt_str_t dt_node_name(const char *text, size_t len, dt_arena_t *arena);

/* Returns whether elements of that name are leaves of a dom, even if they
   contain nodes. */
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

/* Returns whether the attributes of a <meta> say that another page is shown
   instead, without a delay. */
int dt_node_is_redirect(const dt_node_attr_t *attrs, uint32_t nattrs);

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
