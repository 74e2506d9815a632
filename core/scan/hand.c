
/*
 * Copyright (C) The detemplate authors
 *
 * Selectors: they are read once, and compared with start tags.  Few tags of a
 * page match any, so most are ruled out by dt_look_t, while the end of the tag
 * is looked for.
 */


#include <stdio.h>

#include "core/base/dt.h"
#include "core/scan/hand.h"
#include "core/html/reference.h"


/* a selector that is being read */
typedef struct {
    const char *p;
    const char *end;
    const char *error;
} dt_hand_read_t;

/* which tests of a part have met their attribute, and which of these hold */
typedef struct {
    uint8_t tried;
    uint8_t same;
} dt_hand_found_t;


static int
dt_hand_is_name(char c)
{
    return dt_char_is(c, DT_C_WORD) || c == '-' || c == '_';
}


/* the name at r->p; empty: there is none */
static dt_str_t
dt_hand_name(dt_hand_read_t *r)
{
    dt_str_t name = { 0, r->p };

    while (r->p < r->end && dt_hand_is_name(*r->p)) {
        r->p++;
    }

    name.len = (size_t) (r->p - name.data);

    return name;
}


/* the value before ']', with or without quotes; empty: there is none */
static dt_str_t
dt_hand_value(dt_hand_read_t *r)
{
    char quote = '\0';
    dt_str_t value;

    if (r->p < r->end && (*r->p == '"' || *r->p == '\'')) {
        quote = *r->p++;
    }

    value.data = r->p;

    while (r->p < r->end
           && (quote ? *r->p != quote
                     : *r->p != ']' && *r->p != '"' && *r->p != '\''
                           && !dt_is_space(*r->p)))
    {
        r->p++;
    }

    value.len = (size_t) (r->p - value.data);

    if (quote) {
        if (r->p == r->end) {
            r->error = "a quote does not end";
            return value;
        }

        r->p++;
    }

    return value;
}


/* reads ".class", "#id" or "[name=value]" */
static void
dt_hand_read_test(dt_hand_read_t *r, dt_hand_test_t *test)
{
    char c = *r->p++;

    test->word = c == '.';

    if (c == '[') {
        test->name = dt_hand_name(r);

        if (test->name.len == 0 || r->p == r->end || *r->p != '=') {
            r->error = "in brackets there must be name=value";
            return;
        }

        r->p++;
        test->value = dt_hand_value(r);

        if (r->error == NULL && (r->p == r->end || *r->p++ != ']')) {
            r->error = "a bracket does not end";
        }

    } else {
        test->name = c == '.' ? dt_str("class") : dt_str("id");
        test->value = dt_hand_name(r);
    }

    test->fold =
        dt_name_fold(test->name.data, test->name.data + test->name.len);

    if (r->error == NULL && dt_str_trim(test->value).len == 0) {
        r->error = "a name or a value is empty";
    }
}


static void
dt_hand_read_part(dt_hand_read_t *r, dt_hand_part_t *part)
{
    part->tag = dt_hand_name(r);
    part->fold = dt_name_fold(part->tag.data, part->tag.data + part->tag.len);
    part->n = 0;

    while (r->error == NULL && r->p < r->end && !dt_is_space(*r->p)) {
        if (*r->p != '.' && *r->p != '#' && *r->p != '[') {
            r->error = "only names, \".class\", \"#id\" and \"[name=value]\" "
                       "are known";

        } else if (part->n == DT_HAND_TESTS) {
            r->error = "it has too many parts";

        } else {
            dt_hand_read_test(r, &part->tests[part->n++]);
        }
    }
}


static void
dt_hand_skip_space(dt_hand_read_t *r)
{
    while (r->p < r->end && dt_is_space(*r->p)) {
        r->p++;
    }
}


/* tags that may match a part of the selector with this bit are to be looked at
 */
static void
dt_hand_look(dt_hand_t *h, const dt_hand_part_t *part, uint64_t bit)
{
    int i;
    dt_look_t *look = &h->look;
    size_t len;
    const char *p, *end, *stop;
    const dt_hand_test_t *test = &part->tests[0];

    if (part->n == 0) {
        look->tags[dt_look_tag(part->fold) / 64] |=
            (uint64_t) 1 << dt_look_tag(part->fold) % 64;
        h->named |= bit;
        return;
    }

    stop = test->name.data + test->name.len;

    for (i = 0; i < 2; i++) {
        look->ends[i][stop[-1] & 31] |= test->name.len > (size_t) i + 1
                                            ? 1u << (stop[-2 - i] & 31)
                                            : UINT32_MAX;
    }

    end = test->value.data + test->value.len;
    p = dt_skip_white(test->value.data, end);

    for (len = 0; p + len < end && (unsigned char) p[len] > 0x20; len++) {
        /* void */
    }

    dt_look_add(look, p, len, bit);
}


void
dt_hand_init(dt_hand_t *h)
{
    char errstr[DT_ERRSTR];

    memset(h, 0, sizeof(dt_hand_t));

    (void) dt_hand_add(h, DT_HAND_KEEP, dt_str("[data-detemplate=keep]"),
                       errstr);
    (void) dt_hand_add(h, DT_HAND_FORCE, dt_str("[data-detemplate=cut]"),
                       errstr);
}


dt_status_t
dt_hand_add(dt_hand_t *h, dt_hand_kind_t kind, dt_str_t selector, char *errstr)
{
    dt_hand_selector_t *s = &h->selectors[h->n];
    dt_hand_read_t r = { selector.data, selector.data + selector.len, NULL };

    if (selector.len > DT_HAND_LEN) {
        snprintf(errstr, DT_ERRSTR, "it is longer than %d bytes", DT_HAND_LEN);
        return DT_ELIMIT;
    }

    if (h->n == DT_HAND_MAX) {
        snprintf(errstr, DT_ERRSTR, "there are more than %d", DT_HAND_MAX - 2);
        return DT_ELIMIT;
    }

    dt_hand_skip_space(&r);

    if (r.p == r.end) {
        r.error = "it is empty";
    }

    dt_hand_read_part(&r, &s->inner);
    dt_hand_skip_space(&r);
    s->nested = r.p < r.end;
    s->kind = kind;

    if (s->nested) {
        s->outer = s->inner;
        dt_hand_read_part(&r, &s->inner);
        dt_hand_skip_space(&r);
    }

    if (r.error == NULL && r.p < r.end) {
        r.error = "more than two are nested";
    }

    if (r.error != NULL) {
        snprintf(errstr, DT_ERRSTR, "%s", r.error);
        return DT_EINVAL;
    }

    dt_hand_look(h, &s->inner, (uint64_t) 1 << h->n);

    if (s->nested) {
        dt_hand_look(h, &s->outer, (uint64_t) 1 << h->n);
    }

    h->n++;
    h->keeps |= kind == DT_HAND_KEEP;
    h->hash = dt_hash(selector.data, selector.len, h->hash + kind);

    return DT_OK;
}


/*
 * The byte at p of an attribute's value; sets *next behind it.  A character
 * reference is the byte that it stands for if that is in ASCII.
 */
static char
dt_hand_byte(const char *p, const char *end, const char **next)
{
    int n;
    uint32_t c[2];

    *next = p + 1;

    if (*p != '&') {
        return *p;
    }

    n = dt_reference_read(p, end, 1, 1, c);

    if (n > 0 && c[0] && c[0] < 0x80 && c[1] == 0) {
        *next = p + n;
        return (char) c[0];
    }

    return '&';
}


/* whether the value [p, end) of an attribute is, or has the word, wanted */
static int
dt_hand_value_is(const char *p, const char *end, const dt_hand_test_t *test)
{
    int same = 1;
    char c;
    size_t n = 0;

    while (p < end) {
        c = dt_hand_byte(p, end, &p);

        if (test->word && dt_is_space(c)) {
            if (same && n == test->value.len) {
                return 1;
            }

            n = 0;
            same = 1;
            continue;
        }

        same = same && n < test->value.len && test->value.data[n] == c;
        n++;
    }

    return same && n == test->value.len;
}


/* compares an attribute with a part; of two with one name, the first counts */
static inline void
dt_hand_attr(const dt_hand_part_t *part, const dt_attr_t *a, uint64_t fold,
             dt_hand_found_t *found)
{
    unsigned i;
    const dt_hand_test_t *test;

    for (i = 0; i < part->n; i++) {
        test = &part->tests[i];

        if (test->fold == fold && !(found->tried >> i & 1)
            && dt_str_case_eq(
                test->name,
                (dt_str_t){ (size_t) (a->stop - a->name), a->name }))
        {
            found->tried |= (uint8_t) (1 << i);

            if (dt_hand_value_is(a->value, a->end, test)) {
                found->same |= (uint8_t) (1 << i);
            }
        }
    }
}


/* whether a start tag of that name, with the attributes found, is such a part
 */
static int
dt_hand_is(const dt_hand_part_t *part, const dt_token_t *t,
           const dt_hand_found_t *found)
{
    dt_str_t name = { (size_t) (t->rest - t->start - 1), t->start + 1 };

    return found->same == (1 << part->n) - 1
           && (part->tag.len == 0
               || (part->fold == t->name && dt_str_case_eq(part->tag, name)));
}


dt_hand_kind_t
dt_hand_match(const dt_hand_t *h, const dt_token_t *t, uint64_t around,
              uint64_t *outer)
{
    int closed;
    unsigned i, kinds = DT_HAND_NONE;
    uint64_t fold, bits, may;
    dt_attr_t a;
    const char *p = t->rest;
    const dt_hand_selector_t *s;
    dt_hand_found_t found[DT_HAND_MAX][2];

    may = (t->found | h->named) & UINT64_MAX >> (DT_HAND_MAX - h->n);

    memset(found, 0, sizeof(found[0]) * h->n);

    for (;;) {
        p = dt_token_next(&a, p, t->end, &closed);

        if (p == NULL || a.name == a.stop) {
            break;
        }

        fold = dt_name_fold(a.name, a.stop);

        for (bits = may; bits; bits &= bits - 1) {
            i = (unsigned) __builtin_ctzll(bits);
            s = &h->selectors[i];
            dt_hand_attr(&s->inner, &a, fold, &found[i][0]);

            if (s->nested) {
                dt_hand_attr(&s->outer, &a, fold, &found[i][1]);
            }
        }
    }

    for (*outer = 0, bits = may; bits; bits &= bits - 1) {
        i = (unsigned) __builtin_ctzll(bits);
        s = &h->selectors[i];

        if ((!s->nested || (around >> i & 1))
            && dt_hand_is(&s->inner, t, &found[i][0]))
        {
            kinds |= s->kind;
        }

        if (s->nested && dt_hand_is(&s->outer, t, &found[i][1])) {
            *outer |= (uint64_t) 1 << i;
        }
    }

    return kinds & DT_HAND_KEEP    ? DT_HAND_KEEP
           : kinds & DT_HAND_FORCE ? DT_HAND_FORCE
                                   : DT_HAND_NONE;
}
