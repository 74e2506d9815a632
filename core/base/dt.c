
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/dt.h"


const char *
dt_strstatus(dt_status_t rc)
{
    static const char *const names[] = {
        "ok", "declined", "out of memory", "limit", "invalid", "i/o", "bug",
    };

    return (size_t) rc < sizeof(names) / sizeof(names[0]) ? names[rc] : "?";
}
