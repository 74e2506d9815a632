#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program's command link and a Redis: each order, the events of others,
# and keys as redis-schema/README.md says.

use Test::Detemplate::Link;

my $port = free_port();
my $redis = redis_start($port);
my $k = 'dt:{almanac.example}';
my @site = (site => 'almanac.example');

my $one = Test::Detemplate::Link->new(url => "redis://127.0.0.1:$port/0",
    token => 'one', timeout => 1000);
my $two = Test::Detemplate::Link->new(url => "redis://127.0.0.1:$port/0",
    token => 'two', timeout => 1000);

my ($first, $second) = map { template($_) } 1, 2;
my ($r, $gap);

like($one->{hello}, qr/^detemplate [\d.]+\n$/, 'hello');
ok($one->up() && $two->up(), 'connected');
is($one->{state}{peer}, "127.0.0.1:$port", 'state, peer');
is($one->{state}{text}, '', 'state, no cause');
ok($one->{state}{since} > time - 60, 'state, since');
ok($_->news(sub { $_->{what} eq 'GAP' }), 'a gap at first') for $one, $two;

# nothing is there

$one->does('DECLINED', 'get, none', 'GET', @site);
$one->does('DECLINED', 'compare, none', 'COMPARE', @site);
$one->does('DECLINED', lc "$_, none", $_, @site) for qw(FORGET PIN UNPIN);
$one->does('DECLINED', 'restore, none', 'RESTORE', @site, n => 1);
$one->does('ELIMIT', 'get, no site', 'GET');
$one->does('EINVAL', 'put, no template', 'PUT', @site, ttl => 60,
    bytes => 'x' x 5000);

# the lock

$r = $one->order('LOCK', @site, ttl => 60);
is("$r->{rc} $r->{flags}", 'DECLINED ', 'lock');
$r = $two->order('LOCK', @site, ttl => 60);
is("$r->{rc} $r->{flags}", 'DECLINED locked', 'lock of another');
redis_cli($port, 'EXPIRE', "$k:lock", 5);
$r = $one->order('LOCK', @site, ttl => 60);
is("$r->{rc} $r->{flags}", 'DECLINED ', 'lock again');
ok(redis_cli($port, 'TTL', "$k:lock") > 50, 'lock again, renewed');
is(redis_cli($port, 'GET', "$k:lock"), 'one', 'lock, token');
$one->does('EINVAL', 'lock without a time', 'LOCK', @site);
$one->does('OK', 'unlock', 'UNLOCK', @site);
is(redis_cli($port, 'EXISTS', "$k:lock"), 0, 'unlock, no lock');

# a template

$two->{news} = [];
$one->order('LOCK', @site, ttl => 60);
$r = $one->order('PUT', @site, facts($first), ttl => 3600,
    text => 'http://almanac.example/p1.html', flags => ['give_back']);
is("$r->{rc} $r->{text}", 'OK ', 'put');

$r = $two->news(sub { $_->{what} eq 'EVENT' && $_->{event} eq 'learn' });
is_deeply([@$r{qw(site version learned_at flags)}], ['almanac.example', 1,
    {facts($first)}->{learned_at}, ''], 'put, event');

is(join(' ', sort @{redis_cli($port, 'KEYS', '*')}), "dt:events dt:sites "
    . "$k:evidence $k:meta $k:template", 'put, keys');
is(redis_cli($port, 'GET', "$k:template"), serves($first), 'put, template');
is(redis_cli($port, 'GET', "$k:template")
    . redis_cli($port, 'GET', "$k:evidence"), $first, 'put, evidence');
is_deeply({@{redis_cli($port, 'HGETALL', "$k:meta")}}, {
    (map { $_ => {facts($first)}->{$_} } qw(version learned_at patterns loads
        candidates coverage)),
    last => {facts($first)}->{version}, size => length $first,
    url => 'http://almanac.example/p1.html' }, 'put, meta');
ok(redis_cli($port, 'TTL', "$k:$_") > 3500, "put, $_ expires")
    for qw(template evidence meta);
is(redis_cli($port, 'ZRANGE', 'dt:sites', 0, -1)->[0], 'almanac.example',
    'put, sites');

$r = $two->order('GET', @site);
is($r->{rc}, 'OK', 'get');
is($r->{bytes}, serves($first), 'get, what serves');
is_deeply([@$r{qw(version patterns loads candidates coverage learned_at)}],
    [@{{facts($first)}}{qw(version patterns loads candidates coverage
    learned_at)}], 'get, what is known');
is($two->order('GET', @site, flags => ['whole'])->{bytes}, $first,
    'get, whole');
$r = $two->order('COMPARE', @site);
is("$r->{rc} $r->{version}", 'OK 1', 'compare');
$r = $two->order('LOCK', @site, ttl => 60, flags => ['whole']);
is("$r->{rc} $r->{flags}", 'OK ', 'lock and read');
is($r->{bytes}, $first, 'lock and read, whole');
$two->order('UNLOCK', @site);

# earlier ones

$one->order('PUT', @site, facts($first), ttl => 3600, flags => ['added']);
is(redis_cli($port, 'EXISTS', "$k:template.1"), 0, 'added, none earlier');

for my $n (2 .. 5) {
    $r = $one->order('PUT', @site, facts(template($n)), ttl => 3600,
        $n == 5 ? (flags => ['redesigned']) : ());
    is($r->{rc}, 'OK', "put $n");
}

is(redis_cli($port, 'GET', "$k:template.$_"), serves(template(5 - $_)),
    "earlier $_") for 1 .. 3;
ok($two->news(sub { $_->{version} == 5 && $_->{flags} eq 'redesigned' }),
    'event, redesigned');

$two->{news} = [];
$r = $one->order('RESTORE', @site, n => 2);
is("$r->{rc} $r->{version} $r->{flags}", 'OK 3 pinned', 'restore');
is(redis_cli($port, 'GET', "$k:template"), serves(template(3)),
    'restore, present');
is(redis_cli($port, 'GET', "$k:template.1"), serves(template(5)),
    'restore, earlier 1');
is(redis_cli($port, 'GET', "$k:template.2"), serves(template(4)),
    'restore, earlier 2');
is(redis_cli($port, 'GET', "$k:template.3"), serves(template(2)),
    'restore, earlier 3');
is(redis_cli($port, 'EXISTS', "$k:evidence"), 0, 'restore, no evidence');
is(redis_cli($port, 'TTL', "$k:template"), -1, 'restore, does not expire');
$r = $two->news(sub { $_->{event} eq 'pin' });
is($r->{version}, 3, 'restore, event');
$r = $two->order('GET', @site);
is("$r->{rc} $r->{flags}", 'OK pinned', 'get, pinned');
$r = $two->order('COMPARE', @site);
is("$r->{version} $r->{flags}", '3 pinned', 'compare, pinned');

$r = $one->order('UNPIN', @site, ttl => 100);
is("$r->{rc} $r->{flags}", 'OK ', 'unpin');
is($two->news(sub { $_->{event} eq 'unpin' })->{version}, 3, 'unpin, event');
ok(redis_cli($port, 'TTL', "$k:template") > 90, 'unpin, expires');
is($two->order('GET', @site)->{flags}, '', 'unpin, get');

$r = $one->order('PIN', @site);
is("$r->{rc} $r->{version} $r->{flags}", 'OK 3 pinned', 'pin the present');
is(redis_cli($port, 'GET', "$k:template.1"), serves(template(5)),
    'pin the present, nothing moves');
$r = $one->order('PIN', @site, version => 4);
is("$r->{rc} $r->{version}", 'OK 4', 'pin an earlier one');
is(redis_cli($port, 'GET', "$k:template"), serves(template(4)),
    'pin an earlier one, present');
is(redis_cli($port, 'GET', "$k:template.1"), serves(template(3)),
    'pin an earlier one, earlier');
$one->does('DECLINED', 'pin an unknown one', 'PIN', @site, version => 77);

$one->does('OK', 'relearn', 'RELEARN', @site);
ok($two->news(sub { $_->{event} eq 'relearn' }), 'relearn, event');

# old nginx: the whole in one key, and events of two fields

redis_cli($port, 'SET', "$k:template", $second);
redis_cli($port, 'XADD', 'dt:events', '*', 'site', 'old.test', 'version', 2);
$r = $two->news(sub { $_->{site} eq 'old.test' });
is("$r->{event} $r->{version}", 'learn 2', 'event of old nginx');
redis_cli($port, 'XADD', 'dt:events', '*', 'site', 'old.test', 'version', 0);
$r = $two->news(sub { $_->{site} eq 'old.test' });
is("$r->{event} $r->{version}", 'forget 0', 'event of old nginx, forgotten');
is($two->order('GET', @site)->{bytes}, serves($second), 'whole value, cut');
is($two->order('GET', @site, flags => ['whole'])->{bytes}, $second,
    'whole value');

# older machines take only a whole value

my @shared = (site => 'shared.test');

sub stored {
    my $link = shift;

    $link->order('PUT', @shared, facts($second), ttl => 60);

    return join ' ', map { redis_cli($port, 'STRLEN', "dt:{shared.test}:$_") }
        qw(template evidence);
}

my $whole = length($second) . ' 0';
my $split = join ' ', length serves($second),
    length($second) - length serves($second);

is(stored($two), $whole, 'put, old nginx learns too');
is($one->order('GET', @shared)->{bytes}, serves($second),
    'put, old nginx learns too, get');
is($one->order('GET', @shared, flags => ['whole'])->{bytes}, $second,
    'put, old nginx learns too, get whole');

redis_cli($port, 'XADD', 'dt:events', '*', 'site', 'old.test', 'version', 2);

for (['three', $whole, 'old nginx was the last'],
    ['four', $split, 'old nginx was not the last'])
{
    my ($token, $keys, $name) = @$_;

    redis_cli($port, 'XTRIM', 'dt:events', 'MAXLEN', 2);

    my $link = Test::Detemplate::Link->new(url => "redis://127.0.0.1:$port/0",
        token => $token, timeout => 1000);

    ok($link->up() && $link->news(sub { $_->{what} eq 'GAP' }), "$name, up");
    is(stored($link), $keys, "put, $name");
    $link->end();
}

$one->order('FORGET', @shared);
redis_cli($port, 'SET', "$k:template", serves($first));
redis_cli($port, 'SET', "$k:evidence", 'x');
is($two->order('GET', @site, flags => ['whole'])->{bytes}, serves($first),
    'foreign evidence, left out');

$one->does('OK', 'forget', 'FORGET', @site);
is(join(' ', sort @{redis_cli($port, 'KEYS', '*')}), 'dt:events',
    'forget, keys');
ok($two->news(sub { $_->{event} eq 'forget' && $_->{site} eq $site[1] }),
    'forget, event');
ok(!grep({ $_->{what} eq 'EVENT' && $_->{site} eq $site[1] } @{$one->{news}}),
    'no events of our own');

# names

my $name = "a\"b%c{d}\x01\xff";
$one->does('OK', 'any name', 'PUT', site => $name, facts($first), ttl => 60);
is($two->news(sub { $_->{site} eq $name })->{event}, 'learn',
    'any name, event');
ok(redis_cli($port, 'EXISTS', 'dt:{a%22b%25c%7Bd%7D%01%FF}:template'),
    'any name, key');

# many at once

my @ids = map { $one->send('LOCK', site => "s$_.test", ttl => 60) } 1 .. 300;
is(scalar(grep { $one->answer($_)->{rc} eq 'DECLINED' } @ids), 300,
    'many orders');
@ids = map { $one->send('PUT', site => "s$_.test", facts($first), ttl => 60,
    flags => ['give_back']) } 1 .. 300;
is(scalar(grep { $one->answer($_)->{rc} eq 'OK' } @ids), 300, 'many are put');
ok($two->news(sub { $_->{site} eq 's300.test' }), 'many events');
@ids = map { $two->send('GET', site => "s$_.test", flags => ['whole']) }
    1 .. 300;
is(scalar(grep { $two->answer($_)->{bytes} eq $first } @ids), 300,
    'many are read');

# the end of input, with orders before it

$one->send('UNLOCK', site => "s$_.test") for 1 .. 100;
my ($code, $said) = $one->end();
is("$code $said", '0 ', 'end');
is(scalar(keys %{$one->{answers}}), 100, 'end, all orders carried out');

done_testing();
