
/*
 * Copyright (C) The detemplate authors
 *
 * A page gives text that is UTF-8, the same whatever stands behind the page in
 * memory, and takes no more memory than is said.  The first byte says what is
 * written and what the page's charset is, the second the rest.
 */


#include <malloc.h>
#include <string.h>

#include "core/html/reference.h"
#include "core/text/page.h"
#include "core/text/state.h"
#include "core/text/text.h"
#include "fuzz.h"


typedef struct {
    char *data;
    size_t len;
    size_t size;
} text_t;


/* the memory of a conversion; the linker has its calls come here */

static int counted;
static size_t used, most;

void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);


void *
__wrap_realloc(void *p, size_t size)
{
    used -= counted ? malloc_usable_size(p) : 0;
    p = __real_realloc(p, size);
    fuzz_assert(p != NULL);

    used += counted ? malloc_usable_size(p) : 0;
    most = used > most ? used : most;

    return p;
}


void *
__wrap_malloc(size_t size)
{
    return __wrap_realloc(NULL, size);
}


void
__wrap_free(void *p)
{
    used -= counted ? malloc_usable_size(p) : 0;
    __real_free(p);
}


static int
text_out(void *data, const char *p, size_t len)
{
    text_t *t = data;

    while (t->len + len > t->size) {
        t->size = t->size ? 2 * t->size : 4096;
        t->data = __real_realloc(t->data, t->size);
        fuzz_assert(t->data != NULL);
    }

    memcpy(t->data + t->len, p, len);
    t->len += len;

    return 0;
}


/* of a copy, so that nobody reads beyond it unnoticed */
static void
convert(dt_text_opts_t *o, const char *p, size_t len, text_t *to)
{
    char *copy = malloc(len + !len);

    memset(to, 0, sizeof(*to));
    o->out = text_out;
    o->out_data = to;
    most = 0;

    fuzz_assert(copy != NULL);
    memcpy(copy, p, len);
    counted = 1;
    fuzz_assert(dt_text_page(o, (dt_str_t){ len, copy }, NULL) == DT_OK);
    counted = 0;
    free(copy);

    /* what grows is copied, to twice as much; a byte of a page may be three of
       UTF-8, and a cell a mark for each column; a line waits beside another */
    fuzz_assert(used == 0);
    fuzz_assert(most <= sizeof(dt_text_t) + 80 * 1024 + 64 * len
                            + (o->json ? 6u * 64 * 1024 : 0));
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const charsets[] = {
        "",        "utf-8",  "windows-1251", "shift_jis",
        "gb18030", "euc-kr", "iso-2022-jp",  "big5"
    };
    int n;
    size_t i;
    text_t text, again;
    uint32_t c;
    dt_text_opts_t o = { 0 };
    const char *page = (const char *) data + 2;

    if (size < 2) {
        return 0;
    }

    size -= 2;
    o.plain = data[0] & 1u;
    o.hidden = data[1] & 1u;
    o.front = data[0] >> 1 & 1u;
    o.json = (data[1] & 3u) == 2;
    o.anchors = data[1] >> 2 & 1u;
    o.xml = data[0] >> 6 == 3 ? 0 : data[0] >> 6 & 3u;
    o.url = data[0] & 4 ? dt_str("") : dt_str("https://a.test/d/p?q#f");
    o.charset = dt_cstr(charsets[data[0] >> 3 & 7]);

    convert(&o, page, size, &text);
    convert(&o, page, size, &again);

    fuzz_assert(
        text.len == again.len
        && (text.len == 0 || memcmp(text.data, again.data, text.len) == 0));

    for (i = 0; i < text.len; i += (size_t) n) {
        n = dt_utf8_get(text.data + i, text.data + text.len, &c);
        fuzz_assert(n > 0);
    }

    free(text.data);
    free(again.data);

    return 0;
}
