
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "ngx_module/manager/redis_conf.h"
#include "ngx_module/zone/zone.h"


static char *ngx_http_dt_redis_param(ngx_conf_t *cf, dt_redis_opts_t *opts,
    ngx_str_t *value);


/* the first ones are no parameters of the directive */

#define NGX_HTTP_DT_REDIS_FIRST  2

#define NGX_HTTP_DT_REDIS_TIMEOUT  200     /* ms */


char *
ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_main_conf_t *dmcf = conf;

    char        *rv;
    char         errstr[DT_ERRSTR];
    ngx_str_t   *value;
    ngx_uint_t   i;

    if (dmcf->redis.url) {
        return "is duplicate";
    }

    value = cf->args->elts;

    /* arguments end with a NUL */

    dmcf->redis.url = (char *) value[1].data;
    dmcf->redis.timeout_ms = NGX_HTTP_DT_REDIS_TIMEOUT;

    for (i = 2; i < cf->args->nelts; i++) {
        rv = ngx_http_dt_redis_param(cf, &dmcf->redis, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    if (dt_redis_check(&dmcf->redis, errstr) != DT_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"detemplate_redis\": %s", errstr);
        return NGX_CONF_ERROR;
    }

    if (ngx_http_dt_redis_text(&dmcf->redis, (u_char *) "", NULL, 0)
        + NGX_HTTP_DT_KEY_LEN > DT_LINK_TEXT)
    {
        return "has too long parameters";
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_dt_redis_param(ngx_conf_t *cf, dt_redis_opts_t *opts,
    ngx_str_t *value)
{
    size_t                  len;
    ngx_int_t               timeout;
    ngx_str_t               s;
    const dt_redis_text_t  *text;

    for (text = &dt_redis_texts[NGX_HTTP_DT_REDIS_FIRST];
         text->name;
         text++)
    {
        len = ngx_strlen(text->name);

        if (value->len <= len + 1
            || ngx_strncmp(value->data, text->name, len) != 0
            || value->data[len] != '=')
        {
            continue;
        }

        s.data = value->data + len + 1;
        s.len = value->len - len - 1;

        if (text->file && ngx_conf_full_name(cf->cycle, &s, 1) != NGX_OK) {
            return NGX_CONF_ERROR;
        }

        *(char **) ((u_char *) opts + text->place) = (char *) s.data;

        return NGX_CONF_OK;
    }

    if (ngx_strncmp(value->data, "timeout=", 8) == 0) {
        s.data = value->data + 8;
        s.len = value->len - 8;

        timeout = ngx_parse_time(&s, 0);

        if (timeout != NGX_ERROR && timeout != 0) {
            opts->timeout_ms = timeout;
            return NGX_CONF_OK;
        }
    }

    if (ngx_strcmp(value->data, "verify=on") == 0
        || ngx_strcmp(value->data, "verify=off") == 0)
    {
        opts->insecure = (value->data[8] == 'f');
        return NGX_CONF_OK;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"detemplate_redis\", "
                       "known are prefix=, timeout=, read=, user_file=, "
                       "password_file=, sentinel_password_file=, ca=, cert=, "
                       "key= and verify=", value);

    return NGX_CONF_ERROR;
}


size_t
ngx_http_dt_redis_text(dt_redis_opts_t *opts, u_char *token, u_char *buf,
    size_t size)
{
    char                   *value;
    size_t                  need;
    u_char                 *p, *last;
    const dt_redis_text_t  *text;

    need = sizeof("timeout=\nverify=off\n") + NGX_TIME_T_LEN;
    p = buf;
    last = buf + size;

    for (text = dt_redis_texts; text->name; text++) {
        value = *(char **) ((u_char *) opts + text->place);

        if (text->place == offsetof(dt_redis_opts_t, token)) {
            value = (char *) token;
        }

        if (value) {
            need += ngx_strlen(text->name) + ngx_strlen(value) + 2;
            p = ngx_slprintf(p, last, "%s=%s\n", text->name, value);
        }
    }

    p = ngx_slprintf(p, last, "timeout=%l\nverify=%s\n", opts->timeout_ms,
                     opts->insecure ? "off" : "on");

    return buf ? (size_t) (p - buf) : need;
}
