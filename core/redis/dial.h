
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_DIAL_H_INCLUDED_
#define DT_DIAL_H_INCLUDED_


#include "core/redis/conn.h"


/* opens a connection: the address of a name, TLS, the log-in */

#define DT_REDIS_ADDRS 8 /* addresses of a name that are tried */


/* a server, and our credentials there; strings belong to the configuration */
typedef struct {
    const char *host; /* NULL: path is a socket */
    int port;
    const char *name; /* another that its certificate may have; or NULL */
    const char *path;
    const char *user;          /* or empty */
    const char *password;      /* or empty */
    const char *user_file;     /* or empty */
    const char *password_file; /* or empty */
    unsigned db;
    unsigned tls;
} dt_redis_server_t;


/*
 * Connects c, which is closed, to the first address that answers, and logs in.
 * Each address has conf's time; after it all the rest has ten times that.
 * DT_EIO: c->errstr says why there is no connection.
 */
dt_status_t dt_redis_dial(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                          const dt_redis_server_t *s);

/* The same to the master that the sentinels of conf know, as s says. */
dt_status_t dt_redis_sentinel_dial(dt_redis_conn_t *c,
                                   const dt_redis_conf_t *conf,
                                   const dt_redis_server_t *s);


#endif /* DT_DIAL_H_INCLUDED_ */
