
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/dt.h"
#include "core/base/tags.h"
#include "test.h"


#define TAGS (sizeof(dt_tags) / sizeof(dt_tags[0]))

static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";


static int
is_named(dt_str_t s, int is, const char *name)
{
    return is_int(dt_tag_named(s.data, s.len)->is, is, name);
}


/* s has the number of h1, and is not h1 */
static void
is_forged(dt_str_t s, const char *name)
{
    is_int(dt_tag_find(dt_name_fold(s.data, s.data + s.len))->is,
           DT_IS_SVG_END, name);
    is_named(s, 0, "and is another name");
}


/* how many names of letters and digits have a tag's number and length */
static unsigned
count_names(const dt_tag_t *tag)
{
    unsigned found = 0, plain;
    uint64_t head, tail, tails = 1;
    size_t n = strlen(letters);

    for (unsigned i = 8; i < tag->len; i++) {
        tails *= n;
    }

    for (uint64_t k = 0; k < tails; k++) {
        tail = 0;

        for (uint64_t i = 8, rest = k; i < tag->len; i++, rest /= n) {
            tail |= (uint64_t) letters[rest % n] << 8 * (i - 8);
        }

        head = tag->name ^ tail * DT_NAME_FOLD;
        plain = 1;

        for (int i = 0; i < 8 && plain; i++) {
            plain = memchr(letters, (int) (head >> 8 * i & 0xff), n) != NULL;
        }

        found += plain;
    }

    return found;
}


static void
test_table(void)
{
    unsigned names = 0, there = 0, longer = 0;

    for (size_t i = 0; i < TAGS; i++) {
        if (dt_tags[i].name == 0) {
            continue;
        }

        names++;
        there += dt_tag_find(dt_tags[i].name) == &dt_tags[i];

        if (dt_tags[i].len > 8) {
            longer++;
            is_int(count_names(&dt_tags[i]), 1, "no other name is that one");
        }
    }

    is_int(there, names, "each name is where it is looked for");
    is_int(longer, 3, "long names");
}


static void
test_names(void)
{
    is_named(dt_str("h1"), DT_IS_SVG_END, "a name");
    is_named(dt_str("H1"), DT_IS_SVG_END, "in upper case");
    is_named(dt_str("BlockQuote"), DT_IS_SVG_END | DT_IS_PART, "a long name");
    is_named(dt_str("plaintext"), DT_IS_RAW, "another");
    is_named(dt_str("blockquot"), 0, "a byte less");
    is_named(dt_str("blockquotes"), 0, "a byte more");
    is_named(dt_str("textarea"), DT_IS_RAW | DT_IS_SELECT_END, "eight bytes");
    is_named(dt_str("mistake"), 0, "no name");
    is_named(dt_str(""), 0, "nothing");

    is_forged(dt_str("h\x11"), "a control byte becomes a digit");
    is_forged(dt_str("sax2dqv5o7tk"), "a long name has a short one's number");
}


int
main(void)
{
    test_table();
    test_names();

    return done();
}
