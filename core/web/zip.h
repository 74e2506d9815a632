
/*
 * Copyright (C) The detemplate authors
 *
 * Finds the files in a ZIP (APPNOTE 6.3, ZIP64 included), such as the web
 * archives in a WACZ.  One that is stored without compression can be read
 * where it lies, from any place, which archive libraries do not offer.
 */


#ifndef DT_ZIP_H_INCLUDED_
#define DT_ZIP_H_INCLUDED_


#include "core/web/warc.h"


#define DT_ZIP_FILES 65536 /* files in a ZIP, at most */
#define DT_ZIP_NAME                                                           \
    1024 /* bytes of a name; files with longer ones are
                              passed over */


typedef struct {
    dt_str_t name;   /* with a NUL; valid during the call */
    uint64_t offset; /* of its bytes in the ZIP */
    uint64_t packed; /* their number */
    uint64_t size;   /* and that of the file */
    unsigned method; /* 0: stored, 8: deflated */
} dt_zip_file_t;

/* Takes a file; not 0: stop. */
typedef int (*dt_zip_file_pt)(void *data, const dt_zip_file_t *file);

/*
 * Gives each file of a ZIP of size bytes to file(), in the order of its
 * directory.  DT_EINVAL: it is no ZIP, or broken, or has more than
 * DT_ZIP_FILES; *why is a static string.  DT_DECLINED: file() said stop.
 */
dt_status_t dt_zip_files(dt_warc_read_pt read, void *data, uint64_t size,
                         dt_zip_file_pt file, void *file_data,
                         const char **why);

/* Takes bytes of a file; not 0: stop. */
typedef int (*dt_zip_out_pt)(void *data, const char *p, size_t len);

/* Uncompresses a file that is deflated.  DT_EINVAL: it is broken, or not as
   large as it should be; DT_DECLINED: out() said stop; DT_ENOMEM. */
dt_status_t dt_zip_inflate(dt_warc_read_pt read, void *data,
                           const dt_zip_file_t *file, dt_zip_out_pt out,
                           void *out_data);


#endif /* DT_ZIP_H_INCLUDED_ */
