
/*
 * Copyright (C) The detemplate authors
 *
 * Between the scanner, which knows offsets in the page, and memory, which
 * comes in pieces.  Bytes that are not decided when a piece ends are copied
 * into the carry; a token that goes on in the next piece is completed there,
 * so that the scanner always sees tokens whole:
 *
 *         sent                      in
 *     -----|-------------------------|
 *          |<- carry ->|<- chunk --->|      offsets
 *                  |<--->|                  a token across the border
 *
 * Each byte is copied at most once for being undecided.
 */


#include <stdlib.h>

#include "core/scan/rewrite.h"
#include "core/scan/scan.h"
#include "core/template/serve.h"
#include "core/template/table.h"


struct dt_rewrite_s {
    dt_mode_t mode;
    dt_alloc_t alloc;
    dt_out_pt out;
    void *out_data;

    uint64_t in;   /* bytes seen */
    uint64_t sent; /* bytes decided and given out, or cut */

    const char *chunk; /* the piece being fed */
    uint64_t chunk_off;

    char *carry;
    size_t carry_len;
    size_t carry_size;
    uint64_t carry_off;

    uint64_t token; /* where the incomplete token begins */
    unsigned open_token : 1;
    unsigned pass : 1;
    unsigned failed : 1;

    uint64_t most; /* words of template that may be cut from a page */
    dt_rewrite_stats_t stats;
    dt_scan_t scan;
};


static void *
dt_rewrite_malloc(void *data, size_t size)
{
    (void) data;

    return malloc(size);
}


static void
dt_rewrite_mfree(void *data, void *p)
{
    (void) data;

    free(p);
}


dt_rewrite_t *
dt_rewrite_create(const dt_rewrite_opts_t *o)
{
    dt_alloc_t alloc = { dt_rewrite_malloc, dt_rewrite_mfree, NULL };
    dt_rewrite_t *rw;

    if (o->alloc != NULL) {
        alloc = *o->alloc;
    }

    rw = alloc.alloc(alloc.data, sizeof(dt_rewrite_t));
    if (rw == NULL) {
        return NULL;
    }

    memset(rw, 0, offsetof(dt_rewrite_t, scan));
    rw->mode = o->mode;
    rw->alloc = alloc;
    rw->out = o->out;
    rw->out_data = o->out_data;

    rw->most = DT_SERVE_TIMES
                   * (uint64_t) ((const dt_template_head_t *) o->tmpl)->most
               + DT_SERVE_MORE;
    dt_scan_init(&rw->scan, o->tmpl, 0, o->host, o->path);

    return rw;
}


static void
dt_rewrite_out(dt_rewrite_t *rw, const char *p, size_t len, dt_out_kind_t kind)
{
    if (len && !rw->failed && rw->out(rw->out_data, p, len, kind)) {
        rw->failed = 1;
    }
}


/* gives out the bytes up to an offset */
static void
dt_rewrite_keep(dt_rewrite_t *rw, uint64_t to)
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


static void
dt_rewrite_mark(dt_rewrite_t *rw, uint64_t at, dt_str_t mark)
{
    dt_rewrite_keep(rw, at);
    dt_rewrite_out(rw, mark.data, mark.len, DT_OUT_MARK);
}


static void
dt_rewrite_region(dt_rewrite_t *rw, const dt_region_t *r)
{
    uint64_t end = r->start + r->len;

    if (rw->stats.guard || rw->stats.words + r->words > rw->most) {
        /* no page that was learned from is anything like this one */
        rw->stats.guard = 1;
        return;
    }

    if (rw->mode == DT_STRIP) {
        dt_rewrite_keep(rw, r->start);
        rw->sent = end;

    } else if (r->at) {
        dt_rewrite_mark(rw, r->start + r->at, dt_str(" data-template"));

    } else {
        dt_rewrite_mark(rw, r->start, dt_str("<!--template-->"));
        dt_rewrite_mark(rw, end, dt_str("<!--/template-->"));
    }

    rw->stats.regions++;
    rw->stats.removed += r->len;
    rw->stats.words += r->words;
}


/* gives out what the scanner, at an offset, has decided */
static void
dt_rewrite_settle(dt_rewrite_t *rw, uint64_t off)
{
    uint32_t i, n;
    uint64_t decided;

    decided = dt_scan_decided(&rw->scan, off, &n);

    for (i = 0; i < n; i++) {
        dt_rewrite_region(rw, dt_scan_final(&rw->scan, i));
    }

    dt_scan_taken(&rw->scan, n);
    dt_rewrite_keep(rw, decided);
}


/* takes bytes [from, from + len) of the chunk into the carry */
static dt_status_t
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


/* the carry is to hold the bytes from an offset to the end of the chunk */
static dt_status_t
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


/* no memory: gives out everything and looks at nothing more */
static dt_status_t
dt_rewrite_fail(dt_rewrite_t *rw)
{
    rw->pass = 1;
    dt_rewrite_keep(rw, rw->in);

    return DT_ENOMEM;
}


/* the incomplete token, as far as it is there, in one piece: in the carry */
static char *
dt_rewrite_token(const dt_rewrite_t *rw)
{
    return rw->carry + (rw->token - rw->carry_off);
}


/*
 * Goes on with the token that the last piece left incomplete.  Sets *p behind
 * the bytes it took; rw->open_token stays set when there are not enough.
 */
static dt_status_t
dt_rewrite_resume(dt_rewrite_t *rw, const char **p, const char *end)
{
    int done;
    char *token;
    size_t len;
    uint64_t off;
    ptrdiff_t n;
    const char *q;

    while (rw->open_token && *p < end) {
        off = rw->chunk_off + (uint64_t) (*p - rw->chunk);
        len = (size_t) (off - rw->token);

        if (len && dt_scan_short(&rw->scan, dt_rewrite_token(rw), len)) {
            if (dt_rewrite_carry(rw, *p, 1) != DT_OK) {
                return DT_ENOMEM;
            }

            (*p)++;
            token = dt_rewrite_token(rw);
            q = dt_scan_run(&rw->scan, token, token + len + 1, rw->token);
            rw->token += (uint64_t) (q - token);
            rw->open_token = q < token + len + 1;
            continue;
        }

        n = dt_scan_more(&rw->scan, *p, end, &done);
        if (!done) {
            *p = end;
            break;
        }

        if (dt_scan_is_cut(&rw->scan)) {
            dt_scan_complete(&rw->scan, *p, *p + n, off);

        } else {
            if (n > 0 && dt_rewrite_carry(rw, *p, (size_t) n) != DT_OK) {
                return DT_ENOMEM;
            }

            token = dt_rewrite_token(rw);
            dt_scan_complete(&rw->scan, token, token + (ptrdiff_t) len + n,
                             rw->token);
        }

        *p += n > 0 ? n : 0;
        rw->token = off + (uint64_t) n;
        rw->open_token = n < 0;
    }

    return DT_OK;
}


/* the page ended; the token that is left is text, or goes as it is */
static dt_status_t
dt_rewrite_finish(dt_rewrite_t *rw)
{
    const char *token;
    uint64_t off;

    off = rw->open_token ? rw->token : rw->in;
    dt_scan_limit(&rw->scan, UINT64_MAX);
    dt_rewrite_settle(rw, off);

    if (off < rw->in && rw->in - off <= DT_HOLD_MAX) {
        if (dt_rewrite_hold(rw, off) != DT_OK) {
            return DT_ENOMEM;
        }

        token = dt_rewrite_token(rw);
        dt_scan_finish(&rw->scan, token, token + (rw->in - off), off);
        dt_rewrite_settle(rw, rw->in);
    }

    dt_rewrite_keep(rw, rw->in);
    rw->pass = 1;

    return DT_OK;
}


/* the token is too long to be held: all but what may begin the next one goes
   out */
static void
dt_rewrite_let_go(dt_rewrite_t *rw)
{
    char name[DT_SCAN_LOOK];
    size_t i;
    uint64_t off = rw->token;

    for (i = 0; i < sizeof(name); i++, off++) {
        name[i] = off < rw->chunk_off ? rw->carry[off - rw->carry_off]
                                      : rw->chunk[off - rw->chunk_off];
    }

    rw->token = rw->in - dt_scan_let_go(&rw->scan, name, name + i);
    rw->open_token = dt_scan_is_tag(&rw->scan) || rw->token < rw->in;
}


/* bounds what is held, then holds it */
static dt_status_t
dt_rewrite_end_chunk(dt_rewrite_t *rw)
{
    if (rw->in > DT_HOLD_MAX) {
        dt_scan_limit(&rw->scan, rw->in - DT_HOLD_MAX);
    }

    if (!rw->open_token) {
        rw->token = rw->in;

    } else if (dt_scan_is_tag(&rw->scan) && dt_scan_is_cut(&rw->scan)) {
        rw->token = rw->in;

    } else if (rw->in - rw->token > DT_HOLD_MAX) {
        dt_rewrite_let_go(rw);
    }

    dt_rewrite_settle(rw, rw->token);

    return dt_rewrite_hold(rw, rw->sent);
}


dt_status_t
dt_rewrite_feed(dt_rewrite_t *rw, const char *p, size_t len, int last)
{
    dt_status_t rc;
    const char *q, *end = p + len;

    rw->chunk = p;
    rw->chunk_off = rw->in;
    rw->in += len;

    if (rw->pass) {
        dt_rewrite_keep(rw, rw->in);
        return rw->failed ? DT_ENOMEM : DT_OK;
    }

    if (dt_rewrite_resume(rw, &p, end) != DT_OK) {
        return dt_rewrite_fail(rw);
    }

    while (p < end && !rw->open_token) {
        q = dt_scan_run(&rw->scan, p, end,
                        rw->chunk_off + (uint64_t) (p - rw->chunk));

        rw->token = rw->chunk_off + (uint64_t) (q - rw->chunk);

        if (dt_scan_is_full(&rw->scan)) {
            dt_rewrite_settle(rw, rw->token);
            p = q;
            continue;
        }

        rw->open_token = q < end;
        p = end;
    }

    rc = last ? dt_rewrite_finish(rw) : dt_rewrite_end_chunk(rw);

    if (rc != DT_OK) {
        return dt_rewrite_fail(rw);
    }

    return rw->failed ? DT_ENOMEM : DT_OK;
}


dt_status_t
dt_rewrite_release(dt_rewrite_t *rw)
{
    rw->pass = 1;
    rw->chunk_off = rw->in;
    dt_rewrite_keep(rw, rw->in);

    return rw->failed ? DT_ENOMEM : DT_OK;
}


void
dt_rewrite_stats(const dt_rewrite_t *rw, dt_rewrite_stats_t *out)
{
    *out = rw->stats;
    out->in = rw->in;
    out->too_deep = dt_scan_is_too_deep(&rw->scan) != 0;
}


void
dt_rewrite_destroy(dt_rewrite_t *rw)
{
    if (rw == NULL || rw->alloc.free == NULL) {
        return;
    }

    if (rw->carry != NULL) {
        rw->alloc.free(rw->alloc.data, rw->carry);
    }

    rw->alloc.free(rw->alloc.data, rw);
}
