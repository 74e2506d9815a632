
/*
 * Copyright (C) The detemplate authors
 *
 * RFC 3986, 5.2, without the cases that a page cannot ask for.
 */


#include "core/base/find.h"
#include "core/base/dt.h"
#include "core/text/link.h"
#include "core/html/reference.h"
#include "core/text/bytes.h"


typedef struct {
    char *data;
    size_t len;
    size_t size; /* len is greater when something did not fit */
} dt_join_t;


static void
dt_join_add(dt_join_t *j, const char *p, const char *end)
{
    size_t n = (size_t) (end - p);

    if (n <= j->size - (j->len < j->size ? j->len : j->size)) {
        memcpy(j->data + j->len, p, n);
        j->len += n;

    } else {
        j->len = j->size + 1;
    }
}


/* the first of some bytes in [p, end), or end */
static const char *
dt_link_any(const char *p, const char *end, const char *any)
{
    const char *a;

    for (; p < end; p++) {
        for (a = any; *a && *a != *p; a++) {
            /* void */
        }

        if (*a) {
            break;
        }
    }

    return p;
}


/* behind the ':' of the scheme at p; NULL: there is none */
static const char *
dt_link_scheme(const char *p, const char *end)
{
    const char *q;

    for (q = p; q < end; q++) {
        if (*q == ':') {
            return q > p ? q + 1 : NULL;
        }

        if (!((*q | 0x20) >= 'a' && (*q | 0x20) <= 'z')
            && (q == p
                || !((*q >= '0' && *q <= '9') || *q == '+' || *q == '-'
                     || *q == '.')))
        {
            return NULL;
        }
    }

    return NULL;
}


/* removes the last segment of a path that begins at an offset */
static void
dt_join_up(dt_join_t *j, size_t path)
{
    while (j->len > path && j->data[j->len - 1] != '/') {
        j->len--;
    }
}


/*
 * Adds the segments of [p, end) to a path that begins at an offset, and ends
 * with '/' or is empty, without "." and "..".
 */
static void
dt_join_path(dt_join_t *j, size_t path, const char *p, const char *end)
{
    size_t n;
    const char *q;

    for (; p < end && j->len <= j->size; p = q) {
        q = dt_link_any(p, end, "/");
        n = (size_t) (q - p);
        q += q < end;

        if (n == 1 && p[0] == '.') {
            continue;
        }

        if (n == 2 && p[0] == '.' && p[1] == '.') {
            if (j->len > path + 1) {
                j->len--;
                dt_join_up(j, path);
            }

            continue;
        }

        dt_join_add(j, p, q);
    }
}


/* resolves a reference that begins with neither "//" nor a scheme */
static void
dt_join_relative(dt_join_t *j, const dt_base_t *b, const char *p,
                 const char *end)
{
    static const char slash = '/';
    const char *query, *root = b->data + b->root;

    if (p == end || *p == '#' || *p == '?') {
        dt_join_add(j, b->data,
                    b->data + (p < end && *p == '?' ? b->path : b->query));
        dt_join_add(j, p, end);
        return;
    }

    dt_join_add(j, b->data, root);
    dt_join_add(j, &slash, &slash + 1);

    if (*p == '/') {
        p++;

    } else if (b->dir > b->root) {
        dt_join_path(j, b->root, root + 1, b->data + b->dir);
    }

    query = dt_link_any(p, end, "?#");
    dt_join_path(j, b->root, p, query);

    if (j->len <= j->size) {
        dt_join_add(j, query, end);
    }
}


size_t
dt_link_join(const dt_base_t *b, dt_str_t ref, char *out, size_t size)
{
    const char *p, *end;
    dt_join_t j = { out, 0, size };

    ref = dt_str_trim(ref);
    p = ref.data;
    end = p + ref.len;

    if (dt_link_scheme(p, end) != NULL) {
        dt_join_add(&j, p, end);

    } else if (b->scheme == 0) {
        return 0;

    } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        dt_join_add(&j, b->data, b->data + b->scheme);
        dt_join_add(&j, p, end);

    } else {
        dt_join_relative(&j, b, p, end);
    }

    return j.len <= j.size ? j.len : 0;
}


/*
 * Whether [p, end) is written as it is, and no segment in it begins with a
 * dot.  The byte before it can be read, and DT_BLOCK bytes behind it.
 */
static int
dt_url_is_plain(const char *p, const char *end)
{
    uint64_t odd;
    dt_block_t b, good;

    for (; p < end; p += DT_BLOCK) {
        b = dt_block_load(p);
        good = dt_block_or(dt_block_eq(b, '!'),
                           dt_block_or(dt_block_range(b, '#', '%'),
                                       dt_block_range(b, '*', ';')));
        good = dt_block_or(
            dt_block_or(good, dt_block_eq(b, '=')),
            dt_block_or(dt_block_range(b, '?', 'Z'), dt_block_eq(b, '_')));
        good = dt_block_or(dt_block_or(good, dt_block_eq(b, '~')),
                           dt_block_range(b, 'a', 'z'));
        good = dt_block_andnot(
            good, dt_block_and(dt_block_eq(b, '.'),
                               dt_block_eq(dt_block_load(p - 1), '/')));
        odd = dt_mask_bits(dt_block_mask(good) ^ DT_BLOCK_ALL);

        if (end - p < DT_BLOCK) {
            odd &= ((uint64_t) 1 << (end - p)) - 1;
        }

        if (odd) {
            return 0;
        }
    }

    return 1;
}


/* whether the URL at p begins with a scheme of the web */
static int
dt_url_is_web(const char *p, const char *end)
{
    return end - p > 8
           && (memcmp(p, "http://", 7) == 0 || memcmp(p, "https://", 8) == 0);
}


void
dt_base_set(dt_base_t *b, dt_str_t url)
{
    const char *p = b->data, *q, *end;

    memset(b, 0, offsetof(dt_base_t, data));

    if (url.len > DT_TEXT_URL) {
        return;
    }

    memcpy(b->data, url.data, url.len);
    end = p + url.len;
    q = dt_link_scheme(p, end);

    if (q == NULL || end - q < 2) {
        return;
    }

    b->scheme = (size_t) (q - p);
    q = dt_link_any(q + 2, end, "/?#");
    b->root = (size_t) (q - p);
    q = dt_link_any(q, end, "?#");
    b->path = (size_t) (q - p);
    end = dt_link_any(q, end, "#");
    b->query = (size_t) (end - p);

    for (b->dir = b->path; b->dir > b->root && p[b->dir - 1] != '/'; b->dir--)
    {
        /* void */
    }

    b->plain = b->dir > b->root && dt_url_is_web(p, end)
               && dt_url_is_plain(p + 1, end);
}


size_t
dt_link_plain(const dt_base_t *b, const char *p, const char *end, char *out,
              size_t size)
{
    size_t n, len;

    if (!b->plain || p == end || (end - p > 1 && p[0] == '/' && p[1] == '/')) {
        return 0;
    }

    n = *p == '#' ? b->query : *p == '?' ? b->path : *p == '/' ? b->root : 0;

    if (n == 0 && !dt_url_is_web(p, end)) {
        if (memchr(p, ':', (size_t) (end - p)) != NULL) {
            return 0;
        }

        for (n = b->dir; end - p > 3 && memcmp(p, "../", 3) == 0; p += 3) {
            while (n > b->root + 1 && b->data[--n - 1] != '/') {
                /* void */
            }
        }
    }

    len = (size_t) (end - p);

    if (n + len + DT_BLOCK > size) {
        return 0;
    }

    memcpy(out, b->data, n);
    memcpy(out + n, p, len);

    return dt_url_is_plain(out + (n ? n : 1), out + n + len) ? n + len : 0;
}


/* whether a byte stands in a Markdown link as it is, beside any others */
static inline int
dt_link_is_same(char c)
{
    static const uint32_t same[8] = {
        0, 0xaffffcba, /* signs and digits, but " & ( ) < > */
        0xafffffff,    /* capital letters and signs, but \\ ^ */
        0x47fffffe,    /* letters and ~, but ` { | } */
    };

    return same[(unsigned char) c >> 5] >> (c & 31) & 1;
}


/* whether the parentheses of a URL are in pairs */
static int
dt_link_pairs(dt_str_t url)
{
    int open = 0;
    const char *p, *end = url.data + url.len;

    for (p = dt_find_two(url.data, end, '(', ')'); p < end && open >= 0; p++) {
        open += (*p == '(') - (*p == ')');
    }

    return open == 0;
}


size_t
dt_link_target(dt_str_t url, int target, char *out, size_t size)
{
    static const char *const none[] = { "javascript:", "data:", "vbscript:",
                                        "about:",      "blob:", "file:" };
    int n, pairs;
    size_t i, len;
    uint32_t c;
    const char *p, *end = url.data + url.len, *odd = url.data;
    char *q = out;

    for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
        len = strlen(none[i]);

        if (url.len >= len
            && dt_str_case_eq((dt_str_t){ len, url.data }, dt_cstr(none[i])))
        {
            return 0;
        }
    }

    if (dt_link_scheme(url.data, end) == NULL) {
        return 0;
    }

    pairs = dt_link_pairs(url);

    for (p = url.data; p < end; p++) {
        if ((size_t) (q - out) + 5 > size) {
            return 0;
        }

        if (dt_link_is_same(*p)) {
            *q++ = *p;
            continue;
        }

        if (*p < 0 && (n = dt_utf8_get(p, end, &c)) > 0 && dt_text_is_odd(c)) {
            odd = p + n;
        }

        if (p < odd || (unsigned char) *p <= ' ' || *p == 0x7f
            || strchr("<>\"`|{}^\\", *p) != NULL
            || (!pairs && (*p == '(' || *p == ')')))
        {
            q = dt_percent_encode(q, (unsigned char) *p);

        } else if (target && *p == '&' && dt_reference_like(p, end)) {
            memcpy(q, "&amp;", 5);
            q += 5;

        } else {
            *q++ = *p;
        }
    }

    return (size_t) (q - out);
}
