
/*
 * Copyright (C) The detemplate authors
 *
 * Of a sitemap only the text of its elements "loc" counts, so no parser of XML
 * is needed: constructs that attack XML parsers are skipped here like any
 * other bytes.
 */


#include <stdio.h>

#include <zlib.h>

#include "core/web/sitemap.h"
#include "core/base/dt.h"
#include "core/web/fetch.h"
#include "core/web/robots.h"


/* files that are still to be read, and the receiver of the URLs of pages */
typedef struct {
    const dt_url_t *site;
    const dt_robots_t *robots;
    dt_arena_t *arena;
    dt_str_t files[DT_SITEMAP_FILES];
    unsigned n;
    void (*name)(void *data, dt_str_t url);
    void *data;
} dt_sitemap_t;


/* decompresses file, up to left bytes; returns a file that is not gzip
   unchanged, and the sound beginning of a broken one */
static dt_str_t
dt_sitemap_inflate(dt_str_t file, dt_arena_t *a, size_t left)
{
    char *p;
    z_stream z = { 0 };

    if (file.len < 2 || memcmp(file.data, "\x1f\x8b", 2) != 0) {
        file.len = file.len < left ? file.len : left;
        return file;
    }

    p = dt_arena_alloc(a, left);

    /* 16: the format is gzip */
    if (p == NULL || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) {
        return dt_str("");
    }

    z.next_in = (Bytef *) (uintptr_t) file.data;
    z.avail_in = (uInt) file.len;
    z.next_out = (Bytef *) p;
    z.avail_out = (uInt) left;

    (void) inflate(&z, Z_FINISH);
    (void) inflateEnd(&z);

    return (dt_str_t){ left - z.avail_out, p };
}


/* returns the text between p and the next "<", without white space around it,
   CDATA marks and references */
static dt_str_t
dt_sitemap_text(const char *p, const char *end, dt_arena_t *a)
{
    char *out, *to;
    dt_str_t s;
    const char *stop;

    static const char cdata[] = "<![CDATA[";

    while (p < end && (unsigned char) *p <= ' ') {
        p++;
    }

    if ((size_t) (end - p) >= sizeof(cdata) - 1
        && memcmp(p, cdata, sizeof(cdata) - 1) == 0)
    {
        p += sizeof(cdata) - 1;
        stop = memmem(p, (size_t) (end - p), "]]>", 3);

    } else {
        stop = memchr(p, '<', (size_t) (end - p));
    }

    s = dt_str_trim((dt_str_t){ stop ? (size_t) (stop - p) : 0, p });

    if (s.len == 0 || s.len > DT_URL_MAX) {
        return dt_str("");
    }

    out = to = dt_arena_alloc(a, s.len + 1);
    if (out == NULL) {
        return dt_str("");
    }

    /* of the five references of XML a URL has only one */

    for (p = s.data, end = s.data + s.len; p < end; p++) {
        *to++ = *p;

        if (end - p >= 5 && memcmp(p, "&amp;", 5) == 0) {
            p += 4;
        }
    }

    *to = '\0';

    return (dt_str_t){ (size_t) (to - out), out };
}


/* notes a file to be read, unless it is of another host or forbidden */
static void
dt_sitemap_file(dt_sitemap_t *s, dt_str_t ref)
{
    dt_url_t url;

    if (s->n < DT_SITEMAP_FILES
        && dt_url_resolve(s->site, ref, s->arena, &url) == DT_OK
        && dt_url_same_site(s->site, &url)
        && dt_robots_allowed(s->robots, dt_url_target(&url)))
    {
        s->files[s->n++] = url.href;
    }
}


/* notes the pages that a file names, or the files if it is an index; left
   bytes of it may be read */
static void
dt_sitemap_read(dt_sitemap_t *s, dt_str_t file, size_t *left)
{
    int is_index;
    dt_str_t url;
    const char *p, *end;

    file = dt_sitemap_inflate(file, s->arena, *left);
    *left -= file.len;

    p = file.data;
    end = p + file.len;
    is_index = memmem(p, file.len, "<sitemapindex", 13) != NULL;

    while (p < end && (p = memmem(p, (size_t) (end - p), "<loc>", 5)) != NULL)
    {
        p += 5;
        url = dt_sitemap_text(p, end, s->arena);

        if (url.len && is_index) {
            dt_sitemap_file(s, url);

        } else if (url.len) {
            s->name(s->data, url);
        }
    }
}


/* notes the files that robots.txt names (RFC 9309, section 2.2.4) */
static void
dt_sitemap_robots(dt_sitemap_t *s, dt_str_t text)
{
    dt_str_t line, key, value;

    while (text.len) {
        line = dt_str_part(&text, "\n");

        if (dt_str_field(line, &key, &value) && value.len
            && dt_str_case_eq(key, dt_str("sitemap")))
        {
            dt_sitemap_file(s, value);
        }
    }
}


/* fetches a file of the site; empty: there is none */
static dt_str_t
dt_sitemap_fetch(const dt_sitemap_t *s, dt_fetch_pt fetch, void *data,
                 dt_str_t ref)
{
    dt_url_t url;
    dt_fetched_t got;

    memset(&got, 0, sizeof(got));

    if (dt_url_resolve(s->site, ref, s->arena, &url) != DT_OK) {
        return dt_str("");
    }

    fetch(data, url.href.data, s->arena, &got);

    return got.rc == DT_OK && got.status == 200 ? got.body : dt_str("");
}


void
dt_sitemap(dt_fetch_pt fetch, void *fetch_data, const dt_url_t *site,
           const dt_robots_t *robots, dt_arena_t *a,
           void (*name)(void *data, dt_str_t url), void *data)
{
    unsigned i;
    size_t left = DT_SITEMAP_BYTES;
    dt_sitemap_t s = {
        .site = site, .robots = robots, .arena = a, .name = name, .data = data
    };

    dt_sitemap_robots(&s, dt_robots_text(robots));

    if (s.n == 0) {
        dt_sitemap_file(&s, dt_str("/sitemap.xml"));
    }

    /* an index adds files while they are read */

    for (i = 0; i < s.n && left; i++) {
        dt_sitemap_read(
            &s, dt_sitemap_fetch(&s, fetch, fetch_data, s.files[i]), &left);
    }
}
