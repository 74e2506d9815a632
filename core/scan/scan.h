
/*
 * Copyright (C) The detemplate authors
 *
 * The tokenizer, the stack of open elements and the hashes of what they
 * contain: the hot path.  Serving and compiling use the same code, so that
 * what is learned from a page is found again in its bytes.
 */


#ifndef DT_SCAN_H_INCLUDED_
#define DT_SCAN_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/sum.h"
#include "core/scan/address.h"
#include "core/scan/chars.h"
#include "core/scan/memo.h"
#include "core/scan/token.h"


#define DT_SCAN_DEPTH 250   /* open elements; deeper pages pass unchanged */
#define DT_SCAN_HOLD 65536  /* bytes of the largest piece that is looked at */
#define DT_SCAN_LOOK 24     /* bytes behind '<' that decide what it is */
#define DT_SCAN_PENDING 512 /* regions inside elements that are open */
#define DT_SCAN_FINAL 128   /* regions that wait to be fetched */
#define DT_SCAN_INNER 16    /* open elements inside of svg, math, ... */
#define DT_SCAN_LEFT 42     /* names of formatting that are told apart */
#define DT_SCAN_PARTS 32    /* that may be worth remembering, see memo.c */
#define DT_SCAN_REGIONS (DT_SCAN_PENDING + DT_SCAN_FINAL + DT_SCAN_DEPTH)


/* an open element */
typedef struct {
    uint64_t path; /* the names from body down to it */
    uint64_t name;
    uint64_t hash;  /* start tag and children so far */
    uint64_t start; /* offset of '<' in the page */
    uint64_t near;  /* a byte for each kind of element: the innermost open one
                       that may be closed from here; 0: none */
    uint32_t words;
    uint32_t links;
    uint32_t mark; /* regions pending when it was opened, or its record */
    uint32_t odd;  /* of the scanner, and of its address, when it began */
    uint32_t relative;
    uint32_t own;
    uint16_t made;  /* regions, of the scanner, when it began */
    uint16_t flags; /* DT_TAG_*, and */
    uint8_t state;
    uint8_t len;      /* of the name, if dt_name_quick() tells, else 0 */
    uint8_t name_len; /* the same, of any name up to 254 */
} dt_open_t;

#define dt_near(e, kind) ((unsigned) ((e)->near >> 8 * (kind)) & 0xff)

enum {
    DT_OPEN_KNOWN = 1,    /* its path is one of the template's */
    DT_OPEN_GLUED = 2,    /* follows text without white space between */
    DT_OPEN_CLOSED = 4,   /* its start tag closed another element */
    DT_OPEN_UNSOUND = 8,  /* misnested, or not where a parser would leave it */
    DT_OPEN_HOLLOW = 16,  /* template also when only all its children are */
    DT_OPEN_LINE = 32,    /* stands in a line of text, at a known place */
    DT_OPEN_NAV = 64,     /* may go by its shape, as navigation, */
    DT_OPEN_BESIDE = 128, /* or as what stands beside content */
    DT_OPEN_SHAPE = DT_OPEN_NAV | DT_OPEN_BESIDE
};


/* a piece of the page that is template, when serving */
typedef struct {
    uint64_t start;
    uint32_t len;
    uint16_t words;
    uint8_t at;         /* behind the tag's name, from start; 0: text */
    uint8_t weak : 1;   /* only as part of a larger one */
    uint8_t joined : 1; /* goes or stays with the one before */
} dt_region_t;


/* such a piece inside of an element that is alive */
typedef struct {
    uint64_t around; /* see dt_memo_around() */
    uint64_t start;
    uint64_t hash;
    uint32_t len;
    uint16_t words;
    uint16_t made; /* regions in it, and it */
    uint8_t at;
    uint8_t depth;
    uint8_t relative; /* it depends on the page's own directory */
} dt_memo_part_t;


/* a piece of the page, when compiling */
typedef struct {
    uint64_t key;       /* 0: not usable: unsound, or never closed */
    uint64_t start_key; /* 0: text */
    uint64_t path;
    uint32_t first;  /* of text: its bit among the first bytes */
    uint32_t parent; /* record of the element around it, or UINT32_MAX */
    uint32_t start;  /* offsets in the page */
    uint32_t end;
    uint32_t words;
    uint32_t links; /* words of it inside links */
    uint64_t name;  /* 0: text */
    uint32_t weak;  /* may not be cut on its own here: glued, ... */
    uint32_t shape; /* what it calls itself: DT_SHAPE_*; see shape.c */
} dt_record_t;


typedef enum {
    DT_SCAN_TEXT = 0, /* between tags */
    DT_SCAN_TAG,      /* in a tag whose end has not come */
    DT_SCAN_COMMENT,
    DT_SCAN_BOGUS, /* up to the next '>': <!doctype, <?, </1 */
    DT_SCAN_RAW,   /* in script, style, ... */
    DT_SCAN_KNOWN, /* in what may be a known region that is not yet whole */
    DT_SCAN_PASS   /* given up: the rest is not looked at */
} dt_scan_state_t;


/* where a table in a p stands */
enum {
    DT_DOCTYPE_NONE = 0, /* in it */
    DT_DOCTYPE_OTHER,    /* there or here: parsers differ */
    DT_DOCTYPE_KNOWN     /* behind it, which it ends */
};


typedef struct {
    /* the template; all NULL or 0 when compiling */
    const uint64_t *paths;
    const uint64_t *nodes;
    const uint32_t *info;
    const uint64_t *firsts;
    unsigned first_shift;
    unsigned path_bits;
    unsigned node_bits;
    uint64_t seed;
    uint64_t dirs; /* of the template that the page is in: bits, the first is
                      set */

    dt_scan_state_t state;
    unsigned step; /* inside the state: place in a tag, dashes seen */
    uint8_t in_body;
    uint8_t begun;   /* a tag came */
    uint8_t doctype; /* DT_DOCTYPE_*: of the first before any tag; 0: none */
    uint8_t bodied;  /* the body has a tag of its own */
    uint8_t said;    /* words were found that may be cut */
    uint8_t look;    /* what is held begins with '<' and is too short */
    uint8_t cut;     /* the token's beginning was let go: not usable */
    uint8_t too_deep;
    uint8_t open;       /* DT_LEFT_*: a parser goes on with formatting, */
    uint8_t left_open;  /* and with what else is no block */
    uint8_t thrice;     /* three elements of formatting, maybe equal, were */
    uint8_t full;       /* returned early: fetch the regions */
    uint8_t keep_links; /* links, and what they are in, are no template */
    uint8_t bold;       /* what repeats by its shape is template as well */
    uint8_t script;     /* escapes inside script, 0 to 2 */
    uint8_t line;       /* DT_LINE_*: see line.c; */
    unsigned headed;    /* the element that the last heading stands in */
    uint64_t heading;   /* where that heading, or what of it goes, begins */
    uint32_t spared;    /* words of headings that stay */
    uint64_t since;     /* where what is not decided begins, or before that;
                           void when nothing is alive nor waits in a line */
    uint32_t line_link; /* which link the last words are in, 0: none */
    uint32_t links;     /* begun so far, where lines may matter */

    uint64_t form;   /* one offset behind where one began that has not ended: a
                        tag of another is for nothing; 0: none */
    uint64_t glue;   /* the last bytes of the text before, see dt_load64();
                        0: there is none */
    uint64_t gone;   /* where the last that may be cut ends */
    uint64_t raw;    /* name of the raw element being passed, 0: none */
    uint64_t nest;   /* name of the svg, math, ... being passed */
    unsigned ninner; /* elements that are open in it */
    uint64_t inner[DT_SCAN_INNER];

    uint32_t nleft[DT_SCAN_LEFT]; /* how many elements of formatting were left
                                     open, by name */

    unsigned depth;
    unsigned select; /* where the last one began */
    unsigned alive;  /* the outermost element that may be template; depth:
                        none */
    unsigned shape;  /* the outermost that may be by its shape; 0: none */

    /* serving */
    uint32_t nregions;

    /* compiling */
    dt_record_t *records;
    size_t nrecords;
    size_t records_max;
    uint8_t recording;
    uint8_t nomem;

    /* regions by their bytes: see memo.c */
    dt_memo_t *memo; /* NULL: none */
    uint64_t memo_page[2];
    uint8_t memo_ready;
    uint8_t memo_first;  /* nothing was known before this page */
    uint32_t memo_known; /* bytes */
    uint64_t memo_from;  /* none that is not whole begins before */
    uint64_t memo_key;   /* of what is looked for, of which */
    uint32_t memo_len;   /* bytes were hashed */
    unsigned memo_stops; /* passed, with these hashes */
    uint32_t memo_early[DT_MEMO_STOPS];
    uint16_t made; /* regions so far, wherever they went */
    unsigned nparts;
    uint32_t goes_on; /* with what was left open, all a parser has opened again
                         in the element at this depth, */
    uint64_t goes_from; /* which began there */
    uint32_t odd;  /* end tags that were for nothing inside what is alive, and
                      depend on more than the path */
    uint64_t from; /* what is in memory from this offset on */
    const char *held; /* what was before that, as far as it was kept: */
    uint64_t held_off;
    uint64_t held_end; /* offsets */

    uint64_t shift; /* from a byte's address to its offset in the page */
    char let_go[DT_SCAN_LOOK]; /* how the tag let go of begins */

    dt_address_t address;
    dt_token_t token;

    /* not cleared at the beginning */
    dt_region_t regions[DT_SCAN_REGIONS];
    dt_open_t stack[DT_SCAN_DEPTH + 2];
    dt_memo_part_t parts[DT_SCAN_PARTS];
    dt_sum_t memo_sum;
} dt_scan_t;


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
 * When dt_scan_is_known(), it is dt_memo_more() that goes on instead.
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

/*
 * Scans [p, end), bytes from offset off of the page, one behind the other in
 * memory.  Returns the first byte of the token that is not complete, or end;
 * when dt_scan_is_full(), any token's first byte: take the regions and call
 * again.
 */
const char *dt_scan_run(dt_scan_t *s, const char *p, const char *end,
                        uint64_t off);

/*
 * For a token that dt_scan_run() left incomplete: how many of the bytes
 * [p, end) that come next belong to it.  *done is set when it ends there; -1
 * then says that its last byte was already the first of the next one.
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

/* Forgets the first n regions. */
void dt_scan_taken(dt_scan_t *s, uint32_t n);

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
ptrdiff_t dt_memo_more(dt_scan_t *s, const char *p, const char *end,
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
 * Scans a whole page for compiling: records (freed by the caller with free())
 * are in the order of their starts.  DT_ENOMEM, or DT_ELIMIT for a page over
 * 4 GiB or one that is nested too deep.
 */
dt_status_t dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host,
                            dt_str_t path, dt_record_t **out, size_t *n);


#endif /* DT_SCAN_H_INCLUDED_ */
