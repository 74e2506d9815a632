
/*
 * Copyright (C) The detemplate authors
 */


#include <stdio.h>

#include "core/base/str.h"
#include "core/redis/order_i.h"


#define DT_REDIS_EVENTS 10000 /* entries of the stream, about */
#define DT_REDIS_TTL 604800   /* seconds, where an order says nothing */


/* whether a byte needs no encoding in a key; "{", "}" and "%" do */
static int
dt_redis_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9')
           || (c != '\0' && strchr("-._~:/[]@!$&()*+,;=", c) != NULL);
}


void
dt_redis_site_encode(dt_str_t site, char *out)
{
    unsigned char c;

    for (size_t i = 0; i < site.len; i++) {
        c = (unsigned char) site.data[i];

        if (dt_redis_plain(c)) {
            *out++ = (char) c;

        } else {
            out = dt_percent_encode(out, c);
        }
    }

    *out = '\0';
}


dt_redis_request_t *
dt_redis_order_request(dt_redis_order_t *o, unsigned n)
{
    o->q[n].slot = dt_redis_slot(dt_cstr(o->key));

    return &o->q[n];
}


void
dt_redis_order_tell(dt_redis_order_t *o, unsigned n, dt_link_did_e did)
{
    char stream[DT_REDIS_PREFIX + 8];
    dt_redis_request_t *q = &o->q[n];
    const dt_frame_t *link = o->link;

    snprintf(stream, sizeof(stream), "%sevents", o->conf->prefix);

    q->slot = dt_redis_slot(dt_cstr(stream));
    dt_redis_request_add(q,
                         "XADD %s MAXLEN ~ %d * site %s version %u"
                         " learned_at %lld do %s by %s added %u redesign %u",
                         stream, DT_REDIS_EVENTS, o->site, link->version,
                         (long long) link->learned_at, dt_link_dids[did],
                         o->conf->token, (link->flags & DT_LINK_ADDED) != 0,
                         (link->flags & DT_LINK_REDESIGNED) != 0);
}


void
dt_redis_order_list(dt_redis_order_t *o, unsigned n, const char *format)
{
    char sites[DT_REDIS_PREFIX + 8];

    snprintf(sites, sizeof(sites), "%ssites", o->conf->prefix);

    o->q[n].slot = dt_redis_slot(dt_cstr(sites));
    dt_redis_request_add(&o->q[n], format, sites, o->site);
}


unsigned
dt_redis_order_ttl(const dt_redis_order_t *o)
{
    return o->link->ttl ? o->link->ttl : DT_REDIS_TTL;
}


void
dt_redis_order_shift(dt_redis_order_t *o, dt_redis_request_t *q, unsigned n)
{
    while (--n) {
        dt_redis_request_add(q, "RENAME %s:template.%u %s:template.%u", o->key,
                             n, o->key, n + 1);
    }

    dt_redis_request_add(q, "RENAME %s:template %s:template.1", o->key,
                         o->key);
    dt_redis_request_add(q, "EXPIRE %s:template.1 %u", o->key,
                         dt_redis_order_ttl(o));
}


void
dt_redis_order_meta(dt_redis_order_t *o, dt_redis_request_t *q, size_t size,
                    const char *field, dt_str_t value)
{
    const dt_frame_t *link = o->link;

    dt_redis_request_add(q,
                         "HSET %s:meta version %u learned_at %lld patterns %u"
                         " loads %u candidates %u coverage %u size %llu"
                         " %s %b",
                         o->key, link->version, (long long) link->learned_at,
                         link->patterns, link->loads, link->candidates,
                         link->coverage, (unsigned long long) size, field,
                         value.len ? value.data : "", value.len);
}


void
dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text)
{
    snprintf(o->text, sizeof(o->text), "%s", text);
    dt_redis_printable(o->text);

    o->from = 0;
    o->to = 0;
    o->link->rc = rc;
    o->link->text = dt_cstr(o->text);
}


int
dt_redis_order_failed(dt_redis_order_t *o, unsigned n, const char *skip)
{
    char text[DT_ERRSTR];
    const redisReply *e;
    const dt_redis_request_t *q = &o->q[n];

    if (q->rc != DT_OK) {
        dt_redis_order_end(o, q->rc, q->errstr);
        return 1;
    }

    for (unsigned i = 0; i < q->n; i++) {
        e = dt_redis_error(q->answers[i], skip);

        if (e != NULL) {
            snprintf(text, sizeof(text), "redis: %.*s",
                     (int) strcspn(e->str, "\r\n"), e->str);
            dt_redis_order_end(o, DT_EINVAL, text);
            return 1;
        }
    }

    return 0;
}


int
dt_redis_head(dt_str_t bytes, dt_template_head_t *h)
{
    if (bytes.len < sizeof(*h)) {
        return 0;
    }

    memcpy(h, bytes.data, sizeof(*h));

    return h->magic == DT_TEMPLATE_MAGIC && h->format == DT_TEMPLATE_FORMAT
           && h->head_size == sizeof(*h) && h->serve_size >= sizeof(*h)
           && h->serve_size <= h->size && h->size <= DT_TEMPLATE_MAX;
}


void
dt_redis_order_known(dt_redis_order_t *o, const dt_template_head_t *h)
{
    dt_frame_t *link = o->link;

    link->version = h->version;
    link->learned_at = h->learned_at;
    link->patterns = h->npatterns;
    link->loads = h->loads;
    link->candidates = h->candidates;
    link->coverage = h->coverage;
}
