#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A machine that reads from a replica: what the replica does not have yet is
# read from the primary.  A server of its own plays the replica, so that the
# test decides what it has.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $program = $ENV{DETEMPLATE} || 'build/detemplate';

my $one = Test::Detemplate->new();
my $two = Test::Detemplate->new();

$two->{ports} = [ undef, map { $one->port($_) } 1 .. 3 ];

$one->origin(1, sub {
    my ($s, $request) = @_;

    my ($n) = $request =~ m{^\S+ /p(\d)\.html} or return;

    print $s response(page($n));
});

my @redis = map { $one->redis($_) } 2, 3;

$one->configure(conf(' read=redis://127.0.0.1:%%PORT_3%%'))->run();
$two->configure(conf(''))->run();

###############################################################################

ok(learn($one), 'learned');
ok(learn($two), 'taken by another machine');

my $first = learned_at($one);

# the replica has what was learned first

my $copied = wait_for(sub {
    $one->redis_says(2, 'EXISTS dt:{site.test}:template');
}, 5);

ok($copied, 'published');
cli(2, 'MIGRATE 127.0.0.1 ' . $one->port(3)
    . " 'dt:{site.test}:template' 0 1000 COPY");
is($one->redis_says(3, 'EXISTS dt:{site.test}:template'), 1,
    'the replica has it');

# the other machine learns it anew, and the replica has only the event

wait_for(sub { time > $first }, 3);
is(system("$program relearn site.test --redis redis://127.0.0.1:"
    . $one->port(2) . ' >/dev/null'), 0, 'relearn');
ok(wait_for(sub { learned_at($two) > $first }, 20), 'learned anew');
is(learned_at($one), $first, 'no event came');

cli(3, 'XADD dt:events "*" site site.test version 1 learned_at '
    . learned_at($two) . ' do learn by another');
ok(wait_for(sub { learned_at($one) == learned_at($two) }, 10),
    'the template comes from the primary');

# without a replica, the primary is read

$one->end_child($redis[1], 'KILL');
$one->learn('/p3.html', host => 'other.test', port => $one->port(0));
is($one->site('other.test')->{source}, 'learned', 'no replica, learned');
ok(wait_for(sub {
    $one->redis_says(2, 'EXISTS dt:{other.test}:template');
}, 10), 'no replica, published');

$one->no_alerts();
$two->no_alerts();

done_testing();

###############################################################################

sub conf {
    my ($more) = @_;

    return (
        http => "
            detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=500ms$more;
            detemplate_valid 1h;",
        name => 'any.test',
        origin => 1,
        server => 'detemplate_site $host;',
    );
}

sub cli {
    my ($n, $command) = @_;

    system('redis-cli -p ' . $one->port($n) . " $command >/dev/null");
}

sub learn {
    my ($machine) = @_;

    return $machine->learn('/p3.html', host => 'site.test',
        port => $machine->port(0));
}

sub learned_at {
    my ($machine) = @_;

    my $site = $machine->site('site.test');

    return $site ? $site->{learned_at} : 0;
}
