
/*
 * Copyright (C) The detemplate authors
 *
 * Reads templates from files: bare ones, and nginx's snapshots, which have a
 * head in front.
 */


#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "core/template/table.h"
#include "core/template/template.h"
#include "cli.h"


#define DT_CLI_HEAD 1024 /* most bytes in front of a template */


/* reads the head of a snapshot of this format; 0: p does not begin with one */
static int
dt_cli_head(const char *p, size_t len, dt_cli_snapshot_t *s)
{
    dt_snapshot_head_t h;

    memset(s, 0, sizeof(*s));

    if (len < sizeof(h)) {
        return 0;
    }

    memcpy(&h, p, sizeof(h));

    if (h.magic != DT_SNAPSHOT_MAGIC || h.format != DT_SNAPSHOT_FORMAT
        || h.len == 0 || h.len > DT_SNAPSHOT_SITE)
    {
        return 0;
    }

    memcpy(s->name, h.site, h.len);
    s->len = h.len;
    s->valid = h.valid;

    return 1;
}


/*
 * Removes nginx's head.  When that has another format, the template is found
 * by its first bytes, which is safe because it has a checksum.  Returns the
 * bytes of the template.
 */
static size_t
dt_cli_bare(char *p, size_t len, dt_cli_snapshot_t *s)
{
    size_t i;
    const uint32_t magic = DT_TEMPLATE_MAGIC;

    i = dt_cli_head(p, len, s) ? sizeof(dt_snapshot_head_t) : 0;

    if (len < DT_CLI_HEAD || memcmp(p, "DTSN", 4) != 0) {
        return len;
    }

    for (; i < DT_CLI_HEAD; i += 4) {
        if (memcmp(p + i, &magic, sizeof(magic)) == 0) {
            memmove(p, p + i, len - i);
            return len - i;
        }
    }

    return len;
}


void *
dt_cli_read_template(const char *name, size_t *len, dt_cli_snapshot_t *s,
                     int *code)
{
    FILE *f;
    void *p;
    const char *why;
    dt_cli_snapshot_t any;

    *code = DT_EXIT_IO;

    f = fopen(name, "rb");
    if (f == NULL) {
        dt_cli_error(0, "%s: %s", name, strerror(errno));
        return NULL;
    }

    /* one byte more than allowed is enough to make the check fail */
    p = malloc(DT_CLI_HEAD + DT_TEMPLATE_MAX + 1);

    if (p != NULL) {
        *len = fread(p, 1, DT_CLI_HEAD + DT_TEMPLATE_MAX + 1, f);
        *len = dt_cli_bare(p, *len, s ? s : &any);
    }

    if (p == NULL || ferror(f)) {
        dt_cli_error(0, "%s: %s", name, strerror(errno));

    } else if (dt_template_check(p, *len, &why) != DT_OK) {
        *code = dt_cli_error(DT_EXIT_TEMPLATE, "%s: not a template: %s", name,
                             why);

    } else {
        *code = DT_EXIT_OK;
    }

    fclose(f);

    if (*code != DT_EXIT_OK) {
        free(p);
        p = NULL;
    }

    return p;
}


/* whether a file is the snapshot of a site; -1: it cannot be read, see errno
 */
static int
dt_cli_is_of(const char *name, dt_str_t site)
{
    int err;
    FILE *f;
    char head[sizeof(dt_snapshot_head_t)];
    size_t len;
    dt_cli_snapshot_t s;

    f = fopen(name, "rb");
    if (f == NULL) {
        return -1;
    }

    len = fread(head, 1, sizeof(head), f);
    err = ferror(f) ? errno : 0;
    fclose(f);

    if (err) {
        errno = err;
        return -1;
    }

    return dt_cli_head(head, len, &s)
           && dt_str_eq((dt_str_t){ s.len, s.name }, site);
}


/* prints why there is no snapshot of the site: failed, if not NULL, names a
   file that could not be read */
static void
dt_cli_not_found(const char *dir, dt_str_t site, const char *failed, int err)
{
    if (failed != NULL) {
        dt_cli_error(0,
                     "%s: %s; no readable snapshot belongs to the site "
                     "\"%.*s\"",
                     failed, strerror(err), (int) site.len, site.data);

    } else if (err) {
        dt_cli_error(0, "%s: %s", dir, strerror(err));

    } else {
        dt_cli_error(0, "no snapshot in %s belongs to the site \"%.*s\"", dir,
                     (int) site.len, site.data);
    }
}


char *
dt_cli_find_snapshot(const char *dir, dt_str_t site)
{
    DIR *d;
    int rc, err = 0;
    char *name, *found = NULL, *failed = NULL;
    size_t len;
    struct dirent *e = NULL;

    d = opendir(dir);

    while (d != NULL && found == NULL && (errno = 0, e = readdir(d)) != NULL) {
        len = strlen(e->d_name);

        if (len < 3 || strcmp(e->d_name + len - 3, ".dt") != 0
            || asprintf(&name, "%s/%s", dir, e->d_name) == -1)
        {
            continue;
        }

        rc = dt_cli_is_of(name, site);

        if (rc == 1) {
            found = name;

        } else if (rc == -1 && errno != ENOENT && failed == NULL) {
            failed = name;
            err = errno;

        } else {
            free(name);
        }
    }

    /* an error of a file is reported rather than one of the directory */
    err = failed != NULL ? err : errno;

    if (found == NULL) {
        dt_cli_not_found(dir, site, failed, err);
    }

    if (d != NULL) {
        closedir(d);
    }

    free(failed);

    return found;
}
