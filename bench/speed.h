
/*
 * Copyright (C) The detemplate authors
 *
 * The interface between the two files of the speed bench.
 */


#ifndef SPEED_H_INCLUDED_
#define SPEED_H_INCLUDED_


#include "core/base/dt.h"
#include "core/scan/rewrite.h"
#include "core/text/bytes.h"
#include "core/web/url.h"


typedef struct {
    const char *name;
    dt_arena_t *arena; /* of the URL */
    dt_url_t url;
    char *data;
    size_t len;
    char *copy; /* room for len bytes */
    void *tmpl;
    size_t tmpl_len;
    unsigned cautious;
    const dt_hand_t *hand;    /* NULL: none */
    dt_work_t *work;          /* memory for all pages, or NULL */
    unsigned counted;         /* memory is counted in speed_counter */
    dt_rewrite_stats_t stats; /* of the last time it was rewritten */
} speed_page_t;


/* exits when anything fails */
typedef void (*speed_run_pt)(speed_page_t *p);

typedef struct {
    const char *name;
    speed_run_pt run;
} speed_subject_t;

/* a hostile page: count times head, then unit again and again; '#' becomes a
   growing number */
typedef struct {
    const char *name;
    const char *head;
    unsigned count;
    const char *unit;
} speed_hostile_t;

/* all of them, and a name of NULL at the end */
extern const speed_hostile_t speed_hostile[];

/* all subjects, strip first, and a name of NULL at the end */
extern const speed_subject_t speed_subjects[];


typedef struct {
    uint64_t calls;
    uint64_t bytes;
    uint64_t now;
    uint64_t most;
} speed_counter_t;

extern speed_counter_t speed_counter;


/* says what failed and why, and exits */
void speed_die(const char *what, const char *why);

/* p, which must not be NULL: else exits */
void *speed_need(void *p);

void speed_strip(speed_page_t *p);
void speed_markdown(speed_page_t *p);
void speed_gumbo(speed_page_t *p);


#endif /* SPEED_H_INCLUDED_ */
