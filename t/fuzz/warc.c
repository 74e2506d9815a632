
/*
 * Copyright (C) The detemplate authors
 *
 * A WARC.  Its pages are the same whether or not their bodies are wanted, and
 * each can be read again from where it is said to begin.  An input that begins
 * with a byte below 8 is only a body, between two records: the byte says how
 * it is encoded.
 */


#include <stdio.h>
#include <string.h>

#include "core/web/warc.h"
#include "fuzz.h"
#include "input.h"


#define ARENA ((size_t) 32 << 20)
#define PAGES 256
#define BODY ((size_t) 1 << 20)


typedef struct {
    dt_warc_at_t at;
    const char *reason;
    size_t len;
    char url[64];
} seen_t;


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


/* puts a body into a record, with another one behind it */
static size_t
record(char *out, unsigned how, const uint8_t *body, size_t len)
{
    static const char *const codings[] = { "", "Content-Encoding: deflate\r\n",
                                           "Content-Encoding: br\r\n",
                                           "Content-Encoding: x\r\n" };
    static const char last[] =
        "\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n"
        "WARC-Target-URI: http://b/\r\nContent-Length: 43\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Type:text/html\r\n\r\n";
    char http[256];
    size_t n, head;

    head = (size_t) snprintf(http, sizeof(http),
                             "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                             "%s%s\r\n",
                             codings[how & 3],
                             how & 4 ? "Transfer-Encoding: chunked\r\n" : "");
    n = (size_t) snprintf(out, 512,
                          "WARC/1.0\r\nWARC-Type: response\r\n"
                          "WARC-Target-URI: http://a/\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          head + len, http);
    memcpy(out + n, body, len);
    memcpy(out + n + len, last, sizeof(last) - 1);

    return n + len + sizeof(last) - 1;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char made[BODY + 1024];
    static seen_t heads[PAGES], whole[PAGES], again[PAGES];
    int body;
    size_t i, n;
    input_t in = { data, size };
    dt_arena_t *a;
    dt_warc_t *w;
    dt_warc_page_t page;

    body = size && data[0] < 8 && size <= BODY;

    if (body) {
        in.size = record(made, data[0], data + 1, size - 1);
        in.data = (const uint8_t *) made;
    }

    w = dt_warc_create(input_read, &in);
    fuzz_assert(w != NULL);
    n = pages(w, 0, heads);
    fuzz_assert(!body || n == 2);
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
