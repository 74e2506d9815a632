
/*
 * Copyright (C) The detemplate authors
 *
 * Bytes given out, and bytes held: see rewrite.c.
 */


#include "core/scan/rewrite_i.h"


void
dt_rewrite_out(dt_rewrite_t *rw, const char *p, size_t len, dt_out_kind_t kind)
{
    if (len && !rw->failed && rw->out(rw->out_data, p, len, kind)) {
        rw->failed = 1;
    }
}


/* gives out the bytes up to an offset */
static void
dt_rewrite_give(dt_rewrite_t *rw, uint64_t to)
{
    uint64_t end;

    if (rw->sent < rw->chunk_off && rw->sent < to) {
        end = to < rw->chunk_off ? to : rw->chunk_off;
        dt_rewrite_out(rw, rw->carry + (rw->sent - rw->carry_off),
                       (size_t) (end - rw->sent), DT_OUT_HELD);
        rw->sent = end;
    }

    if (rw->sent < to) {
        dt_rewrite_out(rw, rw->chunk + (rw->sent - rw->chunk_off),
                       (size_t) (to - rw->sent), DT_OUT_INPUT);
        rw->sent = to;
    }
}


void
dt_rewrite_keep(dt_rewrite_t *rw, uint64_t to)
{
    uint64_t body = rw->scan.body - 1;

    if (rw->mode != DT_CUT) {
        dt_rewrite_give(rw, to);
        return;
    }

    dt_rewrite_give(rw, to < body ? to : body);
    rw->sent = rw->sent < to ? to : rw->sent;
}


void
dt_rewrite_mark(dt_rewrite_t *rw, uint64_t at, dt_str_t mark)
{
    if (mark.len) {
        dt_rewrite_keep(rw, at);
        dt_rewrite_out(rw, mark.data, mark.len, DT_OUT_MARK);
    }
}


void
dt_rewrite_apply(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at,
                 dt_str_t attribute)
{
    uint64_t end = start + len;

    if (rw->mode == DT_STRIP) {
        dt_rewrite_keep(rw, start);
        rw->sent = end;

    } else if (rw->mode == DT_CUT) {
        dt_rewrite_mark(rw, start, rw->before);
        dt_rewrite_give(rw, end);
        dt_rewrite_mark(rw, end, rw->after);

    } else if (at) {
        dt_rewrite_mark(rw, start, rw->before);
        dt_rewrite_mark(rw, start + at, attribute);
        dt_rewrite_mark(rw, end, rw->after);

    } else {
        dt_rewrite_mark(rw, start, rw->wrap->begin);
        dt_rewrite_mark(rw, end, rw->wrap->end);
    }

    rw->stats.regions++;
    rw->stats.removed += len;
}


dt_status_t
dt_rewrite_carry(dt_rewrite_t *rw, const char *from, size_t len)
{
    char *p;
    size_t size;

    if (len > rw->carry_size - rw->carry_len) {
        for (size = rw->carry_size ? rw->carry_size : 1024;
             size - rw->carry_len < len; size *= 2)
        {
            /* void */
        }

        p = rw->alloc.alloc(rw->alloc.data, size);
        if (p == NULL) {
            return DT_ENOMEM;
        }

        if (rw->carry_len) {
            memcpy(p, rw->carry, rw->carry_len);
        }

        if (rw->carry != NULL && rw->alloc.free != NULL) {
            rw->alloc.free(rw->alloc.data, rw->carry);
        }

        rw->carry = p;
        rw->carry_size = size;
    }

    if (len) {
        memcpy(rw->carry + rw->carry_len, from, len);
        rw->carry_len += len;
    }

    return DT_OK;
}


dt_status_t
dt_rewrite_hold(dt_rewrite_t *rw, uint64_t from)
{
    uint64_t start;

    if (from >= rw->chunk_off) {
        rw->carry_len = 0;
        rw->carry_off = from;
        start = from;

    } else {
        rw->carry_len = (size_t) (rw->chunk_off - from);
        memmove(rw->carry, rw->carry + (from - rw->carry_off), rw->carry_len);
        rw->carry_off = from;
        start = rw->chunk_off;
    }

    if (rw->in - from > rw->stats.held) {
        rw->stats.held = (uint32_t) (rw->in - from);
    }

    return dt_rewrite_carry(rw, rw->chunk + (start - rw->chunk_off),
                            (size_t) (rw->in - start));
}
