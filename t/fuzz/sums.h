
/*
 * Copyright (C) The detemplate authors
 *
 * Template bytes that were changed get checksums that are right, so that the
 * other checks see them.
 */


#ifndef DT_FUZZ_SUMS_H_INCLUDED_
#define DT_FUZZ_SUMS_H_INCLUDED_


#include "core/template/table.h"
#include "core/template/template.h"


static inline void
fuzz_sums(char *t, size_t len)
{
    dt_template_head_t *h = (void *) t;

    if (h->serve_size >= sizeof(*h) && h->serve_size <= len) {
        h->serve_sum = dt_template_sum(t + DT_TEMPLATE_SUMMED,
                                       h->serve_size - DT_TEMPLATE_SUMMED);
        h->rest_sum = dt_template_sum(t + h->serve_size, len - h->serve_size);
    }
}


#endif /* DT_FUZZ_SUMS_H_INCLUDED_ */
