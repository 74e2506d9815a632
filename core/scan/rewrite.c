
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
#include <string.h>

#include "core/scan/rewrite.h"
#include "core/scan/scan.h"
#include "core/template/serve.h"
#include "core/template/table.h"


struct dt_rewrite_s {
    dt_mode_t mode;
    const dt_wrap_t *wrap;
    const dt_wrap_t *declared; /* of a page with an XML declaration */
    dt_str_t before;
    dt_str_t after;
    dt_str_t head;
    dt_alloc_t alloc;
    dt_out_pt out;
    dt_region_pt region;
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
    unsigned lent : 1; /* its memory is the caller's */
    unsigned xml : 2;  /* as in the options */

    uint64_t most; /* words of template that may be cut from a page */
    dt_rewrite_stats_t stats;
    dt_scan_t scan;
};


static void
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


/* the bytes up to an offset stay: gives them out, or for DT_CUT what is of the
   head */
static void
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


static void
dt_rewrite_mark(dt_rewrite_t *rw, uint64_t at, dt_str_t mark)
{
    if (mark.len) {
        dt_rewrite_keep(rw, at);
        dt_rewrite_out(rw, mark.data, mark.len, DT_OUT_MARK);
    }
}


/* cuts a region, all of which is there, or marks it, by an attribute behind
   its tag's name; at: see dt_region_t */
static void
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


/* whether so many more words of template are too many */
static int
dt_rewrite_guard(dt_rewrite_t *rw, uint32_t words)
{
    if (rw->stats.guard || rw->stats.words + words > rw->most) {
        /* no page that was learned from is anything like this one */
        rw->stats.guard = 1;
        return 1;
    }

    rw->stats.words += words;
    rw->stats.cut_words += words;

    return 0;
}


/* a byte of what is held, or of the chunk */
static char
dt_rewrite_at(const dt_rewrite_t *rw, uint64_t off)
{
    return off < rw->chunk_off ? rw->carry[off - rw->carry_off]
                               : rw->chunk[off - rw->chunk_off];
}


/* in XML, a head ends with its end tag, or is none */
static void
dt_rewrite_head(dt_rewrite_t *rw)
{
    uint64_t at = rw->scan.head_end - 1;

    if (at >= rw->sent
        && (!rw->xml
            || (rw->in - at > 3 && dt_rewrite_at(rw, at + 1) == '/'
                && dt_rewrite_at(rw, at + 3) == 'e')))
    {
        dt_rewrite_mark(rw, at, rw->head);
    }

    rw->scan.head_end = 0;
}


/* what is behind a mark in [off, end), or one more than end */
static uint64_t
dt_xml_behind(const dt_rewrite_t *rw, uint64_t off, uint64_t end,
              const char *mark)
{
    size_t n, len = strlen(mark);

    for (; off + len <= end; off++) {
        for (n = 0; n < len && dt_rewrite_at(rw, off + n) == mark[n]; n++) {
            /* void */
        }

        if (n == len) {
            return off + len;
        }
    }

    return end + 1;
}


/* what is behind the tag whose name, or '/', is at an offset; *depth: the
   elements that are open */
static uint64_t
dt_xml_tag(const dt_rewrite_t *rw, uint64_t off, uint64_t end, int *depth)
{
    char c = 0, last, quote = 0;
    int ends = dt_rewrite_at(rw, off) == '/';

    for (; off < end; off++) {
        last = c;
        c = dt_rewrite_at(rw, off);

        if (quote) {
            quote = c == quote ? 0 : quote;

        } else if (c == '>') {
            *depth += ends ? -1 : last != '/';
            break;

        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }

    return off + 1;
}


/*
 * Whether all that begins in [start, end) ends there, as XML has it, and
 * nothing else does: a page that is XML must be well-formed without it.  The
 * scanner follows HTML, where a p ends before a list.
 */
static int
dt_rewrite_is_whole(const dt_rewrite_t *rw, uint64_t start, uint64_t end)
{
    char c;
    int depth = 0;
    uint64_t off = start;

    while (off < end && depth >= 0) {
        c = dt_rewrite_at(rw, off++);

        if (c == '>' && off - 1 > start
            && strchr("-]?", dt_rewrite_at(rw, off - 2)) != NULL)
        {
            /* a comment, CDATA or the like may end */
            return 0;
        }

        if (c != '<') {
            continue;
        }

        if (end - off < 2) {
            return 0;
        }

        switch (dt_rewrite_at(rw, off)) {

        case '!':
            c = dt_rewrite_at(rw, off + 1);
            off = dt_xml_behind(rw, off + 3, end, c == '-' ? "-->" : "]]>");
            break;

        case '?':
            off = dt_xml_behind(rw, off, end, "?>");
            break;

        default:
            off = dt_xml_tag(rw, off, end, &depth);
        }
    }

    return depth == 0 && off == end;
}


/* whether a piece may be cut */
static int
dt_rewrite_may(const dt_rewrite_t *rw, uint64_t start, uint32_t len)
{
    return rw->xml == 0 || (rw->xml == 2 && !rw->scan.declared)
           || dt_rewrite_is_whole(rw, start, start + len);
}


static void
dt_rewrite_cut(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at,
               int by_hand)
{
    const dt_wrap_t *wrap = rw->scan.declared ? rw->declared : rw->wrap;

    if (rw->region != NULL) {
        rw->region(rw->out_data, start, len);
    }

    dt_rewrite_apply(rw, start, len, at,
                     by_hand && wrap->by_hand.len ? wrap->by_hand
                                                  : wrap->attribute);
}


/* cuts a piece by hand, and counts what is template in it */
static uint32_t
dt_rewrite_force(dt_rewrite_t *rw, const dt_forced_t *f, uint32_t i,
                 uint32_t n)
{
    uint64_t end = f->start + f->len;

    for (; i < n && rw->scan.regions[i].start < end; i++) {
        (void) dt_rewrite_guard(rw, rw->scan.regions[i].words);
    }

    if (!rw->stats.guard && dt_rewrite_may(rw, f->start, f->len)) {
        dt_rewrite_cut(rw, f->start, f->len, f->at, 1);
        rw->stats.forced++;
        rw->stats.forced_bytes += f->len;
    }

    return i;
}


/*
 * Cuts the first n regions, and the first nforced pieces that are cut by hand:
 * of two that are in one another, the larger one, and of the same, the region.
 */
static void
dt_rewrite_regions(dt_rewrite_t *rw, uint32_t n, uint32_t nforced)
{
    uint32_t i = 0;
    uint64_t end = 0;
    const dt_region_t *r;
    const dt_forced_t *f = rw->scan.forced, *last = f + nforced;

    while (i < n || f < last) {
        r = i < n ? &rw->scan.regions[i] : NULL;

        if (i >= n
            || (f < last
                && (f->start < r->start
                    || (f->start == r->start && f->len > r->len))))
        {
            if (f->start >= end) {
                i = dt_rewrite_force(rw, f, i, n);
            }

            f++;
            continue;
        }

        if (rw->scan.kept && r->start >= rw->scan.kept_start) {
            rw->scan.stay_words += r->words;

        } else if (dt_rewrite_may(rw, r->start, r->len)
                   && !dt_rewrite_guard(rw, r->words))
        {
            dt_rewrite_cut(rw, r->start, r->len, r->at, 0);
        }

        end = r->start + r->len;
        i++;
    }
}


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
    rw->scan.hand = o->hand;
    rw->scan.token.look = o->hand != NULL ? &o->hand->look : NULL;

    if (o->head.len) {
        rw->scan.heads = DT_HEAD_WANTED;
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

    rw->scan.state = DT_SCAN_TEXT;
    rw->scan.memo_from = rw->chunk_off;

    do {
        dt_rewrite_settle(rw, rw->token);
        token = dt_rewrite_token(rw);
        q = dt_rewrite_scan(rw, token, token + (rw->chunk_off - rw->token),
                            rw->token, rw->token);
        rw->token += (uint64_t) (q - token);
        rw->open_token = rw->token < rw->chunk_off;
    } while (rw->scan.full);
}


/* goes on with it; returns behind the bytes it took */
static const char *
dt_rewrite_known(dt_rewrite_t *rw, const char *p, const char *end)
{
    int done;
    ptrdiff_t n;
    uint64_t off = rw->chunk_off + (uint64_t) (p - rw->chunk);

    n = dt_memo_more(&rw->scan, p, end, rw->token, &done);

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

        if (rw->scan.state == DT_SCAN_KNOWN) {
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

        if (rw->scan.cut) {
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

    if (rw->scan.state == DT_SCAN_KNOWN) {
        dt_rewrite_settle(rw, rw->token);

        if (dt_rewrite_hold(rw, rw->sent) != DT_OK) {
            return DT_ENOMEM;
        }

        rw->chunk_off = rw->in;
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
    rw->open_token = rw->scan.state == DT_SCAN_TAG || rw->token < rw->in;
}


/* bounds what is held, then holds it */
static dt_status_t
dt_rewrite_end_chunk(dt_rewrite_t *rw)
{
    dt_rewrite_limit(rw);

    if (!rw->open_token) {
        rw->token = rw->in;

    } else if (rw->scan.state == DT_SCAN_TAG && rw->scan.cut) {
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

        if (rw->scan.full) {
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
    out->too_deep = rw->scan.too_deep != 0;
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


dt_status_t
dt_rewrite_page(const dt_rewrite_opts_t *o, dt_str_t page,
                dt_rewrite_stats_t *stats)
{
    dt_rewrite_t *rw = dt_rewrite_create(o);
    dt_status_t rc;

    if (rw == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_rewrite_feed(rw, page.data, page.len, 1);

    if (stats != NULL) {
        dt_rewrite_stats(rw, stats);
    }

    dt_rewrite_destroy(rw);

    return rc == DT_OK ? DT_OK : DT_ELIMIT;
}
