
/*
 * Copyright (C) The detemplate authors
 *
 * Commands and their options, and the text of --help for them.
 */


#ifndef DT_CLI_HELP_H_INCLUDED_
#define DT_CLI_HELP_H_INCLUDED_


#include "cli.h"


typedef enum {
    DT_CLI_STRING = 0,
    DT_CLI_NUMBER,
    DT_CLI_FLAG,
    DT_CLI_LIST
} dt_cli_kind_t;

typedef struct {
    const char *name;
    int letter; /* or 0 */
    dt_cli_kind_t kind;
    size_t offset;    /* in dt_cli_args_t */
    unsigned max;     /* greatest number; the least is 1 */
    const char *meta; /* the name of the value in --help */
    const char *help;
} dt_cli_option_t;

typedef struct {
    const char *name;
    const char *synopsis;
    const char *about;
    int has_arg; /* one argument must follow the options; -1: one or more */
    const dt_cli_option_t *options;
    int (*run)(const dt_cli_args_t *args);
} dt_cli_command_t;


/* Print all commands, or one; return an exit code. */
int dt_cli_help(const dt_cli_command_t *commands, size_t n);
int dt_cli_command_help(const dt_cli_command_t *cmd);


#endif /* DT_CLI_HELP_H_INCLUDED_ */
