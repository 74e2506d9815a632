
/*
 * Copyright (C) The detemplate authors
 *
 * A WARC.  Its pages are the same whether or not their bodies are wanted, and
 * each can be read again from where it is said to begin.
 */


#include <string.h>

#include "core/web/warc.h"
#include "fuzz.h"


#define ARENA ((size_t) 32 << 20)
#define PAGES 256


typedef struct {
    const uint8_t *data;
    size_t size;
} input_t;

typedef struct {
    dt_warc_at_t at;
    const char *reason;
    size_t len;
    char url[64];
} seen_t;


static ssize_t
input_read(void *data, uint64_t offset, char *buf, size_t size)
{
    const input_t *in = data;
    size_t n = offset < in->size ? in->size - (size_t) offset : 0;

    n = n < size ? n : size;

    if (n) {
        memcpy(buf, in->data + offset, n);
    }

    return (ssize_t) n;
}


static void
see(const dt_warc_page_t *page, seen_t *s)
{
    memset(s, 0, sizeof(*s));
    s->at = page->at;
    s->reason = page->reason;
    s->len = page->body.len;
    memcpy(s->url, page->url.data,
           page->url.len < sizeof(s->url) ? page->url.len : sizeof(s->url));
}


/* reads all pages; returns their number */
static size_t
pages(dt_warc_t *w, int body, seen_t *seen)
{
    size_t n;
    dt_arena_t *a;
    dt_status_t rc = DT_OK;
    dt_warc_page_t page;

    for (n = 0; n < PAGES && rc == DT_OK; n += rc == DT_OK) {
        a = dt_arena_create(ARENA);
        fuzz_assert(a != NULL);
        rc = dt_warc_next(w, body, a, &page);

        if (rc == DT_OK) {
            fuzz_assert(page.url.len != 0);
            fuzz_assert(page.body.len <= 4u << 20);
            fuzz_assert(page.body.len == 0 || (body && page.reason == NULL));
            see(&page, &seen[n]);
        }

        dt_arena_destroy(a);
    }

    fuzz_assert(dt_warc_error(w) != NULL);

    return n;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static seen_t heads[PAGES], whole[PAGES], again[PAGES];
    size_t i, n;
    input_t in = { data, size };
    dt_arena_t *a;
    dt_warc_t *w;
    dt_warc_page_t page;

    w = dt_warc_create(input_read, &in);
    fuzz_assert(w != NULL);
    n = pages(w, 0, heads);
    dt_warc_destroy(w);

    w = dt_warc_create(input_read, &in);
    fuzz_assert(w != NULL);
    fuzz_assert(pages(w, 1, whole) == n);

    for (i = n; i-- > 0 && i + 8 > n;) {
        a = dt_arena_create(ARENA);
        fuzz_assert(a != NULL && dt_warc_seek(w, whole[i].at) == DT_OK);
        fuzz_assert(dt_warc_next(w, 1, a, &page) == DT_OK);
        see(&page, &again[i]);
        dt_arena_destroy(a);

        fuzz_assert(memcmp(heads[i].url, whole[i].url, sizeof(heads[i].url))
                    == 0);
        fuzz_assert(memcmp(again[i].url, whole[i].url, sizeof(heads[i].url))
                    == 0);
        fuzz_assert(again[i].len == whole[i].len);
        fuzz_assert(again[i].reason == whole[i].reason);
        fuzz_assert(heads[i].at.offset == whole[i].at.offset);
    }

    dt_warc_destroy(w);

    return 0;
}
