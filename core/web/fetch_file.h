
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_FETCH_FILE_H_INCLUDED_
#define DT_FETCH_FILE_H_INCLUDED_


#include "core/web/fetched.h"


/*
 * A dt_fetch_pt over files, for --root and tests.  It reads the URL's path
 * below the directory; then "index.html" in it; then the name with ".html".
 */
typedef struct {
    const char *root; /* directory */
    const char *base; /* the URL that the directory stands for; ends in "/" */
} dt_fetch_files_t;

void dt_fetch_file(void *data, const char *url, dt_arena_t *a,
                   dt_fetched_t *out);


#endif /* DT_FETCH_FILE_H_INCLUDED_ */
