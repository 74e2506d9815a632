
/*
 * Copyright (C) The detemplate authors
 *
 * How an order is carried out.  It reads, looks at the answers, changes the
 * site's keys in one transaction, and tells the other machines.  The list of
 * sites and the events have slots of their own, so they follow when the
 * transaction has succeeded.  A single server executes all commands of a PUT
 * in the order sent.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/order.h"
#include "core/base/dt.h"
#include "core/base/tags.h"
#include "core/redis/conn.h"
#include "core/redis/route.h"
#include "core/template/table.h"
#include "core/template/template.h"


/*
 * The orders, by the table behind them.
 *
 * The lock follows the Redis manual: SET with NX and EX and a random token.  A
 * lock with our own token is ours, since a dead manager of this machine may
 * have left it.  Without a script, a lock cannot be compared and removed at
 * once.  The caller gives back only a lock that it has and that cannot have
 * expired.
 *
 * A pinned template does not expire, since no machine learns it again.
 */


#define DT_REDIS_EARLIER 3    /* templates that are kept */
#define DT_REDIS_EVENTS 10000 /* entries of the stream, about */
#define DT_REDIS_SITES 10000  /* names that the list keeps */
#define DT_REDIS_TTL 604800   /* seconds, where an order says nothing */
#define DT_REDIS_HEAD ((unsigned) sizeof(dt_template_head_t) - 1)


/* the keys that expire with a template */
static const char *const dt_redis_living[] = { "template", "evidence",
                                               "meta" };

#define DT_REDIS_LIVING (sizeof(dt_redis_living) / sizeof(dt_redis_living[0]))


/* copies the head that bytes begin with; 0: they begin with none */
static int
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


/* copies the facts of a template's head to the order */
static void
dt_redis_known(dt_redis_order_t *o, const dt_template_head_t *h)
{
    dt_frame_t *link = o->link;

    link->version = h->version;
    link->learned_at = h->learned_at;
    link->patterns = h->npatterns;
    link->loads = h->loads;
    link->candidates = h->candidates;
    link->coverage = h->coverage;
}


/* element i of an answer to HMGET */
static dt_str_t
dt_redis_field(const redisReply *meta, size_t i)
{
    return meta->type == REDIS_REPLY_ARRAY && meta->elements > i
               ? dt_redis_string(meta->element[i])
               : (dt_str_t){ 0, NULL };
}


static void
dt_redis_pinned(dt_redis_order_t *o, const redisReply *meta, size_t i)
{
    if (dt_str_eq(dt_redis_field(meta, i), dt_str("1"))) {
        o->link->flags |= DT_LINK_PINNED;
    }
}


/* the seconds that the order says, or a week */
static unsigned
dt_redis_ttl(const dt_redis_order_t *o)
{
    return o->link->ttl ? o->link->ttl : DT_REDIS_TTL;
}


/* Adds commands that make the present template the first of the earlier ones.
   The n-th of them goes, and those before it move up. */
static void
dt_redis_shift(dt_redis_order_t *o, dt_redis_request_t *q, unsigned n)
{
    while (--n) {
        dt_redis_request_add(q, "RENAME %s:template.%u %s:template.%u", o->key,
                             n, o->key, n + 1);
    }

    dt_redis_request_add(q, "RENAME %s:template %s:template.1", o->key,
                         o->key);
    dt_redis_request_add(q, "EXPIRE %s:template.1 %u", o->key,
                         dt_redis_ttl(o));
}


/* adds the command that writes the order's facts about a template, its size in
   bytes, and one field more */
static void
dt_redis_meta(dt_redis_order_t *o, dt_redis_request_t *q, size_t size,
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


/* adds the commands that read the template; its evidence is the second */
static void
dt_redis_get(dt_redis_order_t *o, dt_redis_request_t *q)
{
    /* one byte more than allowed reveals a value that is too long */

    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_TEMPLATE_MAX);

    if (o->link->flags & DT_LINK_WHOLE) {
        dt_redis_request_add(q, "GETRANGE %s:evidence 0 %u", o->key,
                             DT_TEMPLATE_MAX);
    }

    dt_redis_request_add(q, "HMGET %s:meta pinned last", o->key);
}


/* joins the template with its evidence if they belong together */
static void
dt_redis_join(dt_redis_order_t *o, const dt_template_head_t *h, dt_str_t bytes,
              dt_str_t evidence)
{
    if (bytes.len != h->serve_size || evidence.len == 0
        || bytes.len + evidence.len != h->size)
    {
        return;
    }

    o->joined = malloc(h->size);
    if (o->joined == NULL) {
        return;
    }

    memcpy(o->joined, bytes.data, bytes.len);
    memcpy(o->joined + bytes.len, evidence.data, evidence.len);
    o->link->bytes = (dt_str_t){ h->size, o->joined };
}


/* answers with the template that was read; with LOCK it comes after the lock's
   result */
static void
dt_redis_take(dt_redis_order_t *o)
{
    int whole = (o->link->flags & DT_LINK_WHOLE) != 0;
    redisReply *const *answers =
        o->q[DT_REDIS_READ].answers + (o->link->what == DT_LINK_LOCK ? 2 : 0);
    dt_str_t bytes = dt_redis_string(answers[0]);
    uint64_t last = 0;
    dt_template_head_t h;

    dt_redis_pinned(o, answers[1 + whole], 0);
    (void) dt_str_number(dt_redis_field(answers[1 + whole], 1), UINT32_MAX,
                         &last);
    o->link->n = (uint32_t) last;

    if (bytes.len == 0) {
        dt_redis_order_end(o, DT_DECLINED, "");
        return;
    }

    if (bytes.len > DT_TEMPLATE_MAX) {
        dt_redis_order_end(o, DT_ELIMIT, "redis: the template is over 4 MiB");
        return;
    }

    o->link->bytes = bytes;

    if (dt_redis_head(bytes, &h)) {
        dt_redis_known(o, &h);

        if (whole) {
            dt_redis_join(o, &h, bytes, dt_redis_string(answers[1]));

        } else if (bytes.len > h.serve_size) {
            o->link->bytes.len = h.serve_size;
        }
    }

    dt_redis_order_end(o, DT_OK, "");
}


static void
dt_redis_lock(dt_redis_order_t *o, dt_redis_request_t *q)
{
    if (o->link->ttl == 0 || o->conf->token[0] == '\0') {
        dt_redis_order_end(o, DT_EINVAL,
                           "redis: a lock needs a time and a token");
        return;
    }

    dt_redis_request_add(q, "SET %s:lock %s NX EX %u", o->key, o->conf->token,
                         o->link->ttl);
    dt_redis_request_add(q, "GET %s:lock", o->key);
    dt_redis_get(o, q);
}


/* looks at the lock: if we had it already, the next step renews it */
static void
dt_redis_locked(dt_redis_order_t *o)
{
    redisReply *const *answers = o->q[DT_REDIS_READ].answers;

    if (answers[0]->type != REDIS_REPLY_NIL) {
        dt_redis_take(o);

    } else if (!dt_str_eq(dt_redis_string(answers[1]),
                          dt_cstr(o->conf->token))) {
        o->link->flags |= DT_LINK_LOCKED;
        dt_redis_take(o);
    }
}


static void
dt_redis_renew(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_redis_request_add(q, "SET %s:lock %s XX EX %u", o->key, o->conf->token,
                         o->link->ttl);
}


static void
dt_redis_unlock(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_redis_request_add(q, "DEL %s:lock", o->key);
}


static void
dt_redis_compare(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_redis_request_add(q, "HMGET %s:meta version learned_at pinned", o->key);
}


static void
dt_redis_compared(dt_redis_order_t *o)
{
    const redisReply *meta = o->q[DT_REDIS_READ].answers[0];
    uint64_t version = 0, at = 0;

    (void) dt_str_number(dt_redis_field(meta, 0), UINT32_MAX, &version);
    (void) dt_str_number(dt_redis_field(meta, 1), INT64_MAX, &at);

    if (version == 0) {
        dt_redis_order_end(o, DT_DECLINED, "");
        return;
    }

    o->link->version = (uint32_t) version;
    o->link->learned_at = (int64_t) at;
    dt_redis_pinned(o, meta, 2);
    dt_redis_order_end(o, DT_OK, "");
}


static void
dt_redis_put(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_frame_t *link = o->link;
    dt_template_head_t h;
    size_t serve;

    if (link->ttl == 0 || !dt_redis_head(link->bytes, &h)
        || (link->bytes.len != h.size && link->bytes.len != h.serve_size))
    {
        dt_redis_order_end(o, DT_EINVAL,
                           "redis: the order is no template with a time");
        return;
    }

    serve = link->flags & DT_LINK_WHOLE ? link->bytes.len : h.serve_size;

    dt_redis_request_add(q, "MULTI");

    if (!(link->flags & DT_LINK_ADDED)) {
        dt_redis_shift(o, q, DT_REDIS_EARLIER);
    }

    dt_redis_request_add(q, "SET %s:template %b EX %u", o->key,
                         link->bytes.data, serve, link->ttl);

    if (link->bytes.len > serve) {
        dt_redis_request_add(q, "SET %s:evidence %b EX %u", o->key,
                             link->bytes.data + serve, link->bytes.len - serve,
                             link->ttl);

    } else {
        dt_redis_request_add(q, "DEL %s:evidence", o->key);
    }

    dt_redis_meta(o, q, link->bytes.len, "url", link->text);

    dt_redis_request_add(q, "HSET %s:meta last %u", o->key, link->version);

    /* a learning ends the pin */

    dt_redis_request_add(q, "HDEL %s:meta pinned", o->key);
    dt_redis_request_add(q, "EXPIRE %s:meta %u", o->key, link->ttl);

    if (link->flags & DT_LINK_GIVE_BACK) {
        dt_redis_unlock(o, q);
    }

    dt_redis_request_add(q, "EXEC");
}


static void
dt_redis_forget(dt_redis_order_t *o, dt_redis_request_t *q)
{
    const char *k = o->key;

    o->link->version = 0;
    o->link->learned_at = 0;

    dt_redis_request_add(q, "MULTI");
    dt_redis_request_add(q, "DEL %s:template", k);
    dt_redis_request_add(q,
                         "DEL %s:evidence %s:template.1 %s:template.2"
                         " %s:template.3 %s:meta %s:lock",
                         k, k, k, k, k, k);
    dt_redis_request_add(q, "EXEC");
}


static void
dt_redis_forgotten(dt_redis_order_t *o)
{
    const redisReply *exec = o->q[DT_REDIS_WRITE].answers[3];

    dt_redis_order_end(o,
                       exec->type == REDIS_REPLY_ARRAY && exec->elements
                               && exec->element[0]->integer == 1
                           ? DT_OK
                           : DT_DECLINED,
                       "");
}


static void
dt_redis_heads(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_REDIS_HEAD);

    for (int i = 1; i <= DT_REDIS_EARLIER; i++) {
        dt_redis_request_add(q, "GETRANGE %s:template.%d 0 %u", o->key, i,
                             DT_REDIS_HEAD);
    }

    dt_redis_request_add(q, "HMGET %s:meta pinned", o->key);
}


static void
dt_redis_listed(dt_redis_order_t *o)
{
    int found = 0;
    redisReply *const *answers = o->q[DT_REDIS_READ].answers;
    dt_template_head_t *heads;

    heads = calloc(DT_REDIS_EARLIER + 1, sizeof(*heads));
    if (heads == NULL) {
        dt_redis_order_end(o, DT_ENOMEM, "redis: no memory");
        return;
    }

    o->joined = (char *) heads;

    for (int i = 0; i <= DT_REDIS_EARLIER; i++) {
        if (dt_redis_head(dt_redis_string(answers[i]), &heads[i])) {
            found = 1;

        } else {
            memset(&heads[i], 0, sizeof(*heads));
        }
    }

    dt_redis_pinned(o, answers[DT_REDIS_EARLIER + 1], 0);
    dt_redis_known(o, &heads[0]);
    o->link->bytes =
        (dt_str_t){ (DT_REDIS_EARLIER + 1) * sizeof(*heads), o->joined };
    dt_redis_order_end(o, found ? DT_OK : DT_DECLINED, "");
}


/* looks for the template of the version.  Pinning an earlier one restores
   it. */
static void
dt_redis_find(dt_redis_order_t *o)
{
    uint32_t version = o->link->version;
    unsigned last = version ? DT_REDIS_EARLIER : 0;
    dt_template_head_t h;

    for (unsigned i = 0; i <= last; i++) {
        if (!dt_redis_head(dt_redis_string(o->q[DT_REDIS_READ].answers[i]), &h)
            || (version != 0 && h.version != version))
        {
            continue;
        }

        if (i) {
            dt_redis_request_free(&o->q[DT_REDIS_READ]);
            o->link->n = i;
            o->row = &dt_redis_rows[DT_LINK_RESTORE];
            o->to = DT_REDIS_READ;

        } else {
            dt_redis_known(o, &h);
        }

        return;
    }

    dt_redis_order_end(o, DT_DECLINED, "");
}


static void
dt_redis_pin(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_template_head_t h = { 0 };

    (void) dt_redis_head(dt_redis_string(o->q[DT_REDIS_READ].answers[0]), &h);

    dt_redis_request_add(q, "MULTI");
    dt_redis_meta(o, q, h.size, "pinned", dt_str("1"));

    for (size_t i = 0; i < DT_REDIS_LIVING; i++) {
        dt_redis_request_add(q, "PERSIST %s:%s", o->key, dt_redis_living[i]);
    }

    dt_redis_request_add(q, "EXEC");
}


static void
dt_redis_did(dt_redis_order_t *o)
{
    dt_redis_order_end(o, DT_OK, "");
}


static void
dt_redis_stays(dt_redis_order_t *o)
{
    o->link->flags |= DT_LINK_PINNED;
    dt_redis_order_end(o, DT_OK, "");
}


static void
dt_redis_earlier(dt_redis_order_t *o, dt_redis_request_t *q)
{
    if (o->link->n < 1 || o->link->n > DT_REDIS_EARLIER) {
        dt_redis_order_end(o, DT_DECLINED,
                           "redis: three earlier templates are kept");
        return;
    }

    dt_redis_request_add(q, "GETRANGE %s:template.%u 0 %u", o->key, o->link->n,
                         DT_TEMPLATE_MAX);
}


/* writes an earlier template as the present one; those before it move up */
static void
dt_redis_restore(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_str_t bytes = dt_redis_string(o->q[DT_REDIS_READ].answers[0]);
    dt_template_head_t h;

    if (!dt_redis_head(bytes, &h) || bytes.len > DT_TEMPLATE_MAX
        || dt_template_check(bytes.data, bytes.len, NULL) != DT_OK)
    {
        dt_redis_order_end(o, DT_DECLINED,
                           bytes.len ? "redis: the template is not sound"
                                     : "");
        return;
    }

    dt_redis_known(o, &h);

    dt_redis_request_add(q, "MULTI");
    dt_redis_shift(o, q, o->link->n);
    dt_redis_request_add(q, "SET %s:template %b", o->key, bytes.data,
                         bytes.len);
    dt_redis_request_add(q, "DEL %s:evidence", o->key);
    dt_redis_meta(o, q, h.size, "pinned", dt_str("1"));
    dt_redis_request_add(q, "PERSIST %s:meta", o->key);
    dt_redis_request_add(q, "EXEC");
}


static void
dt_redis_unpin(dt_redis_order_t *o, dt_redis_request_t *q)
{
    dt_redis_request_add(q, "GETRANGE %s:template 0 %u", o->key,
                         DT_REDIS_HEAD);
    dt_redis_request_add(q, "HDEL %s:meta pinned", o->key);

    for (size_t i = 0; i < DT_REDIS_LIVING; i++) {
        dt_redis_request_add(q, "EXPIRE %s:%s %u", o->key, dt_redis_living[i],
                             dt_redis_ttl(o));
    }
}


static void
dt_redis_unpinned(dt_redis_order_t *o)
{
    dt_template_head_t h;

    if (dt_redis_head(dt_redis_string(o->q[DT_REDIS_READ].answers[0]), &h)) {
        dt_redis_known(o, &h);

    } else {
        dt_redis_order_end(o, DT_DECLINED, "");
    }
}


static void
dt_redis_list(dt_redis_order_t *o, dt_redis_request_t *q)
{
    char sites[DT_REDIS_PREFIX + 8];

    snprintf(sites, sizeof(sites), "%ssites", o->conf->prefix);
    q->slot = dt_redis_slot(dt_cstr(sites));

    if (o->row->did == DT_LINK_DID_FORGET) {
        dt_redis_request_add(q, "ZREM %s %s", sites, o->site);
        return;
    }

    dt_redis_request_add(q, "ZADD %s %lld %s", sites,
                         (long long) o->link->learned_at, o->site);
    dt_redis_request_add(q, "ZREMRANGEBYSCORE %s -inf (%lld", sites,
                         (long long) time(NULL) - o->link->ttl);
    dt_redis_request_add(q, "ZREMRANGEBYRANK %s 0 %d", sites,
                         -DT_REDIS_SITES - 1);
}


static void
dt_redis_tell(dt_redis_order_t *o, dt_redis_request_t *q)
{
    char stream[DT_REDIS_PREFIX + 8];
    const dt_frame_t *link = o->link;

    snprintf(stream, sizeof(stream), "%sevents", o->conf->prefix);
    q->slot = dt_redis_slot(dt_cstr(stream));

    dt_redis_request_add(q,
                         "XADD %s MAXLEN ~ %d * site %s version %u"
                         " learned_at %lld do %s by %s added %u redesign %u",
                         stream, DT_REDIS_EVENTS, o->site, link->version,
                         (long long) link->learned_at,
                         dt_link_dids[o->row->did], o->conf->token,
                         (link->flags & DT_LINK_ADDED) != 0,
                         (link->flags & DT_LINK_REDESIGNED) != 0);
}


const dt_redis_row_t dt_redis_rows[DT_LINK_LAST] = {
    [DT_LINK_GET] = { .add = { dt_redis_get }, .done = dt_redis_take },
    [DT_LINK_LOCK] = { .add = { dt_redis_lock, dt_redis_renew },
                       .look = dt_redis_locked,
                       .done = dt_redis_take },
    [DT_LINK_UNLOCK] = { .add = { NULL, dt_redis_unlock },
                         .done = dt_redis_did },
    [DT_LINK_COMPARE] = { .add = { dt_redis_compare },
                          .done = dt_redis_compared },
    [DT_LINK_PUT] = { .add = { NULL, dt_redis_put, dt_redis_list,
                               dt_redis_tell },
                      .done = dt_redis_did,
                      .did = DT_LINK_DID_LEARN },
    [DT_LINK_FORGET] = { .add = { NULL, dt_redis_forget, dt_redis_list,
                                  dt_redis_tell },
                         .done = dt_redis_forgotten,
                         .did = DT_LINK_DID_FORGET },
    [DT_LINK_RELEARN] = { .add = { NULL, NULL, NULL, dt_redis_tell },
                          .done = dt_redis_did,
                          .did = DT_LINK_DID_RELEARN },
    [DT_LINK_PIN] = { .add = { dt_redis_heads, dt_redis_pin, NULL,
                               dt_redis_tell },
                      .look = dt_redis_find,
                      .done = dt_redis_stays,
                      .did = DT_LINK_DID_PIN },
    [DT_LINK_UNPIN] = { .add = { dt_redis_unpin, NULL, NULL, dt_redis_tell },
                        .look = dt_redis_unpinned,
                        .done = dt_redis_did,
                        .did = DT_LINK_DID_UNPIN },
    [DT_LINK_RESTORE] = { .add = { dt_redis_earlier, dt_redis_restore, NULL,
                                   dt_redis_tell },
                          .done = dt_redis_stays,
                          .did = DT_LINK_DID_PIN },
    [DT_LINK_LIST] = { .add = { dt_redis_heads }, .done = dt_redis_listed },
};


/* whether a byte needs no encoding in a key; "{", "}" and "%" do */
static int
dt_redis_plain(unsigned char c)
{
    return dt_is_alnum(c)
           || (c != '\0' && strchr("-._~:/[]@!$&()*+,;=", c) != NULL);
}


static void
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


/* adds the next requests; the order is done if there are none */
static void
dt_redis_order_step(dt_redis_order_t *o)
{
    unsigned n, more = 1;

    o->from = o->to;

    while (more && o->to < DT_REDIS_STEPS) {
        n = o->to++;

        if (o->row->add[n] == NULL) {
            o->from += o->from == n;
            continue;
        }

        o->q[n].slot = dt_redis_slot(dt_cstr(o->key));
        o->row->add[n](o, &o->q[n]);

        if (o->ended) {
            return;
        }

        /* an event of a template that was not written does no harm */

        more =
            n > DT_REDIS_WRITE
            || (n == DT_REDIS_WRITE && o->one && o->link->what == DT_LINK_PUT);
    }

    if (o->from == o->to) {
        o->row->done(o);
    }
}


void
dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                     const dt_redis_conf_t *conf, unsigned one)
{
    memset(o, 0, sizeof(*o));
    o->one = one != 0;
    o->link = link;
    o->conf = conf;

    link->flags &= ~(uint32_t) (DT_LINK_LOCKED | DT_LINK_PINNED);

    if (link->what >= DT_LINK_LAST || dt_redis_rows[link->what].done == NULL) {
        dt_redis_order_end(o, DT_EINVAL, "redis: there is no such order");
        return;
    }

    if (link->site.len == 0 || link->site.len > DT_LINK_SITE) {
        dt_redis_order_end(o, DT_ELIMIT,
                           "redis: the site's name must have 1 to 255 bytes");
        return;
    }

    o->row = &dt_redis_rows[link->what];
    dt_redis_site_encode(link->site, o->site);
    snprintf(o->key, sizeof(o->key), "%s{%s}", conf->prefix, o->site);
    dt_redis_order_step(o);
}


/* ends the order if request n has no answers, or an answer is an error */
static void
dt_redis_order_judge(dt_redis_order_t *o, unsigned n)
{
    char text[DT_ERRSTR];
    const redisReply *e = NULL;
    dt_status_t rc = DT_EINVAL;
    const dt_redis_request_t *q = &o->q[n];

    /* a key that is not there cannot be renamed */

    for (unsigned i = 0; i < q->n && q->rc == DT_OK && e == NULL; i++) {
        e = dt_redis_error(q->answers[i], "ERR no such key");
    }

    if (q->rc == DT_OK && e == NULL) {
        return;
    }

    if (e != NULL) {
        snprintf(text, sizeof(text), "redis: %.*s",
                 (int) strcspn(e->str, "\r\n"), e->str);

    } else {
        rc = q->rc;
        memcpy(text, q->errstr, sizeof(text));
    }

    /* the template is stored; the missing event deserves a log line */

    dt_redis_order_end(
        o, o->link->what == DT_LINK_PUT && n > DT_REDIS_WRITE ? DT_OK : rc,
        text);
}


void
dt_redis_order_next(dt_redis_order_t *o)
{
    unsigned from = o->from, to = o->to;

    for (unsigned i = from; i < to; i++) {
        dt_redis_request_sent(&o->q[i]);

        if (!o->ended) {
            dt_redis_order_judge(o, i);
        }
    }

    if (!o->ended && from == DT_REDIS_READ && o->row->look != NULL) {
        o->row->look(o);
    }

    if (!o->ended) {
        dt_redis_order_step(o);
    }
}


void
dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text)
{
    snprintf(o->text, sizeof(o->text), "%s", text);
    dt_redis_printable(o->text);

    o->ended = 1;
    o->from = 0;
    o->to = 0;
    o->link->rc = rc;
    o->link->text = dt_cstr(o->text);
}


void
dt_redis_order_free(dt_redis_order_t *o)
{
    for (size_t i = 0; i < DT_REDIS_STEPS; i++) {
        dt_redis_request_free(&o->q[i]);
    }

    free(o->joined);
    o->joined = NULL;
}
