
/*
 * Copyright (C) The detemplate authors
 *
 * A library to be preloaded.  The clock is ahead by the number of seconds in
 * the file AHEAD, and the monotonic clocks by that in AHEAD-steady.  While
 * the file AHEAD-fork exists, fork() fails.
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>


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


int
gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    struct timespec ts;

    (void) tz;

    clock_gettime(CLOCK_REALTIME, &ts);
    tv->tv_sec = ts.tv_sec;
    tv->tv_usec = ts.tv_nsec / 1000;

    return 0;
}


time_t
time(time_t *t)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);

    return t ? (*t = ts.tv_sec) : ts.tv_sec;
}
