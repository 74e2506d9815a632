
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/dt.h"
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


/* reads a quality, of which all valid forms have at most three digits */
static void
dt_accept_quality(dt_str_t s, dt_range_t *range)
{
    int q, digit = 100;
    size_t i;

    range->q = -1;
    s = dt_str_trim(s);

    if (s.len == 0 || (s.data[0] != '0' && s.data[0] != '1')
        || (s.len > 1 && s.data[1] != '.'))
    {
        return;
    }

    q = s.data[0] == '1' ? 1000 : 0;

    for (i = 2; i < s.len; i++, digit /= 10) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return;
        }

        q += (s.data[i] - '0') * digit;
    }

    range->odd |= s.len > 5;
    range->q = q > 1000 ? -1 : q;
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


/* reads a parameter, whose ';' is at p; returns its end */
static const char *
dt_accept_parameter(const char *p, const char *end, dt_range_t *range)
{
    dt_str_t name;
    const char *start;

    for (start = ++p; p < end && *p != '=' && *p != ',' && *p != ';'; p++) {
        /* void */
    }

    name = dt_str_trim((dt_str_t){ (size_t) (p - start), start });

    if (p == end || *p != '=') {
        return p;
    }

    for (start = ++p; p < end && dt_accept_is_space(*p); p++) {
        /* void */
    }

    p = dt_accept_value(p, end);

    if (dt_str_case_eq(name, dt_str("q"))) {
        if (range->q >= 0) {
            dt_accept_quality((dt_str_t){ (size_t) (p - start), start },
                              range);
        }

    } else if (dt_str_case_eq(name, dt_str("charset"))
               || dt_str_case_eq(name, dt_str("variant")))
    {
        range->parameters += range->parameters < 100;

    } else {
        range->odd = 1;
    }

    while (p < end && *p != ',' && *p != ';') {
        p++;
    }

    return p;
}


int
dt_accept_next(dt_str_t *value, dt_range_t *range)
{
    const char *p = value->data, *end = p + value->len, *start = p;

    if (value->len == 0) {
        return 0;
    }

    while (p < end && *p != ',' && *p != ';') {
        p++;
    }

    *range = (dt_range_t){ .q = 1000 };
    range->type = dt_str_trim((dt_str_t){ (size_t) (p - start), start });

    while (p < end && *p == ';') {
        p = dt_accept_parameter(p, end, range);
    }

    p += p < end;
    *value = (dt_str_t){ (size_t) (end - p), p };

    return 1;
}


void
dt_accept_add(dt_accept_t *a, dt_str_t value)
{
    static const struct {
        const char *type;
        dt_form_t form;
        unsigned by;
    } types[] = {
        { "*/*", DT_FORM_HTML, 1 },
        { "text/*", DT_FORM_HTML, 2 },
        { "text/html", DT_FORM_HTML, 3 },
        { "text/markdown", DT_FORM_MARKDOWN, 3 },
        { "application/json", DT_FORM_JSON, 3 },
        { "text/plain", DT_FORM_TEXT, 3 },
    };
    size_t i;
    dt_range_t range;

    while (dt_accept_next(&value, &range)) {
        if (range.q < 0 || range.odd) {
            continue;
        }

        for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
            if (dt_str_case_eq(range.type, dt_cstr(types[i].type))) {
                dt_accept_say(a, types[i].form,
                              types[i].by
                                  + (types[i].by == 3) * range.parameters,
                              range.q);
            }
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
