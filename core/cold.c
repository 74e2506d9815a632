
/*
 * Copyright (C) The detemplate authors
 *
 * Elements in which nothing can be template, the most of most pages: a push
 * for each start tag, a pop for each end tag, and all in one loop.  What it
 * does is what scan.c, element.c and tree.c would do; whatever is not quite
 * usual is left to them.
 */


#include "scan_i.h"


const char *
dt_scan_cold(dt_scan_t *s, const char *p, const char *end)
{
    uint64_t name;
    unsigned len, depth;
    const char *q;
    dt_open_t *e = &s->stack[s->depth];
    const dt_tag_t *tag;

    for (;;) {
        p = dt_find(p, end, '<');

        if (end - p < 2 + DT_SCAN_ENDS) {
            break;
        }

        if (p[1] == '/') {
            if (!dt_scan_ends(e, p + 2)) {
                break;
            }

            p += 3 + e->len;
            e--;

            if (e->state & DT_OPEN_KNOWN) {
                s->glue = 0;
                break;
            }

            continue;
        }

        if (!dt_char_is(p[1], DT_C_ALPHA)) {
            if (dt_char_is(p[1], DT_C_MARKUP)) {
                break;
            }

            p++;
            continue;
        }

        len = dt_name_quick(p + 1, end, &name);
        if (len == 0) {
            break;
        }

        tag = dt_tag_find(name);
        depth = (unsigned) (e - s->stack);

        if ((tag->flags & (DT_TAG_ODD & ~DT_TAG_VOID))
            || (tag->closes & e->near) || depth == DT_SCAN_DEPTH)
        {
            break;
        }

        q = p + 1 + len;
        q = *q == '>' ? q + 1 : dt_token_skip(q, end);

        if (q == NULL) {
            break;
        }

        p = q;

        if (tag->flags & DT_TAG_VOID) {
            continue;
        }

        if (tag->kind == DT_TAG_A) {
            s->open_a = 0;
        }

        dt_scan_push(++e, name, len, tag, depth + 1);
    }

    s->depth = (unsigned) (e - s->stack);

    return p;
}
