
/*
 * Copyright (C) The detemplate authors
 *
 * A page is found worth a learning while it is served.  Until its turn comes,
 * the site may have learned from another page what it shows.  So the page is
 * checked once more, for the price of one load.
 */


#include "core/learn/known.h"
#include "core/scan/rewrite.h"
#include "core/template/due.h"


static int
dt_known_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return 0;
}


int
dt_known(const void *tmpl, const dt_url_t *url, dt_str_t src, unsigned used)
{
    dt_status_t rc;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o;
    dt_rewrite_stats_t stats;

    memset(&o, 0, sizeof(o));
    o.tmpl = tmpl;
    o.mode = DT_STRIP;
    o.host = url->host;
    o.path = url->path;
    o.out = dt_known_out;

    rw = dt_rewrite_create(&o);
    if (rw == NULL) {
        return 0;
    }

    rc = dt_rewrite_feed(rw, src.data, src.len, 1);
    dt_rewrite_stats(rw, &stats);
    dt_rewrite_destroy(rw);

    return rc == DT_OK && !stats.guard && !stats.too_deep
           && !dt_due(dt_due_share(tmpl, url->path, stats.words), used);
}
