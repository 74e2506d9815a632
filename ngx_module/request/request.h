
/*
 * Copyright (C) The detemplate authors
 *
 * Decisions about a request and its response, file by file.
 */


#ifndef _NGX_HTTP_DT_REQUEST_H_INCLUDED_
#define _NGX_HTTP_DT_REQUEST_H_INCLUDED_


#include "ngx_module/detemplate.h"
#include "ngx_module/zone/zone.h"


/*
 * The request's context, also after an internal redirect: a shared one until
 * something is known beyond that the request is not the learner's.  NULL when
 * the module is not used, or without memory.
 */
ngx_http_dt_ctx_t *ngx_http_dt_get_ctx(ngx_http_request_t *r);

/* a context of the request's own in place of a shared one, or NULL */
ngx_http_dt_ctx_t *ngx_http_dt_create_ctx(ngx_http_request_t *r);


/* decisions before there is a response */

/* runs after the access phase; handles conditions and Range */
ngx_int_t ngx_http_dt_before_content(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/*
 * The context, with all decisions that the request and its present location
 * allow; NULL when the module has nothing to do here.
 */
ngx_http_dt_ctx_t *ngx_http_dt_prepare(ngx_http_request_t *r);

/* whether the extension of the request's path allows a page */
ngx_uint_t ngx_http_dt_page(ngx_http_request_t *r);

/* sets ctx->host and ctx->path, once; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_url(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Sets ctx->site.  NGX_DECLINED: the request rules rewriting out, or has no
 * site; status and reason say so.
 */
ngx_int_t ngx_http_dt_find_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/* the site that the request belongs to; not NGX_OK: none */
ngx_int_t ngx_http_dt_site(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_str_t *site);

/* sets status, reason, ctx->tmpl if there is one, and whether a job is due */
void ngx_http_dt_lookup(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Shows the page to the zone, says whether it showed little of the template,
 * and sets status and reason by the result.  The page is stored if it is there
 * (ctx->source), and of use to learn from.
 */
void ngx_http_dt_visit(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t low);

/* the name by which nginx chose the server of a request */

typedef enum {
    NGX_HTTP_DT_HOST_OTHER = 0,  /* the server has no such name */
    NGX_HTTP_DT_HOST_ANY,        /* but "_", which is for any */
    NGX_HTTP_DT_HOST_MATCHED,    /* by a wildcard or an expression */
    NGX_HTTP_DT_HOST_NAMED       /* the server has it, as it is */
} ngx_http_dt_host_e;


void *ngx_http_dt_create_srv_conf(ngx_conf_t *cf);
char *ngx_http_dt_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child);

/* copies the names of all servers, which nginx frees after its start */
ngx_int_t ngx_http_dt_host_init(ngx_conf_t *cf);

/*
 * Returns how the request's name, headers_in.server, matches its server's
 * names.  *own is the server's first exact name if the result is NAMED,
 * otherwise the request's name.
 */
ngx_uint_t ngx_http_dt_host(ngx_http_request_t *r, ngx_str_t *own);

/* whether a text can be the name of a site */
ngx_uint_t ngx_http_dt_host_site(ngx_str_t *site);

/* whether the field Host, if there is one, has another name than that */
ngx_uint_t ngx_http_dt_host_differs(ngx_http_request_t *r);

/*
 * Whether a name in lower case stays the same when a URL with it is parsed.
 * An address can be written in many ways, and parsers write it in one, which
 * may be the name of another server.
 */
ngx_uint_t ngx_http_dt_host_plain(ngx_str_t *name);

/* whether the field Host has the port that the request came in on, and that is
   not the default port */
ngx_uint_t ngx_http_dt_host_port(ngx_http_request_t *r, ngx_str_t *port);

/* whether a URL can have the name as its host */
ngx_uint_t ngx_http_dt_host_of_url(ngx_str_t *host);

/* detemplate_url */
char *ngx_http_dt_set_url(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Scheme, host and port of the page's URL, by detemplate_url, else as nginx
 * writes them into its redirects, which ignores the port that the client
 * names.  Empty: the host is not known.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_host_base(ngx_http_request_t *r, ngx_str_t *base);


/*
 * Fields of the request: the learner's marker, Range, conditions, and the
 * entity tags that these compare.
 */

/* whether the request has Range or a condition */
#define ngx_http_dt_conditional(r)                                            \
    ((r)->headers_in.range                                                    \
     || (r)->headers_in.if_range                                              \
     || (r)->headers_in.if_match                                              \
     || (r)->headers_in.if_none_match                                         \
     || (r)->headers_in.if_modified_since                                     \
     || (r)->headers_in.if_unmodified_since)


/* whether the request has credentials */
#if (nginx_version >= 1023000)
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookie)
#else
#define ngx_http_dt_credentials(r)                                            \
    ((r)->headers_in.authorization || (r)->headers_in.cookies.nelts)
#endif


/*
 * NGX_OK: the learner's field has the key of the zone; the client is the text
 * behind it.  The field is removed in any case, since the upstream must not
 * see it.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_take_marker(ngx_http_request_t *r, ngx_str_t *client);

/*
 * Takes Range and the conditions out of a request whose response will be
 * rewritten; ctx->none_match keeps the entity tags that the client has.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_take_conditions(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/* the job to learn from a request's page, or the reason why there is none */

/*
 * Fills job with the request's page as a key page.  NULL: it cannot be one;
 * ctx->unlearned is the reason, and ctx->detail the part of the request or
 * response that decided.
 */
ngx_http_dt_job_t *ngx_http_dt_keypage(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx, ngx_http_dt_job_t *job);


/* the seconds after which a site is learned anew */
time_t ngx_http_dt_keypage_refresh(ngx_http_dt_loc_conf_t *dlcf);

/* logs ctx->unlearned, once an hour for each site and reason */
void ngx_http_dt_keypage_refused(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/* decisions when the response is there */

/*
 * The reason why the response passes unchanged under any configuration of its
 * request, or R_NONE.  Most responses are no pages, so this needs no context.
 */
ngx_uint_t ngx_http_dt_pass_reason(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/* whether the response may be, or stand for, one of several forms of a page */
ngx_uint_t ngx_http_dt_is_page(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);

/*
 * Sets status and reason, the latter to the one given if that is not R_NONE,
 * and the field; gets the response ready if it is to be rewritten.  NGX_ERROR:
 * no memory.
 */
ngx_int_t ngx_http_dt_response(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason);

/*
 * Sets the fields of a response that is rewritten: for HEAD by the facts known
 * without a body, else by ctx->out.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_rewritten(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx);

/*
 * Decides about a response: sets status, reason and ctx->tmpl by all that the
 * request and the response say, unless a reason is given.  NGX_OK: it is a
 * page that could be rewritten.  Queues nothing, so that variables may ask as
 * soon as there is a response.
 */
ngx_int_t ngx_http_dt_decide(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx,
    ngx_uint_t reason);

/*
 * Has the bytes of the template of ctx->tmpl, or of the one that has replaced
 * it, and all else that a page with a template needs.  NGX_DECLINED: the site
 * has none any more, and the page passes.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_response_template(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);

/* sets ctx->field by status and reason; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_field(ngx_pool_t *pool, ngx_http_dt_ctx_t *ctx);


/* the result of a request, for the log, counters and variables */

/* the log phase: counts the page, and offers it for learning if that is due */
ngx_int_t ngx_http_dt_log_handler(ngx_http_request_t *r);

/*
 * Replaces the origin's entity tag by a hash of the output, and makes the
 * response a 304 if the client has that tag; a response to HEAD gets none.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_validators(ngx_http_request_t *r,
    ngx_http_dt_ctx_t *ctx);


/*
 * The request fields on which the form of a page depends: those of
 * detemplate_vary, and Accept.
 */

/* cmd->offset is the offset of a pointer to an array in conf */
char *ngx_http_dt_set_vary(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Makes such an array of the fields whose variables, as $http_name, a value of
 * the configuration has; NULL: none.
 */
char *ngx_http_dt_vary_variables(ngx_conf_t *cf, ngx_array_t **vary,
    ngx_str_t *value);

/* adds the fields that Vary does not name yet; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_vary(ngx_http_request_t *r, ngx_array_t *vary);

/* the same with one field, whose name is also given in lower case */
ngx_int_t ngx_http_dt_vary_by(ngx_http_request_t *r, char *name, char *lower);


/* detemplate_accept: clients choose a form of the page by their Accept */

/* sets conf->accept */
char *ngx_http_dt_set_accept(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Changes the merged conf->mode: from NULL to "off" if clients may choose a
 * form, and to NULL if it can only be off.  NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_merge_accept(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* the mode that the request asks for; MODE_OFF: the one of the location */
ngx_uint_t ngx_http_dt_accept(ngx_http_request_t *r,
    ngx_http_dt_loc_conf_t *dlcf);


/* a page's URL with a suffix, which has the Markdown of the page */

/* detemplate_suffix */
char *ngx_http_dt_set_suffix(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* lets the server know the suffix of a location; NGX_ERROR: no memory */
ngx_int_t ngx_http_dt_merge_suffix(ngx_conf_t *cf,
    ngx_http_dt_loc_conf_t *conf);

/* handlers that take the suffix off, and put it back if the location that is
   then chosen does not want that */
ngx_int_t ngx_http_dt_twin_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_dt_twin_location(ngx_http_request_t *r);


/* the cut parts of a page, as Markdown, instead of the page */

/*
 * Answers a GET of the control location with do=template: the answer is the
 * cut parts of the page that the argument url names.  NGX_DONE: the request
 * goes on as one for that page; NGX_DECLINED: the arguments ask for something
 * else; else a status.
 */
ngx_int_t ngx_http_dt_only(ngx_http_request_t *r, ngx_uint_t allowed);


/*
 * The address of a learner's requests.  A learner connects from this machine,
 * and links of an author must not lead it where only this machine may go.  So
 * its requests get the address of a stranger, as the realip module would set
 * it.
 */

/* sets detemplate_learner_address */
char *ngx_http_dt_set_learner_address(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * Gives a request of the learner its address.  This handler runs last in the
 * phase in which realip sets addresses, and first in the access phase, since a
 * location may have realip of its own.
 */
ngx_int_t ngx_http_dt_stranger_handler(ngx_http_request_t *r);


/* the filters of header and body */

/* puts both filters in front of those that are there */
void ngx_http_dt_filter_init(void);

/* moves the module back to its position, when others were loaded later */
void ngx_http_dt_filter_position(ngx_cycle_t *cycle);


#endif /* _NGX_HTTP_DT_REQUEST_H_INCLUDED_ */
