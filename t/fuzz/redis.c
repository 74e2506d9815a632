
/*
 * Copyright (C) The detemplate authors
 *
 * What Redis answers: through the reader of hiredis with our bounds, as it is
 * read from a connection.  However it is cut, the same comes of it, and no
 * more elements than the bound allows.
 */


#include "fuzz.h"
#include "core/redis/redis_reply.h"


#define ELEMENTS 64


/* elements of all arrays in a reply; all of it is looked at */
static size_t
count(const redisReply *r)
{
    size_t n = 0;

    if (r->type == REDIS_REPLY_ARRAY) {
        n = r->elements;

        for (size_t i = 0; i < r->elements; i++) {
            n += count(r->element[i]);
        }

    } else if (r->type != REDIS_REPLY_INTEGER && r->type != REDIS_REPLY_NIL) {
        fuzz_assert(r->str[r->len] == '\0');
        fuzz_assert(strlen(r->str) <= (size_t) r->len);
    }

    return n;
}


/* the number of replies and of what is in them; step bytes at a time */
static size_t
replies(const char *p, size_t size, size_t step)
{
    void *reply;
    size_t n, elements = 0, done = 0;
    const redisReply *e;
    redisReader *reader;
    dt_redis_arrays_t arrays = { .budget = ELEMENTS };

    reader = redisReaderCreate();
    fuzz_assert(reader != NULL);
    dt_redis_arrays_bound(&arrays, reader);

    for (size_t at = 0; at < size; at += n) {
        n = size - at < step ? size - at : step;

        if (redisReaderFeed(reader, p + at, n) != REDIS_OK) {
            break;
        }

        while (redisReaderGetReply(reader, &reply) == REDIS_OK
               && reply != NULL) {
            elements += count(reply);
            done++;
            fuzz_assert(elements + arrays.budget <= ELEMENTS);

            e = dt_redis_reply_error(reply);

            if (e != NULL) {
                (void) dt_redis_error_of_command(e->str);
            }

            freeReplyObject(reply);
        }

        if (reader->err) {
            break;
        }
    }

    redisReaderFree(reader);

    return done * 1000 + elements;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *) data;

    fuzz_assert(replies(p, size, 1) == replies(p, size, size));

    return 0;
}
