
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_CONFINE_H_INCLUDED_
#define DT_CONFINE_H_INCLUDED_


#include "core/base/dt.h"


/* restricts a process that parses untrusted pages */

/*
 * Restricts this process, which must have one thread, for good.  It may read
 * files, connect over IP, allocate memory and start threads.  It may not
 * execute, fork, open files for writing, signal or trace other processes,
 * connect to local sockets, or accept connections: these calls fail.  Where
 * the kernel has Landlock, it also cannot read memory, environment or
 * descriptors of other processes.
 *
 * DT_DECLINED: this machine or kernel has no filter of system calls; all other
 * restrictions hold.
 */
dt_status_t dt_confine(void);


#endif /* DT_CONFINE_H_INCLUDED_ */
