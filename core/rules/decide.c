
/*
 * Copyright (C) The detemplate authors
 *
 * What is template.  These questions are asked of each pattern (a subtree, or
 * text, at its place), in this order; behind each stand the fields of
 * dt_rules_t that answer it, and why it is asked.
 *
 * 1. Support: do enough pages show it?               support; alike ... (1)
 *    What two pages share may be anything; copies of a page have one vote.
 * 2. Place: of which pages may it be template?                  calm, links
 *    Of those that have its place; but where text is mostly a page's own, it
 *    has to hold for all that surrounds it.
 * 3. Share: do enough of those show it?
 *    share        What parts of a site share stands in calm places.
 *    share_low    In others it is likely to be content of a few pages.
 *    share_text   What is not links may be content wherever it stands.
 *    share_label  Headings belong to what stands below them.
 * 4. Least words: does it say enough to go alone?       words, varied_words
 *    A word or two may be said by chance; what comes a varying number of
 *    times is part of what a page says.
 * 5. Directory: does it hold without each one?                elsewhere (2)
 *    Who writes there must not have what others say cut.
 * 6. Kind: in main content, do pages of several kinds show it?
 *    The products of a shop say much that is alike.
 *                                          kind, kind_bare, kind_words (3)
 * 7. Score: what does all that is known say?        score, score_rules (4)
 *    Some answers are nearly yes, or nearly no.
 * 8. Guard: is enough left of the pages?                    stay, empty (5)
 *    A page has something to say.
 *
 * What passes the first question and the last is template as part of a larger
 * piece, which goes when all its parts do; what passes all is cut on its own.
 * Then elements whose text is mostly repeated, hollow percent, may go with
 * their parts.
 *
 * (1) alike.c, (2) quorum.c, (3) kind.c, (4) score.c, (5) guard.c;
 * all numbers are in rules.c.  Sentences are asked for when a page is served:
 * core/scan/line.c.
 */


#include "core/base/ablate.h"
#include "core/rules/alike.h"
#include "core/rules/decide.h"
#include "core/rules/kind.h"
#include "core/rules/quorum.h"
#include "core/rules/score.h"
#include "core/rules/votes.h"
#include "core/rules/write.h"


static void
dt_decide_sums(const dt_evidence_t *ev, const uint8_t *voter,
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
        repeated = dt_rules_votes(e[i].pages, voter) >= ev->rules.support;

        for (place = e[i].place; place != UINT32_MAX;
             place = places[place].parent) {
            sums[place].pages |= e[i].pages;
            sums[place].words += words;
            sums[place].repeated += repeated ? words : 0;
        }
    }
}


/* whether the text at a place is such as several pages show */
static int
dt_decide_calm(const dt_place_sums_t *g, const dt_rules_t *rules)
{
    return g->repeated * 100 >= g->words * rules->repetition;
}


/*
 * The least percent of the pages that have place *of which must show the
 * pattern.  Inside of an element whose text is mostly a page's own the
 * pattern is likely to be content that a few pages share, unless the detector
 * found it at corresponding places.  For links the nearest such element
 * counts; in what stands aside of content, only the one they are in.
 * Headings and the like belong to what stands below them: most pages of the
 * site must show them.
 */
static unsigned
dt_decide_share(const dt_evidence_t *ev, const dt_place_sums_t *sums,
                const dt_pattern_t *e, uint32_t *of)
{
    uint32_t up;
    const dt_rules_t *rules = &ev->rules;
    unsigned share = rules->share;
    const dt_evidence_place_t *places = ev->places.elts;

    if (e->flags & DT_PATTERN_LABEL) {
        *of = UINT32_MAX;
        return rules->share_label;
    }

    for (up = *of; up != UINT32_MAX; up = places[up].parent) {
        if (!dt_decide_calm(&sums[up], rules)) {
            *of = up;

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


/* words that a pattern must have to be cut where nothing else is */
static unsigned
dt_decide_least(const dt_rules_t *rules, const dt_pattern_t *e, int calm)
{
    int links = (e->flags & DT_PATTERN_LINKS) != 0;

    if ((e->flags & DT_PATTERN_VARIES) && !(calm && links)) {
        return rules->varied_words;
    }

    /* links have a word at least */

    return calm || links ? 0 : rules->words;
}


/* whether a pattern is template, and where it is cut on its own */
static void
dt_decide_active(dt_evidence_t *ev, const uint8_t *voter,
                 const dt_place_sums_t *sums, const dt_pattern_t *e,
                 dt_verdict_t *v)
{
    int calm, links = (e->flags & DT_PATTERN_LINKS) != 0;
    uint32_t of;
    uint64_t pages;
    unsigned votes, share;
    dt_quorum_dir_t *dir;
    const dt_rules_t *rules = &ev->rules;
    const dt_evidence_place_t *places = ev->places.elts;

    votes = dt_rules_votes(e->pages, voter);

    if (votes < rules->support) {
        return;
    }

    v->active = 1;

    of = places[e->place].parent;
    calm = of != UINT32_MAX && dt_decide_calm(&sums[of], rules);
    share = dt_decide_share(ev, sums, e, &of);
    pages = of == UINT32_MAX ? UINT64_MAX : sums[of].pages;

    if (votes * 100 < dt_rules_votes(pages, voter) * share) {
        return;
    }

    if (!links
        && votes * 100 < dt_rules_votes(UINT64_MAX, voter) * rules->share_text)
    {
        return;
    }

    if (e->words < dt_decide_least(rules, e, calm)) {
        return;
    }

    /* lists of links aside of content are not what anybody says */

    dir = links && (e->flags & DT_PATTERN_ASIDE)
              ? &ev->dirs[0]
              : dt_quorum(ev, voter, e->pages, pages, share);

    if (dir == NULL) {
        return;
    }

    v->dir = (uint8_t) dt_quorum_number(ev, dir);

    if (v->dir || dir->hash == 0) {
        v->cut = e->pages & dir->pages;
    }
}


/* where ev->traces is set: what is cut no more was lost by the last question
 */
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


/* asks all questions of each pattern */
static dt_status_t
dt_decide_verdicts(dt_evidence_t *ev, const uint8_t *voter,
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
            dt_decide_active(ev, voter, sums, &e[i], &v[i]);
        }
    }

    dt_decide_trace(ev, v, DT_QUESTION_RULES);

    if (ev->rules.kind) {
        dt_kind_decide(ev, alike, v);
        dt_decide_trace(ev, v, DT_QUESTION_KIND);
    }

    if (ev->rules.score && dt_score_decide(ev, voter, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_SCORE);

    if (dt_guard(ev, voter, v) != DT_OK) {
        return DT_ENOMEM;
    }

    dt_decide_trace(ev, v, DT_QUESTION_GUARD);

    return DT_OK;
}


dt_status_t
dt_decide(dt_evidence_t *ev, dt_tables_t *t)
{
    uint8_t voter[DT_PAGES_MAX];
    dt_alike_t alike;
    dt_verdict_t *v;
    dt_place_sums_t *sums;

    dt_alike(ev, voter, &alike);

    if (dt_quorum_init(ev, voter) != DT_OK) {
        return DT_ENOMEM;
    }

    sums =
        dt_arena_calloc(ev->arena, ev->places.n + 1, sizeof(dt_place_sums_t));
    v = dt_arena_calloc(ev->arena, ev->patterns.n + 1, sizeof(dt_verdict_t));
    if (v == NULL || sums == NULL) {
        return DT_ENOMEM;
    }

    dt_decide_sums(ev, voter, sums);

    if (dt_decide_verdicts(ev, voter, &alike, sums, v) != DT_OK) {
        return DT_ENOMEM;
    }

    t->verdicts = v;

    return dt_write(ev, voter, sums, t);
}
