
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/status.h"
#include "ngx_module/fields.h"
#include "ngx_module/status/html.h"


#define NGX_HTTP_DT_MAX_SITES  1000

#define NGX_HTTP_DT_HEAD_SIZE  8192     /* all but the sites */
#define NGX_HTTP_DT_SITE_SIZE  320      /* a site but its name */

#define NGX_HTTP_DT_LABELS     4
#define NGX_HTTP_DT_METRICS    20       /* but requests and reasons */


typedef enum {
    NGX_HTTP_DT_FORMAT_JSON = 0,
    NGX_HTTP_DT_FORMAT_HTML,
    NGX_HTTP_DT_FORMAT_TEXT,
    NGX_HTTP_DT_FORMATS
} ngx_http_dt_format_e;


/* metrics of one name */

typedef struct {
    char                          *name;        /* without a prefix */
    char                          *type;
    char                          *help;
    char                          *label;       /* NULL: there is one */
    char                          *values[NGX_HTTP_DT_LABELS];
                                                /* of the label, if known */
} ngx_http_dt_family_t;


static ngx_int_t ngx_http_dt_status_link(ngx_conf_t *cf);
static ngx_buf_t *ngx_http_dt_status_body(ngx_pool_t *pool,
    ngx_http_dt_stats_t *stats, ngx_uint_t format, ngx_str_t *preview);
static ngx_int_t ngx_http_dt_status_send(ngx_http_request_t *r, ngx_buf_t *b,
    ngx_uint_t format);
static ngx_uint_t ngx_http_dt_status_local(struct sockaddr *sockaddr);
static ngx_int_t ngx_http_dt_status_fields(ngx_list_t *headers);
static ngx_uint_t ngx_http_dt_status_format(ngx_http_request_t *r);
static ngx_uint_t ngx_http_dt_status_liked(ngx_str_t *accept);
static ngx_uint_t ngx_http_dt_status_quality(ngx_str_t *accept, char *type);
static u_char *ngx_http_dt_status_json(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_status_site(u_char *p, u_char *last,
    ngx_http_dt_row_t *row);
static u_char *ngx_http_dt_status_without(u_char *p, u_char *last,
    ngx_http_dt_row_t *row);
static u_char *ngx_http_dt_status_escape(u_char *p, ngx_str_t *name);
static u_char *ngx_http_dt_status_text(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_status_family(u_char *p, u_char *last,
    ngx_http_dt_family_t *f, uint64_t **value);
static u_char *ngx_http_dt_status_lower(u_char *p, u_char *last,
    ngx_str_t *name);


/* the arguments, the words of Accept and the types, by ..._format_e */

static ngx_str_t  ngx_http_dt_formats[] = {
    ngx_string("json"),
    ngx_string("html"),
    ngx_string("prometheus")
};


static char  *ngx_http_dt_accepted[] = {
    "application/json",
    "text/html",
    "text/plain"
};


static ngx_str_t  ngx_http_dt_content_types[] = {
    ngx_string("application/json"),
    ngx_string("text/html"),
    ngx_string("text/plain; version=0.0.4")
};


/* in the order of ngx_http_dt_status_text() */

static ngx_http_dt_family_t          ngx_http_dt_families[] = {

    { "requests_total", "counter",
      "Requests by what became of the page.",
      "status", { NULL } },

    { "reasons_total", "counter",
      "Requests by the reason why the page passed, or the rest of it.",
      "reason", { NULL } },

    { "in_bytes_total", "counter",
      "Bytes of pages that were rewritten.",
      NULL, { NULL } },

    { "removed_bytes_total", "counter",
      "Bytes that were cut from pages, or put between marks.",
      NULL, { NULL } },

    { "learning", "gauge",
      "Jobs that wait for a learner, and that one is at work on.",
      "state", { "queued", "running" } },

    { "learned_total", "counter",
      "Learnings that have ended.",
      "result", { "done", "failed" } },

    { "redis_total", "counter",
      "Templates that came from Redis, and how often it failed.",
      "result", { "taken", "failed" } },

    { "snapshots_total", "counter",
      "Templates that came from snapshots, and files that were not sound.",
      "result", { "taken", "refused" } },

    { "evicted_total", "counter",
      "Sites that were dropped from the zone for room.",
      NULL, { NULL } },

    { "sites", "gauge",
      "Sites with a template.",
      NULL, { NULL } },

    { "zone_size_bytes", "gauge",
      "Bytes of the zone.",
      NULL, { NULL } },

    { "zone_free_bytes", "gauge",
      "Bytes of the zone that are free.",
      NULL, { NULL } },

    { NULL, NULL, NULL, NULL, { NULL } }
};


char *
ngx_http_dt_set_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    u_char                           *p;
    ngx_str_t                        *value;
    ngx_uint_t                        i;
    ngx_http_core_loc_conf_t         *clcf;
    ngx_http_dt_main_conf_t          *dmcf;

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

    dmcf = ngx_http_conf_get_module_main_conf(cf,
                                            ngx_http_detemplate_filter_module);
    dmcf->used = 1;

    return NGX_CONF_OK;

invalid:

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"detemplate_status\", "
                       "it must be preview=argument or public", &value[i]);

    return NGX_CONF_ERROR;
}


/* where the status is, for those who look at pages of its server */

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


ngx_int_t
ngx_http_dt_status_handler(ngx_http_request_t *r)
{
    ngx_int_t                 rc;
    ngx_buf_t                *b;
    ngx_uint_t                format;
    ngx_http_dt_stats_t       stats;
    ngx_http_dt_loc_conf_t   *dlcf;
    ngx_http_dt_main_conf_t  *dmcf;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (!dlcf->public
        && !ngx_http_dt_status_local(r->connection->sockaddr))
    {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "detemplate: \"detemplate_status\" without \"public\" "
                      "is for this machine only");

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

    b = ngx_http_dt_status_body(r->pool, &stats, format, &dlcf->preview);
    if (b == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_dt_status_send(r, b, format);
}


static ngx_buf_t *
ngx_http_dt_status_body(ngx_pool_t *pool, ngx_http_dt_stats_t *stats,
    ngx_uint_t format, ngx_str_t *preview)
{
    size_t       len;
    ngx_buf_t   *b;
    ngx_uint_t   i;

    len = NGX_HTTP_DT_HEAD_SIZE;

    if (format == NGX_HTTP_DT_FORMAT_HTML) {
        len = ngx_http_dt_html_size(stats, preview);

    } else if (format == NGX_HTTP_DT_FORMAT_JSON) {

        /* a byte of a name may become \u00XX */

        for (i = 0; i < stats->nsites; i++) {
            len += NGX_HTTP_DT_SITE_SIZE
                   + 6 * stats->sites[i].name.len;
        }
    }

    b = ngx_create_temp_buf(pool, len);
    if (b == NULL) {
        return NULL;
    }

    switch (format) {

    case NGX_HTTP_DT_FORMAT_HTML:
        b->last = ngx_http_dt_html(b->last, b->end, stats, preview);
        break;

    case NGX_HTTP_DT_FORMAT_TEXT:
        b->last = ngx_http_dt_status_text(b->last, b->end, stats);
        break;

    default:
        b->last = ngx_http_dt_status_json(b->last, b->end, stats);
    }

    return b;
}


static ngx_int_t
ngx_http_dt_status_send(ngx_http_request_t *r, ngx_buf_t *b, ngx_uint_t format)
{
    ngx_int_t    rc;
    ngx_chain_t  out;

    r->headers_out.content_type = ngx_http_dt_content_types[format];
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = b->last - b->pos;

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

    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


/* whether the client is this machine: a loopback address or a unix socket */

static ngx_uint_t
ngx_http_dt_status_local(struct sockaddr *sockaddr)
{
    u_char               *addr;
    struct sockaddr_in   *sin;
#if (NGX_HAVE_INET6)
    struct sockaddr_in6  *sin6;
#endif

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


/* where the mode is not off, the status is no page of the site all the same */

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


/* the argument decides, and may name none that there is; then Accept */

static ngx_uint_t
ngx_http_dt_status_format(ngx_http_request_t *r)
{
    ngx_str_t         value;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    static ngx_str_t  accept[] = {
        ngx_string("accept"),
        ngx_null_string
    };

    if (ngx_http_arg(r, (u_char *) "format", 6, &value) == NGX_OK) {

        for (i = 0; i < NGX_HTTP_DT_FORMATS; i++) {
            if (value.len == ngx_http_dt_formats[i].len
                && ngx_strncmp(value.data, ngx_http_dt_formats[i].data,
                               value.len) == 0)
            {
                break;
            }
        }

        return i;
    }

    i = 0;
    part = &r->headers_in.headers.part;
    h = ngx_http_dt_find_field(&part, &i, accept);

    return h ? ngx_http_dt_status_liked(&h->value)
             : NGX_HTTP_DT_FORMAT_JSON;
}


/* of those liked best the first */

static ngx_uint_t
ngx_http_dt_status_liked(ngx_str_t *accept)
{
    ngx_uint_t  i, q, best, format;

    format = NGX_HTTP_DT_FORMAT_JSON;
    best = 0;

    for (i = 0; i < NGX_HTTP_DT_FORMATS; i++) {
        q = ngx_http_dt_status_quality(accept, ngx_http_dt_accepted[i]);

        if (i == NGX_HTTP_DT_FORMAT_TEXT) {
            q = ngx_max(q, ngx_http_dt_status_quality(accept,
                                                      "openmetrics"));
        }

        if (q > best) {
            best = q;
            format = i;
        }
    }

    return format;
}


/* how much a type is liked, in thousandths; 0: it is not there */

static ngx_uint_t
ngx_http_dt_status_quality(ngx_str_t *accept, char *type)
{
    u_char     *p, *last, *comma;
    ngx_int_t   q;

    last = accept->data + accept->len;

    p = ngx_strlcasestrn(accept->data, last, (u_char *) type,
                         ngx_strlen(type) - 1);
    if (p == NULL) {
        return 0;
    }

    comma = ngx_strlchr(p, last, ',');
    last = comma ? comma : last;

    p = ngx_strlcasestrn(p, last, (u_char *) "q=", 2 - 1);
    if (p == NULL) {
        return 1000;
    }

    p += 2;
    last = ngx_min(last, p + sizeof("0.000") - 1);

    while (last > p && (last[-1] < '0' || last[-1] > '9')) {
        last--;
    }

    q = ngx_atofp(p, last - p, 3);

    return (q == NGX_ERROR) ? 0 : q;
}


static u_char *
ngx_http_dt_status_json(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t               i, n;
    ngx_http_dt_counters_t  *c;

    c = &stats->counters;

    p = ngx_slprintf(p, last,
                     "{\"learning\":{\"queued\":%uL,\"running\":%uL,"
                     "\"done\":%uL,\"failed\":%uL},\"requests\":{",
                     c->queued, c->running, c->done, c->failed);

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_slprintf(p, last, "%s\"", i ? "," : "");
        p = ngx_http_dt_status_lower(p, last, &ngx_http_dt_statuses[i]);
        p = ngx_slprintf(p, last, "\":%ui", stats->requests[i]);
    }

    p = ngx_slprintf(p, last, "},\"reasons\":{");

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        if (i == NGX_HTTP_DT_R_LEARNER) {

            /* nobody counts these */

            continue;
        }

        p = ngx_slprintf(p, last, "%s\"%V\":%ui",
                         i > NGX_HTTP_DT_R_NONE + 1 ? "," : "",
                         &ngx_http_dt_reasons[i], stats->reasons[i]);
    }

    p = ngx_slprintf(p, last,
                     "},\"bytes\":{\"in\":%uA,\"removed\":%uA},"
                     "\"zone\":{\"size\":%uz,\"free\":%uz,\"sites\":%uL,"
                     "\"evicted\":%uL},"
                     "\"redis\":{\"taken\":%uL,\"failed\":%uL},"
                     "\"snapshots\":{\"taken\":%uL,\"refused\":%uL},"
                     "\"sites\":[",
                     c->in, c->removed, stats->size, stats->free, c->sites,
                     c->evicted, c->redis_taken, c->redis_failed,
                     c->snapshots_taken, c->snapshots_refused);

    n = 0;

    for (i = 0; i < stats->nsites; i++) {

        if (stats->sites[i].info.version) {
            p = ngx_slprintf(p, last, "%s", n++ ? "," : "");
            p = ngx_http_dt_status_site(p, last, &stats->sites[i]);
        }
    }

    p = ngx_slprintf(p, last, "],\"without\":[");
    n = 0;

    for (i = 0; i < stats->nsites; i++) {

        if (stats->sites[i].info.version == 0) {
            p = ngx_slprintf(p, last, "%s", n++ ? "," : "");
            p = ngx_http_dt_status_without(p, last, &stats->sites[i]);
        }
    }

    return ngx_slprintf(p, last, "]}\n");
}


/* a site without a template: what is done about it, or when that will be */

static u_char *
ngx_http_dt_status_without(u_char *p, u_char *last, ngx_http_dt_row_t *row)
{
    ngx_str_t  reason;

    reason.data = row->reason;
    reason.len = ngx_strnlen(row->reason, sizeof(row->reason));

    p = ngx_slprintf(p, last, "{\"site\":\"");
    p = ngx_http_dt_status_escape(p, &row->name);
    p = ngx_slprintf(p, last, "\",\"state\":\"%V\",\"reason\":\"",
                     &ngx_http_dt_states[row->state]);
    p = ngx_http_dt_status_escape(p, &reason);

    return ngx_slprintf(p, last, "\",\"next_in\":%M}",
                        (row->wait + 999) / 1000);
}


static u_char *
ngx_http_dt_status_site(u_char *p, u_char *last, ngx_http_dt_row_t *row)
{
    p = ngx_slprintf(p, last, "{\"site\":\"");
    p = ngx_http_dt_status_escape(p, &row->name);

    return ngx_slprintf(p, last,
                        "\",\"version\":%uD,\"source\":\"%V\","
                        "\"patterns\":%uD,\"guarded\":%uD,"
                        "\"bytes\":%uz,\"evidence\":%uz,\"loads\":%uD,"
                        "\"candidates\":%uD,\"coverage\":%uD.%03uD,"
                        "\"learned_at\":%L}", row->info.version,
                        &ngx_http_dt_sources[row->source], row->info.patterns,
                        row->info.guarded, row->size,
                        row->info.size - row->size, row->info.loads,
                        row->info.candidates, row->info.coverage / 1000,
                        row->info.coverage % 1000, row->info.learned_at);
}


/* names are ASCII, but for those in files that somebody else has written */

static u_char *
ngx_http_dt_status_escape(u_char *p, ngx_str_t *name)
{
    u_char  *s, *end;

    end = name->data + name->len;

    for (s = name->data; s < end; s++) {

        if (*s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\') {
            *p++ = *s;

        } else {
            p = ngx_sprintf(p, "\\u%04xD", (uint32_t) *s);
        }
    }

    return p;
}


/* no site is a label: their number has no bound */

static u_char *
ngx_http_dt_status_text(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    uint64_t                 values[NGX_HTTP_DT_METRICS], *v;
    ngx_uint_t               i;
    ngx_http_dt_family_t    *f;
    ngx_http_dt_counters_t  *c;

    f = ngx_http_dt_families;

    p = ngx_http_dt_status_family(p, last, f, NULL);

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"", f->name,
                         f->label);
        p = ngx_http_dt_status_lower(p, last, &ngx_http_dt_statuses[i]);
        p = ngx_slprintf(p, last, "\"} %ui\n", stats->requests[i]);
    }

    p = ngx_http_dt_status_family(p, last, ++f, NULL);

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        if (i == NGX_HTTP_DT_R_LEARNER) {
            continue;
        }

        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"%V\"} %ui\n",
                         f->name, f->label, &ngx_http_dt_reasons[i],
                         stats->reasons[i]);
    }

    c = &stats->counters;
    v = values;

    *v++ = c->in;
    *v++ = c->removed;
    *v++ = c->queued;
    *v++ = c->running;
    *v++ = c->done;
    *v++ = c->failed;
    *v++ = c->redis_taken;
    *v++ = c->redis_failed;
    *v++ = c->snapshots_taken;
    *v++ = c->snapshots_refused;
    *v++ = c->evicted;
    *v++ = c->sites;
    *v++ = stats->size;
    *v++ = stats->free;

    for (f++, v = values; f->name; f++) {
        p = ngx_http_dt_status_family(p, last, f, &v);
    }

    return p;
}


/* what the metrics are, and those of them that are known, from *value on */

static u_char *
ngx_http_dt_status_family(u_char *p, u_char *last, ngx_http_dt_family_t *f,
    uint64_t **value)
{
    ngx_uint_t  i;

    p = ngx_slprintf(p, last,
                     "# HELP nginx_detemplate_%s %s\n"
                     "# TYPE nginx_detemplate_%s %s\n",
                     f->name, f->help, f->name, f->type);

    if (f->label == NULL) {
        return ngx_slprintf(p, last, "nginx_detemplate_%s %uL\n", f->name,
                            *(*value)++);
    }

    for (i = 0; i < NGX_HTTP_DT_LABELS && f->values[i]; i++) {
        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"%s\"} %uL\n",
                         f->name, f->label, f->values[i], *(*value)++);
    }

    return p;
}


static u_char *
ngx_http_dt_status_lower(u_char *p, u_char *last, ngx_str_t *name)
{
    size_t  len;

    len = ngx_min(name->len, (size_t) (last - p));
    ngx_strlow(p, name->data, len);

    return p + len;
}
