
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/base/arena.h"
#include "core/dom/screen.h"
#include "test.h"


typedef struct {
    const char *page;
    uint32_t depth;
    size_t attrs;
    const char *name;
} row_t;


/* how deep a page is, less html and body and what is only implied */
static const row_t rows[] = {
    { "", 0, 0, "nothing" },
    { "text < and <3 & more", 0, 0, "no tag" },
    { "<div><b><i>x</i></b></div><div></div>", 3, 0, "nested" },
    { "<p>a<p>b<p>c<p>d", 1, 0, "p closes p" },
    { "<p><span>a<p><span>b<p><span>c", 2, 0, "and what is in it" },
    { "<p>a<div>b</div>", 1, 0, "a block closes p" },
    { "<ul><li>a<li>b<li>c</ul>", 2, 0, "li closes li" },
    { "<ul><li><ul><li>a<li>b</ul><li>c</ul>", 4, 0, "not outside its list" },
    { "<ul><li><div>a<li>b", 3, 0, "li looks behind a div" },
    { "<dl><dt>a<dd>b<dt>c<dd>d</dl>", 2, 0, "dt, dd" },
    { "<table><tr><td>a<td>b<tr><td>c<td>d</table>", 3, 0, "td, tr" },
    { "<table><tr><td><div>a<td><div>b", 4, 0, "a td closes all in a td" },
    { "<table><tr><td><table><tr><td>a", 6, 0, "a table in a table" },
    { "<table><table><table>", 1, 0, "a table in no cell" },
    { "<td>a<td>b<tr>c", 0, 0, "no table, no td" },
    { "<a name=x>a<a name=y>b<a name=z>", 1, 0, "a closes a" },
    { "<h1>a<h2>b</h1><h3>c", 1, 0, "headings" },
    { "<h\x11><h\x11><h\x11>", 3, 0, "no heading" },
    { "<sax2dqv5o7tk><sax2dqv5o7tk>", 2, 0, "nor that" },
    { "<select><option>a<option>b</select>", 2, 0, "options" },
    { "<ruby>a<rt>b<rt>c</ruby>", 2, 0, "rt" },
    { "<br><img><hr><input><meta><link>", 0, 0, "void elements" },
    { "<div/><div/><div/>", 3, 0, "a slash closes no HTML" },
    { "<x/><x/><x/>", 3, 0, "and no unknown element" },
    { "<svg><path/><path/><g/></svg>", 1, 0, "a slash closes svg" },
    { "<svg><a><x/><title><x/><x/><x/></a></svg>", 6, 0,
      "but not HTML in svg" },
    { "<svg><g><div><x/><x/>", 3, 0, "HTML ends svg" },
    { "<div></b></x></span><div>", 2, 0, "end tags of nothing" },
    { "<x><div></x><x><div></x>", 4, 0, "an end tag behind a block" },
    { "<div><table></div><div><table></div>", 3, 0, "or behind a table" },
    { "<div><select></div></select><div><select>", 3, 0, "or in a select" },
    { "<select><div><b><option>a<div></select><b>", 2, 0,
      "nothing opens there" },
    { "<select><td><svg></select><div><div>", 2, 0, "neither cell nor svg" },
    { "<b><div></b><b><div></b>", 3, 0, "formatting is taken out" },
    { "<script><div><div></script><div>", 1, 0, "script" },
    { "<STYLE><div></Style ><div>", 1, 0, "style in other case" },
    { "<title><b><b></titles></title><b>", 1, 0, "title" },
    { "<select><title></select><div><div>", 2, 0, "no title in a select" },
    { "<svg><style><x></style></svg>", 3, 0, "no raw text in svg" },
    { "<plaintext><div></plaintext><div>", 0, 0, "plaintext" },
    { "<!-- <div> --><div>", 1, 0, "comment" },
    { "<!--><div>--><div>", 2, 0, "comment of nothing" },
    { "<!-- --!><div> -->", 1, 0, "comment with another end" },
    { "<!doctype <div><div>", 1, 0, "doctype" },
    { "<![CDATA[<div>]]><div>", 1, 0, "no cdata in HTML" },
    { "<svg><![CDATA[></svg><x>]]></svg>", 1, 0, "cdata in svg" },
    { "<div a=1 b='>' c=\"<div>\" d>", 1, 4, "attributes" },
    { "<div a=b/c d = e = f>", 1, 4, "attributes without quotes" },
    { "<div =a / b>", 1, 2, "odd attributes" },
    { "<div a='", 0, 1, "a tag without end" },
    { "<", 0, 0, "one byte" },
    { "</", 0, 0, "two bytes" },
    { "<!", 0, 0, "two others" },
    { "<!-", 0, 0, "three bytes" },
};


static dt_status_t
look(const char *page, size_t len, uint32_t depth, size_t attrs,
     dt_screen_t *out)
{
    char *copy;
    dt_arena_t *arena;
    dt_status_t rc;

    /* a copy of its own: a byte read behind it is an error */
    copy = malloc(len + (len == 0));
    memcpy(copy, page, len);
    arena = dt_arena_create(1 << 20);

    rc = dt_screen((dt_str_t){ len, copy }, depth, attrs, arena, out);

    dt_arena_destroy(arena);
    free(copy);

    return rc;
}


static void
test_limits(void)
{
    dt_screen_t s;
    size_t n = 300, len = 0;
    char *page;

    is_int(look("<i><i><i>", 9, 3, 9, &s), DT_OK, "as deep as allowed");
    is_int(look("<i><i><i><i>", 12, 3, 9, &s), DT_ELIMIT, "deeper");
    is_int(s.depth, 4, "by one");
    is_int(look("<i a b c>", 9, 3, 3, &s), DT_OK, "attributes as allowed");
    is_int(look("<i a b c d>", 11, 3, 3, &s), DT_ELIMIT, "one more");
    is_int(look("<i><i>", 6, 0, 3, &s), DT_ELIMIT, "nothing allowed");

    page = malloc(n * 210);

    for (size_t i = 0; i < n; i++) {
        memcpy(page + len, "<br", 3);
        len += 3;

        for (int k = 0; k < 100; k++) {
            memcpy(page + len, " x", 2);
            len += 2;
        }

        page[len++] = '>';
    }

    is_int(look(page, len, 9, 100, &s), DT_ELIMIT, "many tags of many");
    is_int(look(page, len, 9, 4096, &s), DT_OK, "within what is allowed");
    free(page);
}


int
main(void)
{
    const row_t *r;
    dt_screen_t s;
    dt_status_t rc;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        r = &rows[i];
        rc = look(r->page, strlen(r->page), 100, 100, &s);

        if (!ok(rc == DT_OK && s.depth == r->depth
                    && (r->attrs == 0 || s.attrs == r->attrs),
                r->name))
        {
            printf("#   depth %u, attributes %zu\n", s.depth, s.attrs);
        }
    }

    test_limits();

    return done();
}
