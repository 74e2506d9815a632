
/*
 * Copyright (C) The detemplate authors
 *
 * Reads tags as the HTML standard's tokenizer sees them (13.2.5.6 and on).
 */


#include "core/scan/token.h"


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


/* names as dt_name_fold() makes them */
#define DT_NAME_ALT dt_letters('a', 'l', 't', 0, 0, 0, 0, 0)
#define DT_NAME_SRC dt_letters('s', 'r', 'c', 0, 0, 0, 0, 0)
#define DT_NAME_SET dt_letters('s', 'e', 't', 0, 0, 0, 0, 0)
#define DT_NAME_DATA dt_letters('d', 'a', 't', 'a', 0, 0, 0, 0)
#define DT_NAME_CLASS dt_letters('c', 'l', 'a', 's', 's', 0, 0, 0)
#define DT_NAME_NONCE dt_letters('n', 'o', 'n', 'c', 'e', 0, 0, 0)
#define DT_NAME_STYLE dt_letters('s', 't', 'y', 'l', 'e', 0, 0, 0)
#define DT_NAME_POSTER dt_letters('p', 'o', 's', 't', 'e', 'r', 0, 0)
#define DT_NAME_TYPE dt_letters('t', 'y', 'p', 'e', 0, 0, 0, 0)
#define DT_NAME_TITLE dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0)
#define DT_NAME_LABEL dt_letters('l', 'a', 'b', 'e', 'l', 0, 0, 0)
#define DT_NAME_VALUE dt_letters('v', 'a', 'l', 'u', 'e', 0, 0, 0)
#define DT_NAME_DER dt_letters('d', 'e', 'r', 0, 0, 0, 0, 0)
#define DT_NAME_HOLDER dt_letters('h', 'o', 'l', 'd', 'e', 'r', 0, 0)
#define DT_NAME_HIDDEN dt_letters('h', 'i', 'd', 'd', 'e', 'n', 0, 0)


#define DT_TOKEN_URL 0x286c7275u /* "url(" */


/* the sum of a tag's attributes */
typedef struct {
    uint64_t hash;
    uint64_t value;
    uint64_t bare; /* of those that tell it of an element without words */
    int hidden; /* the field is hidden, so that its value does not count: it is
                   often a token */
} dt_token_sum_t;


/* what a srcset points to: URLs, each with a width or a factor behind it */
static uint64_t
dt_token_set(dt_address_t *address, const char *p, const char *end,
             const char *limit)
{
    uint64_t sum = 0;
    const char *q;

    while (p < end) {
        if (dt_char_is(*p, DT_C_SPACE) || *p == ',') {
            p++;
            continue;
        }

        for (q = p; q < end && !dt_char_is(*q, DT_C_SPACE); q++) {
            /* void */
        }

        sum = dt_mix(sum, dt_address_link(address, p, q[-1] == ',' ? q - 1 : q,
                                          limit, 1));

        for (p = q; p < end && *p != ','; p++) {
            /* void */
        }
    }

    return sum;
}


/* any other attribute, with what is before its name: it tells what an element
   without words shows, unless it tells how */
static void
dt_token_bare(dt_token_sum_t *sum, const dt_attr_t *a)
{
    const char *p;
    size_t len = (size_t) (a->stop - a->name);
    uint64_t name = 0;

    if (len == 5 || (len > 5 && dt_char_is(a->stop[-6], DT_C_NAME_END))) {
        name = dt_load_tail(a->stop - 5, 5) | 0x2020202020u;
    }

    if (name == DT_NAME_STYLE) {
        for (p = a->value; a->end - p > 4; p++) {
            if (p[3] == '(' && (dt_load32(p) | 0x202020) == DT_TOKEN_URL) {
                sum->bare += dt_hash(p, (size_t) (a->end - p), name);
                break;
            }
        }

    } else if (name != DT_NAME_CLASS && name != DT_NAME_NONCE) {
        sum->bare += dt_hash(a->name, (size_t) (a->end - a->name), 0);
    }
}


/*
 * Adds an attribute if it tells what an element shows; other attributes tell
 * how it is shown.
 */
static void
dt_token_attr(dt_token_sum_t *sum, dt_address_t *address, const dt_attr_t *a,
              const char *limit)
{
    uint64_t n;
    size_t nlen = (size_t) (a->stop - a->name);
    size_t vlen = (size_t) (a->end - a->value);

    if (nlen < 3) {
        dt_token_bare(sum, a);
        return;
    }

    if (nlen > 5) {
        /* data-src, data-lazy-src, srcset, ... tell what an image shows */
        n = dt_load_tail(a->stop - 3, 3) | 0x202020;

        if (n == DT_NAME_SET) {
            sum->hash +=
                dt_mix(n, dt_token_set(address, a->value, a->end, limit));

        } else if (n == DT_NAME_DER
                   && dt_name_fold(a->stop - 6, a->stop) == DT_NAME_HOLDER)
        {
            /* placeholder */
            sum->hash += dt_mix(n, dt_hash(a->value, vlen, 0));

        } else if (n == DT_NAME_SRC
                   || dt_name_fold(a->name, a->stop) == DT_NAME_POSTER)
        {
            sum->hash += dt_mix(
                n, dt_address_link(address, a->value, a->end, limit, 1));

        } else {
            dt_token_bare(sum, a);
        }

        return;
    }

    n = dt_load_tail(a->name, nlen) | 0x2020202020u >> (8 * (5 - nlen));

    switch (n) {

    case DT_NAME_HREF:
    case DT_NAME_SRC:
    case DT_NAME_DATA:
        sum->hash += dt_mix(n, dt_address_link(address, a->value, a->end,
                                               limit, n != DT_NAME_HREF));
        break;

    case DT_NAME_ALT:
    case DT_NAME_TITLE:
    case DT_NAME_LABEL:
        sum->hash += dt_mix(n, dt_hash(a->value, vlen, 0));
        break;

    case DT_NAME_VALUE:
        sum->value = dt_mix(n, dt_hash(a->value, vlen, 0));
        break;

    case DT_NAME_TYPE:
        sum->hidden =
            vlen == 6 && dt_name_fold(a->value, a->end) == DT_NAME_HIDDEN;
        break;

    default:
        dt_token_bare(sum, a);
    }
}


/* reads an attribute's value at p; returns what is behind it, or NULL when it
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


const char *
dt_token_next(dt_attr_t *a, const char *p, const char *end, int *closed)
{
    do {
        p = dt_token_any(a, p, end, closed);
    } while (p != NULL && a->value == NULL && a->name < a->stop);

    return p;
}


/*
 * Reads all attributes of a tag, from behind its name.  Returns what is behind
 * the '>', or NULL when the tag does not end.  Adds the attributes to sum
 * unless that is NULL, and sets *closed if "/>" ends the tag.
 */
static const char *
dt_token_attrs(dt_token_sum_t *sum, dt_address_t *address, const char *p,
               const char *end, int *closed)
{
    dt_attr_t a;

    for (;;) {
        p = dt_token_next(&a, p, end, closed);

        if (p == NULL || a.name == a.stop) {
            return p;
        }

        if (sum != NULL) {
            dt_token_attr(sum, address, &a, end);
        }
    }
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


/* passes a tag from behind its name; returns what dt_token_attrs() returns */
static __attribute__((noinline)) const char *
dt_token_pass(const char *p, const char *end)
{
    int closed;

    return dt_token_attrs(NULL, NULL, p, end, &closed);
}


/*
 * The last letters of the names of attributes that tell what an element shows.
 * A search found a factor that keeps them apart, so one comparison tells.
 */
#define dt_token_slot(letters) ((uint32_t) (0x05805975u * (letters)) >> 28)

#define DT_TOKEN_LAST(letters)                                                \
    [dt_token_slot((uint32_t) (letters))] = (uint32_t) (letters)

static const uint32_t dt_token_last[16] = {
    DT_TOKEN_LAST(DT_NAME_SRC),         DT_TOKEN_LAST(DT_NAME_SET),
    DT_TOKEN_LAST(DT_NAME_ALT),         DT_TOKEN_LAST(DT_NAME_HREF >> 8),
    DT_TOKEN_LAST(DT_NAME_TYPE >> 8),   DT_TOKEN_LAST(DT_NAME_TITLE >> 16),
    DT_TOKEN_LAST(DT_NAME_LABEL >> 16), DT_TOKEN_LAST(DT_NAME_VALUE >> 16),
    DT_TOKEN_LAST(DT_NAME_DATA >> 8),   DT_TOKEN_LAST(DT_NAME_POSTER >> 24),
    DT_TOKEN_LAST(DT_NAME_DER),
};


/*
 * Returns whether an attribute whose name ends at p may tell what an element
 * shows.  The last three letters rule out most.  They can be read, because the
 * tag begins at least four bytes before p.
 */
static inline int
dt_token_tells(const char *p)
{
    uint32_t last = (uint32_t) (dt_load32(p - 4) >> 8) | 0x202020;

    return dt_token_last[dt_token_slot(last)] == last;
}


/* whether it is a class, of which [name, p) has what is before it as well */
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
 * NULL.  Adds to *found who looks for one of them, by look unless that is
 * NULL. Returns what is behind the '>', or NULL when the tag does not end. As
 * long as each '=' stands right between a name and a value, nothing before it
 * has to be looked at, and a '>' outside of the values ends the tag.
 * dt_token_attrs() reads any other tag.
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
            last = dt_find_far(++value, end, '"');

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

    return dt_token_pass(rest, end);
}


const char *
dt_token_skip(const char *p, const char *end)
{
    return dt_token_walk(NULL, NULL, NULL, p, end);
}


const char *
dt_token_look(const dt_look_t *look, const char *p, const char *end,
              uint64_t *found)
{
    return dt_token_walk(NULL, look, found, p, end);
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


/* the same as dt_token_attrs_sum(); of a regular tag, from attribute i on */
static __attribute__((noinline)) uint64_t
dt_token_sum_from(const dt_token_t *t, unsigned i, dt_address_t *address,
                  uint64_t *bare)
{
    int closed;
    dt_attr_t a;
    const char *p;
    dt_token_sum_t sum = { 0, 0, 0, 0 };

    if (!t->regular) {
        (void) dt_token_attrs(&sum, address, t->rest, t->end, &closed);
    }

    for (/* void */; i < t->n && t->regular; i++) {
        if (!dt_token_tells(t->attrs[i].stop)) {
            if (bare != NULL) {
                dt_token_bare(&sum, &t->attrs[i]);
            }

            continue;
        }

        a = t->attrs[i];

        for (p = a.stop; p > a.name && !dt_char_is(p[-1], DT_C_NAME_END); p--)
        {
            /* void */
        }

        a.name = p;
        dt_token_attr(&sum, address, &a, t->limit);
    }

    if (bare != NULL) {
        *bare = sum.bare;
    }

    return sum.hidden ? sum.hash : sum.hash + sum.value;
}


uint64_t
dt_token_attrs_sum(const dt_token_t *t, dt_address_t *address, uint64_t *bare)
{
    unsigned i = 0;

    if (t->regular && bare == NULL) {
        while (i < t->n && !dt_token_tells(t->attrs[i].stop)) {
            i++;
        }

        if (i == t->n) {
            return 0;
        }
    }

    return dt_token_sum_from(t, i, address, bare);
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

    (void) dt_token_attrs(NULL, NULL, t->rest, t->end, &closed);

    return closed;
}
