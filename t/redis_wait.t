#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Only the jobs that Redis is asked about wait for Redis.  Learning, publishing
# and the other path managers of the process continue.

use Test::Detemplate;

my $t = Test::Detemplate->new();

my $steady = 3;

$t->configure(
    http => '
        detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=60s;
        detemplate_learners 1;
        proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m max_size=8k
            manager_files=1 manager_sleep=50ms;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
    locations => [
        '/cached/' => '
            detemplate off;
            proxy_cache cache;
            proxy_cache_valid 1h;
            proxy_pass %%HTTP_1%%/;',
    ],
);

# hosts whose pages are delayed, but not as long as a learner's timeout

$t->answers(1, sub ($uri, $host, $learner, @) {
    my ($n) = $uri =~ m{^/(?:cached/)?p(\d)\.html} or return;

    if ($host =~ /^held/ && $learner) {
        $t->write_file("asked-$host", '');
        wait_for(sub { -e $t->testdir() . "/go-$host" }, 4.5);
    }

    return response(page($n));
});

my $pid = $t->redis(2);
$t->run_with($t->clock());

ok(learn('first.test'), 'learned');
soon { redis('EXISTS', 'dt:{first.test}:template') } 'published', 5;

# the only learner is busy

ok(held('held1.test'), 'the learner waits for its page');

redis('COPY', 'dt:{first.test}:template', 'dt:{taken.test}:template');
ok(learn('taken.test'), 'a template is taken meanwhile');
is($t->site('taken.test')->{source}, 'redis', 'taken, source');

http_get('/p3.html', host => 'ready.test');
soon { redis('EXISTS', 'dt:{ready.test}:lock') }
    'Redis is asked about another site', 2;
$t->write_file('ahead-steady', $steady);
soon { !redis('EXISTS', 'dt:{ready.test}:lock') }
    'lock of the waiting job is released', 2;
is(state_of('held1.test'), 'running', 'the learner still waits');

go('held1.test');
ok(learn('held1.test'), 'the learner ends');
ok(learn('ready.test'), 'the next site is learned');

# nothing else waits while Redis does not reply

ok(held('held2.test'), 'another learner waits');

kill 'STOP', $pid;

http_get('/p3.html', host => 'waits.test');
soon { state_of('waits.test') eq 'running' } 'Redis is asked', 5;

go('held2.test');
ok(learn('held2.test'), 'Redis hangs, learned');
is(state_of('waits.test'), 'running',
    'Redis hangs, job about which it is asked waits');

http_get("/cached/p3.html?$_") for 1 .. 20;
soon { files() == 20 } 'Redis hangs, cache has all files', 5;
soon { files() < 5 } 'Redis hangs, files are removed', 15;
is($t->said('redis is away'), 0, 'no outage is logged');

kill 'CONT', $pid;

ok(learn('waits.test'), 'the waiting site is learned');
soon { redis('EXISTS', 'dt:{held2.test}:template') }
    'template learned meanwhile is published', 5;
is($t->said('redis is'), 0, 'no outage is logged at the end');

# a lock that is never released is waited for no longer than a lock may live

redis('SETNX', 'dt:{stuck.test}:lock', 'another');
http_get('/p3.html', host => 'stuck.test');
is(waits('stuck.test', 0), 1, 'a lock of another machine');
is(waits('stuck.test', 390), 1, 'a lock is waited for while one may learn');
is(waits('stuck.test', 15), 0, 'a lock is not waited for longer');
ok(learn('stuck.test'), 'site is learned in spite of the lock');
ok(redis('EXISTS', 'dt:{stuck.test}:lock'), 'the lock is kept');
soon { redis('EXISTS', 'dt:{stuck.test}:template') }
    'template is published', 5;

# the lock of a learning that takes long is renewed, unless another machine has
# it

for my $holder ('ours', 'another') {
    my $lock = "dt:{held-$holder.test}:lock";
    my $ours = $holder eq 'ours';

    ok(held("held-$holder.test"), "renewed, $holder, the learner waits");
    redis('DEL', $lock), redis('SETNX', $lock, 'another') if !$ours;
    redis('EXPIRE', $lock, 30);
    steady(25);

    my $renewed = wait_for(sub { redis('TTL', $lock) > 30 }, $ours ? 5 : 0.2);

    is($renewed ? 1 : 0, $ours ? 1 : 0, "renewed, $holder");
    go("held-$holder.test");
    ok(learn("held-$holder.test"), "renewed, $holder, learned");
    soon { redis('EXISTS', $lock) == !$ours }
        "renewed, $holder, given back if it is ours", 5;
}

# the time limit of a job starts again with its learner

kill 'STOP', $pid;

http_get('/p3.html', host => 'held3.test');
soon { state_of('held3.test') eq 'running' }
    'Redis is asked while the learner works', 5;
select undef, undef, undef, 0.2;
steady(50);
kill 'CONT', $pid;
soon { -e $t->testdir() . '/asked-held3.test' }
    'the learner waits, late in its time', 4;
steady(20);
select undef, undef, undef, 0.3;
is(state_of('held3.test'), 'running', 'late, learner is waited for');
go('held3.test');
ok(learn('held3.test'), 'late, learned');
is($t->said('requeued'), 0, 'late, no job is requeued');
is($t->learning('failed'), 0, 'late, nothing has failed');

# an order that has no answer for ten times the time-out has failed

my $failed = $t->status_json()->{redis}{failed};

kill 'STOP', $pid;
http_get('/p3.html', host => 'late.test');
soon { state_of('late.test') eq 'running' } 'late, asked', 5;
steady(650);
soon { $t->said('redis: no answer in time') } 'late, logged';
is($t->status_json()->{redis}{failed}, $failed + 1, 'late, counted');
kill 'CONT', $pid;
is($t->said('redis is'), 0, 'late, no outage is logged');

# the program that speaks to Redis is killed when it is silent

my $link = $t->redis_link();

kill 'STOP', $link;
select undef, undef, undef, 1;      # what it has written is read
steady(1300);
soon { $t->said('does not answer') } 'silent, logged';
soon { ($t->redis_link() || $link) != $link } 'silent, another one';
ok(!kill(0, $link), 'silent, killed');
soon { $t->status_json()->{redis}{connected} } 'silent, connected again';
is($t->status_json()->{redis}{restarts}, 1, 'silent, counted');

$t->done();

sub learn ($host) {
    return $t->learn('/p3.html', host => $host);
}

# a site whose learner runs and cannot continue

sub held ($host) {
    http_get('/p3.html', host => $host);

    return wait_for(sub { -e $t->testdir() . "/asked-$host" }, 5);
}

sub go { $t->write_file("go-$_[0]", '') }

# true if the site's job is queued again after so many seconds

sub waits ($host, $seconds) {
    # not while Redis is asked, as the time limit would be over

    wait_for(sub { state_of($host) eq 'queued' }, 5);

    steady($seconds);
    select undef, undef, undef, 2.5;

    return state_of($host) ne '' ? 1 : 0;
}

# moves the monotonic clocks forward

sub steady {
    my $d = $t->testdir();

    $t->write_file('ahead-new', $steady += $_[0]);
    rename "$d/ahead-new", "$d/ahead-steady" or die "ahead-steady: $!\n";
}

# the state of a job, while its site has no template

sub state_of ($host) { $t->without($host)->{state} // '' }

sub files { scalar grep { -f } glob $t->testdir() . '/cache/*' }

sub redis { $t->redis_says(2, \@_) }
