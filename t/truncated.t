#!/usr/bin/perl

# Copyright (C) The detemplate authors

# An origin that fails within a page.  A cache in front must not take what came
# until then for the whole page, whatever it speaks, in every mode, with pages
# that are held, passed and inflated.

use IO::Compress::Gzip qw/ gzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

# the cache in front and what it asks for: the form is in its URL

my $back = 'proxy_http_version 1.1;';
my %backs = (
    held => '',
    passed => 'detemplate_hold 0;',
    unbuffered => 'proxy_buffering off;',
    unchunked => 'chunked_transfer_encoding off;',
    inflated => 'gunzip off;',
    gzip => 'gzip on; gzip_min_length 1; gzip_http_version 1.0;
        gzip_proxied any;',
);

my @fronts = map {
    my $version = $_;
    ("/$version/" => "
        proxy_cache pages;
        proxy_cache_valid 200 1h;
        proxy_cache_key \$request_uri;
        proxy_http_version $version;
        proxy_set_header Host site.test;
        proxy_set_header X-Mode \$arg_mode;
        add_header X-Cache \$upstream_cache_status;
        proxy_pass %%HTTP_0%%/;")
} qw/ 1.0 1.1 /;

$t->configure(
    mode => '$mode',
    http => "proxy_cache_path $d/cache keys_zone=pages:1m;",
    server => $back,
    locations => [
        '/' => 'proxy_pass %%HTTP_1%%;',
        map { ("/$_/" => "$backs{$_} proxy_pass %%HTTP_1%%/;") }
            sort keys %backs,
    ],
    servers => [{ name => 'front', listen => [2], mode => 'off',
        locations => \@fronts }],
);

# How the origin fails: header fields, a coding, and the bytes that it sends of
# the page.  A page is large enough that nginx sends some of it at once.

my $page = page(3, paragraphs => 100);
gzip(\$page, \my $zipped);
my $chunked = sub { sprintf "%x\r\n%s\r\n", length $_[0], $_[0] };
my $half = sub { substr $_[0], 0, length($_[0]) / 2 };
my $length = sub { ('Content-Length: ' . length $_[0]) };

my %fails = (
    'length-none' => [ $page, [ $length->($page) ], '' ],
    'length-few' => [ $page, [ $length->($page) ], substr $page, 0, 100 ],
    'length-half' => [ $page, [ $length->($page) ], $half->($page) ],
    'length-last' => [ $page, [ $length->($page) ], substr $page, 0, -1 ],
    'chunked-none' => [ $page, [ 'Transfer-Encoding: chunked' ], '' ],
    'chunked-half' => [ $page, [ 'Transfer-Encoding: chunked' ],
        $chunked->($half->($page)) ],
    'chunked-in' => [ $page, [ 'Transfer-Encoding: chunked' ],
        $half->($chunked->($page)) ],
    'chunked-last' => [ $page, [ 'Transfer-Encoding: chunked' ],
        $chunked->($page) ],
    'gzip-half' => [ $page, [ 'Content-Encoding: gzip', $length->($zipped) ],
        $half->($zipped) ],
    'gzip-whole' => [ $page, [ 'Content-Encoding: gzip',
        $length->($half->($zipped)) ], $half->($zipped) ],
    'gzip-first' => [ $page, [ 'Content-Encoding: gzip', $length->('broken') ],
        'broken' ],
    'gzip-chunked' => [ $page, [ 'Content-Encoding: gzip',
        'Transfer-Encoding: chunked' ], $chunked->($half->($zipped)) ],
);

$t->origin(1, sub ($s, $request) {
    my ($name, $n) = $request =~ m{^GET /(?:([a-z-]+)-)?p(\d+)} or return;
    my $fail = $fails{$name // ''};

    print $s response(page($n)) and return if !$fail;
    print $s join("\r\n", 'HTTP/1.1 200 OK', 'Content-Type: text/html',
        'Cache-Control: max-age=1000', 'Connection: close', @{$fail->[1]}, '',
        $fail->[2]);
});

$t->run();

ok($t->learn('/p3.html', host => 'site.test'), 'learned')
    or BAIL_OUT('nothing was learned');

# what a cache keeps without the module: where nothing says that the end is
# missing, and compressed pages that come to an end and are damaged

my %off = map { ($_ => kept('off', $_)) } sort keys %backs;

like($off{$_}, qr/gzip-whole by 1.0/, "off, $_, a damaged page is kept")
    for sort keys %backs;

for my $mode (qw/ strip annotate preview headers shadow markdown text json /) {
    for my $back (sort keys %backs) {
        my %known = map { $_ => 1 } split /, /, $off{$back};

        is(join(', ', grep { !$known{$_} } split /, /, kept($mode, $back)), '',
            "$mode, $back, no other is kept");
    }
}

# a page that is held and fails has no header, where HTTP cannot tell;
# elsewhere the client gets what has come, and no end

for my $mode (qw/ strip markdown headers /) {
    for my $fail (qw/ length-none length-half chunked-half chunked-last /) {
        is(http_get("/$fail-p3.html", version => '1.0',
            fields => [ "X-Mode: $mode" ]), '', "$mode, $fail, no header");
    }

    for my $fail (qw/ length-half chunked-half /) {
        has("$mode, $fail, HTTP/1.1", http_get("/$fail-p3.html",
            fields => [ "X-Mode: $mode" ]), status => 200,
            Detemplate => 'error; reason=slow', body => $fail =~ /length/
                ? $half->($page) : $half->($page) . '(incomplete)');
    }

    # not sound: as it came, which is the end of it

    has("$mode, gzip-first", http_get('/gzip-first-p3.html',
        fields => [ "X-Mode: $mode" ]), 'Content-Encoding' => 'gzip',
        body => 'broken', Detemplate => $mode eq 'headers'
            ? 'bypass; reason=encoding' : 'error; reason=encoding');
}

# one that comes whole is kept

for my $back (sort keys %backs) {
    for my $version ('1.0', '1.1') {
        my $uri = "/$version/$back/p3.html?mode=strip";

        ask($uri);
        is(field(ask($uri), 'X-Cache'), 'HIT',
            "whole, $back by $version, is kept");
    }
}

$t->done();

# the failures that a cache in front takes for whole pages

sub kept ($mode, $back) {
    my @kept;

    for my $fail (sort keys %fails) {
        for my $version ('1.0', '1.1') {
            my $uri = "/$version/$back/$fail-p3.html?mode=$mode";

            ask($uri);
            push @kept, "$fail by $version"
                if field(ask($uri), 'X-Cache') eq 'HIT';
        }
    }

    return join ', ', @kept;
}

sub ask { http_get($_[0], port => $t->port(2), host => 'front') }
