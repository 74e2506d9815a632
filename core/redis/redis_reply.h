
/*
 * Copyright (C) The detemplate authors
 *
 * Checks of hiredis's replies, and a bound while they are read.  For
 * redis_conn.c only.
 */


#ifndef DT_REDIS_REPLY_H_INCLUDED_
#define DT_REDIS_REPLY_H_INCLUDED_


#include <hiredis/hiredis.h>

#include "core/base/dt.h"


/* a bound on the elements of all arrays that a reader creates */
typedef struct {
    size_t budget;        /* elements that may still come; set by the caller */
    unsigned refused : 1; /* more came, so the reader has failed */
    const redisReplyObjectFunctions *hiredis;
    redisReplyObjectFunctions fn;
} dt_redis_arrays_t;

/* Makes reader obey a, which must outlive it. */
void dt_redis_arrays_bound(dt_redis_arrays_t *a, redisReader *reader);

/* Returns the error that a reply is, or that a reply to EXEC contains; or
   NULL. */
const redisReply *dt_redis_reply_error(const redisReply *reply);

/* Whether an error with this text concerns the command, not the connection. */
int dt_redis_error_of_command(const char *text);


#endif /* DT_REDIS_REPLY_H_INCLUDED_ */
