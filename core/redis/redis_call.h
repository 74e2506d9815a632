
/*
 * Copyright (C) The detemplate authors
 *
 * A call: its commands as they are sent, and the callback for the replies. For
 * redis_conn.c only.
 */


#ifndef DT_REDIS_CALL_H_INCLUDED_
#define DT_REDIS_CALL_H_INCLUDED_


#include "core/redis/redis_conn.h"


struct dt_redis_call_s {
    dt_redis_call_t *next;
    char *out; /* the commands */
    size_t len;
    size_t sent;
    unsigned replies;       /* not received yet */
    dt_redis_judge_t judge; /* of the last reply */
    dt_redis_done_t done;   /* fn is NULL once it was called */
    unsigned login : 1;     /* other calls are sent after its success */
    unsigned secret : 1;    /* holds a password */
    unsigned alone : 1;     /* no call was waiting when it was made */
    unsigned nomem : 1;     /* a command is missing */
    unsigned failed : 1;    /* a reply was an error */
    unsigned broken : 1;    /* that error ends the connection */
};


/* Creates a call; NULL without memory. */
dt_redis_call_t *dt_redis_call_create(dt_redis_judge_t judge,
                                      dt_redis_done_t done);
void dt_redis_call_destroy(dt_redis_call_t *call);

/* Calls the callback, unless it was called already. */
void dt_redis_call_tell(dt_redis_call_t *call, dt_status_t rc, dt_str_t bytes);


#endif /* DT_REDIS_CALL_H_INCLUDED_ */
