
/*
 * Copyright (C) The detemplate authors
 *
 * Whether a stripped page is the page without what was cut for a parser, too:
 * both are parsed, and what the parser sees is compared.
 *
 * What is compared are the elements, by name, attributes and how many elements
 * are around them, and the words between those.  An element that the parser
 * makes up (tbody, a second b, ...) counts when something that is kept is in
 * it, since where all that made it do so is cut it does not.
 */


#ifndef DT_SAME_H_INCLUDED_
#define DT_SAME_H_INCLUDED_


#include <gumbo.h>
#include <strings.h>

#include "core/scan/scan.h"
#include "site.h"


/* the bytes of a page that are kept: 1, and cut: 0 */
typedef struct {
    buf_t kept;
    size_t off;
    int cut;
} cuts_t;


/* annotate gives out all of a page, and marks around what strip cuts */
static const dt_wrap_t cuts_wrap = {
    { 1, "=" }, { 1, "(" }, { 1, ")" }, { 1, "=" }
};


static inline int
cuts_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    cuts_t *c = data;

    if (kind == DT_OUT_MARK) {
        c->cut = *p == '=' ? c->cut : *p == '(';
        return 0;
    }

    memset(c->kept.data + c->off, !c->cut, len);
    c->off += len;

    return 0;
}


#define SEEN_MADE_UP                                                          \
    (GUMBO_INSERTION_IMPLIED | GUMBO_INSERTION_CONVERTED_FROM_END_TAG         \
     | GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT                       \
     | GUMBO_INSERTION_ADOPTION_AGENCY_CLONED)


/* one thing that the parser saw */
typedef struct {
    uint64_t hash;
    dt_str_t name; /* empty: text */
    uint32_t start;
} seen_t;


typedef struct {
    buf_t list; /* seen_t */
    buf_t made; /* seen_t: made up around what comes, not yet in the list */
    uint64_t words;
    uint32_t start;
    unsigned depth; /* of the words */
} seen_list_t;


/* the words up to here are a text */
static inline void
seen_words(seen_list_t *l)
{
    seen_t s = { dt_mix(l->words, l->depth), { 0, "" }, l->start };

    if (l->words) {
        buf_add(&l->list, (const char *) &s, sizeof(s));
        l->words = 0;
    }
}


/* something comes that is kept: what it is in is there as well */
static inline void
seen_made(seen_list_t *l)
{
    if (l->made.len) {
        seen_words(l);
        buf_add(&l->list, l->made.data, l->made.len);
        l->made.len = 0;
    }
}


/* the bytes of a space at i, as the scanner has it, or 0 */
static inline uint32_t
seen_space(const char *src, uint32_t i, uint32_t end)
{
    static const char *const spaces[] = { "\xc2\xa0", "&nbsp;", "&#160;" };

    if ((unsigned char) src[i] <= 0x20) {
        return 1;
    }

    for (size_t k = 0; k < sizeof(spaces) / sizeof(spaces[0]); k++) {
        if (end - i >= strlen(spaces[k])
            && memcmp(src + i, spaces[k], strlen(spaces[k])) == 0)
        {
            return (uint32_t) strlen(spaces[k]);
        }
    }

    return 0;
}


/* the byte behind a tag at i, or i: tags that a parser ignores are in text */
static inline uint32_t
seen_tag(const char *src, uint32_t i, uint32_t end)
{
    enum { NEXT, NAME, BEHIND, EQUALS, VALUE } at = NEXT;
    uint32_t n = i + 1;
    int markup;
    const char *quote;

    if (src[i] != '<' || n == end
        || (strchr("/!?", src[n]) == NULL
            && !((src[n] | 32) >= 'a' && (src[n] | 32) <= 'z')))
    {
        return i;
    }

    markup = (src[n] == '!' || src[n] == '?'); /* has no attributes */

    for (n++; n < end && (src[n] == '\0' || !strchr(" \t\n\r\f/>", src[n]));
         n++) {
        /* the name */
    }

    for (; n < end && src[n] != '>'; n++) {
        if (markup) {
            continue;
        }

        if (src[n] != '\0' && strchr(" \t\n\r\f", src[n])) {
            at = at == NAME ? BEHIND : at == VALUE ? NEXT : at;

        } else if (at == EQUALS && (src[n] == '"' || src[n] == '\'')) {
            quote = memchr(src + n + 1, src[n], end - n - 1);
            n = quote != NULL ? (uint32_t) (quote - src) : end - 1;
            at = NEXT;

        } else if (at == EQUALS || at == VALUE) {
            at = VALUE;

        } else if (src[n] == '=' && at != NEXT) {
            at = EQUALS;

        } else {
            at = src[n] == '/' ? NEXT : NAME;
        }
    }

    return n < end ? n + 1 : end;
}


/* of each byte of src whether it is kept; NULL: all are */
typedef struct {
    const char *src;
    size_t len;
    const char *kept;
} seen_page_t;


/* the words of a text node, as far as they are kept */
static inline void
seen_text(seen_list_t *l, const seen_page_t *page, uint32_t i, uint32_t end,
          unsigned depth)
{
    uint32_t n;
    uint64_t word = 0;
    const char *src = page->src;

    while (i < end) {
        n = seen_tag(src, i, end);
        n += n == i ? seen_space(src, i, end) : 0;

        if (n > i) {
            l->words = word ? dt_mix(l->words, word) : l->words;
            word = 0;
            i = n;
            continue;
        }

        if (page->kept == NULL || page->kept[i]) {
            seen_made(l);
            l->start = l->words || word ? l->start : i;
            l->depth = depth;
            word = dt_mix(word, (unsigned char) src[i]);
        }

        i++;
    }

    l->words = word ? dt_mix(l->words, word) : l->words;
}


/* the '<' of a tag: gumbo takes each "</>" before it for a part of it */
static inline const char *
seen_start(const GumboElement *e)
{
    const char *p = e->original_tag.data;

    while (e->original_tag.length && p[1] == '/') {
        p += 3;
    }

    return p;
}


static inline dt_str_t
seen_name(const GumboElement *e)
{
    const char *p = seen_start(e) + 1;

    return (dt_str_t){ strcspn(p, " \t\n\r\f/>"), p };
}


/* html, head and body as the parser makes them up: which of them the first of
   what does not show stands in is the same to a reader */
static inline int
seen_is_page(const GumboElement *e, unsigned flags)
{
    return (flags & SEEN_MADE_UP)
           && (e->tag == GUMBO_TAG_HTML || e->tag == GUMBO_TAG_HEAD
               || e->tag == GUMBO_TAG_BODY);
}


/* and so are the parts of a table: what does not show may stand behind a row
   that is cut, in a tbody that was made up for that */
static inline int
seen_is_part(const GumboElement *e, unsigned flags)
{
    return (flags & SEEN_MADE_UP)
           && (e->tag == GUMBO_TAG_TBODY || e->tag == GUMBO_TAG_TR
               || e->tag == GUMBO_TAG_COLGROUP);
}


static inline uint64_t
seen_element(const GumboElement *e, dt_str_t name, unsigned depth)
{
    unsigned i;
    uint64_t hash;
    const GumboAttribute *a;

    hash = dt_hash(name.data, name.len, depth);

    for (i = 0; i < e->attributes.length; i++) {
        a = e->attributes.data[i];
        hash = dt_hash(a->name, strlen(a->name), hash);
        hash = dt_hash(a->value, strlen(a->value), hash);
    }

    return hash;
}


/* an element of which nothing is cut, when it is not cut as a whole */
static inline int
seen_is_raw(const GumboNode *node)
{
    switch (node->v.element.tag) {

    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_TITLE:
    case GUMBO_TAG_TEXTAREA:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_NOEMBED:
    case GUMBO_TAG_NOFRAMES:
    case GUMBO_TAG_XMP:
    case GUMBO_TAG_PLAINTEXT:
        return node->v.element.tag_namespace == GUMBO_NAMESPACE_HTML;

    default:
        return 0;
    }
}


static inline void
seen_node(seen_list_t *l, const seen_page_t *page, const GumboNode *node,
          unsigned depth)
{
    int kept = 0;
    unsigned i;
    size_t made;
    uint32_t start;
    seen_t one = { 0 };
    dt_str_t name;
    const seen_page_t all = { page->src, page->len, NULL };
    const GumboElement *e = &node->v.element;
    const GumboStringPiece *text = &node->v.text.original_text;

    switch (node->type) {

    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_CDATA:
        if (text->data < page->src || text->data > page->src + page->len) {
            return;
        }

        start = (uint32_t) (text->data - page->src);
        seen_text(l, seen_is_raw(node->parent) ? &all : page, start,
                  start + (uint32_t) text->length, depth);
        return;

    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
        break;

    default:
        return;
    }

    if (seen_is_page(e, node->parse_flags)
        || seen_is_part(e, node->parse_flags)) {
        depth += !seen_is_part(e, node->parse_flags);

        for (i = 0; i < e->children.length; i++) {
            seen_node(l, page, e->children.data[i], depth);
        }

        return;
    }

    if (e->original_tag.length && (node->parse_flags & SEEN_MADE_UP) == 0) {
        name = seen_name(e);
        one.start = (uint32_t) (seen_start(e) - page->src);

        if (page->kept != NULL && !page->kept[one.start]) {
            return;
        }

        kept = 1;

    } else if (e->original_tag.length) {
        name = seen_name(e);

    } else {
        name = dt_cstr(gumbo_normalized_tagname(e->tag));
    }

    one.name = name;
    one.hash = seen_element(e, name, depth);
    made = l->made.len;
    buf_add(&l->made, (const char *) &one, sizeof(one));

    if (kept) {
        seen_words(l);
        seen_made(l);
    }

    for (i = 0; i < e->children.length; i++) {
        seen_node(l, page, e->children.data[i], depth + 1);
    }

    if (l->made.len > made) {
        l->made.len = made;

    } else {
        seen_words(l);
    }
}


static inline void
seen_page(seen_list_t *l, dt_str_t src, const char *kept)
{
    size_t bom;
    GumboOutput *out;
    GumboOptions opts = kGumboDefaultOptions;
    seen_page_t page = { src.data, src.len, kept };

    opts.max_errors = 0;
    /* gumbo takes a byte order mark for text */
    bom = src.len >= 3 && memcmp(src.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    out = gumbo_parse_with_options(&opts, src.data + bom, src.len - bom);
    seen_node(l, &page, out->root, 0);
    seen_words(l);
    gumbo_destroy_output(&opts, out);
}


/* whether gumbo, which has no bounds, may have a page: it is not deep */
static inline int
may_parse(const buf_t *page)
{
    dt_record_t *records;
    size_t n;
    dt_str_t none = dt_str("");

    if (dt_scan_records((dt_str_t){ page->len, page->data }, 0, none, none,
                        &records, &n)
        != DT_OK)
    {
        return 0;
    }

    free(records);

    return 1;
}


/* whether what is left of a page, of which kept says what that is, is the same
   page without the rest; -1: not to be parsed */
static inline int
same_pages(const char *path, const buf_t *page, const char *kept,
           const buf_t *left)
{
    int same = -1;
    size_t i, n;
    seen_t *a, *b;
    seen_list_t want = { 0 }, got = { 0 };

    if (may_parse(page)) {
        seen_page(&want, (dt_str_t){ page->len, page->data }, kept);
        seen_page(&got, (dt_str_t){ left->len, left->data ? left->data : "" },
                  NULL);
        a = (seen_t *) (void *) want.list.data;
        b = (seen_t *) (void *) got.list.data;
        n = want.list.len < got.list.len ? want.list.len : got.list.len;
        same = want.list.len == got.list.len;

        for (i = 0; i < n / sizeof(seen_t); i++) {
            if (a[i].hash != b[i].hash) {
                printf("#   %s: <%.*s> at %u of the page is <%.*s> at %u\n",
                       path, (int) a[i].name.len, a[i].name.data, a[i].start,
                       (int) b[i].name.len, b[i].name.data, b[i].start);
                same = 0;
                break;
            }
        }
    }

    buf_free(&want.list);
    buf_free(&want.made);
    buf_free(&got.list);
    buf_free(&got.made);

    return same;
}


/* whether the noscript at an offset of a page is one whose elements the
   scanner reads, or that is its end tag */
static inline int
same_is_element(const buf_t *b, size_t at, const dt_record_t *r, size_t n)
{
    size_t i, end;

    for (i = 0; i < n; i++) {
        if (r[i].name == DT_NAME_NOSCRIPT && !(r[i].state & DT_RECORD_LEAF)) {
            for (end = r[i].end; end && b->data[end - 1] != '<'; end--) {
                /* void */
            }

            if (at == r[i].start + 1u || at == end + 1) {
                return 1;
            }
        }
    }

    return 0;
}


/*
 * gumbo executes no scripts, and then elements that stay open in a noscript
 * keep it open.  For a parser that does execute them, its inside is text, as
 * that of noframes is for both.
 */
static inline void
same_scripts(buf_t *b)
{
    dt_record_t *records = NULL;
    size_t n = 0;
    dt_str_t none = dt_str("");

    (void) dt_scan_records((dt_str_t){ b->len, b->data }, 0, none, none,
                           &records, &n);

    for (size_t i = 0; i + 8 <= b->len; i++) {
        if (strncasecmp(b->data + i, "noscript", 8) == 0
            && !same_is_element(b, i, records, n))
        {
            memcpy(b->data + i, "noframes", 8);
        }
    }

    free(records);
}


/* of each byte of a page whether it is kept */
static inline void
kept_of(const void *tmpl, const char *path, const buf_t *page, buf_t *kept)
{
    cuts_t cuts = { 0 };
    dt_rewrite_opts_t o = { .tmpl = tmpl, .mode = DT_ANNOTATE };

    buf_fill(&cuts.kept, "", page->len);
    buf_add(&cuts.kept, page->data, page->len);
    o.wrap = &cuts_wrap;
    o.before = cuts_wrap.begin;
    o.after = cuts_wrap.end;
    o.bold = site_bold;
    o.hand = site_hand;
    o.host = dt_cstr(site_host);
    o.path = dt_cstr(path);
    o.out = cuts_out;
    o.out_data = &cuts;

    if (dt_rewrite_page(&o, (dt_str_t){ page->len, page->data }, NULL)
        != DT_OK) {
        abort();
    }

    *kept = cuts.kept;
}


/* 1: the same; 0: not, with the difference printed; -1: not to be parsed */
static inline int
same_tree(const void *tmpl, const char *path, const buf_t *page)
{
    int same;
    size_t i;
    buf_t left = { 0 }, copy = { 0 }, kept;

    kept_of(tmpl, path, page, &kept);
    buf_add(&copy, page->data, page->len);
    same_scripts(&copy);

    for (i = 0; i < page->len; i++) {
        if (kept.data[i]) {
            buf_add(&left, copy.data + i, 1);
        }
    }

    same = same_pages(path, &copy, kept.data, &left);

    buf_free(&kept);
    buf_free(&copy);
    buf_free(&left);

    return same;
}


#endif /* DT_SAME_H_INCLUDED_ */
