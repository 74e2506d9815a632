
/*
 * Copyright (C) The detemplate authors
 *
 * Two pages with the same content (a print view, another sort order, a session
 * in the URL, a soft 404) must not support each other: their content would
 * become template.  So pages that are alike have one vote together.
 *
 * A page that contains another (all chapters on one page, an author's page
 * that quotes another) is alike with it, but two pages that it contains need
 * not be alike.  So being alike leads from page to page only directly, and
 * votes are counted from the pages with the fewest words: the chapters have a
 * vote each, and the page with all of them adds none.
 *
 * Pages are compared by their words.  A word weighs more if fewer pages show
 * it.  Two pages are alike when they share most of the weight of their words,
 * for any number of copies.  They are also alike when they share half of it
 * while rare words weigh much more, so that words which a section has in
 * common hardly count.
 *
 * If most pages are in one directory, the pages of that directory do not count
 * when the words of others are weighed.  Otherwise a user could fill a
 * directory with pages and make the content of all others frequent; they would
 * be alike because they share their template.
 *
 * A page with hardly any words outside of the template shares all of its words
 * with each other page.  It is only compared with pages like itself, or it
 * would be a copy of every page.
 *
 * Pages of one name in several directories are alike already when they share
 * nearly as much: they are the same page in another language or version.  The
 * words that differ between /de/about and /fr/about may be the menu, and the
 * words that are the same may be content that was not translated.  The name
 * alone proves nothing.  Some sites have all pages in files of one name, and
 * archives have the same indexes for each month.
 */


#include <math.h>

#include "core/rules/alike.h"
#include "core/rules/quorum.h"


/* the powers of a word's rarity in its two weights */
#define DT_ALIKE_POWER 1
#define DT_ALIKE_RARE 3


/* weights of words: of all words of a page, and of those that two pages share;
   shared[i][j] is set for i < j */
typedef struct {
    double total[DT_PAGES_MAX];
    double shared[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_shares_t;


/*
 * Sums up the weights of the words of pages (a bit set) and of each pair of
 * them.  Of n pages, if df show a word, it weighs log((n + 1) / df) to the
 * given power.
 */
static void
dt_alike_weigh(const dt_evidence_t *ev, unsigned power, uint64_t pages,
               dt_shares_t *s)
{
    double w;
    unsigned i, df;
    uint32_t k;
    uint64_t rest, others;
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
            s->total[i] += w;

            for (others = rest & (rest - 1); others; others &= others - 1) {
                s->shared[i][__builtin_ctzll(others)] += w;
            }
        }
    }
}


/*
 * Returns the set of the pages with hardly any words of their own: less than
 * alike_least percent of their words are on half of the pages or fewer.
 */
static uint64_t
dt_alike_bare(const dt_evidence_t *ev, uint64_t pages)
{
    unsigned i, n = (unsigned) __builtin_popcountll(pages);
    uint32_t k;
    uint64_t rest, bare = 0, words[DT_PAGES_MAX] = { 0 };
    uint64_t rare[DT_PAGES_MAX] = { 0 };
    const dt_pattern_t *e = ev->patterns.elts;

    for (k = 0; k < ev->patterns.n; k++) {
        if (e[k].start) {
            continue;
        }

        for (rest = e[k].pages & pages; rest; rest &= rest - 1) {
            i = (unsigned) __builtin_ctzll(rest);
            words[i] += e[k].words;

            if ((unsigned) __builtin_popcountll(e[k].pages & pages) * 2 <= n) {
                rare[i] += e[k].words;
            }
        }
    }

    for (i = 0; i < ev->npages; i++) {
        if (rare[i] * 100 < words[i] * ev->rules.alike_least) {
            bare |= (uint64_t) 1 << i;
        }
    }

    return bare;
}


/* returns the share of pages i < j, as a multiple of percent */
static double
dt_alike_share(const dt_shares_t *s, unsigned i, unsigned j, unsigned percent)
{
    double less = s->total[i] < s->total[j] ? s->total[i] : s->total[j];

    return less > 0 ? 100 * s->shared[i][j] / less / percent : 0;
}


static void
dt_alike_table(const dt_evidence_t *ev, const dt_shares_t *s, dt_alike_t *out)
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


/* sets the order of the pages: by the weight of their words, least first */
static void
dt_alike_order(const dt_evidence_t *ev, const dt_shares_t *s,
               dt_voters_t *voters)
{
    unsigned i, k;

    for (i = 0; i < ev->npages; i++) {
        for (k = i; k > 0 && s->total[voters->order[k - 1]] > s->total[i]; k--)
        {
            voters->order[k] = voters->order[k - 1];
        }

        voters->order[k] = (uint8_t) i;
    }
}


void
dt_alike(const dt_evidence_t *ev, dt_voters_t *voters, dt_alike_t *alike)
{
    double share;
    unsigned i, j, k;
    uint64_t pages, dir, bare;
    dt_shares_t all[2], rare[2];
    const dt_rules_t *rules = &ev->rules;

    pages = dt_evidence_pages(ev);
    dir = dt_quorum_most(ev);
    bare = dt_alike_bare(ev, pages);

    for (k = 0; k < 2; k++) {
        dt_alike_weigh(ev, DT_ALIKE_POWER, k ? pages & ~dir : pages, &all[k]);
        dt_alike_weigh(ev, DT_ALIKE_RARE, k ? pages & ~dir : pages, &rare[k]);
    }

    if (alike != NULL) {
        dt_alike_table(ev, &all[0], alike);
    }

    memset(voters, 0, sizeof(dt_voters_t));
    voters->npages = ev->npages;
    dt_alike_order(ev, &all[0], voters);

    for (i = 0; i < ev->npages; i++) {
        voters->alike[i] |= (uint64_t) 1 << i;

        for (j = 0; j < i; j++) {
            if ((bare >> i ^ bare >> j) & 1) {
                continue;
            }

            k = !(dir >> i & 1) && !(dir >> j & 1);
            share = fmax(dt_alike_share(&all[k], j, i, rules->alike),
                         dt_alike_share(&rare[k], j, i, rules->alike_rare));

            if (share > 1
                || (share * 100 > rules->alike_name
                    && ev->pages[i].name == ev->pages[j].name))
            {
                voters->alike[i] |= (uint64_t) 1 << j;
                voters->alike[j] |= (uint64_t) 1 << i;
            }
        }
    }
}
