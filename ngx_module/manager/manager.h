
/*
 * Copyright (C) The detemplate authors
 *
 * The cache manager's tick.
 */


#ifndef _NGX_HTTP_DT_MANAGER_H_INCLUDED_
#define _NGX_HTTP_DT_MANAGER_H_INCLUDED_


#include "core/base/wire.h"
#include "core/template/template.h"
#include "ngx_module/detemplate.h"
#include "ngx_module/zone/work.h"


/* adds dmcf->path, with manager and loader callbacks, at configuration time */
char *ngx_http_dt_manager_add(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf,
    ngx_str_t *path);

/*
 * Checks at configuration time that the program that learns can be executed.
 * An empty path is set to that of the program beside the module.  NGX_ERROR:
 * it cannot be executed, and the log says so.
 */
ngx_int_t ngx_http_dt_program_find(ngx_conf_t *cf,
    ngx_http_dt_main_conf_t *dmcf);


/*
 * A child of the manager: the program, which learns or speaks to Redis.  All
 * that comes from it is messages, see core/base/wire.h.  The manager never
 * waits for it: messages are written when the pipe takes them, and read when
 * they come.
 */

#define NGX_HTTP_DT_HELLO  64  /* bytes of a first line */

/* seconds that a learner may run: on a busy machine it mostly waits for the
   CPU */
#define NGX_HTTP_DT_LEARN_TIME  300


typedef enum {
    NGX_HTTP_DT_CHILD_LEARNER = 0,  /* its time is limited, it dies with its
                                       parent, and gets one message */
    NGX_HTTP_DT_CHILD_LINK          /* ends when its input does */
} ngx_http_dt_child_e;


typedef struct ngx_http_dt_unsent_s  ngx_http_dt_unsent_t;


/* all fields are zero before the start and after the close */

typedef struct {
    ngx_pid_t                      pid;        /* 0: it does not run */
    ngx_connection_t              *in;         /* our ends of its standard */
    ngx_connection_t              *out;        /* input, output and error; */
    ngx_fd_t                       err;        /* NULL or 0: closed */
    void                         (*handler)(void *data);
    void                          *data;

    ngx_http_dt_unsent_t          *unsent;     /* messages for it */
    size_t                         nunsent;    /* bytes */
    size_t                         sent;       /* bytes of the first one */

    u_char                        *buf;        /* its output */
    size_t                         size;
    size_t                         len;
    size_t                         taken;      /* bytes of messages */
    size_t                         promised;   /* bytes of the next one */
    ngx_msec_t                     heard;      /* when the last bytes came */

    u_char                         line[DT_ERRSTR];  /* of standard error, */
    size_t                         line_len;   /* received so far */
    u_char                         last_line[DT_ERRSTR];  /* that is whole */

    const char                    *fault;      /* of its output */
    u_char                         other[NGX_HTTP_DT_HELLO];
                                               /* the name and version of
                                                  another program */
    unsigned                       greeted:1;  /* the first line was right */
    unsigned                       once:1;     /* it gets one message */
} ngx_http_dt_child_t;


/*
 * Executes a command of the program.  handler is called with data each time
 * when it has written something, or closed its output.  NGX_ERROR: the log
 * says why, and the child is to be closed like one that runs.
 */
ngx_int_t ngx_http_dt_child_start(ngx_http_dt_child_t *child,
    ngx_str_t *program, ngx_http_dt_child_e command,
    void (*handler)(void *data), void *data);

/* sends a message; not NGX_OK: it is too large, or too many wait */
ngx_int_t ngx_http_dt_child_send(ngx_http_dt_child_t *child,
    const dt_wire_t *kind, void *msg);

/* NGX_DONE: its output has ended; NGX_AGAIN: no more has come */
ngx_int_t ngx_http_dt_child_read(ngx_http_dt_child_t *child);

/*
 * Takes the next message from the output; its slices are valid until the next
 * read.  NGX_AGAIN: the message is not complete yet.  NGX_ERROR: the message
 * is not sound; fault is one word that says why.
 */
ngx_int_t ngx_http_dt_child_next(ngx_http_dt_child_t *child,
    const dt_wire_t *kind, void *msg);

/* keeps the last line of standard error, or the beginning of a long one */
void ngx_http_dt_child_listen(ngx_http_dt_child_t *child);

/* reads nothing more of its output */
void ngx_http_dt_child_shut(ngx_http_dt_child_t *child);

/* kills it with all that it has started */
void ngx_http_dt_child_kill(ngx_http_dt_child_t *child);

/* ends it, if it still runs, and closes its pipes */
void ngx_http_dt_child_close(ngx_http_dt_child_t *child);


/* identifies a file until it is replaced or changed; all zero: none is seen */

typedef struct {
    ngx_file_uniq_t                uniq;
    time_t                         mtime;
    off_t                          size;
} ngx_http_dt_program_t;


/* a slot of the manager, for one job */

typedef enum {
    NGX_HTTP_DT_SLOT_FREE = 0,
    NGX_HTTP_DT_SLOT_ASKING,     /* Redis has not answered yet */
    NGX_HTTP_DT_SLOT_DENIED,     /* neither, but another machine has the lock,
                                    and learns the site */
    NGX_HTTP_DT_SLOT_READY,      /* the job waits for a learner */
    NGX_HTTP_DT_SLOT_LEARNING,   /* its learner runs */
    NGX_HTTP_DT_SLOT_KILLED      /* its learner was killed, and has to end */
} ngx_http_dt_slot_e;


/* A slot: the work, its learner, and the learner's result.  All zero while it
   is free. */

typedef struct {
    void                          *jobs;       /* whose slot it is */
    ngx_uint_t                     state;
    ngx_http_dt_child_t            child;
    ngx_msec_t                     started;
    ngx_msec_t                     deadline;   /* READY: to get a learner by;
                                                  LEARNING: to end by */
    ngx_msec_t                     locked;     /* since then we have the lock
                                                  in Redis; or 0 */
    ngx_http_dt_work_t             work;
    ngx_http_dt_program_t          program;    /* the file that is executed */

    dt_answer_t                    answer;
    u_char                        *data;       /* its template */
    const char                    *fault;      /* NULL: the answer is sound */
    unsigned                       answered:1;
} ngx_http_dt_learner_t;


/* executes the program, which learns learner->work; handler: as above */
ngx_int_t ngx_http_dt_learner_start(ngx_http_dt_learner_t *learner,
    ngx_http_dt_main_conf_t *dmcf, void (*handler)(void *data), void *data);

/*
 * NGX_AGAIN: the learner still runs.  After the others, close it.
 * NGX_OK: it has ended, and data is a whole template that was checked.
 * NGX_DECLINED: it has ended without one; answer has reason and errstr, and
 * data, if there is any and no fault, has only evidence.
 * NGX_ABORT: its program is of another version, which child.other names.
 */
ngx_int_t ngx_http_dt_learner_poll(ngx_http_dt_learner_t *learner);

/* frees the slot */
void ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner);

/* sets pub from the template of a sound answer */
void ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub);


/*
 * The plan: which sites are to be learned, and in which order.  It is in the
 * manager's own memory.  A successor reads the same from the zone.
 */

typedef struct {
    ngx_queue_t                    wishes;     /* empty at first */
    uint64_t                       turns[NGX_HTTP_DT_CLASS_NEW + 1];
                                               /* taken last, of each class */
} ngx_http_dt_plan_t;


/* adds all sites of the zone's mail */
void ngx_http_dt_plan_mail(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone);

/*
 * Takes the site that is next of those whose time has come; NGX_DECLINED:
 * there is none.  Without from_host, no site is taken that a client names.
 */
ngx_int_t ngx_http_dt_plan_take(ngx_http_dt_plan_t *plan,
    ngx_http_dt_zone_t *zone, ngx_uint_t from_host, ngx_http_dt_work_t *work);

/* adds a site that was taken, for the time in delay milliseconds */
void ngx_http_dt_plan_again(ngx_http_dt_plan_t *plan, ngx_http_dt_zone_t *zone,
    ngx_http_dt_work_t *work, ngx_msec_t delay);

/* milliseconds until the time of some site has come, at most max */
ngx_msec_t ngx_http_dt_plan_due(ngx_http_dt_plan_t *plan, ngx_msec_t max);


/* bytes of a file's name: 32 hex digits and ".dt" */
#define NGX_HTTP_DT_SNAPSHOT_NAME  35

/* additional bytes of an earlier template's name: ".1" and so on */
#define NGX_HTTP_DT_SNAPSHOT_MORE  2

/* bytes of the longest name in the directory: of a stored page, while it is
   written */
#define NGX_HTTP_DT_LONGEST  sizeof("/pages/0123456789abcdef.job/"            \
                                    "0123456789abcdef.XXXXXX.tmp")

/* snapshots in the list of those that go first */
#define NGX_HTTP_DT_SNAPSHOT_LIST  512


/* a template as it was read from a file; data is from ngx_alloc() */

typedef struct {
    ngx_http_dt_publish_t          pub;
    ngx_str_t                      site;       /* in name */
    u_char                         name[NGX_HTTP_DT_MAX_SITE + 1];
} ngx_http_dt_snapshot_t;


typedef struct {
    uint64_t                       rank;       /* the lowest goes first */
    off_t                          size;       /* on disk */
    u_char                         name[NGX_HTTP_DT_SNAPSHOT_NAME
                                        + NGX_HTTP_DT_SNAPSHOT_MORE + 1];
} ngx_http_dt_snapshot_file_t;


/* files by rank, those that go first in front */

typedef struct {
    ngx_uint_t                     n;
    ngx_http_dt_snapshot_file_t    files[NGX_HTTP_DT_SNAPSHOT_LIST];
} ngx_http_dt_snapshot_list_t;


/*
 * The directory, and a pass over it, some files at a time.  Clients can name
 * any number of sites of a wildcard, and a snapshot outlasts the node of its
 * site.  So the bytes of all snapshots have a bound.  There may be a quarter
 * of a million, so no list has all of them: each pass counts their bytes, and
 * finds those that go first.  Snapshots written later are added.  When half of
 * the listed ones have gone, another pass is wanted.
 */

typedef struct {
    ngx_str_t                     *name;
    ngx_http_dt_zone_t            *zone;       /* knows which sites are used */
    ngx_dir_t                      dir;
    off_t                          max;        /* bytes */
    off_t                          bytes;      /* that snapshots take */
    off_t                          counted;    /* by the pass under way */
    ngx_uint_t                     found;      /* files, by the last pass */
    ngx_uint_t                     now;        /* lists[now]: those still
                                                  there; the other one: of the
                                                  pass under way */
    ngx_http_dt_snapshot_list_t    lists[2];
    unsigned                       wanted:1;   /* another pass is */
    unsigned                       open:1;
    unsigned                       logged:1;   /* since the last pass, that
                                                  snapshots are removed, */
    unsigned                       refused:1;  /* or one was not written */
} ngx_http_dt_walk_t;


/*
 * Whether little room is left: then a site that may have an invented name gets
 * a snapshot only in place of one that it had.
 */
#define ngx_http_dt_snapshot_scarce(walk)                                     \
    ((walk)->bytes > (walk)->max - (walk)->max / 8)

/*
 * Reads the site's snapshot, or its n-th earlier template, which does not
 * expire; without whole only the part that serves.  NGX_DECLINED: there is
 * none, or it has expired and is removed.  NGX_ERROR: it is not sound, and the
 * log says why; the next one will replace it.
 */
ngx_int_t ngx_http_dt_snapshot_read(ngx_str_t *dir, ngx_str_t *site,
    ngx_uint_t n, ngx_uint_t whole, ngx_http_dt_snapshot_t *s);

/* reads the whole snapshot, if pages can be added to it: it is sound, has its
   evidence, and is not older */
ngx_int_t ngx_http_dt_snapshot_evidence(ngx_str_t *dir,
    ngx_http_dt_work_t *work, ngx_http_dt_snapshot_t *s);

/* whether a template is older than the current template of work's site */
ngx_uint_t ngx_http_dt_snapshot_older(dt_template_info_t *info,
    ngx_http_dt_work_t *work);

/*
 * Replaces the site's snapshot, and removes those that are used least when
 * there is no room.  NGX_ERROR: it was not written, and the log says why.
 * NGX_DECLINED: there is still no room.
 */
ngx_int_t ngx_http_dt_snapshot_write(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_http_dt_publish_t *pub);

/*
 * The same for the template published for work; its predecessor is kept beside
 * it, unless the new one only adds pages to it.
 */
ngx_int_t ngx_http_dt_snapshot_keep(ngx_http_dt_walk_t *walk,
    ngx_http_dt_work_t *work, ngx_http_dt_publish_t *pub);

/*
 * Makes the snapshot the first of the earlier ones.  The n-th of them goes,
 * and those before it move up.
 */
void ngx_http_dt_snapshot_shift(ngx_http_dt_walk_t *walk, ngx_str_t *site,
    ngx_uint_t n);

/* removes all files of the site, and counts them; NGX_ERROR: not all */
ngx_int_t ngx_http_dt_snapshot_remove(ngx_http_dt_walk_t *walk,
    ngx_str_t *site, ngx_uint_t *n);

/* the site was asked for, and its snapshot was read */
void ngx_http_dt_snapshot_used(ngx_str_t *dir, ngx_str_t *site);

/*
 * Reads the next file of the pass.  NGX_OK: s is the part of a snapshot that
 * serves.  NGX_ERROR: the snapshot is not sound.  NGX_AGAIN: the file is no
 * snapshot, or has expired.  NGX_DONE: the pass has ended.  Removes snapshots
 * that have expired, and temporary files that are left over.
 */
ngx_int_t ngx_http_dt_snapshot_walk(ngx_http_dt_walk_t *walk,
    ngx_http_dt_snapshot_t *s);


/*
 * The manager's orders to the fleet's Redis, which a program carries out.
 */

typedef struct ngx_http_dt_redis_s          ngx_http_dt_redis_t;

/* the frame and its slices are valid only during the call */
typedef void (*ngx_http_dt_redis_pt)(void *data, dt_frame_t *frame);


/* detemplate_redis */
char *ngx_http_dt_set_redis(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Executes the program, and again when it ends or hangs.  news is called for
 * each event and gap; done, after all frames of a turn of the event loop.
 * NULL: no memory.
 */
ngx_http_dt_redis_t *ngx_http_dt_redis_create(
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_redis_pt news,
    void (*done)(void *data), void *data);

/* begins an order about a site */
void ngx_http_dt_redis_begin(dt_frame_t *order, ngx_uint_t what,
    ngx_str_t *site);

/*
 * Gives an order, whose id is set and whose slices are copied.  answered is
 * called once: perhaps at once, if the order cannot be given; and in any case
 * within a time that "timeout=" bounds.  If Redis or the program failed, rc is
 * DT_EIO, and text says why.
 */
void ngx_http_dt_redis_order(ngx_http_dt_redis_t *redis, dt_frame_t *order,
    ngx_http_dt_redis_pt answered, void *data);

/*
 * Asks for the lock and for the template of the learner's site, in one trip;
 * with whole, for its evidence too.  The learner is the data of answered,
 * which first calls ngx_http_dt_redis_locked().
 */
void ngx_http_dt_redis_lock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_uint_t whole,
    ngx_http_dt_redis_pt answered);

/*
 * Sets learner->locked, if we have the lock, and the state to DENIED, if
 * another machine has it.
 */
void ngx_http_dt_redis_locked(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, dt_frame_t *answer);

/* renews the lock of a running learner, if we have it, before it expires */
void ngx_http_dt_redis_renew(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/*
 * Checks a template and describes it in pub.  The reason of a failure is
 * logged once for a job.
 */
ngx_int_t ngx_http_dt_redis_check(ngx_http_dt_redis_t *redis,
    ngx_http_dt_work_t *work, dt_str_t bytes, ngx_http_dt_publish_t *pub);

/* orders whose answers nothing waits for */

/* stores the learned template, and gives the lock back */
void ngx_http_dt_redis_put(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner, ngx_http_dt_publish_t *pub);

/* gives the lock back, if there is one; without a lock, redis may be NULL */
void ngx_http_dt_redis_unlock(ngx_http_dt_redis_t *redis,
    ngx_http_dt_learner_t *learner);

/* logs and counts why an order failed, unless Redis is away as a whole; data
   is the ngx_http_dt_redis_t */
void ngx_http_dt_redis_note(void *data, dt_frame_t *answer);

/* whether Redis does not answer, as far as is known */
ngx_uint_t ngx_http_dt_redis_away(ngx_http_dt_redis_t *redis);


/* the steps of a job in the manager: snapshot, Redis, learner */

typedef struct {
    ngx_http_dt_main_conf_t       *dmcf;
    ngx_http_dt_zone_t            *zone;

    ngx_http_dt_learner_t         *slots;      /* of jobs with a learner, and
                                                  of jobs ahead of them */
    ngx_uint_t                     nslots;
    ngx_uint_t                     taken;      /* slots that are not free */
    ngx_uint_t                     ahead;      /* bound of the jobs taken, by
                                                  the present speed of
                                                  learning */
    ngx_uint_t                     nlearners;  /* that run */
    ngx_uint_t                     max_learners;

    ngx_http_dt_plan_t             plan;
    ngx_http_dt_redis_t           *redis;      /* or NULL */
    ngx_http_dt_redis_pt           news;       /* of it */
    void                         (*wake)(void *data);
    ngx_http_dt_walk_t             walk;       /* over the snapshots */

    ngx_http_dt_program_t          refused;    /* of another version */
    unsigned                       stopped:1;  /* while refused is there */
    unsigned                       counted:1;  /* walk has counted snapshots */
} ngx_http_dt_jobs_t;


/*
 * jobs is all zero.  news is called with jobs and each event of Redis, and
 * with a gap that names a site whose template came from a snapshot; wake,
 * after answers and events, and when a learner has written something.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_dt_jobs_create(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_main_conf_t *dmcf, ngx_http_dt_redis_pt news,
    void (*wake)(void *data));

/* checks the learners, and ends the jobs of those that have ended */
void ngx_http_dt_jobs_poll(ngx_http_dt_jobs_t *jobs);

/* takes jobs from the plan, and starts learners */
void ngx_http_dt_jobs_take(ngx_http_dt_jobs_t *jobs);

/*
 * Publishes the template of an answer, if it is newer than ours.  NGX_OK:
 * nothing has to be learned.
 */
ngx_int_t ngx_http_dt_jobs_newer(ngx_http_dt_jobs_t *jobs,
    ngx_http_dt_work_t *work, dt_frame_t *answer);


/* commands about one site: of operators, and of other machines by Redis */

/* takes the commands of operators from the zone, and answers them */
void ngx_http_dt_command_take(ngx_http_dt_jobs_t *jobs);


/* following the fleet: events of other machines are repeated on this one */

typedef struct {
    ngx_http_dt_jobs_t            *jobs;
    ngx_uint_t                     asked;      /* orders without an answer */
    ngx_uint_t                     compared;   /* of them, to compare */
    ngx_uint_t                     next;       /* sites to compare, see
                                                  ngx_http_dt_fleet_sites() */
    unsigned                       gap:1;      /* events were missed */
    unsigned                       comparing:1;
} ngx_http_dt_follow_t;


/* carries an event out, or notes a gap */
void ngx_http_dt_follow(ngx_http_dt_follow_t *f, dt_frame_t *news);

/* after a gap, goes on to compare the sites of the zone with Redis */
void ngx_http_dt_follow_go_on(ngx_http_dt_follow_t *f);


#endif /* _NGX_HTTP_DT_MANAGER_H_INCLUDED_ */
