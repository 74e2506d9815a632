
/*
 * Copyright (C) The detemplate authors
 *
 * The command line tool: a table of commands, each with a table of options.
 * Parsing, checking and --help all read the tables.
 */


#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/base/wire.h"
#include "cli_help.h"


#define DT_CLI_OPTIONS 16 /* most options of a command */


#define DT_CLI_STR(name, letter, field, meta, help)                           \
    {                                                                         \
        name, letter, DT_CLI_STRING, offsetof(dt_cli_args_t, field), 0, meta, \
            help                                                              \
    }
#define DT_CLI_NUM(name, letter, field, max, help)                            \
    {                                                                         \
        name, letter, DT_CLI_NUMBER, offsetof(dt_cli_args_t, field), max,     \
            "N", help                                                         \
    }
#define DT_CLI_MORE(name, letter, field, meta, help)                          \
    {                                                                         \
        name, letter, DT_CLI_LIST, offsetof(dt_cli_args_t, field), 0, meta,   \
            help                                                              \
    }
/* options that say where pages come from */
#define DT_CLI_SOURCE                                                         \
    DT_CLI_STR("root", 'r', root, "DIR", "read pages from files under DIR"),  \
        DT_CLI_STR("base", 'b', base, "URL",                                  \
                   "the URL that DIR stands for; it ends in \"/\";\n"         \
                   "default http://localhost/"),                              \
        DT_CLI_STR("connect", 'c', connect, "HOST:PORT",                      \
                   "connect there instead of to the URL's host")
#define DT_CLI_ON(name, letter, field, help)                                  \
    {                                                                         \
        name, letter, DT_CLI_FLAG, offsetof(dt_cli_args_t, field), 0, NULL,   \
            help                                                              \
    }
#define DT_CLI_JSON DT_CLI_ON("json", 'j', json, "print JSON")
/* options that control the cuts */
#define DT_CLI_CUT                                                            \
    DT_CLI_MORE("keep", 'k', keep, "SELECTOR",                                \
                "keep what matches, as with \"detemplate_keep\"; may be\n"    \
                "given again"),                                               \
        DT_CLI_MORE("force", 'f', force, "SELECTOR",                          \
                    "cut what matches, as with \"detemplate_force\"; may\n"   \
                    "be given again"),                                        \
        DT_CLI_ON("cautious", 'C', cautious,                                  \
                  "cut less, as with \"detemplate_cut cautious\"")
#define DT_CLI_CONTROL                                                        \
    DT_CLI_STR("control", 'c', control, "URL",                                \
               "for one nginx, by its location with\n"                        \
               "\"detemplate_control\""),                                     \
        DT_CLI_STR("redis", 'r', redis, "URL",                                \
                   "for all machines that share this Redis"),                 \
        DT_CLI_STR("redis-options", 'o', redis_options, "WORDS",              \
                   "parameters of \"detemplate_redis\" for it, as\n"          \
                   "\"prefix=P: password_file=FILE\"")
#define DT_CLI_END                                                            \
    {                                                                         \
        NULL, 0, DT_CLI_FLAG, 0, 0, NULL, NULL                                \
    }


static const dt_cli_option_t dt_cli_learn_options[] = {
    DT_CLI_STR("out", 'o', out, "FILE", "write the template to FILE"),
    DT_CLI_SOURCE,
    DT_CLI_NUM("candidates", 'n', candidates, DT_JOB_CANDIDATES,
               "pages to compare with the key page; default 6, or as many\n"
               "as may be loaded"),
    DT_CLI_NUM("votes", 'v', votes, DT_JOB_CANDIDATES,
               "pages that have to agree; default by the number of pages\n"
               "that are compared: 1 up to two, 2 of three, 3 up to seven"),
    DT_CLI_NUM("loads", 'l', loads, DT_JOB_LOADS,
               "pages to load at most; default 30, or as many as there are\n"
               "candidates"),
    DT_CLI_STR("detector", 'd', detector, "NAME",
               "the method, see \"detemplate detectors\"; default etdm"),
    DT_CLI_STR("prev", 'p', prev, "FILE", "merge into the template in FILE"),
    DT_CLI_JSON,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_show_options[] = {
    DT_CLI_JSON,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_apply_options[] = {
    DT_CLI_STR("mode", 'm', mode, "MODE",
               "strip: cut the template out (the default);\n"
               "annotate: add marks to it;\n"
               "markdown, text: write what is not cut as that;\n"
               "template: write only what is cut, as a page.\n"
               "With - for FILE nothing is cut"),
    DT_CLI_STR("format", 'a', format, "FORMAT",
               "what a template becomes: html (the default),\n"
               "markdown, or text"),
    DT_CLI_STR("url", 'u', url, "URL",
               "the page's URL, by which its links are compared"),
    DT_CLI_STR("charset", 'c', charset, "NAME",
               "the page's charset, for markdown and text"),
    DT_CLI_ON("no-front", 'F', no_front,
              "write no front matter before Markdown"),
    DT_CLI_ON("keep-hidden", 'H', keep_hidden,
              "write what no reader sees as well, as with\n"
              "\"detemplate_hidden keep\""),
    DT_CLI_CUT,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_extract_options[] = {
    DT_CLI_STR("out", 'o', out, "OUT",
               "write files below the directory OUT, or, for\n"
               "jsonl, the file OUT; - is JSONL to standard output"),
    DT_CLI_STR("format", 'm', format, "FORMAT",
               "what pages become: markdown (the default), text,\n"
               "html, or jsonl: one object for each page"),
    DT_CLI_STR("list", 'i', from, "FILE",
               "read lines of FILE, tab, URL from it, or from standard\n"
               "input, which is -"),
    DT_CLI_STR("chunk", 'c', chunk, "HOW",
               "with jsonl, one object for each section of a page:\n"
               "heading, or heading:WORDS to divide longer ones"),
    DT_CLI_STR("base", 'b', base, "URL",
               "the URL that a directory stands for; it ends in\n"
               "\"/\"; without it, the URL is guessed and printed"),
    DT_CLI_MORE("only", 'O', only, "HOST",
                "only pages of this host; may be given again"),
    DT_CLI_STR("site-by", 's', site_by, "SCHEME",
               "which pages are a site: host (the default), or\n"
               "directory: a host and the first directory"),
    DT_CLI_NUM("loads", 'l', loads, DT_JOB_LOADS,
               "pages of a site to learn from; default 30"),
    DT_CLI_NUM("jobs", 'j', jobs, 64, "processes; default 1"),
    DT_CLI_ON("quiet", 'q', quiet, "print only what is left out"),
    DT_CLI_STR("progress", 'p', progress, "json",
               "print progress, what is left out and the summary to\n"
               "standard error as JSON, an object a line"),
    DT_CLI_ON("no-front", 'F', no_front,
              "write no front matter before Markdown"),
    DT_CLI_ON("keep-hidden", 'H', keep_hidden,
              "write what no reader sees as well, as with\n"
              "\"detemplate_hidden keep\""),
    DT_CLI_CUT,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_inspect_options[] = {
    DT_CLI_STR("template", 't', tmpl, "FILE",
               "explain by the template in FILE"),
    DT_CLI_STR("snapshot", 's', snapshot, "DIR",
               "explain by nginx's snapshot of the page's site in DIR;\n"
               "without --template and --snapshot, a template is learned"),
    DT_CLI_STR("site", 'S', site, "NAME",
               "the site's name, when it differs from the host's"),
    DT_CLI_STR("text", 'T', text, "WORDS",
               "explain only the pieces of the page that say WORDS, cut or\n"
               "not: the first question that they fail, with its numbers"),
    DT_CLI_ON("diff", 'd', diff,
              "print only the page, line by line; those that are cut\n"
              "begin with -"),
    DT_CLI_SOURCE,
    DT_CLI_CUT,
    DT_CLI_JSON,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_test_options[] = {
    DT_CLI_STR("template", 't', tmpl, "FILE",
               "cut by the template or snapshot in FILE; without it, one is\n"
               "learned from the pages of the tests"),
    DT_CLI_SOURCE,
    DT_CLI_CUT,
    DT_CLI_JSON,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_evaluate_options[] = {
    DT_CLI_MORE("detector", 'd', detectors, "NAME",
                "compare this method; may be given again; default all"),
    DT_CLI_STR("pages", 'p', pages, "WHICH",
               "what key pages are compared with: cs, the complete\n"
               "subdigraph (the default); random:N, pages of the site\n"
               "that are not key pages; first:N, the page's own links;\n"
               "all"),
    DT_CLI_MORE("site", 's', sites, "NAME",
                "use this site of CORPUS; may be given again; default all"),
    DT_CLI_MORE("set", 'o', sets, "NAME=N",
                "set an option of a method, see \"detemplate detectors\""),
    DT_CLI_NUM("candidates", 'n', candidates, 16,
               "pages of the complete subdigraph; default 6"),
    DT_CLI_NUM("loads", 'l', loads, 63,
               "pages to load for it at most; default 30"),
    DT_CLI_NUM("seed", 'r', seed, 1000000,
               "seed of the random choice of pages; default 1"),
    DT_CLI_JSON,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_control_options[] = {
    DT_CLI_CONTROL,
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_pin_options[] = {
    DT_CLI_CONTROL,
    DT_CLI_NUM("version", 'v', version, 1000000000,
               "with --redis: pin the template of version N,\n"
               "which may be an earlier one; default the present\n"
               "one"),
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_restore_options[] = {
    DT_CLI_CONTROL,
    DT_CLI_NUM("number", 'n', number, 3,
               "restore the template N learnings ago; default 1"),
    DT_CLI_ON("list", 'l', list, "restore none, only list what is kept"),
    DT_CLI_END,
};

static const dt_cli_option_t dt_cli_no_options[] = {
    DT_CLI_END,
};


static const dt_cli_command_t dt_cli_commands[] = {
    { "learn", "[OPTION...] URL | --root DIR [OPTION...] PAGE",
      "Learns the template that a page shares with others of its site.", 1,
      dt_cli_learn_options, dt_cli_learn },
    { "show", "[--json] FILE | DIR",
      "Describes a template, or lists the sites of nginx's snapshots.", 1,
      dt_cli_show_options, dt_cli_show },
    { "inspect", "[OPTION...] URL | --root DIR [OPTION...] PAGE",
      "Explains what is cut from a page and why, and what nearly is.", 1,
      dt_cli_inspect_options, dt_cli_inspect },
    { "extract", "[OPTION...] --out OUT SOURCE...",
      "Writes the pages of folders and web archives without their template.\n"
      "A SOURCE is a directory, as wget and HTTrack make it, a WARC or WACZ\n"
      "file, or -: one of these, a page, or lines of FILE, tab, URL on "
      "standard\ninput.",
      -1, dt_cli_extract_options, dt_cli_extract },
    { "apply", "--url URL [OPTION...] FILE < PAGE",
      "Cuts or marks the template in a page, or writes the rest as text.", 1,
      dt_cli_apply_options, dt_cli_apply },
    { "test", "[OPTION...] FILE",
      "Tests which words of pages stay and which are cut.", 1,
      dt_cli_test_options, dt_cli_test },
    { "check", "FILE", "Checks whether a file is a sound template.", 1,
      dt_cli_no_options, dt_cli_check },
    { "detectors", "",
      "Lists the methods that learn can use, and their options.", 0,
      dt_cli_no_options, dt_cli_detectors },
    { "learner", "< JOB > ANSWER",
      "Learns for nginx, through pipes; of no use to anybody else.", 0,
      dt_cli_no_options, dt_cli_learner },
    { "link", "< FRAMES > FRAMES",
      "Speaks to Redis for nginx, through pipes; of no use to anybody else.",
      0, dt_cli_no_options, dt_cli_link },
    { "relearn", "--control URL | --redis URL [OPTION...] SITE",
      "Lets nginx learn a site anew; the old template serves meanwhile.", 1,
      dt_cli_control_options, dt_cli_relearn },
    { "forget", "--control URL | --redis URL [OPTION...] SITE",
      "Lets nginx forget a site: its templates, its evidence, in Redis too.",
      1, dt_cli_control_options, dt_cli_forget },
    { "pin", "--control URL | --redis URL [OPTION...] SITE",
      "Lets nginx keep a site's template as it is.", 1, dt_cli_pin_options,
      dt_cli_pin },
    { "unpin", "--control URL | --redis URL [OPTION...] SITE",
      "Lets nginx learn a site again by its times.", 1, dt_cli_control_options,
      dt_cli_unpin },
    { "restore", "--control URL | --redis URL [OPTION...] SITE",
      "Lets nginx serve by an earlier template of a site, and pins it.", 1,
      dt_cli_restore_options, dt_cli_restore },
    { "evaluate", "[OPTION...] CORPUS",
      "Compares the methods on the sites of a corpus.\n"
      "CORPUS has a directory for each site: in it site.json, an object with\n"
      "\"base_url\" and \"key_pages\", a list of names; and the pages below "
      "pages/.",
      1, dt_cli_evaluate_options, dt_cli_evaluate },
};

#define DT_CLI_NCOMMANDS (sizeof(dt_cli_commands) / sizeof(dt_cli_commands[0]))


/* translates the tables for getopt */
static void
dt_cli_getopt(const dt_cli_command_t *cmd, struct option *longs, char *shorts)
{
    const dt_cli_option_t *o;

    *shorts++ = ':';

    for (o = cmd->options; o->name != NULL; o++) {
        *longs++ = (struct option){
            .name = o->name,
            .has_arg =
                o->kind == DT_CLI_FLAG ? no_argument : required_argument,
            .val = o->letter,
        };

        *shorts++ = (char) o->letter;

        if (o->kind != DT_CLI_FLAG) {
            *shorts++ = ':';
        }
    }

    *longs++ = (struct option){ .name = "help", .val = 'h' };
    *longs = (struct option){ .name = NULL };
    *shorts++ = 'h';
    *shorts = '\0';
}


static int
dt_cli_set(const dt_cli_option_t *o, const char *value, dt_cli_args_t *args)
{
    char *end;
    long n;
    dt_cli_list_t *list;
    void *field = (char *) args + o->offset;

    switch (o->kind) {

    case DT_CLI_FLAG:
        *(unsigned *) field = 1;
        break;

    case DT_CLI_STRING:
        *(const char **) field = value;
        break;

    case DT_CLI_LIST:
        list = field;

        if (list->n == DT_CLI_VALUES) {
            return dt_cli_error(DT_EXIT_USAGE, "--%s is given too often",
                                o->name);
        }

        list->values[list->n++] = value;
        break;

    case DT_CLI_NUMBER:
        n = strtol(value, &end, 10);

        if (end == value || *end != '\0' || n < 1 || n > (long) o->max) {
            return dt_cli_error(DT_EXIT_USAGE,
                                "--%s must be a number from 1 to %u", o->name,
                                o->max);
        }

        *(unsigned *) field = (unsigned) n;
        break;
    }

    return DT_EXIT_OK;
}


static int
dt_cli_usage(const dt_cli_command_t *cmd, const char *what, const char *value)
{
    return dt_cli_error(DT_EXIT_USAGE, "%s%s; see \"detemplate %s --help\"",
                        what, value, cmd->name);
}


/* returns the option that getopt refused; a letter in a group is not an
   argument, and a letter of shorts stands for a long option */
static const char *
dt_cli_culprit(const char *shorts, const char *arg, char *buf)
{
    if (optopt == 0 || strchr(shorts, optopt) != NULL) {
        return arg;
    }

    buf[0] = '-';
    buf[1] = (char) optopt;
    buf[2] = '\0';

    return buf;
}


static int
dt_cli_command(const dt_cli_command_t *cmd, int argc, char **argv)
{
    int c, code;
    unsigned most;
    char shorts[2 * DT_CLI_OPTIONS + 3], letter[3];
    dt_cli_args_t args;
    struct option longs[DT_CLI_OPTIONS + 2];
    const dt_cli_option_t *o;

    memset(&args, 0, sizeof(args));
    args.mode = "strip";

    dt_cli_getopt(cmd, longs, shorts);

    while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (c == 'h') {
            return dt_cli_command_help(cmd);
        }

        for (o = cmd->options; o->name != NULL && o->letter != c; o++) {
            /* void */
        }

        if (o->name == NULL) {
            return dt_cli_usage(
                cmd, c == ':' ? "a value is missing: " : "unknown option: ",
                dt_cli_culprit(shorts, argv[optind - 1], letter));
        }

        code = dt_cli_set(o, optarg, &args);
        if (code != DT_EXIT_OK) {
            return code;
        }
    }

    if (argc - optind < cmd->has_arg) {
        return dt_cli_usage(cmd, "an argument is missing", "");
    }

    args.arg = argv[optind];
    args.args = argv + optind;
    args.nargs = (unsigned) (argc - optind);
    most = cmd->has_arg < 0 ? DT_CLI_SOURCES : (unsigned) cmd->has_arg;

    if (args.nargs > most) {
        return dt_cli_usage(cmd, "too many arguments: ", args.args[most]);
    }

    return cmd->run(&args);
}


int
main(int argc, char **argv)
{
    int code = -1;

    /* writing to a closed pipe must fail with an error, and not kill silently
     */
    signal(SIGPIPE, SIG_IGN);
    opterr = 0;

    if (argc < 2) {
        return dt_cli_error(DT_EXIT_USAGE, "a command is missing; see "
                                           "\"detemplate --help\"");
    }

    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        code = dt_cli_help(dt_cli_commands, DT_CLI_NCOMMANDS);

    } else if (strcmp(argv[1], "--version") == 0) {
        printf("detemplate %s\n", DT_VERSION);
        code = DT_EXIT_OK;
    }

    for (size_t i = 0; i < DT_CLI_NCOMMANDS && code < 0; i++) {
        if (strcmp(argv[1], dt_cli_commands[i].name) == 0) {
            code = dt_cli_command(&dt_cli_commands[i], argc - 1, argv + 1);
        }
    }

    if (code < 0) {
        return dt_cli_error(
            DT_EXIT_USAGE, "unknown command \"%s\"; see \"detemplate --help\"",
            argv[1]);
    }

    if (fflush(stdout) != 0 || ferror(stdout)) {
        return dt_cli_stdout_failed(errno);
    }

    return code;
}
