
/*
 * Copyright (C) The detemplate authors
 *
 * The options of dt_redis_create(), parsed: for redis.c and
 * redis_conn.c only.
 */


#ifndef DT_REDIS_CONF_H_INCLUDED_
#define DT_REDIS_CONF_H_INCLUDED_


#include <sys/un.h>

#include "core/redis/redis.h"


#define DT_REDIS_PREFIX 64
#define DT_REDIS_SECRET 512


typedef struct {
    char host[256]; /* or empty: path is the socket */
    char path[sizeof(((struct sockaddr_un *) NULL)->sun_path)];
    dt_redis_addrs_t addrs;
    int port;
    unsigned db;
    long timeout; /* ms */
    char user[128];
    char password[DT_REDIS_SECRET + 1];
    char file[1024]; /* of the password, or empty */
    char prefix[DT_REDIS_PREFIX + 1];
} dt_redis_conf_t;


/* DT_OK, or DT_EINVAL with what to mend in errstr; without any allocation. */
dt_status_t dt_redis_conf_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
                                char errstr[DT_ERRSTR]);

/*
 * The addresses of a host; numeric: only if it is one, which needs no waiting.
 * 0, or an error of getaddrinfo().
 */
int dt_redis_conf_addrs(const char *host, int numeric,
                        dt_redis_addrs_t *addrs);

/*
 * Reads c->password: the first line of c->file, without its end.  0 if there
 * is none, or it is longer than DT_REDIS_SECRET.
 */
int dt_redis_conf_password(dt_redis_conf_t *c);


#endif /* DT_REDIS_CONF_H_INCLUDED_ */
