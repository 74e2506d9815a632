
/*
 * Copyright (C) The detemplate authors
 *
 * The link: the program that speaks to Redis for the manager.
 */


#ifndef _NGX_HTTP_DT_LINK_H_INCLUDED_
#define _NGX_HTTP_DT_LINK_H_INCLUDED_


#include "core/base/link.h"
#include "ngx_module/zone/fleet.h"


typedef struct ngx_http_dt_link_s          ngx_http_dt_link_t;

/* the frame and its slices are valid only during the call */
typedef void (*ngx_http_dt_link_pt)(void *data, dt_frame_t *frame);


/*
 * Executes the program, and again when it ends or hangs.  news is called for
 * each event and gap; done, after all frames of a turn of the event loop.
 * NULL: no memory.
 */
ngx_http_dt_link_t *ngx_http_dt_link_create(ngx_http_dt_main_conf_t *dmcf,
    ngx_http_dt_link_pt news, void (*done)(void *data), void *data);

/*
 * Gives an order, whose id is set and whose slices are copied.  answered is
 * called once: perhaps at once, if the order cannot be given; and in any case
 * within a time that "timeout=" bounds.  If Redis or the link failed, rc is
 * DT_EIO, and text says why.
 */
void ngx_http_dt_link_order(ngx_http_dt_link_t *link, dt_frame_t *order,
    ngx_http_dt_link_pt answered, void *data);

/* whether Redis does not answer, as far as is known */
ngx_uint_t ngx_http_dt_link_away(ngx_http_dt_link_t *link);


#endif /* _NGX_HTTP_DT_LINK_H_INCLUDED_ */
