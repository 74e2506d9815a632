
/*
 * Copyright (C) The detemplate authors
 *
 * A site, its job, its template and its counters, for all files of the zone.
 */


#ifndef _NGX_HTTP_DT_SITE_H_INCLUDED_
#define _NGX_HTTP_DT_SITE_H_INCLUDED_


#include "ngx_module/detemplate.h"


#define NGX_HTTP_DT_MAX_SITE    255
#define NGX_HTTP_DT_MAX_URI     2048
#define NGX_HTTP_DT_MAX_ORIGIN  1024
#define NGX_HTTP_DT_MAX_LINK    255   /* bytes of a key page's URL */
#define NGX_HTTP_DT_REASON_LEN  32    /* of a failure */
#define NGX_HTTP_DT_DETAIL      128   /* bytes of the field or value that
                                         decided */
#define NGX_HTTP_DT_CLOCK_SKEW  3600  /* seconds */
#define NGX_HTTP_DT_AGAIN       60    /* seconds */


/*
 * Whether a time that should be past is ahead of the clock: it was written
 * while the clock was wrong, and a state that depends on it could stay for
 * years.
 */

#define ngx_http_dt_ahead(t)                                                  \
    ((t) > ngx_time() + NGX_HTTP_DT_CLOCK_SKEW)

/* hex digits of the zone's secret key, by which a learner is known */
#define NGX_HTTP_DT_KEY_LEN     32


/* where a template came from */

typedef enum {
    NGX_HTTP_DT_SOURCE_LEARNED = 0,
    NGX_HTTP_DT_SOURCE_REDIS,
    NGX_HTTP_DT_SOURCE_SNAPSHOT
} ngx_http_dt_source_e;


/*
 * The state of a site's job: see node.h.  Users see no difference between the
 * first two, nor between the last two.
 */

typedef enum {
    NGX_HTTP_DT_STATE_IDLE = 0,
    NGX_HTTP_DT_STATE_RESTING,   /* wanted, before its time */
    NGX_HTTP_DT_STATE_QUEUED,    /* wanted, and its time has come */
    NGX_HTTP_DT_STATE_RUNNING,   /* it is being learned */
    NGX_HTTP_DT_STATE_AGAIN      /* likewise, and wanted once more */
} ngx_http_dt_state_e;


/* the order in which sites are learned whose time has come */

typedef enum {
    NGX_HTTP_DT_CLASS_NAMED = 0, /* the configuration names the site */
    NGX_HTTP_DT_CLASS_SERVED,    /* the site has or had a template */
    NGX_HTTP_DT_CLASS_NEW
} ngx_http_dt_class_e;


/* stored templates of a site that are not sound: bits */

#define NGX_HTTP_DT_UNSOUND_SNAPSHOT  1
#define NGX_HTTP_DT_UNSOUND_REDIS     2


/* the party that has pinned a template; 0: none */

#define NGX_HTTP_DT_PINNED_HERE   1
#define NGX_HTTP_DT_PINNED_FLEET  2            /* and Redis says so too */


typedef struct ngx_http_dt_zone_s          ngx_http_dt_zone_t;

#define ngx_http_dt_get_zone(r)                                               \
    ((ngx_http_dt_zone_t *) ((ngx_http_dt_main_conf_t *)                      \
     ngx_http_get_module_main_conf(r, ngx_http_detemplate_filter_module))     \
     ->shm_zone->data)


/*
 * A job: a page that may be learned from, and how.  A request proposes it, the
 * zone stores it packed, and the manager takes it.
 */

typedef struct {
    u_char                         url[NGX_HTTP_DT_MAX_URI];
                                                /* the page, NUL-ended */
    u_char                         origin[NGX_HTTP_DT_MAX_ORIGIN + 1];
                                                /* a URL: pages are below it */
    u_char                         connect[NGX_SOCKADDR_STRLEN + 1];
                                                /* without it: host:port */
    u_char                         client[NGX_INET6_ADDRSTRLEN + 1];
                                                /* for the learner, or empty */
    ngx_uint_t                     candidates;
    ngx_uint_t                     votes;
    ngx_uint_t                     loads;
    ngx_uint_t                     once;        /* of them, at once */
    ngx_uint_t                     detector;    /* in dt_job_detectors */
    time_t                         valid;
    time_t                         refresh;
    uint64_t                       key;         /* of the page */
    uint32_t                       server;      /* of the request: a hash of
                                                   where it is configured */
    unsigned                       shared:1;    /* learn only pages that caches
                                                   may share */
    unsigned                       robots:1;    /* obey robots.txt */
    unsigned                       served:1;    /* learn from pages that are
                                                   served, without requests */
    unsigned                       copied:1;    /* the page may be stored, */
    unsigned                       stored:1;    /* and is */
    unsigned                       from_host:1; /* a client named the site, in
                                                   the request's Host */
    unsigned                       named:1;     /* the configuration has the
                                                   site's name, as it is */
} ngx_http_dt_job_t;


/*
 * A template as a worker holds it.  With data, it is the worker's copy, which
 * its requests share; without, it only names a template, for one request.
 */

struct ngx_http_dt_template_s {
    ngx_queue_t                    queue;
    ngx_http_dt_template_t        *next;        /* in the same slot */
    ngx_uint_t                     refs;
    ngx_uint_t                     cold;        /* others were used since, so
                                                   that caches may lack it */
    uint64_t                       generation;  /* unique in the zone */
    size_t                         bytes;       /* of memory, in all */
    uint32_t                       version;
    uint32_t                       hash;
    ngx_str_t                      site;
    void                          *data;        /* checked bytes, or NULL */
    size_t                         size;
};


/* a site as the manager learns it */

typedef struct {
    uint64_t                       ticket;     /* 0: it ends nothing */
    ngx_str_t                      site;       /* in name */
    uint32_t                       version;    /* of the template, 0: none */
    int64_t                        learned_at;
    time_t                         anew;       /* nothing counts that was
                                                  learned before; or 0 */
    ngx_msec_t                     locked_since;  /* by another machine, in
                                                  Redis; 0: it is not */
    ngx_uint_t                     unsound;    /* faults that the log has */
    ngx_msec_t                     cpu;        /* CPU time that its learner has
                                                  used */
    ngx_uint_t                     vain;       /* learnings before it */
    ngx_uint_t                     class;
    uint32_t                       server;     /* see job */
    ngx_uint_t                     fresh;      /* percent, as in its answer */
    ngx_uint_t                     served;     /* it learns from stored pages
                                                  only */
    ngx_uint_t                     requests;   /* that its learner may send,
                                                  and then, that it has sent */
    ngx_uint_t                     tries;      /* pages requested, */
    ngx_uint_t                     loads;      /* and loaded */
    ngx_uint_t                     retry_after;  /* seconds, or 0 */
    u_char                         reason[NGX_HTTP_DT_REASON_LEN];
    ngx_str_t                      detail;     /* of the reason */
    ngx_http_dt_job_t              job;
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
    u_char                         shown[NGX_HTTP_DT_MAX_SITE + 1];
                                               /* the name for the log */
    unsigned                       added:1;    /* to a template that is not
                                                  due */
    unsigned                       evidence:1; /* failed learnings have left
                                                  some in the snapshot */
    unsigned                       told:1;     /* the log has the reason of the
                                                  failure already */
    unsigned                       pinned:2;   /* the template stays */
    unsigned                       unkept:1;   /* the new template has no
                                                  snapshot */
    unsigned                       failing:1;  /* learnings before it have
                                                  failed */
    unsigned                       mute:1;     /* from now on its pages are
                                                  only stored */
    unsigned                       first:1;    /* first failure of a site
                                                  without a template */
    uint32_t                       last;       /* the highest version that
                                                  Redis knows of, or 0 */
} ngx_http_dt_work_t;


typedef struct {
    ngx_atomic_t                   requests[NGX_HTTP_DT_STATUSES]
                                           [NGX_HTTP_DT_REASONS];
    ngx_atomic_t                   in;
    ngx_atomic_t                   removed;
    ngx_atomic_t                   words;      /* of these, of template */
    ngx_atomic_t                   kept;       /* elements, by hand */
    ngx_atomic_t                   forced;     /* regions, by hand */
    ngx_atomic_t                   forced_bytes;
    uint64_t                       redesigns;
    uint64_t                       queued;     /* now */
    uint64_t                       running;    /* now */
    uint64_t                       done;
    uint64_t                       failed;
    uint64_t                       asked;      /* requests of learners */
    uint64_t                       evicted;
    uint64_t                       redis_taken;
    uint64_t                       redis_failed;
    uint64_t                       snapshots_taken;
    uint64_t                       snapshots_refused;
    uint64_t                       snapshots_evicted;
    uint64_t                       sites;      /* now, with a template */
    uint64_t                       nodes;      /* now, all of them */
} ngx_http_dt_counters_t;


#define NGX_HTTP_DT_PEER   128   /* bytes of an address */


/* the state of the link; times are seconds since 1970 */

typedef struct {
    ngx_uint_t                     away;       /* Redis does not answer */
    time_t                         since;      /* 0: there is no link */
    time_t                         event_at;   /* the last one, or 0 */
    ngx_uint_t                     latency;    /* us, of the last answer */
    ngx_uint_t                     reconnects;
    ngx_uint_t                     restarts;   /* of the link */
    uint64_t                       received;   /* bytes */
    uint64_t                       sent;
    u_char                         peer[NGX_HTTP_DT_PEER];
    u_char                         why[DT_ERRSTR];  /* it is away */
} ngx_http_dt_fleet_t;

/* counters of the pages served since the site came into the zone */

typedef struct {
    uint64_t                       hits;
    uint64_t                       in;         /* bytes */
    uint64_t                       removed;    /* bytes */
    uint64_t                       words;      /* removed, of template */
} ngx_http_dt_served_t;


/* how work ends */

typedef enum {
    NGX_HTTP_DT_RESULT_DONE = 0, /* learned and published */
    NGX_HTTP_DT_RESULT_TAKEN,    /* published without learning */
    NGX_HTTP_DT_RESULT_FAILED,   /* the site gave no template */
    NGX_HTTP_DT_RESULT_NO_ROOM,  /* the zone has no room for the template */
    NGX_HTTP_DT_RESULT_STOPPED   /* nothing can be learned now */
} ngx_http_dt_result_e;

#endif /* _NGX_HTTP_DT_SITE_H_INCLUDED_ */
