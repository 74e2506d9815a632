
/*
 * Copyright (C) The detemplate authors
 *
 * Reads the pages of a web archive (WARC 1.0 and 1.1, ISO 28500): "response"
 * records of status 200 and "resource" records, of an HTML type.  The file may
 * be compressed, record by record or as a whole.
 */


#ifndef DT_WARC_H_INCLUDED_
#define DT_WARC_H_INCLUDED_


#include <sys/types.h>

#include "core/base/arena.h"
#include "core/base/dt.h"


/* Reads up to size bytes of the file at an offset.  Returns their number, 0 at
   the end of the file, or -1 when they cannot be read. */
typedef ssize_t (*dt_warc_read_pt)(void *data, uint64_t offset, char *buf,
                                   size_t size);

/* where a record begins: uncompressed bytes behind an offset of the file, at
   which in a compressed file a member of gzip begins */
typedef struct {
    uint64_t offset;
    uint64_t skip;
} dt_warc_at_t;

typedef struct {
    dt_warc_at_t at;
    dt_str_t url;       /* as the record says; not checked */
    dt_str_t type;      /* Content-Type */
    dt_str_t body;      /* decoded; empty unless it was asked for */
    const char *reason; /* static word: why there is no body, or NULL:
                           "encoding", "too-large", "truncated",
                           "segmented", "memory", ...
                           */
} dt_warc_page_t;


typedef struct dt_warc_s dt_warc_t;

/* A reader, which begins at the first record.  The caller destroys it.  NULL:
   there is no memory. */
dt_warc_t *dt_warc_create(dt_warc_read_pt read, void *data);
void dt_warc_destroy(dt_warc_t *w);

/* Goes to a record that was read before. */
dt_status_t dt_warc_seek(dt_warc_t *w, dt_warc_at_t at);

/*
 * Reads on to the next page, whose strings are in the arena.  body: whether
 * its body is decoded, at most 4 MiB.  DT_OK: *page is filled in.
 * DT_DECLINED: the file has ended.  DT_EINVAL: it is not a WARC, or broken
 * from here on; DT_EIO: it cannot be read; DT_ENOMEM: there is no memory.
 */
dt_status_t dt_warc_next(dt_warc_t *w, int body, dt_arena_t *a,
                         dt_warc_page_t *page);

/* Returns the fault, as a static string. */
const char *dt_warc_error(const dt_warc_t *w);


#endif /* DT_WARC_H_INCLUDED_ */
