
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/request/accept.h"
#include "core/base/tags.h"
#include "core/text/accept.h"
#include "ngx_module/fields.h"


typedef struct {
    ngx_str_t                      name;
    ngx_str_t                      lower;
} ngx_http_dt_vary_t;


static ngx_int_t ngx_http_dt_vary_name(ngx_conf_t *cf, ngx_array_t *vary,
    ngx_http_dt_vary_t *v, ngx_str_t *name);
static ngx_uint_t ngx_http_dt_vary_has(ngx_http_request_t *r,
    ngx_str_t *lower);
static ngx_uint_t ngx_http_dt_vary_by_gzip(ngx_http_request_t *r,
    ngx_str_t *lower);


static ngx_str_t  ngx_http_dt_accept_fields[] = ngx_http_dt_one("accept");


/* by dt_form_t */

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
            if (ngx_http_dt_equal(&value[i], &ngx_http_dt_modes[
                                            ngx_http_dt_accept_modes[form]]))
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

    ngx_http_dt_use(cf);

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
        dt_accept_add(&accept, ngx_http_dt_str(&h->value));
    }

    return ngx_http_dt_accept_modes[dt_accept_choose(&accept, dlcf->accept)];
}


char *
ngx_http_dt_set_vary(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char  *p = conf;

    ngx_str_t            *value;
    ngx_uint_t            n;
    ngx_array_t         **vary;
    ngx_http_dt_vary_t   *v;

    vary = (ngx_array_t **) (p + cmd->offset);

    if (*vary != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        *vary = NULL;
        return NGX_CONF_OK;
    }

    *vary = ngx_array_create(cf->pool, cf->args->nelts - 1,
                             sizeof(ngx_http_dt_vary_t));
    if (*vary == NULL) {
        return NGX_CONF_ERROR;
    }

    for (n = 1; n < cf->args->nelts; n++) {

        v = ngx_array_push(*vary);
        if (v == NULL) {
            return NGX_CONF_ERROR;
        }

        if (ngx_http_dt_vary_name(cf, *vary, v, &value[n]) != NGX_OK) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid field \"%V\" in \"detemplate_vary\"",
                               &value[n]);
            return NGX_CONF_ERROR;
        }
    }

    return NGX_CONF_OK;
}


char *
ngx_http_dt_vary_variables(ngx_conf_t *cf, ngx_array_t **vary,
    ngx_str_t *value)
{
    size_t               n;
    u_char              *p, *last;
    ngx_str_t            name;
    ngx_http_dt_vary_t  *v;

    *vary = NULL;
    p = value->data;
    last = p + value->len;

    while ((p = ngx_strlchr(p, last, '$')) != NULL) {
        p += (p[1] == '{') ? 2 : 1;

        if (ngx_strncasecmp(p, (u_char *) "http_", 5) != 0) {
            continue;
        }

        p += 5;

        if (*vary == NULL) {
            *vary = ngx_array_create(cf->pool, 1, sizeof(ngx_http_dt_vary_t));
            if (*vary == NULL) {
                return NGX_CONF_ERROR;
            }
        }

        v = ngx_array_push(*vary);
        name.data = ngx_pnalloc(cf->pool, last - p + 1);

        if (v == NULL || name.data == NULL) {
            return NGX_CONF_ERROR;
        }

        for (n = 0; dt_is_alnum(p[n]) || p[n] == '_'; n++) {
            name.data[n] = (p[n] == '_') ? '-'
                           : (p[n - 1] == '_') ? ngx_toupper(p[n]) : p[n];
        }

        name.len = n;

        if (ngx_http_dt_vary_name(cf, *vary, v, &name) != NGX_OK) {

            /* it is named already */

            (*vary)->nelts--;
        }
    }

    return NGX_CONF_OK;
}


/* sets v, the last of vary; not NGX_OK: no name, or one that vary has */

static ngx_int_t
ngx_http_dt_vary_name(ngx_conf_t *cf, ngx_array_t *vary, ngx_http_dt_vary_t *v,
    ngx_str_t *name)
{
    u_char               c;
    size_t               i;
    ngx_http_dt_vary_t  *other;

    v->name = *name;
    v->lower.len = name->len;
    v->lower.data = ngx_pnalloc(cf->pool, name->len + 1);

    if (v->lower.data == NULL) {
        return NGX_ERROR;
    }

    if (name->len == 0 || ngx_strcmp(name->data, "off") == 0) {
        return NGX_DECLINED;
    }

    for (i = 0; i < name->len; i++) {
        c = ngx_tolower(name->data[i]);

        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') {
            return NGX_DECLINED;
        }

        v->lower.data[i] = c;
    }

    for (other = vary->elts; other < v; other++) {

        if (ngx_http_dt_equal(&other->lower, &v->lower)) {
            return NGX_DECLINED;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_vary(ngx_http_request_t *r, ngx_array_t *vary)
{
    size_t               len;
    u_char              *p;
    ngx_str_t            value;
    ngx_uint_t           i;
    ngx_http_dt_vary_t  *v;

    static ngx_str_t  all = ngx_string("*");

    if (ngx_http_dt_vary_has(r, &all)) {
        return NGX_OK;
    }

    v = vary->elts;
    len = 0;

    for (i = 0; i < vary->nelts; i++) {
        len += v[i].name.len + 2;
    }

    value.data = ngx_pnalloc(r->pool, len);
    if (value.data == NULL) {
        return NGX_ERROR;
    }

    p = value.data;

    for (i = 0; i < vary->nelts; i++) {

        if (ngx_http_dt_vary_has(r, &v[i].lower)
            || ngx_http_dt_vary_by_gzip(r, &v[i].lower))
        {
            continue;
        }

        if (p > value.data) {
            p = ngx_cpymem(p, ", ", 2);
        }

        p = ngx_cpymem(p, v[i].name.data, v[i].name.len);
    }

    value.len = p - value.data;

    if (value.len == 0) {
        return NGX_OK;
    }

    return ngx_http_dt_push_field(&r->headers_out.headers, "Vary", &value);
}


ngx_int_t
ngx_http_dt_vary_by(ngx_http_request_t *r, char *name, char *lower)
{
    ngx_array_t         vary;
    ngx_http_dt_vary_t  field;

    field.name.data = (u_char *) name;
    field.name.len = ngx_strlen(name);
    field.lower.data = (u_char *) lower;
    field.lower.len = field.name.len;

    ngx_memzero(&vary, sizeof(ngx_array_t));
    vary.elts = &field;
    vary.nelts = 1;

    return ngx_http_dt_vary(r, &vary);
}


/* whether the response's Vary names the field already */

static ngx_uint_t
ngx_http_dt_vary_has(ngx_http_request_t *r, ngx_str_t *lower)
{
    ngx_uint_t  other;

    static ngx_str_t  name = ngx_string("vary");

    return ngx_http_dt_count_parts(&r->headers_out.headers, &name, lower,
                                   &other)
           != 0;
}


/* has nginx add "Vary: Accept-Encoding", if it can do so after our filter */

static ngx_uint_t
ngx_http_dt_vary_by_gzip(ngx_http_request_t *r, ngx_str_t *lower)
{
#if (NGX_HTTP_GZIP)
    ngx_http_core_loc_conf_t  *clcf;

    static ngx_str_t  encoding = ngx_string("accept-encoding");

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (clcf->gzip_vary && ngx_http_dt_equal(lower, &encoding)) {
        r->gzip_vary = 1;
        return 1;
    }
#endif

    return 0;
}
