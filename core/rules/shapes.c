
/*
 * Copyright (C) The detemplate authors
 *
 * Some parts around the content are made for each page: links to the previous
 * and the next page, breadcrumbs, a footer with a date.  No two pages have the
 * same text there, but its shape repeats.  Most pages have, at one place, an
 * element that calls itself navigation and is made of links, or one that calls
 * itself aside or footer (core/scan/shape.c).
 *
 * The shape alone would also be found on a site that puts its articles there.
 * So nearly all of the text that no other page repeats, which is the content
 * of the site, must be outside of these elements.  Elements in main and
 * article never count, since pages list their subjects there.
 *
 * Each comment, or each post of a list, may have a footer of its own.  An
 * element that stands several times at one place of a page does not belong to
 * the page's frame.  Links to other pages may stand above and below the
 * content.
 *
 * Only the bold cut uses the result.
 */


#include "core/rules/shapes.h"
#include "core/rules/quorum.h"


/* returns the words of a pattern, times the number of pages that show it, if
   it has no support; else 0 */
static uint64_t
dt_shapes_unique(const dt_evidence_t *ev, const dt_voters_t *voters,
                 const dt_pattern_t *e)
{
    return dt_rules_votes(e->pages, voters) < ev->rules.support
               ? e->words * (uint64_t) __builtin_popcountll(e->pages)
               : 0;
}


/* adds a pattern to the shape of this kind at its place */
static dt_status_t
dt_shapes_add(dt_evidence_t *ev, const dt_voters_t *voters, dt_index_t *shapes,
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
    s->again |= e->count > 1 ? e->pages : s->pages & e->pages;
    s->pages |= e->pages;
    s->unique += dt_shapes_unique(ev, voters, e);
    s->kind = (uint8_t) kind;
    s->words = e->words > s->words ? e->words : s->words;

    return DT_OK;
}


/* returns whether enough pages have several elements of one shape: each of
   these belongs to a part of the page, such as a comment */
static int
dt_shapes_several(const dt_evidence_t *ev, const dt_voters_t *voters,
                  const dt_shape_t *s)
{
    return s->kind == DT_SHAPE_BESIDE && s->again
           && dt_rules_votes(s->again, voters) * 100
                  >= dt_rules_votes(s->pages, voters) * ev->rules.shape_again;
}


/* decides about a shape; unique: words of all texts without support */
static void
dt_shapes_decide(dt_evidence_t *ev, const dt_voters_t *voters, uint64_t unique,
                 dt_shape_t *s)
{
    unsigned votes = dt_rules_votes(s->pages, voters);
    dt_quorum_dir_t *dir;
    const dt_rules_t *rules = &ev->rules;

    if (votes < rules->support
        || votes * 100 < dt_rules_votes(UINT64_MAX, voters) * rules->shape
        || s->unique * 100 > unique * rules->shape_unique
        || dt_shapes_several(ev, voters, s))
    {
        return;
    }

    dir = dt_quorum(ev, voters, s->pages);

    if (dir != NULL) {
        s->dir = (uint8_t) dt_quorum_number(ev, dir);
        s->cut = s->dir || dir->hash == 0;
    }
}


dt_status_t
dt_shapes(dt_evidence_t *ev, const dt_voters_t *voters, dt_index_t *shapes)
{
    uint32_t i;
    uint64_t unique = 0;
    dt_shape_t *s;
    const dt_pattern_t *e = ev->patterns.elts;

    if (dt_index_init(shapes, sizeof(dt_shape_t), ev->arena) != DT_OK) {
        return DT_ENOMEM;
    }

    for (i = 0; i < ev->patterns.n; i++) {
        unique += e[i].start ? 0 : dt_shapes_unique(ev, voters, &e[i]);

        if (e[i].pages == 0 || e[i].flags & DT_PATTERN_MAIN) {
            continue;
        }

        if ((e[i].flags & DT_PATTERN_NAV
             && dt_shapes_add(ev, voters, shapes, &e[i], DT_SHAPE_NAV))
            || (e[i].flags & DT_PATTERN_BESIDE
                && dt_shapes_add(ev, voters, shapes, &e[i], DT_SHAPE_BESIDE)))
        {
            return DT_ENOMEM;
        }
    }

    s = shapes->elts;

    for (i = 0; i < shapes->n; i++) {
        dt_shapes_decide(ev, voters, unique, &s[i]);
    }

    return DT_OK;
}
