
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
    dt_status_t (*page)(const dt_rewrite_opts_t *o, dt_str_t page,
                        dt_rewrite_stats_t *stats);
    dt_status_t (*records)(dt_str_t page, uint64_t seed, dt_str_t host,
                           dt_str_t path, dt_record_t **out, size_t *n);
} engine_t;


#define ENGINE                                                                \
    {                                                                         \
        dt_rewrite_page, dt_scan_records                                      \
    }

extern const engine_t engine_portable;


#endif /* DT_ENGINE_H_INCLUDED_ */
