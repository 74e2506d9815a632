#!/usr/bin/perl

# Copyright (C) The detemplate authors

# While all learners are busy, Redis is asked about a bounded number of the
# waiting jobs.  Those whose site is locked elsewhere stay in the queue.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => 'detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=60s;
        detemplate_learners 1;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
);

# the first learner waits, but not as long as its timeout for a page

$t->answers(1, sub ($uri, $host, $learner, @) {
    my ($n) = $uri =~ m{^/p(\d)\.html} or return;

    if ($learner) {
        $t->write_file('asked', '');
        wait_for(sub { -e $t->testdir() . '/go' }, 4.5);
    }

    return response(page($n));
});

$t->redis(2);
$t->run();

http_get('/p3.html', host => 'busy.test');
soon { -e $t->testdir() . '/asked' } 'the learner waits for its page', 5;

# one job is running and others wait for its end; fewer sites at once than the
# queue has room for, more in all than are asked about

my $most = 0;

for my $n (1 .. 180) {
    http_get('/p3.html', host => "s$n.test");
    wait_for(sub { most() >= ($n < 129 ? $n : 129) }, 2) if $n % 45 == 0;
}

cmp_ok($most, '>', 45, 'others are asked about meanwhile');
cmp_ok($most, '<=', 129, 'locks held at once are bounded');

$t->write_file('go', '');

is(scalar(grep { !$t->learn('/p3.html', host => "s$_.test") } 1 .. 30), 0,
    'all are learned');

$t->done();

# the most locks that were held at once

sub most {
    my $n = locks();

    return $most = $n > $most ? $n : $most;
}

sub locks { scalar @{$t->redis_says(2, 'KEYS dt:*:lock')} }
