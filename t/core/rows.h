
/*
 * Copyright (C) The detemplate authors
 *
 * Rows of tests, in files of t/core/rows.  A line that is not indented is a
 * row, and the indented lines behind it belong to it:
 *
 *   == a section
 *   ; a comment
 *   let NAME text
 *   part => part
 *       => one more part
 *       key value; key value
 *
 * $NAME or ${NAME} stands for the text, and $(9 text$) for nine times the
 * text, where $# is a number from 0 on.  \n, \t, \r, \f, \\ and \x00 are as in
 * C, and \s is a space where none is seen.  Between [- and -] stands what is
 * cut of a part.
 */


#ifndef DT_ROWS_H_INCLUDED_
#define DT_ROWS_H_INCLUDED_


#include <ctype.h>
#include <stdlib.h>

#include "test.h"


#define ROW_PARTS 8
#define ROW_KEYS 12
#define ROW_LETS 64


typedef struct {
    const char *all;  /* with what is cut, */
    const char *left; /* and without */
} part_t;


typedef struct {
    unsigned nparts;
    part_t part[ROW_PARTS];
    unsigned nkeys;
    const char *key[ROW_KEYS];
    const char *value[ROW_KEYS];
} row_t;


static struct {
    const char *lets[ROW_LETS]; /* NAME text, up to the end of the line */
    unsigned nlets;
    char pool[32 << 20]; /* the texts of one row */
    size_t used;
} row_file;


static inline void
row_bad(const char *what, const char *line)
{
    printf("Bail out! %s: %.60s\n", what, line);
    exit(1);
}


static inline void
row_put(char c)
{
    if (row_file.used == sizeof(row_file.pool)) {
        row_bad("row", "too long");
    }

    row_file.pool[row_file.used++] = c;
}


static inline const char *
row_escape(const char *p)
{
    static const char from[] = "ntrfs\\", to[] = "\n\t\r\f \\";
    const char *at = memchr(from, *p, sizeof(from) - 1);
    char hex[3] = { 0 };

    if (*p == 'x' && isxdigit(p[1]) && isxdigit(p[2])) {
        memcpy(hex, p + 1, 2);
        row_put((char) strtol(hex, NULL, 16));
        return p + 3;
    }

    if (at == NULL) {
        row_bad("no such escape", p);
    }

    row_put(to[at - from]);

    return p + 1;
}


static inline void row_puts(const char *p, const char *end, unsigned number);


/* puts what stands for something else and begins here; returns its end */
static inline const char *
row_stands(const char *p, const char *end, unsigned number)
{
    char digits[16], *text;
    const char *let, *name = p + (*p == '{');
    size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    unsigned i, n;

    if (*p == '#') {
        row_puts(digits,
                 digits + snprintf(digits, sizeof(digits), "%u", number), 0);
        return p + 1;
    }

    if (*p == '(') {
        n = (unsigned) strtoul(p + 1, &text, 10);
        p = memmem(text, (size_t) (end - text), "$)", 2);

        for (i = 0; p != NULL && i < n; i++) {
            row_puts(text + 1, p, i);
        }

        return p ? p + 2 : end;
    }

    for (i = row_file.nlets; i-- > 0;) {
        let = row_file.lets[i];

        if (len && strncmp(let, name, len) == 0 && let[len] == ' ') {
            row_puts(let + len + 1, strchr(let, '\n'), number);
            return name + len + (*p == '{');
        }
    }

    row_bad("no such name", p);

    return NULL;
}


static inline void
row_puts(const char *p, const char *end, unsigned number)
{
    while (p < end) {
        if (*p == '$') {
            p = row_stands(p + 1, end, number);

        } else if (*p == '\\') {
            p = row_escape(p + 1);

        } else {
            row_put(*p++);
        }
    }
}


/* the text from p to end, as it is meant */
static inline char *
row_text(const char *p, const char *end)
{
    size_t at = row_file.used;

    row_puts(p, end, 0);
    row_put('\0');

    return row_file.pool + at;
}


static inline part_t
row_part(const char *p, const char *end)
{
    int cut = 0;
    char *text = row_text(p, end), *all = text, *from;
    part_t part = { text, row_file.pool + row_file.used };

    for (from = text; *from;) {
        if (memcmp(from, cut ? "-]" : "[-", 2) == 0) {
            cut = !cut;
            from += 2;
            continue;
        }

        if (!cut) {
            row_put(*from);
        }

        *all++ = *from++;
    }

    *all = '\0';
    row_put('\0');

    return part;
}


/* the value of a key, or NULL */
static inline const char *
row_get(const row_t *row, const char *key)
{
    for (unsigned i = 0; i < row->nkeys; i++) {
        if (strcmp(row->key[i], key) == 0) {
            return row->value[i];
        }
    }

    return NULL;
}


static inline void
row_with(char *out, size_t size, const char *text, const char *word)
{
    size_t at = strcspn(text, "?");

    snprintf(out, size, "%.*s%s%s", (int) at, text, text[at] ? word : "",
             text + at + (text[at] != '\0'));
}


/* calls each for each word of a list, the first part, with each other part, in
   which the word stands for "?" */
static inline void
row_words(const row_t *row, const char *sign,
          void (*each)(const char *word, const part_t *part))
{
    char all[512], left[512], *word, *list = strdup(row->part[0].all);
    part_t part = { all, left };

    for (word = strtok(list, sign); word; word = strtok(NULL, sign)) {
        for (unsigned i = 1; i < row->nparts; i++) {
            row_with(all, sizeof(all), row->part[i].all, word);
            row_with(left, sizeof(left), row->part[i].left, word);
            each(word, &part);
        }
    }

    free(list);
}


/* a key and its value, or several with "; " between them */
static inline void
row_keys(row_t *row, const char *p, const char *end)
{
    const char *at, *next;

    for (; p < end; p = next + 2) {
        next = memmem(p, (size_t) (end - p), "; ", 2);
        next = next ? next : end;
        at = memchr(p, ' ', (size_t) (next - p));
        at = at ? at : next;

        if (row->nparts == 0 || row->nkeys == ROW_KEYS) {
            row_bad("a key here", p);
        }

        row->key[row->nkeys] = row_text(p, at);
        row->value[row->nkeys++] = row_text(at + (at < next), next);
    }
}


static inline void
row_line(row_t *row, const char *line, const char *end)
{
    const char *at;
    unsigned more = *line == ' ';

    line += strspn(line, " ");

    if (more && strncmp(line, "=> ", 3) != 0) {
        row_keys(row, line, end);
        return;
    }

    line += 3 * more;

    for (at = line; at != NULL; line = at + 4) {
        if (row->nparts == ROW_PARTS) {
            row_bad("too many parts", line);
        }

        at = memmem(line, (size_t) (end - line), " => ", 4);
        row->part[row->nparts++] = row_part(line, at ? at : end);
    }
}


static inline char *
row_read(const char *name)
{
    char path[128], *text;
    size_t len = (size_t) 1 << 20;
    FILE *f;

    snprintf(path, sizeof(path), "t/core/rows/%s", name);
    f = fopen(path, "r");
    text = malloc(len);

    if (f == NULL || text == NULL) {
        row_bad("no such file", path);
    }

    len = fread(text, 1, len - 1, f);
    text[len] = '\0';
    fclose(f);

    return text;
}


/* calls each for the rows of a section in a file; there are some */
static inline void
rows(const char *file, const char *section, void (*each)(const row_t *row))
{
    char *text = row_read(file), *p, *end;
    size_t len = strlen(section);
    unsigned in = 0, n = 0;
    row_t row = { 0 };

    row_file.nlets = 0;

    for (p = text;; p = end + (*end != '\0')) {
        end = p + strcspn(p, "\n");

        if (*p != ' ' && row.nparts) {
            each(&row);
            row = (row_t){ 0 };
            row_file.used = 0;
            n++;
        }

        if (*p == '\0') {
            break;
        }

        if (strncmp(p, "== ", 3) == 0) {
            in = strncmp(p + 3, section, len) == 0 && p[3 + len] == '\n';

        } else if (strncmp(p, "let ", 4) == 0) {
            row_file.lets[row_file.nlets++ % ROW_LETS] = p + 4;

        } else if (in && *p != '\n' && *p != ';') {
            row_line(&row, p, end);
        }
    }

    if (n == 0 || row_file.nlets > ROW_LETS) {
        row_bad(n ? "too many names" : "no rows", section);
    }

    free(text);
}


#endif /* DT_ROWS_H_INCLUDED_ */
