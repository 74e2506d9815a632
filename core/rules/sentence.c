
/*
 * Copyright (C) The detemplate authors
 *
 * Texts between which there are only tags of inline elements are one line of
 * a page.  Words of a line are a sentence, and go as a whole or stay, with two
 * exceptions: what a separator tells apart ("Home | Help"), and links beside
 * links, which are a list.
 */


#include "core/rules/sentence.h"


#define DT_SENTENCE_PARTS 16 /* neighbours that are looked at */


/* what is inline, besides links and what only says how text looks */
static const char *const dt_sentence_inline[] = {
    "abbr", "cite", "code", "dfn", "kbd",  "mark",
    "q",    "samp", "sub",  "sup", "time", "var",
};

/* separators that are not in ASCII: two bytes, then three */
static const char dt_sentence_two[][3] = { "\xc2\xb7", "\xc2\xab",
                                           "\xc2\xbb" };
static const char dt_sentence_three[][4] = {
    "\xe2\x80\xa2", "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x80\xb9",
    "\xe2\x80\xba", "\xe2\x86\x90", "\xe2\x86\x92",
};


static int
dt_sentence_is_inline(uint64_t name)
{
    size_t i;
    const char *s;
    const dt_tag_t *tag = dt_tag_find(name);

    if (tag->kind == DT_TAG_A
        || (tag->flags & (DT_TAG_STYLE | DT_TAG_CLOSES_P)) == DT_TAG_STYLE)
    {
        return 1;
    }

    for (i = 0; i < sizeof(dt_sentence_inline) / sizeof(char *); i++) {
        s = dt_sentence_inline[i];

        if (name == dt_name_fold(s, s + strlen(s))) {
            return 1;
        }
    }

    return 0;
}


/* whether there are only tags of inline elements, and white space */
static int
dt_sentence_joined(const char *p, const char *end)
{
    const char *name;

    while (p < end) {
        if (dt_char_is(*p, DT_C_SPACE)) {
            p++;
            continue;
        }

        if (*p != '<') {
            return 0;
        }

        p += 1 + (end - p > 1 && p[1] == '/');

        for (name = p; p < end && !dt_char_is(*p, DT_C_NAME_END); p++) {
            /* void */
        }

        if (!dt_sentence_is_inline(dt_name_fold(name, p))) {
            return 0;
        }

        p = dt_find(p, end, '>');
        p += p < end;
    }

    return 1;
}


/* whether what begins at p, or ends there, is a separator */
static int
dt_sentence_separator(const char *p, size_t len, int at_end)
{
    size_t i;
    const char *q;

    q = at_end ? p + len - 1 : p;

    /* an end that is a character reference is most likely a sign */

    if (strchr("|/[]<>*#", *q) != NULL || *q == (at_end ? ';' : '&')) {
        return 1;
    }

    for (i = 0; len >= 2 && i < sizeof(dt_sentence_two) / 3; i++) {
        if (memcmp(at_end ? p + len - 2 : p, dt_sentence_two[i], 2) == 0) {
            return 1;
        }
    }

    for (i = 0; len >= 3 && i < sizeof(dt_sentence_three) / 4; i++) {
        if (memcmp(at_end ? p + len - 3 : p, dt_sentence_three[i], 3) == 0) {
            return 1;
        }
    }

    return 0;
}


/* whether text says anything; else it is punctuation */
static int
dt_sentence_words(const char *p, size_t len)
{
    for (; len; p++, len--) {
        if (dt_char_is(*p, DT_C_ALPHA) || (*p >= '0' && *p <= '9')
            || (unsigned char) *p >= 0x80)
        {
            return 1;
        }
    }

    return 0;
}


/* the link that a record is in, UINT32_MAX: none */
static uint32_t
dt_sentence_link(const dt_record_t *r, uint32_t i)
{
    while (i != UINT32_MAX && dt_tag_find(r[i].name)->kind != DT_TAG_A) {
        i = r[i].parent;
    }

    return i;
}


/* text other is beside text i and what is around it, up to what holds both */
static void
dt_sentence_up(const dt_record_t *r, uint32_t i, uint32_t other,
               uint32_t *beside)
{
    for (; i != UINT32_MAX; i = r[i].parent) {
        if (r[i].start <= r[other].start && r[i].end >= r[other].end) {
            break;
        }

        beside[i] = other;
    }
}


void
dt_sentence_beside(dt_str_t src, const dt_record_t *r, size_t n,
                   uint32_t *beside)
{
    size_t len;
    uint32_t i, link, said = UINT32_MAX, end = 0;
    const char *text;

    for (i = 0; i < n; i++) {
        beside[i] = UINT32_MAX;
    }

    for (i = 0; i < n; i++) {
        if (r[i].name || r[i].start < end || r[i].end > src.len
            || r[i].start == r[i].end)
        {
            continue;
        }

        text = src.data + r[i].start;
        len = r[i].end - r[i].start;

        if (!dt_sentence_joined(src.data + end, text)
            || dt_sentence_separator(text, len, 0))
        {
            said = UINT32_MAX;
        }

        end = r[i].end;

        if (dt_sentence_words(text, len)) {
            link = dt_sentence_link(r, i);

            if (said != UINT32_MAX
                && (link == UINT32_MAX || link == dt_sentence_link(r, said)
                    || dt_sentence_link(r, said) == UINT32_MAX))
            {
                dt_sentence_up(r, i, said, beside);
                dt_sentence_up(r, said, i, beside);
            }

            said = i;
        }

        if (dt_sentence_separator(text, len, 1)) {
            said = UINT32_MAX;
        }
    }
}


void
dt_sentence_decide(const dt_evidence_t *ev, dt_verdict_t *v)
{
    int again = 1;
    uint32_t i;
    unsigned n;
    const dt_pattern_t *e = ev->patterns.elts, *beside;

    /* what stays keeps its neighbour, and that the next one */

    for (n = 0; again && n < DT_SENTENCE_PARTS; n++) {
        again = 0;
        dt_guard_gone(ev, v);

        for (i = 0; i < ev->patterns.n; i++) {
            if (v[i].cut == 0 || e[i].beside == 0) {
                continue;
            }

            beside = dt_index_find(&ev->patterns, e[i].beside);

            if (beside == NULL || v[beside - e].gone == 0) {
                v[i].cut = 0;
                again = 1;
            }
        }
    }
}
