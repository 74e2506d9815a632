#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Learning from pages that are served: nothing is requested, workers store
# copies, also of pages behind a cookie if that is said.  And the same as a
# fall-back, where a site does not let learners in.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->configure(
    zone => '4m',
    name => 'served.test',
    http => 'map $http_x_role $learn { default off; indexer "served all";
        odd 1; }',
    origin => 1,
    server => 'detemplate_learn served;',
    servers => [
        map { { name => "$_->[0].test", origin => 1, server => $_->[1] } }
            [ all => 'detemplate_learn served  all;' ],
            [ mapped => 'detemplate_learn $learn;' ],
            [ closed => '' ],
            [ form => '' ],
            [ once => '' ],
            [ few => 'detemplate_learn served; detemplate_loads 6;' ],
    ],
);

# Pages that only a user gets, and others a form, on the site of the same name;
# a redirect to a log-in; a robots.txt that forbids all.

$t->answers(1, sub ($uri, $host, $learner, $request) {
    $t->append_file('asked', "$host $uri\n") if $learner;

    my ($n) = $uri =~ m{^/p(\d+)\.html};
    my $user = $request =~ /^Cookie: user=ann/m;
    my ($name) = $host =~ /^(\w+)/;

    return response("User-agent: *\nDisallow: /\n", 'Content-Type: text/plain')
        if $name eq 'closed' && $uri eq '/robots.txt';

    return response('', '302 Found', 'Location: /login') if $name eq 'form'
        && $learner;
    return response('<title>Log in</title><form><input name=n></form>')
        if $name =~ /^(?:all|mapped)/ && !$user;

    return response(undef) if !$n;
    return response(page($n) =~ s{<main>}{<main><p>Dear user</p>}r,
        'Cache-Control: private', 'Set-Cookie: s=1')
        if $name =~ /^(?:all|mapped)/;
    return response(page($n), $uri =~ /own/ ? 'Cache-Control: private'
        : $uri =~ /shared/ ? 'Cache-Control: public' : ());
});

$t->run();

# pages that are served to all

for my $case ([ '?own=1', [], 'private' ], [ '', ['Cookie: a=b'], 'private' ],
    [ '', ['Authorization: Basic YTpi'], 'private' ])
{
    my ($args, $fields, $reason) = @$case;

    like(detemplate("/p$_.html$args", host => 'served.test',
        fields => $fields), qr/^miss; reason=$reason$/,
        "not shared, $args @$fields, $_") for 1 .. 4;
}

is(join(' ', stored()), '', 'not shared, nothing is stored');

like(detemplate('/p1.html', host => 'served.test'), qr/^miss; reason=no-templ/,
    'served, first page');

my @stored = stored();

is(scalar @stored, 1, 'served, stored');
is((stat $stored[0])[2] & 07777, 0600, 'served, for its owner alone');
like($t->read_file($stored[0] =~ s{^$d/}{}r), qr{^http://served\.test/p1\.html
    \n\Q@{[page(1)]}\E$}x, 'served, as the origin sent it');

http_get('/p1.html', host => 'served.test') for 1 .. 5;
is(scalar stored(), 1, 'served, once');
http_get('/p2.html?shared', host => 'served.test', fields => ['Cookie: a=b']);
is(scalar stored(), 2, 'served, with a cookie, but for all');
http_get('/p3.html', host => 'served.test');

soon { $t->site('served.test') } 'served, learned';
ok($t->idle(), 'served, idle');

my $r = http_get('/p4.html', host => 'served.test');

like(field($r, 'Detemplate'), qr/^hit/, 'served, hit');
lacks($r, qr/<nav|Printed by the almanac/, 'served, no template');
like(body($r), qr{<main>.*</main>}s, 'served, content');
is(asked('served'), '', 'served, nothing was requested');
is(scalar(grep { !/p4/ } map { $t->read_file(s{^$d/}{}r) =~ /^(.*)/ }
    stored()), 0, 'served, copies are gone');

# more pages of it

http_get("/p$_.html", host => 'served.test') for 4 .. 8, 1 .. 3;
soon { $t->site('served.test')->{version} > 1 } 'served, learned from more';

# pages for users, by all of which a site is learned

http_get("/p$_.html", host => 'all.test', fields => ['Cookie: user=ann'])
    for 1 .. 3;
soon { $t->site('all.test') } 'all, learned';
$r = http_get('/p7.html', host => 'all.test', fields => ['Cookie: user=ann']);
like(field($r, 'Detemplate'), qr/^hit/, 'all, hit');
lacks($r, qr/<nav/, 'all, no template');
is(asked('all'), '', 'all, nothing was requested');

# by a variable

for my $case ([ 'X-Role: odd', 'learn' ], [ 'X-A: b', 'learn' ]) {
    like(detemplate('/p1.html', host => 'mapped.test', fields =>
        ['Cookie: user=ann', $case->[0]]), qr/reason=$case->[1]$/,
        "variable, $case->[0]");
}

http_get("/p$_.html", host => 'mapped.test', fields =>
    [ 'Cookie: user=ann', 'X-Role: indexer' ]) for 1 .. 3;
soon { $t->site('mapped.test') } 'variable, learned';
is(asked('mapped'), '', 'variable, nothing was requested');
is($t->said('unknown value "1" of the variable in "detemplate_learn"'), 1,
    'variable, another word');

# as a fall-back

for my $name ('closed', 'form') {
    for my $n (1 .. 8, 1 .. 8) {
        http_get("/p$n.html", host => "$name.test");
        $t->idle();
    }

    ok($t->site("$name.test"), "$name, learned");
    my $why = $name eq 'form' ? 'no-candidates' : 'robots';

    is($t->said("\"$name.test\": $why"), 1, "$name, one line");
    lacks(http_get('/p5.html', host => "$name.test"), qr/<nav/,
        "$name, no template");
}

is(join(' ', grep { !m{/robots\.txt} } split /, /, asked('closed')), '',
    'closed, no page was requested');

# under "on", the key page is not requested

ok($t->learn('/p5.html', host => 'once.test'), 'on, learned');
my @asked = split /, /, asked('once');
cmp_ok(scalar @asked, '>', 4, 'on, requests');
is(scalar(grep { m{/p5} } @asked), 0, 'on, the key page is not requested');

# a site that is forgotten, and a start

http_get("/p$_.html", host => 'few.test') for 1 .. 2;
cmp_ok(scalar stored(), '>', 0, 'before the start');
$t->stop();
$t->run();
soon { stored() == 0 } 'none is left at the start';

$t->done();

sub stored {
    my @files = glob "$d/templates/pages/*/*";

    return @files;
}

sub asked ($name) {
    return '' if !-e "$d/asked";
    return join ', ', map { /^$name\.test(?::\d+)? (.*)/ ? $1 : () }
        split /\n/, $t->read_file('asked');
}
