
/*
 * Copyright (C) The detemplate authors
 *
 * One line a case: the file, the path, whether it may be fetched.
 */


#include <stdlib.h>

#include "core/web/fetch.h"
#include "core/web/url.h"
#include "test.h"


#define US "User-agent: detemplate\n"
#define ALL "User-agent: *\n"


static void
robots(const char *text, const char *path, int want, const char *name)
{
    dt_arena_t *a = dt_arena_create(16 << 20);
    dt_robots_t *r;

    if (dt_robots_parse(dt_cstr(text), dt_str("detemplate"), a, &r) != DT_OK) {
        ok(0, name);

    } else {
        is_int(dt_robots_allowed(r, dt_cstr(path)), want, name);
    }

    dt_arena_destroy(a);
}


static void
test_groups(void)
{
    robots("", "/", 1, "an empty file");
    robots("Disallow: /\n", "/", 1, "rules before any group");
    robots("<html>: nothing\n:\n\n::\n", "/", 1, "not a robots.txt");
    robots(US "Disallow: /\n", "/a", 0, "our group");
    robots(US "Disallow:\n", "/a", 1, "an empty rule");
    robots("User-agent: other\nDisallow: /\n", "/a", 1, "another's group");
    robots(ALL "Disallow: /\n", "/a", 0, "the group for all");
    robots(ALL "Disallow: /\n" US "Disallow: /b\n", "/a", 1,
           "our group instead of that for all");
    robots(ALL "Disallow: /\n" US, "/a", 1, "our group, empty");
    robots(US "Disallow: /a\n" ALL "Disallow: /b\n", "/b", 1,
           "the group for all comes later");
    robots(US "Disallow: /a\n" ALL "x\n" US "Disallow: /b\n", "/a", 0,
           "our groups are one, the first");
    robots(US "Disallow: /a\n" ALL "x\n" US "Disallow: /b\n", "/b", 0,
           "our groups are one, the second");
    robots(ALL "Disallow: /a\n" ALL "Disallow: /b\n", "/b", 0,
           "groups for all are one");
    robots("User-agent: other\n" US "Disallow: /a\n", "/a", 0,
           "two names, ours last");
    robots(US "User-agent: other\nDisallow: /a\n", "/a", 0,
           "two names, ours first");
    robots(US "Sitemap: http://a/\nUser-agent: other\nDisallow: /a\n", "/a", 0,
           "a sitemap line ends no group");
    robots(US "Disallow: /b\nSitemap: x\nDisallow: /a\n", "/a", 0,
           "nor does it within the rules");
    robots(US "\n\nDisallow: /a\n", "/a", 0, "nor do empty lines");
    robots(ALL "Disallow: /a\nUser-agent: other\nDisallow: /b\n", "/b", 1,
           "another's group behind that for all");
    robots(US "Crawl-delay: 5\nDisallow: /a\n", "/a", 0, "nor a delay");
}


static void
test_names(void)
{
    robots("USER-AGENT: DeTemplate\nDISALLOW: /a\n", "/a", 0, "case");
    robots("User-agent: detemplate/1.0 (x)\nDisallow: /\n", "/", 0, "version");
    robots("User-agent: detemplates\nDisallow: /\n", "/", 1, "a longer name");
    robots("User-agent: detemplatez\nDisallow: /\n", "/", 1, "by a z");
    robots("User-agent: de\nDisallow: /\n", "/", 1, "a shorter name");
    robots("User-agent: detemplate-x\nDisallow: /\n", "/", 1, "a hyphen");
    robots("User-agent:\nDisallow: /\n", "/", 1, "no name");
    robots("\tUser-agent \t:\t detemplate \nDisallow : /a \n", "/a", 0,
           "blanks");
    robots(US "Disallow: /a # not /b\n", "/a", 0, "a comment behind");
    robots(US "#Disallow: /a\n", "/a", 1, "a comment");
    robots("\xef\xbb\xbf" US "Disallow: /a\n", "/a", 0, "a byte order mark");
    robots("User-agent: detemplate\r\nDisallow: /a\r\n", "/a", 0, "CRLF");
    robots("User-agent: detemplate\rDisallow: /a\r", "/a", 0, "CR");
    robots(US "Disallow: /a", "/a", 0, "no line end at the end");
}


static void
test_rules(void)
{
    robots(US "Disallow: /a\n", "/ab", 0, "a prefix");
    robots(US "Disallow: /a\n", "/b/a", 1, "only at the start");
    robots(US "Disallow: /a\n", "/A", 1, "case of paths counts");
    robots(US "Disallow: /a/\n", "/a", 1, "a directory is not its file");
    robots(US "Disallow: /a\nAllow: /a/b\n", "/a/b", 1, "longest wins");
    robots(US "Allow: /a/b\nDisallow: /a\n", "/a/b", 1, "in any order");
    robots(US "Allow: /a\nDisallow: /a/b\n", "/a/b", 0, "longest forbids");
    robots(US "Disallow: /a\nAllow: /a\n", "/a", 1, "allow wins ties");
    robots(US "Allow: /a\nDisallow: /a\n", "/a", 1, "ties, other order");
    robots(US "Allow: /$\nDisallow: /\n", "/", 1, "only the root");
    robots(US "Allow: /$\nDisallow: /\n", "/a", 0, "and nothing else");
    robots(US "Disallow: /\n", "/robots.txt", 1, "robots.txt itself");

    robots(US "Disallow: /*.gif$\n", "/a/b.gif", 0, "star and end");
    robots(US "Disallow: /*.gif$\n", "/a/b.gif?c", 1, "star and not the end");
    robots(US "Disallow: /*.gif$\n", "/b.gif/c.gif", 0, "the last one counts");
    robots(US "Disallow: /a*b*c\n", "/axxbyybzzc", 0, "two stars");
    robots(US "Disallow: /a*b*c\n", "/axxcyyb", 1, "two stars, order");
    robots(US "Disallow: /a*\n", "/a", 0, "a star for nothing");
    robots(US "Disallow: *\n", "/a", 0, "a star alone");
    robots(US "Disallow: *.php\n", "/a.php?x", 0, "a star first");
    robots(US "Disallow: /ab*b\n", "/abc", 1, "a star is behind what is left");
    robots(US "Disallow: /a**b\n", "/axb", 0, "two stars at once");
    robots(US "Disallow: /*?\n", "/a?b", 0, "a query");
    robots(US "Disallow: /*?\n", "/a", 1, "no query");
    robots(US "Disallow: /a$b\n", "/a$b", 0, "a dollar inside is one");
    robots(US "Disallow: /a$b\n", "/a", 1, "and no end");
    robots(US "Disallow: /a$\n", "/a", 0, "end");
    robots(US "Disallow: /a$\n", "/a$", 1, "end, not a dollar");
}


static void
test_encoding(void)
{
    robots(US "Disallow: /\xc3\xa9\n", "/%C3%A9", 0, "bytes and codes");
    robots(US "Disallow: /%c3%a9\n", "/\xc3\xa9", 0, "codes and bytes");
    robots(US "Disallow: /%7Ea\n", "/~a", 0, "unreserved, coded");
    robots(US "Disallow: /~a\n", "/%7ea", 0, "unreserved, in the path");
    robots(US "Disallow: /a%2Fb\n", "/a/b", 1, "a coded slash is another");
    robots(US "Disallow: /a%2fb\n", "/a%2Fb", 0, "case of codes");
    robots(US "Disallow: /a%2A\n", "/a*", 0, "a coded star");
    robots(US "Disallow: /a%2A\n", "/ab", 1, "is no wildcard");
    robots(US "Disallow: /a%24\n", "/a$b", 0, "a coded dollar");
    robots(US "Disallow: /a\"b\n", "/a%22b", 0, "a quote");
    robots(US "Disallow: /a%\n", "/a%", 0, "half a code");
}


static void
test_bounds(void)
{
    char *text, path[DT_URL_MAX + 2];
    size_t n, len = 600 * 1024;
    dt_arena_t *a;
    dt_robots_t *r;

    text = malloc(len + 1);
    if (text == NULL) {
        return;
    }

    n = (size_t) snprintf(text, len, US "Disallow: /a\n#");
    memset(text + n, 'x', len - n);
    memcpy(text + 510 * 1024, "\nDisallow: /b\n", 14);
    text[len] = '\0';

    robots(text, "/a", 0, "before 500 KiB");
    robots(text, "/b", 1, "behind 500 KiB");

    memcpy(text + 500 * 1024 - 12, "\nDisallow: /cd\n", 15);
    robots(text, "/c", 1, "a line that is cut does not count");

    n = (size_t) snprintf(text, len, US "Disallow: /");
    memset(text + n, 'y', 10000);
    text[n + 10000] = '\0';
    robots(text, "/y", 1, "an endless pattern");

    n = (size_t) snprintf(text, len, US);
    while (n < 400 * 1024) {
        n += (size_t) snprintf(text + n, len - n, "Disallow: /*a*a*a*a*b$\n");
    }

    memset(path, 'a', sizeof(path));
    path[0] = '/';
    path[64] = '\0';
    robots(text, path, 1, "many stars");

    path[64] = 'a';
    path[DT_URL_MAX + 1] = '\0';
    robots("", path, 0, "a path longer than any URL");

    a = dt_arena_create(2000);
    is_int(dt_robots_parse(dt_cstr(text), dt_str("detemplate"), a, &r),
           DT_ENOMEM, "no memory is told");
    dt_arena_destroy(a);

    free(text);
}


int
main(void)
{
    test_groups();
    test_names();
    test_rules();
    test_encoding();
    test_bounds();

    return done();
}
