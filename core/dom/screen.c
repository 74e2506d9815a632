
/*
 * Copyright (C) The detemplate authors
 *
 * The time that gumbo takes grows with the depth of its stack of open
 * elements, and with the square of the number of attributes on a tag.  This
 * file reads the tags and counts the open elements: start tags less end tags.
 * It leaves out elements that the next one of their kind ends.  Old pages
 * leave thousands of <p>, <li>, <td> and <a> open, and are flat all the same.
 *
 * A page can be made so that the count is too low, since a parser ignores some
 * end tags.  So parse.c limits the time of gumbo, and dom.c checks the depth
 * of the tree that gumbo has built.
 */


#include "core/base/dt.h"
#include "core/base/tags.h"
#include "core/dom/screen.h"


typedef struct {
    const char *p;
    const char *end;

    uint32_t open; /* elements */
    uint32_t max_depth;
    size_t max_attrs;
    size_t pairs; /* sum over all tags of the squares of their attributes */
    size_t max_pairs;

    dt_screen_t *out;
} dt_scr_t;


typedef struct {
    dt_str_t name;
    const dt_tag_t *tag;
    unsigned slash : 1; /* ends in "/>" */
} dt_scr_tag_t;


static inline int
dt_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}


static inline int
dt_is_letter(char c)
{
    return dt_lower(c) >= 'a' && dt_lower(c) <= 'z';
}


/* returns the position behind a value; p is behind the '=' */
static const char *
dt_skip_value(const char *p, const char *end)
{
    char quote;

    while (p < end && dt_is_space(*p)) {
        p++;
    }

    if (p < end && (*p == '"' || *p == '\'')) {
        quote = *p++;
        p = memchr(p, quote, (size_t) (end - p));
        return p ? p + 1 : end;
    }

    while (p < end && !dt_is_space(*p) && *p != '>') {
        p++;
    }

    return p;
}


/*
 * Reads a tag from its name to behind its '>'.  DT_DECLINED: the page ends
 * inside the tag.
 */
static dt_status_t
dt_read_tag(dt_scr_t *s, dt_scr_tag_t *t)
{
    const char *p = s->p, *end = s->end;
    size_t attrs = 0;

    t->name.data = p;
    t->slash = 0;

    while (p < end && !dt_is_space(*p) && *p != '/' && *p != '>') {
        p++;
    }

    t->name.len = (size_t) (p - t->name.data);
    t->tag = dt_tag_named(t->name.data, t->name.len);

    while (p < end && *p != '>') {
        if (dt_is_space(*p) || *p == '/') {
            t->slash = *p++ == '/' && p < end && *p == '>';
            continue;
        }

        attrs++;
        t->slash = 0;

        /* the first byte belongs to the name, even if it is '=' */
        for (p++; p < end && !dt_is_space(*p) && *p != '/' && *p != '>'
                  && *p != '=';
             p++)
            ;

        while (p < end && dt_is_space(*p)) {
            p++;
        }

        if (p < end && *p == '=') {
            p = dt_skip_value(p + 1, end);
        }
    }

    s->p = p < end ? p + 1 : end;

    if (attrs > s->out->attrs) {
        s->out->attrs = attrs;
    }

    if (attrs > s->max_attrs) {
        return DT_ELIMIT;
    }

    s->pairs += attrs * attrs;
    if (s->pairs > s->max_pairs) {
        return DT_ELIMIT;
    }

    return p < end ? DT_OK : DT_DECLINED;
}


/* moves to the end tag of the raw text element of that name, or to the end of
   the page */
static void
dt_skip_raw(dt_scr_t *s, dt_str_t name)
{
    const char *p = s->p;
    dt_str_t found = { name.len, NULL };

    while ((p = memchr(p, '<', (size_t) (s->end - p))) != NULL) {
        s->p = p++;
        found.data = p + 1;

        if ((size_t) (s->end - p) > name.len + 1 && *p == '/'
            && dt_str_case_eq(found, name)
            && (dt_is_space(found.data[name.len])
                || found.data[name.len] == '/' || found.data[name.len] == '>'))
        {
            return;
        }
    }

    s->p = s->end;
}


/* returns the position behind the next occurrence of what, or end */
static const char *
dt_skip_to(const char *p, const char *end, const char *what)
{
    p = memmem(p, (size_t) (end - p), what, strlen(what));

    return p ? p + strlen(what) : end;
}


/* moves behind a comment or doctype; p is behind "<!" */
static void
dt_skip_markup(dt_scr_t *s, const char *p)
{
    const char *end = s->end, *stop;

    if (end - p < 2 || p[0] != '-' || p[1] != '-') {
        s->p = dt_skip_to(p, end, ">");
        return;
    }

    /* a comment ends at the first "-->" or "--!>"; "<!-->" and "<!--->" are
       whole comments */
    stop = dt_skip_to(p, end, "-->");
    s->p = dt_skip_to(p + 2 < stop ? p + 2 : stop, stop, "--!>");
}


/* counts an element when it begins and when it ends */
static dt_status_t
dt_count(dt_scr_t *s, const dt_scr_tag_t *t, int is_end)
{
    if ((t->tag->is & (DT_IS_RAW | DT_IS_ANCHOR))
        || (t->tag->flags & (DT_TAG_VOID | DT_TAG_IMPLIED | DT_TAG_INTABLE)))
    {
        return DT_OK;
    }

    if (is_end) {
        s->open -= s->open > 0;
        return DT_OK;
    }

    /* "/>" ends an element of svg, and is ignored on one of HTML.  Elements of
       HTML that are not counted here are found by the check in dom.c. */
    if (t->slash) {
        return DT_OK;
    }

    s->open++;

    if (s->open > s->out->depth) {
        s->out->depth = s->open;
    }

    return s->open > s->max_depth ? DT_ELIMIT : DT_OK;
}


/* reads the markup at s->p, which is a '<' */
static dt_status_t
dt_markup(dt_scr_t *s)
{
    const char *p = s->p + 1;
    dt_status_t rc;
    dt_scr_tag_t t;
    int is_end;

    is_end = p < s->end && *p == '/';
    p += is_end;

    if (p == s->end) {
        s->p = s->end;
        return DT_OK;
    }

    if (!dt_is_letter(*p)) {
        if (*p == '!' && !is_end) {
            dt_skip_markup(s, p + 1);

        } else if (*p == '?' || is_end) {
            s->p = dt_skip_to(p, s->end, ">");

        } else {
            s->p = p;
        }

        return DT_OK;
    }

    s->p = p;

    rc = dt_read_tag(s, &t);
    if (rc != DT_OK) {
        return rc == DT_DECLINED ? DT_OK : rc;
    }

    if ((t.tag->is & DT_IS_RAW) && !is_end) {
        dt_skip_raw(s, t.name);
    }

    return dt_count(s, &t, is_end);
}


dt_status_t
dt_screen(dt_str_t src, uint32_t max_depth, size_t max_attrs, dt_screen_t *out)
{
    dt_scr_t s;
    dt_status_t rc = DT_OK;

    memset(out, 0, sizeof(dt_screen_t));
    memset(&s, 0, sizeof(dt_scr_t));

    if (src.len == 0) {
        return DT_OK;
    }

    s.p = src.data;
    s.end = src.data + src.len;
    s.max_depth = max_depth;
    s.max_attrs = max_attrs;
    s.out = out;

    /* one tag may be full, and a page of short tags never exceeds the rest */
    s.max_pairs = max_attrs * max_attrs + 16 * src.len;

    while (rc == DT_OK
           && (s.p = memchr(s.p, '<', (size_t) (s.end - s.p))) != NULL) {
        rc = dt_markup(&s);
    }

    return rc;
}
