
/*
 * Copyright (C) The detemplate authors
 *
 * The command learn: dt_learn() with pages from the network or from a folder,
 * and a report.  What of the key page is template is told by the rewriter
 * itself: the report shows what serving would cut, not what learning meant.
 */


#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/web/fetch.h"
#include "core/learn/learn.h"
#include "core/learn/links.h"
#include "core/web/robots.h"
#include "core/template/template.h"
#include "core/web/url.h"
#include "cli.h"
#include "cli_cut.h"


#define DT_CLI_AGENT "detemplate"
#define DT_CLI_PAGE_MAX (4u << 20)
#define DT_CLI_WORDS 72


typedef struct {
    const dt_cli_args_t *args;
    dt_arena_t *arena; /* for what lives as long as the command */
    dt_url_t url;      /* of the key page */

    dt_fetcher_t *fetcher; /* or files */
    dt_fetch_files_t files;
    dt_robots_t *robots; /* NULL: everything is allowed */

    void *prev;
    size_t prev_len;

    char *key; /* bytes of the key page, once it is loaded */
    size_t key_len;

    unsigned regions; /* of it, reported */
} dt_cli_job_t;


static int
dt_cli_allowed(void *data, const char *target)
{
    const dt_cli_job_t *job = data;

    return dt_robots_allowed(job->robots, dt_cstr(target));
}


/* gets a page as the job's source does, and keeps the key page's bytes */
static void
dt_cli_fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_cli_job_t *job = data;

    if (job->fetcher != NULL) {
        dt_fetcher_get(job->fetcher, url, a, out);

    } else {
        dt_fetch_file(&job->files, url, a, out);
    }

    if (job->key != NULL || strcmp(url, job->url.href.data) != 0) {
        return;
    }

    if (out->rc == DT_OK && out->body.len != 0) {
        job->key = malloc(out->body.len);

        if (job->key != NULL) {
            memcpy(job->key, out->body.data, out->body.len);
            job->key_len = out->body.len;
        }
    }
}


static void
dt_cli_progress(void *data, const char *url, const char *what)
{
    (void) data;

    fprintf(stderr, "%-12s ", what);
    dt_cli_print(stderr, dt_cstr(url));
    fputc('\n', stderr);
}


/*
 * RFC 9309: no robots.txt (4xx) allows everything; one that cannot be had
 * (5xx, or no answer) forbids everything.
 */
static int
dt_cli_robots(dt_cli_job_t *job)
{
    char *url;
    dt_url_t *u = &job->url;
    dt_fetched_t page;

    if (asprintf(&url, "%s://%s/robots.txt", u->scheme.data, u->host.data)
        == -1) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    memset(&page, 0, sizeof(page));
    dt_fetcher_get_raw(job->fetcher, url, job->arena, &page);
    free(url);

    if (page.status >= 400 && page.status < 500) {
        return DT_EXIT_OK;
    }

    if (page.status != 200) {
        return dt_cli_error(DT_EXIT_IO, "robots.txt cannot be had: %s",
                            page.errstr[0] ? page.errstr : page.reason);
    }

    if (dt_robots_parse(page.body, dt_str(DT_CLI_AGENT), job->arena,
                        &job->robots)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    return DT_EXIT_OK;
}


static int
dt_cli_from_network(dt_cli_job_t *job)
{
    dt_fetch_opts_t o;

    if (dt_url_resolve(NULL, dt_cstr(job->args->arg), job->arena, &job->url)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE, "not an http URL: %s",
                            job->args->arg);
    }

    dt_fetch_opts_init(&o);
    o.connect_to = job->args->connect;

    job->fetcher = dt_fetcher_create(&o);
    if (job->fetcher == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    return dt_cli_robots(job);
}


static int
dt_cli_from_files(dt_cli_job_t *job)
{
    const char *base = job->args->base;
    dt_url_t u;

    if (base == NULL) {
        base = "http://localhost/";
    }

    if (base[0] == '\0' || base[strlen(base) - 1] != '/'
        || dt_url_resolve(NULL, dt_cstr(base), job->arena, &u) != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base must be an http URL that ends in \"/\"");
    }

    job->files.root = job->args->root;
    job->files.base = u.href.data;

    if (dt_url_resolve(&u, dt_cstr(job->args->arg), job->arena, &job->url)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE, "not a page: %s", job->args->arg);
    }

    return DT_EXIT_OK;
}


/* prints one region of the key page */
static void
dt_cli_region(void *data, uint64_t start, uint64_t end)
{
    dt_cli_job_t *job = data;
    char buf[DT_CLI_WORDS];
    dt_str_t words;

    words = dt_cli_words((dt_str_t){ end - start, job->key + start }, buf,
                         sizeof(buf));

    if (job->args->json) {
        printf("%s{\"start\":%" PRIu64 ",\"length\":%" PRIu64 ",\"text\":",
               job->regions++ ? "," : "", start, end - start);
        dt_cli_print_json(stdout, words);
        fputc('}', stdout);

    } else {
        printf("  %8" PRIu64 "  %8" PRIu64 "  ", start, end - start);
        dt_cli_print(stdout, words);
        fputc('\n', stdout);
    }
}


/* lists what a template would cut from the key page */
static int
dt_cli_regions(dt_cli_job_t *job, const dt_learned_t *l)
{
    if (job->key == NULL || l->bytes == NULL) {
        return DT_EXIT_OK;
    }

    return dt_cli_cuts(l->bytes, (dt_str_t){ job->key_len, job->key },
                       &job->url, dt_cli_region, job)
                   == DT_OK
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, "out of memory");
}


static int
dt_cli_report_json(dt_cli_job_t *job, dt_status_t rc, const dt_learned_t *l)
{
    int code;
    const dt_learned_page_t *p;

    fputs("{\"url\":", stdout);
    dt_cli_print_json(stdout, job->url.href);
    printf(",\"learned\":%s,\"reason\":", rc == DT_OK ? "true" : "false");
    dt_cli_print_json(stdout, dt_cstr(l->reason ? l->reason : "error"));
    printf(",\"loads\":%u,\"tries\":%u,\"candidates\":%u,\"patterns\":%u,"
           "\"guarded\":%u,\"size\":%zu,"
           "\"static_bytes\":%u,\"static_words\":%u,\"words\":%u,"
           "\"coverage\":%.3f,\"pages\":[",
           l->loads, l->tries, l->candidates, l->patterns, l->guarded, l->len,
           l->static_bytes, l->static_words, l->words, l->coverage);

    for (size_t i = 0; i < l->npages; i++) {
        p = &l->pages[i];
        fputs(i ? ",{\"url\":" : "{\"url\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(p->url));
        fputs(",\"result\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(p->result));
        printf(",\"in_cs\":%s}", p->in_cs ? "true" : "false");
    }

    fputs("],\"regions\":[", stdout);
    code = dt_cli_regions(job, l);
    fputs("]}\n", stdout);

    return code;
}


static int
dt_cli_report(dt_cli_job_t *job, const dt_learned_t *l)
{
    const dt_learned_page_t *p;

    printf("pages, in the order of loading (*: in the complete "
           "subdigraph):\n");

    for (size_t i = 0; i < l->npages; i++) {
        p = &l->pages[i];
        printf("%c %-12s ", p->in_cs ? '*' : ' ', p->result);
        dt_cli_print(stdout, dt_cstr(p->url));
        fputc('\n', stdout);
    }

    printf("loaded         %u pages, of %u asked for\n", l->loads, l->tries);
    printf("subdigraph     %u pages\n", l->candidates);

    if (l->bytes == NULL) {
        printf("no template    %s\n", l->reason ? l->reason : "error");
        return DT_EXIT_OK;
    }

    printf("template       %u patterns, %u guarded, %zu bytes\n", l->patterns,
           l->guarded, l->len);
    printf("of the key page %u bytes, %u of %u words (%.1f%%):\n",
           l->static_bytes, l->static_words, l->words, l->coverage * 100);
    printf("     start    length  first words\n");

    return dt_cli_regions(job, l);
}


static int
dt_cli_run(dt_cli_job_t *job)
{
    int code, written;
    dt_status_t rc;
    dt_learned_t l;
    dt_learn_opts_t o;
    const dt_cli_args_t *args = job->args;

    /* as it will be asked for */

    if (dt_links_plain(&job->url, job->arena) != DT_OK) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_learn_opts_init(&o);
    o.url = job->url.href.data;
    o.candidates = args->candidates ? args->candidates : o.candidates;
    o.votes = args->votes ? args->votes : o.votes;
    o.loads = args->loads ? args->loads : o.loads;
    o.fetch = dt_cli_fetch;
    o.fetch_data = job;
    o.allowed = job->robots ? dt_cli_allowed : NULL;
    o.allowed_data = job;
    o.prev = job->prev;
    o.prev_len = job->prev_len;
    o.now = time(NULL);

    if (isatty(STDERR_FILENO)) {
        o.progress = dt_cli_progress;
    }

    if (args->detector != NULL) {
        o.detector = dt_detector_find(dt_cstr(args->detector));

        if (o.detector == NULL) {
            return dt_cli_error(DT_EXIT_USAGE,
                                "no detector \"%s\": see \"detemplate "
                                "detectors\"",
                                args->detector);
        }
    }

    if (o.votes > o.candidates) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "%u votes of %u candidates cannot be had", o.votes,
                            o.candidates);
    }

    rc = dt_learn(&o, &l);

    code =
        args->json ? dt_cli_report_json(job, rc, &l) : dt_cli_report(job, &l);

    if (rc != DT_OK) {
        code = rc == DT_EIO || rc == DT_ENOMEM || rc == DT_EBUG
                   ? DT_EXIT_IO
                   : DT_EXIT_NOTHING;

        dt_cli_error(code, "nothing learned: %s%s%s",
                     l.reason ? l.reason : dt_strstatus(rc),
                     l.errstr[0] ? ": " : "", l.errstr);

    } else if (args->out != NULL) {
        written = dt_cli_write_file(args->out, l.bytes, l.len);
        code = written != DT_EXIT_OK ? written : code;
    }

    dt_learned_free(&l);

    return code;
}


int
dt_cli_learn(const dt_cli_args_t *args)
{
    int code = DT_EXIT_OK;
    dt_cli_job_t job;

    if (args->root != NULL ? args->connect != NULL : args->base != NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base goes with --root, --connect without");
    }

    memset(&job, 0, sizeof(job));
    job.args = args;

    job.arena = dt_arena_create(2 * DT_CLI_PAGE_MAX);
    if (job.arena == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (args->prev != NULL) {
        job.prev = dt_cli_read_template(args->prev, &job.prev_len, &code);
    }

    if (code == DT_EXIT_OK) {
        code = args->root != NULL ? dt_cli_from_files(&job)
                                  : dt_cli_from_network(&job);
    }

    if (code == DT_EXIT_OK) {
        code = dt_cli_run(&job);
    }

    if (job.fetcher != NULL) {
        dt_fetcher_destroy(job.fetcher);
    }

    dt_arena_destroy(job.arena);
    free(job.prev);
    free(job.key);

    return code;
}
