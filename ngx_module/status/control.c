
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/control.h"
#include "ngx_module/fields.h"
#include "ngx_module/status/status.h"
#include "ngx_module/zone/control.h"


/*
 * The command is handed to the manager, and the request looks for the answer
 * now and then.  Nothing else in a worker waits for it.
 *
 * A page of another site cannot command in a reader's name: a browser sends
 * the field only after it has asked, and a request with "Origin" is refused
 * even when its page is on a name that leads to this machine.
 */


#define NGX_HTTP_DT_CONTROL_POLL  20       /* ms between looks */


typedef struct {
    ngx_event_t                    event;
    ngx_http_request_t            *request;
    uint64_t                       id;         /* 0: nobody owes an answer */
    ngx_msec_t                     deadline;
    ngx_http_dt_zone_t            *zone;
    ngx_http_dt_control_t          control;
} ngx_http_dt_asked_t;


static ngx_int_t ngx_http_dt_control_handler(ngx_http_request_t *r);
static const char *ngx_http_dt_control_allowed(ngx_http_request_t *r,
    ngx_uint_t *status);
static const char *ngx_http_dt_control_args(ngx_http_request_t *r,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_control_poll(ngx_event_t *ev);
static void ngx_http_dt_control_cleanup(void *data);
static ngx_int_t ngx_http_dt_control_error(ngx_http_request_t *r,
    ngx_uint_t status, const char *why);
static ngx_int_t ngx_http_dt_control_send(ngx_http_request_t *r,
    ngx_http_dt_control_t *c);
static void ngx_http_dt_control_kept(ngx_http_dt_out_t *out,
    ngx_http_dt_kept_t *kept);


static ngx_uint_t  ngx_http_dt_control_statuses[] = {
    NGX_HTTP_OK,
    NGX_HTTP_OK,
    NGX_HTTP_OK,
    NGX_HTTP_NOT_FOUND,
    NGX_HTTP_NOT_FOUND,
    NGX_HTTP_INTERNAL_SERVER_ERROR
};


char *
ngx_http_dt_set_control(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_dt_loc_conf_t *dlcf = conf;

    ngx_str_t                 *value;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler == ngx_http_dt_control_handler) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "public") != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" of "
                           "\"detemplate_control\", it must be public",
                           &value[1]);
        return NGX_CONF_ERROR;
    }

    dlcf->control = 1;
    dlcf->public = (cf->args->nelts == 2);
    clcf->handler = ngx_http_dt_control_handler;

    ngx_http_dt_use(cf);

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_dt_control_handler(ngx_http_request_t *r)
{
    ngx_int_t             rc;
    ngx_uint_t            status;
    const char           *why;
    ngx_pool_cleanup_t   *cln;
    ngx_http_dt_asked_t  *asked;

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    why = ngx_http_dt_control_allowed(r, &status);

    if (why) {
        return ngx_http_dt_control_error(r, status, why);
    }

    cln = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_dt_asked_t));
    if (cln == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    asked = cln->data;
    ngx_memzero(asked, sizeof(ngx_http_dt_asked_t));

    why = ngx_http_dt_control_args(r, &asked->control);

    if (why) {
        return ngx_http_dt_control_error(r, NGX_HTTP_BAD_REQUEST, why);
    }

    asked->zone = ngx_http_dt_get_zone(r);
    asked->deadline = ngx_current_msec + NGX_HTTP_DT_PATIENCE;
    asked->id = ngx_http_dt_control_ask(asked->zone, &asked->control);

    cln->handler = ngx_http_dt_control_cleanup;

    if (asked->id == 0) {
        return ngx_http_dt_control_error(r, NGX_HTTP_SERVICE_UNAVAILABLE,
                                         "too many commands wait, or no "
                                         "manager process runs");
    }

    asked->request = r;
    asked->event.data = asked;
    asked->event.handler = ngx_http_dt_control_poll;
    asked->event.log = r->connection->log;
    ngx_add_timer(&asked->event, NGX_HTTP_DT_CONTROL_POLL);

    r->main->count++;

    return NGX_DONE;
}


/* returns why the client may not command, or NULL */

static const char *
ngx_http_dt_control_allowed(ngx_http_request_t *r, ngx_uint_t *status)
{
    ngx_http_dt_loc_conf_t  *dlcf;

    static ngx_str_t  post = ngx_string("POST");
    static ngx_str_t  field[] = ngx_http_dt_one("detemplate-control");
    static ngx_str_t  origin[] = ngx_http_dt_one("origin");

    if (r->method != NGX_HTTP_POST) {
        *status = NGX_HTTP_NOT_ALLOWED;

        return (ngx_http_dt_push_field(&r->headers_out.headers, "Allow", &post)
                == NGX_OK)
               ? "only POST is allowed" : "out of memory";
    }

    *status = NGX_HTTP_FORBIDDEN;

    dlcf = ngx_http_get_module_loc_conf(r, ngx_http_detemplate_filter_module);

    if (!dlcf->public && !ngx_http_dt_local(r)) {
        return "without \\\"public\\\" only clients on this machine may "
               "command";
    }

    if (ngx_http_dt_first_field(&r->headers_in.headers, field) == NULL) {
        return "the request field Detemplate-Control is missing";
    }

    return ngx_http_dt_first_field(&r->headers_in.headers, origin)
           ? "pages may not command" : NULL;
}


/* reads the arguments; returns a message about the first bad one, or NULL */

static const char *
ngx_http_dt_control_args(ngx_http_request_t *r, ngx_http_dt_control_t *c)
{
    u_char     *to, *from;
    ngx_int_t   n;
    ngx_str_t   value;

    if (ngx_http_arg(r, (u_char *) "do", 2, &value) != NGX_OK) {
        return "the argument do is missing";
    }

    c->what = ngx_http_dt_find_word(ngx_http_dt_dos, &value);

    if (c->what == NGX_HTTP_DT_DOS) {
        return "do must be show, relearn, forget, pin, unpin or restore";
    }

    if (ngx_http_arg(r, (u_char *) "site", 4, &value) != NGX_OK
        || value.len == 0)
    {
        return "the argument site is missing";
    }

    if (value.len > 3 * NGX_HTTP_DT_MAX_SITE) {
        return "the site's name is too long";
    }

    to = ngx_pnalloc(r->pool, value.len);
    if (to == NULL) {
        return "out of memory";
    }

    from = value.data;
    value.data = to;
    ngx_unescape_uri(&to, &from, value.len, 0);
    value.len = to - value.data;

    if (value.len == 0 || value.len > NGX_HTTP_DT_MAX_SITE) {
        return "the site's name is too long";
    }

    c->site.len = value.len;
    c->site.data = c->name;
    ngx_memcpy(c->name, value.data, value.len);

    c->n = 1;

    if (ngx_http_arg(r, (u_char *) "n", 1, &value) == NGX_OK) {
        n = ngx_atoi(value.data, value.len);

        if (n < 1 || n > NGX_HTTP_DT_EARLIER) {
            return "n must be 1, 2 or 3";
        }

        c->n = n;
    }

    return NULL;
}


static void
ngx_http_dt_control_poll(ngx_event_t *ev)
{
    ngx_int_t             rc;
    ngx_connection_t     *c;
    ngx_http_request_t   *r;
    ngx_http_dt_asked_t  *asked;

    asked = ev->data;
    r = asked->request;
    c = r->connection;

    ngx_http_set_log_request(c->log, r);

    rc = ngx_http_dt_control_answer(asked->zone, asked->id, &asked->control);

    if (rc == NGX_AGAIN
        && (ngx_msec_int_t) (asked->deadline - ngx_current_msec) > 0)
    {
        ngx_add_timer(ev, NGX_HTTP_DT_CONTROL_POLL);
        return;
    }

    if (rc == NGX_OK) {
        asked->id = 0;
        rc = ngx_http_dt_control_send(r, &asked->control);

    } else {
        rc = ngx_http_dt_control_error(r, NGX_HTTP_GATEWAY_TIME_OUT,
                                       "the manager process does not answer");
    }

    ngx_http_finalize_request(r, rc);
    ngx_http_run_posted_requests(c);
}


static void
ngx_http_dt_control_cleanup(void *data)
{
    ngx_http_dt_asked_t *asked = data;

    if (asked->event.timer_set) {
        ngx_del_timer(&asked->event);
    }

    if (asked->id) {
        (void) ngx_http_dt_control_answer(asked->zone, asked->id, NULL);
    }
}


static ngx_int_t
ngx_http_dt_control_error(ngx_http_request_t *r, ngx_uint_t status,
    const char *why)
{
    ngx_http_dt_out_t  out;

    ngx_http_dt_out_init(&out, r->pool);
    ngx_http_dt_put(&out, "{\"error\":\"%s\"}\n", why);

    return ngx_http_dt_send_json(r, &out, status);
}


static ngx_int_t
ngx_http_dt_control_send(ngx_http_request_t *r, ngx_http_dt_control_t *c)
{
    ngx_uint_t         i;
    ngx_http_dt_out_t  out;

    ngx_http_dt_out_init(&out, r->pool);

    ngx_http_dt_put(&out, "{\"do\":\"%V\",\"site\":",
                    &ngx_http_dt_dos[c->what]);
    ngx_http_dt_put_json(&out, &c->site);
    ngx_http_dt_put(&out, ",\"%s\":\"%V\"",
                    (c->did < NGX_HTTP_DT_DID_UNKNOWN) ? "result" : "error",
                    &ngx_http_dt_dids[c->did]);

    if (c->known) {
        ngx_http_dt_put(&out, ",\"pinned\":%s,\"job\":\"%V\","
                        "\"template\":",
                        c->pinned ? "true" : "false",
                        &ngx_http_dt_states[c->state]);
        ngx_http_dt_control_kept(&out, &c->now);
        ngx_http_dt_put(&out, ",\"earlier\":[");

        for (i = 0; i < NGX_HTTP_DT_EARLIER; i++) {
            ngx_http_dt_put_comma(&out);
            ngx_http_dt_control_kept(&out, &c->earlier[i]);
        }

        ngx_http_dt_put(&out, "]");
    }

    ngx_http_dt_put(&out, "}\n");

    return ngx_http_dt_send_json(r, &out,
                                 ngx_http_dt_control_statuses[c->did]);
}


static void
ngx_http_dt_control_kept(ngx_http_dt_out_t *out, ngx_http_dt_kept_t *kept)
{
    if (kept->version == 0) {
        ngx_http_dt_put(out, "null");
        return;
    }

    ngx_http_dt_put(out, "{\"version\":%uD,\"learned_at\":%L,"
                    "\"coverage\":%uD.%03uD}",
                    kept->version, kept->learned_at,
                    kept->coverage / 1000, kept->coverage % 1000);
}
