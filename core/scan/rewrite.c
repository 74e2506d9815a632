
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

#include "core/scan/rewrite_i.h"
#include "core/template/serve.h"
#include "core/template/table.h"


#define DT_FEED_MAX (64 * 1024) /* bytes that are looked at as one piece */


static const dt_wrap_t dt_rewrite_wrap = {
    { 14, " data-template" },
    { 15, "<!--template-->" },
    { 16, "<!--/template-->" },
    { 21, " data-template=\"hand\"" },
};


/* in XML, an attribute has a value */
static const dt_wrap_t dt_rewrite_xml = {
    { 17, " data-template=\"\"" },
    { 15, "<!--template-->" },
    { 16, "<!--/template-->" },
    { 21, " data-template=\"hand\"" },
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


size_t
dt_rewrite_room(void)
{
    return sizeof(dt_rewrite_t);
}


dt_rewrite_t *
dt_rewrite_create(const dt_rewrite_opts_t *o)
{
    dt_alloc_t alloc = { dt_rewrite_malloc, dt_rewrite_mfree, NULL };
    dt_rewrite_t *rw;

    if (o->alloc != NULL) {
        alloc = *o->alloc;
    }

    rw = o->room != NULL ? o->room
                         : alloc.alloc(alloc.data, sizeof(dt_rewrite_t));
    if (rw == NULL) {
        return NULL;
    }

    memset(rw, 0, offsetof(dt_rewrite_t, scan));
    rw->lent = o->room != NULL;
    rw->mode = o->mode;
    rw->wrap = o->wrap != NULL ? o->wrap : &dt_rewrite_wrap;
    rw->declared = o->wrap != NULL ? o->wrap : &dt_rewrite_xml;
    rw->xml = o->xml & 3;
    rw->before = o->before;
    rw->after = o->after;
    rw->head = o->head;
    rw->alloc = alloc;
    rw->out = o->out;
    rw->region = o->region;
    rw->out_data = o->out_data;

    if (o->tmpl == NULL) {
        dt_scan_follow(&rw->scan, 0);
        rw->pass = 1;
        return rw;
    }

    rw->most = DT_SERVE_TIMES
                   * (uint64_t) ((const dt_template_head_t *) o->tmpl)->most
               + DT_SERVE_MORE;
    dt_scan_init(&rw->scan, o->tmpl, 0, o->host, o->path);
    dt_scan_hand(&rw->scan, o->hand);

    if (o->head.len) {
        dt_scan_head(&rw->scan);
    }

    rw->scan.keep_links = o->keep_links != 0;
    rw->scan.bold = o->bold && !o->keep_links
                    && ((const dt_template_head_t *) o->tmpl)->shapes;

    /* regions are remembered as they are when links go */

    rw->scan.memo = o->keep_links ? NULL : o->memo;

    return rw;
}


/* gives out what the scanner, at an offset, has decided */
static void
dt_rewrite_settle(dt_rewrite_t *rw, uint64_t off)
{
    uint32_t n, nforced;
    uint64_t decided;

    if (rw->scan.head_end) {
        dt_rewrite_head(rw);
    }

    decided = dt_scan_decided(&rw->scan, off, &n);
    nforced = dt_scan_forced(&rw->scan, decided);
    dt_rewrite_regions(rw, n, nforced);
    dt_scan_taken(&rw->scan, n, nforced);
    dt_rewrite_keep(rw, decided);
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


/* tells the scanner what was before the bytes that it is given */
static void
dt_rewrite_held(dt_rewrite_t *rw)
{
    rw->scan.held = rw->carry;
    rw->scan.held_off = rw->carry_off;
    rw->scan.held_end = rw->carry_off + rw->carry_len;
}


static const char *
dt_rewrite_scan(dt_rewrite_t *rw, const char *p, const char *end, uint64_t off,
                uint64_t from)
{
    dt_rewrite_held(rw);

    return dt_scan_run(&rw->scan, p, end, off, from);
}


/* scans all that is held, once more, from the beginning of what was thought
   to be a known region on */
static void
dt_rewrite_again(dt_rewrite_t *rw)
{
    char *token;
    const char *q;

    do {
        dt_rewrite_settle(rw, rw->token);
        token = dt_rewrite_token(rw);
        q = dt_rewrite_scan(rw, token, token + (rw->chunk_off - rw->token),
                            rw->token, rw->token);
        rw->token += (uint64_t) (q - token);
        rw->open_token = rw->token < rw->chunk_off;
    } while (dt_scan_is_full(&rw->scan));
}


/* goes on with it; returns behind the bytes it took */
static const char *
dt_rewrite_known(dt_rewrite_t *rw, const char *p, const char *end)
{
    int done;
    ptrdiff_t n;
    uint64_t off = rw->chunk_off + (uint64_t) (p - rw->chunk);

    n = dt_scan_more_known(&rw->scan, p, end, rw->token, off, &done);

    if (n < 0) {
        dt_rewrite_again(rw);
        return p;
    }

    if (done) {
        rw->token = off + (uint64_t) n;
        rw->open_token = 0;
    }

    return p + n;
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

        if (dt_scan_is_known(&rw->scan)) {
            *p = dt_rewrite_known(rw, *p, end);
            continue;
        }

        if (len && dt_scan_short(&rw->scan, dt_rewrite_token(rw), len)) {
            if (dt_rewrite_carry(rw, *p, 1) != DT_OK) {
                return DT_ENOMEM;
            }

            (*p)++;
            token = dt_rewrite_token(rw);
            q = dt_rewrite_scan(rw, token, token + len + 1, rw->token,
                                rw->token);
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
            dt_rewrite_held(rw);
            dt_scan_complete(&rw->scan, token, token + (ptrdiff_t) len + n,
                             rw->token);
        }

        *p += n > 0 ? n : 0;
        rw->token = off + (uint64_t) n;
        rw->open_token = n < 0;
    }

    return DT_OK;
}


/* bounds what is held */
static void
dt_rewrite_limit(dt_rewrite_t *rw)
{
    if (rw->in > DT_HOLD_MAX) {
        dt_scan_limit(&rw->scan, rw->in - DT_HOLD_MAX);
    }
}


/* the page ended; the token that is left is text, or goes as it is */
static dt_status_t
dt_rewrite_finish(dt_rewrite_t *rw)
{
    const char *token = NULL;
    size_t len = 0;
    uint64_t off;

    if (dt_scan_is_known(&rw->scan)) {
        dt_rewrite_settle(rw, rw->token);

        if (dt_rewrite_hold(rw, rw->sent) != DT_OK) {
            return DT_ENOMEM;
        }

        rw->chunk_off = rw->in;
        dt_scan_unknown(&rw->scan, rw->in);
        dt_rewrite_again(rw);
    }

    off = rw->open_token ? rw->token : rw->in;
    dt_rewrite_limit(rw);
    dt_rewrite_settle(rw, off);

    if (off < rw->in && rw->in - off <= DT_HOLD_MAX) {
        if (dt_rewrite_hold(rw, rw->sent) != DT_OK) {
            return DT_ENOMEM;
        }

        token = rw->carry + (off - rw->carry_off);
        len = (size_t) (rw->in - off);
    }

    dt_scan_finish(&rw->scan, token, len, off);
    dt_rewrite_settle(rw, rw->in);
    rw->stats.words += rw->scan.stay_words;
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
    dt_rewrite_limit(rw);

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


/* the same as dt_rewrite_feed(), of a piece that is looked at as one */
static dt_status_t
dt_rewrite_piece(dt_rewrite_t *rw, const char *p, size_t len, int last)
{
    uint64_t from;
    dt_status_t rc;
    const char *q, *end = p + len;

    rw->chunk = p;
    rw->chunk_off = rw->in;
    rw->in += len;

    if (rw->pass) {
        dt_rewrite_keep(rw, rw->in);
        return DT_OK;
    }

    if (dt_rewrite_resume(rw, &p, end) != DT_OK) {
        return dt_rewrite_fail(rw);
    }

    from = rw->chunk_off + (uint64_t) (p - rw->chunk);

    while (p < end && !rw->open_token) {
        q = dt_rewrite_scan(rw, p, end,
                            rw->chunk_off + (uint64_t) (p - rw->chunk), from);

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

    return rc == DT_OK ? DT_OK : dt_rewrite_fail(rw);
}


dt_status_t
dt_rewrite_feed(dt_rewrite_t *rw, const char *p, size_t len, int last)
{
    size_t n;
    dt_status_t rc = DT_OK;

    do {
        n = len;

        if (n > DT_FEED_MAX && !rw->pass) {
            n = DT_FEED_MAX;
        }

        if (dt_rewrite_piece(rw, p, n, last && n == len) != DT_OK) {
            rc = DT_ENOMEM;
        }

        p += n;
        len -= n;

    } while (len);

    return rw->failed ? DT_ENOMEM : rc;
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
    out->known = rw->scan.memo_known;
    out->kept = rw->scan.nkept;
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

    if (!rw->lent) {
        rw->alloc.free(rw->alloc.data, rw);
    }
}
