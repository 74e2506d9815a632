
/*
 * Copyright (C) The detemplate authors
 */


#ifndef DT_REFERENCE_H_INCLUDED_
#define DT_REFERENCE_H_INCLUDED_


#include "core/base/dt.h"


#define DT_REFERENCE_MAX 34 /* bytes of the longest that is looked at */


/*
 * Reads the reference whose '&' is at p.  Returns its length, with its
 * character in c[0], and in c[1] one that follows, or 0.  0: there is none,
 * and the '&' is text; -1: more bytes are needed to tell, of which last says
 * that there are none.  value: it is in an attribute.
 */
int dt_reference_read(const char *p, const char *end, int value, int last,
                      uint32_t c[2]);

/* Whether a renderer might take the '&' at p for the beginning of one. */
int dt_reference_like(const char *p, const char *end);

/* Writes a character, at most 4 bytes; returns behind them. */
char *dt_utf8_put(char *p, uint32_t c);

/*
 * Returns the length of the character at p, with itself in *c; 0: there is
 * none, so p is one byte that is not UTF-8; -1: it may be one, of which more
 * bytes are needed.
 */
int dt_utf8_get(const char *p, const char *end, uint32_t *c);

/* Returns the character that a byte above 0x7f is in windows-1252. */
uint32_t dt_windows_char(unsigned char c);


#endif /* DT_REFERENCE_H_INCLUDED_ */
