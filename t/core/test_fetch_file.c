
/*
 * Copyright (C) The detemplate authors
 *
 * A directory made for the test, and beside it a file that no URL may reach.
 */


#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/web/fetch_file.h"
#include "test.h"


static dt_arena_t *arena;


static void
write_file(const char *dir, const char *name, const char *text, size_t len)
{
    char path[256];
    FILE *fp;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    fp = fopen(path, "w");
    if (fp != NULL) {
        fwrite(text, 1, len, fp);
        fclose(fp);
    }
}


static void
file_is(const dt_fetch_files_t *files, const char *url, const char *want,
        const char *name)
{
    dt_fetched_t got;
    dt_fetch_files_t copy = *files;

    memset(&got, 0xff, sizeof(got));
    dt_fetch_file(&copy, url, arena, &got);

    if (got.rc != DT_OK) {
        is_str(got.reason, strlen(got.reason), want, name);
        return;
    }

    is_str(got.body.data, got.body.len, want, name);
}


static void
test_files(const char *dir)
{
    int fifo;
    char root[64], path[128];
    dt_fetch_files_t f = { root, "http://a.example/docs/" };

    static const char *const names[] = {
        "root/index.html", "root/page.html",      "root/a b.html",
        "root/plain",      "root/sub/index.html", "root/image",
        "root/empty.html", "root/..x.html",       "secret.html",
    };

    snprintf(root, sizeof(root), "%s/root", dir);
    snprintf(path, sizeof(path), "%s/sub", root);
    mkdir(root, 0700);
    mkdir(path, 0700);

    write_file(dir, "root/index.html", "index", 5);
    write_file(dir, "root/page.html", "page", 4);
    write_file(dir, "root/a b.html", "blank", 5);
    write_file(dir, "root/plain", "plain", 5);
    write_file(dir, "root/sub/index.html", "sub", 3);
    write_file(dir, "root/image", "\x89PNG\0", 5);
    write_file(dir, "root/empty.html", "", 0);
    write_file(dir, "root/..x.html", "dots", 4);
    write_file(dir, "secret.html", "secret", 6);

    snprintf(path, sizeof(path), "%s/fifo", root);
    fifo = mkfifo(path, 0600);

    file_is(&f, "http://a.example/docs/", "index", "file: a directory");
    file_is(&f, "http://a.example/docs/page.html", "page", "file: a file");
    file_is(&f, "http://a.example/docs/page", "page", "file: .html is tried");
    file_is(&f, "http://a.example/docs/plain", "plain", "file: no extension");
    file_is(&f, "http://a.example/docs/sub/", "sub", "file: a subdirectory");
    file_is(&f, "http://a.example/docs/sub", "sub", "file: without its slash");
    file_is(&f, "http://a.example/docs/a%20b.html", "blank", "file: encoded");
    file_is(&f, "http://a.example/docs/p%61ge.html?x#y", "page",
            "file: query and fragment");
    file_is(&f, "http://www.a.example/docs/page", "page", "file: with www.");
    file_is(&f, "http://a.example/docs/empty.html", "", "file: empty");
    file_is(&f, "http://a.example/docs/..x.html", "dots", "file: dots");

    file_is(&f, "http://a.example/docs/none", "status", "file: missing");
    file_is(&f, "http://a.example/docs/image", "type", "file: not text");
    file_is(&f, "http://a.example/", "url", "file: above the base");
    file_is(&f, "http://b.example/docs/page", "url", "file: another site");
    file_is(&f, "nonsense", "url", "file: no URL");
    file_is(&f, "http://a.example/docs/../secret", "url", "file: dots climb");
    file_is(&f, "http://a.example/docs/%2e%2e/secret", "url",
            "file: encoded dots");
    file_is(&f, "http://a.example/docs/..%2fsecret", "url",
            "file: an encoded slash");
    file_is(&f, "http://a.example/docs/sub%2f..%2f..%2fsecret", "url",
            "file: encoded slashes");
    file_is(&f, "http://a.example/docs/page.html%00x", "url", "file: a NUL");

    if (fifo == 0) {
        file_is(&f, "http://a.example/docs/fifo", "status", "file: a FIFO");
        unlink(path);
    }

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
        unlink(path);
    }

    snprintf(path, sizeof(path), "%s/sub", root);
    rmdir(path);
    rmdir(root);
}


int
main(void)
{
    char dir[] = "/tmp/dt-files-XXXXXX";

    arena = dt_arena_create(16 << 20);

    if (arena == NULL || mkdtemp(dir) == NULL) {
        return 1;
    }

    test_files(dir);

    rmdir(dir);
    dt_arena_destroy(arena);

    return done();
}
