
/*
 * Copyright (C) The detemplate authors
 *
 * Passes what is not markup inside: comments, scripts and the like.
 */


#include <string.h>
#include <strings.h>

#include "core/scan/scan.h"


#define DT_DOCTYPE "<!doctype html>"
#define DT_CDATA "<![CDATA["
#define DT_XML "<?xml"
#define DT_DOCTYPE_NAME 9 /* bytes of it with which any doctype begins */


/* which part of a comment's end was seen last */
enum {
    DT_DASH_NONE = 0,
    DT_DASH_ONE,                     /* "-" */
    DT_DASH_TWO,                     /* "--", or more */
    DT_DASH_BANG,                    /* "--!" */
    DT_DASH_START = DT_STEP_COMMENT, /* "<!--", which '>' ends */
    DT_DASH_THREE                    /* "<!---", which '>' ends as well */
};


/* notes what the doctype at p says of a table in a p; returns 0 if more bytes
   are needed for that */
static int
dt_scan_doctype(dt_scan_t *s, const char *p, const char *end)
{
    size_t len = (size_t) (end - p), whole = sizeof(DT_DOCTYPE) - 1;

    if (strncasecmp(p, DT_DOCTYPE, len < whole ? len : whole) == 0) {
        s->doctype = len < whole ? 0 : DT_DOCTYPE_KNOWN;
        return len >= whole;
    }

    if (len >= DT_DOCTYPE_NAME
        && strncasecmp(p, DT_DOCTYPE, DT_DOCTYPE_NAME) == 0) {
        s->doctype = DT_DOCTYPE_OTHER;
    }

    return 1;
}


const char *
dt_scan_other(dt_scan_t *s, const char *p, const char *end)
{
    size_t len = (size_t) (end - p), whole = sizeof(DT_CDATA) - 1;

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
            return p + 4;
        }

        if (p[2] == '[' && (s->xml == 1 || dt_nest_is_foreign(s))) {
            if (len < whole && memcmp(p, DT_CDATA, len) == 0) {
                return NULL;
            }

            if (len >= whole && memcmp(p, DT_CDATA, whole) == 0) {
                s->state = DT_SCAN_CDATA;
                return p + whole;
            }
        }
    }

    if (p[1] == '?' && dt_scan_off(s, p) == 0) {
        whole = sizeof(DT_XML) - 1;

        if (len < whole && memcmp(p, DT_XML, len) == 0) {
            return NULL;
        }

        s->declared = len >= whole && memcmp(p, DT_XML, whole) == 0;
        s->xml = s->xml == 2 ? s->declared : s->xml;
    }

    s->state = DT_SCAN_BOGUS;
    s->step = p[1] == '?' && dt_scan_off(s, p) != 0 ? 'i' : '!';

    return p + 2;
}


/* passes CDATA, which ends at "]]>"; bytes that may begin that are left */
const char *
dt_scan_run_cdata(dt_scan_t *s, const char *p, const char *end)
{
    for (; (p = dt_find(p, end, ']')) < end; p++) {
        if (end - p < 3) {
            s->look = p[end - p - 1] == ']';
            return s->look ? p : end;
        }

        if (p[1] == ']' && p[2] == '>') {
            s->state = DT_SCAN_TEXT;
            return p + 3;
        }
    }

    return end;
}


/* passes a comment, which ends at "-->" or "--!>"; "<!-->" and "<!--->" are
   comments as well */
static const char *
dt_scan_dashes(dt_scan_t *s, const char *p, const char *end)
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


/* the same of what XML has there: an instruction ends at "?>", and a doctype
   may have declarations between brackets; s->step: what was seen */
static const char *
dt_scan_bogus_xml(dt_scan_t *s, const char *p, const char *end)
{
    for (; p < end && (*p != '>' || s->step == '[' || s->step == 'i'); p++) {
        if (s->step == 'i' || s->step == '?') {
            s->step = *p == '?' ? '?' : 'i';

        } else if (*p == '[' || *p == ']') {
            s->step = (unsigned char) *p;
        }
    }

    return p;
}


/* the same up to the next '>' */
static const char *
dt_scan_bogus(dt_scan_t *s, const char *p, const char *end)
{
    p = s->xml == 1 ? dt_scan_bogus_xml(s, p, end) : dt_find(p, end, '>');

    if (p < end) {
        p++;
        s->state = DT_SCAN_TEXT;
    }

    return p;
}


const char *
dt_scan_run_comment(dt_scan_t *s, const char *p, const char *end)
{
    int more = 0;
    const char *stop = end;

    if (s->nest == DT_NAME_NOSCRIPT && !s->follows) {
        stop = dt_nest_find_end(p, end, &more);
    }

    p = s->state == DT_SCAN_BOGUS ? dt_scan_bogus(s, p, stop)
                                  : dt_scan_dashes(s, p, stop);

    if (stop < end && s->state != DT_SCAN_TEXT) {
        /* for one parser the comment goes on there, for another noscript
           ends */
        s->look = more != 0;

        if (!more) {
            dt_scan_give_up(s);
        }
    }

    return p;
}


/*
 * Passes bytes of an escaped part of a script.  Returns the next '<', or what
 * is behind the "-->" that ends this part, or end.  s->step counts the dashes
 * that were seen last, up to two.
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
                s->step = s->step ? 2 : 1;
            }
        }

        if (q == end) {
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


/* passes the inside of a raw element, up to its end tag */
const char *
dt_scan_run_raw(dt_scan_t *s, const char *p, const char *end)
{
    uint64_t name;
    const char *q, *stop;

    for (;;) {
        if (s->script) {
            p = dt_scan_escaped(s, p, end);
        }

        p = dt_find(p, end, '<');
        if (p == end) {
            return end;
        }

        /* names without an end must not be read to the end of the page */
        stop = end - p < DT_SCAN_LOOK ? end : p + DT_SCAN_LOOK;

        q = p + 1 + (end - p > 1 && p[1] == '/');
        q = dt_name_read(q, stop, &name);

        if (q == end && end - p < DT_SCAN_LOOK) {
            s->look = 1;
            return p;
        }

        /* a name that is still longer is none of those below */
        name = q - p < DT_SCAN_LOOK && q < end ? name : 0;

        if (p[1] == '/' && name == DT_NAME_NOSCRIPT
            && s->nest == DT_NAME_NOSCRIPT && !s->follows)
        {
            dt_scan_give_up(s);
            return p;
        }

        if (s->raw == DT_NAME_NOSCRIPT
            && (name == DT_NAME_TEMPLATE || p[1] == '!')) {
            /* a noscript in a template, where one of them may not end */
            dt_scan_give_up(s);
            return p;
        }

        if (p[1] == '/' && name == DT_NAME_SELECT && dt_scan_select(s)
            && !s->follows) {
            /* to some parsers, what is in a select is no raw text */
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
