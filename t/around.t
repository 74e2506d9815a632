#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The module together with other features of nginx: ranges and slices, error
# pages, subrequests, trailers, streams, and the field Vary.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        detemplate_loads 5;
        proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
        proxy_http_version 1.1;
        map $http_cache_control $whole { default ""; ~*\bno-transform 1; }',
    mode => '$mode',
    server => 'detemplate_vary X-Mode;',
    pages => [
        '/off/' => 'detemplate off;',
        '/taken-back/' => 'detemplate_vary off;',
        '/added/' => 'add_header Vary "Cookie, x-mode";',
        '/gzip/' => 'gzip on; gzip_min_length 0; gzip_vary on;',
        '/encoding/' => '
            gzip_vary on;
            detemplate_vary X-Mode Accept-Encoding;',
        '/encoding/gzip/' => '
            gzip on;
            gzip_min_length 0;
            gzip_vary on;
            detemplate_vary accept-encoding;',
        '/allowed/' => 'auth_request /auth/p5.html;',
        '/denied/' => '
            auth_request /auth/none.html;
            error_page 500 =401 /p4.html;',
        '/auth/' => 'internal;',
        '/mirror/' => 'mirror /mirrored;',
        '/kept/' => 'add_header Cache-Control no-transform;',
        '/asked/' => '
            detemplate_bypass $whole;
            detemplate_vary Cache-Control;',
        '/trailer/' => 'add_trailer X-Trailer $detemplate_status;',
    ],
    locations => [
        '/two/' => '
            detemplate_vary Accept X-Mode;
            proxy_pass %%HTTP_1%%/vary/;',
        '/vary/' => 'proxy_pass %%HTTP_1%%/vary/;',
        '/slice/' => '
            slice 700;
            proxy_cache cache;
            proxy_cache_key $uri$slice_range;
            proxy_set_header Range $slice_range;
            proxy_cache_valid 200 206 1h;
            proxy_pass %%HTTP_2%%/;',
        '/force/' => 'proxy_force_ranges on; proxy_pass %%HTTP_2%%/;',
        '/offset/' => '
            proxy_cache cache;
            proxy_cache_key $request_uri;
            proxy_cache_valid 1h;
            proxy_cache_max_range_offset 0;
            add_header X-Cache $upstream_cache_status;
            proxy_pass %%HTTP_2%%/;',
        '/shared/' => '
            detemplate off;
            proxy_set_header Host $host;
            proxy_cache cache;
            proxy_cache_key $uri;
            proxy_cache_valid 1h;
            add_header X-Cache $upstream_cache_status;
            proxy_pass %%HTTP_0%%/;',
        '/error/' => 'error_page 404 /p3.html;',
        '/error-200/' => 'error_page 404 =200 /p3.html;',
        '/error-named/' => 'error_page 404 =200 @named;',
        '@named' => 'rewrite ^ /p3.html break; proxy_pass %%HTTP_2%%;',
        '/intercept/' => '
            proxy_intercept_errors on;
            error_page 404 =200 /p3.html;
            proxy_pass %%HTTP_2%%;',
        '= /mirrored' => '
            internal;
            proxy_pass %%HTTP_1%%/mirrored$request_uri;',
        '/digests/' => '
            grpc_pass grpc://127.0.0.1:%%PORT_3%%;
            add_trailer X-Front front;',
        '/stream/' => 'detemplate_hold 0; proxy_buffering off;
            proxy_pass %%HTTP_1%%/stream/;',
        '/any/' => '
            detemplate_types *;
            proxy_buffering off;
            proxy_pass %%HTTP_1%%/stream/;',
        '/upgrade/' => '
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_pass %%HTTP_1%%/upgrade/;',
    ],
    servers => [
        {
            listen => ['3 http2'],
            mode => 'off',
            pages => [
                '/digests/' => q{
                    add_trailer Content-Digest "sha-256=:d29ycWZndmxk:";
                    add_trailer Signature-Input
                        "a=(\"content-digest\");keyid=\"b\"";
                    add_trailer Signature "a=:d29ycWZndmxk:";
                    add_trailer Detemplate-Regions "(0 10)";
                    add_trailer X-Trailer other;},
            ],
        },
        { listen => [2], mode => 'off' },
    ],
);

$t->pages('html');
$t->write_file('html/p3.png', 'not really a picture');

my %vary = (
    'none' => '',
    'other' => "Vary: Cookie\r\n",
    'same' => "Vary: X-Mode\r\n",
    'case' => "Vary: Accept-Encoding,X-MODE\r\n",
    'lines' => "Vary: Cookie\r\nVary: x-mode\r\n",
    'part' => "Vary: X-Mode-Other\r\n",
    'all' => "Vary: *\r\n",
    'all-line' => "Vary: Cookie\r\nVary: *\r\n",
    'no-transform' => "Cache-Control: no-transform\r\n",
);

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\w+ (\S+)};
    my $d = $t->testdir();

    if ($uri =~ m{^/vary/([\w-]+)/}) {
        print $s response(page(3), split /\r\n/, $vary{$1});

    } elsif ($uri =~ m{^/mirrored(.*)}) {
        $t->write_file('mirrored', $request);
        print $s "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";

    } elsif ($uri =~ m{^/stream/(events|html)}) {

        # the second part is sent once the client has the first one

        my $type = $1 eq 'events' ? 'text/event-stream' : 'text/html';
        my @parts = $1 eq 'events' ? ("data: one\n\n", "data: two\n\n")
            : page(3) =~ m{^(.*<p>)(.*)$}s;

        unlink "$d/got";
        print $s "HTTP/1.1 200 OK\r\nContent-Type: $type\r\n"
            . "Connection: close\r\n\r\n$parts[0]";
        wait_for(sub { -e "$d/got" }, 15) && print $s $parts[1];

    } elsif ($uri =~ m{^/upgrade/}) {
        print $s "HTTP/1.1 101 Switching Protocols\r\n"
            . "Content-Type: text/html\r\nUpgrade: echo\r\n"
            . "Connection: upgrade\r\n\r\n" . page(3);
        $s->sysread(my $said, 100);
        print $s "you said: $said";
    }
});

$t->run();

my $r;

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $strip = body($r);
isnt($strip, page(3), 'stripped');

# every response of a URL has the field Vary, and names each field once

is(field(http_get($_->[0], fields => $_->[2] || []), 'Vary'), $_->[1],
    "vary, $_->[0]" . ($_->[2] ? " @{$_->[2]}" : '')) for (
    [ '/p3.html', 'X-Mode' ],
    [ '/p3.html', 'X-Mode', [ 'X-Mode: annotate' ] ],
    [ '/p3.html', 'X-Mode', [ 'X-Mode: off' ] ],
    [ '/p3.html', 'X-Mode', [ 'X-Mode: shadow' ] ],
    [ '/p3.html', 'X-Mode', [ 'If-None-Match: ' . field($r, 'ETag') ] ],
    [ '/p3.html', 'X-Mode', [ 'Cache-Control: no-transform' ] ],
    [ '/p3.png', 'X-Mode' ],
    [ '/p3.png', 'X-Mode', [ 'Range: bytes=0-3' ] ],
    [ '/none.html', 'X-Mode' ],
    [ '/off/p3.html', '' ],
    [ '/taken-back/p3.html', '' ],
    [ '/added/p3.html', 'Cookie, x-mode' ],
    [ '/gzip/p3.html', 'Accept-Encoding, X-Mode' ],
    [ '/encoding/p3.html', 'Accept-Encoding, X-Mode' ],
    [ '/encoding/gzip/p3.html', 'Accept-Encoding' ],
    [ '/vary/none/', 'X-Mode' ],
    [ '/vary/other/', 'Cookie, X-Mode' ],
    [ '/vary/same/', 'X-Mode' ],
    [ '/vary/case/', 'Accept-Encoding,X-MODE' ],
    [ '/vary/lines/', 'Cookie, x-mode' ],
    [ '/vary/part/', 'X-Mode-Other, X-Mode' ],
    [ '/vary/all/', '*' ],
    [ '/vary/all-line/', 'Cookie, *' ],
    [ '/vary/no-transform/', 'X-Mode' ],
    [ '/two/none/', 'Accept, X-Mode' ],
    [ '/two/same/', 'X-Mode, Accept' ],
    [ '/two/all/', '*' ],
);

is(status_of(http_get('/p3.html',
    fields => [ 'If-None-Match: ' . field($r, 'ETag') ])), 304,
    'vary, the response is a 304');
is(field(http_head('/p3.html'), 'Vary'), 'X-Mode', 'vary, response to HEAD');

# ranges

for my $at (qw{ /slice/ /force/ }) {
    for (1 .. 2) {
        my $got = http_get("${at}p3.html");
        is(body($got), field($got, 'Detemplate') =~ /^hit/ ? $strip : page(3),
            "$at, body");
    }

    for my $range ('bytes=0-9', 'bytes=900-1700', 'bytes=-9') {
        my $got = http_get("${at}p3.html", fields => ["Range: $range"]);
        my ($from, $to) = field($got, 'Content-Range') =~ /(\d+)-(\d+)/;

        is(body($got), status_of($got) == 206
            ? substr(page(3), $from, $to - $from + 1)
            : field($got, 'Detemplate') =~ /^hit/ ? $strip : page(3),
            "$at, $range");
    }
}

like(detemplate('/force/p3.html', fields => ['Range: bytes=0-9']), qr/^hit/,
    'forced ranges do not apply to a stripped page');

# a range that is ignored does not make nginx bypass its cache

for my $cached (qw/ MISS HIT /) {
    my $got = http_get('/offset/p3.html', fields => ['Range: bytes=5-9']);
    is(body($got), $strip, "range, cache $cached, body");
    is(field($got, 'X-Cache'), $cached, "range, cache $cached");
}

# A shared cache in front stores one page for all.  A client cannot choose
# which one by no-transform, unless the configuration and Vary say so.

my @whole = (fields => ['Cache-Control: no-transform']);

for my $case (
    [ '/shared/p3.html', 'MISS HIT HIT', $strip, $strip, $strip ],
    [ '/shared/kept/p3.html', 'MISS HIT HIT', (page(3)) x 3 ],
    [ '/shared/asked/p3.html', 'MISS MISS HIT', page(3), $strip, page(3) ],
) {
    my ($uri, $caches, @bodies) = @$case;
    my @got = map { http_get($uri, @$_) } \@whole, [], \@whole;

    is(join(' ', map { field($_, 'X-Cache') } @got), $caches, "$uri, cache");
    is(body($got[$_]), $bodies[$_], "$uri, body $_") for 0 .. 2;
}

# pipelined requests

my $host = "Host: site.test\r\n";
my $pipe = http("GET /p3.html HTTP/1.1\r\n$host\r\n"
    . "HEAD /p3.html HTTP/1.1\r\n$host\r\n"
    . "GET /p3.png HTTP/1.1\r\n$host\r\n"
    . "GET /p3.html HTTP/1.1\r\n${host}If-None-Match: " . field($r, 'ETag')
    . "\r\n\r\nGET /p3.html HTTP/1.1\r\n${host}X-Mode: off\r\n\r\n"
    . "GET /p3.html HTTP/1.1\r\n${host}Connection: close\r\n\r\n");
my @replies = split /(?=HTTP\/1\.1 \d+ )/, $pipe;

is(scalar @replies, 6, 'pipelined, number of responses');
is(join(' ', map { status_of($_) } @replies), '200 200 200 304 200 200',
    'pipelined, statuses');
is(join(' ', map {
    $_ eq $strip ? 'strip' : $_ eq page(3) ? 'page' : length
} map { body($_) } @replies), 'strip 0 20 0 page strip', 'pipelined, bodies');

# error pages and subrequests

gets(
    [ 'error page', '/error/none.html', body => page(3), status => 404,
        Detemplate => 'bypass; reason=status' ],
    (map { [ "$_, rewritten", "${_}none.html", body => $strip,
        status => 200 ] } qw{ /error-200/ /error-named/ /intercept/ }),
    [ 'auth_request, allowed', '/allowed/p3.html', body => $strip ],
    [ 'auth_request, denied', '/denied/p3.html', status => 401,
        body => page(4) ],
    [ 'mirror', '/mirror/p3.html', body => $strip ],
);
soon { $t->read_file('mirrored') =~ m{^GET /mirrored/mirror/p3.html } }
    'mirror, request was mirrored';

# trailers after the body

my $true = qr/x-trailer: other\r\nX-Front: front\r\n\r\n$/;
my $whole = qr/\r\n0\r\ncontent-digest: .*\r\n$true/s;

for my $case (
    [ '/trailer/p3.html', 'strip', $strip,
        qr/\r\n0\r\nX-Trailer: HIT\r\n\r\n$/ ],
    [ '/digests/p3.html', 'off', page(3), $whole ],
    [ '/digests/p3.html', 'shadow', page(3), $whole ],
    [ '/digests/p3.html', 'strip', $strip, qr/\r\n0\r\n$true/ ],
) {
    my ($uri, $mode, $body, $trailers) = @$case;

    $r = http_get($uri, fields => ["X-Mode: $mode"]);
    is(body($r), $body, "trailers, $uri, $mode, body");
    like($r, $trailers, "trailers, $uri, $mode");
}

# responses that come in parts

for my $case ([ '/stream/events', qr/data: one\n\n/, 'two' ],
    [ '/any/events', qr/data: one\n\n/, 'two' ],
    [ '/stream/html', qr/<main>\s*<h1>/, '</html>' ],
    [ '/stream/html', qr/<header/, '</html>', 'off' ])
{
    my ($uri, $first, $last, $mode) = @$case;
    my $s = http_get($uri, start => 1,
        fields => [ $mode ? "X-Mode: $mode" : () ]);
    my $got = read_until($s, $first);

    like($got, $first, "$uri, beginning is sent before the end is known");
    unlike($got, qr/$last/, "$uri, end is not sent yet");

    $t->write_file('got', '');
    like(http('', socket => $s), qr/\Q$last\E/, "$uri, end is sent at last");
}

# an upgrade to another protocol

my $s = http("GET /upgrade/ HTTP/1.1\r\n${host}Upgrade: echo\r\n"
    . "Connection: upgrade\r\n\r\n", start => 1);
my $got = read_until($s, qr{</html>\n});

$got .= http('hello', socket => $s);

is(status_of($got), 101, 'upgraded');
is(field($got, 'Detemplate'), 'bypass; reason=status', 'upgraded, reason');
is($got =~ s/^.*?\r\n\r\n//sr, page(3) . 'you said: hello',
    'upgraded, bytes are unchanged');

$t->done();
