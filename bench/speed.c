
/*
 * Copyright (C) The detemplate authors
 *
 * Measures the request path without nginx, and compares it with memcpy, a
 * search for each '<', deflate, and parsers.
 *
 *     speed [--quick] ROOT URL PAGE [ROOT URL PAGE ...]
 *     speed --markdown PAGE ...
 *     speed --count bold|cautious|selectors|markdown TEMPLATE URL PAGE
 *
 * Each PAGE is a file below the directory ROOT, which stands for URL.  The
 * template of ROOT is learned, with index.html as the first key page.  All
 * measurements are made in turn, several times, in CPU time of this thread, so
 * that other work on the machine affects all of them.  Standard output is JSON
 * with each measurement; bench/speed makes tables of it.  With --markdown, it
 * is the CPU seconds that each page takes to be written as Markdown.  With
 * --count, a page is rewritten once, in memory that it was in before, by
 * speed_counted(), of which valgrind counts the instructions.
 */


#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/speed.h"
#include "core/learn/learn.h"
#include "core/scan/hand.h"
#include "core/template/template.h"
#include "core/template/table.h"
#include "core/web/fetch_file.h"
#include "speed.h"


#define ROUNDS 9
#define ROWS 16

#define HOSTILE_MIN 100000
#define HOSTILE_STEPS 10 /* each twice as long as the one before: 51.2 MB */
#define HOSTILE_QUICK 8  /* 12.8 MB */


/* one row of a series: the subject, and the bytes of the page that it gets */
typedef struct {
    char name[16];
    speed_run_pt run;
    size_t len;
    unsigned reps;
    double t[ROUNDS];
} row_t;


static int rounds = ROUNDS;
static double slice = 0.02; /* least seconds of one measurement */


static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);

    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}


static double
once(row_t *row, speed_page_t *p)
{
    double start;

    p->len = row->len;
    start = seconds();

    for (unsigned i = 0; i < row->reps; i++) {
        row->run(p);
    }

    return (seconds() - start) / row->reps;
}


static void
add(row_t *rows, int *n, const char *name, speed_run_pt run, size_t len)
{
    row_t *row = &rows[(*n)++];

    if (*n > ROWS) {
        speed_die(name, "too many rows");
    }

    snprintf(row->name, sizeof(row->name), "%s", name);
    row->run = run;
    row->len = len;
}


/* CPU seconds of every row, in turn */
static void
measure(row_t *rows, int n, speed_page_t *p)
{
    int i, r;
    double t;

    for (i = 0; i < n; i++) {
        rows[i].reps = 1;
        (void) once(&rows[i], p); /* to warm the caches */
        t = once(&rows[i], p);
        rows[i].reps = t * 1e4 > slice ? 1 + (unsigned) (slice / t) : 10000;
    }

    for (r = 0; r < rounds; r++) {
        for (i = 0; i < n; i++) {
            rows[i].t[r] = once(&rows[i], p);
        }
    }

    printf("   \"seconds\": {");

    for (i = 0; i < n; i++) {
        printf("%s\n    \"%s\": [", i ? "," : "", rows[i].name);

        for (r = 0; r < rounds; r++) {
            printf("%s%.3e", r ? ", " : "", rows[i].t[r]);
        }

        printf("]");
    }

    printf("}}");
}


/* the page and the template of its site */

static void
learn(speed_page_t *p, dt_fetch_files_t *files, const char *url)
{
    dt_learned_t got;
    dt_learn_opts_t o;

    dt_learn_opts_init(&o);
    o.url = url;
    o.fetch = dt_fetch_file;
    o.fetch_data = files;
    o.now = 1000000;
    o.seed = 1;
    o.prev = p->tmpl;
    o.prev_len = p->tmpl_len;

    if (dt_learn(&o, &got) == DT_OK) {
        free(p->tmpl);
        p->tmpl = got.bytes;
        p->tmpl_len = got.len;
        got.bytes = NULL;
    }

    dt_learned_free(&got);
}


/* reads the page from a file */
static void
read_page(speed_page_t *p, const char *path)
{
    FILE *f;

    f = fopen(path, "rb");
    if (f == NULL) {
        speed_die(path, strerror(errno));
    }

    (void) fseek(f, 0, SEEK_END);
    p->len = (size_t) ftell(f);
    rewind(f);
    p->data = speed_need(malloc(p->len + 1));
    p->copy = speed_need(malloc(p->len + 1));

    if (p->len == 0 || fread(p->data, 1, p->len, f) != p->len) {
        speed_die(path, "cannot be read");
    }

    p->data[p->len] = '\0';

    (void) fclose(f);
}


/* CPU seconds that each page takes to be converted, without a template */
static int
convert_all(int n, char **files)
{
    row_t row;
    speed_page_t p;

    for (int i = 0; i < n; i++) {
        memset(&p, 0, sizeof(p));
        p.name = files[i];
        p.url.href = dt_str("http://www.example.com/");
        read_page(&p, files[i]);

        memset(&row, 0, sizeof(row));
        row.run = speed_markdown;
        row.len = p.len;
        row.reps = 1;
        (void) once(&row, &p);
        row.reps = 20;
        printf("%.3e\n", once(&row, &p));

        free(p.data);
        free(p.copy);
    }

    return 0;
}


/* those of the variant of that name in bench/speed_servers.py */
static const char *const selectors[] = {
    "aside.promo",   ".share-buttons", "#cookie-banner", "[role=note]",
    ".sidebar .ad",  "a.headerlink",   ".newsletter",    "div.print-only",
    "footer .legal", ".toc",
};


__attribute__((noinline)) static void
speed_counted(speed_page_t *p, speed_run_pt run)
{
    run(p);
}


static int
count_one(const char *subject, char **argv)
{
    size_t i;
    dt_hand_t hand;
    char err[DT_ERRSTR];
    speed_page_t p, tmpl;
    speed_run_pt run = subject[0] == 'm' ? speed_markdown : speed_strip;

    memset(&p, 0, sizeof(p));
    memset(&tmpl, 0, sizeof(tmpl));
    read_page(&tmpl, argv[0]);
    read_page(&p, argv[2]);
    p.name = argv[2];
    p.tmpl = tmpl.data;
    p.cautious = subject[0] == 'c';
    p.work = speed_need(dt_work_create());
    p.arena = speed_need(dt_arena_create(65536));

    if (dt_template_check(p.tmpl, tmpl.len, NULL) != DT_OK
        || dt_url_resolve(NULL, dt_cstr(argv[1]), p.arena, &p.url) != DT_OK)
    {
        speed_die(argv[0], "no template, or no URL");
    }

    dt_hand_init(&hand);

    for (i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
        if (dt_hand_add(&hand, i < 5 ? DT_HAND_KEEP : DT_HAND_FORCE,
                        dt_cstr(selectors[i]), err)
            != DT_OK)
        {
            speed_die(selectors[i], err);
        }
    }

    p.hand = subject[0] == 's' ? &hand : NULL;

    for (i = 0; i < 3; i++) {
        run(&p);
    }

    speed_counted(&p, run);
    dt_work_destroy(p.work);

    return 0;
}


static void
load(speed_page_t *p, char **argv)
{
    char path[4096];
    const char *root = argv[0], *base = argv[1], *name = argv[2];
    dt_fetch_files_t files = { root, base };

    p->name = name;
    snprintf(path, sizeof(path), "%s/%s", root, name);
    read_page(p, path);

    p->arena = speed_need(dt_arena_create(65536));
    snprintf(path, sizeof(path), "%s%s", base, name);

    if (dt_url_resolve(NULL, dt_cstr(path), p->arena, &p->url) != DT_OK) {
        speed_die(path, "not a URL");
    }

    snprintf(path, sizeof(path), "%sindex.html", base);
    learn(p, &files, path);

    if (p->tmpl != NULL) {
        speed_strip(p);
    }

    if (p->tmpl == NULL || dt_template_low(p->tmpl, p->stats.words)) {
        learn(p, &files, p->url.href.data);
    }

    if (p->tmpl == NULL) {
        speed_die(p->name, "no template was learned");
    }
}


static void
count(speed_page_t *p, const char *name, speed_run_pt run)
{
    memset(&speed_counter, 0, sizeof(speed_counter));
    p->counted = 1;
    run(p);
    p->counted = 0;

    printf("   \"%s\": {\"calls\": %lu, \"bytes\": %lu, \"most\": %lu},\n",
           name, (unsigned long) speed_counter.calls,
           (unsigned long) speed_counter.bytes,
           (unsigned long) speed_counter.most);
}


static void
compare(speed_page_t *p)
{
    int n = 0;
    row_t rows[ROWS];
    const speed_subject_t *s;

    speed_strip(p);
    printf("  {\"name\": \"%s\", \"bytes\": %zu, \"removed\": %lu, "
           "\"regions\": %u, \"template\": %zu,\n",
           p->name, p->len, (unsigned long) p->stats.removed, p->stats.regions,
           p->tmpl_len);

    count(p, "alloc-markdown", speed_markdown);
    count(p, "alloc-gumbo", speed_gumbo);

    for (s = speed_subjects; s->name; s++) {
        add(rows, &n, s->name, s->run, p->len);
    }

    measure(rows, n, p);
}


static void
fill(char *to, size_t size, const speed_hostile_t *h)
{
    char number[16];
    size_t n, off = 0;
    unsigned i;

    for (i = 0; i < h->count; i++) {
        n = strlen(h->head);
        memcpy(to + off, h->head, n);
        off += n;
    }

    for (i = 0; off < size; i++) {
        for (const char *c = h->unit; *c && off < size; c++) {
            if (*c != '#') {
                to[off++] = *c;
                continue;
            }

            n = (size_t) snprintf(number, sizeof(number), "%u", i);
            n = n < size - off ? n : size - off;
            memcpy(to + off, number, n);
            off += n;
        }
    }
}


/* returns the share of a stripped page that was cut */
static double
share(const speed_page_t *p)
{
    return (double) p->stats.removed / (double) p->len;
}


/* pages of one kind, each twice as long as the one before, for a subject */
static void
grow_for(speed_page_t *p, int steps, const char *subject, speed_run_pt run)
{
    int i, n = 0;
    char name[16];
    size_t len;
    row_t rows[ROWS];

    run(p);
    printf("  {\"name\": \"%s\", \"subject\": \"%s\", "
           "\"too_deep\": %u, "
           "\"bytes\": %zu, \"removed\": %lu,\n",
           p->name, subject, p->stats.too_deep, p->len,
           (unsigned long) p->stats.removed);

    for (i = 0; i < steps; i++) {
        len = (size_t) HOSTILE_MIN << i;
        snprintf(name, sizeof(name), "%zu", len);
        add(rows, &n, name, run, len);
    }

    measure(rows, n, p);
}


static void
grow(speed_page_t *p, int steps)
{
    grow_for(p, steps, "strip", speed_strip);
    printf(",\n");
    grow_for(p, steps, "markdown", speed_markdown);
}


/* the body of a page is repeated; no guard ends that */
static void
grow_real(const speed_page_t *real, const char *name, size_t size, int steps)
{
    size_t n, off;
    speed_page_t p = *real;
    const char *from, *start, *end;
    dt_template_head_t *head;

    p.name = name;
    p.data = speed_need(malloc(size));
    p.tmpl = speed_need(malloc(p.tmpl_len));
    memcpy(p.tmpl, real->tmpl, p.tmpl_len);
    head = p.tmpl;
    head->most = UINT32_MAX;

    start = strstr(real->data, "<body");
    start = start ? start : real->data;
    end = strstr(real->data, "</body");
    end = end ? end : real->data + real->len;

    for (off = 0, from = real->data; off < size; off += n, from = start) {
        n = (size_t) (end - from);
        n = size - off < n ? size - off : n;
        memcpy(p.data + off, from, n);
    }

    p.len = size;
    grow(&p, steps);
    free(p.data);
    free(p.tmpl);
}


/* the template of the first page is used for all but the last */
static void
grow_all(const speed_page_t *pages, int n, int steps)
{
    int i;
    size_t size = (size_t) HOSTILE_MIN << (steps - 1);
    speed_page_t p = pages[0];
    const speed_hostile_t *h;
    const speed_page_t *most = pages;

    p.data = speed_need(malloc(size));

    for (h = speed_hostile; h->name; h++) {
        p.name = h->name;
        p.len = size;
        fill(p.data, size, h);
        grow(&p, steps);
        printf(",\n");
    }

    free(p.data);
    grow_real(pages, "a real page's body, repeated", size, steps);

    for (i = 1; i < n; i++) {
        if (share(&pages[i]) > share(most)) {
            most = &pages[i];
        }
    }

    printf(",\n");
    grow_real(most, "the same of the page that most is cut of", size, steps);
}


int
main(int argc, char **argv)
{
    int i, n, steps = HOSTILE_STEPS;
    speed_page_t *pages;
    dt_work_t *work;

    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        rounds = 3;
        slice = 0.005;
        steps = HOSTILE_QUICK;
        argc--;
        argv++;
    }

    if (argc > 1 && strcmp(argv[1], "--markdown") == 0) {
        return convert_all(argc - 2, argv + 2);
    }

    if (argc == 6 && strcmp(argv[1], "--count") == 0) {
        return count_one(argv[2], argv + 3);
    }

    n = (argc - 1) / 3;

    if (n == 0 || argc != 1 + 3 * n) {
        fprintf(stderr, "usage: speed [--quick] ROOT URL PAGE ...\n");
        return 2;
    }

    pages = speed_need(calloc((size_t) n, sizeof(speed_page_t)));

    work = speed_need(dt_work_create());

    for (i = 0; i < n; i++) {
        pages[i].work = work;
        load(&pages[i], argv + 1 + 3 * i);
    }

    printf("{\"pages\": [\n");

    for (i = 0; i < n; i++) {
        compare(&pages[i]);
        printf(i + 1 < n ? ",\n" : "\n");
    }

    printf(" ],\n \"hostile\": [\n");
    grow_all(pages, n, steps);
    printf("\n ]}\n");

    for (i = 0; i < n; i++) {
        free(pages[i].data);
        free(pages[i].copy);
        free(pages[i].tmpl);
        dt_arena_destroy(pages[i].arena);
    }

    dt_work_destroy(work);
    free(pages);

    return 0;
}
