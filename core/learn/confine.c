
/*
 * Copyright (C) The detemplate authors
 *
 * A seccomp(2) filter with the list of system calls that loading and parsing
 * pages needs.  Other calls fail with ENOSYS, so that a C library that knows
 * newer calls falls back to older ones.  A list of forbidden calls would have
 * to grow with each kernel.  Some calls are allowed only with certain
 * arguments:
 *
 *   open, openat   only for reading
 *   socket         IPv4, IPv6, and netlink, by which the resolver finds our
 *                  addresses; no local sockets, which lead to other programs
 *   clone          threads, not processes (clone3 is not on the list, since
 *                  its flags are in memory, which a filter cannot read)
 *   prlimit64      of this process
 *   tgkill         a thread of this process: nginx, which has the same user,
 *                  must not be signalled
 *   fcntl, ioctl   not to let the kernel signal others when a socket is ready,
 *                  and not to type into terminals or paste into consoles
 *
 * libseccomp could generate this, but would be one more library.
 *
 * The filter cannot distinguish names of files.  proc(5) would give memory,
 * environment and descriptors of nginx, which has the same user, to a process
 * that may read files.  So the process also enters a domain of landlock(7),
 * where the kernel has that, on all machines.  A process cannot look into
 * processes outside of its domain.  Our rules also forbid writing, creating,
 * removing and executing files, and allow reading.  With CAP_PERFMON a process
 * could still read addresses and environments in proc(5).  So where nginx runs
 * as root, the learner gives up root's capabilities.
 */


#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "core/learn/confine.h"

#endif


#if defined(__linux__) && defined(__x86_64__)
#define DT_CONFINE_ARCH AUDIT_ARCH_X86_64
#elif defined(__linux__) && defined(__aarch64__) && defined(__AARCH64EL__)
#define DT_CONFINE_ARCH AUDIT_ARCH_AARCH64
#endif


#define DT_COUNT(a) (sizeof(a) / sizeof((a)[0]))


/* numbers of Landlock, which older headers do not have */
#ifdef DT_CONFINE_ARCH
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif
#endif


#ifdef SYS_landlock_create_ruleset

#define DT_LANDLOCK_VERSION 1 /* a flag: asks for the version */
#define DT_LANDLOCK_READ 12U  /* READ_FILE, READ_DIR */
#define DT_LANDLOCK_SCOPED 6  /* the version that has scopes */
#define DT_LANDLOCK_SCOPES 3  /* ABSTRACT_UNIX_SOCKET, SIGNAL */


/* an older kernel requires zeros in members that it does not know */
typedef struct {
    uint64_t fs; /* forbidden, unless a rule allows it */
    uint64_t net;
    uint64_t scoped;
} dt_landlock_t;


/* how many rights to files each version has: REFER, TRUNCATE and IOCTL_DEV
   were added later */
static const unsigned char dt_landlock_rights[] = { 0, 13, 14, 15, 15, 16 };


/* enters the domain; called before the filter, which does not allow it */
static void
dt_confine_domain(void)
{
    int fd;
    long version;
    size_t n;
    dt_landlock_t rules = { 0 };

    version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, DT_LANDLOCK_VERSION);
    if (version < 1) {
        return;
    }

    n = (size_t) version;
    if (n >= DT_COUNT(dt_landlock_rights)) {
        n = DT_COUNT(dt_landlock_rights) - 1;
    }

    rules.fs = ((1U << dt_landlock_rights[n]) - 1) & ~DT_LANDLOCK_READ;

    if (version >= DT_LANDLOCK_SCOPED) {
        rules.scoped = DT_LANDLOCK_SCOPES;
    }

    fd = (int) syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
    if (fd == -1) {
        return;
    }

    (void) syscall(SYS_landlock_restrict_self, fd, 0);
    (void) close(fd);
}

#endif


#ifdef DT_CONFINE_ARCH

#define DT_CONFINE_MAX                                                        \
    (DT_COUNT(dt_confine_head) + 2 * DT_COUNT(dt_confine_calls)               \
     + DT_CONFINE_OWN + DT_COUNT(dt_confine_tail))
#define DT_CONFINE_OWN 5 /* instructions that depend on the process */

/* the lower half of argument n: both machines are little-endian */
#define DT_ARG(n) (unsigned) (offsetof(struct seccomp_data, args) + 8 * (n))

#define DT_LOAD(k) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, k)
#define DT_RETURN(k) BPF_STMT(BPF_RET | BPF_K, k)
#define DT_FAIL(e) DT_RETURN(SECCOMP_RET_ERRNO | (e))
#define DT_ALLOW DT_RETURN(SECCOMP_RET_ALLOW)

/* goes to the next instruction if A is k (or has bits of k), else skips n */
#define DT_IF(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, n)
#define DT_IF_BITS(k, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k, 0, n)


static const int dt_confine_calls[] = {
    /* open descriptors */
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_dup,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_socketpair,
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,

    /* files */
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,

    /* connections */
    SYS_connect,
    SYS_bind,
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_sendto,
    SYS_recvfrom,
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_sendmmsg,
    SYS_recvmmsg,
    SYS_shutdown,

    /* memory */
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,

    /* threads */
    SYS_futex,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_gettid,
    SYS_membarrier,

    /* the process itself */
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_setitimer,
    SYS_restart_syscall,
    SYS_getrusage,

    /* the system */
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,

#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_poll,
    SYS_select,
    SYS_epoll_wait,
    SYS_epoll_create,
    SYS_pipe,
    SYS_dup2,
    SYS_time,
    SYS_alarm,
    SYS_arch_prctl,
#endif
};


static const struct sock_filter dt_confine_head[] = {
    DT_LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DT_CONFINE_ARCH, 1, 0),
    DT_RETURN(SECCOMP_RET_KILL_PROCESS),
    DT_LOAD(offsetof(struct seccomp_data, nr)),
};


/* the checks of arguments; A is the call's number, and each check loads its
   argument and returns */
static const struct sock_filter dt_confine_tail[] = {
    DT_IF(SYS_openat, 4),
    DT_LOAD(DT_ARG(2)),
    DT_IF_BITS(O_ACCMODE | O_CREAT | O_TRUNC, 1),
    DT_FAIL(EPERM),
    DT_ALLOW,

#ifdef SYS_open
    DT_IF(SYS_open, 4),
    DT_LOAD(DT_ARG(1)),
    DT_IF_BITS(O_ACCMODE | O_CREAT | O_TRUNC, 1),
    DT_FAIL(EPERM),
    DT_ALLOW,
#endif

    DT_IF(SYS_socket, 8),
    DT_LOAD(DT_ARG(0)),
    DT_IF(AF_INET, 1),
    DT_ALLOW,
    DT_IF(AF_INET6, 1),
    DT_ALLOW,
    DT_IF(AF_NETLINK, 1),
    DT_ALLOW,
    DT_FAIL(EPERM),

    DT_IF(SYS_clone, 4),
    DT_LOAD(DT_ARG(0)),
    DT_IF_BITS(CLONE_THREAD, 1),
    DT_ALLOW,
    DT_FAIL(EPERM),

    DT_IF(SYS_prlimit64, 4),
    DT_LOAD(DT_ARG(0)),
    DT_IF(0, 1),
    DT_ALLOW,
    DT_FAIL(EPERM),

    DT_IF(SYS_fcntl, 8),
    DT_LOAD(DT_ARG(1)),
    DT_IF(F_SETOWN, 1),
    DT_FAIL(EPERM),
    DT_IF(F_SETOWN_EX, 1),
    DT_FAIL(EPERM),
    DT_IF(F_SETSIG, 1),
    DT_FAIL(EPERM),
    DT_ALLOW,

    DT_IF(SYS_ioctl, 10),
    DT_LOAD(DT_ARG(1)),
    DT_IF(FIOSETOWN, 1),
    DT_FAIL(EPERM),
    DT_IF(SIOCSPGRP, 1),
    DT_FAIL(EPERM),
    DT_IF(TIOCSTI, 1),
    DT_FAIL(EPERM),
    DT_IF(TIOCLINUX, 1),
    DT_FAIL(EPERM),
    DT_ALLOW,

    DT_FAIL(ENOSYS),
};


static dt_status_t
dt_confine_filter(void)
{
    size_t n = 0;
    struct sock_fprog prog;
    struct sock_filter code[DT_CONFINE_MAX];
    const struct sock_filter process_filter[DT_CONFINE_OWN] = {
        DT_IF(SYS_tgkill, 4), DT_LOAD(DT_ARG(0)),
        DT_IF((unsigned) getpid(), 1), DT_ALLOW, DT_FAIL(EPERM)
    };

    for (size_t i = 0; i < DT_COUNT(dt_confine_head); i++) {
        code[n++] = dt_confine_head[i];
    }

    for (size_t i = 0; i < DT_COUNT(dt_confine_calls); i++) {
        code[n++] =
            (struct sock_filter) DT_IF((unsigned) dt_confine_calls[i], 1);
        code[n++] = (struct sock_filter) DT_ALLOW;
    }

    for (size_t i = 0; i < DT_COUNT(process_filter); i++) {
        code[n++] = process_filter[i];
    }

    for (size_t i = 0; i < DT_COUNT(dt_confine_tail); i++) {
        code[n++] = dt_confine_tail[i];
    }

    prog.len = (unsigned short) n;
    prog.filter = code;

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0
               ? DT_OK
               : DT_DECLINED;
}

#endif


dt_status_t
dt_confine(void)
{
#ifdef __linux__
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return DT_DECLINED;
    }

    (void) syscall(SYS_capset, &head, none);
#endif

#ifdef SYS_landlock_create_ruleset
    dt_confine_domain();
#endif

#ifdef DT_CONFINE_ARCH
    return dt_confine_filter();
#else
    return DT_DECLINED;
#endif
}
