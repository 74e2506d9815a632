
/*
 * Copyright (C) The detemplate authors
 *
 * What a doctype says of a table in a p.  By the standard ("The initial
 * insertion mode") a p ends before it, but not behind some sixty doctypes,
 * which are as good as none, and of which not all parsers know.  Here are the
 * usual ones of which nobody says so.
 */


#include <string.h>
#include <strings.h>

#include "core/scan/scan_i.h"


#define DT_DOCTYPE "<!doctype"


static const char *
dt_doctype_skip(const char *p, const char *end)
{
    while (p < end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    return p;
}


static int
dt_doctype_begins(const char *p, const char *end, const char *with)
{
    size_t len = strlen(with);

    return (size_t) (end - p) >= len && strncasecmp(p, with, len) == 0;
}


/* behind a word and the white space there, or NULL */
static const char *
dt_doctype_word(const char *p, const char *end, const char *word)
{
    if (!dt_doctype_begins(p, end, word)) {
        return NULL;
    }

    p += strlen(word);

    return p == end || dt_char_is(*p, DT_C_SPACE) ? dt_doctype_skip(p, end)
                                                  : NULL;
}


/* the same of what stands in quotes */
static const char *
dt_doctype_quoted(const char *p, const char *end)
{
    if (p == end || *p != '"') {
        return NULL;
    }

    p = dt_find(p + 1, end, '"');

    return p == end ? NULL : dt_doctype_skip(p + 1, end);
}


static int
dt_doctype_is_known(const char *p, const char *end)
{
    const char *id, *url;

    p = dt_doctype_word(dt_doctype_skip(p, end), end, "html");

    if (p == NULL || p == end) {
        return p != NULL;
    }

    url = dt_doctype_word(p, end, "system");

    if (url != NULL) {
        return dt_doctype_word(url, end, "\"about:legacy-compat\"") == end;
    }

    id = dt_doctype_word(p, end, "public");
    url = id == NULL ? NULL : dt_doctype_quoted(id, end);

    if (url == NULL) {
        return 0;
    }

    if (url == end) {
        return dt_doctype_begins(id, end, "\"-//W3C//DTD XHTML 1.")
               || dt_doctype_begins(id, end, "\"-//W3C//DTD HTML 4.01//");
    }

    return dt_doctype_quoted(url, end) == end
           && (dt_doctype_begins(url, end, "\"http://www.w3.org/")
               || dt_doctype_begins(url, end, "\"https://www.w3.org/"))
           && (dt_doctype_begins(id, end, "\"-//W3C//DTD XHTML 1.")
               || dt_doctype_begins(id, end, "\"-//W3C//DTD HTML 4.01"));
}


int
dt_scan_doctype(dt_scan_t *s, const char *p, const char *end)
{
    size_t len = (size_t) (end - p);
    const char *q, *stop;

    if ((p[2] | 0x20) != 'd') {
        return 1;
    }

    if (len < sizeof(DT_DOCTYPE) - 1) {
        return 0;
    }

    if (!dt_doctype_begins(p, end, DT_DOCTYPE)) {
        return 1;
    }

    stop = len < DT_SCAN_DOCTYPE ? end : p + DT_SCAN_DOCTYPE;
    q = dt_find(p, stop, '>');

    if (q == end && len < DT_SCAN_DOCTYPE) {
        return 0;
    }

    s->doctype = q < stop && dt_doctype_is_known(p + sizeof(DT_DOCTYPE) - 1, q)
                     ? DT_DOCTYPE_KNOWN
                     : DT_DOCTYPE_OTHER;

    return 1;
}
