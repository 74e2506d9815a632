#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Names that clients invent.  How many are learned is bounded, and they leave
# room for sites that the configuration names and for tenants of other
# servers.

use List::Util qw(max);
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $clock = $t->clock();

my %conf = (name => '*.any.test', servers => [{ name => 'named.test' }]);

$t->pages('html');

my ($made, $steady) = (0, 0);
my @said;

# invented names of a server take half of what the queue has for them, here
# while the learner waits for its pages

$t->configure(%conf, http => 'detemplate_origin %%HTTP_1%%;');
$t->write_file('wait', '');

$t->answers(1, sub ($uri, @) {
    my ($n) = $uri =~ m{^/p(\d+)\.html} or return;

    select undef, undef, undef, 0.05 while -e "$d/wait";

    return response(page($n));
});

$t->run_with($clock);
names();
soon { $t->learning('running') == 1 } 'queue, the learner is at work';

# a learner whose clock goes ahead may give up, and leave one place free

is(max(map { names(); $t->learning('queued') } 1 .. 6), 48,
    'queue, no more than are left for other servers');
cmp_ok(busy(@said[-20 .. -1]), '>', 0, 'queue, full for invented names');

like(detemplate('/p3.html', host => 'named.test'),
    qr/^miss; reason=no-template$/, 'queue, not full for a configured site');

unlink "$d/wait";
ok($t->idle(60), 'all is learned');
like(detemplate('/p3.html', host => 'named.test'), qr/^hit/,
    'queue, configured site is learned');

# names that are requested while a manager is still in its first pass over the
# directory get their snapshots

my $before = files();

reload();
names();
ok($t->idle(60), 'reload, learned');
is(scalar(files()), $before + 20, 'reload, all new names have files');

# each server has a bucket of its own, also after a reload, and room in the
# queue

$t->stop();
unlink glob "$d/templates/*";
$t->configure(%conf, servers => [{ name => '*.shop.test' }]);
$t->run_with($clock);

my @junk = map { said("j$_.any.test") } 1 .. 100;
my @shops = map { "s$_.shop.test" } 1 .. 15;

cmp_ok(busy(@junk), '>', 50, 'buckets, one is full');
is(busy(map { said($_) } @shops), 0, 'buckets, another server has its own');
ok($t->idle(60), 'buckets, learned');
is(scalar(grep { said($_) =~ /^hit/ } @shops), 15, 'buckets, all learned');

reload();
@junk = map { said("k$_.any.test") } 1 .. 50;
cmp_ok(busy(@junk), '>', 25, 'buckets, still full after a reload');
is(busy(map { said("t$_.shop.test") } 1 .. 2), 0,
    'buckets, likewise of another server');
ok($t->idle(60), 'buckets, learned');

$t->done();

# requests for twenty more names, a minute later

sub names {
    $steady += 61;
    $t->write_file('ahead-steady', $steady);

    for (1 .. 20) {
        $made++;
        push @said, said("n$made.any.test");
    }
}

sub busy { return scalar grep { /^miss; reason=busy$/ } @_ }

sub said { field(http_get('/p3.html', host => $_[0]), 'Detemplate') }

# starts a manager whose first pass takes long

sub reload {
    my $begun = $t->said('start cache manager process');

    $t->write_file("templates/other$_", '') for 1 .. 4000;
    $t->reload();
    soon { $t->said('start cache manager process') > $begun } 'reload', 5;
}

sub files { my @files = glob "$d/templates/*.dt"; return @files }
