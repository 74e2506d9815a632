
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_MARKS_H_INCLUDED_
#define _NGX_HTTP_DT_MARKS_H_INCLUDED_


#include "ngx_module/detemplate.h"


/*
 * Mode headers: the field Detemplate-Regions says where the template stands in
 * a page, for clients that leave it out themselves.
 */

/* makes ctx->regions, which is empty; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_regions_start(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* a dt_region_pt: adds a region to those of the context data */
void ngx_http_dt_regions_add(void *data, uint64_t start, uint32_t len);

/* adds the field to the header of the page */
ngx_int_t ngx_http_dt_regions_push(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/* detemplate_marks: the marks that annotate inserts for a certain reader */

struct ngx_http_dt_marks_s {
    dt_wrap_t                      wrap;
    dt_str_t                       before;      /* around an element */
    dt_str_t                       after;
};


/* how the page is cut or marked, and by which marks */
void ngx_http_dt_marks_opts(ngx_http_dt_ctx_t *ctx, dt_rewrite_opts_t *opts);

/* cmd->offset is the offset of a pointer to marks in conf */
char *ngx_http_dt_set_marks(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* selectors of the configuration: detemplate_keep and detemplate_force */

/* the setter of both directives: checks selectors, and adds them to an array
   of ngx_str_t, which "off" leaves empty */
char *ngx_http_dt_set_hand(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* sets conf->hand when its lists are merged; prev has those around */
ngx_int_t ngx_http_dt_hand_merge(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *prev,
    ngx_http_dt_loc_conf_t *conf);


#endif /* _NGX_HTTP_DT_MARKS_H_INCLUDED_ */
