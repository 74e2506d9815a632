
/*
 * Copyright (C) The detemplate authors
 *
 * The Robots Exclusion Protocol, RFC 9309.  All groups that name our product
 * token count as one group; if there is none, the groups for "*" do.  Of the
 * rules that match a path the longest one decides, and among equals the one
 * that allows (section 2.2.2).  "*" stands for any bytes, and "$" at the end
 * for the end of the path (section 2.2.3).
 *
 * Patterns and paths are brought to one spelling of percent-encoding before
 * they are compared.  "*" and "$" in a path are encoded as well, so that "%2A"
 * in a pattern matches them.
 */


#include <stdio.h>
#include <stdlib.h>

#include "core/web/robots.h"
#include "core/base/dt.h"
#include "core/web/url.h"


#define DT_ROBOTS_MAX ((size_t) 500 * 1024) /* section 2.5 */
#define DT_ROBOTS_PATH (3 * DT_URL_MAX)
#define DT_ROBOTS_GATEWAY 502
#define DT_ROBOTS_AGENT "detemplate"
#define DT_ROBOTS_DELAY 10.0 /* seconds, at most */

/* not encoded in patterns and paths; "*" is bare in patterns only */
#define DT_ROBOTS_PLAIN ":/?[]@!&'()+,;="


typedef struct dt_robots_rule_s dt_robots_rule_t;

struct dt_robots_rule_s {
    dt_robots_rule_t *next;
    dt_str_t pattern; /* normalised, without the "$" at its end */
    unsigned allow : 1;
    unsigned anchored : 1;
};


struct dt_robots_s {
    dt_robots_rule_t *rules;
    dt_str_t text;
    unsigned delay;      /* ms between requests */
    unsigned closed : 1; /* it cannot be fetched, so all is forbidden */
    char why[DT_ERRSTR]; /* a page is forbidden */
};


/* the state while lines are read: which agents the current group names */
typedef struct {
    dt_arena_t *arena;
    dt_str_t agent;
    dt_robots_rule_t *own;
    dt_robots_rule_t *any;
    unsigned own_delay; /* ms */
    unsigned any_delay;
    unsigned named : 1;   /* some group, maybe an empty one, names us */
    unsigned in_head : 1; /* the last line was a user-agent line */
    unsigned to_own : 1;  /* this group names us */
    unsigned to_any : 1;
} dt_robots_parser_t;


static dt_status_t
dt_robots_rule(dt_robots_parser_t *ps, dt_str_t value, unsigned allow,
               dt_robots_rule_t **list)
{
    char *p;
    unsigned anchored;
    dt_robots_rule_t *r;

    anchored = value.data[value.len - 1] == '$';
    value.len -= anchored;

    r = dt_arena_alloc(ps->arena, sizeof(dt_robots_rule_t));
    p = dt_arena_alloc(ps->arena, 3 * value.len + 1);

    if (r == NULL || p == NULL) {
        return DT_ENOMEM;
    }

    r->pattern.data = p;
    r->pattern.len = dt_url_encode(value, DT_ROBOTS_PLAIN "*", p);
    r->allow = allow & 1;
    r->anchored = anchored & 1;
    r->next = *list;
    *list = r;

    return DT_OK;
}


/* reads a user-agent line, which opens a group or adds a name to its head */
static void
dt_robots_agent(dt_robots_parser_t *ps, dt_str_t value)
{
    size_t n;

    if (!ps->in_head) {
        ps->to_own = 0;
        ps->to_any = 0;
        ps->in_head = 1;
    }

    if (value.len && value.data[0] == '*') {
        ps->to_any = 1;
        return;
    }

    /* only the product token counts, and not a version behind it */
    for (n = 0; n < value.len; n++) {
        if ((dt_lower(value.data[n]) < 'a' || dt_lower(value.data[n]) > 'z')
            && value.data[n] != '-' && value.data[n] != '_')
        {
            break;
        }
    }

    if (dt_str_case_eq((dt_str_t){ n, value.data }, ps->agent)) {
        ps->to_own = 1;
        ps->named = 1;
    }
}


/* reads a crawl-delay line, which RFC 9309 does not have, but many files do */
static void
dt_robots_pause(dt_robots_parser_t *ps, dt_str_t value)
{
    char buf[16];
    double seconds;
    unsigned ms;

    (void) snprintf(buf, sizeof(buf), "%.*s", (int) (value.len & 15),
                    value.data);
    seconds = strtod(buf, NULL);

    /* the comparisons are false for what is no number */
    seconds = seconds < DT_ROBOTS_DELAY ? seconds : DT_ROBOTS_DELAY;
    ms = seconds > 0 ? (unsigned) (seconds * 1000) : 0;

    ps->own_delay = ps->to_own ? ms : ps->own_delay;
    ps->any_delay = ps->to_any ? ms : ps->any_delay;
    ps->in_head = 0;
}


static dt_status_t
dt_robots_line(dt_robots_parser_t *ps, dt_str_t line)
{
    unsigned allow;
    dt_str_t key, value;
    const char *p;
    dt_status_t rc;

    p = line.len ? memchr(line.data, '#', line.len) : NULL;
    if (p != NULL) {
        line.len = (size_t) (p - line.data);
    }

    if (!dt_str_field(line, &key, &value)) {
        return DT_OK;
    }

    if (dt_str_case_eq(key, dt_str("user-agent"))) {
        dt_robots_agent(ps, value);
        return DT_OK;
    }

    if (dt_str_case_eq(key, dt_str("crawl-delay"))) {
        dt_robots_pause(ps, value);
        return DT_OK;
    }

    allow = dt_str_case_eq(key, dt_str("allow")) != 0;

    if (!allow && !dt_str_case_eq(key, dt_str("disallow"))) {
        /* lines such as sitemap belong to no group, and do not end one */
        return DT_OK;
    }

    ps->in_head = 0;

    /* a longer pattern cannot match, as our URLs are shorter */
    if (value.len == 0 || value.len > DT_ROBOTS_PATH) {
        return DT_OK;
    }

    rc = ps->to_own ? dt_robots_rule(ps, value, allow, &ps->own) : DT_OK;

    if (rc == DT_OK && ps->to_any) {
        rc = dt_robots_rule(ps, value, allow, &ps->any);
    }

    return rc;
}


dt_status_t
dt_robots_parse(dt_str_t text, dt_str_t agent, dt_arena_t *a,
                dt_robots_t **out)
{
    dt_status_t rc;
    dt_robots_t *r;
    dt_robots_parser_t ps;
    const dt_str_t all = text;

    memset(&ps, 0, sizeof(ps));
    ps.arena = a;
    ps.agent = agent;

    if (text.len > DT_ROBOTS_MAX) {
        text.len = DT_ROBOTS_MAX;

        /* a line that is cut off may mean something else, so it is dropped */
        while (text.len && text.data[text.len - 1] != '\n'
               && text.data[text.len - 1] != '\r')
        {
            text.len--;
        }
    }

    if (text.len >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0) {
        text.data += 3;
        text.len -= 3;
    }

    while (text.len) {
        rc = dt_robots_line(&ps, dt_str_part(&text, "\r\n"));
        if (rc != DT_OK) {
            return rc;
        }
    }

    r = dt_arena_calloc(a, 1, sizeof(dt_robots_t));
    if (r == NULL) {
        return DT_ENOMEM;
    }

    r->text = all;
    r->rules = ps.named ? ps.own : ps.any;
    r->delay = ps.named ? ps.own_delay : ps.any_delay;
    (void) snprintf(r->why, sizeof(r->why), "forbidden by robots.txt");
    *out = r;

    return DT_OK;
}


/*
 * Section 2.3.1: without a file, all is allowed; if it cannot be fetched, or
 * not all of it, all is forbidden.  A connection that is closed without an
 * answer, which a proxy tells by 502, stands for no file: so do small servers
 * that know no such file.
 */
dt_status_t
dt_robots_get(dt_fetch_pt fetch, void *data, const dt_url_t *site,
              dt_arena_t *a, dt_robots_t **out)
{
    int found;
    dt_url_t url;
    dt_robots_t *r;
    dt_status_t rc;
    dt_fetched_t got;

    rc = dt_url_resolve(site, dt_str("/robots.txt"), a, &url);
    if (rc != DT_OK) {
        return rc;
    }

    memset(&got, 0, sizeof(got));
    fetch(data, url.href.data, a, &got);

    found = got.rc == DT_OK && got.status == 200;

    rc = dt_robots_parse(found ? got.body : dt_str(""),
                         dt_str(DT_ROBOTS_AGENT), a, out);
    if (rc != DT_OK) {
        return rc;
    }

    r = *out;
    r->closed = !found && got.status != DT_ROBOTS_GATEWAY
                && !(got.reason && strcmp(got.reason, "network") == 0)
                && (got.status < 300 || got.status >= 500);

    /* without a connection, that is true of any page */

    if (r->closed && got.errstr[0]) {
        (void) snprintf(r->why, sizeof(r->why), "%s%.*s",
                        got.status ? "robots.txt cannot be fetched: " : "",
                        (int) (sizeof(r->why) / 2), got.errstr);

    } else if (r->closed) {
        (void) snprintf(r->why, sizeof(r->why),
                        "robots.txt cannot be fetched: HTTP status %ld",
                        got.status);
    }

    return DT_OK;
}


void
dt_robots_ignore(dt_robots_t *r)
{
    r->rules = NULL;
    r->closed = 0;
    r->delay = 0;
}


int
dt_robots_closed(const dt_robots_t *r)
{
    return r->closed;
}


dt_str_t
dt_robots_text(const dt_robots_t *r)
{
    return r->text;
}


unsigned
dt_robots_delay(const dt_robots_t *r)
{
    return r->delay;
}


const char *
dt_robots_why(const dt_robots_t *r)
{
    return r->why;
}


/*
 * Whether the pattern matches the beginning of the path.  When a byte differs,
 * the last "*" takes one byte more.  Earlier ones need not be tried again.
 */
static int
dt_robots_match(const dt_robots_rule_t *r, const char *path, size_t len)
{
    size_t i, j, star, from;
    const char *p;

    p = r->pattern.data;
    star = SIZE_MAX;
    from = 0;
    i = 0;
    j = 0;

    for (;;) {
        if (j == r->pattern.len && (!r->anchored || i == len)) {
            return 1;
        }

        if (j < r->pattern.len && p[j] == '*') {
            star = j++;
            from = i;
            continue;
        }

        if (j < r->pattern.len && i < len && p[j] == path[i]) {
            i++;
            j++;
            continue;
        }

        if (star == SIZE_MAX || from == len) {
            return 0;
        }

        i = ++from;
        j = star + 1;
    }
}


int
dt_robots_allowed(const dt_robots_t *r, dt_str_t path)
{
    int allowed;
    char buf[DT_ROBOTS_PATH];
    size_t len, weight, best;
    const dt_robots_rule_t *rule;

    if (dt_str_eq(path, dt_str("/robots.txt"))) {
        return 1;
    }

    if (r->closed || path.len > DT_URL_MAX) {
        return 0;
    }

    len = dt_url_encode(path, DT_ROBOTS_PLAIN, buf);
    allowed = 1;
    best = 0;

    for (rule = r->rules; rule != NULL; rule = rule->next) {
        weight = rule->pattern.len + rule->anchored;

        if (weight < best || (weight == best && (allowed || !rule->allow))) {
            continue;
        }

        if (dt_robots_match(rule, buf, len)) {
            best = weight;
            allowed = rule->allow;
        }
    }

    return allowed;
}
