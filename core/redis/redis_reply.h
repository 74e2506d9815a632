
/*
 * Copyright (C) The detemplate authors
 *
 * What is asked of a reply of hiredis, and of one that is still read: for
 * redis_conn.c only.
 */


#ifndef DT_REDIS_REPLY_H_INCLUDED_
#define DT_REDIS_REPLY_H_INCLUDED_


#include <hiredis/hiredis.h>

#include "core/base/dt.h"


/* A bound on the elements of all arrays that a reader makes. */
typedef struct {
    size_t left;          /* that may still come: set by the caller */
    unsigned refused : 1; /* more came, and the reader has failed */
    const redisReplyObjectFunctions *hiredis;
    redisReplyObjectFunctions fn;
} dt_redis_arrays_t;

/* Makes reader keep to a, which must live as long as it. */
void dt_redis_arrays_bound(dt_redis_arrays_t *a, redisReader *reader);

/* The error that a reply is, or that is in what EXEC gave; NULL without. */
const redisReply *dt_redis_reply_error(const redisReply *reply);

/* Whether the text of an error is about the command, not the connection. */
int dt_redis_error_of_command(const char *text);


#endif /* DT_REDIS_REPLY_H_INCLUDED_ */
