
/*
 * Copyright (C) The detemplate authors
 *
 * The schema of redis-schema/README.md, spoken in plain blocking code through
 * hiredis's formatter and reader, with TLS of OpenSSL.  It is for the link,
 * the commands of the tool and tests; nginx contains only the check of
 * options.
 */


#ifndef DT_REDIS_H_INCLUDED_
#define DT_REDIS_H_INCLUDED_


#include <sys/un.h>

#include "core/base/wire.h"


#define DT_REDIS_BATCH 64 /* orders that dt_redis_do() takes at once */


typedef struct {
    const char *url;       /* redis[s]://[user:password@]host[:port][/db]
                           unix:[user:password@]/path
                           redis[s]+sentinel://[user:password@]host[:port],
                               host[:port],.../NAME[/db] */
    const char *prefix;    /* of every key; default "dt:" */
    const char *token;     /* the value of our locks, and our name in events */
    long timeout_ms;       /* of connecting and of each answer; 200 */
    const char *user_file; /* one line each, read at each connect; or */
    const char *password_file;          /* NULL */
    const char *sentinel_password_file; /* likewise, of the sentinels */
    const char *ca;   /* file of certificates to trust; NULL: the system's */
    const char *cert; /* client certificate, and its key; or NULL */
    const char *key;
    int insecure; /* verify=off: the server's certificate is not checked */
} dt_redis_opts_t;


/* an option that is text */
typedef struct {
    const char *name; /* as in DT_LINK_CONF and in the directive */
    size_t place;     /* in dt_redis_opts_t */
    int file;         /* it is the name of a file */
} dt_redis_text_t;

/* All of them.  The first two are no parameters of the directive; behind the
   last one, name is NULL. */
extern const dt_redis_text_t dt_redis_texts[];

/* Checks o without connecting and without memory: DT_OK, or DT_EINVAL with a
   message that names the change to make, and quotes no URL. */
dt_status_t dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR]);


typedef struct dt_redis_s dt_redis_t;

/* Creates a client, and copies o.  It is not connected.  NULL: no memory, or
   dt_redis_check() refuses o. */
dt_redis_t *dt_redis_create(const dt_redis_opts_t *o);
void dt_redis_destroy(dt_redis_t *r);

/*
 * Connects if there is no connection and the back-off is over (0.5 s, doubling
 * to 4 s, each shortened at random by up to a half).  Returns the ms until it
 * should be called again.  It may take several times timeout_ms.
 */
long dt_redis_tick(dt_redis_t *r);

/*
 * Carries out n orders, at most DT_REDIS_BATCH.  All their commands are
 * written at once, and the answers read in their order; a second round follows
 * where one needs it.  Each order becomes its answer: rc, flags and the facts
 * about the template are set, and slices are replaced by those of the answer,
 * which are valid until the next call of dt_redis_do().
 *
 * rc: DT_OK; DT_DECLINED, there is none; DT_EIO, Redis does not answer: all
 * orders fail at once until dt_redis_tick() has connected again; DT_EINVAL,
 * Redis refuses the command; DT_ELIMIT, a bound.
 */
void dt_redis_do(dt_redis_t *r, dt_frame_t *orders, size_t n);

/* Returns the socket on which events come, or -1; dt_redis_events() is called
   when it is readable. */
int dt_redis_fd(const dt_redis_t *r);

/* Reads all that has arrived, and calls fn for each event of another machine,
   and for a gap.  The frame is valid only during the call. */
void dt_redis_events(dt_redis_t *r, void (*fn)(void *data, dt_frame_t *news),
                     void *data);

/* Fills in a frame DT_LINK_STATE, whose slices are valid until the next call.
   Returns 1 if it is another state than that of the call before. */
int dt_redis_state(dt_redis_t *r, dt_frame_t *state);


/*
 * The parsed options of dt_redis_create().  This file needs no library but
 * that of C, since nginx contains it.
 */

#define DT_REDIS_HOSTS 8 /* sentinels */
#define DT_REDIS_PREFIX 64
#define DT_REDIS_SECRET 512
#define DT_REDIS_USER 127
#define DT_REDIS_FILE 1024
#define DT_REDIS_TOKEN 64


typedef struct {
    char name[256]; /* or an address */
    int port;
} dt_redis_host_t;

typedef struct {
    dt_redis_host_t hosts[DT_REDIS_HOSTS];
    unsigned nhosts; /* 0: path is a socket */
    char path[sizeof(((struct sockaddr_un *) NULL)->sun_path)];
    char master[128]; /* the hosts are sentinels, which know its address */
    unsigned db;
    unsigned tls;
    char user[DT_REDIS_USER + 1];
    char password[DT_REDIS_SECRET + 1];
} dt_redis_url_t;

typedef struct {
    dt_redis_url_t url;
    unsigned insecure;
    long timeout; /* ms */
    char prefix[DT_REDIS_PREFIX + 1];
    char token[DT_REDIS_TOKEN + 1];
    char user_file[DT_REDIS_FILE]; /* a name, or empty */
    char password_file[DT_REDIS_FILE];
    char sentinel_password_file[DT_REDIS_FILE];
    char ca[DT_REDIS_FILE];
    char cert[DT_REDIS_FILE];
    char key[DT_REDIS_FILE];
} dt_redis_conf_t;


/* Parses o without any allocation: DT_OK, or DT_EINVAL with a message that
   names the change to make. */
dt_status_t dt_redis_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
                           char errstr[DT_ERRSTR]);


#endif /* DT_REDIS_H_INCLUDED_ */
