
/*
 * Copyright (C) The detemplate authors
 *
 * The status as a page for people.  Its tables read well aloud and in text
 * browsers; each share has a bar for those who see it.  There is no script,
 * and text from outside is escaped.
 */


#include "ngx_module/status/html.h"


#define NGX_HTTP_DT_HTML_HEAD  8192    /* all but the rows */
#define NGX_HTTP_DT_HTML_ROW   192     /* a counter */
#define NGX_HTTP_DT_HTML_SITE  384     /* a site without its texts */

#define NGX_HTTP_DT_HTML_ESCAPED  (sizeof("&quot;") - 1)


static u_char *ngx_http_dt_html_counters(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_html_sites(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats, ngx_str_t *preview);
static u_char *ngx_http_dt_html_link(u_char *p, u_char *last, ngx_str_t *url,
    ngx_str_t *preview);
static u_char *ngx_http_dt_html_off(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_html_without(u_char *p, u_char *last,
    ngx_http_dt_stats_t *stats);
static u_char *ngx_http_dt_html_count(u_char *p, u_char *last, ngx_str_t *name,
    uint64_t n, uint64_t total);
static u_char *ngx_http_dt_html_share(u_char *p, u_char *last, uint64_t n,
    uint64_t total);
static u_char *ngx_http_dt_html_bytes(u_char *p, u_char *last, uint64_t n);
static u_char *ngx_http_dt_html_age(u_char *p, u_char *last, time_t seconds);
static u_char *ngx_http_dt_html_escape(u_char *p, u_char *last,
    ngx_str_t *text);


static u_char  ngx_http_dt_html_begin[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"refresh\" content=\"15\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\""
    "default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"robots\" content=\"noindex\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>detemplate: status</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark }\n"
    "body { font: 100%/1.4 sans-serif; margin: 2em auto; max-width: 70em;"
    " padding: 0 1em }\n"
    "div { overflow-x: auto }\n"
    "table { border-collapse: collapse }\n"
    "th, td { border-bottom: 1px solid #8886; padding: .2em .8em;"
    " text-align: right; vertical-align: top }\n"
    "th:first-child { text-align: left; min-width: 7em; max-width: 20em;"
    " overflow-wrap: break-word }\n"
    "th:first-child, td:first-child { padding-left: 0 }\n"
    "th[scope=col] { vertical-align: bottom }\n"
    "td { min-width: 4em }\n"
    ".sites td { white-space: nowrap }\n"
    "meter { width: 8em; max-width: 16vw }\n"
    "@media (max-width: 40em) { body { margin: 1em auto }"
    " th, td { padding: .2em .4em } td { min-width: 3em } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>detemplate</h1>\n";


size_t
ngx_http_dt_html_size(ngx_http_dt_stats_t *stats, ngx_str_t *preview)
{
    size_t              len;
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    len = NGX_HTTP_DT_HTML_HEAD
          + NGX_HTTP_DT_HTML_ROW
            * (NGX_HTTP_DT_STATUSES + NGX_HTTP_DT_REASONS);

    for (i = 0; i < stats->nsites + stats->noff; i++) {
        row = &stats->sites[i];
        len += NGX_HTTP_DT_HTML_SITE
               + NGX_HTTP_DT_HTML_ESCAPED
                 * (row->name.len + row->url.len + row->reason.len
                    + row->detail.len + row->page.len);

        if (preview->data) {
            len += sizeof(" <a href=\"&amp;\">preview</a>") - 1 + preview->len;
        }
    }

    return len;
}


u_char *
ngx_http_dt_html(u_char *p, u_char *last, ngx_http_dt_stats_t *stats,
    ngx_str_t *preview)
{
    ngx_str_t                text;
    ngx_http_dt_fleet_t     *fleet;
    ngx_http_dt_counters_t  *c;

    c = &stats->counters;
    fleet = &stats->fleet;

    p = ngx_slprintf(p, last, "%s<p>Sites with a template: %uL. Being learned "
                     "now: %uL, waiting for it: %uL. Learnings done: %uL, "
                     "failed: %uL.</p>\n", ngx_http_dt_html_begin, c->sites,
                     c->running, c->queued, c->done, c->failed);

    p = ngx_http_dt_html_sites(p, last, stats, preview);
    p = ngx_http_dt_html_without(p, last, stats);
    p = ngx_http_dt_html_off(p, last, stats);
    p = ngx_http_dt_html_counters(p, last, stats);

    p = ngx_slprintf(p, last, "<h2>Bytes</h2>\n"
                     "<p>Pages that were rewritten had ");
    p = ngx_http_dt_html_bytes(p, last, c->in);
    p = ngx_slprintf(p, last, ", of which ");
    p = ngx_http_dt_html_bytes(p, last, c->removed);
    p = ngx_slprintf(p, last, " are template, ");
    p = ngx_http_dt_html_share(p, last, c->removed, c->in);
    p = ngx_slprintf(p, last, "</p>\n<p>Saved: %uA words of template, which "
                     "are about %uA tokens, or %uA with their markup. By "
                     "hand: %uA cut, %uA kept. Redesigns: %uL.", c->words,
                     c->words + c->words / 3, ngx_http_dt_tokens(c->removed),
                     c->forced, c->kept, c->redesigns);
    p = ngx_slprintf(p, last, "</p>\n<h2>Zone</h2>\n<p>Free of ");
    p = ngx_http_dt_html_bytes(p, last, stats->size);
    p = ngx_slprintf(p, last, ": ");
    p = ngx_http_dt_html_bytes(p, last, stats->free);
    p = ngx_slprintf(p, last, ", in use: ");
    p = ngx_http_dt_html_share(p, last, stats->size - stats->free,
                               stats->size);

    p = ngx_slprintf(p, last, "</p>\n"
                     "<p>Sites dropped for room: %uL. Snapshots read: %uL, "
                     "refused: %uL, removed for room: %uL. Templates from "
                     "Redis: %uL, times it failed: %uL.",
                     c->evicted, c->snapshots_taken, c->snapshots_refused,
                     c->snapshots_evicted, c->redis_taken, c->redis_failed);

    if (fleet->since) {
        text.data = fleet->away ? fleet->why : fleet->peer;
        text.len = ngx_strlen(text.data);

        p = ngx_slprintf(p, last, " Redis is %s: ",
                         fleet->away ? "away" : "there");
        p = ngx_http_dt_html_escape(p, last, &text);
        p = ngx_slprintf(p, last, ", for ");
        p = ngx_http_dt_html_age(p, last, ngx_time() - fleet->since);
        p = ngx_slprintf(p, last, ".");
    }

    return ngx_slprintf(p, last, "</p>\n"
                        "<p>The same as <a href=\"?format=json\">JSON</a> and "
                        "<a href=\"?format=prometheus\">metrics</a>.</p>\n"
                        "</body>\n"
                        "</html>\n");
}


static u_char *
ngx_http_dt_html_counters(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    uint64_t    requests, reasons;
    ngx_uint_t  i;

    requests = 0;
    reasons = 0;

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        requests += stats->requests[i];
    }

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        reasons += stats->reasons[i];
    }

    reasons -= stats->reasons[NGX_HTTP_DT_R_TYPE];

    p = ngx_slprintf(p, last, "<h2>Requests</h2>\n<div><table>\n<tr>"
                     "<th scope=\"col\">status</th>"
                     "<th scope=\"col\">requests</th>"
                     "<th scope=\"col\">share</th></tr>\n");

    for (i = 0; i < NGX_HTTP_DT_STATUSES; i++) {
        p = ngx_http_dt_html_count(p, last, &ngx_http_dt_statuses[i],
                                   stats->requests[i], requests);
    }

    p = ngx_slprintf(p, last, "</table></div>\n"
                     "<p>Not counted here: %uL responses that are no "
                     "pages, as style sheets and pictures are "
                     "(<code>type</code>).</p>\n",
                     stats->reasons[NGX_HTTP_DT_R_TYPE]);

    if (reasons == 0) {
        return p;
    }

    p = ngx_slprintf(p, last,
                     "<h2>Why pages pass</h2>\n<div><table>\n<tr>"
                     "<th scope=\"col\">reason</th>"
                     "<th scope=\"col\">requests</th>"
                     "<th scope=\"col\">share</th></tr>\n");

    for (i = NGX_HTTP_DT_R_NONE + 1;
         i < NGX_HTTP_DT_REASONS;
         i++)
    {
        if (stats->reasons[i] && i != NGX_HTTP_DT_R_TYPE) {
            p = ngx_http_dt_html_count(p, last, &ngx_http_dt_reasons[i],
                                       stats->reasons[i], reasons);
        }
    }

    return ngx_slprintf(p, last, "</table></div>\n");
}


static u_char *
ngx_http_dt_html_sites(u_char *p, u_char *last, ngx_http_dt_stats_t *stats,
    ngx_str_t *preview)
{
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    p = ngx_slprintf(p, last, "<h2>Sites</h2>\n"
                     "<div><table class=\"sites\">\n<tr>"
                     "<th scope=\"col\">site</th>"
                     "<th scope=\"col\">words that are template</th>"
                     "<th scope=\"col\">version</th>"
                     "<th scope=\"col\">age</th>"
                     "<th scope=\"col\">from</th>"
                     "<th scope=\"col\">patterns</th>"
                     "<th scope=\"col\">guarded</th>"
                     "<th scope=\"col\">pages loaded</th>"
                     "<th scope=\"col\">compared</th>"
                     "<th scope=\"col\">size</th></tr>\n");

    for (i = 0; i < stats->nsites; i++) {
        row = &stats->sites[i];

        if (row->info.version == 0) {
            continue;
        }

        p = ngx_slprintf(p, last, "<tr><th scope=\"row\">");
        p = ngx_http_dt_html_escape(p, last, &row->name);

        if (preview->data && row->url.len) {
            p = ngx_http_dt_html_link(p, last, &row->url, preview);
        }

        p = ngx_slprintf(p, last, "</th><td>");
        p = ngx_http_dt_html_share(p, last, row->info.coverage, 1000);
        p = ngx_slprintf(p, last, "</td><td>%uD</td><td>", row->info.version);
        p = ngx_http_dt_html_age(p, last, ngx_time() - row->info.learned_at);
        p = ngx_slprintf(p, last, "</td><td>%V</td><td>%uD</td><td>%uD</td>"
                         "<td>%uD</td><td>%uD</td><td>",
                         &ngx_http_dt_sources[row->source],
                         row->info.patterns, row->info.guarded,
                         row->info.pages, row->info.candidates);
        p = ngx_http_dt_html_bytes(p, last, row->size);
        p = ngx_slprintf(p, last, "</td></tr>\n");
    }

    return ngx_slprintf(p, last, "</table></div>\n"
                        "<p>Guarded patterns repeat, but stay, as a page "
                        "would lose too much with them. Compared pages all "
                        "link to one another, and the key page was compared "
                        "with them.</p>\n");
}


/* links to the last key page */

static u_char *
ngx_http_dt_html_link(u_char *p, u_char *last, ngx_str_t *url,
    ngx_str_t *preview)
{
    p = ngx_slprintf(p, last, " <a href=\"");
    p = ngx_http_dt_html_escape(p, last, url);

    if (preview->len) {
        p = ngx_slprintf(p, last, "%s%V",
                         ngx_strlchr(url->data, url->data + url->len, '?')
                         ? "&amp;" : "?", preview);
    }

    return ngx_slprintf(p, last, "\">preview</a>");
}


static u_char *
ngx_http_dt_html_without(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    for (i = 0; i < stats->nsites && stats->sites[i].info.version; i++) {
        /* void */
    }

    if (i == stats->nsites) {
        return p;
    }

    p = ngx_slprintf(p, last, "<h2>Sites without a template</h2>\n"
                     "<div><table>\n<tr>"
                     "<th scope=\"col\">site</th>"
                     "<th scope=\"col\">learning</th>"
                     "<th scope=\"col\">why it failed</th>"
                     "<th scope=\"col\">page</th>"
                     "<th scope=\"col\">since</th>"
                     "<th scope=\"col\">next in</th></tr>\n");

    for (i = 0; i < stats->nsites; i++) {
        row = &stats->sites[i];

        if (row->info.version) {
            continue;
        }

        p = ngx_slprintf(p, last, "<tr><th scope=\"row\">");
        p = ngx_http_dt_html_escape(p, last, &row->name);
        p = ngx_slprintf(p, last, "</th><td>%V</td><td>",
                         &ngx_http_dt_states[row->state]);

        p = ngx_http_dt_html_escape(p, last, &row->reason);

        if (row->detail.len) {
            p = ngx_slprintf(p, last, ": ");
            p = ngx_http_dt_html_escape(p, last, &row->detail);
        }

        p = ngx_slprintf(p, last, "%s</td><td>",
                         row->reason.len == 6
                         && ngx_strncmp(row->reason.data, "denied", 6) == 0
                         ? ", see detemplate_learner_address" : "");
        p = ngx_http_dt_html_escape(p, last, &row->page);
        p = ngx_slprintf(p, last, "</td><td>");

        if (row->failed_at) {
            p = ngx_http_dt_html_age(p, last, ngx_time() - row->failed_at);
        }

        p = ngx_slprintf(p, last, "</td><td>");
        p = ngx_http_dt_html_age(p, last, (row->wait + 999) / 1000);
        p = ngx_slprintf(p, last, "</td></tr>\n");
    }

    return ngx_slprintf(p, last, "</table></div>\n");
}


static u_char *
ngx_http_dt_html_off(u_char *p, u_char *last, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t          i;
    ngx_http_dt_row_t  *row;

    if (stats->noff == 0) {
        return p;
    }

    p = ngx_slprintf(p, last, "<h2>Pages off the template</h2>\n"
                     "<p>They showed nothing of what their site has "
                     "elsewhere.</p>\n"
                     "<div><table>\n<tr>"
                     "<th scope=\"col\">site</th>"
                     "<th scope=\"col\">page</th>"
                     "<th scope=\"col\">since</th></tr>\n");

    for (i = 0; i < stats->noff; i++) {
        row = &stats->off[i];

        p = ngx_slprintf(p, last, "<tr><th scope=\"row\">");
        p = ngx_http_dt_html_escape(p, last, &row->name);
        p = ngx_slprintf(p, last, "</th><td>");
        p = ngx_http_dt_html_escape(p, last, &row->page);
        p = ngx_slprintf(p, last, "</td><td>");
        p = ngx_http_dt_html_age(p, last, ngx_time() - row->failed_at);
        p = ngx_slprintf(p, last, "</td></tr>\n");
    }

    return ngx_slprintf(p, last, "</table></div>\n");
}


static u_char *
ngx_http_dt_html_count(u_char *p, u_char *last, ngx_str_t *name, uint64_t n,
    uint64_t total)
{
    p = ngx_slprintf(p, last, "<tr><th scope=\"row\">%V</th><td>%uL</td><td>",
                     name, n);
    p = ngx_http_dt_html_share(p, last, n, total);

    return ngx_slprintf(p, last, "</td></tr>\n");
}


/* the number is text, so the bar is hidden from screen readers */

static u_char *
ngx_http_dt_html_share(u_char *p, u_char *last, uint64_t n, uint64_t total)
{
    uint64_t  permille;

    /* counters may have changed while they were added up */

    permille = total ? (ngx_min(n, total) * 1000 + total / 2) / total : 0;

    return ngx_slprintf(p, last,
                        "%uL.%uL %% <meter max=\"1000\" value=\"%uL\" "
                        "aria-hidden=\"true\"></meter>",
                        permille / 10, permille % 10, permille);
}


static u_char *
ngx_http_dt_html_bytes(u_char *p, u_char *last, uint64_t n)
{
    ngx_uint_t  i;

    static char  *units[] = { "KiB", "MiB", "GiB", "TiB" };

    if (n < 1024) {
        return ngx_slprintf(p, last, "%uL bytes", n);
    }

    for (i = 0; i < 3 && n >= 1024 * 1024; i++) {
        n /= 1024;
    }

    return ngx_slprintf(p, last, "%uL.%uL %s", n / 1024, n % 1024 * 10 / 1024,
                        units[i]);
}


static u_char *
ngx_http_dt_html_age(u_char *p, u_char *last, time_t seconds)
{
    if (seconds < 120) {
        return ngx_slprintf(p, last, "%T s", ngx_max(seconds, 0));
    }

    if (seconds < 2 * 60 * 60) {
        return ngx_slprintf(p, last, "%T min", seconds / 60);
    }

    if (seconds < 2 * 24 * 60 * 60) {
        return ngx_slprintf(p, last, "%T h", seconds / (60 * 60));
    }

    return ngx_slprintf(p, last, "%T days", seconds / (24 * 60 * 60));
}


/* the buffer should have room for the longest form; else nothing is written */

static u_char *
ngx_http_dt_html_escape(u_char *p, u_char *last, ngx_str_t *text)
{
    if ((size_t) (last - p)
        < NGX_HTTP_DT_HTML_ESCAPED * text->len)
    {
        return p;
    }

    return (u_char *) ngx_escape_html(p, text->data, text->len);
}
