
/*
 * Copyright (C) The detemplate authors
 *
 * Parses a page with gumbo, and flattens the tree into one array in preorder.
 * Only dom.c knows gumbo.  It is used for learning, never for a response that
 * is being served.
 */


#ifndef DT_DOM_H_INCLUDED_
#define DT_DOM_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


#define DT_DOM_NONE UINT32_MAX

typedef enum { DT_NODE_ELEMENT = 0, DT_NODE_TEXT } dt_node_kind_t;


typedef struct {
    uint32_t parent;    /* index of the parent; DT_DOM_NONE for the root */
    uint32_t next;      /* index behind the subtree; i + 1 for a leaf i */
    uint32_t depth;     /* 0 for the root */
    uint32_t index;     /* number among the siblings, from 0 */
    uint32_t nchildren; /* number of child nodes in the array */
    uint32_t kind;      /* dt_node_kind_t */

    uint64_t tag;  /* hash of the lower-case name; 0 for text */
    uint64_t id;   /* hash of the id attribute, 0 without or empty */
    uint64_t text; /* hash of the text, white space folded; 0 for elements */

    uint32_t classes; /* index in dom->hashes of its class names, which are
                         sorted and unique */
    uint32_t nclasses;
    uint32_t attrs; /* the same for its other attributes but id: one hash for
                       each name=value */
    uint32_t nattrs;

    /*
     * The bytes of the node in the source.  An element begins at the '<' of
     * its start tag and ends behind the '>' of its end tag.  If HTML allows to
     * omit the end tag (li, p, td, ...), the element ends at the token that
     * closed it.  start == end: the node has no range, since its start tag is
     * implied, or since gumbo's positions are wrong (span.h): it was left open
     * where HTML does not allow that, misnested, or moved out of a table.
     */
    uint32_t start;
    uint32_t end;
    uint32_t open_end; /* behind the '>' of the start tag; elements only */

    uint32_t words; /* words in a text node; 0 for elements */
    dt_str_t name;  /* lower-case tag name; empty for text */
} dt_node_t;


typedef struct {
    uint32_t node; /* the <a> or <area> */
    dt_str_t href; /* with decoded entities, without white space around */
    unsigned nofollow : 1;
} dt_anchor_t;


typedef struct {
    dt_str_t src; /* the caller's bytes, which must outlive the dom */
    dt_node_t *nodes;
    uint32_t n;
    uint32_t root; /* index of <html>, 0 */
    uint32_t body; /* index of <body>, or DT_DOM_NONE */
    uint64_t *hashes;
    dt_anchor_t *anchors; /* in the order of the document */
    uint32_t nanchors;
    dt_str_t base;          /* href of the first <base>, or empty */
    unsigned redirects : 1; /* to another page, by a <meta> without a delay */
} dt_dom_t;


typedef struct {
    size_t max_bytes;   /* of a page; the default is 4 MiB */
    uint32_t max_depth; /* of gumbo's tree; 2,000 */
    uint32_t max_nodes; /* nodes of the array; 200,000 */
    unsigned max_ms;    /* processor time of gumbo; 1,000 */
} dt_dom_opts_t;

/* Sets the bounds to their defaults. */
void dt_dom_opts_init(dt_dom_opts_t *o);

/*
 * Parses the page src and sets *out to its dom, in memory of the arena.  src
 * has UTF-8 or another charset that is compatible with ASCII: bytes are not
 * decoded, and a byte order mark is skipped.  The array has no comments, no
 * doctype and no text of white space only.  Elements named script, style,
 * template, svg, math and iframe are leaves, even if they contain nodes.
 *
 * DT_ELIMIT: the page exceeds a bound of o, or gumbo needs more than 16 MiB
 * and 32 times the page; DT_ENOMEM: there is no memory.  *out is NULL then.
 * gumbo's memory is freed before the function returns.
 */
dt_status_t dt_dom_parse(dt_str_t src, const dt_dom_opts_t *o,
                         dt_arena_t *arena, dt_dom_t **out);

/* Returns the distance of two nodes: the number of edges between them. */
uint32_t dt_dom_distance(const dt_dom_t *dom, uint32_t a, uint32_t b);


#endif /* DT_DOM_H_INCLUDED_ */
