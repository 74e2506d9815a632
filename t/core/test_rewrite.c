
/*
 * Copyright (C) The detemplate authors
 *
 * Pages in pieces, pages with tokens longer than may be held, memory that
 * runs out, and pages made to break a rewriter: t/core/rows/rewrite.
 */


#include "rows.h"
#include "site.h"


static void *tmpl;
static char *text; /* of the pages that it was learned from, */
static buf_t page; /* and one of them */

static const size_t some[] = { 61,    1000,  4096,        40000,
                               65536, 65537, SITE_RANDOM, 0 };
static const size_t more[] = { 1,    2,    3,     5,     7,           61,
                               1000, 4096, 40000, 65536, SITE_RANDOM, 0 };
static const size_t *chunks = some;


static void *
learned(const char *of)
{
    size_t len;

    return site_learn(of, strlen(of), &len);
}


static void
page_of(buf_t *p, const char *of)
{
    site_page(p, of, strlen(of), SITE_PAGES + 1);
}


static void
pieces_ok(const void *t, const buf_t *p, const char *what)
{
    char name[128];

    snprintf(name, sizeof(name), "%s: in pieces", what);
    ok(site_pieces(t, "/dir/page9.html", p, chunks), name);
}


/* what is left of a page, or how that begins, is what its row says; \x01
   stands for a NUL */
static void
left_is(const void *t, const part_t *part, const char *begins, buf_t *p,
        const char *name)
{
    size_t i;
    buf_t want = { 0 };
    result_t r;

    page_of(p, part->all);
    page_of(&want, begins ? begins : part->left);

    for (i = 0; i < p->len; i++) {
        p->data[i] = p->data[i] == 1 ? 0 : p->data[i];
    }

    for (i = 0; i < want.len; i++) {
        want.data[i] = want.data[i] == 1 ? 0 : want.data[i];
    }

    site_rewrite(t, DT_STRIP, p, 0, &r);
    r.out.len = begins && r.out.len > want.len ? want.len : r.out.len;

    if (!ok(buf_eq(&r.out, &want), name)) {
        for (i = 0; i < r.out.len && i < want.len; i++) {
            if (r.out.data[i] != want.data[i]) {
                break;
            }
        }

        printf("#   from byte %zu on '%.*s' of %zu, want '%.*s' of %zu\n", i,
               (int) (r.out.len - i < 80 ? r.out.len - i : 80), r.out.data + i,
               r.out.len, (int) (want.len - i < 80 ? want.len - i : 80),
               want.data + i, want.len);
    }

    result_free(&r);
    buf_free(&want);
}


/* a page that is learned, and if that is another one, the one that came */
static void
row_is(const row_t *row)
{
    void *t;
    char name[128];
    buf_t own = { 0 };

    t = learned(row->part[1].all);
    snprintf(name, sizeof(name), "%s: learned", row->part[0].all);

    if (row_get(row, "none")) {
        ok(t == NULL, name);

    } else if (ok(t != NULL, name)) {
        left_is(t, &row->part[row->nparts - 1], row_get(row, "begins"), &own,
                row->part[0].all);
        pieces_ok(t, &own, row->part[0].all);
    }

    free(t);
    buf_free(&own);
}


/* a page of the site */
static void
usual_is(const row_t *row)
{
    buf_t own = { 0 };

    left_is(tmpl, &row->part[1], NULL, &own, row->part[0].all);
    pieces_ok(tmpl, &own, row->part[0].all);
    buf_free(&own);
}


/* the page from which the site's template is learned */
static void
page_is(const row_t *row)
{
    size_t i;
    buf_t want = { 0 };
    result_t r;

    text = strdup(row->part[1].all);
    tmpl = learned(text);
    left_is(tmpl, &row->part[1], NULL, &page, "page: stripped");

    site_rewrite(tmpl, DT_STRIP, &page, 0, &r);
    is_int(r.stats.words, 10 + 5 + 5 + 10, "page: words of template");
    is_int(r.stats.guard, 0, "page: no guard");
    is_int(r.stats.held, 0, "page: in one piece nothing is held");
    result_free(&r);

    page_of(&want, row_get(row, "cut"));
    site_before = dt_str("[");
    site_after = dt_str("]");

    for (i = 0; i < 64; i++) {
        site_rewrite(tmpl, DT_CUT, &page, i, &r);
        ok(buf_eq(&r.out, &want), "page: what is cut");
        result_free(&r);
    }

    site_before = dt_str("");
    site_after = dt_str("");
    chunks = more;
    pieces_ok(tmpl, &page, "page");
    chunks = some;
    buf_free(&want);
}


/* what HTML cuts of a page, and what is cut of it as XML */
static void
xml_is(const row_t *row)
{
    void *t;
    buf_t own = { 0 };

    t = learned(row->part[0].all);

    for (site_xml = 0; site_xml < 2; site_xml++) {
        left_is(t, &row->part[site_xml], NULL, &own, row->part[site_xml].all);
        pieces_ok(t, &own, row->part[0].all);
    }

    site_xml = 0;
    free(t);
    buf_free(&own);
}


/* the site's template, marked, to r */
static dt_rewrite_opts_t
marks_to(result_t *r)
{
    memset(r, 0, sizeof(result_t));

    return (dt_rewrite_opts_t){
        .tmpl = tmpl,
        .mode = DT_ANNOTATE,
        .host = dt_str(SITE_HOST),
        .path = dt_str("/dir/page9.html"),
        .out = site_out,
        .out_data = r,
    };
}


/* whether a piece of the page can be fed */
static int
fed(dt_rewrite_t *rw, result_t *r, size_t from, size_t to, int last)
{
    r->in = page.data + from;
    r->in_len = to - from;

    return dt_rewrite_feed(rw, r->in, r->in_len, last) == DT_OK;
}


/* every way to cut the page into two, and into three around each byte */
static void
test_borders(void)
{
    int good = 1;
    size_t i, to;
    result_t whole, r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o;

    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &whole);

    for (i = 0; i < page.len; i++) {
        o = marks_to(&r);
        to = i + 1 + i % 5 < page.len ? i + 1 + i % 5 : page.len;
        rw = dt_rewrite_create(&o);
        good &= fed(rw, &r, 0, i, 0) && fed(rw, &r, i, to, 0)
                && fed(rw, &r, to, page.len, 0)
                && fed(rw, &r, page.len, page.len, 1);
        dt_rewrite_destroy(rw);
        good &= buf_eq(&r.out, &whole.out);
        result_free(&r);
    }

    ok(good, "borders: a piece may end anywhere, and the last be empty");
    result_free(&whole);
}


/* memory that other pages were in, some of which ended anywhere */
static void
test_room(void)
{
    int good = 1;
    size_t n;
    void *room;
    result_t whole, r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o;

    site_rewrite(tmpl, DT_ANNOTATE, &page, 0, &whole);
    room = malloc(dt_rewrite_room());
    memset(room, 0xa5, dt_rewrite_room());

    for (n = page.len; n > 0; n--) {
        o = marks_to(&r);
        o.room = room;
        rw = dt_rewrite_create(&o);
        good &= fed(rw, &r, 0, n, n == page.len);
        dt_rewrite_destroy(rw);
        result_free(&r);

        memset(&r, 0, sizeof(r));
        rw = dt_rewrite_create(&o);
        good &= (void *) rw == room && fed(rw, &r, 0, page.len, 1);
        dt_rewrite_destroy(rw);
        good &= buf_eq(&r.out, &whole.out);
        result_free(&r);
    }

    ok(good, "room: of no account what was in it");
    free(room);
    result_free(&whole);
}


/*
 * All regions are taken where a piece ends, and an element that has begun
 * there is read again when it ends: from what is held, as the piece is gone.
 */
static void
full_is(const row_t *row)
{
    void *t;
    size_t chunk;
    unsigned wrong = 0;
    buf_t own = { 0 };
    result_t whole, r;

    t = learned(row->part[1].all);
    page_of(&own, row->part[2].all);
    site_rewrite(t, DT_STRIP, &own, 0, &whole);
    ok(whole.stats.regions > 128, "there are many regions");

    for (chunk = own.len / 2 + 1; chunk < own.len; chunk++) {
        site_rewrite(t, DT_STRIP, &own, chunk, &r);
        wrong += !result_eq(&r, &whole);
        result_free(&r);
    }

    is_int(wrong, 0, row->part[0].all);
    result_free(&whole);
    buf_free(&own);
    free(t);
}


/* a text is let go when its last byte may begin a tag, or just does not */
static void
let_go_is(const row_t *row)
{
    size_t i, at[2] = { 0, 0 };
    char what[64];
    buf_t own = { 0 };
    const char *lt;

    page_of(&own, row->part[1].all);
    lt = memchr(own.data + 69000, '<', own.len - 69000);
    chunks = at;

    for (i = 0; i < 8; i++) {
        at[0] = (size_t) (lt - own.data) - 1 + i;
        snprintf(what, sizeof(what), "text and %zu bytes let go", i);
        pieces_ok(tmpl, &own, what);
    }

    chunks = some;
    buf_free(&own);
}


/* far more template than a page of the site has: the rest is passed on */
static void
test_guard(void)
{
    buf_t own = { 0 }, many = { 0 };
    result_t r;

    buf_fill(&many, text, 200);
    site_page(&own, many.data, many.len, SITE_PAGES + 1);
    site_rewrite(tmpl, DT_STRIP, &own, 0, &r);

    is_int(r.stats.guard, 1, "guard: said");
    ok(r.stats.removed > 0 && r.stats.removed < own.len / 4,
       "guard: no more than a part is cut");
    ok(memcmp(r.out.data + r.out.len - page.len, page.data, page.len) == 0,
       "guard: the end is as it came");
    pieces_ok(tmpl, &own, "guard");

    result_free(&r);
    buf_free(&own);
    buf_free(&many);
}


/* counts allocations, and refuses the one numbered refuse and all after it */
static struct {
    unsigned calls;
    unsigned refuse;
    unsigned live;
    size_t bytes;
} counter;


static void *
counter_alloc(void *data, size_t size)
{
    (void) data;

    if (++counter.calls >= counter.refuse) {
        return NULL;
    }

    counter.live++;
    counter.bytes += size;

    return malloc(size);
}


static void
counter_free(void *data, void *p)
{
    (void) data;
    counter.live -= p != NULL;
    free(p);
}


static const dt_alloc_t counted = { counter_alloc, counter_free, NULL };


/* rewrites a page whose allocations fail from one on */
static void
refusing(unsigned refuse, dt_mode_t mode, const buf_t *p, size_t chunk,
         result_t *r)
{
    memset(&counter, 0, sizeof(counter));
    counter.refuse = refuse;
    site_rewrite_at(tmpl, mode, "/dir/page9.html", p, chunk, &counted, r);
}


static void
test_alloc(void)
{
    size_t times;
    char name[64];
    buf_t own = { 0 }, many = { 0 };
    result_t r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o;

    for (times = 1; times <= 1000; times *= 10) {
        many.len = 0;
        buf_fill(&many, text, times);
        site_page(&own, many.data, many.len, SITE_PAGES + 1);

        refusing(UINT32_MAX, DT_STRIP, &own, 0, &r);
        snprintf(name, sizeof(name), "alloc: %zu KB in one piece",
                 own.len / 1024);
        ok(counter.calls <= 1 + (own.len > 65536), name);
        result_free(&r);

        refusing(UINT32_MAX, DT_STRIP, &own, 1000, &r);
        snprintf(name, sizeof(name), "alloc: %zu KB in pieces",
                 own.len / 1024);
        ok(counter.calls <= 8, name);
        is_int(counter.live, 0, "alloc: all is freed");
        result_free(&r);
    }

    /* the most that a page can make it take: 1 KB, doubled up to the bound */

    many.len = 0;
    buf_puts(&many, "<nav>");
    buf_fill(&many, "#", 4000);
    site_page(&own, many.data, many.len, SITE_PAGES + 1);
    refusing(UINT32_MAX, DT_STRIP, &own, 100, &r);
    ok(counter.calls <= 9 && counter.bytes < 400 * 1024, "alloc: bounded");
    result_free(&r);

    /* a text that ends in a piece of megabytes */

    own.len = 0;
    buf_fill(&own, "x", 4000000);
    buf_puts(&own, "<p>");
    counter.bytes = 0;
    o = marks_to(&r);
    o.mode = DT_STRIP;
    o.alloc = &counted;
    rw = dt_rewrite_create(&o);
    r.in = own.data;
    r.in_len = 10;
    (void) dt_rewrite_feed(rw, r.in, r.in_len, 0);
    r.in += r.in_len;
    r.in_len = own.len - 10;
    (void) dt_rewrite_feed(rw, r.in, r.in_len, 1);
    dt_rewrite_destroy(rw);
    ok(counter.bytes < 400 * 1024, "alloc: bounded by no piece");
    result_free(&r);

    buf_free(&own);
    buf_free(&many);
}


/* the k-th allocation fails: all bytes still come out */
static void
fails_is(const row_t *row)
{
    int good = 1, failed = 0;
    size_t chunk;
    unsigned k, mode;
    buf_t own = { 0 };
    result_t r;

    page_of(&own, row->part[1].all);

    for (k = 1; k <= 12; k++) {
        for (chunk = 1; chunk <= 10000; chunk = 3 * chunk + 1) {
            for (mode = DT_STRIP; mode <= DT_ANNOTATE; mode++) {
                refusing(k, (dt_mode_t) mode, &own, chunk, &r);
                failed += r.rc == DT_ENOMEM;
                good &= (r.rc == DT_ENOMEM) == (counter.calls >= k);
                good &= counter.live == 0 && r.wrong == 0;

                if (k == 1) {
                    good &= buf_eq(&r.out, &own);

                } else if (mode == DT_STRIP) {
                    good &= r.out.len + r.stats.removed == own.len
                            && site_subsequence(&r.out, &own);

                } else {
                    good &= buf_eq(&r.unmarked, &own);
                }

                result_free(&r);
            }
        }
    }

    ok(failed > 20, "no memory: happens");
    ok(good, row->part[0].all);
    buf_free(&own);
}


/* refuses what is given out by the call with this number, and all after it */
static unsigned out_calls, out_refuse;


static int
refuser_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return ++out_calls >= out_refuse;
}


static void
test_refused(void)
{
    int good = 1;
    size_t off;
    result_t r;
    dt_status_t rc;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    o.mode = DT_STRIP;
    o.path = dt_str("/");
    o.out = refuser_out;

    for (out_refuse = 1; out_refuse <= 8; out_refuse++) {
        out_calls = 0;
        rw = dt_rewrite_create(&o);
        rc = DT_OK;

        for (off = 0; off < page.len && rc == DT_OK; off += 7) {
            rc = dt_rewrite_feed(rw, page.data + off,
                                 page.len - off < 7 ? page.len - off : 7, 0);
        }

        good &= rc == DT_ENOMEM && out_calls == out_refuse;
        good &= dt_rewrite_feed(rw, "x", 1, 1) == DT_ENOMEM
                && out_calls == out_refuse;
        dt_rewrite_destroy(rw);
    }

    ok(good, "refused: the call says so, and nothing more is given out");
}


/* marks of the caller's own */
static void
wrap_is(const row_t *row)
{
    void *t;
    buf_t own = { 0 }, want = { 0 };
    result_t r;
    dt_wrap_t wrap = {
        dt_str(" m=''"), dt_str("<m>"), dt_str("</m>"), { 0, "" }
    };
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o = marks_to(&r);

    t = learned(row->part[1].all);
    page_of(&own, row->part[1].all);
    page_of(&want, row->part[2].all);
    o.tmpl = t;
    o.wrap = &wrap;
    o.before = dt_str("<i>");
    o.after = dt_str("</i>");

    rw = dt_rewrite_create(&o);
    (void) dt_rewrite_feed(rw, own.data, own.len, 1);
    dt_rewrite_destroy(rw);

    ok(buf_eq(&r.out, &want), row->part[0].all);
    ok(buf_eq(&r.unmarked, &own), "without them, the page");

    free(t);
    buf_free(&own);
    buf_free(&want);
    result_free(&r);
}


/* the end of a head: <l> is put there */
static void
head_is(const row_t *row)
{
    size_t chunk;
    const char *want = row->part[0].all, *at = strstr(want, "<l>");
    buf_t own = { 0 };
    result_t r;
    int good = 1;

    buf_add(&own, want, at ? (size_t) (at - want) : strlen(want));
    buf_puts(&own, at ? at + 3 : "");
    site_put = dt_str("<l>");
    site_xml = row_get(row, "xml") != NULL;

    for (chunk = 0; chunk < 12; chunk++) {
        site_rewrite(tmpl, chunk & 1 ? DT_ANNOTATE : DT_STRIP, &own, chunk,
                     &r);
        good &= r.out.len == strlen(want)
                && memcmp(r.out.data, want, r.out.len) == 0
                && buf_eq(&r.unmarked, &own);
        result_free(&r);
    }

    ok(good, want);
    site_xml = 0;
    site_put = dt_str("");
    buf_free(&own);
}


/* after any number of bytes all that was fed comes out as it came */
static void
test_release(void)
{
    int good = 1;
    size_t n;
    result_t r;
    dt_rewrite_t *rw;
    dt_rewrite_opts_t o;

    for (n = 0; n < page.len; n++) {
        o = marks_to(&r);
        rw = dt_rewrite_create(&o);
        good &= fed(rw, &r, 0, n, 0);
        r.in_len = 0;
        good &= dt_rewrite_release(rw) == DT_OK;
        good &= r.unmarked.len == n && r.wrong == 0;
        good &= dt_rewrite_release(rw) == DT_OK && r.unmarked.len == n;
        good &= fed(rw, &r, n, page.len, 1);
        good &= buf_eq(&r.unmarked, &page) && r.wrong == 0;
        dt_rewrite_destroy(rw);
        result_free(&r);
    }

    ok(good, "release: what is held comes out, the rest passes");
    dt_rewrite_destroy(NULL);
}


/* a page that should cost much: small in small pieces, and large */
static void
hostile_is(const row_t *row)
{
    int good = 1;
    size_t i;
    const part_t *part = row->part + 1;
    buf_t own = { 0 };
    result_t r, whole;
    static const size_t sizes[] = { 64, 7, 1, 4096 };

    for (i = 0; i < 4; i++) {
        part = &row->part[sizes[i] == 4096 ? 2 : 1];
        page_of(&own, part->all);
        site_rewrite(tmpl, DT_ANNOTATE, &own, 0, &whole);
        site_rewrite(tmpl, DT_ANNOTATE, &own, sizes[i], &r);

        if (r.rc != DT_OK || r.wrong || r.stats.held > DT_HOLD_MAX
            || !buf_eq(&r.unmarked, &own) || !result_eq(&r, &whole))
        {
            printf("#   pieces of %zu: %zu bytes, held %u\n", sizes[i],
                   r.unmarked.len, r.stats.held);
            good = 0;
        }

        result_free(&r);
        result_free(&whole);
    }

    ok(good, row->part[0].all);
    buf_free(&own);
}


int
main(void)
{
    rows("rewrite", "page", page_is);
    rows("rewrite", "xml", xml_is);
    test_borders();
    test_room();
    rows("rewrite", "long", usual_is);
    rows("rewrite", "line", usual_is);
    rows("rewrite", "full", full_is);
    rows("rewrite", "let go", let_go_is);
    rows("rewrite", "learned", row_is);
    rows("rewrite", "heading", row_is);
    rows("rewrite", "cross", row_is);
    chunks = more;
    rows("rewrite", "behind", row_is);
    rows("rewrite", "glued", row_is);
    chunks = some;
    test_guard();
    test_alloc();
    rows("rewrite", "fails", fails_is);
    test_refused();
    rows("rewrite", "wrap", wrap_is);
    rows("rewrite", "head", head_is);
    test_release();
    rows("rewrite", "hostile", hostile_is);

    free(tmpl);
    free(text);
    buf_free(&page);

    return done();
}
