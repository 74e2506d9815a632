
/*
 * Copyright (C) The detemplate authors
 *
 * The protocol between nginx and its link, the program detemplate, which
 * speaks to Redis for it.  nginx executes the link once and keeps it.  Frames
 * go over two pipes: orders to standard input, answers and news from standard
 * output.  Both sides include this file, so it is in the room that needs no
 * library.
 *
 *     program  -->  "detemplate 0.1.0\n"   before it reads anything
 *     nginx    -->  DT_LINK_CONF, then orders
 *     program  -->  an answer for each order, in any order; news
 */


#ifndef DT_LINK_H_INCLUDED_
#define DT_LINK_H_INCLUDED_


#include "core/base/job.h"


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

    /* orders about site; an answer repeats what and id */

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


/* what an event says was done */
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


/* a frame; its slices belong to whoever fills it in */
typedef struct {
    uint32_t what; /* dt_link_what_e */
    uint32_t id;   /* of an order */
    uint32_t flags;
    uint32_t rc;    /* of an answer: dt_status_t; the text says why */
    uint32_t event; /* dt_link_did_e */
    uint32_t n;     /* RESTORE; GET, LOCK: the highest version that the site
                       had, or 0 */

    /* PUT, and what is known of the template in answers and events */

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


#endif /* DT_LINK_H_INCLUDED_ */
