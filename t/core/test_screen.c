
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/dom/screen.h"
#include "test.h"


typedef struct {
    const char *page;
    uint32_t depth;
    size_t attrs;
    const char *name;
} row_t;


/* how many elements of a page are open at once, by its tags */
static const row_t rows[] = {
    { "", 0, 0, "nothing" },
    { "text < and <3 & more", 0, 0, "no tag" },
    { "<div><b><i>x</i></b></div><div></div>", 3, 0, "nested" },
    { "<DIV></div><div></Div>", 1, 0, "in either case" },
    { "<html><head></head><body><div>a", 3, 0, "html, head and body" },
    { "<p>a<p>b<p>c<p>d", 0, 0, "no end tag of p is needed" },
    { "<ul><li>a<li>b<li>c</ul>", 1, 0, "nor of li" },
    { "<dl><dt>a<dd>b<dt>c<dd>d</dl>", 1, 0, "dt, dd" },
    { "<table><tr><td>a<td>b<tr><td>c<td>d</table>", 1, 0, "td, tr" },
    { "<table><caption>a<tbody><tr><td>", 1, 0, "parts of a table" },
    { "<table><tr><td><table><tr><td>a", 2, 0, "a table in a table" },
    { "<select><option>a<option>b</select>", 1, 0, "options" },
    { "<ruby>a<rt>b<rt>c</ruby>", 1, 0, "rt" },
    { "<a name=x>a<a name=y>b<nobr><a name=z><nobr>", 0, 0, "a, nobr" },
    { "<b>a</p></li></td></a><b>", 2, 0, "nor do their end tags count" },
    { "<br><img><hr><input><meta><link>", 0, 0, "void elements" },
    { "<b></br></img></input><b>", 2, 0, "and their end tags" },
    { "<h\x11><h\x11><h\x11>", 3, 0, "unknown elements" },
    { "<svg><path/><path/><g /></svg>", 1, 0, "a slash closes svg" },
    { "<svg><g href=x/><path></svg>", 3, 0, "but not one of a value" },
    { "</b></x></span><div></x></x><div>", 1, 0, "not less than nothing" },
    { "<script><div><div></script><div>", 1, 0, "script" },
    { "<script/><div></script><div>", 1, 0, "with a slash, as well" },
    { "<STYLE><div></Style ><div>", 1, 0, "style in other case" },
    { "<title><b><b></titles></title><b>", 1, 0, "title" },
    { "<title><b></title/><b>", 1, 0, "an end tag with a slash" },
    { "<title><b></title", 0, 0, "an end tag without end" },
    { "<noscript><div></noscript>", 2, 0, "no script is run" },
    { "<plaintext><div></body><div>", 0, 0, "plaintext" },
    { "<!-- <div> --><div>", 1, 0, "comment" },
    { "<!--><div>--><div>", 2, 0, "comment of nothing" },
    { "<!---><div>--><div>", 2, 0, "another one" },
    { "<!-- --!><div> -->", 1, 0, "comment with another end" },
    { "<!doctype <div><div>", 1, 0, "doctype" },
    { "<?x <div><div></><div>", 2, 0, "instructions, empty end tags" },
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
    dt_status_t rc;

    /* a copy of its own: a byte read behind it is an error */
    copy = malloc(len + (len == 0));
    memcpy(copy, page, len);

    rc = dt_screen((dt_str_t){ len, copy }, depth, attrs, out);

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
