
/*
 * Copyright (C) The detemplate authors
 *
 * What no reader sees, as far as the page itself tells: by an attribute, by a
 * dialog that is closed, or by declarations in a style.  Text that only agents
 * get could give them instructions.  Style sheets are not read.
 */


#include <strings.h>

#include "core/base/str.h"
#include "core/text/text_i.h"


/* the last letters of a name */
#define DT_HIDDEN_LAST(a, b, c, d) dt_letters(a, b, c, d, 0, 0, 0, 0)


/* passes white space and comments of CSS */
static const char *
dt_css_skip(const char *p, const char *end)
{
    const char *q;

    for (; p < end; p = q + 2) {
        p = dt_skip_white(p, end);

        if (end - p < 2 || p[0] != '/' || p[1] != '*') {
            break;
        }

        q = memmem(p + 2, (size_t) (end - p - 2), "*/", 2);
        if (q == NULL) {
            return end;
        }
    }

    return p < end ? p : end;
}


/* whether a word of CSS begins at p; *behind it */
static int
dt_css_is(const char *p, const char *end, const char *word,
          const char **behind)
{
    size_t len = strlen(word);

    *behind = p + len;

    return (size_t) (end - p) >= len && strncasecmp(p, word, len) == 0
           && ((size_t) (end - p) == len
               || !(dt_is_alnum(p[len]) || p[len] == '-' || p[len] == '_'));
}


/* resolves the escapes of CSS in place; returns the length then: letters may
   be written as numbers */
static size_t
dt_css_plain(char *p, size_t len)
{
    char *out = p, *start = p, *end = p + len, *digits;
    unsigned c;

    for (; p < end; *out++ = (char) c) {
        c = (unsigned char) *p++;

        if (c == '\\' && p < end) {
            digits = p;

            for (c = 0; p < end && p - digits < 6 && dt_hex(*p) >= 0; p++) {
                c = 16 * c + (unsigned) dt_hex(*p);
            }

            p += p > digits && p < end && *p == ' ';
            c = p == digits ? (unsigned char) *p++ : c < 0x80 ? c : '?';
        }
    }

    return (size_t) (out - start);
}


/* whether declarations in [p, end) hide an element: the last one of a name
   counts, or the last one that is important */
static int
dt_text_style_hides(const char *p, const char *end)
{
    static const char *const names[] = { "display", "visibility",
                                         "content-visibility" };
    static const char *const values[] = { "none", "hidden", "hidden" };
    const char *q, *r, *stop;
    int hides[3] = { 0 }, important[3] = { 0 }, is;
    size_t i;

    for (; p < end; p = stop + 1) {
        p = dt_css_skip(p, end);
        stop = memchr(p, ';', (size_t) (end - p));
        stop = stop ? stop : end;

        for (i = 0; i < 3; i++) {
            if (!dt_css_is(p, stop, names[i], &q)
                || (q = dt_css_skip(q, stop), q == stop || *q != ':'))
            {
                continue;
            }

            q = dt_css_skip(q + 1, stop);
            is = memmem(q, (size_t) (stop - q), "!", 1) != NULL;

            if (is >= important[i]) {
                important[i] = is;
                hides[i] = dt_css_is(q, stop, values[i], &r)
                           || (i == 1 && dt_css_is(q, stop, "collapse", &r));
            }
        }
    }

    return hides[0] || hides[1] || hides[2];
}


/* whether an attribute is said of what no reader sees */
static int
dt_text_attr_hides(const dt_text_t *t, const dt_attr_t *a)
{
    char style[DT_TEXT_URL];
    size_t len = 0, vlen = a->value ? (size_t) (a->end - a->value) : 0;

    switch (a->stop - a->name) {

    case 5:
        if (strncasecmp(a->name, "inert", 5) == 0) {
            return 1;
        }

        if (a->value == NULL || strncasecmp(a->name, "style", 5) != 0) {
            return 0;
        }

        if (memchr(a->value, '&', vlen) == NULL
            && memchr(a->value, '\\', vlen) == NULL)
        {
            return dt_text_style_hides(a->value, a->end);
        }

        (void) dt_text_decode(t, a->value, a->end, DT_SOURCE_VALUE, style,
                              &len, sizeof(style));

        return dt_text_style_hides(style, style + dt_css_plain(style, len));

    case 6:
        return strncasecmp(a->name, "hidden", 6) == 0
               && !(vlen == 11
                    && strncasecmp(a->value, "until-found", 11) == 0);

    case 7:
        return strncasecmp(a->name, "popover", 7) == 0;

    case 11:
        return vlen == 4 && strncasecmp(a->name, "aria-hidden", 11) == 0
               && strncasecmp(a->value, "true", 4) == 0
               && t->scan.token.name
                      != dt_letters('i', 'm', 'g', 0, 0, 0, 0, 0);
    }

    return 0;
}


/*
 * Whether the scanner has noted all attributes, and none is one of these, by
 * the last letters of its name.  What it notes as a name may begin with others
 * that have no value.
 */
static int
dt_hidden_knows(const dt_token_t *token)
{
    unsigned i;
    const char *p;
    const dt_attr_t *a;

    if (!token->regular || token->more) {
        return 0;
    }

    for (i = 0; i < token->n; i++) {
        a = &token->attrs[i];

        switch (dt_load32(a->stop - 4) | 0x20202020) {

        case DT_HIDDEN_LAST('t', 'y', 'l', 'e'):
        case DT_HIDDEN_LAST('n', 'e', 'r', 't'):
        case DT_HIDDEN_LAST('d', 'd', 'e', 'n'):
        case DT_HIDDEN_LAST('o', 'v', 'e', 'r'):
            return 0;
        }

        for (p = a->stop - a->name > 8 ? a->name + 1 : a->stop; p < a->stop;
             p++) {
            if (dt_char_is(*p, DT_C_NAME_END)) {
                return 0;
            }
        }
    }

    return 1;
}


int
dt_text_is_hidden(const dt_text_t *t)
{
    int closed, dialog;
    dt_attr_t a;
    uint64_t name = t->scan.token.name;
    const char *p = t->scan.token.rest;

    dialog = name == dt_letters('d', 'i', 'a', 'l', 'o', 'g', 0, 0);

    /* scripts may show the body when all is there */

    if (!dialog && (*p == '>' || dt_hidden_knows(&t->scan.token))) {
        return 0;
    }

    if (!t->scan.token.whole || dt_tag_find(name)->kind == DT_TAG_BODY
        || dt_tag_find(name)->kind == DT_TAG_HTML)
    {
        return 0;
    }

    for (;;) {
        p = dt_token_any(&a, p, t->scan.token.end, &closed);

        if (p == NULL || a.name == a.stop) {
            return dialog;
        }

        if (dialog && a.stop - a.name == 4
            && strncasecmp(a.name, "open", 4) == 0) {
            dialog = 0;

        } else if (dt_text_attr_hides(t, &a)) {
            return 1;
        }
    }
}
