
/*
 * Copyright (C) The detemplate authors
 *
 * The file of a snapshot: bytes that are anything, and a good one with bytes
 * changed under checksums that are right.  What is read is within its bounds,
 * and is used.  An input is a row of changes: offset, offset, value.
 */


#include "nginx.h"
#include "ngx_module/manager/snapshot.h"
#include "t/core/site.h"
#include "t/fuzz/sums.h"


#define TEXT                                                                  \
    "<nav><a href=/a>#</a> <a href=/b>%</a></nav><h1>@</h1><p>@ text</p>"     \
    "<footer>%</footer>"

#define SITE "site.example"
#define MD5 "6ce193fac58af5db55b9ccb731d93e41" /* of it */
#define SUMMED 12 /* where the head's own checksum begins */


/* in memory: a disk is waited for at each input */
static char dir[] = "/dev/shm/detemplate-fuzz-XXXXXX";
static char file[128];
static ngx_str_t where = { sizeof(dir) - 1, (u_char *) dir };
static ngx_http_dt_walk_t walk = { .name = &where, .max = 1 << 30 };
static ngx_cycle_t cycle;
static ngx_str_t site = ngx_string(SITE);
static char *good;
static size_t good_len, head_len;
static buf_t page;


static void
cleanup(void)
{
    (void) unlink(file);
    (void) rmdir(dir);
}


static void
write_file(const char *bytes, size_t len)
{
    FILE *fp = fopen(file, "w");

    fuzz_assert(fp != NULL);
    fuzz_assert(fwrite(bytes, 1, len, fp) == len);
    fuzz_assert(fclose(fp) == 0);
}


static void
setup(void)
{
    FILE *fp;
    size_t len;
    ngx_http_dt_publish_t pub = { 0 };

    fuzz_nginx();
    cycle.log = &fuzz_log;
    ngx_cycle = &cycle;
    fuzz_assert(mkdtemp(dir) != NULL);
    atexit(cleanup);

    pub.data = site_learn(TEXT, sizeof(TEXT) - 1, &len);
    fuzz_assert(pub.data != NULL);
    site_page(&page, TEXT, sizeof(TEXT) - 1, SITE_PAGES + 1);
    dt_template_info(pub.data, &pub.info);
    pub.size = len;
    pub.valid = ngx_time() + 1000000;
    pub.refresh = ngx_time() + 1000;
    fuzz_assert(ngx_http_dt_snapshot_write(&walk, &site, &pub) == NGX_OK);
    free(pub.data);

    snprintf(file, sizeof(file), "%s/%s.dt", dir, MD5);
    fp = fopen(file, "r");
    good = malloc(len + 4096);
    fuzz_assert(fp != NULL && good != NULL);
    good_len = fread(good, 1, len + 4096, fp);
    fclose(fp);
    head_len = good_len - len;
}


/* reads what is in the file, or what serves of it, and uses it; whether it was
   taken */
static int
use(ngx_uint_t whole)
{
    result_t r;
    ngx_int_t rc;
    ngx_http_dt_snapshot_t s;
    size_t lines = fuzz_lines;

    rc = ngx_http_dt_snapshot_read(&where, &site, 0, whole, &s);

    if (rc != NGX_OK) {
        fuzz_assert(rc == NGX_DECLINED
                    || (rc == NGX_ERROR && fuzz_lines == lines + 1));
        return 0;
    }

    fuzz_assert(s.pub.valid > ngx_time() && s.pub.refresh <= s.pub.valid);
    fuzz_assert(s.site.len == site.len);
    fuzz_assert(s.pub.info.size <= DT_TEMPLATE_MAX);

    site_rewrite(s.pub.data, DT_ANNOTATE, &page, &r);
    fuzz_assert(buf_eq(&r.unmarked, &page));
    result_free(&r);
    ngx_free(s.pub.data);

    return 1;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *t;
    size_t off, i;
    uint32_t sum;

    if (good == NULL) {
        setup();
        write_file(good, good_len);
        fuzz_assert(use(0) && use(1));
    }

    write_file((const char *) data, size);
    fuzz_assert(size >= head_len || !use(1));
    (void) use(0);

    t = malloc(good_len);
    fuzz_assert(t != NULL);
    memcpy(t, good, good_len);

    for (i = 0; i + 2 < size; i += 3) {
        off = (data[i] | (size_t) data[i + 1] << 8) % good_len;
        t[off] = (char) data[i + 2];
    }

    fuzz_sums(t + head_len, good_len - head_len);
    sum = ngx_crc32_long((u_char *) t + SUMMED, head_len - SUMMED);
    memcpy(t + SUMMED - sizeof(sum), &sum, sizeof(sum));

    /* sometimes cut */
    write_file(t, size % 16 == 15 ? good_len - 1 : good_len);
    (void) use(0);
    (void) use(1);
    free(t);

    return 0;
}
