
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>
#include <strings.h>

#include "core/text/attr.h"
#include "core/html/reference.h"


int
dt_attr_is_tag(const char *p, const char *end, const char *name)
{
    size_t len = strlen(name);

    return (size_t) (end - p) > len && strncasecmp(p, name, len) == 0
           && dt_char_is(p[len], DT_C_NAME_END);
}


/* whether a name, in lower case, is all of an attribute's name, or its end
   behind a byte that ends names */
static inline int
dt_attr_ends(const dt_attr_t *a, const char *name)
{
    const char *p = a->stop, *q = name + strlen(name);

    while (q > name && p > a->name && (p[-1] | 0x20) == q[-1]) {
        p--;
        q--;
    }

    return q == name && (p == a->name || dt_char_is(p[-1], DT_C_NAME_END));
}


/* dt_token_read() keeps the attributes of a regular tag */
int
dt_attr_find(const dt_text_t *t, const char *name, dt_attr_t *a)
{
    unsigned i;
    const dt_token_t *token = &t->scan.token;

    if (*token->rest == '>') {
        return 0;
    }

    if (!token->regular) {
        return dt_token_find(&t->scan.token, name, a) && a->value != NULL;
    }

    for (i = 0; i < token->n; i++) {
        if (dt_attr_ends(&token->attrs[i], name)) {
            *a = token->attrs[i];
            return 1;
        }
    }

    return 0;
}


/* whether a character is white space, or one that no YAML may have */
static int
dt_attr_is_space(uint32_t c)
{
    return c <= ' ' || (c >= 0x7f && c <= 0xa0) || c == 0x2028 || c == 0x2029
           || (c & 0xfffe) == 0xfffe;
}


/* adds a character to the *n bytes in buf, white space as a single space, but
   in a URL as it is; 0: it does not fit */
static int
dt_attr_put(char *buf, size_t *n, size_t size, uint32_t c, dt_source_t source)
{
    if (dt_attr_is_space(c) && (source != DT_SOURCE_URL || c > ' ')) {
        if (*n == 0 || buf[*n - 1] == ' ') {
            return 1;
        }

        c = ' ';

    } else if (source != DT_SOURCE_URL ? dt_text_is_odd(c) : c == 0xfeff) {
        return 1;
    }

    if (*n + 4 > size) {
        return 0;
    }

    *n = (size_t) (dt_utf8_put(buf + *n, c) - buf);

    return 1;
}


int
dt_attr_decode(const dt_text_t *t, const char *p, const char *end,
               dt_source_t source, char *buf, size_t *len, size_t size)
{
    int n;
    uint32_t c[2];

    for (; p < end; p += n) {
        n = 1;
        c[1] = 0;

        if (*p < 0x7f && *p != '&' && *len + 4 <= size
            && (*p > ' ' || (*p == ' ' && *len && buf[*len - 1] != ' ')))
        {
            buf[(*len)++] = *p;
            continue;
        }

        n = *p == '&'
                ? dt_reference_read(p, end, source != DT_SOURCE_TEXT, 1, c)
                : dt_utf8_get(p, end, c);

        if (n <= 0 || c[0] == 0) {
            n = 1;
            c[0] = *p >= 0      ? (uint32_t) *p
                   : t->windows ? dt_windows_char((unsigned char) *p)
                                : 0xfffd;
        }

        if (!dt_attr_put(buf, len, size, c[0], source)
            || (c[1] && !dt_attr_put(buf, len, size, c[1], source)))
        {
            return 0;
        }
    }

    return 1;
}


ptrdiff_t
dt_attr_value(const dt_text_t *t, const char *name, char *buf, size_t size)
{
    size_t len = 0;
    dt_attr_t a;

    if (!dt_attr_find(t, name, &a)
        || !dt_attr_decode(t, a.value, a.end, DT_SOURCE_VALUE, buf, &len,
                           size))
    {
        return -1;
    }

    while (len && buf[len - 1] == ' ') {
        len--;
    }

    return (ptrdiff_t) len;
}


long
dt_attr_number(const dt_text_t *t, const char *name)
{
    char buf[16], *behind;
    ptrdiff_t n = dt_attr_value(t, name, buf, sizeof(buf) - 1);
    long value;

    if (n <= 0) {
        return -1;
    }

    buf[n] = '\0';
    value = strtol(buf, &behind, 10);

    if (behind == buf) {
        return -1;
    }

    return value >= 0 && value < 900000000 ? value : -2;
}


/* the same as dt_attr_link() of a URL that must be looked at */
static __attribute__((noinline)) size_t
dt_attr_join(const dt_text_t *t, const char *p, const char *end, int target,
             char *buf, size_t size)
{
    char value[DT_TEXT_URL], url[DT_TEXT_URL];
    size_t len = 0;

    if (!dt_attr_decode(t, p, end, DT_SOURCE_URL, value, &len, sizeof(value)))
    {
        return 0;
    }

    len = dt_href_clean((dt_str_t){ len, value }, value);
    len = dt_link_join(&t->base, (dt_str_t){ len, value }, url, sizeof(url));

    return len ? dt_link_target((dt_str_t){ len, url }, target, buf, size) : 0;
}


size_t
dt_attr_link(const dt_text_t *t, const char *p, const char *end, int target,
             char *buf, size_t size)
{
    size_t len = dt_link_plain(&t->base, p, end, buf, size);

    return len ? len : dt_attr_join(t, p, end, target, buf, size);
}


size_t
dt_attr_url(const dt_text_t *t, const char *name, int target, char *buf,
            size_t size)
{
    dt_attr_t a;

    return dt_attr_find(t, name, &a)
               ? dt_attr_link(t, a.value, a.end, target, buf, size)
               : 0;
}


int
dt_attr_has(const dt_text_t *t, const char *name, const char *value)
{
    dt_attr_t a;

    return dt_token_find(&t->scan.token, name, &a)
           && (value == NULL
               || (a.value != NULL
                   && (size_t) (a.end - a.value) == strlen(value)
                   && strncasecmp(a.value, value, strlen(value)) == 0));
}


size_t
dt_attr_short(const dt_text_t *t, const char *name, char *buf, size_t size)
{
    size_t len = 0;
    dt_attr_t a;

    if (!dt_attr_find(t, name, &a)) {
        return 0;
    }

    if (!dt_attr_decode(t, a.value, a.end, DT_SOURCE_VALUE, buf, &len, size)
        && memrchr(buf, ' ', len) != NULL)
    {
        len = (size_t) ((char *) memrchr(buf, ' ', len) - buf);
    }

    while (len && buf[len - 1] == ' ') {
        len--;
    }

    return len;
}
