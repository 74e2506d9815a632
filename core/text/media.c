
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/attr.h"
#include "core/text/inline.h"
#include "core/text/media.h"


/* the URL of the largest picture in a srcset: "url 300w, url 2x" */
static size_t
dt_media_srcset(const dt_text_t *t, const char *p, const char *end, char *buf,
                size_t size)
{
    long n, most = -1;
    const char *q, *first = p, *last = p;

    while (p < end) {
        while (p < end && (dt_char_is(*p, DT_C_SPACE) || *p == ',')) {
            p++;
        }

        for (q = p; q < end && !dt_char_is(*q, DT_C_SPACE); q++) {
            /* void */
        }

        /* its width or density, if any, is before the next comma */

        for (n = 0; q < end && dt_char_is(*q, DT_C_SPACE); q++) {
            /* void */
        }

        last = q;

        for (; q < end && *q >= '0' && *q <= '9' && n < 100000; q++) {
            n = 10 * n + *q - '0';
        }

        if (n > most && last > p && p < end) {
            most = n;
            first = p;
        }

        p = p < end ? memchr(q, ',', (size_t) (end - q)) : NULL;
        p = p ? p : end;
    }

    for (last = first; last < end && !dt_char_is(*last, DT_C_SPACE); last++) {
        /* void */
    }

    while (last > first && last[-1] == ',') {
        last--;
    }

    return first < last ? dt_attr_link(t, first, last, 1, buf, size) : 0;
}


/* where a picture is, whichever attribute names it */
static size_t
dt_media_picture(const dt_text_t *t, char *buf, size_t size)
{
    static const char *const names[] = { "src",           "data-src",
                                         "data-original", "data-lazy-src",
                                         "data-lazy",     "data-original-src",
                                         "data-url",      "data-image" };
    static const char *const sets[] = { "srcset", "data-srcset",
                                        "data-lazy-srcset" };
    size_t i, len;
    dt_attr_t a;

    for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (dt_attr_find(t, names[i], &a)
            && dt_skip_white(a.value, a.end) < a.end) {
            len = dt_attr_link(t, a.value, a.end, 1, buf, size);

            if (len) {
                return len;
            }
        }
    }

    for (i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
        if (dt_attr_find(t, sets[i], &a)) {
            len = dt_media_srcset(t, a.value, a.end, buf, size);

            if (len) {
                return len;
            }
        }
    }

    return 0;
}


/* whether a frame or a picture is too small to be seen */
static int
dt_media_is_tiny(const dt_text_t *t)
{
    static const char *const names[] = { "width", "height" };
    size_t i;
    dt_attr_t a;

    for (i = 0; i < 2; i++) {
        if (dt_token_find(&t->scan.token, names[i], &a) && a.value != NULL
            && a.end - a.value == 1 && (*a.value == '0' || *a.value == '1'))
        {
            return 1;
        }
    }

    return 0;
}


/* whether the tag is in a noscript, for those that execute no scripts */
static int
dt_media_is_spare(const dt_text_t *t)
{
    unsigned n = t->scan.depth;

    while (n && t->scan.stack[n].name != DT_NAME_NOSCRIPT) {
        n--;
    }

    return n || t->scan.nest.name == DT_NAME_NOSCRIPT;
}


/* whether the picture is the last one again: a script shows one of them, and
   the other is in a noscript */
static int
dt_media_is_double(dt_text_t *t, dt_str_t alt, dt_str_t url)
{
    int spare = dt_media_is_spare(t), again;
    uint64_t says = alt.len ? dt_hash(alt.data, alt.len, 0) : 0;
    uint64_t at = dt_hash(url.data, url.len, 0);

    again = at == t->picture && (says == 0 || says == t->picture_says)
            && (spare || t->picture_spare);

    t->picture = at;
    t->picture_says = says;
    t->picture_spare = spare && !again;

    return again;
}


void
dt_media_image(dt_text_t *t)
{
    char url[DT_TEXT_URL], alt[DT_TEXT_FIELD];
    size_t len = dt_media_picture(t, url, sizeof(url));
    size_t n = dt_attr_short(t, "alt", alt, sizeof(alt));

    if (len
        && ((n == 0 && dt_media_is_tiny(t))
            || dt_media_is_double(t, (dt_str_t){ n, alt },
                                  (dt_str_t){ len, url })))
    {
        dt_inline_gap(t);
        return;
    }

    if (t->o->plain || len == 0) {
        dt_inline_gap(t);
    }

    if (len && !t->o->plain) {
        dt_inline_image(t, alt, n, url, len);

    } else if (len == 0 && n) {
        dt_inline_words(t, alt, n);
    }

    if (t->o->plain || len == 0) {
        dt_inline_gap(t);
    }
}


int
dt_media_link(dt_text_t *t)
{
    char url[DT_TEXT_URL], title[DT_TEXT_FIELD];
    size_t n, len = dt_attr_url(t, "src", 1, url, sizeof(url));
    const char *p, *end;
    dt_attr_t a;

    if (len == 0 || !dt_attr_find(t, "src", &a) || a.value == a.end
        || dt_media_is_tiny(t))
    {
        return 0;
    }

    n = dt_attr_short(t, "title", title, sizeof(title));

    if (n) {
        dt_inline_linked(t, title, n, url, len);
        return 1;
    }

    /* the last part of its path */

    for (end = url; end < url + len && *end != '?' && *end != '#'; end++) {
        /* void */
    }

    for (p = end; p > url && p[-1] != '/'; p--) {
        /* void */
    }

    if (p == end) {
        p = url;
    }

    dt_inline_linked(t, p, (size_t) (end - p), url, len);

    return 1;
}
