
/*
 * Copyright (C) The detemplate authors
 *
 * A href is first cleaned as browsers do it, so that libcurl gets plain ASCII.
 * Outer blanks, tabs, line breaks and the fragment are removed; backslashes
 * before the query become slashes; bytes that a URL may not have are
 * percent-encoded; unreserved characters are decoded.  Decoding comes before
 * dot segments are removed, so "%2e%2e" means the same as "..".  libcurl then
 * resolves and splits the URL.  The parts are joined here, in the one spelling
 * that is compared, hashed and stored.
 */


#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "core/web/url.h"
#include "core/base/tags.h"


/* bytes that need no encoding in a URL, besides unreserved characters */
static const char dt_url_plain[] = ":/?[]@!$&'()*+,;=";


static int
dt_url_unreserved(int c)
{
    return dt_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}


/* returns the length of the scheme before its colon, 0: there is none */
static size_t
dt_url_scheme_len(const char *p)
{
    size_t i;

    if (p[0] < 'A') {
        return 0;
    }

    i = 0;
    while (dt_is_alnum(p[i]) || p[i] == '+' || p[i] == '-' || p[i] == '.') {
        i++;
    }

    return p[i] == ':' ? i : 0;
}


size_t
dt_url_encode(dt_str_t s, const char *plain, char *out)
{
    int c, byte, coded;
    char *p;
    size_t i;

    p = out;

    for (i = 0; i < s.len; i++) {
        byte = dt_percent_decode((dt_str_t){ s.len - i, s.data + i });
        coded = byte >= 0;
        c = coded ? byte : (unsigned char) s.data[i];
        i += coded ? 2 : 0;

        if (dt_url_unreserved(c)
            || (!coded && c != '\0' && strchr(plain, c) != NULL)) {
            *p++ = (char) c;
            continue;
        }

        p = dt_percent_encode(p, (unsigned char) c);
    }

    return (size_t) (p - out);
}


static dt_status_t
dt_url_rc(CURLUcode rc)
{
    return rc == CURLUE_OK              ? DT_OK
           : rc == CURLUE_OUT_OF_MEMORY ? DT_ENOMEM
                                        : DT_EINVAL;
}


/* copies a part of the URL into the arena; empty when the URL has none */
static dt_status_t
dt_url_part(CURLU *u, CURLUPart what, unsigned flags, dt_arena_t *a,
            dt_str_t *out)
{
    char *part;
    CURLUcode rc;

    *out = dt_str("");

    rc = curl_url_get(u, what, &part, flags);

    if (rc == CURLUE_NO_PORT || rc == CURLUE_NO_QUERY) {
        return DT_OK;
    }

    if (rc != CURLUE_OK) {
        return dt_url_rc(rc);
    }

    *out = dt_arena_strdup(a, dt_cstr(part));
    curl_free(part);

    return out->data == NULL ? DT_ENOMEM : DT_OK;
}


/* joins host and port in lower case, and checks that they are plain ASCII */
static dt_status_t
dt_url_host(CURLU *u, dt_arena_t *a, dt_str_t *out)
{
    char *p;
    size_t i;
    dt_str_t host, port;
    dt_status_t rc;

    rc = dt_url_part(u, CURLUPART_HOST, 0, a, &host);
    if (rc != DT_OK) {
        return rc;
    }

    rc = dt_url_part(u, CURLUPART_PORT, CURLU_NO_DEFAULT_PORT, a, &port);
    if (rc != DT_OK) {
        return rc;
    }

    p = dt_arena_alloc(a, host.len + port.len + 2);
    if (p == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < host.len; i++) {
        p[i] = host.data[i];

        if (p[i] <= ' ' || p[i] >= 0x7f || p[i] == '%') {
            return DT_EINVAL;
        }

        p[i] = dt_lower(p[i]);
    }

    if (port.len) {
        p[i++] = ':';
        memcpy(p + i, port.data, port.len);
        i += port.len;
    }

    p[i] = '\0';
    *out = (dt_str_t){ i, p };

    return i ? DT_OK : DT_EINVAL;
}


static dt_status_t
dt_url_build(CURLU *u, dt_arena_t *a, dt_url_t *out)
{
    int n;
    char *p;
    size_t len;
    dt_status_t rc;

    rc = dt_url_part(u, CURLUPART_SCHEME, 0, a, &out->scheme);
    if (rc == DT_OK) {
        rc = dt_url_host(u, a, &out->host);
    }
    if (rc == DT_OK) {
        rc = dt_url_part(u, CURLUPART_PATH, 0, a, &out->path);
    }
    if (rc == DT_OK) {
        rc = dt_url_part(u, CURLUPART_QUERY, 0, a, &out->query);
    }
    if (rc != DT_OK) {
        return rc;
    }

    len = out->scheme.len + out->host.len + out->path.len + out->query.len
          + sizeof("://?");
    if (len > DT_URL_MAX) {
        return DT_ELIMIT;
    }

    p = dt_arena_alloc(a, len);
    if (p == NULL) {
        return DT_ENOMEM;
    }

    n = snprintf(p, len, "%s://%s%s%s%s", out->scheme.data, out->host.data,
                 out->path.data, out->query.len ? "?" : "", out->query.data);
    out->href = (dt_str_t){ (size_t) n, p };

    return DT_OK;
}


static dt_status_t
dt_url_parse(const dt_url_t *base, const char *ref, dt_arena_t *a,
             dt_url_t *out)
{
    CURLU *u;
    CURLUcode rc;
    dt_status_t ret;

    u = curl_url();
    if (u == NULL) {
        return DT_ENOMEM;
    }

    rc = CURLUE_OK;

    if (base != NULL) {
        rc = curl_url_set(u, CURLUPART_URL, base->href.data, 0);
    }

    /* libcurl refuses an empty reference, which means the base itself */
    if (rc == CURLUE_OK && (*ref != '\0' || base == NULL)) {
        rc = curl_url_set(u, CURLUPART_URL, ref, CURLU_DISALLOW_USER);
    }

    ret = rc == CURLUE_OK ? dt_url_build(u, a, out) : dt_url_rc(rc);

    curl_url_cleanup(u);

    return ret;
}


/* checks that the scheme is http or https, and that slashes follow it */
static dt_status_t
dt_url_check_scheme(const char *ref, size_t n)
{
    if (!(n == 4 && curl_strnequal(ref, "http", 4))
        && !(n == 5 && curl_strnequal(ref, "https", 5)))
    {
        return DT_DECLINED;
    }

    return strncmp(ref + n, "://", 3) == 0 ? DT_OK : DT_EINVAL;
}


dt_status_t
dt_url_resolve(const dt_url_t *base, dt_str_t ref, dt_arena_t *a,
               dt_url_t *out)
{
    char *p, raw[DT_URL_MAX], buf[3 * DT_URL_MAX + 3];
    size_t n;
    const char *hash;
    dt_status_t rc;

    ref = dt_str_trim(ref);

    if (ref.len > DT_URL_MAX) {
        return DT_ELIMIT;
    }

    if (ref.len && memchr(ref.data, '\0', ref.len) != NULL) {
        return DT_EINVAL;
    }

    hash = ref.len ? memchr(ref.data, '#', ref.len) : NULL;
    n = hash != NULL ? (size_t) (hash - ref.data) : ref.len;

    /* leaves room for "./", without which libcurl takes "1:2" for a host */
    p = buf + 2;
    n = dt_href_clean((dt_str_t){ n, ref.data }, raw);
    n = dt_url_encode((dt_str_t){ n, raw }, dt_url_plain, p);
    p[n] = '\0';

    n = dt_url_scheme_len(p);

    if (n) {
        rc = dt_url_check_scheme(p, n);
        if (rc != DT_OK) {
            return rc;
        }

    } else if (base == NULL) {
        return DT_EINVAL;

    } else if (*p != '\0' && *p != '/' && *p != '?') {
        p = memcpy(buf, "./", 2);
    }

    return dt_url_parse(base, p, a, out);
}


dt_str_t
dt_url_target(const dt_url_t *u)
{
    size_t n;

    n = u->scheme.len + sizeof("://") - 1 + u->host.len;

    return (dt_str_t){ u->href.len - n, u->href.data + n };
}


dt_str_t
dt_url_name(const dt_url_t *u, dt_str_t *port)
{
    size_t n;

    for (n = u->host.len; n > 0; n--) {
        if (u->host.data[n - 1] == ':' || u->host.data[n - 1] == ']') {
            break;
        }
    }

    n = n && u->host.data[n - 1] == ':' ? n - 1 : u->host.len;
    *port = (dt_str_t){ u->host.len - n, u->host.data + n };

    return (dt_str_t){ n, u->host.data };
}


dt_str_t
dt_url_bare_host(dt_str_t host)
{
    if (host.len > 4 && strncasecmp(host.data, "www.", 4) == 0) {
        host.data += 4;
        host.len -= 4;
    }

    return host;
}


int
dt_url_same_site(const dt_url_t *a, const dt_url_t *b)
{
    return dt_str_eq(dt_url_bare_host(a->host), dt_url_bare_host(b->host));
}


int
dt_url_distance(const dt_url_t *from, const dt_url_t *to)
{
    int up, down;
    size_t i, common;
    const char *p, *q;

    /* a page's directory ends at the last slash of its path */
    p = from->path.data;
    q = to->path.data;
    common = 0;

    for (i = 0; p[i] == q[i] && p[i] != '\0'; i++) {
        common = p[i] == '/' ? i + 1 : common;
    }

    up = 0;
    down = 0;

    for (i = common; p[i] != '\0'; i++) {
        up += p[i] == '/';
    }

    for (i = common; q[i] != '\0'; i++) {
        down += q[i] == '/';
    }

    return up ? -(up + down) : down;
}


#define DT_ORIGIN_ARENA ((size_t) 64 << 10)


struct dt_origin_s {
    dt_arena_t *arena;
    dt_url_t url; /* ends in a slash */
};


dt_origin_t *
dt_origin_create(const char *url)
{
    char *p;
    dt_status_t rc;
    dt_origin_t *o;

    o = calloc(1, sizeof(dt_origin_t));
    if (o == NULL) {
        return NULL;
    }

    o->arena = dt_arena_create(DT_ORIGIN_ARENA);

    if (o->arena == NULL || asprintf(&p, "%s/", url) == -1) {
        dt_origin_destroy(o);
        return NULL;
    }

    rc = dt_url_resolve(NULL, dt_cstr(p), o->arena, &o->url);
    free(p);

    if (rc != DT_OK) {
        dt_origin_destroy(o);
        return NULL;
    }

    return o;
}


void
dt_origin_destroy(dt_origin_t *o)
{
    if (o != NULL) {
        dt_arena_destroy(o->arena);
        free(o);
    }
}


int
dt_origin_url(const dt_origin_t *o, const dt_url_t *page, char *buf,
              size_t size)
{
    return o == NULL ? snprintf(buf, size, "%s", page->href.data)
                     : snprintf(buf, size, "%s%s", o->url.href.data,
                                dt_url_target(page).data + 1);
}


dt_status_t
dt_origin_public(const dt_origin_t *o, const dt_url_t *page, dt_arena_t *a,
                 dt_url_t *next)
{
    size_t n = o->url.path.len;
    dt_str_t target, name, site, port, own, any;

    target = dt_url_target(next);
    name = dt_url_name(next, &port);
    site = dt_url_name(page, &any);
    (void) dt_url_name(&o->url, &own);

    if (!(dt_str_eq(next->host, o->url.host)
          || (dt_str_eq(name, site) && dt_str_eq(port, own)))
        || target.len < n || memcmp(target.data, o->url.path.data, n) != 0)
    {
        return DT_OK;
    }

    /* the slash is kept, as the path must begin with one */
    target.data += n - 1;
    target.len -= n - 1;

    return dt_url_resolve(page, target, a, next);
}
