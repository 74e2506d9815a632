
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/detect/detect.h"
#include "core/web/fetch.h"
#include "core/learn/learn.h"
#include "ngx_http_detemplate_learner.h"
#include "ngx_http_detemplate_snapshot.h"


/*
 * A learner is a child of the cache manager that parses pages nobody has
 * looked at, so it has nothing to lose: no listening socket, no connection, no
 * shared memory, little memory, processor time and time of day, and it dies
 * with its parent.  All that comes from it is what it writes into a pipe, and
 * the parent believes none of that unchecked.
 *
 * The manager has no other children, so it takes SIGCHLD from nginx's handler,
 * which would report each learner as an unknown process, and waits itself.
 */


#define NGX_HTTP_DETEMPLATE_ANSWER_MAGIC   0x4e4c5444      /* "DTLN" */

#define NGX_HTTP_DETEMPLATE_FETCH_TIME     20              /* seconds, all */
#define NGX_HTTP_DETEMPLATE_PAGE_TIME      5000            /* ms, each page */
#define NGX_HTTP_DETEMPLATE_CPU_TIME       20              /* seconds */
#define NGX_HTTP_DETEMPLATE_LEARN_TIME     30              /* seconds, all */
#define NGX_HTTP_DETEMPLATE_KILL_TIME      35000           /* ms */
#define NGX_HTTP_DETEMPLATE_LEARN_MEMORY   (512 << 20)


typedef struct {
    dt_fetcher_t                  *fetcher;
    time_t                         end;
} ngx_http_detemplate_fetch_t;


static void ngx_http_detemplate_learner_main(
    ngx_http_detemplate_learner_t *learner, ngx_cycle_t *cycle, ngx_str_t *dir,
    u_char *key, ngx_fd_t fd);
static void ngx_http_detemplate_learner_detach(ngx_cycle_t *cycle,
    ngx_fd_t *fd);
static void ngx_http_detemplate_learner_limit(void);
static dt_status_t ngx_http_detemplate_learner_learn(
    ngx_http_detemplate_work_t *work, void *prev, size_t prev_len, u_char *key,
    dt_learned_t *out);
static void ngx_http_detemplate_learner_fetch(void *data, const char *url,
    dt_arena_t *a, dt_fetched_t *out);
static void ngx_http_detemplate_learner_write(ngx_fd_t fd, void *data,
    size_t size);

static void ngx_http_detemplate_learner_read(
    ngx_http_detemplate_learner_t *learner, ngx_log_t *log);
static u_char *ngx_http_detemplate_learner_room(
    ngx_http_detemplate_learner_t *learner, size_t *size, ngx_log_t *log);
static void ngx_http_detemplate_learner_fault(
    ngx_http_detemplate_learner_t *learner, const char *fault);
static ngx_int_t ngx_http_detemplate_learner_end(
    ngx_http_detemplate_learner_t *learner, int status);


ngx_int_t
ngx_http_detemplate_learner_start(ngx_http_detemplate_learner_t *learner,
    ngx_cycle_t *cycle, ngx_str_t *dir, u_char *key)
{
    ngx_fd_t   fd[2];
    sigset_t   all, old;
    ngx_pid_t  pid;

    if (pipe(fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, cycle->log, ngx_errno,
                      "detemplate: pipe() failed");
        return NGX_ERROR;
    }

    if (fd[1] < 3 || ngx_nonblocking(fd[0]) == -1) {
        ngx_log_error(NGX_LOG_ALERT, cycle->log, ngx_errno,
                      "detemplate: " ngx_nonblocking_n " failed");
        goto failed;
    }

    (void) signal(SIGCHLD, SIG_DFL);

    /* nginx's handlers must not run in the child */

    sigfillset(&all);
    (void) sigprocmask(SIG_SETMASK, &all, &old);

    pid = fork();

    if (pid == 0) {
        ngx_http_detemplate_learner_main(learner, cycle, dir, key, fd[1]);
        _exit(0);
    }

    (void) sigprocmask(SIG_SETMASK, &old, NULL);

    if (pid == -1) {
        ngx_log_error(NGX_LOG_ALERT, cycle->log, ngx_errno,
                      "detemplate: fork() failed");
        goto failed;
    }

    (void) close(fd[1]);

    learner->pid = pid;
    learner->fd = fd[0];
    learner->deadline = ngx_current_msec + NGX_HTTP_DETEMPLATE_KILL_TIME;

    return NGX_OK;

failed:

    (void) close(fd[0]);
    (void) close(fd[1]);

    return NGX_ERROR;
}


static void
ngx_http_detemplate_learner_main(ngx_http_detemplate_learner_t *learner,
    ngx_cycle_t *cycle, ngx_str_t *dir, u_char *key, ngx_fd_t fd)
{
    u_char                           secret[NGX_HTTP_DETEMPLATE_KEY_LEN + 1];
    dt_status_t                      rc;
    dt_learned_t                     learned;
    ngx_http_detemplate_answer_t     answer;
    ngx_http_detemplate_snapshot_t  *prev;

    prev = ngx_calloc(sizeof(ngx_http_detemplate_snapshot_t), cycle->log);

    if (prev == NULL) {
        return;
    }

    /* without a template, the manager has found none that can be read */

    if (learner->work.version == 0
        || ngx_http_detemplate_snapshot_read(dir, &learner->work.site, prev,
                                             cycle->log)
           != NGX_OK)
    {
        ngx_memzero(prev, sizeof(ngx_http_detemplate_snapshot_t));
    }

    ngx_cpystrn(secret, key, sizeof(secret));

    ngx_http_detemplate_learner_detach(cycle, &fd);
    ngx_http_detemplate_learner_limit();

    ngx_memzero(&learned, sizeof(dt_learned_t));
    rc = ngx_http_detemplate_learner_learn(&learner->work, prev->pub.data,
                                           prev->pub.info.size, secret,
                                           &learned);

    ngx_memzero(&answer, sizeof(ngx_http_detemplate_answer_t));

    answer.magic = NGX_HTTP_DETEMPLATE_ANSWER_MAGIC;
    answer.rc = rc;
    answer.size = (rc == DT_OK) ? learned.len : 0;
    answer.loads = learned.loads;
    answer.candidates = learned.candidates;
    ngx_cpystrn(answer.reason, (u_char *) learned.reason,
                sizeof(answer.reason));
    ngx_cpystrn(answer.errstr, (u_char *) learned.errstr,
                sizeof(answer.errstr));

    ngx_http_detemplate_learner_write(fd, &answer, sizeof(answer));
    ngx_http_detemplate_learner_write(fd, learned.bytes, answer.size);
}


/* lets go of all that is nginx's, but for its name in the list of processes */

static void
ngx_http_detemplate_learner_detach(ngx_cycle_t *cycle, ngx_fd_t *fd)
{
    int               signo;
    ngx_fd_t          n, max;
    sigset_t          none;
    ngx_uint_t        i;
    struct rlimit     rlmt;
    ngx_shm_zone_t   *shm_zone;
    ngx_list_part_t  *part;

#if (NGX_LINUX)
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

    if (getppid() != ngx_pid) {
        _exit(0);
    }
#endif

    for (signo = 1; signo < NSIG; signo++) {
        (void) signal(signo, SIG_DFL);
    }

    sigemptyset(&none);
    (void) sigprocmask(SIG_SETMASK, &none, NULL);

    (void) setpgid(0, 0);
    ngx_setproctitle("detemplate learner");

    /* the first three are the null device, or stderr for sanitizers */

    if (*fd != 3) {
        (void) dup2(*fd, 3);
        *fd = 3;
    }

    max = 1024;

    if (getrlimit(RLIMIT_NOFILE, &rlmt) == 0) {
        max = ngx_min(rlmt.rlim_cur, 65536);
    }

    for (n = 4; n < max; n++) {
        (void) close(n);
    }

    part = &cycle->shared_memory.part;
    shm_zone = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {

            if (part->next == NULL) {
                break;
            }

            part = part->next;
            shm_zone = part->elts;
            i = 0;
        }

        (void) munmap(shm_zone[i].shm.addr, shm_zone[i].shm.size);
    }
}


static void
ngx_http_detemplate_learner_limit(void)
{
    struct rlimit  rlmt;

    (void) alarm(NGX_HTTP_DETEMPLATE_LEARN_TIME);

    errno = 0;
    if (nice(10) == -1 && errno) {
        /* as it was then */
    }

    rlmt.rlim_cur = 0;
    rlmt.rlim_max = 0;
    (void) setrlimit(RLIMIT_CORE, &rlmt);

    rlmt.rlim_cur = NGX_HTTP_DETEMPLATE_CPU_TIME;
    rlmt.rlim_max = NGX_HTTP_DETEMPLATE_CPU_TIME + 1;
    (void) setrlimit(RLIMIT_CPU, &rlmt);

#if (NGX_LINUX)
    (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif

#if (NGX_LINUX)
    {
    FILE           *f;
    unsigned long   pages;

    /* what nginx has mapped already does not count */

    pages = 0;
    f = fopen("/proc/self/statm", "r");

    if (f) {
        if (fscanf(f, "%lu", &pages) != 1) {
            pages = 0;
        }

        (void) fclose(f);
    }

    if (pages) {
        rlmt.rlim_cur = (rlim_t) pages * ngx_pagesize
                        + NGX_HTTP_DETEMPLATE_LEARN_MEMORY;
        rlmt.rlim_max = rlmt.rlim_cur;
        (void) setrlimit(RLIMIT_AS, &rlmt);
    }
    }
#endif
}


static dt_status_t
ngx_http_detemplate_learner_learn(ngx_http_detemplate_work_t *work, void *prev,
    size_t prev_len, u_char *key, dt_learned_t *out)
{
    u_char                        header[sizeof(NGX_HTTP_DETEMPLATE_MARKER)
                                         + NGX_HTTP_DETEMPLATE_KEY_LEN + 3];
    ngx_uint_t                    n;
    dt_fetch_opts_t               fo;
    dt_learn_opts_t               lo;
    ngx_http_detemplate_job_t    *job;
    ngx_http_detemplate_fetch_t   fetch;

    job = &work->job;

    ngx_snprintf(header, sizeof(header), "%s: %s%Z",
                 NGX_HTTP_DETEMPLATE_MARKER, key);

    dt_fetch_opts_init(&fo);

    fo.header = (char *) header;
    fo.total_ms = NGX_HTTP_DETEMPLATE_PAGE_TIME;

    if (job->origin[0]) {
        fo.origin = (char *) job->origin;

    } else {
        fo.connect_to = (char *) job->connect;
        fo.tls_insecure = 1;
    }

    fetch.end = time(NULL) + NGX_HTTP_DETEMPLATE_FETCH_TIME;
    fetch.fetcher = dt_fetcher_create(&fo);

    if (fetch.fetcher == NULL) {
        out->reason = "memory";
        return DT_ENOMEM;
    }

    dt_learn_opts_init(&lo);

    lo.url = (char *) job->url;
    lo.candidates = job->candidates;
    lo.fresh = job->refresh / 2;
    lo.votes = job->votes;
    lo.loads = job->loads;
    lo.fetch = ngx_http_detemplate_learner_fetch;
    lo.fetch_data = &fetch;
    lo.prev = prev;
    lo.prev_len = prev_len;
    lo.now = time(NULL);

    if (work->kind == NGX_HTTP_DETEMPLATE_KIND_EXTEND) {
        lo.loads -= ngx_min(work->pages.loads, lo.loads - 1);
    }

    for (n = 0; dt_detectors[n]; n++) {
        if (n == job->detector) {
            lo.detector = dt_detectors[n];
        }
    }

    return dt_learn(&lo, out);
}


/* slow pages must not use up the time to make something of the others */

static void
ngx_http_detemplate_learner_fetch(void *data, const char *url, dt_arena_t *a,
    dt_fetched_t *out)
{
    ngx_http_detemplate_fetch_t  *fetch = data;

    if (time(NULL) < fetch->end) {
        dt_fetcher_get(fetch->fetcher, url, a, out);
        return;
    }

    ngx_memzero(out, sizeof(dt_fetched_t));

    out->rc = DT_EIO;
    out->reason = "timeout";
    ngx_cpystrn((u_char *) out->errstr,
                (u_char *) "the time for loading pages is over", DT_ERRSTR);
}


static void
ngx_http_detemplate_learner_write(ngx_fd_t fd, void *data, size_t size)
{
    u_char   *p;
    ssize_t   n;

    for (p = data; size; p += n, size -= n) {
        n = write(fd, p, size);

        if (n == -1) {
            _exit(1);
        }
    }
}


ngx_int_t
ngx_http_detemplate_learner_poll(ngx_http_detemplate_learner_t *learner,
    ngx_log_t *log)
{
    int        status;
    ngx_pid_t  pid;

    ngx_http_detemplate_learner_read(learner, log);

    pid = waitpid(learner->pid, &status, WNOHANG);

    if (pid == 0) {

        if (!learner->killed
            && (learner->fault
                || (ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0))
        {
            ngx_http_detemplate_learner_fault(learner, "killed");
            (void) kill(learner->pid, SIGKILL);
            learner->killed = 1;
        }

        return NGX_AGAIN;
    }

    if (pid == -1) {

        if (ngx_errno == NGX_EINTR) {
            return NGX_AGAIN;
        }

        /* somebody has waited for it */

        status = 0;
    }

    learner->pid = 0;

    /* what came between the last reading and the end */

    ngx_http_detemplate_learner_read(learner, log);

    return ngx_http_detemplate_learner_end(learner, status);
}


void
ngx_http_detemplate_learner_close(ngx_http_detemplate_learner_t *learner,
    ngx_log_t *log)
{
    if (learner->fd && close(learner->fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: close() failed");
    }

    if (learner->data) {
        ngx_free(learner->data);
    }

    ngx_memzero(learner, sizeof(ngx_http_detemplate_learner_t));
}


static void
ngx_http_detemplate_learner_read(ngx_http_detemplate_learner_t *learner,
    ngx_log_t *log)
{
    u_char   *p;
    size_t    size;
    ssize_t   n;

    while (!learner->closed && learner->fault == NULL) {

        p = ngx_http_detemplate_learner_room(learner, &size, log);

        if (p == NULL) {
            return;
        }

        n = read(learner->fd, p, size);

        if (n == 0) {
            learner->closed = 1;
            return;
        }

        if (n == -1) {

            if (ngx_errno == NGX_EINTR) {
                continue;
            }

            if (ngx_errno != NGX_EAGAIN) {
                ngx_http_detemplate_learner_fault(learner, "read");
            }

            return;
        }

        learner->received += n;
    }
}


/* where the next bytes go: the answer, the template, and nothing more */

static u_char *
ngx_http_detemplate_learner_room(ngx_http_detemplate_learner_t *learner,
    size_t *size, ngx_log_t *log)
{
    size_t                         done;
    ngx_http_detemplate_answer_t  *answer;

    /* the byte behind all others shows whether there are more */

    static u_char  surplus;

    answer = &learner->answer;

    if (learner->received < sizeof(ngx_http_detemplate_answer_t)) {
        *size = sizeof(ngx_http_detemplate_answer_t) - learner->received;
        return (u_char *) answer + learner->received;
    }

    if (answer->magic != NGX_HTTP_DETEMPLATE_ANSWER_MAGIC
        || answer->size > DT_TEMPLATE_MAX
        || (answer->rc != DT_OK && answer->size))
    {
        ngx_http_detemplate_learner_fault(learner, "protocol");
        return NULL;
    }

    done = learner->received - sizeof(ngx_http_detemplate_answer_t);

    if (done == answer->size) {
        *size = 1;
        return &surplus;
    }

    if (done > answer->size) {
        ngx_http_detemplate_learner_fault(learner, "protocol");
        return NULL;
    }

    if (learner->data == NULL) {
        learner->data = ngx_alloc(answer->size, log);

        if (learner->data == NULL) {
            ngx_http_detemplate_learner_fault(learner, "memory");
            return NULL;
        }
    }

    *size = answer->size - done;

    return learner->data + done;
}


static void
ngx_http_detemplate_learner_fault(ngx_http_detemplate_learner_t *learner,
    const char *fault)
{
    if (learner->fault == NULL) {
        learner->fault = fault;
    }
}


static ngx_int_t
ngx_http_detemplate_learner_end(ngx_http_detemplate_learner_t *learner,
    int status)
{
    const char                    *why;
    dt_template_info_t             info;
    ngx_http_detemplate_answer_t  *answer;

    answer = &learner->answer;

    answer->reason[sizeof(answer->reason) - 1] = '\0';
    answer->errstr[sizeof(answer->errstr) - 1] = '\0';

    if (WIFSIGNALED(status)) {

        switch (WTERMSIG(status)) {

        case SIGALRM:
            learner->fault = "timeout";
            break;

        case SIGXCPU:
            learner->fault = "cpu";
            break;

        default:
            ngx_http_detemplate_learner_fault(learner, "crashed");
        }

        ngx_snprintf(answer->errstr, sizeof(answer->errstr),
                     "learner ended by signal %d%Z", WTERMSIG(status));

    } else if (learner->fault == NULL
               && (learner->received < sizeof(ngx_http_detemplate_answer_t)
                   || learner->received
                      != sizeof(ngx_http_detemplate_answer_t) + answer->size))
    {
        learner->fault = "no-answer";
        ngx_snprintf(answer->errstr, sizeof(answer->errstr),
                     "learner exited with code %d%Z", WEXITSTATUS(status));
    }

    if (learner->fault == NULL && answer->rc == DT_OK) {

        if (dt_template_check(learner->data, answer->size, &why) == DT_OK) {

            dt_template_info(learner->data, &info);

            if (info.size == answer->size) {
                return NGX_OK;
            }
        }

        learner->fault = "template";
    }

    if (learner->fault) {
        ngx_cpystrn(answer->reason, (u_char *) learner->fault,
                    sizeof(answer->reason));
    }

    if (answer->reason[0] == '\0') {
        ngx_cpystrn(answer->reason,
                    (u_char *) dt_strstatus((dt_status_t) answer->rc),
                    sizeof(answer->reason));
    }

    return NGX_DECLINED;
}
