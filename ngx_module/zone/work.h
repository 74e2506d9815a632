
/*
 * Copyright (C) The detemplate authors
 *
 * Work: the manager's view of the sites that want to be learned, and its
 * reports about those that it learns.
 */


#ifndef _NGX_HTTP_DT_WORK_H_INCLUDED_
#define _NGX_HTTP_DT_WORK_H_INCLUDED_


#include "ngx_module/zone/zone.h"


/* how work ends */

typedef enum {
    NGX_HTTP_DT_RESULT_DONE = 0, /* learned and published */
    NGX_HTTP_DT_RESULT_TAKEN,    /* published without learning */
    NGX_HTTP_DT_RESULT_FAILED,   /* the site gave no template */
    NGX_HTTP_DT_RESULT_NO_ROOM,  /* the zone has no room for the template */
    NGX_HTTP_DT_RESULT_STOPPED   /* nothing can be learned now */
} ngx_http_dt_result_e;

extern ngx_str_t  ngx_http_dt_results[];


/* a site that wants to be learned; the manager's plan keeps it, with the
   results of earlier attempts */

typedef struct {
    ngx_queue_t                    queue;
    uint64_t                       turn;       /* in its class */
    ngx_msec_t                     locked_since;  /* see work */
    ngx_uint_t                     unsound;    /* likewise */
    ngx_str_t                      site;       /* in name */
    ngx_uint_t                     class;
    uint32_t                       server;     /* see ngx_http_dt_job_t */
    ngx_uint_t                     from_host;  /* likewise */
    ngx_msec_t                     at;         /* the time for it */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_wish_t;


/* a template on its way into the zone, and its times */

typedef struct {
    void                          *data;       /* checked bytes */
    size_t                         size;       /* of data: info.size, or
                                                  info.serve_size */
    dt_template_info_t             info;
    time_t                         valid;      /* absolute */
    time_t                         refresh;    /* absolute */
    ngx_uint_t                     source;
    u_char                         url[NGX_HTTP_DT_MAX_LINK + 1];
                                               /* of its key page, or empty */
    unsigned                       ends_job:1; /* the site need not be learned
                                                  now */
    unsigned                       if_room:1;  /* evict nothing for it */
    unsigned                       from_host:1;  /* see ngx_http_dt_job_t */
    unsigned                       pinned:2;   /* it stays */
    unsigned                       redesigned:1;  /* pages that were known have
                                                  another design */
} ngx_http_dt_publish_t;


/*
 * Makes this process the one that learns, once its predecessor has ended or
 * impatient is set; returns whether it is.  All sites of the predecessor's
 * plan are then in the mail again; *lost is the number of learnings that died
 * with it.
 */
ngx_uint_t ngx_http_dt_work_lead(ngx_http_dt_zone_t *zone,
    ngx_uint_t impatient, ngx_uint_t *lost);

/* takes a site from the mail; NGX_DECLINED: there is none */
ngx_int_t ngx_http_dt_work_mail(ngx_http_dt_zone_t *zone,
    ngx_http_dt_wish_t *wish);

/* begins to learn; NGX_DECLINED: the site does not want it any more */
ngx_int_t ngx_http_dt_work_take(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work);

/*
 * Fills in work from the zone's data about the site, for a command that is no
 * job.  NGX_DECLINED: the site is not known, or nothing tells how long a
 * template of it is valid.
 */
ngx_int_t ngx_http_dt_work_look(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_work_t *work);

/* draws pages from the reservoir, see ngx_http_dt_pages_draw() */
void ngx_http_dt_work_pages(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work,
    u_char *visited);

/* counts the requests that the learner has sent to the site */
void ngx_http_dt_work_asked(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/* the site has to wait */
void ngx_http_dt_work_wait(ngx_http_dt_zone_t *zone, ngx_http_dt_work_t *work);

/* NGX_DECLINED: the site was forgotten, say, or its template was pinned */
ngx_int_t ngx_http_dt_work_mine(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work);

/*
 * Ends the work with a RESULT_, if it is still ours.  Returns the seconds
 * until the site may be learned again.
 */
time_t ngx_http_dt_work_finish(ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_uint_t result);


/*
 * Makes a template the site's: copies the part that serves, and evicts other
 * sites when there is no room.  NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_publish(ngx_http_dt_zone_t *zone, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/* whether the site has a template now */
ngx_uint_t ngx_http_dt_published(ngx_http_dt_zone_t *zone, ngx_str_t *site);


#define NGX_HTTP_DT_BATCH  64    /* sites that are compared at once */


typedef struct {
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE];
} ngx_http_dt_fleet_site_t;

/*
 * Copies names of sites with templates, some at a time.  *next is 0 at first,
 * and 0 again after the last ones.  sites has room for NGX_HTTP_DT_BATCH.
 * Returns how many there are, which may be none.
 */
ngx_uint_t ngx_http_dt_fleet_sites(ngx_http_dt_zone_t *zone, ngx_uint_t *next,
    ngx_http_dt_fleet_site_t *sites);

/* stores the state of Redis in the zone */
void ngx_http_dt_fleet_set(ngx_http_dt_zone_t *zone,
    ngx_http_dt_fleet_t *state);


/*
 * Commands of an operator about one site.  A worker asks, the manager acts and
 * answers, since it alone has files and Redis.
 */

#define NGX_HTTP_DT_EARLIER  3         /* templates of a site that are kept */
#define NGX_HTTP_DT_PATIENCE 10000     /* ms that a command may take */


typedef enum {
    NGX_HTTP_DT_DO_SHOW = 0,
    NGX_HTTP_DT_DO_RELEARN,
    NGX_HTTP_DT_DO_FORGET,
    NGX_HTTP_DT_DO_PIN,
    NGX_HTTP_DT_DO_UNPIN,
    NGX_HTTP_DT_DO_RESTORE,
    NGX_HTTP_DT_DOS
} ngx_http_dt_do_e;


typedef enum {
    NGX_HTTP_DT_DID = 0,         /* the command is done */
    NGX_HTTP_DT_DID_QUEUE,       /* a learning is queued */
    NGX_HTTP_DT_DID_MARK,        /* the next page that is served queues it */
    NGX_HTTP_DT_DID_UNKNOWN,     /* there is no such site */
    NGX_HTTP_DT_DID_NONE,        /* the site has no such template */
    NGX_HTTP_DT_DID_FAIL         /* the log says why */
} ngx_http_dt_did_e;


/* words, by the enumerations above */

extern ngx_str_t  ngx_http_dt_dos[];
extern ngx_str_t  ngx_http_dt_dids[];


/* a template of a site */

typedef struct {
    uint32_t                       version;    /* 0: there is none */
    uint32_t                       coverage;   /* in thousandths */
    int64_t                        learned_at;
} ngx_http_dt_kept_t;


/* a command, and the state of its site when it was done */

typedef struct {
    ngx_uint_t                     what;       /* DO_ */
    ngx_uint_t                     n;          /* earlier template, from 1 */
    ngx_uint_t                     did;        /* DID_ */
    ngx_uint_t                     known;      /* there is or was something */
    ngx_uint_t                     pinned;
    ngx_uint_t                     fleet;      /* it came by Redis */
    ngx_uint_t                     state;      /* of the job, STATE_ */
    ngx_http_dt_kept_t             now;
    ngx_http_dt_kept_t             earlier[NGX_HTTP_DT_EARLIER];
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_control_t;


/* for workers */

/* hands a command to the manager; returns its number, or 0: no room */
uint64_t ngx_http_dt_control_ask(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/*
 * NGX_OK: the command was done, and c is the answer.  NGX_AGAIN: not yet.
 * NGX_DECLINED: the zone has dropped it.  Without c, this call drops it.
 */
ngx_int_t ngx_http_dt_control_answer(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c);


/* for the manager */

/* takes the next command; returns its number, 0: there is none */
uint64_t ngx_http_dt_control_take(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/* answers it */
void ngx_http_dt_control_done(ngx_http_dt_zone_t *zone, uint64_t id,
    ngx_http_dt_control_t *c);

/*
 * Applies a command to the node of its site, and sets did and known.  Of a
 * site without a node it does nothing.
 */
void ngx_http_dt_control_node(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);

/* fills in the present state from the site's node */
void ngx_http_dt_control_state(ngx_http_dt_zone_t *zone,
    ngx_http_dt_control_t *c);


/* pages that workers have stored below dir, for learnings */

/* takes those of a site for its job; path, of NGX_MAX_PATH bytes, becomes the
   folder that they are in, or empty if there are none */
void ngx_http_dt_store_take(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, u_char *path);

/* removes those that its job has taken; with all, those that were stored
   since, too */
void ngx_http_dt_store_drop(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    ngx_str_t *site, ngx_uint_t all);

/* removes those of all sites that are older than that; 0: all */
void ngx_http_dt_store_clean(ngx_http_dt_zone_t *zone, ngx_str_t *dir,
    time_t before);


/* files that the module keeps in the directory of detemplate_path */

/* opens a file for reading; follows no link and never blocks */
ngx_fd_t ngx_http_dt_file_open(u_char *path);

/*
 * Writes a file anew from parts, of which the last one is empty, and puts it
 * in the place of the old one in one step.  NGX_ERROR: the old file stays, and
 * the log says why.
 */
ngx_int_t ngx_http_dt_file_replace(u_char *path, ngx_str_t *parts,
    ngx_log_t *log);

/* deletes a file if there is one; NGX_ERROR: it is still there, and the log
   says why */
ngx_int_t ngx_http_dt_file_delete(u_char *path, ngx_log_t *log);


/* random words: the key that marks a learner's requests, and the token that
   owns locks in Redis */

/* writes NGX_HTTP_DT_KEY_LEN random hex digits and a NUL */
ngx_int_t ngx_http_dt_file_secret(u_char *dst, ngx_log_t *log);

/*
 * Replaces key by the one that the directory keeps, or stores key there if it
 * keeps none.  All zones of an installation then have one key, including the
 * zones of the old and the new binary during an upgrade.
 */
void ngx_http_dt_file_key(ngx_str_t *dir, u_char *key, ngx_log_t *log);


#endif /* _NGX_HTTP_DT_WORK_H_INCLUDED_ */
