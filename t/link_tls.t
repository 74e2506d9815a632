#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link and Redis over TLS: whom it trusts, whom it does
# not, and what it says of that.

use Test::Detemplate::Link;

plan(skip_all => no_tls()) if no_tls();

my $d = Test::Detemplate::Link::dir();
my $plain = free_port();
my $first = template(1);
my ($link, $r, $redis, $port);

authority('ca', 'authority of the test');
authority('other', 'another authority');
certificate('good', 'ca', 'DNS:localhost,IP:127.0.0.1');
certificate('name', 'ca', 'DNS:localhost');
certificate('wrong', 'ca', 'DNS:elsewhere.test');
certificate('expired', 'ca', 'DNS:localhost,IP:127.0.0.1', '-days 0');
certificate('client', 'ca', 'DNS:client');

# a sound certificate

start('good');
$link = link_to('127.0.0.1', ca => "$d/ca.pem");
ok($link->up(), 'good, by address') or diag($link->{state}{text});
is($link->{state}{peer}, "127.0.0.1:$port", 'good, peer');
$link->news(sub { $_->{what} eq 'GAP' });
$link->does('OK', 'good, put', 'PUT', site => 'a.test', facts($first),
    ttl => 99);
is($link->order('GET', site => 'a.test', flags => ['whole'])->{bytes}, $first,
    'good, get');
redis_cli($plain, 'XADD', 'dt:events', '*', 'site', 'b.test', 'version', 7);
ok($link->news(sub { $_->{site} eq 'b.test' }), 'good, events');

# large answers, and many

my $big = "x" x (4 << 20);
redis_cli($plain, 'SET', "dt:{big$_.test}:template", $big) for 1 .. 8;
my @ids = map { $link->send('GET', site => "big$_.test") } 1 .. 8;
is(scalar(grep { $link->answer($_)->{bytes} eq $big } @ids), 8,
    'good, large answers');

my $fds = fds($link->{pid});

for (1 .. 10) {
    redis_cli($plain, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    $r = $link->order('GET', site => 'a.test');
    last if $r->{rc} ne 'OK';
}

is($r->{rc}, 'OK', 'good, connected again');
redis_cli($plain, 'XADD', 'dt:events', '*', 'site', 'c.test', 'version', 7);
ok($link->news(sub { $_->{site} eq 'c.test' }), 'good, events again');
is(fds($link->{pid}), $fds, 'good, no descriptors left');

$link = link_to('localhost', ca => "$d/ca.pem");
ok($link->up(), 'good, by name') or diag($link->{state}{text});

says('127.0.0.1', [], qr/(?:self.signed|unable to get local issuer)/,
    'unknown authority');
says('127.0.0.1', [ca => "$d/other.pem"],
    qr/(?:self.signed|unable to get local issuer)/, 'another authority');
says('127.0.0.1', [ca => "$d/none.pem"],
    qr/file of ca cannot be used: No such/,
    'no file of authorities');
says('127.0.0.1', [ca => "$d/good.key"], qr/file of ca cannot be used/,
    'no certificate of an authority');

$link = link_to('127.0.0.1', verify => 'off');
ok($link->up(), 'not verified');

# TLS is there, and not used; and the other way round

$link = Test::Detemplate::Link->new(url => "redis://127.0.0.1:$port",
    timeout => 500);
like($link->down()->{text}, qr/^redis 127\.0\.0\.1:$port: /,
    'no TLS to a port with TLS');
$link = Test::Detemplate::Link->new(url => "rediss://127.0.0.1:$plain",
    timeout => 500);
like($link->down()->{text}, qr/: TLS handshake: /, 'TLS to a port without');

redis_stop($redis);

# others

start('name');
says('127.0.0.1', [ca => "$d/ca.pem"], qr/IP address mismatch$/,
    'a name, not the address');
redis_stop($redis);

start('wrong');
says('localhost', [ca => "$d/ca.pem"], qr/hostname mismatch$/i,
    'another name');
redis_stop($redis);

start('expired');
says('127.0.0.1', [ca => "$d/ca.pem"], qr/certificate has expired$/,
    'expired');

# a certificate that is renewed while the link tries again

$link = link_to('127.0.0.1', ca => "$d/ca.pem");
$link->down();
rename "$d/good.pem", "$d/expired.pem";
rename "$d/good.key", "$d/expired.key";
redis_stop($redis);
start_again('expired');
ok($link->up(), 'renewed');
redis_stop($redis);

# a client certificate

certificate('good', 'ca', 'DNS:localhost,IP:127.0.0.1');
start('good', '--tls-auth-clients', 'yes');
says('127.0.0.1', [ca => "$d/ca.pem"], qr/./, 'no client certificate');
$link = link_to('127.0.0.1', ca => "$d/ca.pem", cert => "$d/client.pem",
    key => "$d/client.key");
ok($link->up(), 'client certificate') or diag($link->{state}{text});
$link->does('DECLINED', 'client certificate, order', 'GET', site => 'a.test');
says('127.0.0.1', [ca => "$d/ca.pem", cert => "$d/client.pem",
    key => "$d/good.key"], qr/file of key cannot be used: /,
    'another key');
redis_stop($redis);

done_testing();

sub link_to ($host, @conf) {
    return Test::Detemplate::Link->new(url => "rediss://$host:$port",
        token => 'one', timeout => 2000, @conf);
}

sub says ($host, $conf, $why, $name) {
    my $tried = link_to($host, @$conf);
    like($tried->down()->{text}, qr/^redis \S+:$port: .*$why/, $name);
}

sub start {
    $port = free_port();
    start_again(@_);
}

sub start_again ($name, @more) {
    $redis = redis_start($plain, '--tls-port', $port, '--tls-cert-file',
        "$d/$name.pem", '--tls-key-file', "$d/$name.key",
        '--tls-ca-cert-file', "$d/ca.pem", '--tls-auth-clients', 'no', @more);
}
