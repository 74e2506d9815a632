
/*
 * Copyright (C) The detemplate authors
 */


#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include "core/web/fetch_response.h"
#include "core/base/wire.h"
#include "core/base/dt.h"


#define DT_RESPONSE_HEADER ((size_t) 64 * 1024)
#define DT_RESPONSE_FIRST                                                     \
    ((size_t) 16 * 1024) /* first bytes of a body's buffer */
#define DT_RESPONSE_RATIO_FROM ((size_t) 64 * 1024)
#define DT_RESPONSE_RETRY 86400 /* seconds: longer times are cut to this */


void
dt_response_init(dt_response_t *r, dt_arena_t *a)
{
    memset(r, 0, sizeof(dt_response_t));

    r->arena = a;
    r->type = r->location = r->served = r->body = dt_str("");
}


int
dt_response_refuse(dt_response_t *r, dt_status_t rc, const char *reason,
                   const char *what)
{
    if (r->reason == NULL) {
        r->rc = rc;
        r->reason = reason;
        (void) snprintf(r->errstr, sizeof(r->errstr), "%s", what);
    }

    return 1;
}


/* whether a part of Cache-Control reserves the response for one user */
static int
dt_response_private(dt_str_t value)
{
    dt_str_t item, name;

    while (value.len) {
        item = dt_str_part(&value, ",");
        name = dt_str_trim(dt_str_part(&item, "="));

        if (dt_str_case_eq(name, dt_str("private"))
            || dt_str_case_eq(name, dt_str("no-store")))
        {
            return 1;
        }
    }

    return 0;
}


static int
dt_response_html(dt_str_t type)
{
    dt_str_t name;

    name = dt_str_trim(dt_str_part(&type, ";"));

    return dt_str_case_eq(name, dt_str("text/html"))
           || dt_str_case_eq(name, dt_str("application/xhtml+xml"));
}


/* notes that a shared cache must not store the response, and the field that
   says so */
static void
dt_response_unshared(dt_response_t *r, const char *reason, const char *name,
                     dt_str_t value)
{
    int n = value.len < sizeof(r->field) ? (int) value.len : 40;

    if (r->refused == NULL) {
        r->refused = reason;
        (void) snprintf(r->field, sizeof(r->field), "sent %s%.*s", name, n,
                        value.data);
    }
}


/* returns the seconds from now on that a number or a date gives, or 0 */
static unsigned
dt_response_retry(dt_str_t value)
{
    char buf[64], *end;
    time_t now;
    int64_t after;

    if (value.len >= sizeof(buf)) {
        return 0;
    }

    memcpy(buf, value.data, value.len);
    buf[value.len] = '\0';

    if (buf[0] >= '0' && buf[0] <= '9') {
        after = strtoll(buf, &end, 10);
        after = *end == '\0' ? after : 0;

    } else {
        now = time(NULL);
        after = curl_getdate(buf, &now) - now;
    }

    return after < 0                   ? 0
           : after < DT_RESPONSE_RETRY ? (unsigned) after
                                       : DT_RESPONSE_RETRY;
}


/* reads one field of the header; not 0: no memory */
static int
dt_response_field(dt_response_t *r, dt_str_t name, dt_str_t value)
{
    dt_str_t *keep;

    /* the cookie's value is private, so it is not reported */

    if (dt_str_case_eq(name, dt_str("Set-Cookie"))) {
        dt_response_unshared(r, "cookie", "Set-Cookie", dt_str(""));
        return 0;
    }

    if (dt_str_case_eq(name, dt_str("Cache-Control"))) {
        if (dt_response_private(value)) {
            dt_response_unshared(r, "private", "Cache-Control: ", value);
        }

        return 0;
    }

    if (dt_str_case_eq(name, dt_str(DT_JOB_MARKER))) {
        r->excluded = 1;
        return 0;
    }

    if (dt_str_case_eq(name, dt_str("Retry-After"))) {
        r->retry_after = dt_response_retry(value);
        return 0;
    }

    if (dt_str_case_eq(name, dt_str("Content-Type"))) {
        keep = &r->type;

    } else if (dt_str_case_eq(name, dt_str("Location"))) {
        keep = &r->location;

    } else if (dt_str_case_eq(name, dt_str("Detemplate"))) {
        keep = &r->served;

    } else {
        return 0;
    }

    *keep = dt_arena_strdup(r->arena, value);

    return keep->data == NULL;
}


/* reads a status line; when there are several headers, as with 100 and 103,
   the last one counts */
static void
dt_response_status(dt_response_t *r, dt_str_t line)
{
    size_t i;
    dt_str_t number;

    (void) dt_str_part(&line, " ");
    number = dt_str_part(&line, " ");

    r->status = 0;
    r->retry_after = 0;
    r->refused = NULL;
    r->excluded = 0;
    r->location = r->served = dt_str("");
    r->type = dt_str("");

    for (i = 0; i < number.len && i < 3; i++) {
        r->status = r->status * 10 + (number.data[i] - '0');
    }
}


/* decides when the header is complete: 0: the body follows; 1: refused or
   redirected */
static int
dt_response_headed(dt_response_t *r)
{
    char what[32];
    dt_status_t rc;

    if (r->status < 200) {
        return 0;
    }

    r->headed = 1;

    if (((r->status >= 301 && r->status <= 303) || r->status == 307
         || r->status == 308)
        && r->location.len)
    {
        r->moved = 1;
        return 1;
    }

    if (r->raw) {
        return 0;
    }

    if (r->status != 200) {
        rc = r->status >= 500 || r->status == 429 ? DT_EIO : DT_DECLINED;
        (void) snprintf(what, sizeof(what), "HTTP status %ld", r->status);

        return dt_response_refuse(r, rc, "status", what);
    }

    if (!dt_response_html(r->type)) {
        return dt_response_refuse(r, DT_DECLINED, "type", "not HTML");
    }

    if (r->excluded) {
        return dt_response_refuse(r, DT_DECLINED, "excluded",
                                  "detemplate_learn off");
    }

    if (r->shared && r->refused != NULL) {
        return dt_response_refuse(r, DT_DECLINED, r->refused, r->field);
    }

    return 0;
}


int
dt_response_header(dt_response_t *r, const char *p, size_t n)
{
    dt_str_t line, name, value;

    r->header += n;

    if (r->header > DT_RESPONSE_HEADER) {
        return dt_response_refuse(r, DT_ELIMIT, "too-large",
                                  "header too large");
    }

    if (r->headed) {
        /* a trailer */
        return 0;
    }

    line = dt_str_trim((dt_str_t){ n, p });

    if (line.len == 0) {
        return dt_response_headed(r);
    }

    if (line.len > 5 && memcmp(line.data, "HTTP/", 5) == 0) {
        dt_response_status(r, line);
        return 0;
    }

    if (dt_str_field(line, &name, &value) && dt_response_field(r, name, value))
    {
        return dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
    }

    return 0;
}


/* makes room for need bytes of body, which do not exceed the cap */
static int
dt_response_grow(dt_response_t *r, size_t need)
{
    char *p;
    size_t size;

    size = r->size ? r->size : DT_RESPONSE_FIRST;

    while (size < need) {
        size *= 2;
    }

    if (size > r->max_bytes) {
        size = r->max_bytes;
    }

    p = dt_arena_alloc(r->arena, size);
    if (p == NULL) {
        return 1;
    }

    if (r->body.len) {
        memcpy(p, r->body.data, r->body.len);
    }

    r->buf = p;
    r->size = size;
    r->body.data = p;

    return 0;
}


int
dt_response_body(dt_response_t *r, const char *p, size_t n)
{
    size_t need;

    if (n > r->max_bytes - r->body.len) {
        return dt_response_refuse(r, DT_ELIMIT, "too-large", "body too large");
    }

    need = r->body.len + n;

    if (need > r->size && dt_response_grow(r, need)) {
        return dt_response_refuse(r, DT_ENOMEM, "memory", "out of memory");
    }

    if (n) {
        memcpy(r->buf + r->body.len, p, n);
        r->body.len = need;
    }

    return 0;
}


void
dt_response_end(dt_response_t *r, uint64_t received)
{
    /* checked at the end, since libcurl counts received bytes late */

    if (r->body.len > DT_RESPONSE_RATIO_FROM
        && r->body.len > received * r->max_ratio)
    {
        (void) dt_response_refuse(r, DT_ELIMIT, "too-large",
                                  "body inflates to too many times its size");
    }
}


int
dt_response_follow(dt_response_t *r, const dt_origin_t *origin, dt_url_t *url,
                   unsigned hops)
{
    dt_url_t next;
    dt_status_t rc;

    rc = dt_url_resolve(url, r->location, r->arena, &next);

    if (rc == DT_OK && origin != NULL) {
        rc = dt_origin_public(origin, url, r->arena, &next);
    }

    if (rc == DT_ENOMEM) {
        return dt_response_refuse(r, rc, "memory", "out of memory");
    }

    if (rc != DT_OK) {
        return dt_response_refuse(r, DT_DECLINED, "redirect",
                                  "redirected to something that is not a URL");
    }

    if (!dt_url_same_site(url, &next)) {
        return dt_response_refuse(r, DT_DECLINED, "redirect",
                                  "redirected to another site");
    }

    if (hops == 0) {
        return dt_response_refuse(r, DT_DECLINED, "redirect",
                                  "too many redirects");
    }

    *url = next;

    return 0;
}


void
dt_response_result(const dt_response_t *r, dt_fetched_t *out)
{
    out->rc = r->rc;
    out->status = r->status;

    /* with other statuses Retry-After means something else */
    out->retry_after =
        r->status == 429 || r->status == 503 ? r->retry_after : 0;

    out->type = r->type;
    out->served = r->served;
    out->reason = r->reason ? r->reason : "ok";
    out->body = r->reason ? dt_str("") : r->body;
    memcpy(out->errstr, r->errstr, sizeof(out->errstr));
}
