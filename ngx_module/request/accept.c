
/*
 * Copyright (C) The detemplate authors
 */


#include "core/text/accept.h"
#include "ngx_module/request/request.h"


static ngx_str_t  ngx_http_dt_accept_fields[] = {
    ngx_string("accept"),
    ngx_null_string
};


/* by dt_form_t */

static ngx_str_t  ngx_http_dt_accept_forms[] = {
    ngx_null_string,
    ngx_string("markdown"),
    ngx_string("json"),
    ngx_string("text")
};


static ngx_uint_t  ngx_http_dt_accept_modes[] = {
    NGX_HTTP_DT_MODE_OFF,
    NGX_HTTP_DT_MODE_MARKDOWN,
    NGX_HTTP_DT_MODE_JSON,
    NGX_HTTP_DT_MODE_TEXT
};


char *
ngx_http_dt_set_accept(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    ngx_str_t                *value;
    ngx_uint_t                i, form;
    ngx_http_dt_main_conf_t  *dmcf;

    if (dlcf->accept != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    value = cf->args->elts;
    dlcf->accept = 0;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        return NGX_CONF_OK;
    }

    for (i = 1; i < cf->args->nelts; i++) {

        for (form = DT_FORM_MARKDOWN; form < DT_FORMS; form++) {
            if (ngx_strcmp(value[i].data, ngx_http_dt_accept_forms[form].data)
                == 0)
            {
                break;
            }
        }

        if (form == DT_FORMS || (dlcf->accept & 1 << form)) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid value \"%V\" in "
                               "\"detemplate_accept\", it must be \"off\", or "
                               "any of \"markdown\", \"json\" and \"text\"",
                               &value[i]);
            return NGX_CONF_ERROR;
        }

        dlcf->accept |= 1 << form;
    }

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);
    dmcf->used = 1;

    return NGX_CONF_OK;
}


ngx_int_t
ngx_http_dt_merge_accept(ngx_conf_t *cf, ngx_http_dt_loc_conf_t *conf)
{
    if (conf->accept == 0 && conf->twin.len == 0) {

        if (conf->mode
            && conf->mode->lengths == NULL
            && ngx_strcmp(conf->mode->value.data, "off") == 0)
        {
            conf->mode = NULL;
        }

        return NGX_OK;
    }

    if (conf->mode) {
        return NGX_OK;
    }

    conf->mode = ngx_pcalloc(cf->pool, sizeof(ngx_http_complex_value_t));
    if (conf->mode == NULL) {
        return NGX_ERROR;
    }

    ngx_str_set(&conf->mode->value, "off");

    return NGX_OK;
}


ngx_uint_t
ngx_http_dt_accept(ngx_http_request_t *r, ngx_http_dt_loc_conf_t *dlcf)
{
    dt_str_t          value;
    ngx_uint_t        i;
    dt_accept_t       accept;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    if (dlcf->accept == 0
        || !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD)))
    {
        return NGX_HTTP_DT_MODE_OFF;
    }

    ngx_memzero(&accept, sizeof(dt_accept_t));

    i = 0;
    part = &r->headers_in.headers.part;

    while ((h = ngx_http_dt_find_field(&part, &i, ngx_http_dt_accept_fields))
           != NULL)
    {
        value.data = (char *) h->value.data;
        value.len = h->value.len;

        dt_accept_add(&accept, value);
    }

    return ngx_http_dt_accept_modes[dt_accept_choose(&accept, dlcf->accept)];
}
