
/*
 * Copyright (C) The detemplate authors
 *
 * Work without memory: each malloc() of the core fails in turn, alone or with
 * all that come after it, and so does each place of the core that asks an
 * arena or an index.  Nothing may crash or leak, and what is answered must be
 * a template or the reason why there is none.
 *
 * This program is linked so that calls come here, see the Makefile.
 */


#include "core/base/index.h"
#include "core/learn/learn.h"
#include "core/redis/redis.h"
#include "core/rules/explain.h"
#include "core/template/template.h"
#include "core/web/fetch.h"
#include "core/web/robots.h"
#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

void *__real_dt_arena_alloc(dt_arena_t *a, size_t size);
void *__real_dt_arena_calloc(dt_arena_t *a, size_t n, size_t size);
dt_str_t __real_dt_arena_strdup(dt_arena_t *a, dt_str_t s);
dt_status_t __real_dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a);
void *__real_dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most,
                          dt_arena_t *a);
void *__wrap_dt_arena_alloc(dt_arena_t *a, size_t size);
void *__wrap_dt_arena_calloc(dt_arena_t *a, size_t n, size_t size);
dt_str_t __wrap_dt_arena_strdup(dt_arena_t *a, dt_str_t s);
dt_status_t __wrap_dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a);
void *__wrap_dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most,
                          dt_arena_t *a);

static unsigned to_come; /* calls up to the one that fails; 0: none does */
static int stay;         /* those after it fail as well */

/* places of the core that ask for memory, by the address of the call */
static struct {
    const void *at;
    unsigned calls;
} places[512];

static unsigned nplaces;
static unsigned refused; /* number of the place that gets none, from 1 on, */
static unsigned nth;     /* at this call; 0: nobody is counted */


static int
fails(void)
{
    if (to_come == 0) {
        return 0;
    }

    if (to_come > 1) {
        to_come--;
        return 0;
    }

    to_come = stay ? 1 : 0;

    return 1;
}


void *
__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}


void *
__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}


void *
__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}


static int
refuses(const void *at)
{
    unsigned i;

    if (nth == 0) {
        return 0;
    }

    for (i = 0; i < nplaces && places[i].at != at; i++) {
        /* void */
    }

    if (i == nplaces) {
        if (nplaces == sizeof(places) / sizeof(places[0])) {
            abort();
        }

        places[nplaces++].at = at;
    }

    return ++places[i].calls == nth && i + 1 == refused;
}


#define REFUSES() refuses(__builtin_return_address(0))


void *
__wrap_dt_arena_alloc(dt_arena_t *a, size_t size)
{
    return REFUSES() ? NULL : __real_dt_arena_alloc(a, size);
}


void *
__wrap_dt_arena_calloc(dt_arena_t *a, size_t n, size_t size)
{
    return REFUSES() ? NULL : __real_dt_arena_calloc(a, n, size);
}


dt_str_t
__wrap_dt_arena_strdup(dt_arena_t *a, dt_str_t s)
{
    return REFUSES() ? (dt_str_t){ 0, NULL } : __real_dt_arena_strdup(a, s);
}


dt_status_t
__wrap_dt_index_init(dt_index_t *ix, size_t size, dt_arena_t *a)
{
    return REFUSES() ? DT_ENOMEM : __real_dt_index_init(ix, size, a);
}


void *
__wrap_dt_index_get(dt_index_t *ix, uint64_t key, uint32_t most, dt_arena_t *a)
{
    return REFUSES() ? NULL : __real_dt_index_get(ix, key, most, a);
}


/* does it with each place refused at its first calls; returns how many places
   there are */
static unsigned
each_place(void (*run)(void *data), void *data)
{
    unsigned i, k;

    static const unsigned calls[] = { 1, 2, 5, 40 };

    nplaces = 0;

    for (k = 0; k < sizeof(calls) / sizeof(calls[0]); k++) {
        for (refused = 0; refused <= nplaces; refused++) {
            for (i = 0; i < nplaces; i++) {
                places[i].calls = 0;
            }

            nth = calls[k];
            run(data);
            nth = 0;
        }
    }

    return nplaces;
}


/* a site of pages that all link to each other */
static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    unsigned i, left = to_come, counted = nth;
    buf_t text = { 0 }, page = { 0 };
    char link[64];

    (void) data;
    to_come = nth = 0; /* this site has memory */

    buf_puts(&text, "<nav><ul>");

    for (i = 0; i < 12; i++) {
        snprintf(link, sizeof(link), "<li><a href='/p%u.html'>entry %u</a>", i,
                 i);
        buf_puts(&text, link);
    }

    buf_puts(&text,
             "</ul></nav><main><h1>@</h1><p>@ is what this page is about</p>"
             "<p class=x>and it says @ in some more @ words than the @ menu "
             "has</p></main><footer>#</footer>");
    site_page(&page, text.data, text.len,
              (unsigned) (dt_hash(url, strlen(url), 1) % 1000000));

    to_come = left;
    nth = counted;

    memset(out, 0, sizeof(dt_fetched_t));
    out->rc = DT_OK;
    out->status = 200;
    out->reason = "ok";
    out->body = dt_arena_strdup(a, (dt_str_t){ page.len, page.data });
    out->url = dt_arena_strdup(a, dt_cstr(url));

    if (out->body.data == NULL || out->url.data == NULL) {
        out->rc = DT_ENOMEM;
        out->reason = "memory";
    }

    buf_free(&text);
    buf_free(&page);
}


static const void *prev; /* of a learning that was done before, or NULL */
static size_t prev_len;


/* learns; counts when there is a template, and wrong answers */
static void
learn(const dt_detector_t *detector, unsigned *learned, unsigned *wrong)
{
    dt_status_t rc;
    dt_learned_t l;
    dt_learn_opts_t o;

    dt_learn_opts_init(&o);
    o.url = URL "/";
    o.fetch = fetch;
    o.now = 1000000;
    o.seed = SITE_SEED;
    o.detector = detector;
    o.prev = prev;
    o.prev_len = prev_len;

    rc = dt_learn(&o, &l);

    if (rc == DT_OK) {
        ++*learned;
        *wrong += dt_template_check(l.bytes, l.len, NULL) != DT_OK;

    } else if ((l.bytes != NULL && rc != DT_DECLINED) || l.reason == NULL
               || l.reason[0] == '\0' || strcmp(l.reason, "ok") == 0)
    {
        printf("#   status %d\n", rc);
        ++*wrong;
    }

    dt_learned_free(&l);
}


/* learns where call number at fails; whether that call came */
static int
learn_at(const dt_detector_t *detector, unsigned at, unsigned *learned,
         unsigned *wrong)
{
    int came;

    to_come = at;
    learn(detector, learned, wrong);
    came = to_come == 0 || (stay && to_come == 1);
    to_come = 0;

    return came;
}


static void
test_learn(const char *what)
{
    char name[128];
    unsigned at, learned, wrong;
    const dt_detector_t *const *d;

    for (d = dt_detectors; *d != NULL; d++) {
        for (stay = 0; stay < 2; stay++) {
            snprintf(name, sizeof(name), "%s, %s, %s", what, (*d)->name,
                     stay ? "no memory from a call on" : "one call fails");
            learned = wrong = 0;

            for (at = 1; learn_at(*d, at, &learned, &wrong); at++) {
                /* void */
            }

            printf("# %s: %u calls, learned in spite of %u\n", name, at - 1,
                   learned);
            ok(at > 10 && wrong == 0, name);
        }

        if (prev != NULL) {
            return;
        }
    }
}


typedef struct {
    const dt_detector_t *detector;
    unsigned learned;
    unsigned wrong;
} answers_t;


static void
learn_answers(void *data)
{
    answers_t *a = data;

    learn(a->detector, &a->learned, &a->wrong);
}


static void
test_learn_places(const char *what)
{
    char name[128];
    unsigned n;
    answers_t a;
    const dt_detector_t *const *d;

    for (d = dt_detectors; *d != NULL; d++) {
        a = (answers_t){ .detector = *d };
        n = each_place(learn_answers, &a);

        snprintf(name, sizeof(name), "%s, %s, each place", what, (*d)->name);
        printf("# %s: %u places, learned %u times\n", name, n, a.learned);
        ok(n > 40 && a.learned && a.wrong == 0, name);

        if (prev != NULL) {
            return;
        }
    }
}


/* with what was learned before */
static void
test_learn_again(void)
{
    dt_learned_t l;
    dt_learn_opts_t o;

    dt_learn_opts_init(&o);
    o.url = URL "/old.html";
    o.fetch = fetch;
    o.now = 1000;
    o.seed = SITE_SEED;

    if (!ok(dt_learn(&o, &l) == DT_OK, "a template to add to")) {
        return;
    }

    prev = l.bytes;
    prev_len = l.len;
    test_learn_places("again");
    test_learn("again");
    prev = NULL;
    dt_learned_free(&l);
}


static void
explain(void *data)
{
    unsigned *n = data;
    dt_rules_t rules;
    dt_arena_t *a = dt_arena_create((size_t) 64 << 20);

    dt_rules_init(&rules);
    *n += dt_explain_create(prev, &rules, a) != NULL;
    dt_arena_destroy(a);
}


static void
test_explain(void)
{
    unsigned n, made = 0;
    void *tmpl;
    size_t len;

    static const char text[] = "<nav><a href=/a>#</a></nav><p>@ @ @ @</p>";

    tmpl = site_learn(text, sizeof(text) - 1, &len);
    prev = tmpl;
    n = each_place(explain, &made);
    prev = NULL;
    printf("# explain: %u places\n", n);
    ok(n > 10 && made > 0, "explain: nothing without memory");
    free(tmpl);
}


static void
robots(void *data)
{
    unsigned *wrong = data;
    dt_arena_t *a = dt_arena_create(65536);
    dt_robots_t *r = NULL;
    dt_status_t rc;

    rc = dt_robots_parse(dt_str("User-agent: *\nDisallow: /a\nAllow: /a/b\n"),
                         dt_str("detemplate"), a, &r);
    *wrong += (unsigned) (rc == DT_OK ? dt_robots_allowed(r, dt_str("/a")) != 0
                                      : r != NULL);
    dt_arena_destroy(a);
}


static void
test_robots(void)
{
    unsigned n, wrong = 0;

    n = each_place(robots, &wrong);
    ok(n > 1 && wrong == 0, "robots.txt: no rule is missed without memory");
}


/* what an index has stays when it cannot grow */
static void
test_index(void)
{
    unsigned i, had = 0, found = 0;
    dt_index_t ix;
    dt_arena_t *a = dt_arena_create((size_t) 1 << 20);

    if (!ok(dt_index_init(&ix, 16, a) == DT_OK, "an index")) {
        return;
    }

    for (i = 1; dt_index_get(&ix, i, UINT32_MAX, a) != NULL; i++) {
        had++;
    }

    for (i = 1; i <= had; i++) {
        found += dt_index_find(&ix, i) != NULL;
    }

    ok(had >= 256, "index: it is filled");
    is_int(found, had, "index: and all is found");
    ok(dt_index_get(&ix, 1, UINT32_MAX, a) != NULL, "index: still");
    dt_arena_destroy(a);
}


/* a server that is not there, at a port where nobody listens */
static void
test_redis(void)
{
    unsigned at, none = 0, failed = 0;
    dt_redis_t *r;
    dt_frame_t f;
    dt_redis_opts_t o = { .url = "redis://user:pass@127.0.0.1:1/2" };

    stay = 0;

    for (at = 1;; at++) {
        to_come = at;
        r = dt_redis_create(&o);
        none += r == NULL;

        if (r != NULL) {
            memset(&f, 0, sizeof(f));
            f.what = DT_LINK_GET;
            f.site = dt_str("site.test");

            (void) dt_redis_tick(r);
            dt_redis_do(r, &f, 1);
            failed += f.rc == DT_EIO;
            dt_redis_destroy(r);
        }

        if (to_come != 0) {
            break;
        }
    }

    to_come = 0;
    ok(none > 0 && none < at, "redis: none without memory");
    is_int(failed, at - none, "redis: each order has failed");
}


static void
test_fetcher(void)
{
    unsigned at, none = 0;
    dt_fetcher_t *f;
    dt_fetch_opts_t o;

    dt_fetch_opts_init(&o);
    o.origin = "http://127.0.0.1:1";
    o.connect_to = "127.0.0.1:1";
    o.header = "X-Marker: 1";
    stay = 0;

    for (at = 1;; at++) {
        to_come = at;
        f = dt_fetcher_create(&o);
        none += f == NULL;
        dt_fetcher_destroy(f);

        if (to_come != 0) {
            break;
        }
    }

    to_come = 0;
    ok(at > 1 && none == at - 1, "fetcher: none without memory");
}


static int
bytes_out(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    size_t *n = data;

    (void) p;
    (void) kind;
    *n += len;

    return 0;
}


/* a page of many records, rewritten with each call failing in turn; returns
   how many failed */
static unsigned
rewrite_with(dt_rewrite_opts_t *o, const buf_t *page, unsigned *wrong)
{
    unsigned at;
    size_t sent;
    dt_status_t rc;
    dt_rewrite_stats_t stats;

    o->out = bytes_out;
    o->out_data = &sent;

    for (at = 1;; at++) {
        sent = 0;
        to_come = at;
        rc = dt_rewrite_page(o, (dt_str_t){ page->len, page->data }, &stats);

        if (rc == DT_OK) {
            *wrong += stats.regions == 0 || sent + stats.removed != page->len;
            break;
        }

        *wrong += rc != DT_ENOMEM || sent;
    }

    to_come = 0;

    return at - 1;
}


static void
test_rewrite(void)
{
    unsigned wrong = 0, n;
    size_t len;
    buf_t text = { 0 }, page = { 0 };
    dt_rewrite_opts_t o = { .host = dt_str(SITE_HOST),
                            .path = dt_str("/dir/page9.html") };
    void *tmpl;
    dt_work_t *work;

    buf_puts(&text, "<nav><a href=/a>#</a></nav><main>");
    buf_fill(&text, "<p>@ @</p>", 3000);
    site_page(&page, text.data, text.len, SITE_PAGES + 1);
    text.len = 100;
    tmpl = site_learn(text.data, text.len, &len);
    o.tmpl = tmpl;

    for (stay = 0; stay < 2; stay++) {
        n = rewrite_with(&o, &page, &wrong);
        ok(n > 4 && wrong == 0, "rewriting: nothing is sent without memory");

        work = dt_work_create();
        o.work = work;
        n = rewrite_with(&o, &page, &wrong);
        ok(n > 1 && wrong == 0, "rewriting: nor in memory from before");
        n = rewrite_with(&o, &page, &wrong);
        ok(n == 0 && wrong == 0, "rewriting: which is enough the next time");
        dt_work_destroy(work);
        o.work = NULL;
    }

    stay = 0;
    to_come = 1;
    ok(dt_work_create() == NULL, "rewriting: no memory for it");
    to_come = 0;

    free(tmpl);
    buf_free(&text);
    buf_free(&page);
}


int
main(void)
{
    test_rewrite();
    test_learn("learning");
    test_learn_places("learning");
    test_learn_again();
    test_explain();
    test_robots();
    test_index();
    test_redis();
    test_fetcher();

    return done();
}
