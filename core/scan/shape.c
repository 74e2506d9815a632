
/*
 * Copyright (C) The detemplate authors
 *
 * Some navigation is made for each page: links to the previous and next page,
 * breadcrumbs, a footer with a date.  Its words differ on each page, so
 * comparing words never finds it, but its shape repeats: an element that is
 * marked as navigation, or as something beside the content, at a place where
 * most pages have such an element.  The rules (core/rules/shapes.c) say at
 * which places.  There the scanner holds such an element until it ends, and
 * cuts it if it is of the size that pages have at this place and, for
 * navigation, consists of links.  A footer must also be the last part of the
 * page: it waits until the page ends, and stays when words of content come.
 *
 * The mark is its name, its role, or a word in its class or id.  What an aside
 * says may be a warning, so that it goes as navigation does.  The footer of a
 * post or a comment (class="post-footer") is a part of it, and says who wrote
 * it: it is not marked.  Only blocks can have a shape, so that no sentence
 * loses a part.
 */


#include "core/scan/known.h"
#include "core/template/serve.h"


#define DT_NAME_NAV dt_letters('n', 'a', 'v', 0, 0, 0, 0, 0)
#define DT_NAME_ASIDE dt_letters('a', 's', 'i', 'd', 'e', 0, 0, 0)
#define DT_NAME_FOOTER dt_letters('f', 'o', 'o', 't', 'e', 'r', 0, 0)
#define DT_NAME_ROLE dt_letters('r', 'o', 'l', 'e', 0, 0, 0, 0)
#define DT_NAME_CLASS dt_letters('c', 'l', 'a', 's', 's', 0, 0, 0)
#define DT_NAME_ID dt_letters('i', 'd', 0, 0, 0, 0, 0, 0)

#define DT_SHAPE_PART 0x80 /* with another word: part of the content */

#define DT_SHAPE_WORD 24 /* bytes of the longest word that is compared */


/* words, '*' for any letters before or behind */
typedef struct {
    const char *word;
    uint8_t len;
    uint8_t kind;
} dt_shape_word_t;

#define DT_SHAPE_IS(word, kind)                                               \
    {                                                                         \
        word, sizeof(word) - 1, kind                                          \
    }

static const dt_shape_word_t dt_shape_roles[] = {
    DT_SHAPE_IS("navigation", DT_SHAPE_NAV),
    DT_SHAPE_IS("complementary", DT_SHAPE_NAV),
    DT_SHAPE_IS("contentinfo", DT_SHAPE_BESIDE),
    DT_SHAPE_IS("main", DT_SHAPE_MAIN),
    { NULL, 0, 0 },
};

static const dt_shape_word_t dt_shape_names[] = {
    DT_SHAPE_IS("nav*", DT_SHAPE_NAV),
    DT_SHAPE_IS("*nav", DT_SHAPE_NAV),
    DT_SHAPE_IS("menu*", DT_SHAPE_NAV),
    DT_SHAPE_IS("*menu", DT_SHAPE_NAV),
    DT_SHAPE_IS("*breadcrumb", DT_SHAPE_NAV),
    DT_SHAPE_IS("*breadcrumbs", DT_SHAPE_NAV),
    DT_SHAPE_IS("pager", DT_SHAPE_NAV),
    DT_SHAPE_IS("paginat*", DT_SHAPE_NAV),
    DT_SHAPE_IS("prev", DT_SHAPE_NAV),
    DT_SHAPE_IS("previous", DT_SHAPE_NAV),
    DT_SHAPE_IS("next", DT_SHAPE_NAV),
    DT_SHAPE_IS("footer*", DT_SHAPE_BESIDE),
    DT_SHAPE_IS("*footer", DT_SHAPE_BESIDE),
    DT_SHAPE_IS("article*", DT_SHAPE_PART),
    DT_SHAPE_IS("comment*", DT_SHAPE_PART),
    DT_SHAPE_IS("entry*", DT_SHAPE_PART),
    DT_SHAPE_IS("post*", DT_SHAPE_PART),
    DT_SHAPE_IS("caption*", DT_SHAPE_PART),
    DT_SHAPE_IS("card*", DT_SHAPE_PART),
    DT_SHAPE_IS("figure*", DT_SHAPE_PART),
    DT_SHAPE_IS("image*", DT_SHAPE_PART),
    DT_SHAPE_IS("item*", DT_SHAPE_PART),
    DT_SHAPE_IS("media*", DT_SHAPE_PART),
    DT_SHAPE_IS("photo*", DT_SHAPE_PART),
    DT_SHAPE_IS("story*", DT_SHAPE_PART),
    { NULL, 0, 0 },
};


/*
 * By a letter, a bit for each one that may follow it at the beginning of a
 * word above, and for each one that may come before it at the end.  They rule
 * nearly all words out.
 */
#define dt_shape_bit(c) (1u << ((c) &31))

static const uint32_t dt_shape_begins[32] = {
    ['a' & 31] = dt_shape_bit('r'),
    ['c' & 31] = dt_shape_bit('a') | dt_shape_bit('o'),
    ['e' & 31] = dt_shape_bit('n'),
    ['f' & 31] = dt_shape_bit('i') | dt_shape_bit('o'),
    ['i' & 31] = dt_shape_bit('m') | dt_shape_bit('t'),
    ['m' & 31] = dt_shape_bit('a') | dt_shape_bit('e'),
    ['n' & 31] = dt_shape_bit('a') | dt_shape_bit('e'),
    ['p' & 31] = dt_shape_bit('a') | dt_shape_bit('h') | dt_shape_bit('o')
                 | dt_shape_bit('r'),
    ['s' & 31] = dt_shape_bit('t'),
};

static const uint32_t dt_shape_ends[32] = {
    ['b' & 31] = dt_shape_bit('m'), ['r' & 31] = dt_shape_bit('e'),
    ['s' & 31] = dt_shape_bit('b'), ['u' & 31] = dt_shape_bit('n'),
    ['v' & 31] = dt_shape_bit('a'),
};


/* whether the word [p, end) may be one of those above */
static inline int
dt_shape_may_be(const char *p, const char *end)
{
    return end - p > 2 && end - p <= DT_SHAPE_WORD
           && ((dt_shape_begins[p[0] & 31] & dt_shape_bit(p[1]))
               || (dt_shape_ends[end[-1] & 31] & dt_shape_bit(end[-2])));
}


static inline int
dt_shape_is(const char *word, size_t len, const dt_shape_word_t *known)
{
    size_t n = known->len - 1u;
    const char *k = known->word;

    if (k[0] == '*') {
        return len >= n && k[n] == word[len - 1]
               && memcmp(word + len - n, k + 1, n) == 0;
    }

    if (k[0] != word[0]) {
        return 0;
    }

    return k[n] == '*' ? len >= n && memcmp(word, k, n) == 0
                       : len == n + 1 && memcmp(word, k, len) == 0;
}


/* the kinds that the words of one name have together */
static unsigned
dt_shape_name(unsigned words)
{
    return words & DT_SHAPE_PART
               ? words & ~(unsigned) (DT_SHAPE_PART | DT_SHAPE_BESIDE)
               : words;
}


/*
 * the kinds that the words of an attribute's value name; words are runs of
 * letters, and several may be one name
 */
static unsigned
dt_shape_value(const dt_attr_t *a, const dt_shape_word_t *known)
{
    size_t i, len;
    unsigned kind = 0, name = 0;
    char word[DT_SHAPE_WORD];
    const char *w, *p = a->value;
    const dt_shape_word_t *k;

    while (p < a->end) {
        /* a value ends before a byte that is no letter */

        for (w = p; dt_char_is(*p, DT_C_ALPHA); p++) {
            /* void */
        }

        len = (size_t) (p - w);

        if (dt_shape_may_be(w, p)) {
            for (i = 0; i < len; i++) {
                word[i] = (char) (w[i] | 0x20);
            }

            for (k = known; k->word != NULL; k++) {
                name |= dt_shape_is(word, len, k) ? k->kind : 0u;
            }
        }

        if (p < a->end && dt_char_is(*p, DT_C_SPACE)) {
            kind |= dt_shape_name(name);
            name = 0;
        }

        p += p < a->end && len == 0;
    }

    return kind | dt_shape_name(name);
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

    kind = t->name == DT_NAME_NAV || t->name == DT_NAME_ASIDE ? DT_SHAPE_NAV
           : t->name == DT_NAME_FOOTER                        ? DT_SHAPE_BESIDE
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
            kind |= dt_shape_value(&a, dt_shape_names);
        }
    }
}


/* whether a start tag may name one: most have no attribute, and another
   name */
static int
dt_shape_may(const dt_token_t *t)
{
    return *t->rest != '>' || t->name == DT_NAME_NAV
           || t->name == DT_NAME_ASIDE || t->name == DT_NAME_FOOTER;
}


/*
 * what the template says of elements of this kind at the place of e; 0:
 * nothing
 */
static uint32_t
dt_shape_info(const dt_scan_t *s, const dt_open_t *e, unsigned kind)
{
    size_t slot;
    uint32_t info;

    slot = dt_table_find(s->nodes, s->node_bits, dt_key_shape(e->path, kind));
    info = slot == DT_TABLE_NONE ? 0 : s->info[slot];

    return info & DT_NODE_SHAPE && dt_scan_in_dir(s, info) ? info : 0;
}


/* the same as dt_shape_kind(), of s->token, which may have come before */
static unsigned
dt_shape_again(dt_scan_t *s)
{
    const dt_token_t *t = &s->token;
    size_t len = (size_t) (t->end - t->rest);
    uint64_t hash, *tag;

    if (s->memo == NULL || len > DT_MEMO_TAG) {
        return dt_shape_kind(t);
    }

    hash = dt_hash(t->rest, len, s->stack[0].path ^ t->name);
    tag = &s->memo->tags[hash >> 8 & (DT_MEMO_TAGS - 1)];

    if ((*tag ^ hash) >> 8) {
        *tag = (hash & ~(uint64_t) 255) | dt_shape_kind(t);
    }

    return *tag & 255;
}


void
dt_shape_open(dt_scan_t *s, dt_open_t *e)
{
    unsigned kinds = 0;

    e->words = 0;
    e->links = 0;

    if (e->state & DT_OPEN_KNOWN && e->flags & DT_TAG_SPECIAL
        && dt_shape_may(&s->token))
    {
        kinds =
            (dt_shape_info(s, e, DT_SHAPE_NAV) ? DT_SHAPE_NAV : 0u)
            | (dt_shape_info(s, e, DT_SHAPE_BESIDE) ? DT_SHAPE_BESIDE : 0u);
    }

    if (kinds) {
        /* pages have such elements at this place */
        kinds &= dt_shape_again(s);
        e->state |=
            (uint8_t) ((kinds & DT_SHAPE_NAV ? DT_OPEN_NAV : 0)
                       | (kinds & DT_SHAPE_BESIDE ? DT_OPEN_BESIDE : 0));
    }

    if (s->shape == 0 && e->state & DT_OPEN_SHAPE) {
        s->shape = s->depth;
        s->shaped = e->start;

        if (s->line == DT_LINE_HEADING) {
            /* the element may be cut, whatever its words are */
            s->line = DT_LINE_NONE;
        }
    }

    if (s->shape || s->last) {
        /* all words are looked at */
        e->state |= DT_OPEN_KNOWN;
    }
}


/* Counts bits that are few: without an instruction for it, the compiler's own
   count is a call. */
static inline uint32_t
dt_shape_bits(uint64_t bits)
{
    uint32_t n;

    for (n = 0; bits; n++) {
        bits &= bits - 1;
    }

    return n;
}


uint32_t
dt_shape_words(const char *p, const char *end, const char *limit)
{
    size_t n, len = 0;
    uint32_t words = 0;
    uint64_t white, begins, before = 1; /* the byte before is white space */

    for (; p < end && limit - p >= DT_BLOCK; p += n) {
        n = end - p < DT_BLOCK ? (size_t) (end - p) : DT_BLOCK;
        white = dt_mask_bits(dt_block_mask(dt_block_le(dt_block_load(p), ' ')))
                & (((uint64_t) 1 << n) - 1);

        /* a word begins behind white space */

        begins = ~white & (white << 1 | before) & (((uint64_t) 1 << n) - 1);
        before = white >> (n - 1);
        words += dt_shape_bits(begins);
        len += n - dt_shape_bits(white);
    }

    for (; p < end; p++) {
        white = (unsigned char) *p <= ' ';
        words += (uint32_t) (before & ~white);
        len += !white;
        before = white;
    }

    return words ? dt_text_words(words, len + words - 1) : 0;
}


void
dt_shape_text(dt_open_t *e, const char *p, const char *end, const char *limit)
{
    uint32_t words = dt_shape_words(p, end, limit);

    e->words += words;
    e->links += dt_near(e, DT_TAG_A) ? words : 0;
}


void
dt_shape_kill(dt_scan_t *s)
{
    unsigned n;

    for (n = s->shape; n && n <= s->depth; n++) {
        s->stack[n].state &= (uint8_t) ~DT_OPEN_SHAPE;
    }

    s->out_of_place += s->shape != 0;
    s->shape = 0;
}


/* whether e has the size that pages have at its place */
static int
dt_shape_usual(const dt_scan_t *s, const dt_open_t *e, unsigned kind)
{
    return e->words
           <= DT_SERVE_LONGER * (dt_shape_info(s, e, kind) & DT_NODE_WORDS);
}


/* the kind of shape by which e, which ends at this offset, is cut, or 0 */
static unsigned
dt_shape_fits(const dt_scan_t *s, const dt_open_t *e, uint64_t end,
              int implied)
{
    if ((e->state & (DT_OPEN_UNSOUND | DT_OPEN_GLUED))
        || ((e->state & DT_OPEN_CLOSED) && !implied)
        || end - e->start > DT_SCAN_HOLD || e->words == 0)
    {
        return 0;
    }

    if (e->state & DT_OPEN_NAV && dt_shape_usual(s, e, DT_SHAPE_NAV)
        && (uint64_t) e->links * 100 >= (uint64_t) e->words * DT_SERVE_LINKS)
    {
        return DT_SHAPE_NAV;
    }

    return e->state & DT_OPEN_BESIDE && dt_shape_usual(s, e, DT_SHAPE_BESIDE)
               ? DT_SHAPE_BESIDE
               : 0;
}


/*
 * Cuts e.  Only the words that the template found in it count as template, so
 * that the coverage of a page does not depend on shapes.
 */
static void
dt_shape_cut(dt_scan_t *s, const dt_open_t *e, uint64_t end, unsigned kind)
{
    uint32_t n = s->nregions, words = 0;

    if (s->alive) {
        /*
         * the last region is inside of an element that may be cut by its shape
         */
        if (n && s->regions[n - 1].start == e->start && s->regions[n - 1].weak)
        {
            s->regions[n - 1].weak = 0;
            s->regions[n - 1].words = 0;
        }

        return;
    }

    if (n && s->regions[n - 1].start == e->start
        && s->regions[n - 1].len == end - e->start)
    {
        /* it is template by what it says */
        return;
    }

    while (n && s->regions[n - 1].start >= e->start) {
        words += s->regions[--n].words;
    }

    s->nregions = n;

    if (dt_scan_region(s, e->start, end, words, e->name_len + 1u, 0, 0)
        && kind == DT_SHAPE_BESIDE)
    {
        s->regions[s->nregions - 1].last = 1;
        s->behind = s->last ? s->behind : 0;
        s->last = s->last && s->last <= e->start ? s->last : e->start + 1;
    }
}


void
dt_shape_close(dt_scan_t *s, dt_open_t *e, uint64_t end, int implied)
{
    unsigned kind = 0, depth = (unsigned) (e - s->stack);
    dt_open_t *parent = e - 1;

    if (e->state & DT_OPEN_SHAPE) {
        kind = dt_shape_fits(s, e, end, implied);

        if (kind) {
            dt_shape_cut(s, e, end, kind);
        }
    }

    if (depth == s->shape) {
        s->shape = 0;

        if (!kind) {
            dt_shape_stays(s, e->words - e->links);
        }

        return;
    }

    parent->words += e->words;
    parent->links += e->links;
    parent->state |= e->state & DT_OPEN_UNSOUND;
}
