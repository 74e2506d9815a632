
/*
 * Copyright (C) The detemplate authors
 *
 * gumbo has no bounds of its own.  A page can be made so that gumbo's stack of
 * open elements grows with each tag, and then each tag or letter takes as long
 * as the stack is deep; the attributes of a tag take the square of their
 * number.  Most of that time gumbo does not allocate, so a timer interrupts
 * it.
 *
 * gumbo is left by siglongjmp(), by its allocator or by the handler of the
 * signal.  All that gumbo holds is memory of an arena.  While it allocates,
 * malloc() must not be interrupted, so the handler leaves it to the allocator
 * to end the parse.
 */


#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "core/dom/node.h"


typedef struct {
    dt_arena_t *arena;
    sigjmp_buf leave;
    volatile sig_atomic_t allocates;
    volatile sig_atomic_t late; /* the time was used up meanwhile */
} dt_parse_t;


static dt_parse_t *volatile dt_parse_running;


static void
dt_parse_time(int signo)
{
    dt_parse_t *p = dt_parse_running;

    (void) signo;

    if (p == NULL) {
        return;
    }

    if (p->allocates) {
        p->late = 1;
        return;
    }

    siglongjmp(p->leave, 1);
}


static void *
dt_parse_alloc(void *data, size_t size)
{
    dt_parse_t *p = data;
    void *m;

    p->allocates = 1;
    m = dt_arena_alloc(p->arena, size);
    p->allocates = 0;

    if (m == NULL || p->late) {
        siglongjmp(p->leave, 1); /* gumbo does not check for NULL */
    }

    return m;
}


static void
dt_parse_free(void *data, void *p)
{
    (void) data;
    (void) p;
}


static const GumboNode *
dt_parse_run(dt_parse_t *p, dt_str_t src)
{
    GumboOptions options = kGumboDefaultOptions;
    const GumboOutput *output;

    options.allocator = dt_parse_alloc;
    options.deallocator = dt_parse_free;
    options.userdata = p;
    options.max_errors = 0; /* an error record is a copy of the stack */

    if (sigsetjmp(p->leave, 1)) {
        dt_parse_running = NULL;
        return NULL;
    }

    dt_parse_running = p;
    output =
        gumbo_parse_with_options(&options, src.len ? src.data : "", src.len);

    /* the handler must not jump into a function that has returned */
    dt_parse_running = NULL;

    return output->root;
}


const GumboNode *
dt_parse(dt_str_t src, unsigned max_ms, dt_arena_t *arena)
{
    static const struct itimerval none;
    dt_parse_t p = { .arena = arena };
    struct itimerval timer = none;
    struct sigaction sa = { 0 }, old;
    const GumboNode *root;

    sa.sa_handler = dt_parse_time;
    sigemptyset(&sa.sa_mask);

    timer.it_value.tv_sec = (time_t) (max_ms / 1000);
    timer.it_value.tv_usec = (suseconds_t) (max_ms % 1000 * 1000);

    if (sigaction(SIGPROF, &sa, &old) == -1
        || setitimer(ITIMER_PROF, &timer, NULL) == -1)
    {
        return NULL;
    }

    root = dt_parse_run(&p, src);

    (void) setitimer(ITIMER_PROF, &none, NULL);
    (void) sigaction(SIGPROF, &old, NULL);

    return root;
}
