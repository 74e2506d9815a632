
/*
 * Copyright (C) The detemplate authors
 *
 * The commands that a running nginx carries out, through a location with
 * detemplate_control, unless they are for all machines of a Redis.
 */


#include <stdlib.h>

#include "core/base/dt.h"
#include "core/web/fetch.h"
#include "cli_fleet.h"


#define DT_CLI_CONTROL_ARENA ((size_t) 1 << 20)
#define DT_CLI_CONTROL_TIME 15000 /* ms; nginx answers within 10 s */


/* returns the URL of a command, which the caller frees, or NULL */
static char *
dt_cli_control_url(const dt_cli_args_t *args, const char *what)
{
    int rc;
    char *url, *p, site[3 * DT_SNAPSHOT_SITE + 1];
    const char *s;

    if (strlen(args->arg) > DT_SNAPSHOT_SITE) {
        dt_cli_error(0, "the site's name is too long");
        return NULL;
    }

    for (s = args->arg, p = site; *s; s++) {
        p = dt_percent_encode(p, (unsigned char) *s);
    }

    *p = '\0';

    rc = asprintf(&url, "%s%cdo=%s&site=%s&n=%u", args->control,
                  strchr(args->control, '?') ? '&' : '?', what, site,
                  args->number ? args->number : 1);

    return rc == -1 ? NULL : url;
}


/* asks nginx, and prints its answer */
static int
dt_cli_control_ask(const char *url)
{
    int code;
    dt_arena_t *a;
    dt_fetched_t got;
    dt_fetcher_t *f;
    dt_fetch_opts_t o;

    dt_fetch_opts_init(&o);
    o.header = "Detemplate-Control: detemplate/" DT_VERSION;
    o.total_ms = DT_CLI_CONTROL_TIME;
    o.max_redirects = 0;
    o.post = 1;

    a = dt_arena_create(DT_CLI_CONTROL_ARENA);
    f = dt_fetcher_create(&o);

    if (a == NULL || f == NULL) {
        code = dt_cli_error(DT_EXIT_IO, "out of memory");

    } else {
        memset(&got, 0, sizeof(got));
        dt_fetcher_get_raw(f, url, a, &got);

        if (got.rc != DT_OK) {
            code = dt_cli_error(DT_EXIT_IO, "%s", got.errstr);

        } else {
            dt_cli_print(stdout, dt_str_trim(got.body));
            putchar('\n');

            code = got.status == 200   ? DT_EXIT_OK
                   : got.status == 404 ? DT_EXIT_NOTHING
                                       : DT_EXIT_IO;
        }
    }

    dt_fetcher_destroy(f);
    dt_arena_destroy(a);

    return code;
}


static int
dt_cli_control(const dt_cli_args_t *args, const char *what)
{
    int code;
    char *url;

    if (args->redis != NULL && args->control == NULL) {
        return dt_cli_fleet(args, what);
    }

    if (args->redis != NULL || args->control == NULL) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "either --control URL, of a location with "
                            "\"detemplate_control\", or --redis URL is "
                            "needed");
    }

    if (args->version || args->redis_options) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "--version and --redis-options are for --redis");
    }

    url = dt_cli_control_url(args, what);
    if (url == NULL) {
        return DT_EXIT_USAGE;
    }

    code = dt_cli_control_ask(url);
    free(url);

    return code;
}


int
dt_cli_relearn(const dt_cli_args_t *args)
{
    return dt_cli_control(args, "relearn");
}


int
dt_cli_forget(const dt_cli_args_t *args)
{
    return dt_cli_control(args, "forget");
}


int
dt_cli_pin(const dt_cli_args_t *args)
{
    return dt_cli_control(args, "pin");
}


int
dt_cli_unpin(const dt_cli_args_t *args)
{
    return dt_cli_control(args, "unpin");
}


int
dt_cli_restore(const dt_cli_args_t *args)
{
    return dt_cli_control(args, args->list ? "show" : "restore");
}
