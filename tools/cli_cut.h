
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_CLI_CUT_H_INCLUDED_
#define DT_CLI_CUT_H_INCLUDED_


#include "core/scan/hand.h"
#include "cli.h"
#include "cli_corpus.h"


/*
 * Reads the selectors of --keep and --force into list, which must outlive
 * *hand: the list, or NULL when there are none.  Returns an exit code.
 */
int dt_cli_hand(const dt_cli_args_t *args, dt_hand_t *list,
                const dt_hand_t **hand);

/*
 * Calls report for each range that a template cuts from a page, in order.
 * bold: as without "detemplate_cut cautious".  hand: the selectors that
 * keep and cut regions, or NULL.
 */
dt_status_t dt_cli_cuts(const void *tmpl, dt_str_t page, const dt_url_t *url,
                        unsigned bold, const dt_hand_t *hand,
                        void (*report)(void *data, uint64_t start,
                                       uint64_t end),
                        void *data);

/*
 * Compiles a template from nothing but the nodes that a detector found on the
 * page, cuts the page by it, and calls report for each range that is cut, in
 * order.  nodes has a mark for each node of the page, and is changed.
 */
void dt_cli_cut(const dt_cli_page_t *page, uint8_t *nodes,
                void (*report)(void *data, uint64_t start, uint64_t end),
                void *data);


#endif /* DT_CLI_CUT_H_INCLUDED_ */
