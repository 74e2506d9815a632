#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The demo: it learns a real site, shows it, and checks its own output.

use File::Basename qw/ basename dirname /;
use File::Copy qw/ copy /;
use File::Temp qw/ tempdir /;
use Test::Detemplate;

plan(skip_all => 'no python3-doc')
    if !-e '/usr/share/doc/python3-doc/html/index.html';
plan(skip_all => 'the demo is for modules, and hands on no environment')
    if $Test::Detemplate::MODULE eq '' || $ENV{ASAN_OPTIONS};

my $module = File::Spec->rel2abs($Test::Detemplate::MODULE);

# root's clone may lie where nobody else can enter

my $closed = tempdir('dt-demo-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0700, $closed;

copy($_, $closed) for $module, dirname($module) . '/detemplate';
chmod 0755, "$closed/detemplate";

local $ENV{TEST_NGINX_MODULE} = "$closed/" . basename($module);

# its requests stay on this machine

local $ENV{http_proxy} = 'http://127.0.0.1:1';

$SIG{ALRM} = sub { die "the demo takes too long\n" };
alarm 250 * $Test::Detemplate::PATIENCE;

my $said = `$TOP/tools/demo --check 2>&1`;

is($?, 0, 'exit code');
like($said, qr/^all checks passed$/m, 'all checks') or diag($said);
like($said, qr{^/library/json\.html +\d+ -> +\d+ .* -> +\d+$}m,
    'words, tokens and bytes');
unlike($said, qr/words: \|/, 'no lists of regions');

like(`$TOP/tools/demo --chek 2>&1`, qr/^usage: demo/, 'another argument');

done_testing();
