
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
}


int
dt_look_value(const dt_look_t *look, const char *p, const char *end)
{
    int reference = 0; /* which may be any word */
    unsigned bit;
    const char *word;

    while (p < end) {
        for (word = p; p < end && (unsigned char) *p > 0x20; p++) {
            reference |= *p == '&';
        }

        if (p > word) {
            bit = dt_look_word(word, (size_t) (p - word));

            if (look->values[bit / 64] >> bit % 64 & 1) {
                return 1;
            }
        }

        p++;
    }

    return reference;
}
