#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Whose pages are learned, and for whom.  The learner sends its requests to the
# server that served a request, under the name by which nginx chose it, and
# never to another.

use Socket qw/ CRLF /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'proxy_set_header Host $http_host;',
    name => 'first.test',
    locations => ['/' => 'proxy_pass %%HTTP_1%%;'],
    servers => [
        { name => 'victim.test', listen => [0, '3 http2'] },
        {
            name => 'attacker.test',
            listen => [0, '3 http2'],
            locations => ['/' => 'proxy_pass %%HTTP_1%%;'],
        },
        {
            name => '*.host.test ~^\w+\.regex\.test$ named.test',
            locations => ['/' => 'proxy_pass %%HTTP_1%%;'],
        },
        {
            name => 'main.test other.test *.wild.test',
            server => 'detemplate_origin %%HTTP_1%%;',
            locations => [
                '/' => 'proxy_pass %%HTTP_1%%;',
                '/section/' => '
                    detemplate_site section;
                    proxy_pass %%HTTP_1%%/;',
                '/long/' => 'detemplate_site long; proxy_pass %%HTTP_1%%/;',
            ],
        },
        # the default server for all other names
        {
            name => 'alone.test',
            listen => ['2 default_server'],
            server => 'detemplate_origin %%HTTP_1%%;',
            pages => ['/section/' => 'detemplate_site section;'],
        },
        {
            name => 'closed.test',
            server => 'detemplate_wait 20s;',
            pages => ['/closed/' => 'deny all;'],
            locations => [
                '/satisfied/' => '
                    satisfy any;
                    deny all;
                    auth_basic closed;
                    auth_basic_user_file %%TESTDIR%%/users;',
            ],
        },
    ],
);

$t->pages('html');
mkdir $t->testdir() . '/html/search';
$t->write_file("html/$_", $t->read_file('html/p1.html'))
    for 'search/p1.html', 'logout.html', 'index.html';
$t->write_file('users', "ann:{PLAIN}plum\n");

# logs the name of each request and whether it came from a learner

$t->answers(1, sub ($uri, $host, $learner, @) {
    $t->append_file('asked.log', ($learner ? 'learner' : 'other')
        . " $host\n");

    return response($t->read_file('html'
        . ($uri =~ s{^/(?:section|long)}{}r)));
});

$t->run();

my $v2 = nginx_has(qr/v2_mod/);

# the request line and the field Host have different names

my $r = http("GET http://victim.test/p1.html HTTP/1.1" . CRLF
    . 'Host: attacker.test' . CRLF . 'Connection: close' . CRLF . CRLF);

like($r, qr/Page 1: /, 'absolute URI, served by the host in the request line');
like(field($r, 'Detemplate'), qr/^miss; reason=host$/, 'absolute URI, reason');

SKIP: {
    skip 'no http2', 4 unless $v2;

    # both :authority and Host: nginx refuses that, or uses one of them

    for my $host (qw/ attacker.test first.test /) {
        my $passed = $t->counted('host');
        my $reply = h2(':authority' => 'victim.test', host => $host);

        like($reply, qr/400 Bad Request|Page 1: /, "h2, with Host: $host");
        is($t->counted('host'), $passed + ($reply !~ /400 Bad/),
            "h2, with Host: $host, reason");
    }
}

is(quiet(), 0, 'conflicting names queue nothing');
is(asked('learner'), '', 'conflicting names cause no requests');

# a name that nginx chose as the configuration spells it

like(field(http("GET http://VICTIM.test/p1.html HTTP/1.1" . CRLF
    . 'Host: victim.test:' . $t->port(0) . CRLF . 'Connection: close'
    . CRLF . CRLF), 'Detemplate'), qr/^miss; reason=no-template$/,
    'the same name in both places');
ok($t->learn('/p1.html', host => 'victim.test'), 'learned');
is($t->said('"victim.test": version 1'), 1,
    'learned under the configured name');

SKIP: {
    skip 'no http2', 4 unless $v2;

    for my $name (qw/ :authority host /) {
        my $body = h2($name => 'victim.test');

        like($body, qr/Page 1: /, "h2, $name");
        unlike($body, qr/<nav/, "h2, $name, template of the site is used");
    }
}

# several names of one server

for my $host (qw/ a.host.test b.host.test a.regex.test named.test /) {
    like(detemplate('/p1.html', host => $host), qr/^miss; reason=no-template/,
        "$host, a site of its own");
    ok($t->learn('/p1.html', host => $host), "$host, learned");
}

is(join(' ', sort map { $_->{site} } @{$t->status_json()->{sites}}),
    'a.host.test a.regex.test b.host.test named.test victim.test',
    'names of all sites');
is(asked('learner'), 'a.host.test a.regex.test b.host.test named.test',
    'each site was requested by its own name');

# pages are loaded from an origin under the site's own name

asked('none');

ok($t->learn('/p1.html', host => 'other.test'), 'origin, learned');
is(asked('learner'), 'main.test', "origin, requested by the server's name");

asked('none');

ok($t->learn('/p1.html', host => 'c.wild.test'), 'origin, wildcard');
is(asked('learner'), 'c.wild.test',
    'origin, requested by the name that matched');

asked('none');

ok($t->learn('/section/p1.html', host => 'main.test'), 'origin, section');
is(asked('learner'), 'main.test',
    "origin, section, requested by the server's name");

asked('none');

for my $uri ('/p1.html', '/section/p1.html') {
    like(detemplate($uri, host => 'evil.test', port => $t->port(2)), $uri
        =~ /section/ ? qr/^hit/ : qr/^miss; reason=host$/,
        "origin, unknown name, $uri");
}

is(quiet(), 0, 'origin, nothing learned');
is(asked('learner'), '', 'origin, nothing was requested');

# the port is that of the request, or none

asked('none');

my $port = $t->port(0);

ok($t->learn('/p1.html', host => 'p.host.test:9'), 'foreign port, learned');
is(asked('learner'), 'p.host.test',
    "foreign port is not in the learner's requests");
ok($t->learn('/p1.html', host => "q.host.test:$port"), 'own port, learned');
is(asked('learner'), "p.host.test q.host.test:$port",
    "own port is in the learner's requests");

# a name becomes a part of a URL, so its length is bounded

asked('none');

my $zeros = '0' x 7000;

ok($t->learn('/p1.html', host => "r.host.test:$zeros$port"),
    'own port with zeros, learned');
is(asked('learner'), 'r.host.test',
    "own port with zeros is not in the learner's requests");

# An address with several spellings could stand for another site. nginx 1.30
# itself refuses brackets that are not in pairs.

for my $host (qw/ 127.3 0x7f.0.0.3 127.0.0.03 2130706435 [0::1] [::1 ]a.test
    a[.test /)
{
    my $answer = http_get('/p1.html', host => $host);

    like(field($answer, 'Detemplate'), status_of($answer) == 400
        ? qr/^bypass; reason=status$/ : qr/^miss; reason=host$/,
        "invalid name, $host");
}

for my $host (qw/ 127.0.0.3 [::1] 1.2.3.d_ /) {
    ok($t->learn('/p1.html', host => $host), "valid name, $host");
}

like(detemplate('/long/p1.html', host => 'x' x 246 . '.wild.test'),
    qr/^miss; reason=host$/, 'invalid name, 256 bytes');
ok($t->learn('/long/p1.html', host => 'x' x 245 . '.wild.test'),
    'valid name, 255 bytes');
ok($t->idle(), 'all jobs have ended');

# a denied request queues nothing and waits for nothing

my $done = ended();

for my $uri ('/closed/p1.html', '/satisfied/p1.html') {
    like(http_get($uri, host => 'closed.test'), qr{^HTTP/1.1 40[13]},
        "closed, $uri");
}

is(quiet(), 0, 'closed, nothing is learned');
is(ended(), $done, 'closed, pages were not requested');

# nor does a request for a page that may not be learned, in any spelling

for my $case ([ '/logout.html', 'action' ],
    [ '/log%6F%75t.html', 'action' ],
    [ '/x%2F..%2Flogout.html', 'action' ],
    [ '/p1.html?log%2dout', 'action' ],
    [ '/p1.html?%%36cogout', 'action' ],
    [ '/p1.html?a=%', 'url' ],
    [ '/x//../p1.html', 'url' ],
    [ '/x/%2e./p1.html', 'url' ],
    [ '/./p1.html', 'url' ],
    [ '/x/..', 'url' ],
    [ '/x/..?n=1', 'url' ],
    [ '/search/p1.html?n=1', 'search' ],
    [ '/%73ear%63h/p1.html?n=1', 'search' ])
{
    like(detemplate($case->[0], host => 'closed.test'),
        qr/^miss; reason=$case->[1]$/, "not to be learned, $case->[0]");
}

is(status_of(http_get('/p1.html', host => 'closed.test',
    timeout => 30)), 200, 'authorized request is served');
ok($t->said('"closed.test": version 1'),
    'authorized request waited for the template');

# a client can invent names, so the number of new ones at a time is bounded

my @said = map {
    field(http_get('/p1.html', host => "t$_.host.test"), 'Detemplate')
} 1 .. 40;

like($said[0], qr/^miss; reason=no-template/,
    'many names, the first is queued');
ok(scalar(grep { /^miss; reason=busy$/ } @said) >= 10,
    'many names, not all at once');
soon { quiet() == 0 } 'many names, all learned', 60;
like(detemplate('/p1.html', host => 't1.host.test'), qr/^hit/,
    'many names, the first one keeps its template');

$t->done();

sub ended {
    my $l = $t->status_json()->{learning};

    return $l->{done} + $l->{failed};
}

# the number of running jobs, after these requests have been queued

sub quiet {
    my $n = 0;

    for (1 .. 10) {
        my $l = $t->status_json()->{learning};

        $n = $l->{queued} + $l->{running};
        return $n if $n;
        select undef, undef, undef, 0.02;
    }

    return $n;
}

# the names that the origin was asked for; "none" clears them

sub asked ($who) {
    $t->write_file('asked.log', '') if $who eq 'none';

    my %hosts = map { /^$who (\S+)/ ? ($1 => 1) : () }
        split /\n/, $t->read_file('asked.log');

    return join ' ', sort keys %hosts;
}

sub literal ($name, $value) {
    return pack 'C C/a* C/a*', 0, $name, $value;
}

# the frames of one stream with literal header fields

sub h2 {
    my $fields = pack('C C', 0x82, 0x86) . literal(':path', '/p1.html');
    my $frames = '';

    while (my ($name, $value) = splice @_, 0, 2) {
        $fields .= literal($name, $value);
    }

    my $s = http("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" . frame(4, 0, 0, '')
        . frame(1, 5, 1, $fields), port => $t->port(3), start => 1);

    # reads until the end of the stream, or of all streams

    while (read($s, my $head, 9) == 9) {
        my ($length, $type, $flags, $stream)
            = unpack 'N C C N', "\0$head";

        read $s, my $payload, $length if $length;
        $frames .= $payload if $stream == 1 && $type == 0 && $length;

        last if $type == 3 || $type == 7 || ($stream == 1 && $flags & 1
            && $type < 2);
    }

    $s->close();

    return $frames;
}

sub frame ($type, $flags, $stream, $payload) {
    return substr(pack('N', length $payload), 1)
        . pack('C C N', $type, $flags, $stream) . $payload;
}
