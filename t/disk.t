#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The directory of snapshots: whom its files belong to, and how many bytes they
# take.

use Digest::MD5 qw/ md5_hex /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $clock = $t->clock();

$t->write_file("html/o$_.html", other_page($_)) for 1 .. 8;
$t->pages('html');

# Temporary files: a process of another container may have the number of our
# manager, and be writing the same snapshot.  What nobody has written to for a
# minute is left over.

$t->configure(name => 'named.test');
$t->run();

my $manager = $t->process('cache manager');
my $snapshot = file('named.test');
my $other = "$snapshot.$manager.tmp";

$t->write_file("templates/$other", 'of another container');
ok($t->learn('/p3.html', host => 'named.test'), 'learned');
soon { -s "$d/templates/$snapshot" } 'snapshot';
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
soon { !grep { -e "$d/templates/$_" } @over } 'what is left over is removed';
is(join(' ', grep { !-e "$d/templates/$_" } @stay), '', 'other files stay');

# Snapshots of all sites together stay below max_size, here 9 of them.  First
# go those of names that nobody asked for again, the oldest first.

my ($made, $now, $most) = (0, 0, 0);
my $max = 9 * 12288;

$t->stop();
unlink glob "$d/templates/*.dt";
configure($max);
$t->run_with($clock);

ok($t->learn('/p3.html', host => $_), "$_, learned")
    for 'named.test', 'used.any.test', 'once.any.test';
later();
http_get('/p3.html', host => $_) for 'named.test', 'used.any.test';
names() for 1 .. 3;

cmp_ok($most, '<=', $max, 'full, bytes on disk');
cmp_ok($most, '>', $max - 2 * 12288, 'full, nearly all are used');
is(there(qw/ named used.any once.any n1.any /), 'named used.any',
    'full, those that were asked for again are left');
ok(-e path("n$made.any.test"), 'full, and the newest');
is($t->said('those used least are removed') > 0, 1, 'full, logged');
cmp_ok($t->status_json()->{snapshots}{evicted}, '>=', 39, 'full, counted');
is($t->said('there is no room for a snapshot'), 0, 'full, none was refused');

# use is noted in the file once an hour

is(mtime('once'), undef, 'use, not noted');

my $noted = mtime('used.any');

cmp_ok($noted, '>', time(), 'use, noted with the time of the request');
later();
http_get('/p3.html', host => 'used.any.test');
names();
is(mtime('used.any'), $noted, 'use, not noted again at once');
later(3700);
http_get('/p3.html', host => 'used.any.test');
names();
soon { mtime('used.any') >= $noted + 3600 } 'use, noted again after an hour';

# after a restart, the time of last use is known, here while nobody asks for
# these names

$t->stop();
$t->run_with($clock);
names() for 1 .. 2;
is(there(qw/ named used.any /), 'named used.any',
    'restart, those used before are left');

# names that were asked for twice: the ones that were used least go first, but
# none of the configuration

for my $tenant (map { "t$_.any.test" } 1 .. 12) {
    later();
    ok($t->learn('/p3.html', host => $tenant), "$tenant, learned");
    later();
    http_get('/p3.html', host => $tenant);
}

names();
names();
is(there(qw/ named used.any t1.any t2.any t3.any /), 'named',
    'used, the earliest are gone, but none of the configuration');
is(there(qw/ t12.any t11.any t10.any /), 't12.any t11.any t10.any',
    'used, the latest are left');
cmp_ok(bytes(), '<=', $max, 'used, bytes on disk');

# a smaller size holds at once

configure(3 * 12288);
$t->reload();
soon { bytes() <= 3 * 12288 } 'smaller, bytes on disk';
is(there('named'), 'named', 'smaller, first those that requests choose go');

# What is not sound goes first.  Temporary files count as well.

$t->stop();
unlink glob "$d/templates/*.dt";
configure($max);
$t->write_file('templates/' . file('other.test'), 'x' x 50000);
$t->write_file('templates/' . file('part.test') . '.aaaaaa.tmp',
    'x' x 100000);
$t->run_with($clock);
ok($t->learn('/p3.html', host => 'named.test'), 'not sound, learned');
later();
http_get('/p3.html', host => 'named.test');
names();
ok(!-e path('other.test'), 'not sound, removed');
ok(-e path('named.test'), 'not sound, others are left');
cmp_ok(bytes('.tmp'), '<=', $max, 'with temporary files, bytes on disk');

# without room for any, a template is not changed by pages of another layout

$t->stop();
unlink glob "$d/templates/*.dt*";
configure(4096);
$t->run_with($clock);
ok($t->learn('/p3.html', host => 'named.test'), 'no room, learned');
$t->idle();
is(scalar(glob "$d/templates/*.dt"), undef, 'no room, no file');
is($t->said('no room for a snapshot of 12288 bytes, max_size is 4096'), 1,
    'no room, logged');

my $want = body(http_get('/p3.html', host => 'named.test'));

like(body(http_get('/o3.html', host => 'named.test')), qr/<nav/,
    'another layout');
ok($t->idle(), 'another layout, learning has ended');
is(body(http_get('/p3.html', host => 'named.test')), $want,
    'another layout, first layout is rewritten as before');
is($t->said('version 2'), 0, 'another layout, not added');

# new names wait until a manager has counted what there is

$t->stop();
configure($max);
$t->run_with($clock);
names() for 1 .. 2;
$most = 0;

my $begun = $t->said('start cache manager process');

$t->write_file("templates/other$_", '') for 1 .. 4000;
later();
$t->reload();
soon { $t->said('start cache manager process') > $begun } 'reload', 5;
request();
cmp_ok($most, '<=', $max, 'reload, bytes on disk');
cmp_ok(bytes(), '>', $max / 2, 'reload, new names have files');

# new names do not fill Redis either

$t->stop();
unlink glob "$d/templates/*";
configure(3 * 12288, 'detemplate_redis redis://127.0.0.1:%%PORT_2%%/0;');
$t->redis(2);
$t->run_with($clock);

for my $site (qw/ a.any.test b.any.test c.any.test named.test /) {
    ok($t->learn('/p3.html', host => $site), "Redis, $site, learned");
    $t->idle();
}

is(join(' ', map { $t->redis_says(2, "EXISTS dt:{$_.test}:template") }
    qw/ a.any b.any c.any named /), '1 1 0 1', 'Redis, templates');

$t->done();

sub configure ($size, $http = undef) {
    $t->configure(name => 'named.test',
        servers => [{ name => '*.any.test' }],
        http => 'detemplate_learners 4; detemplate_cut cautious;'
            . ($http // ''));
    $t->write_file('nginx.conf', $t->read_file('nginx.conf')
        =~ s{(/templates);}{$1 max_size=$size;}r);
}

# the clock goes on

sub later {
    $now += shift // 61;
    $t->write_file($_, $now) for 'ahead', 'ahead-steady';
}

# one request for each of fifteen new names, and the most bytes meanwhile

sub names {
    later();
    request();
}

sub request {
    http_get('/p3.html', host => 'n' . ++$made . '.any.test') for 1 .. 15;

    ok(wait_for(sub {
        my $bytes = bytes('.tmp');
        my $l = $t->status_json()->{learning};

        $most = $bytes if $bytes > $most;
        return $l->{queued} + $l->{running} == 0;
    }, 30), 'all is learned');
}

# the name of the site's snapshot

sub file { return md5_hex($_[0]) . '.dt' }

sub path { return "$d/templates/" . file($_[0]) }

sub mtime { return (stat path("$_[0].test"))[9] }

# those of the sites that have a snapshot

sub there { return join ' ', grep { -e path("$_.test") } @_ }

# bytes of snapshots, in blocks, and perhaps of other files

sub bytes ($other = undef) {
    my $bytes = 0;

    for (glob "$d/templates/*.dt" . ($other ? "{,.*$other}" : '')) {
        $bytes += int(((-s $_ || 0) + 4095) / 4096) * 4096;
    }

    return $bytes;
}
