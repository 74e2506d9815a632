
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
 * asks for no more than a number of pages holds for the parts when it holds
 * for the whole.  The scanner relies on that.
 */


#include <fcntl.h>
#include <unistd.h>

#include "core/rules/evidence.h"
#include "core/learn/links.h"


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


static dt_status_t
dt_compile_empty(dt_compile_t *c)
{
    memset(&c->prev, 0, sizeof(c->prev));
    c->npages = 0;

    if (dt_index_init(&c->places, sizeof(dt_evidence_place_t), c->arena)
        || dt_index_init(&c->patterns, sizeof(dt_evidence_t), c->arena))
    {
        return DT_ENOMEM;
    }

    return DT_OK;
}


/* a seed that nobody can guess */
static uint64_t
dt_compile_random(void)
{
    int fd;
    uint64_t seed = 0;

    fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

    if (fd != -1) {
        if (read(fd, &seed, sizeof(seed)) != (ssize_t) sizeof(seed)) {
            seed = 0;
        }

        (void) close(fd);
    }

    return seed ? seed : dt_mix((uint64_t) time(NULL), (uint64_t) getpid());
}


dt_compile_t *
dt_compile_create(const void *prev, uint64_t seed, dt_arena_t *arena)
{
    dt_status_t rc;
    dt_compile_t *c;

    c = dt_arena_calloc(arena, 1, sizeof(dt_compile_t));
    if (c == NULL) {
        return NULL;
    }

    c->arena = arena;
    c->seed = seed || prev != NULL ? seed : dt_compile_random();

    rc = dt_compile_empty(c);

    if (rc == DT_OK && prev != NULL) {
        memcpy(&c->prev, prev, sizeof(c->prev));
        c->seed = c->prev.seed;

        rc = dt_compile_load(c, prev);

        if (rc == DT_EINVAL) {
            /* sound, but not made by us: begins anew */
            rc = dt_compile_empty(c);
        }
    }

    return rc == DT_OK ? c : NULL;
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
         i = records[i].parent) {
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

        for (parent = node->parent; parent != DT_DOM_NONE;
             parent = dom->nodes[parent].parent)
        {
            /* made up by the parser, as it always does */
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


/* which sound records have main or article inside */
static void
dt_compile_around(const dt_record_t *records, size_t n, uint8_t *sound)
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
                sound[up] |= DT_EVIDENCE_MAIN;
            }
        }
    }
}


static uint64_t
dt_compile_url(const dt_url_t *url)
{
    uint64_t h;

    h = dt_hash(url->host.data, url->host.len, 0);
    h = dt_hash(url->path.data, url->path.len, h);

    return dt_hash(url->query.data, url->query.len, h);
}


/*
 * The hash of what names a page among others: the last part of its path that
 * is no index, without what stands behind a dot.  A query makes another page.
 */
static uint64_t
dt_compile_name(const dt_url_t *url)
{
    dt_str_t name;

    name = dt_links_name(url);

    return dt_hash(url->query.data, url->query.len,
                   dt_hash(name.data, name.len, 0));
}


int
dt_compile_knows(const dt_compile_t *c, const dt_url_t *url, int64_t since)
{
    unsigned i;
    uint64_t hash = dt_compile_url(url);

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
    unsigned flags = 0, around = 0;
    const dt_record_t *r = &records[i];

    for (; i != UINT32_MAX; i = records[i].parent) {
        around |= dt_tag_find(records[i].name)->flags;
    }

    if (r->words && 2 * r->links >= r->words) {
        flags |= DT_EVIDENCE_LINKS;
    }

    if (around & DT_TAG_LABEL) {
        flags |= DT_EVIDENCE_LABEL;
    }

    if (around & DT_TAG_ASIDE) {
        flags |= DT_EVIDENCE_ASIDE;
    }

    if (around & DT_TAG_MAIN) {
        flags |= DT_EVIDENCE_MAIN;
    }

    return (uint8_t) flags;
}


dt_status_t
dt_compile_page(dt_compile_t *c, const dt_url_t *url, const dt_dom_t *dom,
                const dt_record_t *records, size_t n, int64_t now,
                unsigned *page)
{
    size_t i;
    uint64_t bit;
    uint8_t *sound;
    dt_evidence_t *e;
    dt_evidence_page_t *p;
    dt_evidence_place_t *place;

    *page = dt_compile_slot(c, dt_compile_url(url));
    bit = (uint64_t) 1 << *page;
    c->fresh |= bit;

    p = &c->pages[*page];
    p->url = dt_compile_url(url);
    dt_key_dirs(url->path, p->dirs);
    p->name = dt_compile_name(url);
    p->loaded_at = now;
    p->learning = c->prev.version + 1;
    p->words = 0;

    sound = dt_arena_alloc(c->arena, n + 1);
    if (sound == NULL) {
        return DT_ENOMEM;
    }

    dt_compile_sound(dom, records, n, sound);
    dt_compile_around(records, n, sound);

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
        e->flags |= sound[i] & DT_EVIDENCE_MAIN;
        e->place = (uint16_t) (place - (dt_evidence_place_t *) c->places.elts);
        e->words =
            (uint16_t) (records[i].words < 65535 ? records[i].words : 65535);
    }

    dt_compile_counts(c, bit);

    return DT_OK;
}


dt_status_t
dt_compile_detected(dt_compile_t *c, const dt_dom_t *dom,
                    const dt_record_t *records, size_t n, uint8_t *nodes)
{
    size_t i;
    uint32_t k;
    dt_evidence_t *e;
    const dt_node_t *node = NULL;

    /* an element stands for all that is in it; what is below comes first */

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

        e = dt_index_find(&c->patterns, records[i].key);
        if (e != NULL) {
            e->flags |= DT_EVIDENCE_DETECTED;
        }
    }

    return DT_OK;
}
