
/*
 * Copyright (C) The detemplate authors
 *
 * Two pages with the same content (print view, sort order, session in the URL,
 * a soft 404) must not vouch for each other: they would make template of
 * their content.  Pages that are alike have one vote together:
 *
 * Those that say the same.  Pages are compared by their words, each weighed by
 * how few pages show it.  They are alike when they share most of them, however
 * many copies there are; and also when they share half of them while rare
 * words weigh much more, so that what a section has in common hardly counts.
 *
 * Where most pages are in one directory, its pages do not make the words of
 * others rare.  Who fills it could else make all others alike by what their
 * template says.
 *
 * A page that has nothing to say shares all of that with each other page, and
 * would make copies of all of them; it may be a copy of its like only.
 *
 * Those of one name, in other directories, that share nearly so much: the same
 * page in another language or version.  What differs between /de/about and
 * /fr/about may well be the menu, and what is the same the content that nobody
 * has translated.  The name alone says nothing: some sites have all pages in
 * files of one name, and archives have the same indexes for each month.
 */


#include <math.h>

#include "core/rules/alike.h"
#include "core/rules/quorum.h"


/* of words: how much of them, by weight, pages have, and share with others */
typedef struct {
    double own[DT_PAGES_MAX];
    double shared[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_shares_t;


/* a word weighs the logarithm of how rare it is among pages, to the power */
static void
dt_alike_weigh(const dt_evidence_t *ev, unsigned power, uint64_t pages,
               dt_shares_t *s)
{
    double w;
    unsigned i, df;
    uint32_t k;
    uint64_t rest, left;
    const dt_pattern_t *e = ev->patterns.elts;
    unsigned n = (unsigned) __builtin_popcountll(pages);

    memset(s, 0, sizeof(dt_shares_t));

    for (k = 0; k < ev->patterns.n; k++) {
        if (e[k].start || (e[k].pages & pages) == 0) {
            continue;
        }

        df = (unsigned) __builtin_popcountll(e[k].pages & pages);
        w = e[k].words * pow(log((double) (n + 1) / df), power);

        for (rest = e[k].pages & pages; rest; rest &= rest - 1) {
            i = (unsigned) __builtin_ctzll(rest);
            s->own[i] += w;

            for (left = rest & (rest - 1); left; left &= left - 1) {
                s->shared[i][__builtin_ctzll(left)] += w;
            }
        }
    }
}


/*
 * Pages that have next to nothing of their own: of their words, hardly any are
 * on no more than half of the pages.
 */
static uint64_t
dt_alike_bare(const dt_evidence_t *ev, uint64_t pages)
{
    unsigned i, n = (unsigned) __builtin_popcountll(pages);
    uint32_t k;
    uint64_t rest, bare = 0, words[DT_PAGES_MAX] = { 0 };
    uint64_t own[DT_PAGES_MAX] = { 0 };
    const dt_pattern_t *e = ev->patterns.elts;

    for (k = 0; k < ev->patterns.n; k++) {
        if (e[k].start) {
            continue;
        }

        for (rest = e[k].pages & pages; rest; rest &= rest - 1) {
            i = (unsigned) __builtin_ctzll(rest);
            words[i] += e[k].words;

            if ((unsigned) __builtin_popcountll(e[k].pages & pages) * 2 <= n) {
                own[i] += e[k].words;
            }
        }
    }

    for (i = 0; i < ev->npages; i++) {
        if (own[i] * 100 < words[i] * ev->rules.alike_least) {
            bare |= (uint64_t) 1 << i;
        }
    }

    return bare;
}


static double
dt_alike_share(const dt_shares_t *s, unsigned i, unsigned j, unsigned percent)
{
    double own = s->own[i] < s->own[j] ? s->own[i] : s->own[j];

    return own > 0 ? 100 * s->shared[i][j] / own / percent : 0;
}


static void
dt_alike_tell(const dt_evidence_t *ev, const dt_shares_t *s, dt_alike_t *out)
{
    double share;
    unsigned i, j;

    memset(out, 0, sizeof(dt_alike_t));

    for (j = 0; j < ev->npages; j++) {
        for (i = 0; i < j; i++) {
            share = 10 * dt_alike_share(s, i, j, 1);
            out->share[i][j] = (uint16_t) (share < 1000 ? share : 1000);
        }
    }
}


void
dt_alike(const dt_evidence_t *ev, uint8_t *voter, dt_alike_t *alike)
{
    double share, most;
    unsigned i, j, k;
    uint64_t pages, dir, bare;
    dt_shares_t all[2], rare[2];
    const dt_rules_t *rules = &ev->rules;

    pages = dt_evidence_pages(ev);
    dir = dt_quorum_most(ev);
    bare = dt_alike_bare(ev, pages);

    for (k = 0; k < 2; k++) {
        dt_alike_weigh(ev, rules->alike_power, k ? pages & ~dir : pages,
                       &all[k]);
        dt_alike_weigh(ev, rules->alike_rare_power, k ? pages & ~dir : pages,
                       &rare[k]);
    }

    if (alike != NULL) {
        dt_alike_tell(ev, &all[0], alike);
    }

    memset(voter, 0, DT_PAGES_MAX);

    for (i = 0; i < ev->npages; i++) {
        voter[i] = (uint8_t) i;
        most = 0;

        for (j = 0; j < i; j++) {
            if ((bare >> i ^ bare >> j) & 1) {
                continue;
            }

            k = !(dir >> i & 1) && !(dir >> j & 1);
            share = fmax(dt_alike_share(&all[k], j, i, rules->alike),
                         dt_alike_share(&rare[k], j, i, rules->alike_rare));

            /* /a/print and /b/print are rather like /a and /b */

            if (share <= 1) {
                share = share * 100 > rules->alike_name
                        && ev->pages[i].name == ev->pages[j].name;
            }

            if (share > most) {
                most = share;
                voter[i] = voter[j];
            }
        }
    }
}
