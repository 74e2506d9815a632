
/*
 * Copyright (C) The detemplate authors
 *
 * A learning: key page, links, complete subdigraph, detector, evidence,
 * template bytes.
 */


#ifndef DT_LEARN_H_INCLUDED_
#define DT_LEARN_H_INCLUDED_


#include "core/learn/learning.h"


void dt_learn_opts_init(dt_learn_opts_t *o);

/*
 * Runs a learning.  DT_OK: out->bytes is a template.  DT_DECLINED: the site
 * gave none.  DT_EIO: the key page cannot be fetched now.  out->reason says
 * why.  The caller frees out after any result.
 */
dt_status_t dt_learn(const dt_learn_opts_t *o, dt_learned_t *out);
void dt_learned_free(dt_learned_t *out);


#endif /* DT_LEARN_H_INCLUDED_ */
