
/*
 * Copyright (C) The detemplate authors
 */


#include <ftw.h>
#include <stdlib.h>

#include "core/dom/dom.h"
#include "rows.h"


#define MAX_OUT 65536


static dt_arena_t *arena;


static dt_dom_t *
parse(const char *page, size_t len)
{
    dt_dom_t *dom;
    dt_dom_opts_t o;

    dt_arena_destroy(arena);
    arena = dt_arena_create((size_t) 64 << 20);
    dt_dom_opts_init(&o);

    if (dt_dom_parse((dt_str_t){ len, page }, &o, arena, &dom) != DT_OK) {
        return NULL;
    }

    return dom;
}


/*
 * As the rows of trees.  With merge, without the subtree at skip, and texts
 * side by side are one.
 */
static void
show(const dt_dom_t *dom, int merge, uint32_t skip, char *out)
{
    uint32_t depth = 0;
    unsigned words = 0;
    const dt_node_t *node;
    char *end = out + MAX_OUT - 64;

    for (uint32_t i = 0; i <= dom->n && out < end;) {
        node = &dom->nodes[i];

        if (merge && i == skip) {
            i = node->next;
            continue;
        }

        if (words
            && (!merge || i == dom->n || node->depth != depth
                || node->kind != DT_NODE_TEXT))
        {
            out += snprintf(out, 32, " %u", words);
            words = 0;
        }

        for (; depth > (i < dom->n ? node->depth : 0); depth--) {
            *out++ = ')';
        }

        if (i++ == dom->n) {
            break;
        }

        if (node->kind == DT_NODE_TEXT) {
            words += node->words;
            continue;
        }

        out +=
            snprintf(out, 32, "(%.*s", (int) node->name.len, node->name.data);
        depth++;
    }

    *out = '\0';
}


static void
tree_is(const row_t *row)
{
    static char out[MAX_OUT];

    show(parse(row->part[1].all, strlen(row->part[1].all)), 0, 0, out);
    is_str(out, strlen(out), row->part[2].all, row->part[0].all);
}


static void
range_is(const row_t *row)
{
    const char *page = row->part[1].all, *want = row->part[2].all;
    const dt_dom_t *dom = parse(page, strlen(page));
    const dt_node_t *node = NULL;
    size_t len = strcspn(want, " ");

    for (uint32_t k = 0; k < dom->n; k++) {
        node = &dom->nodes[k];

        if (node->kind == DT_NODE_TEXT
                ? want[0] == '#'
                : dt_str_eq(node->name, (dt_str_t){ len, want }))
        {
            break;
        }
    }

    if (node->start == node->end) {
        is_str("-", 1, want + len + 1, row->part[0].all);

    } else {
        is_str(page + node->start, node->end - node->start, want + len + 1,
               row->part[0].all);
    }
}


/* the first node of that name */
static const dt_node_t *
first(const dt_dom_t *dom, const char *name)
{
    for (uint32_t i = 0; i < dom->n; i++) {
        if (dt_str_eq(dom->nodes[i].name, dt_cstr(name))) {
            return &dom->nodes[i];
        }
    }

    return NULL;
}


/* gumbo before 0.13 is wrong about where it ends */
static void
test_form(void)
{
    const dt_node_t *form = first(parse("<form>a</form>b", 15), "form");

    ok(form->start == form->end || (form->start == 0 && form->end == 14),
       "form whose text runs on");
}


static void
test_nodes(void)
{
    const char *s;
    const dt_dom_t *dom;
    const dt_node_t *x, *y;
    const uint64_t *h;

    s = "<div id=x class=' b a b ' q=1 p=2>t</div><p class='a  b' p=2 q=1>"
        "t<b id='' class>u</b>v";
    dom = parse(s, strlen(s));
    x = first(dom, "div");
    y = first(dom, "p");
    h = dom->hashes;

    ok(x->id != 0 && y->id == 0, "id");
    is_int(x->nclasses, 2, "classes are a set");
    ok(y->nclasses == 2 && memcmp(h + x->classes, h + y->classes, 16) == 0
           && h[x->classes] < h[x->classes + 1],
       "in order");
    ok(x->nattrs == 2 && y->nattrs == 2
           && memcmp(h + x->attrs, h + y->attrs, 16) == 0,
       "attributes are a set, without id and class");

    is_int(x->open_end, 34, "open_end");
    is_int(y->nchildren, 3, "nchildren");
    is_int(y->index, 1, "index");
    is_int(y->depth, 2, "depth");
    is_int((long long) (y - dom->nodes) + 5, y->next, "next");
    is_int(y->parent, dom->body, "parent");
    is_int(dom->nodes[dom->root].parent, DT_DOM_NONE, "root");

    x = first(dom, "b");
    ok(x->id == 0 && x->nclasses == 0 && x->nattrs == 0,
       "empty id and class are none");
    is_int(x->index, 1, "texts count as siblings");

    s = "<i>a  b</i> <b>\n a\tb&nbsp;</b><u>ab</u>";
    dom = parse(s, strlen(s));
    x = first(dom, "i");
    ok(x[1].text == x[3].text && x[1].words == 2, "white space is folded");
    ok(x[1].text != x[5].text && x[5].text != 0, "and counts");
    ok(x->text == 0 && x[1].tag == 0, "elements have no text, texts no tag");
    is_int(x[4].tag == first(dom, "u")->tag && x[4].tag != x->tag, 1, "tag");
}


static void
test_anchors(void)
{
    const char *s;
    const dt_dom_t *dom;

    s = "<base target=x><base href=' /b/ '><base href=/c/>"
        "<a href=' a?b=1&amp;c=2\n'>a</a><a name=n>n</a><map>"
        "<area href=b rel='me NoFollow'></map><a href='' rel=nofollowing>c</a>"
        "<template><a href=d>d</a></template><link href=e>";
    dom = parse(s, strlen(s));

    is_str(dom->base.data, dom->base.len, "/b/", "base");
    is_int(dom->nanchors, 3, "anchors");
    is_str(dom->anchors[0].href.data, dom->anchors[0].href.len, "a?b=1&c=2",
           "entities, white space");
    is_int(dom->nodes[dom->anchors[0].node].tag == first(dom, "a")->tag, 1,
           "node");
    is_str(dom->anchors[1].href.data, dom->anchors[1].href.len, "b", "area");
    ok(!dom->anchors[0].nofollow && dom->anchors[1].nofollow
           && !dom->anchors[2].nofollow,
       "nofollow");
    is_int((long long) dom->anchors[2].href.len, 0, "empty href");

    s = "<p>a";
    dom = parse(s, strlen(s));
    ok(dom->nanchors == 0 && dom->base.len == 0, "none");

    s = "<div><p><b>x</b></p><p><i>y</i></p></div>";
    dom = parse(s, strlen(s));
    is_int(dt_dom_distance(dom, 5, 8), 4, "distance");
    is_int(dt_dom_distance(dom, 8, 2), 3, "distance to one above");
    is_int(dt_dom_distance(dom, 5, 5), 0, "distance to itself");
}


static void
redirect_is(const row_t *row)
{
    const char *page = row->part[1].all;

    is_int(parse(page, strlen(page))->redirects,
           strcmp(row->part[0].all, "elsewhere") == 0, page);
}


static void
flood_is(const row_t *row)
{
    dt_dom_t *dom;
    dt_dom_opts_t o;
    dt_arena_t *a = dt_arena_create((size_t) 256 << 20);
    int sound = strcmp(row->part[1].all, "ok") == 0;

    /* what is sound may be slow where all memory is checked */
    dt_dom_opts_init(&o);
    o.max_ms = sound ? 100000 : o.max_ms;
    is_int(dt_dom_parse(dt_cstr(row->part[2].all), &o, a, &dom),
           sound ? DT_OK : DT_ELIMIT, row->part[0].all);
    dt_arena_destroy(a);
}


static void
test_limits(void)
{
    const char *s = "<div a b><p class='x y'>t</p><b title=x>u</b></div>";
    dt_dom_opts_t o;
    dt_arena_t *a;
    dt_dom_t *dom;
    dt_str_t src = dt_cstr(s);
    unsigned memory = 0, fine = 0;

    a = dt_arena_create(1 << 20);

#define LIMIT(field, value, want, name)                                       \
    dt_dom_opts_init(&o);                                                     \
    o.field = value;                                                          \
    is_int(dt_dom_parse(src, &o, a, &dom), want, name)

    LIMIT(max_bytes, src.len, DT_OK, "max_bytes");
    LIMIT(max_bytes, src.len - 1, DT_ELIMIT, "one byte less");
    LIMIT(max_depth, 5, DT_OK, "max_depth");
    LIMIT(max_depth, 4, DT_ELIMIT, "one level less");
    LIMIT(max_nodes, 8, DT_OK, "max_nodes");
    LIMIT(max_nodes, 7, DT_ELIMIT, "one node less");
    ok(dom == NULL, "no dom");

    dt_arena_destroy(a);
    dt_dom_opts_init(&o);

    for (size_t cap = 0; cap < 4096; cap += 16) {
        a = dt_arena_create(cap);

        switch (dt_dom_parse(src, &o, a, &dom)) {
        case DT_ENOMEM:
            memory += fine == 0;
            break;
        case DT_OK:
            fine++;
            break;
        default:
            fine = 10000;
        }

        dt_arena_destroy(a);
    }

    ok(memory > 10 && fine > 10 && memory + fine == 256, "any cap of memory");
}


/* what the header says of ranges, and what must hold for every page */
static int
is_sane(const dt_dom_t *dom)
{
    static char started[(4 << 20) + 1];
    const dt_node_t *node, *up;
    uint32_t k;

    memset(started, 0, dom->src.len + 1);

    for (uint32_t i = 0; i < dom->n; i++) {
        node = &dom->nodes[i];

        if (i > 0
            && (node->parent >= i || node->next > dom->nodes[node->parent].next
                || node->next <= i
                || node->depth != dom->nodes[node->parent].depth + 1))
        {
            return 0;
        }

        if (node->start == node->end) {
            continue;
        }

        if (node->start > node->end || node->end > dom->src.len
            || started[node->start]++)
        {
            return 0;
        }

        if (node->kind == DT_NODE_ELEMENT
            && (dom->src.data[node->start] != '<'
                || dom->src.data[node->open_end - 1] != '>'
                || strncasecmp(dom->src.data + node->start + 1,
                               node->name.data, node->name.len)
                       != 0))
        {
            return 0;
        }

        for (k = node->parent; k != DT_DOM_NONE; k = dom->nodes[k].parent) {
            up = &dom->nodes[k];

            if (up->start != up->end) {
                if (node->start < up->open_end || node->end > up->end) {
                    return 0;
                }

                break;
            }
        }
    }

    return 1;
}


static uint32_t state;

static uint32_t
below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;

    return (state >> 10) % n;
}


/* any tags in any order */
static size_t
soup(char *s, unsigned n)
{
    static const char *const names[] = {
        "div",      "p",        "b",      "i",      "a",        "table",
        "tr",       "td",       "ul",     "li",     "form",     "span",
        "font",     "h1",       "select", "option", "button",   "svg",
        "g",        "br",       "dl",     "dt",     "dd",       "object",
        "tbody",    "textarea", "nobr",   "center", "title",    "noscript",
        "template", "x-y",      "body",   "head",   "frameset",
    };
    const char *name;
    size_t len = 0;

    while (n--) {
        name = names[below(sizeof(names) / sizeof(names[0]))];

        switch (below(6)) {
        case 0:
        case 1:
            len += (size_t) snprintf(s + len, 32, "<%s>", name);
            break;
        case 2:
        case 3:
            len += (size_t) snprintf(s + len, 32, "</%s>", name);
            break;
        case 4:
            len += (size_t) snprintf(s + len, 32, " w%u ", below(9));
            break;
        default:
            len += (size_t) snprintf(s + len, 32, "<!--%s-->", name);
        }
    }

    return len;
}


typedef struct {
    char *s;
    size_t len;
} buf_t;


static void
put(buf_t *b, const char *text)
{
    memcpy(b->s + b->len, text, strlen(text));
    b->len += strlen(text);
}


/* proper contents; end tags are left out where that does no harm */
static void
flow(buf_t *b, unsigned depth)
{
    unsigned n = 1 + below(3);

    while (n--) {
        switch (below(depth ? 8 : 4)) {
        case 0:
            put(b, " one two ");
            break;
        case 1:
            put(b, below(2) ? "<br>" : "<!-- <p> -->");
            break;
        case 2:
            put(b, "<form action=x>a <input><br>\n</form><hr>");
            break;
        case 3:
            put(b, "<p>a <b>b <i>c</i></b></p>");
            break;
        case 4:
            put(b, "<div class=x>");
            flow(b, depth - 1);
            put(b, below(2) ? "</div>" : "<p>a <a href=y>b</a><p>c</div>");
            break;
        case 5:
            put(b, "<ul>");
            for (unsigned k = below(3); k; k--) {
                put(b, "<li>");
                flow(b, depth - 1);
                put(b, below(2) ? "</li>" : "");
            }
            put(b, "</ul>");
            break;
        case 6:
            put(b, "<table><tbody>");
            for (unsigned k = below(3); k; k--) {
                put(b, below(2) ? "<tr><td>" : "<tr><th>a</th><td>");
                flow(b, depth - 1);
                put(b, below(2) ? "</td></tr>" : "");
            }
            put(b, "</table>");
            break;
        default:
            put(b, "<h2>a</h2><svg><g/></svg><script>'<p>'</script>");
        }
    }
}


/* parses to the same without the subtree when the range is cut out */
static int
cuts_well(const dt_dom_t *dom, uint32_t i)
{
    static char cut[MAX_OUT], want[MAX_OUT], got[MAX_OUT];
    const dt_node_t *node = &dom->nodes[i];
    dt_str_t src = dom->src;
    dt_dom_opts_t o;
    dt_arena_t *a;
    dt_dom_t *less;

    memcpy(cut, src.data, node->start);
    memcpy(cut + node->start, src.data + node->end, src.len - node->end);

    a = dt_arena_create((size_t) 1 << 20);
    dt_dom_opts_init(&o);
    src.data = cut;
    src.len -= node->end - node->start;
    dt_dom_parse(src, &o, a, &less);

    show(dom, 1, i, want);
    show(less, 1, DT_DOM_NONE, got);
    dt_arena_destroy(a);

    if (strcmp(want, got) != 0) {
        printf("#   %.*s\n#   cut %u to %u\n#  want %s\n#   got %s\n",
               (int) dom->src.len, dom->src.data, node->start, node->end, want,
               got);
        return 0;
    }

    return 1;
}


static void
test_proper(void)
{
    static char page[MAX_OUT];
    const dt_dom_t *dom;
    const dt_node_t *node;
    buf_t b;
    int sane = 1, whole = 1, good = 1;

    state = 1;

    for (unsigned round = 0; round < 200 && good; round++) {
        b.s = page;
        b.len = 0;
        put(&b, "<!doctype html><html><head><title>t</title></head><body>");
        flow(&b, 3);
        put(&b, "</body></html>");

        dom = parse(page, b.len);
        sane &= is_sane(dom);

        for (uint32_t i = dom->body + 1; i < dom->n && good; i++) {
            node = &dom->nodes[i];
            whole &= node->start < node->end;
            good &= cuts_well(dom, i);
        }
    }

    ok(sane, "proper pages: ranges are sane");
    ok(whole, "proper pages: every node has one");
    ok(good, "proper pages: cut out, the rest parses the same");
}


static void
test_soup(void)
{
    static char page[MAX_OUT];
    const dt_dom_t *dom;
    int sane = 1;
    size_t len;

    state = 7;

    for (unsigned round = 0; round < 2000 && sane; round++) {
        len = soup(page, 5 + below(60));
        dom = parse(page, len);
        sane = is_sane(dom);

        if (!sane) {
            printf("#   %.*s\n", (int) len, page);
        }
    }

    ok(sane, "tags in any order");

    for (unsigned round = 0; round < 500 && sane; round++) {
        len = 1 + below(400);

        for (size_t i = 0; i < len; i++) {
            page[i] =
                below(3) ? "<>/ab p='\"&;!-"[below(14)] : (char) below(256);
        }

        dom = parse(page, len);
        sane = is_sane(dom);
    }

    ok(sane, "any bytes");

    dom = parse("<p>a\0b<d\0iv c\0=\0>e</p>", 22);
    ok(is_sane(dom), "NUL bytes");
}


static unsigned pages, bad_pages;

static int
test_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    static char page[4 << 20];
    const dt_dom_t *dom = NULL;
    FILE *f;

    (void) st;
    (void) ftw;

    if (type != FTW_F || strstr(path, "/pages/") == NULL) {
        return 0;
    }

    pages++;
    f = fopen(path, "rb");

    if (f != NULL) {
        dom = parse(page, fread(page, 1, sizeof(page), f));
        fclose(f);
    }

    if (dom == NULL || !is_sane(dom)) {
        printf("#   %s\n", path);
        bad_pages++;
    }

    return 0;
}


/* every page below the directory in DT_CORPUS */
static void
test_corpus(void)
{
    const char *root;

    root = getenv("DT_CORPUS");
    if (root == NULL) {
        return;
    }

    nftw(root, test_file, 16, FTW_PHYS);
    printf("# %u pages\n", pages);
    ok(pages > 0 && bad_pages == 0, "pages of the corpus");
}


int
main(void)
{
    rows("dom", "trees", tree_is);
    rows("dom", "ranges", range_is);
    test_form();
    test_nodes();
    test_anchors();
    rows("dom", "redirects", redirect_is);
    rows("dom", "floods", flood_is);
    test_limits();
    test_proper();
    test_soup();
    test_corpus();

    dt_arena_destroy(arena);

    return done();
}
