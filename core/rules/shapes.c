
/*
 * Copyright (C) The detemplate authors
 *
 * Some of what surrounds content is made for each page, so that no two pages
 * say the same there: links to the page before and to the next one,
 * breadcrumbs, a footer with a date.  What repeats is its shape: most pages
 * have, at one place, an element that calls itself navigation and is made of
 * links, or one that calls itself aside or footer (core/scan/shape.c).
 *
 * That alone would also hold for a site that puts its articles there.  So of
 * the text that no other pages repeat, which is what a site has to say, nearly
 * all must be elsewhere.  And none of it counts in main and article elements,
 * where pages list what they are about.
 *
 * Whoever asks for no more than what is repeated word for word does not see
 * any of this.
 */


#include "core/rules/quorum.h"
#include "core/rules/shapes.h"
#include "core/rules/votes.h"


unsigned
dt_shapes_flags(unsigned shape, int links)
{
    return (shape & DT_SHAPE_NAV && links ? DT_PATTERN_NAV : 0u)
           | (shape & DT_SHAPE_BESIDE ? DT_PATTERN_BESIDE : 0u);
}


/* words of a pattern, times the pages that show it, when those are few */
static uint64_t
dt_shapes_own(const dt_evidence_t *ev, const uint8_t *voter,
              const dt_pattern_t *e)
{
    return dt_rules_votes(e->pages, voter) < ev->rules.support
               ? e->words * (uint64_t) __builtin_popcountll(e->pages)
               : 0;
}


static dt_status_t
dt_shapes_add(dt_evidence_t *ev, const uint8_t *voter, dt_index_t *shapes,
              const dt_pattern_t *e, unsigned kind)
{
    dt_shape_t *s;
    const dt_evidence_place_t *places = ev->places.elts;

    s = dt_index_get(shapes, dt_key_shape(places[e->place].path, kind),
                     UINT32_MAX, ev->arena);
    if (s == NULL) {
        return DT_ENOMEM;
    }

    s->place = e->place;
    s->pages |= e->pages;
    s->own += dt_shapes_own(ev, voter, e);
    s->words = e->words > s->words ? e->words : s->words;

    return DT_OK;
}


static void
dt_shapes_decide(dt_evidence_t *ev, const uint8_t *voter, uint64_t own,
                 dt_shape_t *s)
{
    unsigned votes = dt_rules_votes(s->pages, voter);
    dt_quorum_dir_t *dir;
    const dt_rules_t *rules = &ev->rules;

    if (votes < rules->support
        || votes * 100 < dt_rules_votes(UINT64_MAX, voter) * rules->shape
        || s->own * 100 > own * rules->shape_unique)
    {
        return;
    }

    dir = dt_quorum(ev, voter, s->pages, UINT64_MAX, rules->shape);

    if (dir != NULL) {
        s->dir = (uint8_t) dt_quorum_number(ev, dir);
        s->cut = s->dir || dir->hash == 0;
    }
}


dt_status_t
dt_shapes(dt_evidence_t *ev, const uint8_t *voter, dt_index_t *shapes)
{
    uint32_t i;
    uint64_t own = 0;
    dt_shape_t *s;
    const dt_pattern_t *e = ev->patterns.elts;

    if (dt_index_init(shapes, sizeof(dt_shape_t), ev->arena) != DT_OK) {
        return DT_ENOMEM;
    }

    for (i = 0; i < ev->patterns.n; i++) {
        own += e[i].start ? 0 : dt_shapes_own(ev, voter, &e[i]);

        if (e[i].pages == 0 || e[i].flags & DT_PATTERN_MAIN) {
            continue;
        }

        if ((e[i].flags & DT_PATTERN_NAV
             && dt_shapes_add(ev, voter, shapes, &e[i], DT_SHAPE_NAV))
            || (e[i].flags & DT_PATTERN_BESIDE
                && dt_shapes_add(ev, voter, shapes, &e[i], DT_SHAPE_BESIDE)))
        {
            return DT_ENOMEM;
        }
    }

    s = shapes->elts;

    for (i = 0; i < shapes->n; i++) {
        dt_shapes_decide(ev, voter, own, &s[i]);
    }

    return DT_OK;
}
