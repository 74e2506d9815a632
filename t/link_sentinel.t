#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link and Redis with replicas: the master that sentinels
# know, before and after a failover.

use Test::Detemplate::Link;

my $d = Test::Detemplate::Link::dir();
my $first = template(1);
my $second = template(2);
my @ports = map { free_port() } 1 .. 5;
my ($master, $replica, @sentinels) = @ports;
my (%pid, $link, $r);

$pid{$master} = redis_start($master, '--requirepass', 'secret',
    '--masterauth', 'secret');
$pid{$replica} = redis_start($replica, '--replicaof',
    "127.0.0.1 $master", '--requirepass', 'secret', '--masterauth', 'secret',
    '--repl-diskless-sync-delay', 0);
wait_for(sub { (says($replica, 'ROLE')->[3] || '') eq 'connected' });

# what is written before the sentinels

$link = Test::Detemplate::Link->new(
    url => "redis://:secret\@127.0.0.1:$master", timeout => 500);
ok($link->up(), 'the master alone');
$link->does('OK', 'the master alone, put', 'PUT', site => 'a.test',
    facts($second), ttl => 99);
wait_for(sub { says($replica, 'EXISTS', 'dt:{a.test}:template') });
$link->end();

# a replica by mistake

$link = Test::Detemplate::Link->new(
    url => "redis://:secret\@127.0.0.1:$replica", timeout => 500);
ok($link->up(), 'a replica alone');
$link->does([ 'EIO', qr/READONLY/ ], 'a replica alone, put', 'PUT',
    site => 'a.test', facts($first), ttl => 99);
$link->end();

# sentinels, which have a password of their own

write_to("$d/sentinel_password", "watch\n");
write_to("$d/password", "secret\n");

for my $port (@sentinels) {
    mkdir "$d/$port";
    write_to("$d/$port/conf", "sentinel monitor almanac 127.0.0.1 $master 1\n"
        . "sentinel auth-pass almanac secret\n"
        . "sentinel down-after-milliseconds almanac 500\n"
        . "sentinel failover-timeout almanac 1000\n"
        . "requirepass watch\nsentinel sentinel-pass watch\n");
    $pid{$port} = redis_start($port, ["$d/$port/conf", '--sentinel']);
}

my @conf = (url => 'redis+sentinel://127.0.0.1:1,127.0.0.1:' . join(
    ',127.0.0.1:', @sentinels) . '/almanac/0', token => 'one',
    password_file => "$d/password", timeout => 500);

$link = Test::Detemplate::Link->new(@conf);
like($link->down()->{text}, qr/NOAUTH/, 'no password for sentinels');
$link->end();

push @conf, sentinel_password_file => "$d/sentinel_password";
$link = Test::Detemplate::Link->new(@conf, url => $conf[1]
    =~ s/almanac/other/r);
like($link->down()->{text}, qr/the sentinel knows no such master/,
    'another name');
$link->end();

$link = Test::Detemplate::Link->new(@conf);
ok($link->up(), 'sentinel') or diag($link->{state}{text});
is($link->{state}{peer}, "127.0.0.1:$master", 'sentinel, peer');
$link->news(sub { $_->{what} eq 'GAP' });
is($link->order('GET', site => 'a.test')->{version}, 2, 'sentinel, get');
wait_for(sub { (says($replica, 'ROLE')->[3] || '') eq 'connected' });
wait_for(sub {
    my %v = @{says([$sentinels[0], 'watch'], 'SENTINEL', 'MASTER',
        'almanac') || []};
    ($v{'num-slaves'} || 0) == 1 && $v{'num-other-sentinels'} == 2;
});

# a user with the rights of the schema, who may also ask for the role

says($master, 'ACL', 'SETUSER', redis_user('word', '+role'));
write_to("$d/word", "word\n");

my $user = Test::Detemplate::Link->new(@conf, token => 'two',
    url => $conf[1] =~ s{//}{//detemplate\@}r, password_file => "$d/word");
ok($user->up(), 'user') or diag($user->{state}{text});
is($user->each_order('u.test'), '', 'user, each order');
ok($link->news(sub { $_->{site} eq 'u.test' && $_->{event} eq 'forget' }),
    'user, events written');
$link->order('RELEARN', site => 'u.test');
ok($user->news(sub { $_->{site} eq 'u.test' }), 'user, events read');
is_deeply(says($master, 'ACL', 'LOG'), [], 'user, all is permitted');
$user->end();

# one sentinel is frozen, and the master is killed

my $fds = fds($link->{pid});

kill 'STOP', $pid{$sentinels[0]};
redis_stop($pid{$master});
ok($link->down(), 'master is killed');
$r = $link->state(sub { $_->{flags} !~ /away/
    && $_->{peer} eq "127.0.0.1:$replica" });
ok($r, 'failover') or diag($link->{state}{text});
$link->does('OK', 'failover, put', 'PUT', site => 'a.test', facts($second),
    ttl => 99);
says($replica, 'XADD', 'dt:events', '*', 'site', 'd.test', 'version', 7);
ok($link->news(sub { $_->{site} eq 'd.test' }), 'failover, events');
is(fds($link->{pid}), $fds, 'failover, no descriptors left');
kill 'CONT', $pid{$sentinels[0]};

# the master becomes a replica while it is connected to

$pid{$master} = redis_start($master, '--requirepass', 'secret',
    '--masterauth', 'secret', '--replicaof', "127.0.0.1 $replica");
wait_for(sub { (says($master, 'ROLE')->[3] || '') eq 'connected' });
soon {
    my %v = @{says([$sentinels[1], 'watch'], 'SENTINEL', 'MASTER',
        'almanac') || []};
    ($v{'num-slaves'} || 0) == 1 && $v{port} == $replica
        && says([$sentinels[1], 'watch'], 'SENTINEL', 'FAILOVER', 'almanac')
            eq 'OK';
} 'failover by hand', 30;
ok($link->state(sub { $_->{flags} !~ /away/
    && $_->{peer} eq "127.0.0.1:$master" }), 'failover by hand, followed')
    or diag("$link->{state}{peer} $link->{state}{text}");
is(wait_for(sub {
    $link->order('PUT', site => 'a.test', facts($first), ttl => 99)->{rc}
        eq 'OK';
}), 1, 'failover by hand, put');

done_testing();

sub says ($port, @words) {
    my $password = 'secret';
    ($port, $password) = @$port if ref $port;

    my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port")
        or return [];
    redis_cli($s, 'AUTH', $password);

    return redis_cli($s, @words);
}
