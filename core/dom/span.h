
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_SPAN_H_INCLUDED_
#define DT_SPAN_H_INCLUDED_


#include "core/base/arena.h"


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


#endif /* DT_SPAN_H_INCLUDED_ */
