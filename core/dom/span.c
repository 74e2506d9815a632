
/*
 * Copyright (C) The detemplate authors
 *
 * The positions of a parser are not always true.  gumbo copies the start tag
 * of formatting elements that it reopens.  An element that was closed by
 * another token has the end tag of that token.  gumbo has no end for <form>,
 * and moves nodes out of tables.  So a range is sound only if its bytes
 * confirm it, and if it contains exactly the tags and texts of the subtree:
 *
 *            start   open_end  inside          tail    end
 *     ...</p>|<ul ...>|        |<li>...</li>|  |</ul>|<p>
 *
 * All nodes inside must lie between the two tags.  The range must have no
 * edges but those of the subtree, which two sums compare.  An edge is the
 * first byte of a tag of the tree, or the first or last byte of a text.  A
 * copy of a formatting element has its edge where the original is, so each
 * element that separates the two has an edge too many.  The nodes after the
 * subtree must start behind the range too: a node that was moved out of a
 * table is in front of the table in the tree, and inside it in the source.
 * One pass sets all numbers.
 */


#include <strings.h>

#include "core/dom/span.h"
#include "core/base/tags.h"


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


/* returns whether a tag name at this offset is name */
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


/* returns whether an end tag of that name is at this offset */
static int
dt_end_tag_at(dt_str_t src, uint32_t at, dt_str_t name)
{
    return name.len != 0 && at < src.len && src.len - at > 2
           && src.data[at] == '<' && src.data[at + 1] == '/'
           && dt_name_at(src, (size_t) at + 2, name);
}


/* returns whether the bytes of the node begin with its start tag */
static int
dt_start_tag_at(dt_str_t src, const dt_span_t *s)
{
    return s->start < src.len && src.data[s->start] == '<'
           && dt_name_at(src, (size_t) s->start + 1, s->name)
           && s->open_end > s->start && s->open_end <= src.len
           && src.data[s->open_end - 1] == '>';
}


/* returns whether HTML allows to omit the end tag of that element */
static int
dt_may_stay_open(dt_str_t name)
{
    const dt_tag_t *tag = dt_tag_named(name.data, name.len);

    return (tag->flags & (DT_TAG_IMPLIED | DT_TAG_INTABLE))
           || tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML
           || tag->kind == DT_TAG_HEADTAG;
}


/* returns the end of the bytes that belong to the node in any case */
static uint32_t
dt_certain_end(const dt_span_t *s)
{
    if (s->start == DT_SPAN_NONE) {
        return 0;
    }

    return s->end_tag ? s->end : s->open_end;
}


/* returns whether there are only tags and white space from p to end */
static int
dt_is_blank(const char *p, const char *end)
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


/* sets the end: the parser's if the bytes confirm it, else that of the bytes
 */
static void
dt_find_end(dt_span_t *spans, dt_span_t *s, dt_str_t src)
{
    const char *p;
    uint32_t tail;

    if (s->name.len == 0) {
        tail = s->parent == DT_SPAN_NONE ? s->end : spans[s->parent].tail;

        /* in gumbo, the last text of the body ends where the page does */
        if (s->start < tail && tail < s->end && s->end <= src.len
            && dt_is_blank(src.data + tail, src.data + s->end))
        {
            s->open_end = tail;
        }

        s->tail = s->end = s->open_end;
        return;
    }

    if (s->end != s->tail) {
        s->end_tag = s->tail < s->end && s->end <= src.len
                     && dt_end_tag_at(src, s->tail, s->name)
                     && src.data[s->end - 1] == '>';
        s->end = s->end_tag ? s->end : s->tail;
    }

    if (s->tail != DT_SPAN_NONE || s->start == DT_SPAN_NONE || s->moved) {
        return;
    }

    /* the parser has no end: the end tag may follow the nodes inside */
    s->tail = s->end = dt_max(s->inside_end, s->open_end);

    while (s->tail < src.len && memchr(" \t\n\f\r", src.data[s->tail], 5)) {
        s->tail++;
    }

    if (dt_end_tag_at(src, s->tail, s->name)) {
        p = memchr(src.data + s->tail, '>', src.len - s->tail);
        if (p != NULL) {
            s->end = (uint32_t) (p - src.data) + 1;
            s->end_tag = 1;
            return;
        }
    }

    s->tail = s->end = DT_SPAN_NONE;
}


/* counts an edge of a node, if its offset is in the page */
static void
dt_edge(uint32_t *count, dt_span_t *s, uint32_t at, dt_str_t src)
{
    if (at < src.len) {
        count[at + 1]++;
        s->edges++;
    }
}


/* sets ends, edges and the range inside, from the last node to the first */
static void
dt_measure_back(dt_span_t *spans, uint32_t n, dt_str_t src, uint32_t *count)
{
    dt_span_t *s, *up;
    uint32_t first = DT_SPAN_NONE;

    for (uint32_t i = 0; i < n; i++) {
        spans[i].inside_start = DT_SPAN_NONE;
        spans[i].inside_end = 0;
    }

    for (uint32_t i = n; i-- > 0;) {
        s = &spans[i];

        if (!s->moved) {
            first = dt_min(first, s->start);
        }

        s->first = first;

        dt_find_end(spans, s, src);
        dt_edge(count, s, s->start, src);

        if (s->end_tag) {
            dt_edge(count, s, s->tail, src);

        } else if (s->name.len == 0 && s->end != DT_SPAN_NONE && s->end > 0) {
            dt_edge(count, s, s->end - 1, src);
        }

        if (s->parent != DT_SPAN_NONE) {
            up = &spans[s->parent];
            up->inside_start =
                dt_min(up->inside_start, dt_min(s->inside_start, s->start));
            up->inside_end = dt_max(up->inside_end,
                                    dt_max(s->inside_end, dt_certain_end(s)));
            up->edges += s->edges;
        }
    }
}


/*
 * Returns whether the range of a node is sound.  count[i] is the number of
 * edges before byte i.  An element without an end tag ends at the token that
 * closed it, which must be the end of the page or an edge of another node.
 * Other tokens may have another effect once the element is cut.  So may an
 * element whose end tag HTML does not allow to omit.
 */
static int
dt_is_sound(const dt_span_t *s, dt_str_t src, const uint32_t *count)
{
    if (s->moved || s->start == DT_SPAN_NONE || s->tail == DT_SPAN_NONE
        || s->start >= s->end || s->end > src.len
        || s->open_end > s->inside_start || s->open_end > s->tail
        || s->inside_end > s->tail
        || count[s->end] - count[s->start] != s->edges)
    {
        return 0;
    }

    if (s->name.len == 0) {
        return 1;
    }

    return dt_start_tag_at(src, s)
           && (s->end_tag || s->empty
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
