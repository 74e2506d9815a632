
/*
 * Copyright (C) The detemplate authors
 *
 * Navigation that is made for each page (the page before and the next one,
 * breadcrumbs, a footer with a date) says something else on each, so that
 * comparing what pages say never finds it.  Its shape repeats: an element that
 * calls itself navigation, or what stands beside content, at a place where
 * most pages have such a one.  The rules (core/rules/shapes.c) say at which
 * places; here such an element is held until it ends, and goes if this page's
 * is what it calls itself: of a size as pages have it there and, as
 * navigation, made of links.
 *
 * What it calls itself: its name, its role, or a word in its class or id.
 * Only blocks are asked, so that no sentence loses a part.
 */


#include "core/scan/region.h"
#include "core/template/serve.h"


#define DT_NAME_NAV dt_letters('n', 'a', 'v', 0, 0, 0, 0, 0)
#define DT_NAME_ASIDE dt_letters('a', 's', 'i', 'd', 'e', 0, 0, 0)
#define DT_NAME_FOOTER dt_letters('f', 'o', 'o', 't', 'e', 'r', 0, 0)
#define DT_NAME_ROLE dt_letters('r', 'o', 'l', 'e', 0, 0, 0, 0)
#define DT_NAME_CLASS dt_letters('c', 'l', 'a', 's', 's', 0, 0, 0)
#define DT_NAME_ID dt_letters('i', 'd', 0, 0, 0, 0, 0, 0)

#define DT_SHAPE_WORD 24 /* bytes of the longest word that is looked at */


/* words, '*' for any letters before or behind */
typedef struct {
    const char *word;
    unsigned kind;
} dt_shape_word_t;

static const dt_shape_word_t dt_shape_roles[] = {
    { "navigation", DT_SHAPE_NAV },
    { "complementary", DT_SHAPE_BESIDE },
    { "contentinfo", DT_SHAPE_BESIDE },
    { "main", DT_SHAPE_MAIN },
    { NULL, 0 },
};

static const dt_shape_word_t dt_shape_words[] = {
    { "nav*", DT_SHAPE_NAV },        { "*nav", DT_SHAPE_NAV },
    { "menu*", DT_SHAPE_NAV },       { "*menu", DT_SHAPE_NAV },
    { "*breadcrumb", DT_SHAPE_NAV }, { "*breadcrumbs", DT_SHAPE_NAV },
    { "pager", DT_SHAPE_NAV },       { "paginat*", DT_SHAPE_NAV },
    { "prev", DT_SHAPE_NAV },        { "previous", DT_SHAPE_NAV },
    { "next", DT_SHAPE_NAV },        { "footer*", DT_SHAPE_BESIDE },
    { "*footer", DT_SHAPE_BESIDE },  { NULL, 0 },
};


static int
dt_shape_is(const char *word, size_t len, const char *known)
{
    size_t n = strlen(known);

    if (known[0] == '*') {
        n--;
        return len >= n && memcmp(word + len - n, known + 1, n) == 0;
    }

    if (known[n - 1] == '*') {
        n--;
        return len >= n && memcmp(word, known, n) == 0;
    }

    return len == n && memcmp(word, known, n) == 0;
}


/* what the words of an attribute's value say: runs of letters */
static unsigned
dt_shape_value(const dt_attr_t *a, const dt_shape_word_t *known)
{
    size_t len;
    unsigned kind = 0;
    char word[DT_SHAPE_WORD];
    const char *p = a->value;
    const dt_shape_word_t *k;

    while (p < a->end) {
        for (len = 0; p < a->end && dt_char_is(*p, DT_C_ALPHA); p++, len++) {
            if (len < sizeof(word)) {
                word[len] = (char) (*p | 0x20);
            }
        }

        for (k = known; len && len <= sizeof(word) && k->word != NULL; k++) {
            kind |= dt_shape_is(word, len, k->word) ? k->kind : 0;
        }

        p += p < a->end && len == 0;
    }

    return kind;
}


unsigned
dt_shape_kind(const dt_token_t *t)
{
    int closed;
    unsigned kind;
    uint64_t name;
    dt_attr_t a;
    const char *p = t->rest;

    if (!(dt_tag_find(t->name)->flags & DT_TAG_SPECIAL)) {
        return 0;
    }

    kind = t->name == DT_NAME_NAV ? DT_SHAPE_NAV
           : t->name == DT_NAME_ASIDE || t->name == DT_NAME_FOOTER
               ? DT_SHAPE_BESIDE
               : 0;

    for (;;) {
        p = dt_token_next(&a, p, t->end, &closed);

        if (p == NULL || a.name == a.stop) {
            return kind;
        }

        name = dt_name_fold(a.name, a.stop);

        if (name == DT_NAME_ROLE) {
            kind |= dt_shape_value(&a, dt_shape_roles);

        } else if (name == DT_NAME_CLASS || name == DT_NAME_ID) {
            kind |= dt_shape_value(&a, dt_shape_words);
        }
    }
}


/* the template's word on elements of this kind at the place of e; 0: none */
static uint32_t
dt_shape_info(const dt_scan_t *s, const dt_open_t *e, unsigned kind)
{
    size_t slot;
    uint32_t info;

    slot = dt_table_find(s->nodes, s->node_bits, dt_key_shape(e->path, kind));
    info = slot == DT_TABLE_NONE ? 0 : s->info[slot];

    return info & DT_NODE_SHAPE && dt_scan_in_dir(s, info) ? info : 0;
}


void
dt_shape_open(dt_scan_t *s, dt_open_t *e)
{
    unsigned kinds = 0;

    e->words = 0;
    e->links = 0;

    if (e->state & DT_OPEN_KNOWN && e->flags & DT_TAG_SPECIAL) {
        kinds =
            (dt_shape_info(s, e, DT_SHAPE_NAV) ? DT_SHAPE_NAV : 0u)
            | (dt_shape_info(s, e, DT_SHAPE_BESIDE) ? DT_SHAPE_BESIDE : 0u);
    }

    if (kinds) {
        /* there are some at its place */
        kinds &= dt_shape_kind(&s->token);
        e->state |=
            (uint8_t) ((kinds & DT_SHAPE_NAV ? DT_OPEN_NAV : 0)
                       | (kinds & DT_SHAPE_BESIDE ? DT_OPEN_BESIDE : 0));
    }

    if (s->shape == 0 && e->state & DT_OPEN_SHAPE) {
        s->shape = s->depth;

        if (s->line == DT_LINE_HEADING) {
            /* it may go, whatever it says */
            s->line = DT_LINE_NONE;
        }
    }

    if (s->shape) {
        /* all of it is looked at */
        e->state |= DT_OPEN_KNOWN;
    }
}


void
dt_shape_text(dt_open_t *e, const char *p, const char *end)
{
    uint32_t words = 0;

    while (p < end) {
        while (p < end && (unsigned char) *p > 0x20) {
            p++;
        }

        words++;
        p = dt_skip_white(p, end);
    }

    e->words += words;
    e->links += dt_near(e, DT_TAG_A) ? words : 0;
}


/* whether e is as long as such ones are at its place */
static int
dt_shape_usual(const dt_scan_t *s, const dt_open_t *e, unsigned kind)
{
    return e->words
           <= DT_SERVE_LONGER * (dt_shape_info(s, e, kind) & DT_NODE_WORDS);
}


/* whether e, which ends there, goes */
static int
dt_shape_fits(const dt_scan_t *s, const dt_open_t *e, uint64_t end,
              int implied)
{
    if ((e->state & (DT_OPEN_UNSOUND | DT_OPEN_GLUED))
        || ((e->state & DT_OPEN_CLOSED) && !implied)
        || end - e->start > DT_SCAN_HOLD || e->words == 0)
    {
        return 0;
    }

    if (e->state & DT_OPEN_BESIDE && dt_shape_usual(s, e, DT_SHAPE_BESIDE)) {
        return 1;
    }

    return e->state & DT_OPEN_NAV && dt_shape_usual(s, e, DT_SHAPE_NAV)
           && (uint64_t) e->links * 100
                  >= (uint64_t) e->words * DT_SERVE_LINKS;
}


/*
 * e goes.  It counts as template for those words only that the template found
 * in it, so that what a page is known to show does not depend on shapes.
 */
static void
dt_shape_cut(dt_scan_t *s, const dt_open_t *e, uint64_t end)
{
    uint32_t n = s->nregions, words = 0;

    if (s->alive) {
        /* the last region: part of what may go as well */
        if (n && s->regions[n - 1].start == e->start && s->regions[n - 1].weak)
        {
            s->regions[n - 1].weak = 0;
            s->regions[n - 1].words = 0;
        }

        return;
    }

    while (n && s->regions[n - 1].start >= e->start) {
        words += s->regions[--n].words;
    }

    s->nregions = n;
    (void) dt_scan_region(s, e->start, end, words, e->name_len + 1u, 0, 0);
}


void
dt_shape_close(dt_scan_t *s, dt_open_t *e, uint64_t end, int implied)
{
    unsigned depth = (unsigned) (e - s->stack);
    dt_open_t *parent = e - 1;

    if (e->state & DT_OPEN_SHAPE && dt_shape_fits(s, e, end, implied)) {
        dt_shape_cut(s, e, end);
    }

    if (depth == s->shape) {
        s->shape = 0;
        return;
    }

    parent->words += e->words;
    parent->links += e->links;
    parent->state |= e->state & DT_OPEN_UNSOUND;
}
