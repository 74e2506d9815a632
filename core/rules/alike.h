
/*
 * Copyright (C) The detemplate authors
 *
 * Finds pages that are alike, which have one vote together.
 */


#ifndef DT_ALIKE_H_INCLUDED_
#define DT_ALIKE_H_INCLUDED_


#include "core/rules/evidence.h"


/* share[i][j], for pages i < j: the words that both pages show, in thousandths
   of the words of the page that has less; words are weighed by rarity */
typedef struct {
    uint16_t share[DT_PAGES_MAX][DT_PAGES_MAX];
} dt_alike_t;

/*
 * Sets voter[i] for each page i: the first of the pages that it is alike with,
 * such as the page itself, or the page of which i is the print view.  voter
 * has room for DT_PAGES_MAX numbers.  If alike is not NULL, its shares are set
 * too.
 */
void dt_alike(const dt_evidence_t *ev, uint8_t *voter, dt_alike_t *alike);


#endif /* DT_ALIKE_H_INCLUDED_ */
