
/*
 * Copyright (C) The detemplate authors
 *
 * The command extract.  First it notes where all pages are and groups them by
 * site, then it learns each site, and then it reads each page again and
 * converts it.  In between, memory holds a line for each page, and a temporary
 * file holds the templates.
 */


#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/dt.h"
#include "cli_cut.h"
#include "cli_extract.h"


#define DT_EXTRACT_PART 16 /* pages that a process takes at once */


int
dt_cli_buf_room(dt_cli_buf_t *b, size_t len)
{
    char *p;
    size_t size = b->size ? b->size : 4096;

    while (size - b->len < len) {
        size *= 2;
    }

    if (size > b->size) {
        p = realloc(b->data, size);
        if (p == NULL) {
            b->failed = 1;
            return 0;
        }

        b->data = p;
        b->size = size;
    }

    return 1;
}


void
dt_cli_buf_add(dt_cli_buf_t *b, const char *p, size_t len)
{
    if (len && !b->failed && dt_cli_buf_room(b, len)) {
        memcpy(b->data + b->len, p, len);
        b->len += len;
    }
}


void
dt_cli_buf_json(dt_cli_buf_t *b, dt_str_t s)
{
    dt_cli_buf_add(b, "\"", 1);

    if (!b->failed && dt_cli_buf_room(b, 6 * s.len)) {
        b->len = (size_t) (dt_json_escape(b->data + b->len, s.data, s.len)
                           - b->data);
    }

    dt_cli_buf_add(b, "\"", 1);
}


dt_extract_site_t *
dt_extract_site(const dt_extract_t *x, uint32_t i)
{
    return dt_index_elt(&x->sites, i);
}


/* takes a template, which goes into the file of templates */
static void
dt_extract_learned(void *data, uint32_t i, const char *p,
                   const dt_extract_done_t *done)
{
    dt_extract_t *x = data;
    dt_extract_site_t *site = dt_extract_site(x, x->todo[i]);
    size_t len = done->len - done->dirs;

    memcpy(site->reason, done->reason, sizeof(site->reason));

    if (len) {
        if (pwrite(x->templates, p, len, x->templates_end) == (ssize_t) len) {
            site->at = x->templates_end;
            site->len = len;
            x->templates_end += (off_t) len;

        } else {
            (void) snprintf(site->reason, sizeof(site->reason), "no-template");
            x->code = dt_cli_error(DT_EXIT_IO, "temporary file: %s",
                                   strerror(errno));
        }
    }

    if (done->dirs
        && dt_extract_divide(x, x->todo[i], p + len, done->dirs) != DT_OK)
    {
        x->code = dt_cli_error(DT_EXIT_IO, "out of memory");
        dt_extract_stop = 1;

    } else if (!done->dirs && done->what[0] != '\0' && !x->args->quiet) {
        dt_extract_clear(x);
        (void) dt_cli_error(0, "%s", done->what);
    }

    x->nlearned++;
    dt_extract_progress(x, "learning: site", x->nlearned,
                        x->nlearned + x->ntodo - i - 1 + x->nlater);
}


static void
dt_extract_converted(void *data, uint32_t i, const char *p,
                     const dt_extract_done_t *done)
{
    char name[DT_EXTRACT_PATH];
    dt_extract_t *x = data;

    x->written += done->written;
    x->pages[i].wrote = done->written;
    x->pages[i].shows = (uint8_t) (done->shows | done->due << 2);
    x->kept_files += done->kept;
    x->bytes += done->in;
    x->removed += done->removed;

    if (done->hash) {
        dt_extract_again_page(x, &x->pages[i], done->hash);
    }

    if (done->written && !dt_extract_count(x, &x->pages[i], done)) {
        x->code = dt_cli_error(DT_EXIT_IO, "out of memory");
        dt_extract_stop = 1;
    }

    if (done->full && x->code == DT_EXIT_OK) {
        dt_extract_clear(x);
        x->code = dt_cli_error(DT_EXIT_IO, "%s", done->what);
        dt_extract_stop = 1;

    } else if (done->left && !done->full) {
        dt_extract_left(x, "%s", done->what);
    }

    if (done->len && fwrite(p, 1, done->len, x->lines) != done->len) {
        x->code = x->lines == stdout
                      ? dt_cli_stdout_failed(errno)
                      : dt_cli_error(DT_EXIT_IO, "%s: %s", x->args->out,
                                     strerror(errno));
        dt_extract_stop = 1;
    }

    if (x->manifest != NULL && done->written
        && dt_extract_name(x, &x->pages[i], x->pages[i].spelling, name))
    {
        fprintf(x->manifest, "%s\n", name);
    }

    dt_extract_progress(x, "page", i + 1, x->npages);
}


static void
dt_extract_signal(int signo)
{
    dt_extract_stop = signo;
}


/* whether the names of files can follow a URL */
static int
dt_extract_is_base(const char *base)
{
    int ok;
    dt_url_t u;
    size_t len = strlen(base);
    dt_arena_t *a = dt_arena_create(64 * 1024);

    ok = a != NULL && len && len < DT_URL_MAX / 2 && base[len - 1] == '/'
         && strpbrk(base, "?#") == NULL && strstr(base, "///") == NULL
         && dt_url_resolve(NULL, dt_cstr(base), a, &u) == DT_OK;

    dt_arena_destroy(a);

    return ok;
}


/* reads the options into x; returns an exit code */
static int
dt_extract_options(dt_extract_t *x)
{
    static const char *const formats[] = { "markdown", "text", "html",
                                           "jsonl" };
    const dt_cli_args_t *args = x->args;
    const char *format = args->format, *by = args->site_by;
    int code;

    if (args->nargs == 0 && args->from == NULL) {
        return dt_cli_error(DT_EXIT_USAGE, "an argument is missing: a source");
    }

    if (args->out == NULL) {
        return dt_cli_error(DT_EXIT_USAGE, "--out is missing: a directory, or "
                                           "- for JSONL to standard output");
    }

    if (strcmp(args->out, "-") == 0) {
        if (format != NULL && strcmp(format, "jsonl") != 0) {
            return dt_cli_error(DT_EXIT_USAGE,
                                "only jsonl goes to standard output");
        }

        format = "jsonl";
    }

    format = format != NULL ? format : "markdown";

    while (x->format <= DT_FORMAT_JSONL
           && strcmp(format, formats[x->format]) != 0) {
        x->format++;
    }

    if (x->format > DT_FORMAT_JSONL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--format must be markdown, text, html or jsonl");
    }

    if (by != NULL && strcmp(by, "host") != 0 && strcmp(by, "directory") != 0)
    {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--site-by must be host or directory");
    }

    x->by_directory = by != NULL && by[0] == 'd';

    if (args->progress != NULL && strcmp(args->progress, "json") != 0) {
        return dt_cli_error(DT_EXIT_USAGE, "--progress must be json");
    }

    if (args->base != NULL && !dt_extract_is_base(args->base)) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--base must be an http URL that ends in \"/\"");
    }

    code = dt_extract_chunk_option(x);

    return code == DT_EXIT_OK ? dt_cli_hand(args, &x->hand_list, &x->hand)
                              : code;
}


/* sets up the indexes and the file of templates; returns an exit code */
static int
dt_extract_begin(dt_extract_t *x)
{
    x->began = dt_extract_now();
    x->events = x->args->progress != NULL;
    x->shown =
        x->events || (!x->args->quiet && isatty(STDERR_FILENO)) ? 0 : -1;
    x->out = -1;
    x->arena = dt_arena_create((size_t) 2 << 30);
    dt_cli_buf_add(&x->strings, "", 1);

    if (x->arena == NULL || x->strings.failed
        || dt_index_init(&x->sites, sizeof(dt_extract_site_t), x->arena)
               != DT_OK
        || dt_index_init(&x->urls, 2 * sizeof(uint64_t), x->arena) != DT_OK
        || dt_index_init(&x->dirs, sizeof(dt_extract_dir_t), x->arena) != DT_OK
        || dt_index_init(&x->old, sizeof(dt_extract_old_t), x->arena) != DT_OK)
    {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    x->templates = dt_extract_tmpfile();

    return x->templates != -1 ? DT_EXIT_OK
                              : dt_cli_error(DT_EXIT_IO, "temporary file: %s",
                                             strerror(errno));
}


int
dt_extract_later(dt_extract_t *x, uint32_t i)
{
    uint32_t max = x->max_later ? 2 * x->max_later : 64;
    uint32_t *p = x->later;

    if (x->nlater == x->max_later) {
        p = realloc(p, max * sizeof(uint32_t));
        if (p == NULL) {
            return 0;
        }

        x->later = p;
        x->max_later = max;
    }

    p[x->nlater++] = i;

    return 1;
}


/* learns all sites, and then those that they are divided into */
static int
dt_extract_learn_all(dt_extract_t *x, unsigned processes)
{
    int code = DT_EXIT_OK;

    while (code == DT_EXIT_OK && x->nlater && !dt_extract_stop) {
        free(x->todo);
        x->todo = x->later;
        x->ntodo = x->nlater;
        x->later = NULL;
        x->nlater = x->max_later = 0;

        code = dt_extract_work(processes, x->ntodo, 1, dt_extract_learn,
                               dt_extract_learned, x);
    }

    return code;
}


static int
dt_extract_run(dt_extract_t *x)
{
    int code;
    unsigned i, n = x->args->jobs ? x->args->jobs : 1;

    code = dt_extract_begin(x);

    /* the output first, as it is not read as a source */

    if (code == DT_EXIT_OK) {
        code = dt_extract_out_open(x);
    }

    for (i = 0; code == DT_EXIT_OK && i < x->args->nargs; i++) {
        code = dt_extract_open(x, x->args->args[i]);
    }

    if (code == DT_EXIT_OK && x->args->from != NULL) {
        code = dt_extract_open_list(x, x->args->from);
    }

    if (code == DT_EXIT_OK) {
        code = dt_extract_out_names(x);
    }

    if (code == DT_EXIT_OK) {
        x->phase = dt_extract_now();
        code = dt_extract_again_compare(x, n);
    }

    if (code == DT_EXIT_OK) {
        x->phase = x->learns = dt_extract_now();
        code = dt_extract_learn_all(x, n);
        x->learns = dt_extract_now() - x->learns;
    }

    if (code == DT_EXIT_OK && !dt_extract_stop) {
        x->phase = dt_extract_now();
        code = dt_extract_work(n, x->npages, DT_EXTRACT_PART,
                               dt_extract_convert, dt_extract_converted, x);
    }

    return code != DT_EXIT_OK ? code : x->code;
}


static void
dt_extract_free(dt_extract_t *x)
{
    unsigned i;

    dt_warc_destroy(x->warc);

    for (i = 0; i < x->nsources; i++) {
        if (x->sources[i].fd > 0 && x->sources[i].base == 0) {
            close(x->sources[i].fd);
        }
    }

    for (i = 0; i < DT_EXTRACT_TEMPLATES; i++) {
        free(x->loaded[i].bytes);
    }

    free(x->sources);
    free(x->todo);
    free(x->later);
    free(x->pages);
    free(x->strings.data);
    free(x->kept.data);
    free(x->text.data);
    dt_arena_destroy(x->arena);
    free(x);
}


int
dt_cli_extract(const dt_cli_args_t *args)
{
    int code, closed;
    struct sigaction sa;
    dt_extract_t *x = calloc(1, sizeof(dt_extract_t));

    if (x == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    /* the file at hand is completed, and no other is begun */

    memset(&sa, 0, sizeof(sa));
    sa.sa_handler = dt_extract_signal;
    (void) sigaction(SIGINT, &sa, NULL);
    (void) sigaction(SIGTERM, &sa, NULL);

    x->args = args;
    code = dt_extract_options(x);

    if (code == DT_EXIT_OK) {
        code = dt_extract_run(x);
        closed =
            dt_extract_out_close(x, code == DT_EXIT_OK && !dt_extract_stop);
        code = code == DT_EXIT_OK ? closed : code;

        if (code == DT_EXIT_OK) {
            code = dt_extract_summary(x, dt_extract_now() - x->began);
        }
    }

    dt_extract_free(x);

    if (dt_extract_stop > 1) {
        (void) signal(dt_extract_stop, SIG_DFL);
        (void) raise(dt_extract_stop);
    }

    return code;
}
