
/*
 * Copyright (C) The detemplate authors
 *
 * Passes elements in which nothing can be template; they are the greater part
 * of most pages.  One loop pushes for each start tag and pops for each end
 * tag.  It does what scan.c, element.c and tree.c would do, and leaves to them
 * whatever is not quite usual.
 */


#include "core/scan/scan.h"


/* bytes from a '<' on that are read without a second look */
#define DT_COLD_ROOM (1 + 8 + DT_TOKEN_NEAR)

/* start tags with these flags need more than to be pushed */
#define DT_COLD_ODD (DT_TAG_ODD | DT_TAG_TABLE | DT_TAG_INTABLE)

/* what was left open, and a tag may end or open again here */
#define DT_COLD_NEVER (DT_UNCLOSED_LINK | DT_UNCLOSED_BODY)


/*
 * Returns whether the element of a start tag that closes another one is cold,
 * although its parent is not: it is on none of the template's paths.
 */
static inline int
dt_scan_cools(const dt_scan_t *s, const dt_tag_t *tag, const dt_open_t *parent)
{
    return !(tag->flags & (DT_TAG_VOID | DT_TAG_STYLE))
           && !dt_scan_leads(s, dt_key_path(parent->path, tag->name));
}


/*
 * Returns whether a start tag closes top, the innermost element, and no more
 * than that, and what follows is cold.
 */
static int
dt_scan_closes(const dt_scan_t *s, const dt_tag_t *tag, const dt_open_t *top)
{
    unsigned depth = (unsigned) (top - s->stack);
    uint64_t closed = tag->closes & top->near;
    const dt_open_t *parent = top - 1;

    if (depth == s->kept) {
        return 0;
    }

    if (closed != depth /* a p */
        && (closed != depth * tag->own || tag->kind >= DT_TAG_A))
    {
        return 0;
    }

    return !(tag->closes & parent->near)
           && (!(parent->state & DT_OPEN_KNOWN)
               || dt_scan_cools(s, tag, parent));
}


/*
 * Where something is looked for by hand, start tags of up to DT_BITS bytes in
 * which it is not are kept, since pages repeat them.  Sets the first and last
 * bytes of the one at p, whose first '>' is at n, and returns its slot.
 */
static inline unsigned
dt_plain_key(dt_plain_t *t, const char *p, unsigned n)
{
    t->first = dt_load64(p + 1);
    t->last = 0;

    if (n < 8) {
        t->first &= dt_name_masks[n];

    } else {
        t->last = dt_load64(p + n - 7);
    }

    return (unsigned) dt_hash_home((t->first + t->last) * DT_NAME_FOLD,
                                   DT_SCAN_PLAIN_BITS);
}


/*
 * Reads the start tag at p, and keeps it if its first '>', at n, ends it.
 * NULL: it is not usual, or may be one that is looked for, or joins the words
 * beside it.
 */
static __attribute__((noinline)) const dt_plain_t *
dt_plain_read(dt_scan_t *s, const char *p, const char *end, unsigned n,
              unsigned slot)
{
    unsigned len;
    uint64_t name, found = 0;
    const char *q;
    const dt_look_t *look = &s->hand->look;
    dt_plain_t *t;

    len = dt_name_block(p + 1, &name);

    if (len == 0 || dt_look_tagged(look, name) || name == DT_NAME_WBR) {
        return NULL;
    }

    q = p + 1 + len;
    q = *q == '>' ? q + 1 : dt_token_near(look, q, end, &found);

    if (q == NULL || found) {
        return NULL;
    }

    t = &s->plain[DT_SCAN_PLAIN];

    if (n && q == p + n + 1) {
        t = &s->plain[slot];
        (void) dt_plain_key(t, p, n);
        s->plain_len[slot] = (uint8_t) n;

        if (n > 16) {
            t->between[0] = dt_load64(p + 9);
            t->between[1] = dt_load64(p + n - 15);
        }
    }

    t->name = name;
    t->tag = dt_tag_find(name);
    t->len = len;
    t->behind = q;

    return t;
}


/* the same, of one that may be there already */
static inline __attribute__((always_inline)) const dt_plain_t *
dt_plain_find(dt_scan_t *s, const char *p, const char *end)
{
    unsigned n, slot;
    uint64_t m = dt_find_bits(p, '>', '>');
    dt_plain_t key, *t;

    if (m == 0) {
        return dt_plain_read(s, p, end, 0, DT_SCAN_PLAIN);
    }

    n = (unsigned) __builtin_ctzll(m);
    slot = dt_plain_key(&key, p, n);
    t = &s->plain[slot];

    if (s->plain_len[slot] != n || t->first != key.first || t->last != key.last
        || (n > 16
            && (t->between[0] != dt_load64(p + 9)
                || t->between[1] != dt_load64(p + n - 15))))
    {
        return dt_plain_read(s, p, end, n, slot);
    }

    t->behind = p + n + 1;

    return t;
}


/*
 * Whether a start tag inside of top, which may do more than begin an element,
 * does only that, and maybe ends top; closed is what it may close.  Else the
 * caller must leave it to the other files.
 */
static __attribute__((noinline)) int
dt_scan_cold_odd(const dt_scan_t *s, const dt_tag_t *tag, uint64_t closed,
                 const dt_open_t *top)
{
    if ((tag->flags & (DT_TAG_ODD & ~DT_TAG_VOID))
        || top == &s->stack[DT_SCAN_DEPTH])
    {
        return 0;
    }

    if ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
        && (tag->kind == DT_TAG_OTHER
            || (!(top->flags & DT_TAG_TABLE) && !closed)))
    {
        /* the tag may be out of place: there may be no table around it */
        return 0;
    }

    return !closed || dt_scan_closes(s, tag, top);
}


/* whether a start tag inside of top does no more than begin an element, and
   maybe end top */
static inline __attribute__((always_inline)) int
dt_cold_is_usual(const dt_scan_t *s, const dt_tag_t *tag, const dt_open_t *top)
{
    uint64_t closed = tag->closes & top->near;

    return !((closed || (tag->flags & DT_COLD_ODD)
              || top == &s->stack[DT_SCAN_DEPTH])
             && !dt_scan_cold_odd(s, tag, closed, top));
}


/* the '<' that comes behind the one at hand, from p on */
static inline const char *
dt_cold_next(dt_marks_t *m, const char *p, const char *end)
{
    dt_marks_take(m);

    return dt_marks_next(m, p, end, '<');
}


/* if counts is set, adds the words of text [p, end) in top, or in an element
   of that name in it, to those of top */
static inline __attribute__((always_inline)) void
dt_cold_count(dt_open_t *top, int counts, uint64_t name, const char *p,
              const char *end)
{
    uint32_t words;

    if (counts && (p = dt_skip_white(p, end)) < end) {
        words = dt_shape_words(p, end, end + DT_BLOCK);
        top->words += words;
        top->links += name == DT_NAME_A || dt_near(top, DT_TAG_A) ? words : 0;
    }
}


/* top ends, behind text [p, end): what is counted in it is counted in what is
   around it, which is returned */
static inline __attribute__((always_inline)) dt_open_t *
dt_cold_end(dt_open_t *top, int counts, const char *p, const char *end)
{
    dt_open_t *parent = top - 1;

    dt_cold_count(top, counts, 0, p, end);

    if (counts) {
        parent->words += top->words;
        parent->links += top->links;
        parent->state |= top->state & DT_OPEN_UNSOUND;
    }

    return parent;
}


static inline __attribute__((always_inline)) dt_open_t *
dt_cold_push(const dt_scan_t *s, dt_open_t *e, uint64_t name, unsigned len,
             const dt_tag_t *tag, int counts)
{
    dt_scan_push(e, name, len, tag, (unsigned) (e - s->stack));

    if (counts) {
        e->words = 0;
        e->links = 0;
    }

    return e;
}


/*
 * Takes the start tag at p, behind text, in *top: returns what is behind it,
 * with its tag and the length of its name, which are not pushed yet.  NULL:
 * the caller must leave it to the other files.
 */
static inline __attribute__((always_inline)) const char *
dt_cold_start(dt_scan_t *s, int looks, int counts, dt_open_t **top,
              const char *text, const char *p, const char *end,
              const dt_tag_t **tag, uint64_t *name, unsigned *len)
{
    const char *q;
    const dt_plain_t *plain;

    if (looks) {
        plain = dt_plain_find(s, p, end);

        if (plain == NULL) {
            return NULL;
        }

        *name = plain->name;
        *tag = plain->tag;
        *len = plain->len;
        q = plain->behind;

        if (!dt_cold_is_usual(s, *tag, *top)) {
            return NULL;
        }

    } else {
        *len = dt_name_block(p + 1, name);
        if (*len == 0) {
            return NULL;
        }

        *tag = dt_tag_find(*name);

        if (!dt_cold_is_usual(s, *tag, *top)) {
            return NULL;
        }

        q = p + 1 + *len;
        q = *q == '>' ? q + 1 : dt_token_near(NULL, q, end, NULL);

        if (q == NULL) {
            return NULL;
        }
    }

    if ((*tag)->closes & (*top)->near) {
        *top = dt_cold_end(*top, counts, text, p);

    } else {
        dt_cold_count(*top, counts, 0, text, p);
    }

    return q;
}


/* the same as dt_scan_cold(), which knows whether something is looked for by
   hand, and whether words are counted for s->shape */
static inline __attribute__((always_inline)) const char *
dt_cold_run(dt_scan_t *s, dt_marks_t *marks, const char *p, const char *end,
            int looks, int counts)
{
    unsigned len;
    uint64_t name;
    const dt_tag_t *tag;
    const char *q, *last, *begin = p, *text = p; /* behind the last tag */
    dt_open_t *top = &s->stack[s->depth];
    dt_marks_t m = *marks;

    p = dt_marks_next(&m, p, end, '<');
    last = end - p >= DT_COLD_ROOM && !(s->unclosed & DT_COLD_NEVER)
               ? end - DT_COLD_ROOM
               : p - 1;

    /* a parser may move what stands in a table, but in no cell, out of it */

    while (p <= last && !(counts && (top->flags & DT_TAG_TABLE))) {
        if (p[1] == '/') {
            if (!dt_scan_ends(top, p + 2)) {
                break;
            }

            len = top->len;
            top = dt_cold_end(top, counts, text, p);
            p += 3 + len;

        } else if (dt_char_is(p[1], DT_C_ALPHA)) {
            q = dt_cold_start(s, looks, counts, &top, text, p, end, &tag,
                              &name, &len);
            if (q == NULL) {
                break;
            }

            text = q;
            p = dt_cold_next(&m, q, end);

            if (tag->flags & DT_TAG_VOID) {
                continue;
            }

            /* most often its end tag comes next, so it need not be pushed */

            if (p > last || p[1] != '/' || !dt_scan_is_end(name, len, p + 2)) {
                top = dt_cold_push(s, top + 1, name, len, tag, counts);
                continue;
            }

            dt_cold_count(top, counts, name, text, p);
            p += 3 + len;

        } else if (dt_char_is(p[1], DT_C_MARKUP)) {
            break;

        } else {
            p = dt_cold_next(&m, p + 1, end);
            continue;
        }

        text = p;

        if (top->state & (DT_OPEN_KNOWN | DT_OPEN_LINE)) {
            s->glue = 0;
            break;
        }

        p = dt_cold_next(&m, p, end);
    }

    /* the words of the last text are still to be counted */
    p = counts ? text : p;

    if (looks) {
        /* a tag that is found needs to know what is before it */
        s->glue = text == begin ? s->glue : 0;
        dt_scan_passed(s, text, p);
    }

    s->depth = (unsigned) (top - s->stack);
    *marks = m;

    return p;
}


const char *
dt_scan_cold(dt_scan_t *s, dt_marks_t *marks, const char *p, const char *end)
{
    if (s->hand && !s->kept) {
        return s->shape ? dt_cold_run(s, marks, p, end, 1, 1)
                        : dt_cold_run(s, marks, p, end, 1, 0);
    }

    return s->shape ? dt_cold_run(s, marks, p, end, 0, 1)
                    : dt_cold_run(s, marks, p, end, 0, 0);
}
