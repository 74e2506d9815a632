
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/text/attr.h"
#include "core/text/hidden.h"


/* passes white space and comments of CSS */
static const char *
dt_hidden_css_skip(const char *p, const char *end)
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
dt_hidden_css_is(const char *p, const char *end, const char *word,
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
dt_hidden_css_plain(char *p, size_t len)
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
dt_hidden_style(const char *p, const char *end)
{
    static const char *const names[] = { "display", "visibility",
                                         "content-visibility" };
    static const char *const values[] = { "none", "hidden", "hidden" };
    const char *q, *r, *stop;
    int hides[3] = { 0 }, important[3] = { 0 }, is;
    size_t i;

    for (; p < end; p = stop + 1) {
        p = dt_hidden_css_skip(p, end);
        stop = memchr(p, ';', (size_t) (end - p));
        stop = stop ? stop : end;

        for (i = 0; i < 3; i++) {
            if (!dt_hidden_css_is(p, stop, names[i], &q)
                || (q = dt_hidden_css_skip(q, stop), q == stop || *q != ':'))
            {
                continue;
            }

            q = dt_hidden_css_skip(q + 1, stop);
            is = memmem(q, (size_t) (stop - q), "!", 1) != NULL;

            if (is >= important[i]) {
                important[i] = is;
                hides[i] =
                    dt_hidden_css_is(q, stop, values[i], &r)
                    || (i == 1 && dt_hidden_css_is(q, stop, "collapse", &r));
            }
        }
    }

    return hides[0] || hides[1] || hides[2];
}


/* whether an attribute is said of what no reader sees */
static int
dt_hidden_attr(const dt_text_t *t, const dt_attr_t *a)
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
            return dt_hidden_style(a->value, a->end);
        }

        (void) dt_attr_decode(t, a->value, a->end, DT_SOURCE_VALUE, style,
                              &len, sizeof(style));

        return dt_hidden_style(style, style + dt_hidden_css_plain(style, len));

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


/* the first of two letters side by side in a block, in any case */
#define dt_hidden_two(b, next, c, d)                                          \
    dt_block_and(dt_block_eq(b, c), dt_block_eq(next, d))


/* whether one of those attributes may be in [p, end): two letters of each name
   are looked for */
static int
dt_hidden_letters(const char *p, const char *end, const char *limit)
{
    static const char low[DT_BLOCK + 1] = "                ";
    dt_block_t b, next, found, fold = dt_block_load(low);

    for (; p < end; p += DT_BLOCK) {
        if (limit - p <= DT_BLOCK) {
            return 1;
        }

        b = dt_block_or(dt_block_load(p), fold);
        next = dt_block_or(dt_block_load(p + 1), fold);
        found = dt_block_or(dt_hidden_two(b, next, 'y', 'l'),
                            dt_hidden_two(b, next, 'd', 'd'));
        found = dt_block_or(found, dt_hidden_two(b, next, 'r', 't'));
        found = dt_block_or(found, dt_hidden_two(b, next, 'o', 'v'));

        if (dt_block_mask(found)) {
            return 1;
        }
    }

    return 0;
}


/* whether the tag may have one of them: the scanner has noted the names in
   regular tags, each with white space and attributes without a value before */
static int
dt_hidden_may(const dt_token_t *token)
{
    unsigned i;
    const dt_attr_t *a = token->attrs;

    if (!token->regular) {
        return dt_hidden_letters(token->rest, token->end, token->limit);
    }

    for (i = 0; i < token->n; i++) {
        if (a[i].stop - a[i].name > DT_TOKEN_BARE
            && dt_hidden_letters(a[i].name, a[i].stop, token->limit))
        {
            return 1;
        }
    }

    return token->gaps
           && dt_hidden_letters(token->rest, token->end, token->limit);
}


int
dt_hidden_is(const dt_text_t *t)
{
    int closed, hides;
    dt_attr_t a;
    const dt_token_t *token = &t->scan.token;
    const char *p = token->rest;
    const dt_tag_t *tag;

    hides = token->name == dt_letters('d', 'i', 'a', 'l', 'o', 'g', 0, 0);

    if (!hides && !dt_hidden_may(token)) {
        return 0;
    }

    while ((p = dt_token_any(&a, p, token->end, &closed)) != NULL
           && a.name < a.stop)
    {
        if (hides && a.stop - a.name == 4
            && strncasecmp(a.name, "open", 4) == 0) {
            hides = 0;

        } else if (dt_hidden_attr(t, &a)) {
            hides = 1;
            break;
        }
    }

    if (!hides) {
        return 0;
    }

    /* scripts may show the body when all is there */

    tag = dt_tag_find(token->name);

    return tag->kind != DT_TAG_BODY && tag->kind != DT_TAG_HTML;
}
