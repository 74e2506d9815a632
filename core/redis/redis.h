
/*
 * Copyright (C) The detemplate authors
 *
 * The schema of redis-schema/README.md, spoken in plain blocking code through
 * hiredis's formatter and reader, with TLS of OpenSSL.  It is for the link,
 * the commands of the tool and tests; nginx contains only the check of
 * options.
 */


#ifndef DT_REDIS_H_INCLUDED_
#define DT_REDIS_H_INCLUDED_


#include "core/base/wire.h"
#include "core/redis/url.h"


typedef struct dt_redis_s dt_redis_t;

/* Creates a client, and copies o.  It is not connected.  NULL: no memory, or
   dt_redis_check() refuses o. */
dt_redis_t *dt_redis_create(const dt_redis_opts_t *o);
void dt_redis_destroy(dt_redis_t *r);

/*
 * Connects if there is no connection and the back-off is over (0.5 s, doubling
 * to 4 s, each shortened at random by up to a half).  Returns the ms until it
 * should be called again.  It may take several times timeout_ms.
 */
long dt_redis_tick(dt_redis_t *r);

/*
 * Carries out n orders, at most DT_REDIS_BATCH.  All their commands are
 * written at once, and the answers read in their order; a second round follows
 * where one needs it.  Each order becomes its answer: rc, flags and the facts
 * about the template are set, and slices are replaced by those of the answer,
 * which are valid until the next call of dt_redis_do().
 *
 * rc: DT_OK; DT_DECLINED, there is none; DT_EIO, Redis does not answer: all
 * orders fail at once until dt_redis_tick() has connected again; DT_EINVAL,
 * Redis refuses the command; DT_ELIMIT, a bound.
 */
void dt_redis_do(dt_redis_t *r, dt_frame_t *orders, size_t n);

/* Returns the socket on which events come, or -1; dt_redis_events() is called
   when it is readable. */
int dt_redis_fd(const dt_redis_t *r);

/* Reads all that has arrived, and calls fn for each event of another machine,
   and for a gap.  The frame is valid only during the call. */
void dt_redis_events(dt_redis_t *r, void (*fn)(void *data, dt_frame_t *news),
                     void *data);

/* Fills in a frame DT_LINK_STATE, whose slices are valid until the next call.
   Returns 1 if it is another state than that of the call before. */
int dt_redis_state(dt_redis_t *r, dt_frame_t *state);


#endif /* DT_REDIS_H_INCLUDED_ */
