#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# borders.sh [TREE [OBJECTS]]   checks that dependencies point one way: by the
#                               includes of TREE's files, and by the symbols
#                               that the objects under OBJECTS leave open

set -u

tree=${1:-$(dirname "$0")/..}
cd "$tree" || exit 1
objects=${2:-build/nginx/objs/addon}
rc=0


# forbid WHAT PATTERN FILE ...: no file may include PATTERN
forbid() {
    what=$1
    pattern=$2
    shift 2

    for f; do
        [ -f "$f" ] || continue

        found=$(grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]\
($pattern)" "$f") || continue
        echo "$f: $what: $found"
        rc=1
    done
}


# all the files of the core but those named
core_but() {
    for f in core/*.[ch] core/detect/*.[ch]; do
        case " $* " in *" $(basename "$f") "*) ;; *) echo "$f" ;; esac
    done
}


# what core files include, taken on through the core's own headers, and
# through the .c file of each
closure() {
    seen=" $* "
    queue=$*

    while [ -n "$queue" ]; do
        next=

        for f in $queue; do
            [ -f "core/$f" ] || continue

            for h in $(sed -nE 's/^#include "(core\/)?([^"]*)".*/\2/p' \
                       "core/$f"); do
                case $seen in
                    *" $h "*) ;;
                    *) seen="$seen$h "; next="$next $h ${h%.h}.c" ;;
                esac
            done
        done

        queue=$next
    done

    echo "$seen"
}


# shellcheck disable=SC2046
{
    forbid "the core knows nothing of nginx" '(.*/)?ngx_' $(core_but)
    forbid "gumbo is for dom.c only" 'gumbo' $(core_but dom.c) \
        ngx_module/* tools/*
    forbid "libcurl is for url.c and fetch.c only" 'curl/' \
        $(core_but url.c fetch.c) ngx_module/* tools/*
    forbid "hiredis is for redis*.c only" 'hiredis' \
        $(core_but redis.c redis_conn.c redis_conf.c) ngx_module/* tools/*
}

# the request path
# shellcheck disable=SC2046
path=$(closure rewrite.c template.c scan.c \
       $(grep -lF '"scan_i.h"' core/*.c 2>/dev/null | sed 's/.*\///'))

for h in $path; do
    case $h in
        dom.h | fetch*.h | learn.h | redis*.h | detect.h | detect/*)
            echo "the request path includes $h:"
            grep -lF "\"$h\"" core/*.[ch] | sed 's/^/    /'
            rc=1
            ;;
    esac
done

if [ ! -d "$objects" ]; then
    echo "$objects: no objects, build the module first"
    exit 1
fi

for f in $path ngx_http_detemplate_filter_module.c ngx_http_detemplate_zone.c \
         ngx_http_detemplate_status.c; do
    name=$(basename "${f%.?}")
    o=$(find "$objects" -name "$name.o")

    if [ -z "$o" ]; then
        case $f in *.c) echo "$objects: no $name.o"; rc=1 ;; esac
        continue
    fi

    # shellcheck disable=SC2086
    open=$(nm -u $o | sed -nE 's/^ *U ((gumbo_|curl_|redis).*)/\1/p')

    if [ -n "$open" ]; then
        echo "$name.o: the request path calls $open"
        rc=1
    fi
done

exit $rc
