
/*
 * Copyright (C) The detemplate authors
 *
 * gumbo's time grows with the depth of its stack of open elements, so that
 * stack has to be known before gumbo runs.  A plain count of start tags less
 * end tags will not do: old pages leave thousands of <p>, <li> and <td>
 * unclosed and are flat all the same, and a hostile page can send end tags
 * that a parser ignores.  So the tags are read here the way a tokenizer
 * does, comments and raw text left out, and nest.c keeps the stack.
 *
 * gumbo also compares every attribute of a tag with every other one, so the
 * sum of the squares of their numbers is bounded too.
 */


#include "core/base/str.h"
#include "core/base/tags.h"
#include "core/dom/screen.h"
#include "core/dom/nest.h"


typedef struct {
    const char *p;
    const char *end;

    dt_nest_t nest;
    size_t max_attrs;
    size_t pairs; /* of attributes of one tag, over all tags so far */
    size_t max_pairs;

    dt_screen_t *out;
} dt_scr_t;


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


/* to behind the value of an attribute; p is behind the '=' */
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
 * Reads a tag from its name on to behind its '>'.  DT_DECLINED: the page
 * ends inside.
 */
static dt_status_t
dt_read_tag(dt_scr_t *s, dt_nest_tag_t *t)
{
    const char *p = s->p, *end = s->end;
    size_t attrs = 0;

    t->text.data = p;
    t->name = 0xcbf29ce484222325u;
    t->slash = 0;

    while (p < end && !dt_is_space(*p) && *p != '/' && *p != '>') {
        t->name = (t->name ^ (unsigned char) dt_lower(*p++)) * 0x100000001b3u;
    }

    t->text.len = (size_t) (p - t->text.data);
    t->is = dt_tag_named(t->text.data, t->text.len)->is;

    while (p < end && *p != '>') {
        if (dt_is_space(*p) || *p == '/') {
            t->slash = *p++ == '/' && p < end && *p == '>';
            continue;
        }

        attrs++;
        t->slash = 0;

        /* the first byte may be a '=' and belongs to the name */
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


/* to behind the end tag of the raw text element t, or to the page's end */
static void
dt_skip_raw(dt_scr_t *s, const dt_nest_tag_t *t)
{
    const char *p = s->p;
    size_t room;

    if (dt_str_case_eq(t->text, dt_str("plaintext"))) {
        s->p = s->end;
        return;
    }

    while ((p = memchr(p, '<', (size_t) (s->end - p))) != NULL) {
        room = (size_t) (s->end - ++p);

        if (room <= t->text.len + 1 || *p != '/') {
            continue;
        }

        for (size_t i = 0; dt_lower(p[1 + i]) == dt_lower(t->text.data[i]);
             i++) {
            if (i + 1 < t->text.len) {
                continue;
            }

            if (dt_is_space(p[2 + i]) || p[2 + i] == '/' || p[2 + i] == '>') {
                s->p = p + 2 + i;
                p = memchr(s->p, '>', (size_t) (s->end - s->p));
                s->p = p ? p + 1 : s->end;
                return;
            }

            break;
        }
    }

    s->p = s->end;
}


static const char *
dt_skip_to(const char *p, const char *end, const char *what)
{
    p = memmem(p, (size_t) (end - p), what, strlen(what));

    return p ? p + strlen(what) : end;
}


/* p is behind "<!" */
static void
dt_skip_markup(dt_scr_t *s, const char *p)
{
    const char *end = s->end, *stop;
    size_t room = (size_t) (end - p);

    if (room >= 2 && p[0] == '-' && p[1] == '-') {
        p += 2;

        if (p < end && *p == '>') {
            s->p = p + 1;
            return;
        }

        if (end - p >= 2 && p[0] == '-' && p[1] == '>') {
            s->p = p + 2;
            return;
        }

        /* a comment ends at "-->" or "--!>", whichever is first */
        stop = dt_skip_to(p, end, "-->");
        s->p = dt_skip_to(p, stop, "--!>");
        return;
    }

    if (room >= 7 && memcmp(p, "[CDATA[", 7) == 0
        && dt_nest_is_foreign(&s->nest)) {
        s->p = dt_skip_to(p, end, "]]>");
        return;
    }

    s->p = dt_skip_to(p, end, ">");
}


/* s->p is at a '<' */
static dt_status_t
dt_markup(dt_scr_t *s)
{
    const char *p = s->p + 1;
    dt_status_t rc;
    dt_nest_tag_t t;
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

    if (is_end) {
        dt_nest_end(&s->nest, &t);
        return DT_OK;
    }

    if (dt_nest_is_raw(&s->nest, &t)) {
        dt_skip_raw(s, &t);
    }

    return dt_nest_start(&s->nest, &t);
}


dt_status_t
dt_screen(dt_str_t src, uint32_t max_depth, size_t max_attrs,
          dt_arena_t *arena, dt_screen_t *out)
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
    s.nest.max_depth = max_depth;
    s.max_attrs = max_attrs;
    s.out = out;

    /* room for one full tag, and for what no page of short tags passes */
    s.max_pairs = max_attrs * max_attrs + 16 * src.len;

    s.nest.open = dt_arena_calloc(arena, max_depth, sizeof(dt_nest_open_t));
    if (s.nest.open == NULL) {
        return DT_ENOMEM;
    }

    while (rc == DT_OK
           && (s.p = memchr(s.p, '<', (size_t) (s.end - s.p))) != NULL) {
        rc = dt_markup(&s);
    }

    out->depth = s.nest.deepest;

    return rc;
}
