
/*
 * Copyright (C) The detemplate authors
 *
 * Texts between which there are only tags of inline elements, and comments,
 * are one line of a page.  Words of a line are a sentence, and go as a whole
 * or stay, with two exceptions: what a separator tells apart ("Home | Help"),
 * and links beside links, which are a list.
 *
 * So a text that is template waits for those that it is joined to.  Its region
 * is the last one, or is in the last element that is one, until the line ends;
 * regions that are joined follow one another.
 *
 * A heading ("Description") belongs to what stands below it, in the element
 * that it is in: when it is template, it waits for the next words there.  If
 * they stay, so does it, but for links, which are a list of each page's own
 * ("Contents").  What says nothing, between them, goes with it or stays. Other
 * labels (th, dt, caption, legend, summary, ...) wait in the same way, for
 * links as well, and labels that follow one another go together or stay.  So
 * does a line that ends in a colon, whatever it is in.
 */


#include <stdlib.h>

#include "core/scan/region.h"


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


/* whether text ends in a colon, in ASCII or of full width */
static inline int
dt_line_is_colon(const char *p, const char *end)
{
    return end[-1] == ':'
           || (end - p >= 3 && memcmp(end - 3, "\xef\xbc\x9a", 3) == 0);
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


/* the link that the next text is in; 0: it is in none, or is code */
static uint32_t
dt_line_link(const dt_scan_t *s)
{
    unsigned n = dt_near(&s->stack[s->depth], DT_TAG_A);

    if (n == 0) {
        return 0;
    }

    while (n && !(s->stack[n].flags & DT_TAG_SPECIAL)) {
        n--;
    }

    return s->stack[n].name == DT_NAME_PRE ? 0 : s->links;
}


/*
 * whether the words of a link, or of none, continue the sentence of the last
 * words
 */
static int
dt_line_joined(const dt_scan_t *s, uint32_t link)
{
    return s->line != DT_LINE_NONE
           && (link == 0 || s->line_link == 0 || link == s->line_link);
}


/* the label or block that the words that come next are in */
static const dt_open_t *
dt_line_block(const dt_scan_t *s)
{
    unsigned n = s->depth;

    while (n && !(s->stack[n].flags & (DT_TAG_LABEL | DT_TAG_SPECIAL))) {
        n--;
    }

    return &s->stack[n];
}


/* whether they are those of a label */
static int
dt_line_is_label(const dt_scan_t *s)
{
    const dt_open_t *e = dt_line_block(s);

    return (e->flags & DT_TAG_LABEL)
           && dt_tag_find(e->name)->kind != DT_TAG_HEADING;
}


/* or of one of the values of a label, which all go with it or stay */
static int
dt_line_is_value(const dt_scan_t *s)
{
    const dt_open_t *e = dt_line_block(s);

    return !(e->flags & DT_TAG_LABEL)
           && (e->name == DT_NAME_TD || e->name == DT_NAME_DD);
}


void
dt_line_keep(dt_scan_t *s)
{
    dt_scan_kill(s);

    s->nregions = dt_line_first(s);
    s->line = DT_LINE_STAYS;
    s->line_link = 0;
}


void
dt_line_heading(dt_scan_t *s, const dt_open_t *e)
{
    if (s->nregions && s->regions[s->nregions - 1].start >= e->start) {
        s->line = DT_LINE_GONE;
        s->heading = s->regions[dt_line_first(s)].start;
        s->line = DT_LINE_HEADING;
        s->label = dt_tag_find(e->name)->kind != DT_TAG_HEADING;
        s->headed = s->depth;

        /* the heads of a table are for all of its rows */

        while (s->headed && (e->flags & DT_TAG_INTABLE)
               && e->name != DT_NAME_TD
               && (s->stack[s->headed].flags & DT_TAG_INTABLE))
        {
            s->headed--;
        }
    }
}


void
dt_line_introduces(dt_scan_t *s, unsigned depth)
{
    s->heading = s->regions[dt_line_first(s)].start;
    s->line = DT_LINE_HEADING;
    s->label = dt_line_is_label(s) ? DT_LABEL_BEGUN : DT_LABEL_COLON;
    s->headed = depth;
}


const dt_open_t *
dt_line_label(const dt_scan_t *s)
{
    const dt_open_t *e = dt_line_block(s);

    return dt_line_is_label(s) && !(s->line_link && e->name == DT_NAME_TD)
               ? e
               : NULL;
}


void
dt_line_head(dt_scan_t *s)
{
    dt_region_stay(s, dt_line_first(s));
    dt_line_keep(s);
    s->line = DT_LINE_NONE;
}


void
dt_line_bare(dt_scan_t *s, const dt_open_t *label)
{
    if (label != NULL) {
        dt_line_heading(s, label);
    }

    if (s->line == DT_LINE_HEADING && s->label) {
        dt_line_head(s);
    }
}


void
dt_line_stays(dt_scan_t *s, const char *p, const char *end)
{
    uint32_t link;

    dt_scan_kill(s);

    if (s->line == DT_LINE_HEADING) {
        if (!dt_line_words(p, end)) {
            return;
        }

        if (s->label || !dt_near(&s->stack[s->depth], DT_TAG_A)) {
            dt_line_head(s);
        }

        s->line = DT_LINE_NONE;
    }

    if (dt_line_begins(p, end)) {
        s->line = DT_LINE_NONE;
    }

    if (dt_line_words(p, end)) {
        link = dt_line_link(s);

        if (dt_line_joined(s, link)) {
            /* a link inside a sentence counts as its words */
            link = s->line_link ? link : 0;
            dt_line_keep(s);
        }

        s->line = DT_LINE_STAYS;
        s->line_link = link;
    }

    if (dt_line_ends(p, end)) {
        s->line = DT_LINE_NONE;
    }
}


void
dt_line_goes(dt_scan_t *s, const char *p, const char *end, uint64_t start,
             uint32_t words, int weak)
{
    int says, joined, labels, value;
    uint32_t link;

    says = dt_line_words(p, end);
    weak = weak || (!says && s->line == DT_LINE_STAYS);
    labels = says && s->line == DT_LINE_HEADING && s->label == DT_LABEL_BEGUN
             && dt_line_is_label(s);
    value = says && s->line == DT_LINE_HEADING && s->label
            && s->label != DT_LABEL_COLON && dt_line_is_value(s);

    if (s->line == DT_LINE_HEADING ? says : dt_line_begins(p, end)) {
        s->line = DT_LINE_NONE;
    }

    link = dt_line_link(s);
    joined = says ? dt_line_joined(s, link)
                  : s->line == DT_LINE_GONE || s->line == DT_LINE_STAYS;
    joined = joined || labels || value;

    if ((joined && s->line == DT_LINE_STAYS)
        || !dt_scan_region(s, start, start + (uint64_t) (end - p), words, 0,
                           weak, joined))
    {
        dt_line_stays(s, p, end);
        return;
    }

    if (says) {
        if (s->line != DT_LINE_GONE && !s->alive) {
            s->since = start;
        }

        s->said = start;
        s->line = value ? DT_LINE_HEADING : DT_LINE_GONE;
        s->label = value ? DT_LABEL_VALUE : s->label;
        s->line_link = link;
    }

    s->introduces = (uint8_t) dt_line_is_colon(p, end);

    if (dt_line_ends(p, end) && !dt_line_is_label(s)) {
        dt_line_break(s);
    }
}


void
dt_line_limit(dt_scan_t *s, uint64_t off)
{
    dt_region_limit(s, off);

    if (dt_line_waits(s) && s->since < off) {
        dt_line_keep(s);
    }
}
