
/*
 * Copyright (C) The detemplate authors
 *
 * A page in pieces gives the same as in one, and the same as portable code
 * does; strip only takes bytes out, annotate only puts marks in; what is left
 * is the same for a parser.  What is known by its bytes, also on a page that
 * ends too soon, is what is found.  What is kept by hand is kept with all that
 * a parser has in it.  The first byte says how the page is cut.
 */


#include "fuzz.h"
#include "t/core/same.h"


#define TEXT                                                                  \
    "<!doctype html><title>#</title><header><a href=/><img src=/l.png></a>"   \
    "<p>#<p>%</header><nav><ul><li><a href=/a>#</a><li><a href='../b'>%</a>"  \
    "</ul></nav><table><tr><td>#<td>@</table><select><option>#</select>"      \
    "<main>@<p>@ text</main><svg><g>#</g></svg><form><input type=hidden "     \
    "value=@><input value=x>%</form><script>#</script><footer>% <!--x-->"     \
    "<b>#</b></footer><div class=pager><p><a href=@>@</a><p><a href=n>@ @"    \
    "</a></div>"


static void *tmpl;
static dt_memo_t *memo;
static void *room;
static dt_hand_t hands[2]; /* some, and all that can be cut */


static void
hands_init(void)
{
    size_t i;
    char errstr[DT_ERRSTR];
    static const char *const keep[] = { "b", "[href='/a']", "li p", "#k" };
    static const char *const force[] = { ".c",    "td",  "[href='../b']",
                                         "nav i", "svg", "input",
                                         "script" };
    static const char *const most[] = {
        "p", "div", "table", "ul",   "form", "li",     "nav", "tr",    "i",
        "a", "h1",  "font",  "span", "img",  "select", "em",  "option"
    };

    for (i = 0; i < 2; i++) {
        dt_hand_init(&hands[i]);
    }

    for (i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
        fuzz_assert(
            dt_hand_add(&hands[0], DT_HAND_KEEP, dt_cstr(keep[i]), errstr)
            == DT_OK);
    }

    for (i = 0; i < sizeof(force) / sizeof(force[0]); i++) {
        fuzz_assert(
            dt_hand_add(&hands[0], DT_HAND_FORCE, dt_cstr(force[i]), errstr)
            == DT_OK);
    }

    fuzz_assert(dt_hand_add(&hands[1], DT_HAND_KEEP, dt_str("b"), errstr)
                == DT_OK);

    for (i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
        fuzz_assert(
            dt_hand_add(&hands[1], DT_HAND_FORCE, dt_cstr(most[i]), errstr)
            == DT_OK);
    }
}


/* whether a parser has an element that is kept of which a byte is cut */
static int
loses(const GumboNode *node, const buf_t *page, const char *kept)
{
    unsigned i;
    size_t start, end;
    const GumboVector *children;
    const GumboElement *e = &node->v.element;

    if (node->type != GUMBO_NODE_ELEMENT && node->type != GUMBO_NODE_TEMPLATE)
    {
        return 0;
    }

    if (e->tag == GUMBO_TAG_B && e->original_tag.length
        && e->original_end_tag.length)
    {
        start = (size_t) (seen_start(e) - page->data);
        end = (size_t) (e->original_end_tag.data - page->data);

        if (start < end && end < page->len
            && memchr(kept + start, '\0', end - start) != NULL)
        {
            return 1;
        }
    }

    children = &e->children;

    for (i = 0; i < children->length; i++) {
        if (loses(children->data[i], page, kept)) {
            return 1;
        }
    }

    return 0;
}


/* what is kept by hand */
static void
check_kept(const buf_t *page)
{
    buf_t kept = { 0 };
    GumboOutput *tree;

    if (!may_parse(page)) {
        return;
    }

    kept_of(tmpl, "/dir/page9.html", page, &kept);
    tree =
        gumbo_parse_with_options(&kGumboDefaultOptions, page->data, page->len);
    fuzz_assert(!loses(tree->root, page, kept.data));
    gumbo_destroy_output(&kGumboDefaultOptions, tree);
    buf_free(&kept);
}


/* with what all pages before have left behind */
static void
check_memo(buf_t *page, dt_mode_t mode, size_t chunk, const result_t *whole)
{
    result_t r;

    site_memo = memo;
    site_room = room;
    site_rewrite(tmpl, mode, page, chunk, &r);
    site_memo = NULL;
    site_room = NULL;
    fuzz_assert(result_eq(&r, whole));
    result_free(&r);
}


/* the same of the page up to len */
static void
check_part(buf_t *page, dt_mode_t mode, size_t chunk, size_t len)
{
    result_t r;
    size_t all = page->len;

    page->len = len;
    site_rewrite(tmpl, mode, page, chunk, &r);
    check_memo(page, mode, chunk, &r);
    result_free(&r);
    page->len = all;
}


static void
check(buf_t *page, dt_mode_t mode, size_t chunk)
{
    result_t whole, r, portable;

    site_rewrite(tmpl, mode, page, 0, &whole);
    site_rewrite(tmpl, mode, page, chunk, &r);
    site_engine = &engine_portable;
    site_rewrite(tmpl, mode, page, chunk, &portable);
    site_engine = &engine_own;

    fuzz_assert(result_eq(&r, &whole) && r.rc == DT_OK);
    fuzz_assert(result_eq(&portable, &r)
                && portable.stats.held == r.stats.held);
    fuzz_assert(r.wrong == 0 && whole.wrong == 0);
    fuzz_assert(r.stats.held <= DT_HOLD_MAX);
    fuzz_assert(mode == DT_STRIP ? site_subsequence(&r.out, page)
                                 : buf_eq(&r.unmarked, page));

    result_free(&r);
    result_free(&portable);

    check_memo(page, mode, chunk, &whole);

    result_free(&whole);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t len, chunk;
    buf_t page = { 0 };

    if (tmpl == NULL) {
        tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);
        memo = dt_memo_init(malloc(dt_memo_size()));
        room = malloc(dt_rewrite_room());
        fuzz_assert(tmpl != NULL);
        hands_init();
    }

    if (size < 2) {
        return 0;
    }

    site_begin = "";

    /* inputs are written like the pages of a site, to be short */
    site_page(&page, (const char *) data + 1, size - 1, SITE_PAGES + 1);
    chunk = data[0] < 128 ? data[0] % 64u + 1 : SITE_RANDOM;

    for (site_bold = 0; site_bold <= 1; site_bold++) {
        check(&page, DT_STRIP, chunk);
        check(&page, DT_ANNOTATE, chunk);
        check_part(&page, DT_STRIP, chunk,
                   page.len - page.len * data[1] / 256);
        fuzz_assert(same_tree(tmpl, "/dir/page9.html", &page) != 0);

        site_hand = &hands[data[1] & 1];
        check(&page, DT_STRIP, chunk);
        check(&page, DT_ANNOTATE, chunk);
        check_kept(&page);
        site_hand = NULL;
    }

    site_xml = 1;
    check(&page, DT_STRIP, chunk);
    site_xml = 0;

    buf_free(&page);

    return 0;
}
