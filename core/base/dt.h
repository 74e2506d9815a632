
/*
 * Copyright (C) The detemplate authors
 *
 * Slices and status codes, which every file of the core uses.
 */


#ifndef DT_H_INCLUDED_
#define DT_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>


#define DT_VERSION "0.1.0"


typedef enum {
    DT_OK = 0,
    DT_DECLINED, /* no error, but there is nothing to do or to return */
    DT_ENOMEM,   /* memory or an arena's cap ran out */
    DT_ELIMIT,   /* the input exceeds a bound */
    DT_EINVAL,   /* the input is not valid */
    DT_EIO, /* network, file or Redis failed; a later attempt may succeed */
    DT_EBUG /* an internal error */
} dt_status_t;


/* a slice: bytes that somebody else owns, without a NUL behind them */
typedef struct {
    size_t len;
    const char *data;
} dt_str_t;


#define DT_ERRSTR 160 /* bytes of every errstr, its NUL included */

#define dt_str(text) ((dt_str_t){ sizeof(text) - 1, text })


static inline dt_str_t
dt_cstr(const char *s)
{
    return (dt_str_t){ strlen(s), s };
}


static inline int
dt_str_eq(dt_str_t a, dt_str_t b)
{
    return a.len == b.len
           && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}


/* Prefetches bytes that will soon be read in no order: loading all of them at
   once takes less time than waiting for each in turn. */
static inline void
dt_prefetch(const void *p, size_t len)
{
    size_t i;

    for (i = 0; i < len; i += 64) {
        __builtin_prefetch((const char *) p + i);
    }
}


/* Returns the name of a status for messages, a static string. */
const char *dt_strstatus(dt_status_t rc);


#endif /* DT_H_INCLUDED_ */
