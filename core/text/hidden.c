
/*
 * Copyright (C) The detemplate authors
 *
 * What no reader sees, as far as the page itself tells: by an attribute, by a
 * dialog that is closed, or by declarations in a style.  Text that only agents
 * get could give them instructions.  Style sheets are not read.
 */


#include <strings.h>

#include "core/base/dt.h"
#include "core/text/state.h"


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


/* the same of attributes without a value from p on, up to the name of one with
   a value or the end of the tag */
static int
dt_text_bare_hides(const dt_text_t *t, const char *p)
{
    dt_attr_t a = { NULL, NULL, NULL, NULL };

    for (;;) {
        while (dt_char_is(*p, DT_C_SPACE) || *p == '/') {
            p++;
        }

        for (a.name = p; !dt_char_is(*p, DT_C_ATTR_END); p++) {
            /* void */
        }

        a.stop = p;

        if (*p == '=' || a.name == a.stop) {
            return 0;
        }

        if (dt_text_attr_hides(t, &a)) {
            return 1;
        }
    }
}


/* whether attributes without a value may stand before the name of a: most
   names have white space before them only */
static inline int
dt_text_may_begin_bare(const dt_attr_t *a, const char *limit)
{
    const char *p = a->name;
    dt_block_t b;
    dt_mask_t m;

    while (dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    if (a->stop - p <= DT_TOKEN_BARE + 1) {
        return 0;
    }

    for (; p < a->stop && limit - p >= DT_BLOCK; p += DT_BLOCK) {
        b = dt_block_load(p);
        m = dt_block_mask(
            dt_block_or(dt_block_le(b, ' '), dt_block_eq(b, '/')));
        if (m) {
            return p + dt_mask_first(m) < a->stop;
        }
    }

    return p < a->stop;
}


/*
 * The same of a tag whose attributes the scanner has noted.  The last letters
 * of a name rule out most.  What is noted as a name may begin with attributes
 * that have no value.
 */
static int
dt_text_noted_hides(const dt_text_t *t)
{
    unsigned i;
    const dt_token_t *token = &t->scan.token;
    dt_attr_t a;
    const char *p;

    for (i = 0; i < token->gaps; i++) {
        if (dt_text_bare_hides(t, token->gap[i])) {
            return 1;
        }
    }

    for (i = 0; i < token->n; i++) {
        p = token->attrs[i].stop;

        if (dt_text_may_begin_bare(&token->attrs[i], token->limit)
            && dt_text_bare_hides(t, token->attrs[i].name))
        {
            return 1;
        }

        switch (dt_load32(p - 4) | 0x20202020) {

        case DT_HIDDEN_LAST('t', 'y', 'l', 'e'):
        case DT_HIDDEN_LAST('n', 'e', 'r', 't'):
        case DT_HIDDEN_LAST('d', 'd', 'e', 'n'):
        case DT_HIDDEN_LAST('o', 'v', 'e', 'r'):
            a = token->attrs[i];

            while (p > a.name && !dt_char_is(p[-1], DT_C_NAME_END)) {
                p--;
            }

            a.name = p;

            if (dt_text_attr_hides(t, &a)) {
                return 1;
            }
        }
    }

    return 0;
}


/* whether an attribute hides a dialog, or no attribute opens it; the same of
   any other element whose attributes the scanner has not noted */
static int
dt_text_any_hides(const dt_text_t *t, int dialog)
{
    int closed;
    dt_attr_t a;
    const char *p = t->scan.token.rest;

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


int
dt_text_is_hidden(const dt_text_t *t)
{
    int dialog;
    const dt_token_t *token = &t->scan.token;

    dialog = token->name == dt_letters('d', 'i', 'a', 'l', 'o', 'g', 0, 0);

    if (!token->whole || (!dialog && *token->rest == '>')) {
        return 0;
    }

    if (!dialog && token->regular && token->gaps <= 2) {
        if (!dt_text_noted_hides(t)) {
            return 0;
        }

    } else if (!dt_text_any_hides(t, dialog)) {
        return 0;
    }

    /* scripts may show the body when all is there */

    return dt_tag_find(token->name)->kind != DT_TAG_BODY
           && dt_tag_find(token->name)->kind != DT_TAG_HTML;
}
