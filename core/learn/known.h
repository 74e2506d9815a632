
/*
 * Copyright (C) The detemplate authors
 *
 * Says whether a template would learn nothing from a page.
 */


#ifndef DT_KNOWN_H_INCLUDED_
#define DT_KNOWN_H_INCLUDED_


#include "core/web/url.h"


/*
 * Whether serving the page, with these bytes, by this template (checked) would
 * not ask for a learning, when used percent of the site's loads are used up:
 * see dt_due().  When that cannot be told it is not.
 */
int dt_known(const void *tmpl, const dt_url_t *url, dt_str_t src,
             unsigned used);


#endif /* DT_KNOWN_H_INCLUDED_ */
