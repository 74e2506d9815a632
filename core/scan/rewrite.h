
/*
 * Copyright (C) The detemplate authors
 *
 * The request path: a page in, the same bytes with the template cut or marked
 * out, as slices.
 */


#ifndef DT_REWRITE_H_INCLUDED_
#define DT_REWRITE_H_INCLUDED_


#include "core/base/dt.h"


typedef struct dt_hand_s dt_hand_t;


typedef enum {
    DT_STRIP = 0,
    DT_ANNOTATE,
    DT_TEMPLATE /* the parts that strip cuts, their ancestors and the page's
                   styles, as a page; of a page of which nothing may be cut:
                   nothing */
} dt_mode_t;

typedef enum {
    DT_OUT_INPUT = 0, /* a slice of the page */
    DT_OUT_MARK       /* a constant */
} dt_out_kind_t;


/* the marks that annotate puts in */
typedef struct {
    dt_str_t attribute; /* behind the name of a region's tag */
    dt_str_t begin;     /* around text */
    dt_str_t end;
    dt_str_t by_hand; /* instead of attribute, of parts cut by hand; empty:
                         the same */
} dt_wrap_t;


/* memory that pages take one after the other, some 100 bytes for each element
   and each text of the largest */
typedef struct dt_work_s dt_work_t;

/* Takes one slice of output; not 0: stop, the call returns DT_ELIMIT. */
typedef int (*dt_out_pt)(void *data, const char *p, size_t len,
                         dt_out_kind_t kind);

/* Takes a region: its offset in the page, and its length in bytes. */
typedef void (*dt_region_pt)(void *data, uint64_t start, uint32_t len);

typedef struct {
    const void *tmpl; /* checked bytes; NULL: all of the page stays */
    dt_mode_t mode;
    const dt_wrap_t *wrap; /* NULL: data-template, with the value "hand" for
                                parts cut by hand, and comments */
    dt_str_t before;       /* annotate puts these around elements, as well; */
    dt_str_t after;        /* may be empty */
    unsigned keep_links;   /* not 0: template that has links in it stays; the
                                rest of the elements around them goes */
    unsigned bold;         /* not 0: elements that repeat by shape go as well,
                                unless links are kept */
    unsigned xml;          /* 1: the page is XML, so that cut parts must be
                                well-formed; 2: if it is declared as such */
    dt_str_t host;         /* of the page's URL, lower case; may be empty */
    dt_str_t path;         /* of the page's URL, without query */
    dt_str_t head;         /* put at the end of the head of a page that is a
                                document, unless it has a link to Markdown;
                                with the template alone at the beginning of
                                it, unless it has a base; may be empty */
    const dt_hand_t *hand; /* selectors that keep and cut, see hand.h; NULL:
                                none */
    dt_work_t *work;       /* NULL: it is allocated for this page */
    dt_out_pt out;
    dt_region_pt region; /* called for each region that is cut or marked, in
                            the order of the page; may be NULL */
    void *out_data;      /* for out() and region() */
} dt_rewrite_opts_t;


typedef struct {
    uint64_t in;           /* bytes of the page */
    uint64_t removed;      /* bytes of template: cut, or inside marks */
    uint32_t regions;      /* cut or marked */
    uint32_t words;        /* of template found, whether it stays or not */
    uint32_t cut_words;    /* of these, those that were cut or marked */
    uint32_t kept;         /* elements kept by hand */
    uint32_t forced;       /* of the regions, those that are cut by hand, */
    uint64_t forced_bytes; /* and their bytes */
    unsigned guard : 1;    /* the page showed more than twice the template of
                              any page that was learned from: nothing is cut */
    unsigned too_deep : 1; /* nesting passed the bound: nothing is cut */
} dt_rewrite_stats_t;


/* NULL: no memory.  A work is for one page at a time. */
dt_work_t *dt_work_create(void);
void dt_work_destroy(dt_work_t *work);

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
