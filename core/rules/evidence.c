
/*
 * Copyright (C) The detemplate authors
 *
 * The evidence is a table of patterns against the last DT_PAGES_MAX pages that
 * were loaded for the site.  Each pattern has a bit for each page that showed
 * it.  Each learning decides about all of it again, so that no decision
 * outlasts its evidence.  A page that is loaded again replaces its earlier
 * bits, and a pattern that no page shows any more is dropped.  Of patterns
 * that too few pages show, a template keeps only the groups that store.c makes
 * of them.
 *
 * A page that shows a subtree shows all parts of it too.  So a rule that asks
 * for no more than a number of pages is true for the parts of a subtree if it
 * is true for the subtree.  The scanner relies on that.
 */


#include <sys/random.h>
#include <unistd.h>

#include "core/rules/evidence.h"
#include "core/template/template.h"


static dt_status_t
dt_evidence_empty(dt_evidence_t *ev)
{
    memset(&ev->prev, 0, sizeof(ev->prev));
    ev->npages = 0;

    if (dt_index_init(&ev->places, sizeof(dt_evidence_place_t), ev->arena)
        || dt_index_init(&ev->patterns, sizeof(dt_pattern_t), ev->arena)
        || dt_index_init(&ev->seen, sizeof(dt_seen_t), ev->arena))
    {
        return DT_ENOMEM;
    }

    return DT_OK;
}


/* returns a seed that no author of a page can guess, or he could make hashes
   collide */
static uint64_t
dt_evidence_random(void)
{
    uint64_t seed = 0;

    if (getrandom(&seed, sizeof(seed), 0) != (ssize_t) sizeof(seed)) {
        seed = 0;
    }

    return seed ? seed : dt_mix((uint64_t) time(NULL), (uint64_t) getpid());
}


/* copies the evidence of a checked template into ev, which is empty;
   DT_EINVAL: it contradicts itself; DT_ENOMEM */
static dt_status_t
dt_evidence_load(dt_evidence_t *ev, const dt_template_head_t *h)
{
    uint32_t i;
    const char *p = (const char *) h + h->serve_size;
    const dt_pattern_t *e;
    const dt_evidence_place_t *places;
    dt_pattern_t *pattern;
    dt_evidence_place_t *place;
    dt_seen_t *seen;
    const uint32_t *keys;
    const uint16_t *at;

    ev->npages = h->npages;
    memcpy(ev->pages, p, h->npages * sizeof(dt_evidence_page_t));
    places = (const void *) (p + h->npages * sizeof(dt_evidence_page_t));
    e = (const void *) (places + h->nplaces);

    for (i = 0; i < h->nplaces; i++) {
        place = dt_index_get(&ev->places, places[i].path, DT_EVIDENCE_PLACES,
                             ev->arena);
        if (place == NULL || ev->places.n != i + 1) {
            return DT_EINVAL;
        }

        *place = places[i];
    }

    for (i = 0; i < h->nevidence; i++) {
        if (e[i].pages & ~dt_evidence_pages(ev)) {
            return DT_EINVAL;
        }

        pattern = dt_index_get(&ev->patterns, e[i].key, DT_EVIDENCE_PATTERNS,
                               ev->arena);
        if (pattern == NULL) {
            return DT_ENOMEM;
        }

        if (ev->patterns.n != i + 1) {
            return DT_EINVAL;
        }

        *pattern = e[i];
    }

    keys = (const void *) (e + h->nevidence);
    at = (const void *) (keys + h->nseen);

    for (i = 0; i < h->nseen; i++) {
        seen = dt_index_get(&ev->seen, (uint64_t) keys[i] << 32, UINT32_MAX,
                            ev->arena);
        if (seen == NULL) {
            return DT_ENOMEM;
        }

        seen->at = at[i];
    }

    return DT_OK;
}


dt_evidence_t *
dt_evidence_create(const void *prev, const dt_rules_t *rules, uint64_t seed,
                   dt_arena_t *arena)
{
    dt_status_t rc;
    dt_evidence_t *ev;

    ev = dt_arena_calloc(arena, 1, sizeof(dt_evidence_t));
    if (ev == NULL) {
        return NULL;
    }

    ev->arena = arena;
    ev->rules = *rules;
    ev->seed = seed || prev != NULL ? seed : dt_evidence_random();

    rc = dt_evidence_empty(ev);

    if (rc == DT_OK && prev != NULL) {
        memcpy(&ev->prev, prev, sizeof(ev->prev));
        ev->seed = ev->prev.seed;

        rc = dt_evidence_load(ev, prev);

        if (rc == DT_EINVAL) {
            /* the bytes passed the checks, but no learning wrote them: the
               evidence begins anew */
            rc = dt_evidence_empty(ev);
        }
    }

    return rc == DT_OK ? ev : NULL;
}


/* returns a number for a page, with no patterns: its previous number, a free
   one, or that of the oldest page */
static unsigned
dt_evidence_slot(dt_evidence_t *ev, uint64_t url)
{
    unsigned i, slot;
    uint32_t j;
    dt_pattern_t *e = ev->patterns.elts;

    for (slot = 0; slot < ev->npages; slot++) {
        if (ev->pages[slot].url == url) {
            break;
        }
    }

    if (slot == DT_PAGES_MAX) {
        for (i = 1, slot = 0; i < DT_PAGES_MAX; i++) {
            if (ev->pages[i].loaded_at < ev->pages[slot].loaded_at) {
                slot = i;
            }
        }
    }

    if (slot == ev->npages) {
        ev->npages++;
    }

    for (j = 0; j < ev->patterns.n; j++) {
        e[j].pages &= ~((uint64_t) 1 << slot);
    }

    return slot;
}


/*
 * Adds the places of a kind from the body down to record i; returns the number
 * of the last of them, or UINT32_MAX if there is no room.  A named place is
 * told apart by its path, and by the nearest element around it that calls
 * itself something.
 */
static uint32_t
dt_evidence_place(dt_evidence_t *ev, const dt_record_t *records, uint32_t i,
                  uint32_t kind)
{
    uint64_t key;
    uint32_t n, parent, calls = 0, chain[DT_SCAN_DEPTH + 2];
    dt_evidence_place_t *place;

    for (n = 0; i != UINT32_MAX && n < DT_SCAN_DEPTH + 2;
         i = records[i].parent) {
        chain[n++] = i;
    }

    parent = UINT32_MAX;

    while (n--) {
        key = records[chain[n]].path;

        if (kind == DT_PLACE_NAMED) {
            calls = records[chain[n]].calls ? records[chain[n]].calls : calls;
            key = dt_mix(key + 1, calls);
        }

        place = dt_index_get(&ev->places, key, DT_EVIDENCE_PLACES, ev->arena);
        if (place == NULL) {
            return UINT32_MAX;
        }

        if (place->kind == DT_PLACE_NEW) {
            place->parent = parent;
            place->kind = kind;
        }

        parent = (uint32_t) (place - (dt_evidence_place_t *) ev->places.elts);
    }

    return parent;
}


/* sets sound for each record that has a key and, if dom is not NULL, for which
   the parser has an element with the same parent and range */
static void
dt_evidence_sound(const dt_dom_t *dom, const dt_record_t *records, size_t n,
                  uint8_t *sound)
{
    size_t i;
    uint32_t k = 0, parent;
    const dt_node_t *node;

    for (i = 0; i < n; i++) {
        sound[i] = records[i].key != 0;

        if (records[i].name == 0 || dom == NULL) {
            continue;
        }

        while (k < dom->n
               && (dom->nodes[k].kind == DT_NODE_TEXT
                   || dom->nodes[k].start == dom->nodes[k].end
                   || dom->nodes[k].start < records[i].start))
        {
            k++;
        }

        node = &dom->nodes[k];

        if (k == dom->n || node->start != records[i].start
            || node->end != records[i].end)
        {
            sound[i] = 0;
            continue;
        }

        for (parent = node->parent; parent != DT_DOM_NONE;
             parent = dom->nodes[parent].parent)
        {
            /* parsers always add these elements, without bytes of the page */
            if (dom->nodes[parent].start < dom->nodes[parent].end
                || !(
                    dt_str_eq(dom->nodes[parent].name, dt_str("tbody"))
                    || dt_str_eq(dom->nodes[parent].name, dt_str("colgroup"))))
            {
                break;
            }
        }

        if (records[i].parent != UINT32_MAX
            && (parent == DT_DOM_NONE
                || dom->nodes[parent].start == dom->nodes[parent].end
                || dom->nodes[parent].start
                       != records[records[i].parent].start))
        {
            sound[i] = 0;
        }
    }
}


/* flags the sound records that contain main or article */
static void
dt_evidence_main(const dt_record_t *records, size_t n, uint8_t *sound)
{
    size_t i;
    uint32_t up;

    for (i = 0; i < n; i++) {
        if (!(dt_tag_find(records[i].name)->flags & DT_TAG_MAIN)) {
            continue;
        }

        for (up = records[i].parent; up != UINT32_MAX; up = records[up].parent)
        {
            if (sound[up]) {
                sound[up] |= DT_PATTERN_MAIN;
            }
        }
    }
}


int
dt_evidence_knows(const dt_evidence_t *ev, const dt_page_id_t *id,
                  int64_t since)
{
    unsigned i;

    for (i = 0; i < ev->npages; i++) {
        if (ev->pages[i].url == id->url && ev->pages[i].loaded_at > since) {
            return 1;
        }
    }

    return 0;
}


/* flags the patterns that the page shows more or less often than others; page
   has the page's bit */
static void
dt_evidence_counts(dt_evidence_t *ev, uint64_t page)
{
    uint32_t i;
    dt_pattern_t *e = ev->patterns.elts;

    for (i = 0; i < ev->patterns.n; i++) {
        if (!(e[i].pages & page)) {
            continue;
        }

        if (e[i].pages == page) {
            e[i].count = e[i].now;
            e[i].flags &= (uint8_t) ~DT_PATTERN_VARIES;

        } else if (e[i].count != e[i].now) {
            e[i].flags |= DT_PATTERN_VARIES;
        }
    }
}


/* returns the flags of record i, without DETECTED and VARIES */
static uint8_t
dt_evidence_flags(const dt_rules_t *rules, const dt_record_t *records,
                  uint32_t i)
{
    int in = 0;
    unsigned flags = 0, around = 0, shapes = 0, shape;
    const dt_tag_t *tag;
    const dt_record_t *r = &records[i];

    for (; i != UINT32_MAX; i = records[i].parent) {
        tag = dt_tag_find(records[i].name);
        around |= tag->flags;
        in |= &records[i] != r ? tag->is : 0;
        shapes |= records[i].shape;
    }

    /* the footer of a quotation or a section is a part of it */
    shape = r->shape & (in & DT_IS_PART ? ~(unsigned) DT_SHAPE_BESIDE : ~0u);

    if (r->words
        && (uint64_t) r->links * 100 >= (uint64_t) r->words * rules->links)
    {
        flags |= DT_PATTERN_LINKS;
    }

    if (around & DT_TAG_LABEL) {
        flags |= DT_PATTERN_LABEL;
    }

    if (around & DT_TAG_ASIDE) {
        flags |= DT_PATTERN_ASIDE;
    }

    if (around & DT_TAG_MAIN && !(flags & DT_PATTERN_ASIDE)) {
        flags |= DT_PATTERN_MAIN;

    } else if (!(shapes & DT_SHAPE_MAIN)) {
        flags |= shape & DT_SHAPE_NAV && flags & DT_PATTERN_LINKS
                     ? DT_PATTERN_NAV
                     : 0u;
        flags |= shape & DT_SHAPE_BESIDE ? DT_PATTERN_BESIDE : 0u;
    }

    return (uint8_t) flags;
}


/* notes that the page of that number is this one, loaded now */
static void
dt_evidence_loaded(dt_evidence_t *ev, unsigned page, const dt_page_id_t *id,
                   int64_t now)
{
    dt_evidence_page_t *p = &ev->pages[page];

    ev->fresh |= (uint64_t) 1 << page;

    p->url = id->url;
    dt_key_dirs(id->path, p->dirs);
    p->name = id->name;
    p->loaded_at = now;
    p->learning = (ev->prev.version + 1) & INT32_MAX;
    p->linked = 0;
    p->words = 0;
}


/*
 * Splits a pattern off the group that stood for it, if earlier pages have
 * shown it at this place and it is new on this page.
 */
static void
dt_evidence_seen(dt_evidence_t *ev, dt_pattern_t *e, uint16_t place,
                 uint32_t words)
{
    dt_pattern_t *group;
    dt_seen_t *s = dt_index_find(&ev->seen, e->key >> 32 << 32);

    if (s == NULL || s->at == DT_SEEN_NONE) {
        return;
    }

    group = dt_index_elt(&ev->patterns, s->at);

    if (group->place == place && group->merged) {
        s->at = DT_SEEN_NONE;
        e->pages = group->pages;
        e->count = group->count;
        group->merged--;
        group->words =
            (uint16_t) (group->words
                        - (group->words < words ? group->words : words));

        if (group->merged == 0) {
            group->pages = 0;
        }
    }
}


/* adds the pattern of the i-th record, which the page with that bit shows */
static void
dt_evidence_pattern(dt_evidence_t *ev, const dt_record_t *records, size_t i,
                    uint8_t sound, uint64_t bit)
{
    uint16_t words;
    uint32_t at, named;
    dt_pattern_t *e;
    const dt_record_t *r = &records[i];

    at = dt_evidence_place(ev, records, (uint32_t) i, DT_PLACE_PATH);
    named = dt_evidence_place(ev, records, (uint32_t) i, DT_PLACE_NAMED);
    e = at != UINT32_MAX && named != UINT32_MAX ? dt_index_get(
            &ev->patterns, r->key, DT_EVIDENCE_PATTERNS, ev->arena)
                                                : NULL;

    if (e == NULL) {
        /* this is a bound, not an error: one page could fill the table, and
           the learning must go on for other pages */
        return;
    }

    words = (uint16_t) (r->words < 65535 ? r->words : 65535);

    if (e->pages == 0) {
        dt_evidence_seen(ev, e, (uint16_t) at, words);
    }

    e->start = r->start_key;
    e->up = r->parent != UINT32_MAX ? records[r->parent].key | 1 : 0;
    e->first = (uint16_t) r->first;
    e->now = (uint8_t) (e->pages & bit ? e->now + (e->now < 255) : 1);
    e->pages |= bit;
    e->flags &= DT_PATTERN_DETECTED | DT_PATTERN_VARIES;
    e->flags |= dt_evidence_flags(&ev->rules, records, (uint32_t) i);
    e->flags |= sound & DT_PATTERN_MAIN;
    e->place = (uint16_t) at;
    e->named = (uint16_t) named;
    e->words = words;
}


/*
 * Counts the texts behind a tag at which the scanner has given up, as the
 * parser has them.  Without them, pages would seem alike, and nearly empty, so
 * that nothing before that tag would be learned.
 */
static void
dt_evidence_rest(dt_evidence_t *ev, unsigned page, const dt_dom_t *dom,
                 uint32_t start)
{
    size_t i;
    dt_record_t r = { .path = DT_EVIDENCE_REST, .parent = UINT32_MAX };

    for (i = 0; i < dom->n; i++) {
        if (dom->nodes[i].kind == DT_NODE_TEXT && dom->nodes[i].words
            && dom->nodes[i].start >= start)
        {
            r.key = dt_mix(DT_EVIDENCE_REST, dom->nodes[i].text);
            r.words = dom->nodes[i].words;
            ev->pages[page].words += r.words;
            dt_evidence_pattern(ev, &r, 0, 1, (uint64_t) 1 << page);
        }
    }
}


dt_status_t
dt_evidence_add(dt_evidence_t *ev, const dt_page_id_t *id, const dt_dom_t *dom,
                const dt_record_t *records, size_t n, int64_t now,
                unsigned *page)
{
    size_t i;
    uint32_t end = 0;
    uint64_t bit;
    uint8_t *sound;

    *page = dt_evidence_slot(ev, id->url);
    bit = (uint64_t) 1 << *page;
    dt_evidence_loaded(ev, *page, id, now);

    sound = dt_arena_alloc(ev->arena, n + 1);
    if (sound == NULL) {
        return DT_ENOMEM;
    }

    dt_evidence_sound(dom, records, n, sound);
    dt_evidence_main(records, n, sound);

    for (i = 0; i < n; i++) {
        if (records[i].name == 0) {
            ev->pages[*page].words += records[i].words;
            end = records[i].end;
        }

        if (sound[i]) {
            dt_evidence_pattern(ev, records, i, sound[i], bit);
        }
    }

    if (dom != NULL) {
        dt_evidence_rest(ev, *page, dom, end);
    }

    dt_evidence_counts(ev, bit);

    return DT_OK;
}


/*
 * The detector judges nodes of a parser's tree, while the evidence counts
 * records of the scanner.  Both are in the order of their starts, so one pass
 * over both finds the record of each node.
 */
void
dt_evidence_detected(dt_evidence_t *ev, const dt_dom_t *dom,
                     const dt_record_t *records, size_t n, uint8_t *nodes)
{
    size_t i;
    uint32_t k;
    dt_pattern_t *e;
    const dt_node_t *node = NULL;

    /* an element is found only if all that it contains is; the nodes below it
       are visited before it */

    for (k = dom->n; k-- > 0; /* void */) {
        if (!nodes[k] && dom->nodes[k].parent != DT_DOM_NONE) {
            nodes[dom->nodes[k].parent] = 0;
        }
    }

    for (i = 0, k = 0; i < n; i++) {
        for (; k < dom->n; k++) {
            node = &dom->nodes[k];

            if (node->start < node->end
                && (node->kind == DT_NODE_TEXT
                        ? node->end > records[i].start
                        : node->start >= records[i].start))
            {
                break;
            }
        }

        if (k == dom->n || !nodes[k] || records[i].key == 0
            || node->start > records[i].start
            || (records[i].name != 0) != (node->kind == DT_NODE_ELEMENT))
        {
            continue;
        }

        e = dt_index_find(&ev->patterns, records[i].key);
        if (e != NULL) {
            e->flags |= DT_PATTERN_DETECTED;
        }
    }
}
