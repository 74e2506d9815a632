
/*
 * Copyright (C) The detemplate authors
 *
 * A response of a web archive: its header, and its body decoded.
 */


#ifndef DT_WARC_BODY_H_INCLUDED_
#define DT_WARC_BODY_H_INCLUDED_


#include "core/web/fetch_response.h"


/* Splits a line of a header at its colon.  0: it has none. */
int dt_warc_field(dt_str_t line, dt_str_t *name, dt_str_t *value);

/* Reads a number; of base 16 also one with something behind it. */
int dt_warc_number(dt_str_t s, unsigned base, uint64_t *n);

/* how a body is encoded */
typedef struct {
    int chunked;
    int zipped;
    int brotli;
    int unknown; /* in a way that is not undone */
} dt_warc_coding_t;

/*
 * Reads the header of a response, which r takes; *body is what is behind it.
 * 0: it is no page.
 */
int dt_warc_response(dt_str_t block, dt_response_t *r, dt_warc_coding_t *c,
                     dt_str_t *body);

/* Decodes a body into r, which may refuse it; the bytes of body change. */
void dt_warc_decode(dt_response_t *r, const dt_warc_coding_t *c,
                    dt_str_t body);


#endif /* DT_WARC_BODY_H_INCLUDED_ */
