
/*
 * Copyright (C) The detemplate authors
 *
 * Decides what is template, by questions about each pattern (a subtree or a
 * text at a place).  The questions are asked in this order.  At the right
 * stand the fields of dt_rules_t that a question uses, and below why it is
 * asked.
 *
 * 1. Support: do enough pages show it?              support; alike ... (1)
 *    Two pages may share anything.  Copies of a page have one vote.
 * 2. Place: which pages count for the share?             repetition, links
 *    Those that have the place of the pattern.  In an element whose text is
 *    mostly a page's own, those that have that element.
 * 3. Share: do enough of those pages show it?
 *    share        At a repeated place, sections of a site share a menu.
 *    share_low    At other places a few pages may share content.
 *    share_text   Text that is not made of links may be content anywhere.
 *    share_label  A heading belongs to the content below it.
 * 4. Least words: is it long enough to be cut alone?   words, varied_words
 *    Pages may share a word or two by chance.  A pattern that a page shows a
 *    varying number of times is often a part of its content.
 * 5. Directory: is it template without any one directory?      outside (2)
 *    An author of one directory must not have the content of others cut.
 * 6. Kind: in main content, do pages of several kinds show it?
 *    The products of a shop share much of their content.
 *         kind, kind_bare, kind_own, kind_around, kind_words (3)
 * 7. Score: what do all facts say together?         score, score_rules (4)
 *    Some answers to the questions above are nearly yes, or nearly no.
 * 8. Guard: does enough remain of the pages?             remain, empty (5)
 *    Nearly each page has content.
 *
 * A pattern that passes the first question and the guard is active: it is cut
 * as part of a larger one when all parts of that are cut.  A pattern that
 * passes all questions is also cut alone.  Last, elements whose text is mostly
 * repeated (wrapper percent) are cut when all that they contain is cut.
 *
 * (1) alike.c, (2) quorum.c, (3) kind.c, (4) score.c, (5) guard.c; rules.c has
 * all numbers.  Whether a cut would tear a sentence is asked for each page
 * that is served: core/scan/line.c.
 */


#include "core/base/ablate.h"
#include "core/rules/alike.h"
#include "core/rules/decide.h"
#include "core/rules/kind.h"
#include "core/rules/quorum.h"
#include "core/rules/score.h"
#include "core/rules/votes.h"
#include "core/rules/write.h"


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

        for (place = e[i].place; place != UINT32_MAX;
             place = places[place].parent) {
            sums[place].pages |= e[i].pages;
            sums[place].words += words;
            sums[place].repeated += repeated ? words : 0;
        }
    }
}


/*
 * Returns the least percentage of the pages with place *scope that must show
 * the pattern.  *scope comes as the place around the pattern, and becomes the
 * outermost place whose text is mostly a page's own; UINT32_MAX: all pages
 * count.  Within such a place the pattern is likely to be content that a few
 * pages share, unless the detector found it.  For links the search ends at the
 * nearest such place; in nav and aside, at the place around them.  A heading
 * belongs to the content below it, so most pages of the site must show it.
 */
static unsigned
dt_decide_share(const dt_evidence_t *ev, const dt_place_sums_t *sums,
                const dt_pattern_t *e, uint32_t *scope)
{
    uint32_t up;
    const dt_rules_t *rules = &ev->rules;
    unsigned share = rules->share;
    const dt_evidence_place_t *places = ev->places.elts;

    if (e->flags & DT_PATTERN_LABEL) {
        *scope = UINT32_MAX;
        return rules->share_label;
    }

    for (up = *scope; up != UINT32_MAX; up = places[up].parent) {
        if (!dt_place_repeated(&sums[up], rules)) {
            *scope = up;

            if (!(e->flags & DT_PATTERN_DETECTED)) {
                share = rules->share_low;
            }

            if (e->flags & DT_PATTERN_LINKS) {
                break;
            }
        }

        if ((e->flags & DT_PATTERN_LINKS) && (e->flags & DT_PATTERN_ASIDE)) {
            break;
        }
    }

    return share;
}


/* returns the number of words that a pattern needs to be cut alone; repeated:
   most text at the place around it is repeated */
static unsigned
dt_decide_least(const dt_rules_t *rules, const dt_pattern_t *e, int repeated)
{
    int links = (e->flags & DT_PATTERN_LINKS) != 0;

    if ((e->flags & DT_PATTERN_VARIES) && !(repeated && links)) {
        return rules->varied_words;
    }

    /* of pictures and the like in main content, nothing says what they show */

    if (e->words == 0 && (e->flags & DT_PATTERN_MAIN)) {
        return rules->words;
    }

    /* a link has at least one word */

    return repeated || links ? 0 : rules->words;
}


/* if ev->traces is set, notes which of the questions a pattern failed */
static void
dt_decide_fail(const dt_evidence_t *ev, const dt_pattern_t *e, dt_rule_t rule,
               unsigned has, unsigned needs)
{
    dt_score_trace_t *trace;

    if (ev->traces != NULL) {
        trace = &ev->traces[e - (const dt_pattern_t *) ev->patterns.elts];
        trace->rule = (uint8_t) rule;
        trace->has = (uint16_t) has;
        trace->needs = (uint16_t) needs;
    }
}


/* sets the verdict by questions 1 to 5: whether the pattern is active, and on
   which pages it is cut alone */
static void
dt_decide_pattern(dt_evidence_t *ev, const dt_voters_t *voters,
                  const dt_place_sums_t *sums, const dt_pattern_t *e,
                  dt_verdict_t *v)
{
    int repeated, links = (e->flags & DT_PATTERN_LINKS) != 0;
    uint32_t scope;
    uint64_t pages;
    unsigned votes, share, all, least;
    dt_quorum_dir_t *dir;
    const dt_rules_t *rules = &ev->rules;
    const dt_evidence_place_t *places = ev->places.elts;

    votes = dt_rules_votes(e->pages, voters);

    if (votes < rules->support) {
        return;
    }

    v->active = 1;

    scope = places[e->place].parent;
    repeated = scope != UINT32_MAX && dt_place_repeated(&sums[scope], rules);
    share = dt_decide_share(ev, sums, e, &scope);
    pages = scope == UINT32_MAX ? UINT64_MAX : sums[scope].pages;

    all = dt_rules_votes(pages, voters);

    if (votes * 100 < all * share) {
        dt_decide_fail(ev, e, DT_RULE_PLACE, votes * 100 / all, share);
        return;
    }

    all = dt_rules_votes(UINT64_MAX, voters);

    if (!links && votes * 100 < all * rules->share_text) {
        dt_decide_fail(ev, e, DT_RULE_SITE, votes * 100 / all,
                       rules->share_text);
        return;
    }

    least = dt_decide_least(rules, e, repeated);

    if (e->words < least) {
        dt_decide_fail(ev, e, DT_RULE_WORDS, e->words, least);
        return;
    }

    /* lists of links in nav and aside are exempt from question 5: authors do
       not write content there */

    dir = links && (e->flags & DT_PATTERN_ASIDE)
              ? &ev->dirs[0]
              : dt_quorum(ev, voters, e->pages, pages, share);

    if (dir == NULL) {
        dt_decide_fail(ev, e, DT_RULE_DIRECTORY, 0, 0);
        return;
    }

    v->dir = (uint8_t) dt_quorum_number(ev, dir);

    if (v->dir || dir->hash == 0) {
        v->cut = e->pages & dir->pages;
    }
}


/* if ev->traces is set, notes the question in the trace of each pattern that
   was cut before it and is not cut after it */
static void
dt_decide_trace(dt_evidence_t *ev, const dt_verdict_t *v,
                dt_question_t question)
{
    uint32_t i;
    dt_score_trace_t *traces = ev->traces;

    for (i = 0; traces != NULL && i < ev->patterns.n; i++) {
        if (v[i].cut) {
            traces[i].question = DT_QUESTION_NONE;

        } else if (question == DT_QUESTION_RULES && !v[i].active) {
            traces[i].question = DT_QUESTION_SUPPORT;

        } else if (question == DT_QUESTION_SCORE
                       ? traces[i].scored
                       : traces[i].question == DT_QUESTION_NONE)
        {
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
        if (DT_ABLATE(published)) {
            v[i].active = (e[i].flags & DT_PATTERN_DETECTED) != 0;
            v[i].cut = v[i].active ? e[i].pages : 0;

        } else {
            dt_decide_pattern(ev, voters, sums, &e[i], &v[i]);
        }
    }

    dt_decide_trace(ev, v, DT_QUESTION_RULES);

    if (ev->rules.kind) {
        dt_kind_decide(ev, voters, alike, sums, v);
        dt_decide_trace(ev, v, DT_QUESTION_KIND);
    }

    if (ev->rules.score && dt_score_decide(ev, voters, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_SCORE);

    if (dt_guard(ev, voters, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_GUARD);

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

    if (dt_decide_verdicts(ev, &voters, &alike, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    t->verdicts = v;

    return dt_write(ev, &voters, sums, t);
}
