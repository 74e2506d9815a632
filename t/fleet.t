#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A fleet of three machines and one Redis.  What one machine learns, all that
# know the site serve.  What an operator does to a site in Redis, all do.  A
# machine needs the evidence of a template only when it adds pages to it.

use Digest::MD5 qw/ md5_hex /;
use Test::Detemplate;

my $sites = 50;
my @machines = map { Test::Detemplate->new() } 1 .. 3;
my ($one, $two, $three) = @machines;

my $db = $one->port(2);
my $origin = $one->port(1);

$_->{ports} = [ undef, $origin, $db ] for $two, $three;

my $redis = $one->redis(2);

# pages of two layouts; logs the host of each request of a learner, and lets
# it wait for those of the second layout, and of a site that is due, while
# there is a file

my $held = $one->testdir() . '/held';

$one->origin(1, sub ($s, $request) {
    my ($layout, $n) = $request =~ m{^\S+ (?:/due)?/([op])(\d)\.html}
        or return;
    my ($host) = $request =~ /^Host: (\S+)/mi;

    if ($request =~ m{^User-Agent: detemplate/}mi) {
        open my $log, '>>', $one->testdir() . '/origin.log' or die;
        syswrite $log, "$host\n";

        wait_for(sub { !-e $held }, 15)
            if $layout eq 'o' || $host eq 'due.test';
    }

    my $page = $layout eq 'o' ? other_page($n) : page($n);
    $page =~ s/The almanac/The new almanac/g if -e $one->testdir() . "/new";

    print $s response($page);
});

$_->configure(
    zone => '8m',
    http => '
        detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=500ms;
        detemplate_learners 2;
        detemplate_valid 1h;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
    locations => [
        '/due/' => 'proxy_pass %%HTTP_1%%; detemplate_refresh 1s;',
    ],
)->run() for @machines;

###############################################################################

# all machines are asked for all sites at once

my @hosts = map { "s$_.test" } 1 .. $sites;

for my $host (@hosts) {
    get($_, $host) for @machines;
}

is(scalar(grep { hit($_->[0], $_->[1]) }
    map { my $host = $_; map { [ $_, $host ] } @machines } @hosts),
    3 * $sites, 'at once, all machines serve all sites');

my %learned;

for my $machine (@machines) {
    $machine->idle();
    $learned{$machine} = $machine->status_json()->{learning}{done};
}

is($learned{$one} + $learned{$two} + $learned{$three}, $sites,
    'at once, each site is learned once');

my $status = $two->status_json()->{redis};

ok($status->{connected}, 'status, connected');
is($status->{address}, "127.0.0.1:$db", 'status, address');
is($status->{reconnects}, 0, 'status, no connection was begun anew');
cmp_ok($status->{$_}, '>', 0, "status, $_")
    for qw/ since latency_us event_at received sent /;
like(body(http_get('/status?format=prometheus', port => $two->port(0))),
    qr/^nginx_detemplate_redis_connected 1$/m, 'metrics, connected');

# a template of one machine replaces that of another, without a request

ok(learn($one, 'site.test'), 'learned');
ok(hit($two, 'site.test'), 'known to another machine');
is($two->site('site.test')->{source}, 'redis', 'taken');
is($three->site('site.test'), undef, 'not by a machine that nobody asked');

my $first = learned_at($two, 'site.test');
my $before = learned_for('site.test');

later_than($first);
is(fleet('relearn site.test'), 0, 'relearn');
ok(wait_for(sub { learned_at($one, 'site.test') > $first
    && learned_at($two, 'site.test') > $first }, 20),
    'relearn, all machines have the new template');
is(learned_at($one, 'site.test'), learned_at($two, 'site.test'),
    'relearn, the same');
$_->idle() for @machines;
cmp_ok(learned_for('site.test'), '>', $before, 'relearn, pages were loaded');
is(sources('site.test'), 'learned redis', 'relearn, by one machine');

# pinned

is(fleet('pin site.test'), 0, 'pin');
ok(wait_for(sub { pinned($one, 'site.test') && pinned($two, 'site.test') },
    10), 'pin, all machines');
ok(hit($three, 'site.test'), 'pin, a machine that takes the template later');
ok(pinned($three, 'site.test'), 'pin, it is pinned there too');

is(fleet('unpin site.test'), 0, 'unpin');
ok(wait_for(sub { !grep { pinned($_, 'site.test') } @machines }, 10),
    'unpin, all machines');

# a learning ends the pin

$first = learned_at($one, 'site.test');
is(fleet('pin site.test'), 0, 'pin again');
ok(wait_for(sub { !grep { !pinned($_, 'site.test') } @machines }, 10),
    'pin again, all machines');
later_than($first);
is(fleet('relearn site.test'), 0, 'relearn, pinned');
ok(wait_for(sub {
    !grep { learned_at($_, 'site.test') <= $first
        || pinned($_, 'site.test') } @machines
}, 20), 'relearn, pinned no more');

# an earlier template

is(fleet('restore site.test'), 0, 'restore');
ok(wait_for(sub {
    !grep { learned_at($_, 'site.test') != $first } @machines
}, 10), 'restore, all machines have the earlier template');
ok(wait_for(sub { !grep { !pinned($_, 'site.test') } @machines }, 10),
    'restore, and keep it');

is(fleet('forget site.test'), 0, 'forget');
ok(wait_for(sub { !grep { $_->site('site.test') } @machines }, 10),
    'forget, all machines');
is(scalar @{keys_of('site.test')}, 0, 'forget, in Redis');
is(fleet('forget site.test'), 1, 'forget, there is nothing left');

# a follower has what serves, and reads the evidence when it adds a page

ok(learn($one, 'grown.test'), 'evidence, learned');
ok(hit($two, 'grown.test'), 'evidence, taken');
cmp_ok(snapshot($two, 'grown.test'), '<', snapshot($one, 'grown.test'),
    'evidence, not taken');

# a page that is being added to a template when all are told to pin it

$one->write_file('held', '');
get($two, 'grown.test', '/o3.html');
ok(wait_for(sub { $two->status_json()->{learning}{running} }, 10),
    'pin, a page is being added');
is(fleet('pin grown.test'), 0, 'pin, meanwhile');
ok(wait_for(sub { pinned($two, 'grown.test') }, 10), 'pin, taken');
unlink $held;
ok($two->idle(), 'pin, nothing is learned any more');
ok(pinned($two, 'grown.test'), 'pin, not replaced');
is($two->site('grown.test')->{version}, 1, 'pin, not added to');

# a site that is being learned anew, for it is due

ok(learn($one, 'due.test') && hit($two, 'due.test'), 'due, taken');
$first = learned_at($two, 'due.test');
later_than($first + 1);
$one->write_file('held', '');
get($two, 'due.test', '/due/p3.html');
ok(wait_for(sub { $two->status_json()->{learning}{running} }, 10),
    'due, learned anew');
is(fleet('pin due.test'), 0, 'due, pin');
ok(wait_for(sub { pinned($two, 'due.test') }, 10), 'due, pin taken');
unlink $held;
ok($two->idle(), 'due, nothing is learned any more');
ok(pinned($two, 'due.test'), 'due, pin not replaced');
is(learned_at($two, 'due.test'), $first, 'due, the same template');

is(fleet('unpin grown.test'), 0, 'unpin, before a page is added');
ok(wait_for(sub { !pinned($two, 'grown.test') }, 10), 'unpin, taken');
ok(wait_for(sub {
    get($two, 'grown.test', '/o3.html');
    $two->site('grown.test')->{version} == 2;
}, 20), 'evidence, a page was added');
ok(wait_for(sub { $one->site('grown.test')->{version} == 2 }, 10),
    'evidence, and is known to the others');

# what happens to the link

my $link = $one->redis_link();

kill 'KILL', $link;
ok(learn($one, 'killed.test'), 'link killed, learned');
ok(wait_for(sub { ($one->redis_link() || $link) != $link }, 10),
    'link killed, started again');
ok(wait_for(sub { $one->status_json()->{redis}{connected} }, 10),
    'link killed, connected');
is($one->status_json()->{redis}{restarts}, 1, 'link killed, counted');
is($one->said('redis is away'), 1, 'link killed, logged');
ok(hit($two, 'killed.test'), 'link killed, others are served');

# events that are missed are made up for

ok(learn($one, 'missed.test'), 'missed, learned');
ok(hit($two, 'missed.test'), 'missed, taken');
$first = learned_at($two, 'missed.test');
later_than($first);
kill 'STOP', $two->redis_link();
is(fleet('relearn missed.test'), 0, 'missed, relearn');
ok(wait_for(sub { learned_at($one, 'missed.test') > $first }, 20),
    'missed, learned again');
kill 'KILL', $two->redis_link();
ok(wait_for(sub { learned_at($two, 'missed.test') > $first }, 20),
    'missed, compared and taken');

# more events at once than are followed

ok(learn($two, 'own.test'), 'many events, learned');
$two->idle();
$link = $two->redis_link();
my $manager = Test::Detemplate::parent($link);
my $written = written($link);
my $gets = calls('getrange');
my $compared = calls('hmget') - $gets;

kill 'STOP', $manager;
$two->redis_says(2, q{EVAL "for i = 1, 500 do redis.call('XADD', 'dt:events',}
    . q{ '*', 'site', 'own.test', 'version', 2) end return 1" 0});
ok(wait_for(sub { written($link) > $written + 60000 }, 10),
    'many events, told of');
kill 'CONT', $manager;
ok(wait_for(sub {
    calls('hmget') - calls('getrange') >= $compared + $sites
}, 10), 'many events, all sites are compared');
cmp_ok(calls('getrange'), '<', $gets + 500, 'many events, not all followed');

# events that a machine missed while it did not run are made up for, although
# it reads its snapshots after it has connected, or when a site is asked for

my @late = map { "late$_.test" } 1 .. 4;
my $templates = $two->testdir() . '/templates';
my $file = md5_hex('file.test') . '.dt';

for my $host (@late, 'file.test') {
    ok(learn($one, $host) && hit($two, $host), "late, $host is taken");
}

$two->stop();
mkdir "$templates/x$_" or die "x$_: $!\n" for 1 .. 10000;
rename "$templates/$file", $two->testdir() . "/$file" or die "$file: $!\n";

later_than($first = learned_at($one, 'file.test'));
is(fleet("relearn $_"), 0, "late, relearn $_") for @late, 'file.test';
ok(wait_for(sub {
    !grep { learned_at($one, $_) <= $first } @late, 'file.test'
}, 20), 'late, learned again');

$two->run();
ok(wait_for(sub { !grep { learned_at($two, $_) <= $first } @late }, 20),
    'late, compared and taken');
is($two->site('file.test'), undef, 'late, there is no snapshot');

rename $two->testdir() . "/$file", "$templates/$file" or die "$file: $!\n";
ok(hit($two, 'file.test'), 'late, a snapshot is read');
ok(wait_for(sub { learned_at($two, 'file.test') > $first }, 10),
    'late, and compared');

# nothing is left of a machine that ends

$link = $three->redis_link();
ok(kill(0, $link), 'link runs');
$three->stop();
ok(wait_for(sub { !kill 0, $link }, 10), 'stopped, its link too');

$one->no_alerts();
$two->no_alerts();

done_testing();

###############################################################################

sub get ($machine, $host, $uri = undef) {
    return http_get($uri || '/p3.html', host => $host,
        port => $machine->port(0));
}

sub hit ($machine, $host) {
    return wait_for(sub {
        field(get($machine, $host), 'Detemplate') =~ /^hit/
    }, 30);
}

sub learn ($machine, $host) {
    return $machine->learn('/p3.html', host => $host,
        port => $machine->port(0));
}

# when the template of a site was learned

sub learned_at ($machine, $host) {
    my $site = $machine->site($host);

    return $site ? $site->{learned_at} : 0;
}

# waits until what is learned has a later time

sub later_than ($then) {
    return wait_for(sub { time > $then }, 3);
}

sub sources ($host) {
    return join ' ', sort map { $_->site($host)->{source} } $one, $two;
}

sub pinned ($machine, $host) {
    my $site = $machine->site($host);

    return $site && $site->{pinned};
}

# bytes of the snapshot of a site

sub snapshot ($machine, $host) {
    return -s $machine->testdir() . '/templates/' . md5_hex($host) . '.dt';
}

# the keys of a site in Redis

sub keys_of ($host) {
    my $out = `redis-cli -p $db --scan --pattern 'dt:{$host}:*'`;

    return [ split /\n/, $out ];
}

# how often Redis got a command

sub calls {
    my ($n) = `redis-cli -p $db info commandstats`
        =~ /^cmdstat_$_[0]:calls=(\d+)/m;

    return $n;
}

# bytes that a process has written

sub written { `cat /proc/$_[0]/io` =~ /^wchar: (\d+)/m ? $1 : 0 }

# the number of learners' requests for a host

sub learned_for ($host) {
    return scalar grep { $_ eq $host }
        split /\n/, $one->read_file('origin.log');
}

# a command for the whole fleet; returns its exit code

sub fleet ($command) {
    return system("$BIN $command --redis redis://127.0.0.1:$db/0 >>"
        . $one->testdir() . '/fleet.log 2>&1') >> 8;
}
