#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What an operator sees of sites that are not learned: in a log of the level
# "error", which is Debian's, and in the status.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->pages('html');
mkdir "$d/$_" or die for qw/ alone broken /;
$t->write_file('alone/p1.html', '<!DOCTYPE html><title>t</title><p>alone');
$t->write_file('alone/p2.html', '<!DOCTYPE html><title>t</title><p>also');
$t->write_file('users', "ann:{PLAIN}plum\n");

$t->configure(
    main => 'error_log %%TESTDIR%%/debian.log error;',
    servers => [
        {
            name => 'password.test',
            server => '
                auth_basic any;
                auth_basic_user_file %%TESTDIR%%/users;',
        },
        { name => 'alone.test', root => 'alone' },
        { name => 'again.test' },
        { name => 'long.test', server => 'detemplate_site "a b$arg_c";' },
        { name => '""', listen => [1] },
        {
            name => 'socket.test',
            listen => [],
            server => 'listen unix:%%TESTDIR%%/nginx.sock;',
        },
        { name => 'proxy.test', listen => ['2 proxy_protocol'] },
        { name => 'h2.test', listen => ['3 http2'] },
    ],
);

$t->run();

my @sites;

# a page that needs a password: only somebody who has it gets as far as a job

http_get('/p3.html', host => 'password.test',
    fields => ['Authorization: Basic YW5uOnBsdW0=']);
seen('password.test', 'idle', 'denied', 'HTTP status 401',
    'http://password.test/p3.html', 'no template for "password.test": '
    . 'denied: HTTP status 401, key page "http://password.test/p3.html"');

# the first failure of a site is for all logs, the next one is not

http_get('/p1.html', host => 'alone.test');
seen('alone.test', 'idle', 'no-links', '', 'http://alone.test/p1.html',
    'no template for "alone.test": no-links, key page ');

my $failed = $t->learning('failed');

$t->write_file('alone/p2.html', '<!DOCTYPE html><title>t</title>'
    . '<p>also <a href="/p9.html">nowhere</a>');
http_get('/p2.html', host => 'alone.test');
soon { $t->learning('failed') > $failed } 'another failure', 20;
is((grep { $_->{site} eq 'alone.test' }
    @{$t->status_json()->{without}})[0]->{page}, 'http://alone.test/p2.html',
    'another failure, page');
is(() = debian() =~ /no template for "alone\.test"/g, 1, 'one line');
is($t->said('no template for "alone.test"'), 2, 'two lines at "warn"');

# what can never work

http_get('/p3.html', host => 'long.test');
seen('', 'idle', 'site', 'set server_name or detemplate_site to a name of at '
    . 'most 255 plain characters', '/p3.html', 'page of "" is not learned '
    . 'from: site, "set server_name or detemplate_site to a name of at most '
    . '255 plain characters"');
like(detemplate('/p3.html', port => $t->port(1), host => ''),
    qr/^bypass; reason=site/, 'no name, passed');
is(() = debian() =~ /reason|: site,/g, 1, 'no name, one line an hour');

http("PROXY TCP4 192.0.2.1 127.0.0.1 5000 80\r\n"
    . "GET /p3.html HTTP/1.1\r\nHost: proxy.test\r\n"
    . "Connection: close\r\n\r\n", port => $t->port(2));
seen('proxy.test', 'idle', 'address', 'PROXY protocol, set detemplate_origin',
    '/p3.html', 'page of "proxy.test" is not learned from: address, '
    . '"PROXY protocol, set detemplate_origin"');

SKIP: {
    skip 'no curl', 5 if !curl_has(qr/UnixSockets/);

    `curl -s -m 30 --unix-socket $d/nginx.sock http://socket.test/p3.html`;
    seen('socket.test', 'idle', 'address',
        'a unix socket, set detemplate_origin', '/p3.html',
        'page of "socket.test" is not learned from: address, '
        . '"a unix socket, set detemplate_origin"');
}

SKIP: {
    my ($minor) = `$Test::Detemplate::NGINX -v 2>&1` =~ m{/1\.(\d+)};
    skip 'nginx without HTTP/1.1 there', 5 if $minor >= 25;

    h2_get({ port => $t->port(3), host => 'h2.test' }, '/p3.html');
    seen('h2.test', 'idle', 'address',
        'HTTP/2 without TLS, set detemplate_origin', '/p3.html',
        'page of "h2.test" is not learned from: address, '
        . '"HTTP/2 without TLS, set detemplate_origin"');
}

# a site with a template has its failure too, until it is learned again

ok($t->learn('/p3.html', host => 'again.test'), 'learned');
ok($t->idle(), 'learned, learning has ended');
is($t->site('again.test')->{reason}, undef, 'learned, no failure');
is(debian() =~ /detemplate: .*again\.test/, '', 'learned, nothing in the log');

is(join(' ', map { $_->{site} } @{$t->status_json()->{without}}),
    join(' ', 'alone.test', 'password.test', grep { $_ ne 'alone.test'
        && $_ ne 'password.test' } @sites), 'each site has one row');

$t->done();

sub debian { $t->read_file('debian.log') }

# waits for the row of a site, and compares its line in the log

sub seen ($site, $state, $reason, $detail, $page, $line) {
    my $title = "$site, $reason";
    my $row;

    push @sites, $site if !grep { $_ eq $site } @sites;

    soon {
        ($row) = grep { $_->{site} eq $site && $_->{reason} eq $reason }
            @{$t->status_json()->{without}};
        return $row;
    } "$title, row", 20 or return;

    is("$row->{state} $row->{page}", "$state $page", "$title, page");
    is($row->{detail}, $detail, "$title, detail") if defined $detail;
    cmp_ok(time() - $row->{failed_at}, '<', 60, "$title, time");
    like(debian(), qr/\Q$line/, "$title, line at \"error\"") if defined $line;
}
