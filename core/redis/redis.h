
/*
 * Copyright (C) The detemplate authors
 *
 * The schema of redis-schema/README.md, spoken through hiredis.  Blocking,
 * with short time-outs: for the manager process and the CLI, never for a
 * worker.  The caller ignores SIGPIPE.
 */


#ifndef DT_REDIS_H_INCLUDED_
#define DT_REDIS_H_INCLUDED_


#include "core/base/dt.h"


typedef struct {
    const char *url;           /* redis://[user:password@]host:port/db, or
                                  unix:[user:password@]/path */
    const char *prefix;        /* of every key; default "dt:" */
    long timeout_ms;           /* of connecting and of each command; 200 */
    const char *password_file; /* read at each connect, or NULL */
} dt_redis_opts_t;


typedef struct {
    uint32_t version;
    int64_t learned_at;
    uint32_t patterns;
    uint32_t loads;
    uint32_t candidates;
    uint32_t coverage; /* 1/1000 */
    const char *url;   /* key page */
} dt_redis_meta_t;


typedef struct dt_redis_s dt_redis_t;

/* Checks opts without connecting: DT_OK, or DT_EINVAL with the mend. */
dt_status_t dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR]);

/*
 * Copies o; connects at the first command and again after failures.  NULL:
 * no memory, or dt_redis_check() would not pass o.
 */
dt_redis_t *dt_redis_create(const dt_redis_opts_t *o);
void dt_redis_destroy(dt_redis_t *r);

/*
 * Why the last call failed, or, when it did not, why none will be made for a
 * while: Redis is too slow.  Empty when all is well.
 */
const char *dt_redis_errstr(const dt_redis_t *r);

/*
 * The site's template bytes, malloc()ed, at most DT_TEMPLATE_MAX, not yet
 * checked.  DT_DECLINED: there is none.
 *
 * As all calls, DT_EIO: Redis is away, or was too slow; calls fail at once
 * until the back-off (0.5 s doubling to 30 s, with jitter) has passed.
 * DT_EINVAL: Redis is there, and has refused the command.
 */
dt_status_t dt_redis_get(dt_redis_t *r, dt_str_t site, void **bytes,
                         size_t *len);

/*
 * Publishes bytes and meta with a time to live and adds an event; and removes
 * the lock under token, if that is not NULL and the lock still ours.
 */
dt_status_t dt_redis_put(dt_redis_t *r, dt_str_t site, const void *bytes,
                         size_t len, const dt_redis_meta_t *meta, long ttl_s,
                         const char *token);

/*
 * Takes the site's lock for ttl_s seconds under token (random, the caller's);
 * DT_DECLINED: another machine has it.  Unlock removes it only if it is still
 * ours, else DT_DECLINED.
 */
dt_status_t dt_redis_lock(dt_redis_t *r, dt_str_t site, const char *token,
                          long ttl_s);
dt_status_t dt_redis_unlock(dt_redis_t *r, dt_str_t site, const char *token);

/* redis-schema/unlock.lua, the same text */
extern const char dt_redis_unlock_lua[];


#endif /* DT_REDIS_H_INCLUDED_ */
