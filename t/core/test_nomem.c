
/*
 * Copyright (C) The detemplate authors
 *
 * Learning without memory: each malloc() of the core fails in turn, alone or
 * with all that come after it.  Nothing may crash or leak, and what is
 * answered must be a template or the reason why there is none.
 *
 * This program is linked so that calls come here, see the Makefile.
 */


#include "core/learn/learn.h"
#include "core/web/fetch.h"
#include "site.h"
#include "test.h"


#define URL "http://" SITE_HOST

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static unsigned to_come; /* calls up to the one that fails; 0: none does */
static int stay;         /* those after it fail as well */


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


/* a site of pages that all link to each other */
static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    unsigned i, left = to_come;
    buf_t text = { 0 }, page = { 0 };
    char link[64];

    (void) data;
    to_come = 0; /* this site has memory */

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


/* learns where call number at fails; whether that call came */
static int
learn(const dt_detector_t *detector, unsigned at, unsigned *learned,
      unsigned *wrong)
{
    int came;
    dt_status_t rc;
    dt_learned_t l;
    dt_learn_opts_t o;

    dt_learn_opts_init(&o);
    o.url = URL "/";
    o.fetch = fetch;
    o.now = 1000000;
    o.seed = SITE_SEED;
    o.detector = detector;

    to_come = at;
    rc = dt_learn(&o, &l);
    came = to_come == 0 || (stay && to_come == 1);
    to_come = 0;

    if (rc == DT_OK) {
        ++*learned;
        *wrong += dt_template_check(l.bytes, l.len, NULL) != DT_OK;

    } else if (l.bytes != NULL || l.reason == NULL || l.reason[0] == '\0'
               || strcmp(l.reason, "ok") == 0)
    {
        printf("#   call %u: status %d\n", at, rc);
        ++*wrong;
    }

    dt_learned_free(&l);

    return came;
}


static void
test_learn(void)
{
    char name[64];
    unsigned at, learned, wrong;
    const dt_detector_t *const *d;

    for (d = dt_detectors; *d != NULL; d++) {
        for (stay = 0; stay < 2; stay++) {
            snprintf(name, sizeof(name), "%s, %s", (*d)->name,
                     stay ? "no memory from a call on" : "one call fails");
            learned = wrong = 0;

            for (at = 1; learn(*d, at, &learned, &wrong); at++) {
                /* void */
            }

            printf("# %s: %u calls, learned in spite of %u\n", name, at - 1,
                   learned);
            ok(at > 10 && wrong == 0, name);
        }
    }
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


int
main(void)
{
    test_learn();
    test_fetcher();

    return done();
}
