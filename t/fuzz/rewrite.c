
/*
 * Copyright (C) The detemplate authors
 *
 * A page gives the same as with portable code, and in memory that other pages
 * were in; strip only takes bytes out, annotate only puts marks in; what is
 * left is the same for a parser.  Its records are in order.  What is kept by
 * hand is kept with all that a parser has in it.  The first byte says how the
 * page is read, the second where it ends too soon.
 */


#include "core/scan/hand.h"
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


static void
check_mode(const buf_t *page, dt_mode_t mode)
{
    result_t own, portable;

    site_rewrite(tmpl, mode, page, &own);
    site_engine = &engine_portable;
    site_rewrite(tmpl, mode, page, &portable);
    site_engine = &engine_own;

    fuzz_assert(own.rc == DT_OK && own.wrong == 0);
    fuzz_assert(result_eq(&own, &portable));

    result_free(&own);
    result_free(&portable);
}


static void
check(const buf_t *page)
{
    fuzz_assert(site_holds(tmpl, "/dir/page9.html", page));
    check_mode(page, DT_STRIP);
    check_mode(page, DT_ANNOTATE);
    check_mode(page, DT_TEMPLATE);
}


/* each record is in its parent, behind the ones before it */
static void
check_records(const buf_t *page)
{
    size_t i, n;
    uint32_t end, behind;
    dt_record_t *records;
    const dt_record_t *r, *up;

    if (dt_scan_records((dt_str_t){ page->len, page->data }, SITE_SEED,
                        dt_cstr(SITE_HOST), dt_cstr("/"), &records, &n)
        != DT_OK)
    {
        return;
    }

    for (i = 0; i < n; i++) {
        r = &records[i];
        up = r->parent == DT_RECORD_NONE ? NULL : &records[r->parent];
        end = up != NULL && up->end ? up->end : (uint32_t) page->len;
        behind = up != NULL ? up->next : (uint32_t) n;

        fuzz_assert(r->next > i && r->next <= behind);
        fuzz_assert(up == NULL
                    || (r->parent < i && up->name != 0
                        && !(up->state & DT_RECORD_LEAF)));
        fuzz_assert(r->end == 0 || (r->end >= r->start && r->end <= end));
        fuzz_assert(r->start < end && (up == NULL || r->start > up->start));
        fuzz_assert(i == 0 || r->start >= records[i - 1].start);
        fuzz_assert(r->end || (r->key == 0 && r->name));
        fuzz_assert(r->next == i + 1
                    || (r->name && !(r->state & DT_RECORD_LEAF)));
        fuzz_assert(r->next >= n || r->end == 0
                    || records[r->next].start >= r->end);
    }

    free(records);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t len;
    buf_t page = { 0 };

    if (tmpl == NULL) {
        tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);
        fuzz_assert(tmpl != NULL);
        hands_init();
    }

    if (size < 2) {
        return 0;
    }

    site_begin = "";

    /* inputs are written like the pages of a site, to be short */
    site_page(&page, (const char *) data + 1, size - 1, SITE_PAGES + 1);
    site_xml = data[0] < 128 ? 0 : data[0] % 3u;
    site_put = data[0] & 1 ? dt_str("<l>") : dt_str("");
    check_records(&page);

    for (site_bold = 0; site_bold <= 1; site_bold++) {
        check(&page);
        fuzz_assert(site_xml
                    || same_tree(tmpl, "/dir/page9.html", &page) != 0);

        site_hand = &hands[data[1] & 1];
        check(&page);
        check_kept(&page);
        site_hand = NULL;
    }

    len = page.len;
    page.len -= page.len * data[1] / 256;
    check(&page);
    page.len = len;
    buf_free(&page);

    return 0;
}
