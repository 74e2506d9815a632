
/*
 * Copyright (C) The detemplate authors
 *
 * Reads the field Accept (RFC 9110, 12.5.1), and says which form of a page a
 * client asks for by it.
 */


#ifndef DT_ACCEPT_H_INCLUDED_
#define DT_ACCEPT_H_INCLUDED_


#include "core/base/dt.h"


typedef enum {
    DT_FORM_HTML = 0,
    DT_FORM_MARKDOWN,
    DT_FORM_JSON,
    DT_FORM_TEXT,
    DT_FORMS
} dt_form_t;

/* a media range, and how much it is liked */
typedef struct {
    dt_str_t type;
    unsigned parameters; /* those that a form of ours may have */
    int q;               /* 0 to 1000; -1: its quality is not valid */
    int odd;             /* no form of ours has one of its parameters, or the
                            quality has more digits than it may */
} dt_range_t;

/* the preference for each form so far: all 0 at the beginning */
typedef struct {
    uint16_t q[DT_FORMS];  /* 0 to 1000 */
    uint16_t by[DT_FORMS]; /* how specific the range is that says so; 0: none
                              does */
} dt_accept_t;


/* Reads the next range of a field's value; 0: there is none. */
int dt_accept_next(dt_str_t *value, dt_range_t *range);

/* Takes the value of one field into account.  A range that is not valid says
   nothing. */
void dt_accept_add(dt_accept_t *a, dt_str_t value);

/*
 * Returns the form: one that is not HTML only when a range names it, with a
 * quality above 0 and not below that of HTML.  forms: a bit for each that may
 * be chosen; of forms that are as good, the first is.
 */
dt_form_t dt_accept_choose(const dt_accept_t *a, unsigned forms);


#endif /* DT_ACCEPT_H_INCLUDED_ */
