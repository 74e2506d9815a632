
/*
 * Copyright (C) The detemplate authors
 */


#include <inttypes.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "cli_inspect.h"


#define DT_CLI_WORDS 72
#define DT_CLI_SENTENCE 512
#define DT_CLI_MOST 20   /* most pieces that are close, in a report */
#define DT_CLI_LEAST 100 /* least thousandths of the score in a report */
#define DT_CLI_PARTS 5   /* most features in a report, for and against */
#define DT_CLI_NONE UINT32_MAX


static const char *const dt_cli_questions[] = {
    "", "pages", "score", "share", "kind", "guard", "slot", "sentence",
};


/* prints the names of the elements from the body to a record */
static void
dt_cli_place(const dt_cli_inspect_t *t, uint32_t i)
{
    int json = t->learning.args->json != 0;
    const char *p;
    dt_str_t name = dt_str("text");
    const dt_record_t *r = &t->records[i];

    if (r->parent != DT_CLI_NONE) {
        dt_cli_place(t, r->parent);
        fputs(json ? "," : " > ", stdout);
    }

    if (r->name != 0) {
        p = t->learning.key + r->start + 1;
        name = (dt_str_t){ strcspn(p, " \t\r\n\f/>"), p };
        name.len = name.len < 32 ? name.len : 32;
    }

    if (json) {
        dt_cli_print_json(stdout, name);

    } else {
        dt_cli_print(stdout, name);
    }
}


/* returns the directory with this hash, among those that the page is in */
static dt_str_t
dt_cli_dir(const dt_cli_inspect_t *t, uint64_t hash)
{
    size_t i;
    dt_str_t path = t->learning.url.path, dir = { 0, NULL };

    for (i = 0; i <= path.len; i++) {
        dir = (dt_str_t){ i, path.data };

        if ((dt_hash(dir.data, dir.len, 0) | 1) == hash) {
            return dir;
        }
    }

    return dt_str("another one");
}


/* prints the features that counted for a piece (sign 1) or against it (-1),
   most first */
static void
dt_cli_features(const dt_why_t *why, const char *what, int sign)
{
    unsigned i, n, most;
    int printed[DT_SCORE_FEATURES] = { 0 };

    for (n = 0; n < DT_CLI_PARTS; n++) {
        for (i = 0, most = DT_SCORE_FEATURES; i < DT_SCORE_FEATURES; i++) {
            if (!printed[i] && why->terms[i] * sign >= DT_CLI_LEAST
                && (most == DT_SCORE_FEATURES
                    || why->terms[i] * sign > why->terms[most] * sign))
            {
                most = i;
            }
        }

        if (most == DT_SCORE_FEATURES) {
            break;
        }

        printf("%s %s %.2f", n ? "," : what, dt_score_names[most],
               abs(why->terms[most]) / 1000.0);
        printed[most] = 1;
    }
}


/* prints the line that keeps a piece, or cuts it */
static void
dt_cli_line(dt_cli_inspect_t *t, const dt_cli_piece_t *p)
{
    char line[DT_CLI_SENTENCE];
    uint64_t words = dt_cli_inspect_line(t, p, line, sizeof(line));

    if (line[0] == '\0') {
        return;
    }

    if (t->learning.args->json) {
        fputs(",\"line\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(line));
        printf(",\"line_words\":%" PRIu64, words);
        return;
    }

    printf("            %s ", p->cut ? "keep it" : "cut it ");
    dt_cli_print(stdout, dt_cstr(line));

    if (words) {
        printf(" (with %" PRIu64 " words elsewhere)", words);
    }

    putchar('\n');
}


/* prints why a piece is cut, or is not */
static void
dt_cli_why(const dt_cli_inspect_t *t, const dt_cli_piece_t *p)
{
    char words[DT_CLI_SENTENCE];
    const dt_why_t *why = &p->why;

    fputs("            place   ", stdout);
    dt_cli_place(t, p->record);

    if (p->cut && (p->hand || !p->explained)) {
        printf("\n            cut %s\n",
               p->hand ? "by hand" : "because all that it contains is cut");
        return;
    }

    if (!p->cut) {
        dt_cli_inspect_words(t, p, words, sizeof(words));
        printf("\n            stays: %s", words);
    }

    if (p->hand || !p->explained) {
        putchar('\n');
        return;
    }

    printf("\n            pages   %u of %u, %u of %u votes", why->pages,
           why->npages, why->votes, why->nvotes);

    if (why->dir) {
        fputs("; only in ", stdout);
        dt_cli_print(stdout, dt_cli_dir(t, why->dir));
    }

    if (p->shape) {
        fputs("\n            cut by its shape", stdout);
    }

    if (why->scored) {
        printf("\n            score   %.2f, %.2f is enough (mean %.2f)",
               why->score / 1000.0, why->least / 1000.0, why->mean / 1000.0);
        dt_cli_features(why, "\n            for    ", 1);
        dt_cli_features(why, "\n            against", -1);
    }

    if (p->cut && why->question != DT_QUESTION_NONE) {
        printf("\n            alone it would not be cut, by the question %s",
               dt_cli_questions[why->question]);
    }

    putchar('\n');
}


static void
dt_cli_why_json(const dt_cli_inspect_t *t, const dt_cli_piece_t *p)
{
    unsigned i;
    char words[DT_CLI_SENTENCE];
    const dt_why_t *why = &p->why;

    fputs(",\"place\":[", stdout);
    dt_cli_place(t, p->record);
    putchar(']');

    if (!p->cut) {
        dt_cli_inspect_words(t, p, words, sizeof(words));
        fputs(",\"stays\":", stdout);
        dt_cli_print_json(stdout, dt_cstr(words));
    }

    if (p->hand) {
        fputs(",\"hand\":true", stdout);
        return;
    }

    if (!p->explained) {
        return;
    }

    printf(",\"pages\":%u,\"of_pages\":%u,\"votes\":%u,\"of_votes\":%u",
           why->pages, why->npages, why->votes, why->nvotes);

    if (why->dir) {
        fputs(",\"directory\":", stdout);
        dt_cli_print_json(stdout, dt_cli_dir(t, why->dir));
    }

    if (p->shape) {
        fputs(",\"shape\":true", stdout);
    }

    if (why->question != DT_QUESTION_NONE) {
        printf(",\"stays_by\":\"%s\"", dt_cli_questions[why->question]);
    }

    if (why->scored) {
        printf(",\"score\":%.3f,\"enough\":%.3f,\"mean\":%.3f,\"by\":{",
               why->score / 1000.0, why->least / 1000.0, why->mean / 1000.0);

        for (i = 0; i < DT_SCORE_FEATURES; i++) {
            printf("%s\"%s\":%.3f", i ? "," : "", dt_score_names[i],
                   why->terms[i] / 1000.0);
        }

        putchar('}');
    }
}


static void
dt_cli_piece(dt_cli_inspect_t *t, const dt_cli_piece_t *p, int first)
{
    char buf[DT_CLI_WORDS];
    dt_str_t words;
    const dt_record_t *r = &t->records[p->record];

    words = dt_cli_words(
        (dt_str_t){ r->end - r->start, t->learning.key + r->start }, buf,
        sizeof(buf));

    if (!t->learning.args->json) {
        printf("  %8" PRIu32 "  %8" PRIu32 "  ", r->start, r->end - r->start);
        dt_cli_print(stdout, words);
        putchar('\n');
        dt_cli_why(t, p);
        dt_cli_line(t, p);
        return;
    }

    printf("%s{\"start\":%" PRIu32 ",\"length\":%" PRIu32 ",\"text\":",
           first ? "" : ",", r->start, r->end - r->start);
    dt_cli_print_json(stdout, words);
    dt_cli_why_json(t, p);
    dt_cli_line(t, p);
    putchar('}');
}


static int
dt_cli_by_distance(const void *a, const void *b)
{
    const dt_cli_piece_t *x = a, *y = b;

    if (x->cut != y->cut || x->cut || x->distance == y->distance) {
        return x->cut != y->cut
                   ? y->cut - x->cut
                   : (x->record > y->record) - (x->record < y->record);
    }

    return x->distance - y->distance;
}


void
dt_cli_inspect_report(dt_cli_inspect_t *t)
{
    int json = t->learning.args->json != 0;
    size_t i, cut;

    qsort(t->pieces, t->npieces, sizeof(dt_cli_piece_t), dt_cli_by_distance);

    for (cut = 0; cut < t->npieces && t->pieces[cut].cut; cut++) {
        /* void */
    }

    if (json) {
        fputs("{\"url\":", stdout);
        dt_cli_print_json(stdout, t->learning.url.href);
        printf(",\"version\":%" PRIu32 ",\"bytes\":%zu,\"removed\":%" PRIu64
               ",\"cut\":[",
               t->info.version, t->learning.key_len, t->removed);

    } else {
        printf("template       version %" PRIu32 ", from %" PRIu32 " pages\n",
               t->info.version, t->info.pages);
        printf("cut            %" PRIu64 " of %zu bytes (%.1f%%), in %u "
               "regions\n",
               t->removed, t->learning.key_len,
               100.0 * (double) t->removed / (double) t->learning.key_len,
               t->regions);
        printf("     start    length  first words\n");
    }

    for (i = 0; i < cut; i++) {
        dt_cli_piece(t, &t->pieces[i], i == 0);
    }

    if (json) {
        fputs("],\"near\":[", stdout);

    } else {
        printf("not cut%s: %zu pieces\n",
               t->learning.args->text ? "" : ", but close", t->npieces - cut);
    }

    for (i = cut; i < t->npieces && i < cut + DT_CLI_MOST; i++) {
        dt_cli_piece(t, &t->pieces[i], i == cut);
    }

    if (json) {
        fputs("]}\n", stdout);
    }
}
