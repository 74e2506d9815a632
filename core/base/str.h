
/*
 * Copyright (C) The detemplate authors
 *
 * What is done with slices of ASCII in more than one room.
 */


#ifndef DT_STR_H_INCLUDED_
#define DT_STR_H_INCLUDED_


#include "core/base/dt.h"


/* c in lower case, where it is an ASCII letter */
static inline char
dt_lower(char c)
{
    return (char) (c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}


/* s without outer bytes up to 0x20: spaces, tabs, line breaks */
dt_str_t dt_str_trim(dt_str_t s);

/* Whether both are the same, the case of ASCII letters aside. */
int dt_str_case_eq(dt_str_t a, dt_str_t b);

/* The byte that the "%XX" at the beginning of s stands for; -1: none does. */
int dt_percent_decode(dt_str_t s);

/* Writes "%XX" for the byte c, in upper case; returns what is behind it. */
char *dt_percent_encode(char *p, unsigned char c);


#endif /* DT_STR_H_INCLUDED_ */
