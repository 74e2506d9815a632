
/*
 * Copyright (C) The detemplate authors
 *
 * Tags and texts that are longer than may be held.  Where the page comes in
 * pieces their beginning is gone when their end comes: no more is made of them
 * where it comes in one.
 */


#include "core/scan/element.h"


/* what is in a line with it stays; where nothing can be template, there is no
   line */
static void
dt_scan_long(dt_scan_t *s)
{
    if (!dt_scan_is_cold(s)) {
        dt_line_keep(s);
    }
}


void
dt_scan_long_tag(dt_scan_t *s)
{
    dt_token_t *t = &s->token;
    const char *name = t->start + 1 + (t->start[1] == '/');

    dt_scan_long(s);

    if (t->rest - t->start > DT_LONG_TAG) {
        t->name = dt_name_fold(name, t->start + DT_LONG_TAG);
    }
}


void
dt_scan_long_text(dt_scan_t *s, const char *p, const char *end)
{
    dt_scan_unsound(s, &s->stack[s->depth]);
    dt_scan_long(s);
    dt_shape_stays(s, UINT32_MAX);
    dt_scan_passed(s, p, end);
}
