#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Processes that die, are replaced, or are stopped while pages are served and
# learned.

use Fcntl;
use File::Spec;
use POSIX ();
use Test::Detemplate;

plan skip_all => 'no /proc' if !-e '/proc/self/stat';

# a process group of its own: signals cannot reach the test's caller

setpgrp;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

my %conf = (
    main => 'worker_processes 2;',
    http => 'detemplate_origin %%HTTP_1%%;',
    name => 'any.test',
    server => 'detemplate_site $host;',
    pages => ['/wait/' => 'detemplate_wait 60s;'],
);

$t->pages('html');

# the origin is slow, so that a running learner can be observed

$t->answers(1, sub ($uri, $host, $learner, $request) {
    my ($n) = $uri =~ m{^(?:/wait)?/p(\d)\.html} or return;

    $t->write_file('key', $1) if $request =~ /^Detemplate-Learner: (\S+)/mi;
    select undef, undef, undef, -e "$d/slow" ? 1 : 0.1;

    return response(page($n));
});

$t->configure(%conf);

# All processes that nginx starts stay in the session that it begins as a
# daemon, also across an upgrade.

my $session;

start();

my ($r, $want, $key, $learner, $manager, $client, $old);

ok($r = $t->learn('/p3.html', host => 'site.test'), 'learned')
    or BAIL_OUT('nothing was learned');
$want = body($r);
is(site()->{version}, 1, 'learned, version');

# the key that identifies the learner outlives the zone

$key = $t->read_file('key');
like($key, qr/^[0-9a-f]{32}$/, 'key of the learner');
is(sprintf('%o', ((stat "$d/templates/key")[2] || 0) & 0777), 600,
    'key, kept for nginx alone');

is(titles(), 'cache manager process, master process, worker process, '
    . 'worker process', 'processes');

# limits and descriptors of a learner

$learner = learner('learner.test');
$manager = pid_of('cache manager');

is(parent($learner), $manager, 'learner, child of the manager');
soon { limit($learner, 'Max address space') =~ /^\d+$/ }
    'learner, memory is limited', 5;
is(limit($learner, 'Max cpu time'), 20, 'learner, processor time is limited');
is(stat_of($learner)->{nice}, (sort { $a <=> $b } 19,
    stat_of($manager)->{nice} + 10)[0], 'learner, low priority');
is(stat_of($learner)->{group}, $learner, 'learner, its own process group');
is(stat_of($learner)->{session}, $session, 'learner, same session as nginx');

my $sockets = sockets(master());

cmp_ok(scalar(keys %$sockets), '>', 0, 'master, sockets');
is(join(' ', grep { $sockets->{$_} } keys %{sockets($learner)}), '',
    'learner, has no listening sockets');

# killed, as if by a crash

strike('KILL', $learner);
soon { $t->learning('failed') == 1 } 'learner killed, failed', 5;
is($t->learning('running'), 0, 'learner killed, no more running');
like(field(get('learner.test'), 'Detemplate'), qr/^miss; reason=backoff/,
    'learner killed, not tried again at once');
is($t->said('no template for "learner.test": crashed: '
    . 'learner ended by signal 9'), 1, 'learner killed, logged once');
is(pid_of('cache manager'), $manager, 'learner killed, same manager');

# another, for later

strike('KILL', learner('twice.test'));
soon { $t->learning('failed') == 2 } 'killed, failed', 5;
is($t->said('next attempt in 10 seconds'), 2, 'killed, back-off');

# a learner that exceeds its time, by the clock or of its processor

for my $case ([ 'ALRM', 'timeout' ], [ 'XCPU', 'cpu' ]) {
    my ($signal, $reason) = @$case;
    my $host = "\L$signal.test";

    strike($signal, learner($host));
    soon { $t->said("no template for \"$host\": $reason: ") }
        "$signal, reason", 5;
}

ok($t->idle(), 'no learner is left');
is(pipes(pid_of('cache manager')), pipes(master()),
    'manager, no pipe is left open');

# the manager

$t->write_file('slow', '');
$learner = learner('manager.test');
strike('KILL', $manager);
soon { !alive($learner) } 'manager killed, learner is gone';
unlink "$d/slow";
soon { pid_of('cache manager') } 'manager killed, another one starts', 5;
isnt(pid_of('cache manager'), $manager, 'manager killed, is a new one');
like(field(get('site.test'), 'Detemplate'), qr/^hit/, 'manager killed, hit');
ok($t->learn('/p3.html', host => 'manager.test'), 'manager killed, learned');
is($t->said('requeued 1 jobs'), 1, 'manager killed, job requeued');
is($t->learning('failed'), 4, 'manager killed, nothing failed');

# a worker

learner('worker.test');
strike('KILL', pid_of('worker process'));
is(body(get('site.test')), $want, 'worker killed, served');
ok($t->learn('/p3.html', host => 'worker.test'), 'worker killed, learned');
soon { titles() =~ /worker process, worker process/ }
    'worker killed, another one starts', 5;
is($t->learning('failed'), 4, 'worker killed, nothing failed');
ok($t->idle(), 'no learner is left');

# many reloads

$client = client();

for my $i (1 .. 20) {
    my $n = $t->said('start cache manager process');

    get("reload$i.test") if $i % 7 == 0;
    strike('HUP', master());
    wait_for(sub { $t->said('start cache manager process') > $n }, 5);
}

is($t->said('start cache manager process'), 22, 'reloaded');
is(asked($client), '', 'reload, no request lost');
soon { its_processes() == 4 } 'reload, no process left' or diag(titles());
is(site()->{version}, 1, 'reload, same template');
ok($t->learn('/p3.html', host => "reload$_.test"), "reload, learned, $_")
    for 7, 14;
ok($t->idle(), 'reload, no learner is left');
is($t->learning('failed'), 4, 'reload, nothing failed');

# the back-off of the first failure is over

ok($t->learn('/p3.html', host => 'learner.test'),
    'learner killed, learned at last');

# another failure doubles the back-off

strike('KILL', learner('twice.test'));
soon { ($t->without('twice.test')->{next_in} // 0) > 10 }
    'killed again, back-off', 5 or diag(explain($t->without('twice.test')));
is($t->said('no template for "twice.test"'), 1, 'killed again, logged once');

# an upgrade of the binary

$old = master();
$client = client();

strike('USR2', $old);
soon { -s "$d/nginx.pid.oldbin" && -s "$d/nginx.pid" } 'upgrade, started';
isnt(master(), $old, 'upgrade, another master');
soon { titles() =~ /manager.*manager.*(?:worker.*){4}/ }
    'upgrade, both masters run', 5;

# either of the two may answer

is(answers($key), 'bypass; reason=learner',
    'upgrade, key of the learner is known');
is(answers('0' x 32), 'hit; mode=strip; version=1; settled',
    'upgrade, other keys are not known');

strike('QUIT', $old);
soon { !alive($old) } 'upgrade, old master is gone';
soon { its_processes() == 4 } 'upgrade, no process left' or diag(titles());
is(asked($client), '', 'upgrade, no request lost');

$r = get('site.test');
like(field($r, 'Detemplate'), qr/^hit; mode=strip; version=1; settled$/,
    'upgrade, hit');
is(body($r), $want, 'upgrade, body');
is(site()->{source}, 'snapshot', 'upgrade, from the snapshot');
is($t->learning('done'), 0, 'upgrade, nothing learned anew');
ok($t->learn('/p3.html', host => 'upgraded.test'), 'upgrade, learns');

# stop

$t->write_file('slow', '');

for my $signal (qw/ QUIT TERM /) {
    start() if !master();
    $learner = learner("\L$signal.test");

    my @pids = its_processes();
    my $waits = http_get('/wait/p3.html', host => 'waits.test', start => 1);

    soon {
        ($t->without('waits.test')->{state} // '') =~ /queued|running/;
    } "$signal, a request waits", 5;
    cmp_ok(scalar @pids, '>=', 5, "$signal, processes");
    strike($signal, master());
    soon { !its_processes() } "$signal, no process is left" or diag(titles());
    is(body(http('', socket => $waits)), page(3), 'QUIT, page of the request')
        if $signal eq 'QUIT';
    is(scalar(grep { alive($_) } @pids, $learner), 0,
        "$signal, learner has ended");
}

unlink "$d/slow";
start();
like(field(get('site.test'), 'Detemplate'), qr/^hit/, 'started again, hit');
ok($t->learn('/p3.html', host => 'quit.test'), 'started again, learns');
is($t->read_file('key'), $key, 'started again, same key');
strike('TERM', master());
soon { !its_processes() } 'started again, stopped';

$t->write_file('templates/key', "$key\n");
start();
ok($t->learn('/p3.html', host => 'key.test'), 'damaged key file, learns');
like($t->read_file('key'), qr/^(?!$key)[0-9a-f]{32}$/,
    'damaged key file, another key');
is($t->read_file('templates/key'), $t->read_file('key'),
    'damaged key file, file is replaced');
strike('TERM', master());
soon { !its_processes() } 'damaged key file, stopped';

# nginx in a terminal, from which a learner is detached

SKIP: {
    my $terminal = terminal() or skip 'no terminals', 3;

    in_terminal($terminal);
    $learner = learner('terminal.test');
    isnt(stat_of($session)->{tty}, 0, 'terminal, nginx has it');
    is(stat_of($learner)->{tty}, 0, 'terminal, a learner does not');
    strike('TERM', $session);
    soon { !its_processes() } 'terminal, stopped';
}

# without a master process

$t->configure(%conf, main => 'master_process off; worker_processes 2;');
$t->run();

is($t->said('"master_process off" leaves no process that learns'), 1,
    'no master, warning');

for my $uri ('/p3.html', '/wait/p3.html') {
    $r = get('site.test', $uri);
    like(field($r, 'Detemplate'), qr/^miss; reason=no-template/,
        "no master, $uri");
    is(body($r), page(3), "no master, $uri unchanged");
}

is($t->learning('queued'), 0, 'no master, nothing queued');

is($t->said('exited on signal 9'), 2, 'deaths are logged');
$t->done('exited on signal 9');

END {
    if ($session) {
        local $?;

        kill 'TERM', $_ for grep { proc_title($_) } its_processes();
        wait_for(sub { !its_processes() }, 5);
        kill 'KILL', $_ for grep { proc_title($_) } its_processes();
    }
}

# kill() with a pid of 0 would signal the test's own process group

sub strike ($signal, @pids) {
    for my $pid (@pids) {
        BAIL_OUT("no process to send $signal to") if !$pid || $pid < 2;
        kill $signal, $pid;
    }
}

sub start {
    unlink "$d/nginx.pid";

    system(nginx()) == 0 or die "nginx did not start\n";

    # the pid may be known before the process has left our session

    $session = wait_for(sub {
        my $stat = stat_of(master() || 0);
        return $stat && $stat->{session} == master() ? master() : 0;
    }, 5) or die "no session of nginx\n";

    # the status is complete once the snapshots have been read

    wait_for(sub { pid_of('cache manager') }, 5);
    wait_for(sub { get('site.test') =~ /^Detemplate: hit/m }, 2)
        if -e "$d/origin.done";

    $t->write_file('origin.done', '');
}

# nginx executes itself by the name that it was started with

sub nginx {
    my $nginx = $Test::Detemplate::NGINX;

    ($nginx) = grep { -x } map { "$_/$nginx" }
        split /:/, "$ENV{PATH}:/usr/sbin" if $nginx !~ m{/};

    return (File::Spec->rel2abs($nginx), '-p', "$d/", '-e', "$d/error.log",
        '-c', "$d/nginx.conf");
}

# a new terminal: its descriptor and its name; constants as in
# <asm-generic/ioctls.h>

sub terminal {
    my ($unlock, $number) = (pack('i', 0), pack('i', 0));

    sysopen my $fh, '/dev/ptmx', O_RDWR|O_NOCTTY or return undef;
    ioctl $fh, 0x40045431, $unlock or return undef;
    ioctl $fh, 0x80045430, $number or return undef;

    return [ $fh, '/dev/pts/' . unpack 'i', $number ];
}

# nginx as the leader of a session there

sub in_terminal {
    my ($fh, $name) = @{$_[0]};

    $session = $t->fork_child(sub {
        POSIX::setsid();
        sysopen my $tty, $name, O_RDWR or die "$name: $!\n";
        open STDERR, '>>', "$d/stderr.log";
        exec nginx(), '-g', 'daemon off;';
    });

    wait_for(sub { pid_of('cache manager') }, 5);
}

sub master {
    my ($pid) = $t->read_file('nginx.pid') =~ /^(\d+)/;

    return $pid;
}

sub get ($host, $uri = '/p3.html') { http_get($uri, host => $host) }

# the field Detemplate for requests with that key

sub answers ($key) {
    my %seen = map {
        (detemplate('/p3.html', host => 'site.test',
            fields => ["Detemplate-Learner: $key"]) => 1)
    } 1 .. 40;

    return join ', ', sort keys %seen;
}

sub site { $t->site('site.test') }

# waits for a learner of a new site

sub learner ($host) {
    # nothing is queued before the snapshots have been read

    return wait_for(sub {
        get($host);
        return pid_of('learner');
    }, 10) || die "no learner for $host\n";
}

# A child that requests a page again and again, and a function that ends it and
# returns its complaints.  A page is complete, with or without its template.

sub client {
    unlink "$d/stop", "$d/lost";

    return $t->fork_child(sub {
        my $n = 0;

        while (!-e "$d/stop" && !-e "$d/lost") {
            my $r = get('site.test');
            my $body = body($r);

            $n++;
            next if status_of($r) == 200
                && ($body eq $want || $body eq page(3));

            $t->write_file('lost', "request $n: $r");
        }

        $t->write_file('asked', $n);
    });
}

sub asked ($pid) {
    unlink "$d/asked";
    $t->write_file('stop', '');
    wait_for(sub { -s "$d/asked" }, 20);
    cmp_ok($t->read_file('asked') || 0, '>', 20,
        'all requests meanwhile got a page');
    $t->end_child($pid);

    return $t->read_file('lost');
}

sub stat_of ($pid) {
    my $stat = proc_stat($pid);

    return $stat && $stat->{state} !~ /[ZX]/ ? $stat : undef;
}

sub alive { defined stat_of($_[0]) }
sub parent { stat_of($_[0])->{parent} }

# nginx's processes

sub its_processes {
    return grep {
        my $stat = stat_of($_);
        $stat && $stat->{session} == $session;
    } Test::Detemplate::processes();
}

sub titles { join ', ', sort map { proc_title($_) } its_processes() }

sub pid_of ($title) {
    my ($pid) = grep { index(proc_title($_), $title) == 0 } its_processes();

    return $pid;
}

# the soft value of a limit

sub limit ($pid, $name) {
    open my $fh, '<', "/proc/$pid/limits" or return '';

    return join '', map { /^\Q$name\E\s+(\S+)/ ? $1 : () } <$fh>;
}

sub pipes { scalar grep { /^pipe:/ } values %{proc_fds($_[0])} }

# the set of sockets that a process has open

sub sockets {
    return { map { /^(socket:.*)/ ? ($1 => 1) : () }
        values %{proc_fds($_[0])} };
}
