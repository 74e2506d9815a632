
/*
 * Copyright (C) The detemplate authors
 *
 * Each detector on two or three small pages: it ends, and says 0 or 1 of each
 * node.  The input is the pages, with NUL bytes between them; the last is the
 * key page.
 */


#include "core/detect/detect.h"
#include "core/dom/dom.h"
#include "t/fuzz/fuzz.h"


#define FUZZ_PAGES 3
#define FUZZ_NODES 4096


static void
fuzz_detect(const dt_detector_t *detector, const dt_dom_t *key,
            const dt_dom_t *const *pages, size_t n)
{
    static uint8_t out[FUZZ_NODES];
    dt_detect_opts_t o;
    dt_arena_t *a = dt_arena_create((size_t) 256 << 20);

    dt_detect_opts_init(&o);
    memset(out, 7, sizeof(out));
    fuzz_assert(dt_detect(detector, key, pages, n, &o, a, out) == DT_OK);

    for (uint32_t i = 0; i < key->n; i++) {
        fuzz_assert(out[i] <= 1);
    }

    dt_arena_destroy(a);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n = 0, len;
    dt_dom_t *dom;
    dt_arena_t *a;
    dt_dom_opts_t o;
    const uint8_t *end;
    const dt_dom_t *pages[FUZZ_PAGES];

    a = dt_arena_create((size_t) 64 << 20);
    dt_dom_opts_init(&o);
    o.max_nodes = FUZZ_NODES;

    for (; n < FUZZ_PAGES; data += len, size -= len) {
        end = size && n + 1 < FUZZ_PAGES ? memchr(data, '\0', size) : NULL;
        len = end ? (size_t) (end - data) : size;

        if (dt_dom_parse(fuzz_str(data, len), &o, a, &dom) != DT_OK) {
            break;
        }

        pages[n++] = dom;

        if (end == NULL) {
            break;
        }

        len++;
    }

    for (size_t i = 0; n > 1 && dt_detectors[i] != NULL; i++) {
        fuzz_detect(dt_detectors[i], pages[n - 1], pages, n - 1);
        fuzz_detect(dt_detectors[i], pages[0], pages, n);
    }

    dt_arena_destroy(a);

    return 0;
}
