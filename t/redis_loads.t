#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A machine that takes a template from Redis may still learn from pages that it
# does not cover.

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

$t->configure(
    http => '
        detemplate_redis redis://127.0.0.1:%%PORT_2%%/0 timeout=60s;
        detemplate_program %%TESTDIR%%/learner;
        detemplate_loads 6;
        detemplate_refresh 10m;
        detemplate_valid 1h;',
    name => 'any.test',
    origin => 1,
    server => 'detemplate_site $host;',
);

# pages of one layout, and of several others

$t->answers(1, sub ($uri, @) {
    my ($kind, $n) = $uri =~ m{^/([a-p])(\d)\.html} or return;

    return response($kind eq 'p' ? page($n) : <<"END");
<!DOCTYPE html><html><head><title>$kind $n</title></head><body>
<table><tr><td><a href="/${kind}1.html">First of $kind</a></td>
<td><a href="/${kind}2.html">Second of $kind</a></td></tr></table>
<div><p>Number $n of layout $kind</p></div></body></html>
END
});

$t->redis(2);
$t->run_with($clock);

ok($t->learn('/p3.html', host => 'first.test'), 'learned');
soon { redis('EXISTS', 'dt:{first.test}:template') } 'published', 5;

# a machine joins

copy('first.test', 'joins.test');
ok($t->learn('/p3.html', host => 'joins.test'), 'taken');
is($t->site('joins.test')->{source}, 'redis', 'taken, source');
ok(extends('joins.test', 'j'), 'taken, then extended');

# a machine whose template is due

$t->write_file('ahead', 700);
ok($t->learn('/p3.html', host => 'later.test'),
    'another template is learned later');
soon { redis('EXISTS', 'dt:{later.test}:template') }
    'another template is published', 5;

copy('later.test', 'first.test');
http_get('/p3.html', host => 'first.test');
soon { $t->site('first.test')->{source} eq 'redis' } 'due, taken', 5;
ok($t->idle(), 'due, origin got no requests');
is($t->said('learned "first.test"'), 1, 'due, taken and not learned as well');
ok(extends('first.test', 'k'), 'due, taken, then extended');

# a machine that cannot store a snapshot looks for nothing to extend

rename "$d/templates", "$d/away" or die "templates: $!\n";
copy('later.test', 'lost.test');
ok($t->learn('/p3.html', host => 'lost.test'), 'not stored, taken');
is($t->site('lost.test')->{source}, 'redis', 'not stored, source');
ok($t->idle(), 'not stored, origin got no requests');
ok(!extends('lost.test', 'l'), 'not stored, not extended');
is($t->said('no snapshot of "lost.test"'), 0, 'not stored, no loss is logged');
like(detemplate('/p3.html', host => 'lost.test'), qr/^hit/,
    'not stored, pages are rewritten');
rename "$d/away", "$d/templates" or die "templates: $!\n";

$t->done();

# true if a page of another layout is learned from

sub extends ($host, $kind) {
    my $version = $t->site($host)->{version};

    http_get("/${kind}1.html", host => $host);
    $t->idle();

    return $t->site($host)->{version} > $version;
}

# gives a site the template of another, with its evidence

sub copy ($from, $to) {
    redis('COPY', "dt:{$from}:$_", "dt:{$to}:$_", 'REPLACE')
        for qw/ evidence template /;
}

sub redis { $t->redis_says(2, \@_) }
