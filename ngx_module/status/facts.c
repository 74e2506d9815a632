
/*
 * Copyright (C) The detemplate authors
 *
 * The facts of the status stand here once: where JSON has them, and which of
 * them Prometheus gets.
 */


#include "ngx_module/status/facts.h"


#define NGX_HTTP_DT_METRICS_SITES  100
#define NGX_HTTP_DT_NAME           32     /* bytes of a word of names.c */


static void ngx_http_dt_json_facts(ngx_http_dt_out_t *out,
    ngx_http_dt_fact_t *f, u_char *base);
static void ngx_http_dt_json_member(ngx_http_dt_out_t *out, char *name,
    ngx_uint_t kind, u_char *p, size_t size);
static ngx_uint_t ngx_http_dt_fact_is(ngx_http_dt_fact_t *f, u_char *base);
static ngx_uint_t ngx_http_dt_fact_part(ngx_http_dt_fact_t *f, ngx_uint_t *i,
    u_char *name);
static void ngx_http_dt_metrics_facts(ngx_http_dt_out_t *out,
    ngx_http_dt_stats_t *stats);
static void ngx_http_dt_metrics_help(ngx_http_dt_out_t *out,
    ngx_http_dt_fact_t *f);
static ngx_uint_t ngx_http_dt_metrics_used(ngx_http_dt_stats_t *stats);
static int ngx_libc_cdecl ngx_http_dt_metrics_cmp(const void *one,
    const void *two);
static void ngx_http_dt_metrics_row(ngx_http_dt_out_t *out,
    ngx_http_dt_fact_t *f, ngx_http_dt_row_t *row);


/* a fact from its kind on */

#define ngx_http_dt_stat(kind, field)                                         \
    NGX_HTTP_DT_KIND_##kind,                                                  \
    offsetof(ngx_http_dt_stats_t, field),                                     \
    sizeof(((ngx_http_dt_stats_t *) NULL)->field), NULL

#define ngx_http_dt_cell(kind, field, heading)                                \
    NGX_HTTP_DT_KIND_##kind,                                                  \
    offsetof(ngx_http_dt_row_t, field),                                       \
    sizeof(((ngx_http_dt_row_t *) NULL)->field), heading

#define ngx_http_dt_no_metric  NULL, NULL, NULL

#define ngx_http_dt_column(kind, name, field, heading)                        \
    { "", name, ngx_http_dt_cell(kind, field, heading), ngx_http_dt_no_metric }


/* the last entries are shown only where detemplate_redis is set */

static ngx_http_dt_fact_t  ngx_http_dt_facts[] = {

    { "learning", "queued", ngx_http_dt_stat(NUMBER, counters.queued),
      "learning", "{state=\"queued\"}",
      "Jobs that wait for a learner, and that one is at work on." },
    { "learning", "running", ngx_http_dt_stat(NUMBER, counters.running),
      "learning", "{state=\"running\"}", NULL },
    { "learning", "done", ngx_http_dt_stat(NUMBER, counters.done),
      "learned_total", "{result=\"done\"}",
      "Learnings that have ended." },
    { "learning", "failed", ngx_http_dt_stat(NUMBER, counters.failed),
      "learned_total", "{result=\"failed\"}", NULL },
    { "learning", "requests", ngx_http_dt_stat(NUMBER, counters.asked),
      "learner_requests_total", "",
      "Requests that learners have sent to sites." },
    { "learning", "redesigns", ngx_http_dt_stat(NUMBER, counters.redesigns),
      "redesigns_total", "",
      "Learnings that found another design." },

    { "requests", "", ngx_http_dt_stat(STATUSES, requests),
      "requests_total", "status",
      "Requests by the result for the page." },
    { "reasons", "", ngx_http_dt_stat(REASONS, reasons),
      "reasons_total", "reason",
      "Requests by the reason why the page passed, or the rest of it." },

    { "bytes", "in", ngx_http_dt_stat(NUMBER, counters.in),
      "in_bytes_total", "",
      "Bytes of pages that were rewritten." },
    { "bytes", "removed", ngx_http_dt_stat(NUMBER, counters.removed),
      "removed_bytes_total", "",
      "Bytes that were cut from pages, or put between marks." },

    { "saved", "words", ngx_http_dt_stat(NUMBER, counters.words),
      "removed_words_total", "",
      "Words of template among these." },
    { "saved", "tokens", ngx_http_dt_stat(NUMBER, tokens),
      "saved_tokens_total", "",
      "Tokens among these, by an estimate of four characters for each." },

    { "by_hand", "kept", ngx_http_dt_stat(NUMBER, counters.kept),
      "by_hand_total", "{what=\"kept\"}",
      "Elements that were kept and cut by hand." },
    { "by_hand", "cut", ngx_http_dt_stat(NUMBER, counters.forced),
      "by_hand_total", "{what=\"cut\"}", NULL },
    { "by_hand", "bytes", ngx_http_dt_stat(NUMBER, counters.forced_bytes),
      ngx_http_dt_no_metric },

    { "zone", "size", ngx_http_dt_stat(NUMBER, size),
      "zone_size_bytes", "",
      "Bytes of the zone." },
    { "zone", "free", ngx_http_dt_stat(NUMBER, free),
      "zone_free_bytes", "",
      "Bytes of the zone that are free." },
    { "zone", "sites", ngx_http_dt_stat(NUMBER, counters.sites),
      "sites", "",
      "Sites with a template." },
    { "zone", NULL, ngx_http_dt_stat(NUMBER, without),
      "sites_without_template", "",
      "Sites that the zone knows and has no template of." },
    { "zone", "evicted", ngx_http_dt_stat(NUMBER, counters.evicted),
      "evicted_total", "",
      "Sites that were dropped from the zone for room." },

    { "snapshots", "taken",
      ngx_http_dt_stat(NUMBER, counters.snapshots_taken),
      "snapshots_total", "{result=\"taken\"}",
      "Templates that came from snapshots, and files that were not sound, or "
      "went for room." },
    { "snapshots", "refused",
      ngx_http_dt_stat(NUMBER, counters.snapshots_refused),
      "snapshots_total", "{result=\"refused\"}", NULL },
    { "snapshots", "evicted",
      ngx_http_dt_stat(NUMBER, counters.snapshots_evicted),
      "snapshots_total", "{result=\"evicted\"}", NULL },

    { "redis", "taken", ngx_http_dt_stat(NUMBER, counters.redis_taken),
      "redis_total", "{result=\"taken\"}",
      "Templates that came from Redis, and how often it failed." },
    { "redis", "failed", ngx_http_dt_stat(NUMBER, counters.redis_failed),
      "redis_total", "{result=\"failed\"}", NULL },

    { "redis", "since", ngx_http_dt_stat(SINCE, fleet.since),
      ngx_http_dt_no_metric },
    { "redis", "connected", ngx_http_dt_stat(BOOL, connected),
      "redis_connected", "",
      "Whether Redis answers, 1 or 0." },
    { "redis", "error", ngx_http_dt_stat(CHARS, fleet.why),
      ngx_http_dt_no_metric },
    { "redis", "address", ngx_http_dt_stat(CHARS, fleet.peer),
      ngx_http_dt_no_metric },
    { "redis", "latency_us", ngx_http_dt_stat(MICROS, fleet.latency),
      "redis_latency_seconds", "",
      "Time that the last answer of Redis took." },
    { "redis", "event_at", ngx_http_dt_stat(NUMBER, fleet.event_at),
      "redis_event_timestamp_seconds", "",
      "Time of the last event of another machine, or 0." },
    { "redis", "reconnects", ngx_http_dt_stat(NUMBER, fleet.reconnects),
      "redis_restarts_total", "{what=\"connection\"}",
      "Connections to Redis, and processes for them, that were begun anew." },
    { "redis", "restarts", ngx_http_dt_stat(NUMBER, fleet.restarts),
      "redis_restarts_total", "{what=\"process\"}", NULL },
    { "redis", "received", ngx_http_dt_stat(NUMBER, fleet.received),
      "redis_bytes_total", "{direction=\"received\"}",
      "Bytes from Redis and to it." },
    { "redis", "sent", ngx_http_dt_stat(NUMBER, fleet.sent),
      "redis_bytes_total", "{direction=\"sent\"}", NULL },

    { NULL, NULL, 0, 0, 0, NULL, ngx_http_dt_no_metric }
};


/* the failure is last, since a site with a template may have had none */

static ngx_http_dt_fact_t  ngx_http_dt_sites[] = {

    ngx_http_dt_column(SITE, "site", name, "site"),
    ngx_http_dt_column(SHARE, "coverage", info.coverage,
                       "words that are template"),
    { "", "version", ngx_http_dt_cell(NUMBER, info.version, "version"),
      "site_version", "", "The version of the site's template." },
    ngx_http_dt_column(TIME, "learned_at", info.learned_at, "age"),
    ngx_http_dt_column(TEXT, "source", source, "from"),
    ngx_http_dt_column(NUMBER, "patterns", info.patterns, "patterns"),
    ngx_http_dt_column(NUMBER, "guarded", info.guarded, "guarded"),
    ngx_http_dt_column(NUMBER, "loads", info.pages, "pages loaded"),
    ngx_http_dt_column(NUMBER, "candidates", info.candidates, "compared"),
    ngx_http_dt_column(BYTES, "bytes", size, "size"),
    ngx_http_dt_column(BYTES, "evidence", evidence, NULL),
    { "", "hits", ngx_http_dt_cell(NUMBER, served.hits, NULL),
      "site_hits_total", "",
      "Pages of a site that were rewritten, of the sites with the most." },
    { "", "in", ngx_http_dt_cell(NUMBER, served.in, NULL),
      "site_in_bytes_total", "", "Their bytes." },
    { "", "removed", ngx_http_dt_cell(NUMBER, served.removed, NULL),
      "site_removed_bytes_total", "",
      "Bytes that were cut from them, or put between marks." },
    { "", "words", ngx_http_dt_cell(NUMBER, served.words, NULL),
      "site_removed_words_total", "", "Words of template among these." },
    { "", NULL, ngx_http_dt_cell(NUMBER, off, NULL),
      "site_off_template_pages", "",
      "Pages of the site among the last that showed nothing of a template." },
    ngx_http_dt_column(TRUE, "pinned", pinned, NULL),
    ngx_http_dt_column(ONCE, "redesigned_at", redesigned_at, NULL),
    ngx_http_dt_column(LAST, "reason", reason, NULL),
    ngx_http_dt_column(TEXT, "detail", detail, NULL),
    ngx_http_dt_column(TEXT, "page", page, NULL),
    ngx_http_dt_column(TIME, "failed_at", failed_at, NULL),
    { NULL, NULL, 0, 0, 0, NULL, ngx_http_dt_no_metric }
};


/* of a failure, all is empty where there was none */

static ngx_http_dt_fact_t  ngx_http_dt_without[] = {

    ngx_http_dt_column(SITE, "site", name, "site"),
    ngx_http_dt_column(TEXT, "state", state, "learning"),
    ngx_http_dt_column(FAILURE, "reason", reason, "why it failed"),
    ngx_http_dt_column(TEXT, "detail", detail, NULL),
    ngx_http_dt_column(TEXT, "page", page, "page"),
    ngx_http_dt_column(TIME, "failed_at", failed_at, "since"),
    ngx_http_dt_column(WAIT, "next_in", wait, "next in"),
    { NULL, NULL, 0, 0, 0, NULL, ngx_http_dt_no_metric }
};


static ngx_http_dt_fact_t  ngx_http_dt_off[] = {

    ngx_http_dt_column(SITE, "site", name, "site"),
    ngx_http_dt_column(TEXT, "page", page, "page"),
    ngx_http_dt_column(TIME, "at", failed_at, "since"),
    { NULL, NULL, 0, 0, 0, NULL, ngx_http_dt_no_metric }
};


ngx_http_dt_fact_t  *ngx_http_dt_columns[] = {
    ngx_http_dt_sites,
    ngx_http_dt_without,
    ngx_http_dt_off
};


static char  *ngx_http_dt_list_names[] = {
    "sites",
    "without",
    "off_template"
};


ngx_http_dt_row_t *
ngx_http_dt_list_next(ngx_http_dt_stats_t *stats, ngx_uint_t list,
    ngx_http_dt_row_t *row)
{
    for (row = row ? row + 1 : stats->rows;
         row < stats->rows + stats->nrows;
         row++)
    {
        if (row->list == list) {
            return row;
        }
    }

    return NULL;
}


uint64_t
ngx_http_dt_number(u_char *p, size_t size)
{
    uint32_t  half;
    uint64_t  n;

    if (size == sizeof(uint32_t)) {
        ngx_memcpy(&half, p, sizeof(uint32_t));
        return half;
    }

    ngx_memcpy(&n, p, sizeof(uint64_t));

    return n;
}


void
ngx_http_dt_json(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          list;
    ngx_http_dt_row_t  *row;

    ngx_http_dt_put(out, "{");
    ngx_http_dt_json_facts(out, ngx_http_dt_facts, (u_char *) stats);

    for (list = 0; list < NGX_HTTP_DT_LISTS; list++) {
        ngx_http_dt_put_name(out, ngx_http_dt_list_names[list]);
        ngx_http_dt_put(out, "[");

        for (row = ngx_http_dt_list_next(stats, list, NULL);
             row;
             row = ngx_http_dt_list_next(stats, list, row))
        {
            ngx_http_dt_put_comma(out);
            ngx_http_dt_put(out, "{");
            ngx_http_dt_json_facts(out, ngx_http_dt_columns[list],
                                   (u_char *) row);
            ngx_http_dt_put(out, "}");
        }

        ngx_http_dt_put(out, "]");
    }

    ngx_http_dt_put(out, "}\n");
}


static void
ngx_http_dt_json_facts(ngx_http_dt_out_t *out, ngx_http_dt_fact_t *f,
    u_char *base)
{
    char        *group;
    u_char       name[NGX_HTTP_DT_NAME];
    ngx_uint_t   i;

    for (group = ""; ngx_http_dt_fact_is(f, base); f++) {

        if (ngx_strcmp(f->group, group) != 0) {
            ngx_http_dt_put(out, *group ? "}" : "");
            group = f->group;

            if (*group) {
                ngx_http_dt_put_name(out, group);
                ngx_http_dt_put(out, "{");
            }
        }

        if (f->kind < NGX_HTTP_DT_KIND_STATUSES) {
            ngx_http_dt_json_member(out, f->name, f->kind, base + f->offset,
                                    f->size);
            continue;
        }

        for (i = 0; ngx_http_dt_fact_part(f, &i, name); i++) {
            ngx_http_dt_json_member(out, (char *) name, f->kind,
                                    base + f->offset + i * sizeof(ngx_uint_t),
                                    sizeof(ngx_uint_t));
        }
    }

    ngx_http_dt_put(out, *group ? "}" : "");
}


/* writes the value at p, unless this value is optional in JSON and not set */

static void
ngx_http_dt_json_member(ngx_http_dt_out_t *out, char *name, ngx_uint_t kind,
    u_char *p, size_t size)
{
    uint64_t   n;
    ngx_str_t  text;

    n = ngx_http_dt_number(p, size);

    if (name == NULL
        || (kind == NGX_HTTP_DT_KIND_CHARS && *p == '\0')
        || (kind == NGX_HTTP_DT_KIND_TRUE && n == 0)
        || (kind == NGX_HTTP_DT_KIND_ONCE && n == 0))
    {
        return;
    }

    ngx_http_dt_put_name(out, name);

    switch (kind) {

    case NGX_HTTP_DT_KIND_CHARS:
        text.data = p;
        text.len = ngx_strlen(p);
        ngx_http_dt_put_json(out, &text);
        break;

    case NGX_HTTP_DT_KIND_TEXT:
    case NGX_HTTP_DT_KIND_SITE:
    case NGX_HTTP_DT_KIND_FAILURE:
    case NGX_HTTP_DT_KIND_LAST:
        ngx_http_dt_put_json(out, (ngx_str_t *) p);
        break;

    case NGX_HTTP_DT_KIND_SHARE:
        ngx_http_dt_put(out, "%uL.%03uL", n / 1000, n % 1000);
        break;

    case NGX_HTTP_DT_KIND_TRUE:
    case NGX_HTTP_DT_KIND_BOOL:
        ngx_http_dt_put(out, n ? "true" : "false");
        break;

    case NGX_HTTP_DT_KIND_WAIT:
        ngx_http_dt_put(out, "%uL", (n + 999) / 1000);
        break;

    default:
        ngx_http_dt_put(out, "%uL", n);
    }
}


static ngx_uint_t
ngx_http_dt_fact_is(ngx_http_dt_fact_t *f, u_char *base)
{
    u_char  *p;

    p = base + f->offset;

    return f->group
           && (f->kind != NGX_HTTP_DT_KIND_SINCE
               || ngx_http_dt_number(p, f->size))
           && (f->kind != NGX_HTTP_DT_KIND_LAST
               || ((ngx_str_t *) p)->len);
}


/*
 * The name in lower case of part *i of a list, or of the next one that is not
 * left out; 0: there is none.  Requests of learners are not counted.
 */

static ngx_uint_t
ngx_http_dt_fact_part(ngx_http_dt_fact_t *f, ngx_uint_t *i, u_char *name)
{
    ngx_str_t  *words;

    words = (f->kind == NGX_HTTP_DT_KIND_STATUSES) ? ngx_http_dt_statuses
                                                   : ngx_http_dt_reasons;

    while (words == ngx_http_dt_reasons
           && (*i == NGX_HTTP_DT_R_NONE || *i == NGX_HTTP_DT_R_LEARNER))
    {
        (*i)++;
    }

    if (*i == f->size / sizeof(ngx_uint_t)) {
        return 0;
    }

    ngx_strlow(name, words[*i].data, words[*i].len + 1);

    return 1;
}


void
ngx_http_dt_metrics(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t           i, n;
    ngx_http_dt_fact_t  *f;

    ngx_http_dt_metrics_facts(out, stats);

    n = ngx_http_dt_metrics_used(stats);

    for (f = ngx_http_dt_sites; f->group && n; f++) {

        if (f->metric) {
            ngx_http_dt_metrics_help(out, f);

            for (i = 0; i < n; i++) {
                ngx_http_dt_metrics_row(out, f, &stats->rows[i]);
            }
        }
    }
}


static void
ngx_http_dt_metrics_facts(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats)
{
    u_char              *p, name[NGX_HTTP_DT_NAME];
    uint64_t             n;
    ngx_uint_t           i;
    ngx_http_dt_fact_t  *f;

    for (f = ngx_http_dt_facts;
         ngx_http_dt_fact_is(f, (u_char *) stats);
         f++)
    {
        if (f->metric == NULL) {
            continue;
        }

        ngx_http_dt_metrics_help(out, f);

        p = (u_char *) stats + f->offset;
        n = ngx_http_dt_number(p, f->size);

        if (f->kind == NGX_HTTP_DT_KIND_MICROS) {
            ngx_http_dt_put(out, "nginx_detemplate_%s%s %uL.%06uL\n",
                            f->metric, f->label, n / 1000000, n % 1000000);

        } else if (f->kind < NGX_HTTP_DT_KIND_STATUSES) {
            ngx_http_dt_put(out, "nginx_detemplate_%s%s %uL\n",
                            f->metric, f->label, n);

        } else {
            for (i = 0; ngx_http_dt_fact_part(f, &i, name); i++) {
                ngx_http_dt_put(out, "nginx_detemplate_%s{%s=\"%s\"} %ui\n",
                                f->metric, f->label, name,
                                ((ngx_uint_t *) p)[i]);
            }
        }
    }
}


/* a metric that is a total is a counter */

static void
ngx_http_dt_metrics_help(ngx_http_dt_out_t *out, ngx_http_dt_fact_t *f)
{
    if (f->help) {
        ngx_http_dt_put(out,
                        "# HELP nginx_detemplate_%s %s\n"
                        "# TYPE nginx_detemplate_%s %s\n",
                        f->metric, f->help, f->metric,
                        ngx_strstr(f->metric, "_total") ? "counter" : "gauge");
    }
}


/*
 * Puts the sites with a template that were served most in front; returns their
 * number, which has a bound, since each of them is a label.
 */

static ngx_uint_t
ngx_http_dt_metrics_used(ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          n;
    ngx_http_dt_row_t  *row;

    n = 0;

    for (row = ngx_http_dt_list_next(stats, NGX_HTTP_DT_LIST_SITES, NULL);
         row;
         row = ngx_http_dt_list_next(stats, NGX_HTTP_DT_LIST_SITES, row))
    {
        stats->rows[n++] = *row;
    }

    ngx_qsort(stats->rows, n, sizeof(ngx_http_dt_row_t),
              ngx_http_dt_metrics_cmp);

    return ngx_min(n, NGX_HTTP_DT_METRICS_SITES);
}


static int ngx_libc_cdecl
ngx_http_dt_metrics_cmp(const void *one, const void *two)
{
    const ngx_http_dt_row_t *a = one;
    const ngx_http_dt_row_t *b = two;

    return (a->served.hits < b->served.hits)
           - (a->served.hits > b->served.hits);
}


static void
ngx_http_dt_metrics_row(ngx_http_dt_out_t *out, ngx_http_dt_fact_t *f,
    ngx_http_dt_row_t *row)
{
    u_char  *p;

    ngx_http_dt_put(out, "nginx_detemplate_%s{site=\"", f->metric);

    for (p = row->name.data; p < row->name.data + row->name.len; p++) {

        /* names are ASCII, but for those in files of others */

        ngx_http_dt_put(out,
                        (*p == '"' || *p == '\\') ? "\\%c"
                        : (*p < 0x20 || *p > 0x7e) ? "%%%02xd" : "%c", *p);
    }

    ngx_http_dt_put(out, "\"} %uL\n",
                    ngx_http_dt_number((u_char *) row + f->offset, f->size));
}
