
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
 * them a section may have a menu of its own.  It may have one inside too, but
 * a menu has more words than the name of a product, and is made of links.
 *
 * On pages without such elements the question is asked at all places, except
 * of links.  Without it, the pages of one list would be enough to make
 * template of the words that they share.  There, where the text at a place is
 * mostly a page's own, and where it would go in one directory only, most pages
 * of the site must show a pattern.  Otherwise an author of a few pages could
 * repeat there what another page says, and that page would lose it.  It must
 * not lose it together with a menu around it, either.
 */


#include "core/rules/kind.h"


/* returns the set of the pages that have main or article elements */
static uint64_t
dt_kind_marked(const dt_evidence_t *ev)
{
    uint32_t i;
    uint64_t marked = 0;
    const dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        marked |= e[i].flags & DT_PATTERN_MAIN ? e[i].pages : 0;
    }

    return marked;
}


/* returns whether most pages that show a pattern do not mark main content */
static int
dt_kind_bare(const dt_pattern_t *e, uint64_t marked)
{
    return __builtin_popcountll(e->pages & marked) * 2
           < __builtin_popcountll(e->pages);
}


/* returns whether the question is asked about a pattern */
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


/* keeps a pattern, and what is around a text of a page that does not mark its
   content: it must not be cut with a menu */
static void
dt_kind_keep(const dt_evidence_t *ev, const dt_pattern_t *e, int bare,
             dt_verdict_t *v)
{
    unsigned n;
    const dt_pattern_t *first = ev->patterns.elts;
    int alone = !bare || e->start || e->words < ev->rules.kind_around;

    /* evidence from Redis or a file may lead in a circle */

    for (n = 0; e != NULL && n < DT_SCAN_DEPTH; n++) {
        v[e - first].kind = 1;
        v[e - first].cut = 0;
        e = alone ? NULL : dt_evidence_around(ev, e);
    }
}


void
dt_kind_decide(const dt_evidence_t *ev, const dt_voters_t *voters,
               const dt_alike_t *alike, const dt_place_sums_t *sums,
               dt_verdict_t *v)
{
    int bare;
    uint32_t i;
    unsigned least, votes;
    uint64_t all, marked, pages = 0, weight = 0;
    const dt_rules_t *rules = &ev->rules;
    const dt_pattern_t *e = ev->patterns.elts;

    all = dt_kind_weight(alike, dt_evidence_pages(ev));
    votes = dt_rules_votes(UINT64_MAX, voters);
    marked = dt_kind_marked(ev);

    for (i = 0; i < ev->patterns.n; i++) {
        bare = dt_kind_bare(&e[i], marked);

        if (!v[i].active || !dt_kind_asked(rules, &e[i], bare)) {
            continue;
        }

        /* the pages are mostly those of the previous pattern, which is often
           in the same element */

        if (pages != e[i].pages) {
            pages = e[i].pages;
            weight = dt_kind_weight(alike, pages & dt_evidence_pages(ev));
        }

        least = bare ? rules->kind_bare : rules->kind;

        if (weight * 100 < all * least
            || (bare
                && (v[i].dir || !dt_place_repeated(&sums[e[i].place], rules))
                && dt_rules_votes(e[i].pages, voters) * 100
                       <= votes * rules->kind_own))
        {
            dt_kind_keep(ev, &e[i], bare, v);
        }
    }
}
