
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/base/wire.h"
#include "core/detect/detect.h"
#include "core/learn/digraph.h"
#include "core/template/template.h"
#include "test.h"


static const char prev[] = "12345678 a template";


/* a job with everything in it */
static dt_job_t
full(void)
{
    return (dt_job_t){ .url = dt_str("http://site.test/p1.html"),
                       .origin = dt_str("http://127.0.0.1:80/base"),
                       .connect = dt_str("127.0.0.1:443"),
                       .header = dt_str("A: b"),
                       .pages = dt_str("/var/pages/a.job"),
                       .served = 1,
                       .robots = 1,
                       .detector = dt_str("etdm"),
                       .visited =
                           dt_str("http://site.test/a\nhttp://site.test/b"),
                       .candidates = 3,
                       .votes = 2,
                       .loads = 30,
                       .once = 1,
                       .requests = 120,
                       .page_ms = 5000,
                       .fetch_ms = 20000,
                       .memory_mb = 512,
                       .insecure = 1,
                       .prev = { sizeof(prev), prev } };
}


/* the message's bytes, malloc()ed */
static char *
bytes(const dt_wire_t *kind, const void *msg, size_t *len)
{
    char *p;

    *len = dt_wire_size(kind, msg);
    p = malloc(*len ? *len : 1);

    if (*len) {
        dt_wire_encode(kind, msg, p);
    }

    return p;
}


/* whether the bytes are a job, and *why not */
static dt_status_t
decode(const char *p, size_t len, dt_job_t *out, const char **why)
{
    return dt_wire_decode(&dt_wire_job, p, len, out, why);
}


static void
is_text(dt_str_t got, dt_str_t want, const char *name)
{
    is_str(got.data, got.len, want.data, name);
    is_int(got.data[got.len], '\0', "a NUL behind it");
}


static void
test_round(void)
{
    char *p;
    size_t len;
    dt_job_t in = full(), out;
    const char *why = "none";

    p = bytes(&dt_wire_job, &in, &len);

    is_int((long long) dt_wire_promise(&dt_wire_job, p, len), (long long) len,
           "promise");
    is_int((long long) dt_wire_promise(&dt_wire_job, p,
                                       dt_wire_head(&dt_wire_job) - 1),
           0, "promise, too few bytes");
    is_int(decode(p, len, &out, &why), DT_OK, "job is read");
    ok(why == NULL, "nothing is wrong");
    is_text(out.url, in.url, "url");
    is_text(out.origin, in.origin, "origin");
    is_text(out.connect, in.connect, "connect");
    is_text(out.header, in.header, "header");
    is_text(out.detector, in.detector, "detector");
    is_text(out.visited, in.visited, "visited");
    is_text(out.pages, in.pages, "pages");
    ok(out.candidates == 3 && out.votes == 2 && out.loads == 30
           && out.page_ms == 5000 && out.fetch_ms == 20000
           && out.memory_mb == 512 && out.insecure == 1 && out.once == 1
           && out.requests == 120 && out.served == 1 && out.robots == 1,
       "numbers");
    is_int((long long) out.prev.len, sizeof(prev), "template, length");
    ok(memcmp(out.prev.data, prev, sizeof(prev)) == 0, "template");
    ok((out.prev.data - p) % 8 == 0, "template, aligned");
    ok(!out.shared, "no other flags");
    free(p);

    in.insecure = 0;
    in.shared = 1;
    p = bytes(&dt_wire_job, &in, &len);
    (void) decode(p, len, &out, &why);
    ok(!out.insecure && out.shared, "shared");
    free(p);

    in.prev = in.origin = in.connect = in.header = in.visited = dt_str("");
    p = bytes(&dt_wire_job, &in, &len);
    is_int(decode(p, len, &out, &why), DT_OK, "least job is read");
    is_int((long long) out.prev.len, 0, "no template");
    is_text(out.origin, dt_str(""), "no origin");
    free(p);
}


/* the job with one thing changed is refused, for that reason */
static void
refused(dt_job_t job, const char *want, const char *name)
{
    char *p;
    size_t len;
    dt_job_t out;
    const char *why = "none";

    p = bytes(&dt_wire_job, &job, &len);

    if (decode(p, len, &out, &why) == DT_OK) {
        why = "taken";
    }

    is_str(why, strlen(why), want, name);
    free(p);
}


#define REFUSED(change, want, name)                                           \
    do {                                                                      \
        dt_job_t job = full();                                                \
        job.change;                                                           \
        refused(job, want, name);                                             \
    } while (0)


static void
test_bounds(void)
{
    REFUSED(candidates = 0, "candidates", "no candidates");
    REFUSED(candidates = 64, "candidates", "too many candidates");
    REFUSED(votes = 4, "votes", "more votes than candidates");
    REFUSED(loads = 0, "loads", "no loads");
    REFUSED(loads = 1001, "loads", "too many loads");
    REFUSED(page_ms = 0, "page_ms", "no time for a page");
    REFUSED(page_ms = DT_JOB_TIME + 1, "page_ms", "too much time for a page");
    REFUSED(fetch_ms = 0, "fetch_ms", "no time for pages");
    REFUSED(fetch_ms = DT_JOB_TIME + 1, "fetch_ms", "too much time for pages");
    REFUSED(memory_mb = 0, "memory_mb", "no memory");
    REFUSED(memory_mb = DT_JOB_MEMORY + 1, "memory_mb", "too much memory");
    REFUSED(insecure = 2, "insecure", "no yes or no");
    REFUSED(shared = 2, "shared", "no yes or no");
    REFUSED(url = dt_str("http://a/\n"), "url", "line end in a string");
    REFUSED(header = dt_str("A: b\r\nC: d"), "header", "two lines");
    REFUSED(detector = dt_str("a\x7f"), "detector", "control byte");
    REFUSED(visited = dt_str("a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nb"), "taken",
            "as many visited pages as there may be");
    REFUSED(visited = dt_str("a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nb"), "visited",
            "too many visited pages");
    REFUSED(visited = dt_str("a\rb"), "visited",
            "visited pages, another line end");
    REFUSED(url = dt_str("http://\xc3\xa9.test/"), "taken",
            "other bytes are taken");
}


static void
test_sizes(void)
{
    char *p, *big;
    size_t len, end, taken = 0, head = dt_wire_head(&dt_wire_job);
    dt_job_t in = full(), out;
    const char *why;

    p = bytes(&dt_wire_job, &in, &len);

    for (size_t n = 0; n < len; n++) {
        taken += decode(p, n, &out, &why) == DT_OK;
    }

    is_int((long long) taken, 0, "a job that is cut anywhere is none");

    p = realloc(p, len + 8);
    memset(p + len, 0, 8);
    is_int(decode(p, len + 1, &out, &why), DT_EINVAL, "surplus");
    is_int(decode(p, len + 8, &out, &why), DT_EINVAL, "surplus, aligned");

    for (size_t i = 0; i < 4; i++) {
        p[i] ^= 1;
        ok(decode(p, len, &out, &why) == DT_EINVAL, "magic");
        p[i] ^= 1;
    }

    /* what the head says of a job, and then of one that is changed */

#define PROMISE(change)                                                       \
    in = full();                                                              \
    change;                                                                   \
    memcpy(p + 8, &in, sizeof(in))

    PROMISE(in.url.len--; in.origin.len++);
    is_int(decode(p, len, &out, &why), DT_EINVAL, "strings, shifted");
    PROMISE(in.origin.len = DT_JOB_STRING);
    ok(dt_wire_promise(&dt_wire_job, p, head) == SIZE_MAX,
       "a string beyond its bound");
    PROMISE(in.prev.len = DT_JOB_TEMPLATE + 1);
    ok(dt_wire_promise(&dt_wire_job, p, head) == SIZE_MAX,
       "template beyond its bound");
    PROMISE(in.prev.len += 8);
    ok(dt_wire_promise(&dt_wire_job, p, head) == SIZE_MAX,
       "another size than the sum");
    PROMISE(in.prev.len = 0);
    ok(dt_wire_promise(&dt_wire_job, p, head) == SIZE_MAX, "a smaller one");
    PROMISE(in.prev.len = DT_JOB_TEMPLATE);
    len = dt_wire_size(&dt_wire_job, &in);
    memcpy(p + 4, &(uint32_t){ (uint32_t) len }, 4);
    is_int((long long) dt_wire_promise(&dt_wire_job, p, head), (long long) len,
           "the largest one");
    free(p);

    in.prev.len = DT_JOB_TEMPLATE + 1;
    is_int((long long) dt_wire_size(&dt_wire_job, &in), 0,
           "template too large to be sent");
    in.prev.len = 0;

    big = malloc(DT_JOB_VISITED * DT_JOB_STRING);
    memset(big, 'a', DT_JOB_VISITED * DT_JOB_STRING);
    in.url = (dt_str_t){ DT_JOB_STRING, big };
    is_int((long long) dt_wire_size(&dt_wire_job, &in), 0,
           "string too long to be sent");
    in.url.len--;
    p = bytes(&dt_wire_job, &in, &len);
    is_int(decode(p, len, &out, &why), DT_OK, "the longest string");
    free(p);

    in = full();
    in.visited = (dt_str_t){ DT_JOB_VISITED * DT_JOB_STRING, big };
    is_int((long long) dt_wire_size(&dt_wire_job, &in), 0,
           "visited pages, too long");
    in.visited.len--;
    in.prev.len--;
    p = bytes(&dt_wire_job, &in, &len);
    is_int(decode(p, len, &out, &why), DT_OK, "visited, the longest");

    /* zero bytes behind the last NUL say nothing */

    for (end = len; p[end - 2] == '\0'; end--) {
    }

    for (size_t i = head; i < end; i++) {
        if (p[i] == '\0') {
            p[i] = 'x';
            taken += decode(p, len, &out, &why) == DT_OK;
            p[i] = '\0';
        }
    }

    is_int((long long) taken, 0, "a string without its NUL");
    free(p);
    free(big);
}


/* the answer on its way, and decoded again; NULL: it is not taken */
static dt_answer_t *
sent(const dt_answer_t *in)
{
    char *p;
    size_t len;
    const char *why;
    static dt_answer_t out;
    dt_status_t rc;

    p = bytes(&dt_wire_answer, in, &len);
    rc = dt_wire_decode(&dt_wire_answer, p, len, &out, &why);
    free(p);

    return rc == DT_OK ? &out : NULL;
}


static void
test_answer(void)
{
    char text[400];
    dt_answer_t a, good, *got;
    dt_str_t seven = dt_str("1234567");
    dt_str_t most = { DT_JOB_TEMPLATE, calloc(1, DT_JOB_TEMPLATE + 1) };

    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';

    dt_answer_init(&a, DT_DECLINED, seven, text, text);
    is_int((long long) a.bytes.len, 7, "nothing learned, evidence");
    is_int((long long) strlen(a.reason), sizeof(a.reason) - 1, "reason, cut");
    is_int((long long) strlen(a.errstr), sizeof(a.errstr) - 1, "errstr, cut");
    ok(sent(&a) != NULL, "nothing learned, sound");

    dt_answer_init(&a, DT_EIO, seven, NULL, NULL);
    is_int((long long) a.bytes.len, 0, "a failure, no template");
    ok(a.reason[0] == '\0' && a.errstr[0] == '\0', "no reason");

    dt_answer_init(&good, DT_OK, most, "ok", "");
    ok(sent(&good) != NULL, "learned, sound");

#define UNSOUND(change, name)                                                 \
    a = good;                                                                 \
    a.change;                                                                 \
    ok(sent(&a) == NULL, name)

    UNSOUND(rc = DT_EBUG + 1, "answer, status");
    UNSOUND(rc = DT_EIO, "answer, template without success");
    UNSOUND(bytes.len = 0, "answer, success without template");
    UNSOUND(bytes.len = DT_JOB_TEMPLATE + 1, "answer, template too large");
    UNSOUND(loads = DT_JOB_LOADS + 1, "answer, loads");
    UNSOUND(candidates = DT_JOB_CANDIDATES + 1, "answer, candidates");
    UNSOUND(redesigned = 2, "answer, no yes or no");
    UNSOUND(tries = 16 * DT_JOB_LOADS + 1, "answer, tries");
    UNSOUND(fresh = 101, "answer, more than all is new");
    UNSOUND(beyond = DT_JOB_LOADS + 1,
            "answer, more pages beyond a limit than were tried");
    UNSOUND(retry_after = DT_JOB_RETRY + 1, "answer, time");

    a = good;
    memset(a.reason, 'x', sizeof(a.reason));
    memset(a.errstr, 'x', sizeof(a.errstr));
    got = sent(&a);
    ok(got != NULL, "strings without an end");
    is_int((long long) strlen(got->reason), sizeof(a.reason) - 1,
           "reason ends");
    is_int((long long) strlen(got->errstr), sizeof(a.errstr) - 1,
           "errstr ends");

    free((char *) most.data);
}


/* frames between nginx and what speaks to Redis */
static void
test_frame(void)
{
    char *p;
    size_t len;
    dt_frame_t f, good = { .what = DT_LINK_PUT,
                           .ttl = DT_LINK_TTL,
                           .flags = DT_LINK_FLAGS,
                           .site = dt_str("a.test"),
                           .text = dt_str("a\nb"),
                           .peer = dt_str("c"),
                           .bytes = { sizeof(prev), prev } };
    const char *why;

#define FRAME(change, want, name)                                             \
    f = good;                                                                 \
    change;                                                                   \
    p = bytes(&dt_wire_frame, &f, &len);                                      \
    is_int(dt_wire_decode(&dt_wire_frame, p, len, &f, &why), want, name);     \
    free(p)

    FRAME(f.id = 7, DT_OK, "frame, sound");
    FRAME(f.what = 0, DT_EINVAL, "frame, what");
    FRAME(f.what = DT_LINK_LAST, DT_EINVAL, "frame, what, too large");
    FRAME(f.rc = DT_EBUG + 1, DT_EINVAL, "frame, status");
    FRAME(f.event = DT_LINK_DIDS, DT_EINVAL, "frame, event");
    FRAME(f.flags++, DT_EINVAL, "frame, flags");
    FRAME(f.ttl++, DT_EINVAL, "frame, time");
    FRAME(f.site.len = DT_LINK_SITE + 1, DT_EINVAL, "frame, site");
    FRAME(f.text.len = DT_LINK_TEXT + 1, DT_EINVAL, "frame, text");
    FRAME(f.peer.len = DT_LINK_PEER + 1, DT_EINVAL, "frame, peer");
    FRAME(f.bytes.len = DT_LINK_BYTES + 1, DT_EINVAL, "frame, template");
}


/* what nginx knows of the core without having it */
static void
test_same(void)
{
    size_t i;

    for (i = 0; dt_detectors[i] != NULL; i++) {
        if (dt_job_detectors[i] == NULL) {
            break;
        }

        is_str(dt_job_detectors[i], strlen(dt_job_detectors[i]),
               dt_detectors[i]->name, "detector");
    }

    ok(dt_detectors[i] == NULL && dt_job_detectors[i] == NULL,
       "all detectors");
    is_int(DT_JOB_CANDIDATES, DT_DIGRAPH_MAX - 1, "candidates");
    is_int(DT_JOB_TEMPLATE, DT_TEMPLATE_MAX, "template");
    is_str(DT_JOB_HELLO, strlen(DT_JOB_HELLO), "detemplate " DT_VERSION "\n",
           "first line");
}


int
main(void)
{
    test_round();
    test_bounds();
    test_sizes();
    test_answer();
    test_frame();
    test_same();

    return done();
}
