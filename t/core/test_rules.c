
/*
 * Copyright (C) The detemplate authors
 *
 * What is template, rule by rule: pages are learned, then one more is
 * stripped.  Each number of dt_rules_t and of serve.h is met at its boundary,
 * exactly or as the last that will do, and missed by the smallest part.
 * The rules alone decide here, without the score.
 */


#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST

/* "@", "#" and "%" are those of site.h; these are repeated word for word */
#define W5 "five words of each page "
#define W9 "nine words that are said once on each page "
#define W10 "ten words that are said once on each single page "
#define W20 W10 W10

/* of a page: ten words of its own */
#define OWN "<main><p>@ @ @ @ @ @ @ @ @ @</p></main>"

/* links aside of content, and pages that are calm: mostly repeated */
#define NAV "<nav><a href=/a>" W20 "</a></nav>"
#define CALM NAV "<main><p>@ @ @ @ @</p></main>"

/* the piece that is judged: links, and text */
#define LINK "<a href=/x>%</a>"
#define TEXT "<b>%</b>"

/* words that are too few to go on their own where their number differs */
#define FRUIT(b, e)                                                           \
    b "red apples" e b "green pears" e b "blue plums" e b "sour limes" e b    \
      "sweet figs" e b "ripe dates" e b "round melons" e b "dark cherries" e


/* pages from one to another number, in a form of URL */
typedef struct {
    unsigned n;
    const char *url; /* with the page's number in it; NULL: /p<n>.html;
                        behind "+", linked with another, there and back */
    const char *text;
} group_t;


typedef struct {
    const char *name;
    group_t groups[5];
    const char *asked; /* the page that is stripped, */
    const char *left;  /* what is left of it, */
    const char *path;  /* and where it is; NULL: /new.html */
    const char *found; /* by the detector: all in elements of this name, but
                          for what is in <li> */
} row_t;


/* clang-format off */
static const row_t rows[] = {

    /* support: 3 */

    { "support: three pages",
      { { 3, 0, "<div>%</div>" OWN } },
      "<div>%</div>" OWN,
      OWN, 0, 0 },
    { "support: two",
      { { 2, 0, "<div>%</div>" OWN } },
      "<div>%</div>" OWN,
      "<div>%</div>" OWN, 0, 0 },
    { "support: three pages of one name",
      { { 1, "/a/x.html", "<div>%</div>" OWN },
        { 1, "/b/x.html", "<div>%</div>" OWN },
        { 1, "/c/x.html", "<div>%</div>" OWN } },
      "<div>%</div>" OWN,
      OWN, 0, 0 },

    /* share: 15 % of those that have the place, where it is calm */

    { "share: links of 3 in 20",
      { { 3, 0, "<nav><a href=/a>#</a>" LINK "</nav>" OWN },
        { 17, 0, "<nav><a href=/a>#</a></nav>" OWN } },
      "<nav>@ " LINK "</nav>",
      "<nav>@ </nav>", 0, 0 },
    { "share: of 3 in 21",
      { { 3, 0, "<nav><a href=/a>#</a>" LINK "</nav>" OWN },
        { 18, 0, "<nav><a href=/a>#</a></nav>" OWN } },
      "<nav>@ " LINK "</nav>",
      "<nav>@ " LINK "</nav>", 0, 0 },

    /* share_low: 50 %, where text is mostly a page's own */

    { "share_low: links of 4 in 8",
      { { 4, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 4, 0, "<div>@ @ @ @ @ @ @ </div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ </div>", 0, 0 },
    { "share_low: of 25 in 51",
      { { 25, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 26, 0, "<div>@ @ @ @ @ @ @ </div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ " LINK "</div>", 0, 0 },
    { "share_low: links in nav, whatever is around",
      { { 3, 0, "<div><nav><a href=/y>#</a>" LINK "</nav>" OWN "</div>" },
        { 9, 0, "<div><nav><a href=/y>#</a></nav>" OWN "</div>" } },
      "<div><nav>@ " LINK "</nav></div>",
      "<div><nav>@ </nav></div>", 0, 0 },
    { "share_low: links elsewhere, whatever is around the nearest",
      { { 3, 0, "<div><ul>@ @ @ @ @ @ @ " LINK "</ul></div>" },
        { 3, 0, "<div><ul>@ @ @ @ @ @ @ </ul></div>" },
        { 4, 0, "<div>@ @ @ @ </div>" } },
      "<div><ul>@ " LINK "</ul></div>",
      "<div><ul>@ </ul></div>", 0, 0 },
    { "share_low: text, all that is around",
      { { 3, 0, "<div><ul>@ @ @ @ @ @ @ " TEXT "</ul></div>" },
        { 3, 0, "<div><ul>@ @ @ @ @ @ @ </ul></div>" },
        { 4, 0, "<div>@ @ @ @ </div>" } },
      "<div><ul>@ " TEXT "</ul></div>",
      "<div><ul>@ " TEXT "</ul></div>", 0, 0 },

    /* the detector's word: share is enough */

    { "detector: 3 in 8",
      { { 3, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 4, 0, "<div>@ @ @ @ @ @ @ </div>" },
        { 1, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ </div>", 0, "a" },
    { "detector: found no more than a part of it",
      { { 2, 0, "<div>@ @ @ @ @ @ @ <ul>% <li>#</li></ul></div>" },
        { 5, 0, "<div>@ @ @ @ @ @ @ </div>" },
        { 1, 0, "<div>@ @ @ @ @ @ @ <ul>% <li>#</li></ul></div>" } },
      "<div>@ <ul>% <li>#</li></ul></div>",
      "<div>@ <ul> <li>#</li></ul></div>", 0, "ul" },

    /* share_text: 20 % of all pages, for what is not links */

    { "share_text: 3 in 15",
      { { 3, 0, CALM "<hr>" TEXT }, { 12, 0, CALM } },
      "@ " TEXT,
      "@ ", 0, 0 },
    { "share_text: 4 in 21",
      { { 4, 0, CALM "<hr>" TEXT }, { 17, 0, CALM } },
      "@ " TEXT,
      "@ " TEXT, 0, 0 },

    /* share_label: 60 % of all pages */

    { "share_label: 6 in 10",
      { { 6, 0, "<h2>%</h2>" OWN }, { 4, 0, OWN } },
      "@ <h2>%</h2>",
      "@ ", 0, 0 },
    { "share_label: 13 in 22",
      { { 13, 0, "<h2>%</h2>" OWN }, { 9, 0, OWN } },
      "@ <h2>%</h2>",
      "@ <h2>%</h2>", 0, 0 },

    /* calm: 50 % of the text is repeated: (100 + 15) of 230, then of 233 */

    /* what may not be cut on its own keeps its sentence: core/scan/line.c */

    { "sentence: of a word that stays",
      { { 9, 0, "<div>one <b>#</b></div>" CALM },
        { 9, 0, "<div>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @</div>" CALM } },
      "<div>one <b>#</b> <p>@</p></div>",
      "<div>one <b>#</b> <p>@</p></div>", 0, 0 },
    { "sentence: of a word that stays, inside of another element",
      { { 9, 0, "<div><b>#</b> <kbd>one</kbd></div>" CALM },
        { 9, 0, "<div><kbd>@ @ @ @ @ @ @ @ @</kbd></div>" CALM } },
      "<div>@ <b>#</b> <kbd>one<br>@</kbd></div>",
      "<div>@ <b>#</b> <kbd>one<br>@</kbd></div>", 0, 0 },
    { "sentence: behind it",
      { { 9, 0, "<div>one<br><b>#</b></div>" CALM },
        { 9, 0, "<div>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @</div>" CALM } },
      "<div>one<br><b>#</b> <p>@</p></div>",
      "<div>one<br> <p>@</p></div>", 0, 0 },

    { "calm: half is repeated",
      { { 3, 0,
          NAV "<div><a href=/a>#</a>" LINK "<p>@ @ @ @ @ @ @ @ @ @ @ @ "
              "@ @ @ @ @ @ @ @ @ @ @ @ @ @ @</p></div>" },
        { 17, 0, NAV "<div><a href=/a>#</a><p>@ @</p></div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ </div>", 0, 0 },
    { "calm: hardly less",
      { { 3, 0,
          NAV "<div><a href=/a>#</a>" LINK "<p>@ @ @ @ @ @ @ @ @ @ @ @ "
              "@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @</p></div>" },
        { 17, 0, NAV "<div><a href=/a>#</a><p>@ @</p></div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ " LINK "</div>", 0, 0 },
    { "calm: copies repeat nothing",
      { { 1, "/a/x.html", NAV "<div>" LINK "<p>" W20 W20 "</p></div>" OWN },
        { 1, "/b/x.html", NAV "<div>" LINK "<p>" W20 W20 "</p></div>" OWN },
        { 1, "/c/x.html", NAV "<div>" LINK "<p>" W20 W20 "</p></div>" OWN },
        { 2, 0, NAV "<div>" LINK "</div>" OWN },
        { 15, 0, NAV "<div><a href=/a>#</a></div>" OWN } },
      "<div>@ " LINK "</div>",
      "<div>@ " LINK "</div>", 0, 0 },

    /* words: 2, where text is mostly a page's own */

    { "words: two",
      { { 8, 0, "<div>@ @ @ @ @ @ @<hr>two words</div>" } },
      "<div>@ <hr>two words</div>",
      "<div>@ <hr></div>", 0, 0 },
    { "words: one",
      { { 8, 0, "<div>@ @ @ @ @ @ @<hr>one</div>" } },
      "<div>@ <hr>one</div>",
      "<div>@ <hr>one</div>", 0, 0 },
    { "words: one of a link",
      { { 8, 0, "<div><a href=/@>@ @ @ @ @</a> <a href=/x>one</a></div>" } },
      "<div>@ <a href=/x>one</a></div>",
      "<div>@ </div>", 0, 0 },
    { "words: one in a calm place",
      { { 8, 0, "<div>" W20 "<hr>one</div>" OWN } },
      "@ <div>one</div>",
      "@ ", 0, 0 },
    { "words: none in a calm place",
      { { 8, 0, NAV "<div>" W20 "<i><img src=/x></i></div>" OWN } },
      "@ <div><i><img src=/x></i>@ </div>",
      "@ <div>@ </div>", 0, 0 },

    /* varied_words: 100, when pages show it a different number of times */

    { "varied_words: 100",
      { { 8, 0, "<div><p>" W20 W20 W20 W20 W20 "</p></div>" OWN OWN },
        { 1, 0,
          "<div><p>" W20 W20 W20 W20 W20 "</p><p>" W20 W20 W20 W20 W20
          "</p></div>" OWN OWN } },
      "<div>@ <p>" W20 W20 W20 W20 W20 "</p></div>",
      "<div>@ </div>", 0, 0 },
    { "varied_words: 99",
      { { 8, 0, "<div><p>" W20 W20 W20 W20 W10 W9 "</p></div>" OWN OWN },
        { 1, 0,
          "<div><p>" W20 W20 W20 W20 W10 W9 "</p><p>" W20 W20 W20 W20 W10 W9
          "</p></div>" OWN OWN } },
      "<div>@ <p>" W20 W20 W20 W20 W10 W9 "</p></div>",
      "<div>@ <p>" W20 W20 W20 W20 W10 W9 "</p></div>", 0, 0 },
    { "varied_words: a link in a calm place",
      { { 8, 0, "<div>" LINK "</div>" OWN },
        { 1, 0, "<div>" LINK LINK "</div>" OWN } },
      "<div>@ " LINK "</div>",
      "<div>@ </div>", 0, 0 },
    { "varied_words: a link in another",
      { { 8, 0, "<div><a href=/@>@ @ @ @ @ @ @</a>" LINK "</div>" OWN },
        { 1, 0, "<div><a href=/@>@ @ @ @ @ @ @</a>" LINK LINK "</div>" OWN } },
      "<div>@ " LINK "</div>",
      "<div>@ " LINK "</div>", 0, 0 },

    /* hollow: 60 % of its text is repeated: 3 of 5 words, then 66 of 111 */

    { "hollow: 60 %",
      { { 8, 0,
          "<nav><a href=/x>three words said</a><i>@ @ </i></nav>" OWN } },
      "@ <nav><a href=/x>three words said</a></nav>",
      "@ ", 0, 0 },
    { "hollow: hardly less",
      { { 21, 0, "<nav><a href=/x>three words said</a><i>@ @ </i></nav>" OWN },
        { 1, 0,
          "<nav><a href=/x>three words said</a><i>@ @ @ </i></nav>" OWN } },
      "@ <nav><a href=/x>three words said</a></nav>",
      "@ <nav></nav>", 0, 0 },
    { "hollow: three pages have the element",
      { { 9, 0, "<nav>" LINK "</nav>" OWN },
        { 3, 0, "<nav title=x>" LINK "<i>@ </i></nav>" OWN } },
      "@ <nav title=x>" LINK "</nav>",
      "@ ", 0, 0 },
    { "hollow: two",
      { { 9, 0, "<nav>" LINK "</nav>" OWN },
        { 2, 0, "<nav title=x>" LINK "<i>@ </i></nav>" OWN } },
      "@ <nav title=x>" LINK "</nav>",
      "@ <nav title=x></nav>", 0, 0 },

    /* links: 50 % of the words; as text it is on too few pages */

    { "links: half of the words",
      { { 3, 0, CALM "<ul>" LINK "#</ul>" }, { 13, 0, CALM } },
      "@ <ul>" LINK "#</ul>",
      "@ ", 0, 0 },
    { "links: 25 of 51",
      { { 3, 0, CALM "<ul>" W20 W5 "more<br><a href=/x>" W20 W5
                "</a></ul>" OWN },
        { 13, 0, CALM } },
      "@ <ul>" W20 W5 "more<br><a href=/x>" W20 W5 "</a></ul>",
      "@ <ul>" W20 W5 "more<br></ul>", 0, 0 },

    /* alike: more than 80 % of words, by the logarithm of how rare they are:
       of 47 + 3 * 4, then 25 + 3 * 2 */

    { "alike: less than 80 %",
      { { 4, 0,
          "<p>" W20 "and seven more of these words here</p><h2>" W20
          "</h2><i>@ @ @ @</i>" },
        { 3, 0, OWN } },
      "@ <p>" W20 "and seven more of these words here</p>",
      "@ ", 0, 0 },
    { "alike: more",
      { { 4, 0, "<p>" W10 W5 "</p><h2>" W10 "</h2><i>@ @</i>" },
        { 3, 0, OWN } },
      "@ <p>" W10 W5 "</p>",
      "@ <p>" W10 W5 "</p>", 0, 0 },

    /* alike_rare: more than 50 %, by its third power: 26 or 27 words of two
       pages beside 8 of each */

    { "alike_rare: less than 50 %",
      { { 2, 0,
          "<nav><a href=/x>two words</a></nav><p>" W20 W5 "six</p>"
          "<i>@ @ @ @ @ @ @ @ </i>" },
        { 1, 0, "<nav><a href=/x>two words</a></nav>" OWN },
        { 4, 0, OWN } },
      "@ <nav><a href=/x>two words</a></nav>",
      "@ ", 0, 0 },
    { "alike_rare: more",
      { { 2, 0,
          "<nav><a href=/x>two words</a></nav><p>" W20 W5 "six seven"
          "</p><i>@ @ @ @ @ @ @ @ </i>" },
        { 1, 0, "<nav><a href=/x>two words</a></nav>" OWN },
        { 4, 0, OWN } },
      "@ <nav><a href=/x>two words</a></nav>",
      "@ <nav><a href=/x>two words</a></nav>", 0, 0 },

    /* alike_name: 85 % of that, by pages of one name: 39 or 40 words of two
       pages beside 16 of each */

    { "alike_name: less",
      { { 1, "/a/x.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W10 W9 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, "/b/x.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W10 W9 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, 0, "<nav><a href=/x>two words</a></nav>" OWN },
        { 4, 0, OWN } },
      "@ <nav><a href=/x>two words</a></nav>",
      "@ ", 0, 0 },
    { "alike_name: more",
      { { 1, "/a/x.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, "/b/x.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, 0, "<nav><a href=/x>two words</a></nav>" OWN },
        { 4, 0, OWN } },
      "@ <nav><a href=/x>two words</a></nav>",
      "@ <nav><a href=/x>two words</a></nav>", 0, 0 },
    { "alike_name: as much, of two names",
      { { 1, "/a/x.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, "/b/y.html",
          "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
          "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
        { 1, 0, "<nav><a href=/x>two words</a></nav>" OWN },
        { 4, 0, OWN } },
      "@ <nav><a href=/x>two words</a></nav>",
      "@ ", 0, 0 },

    /* alike_own: 5 % of the words of a page are on half of the pages at the
       most: 1 in 20, or in 21 */

    { "alike_own: as much",
      { { 2, 0, "<nav><a href=/a>" W10 W9 "</a></nav>" OWN },
        { 1, 0, "<nav><a href=/a>" W10 W9 "</a></nav><p>@ </p>" },
        { 1, 0, OWN } },
      "@ <nav><a href=/a>" W10 W9 "</a></nav>",
      "@ <nav><a href=/a>" W10 W9 "</a></nav>", 0, 0 },
    { "alike_own: less",
      { { 2, 0, NAV OWN }, { 1, 0, NAV "<p>@ </p>" }, { 1, 0, OWN } },
      "@ " NAV,
      "@ ", 0, 0 },
    { "alike_own: less, of half of the pages",
      { { 2, 0, NAV OWN }, { 1, 0, NAV "<p>@ </p>" }, { 3, 0, OWN } },
      "@ " NAV,
      "@ " NAV, 0, 0 },
    { "alike_own: less, of two pages",
      { { 1, 0, NAV "<p>" W20 "</p><p>" W20 "</p>" OWN },
        { 2, 0, NAV "<p>" W20 "</p><p>@ </p>" },
        { 1, 0, OWN } },
      "@ " NAV,
      "@ " NAV, 0, 0 },

    /* stay: 10 % of a page's words, and of its main and article elements */

    { "stay: a tenth",
      { { 5, 0, "<div>" W9 "</div><p>@ </p>" } },
      "@ <div>" W9 "</div>",
      "@ ", 0, 0 },
    { "stay: what goes only with what is around it",
      { { 1, 0,
          "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>"
          FRUIT("<div><p>", "</p></div>") },
        { 4, 0, "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>" } },
      "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>",
      "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>", 0, 0 },
    { "stay: hardly less",
      { { 5, 0, "<div>" W10 "</div><p>@ </p>" } },
      "@ <div>" W10 "</div>",
      "@ <div>" W10 "</div>", 0, 0 },
    { "stay: a tenth of main",
      { { 5, 0, "<main><div>" W9 "</div><p>@ </p></main>" OWN } },
      "@ <main><div>" W9 "</div>@ </main>",
      "@ <main>@ </main>", 0, 0 },
    { "stay: hardly less of an article",
      { { 5, 0,
          "<article><div>" W10 "</div><p>@ </p></article><p>@ @ @ @ @ @ "
          " @ @ @ @ @ @ </p>" } },
      "@ <article><div>" W10 "</div>@ </article>",
      "@ <article><div>" W10 "</div>@ </article>", 0, 0 },

    /* empty: 50 % of the pages that show it */

    { "empty: half of the pages",
      { { 3, 0, "<div>" W10 "</div><p>@ </p>" },
        { 3, 0, "<div>" W10 "</div>" OWN } },
      "@ <div>" W10 "</div>",
      "@ <div>" W10 "</div>", 0, 0 },
    { "empty: 25 of 51",
      { { 25, 0, "<div>" W10 "</div><p>@ </p>" },
        { 26, 0, "<div>" W10 "</div>" OWN } },
      "@ <div>" W10 "</div>",
      "@ ", 0, 0 },

    /* directories: elsewhere 2 votes, and the shares there */

    { "directory: two elsewhere",
      { { 8, "/d/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 2, 0, CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ ", 0, 0 },
    { "directory: one elsewhere",
      { { 8, "/d/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 1, 0, CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },
    { "directory: one elsewhere, there",
      { { 8, "/d/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 1, 0, CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ ", "/d/new.html", 0 },
    { "directory: 2 of 10 elsewhere",
      { { 2, 0, CALM "<ul>" LINK "</ul>" },
        { 8, 0, CALM },
        { 8, "/d/p%u.html", CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ ", 0, 0 },
    { "directory: 2 of 11 elsewhere",
      { { 2, 0, CALM "<ul>" LINK "</ul>" },
        { 9, 0, CALM },
        { 8, "/d/p%u.html", CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },
    { "directory: 2 of 4 elsewhere that have the place",
      { { 8, "/d/p%u.html", "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 2, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 2, 0, "<div>@ @ @ @ @ @ @ </div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ </div>", 0, 0 },
    { "directory: 2 of 5 elsewhere that have the place",
      { { 8, "/d/p%u.html", "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 2, 0, "<div>@ @ @ @ @ @ @ " LINK "</div>" },
        { 3, 0, "<div>@ @ @ @ @ @ @ </div>" } },
      "<div>@ " LINK "</div>",
      "<div>@ " LINK "</div>", 0, 0 },
    { "directory: links aside are cut everywhere",
      { { 8, "/d/p%u.html", "<nav>" LINK "</nav>" OWN } },
      "@ <nav>" LINK "</nav>",
      "@ ", 0, 0 },

    /* own: half of all pages, linked, of one path */

    { "own: 8 of 16",
      { { 8, "+/i?p=%u", CALM "<ul>" LINK "</ul>" }, { 8, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ ", 0, 0 },
    { "own: 8 of 17",
      { { 8, "+/i?p=%u", CALM "<ul>" LINK "</ul>" }, { 9, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },
    { "own: 31 of 63",
      { { 31, "+/i?p=%u", CALM "<ul>" LINK "</ul>" }, { 32, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },
    { "own: 7 of 16 and one that is not linked",
      { { 7, "+/i?p=%u", CALM "<ul>" LINK "</ul>" },
        { 1, "/i?p=%u", CALM "<ul>" LINK "</ul>" },
        { 8, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },
    { "own: not of directories",
      { { 8, "+/d/p%u", CALM "<ul>" LINK "</ul>" }, { 8, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", 0, 0 },

    /* in the directory it needs support as well */

    { "directory: three there, one elsewhere",
      { { 3, "/d/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 1, 0, CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ ", "/d/new.html", 0 },
    { "directory: two there, one elsewhere",
      { { 2, "/d/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 1, 0, CALM "<ul>" LINK "</ul>" } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", "/d/new.html", 0 },

    /* where it does not hold without either: where most of its pages are */

    { "directory: the strongest is the first",
      { { 4, "/a/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 3, "/b/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 23, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ ", "/a/new.html", 0 },
    { "directory: the strongest is the last",
      { { 3, "/b/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 4, "/a/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 23, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ ", "/a/new.html", 0 },
    { "directory: not the weaker",
      { { 4, "/a/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 3, "/b/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 23, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", "/b/new.html", 0 },

    /* of directories with the same pages the deepest, else the smallest */

    { "directory: the deepest",
      { { 4, "/u/x/p%u.html", CALM "<ul>" LINK "</ul>" }, { 4, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ ", "/u/x/new.html", 0 },
    { "directory: not the one above",
      { { 4, "/u/x/p%u.html", CALM "<ul>" LINK "</ul>" }, { 4, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", "/u/new.html", 0 },
    { "directory: not one that has others",
      { { 4, "/u/x/p%u.html", CALM "<ul>" LINK "</ul>" },
        { 4, "/u/y/p%u.html", CALM },
        { 4, 0, CALM } },
      "@ <ul>" LINK "</ul>",
      "@ <ul>" LINK "</ul>", "/u/new.html", 0 },

    /* evidence is of 64 pages: the oldest makes room */

    { "memory: three of 64 pages",
      { { 3, 0, "<nav>" LINK "</nav>" OWN }, { 61, 0, OWN } },
      "@ <nav>" LINK "</nav>",
      "@ ", 0, 0 },
    { "memory: one page more",
      { { 3, 0, "<nav>" LINK "</nav>" OWN }, { 62, 0, OWN } },
      "@ <nav>" LINK "</nav>",
      "@ <nav>" LINK "</nav>", 0, 0 },

    /* serving: twice the most words of a page, and 200: 2 * 100 + 200 */

    { "serve: no more than the most",
      { { 5, 0,
          "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>" OWN OWN } },
      "@ <nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>",
      "@ ", 0, 0 },
    { "serve: one word more",
      { { 4, 0,
          "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
          "<nav><a href=/y>one</a></nav>" OWN OWN } },
      "@ <nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
      "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
      "<nav><a href=/y>one</a></nav><nav><a href=/y>one</a></nav>"
      "<nav><a href=/y>one</a></nav><nav><a href=/y>one</a></nav>"
      "<nav><a href=/y>one</a></nav>",
      "@ <nav><a href=/y>one</a></nav>", 0, 0 },
};
/* of a page of a kind: fifteen words of its own */
#define KIN "<i> @ @ @ @ @ @ @ @ @ @ @ @ @ @ @</i>"

/* kind: 55 % of what all pages are worth, in main; kind_words: 100 of links */
static const row_t kinds[] = {
    { "kind: pages of a kind are worth 55 % of all",
      { { 6, 0, "<main><p>%</p><i> @ @ @ @</i></main>" },
        { 3, 0, "<main><i> @ @ @ @</i></main>" } },
      "<main><p>%</p><i> @</i></main>",
      "<main><i> @</i></main>", 0, 0 },
    { "kind: 54 %",
      { { 7, 0, "<main><p>%</p><i> @</i></main>" },
        { 3, 0, "<main><i> @</i></main>" } },
      "<main><p>%</p><i> @</i></main>",
      "<main><p>%</p><i> @</i></main>", 0, 0 },
    { "kind: elsewhere",
      { { 7, 0, "<div><p>%</p><i> @</i></div>" },
        { 3, 0, "<div><i> @</i></div>" } },
      "<div><p>%</p><i> @</i></div>",
      "<div><i> @</i></div>", 0, 0 },
    { "kind_bare: 20 % where no page has main content",
      { { 8, 0, "<div><p>" W20 W20 "</p>" KIN "</div>" },
        { 13, 0, "<div>" KIN "</div>" } },
      "<div><p>" W20 W20 "</p>" KIN "</div>",
      "<div>" KIN "</div>", 0, 0 },
    { "kind_bare: 19 %",
      { { 8, 0, "<div><p>" W20 W20 "a b </p>" KIN "</div>" },
        { 13, 0, "<div>" KIN "</div>" } },
      "<div><p>" W20 W20 "a b </p>" KIN "</div>",
      "<div><p>" W20 W20 "a b </p>" KIN "</div>", 0, 0 },
    { "kind_bare: 19 %, where one has",
      { { 8, 0, "<div><p>" W20 W20 "a b </p>" KIN "</div>" },
        { 12, 0, "<div>" KIN "</div>" },
        { 1, 0, "<div>" KIN "<main><i></i></main></div>" } },
      "<div><p>" W20 W20 "a b </p>" KIN "</div>",
      "<div>" KIN "</div>", 0, 0 },
    { "kind_bare: 19 %, of links",
      { { 8, 0, "<div><a href=/x>" W20 W20 "a b </a>" KIN "</div>" },
        { 13, 0, "<div>" KIN "</div>" } },
      "<div><a href=/x>" W20 W20 "a b </a>" KIN "</div>",
      "<div>" KIN "</div>", 0, 0 },
    { "kind_words: 100 words of links",
      { { 7, 0, "<main><a href=/a>" W20 W20 W20 W20 W20 "</a>" KIN "</main>" },
        { 3, 0, "<main>" KIN "</main>" } },
      "<main><a href=/a>" W20 W20 W20 W20 W20 "</a>" KIN "</main>",
      "<main>" KIN "</main>", 0, 0 },
    { "kind_words: 99",
      { { 7, 0, "<main><a href=/a>" W20 W20 W20 W20 W10 W9
                "</a>" KIN "</main>" },
        { 3, 0, "<main>" KIN "</main>" } },
      "<main><a href=/a>" W20 W20 W20 W20 W10 W9 "</a>" KIN "</main>",
      "<main><a href=/a>" W20 W20 W20 W20 W10 W9 "</a>" KIN "</main>", 0, 0 },
    { "kind_words: 100 words that are not links",
      { { 7, 0, "<main><p>" W20 W20 W20 W20 W20 "</p>" KIN "</main>" },
        { 3, 0, "<main>" KIN "</main>" } },
      "<main><p>" W20 W20 W20 W20 W20 "</p>" KIN "</main>",
      "<main><p>" W20 W20 W20 W20 W20 "</p>" KIN "</main>", 0, 0 },
};

/*
 * What goes by its shape: what the pages have, and what is left of one more.
 * SAME is template, so that there is some; R5 are words of the page.
 */
#define SAME "<h6>%</h6>"
#define R5 "@ @ @ @ @ "
#define REST "<p>" R5 R5 R5 R5 "</p>"
#define CRUMBS "<div class=nav><a href=/@>@ @</a></div>"
#define FOOT "<footer>@ @</footer>"

/* on all pages, and on one that is asked for: it goes, or stays */
#define GOES(name, text)                                                      \
    { "shape: " name, { { 8, 0, SAME text REST } }, text REST, REST, 0, 0 }
#define STAYS(name, text)                                                     \
    { "shape: " name, { { 8, 0, SAME text REST } }, text REST, text REST, 0, \
      0 }
#define CLASS(what, word) what(word, "<div class='" word "'><a>@</a></div>")

static const row_t shapes[] = {

    /* shape: 50 % of the pages, and support */

    { "shape: of 4 in 8",
      { { 4, 0, SAME CRUMBS REST }, { 4, 0, SAME REST } },
      CRUMBS REST,
      REST, 0, 0 },
    { "shape: of 31 in 63",
      { { 31, 0, SAME CRUMBS REST }, { 32, 0, SAME REST } },
      CRUMBS REST,
      CRUMBS REST, 0, 0 },
    { "shape: of 3 in 3",
      { { 3, 0, SAME CRUMBS REST } },
      CRUMBS REST,
      REST, 0, 0 },
    { "shape: of 2 in 3",
      { { 2, 0, SAME CRUMBS REST }, { 1, 0, SAME REST } },
      CRUMBS REST,
      CRUMBS REST, 0, 0 },
    { "shape: of 3 pages that are one",
      { { 3, 0, SAME CRUMBS "<p>" W20 "</p>" }, { 2, 0, SAME REST } },
      CRUMBS REST,
      CRUMBS REST, 0, 0 },
    { "shape: at another place",
      { { 8, 0, SAME CRUMBS REST } },
      "<section>" CRUMBS "</section>" REST,
      "<section>" CRUMBS "</section>" REST, 0, 0 },
    { "shape: at its place, of another kind",
      { { 8, 0, SAME CRUMBS REST } },
      "<div class=footer>@ @</div><div><a href=/@>@</a></div>",
      "<div class=footer>@ @</div><div><a href=/@>@</a></div>", 0, 0 },
    { "shape: in the directory that has it",
      { { 9, "/d/p%u.html", SAME CRUMBS REST }, { 3, 0, SAME REST } },
      CRUMBS REST,
      REST, "/d/new.html", 0 },
    { "shape: in another one",
      { { 9, "/d/p%u.html", SAME CRUMBS REST }, { 3, 0, SAME REST } },
      CRUMBS REST,
      CRUMBS REST, 0, 0 },

    /* shape_own: 30 % of what pages say that no others do */

    { "shape_own: 3 words in 10",
      { { 8, 0, SAME "<footer>@ @ @</footer><p>" R5 "@ @</p>" } },
      FOOT REST,
      REST, 0, 0 },
    { "shape_own: 4 in 13",
      { { 8, 0, SAME "<footer>@ @ @ @</footer><p>" R5 "@ @ @ @</p>" } },
      FOOT REST,
      FOOT REST, 0, 0 },
    { "shape_own: what several pages say is no page's own",
      { { 3, 0, SAME "<footer>" W20 "</footer>" REST },
        { 3, 0, SAME "<footer>" W10 "</footer>" REST },
        { 2, 0, SAME FOOT REST } },
      FOOT REST,
      REST, 0, 0 },

    /* links: 50 % of its words, where it is learned and where it is cut */

    { "shape: 4 words of 8 are links",
      { { 8, 0, SAME "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST } },
      "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST,
      REST, 0, 0 },
    { "shape: 4 of 9 are",
      { { 8, 0, SAME "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST } },
      "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST,
      "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST, 0, 0 },
    { "shape: 4 of 9 are, on the pages that are learned from",
      { { 8, 0, SAME "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST OWN } },
      "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST,
      "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST, 0, 0 },
    STAYS("a footer in a navigation's clothes",
          "<div class=nav>@ @ @ <a>@</a></div>"),
    GOES("no links are asked for below", FOOT),

    /* DT_SERVE_LONGER 2: as many words as there are on any page */

    { "shape: twice as many words",
      { { 1, 0, SAME "<footer>@ @ @</footer>" REST },
        { 7, 0, SAME FOOT REST } },
      "<footer>" R5 "@</footer>" REST,
      REST, 0, 0 },
    { "shape: more",
      { { 1, 0, SAME "<footer>@ @ @</footer>" REST },
        { 7, 0, SAME FOOT REST } },
      "<footer>" R5 "@ @</footer>" REST,
      "<footer>" R5 "@ @</footer>" REST, 0, 0 },
    { "shape: more, in a navigation",
      { { 8, 0, SAME "<nav><a>@</a></nav>" REST } },
      "<nav><a>@ @ @</a></nav>" REST,
      "<nav><a>@ @ @</a></nav>" REST, 0, 0 },
    { "shape: without a word",
      { { 8, 0, SAME "<nav><a>@</a></nav>" REST } },
      "<nav><img src=/@></nav>" REST,
      "<nav><img src=/@></nav>" REST, 0, 0 },

    /* what it calls itself */

    GOES("nav", "<nav><a>@</a></nav>"),
    GOES("aside", "<aside>@</aside>"),
    GOES("footer", "<footer>@</footer>"),
    STAYS("header", "<header><a>@</a></header>"),
    STAYS("div", "<div><a>@</a></div>"),
    GOES("role of navigation", "<div role=navigation><a>@</a></div>"),
    GOES("role of what is beside", "<div role='complementary'>@</div>"),
    GOES("role of a footer", "<div ROLE=ContentInfo>@</div>"),
    STAYS("another role", "<div role=menu><a>@</a></div>"),
    STAYS("a class that is a role", "<div class=contentinfo>@</div>"),
    STAYS("another attribute", "<div title=nav><a>@</a></div>"),
    GOES("id", "<div x id=\"nav\"><a>@</a></div>"),
    GOES("several words", "<ul class='x top-NAV_2 y'><li><a>@</a></ul>"),
    CLASS(GOES, "nav"),
    CLASS(GOES, "navbar"),
    CLASS(GOES, "docnav"),
    CLASS(STAYS, "unavailable"),
    CLASS(GOES, "menu"),
    CLASS(GOES, "menubar"),
    CLASS(GOES, "submenu"),
    CLASS(STAYS, "amenus"),
    CLASS(GOES, "breadcrumb"),
    CLASS(GOES, "breadcrumbs"),
    CLASS(GOES, "gbreadcrumb"),
    CLASS(GOES, "gbreadcrumbs"),
    CLASS(STAYS, "bread"),
    CLASS(GOES, "pager"),
    CLASS(STAYS, "pagers"),
    CLASS(GOES, "pagination"),
    CLASS(GOES, "prev"),
    CLASS(GOES, "previous"),
    CLASS(GOES, "next"),
    CLASS(STAYS, "nextbest"),
    CLASS(STAYS, "prevent"),
    CLASS(GOES, "footer"),
    CLASS(GOES, "footers"),
    CLASS(GOES, "subfooter"),
    CLASS(STAYS, "foot"),
    CLASS(GOES, "navabcdefghijklmnopqrstu"),
    CLASS(STAYS, "navabcdefghijklmnopqrstuv"),

    /* where it stands, and what it is */

    STAYS("in main", "<main><nav><a>@</a></nav></main>"),
    STAYS("in article", "<article><footer>@</footer></article>"),
    STAYS("in what has the role of main",
          "<div role=main><footer>@</footer></div>"),
    STAYS("around main", "<footer>@<main>@</main></footer>"),
    STAYS("in a line", "<p>@ <span class=nav><a>@</a></span></p>"),
    STAYS("behind a word", "@<nav><a>@</a></nav>"),
    STAYS("where its beginning ends something",
          "<p>@<div class=nav><a>@</a></div>"),
    { "shape: where it begins and ends by what is around it",
      { { 8, 0, SAME "<ul><li>@<li class=prev><a>@</a></ul>" REST } },
      "<ul><li>@<li class=prev><a>@</a></ul>" REST,
      "<ul><li>@</ul>" REST, 0, 0 },
    { "shape: where its end is implied as well",
      { { 8, 0, SAME "<ul><li class=prev><a>@</a><li>@ @</ul>" REST } },
      "<ul><li class=prev><a>@</a><li class=next><a>@</a></ul>" REST,
      "<ul></ul>" REST, 0, 0 },
    STAYS("misnested, where it is learned",
          "<div class=nav><b><a>@</b></a></div>"),
    { "shape: misnested",
      { { 8, 0, SAME CRUMBS REST } },
      "<div class=nav><b><a>@</b></a></div>" REST,
      "<div class=nav><b><a>@</b></a></div>" REST, 0, 0 },
    { "shape: misnested, further inside",
      { { 8, 0, SAME CRUMBS REST } },
      "<div class=nav><p><b><a>@</b></a></p></div>" REST,
      "<div class=nav><p><b><a>@</b></a></p></div>" REST, 0, 0 },
    { "shape: out of its place in a table",
      { { 8, 0, SAME CRUMBS REST } },
      "<div class=nav><table><a>@</a><tr><td></table></div>" REST,
      "<div class=nav><table><a>@</a><tr><td></table></div>" REST, 0, 0 },
    { "shape: never closed",
      { { 8, 0, SAME CRUMBS REST } },
      "<div class=nav><a href=/@>@ @</a>" REST,
      "<div class=nav><a href=/@>@ @</a>" REST, 0, 0 },

    /* what is in it, and around it */

    { "shape: with template in it",
      { { 8, 0, SAME "<nav><b><a>#</a></b> <a>@</a></nav>" REST } },
      "<nav><b><a>#</a></b> <a>@</a> <a>" R5 "</a></nav>" REST,
      REST, 0, 0 },
    { "shape: with template in it, when it stays",
      { { 8, 0, SAME "<nav><b><a>#</a></b> <a>@</a></nav>" REST } },
      "<nav><b><a>#</a></b> @ @ @ @ @ @</nav>" REST,
      "<nav> @ @ @ @ @ @</nav>" REST, 0, 0 },
    { "shape: in one that stays",
      { { 8, 0, SAME "<footer>@ " CRUMBS "</footer>" REST } },
      "<footer>" R5 R5 CRUMBS "</footer>" REST,
      "<footer>" R5 R5 "</footer>" REST, 0, 0 },
    { "shape: in one that goes",
      { { 8, 0, SAME "<footer>@ " CRUMBS "</footer>" REST } },
      "<footer>@ <p>@</p> " CRUMBS "</footer>" REST,
      REST, 0, 0 },
    { "shape: in what is template but for it",
      { { 8, 0,
          SAME "<section><h5>#</h5>" FOOT "<h5>%</h5></section>" REST } },
      "<section><h5>#</h5>" FOOT "<h5>%</h5></section>" REST,
      "<section></section>" REST, 0, 0 },
    { "shape: alone no template, in what may be",
      { { 4, 0,
          SAME "<section><div class=nav><a>#</a></div> %</section>" OWN },
        { 6, 0, SAME "<section>" CRUMBS R5 R5 "</section>" OWN } },
      "<section><div class=nav><a>#</a></div> @</section>",
      "<section> @</section>", 0, 0 },
    { "shape: beside template, in what all pages have",
      { { 8, 0,
          SAME "<ol><li>#</li> <li class=nav>@ <a>@</a></li></ol>" REST } },
      "<ol><li>#</li> <li class=nav>@ <a>@</a></li></ol>" REST,
      "<ol> </ol>" REST, 0, 0 },
};
/* clang-format on */


static dt_rules_t rules;
static dt_arena_t *arena;
static dt_evidence_t *evidence;
static unsigned number; /* of the last page */
static int64_t now;


static void
begin(const void *prev)
{
    arena = dt_arena_create((size_t) 256 << 20);
    evidence = dt_evidence_create(prev, &rules, SITE_SEED, arena);
    number = 0;
}


static void *
finish(void)
{
    dt_status_t rc;
    dt_compiled_t out = { 0 };
    dt_compile_info_t info = { .now = now };

    rc = dt_compile(evidence, &info, &out);
    dt_arena_destroy(arena);

    if (rc == DT_OK && dt_template_check(out.bytes, out.len, NULL) != DT_OK) {
        ok(0, "the template passes its check");
    }

    if (rc != DT_OK) {
        free(out.bytes);
    }

    return rc == DT_OK ? out.bytes : NULL;
}


/* whether an element or what it is in has the name */
static int
inside(const dt_dom_t *dom, uint32_t i, const char *name)
{
    for (; i != DT_DOM_NONE; i = dom->nodes[i].parent) {
        if (dt_str_eq(dom->nodes[i].name, dt_cstr(name))) {
            return 1;
        }
    }

    return 0;
}


/* the detector finds what is in elements of a name, but not in <li> */
static void
detected(const char *name, dt_str_t page, const char *url)
{
    size_t n;
    uint32_t i;
    uint8_t *nodes;
    dt_url_t u;
    dt_dom_t *dom;
    dt_record_t *records;
    dt_dom_opts_t o;

    dt_dom_opts_init(&o);
    (void) dt_url_resolve(NULL, dt_cstr(url), arena, &u);
    (void) dt_dom_parse(page, &o, arena, &dom);
    (void) dt_scan_records(page, SITE_SEED, u.host, u.path, &records, &n);
    nodes = dt_arena_calloc(arena, dom->n + 1, 1);

    for (i = 0; i < dom->n; i++) {
        nodes[i] = inside(dom, i, name) && !inside(dom, i, "li");
    }

    (void) dt_evidence_detected(evidence, dom, records, n, nodes);
    free(records);
}


static void
add(const group_t *g, const char *found)
{
    char path[128], url[256];
    dt_status_t rc;
    buf_t page = { 0 };
    const char *form = g->url ? g->url : "/p%u.html";
    int linked = form[0] == '+';

    number++;
    snprintf(path, sizeof(path), form + linked, number);
    snprintf(url, sizeof(url), URL "%s", path);
    site_page(&page, g->text, strlen(g->text), number);
    rc = site_evidence(evidence, arena, url, (dt_str_t){ page.len, page.data },
                       ++now);

    if (rc != DT_OK) {
        ok(0, dt_strstatus(rc));

    } else if (linked) {
        dt_evidence_linked(evidence, evidence->npages - 1);

    } else if (found) {
        detected(found, (dt_str_t){ page.len, page.data }, url);
    }

    buf_free(&page);
}


/*
 * In pieces the same goes by its shape, and no more of it counts as template
 * than is found in it.
 */
static void
test_pieces(const row_t *row, const void *t, const buf_t *page,
            const result_t *whole)
{
    size_t i;
    int same = 1;
    result_t r;
    const char *path = row->path ? row->path : "/new.html";

    static const size_t chunks[] = { 1, 7, SITE_RANDOM };

    for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        site_rewrite_at(t, DT_STRIP, path, page, chunks[i], NULL, &r);
        same = same && result_eq(&r, whole);
        result_free(&r);
    }

    ok(same, row->name);

    site_bold = 0;
    site_rewrite_at(t, DT_STRIP, path, page, 0, NULL, &r);
    is_int(whole->stats.words, r.stats.words, row->name);
    result_free(&r);
    site_bold = 1;
}


static void
test_row(const row_t *row)
{
    void *t;
    unsigned i, k;
    result_t r = { 0 };
    buf_t page = { 0 }, left = { 0 };

    begin(NULL);

    for (i = 0; i < 5 && row->groups[i].n; i++) {
        for (k = 0; k < row->groups[i].n; k++) {
            add(&row->groups[i], row->found);
        }
    }

    t = finish();
    site_page(&page, row->asked, strlen(row->asked), 999);
    site_page(&left, row->left, strlen(row->left), 999);
    buf_add(&left, "", 1);

    if (t != NULL) {
        site_rewrite_at(t, DT_STRIP, row->path ? row->path : "/new.html",
                        &page, 0, NULL, &r);
        is_str(r.out.data, r.out.len, left.data, row->name);

        if (site_bold) {
            test_pieces(row, t, &page, &r);
        }

        result_free(&r);
        site_rewrite_at(t, DT_STRIP, row->path ? row->path : "/new.html",
                        &page, 1, NULL, &r);
        is_str(r.out.data, r.out.len, left.data, "in pieces");

    } else {
        is_str(page.data, page.len, left.data, row->name);
    }

    free(t);
    result_free(&r);
    buf_free(&page);
    buf_free(&left);
}


/*
 * A sentence at whose second word an element around it is given up, since that
 * has so many parts, or bytes: the first, which comes a varying number of
 * times, may not go alone, so that all of it stays.
 */
static void
test_outer(unsigned parts, unsigned bytes, const char *part, const char *name)
{
    static char text[80000], two[80100], left[1000];
    unsigned i, n;
    dt_rules_t usual = rules;
    row_t row = { name, { { 6, 0, text }, { 3, 0, two } }, text, left, 0, 0 };

    n = (unsigned) snprintf(text, sizeof(text), "<div>");

    for (i = 0; i < parts && n < bytes; i++) {
        n += (unsigned) snprintf(text + n, sizeof(text) - n, part, i);
    }

    snprintf(text + n, sizeof(text) - n,
             "one <kbd># <!--%300s--></kbd>" OWN "</div>", "");
    snprintf(left, sizeof(left), "<div>%s", text + n);
    snprintf(two, sizeof(two), "%s<div>one<br>one</div>", text);

    rules.stay = 0; /* hardly a word is a page's own */
    rules.alike = 1000;
    rules.alike_rare = 1000;
    test_row(&row);
    rules = usual;
}


/* how much goes of a page that has n times the filler; in pieces, the same */
static void
test_held(const void *t, const char *start, const char *filler, size_t n,
          const char *end, size_t removed, const char *name)
{
    size_t i;
    int same = 1;
    buf_t page = { 0 };
    result_t r, s;

    buf_puts(&page, site_begin);
    buf_puts(&page, start);
    buf_fill(&page, filler, n);
    buf_puts(&page, end);

    site_rewrite_at(t, DT_STRIP, "/new.html", &page, 0, NULL, &r);
    is_int((int) r.stats.removed, (int) removed, name);

    for (i = 1; i < page.len; i = i * 3 + 1) {
        site_rewrite_at(t, DT_STRIP, "/new.html", &page, i, NULL, &s);
        same = same && result_eq(&r, &s) && s.stats.held <= DT_HOLD_MAX;
        result_free(&s);
    }

    ok(same, name);
    result_free(&r);
    buf_free(&page);
}


#define INNER "<p><b>#</b> <i>%</i></p>"
#define PART "<section>" INNER "</section>"
#define INNER_999                                                             \
    "<p><b>menu of this whole site</b> <i>about those who made it</i></p>"

/*
 * DT_SCAN_HOLD: 64 KiB of one; DT_SCAN_PENDING: 512 pieces in it.  And what is
 * given up does not hold anything back.
 */
static void
test_shape_bounds(void)
{
    void *t;
    unsigned i;
    result_t r;
    buf_t page = { 0 };
    group_t g = { 8, NULL,
                  SAME NAV "<nav><a>@</a> <img src=/x></nav>"
                           "<footer>@<nav><a>@ @</a></nav>" PART
                           "</footer>" OWN OWN };
    const char *own = "<nav><a>own</a>", *img = "<img src=/x>";
    size_t len = strlen("<nav><a>own</a><!----></nav>");

    begin(NULL);

    for (i = 0; i < g.n; i++) {
        add(&g, NULL);
    }

    t = finish();
    test_held(t, "<nav><a>own</a><!--", "x", 65536 - len, "--></nav>" REST,
              65536, "shape: 64 KiB");
    test_held(t, "<nav><a>own</a><!--", "x", 65537 - len, "--></nav>" REST, 0,
              "shape: a byte more");
    test_held(t, "<nav><a>own</a><!--", "x", 70000, "--></nav>" REST, 0,
              "shape: much more");
    test_held(t, "<footer>@ <!--", "x", 65536,
              "--><nav><a>own</a><i>            </i></nav></footer>" REST,
              strlen("<nav><a>own</a><i>            </i></nav>"),
              "shape: in what is too long");
    test_held(t, "<footer>own <section><!--", "x", 65500,
              "-->" INNER_999 "</section></footer>" REST, strlen(INNER_999),
              "shape: template in what is too long");
    test_held(t, own, img, 512, "</nav>" REST,
              strlen("<nav><a>own</a></nav>") + 512 * strlen(img),
              "shape: 512 pieces in it");
    test_held(t, own, img, 513, "</nav>" REST, 513 * strlen(img),
              "shape: too many");

    buf_puts(&page, "<body><nav><a>own</a><plaintext>");
    buf_fill(&page, "x ", 20000);
    site_rewrite_at(t, DT_STRIP, "/new.html", &page, 64, NULL, &r);
    ok(r.stats.held < 1000, "shape: in what is given up");
    result_free(&r);
    buf_free(&page);
    free(t);
}


/* n pages with so many links of ten words each; they are template */
static void
add_menus(unsigned n, unsigned links)
{
    unsigned i;
    char text[1024] = "<nav>";
    group_t g = { 1, NULL, text };

    for (i = 0; i < links; i++) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "<a href=/%u>" W9 "%u</a> ", i, i);
    }

    snprintf(text + strlen(text), sizeof(text) - strlen(text), "</nav>%s",
             OWN OWN OWN OWN OWN);

    for (i = 0; i < n; i++) {
        add(&g, NULL);
    }
}


/* typical: 50 % of the pages show more; serve: LOW 90 % of it, SPARE 60 % */
static void
test_typical(void)
{
    void *t;
    unsigned n, want;
    char name[64];
    dt_template_info_t info;

    /* the links of four pages are on the others as well */

    begin(NULL);
    add_menus(3, 6);
    add_menus(1, 5);
    add_menus(4, 4);
    t = finish();
    dt_template_info(t, &info);
    is_int(info.typical, 40, "typical: four pages of eight show more");
    free(t);

    begin(NULL);
    add_menus(4, 6);
    add_menus(1, 5);
    add_menus(3, 4);
    t = finish();
    dt_template_info(t, &info);
    is_int(info.typical, 50, "typical: of the next as many");
    free(t);

    begin(NULL);
    add_menus(8, 10);
    t = finish();
    dt_template_info(t, &info);
    is_int(info.typical, 100, "typical: of pages that are equal");
    is_int(dt_template_want(t, dt_str("/x"), 90), 0, "low: 90 %");
    is_int(dt_template_want(t, dt_str("/x"), 89), 100, "low: 89 %");
    free(t);

    for (n = 2; n <= 3; n++) {
        group_t g = { 1, "/d/p%u.html", NAV OWN };

        begin(NULL);
        add(&g, NULL);
        add(&g, NULL);
        g.url = n == 3 ? "/d/p%u.html" : NULL;
        add(&g, NULL);
        t = finish();
        want = dt_template_want(t, dt_str("/d/x"), 100);
        snprintf(name, sizeof(name), "known: %u pages of the directory", n);
        is_int(want, n == 3 ? 0 : 60, name);
        free(t);
    }
}


/* strange: less than 10 % of what is usual, 200 words */
static void
test_strange(void)
{
    void *t;
    unsigned k;
    group_t g = { 1, NULL, NULL };

    static const char *const pages[] = { NAV OWN, "<nav><a href=/a>" W10 W9
                                                  "</a></nav>" OWN };
    static const char all[] = NAV
        "<nav><a href=/a>" W10 W9
        "</a></nav><nav><a href=/b>" W20 W20 W20 W20 W20
        "</a></nav><nav><a href=/b>" W20 W20 W20 "one</a></nav>" OWN OWN OWN;

    begin(NULL);
    g.text = all;

    for (k = 0; k < 5; k++) {
        add(&g, NULL);
    }

    t = finish();

    for (k = 0; k < 2; k++) {
        begin(t);
        number = 50 + k;
        g.text = pages[k];
        add(&g, NULL);
        is_int(dt_evidence_strange(evidence, 5), k != 0,
               k ? "strange: 19 words of 200" : "strange: 20 words");
        dt_arena_destroy(arena);
    }

    free(t);
}


int
main(void)
{
    size_t i;
    unsigned kind, bare;

    dt_rules_init(&rules);
    rules.score = 0; /* each rule by itself; test_score.c */
    kind = rules.kind;
    rules.kind = 0;
    bare = rules.kind_bare;
    rules.kind_bare = 0;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        test_row(&rows[i]);
    }

    rules.kind = kind;
    rules.kind_bare = bare;

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        test_row(&kinds[i]);
    }


    test_outer(511, 65300, "<p>part number %u</p>", "sentence: 512 parts");
    test_outer(511, 65300,
               "<p>part number %u of what is around it, which has many words "
               "but not so many parts, so that its bytes pass a bound before "
               "the parts do, and it goes</p>",
               "sentence: 64 KB");

    rules.kind = 0;
    site_bold = 1;

    for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        test_row(&shapes[i]);
    }

    test_shape_bounds();
    site_bold = 0;

    test_typical();
    test_strange();

    return done();
}
