
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/body/marks.h"
#include "core/scan/hand.h"
#include "ngx_module/body/preview.h"
#include "ngx_module/fields.h"


/*
 * An attribute is inserted into the start tag of an element; comments are
 * inserted around an element or text.  The configuration may give only
 * attribute names with quoted values and whole comments, so that the inserted
 * bytes cannot become other markup.
 */

#define ngx_http_dt_mark(str)  { sizeof(str) - 1, str }


/* bytes of the field Detemplate-Regions, and of a region in it */

#define NGX_HTTP_DT_REGIONS  2048
#define NGX_HTTP_DT_REGION   (sizeof(", ( )") - 1 + 2 * NGX_INT64_LEN)


/* the value of the field, as far as it is known */

struct ngx_http_dt_regions_s {
    uint64_t                       start;       /* the last region; it is */
    uint64_t                       end;         /* not in the value yet */
    u_char                        *last;        /* the end of the value */
    u_char                         value[NGX_HTTP_DT_REGIONS];
};


typedef struct {
    ngx_str_t                      name;
    dt_wrap_t                      wrap;
} ngx_http_dt_dialect_t;


static ngx_uint_t ngx_http_dt_marks_custom(ngx_str_t *value, ngx_uint_t n,
    dt_wrap_t *wrap);
static ngx_uint_t ngx_http_dt_marks_is_attribute(u_char *p, u_char *last);
static ngx_uint_t ngx_http_dt_marks_is_comment(u_char *p, u_char *last);
static ngx_int_t ngx_http_dt_marks_add(ngx_pool_t *pool,
    ngx_http_dt_marks_t *marks, const dt_wrap_t *wrap);
static ngx_int_t ngx_http_dt_marks_join(ngx_pool_t *pool, dt_str_t *to,
    const dt_str_t *a, const dt_str_t *b);
static ngx_int_t ngx_http_dt_hand_add(ngx_conf_t *cf, dt_hand_t *hand,
    dt_hand_kind_t kind, char *name, ngx_array_t *selectors);
static ngx_uint_t ngx_http_dt_hand_same(ngx_array_t *selectors,
    ngx_array_t *prev);
static void ngx_http_dt_regions_write(ngx_http_dt_regions_t *regions);


static ngx_http_dt_dialect_t          ngx_http_dt_dialects[] = {

    { ngx_string("data-template"),
      { ngx_http_dt_mark(" data-template"),
        ngx_http_dt_mark("<!--template-->"),
        ngx_http_dt_mark("<!--/template-->"),
        ngx_http_dt_mark(" data-template=\"hand\"") } },

    { ngx_string("nosnippet"),
      { ngx_http_dt_mark(" data-nosnippet"), { 0 }, { 0 }, { 0 } } },

    { ngx_string("elastic"),
      { ngx_http_dt_mark(" data-elastic-exclude"), { 0 }, { 0 }, { 0 } } },

    { ngx_string("swiftype"),
      { ngx_http_dt_mark(" data-swiftype-index=\"false\""),
        { 0 }, { 0 }, { 0 } } },

    { ngx_string("pagefind"),
      { ngx_http_dt_mark(" data-pagefind-ignore"), { 0 }, { 0 }, { 0 } } },

    { ngx_string("googleoff"),
      { { 0 },
        ngx_http_dt_mark("<!--googleoff: index-->"),
        ngx_http_dt_mark("<!--googleon: index-->"), { 0 } } },

    { ngx_string("noindex"),
      { { 0 },
        ngx_http_dt_mark("<!--noindex-->"),
        ngx_http_dt_mark("<!--/noindex-->"), { 0 } } },

    { ngx_string("htdig"),
      { { 0 },
        ngx_http_dt_mark("<!--htdig_noindex-->"),
        ngx_http_dt_mark("<!--/htdig_noindex-->"), { 0 } } },

    { ngx_string("mnogosearch"),
      { { 0 },
        ngx_http_dt_mark("<!--UdmComment-->"),
        ngx_http_dt_mark("<!--/UdmComment-->"), { 0 } } },

    { ngx_null_string, { { 0 }, { 0 }, { 0 }, { 0 } } }
};


void
ngx_http_dt_marks_opts(ngx_http_dt_ctx_t *ctx, dt_rewrite_opts_t *opts)
{
    opts->mode = DT_STRIP;

    if (ctx->only.len) {
        opts->mode = DT_TEMPLATE;

    } else if (ctx->mode == NGX_HTTP_DT_MODE_PREVIEW) {
        opts->mode = DT_ANNOTATE;
        opts->wrap = &ngx_http_dt_preview_wrap;

    } else if (ctx->mode == NGX_HTTP_DT_MODE_ANNOTATE) {
        opts->mode = DT_ANNOTATE;

        if (ctx->conf->marks) {
            opts->wrap = &ctx->conf->marks->wrap;
            opts->before = ctx->conf->marks->before;
            opts->after = ctx->conf->marks->after;
        }
    }
}


char *
ngx_http_dt_set_marks(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char  *p = conf;

    dt_wrap_t                       wrap;
    ngx_str_t                      *value;
    ngx_uint_t                      i, n;
    ngx_http_dt_marks_t            *marks, **field;
    ngx_http_dt_dialect_t          *d;

    field = (ngx_http_dt_marks_t **) (p + cmd->offset);

    if (*field != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    marks = ngx_pcalloc(cf->pool, sizeof(ngx_http_dt_marks_t));
    if (marks == NULL) {
        return NGX_CONF_ERROR;
    }

    *field = marks;
    value = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i += n) {

        for (d = ngx_http_dt_dialects; d->name.len; d++) {
            if (ngx_strcmp(value[i].data, d->name.data) == 0) {
                break;
            }
        }

        wrap = d->wrap;
        n = 1;

        if (d->name.len == 0) {
            n = ngx_http_dt_marks_custom(&value[i], cf->args->nelts - i,
                                         &wrap);
            if (n == 0) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "invalid \"%V\" in \"detemplate_marks\", "
                                   "it must be a dialect, attribute=name, or "
                                   "begin=<!--...--> and end=<!--...-->",
                                   &value[i]);
                return NGX_CONF_ERROR;
            }
        }

        if (ngx_http_dt_marks_add(cf->pool, marks, &wrap) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
    }

    return NGX_CONF_OK;
}


/*
 * Reads "attribute=...", or "begin=..." followed by "end=...".  Returns the
 * number of arguments read, or 0 if these are neither.
 */

static ngx_uint_t
ngx_http_dt_marks_custom(ngx_str_t *value, ngx_uint_t n, dt_wrap_t *wrap)
{
    u_char  *p, *q;

    p = value[0].data;

    if (ngx_strncmp(p, "attribute=", 10) == 0) {

        if (!ngx_http_dt_marks_is_attribute(p + 10, p + value[0].len)) {
            return 0;
        }

        /* with a space before it */

        p[9] = ' ';

        wrap->attribute.data = (char *) p + 9;
        wrap->attribute.len = value[0].len - 9;

        return 1;
    }

    if (n < 2) {
        return 0;
    }

    q = value[1].data;

    if (ngx_strncmp(p, "begin=", 6) != 0
        || ngx_strncmp(q, "end=", 4) != 0
        || !ngx_http_dt_marks_is_comment(p + 6, p + value[0].len)
        || !ngx_http_dt_marks_is_comment(q + 4, q + value[1].len))
    {
        return 0;
    }

    wrap->begin.data = (char *) p + 6;
    wrap->begin.len = value[0].len - 6;

    wrap->end.data = (char *) q + 4;
    wrap->end.len = value[1].len - 4;

    return 2;
}


/* name, or name="words" */

static ngx_uint_t
ngx_http_dt_marks_is_attribute(u_char *p, u_char *last)
{
    u_char  *first;

    for (first = p; p < last && *p != '='; p++) {

        if (!(((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')
              || (p > first
                  && ((*p >= '0' && *p <= '9') || ngx_strchr("-_.:", *p)))))
        {
            return 0;
        }
    }

    if (p == first || p == last) {
        return p > first;
    }

    if (last - p < 3 || p[1] != '"' || last[-1] != '"') {
        return 0;
    }

    for (p += 2; p < last - 1; p++) {
        if (*p < ' ' || *p >= 0x7f || ngx_strchr("\"&<>", *p)) {
            return 0;
        }
    }

    return 1;
}


/* a whole comment, whose text cannot end it */

static ngx_uint_t
ngx_http_dt_marks_is_comment(u_char *p, u_char *last)
{
    if (last - p < 8
        || ngx_strncmp(p, "<!--", 4) != 0
        || ngx_strncmp(last - 3, "-->", 3) != 0)
    {
        return 0;
    }

    last -= 3;

    for (p += 4; p < last; p++) {

        if (*p < ' ' || *p >= 0x7f || *p == '<' || *p == '>'
            || (p[0] == '-' && p[1] == '-'))
        {
            return 0;
        }
    }

    return 1;
}


/* the marks of the first dialect are outermost */

static ngx_int_t
ngx_http_dt_marks_add(ngx_pool_t *pool, ngx_http_dt_marks_t *marks,
    const dt_wrap_t *wrap)
{
    dt_wrap_t  *to;

    to = &marks->wrap;

    if (ngx_http_dt_marks_join(pool, &to->by_hand, &to->by_hand,
                               wrap->by_hand.len ? &wrap->by_hand
                                                 : &wrap->attribute)
        != NGX_OK
        || ngx_http_dt_marks_join(pool, &to->attribute, &to->attribute,
                                  &wrap->attribute)
           != NGX_OK
        || ngx_http_dt_marks_join(pool, &to->begin, &to->begin, &wrap->begin)
           != NGX_OK
        || ngx_http_dt_marks_join(pool, &to->end, &wrap->end, &to->end)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (wrap->attribute.len) {

        /* an attribute marks the element by itself */

        return NGX_OK;
    }

    if (ngx_http_dt_marks_join(pool, &marks->before, &marks->before,
                               &wrap->begin)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_dt_marks_join(pool, &marks->after, &wrap->end,
                                  &marks->after);
}


static ngx_int_t
ngx_http_dt_marks_join(ngx_pool_t *pool, dt_str_t *to, const dt_str_t *a,
    const dt_str_t *b)
{
    size_t   len;
    u_char  *data;

    len = a->len + b->len;

    if (len == 0) {
        return NGX_OK;
    }

    data = ngx_pnalloc(pool, len);
    if (data == NULL) {
        return NGX_ERROR;
    }

    if (a->len) {
        ngx_memcpy(data, a->data, a->len);
    }

    if (b->len) {
        ngx_memcpy(data + a->len, b->data, b->len);
    }

    to->data = (char *) data;
    to->len = len;

    return NGX_OK;
}


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
    ngx_str_t   *selector;
    ngx_uint_t   i;

    if (selectors == NULL) {
        return NGX_OK;
    }

    selector = selectors->elts;

    for (i = 0; i < selectors->nelts; i++) {
        if (dt_hand_add(hand, kind, ngx_http_dt_str(&selector[i]), errstr)
            != DT_OK)
        {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid selector \"%V\" in \"%s\": %s",
                               &selector[i], name, errstr);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
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


ngx_int_t
ngx_http_dt_regions_start(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ctx->regions = ngx_palloc(r->pool, sizeof(ngx_http_dt_regions_t));
    if (ctx->regions == NULL) {
        return NGX_ERROR;
    }

    ctx->regions->start = 0;
    ctx->regions->end = 0;
    ctx->regions->last = ctx->regions->value;

    return NGX_OK;
}


/* regions that touch become one */

void
ngx_http_dt_regions_add(void *data, uint64_t start, uint32_t len)
{
    ngx_http_dt_ctx_t *ctx = data;

    ngx_http_dt_regions_t          *regions;

    regions = ctx->regions;

    if (start != regions->end) {
        ngx_http_dt_regions_write(regions);
        regions->start = start;
    }

    regions->end = start + len;
}


/*
 * The value is a list of inner lists of two integers (RFC 9651, 3.1): the
 * offset and the length of each region.  It is bounded: the regions for which
 * there is no room are left out.
 */

static void
ngx_http_dt_regions_write(ngx_http_dt_regions_t *regions)
{
    size_t  left;

    left = regions->value + NGX_HTTP_DT_REGIONS - regions->last;

    if (regions->end == regions->start || left < NGX_HTTP_DT_REGION) {
        return;
    }

    regions->last = ngx_sprintf(regions->last, "%s(%uL %uL)",
                                (regions->last == regions->value) ? "" : ", ",
                                regions->start,
                                regions->end - regions->start);
}


ngx_int_t
ngx_http_dt_regions_push(ngx_http_request_t *r, ngx_http_dt_ctx_t *ctx)
{
    ngx_str_t               value;
    ngx_http_dt_regions_t  *regions;

    regions = ctx->regions;

    ngx_http_dt_regions_write(regions);

    value.data = regions->value;
    value.len = regions->last - regions->value;

    return ngx_http_dt_push_field(&r->headers_out.headers,
                                  "Detemplate-Regions", &value);
}
