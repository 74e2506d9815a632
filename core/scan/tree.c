
/*
 * Copyright (C) The detemplate authors
 *
 * The stack of open elements.  It follows the tree construction of the HTML
 * standard where it matters (implied end tags, scopes, tables).  Where
 * following on would need a parser (misnested formatting, foster parents), the
 * elements concerned are unsound: they stay in the page.
 */


#include <stdlib.h>

#include "core/scan/element.h"
#include "core/template/table.h"


dt_record_t *
dt_scan_record(dt_scan_t *s)
{
    size_t max;
    dt_record_t *r;

    if (s->nrecords == s->records_max) {
        max = s->records_max ? 2 * s->records_max : 1024;

        r = realloc(s->records, max * sizeof(dt_record_t));
        if (r == NULL) {
            s->nomem = 1;
            s->state = DT_SCAN_PASS;
            return NULL;
        }

        s->records = r;
        s->records_max = max;
    }

    r = &s->records[s->nrecords++];
    memset(r, 0, sizeof(dt_record_t));

    return r;
}


/* marks an element and, since it is a part of them, its ancestors */
void
dt_scan_unsound(dt_scan_t *s, dt_open_t *e)
{
    e->state |= DT_OPEN_UNSOUND;
    s->force = 0;
    dt_scan_kill(s);
}


/*
 * whether all regions since first may be cut; sets the number of their words
 */
static int
dt_scan_all_cut(const dt_scan_t *s, uint32_t first, uint32_t *words)
{
    uint32_t i;

    for (i = first, *words = 0; i < s->nregions; i++) {
        if (s->regions[i].weak) {
            return 0;
        }

        *words += s->regions[i].words;
    }

    return i > first;
}


static void
dt_scan_closed_record(dt_scan_t *s, const dt_open_t *e, uint64_t end, int weak)
{
    dt_open_t *parent = &s->stack[s->depth];
    dt_record_t *rec = &s->records[e->mark];

    parent->state |= e->state & DT_OPEN_UNSOUND;
    parent->hash = dt_mix(parent->hash, e->hash);
    parent->words += e->words;
    parent->links += e->links;

    rec->end = (uint32_t) end;
    rec->words = e->words;
    rec->links = e->links;
    rec->weak = (uint32_t) weak;
    rec->key = e->state & DT_OPEN_UNSOUND ? 0 : dt_key_node(e->path, e->hash);
}


/*
 * Whether e, which was alive and ended, says nothing, but keeps words apart
 * that may stay: white space, a break, or a separator that is weak.
 */
static int
dt_scan_is_gap(const dt_scan_t *s, const dt_open_t *e)
{
    uint32_t words;

    if ((e->flags & DT_TAG_SPECIAL) || s->said >= e->start || dt_line_waits(s))
    {
        return 0;
    }

    return s->nregions > e->mark ? !dt_scan_all_cut(s, e->mark, &words)
                                 : s->white > e->start;
}


/*
 * Returns whether e, which was alive and ended, is template.  Sets the number
 * of its words, and *weak if it may only go as part of a larger one.
 */
static int
dt_scan_is_template(const dt_scan_t *s, const dt_open_t *e, uint64_t end,
                    uint32_t *words, int *weak)
{
    size_t slot;

    if ((e->state & DT_OPEN_UNSOUND) || end - e->start > DT_SCAN_HOLD) {
        return 0;
    }

    slot =
        dt_table_find(s->nodes, s->node_bits, dt_key_node(e->path, e->hash));

    if (slot == DT_TABLE_NONE || (s->info[slot] & DT_NODE_START)) {
        return (e->state & DT_OPEN_WRAPPER)
               && dt_scan_all_cut(s, e->mark, words);
    }

    /* the region is weak if all regions in it are weak */
    *weak |= !dt_scan_all_cut(s, e->mark, words)
             && !dt_scan_is_strong(s, s->info[slot]);
    *weak |= dt_scan_is_gap(s, e);
    *words = s->info[slot] & 0xffff;

    return 1;
}


/* what tells e, which ended without text, apart beside its hash: it is alive,
   so that its start tag is still there */
static uint64_t
dt_scan_bare(const dt_scan_t *s, const dt_open_t *e, uint64_t end)
{
    size_t n;
    uint64_t bare = 0;
    dt_token_t t;
    dt_address_t address = s->address;
    const char *p;

    end = e->start < s->from && s->held_end < end ? s->held_end : end;
    p = dt_scan_span(s, e->start, end, &n);
    t.look = NULL;

    if (dt_token_read(&t, p + 1, p + n) != NULL) {
        (void) dt_token_attrs_sum(&t, &address, &bare);
    }

    return bare;
}


static void
dt_scan_closed(dt_scan_t *s, uint64_t end, int implied)
{
    int weak, joined;
    uint32_t words;
    dt_open_t *e, *parent;

    e = &s->stack[s->depth];
    parent = e - 1;
    dt_scan_pop(s);
    weak = (e->state & DT_OPEN_GLUED)
           || ((e->state & DT_OPEN_CLOSED) && !implied);

    if (s->form > e->start) {
        /*
         * a form inside it is still open, so another one cannot begin after it
         */
        e->state |= DT_OPEN_UNSOUND;
    }

    if (e->bare == DT_BARE_TEXT) {
        parent->bare = DT_BARE_TEXT;

    } else if (e->bare == DT_BARE_OTHERS && (s->alive || s->recording)) {
        e->hash = dt_mix(e->hash, dt_scan_bare(s, e, end));
    }

    if (s->nomem) {
        /* an element without a record adds nothing */
        return;
    }

    if (s->recording) {
        dt_scan_closed_record(s, e, end, weak);
        return;
    }

    if (!s->alive) {
        return;
    }

    if (!dt_scan_is_template(s, e, end, &words, &weak)) {
        dt_scan_kill(s);
        return;
    }

    parent->hash = dt_mix(parent->hash, e->hash);

    if (s->alive == s->depth + 1) {
        s->alive = 0;

        if (weak) {
            (void) dt_scan_settle(s, e->mark, s->nregions);
            return;
        }
    }

    joined = s->nregions > e->mark ? s->regions[e->mark].joined
                                   : s->line == DT_LINE_GONE;
    s->nregions = e->mark;

    if (s->line == DT_LINE_HEADING && s->heading > e->start) {
        /* a row of heads that wait waits as a whole */
        s->heading = e->start;
    }

    if (!dt_scan_region(s, e->start, end, words, e->name_len + 1u, weak,
                        joined)) {
        dt_line_keep(s);

    } else if (s->memo != NULL && !dt_force_in(s, e->start)) {
        dt_memo_add(s, e, end, !implied && !weak && s->kept != s->depth + 1);
    }
}


void
dt_scan_close(dt_scan_t *s, uint64_t end, int implied)
{
    int heading;
    unsigned depth = s->depth;

    if (s->hand != NULL) {
        dt_force_close(s, end);
    }

    heading = s->line == DT_LINE_GONE
              && (s->stack[s->depth].flags & DT_TAG_LABEL)
              && !(s->line_link && s->stack[s->depth].name == DT_NAME_TD);

    if (s->shape) {
        dt_scan_closed(s, end, implied);
        dt_shape_close(s, &s->stack[s->depth + 1], end, implied);

    } else {
        dt_scan_closed(s, end, implied);
    }

    if (depth == s->kept) {
        dt_force_closed(s, &s->stack[depth]);

    } else if (heading) {
        dt_line_heading(s, &s->stack[s->depth + 1]);

    } else if (s->label == DT_LABEL_VALUE && s->line == DT_LINE_HEADING
               && s->stack[depth].name == DT_NAME_TR)
    {
        s->line = DT_LINE_NONE;
    }
}


void
dt_scan_close_above(dt_scan_t *s, unsigned n, uint64_t end, int in_table)
{
    dt_open_t *e;

    if (dt_scan_select(s) > n) {
        /* a parser keeps the element open and ignores all tags inside it */
        dt_scan_give_up(s);

        if (s->state == DT_SCAN_PASS) {
            return;
        }
    }

    while (s->depth > n) {
        e = &s->stack[s->depth];

        if (!(e->flags & DT_TAG_IMPLIED)
            && !(in_table && (e->flags & DT_TAG_INTABLE))) {
            dt_scan_unsound(s, e);
            s->stack[n].state |= DT_OPEN_UNSOUND;
            dt_scan_unclosed(s, dt_tag_find(e->name));
            s->unclosed_inline =
                s->unclosed_inline || !(e->flags & DT_TAG_SPECIAL);

            if (s->depth == s->kept) {
                /* a parser may have more in it */
                dt_scan_give_up(s);
            }
        }

        dt_scan_close(s, end, 1);
    }
}


/*
 * closes the elements inside of n, which end at inner, and then n, which ends
 * at end
 */
void
dt_scan_close_to(dt_scan_t *s, unsigned n, uint64_t inner, uint64_t end,
                 int in_table)
{
    dt_scan_close_above(s, n, inner, in_table);

    if (s->depth == n) {
        dt_scan_close(s, end, inner == end);
    }
}


/* closes all that is open at the end of the page, without end tags */
void
dt_scan_close_all(dt_scan_t *s, uint64_t end)
{
    dt_scan_kill(s);

    while (s->recording && s->depth) {
        s->stack[s->depth].state |= DT_OPEN_UNSOUND;
        dt_scan_close(s, end, 1);
    }
}
