
/*
 * Copyright (C) The detemplate authors
 *
 * Decides on a whole page which parts of it are template.
 */


#ifndef DT_CUT_H_INCLUDED_
#define DT_CUT_H_INCLUDED_


#include "core/scan/hand.h"
#include "core/scan/state.h"


/* a page about which is decided */
typedef struct {
    dt_str_t page;
    dt_record_t *r; /* its records, of which states are set */
    uint32_t n;
    const uint32_t *hot; /* numbers of those that were looked up */
    uint32_t nhot;
    const dt_scan_t *scan; /* its state at the end */
    const dt_hand_t *hand; /* selectors that keep and cut; NULL: none */
    unsigned keep_links;   /* no link is template, nor elements around it */
    uint64_t most;         /* words of template that may be cut */

    uint32_t kept;  /* elements that are kept by hand */
    uint32_t words; /* of template found, whether it stays or not, */
    uint32_t cut;   /* and of the parts that are cut */
    unsigned guard; /* more words would be cut than may be: none are */
} dt_cut_t;


/*
 * Decides about all records: those that are cut as a whole have DT_RECORD_CUT,
 * DT_RECORD_SHAPED or DT_RECORD_FORCED, and so may have records in them.
 */
void dt_cut(dt_cut_t *c);


#endif /* DT_CUT_H_INCLUDED_ */
