
/*
 * Copyright (C) The detemplate authors
 *
 * Template bytes that are anything, and good ones with bytes changed under a
 * checksum that is right: what passes the check is used, for serving, for
 * learning and to explain it.  An input is a row of changes: offset, offset,
 * value.
 */


#include "fuzz.h"
#include "sums.h"
#include "core/rules/compile.h"
#include "core/rules/explain.h"
#include "t/core/site.h"


#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>%</footer>"


static char *good;
static size_t good_len;
static buf_t page;


/* of each piece of the page it can be told why it stays */
static void
explain(const char *t, const dt_rules_t *rules, dt_arena_t *a)
{
    size_t i, n;
    dt_why_t why;
    dt_record_t *records;
    dt_explain_t *x;
    dt_template_info_t info;

    dt_template_info(t, &info);
    x = dt_explain_create(t, rules, a);

    if (x == NULL
        || dt_scan_records((dt_str_t){ page.len, page.data }, info.seed,
                           dt_str(SITE_HOST), dt_str("/x"), &records, &n)
               != DT_OK)
    {
        return;
    }

    for (i = 0; i < n; i++) {
        if (dt_explain(x, records[i].key, &why) == DT_OK) {
            fuzz_assert(why.pages && why.pages <= why.npages);
            fuzz_assert(why.votes <= why.nvotes && why.votes <= why.pages);
            fuzz_assert(why.question <= DT_QUESTION_SENTENCE);
        }

        if (dt_explain_shape(x, records[i].path, records[i].shape, &why)
            == DT_OK) {
            fuzz_assert(why.votes <= why.nvotes);
        }
    }

    free(records);
}


static void
use(const char *t, size_t len)
{
    dt_arena_t *a;
    dt_rules_t rules;
    result_t r;
    dt_evidence_t *c;
    dt_compiled_t out = { 0 };
    dt_template_info_t info;
    dt_compile_info_t ci = { .now = 1 };

    dt_template_info(t, &info);
    site_rewrite(t, DT_ANNOTATE, &page, &r);
    fuzz_assert(buf_eq(&r.unmarked, &page));
    result_free(&r);

    if (info.size != len) {
        return;
    }

    a = dt_arena_create((size_t) 32 << 20);
    dt_rules_init(&rules);
    rules.remain = 0;
    c = dt_evidence_create(t, &rules, 1, a);

    if (c != NULL) {
        (void) site_evidence(c, a, "http://" SITE_HOST "/x",
                             (dt_str_t){ page.len, page.data }, 1);

        (void) dt_compile(c, &ci, &out);
        free(out.bytes);
    }

    explain(t, &rules, a);
    dt_arena_destroy(a);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *t;
    size_t i, off;

    if (good == NULL) {
        good = site_learn(TEXT, sizeof(TEXT) - 1, &good_len);
        site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
        fuzz_assert(good != NULL);
    }

    t = malloc(good_len > size ? good_len : size + 1);
    fuzz_assert(t != NULL);
    memcpy(t, data, size);

    if (dt_template_check(t, size, NULL) == DT_OK) {
        use(t, size);
    }

    memcpy(t, good, good_len);

    for (i = 0; i + 2 < size; i += 3) {
        off = (data[i] | (size_t) data[i + 1] << 8) % good_len;
        t[off] = (char) data[i + 2];
    }

    fuzz_sums(t, good_len);

    if (dt_template_check(t, good_len, NULL) == DT_OK) {
        use(t, good_len);
    }

    free(t);

    return 0;
}
