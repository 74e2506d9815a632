
/*
 * Copyright (C) The detemplate authors
 *
 * The commands show, check and apply, about a template in a file; and
 * detectors.
 */


#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/detect/detect.h"
#include "core/scan/rewrite.h"
#include "core/template/template.h"
#include "core/web/url.h"
#include "cli.h"


#define DT_CLI_CHUNK (64 * 1024)


/* what show prints of times */
typedef struct {
    char learned[40];
    char created[40];
    char valid[40];
} dt_cli_times_t;


static void
dt_cli_time(int64_t at, char *buf, size_t size)
{
    time_t t = (time_t) at;
    struct tm tm;

    if (t != at || gmtime_r(&t, &tm) == NULL
        || strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
    {
        snprintf(buf, size, "%" PRId64, at);
    }
}


static void
dt_cli_show_json(const dt_template_info_t *t, size_t len,
                 const dt_cli_snapshot_t *s, const dt_cli_times_t *at)
{
    printf("{\"format\":%d,\"version\":%" PRIu32 ",\"bytes\":%" PRIu32
           ",\"evidence\":%zu,\"patterns\":%" PRIu32 ",\"guarded\":%" PRIu32
           ",\"pages\":%" PRIu32 ",\"loads\":%" PRIu32
           ",\"candidates\":%" PRIu32 ",\"typical_words\":%" PRIu32
           ",\"coverage\":%.3f,\"learned_at\":\"%s\","
           "\"created_at\":\"%s\"",
           DT_TEMPLATE_FORMAT, t->version, t->serve_size, len - t->serve_size,
           t->patterns, t->guarded, t->pages, t->loads, t->candidates,
           t->typical, t->coverage / 1000.0, at->learned, at->created);

    if (s->len) {
        fputs(",\"site\":", stdout);
        dt_cli_print_json(stdout, (dt_str_t){ s->len, s->name });
        printf(",\"valid_until\":\"%s\"", at->valid);
    }

    puts("}");
}


static void
dt_cli_show_text(const dt_template_info_t *t, size_t len,
                 const dt_cli_snapshot_t *s, const dt_cli_times_t *at)
{
    if (s->len) {
        printf("site           ");
        dt_cli_print(stdout, (dt_str_t){ s->len, s->name });
        printf("\nvalid until    %s\n", at->valid);
    }

    printf("format         %d\n", DT_TEMPLATE_FORMAT);
    printf("version        %" PRIu32 "\n", t->version);
    printf("size           %" PRIu32 " bytes and %zu of evidence\n",
           t->serve_size, len - t->serve_size);
    printf("patterns       %" PRIu32 ", and %" PRIu32 " guarded\n",
           t->patterns, t->guarded);
    printf("evidence       %" PRIu32 " pages, of %" PRIu32 " loaded\n",
           t->pages, t->loads);
    printf("candidates     %" PRIu32 "\n", t->candidates);
    printf("typical page   %" PRIu32 " words of template\n", t->typical);
    printf("last key page  %.1f%% template\n", t->coverage / 10.0);
    printf("learned        %s\n", at->learned);
    printf("first learned  %s\n", at->created);
}


int
dt_cli_show(const dt_cli_args_t *args)
{
    int code;
    void *tmpl;
    size_t len;
    dt_cli_times_t at;
    dt_cli_snapshot_t s;
    dt_template_info_t t;

    tmpl = dt_cli_read_template(args->arg, &len, &s, &code);
    if (tmpl == NULL) {
        return code;
    }

    dt_template_info(tmpl, &t);
    free(tmpl);

    memset(&at, 0, sizeof(at));
    dt_cli_time(t.learned_at, at.learned, sizeof(at.learned));
    dt_cli_time(t.created_at, at.created, sizeof(at.created));
    dt_cli_time(s.valid, at.valid, sizeof(at.valid));

    if (args->json) {
        dt_cli_show_json(&t, len, &s, &at);

    } else {
        dt_cli_show_text(&t, len, &s, &at);
    }

    return DT_EXIT_OK;
}


int
dt_cli_check(const dt_cli_args_t *args)
{
    int code;
    char valid[40];
    void *tmpl;
    size_t len;
    dt_cli_snapshot_t s;

    tmpl = dt_cli_read_template(args->arg, &len, &s, &code);
    free(tmpl);

    if (code == DT_EXIT_OK) {
        dt_cli_print(stdout, dt_cstr(args->arg));
        printf(": ok");

        if (s.len) {
            dt_cli_time(s.valid, valid, sizeof(valid));
            printf(", of the site \"");
            dt_cli_print(stdout, (dt_str_t){ s.len, s.name });
            printf("\" until %s", valid);
        }

        putchar('\n');
    }

    return code;
}


int
dt_cli_detectors(const dt_cli_args_t *args)
{
    (void) args;

    for (size_t i = 0; dt_detectors[i] != NULL; i++) {
        printf("%-24s%s\n", dt_detectors[i]->name, dt_detectors[i]->about);
    }

    return DT_EXIT_OK;
}


static int
dt_cli_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) kind;

    return fwrite(p, 1, len, data) != len;
}


/* rewrites the page from standard input to standard output, piece by piece */
static int
dt_cli_pipe(dt_rewrite_t *rw)
{
    int last, err;
    char buf[DT_CLI_CHUNK];
    size_t n;

    do {
        n = fread(buf, 1, sizeof(buf), stdin);
        err = errno;
        last = feof(stdin) || ferror(stdin);

        errno = 0;
        if (dt_rewrite_feed(rw, buf, n, last) != DT_OK) {
            return dt_cli_error(DT_EXIT_IO, "standard output: %s",
                                strerror(errno ? errno : ENOMEM));
        }
    } while (!last);

    if (ferror(stdin)) {
        return dt_cli_error(DT_EXIT_IO, "standard input: %s", strerror(err));
    }

    return DT_EXIT_OK;
}


/* rewrites standard input as a page of the URL */
static int
dt_cli_apply_to(const char *href, dt_rewrite_opts_t *o)
{
    int code;
    dt_url_t url;
    dt_arena_t *arena;
    dt_rewrite_t *rw;

    arena = dt_arena_create(DT_CLI_CHUNK);
    if (arena == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (dt_url_resolve(NULL, dt_cstr(href), arena, &url) != DT_OK) {
        dt_arena_destroy(arena);
        return dt_cli_error(DT_EXIT_USAGE, "--url: not an http URL: %s", href);
    }

    o->host = url.host;
    o->path = url.path;

    rw = dt_rewrite_create(o);
    code = rw != NULL ? dt_cli_pipe(rw)
                      : dt_cli_error(DT_EXIT_IO, "out of memory");

    if (rw != NULL) {
        dt_rewrite_destroy(rw);
    }

    dt_arena_destroy(arena);

    return code;
}


int
dt_cli_apply(const dt_cli_args_t *args)
{
    int code;
    void *tmpl;
    size_t len;
    dt_rewrite_opts_t o;

    memset(&o, 0, sizeof(o));

    if (strcmp(args->mode, "strip") == 0) {
        o.mode = DT_STRIP;

    } else if (strcmp(args->mode, "annotate") == 0) {
        o.mode = DT_ANNOTATE;

    } else {
        return dt_cli_error(DT_EXIT_USAGE, "--mode must be strip or annotate");
    }

    /* links are compared as absolute URLs, and directories have limits */

    if (args->url == NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--url is missing, the URL of the page: without "
                            "it, hardly any link would be known");
    }

    tmpl = dt_cli_read_template(args->arg, &len, NULL, &code);
    if (tmpl == NULL) {
        return code;
    }

    o.tmpl = tmpl;
    o.bold = args->bold;
    o.out = dt_cli_out;
    o.out_data = stdout;

    code = dt_cli_apply_to(args->url, &o);
    free(tmpl);

    return code;
}
