
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
 */


#include <stdlib.h>

#include "core/scan/scan_i.h"


#define DT_LINE_REFERENCE 10 /* bytes of a character reference */


/* separators that are not in ASCII, or may be written as a reference */
static const struct {
    char name[8];
    char bytes[4];
} dt_line_signs[] = {
    { "amp", "&" },
    { "lt", "<" },
    { "gt", ">" },
    { "nbsp", "\xc2\xa0" },
    { "copy", "\xc2\xa9" },
    { "laquo", "\xc2\xab" },
    { "middot", "\xc2\xb7" },
    { "raquo", "\xc2\xbb" },
    { "ndash", "\xe2\x80\x93" },
    { "mdash", "\xe2\x80\x94" },
    { "bull", "\xe2\x80\xa2" },
    { "lsaquo", "\xe2\x80\xb9" },
    { "rsaquo", "\xe2\x80\xba" },
    { "larr", "\xe2\x86\x90" },
    { "rarr", "\xe2\x86\x92" },
};

#define DT_LINE_SIGNS (sizeof(dt_line_signs) / sizeof(dt_line_signs[0]))


/* whether a separator begins at p, or ends there with at_end */
static int
dt_line_sign(const char *p, size_t len, int at_end)
{
    size_t i, n;

    for (i = 0; i < DT_LINE_SIGNS; i++) {
        n = strlen(dt_line_signs[i].bytes);

        if (n <= len
            && memcmp(at_end ? p - n : p, dt_line_signs[i].bytes, n) == 0) {
            return 1;
        }
    }

    return 0;
}


/* whether the reference between '&' and ';' is a separator */
static int
dt_line_reference(const char *p, size_t len)
{
    char s[DT_LINE_REFERENCE + 1], utf8[4];
    size_t i;
    unsigned long c;

    memcpy(s, p, len);
    s[len] = '\0';

    if (s[0] != '#') {
        for (i = 0; i < DT_LINE_SIGNS; i++) {
            if (strcmp(s, dt_line_signs[i].name) == 0) {
                return 1;
            }
        }

        return 0;
    }

    c = (s[1] | 0x20) == 'x' ? strtoul(s + 2, NULL, 16)
                             : strtoul(s + 1, NULL, 10);

    if (c < 0x80) {
        return dt_char_is(c, DT_C_SIGN) != 0;
    }

    if (c < 0x800) {
        utf8[0] = (char) (0xc0 | c >> 6);
        utf8[1] = (char) (0x80 | (c & 0x3f));
        return dt_line_sign(utf8, 2, 0);
    }

    utf8[0] = (char) (0xe0 | (c >> 12 & 0xf));
    utf8[1] = (char) (0x80 | (c >> 6 & 0x3f));
    utf8[2] = (char) (0x80 | (c & 0x3f));

    return c < 0x10000 && dt_line_sign(utf8, 3, 0);
}


static inline int
dt_line_begins(const char *p, const char *end)
{
    const char *q;

    if (!dt_char_is(*p, DT_C_SIGN)) {
        return 0;
    }

    if (*p != '&') {
        return (unsigned char) *p < 0x80
               || dt_line_sign(p, (size_t) (end - p), 0);
    }

    for (q = p + 1; q < end && q - p <= DT_LINE_REFERENCE; q++) {
        if (*q == ';') {
            return dt_line_reference(p + 1, (size_t) (q - p - 1));
        }
    }

    /* a word, most likely, whose reference lacks its end */

    return !(end - p > 1 && dt_char_is(p[1], DT_C_ALPHA));
}


static inline int
dt_line_ends(const char *p, const char *end)
{
    const char *q;

    if (!dt_char_is(end[-1], DT_C_SIGN)) {
        return 0;
    }

    if (end[-1] != ';') {
        return (unsigned char) end[-1] < 0x80
               || dt_line_sign(end, (size_t) (end - p), 1);
    }

    for (q = end - 1; q > p && end - q <= DT_LINE_REFERENCE; q--) {
        if (q[-1] == '&') {
            return dt_line_reference(q, (size_t) (end - 1 - q));
        }
    }

    return 1;
}


/* whether text says anything; else it is punctuation */
static inline int
dt_line_words(const char *p, const char *end)
{
    while (p < end && !dt_char_is(*p, DT_C_WORD)) {
        p++;
    }

    return p < end;
}


/* the link that what comes is in, 0: none */
static uint32_t
dt_line_link(const dt_scan_t *s)
{
    return dt_near(&s->stack[s->depth], DT_TAG_A) ? s->links : 0;
}


/* whether words in a link, or in none, are in a sentence with the last ones */
static int
dt_line_joined(const dt_scan_t *s, uint32_t link)
{
    return s->line != DT_LINE_NONE
           && (link == 0 || s->line_link == 0 || link == s->line_link);
}


void
dt_line_left(dt_scan_t *s)
{
    dt_scan_kill(s);

    s->nregions = dt_line_first(s);
    s->line = DT_LINE_STAYS;
    s->line_link = 0;
}


void
dt_line_stays(dt_scan_t *s, const char *p, const char *end)
{
    uint32_t link;

    dt_scan_kill(s);

    if (dt_line_begins(p, end)) {
        s->line = DT_LINE_NONE;
    }

    if (dt_line_words(p, end)) {
        link = dt_line_link(s);

        if (dt_line_joined(s, link)) {
            dt_line_left(s);
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
    int says, joined;
    uint32_t link;

    if (dt_line_begins(p, end)) {
        s->line = DT_LINE_NONE;
    }

    says = dt_line_words(p, end);
    link = dt_line_link(s);
    joined = says ? dt_line_joined(s, link) : s->line != DT_LINE_NONE;

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

        s->line = DT_LINE_GONE;
        s->line_link = link;
    }

    if (dt_line_ends(p, end)) {
        s->line = DT_LINE_NONE;
    }
}
