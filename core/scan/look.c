
/* Start tags that are worth a closer look. */


#include "core/scan/look.h"


/* the bit of a word, which has a byte at least */
static inline unsigned
dt_look_word(const char *p, size_t len)
{
    return ((unsigned char) p[0] * 5u + (unsigned char) p[len - 1] * 11u
            + (unsigned) len * 37u)
           & 255;
}


void
dt_look_add(dt_look_t *look, const char *p, size_t len)
{
    unsigned bit = dt_look_word(p, len);

    look->values[bit / 64] |= (uint64_t) 1 << bit % 64;
    look->begins[p[0] & 31] |= len > 1 ? 1u << (p[1] & 31) : UINT32_MAX;
}


/* whether the word at p, of a value that ends at end, may be looked for */
static int
dt_look_is(const dt_look_t *look, const char *p, const char *end)
{
    size_t len;
    unsigned bit;

    for (len = 0; p + len < end && (unsigned char) p[len] > 0x20; len++) {
        /* void */
    }

    bit = len ? dt_look_word(p, len) : 0;

    return len && look->values[bit / 64] >> bit % 64 & 1;
}


/* whether a word that begins at p, which is followed by a byte, may be */
static inline int
dt_look_begins(const dt_look_t *look, const char *p)
{
    return look->begins[p[0] & 31] >> (p[1] & 31) & 1;
}


/* the same where no block can be read */
static int
dt_look_bytes(const dt_look_t *look, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == '&'
            || ((unsigned char) p[-1] <= 0x20 && dt_look_is(look, p, end))) {
            return 1;
        }
    }

    return 0;
}


int
dt_look_value(const dt_look_t *look, const char *p, const char *end,
              const char *limit)
{
    size_t n;
    dt_mask_t m;
    dt_block_t b;

    if (p < end && dt_look_begins(look, p) && dt_look_is(look, p, end)) {
        return 1;
    }

    for (; p < end; p += DT_BLOCK) {
        if (limit - p < DT_BLOCK) {
            return dt_look_bytes(look, p, end);
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

            if (p[n - 1] == '&'
                || (dt_look_begins(look, p + n)
                    && dt_look_is(look, p + n, end)))
            {
                return 1;
            }
        }
    }

    return 0;
}
