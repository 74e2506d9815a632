#!/bin/sh
#
# Copyright (C) The detemplate authors
#
# analyse.sh CC CLANG_TIDY    reads core and tools with three analysers, and
#                             fails on what .ci/analyses.known does not list
#
# A line there is a file, a check, and why it is wrong there; those that are
# not found any more are complained of as well.

set -u

cd "$(dirname "$0")/.." || exit 1

cc=${1:-gcc}
tidy=${2:-clang-tidy}
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

found=$(mktemp)
trap 'rm -f "$found"' EXIT

for f in core/*/*.c tools/*.c; do
    # shellcheck disable=SC2086
    $cc $flags -O1 -fanalyzer -c -o /dev/null "$f" 2>&1
done | grep 'warning: .*-Wanalyzer-' >>"$found"

cppcheck -q --enable=warning,portability --std=c11 -D_GNU_SOURCE \
    -D__x86_64__ -D__linux__ -I. --template='{file}:{line}: {message} [{id}]' \
    --template-location= core tools >>"$found" 2>&1

# one process for each file: with several the names of the first one's calls
# are looked for by addresses that mean others in the next
for f in core/*/*.c tools/*.c; do
    # shellcheck disable=SC2086
    $tidy --quiet --checks="$checks" "$f" -- $flags 2>/dev/null
done | grep 'warning: .*\]$' | sed "s|^$PWD/||" >>"$found"

perl - "$found" "$known" << 'END'
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
