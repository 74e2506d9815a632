#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# libraries.sh MODULE   checks that the module needs none of gumbo, libcurl,
#                       libbrotli and hiredis, as a library or by a name that
#                       it leaves open: what parses pages, fetches them and
#                       speaks to Redis is in no nginx process

set -u

if [ ! -f "$1" ]; then
    echo "$1: not built"
    exit 1
fi

rc=0

foreign='lib(curl|gumbo|hiredis|brotli)'
prefixes='gumbo_|kGumbo|curl_|Brotli|redis[A-Z]'

for lib in $(ldd "$1" | sed -nE "s/^[[:space:]]*($foreign[^ ]*).*/\1/p")
do
    echo "$1: needs $lib"
    rc=1
done

for name in $(nm -D -u "$1" \
              | sed -nE \
                  "s/^ *U (($prefixes)[^@]*).*/\1/p")
do
    echo "$1: leaves $name open"
    rc=1
done

exit $rc
