
/*
 * Copyright (C) The detemplate authors
 *
 * The command test checks which words of pages stay and which are cut, for a
 * site's own tests.  A file names pages, and the texts that each page must
 * keep or lose:
 *
 *     # a comment
 *     page http://www.example.com/plums
 *     keep A plum is a fruit
 *     cut  Choose a fruit
 *
 * White space and tags do not count in texts.
 */


#include <stdlib.h>

#include "cli_cut.h"
#include "cli_learning.h"


/* one line of the file */
typedef struct {
    unsigned number; /* of the line */
    char kind;       /* 'p', 'k' or 'c', for page, keep or cut */
    char *text;
} dt_cli_line_t;

typedef struct {
    dt_cli_args_t args; /* those of the command, with the page in arg */
    dt_cli_line_t *lines;
    size_t n;
    dt_hand_t selectors;
    const dt_hand_t *hand;
    void *tmpl;
    size_t len;
    char *kept; /* words of the page that stay, and all of its words */
    char *whole;
    char *page; /* bytes of the page; those that are cut become spaces */
    unsigned tests;
    unsigned failed;
} dt_cli_test_t;


/* adds a line of the file; returns an exit code */
static int
dt_cli_test_line(dt_cli_test_t *t, unsigned number, char *line)
{
    char *text;
    size_t len;
    dt_cli_line_t *lines;
    static const char *const words[] = { "page", "keep", "cut" };

    line += strspn(line, " \t");
    line[strcspn(line, "\r\n")] = '\0';

    if (line[0] == '\0' || line[0] == '#') {
        return DT_EXIT_OK;
    }

    len = strcspn(line, " \t");
    text = line + len + strspn(line + len, " \t");

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {

        if (strlen(words[i]) != len || strncmp(line, words[i], len) != 0
            || text[0] == '\0' || (t->n == 0 && i != 0))
        {
            continue;
        }

        lines = realloc(t->lines, (t->n + 1) * sizeof(dt_cli_line_t));
        if (lines == NULL) {
            return dt_cli_error(DT_EXIT_IO, "out of memory");
        }

        t->lines = lines;
        lines[t->n].number = number;
        lines[t->n].kind = words[i][0];
        lines[t->n].text = strdup(text);

        return lines[t->n++].text ? DT_EXIT_OK
                                  : dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    return dt_cli_error(DT_EXIT_USAGE,
                        "line %u must be \"page URL\", \"keep TEXT\" or "
                        "\"cut TEXT\", and a page comes first",
                        number);
}


static int
dt_cli_test_read(dt_cli_test_t *t, const char *name)
{
    int code = DT_EXIT_OK;
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    FILE *f = fopen(name, "r");

    if (f == NULL) {
        return dt_cli_error(DT_EXIT_IO, "%s: cannot be read", name);
    }

    while (code == DT_EXIT_OK && getline(&line, &size, f) != -1) {
        code = dt_cli_test_line(t, ++number, line);
    }

    free(line);
    fclose(f);

    if (code == DT_EXIT_OK && t->n == 0) {
        code = dt_cli_error(DT_EXIT_USAGE, "%s: no page", name);
    }

    return code;
}


/* learns from a page, on top of the template of the pages before it */
static int
dt_cli_test_learn(dt_cli_test_t *t, dt_status_t *rc)
{
    int code;
    dt_learned_t l;
    dt_cli_learning_t learning;

    memset(&l, 0, sizeof(l));
    code = dt_cli_learning_open(&learning, &t->args, 1);

    learning.prev = t->tmpl;
    learning.prev_len = t->len;
    t->tmpl = NULL;

    if (code == DT_EXIT_OK) {
        code = dt_cli_learning_run(&learning, rc, &l);
    }

    if (l.bytes != NULL) {
        t->tmpl = l.bytes;
        t->len = l.len;
        l.bytes = NULL;

    } else {
        t->tmpl = learning.prev;
        learning.prev = NULL;
    }

    if (code == DT_EXIT_OK && *rc != DT_OK && *rc != DT_DECLINED) {
        code = dt_cli_learning_failed(*rc, &l);
    }

    dt_learned_free(&l);
    dt_cli_learning_close(&learning);

    return code;
}


/* finds the template: in a file, or by learning from all pages of the tests */
static int
dt_cli_test_template(dt_cli_test_t *t)
{
    int code = DT_EXIT_OK;
    unsigned learned = 0;
    dt_status_t rc = DT_OK;

    if (t->args.tmpl != NULL) {
        t->tmpl = dt_cli_read_template(t->args.tmpl, &t->len, NULL, &code);
        return code;
    }

    for (size_t i = 0; i < t->n && code == DT_EXIT_OK; i++) {
        if (t->lines[i].kind == 'p') {
            t->args.arg = t->lines[i].text;
            code = dt_cli_test_learn(t, &rc);
            learned |= rc == DT_OK;
        }
    }

    return code == DT_EXIT_OK && !learned
               ? dt_cli_error(DT_EXIT_NOTHING, "nothing learned from the "
                                               "pages of the tests")
               : code;
}


/* puts spaces in place of a range that is cut */
static void
dt_cli_test_cut(void *data, uint64_t start, uint64_t end)
{
    dt_cli_test_t *t = data;

    memset(t->page + start, ' ', (size_t) (end - start));
}


/* loads a page, and finds the words that stay and those that it has in all */
static int
dt_cli_test_page(dt_cli_test_t *t, const char *page)
{
    int code;
    size_t size;
    dt_cli_learning_t learning;

    free(t->kept);
    free(t->whole);
    t->kept = NULL;
    t->whole = NULL;

    t->args.arg = page;
    code = dt_cli_learning_open(&learning, &t->args, 0);

    if (code == DT_EXIT_OK) {
        code = dt_cli_learning_key_page(&learning);
    }

    if (code == DT_EXIT_OK) {
        size = learning.key_len + 8; /* more than the words take */
        t->page = learning.key;
        t->kept = malloc(size);
        t->whole = malloc(size);

        if (t->kept == NULL || t->whole == NULL) {
            code = dt_cli_error(DT_EXIT_IO, "out of memory");

        } else {
            dt_str_t s = { learning.key_len, learning.key };
            char *copy = strndup(s.data, s.len);

            (void) dt_cli_words(s, t->whole, size);

            if (copy == NULL
                || dt_cli_cuts(t->tmpl, (dt_str_t){ s.len, copy },
                               &learning.url, !t->args.cautious, t->hand,
                               dt_cli_test_cut, t)
                       != DT_OK)
            {
                code = dt_cli_error(DT_EXIT_IO, "out of memory");
            }

            (void) dt_cli_words(s, t->kept, size);
            free(copy);
        }
    }

    dt_cli_learning_close(&learning);

    return code;
}


/* prints the result of a line, as TAP or JSON */
static void
dt_cli_test_result(dt_cli_test_t *t, const dt_cli_line_t *line, char *text)
{
    int whole, kept, good;
    const char *why;

    (void) dt_cli_words(dt_cstr(line->text), text, strlen(line->text) + 8);

    whole = strstr(t->whole, text) != NULL;
    kept = strstr(t->kept, text) != NULL;
    good = whole && kept == (line->kind == 'k');
    why = good ? "" : !whole ? "not on the page" : kept ? "stays" : "is cut";

    t->tests++;
    t->failed += !good;

    if (t->args.json) {
        printf("%s{\"line\":%u,\"page\":", t->tests > 1 ? "," : "",
               line->number);
        dt_cli_print_json(stdout, dt_cstr(t->args.arg));
        printf(",\"expect\":\"%s\",\"text\":",
               line->kind == 'k' ? "keep" : "cut");
        dt_cli_print_json(stdout, dt_cstr(text));
        printf(",\"ok\":%s,\"why\":\"%s\"}", good ? "true" : "false", why);
        return;
    }

    printf("%sok %u - %s \"", good ? "" : "not ", t->tests,
           line->kind == 'k' ? "keep" : "cut");
    dt_cli_print(stdout, dt_cstr(text));
    printf("\"\n");

    if (!good) {
        printf("# line %u, page ", line->number);
        dt_cli_print(stdout, dt_cstr(t->args.arg));
        printf(": %s\n", why);
    }
}


static int
dt_cli_test_run(dt_cli_test_t *t)
{
    int code = DT_EXIT_OK;
    char *text;

    for (size_t i = 0; i < t->n && code == DT_EXIT_OK; i++) {

        if (t->lines[i].kind == 'p') {
            code = dt_cli_test_page(t, t->lines[i].text);
            continue;
        }

        text = malloc(strlen(t->lines[i].text) + 8);
        if (text == NULL) {
            return dt_cli_error(DT_EXIT_IO, "out of memory");
        }

        dt_cli_test_result(t, &t->lines[i], text);
        free(text);
    }

    return code;
}


int
dt_cli_test(const dt_cli_args_t *args)
{
    int code;
    dt_cli_test_t t;

    memset(&t, 0, sizeof(t));
    t.args = *args;

    code = dt_cli_hand(args, &t.selectors, &t.hand);
    code = code == DT_EXIT_OK ? dt_cli_test_read(&t, args->arg) : code;
    code = code == DT_EXIT_OK ? dt_cli_test_template(&t) : code;

    if (code == DT_EXIT_OK) {
        printf("%s", args->json ? "{\"tests\":[" : "");
        code = dt_cli_test_run(&t);

        if (args->json) {
            printf("],\"failed\":%u}\n", t.failed);

        } else {
            printf("1..%u\n", t.tests);
        }

        code = code == DT_EXIT_OK && t.failed ? DT_EXIT_NOTHING : code;
    }

    for (size_t i = 0; i < t.n; i++) {
        free(t.lines[i].text);
    }

    free(t.lines);
    free(t.tmpl);
    free(t.kept);
    free(t.whole);

    return code;
}
