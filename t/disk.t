#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The directory of snapshots: whom its files belong to, and how many bytes they
# take.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Digest::MD5 qw/ md5_hex /;
use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->pages('html');

###############################################################################

# Temporary files: a process of another container may have the number of our
# manager, and be writing the same snapshot.  What nobody has written to for a
# minute is left over.

$t->configure(name => 'named.test');
$t->run();

my ($manager) = map { /start cache manager process (\d+)/ }
    $t->log_lines(qr/start cache manager process/);
my $snapshot = file('named.test');
my $other = "$snapshot.$manager.tmp";

$t->write_file("templates/$other", 'of another container');
ok($t->learn('/p3.html', host => 'named.test'), 'learned');
ok(-s "$d/templates/$snapshot", 'snapshot');
is($t->read_file("templates/$other"), 'of another container',
    'temporary file of another process is left alone');

my @over = ($other, "$snapshot.Xx1_yz.tmp", 'key.Xx1_yz.tmp');
my @stay = ("$snapshot.aaaaaa.tmp", 'key.aaaaaa.tmp', 'key', 'mine.tmp',
    $snapshot);

$t->write_file("templates/$_", 'a part') for @over, 'mine.tmp',
    grep { /aaaaaa/ } @stay;
utime time() - 3000, time() - 3000, "$d/templates/$_" for @over, 'mine.tmp';

$t->stop();
$t->run();
ok(wait_for(sub { !grep { -e "$d/templates/$_" } @over }, 10),
    'what is left over is removed');
is(join(' ', grep { !-e "$d/templates/$_" } @stay), '',
    'other files stay');

$t->no_alerts();

done_testing();

###############################################################################

# the name of the site's snapshot

sub file { return md5_hex($_[0]) . '.dt' }
