
/*
 * Copyright (C) The detemplate authors
 *
 * Tags as the HTML standard's tokenizer sees them.
 */


#ifndef DT_TOKEN_H_INCLUDED_
#define DT_TOKEN_H_INCLUDED_


#include "core/base/tags.h"


#define DT_LOOK_WORDS 256


/*
 * Start tags that may be worth a closer look: most of a page's are ruled out
 * while their end is looked for.  A name that is looked for is found, or the
 * value of an attribute; so are some others.
 */
typedef struct {
    uint64_t tags[4];              /* see dt_look_tag() */
    uint64_t words[DT_LOOK_WORDS]; /* the first bytes of each; 0: none */
    uint64_t whose[DT_LOOK_WORDS]; /* bits: selectors with it */
    uint32_t starts[32];           /* bits: of words, the first two letters */
    uint32_t ends[2][32]; /* of names of attributes, the last letter and the
                             one before, or the one before that */
} dt_look_t;

/* the bit of a tag's name */
#define dt_look_tag(name) (0x9e3779b97f4a7c15u * (name) >> 56)

static inline int
dt_look_tagged(const dt_look_t *look, uint64_t name)
{
    uint64_t bit = dt_look_tag(name);

    return look->tags[bit / 64] >> bit % 64 & 1;
}


/* Looks for values that have the word of len bytes at p, one at least, for
   those whose bits are set.  There is room for half as many as DT_LOOK_WORDS.
   */
void dt_look_add(dt_look_t *look, const char *p, size_t len, uint64_t whose);

/* The bits of those that may look for a word of the value [p, end), which
   stands behind another byte.  Bytes up to limit can be read; where it is
   near, all may. */
uint64_t dt_look_value(const dt_look_t *look, const char *p, const char *end,
                       const char *limit);

/* whether a word that begins at p may be one of look's: two bytes can be read
 */
static inline int
dt_look_starts(const dt_look_t *look, const char *p)
{
    return look->starts[p[0] & 31] >> (p[1] & 31) & 1;
}


/* whether [p, end) is one word, which is short, and none of look's */
static inline int
dt_look_is_other(const dt_look_t *look, const char *p, const char *end,
                 const char *limit)
{
    dt_mask_t m;
    dt_block_t b;

    if (limit - p < DT_BLOCK || end - p > DT_BLOCK || dt_look_starts(look, p))
    {
        return 0;
    }

    b = dt_block_load(p);
    m = dt_block_mask(dt_block_or(dt_block_le(b, ' '), dt_block_eq(b, '&')));

    return m == 0 || dt_mask_first(m) >= (size_t) (end - p);
}


/* The bits of those that may look for an attribute with this value.  Its name
   ends at p; the tag begins at least three bytes before. */
static inline uint64_t
dt_look_attr(const dt_look_t *look, const char *p, const char *value,
             const char *end, const char *limit)
{
    return (look->ends[0][p[-1] & 31] >> (p[-2] & 31) & 1)
                   && (look->ends[1][p[-1] & 31] >> (p[-3] & 31) & 1)
                   && !dt_look_is_other(look, value, end, limit)
               ? dt_look_value(look, value, end, limit)
               : 0;
}


#define DT_NAME_TYPE dt_letters('t', 'y', 'p', 'e', 0, 0, 0, 0)
#define DT_NAME_HREF dt_letters('h', 'r', 'e', 'f', 0, 0, 0, 0)
#define DT_NAME_CLASS dt_letters('c', 'l', 'a', 's', 's', 0, 0, 0)


#define DT_TOKEN_ATTRS 12

/* a shorter name without a value is not looked for there */
#define DT_TOKEN_BARE 5


/* an attribute with a value; points into the page */
typedef struct {
    const char *name;
    const char *stop; /* behind the name */
    const char *value;
    const char *end;
} dt_attr_t;


/* a tag; points into the page */
typedef struct {
    const char *start; /* '<' */
    const char *rest;  /* behind the name */
    const char *tail;  /* behind that, or the last value, if it is regular */
    const char *end;   /* behind '>' */
    const char *limit; /* behind end; up to there bytes can be read */
    uint64_t name;
    unsigned len;          /* of the name, if dt_name_quick() tells, else 0 */
    const dt_look_t *look; /* selectors, or NULL; found has a bit for each that
                              may look for one of its attributes */
    uint64_t found;
    uint8_t regular; /* attrs has all but classes, and the bytes before a
                        name as well */
    unsigned n;
    dt_attr_t attrs[DT_TOKEN_ATTRS];
    unsigned gaps;      /* places before a class or the end where attributes
                           without a value may stand, */
    const char *gap[2]; /* the last two of them */
} dt_token_t;


/*
 * Reads the tag whose '<' or, of an end tag, '/' is at p[-1], into all of t
 * but start and look.  Returns the byte behind it, or NULL when it does
 * not end in [p, end).
 */
const char *dt_token_read(dt_token_t *t, const char *p, const char *end);

/*
 * From behind a tag's name, at p, to behind its '>'; NULL when that is not in
 * [p, end).
 */
const char *dt_token_skip(const char *p, const char *end);

/* The same, where DT_TOKEN_NEAR bytes can be read: fast for a tag with one
   attribute. */
#define DT_TOKEN_NEAR (DT_BITS + 1)

static inline __attribute__((always_inline)) const char *
dt_token_near(const char *p, const char *end)
{
    unsigned n;
    const char *last = NULL;
    uint64_t quotes, m = dt_find_bits(p, '=', '>');

    n = m ? (unsigned) __builtin_ctzll(m) : 0;

    if (m && p[n] == '>') {
        return p + n + 1;
    }

    if (m && p[n + 1] == '"' && !dt_char_is(p[n - 1], DT_C_ATTR_END)) {
        quotes = dt_find_bits(p, '"', '"') & ~0ull << n << 2;

        if (quotes) {
            last = p + (unsigned) __builtin_ctzll(quotes);

        } else {
            last = dt_find(p + n + 2, end, '"');

            if (end - last < 2) {
                return NULL;
            }
        }

        if (last[1] == '>') {
            return last + 2;
        }
    }

    p = last ? last + 1 : p;

    return dt_token_skip(p, end);
}

/*
 * The attribute with a value that comes next in a tag, as the standard's
 * tokenizer sees it, from p on, which is behind the tag's name or behind the
 * one before: behind it.  At the end of the tag a's name is empty, *closed is
 * whether that is "/>", and the byte behind the '>' is returned.  NULL: the
 * tag does not end in [p, end).
 */
const char *dt_token_next(dt_attr_t *a, const char *p, const char *end,
                          int *closed);

/* The same of the next attribute, with a value or without: a's is NULL. */
const char *dt_token_any(dt_attr_t *a, const char *p, const char *end,
                         int *closed);

/* Finds an attribute of a tag by its name, in upper or lower case: the first
   one counts; without a value, a's is NULL.  Returns whether there is one. */
int dt_token_find(const dt_token_t *t, const char *name, dt_attr_t *a);

/*
 * Whether an attribute may be put behind the tag's name: not where a '=' comes
 * next, which would then belong to it.
 */
static inline int
dt_token_markable(const dt_token_t *t)
{
    const char *p = t->rest;

    while (p < t->end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    return p == t->end || *p != '=';
}


/* whether the tag ends with "/>" */
int dt_token_closed(const dt_token_t *t);

#endif /* DT_TOKEN_H_INCLUDED_ */
