
/*
 * Copyright (C) The detemplate authors
 *
 * The request path as it is built here, and once more as portable.c builds
 * it: with DT_PORTABLE, for machines that have neither SSE2 nor NEON.
 */


#ifndef DT_ENGINE_H_INCLUDED_
#define DT_ENGINE_H_INCLUDED_


#include "core/scan/rewrite.h"
#include "core/scan/scan.h"


typedef struct {
    dt_rewrite_t *(*create)(const dt_rewrite_opts_t *o);
    dt_status_t (*feed)(dt_rewrite_t *rw, const char *p, size_t len, int last);
    void (*stats)(const dt_rewrite_t *rw, dt_rewrite_stats_t *out);
    void (*destroy)(dt_rewrite_t *rw);
    dt_status_t (*records)(dt_str_t page, uint64_t seed, dt_str_t host,
                           dt_str_t path, dt_record_t **out, size_t *n);
} engine_t;


#define ENGINE                                                                \
    {                                                                         \
        dt_rewrite_create, dt_rewrite_feed, dt_rewrite_stats,                 \
            dt_rewrite_destroy, dt_scan_records                               \
    }

extern const engine_t engine_portable;


#endif /* DT_ENGINE_H_INCLUDED_ */
