#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The demo: it learns a real site, shows it, and checks its own output.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

plan(skip_all => 'no apache2-doc')
    if !-e '/usr/share/doc/apache2-doc/manual/en/index.html';
plan(skip_all => 'the demo is for modules, and hands on no environment')
    if $Test::Detemplate::MODULE eq '' || $ENV{ASAN_OPTIONS};

local $ENV{TEST_NGINX_MODULE}
    = File::Spec->rel2abs($Test::Detemplate::MODULE);

# its requests stay on this machine

local $ENV{http_proxy} = 'http://127.0.0.1:1';

$SIG{ALRM} = sub { die "the demo takes too long\n" };
alarm 250;

my $said = `$FindBin::Bin/../tools/demo --check 2>&1`;

is($?, 0, 'exit code');
like($said, qr/^all checks passed$/m, 'all checks') or diag($said);
like($said,
    qr/^    Detemplate: hit; mode=strip; version=\d+; settled/m, 'hits');
like($said, qr/-> +\d+\n/, 'bytes and words');

like(`$FindBin::Bin/../tools/demo --chek 2>&1`, qr/^usage: demo/,
    'another argument');

done_testing();
