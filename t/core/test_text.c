
/*
 * Copyright (C) The detemplate authors
 *
 * Pages, and the text that they become; the same in pieces of any size.
 */


#include <stdlib.h>

#include "core/scan/state.h"
#include "core/text/state.h"
#include "core/html/html.h"
#include "core/text/text.h"
#include "test.h"


#define URL "http://example.org/dir/page.html?a=1"

typedef struct {
    const char *html;
    const char *text;
    const char *name;
} row_t;


static const row_t markdown[] = {
    { "<h1>One</h1><h2>Two <em>x</em></h2><h6>Six #</h6>",
      "# One\n\n## Two *x*\n\n###### Six \\#\n", "headings" },
    { "<p>a\n b<p>c<div>d</div>e", "a b\n\nc\n\nd\n\ne\n", "paragraphs" },
    { "a<br>b<br><br>c<br>", "a\\\nb\n\nc\n", "line breaks" },
    { "<b>b</b><i>i</i> <strong>s </strong>t <del>d</del>",
      "**b**i **s** t ~~d~~\n", "emphasis" },
    { "a<b>(b)</b>c <b>(b)</b> <b></b>d", "a(b)c **(b)** d\n",
      "emphasis that no renderer would see" },
    { "<b>a.\xe3\x80\x80</b>b <b>\xe3\x80\x8c"
      "c</b>d",
      "a.\xe3\x80\x80"
      "b **\xe3\x80\x8c"
      "c**d\n",
      "emphasis in Chinese" },
    { "<p>a <code>x|`y</code> <code>p</code><code>q</code>",
      "a ``x|`y`` `pq`\n", "code" },
    { "<code>a <b>b</b> <a href=/c>c</a></code>",
      "`a b` [`c`](http://example.org/c)\n", "a link in code" },
    { "<a href='x y?z=(1'>t</a> <a href='?q'>u</a> <a href=#n>v</a> "
      "<a href=//h/a>w</a> <a href=javascript:x>n</a> <a>o</a>",
      "[t](http://example.org/dir/x%20y?z=%281) "
      "[u](http://example.org/dir/page.html?q) "
      "[v](http://example.org/dir/page.html?a=1#n) [w](http://h/a) n o\n",
      "links" },
    { "<a href='/f\n\too'>a</a> <a href='/b  c '>d</a> "
      "<a href='\\\\h\\p?a\\b'>e</a>",
      "[a](http://example.org/foo) [d](http://example.org/b%20%20c) "
      "[e](http://h/p?a%5Cb)\n",
      "what browsers make of a link" },
    { "<a href=vbscript:x>a</a> <a href=file:///b>c</a> <a href=about:d>e</a>",
      "a c e\n", "links that say no place" },
    { "<base href='/b?c&amp;lt;d'><body><a href=#n>t</a>",
      "[t](http://example.org/b?c&amp;lt;d#n)\n",
      "a base with what looks like a reference" },
    { "<base href=/b/><body><a href=x>t</a>", "[t](http://example.org/b/x)\n",
      "a base" },
    { "<a href=/x><h3>T</h3><p>text</a>",
      "### [T](http://example.org/x)\n\n[text](http://example.org/x)\n",
      "a link around blocks" },
    { "a <a href=/x><p>b</p><p>c</p>d</a> <b>e</b>",
      "a\n\n[b](http://example.org/x)\n\n[c](http://example.org/x)\n\n"
      "[d](http://example.org/x) **e**\n",
      "a link that goes on in blocks" },
    { "<img src='' data-src=a alt=b><img src=data:x alt=c><img srcset='d 1x, "
      "e 2x'><img data-srcset='f,1 300w,g 200w'>",
      "![b](http://example.org/dir/a) c ![](http://example.org/dir/e)"
      "![](http://example.org/dir/f,1)\n",
      "pictures without src" },
    { "a<svg></svg>b<iframe></iframe>c<video>x</video>d<canvas>e</canvas>f"
      "<object>g</object>h<embed>i<meter>j</meter>k<textarea>l</textarea>m"
      "<input>n<progress></progress>o<select></select>p<img>q",
      "a b c d e f g h i j k m n o p q\n",
      "words beside what stands in a line" },
    { "2<sup>10</sup> 10<sup>-3</sup> x<sub>1</sub>x<sub>i</sub> "
      "e<sup>a+b</sup> 1<sup>st</sup> a <sup>2</sup> b<sup><a href=c>1</a>"
      "</sup>",
      "2^10 10^-3 x_1x_i e^(a+b) 1st a 2 b[1](http://example.org/dir/c)\n",
      "sub and sup" },
    { "<i>mc</i><sup>2</sup> x<sup><b>n</b></sup> e<sup>x<sup>2</sup></sup> "
      "V<sub>max</sub> a<sup>b<i>+c</i></sup> d<sup> e</sup>",
      "*mc*^2 x^**n** e^(x^2) V_max a^(b+c) d e\n",
      "sub and sup with others" },
    { "<img alt='a\xe2\x80\xae\xf3\xa0\x81\x81"
      "b' src='\xe2\x80\xae'><a href='\xf3\xa0\x81\x81\xc3\xa9'>c</a>",
      "![ab](http://example.org/dir/%E2%80%AE)"
      "[c](http://example.org/dir/%F3%A0%81%81\xc3\xa9)\n",
      "odd characters in attributes" },
    { "<math><mfrac><mn>1</mn><mrow><mi>a</mi></mrow></mfrac> <msqrt><mn>2"
      "</mn></msqrt><msubsup><mi>x</mi><mi>i</mi><mrow><mi>n</mi><mo>+</mo>"
      "<mn>1</mn></mrow></msubsup></math>",
      "(1)/(a)sqrt(2)x_i^(n+1)\n", "math" },
    { "a <math alttext='x_{1}*y*'><mi>x</mi></math><img aria-hidden=true "
      "src=a> b <math><semantics><mi>x</mi><annotation encoding='application/"
      "x-tex'>\\frac{1}&lt;</annotation></semantics></math><i aria-hidden="
      "true>x</i> c",
      "a $x_{1}*y*$ b $\\frac{1}<$ c\n", "math that has TeX" },
    { "<q>a <q>b</q></q>",
      "\xe2\x80\x9c"
      "a \xe2\x80\x98"
      "b\xe2\x80\x99\xe2\x80\x9d\n",
      "quotations" },
    { "<ul><li><input type=checkbox checked>a<li><label><input type=checkbox>"
      " b</label><li>c <input type=checkbox>",
      "- [x] a\n- [ ] b\n- c\n", "tasks" },
    { "<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7) b\n8) c\n",
      "numbers of items" },
    { "<ol reversed><li>a<ul><li>b</ul><li>c</ol><ol reversed start=9><li>d",
      "2. a\n   - b\n1) c\n\n9. d\n", "a list that counts down" },
    { "<iframe src=/a title='A b'></iframe><video><source src=/c/d.mp4>no"
      "</video><audio src=e.mp3>no</audio><iframe src=f width=0></iframe>",
      "[A b](http://example.org/a) [d.mp4](http://example.org/c/d.mp4) "
      "[e.mp3](http://example.org/dir/e.mp3)\n",
      "frames and media" },
    { "<form>a<button>b</button><button type=button>c</button><h2><button>d"
      "</button></h2><button type=submit>e<h3>f</h3></form>",
      "a c\n\n## d\n\n### f\n", "buttons of a form" },
    { "a\x7f\xc2\x85&#x7f;&#x200e;b\xe2\x80\xae"
      "c\xf3\xa0\x81\x81&#xe0041;d\xe2\x81\xa6",
      "abcd\n", "characters that nobody sees" },
    { "a<template><style>b</style><template>c</template><p>d</template>e",
      "ae\n", "a template" },
    { "<x-a><template shadowrootmode=open><style>b</style><p>c</p><slot>"
      "</slot></template><p>d</p></x-a>",
      "c\n\nd\n", "a shadow root" },
    { "<ul><template shadowrootmode=open>a</template><li>b</ul>", "- b\n",
      "a shadow root on no host" },
    { "<math><mi><![CDATA[a<b]]></mi></math>", "a\\<b\n", "CDATA" },
    { "<a href=/x><img src=i.png alt='a]b'></a><img src=data:x><img>",
      "[![a\\]b](http://example.org/dir/i.png)](http://example.org/x)\n",
      "images" },
    { "wow!<a href=/x>t</a>", "wow\\![t](http://example.org/x)\n",
      "a link that is no image" },
    { "<ul><li>a<li><p>b<p>c<ul><li>d</ul><li></ul>e",
      "- a\n- b\n\n  c\n  - d\n\ne\n", "lists" },
    { "<ol start=9><li>a<li>b<ol><li>c</ol></ol><ol><li>d</ol>",
      "9. a\n10. b\n    1. c\n\n1) d\n", "ordered lists" },
    { "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n", "lists side by side" },
    { "<dl><dt>t<dd>d<dd>e<dt>u<dd>f</dl>", "t\n- d\n- e\n\nu\n- f\n",
      "a definition list" },
    { "<blockquote>a<p>b<ul><li>c</ul></blockquote>d",
      "> a\n>\n> b\n>\n> - c\n\nd\n", "a quote" },
    { "<pre class='language-c'>\n a&lt;b\n\n  c\n</pre>",
      "```c\n a<b\n\n  c\n```\n", "code in lines" },
    { "<pre><code class='language-c'>a\nb</code></pre><pre>c</pre>",
      "```c\na\nb\n```\n\n```\nc\n```\n", "the language of code in a pre" },
    { "a<plaintext>b <i>c &amp;", "a\n\nb \\<i>c \\&amp;\n", "plaintext" },
    { "<xmp>\xc3\xac&amp;<b></xmp>", "\xc3\xac\\&amp;\\<b>\n", "xmp" },
    { "<pre class='x brush: js'>a</pre><pre class='sourceCode R'>b</pre>"
      "<div class='highlight highlight-source-c'><pre>c</pre></div>"
      "<pre class='sourceCodeX lang-text'>d</pre>",
      "```js\na\n```\n\n```R\nb\n```\n\n```c\nc\n```\n\n```\nd\n```\n",
      "languages as others name them" },
    { "<div class='highlight-python notranslate'><pre>```\nx</pre></div>"
      "<pre>y</pre>",
      "````python\n```\nx\n````\n\n```\ny\n```\n", "code with a fence" },
    { "<ul><li><pre>a\nb</pre></ul>", "- ```\n  a\n  b\n  ```\n",
      "code in an item" },
    { "<table><tr><th>a<th align=right>b<tr><td>1|2<td><p>3<p>4</table>",
      "| a | b |\n| --- | --: |\n| 1\\|2 | 3 4 |\n", "a table" },
    { "<table><tr><td colspan=2>a<td>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f"
      "<td>g<td>h</table>",
      "| a | | b |\n| --- | --- | --- |\n| c | d | e |\n| | f | g h |\n",
      "cells that span" },
    { "<table><tr><td rowspan=-8>a<td colspan=00000002>b<tr><td>c<td>d<td>e"
      "</table>",
      "| a | b | |\n| --- | --- | --- |\n| c | d | e |\n",
      "spans that are negative or long" },
    { "<table><caption>t</caption><tr><td>one<tr><td>a<td>b</table>",
      "t\n\none\n\n| a | b |\n| --- | --- |\n", "a caption and a title" },
    { "<table><tr><td><ul><li>a</ul><td>b<table><tr><td>c<td>d</table></"
      "table>",
      "- a\n\nb\n\n| c | d |\n| --- | --- |\n", "a table for the layout" },
    { "<table role=presentation><tr><td>a<td>b</table>", "a\n\nb\n",
      "a table that says so" },
    { "<table><tr><th>a<td><ul><li>b<li>c</ul><pre>d</pre></table>",
      "| a | b c d |\n| --- | --- |\n", "blocks in a cell" },
    { "<table><tr><th>a<th>b<tr><td>c</td><td>d</td><p>e <i>f</i></p>g</tr>"
      "<tr>h<td></td><td>i</td>j<tr><td>k</table>",
      "| a | b |\n| --- | --- |\n| c | d e f g |\n| h | i j |\n| k | |\n",
      "words of a row in no cell" },
    { "<table><tr><td>a<td>b</tr>c<p>d<tr><td>e<td>f<tr><td>g</table>",
      "| a | b |\n| --- | --- |\n\nc\n\nd\n\n| e | f |\n| --- | --- |\n"
      "| g | |\n",
      "words of a table in no row" },
    { "a<p hidden>x</p><div HIDDEN=''><ul><li>x</ul></div><p "
      "hidden=until-found"
      ">b<p class=y inert>x<p aria-hidden=true>x<p aria-hidden=false>c<dialog>"
      "<p>x</dialog><dialog open>d</dialog><div popover>x</div>",
      "a\n\nb\n\nc\n\nd\n", "what attributes hide" },
    { "a<p style=display:none>x<p style='color:red; DISPLAY : None "
      "!important;'"
      ">x<p style='/*a*/visibility:/**/hidden'>x<p style='display&colon;none'"
      ">x<p id=b style=\"display:none\" title='c'>x<p style=display:block>b<p "
      "style='display:none;display:block'>c<p style='display:none!important;"
      "display:block'>x<p style='x-display:none;a:display:none;display:nonex'"
      ">d",
      "a\n\nb\n\nc\n\nd\n", "what a style hides" },
    { "a<p style='d\\69 splay:\\6eone'>x<p style=visibility:collapse>x<p "
      "style="
      "'content-visibility: hidden'>x<p style='\\'>b",
      "a\n\nb\n", "what a style hides, in other words" },
    { "a<span hidden>x</span>b<br hidden>c<img hidden src=x><img aria-hidden="
      "true src=y><a href=z inert/>x</a><i data-x hidden/class=d>x</i><table>"
      "<tr><td>e<td hidden>x<td>f<tr style=display:none><td>x</table><p "
      "hidden>x<table><tr><td><h2>x</table>",
      "abc![](http://example.org/dir/y)\n\n| e | f |\n| --- | --- |\n",
      "what is hidden in a line and in a table" },
    { "a<p inert z=1>x<p class=y inert a=b>x<p class='y'inert>x<p\nclass=z\n"
      "   inert   class=q>x<p     inert class=y    class=z>x<p class=y    "
      "class=z    inert  >x<p\n\n\tdata-b\n\n\tid=c\n\n>b<p data-inert=a "
      "inert-a=b not-hidden=c data-image>c<p x/inert/id=c>x<p title=a        "
      "popover style=b>x<p  \n  class=y data-some-long-name=hidden>d",
      "a\n\nb\n\nc\n\nd\n", "attributes without a value, anywhere" },
    { "a<p id='y'inert class=z>x<p id='y'inert a=b>x<p id='y'inert>x<p id=y  "
      "   inert class=y         class=z         class=q>x<p id=y    data-a "
      "class=y         class=z         class=q>b",
      "a\n\nb\n", "a short name without a value, and three places for it" },
    { "<body hidden style=display:none><h2 id=a>A <a href=#a>#</a></h2><h3><a "
      "href=#b>\xc2\xb6</a>B</h3><h4>C<a href=#c title=x>Permalink</a></h4>"
      "<h2><a href=#d>D</a> # <a href=#e>C#</a></h2><p><a href=#f>#</a>",
      "## A\n\n### B\n\n#### C\n\n## [D](http://example.org/dir/page.html?a="
      "1#d) # [C#](http://example.org/dir/page.html?a=1#e)\n\n"
      "[#](http://example.org/dir/page.html?a=1#f)\n",
      "links to copy in headings" },
    { "<a href='/?`{}^'>x</a> <a href='/a)b'>y</a>",
      "[x](http://example.org/?%60%7B%7D%5E) [y](http://example.org/a%29b)"
      "\n",
      "signs that a link cannot have as they are" },
    { "a<hr>b", "a\n\n___\n\nb\n", "a rule" },
    { "<details><summary>s</summary>t</details><figure><img src=a>"
      "<figcaption>c</figcaption></figure>",
      "s\n\nt\n\n![](http://example.org/dir/a)\n\nc\n",
      "details and figures" },
    { "a<script>x</script><style>y</style><svg><text>z</text></svg><template>"
      "<p>t</template><select><option>o</select><textarea>n</textarea>b",
      "a b\n", "what is no text" },
    { "<form>a <button>go</button></form><button>more</button>", "a\n\nmore\n",
      "buttons" },
    { "# a<p>- b<p>1. c<p>+ d<p>&gt; e<p>=f<p>---<p>#g<p>-h<p>12) i<p>1.5",
      "\\# a\n\n\\- b\n\n1\\. c\n\n\\+ d\n\n\\> e\n\n\\=f\n\n\\---\n\n\\#g\n\n"
      "-h\n\n12\\) i\n\n1\\.5\n",
      "what would begin something" },
    { "*a* _b_ c_d [e](f) `g` ~h~ &lt;i&gt; j\\k \\* &amp;amp; a * b",
      "\\*a\\* \\_b\\_ c_d \\[e](f) \\`g\\` \\~h\\~ \\<i> j\\k \\\\\\* "
      "\\&amp; "
      "a * b\n",
      "what would be markup" },
    { "see http://a.b/c_d e http://a.b/_x_ www.a.b/_y",
      "see http://a.b/c_d e "
      "http\\://a.b/\\_x\\_ www\\.a.b/\\_y\n",
      "bare URLs" },
    { "&copy; &copy 2&nbspx &eacute;t &#8364;&#x80;&#0; &nosuch; &Ycy; a&b",
      "\xc2\xa9 \xc2\xa9 2 x \xc3\xa9t \xe2\x82\xac\xe2\x82\xac\xef\xbf\xbd "
      "\\&nosuch; \xd0\xab a&b\n",
      "references" },
    { "a&ltb<", "a\\<b<\n", "a reference, and a sign that ends the page" },
    { "caf\xe9 \x93q\x94 \xe2\x82\xac \xff",
      "caf\xc3\xa9 "
      "\xe2\x80\x9cq\xe2\x80\x9d \xe2\x82\xac \xc3\xbf\n",
      "bytes that are not UTF-8" },
    { "<svg><p>a</svg>b", "ab\n", "what the scanner cannot follow" },
    { "<p>a<noscript><p>b <img src=/i></noscript>c",
      "a\n\nb ![](http://example.org/i)c\n", "noscript" },
    { "a</br>b</p>c", "a\n\nb\n\nc\n", "end tags that begin something" },
    { "a < b <3 c<", "a < b <3 c<\n", "signs that are no tags" },
    { "", "", "nothing" },
    { NULL, NULL, NULL },
};

static const row_t plain[] = {
    { "<h1>*One*</h1><p>a <b>b</b> <a href=x>c_d</a><img src=i alt=n><br>e",
      "*One*\n\na b c_d\ne\n", "no markup" },
    { "<ul><li>a<li>b</ul><blockquote>c</blockquote>", "- a\n- b\n\n> c\n",
      "lists" },
    { "<table><tr><th>a<th>b<tr><td>c|d<td></table>", "a\tb\nc|d\t\n",
      "a table" },
    { "<pre>\n a\n  b</pre><hr>", " a\n  b\n", "code" },
    { NULL, NULL, NULL },
};

static const row_t all[] = {
    { "a <i hidden>b</i><dialog>c</dialog><h2>d<a href=/e>#</a></h2>",
      "a *b*\n\nc\n\n## d[#](http://example.org/e)\n", "hidden, too" },
    { NULL, NULL, NULL },
};

static const row_t xml[] = {
    { "<?xml version='1.0'?><!DOCTYPE html [ <!ENTITY x 'a'> <!ELEMENT p ANY> "
      "]><html><head><title/><script src='a'/></head><body><p/>a<b/>b"
      "<?x y > z ? ?\?>c<?x?\?>d<![CDATA[ <i> > &amp; ]]]>e<!-- > -->f</body>",
      "abcd \\<i> > \\&amp; ]ef\n", "XML" },
    { "a<?x y > z ?\?>b", "ab\n", "XML that begins with text" },
    { NULL, NULL, NULL },
};

static const row_t front[] = {
    { "<html lang=de><head><title>A \"b\" &amp;\n c: \\d</title><meta "
      "name=Description content='x &quot;y&quot;'><meta "
      "property=article:published_time content=2024-01-02><link "
      "rel=canonical href=/c></head><body>t",
      "---\ntitle: \"A \\\"b\\\" & c: \\\\d\"\nurl: \"http://example.org/c\"\n"
      "description: \"x \\\"y\\\"\"\nlanguage: \"de\"\ndate: \"2024-01-02\"\n"
      "---\n\nt\n",
      "front matter" },
    { "<head><link rel=canonical href='/c?d&amp;lt;e'></head><body>t",
      "---\nurl: \"http://example.org/c?d&lt;e\"\n---\n\nt\n",
      "front matter, an URL with what looks like a reference" },
    { "t", "---\nurl: \"" URL "\"\n---\n\nt\n",
      "front matter without a head" },
    { NULL, NULL, NULL },
};


typedef struct {
    char data[1 << 18];
    size_t len;
} out_t;


static int
out(void *data, const char *p, size_t len)
{
    out_t *o = data;

    if (len > sizeof(o->data) - o->len) {
        return 1;
    }

    memcpy(o->data + o->len, p, len);
    o->len += len;

    return 0;
}


/* writes a page that comes in pieces */
static void
write_page(const char *p, size_t len, size_t piece, const dt_text_opts_t *opts,
           out_t *o)
{
    size_t n;
    char *copy;
    dt_text_t *t;
    dt_text_opts_t with = *opts;

    with.url = dt_str(URL);
    with.out = out;
    with.out_data = o;
    o->len = 0;

    if (dt_text_create(&with, &t) != DT_OK) {
        return;
    }

    for (; len; p += n, len -= n) {
        n = piece < len ? piece : len;

        /* of exactly that size, for the sanitizer */
        copy = malloc(n);
        memcpy(copy, p, n);
        (void) dt_text_feed(t, copy, n, 0);
        free(copy);
    }

    (void) dt_text_feed(t, NULL, 0, 1);
    dt_text_destroy(t);
}


static void
rows_ok(const row_t *row, const dt_text_opts_t *opts)
{
    size_t piece;
    static out_t o;

    for (; row->html != NULL; row++) {
        write_page(row->html, strlen(row->html), SIZE_MAX, opts, &o);

        if (!is_str(o.data, o.len, row->text, row->name)) {
            continue;
        }

        for (piece = 1; piece < 8; piece++) {
            write_page(row->html, strlen(row->html), piece, opts, &o);

            if (o.len != strlen(row->text)
                || memcmp(o.data, row->text, o.len) != 0) {
                is_str(o.data, o.len, row->text, "in pieces");
            }
        }
    }
}


/* a long run of ASCII between other characters goes by another way */
static void
ascii_ok(void)
{
    static const struct {
        const char *charset;
        const char *bytes;
        const char *text;
    } rows[] = {
        { "iso-8859-15", "\xa4", "\xe2\x82\xac" },
        { "Shift_JIS", "\x83\x5c", "\xe3\x82\xbd" },
        { "big5-hkscs", "\x88\x62", "\xc3\x8a\xcc\x84" },
        { "windows-1258", "a\xcc", "\xc3\xa0" },
    };
    static out_t o;
    char page[512], want[512], run[101];
    int n, m;
    size_t i, piece;
    dt_text_opts_t opts = { 0 };

    memset(run, 'a', sizeof(run) - 1);
    run[sizeof(run) - 1] = '\0';

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        opts.charset = dt_cstr(rows[i].charset);
        n = snprintf(page, sizeof(page), "%s%s%s<b>%s%s%s</b>", rows[i].bytes,
                     run, rows[i].bytes, run, rows[i].bytes, rows[i].bytes);
        m = snprintf(want, sizeof(want), "%s%s%s**%s%s%s**\n", rows[i].text,
                     run, rows[i].text, run, rows[i].text, rows[i].text);

        for (piece = 1; piece < 300; piece = piece * 2 + 1) {
            write_page(page, (size_t) n, piece, &opts, &o);

            if (o.len != (size_t) m || memcmp(o.data, want, o.len) != 0) {
                break;
            }
        }

        is_str(o.data, o.len, want, rows[i].charset);
    }
}


static void
charsets_ok(void)
{
    static out_t o;
    dt_text_t *t;
    dt_text_opts_t opts = { 0 };

    opts.charset = dt_str("Shift_JIS");
    write_page("<p>\x93\xfa\x96\x7b\xff.", 9, SIZE_MAX, &opts, &o);
    is_str(o.data, o.len, "\xe6\x97\xa5\xe6\x9c\xac\xef\xbf\xbd.\n",
           "another charset");
    write_page("<p>\x93\xfa\x96\x7b\xff.", 9, 1, &opts, &o);
    is_str(o.data, o.len, "\xe6\x97\xa5\xe6\x9c\xac\xef\xbf\xbd.\n",
           "another charset in pieces");
    opts.charset = dt_str("iso-8859-1");
    write_page("\x93", 1, SIZE_MAX, &opts, &o);
    is_str(o.data, o.len, "\xe2\x80\x9c\n", "Latin-1 is windows-1252");
    opts.charset = dt_str("utf-8");
    write_page("a\xff", 2, SIZE_MAX, &opts, &o);
    is_str(o.data, o.len, "a\xef\xbf\xbd\n", "UTF-8 that is none");
    opts.charset = dt_str("no-such");
    is_int(dt_text_create(&opts, &t), DT_EINVAL, "an unknown charset");
    opts.charset = dt_str("UTF-7-IMAP");
    is_int(dt_text_create(&opts, &t), DT_EINVAL, "UTF-7");
    opts.charset = dt_str("utf-16//IGNORE");
    is_int(dt_text_create(&opts, &t), DT_EINVAL, "a charset with options");
}


/* what is longer than a line may be */
static void
long_ok(void)
{
    size_t i, n, want, words;
    static char page[40 * DT_TEXT_LINE];
    static out_t o;
    dt_text_opts_t opts = { 0 };
    static const char *const begins[] = {
        "<p>",        "<b>",   "<h2>", "<pre>", "<table><tr><th>x<td>",
        "<a href=x>", "<code>"
    };

    for (i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
        n = (size_t) snprintf(page, sizeof(page), "%s", begins[i]);

        for (want = 0; n < 3 * DT_TEXT_LINE; want++) {
            n += (size_t) snprintf(page + n, sizeof(page) - n, "word ");
        }

        write_page(page, n, 1000, &opts, &o);

        /* a mark that ends with a line may stand in a word */
        for (words = 0, n = 0; n < o.len; n++) {
            o.data[words] = o.data[n];
            words += o.data[n] != '*';
        }

        o.len = words;

        for (words = 0, n = 0; n + 4 <= o.len; n++) {
            words += memcmp(o.data + n, "word", 4) == 0;
        }

        is_int((long long) words, (long long) want, begins[i]);
    }

    n = (size_t) snprintf(page, sizeof(page), "<p>a<img alt='");
    memset(page + n, 'x', DT_SCAN_HOLD);
    n += DT_SCAN_HOLD;
    n += (size_t) snprintf(page + n, sizeof(page) - n, "' src=i>b");
    write_page(page, n, SIZE_MAX, &opts, &o);
    is_str(o.data, o.len, "a b\n", "a tag that is too long");
    write_page(page, n, 100, &opts, &o);
    is_str(o.data, o.len, "a b\n", "the same in pieces");
}


/* adds a list of two items that counts down, of len bytes */
static size_t
add_reversed(char *page, size_t len)
{
    static const char begin[] = "<p><ol reversed><li>a", end[] = "<li>b</ol>";

    memset(page, ' ', len + 3);
    memcpy(page, begin, sizeof(begin) - 1);
    memcpy(page + len + 3 - (sizeof(end) - 1), end, sizeof(end) - 1);

    return len + 3;
}


/* lists whose items are counted: each up to DT_SCAN_HOLD bytes, and 16 times
   as many in all, by one list less or more, in any pieces */
static void
reversed_ok(void)
{
    static const size_t pieces[] = { SIZE_MAX, 32768, 4096, 97 };
    static const struct {
        unsigned lists;
        size_t len;
        int counted;
        const char *name;
    } rows[] = {
        { 1, DT_SCAN_HOLD, 1, "a reversed list of 64 KB" },
        { 1, DT_SCAN_HOLD + 1, 0, "and a byte" },
        { 18, DT_SCAN_HOLD, 17, "1 MB of reversed lists, and two more" },
    };
    static char page[18 * (DT_SCAN_HOLD + 3) + 8];
    static out_t o;
    size_t i, k, n, len;
    int counted;
    const dt_text_opts_t opts = { 0 };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (len = 0, n = 0; n < rows[i].lists; n++) {
            len += add_reversed(page + len, rows[i].len);
        }

        for (k = 0; k < sizeof(pieces) / sizeof(pieces[0]); k++) {
            write_page(page, len, pieces[k], &opts, &o);

            for (counted = 0, n = 0; n + 4 <= o.len; n++) {
                counted += memcmp(o.data + n, "2. a", 4) == 0;
            }

            is_int(counted, rows[i].counted, rows[i].name);
        }
    }
}


/* a line that gets too long is broken at the same place in any pieces, and
   what is open there ends */
static void
broken_ok(void)
{
    int same;
    size_t i, k, n;
    static char page[3 * DT_TEXT_LINE];
    static out_t whole, parts;
    dt_text_opts_t opts = { 0 };
    static const char *const opens[] = { "<b>", "<a href=y>", "<i><code>",
                                         "<del>&amp;", "\u4e00<b>" };
    static const char *const words[] = { "word and more ", "a *b* _c_ `d` ",
                                         "w\u00f6rd \u4e00 " };

    for (i = 0; i < sizeof(opens) / sizeof(*opens); i++) {
        for (k = 0, same = 1; k < 60; k++) {
            n = (size_t) snprintf(page, sizeof(page), "<p>");

            while (n < DT_TEXT_LINE - 300 - k * 13) {
                n += (size_t) snprintf(page + n, sizeof(page) - n, "%s",
                                       words[k % 3]);
            }

            n += (size_t) snprintf(page + n, sizeof(page) - n, "%s", opens[i]);

            while (n < DT_TEXT_LINE + 2000) {
                n += (size_t) snprintf(page + n, sizeof(page) - n, "%s",
                                       words[k % 3]);
            }

            write_page(page, n, SIZE_MAX, &opts, &whole);
            write_page(page, n, 1 + k % 7, &opts, &parts);
            same = same && whole.len == parts.len
                   && memcmp(whole.data, parts.data, whole.len) == 0;
        }

        is_int(same, 1, opens[i]);
    }
}


/* what is deeper, wider and more than is counted: no word is lost */
static void
bounds_ok(void)
{
    size_t i, n, words;
    static char page[65536];
    static out_t o;
    dt_text_opts_t opts = { 0 };
    static const struct {
        const char *begin;
        const char *each;
    } rows[] = {
        { "<p>", "<ul><li>word " },
        { "<p>", "<blockquote>word " },
        { "<table><tr><th>x<tr>", "<td>word " },
        { "<table><tr><th>x<tr>", "<td colspan=9>word " },
        { "<table>", "<tr><td rowspan=99>word <td>y" },
        { "<p>", "<b><i><del><code>word " },
    };

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        n = (size_t) snprintf(page, sizeof(page), "%s", rows[i].begin);

        for (words = 0; words < 300; words++) {
            n += (size_t) snprintf(page + n, sizeof(page) - n, "%s",
                                   rows[i].each);
        }

        write_page(page, n, 1000, &opts, &o);

        for (words = 0, n = 0; n + 4 <= o.len; n++) {
            words += memcmp(o.data + n, "word", 4) == 0;
        }

        is_int((long long) words, 300, rows[i].each);
    }

    /* a title of 1200 bytes is cut off, but not within a character */
    n = (size_t) snprintf(page, sizeof(page), "<title>\n ");

    for (i = 0; i < 600; i++) {
        n += (size_t) snprintf(page + n, sizeof(page) - n, "\xd1\x8e");
    }

    n += (size_t) snprintf(page + n, sizeof(page) - n, "</title><body>t");
    opts.front = 1;
    write_page(page, n, SIZE_MAX, &opts, &o);
    is_int(o.len > 400 && o.len < 600, 1, "a long title");

    for (n = sizeof("---\ntitle: \"") - 1; n + 2 <= o.len && o.data[n] != '"';
         n += 2)
    {
        if (memcmp(o.data + n, "\xd1\x8e", 2) != 0) {
            break;
        }
    }

    is_int(o.data[n], '"', "the end of a long title");

    /* a link that is too long is text */
    n = (size_t) snprintf(page, sizeof(page), "<a href=/");
    memset(page + n, 'x', 2100);
    n += 2100;
    n += (size_t) snprintf(page + n, sizeof(page) - n, ">t</a>");
    opts.front = 0;
    write_page(page, n, SIZE_MAX, &opts, &o);
    is_str(o.data, o.len, "t\n", "a link that is too long to be written");
}


static void
links_ok(void)
{
    static const struct {
        const char *ref;
        const char *url;
    } rows[] = {
        /* RFC 3986, 5.4 */
        { "g:h", "g:h" },
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y", "http://a/b/c/g?y" },
        { "#s", "http://a/b/c/d;p?q#s" },
        { "g#s", "http://a/b/c/g#s" },
        { "g?y#s", "http://a/b/c/g?y#s" },
        { ";x", "http://a/b/c/;x" },
        { "", "http://a/b/c/d;p?q" },
        { ".", "http://a/b/c/" },
        { "./", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../g", "http://a/g" },
        { "../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "/../g", "http://a/g" },
        { "g.", "http://a/b/c/g." },
        { "..g", "http://a/b/c/..g" },
        { "./g/.", "http://a/b/c/g/" },
        { "g/../h", "http://a/b/c/h" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
        { " g\n", "http://a/b/c/g" },
    };
    size_t i, n, quick = 0;
    char buf[64], name[96];
    dt_base_t base;

    dt_base_set(&base, dt_str("http://a/b/c/d;p?q"));

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        n = dt_link_join(&base, dt_cstr(rows[i].ref), buf, sizeof(buf));
        snprintf(name, sizeof(name), "link \"%s\"", rows[i].ref);
        is_str(buf, n, rows[i].url, name);

        n = dt_link_plain(&base, rows[i].ref,
                          rows[i].ref + strlen(rows[i].ref), buf, sizeof(buf));

        if (n) {
            is_str(buf, n, rows[i].url, "the same, at once");
            quick++;
        }
    }

    is_int((long long) quick, 13, "links that are joined at once");
    dt_base_set(&base, dt_str("http://a"));
    n = dt_link_join(&base, dt_str("b"), buf, sizeof(buf));
    is_str(buf, n, "http://a/b", "a base without a path");
    n = dt_link_join(&base, dt_str("bcd"), buf, 11);
    is_int((long long) n, 0, "a link that is too long");
    dt_base_set(&base, dt_str(""));
    n = dt_link_join(&base, dt_str("b"), buf, sizeof(buf));
    is_int((long long) n, 0, "a link without a base");
    n = dt_link_target(dt_str("http://a/(b)?c=\"<d>|&lt;&e"), 1, buf,
                       sizeof(buf));
    is_str(buf, n, "http://a/(b)?c=%22%3Cd%3E%7C&amp;lt;&e", "a target");
}


static void
references_ok(void)
{
    uint32_t c[2] = { 1, 1 };
    const char *s = "&notit;", *n = "&#x110000;";

    is_int(dt_reference_read(s, s + 7, 0, 1, c), 4, "a part of a name");
    is_int(c[0], 0xac, "its character");
    is_int(dt_reference_read(s, s + 7, 1, 1, c), 0, "not in an attribute");
    is_int(dt_reference_read(s, s + 3, 0, 0, c), -1, "more is needed");
    is_int(dt_reference_read(n, n + 10, 0, 1, c), 10, "a number");
    is_int(c[0], 0xfffd, "no character");

    s = "&NotEqualTilde;";
    is_int(dt_reference_read(s, s + 15, 0, 1, c), 15, "two characters");
    ok(c[0] == 0x2242 && c[1] == 0x338, "which they are");
    s = "&CounterClockwiseContourIntegral;";
    is_int(dt_reference_read(s, s + 33, 0, 1, c), 33, "the longest name");
    s = "&bullet;";
    is_int(dt_reference_read(s, s + 8, 0, 1, c), 8, "not a shorter one");
    s = "&bull;";
    is_int(dt_reference_read(s, s + 5, 0, 1, c), 0, "without semicolon");
    s = "&foo;";
    is_int(dt_reference_read(s, s + 5, 0, 1, c), 0, "no name");
}


static const row_t json[] = {
    { "<html lang=fr><title>A \"b\" \\ &amp; c</title><link rel=canonical "
      "href=/c><h1 id=top>O\xc3\xa9 <b>x</b> <a href=/d>e</a></h1><p>f \"g\""
      "<pre>h\ti\n\\</pre><blockquote><h2>j<br>k</h2></blockquote>"
      "<h3><a href=l><img src=m alt=n></a> <span id=p>o</span></h3>",
      "{\"url\":\"http://example.org/c\",\"title\":\"A \\\"b\\\" \\\\ & c\","
      "\"lang\":\"fr\",\"text\":\"# O\xc3\xa9 **x** [e](http://example.org/d)"
      "\\n\\nf \\\"g\\\"\\n\\n```\\nh\\u0009i\\n\\\\\\n```\\n\\n> ## j k\\n\\n"
      "### [![n](http://example.org/dir/m)](http://example.org/dir/l) o\\n\","
      "\"headings\":[{\"level\":1,\"text\":\"O\xc3\xa9 x e\",\"id\":\"top\","
      "\"offset\":0},{\"level\":2,\"text\":\"j k\",\"id\":null,\"offset\":62},"
      "{\"level\":3,\"text\":\"o\",\"id\":\"p\",\"offset\":70}],"
      "\"links\":[\"http://example.org/d\",\"http://example.org/dir/l\"],"
      "\"words\":11,\"tokens\":34",
      "JSON" },
    { "",
      "{\"url\":\"" URL "\",\"title\":null,\"lang\":null,\"text\":\"\","
      "\"headings\":[],\"links\":[],\"words\":0,\"tokens\":0",
      "JSON of nothing" },
    { NULL, NULL, NULL },
};

static const row_t anchors[] = {
    { "<h2 id=a-b.c_\xc3\xa9>x</h2><h2 id='a\"b'>y</h2><h3 id='a b'>z</h3>"
      "<h3 id='<'>v</h3><h4 id=a><i id=b>w</i></h4><p id=c>u<h2 id=d></h2>t"
      "<h5><a name=n id=e></a>s</h5>",
      "## <a id=\"a-b.c_\xc3\xa9\"></a>x\n\n## y\n\n### z\n\n### v\n\n#### "
      "<a id=\"a\"></a>*w*\n\nu\n\nt\n\n##### <a id=\"e\"></a>s\n",
      "ids of headings" },
    { NULL, NULL, NULL },
};


/* lists that are too long for what is held */
static void
json_long_ok(void)
{
    size_t i, len = 0;
    char *page = malloc(300000);
    static out_t o;
    dt_text_opts_t opts = { .json = 1 };

    for (i = 0; i < 3000; i++) {
        len += (size_t) snprintf(page + len, 300000 - len,
                                 "<h2 id=h%zu>%s\xc3\xa9 %zu</h2>", i,
                                 i ? "a" : "", i);
    }

    write_page(page, len, 1000, &opts, &o);
    o.data[o.len] = '\0';
    ok(strstr(o.data, "],\"truncated\":true,") != NULL,
       "a list that is too long: it says so");
    ok(strstr(o.data, "\"offset\":8},") != NULL
           && strstr(o.data, "}],\"links\":[]") != NULL,
       "and has whole items");
    ok(strstr(o.data, "## a\xc3\xa9 2999\\n\",") != NULL, "the text is whole");
    free(page);
}


int
main(void)
{
    dt_text_opts_t opts = { 0 };

    rows_ok(markdown, &opts);
    opts.hidden = 1;
    rows_ok(all, &opts);
    opts.hidden = 0;
    opts.xml = 1;
    rows_ok(xml, &opts);
    opts.xml = 0;
    opts.front = 1;
    rows_ok(front, &opts);
    opts.front = 0;
    opts.plain = 1;
    rows_ok(plain, &opts);
    opts.plain = 0;
    opts.anchors = 1;
    rows_ok(anchors, &opts);
    opts.anchors = 0;
    opts.json = 1;
    rows_ok(json, &opts);
    json_long_ok();
    charsets_ok();
    ascii_ok();
    long_ok();
    reversed_ok();
    broken_ok();
    bounds_ok();
    links_ok();
    references_ok();

    return done();
}
