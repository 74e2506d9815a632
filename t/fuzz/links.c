
/*
 * Copyright (C) The detemplate authors
 *
 * The links of a page, in their order: each once, none to the page itself or
 * to another site.
 */


#include "core/dom/dom.h"
#include "core/learn/links.h"
#include "fuzz.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t i, n;
    dt_dom_t *dom;
    dt_url_t url;
    dt_links_t links;
    dt_arena_t *a;
    dt_dom_opts_t o;

    a = dt_arena_create((size_t) 64 << 20);
    dt_dom_opts_init(&o);
    (void) dt_url_resolve(NULL, dt_str("http://a.example/b/c.html"), a, &url);

    if (dt_dom_parse(fuzz_str(data, size), &o, a, &dom) == DT_OK
        && dt_links_collect(dom, &url, a, &links) == DT_OK)
    {
        n = links.n;
        fuzz_assert(n <= DT_LINKS_MAX);
        (void) dt_links_order(dom, &links, 10, a);
        fuzz_assert(links.n == n);

        for (i = 0; i < n; i++) {
            fuzz_assert(links.links[i].node < dom->n);
            fuzz_assert(dt_url_same_site(&links.links[i].url, &url));
            fuzz_assert(!dt_str_eq(links.links[i].url.href, url.href));
            fuzz_assert(i == 0
                        || !dt_str_eq(links.links[i].url.href,
                                      links.links[i - 1].url.href));
        }
    }

    dt_arena_destroy(a);

    return 0;
}
