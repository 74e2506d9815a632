
/*
 * Copyright (C) The detemplate authors
 *
 * What the files of the command line tool share.
 */


#ifndef DT_CLI_H_INCLUDED_
#define DT_CLI_H_INCLUDED_


#include <stdio.h>

#include "core/base/dt.h"


/* exit codes; --help lists them */
enum {
    DT_EXIT_OK = 0,
    DT_EXIT_NOTHING = 1,
    DT_EXIT_USAGE = 2,
    DT_EXIT_IO = 3,
    DT_EXIT_TEMPLATE = 4
};


#define DT_CLI_VALUES 16 /* of an option that may be given again */

typedef struct {
    const char *values[DT_CLI_VALUES];
    unsigned n;
} dt_cli_list_t;


/* the options of all commands; each command's table says which are its own */
typedef struct {
    const char *arg; /* what stands behind the options, or NULL */
    const char *root;
    const char *base;
    const char *out;
    const char *prev;
    const char *connect;
    const char *detector;
    const char *mode;
    const char *url;
    const char *pages;
    const char *tmpl;
    const char *snapshot;
    const char *site;
    dt_cli_list_t detectors;
    dt_cli_list_t sets;
    dt_cli_list_t sites;
    unsigned candidates;
    unsigned votes;
    unsigned loads;
    unsigned seed;
    unsigned json;
    unsigned bold;
} dt_cli_args_t;


/* Commands: read args, print, return an exit code. */
int dt_cli_learn(const dt_cli_args_t *args);
int dt_cli_show(const dt_cli_args_t *args);
int dt_cli_inspect(const dt_cli_args_t *args);
int dt_cli_check(const dt_cli_args_t *args);
int dt_cli_apply(const dt_cli_args_t *args);
int dt_cli_detectors(const dt_cli_args_t *args);
int dt_cli_learner(const dt_cli_args_t *args);
int dt_cli_evaluate(const dt_cli_args_t *args);


/* Prints "detemplate: ..." and a line end to stderr; returns code. */
int dt_cli_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define DT_CLI_SITE 255 /* bytes of a site's name, at most */

/* what nginx has written before a template */
typedef struct {
    char name[DT_CLI_SITE + 1]; /* of the site, any bytes */
    size_t len;                 /* of the name; 0: nothing, or not known */
    int64_t valid;              /* until then */
} dt_cli_snapshot_t;

/*
 * A template that passed its check, malloc()ed; NULL after a message, with
 * the exit code in *code.  What is before it goes to s, unless that is NULL.
 */
void *dt_cli_read_template(const char *name, size_t *len, dt_cli_snapshot_t *s,
                           int *code);

/* the name of the file that is nginx's snapshot of a site, to be freed; NULL
   after a message: there is none in the directory, or none can be read */
char *dt_cli_find_snapshot(const char *dir, dt_str_t site);

/*
 * Writes beside name and renames, so that nobody reads half a file.  What was
 * there lends its owner and mode; a link, device or pipe is written into.
 */
int dt_cli_write_file(const char *name, const void *data, size_t len);

/*
 * Prints bytes of a page or an address: printable UTF-8 as it is, the rest as
 * "?", so that no page reaches the terminal behind it.
 */
void dt_cli_print(FILE *f, dt_str_t s);

/* Prints s as a JSON string, with its quotes. */
void dt_cli_print_json(FILE *f, dt_str_t s);

/*
 * The first words of a piece of a page into buf, NUL-ended: what is outside
 * of tags, comments, scripts and styles, white space folded.
 */
dt_str_t dt_cli_words(dt_str_t html, char *buf, size_t size);


#endif /* DT_CLI_H_INCLUDED_ */
