
/*
 * Copyright (C) The detemplate authors
 */


#include "core/scan/hand.h"
#include "ngx_module/body/body.h"


static ngx_int_t ngx_http_dt_hand_add(ngx_conf_t *cf, dt_hand_t *hand,
    dt_hand_kind_t kind, char *name, ngx_array_t *selectors);
static ngx_uint_t ngx_http_dt_hand_same(ngx_array_t *selectors,
    ngx_array_t *prev);
static ngx_int_t ngx_http_dt_hand_error(ngx_conf_t *cf, char *name,
    ngx_str_t *selector, char *errstr);


char *
ngx_http_dt_set_hand(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char  *p = conf;

    ngx_str_t     *value, *selector;
    ngx_uint_t     i, off;
    dt_hand_t     *hand;
    ngx_array_t  **selectors;

    selectors = (ngx_array_t **) (p + cmd->offset);
    value = cf->args->elts;
    off = (ngx_strcmp(value[1].data, "off") == 0);

    if ((off && (*selectors != NGX_CONF_UNSET_PTR || cf->args->nelts > 2))
        || (*selectors != NGX_CONF_UNSET_PTR && (*selectors)->nelts == 0))
    {
        return "has \"off\" and other selectors";
    }

    if (*selectors == NGX_CONF_UNSET_PTR) {
        *selectors = ngx_array_create(cf->pool, 4, sizeof(ngx_str_t));
        if (*selectors == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    for (i = 1; i < cf->args->nelts && !off; i++) {
        selector = ngx_array_push(*selectors);
        if (selector == NULL) {
            return NGX_CONF_ERROR;
        }

        *selector = value[i];
    }

    /* here an error has its line */

    hand = ngx_palloc(cf->temp_pool, sizeof(dt_hand_t));
    if (hand == NULL) {
        return NGX_CONF_ERROR;
    }

    dt_hand_init(hand);

    if (ngx_http_dt_hand_add(cf, hand, DT_HAND_KEEP, (char *) cmd->name.data,
                             *selectors)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_dt_hand_add(ngx_conf_t *cf, dt_hand_t *hand, dt_hand_kind_t kind,
    char *name, ngx_array_t *selectors)
{
    char         errstr[DT_ERRSTR];
    dt_str_t     str;
    ngx_str_t   *selector;
    ngx_uint_t   i;

    if (selectors == NULL) {
        return NGX_OK;
    }

    selector = selectors->elts;

    for (i = 0; i < selectors->nelts; i++) {
        str.data = (char *) selector[i].data;
        str.len = selector[i].len;

        if (dt_hand_add(hand, kind, str, errstr) != DT_OK) {
            return ngx_http_dt_hand_error(cf, name, &selector[i], errstr);
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_hand_error(ngx_conf_t *cf, char *name, ngx_str_t *selector,
    char *errstr)
{
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid selector \"%V\" in \"%s\": %s", selector,
                       name, errstr);

    return NGX_ERROR;
}


ngx_int_t
ngx_http_dt_hand_merge(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *prev,
    ngx_http_dt_loc_conf_t *conf)
{
    dt_hand_t   *hand;
    ngx_uint_t   same;

    if ((conf->keep == NULL || conf->keep->nelts == 0)
        && (conf->force == NULL || conf->force->nelts == 0))
    {
        return NGX_OK;
    }

    same = ngx_http_dt_hand_same(conf->keep, prev->keep)
           && ngx_http_dt_hand_same(conf->force, prev->force);

    if (same && prev->hand) {
        conf->hand = prev->hand;
        return NGX_OK;
    }

    hand = ngx_palloc(cf->pool, sizeof(dt_hand_t));
    if (hand == NULL) {
        return NGX_ERROR;
    }

    dt_hand_init(hand);

    if (ngx_http_dt_hand_add(cf, hand, DT_HAND_KEEP, "detemplate_keep",
                             conf->keep)
        != NGX_OK
        || ngx_http_dt_hand_add(cf, hand, DT_HAND_FORCE, "detemplate_force",
                                conf->force)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    conf->hand = hand;

    if (same) {

        /* for others at this level */

        prev->hand = hand;
    }

    return NGX_OK;
}


/* whether a list is that around; at the http level, NULL is not set */

static ngx_uint_t
ngx_http_dt_hand_same(ngx_array_t *selectors, ngx_array_t *prev)
{
    return selectors == prev
           || (selectors == NULL && prev == NGX_CONF_UNSET_PTR);
}


uint64_t
ngx_http_dt_hand_hash(ngx_http_dt_loc_conf_t *conf)
{
    return conf->hand ? conf->hand->hash : 0;
}
