
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/rules/compile.h"
#include "core/rules/decide.h"
#include "core/rules/store.h"
#include "core/template/template.h"


/* counts the patterns and words of a page that the tables cover, as the
   scanner would find them */
static void
dt_compile_covered(const dt_tables_t *t, const dt_record_t *r, size_t n,
                   dt_compiled_t *out)
{
    size_t i, slot;
    uint32_t end = 0, info;

    for (i = 0; i < n; i++) {
        if (r[i].name == 0) {
            out->words += r[i].words;
        }

        if (r[i].start < end || r[i].key == 0) {
            continue;
        }

        slot = dt_table_find(t->nodes.keys, t->nodes.bits, r[i].key);
        if (slot == DT_TABLE_NONE) {
            continue;
        }

        info = t->nodes.info[slot];

        if ((info & DT_NODE_STRONG) && !r[i].weak) {
            out->static_words += r[i].words;
            out->static_bytes += r[i].end - r[i].start;
            end = r[i].end;
        }
    }
}


/* sets the words of template on the typical page, the most on any page, and
   those on all pages of this learning */
static void
dt_compile_typical(dt_evidence_t *ev, const dt_tables_t *t, dt_compiled_t *out)
{
    unsigned p, q, more;
    uint32_t i, words[DT_PAGES_MAX];
    uint64_t rest;
    const dt_pattern_t *e = ev->patterns.elts;

    memset(words, 0, sizeof(words));

    for (i = 0; i < ev->patterns.n; i++) {
        if (e[i].start) {
            continue;
        }

        for (rest = t->verdicts[i].removed; rest; rest &= rest - 1) {
            words[__builtin_ctzll(rest)] += (uint32_t) e[i].words * e[i].count;
        }
    }

    for (p = 0; p < ev->npages; p++) {
        out->shown += ev->fresh >> p & 1 ? words[p] : 0;

        for (q = 0, more = 0; q < ev->npages; q++) {
            more += words[q] > words[p] || (words[q] == words[p] && q < p);
        }

        if (more == 0) {
            ev->most = words[p];
        }

        if (more == ev->npages / 2) {
            ev->typical = words[p];
        }
    }
}


/* appends size bytes at *p */
static void
dt_compile_put(char **p, const void *data, size_t size)
{
    memcpy(*p, data, size);
    *p += size;
}


/* fills in the fields of the head that are not about the tables */
static void
dt_compile_head(const dt_evidence_t *ev, const dt_compile_info_t *info,
                const dt_compiled_t *out, dt_template_head_t *h)
{
    h->version = ev->prev.version + (ev->prev.version < UINT32_MAX);
    h->loads = ev->prev.loads + info->loads;
    h->candidates = info->candidates;
    h->learned_at = info->now;
    h->created_at = ev->prev.version ? ev->prev.created_at : info->now;
    h->seed = ev->seed;
    h->coverage =
        out->words ? (uint32_t) (1000ull * out->static_words / out->words) : 0;
    h->typical = ev->typical;
    h->most = ev->most;
    h->guarded = ev->guarded;

    for (unsigned i = 1; i <= ev->nlimits; i++) {
        h->dirs[i] = ev->limits[i]->hash;
    }
}


/*
 * Sets where the tables are, and how many pages, places and patterns of
 * evidence follow.  Returns the bytes of the whole template.
 */
static size_t
dt_compile_layout(const dt_evidence_t *ev, const dt_tables_t *t,
                  const dt_stored_t *stored, dt_template_head_t *h)
{
    uint32_t keys = (uint32_t) sizeof(uint64_t) << t->nodes.bits;

    h->magic = DT_TEMPLATE_MAGIC;
    h->format = DT_TEMPLATE_FORMAT;
    h->head_size = sizeof(*h);
    h->path_bits = t->paths.bits;
    h->node_bits = t->nodes.bits;
    h->first_bits = t->first_bits;
    h->paths = (uint32_t) (sizeof(*h) + ((size_t) 1 << t->first_bits >> 3));
    h->nodes = h->paths + ((uint32_t) sizeof(uint64_t) << t->paths.bits);
    h->info = h->nodes + keys;
    h->serve_size = h->info + keys / 2;
    h->npatterns = t->patterns;
    h->shapes = t->shapes;
    h->npages = ev->npages;
    h->nplaces = stored->nplaces;
    h->nevidence = stored->npatterns;
    h->nseen = stored->nseen;

    return h->serve_size + h->npages * sizeof(dt_evidence_page_t)
           + h->nplaces * sizeof(dt_evidence_place_t)
           + h->nevidence * sizeof(dt_pattern_t)
           + (size_t) dt_seen_size(h->nseen);
}


static dt_status_t
dt_compile_write(dt_evidence_t *ev, const dt_tables_t *t,
                 const dt_compile_info_t *info, dt_compiled_t *out)
{
    char *p, *base;
    size_t size;
    dt_stored_t stored;
    dt_template_head_t h;

    if (dt_store(ev, &stored) != DT_OK) {
        return DT_ENOMEM;
    }

    memset(&h, 0, sizeof(h));
    size = dt_compile_layout(ev, t, &stored, &h);

    if (size > DT_TEMPLATE_MAX) {
        return DT_ELIMIT;
    }

    h.size = (uint32_t) size;
    dt_compile_head(ev, info, out, &h);

    base = calloc(1, size);
    if (base == NULL) {
        return DT_ENOMEM;
    }

    p = base + sizeof(h);
    dt_compile_put(&p, t->firsts, h.paths - sizeof(h));
    dt_compile_put(&p, t->paths.keys, h.nodes - h.paths);
    dt_compile_put(&p, t->nodes.keys, h.info - h.nodes);
    dt_compile_put(&p, t->nodes.info, h.serve_size - h.info);
    dt_compile_put(&p, ev->pages, h.npages * sizeof(ev->pages[0]));
    dt_compile_put(&p, stored.places, h.nplaces * sizeof(dt_evidence_place_t));
    dt_compile_put(&p, stored.patterns, h.nevidence * sizeof(dt_pattern_t));
    dt_compile_put(&p, stored.keys, h.nseen * sizeof(uint32_t));
    dt_compile_put(&p, stored.at, h.nseen * sizeof(uint16_t));

    memcpy(base, &h, sizeof(h));
    h.serve_sum = dt_template_sum(base + DT_TEMPLATE_SUMMED,
                                  h.serve_size - DT_TEMPLATE_SUMMED);
    h.rest_sum = dt_template_sum(base + h.serve_size, size - h.serve_size);
    memcpy(base, &h, sizeof(h));

    out->bytes = base;
    out->len = size;

    return DT_OK;
}


dt_status_t
dt_compile(dt_evidence_t *ev, const dt_compile_info_t *info,
           dt_compiled_t *out)
{
    dt_status_t rc, written;
    dt_tables_t t;

    memset(out, 0, sizeof(dt_compiled_t));

    rc = dt_decide(ev, &t);
    out->guarded = ev->guarded;

    if (rc != DT_OK && rc != DT_DECLINED) {
        return rc;
    }

    out->patterns = t.patterns;
    dt_compile_covered(&t, info->key, info->nkey, out);
    dt_compile_typical(ev, &t, out);

    written = dt_compile_write(ev, &t, info, out);

    return written == DT_OK ? rc : written;
}
