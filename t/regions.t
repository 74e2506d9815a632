#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Modes that leave the page as it is: "headers" says where its template
# stands, "shadow" only counts.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->write_file_expand('nginx.conf', <<'END');
%%TEST_GLOBALS%%

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    detemplate_zone templates:1m;

    # one learning: what is found of a page stays what it is
    detemplate_loads 5;

    log_format  result  "$uri $detemplate_status $detemplate_reason "
                        "$detemplate_removed";

    map $http_x_mode $mode {
        default  $http_x_mode;
        ""       strip;
    }

    server {
        access_log   %%TESTDIR%%/result.log result;

        listen       127.0.0.1:%%PORT_0%%;
        listen       127.0.0.1:%%PORT_2%% http2;
        server_name  site.test;
        root         %%TESTDIR%%/html;

        detemplate   $mode;

        location / {
        }

        location /fixed/ {
            alias %%TESTDIR%%/html/;
            detemplate headers;
        }

        location /sendfile/ {
            alias %%TESTDIR%%/html/;
            sendfile on;
        }

        location /modified/ {
            alias %%TESTDIR%%/html/;
            etag off;
        }

        location /gzip/ {
            alias %%TESTDIR%%/html/;
            gzip on;
            gzip_min_length 0;
        }

        location /o/ {
            proxy_http_version 1.1;
            proxy_pass http://127.0.0.1:%%PORT_1%%;
        }

        location /o/unchunked/ {
            proxy_http_version 1.1;
            chunked_transfer_encoding off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/o/streamed/;
        }

        location /many/ {
            detemplate_site many.test;
            root %%TESTDIR%%;
        }

        location /status {
            detemplate off;
            detemplate_status;
        }
    }
}

END

$t->pages('html');

# a site of long footers, and a page that has their lines here and there

my @lines = map { "<p>Line $_ of what all pages say at their end.</p>\n" }
    1 .. 100;
my $many = footer(3, map { "$_<p>A note.</p>\n" } @lines, @lines);

$t->write_file("many/p$_.html", footer($_, @lines)) for 1 .. 8;
$t->write_file('many/many.html', $many);

my $touching = footer(3, '<p>A note.</p>', map { s/\n//r } @lines[0 .. 9]);
$t->write_file('many/touching.html', $touching);

# a long one

my $long = page(3, paragraphs => 4000);
$t->write_file('html/long.html', $long);

$t->origin(1, sub {
    my ($s, $request) = @_;

    my ($kind, $n) = $request =~ m{^\w+ /o/(\w+)/p(\d)} or return;
    my $page = $kind eq 'moved' && -e $t->testdir() . '/moved'
        ? page($n) =~ s/<nav/<NAV/r : page($n);
    my %lines = (
        streamed => "Transfer-Encoding: chunked\r\n",
        weak => 'ETag: W/"x"' . "\r\nContent-Length: " . length($page)
            . "\r\n",
        moved => 'ETag: W/"y"' . "\r\nContent-Length: " . length($page)
            . "\r\nLast-Modified: Sun, 01 Nov 2026 00:00:00 GMT\r\n",
        own => "Transfer-Encoding: chunked\r\n"
            . "Detemplate-Regions: (0 100000)\r\n",
        gzip => "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
    );

    print $s "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        . "Connection: close\r\n$lines{$kind}\r\n"
        . ($lines{$kind} =~ /Length/ ? $page
            : join('', map { sprintf "%x\r\n%s\r\n", length $_, $_ }
                $page =~ /(.{1,700})/gs) . "0\r\n\r\n");
});

$t->run();

###############################################################################

my ($r, $off, $headers);

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $strip = body(http_get('/p3.html'));
my $hit = qr/^hit; mode=(?:headers|shadow); version=\d+$/;

# what stays as it is, of pages seen before and not

for my $mode (qw/ shadow headers /) {
    for my $uri (qw{ /p2.html /p2.html /sendfile/p2.html /modified/p2.html
        /long.html /long.html })
    {
        $off = get($uri, 'off');
        $r = get($uri, $mode);

        like(field($r, 'Detemplate'), $hit, "$mode, $uri");
        ok(body($r) eq body($off), "$mode, $uri, body");
        is(validators($r), validators($off), "$mode, $uri, validators");
        is(validators(http_head($uri, fields => ["X-Mode: $mode"])),
            validators($off), "$mode, $uri, head");
    }

    my ($tag, $date) = map { field($off, $_) } qw/ ETag Last-Modified /;

    is(status_of(get('/long.html', $mode, $_->[0])), $_->[1], "$mode, $_->[0]")
        for (
            [ "If-None-Match: $tag", 304 ],
            [ "If-None-Match: \"x\"", 200 ],
            [ "If-Modified-Since: $date", 304 ],
            [ "Range: bytes=10-19", 206 ],
        );

    is(body(get('/p2.html', $mode, 'Range: bytes=100-299')),
        substr(page(2), 100, 200), "$mode, part of the body");
}

# what is counted

is($t->counted('range'), 4, 'parts');

for my $mode (qw/ shadow headers strip /) {
    my $before = $t->status_json();

    get('/o/streamed/p5.html', $mode);

    my $now = $t->status_json();
    my ($page) = length page(5);
    my $cut = $page - length body(get('/o/streamed/p5.html', 'strip'));

    is($now->{requests}{hit} - $before->{requests}{hit}, 1, "$mode, a hit");
    is($now->{bytes}{in} - $before->{bytes}{in}, $page, "$mode, bytes");
    is($now->{bytes}{removed} - $before->{bytes}{removed}, $cut,
        "$mode, bytes of template");
    ok(wait_for(sub {
        return scalar grep { $_ eq "/o/streamed/p5.html HIT - $cut" }
            split /\n/, $t->read_file('result.log');
    }, 5), "$mode, in the log");
}

# where the regions are said

is(regions(get('/p4.html', 'headers')), '', 'not seen before, no regions');
is(regions(get('/p4.html', 'shadow')), '', 'shadow, no regions');

$r = get('/p4.html', 'headers');

like(field($r, 'Detemplate-Regions'), qr/^\(\d+ \d+\)(?:, \(\d+ \d+\))*$/,
    'seen before, in the header');
is(cut($r), body(get('/p4.html', 'strip')), 'seen before, the very regions');
is(cut(get('/fixed/p4.html', 'off')), '', 'another URL, no regions');
is(cut(get('/fixed/p4.html', 'off')), body(get('/p4.html', 'strip')),
    'another URL, seen before');

$headers = join "\n", grep { !/^Date/ } split /\r\n/, http_head('/p4.html',
    fields => ['X-Mode: headers']);
is($headers, join("\n", grep { !/^Date/ } split /\r\n/,
    ($r =~ /^(.*?)\r\n\r\n/s)[0]), 'seen before, head');

is(field(get('/p4.html', 'headers', 'Range: bytes=0-9'),
    'Detemplate-Regions'), field($r, 'Detemplate-Regions'),
    'part, regions of the whole');

get('/gzip/p4.html', 'headers');
is(regions(get('/gzip/p4.html', 'headers', 'Accept-Encoding: gzip')),
    regions($r), 'gzip behind, regions of what is in it');

get('/modified/p4.html', 'headers');
is(regions(get('/modified/p4.html', 'headers')), '',
    'without a strong entity tag, not in the header');

# behind the body

$r = get('/o/streamed/p3.html', 'headers');
is(field($r, 'Trailer'), 'Detemplate-Regions', 'streamed, announced');
is(cut($r), $strip, 'streamed, behind the body');
is(body($r), page(3), 'streamed, body');

$r = get('/o/own/p3.html', 'headers');
is(cut($r), $strip, 'one of the origin, not that');
unlike($r, qr/100000/, 'one of the origin, it is gone');

$r = get('/p6.html', 'headers', 'TE: trailers');
is(cut($r), body(get('/p6.html', 'strip')), 'asked for, behind the body');
is(field($r, 'Content-Length'), '', 'asked for, no length');
is(field($r, 'ETag'), field(get('/p6.html', 'off'), 'ETag'),
    'asked for, entity tag');

$r = get('/modified/p4.html', 'headers', 'TE: gzip, trailers');
is(cut($r), body(get('/p4.html', 'strip')), 'asked for, by its list');
is(field(get('/o/weak/p3.html', 'headers'), 'Trailer'), '',
    'a length, and not asked for');
is(cut(get('/o/weak/p3.html', 'headers', 'TE: trailers')), $strip,
    'a length, and asked for');
is(cut(get('/o/weak/p3.html', 'headers', 'TE: trailers', 'Range: bytes=0-9')),
    '', 'not with a part');

$r = http_get('/o/streamed/p3.html', version => '1.0',
    fields => ['X-Mode: headers']);
is(regions($r) . field($r, 'Trailer'), '', 'not in HTTP/1.0');

is(regions(get('/o/streamed/p3.html', 'shadow', 'TE: trailers')), '',
    'shadow, not behind the body');

$r = get('/o/unchunked/p3.html', 'headers');
is(regions($r) . field($r, 'Trailer'), '', 'not where nothing is chunked');
is(body($r), page(3), 'not where nothing is chunked, body');

# of a page that was seen before, by less than all its bytes

get('/o/moved/p3.html', 'headers') for 1, 2;
is(regions(get('/o/moved/p3.html', 'headers')), '',
    'a weak entity tag, not in the header');
is(cut(get('/o/moved/p3.html', 'headers', 'TE: trailers')), $strip,
    'the same bytes, and asked for');
$t->write_file('moved', '');
$r = get('/o/moved/p3.html', 'headers', 'TE: trailers');
is(regions($r), '', 'other bytes, not behind the body');
like(body($r), qr/<NAV/, 'other bytes, body');

# bounds

ok(wait_for(sub {
    return get('/many/p3.html', 'shadow') =~ /^Detemplate: hit/m;
}, 20), 'many regions, learned');

get('/many/many.html', 'headers');
my $value = regions(get('/many/many.html', 'headers'));

get('/many/touching.html', 'headers');
like(regions(get('/many/touching.html', 'headers')),
    qr/\(@{[index $touching, $lines[0] =~ s{\n}{}r]} \d+\)$/,
    'regions that touch are one');
is(cut(get('/many/touching.html', 'headers')),
    body(get('/many/touching.html', 'strip')), 'regions that touch, all');

cmp_ok(length $value, '<=', 2048, 'many regions, a bound');
cmp_ok(length $value, '>', 1900, 'many regions, nearly as many');
is(index(body(get('/many/many.html', 'strip')),
    substr leave_out($many, $value), 0, 1000), 0, 'many regions, the first');

is(regions(get('/long.html', 'headers')), regions(get('/long.html', 'headers',
    'TE: trailers')), 'long page');
is(cut(get('/long.html', 'headers')), body(get('/long.html', 'strip')),
    'long page, the very regions');

# what passes

like(field(get('/o/gzip/p3.html', $_), 'Detemplate'),
    qr/^bypass; reason=encoding$/, "$_, compressed") for qw/ headers shadow /;

# HTTP/2

SKIP: {
    skip 'no curl with HTTP/2', 2
        if `curl --version 2>&1` !~ /HTTP2/;

    my $head = $t->testdir() . '/h2';
    my $curl = "curl -s -m 10 --http2-prior-knowledge -D $head"
        . " -H 'Host: site.test' -H 'X-Mode: headers' http://127.0.0.1:"
        . $t->port(2);
    my $body = `$curl/o/streamed/p7.html`;

    is($body, page(7), 'HTTP/2, body');
    is(leave_out($body,
        $t->read_file('h2') =~ /^detemplate-regions: (.*?)\r$/m),
        body(get('/p7.html', 'strip')), 'HTTP/2, behind the body');
}

is($t->status_json()->{lists}{changed}, 1,
    'no other page was taken for another');

$t->no_alerts();

done_testing();

###############################################################################

sub get {
    my ($uri, $mode, @fields) = @_;

    return http_get($uri, fields => ["X-Mode: $mode", @fields]);
}

# a page with this footer

sub footer {
    my ($i, @lines) = @_;

    return page($i) =~ s{<footer>.*</footer>}
        {'<footer>' . join('', @lines) . '</footer>'}ser
        =~ s{href="/}{href="/many/}gr;
}

sub validators {
    my ($r) = @_;

    return join "\n", status_of($r), map { field($r, $_) }
        qw/ ETag Last-Modified Content-Length Accept-Ranges /;
}

# from the header, or from behind the body

sub regions {
    my ($r) = @_;

    return $r =~ /^Detemplate-Regions: (.*?)\r$/m ? $1 : '';
}

# the body without its regions; empty when they are not said

sub cut {
    my ($r) = @_;

    return regions($r) ? leave_out(body($r), regions($r)) : '';
}

sub leave_out {
    my ($body, $regions) = @_;

    substr $body, $_->[0], $_->[1], ''
        for reverse map { [ split / / ] } ($regions // '') =~ /\((.*?)\)/g;

    return $body;
}
