
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>
#include <strings.h>

#include "core/base/hash.h"
#include "core/base/dt.h"
#include "core/base/tags.h"
#include "core/dom/node.h"


void
dt_dom_opts_init(dt_dom_opts_t *o)
{
    o->max_bytes = (size_t) 4 << 20;
    o->max_depth = 2000;
    o->max_nodes = 200000;
    o->max_ms = 1000;
}


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


dt_str_t
dt_node_name(const char *text, size_t len, dt_arena_t *arena)
{
    char *s;

    s = dt_arena_alloc(arena, len + 1);

    for (size_t i = 0; s != NULL && i < len; i++) {
        s[i] = dt_lower(text[i]);
    }

    return (dt_str_t){ len, s };
}


int
dt_node_is_leaf(dt_str_t name)
{
    static const char *const names[] = {
        "script", "style", "template", "svg", "math", "iframe",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (dt_str_eq(name, dt_cstr(names[i]))) {
            return 1;
        }
    }

    return 0;
}


void
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


static int
dt_hash_cmp(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

    return (x > y) - (x < y);
}


/* sorts n hashes and removes duplicates; returns the number that remains */
static uint32_t
dt_hash_set(uint64_t *h, uint32_t n)
{
    uint32_t k = 0;

    if (n == 0) {
        return 0;
    }

    qsort(h, n, sizeof(uint64_t), dt_hash_cmp);

    for (uint32_t i = 1; i < n; i++) {
        if (h[i] != h[k]) {
            h[++k] = h[i];
        }
    }

    return k + 1;
}


void
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


dt_status_t
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


dt_status_t
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


int
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


void
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
