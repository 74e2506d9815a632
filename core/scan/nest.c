
/*
 * Copyright (C) The detemplate authors
 *
 * The insides of svg, math, template and noscript.  Only their end matters: no
 * part of them is ever cut.  Of the elements open in them, this file notes
 * only those that decide about the end, as the standard has it (13.2.6.4.4,
 * 13.2.6.5):
 *
 *     template: other templates, and svg and math; its own end tag ends it,
 *               even if others are open
 *     noscript: svg, math and formatting; the next end tag of that name ends
 *               it.  For a browser that executes scripts it is text up to
 *               there.  So where the end tag stands in a comment, an attribute
 *               or raw text, parsers differ, and the rest of the page passes.
 *     svg, math: all elements; some of them contain HTML ("points"), and most
 *               tags of HTML end all that is not in such a point
 *
 * A noscript that has words, and that all parsers leave at the same end tag,
 * is no nest but an element: dt_nest_is_plain().  A page that is read for its
 * text only is read as by a parser that executes no scripts.
 */


#include <strings.h>

#include "core/scan/nest.h"
#include "core/scan/tree.h"


#define DT_NOSCRIPT "</noscript"

/* the elements open in the nest, and it itself: bits of s->nest.inside; none:
   an element of HTML */
enum {
    DT_IN_SVG = 1,
    DT_IN_MATH = 2,
    DT_IN_POINT = 4, /* contains HTML, */
    DT_IN_TEXT = 8,  /* but for mglyph and malignmark */
    DT_IN_TEMPLATE = 16
};

#define DT_IN_FOREIGN (DT_IN_SVG | DT_IN_MATH)
#define DT_IN_POINTS (DT_IN_POINT | DT_IN_TEXT)

#define DT_NEST_FOREIGN_OBJECT                                                \
    (dt_letters('f', 'o', 'r', 'e', 'i', 'g', 'n', 'o')                       \
     ^ dt_letters('b', 'j', 'e', 'c', 't', 0, 0, 0) * DT_NAME_FOLD)
#define DT_NEST_ANNOTATION                                                    \
    (dt_letters('a', 'n', 'n', 'o', 't', 'a', 't', 'i')                       \
     ^ dt_letters('o', 'n', '-', 'x', 'm', 'l', 0, 0) * DT_NAME_FOLD)
#define DT_NEST_MALIGNMARK                                                    \
    (dt_letters('m', 'a', 'l', 'i', 'g', 'n', 'm', 'a')                       \
     ^ dt_letters('r', 'k', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD)


static unsigned
dt_nest_top(const dt_scan_t *s)
{
    return s->nest.inside[s->nest.n - 1];
}


static void
dt_nest_push(dt_scan_t *s, uint64_t name, unsigned in)
{
    if (s->nest.n == DT_SCAN_INNER) {
        dt_scan_give_up(s);
        return;
    }

    if (s->nest.n == 0) {
        s->nest.balance = 0;
        s->nest.formatted = 0;
    }

    s->nest.inner[s->nest.n] = name;
    s->nest.inside[s->nest.n++] = (uint8_t) in;
}


/* closes the elements open in the nest down to n, and with 0 it itself */
static void
dt_nest_pop(dt_scan_t *s, unsigned n)
{
    s->nest.n = n;

    if (n == 0) {
        s->nest.name = 0;
    }
}


void
dt_nest_enter(dt_scan_t *s, uint64_t name)
{
    s->nest.name = name;
    s->nest.start = dt_scan_off(s, s->token.end);
    s->nest.n = 0;
    dt_nest_push(s, name,
                 name == DT_NAME_SVG        ? DT_IN_SVG
                 : name == DT_NAME_MATH     ? DT_IN_MATH
                 : name == DT_NAME_TEMPLATE ? DT_IN_TEMPLATE
                                            : 0);
}


void
dt_nest_leave(dt_scan_t *s)
{
    dt_nest_pop(s, 0);
}


int
dt_nest_is_foreign(const dt_scan_t *s)
{
    return s->nest.name && (dt_nest_top(s) & DT_IN_FOREIGN);
}


int
dt_nest_is_read(const dt_scan_t *s)
{
    unsigned n;

    for (n = 0; n < s->nest.n; n++) {
        if (s->nest.inside[n] & (DT_IN_SVG | DT_IN_TEMPLATE)) {
            return 0;
        }
    }

    return 1;
}


const char *
dt_nest_find_end(const char *p, const char *end)
{
    size_t name = sizeof(DT_NOSCRIPT) - 1;

    for (; (p = dt_find(p, end, '<')) < end; p++) {
        if ((size_t) (end - p) >= name
            && strncasecmp(p, DT_NOSCRIPT, name) == 0) {
            return p;
        }
    }

    return end;
}


/* whether the tag has an attribute of a name, and with one of these values if
   there are any */
static int
dt_nest_has(const dt_scan_t *s, const char *name, const char *const *values)
{
    size_t vlen;
    dt_attr_t a;

    if (!dt_token_find(&s->token, name, &a)) {
        return 0;
    }

    vlen = (size_t) (a.end - a.value);

    for (; values && *values; values++) {
        if (strlen(*values) == vlen
            && strncasecmp(a.value, *values, vlen) == 0) {
            return 1;
        }
    }

    return values == NULL;
}


static int
dt_nest_is_host(uint64_t name)
{
    switch (name) {

    case DT_NAME_DIV:
    case dt_letters('s', 'p', 'a', 'n', 0, 0, 0, 0):
    case dt_letters('h', 'e', 'a', 'd', 'e', 'r', 0, 0):
    case dt_letters('f', 'o', 'o', 't', 'e', 'r', 0, 0):
    case dt_letters('s', 'e', 'c', 't', 'i', 'o', 'n', 0):
    case dt_letters('b', 'l', 'o', 'c', 'k', 'q', 'u', 'o')
        ^ dt_letters('t', 'e', 0, 0, 0, 0, 0, 0) * DT_NAME_FOLD:
        return 1;
    }

    return 0;
}


int
dt_nest_is_shadow(const dt_scan_t *s)
{
    static const char *const modes[] = { "open", "closed", NULL };
    const dt_open_t *host = &s->stack[s->depth];
    const dt_tag_t *tag = dt_tag_find(host->name);

    /* headings, blocks without a meaning for their children, and elements that
       HTML does not know */

    return s->in_body
           && (s->depth == 0 || tag == &dt_tag_unknown
               || tag->kind == DT_TAG_HEADING || tag->kind == DT_TAG_P
               || tag->kind == DT_TAG_BODY
               || (tag->flags & (DT_TAG_MAIN | DT_TAG_ASIDE))
               || dt_nest_is_host(tag->name))
           && dt_nest_has(s, "shadowrootmode", modes);
}


/* the bits of an element of svg or math that begins */
static unsigned
dt_nest_kind(const dt_scan_t *s, unsigned in)
{
    static const char *const html[] = { "text/html", "application/xhtml+xml",
                                        NULL };

    switch (s->token.name) {

    case dt_letters('d', 'e', 's', 'c', 0, 0, 0, 0):
    case dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0):
    case DT_NEST_FOREIGN_OBJECT:
        return in == DT_IN_SVG ? in | DT_IN_POINT : in;

    case dt_letters('m', 'i', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'o', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 'n', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 's', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', 't', 'e', 'x', 't', 0, 0, 0):
        return in == DT_IN_MATH ? in | DT_IN_TEXT : in;

    case DT_NEST_ANNOTATION:
        return in == DT_IN_MATH && dt_nest_has(s, "encoding", html)
                   ? in | DT_IN_POINT
                   : in;
    }

    return in;
}


/* whether a start tag in svg or math is read by the rules of HTML */
static int
dt_nest_reads_html(const dt_scan_t *s, unsigned in)
{
    uint64_t name = s->token.name;

    if (!(in & DT_IN_FOREIGN) || (in & DT_IN_POINT)) {
        return 1;
    }

    if (in & DT_IN_TEXT) {
        return name != dt_letters('m', 'g', 'l', 'y', 'p', 'h', 0, 0)
               && name != DT_NEST_MALIGNMARK;
    }

    return name == DT_NAME_SVG
           && s->nest.inner[s->nest.n - 1] == DT_NEST_ANNOTATION;
}


/* whether a start tag ends svg and math around it */
static int
dt_nest_breaks(const dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->name == DT_NAME_FONT) {
        return dt_nest_has(s, "color", NULL) || dt_nest_has(s, "face", NULL)
               || dt_nest_has(s, "size", NULL);
    }

    return (tag->is & DT_IS_SVG_END) != 0;
}


/* ends svg and math up to a point or an element of HTML */
static void
dt_nest_break(dt_scan_t *s)
{
    unsigned n = s->nest.n;

    while (n && (s->nest.inside[n - 1] & DT_IN_FOREIGN)
           && !(s->nest.inside[n - 1] & DT_IN_POINTS))
    {
        n--;
    }

    dt_nest_pop(s, n);
}


/*
 * Whether a parser sets a marker at the start tag, so that it finds no
 * formatting from before; the marker goes with the element's own end tag.
 */
static int
dt_nest_marks(const dt_tag_t *tag)
{
    return (tag->is & DT_IS_OBJECT)
           || ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
               && !(tag->flags & DT_TAG_VOID));
}


/* whether there is formatting that a marker may keep from being found: before
   the nest, or in it */
static int
dt_nest_has_format(const dt_scan_t *s)
{
    unsigned n;

    for (n = s->depth; n; n--) {
        if (dt_tag_find(s->stack[n].name)->is & (DT_IS_FORMAT | DT_IS_ANCHOR))
        {
            return 1;
        }
    }

    return s->left.what || s->nest.formatted;
}


/* elements of HTML from n on end without end tags: of those that are
   formatting, a parser opens more behind the nest */
static void
dt_nest_unclosed(dt_scan_t *s, unsigned n)
{
    for (/* void */; n < s->nest.n; n++) {
        if (s->nest.inside[n] == 0) {
            dt_scan_unclosed(s, dt_tag_find(s->nest.inner[n]));
        }
    }
}


/* the end tag of a template, or of noscript: markers, or formatting, that are
   left in it go on behind it */
static void
dt_nest_ended(dt_scan_t *s)
{
    if (s->nest.balance && dt_nest_has_format(s)) {
        dt_scan_give_up(s);
    }

    dt_nest_unclosed(s, 1);
    dt_nest_pop(s, 0);
}


/* where the first of the elements of HTML is that are innermost */
static unsigned
dt_nest_html(const dt_scan_t *s)
{
    unsigned n = s->nest.n;

    while (n && s->nest.inside[n - 1] == 0) {
        n--;
    }

    return n;
}


/* whether the inside is that of a point, so that elements of HTML are noted;
   else they are in a template, or in noscript */
static int
dt_nest_in_point(const dt_scan_t *s)
{
    unsigned n = dt_nest_html(s);

    return n && (s->nest.inside[n - 1] & DT_IN_POINTS);
}


/* a start tag in a point ends elements that may end without an end tag */
static void
dt_nest_implied(dt_scan_t *s, const dt_tag_t *tag)
{
    unsigned n, low = dt_nest_html(s);
    const dt_tag_t *open;

    for (n = s->nest.n; n > low; n--) {
        open = dt_tag_find(s->nest.inner[n - 1]);

        if ((open->kind == DT_TAG_P && (tag->flags & DT_TAG_CLOSES_P))
            || ((open->flags & DT_TAG_IMPLIED) && open->kind == tag->kind))
        {
            dt_nest_unclosed(s, n);
            s->nest.n = n - 1;
            return;
        }

        if (open->flags & DT_TAG_SCOPE) {
            return;
        }
    }
}


/* a start tag that is read by the rules of HTML */
static void
dt_nest_open(dt_scan_t *s, const dt_tag_t *tag)
{
    uint64_t name = s->token.name;

    if (name == DT_NAME_SVG || name == DT_NAME_MATH) {
        if (!dt_token_closed(&s->token)) {
            dt_nest_push(s, name,
                         name == DT_NAME_SVG ? DT_IN_SVG : DT_IN_MATH);
        }

    } else if (name == DT_NAME_TEMPLATE) {
        dt_nest_push(s, name, DT_IN_TEMPLATE);

    } else if (tag->kind == DT_TAG_STOP) {
        dt_scan_stop(s, tag);

    } else if ((tag->flags & DT_TAG_RAW)
               && (name != DT_NAME_NOSCRIPT
                   || (s->records != NULL
                       && s->nest.name != DT_NAME_NOSCRIPT)))
    {
        dt_scan_turn(s, DT_SCAN_RAW, name);

    } else if (tag->flags & DT_TAG_VOID) {
        return;

    } else if (dt_nest_marks(tag)) {
        s->nest.balance += name;

        if (dt_nest_in_point(s)) {
            dt_nest_implied(s, tag);
            dt_nest_push(s, name, 0);
        }

    } else if (dt_nest_in_point(s)) {
        dt_nest_implied(s, tag);
        dt_nest_push(s, name, 0);

    } else if (s->nest.name == DT_NAME_NOSCRIPT && dt_nest_top(s) == 0
               && (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR)))
    {
        dt_nest_push(s, name, 0);
    }
}


/* whether a tag in a noscript is there for each parser: one that executes
   scripts sees the end of noscript in an attribute as well */
static int
dt_nest_is_seen(const dt_scan_t *s)
{
    const dt_token_t *t = &s->token;

    return dt_nest_find_end(t->start + 1, t->end) == t->end;
}


static int
dt_nest_is_whole(const dt_scan_t *s)
{
    return s->nest.name != DT_NAME_NOSCRIPT || dt_nest_is_seen(s);
}


int
dt_scan_nest_start(dt_scan_t *s, const dt_tag_t *tag)
{
    unsigned in;

    s->nest.formatted |= (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR)) != 0;

    if (!dt_nest_is_whole(s)) {
        dt_scan_give_up(s);

        if (s->state == DT_SCAN_PASS) {
            return 0;
        }
    }

    in = dt_nest_top(s);

    if (dt_nest_reads_html(s, in)) {
        dt_nest_open(s, tag);
        return 0;
    }

    if (!dt_nest_breaks(s, tag)) {
        if (!dt_token_closed(&s->token)) {
            in &= DT_IN_FOREIGN;
            dt_nest_push(s, s->token.name, dt_nest_kind(s, in));
        }

        return 0;
    }

    dt_nest_break(s);

    if (s->nest.name) {
        dt_nest_open(s, tag);
        return 0;
    }

    dt_scan_give_up(s);

    if (s->state == DT_SCAN_PASS) {
        return 0;
    }

    if (tag->kind < DT_TAG_A || (tag->flags & DT_TAG_INTABLE)) {
        dt_scan_lose(s, s->depth);
    }

    return 1;
}


/* an end tag that is read by the rules of HTML, in a point, in a template or
   in noscript: whether it ends something there */
static int
dt_nest_close(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n, low = dt_nest_html(s);

    s->nest.balance -= dt_nest_marks(tag) ? name : 0;

    for (n = s->nest.n; n > low; n--) {
        if (s->nest.inner[n - 1] == name && !(low == 0 && n == 1)) {
            dt_nest_unclosed(s, n);
            s->nest.n = n - 1;
            return 1;
        }

        if ((dt_tag_find(s->nest.inner[n - 1])->flags & DT_TAG_SPECIAL)
            && !(tag->flags & DT_TAG_SPECIAL))
        {
            break;
        }
    }

    return 0;
}


/*
 * An end tag in svg or math, which ends the innermost of its name; DT_NEST_OUT
 * where all that is open is none of HTML: those around it decide.
 */
static dt_nest_end_t
dt_nest_foreign_end(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n;

    if (tag->kind == DT_TAG_P || name == DT_NAME_BR) {
        dt_nest_break(s);
        return s->nest.name ? DT_NEST_IN : DT_NEST_OUT;
    }

    for (n = s->nest.n; n && (s->nest.inside[n - 1] & DT_IN_FOREIGN); n--) {
        if (s->nest.inner[n - 1] == name) {
            dt_nest_pop(s, n - 1);
            return n > 1 ? DT_NEST_IN : DT_NEST_ENDED;
        }
    }

    if (n) {
        (void) dt_nest_close(s, name, tag);
        return DT_NEST_IN;
    }

    return DT_NEST_AROUND;
}


/* whether an end tag outside of the nest's points is not seen from inside */
static int
dt_nest_hides(const dt_scan_t *s, const dt_tag_t *tag)
{
    unsigned n;

    for (n = s->nest.n; n; n--) {
        if ((s->nest.inside[n - 1] & DT_IN_POINTS)
            && !(tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE)))
        {
            return 1;
        }
    }

    return 0;
}


dt_nest_end_t
dt_scan_nest_end(dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n;
    dt_nest_end_t rc;

    if (!dt_nest_is_whole(s) && name != s->nest.name) {
        dt_scan_give_up(s);

        if (s->state == DT_SCAN_PASS) {
            return DT_NEST_IN;
        }
    }

    if (s->nest.name == DT_NAME_NOSCRIPT && name == s->nest.name) {
        dt_nest_ended(s);
        return DT_NEST_ENDED;
    }

    if (dt_nest_top(s) & DT_IN_FOREIGN) {
        rc = dt_nest_foreign_end(s, name, tag);

        if (rc != DT_NEST_AROUND) {
            return rc;
        }

        return dt_nest_hides(s, tag) ? DT_NEST_IN : rc;
    }

    if (name == DT_NAME_TEMPLATE) {
        for (n = s->nest.n; n; n--) {
            if (n == 1 && (s->nest.inside[0] & DT_IN_TEMPLATE)) {
                dt_nest_ended(s);
                return DT_NEST_ENDED;
            }

            if (s->nest.inside[n - 1] & DT_IN_TEMPLATE) {
                dt_nest_pop(s, n - 1);
                return DT_NEST_IN;
            }
        }

        return DT_NEST_AROUND;
    }

    /* points hide elements around them, but not cells of tables */

    return !dt_nest_close(s, name, tag) && dt_nest_in_point(s)
                   && (tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
               ? DT_NEST_AROUND
               : DT_NEST_IN;
}


/* reads the tag at p in a noscript into s->token: returns the byte behind it,
   or NULL where there is none that each parser sees */
static const char *
dt_plain_tag(dt_scan_t *s, const char *p, const char *end)
{
    const char *q;

    q = end - p > 2 ? p + 1 + (p[1] == '/') : end;

    if (q == end || !dt_char_is(*q, DT_C_ALPHA)) {
        return NULL;
    }

    s->token.start = p;
    q = dt_token_read(&s->token, q, end);

    return q != NULL && dt_nest_is_seen(s) ? q : NULL;
}


/* passes a balanced svg or math without elements of HTML, whose start tag is
   in s->token: returns the byte behind it, or NULL */
static const char *
dt_plain_picture(dt_scan_t *s, const char *p, const char *end)
{
    unsigned n = 0, in = s->token.name == DT_NAME_SVG ? DT_IN_SVG : DT_IN_MATH;

    do {
        if (s->token.start[1] == '/') {
            if (s->nest.inner[--n] != s->token.name) {
                return NULL;
            }

        } else if (!dt_token_closed(&s->token)) {
            if (n == DT_SCAN_INNER || dt_nest_kind(s, in) != in
                || (n && dt_tag_find(s->token.name) != &dt_tag_unknown))
            {
                return NULL;
            }

            s->nest.inner[n++] = s->token.name;
        }
    } while (n && (p = dt_plain_tag(s, dt_find(p, end, '<'), end)) != NULL);

    return p;
}


/* passes a comment without a tag in it: returns the byte behind it, or NULL */
static const char *
dt_plain_comment(const char *p, const char *end)
{
    const char *q;

    if (end - p < 7 || memcmp(p, "<!--", 4) != 0) {
        return NULL;
    }

    q = dt_find_two(p + 4, end, '<', '>');

    return q < end && *q == '>' && q - p > 5 && q[-1] == '-' && q[-2] == '-'
               ? q + 1
               : NULL;
}


/*
 * Ends elements that may end without an end tag, but not the noscript at a
 * depth, before the start tag in s->token: whether a parser does no more than
 * that, and then begins the tag's element.
 */
static int
dt_plain_begins(dt_scan_t *s, const dt_tag_t *tag, unsigned depth)
{
    unsigned part = tag->flags & DT_TAG_INTABLE;
    const dt_open_t *e;

    for (;;) {
        e = &s->stack[s->depth];

        if (!(tag->closes & e->near)) {
            break;
        }

        if (s->depth == depth || !(e->flags & DT_TAG_IMPLIED)
            || e->kind > DT_TAG_SECTION || tag->name == DT_NAME_TABLE
            || !(tag->closes & dt_tag_byte(e->kind)))
        {
            return 0;
        }

        s->depth--;
    }

    return !(e->flags & DT_TAG_RAW)
           && (!(tag->flags & DT_TAG_RULE) || (tag->flags & DT_TAG_VOID))
           && (tag->kind < DT_TAG_BODY || tag->kind > DT_TAG_STOP)
           && tag->name != DT_NAME_NOSCRIPT && tag->name != DT_NAME_TEMPLATE
           && !part == !(e->flags & DT_TAG_TABLE)
           && (!part || tag->kind != DT_TAG_OTHER || e->name == DT_NAME_TABLE)
           && s->depth < DT_SCAN_DEPTH;
}


/* passes a start tag, which is in s->token: returns where the next tag is
   looked for, or NULL */
static const char *
dt_plain_start(dt_scan_t *s, unsigned depth, const char *p, const char *end)
{
    const dt_tag_t *tag = dt_tag_find(s->token.name);

    if (!dt_plain_begins(s, tag, depth)) {
        return NULL;
    }

    if (tag->flags & DT_TAG_VOID) {
        return p;
    }

    if (tag->flags & DT_TAG_NEST) {
        return dt_plain_picture(s, p, end);
    }

    (void) dt_scan_push(s, tag);

    return tag->flags & DT_TAG_RAW ? dt_find(p, end, '<') : p;
}


/* an end tag, which is in s->token: whether it ends the innermost element, or
   one in which all may end without an end tag */
static int
dt_plain_end(dt_scan_t *s, unsigned depth)
{
    unsigned n = s->depth;

    while (n > depth && (s->stack[n].flags & DT_TAG_IMPLIED)
           && s->stack[n].name != s->token.name)
    {
        n--;
    }

    if (s->stack[n].name != s->token.name
        || (n < s->depth
            && (n == depth || !(s->stack[n].flags & DT_TAG_SPECIAL))))
    {
        return 0;
    }

    s->depth = n - 1;

    return 1;
}


/* whether the inside of a noscript, from p on, is plain and has words */
static int
dt_plain_read(dt_scan_t *s, const char *p, const char *end)
{
    unsigned says = 0, depth = s->depth + 1;
    const char *q;

    for ((void) dt_scan_push(s, &dt_tag_noscript); p != NULL; /* void */) {
        for (q = p; q < end && *q != '<'; q++) {
            says |= dt_char_is(*q, DT_C_WORD);
        }

        if (end - q < 2) {
            return 0;
        }

        if (!dt_char_is(q[1], DT_C_MARKUP)) {
            p = q + 1;
            continue;
        }

        if (q[1] == '!') {
            p = dt_plain_comment(q, end);
            continue;
        }

        p = dt_plain_tag(s, q, end);

        if (p != NULL && q[1] != '/') {
            p = dt_plain_start(s, depth, p, end);

        } else if (p == NULL || !dt_plain_end(s, depth)) {
            return 0;

        } else if (s->depth < depth) {
            return says != 0;
        }
    }

    return 0;
}


int
dt_nest_is_plain(dt_scan_t *s)
{
    int plain;
    unsigned depth = s->depth;
    uint32_t line = s->line;
    dt_token_t token = s->token;

    if (dt_scan_select(s) || depth == DT_SCAN_DEPTH) {
        return 0;
    }

    if (s->records == NULL && s->inert == NULL) {
        return 1;
    }

    if (s->xml == 1 || s->left.what || (s->stack[depth].flags & DT_TAG_TABLE))
    {
        return 0;
    }

    plain = dt_plain_read(s, token.end, s->limit);

    s->depth = depth;
    s->line = line;
    s->token = token;

    return plain;
}
