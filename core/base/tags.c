
/*
 * Copyright (C) The detemplate authors
 *
 * A perfect hash: the factor in dt_tag_slot() was chosen so that no two names
 * share a slot.  When a new name makes two initialisers share one, the
 * compiler warns.  Then find another factor by trying random odd 64-bit
 * numbers: about one in 800 separates 115 names.
 */


#include "core/base/dt.h"
#include "core/base/tags.h"


/* clang-format off */

#define VOID      DT_TAG_VOID
#define RAW       DT_TAG_RAW
#define NEST      DT_TAG_NEST
#define SILENT    DT_TAG_SILENT
#define HEAD      DT_TAG_HEAD
#define CLOSES_P  DT_TAG_CLOSES_P
#define IMPLIED   DT_TAG_IMPLIED
#define SPECIAL   DT_TAG_SPECIAL
#define SCOPE     DT_TAG_SCOPE
#define TABLE     DT_TAG_TABLE
#define INTABLE   DT_TAG_INTABLE
#define LABEL     DT_TAG_LABEL
#define ASIDE     DT_TAG_ASIDE
#define MAIN      DT_TAG_MAIN
#define STYLE     DT_TAG_STYLE
#define RULE      DT_TAG_RULE

#define BYTE(kind)  dt_tag_byte(DT_TAG_##kind)
#define IF(what, bytes)  ((what) ? (bytes) : 0)
#define ROWS  (BYTE(CELL) | BYTE(ROW))
#define PARTS  (ROWS | BYTE(SECTION))

/* a number with 1 in the byte of a kind; options, ruby and headings share the
   last byte */
#define OWN(kind)                                                             \
    IF((kind) <= DT_TAG_HEADING,                                              \
       dt_tag_byte((kind) < DT_TAG_OPTION ? (kind) : DT_TAG_OPTION))

#define CLOSES(kind, flags)                                                   \
    (IF((flags) & CLOSES_P, BYTE(P))                                          \
     | IF((kind) == DT_TAG_ROW, ROWS) | IF((kind) == DT_TAG_SECTION, PARTS)   \
     | IF((kind) != DT_TAG_P, OWN(kind)))

/* the bytes of the kinds that tags inside of such an element can reach */
#define KEEP(name, kind, flags)                                               \
    ~(BYTE(OPTION) | OWN(kind) | IF((flags) & SCOPE, BYTE(P))                 \
      | IF(((flags) & SCOPE) && (name) != BUTTON && (name) != TABLE_NAME,     \
           BYTE(A))                                                           \
      | IF(((flags) & SPECIAL) && (kind) != DT_TAG_P && (name) != DIV         \
           && (name) != ADDRESS, BYTE(LI) | BYTE(D))                          \
      | IF(((flags) & SCOPE) && ((flags) & TABLE), PARTS))

/* the number of letters of a short name */
#define LEN(name)                                                             \
    ((name) >> 56 ? 8 : (name) >> 48 ? 7 : (name) >> 40 ? 6                   \
     : (name) >> 32 ? 5 : (name) >> 24 ? 4 : (name) >> 16 ? 3                 \
     : (name) >> 8 ? 2 : 1)

#define LONG(name, len, kind, flags, is)                                      \
    [dt_tag_slot(name)] = { (name), KEEP(name, DT_TAG_##kind, flags),         \
                            CLOSES(DT_TAG_##kind, flags),                     \
                            OWN(DT_TAG_##kind) & 0x0101010101010101u,         \
                            (flags), DT_TAG_##kind, (len), (is) }

#define T(name, kind, flags, is)  LONG(name, LEN(name), kind, flags, is)

#define K  dt_letters

#define DIV         K('d', 'i', 'v', 0, 0, 0, 0, 0)
#define BUTTON      K('b', 'u', 't', 't', 'o', 'n', 0, 0)
#define TABLE_NAME  K('t', 'a', 'b', 'l', 'e', 0, 0, 0)
#define ADDRESS     K('a', 'd', 'd', 'r', 'e', 's', 's', 0)
#define BLOCKQUOTE  (K('b', 'l', 'o', 'c', 'k', 'q', 'u', 'o')                \
                     ^ K('t', 'e', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)
#define FIGCAPTION  (K('f', 'i', 'g', 'c', 'a', 'p', 't', 'i')                \
                     ^ K('o', 'n', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)
#define PLAINTEXT   (K('p', 'l', 'a', 'i', 'n', 't', 'e', 'x')                \
                     ^ K('t', 0, 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)


/* name (and length), kind, flags, and further facts about its start tag */
const dt_tag_t dt_tags[1 << DT_TAGS_BITS] = {
    T(K('a', 0, 0, 0, 0, 0, 0, 0), A, 0, DT_IS_ANCHOR),
    T(K('a', 'b', 'b', 'r', 0, 0, 0, 0), INLINE, 0, 0),
    T(K('a', 'c', 'r', 'o', 'n', 'y', 'm', 0), INLINE, 0, 0),
    T(K('a', 'd', 'd', 'r', 'e', 's', 's', 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('a', 'p', 'p', 'l', 'e', 't', 0, 0),
      OTHER, SPECIAL | SCOPE, DT_IS_OBJECT),
    T(K('a', 'r', 'e', 'a', 0, 0, 0, 0), OTHER, VOID | SPECIAL, 0),
    T(K('a', 'r', 't', 'i', 'c', 'l', 'e', 0),
      OTHER, CLOSES_P | SPECIAL | MAIN, DT_IS_PART),
    T(K('a', 's', 'i', 'd', 'e', 0, 0, 0),
      OTHER, CLOSES_P | SPECIAL | ASIDE, 0),
    T(K('b', 0, 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('b', 'a', 's', 'e', 0, 0, 0, 0), BASE, VOID | HEAD | SPECIAL, 0),
    T(K('b', 'a', 's', 'e', 'f', 'o', 'n', 't'),
      OTHER, VOID | HEAD | SPECIAL, 0),
    T(K('b', 'd', 'i', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('b', 'd', 'o', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('b', 'g', 's', 'o', 'u', 'n', 'd', 0),
      OTHER, VOID | HEAD | SPECIAL, 0),
    T(K('b', 'i', 'g', 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    LONG(BLOCKQUOTE, 10,
         OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END | DT_IS_PART),
    T(K('b', 'o', 'd', 'y', 0, 0, 0, 0), BODY, SPECIAL | RULE, DT_IS_SVG_END),
    T(K('b', 'r', 0, 0, 0, 0, 0, 0), OTHER, VOID | SPECIAL, DT_IS_SVG_END),
    T(K('b', 'u', 't', 't', 'o', 'n', 0, 0), OTHER, SPECIAL | SCOPE | RULE, 0),
    T(K('c', 'a', 'p', 't', 'i', 'o', 'n', 0),
      OTHER, SPECIAL | SCOPE | INTABLE | LABEL, DT_IS_PART),
    T(K('c', 'e', 'n', 't', 'e', 'r', 0, 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('c', 'i', 't', 'e', 0, 0, 0, 0), INLINE, 0, 0),
    T(K('c', 'o', 'd', 'e', 0, 0, 0, 0),
      INLINE, 0, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('c', 'o', 'l', 0, 0, 0, 0, 0), OTHER, VOID | SPECIAL | INTABLE, 0),
    T(K('c', 'o', 'l', 'g', 'r', 'o', 'u', 'p'), OTHER, SPECIAL | INTABLE, 0),
    T(K('d', 'd', 0, 0, 0, 0, 0, 0),
      D, CLOSES_P | IMPLIED | SPECIAL, DT_IS_SVG_END | DT_IS_PART),
    T(K('d', 'e', 'l', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('d', 'e', 't', 'a', 'i', 'l', 's', 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_PART),
    T(K('d', 'f', 'n', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('d', 'i', 'a', 'l', 'o', 'g', 0, 0), OTHER, CLOSES_P, DT_IS_PART),
    T(K('d', 'i', 'r', 0, 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('d', 'i', 'v', 0, 0, 0, 0, 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('d', 'l', 0, 0, 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('d', 't', 0, 0, 0, 0, 0, 0),
      D, CLOSES_P | IMPLIED | SPECIAL | LABEL, DT_IS_SVG_END | DT_IS_PART),
    T(K('e', 'm', 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('e', 'm', 'b', 'e', 'd', 0, 0, 0),
      OTHER, VOID | SPECIAL, DT_IS_SVG_END),
    T(K('f', 'i', 'e', 'l', 'd', 's', 'e', 't'),
      OTHER, CLOSES_P | SPECIAL, DT_IS_PART),
    LONG(FIGCAPTION, 10, OTHER, CLOSES_P | SPECIAL | LABEL, DT_IS_PART),
    T(K('f', 'i', 'g', 'u', 'r', 'e', 0, 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_PART),
    T(K('f', 'o', 'n', 't', 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('f', 'o', 'o', 't', 'e', 'r', 0, 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('f', 'o', 'r', 'm', 0, 0, 0, 0), FORM, CLOSES_P | SPECIAL | RULE, 0),
    T(K('f', 'r', 'a', 'm', 'e', 0, 0, 0), OTHER, VOID | SPECIAL, 0),
    T(K('f', 'r', 'a', 'm', 'e', 's', 'e', 't'), STOP, SPECIAL | RULE, 0),
    T(K('h', '1', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', '2', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', '3', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', '4', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', '5', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', '6', 0, 0, 0, 0, 0, 0),
      HEADING, CLOSES_P | SPECIAL | LABEL, DT_IS_SVG_END),
    T(K('h', 'e', 'a', 'd', 0, 0, 0, 0),
      HEADTAG, HEAD | SPECIAL | RULE, DT_IS_SVG_END),
    T(K('h', 'e', 'a', 'd', 'e', 'r', 0, 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('h', 'g', 'r', 'o', 'u', 'p', 0, 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('h', 'r', 0, 0, 0, 0, 0, 0),
      OTHER, VOID | CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('h', 't', 'm', 'l', 0, 0, 0, 0), HTML, HEAD | SPECIAL | RULE, 0),
    T(K('i', 0, 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('i', 'f', 'r', 'a', 'm', 'e', 0, 0), OTHER, RAW | SPECIAL, DT_IS_RAW),
    T(K('i', 'm', 'a', 'g', 'e', 0, 0, 0), OTHER, 0, 0),
    T(K('i', 'm', 'g', 0, 0, 0, 0, 0), OTHER, VOID | SPECIAL, DT_IS_SVG_END),
    T(K('i', 'n', 'p', 'u', 't', 0, 0, 0),
      OTHER, VOID | SPECIAL | RULE, DT_IS_SELECT_END),
    T(K('i', 'n', 's', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('i', 's', 'i', 'n', 'd', 'e', 'x', 0), OTHER, 0, 0),
    T(K('k', 'b', 'd', 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('k', 'e', 'y', 'g', 'e', 'n', 0, 0),
      OTHER, VOID | SPECIAL | RULE, DT_IS_SELECT_END),
    T(K('l', 'a', 'b', 'e', 'l', 0, 0, 0), OTHER, LABEL, 0),
    T(K('l', 'e', 'g', 'e', 'n', 'd', 0, 0), OTHER, LABEL, 0),
    T(K('l', 'i', 0, 0, 0, 0, 0, 0),
      LI, CLOSES_P | IMPLIED | SPECIAL, DT_IS_SVG_END | DT_IS_PART),
    T(K('l', 'i', 'n', 'k', 0, 0, 0, 0), OTHER, VOID | HEAD | SPECIAL, 0),
    T(K('l', 'i', 's', 't', 'i', 'n', 'g', 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('m', 'a', 'i', 'n', 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL | MAIN, 0),
    T(K('m', 'a', 'r', 'k', 0, 0, 0, 0), INLINE, 0, 0),
    T(K('m', 'a', 'r', 'q', 'u', 'e', 'e', 0),
      OTHER, SPECIAL | SCOPE, DT_IS_OBJECT),
    T(K('m', 'a', 't', 'h', 0, 0, 0, 0), OTHER, NEST, 0),
    T(K('m', 'e', 'n', 'u', 0, 0, 0, 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('m', 'e', 'n', 'u', 'i', 't', 'e', 'm'), OTHER, 0, 0),
    T(K('m', 'e', 't', 'a', 0, 0, 0, 0),
      OTHER, VOID | HEAD | SPECIAL, DT_IS_SVG_END),
    T(K('n', 'a', 'v', 0, 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL | ASIDE, 0),
    T(K('n', 'o', 'b', 'r', 0, 0, 0, 0),
      INLINE, STYLE | RULE, DT_IS_ANCHOR | DT_IS_SVG_END),
    T(K('n', 'o', 'e', 'm', 'b', 'e', 'd', 0),
      OTHER, RAW | SPECIAL, DT_IS_RAW),
    T(K('n', 'o', 'f', 'r', 'a', 'm', 'e', 's'),
      OTHER, RAW | HEAD | SPECIAL, DT_IS_RAW),
    T(K('n', 'o', 's', 'c', 'r', 'i', 'p', 't'),
      OTHER, RAW | SILENT | HEAD | SPECIAL, 0),
    T(K('o', 'b', 'j', 'e', 'c', 't', 0, 0),
      OTHER, SPECIAL | SCOPE, DT_IS_OBJECT),
    T(K('o', 'l', 0, 0, 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('o', 'p', 't', 'g', 'r', 'o', 'u', 'p'), OPTION, IMPLIED, 0),
    T(K('o', 'p', 't', 'i', 'o', 'n', 0, 0), OPTION, IMPLIED, 0),
    T(K('p', 0, 0, 0, 0, 0, 0, 0),
      P, CLOSES_P | IMPLIED | SPECIAL, DT_IS_SVG_END),
    T(K('p', 'a', 'r', 'a', 'm', 0, 0, 0), OTHER, VOID | SPECIAL, 0),
    LONG(PLAINTEXT, 9, STOP, RAW | CLOSES_P | SPECIAL | RULE, DT_IS_RAW),
    T(K('p', 'r', 'e', 0, 0, 0, 0, 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('q', 0, 0, 0, 0, 0, 0, 0), INLINE, 0, 0),
    T(K('r', 'b', 0, 0, 0, 0, 0, 0), RUBY, IMPLIED, 0),
    T(K('r', 'p', 0, 0, 0, 0, 0, 0), RUBY, IMPLIED, 0),
    T(K('r', 't', 0, 0, 0, 0, 0, 0), RUBY, IMPLIED, 0),
    T(K('r', 't', 'c', 0, 0, 0, 0, 0), RUBY, IMPLIED, 0),
    T(K('r', 'u', 'b', 'y', 0, 0, 0, 0), OTHER, 0, DT_IS_SVG_END),
    T(K('s', 0, 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('s', 'a', 'm', 'p', 0, 0, 0, 0), INLINE, 0, 0),
    T(K('s', 'c', 'r', 'i', 'p', 't', 0, 0),
      OTHER, RAW | SILENT | HEAD | SPECIAL, DT_IS_RAW),
    T(K('s', 'e', 'a', 'r', 'c', 'h', 0, 0), OTHER, CLOSES_P | SPECIAL, 0),
    T(K('s', 'e', 'c', 't', 'i', 'o', 'n', 0),
      OTHER, CLOSES_P | SPECIAL, DT_IS_PART),
    T(K('s', 'e', 'l', 'e', 'c', 't', 0, 0),
      OTHER, SPECIAL | RULE, DT_IS_SELECT),
    T(K('s', 'm', 'a', 'l', 'l', 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('s', 'o', 'u', 'r', 'c', 'e', 0, 0), OTHER, VOID | SPECIAL, 0),
    T(K('s', 'p', 'a', 'n', 0, 0, 0, 0), INLINE, STYLE, DT_IS_SVG_END),
    T(K('s', 't', 'r', 'i', 'k', 'e', 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('s', 't', 'r', 'o', 'n', 'g', 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('s', 't', 'y', 'l', 'e', 0, 0, 0),
      OTHER, RAW | SILENT | HEAD | SPECIAL, DT_IS_RAW),
    T(K('s', 'u', 'b', 0, 0, 0, 0, 0), INLINE, 0, DT_IS_SVG_END),
    T(K('s', 'u', 'm', 'm', 'a', 'r', 'y', 0),
      OTHER, CLOSES_P | SPECIAL | LABEL, 0),
    T(K('s', 'u', 'p', 0, 0, 0, 0, 0), INLINE, 0, DT_IS_SVG_END),
    T(K('s', 'v', 'g', 0, 0, 0, 0, 0), OTHER, NEST, 0),
    T(K('t', 'a', 'b', 'l', 'e', 0, 0, 0),
      OTHER, CLOSES_P | SPECIAL | SCOPE | TABLE, DT_IS_SVG_END),
    T(K('t', 'b', 'o', 'd', 'y', 0, 0, 0),
      SECTION, IMPLIED | SPECIAL | TABLE | INTABLE, 0),
    T(K('t', 'd', 0, 0, 0, 0, 0, 0),
      CELL, IMPLIED | SPECIAL | SCOPE | INTABLE, DT_IS_PART),
    T(K('t', 'e', 'm', 'p', 'l', 'a', 't', 'e'),
      OTHER, NEST | SILENT | HEAD | SPECIAL, 0),
    T(K('t', 'e', 'x', 't', 'a', 'r', 'e', 'a'),
      OTHER, RAW | SPECIAL, DT_IS_RAW | DT_IS_SELECT_END),
    T(K('t', 'f', 'o', 'o', 't', 0, 0, 0),
      SECTION, IMPLIED | SPECIAL | TABLE | INTABLE, 0),
    T(K('t', 'h', 0, 0, 0, 0, 0, 0),
      CELL, IMPLIED | SPECIAL | SCOPE | INTABLE | LABEL, DT_IS_PART),
    T(K('t', 'h', 'e', 'a', 'd', 0, 0, 0),
      SECTION, IMPLIED | SPECIAL | TABLE | INTABLE, 0),
    T(K('t', 'i', 'm', 'e', 0, 0, 0, 0), INLINE, 0, 0),
    T(K('t', 'i', 't', 'l', 'e', 0, 0, 0),
      OTHER, RAW | HEAD | SPECIAL, DT_IS_RAW),
    T(K('t', 'r', 0, 0, 0, 0, 0, 0),
      ROW, IMPLIED | SPECIAL | TABLE | INTABLE, 0),
    T(K('t', 'r', 'a', 'c', 'k', 0, 0, 0), OTHER, VOID | SPECIAL, 0),
    T(K('t', 't', 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('u', 0, 0, 0, 0, 0, 0, 0),
      INLINE, STYLE, DT_IS_FORMAT | DT_IS_SVG_END),
    T(K('u', 'l', 0, 0, 0, 0, 0, 0), OTHER, CLOSES_P | SPECIAL, DT_IS_SVG_END),
    T(K('v', 'a', 'r', 0, 0, 0, 0, 0), INLINE, 0, DT_IS_SVG_END),
    T(K('w', 'b', 'r', 0, 0, 0, 0, 0), OTHER, VOID | SPECIAL, 0),
    T(K('x', 'm', 'p', 0, 0, 0, 0, 0),
      OTHER, RAW | CLOSES_P | SPECIAL, DT_IS_RAW)
};


const dt_tag_t dt_tag_unknown = {
    0, ~BYTE(OPTION), 0, 0, 0, DT_TAG_OTHER, 0, 0
};


const dt_tag_t dt_tag_shadow = {
    K('t', 'e', 'm', 'p', 'l', 'a', 't', 'e'),
    KEEP(0, DT_TAG_OTHER, SPECIAL | SCOPE), 0, 0, SPECIAL | SCOPE,
    DT_TAG_OTHER, 8, DT_IS_OBJECT
};


const dt_tag_t dt_tag_noscript = {
    K('n', 'o', 's', 'c', 'r', 'i', 'p', 't'),
    KEEP(0, DT_TAG_INLINE, SPECIAL), 0, 0, SPECIAL, DT_TAG_INLINE, 8, 0
};

/* clang-format on */


const uint64_t dt_name_masks[9] = { 0x0,
                                    0xff,
                                    0xffff,
                                    0xffffff,
                                    0xffffffff,
                                    0xffffffffff,
                                    0xffffffffffff,
                                    0xffffffffffffff,
                                    0xffffffffffffffff };


/* returns the first n bytes, n from 1 to 8, in lower case */
static uint64_t
dt_name_part(const char *p, size_t n)
{
    return dt_load_tail(p, n) | (0x2020202020202020u & dt_name_masks[n]);
}


uint64_t
dt_name_fold(const char *p, const char *end)
{
    uint64_t k, part;
    size_t n, len = (size_t) (end - p);

    if (len == 0) {
        return 0;
    }

    n = len < 8 ? len : 8;
    k = dt_name_part(p, n);

    for (p += n, len -= n; len; p += n, len -= n) {
        n = len < 8 ? len : 8;
        part = dt_name_part(p, n);
        k ^= part * DT_NAME_FOLD;

        if (len > 8) {
            k = dt_mix(k, part);
        }
    }

    return k;
}


const dt_tag_t *
dt_tag_named(const char *p, size_t len)
{
    const dt_tag_t *tag = dt_tag_find(dt_name_fold(p, p + len));

    if (len == 0 || len != tag->len) {
        return &dt_tag_unknown;
    }

    for (size_t i = 0; i < len; i++) {
        if (!dt_is_alnum(p[i])) {
            return &dt_tag_unknown;
        }
    }

    return tag;
}


/* clang-format off */

#define SPACE (DT_C_SPACE | DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END)
#define ALPHA (DT_C_ALPHA | DT_C_MARKUP | DT_C_WORD)
#define SIGN DT_C_SIGN
#define WORD DT_C_WORD

const uint8_t dt_chars[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE, ['\r'] = SPACE,
    [' '] = SPACE,
    ['/'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_MARKUP | SIGN,
    ['!'] = DT_C_MARKUP, ['?'] = DT_C_MARKUP,
    ['>'] = DT_C_NAME_END | DT_C_ATTR_END | DT_C_VALUE_END | SIGN,
    ['='] = DT_C_ATTR_END,
    ['|'] = SIGN, ['['] = SIGN, [']'] = SIGN, ['<'] = SIGN, ['*'] = SIGN,
    ['#'] = SIGN, ['&'] = SIGN, [';'] = SIGN,
    ['0'] = WORD, ['1'] = WORD, ['2'] = WORD, ['3'] = WORD, ['4'] = WORD,
    ['5'] = WORD, ['6'] = WORD, ['7'] = WORD, ['8'] = WORD, ['9'] = WORD,
    ['A'] = ALPHA, ['B'] = ALPHA, ['C'] = ALPHA, ['D'] = ALPHA, ['E'] = ALPHA,
    ['F'] = ALPHA, ['G'] = ALPHA, ['H'] = ALPHA, ['I'] = ALPHA, ['J'] = ALPHA,
    ['K'] = ALPHA, ['L'] = ALPHA, ['M'] = ALPHA, ['N'] = ALPHA, ['O'] = ALPHA,
    ['P'] = ALPHA, ['Q'] = ALPHA, ['R'] = ALPHA, ['S'] = ALPHA, ['T'] = ALPHA,
    ['U'] = ALPHA, ['V'] = ALPHA, ['W'] = ALPHA, ['X'] = ALPHA, ['Y'] = ALPHA,
    ['Z'] = ALPHA, ['a'] = ALPHA, ['b'] = ALPHA, ['c'] = ALPHA, ['d'] = ALPHA,
    ['e'] = ALPHA, ['f'] = ALPHA, ['g'] = ALPHA, ['h'] = ALPHA, ['i'] = ALPHA,
    ['j'] = ALPHA, ['k'] = ALPHA, ['l'] = ALPHA, ['m'] = ALPHA, ['n'] = ALPHA,
    ['o'] = ALPHA, ['p'] = ALPHA, ['q'] = ALPHA, ['r'] = ALPHA, ['s'] = ALPHA,
    ['t'] = ALPHA, ['u'] = ALPHA, ['v'] = ALPHA, ['w'] = ALPHA, ['x'] = ALPHA,
    ['y'] = ALPHA, ['z'] = ALPHA,
    [0x80 ... 0xff] = WORD | SIGN,
};

/* clang-format on */
