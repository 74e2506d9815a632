
/*
 * Copyright (C) The detemplate authors
 *
 * The regions of a page: those inside of elements that may still be template,
 * and those that are final.
 */


#include <stdlib.h>

#include "core/scan/region.h"
#include "core/template/serve.h"


/*
 * the end of the regions joined to region i; also whether one of them, before
 * last, may not be cut on its own
 */
static uint32_t
dt_scan_group(const dt_scan_t *s, uint32_t i, uint32_t last, int *weak)
{
    *weak = 0;

    do {
        *weak |= i < last && s->regions[i].weak;
        i++;
    } while (i < s->nregions && s->regions[i].joined);

    return i;
}


/*
 * drops, of the regions first to last, those that may not be cut on their own
 */
uint32_t
dt_scan_settle(dt_scan_t *s, uint32_t first, uint32_t last)
{
    int weak = 0;
    uint32_t i, next, n;

    dt_memo_pieces(s);

    while (first && first < s->nregions && s->regions[first].joined) {
        first--;
    }

    for (n = i = first; i < s->nregions; i = next) {
        next = dt_scan_group(s, i, last, &weak);

        for (; i < next && !weak; i++) {
            s->regions[n++] = s->regions[i];
        }
    }

    if (weak && s->line == DT_LINE_GONE) {
        s->line = DT_LINE_STAYS;
    }

    i = s->nregions - n;
    s->nregions = n;

    if (s->line == DT_LINE_HEADING && dt_line_first(s) == n) {
        s->line = DT_LINE_NONE;
    }

    return i;
}


/* from here on, no element that is open can be template */
void
dt_scan_kill(dt_scan_t *s)
{
    if (s->alive) {
        (void) dt_scan_settle(s, s->stack[s->alive].mark, s->nregions);
        s->alive = 0;

        if (dt_line_waits(s)) {
            s->since = s->regions[dt_line_first(s)].start;
        }
    }
}


/* what is decided before an offset, and the regions there, without shapes */
static uint64_t
dt_scan_waits(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint32_t i = dt_line_first(s);

    if (s->alive) {
        off = s->stack[s->alive].start;
        i = i < s->stack[s->alive].mark ? i : s->stack[s->alive].mark;
    }

    while (i && i < s->nregions && s->regions[i].joined) {
        i--;
    }

    *n = i;

    return i < s->nregions && s->regions[i].start < off ? s->regions[i].start
                                                        : off;
}


void
dt_shape_behind(dt_scan_t *s, uint32_t words)
{
    uint32_t i, n = s->nregions;
    unsigned depth;

    if (words <= DT_SERVE_BEHIND && s->behind + words <= DT_SERVE_BEHIND) {
        s->behind += words;
        return;
    }

    while (n && s->regions[n - 1].start >= s->last - 1) {
        n--;
    }

    /* elements were looked at because of it, on none of the template's paths
     */

    for (depth = s->alive ? s->alive - 1 : s->depth;
         depth && s->stack[depth].start >= s->last - 1; depth--)
    {
        if (s->stack[depth].state & DT_OPEN_KNOWN && !s->shape
            && !dt_scan_leads(s, s->stack[depth].path))
        {
            s->stack[depth].state &= (uint8_t) ~DT_OPEN_KNOWN;
        }
    }

    for (i = n, s->last = 0; i < s->nregions; i++) {
        if (s->regions[i].last) {
            s->stay_words += s->regions[i].words;

        } else {
            s->regions[n++] = s->regions[i];
        }
    }

    for (depth = s->alive; depth && depth <= s->depth; depth++) {
        s->stack[depth].mark -= s->nregions - n;
    }

    s->nregions = n;
}


/* the outermost element that might be cut by its shape stays */
static void
dt_shape_drop(dt_scan_t *s)
{
    s->out_of_place++; /* not all words are counted */

    do {
        s->shape = s->shape < s->depth ? s->shape + 1 : 0;
    } while (s->shape && !(s->stack[s->shape].state & DT_OPEN_SHAPE));
}


/* adds a region while s->shape is set */
static void
dt_shape_room(dt_scan_t *s)
{
    while (s->shape && s->nregions > DT_SCAN_PENDING
           && s->regions[s->nregions - DT_SCAN_PENDING - 1].start
                  >= s->stack[s->shape].start)
    {
        dt_shape_drop(s);
    }
}


/* what is decided before an offset, with *n regions, while s->shape is set */
static uint64_t
dt_shape_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint64_t start = s->stack[s->shape].start;

    if (s->state == DT_SCAN_PASS) {
        return off;
    }

    while (*n && s->regions[*n - 1].start >= start) {
        (*n)--;
    }

    return start < off ? start : off;
}


/* the same, while what begins at s->last waits for the end of the page */
static uint64_t
dt_last_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    while (*n && s->regions[*n - 1].start >= s->last - 1) {
        (*n)--;
    }

    return s->last <= off ? s->last - 1 : off;
}


/*
 * The same, of what is cut by hand: a piece that is not decided as a whole is
 * not given out in part.
 */
static uint64_t
dt_force_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    uint32_t i;

    if (s->force && s->force_start < off) {
        off = s->force_start;
    }

    for (i = s->nforced;
         i && s->forced[i - 1].start + s->forced[i - 1].len > off; i--)
    {
        off = s->forced[i - 1].start < off ? s->forced[i - 1].start : off;
    }

    while (*n && s->regions[*n - 1].start >= off) {
        (*n)--;
    }

    return off;
}


/* the outermost element that might be template is not */
static void
dt_scan_kill_outer(dt_scan_t *s)
{
    unsigned i;
    uint32_t n;

    i = s->alive + 1;

    if (i > s->depth
        || (s->stack[i].mark < s->nregions
            && s->regions[s->stack[i].mark].joined))
    {
        dt_scan_kill(s);
        return;
    }

    s->alive = i;
    n = dt_scan_settle(s, s->stack[i - 1].mark, s->stack[i].mark);

    for (; n && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }

    s->since = dt_scan_waits(s, UINT64_MAX, &n);
}


uint64_t
dt_scan_decided(const dt_scan_t *s, uint64_t off, uint32_t *n)
{
    off = dt_scan_waits(s, off, n);

    off = s->shape ? dt_shape_decided(s, off, n) : off;
    off = s->last ? dt_last_decided(s, off, n) : off;

    return s->force || s->nforced ? dt_force_decided(s, off, n) : off;
}


/* whether so many regions were found that the outermost element is not cut as
   a whole */
static inline int
dt_region_full(const dt_scan_t *s)
{
    return s->alive
           && s->nregions - s->stack[s->alive].mark >= DT_SCAN_PENDING;
}


/* the same as dt_scan_region(), where one more is too many */
static __attribute__((noinline)) int
dt_region_room(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
               unsigned at, int weak, int joined)
{
    while (dt_region_full(s)) {
        dt_scan_kill_outer(s);
    }

    return dt_scan_region(s, start, end, words, at, weak, joined);
}


/* adds a region inside an element that may be template, or a final one */
int
dt_scan_region(dt_scan_t *s, uint64_t start, uint64_t end, uint32_t words,
               unsigned at, int weak, int joined)
{
    dt_region_t *r;

    if (dt_region_full(s)) {
        return dt_region_room(s, start, end, words, at, weak, joined);
    }

    if ((weak && !s->alive) || s->nregions == DT_SCAN_REGIONS
        || (joined && s->line == DT_LINE_STAYS))
    {
        return 0;
    }

    s->made++;
    s->cut_words |= words != 0;
    s->cut_end = end;
    r = &s->regions[s->nregions++];
    *r = (dt_region_t){ .start = start,
                        .len = (uint32_t) (end - start),
                        .words = (uint16_t) (words < 65535 ? words : 65535),
                        .at = (uint8_t) at,
                        .weak = weak != 0,
                        .joined = joined != 0 };

    if (s->shape) {
        dt_shape_room(s);
    }

    return 1;
}


void
dt_region_stay(dt_scan_t *s, uint32_t first)
{
    for (; first < s->nregions; first++) {
        s->stay_words += s->regions[first].words;
    }
}


void
dt_scan_taken(dt_scan_t *s, uint32_t n, uint32_t nforced)
{
    unsigned i;

    s->nforced -= nforced;
    memmove(s->forced, s->forced + nforced, s->nforced * sizeof(dt_forced_t));

    s->nregions -= n;
    memmove(s->regions, s->regions + n, s->nregions * sizeof(dt_region_t));

    for (i = s->alive; i && i <= s->depth; i++) {
        s->stack[i].mark -= n;
    }
}


/*
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


/* what is behind the last heading, which waits, stays */
static void
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
dt_scan_limit(dt_scan_t *s, uint64_t off)
{
    if (s->since < off) {
        s->npieces = 0; /* the bytes of these may have been given out */
    }

    while (s->alive && s->since < off) {
        dt_scan_kill_outer(s);
    }

    while (s->shape && s->stack[s->shape].start < off) {
        dt_shape_drop(s);
    }

    if (s->last && s->last <= off) {
        dt_shape_behind(s, UINT32_MAX);
    }

    if (s->force_start < off) {
        s->force = 0;
    }

    if (dt_line_waits(s) && s->since < off) {
        dt_line_keep(s);
    }
}
