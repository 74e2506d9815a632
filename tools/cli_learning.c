
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>
#include <unistd.h>

#include "tools/cli_learning.h"
#include "core/base/wire.h"
#include "core/learn/learn.h"
#include "cli_learning.h"
#include "core/learn/links.h"
#include "core/web/robots.h"


#define DT_CLI_PAGE_MAX (4u << 20)


/*
 * Refuses a page that nginx has changed: nothing can be learned from it, and
 * its places are not those of the whole page.
 */
static void
dt_cli_whole(const dt_cli_learning_t *learning, dt_fetched_t *out)
{
    static const char *const changed[] = { "mode=strip", "mode=annotate",
                                           "mode=preview" };

    for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {

        if (out->rc == DT_OK && out->served.len
            && memmem(out->served.data, out->served.len, changed[i],
                      strlen(changed[i]))
                   != NULL)
        {
            out->rc = DT_DECLINED;
            out->reason = "not whole";
            (void) snprintf(out->errstr, sizeof(out->errstr),
                            "nginx has changed the page (%.40s)%s", changed[i],
                            learning->args->snapshot
                                ? "; the secret in --snapshot is not that "
                                  "of this nginx"
                                : "; ask for the whole one with --snapshot "
                                  "DIR, or the origin with --connect");
        }
    }
}


/* shows on a terminal which page a slow server is asked for; NULL: none */
static void
dt_cli_waiting(const char *url)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }

    fputs("\r\033[K", stderr);

    if (url != NULL) {
        fprintf(stderr, "%-12s ", "waiting for");
        dt_cli_print(stderr, dt_cstr(url));
    }

    fflush(stderr);
}


/* keeps the key page's bytes */
static void
dt_cli_key_page(dt_cli_learning_t *learning, const char *url,
                const dt_fetched_t *out)
{
    if (learning->key != NULL || strcmp(url, learning->url.href.data) != 0) {
        return;
    }

    if (out->rc == DT_OK && out->body.len != 0) {
        learning->key = malloc(out->body.len);

        if (learning->key != NULL) {
            memcpy(learning->key, out->body.data, out->body.len);
            learning->key_len = out->body.len;
        }
    }
}


/* fetches a page from the learning's source */
static void
dt_cli_fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_cli_learning_t *learning = data;

    if (learning->fetcher != NULL) {
        dt_cli_waiting(url);
        dt_fetcher_get(learning->fetcher, url, a, out);
        dt_cli_waiting(NULL);
        dt_cli_whole(learning, out);

    } else {
        dt_fetch_file(&learning->files, url, a, out);
    }

    dt_cli_key_page(learning, url, out);
}


static void
dt_cli_fetch_many(void *data, dt_fetch_t *pages, unsigned n)
{
    unsigned i;
    dt_cli_learning_t *learning = data;

    dt_cli_waiting(pages[0].url);
    dt_fetcher_get_many(learning->fetcher, pages, n);
    dt_cli_waiting(NULL);

    for (i = 0; i < n; i++) {
        dt_cli_whole(learning, &pages[i].got);
        dt_cli_key_page(learning, pages[i].url, &pages[i].got);
    }
}


static void
dt_cli_fetch_raw(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_cli_learning_t *learning = data;

    dt_fetcher_get_raw(learning->fetcher, url, a, out);
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
 * nginx sends the whole page to each client that knows its secret, as to its
 * learner.  The secret is the file "key" among the snapshots.  Only its owner
 * can read it, so without it the page may come changed, which is noticed.
 */
static void
dt_cli_secret(dt_fetch_opts_t *o, const char *dir, char *header, size_t size)
{
    FILE *f = NULL;
    char *name, key[65] = "";

    if (asprintf(&name, "%s/key", dir) != -1) {
        f = fopen(name, "rb");
        free(name);
    }

    if (f != NULL) {
        key[fread(key, 1, sizeof(key) - 1, f)] = '\0';
        fclose(f);
    }

    if (key[0] != '\0' && key[strspn(key, "0123456789abcdef")] == '\0') {
        (void) snprintf(header, size, DT_JOB_MARKER ": %s", key);
        o->header = header;
    }
}


static int
dt_cli_from_network(dt_cli_learning_t *learning, int robots)
{
    char header[128];
    dt_fetch_opts_t o;
    const dt_cli_args_t *args = learning->args;

    if (dt_url_resolve(NULL, dt_cstr(learning->args->arg), learning->arena,
                       &learning->url)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE, "not an http URL: %s",
                            learning->args->arg);
    }

    dt_fetch_opts_init(&o);
    o.connect_to = args->connect;
    o.learns = robots != 0;
    o.paced = 1;

    /* the secret must not leave this machine, where the snapshots are, unless
       the user says where nginx is */

    if (args->snapshot != NULL) {
        o.connect_to = args->connect ? args->connect : "127.0.0.1:";
        dt_cli_secret(&o, args->snapshot, header, sizeof(header));
    }

    learning->fetcher = dt_fetcher_create(&o);
    if (learning->fetcher == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (!robots) {
        return DT_EXIT_OK;
    }

    if (dt_robots_get(dt_cli_fetch_raw, learning, &learning->url,
                      learning->arena, &learning->robots)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_fetcher_obey(learning->fetcher, learning->robots);

    return DT_EXIT_OK;
}


static int
dt_cli_from_files(dt_cli_learning_t *learning)
{
    const char *base = learning->args->base;
    dt_url_t u;

    if (base == NULL) {
        base = "http://localhost/";
    }

    if (base[0] == '\0' || base[strlen(base) - 1] != '/'
        || dt_url_resolve(NULL, dt_cstr(base), learning->arena, &u) != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base must be an http URL that ends in \"/\"");
    }

    learning->files.root = learning->args->root;
    learning->files.base = u.href.data;

    if (dt_url_resolve(&u, dt_cstr(learning->args->arg), learning->arena,
                       &learning->url)
        != DT_OK)
    {
        return dt_cli_error(DT_EXIT_USAGE, "not the path of a page: %s",
                            learning->args->arg);
    }

    return DT_EXIT_OK;
}


int
dt_cli_learning_run(dt_cli_learning_t *learning, dt_status_t *rc,
                    dt_learned_t *l)
{
    dt_learn_opts_t o;
    const dt_cli_args_t *args = learning->args;

    /* the URL as it will be requested */

    if (dt_links_plain(&learning->url, learning->arena) != DT_OK) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    dt_learn_opts_init(&o);
    o.url = learning->url.href.data;
    o.candidates = args->candidates ? args->candidates : o.candidates;
    o.votes = args->votes;
    o.loads = args->loads ? args->loads : o.loads;

    /* of loads and candidates, those that are not given depend on the others,
       as in nginx */

    if (args->candidates == 0 && o.candidates > o.loads) {
        o.candidates = o.loads;
    }

    if (args->loads == 0 && o.loads < o.candidates) {
        o.loads = o.candidates;
    }

    o.fetch = dt_cli_fetch;

    if (learning->fetcher != NULL) {
        o.fetch_many = dt_cli_fetch_many;
        o.fetch_raw = dt_cli_fetch_raw;
    }

    o.fetch_data = learning;
    o.robots = learning->robots;
    o.once = learning->fetcher ? 1 : o.once;
    o.prev = learning->prev;
    o.prev_len = learning->prev_len;
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

    if (args->votes > o.candidates) {
        return dt_cli_error(
            DT_EXIT_USAGE, "%u votes need at least as many candidates, not %u",
            o.votes, o.candidates);
    }

    *rc = dt_learn(&o, l);

    return DT_EXIT_OK;
}


int
dt_cli_learning_failed(dt_status_t rc, const dt_learned_t *l)
{
    int code = rc == DT_EIO || rc == DT_ENOMEM || rc == DT_EBUG
                   ? DT_EXIT_IO
                   : DT_EXIT_NOTHING;

    return dt_cli_error(code, "nothing learned: %s%s%s",
                        l->reason ? l->reason : dt_strstatus(rc),
                        l->errstr[0] ? ": " : "", l->errstr);
}


int
dt_cli_learning_key_page(dt_cli_learning_t *learning)
{
    dt_fetched_t page;

    memset(&page, 0, sizeof(page));
    dt_cli_fetch(learning, learning->url.href.data, learning->arena, &page);

    if (page.rc != DT_OK || learning->key == NULL) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s%s%s", learning->args->arg,
                            page.reason ? page.reason : "empty",
                            page.errstr[0] ? ": " : "", page.errstr);
    }

    return DT_EXIT_OK;
}


int
dt_cli_learning_open(dt_cli_learning_t *learning, const dt_cli_args_t *args,
                     int robots)
{
    int code = DT_EXIT_OK;

    memset(learning, 0, sizeof(dt_cli_learning_t));
    learning->args = args;

    if (args->root != NULL ? args->connect != NULL : args->base != NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base needs --root, and --connect excludes it");
    }

    learning->arena = dt_arena_create(4 * DT_CLI_PAGE_MAX);
    if (learning->arena == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (args->prev != NULL) {
        learning->prev =
            dt_cli_read_template(args->prev, &learning->prev_len, NULL, &code);
    }

    if (code == DT_EXIT_OK) {
        code = args->root != NULL ? dt_cli_from_files(learning)
                                  : dt_cli_from_network(learning, robots);
    }

    return code;
}


void
dt_cli_learning_close(dt_cli_learning_t *learning)
{
    if (learning->fetcher != NULL) {
        dt_fetcher_destroy(learning->fetcher);
    }

    dt_arena_destroy(learning->arena);
    free(learning->prev);
    free(learning->key);
}
