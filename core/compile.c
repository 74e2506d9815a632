
/*
 * Copyright (C) The detemplate authors
 *
 * Evidence is a table of patterns (a subtree or a text at a place, by key)
 * against the last DT_PAGES_MAX pages loaded for the site: a bit for each
 * page that showed the pattern.  What is template is decided anew from all of
 * it at each learning, so that a decision never outlives its grounds: a page
 * that is loaded again replaces what it showed before, and a pattern that no
 * page shows any more is gone.
 *
 * A subtree is only ever on pages that show all of its parts, so any rule that
 * asks for no more than a number of pages holds for the parts when it holds for
 * the whole.  The scanner relies on that.
 *
 * Two pages with the same content (print view, sort order, session in the URL,
 * a soft 404) must not vouch for each other: they would make template of
 * their content.  Pages are compared by their words, each weighed by how few
 * pages show it, and those that are alike have one vote together.
 */


#include <math.h>
#include <stdlib.h>

#include "compile.h"
#include "table.h"
#include "template.h"


#define DT_COMPILE_PATTERNS (1u << 17) /* at most, while learning */
#define DT_COMPILE_STORED 49152u       /* at most, in a template */
#define DT_COMPILE_PLACES (1u << 14)


/* a growing array with an index by its elements' first member, a hash */
typedef struct {
    void *elts;
    size_t size; /* of one */
    uint32_t n;
    uint32_t max;
    uint32_t *slots; /* number of the element and 1, or 0 */
    unsigned bits;
} dt_index_t;


struct dt_compile_s {
    dt_arena_t *arena;
    dt_template_head_t prev;
    uint64_t seed;

    dt_evidence_page_t pages[DT_PAGES_MAX];
    unsigned npages;
    uint64_t fresh; /* pages of this learning */
    uint32_t typical; /* words that a page of the site is covered by */

    dt_index_t places;   /* dt_evidence_place_t */
    dt_index_t patterns; /* dt_evidence_t */
};


void
dt_rules_init(dt_rules_t *r)
{
    r->support = 3;
    r->share = 15;
    r->share_low = 40;
    r->share_links = 20;
    r->share_label = 80;
    r->calm = 50;
    r->votes = 3;
    r->words = 2;
    r->varied_words = 100;
    r->hollow = 60;
    r->alike = 80;
}


static dt_status_t
dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a)
{
    ix->size = size;
    ix->n = 0;
    ix->max = 256;
    ix->bits = 9;
    ix->elts = dt_arena_alloc(a, ix->max * size);
    ix->slots = dt_arena_calloc(a, (size_t) 1 << ix->bits, sizeof(uint32_t));

    return ix->elts && ix->slots ? DT_OK : DT_ENOMEM;
}


static void *
dt_index_elt(const dt_index_t *ix, uint32_t i)
{
    return (char *) ix->elts + i * ix->size;
}


static uint32_t *
dt_index_slot(const dt_index_t *ix, uint64_t key)
{
    uint64_t have;
    size_t i, mask = ((size_t) 1 << ix->bits) - 1;

    for (i = dt_table_home(key, ix->bits); ix->slots[i]; i = (i + 1) & mask) {
        memcpy(&have, dt_index_elt(ix, ix->slots[i] - 1), sizeof(have));
        if (have == key) {
            break;
        }
    }

    return &ix->slots[i];
}


static dt_status_t
dt_index_grow(dt_index_t *ix, dt_arena_t *a)
{
    void *elts;
    uint32_t i;
    uint64_t key;

    elts = dt_arena_alloc(a, 2 * (size_t) ix->max * ix->size);
    ix->slots = dt_arena_calloc(a, (size_t) 2 << ix->bits, sizeof(uint32_t));

    if (elts == NULL || ix->slots == NULL) {
        return DT_ENOMEM;
    }

    memcpy(elts, ix->elts, ix->n * ix->size);
    ix->elts = elts;
    ix->max *= 2;
    ix->bits++;

    for (i = 0; i < ix->n; i++) {
        memcpy(&key, dt_index_elt(ix, i), sizeof(key));
        *dt_index_slot(ix, key) = i + 1;
    }

    return DT_OK;
}


/* the element of that key, made and zeroed where it is new; NULL: no room */
static void *
dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most, dt_arena_t *a)
{
    void *elt;
    uint32_t *slot;

    slot = dt_index_slot(ix, key);
    if (*slot) {
        return dt_index_elt(ix, *slot - 1);
    }

    if (ix->n == most) {
        return NULL;
    }

    if (ix->n == ix->max) {
        if (dt_index_grow(ix, a) != DT_OK) {
            return NULL;
        }

        slot = dt_index_slot(ix, key);
    }

    elt = dt_index_elt(ix, ix->n++);
    *slot = ix->n;
    memset(elt, 0, ix->size);
    memcpy(elt, &key, sizeof(key));

    return elt;
}


static dt_status_t
dt_compile_load(dt_compile_t *c, const dt_template_head_t *h)
{
    uint32_t i;
    const char *p = (const char *) h + h->serve_size;
    const dt_evidence_t *e;
    const dt_evidence_place_t *places;
    dt_evidence_t *mine;
    dt_evidence_place_t *place;

    c->npages = h->npages;
    memcpy(c->pages, p, h->npages * sizeof(dt_evidence_page_t));
    places = (const void *) (p + h->npages * sizeof(dt_evidence_page_t));
    e = (const void *) (places + h->nplaces);

    for (i = 0; i < h->nplaces; i++) {
        place = dt_index_get(&c->places, places[i].path, DT_COMPILE_PLACES,
                             c->arena);
        if (place == NULL || c->places.n != i + 1) {
            return DT_EINVAL;
        }

        *place = places[i];
    }

    for (i = 0; i < h->nevidence; i++) {
        mine = dt_index_get(&c->patterns, e[i].key, DT_COMPILE_PATTERNS,
                            c->arena);
        if (mine == NULL) {
            return DT_ENOMEM;
        }

        *mine = e[i];
    }

    return DT_OK;
}


dt_compile_t *
dt_compile_create(const void *prev, uint64_t seed, dt_arena_t *arena)
{
    dt_compile_t *c;

    c = dt_arena_calloc(arena, 1, sizeof(dt_compile_t));
    if (c == NULL) {
        return NULL;
    }

    c->arena = arena;
    c->seed = seed;

    if (dt_index_init(&c->places, sizeof(dt_evidence_place_t), arena)
        || dt_index_init(&c->patterns, sizeof(dt_evidence_t), arena))
    {
        return NULL;
    }

    if (prev != NULL) {
        memcpy(&c->prev, prev, sizeof(c->prev));
        c->seed = c->prev.seed;

        if (dt_compile_load(c, prev) != DT_OK) {
            return NULL;
        }
    }

    return c;
}


uint64_t
dt_compile_seed(const dt_compile_t *c)
{
    return c->seed;
}


/* a number for the page: its own from before, a free one, or the oldest */
static unsigned
dt_compile_slot(dt_compile_t *c, uint64_t url)
{
    unsigned i, slot;
    uint32_t j;
    dt_evidence_t *e = c->patterns.elts;

    for (slot = 0; slot < c->npages; slot++) {
        if (c->pages[slot].url == url) {
            break;
        }
    }

    if (slot == DT_PAGES_MAX) {
        for (i = 1, slot = 0; i < DT_PAGES_MAX; i++) {
            if (c->pages[i].loaded_at < c->pages[slot].loaded_at) {
                slot = i;
            }
        }
    }

    if (slot == c->npages) {
        c->npages++;
    }

    for (j = 0; j < c->patterns.n; j++) {
        e[j].pages &= ~((uint64_t) 1 << slot);
    }

    return slot;
}


/* the chain of places from a record up to the body */
static dt_evidence_place_t *
dt_compile_place(dt_compile_t *c, const dt_record_t *records, uint32_t i)
{
    uint32_t n, parent, chain[DT_SCAN_DEPTH + 2];
    dt_evidence_place_t *place = NULL;

    for (n = 0; i != UINT32_MAX && n < DT_SCAN_DEPTH + 2;
         i = records[i].parent)
    {
        chain[n++] = i;
    }

    parent = UINT32_MAX;

    while (n--) {
        place = dt_index_get(&c->places, records[chain[n]].path,
                             DT_COMPILE_PLACES, c->arena);
        if (place == NULL) {
            return NULL;
        }

        i = (uint32_t) (place - (dt_evidence_place_t *) c->places.elts);

        if (i == c->places.n - 1 && place->linked == 0) {
            place->parent = parent;
            place->linked = 1;
        }

        parent = i;
    }

    return place;
}


/* which records a parser agrees with: same element, place and range */
static void
dt_compile_sound(const dt_dom_t *dom, const dt_record_t *records, size_t n,
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

        parent = node->parent;

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


static uint64_t
dt_compile_url(const dt_url_t *url, size_t len)
{
    return dt_hash(url->path.data, len, dt_hash(url->host.data, url->host.len,
                                                0));
}


int
dt_compile_knows(const dt_compile_t *c, const dt_url_t *url, int64_t since)
{
    unsigned i;
    uint64_t hash = dt_compile_url(url, url->path.len);

    for (i = 0; i < c->npages; i++) {
        if (c->pages[i].url == hash && c->pages[i].loaded_at > since) {
            return 1;
        }
    }

    return 0;
}


/* compares how often the page shows what it shows with other pages */
static void
dt_compile_counts(dt_compile_t *c, uint64_t page)
{
    uint32_t i;
    dt_evidence_t *e = c->patterns.elts;

    for (i = 0; i < c->patterns.n; i++) {
        if (!(e[i].pages & page)) {
            continue;
        }

        if (e[i].pages == page) {
            e[i].count = e[i].now;
            e[i].flags &= (uint8_t) ~DT_EVIDENCE_VARIES;

        } else if (e[i].count != e[i].now) {
            e[i].flags |= DT_EVIDENCE_VARIES;
        }
    }
}


/* what kind of thing a record is */
static uint8_t
dt_compile_flags(const dt_record_t *records, uint32_t i)
{
    unsigned flags = 0;
    const dt_record_t *r = &records[i];

    if (r->words && 2 * r->links >= r->words) {
        flags |= DT_EVIDENCE_LINKS;
    }

    for (; i != UINT32_MAX; i = records[i].parent) {
        if (dt_tag_find(records[i].name)->flags & DT_TAG_LABEL) {
            flags |= DT_EVIDENCE_LABEL;
            break;
        }
    }

    return (uint8_t) flags;
}


dt_status_t
dt_compile_page(dt_compile_t *c, const dt_url_t *url, const dt_dom_t *dom,
                const dt_record_t *records, size_t n, int64_t now,
                unsigned *page)
{
    size_t i, dir;
    uint64_t bit;
    uint8_t *sound;
    dt_evidence_t *e;
    dt_evidence_page_t *p;
    dt_evidence_place_t *place;

    *page = dt_compile_slot(c, dt_compile_url(url, url->path.len));
    bit = (uint64_t) 1 << *page;
    c->fresh |= bit;

    for (dir = url->path.len; dir > 1 && url->path.data[dir - 1] != '/'; dir--)
    {
        /* void */
    }

    p = &c->pages[*page];
    p->url = dt_compile_url(url, url->path.len);
    p->dir = dt_compile_url(url, dir);
    p->loaded_at = now;
    p->learning = c->prev.version + 1;
    p->words = 0;

    sound = dt_arena_alloc(c->arena, n + 1);
    if (sound == NULL) {
        return DT_ENOMEM;
    }

    dt_compile_sound(dom, records, n, sound);

    for (i = 0; i < n; i++) {
        if (records[i].name == 0) {
            p->words += records[i].words;
        }

        if (!sound[i]) {
            continue;
        }

        place = dt_compile_place(c, records, (uint32_t) i);
        e = place ? dt_index_get(&c->patterns, records[i].key,
                                 DT_COMPILE_PATTERNS, c->arena)
                  : NULL;

        if (e == NULL) {
            /* a bound, not an error: what else there is will do */
            break;
        }

        e->start = records[i].start_key;
        e->first = (uint16_t) records[i].first;
        e->now = (uint8_t) (e->pages & bit ? e->now + (e->now < 255) : 1);
        e->pages |= bit;
        e->flags &= DT_EVIDENCE_DETECTED | DT_EVIDENCE_VARIES;
        e->flags |= dt_compile_flags(records, (uint32_t) i);
        e->place = (uint16_t) (place
                               - (dt_evidence_place_t *) c->places.elts);
        e->words = (uint16_t) (records[i].words < 65535 ? records[i].words
                                                        : 65535);
    }

    dt_compile_counts(c, bit);

    return DT_OK;
}


dt_status_t
dt_compile_detected(dt_compile_t *c, const dt_dom_t *dom,
                    const dt_record_t *records, size_t n, const uint8_t *nodes)
{
    size_t i;
    uint32_t k, *slot;
    dt_evidence_t *e;
    const dt_node_t *node = NULL;

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

        slot = dt_index_slot(&c->patterns, records[i].key);
        if (*slot) {
            e = dt_index_elt(&c->patterns, *slot - 1);
            e->flags |= DT_EVIDENCE_DETECTED;
        }
    }

    return DT_OK;
}


/* which page each page votes with: the first of those that are alike */
static void
dt_compile_alike(const dt_compile_t *c, unsigned percent, uint8_t *with)
{
    double shared[DT_PAGES_MAX][DT_PAGES_MAX], own[DT_PAGES_MAX], w, rare;
    unsigned i, j, df, n = c->npages;
    uint32_t k;
    uint64_t rest, left;
    const dt_evidence_t *e = c->patterns.elts;

    memset(with, 0, DT_PAGES_MAX);
    memset(shared, 0, sizeof(shared));
    memset(own, 0, sizeof(own));

    for (k = 0; k < c->patterns.n; k++) {
        if (e[k].start || e[k].pages == 0) {
            continue;
        }

        df = (unsigned) __builtin_popcountll(e[k].pages);
        w = e[k].words * log((double) (n + 1) / df);

        for (rest = e[k].pages; rest; rest &= rest - 1) {
            i = (unsigned) __builtin_ctzll(rest);
            own[i] += w;

            for (left = rest & (rest - 1); left; left &= left - 1) {
                shared[i][__builtin_ctzll(left)] += w;
            }
        }
    }

    for (i = 0; i < n; i++) {
        with[i] = (uint8_t) i;

        for (j = 0; j < i; j++) {
            rare = own[i] < own[j] ? own[i] : own[j];

            if (shared[j][i] * 100 > rare * percent) {
                with[i] = with[j];
                break;
            }
        }
    }
}


/* votes of a set of pages: those that are alike have one */
static unsigned
dt_compile_votes(uint64_t pages, const uint8_t *with)
{
    uint64_t set = 0;

    for (; pages; pages &= pages - 1) {
        set |= (uint64_t) 1 << with[__builtin_ctzll(pages)];
    }

    return (unsigned) __builtin_popcountll(set);
}


/* a hash table under construction */
typedef struct {
    uint64_t *keys;
    uint32_t *info;
    unsigned bits;
} dt_table_t;


static dt_status_t
dt_table_alloc(dt_table_t *t, uint64_t n, int info, dt_arena_t *a)
{
    for (t->bits = 4; ((uint64_t) 1 << t->bits) < 3 * n; t->bits++) {
        /* void */
    }

    t->info = NULL;
    t->keys = dt_arena_calloc(a, (size_t) 1 << t->bits, sizeof(uint64_t));

    if (info) {
        t->info = dt_arena_calloc(a, (size_t) 1 << t->bits, sizeof(uint32_t));
    }

    return t->keys && (t->info || !info) ? DT_OK : DT_ENOMEM;
}


static size_t
dt_table_add(dt_table_t *t, uint64_t key)
{
    size_t i, mask = ((size_t) 1 << t->bits) - 1;

    for (i = dt_table_home(key, t->bits); t->keys[i] && t->keys[i] != key;
         i = (i + 1) & mask)
    {
        /* void */
    }

    t->keys[i] = key;

    return i;
}


typedef struct {
    dt_table_t paths;
    dt_table_t nodes;
    uint64_t *firsts;
    uint32_t patterns;
} dt_tables_t;


/* what is known of a place, from all patterns there and below */
typedef struct {
    uint64_t pages; /* that have it */
    uint64_t words; /* times pages, of text */
    uint64_t repeated; /* the same, of text that enough pages repeat */
} dt_ground_t;


static void
dt_compile_grounds(const dt_compile_t *c, const dt_rules_t *rules,
                   const uint8_t *with, dt_ground_t *grounds)
{
    uint32_t i, place;
    uint64_t words;
    int repeated;
    const dt_evidence_t *e = c->patterns.elts;
    const dt_evidence_place_t *places = c->places.elts;

    for (i = 0; i < c->patterns.n; i++) {
        words = e[i].start ? 0
                           : e[i].words
                             * (uint64_t) __builtin_popcountll(e[i].pages);
        repeated = dt_compile_votes(e[i].pages, with) >= rules->support;

        for (place = e[i].place; place != UINT32_MAX;
             place = places[place].parent)
        {
            grounds[place].pages |= e[i].pages;
            grounds[place].words += words;
            grounds[place].repeated += repeated ? words : 0;
        }
    }
}


/* whether the text at a place is mostly such as several pages show */
static int
dt_compile_pure(const dt_ground_t *g, const dt_rules_t *rules)
{
    return g->repeated * 100 >= g->words * rules->calm;
}


/*
 * The least percent of the pages that have place *of which must show the
 * pattern.  Inside of an element whose text is mostly a page's own the
 * pattern is likely to be content that a few pages share.
 */
static unsigned
dt_compile_share(const dt_compile_t *c, const dt_rules_t *rules,
                 const dt_ground_t *grounds, const dt_evidence_t *e,
                 uint32_t *of)
{
    uint32_t up;
    const dt_evidence_place_t *places = c->places.elts;

    for (up = *of; up != UINT32_MAX; up = places[up].parent) {

        if (!dt_compile_pure(&grounds[up], rules)) {
            *of = up;
            return e->flags & DT_EVIDENCE_LABEL   ? rules->share_label
                   : e->flags & DT_EVIDENCE_LINKS ? rules->share_links
                                                  : rules->share_low;
        }

        if ((e->flags & (DT_EVIDENCE_LINKS | DT_EVIDENCE_LABEL))
            == DT_EVIDENCE_LINKS)
        {
            break;
        }
    }

    return rules->share;
}


/* words that a pattern must have to be cut where nothing else is */
static unsigned
dt_compile_least(const dt_rules_t *rules, const dt_evidence_t *e, int pure)
{
    if ((e->flags & DT_EVIDENCE_VARIES)
        && !(pure && e->words && (e->flags & DT_EVIDENCE_LINKS)))
    {
        return rules->varied_words;
    }

    if (pure) {
        return e->start ? 0 : 1;
    }

    return e->flags & DT_EVIDENCE_LINKS ? 1 : rules->words;
}


/* whether a pattern is template; strong: also where nothing else is */
static int
dt_compile_active(const dt_compile_t *c, const dt_rules_t *rules,
                  const uint8_t *with, const dt_ground_t *grounds,
                  const dt_evidence_t *e, int *strong)
{
    int pure;
    uint32_t of;
    uint64_t pages;
    unsigned votes, share;
    const dt_evidence_place_t *places = c->places.elts;

    votes = dt_compile_votes(e->pages, with);
    if (votes < rules->support) {
        return 0;
    }

    of = places[e->place].parent;
    pure = of != UINT32_MAX && dt_compile_pure(&grounds[of], rules);
    share = dt_compile_share(c, rules, grounds, e, &of);
    pages = of == UINT32_MAX ? UINT64_MAX : grounds[of].pages;

    *strong = e->words >= dt_compile_least(rules, e, pure)
              && votes * 100 >= dt_compile_votes(pages, with) * share;

    return 1;
}


/* a place and those around it */
static void
dt_compile_path(const dt_compile_t *c, uint32_t place, dt_tables_t *t)
{
    const dt_evidence_place_t *places = c->places.elts;

    for (; place != UINT32_MAX; place = places[place].parent) {
        (void) dt_table_add(&t->paths, places[place].path);
    }
}


/*
 * Elements that most pages have, with varying parts of a template inside: a
 * menu whose current entry looks different.  They go when all of their
 * parts do.
 */
static dt_status_t
dt_compile_hollow(dt_compile_t *c, const dt_rules_t *rules,
                  const uint8_t *with, const dt_ground_t *grounds,
                  dt_tables_t *t)
{
    size_t slot;
    uint32_t i, n;
    uint64_t pages;
    dt_index_t starts;
    dt_evidence_t *e = c->patterns.elts, *s;
    const dt_ground_t *g;

    if (dt_index_init(&starts, sizeof(dt_evidence_t), c->arena)) {
        return DT_ENOMEM;
    }

    for (i = 0; i < c->patterns.n; i++) {
        g = &grounds[e[i].place];

        if (e[i].start == 0 || g->words == 0
            || g->repeated * 100 < g->words * rules->hollow)
        {
            continue;
        }

        s = dt_index_get(&starts, e[i].start, UINT32_MAX, c->arena);
        if (s == NULL) {
            return DT_ENOMEM;
        }

        pages = s->pages;
        *s = e[i];
        s->key = e[i].start;
        s->pages |= pages;
    }

    s = starts.elts;

    for (i = 0, n = 0; i < starts.n && n < c->places.n; i++) {
        if (dt_compile_votes(s[i].pages, with) >= rules->support) {
            slot = dt_table_add(&t->nodes, s[i].key);
            t->nodes.info[slot] = DT_NODE_START | DT_NODE_HOLLOW;
            dt_compile_path(c, s[i].place, t);
            n++;
        }
    }

    return DT_OK;
}


/* decides for each pattern, and fills the tables that requests look up */
static dt_status_t
dt_compile_tables(dt_compile_t *c, const dt_rules_t *rules, dt_tables_t *t)
{
    int strong;
    uint32_t i, n;
    size_t slot;
    uint8_t with[DT_PAGES_MAX], *active;
    dt_ground_t *grounds;
    dt_evidence_t *e = c->patterns.elts;
    dt_evidence_place_t *places = c->places.elts;

    dt_compile_alike(c, rules->alike, with);

    grounds = dt_arena_calloc(c->arena, c->places.n + 1, sizeof(dt_ground_t));
    active = dt_arena_calloc(c->arena, c->patterns.n + 1, 1);
    if (active == NULL || grounds == NULL) {
        return DT_ENOMEM;
    }

    dt_compile_grounds(c, rules, with, grounds);

    for (i = 0, n = 0; i < c->patterns.n; i++) {
        if (dt_compile_active(c, rules, with, grounds, &e[i], &strong)) {
            active[i] = (uint8_t) (1 + strong);
            n++;
        }
    }

    t->patterns = n;

    if (n == 0) {
        return DT_DECLINED;
    }

    t->firsts = dt_arena_calloc(c->arena, DT_FIRSTS / 8, 1);

    if (t->firsts == NULL
        || dt_table_alloc(&t->paths, c->places.n, 0, c->arena)
        || dt_table_alloc(&t->nodes, 2 * (uint64_t) n + c->places.n, 1,
                          c->arena))
    {
        return DT_ENOMEM;
    }

    if (rules->hollow && dt_compile_hollow(c, rules, with, grounds, t)) {
        return DT_ENOMEM;
    }

    for (i = 0; i < c->patterns.n; i++) {
        if (!active[i]) {
            continue;
        }

        slot = dt_table_add(&t->nodes, e[i].key);
        t->nodes.info[slot] = e[i].words
                              | (active[i] == 2 ? DT_NODE_STRONG : 0);

        if (e[i].start) {
            slot = dt_table_add(&t->nodes, e[i].start);
            t->nodes.info[slot] |= DT_NODE_START;

        } else {
            t->firsts[e[i].first >> 6] |= (uint64_t) 1 << (e[i].first & 63);
        }

        /* text stands at the place of the element around it */

        dt_compile_path(c, e[i].start ? e[i].place
                                      : places[e[i].place].parent, t);
    }

    return DT_OK;
}


/* what of a page the tables cover, as the scanner would find it */
static void
dt_compile_covered(const dt_tables_t *t, const dt_record_t *r, size_t n,
                   dt_compiled_t *out)
{
    size_t i, slot;
    uint32_t end = 0, info;

    for (i = 0; i < n; i++) {
        if (r[i].name == 0) {
            out->words += r[i].words;
        }

        if (r[i].start < end || r[i].key == 0) {
            continue;
        }

        slot = dt_table_find(t->nodes.keys, t->nodes.bits, r[i].key);
        if (slot >> t->nodes.bits) {
            continue;
        }

        info = t->nodes.info[slot];

        if ((info & DT_NODE_STRONG) && !r[i].weak) {
            out->static_words += r[i].words;
            out->static_bytes += r[i].end - r[i].start;
            end = r[i].end;
        }
    }
}


/* patterns that are worth keeping: no more than a template may hold */
static uint32_t
dt_compile_store(dt_compile_t *c, dt_evidence_t *out)
{
    int pass;
    uint32_t i, n = 0;
    dt_evidence_t *e = c->patterns.elts;

    /* first what several pages show, then what the latest pages show */

    for (pass = 0; pass < 3; pass++) {
        for (i = 0; i < c->patterns.n && n < DT_COMPILE_STORED; i++) {
            int many = (e[i].pages & (e[i].pages - 1)) != 0;
            int fresh = (e[i].pages & c->fresh) != 0;

            if (e[i].pages
                && (pass == 0 ? many
                              : !many && fresh == (pass == 1)))
            {
                out[n++] = e[i];
            }
        }
    }

    return n;
}


/* words of the template on a page that shows more of it than half of them */
static uint32_t
dt_compile_typical(const dt_compile_t *c, const dt_tables_t *t)
{
    size_t slot;
    unsigned p, q, more;
    uint32_t i, words[DT_PAGES_MAX];
    uint64_t rest;
    const dt_evidence_t *e = c->patterns.elts;

    memset(words, 0, sizeof(words));

    for (i = 0; i < c->patterns.n; i++) {
        if (e[i].start || e[i].pages == 0) {
            continue;
        }

        slot = dt_table_find(t->nodes.keys, t->nodes.bits, e[i].key);
        if (slot >> t->nodes.bits || !(t->nodes.info[slot] & DT_NODE_STRONG)) {
            continue;
        }

        for (rest = e[i].pages; rest; rest &= rest - 1) {
            words[__builtin_ctzll(rest)] += e[i].words;
        }
    }

    for (p = 0; p < c->npages; p++) {
        for (q = 0, more = 0; q < c->npages; q++) {
            more += words[q] > words[p] || (words[q] == words[p] && q < p);
        }

        if (more == c->npages / 2) {
            return words[p];
        }
    }

    return 0;
}


static void *
dt_compile_put(char **p, const void *data, size_t size)
{
    void *at = *p;

    memcpy(at, data, size);
    *p += size;

    return at;
}


static dt_status_t
dt_compile_write(dt_compile_t *c, const dt_tables_t *t,
                 const dt_compile_info_t *info, dt_compiled_t *out)
{
    char *p, *base;
    size_t size, paths, nodes;
    uint32_t nstored;
    dt_evidence_t *stored;
    dt_template_head_t h;

    stored = dt_arena_alloc(c->arena,
                            (c->patterns.n + 1) * sizeof(dt_evidence_t));
    if (stored == NULL) {
        return DT_ENOMEM;
    }

    nstored = dt_compile_store(c, stored);
    paths = sizeof(uint64_t) << t->paths.bits;
    nodes = sizeof(uint64_t) << t->nodes.bits;

    memset(&h, 0, sizeof(h));
    h.magic = DT_TEMPLATE_MAGIC;
    h.format = DT_TEMPLATE_FORMAT;
    h.head_size = sizeof(h);
    h.path_bits = t->paths.bits;
    h.node_bits = t->nodes.bits;
    h.firsts = sizeof(h);
    h.paths = h.firsts + DT_FIRSTS / 8;
    h.nodes = h.paths + (uint32_t) paths;
    h.info = h.nodes + (uint32_t) nodes;
    h.serve_size = h.info + (uint32_t) (nodes / 2);
    h.npatterns = t->patterns;
    h.npages = c->npages;
    h.nplaces = c->places.n;
    h.nevidence = nstored;

    size = h.serve_size + h.npages * sizeof(dt_evidence_page_t)
           + h.nplaces * sizeof(dt_evidence_place_t)
           + nstored * sizeof(dt_evidence_t);
    if (size > DT_TEMPLATE_MAX) {
        return DT_ELIMIT;
    }

    h.size = (uint32_t) size;
    h.version = c->prev.version + 1;
    h.loads = c->prev.loads + info->loads;
    h.candidates = info->candidates;
    h.learned_at = info->now;
    h.created_at = c->prev.version ? c->prev.created_at : info->now;
    h.seed = c->seed;
    h.coverage = out->words ? (uint32_t) (1000ull * out->static_words
                                          / out->words)
                            : 0;
    h.typical = c->typical;

    base = malloc(size);
    if (base == NULL) {
        return DT_ENOMEM;
    }

    p = base + sizeof(h);
    (void) dt_compile_put(&p, t->firsts, DT_FIRSTS / 8);
    (void) dt_compile_put(&p, t->paths.keys, paths);
    (void) dt_compile_put(&p, t->nodes.keys, nodes);
    (void) dt_compile_put(&p, t->nodes.info, nodes / 2);
    (void) dt_compile_put(&p, c->pages, h.npages * sizeof(c->pages[0]));
    (void) dt_compile_put(&p, c->places.elts,
                          h.nplaces * sizeof(dt_evidence_place_t));
    (void) dt_compile_put(&p, stored, nstored * sizeof(dt_evidence_t));

    memcpy(base, &h, sizeof(h));
    h.serve_sum = dt_template_sum(base + DT_TEMPLATE_SUMMED,
                                  h.serve_size - DT_TEMPLATE_SUMMED);
    h.rest_sum = dt_template_sum(base + h.serve_size, size - h.serve_size);
    memcpy(base, &h, sizeof(h));

    out->bytes = base;
    out->len = size;

    return DT_OK;
}


dt_status_t
dt_compile_finish(dt_compile_t *c, const dt_rules_t *rules,
                  const dt_compile_info_t *info, dt_compiled_t *out)
{
    dt_status_t rc;
    dt_tables_t t;

    memset(out, 0, sizeof(dt_compiled_t));

    rc = dt_compile_tables(c, rules, &t);
    if (rc != DT_OK) {
        return rc;
    }

    out->patterns = t.patterns;
    dt_compile_covered(&t, info->key, info->nkey, out);
    c->typical = dt_compile_typical(c, &t);

    rc = dt_compile_write(c, &t, info, out);

    return rc;
}
