
/*
 * Copyright (C) The detemplate authors
 *
 * The commands that act on all machines of a Redis.
 */


#ifndef DT_CLI_FLEET_H_INCLUDED_
#define DT_CLI_FLEET_H_INCLUDED_


#include "cli.h"


#define DT_CLI_TOKEN 64 /* bytes of a token, its NUL included */


/* Carries out a command by way of args->redis; returns an exit code. */
int dt_cli_fleet(const dt_cli_args_t *args, const char *what);


#endif /* DT_CLI_FLEET_H_INCLUDED_ */
