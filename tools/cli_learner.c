
/*
 * Copyright (C) The detemplate authors
 *
 * The command learner, which nginx executes to learn.  It reads a job from
 * standard input and writes the answer to standard output, see
 * core/base/wire.h. It connects to nothing but the site.  nginx has set the
 * limits of time.  The limit of memory is set here, since only the program
 * knows how much it starts with.  System calls are restricted once the job is
 * read.
 */


#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/wire.h"
#include "core/base/arena.h"
#include "core/base/index.h"
#include "core/learn/confine.h"
#include "core/learn/links.h"
#include "core/web/fetch.h"
#include "core/web/robots.h"
#include "core/web/url.h"
#include "core/learn/learn.h"
#include "core/template/template.h"
#include "cli.h"


#define DT_CLI_ROOM ((size_t) 16 << 20) /* bytes for robots.txt and URLs */
#define DT_CLI_PAGE ((size_t) 8 << 20)  /* bytes for a page */

_Static_assert(DT_JOB_TEMPLATE == DT_TEMPLATE_MAX, "any template can be sent");
_Static_assert(DT_JOB_ONCE == DT_FETCH_ONCE, "as many as can be fetched");


/* limits memory; mappings that exist already do not count */
static void
dt_cli_limit_memory(uint32_t mb)
{
    FILE *f;
    unsigned long pages = 0;
    struct rlimit r;

    f = fopen("/proc/self/statm", "r");

    if (f == NULL) {
        return;
    }

    if (fscanf(f, "%lu", &pages) == 1) {
        r.rlim_cur =
            pages * (rlim_t) sysconf(_SC_PAGESIZE) + ((rlim_t) mb << 20);
        r.rlim_max = r.rlim_cur;
        (void) setrlimit(RLIMIT_AS, &r);
    }

    fclose(f);
}


/* reads the whole job from standard input; the caller frees it; NULL: it is
   not a job */
static char *
dt_cli_read_job(size_t *len)
{
    size_t n = dt_wire_head(&dt_wire_job);
    char *p, *buf;

    buf = malloc(n);
    *len = 0;

    if (buf != NULL && fread(buf, n, 1, stdin) == 1) {
        *len = dt_wire_promise(&dt_wire_job, buf, n);
    }

    p = *len && *len != SIZE_MAX ? realloc(buf, *len) : NULL;

    /* nothing may follow the job */

    if (p == NULL || fread(p + n, *len - n, 1, stdin) != 1
        || fgetc(stdin) != EOF) {
        free(p ? p : buf);
        return NULL;
    }

    return p;
}


/* a page of the job's folder, which need not be requested */
typedef struct {
    uint64_t key;     /* see dt_links_key() */
    const char *file; /* path */
    const char *url;
} dt_cli_page_t;


typedef struct {
    dt_fetcher_t *fetcher;
    dt_arena_t *arena;
    dt_index_t pages; /* dt_cli_page_t */
    const char *named[DT_JOB_LOADS];
    size_t n;
} dt_cli_pages_t;


/* the page at a URL, if it is in the folder, or NULL */
static const dt_cli_page_t *
dt_cli_page(const dt_cli_pages_t *p, const char *url)
{
    dt_url_t u;
    const dt_cli_page_t *page = NULL;
    dt_arena_t *a = dt_arena_create(64 * 1024);

    if (a != NULL && dt_url_resolve(NULL, dt_cstr(url), a, &u) == DT_OK) {
        page = dt_index_find(&p->pages, dt_links_key(&u));
    }

    dt_arena_destroy(a);

    return page;
}


static int
dt_cli_page_has(void *data, const char *target)
{
    char url[DT_URL_MAX + 16];

    return snprintf(url, sizeof(url), "http://site%s", target)
               < (int) sizeof(url)
           && dt_cli_page(data, url) != NULL;
}


/* reads a file of the folder; not NULL: its URL, as a string of the arena,
   which stands before the body */
static char *
dt_cli_page_read(const char *file, dt_arena_t *a, dt_str_t *body)
{
    FILE *f;
    char *p, *line = NULL;
    struct stat st;

    f = fopen(file, "rb");
    if (f == NULL) {
        return NULL;
    }

    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode)
        && (p = dt_arena_alloc(a, (size_t) st.st_size + 1)) != NULL)
    {
        body->len = fread(p, 1, (size_t) st.st_size, f);
        line = memchr(p, '\n', body->len);
        body->data = line;
    }

    fclose(f);

    if (line == NULL) {
        return NULL;
    }

    *line = '\0';
    body->data++;
    body->len -= (size_t) (body->data - p);

    return p;
}


/* notes the pages of the folder */
static void
dt_cli_pages_find(dt_cli_pages_t *p, const dt_job_t *job)
{
    DIR *dir;
    char *name, *url;
    dt_url_t u;
    dt_str_t body;
    dt_arena_t *a;
    dt_cli_page_t *page;
    const struct dirent *entry;

    dir = job->pages.len ? opendir(job->pages.data) : NULL;

    if (dir == NULL) {
        return;
    }

    while ((entry = readdir(dir)) != NULL && p->n < DT_JOB_LOADS) {
        a = dt_arena_create(DT_CLI_PAGE);

        if (a != NULL && entry->d_name[0] != '.'
            && asprintf(&name, "%s/%s", job->pages.data, entry->d_name) != -1)
        {
            url = dt_cli_page_read(name, a, &body);

            if (url != NULL
                && dt_url_resolve(NULL, dt_cstr(url), p->arena, &u) == DT_OK
                && (page = dt_index_get(&p->pages, dt_links_key(&u),
                                        DT_JOB_LOADS, p->arena))
                       != NULL)
            {
                page->url = u.href.data;
                page->file = dt_arena_strdup(p->arena, dt_cstr(name)).data;
                p->named[p->n++] = page->url;
            }

            free(name);
        }

        dt_arena_destroy(a);
    }

    closedir(dir);
}


/* a dt_fetch_pt for pages of the folder */
static void
dt_cli_page_fetch(void *data, const char *url, dt_arena_t *a,
                  dt_fetched_t *out)
{
    const dt_cli_page_t *page = dt_cli_page(data, url);

    memset(out, 0, sizeof(*out));

    if (page == NULL || page->file == NULL
        || dt_cli_page_read(page->file, a, &out->body) == NULL)
    {
        out->rc = DT_DECLINED;
        out->reason = "file";
        (void) snprintf(out->errstr, sizeof(out->errstr),
                        "the stored page is gone");
        return;
    }

    out->status = 200;
    out->type = dt_str("text/html");
    out->url = dt_cstr(page->url);
    out->reason = "ok";
}


/* a dt_fetch_many_pt: pages that are not in the folder are requested */
static void
dt_cli_page_fetch_many(void *data, dt_fetch_t *pages, unsigned n)
{
    unsigned i, from = 0;
    dt_cli_pages_t *p = data;

    for (i = 0; i <= n; i++) {
        if (i < n && dt_cli_page(p, pages[i].url) == NULL) {
            continue;
        }

        if (from < i) {
            dt_fetcher_get_many(p->fetcher, pages + from, i - from);
        }

        if (i < n) {
            dt_cli_page_fetch(data, pages[i].url, pages[i].arena,
                              &pages[i].got);
        }

        from = i + 1;
    }
}


static void
dt_cli_page_fetch_raw(void *data, const char *url, dt_arena_t *a,
                      dt_fetched_t *out)
{
    dt_fetcher_get_raw(((dt_cli_pages_t *) data)->fetcher, url, a, out);
}


/* the lines of the text, which are ended by it; returns how many there are */
static size_t
dt_cli_lines(char *text, const char *lines[DT_JOB_VISITED])
{
    size_t n = 0;

    for (char *p = strtok(text, "\n"); p && n < DT_JOB_VISITED;
         p = strtok(NULL, "\n"))
    {
        lines[n++] = p;
    }

    return n;
}


/* reads robots.txt, whose text also names sitemaps, for all that is fetched
   from the site */
static dt_status_t
dt_cli_obey(const dt_job_t *job, dt_fetcher_t *fetcher, dt_arena_t *a,
            dt_robots_t **robots)
{
    dt_url_t url;
    dt_status_t rc;

    rc = dt_url_resolve(NULL, job->url, a, &url);
    rc = rc == DT_OK
             ? dt_robots_get(dt_fetcher_get_raw, fetcher, &url, a, robots)
             : rc;

    if (rc == DT_OK && !job->robots) {
        dt_robots_ignore(*robots);
    }

    if (rc == DT_OK) {
        dt_fetcher_obey(fetcher, *robots);
    }

    return rc;
}


static void
dt_cli_job_fetch(const dt_job_t *job, dt_fetch_opts_t *fo)
{
    dt_fetch_opts_init(fo);
    fo->origin = job->origin.len ? job->origin.data : NULL;
    fo->connect_to = job->connect.len ? job->connect.data : NULL;
    fo->header = job->header.len ? job->header.data : NULL;
    fo->total_ms = job->page_ms;
    fo->all_ms = job->fetch_ms;
    fo->tls_insecure = job->insecure != 0;
    fo->max_requests = job->requests;
    fo->shared = job->shared != 0;
    fo->paced = 1;
    fo->learns = 1;
}


static dt_status_t
dt_cli_learn_job(const dt_job_t *job, dt_learned_t *out, unsigned *requests)
{
    char *visited;
    const char *lines[DT_JOB_VISITED];
    dt_status_t rc = DT_ENOMEM;
    dt_robots_t *robots = NULL;
    dt_cli_pages_t pages = { 0 };
    dt_fetch_opts_t fo;
    dt_learn_opts_t lo;

    dt_cli_job_fetch(job, &fo);

    dt_learn_opts_init(&lo);
    lo.url = job->url.data;
    lo.candidates = job->candidates;
    lo.votes = job->votes;
    lo.loads = job->loads;
    lo.once = job->once;
    lo.detector = dt_detector_find(job->detector);
    lo.prev = job->prev.len ? job->prev.data : NULL;
    lo.prev_len = job->prev.len;

    if (lo.detector == NULL) {
        out->reason = "detector";
        return DT_EINVAL;
    }

    pages.arena = dt_arena_create(DT_CLI_ROOM);
    pages.fetcher = dt_fetcher_create(&fo);
    visited = strdup(job->visited.data);

    if (pages.arena != NULL && pages.fetcher != NULL && visited != NULL
        && dt_index_init(&pages.pages, sizeof(dt_cli_page_t), pages.arena)
               == DT_OK)
    {
        dt_cli_pages_find(&pages, job);
        rc = job->served
                 ? DT_OK
                 : dt_cli_obey(job, pages.fetcher, pages.arena, &robots);
    }

    if (rc != DT_OK) {
        out->reason = rc == DT_ENOMEM ? "memory" : "url";

    } else if (job->served) {
        lo.fetch = dt_cli_page_fetch;
        lo.named = pages.named;
        lo.nnamed = pages.n;
        lo.given = 1;

        /* the key page is one of them, if none says otherwise the first */

        if (pages.n && dt_cli_page(&pages, lo.url) == NULL) {
            lo.url = pages.named[0];
        }

    } else {
        lo.robots = robots;
        lo.fetch_many = dt_cli_page_fetch_many;
        lo.fetch_raw = dt_cli_page_fetch_raw;
        lo.visited = lines;
        lo.nvisited = dt_cli_lines(visited, lines);
    }

    if (rc == DT_OK) {
        lo.has = dt_cli_page_has;
        lo.has_data = lo.fetch_data = &pages;
        rc = dt_learn(&lo, out);
        *requests = dt_fetcher_requests(pages.fetcher);
    }

    free(visited);
    dt_fetcher_destroy(pages.fetcher);
    dt_arena_destroy(pages.arena);

    return rc;
}


static dt_status_t
dt_cli_do_job(dt_learned_t *out, unsigned *requests)
{
    char *buf;
    size_t len;
    dt_job_t job;
    dt_status_t rc = DT_EINVAL;
    const char *why = "cut";

    out->reason = "job";
    buf = dt_cli_read_job(&len);

    if (buf != NULL
        && dt_wire_decode(&dt_wire_job, buf, len, &job, &why) == DT_OK
        && (job.prev.len == 0
            || dt_template_check(job.prev.data, job.prev.len, &why) == DT_OK))
    {
        dt_cli_limit_memory(job.memory_mb);

        /* on a kernel that cannot confine, the limits must be enough */
        (void) dt_confine();

        rc = dt_cli_learn_job(&job, out, requests);

    } else {
        (void) snprintf(out->errstr, sizeof(out->errstr), "%s", why);
    }

    free(buf);

    return rc;
}


int
dt_cli_learner(const dt_cli_args_t *args)
{
    char *buf;
    size_t size;
    unsigned requests = 0;
    dt_answer_t answer;
    dt_learned_t l = { 0 };
    dt_status_t rc;

    (void) args;

    /* an nginx of another version sees this at once, and need not wait */

    fputs(DT_JOB_HELLO, stdout);
    fflush(stdout);

    rc = dt_cli_do_job(&l, &requests);

    dt_answer_init(&answer, rc, (dt_str_t){ l.len, l.bytes }, l.reason,
                   l.errstr);
    answer.loads = l.loads;
    answer.candidates = l.candidates;
    answer.retry_after = l.retry_after;
    answer.requests = requests;
    answer.tries = l.tries;
    answer.beyond = l.beyond;
    answer.redesigned = l.redesigned;
    answer.fresh = l.fresh;

    size = dt_wire_size(&dt_wire_answer, &answer);
    buf = size ? malloc(size) : NULL;

    if (buf != NULL) {
        dt_wire_encode(&dt_wire_answer, &answer, buf);
    }

    if (buf == NULL || fwrite(buf, size, 1, stdout) != 1) {
        (void) dt_cli_error(0, "standard output: %s", strerror(errno));
    }

    free(buf);
    dt_learned_free(&l);

    return DT_EXIT_OK;
}
