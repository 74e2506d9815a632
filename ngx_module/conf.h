
/*
 * Copyright (C) The detemplate authors
 */


#ifndef _NGX_HTTP_DT_CONF_H_INCLUDED_
#define _NGX_HTTP_DT_CONF_H_INCLUDED_


#include "core/redis/redis.h"
#include "ngx_module/detemplate.h"
#include "ngx_module/body/marks.h"


/* http level: the zone, the path, Redis, learners */

typedef struct {
    ngx_shm_zone_t                *shm_zone;
    ngx_path_t                    *path;
    dt_redis_opts_t                redis;       /* without url: not used */
    dt_redis_addrs_t               addrs;       /* of it */
    ngx_uint_t                     learners;
    ngx_str_t                      program;     /* that learns; absolute */
    u_char                        *program_file;  /* where it is said, or */
    ngx_uint_t                     program_line;  /* NULL: nowhere */
    ngx_flag_t                     used;        /* some location is not off */
    ngx_flag_t                     learns;      /* and may want to learn */
    ngx_http_dt_ctx_t             *shared;      /* contexts, by reason */
} ngx_http_dt_main_conf_t;


/* detemplate_learn */

typedef enum {
    NGX_HTTP_DT_LEARN_OFF = 0,
    NGX_HTTP_DT_LEARN_ON,
    NGX_HTTP_DT_LEARN_PUBLIC
} ngx_http_dt_learn_e;


/* location level; first what each response needs */

typedef struct {
    ngx_http_complex_value_t      *mode;        /* NULL: off */
    ngx_msec_t                     wait;
    size_t                         hold;
    ngx_hash_t                     types;
    uint64_t                       lengths;     /* of the types, modulo 64 */
    ngx_uint_t                     fixed;       /* on; needs no variables */
    ngx_array_t                   *types_keys;
    ngx_array_t                   *bypass;
    ngx_array_t                   *vary;
    ngx_http_complex_value_t      *site;        /* NULL: $server_name */
    ngx_http_complex_value_t      *links;       /* NULL: cut */
    ngx_http_complex_value_t      *cut;         /* NULL: cautious */
    ngx_http_dt_marks_t           *marks;       /* NULL: data-template */
    ngx_str_t                      origin;      /* without the last slash */
    ngx_int_t                      candidates;
    ngx_int_t                      votes;       /* or not set */
    ngx_int_t                      loads;       /* or not set */
    ngx_uint_t                     detector;
    time_t                         valid;
    time_t                         refresh;     /* or not set */
    ngx_uint_t                     learn;
    ngx_str_t                      preview;     /* argument, for the status */
    ngx_uint_t                     public;      /* the status is for anyone */
} ngx_http_dt_loc_conf_t;


extern ngx_command_t  ngx_http_dt_commands[];
extern ngx_str_t      ngx_http_dt_links[];
extern ngx_str_t      ngx_http_dt_cut[];


void *ngx_http_dt_create_main_conf(ngx_conf_t *cf);
char *ngx_http_dt_init_main_conf(ngx_conf_t *cf, void *conf);

void *ngx_http_dt_create_loc_conf(ngx_conf_t *cf);
char *ngx_http_dt_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child);


#endif /* _NGX_HTTP_DT_CONF_H_INCLUDED_ */
