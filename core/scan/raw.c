
/*
 * Copyright (C) The detemplate authors
 *
 * Passes the parts without markup inside: comments, scripts and the like.
 */


#include <string.h>
#include <strings.h>

#include "core/scan/nest.h"
#include "core/scan/raw.h"
#include "core/scan/tree.h"


#define DT_DOCTYPE "<!doctype html>"
#define DT_CDATA "<![CDATA["
#define DT_XML "<?xml"
#define DT_DOCTYPE_NAME 9 /* bytes of it with which any doctype begins */
#define DT_RAW_NAME 24    /* bytes of the longest name that is looked at */


/* whether [p, end) begins with a word, in upper or lower case */
static int
dt_raw_begins(const char *p, const char *end, const char *word, size_t len)
{
    return (size_t) (end - p) >= len && strncasecmp(p, word, len) == 0;
}


const char *
dt_scan_other(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    if (dt_raw_begins(p, end, "<!--", 4)) {
        dt_scan_turn(s, DT_SCAN_COMMENT, 0);
        return p + 4;
    }

    if ((s->xml == 1 || dt_nest_is_foreign(s))
        && (size_t) (end - p) >= sizeof(DT_CDATA) - 1
        && memcmp(p, DT_CDATA, sizeof(DT_CDATA) - 1) == 0)
    {
        dt_scan_turn(s, DT_SCAN_CDATA, 0);
        return p + sizeof(DT_CDATA) - 1;
    }

    if (!s->in_body && !s->begun && !s->doctype
        && dt_raw_begins(p, end, DT_DOCTYPE, DT_DOCTYPE_NAME))
    {
        s->doctype = dt_raw_begins(p, end, DT_DOCTYPE, sizeof(DT_DOCTYPE) - 1)
                         ? DT_DOCTYPE_KNOWN
                         : DT_DOCTYPE_OTHER;
    }

    if (dt_scan_off(s, p) == 0 && end - p > 1 && p[1] == '?') {
        q = dt_find(p, end, '>');
        s->declared = q < end && q[-1] == '?'
                      && dt_raw_begins(p, end, DT_XML, sizeof(DT_XML) - 1);
        s->xml = s->xml == 2 ? s->declared : s->xml;
    }

    dt_scan_turn(s, DT_SCAN_BOGUS, 0);

    return end - p > 1 ? p + 2 : end;
}


int
dt_raw_is_run(const dt_token_t *t)
{
    dt_attr_t a;
    const char *p;

    if (t->name != DT_NAME_SCRIPT || !dt_token_find(t, "type", &a)
        || a.value == NULL || a.value == a.end)
    {
        return t->name == DT_NAME_SCRIPT;
    }

    for (p = a.value; p < a.end; p++) {
        if (dt_raw_begins(p, a.end, "javascript", 10)
            || dt_raw_begins(p, a.end, "ecmascript", 10))
        {
            return 1;
        }
    }

    return dt_raw_begins(a.value, a.end, "module", 6)
           || dt_raw_begins(a.value, a.end, "importmap", 9)
           || dt_raw_begins(a.value, a.end, "speculationrules", 16);
}


/* CDATA ends at "]]>" */
static const char *
dt_raw_cdata(const char *p, const char *end)
{
    for (; (p = dt_find(p, end, ']')) < end; p++) {
        if (end - p >= 3 && p[1] == ']' && p[2] == '>') {
            return p + 3;
        }
    }

    return NULL;
}


/* a comment ends at "-->" or "--!>"; "<!-->" and "<!--->" are comments as
   well */
static const char *
dt_raw_comment(const char *p, const char *end)
{
    if (end - p >= 1 && p[0] == '>') {
        return p + 1;
    }

    if (end - p >= 2 && p[0] == '-' && p[1] == '>') {
        return p + 2;
    }

    for (; (p = dt_find(p, end, '-')) < end; p++) {
        if (end - p >= 3 && p[1] == '-') {
            if (p[2] == '>') {
                return p + 3;
            }

            if (p[2] == '!' && end - p >= 4 && p[3] == '>') {
                return p + 4;
            }
        }
    }

    return NULL;
}


/* the rest in XML: an instruction ends at "?>", and a doctype may have
   declarations between brackets */
static const char *
dt_raw_bogus_xml(const char *p, const char *end)
{
    int inside = 0, instruction = p[-1] == '?';

    for (; p < end; p++) {
        if (*p == '>' && !inside && (!instruction || p[-1] == '?')) {
            return p + 1;
        }

        inside = *p == '[' || (inside && *p != ']');
    }

    return NULL;
}


/* the rest, up to the next '>' */
static const char *
dt_raw_bogus(const char *p, const char *end)
{
    p = dt_find(p, end, '>');

    return p < end ? p + 1 : NULL;
}


/* a comment or the like: for a browser that executes scripts, a noscript ends
   within it */
static const char *
dt_raw_markup(dt_scan_t *s, const char *p, const char *end)
{
    const char *q, *stop = end;

    if (s->nest.name == DT_NAME_NOSCRIPT && s->records != NULL) {
        stop = dt_nest_find_end(p, end);
    }

    q = s->state == DT_SCAN_COMMENT ? dt_raw_comment(p, stop)
        : s->xml == 1               ? dt_raw_bogus_xml(p, stop)
                                    : dt_raw_bogus(p, stop);

    if (q != NULL) {
        dt_scan_turn(s, DT_SCAN_TEXT, 0);
        return q;
    }

    if (stop < end) {
        dt_scan_give_up(s);
    }

    return end;
}


/*
 * In a script, "<!--" begins a part in which "<script" and "</script" are
 * counted; "-->" ends it.  Its dashes may be those of the beginning.  Sets *in
 * to 0 if the part from begin on has ended before the '<' that is returned, or
 * end.
 */
static const char *
dt_raw_escaped(const char *begin, const char *p, const char *end, unsigned *in)
{
    for (;; p++) {
        p = dt_find_two(p, end, '<', '>');

        if (p == end || *p == '<') {
            return p;
        }

        if (p - begin >= 2 && p[-1] == '-' && p[-2] == '-') {
            *in = 0;
            return dt_find(p, end, '<');
        }
    }
}


/* whether the tag at p, of this name, ends noscript or a select, for some
   parsers, inside of raw text that others go on with */
static int
dt_raw_differs(const dt_scan_t *s, const char *p, uint64_t name)
{
    if (s->records == NULL) {
        return 0;
    }

    return (p[1] == '/' && name == DT_NAME_NOSCRIPT
            && s->nest.name == DT_NAME_NOSCRIPT)
           /* a noscript in a template, where one of them may not end */
           || (s->raw == DT_NAME_NOSCRIPT
               && (name == DT_NAME_TEMPLATE || p[1] == '!'))
           || (p[1] == '/' && name == DT_NAME_SELECT && dt_scan_select(s));
}


/* passes the inside of a raw element, up to its end tag */
static const char *
dt_raw_text(dt_scan_t *s, const char *p, const char *end)
{
    unsigned in = 0; /* how many escapes a script is in, 0 to 2 */
    uint64_t name;
    const char *q, *stop, *begin = p;

    for (;; p++) {
        p = in ? dt_raw_escaped(begin, p, end, &in) : dt_find(p, end, '<');

        if (end - p < 2) {
            return end;
        }

        /* names without an end must not be read to the end of the page */
        stop = end - p < DT_RAW_NAME ? end : p + DT_RAW_NAME;
        q = dt_name_read(p + 1 + (p[1] == '/'), stop, &name);

        /* a name that is still longer is none of those below */
        name = q < stop ? name : 0;

        if (dt_raw_differs(s, p, name)) {
            dt_scan_give_up(s);
            return p;
        }

        if (p[1] == '/' && name == s->raw) {
            if (in != 2) {
                dt_scan_turn(s, DT_SCAN_TEXT, 0);
                return p;
            }

            in = 1;

        } else if (s->raw == DT_NAME_SCRIPT) {
            if (dt_raw_begins(p, end, "<!--", 4)) {
                begin = in ? begin : p + 2;
                in = in ? in : 1;

            } else if (in == 1 && name == DT_NAME_SCRIPT) {
                in = 2;
            }
        }
    }
}


const char *
dt_scan_step(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    switch (s->state) {

    case DT_SCAN_COMMENT:
    case DT_SCAN_BOGUS:
        return dt_raw_markup(s, p, end);

    case DT_SCAN_CDATA:
        q = dt_raw_cdata(p, end);

        if (q != NULL) {
            dt_scan_turn(s, DT_SCAN_TEXT, 0);
        }

        return q != NULL ? q : end;

    case DT_SCAN_RAW:
        return dt_raw_text(s, p, end);

    default:
        return end;
    }
}
