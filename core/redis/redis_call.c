
/*
 * Copyright (C) The detemplate authors
 */


#include <stdarg.h>
#include <stdlib.h>

#include <hiredis/hiredis.h>

#include "core/redis/redis_call.h"


dt_redis_call_t *
dt_redis_call_create(dt_redis_judge_t judge, dt_redis_done_t done)
{
    dt_redis_call_t *call;

    call = calloc(1, sizeof(dt_redis_call_t));
    if (call != NULL) {
        call->judge = judge;
        call->done = done;
    }

    return call;
}


void
dt_redis_call_destroy(dt_redis_call_t *call)
{
    if (call->secret && call->out != NULL) {
        explicit_bzero(call->out, call->len);
    }

    free(call->out);
    free(call);
}


void
dt_redis_call_tell(dt_redis_call_t *call, dt_status_t rc, dt_str_t bytes)
{
    dt_redis_done_t done = call->done;

    if (done.fn != NULL) {
        call->done.fn = NULL;
        done.fn(done.data, rc, bytes);
    }
}


/* a failure sets nomem, which is checked when the call is sent */
void
dt_redis_conn_append(dt_redis_call_t *call, const char *format, ...)
{
    int len;
    char *command, *out = NULL;
    va_list ap;

    va_start(ap, format);
    len = redisvFormatCommand(&command, format, ap);
    va_end(ap);

    if (len > 0) {
        out = realloc(call->out, call->len + (size_t) len);

        if (out != NULL) {
            memcpy(out + call->len, command, (size_t) len);
            call->out = out;
            call->len += (size_t) len;
        }

        if (call->secret) {
            explicit_bzero(command, (size_t) len);
        }

        redisFreeCommand(command);
    }

    call->nomem |= (out == NULL);
    call->replies++;
}
