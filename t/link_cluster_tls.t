#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link and a cluster as managed offerings have it: ports
# with TLS only, and a user with the rights of the schema.  Slots move, a node
# dies, and certificates have the name of the URL, the node's address, or
# neither.

use List::Util qw(first);
use Test::Detemplate::Link;

plan(skip_all => no_tls()) if no_tls();

my $d = Test::Detemplate::Link::dir();
my $first = template(1);
my $second = template(2);
my @ports = map { free_port() } 1 .. 3;
my %bus = map { $_ => free_port() } @ports;
my @sites = map { "$_.test" } 1 .. 20;
my (%pid, %id, $link, $two, $r, $n);

authority('ca', 'authority of the test');
certificate('address', 'ca', 'IP:127.0.0.1');
certificate('name', 'ca', 'DNS:localhost');
certificate('neither', 'ca', 'DNS:elsewhere.test');
write_to("$d/password", "word\n");

start($_) for @ports;

system("redis-cli @{[options($ports[0])]} --cluster create "
    . "@{[map { qq(127.0.0.1:$_) } @ports]} --cluster-yes "
    . ">>$d/cluster.log 2>&1") == 0
    or plan(skip_all => 'no cluster was made');

wait_for(sub { !grep { cli($_, 'CLUSTER', 'INFO') !~ /cluster_state:ok/ }
    @ports }, 30) or plan(skip_all => 'the cluster did not start');

$id{$_} = cli($_, 'CLUSTER', 'MYID') for @ports;

# each kind of order, for sites of all nodes

$link = link_to('127.0.0.1', $ports[0], token => 'one');
$two = link_to('127.0.0.1', $ports[2], token => 'two');
ok($_->up(), 'connected') or diag($_->{state}{text}) for $link, $two;
ok($_->news(sub { $_->{what} eq 'GAP' }), 'a gap at first') for $link, $two;

all($link, 'LOCK', 'DECLINED', ttl => 60);
all($link, 'PUT', 'OK', facts($first), ttl => 600);
all($two, 'GET', 'OK', flags => ['whole']);
is($two->{last}{bytes}, $first, 'get, bytes');
is(scalar(grep { sites_of($_) } @ports), 3, 'each node has some');
all($two, 'COMPARE', 'OK');
all($link, 'PUT', 'OK', facts($second), ttl => 600, flags => ['give_back']);
all($two, 'LOCK', 'OK', ttl => 60);
all($two, 'UNLOCK', 'OK');
all($link, $_, 'OK') for qw(RELEARN PIN UNPIN);
all($link, 'RESTORE', 'OK', n => 1);
is($link->{last}{version}, 1, 'restore, version');
all($link, 'FORGET', 'OK');
all($link, 'GET', 'DECLINED');

# a template was written twice, and who restores one pins it

for my $did (qw(learn learn relearn pin unpin pin forget)) {
    is((first { my $site = $_; !$two->news(sub { $_->{site} eq $site
        && $_->{event} eq $did }) } @sites), undef, "events, $did");
}

# slots move: that of a site, and that of the events

all($link, 'PUT', 'OK', facts($first), ttl => 600);

move('dt:{1.test}', sub {
    $n = redirected('ASK');

    for ([GET => ()], [COMPARE => ()], [PUT => facts($second), ttl => 600,
        flags => ['added']])
    {
        my ($what, @more) = @$_;

        $r = $link->order($what, site => '1.test', @more);
        is("$r->{rc} $r->{text}", 'OK ', 'asking, ' . lc $what);
    }

    cmp_ok(redirected('ASK'), '>', $n, 'asking, redirected');
});

$n = redirected('MOVED');
$r = $two->order('GET', site => '1.test');
is("$r->{rc} $r->{version}", 'OK 2', 'moved, get');
cmp_ok(redirected('MOVED'), '>', $n, 'moved, redirected');

move('dt:events', sub { all($link, 'RELEARN', 'OK') });
all($link, 'PIN', 'OK');
ok($two->news(sub { $_->{event} eq 'pin' && $_->{site} eq '20.test' }),
    'events have moved');
is(join('', map { cli($_, 'ACL', 'LOG') } @ports), '', 'all is permitted');

# the node of the URL dies, and comes back empty

$n = sites_of($ports[0]);
redis_stop($pid{$ports[0]});
soon { cli($ports[1], 'CLUSTER', 'INFO') =~ /slots_fail:[1-9]/ }
    'a node is dead';
is($link->all(\@sites, 'GET', 'OK'), @sites - $n, 'a node is dead, get');
like(join(', ', keys %{$link->{why}}),
    qr/^GET EIO redis 127\.0\.0\.1:$ports[0]: [^,]+$/,
    'a node is dead, cause');
ok($link->up(), 'a node is dead, connected');
$link->order('RELEARN', site => 'a.test');
ok($two->news(sub { $_->{site} eq 'a.test' }), 'a node is dead, events');
start($ports[0]);
soon {
    $link->all(\@sites, 'PUT', 'OK', facts($first), ttl => 600) == @sites;
} 'the node is back' or diag(explain($link->{why}));

# nodes are told of by address, and have the name, the address, or neither

take('name', @ports);
$link = link_to('localhost', $ports[0]);
all($link, 'GET', 'OK');
$link = link_to('127.0.0.1', $ports[0]);
like($link->down()->{text}, qr/: IP address mismatch$/,
    'a name, and the URL has the address');
take('address', $ports[1]);
$link = link_to('localhost', $ports[0]);
all($link, 'GET', 'OK');
take('neither', $ports[1]);
$link = link_to('localhost', $ports[0]);
is($link->all(\@sites, 'GET', 'OK'), @sites - sites_of($ports[1]),
    'neither, other nodes');
is(join(', ', keys %{$link->{why}}), "GET EIO redis 127.0.0.1:$ports[1]: "
    . 'hostname mismatch', 'neither, cause');

done_testing();

sub start ($port) {
    $pid{$port} = redis_start($port, qw(--port 0 --tls-port), $port,
        qw(--tls-cluster yes --tls-auth-clients no --requirepass secret),
        '--tls-ca-cert-file', "$d/ca.pem", '--tls-cert-file',
        "$d/address.pem", '--tls-key-file', "$d/address.key",
        qw(--cluster-enabled yes --cluster-config-file nodes.conf
        --cluster-node-timeout 1500 --cluster-require-full-coverage no
        --cluster-port), $bus{$port});

    cli($port, 'ACL', 'SETUSER', redis_user('word', '+asking'));
}

# gives nodes another certificate

sub take ($name, @nodes) {
    cli($_, 'CONFIG', 'SET', 'tls-cert-file', "$d/$name.pem", 'tls-key-file',
        "$d/$name.key") for @nodes;
}

sub link_to ($host, $port, @conf) {
    return Test::Detemplate::Link->new(@conf, timeout => 2000,
        url => "rediss://detemplate\@$host:$port", ca => "$d/ca.pem",
        password_file => "$d/password");
}

sub all ($to, $what, $rc, @more) {
    is($to->all(\@sites, $what, $rc, @more), @sites, 'all sites, ' . lc $what)
        or diag(explain($to->{why}));
}

sub sites_of { scalar(() = cli($_[0], 'KEYS', '*:template') =~ /^dt/mg) }

# moves the slot of a key to another node, which is not the first

sub move ($key, $during) {
    my $slot = cli($ports[0], 'CLUSTER', 'KEYSLOT', $key);
    my ($from) = grep { cli($_, 'CLUSTER', 'COUNTKEYSINSLOT', $slot) } @ports;
    my ($to) = grep { $_ != $from } @ports[1, 2];
    my @keys = split /\n/, cli($from, 'CLUSTER', 'GETKEYSINSLOT', $slot, 99);
    my @set = ('CLUSTER', 'SETSLOT', $slot);

    cli($to, @set, 'IMPORTING', $id{$from});
    cli($from, @set, 'MIGRATING', $id{$to});
    is(cli($from, 'MIGRATE', '127.0.0.1', $to, '', 0, 1000, 'AUTH', 'secret',
        'KEYS', @keys), 'OK', "$key moves");
    $during->();
    cli($_, @set, 'NODE', $id{$to}) for $to, $from, @ports;
}

# how often nodes told of others

sub redirected ($how) {
    my $all = join '', map { cli($_, 'INFO', 'errorstats') } @ports;
    my $sum = 0;
    $sum += $_ for $all =~ /errorstat_$how:count=(\d+)/g;

    return $sum;
}

# sends a command to a node; returns the answer as redis-cli prints it

sub cli ($port, @words) {
    open my $out, '-|', 'redis-cli', options($port), @words
        or die "redis-cli: $!\n";
    my $answer = do { local $/; <$out> } // '';
    chomp $answer;

    return $answer;
}

sub options {
    return qw(--tls --cacert), "$d/ca.pem", qw(-a secret --no-auth-warning
        -p), $_[0];
}
