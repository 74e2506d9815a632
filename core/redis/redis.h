
/*
 * Copyright (C) The detemplate authors
 *
 * The schema of redis-schema/README.md, through hiredis.  No function waits:
 * calls are queued, and dt_redis_process() sends them and reads the answers in
 * their order.  It is for an event loop, and never used by a worker.
 */


#ifndef DT_REDIS_H_INCLUDED_
#define DT_REDIS_H_INCLUDED_


#include "core/base/dt.h"


#define DT_REDIS_ADDRS 8

/* numeric addresses of a server */
typedef struct {
    unsigned n;
    char text[DT_REDIS_ADDRS][64];
} dt_redis_addrs_t;


typedef struct {
    const char *url;           /* redis://[user:password@]host:port/db, or
                                  unix:[user:password@]/path */
    const char *prefix;        /* prefix of every key; default "dt:" */
    long timeout_ms;           /* of connecting and of each command; 200 */
    const char *password_file; /* read at each connect, or NULL */
    const dt_redis_addrs_t
        *addrs; /* of the host, which is not resolved again;
                   NULL: the URL has an address or a socket */
} dt_redis_opts_t;


typedef struct {
    uint32_t version;
    int64_t learned_at;
    uint32_t patterns;
    uint32_t loads;
    uint32_t candidates;
    uint32_t coverage;   /* of the key page, in 1/1000 */
    const char *url;     /* of the key page */
    unsigned redesigned; /* the event says that the site has another design */
} dt_redis_meta_t;


/*
 * The callback of a call.  fn is called once, and at once when the call cannot
 * be made; it may make other calls.  bytes are the result of dt_redis_get(),
 * aligned as by malloc(), and are freed when fn returns.  Besides its own
 * statuses, every call may give these:
 *
 * DT_EIO: Redis does not answer, or was too slow.  Calls fail at once until
 * the back-off (0.5 s doubling to 30 s, with jitter) has passed.  The first
 * call after that fails at once as well, so that nobody waits for it.  But it
 * is sent, and when it succeeds quickly, Redis is used again. DT_EINVAL: Redis
 * has refused the command. DT_ELIMIT: too many calls are waiting, or the
 * site's name is too long.
 */
typedef struct {
    void (*fn)(void *data, dt_status_t rc, dt_str_t bytes);
    void *data;
} dt_redis_done_t;


typedef struct dt_redis_s dt_redis_t;

/* Checks o without connecting: DT_OK, or DT_EINVAL with a message that says
   what to change. */
dt_status_t dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR]);

/*
 * Resolves the host of o, which may take seconds, so it is called when a
 * configuration is read.  DT_OK: addrs has the first addresses; it is empty
 * for a socket.  DT_DECLINED, with a message: the host is unknown.
 */
dt_status_t dt_redis_resolve(const dt_redis_opts_t *o, dt_redis_addrs_t *addrs,
                             char errstr[DT_ERRSTR]);

/*
 * Creates a client, and copies o.  It connects at the first command, and again
 * after failures, to the first address that answers.  NULL: no memory, or
 * dt_redis_check() refuses o.  The caller destroys it; callbacks of calls that
 * are waiting then are not called.
 */
dt_redis_t *dt_redis_create(const dt_redis_opts_t *o);
void dt_redis_destroy(dt_redis_t *r);

/*
 * In a callback: says why the call failed; or, when it did not fail, that
 * Redis is too slow and will not be used until a back-off has passed.
 * Otherwise empty.
 */
const char *dt_redis_errstr(const dt_redis_t *r);

/*
 * Reads the site's template, at most DT_TEMPLATE_MAX bytes, which are not yet
 * checked.  DT_DECLINED: there is none.  DT_ELIMIT: it is larger.
 */
void dt_redis_get(dt_redis_t *r, dt_str_t site, dt_redis_done_t done);

/*
 * Writes the template's bytes and meta, both copied, with a time to live, and
 * adds an event.  If token is not NULL, it also removes the lock with that
 * token.
 */
void dt_redis_put(dt_redis_t *r, dt_str_t site, dt_str_t bytes,
                  const dt_redis_meta_t *meta, long ttl_s, const char *token,
                  dt_redis_done_t done);

/*
 * Removes the site's template and what is known of it, and adds an event of
 * version 0.  DT_DECLINED: there was no template.
 */
void dt_redis_forget(dt_redis_t *r, dt_str_t site, dt_redis_done_t done);

/*
 * Takes the site's lock for ttl_s seconds with the caller's random token; a
 * lock with the same token is renewed.  DT_DECLINED: another machine has it.
 * dt_redis_unlock() removes the lock only if it has the token, else
 * DT_DECLINED.
 */
void dt_redis_lock(dt_redis_t *r, dt_str_t site, const char *token, long ttl_s,
                   dt_redis_done_t done);
void dt_redis_unlock(dt_redis_t *r, dt_str_t site, const char *token,
                     dt_redis_done_t done);


/* the functions below are for the event loop; their results may change with
   each call of a function above or below */

/* Returns the socket, or -1; *writing: it must be watched for writing too. */
int dt_redis_fd(const dt_redis_t *r, int *writing);

/* Returns the ms until dt_redis_process() must be called at the latest, or -1
   for never. */
long dt_redis_wait(const dt_redis_t *r);

/* Writes and reads as much as possible without waiting, and calls callbacks.
 */
void dt_redis_process(dt_redis_t *r);

/* Sets a function that is called before the socket is closed. */
void dt_redis_on_close(dt_redis_t *r, void (*closing)(void *data), void *data);


/* the text of redis-schema/unlock.lua */
extern const char dt_redis_unlock_lua[];


#endif /* DT_REDIS_H_INCLUDED_ */
