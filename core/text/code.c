
/*
 * Copyright (C) The detemplate authors
 */


#include <strings.h>

#include "core/text/attr.h"
#include "core/text/code.h"


#define DT_CODE_FIGURE dt_letters('f', 'i', 'g', 'u', 'r', 'e', 0, 0)


/* whether the class in [p, end) says that its element has the numbers of
   lines: "ln", "lnt", "gutter", or "line" before "no", "num" or "nr" */
static int
dt_code_says_numbers(const char *p, const char *end)
{
    const char *q, *word;

    for (; p < end; p = q + 1) {
        q = memchr(p, ' ', (size_t) (end - p));
        q = q ? q : end;

        if (q - p < 4) {
            if (q - p > 1 && memcmp(p, "lnt", (size_t) (q - p)) == 0) {
                return 1;
            }

            continue;
        }

        if (dt_str_has(p, q, "gutter")) {
            return 1;
        }

        for (word = p; q - word > 5; word++) {
            if (strncasecmp(word, "line", 4) == 0
                && ((word[4] | 0x20) == 'n'
                    || (word[4] == '-' && (word[5] | 0x20) == 'n')))
            {
                return 1;
            }
        }
    }

    return 0;
}


/* whether [p, end) begins with an element that has no other text than digits;
   code: and has a pre */
static int
dt_code_is_counted(dt_text_t *t, const char *name, size_t n, int code)
{
    unsigned open = 1, digits = 0;
    const char *p = t->scan.token.end, *start = p, *end = t->end;

    if (t->looked > (size_t) (end - t->page)) {
        return 0;
    }

    for (; p < end && open; p++) {
        if (*p == '<') {
            p++;
            code |= dt_attr_is_tag(p, end, "pre");

            if ((size_t) (end - p) > n + 1) {
                open += strncasecmp(p, name, n) == 0
                        && dt_char_is(p[n], DT_C_NAME_END);
                open -= *p == '/' && strncasecmp(p + 1, name, n) == 0
                        && dt_char_is(p[n + 1], DT_C_NAME_END);
            }

            p = dt_find(p, end, '>');

        } else if (*p >= '0' && *p <= '9') {
            digits++;

        } else if (!dt_char_is(*p, DT_C_SPACE)) {
            break;
        }
    }

    t->looked += (size_t) ((p < end ? p : end) - start);

    return !open && digits && code;
}


int
dt_code_is_numbers(dt_text_t *t)
{
    dt_attr_t a;
    const dt_token_t *token = &t->scan.token;
    int code = t->kind == DT_BLOCK_PRE || token->name == DT_NAME_PRE;

    if (t->o->hidden
        || (!code && dt_tag_find(token->name)->kind != DT_TAG_CELL)) {
        return 0;
    }

    if (!dt_token_find(token, "class", &a) || a.value == NULL
        || !dt_code_says_numbers(a.value, a.end))
    {
        return 0;
    }

    return dt_code_is_counted(t, token->start + 1,
                              (size_t) (token->rest - token->start) - 1, code);
}


int
dt_code_is_lines(const dt_text_t *t)
{
    static const char line[] = "<div class=\"line\">";
    const dt_token_t *token = &t->scan.token;
    const char *p = token->end;
    dt_attr_t a;

    return *token->rest != '>' && dt_token_find(token, "class", &a)
           && a.value != NULL && a.end - a.value == 8
           && memcmp(a.value, "fragment", 8) == 0
           && (size_t) (t->end - p) > sizeof(line)
           && memcmp(p, line, sizeof(line) - 1) == 0;
}


/* whether [p, end) is a name of no language */
static int
dt_code_lang_is_none(const char *p, const char *end)
{
    static const char *const none[] = {
        "default",     "none",          "auto",   "text",        "plain",
        "plaintext",   "highlight",     "source", "notranslate", "file",
        "nohighlight", "literal-block", "en"
    };
    size_t i, len = (size_t) (end - p);

    for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
        if (strlen(none[i]) == len && strncasecmp(p, none[i], len) == 0) {
            return 1;
        }
    }

    return 0;
}


/* whether a byte may be in the name of a language */
#define dt_code_lang_is_name(c)                                               \
    (dt_is_alnum(c) || (c) == '+' || (c) == '#' || (c) == '_' || (c) == '.'   \
     || (c) == '-')


/* the name of a language in the class of a tag, behind a prefix at p, where a
   word begins; NULL: there is no such prefix */
static const char *
dt_code_lang_before(const dt_token_t *token, const char *p, const char *end)
{
    static const struct {
        const char *name;
        unsigned white; /* white space may come behind it; 2: must */
        uint64_t only;  /* it tells a language there only; 0: anywhere */
    } begins[] = {
        { "language-", 0, 0 },      { "lang-", 0, 0 },
        { "highlight-", 0, 0 },     { "src-", 0, 0 },
        { "mw-highlight-", 0, 0 },  { "lang:", 0, 0 },
        { "brush:", 1, 0 },         { "sourceCode", 2, 0 },
        { "hljs", 2, 0 },           { "code", 2, DT_NAME_PRE },
        { "file", 2, DT_NAME_PRE }, { "highlight", 2, DT_CODE_FIGURE },
    };
    size_t i, n;
    const char *name;

    for (i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
        n = strlen(begins[i].name);

        if ((begins[i].only && token->name != begins[i].only)
            || (size_t) (end - p) < n || memcmp(p, begins[i].name, n) != 0)
        {
            continue;
        }

        name = begins[i].white ? dt_skip_white(p + n, end) : p + n;

        if (begins[i].white < 2 || name > p + n) {
            return name;
        }
    }

    return NULL;
}


/* the first of two letters side by side in a block */
#define dt_block_two(b, next, c, d)                                           \
    dt_block_and(dt_block_eq(b, c), dt_block_eq(next, d))


/* whether the tag may have one of those: two letters of each are looked for */
static int
dt_code_lang_may_tell(const dt_token_t *token)
{
    const char *p;
    dt_block_t b, next, found;

    for (p = token->rest; p < token->end; p += DT_BLOCK) {
        if (token->limit - p <= DT_BLOCK) {
            return 1;
        }

        b = dt_block_load(p);
        next = dt_block_load(p + 1);
        found = dt_block_or(dt_block_two(b, next, 'n', 'g'),
                            dt_block_two(b, next, 'h', 'l'));
        found = dt_block_or(found, dt_block_two(b, next, 'r', 'u'));
        found = dt_block_or(found, dt_block_two(b, next, 'e', 'C'));
        found = dt_block_or(found, dt_block_two(b, next, 's', 'r'));

        if (dt_block_mask(found)) {
            return 1;
        }
    }

    return 0;
}


/* takes the name at p of a language; whether there is one */
static int
dt_code_lang_take(dt_text_t *t, const char *p, const char *end, unsigned depth)
{
    const char *q;

    for (q = p; q < end && dt_code_lang_is_name(*q); q++) {
        /* void */
    }

    if (q == p || q - p >= DT_TEXT_LANG
        || !(q == end || dt_char_is(*q, DT_C_SPACE) || *q == ';'))
    {
        return 0;
    }

    if (dt_code_lang_is_none(p, q)) {
        return 0;
    }

    memcpy(t->lang, p, (size_t) (q - p));
    t->lang[q - p] = '\0';
    t->lang_depth = depth;

    return 1;
}


void
dt_code_language(dt_text_t *t, unsigned depth)
{
    static const char *const names[] = { "data-lang", "data-language",
                                         "data-enlighter-language",
                                         "data-syntaxhighlighter-params",
                                         "lang" };
    static const char *const again[] = { "language-", "lang-", "source-" };
    size_t i, n;
    dt_attr_t a;
    const char *p, *name;

    if (t->scan.token.name != DT_NAME_PRE
        && !dt_code_lang_may_tell(&t->scan.token))
    {
        return;
    }

    /* elsewhere than in a pre, the last one is that of the words */

    n = sizeof(names) / sizeof(*names);
    n -= t->scan.token.name != DT_NAME_PRE;

    for (i = 0; i < n; i++) {
        if (dt_attr_find(t, names[i], &a)) {
            name = dt_code_lang_before(&t->scan.token, a.value, a.end);

            if (dt_code_lang_take(t, name ? name : a.value, a.end, depth)) {
                return;
            }
        }
    }

    if (!dt_token_find(&t->scan.token, "class", &a) || a.value == NULL) {
        return;
    }

    for (p = a.value; p < a.end; p++) {
        name = dt_code_lang_before(&t->scan.token, p, a.end);

        for (i = 0; name != NULL && i < sizeof(again) / sizeof(*again); i++) {
            n = strlen(again[i]);
            name +=
                (size_t) (a.end - name) > n && memcmp(name, again[i], n) == 0
                    ? n
                    : 0;
        }

        if (name != NULL && dt_code_lang_take(t, name, a.end, depth)) {
            return;
        }

        while (p < a.end && !dt_char_is(*p, DT_C_SPACE)) {
            p++;
        }
    }
}
