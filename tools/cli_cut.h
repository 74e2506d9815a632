
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_CLI_CUT_H_INCLUDED_
#define DT_CLI_CUT_H_INCLUDED_


#include "cli_corpus.h"


/* Calls took for each range that a template cuts of a page, in order; bold: as
   with "detemplate_cut bold". */
dt_status_t dt_cli_cuts(const void *tmpl, dt_str_t page, const dt_url_t *url,
                        unsigned bold,
                        void (*took)(void *data, uint64_t start, uint64_t end),
                        void *data);

/*
 * Compiles a template in which nothing counts but what a detector found on
 * the page, cuts the page with it, and calls took for each range cut, in
 * order.  nodes, one for each of the page, are changed.
 */
void dt_cli_cut(const dt_cli_page_t *page, uint8_t *nodes,
                void (*took)(void *data, uint64_t start, uint64_t end),
                void *data);


#endif /* DT_CLI_CUT_H_INCLUDED_ */
