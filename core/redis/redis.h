
/*
 * Copyright (C) The detemplate authors
 *
 * The schema of redis-schema/README.md, spoken through hiredis.  Nothing here
 * waits: calls are put into a queue, sent and answered in their order when
 * dt_redis_process() is called; for an event loop, never for a worker.
 */


#ifndef DT_REDIS_H_INCLUDED_
#define DT_REDIS_H_INCLUDED_


#include "core/base/dt.h"


#define DT_REDIS_ADDRS 8

/* addresses of a server, in numbers */
typedef struct {
    unsigned n;
    char text[DT_REDIS_ADDRS][64];
} dt_redis_addrs_t;


typedef struct {
    const char *url;           /* redis://[user:password@]host:port/db, or
                                  unix:[user:password@]/path */
    const char *prefix;        /* of every key; default "dt:" */
    long timeout_ms;           /* of connecting and of each command; 200 */
    const char *password_file; /* read at each connect, or NULL */
    const dt_redis_addrs_t
        *addrs; /* of the host, which is not looked up; NULL:
                   it is a number, or there is a socket */
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


/*
 * Who is told, once for each call, and at once when it cannot be begun; may
 * make other calls.  bytes are those of dt_redis_get(), as from malloc(), and
 * are gone when fn returns.  All calls give, beside what is said of them:
 *
 * DT_EIO: Redis is away, or was too slow; calls fail at once until the
 * back-off (0.5 s doubling to 30 s, with jitter) has passed.  The first one
 * after it fails at once as well, but is made, and when that goes well and
 * quickly, Redis is back: nobody waits for one that may still be away.
 * DT_EINVAL: Redis is there, and has refused the command.
 * DT_ELIMIT: too many calls wait, or the site's name is too long.
 */
typedef struct {
    void (*fn)(void *data, dt_status_t rc, dt_str_t bytes);
    void *data;
} dt_redis_done_t;


typedef struct dt_redis_s dt_redis_t;

/* Checks opts without connecting: DT_OK, or DT_EINVAL with the mend. */
dt_status_t dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR]);

/*
 * Looks up the host of o, which may wait for seconds: for when a configuration
 * is read.  DT_OK: addrs has the first ones of it, none of a socket;
 * DT_DECLINED, with a message: it is unknown.
 */
dt_status_t dt_redis_resolve(const dt_redis_opts_t *o, dt_redis_addrs_t *addrs,
                             char errstr[DT_ERRSTR]);

/*
 * Copies o; connects at the first command and again after failures, to the
 * first address that answers.  NULL: no memory, or dt_redis_check() would not
 * pass o.  Those whose calls wait when it is destroyed are not told.
 */
dt_redis_t *dt_redis_create(const dt_redis_opts_t *o);
void dt_redis_destroy(dt_redis_t *r);

/*
 * In done: why the call failed, or, when it did not, why none will be made for
 * a while: Redis is too slow.  Empty when all is well.
 */
const char *dt_redis_errstr(const dt_redis_t *r);

/*
 * The site's template bytes, at most DT_TEMPLATE_MAX, not yet checked;
 * DT_DECLINED: there is none.  DT_ELIMIT: it is larger.
 */
void dt_redis_get(dt_redis_t *r, dt_str_t site, dt_redis_done_t done);

/*
 * Publishes bytes and meta, which it copies, with a time to live and adds an
 * event; and removes the lock under token, if that is not NULL and the lock
 * still ours.
 */
void dt_redis_put(dt_redis_t *r, dt_str_t site, dt_str_t bytes,
                  const dt_redis_meta_t *meta, long ttl_s, const char *token,
                  dt_redis_done_t done);

/*
 * Takes the site's lock for ttl_s seconds under token (random, the caller's),
 * anew if it is there under token; DT_DECLINED: another machine has it.
 * Unlock removes it only if it is still ours, else DT_DECLINED.
 */
void dt_redis_lock(dt_redis_t *r, dt_str_t site, const char *token, long ttl_s,
                   dt_redis_done_t done);
void dt_redis_unlock(dt_redis_t *r, dt_str_t site, const char *token,
                     dt_redis_done_t done);


/* for the event loop, after each of the calls above and here */

/* The socket, or -1; writing: it is to be watched for that as well. */
int dt_redis_fd(const dt_redis_t *r, int *writing);

/* ms until dt_redis_process() is to be called at the latest, or -1. */
long dt_redis_wait(const dt_redis_t *r);

/* Writes and reads what goes without waiting, and tells who waits for it. */
void dt_redis_process(dt_redis_t *r);

/* closing is called before the socket is closed. */
void dt_redis_on_close(dt_redis_t *r, void (*closing)(void *data), void *data);


/* redis-schema/unlock.lua, the same text */
extern const char dt_redis_unlock_lua[];


#endif /* DT_REDIS_H_INCLUDED_ */
