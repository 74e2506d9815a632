
/*
 * Copyright (C) The detemplate authors
 *
 * Pages that are alike have one vote together.
 */


#ifndef DT_ALIKE_H_INCLUDED_
#define DT_ALIKE_H_INCLUDED_


#include "core/rules/verdict.h"


/* share[i][j], for pages i < j: the words that both pages show, in thousandths
   of the words of the page that has less; words are weighed by rarity */
typedef struct {
    uint16_t share[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_alike_t;

/*
 * Sets which pages are alike, such as a page and its print view.  If alike is
 * not NULL, its shares are set too.
 */
void dt_alike(const dt_evidence_t *ev, dt_voters_t *voters, dt_alike_t *alike);


#endif /* DT_ALIKE_H_INCLUDED_ */
