#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# What the benches say of themselves; bench/accuracy --ablation has options
# that bench/simulate knows.

use v5.36;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

plan skip_all => 'no python3' if !-x '/usr/bin/python3';

my $top = abs_path("$FindBin::Bin/..");
my $dir = tempdir(CLEANUP => 1);

my $out = qx($top/bench/accuracy --list 2>&1);

is($?, 0, 'ablation: list');
like($out, qr/^  copies=1 +the key page is compared with copies/m, 'named');

open my $f, '<', "$top/bench/simulate.c" or die "$!";
my $simulate = do { local $/; <$f> };

for my $option (sort keys %{{ map { $_ => 1 } $out =~ /^  ([\w-]+)=/mg }}) {
    next if $option eq 'detector';
    like($simulate, qr/\{ "$option", &/, "ablation: $option is an option");
}

open $f, '>', "$dir/mutant.c" or die "$!";
print $f qq{#include "a==b.h"\n\n/* a == b */\n}
    . qq{int f(int i) { return i-- > 1 && p->x ? '<' : "!"; }\n};
close $f;

is(qx($top/bench/mutants --list $dir/mutant.c), join('', map({
    "$dir/mutant.c:4: $_\n" } '-- -> ++', '> -> >=', '1 -> 2', '&& -> ||'),
    "4 changes\n"), 'mutants: what is changed');

isnt(system("$top/bench/mutants $dir/mutant.c >$dir/out 2>&1"), 0,
     'mutants: no test');

isnt(system("$top/bench/accuracy --svg a >$dir/out 2>&1"), 0,
     '--svg without what it shows');

$out = qx($top/bench/detectors --help 2>&1);
is($?, 0, 'detectors: help');
like($out, qr/--mining/, 'with what it can do');

$out = qx($top/bench/detectors $dir/none 2>&1);
isnt($?, 0, 'detectors: no corpus');
like($out, qr/no corpus at/, 'says so');

$out = qx($top/bench/soak --help 2>&1);
is($?, 0, 'soak: help');
like($out, qr/zone full/, 'with its faults');

$out = qx($top/bench/soak --without nothing 2>&1);
isnt($?, 0, 'soak: no such fault');

$out = qx($top/bench/speed --help 2>&1);
is($?, 0, 'speed: help');
like($out, qr/from the cache/, 'with what it measures');

$out = qx($top/bench/converters /nowhere 2>&1);
isnt($?, 0, 'converters: no pages');
like($out, qr/no pages below/, 'says so');

done_testing();
