
/*
 * Copyright (C) The detemplate authors
 */


#include <string.h>

#include "core/redis/redis_reply.h"


/* the type in which hiredis counts the elements of an array */
#if HIREDIS_MAJOR < 1
typedef int dt_redis_count_t;
#else
typedef size_t dt_redis_count_t;
#endif


/* hiredis allocates an array at its first line, whatever size that announces,
   so the size is checked here */
static void *
dt_redis_array(const redisReadTask *task, dt_redis_count_t n)
{
    dt_redis_arrays_t *a = task->privdata;

    if ((size_t) n > a->budget) {
        a->refused = 1;
        return NULL;
    }

    a->budget -= (size_t) n;

    return a->hiredis->createArray(task, n);
}


void
dt_redis_arrays_bound(dt_redis_arrays_t *a, redisReader *reader)
{
    a->hiredis = reader->fn;
    a->fn = *reader->fn;
    a->fn.createArray = dt_redis_array;

    reader->fn = &a->fn;
    reader->privdata = a;
}


const redisReply *
dt_redis_reply_error(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR) {
        return reply;
    }

    if (reply->type == REDIS_REPLY_ARRAY) {
        for (size_t i = 0; i < reply->elements; i++) {
            if (reply->element[i]->type == REDIS_REPLY_ERROR) {
                return reply->element[i];
            }
        }
    }

    return NULL;
}


int
dt_redis_error_of_command(const char *text)
{
    static const char *const codes[] = {
        "WRONGTYPE ", "OOM ", "NOPERM ", "MISCONF ", "NOREPLICAS ",
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (strncmp(text, codes[i], strlen(codes[i])) == 0) {
            return 1;
        }
    }

    return 0;
}
