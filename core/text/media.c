
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

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


/* the attributes of a tag that name a picture or a frame */
enum { DT_MEDIA_LATE = 0, DT_MEDIA_SRC, DT_MEDIA_SET, DT_MEDIA_NAMES };


/* whether the name of an attribute ends with another one, in lower case */
static int
dt_media_ends(const dt_attr_t *a, const char *name)
{
    size_t len = strlen(name);

    return (size_t) (a->stop - a->name) >= len
           && strncasecmp(a->stop - len, name, len) == 0;
}


/*
 * The kind of an attribute, or DT_MEDIA_NAMES: scripts take the URL that they
 * load late from one that ends with "src", or says that it is lazy.
 */
static unsigned
dt_media_kind(const dt_attr_t *a)
{
    static const char *const names[] = { "data-original", "data-url",
                                         "data-image", "data-echo" };
    size_t i, len = (size_t) (a->stop - a->name);
    const char *p = a->value;

    if (p == NULL || dt_skip_white(p, a->end) == a->end
        || (a->end - p > 5 && strncasecmp(p, "data:", 5) == 0))
    {
        return DT_MEDIA_NAMES;
    }

    if (dt_media_ends(a, "srcset")) {
        return DT_MEDIA_SET;
    }

    if (dt_media_ends(a, "src")) {
        return len == 3 ? DT_MEDIA_SRC : DT_MEDIA_LATE;
    }

    for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strlen(names[i]) == len && dt_media_ends(a, names[i])) {
            return DT_MEDIA_LATE;
        }
    }

    return dt_str_has(a->name, a->stop, "lazy")
                   && memchr(p, '/', (size_t) (a->end - p)) != NULL
               ? DT_MEDIA_LATE
               : DT_MEDIA_NAMES;
}


/* the values of the first attributes of each kind; those that are missing are
   empty */
static void
dt_media_names(const dt_text_t *t, dt_str_t *named)
{
    int closed;
    unsigned kind;
    const char *p = t->scan.token.rest;
    dt_attr_t a;

    memset(named, 0, DT_MEDIA_NAMES * sizeof(*named));

    while ((p = dt_token_any(&a, p, t->scan.token.end, &closed)) != NULL
           && a.name < a.stop)
    {
        kind = dt_media_kind(&a);

        if (kind < DT_MEDIA_NAMES && named[kind].len == 0) {
            named[kind] = (dt_str_t){ (size_t) (a.end - a.value), a.value };
        }
    }
}


/* the URL of what the tag shows */
static size_t
dt_media_url(const dt_text_t *t, const dt_str_t *named, char *buf, size_t size)
{
    size_t i, len = 0;

    for (i = DT_MEDIA_LATE; i <= DT_MEDIA_SRC && len == 0; i++) {
        if (named[i].len) {
            len = dt_attr_link(t, named[i].data, named[i].data + named[i].len,
                               1, buf, size);
        }
    }

    return len;
}


/* the same of a picture, which may have several sizes, or those that stand
   before it in its element */
static size_t
dt_media_picture(dt_text_t *t, char *buf, size_t size)
{
    dt_str_t named[DT_MEDIA_NAMES], set;
    size_t len;

    dt_media_names(t, named);
    set = named[DT_MEDIA_SET].len ? named[DT_MEDIA_SET] : t->source;
    t->source = dt_str("");
    len = dt_media_url(t, named, buf, size);

    return len || set.len == 0
               ? len
               : dt_media_srcset(t, set.data, set.data + set.len, buf, size);
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


void
dt_media_source(dt_text_t *t)
{
    dt_str_t named[DT_MEDIA_NAMES];

    dt_media_names(t, named);
    t->source = t->source.len ? t->source : named[DT_MEDIA_SET];
}


int
dt_media_link(dt_text_t *t)
{
    char url[DT_TEXT_URL], title[DT_TEXT_FIELD];
    size_t n, len;
    const char *p, *end;
    dt_str_t named[DT_MEDIA_NAMES];

    dt_media_names(t, named);
    len =
        named[DT_MEDIA_SRC].len ? dt_media_url(t, named, url, sizeof(url)) : 0;

    if (len == 0 || dt_media_is_tiny(t)) {
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
