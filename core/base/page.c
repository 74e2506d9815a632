
/*
 * Copyright (C) The detemplate authors
 *
 * Programs that generate sites address their pages by query.  The same query
 * may carry a visitor's session, which is private and makes many URLs of one
 * page, and tracking data.  Both are recognised by the argument names that
 * widely used programs give them.
 */


#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/page.h"
#include "core/base/tags.h"


#define DT_PAGE_WORD 24   /* bytes of the longest word of a list and its NUL */
#define DT_PAGE_SECRET 16 /* least letters and digits of a random value */

/* an argument as it is written in the query */
typedef struct {
    dt_str_t whole;
    dt_str_t name;
    dt_str_t value;
} dt_page_arg_t;


/* all lists are sorted for bsearch(), in lower case, without "-" and "_" */

/* arguments that are a session id with any value */
#define DT_PAGE_EXT 11 /* bytes of the longest extension that is known */


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


/* writes the letters and digits of s in lower case, or an empty word when they
   are too long for any list */
static void
dt_page_word(dt_str_t s, char out[DT_PAGE_WORD])
{
    size_t i, n = 0;

    for (i = 0; i < s.len; i++) {
        if (!dt_is_alnum(s.data[i])) {
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


/* takes the next argument off the query; 0: there are no more */
static int
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


/* whether s looks random: DT_PAGE_SECRET or more letters and digits */
static int
dt_page_random(dt_str_t s)
{
    size_t i;
    int digit = 0;

    for (i = 0; i < s.len; i++) {
        if (!dt_is_alnum(s.data[i])) {
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


/* whether an argument does not identify the page: a session id, tracking */
static int
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
 * not, the page is the same, and encoding could hide the kind of page.  A
 * decoded character may complete another encoding, which is then decoded too.
 * Returns the bytes written.
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
            if (c <= 0 || (!dt_is_alnum(c) && !strchr("-._~", c))) {
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


/*
 * A URL that acts is recognised by the parts of its names, since programs call
 * actions "delete_all", "deleteUser" or "purge-cache".  But titles consist of
 * words too: /how-to-delete-a-file is a page.  So a name of many parts counts
 * as a title.
 */

#define DT_PAGE_TITLE 3   /* a name with more parts is a title */
#define DT_PAGE_PATH 2048 /* bytes of a path that are read: DT_URL_MAX */
#define DT_PAGE_VALUE 256 /* bytes of a name or value that are read */


/* a name or value, split into parts; letters and digits in lower case */
typedef struct {
    unsigned n;              /* parts */
    char word[DT_PAGE_WORD]; /* all parts joined */
    char part[DT_PAGE_WORD]; /* the last part */
    char pair[DT_PAGE_WORD]; /* the last two parts joined */
} dt_page_parts_t;


/* all lists are sorted for bsearch() */

/* whole names that act, or that lead to a page for one user */
static const char *const dt_page_words[] = {
    "account",   "addtocart",  "atom",      "basket",    "cart",
    "checkout",  "delete",     "edit",      "feed",      "feeds",
    "login",     "logoff",     "logon",     "logout",    "myaccount",
    "print",     "printable",  "printpage", "printview", "register",
    "remove",    "replytocom", "rss",       "rss2",      "share",
    "signin",    "signoff",    "signout",   "signup",    "unsubscribe",
    "userlogin", "userlogout", "vote",      "wishlist",  "wpadmin",
    "wplogin",
};

/* parts of names that act, alone or joined with the next part */
static const char *const dt_page_parts[] = {
    "delete", "destroy",  "edit",      "erase",       "login",   "logoff",
    "logon",  "logout",   "purge",     "reboot",      "remove",  "reset",
    "revoke", "rollback", "shutdown",  "signin",      "signoff", "signout",
    "signup", "undelete", "uninstall", "unsubscribe", "wipe",
};

/* the same for queries only: short words that are common in paths */
static const char *const dt_page_query_parts[] = {
    "activation", "apikey", "auth",      "csrf",   "del",
    "export",     "invite", "nonce",     "otp",    "passwd",
    "password",   "print",  "printable", "secret", "sectok",
    "signature",  "sort",   "token",     "undo",   "vote",
};

/* arguments whose value is an action */
static const char *const dt_page_actions[] = {
    "a",    "act",      "action", "cmd",  "command", "do",
    "func", "function", "method", "mode", "op",      "task",
};

/* actions that must not be requested, or that do not make a page of their
   own */
static const char *const dt_page_acting_values[] = {
    "add",     "approve", "ban",       "buy",     "cancel",  "clear",
    "close",   "create",  "diff",      "flag",    "history", "insert",
    "install", "like",    "lock",      "mark",    "merge",   "move",
    "new",     "pay",     "post",      "publish", "quote",   "rate",
    "raw",     "reindex", "reply",     "report",  "restore", "revert",
    "rm",      "run",     "save",      "send",    "set",     "start",
    "stop",    "submit",  "subscribe", "sync",    "toggle",  "trash",
    "unlock",  "unwatch", "update",    "upload",  "watch",
};

/* arguments that sort a page */
static const char *const dt_page_orders[] = {
    "order",  "orderby", "orderdir",  "ordering",
    "sortby", "sortdir", "sortorder",
};

/* arguments whose value is searched for */
static const char *const dt_page_searches[] = {
    "busca", "buscar",    "find", "keyword", "keywords", "kw", "q",
    "query", "recherche", "s",    "search",  "suche",    "wd",
};

/* arguments that are secrets when their value looks random */
static const char *const dt_page_keys[] = {
    "code", "confirm", "hash", "key", "sig", "verify",
};


/* decodes percent-encoding in s, as far as there is room */
static dt_str_t
dt_page_decode(dt_str_t s, char *buf, size_t size)
{
    int c;
    size_t n;

    for (n = 0; s.len && n < size; n++) {
        c = dt_percent_decode(s);
        buf[n] = c < 0 ? s.data[0] : (char) c;
        s.data += c < 0 ? 1 : 3;
        s.len -= c < 0 ? 1 : 3;
    }

    return (dt_str_t){ n, buf };
}


/* whether a part begins at s.data[i], behind a letter or digit, as in
   camelCase */
static int
dt_page_begins(dt_str_t s, size_t i)
{
    return s.data[i] >= 'A' && s.data[i] <= 'Z'
           && (!(s.data[i - 1] >= 'A' && s.data[i - 1] <= 'Z')
               || (i + 1 < s.len && s.data[i + 1] >= 'a'
                   && s.data[i + 1] <= 'z'));
}


/* takes the next part of s from *i on; 0: there is none */
static int
dt_page_part(dt_str_t s, size_t *i, dt_page_parts_t *p)
{
    size_t begin, n;
    char last[DT_PAGE_WORD];

    while (*i < s.len && !dt_is_alnum(s.data[*i])) {
        ++*i;
    }

    if (*i == s.len) {
        return 0;
    }

    begin = *i;

    do {
        ++*i;
    } while (*i < s.len && dt_is_alnum(s.data[*i]) && !dt_page_begins(s, *i));

    memcpy(last, p->part, sizeof(last));
    dt_page_word((dt_str_t){ *i - begin, s.data + begin }, p->part);

    n = strlen(last);
    p->pair[0] = '\0';

    if (p->n && n && n + strlen(p->part) < DT_PAGE_WORD) {
        memcpy(p->pair, last, n);
        memcpy(p->pair + n, p->part, strlen(p->part) + 1);
    }

    p->n++;

    return 1;
}


/* whether s, a name without delimiters, acts; a title of many parts does not,
   unless all parts are to count */
static int
dt_page_acts(dt_str_t s, int query, int all)
{
    size_t i = 0;
    int found = 0;
    dt_page_parts_t p;

    memset(&p, 0, sizeof(p));
    dt_page_word(s, p.word);

    if (dt_page_listed(p.word, dt_page_words)) {
        return 1;
    }

    while (dt_page_part(s, &i, &p)) {
        found |= dt_page_listed(p.part, dt_page_parts)
                 || dt_page_listed(p.pair, dt_page_parts)
                 || (query
                     && (dt_page_listed(p.part, dt_page_query_parts)
                         || dt_page_listed(p.pair, dt_page_query_parts)));
    }

    return found && (all || p.n <= DT_PAGE_TITLE);
}


/* the same for each name between delimiters; sets *what to the one that
   acts */
static int
dt_page_any_acts(dt_str_t s, const char *delims, int query, dt_str_t *what)
{
    size_t n;

    while (s.len) {
        for (n = 0; n < s.len && strchr(delims, s.data[n]) == NULL; n++) {
            /* void */
        }

        if (dt_page_acts((dt_str_t){ n, s.data }, query, 0)) {
            *what = (dt_str_t){ n, s.data };
            return 1;
        }

        n += n < s.len;
        s.data += n;
        s.len -= n;
    }

    return 0;
}


/* whether an action, the value of an argument, must not be requested */
static int
dt_page_value_acts(dt_str_t value)
{
    size_t i = 0;
    dt_page_parts_t p;

    memset(&p, 0, sizeof(p));

    while (dt_page_part(value, &i, &p)) {
        if (dt_page_listed(p.part, dt_page_acting_values)) {
            return 1;
        }
    }

    return dt_page_acts(value, 1, 1);
}


/* whether word is a part of s */
static int
dt_page_has(dt_str_t s, const char *word)
{
    size_t i = 0;
    dt_page_parts_t p;

    memset(&p, 0, sizeof(p));

    while (dt_page_part(s, &i, &p)) {
        if (strcmp(p.part, word) == 0) {
            return 1;
        }
    }

    return 0;
}


/* whether an argument sorts: "C=N;O=D", as in directory listings, "dir=asc" */
static int
dt_page_sorts(const char *word, dt_str_t name, dt_str_t value)
{
    return dt_page_listed(word, dt_page_orders)
           || (name.len == 1 && (name.data[0] == 'C' || name.data[0] == 'O')
               && value.len == 1 && value.data[0] >= 'A'
               && value.data[0] <= 'Z')
           || dt_str_case_eq(value, dt_str("asc"))
           || dt_str_case_eq(value, dt_str("desc"));
}


static dt_page_kind_t
dt_page_arg(const dt_page_arg_t *arg)
{
    int action;
    char word[DT_PAGE_WORD], name_buf[DT_PAGE_VALUE], buf[DT_PAGE_VALUE];
    dt_str_t name, value, what;

    name = dt_page_decode(arg->name, name_buf, DT_PAGE_VALUE);
    value = dt_page_decode(arg->value, buf, DT_PAGE_VALUE);
    dt_page_word(name, word);

    action = dt_page_listed(word, dt_page_actions);

    if (dt_page_acts(name, 1, 1) || dt_page_sorts(word, name, value)
        || (action && dt_page_value_acts(value))
        || dt_page_any_acts(value, "/.:;=, +", 1, &what)
        || (dt_page_listed(word, dt_page_keys) && dt_page_random(value)))
    {
        return DT_PAGE_ACTION;
    }

    /* ?q=node/12 is how an old Drupal names its pages */

    if ((dt_page_listed(word, dt_page_searches)
         && !(strcmp(word, "q") == 0
              && memchr(value.data, '/', value.len) != NULL))
        || dt_page_has(name, "search")
        || (action && dt_page_has(value, "search"))
        || dt_str_case_eq(value, dt_str("Special:Search")))
    {
        return DT_PAGE_SEARCH;
    }

    return DT_PAGE_OK;
}


dt_page_kind_t
dt_page_kind(dt_str_t path, dt_str_t query, dt_str_t *what)
{
    char buf[DT_PAGE_PATH];
    unsigned n = 0;
    dt_str_t plain, rest = query;
    dt_page_arg_t arg;
    dt_page_kind_t kind;

    path = dt_page_path(path);
    plain = dt_page_decode(path, buf, DT_PAGE_PATH);

    if (dt_page_any_acts(plain, "/.:;=,", 0, what)) {
        what->data = path.data + (what->data - plain.data);
        *what = plain.len == path.len ? *what : path;
        return DT_PAGE_ACTION;
    }

    while (dt_page_next(&rest, &arg)) {
        if (dt_page_ignored(&arg)) {
            continue;
        }

        *what = arg.whole;
        kind = dt_page_arg(&arg);

        if (kind != DT_PAGE_OK) {
            return kind;
        }

        if (++n > DT_PAGE_ARGS) {
            *what = query;
            return DT_PAGE_QUERY;
        }

        if (dt_page_has(plain, "search")) {
            *what = path;
            return DT_PAGE_SEARCH;
        }
    }

    return DT_PAGE_OK;
}


/* extensions of files that are no page, sorted for bsearch() */
static const char *const dt_page_files[] = {
    "3gp",         "7z",      "apk",  "atom", "avi",  "avif",  "bin", "bmp",
    "bz2",         "cab",     "css",  "csv",  "deb",  "djvu",  "dmg", "doc",
    "docx",        "eot",     "eps",  "epub", "exe",  "flac",  "flv", "gif",
    "gz",          "heic",    "ico",  "ics",  "img",  "iso",   "jar", "jpeg",
    "jpg",         "js",      "json", "kml",  "m3u",  "m4a",   "m4v", "map",
    "mid",         "mjs",     "mkv",  "mobi", "mov",  "mp3",   "mp4", "mpeg",
    "mpg",         "msi",     "odp",  "ods",  "odt",  "ogg",   "ogv", "otf",
    "pdf",         "png",     "ppt",  "pptx", "ps",   "psd",   "rar", "rdf",
    "rpm",         "rss",     "rtf",  "svg",  "swf",  "tar",   "tgz", "tif",
    "tiff",        "torrent", "ttf",  "txt",  "vcf",  "wasm",  "wav", "webm",
    "webmanifest", "webp",    "wma",  "wmv",  "woff", "woff2", "xls", "xlsx",
    "xml",         "xsd",     "xsl",  "xz",   "zip",  "zst",
};


int
dt_page_is_file(dt_str_t path)
{
    char ext[DT_PAGE_EXT + 1];
    size_t i, len = 0;

    if (memchr(path.data, ';', path.len) != NULL) {
        path = dt_page_path(path);
    }

    while (len < path.len && len <= DT_PAGE_EXT
           && path.data[path.len - len - 1] != '.'
           && path.data[path.len - len - 1] != '/')
    {
        len++;
    }

    if (len == path.len || len > DT_PAGE_EXT
        || path.data[path.len - len - 1] != '.')
    {
        return 0;
    }

    for (i = 0; i < len; i++) {
        ext[i] = dt_lower(path.data[path.len - len + i]);
    }

    ext[len] = '\0';

    return dt_page_listed(ext, dt_page_files);
}
