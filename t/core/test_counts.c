
/*
 * Copyright (C) The detemplate authors
 *
 * The detectors that count: template-hash and shingles.
 */


#include "core/detect/counts.h"
#include "core/detect/detect.h"
#include "t/core/detect.h"


#define LONG                                                                  \
    "The quick brown fox jumps over the lazy dog, while eleven more "         \
    "foxes look on and say that nobody ever asked them to jump."


/* sampling keeps or drops a fragment on every page alike */
static void
test_sampling(void)
{
    dt_shingles_t a, b;
    unsigned common = 0, inside = 0, all;

    fresh();
    dt_shingles_make(parse("<p>" LONG), 16, 0, arena, &a);
    all = a.n;
    is_int(all, (long long) sizeof(LONG) - 15, "a fragment at each byte");

    dt_shingles_make(parse("<p>" LONG), 16, 4, arena, &a);
    ok(a.n > all / 8 && a.n < all / 2, "about one in four is kept");

    /* the same text behind others, in other elements and white space */
    dt_shingles_make(parse("<div>Before.<b>it</b> The  quick <i>brown</i>\n"
                           "fox<p>" LONG "</div>after"),
                     16, 4, arena, &b);

    for (uint32_t i = 0; i < a.n; i++) {
        for (uint32_t k = 0; k < b.n; k++) {
            if (a.hashes[i] == b.hashes[k]) {
                common++;
                break;
            }
        }
    }

    is_int(common, a.n, "what is kept on one page is kept on another");

    for (uint32_t k = 0; k < b.n; k++) {
        for (uint32_t i = 0; i <= a.len - 16; i++) {
            if (memcmp(b.text + b.at[k], a.text + i, 16) == 0) {
                inside++;
                break;
            }
        }
    }

    ok(inside >= a.n, "and the other way round");
    is_str(b.text, 31, "Before. it The quick brown fox ",
           "texts with a space between, white space folded");
}


/* a key page that is one of the pages has been counted once already */
static void
test_among(const char *detector, const char *text)
{
    char out[MAX_OUT];
    uint8_t in[64];
    const dt_dom_t *key, *pages[2];
    dt_detect_opts_t o;
    const dt_detector_t *d = dt_detector_find(dt_cstr(detector));

    fresh();
    dt_detect_opts_init(&o);
    key = parse(text);
    pages[0] = parse("<h1>x</h1>");
    pages[1] = key;

    is_int(dt_detect(d, key, pages, 2, &o, arena, in), DT_OK, detector);
    list(key, in, out);
    is_str(out, strlen(out), "", "nothing is on two pages");

    pages[0] = parse(text);
    is_int(dt_detect(d, key, pages, 2, &o, arena, in), DT_OK, detector);
    list(key, in, out);
    is_str(out, strlen(out), "p #", "something is");
}


/* more bytes than can be counted are sampled */
static void
test_bytes(void)
{
    char *text;
    size_t i, n = (1u << 21) + 100000;
    uint8_t in[64];
    const dt_dom_t *key, *pages[1];
    dt_detect_opts_t o;

    text = malloc(n + 1);
    if (text == NULL) {
        return;
    }

    memcpy(text, "<p>", 3);

    for (i = 3; i < n; i++) {
        text[i] = (char) ('a' + i * i % 23);
    }

    text[n] = '\0';
    fresh();
    dt_detect_opts_init(&o);
    o.shingle_density = 1;
    key = pages[0] = parse(text);
    is_int(dt_detect(dt_detector_find(dt_str("shingles")), key, pages, 1, &o,
                     arena, in),
           DT_OK, "2 MB of text");
    free(text);
}


int
main(void)
{
    test_sampling();
    test_among("template-hash", "<p>" LONG);
    test_among("shingles", "<p>" LONG);
    test_bytes();
    dt_arena_destroy(arena);

    return done();
}
