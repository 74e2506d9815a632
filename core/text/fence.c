
/*
 * Copyright (C) The detemplate authors
 *
 * The inside of a pre, as a fenced block of code.
 */


#include "core/text/text_i.h"


/* one more than the backticks with which a line of [p, end) begins, but 3 */
static size_t
dt_fence_for(const char *p, const char *end)
{
    size_t n, most = 3;

    while (p < end) {
        while (p < end && *p == ' ') {
            p++;
        }

        for (n = 0; p < end && *p == '`'; p++) {
            n++;
        }

        most = n >= most ? n + 1 : most;
        p = dt_find(p, end, '\n');
        p += p < end;
    }

    return most;
}


void
dt_fence_pre(dt_text_t *t, int last)
{
    size_t fence;
    const char *p, *q, *end = t->line + t->len;

    fence = dt_fence_for(t->line, end);

    if (t->continued && fence > t->fence && !t->plain) {
        dt_out_next(t);
        dt_out_ticks(t, t->fence);
        t->continued = 0;
        dt_out_next(t);

    } else if (!t->continued) {
        dt_out_block(t);
    }

    if (!t->continued) {
        t->fence = fence;

        if (!t->plain) {
            dt_out_ticks(t, fence);
            dt_out_bytes(t, t->lang, strlen(t->lang));
            dt_out_next(t);
        }
    }

    t->continued = 1;

    for (p = t->line; p < end; p = q + 1) {
        q = dt_op_find(p, end);
        dt_out_bytes(t, p, (size_t) (q - p));

        if (q < end && *q == '\n') {
            dt_out_next(t);

        } else if (q < end && *q != DT_OP_NONE) {
            dt_out_char(t, *q);
        }
    }

    if (last && !t->plain) {
        dt_out_next(t);
        dt_out_ticks(t, t->fence);
    }
}
