#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# hardened.sh FILE ...  checks that modules and programs are linked and
#                       compiled so that a fault in them is hard to use

set -u

rc=0

complain() {
    echo "$1: $2"
    rc=1
}

for file; do
    if [ ! -f "$file" ]; then
        complain "$file" 'not built'
        continue
    fi

    readelf -hW "$file" | grep -q 'Type:  *DYN' \
        || complain "$file" 'its place in memory is fixed'
    readelf -lW "$file" | grep -q GNU_RELRO \
        || complain "$file" 'no RELRO'
    readelf -dW "$file" | grep -q BIND_NOW \
        || complain "$file" 'names are not bound at once'
    readelf -lW "$file" | grep -q 'GNU_STACK.* RWE' \
        && complain "$file" 'its stack can be executed'
    nm -D -u "$file" | grep -q __stack_chk_fail \
        || complain "$file" 'no stack protector'
    nm -D -u "$file" | grep -q '__[a-z]*_chk\(@\|$\)' \
        || complain "$file" 'no _FORTIFY_SOURCE'
done

exit $rc
