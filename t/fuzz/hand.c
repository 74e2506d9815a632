
/*
 * Copyright (C) The detemplate authors
 *
 * An input is a selector and a start tag, a line each.  A selector that is
 * read matches the same tag again, and a tag that it matches is one that is
 * looked at.
 */


#include <stdlib.h>

#include "core/scan/hand.h"
#include "fuzz.h"


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy, *tag, errstr[DT_ERRSTR];
    size_t len;
    uint64_t outer;
    dt_token_t t;
    dt_hand_kind_t kind;
    const uint8_t *nl;
    static dt_hand_t h;

    nl = memchr(data, '\n', size);
    len = nl ? (size_t) (nl - data) : size;
    copy = malloc(len + 1);
    memcpy(copy, data, len);
    copy = realloc(copy, len ? len : 1);
    dt_hand_init(&h);

    if (dt_hand_add(&h, DT_HAND_FORCE, (dt_str_t){ len, copy }, errstr)
        != DT_OK) {
        fuzz_assert(strlen(errstr) > 5);
    }

    size -= len + (nl != NULL);
    data += len + (nl != NULL);
    tag = malloc(size + 1);
    tag[0] = '<';
    memcpy(tag + 1, data, size);

    t.look = &h.look;

    if (size && (tag[1] | 0x20) >= 'a' && (tag[1] | 0x20) <= 'z'
        && dt_token_read(&t, tag + 1, tag + 1 + size) != NULL)
    {
        t.start = tag;
        kind = dt_hand_match(&h, &t, ~0ull, &outer);
        fuzz_assert(t.found || dt_look_tagged(&h.look, t.name)
                    || (kind == DT_HAND_NONE && outer == 0));
    }

    free(copy);
    free(tag);

    return 0;
}
