#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_wait: a request waits for the first template of its site.  Also:
# where the learner finds the pages.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

# a server that is chosen by the name in TLS (SNI)

my $tls = system('openssl req -x509 -newkey rsa:2048 -nodes '
    . "-subj /CN=tls.test -keyout $d/key.pem -out $d/cert.pem "
    . ">$d/openssl.log 2>&1") == 0;

# an origin whose certificate the learner trusts

$tls &&= system('openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=origin '
    . "-addext subjectAltName=IP:127.0.0.1 -keyout $d/origin-key.pem "
    . "-out $d/origin.pem >$d/openssl.log 2>&1") == 0;

$t->write_file('tls.conf', !$tls ? '' : <<"END");
ssl_certificate     $d/cert.pem;
ssl_certificate_key $d/key.pem;

server {
    listen        127.0.0.1:@{[$t->port(5)]} ssl;
    server_name   other.test;
    return        404;
}

server {
    listen        127.0.0.1:@{[$t->port(5)]} ssl;
    server_name   tls.test;
    root          $d/html;
}

server {
    listen        127.0.0.1:@{[$t->port(8)]} ssl;
    server_name   origin;
    root          $d/html;
    detemplate    off;

    ssl_certificate     $d/origin.pem;
    ssl_certificate_key $d/origin-key.pem;
}
END

$t->configure(
    main => 'env SSL_CERT_FILE=%%TESTDIR%%/origin.pem;',
    http => q{
        detemplate_wait 20s;
        log_format hosts '$http_host $request_uri $status';
        include %%TESTDIR%%/tls.conf;},
    pages => [
        '/origin/' => '
            detemplate_site origin.test;
            detemplate_origin %%HTTP_2%%/base/;',
        '/short/' => 'detemplate_site short.test; detemplate_wait 1ms;',
        '/static/' => 'detemplate_site static.test;',
    ],
    locations => [
        '/' => 'detemplate_site $host;',
        '/alone/' => 'alias %%TESTDIR%%/alone/; detemplate_site alone.test;',
    ],
    servers => [
        # a server on all addresses of the machine and on a socket
        {
            name => 'any.test',
            listen => [],
            server => '
                listen *:%%PORT_3%%;
                listen unix:%%TESTDIR%%/nginx.sock;',
        },
        # origins that are reached over TLS
        {
            name => 'known.test',
            server => 'detemplate_origin https://127.0.0.1:%%PORT_8%%;',
        },
        {
            name => 'signed.test',
            server => 'detemplate_origin https://127.0.0.1:%%PORT_5%%;',
        },
        {
            name => 'named.test',
            server => 'detemplate_origin https://localhost:%%PORT_8%%;',
        },
        # an origin that does not answer yet
        { name => 'stuck.test', server => 'detemplate_origin %%HTTP_9%%;' },
        # an origin that a location disables
        {
            name => 'taken-back.test',
            server => 'detemplate_origin http://127.0.0.1:1;',
            locations => ['/' => 'detemplate_origin off;'],
        },
        # listening sockets that the learner cannot use
        {
            name => '*.address.test',
            listen => ['6 proxy_protocol', '7 http2'],
            server => 'listen unix:%%TESTDIR%%/other.sock;',
        },
        # without TLS this one accepts HTTP/2 only
        {
            name => 'h2.test',
            listen => ['1 http2'],
            server => 'detemplate_origin %%HTTP_2%%;',
        },
        # pages with absolute links that are loaded from another address
        {
            name => 'public.test',
            root => 'absolute',
            server => 'detemplate_origin %%HTTP_4%%/base;',
        },
        {
            name => 'origin',
            listen => [4],
            mode => 'off',
            server => 'access_log %%TESTDIR%%/hosts.log hosts;',
            locations => ['/base/' => 'alias %%TESTDIR%%/absolute/;'],
        },
        {
            name => 'origin',
            listen => [2],
            mode => 'off',
            pages => ['/base/' => '', '/base/origin/' => ''],
        },
    ],
);

$t->pages('html');
$t->write_file('html/style.css', 'p { color: red }');

for my $i (1 .. 8) {
    my $url = $i % 2 ? 'http://public.test' : 'https://public.test';

    $t->write_file("absolute/p$i.html",
        page($i) =~ s{href="/(p\d\.html)"}{href="$url/$1"}gr);
}

# a folder, whose redirect contains a different port

$t->write_file('absolute/p8/index.html', $t->read_file('absolute/p8.html'));
$t->write_file("absolute/p$_.html", $t->read_file("absolute/p$_.html")
    =~ s{/p8\.html}{/p8}gr) for 1 .. 7;

$t->write_file('alone/p1.html', '<!DOCTYPE html><title>t</title><p>alone');

$t->answers(9, sub ($uri, @) {
    $t->write_file('asked', '');
    wait_for(sub { -e "$d/answer" }, 60);

    return response($t->read_file("html$uri"));
});

$t->run();

my $hit = qr/^hit; mode=strip; version=1; settled(?:=\?0)?$/;

for my $case (
    [ 'site.test', '/p3.html', 0, 'waits, first request is a hit' ],
    [ 'other.test', '/p3.html', 0, 'waits, other host' ],
    [ 'upper.TEST:80', '/p3.html', 0, 'waits, host with port' ],
    [ 'site.test', '/origin/p3.html', 0, 'waits, pages from an origin' ],
    [ 'taken-back.test', '/p3.html', 0, 'waits, an origin taken back' ],
    [ 'any.test', '/p3.html', 3, 'waits, listening on all addresses' ],
    [ 'public.test', '/p3.html', 0, 'waits, links with the host' ],
) {
    my ($host, $uri, $port, $title) = @$case;
    my $r = http_get($uri, host => $host, port => $t->port($port),
        timeout => 30);

    like(field($r, 'Detemplate'), $hit, $title);
    unlike($r, qr/<nav|Printed by the almanac/, "$title, body");
}

# all pages were loaded from the origin, under the host name of the links

my @asked = split /\n/, $t->read_file('hosts.log');

cmp_ok(scalar(grep { / 200$/ } @asked), '>=', 8,
    'origin, pages are loaded from it');
is(join("\n", grep { !m{^public\.test /base/} } @asked), '',
    'origin, all requests have the host of the site');
is(scalar(grep { m{^public\.test /base/p8/ 200$} } @asked), 1,
    'origin, redirect followed');

# a condition that the client got before there was a template

my $r = http_get('/p3.html', host => 'late.test', timeout => 30,
    fields => ['If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT']);
like(field($r, 'Detemplate'), $hit, 'waits with a condition, page is sent');

# requests that do not wait, or not for long

like(detemplate('/short/p3.html'), qr/^miss; reason=learning/,
    'waiting time is over');
like(detemplate('/p3.html?q=a', host => 'args.test'), qr/^miss; reason=search/,
    'a search does not wait');
like(detemplate('/p3.html', host => 'head.test', method => 'HEAD'),
    qr/^miss; reason=method/, 'head does not wait');
like(detemplate('/static/style.css'), qr/^bypass; reason=type/,
    'a style sheet does not wait');
like(detemplate('/alone/p1.html', timeout => 30), qr/^miss; reason=backoff/,
    'site from which nothing can be learned');
is(body(http_get('/alone/p1.html')), '<!DOCTYPE html><title>t</title><p>alone',
    'site from which nothing can be learned, page');

my $json = $t->status_json();
is(join(' ', map { join ' ', @$_{qw/ site state reason page /} }
    grep { $_->{site} =~ /^(?:args|head)/ } map { @{$json->{$_}} }
    qw/ sites without /), 'args.test idle search /p3.html?q=a',
    'these requests queue nothing');

# requests that arrive while one waits, and clients with less patience

$r = http("GET /p3.html HTTP/1.1\r\nHost: line.test\r\n\r\n"
    . "GET /p4.html HTTP/1.1\r\nHost: line.test\r\nConnection: close\r\n\r\n",
    timeout => 30);
is(scalar(() = $r =~ /^Detemplate: hit/mg), 2, 'waits, pipelined');

my @many = map { http_get('/p3.html', host => 'many.test', start => 1) }
    1 .. 10;
close $_ for @many[0 .. 4];
is(scalar(grep { field($_, 'Detemplate') =~ $hit }
    map { http('', socket => $_, timeout => 30) } @many[5 .. 9]), 5,
    'waits, other clients have closed');

my ($order, @bodies) = h2_get({ port => $t->port(1), host => 'h2.test' },
    ('/p3.html') x 3, '/style.css');
like($order, qr/^3\d{3}$/, 'waits, streams of one connection');
is($bodies[0], $bodies[2], 'waits, streams get the same page');
unlike($bodies[0], qr/<nav|Printed by the almanac/, 'waits, h2');

# requests with credentials do not wait for jobs that others have queued

my $first = http_get('/p3.html', host => 'stuck.test', start => 1);
soon { -e "$d/asked" } 'waits, the learner has sent its request';

like(detemplate('/p3.html', host => 'stuck.test', fields => [$_]),
    qr/^miss; reason=learning$/, "does not wait, $_") for 'Cookie: a=b',
    'Authorization: Basic YTpi';

$t->write_file('answer', '');
like(field(http('', socket => $first, timeout => 30), 'Detemplate'), $hit,
    'waits until the site is learned');

# a client that closes the connection

my $s = http_get('/p3.html', host => 'gone.test', start => 1);
$s->close();
soon {
    field(http_get('/p3.html', host => 'gone.test'), 'Detemplate') =~ $hit;
} 'client gone, learned all the same', 20;

SKIP: {
    skip 'no curl or openssl', 1 unless $tls && curl_has(qr/https/);

    my $host = 'tls.test:' . $t->port(5);

    like(`curl -s -i -k -m 30 --resolve $host:127.0.0.1 https://$host/p3.html`,
        qr/^detemplate: hit/mi, 'waits, tls');
}

SKIP: {
    skip 'no curl', 2 if !curl_has(qr/UnixSockets/);

    my $curl = "curl -s -i -m 30 --unix-socket $d";

    like(`$curl/nginx.sock http://any.test/p3.html`,
        qr/^detemplate: hit/mi, 'unix socket, site with a template');
    like(`$curl/other.sock http://u.address.test/p3.html`,
        qr/^detemplate: miss; reason=address/mi,
        'unix socket, learner has no address to ask');
}

SKIP: {
    skip 'no openssl', 5 unless $tls;

    like(detemplate('/p3.html', host => 'known.test', timeout => 30), $hit,
        'origin by TLS, trusted certificate');

    for my $case ([ 'signed.test', 'by nobody that is known' ],
        [ 'named.test', 'as another one' ])
    {
        my ($host, $title) = @$case;

        is(detemplate('/p3.html', host => $host, timeout => 30),
            'miss; reason=backoff', "origin by TLS, $title");
        is(scalar $t->log_lines(
            qr/no template for "$host": key-page: .*certificate/), 1,
            "origin by TLS, $title, logged");
    }
}

# the learner sends nothing to a socket that would not understand it

$r = http("PROXY TCP4 192.0.2.1 127.0.0.1 5000 80\r\n"
    . "GET /p3.html HTTP/1.1\r\nHost: p.address.test\r\n"
    . "Connection: close\r\n\r\n", port => $t->port(6));
is(body($r), page(3), 'PROXY protocol, page');
is(field($r, 'Detemplate'), 'miss; reason=address', 'PROXY protocol, reason');
is($t->said('not learned from: address, "PROXY protocol, set '
    . 'detemplate_origin"'), 1, 'PROXY protocol, logged');

SKIP: {
    my ($minor) = `$Test::Detemplate::NGINX -v 2>&1` =~ m{/1\.(\d+)};
    skip 'nginx without HTTP/1.1 there, or no curl', 1
        unless $minor < 25 && curl_has(qr/HTTP2/);

    my $curl = 'curl -s -i -m 30 --http2-prior-knowledge '
        . '-H "Host: h.address.test" http://127.0.0.1:' . $t->port(7);

    like(`$curl/p3.html`, qr/^detemplate: miss; reason=address/mi,
        'HTTP/2 without TLS, learner has no address to ask');
}

$t->done();
