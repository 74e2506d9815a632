#!/usr/bin/perl

# Copyright (C) The detemplate authors

# HTTP/3, if nginx and curl support it: pages, conditions and streams as over
# HTTP/1.1, and a site that was requested over HTTP/3 only.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $quic = $t->port(2);

plan(skip_all => 'nginx without HTTP/3')
    if !nginx_has(qr/--with-http_v3_module/);
plan(skip_all => 'curl without HTTP/3')
    if !curl_has(qr/\bHTTP3\b/);
plan(skip_all => 'no openssl')
    if system('openssl req -x509 -newkey rsa:2048 -nodes -days 2 '
        . "-subj /CN=site.test -keyout $d/key.pem -out $d/cert.pem "
        . ">$d/openssl.log 2>&1") != 0;

$t->configure(
    http => '
        detemplate_loads 5;
        ssl_certificate %%TESTDIR%%/cert.pem;
        ssl_certificate_key %%TESTDIR%%/key.pem;',
    name => 'site.test other.test',
    listen => [0, '2 ssl', '2 quic'],
    server => 'detemplate_site $host;',
    pages => ['/marked/' => 'detemplate annotate;'],
    locations => [
        '/streamed/' => '
            proxy_buffering off;
            proxy_pass %%HTTP_1%%/;
            proxy_set_header Host $host;',
    ],
);

$t->pages('html');

# a page that is sent in pieces

$t->origin(1, sub ($s, $request) {
    my ($n) = $request =~ m{^\S+ /p(\d)\.html} or return;

    print $s head();

    for my $piece (page($n) =~ /.{1,100}/gs) {
        print $s $piece;
        select undef, undef, undef, 0.005;
    }
});

$t->run();

my ($r, $h3, $tag);

ok($r = $t->learn('/p3.html', host => 'site.test'), 'learned');

$h3 = http3('/p3.html');
like($h3, qr{^HTTP/3 200}, 'page');
like(field($h3, 'Detemplate'), qr/^hit; mode=strip/, 'page, field');
isnt(body($r), page(3), 'page, rewritten');
is(body($h3), body($r), 'page, as over HTTP/1.1');

$h3 = http3('/marked/p3.html');
is(unmarked(body($h3)), page(3),
    'annotate, page without its marks is unchanged');
isnt(body($h3), page(3), 'annotate');

is(body(http3('/streamed/p3.html')), body($r), 'streamed');

$tag = field(http3('/p3.html'), 'ETag');
is($tag, field($r, 'ETag'), 'entity tag');
like(http3('/p3.html', "-H 'If-None-Match: $tag'"), qr{^HTTP/3 304},
    'not modified');

is(body(http3('/p3.html', '-I')), '', 'HEAD');
is(field(http3('/p3.html', '-I'), 'Detemplate'),
    field($r, 'Detemplate'), 'HEAD, field');

# the learner uses TLS at the same port

soon {
    field(http3('/p3.html', '', 'other.test'), 'Detemplate') =~ /^hit/
} 'learned from requests over HTTP/3 only', 20;
is(body(http3('/p3.html', '', 'other.test')), body($r), 'page is rewritten');

$t->done();

sub http3 ($uri, $options = undef, $host = undef) {
    $host ||= 'site.test';
    $options ||= '';

    return scalar `curl -sik -m 10 --http3-only $options \\
        --resolve $host:$quic:127.0.0.1 https://$host:$quic$uri`;
}
