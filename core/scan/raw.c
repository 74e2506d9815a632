
/*
 * Copyright (C) The detemplate authors
 *
 * Insides that are not markup: comments, CDATA, scripts and the like.
 */


#include <string.h>

#include "core/scan/scan_i.h"


/* what of a comment's end has been seen */
enum {
    DT_DASH_NONE = 0,
    DT_DASH_ONE,                     /* "-" */
    DT_DASH_TWO,                     /* "--", or more */
    DT_DASH_BANG,                    /* "--!" */
    DT_DASH_START = DT_STEP_COMMENT, /* "<!--", which '>' ends */
    DT_DASH_THREE                    /* "<!---", which '>' ends as well */
};


const char *
dt_scan_other(dt_scan_t *s, const char *p, const char *end)
{
    size_t len = (size_t) (end - p);

    if (p[1] == '!') {
        if (len < 3 || (len < 4 && p[2] == '-')) {
            return NULL;
        }

        if (!s->in_body && !s->begun && !s->doctype
            && !dt_scan_doctype(s, p, end)) {
            return NULL;
        }

        if (p[2] == '-' && p[3] == '-') {
            s->state = DT_SCAN_COMMENT;
            s->step = DT_STEP_COMMENT;

            if (s->nest == DT_NAME_NOSCRIPT) {
                /* its end may be in there, as the end of a script may */
                s->state = DT_SCAN_RAW;
                s->raw = s->nest;
                s->script = 1;
                s->step = 2;
            }

            return p + 4;
        }

        if (p[2] == '[' && dt_scan_has_cdata(s)) {
            if (len < 9) {
                return NULL;
            }

            if (memcmp(p + 3, "CDATA[", 6) == 0) {
                s->state = DT_SCAN_CDATA;
                s->step = 0;
                return p + 9;
            }
        }
    }

    s->state = DT_SCAN_BOGUS;

    if (s->nest && (s->ninner || s->unsure || s->nest == DT_NAME_NOSCRIPT)) {
        /* of CDATA or of a comment, as it may be for others */
        dt_scan_give_up(s);
    }

    return p + 2;
}


/* comments end at "-->" and "--!>"; "<!-->" and "<!--->" are whole */
const char *
dt_scan_run_comment(dt_scan_t *s, const char *p, const char *end)
{
    static const uint8_t dash[] = { DT_DASH_ONE, DT_DASH_TWO,   DT_DASH_TWO,
                                    DT_DASH_ONE, DT_DASH_THREE, DT_DASH_TWO };

    for (; p < end; p++) {
        if (s->step == DT_DASH_NONE) {
            p = dt_find(p, end, '-');
            if (p == end) {
                break;
            }
        }

        if (*p == '-') {
            s->step = dash[s->step];

        } else if (*p == '>' && s->step >= DT_DASH_TWO) {
            s->state = DT_SCAN_TEXT;
            return p + 1;

        } else {
            s->step = *p == '!' && s->step == DT_DASH_TWO ? DT_DASH_BANG
                                                          : DT_DASH_NONE;
        }
    }

    return end;
}


/*
 * Up to the '<' that comes next in an escaped part of a script, or behind the
 * "-->" that ends it; s->step: how many dashes, up to two, were seen last.
 */
static const char *
dt_scan_escaped(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    for (;; p = q + 1) {
        q = dt_find_two(p, end, '<', '>');

        if (q > p) {
            if (q[-1] != '-') {
                s->step = 0;

            } else if (q - p > 1) {
                s->step = q[-2] == '-' ? 2 : 1;

            } else {
                s->step = s->step % DT_DASH_BANG ? 2 : 1;
            }

            if (q[-1] == '!' && s->raw == DT_NAME_NOSCRIPT) {
                s->step = DT_DASH_BANG;
            }
        }

        if (q == end) {
            return q;
        }

        if (s->step == DT_DASH_BANG && *q == '>') {
            /* without scripts it is the end of a comment */
            dt_scan_give_up(s);
            return q;
        }

        if (*q == '<') {
            s->step = 0;
            return q;
        }

        if (s->step == 2) {
            s->script = 0;
            return q + 1;
        }

        s->step = 0;
    }
}


/* the inside of a raw element, up to its end tag */
const char *
dt_scan_run_raw(dt_scan_t *s, const char *p, const char *end)
{
    uint64_t name;
    const char *q;

    for (;;) {
        if (s->script) {
            p = dt_scan_escaped(s, p, end);

            if (s->state == DT_SCAN_PASS) {
                return p;
            }

            if (!s->script && s->raw == DT_NAME_NOSCRIPT) {
                s->state = DT_SCAN_TEXT;
                return p;
            }
        }

        p = dt_find(p, end, '<');
        if (p == end) {
            return end;
        }

        q = p + 1 + (end - p > 1 && p[1] == '/');
        q = dt_name_read(q, end, &name);

        if (q == end && end - p < DT_SCAN_LOOK) {
            s->look = 1;
            return p;
        }

        /* of a longer name no more than that is waited for */
        name = q - p < DT_SCAN_LOOK && q < end ? name : 0;

        if (p[1] == '/' && name == DT_NAME_NOSCRIPT
            && s->nest == DT_NAME_NOSCRIPT) {
            dt_scan_give_up(s);
            return p;
        }

        if (p[1] == '/' && name == s->raw) {
            if (s->script != 2) {
                s->raw = 0;
                s->state = DT_SCAN_TEXT;
                s->script = 0;
                return p;
            }

            s->script = 1;

        } else if (s->raw == DT_NAME_SCRIPT) {
            if (p[1] == '!' && p[2] == '-' && p[3] == '-') {
                s->script = s->script ? s->script : 1;
                s->step = 2;
                p += 4;
                continue;
            }

            if (s->script == 1 && name == DT_NAME_SCRIPT) {
                s->script = 2;
            }
        }

        p++;
    }
}


/* up to a byte sequence's end: "]]>" */
const char *
dt_scan_run_cdata(dt_scan_t *s, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == '>' && s->step == 2) {
            s->state = DT_SCAN_TEXT;
            return p + 1;
        }

        s->step = *p == ']' ? (s->step ? 2 : 1) : 0;
    }

    return end;
}
