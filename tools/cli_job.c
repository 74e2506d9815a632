
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>
#include <unistd.h>

#include "core/learn/links.h"
#include "cli_job.h"


#define DT_CLI_AGENT "detemplate"
#define DT_CLI_PAGE_MAX (4u << 20)


static int
dt_cli_allowed(void *data, const char *target)
{
    const dt_cli_job_t *job = data;

    return dt_robots_allowed(job->robots, dt_cstr(target));
}


/* fetches a page from the job's source, and keeps the key page's bytes */
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
 * RFC 9309: without a robots.txt (4xx) everything is allowed.  When it cannot
 * be fetched (5xx, no answer, or not all of it), everything is forbidden.
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

    if (page.status != 200 || page.rc != DT_OK) {
        return dt_cli_error(DT_EXIT_IO, "robots.txt cannot be fetched: %s",
                            page.errstr[0] ? page.errstr : page.reason);
    }

    if (dt_robots_parse(page.body, dt_str(DT_CLI_AGENT), job->arena,
                        &job->robots)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_fetcher_ask(job->fetcher, dt_cli_allowed, job);

    return DT_EXIT_OK;
}


static int
dt_cli_from_network(dt_cli_job_t *job, int robots)
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
    o.learns = robots != 0;

    job->fetcher = dt_fetcher_create(&o);
    if (job->fetcher == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    return robots ? dt_cli_robots(job) : DT_EXIT_OK;
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
        return dt_cli_error(DT_EXIT_USAGE, "not the path of a page: %s",
                            job->args->arg);
    }

    return DT_EXIT_OK;
}


int
dt_cli_job_learn(dt_cli_job_t *job, dt_status_t *rc, dt_learned_t *l)
{
    dt_learn_opts_t o;
    const dt_cli_args_t *args = job->args;

    /* the URL as it will be requested */

    if (dt_links_plain(&job->url, job->arena) != DT_OK) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_learn_opts_init(&o);
    o.url = job->url.href.data;
    o.candidates = args->candidates ? args->candidates : o.candidates;
    o.votes = args->votes ? args->votes : o.votes;
    o.loads = args->loads ? args->loads : o.loads;

    /* votes and loads that are not given depend on the candidates, as in nginx
     */

    if (args->votes == 0 && o.votes > o.candidates) {
        o.votes = o.candidates;
    }

    if (args->loads == 0 && o.loads < o.candidates) {
        o.loads = o.candidates;
    }

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
                                "unknown detector \"%s\": see \"detemplate "
                                "detectors\"",
                                args->detector);
        }
    }

    if (o.votes > o.candidates) {
        return dt_cli_error(
            DT_EXIT_USAGE, "%u votes need at least as many candidates, not %u",
            o.votes, o.candidates);
    }

    *rc = dt_learn(&o, l);

    return DT_EXIT_OK;
}


int
dt_cli_job_failed(dt_status_t rc, const dt_learned_t *l)
{
    int code = rc == DT_EIO || rc == DT_ENOMEM || rc == DT_EBUG
                   ? DT_EXIT_IO
                   : DT_EXIT_NOTHING;

    return dt_cli_error(code, "nothing learned: %s%s%s",
                        l->reason ? l->reason : dt_strstatus(rc),
                        l->errstr[0] ? ": " : "", l->errstr);
}


int
dt_cli_job_load(dt_cli_job_t *job)
{
    dt_fetched_t page;

    memset(&page, 0, sizeof(page));
    dt_cli_fetch(job, job->url.href.data, job->arena, &page);

    if (page.rc != DT_OK || job->key == NULL) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s%s%s", job->args->arg,
                            page.reason ? page.reason : "empty",
                            page.errstr[0] ? ": " : "", page.errstr);
    }

    return DT_EXIT_OK;
}


int
dt_cli_job_open(dt_cli_job_t *job, const dt_cli_args_t *args, int robots)
{
    int code = DT_EXIT_OK;

    memset(job, 0, sizeof(dt_cli_job_t));
    job->args = args;

    if (args->root != NULL ? args->connect != NULL : args->base != NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base needs --root, and --connect excludes it");
    }

    job->arena = dt_arena_create(4 * DT_CLI_PAGE_MAX);
    if (job->arena == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (args->prev != NULL) {
        job->prev =
            dt_cli_read_template(args->prev, &job->prev_len, NULL, &code);
    }

    if (code == DT_EXIT_OK) {
        code = args->root != NULL ? dt_cli_from_files(job)
                                  : dt_cli_from_network(job, robots);
    }

    return code;
}


void
dt_cli_job_close(dt_cli_job_t *job)
{
    if (job->fetcher != NULL) {
        dt_fetcher_destroy(job->fetcher);
    }

    dt_arena_destroy(job->arena);
    free(job->prev);
    free(job->key);
}
