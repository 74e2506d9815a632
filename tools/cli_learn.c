
/*
 * Copyright (C) The detemplate authors
 *
 * The command learn runs dt_learn() with pages from the network or from a
 * directory, and prints a report.  The rewriter itself says which regions of
 * the key page are template, so the report shows the regions that serving
 * would cut.
 */


#include <inttypes.h>

#include "core/template/template.h"
#include "cli_cut.h"
#include "cli_learning.h"


#define DT_CLI_WORDS 72


/* prints one region of the key page */
static void
dt_cli_region(void *data, uint64_t start, uint64_t end)
{
    dt_cli_learning_t *learning = data;
    char buf[DT_CLI_WORDS];
    dt_str_t words;

    words = dt_cli_words(
        (dt_str_t){ (size_t) (end - start), learning->key + start }, buf,
        sizeof(buf));

    if (learning->args->json) {
        printf("%s{\"start\":%" PRIu64 ",\"length\":%" PRIu64 ",\"text\":",
               learning->regions++ ? "," : "", start, end - start);
        dt_cli_print_json(stdout, words);
        fputc('}', stdout);

    } else {
        printf("  %8" PRIu64 "  %8" PRIu64 "  ", start, end - start);
        dt_cli_print(stdout, words);
        fputc('\n', stdout);
    }
}


/* adds one region to the bytes that are cut */
static void
dt_cli_sum(void *data, uint64_t start, uint64_t end)
{
    *(uint64_t *) data += end - start;
}


/* reports the regions that a template cuts from the key page, as nginx cuts it
   by default */
static int
dt_cli_regions(dt_cli_learning_t *learning, const dt_learned_t *l,
               void (*report)(void *data, uint64_t start, uint64_t end),
               void *data)
{
    if (learning->key == NULL || l->patterns == 0) {
        return DT_EXIT_OK;
    }

    return dt_cli_cuts(l->bytes,
                       (dt_str_t){ learning->key_len, learning->key },
                       &learning->url, 1, NULL, report, data)
                   == DT_OK
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, "out of memory");
}


static int
dt_cli_report_json(dt_cli_learning_t *learning, dt_status_t rc,
                   const dt_learned_t *l)
{
    int code;
    uint64_t removed = 0;
    const dt_learned_page_t *p;
    dt_template_info_t t = { 0 };

    if (l->bytes != NULL) {
        dt_template_info(l->bytes, &t);
    }

    fputs("{\"url\":", stdout);
    dt_cli_print_json(stdout, learning->url.href);
    printf(",\"learned\":%s,\"reason\":", rc == DT_OK ? "true" : "false");
    dt_cli_print_json(stdout, dt_cstr(l->reason ? l->reason : "error"));
    printf(",\"loads\":%u,\"tries\":%u,\"candidates\":%u,\"patterns\":%u,"
           "\"guarded\":%u,\"bytes\":%" PRIu32 ",\"evidence\":%zu,"
           "\"static_bytes\":%u,\"static_words\":%u,\"words\":%u,"
           "\"coverage\":%.3f,\"pages\":[",
           l->loads, l->tries, l->candidates, l->patterns, l->guarded,
           t.serve_size, l->len - t.serve_size, l->static_bytes,
           l->static_words, l->words, l->coverage);

    for (size_t i = 0; i < l->npages; i++) {
        p = &l->pages[i];
        fputs(i ? ",{\"url\":" : "{\"url\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(p->url));
        fputs(",\"result\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(p->result));
        printf(",\"in_cs\":%s}", p->in_cs ? "true" : "false");
    }

    fputs("],\"regions\":[", stdout);
    code = dt_cli_regions(learning, l, dt_cli_region, learning);

    if (code == DT_EXIT_OK) {
        code = dt_cli_regions(learning, l, dt_cli_sum, &removed);
    }

    printf("],\"removed\":%" PRIu64 "}\n", removed);

    return code;
}


static int
dt_cli_report(dt_cli_learning_t *learning, const dt_learned_t *l)
{
    int code;
    uint64_t removed = 0;
    const dt_learned_page_t *p;
    dt_template_info_t t;

    printf("pages, in the order of loading (*: in the complete "
           "subdigraph):\n");

    for (size_t i = 0; i < l->npages; i++) {
        p = &l->pages[i];
        printf("%c %-12s ", p->in_cs ? '*' : ' ', p->result);
        dt_cli_print(stdout, dt_cstr(p->url));
        fputc('\n', stdout);
    }

    printf("loaded         %u pages, of %u requested\n", l->loads, l->tries);
    printf("subdigraph     %u pages\n", l->candidates);

    if (l->patterns == 0) {
        printf("no template    %s\n", l->reason ? l->reason : "error");
        return DT_EXIT_OK;
    }

    dt_template_info(l->bytes, &t);
    printf("template       %u patterns, %u guarded, %" PRIu32
           " bytes and %zu of evidence\n",
           l->patterns, l->guarded, t.serve_size, l->len - t.serve_size);
    printf("coverage       %u of %u words of the key page (%.1f%%) are said "
           "by other pages too\n",
           l->static_words, l->words, l->coverage * 100);

    if (learning->key == NULL) {
        return DT_EXIT_OK;
    }

    code = dt_cli_regions(learning, l, dt_cli_sum, &removed);

    printf("cut            %" PRIu64
           " of %zu bytes of the key page (%.1f%%)\n",
           removed, learning->key_len,
           100.0 * (double) removed / (double) learning->key_len);
    printf("     start    length  first words\n");

    return code == DT_EXIT_OK
               ? dt_cli_regions(learning, l, dt_cli_region, learning)
               : code;
}


int
dt_cli_learn(const dt_cli_args_t *args)
{
    int code, written;
    dt_status_t rc = DT_OK;
    dt_learned_t l;
    dt_cli_learning_t learning;

    memset(&l, 0, sizeof(l));

    code = dt_cli_learning_open(&learning, args, 1);

    if (code == DT_EXIT_OK) {
        code = dt_cli_learning_run(&learning, &rc, &l);
    }

    if (code == DT_EXIT_OK) {
        code = args->json ? dt_cli_report_json(&learning, rc, &l)
                          : dt_cli_report(&learning, &l);

        if (rc != DT_OK) {
            code = dt_cli_learning_failed(rc, &l);

        } else if (args->out != NULL) {
            written = dt_cli_write_file(args->out, l.bytes, l.len);
            code = written != DT_EXIT_OK ? written : code;
        }
    }

    dt_learned_free(&l);
    dt_cli_learning_close(&learning);

    return code;
}
