
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_REDIS_URL_H_INCLUDED_
#define DT_REDIS_URL_H_INCLUDED_


#include <sys/un.h>

#include "core/base/dt.h"


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


#endif /* DT_REDIS_URL_H_INCLUDED_ */
