
/*
 * Copyright (C) The detemplate authors
 *
 * Finds the line of the configuration that keeps a piece of a page that is
 * cut, or cuts one that stays.  Selectors are made of the piece's element and
 * of the elements around it.  Each is tried on the page, and the one that
 * changes the fewest other words is taken.
 */


#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli_cut.h"
#include "cli_inspect.h"


#define DT_CLI_TRIES 40 /* most selectors that are tried for a piece */
#define DT_CLI_SCANNED ((uint64_t) 1 << 30) /* bytes, of all tries: seconds */
#define DT_CLI_PARTS 12 /* of them, those without a space */
#define DT_CLI_AROUND 4 /* most elements around it that are named */


typedef struct {
    dt_cli_inspect_t *inspect;
    const dt_hand_t *hand;
    const dt_record_t *element;
    unsigned cut; /* by hand, rather than kept */
    uint8_t *bytes;
    char best[DT_HAND_LEN + 1];
    uint64_t cost;
    unsigned tries;
} dt_cli_line_t;

/* selectors of one start tag */
typedef struct {
    char s[DT_CLI_PARTS][DT_HAND_LEN + 1];
    unsigned n;
} dt_cli_selectors_t;


static void
dt_cli_line_mark(void *data, uint64_t start, uint64_t end)
{
    memset((uint8_t *) data + start, 1, (size_t) (end - start));
}


/* whether a name has two digits in a row, as that of a single page has */
static int
dt_cli_numbered(const char *s)
{
    for (; *s; s++) {
        if (s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9') {
            return 1;
        }
    }

    return 0;
}


/* the words that change elsewhere; UINT64_MAX: the piece does not */
static uint64_t
dt_cli_line_cost(const dt_cli_line_t *l)
{
    size_t i;
    uint64_t words = 0;
    unsigned cut;
    const dt_record_t *r;
    const dt_cli_inspect_t *t = l->inspect;

    for (i = 0; i < t->n; i++) {
        r = &t->records[i];

        if (r->name != 0 || r->words == 0 || r->end > t->learning.key_len) {
            continue;
        }

        cut = l->bytes[r->start];

        if (r->start >= l->element->start && r->end <= l->element->end) {
            if (cut != l->cut) {
                return UINT64_MAX;
            }

        } else if (cut != t->cut_bytes[r->start]) {
            words += r->words;
        }
    }

    return words;
}


/* tries a selector, and takes it if it is the best one so far */
static void
dt_cli_line_try(dt_cli_line_t *l, const char *selector)
{
    char errstr[DT_ERRSTR];
    uint64_t cost;
    dt_hand_t hand;
    dt_cli_inspect_t *t = l->inspect;
    dt_str_t page = { t->learning.key_len, t->learning.key };

    if (l->tries == DT_CLI_TRIES || t->scanned > DT_CLI_SCANNED) {
        return;
    }

    l->tries++;
    t->scanned += page.len;
    hand = *l->hand;

    if (dt_hand_add(&hand, l->cut ? DT_HAND_FORCE : DT_HAND_KEEP,
                    dt_cstr(selector), errstr)
        != DT_OK)
    {
        return;
    }

    memset(l->bytes, 0, page.len);

    if (dt_cli_cuts(t->tmpl, page, &t->learning.url,
                    !t->learning.args->cautious, &hand, dt_cli_line_mark,
                    l->bytes)
        != DT_OK)
    {
        return;
    }

    cost = dt_cli_line_cost(l);

    if (cost == UINT64_MAX) {
        return;
    }

    /* other words count first, then whether other pages may have the name */

    cost = 2 * cost + (dt_cli_numbered(selector) ? 1 : 0);

    if (cost < l->cost) {
        l->cost = cost;
        (void) snprintf(l->best, sizeof(l->best), "%s", selector);
    }
}


/* adds a selector to those of a tag, if it is one */
static void __attribute__((format(printf, 2, 3)))
dt_cli_selector(dt_cli_selectors_t *list, const char *format, ...)
{
    int n;
    char errstr[DT_ERRSTR];
    va_list args;
    dt_hand_t hand;

    if (list->n == DT_CLI_PARTS) {
        return;
    }

    va_start(args, format);
    n = vsnprintf(list->s[list->n], DT_HAND_LEN + 1, format, args);
    va_end(args);

    dt_hand_init(&hand);

    list->n +=
        n > 0 && n <= DT_HAND_LEN
        && strpbrk(list->s[list->n], "\"\\\n\r") == NULL
        && dt_hand_add(&hand, DT_HAND_KEEP, dt_cstr(list->s[list->n]), errstr)
               == DT_OK;
}


static int
dt_cli_is_attr(const dt_attr_t *a, const char *name)
{
    size_t len = strlen(name);

    return (size_t) (a->stop - a->name) == len
           && strncasecmp(a->name, name, len) == 0;
}


/* adds a selector for each class, and one for all of them */
static void
dt_cli_line_classes(dt_cli_selectors_t *list, dt_str_t tag, const dt_attr_t *a)
{
    int len, n = 0;
    char all[DT_HAND_LEN + 1] = "";
    unsigned words;
    const char *p = a->value;

    for (words = 0; words < DT_HAND_TESTS; words++) {
        while (p < a->end && dt_is_space(*p)) {
            p++;
        }

        for (len = 0; p + len < a->end && !dt_is_space(p[len]); len++) {
            /* void */
        }

        if (len == 0) {
            break;
        }

        dt_cli_selector(list, ".%.*s", len, p);
        dt_cli_selector(list, "%.*s.%.*s", (int) tag.len, tag.data, len, p);

        if (n + len + 2 < (int) sizeof(all)) {
            n += snprintf(all + n, sizeof(all) - (size_t) n, ".%.*s", len, p);
        }

        p += len;
    }

    if (words > 1) {
        dt_cli_selector(list, "%s", all);
    }
}


/* adds selectors of an attribute */
static void
dt_cli_line_attribute(dt_cli_selectors_t *list, dt_str_t tag,
                      const dt_attr_t *a)
{
    static const char *const names[] = { "role", "aria-label", "itemprop" };
    int len = a->end - a->value < DT_HAND_LEN ? (int) (a->end - a->value)
                                              : DT_HAND_LEN;

    if (dt_cli_is_attr(a, "id")) {
        dt_cli_selector(list, "#%.*s", len, a->value);

    } else if (dt_cli_is_attr(a, "class")) {
        dt_cli_line_classes(list, tag, a);
    }

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (dt_cli_is_attr(a, names[i])) {
            dt_cli_selector(list, "[%s='%.*s']", names[i], len, a->value);
        }
    }
}


/* lists selectors of an element's start tag */
static void
dt_cli_line_selectors(const dt_cli_inspect_t *t, const dt_record_t *r,
                      dt_cli_selectors_t *list)
{
    int closed;
    const char *p, *end = t->learning.key + r->end;
    dt_attr_t a;
    dt_str_t tag;

    p = t->learning.key + r->start + 1;
    tag = (dt_str_t){ strcspn(p, " \t\r\n\f/>"), p };
    list->n = 0;

    for (p += tag.len;
         (p = dt_token_next(&a, p, end, &closed)) != NULL && a.name != a.stop;)
    {
        dt_cli_line_attribute(list, tag, &a);
    }

    dt_cli_selector(list, "%.*s", (int) tag.len, tag.data);
}


/* tries the selectors of the element, then those of elements around it */
static void
dt_cli_line_find(dt_cli_line_t *l)
{
    unsigned i, k, depth;
    uint32_t parent = l->element->parent;
    char both[2 * DT_HAND_LEN + 2];
    dt_cli_selectors_t own, around;

    dt_cli_line_selectors(l->inspect, l->element, &own);

    for (i = 0; i < own.n && l->cost; i++) {
        dt_cli_line_try(l, own.s[i]);
    }

    for (depth = 0; depth < DT_CLI_AROUND && parent != DT_RECORD_NONE; depth++)
    {
        dt_cli_line_selectors(l->inspect, &l->inspect->records[parent],
                              &around);
        parent = l->inspect->records[parent].parent;

        for (i = 0; i < around.n && l->cost; i++) {
            for (k = own.n; k-- > 0 && l->cost;) {
                (void) snprintf(both, sizeof(both), "%s %s", around.s[i],
                                own.s[k]);
                dt_cli_line_try(l, both);
            }
        }
    }
}


/* adds a selector to a line, as nginx reads it */
static size_t
dt_cli_line_add(char *buf, size_t size, size_t n, const char *selector)
{
    const char *quote = "";
    size_t plain = strspn(selector, "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789-_.[]=");

    if (selector[plain] != '\0') {
        quote = "\"";
    }

    if (n < size) {
        n += (size_t) snprintf(buf + n, size - n, " %s%s%s", quote, selector,
                               quote);
    }

    return n;
}


uint64_t
dt_cli_inspect_line(dt_cli_inspect_t *t, const dt_cli_piece_t *piece,
                    char *buf, size_t size)
{
    size_t i, n;
    const dt_record_t *r = &t->records[piece->record];
    const dt_cli_list_t *given =
        piece->cut ? &t->learning.args->keep : &t->learning.args->force;
    dt_cli_line_t l = {
        t, t->hand, r, !piece->cut, t->tried, "", UINT64_MAX, 0
    };

    buf[0] = '\0';

    if (piece->hand) {
        return 0;
    }

    if (r->name == 0) {
        if (r->parent == DT_RECORD_NONE) {
            return 0;
        }

        l.element = &t->records[r->parent];
    }

    /* an element that has other words as well is not cut for these */

    if (l.cut && l.element->words != r->words) {
        return 0;
    }

    dt_cli_line_find(&l);

    if (l.cost == UINT64_MAX) {
        return 0;
    }

    n = (size_t) snprintf(buf, size, "%s",
                          piece->cut ? "detemplate_keep" : "detemplate_force");

    for (i = 0; i < given->n; i++) {
        n = dt_cli_line_add(buf, size, n, given->values[i]);
    }

    n = dt_cli_line_add(buf, size, n, l.best);

    if (n + 2 > size) {
        buf[0] = '\0';
        return 0;
    }

    memcpy(buf + n, ";", 2);

    return l.cost / 2;
}
