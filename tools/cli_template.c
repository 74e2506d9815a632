
/*
 * Copyright (C) The detemplate authors
 *
 * The commands show, check and apply, about a template in a file; and
 * detectors.
 */


#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/detect/detect.h"
#include "cli_cut.h"
#include "core/scan/rewrite.h"
#include "core/text/convert.h"
#include "core/text/page.h"
#include "core/text/text.h"
#include "core/template/template.h"
#include "core/web/url.h"
#include "cli.h"


#define DT_CLI_CHUNK (64 * 1024)


/* the times that show prints */
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


/* describes a template; in a list with others, in one line */
static int
dt_cli_show_file(const dt_cli_args_t *args, const char *name, int listed)
{
    int code;
    void *tmpl;
    size_t len;
    dt_cli_times_t at;
    dt_cli_snapshot_t s;
    dt_template_info_t t;

    tmpl = dt_cli_read_template(name, &len, &s, &code);
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

    } else if (listed) {
        printf("%-20s  %7" PRIu32 "  %8" PRIu32 "  %5" PRIu32 "  ", at.learned,
               t.version, t.patterns, t.pages);
        dt_cli_print(stdout, (dt_str_t){ s.len, s.name });
        putchar('\n');

    } else {
        dt_cli_show_text(&t, len, &s, &at);
    }

    return DT_EXIT_OK;
}


static int
dt_cli_is_snapshot(const struct dirent *e)
{
    size_t len = strlen(e->d_name);

    return len > 3 && strcmp(e->d_name + len - 3, ".dt") == 0;
}


/* lists the snapshots of a directory */
static int
dt_cli_show_dir(const dt_cli_args_t *args)
{
    int i, n, rc, code = DT_EXIT_OK;
    char *name;
    struct dirent **entries;

    n = scandir(args->arg, &entries, dt_cli_is_snapshot, alphasort);

    if (n <= 0) {
        return dt_cli_error(DT_EXIT_IO, "%s: %s", args->arg,
                            n ? strerror(errno) : "contains no snapshots");
    }

    if (!args->json) {
        printf("%-20s  %7s  %8s  %5s  site\n", "learned", "version",
               "patterns", "pages");
    }

    for (i = 0; i < n; i++) {
        if (asprintf(&name, "%s/%s", args->arg, entries[i]->d_name) != -1) {
            rc = dt_cli_show_file(args, name, 1);
            code = rc != DT_EXIT_OK ? rc : code;
            free(name);
        }

        free(entries[i]);
    }

    free(entries);

    return code;
}


int
dt_cli_show(const dt_cli_args_t *args)
{
    struct stat st;

    return stat(args->arg, &st) == 0 && S_ISDIR(st.st_mode)
               ? dt_cli_show_dir(args)
               : dt_cli_show_file(args, args->arg, 0);
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
    int n;
    const dt_detect_option_t *o;

    (void) args;

    for (size_t i = 0; dt_detectors[i] != NULL; i++) {
        printf("%-24s%s\n", dt_detectors[i]->name, dt_detectors[i]->about);
    }

    printf("\nOptions:\n");

    for (o = dt_detect_options; o->name != NULL; o++) {
        n = printf("  %s=%u", o->name, o->value);
        printf("%*s%s\n", n < 24 ? 24 - n : 1, "", o->about);
    }

    return DT_EXIT_OK;
}


static int
dt_cli_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) kind;

    return fwrite(p, 1, len, data) != len;
}


static int
dt_cli_out_text(void *data, const char *p, size_t len)
{
    return fwrite(p, 1, len, data) != len;
}


/* reads all of standard input, into *data, which the caller frees */
static int
dt_cli_stdin(char **data, size_t *len)
{
    int err;
    char buf[DT_CLI_CHUNK];
    size_t n;
    FILE *f = open_memstream(data, len);

    if (f == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    do {
        n = fread(buf, 1, sizeof(buf), stdin);
        err = errno;

        if (fwrite(buf, 1, n, f) != n) {
            (void) fclose(f);
            return dt_cli_error(DT_EXIT_IO, "out of memory");
        }
    } while (!feof(stdin) && !ferror(stdin));

    if (fclose(f) != 0) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    if (ferror(stdin)) {
        return dt_cli_error(DT_EXIT_IO, "standard input: %s", strerror(err));
    }

    return DT_EXIT_OK;
}


/* says why a page could not be written */
static int
dt_cli_apply_failed(dt_status_t rc)
{
    switch (rc) {

    case DT_OK:
        return DT_EXIT_OK;

    case DT_EINVAL:
        return dt_cli_error(DT_EXIT_USAGE, "--charset: not known");

    case DT_ELIMIT:
        return dt_cli_stdout_failed(errno ? errno : ENOMEM);

    default:
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }
}


/* rewrites a page after o, and makes text of the result after to */
static dt_status_t
dt_cli_apply_text(dt_rewrite_opts_t *o, const dt_text_opts_t *to,
                  dt_str_t page)
{
    char *data = NULL;
    size_t len = 0;
    dt_status_t rc;
    FILE *f;

    if (!dt_text_knows(to->charset)) {
        return DT_EINVAL;
    }

    f = open_memstream(&data, &len);
    if (f == NULL) {
        return DT_ENOMEM;
    }

    o->out_data = f;
    rc = dt_rewrite_page(o, page, NULL);

    if (fclose(f) != 0 || rc != DT_OK) {
        rc = DT_ENOMEM;
    }

    if (rc == DT_OK) {
        errno = 0;
        rc = dt_text_page(to, (dt_str_t){ len, data }, NULL);
    }

    free(data);

    return rc;
}


/* rewrites the page from standard input to standard output, after o and,
   unless that is NULL, to */
static int
dt_cli_apply_with(dt_rewrite_opts_t *o, const dt_text_opts_t *to)
{
    char *data = NULL;
    size_t len = 0;
    int code = dt_cli_stdin(&data, &len);
    dt_str_t page = { len, data };

    if (code == DT_EXIT_OK) {
        errno = 0;
        code =
            dt_cli_apply_failed(to != NULL ? dt_cli_apply_text(o, to, page)
                                           : dt_rewrite_page(o, page, NULL));
    }

    free(data);

    return code;
}


/* Returns the tag by which the links of a page are those of its URL, wherever
   it is saved; the caller frees it.  NULL: no memory. */
static char *
dt_cli_base(const char *url)
{
    char *tag = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&tag, &len);

    if (f == NULL) {
        return NULL;
    }

    fputs("<base href=\"", f);

    for (; *url; url++) {
        if (*url == '&') {
            fputs("&amp;", f);

        } else if (*url == '"') {
            fputs("%22", f);

        } else {
            putc(*url, f);
        }
    }

    fputs("\" />", f);

    if (fclose(f) != 0) {
        free(tag);
        return NULL;
    }

    return tag;
}


/* the same as a page of the URL */
static int
dt_cli_apply_to(const char *href, dt_rewrite_opts_t *o, dt_text_opts_t *to)
{
    int code;
    dt_url_t url;
    dt_arena_t *arena;

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

    if (to != NULL) {
        to->url = dt_cstr(href);
    }

    code = dt_cli_apply_with(o, to);
    dt_arena_destroy(arena);

    return code;
}


/* sets the mode of --mode in o and, for text, in to; *text is to or NULL */
static int
dt_cli_apply_mode(const dt_cli_args_t *args, dt_rewrite_opts_t *o,
                  dt_text_opts_t *to, dt_text_opts_t **text)
{
    const char *mode = args->mode;

    o->xml = 2;
    *text = NULL;

    if (strcmp(mode, "template") == 0) {
        o->mode = DT_TEMPLATE;
        mode = args->format != NULL ? args->format : "html";

        if (strcmp(args->arg, "-") == 0) {
            return dt_cli_error(DT_EXIT_USAGE,
                                "--mode template is of no use with -");
        }
    }

    if (strcmp(mode, "markdown") == 0 || strcmp(mode, "text") == 0) {
        *text = to;
        to->plain = mode[0] == 't';
        to->front = !to->plain && !args->no_front && o->mode != DT_TEMPLATE;
        to->hidden = args->keep_hidden & 1;
        to->xml = 2;
        to->charset = args->charset ? dt_cstr(args->charset) : dt_str("");
        to->out = dt_cli_out_text;
        to->out_data = stdout;

    } else if (o->mode == DT_TEMPLATE) {
        if (strcmp(mode, "html") != 0) {
            return dt_cli_error(DT_EXIT_USAGE,
                                "--format must be html, markdown, or text");
        }

    } else if (strcmp(mode, "annotate") == 0) {
        o->mode = DT_ANNOTATE;

    } else if (strcmp(mode, "strip") != 0) {
        return dt_cli_error(
            DT_EXIT_USAGE,
            "--mode must be strip, annotate, markdown, text, or template");
    }

    return DT_EXIT_OK;
}


int
dt_cli_apply(const dt_cli_args_t *args)
{
    int code;
    char *base = NULL;
    dt_hand_t hand;
    void *tmpl = NULL;
    size_t len;
    dt_text_opts_t to, *text;
    dt_rewrite_opts_t o;

    memset(&o, 0, sizeof(o));
    memset(&to, 0, sizeof(to));

    code = dt_cli_apply_mode(args, &o, &to, &text);
    if (code != DT_EXIT_OK) {
        return code;
    }

    /* links are compared as absolute URLs, and directories have limits */

    if (args->url == NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--url is missing, the URL of the page: without "
                            "it, hardly any link would be known");
    }

    code = dt_cli_hand(args, &hand, &o.hand);
    if (code != DT_EXIT_OK) {
        return code;
    }

    if (strcmp(args->arg, "-") != 0) {
        tmpl = dt_cli_read_template(args->arg, &len, NULL, &code);
        if (tmpl == NULL) {
            return code;
        }
    }

    o.tmpl = tmpl;
    o.bold = !args->cautious;
    o.out = dt_cli_out;
    o.out_data = stdout;

    if (o.mode == DT_TEMPLATE && text == NULL) {
        base = dt_cli_base(args->url);
        o.head = base != NULL ? dt_cstr(base) : dt_str("");
    }

    code = dt_cli_apply_to(args->url, &o, text);
    free(base);
    free(tmpl);

    return code;
}
