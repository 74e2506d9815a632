
/*
 * Copyright (C) The detemplate authors
 *
 * The status as a page for people.  Its tables read well aloud and in text
 * browsers; each share also has a bar.  There is no script, and text from
 * outside is escaped.
 */


#include "ngx_module/status/html.h"
#include "ngx_module/status/facts.h"


#define NGX_HTTP_DT_HTML_ESCAPED  (sizeof("&quot;") - 1)


static void ngx_http_dt_html_counters(ngx_http_dt_out_t *out,
    ngx_http_dt_stats_t *stats);
static void ngx_http_dt_html_table(ngx_http_dt_out_t *out, char *heading,
    ngx_str_t *words, ngx_uint_t *counts, ngx_uint_t n, ngx_uint_t all);
static void ngx_http_dt_html_list(ngx_http_dt_out_t *out,
    ngx_http_dt_stats_t *stats, ngx_uint_t list, ngx_str_t *preview);
static void ngx_http_dt_html_cell(ngx_http_dt_out_t *out,
    ngx_http_dt_fact_t *f, ngx_http_dt_row_t *row, ngx_str_t *preview);
static void ngx_http_dt_html_link(ngx_http_dt_out_t *out, ngx_str_t *url,
    ngx_str_t *preview);
static void ngx_http_dt_html_share(ngx_http_dt_out_t *out, uint64_t n,
    uint64_t total);
static void ngx_http_dt_html_bytes(ngx_http_dt_out_t *out, uint64_t n);
static void ngx_http_dt_html_age(ngx_http_dt_out_t *out, time_t seconds);
static void ngx_http_dt_html_text(ngx_http_dt_out_t *out, ngx_str_t *text);


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


void
ngx_http_dt_html(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats,
    ngx_str_t *preview)
{
    ngx_str_t                text;
    ngx_http_dt_fleet_t     *fleet;
    ngx_http_dt_counters_t  *c;

    c = &stats->counters;
    fleet = &stats->fleet;

    ngx_http_dt_put(out, "%s<p>Sites with a template: %uL. Being learned now: "
                    "%uL, waiting for it: %uL. Learnings done: %uL, failed: "
                    "%uL.</p>\n", ngx_http_dt_html_begin, c->sites,
                    c->running, c->queued, c->done, c->failed);

    ngx_http_dt_put(out, "<h2>Sites</h2>\n");
    ngx_http_dt_html_list(out, stats, NGX_HTTP_DT_LIST_SITES, preview);
    ngx_http_dt_put(out, "<p>Guarded patterns repeat, but stay, as a page "
                    "would lose too much with them. Compared pages all link "
                    "to one another, and the key page was compared with "
                    "them.</p>\n");

    if (ngx_http_dt_list_next(stats, NGX_HTTP_DT_LIST_WITHOUT, NULL)) {
        ngx_http_dt_put(out, "<h2>Sites without a template</h2>\n");
        ngx_http_dt_html_list(out, stats, NGX_HTTP_DT_LIST_WITHOUT, preview);
    }

    if (ngx_http_dt_list_next(stats, NGX_HTTP_DT_LIST_OFF, NULL)) {
        ngx_http_dt_put(out, "<h2>Pages off the template</h2>\n"
                        "<p>They showed no part of their site's template.</p>"
                        "\n");
        ngx_http_dt_html_list(out, stats, NGX_HTTP_DT_LIST_OFF, preview);
    }

    ngx_http_dt_html_counters(out, stats);

    ngx_http_dt_put(out, "<h2>Bytes</h2>\n"
                    "<p>Pages that were rewritten had ");
    ngx_http_dt_html_bytes(out, c->in);
    ngx_http_dt_put(out, ", of which ");
    ngx_http_dt_html_bytes(out, c->removed);
    ngx_http_dt_put(out, " are template, ");
    ngx_http_dt_html_share(out, c->removed, c->in);
    ngx_http_dt_put(out, "</p>\n<p>Saved: %uA words of template, which are "
                    "about %uA tokens, or %uL with their markup. By hand: %uA "
                    "cut, %uA kept. Redesigns: %uL.</p>\n", c->words,
                    c->words + c->words / 3, stats->tokens, c->forced,
                    c->kept, c->redesigns);
    ngx_http_dt_put(out, "<h2>Zone</h2>\n<p>Free of ");
    ngx_http_dt_html_bytes(out, stats->size);
    ngx_http_dt_put(out, ": ");
    ngx_http_dt_html_bytes(out, stats->free);
    ngx_http_dt_put(out, ", in use: ");
    ngx_http_dt_html_share(out, stats->size - stats->free, stats->size);
    ngx_http_dt_put(out, "</p>\n"
                    "<p>Sites dropped for room: %uL. Snapshots read: %uL, "
                    "refused: %uL, removed for room: %uL. Templates from "
                    "Redis: %uL, times it failed: %uL.",
                    c->evicted, c->snapshots_taken, c->snapshots_refused,
                    c->snapshots_evicted, c->redis_taken, c->redis_failed);

    if (fleet->since) {
        text.data = fleet->away ? fleet->why : fleet->peer;
        text.len = ngx_strlen(text.data);

        ngx_http_dt_put(out, " Redis is %s: ", fleet->away ? "away" : "there");
        ngx_http_dt_html_text(out, &text);
        ngx_http_dt_put(out, ", for ");
        ngx_http_dt_html_age(out, ngx_time() - fleet->since);
        ngx_http_dt_put(out, ".");
    }

    ngx_http_dt_put(out, "</p>\n"
                    "<p>The same as <a href=\"?format=json\">JSON</a> and "
                    "<a href=\"?format=prometheus\">metrics</a>.</p>\n"
                    "</body>\n"
                    "</html>\n");
}


/* responses that are no pages are told apart */

static void
ngx_http_dt_html_counters(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats)
{
    ngx_uint_t  i, types, reasons;

    types = stats->reasons[NGX_HTTP_DT_R_TYPE];

    ngx_http_dt_put(out, "<h2>Requests</h2>\n");
    ngx_http_dt_html_table(out, "status", ngx_http_dt_statuses,
                           stats->requests, NGX_HTTP_DT_STATUSES, 1);
    ngx_http_dt_put(out, "<p>Not counted here: %ui responses that are no "
                    "pages, as style sheets and pictures are "
                    "(<code>type</code>).</p>\n", types);

    stats->reasons[NGX_HTTP_DT_R_NONE] = 0;
    stats->reasons[NGX_HTTP_DT_R_TYPE] = 0;

    for (i = 0, reasons = 0; i < NGX_HTTP_DT_REASONS; i++) {
        reasons += stats->reasons[i];
    }

    if (reasons) {
        ngx_http_dt_put(out, "<h2>Why pages pass</h2>\n");
        ngx_http_dt_html_table(out, "reason", ngx_http_dt_reasons,
                               stats->reasons, NGX_HTTP_DT_REASONS, 0);
    }

    stats->reasons[NGX_HTTP_DT_R_TYPE] = types;
}


/* the words with their counts; all of them, or those that happened */

static void
ngx_http_dt_html_table(ngx_http_dt_out_t *out, char *heading,
    ngx_str_t *words, ngx_uint_t *counts, ngx_uint_t n, ngx_uint_t all)
{
    uint64_t    total;
    ngx_uint_t  i;

    for (i = 0, total = 0; i < n; i++) {
        total += counts[i];
    }

    ngx_http_dt_put(out, "<div><table>\n<tr>"
                    "<th scope=\"col\">%s</th>"
                    "<th scope=\"col\">requests</th>"
                    "<th scope=\"col\">share</th></tr>\n", heading);

    for (i = 0; i < n; i++) {

        if (!all && counts[i] == 0) {
            continue;
        }

        ngx_http_dt_put(out, "<tr><th scope=\"row\">%V</th><td>%ui</td><td>",
                        &words[i], counts[i]);
        ngx_http_dt_html_share(out, counts[i], total);
        ngx_http_dt_put(out, "</td></tr>\n");
    }

    ngx_http_dt_put(out, "</table></div>\n");
}


static void
ngx_http_dt_html_list(ngx_http_dt_out_t *out, ngx_http_dt_stats_t *stats,
    ngx_uint_t list, ngx_str_t *preview)
{
    char                *tag;
    ngx_http_dt_row_t   *row;
    ngx_http_dt_fact_t  *f, *columns;

    columns = ngx_http_dt_columns[list];

    ngx_http_dt_put(out, "<div><table%s>\n<tr>",
                    (list == NGX_HTTP_DT_LIST_SITES) ? " class=\"sites\""
                                                     : "");

    for (f = columns; f->group; f++) {
        if (f->heading) {
            ngx_http_dt_put(out, "<th scope=\"col\">%s</th>", f->heading);
        }
    }

    ngx_http_dt_put(out, "</tr>\n");

    for (row = ngx_http_dt_list_next(stats, list, NULL);
         row;
         row = ngx_http_dt_list_next(stats, list, row))
    {
        ngx_http_dt_put(out, "<tr>");

        for (f = columns; f->group; f++) {

            if (f->heading == NULL) {
                continue;
            }

            tag = (f == columns) ? "th" : "td";

            ngx_http_dt_put(out, "<%s%s>", tag,
                            (f == columns) ? " scope=\"row\"" : "");
            ngx_http_dt_html_cell(out, f, row, preview);
            ngx_http_dt_put(out, "</%s>", tag);
        }

        ngx_http_dt_put(out, "</tr>\n");
    }

    ngx_http_dt_put(out, "</table></div>\n");
}


static void
ngx_http_dt_html_cell(ngx_http_dt_out_t *out, ngx_http_dt_fact_t *f,
    ngx_http_dt_row_t *row, ngx_str_t *preview)
{
    u_char     *p;
    uint64_t    n;
    ngx_str_t  *text;

    p = (u_char *) row + f->offset;
    n = ngx_http_dt_number(p, f->size);
    text = (ngx_str_t *) p;

    switch (f->kind) {

    case NGX_HTTP_DT_KIND_SHARE:
        ngx_http_dt_html_share(out, n, 1000);
        break;

    case NGX_HTTP_DT_KIND_BYTES:
        ngx_http_dt_html_bytes(out, n);
        break;

    case NGX_HTTP_DT_KIND_TIME:
        if (n) {
            ngx_http_dt_html_age(out, ngx_time() - (time_t) n);
        }

        break;

    case NGX_HTTP_DT_KIND_WAIT:
        ngx_http_dt_html_age(out, (n + 999) / 1000);
        break;

    case NGX_HTTP_DT_KIND_SITE:
        ngx_http_dt_html_text(out, text);

        if (preview->data && row->url.len) {
            ngx_http_dt_html_link(out, &row->url, preview);
        }

        break;

    case NGX_HTTP_DT_KIND_FAILURE:
        ngx_http_dt_html_text(out, text);

        if (row->detail.len) {
            ngx_http_dt_put(out, ": ");
            ngx_http_dt_html_text(out, &row->detail);
        }

        if (text->len == 6 && ngx_strncmp(text->data, "denied", 6) == 0) {
            ngx_http_dt_put(out, ", see detemplate_learner_address");
        }

        break;

    case NGX_HTTP_DT_KIND_TEXT:
        ngx_http_dt_html_text(out, text);
        break;

    default:
        ngx_http_dt_put(out, "%uL", n);
    }
}


/* links to the last key page */

static void
ngx_http_dt_html_link(ngx_http_dt_out_t *out, ngx_str_t *url,
    ngx_str_t *preview)
{
    ngx_http_dt_put(out, " <a href=\"");
    ngx_http_dt_html_text(out, url);

    if (preview->len) {
        ngx_http_dt_put(out, "%s%V",
                        ngx_strlchr(url->data, url->data + url->len, '?')
                        ? "&amp;" : "?", preview);
    }

    ngx_http_dt_put(out, "\">preview</a>");
}


/* the number is text, so the bar is hidden from screen readers */

static void
ngx_http_dt_html_share(ngx_http_dt_out_t *out, uint64_t n, uint64_t total)
{
    uint64_t  permille;

    /* counters may have changed while they were added up */

    permille = total ? (ngx_min(n, total) * 1000 + total / 2) / total : 0;

    ngx_http_dt_put(out, "%uL.%uL %% <meter max=\"1000\" value=\"%uL\" "
                    "aria-hidden=\"true\"></meter>",
                    permille / 10, permille % 10, permille);
}


static void
ngx_http_dt_html_bytes(ngx_http_dt_out_t *out, uint64_t n)
{
    ngx_uint_t  i;

    static char  *units[] = { "KiB", "MiB", "GiB", "TiB" };

    if (n < 1024) {
        ngx_http_dt_put(out, "%uL bytes", n);
        return;
    }

    for (i = 0; i < 3 && n >= 1024 * 1024; i++) {
        n /= 1024;
    }

    ngx_http_dt_put(out, "%uL.%uL %s", n / 1024, n % 1024 * 10 / 1024,
                    units[i]);
}


static void
ngx_http_dt_html_age(ngx_http_dt_out_t *out, time_t seconds)
{
    ngx_uint_t  i;

    static char    *names[] = { "s", "min", "h", "days" };
    static time_t   units[] = { 1, 60, 60 * 60, 24 * 60 * 60 };

    for (i = 0; i < 3 && seconds >= 2 * units[i + 1]; i++) { /* void */ }

    ngx_http_dt_put(out, "%T %s", ngx_max(seconds, 0) / units[i], names[i]);
}


static void
ngx_http_dt_html_text(ngx_http_dt_out_t *out, ngx_str_t *text)
{
    u_char  *p;

    p = ngx_http_dt_room(out, NGX_HTTP_DT_HTML_ESCAPED * text->len);

    if (p) {
        out->buf->last = (u_char *) ngx_escape_html(p, text->data, text->len);
    }
}
