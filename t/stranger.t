#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The address of the learner.  It comes from this machine, and nginx sees a
# stranger: links of an author lead it nowhere where only this machine may go.

use IO::Socket::IP;
use MIME::Base64;
use Socket qw/ CRLF SOMAXCONN /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

my $closed = 'proxy_pass %%HTTP_1%%;
    allow 127.0.0.1; allow ::1; deny all;';
my $who = 'default_type text/plain; return 200 "$remote_addr\n";';

my $log = 'access_log %%TESTDIR%%/who.log who;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Inside $inside;';
my $inside = $log . 'allow 127.0.0.2; deny all;';
my %intranet = (origin => 1, locations => ['= /who' => $who]);

my $six = IO::Socket::IP->new(Listen => SOMAXCONN, LocalHost => '::1',
    LocalPort => $t->port(3)) ? 1 : 0;
my $v2 = nginx_has(qr/v2_mod/);

sub conf ($more) {
    $t->configure(
        zone => '4m',
        listen => [0, $v2 ? '2 http2' : 2],
        http => '
            geo $inside { default no; 127.0.0.0/8 yes; }
            geo $limited { default 1; 192.0.2.1 0; }
            map $limited $client { 1 $binary_remote_addr; }

            limit_req_zone $client zone=clients:1m rate=1r/m;
            limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;
            limit_conn_zone $binary_remote_addr zone=open:1m;
            limit_req_status 429;
            limit_conn_status 429;

            log_format who "$http_user_agent|$remote_addr|$host|$uri|$status'
            . '|$connection_requests";
            ' . $more . ($six ? '
            server {
                listen [::1]:%%PORT_3%%;
                server_name six.test; ' . $log . '
                proxy_set_header Host $host;
                location / { proxy_pass %%HTTP_1%%; }
                location = /who { ' . $who . ' }
                location /cache/ {
                    allow ::1;
                    deny ::/0;
                    proxy_pass %%HTTP_1%%;
                }
            }' : ''),
        origin => 1,
        server => "ssi on; $log",
        locations => [
            '= /who' => $who,
            '= /ssi' => 'default_type text/html;
                alias %%TESTDIR%%/ssi.html;',
            '= /once' => 'limit_req zone=one; proxy_pass %%HTTP_1%%;',
            '= /slow' => 'limit_conn open 1; proxy_pass %%HTTP_1%%;',
            '/cache/' => $closed,
            '= /cron.php' => $closed,
            '/any/' => "satisfy any; auth_basic any;
                auth_basic_user_file %%TESTDIR%%/users; $closed",
            '/late/' => "set_real_ip_from 0.0.0.0/0;
                real_ip_header X-Real-IP; $closed",
        ],
        servers => [
            {
                name => 'limited.test',
                origin => 1,
                server => "limit_req zone=clients; $log",
            },
            {
                name => 'realip.test',
                origin => 1,
                server => "set_real_ip_from 127.0.0.1;
                    set_real_ip_from 192.0.2.1;
                    real_ip_header X-Real-IP; $log",
                locations => ['/cache/' => $closed, '= /who' => $who],
            },
            { %intranet, name => 'intranet.test', server => $inside },
            {
                %intranet,
                name => 'basic.test',
                server => "satisfy any; allow 10.255.255.254; deny all;
                    auth_basic intranet;
                    auth_basic_user_file %%TESTDIR%%/users; $log
                    detemplate_learn all;
                    detemplate_learner_address 10.255.255.254;",
            },
            {
                %intranet,
                name => 'client.test',
                server => "$inside detemplate_learner_address client;",
            },
            {
                %intranet,
                name => 'fixed.test',
                server => "allow 10.1.2.3; $inside
                    detemplate_learner_address 10.1.2.3;",
            },
        ],
    );
}

$t->write_file('users', "ann:{PLAIN}plum\n");
$t->write_file('ssi.html', '<!--#include virtual="/who" -->');

# an origin that does what it is asked to, and an author who links to that

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)} or return;
    my %is = map { lc } $request =~ /^([\w-]+): (.*?)\r$/mg;
    my ($n) = $uri =~ m{^/(?:\w+/)?p(\d+)\.html};
    my $d = $t->testdir();

    $t->append_file('asked.log', join('|', $is{'user-agent'} || '-',
        $is{'x-forwarded-for'} || '-', $is{'x-inside'} || '-', $is{host},
        $uri) . "\n");

    wait_for(sub { -e "$d/go" }, 15) if $uri eq '/slow';

    my $body = $n ? page($n) : "<p>done: $uri</p>";
    my $links = join '', map { "<p><a href=\"$_\">$_</a></p>" }
        qw{ /cache/flush /cron.php /any/users };

    # an application that nobody sees without a password

    print $s response($body =~ s/<main>/<main>$links/r,
        $is{host} eq 'basic.test' ? 'Cache-Control: no-store' : ());
});

conf('');
$t->run();

# what only this machine may ask for, by links of a page

my $r;

is(body(http_get('/cache/flush')), '<p>done: /cache/flush</p>',
    'this machine may');
is(status_of(http_get('/any/users')), 200, 'this machine may, satisfy any');

ok($r = $t->learn('/p3.html'), 'learned');
lacks($r, qr/Chapter 2|Printed by the almanac/, 'template is cut');

learnt('site.test', '192.0.2.1', 'learned');

is(told('site.test', '/cache/flush'), '403', 'allow and deny');
is(told('site.test', '/cron.php'), '403', 'allow and deny, exact location');
is(told('site.test', '/any/users'), '401', 'satisfy any');

my @asked = grep { m{^detemplate/.*\|site\.test\|} } lines('asked.log');

is(scalar(grep { /cache|cron|any/ } @asked), 0, 'nothing has been done');
cmp_ok(scalar(@asked), '>=', 4, 'pages were requested');
is(scalar(grep { !m{\|192\.0\.2\.1\|no\|} } @asked), 0,
    'X-Forwarded-For and geo');
is(scalar(grep { m{\|127\.0\.0\.1\|yes\|} } lines('asked.log')) > 0, 1,
    'X-Forwarded-For and geo, of a client');

# limits, by a key that leaves the learner out

is(status_of(http_get('/p3.html', host => 'limited.test')), 200,
    'limit, first request');
soon { $t->site('limited.test') } 'limit, learned', 20;
is(status_of(http_get('/p3.html', host => 'limited.test')), 429,
    'limit, second request');
learnt('limited.test', '192.0.2.1', 'limit');

# with the learner's field

my $key = $t->read_file('templates/key');
my @learner = (fields => ["Detemplate-Learner: $key"]);
my $wrong = 'Detemplate-Learner: ' . 'a' x 32;

like($key, qr/^[0-9a-f]{32}$/, 'key');

is(who('site.test', @{$_->[0]}), $_->[1], $_->[2]) for (
    [ [], '127.0.0.1', 'a client' ],
    [ $learner[1], '192.0.2.1', 'the learner' ],
    [ [$wrong], '127.0.0.1', 'wrong key' ],
    [ ["$wrong 127.0.0.2"], '127.0.0.1', 'wrong key and an address' ],
    [ ["$learner[1][0]0"], '127.0.0.1', 'long key' ],
    [ ["$learner[1][0] 127.0.0.2"], '192.0.2.1',
        'an address that is not wanted' ],
);

# limits by the address count the learner as somebody else

gets(
    [ 'the status', '/status', { @learner }, status => 403 ],
    [ 'requests, first', '/once', status => 200 ],
    [ 'requests, second', '/once', status => 429 ],
    [ 'requests, learner', '/once', { @learner }, status => 200 ],
);

my $slow = http_get('/slow', start => 1);

soon { grep { /slow/ } lines('asked.log') } 'connections, first';
is(status_of(http_get('/slow')), 429, 'connections, second');
$t->write_file('go', '');
is(status_of(http_get('/slow', @learner)), 200, 'connections, learner');
close $slow;

# a connection that is kept, and a subrequest

my $one = "GET /who HTTP/1.1\r\nHost: site.test\r\n";

is_deeply([http("${one}Detemplate-Learner: $key\r\n\r\n$one\r\n"
    . "${one}Detemplate-Learner: $key\r\n\r\n"
    . "${one}Connection: close\r\n\r\n") =~ /^([\d.]+)$/mg],
    [qw/ 192.0.2.1 127.0.0.1 192.0.2.1 127.0.0.1 /],
    'requests of one connection');
my $flush = $one =~ s/who/cache\/x/r;

is_deeply([http("${flush}Detemplate-Learner: $key\r\n\r\n"
    . "${flush}Connection: close\r\n\r\n") =~ m{^HTTP/1.1 (\d+)}mg],
    [qw/ 403 200 /], 'requests of one connection, rules');
is(body(http_get('/ssi', @learner)), "192.0.2.1\n", 'subrequest');
is(body(http_get('/ssi')), "127.0.0.1\n", 'subrequest, of a client');

SKIP: {
    skip 'no HTTP/2', 1 if !$v2;

    my (undef, @bodies) = h2_get({ port => $t->port(2),
        fields => { 1 => ['detemplate-learner', $key] } }, ('/who') x 3);
    is_deeply(\@bodies,
        ["127.0.0.1\n", "192.0.2.1\n", "127.0.0.1\n"], 'streams');
}

# realip, before and behind

my $real = 'X-Real-IP: 127.0.0.1';
my $other = 'X-Real-IP: 10.0.0.1';

is(who('realip.test', $other), '10.0.0.1', 'realip');
is(who('realip.test', $other, @{$learner[1]}), '192.0.2.1', 'realip, learner');
gets(map { [ "realip, $_->[0], @{$_->[2]}", $_->[0],
    { host => $_->[1], fields => $_->[2] }, status => $_->[3] ] }
    [ '/cache/flush', 'realip.test', [$real], 200 ],
    [ '/cache/flush', 'realip.test', [$real, @{$learner[1]}], 403 ],
    [ '/late/x', 'site.test', [$other], 403 ],
    [ '/late/x', 'site.test', [$real], 200 ],
    [ '/late/x', 'site.test', [$real, @{$learner[1]}], 403 ]);

ok($t->learn('/p3.html', host => 'realip.test'), 'realip, learned');
learnt('realip.test', '192.0.2.1', 'realip');
is(told('realip.test', '/cache/flush'), '403', 'realip, allow and deny');
is(who('realip.test', $other), '10.0.0.1', 'realip, afterwards');

# a site that is open to some addresses only

like(field(from('intranet.test', '/p3.html'), 'Detemplate'), qr/^miss/,
    'intranet, first request');

ok(wait_for(sub { $t->log_lines(
    qr/\[error\].*no template for "intranet\.test": denied: HTTP status 403/
    ) }, 20), 'intranet, the log says why');
is(scalar($t->log_lines(qr/\[error\].*intranet\.test.*"\S+\/p3\.html".*/
    . ', next attempt in 10 seconds, set "detemplate_learner_address" if '
    . 'only some addresses are allowed')), 1, 'intranet, what to set');
is(join('|', @{$t->without('intranet.test')}{qw/ reason detail page /}),
    'denied|HTTP status 403|http://intranet.test/p3.html', 'intranet, status');
like(body(http_get('/status?format=html')),
    qr/>intranet\.test<.*>denied: HTTP status 403, see (?#
       )detemplate_learner_address</,
    'intranet, status page');

my $failed = $t->learning('failed');
from('intranet.test', '/p4.html');
soon { $t->learning('failed') > $failed } 'intranet, another page', 20;
is(scalar($t->log_lines(qr/"intranet\.test": denied/)), 1,
    'intranet, one line for one reason');

soon { $t->site('fixed.test') || !from('fixed.test', '/p3.html') }
    'address of the configuration, learned', 20;
learnt('fixed.test', '10.1.2.3', 'address of the configuration');
is(who('fixed.test', @{$learner[1]}), '10.1.2.3',
    'address of the configuration');

# a site behind a password, as in doc/recipes.md

my @ann = (host => 'basic.test',
    fields => ['Authorization: Basic ' . encode_base64('ann:plum', '')]);

is(status_of(http_get('/p3.html', host => 'basic.test')), 401,
    'password, none');
is(status_of(http_get('/p3.html', @ann)), 200, 'password, first request');
ok($r = $t->learn('/p3.html', @ann), 'password, learned');
lacks($r, qr/Chapter 2|Printed by the almanac/, 'password, stripped');
learnt('basic.test', '10.255.255.254', 'password');

is(status_of(http_get('/p3.html', host => 'client.test')), 403,
    'address of the client, denied');
is_deeply($t->without('client.test'), {},
    'address of the client, nothing is queued');
soon { $t->site('client.test') || !from('client.test', '/p3.html') }
    'address of the client, learned', 20;
learnt('client.test', '127.0.0.2', 'address of the client');
is(who('client.test', $_->[0]), $_->[1],
    "address of the client, $_->[2]") for (
    [ "$learner[1][0] 10.4.5.6", '10.4.5.6', 'in the field' ],
    [ "$learner[1][0] 2001:DB8::2", '2001:db8::2', 'IPv6' ],
    [ "$wrong 127.0.0.2", '127.0.0.1', 'wrong key' ],
    map { [ "$learner[1][0]$_", '192.0.2.1', '"' . substr($_, 0, 20) . '"' ] }
        '', ' ', ' unix:', ' 127.0.0.2:80', '  127.0.0.2', ' ' . '1' x 200,
);
gets([ 'address of the client, wrong key, denied', '/p3.html',
    { host => 'client.test', fields => ["$wrong 127.0.0.2"] },
    status => 403 ]);

# rules for IPv6 alone do not stop an address of IPv4

SKIP: {
    skip 'no IPv6', 6 if !$six;

    my $get = sub ($uri, @fields) {
        return http_get($uri, host => 'six.test', fields => \@fields,
            socket => IO::Socket::IP->new(Type => Socket::SOCK_STREAM(),
                PeerHost => '::1', PeerPort => $t->port(3)));
    };

    is(body($get->('/who')), "::1\n", 'IPv6, a client');
    is(body($get->('/who', @{$learner[1]})), "2001:db8::1\n",
        'IPv6, the learner');
    is(status_of($get->('/cache/flush')), 200, 'IPv6, this machine may');
    soon { $t->site('six.test') || !$get->('/p3.html') } 'IPv6, learned', 20;
    learnt('six.test', '2001:db8::1', 'IPv6');
    is(told('six.test', '/cache/flush'), '403', 'IPv6, rules');
}

# one address for all servers

conf('detemplate_learner_address 10.9.9.9;');
$t->reload();

soon { who('site.test', @{$learner[1]}) eq '10.9.9.9' } 'all servers', 20;
is(who('fixed.test', @{$learner[1]}), '10.1.2.3', 'all servers but one');

$t->done();

sub lines { split /\n/, $t->read_file($_[0]) }

# checks that all requests of the learner for a site came from that address

sub learnt ($host, $address, $title) {
    my @from = grep { m{^detemplate/.*\|\Q$host\E\|} } lines('who.log');

    is(scalar(grep { !m{^detemplate/[^|]+\|\Q$address\E\|} } @from), 0,
        "$title, access log");
    cmp_ok(scalar(grep { /\|200\|\d+$/ } @from), '>=', 3,
        "$title, pages in the access log");
    cmp_ok(scalar(grep { /\|[2-9]\d*$/ } @from), '>', 0,
        "$title, connections are kept");
}

# each status that the learner got there

sub told ($host, $uri) {
    my %told = map { ($_ => 1) }
        map { m{^detemplate/.*\|\Q$host|$uri|\E(\d+)} } lines('who.log');

    return join ' ', sort keys %told;
}

sub who ($host, @fields) {
    return body(http_get('/who', host => $host, fields => \@fields))
        =~ s/\n$//r;
}

# from an address that is inside

sub from ($host, $uri) {
    return http_get($uri, host => $host, socket => IO::Socket::INET->new(
        Proto => 'tcp', LocalAddr => '127.0.0.2',
        PeerAddr => '127.0.0.1:' . $t->port(0)));
}
