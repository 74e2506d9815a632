
/*
 * Copyright (C) The detemplate authors
 *
 * Known regions.  Most of the template of a site has the same bytes on each
 * page, and hashing bytes is ten times as fast as reading tags.  A region that
 * the scanner finds the slow way twice, or on the first page, is kept beside
 * the template with all that it depended on.  Where the same bytes come again
 * at the same place, the scanner steps over them.  It finds nothing that the
 * slow way would not find, and the template has no say in it.
 */


#ifndef DT_MEMO_H_INCLUDED_
#define DT_MEMO_H_INCLUDED_


#include "core/base/dt.h"


#define DT_MEMO_LEAST 48   /* bytes of a region that is worth it */
#define DT_MEMO_MOST 32768 /* bytes of one that may have to be held */
#define DT_MEMO_STOPS 4    /* where its hash is compared on the way */


/* the known regions of one template, for one thread */
typedef struct dt_memo_s dt_memo_t;

/* bytes of memory that a dt_memo_t takes */
size_t dt_memo_size(void);

/* makes a dt_memo_t of that memory; nothing has to be freed */
dt_memo_t *dt_memo_init(void *memory);

/* prefetches what pages will need of it, see dt_prefetch() */
void dt_memo_prefetch(const dt_memo_t *m);


#endif /* DT_MEMO_H_INCLUDED_ */
