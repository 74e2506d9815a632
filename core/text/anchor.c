
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/text/anchor.h"
#include "core/html/reference.h"
#include "core/text/attr.h"
#include "core/text/inline.h"


/* bytes before a link in which the element begins that it leads to */
#define DT_ANCHOR_NEAR 2048


int
dt_anchor_begin(dt_text_t *t)
{
    dt_attr_t a;
    const char *p;

    t->fragment = dt_str("");
    t->link_len = 0;

    if (!dt_attr_find(t, "href", &a)) {
        return 0;
    }

    t->link_len = dt_attr_link(t, a.value, a.end, 1, t->link, sizeof(t->link));

    if (t->link_len == 0) {
        return 0;
    }

    p = memchr(a.value, '#', (size_t) (a.end - a.value));

    if (p != NULL
        && (p == a.value
            || (t->link_len > t->base.query && t->link[t->base.query] == '#'
                && memcmp(t->link, t->base.data, t->base.query) == 0)))
    {
        t->fragment = (dt_str_t){ (size_t) (a.end - p) - 1, p + 1 };
    }

    dt_inline_open(t, DT_OP_LINK, t->link, t->link_len);

    return 1;
}


/* whether something begins in [p, end) that is not the element of a link to
   it: a paragraph, or behind a heading's end another one */
static int
dt_anchor_is_apart(const char *p, const char *end, int heading)
{
    for (; (p = dt_find(p, end, '<')) < end; p++) {
        if (dt_attr_is_tag(p + 1, end, "p")
            || (heading && end - p > 3 && p[1] == '/' && (p[2] | 0x20) == 'h'
                && p[3] >= '1' && p[3] <= '6'))
        {
            return 1;
        }
    }

    return 0;
}


/* whether the link leads to an element that has begun right before it */
static int
dt_anchor_is_own(const dt_text_t *t)
{
    char id[DT_TEXT_ID];
    const char *link = t->fragment.data, *p, *q, *r;
    size_t len;

    if (t->fragment.len == 0) {
        return 0;
    }

    /* its tag may have the id itself */

    q = dt_find(link, t->end, '>');
    p = link - t->page > DT_ANCHOR_NEAR ? link - DT_ANCHOR_NEAR : t->page;
    len = dt_percent_copy(t->fragment, id, sizeof(id));

    if (len == SIZE_MAX) {
        return 0;
    }

    for (; (p = memmem(p, (size_t) (q - p), id, len)) != NULL; p++) {
        r = p;

        if (r - t->page > 13 && memcmp(r - 13, "user-content-", 13) == 0) {
            r -= 13;
        }

        r -= r > t->page && (r[-1] == '"' || r[-1] == '\'');

        if (r - t->page > 5 && r[-1] == '='
            && (strncasecmp(r - 3, "id", 2) == 0
                || strncasecmp(r - 5, "name", 4) == 0)
            && p + len < t->end && strchr("\"' \t\n>", p[len]) != NULL
            && (p > link
                || !dt_anchor_is_apart(p, link, dt_text_is_heading(t))))
        {
            return 1;
        }
    }

    return 0;
}


/* whether the text of a link only says that it can be copied */
static int
dt_anchor_is_said(const char *p, const char *end)
{
    static const char *const says[] = { "section titled", "permalink",
                                        "direct link",    "link to this",
                                        "anchor",         "copy link" };
    size_t i;

    while (p < end && (unsigned char) *p <= ' ' && *p != DT_OP_IMAGE) {
        p++;
    }

    for (i = 0; i < sizeof(says) / sizeof(*says); i++) {
        if ((size_t) (end - p) >= strlen(says[i])
            && strncasecmp(p, says[i], strlen(says[i])) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* whether it is a sign of that, or nothing */
static int
dt_anchor_is_sign(const char *p, const char *end)
{
    int n;
    uint32_t c;

    for (; p < end; p += n) {
        n = dt_utf8_get(p, end, &c);

        if (n <= 0 || c == DT_OP_IMAGE) {
            return 0;
        }

        if (c > ' ' && c != '#' && c != 0xb6 && c != 0xa7 && c != 0x1f517
            && c != 0x221e && c != 0x2693 && c != 0xfe0f
            && !(c >= 0xe000 && c < 0xf900))
        {
            return 0;
        }
    }

    return 1;
}


void
dt_anchor_end(dt_text_t *t)
{
    const char *text, *end = t->line.data + t->line.len;
    int heading = dt_text_is_heading(t), sign;

    if ((!heading && t->fragment.len == 0) || t->o->hidden) {
        return;
    }

    text = dt_inline_shown(t);

    if (text == NULL) {
        return;
    }

    sign = dt_anchor_is_sign(text, end);

    if (!sign && !dt_anchor_is_said(text, end)) {
        if (heading && dt_anchor_is_own(t)) {
            t->own_at = 1
                        + (size_t) ((const char *) memrchr(
                                        t->line.data, DT_OP_LINK, t->line.len)
                                    - t->line.data);
        }

        return;
    }

    if (heading ? sign || t->fragment.len : dt_anchor_is_own(t)) {
        dt_inline_unlink(t);
    }
}


void
dt_anchor_heading(dt_text_t *t)
{
    char *line = t->line.data, *end = line + t->line.len, *p, *q;

    if (t->own_at == 0 || t->own_at > t->line.len) {
        return;
    }

    p = line + t->own_at - 1;
    t->own_at = 0;

    for (q = line; q < p; q++) {
        if ((unsigned char) *q > ' ') {
            return;
        }
    }

    q = memchr(p, DT_OP_LINK_END, (size_t) (end - p));

    if (q == NULL || *p != DT_OP_LINK) {
        return;
    }

    for (line = q; line < end; line++) {
        if ((unsigned char) *line > ' ') {
            return;
        }
    }

    *q = DT_OP_NONE;
    q = memchr(p, DT_OP_URL, (size_t) (end - p));
    memset(p, DT_OP_NONE, (size_t) (q - p) + 1);
}


int
dt_anchor_is_listing(dt_text_t *t)
{
    unsigned words = 0, link = 0, lines = 0, linked = 0, in = 0;
    const char *p = t->scan.token.end, *start = p, *end = t->end;

    if (t->looked > (size_t) (end - t->page)) {
        /* they have no ends of their own */
        return 0;
    }

    for (; p < end; p++) {
        if (*p == '\n') {
            lines += words || link;
            linked += link;
            words = 0;
            link = 0;

        } else if (*p == '<') {
            p++;

            if (p == end || *p != '/') {
                in = in || dt_attr_is_tag(p, end, "a");

            } else if (dt_attr_is_tag(p, end, "/pre")
                       || dt_attr_is_tag(p, end, "/listing"))
            {
                break;

            } else {
                in = in && !dt_attr_is_tag(p, end, "/a");
            }

            p = dt_find(p, end, '>');

            if (p == end) {
                break;
            }

        } else if ((unsigned char) *p > ' ') {
            words = 1;
            link |= in && !(*p >= '0' && *p <= '9');
        }
    }

    t->looked += (size_t) (p - start);
    lines += words || link;
    linked += link;

    return linked && 2 * linked >= lines;
}
