
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include "ngx_module/manager/learner.h"
#include "ngx_module/manager/order.h"
#include "ngx_module/manager/spawn.h"


/*
 * A learner is a child of the cache manager.  All that comes from it is what
 * it writes into two pipes.  The parent checks all of that, and does not wait
 * for the learner: each time it is called, it writes and reads what it can
 * without blocking.
 *
 * The manager's only other child is its link to Redis.  So it takes SIGCHLD
 * from nginx's handler, which would report each child as an unknown process,
 * and waits for its children itself.
 */


#define NGX_HTTP_DT_KILL_TIME      35000           /* ms */

#define NGX_HTTP_DT_CHATTER        16              /* reads a tick */



static ngx_msec_t ngx_http_dt_learner_ms(struct timeval *tv);
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
static void ngx_http_dt_learner_fault(
    ngx_http_dt_learner_t *learner, const char *fault);
static ngx_int_t ngx_http_dt_learner_end(
    ngx_http_dt_learner_t *learner, int status);
static void ngx_http_dt_learner_ended(
    ngx_http_dt_learner_t *learner, int status);
static ngx_uint_t ngx_http_dt_learner_sound(ngx_http_dt_learner_t *learner);
static void ngx_http_dt_learner_why(
    ngx_http_dt_learner_t *learner, const char *what, int value);


ngx_int_t
ngx_http_dt_learner_start(ngx_http_dt_learner_t *learner,
    ngx_http_dt_zone_t *zone, ngx_str_t *program, ngx_str_t *dir, u_char *key,
    ngx_log_t *log)
{
    ngx_fd_t   fd[3];
    ngx_pid_t  pid;

    if (ngx_http_dt_order(learner, zone, dir, key, log) != NGX_OK) {
        return NGX_ERROR;
    }

    pid = ngx_http_dt_spawn(program, NGX_HTTP_DT_SPAWN_LEARNER, fd, log);

    learner->in = fd[0];
    learner->out = fd[1];
    learner->err = fd[2];

    if (pid == -1) {
        return NGX_ERROR;
    }

    learner->pid = pid;
    learner->started = ngx_current_msec;
    learner->deadline = ngx_current_msec + NGX_HTTP_DT_KILL_TIME;
    learner->state = NGX_HTTP_DT_SLOT_LEARNING;

    ngx_http_dt_learner_write(learner, log);

    return NGX_OK;
}


ngx_int_t
ngx_http_dt_learner_poll(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    int             status;
    ngx_pid_t       pid;
    struct rusage   used;

    ngx_http_dt_learner_write(learner, log);
    ngx_http_dt_learner_read(learner, log);
    ngx_http_dt_learner_listen(learner, log);

    pid = wait4(learner->pid, &status, WNOHANG, &used);

    if (pid == 0) {

        if (learner->state != NGX_HTTP_DT_SLOT_KILLED
            && (learner->fault
                || (ngx_msec_int_t) (learner->deadline - ngx_current_msec)
                   <= 0))
        {
            ngx_http_dt_learner_fault(learner, "killed");

            /* its group has what it has started */

            if (kill(-learner->pid, SIGKILL) == -1) {
                (void) kill(learner->pid, SIGKILL);
            }

            learner->state = NGX_HTTP_DT_SLOT_KILLED;
        }

        return NGX_AGAIN;
    }

    if (pid == -1) {

        if (ngx_errno == NGX_EINTR) {
            return NGX_AGAIN;
        }

        /* the process is gone, and somebody else has its status */

        status = 0;
        ngx_memzero(&used, sizeof(struct rusage));
    }

    learner->pid = 0;
    learner->work.cpu = ngx_http_dt_learner_ms(&used.ru_utime)
                        + ngx_http_dt_learner_ms(&used.ru_stime);

    /* read what came between the last reading and the end */

    ngx_http_dt_learner_read(learner, log);
    ngx_http_dt_learner_listen(learner, log);

    return ngx_http_dt_learner_end(learner, status);
}


static ngx_msec_t
ngx_http_dt_learner_ms(struct timeval *tv)
{
    return (ngx_msec_t) tv->tv_sec * 1000 + tv->tv_usec / 1000;
}


void
ngx_http_dt_learner_close(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    ngx_http_dt_spawn_close(&learner->in, log);
    ngx_http_dt_spawn_close(&learner->out, log);
    ngx_http_dt_spawn_close(&learner->err, log);

    if (learner->order) {
        ngx_free(learner->order);
    }

    if (learner->data) {
        ngx_free(learner->data);
    }

    ngx_memzero(learner, sizeof(ngx_http_dt_learner_t));
}


/* writes as much of the order as the pipe takes */

static void
ngx_http_dt_learner_write(ngx_http_dt_learner_t *learner, ngx_log_t *log)
{
    ssize_t  n;

    while (learner->in && learner->order_sent < learner->order_size) {

        n = write(learner->in, learner->order + learner->order_sent,
                  learner->order_size - learner->order_sent);

        if (n == -1) {

            if (ngx_errno == NGX_EINTR) {
                continue;
            }

            if (ngx_errno == NGX_EAGAIN) {
                return;
            }

            break;
        }

        learner->order_sent += n;
    }

    ngx_http_dt_spawn_close(&learner->in, log);

    if (learner->order) {
        ngx_free(learner->order);
        learner->order = NULL;
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
            ngx_http_dt_spawn_close(&learner->out, log);
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

        if (p == learner->hello + learner->hello_len) {
            learner->hello_len += n;

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
    pub->size = pub->info.size;
    pub->valid = ngx_time() + learner->work.job.valid;
    pub->refresh = ngx_time() + learner->work.job.refresh;
    pub->source = NGX_HTTP_DT_SOURCE_LEARNED;
    pub->from_host = learner->work.job.from_host;
}


/* where the next bytes go: first line, answer, template, and nothing more */

static u_char *
ngx_http_dt_learner_room(ngx_http_dt_learner_t *learner, size_t *size,
    ngx_log_t *log)
{
    size_t        done;
    dt_answer_t  *answer;

    /* a byte behind the template shows that there is too much */

    static u_char  surplus;

    if (learner->hello_len != sizeof(DT_JOB_HELLO) - 1
        || ngx_memcmp(learner->hello, DT_JOB_HELLO, learner->hello_len) != 0)
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


/* the first line names the version; it may be any text */

static u_char *
ngx_http_dt_learner_hello(ngx_http_dt_learner_t *learner, size_t *size)
{
    u_char  *p, *end;

    p = learner->hello;

    /* while it may be the right line, nothing behind it is read */

    if (learner->hello_len < sizeof(DT_JOB_HELLO) - 1
        && ngx_memcmp(p, DT_JOB_HELLO, learner->hello_len) == 0)
    {
        *size = sizeof(DT_JOB_HELLO) - 1 - learner->hello_len;
        return p + learner->hello_len;
    }

    end = ngx_strlchr(p, p + learner->hello_len, LF);

    if (end == NULL && learner->hello_len < NGX_HTTP_DT_HELLO) {
        *size = NGX_HTTP_DT_HELLO - learner->hello_len;
        return p + learner->hello_len;
    }

    if (end && ngx_strncmp(p, "detemplate ", sizeof("detemplate ") - 1) == 0) {
        *end = '\0';
        learner->other_version = 1;
        ngx_http_dt_learner_fault(learner, "version");

    } else {
        ngx_http_dt_learner_fault(learner, "protocol");
    }

    return NULL;
}


/* keeps the last line of standard error, or the beginning of a long one */

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
            ngx_http_dt_spawn_close(&learner->err, log);

            /* the end of the text ends a line */

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
                ngx_cpystrn(learner->last_line, learner->line,
                            sizeof(learner->last_line));
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

    if (learner->other_version) {
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


/* the fault that the status of the process shows, if any */

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


/* whether the template is sound: with DT_OK it serves, else it is evidence */

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


/* describes how the process ended, with its last line */

static void
ngx_http_dt_learner_why(ngx_http_dt_learner_t *learner, const char *what,
    int value)
{
    u_char  *p, *last;

    p = (u_char *) learner->answer.errstr;
    last = p + sizeof(learner->answer.errstr) - 1;

    p = ngx_slprintf(p, last, "%s %d", what, value);

    if (learner->last_line[0]) {
        p = ngx_slprintf(p, last, ": %s", learner->last_line);
    }

    *p = '\0';
}
