
/*
 * Copyright (C) The detemplate authors
 *
 * A page has content.  If the template would leave hardly anything of a page
 * that was learned from, or of its main and article elements, then a part of
 * the template is likely to be content: text of copies of the page that are
 * not known to be alike, or words that a user has put on many pages.  The
 * patterns that the fewest pages show are the likeliest content.  The level of
 * a page is the number of pages up to which its patterns must stay, so that
 * enough of it remains.
 *
 * Some pages have no content, and show the same template as the others.  So a
 * pattern stays only if it must stay on half of the pages that show it (empty
 * percent).  Pages that are alike count as one.
 */


#include "core/rules/guard.h"


/* words of a page; cut[n] of them are cut and in patterns that n pages show */
typedef struct {
    uint32_t words;
    uint32_t cut[DT_PAGES_MAX + 1];
} dt_guarded_t;


/* returns the level of a page; 0: enough of it remains */
static unsigned
dt_guard_level(const dt_guarded_t *g, const dt_rules_t *rules)
{
    unsigned df;
    uint64_t cut = 0;

    for (df = 1; df <= DT_PAGES_MAX; df++) {
        cut += g->cut[df];
    }

    for (df = 0; df < DT_PAGES_MAX; cut -= g->cut[++df]) {
        if (cut * 100 <= g->words * (uint64_t) (100 - rules->remain)) {
            break;
        }
    }

    return df;
}


/*
 * The elements around a text are taken from the page that was loaded last,
 * since they are nearly always the same on all pages.
 */
void
dt_guard_removed(const dt_evidence_t *ev, dt_verdict_t *v)
{
    uint32_t i;
    unsigned n;
    const dt_pattern_t *e = ev->patterns.elts, *up;

    for (i = 0; i < ev->patterns.n; i++) {
        if (e[i].start) {
            continue;
        }

        v[i].removed = 0;

        /* evidence from Redis or a file may lead in a circle */

        for (up = &e[i], n = 0; up != NULL && n <= DT_SCAN_DEPTH; n++) {
            v[i].removed |= e[i].pages & v[up - e].cut;
            up = up->up ? dt_index_find(&ev->patterns, up->up) : NULL;
        }
    }
}


/* sets the level of each page, by the patterns that have the flag; 0: by all
   patterns */
static void
dt_guard_levels(const dt_evidence_t *ev, const dt_verdict_t *v, unsigned flag,
                dt_guarded_t *g, unsigned *level)
{
    unsigned p, df;
    uint32_t i, words;
    uint64_t rest;
    const dt_pattern_t *e = ev->patterns.elts;

    memset(g, 0, DT_PAGES_MAX * sizeof(dt_guarded_t));

    for (i = 0; i < ev->patterns.n; i++) {
        if (e[i].start || (e[i].flags & flag) != flag) {
            continue;
        }

        df = (unsigned) __builtin_popcountll(e[i].pages);
        words = (uint32_t) e[i].words * e[i].count;

        for (rest = e[i].pages; rest; rest &= rest - 1) {
            p = (unsigned) __builtin_ctzll(rest);
            g[p].words += words;
            g[p].cut[df] += v[i].removed >> p & 1 ? words : 0;
        }
    }

    for (p = 0; p < ev->npages; p++) {
        level[p] = dt_guard_level(&g[p], &ev->rules);
    }
}


/* clears the verdicts of the patterns that must stay on enough pages; by the
   patterns that have the flag, 0: by all */
static void
dt_guard_scope(dt_evidence_t *ev, const dt_voters_t *voters, dt_verdict_t *v,
               unsigned flag, dt_guarded_t *g)
{
    unsigned df, level[DT_PAGES_MAX];
    uint32_t i;
    uint64_t rest, empty;
    const dt_pattern_t *e = ev->patterns.elts;

    /* evidence from Redis or a file may name pages that do not exist */
    memset(level, 0, sizeof(level));
    dt_guard_removed(ev, v);
    dt_guard_levels(ev, v, flag, g, level);

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].active || (e[i].flags & flag) != flag) {
            continue;
        }

        df = (unsigned) __builtin_popcountll(e[i].pages);
        empty = 0;

        for (rest = e[i].pages; rest; rest &= rest - 1) {
            if (df <= level[__builtin_ctzll(rest)]) {
                empty |= rest & ~(rest - 1);
            }
        }

        if (100 * dt_rules_votes(empty, voters)
            >= ev->rules.empty * dt_rules_votes(e[i].pages, voters))
        {
            v[i] = (dt_verdict_t){ 0 };
            ev->guarded++;
        }
    }
}


dt_status_t
dt_guard(dt_evidence_t *ev, const dt_voters_t *voters, dt_verdict_t *v)
{
    dt_guarded_t *g;

    g = dt_arena_alloc(ev->arena, DT_PAGES_MAX * sizeof(dt_guarded_t));
    if (g == NULL) {
        return DT_ENOMEM;
    }

    dt_guard_scope(ev, voters, v, 0, g);
    dt_guard_scope(ev, voters, v, DT_PATTERN_MAIN, g);

    return DT_OK;
}
