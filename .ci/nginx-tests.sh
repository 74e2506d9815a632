#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# nginx-tests.sh TESTS BUILD MODULE   runs nginx's own tests without the module
#                 and with it on everywhere, in each mode, and lists the files
#                 that pass without it and fail with it
#
# TESTS is a copy of nginx's test suite, MODULE the module.  What each file
# printed stays in BUILD/nginx-tests.
#
# NGINX_TESTS="FILE ..."   these files only
# NGINX_TESTS_TIME=N       each of the runs begins no file after N seconds

# what others expand stands in single quotes; lists are split; one() is called
# by others
# shellcheck disable=SC2016,SC2086,SC2317

set -uo pipefail

if [ ! -f "$1/lib/Test/Nginx.pm" ]; then
    echo "nginx-tests.sh: no test suite of nginx in '$1'" >&2
    exit 1
fi

tests=$(cd "$1" && pwd)

mkdir -p "$2"
out=$(realpath "$2")/nginx-tests
module=$(realpath "$3")
modes='strip annotate'

# a file takes seconds; what stands still is ended
limit=120
export limit tests out


# the suite has ports of its own, the same for all who run it; in namespaces
# of their own nobody is in its way, and no process is left; in there the suite
# is run by a user without rights, as it expects
if [ "$(id -u)" = 0 ] && [ "${4-}" != inside ]; then
    unshare --mount --net --pid --fork --kill-child --mount-proc \
        "$0" "$1" "$2" "$3" inside
    exit
fi

as=
if [ "${4-}" = inside ]; then
    trap 'exit 1' INT TERM
    ip link set lo up
    as='setpriv --reuid nobody --regid nogroup --clear-groups'
fi
export as


# one RUN FILE: its line in the table of the run
one() {
    local rc=0 result log="$out/$1/$2.log"

    if [ "$(date +%s)" -ge "$end" ]; then
        echo "late $2"
        return
    fi

    (cd "$tests" && exec timeout -k 5 "$limit" $as perl "$2") \
        >"$log" 2>&1 || rc=$?

    case $rc in
        0) result=ok; ! grep -q '^1\.\.0' "$log" || result=skipped ;;
        124|137) result=slow ;;
        *) result=failed ;;
    esac

    echo "$result $2"
}

export -f one


# with MODE: what is set everywhere, for all types of responses; a mode may
# have more directives behind it
with() {
    unset TEST_NGINX_GLOBALS TEST_NGINX_GLOBALS_HTTP

    if [ "$1" != without ]; then
        export TEST_NGINX_GLOBALS="load_module $module;
"
        export TEST_NGINX_GLOBALS_HTTP="detemplate_zone all:4m;
detemplate $1; detemplate_types *;
"
    fi
}


# run NAME MODE N < files > table; so many at once, for they sleep most of the
# time
run() {
    local end=$(($(date +%s) + ${NGINX_TESTS_TIME:-1800}))

    export end
    mkdir -p "$out/$1"
    with "$2"
    xargs -P"$3" -I{} bash -c 'one "$@"' one "$1" {}
}


files() {
    sed -n "s/^$1 //p" "$out/$2.table" | sort
}


summary() {
    printf '%-10s' "$1"
    cut -d' ' -f1 "$out/$1.table" | sort | uniq -c |
        awk '{ printf "%s %s %s", (NR > 1 ? "," : ""), $1, $2 }
             END { print "" }'
}


rm -rf "$out"
mkdir -p "$out"

TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
chmod 1777 "$TMPDIR"
export TMPDIR
export TEST_NGINX_BINARY=${TEST_NGINX_BINARY:-/usr/sbin/nginx}
export TEST_NGINX_MODULES=${TEST_NGINX_MODULES:-/usr/lib/nginx/modules}

# those of mail and stream have no place for the module
(cd "$tests" && grep -l '%%TEST_GLOBALS_HTTP%%' ${NGINX_TESTS:-*.t}) |
    run without without 4 > "$out/without.table"
summary without

rc=0

for mode in $modes; do
    files ok without | run "$mode" "$mode" 4 > "$out/$mode.table"
    summary "$mode"

    # once more: is it the module, or is the file not steady; or does it count
    # requests, of which the learner makes some
    files 'failed\|slow' "$mode" > "$out/$mode.again"
    run "$mode-again" "$mode" 1 < "$out/$mode.again" > "$out/$mode-again.table"
    run "$mode-none" without 1 < "$out/$mode.again" > "$out/$mode-none.table"
    run "$mode-alone" "$mode; detemplate_learn off" 1 \
        < "$out/$mode.again" > "$out/$mode-alone.table"

    while read -r result file; do
        if [ "$result" = ok ] ||
            ! grep -qx "ok $file" "$out/$mode-none.table"
        then
            echo "$mode: $file: not steady"
        elif grep -qx "ok $file" "$out/$mode-alone.table"; then
            echo "$mode: $file: $result, but not with detemplate_learn off"
        else
            echo "$mode: $file: $result"
            rc=1
        fi
    done < "$out/$mode-again.table"
done

exit $rc
