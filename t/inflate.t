#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages that the origin compresses.  They are inflated and give the same result
# as the plain page, or they are passed unchanged.

use IO::Compress::Deflate qw/ deflate /;
use IO::Compress::Gzip qw/ gzip /;
use IO::Compress::RawDeflate qw/ rawdeflate /;
use IO::Uncompress::Gunzip qw/ gunzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        # a single learning, because entity tags contain its version
        detemplate_loads 5;
        proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
        proxy_http_version 1.1;
        log_format result "$uri $detemplate_status/$detemplate_reason "
            "$detemplate_removed";
        access_log %%TESTDIR%%/result.log result;',
    listen => [0, '3 http2'],
    mode => '$mode',
    pages => ['/static/' => 'gzip_static always;'],
    locations => [
        '/o/' => 'proxy_pass %%HTTP_1%%/;',
        '/unbuffered/' => 'proxy_buffering off; proxy_pass %%HTTP_1%%/;',
        '/slow/' => 'limit_rate 200k; proxy_pass %%HTTP_1%%/;',
        '/again/' => '
            gzip on;
            gzip_vary on;
            gzip_min_length 1;
            proxy_pass %%HTTP_1%%/;',
        '/gunzip/' => 'gunzip on; proxy_pass %%HTTP_1%%/;',
        '/cached/' => '
            proxy_cache cache;
            proxy_cache_valid 1h;
            proxy_pass %%HTTP_1%%/;',
        '/none/' => '
            detemplate_site none.test;
            detemplate_learn off;
            proxy_pass %%HTTP_1%%/;',
        '/bypass/' => 'detemplate_bypass 1; proxy_pass %%HTTP_1%%/;',
    ],
    servers => [
        {
            name => 'zipped.test',
            listen => [2],
            mode => 'strip',
            locations => ['/' => 'proxy_pass %%HTTP_1%%/gzip/;'],
        },
    ],
);

$t->pages('html');

# a page of half a megabyte that compresses badly

my $page = page(3);
my ($top, $words, $end) = page(5) =~ m{(.*<main>\n)(.*)(</main>.*)}s;
my $seed = 1;
my $long = $top . $words . join("\n", map {
        $seed = ($seed * 1103515245 + 12345) % 2147483648;
        "<p>word$seed and $_</p>";
    } 1 .. 20000) . $end;

$t->write_file('html/long.html', $long);

my $zip = zipped($page);
my $spaces = '<p>' . ' ' x 3000000 . '</p>';
my $bomb = zipped($spaces);

# replies of the origin: the coding and the body

my %replies = (
    'gzip' => [ 'gzip', $zip ],
    'x-gzip' => [ 'X-GZip', $zip ],
    'name' => [ 'gzip', named($page) ],
    'zlib' => [ 'deflate', form(\&deflate, $page) ],
    'raw' => [ 'deflate', form(\&rawdeflate, $page) ],
    'stored' => [ 'deflate', stored($page) ],
    'members' => [ 'gzip', join '', map { zipped($_) }
        '', $page =~ /(.{1,300})/gs, '' ],
    'zeros' => [ 'gzip', $zip . "\0" x 512 ],
    'junk' => [ 'gzip', $zip . "\x1f\x8bjunk" . 'x' x 70000 ],
    'junk-1f' => [ 'gzip', $zip . "\x1f" ],
    'junk-zlib' => [ 'deflate', form(\&deflate, $page) . $zip ],
    'junk-raw' => [ 'deflate', form(\&rawdeflate, $page) . $zip ],
    'long' => [ 'gzip', zipped($long) ],
    'long-members' => [ 'gzip', zipped($long) . zipped($page) ],
    'empty' => [ 'gzip', '' ],
    'nothing' => [ 'gzip', zipped('') ],
    'ratio' => [ 'gzip', zipped('<p>' . ' ' x 1000000 . '</p>') ],

    'cut' => [ 'gzip', substr $zip, 0, length($zip) / 2 ],
    'cut-end' => [ 'gzip', substr $zip, 0, -1 ],
    'cut-start' => [ 'gzip', substr $zip, 0, 3 ],
    'cut-zlib' => [ 'deflate', substr form(\&deflate, $page), 0, -1 ],
    'cut-raw' => [ 'deflate', substr form(\&rawdeflate, $page), 0, -1 ],
    'cut-member' => [ 'gzip', $zip . substr $zip, 0, 10 ],
    'cut-long' => [ 'gzip', substr zipped($long), 0, 100000 ],
    'plain' => [ 'gzip', $page ],
    'plain-deflate' => [ 'deflate', $page ],
    'sum' => [ 'gzip', substr($zip, 0, -8) . 'xxxx' . substr $zip, -4 ],
    'bad' => [ 'gzip', substr($zip, 0, 300) . "\xff" x 300 ],
    'dictionary' => [ 'deflate', "\x78\xbb\0\0\0\1" . 'x' x 100 ],
    'bomb' => [ 'gzip', $bomb ],
    'bombs' => [ 'gzip', $zip . $bomb ],
    'many' => [ 'gzip', zipped('') x 50000 ],

    'br' => [ 'br', $zip ],
    'zstd' => [ 'zstd', $zip ],
    'twice' => [ 'gzip, gzip', $zip ],
    'list' => [ 'identity, gzip', $zip ],
);

$replies{"full-$_"} = [ 'deflate', form(\&rawdeflate, ' ' x (32768 + $_)) ]
    for 1, 50, 100, 200, 257;

sub form ($code, $data) {
    $code->(\$data, \my $out) or die;
    return $out;
}

sub zipped { form(\&gzip, $_[0]) }

# a gzip member with all optional header fields

sub named {
    gzip \$_[0], \my $out, -Name => 'page.html', -Comment => 'a page',
        -ExtraField => [ [ 'dt', 'x' x 300 ] ] or die;
    return $out;
}

# stored blocks, which need no window

sub stored ($data) {
    my @blocks = $data =~ /(.{1,100})/gs;

    return join '', map {
        pack('Cvv', $_ == $#blocks ? 1 : 0, length $blocks[$_],
            65535 - length $blocks[$_]) . $blocks[$_]
    } 0 .. $#blocks;
}

$t->origin(1, sub ($s, $request) {
    my ($method, $name, $size) = $request =~ m{^(\S+) /([\w-]+)/(?:(\d+)/)?};

    my ($coding, $body) = @{$replies{$name // ''} || return};

    $body = zipped(page($1)) if $name eq 'gzip'
        && $request =~ m{^\S+ /gzip/p(\d+)};

    my $head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        . "Content-Encoding: $coding\r\nETag: \"$name\"\r\n"
        . "Content-MD5: x\r\nVary: Cookie, Accept-Encoding\r\n"
        . "Connection: close\r\n";

    $head .= "Cache-Control: no-transform\r\n" if $request =~ /no-transform/;

    if ($request =~ /^If-None-Match: "$name"\r$/m) {
        print $s $head =~ s/200 OK/304 Not Modified/r, "\r\n";
        return;
    }

    if ($size && $method ne 'HEAD') {
        print $s $head . "Transfer-Encoding: chunked\r\n\r\n";

        while ($body =~ /(.{1,$size})/gs) {
            printf $s "%x\r\n%s\r\n", length $1, $1;
        }

        print $s "0\r\n\r\n";
        return;
    }

    print $s $head . "Content-Length: " . length($body) . "\r\n\r\n"
        . ($method eq 'HEAD' ? '' : $body);
});

$t->write_file('html/p3.html.gz', $zip);
$t->run();

my ($r, $want, $want_long, $marked);

# a site is learned whose pages are all compressed

ok(http_get('/p3.html', port => $t->port(2), host => 'zipped.test'),
    'origin was asked for compressed pages');
ok($r = $t->learn('/p3.html', port => $t->port(2), host => 'zipped.test'),
    'learned, compressed');

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

$want = body($r);
$marked = body(http_get('/p3.html', fields => ['X-Mode: annotate']));
$want_long = body(http_get('/long.html'));

is(body(http_get('/p3.html', port => $t->port(2), host => 'zipped.test')),
    $want, 'learned, compressed, the same page');

# the result is that of the plain page

sub same ($uri, $name, @fields) {
    my $reply = http_get($uri, fields => [@fields]);

    is(field($reply, 'Detemplate') =~ /^hit/ ? body($reply)
        : "$name: " . field($reply, 'Detemplate'), $want, $name);

    return $reply;
}

for my $name (qw/ gzip x-gzip name zlib raw stored members zeros junk junk-1f
    junk-zlib junk-raw /)
{
    same("/o/$name/p", $name);
    same("/o/$name/1/p", "$name, a byte at a time");
    same("/unbuffered/$name/7/p", "$name, unbuffered");
}

$r = same('/o/gzip/p', 'a client that accepts gzip', 'Accept-Encoding: gzip');

has('inflated', $r, 'Content-Encoding' => '', 'Content-Length' => length $want,
    'Content-MD5' => '', Vary => 'Cookie, Accept-Encoding');
like(my $tag = field($r, 'ETag'), qr{^"dt-[0-9a-f]+"$}, 'entity tag');

gets([ 'annotate', '/o/gzip/p', ['X-Mode: annotate'], body => $marked ],
    [ 'HTTP/1.0', '/o/gzip/p', { version => '1.0' }, body => $want ]);

for my $uri ('/o/long/p', '/unbuffered/long/p', '/slow/long/p',
    '/o/long/1000/p', '/unbuffered/long/100/p')
{
    ok(body(http_get($uri)) eq $want_long, "$uri, a long page");
}

$r = body(http_get('/o/long-members/p'));
ok(index($r, $want_long) == 0 && length $r > length $want_long,
    'a long page and another member');

is(body(http_get("/o/$_/p")), '', "$_, an empty page")
    for qw/ empty nothing many /;

# zlib has taken all input while the output buffer is full

is(length body(http_get("/o/full-$_/p")), 32768 + $_,
    "full buffer, $_ more bytes") for 1, 50, 100, 200, 257;
is(length body(http_get('/o/ratio/p')), 1000007, 'at any ratio');

# HEAD, conditions

gets(
    [ 'HEAD', '/o/gzip/p', { method => 'HEAD' }, Detemplate => qr/^hit/,
        ETag => '', 'Content-Encoding' => '', 'Content-Length' => '' ],
    [ 'If-None-Match', '/o/gzip/p', ["If-None-Match: $tag"], status => 304,
        ETag => $tag, 'Content-Encoding' => '' ],
    [ 'If-None-Match, a tag of the origin', '/o/gzip/p',
        ['If-None-Match: "gzip"'], status => 200, body => $want ],
);

# other filters and caches

sub unzipped ($body) {
    my $out;

    return gunzip(\$body, \$out) ? $out : 'not gzip';
}

$r = http_get('/again/gzip/p', fields => ['Accept-Encoding: gzip']);
is(field($r, 'Content-Encoding'), 'gzip', 'compressed again');
is(unzipped(body($r)), $want, 'compressed again, page');
like(field($r, 'Vary'), qr/Accept-Encoding/, 'compressed again, Vary');

$r = same('/again/gzip/p', 'a client that does not accept gzip');
is(field($r, 'Content-Encoding'), '', 'not compressed again');

$r = http_get('/again/long/p', fields => ['Accept-Encoding: gzip']);
ok(unzipped(body($r)) eq $want_long, 'compressed again, a long page');

same('/gunzip/gzip/p', 'gunzip before', 'Accept-Encoding: gzip');
same('/gunzip/gzip/p', 'gunzip before, it inflates');
same('/static/p3.html', 'gzip_static');

same('/cached/gzip/p', "cached, $_") for qw/ first then /;

ok(body(http_get("/$_/long/p")) eq $want_long, "$_, long") for qw/
    o unbuffered cached cached
/;

# responses that are passed keep their bytes and fields

sub passed ($uri, $name, $coding, $bytes, $reason, @fields) {
    my $reply = http_get($uri, fields => [@fields]);

    has($name, $reply, Detemplate => $reason, 'Content-Encoding' => $coding,
        'Content-MD5' => 'x', 'Content-Length' => length $bytes,
        ETag => qr/^(?!.*;dt)/);
    ok(body($reply) eq $bytes, "$name, bytes");
}

passed("/o/$_/p", $_, $replies{$_}[0], $zip, qr/^bypass; reason=encoding$/)
    for qw/ br zstd twice list /;
passed('/o/gzip/p', 'off', 'gzip', $zip, qr/^$/, 'X-Mode: off');
passed('/none/gzip/p', 'no template', 'gzip', $zip, qr/^miss/);
passed('/bypass/gzip/p', 'bypass', 'gzip', $zip, qr/reason=bypass/);
passed('/o/gzip/p?no-transform', 'no-transform', 'gzip', $zip,
    qr/reason=no-transform/);

is($t->said('is not learned from: encoding, "br"'), 1,
    'reason is logged once');
is($t->said('is not learned from: encoding, "zstd"'), 0,
    'reason is not logged for each response');

# damaged data, and what is too large when it is inflated, is passed as it came

sub damaged ($name, $text, $at = '/o/') {
    my $count = $t->counted('encoding');
    my $status = $t->status_json()->{requests}{error};
    my $said = $t->said($text);
    my ($kind) = split m{/}, $name;

    if ($name =~ m{/}) {
        $r = http_get("$at$name/p");
        has($name, $r, Detemplate => 'error; reason=encoding',
            'Content-Encoding' => $replies{$kind}[0]);
        ok(body($r) eq $replies{$kind}[1], "$name, bytes");
    } else {
        passed("$at$name/p", "$at$name", @{$replies{$kind}},
            qr/^error; reason=encoding$/);
    }

    soon { $t->counted('encoding') == $count + 1 } "$name, counted", 5;
    is($t->status_json()->{requests}{error}, $status + 1, "$name, status");
    is($t->said($text), $said + 1, "$name, logged");
}

damaged($_, 'passes: it is truncated') for qw{ cut cut/1 cut-end cut-end/1
    cut-start cut-zlib cut-raw cut-member cut-long cut-long/1000 };
damaged('cut-end', 'passes: it is truncated', "/$_/") for qw/ unbuffered /;
damaged('plain', 'passes: incorrect header check');
damaged('plain-deflate', 'passes: invalid');
damaged('sum', 'passes: incorrect data check');
damaged('bad', 'passes: invalid');
damaged('dictionary', 'passes: no dictionary');

for my $name (qw/ bomb bombs /) {
    passed("$_$name/p", "$_$name", @{$replies{$name}},
        qr/^bypass; reason=size$/) for qw{ /o/ /unbuffered/ };
}

# over HTTP/2

for my $at (qw{ /o/ /unbuffered/ /cached/ }) {
    for my $name (qw/ cut-long cut-end sum bomb /) {
        my ($ended, $got) = h2_get({ port => $t->port(3), window => 300 },
            "$at$name/p");

        is($ended, '0', "h2, $at$name, response has its end");
        ok($got eq $replies{$name}[1], "h2, $at$name, bytes");
    }
}

is((h2_get({ port => $t->port(3) }, '/o/gzip/p'))[1], $want,
    'h2, next request is served');

$t->done();
