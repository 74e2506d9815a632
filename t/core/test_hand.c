
/*
 * Copyright (C) The detemplate authors
 *
 * What is kept and what is cut by hand.  Pages are written as in test_scan.c:
 * "@" is a word of this page alone, "#" and "%" are template where the pages
 * that were learned from have them.
 */


#include "core/scan/hand.h"
#include "site.h"
#include "test.h"


#define KEEP(...)                                                             \
    { __VA_ARGS__, NULL },                                                    \
    {                                                                         \
        NULL                                                                  \
    }
#define FORCE(...)                                                            \
    { NULL },                                                                 \
    {                                                                         \
        __VA_ARGS__, NULL                                                     \
    }

typedef struct {
    const char *name;
    const char *learned; /* NULL: the page */
    const char *page;
    const char *want; /* "": nothing is cut */
    const char *keep[12];
    const char *force[12];
} row_t;


#define NAV "<nav><ul><li><a href=/a>#</a><li><a href=/b>%</a></ul></nav>"

static const row_t rows[] = {
    { "nothing by hand", NULL, NAV "<p>@</p>", "<p>@</p>", KEEP("x") },

    /* keep */

    { "kept by name", NULL, NAV "<p>@</p>", "", KEEP("nav") },
    { "names in any case", NULL, "<NAV>#</NAV><p>@</p>", "", KEEP("nAv") },
    { "kept by class", NULL, "<div class='a b'>#</div><p>@</p>", "",
      KEEP(".b") },
    { "a class between white space", NULL,
      "<div class=\"a\n\tb\fc \">#</div><p>@</p>", "", KEEP("div.b") },
    { "not by a part of a class", NULL, "<div class='ab b-c'>#</div><p>@</p>",
      "<p>@</p>", KEEP(".b") },
    { "classes in their case", NULL, "<div class=B>#</div><p>@</p>",
      "<p>@</p>", KEEP(".b") },
    { "kept by id", NULL, "<div id=b>#</div><p>@</p>", "", KEEP("#b") },
    { "an id has no words", NULL, "<div id='a b'>#</div><p>@</p>", "<p>@</p>",
      KEEP("#b") },
    { "kept by an attribute", NULL, "<div ROLE=note>#</div><p>@</p>", "",
      KEEP("[role=note]") },
    { "an attribute with a value in quotes", NULL,
      "<div title='a \"b\"'>#</div><p>@</p>", "", KEEP("[title='a \"b\"']") },
    { "an attribute of one letter", NULL, "<div\nx=y>#</div><p>@</p>", "",
      KEEP("[x=y]") },
    { "a value that is longer", NULL, "<div role=notes>#</div><p>@</p>",
      "<p>@</p>", KEEP("[role=note]") },
    { "references in a value", NULL,
      "<div class='a&#45;b' id=a&#x2D;b&amp;>#</div><p>@</p>", "",
      KEEP(".a-b[id='a-b&']") },
    { "numbers with zeros", NULL, "<div class='a&#0000045;b'>#</div><p>@</p>",
      "", KEEP(".a-b") },
    { "what is no reference", NULL,
      "<div class='&a;-b &#45 a&#45z;b a&# 45;b a&#+45;b a&#173;b a&#0;b'>#"
      "</div><p>@</p>",
      "<p>@</p>", KEEP(".a-b") },
    { "a tag that is not written as usual", NULL,
      "<div class = 'b'>#</div><p>@</p>", "", KEEP(".b") },
    { "an attribute without quotes", NULL, "<div =x class = b>#</div><p>@</p>",
      "", KEEP(".b") },
    { "the first of two attributes", NULL,
      "<div class=b class=c>#</div><p>@</p>", "<p>@</p>", KEEP(".c") },
    { "a compound", NULL, "<div class='a b' id=c>#</div><p>@</p>", "",
      KEEP("div.a.b#c") },
    { "a compound of which a part is missing", NULL,
      "<div class='a b'>#</div><p>@</p>", "<p>@</p>", KEEP("div.a.b#c") },
    { "the page itself says it", NULL,
      "<div data-detemplate=keep>#</div><p>@</p>", "", KEEP("x") },
    { "what is around stays, beside goes", NULL,
      "<div><b>%</b><p class=k>#</p><p>%</p></div><p>@</p>",
      "<div><p class=k>#</p></div><p>@</p>", KEEP(".k") },
    { "what is in it stays", NULL,
      "<div class=k><ul><li>#<li>%</ul><img src=/x.png></div><p>%</p><p>@</p>",
      "<div class=k><ul><li>#<li>%</ul><img src=/x.png></div><p>@</p>",
      KEEP(".k") },
    { "behind it goes on", NULL, "<ul><li class=k>#<li>%</ul><p>@</p>",
      "<ul><li class=k>#</ul><p>@</p>", KEEP(".k") },
    { "nested", NULL,
      "<div class=a><div><p class=b>#</p></div></div><p class=b>%</p><p>@",
      "<div class=a><div><p class=b>#</p></div></div><p>@", KEEP(".a .b") },
    { "nested right inside", NULL, "<div class=a><p>#</p></div><p>%</p>@",
      "<div class=a><p>#</p></div>@", KEEP(".a p") },
    { "an element is not in itself", NULL, "<div class='a b'>#</div><p>@</p>",
      "<p>@</p>", KEEP(".a .b") },
    { "nested in an element that is cold", NULL,
      "<table><tr><td>@<td class=a>@<p>@</table><div>#</div>@",
      "<table><tr><td>@<td class=a>@<p>@</table>@", KEEP(".a div") },
    { "nested in the body", "<body>" NAV "<p>@</p>",
      "<body class=a>" NAV "<p>@</p>", "", KEEP(".a nav") },
    { "the whole page", NULL, "<body class=a>" NAV "<p>@</p>", "",
      KEEP("body.a") },
    { "the rest of the page", NULL,
      NAV "<p>@</p><body class=k>" NAV "<p>@</p>",
      "<p>@</p><body class=k>" NAV "<p>@</p>", KEEP("body.k") },
    { "a picture", NULL, "<div><img src=/a.png class=k>#</div><p>@</p>",
      "<div><img src=/a.png class=k></div><p>@</p>", KEEP(".k") },
    { "a script", NULL, "<div><script class=k>x</script>#</div><p>@</p>",
      "<div><script class=k>x</script></div><p>@</p>", KEEP(".k") },
    { "inside of svg", NULL, "<div><svg><g id=k></g></svg>#</div><p>@</p>",
      "<div><svg><g id=k></g></svg></div><p>@</p>", KEEP("#k") },
    { "inside of noscript", NULL,
      "<div><noscript><i id=k>x</i></noscript>#</div><p>@</p>",
      "<div><noscript><i id=k>x</i></noscript></div><p>@</p>", KEEP("#k") },
    { "a heading above it", NULL, "<h2>#</h2><p class=k>%</p><div>@</div>",
      "<h2>#</h2><p class=k>%</p><div>@</div>", KEEP(".k") },
    { "the line that it stands in", NULL, "<p>@</p><p># <b class=k>%</b></p>",
      "<p>@</p><p># <b class=k>%</b></p>", KEEP(".k") },
    { "kept, and not ended in order", NULL,
      "<p>@</p><p><b class=k>#<p>%</b></p><div>#</div>", "", KEEP(".k") },
    { "a cell", NULL, "<table><tr><td class=k>#<td>%</table><p>@</p>",
      "<table><tr><td class=k>#</table><p>@</p>", KEEP(".k") },
    { "text behind it in the line", NULL,
      "<p>@</p><p><b class=k>#</b> %</p><div>%</div>",
      "<p>@</p><p><b class=k>#</b> %</p>", KEEP(".k") },

    /* force */

    { "cut by name", NULL, NAV "<aside>@</aside><p>@ @</p>", "<p>@ @</p>",
      FORCE("aside") },
    { "cut by class", NULL, NAV "<p>@</p><p class='a b'>@ @</p><p>@ @ @</p>",
      "<p>@</p><p>@ @ @</p>", FORCE(".b") },
    { "the page itself says so", NULL,
      NAV "<p>@</p><p data-detemplate=cut>@ @</p><p>@</p>", "<p>@</p><p>@</p>",
      FORCE("x") },
    { "where nothing is template around", NULL,
      "<table><tr><td>@<td><div class=b>@</div>@</table>" NAV,
      "<table><tr><td>@<td>@</table>", FORCE(".b") },
    { "behind one that begins as it does up to a '>'", NULL,
      NAV "<table><tr><td>@<td><div title='>'>@</div>"
          "<div title='>' class=k>@</div>@</table>",
      "<table><tr><td>@<td><div title='>'>@</div>@</table>", FORCE(".k") },
    { "joined to a word by a wbr", NAV "<p>@",
      NAV "<div>@<wbr><div class=k>@</div>@</div><p>@ @ @ @ @ @ @",
      "<div>@<wbr><div class=k>@</div>@</div><p>@ @ @ @ @ @ @", FORCE(".k") },
    { "behind a shorter one that begins and ends as it does", NAV "<p>@",
      NAV "<div><i a=kkkkkkk>@</i><i a=kkkkkkkk>@</i></div><p>@ @ @ @ @ @ @",
      "<div><i a=kkkkkkk>@</i></div><p>@ @ @ @ @ @ @", FORCE("[a=kkkkkkkk]") },
    { "with what is template in it", NULL, "<div class=b>" NAV "@</div><p>@",
      "<p>@", FORCE(".b") },
    { "in what is template", NULL,
      "<footer><p>#</p><div class=b>%</div></footer><p>@", "<p>@",
      FORCE(".b") },
    { "in what is template but for it", NULL,
      "<footer><p>#</p><div class=b>@</div></footer><p>@",
      "<footer></footer><p>@", FORCE(".b") },
    { "what is template itself", NULL, "<div class=b>#</div><p>@", "<p>@",
      FORCE(".b") },
    { "without an end tag", NULL, "<ul><li class=b>@<li>@ @</ul>" NAV,
      "<ul><li>@ @</ul>", FORCE(".b") },
    { "nested", NULL, "<div id=a><p>@</p></div><p>@</p>" NAV,
      "<div id=a></div><p>@</p>", FORCE("#a p") },
    { "a link of a heading", NULL,
      "<h2>@ <a class=h href=#x>&para;</a></h2>" NAV, "<h2>@ </h2>",
      FORCE("a.h") },
    { "a link of a heading, right behind it", NULL,
      "<h2>@<a class=h href=#x>&para;</a></h2>" NAV, "<h2>@</h2>",
      FORCE("a.h") },
    { "in a sentence", NULL, "<p>@ <sup class=b>@</sup> @</p>" NAV,
      "<p>@  @</p>", FORCE("sup") },
    { "a block right behind a word", NULL,
      "<div>@<div class=b>@</div>@</div>" NAV,
      "<div>@<div class=b>@</div>@</div>", FORCE(".b") },
    { "a block right behind a word with '>'", NULL,
      "<div>@><div class=b>@</div>@</div>" NAV,
      "<div>@><div class=b>@</div>@</div>", FORCE(".b") },
    { "a block right behind a word and <wbr>", NULL,
      "<div>@<wbr><div class=b>@</div>@</div>" NAV,
      "<div>@<wbr><div class=b>@</div>@</div>", FORCE(".b") },
    { "a picture", NULL, "<p>@ <img class=b src=/a.png> @</p>" NAV,
      "<p>@  @</p>", FORCE("img") },
    { "a script", NULL, "<p>@</p><script>a</script><p>@</p>" NAV,
      "<p>@</p><p>@</p>", FORCE("script") },
    { "an iframe", NULL, "<p>@</p><iframe class=b><b></iframe><p>@</p>" NAV,
      "<p>@</p><p>@</p>", FORCE(".b") },
    { "svg", NULL, "<p>@</p><svg class=b><g></g></svg><p>@</p>" NAV,
      "<p>@</p><p>@</p>", FORCE(".b") },
    { "svg without an inside", NULL, "<p>@</p><svg class=b /><p>@</p>" NAV,
      "<p>@</p><p>@</p>", FORCE(".b") },
    { "noscript", NAV "<p>@</p>",
      "<p>@</p><noscript><p>@</p></noscript><p>@</p>" NAV, "<p>@</p><p>@</p>",
      FORCE("noscript") },
    { "not inside of svg", NULL, "<p>@</p><svg><g class=b></g></svg>" NAV,
      "<p>@</p><svg><g class=b></g></svg>", FORCE(".b") },
    { "not the body", NULL, "<body class=b><p>@</p>" NAV,
      "<body class=b><p>@</p>", FORCE(".b") },
    { "not in the head", NULL,
      "<head><title>@</title><style>a</style></head><body><p>@</p>" NAV,
      "<head><title>@</title><style>a</style></head><body><p>@</p>",
      FORCE("title", "style") },
    { "a row, a cell", NULL,
      "<table><tr class=a><td>@<tr><td>@<td class=b>@<td>@</table>" NAV,
      "<table><tr><td>@<td>@</table>", FORCE(".a", ".b") },
    { "what stands in no place", NULL,
      "<table><tr><div class=b>@</div><td>@</table>" NAV,
      "<table><tr><div class=b>@</div><td>@</table>", FORCE(".b") },
    { "items of lists", NULL,
      "<ul><li>@<li class=b>@</ul><dl><dt class=b>@<dd "
      "class=b>@<dt>@</dl>" NAV,
      "<ul><li>@</ul><dl><dt>@</dl>", FORCE(".b") },
    { "a script in a table, a template", NULL,
      "<table><script class=b>a</script><tr><td>@</table>"
      "<template class=b /><p>@</p></template><p>@</p>" NAV,
      "<table><tr><td>@</table><p>@</p>", FORCE(".b") },
    { "text that is moved out of a table", NULL,
      "<table class=b>@<tr><td>@</table>" NAV,
      "<table class=b>@<tr><td>@</table>", FORCE(".b") },
    { "never closed", NULL, "<p>@</p>" NAV "<div class=b>@",
      "<p>@</p><div class=b>@", FORCE(".b") },
    { "formatting that goes on behind", NULL,
      NAV "<div class=b><b>@</div>@</b><p>@",
      "<div class=b><b>@</div>@</b><p>@", FORCE(".b") },
    { "an end tag of what is around", NULL,
      NAV "<b><span class=b>@</b>@</span><p>@",
      "<b><span class=b>@</b>@</span><p>@", FORCE(".b") },
    { "a form that ends in it", NULL,
      NAV "<form><div class=b>@</form>@</div><p>@",
      "<form><div class=b>@</form>@</div><p>@", FORCE(".b") },
    { "a form in a table", NULL,
      NAV "<table><form class=b><tr><td>@</table><p>@",
      "<table><form class=b><tr><td>@</table><p>@", FORCE(".b") },
    { "a link that ends one left open", NULL,
      NAV "<div><p><a href=x>@</p></div><div><a class=b>@</a></div><p>@",
      "<div><p><a href=x>@</p></div><div><a class=b>@</a></div><p>@",
      FORCE(".b") },
    { "a form in it", NULL, NAV "<div class=b><form>@</form>@</div><p>@",
      "<p>@", FORCE(".b") },
    { "a form", NULL, NAV "<form class=b>@</form><p>@", "<p>@", FORCE(".b") },
    { "within one another", NULL,
      NAV "<div class=b><p class=b>@</p>@</div><p>@", "<p>@", FORCE(".b") },
    { "the inner of one that does not end", NULL,
      NAV "<div class=b><span><p class=b>@</p></div>@<p>@",
      "<div class=b><span><p class=b>@</p></div>@<p>@", FORCE(".b") },

    /* both */

    { "keep wins",
      NULL,
      NAV "<p class='a b'>@</p><p>@</p>",
      "<p class='a b'>@</p><p>@</p>",
      { ".a", NULL },
      { ".b", NULL } },
    { "kept in what is cut",
      NULL,
      "<div class=b>@<p class=a>@</p>@ <p class=b>@</p></div>" NAV,
      "<div class=b>@<p class=a>@</p>@ </div>",
      { ".a", NULL },
      { ".b", NULL } },
    { "cut in what is kept",
      NULL,
      "<div class=a>@<p class=b>@</p><img class=b></div>" NAV,
      "<div class=a>@<p class=b>@</p><img class=b></div>",
      { ".a", NULL },
      { ".b", NULL } },
    { "behind what is kept",
      NULL,
      "<div><p class=a>@</p><p class=b>@</p></div><ul><li class=a>@"
      "<li class=b>@</ul>" NAV,
      "<div><p class=a>@</p></div><ul><li class=a>@</ul>",
      { ".a", NULL },
      { ".b", NULL } },
};


static void
hand_of(dt_hand_t *h, const row_t *row)
{
    char errstr[DT_ERRSTR];
    unsigned i;
    dt_status_t rc = DT_OK;

    dt_hand_init(h);

    for (i = 0; row->keep[i] != NULL && rc == DT_OK; i++) {
        rc = dt_hand_add(h, DT_HAND_KEEP, dt_cstr(row->keep[i]), errstr);
    }

    for (i = 0; row->force[i] != NULL && rc == DT_OK; i++) {
        rc = dt_hand_add(h, DT_HAND_FORCE, dt_cstr(row->force[i]), errstr);
    }

    if (rc != DT_OK) {
        printf("# %s: %s\n", row->name, errstr);
        abort();
    }
}


/* the same whatever the pieces, the machine, and what came before */
static int
same_in(const void *tmpl, dt_mode_t mode, const buf_t *page)
{
    int good = 1;
    size_t i;
    const size_t chunks[] = { 0, 1, 2, 3, 7, SITE_RANDOM };
    result_t whole, r;

    site_rewrite(tmpl, mode, page, 0, &whole);
    good &= !whole.wrong && whole.rc == DT_OK
            && (mode == DT_STRIP ? site_subsequence(&whole.out, page)
                                 : buf_eq(&whole.unmarked, page));

    for (i = 0; i < 3 * sizeof(chunks) / sizeof(chunks[0]); i++) {
        site_engine = i % 3 == 1 ? &engine_portable : &engine_own;
        site_memo = i % 3 == 2 ? dt_memo_init(malloc(dt_memo_size())) : NULL;
        site_rewrite(tmpl, mode, page, chunks[i / 3], &r);
        good &= result_eq(&r, &whole) && !r.wrong;
        result_free(&r);

        if (site_memo != NULL) {
            site_rewrite(tmpl, mode, page, chunks[i / 3], &r);
            good &= result_eq(&r, &whole) && !r.wrong;
            result_free(&r);
            free(site_memo);
            site_memo = NULL;
        }
    }

    site_engine = &engine_own;
    result_free(&whole);

    return good;
}


static void
test_rows(void)
{
    size_t i, len;
    char name[160];
    void *tmpl;
    buf_t page = { 0 }, want = { 0 };
    result_t r;
    const char *text;
    const row_t *row;
    static dt_hand_t hand;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        row = &rows[i];
        text = row->learned ? row->learned : row->page;
        tmpl = site_learn(text, strlen(text), &len);
        hand_of(&hand, row);
        site_hand = &hand;

        site_page(&page, row->page, strlen(row->page), SITE_PAGES + 1);
        text = row->want[0] ? row->want : row->page;
        site_page(&want, text, strlen(text), SITE_PAGES + 1);

        if (!ok(tmpl != NULL, row->name)) {
            continue;
        }

        site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
        buf_add(&want, "", 1);
        is_str(r.out.data, r.out.len, want.data, row->name);
        snprintf(name, sizeof(name), "%s: in any way", row->name);
        ok(same_in(tmpl, DT_STRIP, &page) && same_in(tmpl, DT_ANNOTATE, &page),
           name);
        result_free(&r);
        site_hand = NULL;
        free(tmpl);
    }

    buf_free(&page);
    buf_free(&want);
}


static void
test_read(void)
{
    static const struct {
        const char *selector;
        dt_status_t rc;
        const char *error;
    } cases[] = {
        { "a", DT_OK, "" },
        { "  a  ", DT_OK, "" },
        { "my-tag.b_c", DT_OK, "" },
        { "a\tb", DT_OK, "" },
        { ".a.b#c[d=e]", DT_OK, "" },
        { "[a=\"b c\"] [d='e']", DT_OK, "" },
        { ".\xc3\xa4", DT_OK, "" },
        { "", DT_EINVAL, "it is empty" },
        { " ", DT_EINVAL, "it is empty" },
        { ".", DT_EINVAL, "a name or a value is empty" },
        { "a#", DT_EINVAL, "a name or a value is empty" },
        { "[a='']", DT_EINVAL, "a name or a value is empty" },
        { "[a=' ']", DT_EINVAL, "a name or a value is empty" },
        { "[a]", DT_EINVAL, "in brackets there must be name=value" },
        { "[a", DT_EINVAL, "in brackets there must be name=value" },
        { "[=b]", DT_EINVAL, "in brackets there must be name=value" },
        { "[a~=b]", DT_EINVAL, "in brackets there must be name=value" },
        { "[a=b", DT_EINVAL, "a bracket does not end" },
        { "[a=b c]", DT_EINVAL, "a bracket does not end" },
        { "[a='b]", DT_EINVAL, "a quote does not end" },
        { "a b c", DT_EINVAL, "more than two are nested" },
        { "a:hover", DT_EINVAL,
          "only names, \".class\", \"#id\" and \"[name=value]\" are known" },
        { "a>b", DT_EINVAL,
          "only names, \".class\", \"#id\" and \"[name=value]\" are known" },
        { "*", DT_EINVAL,
          "only names, \".class\", \"#id\" and \"[name=value]\" are known" },
        { "a,b", DT_EINVAL,
          "only names, \".class\", \"#id\" and \"[name=value]\" are known" },
        { ".a.b.c.d", DT_OK, "" },
        { ".a.b.c.d.e", DT_EINVAL, "it has too many parts" },
    };
    size_t i;
    char errstr[DT_ERRSTR], longest[DT_HAND_LEN + 1];
    static dt_hand_t h;
    uint64_t hash;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dt_hand_init(&h);
        hash = h.hash;
        errstr[0] = '\0';
        is_int(
            dt_hand_add(&h, DT_HAND_KEEP, dt_cstr(cases[i].selector), errstr),
            cases[i].rc, cases[i].selector);
        is_str(errstr, strlen(errstr), cases[i].error, cases[i].selector);
        is_int(h.hash != hash, cases[i].rc == DT_OK, "the hash changes");
    }

    memset(longest, 'a', sizeof(longest));
    dt_hand_init(&h);
    is_int(dt_hand_add(&h, DT_HAND_KEEP, (dt_str_t){ DT_HAND_LEN, longest },
                       errstr),
           DT_OK, "the longest");
    is_int(dt_hand_add(&h, DT_HAND_KEEP,
                       (dt_str_t){ DT_HAND_LEN + 1, longest }, errstr),
           DT_ELIMIT, "longer");
    is_str(errstr, strlen(errstr), "it is longer than 128 bytes", "says so");

    while (h.n < DT_HAND_MAX) {
        (void) dt_hand_add(&h, DT_HAND_FORCE, dt_str("a b"), errstr);
    }

    is_int(dt_hand_add(&h, DT_HAND_FORCE, dt_str("a"), errstr), DT_ELIMIT,
           "too many");
    is_str(errstr, strlen(errstr), "there are more than 62", "says so");
}


/* lists that differ have other hashes */
static void
test_hash(void)
{
    char errstr[DT_ERRSTR];
    static dt_hand_t a, b;

    dt_hand_init(&a);
    dt_hand_init(&b);
    ok(a.hash == b.hash, "the same hash");
    (void) dt_hand_add(&a, DT_HAND_KEEP, dt_str("a"), errstr);
    (void) dt_hand_add(&b, DT_HAND_FORCE, dt_str("a"), errstr);
    ok(a.hash != b.hash, "another kind");
}


/* regions known under one list are not what they are under another */
static void
test_memo(void)
{
    size_t len;
    void *tmpl;
    buf_t page = { 0 };
    result_t r;
    static dt_hand_t none, keep;
    static const char text[] =
        "<div class=a><p class=c>@</p>" NAV "</div><div class=b>" NAV "</div>";
    static const row_t row = { NULL, NULL, NULL, NULL, KEEP(".a nav") };

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    dt_hand_init(&none);
    hand_of(&keep, &row);
    site_memo = dt_memo_init(malloc(dt_memo_size()));

    for (unsigned i = 0; i < 6; i++) {
        site_hand = i & 1 ? &keep : i & 2 ? &none : NULL;
        site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
        is_int(r.stats.kept, i & 1, "kept");
        ok((memmem(r.out.data, r.out.len, "href", 4) != NULL) == (i & 1),
           "the list of this page counts");
        ok(memmem(r.out.data, r.out.len, "class=b", 7) == NULL,
           "outside of it all goes");
        result_free(&r);
    }

    free(site_memo);
    site_memo = NULL;
    site_hand = NULL;
    buf_free(&page);
    free(tmpl);
}


/*
 * An element is wanted to be cut, and may not be, since a link is left open
 * before it.  So what holds it is not known by its bytes on the next page,
 * where the element may be cut.
 */
static void
test_memo_wanted(void)
{
    size_t len;
    void *tmpl;
    buf_t page = { 0 };
    result_t whole, r;
    static dt_hand_t hand;
#define WANTED                                                                \
    "<a href=b><center><footer><pre><hr><dt>/<input></dt>"                    \
    "<div class=b>&nbsp;<!--x--></div></pre>"
    static const char learned[] = WANTED "</footer></center>#</a>@";
    static const char *const first = "<body><a><nobr>" WANTED "<n>";
    static const char next[] = WANTED "</footer></center>#</a>x";
    static const row_t row = { NULL, NULL, NULL, NULL, FORCE(".b") };

    tmpl = site_learn(learned, sizeof(learned) - 1, &len);
    hand_of(&hand, &row);
    site_hand = &hand;
    site_page(&page, next, sizeof(next) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &whole);
    is_int(whole.stats.forced, 1, "wanted: cut where it may be");

    site_memo = dt_memo_init(malloc(dt_memo_size()));
    page.len = 0;
    buf_puts(&page, first);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    is_int(r.stats.forced, 0, "wanted: stays where it may not be cut");
    result_free(&r);

    site_page(&page, next, sizeof(next) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    ok(result_eq(&r, &whole), "wanted: cut on the next page");
    result_free(&r);
    result_free(&whole);

    free(site_memo);
    site_memo = NULL;
    site_hand = NULL;
    buf_free(&page);
    free(tmpl);
}


/* bounds: what is longer than is held stays, and many in one that waits */
static void
test_bounds(void)
{
    size_t i, len;
    void *tmpl;
    char name[80];
    buf_t page = { 0 };
    result_t r;
    static dt_hand_t hand;
    static const char text[] = NAV "<p>@</p>";
    static const row_t row = { NULL, NULL, NULL, NULL, FORCE(".b") };

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    hand_of(&hand, &row);
    site_hand = &hand;

    for (i = 0; i < 2; i++) {
        page.len = 0;
        buf_puts(&page, "<body><p>x</p><div class=b>");
        buf_fill(&page, "y", DT_HOLD_MAX - 19 + i);
        buf_puts(&page, "</div><p class=b>z</p>");

        site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
        snprintf(name, sizeof(name), "%zu bytes more than are held", i);
        is_int(r.stats.forced, 2 - (long) i, name);
        ok(same_in(tmpl, DT_STRIP, &page), name);
        result_free(&r);
    }

    page.len = 0;
    buf_puts(&page, "<body><div class=b>");
    buf_fill(&page, "<p class=b>y</p> ", 5000);
    buf_puts(&page, "</div>");
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    ok(r.stats.forced > 1000, "inside of one that is too long");
    ok(same_in(tmpl, DT_STRIP, &page), "inside of one that is too long");
    result_free(&r);

    /* in an element that may be template to its end */

    page.len = 0;
    buf_puts(&page, "<body><p>x</p><nav><ul><li>");
    buf_fill(&page, "<i class=b>y</i> ", 1000);
    buf_puts(&page, "</ul></nav>");
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    ok(r.stats.forced >= DT_SCAN_FORCED, "many that wait");
    ok(same_in(tmpl, DT_STRIP, &page), "many that wait, in any way");
    result_free(&r);

    buf_free(&page);
    site_hand = NULL;
    free(tmpl);
}


/* words of template count where they are kept or cut by hand */
static void
test_words(void)
{
    size_t i, len, chunk;
    void *tmpl;
    buf_t page = { 0 };
    result_t r;
    uint32_t words = 0;
    static dt_hand_t hand;
    static const char text[] = "<body><div class=d><h2 class=h>#</h2>" NAV
                               "</div><p>@ <a class=a href=/>#</a></p>";
    static const row_t lists[] = {
        { "none", NULL, NULL, NULL, KEEP("x") },
        { "the element", NULL, NULL, NULL, KEEP("nav") },
        { "what is in it", NULL, NULL, NULL, KEEP("li") },
        { "what is around it", NULL, NULL, NULL, KEEP(".d") },
        { "a heading", NULL, NULL, NULL, KEEP(".h") },
        { "the page", NULL, NULL, NULL, KEEP("body") },
        { "cut", NULL, NULL, NULL, FORCE("nav", ".h") },
        { "cut around", NULL, NULL, NULL, FORCE(".d") },
    };

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    site_hand = &hand;

    for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        hand_of(&hand, &lists[i]);

        for (chunk = 0; chunk < 3; chunk++) {
            site_rewrite(tmpl, DT_STRIP, &page, chunk, &r);
            words = words ? words : r.stats.words;
            is_int(r.stats.words, words, lists[i].name);
            result_free(&r);
        }
    }

    ok(words > 10, "there are some");
    site_hand = NULL;
    buf_free(&page);
    free(tmpl);
}


/* what is cut by hand is counted apart */
static void
test_stats(void)
{
    size_t len;
    void *tmpl;
    buf_t page = { 0 };
    result_t r;
    static dt_hand_t hand;
    static const char text[] = NAV "<p class=b>@</p><p>@</p><p class=k>#</p>";
    static const row_t row = { NULL, NULL,           NULL,
                               NULL, { ".k", NULL }, { ".b", NULL } };

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    hand_of(&hand, &row);
    site_hand = &hand;
    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    is_int(r.stats.regions, 2, "two regions");
    is_int(r.stats.forced, 1, "one of them by hand");
    is_int((long) r.stats.forced_bytes, (long) strlen("<p class=b>/own9/</p>"),
           "its bytes");
    is_int(r.stats.kept, 1, "one is kept");
    is_int(r.stats.cut_words, 10, "words of what is cut");
    is_int(r.stats.words, 15, "words of template");
    result_free(&r);
    buf_free(&page);
    site_hand = NULL;
    free(tmpl);
}


/* a tag behind many that differ from it in two bytes: in the first ones, in
   the last ones, and between these */
static void
test_alike(void)
{
    size_t i, n, len;
    void *tmpl;
    char tag[64];
    buf_t page = { 0 };
    result_t r;
    static dt_hand_t hand;
    static const char text[] = NAV "<p>@</p>";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const row_t row = { NULL, NULL, NULL, NULL,
                               FORCE(".kk", "[a=kk]") };
    static const char *const tags[] = {
        "<p a='%c%c'>x</p>",
        "<p a='%c%c' class='cccccccc'>x</p>",
        "<p class='ccccccc %c%c'>x</p>",
        "<p class='%c%c cccccccccccccccc'>x</p>",
        "<p class='cccccc %c%c cccccccc'>x</p>",
    };

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    hand_of(&hand, &row);
    site_hand = &hand;

    for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        page.len = 0;
        buf_puts(&page, "<body><table><tr><td>");

        for (n = 0; n < 26 * 26; n++) {
            if (letters[n / 26] != 'k' || letters[n % 26] != 'k') {
                snprintf(tag, sizeof(tag), tags[i], letters[n / 26],
                         letters[n % 26]);
                buf_puts(&page, tag);
            }
        }

        snprintf(tag, sizeof(tag), tags[i], 'k', 'k');
        buf_puts(&page, tag);
        buf_fill(&page, "x ", 100);
        buf_puts(&page, "</table>");

        site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
        is_int(r.stats.forced, 1, tag);
        ok(same_in(tmpl, DT_STRIP, &page), tag);
        result_free(&r);
    }

    buf_free(&page);
    site_hand = NULL;
    free(tmpl);
}


int
main(void)
{
    test_read();
    test_hash();
    test_rows();
    test_memo();
    test_memo_wanted();
    test_bounds();
    test_alike();
    test_words();
    test_stats();

    return done();
}
