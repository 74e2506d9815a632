
/*
 * Copyright (C) The detemplate authors
 *
 * Reads tags as the HTML standard's tokenizer sees them (13.2.5.6 and on).
 */


#include <strings.h>

#include "core/html/token.h"


#define dt_look_slot(word) ((size_t) (0x9e3779b97f4a7c15u * (word) >> 56))


/* the first bytes of the word at p, of which there are at most len; none: 0 */
static inline uint64_t
dt_look_word(const char *p, size_t len)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = dt_load64(p), white;
    size_t n;

    /* of the bytes up to the space, the first has its highest bit in white */

    white = (word - ones * 0x21) & ~word & ones * 0x80;
    n = white ? (size_t) __builtin_ctzll(white) / 8 : 8;

    return word & dt_name_masks[n < len ? n : len];
}


static inline uint64_t
dt_look_is(const dt_look_t *look, const char *p, const char *end)
{
    uint64_t word;
    size_t i;

    if (!dt_look_starts(look, p)) {
        return 0;
    }

    word = dt_look_word(p, (size_t) (end - p));
    i = dt_look_slot(word);

    for (; look->words[i]; i = (i + 1) % DT_LOOK_WORDS) {
        if (look->words[i] == word) {
            return look->whose[i];
        }
    }

    return 0;
}


void
dt_look_add(dt_look_t *look, const char *p, size_t len, uint64_t whose)
{
    char bytes[8] = { 0 };
    uint64_t word;
    size_t i;

    memcpy(bytes, p, len < 8 ? len : 8);
    word = dt_load64(bytes);

    for (i = dt_look_slot(word); look->words[i] && look->words[i] != word;
         i = (i + 1) % DT_LOOK_WORDS)
    {
        /* void */
    }

    look->words[i] = word;
    look->whose[i] |= whose;
    look->starts[p[0] & 31] |= len > 1 ? 1u << (p[1] & 31) : UINT32_MAX;
}


uint64_t
dt_look_value(const dt_look_t *look, const char *p, const char *end,
              const char *limit)
{
    size_t n;
    uint64_t whose;
    dt_mask_t m;
    dt_block_t b;

    if (limit - p < 8) {
        return UINT64_MAX;
    }

    for (whose = dt_look_is(look, p, end); p < end; p += DT_BLOCK) {
        if (limit - p < DT_BLOCK + 8) {
            return UINT64_MAX;
        }

        b = dt_block_load(p);
        m = dt_block_mask(
            dt_block_or(dt_block_le(b, ' '), dt_block_eq(b, '&')));

        for (; m; m &= m - 1) {
            n = dt_mask_first(m) + 1;

            if (n >= (size_t) (end - p)) {
                break;
            }

            /* a reference may be any word */

            if (p[n - 1] == '&') {
                return UINT64_MAX;
            }

            whose |= dt_look_is(look, p + n, end);
        }
    }

    return whose;
}


/* reads an attribute's value at p; returns the byte behind it, or NULL when it
   does not end */
static const char *
dt_token_value(dt_attr_t *a, const char *p, const char *end)
{
    a->value = p;

    if (*p == '"' || *p == '\'') {
        a->value++;
        a->end = dt_find(p + 1, end, *p);

        return a->end < end ? a->end + 1 : NULL;
    }

    while (p < end && !dt_char_is(*p, DT_C_VALUE_END)) {
        p++;
    }

    a->end = p;

    return p < end ? p : NULL;
}


const char *
dt_token_any(dt_attr_t *a, const char *p, const char *end, int *closed)
{
    a->value = a->end = NULL;

    for (*closed = 0; p < end; p++) {
        if (*p == '/') {
            *closed = 1;

        } else if (dt_char_is(*p, DT_C_SPACE)) {
            *closed = 0;

        } else {
            break;
        }
    }

    if (p == end) {
        return NULL;
    }

    a->name = p;

    if (*p == '>') {
        a->stop = p;
        return p + 1;
    }

    for (p++; p < end && !dt_char_is(*p, DT_C_ATTR_END); p++) {
        /* void */
    }

    a->stop = p;

    while (p < end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    if (p == end) {
        return NULL;
    }

    if (*p != '=') {
        return p;
    }

    do {
        p++;
    } while (p < end && dt_char_is(*p, DT_C_SPACE));

    return p < end ? dt_token_value(a, p, end) : NULL;
}


int
dt_token_find(const dt_token_t *t, const char *name, dt_attr_t *a)
{
    int closed;
    size_t len = strlen(name);
    const char *p = t->rest;

    if (*p == '>') {
        return 0;
    }

    do {
        p = dt_token_any(a, p, t->end, &closed);

        if (p == NULL || a->name == a->stop) {
            return 0;
        }
    } while ((size_t) (a->stop - a->name) != len
             || strncasecmp(a->name, name, len) != 0);

    return 1;
}


const char *
dt_token_next(dt_attr_t *a, const char *p, const char *end, int *closed)
{
    do {
        p = dt_token_any(a, p, end, closed);
    } while (p != NULL && a->value == NULL && a->name < a->stop);

    return p;
}


/* passes a tag from behind its name; returns the byte behind the '>', or NULL
   when it does not end, and sets *closed, unless it is NULL, if "/>" ends it
 */
static __attribute__((noinline)) const char *
dt_token_pass(const char *p, const char *end, int *closed)
{
    int own;
    dt_attr_t a;

    do {
        p = dt_token_next(&a, p, end, closed ? closed : &own);
    } while (p != NULL && a.name < a.stop);

    return p;
}


/* whether it is a class; [name, p) has the bytes before its name as well */
static inline int
dt_token_is_class(const char *name, const char *p)
{
    return p - name > 5
           && ((dt_load64(p - 6) >> 8 | 0x2020202020u) & 0xffffffffffu)
                  == DT_NAME_CLASS
           && dt_char_is(p[-6], DT_C_NAME_END);
}


/* notes where bytes begin that attrs does not have */
static inline void
dt_token_gap(dt_token_t *t, const char *p)
{
    t->gap[t->gaps++ & 1] = p;
}


/* adds an attribute to t unless it is a class; returns 0 if t has no room for
   it */
static inline __attribute__((always_inline)) int
dt_token_add(dt_token_t *t, const char *name, const char *stop,
             const char *value, const char *end)
{
    dt_attr_t *a;

    if (t == NULL) {
        return 1;
    }

    if (dt_token_is_class(name, stop)) {
        if (stop - name > DT_TOKEN_BARE + 5) {
            dt_token_gap(t, name);
        }

        return 1;
    }

    if (t->n == DT_TOKEN_ATTRS) {
        return 0;
    }

    a = &t->attrs[t->n++];
    a->name = name;
    a->stop = stop;
    a->value = value;
    a->end = end;

    return 1;
}


/*
 * Reads a tag from behind its name, and its attributes into t unless that is
 * NULL.  Adds to *found the selectors that look for one of them, by look
 * unless that is NULL.  Returns the byte behind the '>', or NULL when the tag
 * does not end.  As long as each '=' stands right between a name and a value,
 * nothing before it has to be looked at, and a '>' outside of the values ends
 * the tag.  dt_token_pass() reads any other tag.
 */
static inline __attribute__((always_inline)) const char *
dt_token_walk(dt_token_t *t, const dt_look_t *look, uint64_t *found,
              const char *p, const char *end)
{
    const char *equals, *value, *last, *next, *rest = p;

    for (;; p = next) {
        equals = dt_find_two(p, end, '=', '>');

        if (equals == end || (end - equals < 2 && *equals != '>')) {
            return NULL;
        }

        if (*equals == '>') {
            if (t != NULL) {
                t->tail = p;

                if (equals - p >= DT_TOKEN_BARE) {
                    dt_token_gap(t, p);
                }
            }

            return equals + 1;
        }

        value = equals + 1;

        if (equals == p || dt_char_is(equals[-1], DT_C_ATTR_END)) {
            break;
        }

        if (*value == '"') {
            last = dt_find(++value, end, '"');

        } else if (*value == '\'') {
            last = dt_find(++value, end, '\'');

        } else if (dt_char_is(*value, DT_C_VALUE_END)) {
            break;

        } else {
            for (last = value;
                 last < end && !dt_char_is(*last, DT_C_VALUE_END); last++) {
                /* void */
            }
        }

        if (last == end) {
            return NULL;
        }

        next = last + (value - equals - 1); /* behind the quote, if any */

        if (look != NULL) {
            *found |= dt_look_attr(look, equals, value, last, end);
        }

        if (!dt_token_add(t, p, equals, value, last)) {
            break;
        }

        if (next < end && *next == '>') {
            if (t != NULL) {
                t->tail = next;
            }

            return next + 1;
        }
    }

    if (t != NULL) {
        t->regular = 0;
    }

    if (look != NULL) {
        *found = UINT64_MAX;
    }

    return dt_token_pass(rest, end, NULL);
}


const char *
dt_token_skip(const char *p, const char *end)
{
    return dt_token_walk(NULL, NULL, NULL, p, end);
}


const char *
dt_token_read(dt_token_t *t, const char *p, const char *end)
{
    t->len = dt_name_quick(p, end, &t->name);
    p = t->len ? p + t->len : dt_name_read(p, end, &t->name);
    t->rest = p;
    t->limit = end;
    t->n = 0;
    t->regular = 1;
    t->gaps = 0;
    t->found = 0;
    t->end = p < end && *p == '>' ? p + 1
             : t->look == NULL    ? dt_token_walk(t, NULL, NULL, p, end)
                               : dt_token_walk(t, t->look, &t->found, p, end);

    return t->end;
}


int
dt_token_closed(const dt_token_t *t)
{
    int closed = 0;

    if (t->end[-2] != '/') {
        return 0;
    }

    if (t->regular) {
        /* the '/' may belong to a value without quotes */
        return t->tail < t->end - 1;
    }

    (void) dt_token_pass(t->rest, t->end, &closed);

    return closed;
}
