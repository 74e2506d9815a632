#!/bin/bash
#
# Copyright (C) The detemplate authors
#
# A small site, and what is checked of it at port 80 of a network of its own,
# for the scripts that include this file.  $top, $dir and $log are theirs, and
# so is $failed, which is 1 when a check has failed.

# shellcheck disable=SC2154

ok() {
    if "${@:2}" >>"$log" 2>&1; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        failed=1
    fi
}


# pages DIR   writes the pages of the site
pages() {
    local i

    for i in 1 2 3 4 5 6 7 8; do
        perl -I"$top/t/lib" -MTest::Detemplate \
            -e 'print page($ARGV[0])' $i > "$1/p$i.html"
    done
}


page() {
    curl -s -S -i --max-time 20 "http://localhost:${port:-80}/p3.html"
}


stripped() {
    local i

    for i in $(seq 150); do
        page > "$dir/page"
        ! grep -q '^Detemplate: hit; mode=strip' "$dir/page" || return 0
        sleep 0.2
    done

    return 1
}


# what of the page is whose, by t/lib
only_content() {
    ! grep -qE '<nav>|<header|<footer|almanac society' "$dir/page" &&
        grep -q '<h1>' "$dir/page" && grep -q '</main>' "$dir/page"
}


# learned NAME   whether a site that nobody has seen is learned in ten seconds
learned() {
    local i

    for i in $(seq 100); do
        ! curl -s -D - -o /dev/null -H "Host: $1.example.com" \
            http://127.0.0.1/p3.html | grep -q '^Detemplate: hit' || return 0
        sleep 0.1
    done

    return 1
}
