#!/usr/bin/env python3

# Copyright (C) The detemplate authors

"""doors.py [TREE [-v]]

Counts the places where a file of core or ngx_module has a second door: circles
of files that include each other (a .c and the header of its name are one
file), functions that the header of another file declares, members of a
request's context that more than one file sets; and lines of C.  With -v, lists
them.  Fails where a count is above its bound.
"""

import collections
import glob
import os
import re
import sys

BOUNDS = {'circles': 0, 'functions': 0, 'members': 3, 'lines': 67500}

# tables that a program has written
GENERATED = ('core/html/references.h', 'core/rules/model.c')

INCLUDE = re.compile(r'^ *# *include "(.*)\.h"', re.M)

# "ctx->a.b = ", "++ctx->a", and a function that is to fill in ctx->a
SETS = re.compile(r'\bctx->([a-z_.]+)\s*(?:[-+|&^]?=(?!=)|\+\+|--)'
                  r'|(?:\+\+|--)ctx->([a-z_.]+)'
                  r'|\bngx_str_(?:set|null)\(&ctx->([a-z_.]+)')


def bare(text):
    """text without comments, strings and directives"""
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                  ' ', text, flags=re.S)
    return re.sub(r'^[ ]*#(?:.*\\\n)*.*', '', text, flags=re.M)


def top(text):
    """text outside of all braces, which has the braces themselves"""
    out, depth = [], 0

    for c in text:
        depth -= c == '}'
        if depth == 0:
            out.append(c)
        depth += c == '{'

    return ''.join(out)


def functions(text):
    """the functions that a file defines for others, and those it declares"""
    found = {'{': set(), ';': set(), '}': set()}

    for part, end in re.findall(r'([^;{}]*)([;{}])', top(bare(text))):
        m = re.match(r'\s*(\w[\w\s*]*?)\b(\w+)\s*\(', part)

        if m and not {'static', 'typedef'} & set(m[1].split()):
            found[end].add(m[2])

    return found['{'], found[';']


def circles(includes):
    """groups of files that include each other, as Tarjan finds them"""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)

        for w in sorted(includes[v]):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])

            elif w in stack:
                low[v] = min(low[v], index[w])

        if low[v] == index[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(' '.join(sorted(stack[at:])))
            del stack[at:]

    for v in sorted(includes):
        if v not in index:
            visit(v)

    return found


def second_headers(text):
    """functions that a header declares and a file of another name defines"""
    defined = {name: f[:-2] for f in text if f.endswith('.c')
               for name in functions(text[f])[0]}

    return [f'{name} of {defined[name]} in {f}'
            for f in sorted(text) if f.endswith('.h')
            for name in sorted(functions(text[f])[1])
            if defined.get(name, f[:-2]) != f[:-2]]


def second_writers(text):
    """members of the context that several files set"""
    writers = collections.defaultdict(set)

    for f in text:
        if f.startswith('ngx_module/'):
            for m in SETS.finditer(bare(text[f])):
                member = re.sub(r'\.(len|data|pos|last|start|end)$', '',
                                m[1] or m[2] or m[3])
                writers[member].add(f)

    return [f'{name} in {" ".join(sorted(files))}'
            for name, files in sorted(writers.items()) if len(files) > 1]


def main():
    args = [a for a in sys.argv[1:] if a != '-v']
    os.chdir(args[0] if args else os.path.dirname(sys.argv[0]) + '/..')

    text, includes = {}, collections.defaultdict(set)

    for f in glob.glob('core/*/*.[ch]') + glob.glob('ngx_module/*.[ch]') \
            + glob.glob('ngx_module/*/*.[ch]'):
        with open(f, encoding='utf-8') as file:
            text[f] = file.read()

    for f in text:
        includes[f[:-2]] |= {h for h in INCLUDE.findall(text[f])
                             if h + '.h' in text and h != f[:-2]}

    found = {'circles': circles(includes),
             'functions': second_headers(text),
             'members': second_writers(text)}
    count = {name: len(rows) for name, rows in found.items()}
    count['lines'] = sum(t.count('\n') for f, t in text.items()
                         if f not in GENERATED)
    failed = False

    for name, n in count.items():
        if n > BOUNDS[name]:
            failed = True
            print(f'{name}: {n}, at most {BOUNDS[name]} may be there')

        elif '-v' in sys.argv:
            print(f'{name}: {n}')

        if n > BOUNDS[name] or '-v' in sys.argv:
            for row in found.get(name, []):
                print('   ', row)

    sys.exit(failed)


main()
