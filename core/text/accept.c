
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/str.h"
#include "core/text/accept.h"


static int
dt_accept_is_space(char c)
{
    return c == ' ' || c == '\t';
}


/* behind a parameter's value at p, which may be quoted */
static const char *
dt_accept_value(const char *p, const char *end)
{
    if (p < end && *p == '"') {
        for (p++; p < end && *p != '"'; p++) {
            p += *p == '\\' && end - p > 1;
        }

        return p < end ? p + 1 : p;
    }

    while (p < end && *p != ',' && *p != ';') {
        p++;
    }

    return p;
}


/* a quality in thousandths; -1: it is none */
static int
dt_accept_quality(dt_str_t s)
{
    int q, digit = 100;
    size_t i;

    s = dt_str_trim(s);

    if (s.len == 0 || s.len > 5 || (s.data[0] != '0' && s.data[0] != '1')
        || (s.len > 1 && s.data[1] != '.'))
    {
        return -1;
    }

    q = s.data[0] == '1' ? 1000 : 0;

    for (i = 2; i < s.len; i++, digit /= 10) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return -1;
        }

        q += (s.data[i] - '0') * digit;
    }

    return q > 1000 ? -1 : q;
}


/* a range gives a form its quality, unless a more specific one did */
static void
dt_accept_say(dt_accept_t *a, dt_form_t form, unsigned by, int q)
{
    if (by > a->by[form] || (by == a->by[form] && q > a->q[form])) {
        a->by[form] = (uint16_t) by;
        a->q[form] = (uint16_t) q;
    }
}


/* the range of a type has so many parameters */
static void
dt_accept_range(dt_accept_t *a, dt_str_t type, unsigned parameters, int q)
{
    if (dt_str_eq(type, dt_str("*/*"))) {
        dt_accept_say(a, DT_FORM_HTML, 1, q);

    } else if (dt_str_case_eq(type, dt_str("text/*"))) {
        dt_accept_say(a, DT_FORM_HTML, 2, q);

    } else if (dt_str_case_eq(type, dt_str("text/html"))) {
        dt_accept_say(a, DT_FORM_HTML, 3 + parameters, q);

    } else if (dt_str_case_eq(type, dt_str("text/markdown"))) {
        dt_accept_say(a, DT_FORM_MARKDOWN, 3 + parameters, q);

    } else if (dt_str_case_eq(type, dt_str("application/json"))) {
        dt_accept_say(a, DT_FORM_JSON, 3 + parameters, q);

    } else if (dt_str_case_eq(type, dt_str("text/plain"))) {
        dt_accept_say(a, DT_FORM_TEXT, 3 + parameters, q);
    }
}


void
dt_accept_add(dt_accept_t *a, dt_str_t value)
{
    int q, quality;
    unsigned n;
    dt_str_t type, name;
    const char *p = value.data, *end = p + value.len, *start;

    for (; p < end; p++) {
        for (start = p; p < end && *p != ',' && *p != ';'; p++) {
            /* void */
        }

        type = dt_str_trim((dt_str_t){ (size_t) (p - start), start });

        for (q = 1000, n = 0; p < end && *p == ';';) {
            for (start = ++p; p < end && *p != '=' && *p != ',' && *p != ';';
                 p++) {
                /* void */
            }

            name = dt_str_trim((dt_str_t){ (size_t) (p - start), start });

            if (p == end || *p != '=') {
                continue;
            }

            for (start = ++p; p < end && dt_accept_is_space(*p); p++) {
                /* void */
            }

            p = dt_accept_value(p, end);

            if (dt_str_case_eq(name, dt_str("q"))) {
                quality = dt_accept_quality(
                    (dt_str_t){ (size_t) (p - start), start });
                q = q < 0 ? q : quality;

            } else if (dt_str_case_eq(name, dt_str("charset"))
                       || dt_str_case_eq(name, dt_str("variant")))
            {
                n++;

            } else {
                /* no form of ours has this parameter */
                q = -1;
            }

            while (p < end && *p != ',' && *p != ';') {
                p++;
            }
        }

        if (q >= 0) {
            dt_accept_range(a, type, n < 100 ? n : 100, q);
        }
    }
}


dt_form_t
dt_accept_choose(const dt_accept_t *a, unsigned forms)
{
    unsigned i, best = DT_FORM_HTML;

    for (i = DT_FORM_MARKDOWN; i < DT_FORMS; i++) {
        if ((forms >> i & 1) && a->q[i]
            && (best == DT_FORM_HTML ? a->q[i] >= a->q[best]
                                     : a->q[i] > a->q[best]))
        {
            best = i;
        }
    }

    return (dt_form_t) best;
}
