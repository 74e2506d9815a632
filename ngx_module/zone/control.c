
/*
 * Copyright (C) The detemplate authors
 */


#include "ngx_module/zone/control.h"
#include "ngx_module/zone/node.h"
#include "ngx_module/zone/want.h"
#include "ngx_module/zone/zone.h"


#define NGX_HTTP_DT_MAX_COMMANDS  16


/* a command in shared memory; dropped if its worker does not come back for
   it */

typedef struct {
    ngx_queue_t                    queue;
    uint64_t                       id;
    ngx_msec_t                     at;
    ngx_uint_t                     taken;      /* by the manager */
    ngx_uint_t                     done;
    ngx_http_dt_control_t          control;
} ngx_http_dt_command_t;


static ngx_http_dt_command_t *ngx_http_dt_control_find(
    ngx_http_dt_zone_t *zone, uint64_t id);
static void ngx_http_dt_control_copy(ngx_http_dt_control_t *to,
    ngx_http_dt_control_t *from);
static ngx_uint_t ngx_http_dt_control_relearn(ngx_http_dt_zone_t *zone,
    ngx_http_dt_node_t *node);


uint64_t
ngx_http_dt_control_ask(ngx_http_dt_zone_t *zone, ngx_http_dt_control_t *c)
{
    uint64_t                id;
    ngx_uint_t              n;
    ngx_queue_t            *q, *next;
    ngx_http_dt_command_t  *cmd;

    if (!zone->manager) {
        return 0;
    }

    id = 0;
    n = 0;

    ngx_shmtx_lock(&zone->shpool->mutex);

    for (q = ngx_queue_head(&zone->sh->commands);
         q != ngx_queue_sentinel(&zone->sh->commands);
         q = next)
    {
        next = ngx_queue_next(q);
        cmd = ngx_queue_data(q, ngx_http_dt_command_t, queue);

        /* another worker's clock may be ahead of this one's by a little */

        if ((ngx_msec_int_t) (ngx_current_msec - cmd->at)
            > 2 * NGX_HTTP_DT_PATIENCE)
        {
            ngx_queue_remove(q);
            ngx_slab_free_locked(zone->shpool, cmd);
            continue;
        }

        n++;
    }

    cmd = (n < NGX_HTTP_DT_MAX_COMMANDS)
          ? ngx_http_dt_node_alloc(zone, NULL, sizeof(ngx_http_dt_command_t))
          : NULL;

    if (cmd) {
        id = ++zone->sh->ticket;

        cmd->id = id;
        cmd->at = ngx_current_msec;
        cmd->taken = 0;
        cmd->done = 0;
        ngx_http_dt_control_copy(&cmd->control, c);

        ngx_queue_insert_tail(&zone->sh->commands, &cmd->queue);
        zone->wake = 1;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_http_dt_wake(zone);

    return id;
}


ngx_int_t
ngx_http_dt_control_answer(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c)
{
    ngx_int_t               rc;
    ngx_http_dt_command_t  *cmd;

    rc = NGX_DECLINED;

    ngx_shmtx_lock(&zone->shpool->mutex);

    cmd = ngx_http_dt_control_find(zone, id);

    if (cmd && c && !cmd->done) {
        rc = NGX_AGAIN;

    } else if (cmd) {

        if (c) {
            ngx_http_dt_control_copy(c, &cmd->control);
            rc = NGX_OK;
        }

        ngx_queue_remove(&cmd->queue);
        ngx_slab_free_locked(zone->shpool, cmd);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return rc;
}


uint64_t
ngx_http_dt_control_take(ngx_http_dt_zone_t *zone, ngx_http_dt_control_t *c)
{
    uint64_t                id;
    ngx_http_dt_command_t  *cmd;

    id = 0;

    ngx_shmtx_lock(&zone->shpool->mutex);

    cmd = ngx_http_dt_control_find(zone, 0);

    if (cmd) {
        cmd->taken = 1;
        id = cmd->id;
        ngx_http_dt_control_copy(c, &cmd->control);
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    return id;
}


void
ngx_http_dt_control_done(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c)
{
    ngx_http_dt_command_t  *cmd;

    ngx_shmtx_lock(&zone->shpool->mutex);

    cmd = ngx_http_dt_control_find(zone, id);

    if (cmd) {
        ngx_http_dt_control_copy(&cmd->control, c);
        cmd->done = 1;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}


/* finds the command with that number; 0: the first one that was not taken */

static ngx_http_dt_command_t *
ngx_http_dt_control_find(ngx_http_dt_zone_t *zone, uint64_t id)
{
    ngx_queue_t            *q;
    ngx_http_dt_command_t  *cmd;

    for (q = ngx_queue_head(&zone->sh->commands);
         q != ngx_queue_sentinel(&zone->sh->commands);
         q = ngx_queue_next(q))
    {
        cmd = ngx_queue_data(q, ngx_http_dt_command_t, queue);

        if (id ? cmd->id == id : !cmd->taken) {
            return cmd;
        }
    }

    return NULL;
}


static void
ngx_http_dt_control_copy(ngx_http_dt_control_t *to,
    ngx_http_dt_control_t *from)
{
    *to = *from;
    to->site.data = to->name;
}


void
ngx_http_dt_control_node(ngx_http_dt_zone_t *zone, ngx_http_dt_control_t *c)
{
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_lock(zone, &c->site);

    if (node == NULL) {
        ngx_shmtx_unlock(&zone->shpool->mutex);
        return;
    }

    c->known = 1;

    switch (c->what) {

    case NGX_HTTP_DT_DO_RELEARN:
        c->did = ngx_http_dt_control_relearn(zone, node);
        break;

    case NGX_HTTP_DT_DO_FORGET:
        ngx_http_dt_node_delete(zone, node);
        break;

    case NGX_HTTP_DT_DO_PIN:
    case NGX_HTTP_DT_DO_RESTORE:

        /* a running learning would replace the template */

        ngx_http_dt_node_idle(zone, node);
        node->pinned = c->fleet ? NGX_HTTP_DT_PINNED_FLEET
                                : NGX_HTTP_DT_PINNED_HERE;
        node->anew = 0;
        break;

    case NGX_HTTP_DT_DO_UNPIN:
        node->pinned = 0;
        break;
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);

    ngx_http_dt_wake(zone);
}


/*
 * The job of the last learning has the address of the site's pages.  Without a
 * job, as after a restart, the next request provides one.
 */

static ngx_uint_t
ngx_http_dt_control_relearn(ngx_http_dt_zone_t *zone, ngx_http_dt_node_t *node)
{
    ngx_http_dt_job_t  job;

    ngx_http_dt_node_idle(zone, node);
    ngx_http_dt_want_clear(zone, node);
    node->vain = 0;
    node->next = ngx_current_msec;

    node->anew = ngx_time();
    node->refresh = ngx_min(node->refresh, ngx_time());

    if (node->job == NULL) {
        return NGX_HTTP_DT_DID_MARK;
    }

    ngx_http_dt_want_job(node, &job);

    return (ngx_http_dt_want(zone, node, &job) == NGX_OK)
           ? NGX_HTTP_DT_DID_QUEUE : NGX_HTTP_DT_DID_MARK;
}


void
ngx_http_dt_control_state(ngx_http_dt_zone_t *zone, ngx_http_dt_control_t *c)
{
    ngx_http_dt_node_t  *node;

    node = ngx_http_dt_node_lock(zone, &c->site);

    if (node) {
        c->known = 1;
        c->pinned = node->pinned;
        c->state = node->state;

        if (node->blob) {
            c->now.version = node->info.version;
            c->now.coverage = node->info.coverage;
            c->now.learned_at = node->info.learned_at;
        }
    }

    ngx_shmtx_unlock(&zone->shpool->mutex);
}
