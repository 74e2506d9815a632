
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/dt.h"
#include "test.h"


static void
test_trim(void)
{
    dt_str_t s;

#define TRIM(text, want)                                                      \
    s = dt_str_trim(dt_str(text));                                            \
    is_str(s.data, s.len, want, "trim: " want)

    TRIM("", "");
    TRIM(" \t\r\n\v\001", "");
    TRIM("a b", "a b");
    TRIM("\t a b\r\n", "a b");
    TRIM("!\x7f", "!\x7f");
}


static void
test_case(void)
{
    ok(dt_str_case_eq(dt_str("Set-Cookie"), dt_str("sET-cOOKIE")), "case");
    ok(dt_str_case_eq(dt_str(""), dt_str("")), "case: empty");
    ok(!dt_str_case_eq(dt_str("ab"), dt_str("abc")), "case: shorter");
    ok(!dt_str_case_eq(dt_str("a["), dt_str("a{")), "case: only letters");
    ok(!dt_str_case_eq(dt_str("a@"), dt_str("a`")), "case: below A");
    is_int(dt_lower('Z'), 'z', "lower");
    is_int(dt_lower('['), '[', "lower: behind Z");
}


static void
test_part(void)
{
    dt_str_t part, list = dt_str("a b,,c;\0,");
    const char *const p = list.data;

    list.len = 9;

    part = dt_str_part(&list, ",;");
    is_str(part.data, part.len, "a b", "part: up to the first");
    part = dt_str_part(&list, ",;");
    is_int((long) part.len, 0, "part: empty");
    part = dt_str_part(&list, ",;");
    is_str(part.data, part.len, "c", "part: either byte ends it");
    part = dt_str_part(&list, ",;");
    is_int((long) part.len, 1, "part: NUL ends none");
    is_int((long) list.len, 0, "part: the last one");
    part = dt_str_part(&list, ",;");
    ok(part.len == 0 && list.data == p + 9, "part: no more");

    ok(dt_str_has(p, p + 3, "A B"), "has: all, in any case");
    ok(dt_str_has(p, p + 3, "B"), "has: at the end");
    ok(!dt_str_has(p, p + 2, "B"), "has: behind the end");
    ok(!dt_str_has(p, p, "a"), "has: nothing");
}


static void
test_percent(void)
{
    int c, same = 1;
    char buf[3];

    for (c = 0; c < 256; c++) {
        same &= dt_percent_encode(buf, (unsigned char) c) == buf + 3
                && dt_percent_decode((dt_str_t){ 3, buf }) == c;
    }

    ok(same, "percent: there and back");
    is_str(buf, 3, "%FF", "percent: upper case");
    is_int(dt_percent_decode(dt_str("%fFx")), 255, "percent: either case");
    is_int(dt_percent_decode(dt_str("%f")), -1, "percent: too short");
    is_int(dt_percent_decode(dt_str("%g0")), -1, "percent: no digit");
    is_int(dt_percent_decode(dt_str("%0g")), -1, "percent: no second digit");
    is_int(dt_percent_decode(dt_str("a00")), -1, "percent: no sign");
    is_int(dt_percent_decode((dt_str_t){ 0, NULL }), -1, "percent: nothing");

    is_int((long) dt_percent_copy(dt_str("a%2Fb"), buf, 3), 3, "copy");
    is_str(buf, 3, "a/b", "copy: decoded");
    ok(dt_percent_copy(dt_str("abcd"), buf, 3) == SIZE_MAX, "copy: no room");
    ok(dt_percent_copy(dt_str("a%2"), buf, 3) == SIZE_MAX, "copy: alone");
    ok(dt_percent_copy(dt_str(""), buf, 3) == 0, "copy: nothing");
}


static void
test_number(void)
{
    static const struct {
        const char *text;
        uint64_t max;
        uint64_t want; /* 77: it is none */
    } cases[] = {
        { "0", 0, 0 },
        { "007", 9, 7 },
        { "65535", 65535, 65535 },
        { "65536", 65535, 77 },
        { "4", 3, 77 },
        { "18446744073709551615", UINT64_MAX, UINT64_MAX },
        { "18446744073709551616", UINT64_MAX, 77 },
        { "100000000000000000000", UINT64_MAX, 77 },
        { "", 9, 77 },
        { "-1", 9, 77 },
        { "1 ", 9, 77 },
        { "x", 99, 77 },
    };

    uint64_t n;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        n = 77;
        is_int(dt_str_number(dt_cstr(cases[i].text), cases[i].max, &n),
               cases[i].want != 77, cases[i].text);
        ok(n == cases[i].want, cases[i].text);
    }
}


/* a status may come from another process */
static void
test_status(void)
{
    const char *s = dt_strstatus(DT_ENOMEM);

    ok(strcmp(s, "?") != 0 && strcmp(s, dt_strstatus(DT_OK)) != 0,
       "status: its name");
    s = dt_strstatus((dt_status_t) 4711);
    is_str(s, strlen(s), "?", "status: none of ours");
}


int
main(void)
{
    test_status();
    test_trim();
    test_case();
    test_part();
    test_percent();
    test_number();

    return done();
}
