
/*
 * Copyright (C) The detemplate authors
 *
 * A page as text: HTML in, CommonMark with GFM's tables out, or plain text.
 */


#ifndef DT_TEXT_H_INCLUDED_
#define DT_TEXT_H_INCLUDED_


#include "core/base/dt.h"
#include "core/text/bytes.h"


#define DT_TOKEN_BYTES 4 /* of a token of a language model: an estimate */


typedef struct dt_text_s dt_text_t;

/* Takes the next bytes of the text, which are UTF-8, and gone when it returns.
   Not 0: stop, the call returns DT_ELIMIT. */
typedef int (*dt_text_out_pt)(void *data, const char *p, size_t len);

typedef struct {
    unsigned plain : 1;   /* text without markup, not Markdown */
    unsigned xml : 2;     /* see dt_scan_follow() */
    unsigned front : 1;   /* the fields of the head come first, as YAML */
    unsigned json : 1;    /* Markdown as a member of an object of JSON, which
                             has no end yet */
    unsigned anchors : 1; /* headings keep their ids in Markdown */
    unsigned hidden : 1;  /* elements that no reader sees are written, too */
    dt_str_t url;         /* absolute, of the page; relative links are links
                             only when it is there */
    dt_str_t index;       /* URL of an index for agents, which is named
                             first; may be empty */
    dt_str_t charset;     /* of the page; empty: UTF-8, and bytes that are
                             not are taken as windows-1252 */
    dt_str_t source;      /* of JSON: where the page is from; may be empty */
    const uint32_t *cut;  /* likewise: words of template that were cut;
                                NULL: not known */
    dt_text_out_pt out;
    void *out_data;
} dt_text_opts_t;


/* a page that was written */
typedef struct {
    size_t canonical_len; /* of the URL that the page calls its own; 0: none */
    char canonical[2048];
} dt_text_info_t;


#endif /* DT_TEXT_H_INCLUDED_ */
