
/*
 * Copyright (C) The detemplate authors
 *
 * A parser's positions cannot be taken as they are.  gumbo copies the start
 * tag of formatting elements that it opens again, leaves an element that was
 * closed by something else with the end tag of that something, knows no end
 * for <form>, and moves nodes out of tables.  A range is believed only if its
 * bytes say so, and if it holds what the subtree holds:
 *
 *            start   open_end  lo        hi  tail    end
 *     ...</p>|<ul ...>|        |<li>...</li>| |</ul>|<p>
 *
 * What is inside the subtree is between the tags (lo, hi), and the range has
 * no edges (first bytes of the tree's tags, first and last of its texts)
 * except the subtree's: counting both is enough.  A copy of a formatting
 * element has its edge at the place of its original, so it falsifies the
 * range of whatever separates the two.  What follows the subtree in the tree
 * starts behind the range, too: a node that was moved out of a table stands
 * before that table, and in the source inside it.  Every number comes from
 * one pass.
 */


#include <strings.h>

#include "core/base/tags.h"
#include "core/dom/span.h"


static uint32_t
dt_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}


static uint32_t
dt_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}


/* is name at p, and a tag's name at its end there? */
static int
dt_name_at(dt_str_t src, size_t at, dt_str_t name)
{
    if (at > src.len || src.len - at <= name.len
        || strncasecmp(src.data + at, name.data, name.len) != 0)
    {
        return 0;
    }

    switch (src.data[at + name.len]) {
    case ' ':
    case '\t':
    case '\n':
    case '\f':
    case '\r':
    case '/':
    case '>':
        return 1;
    default:
        return 0;
    }
}


static int
dt_end_tag_at(dt_str_t src, uint32_t at, dt_str_t name)
{
    return name.len != 0 && at < src.len && src.len - at > 2
           && src.data[at] == '<' && src.data[at + 1] == '/'
           && dt_name_at(src, (size_t) at + 2, name);
}


static int
dt_start_tag_at(dt_str_t src, const dt_span_t *s)
{
    return s->start < src.len && src.data[s->start] == '<'
           && dt_name_at(src, (size_t) s->start + 1, s->name)
           && s->open_end > s->start && s->open_end <= src.len
           && src.data[s->open_end - 1] == '>';
}


/* may the end tag of that element be left out? */
static int
dt_may_stay_open(dt_str_t name)
{
    const dt_tag_t *tag = dt_tag_named(name.data, name.len);

    return (tag->flags & (DT_TAG_IMPLIED | DT_TAG_INTABLE))
           || tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML
           || tag->kind == DT_TAG_HEADTAG;
}


/* the end of the bytes that certainly are the node's own */
static uint32_t
dt_own(const dt_span_t *s)
{
    if (s->start == DT_SPAN_NONE) {
        return 0;
    }

    return s->own_end ? s->end : s->open_end;
}


/* is there nothing but tags and white space from p on? */
static int
dt_says_nothing(const char *p, const char *end)
{
    while (p < end) {
        if (*p == '<') {
            p = memchr(p, '>', (size_t) (end - p));
            if (p == NULL) {
                return 0;
            }

        } else if (!memchr(" \t\n\f\r", *p, 5)) {
            return 0;
        }

        p++;
    }

    return 1;
}


/* what the parser says of the end, if it is right; else what the bytes say */
static void
dt_find_end(dt_span_t *spans, dt_span_t *s, dt_str_t src)
{
    const char *p;
    uint32_t tail;

    if (s->name.len == 0) {
        tail = s->parent == DT_SPAN_NONE ? s->end : spans[s->parent].tail;

        /* gumbo has the last text of body go on to the page's end */
        if (s->start < tail && tail < s->end && s->end <= src.len
            && dt_says_nothing(src.data + tail, src.data + s->end))
        {
            s->open_end = tail;
        }

        s->tail = s->end = s->open_end;
        return;
    }

    if (s->end != s->tail) {
        s->own_end = s->tail < s->end && s->end <= src.len
                     && dt_end_tag_at(src, s->tail, s->name)
                     && src.data[s->end - 1] == '>';
        s->end = s->own_end ? s->end : s->tail;
    }

    if (s->tail != DT_SPAN_NONE || s->start == DT_SPAN_NONE || s->moved) {
        return;
    }

    /* no end is known; is the end tag right behind what is inside? */
    s->tail = s->end = dt_max(s->hi, s->open_end);

    while (s->tail < src.len && memchr(" \t\n\f\r", src.data[s->tail], 5)) {
        s->tail++;
    }

    if (dt_end_tag_at(src, s->tail, s->name)) {
        p = memchr(src.data + s->tail, '>', src.len - s->tail);
        if (p != NULL) {
            s->end = (uint32_t) (p - src.data) + 1;
            s->own_end = 1;
            return;
        }
    }

    s->tail = s->end = DT_SPAN_NONE;
}


/* one edge of a node: counts it, at its place if that is in the page */
static void
dt_edge(uint32_t *count, dt_span_t *s, uint32_t at, dt_str_t src)
{
    if (at < src.len) {
        count[at + 1]++;
        s->edges++;
    }
}


/* from the last node to the first: ends, edges, and what is inside */
static void
dt_measure_back(dt_span_t *spans, uint32_t n, dt_str_t src, uint32_t *count)
{
    dt_span_t *s, *up;
    uint32_t first = DT_SPAN_NONE;

    for (uint32_t i = 0; i < n; i++) {
        spans[i].lo = DT_SPAN_NONE;
        spans[i].hi = 0;
    }

    for (uint32_t i = n; i-- > 0;) {
        s = &spans[i];

        if (!s->moved) {
            first = dt_min(first, s->start);
        }

        s->first = first;

        dt_find_end(spans, s, src);
        dt_edge(count, s, s->start, src);

        if (s->own_end) {
            dt_edge(count, s, s->tail, src);

        } else if (s->name.len == 0 && s->end != DT_SPAN_NONE && s->end > 0) {
            dt_edge(count, s, s->end - 1, src);
        }

        if (s->parent != DT_SPAN_NONE) {
            up = &spans[s->parent];
            up->lo = dt_min(up->lo, dt_min(s->lo, s->start));
            up->hi = dt_max(up->hi, dt_max(s->hi, dt_own(s)));
            up->edges += s->edges;
        }
    }
}


/*
 * count[i]: edges before byte i.  An element without an end tag ends where the
 * token is that closed it: the end of the page, or an edge of another node.
 * Of other tokens it is not known what they do when the element is gone, and
 * of elements that must not be left open not what they leave behind.
 */
static int
dt_is_sound(const dt_span_t *s, dt_str_t src, const uint32_t *count)
{
    if (s->moved || s->start == DT_SPAN_NONE || s->tail == DT_SPAN_NONE
        || s->start >= s->end || s->end > src.len || s->open_end > s->lo
        || s->open_end > s->tail || s->hi > s->tail
        || count[s->end] - count[s->start] != s->edges)
    {
        return 0;
    }

    if (s->name.len == 0) {
        return 1;
    }

    return dt_start_tag_at(src, s)
           && (s->own_end || s->empty
               || (dt_may_stay_open(s->name)
                   && (s->tail == src.len
                       || count[s->tail + 1] != count[s->tail])));
}


dt_status_t
dt_span_verify(dt_span_t *spans, uint32_t n, dt_str_t src, dt_arena_t *arena)
{
    dt_span_t *s;
    uint32_t *count, behind;

    count = dt_arena_calloc(arena, src.len + 1, sizeof(uint32_t));
    if (count == NULL) {
        return DT_ENOMEM;
    }

    dt_measure_back(spans, n, src, count);

    for (size_t i = 0; i < src.len; i++) {
        count[i + 1] += count[i];
    }

    for (uint32_t i = 0; i < n; i++) {
        s = &spans[i];
        behind = s->next < n ? spans[s->next].first : DT_SPAN_NONE;

        s->sound = s->end <= behind && dt_is_sound(s, src, count);
    }

    return DT_OK;
}
