
/*
 * Copyright (C) The detemplate authors
 *
 * What is cut where.  Each row is a page and what must be left of it; the
 * template is learned from eight such pages.  "@" stands for a word of its
 * own, "#" and "%" for text that is on all of them.
 */


#include "core/scan/scan.h"
#include "same.h"
#include "site.h"
#include "test.h"


typedef struct {
    const char *page;
    const char *want;   /* NULL: nothing is cut */
    const char *marked; /* NULL: not looked at */
} row_t;


static const row_t implied[] = {
    { "<ul><li>#<li>%</ul><p>@", "<p>@",
      "<ul data-template><li>#<li>%</ul><p>@" },
    { "<div><p>#<p>@</div>", "<div><p>@</div>",
      "<div><p data-template>#<p>@</div>" },
    { "<div><p>@\n<p>#\n<p>@</div>", "<div><p>@\n<p>@</div>", NULL },
    { "<div><p>@ <p>#</div>", "<div><p>@ </div>", NULL },
    { "<div><p>#<ul><li>@</ul></div>", "<div><ul><li>@</ul></div>", NULL },
    /* without it "tail" would be part of the first p */
    { "<div><p>@ <p>#</p> tail@</div>", "<div><p>@ <p></p> tail@</div>",
      "<div><p>@ <p><!--template-->#<!--/template--></p> tail@</div>" },
    { "<div><p>@ <ul><li>#</ul>tail@</div>", "<div><p>@ <ul></ul>tail@</div>",
      NULL },
    { "<ul><li>@ <li>#<li>@</ul>", "<ul><li>@ <li>@</ul>", NULL },
    { "<ul><li>@ <ul><li>#<li>%</ul><li>@</ul>", "<ul><li>@ <li>@</ul>",
      NULL },
    { "<ul><li>@ <ul><li>#<li>@</ul><li>%</ul>",
      "<ul><li>@ <ul><li>@</ul></ul>", NULL },
    { "<dl><dt>#<dd>@ <dt>%<dd>@</dl>", NULL, NULL },
    { "<dl><dt>#<dd>%</dl><p>@", "<p>@", NULL },
    { "<dl><dt>#<dd>%<dd>@</dl>", NULL, NULL },
    { "<dl><dt>#<dd>%<dt>% #<dd>@</dl>", "<dl><dt>% #<dd>@</dl>", NULL },
    { "<table><tr><td>#<td>@<tr><td>%<td>@</table>", NULL, NULL },
    { "<table><tr><td>#:<td>%<td>@</table>", NULL, NULL },
    { "<table><tr><th>#<td>%<td>@</table>", NULL, NULL },
    { "<table><tr><td>#<td>%<tr><td>@<td>@</table>",
      "<table><tr><td>@<td>@</table>", NULL },
    { "<table><tr><td><a href=/>#</a><td>@</table>",
      "<table><tr><td>@</table>", NULL },
    { "<label>#</label><input value=@><p>@", NULL, NULL },
    { "<p>@</p><p><label>#</label><input value=@></p><nav>%</nav>",
      "<p>@</p><p><label>#</label><input value=@></p>", NULL },
    { "<label>#</label><textarea>@</textarea><p>@", NULL, NULL },
    { "<label># <input value=@></label><p>@", NULL, NULL },
    { "<label># %<img src=/@></label><p>@", NULL, NULL },
    { "<label># <input value=x></label><p>@", "<p>@", NULL },
    { "<nav>#<input placeholder=@></nav><p>@",
      "<nav><input placeholder=@></nav><p>@", NULL },
    { "<figure><figcaption>#</figcaption><img src=@></figure><p>@", NULL,
      NULL },
    { "<figure><img src=@><figcaption>#</figcaption></figure><p>@", NULL,
      NULL },
    { "<figure><img src=a><figcaption>#</figcaption></figure><p>@", "<p>@",
      NULL },
    { "<table><tr><th>#<td>@<tr><th>%<td><a href=/@>@</a></table>", NULL,
      NULL },
    { "<table><tr><th>#<th>%<tr><td>@<td>@</table>", NULL, NULL },
    { "<table><thead><tr><th>#<th>%<tbody><tr><td>@<td>@</table>", NULL,
      NULL },
    { "<details><summary>#</summary><p>@</p></details>", NULL, NULL },
    { "<fieldset><legend>#</legend><p>@</p></fieldset>", NULL, NULL },
    { "<figure><figcaption>#</figcaption><p>@</p></figure>", NULL, NULL },
    { "<label>#<br><input value=@></label><p>@", NULL, NULL },
    { "<table><tr><th>#<br>%<td>@</table>", NULL, NULL },
    /* so is a line that ends in a colon, whatever it is in */
    { "<div><div>#:</div><div>@</div></div>", NULL, NULL },
    { "<div><div><b># %:</b></div> <div>@</div></div>", NULL, NULL },
    { "<div><p>#\xef\xbc\x9a</p><p>@</p></div>", NULL, NULL },
    { "<p><strong>#:</strong><br>@</p>", NULL, NULL },
    { "<ul><li><b>#</b>:<div>@</div></ul>", NULL, NULL },
    { "<div>#:<p><a href=/@>@</a></div>", NULL, NULL },
    { "<div>#:<p>%</p></div><p>@", "<p>@", NULL },
    { "<div><p>#:</p><nav>%</nav></div><p>@", "<p>@", NULL },
    { "<div>@<div><p>#:</p></div></div><p>@", "<div>@<div></div></div><p>@",
      NULL },
    { "<dl><dt>@ <dd>#<dt>@ <dd>%</dl>", "<dl><dt>@ <dt>@ </dl>", NULL },
    { "<select><option>#<option>@ <option>%</select>",
      "<select><option>@ </select>", NULL },
    { "<p>@<button><p>#</p></button></p>", "<p>@<button></button></p>", NULL },
    { "<h1>#</h2><ul><a href=@>@</a></ul>",
      "<h1></h2><ul><a href=@>@</a></ul>", NULL },
    { "<p>@</p><nav>#", "<p>@</p><nav>",
      "<p>@</p><nav><!--template-->#<!--/template-->" },
    { "<p>@</p><nav>#</nav", "<p>@</p><nav></nav", NULL },
    { "<p>@</p>#<", "<p>@</p>", NULL },
    { "<p>@</p></p><nav>#</nav>", "<p>@</p></p>", NULL },
    { "<p>@</p></br></foo><nav>#</nav>", "<p>@</p></br></foo>", NULL },
    { "<div><p>#</p></div><p>@", "<p>@", NULL },
    { "<nav>#</nav><nav>#</nav><p>@", "<p>@", NULL },
    /* what ends an element may stand in one that template stands in */
    { "<div><p>@ @<hr title=@>#</div><p>@ and what comes behind it",
      "<div><p>@ @<hr title=@></div><p>@ and what comes behind it", NULL },
    { "<div><p>@ @<center><ul><li>#</ul></center></div><p>@ and then",
      "<div><p>@ @<center></center></div><p>@ and then", NULL },
    /* center is a block, also for the places of what is in it */
    { "<div>%</div><center><div><p>@</p><p>#</p></div></center>",
      "<center><div><p>@</p></div></center>", NULL },
    { "<div><p>@ @<section>@</section>#</div><p>@ and what comes then",
      "<div><p>@ @<section>@</section></div><p>@ and what comes then", NULL },
    { "<div><p>@ @<section>@ <b>#</b></section></div><p>@ and then",
      "<div><p>@ @<section>@ </section></div><p>@ and then", NULL },
};


static const row_t tables[] = {
    { "<table><tr><td>#</td></tr></table><p>@</p>", "<p>@</p>", NULL },
    { "<table><tr><td>#<td>%<tr><td>@</table>", "<table><tr><td>@</table>",
      "<table><tr data-template><td>#<td>%<tr><td>@</table>" },
    { "<table><tbody><tr><td>#<tbody><tr><td>@</table>",
      "<table><tbody><tr><td>@</table>", NULL },
    { "<table><caption>#</caption><thead><tr><th>%<tbody><tr><td>@"
      "</table>",
      NULL, NULL },
    { "<table><tr><td><table><tr><td>#</table><td>@</table>",
      "<table><tr><td>@</table>", NULL },
    /* foster parents: what a parser moves out of a table stays */
    { "<table>#<tr><td>@</table>", NULL, NULL },
    { "<table><div>#</div><tr><td>@</table>",
      "<table><div></div><tr><td>@</table>", NULL },
    { "<table><tr><div>#</div><td>@</table>",
      "<table><tr><div></div><td>@</table>", NULL },
    { "<table><tr><td>#</td>%<td>@</table>", NULL, NULL },
    { "<table><b><tr><td>#</table><p>@", "<table><b><tr></table><p>@", NULL },
    { "<table><form><tr><td>#</form></table><p>@</p>", "<p>@</p>", NULL },
    { "<table><form><tr><td>#<td>@</form></table><p>@</p>", NULL, NULL },
};


/* the parser builds another tree than the tags tell: only text goes */
static const row_t misnested[] = {
    { "<p>@</p><b><p>#</b>%</p>", "<p>@</p><b><p>#</b>%</p>", NULL },
    { "<p><b>#</p><p>@</p>", "<p><b></p><p>@</p>", NULL },
    { "<div><b>#</div></b><p>@</p>", "<div><b></div></b><p>@</p>", NULL },
    { "<i><b>#</i></b><p>@</p>", "<i><b></i></b><p>@</p>", NULL },
    { "<a href=/x><div>#</a></div><p>@</p>",
      "<a href=/x><div></a></div><p>@</p>", NULL },
    { "<a href=/x>#<a href=/y>%</a><p>@</p>",
      "<a href=/x><a href=/y></a><p>@</p>", NULL },
    { "<nobr>#<nobr>%</nobr><p>@", "<nobr><nobr></nobr><p>@", NULL },
    /* for a parser, the div goes on */
    { "<form><div>#</form>%</div><p>@", "<form><div>#</form>%</div><p>@",
      NULL },
    { "<form><p>#</form>%<p>@", "<p>@", NULL },
    { "<form><div><i></div><p>@</form><nav>#</nav>@", NULL, NULL },
    { "<form><div><i></div>@</form><nav>#</nav>@",
      "<form><div><i></div>@</form>@", NULL },
    { "<select><div>#</div><option>@</select>",
      "<select><div></div><option>@</select>", NULL },
    { "<b>#<marquee></b>%</marquee><p>@", "<b><marquee></b></marquee><p>@",
      NULL },
};


#define SEVEN(s) s s s s s s s


/* what ends where, of tags that are not where they should be */
static const row_t soup[] = {
    { "<div><p>@<p>#<p>%</p>@</div>", "<div><p>@<p></p>@</div>", NULL },
    { "<div><dd>@<div><dd>#</div>@</div>", "<div><dd>@<div><dd></div>@</div>",
      NULL },
    { "<div>@<tr>#</tr></div>", NULL, NULL },
    { "<table><tr><tr><td>@</table><nav>#</nav>@", "<table><tr><td>@</table>@",
      NULL },
    { "<table><tbody><tbody><td>@</table><nav>#</nav>@",
      "<table><tbody><td>@</table>@", NULL },
    { "<div><span><tr><s></span><form>#</form>@</div>", NULL, NULL },
    { "<div><caption><b></div>#<p>@", NULL, NULL },
    { "<ul><li><section><b></li>#<li>@</ul>",
      "<ul><li><section><b></li>#<li>@</ul>", NULL },
    { "<dl><dd><section><b></dd>#<dd>@</dl>",
      "<dl><dd><section><b></dd>#<dd>@</dl>", NULL },
    { "<ul><li><ul><section><b></li>#<p>@</ul>",
      "<ul><li><ul><section><b></li><p>@</ul>", NULL },
    { "<pre><font><button></pre>#<aside>@</aside>",
      "<pre><font><button></pre>#<aside>@</aside>", NULL },
    { "<button><i></button>#<p>@", "<button><i></button>#<p>@", NULL },
    { "<select><optgroup label=x><option>#<optgroup><option>@</select>",
      "<select><optgroup label=x><optgroup><option>@</select>", NULL },
    { "<select><optgroup><option>#</optgroup><option>@</select>",
      "<select><option>@</select>", NULL },
    { "<div><p>@<hr># # #</div>@", "<div><p>@<hr></div>@", NULL },
    { "<div><p>@<hr>#</div><p>@", "<div><p>@<hr></div><p>@", NULL },
    /* what a parser has moved, or goes on with */
    { "<div><a href=/x>@<dl><a href=/y>@</dl># %<center>@</center></div>@",
      NULL, NULL },
    { "<table><b>@<ul><td></td>#<main>@</main></table>@", NULL, NULL },
    { "<div><i>@<center><a href=/x>@</i>#<main>@</main></center></div>@", NULL,
      NULL },
    { "<div><template><b><object></template>#<main>@</main></div>", NULL,
      NULL },
    { "<div><template><b><object></caption></template>#<main>@</main></div>",
      NULL, NULL },
    { "<div><template></td><b><object></template>#<main>@</main></div>", NULL,
      NULL },
    { "<div><template><td><template></td></template></template>#<i>@</i></"
      "div>",
      "<div><template><td><template></td></template></template><i>@</i></div>",
      NULL },
    { "<template><td><p></td><td></td></template># %<div>@</div>",
      "<template><td><p></td><td></td></template><div>@</div>", NULL },
    { "<div><template><tr><a><object><tbody></object></template>#<p>@</div>",
      NULL, NULL },
    { "<div><template><object><select></object></template>#<i>@</i></div>",
      "<div><template><object><select></object></template><i>@</i></div>",
      NULL },
    /* as many in one another as are told apart, and one more */
    { "<div><template>" SEVEN("<td>")
          SEVEN("</td>") "</template># %<p>@</div>",
      "<div><template>" SEVEN("<td>") SEVEN("</td>") "</template><p>@</div>",
      NULL },
    { "<div><template>" SEVEN("<td>") "<td></td>" SEVEN(
          "</td>") "</template># %<p>@</div>",
      "<div><template>" SEVEN("<td>") "<td></td>" SEVEN(
          "</td>") "</template><p>@</div>",
      NULL },
    { "<table><caption><table><tr><td>#</table>@</table># %<p>@",
      "<table><caption>@</table><p>@", NULL },
    { "<div><table><caption><b><table><object></table></b></table># %<p>@</p>"
      "</div>",
      NULL, NULL },
    { "<div><table><tr><td><b><marquee></table># %<p>@</p></div>", NULL,
      NULL },
    /* of equal formatting within one another, the fourth ends the first */
    { "<i><i><i><i>#</i>@<div>@</i></i></i></div>",
      "<i><i><i><i></i>@<div>@</i></i></i></div>", NULL },
    { "<i><i><i><nav><i># %</i></nav>@<div>@</i></i></i></div>",
      "<i><i><i><nav><i></i></nav>@<div>@</i></i></i></div>", NULL },
    { "<i><i><nav><i># %</i></nav>@<div>@</i></i></div>",
      "<i><i><nav></nav>@<div>@</i></i></div>", NULL },
    { "<i><b><i><nav><i># %</i></nav>@<div>@</i></b></i></div>",
      "<i><b><i><nav></nav>@<div>@</i></b></i></div>", NULL },
    { "<i><i><i>@<table><td><nav><i># %</i></nav>@</table></i></i></i>",
      "<i><i><i>@<table><td>@</table></i></i></i>", NULL },
    { "<p><i>@<p><i>@<p><i>@<section>@ <nav><i># %</i></nav>@</section>",
      "<p><i>@<p><i>@<p><i>@<section>@ <nav><i></i></nav>@</section>", NULL },
    { "<p><b>@<p><b>@<p><b>@<ul>@ <nav><small># %</small></nav>@</ul>",
      "<p><b>@<p><b>@<p><b>@<ul>@ <nav></nav>@</ul>", NULL },
    { "<p><tt>@<p><tt>@<p><tt>@<ul>@ <nav><big># %</big></nav>@</ul>",
      "<p><tt>@<p><tt>@<p><tt>@<ul>@ <nav></nav>@</ul>", NULL },
    /* no line goes on from what a parser moves, where nothing is known: as one
       and in pieces */
    { "<h2># %</h2><li><table>@ @</table># %<i>@ @ @ @ @</i>",
      "<h2># %</h2><li><table>@ @</table><i>@ @ @ @ @</i>", NULL },
    { "<h2># %</h2><div title=@>~ ~</div># %<i>@ @ @ @ @</i>",
      "<h2># %</h2><div title=@>~ ~</div><i>@ @ @ @ @</i>", NULL },
};


/* the same, of what is template elsewhere */
static const row_t elsewhere[] = {
    { "<nav><a href=/x><p>#</p></a>@</nav>", "<nav>@</nav>", NULL },
    { "<nav><a href=/x><p>#<a href=/y>@</a></nav>",
      "<nav><a href=/x><p>#<a href=/y>@</a></nav>", NULL },
    { "<nav><nobr># %</nobr>@</nav>", "<nav>@</nav>", NULL },
    { "<nav><nobr>@ <nobr># %</nobr>@</nav>",
      "<nav><nobr>@ <nobr></nobr>@</nav>", NULL },
    { "<nav><form></form>@</nav>", "<nav>@</nav>", NULL },
    /* what goes on in it does behind it */
    { "<nav><div><i>@</div><form> </form>@</nav>",
      "<nav><div><i>@</div><form> </form>@</nav>", NULL },
    { "<nav><div><i>@</div><form><input></form>@</nav>",
      "<nav><div><i>@</div><form><input></form>@</nav>", NULL },
    { "<nav><form><input></form>@</nav>", "<nav>@</nav>", NULL },
    { "<nav><h2><form>@</h2><form></form><form>@</form></nav>",
      "<nav><h2><form>@</h2><form></form><form>@</form></nav>", NULL },
    { "<nav><h2><form>@</h2><p></form></p><form>@</form></nav>",
      "<nav><h2><form>@</h2><p></form></p><form>@</form></nav>", NULL },
};


static const row_t comments[] = {
    { "<nav>#<!--x--></nav><p>@", "<p>@", NULL },
    { "<nav>#<!--@--></nav><p>@", "<p>@", NULL },
    { "<!-- <nav>#</nav> --><p>@", NULL, NULL },
    { "<!--><nav>#</nav><p>@", "<!--><p>@", NULL },
    { "<!---><nav>#</nav><p>@", "<!---><p>@", NULL },
    { "<!----><nav>#</nav><p>@", "<!----><p>@", NULL },
    { "<!--x--!><nav>#</nav><p>@", "<!--x--!><p>@", NULL },
    { "<!--x--!-><nav>#</nav>--><p>@", NULL, NULL },
    { "<!--x--!--><nav>#</nav><p>@", "<!--x--!--><p>@", NULL },
    { "<!--x--!x><nav>#</nav>--><p>@", NULL, NULL },
    { "<!--!><nav>#</nav>--><p>@", NULL, NULL },
    { "<!---!><nav>#</nav>--><p>@", NULL, NULL },
    { "<!----!><nav>#</nav><p>@", "<!----!><p>@", NULL },
    { "<!--x-!><nav>#</nav>--><p>@", NULL, NULL },
    { "<!--x-- ><nav>#</nav>--><p>@", NULL, NULL },
    { "<!--x-><nav>#</nav>--><p>@", NULL, NULL },
    { "<!--x--->#<p>@", "<!--x---><p>@", NULL },
    { "<p>@<!--x--><b>#</b>@", "<p>@<!--x--><b></b>@", NULL },
    { "<!--<!--><nav>#</nav><p>@", "<!--<!--><p>@", NULL },
    { "<p>@</p><div>#</div><!--", "<p>@</p><!--", NULL },
    { "<p>@</p><div>#</div><!--x--", "<p>@</p><!--x--", NULL },
    { "<!doctype html><body><nav>#</nav><p>@", "<!doctype html><body><p>@",
      NULL },
    { "<?php '<nav>#</nav>'?><p>@", "<?php '<nav></nav><p>@", NULL },
    { "</1 <nav>#</nav><p>@", "</1 <nav></nav><p>@", NULL },
    { "<![CDATA[<nav>#<br>x]]><p>@", "<![CDATA[<nav><br><p>@", NULL },
    { "a < b <3 # @ <div>% < </div>@", "a < b <3 # @ @", NULL },
};


/* behind the body's end, where a comment stands elsewhere until something else
   comes: that stays */
static const row_t behind[] = {
    { "<p>@</p></body>#<!-- x -->", NULL, NULL },
    { "<p>@</p></html> # %<br>#<!-- x -->",
      "<p>@</p></html> # %<br><!-- x -->", NULL },
    { "<p>@</p></body></html>\n<nav>#</nav><!-- x -->",
      "<p>@</p></body></html>\n<nav></nav><!-- x -->", NULL },
    { "<p>@</p></body><nav>#</nav><nav>#</nav><!-- x -->",
      "<p>@</p></body><nav></nav><!-- x -->", NULL },
    { "<p>@</p></body><hr><!-- x -->", NULL, NULL },
    { "<p>@</p></body>@ <nav>#</nav><!-- x -->", "<p>@</p></body>@ <!-- x -->",
      NULL },
    { "<p>@</p></body><script></script><nav>#</nav><!-- x -->",
      "<p>@</p></body><script></script><!-- x -->", NULL },
    { "<p>@</p></body></p><hr><nav>#</nav>", "<p>@</p></body></p><hr>", NULL },
    { "<p>@</p><svg></body></svg><nav>#</nav><!-- x -->",
      "<p>@</p><svg></body></svg><!-- x -->", NULL },
};


static const row_t foreign[] = {
    { "<svg><![CDATA[<nav>#</nav></svg>]]></svg><nav>#</nav><p>@",
      "<svg><![CDATA[<nav>#</nav></svg>]]></svg><p>@", NULL },
    { "<svg><text>#</text></svg><p>@", NULL, NULL },
    { "<svg><title>#</title><g>#</g><p>@", NULL, NULL },
    { "<svg><desc><ol><li>@ </li></ol></desc><g/></svg><nav>#</nav><p>@",
      "<svg><desc><ol><li>@ </li></ol></desc><g/></svg><p>@", NULL },
    { "<svg><desc><a>@ </a></desc><desc>@ <wbr></desc></svg> <nav>#</nav><p>@",
      "<svg><desc><a>@ </a></desc><desc>@ <wbr></desc></svg> <p>@", NULL },
    { "<svg><desc><x><![CDATA[></x></desc></svg><!-- "
      "]]></svg><nav>#</nav>-->@",
      NULL, NULL },
    { "<svg><title><![CDATA[</svg>]]></title></svg><nav>#</nav><p>@",
      "<svg><title><![CDATA[</svg>]]></title></svg><p>@", NULL },
    { "<svg><title><!x></title></svg><nav>#</nav><p>@",
      "<svg><title><!x></title></svg><p>@", NULL },
    { "<svg><desc/><![CDATA[</svg>]]></svg><nav>#</nav><p>@",
      "<svg><desc/><![CDATA[</svg>]]></svg><p>@", NULL },
    { "<svg><![CDATA></svg><nav>#</nav><p>@", "<svg><![CDATA></svg><p>@",
      NULL },
    { "<svg><!-- --><![CDATA[><svg>]]></svg><nav>#</nav><p>@",
      "<svg><!-- --><![CDATA[><svg>]]></svg><p>@", NULL },
    { "<svg><title>@ </svg><nav>#</nav><p>@", "<svg><title>@ </svg><p>@",
      NULL },
    { "<svg><svg><title>@ </svg><path></svg><nav>#</nav><p>@",
      "<svg><svg><title>@ </svg><path></svg><p>@", NULL },
    { "<div><svg></p><g></g></svg></div><nav>#</nav><p>@", NULL, NULL },
    { "<svg><foreignObject><p>@</svg><nav>#</nav><p>@", NULL, NULL },
    { "<svg><foreignObject><p>@</foreignObject></svg><nav>#</nav><p>@", NULL,
      NULL },
    { "<svg><desc><textarea></svg><nav>#</nav></textarea>@", NULL, NULL },
    { "<svg><desc><ruby><i>@</ruby></desc></svg></>#<div>@", NULL, NULL },
    { "<svg><desc><p><i>@<p>@</p></desc></svg></>#<div>@", NULL, NULL },
    { "<svg><desc><form></form></desc></svg><nav>#</nav><p>@",
      "<svg><desc><form></form></desc></svg><p>@", NULL },
    { "<form><svg><desc><form></form></desc></svg><nav>#</nav><p>@",
      "<form><svg><desc><form></form></desc></svg><nav></nav><p>@", NULL },
    { "<svg><desc><td></td></desc></svg><nav>#</nav><p>@",
      "<svg><desc><td></td></desc></svg><p>@", NULL },
    { "<svg><desc><body></body></desc></svg><nav>#</nav><p>@",
      "<svg><desc><body></body></desc></svg><p>@", NULL },
    { "<svg><desc><nobr></nobr></desc></svg><nav>#</nav><p>@",
      "<svg><desc><nobr></nobr></desc></svg><p>@", NULL },
    { "<svg><desc><svg></svg></desc></svg><nav>#</nav><p>@",
      "<svg><desc><svg></svg></desc></svg><p>@", NULL },
    { "<math><mi><x><![CDATA[></x></mi></math><!-- ]]></math><nav>#</nav>-->@",
      NULL, NULL },
    { "<template><svg><style><!-- </style></svg></template><nav>#</nav>-->@",
      NULL, NULL },
    { "<template><svg><title>@ </title><g/></svg></template><nav>#</nav><p>@",
      "<template><svg><title>@ </title><g/></svg></template><p>@", NULL },
    { "<template><svg><title><b></b></title></svg></template><nav>#</nav><p>@",
      "<template><svg><title><b></b></title></svg></template><p>@", NULL },
    { "<template><svg><title><q></q></title></svg></template><nav>#</nav><p>@",
      "<template><svg><title><q></q></title></svg></template><p>@", NULL },
    { "<template><svg><b></b></svg></template><nav>#</nav><p>@",
      "<template><svg><b></b></svg></template><p>@", NULL },
    { "<template><svg><font></font></svg></template><nav>#</nav><p>@",
      "<template><svg><font></font></svg></template><p>@", NULL },
    { "<template><svg><![CDATA[</template>]]></svg></template><nav>#</"
      "nav><p>@",
      "<template><svg><![CDATA[</template>]]></svg></template><p>@", NULL },
    { "<template><svg></template><nav>#</nav><p>@", NULL, NULL },
    { "<template><tr><td></template><nav>#</nav><p>@",
      "<template><tr><td></template><p>@", NULL },
    { "<template><a><td></template><nav>#</nav><p>@", NULL, NULL },
    { "<a><ul><template><td></template></ul><nav>#</nav><a>@", NULL, NULL },
    { "<template><svg/></template><nav>#</nav><p>@",
      "<template><svg/></template><p>@", NULL },
    { "<noscript><p>@</p><img></noscript><nav>#</nav><p>@",
      "<noscript><p>@</p><img></noscript><p>@", NULL },
    { "<noscript><!-- @ --></noscript><nav>#</nav><p>@",
      "<noscript><!-- @ --></noscript><p>@", NULL },
    { "<noscript><!--></noscript><nav>#</nav><p>@",
      "<noscript><!--></noscript><p>@", NULL },
    { "<noscript><!----></noscript><nav>#</nav><p>@",
      "<noscript><!----></noscript><p>@", NULL },
    { "<noscript><style>@</style><iframe></iframe></noscript><nav>#</nav><p>@",
      "<noscript><style>@</style><iframe></iframe></noscript><p>@", NULL },
    { "<noscript><!-- </noscript>--></noscript><nav>#</nav>@", NULL, NULL },
    { "<noscript><style> </noscript><nav>#</nav></style></noscript>@", NULL,
      NULL },
    { "<noscript><img alt='</noscript><nav>#</nav>'></noscript>@", NULL,
      NULL },
    { "<noscript></p x='</noscript><nav>#</nav>'></noscript>@", NULL, NULL },
    { "<noscript><p>@</p x='</noscript>'></noscript><nav>#</nav>@", NULL,
      NULL },
    { "<noscript><p>@</noscript><nav>#</nav>@",
      "<noscript><p>@</noscript><nav></nav>@", NULL },
    { "<noscript></p></noscript><nav>#</nav>@", "<noscript></p></noscript>@",
      NULL },
    { "<noscript><!-- --!><b x='--></noscript><nav>#</nav>@'>@", NULL, NULL },
    { "<noscript><!-- --!></noscript><nav>#</nav>@",
      "<noscript><!-- --!></noscript>@", NULL },
    { "<noscript><!-- -- !--@! <b>--></noscript><nav>#</nav><p>@",
      "<noscript><!-- -- !--@! <b>--></noscript><p>@", NULL },
    { "<p><b>@ <noscript><div></div></noscript>#<section>@</section></b></p>",
      "<p><b>@ <noscript><div></div></noscript><section>@</section></b></p>",
      NULL },
    { "<b>@ <noscript><div></div></noscript></b><nav>#</nav><p>@",
      "<b>@ <noscript><div></div></noscript></b><p>@", NULL },
    { "<table><noscript><table></table></noscript><p></table><p>#</p><a>@",
      "<table><noscript><table></table></noscript><p></table><a>@", NULL },
    { "<table><td><noscript><table></table></noscript></table><nav>#</nav>@",
      "<table><td><noscript><table></table></noscript></table>@", NULL },
    { "<table><td><p>@<noscript><table></table></noscript></table><p>#</p>@",
      "<table><td><p>@<noscript><table></table></noscript></table>@", NULL },
    { "<noscript><img alt='</noscript>'></noscript><nav>#</nav>@", NULL,
      NULL },
    { "<noscript><head></head></noscript><nav>#</nav>@",
      "<noscript><head></head></noscript>@", NULL },
    { "<noscript><button></button></noscript><nav>#</nav>@",
      "<noscript><button></button></noscript>@", NULL },
    { "<noscript><hr><input></noscript><nav>#</nav><p>@",
      "<noscript><hr><input></noscript><p>@", NULL },
    { "<noscript><table><tr></tr></table></noscript><nav>#</nav><p>@",
      "<noscript><table><tr></tr></table></noscript><p>@", NULL },
    { "<noscript><tr></tr></noscript><nav>#</nav>@",
      "<noscript><tr></tr></noscript>@", NULL },
    { "<noscript><style><b></style></noscript><nav>#</nav><p>@",
      "<noscript><style><b></style></noscript><p>@", NULL },
    { "<noscript><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q></q></q></q>"
      "</q></q></q></q></q></q></q></q></q></q></q></q></q></noscript>"
      "<nav>#</nav><p>@",
      "<noscript><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q></q></q></q>"
      "</q></q></q></q></q></q></q></q></q></q></q></q></q></noscript><p>@",
      NULL },
    { "<noscript><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q></q></q>"
      "</q></q></q></q></q></q></q></q></q></q></q></q></q></q></q></noscript>"
      "<nav>#</nav><p>@",
      "<noscript><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q><q></q></q></"
      "q></q></q></q></q></q></q></q></q></q></q></q></q></q></q></"
      "noscript><p>@",
      NULL },
    { "<noscript><!x></noscript><nav>#</nav>@", "<noscript><!x></noscript>@",
      NULL },
    { "<template><noscript></template></noscript></template><nav>#</nav>@",
      NULL, NULL },
    { "<template><noscript><p></noscript></template><nav>#</nav>@",
      "<template><noscript><p></noscript></template>@", NULL },
    { "<noscript><noscript></noscript><nav>#</nav>@",
      "<noscript><noscript></noscript><nav></nav>@", NULL },
    { "<noscript><b a='</b>'>@</b></noscript><nav>#</nav><p>@",
      "<noscript><b a='</b>'>@</b></noscript><p>@", NULL },
    { "<svg/><nav>#</nav><p>@", "<svg/><p>@", NULL },
    { "<svg a=b/><![CDATA[><nav>#</nav>]]></svg><p>@", NULL, NULL },
    { "<svg a='b/'><![CDATA[><nav>#</nav>]]></svg><p>@", NULL, NULL },
    { "<svg a=b / ><![CDATA[><nav>#</nav>]]></svg><p>@", NULL, NULL },
    { "<svg a=b /><![CDATA[><nav>#</nav>]]></svg><p>@",
      "<svg a=b /><![CDATA[></svg><p>@", NULL },
    { "<svg a='b'/><![CDATA[><nav>#</nav>]]></svg><p>@",
      "<svg a='b'/><![CDATA[></svg><p>@", NULL },
    { "<svg a='b'c/><![CDATA[><nav>#</nav>]]></svg><p>@",
      "<svg a='b'c/><![CDATA[></svg><p>@", NULL },
    { "<svg><svg/></svg><nav>#</nav><p>@", "<svg><svg/></svg><p>@", NULL },
    { "<nav>#<svg><g id=@></g></svg></nav><p>@", "<p>@",
      "<nav data-template>#<svg><g id=@></g></svg></nav><p>@" },
    { "<head><template><nav>#</nav></template><nav>#</nav><p>@",
      "<head><template><nav>#</nav></template><nav></nav><p>@", NULL },
    { "<template><template></template><nav>#</nav></template><p>@", NULL,
      NULL },
    { "<template><noscript><!-- </noscript></template><nav>#</nav>-->@", NULL,
      NULL },
    { "<template><plaintext></plaintext></template><nav>#</nav>@", NULL,
      NULL },
    { "<template><select><style><!--</style></select></template><nav>#</nav>@",
      "<template><select><style><!--</style></select></template><nav></nav>@",
      NULL },
    { "<template><col><style><!--</style></template><nav>#</nav>@",
      "<template><col><style><!--</style></template><nav></nav>@", NULL },
    { "<template><select></select><script></script></template><nav>#</nav>@",
      "<template><select></select><script></script></template>@", NULL },
    { "<template><select></select></template><template><style></style></"
      "template><nav>#</nav>@",
      "<template><select></select></template><template><style></style></"
      "template>@",
      NULL },
    { "<template><script></template></script></template><nav>#</nav><p>@",
      "<template><script></template></script></template><p>@", NULL },
    { "<nav>#<template>@</template></nav><p>@", "<p>@", NULL },
};


static const row_t raw[] = {
    { "<?--><nav>#</nav>--><p>@", "<?--><p>@", NULL },
    { "<?-- ><nav>#</nav>--><p>@", "<?-- ><p>@", NULL },
    { "<script><nav>#</nav></script><p>@", NULL, NULL },
    { "<script>x='</script ><nav>#</nav><p>@",
      "<script>x='</script ><nav></nav><p>@", NULL },
    { "<script></scripty><nav>#</nav></script><p>@", NULL, NULL },
    { "<script><!--<script></script><nav>#</nav>--></script><nav>#"
      "</nav><p>@",
      "<script><!--<script></script><nav>#</nav>--></script><nav></nav><p>@",
      NULL },
    { "<script><!-- x --><script></script><nav>#</nav><p>@",
      "<script><!-- x --><script></script><nav></nav><p>@", NULL },
    { "<script><!--<script></script></script><nav>#</nav><p>@",
      "<script><!--<script></script></script><nav></nav><p>@", NULL },
    { "<script><!--x</script><nav>#</nav><p>@",
      "<script><!--x</script><nav></nav><p>@", NULL },
    { "<script><!--></script><nav>#</nav><p>@",
      "<script><!--></script><nav></nav><p>@", NULL },
    { "<script><!--<script>--></script><nav>#</nav><p>@",
      "<script><!--<script>--></script><nav></nav><p>@", NULL },
    { "<script><!--><script></script><nav>#</nav><p>@",
      "<script><!--><script></script><nav></nav><p>@", NULL },
    { "<script><!x<!-y<script></script><nav>#</nav><p>@",
      "<script><!x<!-y<script></script><nav></nav><p>@", NULL },
    { "<script><!--x><script></script><nav>#</nav>--></script><p>@", NULL,
      NULL },
    { "<script><!-- -x><script></script><nav>#</nav>--></script><p>@", NULL,
      NULL },
    { "<script><!-- --<><script></script><nav>#</nav>--></script><p>@", NULL,
      NULL },
    { "<script><!-- ->-><script></script><nav>#</nav>--></script><p>@", NULL,
      NULL },
    { "<style><!--<script></style><nav>#</nav><p>@",
      "<style><!--<script></style><p>@", NULL },
    { "<script><!--<scripty></script><nav>#</nav><p>@",
      "<script><!--<scripty></script><nav></nav><p>@", NULL },
    { "<nav>#<script>@</script></nav><p>@", "<p>@", NULL },
    { "<nav>#<style>p{@}</style></nav><p>@", "<p>@", NULL },
    { "<nav>#<noscript><img src=/@></noscript></nav><p>@", "<p>@", NULL },
    { "<style><nav>#</nav></style><p>@", NULL, NULL },
    { "<textarea><nav>#</nav></textarea><p>@", NULL, NULL },
    { "<textarea><!--</textarea><nav>#</nav>--><p>@",
      "<textarea><!--</textarea><p>@", NULL },
    { "<iframe><nav>#</nav></iframe><p>@", NULL, NULL },
    { "<noscript><nav>#</nav></noscript><p>@", NULL, NULL },
    { "<xmp><nav>#</nav></xmp><p>@", NULL, NULL },
    { "<noembed><nav>#</nav></noembed><p>@", NULL, NULL },
    { "<p>@</p><plaintext><nav>#</nav>", NULL, NULL },
    { "<head><title><nav>#</nav></title></head><body><p>@", NULL, NULL },
    { "\xef\xbb\xbf\n<html><head><link href=/m "
      "title=x></head><nav>#</nav><p>@",
      "\xef\xbb\xbf\n<html><head><link href=/m title=x></head><nav></nav>"
      "<p>@",
      NULL },
    { "\xef\xbb\xbf<body><nav>#</nav><p>@", "\xef\xbb\xbf<body><p>@",
      "\xef\xbb\xbf<body><nav data-template>#</nav><p>@" },
    { "<head><title>#</title><link href=/m><meta name=m><script>#"
      "</script><style>#</style></head><body><nav>#</nav><p>@",
      "<head><title>#</title><link href=/m><meta name=m><script>#"
      "</script><style>#</style></head><body><p>@",
      NULL },
    { "<head><base href=/dir/><link rel=canonical href=/c><link rel=alternate "
      "hreflang=de href=/d><script type=application/ld+json>{\"#\":1}</script>"
      "<script src=/s integrity=sha384-x nonce=y></script></head><nav>#</nav>"
      "<p>@<script src=/t integrity=sha384-x nonce=y></script>",
      "<head><base href=/dir/><link rel=canonical href=/c><link rel=alternate "
      "hreflang=de href=/d><script type=application/ld+json>{\"#\":1}</script>"
      "<script src=/s integrity=sha384-x nonce=y></script></head><nav></nav>"
      "<p>@<script src=/t integrity=sha384-x nonce=y></script>",
      NULL },
    { "<html><meta name=m><nav>#</nav><p>@",
      "<html><meta name=m><nav></nav><p>@", NULL },
};


static const row_t tags[] = {
    { "<a x=\">\">#</a><p>@", "<p>@", NULL },
    { "<a x='>'y=\">\">#</a><p>@", "<p>@", NULL },
    { "<a x = \" > \" >#</a><p>@", "<p>@",
      "<a data-template x = \" > \" >#</a><p>@" },
    /* a mark before it would take the '=' */
    { "<a ='x>y'>#</a><p>@", "<a ='x></a><p>@", NULL },
    { "<b x='y'='>#</b><p>@", "<p>@", NULL },
    { "<b x= '>'>#</b><p>@", "<p>@", NULL },
    { "<b x=y'>#</b>'<p>@", "<p>@", NULL },
    { "<b x=\"y'>\">#</b><p>@", "<p>@", NULL },
    { "<b x==\">#</b>\"<p>@", "<p>@", NULL },
    { "<b x=y=\">#</b>\"<p>@", "<p>@", NULL },
    { "<b x y=\"a>b\"z='>'>#</b><p>@", "<p>@", NULL },
    { "<b x=a/b>#</b><p>@", "<p>@", NULL },
    { "<b x=/>#</b><p>@", "<p>@", "<b data-template x=/>#</b><p>@" },
    { "<b x\"y>#</b><p>@", "<p>@", NULL },
    { "<b/x/\"y\">#</b><p>@", "<p>@", "<b data-template/x/\"y\">#</b><p>@" },
    { "<b='x>#</b='x><p>@", "<p>@", NULL },
    { "<b x=\"#<nav>#</nav>", NULL, NULL },
    { "<b\n\tx\f=\r>#</b\n><p>@", "<p>@", NULL },
    { "<nav/>#</nav><p>@", "<p>@", "<nav data-template/>#</nav><p>@" },
    { "<NAV>#</Nav ><p>@", "<p>@", "<NAV data-template>#</Nav ><p>@" },
    { "<nav>#</nav x='>'><p>@", "<p>@", NULL },
    { "<my-tag>#</my-tag><p>@", "<p>@", NULL },
    { "<averyveryveryverylongname>#</averyveryveryverylongname><p>@", "<p>@",
      NULL },
    { "<div title='<nav>#</nav>'>@</div>", NULL, NULL },
    { "<div a=<nav>#</nav>@</div>", "<div a=<nav></nav>@</div>", NULL },
};


/* the same for a reader, and what is not */
static const row_t same[] = {
    { "<nav class=@ id=@ style=@ nonce=@>#</nav><p>@", "<p>@", NULL },
    { "<nav><img src='/x.png?v=123'>#</nav><p>@", "<p>@", NULL },
    { "<nav><input type=hidden value=@>#</nav><p>@", "<p>@", NULL },
    { "<nav><input value=@ type=HIDDEN>#</nav><p>@", "<p>@", NULL },
    { "<nav># \n %</nav><p>@", "<p>@", NULL },
    { "<nav title=@>#</nav><p>@", "<nav title=@></nav><p>@", NULL },
    { "<nav><a href='/x?@'>#</a></nav><p>@",
      "<nav><a href='/x?@'></a></nav><p>@", NULL },
    { "<nav><img src='/@.png'>#</nav><p>@",
      "<nav><img src='/@.png'></nav><p>@", NULL },
    { "<nav><img alt=@>#</nav><p>@", "<nav><img alt=@></nav><p>@", NULL },
    { "<nav><input type=text value=@>#</nav><p>@",
      "<nav><input type=text value=@></nav><p>@", NULL },
    { "<nav><b>#</b> @</nav>", "<nav> @</nav>", NULL },
    { "<header><p>#</p><h2>@</h2></header>", "<header><h2>@</h2></header>",
      "<header><p data-template>#</p><h2>@</h2></header>" },
};


static const row_t words[] = {
    { "<p>@<span>#</span>@", "<p>@<span></span>@",
      "<p>@<span><!--template-->#<!--/template--></span>@" },
    { "<p>@ <span>#</span> @", "<p>@  @", NULL },
    { "<p>@ <span>#</span>@", "<p>@ @", NULL },
    { "<p>@ \x01<span>#</span>@", "<p>@ \x01<span></span>@", NULL },
    { "<p>\x01<span>#</span>@", "<p>\x01<span></span>@", NULL },
    { "<p>\t<span>#</span>@", "<p>\t@", NULL },
    { "<p>@<span> #</span> @", "<p>@<span> </span> @", NULL },
    { "<p><span>#</span>@", "<p>@", NULL },
    { "<p>@<img src=/a.png>@ <b>#</b>", "<p>@<img src=/a.png>@ ", NULL },
    { "<p>@<br>#<br>@", "<p>@<br><br>@", NULL },
    { "<p>@ # /<b>%</b> @", "<p>@ # /<b></b> @", NULL },
};


/* a page that is not like those that were learned from */
static const struct {
    const char *learned;
    const char *page;
    const char *want; /* NULL: nothing is cut */
} others[] = {
    /* a form in a form ends no p */
    { "<nav><a href=b><p><br><form>#</form></p></a></nav>%<p>@",
      "<nav><form></nav><nav><a href=b><p><br><form>@", NULL },
    /* white space in a table and no cell opens nothing again */
    { "<table><nobr><tbody><div>#</div></table><p>@",
      "<table><nobr><tbody><div> #<div>", NULL },
    /* text in a table, where a heading waits and nothing else matters */
    { "<table><tr><td><h2>#</h2><li class=x><table></table>#</li></table><p>@",
      "<table><tr><td><h2>#</h2><li><table>/x></b></table>#</li></table><p>@ "
      "@",
      "<table><tr><td><h2>#</h2><li><table>/x></b></table></li></table><p>@ "
      "@" },
    /* a parser may be elsewhere, in what swallows the rest */
    { "<nav>#</nav><p>@",
      "<div><svg><math></math><img><script/></svg></div><nav>#</nav><b>",
      NULL },
    { "<nav>#</nav><p>@",
      "<div><svg></p><script></svg></div><nav>#</nav></script>@", NULL },
    { "<nav>#</nav><p>@",
      "<div><b><svg></b><title></svg></div><nav>#</nav></title>@", NULL },
    { "<nav>#</nav><p>@",
      "<p><b>@</p><div><svg></b><style></svg></div><nav>#</nav></style>@",
      NULL },
    { "<nav>#</nav><p>@",
      "<div><svg><font><style></svg></div><nav>#</nav></style>@",
      "<div><svg><font><style></svg></div></style>@" },
    { "<nav>#</nav><p>@",
      "<div><svg></p><![CDATA[><!--]]></svg></div><nav>#</nav>-->@", NULL },
    { "<nav>#</nav><p>@",
      "<template><col><style></template><nav>#</nav></style>@", NULL },
    { "<nav>#</nav><p>@",
      "<div><x-y><svg></x-y><script></svg></div><nav>#</nav></script>@",
      NULL },
    { "<nav>#</nav><p>@", "<div><svg></p><svg></svg></div><nav>#</nav>@",
      NULL },
    /* the same */
    { "<ul><li>#<li>%</ul><p>@", "<ul><li>#</li><li>%</li></ul><p>@", "<p>@" },
    { "<nav><a href='/dir/a'>#</a></nav><p>@",
      "<nav><a href='a'>#</a></nav><p>@", "<p>@" },
    { "<nav><a href='/a' class=x>#</a></nav><p>@",
      "<nav><a class=y id=z href=../a>#</a></nav><p>@", "<p>@" },
    { "<nav><a href='/a'>#</a></nav><p>@",
      "<nav><a href=//SITE.example/a>#</a></nav><p>@", "<p>@" },
    { "<base href='/a/'><nav><a href=b>#</a></nav><p>@",
      "<base target=x href=/><nav><a href=a/b>#</a></nav><p>@",
      "<base target=x href=/><nav></nav><p>@" },
    { "<nav>#</nav><p>@", "<nav>#</div></nav><p>@", "<p>@" },
    { "<nav>#</nav><p>@", "<nav>#<!-- </nav> --></nav><p>@", "<p>@" },

    { "<nav>#</nav><p>@", "<select><option>@</select><nav>#</nav><p>@",
      "<select><option>@</select><p>@" },

    /* not the same */
    { "<nav>#</nav><p>@", "<nav>#!</nav><p>@", NULL },

    /* a parser is still in a select */
    { "<nav>#</nav><p>@", "<div><select><option>@</div><nav>#</nav>", NULL },
    { "<select><option>#</select><p>@",
      "<div><select><p>@</div><p>@<select><option>#</select>@", NULL },

    /* a table inside of a p, as the page has no doctype, or may be */
    { "<div><p>#<ul><li>@</ul></div>", "<div><p>#<table><tr><td>@</table>",
      "<div><p><table><tr><td>@</table>" },
    { "<!doctype html><body><div><p>#<ul><li>@</ul></div>",
      "<!doctype html><body><div><table><tr><td>@</table>", NULL },
    { "<nav>#</nav><p>@", "<nav># <i>@</i></nav><p>@",
      "<nav> <i>@</i></nav><p>@" },
    { "<nav>#<b>%</b></nav><p>@", "<nav><b>%</b> @ #</nav><p>@",
      "<nav> @ #</nav><p>@" },
    { "<nav><a href=/a>#</a></nav><p>@", "<nav><a href=/b>#</a></nav><p>@",
      "<nav><a href=/b></a></nav><p>@" },
    { "<nav><a href=a>#</a></nav><p>@",
      "<base href=/x/><nav><a href=a>#</a></nav><p>@",
      "<base href=/x/><nav><a href=a></a></nav><p>@" },

    /* another place */
    { "<nav>#</nav><p>@", "<div><nav>#</nav></div><p>@", NULL },
    { "<nav>#</nav><p>@", "<b><nav>#</nav></b><p>@", NULL },
    { "<nav>#</nav><p>@", "<table><nav>#</nav></table><p>@", NULL },
    { "<nav>#</nav><p>@", "<select><nav>#</nav></select><p>@", NULL },
    { "<nav>#</nav><p>@", "<!-- <nav>#</nav> --><p>@", NULL },
    { "<nav>#</nav><p>@", "<!--!><nav>#</nav>--><p>@", NULL },
    { "<nav>#</nav><p>@", "<script><nav>#</nav></script><p>@", NULL },
    { "<nav>#</nav><p>@", "<style><nav>#</nav></style><p>@", NULL },
    { "<nav>#</nav><p>@", "<textarea><nav>#</nav></textarea><p>@", NULL },
    { "<nav>#</nav><p>@", "<title><nav>#</nav></title><p>@", NULL },
    { "<nav>#</nav><p>@", "<p>@<title><nav>#</nav></title>", NULL },
    { "<nav>#</nav><p>@", "<iframe><nav>#</nav></iframe><p>@", NULL },
    { "<nav>#</nav><p>@", "<noscript><nav>#</nav></noscript><p>@", NULL },
    { "<nav>#</nav><p>@", "<template><nav>#</nav></template><p>@", NULL },
    { "<nav>#</nav><p>@", "<svg><nav>#</nav></svg><p>@", NULL },
    { "<nav>#</nav><p>@", "<p title='<nav>#</nav>'>@", NULL },
    { "<nav>#</nav><p>@", "<p>@</p><plaintext><nav>#</nav>", NULL },
    { "<title>#</title><b>#</b><p>@", "<title>#</title><p>@", NULL },

    /* the tree is another one than the tags tell: only text goes */
    { "<nav><b>#</b></nav><p>@", "<nav><b>#</nav><p>@", "<nav><b></nav><p>@" },
    { "<nav>#</nav><p>@", "<nav>#</p></nav><p>@", "<nav></p></nav><p>@" },
    { "<nav>#</nav><p>@", "<nav>#", "<nav>" },
    { "<b><nav>#</nav>@</b><p>@", "<b><nav>#</b></nav>@",
      "<b><nav></b></nav>@" },
    { "<b><nav>#</nav>@</b><p>@", "<b><nav>#</i></nav>@", "<b>@" },
    { "<nav>#</nav><p>@", "<p><nav>#</nav>@", "<p><nav></nav>@" },
    { "<b>#</b><p>@", "<b>#</i></b><p>@", "<p>@" },
    { "<div><b>#</b></div><p>@", "<div><b>#</div></b><p>@",
      "<div><b></div></b><p>@" },
    { "<p>@</p><a href=/x>#</a>", "<a href=/y>@ <a href=/x>#</a>",
      "<a href=/y>@ <a href=/x></a>" },

    { "<table><colgroup><col></colgroup><tr><td>#</table><p>@",
      "<table><colgroup><col></colgroup><tr><td>#</table><p>@", "<p>@" },

    /* tags out of place, each page as small as it could be made */
    { "<h1><button><pre><table></table></pre>",
      "<h1><form><math></form></math></form><h1><button><pre><table></table>",
      "<h1><form><math></form></math></form><h1><button><pre><table></"
      "table>" },
    { "<h2><b><li class='an item of some kind that is so long'></li>%</b>@",
      "<button><a href=/a><h2><a href=b></button><h2><li class='an item of "
      "some kind that is so long'></li>",
      "<button><a href=/a><h2><a href=b></button><h2>" },
    { "<h1>#</h1><p>@", "<h1>#<option>@</option></h1><p>@",
      "<h1><option>@</option></h1><p>@" },
    { "<h1>#</h1><h2>%</h2><a href=@>@", "<h1>#<h2>%</h2><a href=@>@",
      "<h1><h2></h2><a href=@>@" },
    { "#<font>@", "<svg><font><li></li> #", NULL },
    { "#</li>@", "<nav><form><span></form></nav>#", NULL },
    { "<li>%<table></table>@", "<li><table><table><table>",
      "<li><table><table><table>" },
    { "<label>#<font><i></i></font>@", "<label><i><col>#</i>",
      "<label><i><col>#</i>" },
    { "<li><table><footer><div class=nav>#<span>@",
      "<li><table><td><col><footer><div class=nav>#", NULL },
    { "<aside><optgroup><img src=/x>",
      "<aside><optgroup><table><font><caption></caption></font></table><img "
      "src=/x>",
      NULL },
    { "<li><option><a href=/a><desc>#<dd>@",
      "<table><td><b><col></b></table><li><option><a href=/a><desc>#", NULL },
    { "<font><h2>%</script>@", "<nobr><h2>%<nobr>", "<nobr><h2>%<nobr>" },
    { "<div class='menu of some kind that is "
      "long'><label><aside><object><object><dt></object>",
      "<div class='menu of some kind that is long'><ruby><a "
      "href=/a><ruby></ruby><select><a "
      "href=b></select></ruby><label><aside><object><object><dt></dt>",
      NULL },
    { "<h2>%</script>@", "<h2><select><style></style></select>%",
      "<h2><select><style></style></select>%" },
    { "%</rt>@", "<select><script></script></select>%",
      "<select><script></script></select>" },
    { "<div class=nav><object><aside><button><ruby><optgroup><p class='a "
      "paragraph of some kind that is long'><ul>",
      "<div class=nav><object><aside><button><ruby><optgroup><p class='a "
      "paragraph of some kind that is long'><button>",
      "<div class=nav><object><aside><button><ruby><optgroup><button>" },
    { "@<div><table><font></table>#<dd><a href=b></form># %</a>",
      "<div><dd><a href=b># %</a>", "<div><dd>" },
    { "<nav>#</nav><p>@", "<select><object></select><select><nav>#</nav><p>@",
      NULL },
    { "<dd><section><dt><p class='a paragraph of some kind that is "
      "long'><ol>%</p>@",
      "<dd><section><dt><p class='a paragraph of some kind that is "
      "long'></dd><ol>%",
      "<dd><section><dt></dd><ol>%" },
    { "<div><table><tr><hgroup>#<button>@",
      "<div><table><tr><hgroup><font></tbody>#<header>", NULL },
    { "<div><table><tr><td>#</table></div><p>@",
      "<div><table><tr><td>#</tbody></table></div><p>@",
      "<div><table><tr><td></tbody></table></div><p>@" },
    { "<ul>#</ul><p>@", "<ul><svg></ul><script><ul></script><ul>#</ul><p>@",
      "<ul><svg></ul><script><ul></script><ul>#</ul><p>@" },
    { "<ul>#</ul><p>@",
      "<ul><table><td><svg></ul><script><ul></script></svg><ul>#</ul></"
      "table><p>@",
      NULL },
    { "<ul>#</ul><p>@",
      "<ul><svg><desc></ul></desc></svg><li>@</ul><ul>#</ul><p>@",
      "<ul><svg><desc></ul></desc></svg><li>@</ul><p>@" },
    { "<nav>#</nav><p>@", "<svg><mi><p>@<nav>#</nav>", NULL },
    { "<nav>#</nav><p>@", "<svg><desc><p>@<nav>#</nav>", NULL },
    { "<nav>#</nav><p>@", "<math><mi><p>@<nav>#</nav>", NULL },
    { "<nav>#</nav><p>@", "<math><desc><p>@<nav>#</nav>", NULL },
    { "<nav>#</nav><p>@", "<math><svg><p>@<nav>#</nav>", NULL },
    { "<table><form></form><tr><td>#</table><p>@",
      "<table><form><tr><td>#</form></table><p>@", "<p>@" },
    { "<table><form></form><tr><td>#</table><p>@",
      "<table><form><tr><td>#</table><form></form><p>@",
      "<table><form></table><form></form><p>@" },
    { "<a href=b><dt>%<nav>@", "<a href=b><dt><template><style></template>%",
      NULL },
    { "<h2><p>#</tr>@", "<h2><template><tr></template><p>#",
      "<h2><template><tr></template><p>" },
    { "<aside><rt><ruby></ruby>#<main>@",
      "<aside><rt><ruby><template><td></template></ruby>", "<aside><rt>" },
    { "<table><a href=b>|<pre>@",
      "<template></br></template><table><a href=b>|",
      "<template></br></template><table><a href=b>" },
    { "<table><tr><td>@<p>#</table>@",
      "<table><colgroup><button><table></table><tr><td><p>#</table>@", NULL },
    { "<rt><dt>#</style>@", "<rt><dt><template><object></template>#",
      "<rt><dt><template><object></template>" },
    { "<rt><dt>#</style>@", "<rt><dt><template></object></template>#",
      "<rt><dt><template></object></template>" },
    { "<button><optgroup><wbr>",
      "<button><svg></button><dl></dl><optgroup><wbr>", NULL },
    { "<dl>/<div class=nav>@",
      "<dl><button><math></button><div class=nav></button>%</table>/", NULL },
    { "<ul>&nbsp;</nobr>@", "<svg></a><ul>&nbsp;", "<svg></a><ul>&nbsp;" },
    { "<nav>#</nav><p>@",
      "<script><!--</script><script><script></script><nav>#</nav><p>@",
      "<script><!--</script><script><script></script><nav></nav><p>@" },
    { "<nav>#</nav><p>@",
      "<script><!--</script><template><script><script></script></"
      "template><nav>#</nav><p>@",
      "<script><!--</script><template><script><script></script></"
      "template><nav></nav><p>@" },
    { "<base href='/a/'><nav><a href=b>#</a></nav><p>@",
      "<base data-href=/x/ href=/><nav><a href=a/b>#</a></nav><p>@",
      "<base data-href=/x/ href=/><nav></nav><p>@" },
    { "<base href='/a/'><nav><a href=b>#</a></nav><p>@",
      "<base name=/x/ href=/><nav><a href=a/b>#</a></nav><p>@",
      "<base name=/x/ href=/><nav></nav><p>@" },
    { "<nav><a href=/dir/a>#</a></nav><p>@",
      "<link href=/x/><nav><a href=a>#</a></nav><p>@",
      "<link href=/x/><nav></nav><p>@" },
    { "<nav>#</nav><p>@", "<template/><nav>#</nav></template><p>@", NULL },
    { "<nav>#</nav><p>@", "<svg><desc></desc></svg><svg><p>@<nav>#</nav>",
      NULL },
    { "<nav>#</nav><p>@", "<nav>#<body class=x></nav><p>@",
      "<nav><body class=x></nav><p>@" },
    { "<nav>#</nav><p>@", "<form><nav>#<form></nav></form><p>@", NULL },
    { "<form><nav>#</nav></form><p>@", "<form><nav><form>#</nav></form><p>@",
      "<p>@" },
    { "<p>#<hr><p>@", "<p>#<hr><p>@", "<hr><p>@" },
    { "<h1>#</h1><p>@", "<h1>#</h1>(!)<p>@", "<h1>#</h1>(!)<p>@" },
    { "<h1>#</h1><a href=@>@", "<h1>#</h1>(!)<a href=@>@", "(!)<a href=@>@" },
    { "<h1>#</h1><a href=@>@", "<h1>#</h2><a href=@>@",
      "<h1></h2><a href=@>@" },
    { "<nav>#<br>%</nav><p>@", "<nav>#%</nav><p>@", NULL },
    { "<nav># <br>%</nav><p>@", "<nav># %</nav><p>@", NULL },
    { "<nav># <svg></svg>%</nav><p>@", "<nav># %</nav><p>@", NULL },
    { "<p>@ <img src=/a>", "<p>@<script></script><img src=/a>", NULL },
    { "<input><div><input></div>", "<div><input>", "<div>" },
    { "<i><div><input></div>", "<div><input>", "<div>" },
    { "<h1><hr>/</td>@", "<h1><hr>", NULL },
    { "<div class=nav><p class='a paragraph of some kind that is "
      "long'><select>|<wbr></select>@",
      "<div class=nav><p class='a paragraph of some kind that is "
      "long'><select>|<wbr></select>",
      "<div class=nav><p class='a paragraph of some kind that is "
      "long'><select><wbr></select>" },
    { "|<center>#<table><textarea></textarea></table></center>@", "<center>#",
      "<center>" },
    { "<table><col></table>", "<table><col></table>", "" },
    { "<li><optgroup></optgroup>", "<li><optgroup><textarea></textarea></li>",
      NULL },
    { "<li class='an item of some kind that is so "
      "long'><button><ul>#<span></span></ul>@",
      "<li class='an item of some kind that is so "
      "long'><button><ul>#<col><span></span>",
      "<li class='an item of some kind that is so "
      "long'><button><ul><col><span></span>" },
    { "<p><table><form></table><li></li>", "<p><table><form></table>", NULL },
    { "<table><td><dl><object><dt>#</dt>@",
      "<table><td><dl><object><dt></td>#", NULL },
    { "#<dt>@", "<dd></dt>#", NULL },
    { "<optgroup><aside><ul><p class='a paragraph of some kind that is "
      "long'><hr></ul>",
      "<optgroup><aside><ul><p class='a paragraph of some kind that is "
      "long'><hr>",
      "<optgroup><aside><ul>" },
    { "<li><img src=/x>", "<li>%<style></style><img src=/x>", NULL },
    { "<nav>#</nav><p>@", "<b>@<svg></b><nav>#</nav>",
      "<b>@<svg></b><nav>#</nav>" },
    { "<nav>#</nav><p>@", "<p>@<svg></p><nav>#</nav>", NULL },
    { "<nav>#</nav><p>@",
      "<div><template></div><nav>#</nav></template>@</div>", NULL },
    { "<nav>#</nav><p>@", "<div><svg></section></div><nav>#</nav><p>@",
      "<div><svg></section></div><nav>#</nav><p>@" },
    { "<section>#</section><p>@",
      "<section><svg><section></section></svg>@</section><section>#</section>",
      "<section><svg><section></section></svg>@</section>" },
};


/* given one of a select, a span and a button: what is left open goes on there,
   unless it already does; and blocks that were in it are still open for a
   parser */
static const row_t left_open[] = {
    { "<nav><a>@</nav><select><option>#</select><main><a>@",
      "<nav><a>@</nav><select><option>#</select><main><a>@", NULL },
    { "<nav><b>@</nav><select><option>#</select><main><b>@",
      "<nav><b>@</nav><select><option>#</select><main><b>@", NULL },
    { "<nav><b>@</nav> <select><option>#</select><main><b>@",
      "<nav><b>@</nav> <main><b>@", NULL },
    { "<nav><b>@</nav>@ <select><option>#</select><main><b>@",
      "<nav><b>@</nav>@ <main><b>@", NULL },
    { "<nav><b>@</nav><div> </div><select><option>#</select><main><b>@",
      "<nav><b>@</nav><div> </div><select><option>#</select><main><b>@",
      NULL },
    { "<nav><a>@</nav><span>%</span><main><a>@",
      "<nav><a>@</nav><span>%</span><main><a>@", NULL },
    { "<nav><a>@</nav> <span>%</span><main><a>@", "<nav><a>@</nav> <main><a>@",
      NULL },
    { "<nav><a>@</nav><button>#</button><main><a>@",
      "<nav><a>@</nav><button>#</button><main><a>@", NULL },
    { "<nav><a>@</nav>@ <button>#</button><main><a>@",
      "<nav><a>@</nav>@ <main><a>@", NULL },
    { "<nav><a>@</nav><div><span>%</span></div><main><a>@",
      "<nav><a>@</nav><main><a>@", NULL },
    { "<nav><a>@</nav><a>@</a><select><option>#</select><main><a>@",
      "<nav><a>@</nav><a>@</a><main><a>@", NULL },
    { "<nav><a>@</nav><table><td><a>@</a></table><button>#</button><main><a>@",
      NULL, NULL },
    { "<nav><a>@</nav><object><table><td><button><a>@</a></button></table>"
      "</object><button>#</button><main><a>@",
      NULL, NULL },
    { "<nav><a>@</nav><button><a>@</a></button><select><option>#</select>@",
      "<nav><a>@</nav><button><a>@</a></button>@", NULL },
    { "<div><a>@<a>@</a></div><footer><b>%</b></ul></footer>@",
      "<div><a>@<a>@</a></div>@", NULL },
    { "<nav><i>@</nav><footer>%<p>@</footer>@",
      "<nav><i>@</nav><footer>%<p>@</footer>@", NULL },
    { "<nav><i>@</nav><footer> %<p>@</footer>@",
      "<nav><i>@</nav><footer> <p>@</footer>@", NULL },
    { "<nav><nobr>@</nav> <ul><nobr>%</nobr></ul>@",
      "<nav><nobr>@</nav> <ul><nobr></nobr></ul>@", NULL },
    { "<ul><nobr>%</nobr></ul><nav><svg><dl><dt>@</svg><p>@",
      "<nav><svg><dl><dt>@</svg><p>@", NULL },
    { "<footer><b>%</b><svg><g></g></svg></footer><form>@", "<form>@", NULL },
    { "<footer><b>%</b><svg><dd></dd></svg></footer><form>@",
      "<footer><svg><dd></dd></svg></footer><form>@", NULL },
    { "<footer><b>%</b><svg></p></svg></footer><form>@",
      "<footer><svg></p></svg></footer><form>@", NULL },
    { "<footer><b>%</b><svg></br></svg></footer><form>@",
      "<footer><svg></br></svg></footer><form>@", NULL },
    { "<nav><svg><b>@</svg></nav><select><option>#</select><main>@",
      "<nav><svg><b>@</svg></nav><select><option>#</select><main>@", NULL },
    { "<nav><svg><title></title></svg></nav><select><option>#</select>@",
      "<nav><svg><title></title></svg></nav>@", NULL },
    { "<div><ul><a>@<div>@<a>@</a></div><footer><b>%</b></ul></footer>@",
      "<div><ul><a>@<div>@<a>@</a></div><footer><b>%</b></ul></footer>@",
      NULL },
};


/* given a template of nav and footer: what a body begins with stays, where a
   parser would take for the head's what comes later without it */
static const row_t bare[] = {
    { "<footer>%</footer><head>@", "<footer></footer><head>@", NULL },
    { "<html><nav># # # # #</nav><title>@</title><footer>%</footer>@",
      "<html><nav></nav><title>@</title>@", NULL },
    { "<!doctype html> <!-- @ --><nav># # # # #</nav>@ <footer>%</footer><p>@",
      "<!doctype html> <!-- @ --><nav></nav>@ <p>@", NULL },
    { "@ <nav># # # # #</nav><head>@", "@ <head>@", NULL },
    { "<img><nav># # # # #</nav><head>@", "<img><head>@", NULL },
    { "<img src=/x><body>@", "<img src=/x><body>@", NULL },
    { "<body><img src=/x>@", "<body>@", NULL },
    { "# %<head>@", "# %<head>@", NULL },
    { "<body># %<head>@", "<body><head>@", NULL },
    { "<div><nav># # # # #</nav></div><nav># # # # #</nav><head>@",
      "<div><nav># # # # #</nav></div><head>@", NULL },
    { "<head><nav># # # # #</nav><title>@</title>@",
      "<head><nav></nav><title>@</title>@", NULL },
    { "<head></head><nav># # # # #</nav><title>@</title>@",
      "<head></head><nav></nav><title>@</title>@", NULL },
    { "<title>@</title><nav># # # # #</nav><noscript>@</noscript>@",
      "<title>@</title><nav></nav><noscript>@</noscript>@", NULL },
    { "<meta><nav># # # # #</nav><title>@</title>@",
      "<meta><nav></nav><title>@</title>@", NULL },
    { "<body><nav># # # # #</nav><title>@</title>@", "<body><title>@</title>@",
      NULL },
    { "<footer>%</footer><frameset><p>@", "<footer></footer><p>@", NULL },
    { "<i></i><footer>%</footer> <frameset>@", "<i></i> @", NULL },
    { "<!DOCTYPE html><p>@<table></table><footer>%</footer>@",
      "<!DOCTYPE html><p>@<table></table>@", NULL },
    { "<!d><p>@<table></table><footer>%</footer>@",
      "<!d><p>@<table></table><footer></footer>@", NULL },
    { "<!doctypo><p>@<table></table><footer>%</footer>@",
      "<!doctypo><p>@<table></table><footer></footer>@", NULL },
    { "<html><!doctype html><p>@<table></table><footer>%</footer>@",
      "<html><!doctype html><p>@<table></table><footer></footer>@", NULL },
    { "</p><!doctype html><p>@<table></table><footer>%</footer>@",
      "</p><!doctype html><p>@<table></table><footer></footer>@", NULL },
    { "<nav></nav><frameset><frame>", "<nav></nav><frameset><frame>", NULL },
    { "<div><footer>%</footer><section><frameset>@",
      "<div><footer>%</footer><section><frameset>@", NULL },
    { "<footer>%</footer><<frameset>p>@", "<footer></footer><<frameset>p>@",
      NULL },
};


/* the name of a test, on one line */
static const char *
title(const char *text, const char *what)
{
    char *p;
    static char name[256];

    snprintf(name, sizeof(name), "%s%s", text, what);

    for (p = name; *p; p++) {
        *p = *p < ' ' ? ' ' : *p;
    }

    return name;
}


/* both modes, in pieces of every size up to 64 and of random ones */
static int
row_pieces(const void *tmpl, const buf_t *page)
{
    int good = 1;
    size_t chunk;
    unsigned mode;
    result_t whole, r;

    for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
        site_rewrite(tmpl, (dt_mode_t) mode, page, 0, &whole);

        for (chunk = 1; chunk <= 65; chunk++) {
            site_rewrite(tmpl, (dt_mode_t) mode, page,
                         chunk == 65 ? SITE_RANDOM : chunk, &r);

            if (!result_eq(&r, &whole) || r.wrong || whole.wrong
                || r.stats.held > DT_HOLD_MAX)
            {
                printf("#   pieces of %zu: '%.*s'\n#  whole: '%.*s'\n", chunk,
                       (int) r.out.len, r.out.data, (int) whole.out.len,
                       whole.out.data);
                good = 0;
            }

            result_free(&r);
        }

        result_free(&whole);
    }

    return good;
}


/* a page of the text, given a template of another or the same one */
static void
page_is(const void *tmpl, const row_t *row)
{
    buf_t page = { 0 }, want = { 0 };
    result_t strip, marks;
    const char *text = row->want ? row->want : row->page;

    site_page(&page, row->page, strlen(row->page), SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &strip);
    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &marks);

    site_page(&want, text, strlen(text), SITE_PAGES + 1);
    buf_add(&want, "", 1);
    is_str(strip.out.data, strip.out.len, want.data, title(row->page, ""));

    if (row->marked) {
        site_page(&want, row->marked, strlen(row->marked), SITE_PAGES + 1);
        buf_add(&want, "", 1);
        is_str(marks.out.data, marks.out.len, want.data,
               title(row->page, ": marked"));
    }

    ok(row_pieces(tmpl, &page) && buf_eq(&marks.unmarked, &page)
           && site_subsequence(&strip.out, &page)
           && marks.stats.removed == page.len - strip.out.len
           && strip.stats.removed == page.len - strip.out.len,
       title(row->page, ": in pieces"));

    ok(same_tree(tmpl, "/dir/page9.html", &page),
       title(row->page, ": for a parser"));

    result_free(&strip);
    result_free(&marks);
    buf_free(&page);
    buf_free(&want);
}


static void
row_is(const row_t *row)
{
    void *tmpl;
    size_t len;

    tmpl = site_learn(row->page, strlen(row->page), &len);

    if (tmpl != NULL) {
        page_is(tmpl, row);

    } else {
        ok(row->want == NULL, title(row->page, ": nothing"));
    }

    free(tmpl);
}


static void
test_bare(void)
{
    void *t;
    size_t i, len;
    static const char text[] = "# %<nav># # # # #</nav><footer>%</footer>"
                               "<img src=/x><main>@</main>";

    t = site_learn(text, strlen(text), &len);
    site_begin = "";

    for (i = 0; i < sizeof(bare) / sizeof(bare[0]); i++) {
        page_is(t, &bare[i]);
    }

    site_begin = "<body>";
    free(t);
}


/* behind the first a p ends before a table, behind others it may not */
static const char *const doctypes[] = {
    "<!doctype html>",
    "<!DOCTYPE HTML>",
    "<!doctype html><!doctype>",
    "<!--x--><!doctype html>",
    "<!x><?y><!doctype html>",
    "<!doctype>",
    "<!doctypehtml>",
    "<!doctypehtm>",
    "<!doctype htmll>",
    "<!doctype\x1chtml>",
    "<!doctype html >",
    "<!doctype html system \"about:legacy-compat\">",
    "<!doctype html public \"-//W3C//DTD HTML 4.01//EN\">",
    "<!doctype><!doctype html>",
};


static void
test_doctypes(void)
{
    void *t;
    size_t i, len;
    row_t row = { 0 };
    char page[512], want[512];
    static const char text[] = "# %<footer>%</footer><main>@</main>";

    t = site_learn(text, strlen(text), &len);
    site_begin = "";
    row.page = page;

    for (i = 0; i < sizeof(doctypes) / sizeof(doctypes[0]); i++) {
        snprintf(page, sizeof(page),
                 "%s<p>@<table></table><footer>%%</footer>@", doctypes[i]);
        snprintf(want, sizeof(want), "%s<p>@<table></table>@", doctypes[i]);
        row.want = i < 5 ? want : NULL;
        page_is(t, &row);
    }

    site_begin = "<body>";
    free(t);
}


static void
test_elsewhere(void)
{
    void *t;
    size_t i, len;
    static const char text[] =
        "<nav><a href=/x><p>#</p></a></nav><nav><nobr># %</nobr></nav><nav>"
        "<form></form></nav><nav><p></p></nav><nav><form><input></form></nav>"
        "<main>@ @ @ @";

    t = site_learn(text, strlen(text), &len);

    for (i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
        page_is(t, &elsewhere[i]);
    }

    free(t);
}


static void
test_left_open(void)
{
    void *t;
    size_t i, len;
    static const char text[] = "<select><option>#</select><p>@</p><span>%"
                               "</span><p>@</p><button>#</button><p>@</p>"
                               "<footer><b>%</b></footer><p>@</p>"
                               "<div><span>%</span></div>"
                               "<ul><nobr>%</nobr></ul>";

    t = site_learn(text, strlen(text), &len);

    for (i = 0; i < sizeof(left_open) / sizeof(left_open[0]); i++) {
        page_is(t, &left_open[i]);
    }

    free(t);
}


/* given a template in which all that is known may go on its own */
static const row_t left_void[] = {
    { "<nav><i>@</nav><header><img src=/a.png><p>@</header>",
      "<nav><i>@</nav><header><img src=/a.png><p>@</header>", NULL },
    { "<nav><i>@</nav><header> <img src=/a.png><p>@</header>",
      "<nav><i>@</nav><header> <p>@</header>", NULL },
    { "<nav>@</nav><header><img src=/a.png><p>@</header>",
      "<nav>@</nav><header><p>@</header>", NULL },
    { "<nav><i>@</nav><pre>\n#<p>@</pre>", "<nav><i>@</nav><pre>\n#<p>@</pre>",
      NULL },
    { "<nav>@</nav><pre>\n#<p>@</pre>", "<nav>@</nav><pre>\n<p>@</pre>",
      NULL },
};


static void
test_left_void(void)
{
    void *t;
    size_t i, len;
    uint32_t *info;
    const dt_template_head_t *h;
    static const char text[] =
        "<header><p>#</p><img src=/a.png></header><pre>#</pre><p>@</p>";

    t = site_learn(text, strlen(text), &len);
    h = t;
    info = (uint32_t *) (void *) ((char *) t + h->info);

    for (i = 0; i < (size_t) 1 << h->node_bits; i++) {
        info[i] |= info[i] & DT_NODE_START ? 0 : DT_NODE_STRONG;
    }

    for (i = 0; i < sizeof(left_void) / sizeof(left_void[0]); i++) {
        page_is(t, &left_void[i]);
    }

    free(t);
}


static void
test_others(void)
{
    void *tmpl;
    size_t i, len;
    row_t row = { NULL, NULL, NULL };

    for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        tmpl = site_learn(others[i].learned, strlen(others[i].learned), &len);

        if (ok(tmpl != NULL, title(others[i].learned, ": learned"))) {
            row.page = others[i].page;
            row.want = others[i].want;
            page_is(tmpl, &row);
        }

        free(tmpl);
    }
}


#define ROWS(table) rows(table, sizeof(table) / sizeof(table[0]))

static void
rows(const row_t *row, size_t n)
{
    for (; n; row++, n--) {
        row_is(row);
    }
}


/* sentences go as a whole or stay; ~ is a word, and @ is told apart */
static const row_t lines[] = {
    { "<p>~ <b>#</b></p>", "<p>~ <b>#</b></p>", NULL },
    { "<p><b>#</b> ~</p>", "<p><b>#</b> ~</p>", NULL },
    { "<p><b>#</b> ~", "<p><b>#</b> ~", NULL },
    { "<p>~ <a href=/x>#</a> ~</p>", "<p>~ <a href=/x>#</a> ~</p>", NULL },
    { "<p><i>#</i> % <b>#</b> ~</p>", "<p><i>#</i> % <b>#</b> ~</p>", NULL },
    { "<p><i>#</i> | % <b>#</b> ~</p>", "<p> | % <b>#</b> ~</p>", NULL },
    { "<p><b>#</b> <a href=/x><i>%</i> ~</a></p>",
      "<p><b>#</b> <a href=/x><i>%</i> ~</a></p>", NULL },
    { "<p><b>#</b> <a href=/x><i>%</i> | ~</a></p>",
      "<p> <a href=/x> | ~</a></p>", NULL },
    { "<p><b>#</b> <i>% | <u>#</u></i> ~</p>",
      "<p><b>#</b> <i>% | <u>#</u></i> ~</p>", NULL },
    { "<p>~ <i>(</i> <b>#</b></p>", "<p>~ <i>(</i> <b>#</b></p>", NULL },
    { "<p><b>#</b> <i>(</i> ~</p>", "<p><b>#</b> <i>(</i> ~</p>", NULL },
    { "<p><b>#</b> <i></i> ~</p>", "<p><b>#</b> <i></i> ~</p>", NULL },
    { "<p><b>#</b> ( <i>@</i></p>", "<p>  <i>@</i></p>", NULL },

    /* what is in elements that no template knows is read */
    { "<p><code>~</code> <b>#</b></p>", "<p><code>~</code> <b>#</b></p>",
      NULL },
    { "<p><b>#</b> <code><kbd>~</kbd></code></p>",
      "<p><b>#</b> <code><kbd>~</kbd></code></p>", NULL },
    { "<p><b>#</b> <code><kbd></kbd>~</code></p>",
      "<p><b>#</b> <code><kbd></kbd>~</code></p>", NULL },
    { "<p><b>#</b> <code></code><br>~", "<p> <br>~", NULL },
    { "<div><kbd><div>~</div></kbd> <b>#</b></div>",
      "<div><kbd><div>~</div></kbd> </div>", NULL },
    { "<div><b>#</b> <kbd><div>~</div></kbd></div>",
      "<div> <kbd><div>~</div></kbd></div>", NULL },
    { "<div><kbd><div>@</div>~</kbd> <b>#</b></div>",
      "<div><kbd><div>@</div>~</kbd> <b>#</b></div>", NULL },

    { "<div><b>#</b> <kbd>% <div>#</div></kbd> @</div>", "<div>  @</div>",
      NULL },
    { "<div><b>#</b> <kbd>~ <div>#</div></kbd> @</div>",
      "<div><b>#</b> <kbd>~ </kbd> @</div>", NULL },

    /* links beside links are a list */
    { "<p><a href=/1>~</a> <a href=/2>#</a></p>", "<p><a href=/1>~</a> </p>",
      NULL },
    { "<p><a href=/1>#</a> <a href=/2>~</a></p>", "<p> <a href=/2>~</a></p>",
      NULL },
    { "<p><a href=/1>~ <b>#</b></a></p>", "<p><a href=/1>~ <b>#</b></a></p>",
      NULL },
    { "<p><a href=/1>~</a> <a href=/2>#</a> <a href=/3>%</a></p>",
      "<p><a href=/1>~</a>  </p>", NULL },
    { "<p><a href=/1>#</a> <a href=/2>%</a> ~</p>",
      "<p> <a href=/2>%</a> ~</p>", NULL },
    { "<p><a href=/1>#</a> ~ <a href=/2>%</a></p>",
      "<p><a href=/1>#</a> ~ <a href=/2>%</a></p>", NULL },
    { "<p><a href=/1>#</a> <a href=/2>(</a> ~</p>",
      "<p><a href=/1>#</a> <a href=/2>(</a> ~</p>", NULL },

    /* but for those behind words, and in code */
    { "<p>~ <a href=/1>#</a> <a href=/2>%</a></p>",
      "<p>~ <a href=/1>#</a> <a href=/2>%</a></p>", NULL },
    { "<p>~ <a href=/1>~</a> <a href=/2>#</a></p>",
      "<p>~ <a href=/1>~</a> <a href=/2>#</a></p>", NULL },
    { "<p><b>#</b> <a href=/1>~</a> <a href=/2>%</a></p>",
      "<p><b>#</b> <a href=/1>~</a> <a href=/2>%</a></p>", NULL },
    { "<p>~ | <a href=/1>~</a> <a href=/2>#</a></p>",
      "<p>~ | <a href=/1>~</a> </p>", NULL },
    { "<p><a href=/1>~ <b>#</b></a> <a href=/2>%</a></p>",
      "<p><a href=/1>~ <b>#</b></a> </p>", NULL },
    { "<pre><a href=/1>~</a> <a href=/2>#</a></pre>",
      "<pre><a href=/1>~</a> <a href=/2>#</a></pre>", NULL },
    { "<pre><b><a href=/1>#</a></b> <a href=/2>~</a></pre>",
      "<pre><b><a href=/1>#</a></b> <a href=/2>~</a></pre>", NULL },

    /* what begins a new line, and what does not */
    { "<div>~ <p>#</p></div>", "<div>~ </div>", NULL },
    { "<div><p>#</p> ~</div>", "<div> ~</div>", NULL },
    { "<div><div>~</div> <b>#</b></div>", "<div><div>~</div> </div>", NULL },
    { "<ul><li>~ <li>#</ul>", "<ul><li>~ </ul>", NULL },
    { "<p>~<br><b>#</b></p>", "<p>~<br></p>", NULL },
    { "<p><b>#</b><br>~</p>", "<p><br>~</p>", NULL },
    { "<p>~<img src=?@> <b>#</b></p>", "<p>~<img src=?@> </p>", NULL },
    { "<p>~<input value=@> <b>#</b></p>", "<p>~<input value=@> </p>", NULL },
    { "<p>~<wbr> <b>#</b></p>", "<p>~<wbr> <b>#</b></p>", NULL },
    { "<p><b>#</b> <wbr>~</p>", "<p><b>#</b> <wbr>~</p>", NULL },
    { "<p>~<script>@</script> <b>#</b></p>",
      "<p>~<script>@</script> <b>#</b></p>", NULL },
    { "<p>~ <!-- --><b>#</b></p>", "<p>~ <!-- --><b>#</b></p>", NULL },
    { "<p>~ </foo><b>#</b></p>", "<p>~ </foo><b>#</b></p>", NULL },
    { "<p>~ <foo>@</foo><b>#</b></p>", "<p>~ <foo>@</foo></p>", NULL },
    { "~ </p><b>#</b>@", "~ </p>@", NULL },
    { "<b>#</b></body>~", "</body>~", NULL },
    { "<p>~ <svg></svg><b>#</b></p>", "<p>~ <svg></svg></p>", NULL },
};


/* what says nothing and keeps words apart stays with them */
static const row_t gaps[] = {
    { "<p>~<span> </span>~</p>", "<p>~<span> </span>~</p>", NULL },
    { "<p><b>~</b><span> </span><b>~</b></p>",
      "<p><b>~</b><span> </span><b>~</b></p>", NULL },
    { "<p><b>~</b><span class=w> <i> </i></span><b>~</b></p>",
      "<p><b>~</b><span class=w> <i> </i></span><b>~</b></p>", NULL },
    { "<p><b>~</b><span><br></span><b>~</b></p>",
      "<p><b>~</b><span><br></span><b>~</b></p>", NULL },
    { "<p><b>~</b><foo> </foo><b>~</b></p>",
      "<p><b>~</b><foo> </foo><b>~</b></p>", NULL },
    { "<p><b>~</b><label> </label><b>~</b></p>",
      "<p><b>~</b><label> </label><b>~</b></p>", NULL },
    { "<p><b>~</b>&nbsp;<b>~</b></p>", "<p><b>~</b>&nbsp;<b>~</b></p>", NULL },
    { "<p><b>~</b>/<b>~</b></p>", "<p><b>~</b>/<b>~</b></p>", NULL },
    { "<p><b>~</b><i>\xc2\xb7</i><b>~</b></p>",
      "<p><b>~</b><i>\xc2\xb7</i><b>~</b></p>", NULL },
    { "<p><b>~</b> &#160;&middot; <b>~</b></p>",
      "<p><b>~</b> &#160;&middot; <b>~</b></p>", NULL },
    { "<pre><b>~</b>\n<span>    </span><b>~</b></pre>",
      "<pre><b>~</b>\n<span>    </span><b>~</b></pre>", NULL },
    { "<pre>\n<span>    </span><b>~</b></pre>",
      "<pre>\n<span>    </span><b>~</b></pre>", NULL },

    /* it goes with what goes before it, and where there is nothing in it */
    { "<p><b>#</b><span> </span><br>~</p>", "<p><br>~</p>", NULL },
    { "<p><b>#</b> <i>|</i> <b>~</b></p>", "<p>  <b>~</b></p>", NULL },
    { "<p><b>~</b><u><template> </template></u></p>", "<p><b>~</b></p>",
      NULL },
    { "<p><b>~</b><i class=icon></i></p>", "<p><b>~</b></p>", NULL },
};


/* a heading stays with what it is of */
static const row_t headings[] = {
    { "<h2>#</h2> ~", "<h2>#</h2> ~", NULL },
    { "<h2>#</h2><p>~</p>", "<h2>#</h2><p>~</p>", NULL },
    { "<h6><b>#</b></h6><p>~</p>", "<h6><b>#</b></h6><p>~</p>", NULL },
    { "<h2><b>#</b> | %</h2><p>~</p>", "<h2><b>#</b> | %</h2><p>~</p>", NULL },
    { "<p>#</p><p>~</p>", "<p>~</p>", NULL },
    { "<p>~</p><h2>#</h2>", "<p>~</p>", NULL },
    { "<h2>#</h2><p>%</p><p>~</p>", "<p>~</p>", NULL },
    { "<h2>#</h2><h3>%</h3><p>~</p>", "<h3>%</h3><p>~</p>", NULL },
    { "<h2>#</h2><h3>~</h3><p>~</p>", "<h2>#</h2><h3>~</h3><p>~</p>", NULL },
    { "<h2>#</h2></body>~", "</body>~", NULL },

    /* of what it heads, not of what comes behind that */
    { "<div><h2>#</h2></div><p>~</p>", "<p>~</p>", NULL },
    { "<div>@ <h2>#</h2></div><p>~</p>", "<div>@ </div><p>~</p>", NULL },
    { "<div>@ <h2>#</h2><p>~</p></div>", "<div>@ <h2>#</h2><p>~</p></div>",
      NULL },
    { "<kbd>@ <h2>#</h2></kbd> ~", "<kbd>@ </kbd> ~", NULL },

    /* a list of links may be of each page, and is no content for that */
    { "<h2>#</h2><ul><li><a href=/x>~</a></ul>",
      "<ul><li><a href=/x>~</a></ul>", NULL },
    { "<h2>#</h2><ul><li><a href=/x>~</a> ~</ul>",
      "<ul><li><a href=/x>~</a> ~</ul>", NULL },
    { "<h2>#</h2><ul><li>~ <a href=/x>~</a></ul>",
      "<h2>#</h2><ul><li>~ <a href=/x>~</a></ul>", NULL },
    { "<h2>#</h2><foo><a href=/x><bar>~</bar></a></foo>",
      "<foo><a href=/x><bar>~</bar></a></foo>", NULL },

    /* what says nothing may stand between */
    { "<h2>#</h2>: <p>~</p>", "<h2>#</h2>: <p>~</p>", NULL },
    { "<h2>#</h2>| <p>~</p>", "<h2>#</h2>| <p>~</p>", NULL },
    { "<h2>#</h2></p> ~", "<h2>#</h2></p> ~", NULL },
    { "<h2>#</h2><br><hr><p>~</p>", "<h2>#</h2><br><hr><p>~</p>", NULL },
    { "<h2>#</h2><hr><p>%</p>~", "~", NULL },
    { "<h2>#</h2><img src=?@><p>~</p>", "<h2>#</h2><img src=?@><p>~</p>",
      NULL },
    { "<h2>#</h2><div><hr></div><p>~</p>", "<h2>#</h2><div><hr></div><p>~</p>",
      NULL },
    { "<h2>#</h2><!-- --><script>@</script><foo></foo><p>~</p>",
      "<h2>#</h2><!-- --><script>@</script><foo></foo><p>~</p>", NULL },
    { "<h2>#</h2><nav></nav><p>%</p><p>~</p>", "<p>~</p>", NULL },

    /* in elements that no template knows, too */
    { "<h2>#</h2><foo><bar>~</bar></foo>", "<h2>#</h2><foo><bar>~</bar></foo>",
      NULL },
    { "<h2>#</h2><table><tr><td>~</table>",
      "<h2>#</h2><table><tr><td>~</table>", NULL },
    { "<h2>#</h2><foo>@</foo><h2>#</h2><p>%</p>~", "<h2>#</h2><foo>@</foo>~",
      NULL },
};


/* what stands between two words, and whether it tells them apart */
static void
test_separators(void)
{
    size_t i;
    char page[128], left[128];
    row_t row = { page, left, NULL };

    static const struct {
        const char *sign;
        int apart;
    } signs[] = {
        { "|", 1 },
        { "/", 1 },
        { "[", 1 },
        { "]", 1 },
        { "<", 1 },
        { ">", 1 },
        { "*", 1 },
        { ";", 1 },
        { "&", 1 },
        { "&amp;", 1 },
        { "&lt;", 1 },
        { "&gt;", 1 },
        { "&#124;", 1 },
        { "&#x7C;", 1 },
        { "&nbsp;", 1 },
        { "&#160;", 1 },
        { "&#xa0;", 1 },
        { "\xc2\xa0", 1 },
        { "&copy;", 1 },
        { "\xc2\xa9", 1 },
        { "&laquo;", 1 },
        { "\xc2\xab", 1 },
        { "&raquo;", 1 },
        { "\xc2\xbb", 1 },
        { "&middot;", 1 },
        { "&#183;", 1 },
        { "\xc2\xb7", 1 },
        { "&ndash;", 1 },
        { "&#8211;", 1 },
        { "\xe2\x80\x93", 1 },
        { "&mdash;", 1 },
        { "&#x2014;", 1 },
        { "\xe2\x80\x94", 1 },
        { "&bull;", 1 },
        { "&#8226;", 1 },
        { "\xe2\x80\xa2", 1 },
        { "&lsaquo;", 1 },
        { "\xe2\x80\xb9", 1 },
        { "&rsaquo;", 1 },
        { "\xe2\x80\xba", 1 },
        { "&larr;", 1 },
        { "\xe2\x86\x90", 1 },
        { "&rarr;", 1 },
        { "&#8594;", 1 },
        { "\xe2\x86\x92", 1 },

        { "-", 0 },
        { ",", 0 },
        { ":", 0 },
        { "&eacute;", 0 },
        { "&#233;", 0 },
        { "&#xE9;", 0 },
        { "\xc3\xa9", 0 },
        { "&hearts;", 0 },
        { "&#58;", 0 },
        { "&nbsp", 0 },
        { "&#x12022;", 0 },
        { "\xe2\x80\xa6", 0 },
        { "&#x8000000000000000002022;", 1 },
    };

    for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        snprintf(page, sizeof(page), "<p>~ %s <b>#</b></p>", signs[i].sign);
        snprintf(left, sizeof(left), "<p>~ %s %s</p>", signs[i].sign,
                 signs[i].apart ? "" : "<b>#</b>");
        row_is(&row);

        snprintf(page, sizeof(page), "<p><b>#</b> %s ~</p>", signs[i].sign);
        snprintf(left, sizeof(left), "<p>%s %s ~</p>",
                 signs[i].apart ? "" : "<b>#</b>", signs[i].sign);
        row_is(&row);
    }
}


/* NUL bytes, which no C string holds: here they are written as "$" */
static void
test_nul(void)
{
    void *tmpl;
    size_t i, len;
    buf_t page = { 0 };
    result_t r;
    char text[] = "<nav a$=$b>me$nu of this site</nav>$<na$v>about those who "
                  "made</na$v><p>@ $";

    for (i = 0; i < sizeof(text) - 1; i++) {
        if (text[i] == '$') {
            text[i] = '\0';
        }
    }

    tmpl = site_learn(text, sizeof(text) - 1, &len);

    if (!ok(tmpl != NULL, "NUL: learned")) {
        return;
    }

    site_page(&page, text, sizeof(text) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    ok(r.stats.words >= 1 && site_subsequence(&r.out, &page),
       "NUL: bytes like others");
    ok(row_pieces(tmpl, &page), "NUL: in pieces");

    result_free(&r);
    buf_free(&page);
    free(tmpl);
}


/* names without an end, in a script: each is read once, not the page from each
   of them on, which would take a minute */
static void
test_endless_names(void)
{
    static const char name[] = "<!--<script";
    size_t n = 0, len = (size_t) 4 << 20;
    dt_record_t *records;
    clock_t began;
    buf_t page = { 0 };

    buf_puts(&page, "<script>");

    while (page.len < len) {
        buf_add(&page, name, sizeof(name) - 1);
    }

    began = clock();

    is_int(dt_scan_records((dt_str_t){ page.len, page.data }, SITE_SEED,
                           dt_cstr(SITE_HOST), dt_cstr("/"), &records, &n),
           DT_OK, "endless names: a page");
    ok(clock() - began < 5 * CLOCKS_PER_SEC, "endless names: time");

    free(records);
    buf_free(&page);
}


int
main(void)
{
    ROWS(implied);
    ROWS(tables);
    ROWS(misnested);
    ROWS(soup);
    ROWS(comments);
    ROWS(behind);
    ROWS(foreign);
    ROWS(raw);
    ROWS(tags);
    ROWS(same);
    ROWS(words);
    ROWS(lines);
    ROWS(gaps);
    ROWS(headings);
    test_separators();
    test_bare();
    test_doctypes();
    test_elsewhere();
    test_left_open();
    test_left_void();
    test_others();
    test_nul();
    test_endless_names();

    return done();
}
