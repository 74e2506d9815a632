
/*
 * Copyright (C) The detemplate authors
 *
 * Facts about HTML's elements, and the classes of the bytes of a tag.
 */


#ifndef DT_TAGS_H_INCLUDED_
#define DT_TAGS_H_INCLUDED_


#include "core/base/find.h"


/* classes of elements, as the tree construction of the HTML standard uses
   them */
enum {
    DT_TAG_VOID = 0x0001,     /* has no end tag and no children */
    DT_TAG_RAW = 0x0002,      /* its inside is text up to its end tag */
    DT_TAG_NEST = 0x0004,     /* its inside is another tree: svg, template */
    DT_TAG_SILENT = 0x0008,   /* readers do not see its text */
    DT_TAG_HEAD = 0x0010,     /* may precede the body */
    DT_TAG_CLOSES_P = 0x0020, /* its start closes an open p */
    DT_TAG_IMPLIED = 0x0040,  /* its end tag may be left out */
    DT_TAG_SPECIAL = 0x0080,  /* end tags do not close elements around it */
    DT_TAG_SCOPE = 0x0100,    /* nothing outside it is closed from inside */
    DT_TAG_TABLE = 0x0200,    /* its children must be parts of a table */
    DT_TAG_INTABLE = 0x0400,  /* part of a table */
    DT_TAG_LABEL = 0x0800,    /* a heading or label of the text after it */
    DT_TAG_ASIDE = 0x2000,    /* stands beside the content */
    DT_TAG_MAIN = 0x4000,     /* contains the content */
    DT_TAG_STYLE = 0x8000,    /* formats its inside, without a meaning */
    DT_TAG_RULE = 0x1000      /* its start tag may do more than begin an
                                 element */
};

/* elements whose start tags need more than dt_scan_open() */
#define DT_TAG_ODD (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST | DT_TAG_RULE)


/*
 * Kinds of elements that have rules of their own.  For each kind up to
 * DT_TAG_OPTION, one byte of a number holds the innermost open element.
 */
typedef enum {
    DT_TAG_P = 0,
    DT_TAG_LI,
    DT_TAG_D, /* dd, dt */
    DT_TAG_CELL,
    DT_TAG_ROW,
    DT_TAG_SECTION,
    DT_TAG_A,
    DT_TAG_OPTION, /* only the innermost element of all, and */
    DT_TAG_RUBY,   /* in the same byte */
    DT_TAG_HEADING,

    DT_TAG_BODY,
    DT_TAG_HTML,
    DT_TAG_HEADTAG,
    DT_TAG_FORM,
    DT_TAG_BASE,
    DT_TAG_STOP,   /* the rest is not an ordinary page */
    DT_TAG_INLINE, /* part of a line of text, like a link */
    DT_TAG_OTHER
} dt_tag_kind_t;

#define dt_tag_byte(kind) (0xffull << (kind) % 8 * 8)


/*
 * A name as a number: its bytes in lower case (by setting bit 5).  The first
 * eight are used as they are, so that short names need no hashing.
 */
#define DT_NAME_FOLD 0x9e3779b97f4a7c15u


/*
 * Further facts about the start tag of a name.  gumbo follows an older
 * standard than the scanner; where they differ, gumbo's behaviour counts.
 */
enum {
    DT_IS_RAW = 1 << 0,    /* its inside is text up to its end tag */
    DT_IS_FORMAT = 1 << 1, /* formatting, opened again behind a block */
    DT_IS_ANCHOR = 1 << 2, /* the same, and does not nest */
    DT_IS_OBJECT = 1 << 3, /* formatting from outside ends there */
    DT_IS_SELECT = 1 << 4,
    DT_IS_SELECT_END = 1 << 5, /* it ends a select */
    DT_IS_SVG_END = 1 << 6,    /* it ends svg and math */
    DT_IS_PART = 1 << 7        /* a footer in it belongs to it */
};


typedef struct {
    uint64_t name;
    uint64_t keep;   /* bytes of the kinds that can be reached from inside */
    uint64_t closes; /* bytes of the kinds that its start tag may close */
    uint64_t own;    /* 1 in the byte of its kind */
    uint16_t flags;
    uint8_t kind; /* dt_tag_kind_t */
    uint8_t len;  /* letters of the name */
    int is;       /* DT_IS_* */
} dt_tag_t;

/* the scanner reads this for every tag, so is, which others read, fills the
   padding */
_Static_assert(sizeof(dt_tag_t) == 40, "the scanner's table has grown");

#define DT_TAGS_BITS 10

extern const dt_tag_t dt_tags[1 << DT_TAGS_BITS];
extern const dt_tag_t dt_tag_unknown;
extern const dt_tag_t dt_tag_shadow;   /* a template that is a shadow root */
extern const dt_tag_t dt_tag_noscript; /* a noscript that is an element */

#define dt_tag_slot(name)                                                     \
    ((unsigned) (0x9db9f71163218015u * (name) >> (64 - DT_TAGS_BITS)))


static inline const dt_tag_t *
dt_tag_find(uint64_t name)
{
    const dt_tag_t *tag = &dt_tags[dt_tag_slot(name)];

    return tag->name == name ? tag : &dt_tag_unknown;
}


/* masks for the first n bytes of a number, n up to 8 */
extern const uint64_t dt_name_masks[9];


/* Returns the number of the name [p, end). */
uint64_t dt_name_fold(const char *p, const char *end);

/*
 * Returns the element with exactly that name, in upper or lower case.  One can
 * construct other names with the same number, so a check that must hold on
 * hostile pages does not use the number.
 */
const dt_tag_t *dt_tag_named(const char *p, size_t len);


/* the classes of each byte for the tokenizer */
enum {
    DT_C_SPACE = 1,     /* white space */
    DT_C_NAME_END = 2,  /* ends a tag name: white space / > */
    DT_C_ATTR_END = 4,  /* ends an attribute name: those and = */
    DT_C_VALUE_END = 8, /* ends a bare attribute value: white space > */
    DT_C_ALPHA = 16,
    DT_C_MARKUP = 32, /* behind '<', begins something else than text */
    DT_C_WORD = 64,   /* of a word: letters, digits, all bytes beyond ASCII */
    DT_C_SIGN = 128   /* may be a separator, or the first or last byte of one,
                         between words of a line */
};

extern const uint8_t dt_chars[256];

#define dt_char_is(c, class) (dt_chars[(unsigned char) (c)] & (class))

#define dt_is_space(c) dt_char_is(c, DT_C_SPACE)

/* whether a byte is an ASCII letter or a digit */
#define dt_is_alnum(c) (!((c) &0x80) && dt_char_is(c, DT_C_WORD))


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


/* Bytes per word in text without spaces between words: five letters of
   Chinese.  Words of other scripts are shorter on average. */
#define DT_WORD_BYTES 16

/* Returns the words of a text of len bytes, in which white space separates the
   given number of runs. */
static inline uint32_t
dt_text_words(uint32_t runs, uint64_t len)
{
    return runs < len / DT_WORD_BYTES ? (uint32_t) (len / DT_WORD_BYTES)
                                      : runs;
}


#endif /* DT_TAGS_H_INCLUDED_ */
