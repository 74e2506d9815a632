
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


/*
 * From behind a tag's name to behind its '>', taking its attributes into t
 * when that is not NULL.  As long as each '=' stands right between a name and
 * a value, what is before it need not be looked at, and a '>' outside of the
 * values ends the tag.  Anything else is for dt_token_attrs().
 */
static inline const char *
dt_token_walk(dt_token_t *t, const char *p, const char *end)
{
    int closed;
    const char *equals, *value, *last, *rest = p;

    for (;; p = last) {
        equals = dt_find_two(p, end, '=', '>');

        if (end - equals < 2) {
            return equals < end && *equals == '>' ? equals + 1 : NULL;
        }

        if (*equals == '>') {
            return equals + 1;
        }

        value = equals + 1;

        if (equals == p || dt_char_is(equals[-1], DT_C_ATTR_END)
            || dt_char_is(*value, DT_C_VALUE_END))
        {
            break;
        }

        if (*value == '"' || *value == '\'') {
            value++;
            last = dt_find(value, end, value[-1]);

        } else {
            for (last = value;
                 last < end && !dt_char_is(*last, DT_C_VALUE_END); last++) {
                /* void */
            }
        }

        if (last == end) {
            return NULL;
        }

        if (t != NULL) {
            if (t->n == DT_TOKEN_ATTRS) {
                t->regular = 0;
                t = NULL;

            } else {
                t->attrs[t->n].from = p;
                t->attrs[t->n].equals = equals;
                t->attrs[t->n].value = value;
                t->attrs[t->n++].end = last;
            }
        }

        last += *last == value[-1];
    }

    if (t != NULL) {
        t->regular = 0;
    }

    return dt_token_attrs(NULL, rest, end, NULL, &closed);
}


const char *
dt_token_skip(const char *p, const char *end)
{
    return p < end && *p == '>' ? p + 1 : dt_token_walk(NULL, p, end);
}


const char *
dt_token_read(dt_token_t *t, const char *p, const char *end)
{
    p = dt_name_read(p, end, &t->name);
    t->rest = p;
    t->n = 0;
    t->regular = 1;
    t->end = p < end && *p == '>' ? p + 1 : dt_token_walk(t, p, end);

    return t->end;
}


uint64_t
dt_token_sum(const dt_token_t *t, const dt_place_t *place)
{
    int closed, hidden = 0;
    unsigned i;
    uint64_t h = 0, input = 0;
    const char *name, *equals;

    if (!t->regular) {
        (void) dt_token_attrs(place, t->rest, t->end, &h, &closed);
        return h;
    }

    for (i = 0; i < t->n; i++) {
        equals = t->attrs[i].equals;

        /* most attributes are told from those that count by three letters;
           the tag is longer than what is read */

        switch (dt_load32(equals - 4) >> 8 | 0x202020) {

        case DT_NAME_SRC:
        case DT_NAME_SET:
        case DT_NAME_ALT:
        case DT_NAME_HREF >> 8:
        case DT_NAME_TYPE >> 8:
        case DT_NAME_TITLE >> 16:
        case DT_NAME_LABEL >> 16:
        case DT_NAME_VALUE >> 16:
            break;

        default:
            continue;
        }

        for (name = equals;
             name > t->attrs[i].from && !dt_char_is(name[-1], DT_C_NAME_END);
             name--)
        {
            /* void */
        }

        h += dt_token_attr(
            place, name, (size_t) (equals - name), t->attrs[i].value,
            (size_t) (t->attrs[i].end - t->attrs[i].value), &hidden, &input);
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
