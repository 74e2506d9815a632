
/*
 * Copyright (C) The detemplate authors
 *
 * The standard's "prescan a byte stream to determine its encoding",
 * 13.2.3.2, which reads attributes as they come before a tokenizer runs, and
 * the labels of the Encoding Standard, 4.2.  Unlike the standard's, but like
 * that of browsers, it skips scripts and other raw text.
 */


#include <string.h>
#include <strings.h>

#include "core/html/charset.h"
#include "core/base/dt.h"
#include "core/html/token.h"


#define DT_UTF8 (&dt_encodings[0])
#define DT_WINDOWS_1252 (&dt_encodings[1])


/* clang-format off */

static const dt_encoding_t dt_encodings[] = {
    { "utf-8", "UTF-8",
      " unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 "
      "x-unicode20utf8 " },
    { "windows-1252", "WINDOWS-1252",
      " ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 "
      "iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 "
      "latin1 us-ascii windows-1252 x-cp1252 " },
    { "big5", "BIG5-HKSCS",
      " big5 big5-hkscs cn-big5 csbig5 x-x-big5 " },
    { "euc-jp", "EUC-JP-MS",
      " cseucpkdfmtjapanese euc-jp x-euc-jp " },
    { "euc-kr", "CP949",
      " cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 "
      "ks_c_5601-1989 ksc5601 ksc_5601 windows-949 " },
    { "gb18030", "GB18030",
      " gb18030 " },
    { "gbk", "GB18030",
      " chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk "
      "iso-ir-58 x-gbk " },
    { "ibm866", "IBM866",
      " 866 cp866 csibm866 ibm866 " },
    { "iso-2022-jp", "ISO-2022-JP",
      " csiso2022jp iso-2022-jp " },
    { "iso-8859-10", "ISO-8859-10",
      " csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 "
      "latin6 " },
    { "iso-8859-13", "ISO-8859-13",
      " iso-8859-13 iso8859-13 iso885913 " },
    { "iso-8859-14", "ISO-8859-14",
      " iso-8859-14 iso8859-14 iso885914 " },
    { "iso-8859-15", "ISO-8859-15",
      " csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 " },
    { "iso-8859-16", "ISO-8859-16",
      " iso-8859-16 " },
    { "iso-8859-2", "ISO-8859-2",
      " csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 "
      "iso_8859-2:1987 l2 latin2 " },
    { "iso-8859-3", "ISO-8859-3",
      " csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 "
      "iso_8859-3:1988 l3 latin3 " },
    { "iso-8859-4", "ISO-8859-4",
      " csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 "
      "iso_8859-4:1988 l4 latin4 " },
    { "iso-8859-5", "ISO-8859-5",
      " csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 "
      "iso88595 iso_8859-5 iso_8859-5:1988 " },
    { "iso-8859-6", "ISO-8859-6",
      " arabic asmo-708 csiso88596e csiso88596i csisolatinarabic "
      "ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 "
      "iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 " },
    { "iso-8859-7", "ISO-8859-7",
      " csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 "
      "iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 "
      "sun_eu_greek " },
    { "iso-8859-8", "ISO-8859-8",
      " csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e "
      "iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual " },
    { "iso-8859-8-i", "ISO-8859-8",
      " csiso88598i iso-8859-8-i logical " },
    { "koi8-r", "KOI8-R",
      " cskoi8r koi koi8 koi8-r koi8_r " },
    { "koi8-u", "KOI8-U",
      " koi8-ru koi8-u " },
    { "macintosh", "MACINTOSH",
      " csmacintosh mac macintosh x-mac-roman " },
    { "replacement", "",
      " csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr "
      "replacement " },
    { "shift_jis", "CP932",
      " csshiftjis ms_kanji shift-jis shift_jis sjis windows-31j x-sjis " },
    { "utf-16be", "UTF-16BE",
      " unicodefffe utf-16be " },
    { "utf-16le", "UTF-16LE",
      " csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 "
      "utf-16le " },
    { "windows-1250", "WINDOWS-1250",
      " cp1250 windows-1250 x-cp1250 " },
    { "windows-1251", "WINDOWS-1251",
      " cp1251 windows-1251 x-cp1251 " },
    { "windows-1253", "WINDOWS-1253",
      " cp1253 windows-1253 x-cp1253 " },
    { "windows-1254", "WINDOWS-1254",
      " cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 "
      "iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254 " },
    { "windows-1255", "WINDOWS-1255",
      " cp1255 windows-1255 x-cp1255 " },
    { "windows-1256", "WINDOWS-1256",
      " cp1256 windows-1256 x-cp1256 " },
    { "windows-1257", "WINDOWS-1257",
      " cp1257 windows-1257 x-cp1257 " },
    { "windows-1258", "WINDOWS-1258",
      " cp1258 windows-1258 x-cp1258 " },
    { "windows-874", "CP874",
      " dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 " },
    { "x-mac-cyrillic", "MAC-CYRILLIC",
      " x-mac-cyrillic x-mac-ukrainian " },
    { "x-user-defined", "",
      " x-user-defined " },
};

/* clang-format on */


static dt_str_t
dt_piece(const char *p, const char *end)
{
    return (dt_str_t){ (size_t) (end - p), p };
}


const dt_encoding_t *
dt_charset_label(dt_str_t label)
{
    size_t i;
    const char *p;

    while (label.len && dt_is_space(label.data[0])) {
        label.data++;
        label.len--;
    }

    while (label.len && dt_is_space(label.data[label.len - 1])) {
        label.len--;
    }

    if (label.len == 0 || memchr(label.data, ' ', label.len) != NULL) {
        return NULL;
    }

    for (i = 0; i < sizeof(dt_encodings) / sizeof(*dt_encodings); i++) {
        for (p = dt_encodings[i].labels + 1; *p; p = strchr(p, ' ') + 1) {
            if (strncasecmp(p, label.data, label.len) == 0
                && p[label.len] == ' ') {
                return &dt_encodings[i];
            }
        }
    }

    return NULL;
}


/* the encoding of a label within the page, which cannot be UTF-16 there */
static const dt_encoding_t *
dt_charset_inner(dt_str_t label)
{
    const dt_encoding_t *e = dt_charset_label(label);

    if (e == NULL) {
        return NULL;
    }

    return strncmp(e->name, "utf-16", 6) == 0       ? DT_UTF8
           : strcmp(e->name, "x-user-defined") == 0 ? DT_WINDOWS_1252
                                                    : e;
}


/* "extracting a character encoding from a meta element" */
static const dt_encoding_t *
dt_charset_content(dt_str_t content)
{
    const char *p = content.data, *q, *end = p + content.len;

    for (; end - p > 7; p++) {
        if (strncasecmp(p, "charset", 7) != 0) {
            continue;
        }

        for (p += 7; p < end && dt_is_space(*p); p++) {
            /* void */
        }

        if (p == end || *p != '=') {
            p--;
            continue;
        }

        do {
            p++;
        } while (p < end && dt_is_space(*p));

        if (p < end && (*p == '"' || *p == '\'')) {
            q = memchr(p + 1, *p, (size_t) (end - p - 1));
            return q ? dt_charset_inner(dt_piece(p + 1, q)) : NULL;
        }

        for (q = p; q < end && !dt_is_space(*q) && *q != ';'; q++) {
            /* void */
        }

        return dt_charset_inner(dt_piece(p, q));
    }

    return NULL;
}


/* the attributes of a meta element at p; *e: the encoding that they name, or
   NULL */
static const char *
dt_prescan_meta(const char *p, const char *end, const dt_encoding_t **e)
{
    int pragma = 0, charset = 0, content = 0, http = 0, closed;
    dt_attr_t a;
    dt_str_t name, value;
    const dt_encoding_t *found = NULL;

    *e = NULL;

    for (;;) {
        p = dt_token_any(&a, p, end, &closed);

        if (p == NULL) {
            return NULL;
        }

        name = dt_piece(a.name, a.stop);
        value = a.value ? dt_piece(a.value, a.end) : dt_str("");

        if (name.len == 0) {
            break;
        }

        if (!http && dt_str_case_eq(name, dt_str("http-equiv"))) {
            http = 1;
            pragma = dt_str_case_eq(value, dt_str("content-type"));

        } else if (!content && dt_str_case_eq(name, dt_str("content"))) {
            content = 1;

            if (found == NULL && !charset) {
                found = dt_charset_content(value);
            }

        } else if (!charset && dt_str_case_eq(name, dt_str("charset"))) {
            charset = 1;
            found = dt_charset_inner(value);
        }
    }

    *e = charset || pragma ? found : NULL;

    return p;
}


/* "get an XML encoding" */
static const dt_encoding_t *
dt_charset_xml(const char *p, const char *end)
{
    char quote;
    const char *q;

    if (end - p < 5 || memcmp(p, "<?xml", 5) != 0) {
        return NULL;
    }

    end = memchr(p, '>', (size_t) (end - p));
    p = end ? memmem(p, (size_t) (end - p), "encoding", 8) : NULL;

    if (p == NULL) {
        return NULL;
    }

    for (p += 8; p < end && (unsigned char) *p <= ' '; p++) {
        /* void */
    }

    if (p == end || *p != '=') {
        return NULL;
    }

    do {
        p++;
    } while (p < end && (unsigned char) *p <= ' ');

    if (p == end || (*p != '"' && *p != '\'')) {
        return NULL;
    }

    quote = *p++;
    q = memchr(p, quote, (size_t) (end - p));

    return q ? dt_charset_inner(dt_piece(p, q)) : NULL;
}


/* from the inside of an element, at p, to where it ends if it is raw text; its
   tag was begun at name */
static const char *
dt_prescan_raw(const char *name, const char *p, const char *end)
{
    size_t len = 0;

    while (dt_char_is(name[len], DT_C_ALPHA)) {
        len++;
    }

    if (!(dt_tag_named(name, len)->is & DT_IS_RAW)) {
        return p;
    }

    while ((p = memchr(p, '<', (size_t) (end - p))) != NULL
           && ((size_t) (end - p) < len + 2 || p[1] != '/'
               || strncasecmp(p + 2, name, len) != 0))
    {
        p++;
    }

    return p;
}


/* behind the markup at p, which is a '<'; *e: the encoding that it names.
   NULL: the bytes end in it */
static const char *
dt_prescan_markup(const char *p, const char *end, const dt_encoding_t **e)
{
    int start;
    const char *q;

    if (end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
        /* the dashes may be the same */
        q = memmem(p + 2, (size_t) (end - p - 2), "-->", 3);
        return q ? q + 3 : NULL;
    }

    if (end - p >= 6 && strncasecmp(p, "<meta", 5) == 0
        && (dt_is_space(p[5]) || p[5] == '/'))
    {
        return dt_prescan_meta(p + 6, end, e);
    }

    start = end - p > 1 && p[1] != '/';
    q = p + 2 - start;

    if (q < end && dt_char_is(*q, DT_C_ALPHA)) {
        while (q < end && !dt_char_is(*q, DT_C_VALUE_END)) {
            q++;
        }

        q = dt_token_skip(q, end);

        return q == NULL || !start ? q : dt_prescan_raw(p + 1, q, end);
    }

    if (end - p > 1 && strchr("!/?", p[1]) != NULL) {
        q = memchr(p, '>', (size_t) (end - p));
        return q ? q + 1 : NULL;
    }

    return p + 1;
}


const dt_encoding_t *
dt_charset_sniff(dt_str_t page)
{
    const char *p = page.data, *end = p + page.len;
    const dt_encoding_t *e = NULL;

    if (page.len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        return DT_UTF8;
    }

    if (page.len >= 2
        && (memcmp(p, "\xfe\xff", 2) == 0 || memcmp(p, "\xff\xfe", 2) == 0))
    {
        return dt_charset_label(*p == '\xfe' ? dt_str("utf-16be")
                                             : dt_str("utf-16le"));
    }

    while (e == NULL && p != NULL && p < end) {
        p = memchr(p, '<', (size_t) (end - p));

        if (p != NULL) {
            p = dt_prescan_markup(p, end, &e);
        }
    }

    return e ? e : dt_charset_xml(page.data, end);
}
