
/*
 * Copyright (C) The detemplate authors
 *
 * What every file of the core shares: slices and status codes.
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
    DT_DECLINED, /* understood, and there is nothing to do or to give */
    DT_ENOMEM,   /* memory or an arena's cap ran out */
    DT_ELIMIT,   /* a bound on input was passed */
    DT_EINVAL,   /* input is not what it has to be */
    DT_EIO,      /* network, file or store failed; may work later */
    DT_EBUG      /* cannot happen */
} dt_status_t;


/* bytes that somebody else owns; not ended by a NUL */
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


/* asks for bytes that are soon read here and there: it takes less time than to
   wait for each in turn */
static inline void
dt_prefetch(const void *p, size_t len)
{
    size_t i;

    for (i = 0; i < len; i += 64) {
        __builtin_prefetch((const char *) p + i);
    }
}


/* the name of a status, for messages: "ok", "declined", "no memory", ... */
const char *dt_strstatus(dt_status_t rc);


#endif /* DT_H_INCLUDED_ */
