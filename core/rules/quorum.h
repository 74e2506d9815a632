
/*
 * Copyright (C) The detemplate authors
 *
 * Finds the directory in which a pattern may be cut.
 */


#ifndef DT_QUORUM_H_INCLUDED_
#define DT_QUORUM_H_INCLUDED_


#include "core/rules/verdict.h"


/*
 * Returns the pages of the largest directory that has more than half of the
 * pages, but not all of them; 0: there is none.
 */
uint64_t dt_quorum_most(const dt_evidence_t *ev);

/*
 * Fills ev->dirs with the directories of the pages.  It is called once, before
 * the functions below.  voters is the result of dt_alike().  DT_ENOMEM: there
 * is no memory.
 */
dt_status_t dt_quorum_init(dt_evidence_t *ev, const dt_voters_t *voters);

/*
 * Returns the directory in which a pattern may be cut that these pages show;
 * NULL: it may be cut nowhere.
 */
dt_quorum_dir_t *dt_quorum(const dt_evidence_t *ev, const dt_voters_t *voters,
                           uint64_t pages);

/*
 * Returns the number of a directory in the template, which it gives to the
 * directory if it has none.  0: the directory is the whole site (dir->hash is
 * 0), or the template has no more numbers.
 */
unsigned dt_quorum_number(dt_evidence_t *ev, dt_quorum_dir_t *dir);


#endif /* DT_QUORUM_H_INCLUDED_ */
