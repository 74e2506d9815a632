
/*
 * Copyright (C) The detemplate authors
 */


#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <dlfcn.h>

#include "ngx_module/manager/child.h"
#include "core/base/wire.h"


/*
 * The program parses pages and answers that may be hostile, so it is isolated:
 * it gets fresh memory, three pipes and no other descriptor, and a clean
 * environment.  Memory, CPU time and run time of a learner are limited as
 * well.
 *
 * The manager has no other children.  So it takes SIGCHLD from nginx's
 * handler, which would report each child as an unknown process, and waits for
 * its children itself.
 */


#define NGX_HTTP_DT_CPU_TIME       20              /* seconds */

#define NGX_HTTP_DT_PIPE           (1 << 20)
#define NGX_HTTP_DT_BUFFER         65536           /* bytes */
#define NGX_HTTP_DT_UNSENT         (16 << 20)      /* bytes, about */
#define NGX_HTTP_DT_CHATTER        16              /* reads in one turn */


/* a message that is to be written; it follows */

struct ngx_http_dt_unsent_s {
    ngx_http_dt_unsent_t          *next;
    size_t                         size;
};


#define NGX_HTTP_DT_PROGRAM  "detemplate"
#define NGX_HTTP_DT_GROUPS   64         /* of the workers' user */


static ngx_int_t ngx_http_dt_child_pipe(ngx_fd_t *ours, ngx_fd_t *its,
    ngx_uint_t writing);
static ngx_connection_t *ngx_http_dt_child_watch(ngx_http_dt_child_t *child,
    ngx_fd_t *fd);
static void ngx_http_dt_child_environ(char **env);
static void ngx_http_dt_child_exec(char *program, ngx_http_dt_child_e command,
    char **env, ngx_fd_t *fd);
static void ngx_http_dt_child_terminal(void);
static void ngx_http_dt_child_limit(ngx_http_dt_child_e command);
static void ngx_http_dt_child_write(ngx_http_dt_child_t *child);
static void ngx_http_dt_child_writable(ngx_event_t *ev);
static void ngx_http_dt_child_readable(ngx_event_t *ev);
static ngx_int_t ngx_http_dt_child_room(ngx_http_dt_child_t *child);
static ngx_int_t ngx_http_dt_child_hello(ngx_http_dt_child_t *child);
static void ngx_http_dt_child_fd(ngx_fd_t *fd);
static ngx_int_t ngx_http_dt_program_beside(ngx_conf_t *cf, ngx_str_t *path);
static void ngx_http_dt_program_user(ngx_conf_t *cf, ngx_str_t *path);
static ngx_uint_t ngx_http_dt_program_may(ngx_file_info_t *fi, uid_t uid,
    gid_t *groups, int n);


static char  *ngx_http_dt_child_commands[] = { "learner", "link" };


/*
 * Variables of nginx's environment that the program keeps: for sanitizers,
 * libraries and certificates.  The directive "env" puts them there.
 */

static const char  *ngx_http_dt_child_env[] = {
    "ASAN_OPTIONS=",
    "UBSAN_OPTIONS=",
    "LD_LIBRARY_PATH=",
    "SSL_CERT_DIR=",
    "SSL_CERT_FILE=",
    NULL
};

#define NGX_HTTP_DT_NENV                                                      \
    (sizeof(ngx_http_dt_child_env) / sizeof(char *))


ngx_int_t
ngx_http_dt_child_start(ngx_http_dt_child_t *child, ngx_str_t *program,
    ngx_http_dt_child_e command, void (*handler)(void *data), void *data)
{
    char        *env[NGX_HTTP_DT_NENV];
    ngx_fd_t     ours[3], its[3];
    sigset_t     all, old;
    ngx_uint_t   i;

    child->handler = handler;
    child->data = data;
    child->heard = ngx_current_msec;
    child->once = (command == NGX_HTTP_DT_CHILD_LEARNER);

    ngx_memzero(ours, sizeof(ours));
    ngx_memzero(its, sizeof(its));

    for (i = 0; i < 3; i++) {
        if (ngx_http_dt_child_pipe(&ours[i], &its[i], i == 0) != NGX_OK) {
            goto done;
        }
    }

    ngx_http_dt_child_environ(env);

    (void) signal(SIGCHLD, SIG_DFL);

    /* nginx's handlers must not run in the child */

    sigfillset(&all);
    (void) sigprocmask(SIG_SETMASK, &all, &old);

    child->pid = fork();

    if (child->pid == 0) {
        ngx_http_dt_child_exec((char *) program->data, command, env, its);
        _exit(127);
    }

    if (child->pid == -1) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: fork() failed");
        child->pid = 0;
    }

    (void) sigprocmask(SIG_SETMASK, &old, NULL);

done:

    for (i = 0; i < 3; i++) {
        ngx_http_dt_child_fd(&its[i]);
    }

    child->in = ngx_http_dt_child_watch(child, &ours[0]);
    child->out = ngx_http_dt_child_watch(child, &ours[1]);
    child->err = ours[2];

    if (child->pid == 0 || child->in == NULL || child->out == NULL) {
        return NGX_ERROR;
    }

    return ngx_add_event(child->out->read, NGX_READ_EVENT, NGX_LEVEL_EVENT);
}


/* opens a pipe; our end never blocks, the other one is the learner's */

static ngx_int_t
ngx_http_dt_child_pipe(ngx_fd_t *ours, ngx_fd_t *its, ngx_uint_t writing)
{
    ngx_fd_t  fd[2];

    if (pipe(fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: pipe() failed");
        return NGX_ERROR;
    }

    *ours = fd[writing];
    *its = fd[1 - writing];

    /* dup2() in the child must not close a descriptor that it still needs */

    if (fd[0] < 3 || fd[1] < 3) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, 0,
                      "detemplate: nginx has no standard input, output "
                      "or error");
        return NGX_ERROR;
    }

    if (ngx_nonblocking(*ours) == -1) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: " ngx_nonblocking_n " failed");
        return NGX_ERROR;
    }

#if (NGX_LINUX)

    /* a large template then needs fewer rounds */

    if (*ours != fd[0]) {
        (void) fcntl(*ours, F_SETPIPE_SZ, NGX_HTTP_DT_PIPE);
    }

#endif

    return NGX_OK;
}


/* the end of a pipe as a connection, or NULL, and the end is closed */

static ngx_connection_t *
ngx_http_dt_child_watch(ngx_http_dt_child_t *child, ngx_fd_t *fd)
{
    ngx_connection_t  *c;

    c = *fd ? ngx_get_connection(*fd, ngx_cycle->log) : NULL;

    if (c == NULL) {
        ngx_http_dt_child_fd(fd);
        return NULL;
    }

    c->data = child;
    c->read->log = c->log;
    c->read->handler = ngx_http_dt_child_readable;
    c->write->log = c->log;
    c->write->handler = ngx_http_dt_child_writable;

    return c;
}


static void
ngx_http_dt_child_environ(char **env)
{
    char       **e;
    ngx_uint_t   i, n;

    n = 0;

    for (i = 0; ngx_http_dt_child_env[i]; i++) {
        for (e = environ; e && *e; e++) {
            if (ngx_strncmp(*e, ngx_http_dt_child_env[i],
                            ngx_strlen(ngx_http_dt_child_env[i]))
                == 0)
            {
                env[n++] = *e;
                break;
            }
        }
    }

    env[n] = NULL;
}


/* in the child: gives up everything of nginx's, and becomes the program */

static void
ngx_http_dt_child_exec(char *program, ngx_http_dt_child_e command, char **env,
    ngx_fd_t *fd)
{
    int            signo;
    char          *argv[3];
    ngx_fd_t       n, max;
    sigset_t       none;
    struct rlimit  rlmt;

#if (NGX_LINUX)
    if (command == NGX_HTTP_DT_CHILD_LEARNER) {
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    }

    if (getppid() != ngx_pid) {
        return;
    }
#endif

    for (signo = 1; signo < NSIG; signo++) {
        (void) signal(signo, SIG_DFL);
    }

    sigemptyset(&none);
    (void) sigprocmask(SIG_SETMASK, &none, NULL);

    /* a process group, so that the child's own children are killed with it */

    (void) setpgid(0, 0);

    ngx_http_dt_child_terminal();

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

    ngx_http_dt_child_limit(command);

    argv[0] = "detemplate";
    argv[1] = ngx_http_dt_child_commands[command];
    argv[2] = NULL;

    (void) execve(program, argv, env);

    (void) dprintf(STDERR_FILENO, "execve() \"%s\" failed (%d: %s)\n",
                   program, ngx_errno, strerror(ngx_errno));
}


/*
 * With "daemon off", code in the learner could type into nginx's terminal.  A
 * new session would have no terminal, but the kernel may share processors out
 * to sessions, and nice() counts only within one.  A process that does not
 * lead its session gives up the terminal for itself alone.
 */

static void
ngx_http_dt_child_terminal(void)
{
    ngx_fd_t  fd;

    fd = open("/dev/tty", O_RDWR|O_NOCTTY|O_NONBLOCK|O_CLOEXEC);

    if (fd != -1) {
        (void) ioctl(fd, TIOCNOTTY);
        (void) close(fd);
    }
}


/*
 * The program itself limits its memory, because the limit is added to the
 * memory that it has at its start.
 */

static void
ngx_http_dt_child_limit(ngx_http_dt_child_e command)
{
    struct rlimit  rlmt;

    rlmt.rlim_cur = 0;
    rlmt.rlim_max = 0;
    (void) setrlimit(RLIMIT_CORE, &rlmt);

#if (NGX_LINUX)
    (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif

    if (command != NGX_HTTP_DT_CHILD_LEARNER) {
        return;
    }

    (void) alarm(NGX_HTTP_DT_LEARN_TIME);

    errno = 0;
    if (nice(10) == -1 && errno) {
        /* the priority stays */
    }

    rlmt.rlim_cur = NGX_HTTP_DT_CPU_TIME;
    rlmt.rlim_max = NGX_HTTP_DT_CPU_TIME + 1;
    (void) setrlimit(RLIMIT_CPU, &rlmt);
}


ngx_int_t
ngx_http_dt_child_send(ngx_http_dt_child_t *child, const dt_wire_t *kind,
    void *msg)
{
    size_t                  size;
    ngx_http_dt_unsent_t   *unsent, **last;

    size = dt_wire_size(kind, msg);

    if (size == 0 || child->nunsent > NGX_HTTP_DT_UNSENT) {
        return NGX_DECLINED;
    }

    unsent = ngx_alloc(sizeof(ngx_http_dt_unsent_t) + size, ngx_cycle->log);
    if (unsent == NULL) {
        return NGX_ERROR;
    }

    unsent->next = NULL;
    unsent->size = size;
    dt_wire_encode(kind, msg, (char *) &unsent[1]);

    for (last = &child->unsent; *last; last = &(*last)->next) { /* void */ }

    *last = unsent;
    child->nunsent += size;

    ngx_http_dt_child_write(child);

    return NGX_OK;
}


/* writes as much as the pipe takes; a failure shows when output ends */

static void
ngx_http_dt_child_write(ngx_http_dt_child_t *child)
{
    ssize_t                n;
    ngx_uint_t             closed;
    ngx_http_dt_unsent_t  *unsent;

    closed = 0;

    while (child->in && child->unsent) {

        unsent = child->unsent;

        n = write(child->in->fd, (u_char *) &unsent[1] + child->sent,
                  unsent->size - child->sent);

        if (n == -1 && ngx_errno == NGX_EINTR) {
            continue;
        }

        if (n == -1) {
            closed = (ngx_errno != NGX_EAGAIN);
            break;
        }

        child->sent += n;

        if (child->sent == unsent->size) {
            child->nunsent -= unsent->size;
            child->sent = 0;
            child->unsent = unsent->next;
            ngx_free(unsent);
        }
    }

    if (child->in == NULL) {
        return;
    }

    if (closed || (child->once && child->unsent == NULL)) {
        ngx_close_connection(child->in);
        child->in = NULL;
        return;
    }

    child->in->write->ready = 0;

    if (child->unsent) {
        (void) ngx_handle_write_event(child->in->write, 0);
    }
}


static void
ngx_http_dt_child_writable(ngx_event_t *ev)
{
    ngx_connection_t  *c;

    c = ev->data;

    ngx_http_dt_child_write(c->data);
}


static void
ngx_http_dt_child_readable(ngx_event_t *ev)
{
    ngx_connection_t     *c;
    ngx_http_dt_child_t  *child;

    c = ev->data;
    child = c->data;

    (void) ngx_http_dt_child_read(child);

    child->handler(child->data);
}


ngx_int_t
ngx_http_dt_child_read(ngx_http_dt_child_t *child)
{
    ssize_t  n;

    if (child->out == NULL || ngx_http_dt_child_room(child) != NGX_OK) {
        ngx_http_dt_child_shut(child);
        return NGX_DONE;
    }

    n = read(child->out->fd, child->buf + child->len,
             child->size - child->len);

    if (n == -1 && (ngx_errno == NGX_EAGAIN || ngx_errno == NGX_EINTR)) {
        return NGX_AGAIN;
    }

    if (n <= 0) {
        ngx_http_dt_child_shut(child);
        return NGX_DONE;
    }

    child->heard = ngx_current_msec;
    child->len += n;

    return NGX_OK;
}


/*
 * Makes room for the next message and more; a large one does not keep its
 * memory.
 */

static ngx_int_t
ngx_http_dt_child_room(ngx_http_dt_child_t *child)
{
    u_char  *p;
    size_t   size;

    if (child->taken) {
        child->len -= child->taken;
        ngx_memmove(child->buf, child->buf + child->taken, child->len);
        child->taken = 0;
    }

    size = child->promised + NGX_HTTP_DT_BUFFER;

    if (size != child->size && size > child->len) {

        p = realloc(child->buf, size);
        if (p == NULL) {
            return NGX_ERROR;
        }

        child->buf = p;
        child->size = size;
    }

    return (child->len < child->size) ? NGX_OK : NGX_ERROR;
}


ngx_int_t
ngx_http_dt_child_next(ngx_http_dt_child_t *child, const dt_wire_t *kind,
    void *msg)
{
    char        *p;
    size_t       len, size;
    ngx_int_t    rc;
    const char  *why;

    if (!child->greeted) {
        rc = ngx_http_dt_child_hello(child);

        if (rc != NGX_OK) {
            return rc;
        }
    }

    p = (char *) child->buf + child->taken;
    len = child->len - child->taken;
    size = dt_wire_promise(kind, p, len);

    if (size == 0 || (size > len && size != SIZE_MAX)) {
        child->promised = size;
        return NGX_AGAIN;
    }

    child->promised = 0;

    if (size == SIZE_MAX || dt_wire_decode(kind, p, size, msg, &why) != DT_OK)
    {
        child->fault = "protocol";
        return NGX_ERROR;
    }

    child->taken += size;

    return NGX_OK;
}


/* removes the first line, which names the version; it may be any text */

static ngx_int_t
ngx_http_dt_child_hello(ngx_http_dt_child_t *child)
{
    size_t   len;
    u_char  *end;

    if (child->len == 0) {
        return NGX_AGAIN;
    }

    len = sizeof(DT_JOB_HELLO) - 1;

    if (ngx_memcmp(child->buf, DT_JOB_HELLO, ngx_min(child->len, len)) == 0) {

        if (child->len < len) {
            return NGX_AGAIN;
        }

        /* messages are aligned */

        child->len -= len;
        ngx_memmove(child->buf, child->buf + len, child->len);
        child->greeted = 1;

        return NGX_OK;
    }

    len = ngx_min(child->len, NGX_HTTP_DT_HELLO);
    end = ngx_strlchr(child->buf, child->buf + len, LF);

    if (end == NULL && len < NGX_HTTP_DT_HELLO) {
        return NGX_AGAIN;
    }

    child->fault = "protocol";

    if (end && ngx_strncmp(child->buf, "detemplate ", 11) == 0) {
        ngx_cpystrn(child->other, child->buf, end - child->buf + 1);
        child->fault = "version";
    }

    return NGX_ERROR;
}


void
ngx_http_dt_child_listen(ngx_http_dt_child_t *child)
{
    u_char      *p, buf[4096];
    ssize_t      n;
    ngx_uint_t   i;

    for (i = 0; child->err && i < NGX_HTTP_DT_CHATTER; i++) {

        n = read(child->err, buf, sizeof(buf));

        if (n == -1 && (ngx_errno == NGX_EAGAIN || ngx_errno == NGX_EINTR)) {
            return;
        }

        if (n <= 0) {
            ngx_http_dt_child_fd(&child->err);

            /* the end of the text ends a line */

            buf[0] = LF;
            n = 1;
        }

        for (p = buf; p < buf + n; p++) {

            if (*p != LF) {

                if (child->line_len < sizeof(child->line) - 1) {
                    child->line[child->line_len++] = *p;
                }

            } else if (child->line_len) {
                child->line[child->line_len] = '\0';
                child->line_len = 0;
                ngx_cpystrn(child->last_line, child->line,
                            sizeof(child->last_line));
            }
        }
    }
}


void
ngx_http_dt_child_shut(ngx_http_dt_child_t *child)
{
    if (child->out) {
        ngx_close_connection(child->out);
        child->out = NULL;
    }
}


void
ngx_http_dt_child_kill(ngx_http_dt_child_t *child)
{
    /* the group includes the children of the program */

    if (kill(-child->pid, SIGKILL) == -1) {
        (void) kill(child->pid, SIGKILL);
    }
}


void
ngx_http_dt_child_close(ngx_http_dt_child_t *child)
{
    int                    status;
    ngx_http_dt_unsent_t  *unsent;

    ngx_http_dt_child_shut(child);
    ngx_http_dt_child_fd(&child->err);

    if (child->in) {
        ngx_close_connection(child->in);
    }

    if (child->pid) {
        ngx_http_dt_child_kill(child);

        /* after SIGKILL waiting takes no time */

        while (waitpid(child->pid, &status, 0) == -1
               && ngx_errno == NGX_EINTR) { /* void */ }
    }

    while ((unsent = child->unsent) != NULL) {
        child->unsent = unsent->next;
        ngx_free(unsent);
    }

    ngx_free(child->buf);
    ngx_memzero(child, sizeof(ngx_http_dt_child_t));
}


/* closes a descriptor, unless it is 0, and sets it to 0 */

static void
ngx_http_dt_child_fd(ngx_fd_t *fd)
{
    if (*fd && close(*fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, ngx_errno,
                      "detemplate: close() failed");
    }

    *fd = 0;
}


ngx_int_t
ngx_http_dt_program_find(ngx_conf_t *cf, ngx_http_dt_main_conf_t *dmcf)
{
    ngx_err_t         err;
    ngx_str_t        *path;
    ngx_file_info_t   fi;

    path = &dmcf->program;

    if (path->len == 0
        && ngx_http_dt_program_beside(cf, path) != NGX_OK)
    {
        return NGX_ERROR;
    }

    err = 0;

    if (ngx_file_info(path->data, &fi) == NGX_FILE_ERROR
        || access((char *) path->data, X_OK) == -1)
    {
        err = ngx_errno;

    } else if (!ngx_is_file(&fi)) {
        err = NGX_EISDIR;

    } else {
        ngx_http_dt_program_user(cf, path);
        return NGX_OK;
    }

    if (dmcf->program_file) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, err,
                      "the program that learns cannot be executed: \"%V\" of "
                      "\"detemplate_program\" in %s:%ui, install "
                      "\"detemplate\" there, or use \"detemplate_learn off;\" "
                      "without \"detemplate_redis\"",
                      path, dmcf->program_file, dmcf->program_line);
        return NGX_ERROR;
    }

    ngx_log_error(NGX_LOG_EMERG, cf->log, err,
                  "the program that learns cannot be executed: \"%V\", "
                  "install \"detemplate\" there, or say where it is with "
                  "\"detemplate_program path;\" at the http level, or use "
                  "\"detemplate_learn off;\" without "
                  "\"detemplate_redis\"", path);

    return NGX_ERROR;
}


/*
 * The folder of the file that holds this code.  That is the module, as the
 * dynamic linker knows it, or nginx, if the module is linked into it; for
 * nginx, the linker knows only the name by which it was started.
 */

static ngx_int_t
ngx_http_dt_program_beside(ngx_conf_t *cf, ngx_str_t *path)
{
    char     *name, *slash;
    char      file[PATH_MAX + 1];
    ssize_t   n;
    Dl_info   own, nginx;

    static char  here;

    if (dladdr(&here, &own) == 0 || dladdr(&ngx_core_module, &nginx) == 0) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "dladdr() failed");
        return NGX_ERROR;
    }

    if (own.dli_fbase != nginx.dli_fbase) {
        name = realpath(own.dli_fname, file);

    } else {

        /* also of a binary that was replaced since */

        n = readlink("/proc/self/exe", file, PATH_MAX);
        name = (n == -1) ? NULL : file;
        file[ngx_max(n, 0)] = '\0';
    }

    slash = name ? strrchr(name, '/') : NULL;

    if (slash == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, ngx_errno,
                      "the path of the module \"%s\" is unknown, use "
                      "\"detemplate_program path;\" at the http level",
                      own.dli_fname);
        return NGX_ERROR;
    }

    path->len = slash + 1 - name + sizeof(NGX_HTTP_DT_PROGRAM) - 1;
    path->data = ngx_pnalloc(cf->pool, path->len + 1);
    if (path->data == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(path->data, "%*s" NGX_HTTP_DT_PROGRAM "%Z", slash + 1 - name,
                name);

    return NGX_OK;
}


/*
 * The user of the workers executes the program, and may lack root's right to
 * do so.  This is only a warning, because there are rights besides modes, and
 * the directive "user" may follow the block "http".
 */

static void
ngx_http_dt_program_user(ngx_conf_t *cf, ngx_str_t *path)
{
    int               n;
    char             *user, *p, c, name[PATH_MAX + 1];
    gid_t             groups[NGX_HTTP_DT_GROUPS];
    struct passwd    *pwd;
    ngx_core_conf_t  *ccf;
    ngx_file_info_t   fi;

    ccf = (ngx_core_conf_t *) ngx_get_conf(cf->cycle->conf_ctx,
                                           ngx_core_module);

    user = ccf->username ? ccf->username : NGX_USER;
    pwd = (geteuid() == 0) ? getpwnam(user) : NULL;
    n = NGX_HTTP_DT_GROUPS;

    if (pwd == NULL
        || pwd->pw_uid == 0
        || getgrouplist(user, ccf->username ? ccf->group : pwd->pw_gid, groups,
                        &n)
           == -1
        || realpath((char *) path->data, name) == NULL)
    {
        return;
    }

    /* check each folder, and then the file */

    p = name;

    do {
        p += 1 + strcspn(p + 1, "/");
        c = *p;
        *p = '\0';

        if (ngx_file_info(name, &fi) == NGX_FILE_ERROR
            || !ngx_http_dt_program_may(&fi, pwd->pw_uid, groups, n))
        {
            ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                          "the program that learns, \"%V\", cannot be "
                          "executed by user \"%s\": see the mode of \"%s\"",
                          path, user, name);
            return;
        }

        *p = c;

    } while (c);
}


static ngx_uint_t
ngx_http_dt_program_may(ngx_file_info_t *fi, uid_t uid, gid_t *groups, int n)
{
    if (fi->st_uid == uid) {
        return (fi->st_mode & S_IXUSR) != 0;
    }

    while (n--) {
        if (fi->st_gid == groups[n]) {
            return (fi->st_mode & S_IXGRP) != 0;
        }
    }

    return (fi->st_mode & S_IXOTH) != 0;
}
