#!/usr/bin/perl

# Copyright (C) The detemplate authors

# While all learners are busy, Redis is asked about a bounded number of the
# waiting jobs.  Those whose site is locked elsewhere stay in the queue.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

my $db = $t->port(2);
my $origin = $t->port(1);

$t->configure(
    http => 'detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=60s;
        detemplate_learners 1;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
);

# the first learner waits, but not as long as its timeout for a page

$t->origin(1, sub {
    my ($s, $request) = @_;

    my ($n) = $request =~ m{^\S+ /p(\d)\.html} or return;

    if ($request =~ m{^User-Agent: detemplate/}mi) {
        $t->write_file('asked', '');
        wait_for(sub { -e $t->testdir() . '/go' }, 4.5);
    }

    print $s response(page($n));
});

$t->redis(2);
$t->run();

###############################################################################

http_get('/p3.html', host => 'busy.test');
ok(wait_for(sub { -e $t->testdir() . '/asked' }, 5),
    'the learner waits for its page');

http_get('/p3.html', host => "s$_.test") for 1 .. 30;

# one job is running and 16 others wait for its end

my $most = 0;

wait_for(sub {
    my $n = locks();
    $most = $n if $n > $most;
    return -e $t->testdir() . '/go';
}, 3);

is($most, 17, 'locks held at once are bounded');

$t->write_file('go', '');

is(scalar(grep { !$t->learn('/p3.html', host => "s$_.test") } 1 .. 30), 0,
    'all are learned');

$t->no_alerts();

done_testing();

###############################################################################

sub locks { $t->redis_says(2, 'KEYS dt:*:lock') }
