
/*
 * Copyright (C) The detemplate authors
 *
 * A site's template: versioned, checksummed, position-independent bytes, which
 * are the same in shared memory, in Redis and on disk.  They have two parts:
 * the tables that serve, and then the evidence, which only learning needs.  A
 * copy for serving may end behind the first part.
 */


#ifndef DT_TEMPLATE_H_INCLUDED_
#define DT_TEMPLATE_H_INCLUDED_


#include "core/base/dt.h"
#include "core/template/table.h"


#define DT_TEMPLATE_FORMAT 12
#define DT_TEMPLATE_MAX (4u << 20) /* bytes; a larger one is refused */


typedef struct {
    uint32_t version;    /* counts the learnings merged into it, from 1 */
    uint32_t size;       /* bytes in all */
    uint32_t serve_size; /* bytes that serving needs */
    uint32_t patterns;   /* subtrees and texts that are cut */
    uint32_t loads;      /* pages loaded in all its learnings */
    uint32_t pages;      /* pages whose evidence is in it */
    uint32_t candidates; /* of the last learning */
    uint32_t typical;    /* words of template on a usual page */
    uint32_t coverage;   /* of the last key page, in 1/1000 of its words */
    uint32_t guarded;    /* patterns that the guard keeps, since cutting them
                            would leave hardly anything of a page */
    int64_t learned_at;  /* time of the last learning, seconds since 1970 */
    int64_t created_at;
    uint64_t seed;
} dt_template_info_t;


/*
 * Checks whether len bytes at data are a sound template, whole or cut at
 * serve_size: magic, format, lengths, checksum, every offset.  data must be
 * aligned to 8 bytes.  Returns DT_OK; or DT_EINVAL, and *why, if why is not
 * NULL, is a static word: "truncated", "magic", "format", "size", "checksum",
 * "version", "table" or "evidence".
 * Code that reads a template relies on this check and makes no other.
 */
dt_status_t dt_template_check(const void *data, size_t len, const char **why);

/* Gives a sound template another version, and the checksum to match. */
void dt_template_renumber(void *data, uint32_t version);

/* Returns whether a page that shows this number of words of a checked template
   shows less of it than usual, so that the site should learn more pages. */
int dt_template_low(const void *data, uint32_t words);

/* Reads the head of a checked template. */
void dt_template_info(const void *data, dt_template_info_t *out);

/* Returns the length of the longest run of taken slots, which may go on from
   the last slot to the first; sets *taken to the number of taken slots. */
size_t dt_table_run(const uint64_t *keys, unsigned bits, uint64_t *taken);

/* Returns the checksum of len bytes. */
uint64_t dt_template_sum(const char *p, size_t len);


/*
 * Writes hashes of the directories that a page is in.  The first is its path,
 * which may have several queries.  Then follow the topmost directories, and 0
 * for the rest.
 */
void dt_key_dirs(dt_str_t path, uint64_t dirs[DT_PAGE_DIRS]);

/* Returns a bit set: the directories of the template that the path is in.  The
   first bit is always set. */
uint64_t dt_template_dirs(const dt_template_head_t *h, dt_str_t path);


#endif /* DT_TEMPLATE_H_INCLUDED_ */
