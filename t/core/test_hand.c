
/*
 * Copyright (C) The detemplate authors
 *
 * What is kept and what is cut by hand: t/core/rows/hand.
 */


#include "core/scan/hand.h"
#include "rows.h"
#include "site.h"


static dt_hand_t hand;
static void *tmpl;
static buf_t page;


/* the list of "keep a, b, cut c" is in use; it points into the text */
static void
use(const char *list)
{
    char errstr[DT_ERRSTR];
    size_t len;
    dt_hand_kind_t kind = DT_HAND_KEEP;

    dt_hand_init(&hand);
    site_hand = &hand;

    for (; *list; list += len + 2u * (list[len] != '\0')) {
        if (strncmp(list, "keep ", 5) == 0) {
            list += 5;

        } else if (strncmp(list, "cut ", 4) == 0) {
            kind = DT_HAND_FORCE;
            list += 4;
        }

        len = strcspn(list, ",");

        if (dt_hand_add(&hand, kind, (dt_str_t){ len, list }, errstr) != DT_OK)
        {
            row_bad(errstr, list);
        }
    }
}


/* learned from pages of a text; what comes is one of another text */
static void
learn(const char *learned, const char *text)
{
    size_t len;

    free(tmpl);
    tmpl = site_learn(learned, strlen(learned), &len);
    site_page(&page, text, strlen(text), SITE_PAGES + 1);
}


/* the same whatever the machine is, and the pages before were */
static int
same_in(dt_mode_t mode)
{
    int good = site_holds(tmpl, "/dir/page9.html", &page);
    result_t own, r;

    site_rewrite(tmpl, mode, &page, &own);
    site_engine = &engine_portable;
    site_rewrite(tmpl, mode, &page, &r);
    site_engine = &engine_own;
    good &= result_eq(&r, &own) && !r.wrong;
    result_free(&own);
    result_free(&r);

    return good;
}


static void
row_is(const row_t *row)
{
    char name[160];
    const char *what = row->part[0].all;
    const part_t *text = &row->part[row->nparts - 1];
    buf_t want = { 0 };
    result_t r;

    learn(row->part[2].all, text->all);
    use(row->part[1].all);

    if (ok(tmpl != NULL, what)) {
        site_page(&want, text->left, strlen(text->left), SITE_PAGES + 1);
        buf_add(&want, "", 1);
        site_rewrite(tmpl, DT_STRIP, &page, &r);
        is_str(r.out.data, r.out.len, want.data, what);
        snprintf(name, sizeof(name), "%s: in any way", what);
        ok(same_in(DT_STRIP) && same_in(DT_ANNOTATE), name);
        result_free(&r);
        buf_free(&want);
    }

    site_hand = NULL;
}


/* what is said of each selector of a list */
static void
selectors_are(const row_t *row)
{
    char errstr[DT_ERRSTR], *word, *words = strdup(row->part[0].all);
    const char *error = row->nparts == 2 ? row->part[1].all : "";
    uint64_t hash;

    for (word = strtok(words, "|"); word; word = strtok(NULL, "|")) {
        dt_hand_init(&hand);
        hash = hand.hash;
        errstr[0] = '\0';
        is_int(dt_hand_add(&hand, DT_HAND_KEEP, dt_cstr(word), errstr),
               *error ? DT_EINVAL : DT_OK, word);
        is_str(errstr, strlen(errstr), error, word);
        is_int(hand.hash != hash, *error == '\0', "the hash changes");
    }

    free(words);
}


static void
test_longest(void)
{
    char errstr[DT_ERRSTR], longest[DT_HAND_LEN + 1];

    dt_hand_init(&hand);
    is_int(dt_hand_add(&hand, DT_HAND_KEEP, dt_str(""), errstr), DT_EINVAL,
           "none");
    is_str(errstr, strlen(errstr), "it is empty", "says so");
    memset(longest, 'a', sizeof(longest));
    is_int(dt_hand_add(&hand, DT_HAND_KEEP, (dt_str_t){ DT_HAND_LEN, longest },
                       errstr),
           DT_OK, "the longest");
    is_int(dt_hand_add(&hand, DT_HAND_KEEP,
                       (dt_str_t){ DT_HAND_LEN + 1, longest }, errstr),
           DT_ELIMIT, "longer");
    is_str(errstr, strlen(errstr), "it is longer than 128 bytes", "says so");

    while (hand.n < DT_HAND_MAX) {
        (void) dt_hand_add(&hand, DT_HAND_FORCE, dt_str("a b"), errstr);
    }

    is_int(dt_hand_add(&hand, DT_HAND_FORCE, dt_str("a"), errstr), DT_ELIMIT,
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


static void
lists_are(const row_t *row)
{
    result_t r;
    static dt_hand_t none;

    learn(row->part[1].all, row->part[1].all);
    use(row->part[0].all);
    dt_hand_init(&none);
    site_work = dt_work_create();

    for (unsigned i = 0; i < 6; i++) {
        site_hand = i & 1 ? &hand : i & 2 ? &none : NULL;
        site_rewrite(tmpl, DT_STRIP, &page, &r);
        is_int(r.stats.kept, i & 1, "kept");
        ok((memmem(r.out.data, r.out.len, "href", 4) != NULL) == (i & 1),
           "the list of this page counts");
        ok(memmem(r.out.data, r.out.len, "class=b", 7) == NULL,
           "outside of it all goes");
        result_free(&r);
    }

    dt_work_destroy(site_work);
    site_work = NULL;
    site_hand = NULL;
}


/* how much of a page is cut by hand */
static unsigned
forced(const char *text, result_t *r)
{
    site_page(&page, text, strlen(text), SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, r);

    return r->stats.forced;
}


/* so many are cut */
static void
bounds_are(const row_t *row)
{
    const char *name = row->part[0].all;
    result_t r;

    if (row->nparts == 2) {
        learn(row->part[1].all, "");
        return;
    }

    use("cut .b");
    is_int(forced(row->part[2].all, &r), atoi(row->part[1].all), name);
    ok(same_in(DT_STRIP), name);
    result_free(&r);
    site_hand = NULL;
}


/* as many words of template as in the row before */
static void
words_are(const row_t *row)
{
    static uint32_t words;
    result_t r;

    learn(row->part[2].all, row->part[2].all);
    use(row->part[1].all);

    site_rewrite(tmpl, DT_STRIP, &page, &r);
    words = words ? words : r.stats.words;
    is_int(r.stats.words, words, row->part[0].all);
    result_free(&r);
    ok(words > 10, "there are some");
    site_hand = NULL;
}


/* what is cut by hand is counted apart */
static void
stats_are(const row_t *row)
{
    result_t r;

    learn(row->part[1].all, row->part[1].all);
    use(row->part[0].all);
    site_rewrite(tmpl, DT_STRIP, &page, &r);
    is_int(r.stats.regions, 2, "two regions");
    is_int(r.stats.forced, 1, "one of them by hand");
    is_int((long) r.stats.forced_bytes, (long) strlen("<p class=b>/own9/</p>"),
           "its bytes");
    is_int(r.stats.kept, 1, "one is kept");
    is_int(r.stats.cut_words, 10, "words of what is cut");
    is_int(r.stats.words, 15, "words of template");
    result_free(&r);
    site_hand = NULL;
}


/* a tag behind many that differ from it in two bytes */
static void
alike_is(const row_t *row)
{
    size_t n;
    char tag[64];
    const char *form = row->part[0].all;
    result_t r;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

    if (row->nparts == 2) {
        learn(row->part[1].all, "");
        return;
    }

    use("cut .kk, [a=kk]");
    page.len = 0;
    buf_puts(&page, "<body><table><tr><td>");

    for (n = 0; n < 26 * 26; n++) {
        if (letters[n / 26] != 'k' || letters[n % 26] != 'k') {
            snprintf(tag, sizeof(tag), form, letters[n / 26], letters[n % 26]);
            buf_puts(&page, tag);
        }
    }

    snprintf(tag, sizeof(tag), form, 'k', 'k');
    buf_puts(&page, tag);
    buf_fill(&page, "x ", 100);
    buf_puts(&page, "</table>");

    site_rewrite(tmpl, DT_STRIP, &page, &r);
    is_int(r.stats.forced, 1, tag);
    ok(same_in(DT_STRIP), tag);
    result_free(&r);
    site_hand = NULL;
}


int
main(void)
{
    rows("hand", "selectors", selectors_are);
    test_longest();
    test_hash();
    rows("hand", "rows", row_is);
    rows("hand", "lists", lists_are);
    rows("hand", "bounds", bounds_are);
    rows("hand", "alike", alike_is);
    rows("hand", "words", words_are);
    rows("hand", "stats", stats_are);

    free(tmpl);
    buf_free(&page);

    return done();
}
