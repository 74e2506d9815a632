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

$one->answers(1, sub ($uri, $host, $learner, @) {
    my ($layout, $n) = $uri =~ m{^(?:/due)?/([op])(\d)\.html} or return;

    if ($learner) {
        $one->append_file('origin.log', "$host\n");
        wait_for(sub { !-e $held }, 15)
            if $layout eq 'o' || $host eq 'due.test';
    }

    my $page = $layout eq 'o' ? other_page($n) : page($n);
    $page =~ s/The almanac/The new almanac/g if -e $one->testdir() . '/new';

    return response($page);
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
    locations => ['/due/' => 'proxy_pass %%HTTP_1%%; detemplate_refresh 1s;'],
)->run() for @machines;

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
soon { learned_at($one, 'site.test') > $first && learned_at($two,
    'site.test') > $first } 'relearn, all machines have the new template', 20;
is(learned_at($one, 'site.test'), learned_at($two, 'site.test'),
    'relearn, the same');
$_->idle() for @machines;
cmp_ok(learned_for('site.test'), '>', $before, 'relearn, pages were loaded');
is(sources('site.test'), 'learned redis', 'relearn, by one machine');

# pinned

is(fleet('pin site.test'), 0, 'pin');
soon { pinned($one, 'site.test') && pinned($two, 'site.test') }
    'pin, all machines';
ok(hit($three, 'site.test'), 'pin, a machine that takes the template later');
ok(pinned($three, 'site.test'), 'pin, it is pinned there too');

is(fleet('unpin site.test'), 0, 'unpin');
soon { !grep { pinned($_, 'site.test') } @machines } 'unpin, all machines';

# a learning ends the pin

$first = learned_at($one, 'site.test');
is(fleet('pin site.test'), 0, 'pin again');
soon { !grep { !pinned($_, 'site.test') } @machines }
    'pin again, all machines';
later_than($first);
is(fleet('relearn site.test'), 0, 'relearn, pinned');
soon {
    !grep { learned_at($_, 'site.test') <= $first
        || pinned($_, 'site.test') } @machines
} 'relearn, pinned no more', 20;

# an earlier template

is(fleet('restore site.test'), 0, 'restore');
soon {
    !grep { learned_at($_, 'site.test') != $first } @machines
} 'restore, all machines have the earlier template';
soon { !grep { !pinned($_, 'site.test') } @machines } 'restore, and keep it';

is(fleet('forget site.test'), 0, 'forget');
soon { !grep { $_->site('site.test') } @machines } 'forget, all machines';
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
soon { $two->status_json()->{learning}{running} } 'pin, a page is being added';
is(fleet('pin grown.test'), 0, 'pin, meanwhile');
soon { pinned($two, 'grown.test') } 'pin, taken';
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
soon { $two->status_json()->{learning}{running} } 'due, learned anew';
is(fleet('pin due.test'), 0, 'due, pin');
soon { pinned($two, 'due.test') } 'due, pin taken';
unlink $held;
ok($two->idle(), 'due, nothing is learned any more');
ok(pinned($two, 'due.test'), 'due, pin not replaced');
is(learned_at($two, 'due.test'), $first, 'due, the same template');

is(fleet('unpin grown.test'), 0, 'unpin, before a page is added');
soon { !pinned($two, 'grown.test') } 'unpin, taken';
soon {
    get($two, 'grown.test', '/o3.html');
    $two->site('grown.test')->{version} == 2;
} 'evidence, a page was added', 20;
soon { $one->site('grown.test')->{version} == 2 }
    'evidence, and is known to the others';

# what happens to the link

my $link = $one->redis_link();

kill 'KILL', $link;
ok(learn($one, 'killed.test'), 'link killed, learned');
soon { ($one->redis_link() || $link) != $link } 'link killed, started again';
soon { $one->status_json()->{redis}{connected} } 'link killed, connected';
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
soon { learned_at($one, 'missed.test') > $first } 'missed, learned again', 20;
kill 'KILL', $two->redis_link();
soon { learned_at($two, 'missed.test') > $first }
    'missed, compared and taken', 20;

# more events at once than are followed

ok(learn($two, 'own.test'), 'many events, learned');
$two->idle();
$link = $two->redis_link();
my $manager = proc_stat($link)->{parent};
my $written = written($link);
my $gets = calls('getrange');
my $compared = calls('hmget') - $gets;

kill 'STOP', $manager;
$two->redis_says(2, [ 'EVAL', q{for i = 1, 500 do redis.call('XADD',
    'dt:events', '*', 'site', 'own.test', 'version', 2) end return 1}, 0 ]);
soon { written($link) > $written + 60000 } 'many events, told of';
kill 'CONT', $manager;
soon {
    calls('hmget') - calls('getrange') >= $compared + $sites
} 'many events, all sites are compared';
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
soon {
    !grep { learned_at($one, $_) <= $first } @late, 'file.test'
} 'late, learned again', 20;

$two->run();
soon { !grep { learned_at($two, $_) <= $first } @late }
    'late, compared and taken', 20;
is($two->site('file.test'), undef, 'late, there is no snapshot');

rename $two->testdir() . "/$file", "$templates/$file" or die "$file: $!\n";
ok(hit($two, 'file.test'), 'late, a snapshot is read');
soon { learned_at($two, 'file.test') > $first } 'late, and compared';

# nothing is left of a machine that ends

$link = $three->redis_link();
ok(kill(0, $link), 'link runs');
$three->stop();
soon { !kill 0, $link } 'stopped, its link too';

$one->no_alerts();
$two->no_alerts();

done_testing();

sub get ($machine, $host, $uri = '/p3.html') {
    return http_get($uri, host => $host, port => $machine->port(0));
}

sub hit ($machine, $host) {
    return wait_for(sub {
        field(get($machine, $host), 'Detemplate') =~ /^hit/
    }, 30);
}

sub learn ($machine, $host) { $machine->learn('/p3.html', host => $host) }

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

sub keys_of ($host) { $one->redis_says(2, "KEYS dt:{$host}:*") }

# how often Redis got a command

sub calls ($name) {
    return $one->redis_says(2, 'INFO commandstats')
        =~ /^cmdstat_$name:calls=(\d+)/m ? $1 : 0;
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
