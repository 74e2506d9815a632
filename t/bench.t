#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# Each line that bench/accuracy --ablation and bench/mutants change is there.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

plan skip_all => 'no python3' if !-x '/usr/bin/python3';

my $top = abs_path("$FindBin::Bin/..");
my $dir = tempdir(CLEANUP => 1);

my $out = qx($top/bench/accuracy --list 2>&1);

is($?, 0, 'all cuts fit') or diag($out);
like($out, qr/^  href +targets of links do not count$/m, 'named');

$out = qx($top/bench/mutants --list 2>&1);

is($?, 0, 'all mutants fit') or diag($out);
like($out, qr/^near +links: all places /m, 'mutant named');
like($out, qr/^support=2 +/m, 'mutant of a number named');

system('cp', '-r', map({ "$top/$_" } qw(bench core ngx_module)), $dir) == 0
    or die;
system('sed', '-i', '/case DT_NAME_HREF:/d', "$dir/core/scan/token.c") == 0
    or die;

$out = qx($dir/bench/accuracy --list 2>&1);

isnt($?, 0, 'a line is missing');
like($out, qr/cut href: not once in core\/scan\/token.c/, 'and named');

system('sed', '-i', 's/>= ev->rules.empty/> ev->rules.empty/',
       "$dir/core/rules/guard.c") == 0 or die;

$out = qx($dir/bench/mutants --list 2>&1);

isnt($?, 0, 'a mutant does not fit');
like($out, qr/cut guard-half: not once in core\/rules\/guard.c/, 'and named');

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

done_testing();
