
/*
 * Copyright (C) The detemplate authors
 *
 * Which bytes of a page are a node of its tree?
 */


#ifndef DT_SPAN_H_INCLUDED_
#define DT_SPAN_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/arena.h"


#define DT_SPAN_NONE UINT32_MAX


/* one node of a tree in preorder; offsets are DT_SPAN_NONE when unknown */
typedef struct {
    uint32_t parent; /* DT_SPAN_NONE for the root */
    uint32_t next;   /* index behind the subtree */
    dt_str_t name;   /* lower-case tag name; empty for text and comments */

    /* what the parser says of it */
    uint32_t start;     /* of its start tag, text or comment */
    uint32_t open_end;  /* behind that */
    uint32_t tail;      /* the token that closed it */
    uint32_t end;       /* behind its own end tag; tail when it has none */
    unsigned moved : 1; /* not where the source has it, or not in there */
    unsigned empty : 1; /* its start tag is all of it */

    /* what dt_span_verify() makes of it */
    unsigned sound : 1; /* start to end is the node, all of it, only it */
    unsigned own_end : 1;
    uint32_t lo;    /* least start inside */
    uint32_t hi;    /* greatest end inside */
    uint32_t edges; /* of the node and of all inside */
    uint32_t first; /* least start of it and of all that follow in the tree */
} dt_span_t;


/*
 * Sets sound, and for sound nodes tail and end, of the n spans of src.
 * Working memory, 4 bytes for each of src, comes from arena; DT_ENOMEM
 * without.
 */
dt_status_t dt_span_verify(dt_span_t *spans, uint32_t n, dt_str_t src,
                           dt_arena_t *arena);


#endif /* DT_SPAN_H_INCLUDED_ */
