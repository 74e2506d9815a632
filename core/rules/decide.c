
/*
 * Copyright (C) The detemplate authors
 *
 * Decides which patterns (subtrees and texts at a place) are template, by
 * questions about each of them.  The questions are asked in this order; those
 * that protect content come last, so that nothing overrules them.  At the
 * right stand the fields of dt_rules_t that a question uses, and below why it
 * is asked.
 *
 * 1. Support: do enough pages show it?     support, support_votes; alike (1)
 *    Two pages may share anything.  Copies of a page have one vote.
 * 2. Score: what do all facts say together?           score, score_main (2)
 *    Each fact alone is nearly yes, or nearly no.  More is asked for in the
 *    main region.  A pattern without words must be on most pages that have its
 *    place (place).
 * 3. Share: do enough pages show it, or is it of a directory?
 *                                               share, sampled, outside (3)
 *    An author must not have the content of others cut.  His pages are a small
 *    part of a random sample of the site, or they are in one directory.
 * 4. Kind: in the main region, do pages of several kinds show it?
 *                                                          kind, region (4)
 *    The products of a shop share much of their content.
 * 5. Guard: does enough remain of the pages?              remain, empty (5)
 *    Nearly each page has content.
 * 6. Slot: in the main region, do nearly all pages that have its place show
 *    it?                                                    slot, region (4)
 *    Many records have one value in one field.
 *
 * A pattern that passes the first question and the guard is active: it is cut
 * as part of a larger one when all parts of that are cut.  A pattern that
 * passes all questions is also cut alone.  Last, elements whose text is mostly
 * repeated (wrapper percent) are cut when all their content is cut.
 *
 * (1) alike.c, (2) score.c, (3) quorum.c, (4) below, (5) guard.c; rules.c has
 * all numbers.  Whether a cut would tear a sentence, a list or a table is
 * asked for each page that is served: core/scan/line.c and unit.c.
 */


#include "core/rules/decide.h"
#include "core/rules/alike.h"
#include "core/rules/guard.h"
#include "core/rules/quorum.h"
#include "core/rules/score.h"


/* the most elements at the place of a region that differ, in percent of its
   pages */
#define DT_DECIDE_REGION 150


/* returns the weight of a set of pages, in thousandths of a page that shares
   nothing with others */
static uint64_t
dt_decide_weight(const dt_alike_t *alike, uint64_t pages)
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


/*
 * Pages of one kind share a part of their words: the products of a shop share
 * the terms of delivery, the lists of a blog share the latest posts.  They are
 * not alike, so each has a vote, and a site may have hardly any other pages.
 * But their votes prove less than those of pages that share nothing.  If n
 * pages share the part s of their words, their weight is the following, as in
 * the design effect of clusters (L. Kish, "Survey Sampling", 1965, section
 * 8.2):
 *
 *     n / (1 + (n - 1) s)
 *
 * In the main region, the pages that show a pattern must have a good part of
 * the weight of all pages: a few authors may quote one text.  Outside of it,
 * and where only names tell the region, a section may have a menu of its own.
 *
 * The verdicts of others are not to be cut, but stay active: as part of a
 * larger pattern they may be cut.
 */
static void
dt_decide_kind(const dt_evidence_t *ev, const dt_alike_t *alike,
               const dt_place_sums_t *sums, dt_verdict_t *v)
{
    uint32_t i;
    uint64_t all, pages = 0, weight = 0;
    const dt_pattern_t *e = ev->patterns.elts;

    all = dt_decide_weight(alike, dt_evidence_pages(ev));

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].cut
            || !((e[i].flags & DT_PATTERN_MAIN)
                 || dt_rules_is_data(sums, &e[i])))
        {
            continue;
        }

        /* mostly the pages are the same as of the previous pattern, which is
           often in the same element */

        if (pages != e[i].pages) {
            pages = e[i].pages;
            weight = dt_decide_weight(alike, pages & dt_evidence_pages(ev));
        }

        if (weight * 100 < all * ev->rules.kind) {
            v[i].cut = 0;
        }
    }
}


/* sets the sums of each place, from the patterns at it and below it */
static void
dt_decide_sums(const dt_evidence_t *ev, const dt_voters_t *voters,
               dt_place_sums_t *sums)
{
    uint32_t i, place;
    uint64_t words;
    int repeated;
    const dt_pattern_t *e = ev->patterns.elts;
    const dt_evidence_place_t *places = ev->places.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        words = e[i].start
                    ? 0
                    : e[i].words * (uint64_t) __builtin_popcountll(e[i].pages);
        repeated = dt_rules_votes(e[i].pages, voters) >= ev->rules.support;

        if (e[i].start && !repeated) {
            sums[e[i].named].own += (uint64_t) __builtin_popcountll(e[i].pages)
                                    * e[i].count
                                    * (e[i].merged ? e[i].merged : 1u);
            sums[e[i].named].own_pages |= e[i].pages;
        }

        for (place = e[i].place; place != UINT32_MAX;
             place = places[place].parent) {
            sums[place].pages |= e[i].pages;
            sums[place].words += words;
            sums[place].repeated += repeated ? words : 0;
        }

        for (place = e[i].named; place != UINT32_MAX;
             place = places[place].parent) {
            sums[place].inside |= place != e[i].named;
            sums[place].said +=
                repeated || (e[i].flags & DT_PATTERN_LINKS) ? 0 : words;
        }
    }
}


/* whether a place is a region: it contains other places, and pages mostly have
   a single one of the elements that differ there, while they have several
   paragraphs; where no element is known, the scanner could not find its end */
static int
dt_decide_is_region(const dt_place_sums_t *s)
{
    return s->inside
           && s->own * 100 <= (uint64_t) __builtin_popcountll(s->own_pages)
                                  * DT_DECIDE_REGION;
}


/*
 * Sets which named places are in the main region of the site's pages: the
 * smallest region that holds most of the text that pages do not share.  Pages
 * made of div elements have much at the same path that only names tell apart.
 */
static void
dt_decide_main(const dt_evidence_t *ev, dt_place_sums_t *sums)
{
    uint32_t i, main = UINT32_MAX;
    uint64_t all = 0;
    const dt_evidence_place_t *places = ev->places.elts;

    for (i = 0; i < ev->places.n; i++) {
        all += places[i].parent == UINT32_MAX ? sums[i].said : 0;
    }

    /* a place comes after the one around it */

    for (i = 0; i < ev->places.n; i++) {
        if (places[i].kind == DT_PLACE_NAMED && places[i].parent == main
            && sums[i].said * 100 >= all * ev->rules.region
            && dt_decide_is_region(&sums[i]))
        {
            main = i;
        }
    }

    for (i = 0; i < ev->places.n; i++) {
        sums[i].main =
            i == main
            || (places[i].parent != UINT32_MAX && sums[places[i].parent].main);
    }
}


/*
 * A place with different texts on different pages is a slot, and its values
 * are data, even if one is frequent.  So in the main region, a pattern is cut
 * alone only if nearly all pages that have its place show it, or if too few
 * pages show another to prove a slot.
 */
static void
dt_decide_slots(const dt_evidence_t *ev, const dt_voters_t *voters,
                const dt_place_sums_t *sums, dt_verdict_t *v)
{
    uint32_t i;
    unsigned votes, all;
    const dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        if (!v[i].cut || !dt_rules_is_data(sums, &e[i])) {
            continue;
        }

        votes = dt_rules_votes(e[i].pages, voters);
        all = dt_rules_votes(sums[e[i].place].pages, voters);

        if (votes * 100 < all * ev->rules.slot
            && votes + ev->rules.support <= all) {
            v[i].cut = 0;
        }
    }
}


/* asks question 1, and question 2 of patterns without words */
static void
dt_decide_pattern(const dt_evidence_t *ev, const dt_voters_t *voters,
                  const dt_place_sums_t *sums, const dt_pattern_t *e,
                  dt_verdict_t *v)
{
    uint32_t up;
    unsigned votes, all;
    const dt_evidence_place_t *places = ev->places.elts;

    if (places[e->place].path == DT_EVIDENCE_REST) {
        return;
    }

    votes = dt_rules_votes(e->pages, voters);
    v->active = votes >= ev->rules.support;

    /* in main content, no fact tells whether a picture is template */

    if (v->active && e->words == 0 && !(e->flags & DT_PATTERN_MAIN)) {
        up = places[e->place].parent;
        all = dt_rules_votes(up == UINT32_MAX ? UINT64_MAX : sums[up].pages,
                             voters);
        v->cut = votes * 100 >= all * ev->rules.place ? e->pages : 0;
    }
}


/* asks question 3 of a pattern that may be cut: sets the pages on which it is
   cut alone */
static void
dt_decide_directory(dt_evidence_t *ev, const dt_voters_t *voters,
                    const dt_pattern_t *e, dt_verdict_t *v)
{
    dt_quorum_dir_t *dir;

    dir = dt_quorum(ev, voters, e->pages);
    v->cut = 0;

    if (dir == NULL
        || (dir->hash == 0
            && dt_rules_votes(e->pages, voters) * 100
                   < dt_rules_votes(UINT64_MAX, voters) * ev->rules.share))
    {
        return;
    }

    v->dir = (uint8_t) dt_quorum_number(ev, dir);

    if (v->dir || dir->hash == 0) {
        v->cut = e->pages & dir->pages;
    }
}


/* if ev->traces is set, notes the question in the trace of each pattern that
   was cut before it, or asked first, and is not cut after it */
static void
dt_decide_trace(dt_evidence_t *ev, const dt_verdict_t *v,
                dt_question_t question)
{
    uint32_t i;
    dt_score_trace_t *traces = ev->traces;

    for (i = 0; traces != NULL && i < ev->patterns.n; i++) {
        if (v[i].cut) {
            traces[i].question = DT_QUESTION_NONE;

        } else if (question == DT_QUESTION_SCORE && !v[i].active) {
            traces[i].question = DT_QUESTION_SUPPORT;

        } else if (traces[i].question == DT_QUESTION_NONE) {
            traces[i].question = (uint8_t) question;
        }
    }
}


/* asks all questions about each pattern */
static dt_status_t
dt_decide_verdicts(dt_evidence_t *ev, const dt_voters_t *voters,
                   const dt_alike_t *alike, const dt_place_sums_t *sums,
                   dt_verdict_t *v)
{
    uint32_t i;
    const dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        dt_decide_pattern(ev, voters, sums, &e[i], &v[i]);
    }

    if (dt_score_decide(ev, voters, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_SCORE);

    for (i = 0; i < ev->patterns.n; i++) {
        if (v[i].cut) {
            dt_decide_directory(ev, voters, &e[i], &v[i]);
        }
    }

    dt_decide_trace(ev, v, DT_QUESTION_SHARE);

    if (ev->rules.kind) {
        dt_decide_kind(ev, alike, sums, v);
    }

    dt_decide_trace(ev, v, DT_QUESTION_KIND);

    if (dt_guard(ev, voters, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_GUARD);

    dt_decide_slots(ev, voters, sums, v);
    dt_guard_removed(ev, v);
    dt_decide_trace(ev, v, DT_QUESTION_SLOT);

    return DT_OK;
}


dt_status_t
dt_decide(dt_evidence_t *ev, dt_tables_t *t)
{
    dt_voters_t voters;
    dt_alike_t alike;
    dt_verdict_t *v;
    dt_place_sums_t *sums;

    dt_alike(ev, &voters, &alike);

    /* a larger sample has more pages of one author */

    ev->rules.support =
        dt_rules_support(&ev->rules, dt_rules_votes(UINT64_MAX, &voters));

    if (dt_quorum_init(ev, &voters) != DT_OK) {
        return DT_ENOMEM;
    }

    sums =
        dt_arena_calloc(ev->arena, ev->places.n + 1, sizeof(dt_place_sums_t));
    v = dt_arena_calloc(ev->arena, ev->patterns.n + 1, sizeof(dt_verdict_t));
    if (v == NULL || sums == NULL) {
        return DT_ENOMEM;
    }

    dt_decide_sums(ev, &voters, sums);
    dt_decide_main(ev, sums);

    if (dt_decide_verdicts(ev, &voters, &alike, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    t->verdicts = v;

    return dt_write(ev, &voters, sums, t);
}
