#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Snapshots that disappear while nginx runs.  Nothing can be added to their
# templates, so their sites are learned anew and get a snapshot in the right
# place.  Redis replaces what was lost if it has it.

use Math::BigInt;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $clock = $t->clock();
my $steady = 0;

my %conf = (
    http => '
        detemplate_site $host;
        detemplate_cut cautious;
        detemplate_loads 600;
        map $http_user_agent $learner {
            default 0;
            ~^detemplate 1;
        }',
    server => '
        if (-f %%TESTDIR%%/refuse) {
            set $learner "no $learner";
        }
        if ($learner = "no 1") {
            return 503;
        }',
);

$t->pages('html');
$t->configure(%conf);
$t->run_with($clock);

ok($t->learn('/p3.html', host => 'site.test'), 'learned')
    or BAIL_OUT('nothing was learned');
ok($t->idle(), 'learned, learning has ended');

my ($name) = glob "$d/templates/*.dt";

$name =~ s{.*/}{};

# the files are removed

unlink glob "$d/templates/*";
again('o', 'templates', 1);

# nginx runs with another directory

$t->write_file('nginx.conf',
    $t->read_file('nginx.conf') =~ s{/templates;}{/others;}r);
$t->reload();
soon {
    return $t->log_lines(qr/cache manager process \d+ exited with code 0/);
} 'another directory, another manager', 5;
again('q', 'others', 2);

# it is logged once while learnings fail

$t->write_file('refuse', '');
unlink glob "$d/others/*";

layout($_) for 'a' .. 'h';

soon {
    get($_) for 'a' .. 'h';
    return $t->said('no template for "site.test"');
} 'refused', 30;
ok($t->idle(), 'refused, learning has ended');
is($t->said('no snapshot of "site.test" is left'), 3, 'refused, logged');
like(field(get('p'), 'Detemplate'), qr/^hit/,
    'refused, pages are still rewritten');

# an older snapshot, as if from another directory, lacks what was added since

$t->stop();
unlink glob("$d/templates/*"), "$d/refuse";
$t->configure(%conf);
$t->run_with($clock);

ok($t->learn('/p3.html', host => 'site.test'), 'older, learned');
ok($t->idle(), 'older, learning has ended');

my $older = $t->read_file("templates/$name");

added('o', 'older, added');
$t->write_file("templates/$name", $older);
get('q');
ok($t->idle(), 'older, loss is noticed');
added($_, "older, $_ again") for 'o', 'q', 'p';
is($t->said('no snapshot of "site.test" is left'), 4, 'older, logged');

# Redis

$t->stop();
unlink glob "$d/templates/*";
my $redis = $t->redis(2);
$t->configure(%conf,
    http => "$conf{http} detemplate_redis redis://127.0.0.1:%%PORT_2%%/0;");
$t->run_with($clock);

ok($t->learn('/p3.html', host => 'site.test'), 'redis, learned');
ok($t->idle(), 'redis, first template is stored');

$older = $t->read_file("templates/$name");

added('o', 'redis, added');
all_of_it('redis');

# the whole template is missing, or its evidence, or what was added last

my $layout = 'q';

for my $case (
    [ 'removed', sub { unlink "$d/templates/$name" } ],
    [ 'older', sub { $t->write_file("templates/$name", $older) } ],
    [ 'damaged', sub {
        $t->write_file("templates/$name",
            $t->read_file("templates/$name") =~ s/..$/xx/sr);
    } ],
) {
    my ($what, $lose) = @$case;

    all_of_it("redis, $what");
    $lose->();
    layout($layout);
    later();
    added($layout++, "redis, $what, again");
    unlike(body(get($_)), qr/<nav/, "redis, $what, $_ as before") for 'p', 'o';
    is($t->said('no snapshot of "site.test" is left'), 4,
        "redis, $what, not logged");
    ok(-e "$d/templates/$name", "redis, $what, file");
}

# Redis does not answer for a while, and the site is not learned anew meanwhile

later();
get('o');
ok($t->idle(), 'away, nothing is to be learned before');
$t->write_file('refuse', '');
layout($_) for 'i' .. 'm';
kill 'STOP', $redis;
unlink "$d/templates/$name";

soon {
    get('i');
    return $t->said('no snapshot of "site.test" is left') == 5;
} 'away, said', 30;

kill 'CONT', $redis;

soon {
    get($_) for 'i' .. 'm';
    return $t->said('redis is back');
} 'away, back', 15;
ok($t->idle(), 'away, learning has ended');

# the site may rest first, for what failed meanwhile

unlink "$d/refuse";
later();
soon {
    get('p');
    return -e "$d/templates/$name";
} 'away, file', 60;
ok($t->idle(), 'away, learning has ended');
unlike(body(get($_)), qr/<nav/, "away, $_ as before") for 'p', 'o';

# a job logs once that both copies are damaged, however often it waits

$t->stop();
$t->write_file("templates/$name", substr $older, 0, -1);
$t->redis(2);
$t->redis_says(2, "SETNX dt:{site.test}:$_ x") for 'lock', 'template';
$t->run_with($clock);

my $before = $t->status_json();

get('p');
select undef, undef, undef, 3.5;
like(field(get('p'), 'Detemplate'), qr/reason=learning/, 'both, waits');
$t->redis_says(2, 'DEL dt:{site.test}:lock');
ok($t->learn('/p3.html', host => 'site.test'), 'both, learned');
is($t->said('template of "site.test" in redis is ignored: truncated'), 1,
    'both, damaged copy in Redis is logged');
is($t->said('is ignored: size'), 2, 'both, damaged snapshot is logged');

my $after = $t->status_json();

is($after->{redis}{failed} - $before->{redis}{failed}, 1, 'both, counted');
is($after->{snapshots}{refused}, 2,
    'both, counted with those of the first pass');

# the last possible version: the copy in Redis is taken once

my ($last) = $older =~ /(DTPL.*)/s;
my $size = unpack 'L', substr $last, 12, 4;

substr $last, 64, 4, pack 'L', 0xffffffff;
substr $last, 16, 8, pack 'Q', sum(substr $last, 32, $size - 32);
$t->redis_says(2, [ 'SET', 'dt:{last.test}:template', $last ]);
ok($t->learn('/p3.html', host => 'last.test'), 'last version, taken');
is($t->site('last.test')->{version}, 0xffffffff, 'last version, number');

my $taken = $t->status_json()->{redis}{taken};

soon {
    return body(http_get('/o3.html', host => 'last.test')) !~ /<nav/;
} 'last, added', 5;
is($t->status_json()->{redis}{taken}, $taken, 'last version, not taken again');

# a template that is due and cannot be stored is not taken again

$t->stop();
$t->redis(2);
$t->write_file('nginx.conf', $t->read_file('nginx.conf')
    =~ s/(?=detemplate_redis)/detemplate_refresh 2s; /r);
$t->run_with($clock);

ok($t->learn('/p3.html', host => 'due.test'), 'due, learned');
soon {
    return $t->redis_says(2, 'EXISTS dt:{due.test}:template');
} 'due, published', 5;
rename "$d/templates", "$d/away" or die;
$t->redis_says(2, 'SETNX dt:{due.test}:lock x');

soon {
    return field(http_get('/p3.html', host => 'due.test'), 'Detemplate')
        =~ /^stale/;
} 'due', 5;
select undef, undef, undef, 2.5;
is($t->status_json()->{redis}{taken}, 0, 'due, not taken');
is(scalar($t->log_lines(qr{/templates/\S+" failed})), 0, 'due, not written');

$t->done();

# pages of another layout become part of the template, and those of the first
# one are rewritten all the time

# Redis has what was learned last

sub all_of_it ($what) {
    $t->idle();

    my $version = $t->site('site.test')->{version};

    soon {
        return $t->redis_says(2, 'HINCRBY dt:{site.test}:meta version 0')
            == $version;
    } "$what, all of it", 5;
}

sub again ($layout, $dir, $times) {
    my $whole = 0;

    layout($layout);

    soon {
        $whole++ if field(get('p'), 'Detemplate') !~ /^(hit|stale)/;
        return body(get($layout)) !~ /<nav/ && body(get('p')) !~ /<nav/;
    } "$dir, learned anew", 30;
    is($whole, 0, "$dir, pages are rewritten meanwhile");

    ok($t->idle(), "$dir, learning has ended");
    ok(-e "$d/$dir/$name", "$dir, file");
    is($t->said('no snapshot of "site.test" is left'), $times, "$dir, logged");
}

# waits until the layout is part of the template

sub added ($layout, $name) {
    soon { return body(get($layout)) !~ /<nav/ } $name, 30;
    ok($t->idle(), "$name, learning has ended");
}

sub layout ($layout) {
    $t->write_file("html/$layout$_.html", other_page($_, $layout)) for 1 .. 8;
}

# the pause after several learnings is over

sub later { $t->write_file('ahead-steady', $steady += 11) }

sub get { http_get("/$_[0]3.html", host => 'site.test') }

# the checksum of a template, as in core/base/hash.h

sub sum ($bytes) {
    my $h = mix(0x64657465, length $bytes);

    $h = mix($h, $_) for unpack 'Q*', $bytes;

    return $h;
}

sub mix ($n, $m) {
    my $x = Math::BigInt->new($n ^ ($m << 32 | $m >> 32))
        ->bmul('11400714819323198485')->as_hex();

    $x = ('0' x 32 . substr $x, 2) =~ s/.*(?=.{32}$)//r;

    my ($high, $low) = unpack 'Q>2', pack 'H32', $x;

    return $high ^ $low;
}
