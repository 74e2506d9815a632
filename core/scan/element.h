
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ELEMENT_H_INCLUDED_
#define DT_ELEMENT_H_INCLUDED_


#include "core/scan/state.h"


/*
 * Takes the tag, the comment or the like at p, which has two bytes at least.
 * Returns the byte behind it, or behind its beginning: s->state is not
 * DT_SCAN_TEXT then, and dt_scan_step() goes on.  NULL: it does not end in
 * [p, end), so that parsers drop it.
 *
 * A start tag is in s->token.  It has begun an element if the innermost one is
 * new.  For a reader that only follows, the start of such an element is
 * UINT64_MAX until the caller sets it to something else.  End tags that are
 * usual are not in s->token.
 */
const char *dt_scan_markup(dt_scan_t *s, const char *p, const char *end);

/* a start tag, s->token, at offset start, that may not be quite usual */
void dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag);

/* the next token, at an offset, stands in the body */
void dt_scan_body(dt_scan_t *s, uint64_t off);


/*
 * Whether at p, where DT_SCAN_ENDS bytes can be read, are a name of len bytes,
 * see dt_name_block(), and '>'.  No is no answer.  The names looked at have no
 * byte that another than a letter or digit becomes in lower case.
 */
#define DT_SCAN_ENDS 9

static inline int
dt_scan_is_end(uint64_t name, unsigned len, const char *p)
{
    uint64_t x = (dt_load64(p) | 0x2020202020202020u) ^ name;

    return (x & dt_name_masks[len]) == 0 && p[len] == '>';
}


static inline int
dt_scan_ends(const dt_open_t *e, const char *p)
{
    return e->len && dt_scan_is_end(e->name, e->len, p);
}


#endif /* DT_ELEMENT_H_INCLUDED_ */
