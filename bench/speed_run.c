
/*
 * Copyright (C) The detemplate authors
 *
 * The subjects of the speed bench, each as a function of a page.
 */


#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include <gumbo.h>
#include <zlib.h>

#ifdef BENCH_LEXBOR
#include <lexbor/html/parser.h>
#endif

#include "core/text/page.h"
#include "core/text/text.h"
#include "speed.h"


#define PIECE 32768


speed_counter_t speed_counter;

/* results are added to it, so that the compiler does not remove them */
static volatile uint64_t sink;


void
speed_die(const char *what, const char *why)
{
    fprintf(stderr, "speed: %s: %s\n", what, why);
    exit(1);
}


void *
speed_need(void *p)
{
    if (p == NULL) {
        speed_die("malloc", strerror(ENOMEM));
    }

    return p;
}


/* memory that is counted; the linker has all calls come here */

static unsigned counting;

void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);


void *
__wrap_realloc(void *p, size_t size)
{
    speed_counter_t *c = &speed_counter;

    c->now -= counting ? malloc_usable_size(p) : 0;
    p = __real_realloc(p, size);

    if (counting) {
        c->calls++;
        c->bytes += size;
        c->now += malloc_usable_size(p);
        c->most = c->now > c->most ? c->now : c->most;
    }

    return p;
}


void *
__wrap_malloc(size_t size)
{
    return __wrap_realloc(NULL, size);
}


void
__wrap_free(void *p)
{
    speed_counter.now -= counting ? malloc_usable_size(p) : 0;
    __real_free(p);
}


/* for gumbo, whose own calls are not counted */

static void *
count_alloc(void *data, size_t size)
{
    (void) data;

    return malloc(size);
}


static void
count_free(void *data, void *p)
{
    (void) data;

    free(p);
}


static int
rewrite_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    uint64_t *sum = data;

    (void) p;

    *sum += kind == DT_OUT_MARK ? 0 : len;

    return 0;
}


static int
text_out(void *data, const char *p, size_t len)
{
    uint64_t *sum = data;

    (void) p;

    *sum += len;

    return 0;
}


/* what remains of a page, to be converted */
typedef struct {
    char *data;
    size_t len;
} kept_t;

static int
rewrite_keep(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    kept_t *kept = data;

    (void) kind;

    memcpy(kept->data + kept->len, p, len);
    kept->len += len;

    return 0;
}


static void
rewrite(speed_page_t *p, dt_mode_t mode, dt_out_pt out, void *data)
{
    dt_rewrite_opts_t o;

    memset(&o, 0, sizeof(o));
    o.tmpl = p->tmpl;
    o.mode = mode;
    o.bold = !p->cautious; /* as the module's default */
    o.hand = p->hand;
    o.work = p->work;
    o.host = p->url.host;
    o.path = p->url.path;
    o.out = out;
    o.out_data = data;

    if (dt_rewrite_page(&o, (dt_str_t){ p->len, p->data }, &p->stats) != DT_OK)
    {
        speed_die(p->name, "rewriting failed");
    }
}


static void
run_mode(speed_page_t *p, dt_mode_t mode)
{
    uint64_t sum = 0;

    rewrite(p, mode, rewrite_out, &sum);

    if (sum + (mode == DT_STRIP ? p->stats.removed : 0) != p->len) {
        speed_die(p->name, "bytes are missing");
    }

    sink += sum;
}


void
speed_strip(speed_page_t *p)
{
    run_mode(p, DT_STRIP);
}


void
speed_markdown(speed_page_t *p)
{
    uint64_t sum = 0;
    kept_t kept = { speed_need(malloc(p->len + 1)), 0 };
    dt_text_opts_t to;

    rewrite(p, DT_STRIP, rewrite_keep, &kept);

    memset(&to, 0, sizeof(to));
    to.front = 1;
    to.url = p->url.href;
    to.out = text_out;
    to.out_data = &sum;

    counting = p->counted;

    if (dt_text_page(&to, (dt_str_t){ kept.len, kept.data }, NULL) != DT_OK) {
        speed_die(p->name, "no text");
    }

    counting = 0;

    free(kept.data);
    sink += sum;
}


static void
run_annotate(speed_page_t *p)
{
    run_mode(p, DT_ANNOTATE);
}


static void
run_memcpy(speed_page_t *p)
{
    memcpy(p->copy, p->data, p->len);
    sink += (unsigned char) p->copy[p->len / 2];
}


static void
run_memchr(speed_page_t *p)
{
    uint64_t n = 0;
    const char *c = p->data, *end = c + p->len;

    while ((c = memchr(c, '<', (size_t) (end - c))) != NULL) {
        n++;
        c++;
    }

    sink += n;
}


/* as nginx's gzip filter: a stream of its own for each page */
static void
run_deflate(speed_page_t *p)
{
    int rc;
    z_stream z;
    static unsigned char to[PIECE];

    memset(&z, 0, sizeof(z));

    if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY)
        != Z_OK) {
        speed_die("deflate", p->name);
    }

    z.next_in = (unsigned char *) p->data;
    z.avail_in = (unsigned) p->len;

    do {
        z.next_out = to;
        z.avail_out = sizeof(to);
        rc = deflate(&z, Z_FINISH);
    } while (rc == Z_OK || rc == Z_BUF_ERROR);

    sink += z.total_out;
    deflateEnd(&z);
}


void
speed_gumbo(speed_page_t *p)
{
    GumboOutput *out;
    GumboOptions o = kGumboDefaultOptions;

    counting = p->counted;

    if (counting) {
        o.allocator = count_alloc;
        o.deallocator = count_free;
    }

    out = speed_need(gumbo_parse_with_options(&o, p->data, p->len));
    sink += out->root->index_within_parent;
    gumbo_destroy_output(&o, out);
    counting = 0;
}


#ifdef BENCH_LEXBOR

static void
run_lexbor(speed_page_t *p)
{
    lxb_html_document_t *doc = speed_need(lxb_html_document_create());

    if (lxb_html_document_parse(doc, (const lxb_char_t *) p->data, p->len)
        != LXB_STATUS_OK)
    {
        speed_die("lexbor", p->name);
    }

    lxb_html_document_destroy(doc);
}

#endif


const speed_subject_t speed_subjects[] = {
    { "strip", speed_strip },
    { "annotate", run_annotate },
    { "markdown", speed_markdown },
    { "memcpy", run_memcpy },
    { "memchr", run_memchr },
    { "zlib-1", run_deflate },
    { "gumbo", speed_gumbo },
#ifdef BENCH_LEXBOR
    { "lexbor", run_lexbor },
#endif
    { NULL, NULL },
};


const speed_hostile_t speed_hostile[] = {
    { "`<div>` nested", "", 0, "<div>" },
    { "attributes on one tag", "<div", 1, " a#=1" },
    { "attributes with spaces", "", 0, "<p a = b c==d>" },
    { "one attribute", "<div title=\"", 1, "x" },
    { "one tag name", "<div", 1, "x" },
    { "no `>`", "", 0, "<div " },
    { "unclosed comments", "", 0, "<!--" },
    { "`< < <`", "", 0, "< " },
    { "stray end tags, 200 deep", "<div>", 200, "</i>" },
    { "`<li><p>`, 200 deep", "<div>", 200, "<li><p>" },
    { "misnested", "", 0, "<b><i></b></i>" },
    { "links", "<body><ul>", 1, "<li><a href=\"../#/./x?y&amp;z\">x</a>" },
    { "scripts", "", 0, "<script><!--<script></script>" },
    { "cells", "<table><tr>", 1, "<td>x" },
    { "rows of cells", "<table>", 1, "<tr><td>a<td rowspan=9>b|c" },
    { "lists, 30 deep", "<ul><li>", 30, "<li>x" },
    { "one line", "<p>", 1, "*x_ [y] &amp; `z` " },
    { "formatting", "<p>", 1, "<b>x</b> <i>y</i><code>z</code>" },
    { "one pre", "<pre>", 1, "````\nx\n" },
    { NULL, NULL, 0, NULL },
};
