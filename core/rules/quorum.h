
/*
 * Copyright (C) The detemplate authors
 *
 * Where what pages show may be cut: directories.
 */


#ifndef DT_QUORUM_H_INCLUDED_
#define DT_QUORUM_H_INCLUDED_


#include "core/rules/evidence.h"


/*
 * The pages of the largest directory that has most of the pages, but not all;
 * 0: there is none.
 */
uint64_t dt_quorum_most(const dt_evidence_t *ev);

/* which pages are in each directory; once for the rest */
dt_status_t dt_quorum_init(dt_evidence_t *ev, const uint8_t *voter);

/*
 * Where what these pages show may be cut: it is on share percent of the pages
 * of.  NULL: nowhere.
 */
dt_quorum_dir_t *dt_quorum(const dt_evidence_t *ev, const uint8_t *voter,
                           uint64_t pages, uint64_t of, unsigned share);

/*
 * The number of a directory in the template; 0: all of the site, or there are
 * too many (dir->hash is set).
 */
unsigned dt_quorum_number(dt_evidence_t *ev, dt_quorum_dir_t *dir);

/* what the head of the template says of directories */
void dt_quorum_write(const dt_evidence_t *ev, dt_template_head_t *h);


#endif /* DT_QUORUM_H_INCLUDED_ */
