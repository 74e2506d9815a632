
/*
 * Copyright (C) The detemplate authors
 *
 * The text of --help.
 */


#include "cli_help.h"


static void
dt_cli_help_exit_codes(void)
{
    printf("\nExit codes: 0 done, 1 nothing learned, a test failed, or a page "
           "was left out,\n2 wrong usage, 3 input or output failed, 4 not a "
           "sound template.\n");
}


int
dt_cli_help(const dt_cli_command_t *commands, size_t n)
{
    printf("Usage: detemplate COMMAND [OPTION...] [ARGUMENT]\n\n"
           "Learns the template of a website from its pages, and cuts it out "
           "of them.\n\nCommands:\n");

    for (size_t i = 0; i < n; i++) {
        /* the first sentence, which is a line */
        printf("  %-12s%.*s\n", commands[i].name,
               (int) strcspn(commands[i].about, "\n"), commands[i].about);
    }

    printf("\n\"detemplate COMMAND --help\" lists a command's options. "
           "\"detemplate --version\"\nprints the version.\n");
    dt_cli_help_exit_codes();

    return DT_EXIT_OK;
}


int
dt_cli_command_help(const dt_cli_command_t *cmd)
{
    char head[64];
    const char *p, *end;
    const dt_cli_option_t *o;

    printf("Usage: detemplate %s%s%s\n\n%s\n\nOptions:\n", cmd->name,
           *cmd->synopsis ? " " : "", cmd->synopsis, cmd->about);

    for (o = cmd->options; o->name != NULL; o++) {
        snprintf(head, sizeof(head), "-%c, --%s%s%s", o->letter, o->name,
                 o->meta ? " " : "", o->meta ? o->meta : "");
        printf("  %-28s", head);

        for (p = o->help; (end = strchr(p, '\n')) != NULL; p = end + 1) {
            printf("%.*s\n  %-28s", (int) (end - p), p, "");
        }

        printf("%s\n", p);
    }

    printf("  %-28s%s\n", "-h, --help", "print this text");
    dt_cli_help_exit_codes();

    return DT_EXIT_OK;
}
