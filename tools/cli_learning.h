
/*
 * Copyright (C) The detemplate authors
 *
 * A key page, from the network or from a directory, and learning from it.
 */


#ifndef DT_CLI_LEARNING_H_INCLUDED_
#define DT_CLI_LEARNING_H_INCLUDED_


#include "core/learn/learn.h"
#include "core/web/fetch.h"
#include "core/web/fetch_file.h"
#include "core/web/url.h"
#include "cli.h"


typedef struct {
    const dt_cli_args_t *args;
    dt_arena_t *arena; /* memory that lives as long as the command */
    dt_url_t url;      /* of the key page */

    dt_fetcher_t *fetcher; /* NULL: pages come from files */
    dt_fetch_files_t files;
    dt_robots_t *robots; /* NULL: everything is allowed */

    void *prev;
    size_t prev_len;

    char *key; /* bytes of the key page, once it is loaded */
    size_t key_len;

    unsigned regions; /* of it that were reported */
} dt_cli_learning_t;


/*
 * Opens the page's source by the options: a directory, or the network, with
 * robots.txt if robots is set.  Returns an exit code; the learning must be
 * closed in any case.
 */
int dt_cli_learning_open(dt_cli_learning_t *learning,
                         const dt_cli_args_t *args, int robots);
void dt_cli_learning_close(dt_cli_learning_t *learning);

/* Learns; *rc is the result of dt_learn().  The exit code says whether the
   usage was wrong. */
int dt_cli_learning_run(dt_cli_learning_t *learning, dt_status_t *rc,
                        dt_learned_t *l);

/* Prints that nothing was learned, and why; returns the exit code. */
int dt_cli_learning_failed(dt_status_t rc, const dt_learned_t *l);

/* Loads only the key page, into learning->key. */
int dt_cli_learning_key_page(dt_cli_learning_t *learning);


#endif /* DT_CLI_LEARNING_H_INCLUDED_ */
