
/*
 * Copyright (C) The detemplate authors
 *
 * What the bytes of a tag are, and how the scanner reads its name.
 */


#ifndef DT_CHARS_H_INCLUDED_
#define DT_CHARS_H_INCLUDED_


#include "core/base/find.h"
#include "core/base/tags.h"


/* what each byte means to the tokenizer */
enum {
    DT_C_SPACE = 1,     /* white space */
    DT_C_NAME_END = 2,  /* ends a tag name: white space / > */
    DT_C_ATTR_END = 4,  /* ends an attribute name: those and = */
    DT_C_VALUE_END = 8, /* ends a bare attribute value: white space > */
    DT_C_ALPHA = 16,
    DT_C_MARKUP = 32, /* behind '<', begins something else than text */
    DT_C_WORD = 64,   /* of a word: letters, digits, and what is not ASCII */
    DT_C_SIGN = 128   /* may be a separator, or the first or last byte of one,
                         between words of a line */
};

extern const uint8_t dt_chars[256];

#define dt_char_is(c, class) (dt_chars[(unsigned char) (c)] & (class))


/*
 * The length of the name at p, where a block can be read, or 0 when that takes
 * a second look: a name longer than eight bytes, or with other bytes than
 * letters and digits, or none.
 */
static inline unsigned
dt_name_block(const char *p, uint64_t *name)
{
    size_t n;
    dt_mask_t m;
    dt_block_t b = dt_block_load(p);

    m = dt_block_mask(dt_block_or(dt_block_le(b, '/'), dt_block_eq(b, '>')));

    if (m) {
        n = dt_mask_first(m);

        if (n - 1 < 8 && dt_char_is(p[n], DT_C_NAME_END)) {
            *name = (dt_load64(p) | 0x2020202020202020u) & dt_name_masks[n];
            return (unsigned) n;
        }
    }

    return 0;
}


/* the same, or 0 where fewer bytes are left */
static inline unsigned
dt_name_quick(const char *p, const char *end, uint64_t *name)
{
    return end - p >= DT_BLOCK ? dt_name_block(p, name) : 0;
}


/*
 * Reads the name at p: the first byte behind it is returned, which is end when
 * the name may go on there.
 */
static inline const char *
dt_name_read(const char *p, const char *end, uint64_t *name)
{
    unsigned n;
    const char *start = p;

    n = dt_name_quick(p, end, name);
    if (n) {
        return p + n;
    }

    while (p < end && !dt_char_is(*p, DT_C_NAME_END)) {
        p++;
    }

    *name = dt_name_fold(start, p);

    return p;
}


/* Of text in which no spaces stand between words, so many bytes are a word:
   five letters of Chinese.  Words of other scripts are shorter on average. */
#define DT_WORD_BYTES 16

/* The words of a text with so many runs without white space, and bytes. */
static inline uint32_t
dt_text_words(uint32_t runs, uint64_t len)
{
    return runs < len / DT_WORD_BYTES ? (uint32_t) (len / DT_WORD_BYTES)
                                      : runs;
}


#endif /* DT_CHARS_H_INCLUDED_ */
