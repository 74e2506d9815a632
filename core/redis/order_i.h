
/*
 * Copyright (C) The detemplate authors
 *
 * What order.c, order_read.c and order_write.c share.
 */


#ifndef DT_REDIS_ORDER_I_H_INCLUDED_
#define DT_REDIS_ORDER_I_H_INCLUDED_


#include "core/redis/order.h"
#include "core/template/table.h"
#include "core/template/template.h"


#define DT_REDIS_EARLIER 3 /* templates that are kept */


/* Returns an empty request about keys of the site. */
dt_redis_request_t *dt_redis_order_request(dt_redis_order_t *o, unsigned n);

/* Adds the command to request n that tells the others what was done. */
void dt_redis_order_tell(dt_redis_order_t *o, unsigned n, dt_link_did_e did);

/* Adds a command about the list of sites to request n, for the list and the
   site. */
void dt_redis_order_list(dt_redis_order_t *o, unsigned n, const char *format);

/* Returns the seconds that the order says, or a week. */
unsigned dt_redis_order_ttl(const dt_redis_order_t *o);

/* Adds commands that make the present template the first of the earlier ones.
   The n-th of them goes, and those before it move up. */
void dt_redis_order_shift(dt_redis_order_t *o, dt_redis_request_t *q,
                          unsigned n);

/* Adds the command that writes what the order says of a template of so many
   bytes, and one field more. */
void dt_redis_order_meta(dt_redis_order_t *o, dt_redis_request_t *q,
                         size_t size, const char *field, dt_str_t value);

/* Ends the order if request n has no answers, or an answer is an error that
   does not begin with skip: returns 1. */
int dt_redis_order_failed(dt_redis_order_t *o, unsigned n, const char *skip);

/* Copies the head that bytes begin with; 0: they begin with none. */
int dt_redis_head(dt_str_t bytes, dt_template_head_t *h);

/* Returns whether element i of an answer to HMGET is "1". */
int dt_redis_pinned(const redisReply *meta, size_t i);

/* Writes what the head says of a template to the order. */
void dt_redis_order_known(dt_redis_order_t *o, const dt_template_head_t *h);

/* the reading orders */
void dt_redis_get_begin(dt_redis_order_t *o);
void dt_redis_get_next(dt_redis_order_t *o);
void dt_redis_lock_begin(dt_redis_order_t *o);
void dt_redis_lock_next(dt_redis_order_t *o);
void dt_redis_compare_begin(dt_redis_order_t *o);
void dt_redis_compare_next(dt_redis_order_t *o);

/* the orders of learners */
void dt_redis_unlock_begin(dt_redis_order_t *o);
void dt_redis_put_begin(dt_redis_order_t *o);
void dt_redis_put_next(dt_redis_order_t *o);

/* the orders of people */
void dt_redis_forget_begin(dt_redis_order_t *o);
void dt_redis_forget_next(dt_redis_order_t *o);
void dt_redis_relearn_begin(dt_redis_order_t *o);
void dt_redis_pin_begin(dt_redis_order_t *o);
void dt_redis_pin_next(dt_redis_order_t *o);
void dt_redis_unpin_begin(dt_redis_order_t *o);
void dt_redis_unpin_next(dt_redis_order_t *o);
void dt_redis_restore_begin(dt_redis_order_t *o);
void dt_redis_restore_next(dt_redis_order_t *o);
void dt_redis_list_begin(dt_redis_order_t *o);
void dt_redis_list_next(dt_redis_order_t *o);
void dt_redis_done_next(dt_redis_order_t *o);


#endif /* DT_REDIS_ORDER_I_H_INCLUDED_ */
