
/*
 * Copyright (C) The detemplate authors
 *
 * Which start tags are worth a closer look: most of a page's are ruled out
 * while their end is looked for, see dt_token_look().
 */


#ifndef DT_LOOK_H_INCLUDED_
#define DT_LOOK_H_INCLUDED_


#include "core/scan/chars.h"


#define DT_LOOK_WORDS 256


/*
 * Start tags that may be worth a closer look.  A name, or the value of an
 * attribute, that is looked for is found; so are some others.
 */
typedef struct {
    uint64_t tags[4];              /* see dt_look_tag() */
    uint64_t words[DT_LOOK_WORDS]; /* the first bytes of each; 0: none */
    uint64_t whose[DT_LOOK_WORDS]; /* bits: who looks for it */
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

/* The bits of those who may look for a word of the value [p, end), which
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


/* The bits of those who may look for an attribute with this value.  Its name
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


#endif /* DT_LOOK_H_INCLUDED_ */
