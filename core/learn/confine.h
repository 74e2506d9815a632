
/*
 * Copyright (C) The detemplate authors
 *
 * What is left to a process that parses pages nobody has looked at.
 */


#ifndef DT_CONFINE_H_INCLUDED_
#define DT_CONFINE_H_INCLUDED_


#include "core/base/dt.h"


/*
 * From here on this process, which has one thread, may read files, connect
 * over IP, take memory and start threads; it may not execute, fork, write to
 * files it has not open, signal or trace others, connect to local sockets,
 * or accept connections: these calls fail.  Nor may it read memory,
 * environment or descriptors of others, where the kernel has Landlock.  There
 * is no way back.
 *
 * DT_DECLINED: there is no filter of system calls, for this machine or in this
 * kernel; the rest holds.
 */
dt_status_t dt_confine(void);


#endif /* DT_CONFINE_H_INCLUDED_ */
