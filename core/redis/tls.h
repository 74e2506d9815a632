
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_TLS_H_INCLUDED_
#define DT_TLS_H_INCLUDED_


#include "core/redis/url.h"


/* TLS on a socket that does not block, for conn.c and dial.c only */

typedef struct dt_redis_tls_s dt_redis_tls_t;

/* Returns whether host is an address and not a name. */
int dt_redis_tls_address(const char *host);

/*
 * Prepares TLS to host, a name or an address, as conf says.  With a name that
 * is not NULL, host is an address, and the certificate may have either.  The
 * socket and host stay the caller's.  NULL, with a message: a file cannot be
 * used.
 */
dt_redis_tls_t *dt_redis_tls_create(int fd, const char *host, const char *name,
                                    const dt_redis_conf_t *conf,
                                    char errstr[DT_ERRSTR]);
void dt_redis_tls_destroy(dt_redis_tls_t *t);

/*
 * These functions never wait.  DT_DECLINED: the caller must poll the socket,
 * for *event after a handshake.  DT_EIO: an error, with a message.  *n is the
 * number of bytes; 0 bytes read: the other side has closed.
 */
dt_status_t dt_redis_tls_shake(dt_redis_tls_t *t, short *event,
                               char errstr[DT_ERRSTR]);
dt_status_t dt_redis_tls_read(dt_redis_tls_t *t, char *buf, size_t size,
                              size_t *n, char errstr[DT_ERRSTR]);
dt_status_t dt_redis_tls_write(dt_redis_tls_t *t, const char *buf, size_t len,
                               size_t *n, char errstr[DT_ERRSTR]);


#endif /* DT_TLS_H_INCLUDED_ */
