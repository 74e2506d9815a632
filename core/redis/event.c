
/*
 * Copyright (C) The detemplate authors
 *
 * Any client of Redis may have written an entry, so all of it is checked.
 */


#include "core/base/str.h"
#include "core/redis/event.h"


int
dt_redis_event_id(const redisReply *reply, dt_redis_id_t *id)
{
    const char *dash;
    dt_str_t s = dt_redis_string(reply);

    dash = s.len ? memchr(s.data, '-', s.len) : NULL;

    return dash != NULL
           && dt_str_number((dt_str_t){ (size_t) (dash - s.data), s.data },
                            UINT64_MAX, &id->ms)
           && dt_str_number(
               (dt_str_t){ s.len - (size_t) (dash - s.data) - 1, dash + 1 },
               UINT64_MAX, &id->seq);
}


/* decodes a site's name; 0: it is none that we write */
static int
dt_redis_event_site(dt_str_t s, char out[DT_LINK_SITE], dt_str_t *site)
{
    int c;
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        if (c == '%') {
            c = dt_percent_decode((dt_str_t){ s.len - i, s.data + i });
            i += 2;

            if (c < 0) {
                return 0;
            }
        }

        if (n == DT_LINK_SITE) {
            return 0;
        }

        out[n++] = (char) c;
    }

    *site = (dt_str_t){ n, out };

    return n != 0;
}


/* reads a field of an entry; 0: the entry is not to be told */
static int
dt_redis_event_field(const char *token, dt_str_t name, dt_str_t value,
                     char site[DT_LINK_SITE], dt_frame_t *news)
{
    uint64_t n;
    unsigned i;

    if (dt_str_eq(name, dt_str("site"))) {
        return dt_redis_event_site(value, site, &news->site);
    }

    if (dt_str_eq(name, dt_str("version"))) {
        if (!dt_str_number(value, UINT32_MAX, &n)) {
            return 0;
        }

        news->version = (uint32_t) n;

    } else if (dt_str_eq(name, dt_str("learned_at"))) {
        if (!dt_str_number(value, INT64_MAX, &n)) {
            return 0;
        }

        news->learned_at = (int64_t) n;

    } else if (dt_str_eq(name, dt_str("added"))) {
        news->flags |= dt_str_eq(value, dt_str("1")) ? DT_LINK_ADDED : 0;

    } else if (dt_str_eq(name, dt_str("redesign"))) {
        news->flags |= dt_str_eq(value, dt_str("1")) ? DT_LINK_REDESIGNED : 0;

    } else if (dt_str_eq(name, dt_str("by"))) {
        return token[0] == '\0' || !dt_str_eq(value, dt_cstr(token));

    } else if (dt_str_eq(name, dt_str("do"))) {
        for (i = 0; i < DT_LINK_DIDS; i++) {
            if (dt_str_eq(value, dt_cstr(dt_link_dids[i]))) {
                break;
            }
        }

        /* what a later version may say is not for us */

        news->event = i;
        return i < DT_LINK_DIDS;
    }

    return 1;
}


int
dt_redis_event(const redisReply *fields, const char *token,
               char site[DT_LINK_SITE], dt_frame_t *news)
{
    memset(news, 0, sizeof(*news));
    news->what = DT_LINK_EVENT;
    news->event = DT_LINK_DIDS;

    if (fields->type != REDIS_REPLY_ARRAY) {
        return 0;
    }

    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        if (!dt_redis_event_field(token, dt_redis_string(fields->element[i]),
                                  dt_redis_string(fields->element[i + 1]),
                                  site, news))
        {
            return 0;
        }
    }

    /* earlier versions of the program do not say what they did */

    if (news->event == DT_LINK_DIDS) {
        news->event = news->version ? DT_LINK_DID_LEARN : DT_LINK_DID_FORGET;
    }

    return news->site.len != 0;
}
