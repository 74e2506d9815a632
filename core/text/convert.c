
/*
 * Copyright (C) The detemplate authors
 */


#include <errno.h>
#include <strings.h>

#include "core/text/convert.h"
#include "core/html/charset.h"


#define DT_CONVERT_ASCII 64 /* bytes of ASCII that are not converted */
#define DT_CONVERT_CHUNK 4096


dt_status_t
dt_convert_open(dt_str_t charset, iconv_t *cd)
{
    char name[48];
    const dt_encoding_t *e = dt_charset_label(charset);

    *cd = (iconv_t) -1;

    if (charset.len == 0 || (e != NULL && strcmp(e->name, "utf-8") == 0)) {
        return DT_OK;
    }

    if (e == NULL) {
        /* browsers know none but those, nor UTF-7, by which markup can be
           hidden */

        if (charset.len >= sizeof(name)
            || memchr(charset.data, '/', charset.len) != NULL
            || (charset.len >= 5 && strncasecmp(charset.data, "utf-7", 5) == 0)
            || (charset.len >= 4 && strncasecmp(charset.data, "utf7", 4) == 0))
        {
            return DT_EINVAL;
        }

        memcpy(name, charset.data, charset.len);
        name[charset.len] = '\0';

    } else if (*e->iconv == '\0') {
        return DT_EINVAL;
    }

    *cd = iconv_open("UTF-8", e != NULL ? e->iconv : name);

    return *cd == (iconv_t) -1 ? DT_EINVAL : DT_OK;
}


int
dt_text_knows(dt_str_t charset)
{
    iconv_t cd;

    if (dt_convert_open(charset, &cd) != DT_OK) {
        return 0;
    }

    if (cd != (iconv_t) -1) {
        (void) iconv_close(cd);
    }

    return 1;
}


/* whether bytes below 0x80 are those of ASCII in a charset, beside any others:
   they do not shift, nor wait for a mark that is put above them */
static int
dt_convert_is_ascii(iconv_t cd)
{
    char ascii[] = "\x1b$B!!\x1b(B\x1b$)C\x0e!!\x0f\x1b$)A\x0e!!\x0f~{!!~}"
                   " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n\f\r\x7f"
                   "0123456789bcdefghijklmnopqrstuvwxyz"
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZa";
    char buf[2 * sizeof(ascii)], *in = ascii, *out = buf;
    size_t len = sizeof(ascii) - 1, left = len, room = sizeof(buf);

    (void) iconv(cd, &in, &left, &out, &room);
    (void) iconv(cd, NULL, NULL, NULL, NULL);

    return (size_t) (out - buf) == len && memcmp(buf, ascii, len) == 0;
}


/* converts n bytes at p, but for a character at their end that is not whole;
   returns how many, at least one.  There is room for the result. */
static size_t
dt_convert_some(iconv_t cd, const char *p, size_t n, dt_bytes_t *b)
{
    char *in = (char *) (uintptr_t) p, *out = b->data + b->len;
    size_t left = n, room = b->size - b->len - 3;

    errno = 0;
    (void) iconv(cd, &in, &left, &out, &room);

    if (left == n || errno == EILSEQ) {
        memcpy(out, "\xef\xbf\xbd", 3);
        out += 3;
        left--;
    }

    b->len = (size_t) (out - b->data);

    return n - left;
}


int
dt_convert_page(iconv_t cd, dt_str_t page, dt_bytes_t *b)
{
    int ascii = dt_convert_is_ascii(cd);
    const char *p = page.data, *end = p + page.len;
    size_t n, most = ascii ? DT_CONVERT_ASCII : DT_CONVERT_CHUNK;
    char *out;
    size_t room;

    if (!dt_bytes_room(b, page.len + page.len / 4)) {
        goto failed;
    }

    for (; p < end; p += n) {
        n = ascii ? (size_t) (dt_find_above(p, end, 0x7f) - p) : 0;

        if (n == (size_t) (end - p) || n >= DT_CONVERT_ASCII) {
            if (!dt_bytes_add(b, p, n)) {
                goto failed;
            }

            continue;
        }

        /* a byte becomes two characters at the most */

        if (!dt_bytes_room(b, 8 * most)) {
            goto failed;
        }

        n = (size_t) (end - p) < most ? (size_t) (end - p) : most;
        n = dt_convert_some(cd, p, n, b);
    }

    if (dt_bytes_room(b, 16)) {
        /* a character that waited for a mark */
        out = b->data + b->len;
        room = 16;
        (void) iconv(cd, NULL, NULL, &out, &room);
        b->len = (size_t) (out - b->data);
    }

    (void) iconv_close(cd);

    return 1;

failed:

    (void) iconv_close(cd);

    return 0;
}
