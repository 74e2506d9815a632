
/*
 * Copyright (C) The detemplate authors
 *
 * Learns a site from a random sample of its pages, and then from those of them
 * that show little of its template, as nginx does.  The pages of a site may
 * have several designs, and the first sample may have missed one.
 */


#include <stdlib.h>

#include "core/learn/learn.h"
#include "core/learn/links.h"
#include "core/template/template.h"
#include "cli_extract.h"


#define DT_PAGE_KEYS 4     /* key pages that are learned from, */
#define DT_PAGE_TRIES 64   /* and looked at */
#define DT_PAGE_NAMED 4000 /* pages of a site that are drawn from */
#define DT_PAGE_FEW 4      /* pages of a site that has hardly any */
#define DT_PAGE_AGAIN 6    /* times that a site is learned again */
#define DT_PAGE_LOW 10     /* one page of so many may show less than usual, */
#define DT_PAGE_LITTLE 50  /* and one of so many hardly anything */
#define DT_PAGE_GAIN 102   /* percent of the words before that are worth it */


/* the pages of a site, as the learning asks for them */
typedef struct {
    uint64_t key;
    uint32_t page;
} dt_known_t;

typedef struct {
    dt_extract_t *x;
    dt_arena_t *arena;
    dt_index_t known; /* dt_known_t */
    dt_extract_shown_t *shown;
    size_t n;
    const char **named; /* URLs of those that the next learning draws from */
    size_t nnamed;
    size_t nlittle; /* pages that show hardly anything of the template */
    uint64_t words; /* of template on all of them */
} dt_extract_sample_t;


/* finds a page by its URL; NULL: it is not in the sources */
static const dt_known_t *
dt_sample_find(const dt_extract_sample_t *s, const char *url, dt_arena_t *a)
{
    dt_url_t u;

    return dt_url_resolve(NULL, dt_cstr(url), a, &u) == DT_OK
               ? dt_index_find(&s->known, dt_links_key(&u))
               : NULL;
}


/* whether a page is in the sources: a link to another one costs nothing */
static int
dt_sample_has(void *data, const char *target)
{
    int has = 0;
    char url[DT_URL_MAX + 16];
    dt_arena_t *a = dt_arena_create(64 * 1024);

    if (a != NULL
        && snprintf(url, sizeof(url), "http://site%s", target)
               < (int) sizeof(url))
    {
        has = dt_sample_find(data, url, a) != NULL;
    }

    dt_arena_destroy(a);

    return has;
}


/* a dt_fetch_pt: the learning's pages are those of the sources */
static void
dt_sample_fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    dt_str_t body, type;
    const char *why;
    dt_extract_sample_t *s = data;
    const dt_known_t *known = dt_sample_find(s, url, a);

    if (known == NULL) {
        out->rc = DT_DECLINED;
        out->status = 404;
        out->reason = "status";
        (void) snprintf(out->errstr, sizeof(out->errstr), "not in the source");
        return;
    }

    why = dt_extract_read(s->x, &s->x->pages[known->page], a, &body, &type);

    if (why != NULL) {
        out->rc = DT_DECLINED;
        out->reason = "file";
        (void) snprintf(out->errstr, sizeof(out->errstr), "%s", why);
        return;
    }

    out->rc = DT_OK;
    out->status = 200;
    out->body = body;
    out->type = dt_str("text/html");
    out->url = dt_cstr(dt_extract_string(s->x, s->x->pages[known->page].url));
    out->reason = "ok";
}


/* the next of a row of numbers that look random, and are always the same */
static uint64_t
dt_sample_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;

    return z ^ z >> 31;
}


/* notes all pages of a site, and draws some, each with the same chance */
static dt_status_t
dt_sample_draw(dt_extract_sample_t *s, const dt_extract_site_t *site)
{
    size_t seen = 0, at;
    uint32_t i;
    uint64_t state = 1;
    dt_url_t u;
    dt_arena_t *a;
    dt_known_t *known;
    const char *url;

    s->named = dt_arena_calloc(s->arena, DT_PAGE_NAMED, sizeof(char *));
    s->shown =
        dt_arena_calloc(s->arena, DT_PAGE_NAMED, sizeof(dt_extract_shown_t));

    if (s->named == NULL || s->shown == NULL
        || dt_index_init(&s->known, sizeof(dt_known_t), s->arena) != DT_OK)
    {
        return DT_ENOMEM;
    }

    for (i = site->first; i != UINT32_MAX; i = s->x->pages[i].next) {
        url = dt_extract_string(s->x, s->x->pages[i].url);
        a = dt_arena_create(64 * 1024);

        if (a == NULL || dt_url_resolve(NULL, dt_cstr(url), a, &u) != DT_OK) {
            dt_arena_destroy(a);
            return DT_ENOMEM;
        }

        known = dt_index_get(&s->known, dt_links_key(&u), DT_EXTRACT_PAGES,
                             s->arena);
        dt_arena_destroy(a);

        if (known == NULL) {
            return DT_ENOMEM;
        }

        known->page = i;
        at = seen < DT_PAGE_NAMED
                 ? seen
                 : (size_t) (dt_sample_next(&state) % (seen + 1));
        seen++;

        if (at < DT_PAGE_NAMED) {
            s->shown[at].page = i;
            s->shown[at].url = url;
            s->n += s->n < DT_PAGE_NAMED;
        }
    }

    return DT_OK;
}


/* learns from a key page, and from others at random */
static dt_status_t
dt_sample_learn(dt_extract_sample_t *s, const char *key,
                const dt_learned_t *prev, dt_learned_t *l)
{
    dt_learn_opts_t o;
    const dt_cli_args_t *args = s->x->args;

    dt_learn_opts_init(&o);
    o.url = key;
    o.loads = args->loads ? args->loads : o.loads;

    /* on top of earlier evidence, half of the loads are pages that it has */

    if (prev->bytes != NULL && 2 * s->nnamed + DT_PAGE_KEYS < o.loads) {
        o.loads = 2 * (unsigned) s->nnamed + DT_PAGE_KEYS;
    }

    o.named = s->named;
    o.nnamed = s->nnamed;
    o.given = 1;
    o.still = 1;
    o.fetch = dt_sample_fetch;
    o.fetch_data = s;
    o.has = dt_sample_has;
    o.has_data = s;
    o.prev = prev->bytes;
    o.prev_len = prev->len;
    o.seed = 1; /* the same pages give the same template, at any time */
    o.now = 1;

    /* these are all pages that there are, and no author's part of more */

    if (s->n <= DT_PAGE_FEW) {
        o.rules.outside = 1;
    }

    return dt_learn(&o, l);
}


/* learns a template from the pages that are named, on top of prev; *seed is
   that of the choice of key pages */
static dt_status_t
dt_sample_template(dt_extract_sample_t *s, uint64_t *seed,
                   const dt_learned_t *prev, dt_learned_t *l)
{
    size_t k = 0, n;
    dt_status_t rc = DT_OK;

    memset(l, 0, sizeof(*l));

    /* a key page that cannot be used says nothing about the site */

    for (n = 0; rc == DT_OK && k < DT_PAGE_KEYS && n < DT_PAGE_TRIES
                && n < s->nnamed && !l->patterns;
         n++)
    {
        dt_learned_free(l);
        rc = dt_sample_learn(s, s->named[dt_sample_next(seed) % s->nnamed],
                             prev, l);
        rc = rc == DT_DECLINED ? DT_OK : rc;
        k += l->reason == NULL || strcmp(l->reason, "key-page") != 0;
    }

    return rc;
}


/*
 * Counts the words of template on each page, and names those that show little
 * of it.
 */
static void
dt_sample_measure(dt_extract_sample_t *s, const void *tmpl)
{
    size_t i;
    dt_extract_shown_t *p;

    s->words = 0;
    s->nnamed = 0;
    s->nlittle = 0;

    for (i = 0; i < s->n; i++) {
        p = &s->shown[i];
        p->words = dt_extract_words(s->x, &s->x->pages[p->page], tmpl);
        p->nothing = tmpl == NULL
                     || dt_template_low(tmpl, DT_EXTRACT_LITTLE * p->words);
        s->nlittle += p->nothing;
        s->words += p->words;

        if (tmpl == NULL || dt_template_low(tmpl, p->words)) {
            s->named[s->nnamed++] = p->url;
        }
    }
}


/*
 * Learns again from the pages that show little of the template, as long as
 * that finds more of it.
 */
static dt_status_t
dt_sample_again(dt_extract_sample_t *s, uint64_t *seed, dt_learned_t *l)
{
    unsigned n;
    uint64_t words = 0;
    dt_status_t rc = DT_OK;
    dt_learned_t next;

    for (n = 0; n < DT_PAGE_AGAIN && s->nnamed
                && (s->nnamed * DT_PAGE_LOW >= s->n
                    || s->nlittle * DT_PAGE_LITTLE >= s->n)
                && s->words * 100 >= words * DT_PAGE_GAIN;
         n++)
    {
        words = s->words;
        rc = dt_sample_template(s, seed, l, &next);

        if (rc != DT_OK || !next.patterns
            || (dt_sample_measure(s, next.bytes), s->words <= words))
        {
            dt_learned_free(&next);
            break;
        }

        dt_learned_free(l);
        *l = next;
    }

    return rc;
}


/* learns the site; dirs gets the names of directories that are other sites */
static dt_status_t
dt_sample_site(dt_extract_sample_t *s, dt_learned_t *l, dt_cli_buf_t *dirs)
{
    uint64_t seed = 2;
    dt_status_t rc;
    dt_learned_t none;

    memset(&none, 0, sizeof(none));
    dt_sample_measure(s, NULL);
    rc = dt_sample_template(s, &seed, &none, l);

    if (rc == DT_OK) {
        dt_sample_measure(s, l->patterns ? l->bytes : NULL);

        rc = dt_extract_split(s->shown, s->n, dirs) == 0 && l->patterns
                 ? dt_sample_again(s, &seed, l)
                 : rc;
    }

    return rc;
}


void
dt_extract_learn(void *data, uint32_t i, dt_cli_buf_t *b,
                 dt_extract_done_t *done)
{
    dt_extract_t *x = data;
    dt_status_t rc;
    dt_learned_t l;
    dt_cli_buf_t dirs = { 0 };
    dt_extract_sample_t s;
    dt_extract_site_t *site = dt_extract_site(x, x->todo[i]);

    memset(&s, 0, sizeof(s));
    memset(&l, 0, sizeof(l));
    s.x = x;
    s.arena = dt_arena_create((size_t) 1 << 30);

    rc = s.arena != NULL ? dt_sample_draw(&s, site) : DT_ENOMEM;

    rc = rc == DT_OK ? dt_sample_site(&s, &l, &dirs) : rc;

    if (rc == DT_OK && l.patterns) {
        dt_cli_buf_add(b, l.bytes, l.len);

    } else {
        (void) snprintf(done->reason, sizeof(done->reason), "no-template");
        (void) snprintf(done->what, sizeof(done->what),
                        "%.120s: no template: %s",
                        dt_extract_string(x, site->name),
                        rc == DT_ENOMEM ? "out of memory"
                        : l.reason      ? l.reason
                                        : dt_strstatus(rc));
    }

    dt_cli_buf_add(b, dirs.data, dirs.len);
    done->dirs = (uint32_t) dirs.len;
    b->failed |= dirs.failed;

    free(dirs.data);
    dt_learned_free(&l);
    dt_arena_destroy(s.arena);
}
