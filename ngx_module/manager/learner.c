
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "ngx_module/manager/learner.h"
#include "ngx_module/manager/snapshot.h"


/*
 * A learner is a child of the cache manager that parses pages nobody has
 * looked at, so it has nothing to lose: it executes a program of its own, with
 * fresh memory, three pipes and no other descriptor, a clean environment,
 * little memory, processor time and time of day, and it dies with its parent.
 * All that comes from it is what it writes into two of the pipes, and the
 * parent believes none of that unchecked, nor waits for it: it writes and
 * reads what goes without blocking, each time it is called.
 *
 * The manager has no other children, so it takes SIGCHLD from nginx's handler,
 * which would report each learner as an unknown process, and waits itself.
 */


#define NGX_HTTP_DT_FETCH_TIME     20000           /* ms, all */
#define NGX_HTTP_DT_PAGE_TIME      5000            /* ms, each page */
#define NGX_HTTP_DT_CPU_TIME       20              /* seconds */
#define NGX_HTTP_DT_LEARN_TIME     30              /* seconds, all */
#define NGX_HTTP_DT_KILL_TIME      35000           /* ms */
#define NGX_HTTP_DT_LEARN_MEMORY   512             /* MiB */

#define NGX_HTTP_DT_PIPE           (1 << 20)
#define NGX_HTTP_DT_CHATTER        16              /* reads a tick */


static void ngx_http_dt_learner_environ(char **env);
static ngx_int_t ngx_http_dt_learner_job(
    ngx_http_dt_learner_t *learner, ngx_str_t *dir, u_char *key,
    ngx_log_t *log);
static void ngx_http_dt_learner_lost(ngx_http_dt_work_t *work, ngx_log_t *log);
static void ngx_http_dt_learner_loads(ngx_http_dt_work_t *work, dt_job_t *to);
static ngx_int_t ngx_http_dt_learner_pipe(ngx_fd_t *ours, ngx_fd_t *its,
    ngx_uint_t writing, ngx_log_t *log);
static void ngx_http_dt_learner_exec(char *program, char **env, ngx_fd_t *fd);
static void ngx_http_dt_learner_terminal(void);
static void ngx_http_dt_learner_limit(void);

static void ngx_http_dt_learner_write(
    ngx_http_dt_learner_t *learner, ngx_log_t *log);
static void ngx_http_dt_learner_read(
    ngx_http_dt_learner_t *learner, ngx_log_t *log);
static u_char *ngx_http_dt_learner_room(
    ngx_http_dt_learner_t *learner, size_t *size, ngx_log_t *log);
static u_char *ngx_http_dt_learner_hello(
    ngx_http_dt_learner_t *learner, size_t *size);
static void ngx_http_dt_learner_listen(
    ngx_http_dt_learner_t *learner, ngx_log_t *log);
static void ngx_http_dt_learner_shut(ngx_fd_t *fd, ngx_log_t *log);
static void ngx_http_dt_learner_fault(
    ngx_http_dt_learner_t *learner, const char *fault);
static ngx_int_t ngx_http_dt_learner_end(
    ngx_http_dt_learner_t *learner, int status);
static void ngx_http_dt_learner_ended(
    ngx_http_dt_learner_t *learner, int status);
static ngx_uint_t ngx_http_dt_learner_sound(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_learner_why(
    ngx_http_dt_learner_t *learner, const char *what, int value);


/* what a learner keeps of nginx's environment, where the directive "env" has
   put it there: for sanitizers, for libraries, and for certificates */

static const char  *ngx_http_dt_learner_env[] = {
    "ASAN_OPTIONS=",
    "UBSAN_OPTIONS=",
    "LD_LIBRARY_PATH=",
    "SSL_CERT_DIR=",
    "SSL_CERT_FILE=",
    NULL
};

#define NGX_HTTP_DT_NENV                                                      \
    (sizeof(ngx_http_dt_learner_env) / sizeof(char *))


ngx_int_t
ngx_http_dt_learner_start(ngx_http_dt_learner_t *learner, ngx_str_t *program,
    ngx_str_t *dir, u_char *key, ngx_log_t *log)
{
    char        *env[NGX_HTTP_DT_NENV];
    ngx_fd_t     fd[3];
    sigset_t     all, old;
    ngx_int_t    rc;
    ngx_pid_t    pid;
    ngx_uint_t   i;

    pid = -1;
    fd[0] = fd[1] = fd[2] = 0;

    rc = ngx_http_dt_learner_job(learner, dir, key, log);

    if (rc == NGX_DECLINED) {
        return NGX_DECLINED;
    }

    if (rc != NGX_OK
        || ngx_http_dt_learner_pipe(&learner->in, &fd[0], 1, log)
           != NGX_OK
        || ngx_http_dt_learner_pipe(&learner->out, &fd[1], 0, log)
           != NGX_OK
        || ngx_http_dt_learner_pipe(&learner->err, &fd[2], 0, log)
           != NGX_OK)
    {
        goto done;
    }

    ngx_http_dt_learner_environ(env);

    (void) signal(SIGCHLD, SIG_DFL);

    /* nginx's handlers must not run in the child */

    sigfillset(&all);
    (void) sigprocmask(SIG_SETMASK, &all, &old);

    pid = fork();

    if (pid == 0) {
        ngx_http_dt_learner_exec((char *) program->data, env, fd);
        _exit(127);
    }

    if (pid == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: fork() failed");
    }

    (void) sigprocmask(SIG_SETMASK, &old, NULL);

done:

    for (i = 0; i < 3; i++) {
        ngx_http_dt_learner_shut(&fd[i], log);
    }

    if (pid == -1) {
        return NGX_ERROR;
    }

    learner->pid = pid;
    learner->started = ngx_current_msec;
    learner->deadline = ngx_current_msec + NGX_HTTP_DT_KILL_TIME;

    ngx_http_dt_learner_write(learner, log);

    return NGX_OK;
}


static void
ngx_http_dt_learner_environ(char **env)
{
    char       **e;
    ngx_uint_t   i, n;

    n = 0;

    for (i = 0; ngx_http_dt_learner_env[i]; i++) {
        for (e = environ; e && *e; e++) {
            if (ngx_strncmp(*e, ngx_http_dt_learner_env[i],
                            ngx_strlen(ngx_http_dt_learner_env[i]))
                == 0)
            {
                env[n++] = *e;
                break;
            }
        }
    }

    env[n] = NULL;
}


static ngx_int_t
ngx_http_dt_learner_job(ngx_http_dt_learner_t *learner, ngx_str_t *dir,
    u_char *key, ngx_log_t *log)
{
    u_char                           header[sizeof(NGX_HTTP_DT_MARKER)
                                            + NGX_HTTP_DT_KEY_LEN + 3];
    dt_job_t                         to;
    ngx_uint_t                       n;
    ngx_http_dt_job_t               *job;
    ngx_http_dt_work_t              *work;
    ngx_http_dt_snapshot_t           prev;

    work = &learner->work;
    job = &work->job;

    /* without a template, the manager has found none that can be read */

    if ((work->version == 0 && !work->evidence)
        || ngx_http_dt_snapshot_read(dir, &work->site, 1, &prev, log)
           != NGX_OK)
    {
        ngx_memzero(&prev, sizeof(ngx_http_dt_snapshot_t));
    }

    if (work->kind == NGX_HTTP_DT_KIND_EXTEND
        && (prev.pub.data == NULL
            || ngx_http_dt_snapshot_older(&prev.pub.info, work)))
    {
        if (prev.pub.data) {
            ngx_free(prev.pub.data);
        }

        ngx_http_dt_learner_lost(work, log);
        return NGX_DECLINED;
    }

    ngx_snprintf(header, sizeof(header), "%s: %s%Z", NGX_HTTP_DT_MARKER, key);

    /* queued before a reload, perhaps, by a module that knew others */

    for (n = 0; n < job->detector && dt_job_detectors[n + 1]; n++) {
        /* void */
    }

    ngx_memzero(&to, sizeof(dt_job_t));

    to.url = (char *) job->url;
    to.origin = (char *) job->origin;
    to.connect = job->origin[0] ? "" : (char *) job->connect;
    to.insecure = (job->origin[0] == '\0');
    to.header = (char *) header;
    to.detector = dt_job_detectors[n];
    to.candidates = job->candidates;
    to.votes = job->votes;
    to.loads = job->loads;
    to.fresh = ngx_min(job->refresh / 2, (time_t) NGX_MAX_INT32_VALUE);
    to.page_ms = NGX_HTTP_DT_PAGE_TIME;
    to.fetch_ms = NGX_HTTP_DT_FETCH_TIME;
    to.memory_mb = NGX_HTTP_DT_LEARN_MEMORY;
    to.shared = job->shared;
    to.prev = prev.pub.data;
    to.prev_len = prev.pub.info.size;

    ngx_http_dt_learner_loads(work, &to);

    learner->size = dt_job_size(&to);
    learner->job = learner->size ? ngx_alloc(learner->size, log) : NULL;

    if (learner->job) {
        dt_job_encode(&to, (char *) learner->job);
    }

    if (prev.pub.data) {
        ngx_free(prev.pub.data);
    }

    return learner->job ? NGX_OK : NGX_ERROR;
}


/*
 * With nothing to be added to, what a page shows would take the template's
 * place, and have only the loads that are left: all the site may load again.
 */

static void
ngx_http_dt_learner_lost(ngx_http_dt_work_t *work, ngx_log_t *log)
{
    u_char  name[NGX_HTTP_DT_MAX_SITE + 1];

    ngx_http_dt_printable(name, work->name, sizeof(name));

    ngx_log_error(NGX_LOG_NOTICE, log, 0,
                  "detemplate: no snapshot of \"%s\" is left, it is learned "
                  "anew", name);
}


/* what is left of the loads that the site may have */

static void
ngx_http_dt_learner_loads(ngx_http_dt_work_t *work, dt_job_t *to)
{
    if (work->kind == NGX_HTTP_DT_KIND_EXTEND) {
        to->used = dt_due_used(work->pages.loads, to->loads);
        to->loads -= ngx_min(work->pages.loads, to->loads - 1);
        to->extend = 1;
        to->unseen = work->job.uncompared;

    } else if (work->evidence) {

        /* what failed leaves enough for a page that does not */

        to->loads -= ngx_min(work->pages.loads, to->loads / 2);
    }
}


/* our end of a pipe never blocks; the other one is the learner's */

static ngx_int_t
ngx_http_dt_learner_pipe(ngx_fd_t *ours, ngx_fd_t *its, ngx_uint_t writing,
    ngx_log_t *log)
{
    ngx_fd_t  fd[2];

    if (pipe(fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: pipe() failed");
        return NGX_ERROR;
    }

    *ours = fd[writing];
    *its = fd[1 - writing];

    /* the learner's first three must not be in the way of one another */

    if (fd[0] < 3 || fd[1] < 3) {
        ngx_log_error(NGX_LOG_ALERT, log, 0,
                      "detemplate: standard descriptors are closed");
        return NGX_ERROR;
    }

    if (ngx_nonblocking(*ours) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: " ngx_nonblocking_n " failed");
        return NGX_ERROR;
    }

#if (NGX_LINUX)

    /* a large template then takes fewer rounds */

    if (*ours != fd[0]) {
        (void) fcntl(*ours, F_SETPIPE_SZ, NGX_HTTP_DT_PIPE);
    }

#endif

    return NGX_OK;
}


/* in the child: lets go of all that is nginx's, and becomes the program */

static void
ngx_http_dt_learner_exec(char *program, char **env, ngx_fd_t *fd)
{
    int            signo;
    char          *argv[3];
    ngx_fd_t       n, max;
    sigset_t       none;
    struct rlimit  rlmt;

#if (NGX_LINUX)
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

    if (getppid() != ngx_pid) {
        return;
    }
#endif

    for (signo = 1; signo < NSIG; signo++) {
        (void) signal(signo, SIG_DFL);
    }

    sigemptyset(&none);
    (void) sigprocmask(SIG_SETMASK, &none, NULL);

    /* to be killed with whatever it starts */

    (void) setpgid(0, 0);

    ngx_http_dt_learner_terminal();

    for (n = 0; n < 3; n++) {
        if (dup2(fd[n], n) == -1) {
            return;
        }
    }

#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3, ~0U, 0) == -1)
#endif
    {
        max = 1024;

        if (getrlimit(RLIMIT_NOFILE, &rlmt) == 0) {
            max = ngx_min(rlmt.rlim_cur, 65536);
        }

        for (n = 3; n < max; n++) {
            (void) close(n);
        }
    }

    ngx_http_dt_learner_limit();

    argv[0] = "detemplate";
    argv[1] = "learner";
    argv[2] = NULL;

    (void) execve(program, argv, env);

    (void) dprintf(STDERR_FILENO, "execve() \"%s\" failed (%d: %s)\n",
                   program, ngx_errno, strerror(ngx_errno));
}


/*
 * Code in the learner might type into the terminal of who runs nginx in one,
 * with "daemon off".  A session of its own would be without, but the kernel
 * may share processors out to sessions, and nice() counts only inside of one.
 * Who does not lead the session gives up the terminal for himself alone.
 */

static void
ngx_http_dt_learner_terminal(void)
{
    ngx_fd_t  fd;

    fd = open("/dev/tty", O_RDWR|O_NOCTTY|O_NONBLOCK|O_CLOEXEC);

    if (fd != -1) {
        (void) ioctl(fd, TIOCNOTTY);
        (void) close(fd);
    }
}


/* all but that of memory, which the program sets itself: it has to be counted
   from what the program begins with */

static void
ngx_http_dt_learner_limit(void)
{
    struct rlimit  rlmt;

    (void) alarm(NGX_HTTP_DT_LEARN_TIME);

    errno = 0;
    if (nice(10) == -1 && errno) {
        /* as it was then */
    }

    rlmt.rlim_cur = 0;
    rlmt.rlim_max = 0;
    (void) setrlimit(RLIMIT_CORE, &rlmt);

    rlmt.rlim_cur = NGX_HTTP_DT_CPU_TIME;
    rlmt.rlim_max = NGX_HTTP_DT_CPU_TIME + 1;
    (void) setrlimit(RLIMIT_CPU, &rlmt);

#if (NGX_LINUX)
    (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
}


ngx_int_t
ngx_http_dt_learner_poll(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    int        status;
    ngx_pid_t  pid;

    ngx_http_dt_learner_write(learner, log);
    ngx_http_dt_learner_read(learner, log);
    ngx_http_dt_learner_listen(learner, log);

    pid = waitpid(learner->pid, &status, WNOHANG);

    if (pid == 0) {

        if (!learner->killed
            && (learner->fault
                || (ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0))
        {
            ngx_http_dt_learner_fault(learner, "killed");

            /* with whatever it has started */

            if (kill(-learner->pid, SIGKILL) == -1) {
                (void) kill(learner->pid, SIGKILL);
            }

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

    ngx_http_dt_learner_read(learner, log);
    ngx_http_dt_learner_listen(learner, log);

    return ngx_http_dt_learner_end(learner, status);
}


void
ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    ngx_http_dt_learner_shut(&learner->in, log);
    ngx_http_dt_learner_shut(&learner->out, log);
    ngx_http_dt_learner_shut(&learner->err, log);

    if (learner->job) {
        ngx_free(learner->job);
    }

    if (learner->data) {
        ngx_free(learner->data);
    }

    ngx_memzero(learner, sizeof(ngx_http_dt_learner_t));
}


static void
ngx_http_dt_learner_shut(ngx_fd_t *fd, ngx_log_t *log)
{
    if (*fd && close(*fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: close() failed");
    }

    *fd = 0;
}


/* as much of the job as goes; one who does not read it is not waited for */

static void
ngx_http_dt_learner_write(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    ssize_t  n;

    while (learner->in && learner->sent < learner->size) {

        n = write(learner->in, learner->job + learner->sent,
                  learner->size - learner->sent);

        if (n == -1) {

            if (ngx_errno == NGX_EINTR) {
                continue;
            }

            if (ngx_errno == NGX_EAGAIN) {
                return;
            }

            break;
        }

        learner->sent += n;
    }

    ngx_http_dt_learner_shut(&learner->in, log);

    if (learner->job) {
        ngx_free(learner->job);
        learner->job = NULL;
    }
}


static void
ngx_http_dt_learner_read(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    u_char   *p;
    size_t    size;
    ssize_t   n;

    while (learner->out && learner->fault == NULL) {

        p = ngx_http_dt_learner_room(learner, &size, log);

        if (p == NULL) {
            return;
        }

        n = read(learner->out, p, size);

        if (n == 0) {
            ngx_http_dt_learner_shut(&learner->out, log);
            return;
        }

        if (n == -1) {

            if (ngx_errno == NGX_EINTR) {
                continue;
            }

            if (ngx_errno != NGX_EAGAIN) {
                ngx_http_dt_learner_fault(learner, "read");
            }

            return;
        }

        if (p == learner->hello + learner->heard) {
            learner->heard += n;

        } else {
            learner->received += n;
        }
    }
}


void
ngx_http_dt_learner_answer(ngx_http_dt_learner_t *learner,
    ngx_http_dt_publish_t *pub)
{
    ngx_memzero(pub, sizeof(ngx_http_dt_publish_t));

    dt_template_info(learner->data, &pub->info);

    pub->data = learner->data;
    pub->valid = ngx_time() + learner->work.job.valid;
    pub->refresh = ngx_time() + learner->work.job.refresh;
    pub->source = NGX_HTTP_DT_SOURCE_LEARNED;
    pub->pages = learner->work.pages;
    pub->from_host = learner->work.job.from_host;
}


/* where the next bytes go: version, answer, template, and nothing more */

static u_char *
ngx_http_dt_learner_room(ngx_http_dt_learner_t *learner, size_t *size,
    ngx_log_t *log)
{
    size_t        done;
    dt_answer_t  *answer;

    /* the byte behind all others shows whether there are more */

    static u_char  surplus;

    if (learner->heard != sizeof(DT_JOB_HELLO) - 1
        || ngx_memcmp(learner->hello, DT_JOB_HELLO, learner->heard) != 0)
    {
        return ngx_http_dt_learner_hello(learner, size);
    }

    answer = &learner->answer;

    if (learner->received < sizeof(dt_answer_t)) {
        *size = sizeof(dt_answer_t) - learner->received;
        return (u_char *) answer + learner->received;
    }

    if (dt_answer_check(answer) != DT_OK) {
        ngx_http_dt_learner_fault(learner, "protocol");
        return NULL;
    }

    done = learner->received - sizeof(dt_answer_t);

    if (done == answer->size) {
        *size = 1;
        return &surplus;
    }

    if (done > answer->size) {
        ngx_http_dt_learner_fault(learner, "protocol");
        return NULL;
    }

    if (learner->data == NULL) {
        learner->data = ngx_alloc(answer->size, log);

        if (learner->data == NULL) {
            ngx_http_dt_learner_fault(learner, "memory");
            return NULL;
        }
    }

    *size = answer->size - done;

    return learner->data + done;
}


/* the first line: ours, that of another version, or anything */

static u_char *
ngx_http_dt_learner_hello(ngx_http_dt_learner_t *learner, size_t *size)
{
    u_char  *p, *end;

    p = learner->hello;

    /* no further than our own line, as long as it is that */

    if (learner->heard < sizeof(DT_JOB_HELLO) - 1
        && ngx_memcmp(p, DT_JOB_HELLO, learner->heard) == 0)
    {
        *size = sizeof(DT_JOB_HELLO) - 1 - learner->heard;
        return p + learner->heard;
    }

    end = ngx_strlchr(p, p + learner->heard, LF);

    if (end == NULL && learner->heard < NGX_HTTP_DT_HELLO) {
        *size = NGX_HTTP_DT_HELLO - learner->heard;
        return p + learner->heard;
    }

    if (end && ngx_strncmp(p, "detemplate ", sizeof("detemplate ") - 1) == 0) {
        *end = '\0';
        learner->refused = 1;
        ngx_http_dt_learner_fault(learner, "version");

    } else {
        ngx_http_dt_learner_fault(learner, "protocol");
    }

    return NULL;
}


/* keeps the last line of standard error, of a long one the beginning */

static void
ngx_http_dt_learner_listen(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    u_char      *p, buf[4096];
    ssize_t      n;
    ngx_uint_t   i;

    for (i = 0; learner->err && i < NGX_HTTP_DT_CHATTER; i++) {

        n = read(learner->err, buf, sizeof(buf));

        if (n == -1 && ngx_errno == NGX_EINTR) {
            continue;
        }

        if (n == -1 && ngx_errno == NGX_EAGAIN) {
            return;
        }

        if (n <= 0) {
            ngx_http_dt_learner_shut(&learner->err, log);

            /* the end of what it says is the end of a line */

            buf[0] = LF;
            n = 1;
        }

        for (p = buf; p < buf + n; p++) {

            if (*p != LF) {

                if (learner->len < sizeof(learner->line) - 1) {
                    learner->line[learner->len++] = *p;
                }

            } else if (learner->len) {
                learner->line[learner->len] = '\0';
                learner->len = 0;
                ngx_cpystrn(learner->said, learner->line,
                            sizeof(learner->said));
            }
        }
    }
}


static void
ngx_http_dt_learner_fault(ngx_http_dt_learner_t *learner, const char *fault)
{
    if (learner->fault == NULL) {
        learner->fault = fault;
    }
}


static ngx_int_t
ngx_http_dt_learner_end(ngx_http_dt_learner_t *learner, int status)
{
    dt_answer_t  *answer;

    if (learner->refused) {
        return NGX_ABORT;
    }

    answer = &learner->answer;

    if (learner->received < sizeof(dt_answer_t)
        || dt_answer_check(answer) != DT_OK)
    {
        ngx_memzero(answer, sizeof(dt_answer_t));
    }

    ngx_http_dt_learner_ended(learner, status);

    if (learner->fault == NULL && answer->size) {

        if (!ngx_http_dt_learner_sound(learner)) {
            learner->fault = "template";

        } else if (answer->rc == DT_OK) {
            return NGX_OK;
        }
    }

    if (learner->fault) {
        ngx_cpystrn((u_char *) answer->reason, (u_char *) learner->fault,
                    sizeof(answer->reason));
    }

    if (answer->reason[0] == '\0') {
        ngx_cpystrn((u_char *) answer->reason,
                    (u_char *) dt_strstatus((dt_status_t) answer->rc),
                    sizeof(answer->reason));
    }

    return NGX_DECLINED;
}


/* the fault that the end of the process shows, if any */

static void
ngx_http_dt_learner_ended(ngx_http_dt_learner_t *learner, int status)
{
    if (WIFSIGNALED(status)) {

        switch (WTERMSIG(status)) {

        case SIGALRM:
            learner->fault = "timeout";
            break;

        case SIGXCPU:
            learner->fault = "cpu";
            break;

        default:
            ngx_http_dt_learner_fault(learner, "crashed");
        }

        ngx_http_dt_learner_why(learner, "learner ended by signal",
                                WTERMSIG(status));
        return;
    }

    if (learner->received < sizeof(dt_answer_t)
        || learner->received != sizeof(dt_answer_t) + learner->answer.size)
    {
        ngx_http_dt_learner_fault(learner, "no-answer");
    }

    if (learner->fault) {
        ngx_http_dt_learner_why(learner, "learner exited with code",
                                WEXITSTATUS(status));
    }
}


/* one that serves comes with DT_OK only, and bare evidence without */

static ngx_uint_t
ngx_http_dt_learner_sound(ngx_http_dt_learner_t *learner)
{
    const char          *why;
    dt_answer_t         *answer;
    dt_template_info_t   info;

    answer = &learner->answer;

    if (dt_template_check(learner->data, answer->size, &why) != DT_OK) {
        return 0;
    }

    dt_template_info(learner->data, &info);

    return info.size == answer->size
           && (info.patterns != 0) == (answer->rc == DT_OK);
}


/* how it ended, and what it said last */

static void
ngx_http_dt_learner_why(ngx_http_dt_learner_t *learner, const char *what,
    int value)
{
    u_char  *p, *last;

    p = (u_char *) learner->answer.errstr;
    last = p + sizeof(learner->answer.errstr) - 1;

    p = ngx_slprintf(p, last, "%s %d", what, value);

    if (learner->said[0]) {
        p = ngx_slprintf(p, last, ": %s", learner->said);
    }

    *p = '\0';
}


void
ngx_http_dt_printable(u_char *dst, u_char *src, size_t n)
{
    ngx_cpystrn(dst, src, n);

    for ( /* void */ ; *dst; dst++) {
        if (*dst < 0x20 || *dst > 0x7e) {
            *dst = '?';
        }
    }
}
