
/*
 * Copyright (C) The detemplate authors
 *
 * Tags as the HTML standard's tokenizer sees them.
 */


#ifndef DT_TOKEN_H_INCLUDED_
#define DT_TOKEN_H_INCLUDED_


#include "place.h"


#define DT_NAME_HREF 0x66657268u


/*
 * The attributes of a tag, from behind its name to behind its '>', or NULL
 * when that is not in [p, end).  sum, when not NULL, gets the hash of those
 * that say something, whatever their order; place, used only then, tells what
 * links point to.  *closed: the tag ends with "/>".
 */
const char *dt_token_attrs(const dt_place_t *place, const char *p,
                           const char *end, uint64_t *sum, int *closed);


/* The same end, found faster: without attributes. */
const char *dt_token_end(const char *p, const char *end);

/* where in a tag its bytes so far end */
enum {
    DT_STEP_NAME = 0,
    DT_STEP_BEFORE,
    DT_STEP_ATTR,
    DT_STEP_AFTER,
    DT_STEP_EQUALS,
    DT_STEP_BARE,
    DT_STEP_QUOTE,
    DT_STEP_APOS
};


/*
 * The same, byte by byte, for a tag that comes in pieces: *step is
 * DT_STEP_NAME before the first byte of the name, and kept from call to call.
 * Returns behind the last byte of the tag with *done set, or end.
 */
const char *dt_token_step(unsigned *step, const char *p, const char *end,
                          int *done);


#endif /* DT_TOKEN_H_INCLUDED_ */
