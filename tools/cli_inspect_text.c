
/*
 * Copyright (C) The detemplate authors
 *
 * Finds words of a page, and says why they stay; prints the page by lines.
 */


#include <stdlib.h>
#include <unistd.h>

#include "cli_inspect.h"


/* returns whether a piece says the words; buf has room for all of them */
static int
dt_cli_says(const dt_cli_inspect_t *t, const dt_record_t *r, const char *words,
            char *buf, size_t size)
{
    (void) dt_cli_words(
        (dt_str_t){ r->end - r->start, t->learning.key + r->start }, buf,
        size);

    return strstr(buf, words) != NULL;
}


int
dt_cli_inspect_find(dt_cli_inspect_t *t, const char *text,
                    void (*found)(dt_cli_inspect_t *t, size_t i))
{
    size_t i, last = t->n, size = t->learning.key_len + 16;
    char *buf = malloc(size), *words = malloc(strlen(text) + 16);
    uint32_t skip = 0;
    const dt_record_t *r;

    if (buf == NULL || words == NULL) {
        free(buf);
        free(words);
        return 1;
    }

    (void) dt_cli_words(dt_cstr(text), words, strlen(text) + 16);

    /* words that a piece lacks are in no piece of it; of pieces in one
       another, the innermost comes last */

    for (i = 0; i < t->n; i++) {
        r = &t->records[i];

        if (r->start < skip || r->words == 0 || r->end > t->learning.key_len) {
            continue;
        }

        if (!dt_cli_says(t, r, words, buf, size)) {
            skip = r->end;
            continue;
        }

        if (last < t->n && r->start >= t->records[last].end) {
            found(t, last);
        }

        last = i;
    }

    if (last < t->n) {
        found(t, last);
    }

    free(buf);
    free(words);

    return 0;
}


int
dt_cli_inspect_diff(const dt_cli_inspect_t *t)
{
    int cut, color = isatty(STDOUT_FILENO);
    char *buf = malloc(t->learning.key_len + 16);
    size_t i, k;
    const dt_record_t *r, *last, *next;

    if (buf == NULL) {
        return 1;
    }

    for (i = 0; i < t->n; i = k) {
        r = last = &t->records[i];
        k = i + 1;

        if (r->name != 0 || r->words == 0 || r->end > t->learning.key_len) {
            continue;
        }

        cut = t->cut_bytes[r->start];

        for (; k < t->n; k++) {
            next = &t->records[k];

            if (next->name != 0 || next->words == 0) {
                continue;
            }

            if (next->line != r->line || next->end > t->learning.key_len
                || t->cut_bytes[next->start] != cut)
            {
                break;
            }

            last = next;
        }

        printf("%s%c ", cut && color ? "\033[31m" : "", cut ? '-' : ' ');
        dt_cli_print(stdout,
                     dt_cli_words((dt_str_t){ last->end - r->start,
                                              t->learning.key + r->start },
                                  buf, t->learning.key_len + 16));
        puts(cut && color ? "\033[0m" : "");
    }

    free(buf);

    return 0;
}


static void
dt_cli_no_support(const dt_why_t *why, unsigned support, char *p, size_t size)
{
    unsigned copies = why->pages - why->votes;
    char more[80] = "";

    if (copies) {
        (void) snprintf(more, sizeof(more),
                        ", since %u of the pages %s of others", copies,
                        copies == 1 ? "is a copy" : "are copies");
    }

    (void) snprintf(p, size,
                    "shown by %u of %u pages; %u votes are needed, these have "
                    "%u%s",
                    why->pages, why->npages, support, why->votes, more);
}


void
dt_cli_inspect_words(const dt_cli_inspect_t *t, const dt_cli_piece_t *piece,
                     char *p, size_t size)
{
    dt_rules_t rules;
    const dt_why_t *why = &piece->why;

    dt_rules_init(&rules);

    if (piece->hand) {
        (void) snprintf(p, size, "it is kept by hand");
        return;
    }

    if (!piece->explained) {
        (void) snprintf(p, size,
                        t->records[piece->record].key
                            ? "none of the %u pages that the template knows "
                              "shows it"
                            : "the scanner and parsers may see this element "
                              "differently",
                        (unsigned) t->info.pages);
        return;
    }

    switch (why->question) {

    case DT_QUESTION_SUPPORT:
        dt_cli_no_support(why, dt_rules_support(&rules, why->nvotes), p, size);
        break;

    case DT_QUESTION_KIND:
        (void) snprintf(p, size,
                        "the %u of %u pages that show it are too few, or "
                        "share too many words, for their %u votes to count",
                        why->pages, why->npages, why->votes);
        break;

    case DT_QUESTION_SCORE:
        (void) snprintf(p, size,
                        "shown by %u of %u pages, but its score is %.2f, and "
                        "%.2f is enough",
                        why->pages, why->npages, why->score / 1000.0,
                        why->least / 1000.0);
        break;

    case DT_QUESTION_SHARE:
        (void) snprintf(p, size,
                        why->dir ? "it is template only in a directory that "
                                   "this page is not in"
                                 : "neither of the site nor of a directory do "
                                   "enough pages show it");
        break;

    case DT_QUESTION_GUARD:
        (void) snprintf(p, size,
                        "with it, so much would be cut that less than %u %% "
                        "of the words of a page would remain",
                        rules.remain);
        break;

    case DT_QUESTION_SLOT:
        (void) snprintf(p, size,
                        "it stands in the main region, where %u %% of the "
                        "pages that have its place must show it",
                        rules.slot);
        break;

    case DT_QUESTION_SENTENCE:
        (void) snprintf(p, size,
                        "it is template, but here it is one thing with words "
                        "that stay, or their label");
        break;

    default:
        (void) snprintf(p, size, "shown by %u of %u pages", why->pages,
                        why->npages);
    }
}
