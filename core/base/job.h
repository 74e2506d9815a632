
/*
 * Copyright (C) The detemplate authors
 *
 * The protocol between nginx and its learner, the program detemplate, over two
 * pipes: one job on standard input, one answer on standard output.  Both
 * include this file, so it is in the room that needs no library.
 *
 *     program  -->  "detemplate 0.1.0\n"   before it reads anything
 *     nginx    -->  dt_job_head_t, the template so far, six strings
 *     program  -->  dt_answer_t, the template
 *
 * Both run on one machine, so numbers are in its byte order.  Both check what
 * they read as if it came from an untrusted source.
 */


#ifndef DT_JOB_H_INCLUDED_
#define DT_JOB_H_INCLUDED_


#include "core/base/dt.h"


/* The program writes this line first.  Any other line means another version or
   another program.  Every change of this file needs another DT_VERSION. */
#define DT_JOB_HELLO "detemplate " DT_VERSION "\n"

/*
 * The field of the learner's requests, with nginx's secret.  In a response it
 * says that the page is no evidence.
 */
#define DT_JOB_MARKER "Detemplate-Learner"

#define DT_JOB_TEMPLATE (4u << 20) /* bytes of a template: DT_TEMPLATE_MAX */
#define DT_JOB_STRING 2048         /* bytes of a string, its NUL included */
#define DT_JOB_VISITED 16          /* pages that visitors asked for */
#define DT_JOB_CANDIDATES 63       /* DT_DIGRAPH_MAX without the key page */
#define DT_JOB_LOADS 1000
#define DT_JOB_TIME 3600000   /* ms */
#define DT_JOB_RETRY 86400    /* seconds */
#define DT_JOB_MEMORY 1048576 /* MiB */


/* one learning */
typedef struct {
    const char *url;      /* the key page */
    const char *origin;   /* pages are fetched below this URL; or empty */
    const char *connect;  /* host:port to connect to instead of the URL's
                             host; or empty */
    const char *header;   /* one more header line for requests, or empty */
    const char *detector; /* name */
    const char *visited;  /* absolute URLs of pages that visitors asked for,
                             with a newline between them, those first that
                             showed little of the template; or empty */
    uint32_t candidates;
    uint32_t votes;
    uint32_t loads;
    uint32_t page_ms;   /* for one page */
    uint32_t fetch_ms;  /* for all of them */
    uint32_t memory_mb; /* beyond what the program starts with */
    uint32_t insecure;  /* certificates are not checked, as the server is our
                           own */
    uint32_t shared;    /* see dt_fetch_opts_t */
    uint32_t prev_len;
    const void *prev; /* the template so far, or NULL; a decoded one is not
                         checked, and aligned to 8 bytes */
} dt_job_t;


/* the head of a job on the pipe */
typedef struct {
    uint32_t magic;
    uint32_t size; /* of the whole job, including this head */
    uint32_t prev_len;
    uint32_t candidates;
    uint32_t votes;
    uint32_t loads;
    uint32_t page_ms;
    uint32_t fetch_ms;
    uint32_t memory_mb;
    uint32_t flags;      /* DT_JOB_INSECURE, ... */
    uint32_t strings[6]; /* bytes of each, in the order above, with its NUL */
} dt_job_head_t;

enum {
    DT_JOB_INSECURE = 1,
    DT_JOB_SHARED = 2,
    DT_JOB_FLAGS = 3 /* all flags */
};

#define DT_JOB_MAX                                                            \
    (sizeof(dt_job_head_t) + DT_JOB_TEMPLATE                                  \
     + (5 + DT_JOB_VISITED) * DT_JOB_STRING)


/*
 * dt_job_size() returns the bytes that the job takes on the pipe, or 0 when
 * the job exceeds a bound.  dt_job_encode() writes them to buf, which has room
 * for that many.
 */
size_t dt_job_size(const dt_job_t *job);
void dt_job_encode(const dt_job_t *job, char *buf);

/* Returns the size of the whole job according to its head, or 0 when these
   bytes are not the head of a job. */
size_t dt_job_promise(const dt_job_head_t *head);

/*
 * Decodes a whole job.  buf is aligned as by malloc(); out points into it, and
 * must not outlive it.  DT_EINVAL: it is not a job; *why, when why is not
 * NULL, is a static word.
 */
dt_status_t dt_job_decode(const char *buf, size_t len, dt_job_t *out,
                          const char **why);


/* the answer; the template's bytes follow it */
typedef struct {
    uint32_t magic;
    uint32_t rc;   /* dt_status_t */
    uint32_t size; /* bytes of the template; 0 unless rc is DT_OK or
                      DT_DECLINED, with which the template has evidence
                      only: see dt_learned_t */
    uint32_t loads;
    uint32_t candidates;
    uint32_t retry_after; /* seconds, at most DT_JOB_RETRY */
    uint32_t tries;       /* pages requested */
    uint32_t beyond;      /* of them, those that exceeded a limit */
    uint32_t redesigned;  /* 1: pages that were known have another design */
    uint32_t fresh;       /* percent of the words of template that are new;
                             see dt_learned_t */
    char reason[20];
    char errstr[DT_ERRSTR];
} dt_answer_t;

/* Fills in an answer; reason and errstr are truncated when too long. */
void dt_answer_init(dt_answer_t *a, dt_status_t rc, size_t size,
                    const char *reason, const char *errstr);

/* Checks an answer, and puts a NUL behind its strings: DT_OK or DT_EINVAL. */
dt_status_t dt_answer_check(dt_answer_t *a);


/*
 * The names of all detectors, the default first, and NULL at the end.  nginx
 * does not contain dt_detectors[], which has the same names.
 */
extern const char *const dt_job_detectors[];


#endif /* DT_JOB_H_INCLUDED_ */
