
/*
 * Copyright (C) The detemplate authors
 *
 * The parsed options of dt_redis_create().  This file needs no library but
 * that of C, since nginx contains it.
 */


#ifndef DT_REDIS_URL_H_INCLUDED_
#define DT_REDIS_URL_H_INCLUDED_


#include <sys/un.h>

#include "core/redis/redis.h"


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
   says what to change. */
dt_status_t dt_redis_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
                           char errstr[DT_ERRSTR]);


#endif /* DT_REDIS_URL_H_INCLUDED_ */
