
/*
 * Copyright (C) The detemplate authors
 *
 * RFC 3986, 5.2, without what a page cannot ask for.
 */


#include "core/base/str.h"
#include "core/text/link.h"
#include "core/base/reference.h"


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


/* what most URLs consist of, and is never escaped; 2: dots may be a segment */
static const uint8_t dt_url_plain[256] = {
    ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1,
    ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1,
    ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1,
    ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1,
    ['y'] = 1, ['z'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1,
    ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1,
    ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1,
    ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1,
    ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['0'] = 1, ['1'] = 1,
    ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1,
    ['8'] = 1, ['9'] = 1, ['-'] = 1, ['_'] = 1, ['.'] = 2, ['~'] = 1,
    ['/'] = 1, [':'] = 1, ['?'] = 1, ['#'] = 1, ['='] = 1, ['%'] = 1,
    ['+'] = 1, [','] = 1, [';'] = 1, ['@'] = 1, ['!'] = 1, ['$'] = 1,
    ['*'] = 1,
};


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


/* resolves what is relative, and begins with neither "//" nor a scheme */
static void
dt_join_relative(dt_join_t *j, dt_str_t base, const char *p, const char *end)
{
    static const char slash = '/';
    size_t path;
    const char *root, *last, *query, *stop;

    last = base.data + base.len;
    root = dt_link_scheme(base.data, last);

    if (root == NULL || last - root < 2) {
        j->len = j->size + 1;
        return;
    }

    root = dt_link_any(root + 2, last, "/?#");
    stop = dt_link_any(root, last, "?#");
    query = dt_link_any(stop, last, "#");

    if (p == end || *p == '#') {
        dt_join_add(j, base.data, query);
        dt_join_add(j, p, end);
        return;
    }

    if (*p == '?') {
        dt_join_add(j, base.data, stop);
        dt_join_add(j, p, end);
        return;
    }

    dt_join_add(j, base.data, root);
    path = j->len;
    dt_join_add(j, &slash, &slash + 1);

    if (*p == '/') {
        p++;

    } else if (j->len <= j->size) {
        while (stop > root && stop[-1] != '/') {
            stop--;
        }

        dt_join_path(j, path, root + (root < stop), stop);
    }

    query = dt_link_any(p, end, "?#");

    if (j->len <= j->size) {
        dt_join_path(j, path, p, query);
    }

    if (j->len <= j->size) {
        dt_join_add(j, query, end);
    }
}


size_t
dt_link_join(dt_str_t base, dt_str_t ref, char *out, size_t size)
{
    const char *p, *end, *scheme;
    dt_join_t j = { out, 0, size };

    ref = dt_str_trim(ref);
    p = ref.data;
    end = p + ref.len;
    scheme = dt_link_scheme(p, end);

    if (scheme != NULL) {
        dt_join_add(&j, p, end);

    } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        scheme = dt_link_scheme(base.data, base.data + base.len);

        if (scheme == NULL) {
            return 0;
        }

        dt_join_add(&j, base.data, scheme);
        dt_join_add(&j, p, end);

    } else {
        dt_join_relative(&j, base, p, end);
    }

    return j.len <= j.size ? j.len : 0;
}


/* whether [p, end) is written as it is, and no segment begins with a dot */
static int
dt_url_is_plain(const char *p, const char *end)
{
    const char *q;

    for (q = p; q < end; q++) {
        if (dt_url_plain[(unsigned char) *q] != 1
            && (*q != '.' || q == p || q[-1] == '/'))
        {
            return 0;
        }
    }

    return 1;
}


/* whether what is at p begins with the scheme of the web */
static int
dt_url_is_web(const char *p, const char *end)
{
    return end - p > 8
           && (memcmp(p, "http://", 7) == 0 || memcmp(p, "https://", 8) == 0);
}


void
dt_base_set(dt_base_t *b, dt_str_t url)
{
    const char *p, *q, *end;

    b->len = url.len <= sizeof(b->data) ? url.len : 0;
    memcpy(b->data, url.data, b->len);
    p = b->data;
    end = dt_link_any(p, p + b->len, "#");
    b->query = 0;

    if (!dt_url_is_web(p, end) || !dt_url_is_plain(p, end)) {
        return;
    }

    q = dt_link_any(p + (p[4] == 's' ? 8 : 7), end, "/?");

    if (q == end || *q == '?') {
        return;
    }

    b->root = (size_t) (q - p);
    q = dt_link_any(q, end, "?");
    b->path = (size_t) (q - p);
    b->query = (size_t) (end - p);

    while (q[-1] != '/') {
        q--;
    }

    b->dir = (size_t) (q - p);
}


size_t
dt_link_plain(const dt_base_t *b, const char *p, const char *end, char *out,
              size_t size)
{
    size_t n, len;

    if (b->query == 0 || p == end) {
        return 0;
    }

    switch (*p) {

    case '#':
        n = b->query;
        break;

    case '?':
        n = b->path;
        break;

    case '/':
        if (end - p > 1 && p[1] == '/') {
            return 0;
        }

        n = b->root;
        break;

    default:
        n = dt_url_is_web(p, end) ? 0 : b->dir;

        if (n && memchr(p, ':', (size_t) (end - p)) != NULL) {
            return 0;
        }

        for (; end - p > 3 && memcmp(p, "../", 3) == 0; p += 3) {
            while (n > b->root + 1 && b->data[--n - 1] != '/') {
                /* void */
            }
        }
    }

    len = (size_t) (end - p);

    if (n + len + 5 > size || !dt_url_is_plain(p, end)) {
        return 0;
    }

    memcpy(out, b->data, n);
    memcpy(out + n, p, len);

    return n + len;
}


/* whether the parentheses of a URL are in pairs */
static int
dt_link_pairs(dt_str_t url)
{
    size_t i;
    int open = 0;

    for (i = 0; i < url.len && open >= 0; i++) {
        open += (url.data[i] == '(') - (url.data[i] == ')');
    }

    return open == 0;
}


size_t
dt_link_target(dt_str_t url, int target, char *out, size_t size)
{
    static const char *const none[] = { "javascript:", "data:", "vbscript:",
                                        "about:",      "blob:", "file:" };
    int pairs;
    size_t i, n;
    const char *p, *end = url.data + url.len;
    char *q = out;

    for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
        n = strlen(none[i]);

        if (url.len >= n
            && dt_str_case_eq((dt_str_t){ n, url.data }, dt_cstr(none[i])))
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

        if (dt_url_plain[(unsigned char) *p]) {
            *q++ = *p;
            continue;
        }

        if ((unsigned char) *p <= ' ' || *p == 0x7f
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
