
/*
 * Copyright (C) The detemplate authors
 *
 * Declarations that the files of the command line tool share.
 */


#ifndef DT_CLI_H_INCLUDED_
#define DT_CLI_H_INCLUDED_


#include <stdio.h>

#include "core/template/table.h"


/* exit codes; --help lists them */
enum {
    DT_EXIT_OK = 0,
    DT_EXIT_NOTHING = 1,
    DT_EXIT_USAGE = 2,
    DT_EXIT_IO = 3,
    DT_EXIT_TEMPLATE = 4
};


#define DT_CLI_VALUES 16 /* values of an option that may be given again */

#define DT_CLI_SOURCES 4096 /* arguments of a command that takes several */

typedef struct {
    const char *values[DT_CLI_VALUES];
    unsigned n;
} dt_cli_list_t;


/* the options of all commands; each command's table lists those that it has */
typedef struct {
    const char *arg; /* the argument behind the options, or NULL */
    char **args;     /* all of them, where there may be several */
    unsigned nargs;
    const char *root;
    const char *base;
    const char *out;
    const char *prev;
    const char *connect;
    const char *detector;
    const char *mode;
    const char *charset;
    const char *url;
    const char *pages;
    const char *tmpl;
    const char *snapshot;
    const char *site;
    const char *control;
    const char *redis;
    const char *redis_options;
    const char *text;
    const char *format;
    const char *site_by;
    const char *progress;
    const char *from; /* a list */
    const char *chunk;
    dt_cli_list_t detectors;
    dt_cli_list_t sets;
    dt_cli_list_t sites;
    dt_cli_list_t keep;
    dt_cli_list_t force;
    dt_cli_list_t only;
    unsigned candidates;
    unsigned votes;
    unsigned loads;
    unsigned seed;
    unsigned json;
    unsigned diff;
    unsigned cautious;
    unsigned number;
    unsigned version;
    unsigned list;
    unsigned no_front;
    unsigned keep_hidden;
    unsigned jobs;
    unsigned quiet;
} dt_cli_args_t;


/* Commands: each reads args, prints, and returns an exit code. */
int dt_cli_learn(const dt_cli_args_t *args);
int dt_cli_show(const dt_cli_args_t *args);
int dt_cli_inspect(const dt_cli_args_t *args);
int dt_cli_check(const dt_cli_args_t *args);
int dt_cli_apply(const dt_cli_args_t *args);
int dt_cli_extract(const dt_cli_args_t *args);
int dt_cli_test(const dt_cli_args_t *args);
int dt_cli_detectors(const dt_cli_args_t *args);
int dt_cli_learner(const dt_cli_args_t *args);
int dt_cli_link(const dt_cli_args_t *args);
int dt_cli_evaluate(const dt_cli_args_t *args);
int dt_cli_relearn(const dt_cli_args_t *args);
int dt_cli_forget(const dt_cli_args_t *args);
int dt_cli_pin(const dt_cli_args_t *args);
int dt_cli_unpin(const dt_cli_args_t *args);
int dt_cli_restore(const dt_cli_args_t *args);


/* Prints "detemplate: ..." and a line end to stderr; returns code. */
int dt_cli_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports that standard output cannot be written; a reader that has read
   enough, as head(1), is no error to speak of.  Returns an exit code. */
int dt_cli_stdout_failed(int err);


/* the head that nginx writes in front of a template in a snapshot */
typedef struct {
    char name[DT_SNAPSHOT_SITE + 1]; /* the site's name, any bytes */
    size_t len;    /* of the name; 0: no head, or one of another format */
    int64_t valid; /* the template is valid until then */
} dt_cli_snapshot_t;

/*
 * Reads a template or a snapshot and checks it.  Returns the template, which
 * the caller frees; or NULL after a message, with the exit code in *code.  s,
 * if not NULL, gets the head of a snapshot.
 */
void *dt_cli_read_template(const char *name, size_t *len, dt_cli_snapshot_t *s,
                           int *code);

/* Returns the name of nginx's snapshot of a site, which the caller frees; NULL
   after a message: the directory has no such file, or none that is readable.
 */
char *dt_cli_find_snapshot(const char *dir, dt_str_t site);

/*
 * Writes a new file beside name and renames it, so that nobody reads half a
 * file.  It gets owner and mode of the file that it replaces.  A link, a
 * device or a pipe is not replaced but written into.  Returns an exit code,
 * after a message.
 */
int dt_cli_write_file(const char *name, const void *data, size_t len);

/*
 * Prints bytes of a page or a URL: printable UTF-8 as it is, and "?" for other
 * bytes, so that no page can control the terminal.
 */
void dt_cli_print(FILE *f, dt_str_t s);

/* Prints s as a JSON string, with its quotes. */
void dt_cli_print_json(FILE *f, dt_str_t s);

/*
 * Writes the first words of a piece of a page to buf, with a NUL: text outside
 * of tags, comments, scripts and styles, with white space folded.  Returns
 * them.
 */
dt_str_t dt_cli_words(dt_str_t html, char *buf, size_t size);


#endif /* DT_CLI_H_INCLUDED_ */
