
/*
 * Copyright (C) The detemplate authors
 */


#include "core/template/due.h"
#include "core/template/serve.h"
#include "core/template/table.h"


unsigned
dt_due_share(const void *tmpl, dt_str_t path, uint32_t words)
{
    unsigned k, bit;
    uint64_t dirs[DT_PAGE_DIRS];
    const dt_template_head_t *h = tmpl;

    if ((uint64_t) words * 100
        < (uint64_t) (h->typical ? h->typical : 1) * DT_SERVE_LOW)
    {
        return 100;
    }

    /* /a/b/ is in /a/ */

    path.len -= path.len && path.data[path.len - 1] == '/';
    dt_key_dirs(path, dirs);

    for (k = DT_PAGE_DIRS - 1; k && dirs[k] == 0; k--) { /* void */
    }

    bit = dt_template_known(dirs[k]);

    return k && !(h->known[bit / 64] >> bit % 64 & 1) ? DT_SERVE_SPARE
                                                      : DT_SERVE_ANY;
}


unsigned
dt_due_used(uint64_t loads, uint64_t most)
{
    return loads < most ? (unsigned) (loads * 100 / most) : 100;
}
