#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A clock that was ahead and is corrected, a full disk, a lack of memory within
# a page or for a template, and a limit on processes.

use IO::Compress::Gzip qw/ gzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $clock = $t->clock();

# nginx does not pass its environment to a learner, so a script sets it

$t->write_file('learner', <<"END");
#!/bin/sh
export LD_PRELOAD=$clock ASAN_OPTIONS="\$ASAN_OPTIONS:verify_asan_link_order=0"
exec $BIN "\$@"
END

chmod 0755, "$d/learner";

for my $conf ([ 'nginx.conf', 'on' ], [ 'read.conf', 'off' ],
    [ 'room.conf', 'on', '32k' ])
{
    my ($name, $learn, $size) = (@$conf, '1m');

    $t->configure(
        file => $name,
        zone => $size,
        http => "
            detemplate_program %%TESTDIR%%/learner;
            detemplate_learn $learn;",
        name => 'any.test',
        server => 'detemplate_site $host;',
    );
}

$t->configure(file => 'memory.conf', name => 'memory.test', origin => 1);

# a template that is larger than a page of memory

$t->write_file("html/p$_.html", page($_) =~ s{</footer>}{join '',
    map { "<p class=\"line$_\">Line $_ of the almanac's rules</p>\n" } 1 .. 80,
    '</footer>'}er) for 1 .. 8;
$t->write_file("html/o$_.html", other_page($_)) for 1 .. 8;
$t->write_file("html/alone$_.html", '<!DOCTYPE html><title>t</title><p>alone')
    for '', 1, 2;

my ($r, $before);

# a template that was learned while the clock was up to an hour ahead is used

ahead(3500);
$t->run_with($clock);
ok($t->learn('/p3.html', host => 'hour.test'), 'an hour ahead, learned');
ahead(0);
like(detemplate('/p3.html', host => 'hour.test'), qr/^hit/,
    'an hour ahead, template is used');

# one that was learned while the clock was further ahead is not

ahead(86400);
ok($t->learn('/p3.html', host => 'day.test'), 'a day ahead, learned');
ok($t->learn('/p3.html', host => 'kept.test'), 'a day ahead, learned');
http_get('/alone.html', host => 'alone.test');
soon { $t->learning('failed') } 'a day ahead, failed';

ahead(0);
like(detemplate('/p3.html', host => 'day.test'), qr/^miss; reason=expired/,
    'a day ahead, not used');
ok($t->learn('/p3.html', host => 'day.test'), 'a day ahead, learned anew');
cmp_ok($t->site('day.test')->{learned_at}, '<', time() + 60,
    "a day ahead, template has today's date");

# nor does its site wait until that time

steady(11);
soon {
    http_get('/alone.html', host => 'alone.test');
    return $t->learning('failed') == 2;
} 'a day ahead, tried again';
is(detemplate('/alone.html', host => 'alone.test'), 'miss; reason=backoff',
    'site is not tried again at once');

# another page is tried at once

for my $n (1, 2) {
    steady(11 * $n);
    http_get("/alone$n.html", host => 'two.test');
    soon { $t->learning('failed') == 2 + $n } "two pages, failed $n";
}

# snapshots

$t->stop();
$t->run_with($clock, 'read.conf');
wait_for(sub { $t->status_json()->{zone}{sites} }, 5);

is(join(' ', sort map { $_->{site} } @{$t->status_json()->{sites}}),
    'day.test hour.test', "snapshots, today's are used");

# Two sites with a template, and one or two with evidence only.  The pass after
# the clock was corrected drops them, or the look-up of each.

cmp_ok(scalar $t->log_lines(qr/snapshot ".*" is ignored: time/), '>=', 3 + 3,
    "snapshots, tomorrow's are ignored");

$t->stop();

# expired snapshots are removed within an hour, whatever the clock does

my ($file) = grep { $t->read_file($_) =~ /day\.test/ }
    map { s{^\Q$d/}{}r } glob "$d/templates/*.dt";
my $kept = $t->read_file($file);

ahead(30 * 86400);
$t->run_with($clock);
soon { !-e "$d/$file" } 'a month ahead, expired', 5;
ahead(0);
$t->write_file($file, $kept);
http_get('/p3.html', host => 'wakes.test');
ok($t->idle(), 'a month ahead, clock is corrected');
ok(-e "$d/$file", 'a month ahead, valid again');
ahead(8 * 86400);
http_get('/p4.html', host => 'wakes.test');
soon { !-e "$d/$file" } 'a week later, expired', 5;

$t->stop();
ahead(0);

# a message that is logged once an hour does not depend on the time of day

steady(0);
$t->run_with($clock);
like(detemplate('/p1.html?q=a', host => 'told.test'), qr/reason=search/,
    'page is not learned from');

for my $case ([ 'ahead', 7200, 1 ], [ 'ahead-steady', 3500, 1 ],
    [ 'ahead-steady', 3700, 2 ])
{
    my ($file, $seconds, $times) = @$case;

    set($file, $seconds);
    http_get('/p1.html?q=a', host => 'told.test') for 1 .. 3;
    is($t->said('page of "told.test" is not learned from'), $times,
        "logged, $file, $seconds");
}

$t->stop();
unlink "$d/ahead-steady";
ahead(0);

# a full disk: the key exists, and a part of the snapshot

mkdir "$d/templates" if !-d "$d/templates";

SKIP: {
    skip 'nothing can be mounted', 8
        if system("mount -t tmpfs -o size=8k,mode=777 none $d/templates"
            . ' 2>/dev/null') != 0;

    $t->run_with($clock);
    ok($t->learn('/p3.html', host => 'full.test'), 'full disk, learned');
    soon { $t->said('was not written') } 'full disk, logged', 5;
    is(join(' ', map { /failed|written \((.*)\)$/ } $t->log_lines(
        qr/was not written/)), '28: No space left on device',
        'full disk, reason is logged');
    is(scalar(glob "$d/templates/*.tmp"), undef,
        'full disk, no temporary file is left');

    # a page of another layout has no evidence to be added to until the refresh

    http_get('/o3.html', host => 'full.test') for 1 .. 3;
    ok($t->idle(), 'full disk, idle');
    http_get('/o3.html', host => 'full.test') for 1 .. 3;
    ok($t->idle(), 'full disk, idle');
    is($t->said('learned "full.test"'), 1, 'full disk, learned once');
    is($t->said('no snapshot of "full.test"'), 0,
        'full disk, template is used');

    $t->stop();
    system("umount -l $d/templates");
}

# a limit on processes, when nginx has started all of its own

$t->run_with($clock);
ok($t->learn('/p3.html', host => 'before.test'), 'no limit yet, learned');
$t->write_file('ahead-fork', '');
http_get('/p3.html', host => 'fork.test');
soon { $t->learning('failed') } 'limit on processes, learning fails';
is(reason_of('fork.test'), 'fork', 'limit on processes, reason is logged');
unlink "$d/ahead-fork";

# nor is there one for a page of another layout, and not each request tries
# again

ok($t->learn('/p3.html', host => 'added.test'), 'limit is lifted, learned');
ok($t->idle(), 'limit is lifted, learning has ended');
$t->write_file('ahead-fork', '');

for (1 .. 10) {
    http_get('/o3.html', host => 'added.test');
    $t->idle();
}

is(join("\n", map { s/.*(no template)/$1/r }
    $t->log_lines(qr/no template for "added.test"/)),
    'no template for "added.test": fork, key page "http://added.test/o3.html"'
    . ', next attempt in 10 seconds', 'limit on processes, tried once');
$t->stop();
unlink "$d/ahead-fork";

# a template that is larger than the zone

for my $n (1 .. 8) {
    my $lines = join '', map {
        "<p class=\"line$_\">Line $_ of the almanac's rules</p>\n"
    } 1 .. 500;

    $t->write_file("html/p$n.html",
        page($n, paragraphs => 100) =~ s{</footer>}{$lines</footer>}r);
}

$t->run_with($clock, 'room.conf');
http_get('/p3.html', host => 'room.test');
soon { $t->learning('failed') } 'no room, learning fails';
is(reason_of('room.test'), 'memory', 'no room, reason is logged');
like(detemplate('/p3.html', host => 'room.test'), qr/^miss; reason=memory/,
    'no room, page is logged');
$t->stop();

# there is no memory for the inflated page, which is taken to be four times as
# large as the compressed one

SKIP: {
    skip 'malloc() is of the sanitizer', 4 if $ENV{ASAN_OPTIONS};

    my $packed = '';
    gzip(\page(3, paragraphs => 60), \$packed);

    $t->origin(1, sub ($s, $request) {
        my ($n) = $request =~ m{^\S+ /p(\d)\.html} or return;
        my $body = $packed;
        gzip(\page($n), \$body) if $n != 3;

        print $s response($body, 'Content-Encoding: gzip');
    });

    $t->run_with($t->short(4 * length $packed), 'memory.conf');

    ok($t->learn('/p3.html', host => 'memory.test'), 'memory, learned');
    $t->write_file('short', '');
    $r = http_get('/p3.html', host => 'memory.test');
    is(body($r), $packed, 'memory, page is passed compressed');
    like(field($r, 'Detemplate'), qr/^error; reason=memory/,
        'memory, reason is logged');
    like(detemplate('/p3.html', host => 'memory.test'), qr/^hit/,
        'memory is available again');

    $t->stop();
}

$t->done('(malloc\(\d+\)|fork\(\)) failed');

END {
    local $?;
    system("umount -l $d/templates 2>/dev/null")
        if $d && $t->{parent} == $$;
}

# the reason in the status why a site has no template

sub reason_of ($site) { $t->without($site)->{reason} }

# sets the clock, and the monotonic ones

sub ahead { set('ahead', $_[0]) }
sub steady { set('ahead-steady', $_[0]) }

sub set ($file, $seconds) {
    $t->write_file("$file.new", $seconds);
    rename "$d/$file.new", "$d/$file" or die "$file: $!\n";
}
