
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/status/json.h"


#define NGX_HTTP_DT_JSON_HEAD  12288    /* all but the sites */
#define NGX_HTTP_DT_JSON_SITE  560      /* a site without its texts */


static u_char *ngx_http_dt_json_requests(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_json_fleet(u_char *p, u_char *last,
    ngx_http_dt_fleet_t *fleet);
static u_char *ngx_http_dt_json_sites(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_json_site(u_char *p, u_char *last,
    ngx_http_dt_row_t *row);
static u_char *ngx_http_dt_json_without(u_char *p, u_char *last,
    ngx_http_dt_row_t *row);
static u_char *ngx_http_dt_json_failure(u_char *p, u_char *last,
    ngx_http_dt_row_t *row);


size_t
ngx_http_dt_json_size(ngx_http_dt_stats_t *stats)
{
    size_t              len;
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    len = NGX_HTTP_DT_JSON_HEAD;

    /* a byte of a text may become \u00XX */

    for (i = 0; i < stats->nsites + stats->noff; i++) {
        row = &stats->sites[i];
        len += NGX_HTTP_DT_JSON_SITE
               + 6 * (row->name.len + row->reason.len + row->detail.len
                      + row->page.len);
    }

    return len;
}


u_char *
ngx_http_dt_json(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_http_dt_counters_t  *c;

    c = &stats->counters;

    p = ngx_slprintf(p, last,
                     "{\"learning\":{\"queued\":%uL,\"running\":%uL,"
                     "\"done\":%uL,\"failed\":%uL,\"redesigns\":%uL},",
                     c->queued, c->running, c->done, c->failed, c->redesigns);

    p = ngx_http_dt_json_requests(p, last, stats);

    p = ngx_slprintf(p, last,
                     "\"bytes\":{\"in\":%uA,\"removed\":%uA},"
                     "\"saved\":{\"words\":%uA,\"tokens\":%uA},"
                     "\"by_hand\":{\"kept\":%uA,\"cut\":%uA,\"bytes\":%uA},"
                     "\"not_held\":%uL,"
                     "\"zone\":{\"size\":%uz,\"free\":%uz,\"sites\":%uL,"
                     "\"evicted\":%uL},"
                     "\"snapshots\":{\"taken\":%uL,\"refused\":%uL,"
                     "\"evicted\":%uL},"
                     "\"redis\":{\"taken\":%uL,\"failed\":%uL",
                     c->in, c->removed, c->words,
                     ngx_http_dt_tokens(c->removed), c->kept, c->forced,
                     c->forced_bytes, c->not_held, stats->size, stats->free,
                     c->sites, c->evicted, c->snapshots_taken,
                     c->snapshots_refused, c->snapshots_evicted,
                     c->redis_taken, c->redis_failed);

    if (stats->fleet.since) {
        p = ngx_http_dt_json_fleet(p, last, &stats->fleet);
    }

    p = ngx_slprintf(p, last, "},");
    p = ngx_http_dt_json_sites(p, last, stats);

    return ngx_slprintf(p, last, "}\n");
}


static u_char *
ngx_http_dt_json_fleet(u_char *p, u_char *last, ngx_http_dt_fleet_t *fleet)
{
    ngx_str_t  text;

    text.data = fleet->away ? fleet->why : fleet->peer;
    text.len = ngx_strlen(text.data);

    p = ngx_slprintf(p, last, ",\"connected\":%s,\"since\":%T,\"%s\":\"",
                     fleet->away ? "false" : "true", fleet->since,
                     fleet->away ? "error" : "address");
    p = ngx_http_dt_json_escape(p, &text);

    return ngx_slprintf(p, last, "\",\"latency_us\":%ui,\"event_at\":%T,"
                        "\"reconnects\":%ui,\"restarts\":%ui,"
                        "\"received\":%uL,\"sent\":%uL", fleet->latency,
                        fleet->event_at, fleet->reconnects, fleet->restarts,
                        fleet->received, fleet->sent);
}


static u_char *
ngx_http_dt_json_requests(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t  i;

    p = ngx_slprintf(p, last, "\"requests\":{");

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_slprintf(p, last, "%s\"", i ? "," : "");
        p = ngx_http_dt_lower(p, last, &ngx_http_dt_statuses[i]);
        p = ngx_slprintf(p, last, "\":%ui", stats->requests[i]);
    }

    p = ngx_slprintf(p, last, "},\"reasons\":{");

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        if (i == NGX_HTTP_DT_R_LEARNER) {

            /* requests of learners are not counted */

            continue;
        }

        p = ngx_slprintf(p, last, "%s\"%V\":%ui",
                         i > NGX_HTTP_DT_R_NONE + 1 ? "," : "",
                         &ngx_http_dt_reasons[i], stats->reasons[i]);
    }

    return ngx_slprintf(p, last, "},");
}


static u_char *
ngx_http_dt_json_sites(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t  i, n;

    p = ngx_slprintf(p, last, "\"sites\":[");
    n = 0;

    for (i = 0; i < stats->nsites; i++) {

        if (stats->sites[i].info.version) {
            p = ngx_slprintf(p, last, "%s", n++ ? "," : "");
            p = ngx_http_dt_json_site(p, last, &stats->sites[i]);
        }
    }

    p = ngx_slprintf(p, last, "],\"without\":[");
    n = 0;

    for (i = 0; i < stats->nsites; i++) {

        if (stats->sites[i].info.version == 0) {
            p = ngx_slprintf(p, last, "%s", n++ ? "," : "");
            p = ngx_http_dt_json_without(p, last, &stats->sites[i]);
        }
    }

    p = ngx_slprintf(p, last, "],\"off_template\":[");

    for (i = 0; i < stats->noff; i++) {
        p = ngx_slprintf(p, last, "%s{\"site\":\"", i ? "," : "");
        p = ngx_http_dt_json_escape(p, &stats->off[i].name);
        p = ngx_slprintf(p, last, "\",\"page\":\"");
        p = ngx_http_dt_json_escape(p, &stats->off[i].page);
        p = ngx_slprintf(p, last, "\",\"at\":%T}", stats->off[i].failed_at);
    }

    return ngx_slprintf(p, last, "]");
}


static u_char *
ngx_http_dt_json_site(u_char *p, u_char *last, ngx_http_dt_row_t *row)
{
    p = ngx_slprintf(p, last, "{\"site\":\"");
    p = ngx_http_dt_json_escape(p, &row->name);

    p = ngx_slprintf(p, last,
                     "\",\"version\":%uD,\"source\":\"%V\","
                     "\"patterns\":%uD,\"guarded\":%uD,"
                     "\"bytes\":%uz,\"evidence\":%uz,\"loads\":%uD,"
                     "\"candidates\":%uD,\"coverage\":%uD.%03uD,"
                     "\"hits\":%uL,\"in\":%uL,\"removed\":%uL,\"words\":%uL,"
                     "\"learned_at\":%L", row->info.version,
                     &ngx_http_dt_sources[row->source], row->info.patterns,
                     row->info.guarded, row->size,
                     row->info.size - row->size, row->info.pages,
                     row->info.candidates, row->info.coverage / 1000,
                     row->info.coverage % 1000, row->served.hits,
                     row->served.in, row->served.removed, row->served.words,
                     row->info.learned_at);

    if (row->pinned) {
        p = ngx_slprintf(p, last, ",\"pinned\":true");
    }

    if (row->redesigned_at) {
        p = ngx_slprintf(p, last, ",\"redesigned_at\":%T",
                         row->redesigned_at);
    }

    if (row->reason.len) {
        p = ngx_http_dt_json_failure(p, last, row);
    }

    return ngx_slprintf(p, last, "}");
}


/* a site without a template: the state of its job, or the next attempt */

static u_char *
ngx_http_dt_json_without(u_char *p, u_char *last, ngx_http_dt_row_t *row)
{
    p = ngx_slprintf(p, last, "{\"site\":\"");
    p = ngx_http_dt_json_escape(p, &row->name);
    p = ngx_slprintf(p, last, "\",\"state\":\"%V\"",
                     &ngx_http_dt_states[row->state]);
    p = ngx_http_dt_json_failure(p, last, row);

    return ngx_slprintf(p, last, ",\"next_in\":%M}",
                        (row->wait + 999) / 1000);
}


/* the last failure, of which all is empty where there was none */

static u_char *
ngx_http_dt_json_failure(u_char *p, u_char *last, ngx_http_dt_row_t *row)
{
    p = ngx_slprintf(p, last, ",\"reason\":\"");
    p = ngx_http_dt_json_escape(p, &row->reason);
    p = ngx_slprintf(p, last, "\",\"detail\":\"");
    p = ngx_http_dt_json_escape(p, &row->detail);
    p = ngx_slprintf(p, last, "\",\"page\":\"");
    p = ngx_http_dt_json_escape(p, &row->page);

    return ngx_slprintf(p, last, "\",\"failed_at\":%T", row->failed_at);
}


/* names are ASCII, except in files that somebody else has written */

u_char *
ngx_http_dt_json_escape(u_char *p, ngx_str_t *text)
{
    u_char  *s, *end;

    end = text->data + text->len;

    for (s = text->data; s < end; s++) {

        if (*s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\') {
            *p++ = *s;

        } else {
            p = ngx_sprintf(p, "\\u%04xD", (uint32_t) *s);
        }
    }

    return p;
}
