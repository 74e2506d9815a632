
/*
 * Copyright (C) The detemplate authors
 *
 * Pages of one kind share a part of their words: the products of a shop share
 * how they are sent, the lists of a blog share what was written last.  They
 * are not alike, so each has a vote, and a site may have hardly any other
 * pages.  But their votes prove less than those of pages that share nothing.
 * If n pages share the part s of their words, their weight is the following,
 * as in the design effect of clusters (L. Kish, "Survey Sampling", 1965,
 * section 8.2):
 *
 *     n / (1 + (n - 1) s)
 *
 * In main and article elements, where the content of a page is, the pages that
 * show a pattern must have a good part of the weight of all pages.  Outside of
 * them a section may have a menu of its own.
 */


#include "core/rules/kind.h"


/* returns the weight of a set of pages, in thousandths of a page that shares
   nothing with others */
static uint64_t
dt_kind_weight(const dt_alike_t *alike, uint64_t pages)
{
    unsigned i;
    uint64_t n, pairs, rest, others, sum = 0;

    n = (unsigned) __builtin_popcountll(pages);
    pairs = n * (n - 1) / 2;

    for (rest = pages; rest; rest &= rest - 1) {
        i = (unsigned) __builtin_ctzll(rest);

        for (others = rest & (rest - 1); others; others &= others - 1) {
            sum += alike->share[i][__builtin_ctzll(others)];
        }
    }

    return pairs ? n * 1000000 / (1000 + (n - 1) * sum / pairs) : n * 1000;
}


void
dt_kind_decide(const dt_evidence_t *ev, const dt_alike_t *alike,
               dt_verdict_t *v)
{
    uint32_t i;
    uint64_t all, pages = 0, weight = 0;
    const dt_pattern_t *e = ev->patterns.elts;

    all = dt_kind_weight(alike, dt_evidence_pages(ev));

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].cut || !(e[i].flags & DT_PATTERN_MAIN)) {
            continue;
        }

        /* the pages are mostly those of the previous pattern, which is often
           in the same element */

        if (pages != e[i].pages) {
            pages = e[i].pages;
            weight = dt_kind_weight(alike, pages & dt_evidence_pages(ev));
        }

        if (weight * 100 < all * ev->rules.kind) {
            v[i].cut = 0;
        }
    }
}
