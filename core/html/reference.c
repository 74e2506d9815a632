
/*
 * Copyright (C) The detemplate authors
 *
 * Character references as the standard has them, 13.2.5.72: the longest name
 * counts, and some names of old need no semicolon.
 */


#include "core/html/reference.h"
#include "core/base/dt.h"
#include "core/base/hash.h"
#include "core/base/tags.h"
#include "core/html/references.h"


#define DT_REFERENCE_OLD 6 /* bytes of the longest name without semicolon */
#define DT_REFERENCE_SHORT ((uint32_t) 1 << 31)


static const uint16_t dt_windows[32] = {
    0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
    0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
    0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
};


uint32_t
dt_windows_char(unsigned char c)
{
    return c >= 0x80 && c < 0xa0 ? dt_windows[c - 0x80] : c;
}


char *
dt_utf8_put(char *p, uint32_t c)
{
    if (c < 0x80) {
        *p++ = (char) c;

    } else if (c < 0x800) {
        *p++ = (char) (0xc0 | c >> 6);
        *p++ = (char) (0x80 | (c & 0x3f));

    } else if (c < 0x10000) {
        *p++ = (char) (0xe0 | c >> 12);
        *p++ = (char) (0x80 | (c >> 6 & 0x3f));
        *p++ = (char) (0x80 | (c & 0x3f));

    } else {
        *p++ = (char) (0xf0 | c >> 18);
        *p++ = (char) (0x80 | (c >> 12 & 0x3f));
        *p++ = (char) (0x80 | (c >> 6 & 0x3f));
        *p++ = (char) (0x80 | (c & 0x3f));
    }

    return p;
}


int
dt_utf8_get(const char *p, const char *end, uint32_t *c)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *u = (const unsigned char *) p;
    int i, n;

    n = u[0] < 0x80                   ? 1
        : u[0] >= 0xc2 && u[0] < 0xe0 ? 2
        : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
        : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
                                      : 0;

    *c = n > 1 ? u[0] & (0x7fu >> n) : u[0];

    for (i = 1; i < n; i++) {
        if (p + i == end) {
            return -1;
        }

        if ((u[i] & 0xc0) != 0x80) {
            return 0;
        }

        *c = *c << 6 | (u[i] & 0x3fu);
    }

    return n && *c >= least[n] && *c < 0x110000 && (*c & 0xfffff800) != 0xd800
               ? n
               : 0;
}


/* the digits at p, behind "&#" */
static int
dt_reference_number(const char *start, const char *p, const char *end,
                    int last, uint32_t *c)
{
    int digit, base = 10;
    uint32_t n = 0;
    const char *digits;

    if (p < end && (*p | 0x20) == 'x') {
        base = 16;
        p++;
    }

    for (digits = p; p < end; p++) {
        digit = dt_hex(*p);
        if (digit < 0 || digit >= base) {
            break;
        }

        n = n < 0x110000 ? n * (uint32_t) base + (uint32_t) digit : n;
    }

    if (p == end && !last) {
        return -1;
    }

    if (p == digits) {
        return 0;
    }

    *c = n >= 0x80 && n < 0xa0 ? dt_windows_char((unsigned char) n)
         : n == 0 || n >= 0x110000 || (n & 0xfffff800) == 0xd800 ? 0xfffd
                                                                 : n;

    return (int) (p - start) + (p < end && *p == ';');
}


/* the entry of dt_reference_chars for a name of len bytes, or 0 */
static uint32_t
dt_reference_find(const char *name, size_t len)
{
    static const struct {
        uint64_t name;
        uint32_t c;
    } often[] = { { dt_letters('l', 't', 0, 0, 0, 0, 0, 0), '<' },
                  { dt_letters('g', 't', 0, 0, 0, 0, 0, 0), '>' },
                  { dt_letters('a', 'm', 'p', 0, 0, 0, 0, 0), '&' },
                  { dt_letters('q', 'u', 'o', 't', 0, 0, 0, 0), '"' },
                  { dt_letters('n', 'b', 's', 'p', 0, 0, 0, 0), 0xa0 } };
    int rc;
    size_t i, n, low = 0;
    size_t high = sizeof(dt_reference_chars) / sizeof(*dt_reference_chars);
    const char *at;

    for (i = 0; len <= 4 && i < sizeof(often) / sizeof(*often); i++) {
        if (dt_load_tail(name, len) == often[i].name) {
            return often[i].c | DT_REFERENCE_SHORT;
        }
    }

    while (low < high) {
        i = (low + high) / 2;
        at = dt_reference_names + dt_reference_at[i];
        n = (size_t) (dt_reference_at[i + 1] - dt_reference_at[i]) - 1;
        rc = *name - *at;
        rc = rc ? rc : memcmp(name, at, len < n ? len : n);

        if (rc == 0 && len == n) {
            return dt_reference_chars[i];
        }

        if (rc > 0 || (rc == 0 && len > n)) {
            low = i + 1;

        } else {
            high = i;
        }
    }

    return 0;
}


static int
dt_reference_is(uint32_t found, size_t len, uint32_t c[2])
{
    c[0] = found & 0xffffff;
    c[1] = dt_reference_marks[found >> 24 & 0xf];

    return (int) len;
}


int
dt_reference_like(const char *p, const char *end)
{
    const char *q;

    for (q = p + 1; q < end && (dt_is_alnum(*q) || *q == '#'); q++) {
        /* void */
    }

    return q > p + 1 && q < end && *q == ';';
}


int
dt_reference_read(const char *p, const char *end, int value, int last,
                  uint32_t c[2])
{
    size_t len, n;
    uint32_t found;
    const char *name = p + 1;

    c[0] = c[1] = 0;

    if (end - p > DT_REFERENCE_MAX) {
        end = p + DT_REFERENCE_MAX;
        last = 1;
    }

    if (name < end && *name == '#') {
        return dt_reference_number(p, name + 1, end, last, c);
    }

    for (p = name; p < end && dt_is_alnum(*p); p++) {
        /* void */
    }

    if (p == end && !last) {
        return -1;
    }

    len = (size_t) (p - name);

    if (p < end && *p == ';' && len) {
        found = dt_reference_find(name, len);

        if (found) {
            return dt_reference_is(found, len + 2, c);
        }
    }

    for (n = len < DT_REFERENCE_OLD ? len : DT_REFERENCE_OLD; n > 1; n--) {
        found = dt_reference_find(name, n);

        if (found & DT_REFERENCE_SHORT) {
            return value && (n < len || (p < end && *p == '='))
                       ? 0
                       : dt_reference_is(found, n + 1, c);
        }
    }

    return 0;
}
