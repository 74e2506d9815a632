
/*
 * Copyright (C) The detemplate authors
 *
 * Parses and checks the user's options for Redis before anything connects.  No
 * message quotes the URL, since it may contain a password.
 */


#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/str.h"
#include "core/redis/redis_conf.h"


static dt_status_t
dt_redis_conf_invalid(char *errstr, const char *what)
{
    snprintf(errstr, DT_ERRSTR, "redis: %s", what);

    return DT_EINVAL;
}


/* copies src and decodes %XX; 0: it does not fit, or is malformed */
static int
dt_redis_conf_decode(dt_str_t src, char *dst, size_t size)
{
    int c;
    size_t i, n = 0;

    for (i = 0; i < src.len; i++) {
        c = src.data[i];

        if (c == '%') {
            c = dt_percent_decode((dt_str_t){ src.len - i, src.data + i });
            i += 2;

            if (c <= 0) {
                return 0;
            }
        }

        if (n + 1 >= size) {
            return 0;
        }

        dst[n++] = (char) c;
    }

    dst[n] = '\0';

    return 1;
}


/* returns the decimal number that is all of s, up to max, or -1 */
static int
dt_redis_conf_number(dt_str_t s, int max)
{
    int n = 0;

    if (s.len == 0 || s.len > 5) {
        return -1;
    }

    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return -1;
        }

        n = n * 10 + (s.data[i] - '0');
    }

    return n <= max ? n : -1;
}


/* parses [user[:password]@] at the head of *p, before the first "/" */
static int
dt_redis_conf_user(const char **p, dt_redis_conf_t *c)
{
    size_t len;
    const char *at, *colon;

    len = strcspn(*p, "/");
    at = memrchr(*p, '@', len);

    if (at == NULL) {
        return 1;
    }

    len = (size_t) (at - *p);
    colon = memchr(*p, ':', len);

    if (colon != NULL) {
        if (!dt_redis_conf_decode(
                (dt_str_t){ (size_t) (at - colon) - 1, colon + 1 },
                c->password, sizeof(c->password)))
        {
            return 0;
        }

        len = (size_t) (colon - *p);
    }

    if (!dt_redis_conf_decode((dt_str_t){ len, *p }, c->user, sizeof(c->user)))
    {
        return 0;
    }

    *p = at + 1;

    return 1;
}


/* parses host[:port][/db], or [ip6][:port][/db] */
static const char *
dt_redis_conf_server(const char *p, dt_redis_conf_t *c)
{
    int n;
    size_t len;

    if (*p == '[') {
        p++;
        len = strcspn(p, "]");

        if (p[len] == '\0') {
            return "\"]\" is missing in the URL";
        }

    } else {
        len = strcspn(p, ":/");
    }

    if (len == 0 || len >= sizeof(c->host)) {
        return "the URL needs a host name: redis://host:port/db";
    }

    memcpy(c->host, p, len);
    p += len + (p[len] == ']');

    if (*p == ':') {
        p++;
        len = strcspn(p, "/");
        n = dt_redis_conf_number((dt_str_t){ len, p }, 65535);

        if (n <= 0) {
            return "the port in the URL must be 1 to 65535";
        }

        c->port = n;
        p += len;
    }

    if (*p == '\0' || (p[0] == '/' && p[1] == '\0')) {
        return NULL;
    }

    n = *p == '/' ? dt_redis_conf_number(dt_cstr(p + 1), 65535) : -1;
    if (n < 0) {
        return "the URL must end in a database number: redis://host:port/db";
    }

    c->db = (unsigned) n;

    return NULL;
}


static const char *
dt_redis_conf_url(const char *url, dt_redis_conf_t *c)
{
    const char *p;

    if (url == NULL) {
        return "a URL is needed: redis://host:port/db or unix:/path";
    }

    if (strncasecmp(url, "rediss:", 7) == 0) {
        return "TLS is not supported: use a tunnel, or unix:/path";
    }

    if (strncasecmp(url, "unix:", 5) == 0) {
        p = url + 5;

    } else if (strncasecmp(url, "redis://", 8) == 0) {
        p = url + 8;

    } else {
        return "the URL must begin with redis:// or unix:";
    }

    if (!dt_redis_conf_user(&p, c)) {
        return "user or password in the URL is too long or badly encoded";
    }

    if (url[0] == 'r' || url[0] == 'R') {
        return dt_redis_conf_server(p, c);
    }

    if (p[0] != '/' || strlen(p) >= sizeof(c->path)) {
        return "the socket must be a path of at most 107 bytes: unix:/path";
    }

    memcpy(c->path, p, strlen(p));

    return NULL;
}


int
dt_redis_conf_addrs(const char *host, int numeric, dt_redis_addrs_t *addrs)
{
    int rc;
    char *text;
    struct addrinfo *ai, *all, hints = { .ai_socktype = SOCK_STREAM };

    addrs->n = 0;
    hints.ai_flags = numeric ? AI_NUMERICHOST : 0;

    rc = getaddrinfo(host, NULL, &hints, &all);
    if (rc != 0) {
        return rc;
    }

    for (ai = all; ai != NULL && addrs->n < DT_REDIS_ADDRS; ai = ai->ai_next) {
        text = addrs->text[addrs->n];

        if (getnameinfo(ai->ai_addr, ai->ai_addrlen, text,
                        sizeof(addrs->text[0]), NULL, 0, NI_NUMERICHOST)
            == 0)
        {
            addrs->n++;
        }
    }

    freeaddrinfo(all);

    return 0;
}


dt_status_t
dt_redis_conf_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
                    char errstr[DT_ERRSTR])
{
    size_t len;
    const char *e, *prefix;

    memset(c, 0, sizeof(dt_redis_conf_t));
    c->port = 6379;
    c->timeout = o->timeout_ms ? o->timeout_ms : 200;
    prefix = o->prefix ? o->prefix : "dt:";

    e = dt_redis_conf_url(o->url, c);
    if (e != NULL) {
        return dt_redis_conf_invalid(errstr, e);
    }

    if (c->timeout < 1 || c->timeout > 60000) {
        return dt_redis_conf_invalid(errstr,
                                     "the time-out must be 1ms to 60s");
    }

    len = strlen(prefix);
    if (len > DT_REDIS_PREFIX) {
        return dt_redis_conf_invalid(errstr,
                                     "the prefix is longer than 64 bytes");
    }

    for (size_t i = 0; i < len; i++) {
        if (prefix[i] <= ' ' || prefix[i] > '~' || strchr("{}%", prefix[i])) {
            return dt_redis_conf_invalid(
                errstr, "the prefix may contain only letters, "
                        "digits and \":\"");
        }
    }

    memcpy(c->prefix, prefix, len);

    if (o->password_file == NULL) {
        return c->user[0] == '\0' || c->password[0] != '\0'
                   ? DT_OK
                   : dt_redis_conf_invalid(errstr,
                                           "a user needs a password, in "
                                           "the URL or in a file");
    }

    if (c->password[0] != '\0') {
        return dt_redis_conf_invalid(errstr,
                                     "the password is in the URL and in a "
                                     "file: leave one out");
    }

    len = strlen(o->password_file);
    if (len == 0 || len >= sizeof(c->file)) {
        return dt_redis_conf_invalid(errstr,
                                     "the password file's name is empty "
                                     "or too long");
    }

    memcpy(c->file, o->password_file, len);

    return DT_OK;
}


int
dt_redis_conf_password(dt_redis_conf_t *c)
{
    int fd;
    ssize_t n;
    struct stat st;

    /* O_NONBLOCK and the check of the type: a FIFO must not block us */
    fd = open(c->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd == -1) {
        return 0;
    }

    n = -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        n = read(fd, c->password, sizeof(c->password) - 1);
    }

    (void) close(fd);

    if (n <= 0) {
        return 0;
    }

    c->password[n] = '\0';
    c->password[strcspn(c->password, "\r\n")] = '\0';

    return c->password[0] != '\0';
}
