
/*
 * Copyright (C) The detemplate authors
 *
 * The protocol between nginx and its learner, the program detemplate, over two
 * pipes: one job on standard input, one answer on standard output.  Both
 * include this file, so it is in the room that needs no library.
 *
 *     program  -->  "detemplate 0.1.0\n"   before it reads anything
 *     nginx    -->  dt_job_t
 *     program  -->  dt_answer_t
 */


#ifndef DT_JOB_H_INCLUDED_
#define DT_JOB_H_INCLUDED_


#include "core/base/wire.h"


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
    uint32_t candidates;
    uint32_t votes;
    uint32_t loads;
    uint32_t page_ms;   /* for one page */
    uint32_t fetch_ms;  /* for all of them */
    uint32_t memory_mb; /* beyond what the program starts with */
    uint32_t insecure;  /* certificates are not checked, as the server is our
                           own */
    uint32_t shared;    /* see dt_fetch_opts_t */
    dt_str_t prev;      /* the template so far, unchecked; or empty */
    dt_str_t url;       /* the key page */
    dt_str_t origin;    /* pages are fetched below this URL; or empty */
    dt_str_t connect;   /* host:port to connect to instead of the URL's host;
                           or empty */
    dt_str_t header;    /* one more header line for requests, or empty */
    dt_str_t detector;  /* name */
    dt_str_t visited;   /* absolute URLs of pages that visitors asked for, with
                           a newline between them, those first that showed
                           little of the template; or empty */
} dt_job_t;


/* what came of it */
typedef struct {
    uint32_t rc; /* dt_status_t */
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
    dt_str_t bytes; /* the template; empty unless rc is DT_OK or DT_DECLINED,
                       with which it has evidence only: see dt_learned_t */
} dt_answer_t;


extern const dt_wire_t dt_wire_job;
extern const dt_wire_t dt_wire_answer;

/* Fills in an answer; reason and errstr are truncated when too long. */
void dt_answer_init(dt_answer_t *a, dt_status_t rc, dt_str_t bytes,
                    const char *reason, const char *errstr);


/*
 * The names of all detectors, the default first, and NULL at the end.  nginx
 * does not contain dt_detectors[], which has the same names.
 */
extern const char *const dt_job_detectors[];


#endif /* DT_JOB_H_INCLUDED_ */
