
/*
 * Copyright (C) The detemplate authors
 *
 * Which pages count as one.
 */


#ifndef DT_ALIKE_H_INCLUDED_
#define DT_ALIKE_H_INCLUDED_


#include "core/rules/evidence.h"


/*
 * Which page each page votes with, by their numbers: the first of those that
 * are alike (print view, soft 404).  with has DT_PAGES_MAX places.
 */
void dt_alike(const dt_evidence_t *ev, uint8_t *with);


#endif /* DT_ALIKE_H_INCLUDED_ */
