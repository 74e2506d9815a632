
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/metrics.h"


#define NGX_HTTP_DT_LABELS   4
#define NGX_HTTP_DT_METRICS  20       /* besides requests and reasons */


/* the metrics of one name */

typedef struct {
    char                          *name;        /* without the prefix */
    char                          *type;
    char                          *help;
    char                          *label;       /* NULL: one metric */
    char                          *values[NGX_HTTP_DT_LABELS];
                                                /* of the label, if fixed */
} ngx_http_dt_family_t;


static u_char *ngx_http_dt_metrics_family(u_char *p, u_char *last,
    ngx_http_dt_family_t *f, uint64_t **value);


/* in the order of ngx_http_dt_metrics() */

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
      "Templates that came from snapshots, and files that were not sound, or "
      "went for room.",
      "result", { "taken", "refused", "evicted" } },

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


/* sites are no labels, because their number has no bound */

u_char *
ngx_http_dt_metrics(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    uint64_t                 values[NGX_HTTP_DT_METRICS], *v;
    ngx_uint_t               i;
    ngx_http_dt_family_t    *f;
    ngx_http_dt_counters_t  *c;

    f = ngx_http_dt_families;

    p = ngx_http_dt_metrics_family(p, last, f, NULL);

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_slprintf(p, last, "nginx_detemplate_%s{%s=\"", f->name,
                         f->label);
        p = ngx_http_dt_lower(p, last, &ngx_http_dt_statuses[i]);
        p = ngx_slprintf(p, last, "\"} %ui\n", stats->requests[i]);
    }

    p = ngx_http_dt_metrics_family(p, last, ++f, NULL);

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
    *v++ = c->snapshots_evicted;
    *v++ = c->evicted;
    *v++ = c->sites;
    *v++ = stats->size;
    *v++ = stats->free;

    for (f++, v = values; f->name; f++) {
        p = ngx_http_dt_metrics_family(p, last, f, &v);
    }

    return p;
}


/* the help of a family, and its metrics with fixed labels, from *value on */

static u_char *
ngx_http_dt_metrics_family(u_char *p, u_char *last, ngx_http_dt_family_t *f,
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
