#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The debug log shows each decision of the module: about a request, its
# response, the queue of jobs, and those of the manager.

use Test::Detemplate;

plan(skip_all => 'nginx without debugging')
    if !nginx_has(qr/--with-debug/);

$ENV{TEST_LOG} = 'debug';

my $t = Test::Detemplate->new();

$t->configure(
    zone => '32k',
    http => 'detemplate_redis redis://127.0.0.1:%%PORT_2%% timeout=100ms;',
    name => 'any.test',
    server => 'detemplate_site $host;',
    pages => [
        '/mode/' => 'detemplate $arg_mode;',
        '/other/' => '',
        '/refresh/' => 'detemplate_refresh 1s;',
    ],
    locations => [
        '/' => 'detemplate_bypass $http_cookie;',
        '/wait/' => 'alias %%TESTDIR%%/alone/; detemplate_wait 2s;',
        '/pieces/' => 'proxy_http_version 1.1; proxy_pass %%HTTP_1%%;',
    ],
);

$t->pages('html');
$t->write_file('html/utf-16.html', "\xff\xfe<\0p\0>\0");
$t->write_file('html/a.png', 'a');
$t->write_file('html/odd.html', '<!DOCTYPE html><title>t</title><p>odd');
$t->write_file('alone/a.html', '<!DOCTYPE html><title>t</title><p>alone');

# pages that are sent in pieces of 32 bytes at once

$t->origin(1, sub ($s, $request) {
    my ($n) = $request =~ m{^\S+ /pieces/p(\d)} or return;

    print $s head('Transfer-Encoding: chunked'),
        chunked(page($n, paragraphs => 100), 32);
});

$t->redis(2);
$t->run();

# the number of new log lines that match each expression after a request

said('first request', sub { http_get('/p1.html') },
    qr/\*\d+ detemplate request: mode:strip ""/,
    qr/detemplate site wanted: "site\.test" "http:\S+\/p1\.html" rest:0/,
    qr/\*\d+ detemplate look-up: "site\.test" MISS "no-template" version:0$/m,
    qr/\*\d+ detemplate response: miss; reason=no-template/,
    qr/\*\d+ detemplate result: MISS "no-template" in:0 removed:0 /,
    qr/detemplate site taken: "site\.test" version:0/,
    qr/detemplate snapshot read: "site\.test" rc:-5/,
    qr/detemplate redis get: "site\.test" rc:\d/,
    qr/detemplate learner \d+ started: "site\.test"/,
    qr/detemplate learner ended: "site\.test" rc:0 loads:\d/,
    qr/detemplate published: "site\.test" version:1 source:0 \d+ bytes/,
    qr/detemplate work ended: "site\.test" done, rest:0/);

said('page', sub { http_get('/p2.html') },
    qr/detemplate look-up: "site\.test" HIT "" version:\d$/m,
    qr/detemplate page: \d{4} bytes, \d{3,4} are sent/,
    qr/detemplate response: hit; mode=strip; version=\d/,
    qr/detemplate result: HIT "" in:\d{3,} removed:\d\d+ regions:[2-9] /);

said('page that shows little', sub { http_get('/odd.html') },
    qr/detemplate site wanted: "site\.test" "http:\S+\/odd\.html" rest:\d/,
    qr/detemplate work ended: "site\.test" \w+, rest:\d+/);

# small pieces are joined into large ones

my $pieces = length(page(2, paragraphs => 100)) / 32;

cmp_ok($pieces, '>', 500, 'pieces, number received');
cmp_ok(buffers(sub { http_get('/pieces/p2.html') }), '<', $pieces / 10,
    'pieces, number sent');

said('another charset', sub { http_get('/utf-16.html') },
    qr/detemplate response: bypass; reason=charset/,
    qr/detemplate result: BYPASS "charset" in:0 removed:0 regions:0/);

said('another type', sub { http_get('/a.png') },
    qr/detemplate response: bypass; reason=type/);

said('bypass', sub { http_get('/p1.html', fields => ['Cookie: a']) },
    qr/detemplate request: mode:strip "bypass"/,
    qr/detemplate response: bypass; reason=bypass/);

said('off', sub { http_get('/mode/p1.html?mode=none') },
    qr/detemplate request: off/);

said('condition', sub {
    http_get('/mode/p1.html?mode=annotate', fields => ['If-None-Match: "a"'])
}, qr/conditions: taken, ""a""/);

# a site that has no template; what is learned of others could evict it

$t->idle();

said('no template', sub { http_get('/wait/a.html', host => 'alone.test') },
    qr/detemplate waits, \d+ ms left/,
    qr/detemplate learner ended: "alone\.test" rc:-5 loads:\d/,
    qr/detemplate work ended: "alone\.test" failed, rest:10000/,
    qr/detemplate response: miss; reason=backoff/);

# a template that is due to be learned again

said('refresh, first', sub {
    http_get('/refresh/p1.html', host => 'refresh.test')
}, qr/detemplate work ended: "refresh\.test" done/);

sleep 2;
$t->idle();

said('refresh', sub {
    http_get('/refresh/p1.html', host => 'refresh.test') for 1, 2;
}, qr/detemplate site wanted: "refresh\.test" "http:/,
    qr/detemplate response: stale; mode=strip; version=1/,
    qr/detemplate redis has nothing newer: "refresh\.test" version:1, ours:1/,
    qr/detemplate published: "refresh\.test" version:2 source:0/);

# a template that another machine is learning

http("SET dt:{locked.test}:lock other EX 2\r\nQUIT\r\n", port => $t->port(2));

said('lock', sub { http_get('/p1.html', host => 'locked.test') },
    qr/detemplate redis lock: "locked\.test" is learned by another machine/,
    qr/detemplate site put back: "locked\.test" for 1000 ms/);

# more sites than fit into the zone, while no job is taken

my ($manager) = $t->read_file('error.log') =~ /cache manager process (\d+)/;

said('sites', sub {
    kill STOP => $manager;
    http_get('/p1.html', host => "s$_") for 1 .. 100;
    kill CONT => $manager;
},
    qr/detemplate site evicted: "\S+"/);

# snapshots that are read at start

$t->stop();

said('start', sub { $t->run() },
    qr/detemplate published: "\S+" version:\d source:2 /,
    qr/detemplate not published: "\S+" no room for \d+ bytes/);

$t->done();

sub said ($name, $code, @want) {
    my $old = length $t->read_file('error.log');
    my $new = '';

    $code->();

    for my $want (@want) {
        ok(wait_for(sub {
            $new = substr $t->read_file('error.log'), $old;
            $new =~ $want;
        }, 10), "$name, $want")
            or diag(join '', $new =~ /^.* detemplate .*\n/mg);
    }
}

# the number of buffers that nginx is told to send

sub buffers ($code) {
    my $old = length $t->read_file('error.log');

    $code->();

    my $new = substr $t->read_file('error.log'), $old;

    return scalar(() = $new =~ /: \*\d+ write new buf t:/g);
}
