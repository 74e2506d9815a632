
/*
 * Copyright (C) The detemplate authors
 *
 * Elements in which nothing can be template, the most of most pages: a push
 * for each start tag, a pop for each end tag, and all in one loop.  What it
 * does is what scan.c, element.c and tree.c would do; whatever is not quite
 * usual is left to them.
 */


#include "core/scan/scan_i.h"


#define DT_COLD_ROOM 32 /* bytes behind '<' that a tag's name is read with */


/*
 * What is the innermost element when a start tag closes e, at this depth, and
 * nothing else; NULL: it closes more, or what comes is not cold any more.
 */
static dt_open_t *
dt_scan_closes(dt_open_t *e, const dt_tag_t *tag, unsigned depth)
{
    uint64_t closed = tag->closes & e->near;
    dt_open_t *parent = e - 1;

    if (closed != depth /* a p */
        && (closed != depth * tag->own || tag->kind >= DT_TAG_A))
    {
        return NULL;
    }

    return tag->closes & parent->near || parent->state & DT_OPEN_KNOWN
               ? NULL
               : parent;
}


/* the start tag whose '<' is at p, inside *top: behind it, or NULL when it is
   none for here */
static inline const char *
dt_scan_cold_start(dt_scan_t *s, dt_open_t **top, const char *p,
                   const char *end)
{
    uint64_t name;
    unsigned len, depth;
    dt_open_t *e = *top;
    const dt_tag_t *tag;

    len = dt_name_block(p + 1, &name);
    if (len == 0) {
        return NULL;
    }

    tag = dt_tag_find(name);
    depth = (unsigned) (e - s->stack);

    if ((tag->flags & (DT_TAG_ODD & ~DT_TAG_VOID)) || depth == DT_SCAN_DEPTH) {
        return NULL;
    }

    if (tag->closes & e->near) {
        e = dt_scan_closes(e, tag, depth);
        if (e == NULL) {
            return NULL;
        }

        depth--;
    }

    p += 1 + len;
    p = *p == '>' ? p + 1 : dt_token_skip(p, end);

    if (p == NULL) {
        return NULL;
    }

    if (!(tag->flags & DT_TAG_VOID)) {
        if (tag->kind == DT_TAG_A) {
            s->open &= (uint8_t) ~DT_LEFT_LINK;
        }

        dt_scan_push(++e, name, len, tag, depth + 1);
    }

    *top = e;

    return p;
}


const char *
dt_scan_cold(dt_scan_t *s, dt_marks_t *marks, const char *p, const char *end)
{
    const char *q;
    dt_marks_t m = *marks;
    dt_open_t *e = &s->stack[s->depth];

    for (;; dt_marks_take(&m)) {
        p = dt_marks_next(&m, p, end, '<');

        if (end - p < DT_COLD_ROOM) {
            break;
        }

        if (p[1] == '/') {
            if (!dt_scan_ends(e, p + 2)) {
                break;
            }

            p += 3 + e->len;
            e--;

            if (e->state & (DT_OPEN_KNOWN | DT_OPEN_LINE)) {
                s->glue = 0;
                break;
            }

        } else if (dt_char_is(p[1], DT_C_ALPHA)) {
            q = dt_scan_cold_start(s, &e, p, end);
            if (q == NULL) {
                break;
            }

            p = q;

        } else if (dt_char_is(p[1], DT_C_MARKUP)) {
            break;

        } else {
            p++;
        }
    }

    s->depth = (unsigned) (e - s->stack);
    *marks = m;

    return p;
}
