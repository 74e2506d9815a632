
/*
 * Copyright (C) The detemplate authors
 *
 * The options for Redis as text: words "name=value", which are those of the
 * directive detemplate_redis.
 */


#include <stdio.h>
#include <stdlib.h>

#include "cli_redis.h"


/* the values that are text */
static const struct {
    const char *name;
    size_t place; /* in dt_redis_opts_t */
} dt_cli_redis_texts[] = {
    { "url", offsetof(dt_redis_opts_t, url) },
    { "read", offsetof(dt_redis_opts_t, read) },
    { "prefix", offsetof(dt_redis_opts_t, prefix) },
    { "token", offsetof(dt_redis_opts_t, token) },
    { "user_file", offsetof(dt_redis_opts_t, user_file) },
    { "password_file", offsetof(dt_redis_opts_t, password_file) },
    { "sentinel_password_file",
      offsetof(dt_redis_opts_t, sentinel_password_file) },
    { "ca", offsetof(dt_redis_opts_t, ca) },
    { "cert", offsetof(dt_redis_opts_t, cert) },
    { "key", offsetof(dt_redis_opts_t, key) },
};

#define DT_CLI_TEXTS                                                          \
    (sizeof(dt_cli_redis_texts) / sizeof(dt_cli_redis_texts[0]))


/* sets a value that is text; 0: there is none of that name */
static int
dt_cli_redis_text(dt_redis_opts_t *o, const char *name, const char *value)
{
    for (size_t i = 0; i < DT_CLI_TEXTS; i++) {
        if (strcmp(name, dt_cli_redis_texts[i].name) == 0) {
            memcpy((char *) o + dt_cli_redis_texts[i].place, &value,
                   sizeof(value));
            return 1;
        }
    }

    return 0;
}


/* the ms of a time as nginx writes it, or bare ms; -1: it is none */
static long
dt_cli_redis_time(const char *value)
{
    char *end;
    long n;

    n = strtol(value, &end, 10);

    if (end == value || n < 1 || n > 60000) {
        return -1;
    }

    if (strcmp(end, "s") == 0) {
        return n <= 60 ? n * 1000 : -1;
    }

    return strcmp(end, "ms") == 0 || *end == '\0' ? n : -1;
}


dt_status_t
dt_cli_redis_opts(char *text, const char *ends, dt_redis_opts_t *o,
                  char errstr[DT_ERRSTR])
{
    char *p, *save, *value;

    for (p = strtok_r(text, ends, &save); p != NULL;
         p = strtok_r(NULL, ends, &save))
    {
        value = strchr(p, '=');

        if (value == NULL) {
            snprintf(errstr, DT_ERRSTR, "redis: \"%.80s\" has no value", p);
            return DT_EINVAL;
        }

        *value++ = '\0';

        if (dt_cli_redis_text(o, p, value)) {
            continue;
        }

        if (strcmp(p, "timeout") == 0) {
            o->timeout_ms = dt_cli_redis_time(value);

        } else if (strcmp(p, "verify") == 0
                   && (strcmp(value, "on") == 0 || strcmp(value, "off") == 0))
        {
            o->insecure = value[1] == 'f';

        } else {
            snprintf(errstr, DT_ERRSTR, "redis: unknown option \"%.80s\"", p);
            return DT_EINVAL;
        }
    }

    return DT_OK;
}
