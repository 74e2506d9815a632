#!/usr/bin/perl

# Copyright (C) The detemplate authors

# coverage.pl OBJECTS TEST ...   runs the unit tests, which were built for
#                                gcov, and prints how many lines of each file
#                                of the core they execute, the least first;
#                                then all, and fails below $least percent
#
# Lines that no test came to are marked ##### in OBJECTS/core/*/*.c.gcov.

use warnings;
use strict;

my $least = 90;

my ($objects, @tests) = @ARGV;
my (@files, $lines, $executed);

# what is left of another run would be added to

unlink glob("$objects/core/*/*.gcda");
chomp(my $jobs = `nproc`);
system('prove', "-j$jobs", @tests) == 0 or exit 1;

for my $object (glob("$objects/core/*/*.o")) {
    my $source = $object =~ s{^\Q$objects\E/(.*)\.o$}{$1.c}r;
    my ($n, $hit, $own) = (0, 0);

    open my $out, '>', $object =~ s/o$/c.gcov/r or die "$object: $!\n";
    open my $in, '-|', "gcov -t -o $object $source 2>/dev/null"
        or die "gcov: $!\n";

    while (<$in>) {
        $own = $1 eq $source if /:Source:(.*)$/;
        print $out $_ if $own;

        if ($own && /^ *([^-\s]\S*): *[1-9]/) {
            $n++;
            $hit++ if $1 =~ /^[0-9]/;
        }
    }

    push @files, [$source, $n, $hit] if $n;
    $lines += $n;
    $executed += $hit;
}

printf "%5.1f %% of %5d  %s\n", 100 * $_->[2] / $_->[1], $_->[1], $_->[0]
    for sort { $a->[2] / $a->[1] <=> $b->[2] / $b->[1] } @files;

my $percent = 100 * $executed / $lines;
printf "%5.1f %% of %5d  core, where %d are wanted\n", $percent, $lines,
    $least;

exit($percent < $least);
