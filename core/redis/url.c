
/*
 * Copyright (C) The detemplate authors
 *
 * Parses and checks the user's options for Redis before anything connects.  No
 * message quotes the URL, since it may contain a password.
 */


#include <stdio.h>
#include <strings.h>

#include "core/redis/url.h"
#include "core/base/dt.h"


#define DT_REDIS_TEXT(name, file)                                             \
    {                                                                         \
#name, offsetof(dt_redis_opts_t, name), file                          \
    }

const dt_redis_text_t dt_redis_texts[] = {
    DT_REDIS_TEXT(url, 0),
    DT_REDIS_TEXT(token, 0),
    DT_REDIS_TEXT(prefix, 0),
    DT_REDIS_TEXT(user_file, 1),
    DT_REDIS_TEXT(password_file, 1),
    DT_REDIS_TEXT(sentinel_password_file, 1),
    DT_REDIS_TEXT(ca, 1),
    DT_REDIS_TEXT(cert, 1),
    DT_REDIS_TEXT(key, 1),
    { NULL, 0, 0 },
};


static dt_status_t
dt_redis_invalid(char *errstr, const char *what)
{
    snprintf(errstr, DT_ERRSTR, "redis: %s", what);

    return DT_EINVAL;
}


/* copies src and decodes %XX; 0: it does not fit, or is malformed */
static int
dt_redis_decode(dt_str_t src, char *dst, size_t size)
{
    size_t n = dt_percent_copy(src, dst, size - 1);

    if (n == SIZE_MAX || memchr(dst, '\0', n) != NULL) {
        return 0;
    }

    dst[n] = '\0';

    return 1;
}


/* parses [user[:password]@] at the head of *p, before the first "/" */
static int
dt_redis_user(const char **p, dt_redis_url_t *u)
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
        if (!dt_redis_decode(
                (dt_str_t){ (size_t) (at - colon) - 1, colon + 1 },
                u->password, sizeof(u->password)))
        {
            return 0;
        }

        len = (size_t) (colon - *p);
    }

    if (!dt_redis_decode((dt_str_t){ len, *p }, u->user, sizeof(u->user))) {
        return 0;
    }

    *p = at + 1;

    return 1;
}


/* parses host[:port] or [ip6][:port] up to "," or "/" */
static const char *
dt_redis_host(const char **at, int port, dt_redis_url_t *u)
{
    size_t len;
    uint64_t n = 0;
    const char *p = *at;
    dt_redis_host_t *host;

    if (u->nhosts == DT_REDIS_HOSTS) {
        return "the URL has more than 8 sentinels";
    }

    host = &u->hosts[u->nhosts++];
    host->port = port;

    if (*p == '[') {
        p++;
        len = strcspn(p, "]");

        if (p[len] == '\0') {
            return "\"]\" is missing in the URL";
        }

    } else {
        len = strcspn(p, ":,/");
    }

    if (len == 0 || len >= sizeof(host->name)) {
        return "the URL needs a host name: redis://host:port/db";
    }

    for (size_t i = 0; i < len; i++) {
        if (p[i] <= ' ' || p[i] > '~') {
            return "the host name in the URL has a byte that no name has";
        }
    }

    memcpy(host->name, p, len);
    p += len + (p[len] == ']');

    if (*p == ':') {
        p++;
        len = strcspn(p, ",/");

        if (!dt_str_number((dt_str_t){ len, p }, 65535, &n) || n == 0) {
            return "the port in the URL must be 1 to 65535";
        }

        host->port = (int) n;
        p += len;
    }

    if (strcspn(p, ",/") != 0) {
        return "the URL must be redis://host:port/db";
    }

    *at = p;

    return NULL;
}


/* parses host[:port][/db], or host[:port],host[:port],.../NAME[/db] */
static const char *
dt_redis_hosts(const char *p, unsigned sentinel, dt_redis_url_t *u)
{
    size_t len;
    uint64_t db = 0;
    const char *e;

    do {
        p += u->nhosts != 0;

        e = dt_redis_host(&p, sentinel ? 26379 : 6379, u);
        if (e != NULL) {
            return e;
        }

    } while (sentinel && *p == ',');

    if (sentinel) {
        len = *p == '/' ? strcspn(++p, "/") : 0;

        if (len == 0
            || !dt_redis_decode((dt_str_t){ len, p }, u->master,
                                sizeof(u->master)))
        {
            return "the URL needs the name that sentinels know: "
                   "redis+sentinel://host:port,host:port/NAME/db";
        }

        p += len;
    }

    if (*p != '\0' && strcmp(p, "/") != 0
        && (*p != '/' || !dt_str_number(dt_cstr(p + 1), 65535, &db)))
    {
        return "the URL must end in a database number: redis://host:port/db";
    }

    u->db = (unsigned) db;

    return NULL;
}


static const struct {
    const char *name;
    unsigned tls;
    unsigned sentinel;
} dt_redis_schemes[] = {
    { "redis://", 0, 0 },
    { "rediss://", 1, 0 },
    { "redis+sentinel://", 0, 1 },
    { "rediss+sentinel://", 1, 1 },
    { "unix:", 0, 0 },
};

#define DT_REDIS_SCHEMES                                                      \
    (sizeof(dt_redis_schemes) / sizeof(dt_redis_schemes[0]))


/* parses a URL into u, which is zeroed; returns the fault, or NULL */
static const char *
dt_redis_url(const char *url, dt_redis_url_t *u)
{
    size_t i, len = 0;
    const char *p;

    if (url == NULL) {
        return "a URL is needed: redis://host:port/db or unix:/path";
    }

    for (i = 0; i < DT_REDIS_SCHEMES; i++) {
        len = strlen(dt_redis_schemes[i].name);

        if (strncasecmp(url, dt_redis_schemes[i].name, len) == 0) {
            break;
        }
    }

    if (i == DT_REDIS_SCHEMES) {
        return "the URL must begin with redis://, rediss://, "
               "redis+sentinel://, rediss+sentinel:// or unix:";
    }

    p = url + len;
    u->tls = dt_redis_schemes[i].tls;

    if (!dt_redis_user(&p, u)) {
        return "user or password in the URL is too long or badly encoded";
    }

    if (url[len - 1] == '/') {
        return dt_redis_hosts(p, dt_redis_schemes[i].sentinel, u);
    }

    if (p[0] != '/' || strlen(p) >= sizeof(u->path)) {
        return "the socket must be a path of at most 107 bytes: unix:/path";
    }

    memcpy(u->path, p, strlen(p));

    return NULL;
}


/* copies the name of a file; 0: it is empty or too long */
static int
dt_redis_file(const char *name, char file[DT_REDIS_FILE])
{
    size_t len;

    if (name == NULL) {
        return 1;
    }

    len = strlen(name);
    if (len == 0 || len >= DT_REDIS_FILE) {
        return 0;
    }

    memcpy(file, name, len);

    return 1;
}


/* takes the prefix of keys and the value of locks, if they can be used */
static const char *
dt_redis_names(const dt_redis_opts_t *o, dt_redis_conf_t *c)
{
    size_t len;
    const char *prefix = o->prefix ? o->prefix : "dt:";
    const char *token = o->token ? o->token : "";

    len = strlen(prefix);
    if (len > DT_REDIS_PREFIX) {
        return "the prefix is longer than 64 bytes";
    }

    for (size_t i = 0; i < len; i++) {
        if (prefix[i] <= ' ' || prefix[i] > '~' || strchr("{}%", prefix[i])) {
            return "the prefix may contain only letters, digits and \":\"";
        }
    }

    memcpy(c->prefix, prefix, len);

    len = strlen(token);
    if (len > DT_REDIS_TOKEN) {
        return "the token is longer than 64 bytes";
    }

    memcpy(c->token, token, len);

    return NULL;
}


/* sets the trusted certificates and our credentials; the passwords are read
   later */
static const char *
dt_redis_trust(const dt_redis_opts_t *o, dt_redis_conf_t *c)
{
    if (!dt_redis_file(o->user_file, c->user_file)
        || !dt_redis_file(o->password_file, c->password_file)
        || !dt_redis_file(o->sentinel_password_file, c->sentinel_password_file)
        || !dt_redis_file(o->ca, c->ca) || !dt_redis_file(o->cert, c->cert)
        || !dt_redis_file(o->key, c->key))
    {
        return "a file's name is empty or too long";
    }

    if (c->user_file[0] && c->url.user[0]) {
        return "the user is in the URL and in a file: leave one out";
    }

    if (c->password_file[0] && c->url.password[0]) {
        return "the password is in the URL and in a file: leave one out";
    }

    if ((c->user_file[0] || c->url.user[0]) && !c->password_file[0]
        && !c->url.password[0])
    {
        return "a user needs a password, in the URL or in a file";
    }

    if (c->sentinel_password_file[0] && !c->url.master[0]) {
        return "there is a password for sentinels, but no sentinel: "
               "redis+sentinel://host:port/NAME";
    }

    if (!c->url.tls && (c->ca[0] || c->cert[0] || c->key[0] || o->insecure)) {
        return "ca, cert, key and verify need TLS: rediss://host:port";
    }

    if (!c->cert[0] != !c->key[0]) {
        return "cert and key need each other";
    }

    if (c->ca[0] && o->insecure) {
        return "ca says whom to trust, but verify is off";
    }

    c->insecure = o->insecure != 0;

    return NULL;
}


dt_status_t
dt_redis_parse(const dt_redis_opts_t *o, dt_redis_conf_t *c,
               char errstr[DT_ERRSTR])
{
    const char *e;

    memset(c, 0, sizeof(dt_redis_conf_t));
    c->timeout = o->timeout_ms ? o->timeout_ms : 200;

    e = dt_redis_url(o->url, &c->url);

    if (e == NULL && (c->timeout < 1 || c->timeout > 60000)) {
        e = "the time-out must be 1ms to 60s";
    }

    e = e ? e : dt_redis_names(o, c);
    e = e ? e : dt_redis_trust(o, c);

    return e ? dt_redis_invalid(errstr, e) : DT_OK;
}


dt_status_t
dt_redis_check(const dt_redis_opts_t *o, char errstr[DT_ERRSTR])
{
    dt_redis_conf_t c;

    return dt_redis_parse(o, &c, errstr);
}
