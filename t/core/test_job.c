
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "core/base/job.h"
#include "core/detect/detect.h"
#include "core/learn/digraph.h"
#include "core/template/template.h"
#include "test.h"


static const char prev[] = "12345678 a template";


/* a job with everything in it */
static dt_job_t
full(void)
{
    return (dt_job_t){ .url = "http://site.test/p1.html",
                       .origin = "http://127.0.0.1:80/base",
                       .connect = "127.0.0.1:443",
                       .header = "A: b",
                       .detector = "etdm",
                       .visited = "http://site.test/a\nhttp://site.test/b",
                       .candidates = 3,
                       .votes = 2,
                       .loads = 30,
                       .page_ms = 5000,
                       .fetch_ms = 20000,
                       .memory_mb = 512,
                       .insecure = 1,
                       .prev = prev,
                       .prev_len = sizeof(prev) };
}


/* the job's bytes, malloc()ed */
static char *
bytes(const dt_job_t *job, size_t *len)
{
    char *p;

    *len = dt_job_size(job);
    p = malloc(*len ? *len : 1);

    if (*len) {
        dt_job_encode(job, p);
    }

    return p;
}


static void
is_text(const char *got, const char *want, const char *name)
{
    is_str(got, strlen(got), want, name);
}


static void
test_round(void)
{
    char *p;
    size_t len;
    dt_job_t in = full(), out;
    dt_job_head_t head;
    const char *why = "none";

    p = bytes(&in, &len);
    memcpy(&head, p, sizeof(head));

    is_int((long long) dt_job_promise(&head), (long long) len, "promise");
    is_int(dt_job_decode(p, len, &out, &why), DT_OK, "job is read");
    ok(why == NULL, "nothing is wrong");
    is_text(out.url, in.url, "url");
    is_text(out.origin, in.origin, "origin");
    is_text(out.connect, in.connect, "connect");
    is_text(out.header, in.header, "header");
    is_text(out.detector, in.detector, "detector");
    is_text(out.visited, in.visited, "visited");
    ok(out.candidates == 3 && out.votes == 2 && out.loads == 30
           && out.page_ms == 5000 && out.fetch_ms == 20000
           && out.memory_mb == 512 && out.insecure == 1,
       "numbers");
    is_int(out.prev_len, sizeof(prev), "template, length");
    ok(memcmp(out.prev, prev, sizeof(prev)) == 0, "template");
    ok(((const char *) out.prev - p) % 8 == 0, "template, aligned");
    ok(!out.shared, "no other flags");
    free(p);

    in.insecure = 0;
    in.shared = 1;
    p = bytes(&in, &len);
    (void) dt_job_decode(p, len, &out, NULL);
    ok(!out.insecure && out.shared, "shared");
    free(p);

    in.prev_len = 0;
    in.prev = NULL;
    in.origin = in.connect = in.header = in.visited = "";
    p = bytes(&in, &len);
    is_int(dt_job_decode(p, len, &out, NULL), DT_OK, "least job is read");
    ok(out.prev == NULL && out.prev_len == 0, "no template");
    is_text(out.origin, "", "no origin");
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

    p = bytes(&job, &len);

    if (dt_job_decode(p, len, &out, &why) == DT_OK) {
        why = "taken";
    }

    is_text(why, want, name);
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
    REFUSED(votes = 0, "votes", "no votes");
    REFUSED(votes = 4, "votes", "more votes than candidates");
    REFUSED(loads = 0, "loads", "no loads");
    REFUSED(loads = 1001, "loads", "too many loads");
    REFUSED(page_ms = 0, "time", "no time for a page");
    REFUSED(page_ms = DT_JOB_TIME + 1, "time", "too much time for a page");
    REFUSED(fetch_ms = 0, "time", "no time for pages");
    REFUSED(fetch_ms = DT_JOB_TIME + 1, "time", "too much time for pages");
    REFUSED(memory_mb = 0, "memory", "no memory");
    REFUSED(memory_mb = DT_JOB_MEMORY + 1, "memory", "too much memory");
    REFUSED(url = "http://a/\n", "string", "line end in a string");
    REFUSED(header = "A: b\r\nC: d", "string", "two lines");
    REFUSED(detector = "a\x7f", "string", "control byte");
    REFUSED(visited = "a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nb", "taken",
            "as many visited pages as there may be");
    REFUSED(visited = "a\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nb", "string",
            "too many visited pages");
    REFUSED(visited = "a\rb", "string", "visited pages, another line end");
    REFUSED(url = "http://\xc3\xa9.test/", "taken", "other bytes are taken");
}


static void
test_sizes(void)
{
    char *p, *big;
    size_t len, taken = 0;
    dt_job_t in = full(), out;
    dt_job_head_t head;
    const char *why;

    p = bytes(&in, &len);

    for (size_t n = 0; n < len; n++) {
        taken += dt_job_decode(p, n, &out, &why) == DT_OK;
    }

    is_int((long long) taken, 0, "a job that is cut anywhere is none");

    p = realloc(p, len + 1);
    p[len] = '\0';
    is_int(dt_job_decode(p, len + 1, &out, &why), DT_EINVAL, "surplus");

    for (size_t i = 0; i < 4; i++) {
        p[i] ^= 1;
        ok(dt_job_decode(p, len, &out, &why) == DT_EINVAL, "magic");
        p[i] ^= 1;
    }

    memcpy(&head, p, sizeof(head));
    head.strings[0]--;
    head.strings[1]++;
    memcpy(p, &head, sizeof(head));
    is_int(dt_job_decode(p, len, &out, &why), DT_EINVAL, "strings, shifted");
    head.strings[1]--;
    head.strings[0]++;

    head.strings[1] = DT_JOB_STRING + 1;
    is_int((long long) dt_job_promise(&head), 0, "a string beyond its bound");
    head.strings[1] = 0;
    is_int((long long) dt_job_promise(&head), 0, "a string without its NUL");
    memcpy(&head, p, sizeof(head));

    head.flags |= DT_JOB_FLAGS + 1;
    memcpy(p, &head, sizeof(head));
    is_int(dt_job_decode(p, len, &out, &why), DT_EINVAL, "unknown flag");
    is_text(why, "flags", "unknown flag, why");
    head.flags &= DT_JOB_FLAGS;

    head.prev_len = DT_JOB_TEMPLATE + 1;
    head.size = head.size - (uint32_t) sizeof(prev) + head.prev_len;
    is_int((long long) dt_job_promise(&head), 0, "template beyond its bound");
    head.size--;
    head.prev_len--;
    is_int((long long) dt_job_promise(&head), head.size, "the largest one");
    head.size++;
    is_int((long long) dt_job_promise(&head), 0, "another size than the sum");
    free(p);

    in.prev_len = DT_JOB_TEMPLATE + 1;
    is_int((long long) dt_job_size(&in), 0, "template too large to be sent");
    in.prev_len = 0;

    big = malloc(DT_JOB_STRING + 1);
    memset(big, 'a', DT_JOB_STRING);
    big[DT_JOB_STRING] = '\0';
    in.url = big;
    is_int((long long) dt_job_size(&in), 0, "string too long to be sent");
    big[DT_JOB_STRING - 1] = '\0';
    p = bytes(&in, &len);
    is_int(dt_job_decode(p, len, &out, &why), DT_OK, "the longest string");
    free(p);
    free(big);

    in = full();
    big = malloc(DT_JOB_VISITED * DT_JOB_STRING + 1);
    memset(big, 'a', DT_JOB_VISITED * DT_JOB_STRING);
    big[DT_JOB_VISITED * DT_JOB_STRING] = '\0';
    in.visited = big;
    is_int((long long) dt_job_size(&in), 0, "visited pages, too long");
    big[DT_JOB_VISITED * DT_JOB_STRING - 1] = '\0';
    p = bytes(&in, &len);
    is_int(dt_job_decode(p, len, &out, &why), DT_OK, "visited, the longest");
    free(p);
    free(big);
}


static void
test_answer(void)
{
    char text[400];
    dt_answer_t a, good;

    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';

    dt_answer_init(&a, DT_DECLINED, 7, text, text);
    is_int(a.size, 7, "nothing learned, evidence");
    is_int((long long) strlen(a.reason), sizeof(a.reason) - 1, "reason, cut");
    is_int((long long) strlen(a.errstr), sizeof(a.errstr) - 1, "errstr, cut");
    is_int(dt_answer_check(&a), DT_OK, "nothing learned, sound");

    dt_answer_init(&a, DT_EIO, 7, NULL, NULL);
    is_int(a.size, 0, "a failure, no template");
    ok(a.reason[0] == '\0' && a.errstr[0] == '\0', "no reason");

    dt_answer_init(&good, DT_OK, DT_JOB_TEMPLATE, "ok", "");
    a = good;
    is_int(dt_answer_check(&a), DT_OK, "learned, sound");

#define UNSOUND(change, name)                                                 \
    a = good;                                                                 \
    a.change;                                                                 \
    is_int(dt_answer_check(&a), DT_EINVAL, name)

    UNSOUND(magic ^= 1, "answer, magic");
    UNSOUND(rc = DT_EBUG + 1, "answer, status");
    UNSOUND(rc = DT_EIO, "answer, template without success");
    UNSOUND(size = 0, "answer, success without template");
    UNSOUND(size = DT_JOB_TEMPLATE + 1, "answer, template too large");
    UNSOUND(loads = DT_JOB_LOADS + 1, "answer, loads");
    UNSOUND(candidates = DT_JOB_CANDIDATES + 1, "answer, candidates");
    UNSOUND(redesigned = 2, "answer, no yes or no");
    UNSOUND(tries = 16 * DT_JOB_LOADS + 1, "answer, tries");
    UNSOUND(fresh = 101, "answer, more than all is new");
    UNSOUND(beyond = 1, "answer, more pages beyond a limit than were tried");
    UNSOUND(retry_after = DT_JOB_RETRY + 1, "answer, time");

    a = good;
    memset(a.reason, 'x', sizeof(a.reason));
    memset(a.errstr, 'x', sizeof(a.errstr));
    is_int(dt_answer_check(&a), DT_OK, "strings without an end");
    is_int((long long) strlen(a.reason), sizeof(a.reason) - 1, "reason ends");
    is_int((long long) strlen(a.errstr), sizeof(a.errstr) - 1, "errstr ends");
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

        is_text(dt_job_detectors[i], dt_detectors[i]->name, "detector");
    }

    ok(dt_detectors[i] == NULL && dt_job_detectors[i] == NULL,
       "all detectors");
    is_int(DT_JOB_CANDIDATES, DT_DIGRAPH_MAX - 1, "candidates");
    is_int(DT_JOB_TEMPLATE, DT_TEMPLATE_MAX, "template");
    is_text(DT_JOB_HELLO, "detemplate " DT_VERSION "\n", "first line");
}


int
main(void)
{
    test_round();
    test_bounds();
    test_sizes();
    test_answer();
    test_same();

    return done();
}
