
/*
 * Copyright (C) The detemplate authors
 *
 * A library to be loaded before others: the first preadv() for which the file
 * SLOW is there takes it away, reads, and returns two seconds later.
 */


#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>


ssize_t
preadv64(int fd, const struct iovec *iov, int n, off_t off)
{
    int slow = unlink(SLOW) == 0;
    ssize_t rc;

    rc = syscall(SYS_preadv, fd, iov, (long) n, (long) off,
                 (long) ((unsigned long long) off >> 32));

    if (slow) {
        (void) sleep(2);
    }

    return rc;
}


ssize_t
preadv(int fd, const struct iovec *iov, int n, off_t off)
{
    return preadv64(fd, iov, n, off);
}
