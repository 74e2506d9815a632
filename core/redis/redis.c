
/*
 * Copyright (C) The detemplate authors
 *
 * The schema: keys and commands.  A site's keys contain its name in braces,
 * which keeps them on one slot.  Names are hostile, so bytes that could end
 * the braces or disturb a terminal are percent-encoded.
 *
 * The lock is the one of the Redis manual: SET with NX and EX and a random
 * token, and a script that compares the token before it removes the lock.  The
 * script also runs before the lock is taken, since a manager of ours that died
 * may have left its lock.
 */


#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/str.h"
#include "core/redis/redis_conf.h"
#include "core/redis/redis_conn.h"
#include "core/template/template.h"


#define DT_REDIS_SITE 255
#define DT_REDIS_TOKEN 64
#define DT_REDIS_SITES 10000 /* members of <prefix>sites */
#define DT_REDIS_EVENTS 1000 /* approximate entries of <prefix>events */


struct dt_redis_s {
    dt_redis_conn_t *conn;
    char prefix[DT_REDIS_PREFIX + 1];
    char site[3 * DT_REDIS_SITE + 1]; /* the encoded name in this call */
};


const char dt_redis_unlock_lua[] =
    "-- Removes a lock only if it still carries the token of the one who "
    "asks.\n"
    "-- KEYS[1]: the lock.  ARGV[1]: the token.  Gives 1 if removed, else "
    "0.\n"
    "if redis.call(\"GET\", KEYS[1]) == ARGV[1] then\n"
    "    return redis.call(\"DEL\", KEYS[1])\n"
    "end\n"
    "return 0\n";


dt_status_t
dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR])
{
    dt_status_t rc;
    dt_redis_conf_t c;

    errstr[0] = '\0';
    rc = dt_redis_conf_parse(o, &c, errstr);
    explicit_bzero(&c, sizeof(c));

    return rc;
}


dt_status_t
dt_redis_resolve(const dt_redis_opts_t *o, dt_redis_addrs_t *addrs,
                 char errstr[DT_ERRSTR])
{
    int e = 0;
    dt_status_t rc;
    dt_redis_conf_t c;

    addrs->n = 0;
    rc = dt_redis_conf_parse(o, &c, errstr);

    if (rc == DT_OK && c.host[0] != '\0') {
        e = dt_redis_conf_addrs(c.host, 0, addrs);
    }

    if (e != 0) {
        snprintf(errstr, DT_ERRSTR, "redis: host \"%.64s\": %s", c.host,
                 gai_strerror(e));
        rc = DT_DECLINED;
    }

    explicit_bzero(&c, sizeof(c));

    return rc;
}


dt_redis_t *
dt_redis_create(const dt_redis_opts_t *o)
{
    char errstr[DT_ERRSTR];
    dt_redis_t *r = NULL;
    dt_redis_conf_t c;

    if (dt_redis_conf_parse(o, &c, errstr) == DT_OK) {
        r = calloc(1, sizeof(dt_redis_t));

        if (o->addrs != NULL) {
            c.addrs = *o->addrs;

        } else if (c.host[0] != '\0') {
            (void) dt_redis_conf_addrs(c.host, 1, &c.addrs);
        }
    }

    if (r != NULL) {
        memcpy(r->prefix, c.prefix, sizeof(r->prefix));

        r->conn = dt_redis_conn_create(&c);
        if (r->conn == NULL) {
            free(r);
            r = NULL;
        }
    }

    explicit_bzero(&c, sizeof(c));

    return r;
}


void
dt_redis_destroy(dt_redis_t *r)
{
    if (r != NULL) {
        dt_redis_conn_destroy(r->conn);
        free(r);
    }
}


const char *
dt_redis_errstr(const dt_redis_t *r)
{
    return dt_redis_conn_errstr(r->conn);
}


int
dt_redis_fd(const dt_redis_t *r, int *writing)
{
    return dt_redis_conn_fd(r->conn, writing);
}


long
dt_redis_wait(const dt_redis_t *r)
{
    return dt_redis_conn_wait(r->conn);
}


void
dt_redis_process(dt_redis_t *r)
{
    dt_redis_conn_process(r->conn);
}


void
dt_redis_on_close(dt_redis_t *r, void (*closing)(void *data), void *data)
{
    dt_redis_conn_on_close(r->conn, closing, data);
}


/* ends a call that cannot be made */
static dt_redis_call_t *
dt_redis_fail(dt_redis_t *r, dt_redis_done_t done, dt_status_t rc,
              const char *what)
{
    dt_redis_conn_error(r->conn, what, "", 0);
    done.fn(done.data, rc, (dt_str_t){ 0, NULL });

    return NULL;
}


/* whether a byte needs no encoding in a key; "{", "}" and "%" do */
static int
dt_redis_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9')
           || (c != '\0' && strchr("-._~:/[]@!$&()*+,;=", c) != NULL);
}


/* begins a call, and writes the site's encoded name to r->site */
static dt_redis_call_t *
dt_redis_begin(dt_redis_t *r, dt_str_t site, dt_redis_judge_t judge,
               dt_redis_done_t done)
{
    char *p = r->site;
    unsigned char c;

    if (site.len == 0 || site.len > DT_REDIS_SITE) {
        return dt_redis_fail(r, done, DT_ELIMIT,
                             "the site's name must have 1 to 255 bytes");
    }

    for (size_t i = 0; i < site.len; i++) {
        c = (unsigned char) site.data[i];

        if (dt_redis_plain(c)) {
            *p++ = (char) c;

        } else {
            p = dt_percent_encode(p, c);
        }
    }

    *p = '\0';

    return dt_redis_conn_call(r->conn, judge, done);
}


static dt_status_t
dt_redis_got(dt_redis_conn_t *conn, const dt_redis_value_t *v)
{
    if (v->str.len > DT_TEMPLATE_MAX) {
        dt_redis_conn_error(conn, "the template is over 4 MiB", "", 0);
        return DT_ELIMIT;
    }

    return v->str.len ? DT_OK : DT_DECLINED;
}


void
dt_redis_get(dt_redis_t *r, dt_str_t site, dt_redis_done_t done)
{
    dt_redis_call_t *call;

    call = dt_redis_begin(r, site, dt_redis_got, done);
    if (call == NULL) {
        return;
    }

    /* one byte more than allowed reveals a value that is too long */
    dt_redis_conn_append(call, "GETRANGE %s{%s}:template 0 %u", r->prefix,
                         r->site, DT_TEMPLATE_MAX);
    dt_redis_conn_send(r->conn, call);
}


static dt_redis_call_t *
dt_redis_begin_lock(dt_redis_t *r, dt_str_t site, const char *token,
                    dt_redis_judge_t judge, dt_redis_done_t done)
{
    size_t len = strlen(token);

    if (len == 0 || len > DT_REDIS_TOKEN) {
        return dt_redis_fail(r, done, DT_EINVAL,
                             "a token must have 1 to 64 bytes");
    }

    return dt_redis_begin(r, site, judge, done);
}


static void
dt_redis_append_unlock(dt_redis_t *r, dt_redis_call_t *call, const char *token)
{
    dt_redis_conn_append(call, "EVAL %s 1 %s{%s}:lock %s", dt_redis_unlock_lua,
                         r->prefix, r->site, token);
}


static dt_status_t
dt_redis_was_put(dt_redis_conn_t *conn, const dt_redis_value_t *v)
{
    (void) conn;
    (void) v;

    return DT_OK;
}


void
dt_redis_put(dt_redis_t *r, dt_str_t site, dt_str_t bytes,
             const dt_redis_meta_t *meta, long ttl_s, const char *token,
             dt_redis_done_t done)
{
    const char *p = r->prefix, *s = r->site;
    dt_redis_call_t *c;

    if (bytes.len == 0 || bytes.len > DT_TEMPLATE_MAX || ttl_s < 1) {
        (void) dt_redis_fail(r, done, DT_EINVAL,
                             "the template must have 1 byte to 4 MiB, and "
                             "live for at least 1s");
        return;
    }

    c = token ? dt_redis_begin_lock(r, site, token, dt_redis_was_put, done)
              : dt_redis_begin(r, site, dt_redis_was_put, done);
    if (c == NULL) {
        return;
    }

    dt_redis_conn_append(c, "MULTI");

    dt_redis_conn_append(c, "SET %s{%s}:template %b EX %ld", p, s, bytes.data,
                         bytes.len, ttl_s);
    dt_redis_conn_append(c,
                         "HSET %s{%s}:meta version %u learned_at %lld"
                         " patterns %u loads %u candidates %u coverage %u"
                         " size %llu url %s",
                         p, s, meta->version, (long long) meta->learned_at,
                         meta->patterns, meta->loads, meta->candidates,
                         meta->coverage, (unsigned long long) bytes.len,
                         meta->url ? meta->url : "");
    dt_redis_conn_append(c, "EXPIRE %s{%s}:meta %ld", p, s, ttl_s);

    dt_redis_conn_append(c, "ZADD %ssites %lld %s", p,
                         (long long) meta->learned_at, s);
    dt_redis_conn_append(c, "ZREMRANGEBYSCORE %ssites -inf (%lld", p,
                         (long long) time(NULL) - ttl_s);
    dt_redis_conn_append(c, "ZREMRANGEBYRANK %ssites 0 %d", p,
                         -DT_REDIS_SITES - 1);

    dt_redis_conn_append(
        c,
        meta->redesigned ? "XADD %sevents MAXLEN ~ %d * site %s version %u"
                           " redesign 1"
                         : "XADD %sevents MAXLEN ~ %d * site %s version %u",
        p, DT_REDIS_EVENTS, s, meta->version);

    dt_redis_conn_append(c, "EXEC");

    if (token) {
        dt_redis_append_unlock(r, c, token);
    }

    dt_redis_conn_send(r->conn, c);
}


static dt_status_t
dt_redis_was_one(dt_redis_conn_t *conn, const dt_redis_value_t *v)
{
    (void) conn;

    return v->integer == 1 ? DT_OK : DT_DECLINED;
}


void
dt_redis_forget(dt_redis_t *r, dt_str_t site, dt_redis_done_t done)
{
    const char *p = r->prefix, *s = r->site;
    dt_redis_call_t *c;

    c = dt_redis_begin(r, site, dt_redis_was_one, done);
    if (c == NULL) {
        return;
    }

    dt_redis_conn_append(c, "ZREM %ssites %s", p, s);
    dt_redis_conn_append(c, "XADD %sevents MAXLEN ~ %d * site %s version 0", p,
                         DT_REDIS_EVENTS, s);
    dt_redis_conn_append(c, "DEL %s{%s}:meta", p, s);
    dt_redis_conn_append(c, "DEL %s{%s}:template", p, s);
    dt_redis_conn_send(r->conn, c);
}


static dt_status_t
dt_redis_was_locked(dt_redis_conn_t *conn, const dt_redis_value_t *v)
{
    (void) conn;

    return v->nil ? DT_DECLINED : DT_OK;
}


void
dt_redis_lock(dt_redis_t *r, dt_str_t site, const char *token, long ttl_s,
              dt_redis_done_t done)
{
    dt_redis_call_t *c;

    if (ttl_s < 1) {
        (void) dt_redis_fail(r, done, DT_EINVAL,
                             "a lock must live for at least 1s");
        return;
    }

    c = dt_redis_begin_lock(r, site, token, dt_redis_was_locked, done);
    if (c == NULL) {
        return;
    }

    dt_redis_append_unlock(r, c, token);
    dt_redis_conn_append(c, "SET %s{%s}:lock %s NX EX %ld", r->prefix, r->site,
                         token, ttl_s);
    dt_redis_conn_send(r->conn, c);
}


void
dt_redis_unlock(dt_redis_t *r, dt_str_t site, const char *token,
                dt_redis_done_t done)
{
    dt_redis_call_t *c;

    c = dt_redis_begin_lock(r, site, token, dt_redis_was_one, done);
    if (c != NULL) {
        dt_redis_append_unlock(r, c, token);
        dt_redis_conn_send(r->conn, c);
    }
}
