
/*
 * Copyright (C) The detemplate authors
 *
 * A URL that acts is recognised by the parts of its names, since programs call
 * actions "delete_all", "deleteUser" or "purge-cache".  But titles consist of
 * words too: /how-to-delete-a-file is a page.  So a name of many parts counts
 * as a title.
 */


#include "core/base/page_i.h"
#include "core/base/str.h"


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

    while (*i < s.len && !dt_page_alnum(s.data[*i])) {
        ++*i;
    }

    if (*i == s.len) {
        return 0;
    }

    begin = *i;

    do {
        ++*i;
    } while (*i < s.len && dt_page_alnum(s.data[*i])
             && !dt_page_begins(s, *i));

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


/* the same for each name between delimiters; what is the one that acts */
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
