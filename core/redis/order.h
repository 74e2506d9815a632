
/*
 * Copyright (C) The detemplate authors
 *
 * Orders become requests, and answers become the answer to an order.  For
 * redis.c only.
 */


#ifndef DT_REDIS_ORDER_H_INCLUDED_
#define DT_REDIS_ORDER_H_INCLUDED_


#include "core/redis/route.h"


#define DT_REDIS_KEY (DT_REDIS_PREFIX + 3 * DT_LINK_SITE + 3)


/* an order has up to three requests, one behind the other */
typedef struct {
    dt_frame_t *link;
    const dt_redis_conf_t *conf;
    dt_redis_request_t q[3];
    unsigned from; /* those from here to there are to be carried out */
    unsigned to;
    unsigned found;                  /* PIN: where the template is */
    unsigned one;                    /* one server has all slots */
    char site[3 * DT_LINK_SITE + 1]; /* encoded */
    char key[DT_REDIS_KEY];          /* the beginning of the site's keys */
    char *joined; /* template and evidence; freed by dt_redis_order_free() */
    char text[DT_ERRSTR];
} dt_redis_order_t;


/* Encodes a site's name for keys and events; it may have 255 bytes at most. */
void dt_redis_site_encode(dt_str_t site, char *out);

/*
 * Begins an order: its requests from..to are to be carried out, or it is done
 * when there are none.  one: a server does what is sent to it in this order,
 * so that nothing has to wait for what is sent before it.
 */
void dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                          const dt_redis_conf_t *conf, unsigned one);

/* Says what follows when they were carried out, likewise. */
void dt_redis_order_next(dt_redis_order_t *o);

/* Ends the order with rc and a text. */
void dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text);

void dt_redis_order_free(dt_redis_order_t *o);


#endif /* DT_REDIS_ORDER_H_INCLUDED_ */
