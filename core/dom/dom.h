
/*
 * Copyright (C) The detemplate authors
 *
 * A page as gumbo parses it, turned into one flat array in preorder.  The
 * only file that knows gumbo is dom.c; gumbo never sees a response that is
 * being served.
 */


#ifndef DT_DOM_H_INCLUDED_
#define DT_DOM_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


#define DT_DOM_NONE UINT32_MAX

typedef enum { DT_NODE_ELEMENT = 0, DT_NODE_TEXT } dt_node_kind_t;


typedef struct {
    uint32_t parent;    /* index of the parent, DT_DOM_NONE for the root */
    uint32_t next;      /* index behind the subtree: i + 1 for a leaf */
    uint32_t depth;     /* 0 for the root */
    uint32_t index;     /* place among the siblings, from 0 */
    uint32_t nchildren; /* child nodes that are in the array */
    uint32_t kind;      /* dt_node_kind_t */

    uint64_t tag;  /* hash of the lower-case name; 0 for text */
    uint64_t id;   /* hash of the id attribute, 0 without or empty */
    uint64_t text; /* hash of the text, white space folded; 0 for elements */

    uint32_t classes; /* where in dom->hashes: class names, sorted, unique */
    uint32_t nclasses;
    uint32_t attrs; /* likewise: one hash per name=value, without id, class */
    uint32_t nattrs;

    /*
     * Source range in bytes: of the element from the '<' of its start tag to
     * behind the '>' of its end tag, of the text from its first byte to
     * behind its last.  start == end: gumbo made the node up, or its
     * positions are not to be trusted (span.h): implied start tag, left open
     * where HTML does not allow it, misnested, moved out of a table.  Where
     * it is allowed (li, p, td, ...) the range ends at what closed it.
     */
    uint32_t start;
    uint32_t end;
    uint32_t open_end; /* behind the '>' of the start tag; elements only */

    uint32_t words; /* words in a text node; 0 for elements */
    dt_str_t name;  /* lower-case tag name; empty for text */
} dt_node_t;


typedef struct {
    uint32_t node; /* the <a> or <area> */
    dt_str_t href; /* as written, entities decoded, outer space trimmed */
    unsigned nofollow : 1;
} dt_anchor_t;


typedef struct {
    dt_str_t src; /* the caller's bytes; must outlive the dom */
    dt_node_t *nodes;
    uint32_t n;
    uint32_t root; /* index of <html>, 0 */
    uint32_t body; /* index of <body>, or DT_DOM_NONE */
    uint64_t *hashes;
    dt_anchor_t *anchors; /* document order */
    uint32_t nanchors;
    dt_str_t base; /* href of the first <base>, or empty */
} dt_dom_t;


typedef struct {
    size_t max_bytes;   /* of a page; default 4 MiB */
    uint32_t max_depth; /* of open tags, counted before gumbo; 512 */
    uint32_t max_nodes; /* 200,000 */
    size_t max_attrs;   /* attributes on one tag, screened; 4,096 */
} dt_dom_opts_t;

void dt_dom_opts_init(dt_dom_opts_t *o);

/*
 * Parses src (UTF-8 or any ASCII-compatible charset: bytes are not decoded;
 * a BOM is skipped) into arena memory.  White-space-only text, comments,
 * doctype and the insides of script, style, template, noscript, svg, math and
 * iframe are not in the array (their elements are, as leaves).  DT_ELIMIT: a
 * bound of o was passed, found before or inside gumbo; DT_ENOMEM: the
 * arena's cap.  gumbo's own memory comes from a second arena that is gone on
 * return, with a cap of 16 MiB and 32 times the page.
 */
dt_status_t dt_dom_parse(dt_str_t src, const dt_dom_opts_t *o,
                         dt_arena_t *arena, dt_dom_t **out);

/* The tree distance between two nodes: edges on the way between them. */
uint32_t dt_dom_distance(const dt_dom_t *dom, uint32_t a, uint32_t b);


#endif /* DT_DOM_H_INCLUDED_ */
