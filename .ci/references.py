#!/usr/bin/python3
#
# Copyright (C) The detemplate authors
#
"""
references.py > core/html/references.h

Writes the named character references of the HTML standard (13.5), which
Python's html.entities has, as tables in the order of their bytes.
"""

from html.entities import html5

names = sorted({n.rstrip(";") for n in html5})
marks = sorted({v[1] for v in html5.values() if len(v) == 2})

print("""
/*
 * Copyright (C) The detemplate authors
 *
 * The named character references of the standard, 13.5, in the order of their
 * bytes.  Made by .ci/references.py; not to be edited.
 */


#ifndef DT_REFERENCES_H_INCLUDED_
#define DT_REFERENCES_H_INCLUDED_


#include <stdint.h>


/* clang-format off */

/* characters that follow another one */
static const uint16_t dt_reference_marks[] = {""")
print("   ", ", ".join(["0"] + ["%d" % ord(m) for m in marks]))
print("""};

/* each name behind its character: bit 31 is set where it needs no semicolon,
   bits 24 to 27 are the mark that follows */
static const uint32_t dt_reference_chars[] = {""")

line = "   "
for n in names:
    v = html5.get(n + ";") or html5[n]
    c = ord(v[0])
    if len(v) == 2:
        c |= (marks.index(v[1]) + 1) << 24
    if n in html5:
        c |= 1 << 31
    word = " %uu," % c
    if len(line) + len(word) > 79:
        print(line)
        line = "   "
    line += word
print(line)
print("};\n\n/* where they begin */\n"
      "static const uint16_t dt_reference_at[] = {")

line = "   "
at = 0
for n in names + [""]:
    word = " %d," % at
    at += len(n) + 1
    if len(line) + len(word) > 79:
        print(line)
        line = "   "
    line += word
print(line)

print("};\n\n/* the names, each ended by a semicolon */\n"
      "static const char dt_reference_names[] =")

line = "    \""
for n in names:
    if len(line) + len(n) + 2 > 78:
        print(line + '"')
        line = "    \""
    line += n + ";"
print(line + '";')
print("""
/* clang-format on */


#endif /* DT_REFERENCES_H_INCLUDED_ */""")
