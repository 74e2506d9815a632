
/*
 * Copyright (C) The detemplate authors
 *
 * The tokenizer, the stack of open elements and the hashes of their content:
 * the hot path.  Serving and compiling use the same code, so that each part
 * learned from a page is found again in its bytes.
 */


#ifndef DT_SCAN_H_INCLUDED_
#define DT_SCAN_H_INCLUDED_


#include "core/scan/element.h"
#include "core/scan/nest.h"
#include "core/scan/raw.h"
#include "core/scan/record.h"
#include "core/scan/state.h"
#include "core/scan/tree.h"


typedef struct {
    const void *tmpl; /* checked bytes; NULL: to compile */
    uint64_t seed;    /* without tmpl */
    dt_str_t host;    /* of the page's own URL, in lower case, */
    dt_str_t path;    /* and its path; the rest that does not fit is left out:
                         relative links then are compared as written */
    unsigned bold;    /* see dt_rewrite_opts_t */
    unsigned head;    /* where the head ends is looked for */
    unsigned heads;   /* elements of the head have records as well */
} dt_scan_opts_t;


/*
 * Scans a whole page.  s becomes its state at the end, and records gets a
 * record for each element and each text of its body; older records are
 * forgotten.  The caller frees records->elts, which may be NULL at first and
 * is used again.  DT_OK; DT_ENOMEM; DT_ELIMIT: the page is nested too deep;
 * DT_DECLINED, with a template: nothing of it may be cut.  It has less than
 * 4 GiB.
 */
dt_status_t dt_scan_page(dt_scan_t *s, const dt_scan_opts_t *o, dt_str_t page,
                         dt_records_t *records);

/*
 * Does the same for compiling, with memory of its own: the caller frees *out,
 * n records.
 */
dt_status_t dt_scan_records(dt_str_t page, uint64_t seed, dt_str_t host,
                            dt_str_t path, dt_record_t **out, size_t *n);


/*
 * For callers that need tags and elements, and no records: begins such a page
 * instead of dt_scan_page().  xml: 1: it is read as XML; 2: if it begins with
 * an XML declaration.
 */
void dt_scan_follow(dt_scan_t *s, unsigned xml);

/* the page begins at p */
static inline void
dt_scan_at(dt_scan_t *s, const char *p)
{
    s->shift = -(uint64_t) (uintptr_t) p;
}

/* text between tags, all of it from text; [p, end) is not empty and does not
   begin with white space */
void dt_scan_text(dt_scan_t *s, const char *text, const char *p,
                  const char *end);


/*
 * Copies a page, and makes white space of the insides of its templates and
 * noscripts.  So a parser has the same tree around them as browsers that
 * execute scripts, for which that is text.  DT_OK, or DT_ENOMEM.
 */
dt_status_t dt_scan_inert(dt_str_t page, char *copy);


#endif /* DT_SCAN_H_INCLUDED_ */
