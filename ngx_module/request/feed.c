
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/body.h"
#include "ngx_module/changes/changes.h"
#include "ngx_module/request/request.h"


#define NGX_HTTP_DT_FEED_ITEM  192    /* bytes of an item without its URLs */
#define NGX_HTTP_DT_FEED_HEAD  512    /* and of what is around them */
#define NGX_HTTP_DT_FEED_URLS  3      /* at most that many in an item */


/*
 * The texts of a format, around the pages and for each.  $u is the URL, of the
 * feed or of the page, $t when it changed, and $c whether these are all pages.
 */

typedef struct {
    ngx_str_t                      name;
    ngx_str_t                      exten;
    ngx_str_t                      type;
    char                          *head;
    char                          *item;
    char                          *tail;
} ngx_http_dt_feed_t;


static ngx_int_t ngx_http_dt_feed_handler(ngx_http_request_t *r);
static ngx_http_dt_feed_t *ngx_http_dt_feed_format(ngx_http_request_t *r);
static ngx_int_t ngx_http_dt_feed_since(ngx_http_request_t *r, time_t *since);
static ngx_array_t *ngx_http_dt_feed_list(ngx_http_request_t *r, time_t since,
    ngx_uint_t *whole);
static ngx_buf_t *ngx_http_dt_feed_make(ngx_http_request_t *r,
    ngx_http_dt_feed_t *f, ngx_array_t *list, ngx_uint_t whole);
static u_char *ngx_http_dt_feed_write(u_char *p, char *format, ngx_str_t *url,
    time_t t, ngx_uint_t whole);
static ngx_int_t ngx_http_dt_feed_url(ngx_http_request_t *r, ngx_str_t *base,
    ngx_str_t *path, ngx_uint_t xml, ngx_str_t *url);


static ngx_http_dt_feed_t  ngx_http_dt_feeds[] = {

    { ngx_string("json"), ngx_string("json"), ngx_string("application/json"),
      "{\"complete\":$c,\"pages\":[",
      "\n{\"url\":\"$u\",\"modified\":\"$t\"}",
      "\n]}\n" },

    { ngx_string("atom"), ngx_string("atom"),
      ngx_string("application/atom+xml"),
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><!-- complete: $c -->\n"
      "<id>$u</id><title>$u</title><link rel=\"self\" href=\"$u\"/>"
      "<author><name>$u</name></author><updated>$t</updated>\n",
      "<entry><id>$u</id><title>$u</title><link href=\"$u\"/>"
      "<updated>$t</updated></entry>\n",
      "</feed>\n" },

    { ngx_string("sitemap"), ngx_string("xml"), ngx_string("application/xml"),
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
      "<!-- complete: $c -->\n",
      "<url><loc>$u</loc><lastmod>$t</lastmod></url>\n",
      "</urlset>\n" }
};


#define NGX_HTTP_DT_FEEDS  (sizeof(ngx_http_dt_feeds)                         \
                            / sizeof(ngx_http_dt_feeds[0]))


char *
ngx_http_dt_set_feed(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_http_dt_feed_handler;

    ngx_http_dt_use(cf);

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_dt_feed_handler(ngx_http_request_t *r)
{
    time_t               since;
    ngx_int_t            rc;
    ngx_buf_t           *b;
    ngx_uint_t           whole;
    ngx_array_t         *list;
    ngx_chain_t          out;
    ngx_http_dt_feed_t  *f;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    f = ngx_http_dt_feed_format(r);

    if (f == NULL || ngx_http_dt_feed_since(r, &since) != NGX_OK) {
        return NGX_HTTP_BAD_REQUEST;
    }

    list = ngx_http_dt_feed_list(r, since, &whole);

    if (list == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    b = ngx_http_dt_feed_make(r, f, list, whole);

    if (b == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = b->last - b->pos;
    r->headers_out.content_type = f->type;
    r->headers_out.content_type_len = f->type.len;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    b->last_buf = 1;
    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


/* by the argument, else by the end of the location's name */

static ngx_http_dt_feed_t *
ngx_http_dt_feed_format(ngx_http_request_t *r)
{
    ngx_str_t   name, *word;
    ngx_uint_t  i, given;

    given = (ngx_http_arg(r, (u_char *) "format", 6, &name) == NGX_OK);

    if (!given) {
        name = r->exten;
    }

    for (i = 0; i < NGX_HTTP_DT_FEEDS; i++) {
        word = given ? &ngx_http_dt_feeds[i].name
                     : &ngx_http_dt_feeds[i].exten;

        if (ngx_http_dt_equal(&name, word)) {
            return &ngx_http_dt_feeds[i];
        }
    }

    return given ? NULL : &ngx_http_dt_feeds[0];
}


/* seconds of Unix, or a time as in the feed, maybe only its day */

static ngx_int_t
ngx_http_dt_feed_since(ngx_http_request_t *r, time_t *since)
{
    char       *end, text[sizeof("2026-11-26T06:26:14Z")];
    ngx_str_t   value;
    struct tm   tm;

    *since = 0;

    if (ngx_http_arg(r, (u_char *) "since", 5, &value) != NGX_OK) {
        return NGX_OK;
    }

    *since = ngx_atotm(value.data, value.len);

    if (*since != NGX_ERROR) {
        return NGX_OK;
    }

    if (value.len >= sizeof(text)) {
        return NGX_ERROR;
    }

    ngx_cpystrn((u_char *) text, value.data, value.len + 1);
    ngx_memzero(&tm, sizeof(struct tm));

    end = strptime(text, "%Y-%m-%d", &tm);

    if (end && *end == 'T') {
        end = strptime(end, "T%H:%M:%SZ", &tm);
    }

    if (end == NULL || *end != '\0') {
        return NGX_ERROR;
    }

    *since = timegm(&tm);

    return (*since < 0) ? NGX_ERROR : NGX_OK;
}


/* NULL: there is no list of such a site */

static ngx_array_t *
ngx_http_dt_feed_list(ngx_http_request_t *r, time_t since, ngx_uint_t *whole)
{
    ngx_str_t                 site;
    ngx_http_dt_ctx_t        *ctx;
    ngx_http_dt_main_conf_t  *dmcf;

    dmcf = ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module);
    ctx = ngx_http_dt_get_ctx(r);

    if (ctx && ctx->shared) {
        ctx = ngx_http_dt_create_ctx(r);
    }

    if (ctx == NULL
        || dmcf->changes == NULL
        || ngx_http_dt_site(r, ctx, &site) != NGX_OK)
    {
        return NULL;
    }

    return ngx_http_dt_changes_list(dmcf->changes, r->pool,
                                    ngx_http_dt_modified_site(&site), since,
                                    whole);
}


static ngx_buf_t *
ngx_http_dt_feed_make(ngx_http_request_t *r, ngx_http_dt_feed_t *f,
    ngx_array_t *list, ngx_uint_t whole)
{
    size_t                  len;
    time_t                  latest;
    u_char                 *p;
    ngx_buf_t              *b;
    ngx_str_t               base, self;
    ngx_uint_t              i, xml;
    ngx_http_dt_changed_t  *page;

    xml = (f != &ngx_http_dt_feeds[0]);
    page = list->elts;
    latest = 0;

    if (ngx_http_dt_host_base(r, &base) != NGX_OK
        || ngx_http_dt_feed_url(r, &base, &r->uri, xml, &self) != NGX_OK)
    {
        return NULL;
    }

    len = 2 * NGX_HTTP_DT_FEED_HEAD + 4 * self.len;

    for (i = 0; i < list->nelts; i++) {

        if (ngx_http_dt_feed_url(r, &base, &page[i].url, xml, &page[i].url)
            != NGX_OK)
        {
            return NULL;
        }

        len += NGX_HTTP_DT_FEED_ITEM
               + NGX_HTTP_DT_FEED_URLS * page[i].url.len;
        latest = ngx_max(latest, page[i].modified);
    }

    b = ngx_create_temp_buf(r->pool, len);
    if (b == NULL) {
        return NULL;
    }

    p = ngx_http_dt_feed_write(b->last, f->head, &self, latest, whole);

    for (i = 0; i < list->nelts; i++) {

        if (i && !xml) {
            *p++ = ',';
        }

        p = ngx_http_dt_feed_write(p, f->item, &page[i].url, page[i].modified,
                                   whole);
    }

    b->last = ngx_http_dt_feed_write(p, f->tail, &self, latest, whole);

    return b;
}


static u_char *
ngx_http_dt_feed_write(u_char *p, char *format, ngx_str_t *url, time_t t,
    ngx_uint_t whole)
{
    ngx_tm_t  tm;

    for ( /* void */ ; *format; format++) {

        if (*format != '$') {
            *p++ = *format;
            continue;
        }

        switch (*++format) {

        case 'u':
            p = ngx_cpymem(p, url->data, url->len);
            break;

        case 't':
            ngx_gmtime(t, &tm);
            p = ngx_sprintf(p, "%4d-%02d-%02dT%02d:%02d:%02dZ",
                            tm.ngx_tm_year, tm.ngx_tm_mon, tm.ngx_tm_mday,
                            tm.ngx_tm_hour, tm.ngx_tm_min, tm.ngx_tm_sec);
            break;

        default: /* 'c' */
            p = ngx_sprintf(p, whole ? "true" : "false");
        }
    }

    return p;
}


/* an encoded URL has nothing that a string of JSON must escape */

static ngx_int_t
ngx_http_dt_feed_url(ngx_http_request_t *r, ngx_str_t *base, ngx_str_t *path,
    ngx_uint_t xml, ngx_str_t *url)
{
    u_char     *p;
    ngx_str_t   plain;

    plain.data = ngx_pnalloc(r->pool, base->len + 3 * path->len);
    if (plain.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_cpymem(plain.data, base->data, base->len);
    p = ngx_http_dt_convert_encode(p, path);
    plain.len = p - plain.data;

    *url = plain;

    if (!xml) {
        return NGX_OK;
    }

    url->data = ngx_pnalloc(r->pool, plain.len
                                     + ngx_escape_html(NULL, plain.data,
                                                       plain.len));
    if (url->data == NULL) {
        return NGX_ERROR;
    }

    p = (u_char *) ngx_escape_html(url->data, plain.data, plain.len);
    url->len = p - url->data;

    return NGX_OK;
}
