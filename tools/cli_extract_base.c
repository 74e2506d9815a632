
/*
 * Copyright (C) The detemplate authors
 *
 * Which URLs the files of a folder stand for.  Pages say so: by <link
 * rel=canonical>, by og:url, and by the comment that HTTrack leaves.  Where
 * most of those that say something agree, that is it.  Otherwise a folder that
 * is named like a host counts as a mirror that wget or HTTrack made.
 */


#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/dt.h"
#include "cli_extract.h"


#define DT_BASE_ASKED 48                  /* pages that are asked */
#define DT_BASE_HEAD ((size_t) 32 * 1024) /* bytes of each */


/* a base URL, and the number of pages that vote for it */
typedef struct {
    char base[DT_URL_MAX + 1];
    unsigned n;
} dt_vote_t;

typedef struct {
    dt_vote_t votes[DT_BASE_ASKED];
    unsigned n;
    unsigned said; /* pages that said something */
} dt_poll_t;


/* finds an attribute in a tag; 0: there is none */
static int
dt_base_attr(dt_str_t tag, const char *name, dt_str_t *value)
{
    char quote;
    size_t i, len = strlen(name);
    const char *p = tag.data, *end = tag.data + tag.len, *stop;

    for (; (size_t) (end - p) > len + 1; p++) {
        if ((unsigned char) p[0] > ' ' || strncasecmp(p + 1, name, len) != 0) {
            continue;
        }

        for (i = len + 1; p + i < end && (unsigned char) p[i] <= ' '; i++) {
            /* void */
        }

        if (p + i >= end || p[i] != '=') {
            continue;
        }

        for (p += i + 1; p < end && (unsigned char) *p <= ' '; p++) {
            /* void */
        }

        quote = p < end && (*p == '"' || *p == '\'') ? *p++ : ' ';
        stop = p < end ? memchr(p, quote, (size_t) (end - p)) : NULL;
        value->data = p;
        value->len = (size_t) ((stop != NULL ? stop : end) - p);

        return 1;
    }

    return 0;
}


/* finds the URL that a page gives as its own */
static int
dt_base_own(dt_str_t head, dt_str_t *url)
{
    static const dt_str_t mark = dt_str("<!-- Mirrored from ");
    int found = 0;
    dt_str_t tag, name;
    const char *p = head.data, *end = p + head.len, *stop;

    for (; p < end && (p = memchr(p, '<', (size_t) (end - p))) != NULL; p++) {
        stop = memchr(p, '>', (size_t) (end - p));
        if (stop == NULL) {
            break;
        }

        tag = (dt_str_t){ (size_t) (stop - p), p };

        if (tag.len > mark.len && memcmp(p, mark.data, mark.len) == 0) {
            url->data = p + mark.len;
            url->len = strcspn(url->data, " >");
            return 1;
        }

        if (tag.len > 5 && strncasecmp(p, "<link", 5) == 0
            && dt_base_attr(tag, "rel", &name)
            && dt_str_case_eq(name, dt_str("canonical"))
            && dt_base_attr(tag, "href", url))
        {
            return 1;
        }

        if (tag.len > 5 && !found && strncasecmp(p, "<meta", 5) == 0
            && dt_base_attr(tag, "property", &name)
            && dt_str_case_eq(name, dt_str("og:url")))
        {
            found = dt_base_attr(tag, "content", url);
        }
    }

    return found;
}


/* counts that the file at path below the folder has this URL */
static void
dt_base_vote(dt_poll_t *poll, const char *path, dt_str_t url)
{
    static const char *const ends[] = { "", "index.html", "index.htm", ".html",
                                        ".htm" };
    static const char *const more[] = { "", "", "", "/", "" };
    char want[3 * DT_EXTRACT_PATH + 2], code[3 * DT_EXTRACT_PATH];
    size_t i, n, len, end;
    unsigned k;

    len = dt_url_encode(dt_cstr(path), "/?=&", code);

    for (i = 0; i < 2 * sizeof(ends) / sizeof(*ends); i++) {
        end = strlen(ends[i / 2]);

        if (end > len || memcmp(code + len - end, ends[i / 2], end) != 0) {
            continue;
        }

        n = (size_t) snprintf(want, sizeof(want), "/%.*s%s", (int) (len - end),
                              code, i % 2 ? more[i / 2] : "");

        if (url.len < n + 8 || url.len - n + 1 > DT_URL_MAX
            || memcmp(url.data + url.len - n, want, n) != 0)
        {
            continue;
        }

        n = url.len - n + 1;

        for (k = 0; k < poll->n; k++) {
            if (strlen(poll->votes[k].base) == n
                && memcmp(poll->votes[k].base, url.data, n) == 0)
            {
                break;
            }
        }

        if (k == poll->n) {
            memcpy(poll->votes[k].base, url.data, n);
            poll->votes[k].base[n] = '\0';
            poll->n++;
        }

        poll->votes[k].n++;

        return;
    }
}


/* asks a page */
static void
dt_base_ask(dt_extract_t *x, dt_poll_t *poll, const char *name,
            const char *path)
{
    int fd;
    char buf[DT_BASE_HEAD + 1], full[DT_URL_MAX + 8];
    ssize_t n;
    dt_str_t url;

    fd = openat(x->sources[x->nsources - 1].fd, name,
                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd == -1) {
        return;
    }

    n = read(fd, buf, DT_BASE_HEAD);
    close(fd);

    if (n <= 0) {
        return;
    }

    buf[n] = '\0';

    if (!dt_base_own((dt_str_t){ (size_t) n, buf }, &url) || url.len == 0
        || url.len > DT_URL_MAX)
    {
        return;
    }

    /* Debian's manuals call themselves file:///... */

    if (memmem(url.data, url.len, "file:", 5) == url.data) {
        return;
    }

    poll->said++;

    if (strncasecmp(url.data, "http", 4) != 0) {
        /* HTTrack names no scheme */
        url.len = (size_t) snprintf(full, sizeof(full), "http://%.*s",
                                    (int) url.len, url.data);
        url.data = full;
    }

    dt_base_vote(poll, path, url);
}


/* whether a folder's name is that of a host, perhaps with a port */
static int
dt_base_is_host(const char *name, size_t len)
{
    size_t i, dots = 0, dot = 0, port = len;

    for (i = 0; i < len; i++) {
        if (name[i] == ':' || name[i] == '+'
            || (name[i] == '_' && i > dot + 1)) {
            port = i;
            break;
        }

        if (name[i] == '.') {
            dot = i;
            dots++;

        } else if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", name[i])
                   == NULL) {
            return 0;
        }
    }

    for (i = port + 1; i < len; i++) {
        if (name[i] < '0' || name[i] > '9') {
            return 0;
        }
    }

    /* "localhost:8080", an address, or a name with a domain of letters; not
       "manual.html" */
    return port > 2 && name[0] != '.'
           && (!dot || strncmp(name + dot, ".htm", 4) != 0)
           && ((port == 9 && memcmp(name, "localhost", 9) == 0)
               || (dot && name[dot + 1] >= 'a' && port - dot > 2)
               || (dots == 3 && strspn(name, "0123456789.") == port));
}


/* the URL of a host that a folder is named like; before a port, HTTrack has
   "_", and wget "+" where names are to be those of Windows */
static void
dt_base_host(const char *name, size_t len, char *base)
{
    char *p;

    (void) snprintf(base, DT_URL_MAX, "http://%.*s/", (int) len, name);

    p = strpbrk(base, "_+");
    if (p != NULL) {
        *p = ':';
    }
}


/* a URL of which nothing is known: of several directories each is a site */
static void
dt_base_none(const dt_extract_t *x, char *base)
{
    char *p;

    if (x->args->nargs < 2) {
        (void) snprintf(base, DT_URL_MAX, "http://localhost/");
        return;
    }

    (void) snprintf(base, DT_URL_MAX, "http://%s.localhost/",
                    x->sources[x->nsources - 1].label);

    for (p = base + strlen("http://"); strcmp(p, ".localhost/") != 0; p++) {
        *p = dt_lower(*p);

        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", *p) == NULL) {
            *p = '-';
        }
    }
}


/* the URL of the files whose names begin with the first len bytes of each;
   folder is how the folder above them is called */
static void
dt_base_guess(dt_extract_t *x, char **names, size_t n, size_t len,
              const char *folder, size_t folder_len, char *base)
{
    size_t i;
    unsigned k, best = 0;
    const char *how = "though nothing says so";
    dt_poll_t *poll = calloc(1, sizeof(dt_poll_t));

    dt_base_none(x, base);

    for (i = 0; poll != NULL && i < DT_BASE_ASKED && i < n; i++) {
        k = (unsigned) (n <= DT_BASE_ASKED ? i : i * n / DT_BASE_ASKED);
        dt_base_ask(x, poll, names[k], names[k] + len);
    }

    for (k = 0; poll != NULL && k < poll->n; k++) {
        best = poll->votes[k].n > poll->votes[best].n ? k : best;
    }

    if (poll != NULL && poll->n && 2 * poll->votes[best].n > poll->said) {
        (void) snprintf(base, DT_URL_MAX, "%s", poll->votes[best].base);
        how = "as its pages say";

    } else if (dt_base_is_host(folder, folder_len)) {
        dt_base_host(folder, folder_len, base);
        how = "as its name says";
    }

    free(poll);

    if (!x->args->quiet) {
        dt_extract_clear(x);
        fprintf(stderr, "detemplate: ");
        dt_cli_print(stderr, (dt_str_t){ folder_len, folder });
        fprintf(stderr, " stands for ");
        dt_cli_print(stderr, dt_cstr(base));
        fprintf(stderr, ", %s; see --base\n", how);
    }
}


/*
 * Where wget has put a query into a file's name: at "?", or at "@" behind an
 * extension, where names are to be those of Windows.  NULL: there is none.
 */
static const char *
dt_base_query(const char *name)
{
    const char *p, *last = strrchr(name, '/');

    last = last != NULL ? last + 1 : name;
    p = strchr(last, '?');

    if (p == NULL) {
        p = strchr(last, '@');
        p = p != NULL && memchr(last, '.', (size_t) (p - last)) != NULL
                    && strchr(p, '=') != NULL
                ? p
                : NULL;
    }

    return p;
}


/* writes the URL of a file below base, of at bytes, to url */
static void
dt_base_url(const char *name, int ends, char *url, size_t at)
{
    size_t n, end;
    const char *query = dt_base_query(name);
    dt_str_t path = dt_cstr(name), rest = dt_str("");

    if (query != NULL) {
        path.len = (size_t) (query - name);
        rest = dt_cstr(query + 1);
        rest.len -= ends ? strlen(".html") : 0;
    }

    end = at + dt_url_encode(path, "/=&+,;:@!$'()*", url + at);

    /* servers send index.html for its directory */

    n = strlen("index.html");

    if (path.len >= n && memcmp(url + end - n - 1, "/index.html", n + 1) == 0)
    {
        end -= n;
    }

    if (query != NULL) {
        url[end++] = '?';
        end += dt_url_encode(rest, "/?=&+,;:@!$'()*%", url + end);
    }

    url[end] = '\0';
}


static int
dt_base_add(dt_extract_t *x, char **names, size_t n, size_t len,
            const char *base)
{
    int code = DT_EXIT_OK, ends = 1;
    char url[DT_URL_MAX + 3 * DT_EXTRACT_PATH];
    size_t i, part, at = strlen(base);

    /* names of pages with a query may all have got an extension */

    for (i = 0; i < n; i++) {
        part = strlen(names[i]);
        ends = ends
               && (dt_base_query(names[i] + len) == NULL
                   || (part > 5 && strcmp(names[i] + part - 5, ".html") == 0));
    }

    memcpy(url, base, at);

    for (i = 0; i < n && code == DT_EXIT_OK; i++) {
        dt_base_url(names[i] + len, ends, url, at);
        code = dt_extract_add(x, url, names[i], (dt_warc_at_t){ 0 });
    }

    return code;
}


/* whether all pages lie in folders that are named like hosts */
static int
dt_base_hosts(char **names, size_t n, int httrack)
{
    size_t i, hosts = 0;
    const char *slash;

    for (i = 0; i < n; i++) {
        slash = strchr(names[i], '/');

        if (slash == NULL) {
            /* HTTrack writes a page about the sites that it has mirrored */
            if (!httrack) {
                return 0;
            }

        } else if (!dt_base_is_host(names[i], (size_t) (slash - names[i]))) {
            return 0;

        } else {
            hosts++;
        }
    }

    return hosts != 0;
}


int
dt_extract_files(dt_extract_t *x, char **names, size_t n, int httrack)
{
    int code = DT_EXIT_OK;
    char base[DT_URL_MAX + 1];
    size_t i, end, len;
    const dt_extract_source_t *s = &x->sources[x->nsources - 1];

    if (x->args->base != NULL) {
        return dt_base_add(x, names, n, 0, x->args->base);
    }

    if (!dt_base_hosts(names, n, httrack)) {
        dt_base_guess(x, names, n, 0, s->label, strlen(s->label), base);

        return dt_base_add(x, names, n, 0, base);
    }

    for (i = 0; i < n && code == DT_EXIT_OK; i = end) {
        if (strchr(names[i], '/') == NULL) {
            end = i + 1;
            continue;
        }

        len = (size_t) (strchr(names[i], '/') - names[i]) + 1;

        for (end = i; end < n && strncmp(names[end], names[i], len) == 0;
             end++) {
            /* void */
        }

        dt_base_guess(x, names + i, end - i, len, names[i], len - 1, base);
        code = dt_base_add(x, names + i, end - i, len, base);
    }

    return code;
}
