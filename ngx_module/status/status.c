
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/dt.h"
#include "core/text/accept.h"
#include "ngx_module/status/status.h"
#include "ngx_module/fields.h"
#include "ngx_module/status/facts.h"
#include "ngx_module/status/html.h"


#define NGX_HTTP_DT_MAX_SITES  1000


typedef enum {
    NGX_HTTP_DT_FORMAT_JSON = 0,
    NGX_HTTP_DT_FORMAT_HTML,
    NGX_HTTP_DT_FORMAT_METRICS,
    NGX_HTTP_DT_FORMATS
} ngx_http_dt_format_e;


static ngx_int_t ngx_http_dt_status_link(ngx_conf_t *cf);
static ngx_int_t ngx_http_dt_status_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_status_send(ngx_http_request_t *r,
    ngx_http_dt_out_t *out, ngx_uint_t format, ngx_uint_t status);
static ngx_int_t ngx_http_dt_status_fields(ngx_list_t *headers);
static ngx_uint_t ngx_http_dt_status_format(ngx_http_request_t *r);
static ngx_uint_t ngx_http_dt_status_accept(ngx_http_request_t *r);


/* by ngx_http_dt_format_e */

static ngx_str_t  ngx_http_dt_formats[] = {
    ngx_string("json"),
    ngx_string("html"),
    ngx_string("prometheus"),
    ngx_null_string
};


static ngx_str_t  ngx_http_dt_content_types[] = {
    ngx_string("application/json"),
    ngx_string("text/html"),
    ngx_string("text/plain; version=0.0.4")
};


char *
ngx_http_dt_set_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    u_char                           *p;
    ngx_str_t                        *value;
    ngx_uint_t                        i;
    ngx_http_core_loc_conf_t         *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler == ngx_http_dt_status_handler) {
        return "is duplicate";
    }

    dlcf->public = 0;

    value = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_strcmp(value[i].data, "public") == 0) {
            dlcf->public = 1;
            continue;
        }

        if (ngx_strncmp(value[i].data, "preview=", 8) != 0) {
            goto invalid;
        }

        for (p = value[i].data + 8; *p; p++) {
            if (*p <= ' ' || *p >= 0x7f || ngx_strchr("\"#<>&'?", *p)) {
                goto invalid;
            }
        }

        dlcf->preview.data = value[i].data + 8;
        dlcf->preview.len = p - dlcf->preview.data;
    }

    if (ngx_http_dt_status_link(cf) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    clcf->handler = ngx_http_dt_status_handler;

    ngx_http_dt_use(cf);

    return NGX_CONF_OK;

invalid:

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"detemplate_status\", "
                       "it must be preview=argument or public", &value[i]);

    return NGX_CONF_ERROR;
}


/* keeps the path of the status, to which previews of this server link */

static ngx_int_t
ngx_http_dt_status_link(ngx_conf_t *cf)
{
    size_t                     len;
    u_char                    *p;
    ngx_str_t                  uri;
    ngx_http_dt_srv_conf_t    *dscf;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    dscf = ngx_http_conf_get_module_srv_conf(cf,
                                            ngx_http_detemplate_filter_module);

    if (dscf->status.len
        || clcf->named
#if (NGX_PCRE)
        || clcf->regex
#endif
        || clcf->name.len == 0
        || clcf->name.data[0] != '/')
    {
        return NGX_OK;
    }

    len = clcf->name.len;

    uri.data = ngx_pnalloc(cf->pool, 3 * len);
    if (uri.data == NULL) {
        return NGX_ERROR;
    }

    p = (u_char *) ngx_escape_uri(uri.data, clcf->name.data, len,
                                  NGX_ESCAPE_URI);
    uri.len = p - uri.data;

    len = uri.len + ngx_escape_html(NULL, uri.data, uri.len);

    dscf->status.data = ngx_pnalloc(cf->pool, len);
    if (dscf->status.data == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_escape_html(dscf->status.data, uri.data, uri.len);
    dscf->status.len = len;

    return NGX_OK;
}


static ngx_int_t
ngx_http_dt_status_handler(ngx_http_request_t *r)
{
    ngx_int_t                 rc;
    ngx_uint_t                format;
    ngx_http_dt_out_t         out;
    ngx_http_dt_stats_t       stats;
    ngx_http_dt_loc_conf_t   *dlcf;
    ngx_http_dt_main_conf_t  *dmcf;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (!dlcf->public && !ngx_http_dt_local(r)) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "detemplate: \"detemplate_status\" without \"public\" "
                      "serves only clients on this machine");

        return NGX_HTTP_FORBIDDEN;
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);

    if (dmcf->shm_zone == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    format = ngx_http_dt_status_format(r);

    if (format == NGX_HTTP_DT_FORMATS) {
        return NGX_HTTP_BAD_REQUEST;
    }

    if (ngx_http_dt_stats(dmcf->shm_zone->data, NGX_HTTP_DT_MAX_SITES,
                          r->pool, &stats)
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_http_dt_out_init(&out, r->pool);

    switch (format) {

    case NGX_HTTP_DT_FORMAT_HTML:
        ngx_http_dt_html(&out, &stats, &dlcf->preview);
        break;

    case NGX_HTTP_DT_FORMAT_METRICS:
        ngx_http_dt_metrics(&out, &stats);
        break;

    default:
        ngx_http_dt_json(&out, &stats);
    }

    return ngx_http_dt_status_send(r, &out, format, NGX_HTTP_OK);
}


ngx_int_t
ngx_http_dt_send_json(ngx_http_request_t *r, ngx_http_dt_out_t *out,
    ngx_uint_t status)
{
    return ngx_http_dt_status_send(r, out, NGX_HTTP_DT_FORMAT_JSON, status);
}


static ngx_int_t
ngx_http_dt_status_send(ngx_http_request_t *r, ngx_http_dt_out_t *out,
    ngx_uint_t format, ngx_uint_t status)
{
    ngx_int_t     rc;
    ngx_chain_t  *cl;

    if (out->failed) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.content_length_n = 0;

    for (cl = out->body; cl; cl = cl->next) {
        r->headers_out.content_length_n += cl->buf->last - cl->buf->pos;
    }

    r->headers_out.content_type = ngx_http_dt_content_types[format];
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.status = status;

    if (format == NGX_HTTP_DT_FORMAT_HTML) {
        ngx_str_set(&r->headers_out.charset, "utf-8");
    }

    if (ngx_http_dt_status_fields(&r->headers_out.headers) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    out->buf->last_buf = (r == r->main) ? 1 : 0;
    out->buf->last_in_chain = 1;

    return ngx_http_output_filter(r, out->body);
}


/* a request that names somebody it comes from was passed on by a proxy */

ngx_uint_t
ngx_http_dt_local(ngx_http_request_t *r)
{
    u_char               *addr;
    ngx_uint_t            i;
    struct sockaddr      *sockaddr;
    ngx_list_part_t      *part;
    ngx_table_elt_t      *h;
    struct sockaddr_in   *sin;
#if (NGX_HAVE_INET6)
    struct sockaddr_in6  *sin6;
#endif

    static ngx_str_t  passed_on[] = {
        ngx_string("forwarded"),
        ngx_string("via"),
        ngx_string("x-real-ip"),
        ngx_null_string
    };

    if (r->connection->proxy_protocol
        || ngx_http_dt_first_field(&r->headers_in.headers, passed_on))
    {
        return 0;
    }

    i = 0;
    part = &r->headers_in.headers.part;

    while ((h = ngx_http_dt_next_field(&part, &i)) != NULL) {
        if (h->key.len > 12
            && ngx_strncasecmp(h->key.data, (u_char *) "x-forwarded-", 12)
               == 0)
        {
            return 0;
        }
    }

    sockaddr = r->connection->sockaddr;

    switch (sockaddr->sa_family) {

#if (NGX_HAVE_INET6)
    case AF_INET6:
        sin6 = (struct sockaddr_in6 *) sockaddr;

        if (!IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr)) {
            return IN6_IS_ADDR_LOOPBACK(&sin6->sin6_addr) ? 1 : 0;
        }

        addr = &sin6->sin6_addr.s6_addr[12];
        break;
#endif

    case AF_INET:
        sin = (struct sockaddr_in *) sockaddr;
        addr = (u_char *) &sin->sin_addr.s_addr;
        break;

    default: /* AF_UNIX */
        return 1;
    }

    return addr[0] == 127;
}


/* no-transform keeps a module whose mode is not off from the status page */

static ngx_int_t
ngx_http_dt_status_fields(ngx_list_t *headers)
{
    static ngx_str_t  no_store = ngx_string("no-store, no-transform");
    static ngx_str_t  nosniff = ngx_string("nosniff");

    if (ngx_http_dt_push_field(headers, "Cache-Control", &no_store)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_dt_push_field(headers, "X-Content-Type-Options", &nosniff);
}


/*
 * The argument decides, else Accept.  NGX_HTTP_DT_FORMATS: the argument names
 * no format.
 */

static ngx_uint_t
ngx_http_dt_status_format(ngx_http_request_t *r)
{
    ngx_str_t  value;

    return (ngx_http_arg(r, (u_char *) "format", 6, &value) == NGX_OK)
           ? ngx_http_dt_find_word(ngx_http_dt_formats, &value)
           : ngx_http_dt_status_accept(r);
}


/* the format that Accept likes best; of several, the first */

static ngx_uint_t
ngx_http_dt_status_accept(ngx_http_request_t *r)
{
    dt_str_t          value;
    ngx_int_t         best;
    dt_range_t        range;
    ngx_uint_t        i, n, format;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    static ngx_str_t  accept[] = ngx_http_dt_one("accept");

    static struct {
        char       *type;
        ngx_uint_t  format;
    } types[] = {
        { "application/json", NGX_HTTP_DT_FORMAT_JSON },
        { "text/html", NGX_HTTP_DT_FORMAT_HTML },
        { "text/plain", NGX_HTTP_DT_FORMAT_METRICS },
        { "application/openmetrics-text", NGX_HTTP_DT_FORMAT_METRICS }
    };

    best = 0;
    format = NGX_HTTP_DT_FORMAT_JSON;

    i = 0;
    part = &r->headers_in.headers.part;

    while ((h = ngx_http_dt_find_field(&part, &i, accept)) != NULL) {
        value = ngx_http_dt_str(&h->value);

        while (dt_accept_next(&value, &range)) {

            for (n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
                if ((range.q > best
                     || (range.q == best && types[n].format < format))
                    && dt_str_case_eq(range.type, dt_cstr(types[n].type)))
                {
                    best = range.q;
                    format = types[n].format;
                }
            }
        }
    }

    return format;
}
