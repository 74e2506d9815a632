
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/base/dt.h"


dt_str_t
dt_str_trim(dt_str_t s)
{
    while (s.len && (unsigned char) s.data[0] <= ' ') {
        s.data++;
        s.len--;
    }

    while (s.len && (unsigned char) s.data[s.len - 1] <= ' ') {
        s.len--;
    }

    return s;
}


dt_str_t
dt_str_part(dt_str_t *rest, const char *ends)
{
    size_t n = 0;
    const char *p = rest->data;

    while (n < rest->len && (p[n] == '\0' || strchr(ends, p[n]) == NULL)) {
        n++;
    }

    rest->data += n + (n < rest->len);
    rest->len -= n + (n < rest->len);

    return (dt_str_t){ n, p };
}


int
dt_str_field(dt_str_t line, dt_str_t *name, dt_str_t *value)
{
    const char *p = line.len ? memchr(line.data, ':', line.len) : NULL;

    if (p == NULL) {
        return 0;
    }

    *name = dt_str_trim((dt_str_t){ (size_t) (p - line.data), line.data });
    *value = dt_str_trim(
        (dt_str_t){ line.len - (size_t) (p - line.data) - 1, p + 1 });

    return 1;
}


int
dt_str_among(dt_str_t s, const char *const *list)
{
    while (*list != NULL && !dt_str_eq(s, dt_cstr(*list))) {
        list++;
    }

    return *list != NULL;
}


int
dt_str_has(const char *p, const char *end, const char *word)
{
    size_t len = strlen(word);

    while ((size_t) (end - p) >= len
           && ((*p ^ *word) & ~0x20 || strncasecmp(p, word, len) != 0))
    {
        p++;
    }

    return (size_t) (end - p) >= len;
}


int
dt_str_case_eq(dt_str_t a, dt_str_t b)
{
    size_t i;

    if (a.len != b.len) {
        return 0;
    }

    for (i = 0; i < a.len; i++) {
        if (dt_lower(a.data[i]) != dt_lower(b.data[i])) {
            return 0;
        }
    }

    return 1;
}


int
dt_str_number(dt_str_t s, uint64_t max, uint64_t *n)
{
    uint64_t digit, value = 0;

    for (size_t i = 0; i < s.len; i++) {
        digit = (uint64_t) (unsigned char) s.data[i] - '0';

        if (digit > 9 || digit > max || value > (max - digit) / 10) {
            return 0;
        }

        value = value * 10 + digit;
    }

    if (s.len == 0) {
        return 0;
    }

    *n = value;

    return 1;
}


int
dt_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c = dt_lower(c);

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


int
dt_percent_decode(dt_str_t s)
{
    int high, low;

    if (s.len < 3 || s.data[0] != '%') {
        return -1;
    }

    high = dt_hex(s.data[1]);
    low = dt_hex(s.data[2]);

    return high < 0 || low < 0 ? -1 : high * 16 + low;
}


size_t
dt_percent_copy(dt_str_t s, char *out, size_t size)
{
    int c;
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        if (c == '%') {
            c = dt_percent_decode((dt_str_t){ s.len - i, s.data + i });
            i += 2;
        }

        if (c < 0 || n == size) {
            return SIZE_MAX;
        }

        out[n++] = (char) c;
    }

    return n;
}


size_t
dt_href_clean(dt_str_t href, char *out)
{
    int behind = 0;
    char c, *p = out;
    size_t i;

    for (i = 0; i < href.len; i++) {
        c = href.data[i];

        if (c == '\t' || c == '\n' || c == '\r') {
            continue;
        }

        behind |= c == '?' || c == '#';
        *p++ = c == '\\' && !behind ? '/' : c;
    }

    return (size_t) (p - out);
}


char *
dt_percent_encode(char *p, unsigned char c)
{
    static const char hex[] = "0123456789ABCDEF";

    *p++ = '%';
    *p++ = hex[c >> 4];
    *p++ = hex[c & 15];

    return p;
}


char *
dt_json_escape(char *out, const char *p, size_t len)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char c;

    for (; len; p++, len--) {
        c = (unsigned char) *p;

        if (c >= ' ' && c != '"' && c != '\\') {
            *out++ = *p;
            continue;
        }

        *out++ = '\\';

        if (c >= ' ' || c == '\n') {
            *out++ = c == '\n' ? 'n' : *p;
            continue;
        }

        memcpy(out, "u00", 3);
        out[3] = hex[c >> 4];
        out[4] = hex[c & 0xf];
        out += 5;
    }

    return out;
}


const char *
dt_strstatus(dt_status_t rc)
{
    static const char *const names[] = {
        "ok", "declined", "out of memory", "limit", "invalid", "i/o", "bug",
    };

    return (size_t) rc < sizeof(names) / sizeof(names[0]) ? names[rc] : "?";
}


int64_t
dt_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);

    return (int64_t) t.tv_sec * 1000000 + t.tv_nsec / 1000;
}


int64_t
dt_now(void)
{
    return dt_now_us() / 1000;
}
