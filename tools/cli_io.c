
/*
 * Copyright (C) The detemplate authors
 */


#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"


int
dt_cli_error(int code, const char *format, ...)
{
    char buf[1024];
    va_list ap;

    va_start(ap, format);
    vsnprintf(buf, sizeof(buf), format, ap);
    va_end(ap);

    fputs("detemplate: ", stderr);
    dt_cli_print(stderr, dt_cstr(buf));
    fputc('\n', stderr);

    return code;
}


int
dt_cli_stdout_failed(int err)
{
    return err == EPIPE ? DT_EXIT_IO
                        : dt_cli_error(DT_EXIT_IO, "standard output: %s",
                                       strerror(err));
}


/* writes into something that a file must not replace: a device, pipe or link
 */
static int
dt_cli_write_into(const char *name, const void *data, size_t len)
{
    int ok;
    FILE *f;

    f = fopen(name, "wb");
    ok = f != NULL && fwrite(data, 1, len, f) == len;
    ok = f != NULL && fclose(f) == 0 && ok;

    return ok ? DT_EXIT_OK
              : dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
}


/* writes a new file that replaces path; was is the old file's, or NULL */
static int
dt_cli_replace(const char *path, const struct stat *was, const void *data,
               size_t len)
{
    int fd, ok, err;
    char *tmp;
    FILE *f = NULL;
    mode_t both, mode = was != NULL ? was->st_mode & 0777 : 0644;

    if (asprintf(&tmp, "%s.XXXXXX", path) == -1) {
        errno = ENOMEM;
        return 0;
    }

    fd = mkstemp(tmp);
    if (fd != -1) {
        /* without the old group, group and others get only common rights */
        if (was != NULL && fchown(fd, was->st_uid, was->st_gid) == -1
            && fchown(fd, (uid_t) -1, was->st_gid) == -1)
        {
            both = mode & mode >> 3 & 07;
            mode = (mode & 0700) | both << 3 | both;
        }

        (void) fchmod(fd, mode);
        f = fdopen(fd, "wb");
    }

    ok = f != NULL && fwrite(data, 1, len, f) == len;
    ok = f != NULL && fclose(f) == 0 && ok;
    ok = ok && rename(tmp, path) == 0;

    if (!ok && fd != -1) {
        err = errno;
        (void) unlink(tmp);
        errno = err;
    }

    free(tmp);

    return ok;
}


int
dt_cli_write_file(const char *name, const void *data, size_t len)
{
    int there;
    struct stat st;

    there = lstat(name, &st) == 0;

    if (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        return dt_cli_write_into(name, data, len);
    }

    return dt_cli_replace(name, there ? &st : NULL, data, len)
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, "%s: %s", name, strerror(errno));
}


/* returns the length of the UTF-8 sequence at p, and its code; 0: malformed */
static size_t
dt_cli_utf8(const unsigned char *p, size_t len, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n;

    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }

    n = p[0] >= 0xf0 && p[0] < 0xf8   ? 4
        : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
        : p[0] >= 0xc0 && p[0] < 0xe0 ? 2
                                      : 0;
    if (n == 0 || n > len) {
        return 0;
    }

    *code = p[0] & (0x7fu >> n);

    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }

        *code = *code << 6 | (p[i] & 0x3fu);
    }

    return *code < least[n] || *code > 0x10ffff || *code >> 11 == 0x1b ? 0 : n;
}


/* whether c is a control character, or one that changes the direction of
   text */
static int
dt_cli_unprintable(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0)
           || (code >= 0x200e && code <= 0x200f)
           || (code >= 0x2028 && code <= 0x202e)
           || (code >= 0x2066 && code <= 0x2069);
}


void
dt_cli_print(FILE *f, dt_str_t s)
{
    size_t n;
    uint32_t code = 0;

    for (size_t i = 0; i < s.len; i += n ? n : 1) {
        n = dt_cli_utf8((const unsigned char *) s.data + i, s.len - i, &code);

        if (n == 0 || dt_cli_unprintable(code)) {
            fputc('?', f);

        } else {
            fwrite(s.data + i, 1, n, f);
        }
    }
}


void
dt_cli_print_json(FILE *f, dt_str_t s)
{
    size_t n;
    uint32_t code = 0;

    fputc('"', f);

    for (size_t i = 0; i < s.len; i += n ? n : 1) {
        n = dt_cli_utf8((const unsigned char *) s.data + i, s.len - i, &code);

        if (n == 0) {
            fputs("\\ufffd", f);

        } else if (dt_cli_unprintable(code)) {
            fprintf(f, "\\u%04x", (unsigned) code);

        } else {
            if (code == '"' || code == '\\') {
                fputc('\\', f);
            }

            fwrite(s.data + i, 1, n, f);
        }
    }

    fputc('"', f);
}


/* returns the end of the markup that begins with '<' at i; a script or style
   includes its text */
static size_t
dt_cli_skip_tag(dt_str_t s, size_t i)
{
    static const char *const ends[][2] = {
        { "<!--", "-->" },
        { "<script", "</script" },
        { "<style", "</style" },
    };
    size_t len;

    for (size_t k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
        len = strlen(ends[k][0]);

        if (s.len - i < len || strncasecmp(s.data + i, ends[k][0], len) != 0) {
            continue;
        }

        len = strlen(ends[k][1]);
        while (i + len < s.len
               && strncasecmp(s.data + i, ends[k][1], len) != 0) {
            i++;
        }

        break;
    }

    while (i < s.len && s.data[i] != '>') {
        i++;
    }

    return i;
}


/* cuts text that is too long for buf before its last word, or character */
static size_t
dt_cli_ellipsis(char *buf, size_t n)
{
    size_t cut = n;

    while (cut && buf[cut - 1] != ' ') {
        cut--;
    }

    if (cut == 0) {
        cut = n;

        while (cut && (buf[cut - 1] & 0xc0) == 0x80) {
            cut--;
        }

        cut -= cut && (buf[cut - 1] & 0x80);
    }

    memcpy(buf + cut, "...", 3);

    return cut + 3;
}


dt_str_t
dt_cli_words(dt_str_t html, char *buf, size_t size)
{
    int space = 0;
    char c;
    size_t n = 0;

    for (size_t i = 0; i < html.len; i++) {
        c = html.data[i];

        if (c == '<') {
            i = dt_cli_skip_tag(html, i);
            space = 1;

        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            space = 1;

        } else if (n + 5 >= size) {
            n = dt_cli_ellipsis(buf, n);
            break;

        } else {
            if (space && n) {
                buf[n++] = ' ';
            }

            buf[n++] = c;
            space = 0;
        }
    }

    buf[n] = '\0';

    return (dt_str_t){ n, buf };
}
