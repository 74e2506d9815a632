
/*
 * Copyright (C) The detemplate authors
 *
 * A site's template: versioned, checksummed, position-independent bytes, the
 * same in shared memory, in Redis and on disk.  Two parts: the table that
 * requests look up, and behind it the evidence that only learning needs; a
 * copy for serving may end behind the first.
 */


#ifndef DT_TEMPLATE_H_INCLUDED_
#define DT_TEMPLATE_H_INCLUDED_


#include "core/base/dt.h"


#define DT_TEMPLATE_FORMAT 8
#define DT_TEMPLATE_MAX (4u << 20) /* bytes; a larger one is refused */


typedef struct {
    uint32_t version;    /* counts the learnings merged into it, from 1 */
    uint32_t size;       /* bytes in all */
    uint32_t serve_size; /* bytes that serving needs: copy only these */
    uint32_t patterns;   /* subtrees and texts that are cut */
    uint32_t loads;      /* pages loaded for it, over all learnings */
    uint32_t pages;      /* pages whose evidence is in it */
    uint32_t candidates; /* of the last learning */
    uint32_t typical;    /* words that this template covers on a usual page */
    uint32_t coverage;   /* of the last key page, in 1/1000 */
    uint32_t guarded;    /* patterns that stay, as they would have left hardly
                            anything of a page */
    int64_t learned_at;  /* last learning, seconds since 1970 */
    int64_t created_at;
    uint64_t seed;
} dt_template_info_t;


/*
 * Whether len bytes at data are a sound template, whole or cut at
 * serve_size: magic, format, lengths, checksum, every offset.  data must be
 * aligned to 8 bytes.  DT_OK, or DT_EINVAL with a static word in why (may be
 * NULL): "truncated", "magic", "format", "size", "checksum", "version",
 * "table", "evidence".
 * Everything that reads a template may rely on this check and makes no
 * other.
 */
dt_status_t dt_template_check(const void *data, size_t len, const char **why);

/*
 * Names what a template that dt_template_check() passed makes of pages: two
 * with the same name, whole or cut, by this version of the program, leave the
 * same of any page.  When and from what it was learned does not count, nor its
 * version: that begins anew where a template is lost.
 */
uint64_t dt_template_tag(const void *data);

/* The head of a template that dt_template_check() passed. */
void dt_template_info(const void *data, dt_template_info_t *out);


#endif /* DT_TEMPLATE_H_INCLUDED_ */
