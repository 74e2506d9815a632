
/*
 * Copyright (C) The detemplate authors
 *
 * All messages that nginx and its children exchange over pipes: their codec,
 * and then the messages to and from a learner and a link.  A message is a
 * struct of numbers and slices.  On the pipe it has a head, the struct, the
 * bytes of the first slice, which is a template, then those of the other
 * slices, which are text, each with a NUL behind it.  Both ends run on one
 * machine, so numbers are in its byte order.  Both ends check messages as if
 * they came from an untrusted source.
 */


#ifndef DT_WIRE_H_INCLUDED_
#define DT_WIRE_H_INCLUDED_


#include "core/base/dt.h"


typedef enum {
    DT_WIRE_NUMBER = 0, /* a uint32_t, from min to max */
    DT_WIRE_BYTES,      /* a dt_str_t of at most max bytes */
    DT_WIRE_TEXT        /* the same without control bytes, but for line feeds
                           between at most min lines */
} dt_wire_type_e;


typedef struct {
    const char *word; /* names a fault of it; NULL: the last one */
    dt_wire_type_e type;
    size_t at;
    uint32_t min;
    uint32_t max;
} dt_wire_field_t;


/* a kind of message */
typedef struct {
    uint32_t magic;
    size_t size; /* of the struct */
    const dt_wire_field_t *fields;

    /* NULL, or checks a decoded message beyond its types; returns a word that
       names a fault, or NULL */
    const char *(*check)(void *msg);
} dt_wire_t;


/*
 * dt_wire_size() returns the bytes that a message takes on the pipe, or 0 when
 * a slice is too long.  dt_wire_encode() writes them to buf, which has room
 * for that many.
 */
size_t dt_wire_size(const dt_wire_t *kind, const void *msg);
void dt_wire_encode(const dt_wire_t *kind, const void *msg, char *buf);

/* the bytes that dt_wire_promise() needs: head and struct */
size_t dt_wire_head(const dt_wire_t *kind);

/*
 * Returns the size of the message whose first len bytes are in buf: 0, if
 * there are too few to tell, or SIZE_MAX, if they do not begin a message.
 */
size_t dt_wire_promise(const dt_wire_t *kind, const char *buf, size_t len);

/*
 * Decodes a message, whose len is that of dt_wire_promise().  buf is aligned
 * to 8 bytes, and so is the template; the slices of msg point into buf.
 * DT_EINVAL: it is not a sound message, and *why is a static word.
 */
dt_status_t dt_wire_decode(const dt_wire_t *kind, const char *buf, size_t len,
                           void *msg, const char **why);


/*
 * The protocol between nginx and its learner, the program detemplate, over two
 * pipes: one job on standard input, one answer on standard output.
 *
 *     program  -->  "detemplate 0.1.0\n"   before it reads anything
 *     nginx    -->  dt_job_t
 *     program  -->  dt_answer_t
 */

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
#define DT_JOB_ONCE 4 /* DT_FETCH_ONCE */
#define DT_JOB_REQUESTS 65536
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
    uint32_t memory_mb; /* beyond the memory at the program's start */
    uint32_t insecure;  /* certificates are not checked, as the server is our
                           own */
    uint32_t shared;    /* see dt_fetch_opts_t */
    uint32_t robots;    /* robots.txt is obeyed */
    uint32_t once;      /* pages to load at once */
    uint32_t requests;  /* to the site, at most */
    uint32_t served;    /* only the pages of the folder are learned from */
    dt_str_t prev;      /* the template so far, unchecked; or empty */
    dt_str_t url;       /* the key page */
    dt_str_t origin;    /* pages are fetched below this URL; or empty */
    dt_str_t connect;   /* host:port to connect to instead of the URL's host;
                           or empty */
    dt_str_t header;    /* one more header line for requests, or empty */
    dt_str_t detector;  /* name */
    dt_str_t pages;     /* a folder of pages that need not be requested; each
                           is a file that has its URL, a line feed, its bytes;
                           or empty */
    dt_str_t visited;   /* absolute URLs of pages that visitors asked for, with
                           a newline between them, those first that showed
                           little of the template; or empty */
} dt_job_t;


/* the result of a job */
typedef struct {
    uint32_t rc; /* dt_status_t */
    uint32_t loads;
    uint32_t candidates;
    uint32_t retry_after; /* seconds, at most DT_JOB_RETRY */
    uint32_t requests;    /* to the site */
    uint32_t tries;       /* pages requested */
    uint32_t beyond;      /* pages that exceeded a limit, also stored ones */
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


/*
 * The list of the detectors.  Each has a line here, and a file in core/detect/
 * that defines dt_detector_SYMBOL.  nginx knows only this list.
 */

/* X(symbol, name): the first is the default, and the order gives the number */
#define DT_DETECTORS(X)                                                       \
    X(etdm, "etdm")                                                           \
    X(etdm_all, "etdm-all")                                                   \
    X(rtdm_td, "rtdm-td")                                                     \
    X(sst, "site-style-tree")                                                 \
    X(content, "content-extractor")                                           \
    X(fast_content, "fast-content-extractor")                                 \
    X(hashes, "template-hash")                                                \
    X(shingles, "shingles")                                                   \
    X(text_mdl, "text-mdl")


/*
 * The protocol between nginx and its link, the program detemplate, which
 * speaks to Redis for it.  nginx executes the link once and keeps it.  Frames
 * go over two pipes: orders to standard input, answers and news from standard
 * output.
 *
 *     program  -->  "detemplate 0.1.0\n"   before it reads anything
 *     nginx    -->  DT_LINK_CONF, then orders
 *     program  -->  an answer for each order, in any order; news
 */

#define DT_LINK_SITE 255              /* bytes of a site's name */
#define DT_LINK_TEXT 8192             /* bytes of a text */
#define DT_LINK_PEER 255              /* bytes of an address */
#define DT_LINK_BYTES DT_JOB_TEMPLATE /* bytes of a template */
#define DT_LINK_TTL 0x7fffffff        /* seconds */


typedef enum {
    /*
     * nginx -> link: the configuration.  text has lines "name=value" by the
     * names of dt_redis_opts_t.  It has no answer.
     */
    DT_LINK_CONF = 1,

    /* orders about site; an answer repeats the fields what and id */

    DT_LINK_GET,     /* read the template */
    DT_LINK_LOCK,    /* take or renew the lock, and read the template */
    DT_LINK_UNLOCK,  /* give the lock back */
    DT_LINK_COMPARE, /* read version, learned_at and PINNED, not the bytes */
    DT_LINK_PUT,     /* write the template in bytes, and tell the others */
    DT_LINK_FORGET,  /* remove all of the site, and tell the others */
    DT_LINK_RELEARN, /* tell the others that the site is to be learned anew */
    DT_LINK_PIN,     /* pin the template of this version; 0: the present one */
    DT_LINK_UNPIN,
    DT_LINK_RESTORE, /* make the earlier template number n the present one,
                        and pin it */

    /* link -> nginx: news */

    DT_LINK_EVENT, /* another machine has done event about site; version and
                      learned_at are those of the template, 0: unknown */
    DT_LINK_GAP,   /* events were missed: of site, or of all if it is empty */
    DT_LINK_STATE, /* state of the link, at each change and each second; text
                      is why it is away, or empty */

    /* an order, of the program */

    DT_LINK_LIST, /* read the heads of the present template and the earlier
                     ones: bytes has one after another, all zero where there
                     is none */
    DT_LINK_LAST
} dt_link_what_e;


/* flags of orders */
enum {
    DT_LINK_WHOLE = 1,      /* GET, LOCK: with the evidence, if there is any;
                               PUT: both in one key, for older machines */
    DT_LINK_GIVE_BACK = 2,  /* PUT: the lock too */
    DT_LINK_ADDED = 4,      /* PUT, EVENT: pages were added to the template,
                               which did not become an earlier one */
    DT_LINK_REDESIGNED = 8, /* PUT, EVENT: the site has another design */

    /* flags of answers */

    DT_LINK_LOCKED = 16, /* LOCK: another machine has the lock */
    DT_LINK_PINNED = 32, /* the template is to stay as it is */

    /* STATE */

    DT_LINK_AWAY = 64, /* Redis does not answer */
    DT_LINK_FLAGS = 127
};


/* the actions that events report */
typedef enum {
    DT_LINK_DID_LEARN = 0,
    DT_LINK_DID_FORGET,
    DT_LINK_DID_RELEARN,
    DT_LINK_DID_PIN, /* also RESTORE */
    DT_LINK_DID_UNPIN,
    DT_LINK_DIDS
} dt_link_did_e;

/* the words for them, in events of Redis */
extern const char *const dt_link_dids[DT_LINK_DIDS];


/* a frame; its slices belong to the function that fills it in */
typedef struct {
    uint32_t what; /* dt_link_what_e */
    uint32_t id;   /* of an order */
    uint32_t flags;
    uint32_t rc;    /* of an answer: dt_status_t; the text says why */
    uint32_t event; /* dt_link_did_e */
    uint32_t n;     /* RESTORE; GET, LOCK: the highest version that the site
                       had, or 0 */

    /* facts about the template, in PUT, answers and events */

    uint32_t version;
    uint32_t patterns;
    uint32_t loads;
    uint32_t candidates;
    uint32_t coverage; /* of the key page, in 1/1000 */
    uint32_t ttl;      /* seconds: of the template, or of the lock */
    int64_t learned_at;

    /* STATE */

    int64_t since;       /* the state has lasted, seconds since 1970 */
    int64_t event_at;    /* time of the last event, seconds since 1970; 0:
                            there was none */
    uint32_t latency;    /* of the last answer, in microseconds */
    uint32_t reconnects; /* since the link started */
    uint64_t received;   /* bytes from Redis since then */
    uint64_t sent;

    dt_str_t site;
    dt_str_t text;  /* PUT: URL of the key page; CONF, STATE: see there;
                       answers: why an order failed */
    dt_str_t peer;  /* STATE: the server's address */
    dt_str_t bytes; /* a template, unchecked in answers */
} dt_frame_t;


extern const dt_wire_t dt_wire_frame;


#endif /* DT_WIRE_H_INCLUDED_ */
