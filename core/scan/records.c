
/*
 * Copyright (C) The detemplate authors
 *
 * A whole page is scanned to be compiled: what could be template in it.
 */


#include <stdlib.h>

#include "core/scan/scan.h"


dt_status_t
dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host, dt_str_t path,
                dt_record_t **out, size_t *n)
{
    dt_scan_t *s;
    const char *p, *end = page.data + page.len;
    dt_status_t rc;

    s = malloc(sizeof(dt_scan_t));
    if (s == NULL) {
        return DT_ENOMEM;
    }

    dt_scan_init(s, NULL, seed, host, path);

    p = dt_scan_run(s, page.data, end, 0, 0);
    dt_scan_finish(s, p, (size_t) (end - p), (uint64_t) (p - page.data));

    rc = s->nomem ? DT_ENOMEM : s->too_deep ? DT_ELIMIT : DT_OK;

    if (rc == DT_OK) {
        *out = s->records;
        *n = s->nrecords;

    } else {
        free(s->records);
    }

    free(s);

    return rc;
}


dt_status_t
dt_scan_inert(dt_str_t page, char *copy)
{
    dt_scan_t *s;
    const char *p, *end = page.data + page.len;

    memcpy(copy, page.data, page.len);

    s = malloc(sizeof(dt_scan_t));
    if (s == NULL) {
        return DT_ENOMEM;
    }

    dt_scan_follow(s, 0);
    s->inert = copy;

    p = dt_scan_run(s, page.data, end, 0, 0);
    dt_scan_finish(s, p, (size_t) (end - p), (uint64_t) (p - page.data));
    free(s);

    return DT_OK;
}
