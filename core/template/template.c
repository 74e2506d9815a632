
/*
 * Copyright (C) The detemplate authors
 */


#include "core/template/serve.h"
#include "core/template/table.h"
#include "core/template/template.h"


#define DT_SUM_SEED 0x64657465u


/* whether [off, off + n * size) is within [from, to) and aligned */
static int
dt_template_range(uint32_t off, uint64_t n, uint64_t size, uint32_t from,
                  uint32_t to)
{
    return off >= from && off <= to && off % 8 == 0 && n * size <= to - off;
}


size_t
dt_table_run(const uint64_t *keys, unsigned bits, uint64_t *taken)
{
    size_t i, run = 0, most = 0, slots = (size_t) 1 << bits;

    for (i = 0, *taken = 0; i < 2 * slots; i++) {
        run = keys[i & (slots - 1)] ? run + 1 : 0;
        most = run > most ? run : most;
        *taken += i < slots && run;
    }

    return most;
}


/* whether a table is safe for look-ups: see table.h */
static int
dt_template_table(const char *keys, unsigned bits, uint64_t *taken)
{
    return dt_table_run((const void *) keys, bits, taken) <= DT_PROBE_MAX
           && *taken <= (uint64_t) 1 << bits >> 1;
}


static const char *
dt_template_tables(const dt_template_head_t *h, const char *base)
{
    uint64_t paths, nodes, taken;

    if (h->path_bits == 0 || h->path_bits > DT_BITS_MAX || h->node_bits == 0
        || h->node_bits > DT_BITS_MAX || h->first_bits < DT_FIRST_LEAST
        || h->first_bits > DT_FIRST_BITS)
    {
        return "table";
    }

    paths = (uint64_t) 1 << h->path_bits;
    nodes = (uint64_t) 1 << h->node_bits;

    if (!dt_template_range(sizeof(*h), (uint64_t) 1 << h->first_bits >> 6, 8,
                           sizeof(*h), h->serve_size)
        || !dt_template_range(h->paths, paths, 8, sizeof(*h), h->serve_size)
        || !dt_template_range(h->nodes, nodes, 8, sizeof(*h), h->serve_size)
        || !dt_template_range(h->info, nodes, 4, sizeof(*h), h->serve_size))
    {
        return "table";
    }

    if (!dt_template_table(base + h->paths, h->path_bits, &taken)
        || !dt_template_table(base + h->nodes, h->node_bits, &taken)
        || h->npatterns > taken)
    {
        return "table";
    }

    return NULL;
}


static const char *
dt_template_evidence(const dt_template_head_t *h, const char *base)
{
    uint32_t i;
    uint64_t size;
    const uint16_t *at;
    const dt_pattern_t *e;
    const dt_evidence_place_t *places;

    size = h->npages * (uint64_t) sizeof(dt_evidence_page_t)
           + h->nplaces * (uint64_t) sizeof(dt_evidence_place_t)
           + h->nevidence * (uint64_t) sizeof(dt_pattern_t)
           + dt_seen_size(h->nseen);

    if (h->npages > DT_PAGES_MAX || size != h->size - h->serve_size) {
        return "size";
    }

    base += h->serve_size + h->npages * sizeof(dt_evidence_page_t);
    places = (const void *) base;
    e = (const void *) (places + h->nplaces);

    for (i = 0; i < h->nplaces; i++) {
        /* a place comes behind the place around it */
        if ((places[i].parent != UINT32_MAX && places[i].parent >= i)
            || places[i].kind == DT_PLACE_NEW)
        {
            return "evidence";
        }
    }

    for (i = 0; i < h->nevidence; i++) {
        if (e[i].place >= h->nplaces || e[i].named >= h->nplaces
            || e[i].first >> DT_FIRST_BITS)
        {
            return "evidence";
        }
    }

    at = (const void *) ((const uint32_t *) (e + i) + h->nseen);

    for (i = 0; i < h->nseen; i++) {
        if (at[i] >= h->nevidence) {
            return "evidence";
        }
    }

    return NULL;
}


uint64_t
dt_template_sum(const char *p, size_t len)
{
    return dt_hash(p, len, DT_SUM_SEED);
}


static const char *
dt_template_wrong(const char *base, size_t len)
{
    const char *why;
    const dt_template_head_t *h = (const void *) base;

    if (len < sizeof(dt_template_head_t)) {
        return "truncated";
    }

    if (h->magic != DT_TEMPLATE_MAGIC) {
        return "magic";
    }

    if (h->format != DT_TEMPLATE_FORMAT || h->head_size != sizeof(*h)) {
        return "format";
    }

    if (h->size > DT_TEMPLATE_MAX || h->serve_size > h->size
        || h->serve_size < sizeof(*h) || h->serve_size % 8)
    {
        return "size";
    }

    if (len != h->size && len != h->serve_size) {
        return len < h->size ? "truncated" : "size";
    }

    if (h->serve_sum
            != dt_template_sum(base + DT_TEMPLATE_SUMMED,
                               h->serve_size - DT_TEMPLATE_SUMMED)
        || (len == h->size
            && h->rest_sum
                   != dt_template_sum(base + h->serve_size,
                                      h->size - h->serve_size)))
    {
        return "checksum";
    }

    /* version 0 means "no template" elsewhere */

    if (h->version == 0) {
        return "version";
    }

    why = dt_template_tables(h, base);

    if (why == NULL && len == h->size) {
        why = dt_template_evidence(h, base);
    }

    return why;
}


dt_status_t
dt_template_check(const void *data, size_t len, const char **why)
{
    const char *w;

    w = dt_template_wrong(data, len);

    if (why != NULL) {
        *why = w;
    }

    return w == NULL ? DT_OK : DT_EINVAL;
}


void
dt_template_info(const void *data, dt_template_info_t *out)
{
    const dt_template_head_t *h = data;

    out->version = h->version;
    out->size = h->size;
    out->serve_size = h->serve_size;
    out->patterns = h->npatterns;
    out->loads = h->loads;
    out->pages = h->npages;
    out->candidates = h->candidates;
    out->typical = h->typical;
    out->coverage = h->coverage;
    out->guarded = h->guarded;
    out->learned_at = h->learned_at;
    out->created_at = h->created_at;
    out->seed = h->seed;
}


void
dt_key_dirs(dt_str_t path, uint64_t dirs[DT_PAGE_DIRS])
{
    size_t i;
    unsigned n;

    memset(dirs, 0, DT_PAGE_DIRS * sizeof(uint64_t));
    dirs[0] = dt_hash(path.data, path.len, 0) | 1;

    for (i = 1, n = 1; i < path.len && n < DT_PAGE_DIRS; i++) {
        if (path.data[i] == '/') {
            dirs[n++] = dt_hash(path.data, i + 1, 0) | 1;
        }
    }
}


uint64_t
dt_template_dirs(const dt_template_head_t *h, dt_str_t path)
{
    unsigned i, k;
    uint64_t set = 1, dirs[DT_PAGE_DIRS];

    dt_key_dirs(path, dirs);

    for (i = 1; i < DT_DIRS_MAX && h->dirs[i]; i++) {
        for (k = 0; k < DT_PAGE_DIRS; k++) {
            set |= (uint64_t) (dirs[k] == h->dirs[i]) << i;
        }
    }

    return set;
}


int
dt_template_low(const void *data, uint32_t words)
{
    const dt_template_head_t *h = data;

    return (uint64_t) words * 100
           < (uint64_t) (h->typical ? h->typical : 1) * DT_SERVE_LOW;
}


void
dt_template_renumber(void *data, uint32_t version)
{
    char *base = data;
    dt_template_head_t *h = data;

    h->version = version;
    h->serve_sum = dt_template_sum(base + DT_TEMPLATE_SUMMED,
                                   h->serve_size - DT_TEMPLATE_SUMMED);
}
