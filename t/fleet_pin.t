#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Versions and pins of a fleet: a template has one number everywhere, which
# only grows for its site, and to pin it makes no earlier one.  A machine that
# was away does what it missed.

use Test::Detemplate;

my @machines = map { Test::Detemplate->new() } 1 .. 2;
my ($one, $two) = @machines;
my $db = $one->port(2);

$two->{ports} = [ undef, undef, $db ];

my $redis = $one->redis(2);

for my $machine (@machines) {
    $machine->configure(
        zone => '4m',
        http => 'detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=500ms;
            detemplate_valid 1h; detemplate_loads 8;',
        name => 'site.test',
        locations => [ '= /control' => 'detemplate_control;' ],
    );
    $machine->pages('html')->run();
}

ok(serves($_), 'served') for @machines;
$_->idle() for @machines;

# each learning has a number that was never given before

my @versions = shown($one)->{template}{version};

for my $n (1 .. 4) {
    my $then = shown($one)->{template}{learned_at};

    wait_for(sub { time > $then }, 5);
    is(fleet('relearn')->{result}, 'done', 'relearn');
    ok(wait_for(sub { ask($_) for @machines;
        !grep { shown($_)->{template}{learned_at} <= $then } @machines }, 20),
        'relearned everywhere');
    $_->idle() for @machines;

    is(shown($two)->{template}{version}, shown($one)->{template}{version},
        'the same version');
    cmp_ok(shown($one)->{template}{version}, '>', $versions[-1],
        'a higher version');
    push @versions, shown($one)->{template}{version};
}

my $list = fleet('restore --list');

is($list->{template}{version}, $versions[-1], 'list, Redis');
is(versions($list), versions(shown($one)), 'list, as on a machine');
is(versions($list), "@versions[3, 2, 1]", 'list, all that there were');
is(versions(shown($two)), versions($list), 'list, as on the other machine');
is($two->site('site.test')->{version}, $versions[-1], 'status');
like(field(ask($two), 'Detemplate'), qr/; version=$versions[-1]\b/,
    'response');

# pins

is(fleet('pin')->{result}, 'done', 'pin');
soon { !grep { !shown($_)->{pinned} } @machines } 'pinned';
is(versions(shown($_)), versions($list), 'pin, no other earlier ones')
    for @machines;
is(versions(fleet('restore --list')), versions($list), 'pin, nor in Redis');
ok(fleet('restore --list')->{pinned}, 'list, pinned');
is($_->said('command "pin" for "site.test" from redis: done'), 1,
    'pin, notice') for @machines;

is(fleet("pin --version $versions[2]")->{template}{version}, $versions[2],
    'pin, an earlier one');
soon { !grep { shown($_)->{template}{version} != $versions[2] } @machines }
    'pin, it serves everywhere';
is(versions(shown($_)), "@versions[4, 3, 1]", 'pin, none is lost')
    for @machines;
is(versions(fleet('restore --list')), "@versions[4, 3, 1]",
    'pin, nor in Redis');

# a machine that was restarted follows

restart($two);
soon { shown($two)->{pinned} } 'restarted, pinned';

relearned('restarted');
cmp_ok(shown($one)->{template}{version}, '>', $versions[-1],
    'restarted, the highest version so far');

# one that was away meanwhile

is(fleet('pin')->{result}, 'done', 'away, pin');
soon { !grep { !shown($_)->{pinned} } @machines } 'pinned';

$two->end_child(delete $two->{nginx}, 'QUIT');

my $before = shown($one)->{template};

wait_for(sub { time > $before->{learned_at} }, 5);
fleet('relearn');
ok(wait_for(sub { ask($one);
    shown($one)->{template}{version} > $before->{version} }, 20), 'relearned');
$one->idle();
$two->run();
soon { !shown($two)->{pinned} && shown($two)->{template}{version}
    == shown($one)->{template}{version} } 'away, it follows';

# one that was away when a pinned site was forgotten

fleet('pin');
soon { !grep { !shown($_)->{pinned} } @machines } 'forgotten, pinned';
$two->end_child(delete $two->{nginx}, 'QUIT');
is(fleet('forget')->{result}, 'done', 'forgotten, forget');
soon { !shown($one)->{template} } 'forgotten, one';
$two->run();
$before = shown($two)->{template};
wait_for(sub { time > $before->{learned_at} }, 5);
ok(serves($one), 'forgotten, learned anew');
soon { !shown($two)->{pinned} && shown($two)->{template}{learned_at}
    == shown($one)->{template}{learned_at} } 'forgotten, it follows';

# what an operator pins on one machine alone stays

is(command($two, 'pin')->{result}, 'done', 'here');

my $kept = shown($two)->{template}{version};

restart($two);
$before = shown($one)->{template};
wait_for(sub { time > $before->{learned_at} }, 5);
is(command($one, 'relearn')->{result}, 'queued', 'here, relearn elsewhere');
soon { shown($one)->{template}{version} > $before->{version} }
    'here, learned elsewhere', 20;
restart($two);
ok(serves($two), 'here, restarted');
sleep 1;
is(shown($two)->{template}{version}, $kept, 'here, it stays');
ok(shown($two)->{pinned}, 'here, it is pinned');

$one->end_child($redis);
$_->no_alerts() for @machines;

done_testing();

sub relearned ($title) {
    my $then = shown($one)->{template};

    wait_for(sub { time > $then->{learned_at} }, 5);
    is(fleet('relearn')->{result}, 'done', "$title, relearn");
    ok(wait_for(sub { ask($one);
        shown($one)->{template}{version} != $then->{version} }, 20),
        "$title, one");
    soon { shown($two)->{template}{learned_at}
        == shown($one)->{template}{learned_at} } "$title, two", 2;
    $_->idle() for @machines;
    is(shown($two)->{template}{version}, shown($one)->{template}{version},
        "$title, the same");
    ok(!shown($two)->{pinned}, "$title, not pinned");
}

sub ask { http_get('/p1.html', port => $_[0]->port(0)) }

sub serves ($machine) {
    return wait_for(sub {
        field(ask($machine), 'Detemplate') =~ /^hit/
    }, 20);
}

sub restart ($machine) {
    $machine->end_child(delete $machine->{nginx}, 'QUIT');
    $machine->run();
}

sub command ($machine, $do) {
    return eval { decode_json(body(http_request('POST',
        "/control?do=$do&site=site.test", port => $machine->port(0),
        fields => [ 'Detemplate-Control: yes' ]))) } || {};
}

sub shown { command($_[0], 'show') }

sub versions {
    return join ' ', map { $_ ? $_->{version} : () } @{$_[0]->{earlier}};
}

sub fleet ($do) {
    my $said = `$BIN $do --redis redis://127.0.0.1:$db/0 site.test`;

    return eval { decode_json($said) } || {};
}
