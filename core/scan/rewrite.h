
/*
 * Copyright (C) The detemplate authors
 *
 * The request path: bytes of a page in, the same bytes with the template cut
 * or marked out, as slices.  Streaming, bounded, one pass.
 */


#ifndef DT_REWRITE_H_INCLUDED_
#define DT_REWRITE_H_INCLUDED_


#include "core/base/dt.h"
#include "core/scan/memo.h"


typedef struct dt_hand_s dt_hand_t;


typedef enum {
    DT_STRIP = 0,
    DT_ANNOTATE,
    DT_CUT /* the head, and what strip cuts, each piece between before and
              after */
} dt_mode_t;

typedef enum {
    DT_OUT_INPUT = 0, /* a slice of the bytes of this very call: they, and all
                         before them, may be written over */
    DT_OUT_HELD,      /* bytes of earlier calls; gone when the call returns */
    DT_OUT_MARK       /* a constant */
} dt_out_kind_t;


#define DT_HOLD_MAX (64 * 1024) /* bytes held back per response, at most */


/* what annotate puts in */
typedef struct {
    dt_str_t attribute; /* behind the name of a region's tag */
    dt_str_t begin;     /* around text */
    dt_str_t end;
    dt_str_t by_hand; /* instead of attribute, of what is cut by hand; empty:
                         the same */
} dt_wrap_t;


typedef struct dt_rewrite_s dt_rewrite_t;

/* Takes one slice of output; not 0: stop, the call returns DT_ENOMEM. */
typedef int (*dt_out_pt)(void *data, const char *p, size_t len,
                         dt_out_kind_t kind);

/* Takes a region: its offset in the page, and its length in bytes. */
typedef void (*dt_region_pt)(void *data, uint64_t start, uint32_t len);

/* malloc() by default; nginx gives its pool.  free may be NULL. */
typedef struct {
    void *(*alloc)(void *data, size_t size);
    void (*free)(void *data, void *p);
    void *data;
} dt_alloc_t;


typedef struct {
    const void *tmpl; /* checked bytes; must outlive the rewriter; NULL: all
                         of the page stays */
    dt_mode_t mode;
    const dt_wrap_t *wrap;   /* NULL: data-template, with the value "hand" for
                                what is cut by hand, and comments; else what it
                                points to must outlive the rewriter */
    dt_str_t before;         /* what annotate puts around elements, as well; */
    dt_str_t after;          /* may be empty; must outlive the rewriter */
    unsigned keep_links;     /* not 0: template that has links in it stays; the
                                rest of what is around them goes */
    unsigned bold;           /* not 0: what repeats by its shape goes as well,
                                unless links are kept */
    unsigned xml;            /* 1: the page is XML, so that what goes must be
                                well-formed; 2: if it is declared as such */
    dt_str_t host;           /* of the page's URL, lower case; may be empty */
    dt_str_t path;           /* of the page's URL, without query */
    dt_str_t head;           /* put at the end of the head of a page that is a
                                document, unless it has a link to Markdown;
                                may be empty; must outlive the rewriter */
    const dt_hand_t *hand;   /* what is kept and cut by hand, see hand.h; must
                                outlive the rewriter; NULL: nothing */
    dt_memo_t *memo;         /* of tmpl and of no other; NULL: none */
    const dt_alloc_t *alloc; /* NULL: malloc() */
    void *room;              /* dt_rewrite_room() bytes that outlive the
                                rewriter, as for malloc(); NULL: allocated */
    dt_out_pt out;
    dt_region_pt region; /* called for each region that is cut or marked, in
                            the order of the page; may be NULL */
    void *out_data;      /* for out() and region() */
} dt_rewrite_opts_t;


typedef struct {
    uint64_t in;           /* bytes seen */
    uint64_t removed;      /* bytes of template: cut, or inside marks */
    uint32_t regions;      /* cut or marked */
    uint32_t words;        /* of template found, with headings that stay */
    uint32_t cut_words;    /* of these, those that were cut or marked */
    uint32_t known;        /* bytes of regions known by their bytes */
    uint32_t held;         /* most bytes held back at once */
    uint32_t kept;         /* elements kept by hand */
    uint32_t forced;       /* of the regions, those that are cut by hand, */
    uint64_t forced_bytes; /* and their bytes */
    unsigned guard : 1;    /* the page showed more than twice the template of
                              any page that was learned from: the rest was
                              passed on */
    unsigned too_deep : 1; /* nesting passed the bound; passed on from there */
} dt_rewrite_stats_t;


/* What a rewriter takes that scans, but for what it holds. */
size_t dt_rewrite_room(void);

/* A rewriter for one response; NULL without memory. */
dt_rewrite_t *dt_rewrite_create(const dt_rewrite_opts_t *o);

/*
 * Feeds the next len bytes of the page, at any boundary; last: no more will
 * come (len may be 0).  Calls out for each kept slice, in order.  What is not
 * yet decided is copied and held, at most DT_HOLD_MAX bytes.
 *
 * DT_OK, or DT_ENOMEM: there was no memory to hold bytes, or out() refused.
 * Unless out() refused, every byte fed so far has then been given out, and
 * later ones are passed through.
 */
dt_status_t dt_rewrite_feed(dt_rewrite_t *rw, const char *p, size_t len,
                            int last);

/*
 * Gives out what is held, as it came, and decides nothing any more: from here
 * on feeding passes bytes through.  For errors and for pages that turn out to
 * be none.
 */
dt_status_t dt_rewrite_release(dt_rewrite_t *rw);

void dt_rewrite_stats(const dt_rewrite_t *rw, dt_rewrite_stats_t *out);
void dt_rewrite_destroy(dt_rewrite_t *rw);

/*
 * Rewrites a whole page.  Calls out for each slice of the page that stays,
 * which points into page, and for each mark, in order; stats may be NULL.
 *
 * DT_OK; DT_ENOMEM: out() was not called, so that the caller still has the
 * page as it came; DT_ELIMIT: out() refused.
 */
dt_status_t dt_rewrite_page(const dt_rewrite_opts_t *o, dt_str_t page,
                            dt_rewrite_stats_t *stats);


#endif /* DT_REWRITE_H_INCLUDED_ */
