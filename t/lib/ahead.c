
/*
 * Copyright (C) The detemplate authors
 *
 * A library to be loaded before others, whose clock is as many seconds ahead
 * as the file AHEAD says, and whose steady clocks as many as AHEAD-steady; it
 * makes no files in memory while there is AHEAD-memfd; it adds a line to
 * AHEAD-huge, if there is one, for each huge page that is asked for, and says
 * that there are none while there is AHEAD-none, or after a long time while
 * there is AHEAD-slow that there are; and makes no processes while there is
 * AHEAD-fork.
 */


#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>


#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif


int
clock_gettime(clockid_t id, struct timespec *ts)
{
    char buf[32] = "";
    int fd = -1, rc = (int) syscall(SYS_clock_gettime, id, ts), e = errno;

    if (id == CLOCK_REALTIME) {
        fd = open(AHEAD, O_RDONLY);

    } else if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE) {
        fd = open(AHEAD "-steady", O_RDONLY);
    }

    if (fd != -1) {
        (void) !read(fd, buf, sizeof(buf) - 1);
        close(fd);
    }

    ts->tv_sec += atol(buf);
    errno = e;

    return rc;
}


int
memfd_create(const char *name, unsigned int flags)
{
    if (access(AHEAD "-memfd", F_OK) == 0) {
        errno = EMFILE;
        return -1;
    }

    return (int) syscall(SYS_memfd_create, name, flags);
}


pid_t __fork(void);


pid_t
fork(void)
{
    if (access(AHEAD "-fork", F_OK) == 0) {
        errno = EAGAIN;
        return -1;
    }

    return __fork();
}


/* however long it takes, the clock says that it was at once, or 600 ms */

static struct timeval last;
static int took = -1;


int
madvise(void *addr, size_t len, int advice)
{
    int fd, rc = (int) syscall(SYS_madvise, addr, len, advice);

    if (advice != MADV_COLLAPSE) {
        return rc;
    }

    fd = open(AHEAD "-huge", O_WRONLY | O_APPEND);
    dprintf(fd, "%p %zu %d\n", addr, len, rc);
    close(fd);

    took = access(AHEAD "-slow", F_OK) == 0 ? 600000 : 0;

    return access(AHEAD "-none", F_OK) == 0 ? -1 : 0;
}


int
gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    struct timespec ts;

    (void) tz;

    if (took >= 0) {
        last.tv_usec += took;
        took = -1;

    } else {
        clock_gettime(CLOCK_REALTIME, &ts);
        last.tv_sec = ts.tv_sec;
        last.tv_usec = ts.tv_nsec / 1000;
    }

    *tv = last;

    return 0;
}


time_t
time(time_t *t)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);

    return t ? (*t = ts.tv_sec) : ts.tv_sec;
}
