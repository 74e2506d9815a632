
/*
 * Copyright (C) The detemplate authors
 *
 * What a page says of its character set.  With the tests of html5lib beside
 * the repository, these are run as well.
 */


#include <stdio.h>

#include "core/base/dt.h"
#include "core/html/charset.h"
#include "test.h"


#define TESTS "../shared/html5lib-tests/encoding/"


static const struct {
    const char *page;
    const char *want;
} rows[] = {
    { "", "" },
    { "<meta charset=utf-8>", "utf-8" },
    { "<META CharSet = 'KOI8-R' >", "koi8-r" },
    { "<meta charset=latin1>", "windows-1252" },
    { "<meta charset=utf-16>", "utf-8" },
    { "<meta charset=x-user-defined>", "windows-1252" },
    { "<meta charset=utf-7><meta charset=gbk>", "gbk" },
    { "<meta charset='ms_kanji\n'>", "shift_jis" },
    { "<meta/charset=big5>", "big5" },
    { "<metal charset=big5>", "" },
    { "<!-- <meta charset=koi8-r> --><meta charset=utf-8>", "utf-8" },
    { "<!--><meta charset=koi8-r>", "koi8-r" },
    { "<!-- <meta charset=koi8-r>", "" },
    { "<meta name=a data-charset=koi8-r>", "" },
    { "<meta name=a content='charset=gbk'><meta charset=utf-8>", "utf-8" },
    { "<meta content='a; charset=gbk' http-equiv=content-type>", "gbk" },
    { "<meta http-equiv=Content-Type content='text/html;charset = \"gbk\"'>",
      "gbk" },
    { "<meta http-equiv=refresh content='1;url=/?charset=gbk'>", "" },
    { "<a title='<meta charset=koi8-r>'><meta charset=utf-8>", "utf-8" },
    { "<script>a=\"<meta charset='koi8-r'>\"</script><meta charset=utf-8>",
      "utf-8" },
    { "<title><meta charset=koi8-r></title><meta charset=utf-8>", "utf-8" },
    { "<script><meta charset=koi8-r>", "" },
    { "<?php <meta charset=koi8-r> ?><meta charset=utf-8>", "utf-8" },
    { "</p charset=koi8-r><meta charset=utf-8>", "utf-8" },
    { "<?xml version='1.0' encoding='iso-8859-2'?>", "iso-8859-2" },
    { "<?xml encoding = \"Shift_JIS\" ?><p>", "shift_jis" },
    { "<?xml encoding='koi8-r'?><meta charset=utf-8>", "utf-8" },
    { " <?xml encoding='koi8-r'?>", "" },
    { "<?xml version='1.0'?><p encoding='koi8-r'>", "" },
    { "\xef\xbb\xbf<meta charset=koi8-r>", "utf-8" },
    { "\xff\xfe<", "utf-16le" },
    { "<meta charset=hz-gb-2312>", "replacement" },
    { "<meta charset=iso-8859-8-i>", "iso-8859-8-i" },
    { "<meta charset=koi8>", "koi8-r" },
    { "<meta charset=", "" },
    { "<meta charset=utf-8", "" },
};


static const char *
name_of(const dt_encoding_t *e)
{
    return e ? e->name : "";
}


/* a file of tests: "#data", lines, "#encoding", a name; so many of them have
   the meta element in a script or a style, where browsers do not read it */
static void
file_is(const char *name, int raw)
{
    char path[256], data[65536], line[65536];
    FILE *f;
    size_t len = 0;
    int in = 0, n = 0, same = 0;
    const dt_encoding_t *got;

    (void) snprintf(path, sizeof(path), TESTS "%s", name);
    f = fopen(path, "rb");

    if (f == NULL) {
        printf("# no %s\n", path);
        return;
    }

    while (fgets(line, sizeof(line), f) != NULL) {
        if (strcmp(line, "#data\n") == 0) {
            in = 1;
            len = 0;

        } else if (strcmp(line, "#encoding\n") == 0) {
            in = 2;

        } else if (in == 1 && len + strlen(line) < sizeof(data)) {
            memcpy(data + len, line, strlen(line));
            len += strlen(line);

        } else if (in == 2) {
            line[strcspn(line, "\r\n")] = '\0';
            got = dt_charset_sniff((dt_str_t){ len ? len - 1 : 0, data });
            got = got ? got : dt_charset_label(dt_str("windows-1252"));
            n++;

            if (got == dt_charset_label(dt_cstr(line))) {
                same++;

            } else {
                printf("#   %s: %s for %s: %.*s\n", name, got->name, line,
                       (int) (len < 200 ? len : 200), data);
            }

            in = 0;
        }
    }

    (void) fclose(f);
    is_int(same + raw, n, name);
}


int
main(void)
{
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *got = name_of(dt_charset_sniff(dt_cstr(rows[i].page)));

        is_str(got, strlen(got), rows[i].want, rows[i].page);
    }

    file_is("tests1.dat", 3);
    file_is("tests2.dat", 0);
    file_is("test-yahoo-jp.dat", 0);

    return done();
}
