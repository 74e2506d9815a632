
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

/* 24 bytes without a space; with a page's own word in front they are 30 */
#define HAN "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b"

/* of a page: ten words of its own */
#define OWN "<main><p>@ @ @ @ @ @ @ @ @ @</p></main>"

/* ten words of a chapter, which other chapters do not have */
#define CHAPTER(c)                                                            \
    "<p>" c "1 " c "2 " c "3 " c "4 " c "5 " c "6 " c "7 " c "8 " c "9 " c    \
    "10</p>"

/* links aside of content, and pages that are mostly repeated */
#define NAV "<nav><a href=/a>" W20 "</a></nav>"
#define REPEATED NAV "<main><p>@ @ @ @ @</p></main>"

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

    { .name = "support: three pages",
      .groups = { { .n = 3, .text = "<div>%</div>" OWN } },
      .asked = "<div>%</div>" OWN,
      .left = OWN },
    { .name = "support: two",
      .groups = { { .n = 2, .text = "<div>%</div>" OWN } },
      .asked = "<div>%</div>" OWN,
      .left = "<div>%</div>" OWN },
    { .name = "support: three pages of one name",
      .groups = { { .n = 1, .url = "/a/x.html", .text = "<div>%</div>" OWN },
                  { .n = 1, .url = "/b/x.html", .text = "<div>%</div>" OWN },
                  { .n = 1, .url = "/c/x.html", .text = "<div>%</div>" OWN } },
      .asked = "<div>%</div>" OWN,
      .left = OWN },






    /* support_votes: 15; in a directory no share is asked for */

    { .name = "support_votes: three of 15",
      .groups = { { .n = 3, .url = "/d/p%u.html",
                    .text = "<div>%</div>" OWN },
                  { .n = 12, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = OWN,
      .path = "/d/new.html" },
    { .name = "support_votes: three of 16",
      .groups = { { .n = 3, .url = "/d/p%u.html",
                    .text = "<div>%</div>" OWN },
                  { .n = 13, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = "<div>%</div>" OWN,
      .path = "/d/new.html" },
    { .name = "support_votes: four of 30",
      .groups = { { .n = 4, .url = "/d/p%u.html",
                    .text = "<div>%</div>" OWN },
                  { .n = 26, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = OWN,
      .path = "/d/new.html" },
    { .name = "support_votes: four of 31",
      .groups = { { .n = 4, .url = "/d/p%u.html",
                    .text = "<div>%</div>" OWN },
                  { .n = 27, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = "<div>%</div>" OWN,
      .path = "/d/new.html" },

    /* share: 25 % of all pages, whatever it is and wherever it stands */

    { .name = "share: text of 5 in 20",
      .groups = { { .n = 5, .text = "<div>%</div>" OWN },
                  { .n = 15, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = OWN },
    { .name = "share: of 5 in 21",
      .groups = { { .n = 5, .text = "<div>%</div>" OWN },
                  { .n = 16, .text = OWN } },
      .asked = "<div>%</div>" OWN,
      .left = "<div>%</div>" OWN },
    { .name = "share: a list of links of 5 in 21",
      .groups = { { .n = 5, .text = "<ul>" LINK "</ul>" OWN },
                  { .n = 16, .text = OWN } },
      .asked = "<ul>" LINK "</ul>" OWN,
      .left = "<ul>" LINK "</ul>" OWN },
    { .name = "share: in nav",
      .groups = { { .n = 5, .text = "<nav>" LINK "</nav>" OWN },
                  { .n = 16, .text = OWN } },
      .asked = "<nav>" LINK "</nav>" OWN,
      .left = "<nav>" LINK "</nav>" OWN },
    { .name = "share: in an aside",
      .groups = { { .n = 5, .text = "<aside>" LINK "</aside>" OWN },
                  { .n = 16, .text = "<aside>@ </aside>" OWN } },
      .asked = "<aside>" LINK "</aside>" OWN,
      .left = "<aside>" LINK "</aside>" OWN },

    /* place: 50 % of the pages that have it, for what has no words */

    { .name = "place: half of the pages",
      .groups = { { .n = 5, .text = "<div><i><img src=/x></i>@ </div>" OWN },
                  { .n = 5, .text = "<div>@ </div>" OWN } },
      .asked = "<div><i><img src=/x></i>@ </div>" OWN,
      .left = "<div>@ </div>" OWN },
    { .name = "place: less",
      .groups = { { .n = 5, .text = "<div><i><img src=/x></i>@ </div>" OWN },
                  { .n = 6, .text = "<div>@ </div>" OWN } },
      .asked = "<div><i><img src=/x></i>@ </div>" OWN,
      .left = "<div><i><img src=/x></i>@ </div>" OWN },
    { .name = "place: of those that have it",
      .groups = { { .n = 5, .text = "<div><i><img src=/x></i>@ </div>" OWN },
                  { .n = 5, .text = "<div>@ </div>" OWN },
                  { .n = 9, .text = OWN } },
      .asked = "<div><i><img src=/x></i>@ </div>" OWN,
      .left = "<div>@ </div>" OWN },

    /* what may not be cut on its own keeps its sentence: core/scan/line.c;
       "one" is on too few pages */

    { .name = "sentence: of a word that stays",
      .groups = { { .n = 4, .text = "<div>one <b>#</b></div>" REPEATED },
                  { .n = 5, .text = "<div><b>#</b></div>" REPEATED },
                  { .n = 9, .text = "<div>@ @ @</div>" REPEATED } },
      .asked = "<div>one <b>#</b> <p>@</p></div>",
      .left = "<div>one <b>#</b> <p>@</p></div>" },
    { .name = "sentence: of a word that stays, inside of another element",
      .groups = { { .n = 4,
                    .text = "<div><b>#</b> <kbd>one</kbd></div>" REPEATED },
                  { .n = 5, .text = "<div><b>#</b></div>" REPEATED },
                  { .n = 9, .text = "<div><kbd>@ @</kbd></div>" REPEATED } },
      .asked = "<div>@ <b>#</b> <kbd>one<br>@</kbd></div>",
      .left = "<div>@ <b>#</b> <kbd>one<br>@</kbd></div>" },
    { .name = "sentence: behind it",
      .groups = { { .n = 4, .text = "<div>one<br><b>#</b></div>" REPEATED },
                  { .n = 5, .text = "<div><b>#</b></div>" REPEATED },
                  { .n = 9, .text = "<div>@ @ @</div>" REPEATED } },
      .asked = "<div>one<br><b>#</b> <p>@</p></div>",
      .left = "<div>one<br> <p>@</p></div>" },





    /* wrapper: 60 % of its text is repeated: 3 of 5 words, then 66 of 111 */

    { .name = "wrapper: 60 %",
      .groups = {
          { .n = 8,
            .text = "<nav><a href=/x>three words said</a><i>@ @ </i></nav>"
                    OWN }
      },
      .asked = "@ <nav><a href=/x>three words said</a></nav>",
      .left = "@ " },
    { .name = "wrapper: hardly less",
      .groups = {
          { .n = 21,
            .text = "<nav><a href=/x>three words said</a><i>@ @ </i></nav>"
                    OWN },
          { .n = 1,
            .text = "<nav><a href=/x>three words said</a><i>@ @ @ </i></nav>"
                    OWN }
      },
      .asked = "@ <nav><a href=/x>three words said</a></nav>",
      .left = "@ <nav></nav>" },
    { .name = "wrapper: three pages have the element",
      .groups = {
          { .n = 9, .text = "<nav>" LINK "</nav>" OWN },
          { .n = 3, .text = "<nav title=x>" LINK "<i>@ </i></nav>" OWN }
      },
      .asked = "@ <nav title=x>" LINK "</nav>",
      .left = "@ " },
    { .name = "wrapper: two",
      .groups = {
          { .n = 9, .text = "<nav>" LINK "</nav>" OWN },
          { .n = 2, .text = "<nav title=x>" LINK "<i>@ </i></nav>" OWN }
      },
      .asked = "@ <nav title=x>" LINK "</nav>",
      .left = "@ <nav title=x></nav>" },


    /* alike: more than 80 % of words, by the logarithm of how rare they are:
       42 or 43 words of five pages in 20, beside 5 of each */

    { .name = "alike: less than 80 %",
      .groups = { { .n = 5,
                    .text = "<p>" W20 "and two </p><h2>" W20
                            "</h2><i>@ @ @ @ @</i>" },
                  { .n = 15, .text = OWN } },
      .asked = "@ <p>" W20 "and two </p>",
      .left = "@ " },
    { .name = "alike: more",
      .groups = { { .n = 5,
                    .text = "<p>" W20 "and one more </p><h2>" W20
                            "</h2><i>@ @ @ @ @</i>" },
                  { .n = 15, .text = OWN } },
      .asked = "@ <p>" W20 "and one more </p>",
      .left = "@ <p>" W20 "and one more </p>" },

    /* alike_rare: more than 50 %, by its third power: 26 or 27 words of two
       pages beside 8 of each */

    { .name = "alike_rare: less than 50 %",
      .groups = {
          { .n = 2,
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W5 "six</p>"
                    "<i>@ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .text = "<nav><a href=/x>two words</a></nav>" OWN },
          { .n = 4, .text = OWN }
      },
      .asked = "@ <nav><a href=/x>two words</a></nav>",
      .left = "@ " },
    { .name = "alike_rare: more",
      .groups = {
          { .n = 2,
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W5 "six seven"
                    "</p><i>@ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .text = "<nav><a href=/x>two words</a></nav>" OWN },
          { .n = 4, .text = OWN }
      },
      .asked = "@ <nav><a href=/x>two words</a></nav>",
      .left = "@ <nav><a href=/x>two words</a></nav>" },

    /* alike_name: 85 % of that, by pages of one name: 39 or 40 words of two
       pages beside 16 of each */

    { .name = "alike_name: less",
      .groups = {
          { .n = 1, .url = "/a/x.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W10 W9 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .url = "/b/x.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W10 W9 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .text = "<nav><a href=/x>two words</a></nav>" OWN },
          { .n = 4, .text = OWN }
      },
      .asked = "@ <nav><a href=/x>two words</a></nav>",
      .left = "@ " },
    { .name = "alike_name: more",
      .groups = {
          { .n = 1, .url = "/a/x.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .url = "/b/x.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .text = "<nav><a href=/x>two words</a></nav>" OWN },
          { .n = 4, .text = OWN }
      },
      .asked = "@ <nav><a href=/x>two words</a></nav>",
      .left = "@ <nav><a href=/x>two words</a></nav>" },
    { .name = "alike_name: as much, of two names",
      .groups = {
          { .n = 1, .url = "/a/x.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .url = "/b/y.html",
            .text = "<nav><a href=/x>two words</a></nav><p>" W20 W20 "</p>"
                    "<i>@ @ @ @ @ @ @ @ @ @ @ @ @ @ @ @ </i>" },
          { .n = 1, .text = "<nav><a href=/x>two words</a></nav>" OWN },
          { .n = 4, .text = OWN }
      },
      .asked = "@ <nav><a href=/x>two words</a></nav>",
      .left = "@ " },

    /* alike_least: 5 % of the words of a page are on half of the pages at the
       most: 1 in 20, or in 21 */

    { .name = "alike_least: as much",
      .groups = {
          { .n = 2, .text = "<nav><a href=/a>" W10 W9 "</a></nav>" OWN },
          { .n = 1, .text = "<nav><a href=/a>" W10 W9 "</a></nav><p>@ </p>" },
          { .n = 1, .text = OWN }
      },
      .asked = "@ <nav><a href=/a>" W10 W9 "</a></nav>",
      .left = "@ <nav><a href=/a>" W10 W9 "</a></nav>" },
    { .name = "alike_least: less",
      .groups = { { .n = 2, .text = NAV OWN },
                  { .n = 1, .text = NAV "<p>@ </p>" },
                  { .n = 1, .text = OWN } },
      .asked = "@ " NAV,
      .left = "@ " },
    { .name = "alike_least: less, of half of the pages",
      .groups = { { .n = 2, .text = NAV OWN },
                  { .n = 1, .text = NAV "<p>@ </p>" },
                  { .n = 3, .text = OWN } },
      .asked = "@ " NAV,
      .left = "@ " NAV },
    { .name = "alike_least: less, of two pages",
      .groups = { { .n = 1, .text = NAV "<p>" W20 "</p><p>" W20 "</p>" OWN },
                  { .n = 2, .text = NAV "<p>" W20 "</p><p>@ </p>" },
                  { .n = 1, .text = OWN } },
      .asked = "@ " NAV,
      .left = "@ " NAV },

    /* votes: of pages that are alike, those that say less come first */

    { .name = "votes: three pages repeat what another says, and say more",
      .groups = { { .n = 3,
                    .text = "<nav><a href=/x>" W20 W20 "</a></nav>" OWN OWN
                            OWN OWN OWN OWN },
                  { .n = 1, .text = "<nav><a href=/x>" W20 W20 "</a></nav>" },
                  { .n = 5, .text = OWN } },
      .asked = "<nav><a href=/x>" W20 W20 "</a></nav>",
      .left = "<nav><a href=/x>" W20 W20 "</a></nav>" },
    { .name = "votes: the same three pages without it",
      .groups = { { .n = 3,
                    .text = "<nav><a href=/x>" W20 W20 "</a></nav>" OWN OWN
                            OWN OWN OWN OWN },
                  { .n = 5, .text = OWN } },
      .asked = "<nav><a href=/x>" W20 W20 "</a></nav>" OWN,
      .left = OWN },
    { .name = "votes: three chapters, and all of them on one page",
      .groups = {
          { .n = 1,
            .text = NAV CHAPTER("a") CHAPTER("b") CHAPTER("c") },
          { .n = 1, .text = NAV CHAPTER("a") },
          { .n = 1, .text = NAV CHAPTER("b") },
          { .n = 1, .text = NAV CHAPTER("c") }
      },
      .asked = NAV CHAPTER("a"),
      .left = CHAPTER("a") },

    /* remain: 10 % of a page's words, and of its main and article elements */

    { .name = "remain: a tenth",
      .groups = { { .n = 5, .text = "<div>" W9 "</div><p>@ </p>" } },
      .asked = "@ <div>" W9 "</div>",
      .left = "@ " },
    { .name = "remain: what goes only with what is around it",
      .groups = { { .n = 1,
                    .text = "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>"
                            FRUIT("<div><p>", "</p></div>") },
                  { .n = 4,
                    .text = "<div>" FRUIT("<p>", "</p>")
                            "</div><p>@ </p>" } },
      .asked = "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>",
      .left = "<div>" FRUIT("<p>", "</p>") "</div><p>@ </p>" },
    { .name = "remain: hardly less",
      .groups = { { .n = 5, .text = "<div>" W10 "</div><p>@ </p>" } },
      .asked = "@ <div>" W10 "</div>",
      .left = "@ <div>" W10 "</div>" },
    { .name = "remain: a tenth of main",
      .groups = { { .n = 5,
                    .text = "<main><div>" W9 "</div><p>@ </p></main>" OWN } },
      .asked = "@ <main><div>" W9 "</div>@ </main>",
      .left = "@ <main>@ </main>" },
    { .name = "remain: hardly less of an article",
      .groups = { { .n = 5,
                    .text = "<article><div>" W10
                            "</div><p>@ </p></article><p>@ @ @ @ @ @ "
                            " @ @ @ @ @ @ </p>" } },
      .asked = "@ <article><div>" W10 "</div>@ </article>",
      .left = "@ <article><div>" W10 "</div>@ </article>" },

    /* where no spaces are between words, 16 bytes are one: a tenth of the 20
       words that each page says is its own, then hardly less */

    { .name = "words without spaces: 32 bytes",
      .groups = { { .n = 5,
                    .text = "<div>" W9 W9 "</div><p>@" HAN "ab</p>" } },
      .asked = "@ <div>" W9 W9 "</div>",
      .left = "@ " },
    { .name = "words without spaces: 31 bytes",
      .groups = { { .n = 5,
                    .text = "<div>" W9 W9 "</div><p>@" HAN "a</p>" } },
      .asked = "@ <div>" W9 W9 "</div>",
      .left = "@ <div>" W9 W9 "</div>" },

    /* empty: 50 % of the pages that show it */

    { .name = "empty: half of the pages",
      .groups = { { .n = 3, .text = "<div>" W10 "</div><p>@ </p>" },
                  { .n = 3, .text = "<div>" W10 "</div>" OWN } },
      .asked = "@ <div>" W10 "</div>",
      .left = "@ <div>" W10 "</div>" },
    { .name = "empty: 25 of 51",
      .groups = { { .n = 25, .text = "<div>" W10 "</div><p>@ </p>" },
                  { .n = 26, .text = "<div>" W10 "</div>" OWN } },
      .asked = "@ <div>" W10 "</div>",
      .left = "@ " },

    /* directories: elsewhere 2 votes, and the shares there */

    { .name = "directory: two elsewhere",
      .groups = { { .n = 8, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 2, .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ " },
    { .name = "directory: one elsewhere",
      .groups = { { .n = 8, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 1, .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>" },
    { .name = "directory: one elsewhere, there",
      .groups = { { .n = 8, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 1, .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ ",
      .path = "/d/new.html" },
    { .name = "directory: two elsewhere",
      .groups = { { .n = 2, .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 8, .text = REPEATED },
                  { .n = 8, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ " },
    { .name = "directory: links aside, of one directory",
      .groups = { { .n = 8, .url = "/d/p%u.html",
                    .text = "<nav>" LINK "</nav>" OWN } },
      .asked = "@ <nav>" LINK "</nav>",
      .left = "@ <nav>" LINK "</nav>" },

    /* queries: half of all pages, linked, of one path */

    { .name = "queries: 8 of 16",
      .groups = {
          { .n = 8, .url = "+/i?p=%u", .text = REPEATED "<ul>" LINK "</ul>" },
          { .n = 8, .text = REPEATED }
      },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ " },
    { .name = "queries: 8 of 17",
      .groups = {
          { .n = 8, .url = "+/i?p=%u", .text = REPEATED "<ul>" LINK "</ul>" },
          { .n = 9, .text = REPEATED }
      },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>" },
    { .name = "queries: 31 of 63",
      .groups = { { .n = 31, .url = "+/i?p=%u",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 32, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>" },
    { .name = "queries: 7 of 16 and one that is not linked",
      .groups = {
          { .n = 7, .url = "+/i?p=%u", .text = REPEATED "<ul>" LINK "</ul>" },
          { .n = 1, .url = "/i?p=%u", .text = REPEATED "<ul>" LINK "</ul>" },
          { .n = 8, .text = REPEATED }
      },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>" },
    { .name = "queries: not of directories",
      .groups = {
          { .n = 8, .url = "+/d/p%u", .text = REPEATED "<ul>" LINK "</ul>" },
          { .n = 8, .text = REPEATED }
      },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>" },

    /* in the directory it needs support as well */

    { .name = "directory: three there, one elsewhere",
      .groups = { { .n = 3, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 1, .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ ",
      .path = "/d/new.html" },
    { .name = "directory: two there, one elsewhere",
      .groups = { { .n = 2, .url = "/d/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 1, .text = REPEATED "<ul>" LINK "</ul>" } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>",
      .path = "/d/new.html" },

    /* where it does not hold without either: where most of its pages are */

    { .name = "directory: the strongest is the first",
      .groups = { { .n = 4, .url = "/a/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 1, .url = "/b/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 23, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ ",
      .path = "/a/new.html" },
    { .name = "directory: the strongest is the last",
      .groups = { { .n = 1, .url = "/b/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 4, .url = "/a/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 23, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ ",
      .path = "/a/new.html" },
    { .name = "directory: not the weaker",
      .groups = { { .n = 4, .url = "/a/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 3, .url = "/b/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 23, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>",
      .path = "/b/new.html" },

    /* of directories with the same pages the deepest, else the smallest */

    { .name = "directory: the deepest",
      .groups = { { .n = 4, .url = "/u/x/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 4, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ ",
      .path = "/u/x/new.html" },
    { .name = "directory: not the one above",
      .groups = { { .n = 4, .url = "/u/x/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 4, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>",
      .path = "/u/new.html" },
    { .name = "directory: not one that has others",
      .groups = { { .n = 4, .url = "/u/x/p%u.html",
                    .text = REPEATED "<ul>" LINK "</ul>" },
                  { .n = 4, .url = "/u/y/p%u.html", .text = REPEATED },
                  { .n = 4, .text = REPEATED } },
      .asked = "@ <ul>" LINK "</ul>",
      .left = "@ <ul>" LINK "</ul>",
      .path = "/u/new.html" },

    /* evidence is of 64 pages: the oldest makes room */

    { .name = "memory: 16 of 64 pages",
      .groups = { { .n = 16, .text = "<nav>" LINK "</nav>" OWN },
                  { .n = 48, .text = OWN } },
      .asked = "@ <nav>" LINK "</nav>",
      .left = "@ " },
    { .name = "memory: one page more",
      .groups = { { .n = 16, .text = "<nav>" LINK "</nav>" OWN },
                  { .n = 49, .text = OWN } },
      .asked = "@ <nav>" LINK "</nav>",
      .left = "@ <nav>" LINK "</nav>" },

    /* serving: twice the most words of a page, and 200: 2 * 100 + 200 */

    { .name = "serve: no more than the most",
      .groups = {
          { .n = 5,
            .text = "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>" OWN
                    OWN }
      },
      .asked = "@ <nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W20 "</a></nav>",
      .left = "@ " },
    { .name = "serve: one word more",
      .groups = { { .n = 4,
                    .text = "<nav><a href=/x>" W20 W20 W20 W20 W10 W9
                            "</a></nav>" "<nav><a href=/y>one</a></nav>" OWN
                            OWN } },
      .asked = "@ <nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
               "<nav><a href=/x>" W20 W20 W20 W20 W10 W9 "</a></nav>"
               "<nav><a href=/y>one</a></nav><nav><a href=/y>one</a></nav>"
               "<nav><a href=/y>one</a></nav><nav><a href=/y>one</a></nav>"
               "<nav><a href=/y>one</a></nav>",
      .left = "@ <nav><a href=/y>one</a></nav>" },
};
/* of a page of a kind: fifteen words of its own */
#define MAIN "<main><p>@ @ @ </p></main>"
#define KIN "<i> @ @ @ @ @ @ @ @ @ @ @ @ @ @ @</i>"

/* kind: 55 % of what all pages are worth, in main */
static const row_t kinds[] = {
    { .name = "kind: pages of a kind are worth 55 % of all",
      .groups = { { .n = 6, .text = "<main><p>%</p><i> @ @ @ @</i></main>" },
                  { .n = 3, .text = "<main><i> @ @ @ @</i></main>" } },
      .asked = "<main><p>%</p><i> @</i></main>",
      .left = "<main><i> @</i></main>" },
    { .name = "kind: 54 %",
      .groups = { { .n = 7, .text = "<main><p>%</p><i> @</i></main>" },
                  { .n = 3, .text = "<main><i> @</i></main>" } },
      .asked = "<main><p>%</p><i> @</i></main>",
      .left = "<main><p>%</p><i> @</i></main>" },
    { .name = "kind: elsewhere",
      .groups = { { .n = 7, .text = "<div><p>%</p><i> @</i></div>" },
                  { .n = 3, .text = "<div><i> @</i></div>" } },
      .asked = "<div><p>%</p><i> @</i></div>",
      .left = "<div><i> @</i></div>" },
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
#define GOES(what, html)                                                      \
    { .name = "shape: " what,                                                 \
      .groups = { { .n = 8, .text = SAME REST html } },                       \
      .asked = REST html,                                                     \
      .left = REST}
#define STAYS(what, html)                                                     \
    { .name = "shape: " what,                                                 \
      .groups = { { .n = 8, .text = SAME REST html } },                       \
      .asked = REST html,                                                     \
      .left = REST html}

/* in a navigation, of which pages have two words, in a link */
#define GO(what, html)                                                        \
    { .name = "shape: elsewhere, " what,                                      \
      .groups = { { .n = 8, .text = SAME "<nav><a>@ @</a></nav>" REST } },    \
      .asked = "<nav>" html "</nav>" REST,                                    \
      .left = REST }
#define STAY(what, html)                                                      \
    { .name = "shape: elsewhere, " what,                                      \
      .groups = { { .n = 8, .text = SAME "<nav><a>@ @</a></nav>" REST } },    \
      .asked = "<nav>" html "</nav>" REST,                                    \
      .left = "<nav>" html "</nav>" REST }
#define CLASS(what, word) what(word, "<div class='" word "'><a>@</a></div>")

/* without words, in main content: what tells it apart is a page's own */
#define SHOWS(what, html)                                                     \
    { .name = "shows: " what,                                                 \
      .groups = { { .n = 8, .text = SAME "<main>" REST html "</main>" } },    \
      .asked = "<main>" REST html "</main>",                                  \
      .left = "<main>" REST html "</main>" }

/* the same with words for who cannot show it, which go */
#define SHOWN(what, begin, end)                                               \
    { .name = "shows: " what,                                                 \
      .groups = { { .n = 8,                                                   \
                    .text = SAME "<main>" REST begin "# %" end "</main>" } }, \
      .asked = "<main>" REST begin "# %" end "</main>",                       \
      .left = "<main>" REST begin end "</main>" }

static const row_t shows[] = {
    SHOWS("a picture that a program makes",
          "<div><img src='/_next/image?url=%2F@.jpg&w=640'></div>"),
    SHOWS("a set of pictures",
          "<div><img srcset='/image?of=@ 1x, /image?id=1 2x'></div>"),
    SHOWS("a picture's source",
          "<picture><source srcset='/i?n=@'><img src=/x.gif></picture>"),
    SHOWS("a picture that loads late",
          "<div><img src=/x.gif data-original='/@.jpg'></div>"),
    SHOWS("a video", "<div><video src='/media?id=@'></video></div>"),
    SHOWN("a video with words", "<div><video poster='/@.jpg' src=/v>",
          "</video></div>"),
    SHOWN("a sound", "<div><audio><source src='/a?id=@'>", "</audio></div>"),
    SHOWN("a document", "<div><object data='/@.pdf'>", "</object></div>"),
    SHOWS("a document's page", "<div><embed src='/a.pdf#page=@'></div>"),
    SHOWS("another page", "<div><iframe src='/player?of=@'></iframe></div>"),
    SHOWS("a background",
          "<div><div style='color:red;background:url(/@.jpg)'></div></div>"),
    SHOWN("a canvas", "<div><canvas data-points='@'>", "</canvas></div>"),
    SHOWS("a widget", "<section><div data-chart='@'></div></section>"),
    SHOWS("a place for a widget", "<section><div id='@'></div></section>"),
    SHOWS("an element of its own",
          "<div><model-viewer camera='@'></model-viewer></div>"),
    SHOWS("an image button", "<div><input type=image src='/i?of=@'></div>"),
    SHOWS("what nothing tells apart", "<div><div class=chart></div></div>"),
    SHOWS("a drawing", "<div><svg><path d='@'/></svg></div>"),
};


static const row_t shapes[] = {

    /* shape: 50 % of the pages, and support */

    { .name = "shape: of 4 in 8",
      .groups = { { .n = 4, .text = SAME CRUMBS REST },
                  { .n = 4, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = REST },
    { .name = "shape: of 31 in 63",
      .groups = { { .n = 31, .text = SAME CRUMBS REST },
                  { .n = 32, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = CRUMBS REST },
    { .name = "shape: of 3 in 3",
      .groups = { { .n = 3, .text = SAME CRUMBS REST } },
      .asked = CRUMBS REST,
      .left = REST },
    { .name = "shape: of 2 in 3",
      .groups = { { .n = 2, .text = SAME CRUMBS REST },
                  { .n = 1, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = CRUMBS REST },
    { .name = "shape: of 3 pages that are one",
      .groups = { { .n = 3, .text = SAME CRUMBS "<p>" W20 "</p>" },
                  { .n = 2, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = CRUMBS REST },
    { .name = "shape: at another place",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<section>" CRUMBS "</section>" REST,
      .left = "<section>" CRUMBS "</section>" REST },
    { .name = "shape: at its place, of another kind",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<div class=footer>@ @</div><div><a href=/@>@</a></div>",
      .left = "<div class=footer>@ @</div><div><a href=/@>@</a></div>" },
    { .name = "shape: in the directory that has it",
      .groups = { { .n = 9, .url = "/d/p%u.html", .text = SAME CRUMBS REST },
                  { .n = 3, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = REST,
      .path = "/d/new.html" },
    { .name = "shape: in another one",
      .groups = { { .n = 9, .url = "/d/p%u.html", .text = SAME CRUMBS REST },
                  { .n = 3, .text = SAME REST } },
      .asked = CRUMBS REST,
      .left = CRUMBS REST },

    /* shape_unique: 30 % of what pages say that no others do */

    { .name = "shape_unique: 3 words in 10",
      .groups = { { .n = 8,
                    .text = SAME "<p>" R5 "@ @</p><footer>@ @ @</footer>" } },
      .asked = REST FOOT,
      .left = REST },
    { .name = "shape_unique: 4 in 13",
      .groups = { { .n = 8,
                    .text = SAME "<p>" R5
                            "@ @ @ @</p><footer>@ @ @ @</footer>" } },
      .asked = REST FOOT,
      .left = REST FOOT },
    { .name = "shape_unique: what several pages say is no page's own",
      .groups = { { .n = 3, .text = SAME REST "<footer>" W20 "</footer>" },
                  { .n = 3, .text = SAME REST "<footer>" W10 "</footer>" },
                  { .n = 2, .text = SAME REST FOOT } },
      .asked = REST FOOT,
      .left = REST },

    /* shape_again: 25 % of the pages have several */

    { .name = "shape_again: several footers on 1 page of 5",
      .groups = { { .n = 1, .text = SAME REST FOOT FOOT },
                  { .n = 4, .text = SAME REST FOOT } },
      .asked = REST FOOT,
      .left = REST },
    { .name = "shape_again: on 1 of 4",
      .groups = { { .n = 1, .text = SAME REST FOOT FOOT },
                  { .n = 3, .text = SAME REST FOOT } },
      .asked = REST FOOT,
      .left = REST FOOT },
    { .name = "shape_again: pages without one do not count",
      .groups = { { .n = 1, .text = SAME REST FOOT FOOT },
                  { .n = 3, .text = SAME REST FOOT },
                  { .n = 4, .text = SAME REST } },
      .asked = REST FOOT,
      .left = REST FOOT },
    GOES("several of navigation", CRUMBS CRUMBS),
    STAYS("the footers of comments",
          "<ul><li>@ @<p class=comment-footer>@</p>"
          "<li>@ @<p class=comment-footer>@</p></ul>"),

    /* links: 50 % of its words, where it is learned and where it is cut */

    { .name = "shape: 4 words of 8 are links",
      .groups = { { .n = 8,
                    .text = SAME "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST } },
      .asked = "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST,
      .left = REST },
    { .name = "shape: 4 of 9 are",
      .groups = { { .n = 8,
                    .text = SAME "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST } },
      .asked = "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST,
      .left = "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST },
    { .name = "shape: 4 of 9 are, on the pages that are learned from",
      .groups = { { .n = 8,
                    .text = SAME "<nav>@ @ @ @ @ <a>@ @ @ @</a></nav>" REST
                            OWN } },
      .asked = "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST,
      .left = "<nav>@ @ @ @ <a>@ @ @ @</a></nav>" REST },
    STAYS("a footer in a navigation's clothes",
          "<div class=nav>@ @ @ <a>@</a></div>"),
    GOES("no links are asked for below", FOOT),

    /* DT_SERVE_LONGER 2: as many words as there are on any page */

    { .name = "shape: twice as many words",
      .groups = { { .n = 1, .text = SAME REST "<footer>@ @ @</footer>" },
                  { .n = 7, .text = SAME REST FOOT } },
      .asked = REST "<footer>" R5 "@</footer>",
      .left = REST },
    { .name = "shape: more",
      .groups = { { .n = 1, .text = SAME REST "<footer>@ @ @</footer>" },
                  { .n = 7, .text = SAME REST FOOT } },
      .asked = REST "<footer>" R5 "@ @</footer>",
      .left = REST "<footer>" R5 "@ @</footer>" },
    { .name = "shape: more, in a navigation",
      .groups = { { .n = 8, .text = SAME "<nav><a>@</a></nav>" REST } },
      .asked = "<nav><a>@ @ @</a></nav>" REST,
      .left = "<nav><a>@ @ @</a></nav>" REST },
    { .name = "shape: without a word",
      .groups = { { .n = 8, .text = SAME "<nav><a>@</a></nav>" REST } },
      .asked = "<nav><img src=/@></nav>" REST,
      .left = "<nav><img src=/@></nav>" REST },

    /* what it calls itself */

    GOES("nav", "<nav><a>@</a></nav>"),
    GOES("aside", "<aside><a>@</a></aside>"),
    STAYS("aside that warns", "<aside>@ <a>@</a> @</aside>"),
    STAYS("role of an aside", "<div role=complementary>@</div>"),
    GOES("footer", "<footer>@</footer>"),
    STAYS("header", "<header><a>@</a></header>"),
    STAYS("div", "<div><a>@</a></div>"),
    GOES("role of navigation", "<div role=navigation><a>@</a></div>"),
    GOES("role of what is beside",
         "<div role='complementary'><a>@</a></div>"),
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
    CLASS(STAYS, "post-footer"),
    CLASS(STAYS, "x comment-footer"),
    CLASS(STAYS, "media_footer"),
    CLASS(STAYS, "card-footer"),
    CLASS(STAYS, "story-footer"),
    CLASS(STAYS, "item-footer"),
    CLASS(STAYS, "image-footer"),
    CLASS(STAYS, "photo-footer"),
    CLASS(STAYS, "figure-footer"),
    CLASS(STAYS, "caption-footer"),
    CLASS(GOES, "immediate-footer"),
    CLASS(STAYS, "entry_footer x"),
    CLASS(STAYS, "articlefooter"),
    CLASS(STAYS, "article-footer"),
    CLASS(GOES, "post footer"),
    CLASS(GOES, "post-nav"),
    CLASS(GOES, "nav-2-"),
    CLASS(GOES, "navabcdefghijklmnopqrstu"),
    CLASS(STAYS, "navabcdefghijklmnopqrstuv"),

    /* where it stands, and what it is */

    STAYS("in main", "<main><div class=nav><a>@</a></div></main>"),
    STAYS("in article", "<article><footer>@</footer></article>"),
    STAYS("in a quotation", "<blockquote>@ <footer>@</footer></blockquote>"),
    STAYS("in a figure", "<figure>@ <div class=footer>@</div></figure>"),
    STAYS("in a section",
          "<section>@ <div><footer>@</footer></div></section>"),
    STAYS("in an item", "<ul><li>@ <footer>@</footer></ul>"),
    STAYS("in a description", "<dl><dd>@ <footer>@</footer></dl>"),
    STAYS("in a cell", "<table><tr><td>@ <footer>@</footer></table>"),
    STAYS("before content", "<footer>@</footer><p>" R5 R5 "</p>"),
    STAYS("before content, further in",
          "<footer>@</footer><ul><li>" R5 "<li>" R5 "</ul>"),
    STAYS("before content in a table",
          "<footer>@</footer><table>" R5 R5 "</table>"),
    STAYS("before a navigation that stays",
          "<footer>@</footer><nav>" R5 R5 "<a>@</a></nav>"),
    { .name = "shape: before 9 words",
      .groups = { { .n = 8, .text = SAME REST FOOT } },
      .asked = REST FOOT "<p>" R5 "@ @ @ @</p>",
      .left = REST "<p>" R5 "@ @ @ @</p>" },
    { .name = "shape: before links",
      .groups = { { .n = 8, .text = SAME REST FOOT "<p><a>@</a></p>" } },
      .asked = REST FOOT "<p><a>@</a></p>",
      .left = REST "<p><a>@</a></p>" },
    GOES("before another one", "<footer>@</footer><div class=footer>@</div>"),
    { .name = "shape: before template",
      .groups = { { .n = 8, .text = REST FOOT SAME } },
      .asked = REST FOOT SAME,
      .left = REST },
    /* where the template knows no path, words count too: at most 4, half of
       them in links */

    GO("a label", "<dl><dt><a>@</a> <b>@</b></dt></dl>"),
    STAY("words of an element", "<dl><dt><a>@</a> <b>@ @</b></dt></dl>"),
    STAY("words before an end tag",
         "<dl><dt><b><i>@</i> @ @</b> <a>@</a></dt></dl>"),
    STAY("words before a start tag", "<dl><dt>@ @ <a>@</a></dt></dl>"),
    STAY("words before a tag that ends an element",
         "<ul><li>@ @<li><a>@</a></ul>"),
    STAY("words behind a sign", "<dl><dt><a>@</a> @ < @</dt><dt></dt></dl>"),
    GO("parts of a link", "<dl><dt><a><b>@ @</b><i>@</i></a> @</dt></dl>"),
    STAY("more words", "<dl><dt><a><b>@ @</b><i>@</i></a> @ @</dt></dl>"),
    GO("the words of each",
       "<dl><dt><a>@ @ @</a></dt></dl></nav>"
       "<nav><dl><dt><a>@ @</a></dt></dl>"),
    STAY("misnested", "<dl><dt><p><a><b>@</a></b></p></dt></dl>"),
    STAY("out of its place in a table",
         "<dl><dt><table><tr><a>@</a><td></table></dt></dl>"),

    STAYS("in what has the role of main",
          "<div role=main><footer>@</footer></div>"),
    STAYS("around main", "<footer>@<main>@</main></footer>"),
    STAYS("in a line", "<p>@ <span class=nav><a>@</a></span></p>"),
    STAYS("behind a word", "@<nav><a>@</a></nav>"),
    STAYS("where its beginning ends something",
          "<p>@<div class=nav><a>@</a></div>"),
    { .name = "shape: where it begins and ends by what is around it",
      .groups = { { .n = 8,
                    .text = SAME "<ul><li>@<li class=prev><a>@</a></ul>"
                            REST } },
      .asked = "<ul><li>@<li class=prev><a>@</a></ul>" REST,
      .left = "<ul><li>@</ul>" REST },
    { .name = "shape: where its end is implied as well",
      .groups = { { .n = 8,
                    .text = SAME "<ul><li class=prev><a>@</a><li>@ @</ul>"
                            REST } },
      .asked = "<ul><li class=prev><a>@</a><li class=next><a>@</a></ul>"
               REST,
      .left = "<ul></ul>" REST },
    STAYS("misnested, where it is learned",
          "<div class=nav><b><a>@</b></a></div>"),
    { .name = "shape: misnested",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<div class=nav><b><a>@</b></a></div>" REST,
      .left = "<div class=nav><b><a>@</b></a></div>" REST },
    { .name = "shape: misnested, further inside",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<div class=nav><p><b><a>@</b></a></p></div>" REST,
      .left = "<div class=nav><p><b><a>@</b></a></p></div>" REST },
    { .name = "shape: out of its place in a table",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<div class=nav><table><a>@</a><tr><td></table></div>" REST,
      .left = "<div class=nav><table><a>@</a><tr><td></table></div>" REST },
    { .name = "shape: never closed",
      .groups = { { .n = 8, .text = SAME CRUMBS REST } },
      .asked = "<div class=nav><a href=/@>@ @</a>" REST,
      .left = "<div class=nav><a href=/@>@ @</a>" REST },

    /* what is in it, and around it */

    { .name = "shape: with template in it",
      .groups = { { .n = 8,
                    .text = SAME "<nav><b><a>#</a></b> <a>@</a></nav>"
                            REST } },
      .asked = "<nav><b><a>#</a></b> <a>@</a> <a>" R5 "</a></nav>" REST,
      .left = REST },
    { .name = "shape: with template in it, when it stays",
      .groups = { { .n = 8,
                    .text = SAME "<nav><b><a>#</a></b> <a>@</a></nav>"
                            REST } },
      .asked = "<nav><b><a>#</a></b> @ @ @ @ @ @</nav>" REST,
      .left = "<nav> @ @ @ @ @ @</nav>" REST },
    { .name = "shape: in one that stays",
      .groups = {
          { .n = 8, .text = SAME "<footer>@ " CRUMBS "</footer>" REST }
      },
      .asked = "<footer>" R5 R5 CRUMBS "</footer>" REST,
      .left = "<footer>" R5 R5 "</footer>" REST },
    { .name = "shape: in one that goes",
      .groups = {
          { .n = 8, .text = SAME REST "<footer>@ " CRUMBS "</footer>" }
      },
      .asked = REST "<footer>@ <p>@</p> " CRUMBS "</footer>",
      .left = REST },
    { .name = "shape: in what is template but for it",
      .groups = { { .n = 8,
                    .text = SAME REST "<div><h5>#</h5>" FOOT
                            "<h5>%</h5></div>" } },
      .asked = REST "<div><h5>#</h5>" FOOT "<h5>%</h5></div>",
      .left = REST "<div></div>" },
    { .name = "shape: alone no template, in what may be",
      .groups = { { .n = 4,
                    .text =
                        SAME
                        "<section><div class=nav><a>#</a></div> %</section>"
                        OWN },
                  { .n = 6,
                    .text = SAME "<section>" CRUMBS R5 R5 "</section>"
                            OWN } },
      .asked = "<section><div class=nav><a>#</a></div> @</section>",
      .left = "<section> @</section>" },
    { .name = "shape: beside template, in what all pages have",
      .groups = {
          { .n = 8,
            .text = SAME "<ol><li>#</li> <li class=nav>@ <a>@</a></li></ol>"
                    REST }
      },
      .asked = "<ol><li>#</li> <li class=nav>@ <a>@</a></li></ol>" REST,
      .left = "<ol> </ol>" REST },
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
        evidence->pages[evidence->npages - 1].linked = 1;

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
    static char text[80000], two[80500], left[1000];
    unsigned i, n;
    dt_rules_t usual = rules;
    row_t row = { .name = name,
                  .groups = { { .n = 3, .text = text },
                              { .n = 10, .text = two } },
                  .asked = text,
                  .left = left };

    n = (unsigned) snprintf(text, sizeof(text), "<div>");

    for (i = 0; i < parts && n < bytes; i++) {
        n += (unsigned) snprintf(text + n, sizeof(text) - n, part, i);
    }

    /* on too few pages is the word "one" */

    snprintf(two, sizeof(two), "%s<kbd># <!--%300s--></kbd>" OWN "</div>",
             text, "");
    snprintf(text + n, sizeof(text) - n,
             "one <kbd># <!--%300s--></kbd>" OWN "</div>", "");
    snprintf(left, sizeof(left), "<div>%s", text + n);

    rules.remain = 0; /* hardly a word is a page's own */
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
    group_t g = { .n = 8,
                  .text = SAME NAV "<nav><a>@</a> <img src=/x></nav>"
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
    group_t g = { .n = 1, .text = text };

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


/* typical: 50 % of the pages show more; serve: LOW 90 % of it */
static void
test_typical(void)
{
    void *t;
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
    is_int(dt_template_low(t, 90), 0, "low: 90 %");
    is_int(dt_template_low(t, 89), 1, "low: 89 %");
    free(t);
}


int
main(void)
{
    size_t i;

    dt_rules_init(&rules);
    rules.score = 0;   /* each rule by itself; test_score.c */
    rules.remain = 10; /* as in the rows, */
    rules.kind = 0;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        test_row(&rows[i]);
    }

    rules.kind = 55; /* and here */

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

    for (i = 0; i < sizeof(shows) / sizeof(shows[0]); i++) {
        test_row(&shows[i]);
    }

    for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        test_row(&shapes[i]);
    }

    test_shape_bounds();
    site_bold = 0;

    test_typical();

    return done();
}
