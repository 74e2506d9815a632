
/*
 * Copyright (C) The detemplate authors
 */


#include "core/scan/rewrite_i.h"


#define DT_EDIT_MAX (2 * 10 + 1 + 8) /* bytes of one, at the most */


struct dt_made_s {
    uint64_t seed;
    uint64_t end; /* of the last region */
    int full;
    union {
        dt_edits_t head;
        unsigned char bytes[DT_EDITS_MAX];
    } list;
};


static unsigned char *
dt_made_number(unsigned char *p, uint64_t n)
{
    for (; n > 0x7f; n >>= 7) {
        *p++ = (unsigned char) (n | 0x80);
    }

    *p++ = (unsigned char) n;

    return p;
}


static const unsigned char *
dt_edits_number(const unsigned char *p, const unsigned char *last, uint64_t *n)
{
    unsigned shift;

    for (*n = 0, shift = 0; p < last && shift < 64; shift += 7) {
        *n |= (uint64_t) (*p & 0x7f) << shift;

        if (*p++ < 0x80) {
            return p;
        }
    }

    return NULL;
}


void
dt_edits_walk(dt_edits_walk_t *w, const dt_edits_t *edits, uint64_t seed)
{
    w->p = (const unsigned char *) (edits + 1);
    w->last = (const unsigned char *) edits + edits->size;
    w->in = edits->in;
    w->seed = seed;
    w->edit.end = 0;

    dt_edits_next(w);
}


void
dt_edits_next(dt_edits_walk_t *w)
{
    uint64_t gap, len;
    dt_edit_t *e = &w->edit;
    const unsigned char *p = w->p;

    if (p < w->last && (p = dt_edits_number(p, w->last, &gap)) != NULL
        && (p = dt_edits_number(p, w->last, &len)) != NULL && w->last - p >= 9
        && gap <= w->in - e->end && len <= w->in - e->end - gap && len
        && len <= DT_STORED_ROOM)
    {
        e->start = e->end + gap;
        e->end = e->start + len;
        e->at = *p++;
        e->sum = dt_load64((const char *) p);
        w->p = p + 8;
        return;
    }

    w->p = w->last;
    e->start = w->in;
    e->end = w->in;
}


dt_made_t *
dt_made_create(const dt_alloc_t *alloc, uint64_t seed)
{
    dt_made_t *m;

    m = alloc->alloc(alloc->data, sizeof(dt_made_t));
    if (m == NULL) {
        return NULL;
    }

    memset(m, 0, offsetof(dt_made_t, list) + sizeof(dt_edits_t));
    m->seed = seed;
    m->list.head.size = sizeof(dt_edits_t);

    return m;
}


void
dt_made_destroy(dt_made_t *made, const dt_alloc_t *alloc)
{
    if (made != NULL) {
        alloc->free(alloc->data, made);
    }
}


void
dt_made_add(dt_rewrite_t *rw, uint64_t start, uint32_t len, unsigned at)
{
    uint64_t h;
    unsigned i;
    dt_sum_t sum;
    dt_made_t *m = rw->made;
    unsigned char *p = m->list.bytes + m->list.head.size;

    if (m->list.head.size + DT_EDIT_MAX > DT_EDITS_MAX) {
        m->full = 1;
        return;
    }

    dt_sum_init(&sum, m->seed);
    dt_rewrite_sum(rw, start, start + len, &sum);
    h = dt_sum_end(&sum);

    p = dt_made_number(p, start - m->end);
    p = dt_made_number(p, len);
    *p++ = (unsigned char) at;

    for (i = 0; i < 8; i++) {
        *p++ = (unsigned char) (h >> 8 * i);
    }

    m->end = start + len;
    m->list.head.size = (uint32_t) (p - m->list.bytes);
}


const dt_edits_t *
dt_rewrite_list(const dt_rewrite_t *rw)
{
    dt_made_t *m = rw->made;

    if (m == NULL || m->full || !rw->whole || rw->failed || rw->stats.guard
        || dt_scan_is_too_deep(&rw->scan))
    {
        return NULL;
    }

    m->list.head.in = rw->in;
    m->list.head.removed = rw->stats.removed;
    m->list.head.words = rw->stats.words;
    m->list.head.regions = rw->stats.regions;

    return &m->list.head;
}


/* another page than the list is of */
static void
dt_edits_changed(dt_rewrite_t *rw)
{
    rw->stats.changed = 1;
    rw->pass = 1;
    dt_rewrite_keep(rw, rw->in);
}


int
dt_edits_apply(dt_rewrite_t *rw)
{
    dt_sum_t sum;
    dt_edit_t *e = &rw->walk.edit;

    for (; dt_edits_more(&rw->walk) && e->end <= rw->in;
         dt_edits_next(&rw->walk)) {
        dt_sum_init(&sum, rw->walk.seed);
        dt_rewrite_sum(rw, e->start, e->end, &sum);

        if (dt_sum_end(&sum) != e->sum) {
            rw->stats.changed = 1;
            return 1;
        }

        dt_rewrite_apply(rw, e->start, (uint32_t) (e->end - e->start), e->at);
    }

    return 0;
}


dt_status_t
dt_edits_feed(dt_rewrite_t *rw, int last)
{
    dt_edit_t *e = &rw->walk.edit;

    if (rw->in > rw->edits->in) {
        dt_edits_changed(rw);
        return DT_OK;
    }

    if (dt_edits_apply(rw)) {
        dt_edits_changed(rw);
        return DT_OK;
    }

    if (last) {
        if (rw->in != rw->edits->in) {
            dt_edits_changed(rw);
            return DT_OK;
        }

        rw->stats.words = rw->edits->words;
        rw->pass = 1;
    }

    dt_rewrite_keep(rw, last || e->start > rw->in ? rw->in : e->start);

    return dt_rewrite_hold(rw, rw->sent);
}
