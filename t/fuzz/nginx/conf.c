
/*
 * Copyright (C) The detemplate authors
 *
 * The values of directives.  An input is lines, "NAME VALUE VALUE ..."; the
 * values are parted by tabs.  Each is set as nginx would do it, then all are
 * merged.  What is refused is said in the log; what is taken is in its bounds.
 */


#include "core/base/wire.h"
#include "ngx_module/conf.h"
#include "nginx.h"
#include "ngx_module/zone/site.h"


#define ARGS 8


static ngx_module_t *modules[] = { &ngx_http_core_module,
                                   &ngx_http_detemplate_filter_module, NULL };

static const ngx_uint_t counts[] = { NGX_CONF_NOARGS, NGX_CONF_TAKE1,
                                     NGX_CONF_TAKE2,  NGX_CONF_TAKE3,
                                     NGX_CONF_TAKE4,  NGX_CONF_TAKE5,
                                     NGX_CONF_TAKE6,  NGX_CONF_TAKE7 };


/* as in http{} with nothing in it */
static void
setup(ngx_conf_t *cf, ngx_http_conf_ctx_t *ctx)
{
    ngx_http_module_t *m;

    for (size_t i = 0; modules[i] != NULL; i++) {
        m = modules[i]->ctx;
        modules[i]->ctx_index = i;
        modules[i]->name = "fuzz";

        if (m->create_main_conf) {
            ctx->main_conf[i] = m->create_main_conf(cf);
        }

        if (m->create_srv_conf) {
            ctx->srv_conf[i] = m->create_srv_conf(cf);
        }

        if (m->create_loc_conf) {
            ctx->loc_conf[i] = m->create_loc_conf(cf);
        }
    }

    for (size_t i = 0; modules[i] != NULL; i++) {
        m = modules[i]->ctx;
        fuzz_assert(m->preconfiguration == NULL
                    || m->preconfiguration(cf) == NGX_OK);
    }
}


static ngx_command_t *
command(const u_char *name, size_t len)
{
    ngx_command_t *cmd = ngx_http_dt_commands;

    for (; cmd->name.len; cmd++) {
        if (cmd->name.len == len && memcmp(cmd->name.data, name, len) == 0) {
            return cmd;
        }
    }

    return NULL;
}


/* one line; 0: refused, and nginx would not start */
static int
set(ngx_conf_t *cf, ngx_http_conf_ctx_t *ctx, const u_char *p, size_t len)
{
    void *conf;
    size_t n, lines = fuzz_lines;
    char *rv;
    ngx_str_t *arg;
    ngx_command_t *cmd;

    ngx_array_init(cf->args, cf->pool, ARGS, sizeof(ngx_str_t));

    for (;; p += n + 1, len -= n + 1) {
        for (n = 0; n < len && p[n] != '\t' && p[n] != '\0'; n++) {
            /* void */
        }

        if (cf->args->nelts == ARGS) {
            return 1;
        }

        /* each has a NUL behind it */
        arg = ngx_array_push(cf->args);
        arg->len = n;
        arg->data = ngx_pnalloc(cf->pool, n + 1);
        fuzz_assert(arg->data != NULL);
        memcpy(arg->data, p, n);
        arg->data[n] = '\0';

        if (n == len) {
            break;
        }
    }

    arg = cf->args->elts;
    cmd = command(arg[0].data, arg[0].len);
    n = cf->args->nelts;

    if (cmd == NULL
        || !(cmd->type & counts[n - 1]
             || (cmd->type & NGX_CONF_1MORE && n >= 2)
             || (cmd->type & NGX_CONF_2MORE && n >= 3)))
    {
        return 1;
    }

    n = modules[1]->ctx_index;
    conf = cmd->conf == NGX_HTTP_MAIN_CONF_OFFSET ? ctx->main_conf[n]
                                                  : ctx->loc_conf[n];
    rv = cmd->set(cf, cmd, conf);
    fuzz_assert(rv != NGX_CONF_ERROR || fuzz_lines > lines);

    return rv == NGX_CONF_OK;
}


static void
bounds(const ngx_http_dt_loc_conf_t *c)
{
    fuzz_assert(c->candidates >= 1 && c->candidates <= DT_JOB_CANDIDATES);
    fuzz_assert(c->votes == NGX_CONF_UNSET
                || (c->votes >= 1 && c->votes <= c->candidates));
    fuzz_assert(c->loads == NGX_CONF_UNSET
                || (c->loads >= c->candidates && c->loads <= DT_JOB_LOADS));
    fuzz_assert(c->refresh <= c->valid);
    fuzz_assert(c->valid >= 1 && c->refresh != 0);
    fuzz_assert(c->origin.len <= NGX_HTTP_DT_MAX_ORIGIN);
    fuzz_assert(dt_job_detectors[c->detector] != NULL);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n;
    ngx_conf_t cf;
    ngx_cycle_t cycle;
    ngx_conf_file_t file;
    ngx_http_conf_ctx_t ctx;
    int taken = 1;
    void *confs[3][2] = { { NULL } };
    ngx_http_dt_loc_conf_t *loc;

    fuzz_nginx();

    memset(&cf, 0, sizeof(cf));
    memset(&cycle, 0, sizeof(cycle));
    memset(&file, 0, sizeof(file));
    cf.pool = cycle.pool = ngx_create_pool(16384, &fuzz_log);
    cf.log = cycle.log = &fuzz_log;
    cf.cycle = &cycle;
    cf.ctx = &ctx;
    cf.conf_file = &file;
    cf.temp_pool = cf.pool;
    cf.args = ngx_array_create(cf.pool, ARGS, sizeof(ngx_str_t));
    ngx_str_set(&file.file.name, "fuzz");
    ngx_str_set(&cycle.prefix, "/fuzz/");
    ngx_str_set(&cycle.conf_prefix, "/fuzz/");
    cycle.modules = modules;
    ngx_array_init(&cycle.paths, cf.pool, 4, sizeof(ngx_path_t *));
    ngx_list_init(&cycle.shared_memory, cf.pool, 4, sizeof(ngx_shm_zone_t));
    ngx_list_init(&cycle.open_files, cf.pool, 4, sizeof(ngx_open_file_t));
    ctx.main_conf = confs[0];
    ctx.srv_conf = confs[1];
    ctx.loc_conf = confs[2];
    ngx_http_max_module = 2;

    setup(&cf, &ctx);

    for (; size && taken; data += n, size -= n) {
        for (n = 0; n < size && data[n] != '\n'; n++) {
            /* void */
        }

        taken = set(&cf, &ctx, data, n);
        n += n < size;
    }

    taken =
        taken && ngx_http_dt_init_main_conf(&cf, confs[0][1]) == NGX_CONF_OK;
    loc = ngx_http_dt_create_loc_conf(&cf);

    if (taken
        && ngx_http_dt_merge_loc_conf(&cf, confs[2][1], loc) == NGX_CONF_OK) {
        bounds(loc);
    }

    ngx_destroy_pool(cf.pool);

    return 0;
}
