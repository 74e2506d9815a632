
/*
 * Copyright (C) The detemplate authors
 */


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <sys/resource.h>
#include <sys/syscall.h>

#include "ngx_module/manager/spawn.h"


/*
 * The program parses pages and answers that nobody has looked at, so it is
 * given nothing to lose: fresh memory, three pipes and no other descriptor, a
 * clean environment.  A learner has little memory, processor time and time of
 * day as well.
 */


#define NGX_HTTP_DT_CPU_TIME       20              /* seconds */
#define NGX_HTTP_DT_LEARN_TIME     30              /* seconds, all */

#define NGX_HTTP_DT_PIPE           (1 << 20)


static void ngx_http_dt_spawn_environ(char **env);
static ngx_int_t ngx_http_dt_spawn_pipe(ngx_fd_t *ours, ngx_fd_t *its,
    ngx_uint_t writing, ngx_log_t *log);
static void ngx_http_dt_spawn_exec(char *program,
    ngx_http_dt_spawn_e command, char **env, ngx_fd_t *fd);
static void ngx_http_dt_spawn_terminal(void);
static void ngx_http_dt_spawn_limit(ngx_http_dt_spawn_e command);


static char  *ngx_http_dt_spawn_commands[] = { "learner", "link" };


/*
 * Variables of nginx's environment that the program keeps: for sanitizers,
 * libraries and certificates.  The directive "env" puts them there.
 */

static const char  *ngx_http_dt_spawn_env[] = {
    "ASAN_OPTIONS=",
    "UBSAN_OPTIONS=",
    "LD_LIBRARY_PATH=",
    "SSL_CERT_DIR=",
    "SSL_CERT_FILE=",
    NULL
};

#define NGX_HTTP_DT_NENV                                                      \
    (sizeof(ngx_http_dt_spawn_env) / sizeof(char *))


ngx_pid_t
ngx_http_dt_spawn(ngx_str_t *program, ngx_http_dt_spawn_e command,
    ngx_fd_t *ours, ngx_log_t *log)
{
    char        *env[NGX_HTTP_DT_NENV];
    ngx_fd_t     its[3];
    sigset_t     all, old;
    ngx_pid_t    pid;
    ngx_uint_t   i;

    pid = -1;

    for (i = 0; i < 3; i++) {
        ours[i] = 0;
        its[i] = 0;
    }

    for (i = 0; i < 3; i++) {
        if (ngx_http_dt_spawn_pipe(&ours[i], &its[i], i == 0, log) != NGX_OK) {
            goto done;
        }
    }

    ngx_http_dt_spawn_environ(env);

    (void) signal(SIGCHLD, SIG_DFL);

    /* nginx's handlers must not run in the child */

    sigfillset(&all);
    (void) sigprocmask(SIG_SETMASK, &all, &old);

    pid = fork();

    if (pid == 0) {
        ngx_http_dt_spawn_exec((char *) program->data, command, env, its);
        _exit(127);
    }

    if (pid == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: fork() failed");
    }

    (void) sigprocmask(SIG_SETMASK, &old, NULL);

done:

    for (i = 0; i < 3; i++) {
        ngx_http_dt_spawn_close(&its[i], log);
    }

    return pid;
}


static void
ngx_http_dt_spawn_environ(char **env)
{
    char       **e;
    ngx_uint_t   i, n;

    n = 0;

    for (i = 0; ngx_http_dt_spawn_env[i]; i++) {
        for (e = environ; e && *e; e++) {
            if (ngx_strncmp(*e, ngx_http_dt_spawn_env[i],
                            ngx_strlen(ngx_http_dt_spawn_env[i]))
                == 0)
            {
                env[n++] = *e;
                break;
            }
        }
    }

    env[n] = NULL;
}


/* opens a pipe; our end never blocks, the other one is the learner's */

static ngx_int_t
ngx_http_dt_spawn_pipe(ngx_fd_t *ours, ngx_fd_t *its, ngx_uint_t writing,
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

    /* dup2() in the child must not close a descriptor that it still needs */

    if (fd[0] < 3 || fd[1] < 3) {
        ngx_log_error(NGX_LOG_ALERT, log, 0,
                      "detemplate: nginx has no standard input, output "
                      "or error");
        return NGX_ERROR;
    }

    if (ngx_nonblocking(*ours) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
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


/* in the child: gives up everything of nginx's, and becomes the program */

static void
ngx_http_dt_spawn_exec(char *program, ngx_http_dt_spawn_e command, char **env,
    ngx_fd_t *fd)
{
    int            signo;
    char          *argv[3];
    ngx_fd_t       n, max;
    sigset_t       none;
    struct rlimit  rlmt;

#if (NGX_LINUX)
    if (command == NGX_HTTP_DT_SPAWN_LEARNER) {
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

    /* a group, so that what it starts is killed with it */

    (void) setpgid(0, 0);

    ngx_http_dt_spawn_terminal();

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

    ngx_http_dt_spawn_limit(command);

    argv[0] = "detemplate";
    argv[1] = ngx_http_dt_spawn_commands[command];
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
ngx_http_dt_spawn_terminal(void)
{
    ngx_fd_t  fd;

    fd = open("/dev/tty", O_RDWR|O_NOCTTY|O_NONBLOCK|O_CLOEXEC);

    if (fd != -1) {
        (void) ioctl(fd, TIOCNOTTY);
        (void) close(fd);
    }
}


/*
 * The program itself limits its memory, because that is counted from what it
 * starts with.
 */

static void
ngx_http_dt_spawn_limit(ngx_http_dt_spawn_e command)
{
    struct rlimit  rlmt;

    rlmt.rlim_cur = 0;
    rlmt.rlim_max = 0;
    (void) setrlimit(RLIMIT_CORE, &rlmt);

#if (NGX_LINUX)
    (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif

    if (command != NGX_HTTP_DT_SPAWN_LEARNER) {
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


void
ngx_http_dt_spawn_close(ngx_fd_t *fd, ngx_log_t *log)
{
    if (*fd && close(*fd) == -1) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      "detemplate: close() failed");
    }

    *fd = 0;
}
