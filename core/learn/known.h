
/*
 * Copyright (C) The detemplate authors
 *
 * Says whether a template would learn nothing from a page.
 */


#ifndef DT_KNOWN_H_INCLUDED_
#define DT_KNOWN_H_INCLUDED_


#include "core/web/url.h"


/*
 * Whether the module would not queue the page for a learning after serving it
 * by this template (checked), when used percent of the site's loads are used:
 * see dt_due().  src is the bytes of the page.  Without memory it returns 0.
 */
int dt_known(const void *tmpl, const dt_url_t *url, dt_str_t src,
             unsigned used);


#endif /* DT_KNOWN_H_INCLUDED_ */
