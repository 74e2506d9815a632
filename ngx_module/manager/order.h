
/*
 * Copyright (C) The detemplate authors
 *
 * The order of a learner: a job as the program reads it from its standard
 * input, with the template that it adds to.
 */


#ifndef _NGX_HTTP_DT_ORDER_H_INCLUDED_
#define _NGX_HTTP_DT_ORDER_H_INCLUDED_


#include "ngx_module/manager/learner.h"


/*
 * Sets learner->order from learner->work, whose key page is drawn from the
 * zone.  key goes with the learner's requests; dir has the site's snapshot.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_order(ngx_http_dt_learner_t *learner,
    ngx_http_dt_zone_t *zone, ngx_str_t *dir, u_char *key, ngx_log_t *log);

/*
 * Gives what was learned for work a higher version than all templates of the
 * site have or had, as far as is known here or in Redis.
 */
void ngx_http_dt_order_number(ngx_http_dt_work_t *work, ngx_str_t *dir,
    ngx_http_dt_publish_t *pub, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_ORDER_H_INCLUDED_ */
