
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


/* a slice: bytes with another owner, without a NUL behind them */
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

/* Return microseconds, and milliseconds, of a monotonic clock. */
int64_t dt_now_us(void);
int64_t dt_now(void);


/* operations on slices of ASCII that several rooms need */

/* Returns c, in lower case if it is an ASCII letter. */
static inline char
dt_lower(char c)
{
    return (char) (c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}


/* Returns s without bytes up to 0x20 at both ends: spaces, tabs, line breaks.
 */
dt_str_t dt_str_trim(dt_str_t s);

/* Splits a line of a header at its colon, and trims both parts.  0: it has
   none. */
int dt_str_field(dt_str_t line, dt_str_t *name, dt_str_t *value);

/* Takes the next part off a list: up to one of the bytes ends, or all of
   it. */
dt_str_t dt_str_part(dt_str_t *rest, const char *ends);

/* Whether s is one of a list of strings, which ends with NULL. */
int dt_str_among(dt_str_t s, const char *const *list);

/* Whether a word is in [p, end), in upper or lower case. */
int dt_str_has(const char *p, const char *end, const char *word);

/* Whether a and b are equal apart from the case of ASCII letters. */
int dt_str_case_eq(dt_str_t a, dt_str_t b);

/* Reads the decimal number that is all of s into *n.  Returns 0, and leaves *n
   as it is, when s is no number up to max. */
int dt_str_number(dt_str_t s, uint64_t max, uint64_t *n);

/* Returns the value of a hexadecimal digit, or -1. */
int dt_hex(char c);

/* Returns the byte that "%XX" at the beginning of s encodes, or -1 when s does
   not begin with that. */
int dt_percent_decode(dt_str_t s);

/* Copies s to out, which has room for size bytes, and decodes each "%XX".
   Returns the bytes written, or SIZE_MAX: a "%" stands alone, or there is no
   room. */
size_t dt_percent_copy(dt_str_t s, char *out, size_t size);

/* Copies a href as browsers read it: without line breaks and tabs, and with
   "/" for "\\" before the query.  out has room for href.len bytes, and may be
   the href.  Returns the bytes written. */
size_t dt_href_clean(dt_str_t href, char *out);

/* Writes "%XX" for the byte c, in upper case; returns the position behind. */
char *dt_percent_encode(char *p, unsigned char c);

/* Writes a string of UTF-8 as it stands within one of JSON; out has room for
   6 * len bytes.  Returns the position behind. */
char *dt_json_escape(char *out, const char *p, size_t len);


#endif /* DT_H_INCLUDED_ */
