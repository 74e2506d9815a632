
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>
#include <strings.h>

#include "core/base/index.h"
#include "core/html/reference.h"
#include "core/text/attr.h"
#include "core/text/hidden.h"


#define DT_HIDDEN_ARIA 4    /* from screen readers */
#define DT_HIDDEN_WORDS 256 /* bytes of words that are compared */
#define DT_HIDDEN_BESIDE 160
#define DT_HIDDEN_NEAR 512 /* bytes of the page in which they stand */


/* passes white space and comments of CSS */
static const char *
dt_hidden_css_skip(const char *p, const char *end)
{
    const char *q;

    for (; p < end; p = q + 2) {
        p = dt_skip_white(p, end);

        if (end - p < 2 || p[0] != '/' || p[1] != '*') {
            break;
        }

        q = memmem(p + 2, (size_t) (end - p - 2), "*/", 2);
        if (q == NULL) {
            return end;
        }
    }

    return p < end ? p : end;
}


/* whether a word of CSS begins at p; *behind it */
static int
dt_hidden_css_is(const char *p, const char *end, const char *word,
                 const char **behind)
{
    size_t len = strlen(word);

    *behind = p + len;

    return (size_t) (end - p) >= len && strncasecmp(p, word, len) == 0
           && ((size_t) (end - p) == len
               || !(dt_is_alnum(p[len]) || p[len] == '-' || p[len] == '_'));
}


/* resolves the escapes of CSS in place; returns the length then: letters may
   be written as numbers */
static size_t
dt_hidden_css_plain(char *p, size_t len)
{
    char *out = p, *start = p, *end = p + len, *digits;
    unsigned c;

    for (; p < end; *out++ = (char) c) {
        c = (unsigned char) *p++;

        if (c == '\\' && p < end) {
            digits = p;

            for (c = 0; p < end && p - digits < 6 && dt_hex(*p) >= 0; p++) {
                c = 16 * c + (unsigned) dt_hex(*p);
            }

            p += p > digits && p < end && *p == ' ';
            c = p == digits ? (unsigned char) *p++ : c < 0x80 ? c : '?';
        }
    }

    return (size_t) (out - start);
}


/* the effect of a value of "display" in [p, end), DT_HIDDEN_* */
static int
dt_hidden_display(const char *p, const char *end)
{
    static const struct {
        const char *value;
        int effect;
    } values[] = {
        { "none", DT_HIDDEN_HIDES },         { "block", DT_HIDDEN_BLOCK },
        { "flex", DT_HIDDEN_BLOCK },         { "grid", DT_HIDDEN_BLOCK },
        { "table", DT_HIDDEN_BLOCK },        { "table-row", DT_HIDDEN_BLOCK },
        { "list-item", DT_HIDDEN_BLOCK },    { "table-cell", DT_HIDDEN_APART },
        { "inline-block", DT_HIDDEN_APART }, { "inline-flex", DT_HIDDEN_APART }
    };
    const char *q;
    size_t i;

    for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
        if (dt_hidden_css_is(p, end, values[i].value, &q)) {
            return values[i].effect;
        }
    }

    return 0;
}


/* the effect of declarations in [p, end) on an element, DT_HIDDEN_*: the last
   one of a name counts, or the last one that is important */
static int
dt_hidden_style(const char *p, const char *end)
{
    static const char *const names[] = { "display", "visibility",
                                         "content-visibility",
                                         "text-decoration",
                                         "text-decoration-line" };
    static const char *const values[] = { "", "hidden", "hidden" };
    const char *q, *r, *stop;
    int hides[5] = { 0 }, important[5] = { 0 }, is;
    size_t i;

    for (; p < end; p = stop + 1) {
        p = dt_hidden_css_skip(p, end);
        stop = memchr(p, ';', (size_t) (end - p));
        stop = stop ? stop : end;

        for (i = 0; i < 5; i++) {
            if (!dt_hidden_css_is(p, stop, names[i], &q)
                || (q = dt_hidden_css_skip(q, stop), q == stop || *q != ':'))
            {
                continue;
            }

            q = dt_hidden_css_skip(q + 1, stop);
            is = memmem(q, (size_t) (stop - q), "!", 1) != NULL;

            if (is >= important[i]) {
                important[i] = is;
                hides[i] = i == 0  ? dt_hidden_display(q, stop)
                           : i > 2 ? dt_str_has(q, stop, "line-through")
                                   : dt_hidden_css_is(q, stop, values[i], &r)
                                         || (i == 1
                                             && dt_hidden_css_is(
                                                 q, stop, "collapse", &r));
            }
        }
    }

    return hides[0] | (hides[1] || hides[2] ? DT_HIDDEN_HIDES : 0)
           | (hides[3] || hides[4] ? DT_HIDDEN_STRUCK : 0);
}


/* the effect of an attribute on its element, DT_HIDDEN_* */
static int
dt_hidden_attr(const dt_text_t *t, const dt_attr_t *a)
{
    char style[DT_TEXT_URL];
    size_t len = 0, vlen = a->value ? (size_t) (a->end - a->value) : 0;

    switch (a->stop - a->name) {

    case 5:
        if (strncasecmp(a->name, "inert", 5) == 0) {
            return DT_HIDDEN_HIDES;
        }

        if (a->value == NULL || strncasecmp(a->name, "style", 5) != 0) {
            return 0;
        }

        if (memchr(a->value, '&', vlen) == NULL
            && memchr(a->value, '\\', vlen) == NULL)
        {
            return dt_hidden_style(a->value, a->end);
        }

        (void) dt_attr_decode(t, a->value, a->end, DT_SOURCE_VALUE, style,
                              &len, sizeof(style));

        return dt_hidden_style(style, style + dt_hidden_css_plain(style, len));

    case 6:
        return strncasecmp(a->name, "hidden", 6) == 0
                       && !(vlen == 11
                            && strncasecmp(a->value, "until-found", 11) == 0)
                   ? DT_HIDDEN_HIDES
                   : 0;

    case 7:
        return strncasecmp(a->name, "popover", 7) == 0 ? DT_HIDDEN_HIDES : 0;

    case 11:
        return vlen == 4 && strncasecmp(a->name, "aria-hidden", 11) == 0
                       && strncasecmp(a->value, "true", 4) == 0
                   ? DT_HIDDEN_ARIA
                   : 0;
    }

    return 0;
}


/* the first of two letters side by side in a block, in any case */
#define dt_hidden_two(b, next, c, d)                                          \
    dt_block_and(dt_block_eq(b, c), dt_block_eq(next, d))


/* whether one of those attributes may be in [p, end): two letters of each name
   are looked for */
static int
dt_hidden_letters(const char *p, const char *end, const char *limit)
{
    static const char low[] = "                ";
    dt_block_t b, next, found, fold = dt_block_load(low);

    for (; p < end; p += DT_BLOCK) {
        if (limit - p <= DT_BLOCK) {
            return 1;
        }

        b = dt_block_or(dt_block_load(p), fold);
        next = dt_block_or(dt_block_load(p + 1), fold);
        found = dt_block_or(dt_hidden_two(b, next, 'y', 'l'),
                            dt_hidden_two(b, next, 'd', 'd'));
        found = dt_block_or(found, dt_hidden_two(b, next, 'r', 't'));
        found = dt_block_or(found, dt_hidden_two(b, next, 'o', 'v'));

        if (dt_block_mask(found)) {
            return 1;
        }
    }

    return 0;
}


/* whether the tag may have one of them: the scanner has noted the names in
   regular tags, each with white space and attributes without a value before */
static int
dt_hidden_may(const dt_token_t *token)
{
    unsigned i;
    const dt_attr_t *a = token->attrs;

    if (!token->regular) {
        return dt_hidden_letters(token->rest, token->end, token->limit);
    }

    for (i = 0; i < token->n; i++) {
        if (a[i].stop - a[i].name > DT_TOKEN_BARE
            && dt_hidden_letters(a[i].name, a[i].stop, token->limit))
        {
            return 1;
        }
    }

    return token->gaps
           && dt_hidden_letters(token->rest, token->end, token->limit);
}


/* notes the id in [p, end), which may stand behind a '#' */
static void
dt_hidden_name(dt_text_t *t, const char *p, const char *end)
{
    uint64_t hash;

    p += p < end && *p == '#';
    hash = dt_hash(p, (size_t) (end - p), 0);

    if (p < end && !dt_bytes_add(&t->named, (char *) &hash, sizeof(hash))) {
        t->no_memory = 1;
    }
}


/* notes what stands in quotation marks in [p, end), a script */
static void
dt_hidden_quoted(dt_text_t *t, const char *p, const char *end)
{
    const char *q;

    for (; p < end; p++) {
        if (*p == '\'' || *p == '"') {
            q = memchr(p + 1, *p, (size_t) (end - p - 1));

            if (q == NULL) {
                return;
            }

            dt_hidden_name(t, p + 1, q);
            p = q;
        }
    }
}


/* notes the ids in an attribute that may open elements */
static void
dt_hidden_names(dt_text_t *t, const dt_attr_t *a)
{
    size_t len = (size_t) (a->stop - a->name);
    const char *p = a->value, *q;

    if (p == NULL) {
        return;
    }

    switch (len) {

    case 4:
        if (strncasecmp(a->name, "href", 4) != 0) {
            return;
        }

        if (a->end - p > 11 && strncasecmp(p, "javascript:", 11) == 0) {
            dt_hidden_quoted(t, p, a->end);

        } else if (p < a->end && *p == '#') {
            dt_hidden_name(t, p, a->end);
        }

        return;

    case 7:
        if (strncasecmp(a->name, "onclick", 7) == 0) {
            dt_hidden_quoted(t, p, a->end);
            return;
        }

        break;

    case 10:
        if (strncasecmp(a->name, "commandfor", 10) == 0) {
            dt_hidden_name(t, p, a->end);
            return;
        }

        break;

    case 13:
        if (strncasecmp(a->name, "popovertarget", 13) == 0) {
            dt_hidden_name(t, p, a->end);
            return;
        }

        if (strncasecmp(a->name, "aria-controls", 13) != 0) {
            break;
        }

        for (; p < a->end; p = q + 1) {
            for (q = p; q < a->end && !dt_char_is(*q, DT_C_SPACE); q++) {
                /* void */
            }

            dt_hidden_name(t, p, q);
        }

        return;
    }

    if (len > 5 && strncasecmp(a->name, "data-", 5) == 0) {
        dt_hidden_name(t, p, a->end);
    }
}


/* notes the ids that attributes of other elements name, once */
static void
dt_hidden_controls(dt_text_t *t)
{
    int closed;
    uint64_t own, hash;
    size_t len, from, to;
    const char *p = t->page;
    dt_attr_t a;

    t->named_all = 1;

    while ((p = dt_find(p, t->end, '<')) < t->end && !t->no_memory) {
        if (t->end - p < 2 || !dt_char_is(*++p, DT_C_ALPHA)) {
            continue;
        }

        while (p < t->end && !dt_char_is(*p, DT_C_NAME_END)) {
            p++;
        }

        len = t->named.len;
        own = 0;

        while ((p = dt_token_any(&a, p, t->end, &closed)) != NULL
               && a.name < a.stop) {
            dt_hidden_names(t, &a);

            if (a.stop - a.name == 2 && strncasecmp(a.name, "id", 2) == 0
                && a.value != NULL)
            {
                own = dt_hash(a.value, (size_t) (a.end - a.value), 0);
            }
        }

        for (from = to = len; from < t->named.len; from += sizeof(hash)) {
            memcpy(&hash, t->named.data + from, sizeof(hash));

            if (hash != own) {
                memcpy(t->named.data + to, &hash, sizeof(hash));
                to += sizeof(hash);
            }
        }

        t->named.len = to;

        if (p == NULL) {
            break;
        }
    }

    if (t->named.len) {
        qsort(t->named.data, t->named.len / sizeof(hash), sizeof(hash),
              dt_index_cmp);
    }
}


/* whether no word stands between the element of the tag and a control that
   says whether something is open, or before a block, one that a script may
   heed: a button that sends no form, or a link to nowhere */
static int
dt_hidden_is_disclosed(const dt_text_t *t)
{
    static const char *const says[] = { "aria-expanded", "<button", "onclick",
                                        "href=\"#\"", "href=\"javascript:" };
    const char *end = t->scan.token.start, *p, *q, *name, *control = NULL;
    size_t i, n = t->form ? 1 : sizeof(says) / sizeof(*says);

    if (!(dt_tag_find(t->scan.token.name)->flags & DT_TAG_CLOSES_P)) {
        n = 1;
    }

    for (i = 0; i < n; i++) {
        p = end - t->page > DT_HIDDEN_NEAR ? end - DT_HIDDEN_NEAR : t->page;
        p = control ? control : p;

        while ((q = memmem(p, (size_t) (end - p), says[i], strlen(says[i])))
               != NULL) {
            control = q + 1;
            p = q + 1;
        }
    }

    if (control == NULL
        || (name = memrchr(t->page, '<', (size_t) (control - t->page)))
               == NULL)
    {
        return 0;
    }

    for (n = 1; dt_is_alnum(name[n]); n++) {
        /* void */
    }

    p = n == 6 && strncasecmp(name + 1, "input", 5) == 0 ? name : control;

    for (; (p = dt_find(p, end, '<')) < end; p++) {
        if (p == name) {
            break;
        }

        if ((size_t) (end - p) > n + 1 && p[1] == '/'
            && strncasecmp(p + 2, name + 1, n - 1) == 0)
        {
            break;
        }
    }

    if (p == end) {
        /* the element is in it */
        return 0;
    }

    while (p < end && *p == '<') {
        p = dt_find(p, end, '>');
        p = dt_skip_white(p + (p < end), end);
    }

    return p == end;
}


/* whether a reader can open the element of the tag: it has the role of a
   panel, another element names it, it stands behind a control, or it is a row
   or an item behind others */
static int
dt_hidden_opens(dt_text_t *t)
{
    char id[DT_TEXT_ID];
    ptrdiff_t n;
    uint64_t hash;
    const dt_tag_t *tag = dt_tag_find(t->scan.token.name);

    if (dt_attr_has(t, "role", "tabpanel") || dt_attr_has(t, "role", "region"))
    {
        return 1;
    }

    if (tag->name == dt_letters('d', 'd', 0, 0, 0, 0, 0, 0)
        || (tag->kind == DT_TAG_LI && t->nboxes
            && t->boxes[t->nboxes - 1].type < DT_BOX_ITEM
            && t->boxes[t->nboxes - 1].items))
    {
        return 1;
    }

    if (tag->kind == DT_TAG_ROW && t->table.state != DT_GRID_NONE
        && t->table.rows.len)
    {
        return 1;
    }

    if (dt_hidden_is_disclosed(t)) {
        return 1;
    }

    n = dt_attr_value(t, "id", id, sizeof(id));

    if (n <= 0) {
        return 0;
    }

    if (!t->named_all) {
        dt_hidden_controls(t);
    }

    hash = dt_hash(id, (size_t) n, 0);

    return t->named.len
           && bsearch(&hash, t->named.data, t->named.len / sizeof(hash),
                      sizeof(hash), dt_index_cmp)
                  != NULL;
}


/*
 * Collects the words from p on into buf, without tags: up to the end of the
 * element of a name that begins there, or if that is NULL, until it is full.
 * Returns behind the last byte read; NULL: the words are too many.
 */
static const char *
dt_hidden_words(const dt_text_t *t, const char *p, const char *name, char *buf,
                size_t *len, size_t size)
{
    unsigned open = 1;
    size_t n = name != NULL ? strlen(name) : 0;
    const char *q, *end = t->end;

    end = end - p > DT_HIDDEN_NEAR ? p + DT_HIDDEN_NEAR : end;

    for (*len = 0; p < end; p = q + (q < end)) {
        q = dt_find(p, end, '<');

        if (!dt_attr_decode(t, p, q, DT_SOURCE_TEXT, buf, len, size)) {
            return name != NULL ? NULL : q;
        }

        if (name != NULL && (size_t) (end - q) > n + 2) {
            if (q[1] == '/' && strncasecmp(q + 2, name, n) == 0
                && dt_char_is(q[n + 2], DT_C_NAME_END) && --open == 0)
            {
                q = dt_find(q, end, '>');
                return q + (q < end);
            }

            open += strncasecmp(q + 1, name, n) == 0
                    && dt_char_is(q[n + 1], DT_C_NAME_END);
        }

        q = dt_find(q, end, '>');
    }

    return name != NULL ? NULL : p;
}


/* whether there is a letter or a digit in [p, end) */
static int
dt_hidden_says(const char *p, const char *end)
{
    int n;
    uint32_t c;

    for (; p < end; p += n) {
        n = dt_utf8_get(p, end, &c);
        n = n > 0 ? n : 1;

        if (n == 1 ? dt_is_alnum(*p)
                   : (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7)
                         || (c >= 0x2c00 && c < 0xe000)
                         || (c >= 0xf900 && c < 0x1f000))
        {
            return 1;
        }
    }

    return 0;
}


/* whether something in [p, end) is there for screen readers only */
static int
dt_hidden_is_spoken(const char *p, const char *end)
{
    static const char *const names[] = { "sr-only", "screen-reader",
                                         "visually-hidden", "visuallyhidden",
                                         "assistive" };
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (memmem(p, (size_t) (end - p), names[i], strlen(names[i])) != NULL)
        {
            return 1;
        }
    }

    return 0;
}


/*
 * Whether the element of the tag, which is hidden from screen readers, says
 * nothing: it is a sign or an icon, or the text before it or behind says the
 * same, or is there for them in its place.
 */
static int
dt_hidden_is_double(const dt_text_t *t)
{
    char words[DT_HIDDEN_WORDS], beside[DT_HIDDEN_WORDS], name[16];
    size_t len, n = (size_t) (t->scan.token.rest - t->scan.token.start) - 1;
    const char *p, *q, *line = t->line.data;
    dt_attr_t a;

    if (n >= sizeof(name)) {
        return 0;
    }

    if (t->scan.token.name != DT_NAME_PRE
        && dt_token_find(&t->scan.token, "class", &a) && a.value != NULL
        && dt_str_has(a.value, a.end, "line-number"))
    {
        /* beside code */
        return 1;
    }

    memcpy(name, t->scan.token.start + 1, n);
    name[n] = '\0';
    p = dt_hidden_words(t, t->scan.token.end, name, words, &len,
                        sizeof(words));

    if (p == NULL) {
        return 0;
    }

    while (len && words[len - 1] == ' ') {
        len--;
    }

    if (!dt_hidden_says(words, words + len)) {
        return 1;
    }

    if (memchr(words, ' ', len) == NULL
        && dt_token_find(&t->scan.token, "class", &a) && a.value != NULL
        && (dt_str_has(a.value, a.end, "icon")
            || dt_str_has(a.value, a.end, "symbol")))
    {
        return 1;
    }

    q = t->scan.token.start;

    if (dt_hidden_is_spoken(
            q - t->page > DT_HIDDEN_BESIDE ? q - DT_HIDDEN_BESIDE : t->page, q)
        || dt_hidden_is_spoken(
            p, t->end - p > DT_HIDDEN_BESIDE ? p + DT_HIDDEN_BESIDE : t->end))
    {
        return 1;
    }

    if (t->tail >= len && strncasecmp(line + t->tail - len, words, len) == 0) {
        return 1;
    }

    (void) dt_hidden_words(t, p, NULL, beside, &n, len + 4);

    return n >= len && strncasecmp(beside, words, len) == 0;
}


int
dt_hidden_look(dt_text_t *t, int begun)
{
    int closed, look;
    dt_attr_t a;
    const dt_token_t *token = &t->scan.token;
    const char *p = token->rest;
    const dt_tag_t *tag;

    look = token->name == dt_letters('d', 'i', 'a', 'l', 'o', 'g', 0, 0)
               ? DT_HIDDEN_HIDES
               : 0;

    if (!look && !dt_hidden_may(token)) {
        return 0;
    }

    while ((p = dt_token_any(&a, p, token->end, &closed)) != NULL
           && a.name < a.stop)
    {
        if (a.stop - a.name == 4 && strncasecmp(a.name, "open", 4) == 0
            && token->name == dt_letters('d', 'i', 'a', 'l', 'o', 'g', 0, 0))
        {
            look &= ~DT_HIDDEN_HIDES;

        } else {
            look |= dt_hidden_attr(t, &a);
        }
    }

    if (t->o->hidden) {
        return look & ~DT_HIDDEN_HIDES;
    }

    if ((look & DT_HIDDEN_ARIA) && begun) {
        /* scripts open elements that keys cannot reach */

        if (dt_attr_has(t, "tabindex", "-1")
            || dt_attr_has(t, "role", "dialog")) {
            look |= DT_HIDDEN_HIDES;

        } else if (!(look & DT_HIDDEN_HIDES) && dt_hidden_is_double(t)) {
            return DT_HIDDEN_HIDES;
        }
    }

    if (!(look & DT_HIDDEN_HIDES)) {
        return look;
    }

    /* scripts may show the body when all is there */

    tag = dt_tag_find(token->name);

    if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML
        || (begun && dt_hidden_opens(t)))
    {
        look &= ~DT_HIDDEN_HIDES;
    }

    return look;
}
