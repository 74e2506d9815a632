
/*
 * Copyright (C) The detemplate authors
 *
 * Which pages count as one.
 */


#ifndef DT_ALIKE_H_INCLUDED_
#define DT_ALIKE_H_INCLUDED_


#include "core/rules/evidence.h"


/* how much of their words, by how rare these are, pages i < j share: in
   thousandths of what the one has that has less */
typedef struct {
    uint16_t share[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_alike_t;

/*
 * Which page each page votes with, by their numbers: the first of those that
 * are alike (print view, soft 404).  with has DT_PAGES_MAX places.  alike may
 * be NULL.
 */
void dt_alike(const dt_evidence_t *ev, uint8_t *voter, dt_alike_t *alike);


#endif /* DT_ALIKE_H_INCLUDED_ */
