#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The manager works in nginx's cache manager process, next to proxy_cache_path.
# Each has its own schedule, and the process sleeps when there is nothing to
# do.

use Test::Detemplate;

$ENV{TEST_LOG} = 'debug';

my $t = Test::Detemplate->new();

configure('1m');
$t->pages('html')->run();

plan(skip_all => 'nginx without debugging')
    if !$t->said('[debug]');

my $manager = $t->process('cache manager');

# proxy_cache_path asks to be called in ten seconds while its cache is empty

ok($t->learn('/p3.html', host => 'first.test'), 'learned');
ok(asleep($manager), 'manager sleeps after the learning');

# the cache has more files than it may, and one is removed when a manager
# starts

http_get("/cached/p3.html?$_") for 1 .. 20;
soon { files() == 20 } 'cache has all files', 5;

configure('8k');
$t->reload();
$manager = $t->process('cache manager', $manager);
soon { files() == 19 } 'reload, one file is removed';

ok($t->learn('/p3.html', host => "site$_.test"), "site $_, learned")
    for 1 .. 10;
is(files(), 19, 'our work removes no more files');

ok(asleep($manager), 'manager sleeps after ten learnings');

# a worker can wake each new process

ok($t->learn('/p3.html', host => 'asleep.test'), 'manager is woken, learned');

# jobs that old workers queue, before and after a reload

my $half = http("GET /p3.html HTTP/1.1\r\n", start => 1);

$t->reload();
$manager = $t->process('cache manager', $manager);
ok(asleep($manager), 'asleep after a reload');

like(body(http("Host: old.test\r\nConnection: close\r\n\r\n",
    socket => $half)), qr/almanac/, 'old worker serves the page');
soon { $t->site('old.test') } 'old worker, learned';
ok($t->learn('/p3.html', host => 'new.test'), 'new worker, learned');
ok(asleep($manager), 'manager sleeps at the end');

$t->done();

sub configure ($size) {
    $t->configure(
        http => "
            detemplate_refresh 1h;
            proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m
                max_size=$size manager_files=1 manager_sleep=1000s;",
        name => 'any.test',
        server => 'detemplate_site $host;',
        locations => [
            '/cached/' => '
                detemplate off;
                proxy_cache cache;
                proxy_cache_valid 1h;
                proxy_pass %%HTTP_0%%/;',
        ],
    );
}

sub files { scalar grep { -f } glob $t->testdir() . '/cache/*' }

# true once the process waits for events with a long timeout

sub asleep ($pid) {
    return wait_for(sub {
        my ($last) = reverse $t->log_lines(
            qr/\[debug\] $pid#\d+: (?:epoll|poll|select) timer: /);

        return $last && $last =~ /timer: (-?\d+)/ && ($1 < 0 || $1 > 4000);
    }, 15);
}
