
/*
 * Copyright (C) The detemplate authors
 *
 * Says which page is learned next: one that shows little of the template, as
 * long as the site may load pages.  The module asks while it serves a page,
 * and again when the page's turn comes.  The learner asks when it has the
 * page. bench/simulate does the same as they do.
 */


#ifndef DT_DUE_H_INCLUDED_
#define DT_DUE_H_INCLUDED_


#include "core/base/dt.h"


/*
 * Returns the percent of a site's loads up to which a page is due.  path is
 * the page's path; words is how many of its words a checked template found to
 * be template.  The result is 100 when the page shows little of what the
 * template usually covers; less when it is in a directory of which few pages
 * were loaded; and least otherwise: where the links of a page lead nowhere,
 * the pages that visitors ask for are all that there is to learn from.
 */
unsigned dt_due_share(const void *tmpl, dt_str_t path, uint32_t words);

/* Returns the percent of a site's loads that are used, at most 100. */
unsigned dt_due_used(uint64_t loads, uint64_t most);

/* Whether a page of that share is due when this percent of loads is used. */
static inline int
dt_due(unsigned share, unsigned used)
{
    return used < share;
}


#endif /* DT_DUE_H_INCLUDED_ */
