
/*
 * Copyright (C) The detemplate authors
 *
 * The options for Redis as text: words "name=value", which are those of the
 * directive detemplate_redis.
 */


#include <stdio.h>
#include <stdlib.h>

#include "cli_redis.h"


/* sets a value that is text; 0: there is none of that name */
static int
dt_cli_redis_text(dt_redis_opts_t *o, const char *name, const char *value)
{
    for (const dt_redis_text_t *t = dt_redis_texts; t->name != NULL; t++) {
        if (strcmp(name, t->name) == 0) {
            memcpy((char *) o + t->place, &value, sizeof(value));
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
