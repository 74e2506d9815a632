
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/wire.h"
#include "ngx_module/conf.h"
#include "ngx_module/body/marks.h"
#include "ngx_module/check.h"
#include "ngx_module/manager/manager.h"
#include "ngx_module/manager/redis.h"
#include "ngx_module/request/accept.h"
#include "ngx_module/request/filter.h"
#include "ngx_module/request/host.h"
#include "ngx_module/request/markdown.h"
#include "ngx_module/request/stranger.h"
#include "ngx_module/status/control.h"
#include "ngx_module/status/status.h"
#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_MIN_ZONE   8       /* pages */
#define NGX_HTTP_DT_MAX_TIME   (10 * 365 * 24 * 3600)
#define NGX_HTTP_DT_MAX_SIZE   (1024 * 1024 * 1024)


static uint64_t ngx_http_dt_lengths(ngx_hash_t *types);
static char *ngx_http_dt_check_bounds(ngx_conf_t *cf, void *post, void *data);
static char *ngx_http_dt_check_time(ngx_conf_t *cf, void *post, void *data);
static char *ngx_http_dt_set_mode(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_zone(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_path(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_add_path(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf, ngx_str_t *path);
static char *ngx_http_dt_set_program(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_hold(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_learn(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_word(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_dt_set_site(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);


static ngx_str_t  ngx_http_dt_default_types[] = {
    ngx_string("text/html"),
    ngx_string("application/xhtml+xml"),
    ngx_null_string
};


static ngx_conf_enum_t  ngx_http_dt_hidden[] = {
    { ngx_string("drop"), 0 },
    { ngx_string("keep"), 1 },
    { ngx_null_string, 0 }
};


static ngx_conf_num_bounds_t  ngx_http_dt_candidates_bounds = {
    ngx_http_dt_check_bounds, 1, DT_JOB_CANDIDATES
};

static ngx_conf_num_bounds_t  ngx_http_dt_loads_bounds = {
    ngx_http_dt_check_bounds, 1, DT_JOB_LOADS
};

static ngx_conf_num_bounds_t  ngx_http_dt_once_bounds = {
    ngx_http_dt_check_bounds, 1, DT_JOB_ONCE
};

static ngx_conf_num_bounds_t  ngx_http_dt_learners_bounds = {
    ngx_http_dt_check_bounds, 1, 64
};

static ngx_conf_post_t  ngx_http_dt_time = {
    ngx_http_dt_check_time
};


ngx_command_t  ngx_http_dt_commands[] = {

    { ngx_string("detemplate"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_mode,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, mode),
      &ngx_http_dt_modes },

    { ngx_string("detemplate_zone"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_zone,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_path"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE12,
      ngx_http_dt_set_path,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_redis"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_redis,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_learners"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_dt_main_conf_t, learners),
      &ngx_http_dt_learners_bounds },

    { ngx_string("detemplate_program"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_program,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_site"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_site,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, site),
      NULL },

    { ngx_string("detemplate_origin"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_origin,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_types"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_types,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, types_keys),
      NULL },

    { ngx_string("detemplate_candidates"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, candidates),
      &ngx_http_dt_candidates_bounds },

    { ngx_string("detemplate_votes"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, votes),
      &ngx_http_dt_candidates_bounds },

    { ngx_string("detemplate_loads"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, loads),
      &ngx_http_dt_loads_bounds },

    { ngx_string("detemplate_valid"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_sec_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, valid),
      &ngx_http_dt_time },

    { ngx_string("detemplate_refresh"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_sec_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, refresh),
      &ngx_http_dt_time },

    { ngx_string("detemplate_wait"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_msec_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, wait),
      NULL },

    { ngx_string("detemplate_hold"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE12,
      ngx_http_dt_set_hold,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_learn"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE12,
      ngx_http_dt_set_learn,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, learn_by),
      &ngx_http_dt_learn_words },

    { ngx_string("detemplate_robots"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, robots),
      NULL },

    { ngx_string("detemplate_connections"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, once),
      &ngx_http_dt_once_bounds },

    { ngx_string("detemplate_learner_address"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_learner_address,
      NGX_HTTP_SRV_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_links"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_word,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, links),
      &ngx_http_dt_links },

    { ngx_string("detemplate_cut"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_word,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, cut),
      &ngx_http_dt_cut },

    { ngx_string("detemplate_accept"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_accept,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_suffix"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_suffix,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, twin),
      NULL },

    { ngx_string("detemplate_front"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, front),
      NULL },

    { ngx_string("detemplate_anchors"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, anchors),
      NULL },

    { ngx_string("detemplate_llms"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, llms),
      NULL },

    { ngx_string("detemplate_hidden"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, hidden),
      &ngx_http_dt_hidden },

    { ngx_string("detemplate_vary"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_vary,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, vary),
      NULL },

    { ngx_string("detemplate_url"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_url,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, url),
      NULL },

    { ngx_string("detemplate_marks"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_marks,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, marks),
      NULL },

    { ngx_string("detemplate_keep"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_hand,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, keep),
      NULL },

    { ngx_string("detemplate_force"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_dt_set_hand,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, force),
      NULL },

    { ngx_string("detemplate_detector"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_dt_set_detector,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_bypass"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_set_predicate_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_dt_loc_conf_t, bypass),
      NULL },

    { ngx_string("detemplate_status"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE12,
      ngx_http_dt_set_status,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("detemplate_control"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE1,
      ngx_http_dt_set_control,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


void *
ngx_http_dt_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_dt_main_conf_t  *dmcf;

    dmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_main_conf_t));
    if (dmcf == NULL) {
        return NULL;
    }

    /*
     * set by ngx_pcalloc():
     *
     *     dmcf->shm_zone = NULL;
     *     dmcf->path = NULL;
     *     dmcf->redis = { NULL, ... };
     *     dmcf->addrs = { 0 };
     *     dmcf->program = { 0, NULL };
     *     dmcf->program_file = NULL;
     *     dmcf->program_line = 0;
     *     dmcf->used = 0;
     *     dmcf->learns = 0;
     *     dmcf->shared = NULL;
     */

    dmcf->learners = NGX_CONF_UNSET_UINT;
    dmcf->max_size = NGX_HTTP_DT_MAX_SIZE;

    return dmcf;
}


char *
ngx_http_dt_init_main_conf(ngx_conf_t *cf, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    char  *rv;

    static ngx_str_t  path = ngx_string("detemplate");

    ngx_conf_init_uint_value(dmcf->learners, 2);

    if (dmcf->shm_zone == NULL) {

        if (dmcf->used) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "\"detemplate\", \"detemplate_status\" and "
                          "\"detemplate_control\" need "
                          "\"detemplate_zone name:size;\" at the http level");
            return NGX_CONF_ERROR;
        }

        return NGX_CONF_OK;
    }

    if (dmcf->path) {
        return NGX_CONF_OK;
    }

    rv = ngx_http_dt_add_path(cf, dmcf, &path);

    if (rv == NGX_CONF_OK) {
        ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                      "no \"detemplate_path\" is set, templates are kept in "
                      "\"%V\"", &dmcf->path->name);
    }

    return rv;
}


void *
ngx_http_dt_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_dt_loc_conf_t  *dlcf;

    dlcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_loc_conf_t));
    if (dlcf == NULL) {
        return NULL;
    }

    /*
     * set by ngx_pcalloc():
     *
     *     dlcf->origin = { 0, NULL };
     *     dlcf->twin = { 0, NULL };
     *     dlcf->preview = { 0, NULL };
     *     dlcf->types = { NULL };
     *     dlcf->url_vary = NULL;
     *     dlcf->types_keys = NULL;
     *     dlcf->hand = NULL;
     *     dlcf->lengths = 0;
     *     dlcf->fixed = 0;
     *     dlcf->told = 0;
     */

    dlcf->mode = NGX_CONF_UNSET_PTR;
    dlcf->site = NGX_CONF_UNSET_PTR;
    dlcf->links = NGX_CONF_UNSET_PTR;
    dlcf->cut = NGX_CONF_UNSET_PTR;
    dlcf->marks = NGX_CONF_UNSET_PTR;
    dlcf->keep = NGX_CONF_UNSET_PTR;
    dlcf->force = NGX_CONF_UNSET_PTR;
    dlcf->vary = NGX_CONF_UNSET_PTR;
    dlcf->url = NGX_CONF_UNSET_PTR;
    dlcf->accept = NGX_CONF_UNSET_UINT;
    dlcf->front = NGX_CONF_UNSET;
    dlcf->llms = NGX_CONF_UNSET;
    dlcf->anchors = NGX_CONF_UNSET;
    dlcf->hidden = NGX_CONF_UNSET_UINT;
    dlcf->bypass = NGX_CONF_UNSET_PTR;
    dlcf->candidates = NGX_CONF_UNSET;
    dlcf->votes = NGX_CONF_UNSET;
    dlcf->loads = NGX_CONF_UNSET;
    dlcf->detector = NGX_CONF_UNSET_UINT;
    dlcf->valid = NGX_CONF_UNSET;
    dlcf->refresh = NGX_CONF_UNSET;
    dlcf->wait = NGX_CONF_UNSET_MSEC;
    dlcf->hold = NGX_CONF_UNSET_SIZE;
    dlcf->hold_time = NGX_CONF_UNSET_MSEC;
    dlcf->learn = NGX_CONF_UNSET_UINT;
    dlcf->learn_by = NGX_CONF_UNSET_PTR;
    dlcf->robots = NGX_CONF_UNSET;
    dlcf->once = NGX_CONF_UNSET;
    dlcf->public = NGX_CONF_UNSET_UINT;

    return dlcf;
}


char *
ngx_http_dt_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_dt_loc_conf_t  *prev = parent;
    ngx_http_dt_loc_conf_t  *conf = child;

    ngx_http_dt_srv_conf_t   *dscf;
    ngx_http_dt_main_conf_t  *dmcf;

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);

    ngx_conf_merge_ptr_value(conf->mode, prev->mode, NULL);
    ngx_conf_merge_uint_value(conf->accept, prev->accept, 0);

    ngx_conf_merge_str_value(conf->twin, prev->twin, "");

    if (ngx_http_dt_merge_accept(cf, conf) != NGX_OK
        || ngx_http_dt_merge_suffix(cf, conf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    ngx_conf_merge_value(conf->front, prev->front, 1);
    ngx_conf_merge_value(conf->llms, prev->llms, 0);
    ngx_conf_merge_value(conf->anchors, prev->anchors, 0);
    ngx_conf_merge_uint_value(conf->hidden, prev->hidden, 0);
    ngx_conf_merge_ptr_value(conf->site, prev->site, NULL);
    ngx_conf_merge_ptr_value(conf->links, prev->links, NULL);
    ngx_conf_merge_ptr_value(conf->cut, prev->cut, NULL);
    ngx_conf_merge_ptr_value(conf->marks, prev->marks, NULL);
    ngx_conf_merge_ptr_value(conf->keep, prev->keep, NULL);
    ngx_conf_merge_ptr_value(conf->force, prev->force, NULL);
    ngx_conf_merge_ptr_value(conf->vary, prev->vary, NULL);
    ngx_conf_merge_ptr_value(conf->bypass, prev->bypass, NULL);

    if (conf->url == NGX_CONF_UNSET_PTR) {
        conf->url_vary = prev->url_vary;
    }

    ngx_conf_merge_ptr_value(conf->url, prev->url, NULL);
    ngx_conf_merge_str_value(conf->origin, prev->origin, "");
    ngx_conf_merge_value(conf->candidates, prev->candidates, NGX_CONF_UNSET);
    ngx_conf_merge_value(conf->votes, prev->votes, NGX_CONF_UNSET);
    ngx_conf_merge_value(conf->loads, prev->loads, NGX_CONF_UNSET);
    ngx_conf_merge_uint_value(conf->detector, prev->detector, 0);
    ngx_conf_merge_sec_value(conf->valid, prev->valid, 7 * 24 * 3600);
    ngx_conf_merge_sec_value(conf->refresh, prev->refresh, NGX_CONF_UNSET);
    ngx_conf_merge_msec_value(conf->wait, prev->wait, 0);
    ngx_conf_merge_size_value(conf->hold, prev->hold, 2 * 1024 * 1024);
    ngx_conf_merge_msec_value(conf->hold_time, prev->hold_time, 10000);

    ngx_conf_merge_uint_value(conf->learn, prev->learn, NGX_HTTP_DT_LEARN_ON);
    ngx_conf_merge_ptr_value(conf->learn_by, prev->learn_by, NULL);
    ngx_conf_merge_value(conf->robots, prev->robots, 1);
    ngx_conf_merge_value(conf->once, prev->once, 1);

    /* an "if" inherits the status of its location */

    if (conf->public == NGX_CONF_UNSET_UINT) {
        conf->preview = prev->preview;
    }

    ngx_conf_merge_uint_value(conf->public, prev->public, 0);

    conf->fixed = (conf->mode && conf->mode->lengths == NULL
                   && conf->bypass == NULL
                   && conf->accept == 0);

    if (conf->mode && conf->learn) {
        dscf = ngx_http_conf_get_module_srv_conf(cf,
                                            ngx_http_detemplate_filter_module);
        dscf->no_origin |= (conf->origin.len == 0);
        dscf->no_site |= (conf->site == NULL);

        dmcf->learns = 1;
    }

    if (ngx_http_dt_check_numbers(cf, conf) != NGX_OK
        || ngx_http_dt_hand_merge(cf, prev, conf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_merge_types(cf, &conf->types_keys, &conf->types,
                             &prev->types_keys, &prev->types,
                             ngx_http_dt_default_types)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    conf->lengths = ngx_http_dt_lengths(&conf->types);

    return NGX_CONF_OK;
}


/* a bit for each length of a type in the list, modulo 64 */

static uint64_t
ngx_http_dt_lengths(ngx_hash_t *types)
{
    uint64_t         lengths;
    ngx_uint_t       i;
    ngx_hash_elt_t  *elt;

    lengths = 0;

    for (i = 0; i < types->size; i++) {

        elt = types->buckets[i];

        while (elt && elt->value) {
            lengths |= (uint64_t) 1 << (elt->len & 63);
            elt = (ngx_hash_elt_t *) ngx_align_ptr(&elt->name[elt->len],
                                                   sizeof(void *));
        }
    }

    return lengths;
}


/* like ngx_conf_check_num_bounds(), but the message names the directive */

static char *
ngx_http_dt_check_bounds(ngx_conf_t *cf, void *post, void *data)
{
    ngx_int_t              *np = data;
    ngx_conf_num_bounds_t  *bounds = post;

    ngx_str_t  *value;

    if (*np >= bounds->low && *np <= bounds->high) {
        return NGX_CONF_OK;
    }

    value = cf->args->elts;

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "\"%V\" must be between %i and %i",
                       &value[0], bounds->low, bounds->high);

    return NGX_CONF_ERROR;
}


/* with a time of 0, or one that overflows, learning would never end */

static char *
ngx_http_dt_check_time(ngx_conf_t *cf, void *post, void *data)
{
    time_t  *sp = data;

    ngx_str_t  *value;

    if (*sp >= 1 && *sp <= NGX_HTTP_DT_MAX_TIME) {
        return NGX_CONF_OK;
    }

    value = cf->args->elts;

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "\"%V\" must be between 1s and 10y", &value[0]);

    return NGX_CONF_ERROR;
}


static char *
ngx_http_dt_set_mode(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    char  *rv;

    rv = ngx_http_dt_set_word(cf, cmd, conf);

    if (rv == NGX_CONF_OK && dlcf->mode) {
        ngx_http_dt_use(cf);
    }

    return rv;
}


static char *
ngx_http_dt_set_zone(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    u_char     *p;
    ssize_t     size;
    ngx_str_t  *value, name, s;

    if (dmcf->shm_zone) {
        return "is duplicate";
    }

    value = cf->args->elts;

    p = (u_char *) ngx_strchr(value[1].data, ':');

    if (p == NULL || p == value[1].data) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid \"%V\" in \"detemplate_zone\", it must "
                           "be name:size", &value[1]);
        return NGX_CONF_ERROR;
    }

    name.data = value[1].data;
    name.len = p - name.data;

    s.data = p + 1;
    s.len = value[1].data + value[1].len - s.data;

    size = ngx_parse_size(&s);

    if (size == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid size \"%V\" in \"detemplate_zone\"", &s);
        return NGX_CONF_ERROR;
    }

    if (size < (ssize_t) (NGX_HTTP_DT_MIN_ZONE * ngx_pagesize)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_zone\" \"%V\" is too small, give it "
                           "at least %uzk", &name,
                           NGX_HTTP_DT_MIN_ZONE * ngx_pagesize / 1024);
        return NGX_CONF_ERROR;
    }

    ngx_http_dt_filter_position(cf->cycle);

    return ngx_http_dt_zone_add(cf, dmcf, &name, size);
}


static char *
ngx_http_dt_set_path(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    ngx_str_t  *value, s;

    if (dmcf->path) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (value[1].len == 0) {
        return "is empty";
    }

    if (cf->args->nelts == 3) {
        dmcf->max_size = NGX_ERROR;

        if (ngx_strncmp(value[2].data, "max_size=", 9) == 0) {
            s.data = value[2].data + 9;
            s.len = value[2].len - 9;
            dmcf->max_size = ngx_parse_offset(&s);
        }

        if (dmcf->max_size <= 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid \"%V\" in \"detemplate_path\"",
                               &value[2]);
            return NGX_CONF_ERROR;
        }
    }

    return ngx_http_dt_add_path(cf, dmcf, &value[1]);
}


static char *
ngx_http_dt_add_path(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *path)
{
    char             *rv;
    ngx_file_info_t   fi;

    rv = ngx_http_dt_manager_add(cf, dmcf, path);

    if (rv != NGX_CONF_OK) {
        return rv;
    }

    /*
     * ngx_create_paths() would not name the directive where it fails, and it
     * takes any file and gives it to the workers.
     */

    if (ngx_process != NGX_PROCESS_SIGNALLER
        && ngx_create_dir(dmcf->path->name.data, 0700) == NGX_FILE_ERROR
        && ngx_errno != NGX_EEXIST)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_create_dir_n " \"%V\" of \"detemplate_path\" "
                           "failed", &dmcf->path->name);
        return NGX_CONF_ERROR;
    }

    if (ngx_file_info(dmcf->path->name.data, &fi) != NGX_FILE_ERROR
        && !ngx_is_dir(&fi))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" in \"detemplate_path\" is not a directory",
                           &dmcf->path->name);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_dt_set_program(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    ngx_str_t  *value;

    if (dmcf->program.len) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (value[1].len == 0) {
        return "is empty";
    }

    dmcf->program = value[1];
    dmcf->program_file = cf->conf_file->file.name.data;
    dmcf->program_line = cf->conf_file->line;

    if (ngx_conf_full_name(cf->cycle, &dmcf->program, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* a size and, optionally, a time */

static char *
ngx_http_dt_set_hold(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    ngx_str_t  *value;

    if (dlcf->hold != NGX_CONF_UNSET_SIZE) {
        return "is duplicate";
    }

    value = cf->args->elts;

    dlcf->hold = ngx_parse_size(&value[1]);

    if (dlcf->hold == (size_t) NGX_ERROR) {
        return "has an invalid size";
    }

    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }

    dlcf->hold_time = ngx_parse_time(&value[2], 0);

    if (dlcf->hold_time == (ngx_msec_t) NGX_ERROR
        || dlcf->hold_time == 0)
    {
        return "has an invalid time";
    }

    return NGX_CONF_OK;
}


/* a variable, or a word, which is the same for all requests */

static char *
ngx_http_dt_set_learn(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    char       *rv;
    ngx_str_t  *value, word;

    value = cf->args->elts;

    if (cf->args->nelts == 3) {

        /* "served all", with any spaces between */

        word.len = value[1].len + 1 + value[2].len;
        word.data = ngx_pnalloc(cf->pool, word.len + 1);
        if (word.data == NULL) {
            return NGX_CONF_ERROR;
        }

        ngx_sprintf(word.data, "%V %V%Z", &value[1], &value[2]);
        value[1] = word;
    }

    rv = ngx_http_dt_set_word(cf, cmd, conf);

    if (rv != NGX_CONF_OK) {
        return rv;
    }

    if (dlcf->learn_by && dlcf->learn_by->lengths) {
        dlcf->learn = NGX_HTTP_DT_LEARN_ON;

    } else {
        dlcf->learn = ngx_http_dt_find_word(ngx_http_dt_learn_words,
                                            &value[1]);
        dlcf->learn_by = NULL;
    }

    return NGX_CONF_OK;
}


/* one of the words, of which the first is the default, or a variable */

static char *
ngx_http_dt_set_word(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char  *p = conf;

    char                       *rv;
    u_char                      choices[NGX_HTTP_DT_CHOICES], *last;
    ngx_str_t                  *value, *words;
    ngx_uint_t                  i;
    ngx_http_complex_value_t  **word;

    word = (ngx_http_complex_value_t **) (p + cmd->offset);

    if (*word == NULL) {
        return "is duplicate";
    }

    rv = ngx_http_set_complex_value_slot(cf, cmd, conf);

    if (rv != NGX_CONF_OK || (*word)->lengths) {
        return rv;
    }

    value = cf->args->elts;
    words = cmd->post;
    i = ngx_http_dt_find_word(words, &value[1]);

    if (words[i].len) {
        *word = i ? *word : NULL;
        return NGX_CONF_OK;
    }

    last = ngx_http_dt_choices(choices, choices + sizeof(choices), words);

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid value \"%V\" in \"%V\", it must be %*s or a "
                       "variable", &value[1], &cmd->name, last - choices,
                       choices);

    return NGX_CONF_ERROR;
}


static char *
ngx_http_dt_set_site(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    char       *rv;
    ngx_str_t  *value;

    rv = ngx_http_set_complex_value_slot(cf, cmd, conf);

    if (rv != NGX_CONF_OK
        || dlcf->site->lengths
        || ngx_http_dt_host_site(&dlcf->site->value))
    {
        return rv;
    }

    value = cf->args->elts;

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid name \"%V\" in \"detemplate_site\", it must "
                       "have 1 to %d printable characters, without spaces "
                       "and braces", &value[1], NGX_HTTP_DT_MAX_SITE);

    return NGX_CONF_ERROR;
}
