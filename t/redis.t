#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Two machines and one Redis.  Each takes what the other learned and ignores
# what is damaged; one of them learns at a time; without Redis each works
# alone.

use Test::Detemplate;

my $one = Test::Detemplate->new();
my $two = Test::Detemplate->new();
my $few = Test::Detemplate->new();

my $db = $one->port(2);
my $origin = $one->port(1);

# all machines use the same origin and the same Redis

$_->{ports} = [ undef, $origin, $db ] for $two, $few;

my %conf = (
    zone => '8m',
    http => '
        detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=100ms;
        detemplate_valid 1h;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
    locations => [
        '/held/' => 'detemplate_hold 2m 600s; proxy_buffering off;
            proxy_pass %%HTTP_1%%;',
        '/named/' => q{
            detemplate_site 'a"b%c';
            proxy_pass %%HTTP_1%%/;},
    ],
);

# logs the machine and the host of each request

$one->origin(1, sub ($s, $request) {
    my ($n) = $request =~ m{^\S+ /(?:held/)?p(\d)\.html} or return;
    my ($host) = $request =~ /^Host: (\S+)/mi;
    my $agent = $request =~ m{^User-Agent: detemplate/}mi ? 'learner' : '-';

    $one->append_file('origin.log', "$host $agent\n");

    # nothing can be learned from a site of one page

    my $page = page($n);
    $page =~ s{<a .*?</a>}{}gs if $host eq 'alone.test';

    my ($top, $rest) = $page =~ m{^(.*</main>)(.*)$}s;

    print $s head(), $top;

    if ($request =~ m{^\S+ /held/}) {
        $one->write_file('asked', '');
        wait_for(sub { -e $one->testdir() . '/go' }, 15);
    }

    print $s $rest;
});

$_->configure(%conf)->run() for $one, $two;

my ($r, $want, $template, $pid, $before);
my $backs = 0;
my $other;

# Redis does not run at the start

ok($r = learn($one, "away$_.test"), 'away at start, learned') for 1 .. 2;
$want = body($r);
unlike($want, qr/<nav|Printed by the almanac/, 'away at start, no template');
is($one->said('redis is away'), 1, 'away at start, logged once');
is(scalar $one->log_lines(qr/\[error\].*redis is away/), 1,
    'at the level that Debian logs');

$pid = $one->redis(2);
ok(back($one), 'back, in use');
once('back');
redis('FLUSHALL');

# the keys that are written

ok(learn($one, 'site.test'), 'learned') or BAIL_OUT('nothing was learned');
soon { redis('EXISTS', 'dt:{site.test}:template') } 'published', 5;
wait_for(sub { !redis('EXISTS', 'dt:{site.test}:lock') }, 5);

my $site = $one->site('site.test');

is(join(' ', sort @{redis('KEYS', '*')}), 'dt:events dt:sites '
    . join(' ', map { "dt:{site.test}:$_" } qw/ evidence meta template /),
    'published, keys');

$template = redis('GET', 'dt:{site.test}:template');

is(length $template, $site->{bytes}, 'published, what serves');
is(length redis('GET', 'dt:{site.test}:evidence'), $site->{evidence},
    'published, evidence');

my %meta = @{redis('HGETALL', 'dt:{site.test}:meta')};

is_deeply(\%meta, {
    version => 1,
    last => 1,
    learned_at => $site->{learned_at},
    patterns => $site->{patterns},
    loads => $site->{loads},
    candidates => $site->{candidates},
    coverage => int($site->{coverage} * 1000 + 0.5),
    size => $site->{bytes} + $site->{evidence},
    url => 'http://site.test/p3.html'
}, 'published, meta');

for my $key (qw/ template evidence meta /) {
    my $ttl = redis('TTL', "dt:{site.test}:$key");

    ok($ttl > 3500 && $ttl <= 3600, "published, $key expires") or diag($ttl);
}

is(redis('ZSCORE', 'dt:sites', 'site.test'), $site->{learned_at},
    'published, site is listed');

my $events = redis('XRANGE', 'dt:events', '-', '+');

is(scalar @$events, 1, 'published, one event');
is(join(' ', @{$events->[0][1]}[0 .. 7]), 'site site.test version 1 '
    . "learned_at $site->{learned_at} do learn", 'published, event');
like(join(' ', @{$events->[0][1]}[8 .. 9]), qr/^by [0-9a-f]{32}$/,
    'published, whose event');

# the other machine takes the template

$before = learned_for('site.test');

soon { $two->status_json()->{redis}{connected} }
    'the other machine is connected';
ok($r = learn($two, 'site.test'), 'taken');
is(body($r), $want, 'taken, same body');
is($two->site('site.test')->{source}, 'redis', 'taken, source');
is($two->site('site.test')->{learned_at}, $site->{learned_at}, 'taken, age');
is(learned_for('site.test'), $before, 'taken, origin got no requests');
is($two->status_json()->{redis}{taken}, 1, 'taken, counted');
is_deeply($two->status_json()->{learning}, { queued => 0, running => 0,
    done => 0, failed => 0, redesigns => 0, requests => 0 },
    'taken, nothing learned');

# Redis has no text of the pages

ok(join('', $template, values %meta) !~ /almanac|written|chapter/i,
    'published, no text of pages');

# after Redis has evicted it, the template is used on

redis('DEL', 'dt:{site.test}:template', 'dt:{site.test}:meta');
is(body(get($_, 'site.test')), $want,
    'evicted, template is still used') for $one, $two;

# names of sites

ok($one->learn('/named/p3.html', port => $one->port(0), host => 'any.test'),
    'name, learned');
soon { redis('EXISTS', 'dt:{a%22b%25c}:template') } 'name, key', 5;

# values that are not valid templates

my $flipped = $template;
substr($flipped, length($template) / 2, 1) ^= "\x01";

my $format = $template;
substr($format, 4, 1) ^= "\x80";

my $failed = $two->status_json()->{redis}{failed};

get($one, 'alone.test');
ok($one->idle(), 'evidence without a template');

for my $case (
    [ 'garbage', 'x' x 1000, 'magic' ],
    [ 'short', 'x', 'truncated' ],
    [ 'head', substr($template, 0, 50), 'truncated' ],
    [ 'half', substr($template, 0, length($template) / 2) ],
    [ 'flipped', $flipped, 'checksum' ],
    [ 'format', $format, 'format' ],
    [ 'empty', evidence('alone.test'), 'empty' ],
) {
    my ($name, $value, $why) = @$case;
    my $host = "$name.test";

    redis('SET', "dt:{$host}:template", $value);

    ok($r = learn($two, $host), "$name, learned");
    is(body($r), $want, "$name, body");
    is($two->site($host)->{source}, 'learned', "$name, source");
    is($two->status_json()->{redis}{failed}, ++$failed, "$name, counted");

    is($two->said("template of \"$host\" in redis is ignored: "
        . ($why || '')), 1, "$name, logged once");
    soon {
        my $now = redis('GET', "dt:{$host}:template");
        return $now ne $value && length($now) > 1000;
    } "$name, replaced", 5;
}

is($two->said('is ignored'), 7, 'no other value is ignored');

# another machine holds the lock, until there is a template

redis('SET', 'dt:{locked.test}:lock', 'another', 'EX', 100);

$r = get($one, 'locked.test');
like(field($r, 'Detemplate'), qr/^miss; reason=no-template/, 'locked');

my %reasons;

for (1 .. 30) {
    $r = get($one, 'locked.test');
    $reasons{field($r, 'Detemplate')}++;
    select undef, undef, undef, 0.05;
}

is(join(' ', keys %reasons), 'miss; reason=learning', 'locked, waits');
is(body($r), page(3), 'locked, page unchanged');
is(learned_for('locked.test'), 0, 'locked, not learned');
get($one, 'locked.test', uri => '/p4.html');

redis('SET', 'dt:{locked.test}:template', $template);
ok(learn($one, 'locked.test'), 'locked, template is taken once published');
is($one->site('locked.test')->{source}, 'redis', 'locked, source');
is(redis('GET', 'dt:{locked.test}:lock'), 'another',
    'locked, lock of the other machine is kept');

# nor from pages that were requested meanwhile

redis('DEL', 'dt:{locked.test}:lock');
$one->idle();
is(learned_for('locked.test'), 0, 'locked, never learned here');

# another machine holds the lock until it expires

redis('SET', 'dt:{expired.test}:lock', 'another', 'PX', 300);
get($one, 'expired.test');
ok(learn($one, 'expired.test'), 'lock expired, learned');
is($one->site('expired.test')->{source}, 'learned', 'lock expired, source');
soon { !redis('EXISTS', 'dt:{expired.test}:lock') }
    'lock expired, our lock is released', 5;

# A response still needs its template while the worker copies more templates
# than it keeps.  It keeps as many bytes as its zone has.

ok(learn($one, 'other.test'), 'copies, another template');
soon { redis('EXISTS', 'dt:{other.test}:template') } 'copies, published', 5;

$other = redis('GET', 'dt:{other.test}:template');
$few->configure(%conf, zone => '1m')->run();

ok(learn($few, 'site.test'), 'copies, first template is taken');

my $held = get($few, 'site.test', uri => '/held/p3.html', start => 1);

soon { -e $one->testdir() . '/asked' } 'copies, a page that is held', 5;
is(copies(1 .. 150), 150, 'copies');
copies(601 .. 750);
copies(801 .. 950);

my $memory = memory($few);

$one->write_file('go', '');
is(body(http('', socket => $held)), $want,
    'copies, response needs its template');

# the memory of dropped copies is free again

is(copies(201 .. 350), 150, 'more copies');

SKIP: {
    skip 'memory is not given back at once', 1
        if $ENV{ASAN_OPTIONS} || !defined $memory;

    cmp_ok(memory($few) - $memory, '<', 90 * $site->{bytes} / 1024,
        'more copies, memory is bounded');
}

# a hundred sites have metrics of their own, those that were served most

get($few, 'copy201.test') for 1 .. 3;
get($few, "copy$_.test") for 261 .. 380;

my @labels = body(http_get('/status?format=prometheus',
    port => $few->port(0)))
    =~ /^nginx_detemplate_site_version\{site="(.*?)"\}/mg;

is(scalar(@labels), 100, 'more copies, sites with metrics');
is(scalar(grep { $_ eq 'copy201.test' } @labels), 1,
    'more copies, metrics of the one that was served most');

# a template from the future: an hour of difference between clocks is allowed

for my $case (
    [ 'hour', 3500, 'redis' ],
    [ 'future', 3700, 'learned' ],
) {
    my ($name, $ahead, $source) = @$case;
    my $host = "$name.test";

    redis('SET', "dt:{$host}:template", learned_in($ahead));

    ok($r = learn($two, $host), "$name, learned");
    is(body($r), $want, "$name, body");
    is($two->site($host)->{source}, $source, "$name, source");
}

is($two->said('template of "future.test" in redis is ignored: time'), 1,
    'future, logged once');
is($two->status_json()->{redis}{failed}, ++$failed, 'future, counted');

# values of another type: Redis replies with an error each time, and counts as
# available

my ($said, $away) = map { $two->said("redis is $_") } 'back', 'away';

for (1 .. 5) {
    redis('RPUSH', "dt:{type$_.test}:template", 'x');
    ok(learn($two, "type$_.test"), 'another type, learned');
}

is($two->said('WRONGTYPE'), 1, 'another type, logged once');
is($two->said('redis is away'), $away,
    'another type, Redis counts as available');
is($two->said('redis is back'), $said, 'another type, no return is logged');
cmp_ok($two->status_json()->{redis}{failed}, '>=', $failed + 5,
    'another type, counted');

# an account with some commands only

redis('ACL', 'SETUSER', 'default', '-getrange', '-multi');
ok(learn($two, "may$_.test"), 'no rights, learned') for 1 .. 3;
is(scalar $two->log_lines(qr/NOPERM .*'$_'/), 1, "no rights, $_ logged once")
    for 'getrange', 'multi';
redis('ACL', 'SETUSER', 'default', '+@all');

# Redis is killed while it is used

# on a busy machine it may have been slower than its timeout before

wait_for(sub { $one->status_json()->{redis}{connected} }, 10);
($away, my $returns) = map { $one->said("redis is $_") } qw/ away back /;

$one->end_child($pid, 'KILL');

like(field(get($one, 'site.test'), 'Detemplate'), qr/^hit/, 'killed, hit');
ok(learn($one, "killed$_.test"), 'killed, learned') for 1 .. 2;
is($one->said('redis is away') - $one->said('redis is back'),
    $away - $returns + 1, 'killed, logged once, and no return yet');

$pid = $one->redis(2);
ok(back($one), 'killed, back');
is($one->said('redis is away') - $one->said('redis is back'),
    $away - $returns, 'killed, back, logged once');

# Redis hangs

($away, $returns) = map { $one->said("redis is $_") } qw/ away back /;
kill 'STOP', $pid;

my @sockets = map { get($one, 'hang1.test', start => 1) } 1 .. 10;

is(scalar(grep { body(http('', socket => $_)) eq page(3) } @sockets), 10,
    'hanging, first requests');
ok(learn($one, "hang$_.test"), 'hanging, learned') for 1 .. 2;
like(field(get($one, 'site.test'), 'Detemplate'), qr/^hit/, 'hanging, hit');
is($one->said('redis is away'), $away + 1, 'hanging, logged once');

kill 'CONT', $pid;
ok(back($one), 'hanging, back');
cmp_ok($one->said('redis is back'), '>', $returns, 'hanging, back, logged');
once('hanging, back');

$one->no_alerts();
$two->no_alerts();

done_testing();

# each outage has a line, and so has its end; on a busy machine Redis may be
# away once more

sub once ($title) {
    my ($away, $back) = map { $one->said("redis is $_") } qw/ away back /;

    ok($back && ($away == $back || $away == $back + 1), "$title, logged once");
}

sub get ($machine, $host, %extra) {
    return http_get($extra{uri} || '/p3.html', host => $host,
        port => $machine->port(0), %extra);
}

sub learn ($machine, $host) { $machine->learn('/p3.html', host => $host) }

# the number of learners' requests for a host

sub learned_for ($host) {
    return scalar grep { $_ eq "$host learner" }
        split /\n/, $one->read_file('origin.log');
}

# learns sites one after the other until one is published

sub back ($machine) {
    return wait_for(sub {
        my $host = 'back' . ++$backs . '.test';

        learn($machine, $host);
        return redis('EXISTS', "dt:{$host}:template");
    }, 15);
}

# requests sites of these numbers until they have the other template

sub copies {
    my @numbers = @_;

    my $taken = $few->status_json()->{redis}{taken} + @numbers;

    # fewer at once than the queue has room for, however slow the manager is

    while (my @some = splice @numbers, 0, 20) {
        redis('SET', "dt:{copy$_.test}:template", $other) for @some;
        get($few, "copy$_.test") for @some;
        wait_for(sub {
            return $few->status_json()->{redis}{taken} >= $taken - @numbers;
        }, 10);
    }

    return scalar grep {
        field(get($few, "copy$_.test"), 'Detemplate') =~ /^hit/
    } @_;
}

# the bytes of a snapshot after its head

sub evidence ($site) {
    my ($bytes) = map { /\Q$site\E.*?(DTPL.*)/s }
        map { $one->read_file(s{^.*/(?=.*/)}{}r) }
        glob $one->testdir() . '/templates/*.dt';

    return $bytes;
}

# resident kilobytes of a machine's worker

sub memory ($machine) {
    return slurp('/proc/' . $machine->process('worker') . '/status')
        =~ /^RssAnon:\s+(\d+)/m ? $1 : undef;
}

# a template with a time that is so many seconds ahead

sub learned_in ($ahead) {
    my $d = $one->testdir();
    my $clock = $one->clock();

    $one->pages('html');
    $one->write_file('ahead', $ahead);

    # a sanitizer must be loaded first

    local $ENV{ASAN_OPTIONS} = join(':', $ENV{ASAN_OPTIONS} || (),
        'verify_asan_link_order=0');

    system("LD_PRELOAD=$clock $BIN learn --root $d/html"
        . " --base http://site.test/ -o $d/future p3.html >$d/ahead.log 2>&1");

    return $one->read_file('future');
}

sub redis { $one->redis_says(2, \@_) }
