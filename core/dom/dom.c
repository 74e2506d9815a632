
/*
 * Copyright (C) The detemplate authors
 *
 * gumbo builds a tree in memory that is freed on return.  This file walks the
 * tree once, into an array in preorder, and then makes nodes, hashes and
 * source ranges by loops over the array.
 *
 * gumbo recurses only to free a body that a frameset replaces.
 */


#include <gumbo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/time.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/tags.h"
#include "core/dom/dom.h"
#include "core/dom/span.h"


/* an attribute as two C strings: the name is in lower case, entities of the
   value are decoded */
typedef struct {
    const char *name;
    const char *value;
} dt_node_attr_t;


/* returns the next run of bytes that are not white space, and moves *p behind
   it; the length is 0 at the end */
static dt_str_t
dt_token(const char **p, const char *end)
{
    const char *s = *p;
    dt_str_t t;

    while (s < end && dt_is_space(*s)) {
        s++;
    }

    t.data = s;

    while (s < end && !dt_is_space(*s)) {
        s++;
    }

    t.len = (size_t) (s - t.data);
    *p = s;

    return t;
}


/* Returns a copy of the name in lower case, in memory of the arena; its data
   is NULL if there is no memory. */
static dt_str_t
dt_node_name(const char *text, size_t len, dt_arena_t *arena)
{
    char *s;

    s = dt_arena_alloc(arena, len + 1);

    for (size_t i = 0; s != NULL && i < len; i++) {
        s[i] = dt_lower(text[i]);
    }

    return (dt_str_t){ len, s };
}


/* Returns whether elements of that name are leaves of a dom, even if they
   contain nodes. */
static int
dt_node_is_leaf(dt_str_t name)
{
    static const char *const names[] = {
        "script", "style", "template", "svg", "math", "iframe", NULL,
    };

    return dt_str_among(name, names);
}


/*
 * Sets the position in the tree, and the range in the source, of the node of
 * span i; n is the number of spans.  nodes has the index in dom of each span,
 * or DT_DOM_NONE.  It must be called for spans in their order, since it counts
 * the children of their parents.
 */
static void
dt_node_set_position(dt_dom_t *dom, const dt_span_t *spans,
                     const uint32_t *nodes, uint32_t n, uint32_t i)
{
    dt_node_t *node = &dom->nodes[nodes[i]], *up;
    const dt_span_t *s = &spans[i];
    uint32_t next = s->next;

    while (next < n && nodes[next] == DT_DOM_NONE) {
        next++;
    }

    node->next = next < n ? nodes[next] : dom->n;
    node->parent = DT_DOM_NONE;

    if (s->parent != DT_SPAN_NONE) {
        node->parent = nodes[s->parent];
        up = &dom->nodes[node->parent];
        node->depth = up->depth + 1;
        node->index = up->nchildren++;
    }

    if (s->sound) {
        node->start = s->start;
        node->end = s->end;
        node->open_end = s->name.len ? s->open_end : 0;
    }
}


/* returns the value of an attribute, or NULL */
static const char *
dt_attr(const dt_node_attr_t *attrs, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(attrs[i].name, name) == 0) {
            return attrs[i].value;
        }
    }

    return NULL;
}


/* sorts n hashes and removes duplicates; returns the number that remains */
static uint32_t
dt_hash_set(uint64_t *h, uint32_t n)
{
    uint32_t k = 0;

    if (n == 0) {
        return 0;
    }

    qsort(h, n, sizeof(uint64_t), dt_index_cmp);

    for (uint32_t i = 1; i < n; i++) {
        if (h[i] != h[k]) {
            h[++k] = h[i];
        }
    }

    return k + 1;
}


/*
 * Sets id, classes and attributes of node.  Hashes are written to dom->hashes
 * from *at on, and *at moves behind them.  There must be room for one hash for
 * each attribute and one for each second byte of class.
 */
static void
dt_node_set_attrs(dt_dom_t *dom, dt_node_t *node, const dt_node_attr_t *attrs,
                  uint32_t nattrs, uint32_t *at)
{
    const dt_node_attr_t *a;
    const char *p, *end;
    uint32_t n = 0;
    dt_str_t t;

    p = dt_attr(attrs, nattrs, "id");
    if (p != NULL && *p != '\0') {
        node->id = dt_hash(p, strlen(p), 0);
    }

    p = dt_attr(attrs, nattrs, "class");
    node->classes = *at;

    if (p != NULL) {
        end = p + strlen(p);

        while ((t = dt_token(&p, end)).len) {
            dom->hashes[*at + n++] = dt_hash(t.data, t.len, 0);
        }
    }

    node->nclasses = dt_hash_set(dom->hashes + *at, n);
    *at += node->nclasses;
    node->attrs = *at;
    n = 0;

    for (uint32_t i = 0; i < nattrs; i++) {
        a = &attrs[i];

        if (strcmp(a->name, "id") != 0 && strcmp(a->name, "class") != 0) {
            dom->hashes[*at + n++] =
                dt_hash(a->value, strlen(a->value),
                        dt_hash(a->name, strlen(a->name), 0));
        }
    }

    node->nattrs = dt_hash_set(dom->hashes + *at, n);
    *at += node->nattrs;
}


/* copies a URL without the white space around it */
static dt_status_t
dt_set_href(const char *value, dt_arena_t *arena, dt_str_t *out)
{
    const char *end = value + strlen(value);

    while (value < end && dt_is_space(*value)) {
        value++;
    }

    while (value < end && dt_is_space(end[-1])) {
        end--;
    }

    *out = dt_arena_strdup(arena, (dt_str_t){ (size_t) (end - value), value });

    return out->data ? DT_OK : DT_ENOMEM;
}


/*
 * Appends the node, an <a> or <area>, to dom->anchors if it has a href.  There
 * must be room for it.  The href is copied to the arena.  DT_ENOMEM: there is
 * no memory.
 */
static dt_status_t
dt_node_set_anchor(dt_dom_t *dom, uint32_t node, const dt_node_attr_t *attrs,
                   uint32_t nattrs, dt_arena_t *arena)
{
    const char *href, *p, *end;
    dt_anchor_t *a;
    dt_str_t t;

    href = dt_attr(attrs, nattrs, "href");
    if (href == NULL) {
        return DT_OK;
    }

    a = &dom->anchors[dom->nanchors++];
    a->node = node;

    p = dt_attr(attrs, nattrs, "rel");

    if (p != NULL) {
        end = p + strlen(p);

        while ((t = dt_token(&p, end)).len) {
            a->nofollow |=
                t.len == 8 && strncasecmp(t.data, "nofollow", 8) == 0;
        }
    }

    return dt_set_href(href, arena, &a->href);
}


/* Sets dom->base if this is the first <base> with a href, which is copied to
   the arena.  DT_ENOMEM: there is no memory. */
static dt_status_t
dt_node_set_base(dt_dom_t *dom, const dt_node_attr_t *attrs, uint32_t nattrs,
                 dt_arena_t *arena)
{
    const char *href;

    href = dt_attr(attrs, nattrs, "href");
    if (href == NULL || dom->base.data != NULL) {
        return DT_OK;
    }

    return dt_set_href(href, arena, &dom->base);
}


/* Returns whether the attributes of a <meta> say that another page is shown
   instead, without a delay. */
static int
dt_node_is_redirect(const dt_node_attr_t *attrs, uint32_t nattrs)
{
    const char *is = dt_attr(attrs, nattrs, "http-equiv");
    const char *p = dt_attr(attrs, nattrs, "content");

    if (is == NULL || p == NULL || strcasecmp(is, "refresh") != 0) {
        return 0;
    }

    p += strspn(p, " \t\n\f\r");

    if (*p != '0') {
        return 0;
    }

    p += strspn(p, "0.");
    p += strspn(p, " \t\n\f\r;,");

    /* without a URL, the same page is loaded again */

    return *p != '\0' && (*p < '0' || *p > '9');
}


/*
 * Sets words and text of node from its text, a C string.  U+00A0 counts as
 * white space, since pages use it as such.
 */
static void
dt_node_set_text(dt_node_t *node, const char *text)
{
    const char *p = text, *end = text + strlen(text), *nbsp;
    dt_str_t t;

    node->text = dt_hash("", 0, 0);

    while ((t = dt_token(&p, end)).len) {
        nbsp = memmem(t.data, t.len, "\xc2\xa0", 2);
        if (nbsp != NULL) {
            p = nbsp + 2;
            t.len = (size_t) (nbsp - t.data);
        }

        if (t.len) {
            node->text = dt_mix(node->text, dt_hash(t.data, t.len, 0));
            node->words++;
        }
    }
}


/*
 * gumbo has no bounds of its own.  A page can be made so that gumbo's stack of
 * open elements grows with each tag, and then each tag or letter takes as long
 * as the stack is deep; the attributes of a tag take the square of their
 * number.  Most of that time gumbo does not allocate, so a timer interrupts
 * it.
 *
 * gumbo is left by siglongjmp(), by its allocator or by the handler of the
 * signal.  All that gumbo holds is memory of an arena.  While it allocates,
 * malloc() must not be interrupted, so the handler leaves it to the allocator
 * to end the parse.
 */

typedef struct {
    dt_arena_t *arena;
    sigjmp_buf leave;
    volatile sig_atomic_t allocates;
    volatile sig_atomic_t late; /* the time was used up meanwhile */
} dt_parse_t;


static dt_parse_t *volatile dt_parse_running;


static void
dt_parse_time(int signo)
{
    dt_parse_t *p = dt_parse_running;

    (void) signo;

    if (p == NULL) {
        return;
    }

    if (p->allocates) {
        p->late = 1;
        return;
    }

    siglongjmp(p->leave, 1);
}


static void *
dt_parse_alloc(void *data, size_t size)
{
    dt_parse_t *p = data;
    void *m;

    p->allocates = 1;
    m = dt_arena_alloc(p->arena, size);
    p->allocates = 0;

    if (m == NULL || p->late) {
        siglongjmp(p->leave, 1); /* gumbo does not check for NULL */
    }

    return m;
}


static void
dt_parse_free(void *data, void *p)
{
    (void) data;
    (void) p;
}


static const GumboNode *
dt_parse_run(dt_parse_t *p, dt_str_t src)
{
    GumboOptions options = kGumboDefaultOptions;
    const GumboOutput *output;

    options.allocator = dt_parse_alloc;
    options.deallocator = dt_parse_free;
    options.userdata = p;
    options.max_errors = 0; /* an error record is a copy of the stack */

    if (sigsetjmp(p->leave, 1)) {
        dt_parse_running = NULL;
        return NULL;
    }

    dt_parse_running = p;
    output =
        gumbo_parse_with_options(&options, src.len ? src.data : "", src.len);

    /* the handler must not jump into a function that has returned */
    dt_parse_running = NULL;

    return output->root;
}


/*
 * Returns the root of gumbo's tree, in memory of the arena; NULL: the memory
 * of the arena is used up, or the time of the processor, which is at least a
 * millisecond.  The process uses SIGPROF and its timer meanwhile, so only one
 * page is parsed at a time.
 */
static const GumboNode *
dt_parse(dt_str_t src, unsigned max_ms, dt_arena_t *arena)
{
    static const struct itimerval none;
    dt_parse_t p = { .arena = arena };
    struct itimerval timer = none;
    struct sigaction sa = { 0 }, old;
    const GumboNode *root;

    sa.sa_handler = dt_parse_time;
    sigemptyset(&sa.sa_mask);

    timer.it_value.tv_sec = (time_t) (max_ms / 1000);
    timer.it_value.tv_usec = (suseconds_t) (max_ms % 1000 * 1000);

    if (sigaction(SIGPROF, &sa, &old) == -1
        || setitimer(ITIMER_PROF, &timer, NULL) == -1)
    {
        return NULL;
    }

    root = dt_parse_run(&p, src);

    (void) setitimer(ITIMER_PROF, &none, NULL);
    (void) sigaction(SIGPROF, &old, NULL);

    return root;
}


/* gumbo's memory for a page, in bytes: RATIO for each byte of it, and FLOOR */
#define DT_DOM_RATIO 32
#define DT_DOM_FLOOR ((size_t) 16 << 20)

/* flags of a node that the source has at another position, or not at all */
#define DT_DOM_MOVED (~(unsigned) GUMBO_INSERTION_IMPLICIT_END_TAG)


typedef struct {
    dt_str_t src;
    const dt_dom_opts_t *opts;

    dt_arena_t *scratch; /* memory of gumbo and of the fields below */

    uint32_t bom;           /* bytes before those that gumbo gets */
    const GumboNode **tree; /* preorder */
    dt_span_t *spans;
    uint32_t *nodes; /* index in the dom, or DT_DOM_NONE */
    uint32_t n;
    dt_node_attr_t *attrs; /* of the current element */

    dt_arena_t *arena;
    dt_dom_t *dom;
} dt_build_t;


static int
dt_is_element(const GumboNode *g)
{
    return g->type == GUMBO_NODE_ELEMENT || g->type == GUMBO_NODE_TEMPLATE;
}


static const GumboVector *
dt_children(const GumboNode *g)
{
    return dt_is_element(g) ? &g->v.element.children : &kGumboEmptyVector;
}


/*
 * Walks the tree from root in preorder; if b->spans is NULL, only counts.
 * DT_ELIMIT: the tree is deeper than max_depth, or there is no memory.
 */
static dt_status_t
dt_walk(dt_build_t *b, const GumboNode *root, uint32_t max_depth)
{
    const GumboVector *children;
    const GumboNode **open, *g = root;
    uint32_t *at, *span, depth = 0, n = 0;

    at = dt_arena_calloc(b->scratch, max_depth, sizeof(uint32_t));
    span = dt_arena_calloc(b->scratch, max_depth, sizeof(uint32_t));
    open = dt_arena_calloc(b->scratch, max_depth, sizeof(GumboNode *));

    if (at == NULL || span == NULL || open == NULL) {
        return DT_ELIMIT;
    }

    while (depth < max_depth) {
        if (b->spans != NULL) {
            b->tree[n] = g;
            b->spans[n].parent = depth ? span[depth - 1] : DT_SPAN_NONE;
        }

        open[depth] = g;
        span[depth] = n++;
        at[depth++] = 0;

        while (depth > 0) {
            children = dt_children(open[depth - 1]);

            if (at[depth - 1] < children->length) {
                g = children->data[at[depth - 1]++];
                break;
            }

            depth--;

            if (b->spans != NULL) {
                b->spans[span[depth]].next = n;
            }
        }

        if (depth == 0) {
            b->n = n;
            return DT_OK;
        }
    }

    return DT_ELIMIT;
}


static dt_status_t
dt_flatten(dt_build_t *b, const GumboNode *root)
{
    dt_status_t rc;

    rc = dt_walk(b, root, b->opts->max_depth);
    if (rc != DT_OK) {
        return rc;
    }

    b->tree = dt_arena_calloc(b->scratch, b->n, sizeof(GumboNode *));
    b->nodes = dt_arena_calloc(b->scratch, b->n, sizeof(uint32_t));
    b->spans = dt_arena_calloc(b->scratch, b->n, sizeof(dt_span_t));

    rc = b->tree && b->nodes && b->spans ? DT_OK : DT_ELIMIT;

    return rc == DT_OK ? dt_walk(b, root, b->opts->max_depth) : rc;
}


static dt_status_t
dt_element_name(dt_build_t *b, const GumboElement *e, dt_str_t *out)
{
    GumboStringPiece text = e->original_tag;

    if (e->tag != GUMBO_TAG_UNKNOWN) {
        *out = dt_cstr(gumbo_normalized_tagname(e->tag));
        return DT_OK;
    }

    gumbo_tag_from_original_text(&text);
    *out = dt_node_name(text.data, text.length, b->arena);

    return out->data ? DT_OK : DT_ENOMEM;
}


/* sets the offsets of a piece; DT_SPAN_NONE: it is not in the source */
static void
dt_offsets(const dt_build_t *b, const GumboStringPiece *piece, uint32_t *start,
           uint32_t *end)
{
    const char *last = b->src.data + b->src.len;

    *start = *end = DT_SPAN_NONE;

    if (piece->length != 0 && piece->data >= b->src.data && piece->data <= last
        && piece->length <= (size_t) (last - piece->data))
    {
        *start = (uint32_t) (piece->data - b->src.data);
        *end = *start + (uint32_t) piece->length;
    }
}


/* sets the name and offsets of an element, as gumbo has them */
static dt_status_t
dt_take_element(dt_build_t *b, const GumboNode *g, dt_span_t *s)
{
    const GumboElement *e = &g->v.element;

    s->moved = (g->parse_flags & DT_DOM_MOVED) != 0;
    dt_offsets(b, &e->original_tag, &s->start, &s->open_end);
    dt_offsets(b, &e->original_end_tag, &s->tail, &s->end);

    if (s->tail == DT_SPAN_NONE && e->end_pos.line > 0) {
        /* a void element is closed by its own start tag */
        s->empty = e->end_pos.offset == e->start_pos.offset;
        s->tail = s->empty ? s->open_end : e->end_pos.offset + b->bom;
        s->end = s->tail;
    }

    return dt_element_name(b, e, &s->name);
}


static dt_status_t
dt_take_spans(dt_build_t *b)
{
    static const GumboStringPiece none = { NULL, 0 };
    dt_span_t *s;
    dt_status_t rc = DT_OK;
    const GumboNode *g;

    for (uint32_t i = 0; i < b->n && rc == DT_OK; i++) {
        g = b->tree[i];
        s = &b->spans[i];

        if (dt_is_element(g)) {
            rc = dt_take_element(b, g, s);
            continue;
        }

        /* gumbo moves white space behind a <form>, so it gets no offsets */
        dt_offsets(b,
                   g->type == GUMBO_NODE_WHITESPACE ? &none
                                                    : &g->v.text.original_text,
                   &s->start, &s->open_end);
        s->tail = s->end = s->open_end;
    }

    return rc;
}


/*
 * Returns an upper bound for the number of hashes of the attributes of e, and
 * raises *most to the number of attributes.
 */
static size_t
dt_hash_room(const GumboElement *e, uint32_t *most)
{
    const GumboAttribute *class;
    uint32_t n = e->attributes.length;

    *most = n > *most ? n : *most;
    class = gumbo_get_attribute(&e->attributes, "class");

    return n + (class ? strlen(class->value) / 2 + 1 : 0);
}


/* sets the index of each span in the dom, and allocates the dom's arrays */
static dt_status_t
dt_make_room(dt_build_t *b)
{
    dt_dom_t *dom = b->dom;
    const GumboNode *g;
    uint32_t anchors = 0, inside = 0, attrs = 0;
    size_t hashes = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        g = b->tree[i];
        b->nodes[i] = DT_DOM_NONE;

        if (i < inside) {
            continue;
        }

        if (dt_is_element(g)) {
            hashes += dt_hash_room(&g->v.element, &attrs);
            anchors += g->v.element.tag == GUMBO_TAG_A
                       || g->v.element.tag == GUMBO_TAG_AREA;

            if (dt_node_is_leaf(b->spans[i].name)) {
                inside = b->spans[i].next;
            }

        } else if (g->type != GUMBO_NODE_TEXT && g->type != GUMBO_NODE_CDATA) {
            continue;
        }

        b->nodes[i] = dom->n++;
    }

    if (dom->n > b->opts->max_nodes || hashes > UINT32_MAX) {
        return DT_ELIMIT;
    }

    dom->nodes = dt_arena_calloc(b->arena, dom->n, sizeof(dt_node_t));
    dom->hashes = dt_arena_calloc(b->arena, hashes, sizeof(uint64_t));
    dom->anchors = dt_arena_calloc(b->arena, anchors, sizeof(dt_anchor_t));

    if (dom->nodes == NULL || dom->hashes == NULL || dom->anchors == NULL) {
        return DT_ENOMEM;
    }

    b->attrs = dt_arena_calloc(b->scratch, attrs, sizeof(dt_node_attr_t));

    return b->attrs ? DT_OK : DT_ELIMIT;
}


/* whether browsers that execute scripts do not follow a redirect */
static int
dt_in_noscript(const dt_build_t *b, uint32_t i)
{
    uint32_t up = b->spans[i].parent;

    return up != DT_SPAN_NONE
           && dt_str_eq(b->spans[up].name, dt_str("noscript"));
}


static dt_status_t
dt_fill_element(dt_build_t *b, uint32_t i, uint32_t *hashes)
{
    const GumboElement *e = &b->tree[i]->v.element;
    const GumboAttribute *a;
    uint32_t at = b->nodes[i], n = e->attributes.length;
    dt_node_t *node = &b->dom->nodes[at];

    node->name = b->spans[i].name;
    node->tag = dt_hash(node->name.data, node->name.len, 0);

    for (uint32_t k = 0; k < n; k++) {
        a = e->attributes.data[k];
        b->attrs[k].name = a->name;
        b->attrs[k].value = a->value;
    }

    dt_node_set_attrs(b->dom, node, b->attrs, n, hashes);

    switch (e->tag) {
    case GUMBO_TAG_BODY:
        if (node->depth == 1 && b->dom->body == DT_DOM_NONE) {
            b->dom->body = at;
        }

        return DT_OK;

    case GUMBO_TAG_A:
    case GUMBO_TAG_AREA:
        return dt_node_set_anchor(b->dom, at, b->attrs, n, b->arena);

    case GUMBO_TAG_BASE:
        return dt_node_set_base(b->dom, b->attrs, n, b->arena);

    case GUMBO_TAG_META:
        b->dom->redirects |=
            !dt_in_noscript(b, i) && dt_node_is_redirect(b->attrs, n);
        return DT_OK;

    default:
        return DT_OK;
    }
}


static dt_status_t
dt_fill(dt_build_t *b)
{
    dt_status_t rc;
    dt_node_t *node;
    uint32_t hashes = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        if (b->nodes[i] == DT_DOM_NONE) {
            continue;
        }

        node = &b->dom->nodes[b->nodes[i]];
        dt_node_set_position(b->dom, b->spans, b->nodes, b->n, i);

        if (!dt_is_element(b->tree[i])) {
            node->kind = DT_NODE_TEXT;
            dt_node_set_text(node, b->tree[i]->v.text.text);
            continue;
        }

        node->kind = DT_NODE_ELEMENT;

        rc = dt_fill_element(b, i, &hashes);
        if (rc != DT_OK) {
            return rc;
        }
    }

    return DT_OK;
}


/* builds the dom; b->scratch exists */
static dt_status_t
dt_build(dt_build_t *b)
{
    dt_str_t src = b->src;
    dt_status_t rc;
    const GumboNode *root;

    if (src.len >= 3 && memcmp(src.data, "\xef\xbb\xbf", 3) == 0) {
        b->bom = 3;
        src.data += 3;
        src.len -= 3;
    }

    root = dt_parse(src, b->opts->max_ms, b->scratch);
    if (root == NULL) {
        return DT_ELIMIT;
    }

    rc = dt_flatten(b, root);
    if (rc != DT_OK) {
        return rc;
    }

    b->dom = dt_arena_calloc(b->arena, 1, sizeof(dt_dom_t));
    if (b->dom == NULL) {
        return DT_ENOMEM;
    }

    b->dom->src = b->src;
    b->dom->body = DT_DOM_NONE;

    rc = dt_take_spans(b);
    if (rc != DT_OK) {
        return rc;
    }

    rc = dt_make_room(b);
    if (rc != DT_OK) {
        return rc;
    }

    if (dt_span_verify(b->spans, b->n, b->src, b->scratch) != DT_OK) {
        return DT_ELIMIT;
    }

    return dt_fill(b);
}


dt_status_t
dt_dom_parse(dt_str_t src, const dt_dom_opts_t *o, dt_arena_t *arena,
             dt_dom_t **out)
{
    dt_build_t b;
    dt_status_t rc;

    *out = NULL;

    if (src.len > o->max_bytes || src.len > UINT32_MAX / DT_DOM_RATIO) {
        return DT_ELIMIT;
    }

    memset(&b, 0, sizeof(dt_build_t));
    b.src = src;
    b.opts = o;
    b.arena = arena;

    b.scratch = dt_arena_create(DT_DOM_RATIO * src.len + DT_DOM_FLOOR);
    if (b.scratch == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_build(&b);
    dt_arena_destroy(b.scratch);

    if (rc == DT_OK) {
        *out = b.dom;
    }

    return rc;
}


void
dt_dom_opts_init(dt_dom_opts_t *o)
{
    o->max_bytes = (size_t) 4 << 20;
    o->max_depth = 2000;
    o->max_nodes = 200000;
    o->max_ms = 1000;
}


uint32_t
dt_dom_distance(const dt_dom_t *dom, uint32_t a, uint32_t b)
{
    uint32_t edges = 0;

    /* in preorder, the later of two nodes is never an ancestor of the other */
    while (a != b) {
        if (a > b) {
            a = dom->nodes[a].parent;

        } else {
            b = dom->nodes[b].parent;
        }

        edges++;
    }

    return edges;
}
