
/*
 * Copyright (C) The detemplate authors
 *
 * Passes elements in which nothing can be template; they are the greater part
 * of most pages.  One loop pushes for each start tag and pops for each end
 * tag.  It does what scan.c, element.c and tree.c would do, and leaves to them
 * whatever is not quite usual.
 */


#include "core/scan/scan_i.h"


#define DT_COLD_ROOM 32 /* bytes behind '<' that a tag's name is read with */


typedef struct {
    const dt_look_t *look; /* NULL: no tag is looked for */
    dt_open_t *top;        /* the innermost element */
    unsigned depth;

    const dt_tag_t *tag; /* the start tag at hand */
    uint64_t name;
    unsigned len;
} dt_cold_t;


/*
 * Returns whether the element of a start tag that closes another one is cold,
 * although its parent is not: it is on none of the template's paths.
 */
static inline int
dt_scan_cools(const dt_scan_t *s, const dt_cold_t *c, const dt_open_t *parent)
{
    return !(c->tag->flags & (DT_TAG_VOID | DT_TAG_STYLE))
           && !dt_scan_leads(s, dt_key_path(parent->path, c->name));
}


/*
 * Returns the innermost element after a start tag has closed the one that is
 * innermost now.  NULL: the tag closes more than that, or what follows is not
 * cold any more.
 */
static dt_open_t *
dt_scan_closes(const dt_scan_t *s, const dt_cold_t *c)
{
    const dt_tag_t *tag = c->tag;
    uint64_t closed = tag->closes & c->top->near;
    dt_open_t *parent = c->top - 1;

    if (c->depth == s->kept) {
        return NULL;
    }

    if (closed != c->depth /* a p */
        && (closed != c->depth * tag->own || tag->kind >= DT_TAG_A))
    {
        return NULL;
    }

    if (tag->closes & parent->near
        || ((parent->state & DT_OPEN_KNOWN) && !dt_scan_cools(s, c, parent)))
    {
        return NULL;
    }

    return parent;
}


/*
 * Returns what is behind a start tag, from behind its name; NULL: it may be
 * one that is looked for, or joins the words beside it.
 */
static const char *
dt_scan_cold_look(const dt_cold_t *c, const char *p, const char *end)
{
    int found = 0;

    if (dt_look_tagged(c->look, c->name) || c->name == DT_NAME_WBR) {
        return NULL;
    }

    p = *p == '>' ? p + 1 : dt_token_look(c->look, p, end, &found);

    return found ? NULL : p;
}


/*
 * Handles the start tag whose '<' is at p, and closes what it closes.  Returns
 * what is behind the tag; NULL: the caller must leave it to the other files.
 */
static inline const char *
dt_scan_cold_start(const dt_scan_t *s, dt_cold_t *c, const char *p,
                   const char *end)
{
    dt_open_t *e;
    const dt_tag_t *tag;

    c->len = dt_name_block(p + 1, &c->name);
    if (c->len == 0) {
        return NULL;
    }

    tag = dt_tag_find(c->name);
    c->tag = tag;

    if ((tag->flags & (DT_TAG_ODD & ~DT_TAG_VOID))
        || c->depth == DT_SCAN_DEPTH) {
        return NULL;
    }

    if ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
        && (tag->kind == DT_TAG_OTHER
            || (!(c->top->flags & DT_TAG_TABLE)
                && !(tag->closes & c->top->near))))
    {
        /* the tag may be out of place: there may be no table around it */
        return NULL;
    }

    p += 1 + c->len;
    p = c->look != NULL ? dt_scan_cold_look(c, p, end)
        : *p == '>'     ? p + 1
                        : dt_token_skip(p, end);

    if (p != NULL && tag->closes & c->top->near) {
        e = dt_scan_closes(s, c);
        if (e == NULL) {
            return NULL;
        }

        c->top = e;
        c->depth--;
    }

    return p;
}


const char *
dt_scan_cold(dt_scan_t *s, dt_marks_t *marks, const char *p, const char *end)
{
    int usual;
    const char *q, *last, *begin = p, *text = p; /* behind the last tag */
    dt_cold_t c = { .look = s->hand && !s->kept ? &s->hand->look : NULL,
                    .top = &s->stack[s->depth],
                    .depth = s->depth };
    dt_marks_t m = *marks;

    p = dt_marks_next(&m, p, end, '<');

    usual = end - p >= DT_COLD_ROOM && !(s->unclosed & DT_UNCLOSED_LINK);
    last = usual ? end - DT_COLD_ROOM : p;

    while (usual && p <= last) {

        if (p[1] == '/') {
            if (!dt_scan_ends(c.top, p + 2)) {
                break;
            }

            p += 3 + c.top->len;
            text = p;
            c.top--;
            c.depth--;

        } else if (dt_char_is(p[1], DT_C_ALPHA)) {
            q = dt_scan_cold_start(s, &c, p, end);
            if (q == NULL) {
                break;
            }

            text = q;
            dt_marks_take(&m);
            p = dt_marks_next(&m, q, end, '<');

            if (c.tag->flags & DT_TAG_VOID) {
                continue;
            }

            /* most often its end tag comes next, so it need not be pushed */

            if (p > last || p[1] != '/'
                || !dt_scan_is_end(c.name, c.len, p + 2)) {
                dt_scan_push(++c.top, c.name, c.len, c.tag, ++c.depth);
                continue;
            }

            p += 3 + c.len;
            text = p;

        } else if (dt_char_is(p[1], DT_C_MARKUP)) {
            break;

        } else {
            dt_marks_take(&m);
            p = dt_marks_next(&m, p + 1, end, '<');
            continue;
        }

        if (c.top->state & (DT_OPEN_KNOWN | DT_OPEN_LINE)) {
            s->glue = 0;
            break;
        }

        dt_marks_take(&m);
        p = dt_marks_next(&m, p, end, '<');
    }

    if (c.look != NULL) {
        /* a tag that is found needs to know what is before it */

        s->glue = text == begin ? s->glue : 0;
        dt_scan_passed(s, text, p);
    }

    s->depth = c.depth;
    *marks = m;

    return p;
}
