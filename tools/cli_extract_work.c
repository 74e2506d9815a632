
/*
 * Copyright (C) The detemplate authors
 *
 * Shares items of work among processes.  Each process takes every Nth part of
 * the items, and writes the results into a pipe of its own.  The command reads
 * the pipes in the order of the items, so the output has that order, and no
 * process is ahead by more than a pipe holds.
 */


#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_extract.h"


#define DT_WORK_MOST 64            /* processes */
#define DT_WORK_PIPE (1024 * 1024) /* bytes that a pipe holds, if it may */


typedef struct {
    pid_t pid;
    int fd; /* -1: it has ended */
} dt_worker_t;


volatile sig_atomic_t dt_extract_stop;


static int
dt_work_read(int fd, void *data, size_t len)
{
    ssize_t n;
    char *p = data;

    for (; len; p += n, len -= (size_t) n) {
        n = read(fd, p, len);

        if (n == -1 && errno == EINTR) {
            n = 0;

        } else if (n <= 0) {
            return 0;
        }
    }

    return 1;
}


static void
dt_work_one(dt_extract_work_pt work, void *data, uint32_t i, dt_cli_buf_t *b,
            dt_extract_done_t *done)
{
    memset(done, 0, sizeof(*done));
    b->len = 0;
    work(data, i, b, done);

    if (b->failed) {
        b->len = 0;
        b->failed = 0;
        done->written = 0;
        done->left = 1;
        (void) snprintf(done->what, sizeof(done->what), "out of memory");
    }

    done->len = (uint32_t) b->len;
}


/* works on the items of process number k, and writes the results to fd */
static void
dt_work_process(int fd, unsigned k, unsigned processes, uint32_t n,
                uint32_t part, dt_extract_work_pt work, void *data)
{
    uint32_t i;
    dt_cli_buf_t b = { 0 };
    dt_extract_done_t done;

    for (i = k * part; i < n && !dt_extract_stop;
         i += (i + 1) % part ? 1 : (processes - 1) * part + 1)
    {
        dt_work_one(work, data, i, &b, &done);

        if (dt_extract_write(fd, (const char *) &done, sizeof(done))
            || dt_extract_write(fd, b.data, b.len))
        {
            break;
        }
    }

    free(b.data);
}


/* starts process number k; 0: it cannot be started */
static int
dt_work_start(dt_worker_t *workers, unsigned k, unsigned processes, uint32_t n,
              uint32_t part, dt_extract_work_pt work, void *data)
{
    int fds[2];
    unsigned i;
    pid_t pid;

    workers[k].fd = -1;

    if (pipe2(fds, O_CLOEXEC) == -1) {
        return 0;
    }

    (void) fcntl(fds[1], F_SETPIPE_SZ, DT_WORK_PIPE);
    (void) fflush(NULL);
    pid = fork();

    if (pid == 0) {
        close(fds[0]);

        for (i = 0; i < k; i++) {
            close(workers[i].fd);
        }

        dt_work_process(fds[1], k, processes, n, part, work, data);
        _exit(0);
    }

    close(fds[1]);

    if (pid == -1) {
        close(fds[0]);
        return 0;
    }

    workers[k].pid = pid;
    workers[k].fd = fds[0];

    return 1;
}


/* gives the results to sink; 0: one is missing */
static int
dt_work_collect(dt_worker_t *workers, unsigned processes, uint32_t n,
                uint32_t part, dt_extract_sink_pt sink, void *data)
{
    int ok = 1, told = 0;
    unsigned k;
    uint32_t i;
    dt_worker_t *w;
    dt_cli_buf_t b = { 0 };
    dt_extract_done_t done;

    for (i = 0; i < n; i++) {
        w = &workers[i / part % processes];

        if (dt_extract_stop && !told) {
            /* results that are written by now are still taken */
            for (k = 0, told = 1; k < processes; k++) {
                (void) kill(workers[k].pid, SIGTERM);
            }
        }

        if (w->fd == -1) {
            continue;
        }

        if (dt_work_read(w->fd, &done, sizeof(done))
            && dt_cli_buf_room(&b, done.len)
            && dt_work_read(w->fd, b.data, done.len))
        {
            sink(data, i, b.data, &done);
            continue;
        }

        close(w->fd);
        w->fd = -1;
        ok = 0;
    }

    free(b.data);

    return ok;
}


int
dt_extract_work(unsigned processes, uint32_t n, uint32_t part,
                dt_extract_work_pt work, dt_extract_sink_pt sink, void *data)
{
    int ok = 1, status;
    unsigned k, started = 0;
    uint32_t i;
    dt_worker_t workers[DT_WORK_MOST];
    dt_cli_buf_t b = { 0 };
    dt_extract_done_t done;

    processes = processes < DT_WORK_MOST ? processes : DT_WORK_MOST;
    processes = processes < n / part + 1 ? processes : n / part + 1;

    if (processes < 2) {
        for (i = 0; i < n && !dt_extract_stop; i++) {
            dt_work_one(work, data, i, &b, &done);
            sink(data, i, b.data, &done);
        }

        free(b.data);
        return DT_EXIT_OK;
    }

    while (started < processes
           && dt_work_start(workers, started, processes, n, part, work, data))
    {
        started++;
    }

    ok = started == processes;

    if (ok) {
        ok = dt_work_collect(workers, processes, n, part, sink, data);
    }

    for (k = 0; k < started; k++) {
        if (workers[k].fd != -1) {
            close(workers[k].fd);
        }

        (void) waitpid(workers[k].pid, &status, 0);
    }

    return ok || dt_extract_stop
               ? DT_EXIT_OK
               : dt_cli_error(DT_EXIT_IO, started < processes
                                              ? "a process cannot be started"
                                              : "a process ended early");
}
