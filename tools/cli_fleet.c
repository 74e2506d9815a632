
/*
 * Copyright (C) The detemplate authors
 *
 * The commands that act on all machines of a Redis.
 */


#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/cli_fleet.h"
#include "core/base/wire.h"
#include "core/template/table.h"
#include "cli.h"
#include "cli_fleet.h"
#include "cli_redis.h"


#define DT_CLI_REDIS_TIME 2000 /* ms of each answer */


static const struct {
    const char *name;
    uint32_t what;
} dt_cli_fleet_orders[] = {
    { "relearn", DT_LINK_RELEARN }, { "forget", DT_LINK_FORGET },
    { "pin", DT_LINK_PIN },         { "unpin", DT_LINK_UNPIN },
    { "restore", DT_LINK_RESTORE }, { "show", DT_LINK_LIST },
};


/* prints which earlier templates there are */
static void
dt_cli_fleet_earlier(const dt_frame_t *answer)
{
    dt_template_head_t h;
    size_t n = answer->bytes.len / sizeof(h);

    printf(",\"earlier\":[");

    for (size_t i = 1; i < n; i++) {
        memcpy(&h, answer->bytes.data + i * sizeof(h), sizeof(h));
        printf("%s", i > 1 ? "," : "");

        if (h.version == 0) {
            printf("null");
            continue;
        }

        printf("{\"version\":%u,\"learned_at\":%lld,\"coverage\":%u.%03u}",
               h.version, (long long) h.learned_at, h.coverage / 1000,
               h.coverage % 1000);
    }

    printf("]");
}


/* prints the answer, in the words of a location with detemplate_control */
static int
dt_cli_fleet_print(const dt_cli_args_t *args, const char *what,
                   const dt_frame_t *answer)
{
    int found = answer->rc == DT_OK;

    if (answer->rc != DT_OK && answer->rc != DT_DECLINED) {
        return dt_cli_error(DT_EXIT_IO, "%.*s", (int) answer->text.len,
                            answer->text.data);
    }

    printf("{\"do\":\"%s\",\"site\":", what);
    dt_cli_print_json(stdout, dt_cstr(args->arg));
    printf(",\"%s\":\"%s\"", found ? "result" : "error",
           found                            ? "done"
           : answer->what == DT_LINK_FORGET ? "unknown site"
                                            : "no such template");

    if (found && answer->version) {
        printf(",\"pinned\":%s,\"template\":{\"version\":%u,"
               "\"learned_at\":%lld,\"coverage\":%u.%03u}",
               answer->flags & DT_LINK_PINNED ? "true" : "false",
               answer->version, (long long) answer->learned_at,
               answer->coverage / 1000, answer->coverage % 1000);
    }

    if (found && answer->what == DT_LINK_LIST) {
        dt_cli_fleet_earlier(answer);
    }

    printf("}\n");

    return found ? DT_EXIT_OK : DT_EXIT_NOTHING;
}


/* carries out one order */
static int
dt_cli_fleet_do(const dt_cli_args_t *args, const char *what,
                const dt_redis_opts_t *o)
{
    int code;
    dt_frame_t order, state;
    dt_redis_t *r;

    memset(&order, 0, sizeof(order));
    order.site = dt_cstr(args->arg);
    order.version = args->version;
    order.n = args->number ? args->number : 1;

    for (size_t i = 0;
         i < sizeof(dt_cli_fleet_orders) / sizeof(dt_cli_fleet_orders[0]); i++)
    {
        if (strcmp(dt_cli_fleet_orders[i].name, what) == 0) {
            order.what = dt_cli_fleet_orders[i].what;
        }
    }

    r = dt_redis_create(o);
    if (r == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    (void) dt_redis_tick(r);
    (void) dt_redis_state(r, &state);

    if (state.flags & DT_LINK_AWAY) {
        code = dt_cli_error(DT_EXIT_IO, "%.*s", (int) state.text.len,
                            state.text.data);

    } else {
        dt_redis_do(r, &order, 1);
        code = dt_cli_fleet_print(args, what, &order);
    }

    dt_redis_destroy(r);

    return code;
}


int
dt_cli_fleet(const dt_cli_args_t *args, const char *what)
{
    int code = DT_EXIT_USAGE;
    char *options, token[DT_CLI_TOKEN], errstr[DT_ERRSTR];
    dt_redis_opts_t o;

    memset(&o, 0, sizeof(o));
    o.timeout_ms = DT_CLI_REDIS_TIME;

    if (args->arg[0] == '\0' || strlen(args->arg) > DT_SNAPSHOT_SITE) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "the site's name must have 1 to 255 bytes");
    }

    options = strdup(args->redis_options ? args->redis_options : "");
    if (options == NULL) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");
    }

    /* no other process has it, so that all machines see the event */

    snprintf(token, sizeof(token), "detemplate-%ld-%lld", (long) getpid(),
             (long long) time(NULL));

    if (dt_cli_redis_opts(options, " ", &o, errstr) == DT_OK) {
        o.url = args->redis;
        o.token = token;
        code =
            dt_redis_check(&o, errstr) == DT_OK ? DT_EXIT_OK : DT_EXIT_USAGE;
    }

    code = code == DT_EXIT_OK ? dt_cli_fleet_do(args, what, &o)
                              : dt_cli_error(DT_EXIT_USAGE, "%s", errstr);
    free(options);

    return code;
}
