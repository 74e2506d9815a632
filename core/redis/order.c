
/*
 * Copyright (C) The detemplate authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/redis/order_i.h"


static const struct {
    void (*begin)(dt_redis_order_t *o);
    void (*next)(dt_redis_order_t *o);
} dt_redis_orders[DT_LINK_LAST] = {
    [DT_LINK_GET] = { dt_redis_get_begin, dt_redis_get_next },
    [DT_LINK_LOCK] = { dt_redis_lock_begin, dt_redis_lock_next },
    [DT_LINK_UNLOCK] = { dt_redis_unlock_begin, dt_redis_done_next },
    [DT_LINK_COMPARE] = { dt_redis_compare_begin, dt_redis_compare_next },
    [DT_LINK_PUT] = { dt_redis_put_begin, dt_redis_put_next },
    [DT_LINK_FORGET] = { dt_redis_forget_begin, dt_redis_forget_next },
    [DT_LINK_RELEARN] = { dt_redis_relearn_begin, dt_redis_done_next },
    [DT_LINK_PIN] = { dt_redis_pin_begin, dt_redis_pin_next },
    [DT_LINK_UNPIN] = { dt_redis_unpin_begin, dt_redis_unpin_next },
    [DT_LINK_RESTORE] = { dt_redis_restore_begin, dt_redis_restore_next },
    [DT_LINK_LIST] = { dt_redis_list_begin, dt_redis_list_next },
};


void
dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                     const dt_redis_conf_t *conf, unsigned one)
{
    memset(o, 0, sizeof(*o));
    o->one = one;
    o->link = link;
    o->conf = conf;
    o->to = 1;

    link->flags &= ~(uint32_t) (DT_LINK_LOCKED | DT_LINK_PINNED);

    if (link->what >= DT_LINK_LAST
        || dt_redis_orders[link->what].begin == NULL) {
        dt_redis_order_end(o, DT_EINVAL, "redis: there is no such order");
        return;
    }

    if (link->site.len == 0 || link->site.len > DT_LINK_SITE) {
        dt_redis_order_end(o, DT_ELIMIT,
                           "redis: the site's name must have 1 to 255 bytes");
        return;
    }

    dt_redis_site_encode(link->site, o->site);
    snprintf(o->key, sizeof(o->key), "%s{%s}", conf->prefix, o->site);
    dt_redis_orders[link->what].begin(o);
}


void
dt_redis_order_next(dt_redis_order_t *o)
{
    for (size_t i = o->from; i < o->to; i++) {
        dt_redis_request_sent(&o->q[i]);
    }

    dt_redis_orders[o->link->what].next(o);
}


void
dt_redis_order_free(dt_redis_order_t *o)
{
    for (size_t i = 0; i < sizeof(o->q) / sizeof(o->q[0]); i++) {
        dt_redis_request_free(&o->q[i]);
    }

    free(o->joined);
    o->joined = NULL;
}
