
/*
 * Copyright (C) The detemplate authors
 *
 * The codec of all messages that nginx and its children exchange over pipes:
 * see job.h and link.h.  A message is a struct of numbers and slices.  On the
 * pipe it has a head, the struct, the bytes of the first slice, which is a
 * template, then those of the other slices, which are text, each with a NUL
 * behind it.  Both ends run on one machine, so numbers are in its byte order.
 * Both ends check what they read as if it came from an untrusted source.
 */


#ifndef DT_WIRE_H_INCLUDED_
#define DT_WIRE_H_INCLUDED_


#include "core/base/dt.h"


typedef enum {
    DT_WIRE_NUMBER = 0, /* a uint32_t, from min to max */
    DT_WIRE_BYTES,      /* a dt_str_t of at most max bytes */
    DT_WIRE_TEXT        /* the same without control bytes, but for line feeds
                           between at most min lines */
} dt_wire_type_e;


typedef struct {
    const char *word; /* for what is wrong with it; NULL: the last one */
    dt_wire_type_e type;
    size_t at;
    uint32_t min;
    uint32_t max;
} dt_wire_field_t;


/* a kind of message */
typedef struct {
    uint32_t magic;
    size_t size; /* of the struct */
    const dt_wire_field_t *fields;

    /* NULL, or checks what else a decoded message has to be; returns a word
       for what is wrong, or NULL */
    const char *(*check)(void *msg);
} dt_wire_t;


/*
 * dt_wire_size() returns the bytes that a message takes on the pipe, or 0 when
 * a slice is too long.  dt_wire_encode() writes them to buf, which has room
 * for that many.
 */
size_t dt_wire_size(const dt_wire_t *kind, const void *msg);
void dt_wire_encode(const dt_wire_t *kind, const void *msg, char *buf);

/* the bytes that dt_wire_promise() needs: head and struct */
size_t dt_wire_head(const dt_wire_t *kind);

/*
 * Returns the size of the message whose first len bytes are in buf: 0, if
 * there are too few to tell, or SIZE_MAX, if they do not begin a message.
 */
size_t dt_wire_promise(const dt_wire_t *kind, const char *buf, size_t len);

/*
 * Decodes a message, whose len is that of dt_wire_promise().  buf is aligned
 * to 8 bytes, and so is the template; the slices of msg point into buf.
 * DT_EINVAL: it is not a sound message, and *why is a static word.
 */
dt_status_t dt_wire_decode(const dt_wire_t *kind, const char *buf, size_t len,
                           void *msg, const char **why);


#endif /* DT_WIRE_H_INCLUDED_ */
