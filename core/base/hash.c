
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/hash.h"


void
dt_sum_init(dt_sum_t *s, uint64_t seed)
{
    uint64_t i;

    for (i = 0; i < 4; i++) {
        s->lanes[i] = dt_mix(seed, i + 1);
    }

    s->key = dt_mix(seed, i + 1);
    s->len = 0;
}


/* takes whole blocks from p on; returns the position behind the last */
static const char *
dt_sum_blocks(dt_sum_t *s, const char *p, size_t len)
{
    uint64_t a, b, c, d, k = s->key;
    const char *end = p + len / DT_SUM_BLOCK * DT_SUM_BLOCK;

    a = s->lanes[0];
    b = s->lanes[1];
    c = s->lanes[2];
    d = s->lanes[3];

    for (; p < end; p += DT_SUM_BLOCK) {
        a = dt_fold(a ^ dt_load64(p), k ^ dt_load64(p + 8));
        b = dt_fold(b ^ dt_load64(p + 16), k ^ dt_load64(p + 24));
        c = dt_fold(c ^ dt_load64(p + 32), k ^ dt_load64(p + 40));
        d = dt_fold(d ^ dt_load64(p + 48), k ^ dt_load64(p + 56));
    }

    s->lanes[0] = a;
    s->lanes[1] = b;
    s->lanes[2] = c;
    s->lanes[3] = d;

    return end;
}


void
dt_sum_add(dt_sum_t *s, const char *p, size_t len)
{
    size_t n, have = (size_t) (s->len % DT_SUM_BLOCK);
    const char *end = p + len;

    s->len += len;

    if (have) {
        n = len < DT_SUM_BLOCK - have ? len : DT_SUM_BLOCK - have;
        memcpy(s->rest + have, p, n);
        p += n;

        if (have + n < DT_SUM_BLOCK) {
            return;
        }

        (void) dt_sum_blocks(s, s->rest, DT_SUM_BLOCK);
    }

    p = dt_sum_blocks(s, p, (size_t) (end - p));

    if (p < end) {
        memcpy(s->rest, p, (size_t) (end - p));
    }
}


uint64_t
dt_sum_end(const dt_sum_t *s)
{
    uint64_t h, i;

    h = dt_hash(s->rest, (size_t) (s->len % DT_SUM_BLOCK),
                dt_mix(s->key, s->len));

    for (i = 0; i < 4; i++) {
        h = dt_mix(h, s->lanes[i]);
    }

    return h;
}
