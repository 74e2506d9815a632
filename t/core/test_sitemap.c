
/*
 * Copyright (C) The detemplate authors
 *
 * Sitemaps: what they may look like, and how much of them is read.
 */


#include <zlib.h>

#include "core/web/fetch.h"
#include "core/web/robots.h"
#include "core/web/sitemap.h"
#include "test.h"


#define SITE "http://site.test"


/* the files of a site, by their URLs */
typedef struct {
    const char *url;
    const char *body;
    size_t len; /* 0: that of the string */
    long status;
} file_t;


static const file_t *files;
static char asked[1024]; /* URLs, each with a space behind */
static char named[1024];
static unsigned count;
static char big[(size_t) 5 << 20];


static void
fetch(void *data, const char *url, dt_arena_t *a, dt_fetched_t *out)
{
    const file_t *f;

    (void) data;
    (void) a;
    snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s ",
             url + sizeof(SITE) - 1);
    memset(out, 0, sizeof(*out));
    out->status = 404;
    out->body = dt_str("<urlset><url><loc>/error</loc></url></urlset>");

    for (f = files; f->url != NULL; f++) {
        if (strcmp(f->url, url + sizeof(SITE) - 1) == 0) {
            out->status = f->status ? f->status : 200;
            out->body =
                (dt_str_t){ f->len ? f->len : strlen(f->body), f->body };
        }
    }
}


static void
name(void *data, dt_str_t url)
{
    (void) data;
    count++;

    if (strlen(named) + url.len + 2 < sizeof(named)) {
        snprintf(named + strlen(named), sizeof(named) - strlen(named), "%s ",
                 url.data);
    }
}


static void
run(const file_t *of, const char *want_asked, const char *want,
    const char *what)
{
    dt_url_t site;
    dt_robots_t *robots = NULL;
    dt_arena_t *a = dt_arena_create((size_t) 32 << 20);

    files = of;
    asked[0] = named[0] = '\0';
    count = 0;
    (void) dt_url_resolve(NULL, dt_str(SITE "/a/b"), a, &site);
    (void) dt_robots_get(fetch, NULL, &site, a, &robots);
    dt_sitemap(fetch, NULL, &site, robots, a, name, NULL);
    is_str(asked, strlen(asked), want_asked, what);

    if (want != NULL) {
        is_str(named, strlen(named), want, what);
    }

    dt_arena_destroy(a);
}


static size_t
gzip(const char *text, size_t len, char *to, size_t size)
{
    z_stream z = { 0 };

    (void) deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *) (uintptr_t) text;
    z.avail_in = (uInt) len;
    z.next_out = (Bytef *) to;
    z.avail_out = (uInt) size;
    (void) deflate(&z, Z_FINISH);
    (void) deflateEnd(&z);

    return size - z.avail_out;
}


int
main(void)
{
    static char packed[65536];
    size_t n;
    file_t files_gz[] = { { "/sitemap.xml", packed, 0, 0 }, { NULL } };
    const char *text = "<?xml version='1.0'?><urlset><url><loc>" SITE
                       "/x</loc></url></urlset>";

    run((file_t[]){ { NULL } }, "/robots.txt /sitemap.xml ", "",
        "a site without one");
    run((file_t[]){ { "/sitemap.xml",
                      "<urlset><url><loc>" SITE "/x</loc><lastmod>2026"
                      "</lastmod></url><url>\n<loc>\n  /y?a=1&amp;b=2 \n"
                      "</loc></url><url><loc><![CDATA[/z?c&d]]></loc></url>"
                      "<image:loc>/i</image:loc></urlset>",
                      0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml ", SITE "/x /y?a=1&b=2 /z?c&d ",
        "a sitemap");
    run((file_t[]){ { "/robots.txt",
                      "User-agent: *\r\nSitemap: " SITE "/m.xml\r\n"
                      "  SITEMAP:/n.xml\nsitemap: http://other.test/s.xml\n"
                      "Sitemap:\n",
                      0, 0 },
                    { "/m.xml", "<loc>/1</loc>", 0, 0 },
                    { "/n.xml", "<loc>/2</loc>", 0, 0 },
                    { "/sitemap.xml", "<loc>/3</loc>", 0, 0 },
                    { NULL } },
        "/robots.txt /m.xml /n.xml ", "/1 /2 ", "robots.txt names them");
    run((file_t[]){ { "/robots.txt",
                      "User-agent: *\nDisallow: /m\nSitemap: /m.xml\n", 0, 0 },
                    { "/m.xml", "<loc>/1</loc>", 0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml ", "", "robots.txt names and forbids one");
    run((file_t[]){ { "/robots.txt", "", 0, 503 }, { NULL } }, "/robots.txt ",
        "", "no robots.txt now, so no sitemap");
    run((file_t[]){ { "/sitemap.xml",
                      "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap>"
                      "<sitemap><loc>/2.xml</loc></sitemap><sitemap><loc>"
                      "/3.xml</loc></sitemap></sitemapindex>",
                      0, 0 },
                    { "/1.xml", "<loc>/a</loc>", 0, 0 },
                    { "/2.xml", "<loc>/b</loc>", 0, 0 },
                    { "/3.xml", "<loc>/c</loc>", 0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml /1.xml /2.xml ", "/a /b ",
        "an index: three files");
    run((file_t[]){ { "/sitemap.xml",
                      "<sitemapindex><loc>/sitemap.xml</loc>"
                      "<loc>/sitemap.xml</loc></sitemapindex>",
                      0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml /sitemap.xml /sitemap.xml ", "",
        "an index of itself ends");
    run((file_t[]){ { "/sitemap.xml", "<loc>/a</loc>", 0, 500 }, { NULL } },
        "/robots.txt /sitemap.xml ", "", "a page for an error");
    run((file_t[]){ { "/sitemap.xml",
                      "<loc>/a</loc><loc></loc><loc>  </loc><loc>/b", 0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml ", "/a ", "one that is cut off");
    run((file_t[]){ { "/sitemap.xml",
                      "<!DOCTYPE x [<!ENTITY e '&e;&e;'>]><loc>&e;</loc>"
                      "<loc><![CDATA[</loc><loc>/a</loc>",
                      0, 0 },
                    { NULL } },
        "/robots.txt /sitemap.xml ", "&e; /a ", "hostile XML");

    n = gzip(text, strlen(text), packed, sizeof(packed));
    files_gz[0].len = n;
    run(files_gz, "/robots.txt /sitemap.xml ", SITE "/x ", "gzip");
    files_gz[0].len = n / 2;
    run(files_gz, "/robots.txt /sitemap.xml ", NULL, "gzip that is cut off");

    /* four megabytes of entries, then one more file; it is not asked for */

    for (n = 0; n + 20 < sizeof(big); n += 20) {
        memcpy(big + n, "<loc>/aaaaaaa</loc>\n", 20);
    }

    run((file_t[]){ { "/robots.txt", "Sitemap: /m.xml\nSitemap: /n.xml", 0,
                      0 },
                    { "/m.xml", big, n, 0 },
                    { NULL } },
        "/robots.txt /m.xml ", NULL, "bytes of all files");
    is_int(count, DT_SITEMAP_BYTES / 20, "entries of four megabytes");

    memset(big, 'a', sizeof(big));
    files_gz[0].len = gzip(big, sizeof(big), packed, sizeof(packed));
    run(files_gz, "/robots.txt /sitemap.xml ", "", "a bomb");

    return done();
}
