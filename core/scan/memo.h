
/*
 * Copyright (C) The detemplate authors
 *
 * Whole regions by their bytes: most of a site's template is the same on each
 * page, byte for byte, and hashing bytes is ten times as fast as reading tags.
 * What the scanner finds the slow way, twice or on the first page, is kept
 * beside the template, with all that it depended on; where the same bytes come
 * again in the same place, they are stepped over.  Nothing is found that the
 * slow way would not find, and no template has to say anything about it.
 */


#ifndef DT_MEMO_H_INCLUDED_
#define DT_MEMO_H_INCLUDED_


#include "core/base/dt.h"


#define DT_MEMO_LEAST 48   /* bytes of a region that is worth it */
#define DT_MEMO_MOST 32768 /* bytes of one that may have to be held */
#define DT_MEMO_STOPS 4    /* where its hash is compared on the way */


/* what regions of one template look like; for one thread */
typedef struct dt_memo_s dt_memo_t;

/* bytes of memory that one takes */
size_t dt_memo_size(void);

/* makes one of that memory; it needs no end */
dt_memo_t *dt_memo_init(void *memory);

/* asks for what pages will need of it, see dt_prefetch() */
void dt_memo_prefetch(const dt_memo_t *m);


#endif /* DT_MEMO_H_INCLUDED_ */
