
/*
 * Copyright (C) The detemplate authors
 *
 * How many words a page has, as the scanner would count them if all of its
 * text were template: so that what is cut can be said as a share.
 */


#ifndef DT_WORDS_H_INCLUDED_
#define DT_WORDS_H_INCLUDED_


#include "core/base/dt.h"


#define DT_WORDS_NAME 16 /* bytes of a tag's name; longer ones are unknown */


typedef struct {
    uint64_t words;
    uint64_t raw;  /* name of the element whose inside is no markup, or 0 */
    uint64_t nest; /* of the svg, math or template that is passed, or 0 */
    uint64_t name; /* of the tag, when it is known */
    unsigned nested;
    unsigned state;
    unsigned step; /* inside a tag: see dt_token_step(); dashes of a comment */
    unsigned len;  /* of the name so far */
    uint8_t word;  /* the last byte of text belongs to a word */
    uint8_t end;   /* the tag is an end tag */
    uint8_t last;  /* byte of the tag, before the one that comes */
    uint8_t bom;   /* bytes of a byte order mark seen, or 3 */
    char tag[DT_WORDS_NAME];
} dt_words_t;


/* Begins a page. */
void dt_words_init(dt_words_t *w);

/* Takes the next bytes of the page, which may be cut anywhere. */
void dt_words_add(dt_words_t *w, const char *p, size_t len);


#endif /* DT_WORDS_H_INCLUDED_ */
