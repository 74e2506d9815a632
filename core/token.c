
/*
 * Copyright (C) The detemplate authors
 *
 * Tags as the HTML standard's tokenizer sees them (13.2.5.6 and on).
 */


#include "token.h"


/* names as dt_name_fold() makes them */
#define DT_NAME_ALT 0x746c61u
#define DT_NAME_SRC 0x637273u
#define DT_NAME_SET 0x746573u
#define DT_NAME_TYPE 0x65707974u
#define DT_NAME_TITLE 0x656c746974u
#define DT_NAME_LABEL 0x6c6562616cu
#define DT_NAME_VALUE 0x65756c6176u
#define DT_NAME_HIDDEN 0x6e6564646968u


/* attributes that say something; the rest is how, not what */
static uint64_t
dt_token_attr(const dt_place_t *place, const char *name, size_t nlen,
              const char *value, size_t vlen, int *hidden, uint64_t *input)
{
    uint64_t n;

    if (nlen < 3) {
        return 0;
    }

    if (nlen > 5) {
        /* data-src, data-lazy-src, srcset, ...: what an image shows */
        n = dt_load_tail(name + nlen - 3, 3) | 0x202020;
        if (n != DT_NAME_SRC && n != DT_NAME_SET) {
            return 0;
        }

        return dt_mix(n, dt_place_link(place, value, value + vlen, 1));
    }

    n = dt_load_tail(name, nlen) | 0x2020202020u >> (8 * (5 - nlen));

    switch (n) {

    case DT_NAME_HREF:
        return dt_mix(n, dt_place_link(place, value, value + vlen, 0));

    case DT_NAME_SRC:
        return dt_mix(n, dt_place_link(place, value, value + vlen, 1));

    case DT_NAME_ALT:
    case DT_NAME_TITLE:
    case DT_NAME_LABEL:
        return dt_mix(n, dt_hash(value, vlen, 0));

    case DT_NAME_VALUE: /* of a hidden field it is often a token */
        *input = dt_mix(n, dt_hash(value, vlen, 0));
        return 0;

    case DT_NAME_TYPE:
        *hidden =
            vlen == 6 && dt_name_fold(value, value + 6) == DT_NAME_HIDDEN;
        return 0;
    }

    return 0;
}


/* an attribute's value at p: behind it, or NULL when it does not end */
static const char *
dt_token_value(const char *p, const char *end, const char **value, size_t *len)
{
    *value = p;

    if (*p == '"' || *p == '\'') {
        *value = p + 1;
        p = dt_find(p + 1, end, *p);
        *len = (size_t) (p - *value);

        return p < end ? p + 1 : NULL;
    }

    while (p < end && !dt_char_is(*p, DT_C_VALUE_END)) {
        p++;
    }

    *len = (size_t) (p - *value);

    return p < end ? p : NULL;
}


/*
 * The attributes of a tag as the standard's tokenizer sees them: from behind
 * the name to behind the '>'; NULL when that is not in [p, end).  sum, when
 * not NULL, gets the hash of those that say something.
 */
static const char *
dt_token_attrs(const dt_place_t *place, const char *p, const char *end,
               uint64_t *sum, int *closed)
{
    int hidden = 0;
    size_t nlen, vlen;
    uint64_t h = 0, input = 0;
    const char *name, *value, *slash = NULL;

    for (;;) {
        for (; p < end; p++) {
            if (*p == '/') {
                slash = p;

            } else if (!dt_char_is(*p, DT_C_SPACE)) {
                break;
            }
        }

        if (p == end) {
            return NULL;
        }

        if (*p == '>') {
            break;
        }

        for (name = p++; p < end && !dt_char_is(*p, DT_C_ATTR_END); p++) {
            /* void */
        }

        nlen = (size_t) (p - name);

        while (p < end && dt_char_is(*p, DT_C_SPACE)) {
            p++;
        }

        if (p == end) {
            return NULL;
        }

        if (*p != '=') {
            continue;
        }

        do {
            p++;
        } while (p < end && dt_char_is(*p, DT_C_SPACE));

        if (p == end) {
            return NULL;
        }

        p = dt_token_value(p, end, &value, &vlen);
        if (p == NULL) {
            return NULL;
        }

        if (sum != NULL) {
            h +=
                dt_token_attr(place, name, nlen, value, vlen, &hidden, &input);
        }
    }

    if (sum != NULL) {
        *sum = hidden ? h : h + input;
    }

    *closed = slash != NULL && slash + 1 == p;

    return p + 1;
}


const char *
dt_token_step(unsigned *step, const char *p, const char *end, int *done)
{
    char c;

    for (*done = 0; p < end; p++) {
        c = *p;

        if (*step >= DT_STEP_QUOTE) {
            p = dt_find(p, end, *step == DT_STEP_QUOTE ? '"' : '\'');
            if (p == end) {
                break;
            }

            *step = DT_STEP_BEFORE;
            continue;
        }

        if (c == '>') {
            *done = 1;
            return p + 1;
        }

        switch (*step) {

        case DT_STEP_NAME:
            if (dt_char_is(c, DT_C_NAME_END)) {
                *step = DT_STEP_BEFORE;
            }

            break;

        case DT_STEP_ATTR:
        case DT_STEP_AFTER:
            if (c == '=') {
                *step = DT_STEP_EQUALS;

            } else if (c == '/') {
                *step = DT_STEP_BEFORE;

            } else if (dt_char_is(c, DT_C_SPACE)) {
                *step = DT_STEP_AFTER;

            } else {
                *step = DT_STEP_ATTR;
            }

            break;

        case DT_STEP_BEFORE:
            if (c != '/' && !dt_char_is(c, DT_C_SPACE)) {
                *step = DT_STEP_ATTR;
            }

            break;

        case DT_STEP_EQUALS:
            if (!dt_char_is(c, DT_C_SPACE)) {
                *step = c == '"'    ? DT_STEP_QUOTE
                        : c == '\'' ? DT_STEP_APOS
                                    : DT_STEP_BARE;
            }

            break;

        default: /* DT_STEP_BARE */
            if (dt_char_is(c, DT_C_SPACE)) {
                *step = DT_STEP_BEFORE;
            }
        }
    }

    return end;
}


/* the first quote or '>' in [p, end), or end; *equals: '=' signs before it,
   2 for more than one */
static inline const char *
dt_token_find(const char *p, const char *end, unsigned *equals)
{
    unsigned n = 0;

#if DT_FIND_SSE2
    const __m128i gt = _mm_set1_epi8('>');
    const __m128i eq = _mm_set1_epi8('=');
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i apos = _mm_set1_epi8('\'');

    for (; end - p >= 16; p += 16) {
        unsigned hit, sign;
        __m128i b;

        b = _mm_loadu_si128((const __m128i *) (const void *) p);
        hit = (unsigned) _mm_movemask_epi8(_mm_or_si128(
            _mm_cmpeq_epi8(b, gt),
            _mm_or_si128(_mm_cmpeq_epi8(b, quote), _mm_cmpeq_epi8(b, apos))));
        sign = (unsigned) _mm_movemask_epi8(_mm_cmpeq_epi8(b, eq));

        if (hit) {
            sign &= (hit & -hit) - 1;
        }

        if (sign) {
            n += (sign & (sign - 1)) ? 2 : 1;
        }

        if (hit) {
            *equals = n;
            return p + __builtin_ctz(hit);
        }
    }
#endif

    for (; p < end && *p != '>' && *p != '"' && *p != '\''; p++) {
        n += *p == '=';
    }

    *equals = n;

    return p;
}


/*
 * Between the name, or a closing quote, and an opening quote there is one '='
 * in a regular tag, and it stands between the attribute's name and the quote.
 * As long as that is so, every other quote closes, and a '>' outside ends the
 * tag.  Anything else is for dt_token_attrs().
 */
const char *
dt_token_read(dt_token_t *t, const char *p, const char *end)
{
    int closed;
    unsigned equals;
    const char *q;

    p = dt_name_read(p, end, &t->name);
    t->rest = p;
    t->n = 0;
    t->regular = 1;

    if (p < end && *p == '>') {
        t->end = p + 1;
        return t->end;
    }

    for (;;) {
        q = dt_token_find(p, end, &equals);

        if (q == end) {
            return NULL;
        }

        if (*q == '>') {
            t->regular &= equals == 0;
            t->end = q + 1;
            return t->end;
        }

        if (equals != 1 || q - p < 2 || q[-1] != '='
            || dt_char_is(q[-2], DT_C_ATTR_END))
        {
            break;
        }

        if (t->n < DT_TOKEN_ATTRS) {
            t->attrs[t->n].from = p;
            t->attrs[t->n].equals = q - 1;
            t->attrs[t->n].value = q + 1;
        }

        p = dt_find(q + 1, end, *q);
        if (p == end) {
            return NULL;
        }

        if (t->n < DT_TOKEN_ATTRS) {
            t->attrs[t->n++].end = p;

        } else {
            t->regular = 0;
        }

        p++;
    }

    t->regular = 0;
    t->end = dt_token_attrs(NULL, t->rest, end, NULL, &closed);

    return t->end;
}


uint64_t
dt_token_sum(const dt_token_t *t, const dt_place_t *place)
{
    int closed, hidden = 0;
    unsigned i;
    uint64_t h = 0, input = 0;
    const char *name;

    if (!t->regular) {
        (void) dt_token_attrs(place, t->rest, t->end, &h, &closed);
        return h;
    }

    for (i = 0; i < t->n; i++) {
        for (name = t->attrs[i].equals;
             name > t->attrs[i].from && !dt_char_is(name[-1], DT_C_NAME_END);
             name--)
        {
            /* void */
        }

        h += dt_token_attr(place, name, (size_t) (t->attrs[i].equals - name),
                           t->attrs[i].value,
                           (size_t) (t->attrs[i].end - t->attrs[i].value),
                           &hidden, &input);
    }

    return hidden ? h : h + input;
}


int
dt_token_markable(const dt_token_t *t)
{
    const char *p = t->rest;

    while (p < t->end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    return p == t->end || *p != '=';
}


int
dt_token_closed(const dt_token_t *t)
{
    int closed = 0;

    (void) dt_token_attrs(NULL, t->rest, t->end, NULL, &closed);

    return closed;
}
