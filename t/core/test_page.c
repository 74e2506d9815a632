
/*
 * Copyright (C) The detemplate authors
 *
 * What a page is by its path and query.
 */


#include "core/base/page.h"
#include "test.h"


static void
test_target(void)
{
    size_t i, n;
    char out[256];

    static const char *const cases[][2] = {
        { "/", "/" },
        { "/a?b=1&c=2", "/a?b=1&c=2" },
        { "/a?c=2;b=1", "/a?c=2;b=1" },
        { "/a?", "/a" },
        { "/a?b#c", "/a?b" },
        { "/a#b?c", "/a" },
        { "", "" },
        { "?", "" },
        { "/t.php?t=12&sid=9f86d081884c7d659a2feaa0c55ad015", "/t.php?t=12" },
        { "/t.php?sid=9f86d081884c7d659a2feaa0c55ad015&t=12", "/t.php?t=12" },
        { "/t?a=1&sid=9f86d081884c7d659a2feaa0c55ad015&t=2", "/t?a=1&t=2" },
        { "/m.php?name=News&sid=12", "/m.php?name=News&sid=12" },
        { "/m.php?sid=abcdefghijklmnopqr", "/m.php?sid=abcdefghijklmnopqr" },
        { "/m?s=a1b2c3d4e5f6a7b8", "/m" },
        { "/m?s=a1b2c3d4e5f6a7b", "/m?s=a1b2c3d4e5f6a7b" },
        { "/m?s=a1b2c3d4-5f6a7b8", "/m?s=a1b2c3d4-5f6a7b8" },
        { "/m?s=abcdefghijklmno9", "/m" },
        { "/m?session=1", "/m?session=1" },
        { "/m?PHPSESSID=1", "/m" },
        { "/m?phpsessid=x&a", "/m?a" },
        { "/m?osCsid=x&zenid=y&JSESSIONID=z&session_id=1&CFTOKEN=2", "/m" },
        { "/m?ASPSESSIONIDQQBCD=x", "/m" },
        { "/m;jsessionid=1A2B.node?a=1", "/m?a=1" },
        { "/m;jsessionid=1A2B/n", "/m/n" },
        { "/m;v=1;jsessionid=1A2B", "/m;v=1" },
        { "/m;jsessionid=", "/m;jsessionid=" },
        { "/m;v=1", "/m;v=1" },
        { "/mjsessionid=1A2B", "/mjsessionid=1A2B" },
        { "/a?utm_source=x&utm_medium=y&b=1", "/a?b=1" },
        { "/a?b=1&fbclid=x", "/a?b=1" },
        { "/a?gclid=x&msclkid=y&yclid=z&_ga=1&mc_cid=2&mtm_kwd=3", "/a" },
        { "/a?pk_campaign=x&piwik_kwd=y&matomo_k=1", "/a" },
        { "/a?utm=1&pk=2", "/a?utm=1&pk=2" },
        { "/a?utm_=1", "/a?utm_=1" },
        { "/a?&&b=1&", "/a?b=1" },
        { "/a?asinglewordof24character=1", "/a?asinglewordof24character=1" },
        { "/a?detemplate=preview", "/a" },
        { "/a?b=1&detemplate=preview&c", "/a?b=1&c" },
        { "/%61%2F%62%5a%39?%7a=%3D%2d", "/a%2FbZ9?z=%3D-" },
        { "/m;j%73essionid=1A2B?%73%69d=9f86d081884c7d659a2feaa0c55ad015",
          "/m" },
        { "/a%3Fb%23c%3b%26?utm%5Fsource=x", "/a%3Fb%23c%3b%26" },
        { "/%2e%2E/%2D%7e%5f%00", "/../-~_%00" },
        { "/%%341%6%31%", "/Aa%" },
        { "%61b", "ab" },
        { "/%2541%zz%4", "/%2541%zz%4" },
        { "/%C3%A9%e9", "/%C3%A9%e9" },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        n = dt_page_target(dt_cstr(cases[i][0]), out);
        is_str(out, n, cases[i][1], cases[i][0]);
    }
}


static void
same(const char *a, const char *b, int want)
{
    is_int(dt_page_query(dt_cstr(a)) == dt_page_query(dt_cstr(b)), want, a);
}


static void
test_same(void)
{
    dt_str_t path;

    same("a=1&b=2", "b=2&a=1", 1);
    same("a=1;b=2", "b=2&a=1", 1);
    same("a=1&b=2", "a=2&b=1", 0);
    same("a=1", "a=1&a=1", 0);
    same("a=1&utm_source=x", "a=1", 1);
    same("", "PHPSESSID=x", 1);
    same("a", "", 0);

    is_int((long long) dt_page_query(dt_str("utm_source=x")), 0, "nothing");
    is_int(dt_page_args(dt_str("a=1&utm_source=x&&b=2;c")), 3, "arguments");

    path = dt_page_path(dt_str("/a;v=1;jsessionid=x"));
    is_str(path.data, path.len, "/a;v=1", "a path without its session");
    path = dt_page_path(dt_str("/a;jsessionid=x/b"));
    is_str(path.data, path.len, "/a;jsessionid=x/b", "not at the end");
}


/* the kind of a target, and what decided */
static void
kind(const char *target, dt_page_kind_t want, const char *why)
{
    dt_str_t path, query, what = dt_str("");
    const char *q = strchr(target, '?');

    path = dt_cstr(target);
    query = dt_str("");

    if (q != NULL) {
        path.len = (size_t) (q - target);
        query = dt_cstr(q + 1);
    }

    is_int(dt_page_kind(path, query, &what), want, target);

    if (want != DT_PAGE_OK) {
        is_str(what.data, what.len, why, target);
    }
}


/* a path is read as far as one may be that is asked for */
static void
test_long(void)
{
    char path[2049];
    dt_str_t what;

    memset(path, 'a', sizeof(path));
    path[0] = '/';
    memcpy(path + 2041, "/logout", 7);
    is_int(dt_page_kind((dt_str_t){ 2048, path }, dt_str(""), &what),
           DT_PAGE_ACTION, "at the end of 2048 bytes");

    path[2041] = 'a';
    memcpy(path + 2042, "/logout", 7);
    is_int(dt_page_kind((dt_str_t){ 2049, path }, dt_str(""), &what),
           DT_PAGE_OK, "beyond");
}


static void
test_pages(void)
{
    size_t i;

    static const char *const pages[] = {
        "/",
        "/index.php?title=Main_Page",
        "/index.php?title=How_to_delete_a_file",
        "/viewtopic.php?f=3&t=12&start=20",
        "/show_bug.cgi?id=17",
        "/?p=12",
        "/?q=node/12",
        "/?q=node%2F12",
        "/doku.php?id=wiki:syntax",
        "/?p=x.git;a=tree;h=9f86d081884c7d659a2feaa0c55ad015;hb=HEAD",
        "/?p=x.git;a=summary",
        "/cgit/x/log/?h=master",
        "/modules.php?name=News&sid=12",
        "/2010/how-to-delete-a-file",
        "/HowToDeleteAFile.html",
        "/how%20to%20delete%20a%20file",
        "/deleted/",
        "/editors/",
        "/research/?page=2",
        "/del/mundo",
        "/a?b=1&c=2&d=3&e=4",
        "/a?b=1&c=2&d=3&e=4&utm_source=x&PHPSESSID=y",
        "/search/",
        "/a?key=blue",
        "/a?mode=view&code=12",
        "/a?C=12",
    };

    for (i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        kind(pages[i], DT_PAGE_OK, "");
    }
}


static void
test_others(void)
{
    size_t i;
    dt_page_kind_t k;

    static const struct {
        const char *target;
        const char *why;
        dt_page_kind_t kind;
    } cases[] = {
        { "/a?b=1&c=2&d=3&e=4&f=5", "b=1&c=2&d=3&e=4&f=5", DT_PAGE_QUERY },

        { "/login", "login", DT_PAGE_ACTION },
        { "/user/log-out", "log-out", DT_PAGE_ACTION },
        { "/LogOut.php?a=1", "LogOut", DT_PAGE_ACTION },
        { "/items/delete", "delete", DT_PAGE_ACTION },
        { "/items/delete_all", "delete_all", DT_PAGE_ACTION },
        { "/purge-all", "purge-all", DT_PAGE_ACTION },
        { "/deleteUser", "deleteUser", DT_PAGE_ACTION },
        { "/XMLPurge", "XMLPurge", DT_PAGE_ACTION },
        { "/admin/sign-out-now", "sign-out-now", DT_PAGE_ACTION },
        { "/wp-login.php", "wp-login", DT_PAGE_ACTION },
        { "/wiki/Special:UserLogin", "UserLogin", DT_PAGE_ACTION },
        { "/feed/", "feed", DT_PAGE_ACTION },
        { "/a;jsessionid=x/delete", "delete", DT_PAGE_ACTION },

        { "/?action=del", "action=del", DT_PAGE_ACTION },
        { "/?id=3&action=delete", "action=delete", DT_PAGE_ACTION },
        { "/?do=delete_all", "do=delete_all", DT_PAGE_ACTION },
        { "/?op=purgeCacheOfAllPages", "op=purgeCacheOfAllPages",
          DT_PAGE_ACTION },
        { "/?action=del%65te", "action=del%65te", DT_PAGE_ACTION },
        { "/?delete=3", "delete=3", DT_PAGE_ACTION },
        { "/?delete_this_and_that_too=3", "delete_this_and_that_too=3",
          DT_PAGE_ACTION },
        { "/?x=/items/remove", "x=/items/remove", DT_PAGE_ACTION },
        { "/posting.php?mode=reply&t=1", "mode=reply", DT_PAGE_ACTION },
        { "/index.php?title=X&action=history", "action=history",
          DT_PAGE_ACTION },
        { "/?add-to-cart=17", "add-to-cart=17", DT_PAGE_ACTION },
        { "/?replytocom=9", "replytocom=9", DT_PAGE_ACTION },
        { "/?share=mail", "share=mail", DT_PAGE_ACTION },
        { "/?title=X&printable=yes", "printable=yes", DT_PAGE_ACTION },
        { "/?print=1", "print=1", DT_PAGE_ACTION },
        { "/?view=print", "view=print", DT_PAGE_ACTION },
        { "/?do=export_xhtml", "do=export_xhtml", DT_PAGE_ACTION },
        { "/?sort=name", "sort=name", DT_PAGE_ACTION },
        { "/?sk=t&sd=desc", "sd=desc", DT_PAGE_ACTION },
        { "/?orderby=date", "orderby=date", DT_PAGE_ACTION },
        { "/?C=N;O=D", "C=N", DT_PAGE_ACTION },
        { "/?myAuth=x", "myAuth=x", DT_PAGE_ACTION },
        { "/?csrf_token=x", "csrf_token=x", DT_PAGE_ACTION },
        { "/?reset-token=x", "reset-token=x", DT_PAGE_ACTION },
        { "/?key=a1b2c3d4e5f6a7b8", "key=a1b2c3d4e5f6a7b8", DT_PAGE_ACTION },

        { "/a%2Flogout", "/a%2Flogout", DT_PAGE_ACTION },
        { "/a%2Fb%2Fc%2Fd%2Flogout", "/a%2Fb%2Fc%2Fd%2Flogout",
          DT_PAGE_ACTION },
        { "/%C3%9Cdelete", "/%C3%9Cdelete", DT_PAGE_ACTION },
        { "/%7Eann/my%2Daccount", "/%7Eann/my%2Daccount", DT_PAGE_ACTION },

        { "/search?q=a", "q=a", DT_PAGE_SEARCH },
        { "/%C3%9Csearch?a=1", "/%C3%9Csearch", DT_PAGE_SEARCH },
        { "/?q=", "q=", DT_PAGE_SEARCH },
        { "/?s=plums", "s=plums", DT_PAGE_SEARCH },
        { "/?query=a/b", "query=a/b", DT_PAGE_SEARCH },
        { "/?Keywords=a", "Keywords=a", DT_PAGE_SEARCH },
        { "/?find=a", "find=a", DT_PAGE_SEARCH },
        { "/search.php?author=2", "/search.php", DT_PAGE_SEARCH },
        { "/list?search_id=new", "search_id=new", DT_PAGE_SEARCH },
        { "/?p=x.git;a=search", "a=search", DT_PAGE_SEARCH },
        { "/?title=Special:Search", "title=Special:Search", DT_PAGE_SEARCH },
    };

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        k = cases[i].kind;
        kind(cases[i].target, k, cases[i].why);
    }
}


int
main(void)
{
    test_target();
    test_same();
    test_pages();
    test_long();
    test_others();

    return done();
}
