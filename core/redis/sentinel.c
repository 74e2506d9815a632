
/*
 * Copyright (C) The detemplate authors
 *
 * Each sentinel is asked in turn.  What it says may be old, so the server must
 * say itself that it is the master.
 */


#include <stdlib.h>

#include "core/redis/sentinel.h"


/* asks one sentinel for the address */
static dt_status_t
dt_redis_sentinel_master(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                         const dt_redis_host_t *at, dt_redis_host_t *out)
{
    dt_status_t rc = DT_EIO;
    redisReply *reply;
    dt_redis_server_t s = { .host = at->name,
                            .port = at->port,
                            .path = "",
                            .user = "",
                            .password = "",
                            .user_file = "",
                            .password_file = conf->sentinel_password_file,
                            .tls = conf->url.tls };

    if (dt_redis_dial(c, conf, &s) != DT_OK) {
        return DT_EIO;
    }

    if (dt_redis_send(c, "SENTINEL get-master-addr-by-name %s",
                      conf->url.master)
            != DT_OK
        || (reply = dt_redis_conn_answer(c)) == NULL)
    {
        return DT_EIO;
    }

    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2
        && reply->element[0]->type == REDIS_REPLY_STRING
        && reply->element[1]->type == REDIS_REPLY_STRING
        && reply->element[0]->len > 0
        && (size_t) reply->element[0]->len < sizeof(out->name))
    {
        memcpy(out->name, reply->element[0]->str,
               (size_t) reply->element[0]->len + 1);
        out->port = atoi(reply->element[1]->str);
        rc = out->port > 0 && out->port < 65536 ? DT_OK : DT_EIO;
    }

    if (rc == DT_OK) {
        dt_redis_conn_close(c);

    } else if (reply->type == REDIS_REPLY_ERROR) {
        (void) dt_redis_conn_broken(c, "sentinel", reply->str);

    } else {
        (void) dt_redis_conn_broken(c, "the sentinel knows no such master",
                                    NULL);
    }

    freeReplyObject(reply);

    return rc;
}


/* whether the server says that it is the master */
static dt_status_t
dt_redis_sentinel_role(dt_redis_conn_t *c)
{
    dt_status_t rc = DT_EIO;
    redisReply *reply;

    if (dt_redis_send(c, "ROLE") != DT_OK
        || (reply = dt_redis_conn_answer(c)) == NULL)
    {
        return DT_EIO;
    }

    if (reply->type == REDIS_REPLY_ERROR) {
        (void) dt_redis_conn_broken(c, "server", reply->str);

    } else if (reply->type == REDIS_REPLY_ARRAY && reply->elements > 0
               && reply->element[0]->type == REDIS_REPLY_STRING
               && strcmp(reply->element[0]->str, "master") == 0)
    {
        rc = DT_OK;

    } else {
        (void) dt_redis_conn_broken(c, "the server is not the master", NULL);
    }

    freeReplyObject(reply);

    return rc;
}


dt_status_t
dt_redis_sentinel_dial(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                       const dt_redis_server_t *s)
{
    dt_redis_host_t master;
    dt_redis_server_t server = *s;

    for (unsigned i = 0; i < conf->url.nhosts; i++) {
        if (dt_redis_sentinel_master(c, conf, &conf->url.hosts[i], &master)
            != DT_OK) {
            continue;
        }

        server.host = master.name;
        server.port = master.port;

        if (dt_redis_dial(c, conf, &server) == DT_OK
            && dt_redis_sentinel_role(c) == DT_OK)
        {
            return DT_OK;
        }
    }

    return DT_EIO;
}
