
/*
 * Copyright (C) The detemplate authors
 *
 * Which page is learned next: one that shows little of the template, as long
 * as the site may load pages.  The module asks while it serves a page, and
 * again when the page's turn comes; the learner asks when it has the page;
 * bench/simulate does as they do.
 */


#ifndef DT_DUE_H_INCLUDED_
#define DT_DUE_H_INCLUDED_


#include "core/base/dt.h"


/*
 * The percent of a site's loads up to which a page with this path is due, on
 * which this many words of template were found, by a template that
 * dt_template_check() passed: 100 when it shows little of what the template
 * usually covers; less when it is in a directory of which hardly any page was
 * loaded; else 0.
 */
unsigned dt_due_share(const void *tmpl, dt_str_t path, uint32_t words);

/* The percent of a site's loads that are used, 100 at the most. */
unsigned dt_due_used(uint64_t loads, uint64_t most);

/* Whether a page of that share is due when this percent of loads is used. */
static inline int
dt_due(unsigned share, unsigned used)
{
    return used < share;
}


#endif /* DT_DUE_H_INCLUDED_ */
