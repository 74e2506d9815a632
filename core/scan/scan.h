
/*
 * Copyright (C) The detemplate authors
 *
 * The tokenizer, the stack of open elements and the hashes of what they
 * contain: the hot path.  Serving and compiling use the same code, so that
 * what is learned from a page is found again in its bytes.
 */


#ifndef DT_SCAN_H_INCLUDED_
#define DT_SCAN_H_INCLUDED_


#include "core/scan/state.h"


/*
 * The scanner takes tokens whole.  Who feeds it has the page in pieces, and
 * keeps the beginning of a token until its end has come:
 *
 *     dt_scan_init()
 *          |
 *          v       is full
 *     dt_scan_run() ------> dt_scan_decided(), dt_scan_taken(), and again
 *      ^   |
 *      |   | a token is incomplete, and more bytes come
 *      |   v
 *      |  dt_scan_short()? dt_scan_run() with one byte more
 *      |   | no
 *      |   v
 *      |  dt_scan_more() until it is done; dt_scan_let_go() on the way when
 *      |   |             the token gets too long to be kept
 *      |   v
 *      '- dt_scan_complete()                at the end: dt_scan_finish()
 *
 * When dt_scan_is_known(), it is dt_scan_more_known() that goes on instead.
 *
 * At any time between calls what dt_scan_decided() tells may be given out, and
 * dt_scan_limit() bounds what is not decided.
 *
 * Begins a page.  tmpl: checked bytes, or NULL to compile with seed.  host and
 * path are the page's own address; what does not fit is left out, and then
 * relative links are compared as they are written.
 */
void dt_scan_init(dt_scan_t *s, const void *tmpl, uint64_t seed, dt_str_t host,
                  dt_str_t path);

/* What is wanted by hand on the page that has begun; NULL: nothing. */
static inline void
dt_scan_hand(dt_scan_t *s, const dt_hand_t *hand)
{
    s->hand = hand;
    s->token.look = hand != NULL ? &hand->look : NULL;
}

/* The end of the head of the page that has begun is to be noted. */
static inline void
dt_scan_head(dt_scan_t *s)
{
    s->heads = DT_HEAD_WANTED;
}

/*
 * Scans [p, end), bytes from offset off of the page, one behind the other in
 * memory; before p are those from offset from on.  Returns the first byte of
 * the token that is not complete, or end; when dt_scan_is_full(), any token's
 * first byte: take the regions and call again.
 */
const char *dt_scan_run(dt_scan_t *s, const char *p, const char *end,
                        uint64_t off, uint64_t from);

/*
 * For a token that dt_scan_run() left incomplete: how many of the bytes
 * [p, end) that come next, one at least, belong to it.  *done is set when it
 * ends there; -1 then says that its last byte was already the first of the
 * next one.
 */
ptrdiff_t dt_scan_more(dt_scan_t *s, const char *p, const char *end,
                       int *done);

/*
 * Whether the incomplete token, of which len bytes from p are there, is too
 * short to tell what it is: give dt_scan_run() one byte more of it.
 */
int dt_scan_short(const dt_scan_t *s, const char *p, size_t len);

/* Takes that token, whole at [p, end), offset off. */
void dt_scan_complete(dt_scan_t *s, const char *p, const char *end,
                      uint64_t off);

/*
 * The token, which begins with [p, end), is longer than may be held and is let
 * go: dt_scan_more() goes on to tell its end, then dt_scan_complete() is
 * given the last part of it.  Returns how many of its last bytes, 0 or 1, may
 * belong to the next token and must be kept.
 */
unsigned dt_scan_let_go(dt_scan_t *s, const char *p, const char *end);

/*
 * What is not decided and began before the offset cannot be template any more:
 * open elements, and lines.
 */
void dt_scan_limit(dt_scan_t *s, uint64_t off);

/*
 * Where what is decided ends when the page was scanned up to offset off: the
 * regions that end before it are final.  How many those are is in *n.
 */
uint64_t dt_scan_decided(const dt_scan_t *s, uint64_t off, uint32_t *n);

/* The region number i of those. */
static inline const dt_region_t *
dt_scan_final(const dt_scan_t *s, uint32_t i)
{
    return &s->regions[i];
}

/*
 * The pieces that are cut by hand are s->forced; of these, dt_scan_forced()
 * tells how many are final as well.  They may be inside of regions, or regions
 * inside of them.  Forgets the first n regions, and nforced of these pieces.
 */
void dt_scan_taken(dt_scan_t *s, uint32_t n, uint32_t nforced);

/* End of input; len bytes at p, offset off, are the incomplete token. */
void dt_scan_finish(dt_scan_t *s, const char *p, size_t len, uint64_t off);

/* There is no room for more regions. */
static inline int
dt_scan_is_full(const dt_scan_t *s)
{
    return s->full;
}

/* The incomplete token is a tag, no text. */
static inline int
dt_scan_is_tag(const dt_scan_t *s)
{
    return s->state == DT_SCAN_TAG;
}

/* What is incomplete is no token, but a region whose bytes may be known. */
static inline int
dt_scan_is_known(const dt_scan_t *s)
{
    return s->state == DT_SCAN_KNOWN;
}

/* It is another one, and is to be scanned from its beginning to an offset. */
static inline void
dt_scan_unknown(dt_scan_t *s, uint64_t next)
{
    s->state = DT_SCAN_TEXT;
    s->memo_from = next;
}

/*
 * For that region, which begins at offset off: how many of the bytes [p, end)
 * that come next belong to it.  *done is set when it ends there.  -1: it is
 * another one, and is to be scanned from its beginning to offset next, which
 * is p's.
 */
ptrdiff_t dt_scan_more_known(dt_scan_t *s, const char *p, const char *end,
                             uint64_t off, uint64_t next, int *done);

/* The beginning of the incomplete token was let go. */
static inline int
dt_scan_is_cut(const dt_scan_t *s)
{
    return s->cut;
}

/* Nesting passed the bound: nothing is looked at any more. */
static inline int
dt_scan_is_too_deep(const dt_scan_t *s)
{
    return s->too_deep;
}


/*
 * For who needs a page's tags and elements, and no regions: begins such a page
 * instead of dt_scan_init().  xml: 1: it is read as XML; 2: if it begins with
 * an XML declaration.
 */
void dt_scan_follow(dt_scan_t *s, unsigned xml);

/* Takes bytes at p of a comment, a script or the like.  Returns what is behind
   it, or behind as much of it as is there; p: more bytes are needed. */
const char *dt_scan_step(dt_scan_t *s, const char *p, const char *end,
                         uint64_t off);


/*
 * Scans a whole page for compiling: records (freed by the caller with free())
 * are in the order of their starts.  The page has less than 4 GiB, as those
 * that dt_dom_parse() took.  DT_ENOMEM, or DT_ELIMIT for one that is nested
 * too deep.
 */
dt_status_t dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host,
                            dt_str_t path, dt_record_t **out, size_t *n);


/*
 * Copies a page, and makes white space of what is in its templates and
 * noscripts.  So a parser has the same tree around them as browsers that
 * execute scripts, for which that is text.  DT_OK, or DT_ENOMEM.
 */
dt_status_t dt_scan_inert(dt_str_t page, char *copy);


#endif /* DT_SCAN_H_INCLUDED_ */
