#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link, when Redis is away, frozen or full, when others
# write what they like to it, and when it gets unsound frames.

use Cwd qw(abs_path);
use Test::Detemplate::Link;

my $port = free_port();
my $dir = Test::Detemplate::Link::dir();
my $socket = "$dir/redis.sock";
my $url = "redis://127.0.0.1:$port";
my @conf = (url => $url, token => 'one', timeout => 300);
my @site = (site => 'a.test');
my $first = template(1);
my ($link, $r, $code, $said);

# Redis does not run at the start

$link = Test::Detemplate::Link->new(@conf);
ok($link->down(), 'away');
is($link->{state}{text}, "redis 127.0.0.1:$port: connect: Connection refused",
    'away, cause');
$r = $link->order('LOCK', @site, ttl => 9);
is("$r->{rc} $r->{text}", "EIO $link->{state}{text}", 'away, orders fail');

my $redis = redis_start($port, '--unixsocket', $socket);

ok($link->up(), 'came up');
ok($link->news(sub { $_->{what} eq 'GAP' }), 'came up, a gap');
$link->does('OK', 'came up, put', 'PUT', @site, facts($first), ttl => 99);

# killed and started again, empty

my $fds = fds($link->{pid});

for my $n (1 .. 3) {
    redis_stop($redis);
    ok($link->down(), "killed $n");
    $link->does('EIO', "killed $n, orders fail", 'GET', @site);
    $redis = redis_start($port, '--unixsocket', $socket);
    ok($link->up(), "restarted $n");
    $link->does('DECLINED', "restarted $n, empty", 'GET', @site);
}

is($link->{state}{reconnects}, 3, 'restarted, counted');
ok($link->news(sub { $_->{what} eq 'GAP' }), 'restarted, a gap');

# connections are closed by the server

$link->order('PUT', @site, facts($first), ttl => 999);

for (1 .. 50) {
    redis_cli($port, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    $r = $link->order('GET', @site);
    last if $r->{rc} ne 'OK';
}

is($r->{rc}, 'OK', 'closed 50 times, orders succeed');
redis_cli($port, 'XADD', 'dt:events', '*', 'site', 'b.test', 'version', 7);
ok($link->news(sub { $_->{site} eq 'b.test' }), 'closed 50 times, events');
is(fds($link->{pid}), $fds, 'closed 50 times, no descriptors left');

# frozen

kill 'STOP', $redis;
$link->does('EIO', 'frozen', 'GET', @site);
like($link->down()->{text}, qr/: read: timed out$/, 'frozen, cause');
kill 'CONT', $redis;
ok($link->up(), 'thawed');
$link->does('OK', 'thawed, orders', 'GET', @site);

kill 'STOP', $redis;
ok($link->down(), 'frozen while idle');
kill 'CONT', $redis;
ok($link->up(), 'thawed again');

# others write to it

my $k = 'dt:{a.test}';

redis_cli($port, 'DEL', "$k:template");
redis_cli($port, 'LPUSH', "$k:template", 1);
$link->does([ 'EINVAL', qr/^redis: WRONGTYPE / ], 'a list', 'GET', @site);
$link->does('OK', 'a list, replaced', 'PUT', @site, facts($first), ttl => 999);
$link->does('OK', 'a list, healed', 'GET', @site);

redis_cli($port, 'SET', "$k:template", "garbage\r\n" x 100);
is($link->order('GET', @site, flags => ['whole'])->{bytes},
    "garbage\r\n" x 100, 'garbage is for the reader');

redis_cli($port, 'SETRANGE', "$k:template", 500 << 20, 'x');
$r = $link->order('GET', @site);
is($r->{rc}, 'ELIMIT', '500 MB');
cmp_ok(rss($link->{pid}), '<', 64 << 20, '500 MB, memory');
$link->does('OK', '500 MB, replaced', 'PUT', @site, facts($first), ttl => 999);
redis_cli($port, 'DEL', map { "$k:template.$_" } 1 .. 3);

redis_cli($port, 'SET', "$k:meta", 'x');
$link->does('EINVAL', 'meta of another type', 'COMPARE', @site);
redis_cli($port, 'DEL', "$k:meta");
redis_cli($port, 'HSET', "$k:meta", 'version', '99999999999', 'pinned', 'x');
$link->does('DECLINED', 'meta of nonsense', 'COMPARE', @site);
redis_cli($port, 'DEL', "$k:meta");

event(@$_) for ['site', 'x' x 300, 'version', 1], ['site', 'b.test',
    'version', -1], ['nothing', ''], ['site', '%0', 'version', 1],
    ['site', 'c.test', 'version', 1, 'do', 'explode'],
    ['site', 'd.test', 'version', '99999999999'];
event('site', 'e.test', 'version', 3, 'do', 'learn', 'more', 'x' x 5000);
ok($link->news(sub { $_->{site} eq 'e.test' && $_->{version} == 3 }),
    'event after nonsense');
is(join(' ', map { $_->{site} } grep { $_->{what} eq 'EVENT' }
    @{$link->{news}}), '', 'nonsense, no events');

$link->{news} = [];
event('site', 'f.test', map { ($_, 1) } 1 .. 20000);
ok($link->news(sub { $_->{what} eq 'GAP' }), 'huge event, a gap');
event('site', 'g.test', 'version', 4);
ok($link->news(sub { $_->{site} eq 'g.test' }), 'huge event, the next one');

redis_cli($port, 'DEL', 'dt:events');
redis_cli($port, 'SET', 'dt:events', 'x');
$r = $link->order('RELEARN', @site);
is($r->{rc}, 'EINVAL', 'events of another type');
$link->does([ 'OK', qr/WRONGTYPE/ ], 'events of another type, put', 'PUT',
    @site, facts($first), ttl => 999);
ok($link->up(), 'events of another type, connected');
redis_cli($port, 'DEL', 'dt:events');
$link->{news} = [];
soon {
    event('site', 'h.test', 'version', 4);
    $link->take(0.2);
    grep { $_->{site} eq 'h.test' } @{$link->{news}};
} 'events of another type, healed';

# memory is full

redis_cli($port, 'CONFIG', 'SET', 'maxmemory', 1);
$link->does([ 'EINVAL', qr/OOM / ], 'full', 'PUT', @site,
    facts($first), ttl => 999);
$link->does('OK', 'full, read', 'GET', @site);
redis_cli($port, 'CONFIG', 'SET', 'maxmemory', 0);
$link->does('OK', 'full no more', 'PUT', @site, facts($first), ttl => 999);
$link->end();

# a unix socket, a user with the rights of the README, a password that changes

my $file = "$dir/password";

redis_cli($port, 'ACL', 'SETUSER', redis_user('one'));
write_to($file, "one\n");
$link = Test::Detemplate::Link->new(@conf, password_file => $file,
    url => "unix:detemplate\@$socket");
ok($link->up(), 'unix socket, user');
is($link->{state}{peer}, "unix:$socket", 'unix socket, peer');
$link->news(sub { $_->{what} eq 'GAP' });
is($link->each_order('a.test'), '', 'user, each order');
event('site', 'i.test', 'version', 4);
ok($link->news(sub { $_->{site} eq 'i.test' }), 'user, events');

redis_cli($port, 'ACL', 'SETUSER', 'detemplate', 'resetpass', '>two words');
redis_cli($port, 'CLIENT', 'KILL', 'USER', 'detemplate');
like($link->down()->{text}, qr/: log-in refused: WRONGPASS$/,
    'another password');
write_to($file, "two words\n");
ok($link->up(), 'another password, in the file');
unlink $file;
redis_cli($port, 'CLIENT', 'KILL', 'USER', 'detemplate');
like($link->down()->{text}, qr/file of the password/, 'no password');
write_to($file, 'two words');
ok($link->up(), 'a password again');
redis_cli($port, 'ACL', 'SETUSER', 'detemplate', '-getrange');
$link->does([ 'EINVAL', qr/NOPERM/ ], 'a missing right', 'GET', @site);
$link->end();

# a server that is not ready: it loads many keys slowly

redis_cli($port, 'SET', "key$_", $_) for 1 .. 300;
redis_cli($port, 'SAVE');
redis_cli($port, 'SHUTDOWN', 'NOSAVE');
redis_stop($redis);
$redis = redis_start($port, '--key-load-delay', 10000,
    '--loading-process-events-interval-bytes', 1024);
$link = Test::Detemplate::Link->new(@conf, timeout => 5000);
like($link->down()->{text}, qr/: server: LOADING /, 'loading');
ok($link->up(), 'loaded');
$link->end();

# a resolver that does not answer: glibc would wait ten seconds for it

SKIP: {
    my $silent = IO::Socket::INET->new(Proto => 'udp',
        LocalAddr => '127.0.0.77', LocalPort => 53);

    skip 'no namespace for a resolver', 1 if !$silent
        || !-e '/etc/resolv.conf' || system('unshare --mount true') != 0;

    my $program = abs_path($Test::Detemplate::Link::BIN);
    local $Test::Detemplate::Link::BIN = "$dir/without_resolver";

    write_to("$dir/resolv.conf", "nameserver 127.0.0.77\n");
    write_to("$dir/without_resolver", <<"END");
#!/bin/sh
exec unshare --mount sh -c \\
    'mount --bind $dir/resolv.conf /etc/resolv.conf && exec $program link'
END
    chmod 0755, "$dir/without_resolver";

    $link = Test::Detemplate::Link->new(@conf, url => 'redis://silent.test');
    soon {
        $link->take(0.2);
        $link->{state} && $link->{state}{text} =~ /: host: /;
    } 'silent resolver', 6;
    $link->end();
}

# frames

($code, $said) = Test::Detemplate::Link->new(url => 'ftp://x/')->end();
is($code, 1, 'no URL');
like($said, qr/^detemplate: redis: the URL must begin with/, 'no URL, cause');

($code, $said) = Test::Detemplate::Link->new(@conf, more => 1)->end();
like("$code $said", qr/^1 .*unknown option/, 'no option');

$link = Test::Detemplate::Link->new();
$link->send('GET', @site);
($code, $said) = $link->end();
like("$code $said", qr/^1 .*not a sound frame/, 'no configuration');

for (['x' x 1000, 'no frame'], [sub { $_[0]->frame('STATE') }, 'news'],
    [sub { $_[0]->frame(77) }, 'an unknown frame'])
{
    $link = Test::Detemplate::Link->new(@conf);
    my $bytes = ref $_->[0] ? $_->[0]->($link) : $_->[0];
    syswrite $link->{to}, $bytes;
    ($code, $said) = $link->end();
    like("$code $said", qr/^1 .*not a sound frame/, $_->[1]);
}

$link = Test::Detemplate::Link->new(@conf);
syswrite $link->{to}, substr $link->frame('GET', @site), 0, 100;
($code, $said) = $link->end();
is("$code $said", '0 ', 'half a frame');

done_testing();

sub event { return redis_cli($port, 'XADD', 'dt:events', '*', @_) }

sub rss {
    my ($pages) = slurp("/proc/$_[0]/statm") =~ /^\d+ (\d+)/;
    return $pages * 4096;
}
