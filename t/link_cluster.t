#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link and a cluster of three with replicas:
# redirections, slots that move while sites are written, and nodes that die.

use Test::Detemplate::Link;

my $first = template(1);
my $second = template(2);
my (@ports, %pid, $link, $two);

for (1 .. 6) {
    my $port = free_port();
    push @ports, $port;
    $pid{$port} = redis_start($port, '--cluster-enabled', 'yes',
        '--cluster-config-file', 'nodes.conf', '--cluster-node-timeout', 1500,
        '--repl-diskless-sync-delay', 0, '--cluster-port', free_port());
}

my $d = Test::Detemplate::Link::dir();

system("redis-cli --cluster create @{[map { qq(127.0.0.1:$_) } @ports]} "
    . "--cluster-replicas 1 --cluster-yes >>$d/cluster.log 2>&1") == 0
    or plan(skip_all => 'no cluster was made');

wait_for(sub {
    !grep { redis_cli($_, 'CLUSTER', 'INFO') !~ /cluster_state:ok/
        || redis_cli($_, 'CLUSTER', 'INFO') !~ /cluster_known_nodes:6/ } @ports
}, 30) or plan(skip_all => 'the cluster did not start');

my @conf = (timeout => 500, url => "redis://127.0.0.1:$ports[0]");

# all that one server does

$link = Test::Detemplate::Link->new(@conf, token => 'one');
$two = Test::Detemplate::Link->new(@conf, token => 'two',
    url => "redis://127.0.0.1:$ports[5]");
ok($_->up(), 'connected') for $link, $two;
ok($_->news(sub { $_->{what} eq 'GAP' }), 'a gap at first') for $link, $two;

my @sites = map { "s$_.test" } 1 .. 50;

is($link->all(\@sites, 'LOCK', 'DECLINED', ttl => 60), 50, 'locks');
is($link->all(\@sites, 'PUT', 'OK', facts($first), ttl => 600), 50, 'put');
ok($two->news(sub { $_->{site} eq 's50.test' }), 'events');
is($two->all(\@sites, 'GET', 'OK', flags => ['whole']), 50, 'get');
is($two->{last}{bytes}, $first, 'get, bytes');
is($two->all(\@sites, 'COMPARE', 'OK'), 50, 'compare');
is($link->all(\@sites, 'PUT', 'OK', facts($second), ttl => 600,
    flags => ['give_back']), 50, 'put again');
is($two->all(\@sites, 'LOCK', 'OK', ttl => 60), 50, 'locks were given back');
is($two->all(\@sites, 'UNLOCK', 'OK'), 50, 'unlock');
is($two->all(\@sites, 'RESTORE', 'OK', n => 1), 50, 'restore');
is($two->{last}{version}, 1, 'restore, version');
is($two->all(\@sites, 'UNPIN', 'OK'), 50, 'unpin');
is($link->all(\@sites, 'RELEARN', 'OK'), 50, 'relearn');

my $fds = fds($link->{pid});
ok($fds <= 3 + 3 + 1 + 1 + 2, 'a connection to each node') or diag($fds);

# slots move while sites are written

my %id = map {
    my $port = $_;
    my ($me) = grep { /myself/ } split /\n/,
        redis_cli($port, 'CLUSTER', 'NODES');
    $port => (split / /, $me)[0];
} @ports;

my $mover = fork() // die;

if (!$mover) {
    open STDOUT, '>>', "$d/cluster.log";
    open STDERR, '>&STDOUT';
    exec qw(redis-cli --cluster reshard), "127.0.0.1:$ports[0]",
        '--cluster-from', $id{$ports[0]}, '--cluster-to', $id{$ports[1]},
        qw(--cluster-slots 2000 --cluster-yes --cluster-pipeline 10);
}

my ($rounds, $bad) = (0, 0);

while (waitpid($mover, POSIX::WNOHANG()) == 0) {
    for my $what (['GET', 'OK'], ['LOCK', 'OK', ttl => 60],
        ['PUT', 'OK', facts($first), ttl => 600, flags => ['give_back']])
    {
        $bad += @sites - $link->all(\@sites, @$what);
    }

    $rounds++;
}

ok($rounds > 1, 'slots moved') or diag($rounds);
is($bad, 0, 'slots moved, all orders succeeded')
    or diag(explain($link->{why}));
is($two->all(\@sites, 'GET', 'OK'), 50, 'slots moved, for another');
is(fds($link->{pid}), $fds, 'slots moved, no descriptors left');

# a slot that is being moved for long: what is there, and what is not yet

my $slot = redis_cli($ports[1], 'CLUSTER', 'KEYSLOT', 'dt:{s1.test}');
my ($from) = grep { redis_cli($_, 'GET', 'dt:{s1.test}:template') !~ /^-/ }
    @ports[0 .. 2];
my ($to) = grep { $_ != $from } @ports[1, 2];

redis_cli($to, 'CLUSTER', 'SETSLOT', $slot, 'IMPORTING', $id{$from});
redis_cli($from, 'CLUSTER', 'SETSLOT', $slot, 'MIGRATING', $id{$to});
$link->does('OK', 'migrating, get', 'GET', site => 's1.test');
$link->does('OK', 'migrating, lock there, template here', 'LOCK',
    site => 's1.test', ttl => 9);
$link->does('OK', 'migrating, unlock', 'UNLOCK', site => 's1.test');
redis_cli($from, 'MIGRATE', '127.0.0.1', $to, '', 0, 1000, 'KEYS',
    map { "dt:{s1.test}:$_" } qw(template evidence meta lock template.1
    template.2 template.3));
$link->does('OK', 'asking, get', 'GET', site => 's1.test');
$link->does('OK', 'asking, compare', 'COMPARE', site => 's1.test');
$link->does('OK', 'asking, put', 'PUT', site => 's1.test', facts($second),
    ttl => 60, flags => ['added']);
redis_cli($_, 'CLUSTER', 'SETSLOT', $slot, 'NODE', $id{$to})
    for $to, $from, @ports[0 .. 2];

$link->does('OK', 'moved, put', 'PUT', site => 's1.test', facts($first),
    ttl => 60);

# the first node dies

redis_stop($pid{$ports[0]});
redis_cli($ports[1], 'XADD', 'dt:events', '*', 'site', 'b.test');
soon { $link->all(\@sites, 'GET', 'OK') == @sites }
    'a node is dead', 30 or diag(explain($link->{why}));
is($link->all(\@sites, 'PUT', 'OK', facts($first), ttl => 600), 50,
    'a node is dead, put');
ok($link->up(), 'a node is dead, connected');
ok($two->news(sub { $_->{site} eq 's50.test' }), 'a node is dead, events');

# the other masters die one after the other, and their replicas go on

redis_stop($pid{$ports[1]});
soon {
    $link->all(\@sites, 'PUT', 'OK', facts($first), ttl => 600) == @sites;
} 'another node is dead', 30 or diag(explain($link->{why}));
$link->{news} = [];
soon {
    $two->order('RELEARN', site => 'c.test');
    $link->take(0.3);
    grep { $_->{site} && $_->{site} eq 'c.test' } @{$link->{news}};
} 'another node is dead, events', 30;

ok(fds($link->{pid}) <= $fds + 3, 'nodes are dead, descriptors');

# a replica is the only one that is configured

$link = Test::Detemplate::Link->new(@conf, token => 'three',
    url => "redis://127.0.0.1:$ports[2]");
is(wait_for(sub { $link->all(\@sites, 'GET', 'OK') }), 50, 'another start');

# nodes that are told of by name, or only by their port (Redis 7.0)

SKIP: {
    my @alive = grep { redis_cli($_, 'PING') } @ports;

    skip 'nodes have no names', 2 if grep { redis_cli($_, qw(CONFIG SET
        cluster-announce-hostname localhost)) ne 'OK' } @alive;

    for my $type (qw(hostname unknown-endpoint)) {
        redis_cli($_, 'CONFIG', 'SET', 'cluster-preferred-endpoint-type',
            $type) for @alive;
        $link = Test::Detemplate::Link->new(@conf, token => $type,
            url => "redis://127.0.0.1:$alive[0]");
        soon { $link->all(\@sites, 'GET', 'OK') == @sites }
            "told of as $type" or diag(explain($link->{why}));
    }
}

done_testing();
