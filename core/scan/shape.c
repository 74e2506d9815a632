
/*
 * Copyright (C) The detemplate authors
 *
 * Some navigation is made for each page: links to the previous and next page,
 * breadcrumbs, a footer with a date.  Its words differ on each page, so
 * comparing words never finds it, but its shape repeats: an element that is
 * marked as navigation, or as something beside the content, at a place where
 * most pages have such an element.  The rules (core/rules/shapes.c) say at
 * which places.  There such an element is cut if it is of the size that pages
 * have at this place, and if most of its words are template, in links to pages
 * of the site, or a date.  Links to files or other hosts keep it.  A footer
 * must also be the last part of the page: words of content behind it keep it.
 *
 * The mark is its name, its role, or a word in its class or id.  The words of
 * an aside may be a warning, so that it goes as navigation does.  The footer
 * of a post or a comment (class="post-footer") is a part of it, and names its
 * author: it is not marked.  Only blocks can have a shape, so that no sentence
 * loses a part.
 */


#include "core/scan/line.h"
#include "core/scan/shape.h"
#include "core/template/serve.h"


#define DT_NAME_NAV dt_letters('n', 'a', 'v', 0, 0, 0, 0, 0)
#define DT_NAME_ASIDE dt_letters('a', 's', 'i', 'd', 'e', 0, 0, 0)
#define DT_NAME_FOOTER dt_letters('f', 'o', 'o', 't', 'e', 'r', 0, 0)
#define DT_NAME_ROLE dt_letters('r', 'o', 'l', 'e', 0, 0, 0, 0)
#define DT_NAME_ID dt_letters('i', 'd', 0, 0, 0, 0, 0, 0)

#define DT_SHAPE_PART 0x80 /* with another word: part of the content */

#define DT_SHAPE_WORD 24 /* bytes of the longest word that is compared */
#define DT_SHAPE_LAST 16 /* elements that may be the last part of the page */


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


uint32_t
dt_shape_calls(const dt_token_t *t)
{
    int closed;
    uint64_t name, hash, sum = 0;
    dt_attr_t a;
    const char *c, *p = t->rest;

    for (;;) {
        p = dt_token_next(&a, p, t->end, &closed);

        if (p == NULL || a.name == a.stop) {
            return (uint32_t) (sum >> 32);
        }

        name = dt_name_fold(a.name, a.stop);

        if (name == DT_NAME_CLASS || name == DT_NAME_ID) {
            for (c = a.value, hash = name; c < a.end; c++) {
                hash = *c >= '0' && *c <= '9'
                           ? hash
                           : dt_mix(hash, (unsigned char) *c);
            }

            sum += hash;
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
 * Returns the template's info on elements of this kind at a place, or 0.
 */
/* Returns the template's info on elements of this kind at a place, or 0:
   none. */
static uint32_t
dt_shape_info(const dt_tables_view_t *t, uint64_t path, unsigned kind)
{
    size_t slot;
    uint32_t info;

    slot = dt_table_find(t->nodes, t->node_bits, dt_key_shape(path, kind));
    info = slot == DT_TABLE_NONE ? 0 : t->info[slot];

    return info & DT_NODE_SHAPE && dt_table_in_dir(t, info) ? info : 0;
}


unsigned
dt_shape_named(const dt_tables_view_t *t, uint64_t path, const dt_token_t *tag)
{
    unsigned kinds;

    if (!dt_shape_may(tag)) {
        return 0;
    }

    kinds = (dt_shape_info(t, path, DT_SHAPE_NAV) ? DT_SHAPE_NAV : 0u)
            | (dt_shape_info(t, path, DT_SHAPE_BESIDE) ? DT_SHAPE_BESIDE : 0u);

    return kinds ? kinds & dt_shape_kind(tag) : 0;
}


/* Counts bits that are few: without an instruction for it, the compiler's own
   count is a call. */
static inline uint32_t
dt_words_bits(uint64_t bits)
{
    uint32_t n;

    for (n = 0; bits; n++) {
        bits &= bits - 1;
    }

    return n;
}


/* Returns the words of a text. */
static uint32_t
dt_shape_words(const dt_cut_t *c, const dt_record_t *r)
{
    const char *p = c->page.data + r->start, *end = c->page.data + r->end;
    const char *limit = c->page.data + c->page.len;
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
        words += dt_words_bits(begins);
        len += n - dt_words_bits(white);
    }

    for (; p < end; p++) {
        white = (unsigned char) *p <= ' ';
        words += (uint32_t) (before & ~white);
        len += !white;
        before = white;
    }

    return words ? dt_text_words(words, len + words - 1) : 0;
}


/* whether the link around a text leads to a page of the site */
static int
dt_shape_leads(const dt_cut_t *c, const dt_record_t *r)
{
    int closed;
    dt_attr_t a;
    const char *p;

    while (r->kind != DT_TAG_A && r->parent != DT_RECORD_NONE) {
        r = &c->r[r->parent];
    }

    p = r->kind == DT_TAG_A && r->at ? c->page.data + r->start + r->at : NULL;

    while (p != NULL) {
        p = dt_token_next(&a, p, c->page.data + c->page.len, &closed);

        if (p == NULL || a.name == a.stop) {
            return 0;
        }

        if (dt_name_fold(a.name, a.stop) == DT_NAME_HREF) {
            return dt_address_is_page(&c->scan->address, a.value, a.end);
        }
    }

    return 0;
}


/* whether a text has a year, and so few words that they may be a date */
static int
dt_shape_is_date(const dt_cut_t *c, const dt_record_t *r, uint32_t words)
{
    const char *q, *p = c->page.data + r->start, *end = c->page.data + r->end;

    for (; p < end && words <= DT_SERVE_DATE; p = q + (p == q)) {
        for (q = p; q < end && *q >= '0' && *q <= '9'; q++) {
            /* void */
        }

        if (q - p == 4 && (memcmp(p, "19", 2) == 0 || memcmp(p, "20", 2) == 0))
        {
            return 1;
        }
    }

    return 0;
}


/*
 * Counts the words of r, and as links those of them that are template, in
 * links to pages of the site, or a date.  Returns the number of the other
 * texts, or UINT32_MAX if one of them is a link.  Text behind a link in its
 * line tells of it, so that the line is no entry of a menu.
 */
static uint32_t
dt_shape_own(const dt_cut_t *c, dt_record_t *r)
{
    uint32_t words, own = 0, date = 0, line = UINT32_MAX;
    const dt_record_t *k, *end = c->r + r->next;

    for (k = r + 1, r->links = 0, r->words = 0; k < end; k++) {
        if (k->name || !dt_line_says(c, k)) {
            continue;
        }

        words = dt_shape_words(c, k);
        r->words += words;

        if (k->state & DT_RECORD_FOUND
            && (k->line != line || k->state & DT_RECORD_LINK))
        {
            r->links += words;

        } else if (k->state & DT_RECORD_LINK) {
            if (!dt_shape_leads(c, k)) {
                return UINT32_MAX;
            }

            r->links += words;
            line = k->line;

        } else if (date == 0 && dt_shape_is_date(c, k, words)) {
            date = 1;
            r->links += words;

        } else {
            own++;
        }
    }

    return own;
}


/*
 * Returns the kind of shape by which r is cut, as far as it tells alone, or 0.
 */
static unsigned
dt_shape_fits(const dt_cut_t *c, dt_record_t *r)
{
    unsigned kind;
    uint32_t own;
    uint64_t most;

    if (r->weak || r->end == 0
        || (r->state & (DT_RECORD_UNSOUND | DT_RECORD_OWN))) {
        return 0;
    }

    own = dt_shape_own(c, r);

    if (r->words == 0 || own == UINT32_MAX
        || (uint64_t) r->links * 100 < (uint64_t) r->words * DT_SERVE_LINKS)
    {
        return 0;
    }

    for (kind = DT_SHAPE_NAV; kind <= DT_SHAPE_BESIDE; kind *= 2) {
        most =
            DT_SERVE_LONGER
            * (dt_shape_info(&c->scan->tables, r->path, kind) & DT_NODE_WORDS);

        if ((r->shape & kind) && r->words <= most
            && (kind == DT_SHAPE_BESIDE || own <= DT_SERVE_OWN))
        {
            return kind;
        }
    }

    return 0;
}


/* whether the records from the i-th on are all that comes behind the parts
   beside the content: few of their words stay that are not links */
static int
dt_shape_is_last(const dt_cut_t *c, uint32_t i)
{
    uint32_t words = 0;

    while (i < c->n && words <= DT_SERVE_BEHIND) {
        if (c->r[i].state & DT_RECORD_SHAPED) {
            i = c->r[i].next;
            continue;
        }

        if (c->r[i].name == 0
            && !(c->r[i].state & (DT_RECORD_CUT | DT_RECORD_LINK))) {
            words += dt_shape_words(c, &c->r[i]);
        }

        i++;
    }

    return words <= DT_SERVE_BEHIND;
}


int
dt_shape_cut(const dt_cut_t *c)
{
    int shaped = 0;
    unsigned n = 0;
    uint32_t i, end = 0, last[DT_SHAPE_LAST] = { 0 };
    dt_record_t *r;

    for (i = 0; i < c->nhot; i++) {
        r = &c->r[c->hot[i]];

        if (c->hot[i] < end || !r->shape) {
            continue;
        }

        if (r->state & (DT_RECORD_CUT | DT_RECORD_FORCED)) {
            end = r->next;
            continue;
        }

        switch (dt_shape_fits(c, r)) {

        case DT_SHAPE_NAV:
            r->state |= DT_RECORD_SHAPED;
            end = r->next;
            shaped = 1;
            break;

        case DT_SHAPE_BESIDE:
            last[n % DT_SHAPE_LAST] = c->hot[i];
            n++;
            break;
        }
    }

    /* from the last one on: the others may be behind it */

    for (i = n < DT_SHAPE_LAST ? n : DT_SHAPE_LAST; i-- > 0; n--) {
        r = &c->r[last[(n - 1) % DT_SHAPE_LAST]];

        if (!dt_shape_is_last(c, r->next)) {
            break;
        }

        r->state |= DT_RECORD_SHAPED;
        shaped = 1;
    }

    return shaped;
}
