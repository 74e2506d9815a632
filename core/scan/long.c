
/*
 * Copyright (C) The detemplate authors
 *
 * Tags and texts that are longer than may be held.  Where the page comes in
 * pieces their beginning is gone when their end comes: no more is made of them
 * where it comes in one.
 */


#include "core/scan/scan_i.h"


#define DT_LONG_TAG (DT_SCAN_LOOK - 1) /* bytes of a tag that are kept */


/* what is in a line with it stays; where nothing can be template, there is no
   line */
static void
dt_scan_long(dt_scan_t *s)
{
    if (!dt_scan_is_cold(s)) {
        dt_line_left(s);
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
    dt_scan_passed(s, p, end);
}


unsigned
dt_scan_let_go(dt_scan_t *s, const char *p, const char *end)
{
    size_t n;

    dt_scan_long(s);

    if (s->state == DT_SCAN_TAG && !s->cut) {
        /* its name is enough to keep the stack in order */

        end = end - p < DT_LONG_TAG ? end : p + DT_LONG_TAG;

        for (n = 2; p + n < end && !dt_char_is(p[n], DT_C_NAME_END); n++) {
            /* void */
        }

        memset(s->let_go, '>', sizeof(s->let_go));
        memcpy(s->let_go, p, n);
    }

    s->cut = 1;

    return s->state == DT_SCAN_TEXT && s->look;
}
