
/*
 * Copyright (C) The detemplate authors
 *
 * How it goes and went: for people lines and one that changes, for programs
 * JSON.  Where pages show little of their site's template, their directories
 * are named, so that nobody has to look for them.
 */


#include <stdarg.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/dt.h"
#include "cli_extract.h"


#define DT_REPORT_EVERY 0.2 /* seconds between two lines of progress, */
#define DT_REPORT_EVENT 1.0 /* and where these are JSON */
#define DT_REPORT_DIRS 10   /* directories that are named */
#define DT_REPORT_BARE 10   /* one page of so many may show no template */


double
dt_extract_now(void)
{
    return (double) dt_now_us() / 1e6;
}


void
dt_extract_clear(const dt_extract_t *x)
{
    if (x->shown > 0 && !x->events) {
        fputs("\r\033[K", stderr);
    }
}


void
dt_extract_left(dt_extract_t *x, const char *format, ...)
{
    char buf[1024];
    va_list ap;

    va_start(ap, format);
    vsnprintf(buf, sizeof(buf), format, ap);
    va_end(ap);

    dt_extract_clear(x);
    x->left++;

    if (x->events) {
        fputs("{\"event\":\"left-out\",\"what\":", stderr);
        dt_cli_print_json(stderr, dt_cstr(buf));
        fputs("}\n", stderr);

    } else {
        (void) dt_cli_error(0, "left out: %s", buf);
    }
}


/* returns percent of template */
static double
dt_report_share(const dt_extract_t *x)
{
    return x->bytes ? 100 * (double) x->removed / (double) x->bytes : 0;
}


void
dt_extract_progress(dt_extract_t *x, const char *what, uint32_t n,
                    uint32_t all)
{
    double now, took, every = x->events ? DT_REPORT_EVENT : DT_REPORT_EVERY;

    if (x->shown < 0 || (now = dt_extract_now()) - x->shown < every) {
        return;
    }

    x->shown = now;
    took = now - x->phase;

    if (x->events) {
        fprintf(stderr,
                "{\"event\":\"progress\",\"what\":\"%s\",\"done\":%u,"
                "\"all\":%u,\"seconds\":%.1f}\n",
                what, n, all, now - x->began);
        return;
    }

    fprintf(stderr, "\r\033[K%s %u", what, n);

    if (all) {
        fprintf(stderr, " of %u", all);
    }

    if (x->bytes) {
        fprintf(stderr, ", %.1f MB/s, %.0f%% template",
                (double) x->bytes / 1e6 / took, dt_report_share(x));
    }

    if (n && n < all) {
        fprintf(stderr, ", %.0f s left", took / n * (all - n));
    }

    fflush(stderr);
}


int
dt_extract_count(dt_extract_t *x, const dt_extract_page_t *page,
                 const dt_extract_done_t *done)
{
    size_t n;
    uint64_t key;
    const char *url = dt_extract_string(x, page->url);
    dt_extract_dir_t *dir;

    for (n = strcspn(url, "?"); n > 0 && url[n - 1] != '/'; n--) { /* void */
    }

    key = dt_hash(url, n, 0);
    dir = dt_index_get(&x->dirs, key ? key : 1, DT_EXTRACT_PAGES, x->arena);
    if (dir == NULL) {
        return 0;
    }

    dir->url = page->url;
    dir->n++;
    dir->none += done->shows == DT_SHOWS_NONE;
    dir->little += done->shows == DT_SHOWS_LITTLE;
    x->shows[done->shows]++;
    x->due += done->due;
    x->bare += done->due && done->shows == DT_SHOWS_NONE;

    return 1;
}


static int
dt_report_cmp(const void *one, const void *two)
{
    const dt_extract_dir_t *a = *(const dt_extract_dir_t *const *) one;
    const dt_extract_dir_t *b = *(const dt_extract_dir_t *const *) two;

    return a->none + a->little != b->none + b->little
               ? (a->none + a->little < b->none + b->little ? 1 : -1)
           : a->url < b->url ? -1
                             : a->url > b->url;
}


/* names the directories whose pages show none or little of a template */
static void
dt_report_dirs(const dt_extract_t *x)
{
    size_t i, len, n = 0;
    const char *url;
    const dt_extract_dir_t *dir, **dirs;

    dirs = malloc((x->dirs.n + 1) * sizeof(*dirs));

    for (i = 0; dirs != NULL && i < x->dirs.n; i++) {
        dir = dt_index_elt(&x->dirs, (uint32_t) i);

        if (dir->none + dir->little) {
            dirs[n++] = dir;
        }
    }

    if (n) {
        qsort(dirs, n, sizeof(*dirs), dt_report_cmp);
    }

    fputs(x->events ? ",\"directories\":[" : "", stderr);

    for (i = 0; i < n && (x->events || i < DT_REPORT_DIRS); i++) {
        dir = dirs[i];
        url = dt_extract_string(x, dir->url);

        for (len = strcspn(url, "?"); url[len - 1] != '/'; len--) { /* void */
        }

        fprintf(stderr,
                x->events
                    ? "%s{\"pages\":%u,\"none\":%u,\"little\":%u,\"url\":"
                    : "%sdetemplate: of %u pages, %u show none, %u little: ",
                i && x->events ? "," : "", dir->n, dir->none, dir->little);

        if (x->events) {
            dt_cli_print_json(stderr, (dt_str_t){ len, url });
            fputc('}', stderr);

        } else {
            dt_cli_print(stderr, (dt_str_t){ len, url });
            fputc('\n', stderr);
        }
    }

    if (x->events) {
        fputs("]}\n", stderr);

    } else if (i < n) {
        fprintf(stderr, "detemplate: so it is in %zu more directories\n",
                n - i);
    }

    free(dirs);
}


/* returns the number of sites that have pages */
static unsigned
dt_report_sites(const dt_extract_t *x)
{
    unsigned i, n = 0;

    for (i = 0; i < x->sites.n; i++) {
        n += dt_extract_site(x, i)->npages != 0;
    }

    return n;
}


int
dt_extract_summary(dt_extract_t *x, double took)
{
    int bare = (uint64_t) x->bare * DT_REPORT_BARE > x->due;
    double mb = (double) x->bytes / 1e6;

    dt_extract_clear(x);

    if (x->events) {
        fprintf(stderr,
                "{\"event\":\"summary\",\"pages\":%u,\"sites\":%u,"
                "\"seconds\":%.3f,\"learning\":%.3f,\"bytes\":%llu,"
                "\"template_bytes\":%llu,\"none\":%u,\"little\":%u,"
                "\"usual\":%u,\"unchanged\":%u,\"removed\":%u,"
                "\"left_out\":%u",
                x->written, dt_report_sites(x), took, x->learns,
                (unsigned long long) x->bytes, (unsigned long long) x->removed,
                x->shows[DT_SHOWS_NONE], x->shows[DT_SHOWS_LITTLE],
                x->shows[DT_SHOWS_USUAL], x->kept_files, x->gone, x->left);
        dt_report_dirs(x);

    } else {
        if (!x->args->quiet) {
            fprintf(stderr,
                    "detemplate: %u pages of %u sites in %.3f s, %.3f of them "
                    "for learning; %.1f MB, %.0f%% template; %u pages show "
                    "none of it, %u little",
                    x->written, dt_report_sites(x), took, x->learns, mb,
                    dt_report_share(x), x->shows[DT_SHOWS_NONE],
                    x->shows[DT_SHOWS_LITTLE]);
        }

        if (x->old.n && !x->args->quiet) {
            fprintf(stderr, "; %u written, %u unchanged, %u removed",
                    x->written - x->kept_files, x->kept_files, x->gone);
        }

        if (x->left) {
            fprintf(stderr, "%s%u left out",
                    x->args->quiet ? "detemplate: " : "; ", x->left);
        }

        if (x->left || !x->args->quiet) {
            fputc('\n', stderr);
        }

        if (!x->args->quiet) {
            dt_report_dirs(x);
        }
    }

    if (bare && !x->events) {
        (void) dt_cli_error(0,
                            "%u of the %u pages of sites that have a template "
                            "show none of it",
                            x->bare, x->due);
    }

    return bare || x->left ? DT_EXIT_NOTHING : DT_EXIT_OK;
}
