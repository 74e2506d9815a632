
/*
 * Copyright (C) The detemplate authors
 *
 * Children that confine themselves, and what they can do then: each row is
 * one, since there is no way back.  What the list of system calls decides is
 * ROW, what the domain decides HIDES.
 */


#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/learn/confine.h"
#include "core/web/fetch.h"
#include "test.h"


static char file[] = "/tmp/dt-confine-XXXXXX";
static int inherited;


static int
opens(int flags)
{
    int fd = open(file, flags, 0600);

    return fd != -1 && close(fd) == 0;
}


static int
opens_raw(int flags)
{
#ifdef SYS_open
    return syscall(SYS_open, file, flags, 0600) != -1;
#else
    return opens(flags);
#endif
}


static int
reads(const char *path)
{
    int fd = open(path, O_RDONLY);
    char byte;

    /* nothing is at the begin of memory */
    return fd != -1 && (read(fd, &byte, 1) != -1 || errno == EIO);
}


/* of a process, as proc(5) has it */
static int
reads_of(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int) pid, name);

    return reads(path);
}


/* the file by the descriptor of a process */
static int
reads_fd_of(pid_t pid)
{
    char name[32];

    snprintf(name, sizeof(name), "fd/%d", inherited);

    return reads_of(pid, name);
}


static int
finds_fd_of(pid_t pid)
{
    char path[64], to[64];

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int) pid, inherited);

    return readlink(path, to, sizeof(to)) == (ssize_t) strlen(file);
}


static int
executes(void)
{
    char *argv[] = { (char *) "true", NULL };

    execv("/bin/true", argv);

    return 0;
}


static int
executes_at(void)
{
    char *argv[] = { (char *) "true", NULL };

    syscall(SYS_execveat, AT_FDCWD, "/bin/true", argv, NULL, 0);

    return 0;
}


static int
forks(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        _exit(0);
    }

    return pid != -1;
}


static int
has_socket(int domain, int type)
{
    return socket(domain, type, 0) != -1;
}


static int
listens(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    return fd != -1 && listen(fd, 1) == 0;
}


static void *
thread(void *data)
{
    *(int *) data = 1;

    return data;
}


static int
has_threads(void)
{
    int ran = 0;
    pthread_t t;

    return pthread_create(&t, NULL, thread, &ran) == 0
           && pthread_join(t, NULL) == 0 && ran;
}


static int
resolves(const char *name)
{
    struct addrinfo *list = NULL;

    return getaddrinfo(name, "80", NULL, &list) == 0 && list != NULL;
}


/* nobody listens there; the resolver comes before that, in a thread */
static int
fetches(const char *url)
{
    int good;
    dt_arena_t *a;
    dt_fetched_t page;
    dt_fetcher_t *f;
    dt_fetch_opts_t o;

    dt_fetch_opts_init(&o);
    f = dt_fetcher_create(&o);

    a = dt_arena_create(1 << 24);

    if (f == NULL || a == NULL) {
        return 0;
    }

    dt_fetcher_get(f, url, a, &page);
    good = strstr(page.errstr, "connect to") != NULL;

    if (!good) {
        printf("# %s: %s\n", page.reason, page.errstr);
    }

    dt_arena_destroy(a);
    dt_fetcher_destroy(f);

    return good;
}


static int
raises_limit(pid_t pid)
{
    struct rlimit r;

    return prlimit(pid, RLIMIT_NOFILE, NULL, &r) == 0;
}


/* so that the kernel sends a signal of our choice, when a socket is ready */
static int
has_signals_sent(pid_t pid)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct f_owner_ex owner = { F_OWNER_PID, pid };

    return fcntl(fd, F_SETOWN, pid) == 0 || fcntl(fd, F_SETSIG, SIGKILL) == 0
           || fcntl(fd, F_SETOWN_EX, &owner) == 0
           || ioctl(fd, FIOSETOWN, &pid) == 0
           || ioctl(fd, SIOCSPGRP, &pid) == 0;
}


/* what is none would say so, were it asked */
static int
has_terminal(unsigned long request)
{
    char subcode[] = { 3, 0 };

    return ioctl(inherited, request, subcode) != -1 || errno != EPERM;
}


static int
counts_bytes(void)
{
    int n = -1;

    return ioctl(inherited, FIONREAD, &n) == 0 && n >= 0;
}


static int
takes_memory(void)
{
    char *volatile p = malloc(64 << 20);

    if (p == NULL) {
        return 0;
    }

    p[0] = 1;
    p = realloc(p, 100 << 20);

    return p != NULL && p[0] == 1;
}


#define ROWS                                                                  \
    ROW(1, opens(O_RDONLY), "reads a file")                                   \
    ROW(1, opens_raw(O_RDONLY), "reads a file, open()")                       \
    ROW(1, opens(O_RDONLY | O_CLOEXEC | O_NONBLOCK), "with flags")            \
    ROW(0, opens(O_WRONLY), "opens a file to write")                          \
    ROW(0, opens(O_RDWR), "opens a file to read and write")                   \
    ROW(0, opens(O_RDONLY | O_CREAT), "makes a file")                         \
    ROW(0, opens(O_RDONLY | O_TRUNC), "empties a file")                       \
    ROW(0, opens_raw(O_WRONLY), "opens a file to write, open()")              \
    ROW(0, opens_raw(O_RDONLY | O_CREAT), "makes a file, open()")             \
    ROW(0,                                                                    \
        syscall(SYS_openat2, AT_FDCWD, file, NULL, 0) != -1                   \
            || errno != ENOSYS,                                               \
        "opens with flags in memory")                                         \
    ROW(0, unlink(file) == 0, "removes a file")                               \
    ROW(0, rename(file, file) == 0, "renames a file")                         \
    ROW(0, chmod(file, 0644) == 0, "changes a mode")                          \
    ROW(0, mkdir("/tmp/dt-confine", 0700) == 0, "makes a folder")             \
    ROW(0, symlink(file, "/tmp/dt-confine") == 0, "makes a link")             \
    ROW(0, truncate(file, 0) == 0, "truncates")                               \
    ROW(1, write(inherited, "x", 1) == 1, "writes to what is open")           \
    ROW(1, reads_of(getpid(), "environ"), "reads its own environment")        \
    ROW(1, reads_of(getpid(), "mem"), "reads its own memory")                 \
    ROW(1, finds_fd_of(getpid()), "finds a descriptor of its own")            \
    ROW(1, reads_fd_of(getpid()), "opens one anew")                           \
    ROW(1, reads_of(getppid(), "stat"), "finds its parent")                   \
    HIDES(reads_of(getppid(), "mem"), "reads its parent's memory")            \
    HIDES(reads_of(getppid(), "maps"), "knows what lies there")               \
    HIDES(reads_of(getppid(), "environ"), "reads its parent's environment")   \
    HIDES(finds_fd_of(getppid()), "finds a descriptor of its parent")         \
    HIDES(reads_fd_of(getppid()), "opens one of them")                        \
    ROW(1, reads("/etc/hosts"), "reads a file of the system")                 \
    ROW(0, executes(), "executes")                                            \
    ROW(0, executes_at(), "executes, execveat()")                             \
    ROW(0, forks(), "forks")                                                  \
    ROW(0, syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) != -1, "clones itself")    \
    ROW(1, has_threads(), "has threads")                                      \
    ROW(0, kill(getppid(), 0) == 0, "signals its parent")                     \
    ROW(0, syscall(SYS_tgkill, getppid(), getppid(), 0) == 0,                 \
        "signals a thread of its parent")                                     \
    ROW(0, has_signals_sent(getppid()), "has its parent signalled")           \
    ROW(0, has_terminal(TIOCSTI), "types into its terminal")                  \
    ROW(0, has_terminal(TIOCLINUX), "pastes into its console")                \
    ROW(1, counts_bytes(), "asks how much there is to read")                  \
    ROW(1, raise(0) == 0, "signals itself")                                   \
    ROW(0, ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0, "is traced")           \
    ROW(1, has_socket(AF_INET, SOCK_STREAM), "connects over IPv4")            \
    ROW(1, has_socket(AF_INET6, SOCK_DGRAM) || errno == EAFNOSUPPORT,         \
        "connects over IPv6")                                                 \
    ROW(1, has_socket(AF_NETLINK, SOCK_RAW), "asks for addresses")            \
    ROW(0, has_socket(AF_UNIX, SOCK_STREAM), "connects to local sockets")     \
    ROW(0, listens(), "listens")                                              \
    ROW(1, raises_limit(0), "looks at its limits")                            \
    ROW(0, raises_limit(getppid()), "looks at those of others")               \
    ROW(0, syscall(SYS_memfd_create, "x", 0) != -1, "makes files in memory")  \
    ROW(0, syscall(425, 8, NULL) != -1 || errno != ENOSYS, "has io_uring")    \
    ROW(1, takes_memory(), "takes memory")                                    \
    ROW(1, resolves("localhost"), "resolves a name")                          \
    ROW(1, fetches("http://localhost:1/"), "loads by a name")                 \
    ROW(1, fetches("http://127.0.0.1:1/"), "loads by an address")             \
    ROW(1, fetches("https://127.0.0.1:1/"), "loads over TLS")


/* 1 and 0: what the row gave; 2: the kernel has no filter of calls */
static int
row(int i)
{
    int n = 0;
    dt_status_t rc = dt_confine();

#define ROW(want, code, name)                                                 \
    if (i == n++) {                                                           \
        return rc == DT_OK ? (code) : 2;                                      \
    }
#define HIDES(code, name)                                                     \
    if (i == n++) {                                                           \
        return code;                                                          \
    }
    ROWS
#undef HIDES
#undef ROW

        return 3;
}


/*
 * Who is root keeps others out without a domain, by what he gives up: here
 * child and parent are somebody else, and of one another.
 */
static int
row_of_nobody(int i)
{
    int status = -1;
    pid_t pid;

    if (setgroups(0, NULL) == -1 || setgid(65534) == -1 || setuid(65534) == -1
        || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == -1)
    {
        return 4;
    }

    pid = fork();

    if (pid == 0) {
        alarm(30);
        _exit(row(i));
    }

    waitpid(pid, &status, 0);

    return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}


/* whether the kernel has Landlock */
static int
has_domains(void)
{
#ifdef SYS_landlock_create_ruleset
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0;
#else
    return 0;
#endif
}


int
main(void)
{
#define ROW(want, code, name) { want, 0, name },
#define HIDES(code, name) { 0, 1, name },
    static const struct {
        int want;
        int hides;
        const char *name;
    } rows[] = { ROWS };
#undef HIDES
#undef ROW
    int status;
    char name[80];
    pid_t pid;

    setvbuf(stdout, NULL, _IOLBF, 0);
    inherited = mkstemp(file);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {

        if (rows[i].hides && !has_domains()) {
            printf("ok %d # SKIP the kernel has no Landlock\n", ++test_count);
            continue;
        }

        pid = fork();

        if (pid == 0) {
            alarm(30);
            _exit(rows[i].hides && getuid() == 0 ? row_of_nobody((int) i)
                                                 : row((int) i));
        }

        status = -1;
        waitpid(pid, &status, 0);

        if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
            printf("ok %d # SKIP the kernel has no filter\n", ++test_count);
            continue;
        }

        snprintf(name, sizeof(name), "%s%s",
                 rows[i].want ? "" : "not: ", rows[i].name);
        is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
               rows[i].want, name);
    }

    ok(access(file, F_OK) == 0, "the file is still there");
    close(inherited);
    unlink(file);

    return done();
}
