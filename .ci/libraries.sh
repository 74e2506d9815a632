#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# libraries.sh MODULE   checks that the module needs neither gumbo nor libcurl,
#                       as a library or by a name that it leaves open: what
#                       parses pages and fetches them is in no nginx process

set -u

if [ ! -f "$1" ]; then
    echo "$1: not built"
    exit 1
fi

rc=0

for lib in $(ldd "$1" | sed -nE 's/^[[:space:]]*(lib(curl|gumbo)[^ ]*).*/\1/p')
do
    echo "$1: needs $lib"
    rc=1
done

for name in $(nm -D -u "$1" \
              | sed -nE "s/^ *U ((gumbo_|kGumbo|curl_)[^@]*).*/\1/p")
do
    echo "$1: leaves $name open"
    rc=1
done

exit $rc
