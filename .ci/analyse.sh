#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# analyse.sh CC CLANG_TIDY FLAG ...
#
# Reads core and tools with three analysers, and the module, which needs the
# flags, with the warnings of clang; fails on what .ci/analyses.known does not
# list.
#
# A line there is a file, a check, and why it is wrong there; those that are
# not found any more are complained of as well.

set -u

cd "$(dirname "$0")/.." || exit 1

cc=${1:-gcc}
tidy=${2:-clang-tidy}
shift 2
nginx="$* -Wall -Wextra -Wpointer-arith -Wconditional-uninitialized"
nginx="$nginx -Wno-unused-parameter"
known=.ci/analyses.known
flags='-std=c11 -D_GNU_SOURCE -I.'
checks='-*,clang-analyzer-*,bugprone-*,misc-redundant-expression'
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafe*"
checks="$checks,-bugprone-easily-swappable-parameters"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result"
checks="$checks,-bugprone-narrowing-conversions"
checks="$checks,-bugprone-reserved-identifier,-bugprone-macro-parentheses"
checks="$checks,-bugprone-assignment-in-if-condition"
checks="$checks,-bugprone-not-null-terminated-result"
own='-*,clang-diagnostic-*,bugprone-branch-clone,misc-redundant-expression'

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# each file by itself, with as many at once as there are processors; for each
# file a process of clang-tidy of its own, which confuses the names of several

# shellcheck disable=SC2016
analyse='
    out=$found/$(echo "$1" | tr / _)

    $cc $flags -O1 -fanalyzer -c -o /dev/null "$1" 2>&1 |
        grep "warning: .*-Wanalyzer-" >"$out.gcc"
    $tidy --quiet --checks="$checks" "$1" -- $flags 2>/dev/null |
        grep "warning: .*\]\$" | sed "s|^$PWD/||" >"$out.tidy"
'
warn='
    $tidy --quiet --checks="$own" "$1" -- $flags $nginx \
        2>/dev/null | grep "warning: .*\]\$\|error: .*\]\$" |
        sed "s|^$PWD/||" >"$found/$(echo "$1" | tr / _).warn"
'
export cc tidy flags checks found own nginx

# cppcheck follows calls between files in one process only

cppcheck -q --enable=warning,portability --std=c11 -D_GNU_SOURCE \
    -D__x86_64__ -D__linux__ -I. --template='{file}:{line}: {message} [{id}]' \
    --template-location= core tools >"$found/cppcheck" 2>&1 &

printf '%s\n' core/*/*.c tools/*.c |
    xargs -P "$(nproc)" -I '{}' sh -c "$analyse" sh '{}'
printf '%s\n' ngx_module/*.c ngx_module/*/*.c |
    xargs -P "$(nproc)" -I '{}' sh -c "$warn" sh '{}'
wait

cat "$found"/* >"$found/all"

perl - "$found/all" "$known" << 'END'
    use strict;

    my ($found, $known) = @ARGV;
    my (%known, %seen, $bad);

    open my $fh, '<', $known or die "$known: $!\n";
    for (<$fh>) {
        $known{"$1 $2"} = 1 if /^([^#\s]\S*)\s+(\S+)\s+\S/;
    }

    open $fh, '<', $found or die "$found: $!\n";
    for my $line (<$fh>) {
        my ($file, $check) = $line =~ /^([^:]+):.*\[(?:-W)?([^\s\]]+)\]$/
            or next;

        next if $seen{"$file $check"}++ && $known{"$file $check"};
        next if $known{"$file $check"};
        print $line;
        $bad++;
    }

    for (sort grep { !$seen{$_} } keys %known) {
        print "$known: not found any more: $_\n";
        $bad++;
    }

    print $bad ? "analyse: $bad complaints\n"
        : 'analyse: nothing but ' . keys(%known) . " that are known\n";
    exit($bad ? 1 : 0);
END
