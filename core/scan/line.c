
/*
 * Copyright (C) The detemplate authors
 *
 * Texts between which there are only tags of inline elements, and comments,
 * are one line of a page.  Words of a line are a sentence, and go as a whole
 * or stay, with two exceptions: text that a separator tells apart ("Home |
 * Help"), and links beside links, which are a list.
 */


#include <stdlib.h>

#include "core/scan/line.h"


#define DT_LINE_REFERENCE 10 /* bytes of a character reference */

/* names of character references that are separators */
#define DT_LINE_AMP dt_letters('a', 'm', 'p', 0, 0, 0, 0, 0)
#define DT_LINE_LT dt_letters('l', 't', 0, 0, 0, 0, 0, 0)
#define DT_LINE_GT dt_letters('g', 't', 0, 0, 0, 0, 0, 0)
#define DT_LINE_NBSP dt_letters('n', 'b', 's', 'p', 0, 0, 0, 0)
#define DT_LINE_COPY dt_letters('c', 'o', 'p', 'y', 0, 0, 0, 0)
#define DT_LINE_LAQUO dt_letters('l', 'a', 'q', 'u', 'o', 0, 0, 0)
#define DT_LINE_RAQUO dt_letters('r', 'a', 'q', 'u', 'o', 0, 0, 0)
#define DT_LINE_LSAQUO dt_letters('l', 's', 'a', 'q', 'u', 'o', 0, 0)
#define DT_LINE_RSAQUO dt_letters('r', 's', 'a', 'q', 'u', 'o', 0, 0)
#define DT_LINE_MIDDOT dt_letters('m', 'i', 'd', 'd', 'o', 't', 0, 0)
#define DT_LINE_NDASH dt_letters('n', 'd', 'a', 's', 'h', 0, 0, 0)
#define DT_LINE_MDASH dt_letters('m', 'd', 'a', 's', 'h', 0, 0, 0)
#define DT_LINE_BULL dt_letters('b', 'u', 'l', 'l', 0, 0, 0, 0)
#define DT_LINE_LARR dt_letters('l', 'a', 'r', 'r', 0, 0, 0, 0)
#define DT_LINE_RARR dt_letters('r', 'a', 'r', 'r', 0, 0, 0, 0)


/* separators that are not in ASCII */
static int
dt_line_sign(unsigned long c)
{
    switch (c) {

    case 0xa0: /* a space that does not break */
    case 0xa9: /* copyright */
    case 0xab: /* quotation marks */
    case 0xb7: /* middle dot */
    case 0xbb:
    case 0x2013: /* dashes */
    case 0x2014:
    case 0x2022: /* bullet */
    case 0x2039:
    case 0x203a:
    case 0x2190: /* arrows */
    case 0x2192:
        return 1;
    }

    return 0;
}


/* separators of two or three bytes of UTF-8 */
static int
dt_line_utf8(const unsigned char *p, size_t len)
{
    unsigned long c;

    if (len == 2) {
        return p[0] == 0xc2 && dt_line_sign(p[1]);
    }

    c = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);

    return p[0] == 0xe2 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80
           && dt_line_sign(c);
}


/* whether the reference between '&' and ';' is a separator */
static int
dt_line_reference(const char *p, size_t len)
{
    char s[DT_LINE_REFERENCE + 1];
    unsigned long c;

    if (len == 0 || *p != '#') {
        switch (len <= 8 ? dt_load_tail(p, len) : 0) {

        case DT_LINE_AMP:
        case DT_LINE_LT:
        case DT_LINE_GT:
        case DT_LINE_NBSP:
        case DT_LINE_COPY:
        case DT_LINE_LAQUO:
        case DT_LINE_MIDDOT:
        case DT_LINE_RAQUO:
        case DT_LINE_NDASH:
        case DT_LINE_MDASH:
        case DT_LINE_BULL:
        case DT_LINE_LSAQUO:
        case DT_LINE_RSAQUO:
        case DT_LINE_LARR:
        case DT_LINE_RARR:
            return 1;
        }

        return 0;
    }

    memcpy(s, p, len);
    s[len] = '\0';

    c = (s[1] | 0x20) == 'x' ? strtoul(s + 2, NULL, 16)
                             : strtoul(s + 1, NULL, 10);

    return c < 0x80 ? dt_char_is(c, DT_C_SIGN) != 0 : dt_line_sign(c);
}


/* whether text, which is not empty, begins or ends with a separator */

static int
dt_line_sign_last(const char *p, const char *end)
{
    return (end - p >= 2 && dt_line_utf8((const void *) (end - 2), 2))
           || (end - p >= 3 && dt_line_utf8((const void *) (end - 3), 3));
}


/* the end of the character reference at p, or NULL */
static const char *
dt_line_semicolon(const char *p, const char *end)
{
    return memchr(p, ';',
                  end - p <= DT_LINE_REFERENCE ? (size_t) (end - p)
                                               : DT_LINE_REFERENCE + 1);
}


/* the bytes of the separator that text begins with; 0: it is none, or is one
   byte of ASCII */
static size_t
dt_line_sign_first(const char *p, const char *end)
{
    const char *q;

    if (*p != '&') {
        return end - p >= 2 && dt_line_utf8((const void *) p, 2)   ? 2
               : end - p >= 3 && dt_line_utf8((const void *) p, 3) ? 3
                                                                   : 0;
    }

    q = dt_line_semicolon(p, end);

    return q != NULL && dt_line_reference(p + 1, (size_t) (q - p - 1))
               ? (size_t) (q - p) + 1
               : 0;
}


static inline int
dt_line_begins(const char *p, const char *end)
{
    if (!dt_char_is(*p, DT_C_SIGN)) {
        return 0;
    }

    if (*p != '&') {
        return (unsigned char) *p < 0x80 || dt_line_sign_first(p, end) != 0;
    }

    /* most likely this is a word, whose reference lacks its semicolon */

    return dt_line_semicolon(p, end) != NULL
               ? dt_line_sign_first(p, end) != 0
               : !(end - p > 1 && dt_char_is(p[1], DT_C_ALPHA));
}


static inline int
dt_line_ends(const char *p, const char *end)
{
    const char *q;

    if (!dt_char_is(end[-1], DT_C_SIGN)) {
        return 0;
    }

    if (end[-1] != ';') {
        return (unsigned char) end[-1] < 0x80 || dt_line_sign_last(p, end);
    }

    for (q = end - 1; q > p && end - q <= DT_LINE_REFERENCE; q--) {
        if (q[-1] == '&') {
            return dt_line_reference(q, (size_t) (end - 1 - q));
        }
    }

    return 1;
}


/* whether text has a word; otherwise it is separators and punctuation */
static inline int
dt_line_words(const char *p, const char *end)
{
    size_t n;

    for (; p < end; p += n) {
        n = dt_char_is(*p, DT_C_SIGN) ? dt_line_sign_first(p, end) : 0;

        if (n == 0 && dt_char_is(*p, DT_C_WORD)) {
            return 1;
        }

        n = n ? n : 1;
    }

    return 0;
}


/* the link that a text is in, and one; 0: it is in none, or is code */
static uint32_t
dt_line_link(const dt_cut_t *c, const dt_record_t *r)
{
    uint32_t i, link;

    if (!(r->state & DT_RECORD_LINK)) {
        return 0;
    }

    for (i = r->parent; i != DT_RECORD_NONE && c->r[i].kind != DT_TAG_A;
         i = c->r[i].parent)
    {
        /* void */
    }

    link = i;

    while (i != DT_RECORD_NONE && !(c->r[i].flags & DT_TAG_SPECIAL)) {
        i = c->r[i].parent;
    }

    return i != DT_RECORD_NONE && c->r[i].name == DT_NAME_PRE ? 0 : link + 1;
}


int
dt_line_says(const dt_cut_t *c, const dt_record_t *r)
{
    return dt_line_words(c->page.data + r->start, c->page.data + r->end);
}


/* a text of a line; *open: it may go on in the sentence of the words before,
   *link: the link that these are in */
static void
dt_line_text(const dt_cut_t *c, dt_record_t *r, int *open, uint32_t *link)
{
    const char *p = c->page.data + r->start, *end = c->page.data + r->end;
    int says = dt_line_words(p, end);
    uint32_t own;

    if (dt_line_begins(p, end)) {
        *open = 0;
    }

    own = says ? dt_line_link(c, r) : 0;

    if (*open && (!says || own == 0 || *link == 0 || own == *link)) {
        r->state |= DT_RECORD_JOINED;
        own = *link ? own : 0; /* a link in a sentence counts as its words */
    }

    if (says) {
        *open = 1;
        *link = own;
    }

    if (dt_line_ends(p, end)) {
        *open = 0;
    }
}


/* joins the texts of the line of the i-th record; returns the record behind
   them */
static uint32_t
dt_line_of(const dt_cut_t *c, uint32_t i)
{
    int open = 0;
    uint32_t link = 0, line = c->r[i].line;

    while (i && c->r[i - 1].line == line) {
        i--;
    }

    for (; i < c->n && c->r[i].line == line; i++) {
        if (c->r[i].name == 0) {
            dt_line_text(c, &c->r[i], &open, &link);
        }
    }

    return i;
}


void
dt_line_join(const dt_cut_t *c)
{
    uint32_t i, n, end = 0;

    for (n = 0; n < c->nhot; n++) {
        i = c->hot[n];

        if (i >= end && c->r[i].name == 0 && (c->r[i].state & DT_RECORD_FOUND))
        {
            end = dt_line_of(c, i);
        }
    }
}


/* the sentence of the i-th record, a text that is cut: whether some of it
   stays; then all of it does.  *behind: the first record that is not in it */
static int
dt_line_mixed(const dt_cut_t *c, uint32_t i, uint32_t *behind)
{
    int mixed = 0;
    uint32_t k, first = i;

    while (c->r[first].name || (c->r[first].state & DT_RECORD_JOINED)) {
        first--;
    }

    for (k = first + 1;
         k < c->n && (c->r[k].name || (c->r[k].state & DT_RECORD_JOINED)); k++)
    {
        mixed |= c->r[k].name == 0
                 && ((c->r[k].state ^ c->r[first].state) & DT_RECORD_CUT);
    }

    for (; mixed && first < k; first++) {
        if (c->r[first].name == 0) {
            dt_record_own(c->r, first);
        }
    }

    *behind = k;

    return mixed;
}


int
dt_line_keep(const dt_cut_t *c)
{
    int changed = 0;
    uint32_t i, n, behind = 0;

    for (n = 0; n < c->nhot; n++) {
        i = c->hot[n];

        if (i >= behind && c->r[i].name == 0
            && (c->r[i].state & (DT_RECORD_CUT | DT_RECORD_OWN))
                   == DT_RECORD_CUT)
        {
            changed |= dt_line_mixed(c, i, &behind);
        }
    }

    return changed;
}
