
/*
 * Copyright (C) The detemplate authors
 *
 * Pages made up at random, of tags that are mostly not where they should be:
 * what is left of each is for a parser the page without what was cut, and what
 * holds of every page holds.
 *
 *     test_soup [TEMPLATES [SEED]]
 *
 * Without a seed, a few that are always the same are run.
 *
 * Templates are learned from such pages as well; from each, some pages are
 * made that have parts of it elsewhere.  A page that fails is printed as small
 * as it can be made.
 */


#include "core/scan/hand.h"
#include "rows.h"
#include "same.h"
#include "site.h"


#define SOUP_TEMPLATES 200
#define SOUP_PAGES 25 /* of each template */
#define SOUP_PARTS 12 /* that template and pages are made of */
#define SOUP_DEEP 7   /* elements in one another */
#define SOUP_SHOWN 5  /* pages printed */
#define SOUP_RARE 6   /* one tag in so many is a rare one */

#define COUNT(list) (sizeof(list) / sizeof(list[0]))


/* what pages are made of: t/core/rows/soup */
typedef struct {
    char *word[32];
    unsigned n;
} list_t;

static list_t starts, others, rare_starts, rare_others;
static list_t *reading;


static uint32_t state;
static const void *tmpl;
static unsigned shown;


static void
soup_read(const row_t *row)
{
    char *word, *words = strdup(row->part[0].all);

    for (word = strtok(words, "~"); word; word = strtok(NULL, "~")) {
        reading->word[reading->n++] = strdup(word);
    }

    free(words);
}


static void
soup_list(list_t *list, const char *section)
{
    reading = list;
    rows("soup", section, soup_read);
}


static unsigned
soup_random(unsigned n)
{
    return site_random(&state) % n;
}


static const char *
soup_start(void)
{
    return soup_random(SOUP_RARE)
               ? starts.word[soup_random(starts.n)]
               : rare_starts.word[soup_random(rare_starts.n)];
}


static const char *
soup_other(void)
{
    return soup_random(SOUP_RARE)
               ? others.word[soup_random(others.n)]
               : rare_others.word[soup_random(rare_others.n)];
}


/* n elements, texts and the like; own: words that no other page has as well */
static void
soup_add(buf_t *b, unsigned n, int own, unsigned depth)
{
    const char *p;

    while (n--) {
        if (soup_random(10) >= 6 || depth == SOUP_DEEP) {
            p = soup_other();
            buf_puts(b, *p == '@' && !own ? "#" : p);
            continue;
        }

        p = soup_start();
        buf_puts(b, p);
        soup_add(b, soup_random(4), own, depth + 1);

        if (soup_random(8)) {
            buf_puts(b, "</");
            buf_add(b, p + 1, strcspn(p + 1, " >"));
            buf_puts(b, ">");
        }
    }
}


/* of what all pages of a template have parts of */
static void
soup_parts(buf_t parts[SOUP_PARTS])
{
    for (unsigned i = 0; i < SOUP_PARTS; i++) {
        parts[i].len = 0;
        soup_add(&parts[i], 1 + soup_random(2), 0, 2);
    }
}


static void
soup_part(buf_t *b, const buf_t parts[SOUP_PARTS])
{
    const buf_t *part = &parts[soup_random(SOUP_PARTS)];

    buf_add(b, part->data, part->len);
}


/* the text that a template is learned from */
static void
soup_learn(buf_t *b, const buf_t parts[SOUP_PARTS])
{
    b->len = 0;

    for (unsigned i = 0; i < 8; i++) {
        switch (soup_random(3)) {

        case 0:
            soup_add(b, 1, 1, 5);
            break;

        case 1:
            buf_puts(b, soup_start());
            break;
        }

        soup_part(b, parts);
    }

    buf_puts(b, "<main>@ @ @ @ @</main>");
}


/* a tag is put before one of a text, or one is taken out */
static void
soup_change(buf_t *b)
{
    buf_t new = { 0 };
    size_t at = soup_random((unsigned) b->len);
    const char *p, *end = b->data + b->len;

    p = memchr(b->data + at, '<', b->len - at);
    p = p != NULL ? p : b->data;
    buf_add(&new, b->data, (size_t) (p - b->data));

    switch (soup_random(4)) {

    case 0:
        soup_add(&new, 1, 1, 4);
        break;

    case 1:
        buf_puts(&new, soup_start());
        break;

    default:
        while (p < end && *p++ != '>') {
            /* void */
        }
    }

    buf_add(&new, p, (size_t) (end - p));
    buf_free(b);
    *b = new;
}


/* a page of the same text, changed, or of parts of it and others */
static void
soup_page(buf_t *page, const buf_t *learned, const buf_t parts[SOUP_PARTS])
{
    unsigned i;
    buf_t text = { 0 };

    if (soup_random(3)) {
        buf_add(&text, learned->data, learned->len);

        for (i = soup_random(4); i; i--) {
            soup_change(&text);
        }

    } else {
        for (i = 0; i < 6; i++) {
            if (soup_random(2)) {
                soup_add(&text, 1, 1, 4);
            }

            soup_part(&text, parts);
        }
    }

    site_page(page, text.data, text.len, SITE_PAGES + 1 + soup_random(5));
    buf_free(&text);
}


/* what is to hold for each page */

static int
soup_tree(const buf_t *page)
{
    /* a paragraph goes on where what closed it is cut by hand */

    return site_hand != NULL || same_tree(tmpl, "/dir/page9.html", page) != 0;
}


static int
soup_holds(const buf_t *page)
{
    return site_holds(tmpl, "/dir/page9.html", page);
}


/* takes out of a page that fails what it fails without */
static void
soup_shrink(buf_t *page, int (*good)(const buf_t *))
{
    size_t n, i, begin = strlen(site_begin);
    buf_t less = { 0 }, t;

    for (n = page->len / 2; n; n /= 2) {
        for (i = begin; i + n <= page->len;) {
            less.len = 0;
            buf_add(&less, page->data, i);
            buf_add(&less, page->data + i + n, page->len - i - n);

            if (good(&less)) {
                i++;
                continue;
            }

            t = *page;
            *page = less;
            less = t;
        }
    }

    buf_free(&less);
}


static unsigned
soup_fails(const char *what, buf_t *page, int (*good)(const buf_t *))
{
    if (good(page)) {
        return 0;
    }

    if (shown++ < SOUP_SHOWN) {
        soup_shrink(page, good);
        printf("#   %s, bold %u, hand %d: %.*s\n", what, site_bold,
               site_hand != NULL, (int) page->len, page->data);
    }

    return 1;
}


static void
soup_run(int templates, unsigned seed)
{
    unsigned i, pages = 0, trees = 0, wrong = 0;
    size_t len;
    void *t;
    buf_t parts[SOUP_PARTS] = { { 0 } }, learned = { 0 }, page = { 0 };
    char errstr[DT_ERRSTR];
    static dt_hand_t hand;
    static const char *const begins[] = { "<!doctype html><body>", "<body>" };

    dt_hand_init(&hand);
    (void) dt_hand_add(&hand, DT_HAND_FORCE, dt_str(".nav"), errstr);
    (void) dt_hand_add(&hand, DT_HAND_FORCE, dt_str("div i"), errstr);
    (void) dt_hand_add(&hand, DT_HAND_KEEP, dt_str("font"), errstr);

    state = seed;

    for (; templates > 0; templates--) {
        site_begin = begins[soup_random(4) == 0];
        soup_parts(parts);
        soup_learn(&learned, parts);
        t = site_learn(learned.data, learned.len, &len);
        tmpl = t;

        for (i = 0; tmpl != NULL && i < SOUP_PAGES; i++, pages++) {
            site_bold = soup_random(2);
            site_hand = soup_random(3) ? NULL : &hand;
            soup_page(&page, &learned, parts);
            trees += soup_fails("tree", &page, soup_tree);
            wrong += soup_fails("holds", &page, soup_holds);
        }

        free(t);
    }

    site_hand = NULL;
    printf("# seed %u: %u pages\n", seed, pages);
    ok(pages > 0, "there are pages");
    is_int(trees, 0, "for a parser");
    is_int(wrong, 0, "what holds of every page");

    for (i = 0; i < SOUP_PARTS; i++) {
        buf_free(&parts[i]);
    }

    buf_free(&learned);
    buf_free(&page);
}


int
main(int argc, char **argv)
{
    static const unsigned seeds[] = { 1, 3, 9 };
    int templates = argc > 1 ? atoi(argv[1]) : SOUP_TEMPLATES;

    soup_list(&starts, "starts");
    soup_list(&others, "others");
    soup_list(&rare_starts, "rare starts");
    soup_list(&rare_others, "rare others");

    for (size_t i = 0; i < (argc > 2 ? 1 : COUNT(seeds)); i++) {
        soup_run(templates, argc > 2 ? (unsigned) atoi(argv[2]) : seeds[i]);
    }

    return done();
}
