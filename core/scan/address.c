
/*
 * Copyright (C) The detemplate authors
 *
 * The target of a link, in each of its forms: "../a.html", "/x/a.html" and
 * "http://host/x/a.html" on the page /x/y/b.html are one.  A URL of the
 * page's own host is hashed directory by directory, so that a relative link
 * begins with the hash of the directory it is relative to; nothing is built or
 * copied.
 */


#include "core/base/dt.h"
#include "core/base/page.h"
#include "core/scan/address.h"


/* seeds: of URLs that are hashed whole, and of queries */
#define DT_ADDRESS_OTHER 0x6f74686572u
#define DT_ADDRESS_QUERY 0x7175657279u

#define DT_ADDRESS_HASH 16 /* bytes of the shortest hash in any letters */
#define DT_ADDRESS_TIME 8  /* and of the shortest time */

#define DT_ADDRESS_HTTP dt_letters('h', 't', 't', 'p', 0, 0, 0, 0)
#define DT_ADDRESS_HTTPS dt_letters('h', 't', 't', 'p', 's', 0, 0, 0)


static int
dt_address_same(dt_str_t a, const char *p, size_t len)
{
    if (a.len == 0 || a.len != len) {
        return 0;
    }

    while (len--) {
        if (a.data[len] != dt_lower(p[len])) {
            return 0;
        }
    }

    return 1;
}


/*
 * As dt_address_walk() below, without keeping the directories, which only ".."
 * behind another name needs; whether that was enough.
 */
static int
dt_address_straight(const uint64_t *dirs, unsigned n, const char *p,
                    const char *end, uint64_t *hash)
{
    const char *q;
    size_t len;
    unsigned deep;
    uint64_t h;

    for (; end - p >= 3 && memcmp(p, "../", 3) == 0; p += 3) {
        n -= n > 0;
    }

    h = dirs[n];

    for (deep = n;; p = q + 1) {
        q = dt_find(p, end, '/');
        len = (size_t) (q - p);

        if (len && p[0] == '.' && len < 3 && p[len - 1] == '.') {
            if (deep > n || q == end) {
                return 0;
            }

            if (len == 2) {
                n -= n > 0;
                deep = n;
                h = dirs[n];
            }

            continue;
        }

        if (q == end) {
            *hash = len ? dt_hash(p, len, h) : dt_mix(h, 0);
            return 1;
        }

        if (len && deep < DT_ADDRESS_SEGMENTS) {
            h = dt_hash(p, len, h + 1);
            deep++;
        }
    }
}


/* folds the segments of [p, end) into the hash of directory n of dirs */
static uint64_t
dt_address_walk(const uint64_t *dirs, unsigned n, const char *p,
                const char *end, dt_address_t *out)
{
    uint64_t own[DT_ADDRESS_SEGMENTS + 1], last;
    const char *q;
    size_t len;

    memcpy(own, dirs, (n + 1) * sizeof(uint64_t));

    for (;;) {
        q = dt_find(p, end, '/');
        len = (size_t) (q - p);

        if (len == 2 && p[0] == '.' && p[1] == '.') {
            n -= n > 0;
            len = 0;

        } else if (len == 1 && p[0] == '.') {
            len = 0;
        }

        if (q == end) {
            last = len ? dt_hash(p, len, own[n]) : dt_mix(own[n], 0);
            break;
        }

        if (len && n < DT_ADDRESS_SEGMENTS) {
            own[n + 1] = dt_hash(p, len, own[n] + 1);
            n++;
        }

        p = q + 1;
    }

    if (out != NULL) {
        memcpy(out->dirs, own, (n + 1) * sizeof(uint64_t));
        out->ndirs = n;
        out->self = last;
    }

    return last;
}


void
dt_address_init(dt_address_t *address, dt_str_t host, dt_str_t path)
{
    const char *end;

    address->host.data = address->host_buf;
    address->host.len = host.len <= sizeof(address->host_buf) ? host.len : 0;

    if (address->host.len) {
        memcpy(address->host_buf, host.data, host.len);
    }

    address->dirs[0] = DT_ADDRESS_OTHER;
    address->ndirs = 0;
    end = path.data + path.len;

    if (path.len && path.data[0] == '/') {
        path.data++;
    }

    (void) dt_address_walk(address->dirs, 0, path.data, end, address);
}


/* the same where it is written as most links are, else NULL */
static const char *
dt_address_usual(const dt_address_t *address, const char *p, const char *end)
{
    size_t len = address->host.len;

    if (len == 0 || (size_t) (end - p) < sizeof("https://") - 1 + len) {
        return NULL;
    }

    /* there are eight bytes, and one of a host */

    if (dt_load64(p) == dt_letters('h', 't', 't', 'p', 's', ':', '/', '/')) {
        p += sizeof("https://") - 1;

    } else if (memcmp(p, "http://", sizeof("http://") - 1) == 0) {
        p += sizeof("http://") - 1;

    } else {
        return NULL;
    }

    if (memcmp(p, address->host.data, len) != 0) {
        return NULL;
    }

    p += len;

    return p == end || *p == '/' || *p == '?' || *p == '#' ? p : NULL;
}


/* behind "http://host" when that is the page's own, else NULL */
static const char *
dt_address_own(const dt_address_t *address, const char *p, const char *end,
               int *absolute)
{
    const char *q, *name;

    q = dt_address_usual(address, p, end);
    *absolute = q != NULL;

    if (q != NULL) {
        return q;
    }

    q = p < end && dt_char_is(*p, DT_C_ALPHA) ? dt_find_two(p, end, ':', '/')
                                              : p;

    for (name = p; name < q && dt_char_is(*name, DT_C_ALPHA); name++) {
        /* void */
    }

    if (name == q && q < end && q > p && *q == ':') {
        *absolute = 1;

        if (!(q - p == 4 && dt_load_tail(p, 4) == DT_ADDRESS_HTTP)
            && !(q - p == 5 && dt_load_tail(p, 5) == DT_ADDRESS_HTTPS))
        {
            return NULL;
        }

        p = q + 1;
    }

    if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        *absolute = 1;
        p += 2;

        for (q = p; q < end && *q != '/' && *q != '?' && *q != '#'; q++) {
            /* void */
        }

        return dt_address_same(address->host, p, (size_t) (q - p)) ? q : NULL;
    }

    return *absolute ? NULL : p;
}


static uint64_t
dt_address_path(const dt_address_t *address, unsigned n, const char *p,
                const char *end)
{
    uint64_t h;

    return dt_address_straight(address->dirs, n, p, end, &h)
               ? h
               : dt_address_walk(address->dirs, n, p, end, NULL);
}


/* whether the path [p, end) names a file that no program makes */
static int
dt_address_is_file(const char *p, const char *end)
{
    const char *dot = end;

    while (dot > p && end - dot < 5 && dt_char_is(dot[-1], DT_C_WORD)) {
        dot--;
    }

    if (dot == p || dot == end || dot[-1] != '.') {
        return 0;
    }

    switch (dt_name_fold(dot, end)) {

    case dt_letters('a', 'v', 'i', 'f', 0, 0, 0, 0):
    case dt_letters('b', 'm', 'p', 0, 0, 0, 0, 0):
    case dt_letters('c', 's', 's', 0, 0, 0, 0, 0):
    case dt_letters('g', 'i', 'f', 0, 0, 0, 0, 0):
    case dt_letters('i', 'c', 'o', 0, 0, 0, 0, 0):
    case dt_letters('j', 'p', 'e', 'g', 0, 0, 0, 0):
    case dt_letters('j', 'p', 'g', 0, 0, 0, 0, 0):
    case dt_letters('j', 's', 0, 0, 0, 0, 0, 0):
    case dt_letters('m', '4', 'a', 0, 0, 0, 0, 0):
    case dt_letters('m', '4', 'v', 0, 0, 0, 0, 0):
    case dt_letters('m', 'o', 'v', 0, 0, 0, 0, 0):
    case dt_letters('m', 'p', '3', 0, 0, 0, 0, 0):
    case dt_letters('m', 'p', '4', 0, 0, 0, 0, 0):
    case dt_letters('o', 'g', 'g', 0, 0, 0, 0, 0):
    case dt_letters('o', 'g', 'v', 0, 0, 0, 0, 0):
    case dt_letters('p', 'd', 'f', 0, 0, 0, 0, 0):
    case dt_letters('p', 'n', 'g', 0, 0, 0, 0, 0):
    case dt_letters('s', 'v', 'g', 0, 0, 0, 0, 0):
    case dt_letters('w', 'a', 'v', 0, 0, 0, 0, 0):
    case dt_letters('w', 'e', 'b', 'm', 0, 0, 0, 0):
    case dt_letters('w', 'e', 'b', 'p', 0, 0, 0, 0):
        return 1;
    }

    return 0;
}


/* whether the value [p, end) of an argument is a number, a version or a hash:
   letters but a to f only behind a v, or in so many bytes */
static int
dt_address_is_version(const char *p, const char *end)
{
    int digits = 0, letters = 0;
    const char *start = p;

    p += p < end && dt_lower(*p) == 'v';

    for (; p < end; p++) {
        if (*p >= '0' && *p <= '9') {
            digits++;

        } else if (dt_char_is(*p, DT_C_ALPHA)) {
            letters += dt_lower(*p) > 'f';

        } else if (*p != '.' && *p != '-' && *p != '_') {
            return 0;
        }
    }

    return digits && (letters == 0 || p - start >= DT_ADDRESS_HASH);
}


/*
 * Whether the part of a URL that begins with '?' or '#' at p, behind the path
 * from path on, only keeps caches from using a stored copy: it tells nothing
 * of the content.
 */
static int
dt_address_is_buster(const char *path, const char *p, const char *end)
{
    const char *q, *begin = p;

    if (p == end || *p != '?' || !dt_address_is_file(path, p)) {
        return 0;
    }

    while (p < end) {
        for (q = ++p; q < end && *q != '&'; q++) {
            p = *q == '=' ? q + 1 : p;
        }

        /* a number that is no version and no time may choose the picture */

        if (!dt_address_is_version(p, q)
            || (begin && q - p < DT_ADDRESS_TIME && dt_lower(begin[1]) != 'v'))
        {
            return 0;
        }

        begin = NULL;

        p = q;
    }

    return 1;
}


uint64_t
dt_address_link(dt_address_t *address, const char *p, const char *end,
                int media)
{
    const char *q, *tail;
    uint64_t h;
    int absolute;

    while (p < end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    while (p < end && dt_char_is(end[-1], DT_C_SPACE)) {
        end--;
    }

    q = dt_address_own(address, p, end, &absolute);
    tail = dt_find_two(q ? q : p, end, '?', '#');

    if (media && tail < end && dt_address_is_buster(p, tail, end)) {
        end = tail;
    }

    if (q == NULL) {
        return dt_hash(p, (size_t) (end - p), DT_ADDRESS_OTHER);
    }

    if (q == tail) {
        /* "#top" is one link on all pages */
        h = absolute                     ? dt_mix(address->dirs[0], 0)
            : tail < end && *tail == '?' ? address->self
                                         : DT_ADDRESS_OTHER;

    } else if (*q == '/') {
        h = dt_address_path(address, 0, q + 1, tail);

    } else {
        h = dt_address_path(address, absolute ? 0 : address->ndirs, q, tail);
    }

    if (tail < end) {
        h = dt_hash(tail, (size_t) (end - tail), h + DT_ADDRESS_QUERY);
    }

    return h;
}


int
dt_address_is_page(const dt_address_t *address, const char *p, const char *end)
{
    int absolute;
    dt_str_t path;

    while (p < end && dt_char_is(*p, DT_C_SPACE)) {
        p++;
    }

    p = dt_address_own(address, p, end, &absolute);

    if (p == NULL) {
        return 0;
    }

    end = dt_find_two(p, end, '?', '#');
    path = (dt_str_t){ (size_t) (end - p), p };

    return !dt_page_is_file(path);
}


int
dt_address_base(dt_address_t *address, const char *p, const char *end)
{
    const char *q;
    int absolute;

    q = dt_address_own(address, p, end, &absolute);
    if (q == NULL) {
        return 0;
    }

    if (q < end && *q == '/') {
        absolute = 1;
        q++;
    }

    (void) dt_address_walk(address->dirs, absolute ? 0 : address->ndirs, q,
                           end, address);

    return 1;
}


/* names as dt_name_fold() makes them */
#define DT_NAME_ALT dt_letters('a', 'l', 't', 0, 0, 0, 0, 0)
#define DT_NAME_SRC dt_letters('s', 'r', 'c', 0, 0, 0, 0, 0)
#define DT_NAME_SET dt_letters('s', 'e', 't', 0, 0, 0, 0, 0)
#define DT_NAME_DATA dt_letters('d', 'a', 't', 'a', 0, 0, 0, 0)
#define DT_NAME_NONCE dt_letters('n', 'o', 'n', 'c', 'e', 0, 0, 0)
#define DT_NAME_POSTER dt_letters('p', 'o', 's', 't', 'e', 'r', 0, 0)
#define DT_NAME_TITLE dt_letters('t', 'i', 't', 'l', 'e', 0, 0, 0)
#define DT_NAME_LABEL dt_letters('l', 'a', 'b', 'e', 'l', 0, 0, 0)
#define DT_NAME_VALUE dt_letters('v', 'a', 'l', 'u', 'e', 0, 0, 0)
#define DT_NAME_DER dt_letters('d', 'e', 'r', 0, 0, 0, 0, 0)
#define DT_NAME_HOLDER dt_letters('h', 'o', 'l', 'd', 'e', 'r', 0, 0)
#define DT_NAME_HIDDEN dt_letters('h', 'i', 'd', 'd', 'e', 'n', 0, 0)


/* the sum of a tag's attributes */
typedef struct {
    uint64_t hash;
    uint64_t value;
    uint64_t bare; /* of those that tell it of an element without words */
    int hidden; /* the field is hidden, so that its value does not count: it is
                   often a token */
} dt_token_sum_t;


/* the targets of a srcset: URLs, each with a width or a factor behind it */
static uint64_t
dt_token_set(dt_address_t *address, const char *p, const char *end)
{
    uint64_t sum = 0;
    const char *q;

    while (p < end) {
        if (dt_char_is(*p, DT_C_SPACE) || *p == ',') {
            p++;
            continue;
        }

        for (q = p; q < end && !dt_char_is(*q, DT_C_SPACE); q++) {
            /* void */
        }

        sum = dt_mix(sum,
                     dt_address_link(address, p, q[-1] == ',' ? q - 1 : q, 1));

        for (p = q; p < end && *p != ','; p++) {
            /* void */
        }
    }

    return sum;
}


/* any other attribute, with the bytes before its name: it tells an element
   without words apart, as a bar of a chart, or stars; a nonce does not */
static void
dt_token_bare(dt_token_sum_t *sum, const dt_attr_t *a)
{
    size_t len = (size_t) (a->stop - a->name);

    if (len < 5
        || (dt_load_tail(a->stop - 5, 5) | 0x2020202020u) != DT_NAME_NONCE) {
        sum->bare += dt_hash(a->name, (size_t) (a->end - a->name), 0);
    }
}


/*
 * Adds an attribute if it tells the content of an element; other attributes
 * tell how it is shown.
 */
static void
dt_token_attr(dt_token_sum_t *sum, dt_address_t *address, const dt_attr_t *a)
{
    uint64_t n;
    size_t nlen = (size_t) (a->stop - a->name);
    size_t vlen = (size_t) (a->end - a->value);

    if (nlen < 3) {
        dt_token_bare(sum, a);
        return;
    }

    if (nlen > 5) {
        /* data-src, data-lazy-src, srcset, ... name the file of an image */
        n = dt_load_tail(a->stop - 3, 3) | 0x202020;

        if (n == DT_NAME_SET) {
            sum->hash += dt_mix(n, dt_token_set(address, a->value, a->end));

        } else if (n == DT_NAME_DER
                   && dt_name_fold(a->stop - 6, a->stop) == DT_NAME_HOLDER)
        {
            /* placeholder */
            sum->hash += dt_mix(n, dt_hash(a->value, vlen, 0));

        } else if (n == DT_NAME_SRC
                   || dt_name_fold(a->name, a->stop) == DT_NAME_POSTER)
        {
            sum->hash +=
                dt_mix(n, dt_address_link(address, a->value, a->end, 1));

        } else {
            dt_token_bare(sum, a);
        }

        return;
    }

    n = dt_load_tail(a->name, nlen) | 0x2020202020u >> (8 * (5 - nlen));

    switch (n) {

    case DT_NAME_HREF:
    case DT_NAME_SRC:
    case DT_NAME_DATA:
        sum->hash += dt_mix(
            n, dt_address_link(address, a->value, a->end, n != DT_NAME_HREF));
        break;

    case DT_NAME_ALT:
    case DT_NAME_TITLE:
    case DT_NAME_LABEL:
        sum->hash += dt_mix(n, dt_hash(a->value, vlen, 0));
        break;

    case DT_NAME_VALUE:
        sum->value = dt_mix(n, dt_hash(a->value, vlen, 0));
        break;

    case DT_NAME_TYPE:
        sum->hidden =
            vlen == 6 && dt_name_fold(a->value, a->end) == DT_NAME_HIDDEN;
        break;

    default:
        dt_token_bare(sum, a);
    }
}


/*
 * The last letters of the names of attributes that tell an element's content.
 * A search found a factor that keeps them apart, so one comparison tells.
 */
#define dt_token_slot(letters) ((uint32_t) (0x05805975u * (letters)) >> 28)

#define DT_TOKEN_LAST(letters)                                                \
    [dt_token_slot((uint32_t) (letters))] = (uint32_t) (letters)

static const uint32_t dt_token_last[16] = {
    DT_TOKEN_LAST(DT_NAME_SRC),         DT_TOKEN_LAST(DT_NAME_SET),
    DT_TOKEN_LAST(DT_NAME_ALT),         DT_TOKEN_LAST(DT_NAME_HREF >> 8),
    DT_TOKEN_LAST(DT_NAME_TYPE >> 8),   DT_TOKEN_LAST(DT_NAME_TITLE >> 16),
    DT_TOKEN_LAST(DT_NAME_LABEL >> 16), DT_TOKEN_LAST(DT_NAME_VALUE >> 16),
    DT_TOKEN_LAST(DT_NAME_DATA >> 8),   DT_TOKEN_LAST(DT_NAME_POSTER >> 24),
    DT_TOKEN_LAST(DT_NAME_DER),
};


/*
 * Returns whether an attribute whose name ends at p may tell the content of an
 * element.  The last three letters rule out most.  They can be read, because
 * the tag begins at least four bytes before p.
 */
static inline int
dt_token_tells(const char *p)
{
    uint32_t last = (uint32_t) (dt_load32(p - 4) >> 8) | 0x202020;

    return dt_token_last[dt_token_slot(last)] == last;
}


/* the same as dt_token_attrs_sum(); of a regular tag, from attribute i on */
static __attribute__((noinline)) uint64_t
dt_token_sum_from(const dt_token_t *t, unsigned i, dt_address_t *address,
                  uint64_t *bare)
{
    int closed;
    dt_attr_t a;
    const char *p;
    dt_token_sum_t sum = { 0, 0, 0, 0 };

    for (p = t->rest; !t->regular;) {
        p = dt_token_next(&a, p, t->end, &closed);

        if (p == NULL || a.name == a.stop) {
            break;
        }

        dt_token_attr(&sum, address, &a);
    }

    for (/* void */; i < t->n && t->regular; i++) {
        if (!dt_token_tells(t->attrs[i].stop)) {
            if (bare != NULL) {
                dt_token_bare(&sum, &t->attrs[i]);
            }

            continue;
        }

        a = t->attrs[i];

        for (p = a.stop; p > a.name && !dt_char_is(p[-1], DT_C_NAME_END); p--)
        {
            /* void */
        }

        a.name = p;
        dt_token_attr(&sum, address, &a);
    }

    if (bare != NULL) {
        *bare = sum.hidden ? 0 : sum.bare;
    }

    return sum.hidden ? sum.hash : sum.hash + sum.value;
}


uint64_t
dt_token_attrs_sum(const dt_token_t *t, dt_address_t *address, uint64_t *bare)
{
    unsigned i = 0;

    if (t->regular && bare == NULL) {
        while (i < t->n && !dt_token_tells(t->attrs[i].stop)) {
            i++;
        }

        if (i == t->n) {
            return 0;
        }
    }

    return dt_token_sum_from(t, i, address, bare);
}
