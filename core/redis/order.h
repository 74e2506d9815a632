
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_ORDER_H_INCLUDED_
#define DT_ORDER_H_INCLUDED_


#include "core/redis/conn.h"


/*
 * Orders become requests, and answers become the answer to an order.  For
 * redis.c only.
 */

#define DT_REDIS_KEY (DT_REDIS_PREFIX + 3 * DT_LINK_SITE + 3)


/* the requests of an order, one behind the other */
enum {
    DT_REDIS_READ = 0, /* asks first */
    DT_REDIS_WRITE,    /* changes the site */
    DT_REDIS_LIST,     /* changes the list of sites */
    DT_REDIS_TELL,     /* tells the others */
    DT_REDIS_STEPS
};

typedef struct dt_redis_row_s dt_redis_row_t;

typedef struct {
    dt_frame_t *link;
    const dt_redis_conf_t *conf;
    const dt_redis_row_t *row;
    dt_redis_request_t q[DT_REDIS_STEPS];
    unsigned from; /* the requests from here to there are sent next */
    unsigned to;
    unsigned ended : 1;
    unsigned one : 1;                /* one server has all slots */
    char site[3 * DT_LINK_SITE + 1]; /* encoded */
    char key[DT_REDIS_KEY];          /* the beginning of the site's keys */
    char *joined; /* template and evidence; freed by dt_redis_order_free() */
    char text[DT_ERRSTR];
} dt_redis_order_t;

typedef void (*dt_redis_add_pt)(dt_redis_order_t *o, dt_redis_request_t *q);
typedef void (*dt_redis_look_pt)(dt_redis_order_t *o);

struct dt_redis_row_s {
    dt_redis_add_pt add[DT_REDIS_STEPS]; /* adds commands; NULL: there are
                                            none; may end the order */
    dt_redis_look_pt look; /* at the answers; may end the order, too */
    dt_redis_look_pt done; /* ends the order; NULL: it is no order */
    dt_link_did_e did;     /* announced to other machines */
};

/* by dt_link_what_e */
extern const dt_redis_row_t dt_redis_rows[DT_LINK_LAST];


/*
 * Begins an order: its requests from..to are to be carried out, or it is done
 * when there are none.  one: a single server executes the commands in the
 * order sent, so that no command has to wait for an earlier one's answer.
 */
void dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                          const dt_redis_conf_t *conf, unsigned one);

/* Chooses the next requests when these were carried out, likewise. */
void dt_redis_order_next(dt_redis_order_t *o);

/* Ends the order with rc and a text. */
void dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text);

void dt_redis_order_free(dt_redis_order_t *o);


#endif /* DT_ORDER_H_INCLUDED_ */
