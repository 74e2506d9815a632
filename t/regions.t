#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Modes that leave the page as it is: "headers" says where its template
# stands, "shadow" only counts.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $files = $t->module('file');

# with five loads there is one learning, so the regions of a page do not change

$t->configure(
    http => '
        detemplate_loads 5;
        log_format result "$uri $detemplate_status $detemplate_reason "
                          "$detemplate_removed";',
    listen => [0, '2 http2'],
    mode => '$mode',
    server => 'access_log %%TESTDIR%%/result.log result;',
    pages => [
        '/fixed/' => 'detemplate headers;',
        '/sendfile/' => 'sendfile on; detemplate_learn off;',
        '/modified/' => 'etag off;',
        '/gzip/' => 'gzip on; gzip_min_length 0;',
        '/passed/' => 'detemplate_hold 0;',
    ],
    locations => [
        '/o/' => 'proxy_http_version 1.1; proxy_pass %%HTTP_1%%;',
        '/o/passed/' => '
            detemplate_hold 0;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%/o/;',
        '/o/unbuffered/' => '
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_pass %%HTTP_1%%/o/streamed/;',
        '/o/unchunked/' => '
            proxy_http_version 1.1;
            chunked_transfer_encoding off;
            proxy_pass %%HTTP_1%%/o/streamed/;',
        '/many/' => 'detemplate_site many.test; detemplate_cut cautious; '
            . 'root %%TESTDIR%%;',
    ],
);

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

$t->origin(1, sub ($s, $request) {
    my ($method, $kind, $n) = $request =~ m{^(\w+) /o/(\w+)/p(\d)} or return;
    my $page = page($n);
    my %lines = (
        streamed => "Transfer-Encoding: chunked\r\n",
        weak => 'ETag: W/"x"' . "\r\nContent-Length: " . length($page)
            . "\r\n",
        cut => 'Content-Length: ' . (length($page) + 1) . "\r\n",
        utf16 => "Transfer-Encoding: chunked\r\n",
        own => "Transfer-Encoding: chunked\r\n"
            . "Detemplate-Regions: (0 100000)\r\n",
        gzip => "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
    );

    $page = "\xff\xfe$page" if $kind eq 'utf16';

    print $s head(split /\r\n/, $lines{$kind}), $method eq 'HEAD' ? ''
        : $lines{$kind} =~ /Length/ ? $page : chunked($page, 700);
});

$t->run();

my ($r, $off, $headers);

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $strip = body(http_get('/p3.html'));
my $hit = qr/^hit; mode=(?:headers|shadow); version=\d+; settled(?:=\?0)?$/;

# what stays as it is

for my $mode (qw/ shadow headers /) {
    for my $uri (qw{ /p2.html /sendfile/p2.html /modified/p2.html /long.html })
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
    is(body(get('/p2.html', $mode, 'Range: bytes=100-299', 'If-Range: "x"')),
        page(2), "$mode, range of another page");
}

# what is counted

is($t->counted('range'), 6, 'parts');

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
    soon {
        return scalar grep { $_ eq "/o/streamed/p5.html HIT - $cut" }
            split /\n/, $t->read_file('result.log');
    } "$mode, in the log", 5;
}

# the header of the first response says where the regions are

is(regions(get('/p4.html', 'shadow')), '', 'shadow, no regions');

for my $uri (qw{ /p4.html /fixed/p4.html /sendfile/p4.html /modified/p4.html
    /o/streamed/p4.html /o/weak/p4.html /o/unbuffered/p4.html })
{
    $r = get($uri, 'headers');

    like(field($r, 'Detemplate-Regions'),
        qr/^\(\d+ \d+\)(?:, \(\d+ \d+\))*$/, "$uri, in the header");
    is(cut($r), body(get('/p4.html', 'strip')), "$uri, the very regions");
    is(body($r), page(4), "$uri, body");
    is(field($r, 'Trailer'), '', "$uri, no trailer");
}

has("$_, HEAD has no body to scan", http_head($_,
    fields => ['X-Mode: headers']), status => 200, Detemplate => $hit,
    'Content-Length' => length(page(5)), 'Detemplate-Regions' => '')
    for qw{ /p5.html /o/weak/p5.html };

is(regions(get('/gzip/p4.html', 'headers', 'Accept-Encoding: gzip')),
    regions(get('/p4.html', 'headers')),
    'gzip behind, regions of what is in it');

is(regions(get('/p4.html', 'headers', 'Range: bytes=0-9')), '',
    'part, no regions');

$r = get('/o/own/p3.html', 'headers');
is(cut($r), $strip, 'one of the origin, not that');
unlike($r, qr/100000/, 'one of the origin, it is gone');

# what is held is sent whatever happens

has('the origin breaks off', get('/o/cut/p3.html', 'headers'),
    body => page(3), 'Detemplate-Regions' => '');

my @old = (version => '1.0', fields => ['X-Mode: headers']);

is(http_get('/o/cut/p3.html', @old), '', 'the origin breaks off, HTTP/1.0');

SKIP: {
    skip 'no tree of nginx to build a module', 13 if !$files;

    for my $mode (qw/ headers strip markdown /) {
        has("not in memory, $mode", get('/sendfile/p3.html?file', $mode),
            body => page(3), 'Detemplate-Regions' => '',
            Detemplate => 'error; reason=memory',
            'Content-Length' => length(page(3)));
    }

    $r = http_get('/sendfile/p3.html?file', version => '1.0',
        fields => ['X-Mode: strip']);
    is(body($r), page(3), 'not in memory, HTTP/1.0');
}

has('the body tells a charset', get('/o/utf16/p3.html', 'headers'),
    Detemplate => 'bypass; reason=charset', 'Detemplate-Regions' => '',
    body => "\xff\xfe" . page(3));

# larger pages have none

for my $uri (qw{ /passed/p3.html /o/passed/streamed/p3.html
    /o/passed/weak/p3.html })
{
    has("$uri, too large", get($uri, 'headers', 'TE: trailers'),
        body => page(3), 'Detemplate-Regions' => '', Trailer => '',
        Detemplate => 'bypass; reason=size');
}

$r = get('/o/unchunked/p3.html', 'headers');
is(cut($r), $strip, 'where nothing is chunked');
is(body($r), page(3), 'where nothing is chunked, body');

# bounds

soon {
    return get('/many/p3.html', 'shadow') =~ /^Detemplate: hit/m;
} 'many regions, learned', 20;

my $value = regions(get('/many/many.html', 'headers'));

like(regions(get('/many/touching.html', 'headers')),
    qr/\(@{[index $touching, $lines[0] =~ s{\n}{}r]} \d+\)$/,
    'regions that touch are one');
is(cut(get('/many/touching.html', 'headers')),
    body(get('/many/touching.html', 'strip')), 'regions that touch, all');

cmp_ok(length $value, '<=', 2048, 'many regions, a bound');
cmp_ok(length $value, '>', 1900, 'many regions, nearly as many');
is(index(body(get('/many/many.html', 'strip')),
    substr leave_out($many, $value), 0, 1000), 0, 'many regions, the first');

is(cut(get('/long.html', 'headers')), body(get('/long.html', 'strip')),
    'long page, the very regions');

# what passes

like(field(get('/o/gzip/p3.html', $_), 'Detemplate'),
    qr/^bypass; reason=encoding$/, "$_, compressed") for qw/ headers shadow /;

# HTTP/2

SKIP: {
    skip 'no curl with HTTP/2', 2
        if !curl_has(qr/HTTP2/);

    my $head = $t->testdir() . '/h2';
    my $curl = "curl -s -m 10 --http2-prior-knowledge -D $head"
        . " -H 'Host: site.test' -H 'X-Mode: headers' http://127.0.0.1:"
        . $t->port(2);
    my $body = `$curl/o/streamed/p7.html`;

    is($body, page(7), 'HTTP/2, body');
    is(leave_out($body,
        $t->read_file('h2') =~ /^detemplate-regions: (.*?)\r$/m),
        body(get('/p7.html', 'strip')), 'HTTP/2, regions');
}

$t->done();

sub get ($uri, $mode, @fields) {
    return http_get($uri, fields => ["X-Mode: $mode", @fields]);
}

# a page with this footer

sub footer ($i, @lines) {
    return page($i, paragraphs => 12) =~ s{<footer>.*</footer>}
        {'<footer>' . join('', @lines) . '</footer>'}ser
        =~ s{href="/}{href="/many/}gr;
}

sub validators ($r) {
    return join "\n", status_of($r), map { field($r, $_) }
        qw/ ETag Last-Modified Content-Length Accept-Ranges /;
}

# from the header, or from behind the body

sub regions ($r) {
    return $r =~ /^Detemplate-Regions: (.*?)\r$/m ? $1 : '';
}

# the body without its regions; empty when they are not said

sub cut ($r) {
    return regions($r) ? leave_out(body($r), regions($r)) : '';
}

sub leave_out ($body, $regions) {
    substr $body, $_->[0], $_->[1], ''
        for reverse map { [ split / / ] } ($regions // '') =~ /\((.*?)\)/g;

    return $body;
}
