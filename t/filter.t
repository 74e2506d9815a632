#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A page without its template: the same bytes whatever the protocol, the
# source of the page and the filters around.

use IO::Compress::Gzip qw/ gzip /;
use IO::Uncompress::Gunzip qw/ gunzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => 'proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
        detemplate_cut cautious; keepalive_timeout 1s;',
    listen => [0, '2 http2'],
    mode => '$mode',
    status => 0,
    pages => [
        '/off/' => 'detemplate off;',
        '/sendfile/' => 'sendfile on; sendfile_max_chunk 512; tcp_nopush on;',
        '/small/' => 'sendfile off; output_buffers 1 64;',
        '/directio/' => 'sendfile on; directio 512;',
        '/open/' => 'sendfile on; open_file_cache max=10;',
        '/no-chunks/' => 'chunked_transfer_encoding off;',
        '/aio/' => 'aio threads; output_buffers 2 512;',
        '/rate/' => 'limit_rate 4k;',
        '/gzip/' => 'gzip on; gzip_min_length 1;',
        '/sub/' => q{
            sub_filter '<li><a href="/p5.html">Chapter 5</a></li>'
                '<li><a href="/p5.html">Chapter five</a></li>';},
        '/addition/' => 'add_after_body /tail.txt;',
        '/index/' => 'index p3.html;',
    ],
    locations => [
        '/try/' => 'try_files /none$uri /$arg_none $uri/ @fallback;',
        '@fallback' => 'proxy_pass %%HTTP_1%%/length/$arg_page.html;',
        '/store/' => '
            proxy_store %%TESTDIR%%/stored.html;
            proxy_pass %%HTTP_1%%/length/;',
        '/fastcgi/' => '
            fastcgi_pass 127.0.0.1:%%PORT_3%%;
            fastcgi_param URI $uri;',
        '/fastcgi-unbuffered/' => '
            fastcgi_pass 127.0.0.1:%%PORT_3%%;
            fastcgi_buffering off;
            fastcgi_param URI $uri;',
        '/scgi/' => '
            scgi_pass 127.0.0.1:%%PORT_4%%;
            scgi_param CONTENT_LENGTH 0;
            scgi_param URI $uri;',
        '/uwsgi/' => 'uwsgi_pass 127.0.0.1:%%PORT_5%%; uwsgi_param URI $uri;',
        '/sub-heals/' => q{
            alias %%TESTDIR%%/changed/;
            sub_filter 'Chapter five' 'Chapter 5';},
        '= /tail.txt' => 'return 200 "<!-- tail -->";',
        '/ssi/' => 'ssi on; alias %%TESTDIR%%/ssi/;',
        '/inc/' => 'alias %%TESTDIR%%/ssi/inc/; detemplate off;',
        '/gunzip/' => '
            gunzip on;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%/gz/;',
        '/cached/' => '
            proxy_cache cache;
            proxy_cache_valid 1h;
            proxy_pass %%HTTP_1%%/length/;',
        '/buffered/' => 'proxy_http_version 1.1; proxy_pass %%HTTP_1%%/;',
        '/few-buffers/' => '
            proxy_http_version 1.1;
            proxy_buffers 2 1k;
            proxy_buffer_size 1k;
            proxy_busy_buffers_size 1k;
            proxy_max_temp_file_size 0;
            proxy_pass %%HTTP_1%%/;',
        '/temp-file/' => '
            proxy_http_version 1.1;
            proxy_buffers 2 1k;
            proxy_buffer_size 1k;
            proxy_busy_buffers_size 1k;
            proxy_pass %%HTTP_1%%/;',
        '/unbuffered/' => '
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_pass %%HTTP_1%%/;',
    ],
    servers => [
        { name => 'whole.test', mode => 'strip', root => 'whole' },
        {
            name => 'big.test',
            mode => 'strip',
            root => 'big',
            locations => [
                '/chunk/' => '
                    proxy_http_version 1.1;
                    proxy_buffering off;
                    proxy_pass %%HTTP_1%%/chunk/;',
            ],
        },
    ],
);

$t->pages('html');

# a long page, most of which is its own text

my $long = page(3, paragraphs => 4000);
$t->write_file('html/long.html', $long);

(my $changed = page(3)) =~ s/Chapter 5/Chapter five/;
$t->write_file('changed/p3.html', $changed);

# a site with absolute URLs in its links

$t->write_file("whole/p$_.html",
    page($_) =~ s{href="/}{href="http://whole.test/}gr) for 1 .. 8;

# a site whose pages share a long text

$t->write_file("big/p$_.html", big($_)) for 1 .. 8;

# the header of the page is included by SSI

my ($top, $header, $rest) = page(3) =~ m{^(.*)(<header.*</header>)(.*)$}s;
$t->write_file('ssi/p3.html',
    $top . '<!--# include virtual="/inc/header.html" -->' . $rest);
$t->write_file('ssi/inc/header.html', $header);

# /length/..., /close/..., /gz/..., /chunk/SIZE/..., /slow/SIZE/..., /abort/...

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)};
    my ($how, $size, $name) = $uri =~ m{^/(\w+)(?:/(\d+))?/(\w+)\.html}
        or return;

    my $body = $name eq 'long' ? $long
        : $name eq 'big' ? big(3)
        : $name eq 'bigger' ? big(3, 'but one')
        : page(substr $name, 1);
    if ($how eq 'chunk' || $how eq 'slow') {
        print $s head('Transfer-Encoding: chunked');

        while ($body =~ /(.{1,$size})/gs) {
            printf $s "%x\r\n%s\r\n", length $1, $1;
            select undef, undef, undef, 0.02 if $how eq 'slow';
        }

        print $s "0\r\n\r\n";

    } elsif ($how eq 'gz') {
        gzip \$body, \my $gz;
        print $s response($gz, 'Content-Encoding: gzip');

    } elsif ($how eq 'abort') {
        print $s head('Transfer-Encoding: chunked');
        printf $s "%x\r\n%s\r\n", 900, substr $body, 0, 900;

    } else {
        print $s $how eq 'close' ? head() . $body : response($body);
    }
});

# application servers: their header and body in each protocol

sub application {
    my ($uri) = $_[0] =~ m{/(p3|long)\.html};

    return "Content-Type: text/html\r\n\r\n"
        . ($uri eq 'long' ? $long : page(3));
}

$t->origin(3, sub {
    my ($s, $request) = @_;

    my $record = sub { pack('C2n2Cx', 1, $_[0], 1, length $_[1], 3) . $_[1]
        . "pad" };

    print $s map({ $record->(6, $_) }
        application($request) =~ /(.{1,1000})/gs, ''),
        $record->(3, "\0" x 8);
}, qr/\x01\x05..\0\0..$/s);

$t->origin(4, sub { print {$_[0]} application($_[1]) }, qr/,$/);
$t->origin(5, sub {
    print {$_[0]} "HTTP/1.1 200 OK\r\n" . application($_[1])
}, qr/html/);

$t->run();

my ($r, $want, $marked);

# before there is a template

gets([ 'miss', '/p3.html', Detemplate => qr/^miss; reason=/,
    body => page(3) ]);

$r = $t->learn('/p3.html');
ok($r, 'learned') or BAIL_OUT('nothing was learned');

# strip

$want = body($r);

has('strip', $r, body => qr{<title>Page 3}, lacks =>
    qr{<header|<nav|<aside|<footer}, body => qr{<main>\n<h1>.*</p>\n</main>}s);
ok(subsequence($want, page(3)), 'strip, a subsequence of the page');

for my $i (1, 2, 4 .. 8) {
    my ($main) = page($i) =~ m{(<main>.*</main>)}s;

    gets([ "strip, page $i", "/p$i.html", body => qr/\Q$main\E/,
        lacks => qr/<nav|Printed by the almanac/ ]);
}

# annotate

$marked = body(http_get('/p3.html', fields => ['X-Mode: annotate']));

like($marked, qr{<header data-template id="top">}, 'annotate, element');
unlike($marked, qr{<main data-template}, 'annotate, content');
is(unmarked($marked), page(3),
    'annotate, page without its marks is unchanged');

# modes and protocols

my %old = (version => '1.0');

gets(
    [ 'off', '/p3.html', ['X-Mode: off'], body => page(3), Detemplate => '' ],
    [ 'unknown value means off', '/p3.html', ['X-Mode: what'],
        body => page(3) ],
    [ 'off in location', '/off/p3.html', body => page(3) ],
    [ 'http/1.0', '/p3.html', \%old, body => $want,
        'Content-Length' => length $want, 'Transfer-Encoding' => '' ],
    [ 'http/1.0, annotate', '/p3.html', { %old,
        fields => ['X-Mode: annotate'] }, 'Content-Length' => length $marked ],
    [ 'http/1.1', '/p3.html', 'Content-Length' => length $want,
        'Transfer-Encoding' => '' ],
    [ 'http/1.0 keepalive', '/p3.html', { %old,
        fields => ['Connection: keep-alive'] }, body => $want ],
    [ 'head', '/p3.html', { method => 'HEAD' }, body => '', status => 200 ],
);

my $s = http_get('/p3.html', keepalive => 1, start => 1);
$r = http_request('GET', '/p4.html', socket => $s);
is(scalar(() = $r =~ m{HTTP/1.1 200}g), 2, 'keepalive, two responses');
like($r, qr{\Q$want\EHTTP.*Page 4}s, 'keepalive, in order');

my $h2 = $t->port(2);

SKIP: {
    skip 'no curl', 3 if !curl_has(qr/HTTP2/);

    my $curl = 'curl -s -m 10 --http2-prior-knowledge -H "Host: site.test"';

    is(`$curl http://127.0.0.1:$h2/p3.html`, $want, 'h2');
    is(`$curl http://127.0.0.1:$h2/buffered/chunk/100/p3.html`, $want,
        'h2, proxied');
    like(`$curl -I http://127.0.0.1:$h2/p3.html`, qr/^detemplate: hit/mi,
        'h2, field');
}

# sources

gets(
    (map { [ $_, "/$_/p3.html", body => $want ] } qw{
        sendfile small aio rate gunzip cached cached buffered/length
        buffered/close unbuffered/close buffered/slow/100 unbuffered/slow/100
        few-buffers/chunk/300 temp-file/chunk/300 directio directio directio
        open open open no-chunks store fastcgi fastcgi-unbuffered scgi uwsgi
    }),
    [ 'try_files, fallback', '/try/x?page=p3', body => $want ],
    [ 'no chunks', '/no-chunks/p3.html', 'Transfer-Encoding' => '' ],
    (map { my $how = $_; map { [ "$how, chunks of $_",
        "/$how/chunk/$_/p3.html", body => $want ] }
        (1, 2, 3, 7, 64, 255, 1000) } qw/ buffered unbuffered few-buffers /),
);
is($t->read_file('stored.html'), page(3), 'file is stored unchanged');

# a request without a host name gets the page unchanged

is(http("GET /p3.html\r\n"), page(3), 'http/0.9');
$r = http("GET /p3.html HTTP/1.0\r\n\r\n");
is(body($r), page(3), 'http/1.0 without a host');
is(field($r, 'Detemplate'), 'bypass; reason=site',
    'http/1.0 without a host, reason');

is(unmarked(body(http_get('/unbuffered/chunk/5/p3.html',
    fields => ['X-Mode: annotate']))), page(3), 'annotate, chunks');

# long pages

my $long_want = body(http_get('/long.html'));

cmp_ok(length $long_want, '>', 700000, 'long page');
unlike($long_want, qr/<nav|Printed by the almanac/, 'long page, stripped');
ok(body(http_get("/$_/long.html")) eq $long_want, "long page, $_") for qw/
    sendfile small aio directio fastcgi fastcgi-unbuffered scgi uwsgi
    buffered\/length buffered\/chunk\/5000
    unbuffered\/chunk\/777 few-buffers\/chunk\/5000 temp-file\/length
/;

# a client that reads slowly

$s = http_get('/few-buffers/length/long.html', start => 1);
select undef, undef, undef, 0.3;
ok(body(http('', socket => $s)) eq $long_want, 'slow client');

# URLs with and without scheme, host and default port are equal

ok($r = $t->learn('/p3.html', host => 'whole.test'),
    'learned, whole addresses');
is(body($r), $want =~ s{href="/}{href="http://whole.test/}r,
    'whole addresses');
is(body(http_get('/p3.html', host => 'Whole.TEST:80')), body($r),
    'whole addresses, host with port');

# long parts that are held until it is decided whether to cut or pass them

ok($r = $t->learn('/p3.html', host => 'big.test'), 'learned, long text');

my $big = body($r);

unlike($big, qr/all rights of all kinds/, 'long text, cut');
is(body(http_get('/chunk/1000/big.html', host => 'big.test')), $big,
    'long text, cut from chunks');

$r = body(http_get('/chunk/1000/bigger.html', host => 'big.test'));

my ($text) = big(3, 'but one') =~ m{(<p>clause.*?</p>)}s;

unlike($r, qr/<nav/, 'longer text, other template cut');
ok(index($r, $text) > 0, 'text longer than may be held is passed');

# other filters

$r = http_get('/gzip/p3.html', fields => ['Accept-Encoding: gzip']);
is(field($r, 'Content-Encoding'), 'gzip', 'gzip after the module');
my $gz = body($r);
gunzip \$gz, \my $plain;
is($plain, $want, 'gzip after the module, body');

gets(
    [ 'sub before the module, changed menu entry is kept', '/sub/p3.html',
        body => qr/Chapter five/ ],
    [ 'sub before the module, entry is changed back into template',
        '/sub-heals/p3.html', body => $want ],
    [ 'addition before the module', '/addition/p3.html',
        body => qr/<!-- tail -->$/ ],
    [ 'ssi before the module, include is cut as template', '/ssi/p3.html',
        body => $want ],
    [ 'ssi, a request for the include itself', '/inc/header.html',
        body => $header ],
    [ 'internal redirect', '/index/', body => $want ],
);

# failures

for my $how (qw/ buffered unbuffered /) {
    $r = http_get("/$how/abort/p3.html");
    like($r, qr/200 OK|^$/, "upstream abort, $how");
    unlike($r, qr/\r\n0\r\n\r\n$/,
        "upstream abort, $how, response has no regular end");
}

$s = http_get('/rate/long.html', start => 1);
$s->close();
is(body(http_get('/p3.html')), $want, 'client abort');

$t->done();

# a page with a long text that other pages share

sub big ($i, $last = undef) {
    my $page = page($i, paragraphs => 24);
    my $text = join ' ', map { "clause $_ of all rights of all kinds" }
        1 .. 400;

    $text .= " $last" if $last;
    $page =~ s/Printed by/$text. Printed by/;

    return $page;
}
