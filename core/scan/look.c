
/*
 * Copyright (C) The detemplate authors
 */


#include "core/scan/look.h"


#define dt_look_slot(word) ((size_t) (0x9e3779b97f4a7c15u * (word) >> 56))


/* the first bytes of the word at p, of which there are at most len; none: 0 */
static inline uint64_t
dt_look_word(const char *p, size_t len)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = dt_load64(p), white;
    size_t n;

    /* of the bytes up to the space, the first has its highest bit in white */

    white = (word - ones * 0x21) & ~word & ones * 0x80;
    n = white ? (size_t) __builtin_ctzll(white) / 8 : 8;

    return word & dt_name_masks[n < len ? n : len];
}


static inline uint64_t
dt_look_is(const dt_look_t *look, const char *p, const char *end)
{
    uint64_t word;
    size_t i;

    if (!dt_look_starts(look, p)) {
        return 0;
    }

    word = dt_look_word(p, (size_t) (end - p));
    i = dt_look_slot(word);

    for (; look->words[i]; i = (i + 1) % DT_LOOK_WORDS) {
        if (look->words[i] == word) {
            return look->whose[i];
        }
    }

    return 0;
}


void
dt_look_add(dt_look_t *look, const char *p, size_t len, uint64_t whose)
{
    char bytes[8] = { 0 };
    uint64_t word;
    size_t i;

    memcpy(bytes, p, len < 8 ? len : 8);
    word = dt_load64(bytes);

    for (i = dt_look_slot(word); look->words[i] && look->words[i] != word;
         i = (i + 1) % DT_LOOK_WORDS)
    {
        /* void */
    }

    look->words[i] = word;
    look->whose[i] |= whose;
    look->starts[p[0] & 31] |= len > 1 ? 1u << (p[1] & 31) : UINT32_MAX;
}


uint64_t
dt_look_value(const dt_look_t *look, const char *p, const char *end,
              const char *limit)
{
    size_t n;
    uint64_t whose;
    dt_mask_t m;
    dt_block_t b;

    if (limit - p < 8) {
        return UINT64_MAX;
    }

    for (whose = dt_look_is(look, p, end); p < end; p += DT_BLOCK) {
        if (limit - p < DT_BLOCK + 8) {
            return UINT64_MAX;
        }

        b = dt_block_load(p);
        m = dt_block_mask(
            dt_block_or(dt_block_le(b, ' '), dt_block_eq(b, '&')));

        for (; m; m &= m - 1) {
            n = dt_mask_first(m) + 1;

            if (n >= (size_t) (end - p)) {
                break;
            }

            /* a reference may be any word */

            if (p[n - 1] == '&') {
                return UINT64_MAX;
            }

            whose |= dt_look_is(look, p + n, end);
        }
    }

    return whose;
}
