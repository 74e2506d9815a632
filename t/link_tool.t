#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's commands with --redis, which act on all machines.

use Test::Detemplate::Link;

my $port = free_port();
my $redis = redis_start($port, '--requirepass', 'secret');
my $d = Test::Detemplate::Link::dir();
my $url = "redis://127.0.0.1:$port/3";
my $site = 'almanac.example';

open my $f, '>', "$d/password" or die;
print $f "secret\n";
close $f;

my @options = ('--redis-options',
    "'prefix=fleet: password_file=$d/password timeout=3s'");
my $link = Test::Detemplate::Link->new(url => $url, token => 'one',
    prefix => 'fleet:', password_file => "$d/password", timeout => 2000);
ok($link->up(), 'connected') or diag($link->{state}{text});

my $facts = {facts(template(2))};
my $template = sprintf '"template":\{"version":%%d,"learned_at":\d+,'
    . '"coverage":0\.\d{3}\}';

# nothing is there

says("forget $site", 1, '{"do":"forget","site":"almanac.example",'
    . '"error":"unknown site"}');
says("$_ $site", 1, "{\"do\":\"$_\",\"site\":\"almanac.example\","
    . '"error":"no such template"}') for qw(pin unpin restore);

$link->order('PUT', site => $site, facts(template($_)), ttl => 99)
    for 1 .. 3;
$link->{news} = [];

like(says("pin $site", 0), known(1, 3), 'pin');
is(news('pin')->{version}, 3, 'pin, event');
like(says("pin --version 1 $site", 0), known(1, 1), 'pin a version');
is(news('pin')->{version}, 1, 'pin a version, event');
like(says("restore $site", 0), known(1, 3), 'restore');
like(says("restore -n 2 $site", 0), known(1, 2), 'restore an earlier one');
like(says("unpin $site", 0), known(0, 2), 'unpin');
is(news('unpin')->{version}, 2, 'unpin, event');
says("relearn $site", 0, '{"do":"relearn","site":"almanac.example",'
    . '"result":"done"}');
ok(news('relearn'), 'relearn, event');
says("forget $site", 0, '{"do":"forget","site":"almanac.example",'
    . '"result":"done"}');
ok(news('forget'), 'forget, event');

# wrong ones

fails("pin $site", 2, qr/either --control URL/);
fails("pin --redis $url --control http://a/ $site", 2, qr/either --control/);
fails("pin --control http://127.0.0.1:1/ --version 2 $site", 2,
    qr/--version and --redis-options are for --redis/);
fails("pin --redis http://a/ $site", 2, qr/the URL must begin with redis:/);
fails("pin --redis $url --redis-options colour=red $site", 2,
    qr/unknown option "colour"/);
fails("pin --redis $url --redis-options prefix $site", 2, qr/has no value/);
fails("pin --redis $url --redis-options timeout=1h $site", 2,
    qr/time-out must be/);
fails("pin --redis $url ''", 2, qr/must have 1 to 255 bytes/);
fails("pin --redis $url $site", 3, qr/: server: NOAUTH /);
fails("pin --redis redis://127.0.0.1:1 $site", 3, qr/Connection refused/);

done_testing();

# runs a command with its options; returns what it prints

sub says ($command, $code, $want = undef) {
    my ($what, $rest) = split / /, $command, 2;
    my $got = `$BIN $what --redis $url @options $rest 2>&1`;

    is($? >> 8, $code, "$command, code");
    is($got, "$want\n", $command) if defined $want;

    return $got;
}

sub fails ($command, $code, $why) {
    my $got = `$BIN $command 2>&1`;
    like(($? >> 8) . " $got", qr/^$code detemplate: .*$why/, $command);
}

sub known ($pinned, $version) {
    my $known = sprintf $template, $version;
    my $word = $pinned ? 'true' : 'false';

    return qr/^\{.*"result":"done","pinned":$word,$known\}\n$/;
}

sub news ($did) {
    return $link->news(sub { $_->{what} eq 'EVENT' && $_->{event} eq $did });
}
