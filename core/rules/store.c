
/*
 * Copyright (C) The detemplate authors
 *
 * Most patterns are the content of a single page.  Too few pages show them for
 * any question to be asked.  Only two facts about them count: the number of
 * words at their place on each page, and their keys, as another page may show
 * them later.  So the patterns at one place that the same pages show become a
 * group: one pattern with all their words.  Of each pattern half of the key is
 * kept, by which a later page finds it again, see dt_evidence_seen().
 *
 * An element keeps its start tag if others have the same tag, which tells the
 * pages that have this element with other content, see dt_write_wrappers().
 * One that may be cut by its shape is stored as it is.
 */


#include "core/rules/store.h"


#define DT_STORE_NONE UINT32_MAX

/* flags that all patterns of a group have in common */
#define DT_STORE_GROUP (DT_PATTERN_MAIN | DT_PATTERN_LINKS)

/* flags that a group does not keep */
#define DT_STORE_FLAGS                                                        \
    (DT_PATTERN_SHAPE | DT_PATTERN_DETECTED | DT_PATTERN_VARIES)


/* the number of patterns with a start tag */
typedef struct {
    uint64_t key; /* of the start tag */
    uint32_t n;
} dt_store_start_t;

typedef struct {
    const dt_evidence_t *ev;
    dt_stored_t *out;
    uint32_t nwhole;    /* patterns that are stored as they are */
    dt_index_t groups;  /* dt_pattern_t */
    dt_index_t starts;  /* dt_store_start_t */
    uint32_t *group_of; /* of each pattern, the number that its group is
                           stored with; or DT_STORE_NONE */
} dt_store_t;


/* whether a pattern is stored as it is, if there is room */
static int
dt_store_whole(const dt_evidence_t *ev, const dt_pattern_t *e)
{
    return e->pages && e->merged == 0
           && ((unsigned) __builtin_popcountll(e->pages) >= ev->rules.support
               || e->flags & DT_STORE_FLAGS);
}


static dt_status_t
dt_store_starts(dt_store_t *st)
{
    uint32_t i;
    dt_store_start_t *s;
    const dt_evidence_t *ev = st->ev;
    const dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        if (e[i].start && e[i].pages) {
            s = dt_index_get(&st->starts, e[i].start, UINT32_MAX, ev->arena);
            if (s == NULL) {
                return DT_ENOMEM;
            }

            s->n++;
        }
    }

    return DT_OK;
}


/* adds a pattern to its group; returns the number that this is stored with, or
   DT_STORE_NONE when there is no room for another one */
static uint32_t
dt_store_add(dt_store_t *st, const dt_pattern_t *e)
{
    int shared;
    uint32_t words;
    uint64_t key;
    const dt_store_start_t *s;
    dt_pattern_t *group;
    const dt_evidence_place_t *places = st->ev->places.elts;

    s = e->start ? dt_index_find(&st->starts, e->start) : NULL;
    shared = s != NULL && s->n > 1;

    key = dt_mix(places[e->place].path + places[e->named].path, e->pages);
    key = dt_mix(key + (e->flags & DT_STORE_GROUP) * 256u + e->count,
                 shared ? e->start : 0)
          + (e->start != 0);

    group = dt_index_get(&st->groups, key, DT_STORE_GROUPS, st->ev->arena);
    if (group == NULL) {
        return DT_STORE_NONE;
    }

    words = (uint32_t) group->words + e->words;

    group->start = shared ? e->start : e->start ? key | 1 : 0;
    group->pages = e->pages;
    group->place = e->place;
    group->named = e->named;
    group->flags = e->flags & DT_STORE_GROUP;
    group->count = e->count;
    group->words = (uint16_t) (words < UINT16_MAX ? words : UINT16_MAX);
    words = group->merged + (e->merged ? e->merged : 1u);
    group->merged = (uint16_t) (words < UINT16_MAX ? words : UINT16_MAX);

    return st->nwhole + (uint32_t) (group - (dt_pattern_t *) st->groups.elts);
}


/* sets the patterns to store: those that are stored as they are come first */
static dt_status_t
dt_store_patterns(dt_store_t *st)
{
    uint32_t i, n = 0;
    dt_stored_t *out = st->out;
    const dt_evidence_t *ev = st->ev;
    const dt_pattern_t *e = ev->patterns.elts;

    out->patterns =
        dt_arena_calloc(ev->arena, DT_STORE_PATTERNS, sizeof(dt_pattern_t));
    if (out->patterns == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < ev->patterns.n && n < DT_STORE_PATTERNS - DT_STORE_GROUPS;
         i++) {
        if (dt_store_whole(ev, &e[i])) {
            out->patterns[n++] = e[i];
        }
    }

    st->nwhole = n;

    for (i = 0, n = 0; i < ev->patterns.n; i++) {
        if (n < st->nwhole && dt_store_whole(ev, &e[i])) {
            st->group_of[i] = DT_STORE_NONE;
            n++;

        } else {
            st->group_of[i] =
                e[i].pages ? dt_store_add(st, &e[i]) : DT_STORE_NONE;
        }
    }

    out->npatterns = n + st->groups.n;
    memcpy(out->patterns + n, st->groups.elts,
           st->groups.n * sizeof(dt_pattern_t));

    return DT_OK;
}


/* notes that a place is stored, and those around it */
static void
dt_store_place(const dt_evidence_t *ev, uint32_t place, uint32_t *number)
{
    const dt_evidence_place_t *places = ev->places.elts;

    for (; place != UINT32_MAX && !number[place]; place = places[place].parent)
    {
        number[place] = 1;
    }
}


/* copies the places of the patterns, and those around them, with new numbers,
   which it sets in the patterns */
static dt_status_t
dt_store_places(dt_store_t *st)
{
    uint32_t i, place, *number;
    dt_stored_t *out = st->out;
    const dt_evidence_t *ev = st->ev;
    const dt_evidence_place_t *places = ev->places.elts;

    number = dt_arena_calloc(ev->arena, ev->places.n + 1, sizeof(uint32_t));
    out->places = dt_arena_calloc(ev->arena, ev->places.n + 1,
                                  sizeof(dt_evidence_place_t));
    if (number == NULL || out->places == NULL) {
        return DT_ENOMEM;
    }

    for (i = 0; i < out->npatterns; i++) {
        dt_store_place(ev, out->patterns[i].place, number);
        dt_store_place(ev, out->patterns[i].named, number);
    }

    /* a place comes after the one around it, before and after this loop */

    for (i = 0; i < ev->places.n; i++) {
        if (number[i]) {
            place = places[i].parent;
            out->places[out->nplaces] = places[i];
            out->places[out->nplaces].parent =
                place != UINT32_MAX ? number[place] - 1 : UINT32_MAX;
            number[i] = ++out->nplaces;
        }
    }

    for (i = 0; i < out->npatterns; i++) {
        out->patterns[i].place =
            (uint16_t) (number[out->patterns[i].place] - 1);
        out->patterns[i].named =
            (uint16_t) (number[out->patterns[i].named] - 1);
    }

    return DT_OK;
}


/* the number of keys of patterns in groups for which there is room */
static uint32_t
dt_store_room(const dt_store_t *st)
{
    size_t size = st->ev->npages * sizeof(dt_evidence_page_t)
                  + st->out->nplaces * sizeof(dt_evidence_place_t)
                  + st->out->npatterns * sizeof(dt_pattern_t);

    return size < DT_STORE_SIZE
               ? (uint32_t) ((DT_STORE_SIZE - size) / DT_SEEN_SIZE)
               : 0;
}


/* adds the key of a pattern that is in the group of pattern i now */
static void
dt_store_seen(dt_store_t *st, uint32_t room, uint64_t key, uint32_t i)
{
    dt_stored_t *out = st->out;

    if (st->group_of[i] != DT_STORE_NONE && out->nseen < room) {
        out->keys[out->nseen] = (uint32_t) (key >> 32);
        out->at[out->nseen++] = (uint16_t) st->group_of[i];
    }
}


/* sets the keys of the patterns in groups: first those of the latest pages */
static dt_status_t
dt_store_keys(dt_store_t *st)
{
    int fresh;
    uint32_t i, room = dt_store_room(st);
    const dt_evidence_t *ev = st->ev;
    const dt_pattern_t *e = ev->patterns.elts;
    const dt_seen_t *seen = ev->seen.elts;

    st->out->keys = dt_arena_calloc(ev->arena, room + 1, sizeof(uint32_t));
    st->out->at = dt_arena_calloc(ev->arena, room + 1, sizeof(uint16_t));
    if (st->out->keys == NULL || st->out->at == NULL) {
        return DT_ENOMEM;
    }

    for (fresh = 1; fresh >= 0; fresh--) {
        for (i = 0; i < ev->patterns.n; i++) {
            if (e[i].merged == 0 && ((e[i].pages & ev->fresh) != 0) == fresh) {
                dt_store_seen(st, room, e[i].key, i);
            }
        }
    }

    for (i = 0; i < ev->seen.n; i++) {
        if (seen[i].at != DT_SEEN_NONE) {
            dt_store_seen(st, room, seen[i].key, seen[i].at);
        }
    }

    return DT_OK;
}


dt_status_t
dt_store(const dt_evidence_t *ev, dt_stored_t *out)
{
    dt_store_t st = { .ev = ev, .out = out };

    memset(out, 0, sizeof(dt_stored_t));
    st.group_of =
        dt_arena_alloc(ev->arena, (ev->patterns.n + 1) * sizeof(uint32_t));

    return st.group_of == NULL
                   || dt_index_init(&st.groups, sizeof(dt_pattern_t),
                                    ev->arena)
                   || dt_index_init(&st.starts, sizeof(dt_seen_t), ev->arena)
                   || dt_store_starts(&st) || dt_store_patterns(&st)
                   || dt_store_places(&st) || dt_store_keys(&st)
               ? DT_ENOMEM
               : DT_OK;
}
