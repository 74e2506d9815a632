
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/detectors.h"
#include "core/base/job.h"


#define DT_JOB_MAGIC 0x424a5444    /* "DTJB" */
#define DT_ANSWER_MAGIC 0x4e415444 /* "DTAN" */
#define DT_JOB_NSTRINGS 6


#define DT_JOB_NAME(symbol, name) name,

const char *const dt_job_detectors[] = { DT_DETECTORS(DT_JOB_NAME) NULL };


_Static_assert(sizeof(dt_job_head_t) % 8 == 0, "the template is aligned");


/* lists the strings in the order in which they are sent */
static void
dt_job_strings(dt_job_t *job, const char **out[DT_JOB_NSTRINGS])
{
    out[0] = &job->url;
    out[1] = &job->origin;
    out[2] = &job->connect;
    out[3] = &job->header;
    out[4] = &job->detector;
    out[5] = &job->visited;
}


/* the bytes that the i-th string may have, its NUL included */
static size_t
dt_job_most(size_t i)
{
    return i == DT_JOB_NSTRINGS - 1 ? DT_JOB_VISITED * DT_JOB_STRING
                                    : DT_JOB_STRING;
}


size_t
dt_job_size(const dt_job_t *job)
{
    size_t n, size;
    dt_job_t copy = *job;
    const char **s[DT_JOB_NSTRINGS];

    dt_job_strings(&copy, s);

    if (job->prev_len > DT_JOB_TEMPLATE) {
        return 0;
    }

    size = sizeof(dt_job_head_t) + job->prev_len;

    for (size_t i = 0; i < DT_JOB_NSTRINGS; i++) {
        n = strlen(*s[i]) + 1;

        if (n > dt_job_most(i)) {
            return 0;
        }

        size += n;
    }

    return size;
}


void
dt_job_encode(const dt_job_t *job, char *buf)
{
    char *p;
    dt_job_t copy = *job;
    dt_job_head_t head;
    const char **s[DT_JOB_NSTRINGS];

    dt_job_strings(&copy, s);

    memset(&head, 0, sizeof(head));
    head.magic = DT_JOB_MAGIC;
    head.size = (uint32_t) dt_job_size(job);
    head.prev_len = job->prev_len;
    head.candidates = job->candidates;
    head.votes = job->votes;
    head.loads = job->loads;
    head.page_ms = job->page_ms;
    head.fetch_ms = job->fetch_ms;
    head.memory_mb = job->memory_mb;
    head.flags = (job->insecure ? DT_JOB_INSECURE : 0)
                 | (job->shared ? DT_JOB_SHARED : 0);

    p = buf + sizeof(head);

    if (job->prev_len) {
        memcpy(p, job->prev, job->prev_len);
        p += job->prev_len;
    }

    for (size_t i = 0; i < DT_JOB_NSTRINGS; i++) {
        head.strings[i] = (uint32_t) (strlen(*s[i]) + 1);
        memcpy(p, *s[i], head.strings[i]);
        p += head.strings[i];
    }

    memcpy(buf, &head, sizeof(head));
}


size_t
dt_job_promise(const dt_job_head_t *head)
{
    size_t size = sizeof(dt_job_head_t);

    if (head->magic != DT_JOB_MAGIC || head->prev_len > DT_JOB_TEMPLATE) {
        return 0;
    }

    size += head->prev_len;

    for (size_t i = 0; i < DT_JOB_NSTRINGS; i++) {
        if (head->strings[i] == 0 || head->strings[i] > dt_job_most(i)) {
            return 0;
        }

        size += head->strings[i];
    }

    return head->size == size ? size : 0;
}


/* whether p is text with its NUL at the end, of at most this many lines */
static int
dt_job_text(const char *p, size_t len, size_t lines)
{
    for (size_t i = 0; i + 1 < len; i++) {
        if (p[i] == '\n' && lines > 1) {
            lines--;

        } else if ((unsigned char) p[i] < ' ' || p[i] == 0x7f) {
            return 0;
        }
    }

    return p[len - 1] == '\0';
}


/* returns a word for what is wrong with the numbers, or NULL */
static const char *
dt_job_numbers(const dt_job_t *job)
{
    if (job->candidates < 1 || job->candidates > DT_JOB_CANDIDATES) {
        return "candidates";
    }

    if (job->votes < 1 || job->votes > job->candidates) {
        return "votes";
    }

    if (job->loads < 1 || job->loads > DT_JOB_LOADS) {
        return "loads";
    }

    if (job->page_ms < 1 || job->page_ms > DT_JOB_TIME || job->fetch_ms < 1
        || job->fetch_ms > DT_JOB_TIME)
    {
        return "time";
    }

    return job->memory_mb < 1 || job->memory_mb > DT_JOB_MEMORY ? "memory"
                                                                : NULL;
}


dt_status_t
dt_job_decode(const char *buf, size_t len, dt_job_t *out, const char **why)
{
    size_t i;
    const char *p, *ignored;
    const char **s[DT_JOB_NSTRINGS];
    dt_job_head_t head;

    why = why ? why : &ignored;
    memset(out, 0, sizeof(*out));

    if (len < sizeof(head)) {
        *why = "head";
        return DT_EINVAL;
    }

    memcpy(&head, buf, sizeof(head));

    if (dt_job_promise(&head) != len) {
        *why = "size";
        return DT_EINVAL;
    }

    if (head.flags & ~(uint32_t) DT_JOB_FLAGS) {
        *why = "flags";
        return DT_EINVAL;
    }

    *out = (dt_job_t){ .candidates = head.candidates,
                       .votes = head.votes,
                       .loads = head.loads,
                       .page_ms = head.page_ms,
                       .fetch_ms = head.fetch_ms,
                       .memory_mb = head.memory_mb,
                       .insecure = (head.flags & DT_JOB_INSECURE) != 0,
                       .shared = (head.flags & DT_JOB_SHARED) != 0,
                       .prev_len = head.prev_len };

    p = buf + sizeof(head);
    out->prev = head.prev_len ? p : NULL;
    p += head.prev_len;

    dt_job_strings(out, s);

    for (i = 0; i < DT_JOB_NSTRINGS; i++) {
        if (!dt_job_text(p, head.strings[i],
                         i == DT_JOB_NSTRINGS - 1 ? DT_JOB_VISITED : 1))
        {
            *why = "string";
            return DT_EINVAL;
        }

        *s[i] = p;
        p += head.strings[i];
    }

    *why = dt_job_numbers(out);

    return *why == NULL ? DT_OK : DT_EINVAL;
}


/* copies as much of s as fits, and zeroes the rest of dst */
static void
dt_answer_copy(char *dst, size_t size, const char *s)
{
    size_t len = s != NULL ? strnlen(s, size - 1) : 0;

    memset(dst, 0, size);

    if (len) {
        memcpy(dst, s, len);
    }
}


void
dt_answer_init(dt_answer_t *a, dt_status_t rc, size_t size, const char *reason,
               const char *errstr)
{
    memset(a, 0, sizeof(*a));
    a->magic = DT_ANSWER_MAGIC;
    a->rc = rc;
    a->size = rc == DT_OK || rc == DT_DECLINED ? (uint32_t) size : 0;
    dt_answer_copy(a->reason, sizeof(a->reason), reason);
    dt_answer_copy(a->errstr, sizeof(a->errstr), errstr);
}


dt_status_t
dt_answer_check(dt_answer_t *a)
{
    a->reason[sizeof(a->reason) - 1] = '\0';
    a->errstr[sizeof(a->errstr) - 1] = '\0';

    if (a->magic != DT_ANSWER_MAGIC || a->rc > DT_EBUG
        || a->retry_after > DT_JOB_RETRY || a->loads > DT_JOB_LOADS
        || a->tries > 16 * DT_JOB_LOADS || a->beyond > a->tries
        || a->redesigned > 1 || a->fresh > 100
        || a->candidates > DT_JOB_CANDIDATES || a->size > DT_JOB_TEMPLATE
        || (a->rc == DT_OK && a->size == 0)
        || (a->rc != DT_OK && a->rc != DT_DECLINED && a->size))
    {
        return DT_EINVAL;
    }

    return DT_OK;
}
