
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of a kind say the same in part: the products of a shop how they are
 * sent, the lists of a blog what was written last.  They are not alike, so
 * each has a vote, and a site may have little else.  But their votes say less
 * than as many of pages that have nothing in common: n pages that share the
 * part s of their words are worth n / (1 + (n - 1) s) of those (L. Kish,
 * "Survey Sampling", 1965, section 8.2: the design effect of clusters).
 *
 * Where a page's content stands, in main and article elements, the pages that
 * show a pattern must be worth a good part of what all pages are worth.
 * Elsewhere sections have menus of their own; in there too, but a menu has
 * more words than a product's name, and is made of links.
 *
 * A site whose pages say nowhere what they are about is asked of all of its
 * places, and of no links: the pages of one list would do otherwise, which say
 * the same by halves.
 */


#include "core/rules/kind.h"


/* whether it is asked of a pattern; bare: there is no main, nor article */
static int
dt_kind_asked(const dt_rules_t *rules, const dt_pattern_t *e, int bare)
{
    int links = (e->flags & DT_PATTERN_LINKS) != 0;

    if (bare) {
        return !links;
    }

    return (e->flags & DT_PATTERN_MAIN)
           && !(links && e->words >= rules->kind_words);
}


/* what pages are worth, in thousandths of one */
static uint64_t
dt_kind_worth(const dt_alike_t *alike, uint64_t pages)
{
    unsigned i;
    uint64_t n, pairs, rest, left, sum = 0;

    n = (unsigned) __builtin_popcountll(pages);
    pairs = n * (n - 1) / 2;

    for (rest = pages; rest; rest &= rest - 1) {
        i = (unsigned) __builtin_ctzll(rest);

        for (left = rest & (rest - 1); left; left &= left - 1) {
            sum += alike->share[i][__builtin_ctzll(left)];
        }
    }

    return pairs ? n * 1000000 / (1000 + (n - 1) * sum / pairs) : n * 1000;
}


void
dt_kind_decide(const dt_evidence_t *ev, const dt_alike_t *alike,
               dt_verdict_t *v)
{
    int bare = 1;
    uint32_t i;
    unsigned least;
    uint64_t all, pages = 0, worth = 0;
    const dt_rules_t *rules = &ev->rules;
    const dt_pattern_t *e = ev->patterns.elts;

    all = dt_kind_worth(alike, dt_evidence_pages(ev));

    for (i = 0; i < ev->patterns.n; i++) {
        bare = bare && !(e[i].flags & DT_PATTERN_MAIN);
    }

    least = bare ? rules->kind_bare : rules->kind;

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].active || !dt_kind_asked(rules, &e[i], bare)) {
            continue;
        }

        /* those of one element mostly have the same pages */

        if (pages != e[i].pages) {
            pages = e[i].pages;
            worth = dt_kind_worth(alike, pages & dt_evidence_pages(ev));
        }

        if (worth * 100 < all * least) {
            v[i].kind = 1;
            v[i].cut = 0;
        }
    }
}
