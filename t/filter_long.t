#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages of megabytes arrive whole, whatever the protocol, the source and the
# other filters.

use IO::Uncompress::Gunzip qw/ gunzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => 'detemplate_hold 16m 60s;
        proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;',
    listen => [0, '2 http2'],
    pages => [
        '/annotate/' => 'detemplate annotate;',
        '/marks/' => 'detemplate annotate; limit_rate 20k;',
        '/sendfile/' => 'sendfile on; sendfile_max_chunk 256k; tcp_nopush on;',
        '/aio/' => 'aio threads;',
        '/large-buffers/' => 'output_buffers 4 1m;',
        '/rate/' => 'limit_rate 2m;',
        '/timeout/' => 'send_timeout 1s;',
        '/gzip/' => 'gzip on; gzip_comp_level 1;',
    ],
    locations => [
        '/chunks/' => '
            detemplate annotate;
            limit_rate 20k;
            proxy_http_version 1.1;
            proxy_buffers 16 4k;
            proxy_busy_buffers_size 56k;
            proxy_pass %%HTTP_1%%;',
        '/ssi/' => 'ssi on; alias %%TESTDIR%%/ssi/;',
        '/inc/' => 'alias %%TESTDIR%%/ssi/inc/; detemplate off;',
        '/late/' => 'detemplate off; proxy_pass %%HTTP_1%%;',
        '/accel/' => 'proxy_pass %%HTTP_1%%;',
        '/cached/' => '
            proxy_cache cache;
            proxy_cache_valid 1h;
            add_header X-Cache $upstream_cache_status;
            proxy_pass %%HTTP_1%%/;',
        '/buffered/' => 'proxy_pass %%HTTP_1%%/;',
        '/temp-file/' => '
            proxy_buffers 2 4k;
            proxy_buffer_size 4k;
            proxy_busy_buffers_size 4k;
            proxy_pass %%HTTP_1%%/;',
        '/no-temp-file/' => '
            proxy_max_temp_file_size 0;
            proxy_pass %%HTTP_1%%/;',
        '/unbuffered/' => 'proxy_buffering off; proxy_pass %%HTTP_1%%/;',
    ],
);

$t->pages('html');

# a long page repeats its content many times

my ($top, $content, $end) = page(3, paragraphs => 4000)
    =~ m{^(.*?<main>\n)(.*)(</main>.*)$}s;

my $long = $top . $content x 8 . $end;
$t->write_file('html/long.html', $long);

# template between little, some and much content

my ($aside) = $end =~ m{(<aside.*</aside>)}s;
my @paragraphs = split /^/, $content;
my $between = $top . "</main>\n";

$between .= join '', '<main>', splice(@paragraphs, 0, (2, 15, 40)[$_ % 3]),
    "</main>\n$aside\n" for 1 .. 15;

$t->write_file('html/between.html', $between);

# The content is a late include.  The text before it fills some buffers and a
# part of another.

$t->write_file('ssi/long.html',
    $top . '<!--# include virtual="/inc/content.html" -->' . $end);
$t->write_file('ssi/inc/content.html', $content x 8);

for my $i (1 .. 8) {
    my $before = substr $top . $content x 2, 0, 32768 * $i + 20000;

    $t->write_file("ssi/late$i.html", "$before<i>before the include</i>"
        . ('.' x 100) . "<!--# include virtual=\"/late/$i\" -->$end");
}

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)};
    my $head = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n";

    if ($uri =~ m{^/late/}) {
        wait_for(sub { -e $t->testdir() . '/go' }, 15);
        print $s "$head\r\nthe include";

    } elsif ($uri =~ m{^/chunks/}) {
        print $s head('Transfer-Encoding: chunked'), chunked($between, 7);

    } elsif ($uri =~ m{^/accel/(.*)}) {
        print $s "${head}X-Accel-Redirect: /$1\r\n\r\n";

    } else {
        print $s $head . 'Content-Length: ' . length($long) . "\r\n\r\n$long";
    }
});

$t->run();

my ($r, $s);

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $want = body(http_get('/long.html'));

cmp_ok(length $want, '>', 5000000, 'length');
ok(index($want, "<main>\n" . $content x 8 . '</main>') > 0, 'content kept');
unlike($want, qr/<nav|Printed by the almanac/, 'template cut');

# sources

is_long(http_get("/$_/long.html"), $_) for qw/
    sendfile aio large-buffers rate ssi cached cached accel buffered temp-file
    no-temp-file unbuffered
/;

like(http_head('/cached/long.html'), qr/X-Cache: HIT/, 'cached, hit');

is(body(http_get('/annotate/long.html'))
    =~ s{ data-template(?=[\s/>])|<!--/?template-->}{}gr eq $long, 1,
    'annotate');

$r = body(http_get('/gzip/long.html', fields => ['Accept-Encoding: gzip']));
gunzip \$r, \my $plain;
ok($plain eq $want, 'gzip after the module');

# protocols

is_long(http_get('/long.html', version => '1.0'), 'http/1.0');

$s = http_get('/long.html', keepalive => 1, start => 1);
$r = http_request('GET', '/p4.html', socket => $s);
ok(index($r, "\r\n\r\n${want}HTTP/1.1 200") > 0, 'keepalive');
like(substr($r, -2000), qr{Page 4}, 'keepalive, next response');

SKIP: {
    skip 'no curl', 3 if !curl_has(qr/HTTP2/);

    my $curl = 'curl -s -m 20 --http2-prior-knowledge -H "Host: site.test"';
    my $url = 'http://127.0.0.1:' . $t->port(2);

    for my $where (qw{ / /cached/ /buffered/ }) {
        ok(`$curl $url${where}long.html` eq $want, "h2, $where");
    }
}

# the streams of a connection take turns

my ($order, @bodies) = h2_get({ port => $t->port(2) }, '/long.html',
    '/cached/long.html', '/p4.html');

ok($bodies[$_] eq $want, "h2, stream $_") for 0, 1;
is($bodies[2], body(http_get('/p4.html')), 'h2, short stream');
like($order, qr{^2}, 'h2, short stream is the first to end');

# a client that enlarges its windows in small steps

for my $where (qw{ / /buffered/ /temp-file/ /unbuffered/ /cached/ }) {
    ($order, $r) = h2_get({ port => $t->port(2), window => 30000 },
        "${where}long.html");
    ok($r eq $want, "h2, windows of 30000, $where");
}

for my $size (1, 100) {
    ($order, $r) = h2_get({ port => $t->port(2), window => $size },
        '/p4.html');
    is($r, $bodies[2], "h2, windows of $size");
}

# the text before a late include is held with it

my @late = map { http_get("/ssi/late$_.html", start => 1) } 1 .. 8;

is(can_read(IO::Select->new(@late), .3) ? 1 : 0, 0, 'late include, held');
$t->write_file('go', '');

for my $i (0 .. 7) {
    $r = body(http('', socket => $late[$i]));
    like(substr($r, -500), qr{before the include.*\.the include</main>}s,
        "late include $i");
}

# clients

for my $where (qw{ /marks/ /chunks/ }) {
    $r = body(http_get("${where}between.html"));
    is($r =~ s/ data-template(?=[\s>])//g, 16, "slow client, $where, marks");
    ok($r eq $between,
        "slow client, $where, page without its marks is unchanged");
}

for my $where (qw{ / /temp-file/ /ssi/ }) {
    $s = http_get("${where}long.html", start => 1, port => $t->port(0));
    select undef, undef, undef, 0.3;
    is_long(http('', socket => $s), "slow client, $where");
}

$s = http_get('/long.html', start => 1);
$r = read_until($s, qr/<main>/);
$t->reload();
is_long($r . http('', socket => $s), 'reload');

soon { $t->status_json() } 'after reload';

my $hits = $t->status_json()->{requests}{hit};

for my $where (qw{ / /rate/ /ssi/ /gzip/ }) {
    $s = http_get("${where}long.html", start => 1,
        fields => ['Accept-Encoding: gzip']);
    read_until($s, qr/\r\n\r\n/);
    $s->close();
}

soon { $t->status_json()->{requests}{hit} == $hits + 4 } 'clients that abort';

$s = http_get('/timeout/long.html', start => 1);
soon { $t->status_json()->{requests}{hit} == $hits + 5 }
    'client that never reads is closed';
$s->close();

is(body(http_get('/p4.html')), body(http_get('/p4.html', version => '1.0')),
    'next request is served');

$t->done();

sub is_long ($reply, $name) {
    ok(body($reply) eq $want, $name);
}
