
/*
 * Copyright (C) The detemplate authors
 *
 * Programs that generate sites address their pages by query.  The same query
 * may carry a visitor's session, which is private and makes many URLs of one
 * page, and tracking data.  Both are recognised by the argument names that
 * widely used programs give them.
 */


#include "core/base/hash.h"
#include "core/base/page_i.h"
#include "core/base/str.h"


/* all lists are sorted for bsearch(), in lower case, without "-" and "_" */

/* arguments that are a session id, whatever their value */
static const char *const dt_page_sessions[] = {
    "aspnetsessionid", "cfid",   "cftoken",   "jsessionid", "oscsid",
    "phpsessid",       "sessid", "sessionid", "xtcsid",     "zenid",
};

/* arguments that are one only when the value looks like an id: sid=12 may be a
   page */
static const char *const dt_page_sessions_like[] = {
    "osid",
    "s",
    "session",
    "sid",
};

/* arguments that track where a visitor came from; and "detemplate", which
   selects our own preview */
static const char *const dt_page_tracking[] = {
    "dclid",  "detemplate", "epik",      "fbclid",   "ga",      "gbraid",
    "gclid",  "gclsrc",     "gl",        "hsenc",    "hsmi",    "igshid",
    "mkttok", "msclkid",    "olyanonid", "olyencid", "srsltid", "ttclid",
    "twclid", "wbraid",     "wickedid",  "yclid",    "ymclid",
};

static const char *const dt_page_tracking_prefixes[] = {
    "hsa_", "matomo_", "mc_", "mtm_", "piwik_", "pk_", "utm_",
};

int
dt_page_cmp(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *) item);
}


int
dt_page_alnum(char c)
{
    c = dt_lower(c);

    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}


void
dt_page_word(dt_str_t s, char out[DT_PAGE_WORD])
{
    size_t i, n = 0;

    for (i = 0; i < s.len; i++) {
        if (!dt_page_alnum(s.data[i])) {
            continue;
        }

        if (n == DT_PAGE_WORD - 1) {
            n = 0;
            break;
        }

        out[n++] = dt_lower(s.data[i]);
    }

    out[n] = '\0';
}


int
dt_page_next(dt_str_t *query, dt_page_arg_t *arg)
{
    size_t n;
    const char *p;

    if (query->len == 0) {
        return 0;
    }

    for (n = 0; n < query->len; n++) {
        if (query->data[n] == '&' || query->data[n] == ';') {
            break;
        }
    }

    arg->whole = (dt_str_t){ n, query->data };
    arg->name = arg->whole;
    arg->value = (dt_str_t){ 0, query->data + n };

    p = memchr(query->data, '=', n);
    if (p != NULL) {
        arg->name.len = (size_t) (p - query->data);
        arg->value.data = p + 1;
        arg->value.len = n - arg->name.len - 1;
    }

    n += n < query->len;
    query->data += n;
    query->len -= n;

    return 1;
}


int
dt_page_random(dt_str_t s)
{
    size_t i;
    int digit = 0;

    for (i = 0; i < s.len; i++) {
        if (!dt_page_alnum(s.data[i])) {
            return 0;
        }

        digit |= s.data[i] <= '9';
    }

    return digit && s.len >= DT_PAGE_SECRET;
}


static int
dt_page_session(const dt_page_arg_t *arg)
{
    char word[DT_PAGE_WORD];

    dt_page_word(arg->name, word);

    return dt_page_listed(word, dt_page_sessions)
           || strncmp(word, "aspsessionid", 12) == 0
           || (dt_page_listed(word, dt_page_sessions_like)
               && dt_page_random(arg->value));
}


int
dt_page_ignored(const dt_page_arg_t *arg)
{
    size_t i, n;
    char word[DT_PAGE_WORD];
    const char *prefix;

    if (arg->whole.len == 0 || dt_page_session(arg)) {
        return 1;
    }

    for (i = 0; i < sizeof(dt_page_tracking_prefixes) / sizeof(char *); i++) {
        prefix = dt_page_tracking_prefixes[i];
        n = strlen(prefix);

        if (arg->name.len > n
            && dt_str_case_eq((dt_str_t){ n, arg->name.data },
                              (dt_str_t){ n, prefix }))
        {
            return 1;
        }
    }

    dt_page_word(arg->name, word);

    return dt_page_listed(word, dt_page_tracking);
}


/* returns the length of the path parameter at the ";" if it is a session id,
   or 0 */
static size_t
dt_page_parameter(dt_str_t s)
{
    size_t n;
    dt_page_arg_t arg;

    if (s.len == 0 || s.data[0] != ';') {
        return 0;
    }

    s.data++;
    s.len--;

    /* the search ends with the parameter, since a path may be full of them */

    for (n = 0; n < s.len && !strchr("/;&", s.data[n]); n++) { /* void */
    }

    s.len = n;

    return dt_page_next(&s, &arg) && arg.value.len && dt_page_session(&arg)
               ? arg.whole.len + 1
               : 0;
}


dt_str_t
dt_page_path(dt_str_t path)
{
    size_t i;

    for (i = 0; i < path.len; i++) {
        if (path.data[i] == ';'
            && dt_page_parameter((dt_str_t){ path.len - i, path.data + i })
                   == path.len - i)
        {
            path.len = i;
        }
    }

    return path;
}


/*
 * Writes s to out, and decodes characters that need no encoding: encoded or
 * not, the page is the same, and encoding could hide what it is.  A decoded
 * character may complete another encoding, which is then decoded too.  Returns
 * the bytes written.
 */
static size_t
dt_page_plain(dt_str_t s, char *out)
{
    int c;
    size_t i, n = 0;

    for (i = 0; i < s.len; i++) {
        out[n++] = s.data[i];

        while (n >= 3) {
            c = dt_percent_decode((dt_str_t){ 3, out + n - 3 });
            if (c <= 0 || (!dt_page_alnum((char) c) && !strchr("-._~", c))) {
                break;
            }

            n -= 2;
            out[n - 1] = (char) c;
        }
    }

    return n;
}


size_t
dt_page_target(dt_str_t target, char *out)
{
    char *p = out, delim = '?';
    size_t i, n;
    dt_str_t query;
    dt_page_arg_t arg;

    for (n = 0; n < target.len && target.data[n] != '#'; n++) { /* void */
    }

    target.len = dt_page_plain((dt_str_t){ n, target.data }, out);
    target.data = out;

    /* arguments that are left out make room for those that follow */

    for (n = 0; n < target.len && target.data[n] != '?'; n++) { /* void */
    }

    for (i = 0; i < n; i++) {
        while (i < n
               && dt_page_parameter((dt_str_t){ n - i, target.data + i })) {
            i += dt_page_parameter((dt_str_t){ n - i, target.data + i });
        }

        if (i < n) {
            *p++ = target.data[i];
        }
    }

    n += n < target.len;
    query = (dt_str_t){ target.len - n, target.data + n };

    while (dt_page_next(&query, &arg)) {
        if (!dt_page_ignored(&arg)) {
            *p++ = delim;
            memmove(p, arg.whole.data, arg.whole.len);
            p += arg.whole.len;

            /* the delimiter that separates this argument from the next, if any
             */
            delim = query.len ? query.data[-1] : '&';
        }
    }

    return (size_t) (p - out);
}


uint64_t
dt_page_query(dt_str_t query)
{
    uint64_t sum = 0;
    dt_page_arg_t arg;

    while (dt_page_next(&query, &arg)) {
        if (!dt_page_ignored(&arg)) {
            sum += dt_hash(arg.whole.data, arg.whole.len, 0) | 1;
        }
    }

    return sum;
}


unsigned
dt_page_args(dt_str_t query)
{
    unsigned n = 0;
    dt_page_arg_t arg;

    while (dt_page_next(&query, &arg)) {
        n += !dt_page_ignored(&arg);
    }

    return n;
}
