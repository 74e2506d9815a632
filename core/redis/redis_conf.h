
/*
 * Copyright (C) The detemplate authors
 *
 * The parsed options of dt_redis_create(), for redis.c and redis_conn.c only.
 */


#ifndef DT_REDIS_CONF_H_INCLUDED_
#define DT_REDIS_CONF_H_INCLUDED_


#include <sys/un.h>

#include "core/redis/redis.h"


#define DT_REDIS_PREFIX 64
#define DT_REDIS_SECRET 512


typedef struct {
    char host[256]; /* empty: path is a socket */
    char path[sizeof(((struct sockaddr_un *) NULL)->sun_path)];
    dt_redis_addrs_t addrs;
    int port;
    unsigned db;
    long timeout; /* ms */
    char user[128];
    char password[DT_REDIS_SECRET + 1];
    char file[1024]; /* the password's file, or empty */
    char prefix[DT_REDIS_PREFIX + 1];
} dt_redis_conf_t;


/* Parses o without any allocation: DT_OK, or DT_EINVAL with a message that
   says what to change. */
dt_status_t dt_redis_conf_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
                                char errstr[DT_ERRSTR]);

/*
 * Resolves a host.  numeric: only when it is an address, which takes no time.
 * Returns 0 or an error of getaddrinfo().
 */
int dt_redis_conf_addrs(const char *host, int numeric,
                        dt_redis_addrs_t *addrs);

/*
 * Reads the first line of c->file into c->password, without its end.  Returns
 * 0 when there is no such line, or it is longer than DT_REDIS_SECRET.
 */
int dt_redis_conf_password(dt_redis_conf_t *c);


#endif /* DT_REDIS_CONF_H_INCLUDED_ */
