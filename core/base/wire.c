
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/wire.h"


typedef struct {
    uint32_t magic;
    uint32_t size; /* of the whole message; a multiple of 8 */
} dt_wire_head_t;


/* clang-format off */
#define DT_NUMBER(type, field, min, max)                                      \
    { #field, DT_WIRE_NUMBER, offsetof(type, field), min, max }
#define DT_BYTES(type, field, max)                                            \
    { #field, DT_WIRE_BYTES, offsetof(type, field), 0, max }
#define DT_TEXT(type, field, lines, max)                                      \
    { #field, DT_WIRE_TEXT, offsetof(type, field), lines, max }
#define DT_END { NULL, DT_WIRE_NUMBER, 0, 0, 0 }


/* the template is the first slice of each message */

static const dt_wire_field_t dt_job_fields[] = {
    DT_NUMBER(dt_job_t, candidates, 1, DT_JOB_CANDIDATES),
    DT_NUMBER(dt_job_t, votes, 0, DT_JOB_CANDIDATES),
    DT_NUMBER(dt_job_t, loads, 1, DT_JOB_LOADS),
    DT_NUMBER(dt_job_t, page_ms, 1, DT_JOB_TIME),
    DT_NUMBER(dt_job_t, fetch_ms, 1, DT_JOB_TIME),
    DT_NUMBER(dt_job_t, memory_mb, 1, DT_JOB_MEMORY),
    DT_NUMBER(dt_job_t, insecure, 0, 1),
    DT_NUMBER(dt_job_t, shared, 0, 1),
    DT_NUMBER(dt_job_t, robots, 0, 1),
    DT_NUMBER(dt_job_t, once, 1, DT_JOB_ONCE),
    DT_NUMBER(dt_job_t, requests, 0, DT_JOB_REQUESTS),
    DT_NUMBER(dt_job_t, served, 0, 1),
    DT_BYTES(dt_job_t, prev, DT_JOB_TEMPLATE),
    DT_TEXT(dt_job_t, url, 1, DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, origin, 1, DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, connect, 1, DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, header, 1, DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, detector, 1, DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, pages, 1, 2 * DT_JOB_STRING - 1),
    DT_TEXT(dt_job_t, visited, DT_JOB_VISITED,
            DT_JOB_VISITED * DT_JOB_STRING - 1),
    DT_END
};

static const dt_wire_field_t dt_answer_fields[] = {
    DT_NUMBER(dt_answer_t, rc, DT_OK, DT_EBUG),
    DT_NUMBER(dt_answer_t, loads, 0, DT_JOB_LOADS),
    DT_NUMBER(dt_answer_t, candidates, 0, DT_JOB_CANDIDATES),
    DT_NUMBER(dt_answer_t, retry_after, 0, DT_JOB_RETRY),
    DT_NUMBER(dt_answer_t, requests, 0, DT_JOB_REQUESTS),
    DT_NUMBER(dt_answer_t, tries, 0, 16 * DT_JOB_LOADS),
    DT_NUMBER(dt_answer_t, redesigned, 0, 1),
    DT_NUMBER(dt_answer_t, fresh, 0, 100),
    DT_BYTES(dt_answer_t, bytes, DT_JOB_TEMPLATE),
    DT_END
};

static const dt_wire_field_t dt_frame_fields[] = {
    DT_NUMBER(dt_frame_t, what, DT_LINK_CONF, DT_LINK_LAST - 1),
    DT_NUMBER(dt_frame_t, rc, DT_OK, DT_EBUG),
    DT_NUMBER(dt_frame_t, event, 0, DT_LINK_DIDS - 1),
    DT_NUMBER(dt_frame_t, flags, 0, DT_LINK_FLAGS),
    DT_NUMBER(dt_frame_t, ttl, 0, DT_LINK_TTL),
    DT_BYTES(dt_frame_t, bytes, DT_LINK_BYTES),
    DT_BYTES(dt_frame_t, site, DT_LINK_SITE),
    DT_BYTES(dt_frame_t, text, DT_LINK_TEXT),
    DT_BYTES(dt_frame_t, peer, DT_LINK_PEER),
    DT_END
};
/* clang-format on */


#define DT_JOB_NAME(symbol, name) name,

const char *const dt_job_detectors[] = { DT_DETECTORS(DT_JOB_NAME) NULL };

const char *const dt_link_dids[DT_LINK_DIDS] = { "learn", "forget", "relearn",
                                                 "pin", "unpin" };


static const char *
dt_job_check(void *msg)
{
    const dt_job_t *job = msg;

    return job->votes > job->candidates ? "votes" : NULL;
}


/* also ends the texts, which may fill their room */
static const char *
dt_answer_check(void *msg)
{
    dt_answer_t *a = msg;

    a->reason[sizeof(a->reason) - 1] = '\0';
    a->errstr[sizeof(a->errstr) - 1] = '\0';

    if ((a->rc == DT_OK && a->bytes.len == 0)
        || (a->rc > DT_DECLINED && a->bytes.len))
    {
        return "bytes";
    }

    return a->beyond > a->tries + DT_JOB_LOADS ? "beyond" : NULL;
}


const dt_wire_t dt_wire_job = { 0x424a5444, /* "DTJB" */
                                sizeof(dt_job_t), dt_job_fields,
                                dt_job_check };

const dt_wire_t dt_wire_answer = { 0x4e415444, /* "DTAN" */
                                   sizeof(dt_answer_t), dt_answer_fields,
                                   dt_answer_check };

const dt_wire_t dt_wire_frame = { 0x4b4c5444, /* "DTLK" */
                                  sizeof(dt_frame_t), dt_frame_fields, NULL };


/* n, or the next multiple of 8 */
static size_t
dt_wire_align(size_t n)
{
    return (n + 7) & ~(size_t) 7;
}


/* the slice that a field is, in place */
static dt_str_t
dt_wire_slice(const dt_wire_field_t *f, const char *msg)
{
    dt_str_t s = { 0, NULL };

    if (f->type != DT_WIRE_NUMBER) {
        memcpy(&s, msg + f->at, sizeof(s));
    }

    return s;
}


/* the bytes of a field behind the struct; text has a NUL behind it */
static size_t
dt_wire_bytes(const dt_wire_field_t *f, const char *msg)
{
    return dt_wire_slice(f, msg).len + (f->type == DT_WIRE_TEXT);
}


size_t
dt_wire_head(const dt_wire_t *kind)
{
    return dt_wire_align(sizeof(dt_wire_head_t) + kind->size);
}


size_t
dt_wire_size(const dt_wire_t *kind, const void *msg)
{
    size_t n = dt_wire_head(kind);

    for (const dt_wire_field_t *f = kind->fields; f->word != NULL; f++) {
        if (dt_wire_slice(f, msg).len > f->max) {
            return 0;
        }

        n += dt_wire_bytes(f, msg);
    }

    return dt_wire_align(n);
}


void
dt_wire_encode(const dt_wire_t *kind, const void *msg, char *buf)
{
    char *p = buf + dt_wire_head(kind);
    dt_str_t s;
    dt_wire_head_t head = { kind->magic, (uint32_t) dt_wire_size(kind, msg) };

    memset(buf, 0, head.size);
    memcpy(buf, &head, sizeof(head));
    memcpy(buf + sizeof(head), msg, kind->size);

    for (const dt_wire_field_t *f = kind->fields; f->word != NULL; f++) {
        s = dt_wire_slice(f, msg);

        if (s.len) {
            memcpy(p, s.data, s.len);
        }

        p += dt_wire_bytes(f, msg);
    }
}


size_t
dt_wire_promise(const dt_wire_t *kind, const char *buf, size_t len)
{
    dt_wire_head_t head;

    if (len < dt_wire_head(kind)) {
        return 0;
    }

    memcpy(&head, buf, sizeof(head));

    return head.magic == kind->magic && head.size
                   && head.size == dt_wire_size(kind, buf + sizeof(head))
               ? head.size
               : SIZE_MAX;
}


/* whether text with a NUL behind it has at most this many lines, and no other
   control bytes */
static int
dt_wire_text(dt_str_t text, size_t lines)
{
    unsigned char c;

    for (size_t i = 0; i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if (c == '\n' && lines > 1) {
            lines--;

        } else if (c < ' ' || c == 0x7f) {
            return 0;
        }
    }

    return text.data[text.len] == '\0';
}


/* checks a field of a message whose bytes are at p, and sets its pointer */
static int
dt_wire_field(const dt_wire_field_t *f, char *msg, const char *p)
{
    uint32_t n;
    dt_str_t s;

    if (f->type == DT_WIRE_NUMBER) {
        memcpy(&n, msg + f->at, sizeof(n));

        return n >= f->min && n <= f->max;
    }

    s = dt_wire_slice(f, msg);
    s.data = p;
    memcpy(msg + f->at, &s, sizeof(s));

    return f->type == DT_WIRE_BYTES || dt_wire_text(s, f->min);
}


dt_status_t
dt_wire_decode(const dt_wire_t *kind, const char *buf, size_t len, void *msg,
               const char **why)
{
    const char *p = buf + dt_wire_head(kind);

    *why = "size";

    if (len == 0 || dt_wire_promise(kind, buf, len) != len) {
        return DT_EINVAL;
    }

    memcpy(msg, buf + sizeof(dt_wire_head_t), kind->size);

    for (const dt_wire_field_t *f = kind->fields; f->word != NULL; f++) {
        if (!dt_wire_field(f, msg, p)) {
            *why = f->word;
            return DT_EINVAL;
        }

        p += dt_wire_bytes(f, msg);
    }

    *why = kind->check ? kind->check(msg) : NULL;

    return *why == NULL ? DT_OK : DT_EINVAL;
}


/* copies as much of s as fits; the rest of dst is zero */
static void
dt_answer_copy(char *dst, size_t size, const char *s)
{
    if (s != NULL) {
        memcpy(dst, s, strnlen(s, size - 1));
    }
}


void
dt_answer_init(dt_answer_t *a, dt_status_t rc, dt_str_t bytes,
               const char *reason, const char *errstr)
{
    memset(a, 0, sizeof(*a));
    a->rc = rc;
    dt_answer_copy(a->reason, sizeof(a->reason), reason);
    dt_answer_copy(a->errstr, sizeof(a->errstr), errstr);

    if (rc == DT_OK || rc == DT_DECLINED) {
        a->bytes = bytes;
    }
}
