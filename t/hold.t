#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A page is held until all of it has come.  One that is too large or too slow
# is sent as it came, with the header that it came with.

use IO::Compress::Gzip qw/ gzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my @modes = qw/ strip annotate preview headers shadow markdown text json /;

$t->configure(
    http => 'detemplate_hold 20k 1s; proxy_http_version 1.1;',
    mode => '$mode',
    listen => [0, '2 http2'],
    pages => [
        '/none/' => 'detemplate_hold 0;',
        '/exact/' => 'detemplate_hold ' . length(page(3)) . ';',
        '/less/' => 'detemplate_hold ' . (length(page(3)) - 1) . ';',
        '/sendfile/' => 'sendfile on;',
    ],
    locations => [
        '/o/' => 'proxy_pass %%HTTP_1%%/;',
        '/unbuffered/' => 'proxy_buffering off; proxy_pass %%HTTP_1%%/;',
        '/patient/' => 'detemplate_hold 20k 60s; proxy_pass %%HTTP_1%%/;',
        '/ranges/' => 'proxy_force_ranges on;
            proxy_pass %%HTTP_1%%/;',
        '/small/' => 'detemplate_hold 3k; proxy_pass %%HTTP_1%%/;',
        '/ssi/' => 'ssi on; root %%TESTDIR%%;',
        '/sub/' => 'detemplate off; proxy_pass %%HTTP_1%%/;',
        '/patient-ssi/' => 'detemplate_hold 20k 60s; ssi on;
            alias %%TESTDIR%%/ssi/;',
    ],
);

$t->pages('html');

my $page = page(3);
my $long = page(3, paragraphs => 200);
my ($top, $main, $end) = $page =~ m{^(.*<main>)(.*)(</main>.*)$}s;

$t->write_file('html/long.html', $long);
$t->write_file('ssi/p3.html', "$top<!--# include virtual=\"/sub/wait/in\" -->"
    . $end);
gzip(\$page, \my $zip);
gzip(\$long, \my $long_zip);

# kinds of pages: bytes, header fields, and the size of chunks.  Some wait in
# the middle until a file is there.

my %kinds = (
    plain => [ $page, [], 1000 ],
    bytes => [ $page, [], 1 ],
    long => [ $long, [], 1000 ],
    'zip' => [ $zip, [ 'Content-Encoding: gzip' ], 100 ],
    'long-zip' => [ $long_zip, [ 'Content-Encoding: gzip' ], 1000 ],
    wait => [ $page, [], 500 ],
    in => [ $main, [], 500 ],
);
my @validators = ('ETag: "x"', 'Last-Modified: Mon, 28 Sep 1970 06:00:00 GMT',
    'Content-MD5: x');

$t->origin(1, sub ($s, $request) {
    my ($wait, $flush, $length, $kind) =
        $request =~ m{^GET /(wait/)?(flush/)?(length/)?([\w-]+)} or return;

    print $s response(page($1)) and return if $kind =~ /^p(\d)/;

    my ($bytes, $fields, $size) = @{$kinds{$kind} // return};
    my $head = head(@$fields, @validators, $length
        ? 'Content-Length: ' . length $bytes : 'Transfer-Encoding: chunked');
    my @pieces = $length ? unpack "(a$size)*", $bytes
        : map { sprintf "%x\r\n%s\r\n", length, $_ }
            unpack("(a$size)*", $bytes), '';

    $s->autoflush(1);
    print $s $head;

    for my $i (0 .. $#pieces) {
        if ($wait && $i == int(@pieces / 2)) {
            wait_for(sub { -e "$d/go" }, 30);
        }

        select undef, undef, undef, .02 if $flush;
        print $s $pieces[$i];
    }
});

$t->run();

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
$t->idle();

sub get ($uri, $mode, @fields) {
    return http_get($uri, fields => ["X-Mode: $mode", @fields]);
}

# that the page comes in pieces of a byte changes nothing

for my $mode (@modes) {
    my $want = get('/o/plain', $mode) =~ s{^(ETag: (W/)?"dt-)\w+}{$1}mr;

    like(field($want, 'Detemplate'), qr/^hit; mode=$mode/, "$mode, hit");
    is(field($want, 'Content-Length'), length body($want), "$mode, length")
        if $mode !~ /headers|shadow/;

    for my $uri (qw{ /o/bytes /unbuffered/bytes /o/flush/plain
        /unbuffered/flush/plain /o/length/bytes /unbuffered/length/bytes
        /o/zip /unbuffered/length/zip })
    {
        next if $mode =~ /headers|shadow/ && $uri =~ /zip/;

        # the page may say where it is, and so is its tag another one

        my $r = get($uri, $mode);

        $r =~ s{^(ETag: (W/)?"dt-)\w+}{$1}m;
        $r =~ s{\Q$uri\E}{/o/plain}g;
        is(body($r), body($want), "$mode, $uri, body") or last;
        is(fields($r), fields($want), "$mode, $uri, fields");
    }
}

# the bound is one of bytes: of those that come, and of the page

for my $mode (@modes) {
    gets(
        [ "$mode, as large as is held", '/exact/p3.html', ["X-Mode: $mode"],
            Detemplate => qr/^hit/ ],
        [ "$mode, larger by a byte", '/less/p3.html', ["X-Mode: $mode"],
            Detemplate => 'bypass; reason=size', body => $page ],
        [ "$mode, nothing is held", '/none/p3.html', ["X-Mode: $mode"],
            Detemplate => 'bypass; reason=size', body => $page ],
    );

    for my $uri (qw{ /o/long /o/length/long /unbuffered/long /long.html
        /sendfile/long.html })
    {
        my $r = get($uri, $mode);
        my $off = get($uri, 'off');

        is(field($r, 'Detemplate'), 'bypass; reason=size', "$mode, $uri");
        ok(body($r) eq $long, "$mode, $uri, body");
        is(fields($r, 1), fields($off, 1), "$mode, $uri, fields")
            if $mode ne 'preview';
    }

    next if $mode =~ /headers|shadow/;

    for my $uri (qw{ /o/long-zip /o/length/long-zip /unbuffered/long-zip
        /small/long-zip })
    {
        my $r = get($uri, $mode);

        has("$mode, $uri", $r, Detemplate => 'bypass; reason=size',
            'Content-Encoding' => 'gzip', 'Content-MD5' => 'x');
        ok(body($r) eq $long_zip, "$mode, $uri, body");
    }
}

is($t->counted('size') > 30, 1, 'size, counted');
is($t->said('page of "site.test" passed: size') > 30, 1, 'size, said');
is($t->status_json()->{bytes}{removed} > 0, 1, 'bytes that were cut, counted');

# HTTP/1.0, where the length is not known, ends with the connection

gets([ 'HTTP/1.0, too large', '/o/long', { version => '1.0' }, body => $long,
    'Content-Length' => '', 'Transfer-Encoding' => '' ]);

# a range of what turns out to be a page, by a name that is none

has('range of a page that is held', get('/ranges/length/long-zip.png',
    'strip', 'Range: bytes=10-19'), status => 200, body => $long_zip,
    Detemplate => 'bypass; reason=size');
has('range of a page that is not held', get('/ranges/length/long.png',
    'strip', 'Range: bytes=10-19'), status => 206,
    body => substr($long, 10, 10), Detemplate => 'bypass; reason=size');

# A page that is too slow.  The client gets what is there, and then the rest.

for my $uri (qw{ /o/wait/plain /unbuffered/wait/plain
    /unbuffered/wait/length/plain /unbuffered/wait/flush/plain
    /o/wait/zip /ssi/p3.html })
{
    for my $mode (qw/ strip markdown headers /) {
        next if $mode eq 'headers' && $uri =~ /zip/;

        unlink "$d/go";
        my $s = http_get($uri, fields => ["X-Mode: $mode"], start => 1);
        my $r = read_until($s, $uri =~ /zip/ ? qr/\r\n\r\n./s : qr/<head>/);

        has("$mode, $uri", $r, Detemplate => 'bypass; reason=slow');
        unlike($r, qr/<\/html>/, "$mode, $uri, a part");
        $t->write_file('go', '');
        is(body($r . http('', socket => $s)), $uri =~ /zip/ ? $zip : $page,
            "$mode, $uri, the rest");
    }
}

unlink "$d/go";
my $s = http_get('/o/wait/plain', fields => ['X-Mode: strip'], start => 1,
    keepalive => 1);
my $r = read_until($s, qr/<head>/);
$t->write_file('go', '');
like(http_request('GET', '/p4.html', socket => $s),
    qr{\r\n0\r\n\r\nHTTP/1.1 200.*Page 4}s, 'slow, next request');

is($t->counted('slow') > 10, 1, 'slow, counted');

SKIP: {
    skip 'no curl', 2 if !curl_has(qr/HTTP2/);

    unlink "$d/go";
    my $curl = 'curl -s -m 60 --http2-prior-knowledge -H "Host: site.test" '
        . '-H "X-Mode: strip" -D ' . "$d/head http://127.0.0.1:" . $t->port(2);
    my $pid = $t->fork_child(sub {
        wait_for(sub { -s "$d/head" }, 20);
        $t->write_file('go', '');
        exit 0;
    });

    is(`$curl/o/wait/plain`, $page, 'h2, slow, body');
    like($t->read_file('head'), qr/^detemplate: bypass; reason=slow/m,
        'h2, slow');
}

# one that is slow for a while, but in time

for my $uri (qw{ /patient/wait/plain /patient/wait/flush/length/plain
    /patient-ssi/p3.html })
{
    unlink "$d/go";
    $s = http_get($uri, fields => ['X-Mode: strip'], start => 1);

    is(can_read(IO::Select->new($s), .3) ? 1 : 0, 0, "$uri, nothing yet");
    $t->write_file('go', '');
    is(body(http('', socket => $s)), body(get('/p3.html', 'strip')),
        "$uri, in time");
}

# a client that goes while its page is held; nothing is left behind

unlink "$d/go";

my @s = map { http_get('/o/wait/plain', fields => ['X-Mode: strip'],
    start => 1) } 1 .. 5;

close $_ for @s;
$t->write_file('go', '');
is(body(get('/p3.html', 'strip')), body(get('/o/plain', 'strip')),
    'after clients that went');

# HEAD has what does not depend on the page

for my $mode (@modes) {
    has("$mode, HEAD", http_head('/p3.html', fields => ["X-Mode: $mode"]),
        Detemplate => qr/^hit; mode=$mode/, body => '',
        'Content-Type' => field(get('/p3.html', $mode), 'Content-Type'),
        'Detemplate-Regions' => '', $mode =~ /headers|shadow/
            ? ('Content-Length' => length $page)
            : ('Content-Length' => '', ETag => ''));
}

$t->done();

# the fields of a response that its framing and its time do not change

sub fields ($r, $no_result = 0) {
    my ($head) = $r =~ /^(.*?)\r\n\r\n/s;

    my $other = qr/^(?:Date|Transfer-Enc|Content-Len|Connection|X-Markdown)/;

    return join "\n", sort grep { !/$other/
        && !($no_result && /^Detemplate/) && $_ ne '' } split /\r\n/, $head;
}
