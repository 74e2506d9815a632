
/*
 * Copyright (C) The detemplate authors
 */


#include <sys/uio.h>

#include "core/base/sum.h"
#include "core/template/table.h"
#include "site.h"
#include "test.h"


#define MENU                                                                  \
    "<nav class=x><ul><li><q>#<li><q>%</ul></nav>"                            \
    "<div class=top><p>#</p></div>"
#define FOOT "<footer>% <b>#</b> %<img src=/x.png></footer>"
#define TEXT MENU "<main><h1>@</h1><p>@ text</main><p>#</p>" FOOT


static void *tmpl;
static buf_t page;
static result_t scanned[2];
static char room[DT_STORED_ROOM];


static void
test_sum(void)
{
    char data[200];
    size_t i, n;
    uint64_t whole;
    unsigned wrong = 0, same = 0;
    dt_sum_t s;

    for (i = 0; i < sizeof(data); i++) {
        data[i] = (char) (i * 37);
    }

    for (n = 0; n <= sizeof(data); n++) {
        dt_sum_init(&s, 1);
        dt_sum_add(&s, data, n);
        whole = dt_sum_end(&s);

        for (i = 0; i <= n; i++) {
            dt_sum_init(&s, 1);
            dt_sum_add(&s, data, i);
            dt_sum_add(&s, data + i, n - i);
            wrong += dt_sum_end(&s) != whole;
        }

        dt_sum_init(&s, 2);
        dt_sum_add(&s, data, n);
        same += dt_sum_end(&s) == whole;

        for (i = 0; i < n; i++) {
            data[i] ^= 1;
            dt_sum_init(&s, 1);
            dt_sum_add(&s, data, n);
            same += dt_sum_end(&s) == whole;
            data[i] ^= 1;
        }
    }

    is_int(wrong, 0, "sum: the same in two pieces");
    is_int(same, 0, "sum: another of each other byte, and seed");
}


static uint64_t
sum_of(const uint64_t words[2])
{
    dt_sum_t s;

    dt_sum_init(&s, 1);
    dt_sum_add(&s, (const char *) words, 2 * sizeof(words[0]));

    return dt_sum_end(&s);
}


/* what is less than a block: bytes that are the same for dt_hash(), which who
   does not know the seed could find as well */
static void
test_sum_rest(void)
{
    uint64_t start, words[2] = { 1, 2 }, others[2] = { 3, 0 };

    start = dt_mix(sizeof(words), sizeof(words));
    others[1] = dt_mix(start, words[0]) ^ dt_mix(start, others[0]);
    others[1] = (others[1] << 32 | others[1] >> 32) ^ words[1];

    ok(dt_hash((const char *) words, sizeof(words), sizeof(words))
           == dt_hash((const char *) others, sizeof(others), sizeof(others)),
       "sum: the same without a seed");
    ok(sum_of(words) != sum_of(others), "sum: not the same with one");
}


/* the page's list, made by the way */
static dt_edits_t *
listed(const void *t, dt_mode_t mode, const buf_t *p, size_t chunk,
       result_t *r)
{
    dt_edits_t *list;

    site_listed = 1;
    site_rewrite(t, mode, p, chunk, r);
    site_listed = 0;
    list = site_list;
    site_list = NULL;

    return list;
}


static void
replayed(const dt_edits_t *list, dt_mode_t mode, const buf_t *p, size_t chunk,
         result_t *r)
{
    site_edits = list;
    site_rewrite(NULL, mode, p, chunk, r);
    site_edits = NULL;
}


static void
test_lists(void)
{
    size_t i;
    unsigned mode, same = 0, equal = 0, wrong = 0;
    dt_edits_t *list, *other;
    result_t r, again;

    static const size_t chunks[] = { 1, 7, 64, 4096, SITE_RANDOM };

    list = listed(tmpl, DT_STRIP, &page, 0, &r);
    result_free(&r);
    ok(list != NULL && list->in == page.len
           && list->removed == scanned[0].stats.removed
           && list->regions == scanned[0].stats.regions
           && list->words == scanned[0].stats.words,
       "list: what it says of the page");
    ok(scanned[0].stats.regions >= 5, "list: of several regions");

    for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        for (mode = 0; mode < 2; mode++) {
            other = listed(tmpl, (dt_mode_t) mode, &page, chunks[i], &r);
            same += other != NULL && other->size == list->size
                    && memcmp(other, list, list->size) == 0;
            replayed(list, (dt_mode_t) mode, &page, chunks[i], &again);
            equal += (unsigned) result_eq(&again, &scanned[mode]);
            wrong += again.wrong != 0 || again.stats.held > DT_HOLD_MAX;
            result_free(&again);
            result_free(&r);
            free(other);
        }
    }

    is_int(same, 10, "list: the same, whatever the mode and the pieces");
    is_int(equal, 10, "list: gives what scanning gives");
    is_int(wrong, 0, "list: slices are what they say");
    free(list);
}


static void
buf_part(buf_t *b, const buf_t *p, uint64_t start, uint64_t end)
{
    buf_add(b, p->data + start, (size_t) (end - start));
}


/* what is to come of a page when the list is another's: up to the region where
   it differs as the list says, and all that follows */
static void
expected(const dt_edits_t *list, dt_mode_t mode, const buf_t *p, size_t at,
         buf_t *want)
{
    uint64_t pos = 0;
    dt_edits_walk_t w;

    want->len = 0;

    for (dt_edits_walk(&w, list, SITE_SEED); dt_edits_more(&w);
         dt_edits_next(&w)) {
        if (at >= w.edit.start && at < w.edit.end) {
            break;
        }

        if (mode == DT_STRIP) {
            buf_part(want, p, pos, w.edit.start);
            pos = w.edit.end;

        } else if (w.edit.at) {
            buf_part(want, p, pos, w.edit.start);
            buf_add(want, site_before.data, site_before.len);
            buf_part(want, p, w.edit.start, w.edit.start + w.edit.at);
            buf_add(want, " data-template", 14);
            buf_part(want, p, w.edit.start + w.edit.at, w.edit.end);
            buf_add(want, site_after.data, site_after.len);
            pos = w.edit.end;

        } else {
            buf_part(want, p, pos, w.edit.start);
            buf_add(want, "<!--template-->", 15);
            buf_part(want, p, w.edit.start, w.edit.end);
            buf_add(want, "<!--/template-->", 16);
            pos = w.edit.end;
        }
    }

    buf_part(want, p, pos, p->len);
}


static int
in_region(const dt_edits_t *list, size_t at)
{
    dt_edits_walk_t w;

    for (dt_edits_walk(&w, list, SITE_SEED); dt_edits_more(&w);
         dt_edits_next(&w)) {
        if (at >= w.edit.start && at < w.edit.end) {
            return 1;
        }
    }

    return 0;
}


/* a file in memory */

typedef struct {
    const buf_t *page;
    result_t *r;
    dt_rewrite_t *rw;
    int fails; /* the read that does, from 1 */
    int reads;
    size_t bytes;
} stored_t;


static ptrdiff_t
stored_read(void *data, const struct iovec *iov, int n, uint64_t off)
{
    int i;
    ptrdiff_t len = 0;
    stored_t *s = data;

    if (++s->reads == s->fails) {
        return -1;
    }

    for (i = 0; i < n; i++) {
        memcpy(iov[i].iov_base, s->page->data + off, iov[i].iov_len);
        off += iov[i].iov_len;
        len += (ptrdiff_t) iov[i].iov_len;
    }

    s->bytes += (size_t) len;

    return len;
}


static int
stored_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    stored_t *s = data;

    s->r->wrong += kind != DT_OUT_STORED && kind != DT_OUT_INPUT;
    buf_add(&s->r->out,
            kind == DT_OUT_STORED ? s->page->data + dt_rewrite_sent(s->rw) : p,
            len);

    return 0;
}


/* what is read stays until the arena goes */

static void *
arena_alloc(void *data, size_t size)
{
    return dt_arena_alloc(data, size);
}


static void
stored(const dt_edits_t *list, dt_mode_t mode, const buf_t *p, int trusted,
       int fails, stored_t *s, result_t *r)
{
    dt_rewrite_opts_t o = { 0 };
    dt_alloc_t alloc = { arena_alloc, NULL, dt_arena_create(1 << 24) };

    memset(r, 0, sizeof(result_t));
    memset(s, 0, sizeof(stored_t));
    s->page = p;
    s->r = r;
    s->fails = fails;
    o.mode = mode;
    o.before = site_before;
    o.after = site_after;
    o.edits = list;
    o.seed = SITE_SEED;
    o.alloc = &alloc;
    o.out = stored_out;
    o.out_data = s;

    s->rw = dt_rewrite_create(&o);
    r->rc = dt_rewrite_stored(s->rw, trusted, stored_read, s, room);
    dt_rewrite_stats(s->rw, &r->stats);
    dt_rewrite_destroy(s->rw);
    dt_arena_destroy(alloc.data);
}


/* a page that has changed in one byte */
static void
test_changed(void)
{
    size_t i;
    unsigned mode, cut = 0, kept = 0, bad = 0, bad_stored = 0, said = 0;
    buf_t want = { 0 };
    dt_edits_t *list;
    stored_t s;
    result_t r;

    list = listed(tmpl, DT_STRIP, &page, 0, &r);
    result_free(&r);

    for (i = 0; i < page.len; i++) {
        page.data[i] ^= 1;

        for (mode = 0; mode < 2; mode++) {
            cut += (unsigned) in_region(list, i);
            kept += !in_region(list, i);
            expected(list, (dt_mode_t) mode, &page, i, &want);

            replayed(list, (dt_mode_t) mode, &page, i % 40, &r);
            bad += !buf_eq(&r.out, &want);
            said += r.stats.changed != (unsigned) in_region(list, i);
            result_free(&r);

            stored(list, (dt_mode_t) mode, &page, 0, 0, &s, &r);
            /* all of it is read at once */
            bad_stored += !buf_eq(&r.out, in_region(list, i) ? &page : &want);
            said += r.stats.changed != (unsigned) in_region(list, i);
            result_free(&r);
        }

        page.data[i] ^= 1;
    }

    ok(cut > 100 && kept > 100, "changed: bytes that go, and that stay");
    is_int(bad, 0, "changed: from there on it passes");
    is_int(bad_stored, 0, "changed: a stored one passes as it is read");
    is_int(said, 0, "changed: it is said");

    page.len--;
    replayed(list, DT_STRIP, &page, 0, &r);
    ok(r.stats.changed, "changed: a shorter page");
    result_free(&r);
    page.len++;
    buf_add(&page, "x", 1);
    replayed(list, DT_STRIP, &page, 10, &r);
    ok(r.stats.changed && r.out.data[r.out.len - 1] == 'x',
       "changed: a longer page");
    result_free(&r);
    page.len--;
    page.data[page.len] = '\0';

    buf_free(&want);
    free(list);
}


static void
test_stored(void)
{
    unsigned mode, i, equal = 0, subsequent = 0;
    dt_edits_t *list;
    stored_t s;
    result_t r;

    list = listed(tmpl, DT_STRIP, &page, 0, &r);
    result_free(&r);

    for (mode = 0; mode < 2; mode++) {
        for (i = 0; i < 2; i++) {
            stored(list, (dt_mode_t) mode, &page, (int) i, 0, &s, &r);
            equal += result_eq(&r, &scanned[mode]) && r.wrong == 0;
            result_free(&r);

            stored(list, (dt_mode_t) mode, &page, (int) i, 1, &s, &r);
            subsequent += (unsigned) r.stats.changed && buf_eq(&r.out, &page);
            result_free(&r);
        }
    }

    is_int(equal, 4, "stored: gives what scanning gives, trusted or not");
    is_int(subsequent, 4, "stored: what cannot be read passes");
    ok(dt_edits_reads(list) == page.len, "stored: all is near a region");
    free(list);
}


/* long pages: gaps that are not read, regions that need not be */
static void
test_long(void)
{
    size_t i, n, len;
    unsigned round, equal = 0, all = 0, fails = 0, marked = 0;
    void *t;
    char *text;
    buf_t b = { 0 }, text_buf = { 0 };
    dt_edits_t *list;
    stored_t s;
    result_t r, scan;

    for (i = 0; i < 400; i++) {
        buf_add(&text_buf, "<p>template # line %</p>", 24);
    }

    len = 3 * text_buf.len + 64;
    text = malloc(len);
    n = (size_t) snprintf(text, len, "<nav>%.*s</nav><main><p>@",
                          (int) text_buf.len, text_buf.data);
    n += (size_t) snprintf(text + n, len - n, "</main><aside>%.*s</aside>",
                           (int) text_buf.len, text_buf.data);
    t = site_learn(text, n, &len);

    for (round = 0; round < 8; round++) {
        b.len = 0;
        site_page(&b, text, n, SITE_PAGES + 1);

        /* own text of any length before, between and behind */
        text_buf.len = 0;
        for (i = 0; i < (size_t) round * round * 900; i++) {
            buf_add(&text_buf, i % 8 ? "x" : " ", 1);
        }

        len = (size_t) (strstr(b.data, "<main>") - b.data);
        buf_add(&text_buf, b.data + len, b.len - len);
        b.len = len;
        buf_add(&b, "<h1>", 4);
        buf_add(&b, text_buf.data, text_buf.len);
        buf_add(&b, "", 1);
        b.len--;

        list = listed(t, DT_STRIP, &b, 4096, &scan);
        if (list == NULL) {
            continue;
        }

        for (i = 0; i < 2; i++) {
            stored(list, DT_STRIP, &b, (int) i, 0, &s, &r);
            all++;
            equal += result_eq(&r, &scan) && r.wrong == 0
                     && (i ? s.bytes < b.len - scan.stats.removed + 8192
                           : s.bytes == dt_edits_reads(list));
            result_free(&r);
        }

        stored(list, DT_STRIP, &b, 0, 2, &s, &r);
        fails += s.reads < 2
                 || (r.stats.changed && site_subsequence(&r.out, &b)
                     && r.out.len > scan.out.len);
        result_free(&r);
        result_free(&scan);

        site_rewrite(t, DT_ANNOTATE, &b, 4096, &scan);
        stored(list, DT_ANNOTATE, &b, 1, 0, &s, &r);
        marked += (unsigned) result_eq(&r, &scan);
        result_free(&r);
        result_free(&scan);
        free(list);
    }

    is_int(marked * 2, all, "long: marked as when scanned");
    ok(all >= 8, "long: lists were made");
    is_int(equal, all, "long: the same; nothing is read without need");
    is_int(fails * 2, all, "long: a read that fails in the middle");
    buf_free(&b);
    buf_free(&text_buf);
    free(text);
    free(t);
}


/* pages of which there is no list */
static void
test_none(void)
{
    unsigned i;
    buf_t b = { 0 };
    dt_edits_t *list;
    result_t r;

    for (i = 0; i < 2000; i++) {
        buf_add(&b, "<b>", 3);
    }

    list = listed(tmpl, DT_STRIP, &b, 0, &r);
    ok(list == NULL && r.stats.too_deep, "none: too deep");
    result_free(&r);
    b.len = 0;

    for (i = 0; i < 200; i++) {
        buf_add(&b, page.data, page.len);
    }

    list = listed(tmpl, DT_STRIP, &b, 0, &r);
    ok(list == NULL && r.stats.guard, "none: the guard");
    result_free(&r);

    ((dt_template_head_t *) tmpl)->most = 1 << 20;
    b.len = 0;

    for (i = 0; i < 200; i++) {
        buf_add(&b, page.data, page.len);
    }

    list = listed(tmpl, DT_STRIP, &b, 0, &r);
    ok(list == NULL && !r.stats.guard && r.stats.regions > 400,
       "none: too many regions");
    result_free(&r);
    buf_free(&b);
}


/* lists that are not sound end where they are not */
static void
test_bytes(void)
{
    size_t i;
    unsigned bad = 0;
    dt_edits_t *list;
    dt_edits_walk_t w;
    uint64_t end;
    result_t r;
    unsigned char *p;

    list = listed(tmpl, DT_STRIP, &page, 0, &r);
    result_free(&r);
    p = (unsigned char *) (list + 1);

    for (i = 0; i < list->size - sizeof(dt_edits_t); i++) {
        p[i] ^= 0xff;
        end = 0;

        for (dt_edits_walk(&w, list, SITE_SEED); dt_edits_more(&w);
             dt_edits_next(&w)) {
            bad += w.edit.start < end || w.edit.end > list->in
                   || w.edit.end <= w.edit.start;
            end = w.edit.end;
        }

        replayed(list, DT_STRIP, &page, 16, &r);
        bad += !site_subsequence(&r.out, &page);
        result_free(&r);
        p[i] ^= 0xff;
    }

    is_int(bad, 0, "bytes: edits are in order and within the page");
    free(list);
}


/* more regions near one another than are read at once */
static void
test_dense(void)
{
    size_t i, len;
    void *t;
    buf_t text = { 0 }, b = { 0 };
    dt_edits_t *list;
    stored_t s;
    result_t r, scan;

    for (i = 0; i < 150; i++) {
        buf_add(&text, "<p>template # line %</p><p>@</p>", 32);
    }

    t = site_learn(text.data, text.len, &len);
    site_page(&b, text.data, text.len, SITE_PAGES + 1);
    list = listed(t, DT_ANNOTATE, &b, 0, &scan);
    ok(list != NULL && list->regions == 150, "dense: all are regions");
    stored(list, DT_ANNOTATE, &b, 0, 0, &s, &r);
    ok(result_eq(&r, &scan) && s.reads > 1, "dense: all are marked");
    ok(memmem(r.out.data, r.out.len, "<!--off--><p data-template>", 27)
           != NULL,
       "dense: around elements");

    result_free(&r);
    result_free(&scan);
    free(list);
    free(t);
    buf_free(&b);
    buf_free(&text);
}


/* the same, with more marks than the usual ones */
static void
test_around(void)
{
    unsigned mode;

    site_before = dt_str("<!--off-->");
    site_after = dt_str("<!--on-->");

    for (mode = 0; mode < 2; mode++) {
        result_free(&scanned[mode]);
        site_rewrite(tmpl, (dt_mode_t) mode, &page, 0, &scanned[mode]);
    }

    test_lists();
    test_changed();
    test_stored();
    test_long();
    test_dense();

    site_before.len = 0;
    site_after.len = 0;
}


int
main(void)
{
    size_t len;

    tmpl = site_learn(TEXT, sizeof(TEXT) - 1, &len);
    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &page, 0, &scanned[DT_STRIP]);
    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &scanned[DT_ANNOTATE]);

    test_sum();
    test_sum_rest();
    test_lists();
    test_changed();
    test_stored();
    test_long();
    test_around();
    test_bytes();
    test_none();

    result_free(&scanned[0]);
    result_free(&scanned[1]);
    buf_free(&page);
    free(tmpl);

    return done();
}
