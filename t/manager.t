#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The manager's jobs: one learning per site and a few at a time, pages that the
# template covers badly, and templates that are refreshed or dropped.

use Test::Detemplate;

my $t = Test::Detemplate->new();

my %conf = (
    main => 'worker_processes 2;',
    http => q{
        log_format requests '$http_host $request_uri $http_user_agent '
            '$detemplate_status $detemplate_reason';},
    name => 'any.test',
    origin => 1,
    server => '
        access_log %%TESTDIR%%/access.log requests;
        detemplate_site $host;',
    servers => [
        {
            name => 'origin.test',
            origin => 1,
            server => 'detemplate_origin %%HTTP_1%%;',
        },
        {
            name => 'passive.test',
            origin => 1,
            server => '
                access_log %%TESTDIR%%/access.log requests;
                detemplate_learn off;',
        },
        {
            name => 'more.test',
            origin => 1,
            server => '
                detemplate_candidates 5;
                detemplate_votes 4;
                detemplate_detector etdm-all;',
        },
        {
            name => 'less.test',
            origin => 1,
            server => 'detemplate_candidates 1; detemplate_loads 4;',
        },
        {
            name => 'refresh.test',
            origin => 1,
            server => 'detemplate_refresh 1s;',
        },
        {
            name => 'valid.test',
            origin => 1,
            server => 'detemplate_refresh 1s; detemplate_valid 1s;',
        },
    ],
);

# Pages of two layouts, and one without links.  The origin delays pages of the
# second layout and of slow sites, so that a running learner can be observed.

$t->answers(1, sub ($uri, $host, $learner, $request) {
    $t->append_file('origin.log', $request =~ s/\r\n/|/gr . "\n");

    my ($layout, $n) = $uri =~ m{^/([porq])(\d+)\.html} or return;

    return if $layout eq 'q' && $learner;

    select undef, undef, undef, 0.15
        if $learner && ($host =~ /^slow/ || $layout eq 'o');

    return response($layout eq 'p' ? page($n) : $layout eq 'o' ? other($n)
        : '<!DOCTYPE html><title>t</title><p>alone');
});

configure(1)->run();

my ($r, $json, @seen);
my $page = qr{/(?:p\d\.html|robots\.txt|sitemap\.xml)};

# a site without any request

$json = $t->status_json();
is_deeply($json->{learning}, { queued => 0, running => 0, done => 0,
    failed => 0, redesigns => 0, requests => 0 }, 'nothing to do');
is_deeply($json->{sites}, [], 'no site');

# from the first request to a template

$r = http_get('/p3.html', host => 'site.test');
like(field($r, 'Detemplate'), qr/^miss; reason=no-template/, 'first request');
is(body($r), page(3), 'first request, page unchanged');

ok($r = $t->learn('/p3.html', host => 'site.test'), 'learned')
    or BAIL_OUT('nothing was learned');
like(body($r), qr{<main>.*</main>}s, 'learned, content');
lacks($r, qr{<nav|Printed by the almanac}, 'learned, no template');

my $p3 = body($r);

is(learning()->{done}, 1, 'learned, once');
is($t->site('site.test')->{version}, 1, 'learned, version');

@seen = grep { m{detemplate/} } requests('site.test');

cmp_ok(scalar @seen, '>=', 4, 'learner, pages loaded');
is(scalar(grep { m{^site\.test /p3\.html } } @seen), 0,
    'learner, the key page is not asked for again');
is(scalar(grep { m{^site\.test $page detemplate/[\d.]+\S* } } @seen),
    scalar @seen, 'learner, host and agent');
is(scalar(grep { /BYPASS learner$/ } @seen), scalar @seen,
    'learner, its own pages are unchanged');
unlike($t->read_file('origin.log'), qr/learner/i,
    'learner, key is not passed to the origin');

# pages from another address

ok($t->learn('/p3.html', host => 'origin.test'), 'origin, learned');

@seen = grep { /\|Detemplate-Learner:/ } split /\n/,
    $t->read_file('origin.log');

cmp_ok(scalar @seen, '>=', 4, 'origin, pages loaded');
is(scalar(grep { /\|Detemplate-Learner: [0-9a-f]{32}\|/ } @seen),
    scalar @seen, 'origin, no key is sent');
is(scalar(grep { m{^GET $page .*\|Host: origin\.test\|} } @seen),
    scalar @seen, 'origin, host');
is(scalar(grep { m{\|User-Agent: detemplate/\d} } @seen), scalar @seen,
    'origin, agent');

# a client with a guessed key does not count as a learner

$r = http_get('/p4.html', host => 'site.test',
    fields => ['Detemplate-Learner: ' . '0' x 32]);
like(field($r, 'Detemplate'), qr/^hit/, 'wrong key');

# many first requests at once

my @sockets = map {
    http_get("/p$_.html", host => 'many.test', start => 1)
} map { 1 .. 8 } 1 .. 5;

is(scalar(grep { status_of(http('', socket => $_)) == 200 } @sockets), 40,
    'many requests');
ok($t->learn('/p3.html', host => 'many.test'), 'many requests, learned');
$t->idle();
is(learning()->{done}, 3, 'many requests, learned once');
is($t->site('many.test')->{version}, 1, 'many requests, version');

# the configured numbers of candidates and loads apply

for my $case (
    [ 'site.test', 6, 8 ],
    [ 'more.test', 5, 8 ],
    [ 'less.test', 1, 4 ],
) {
    my ($host, $candidates, $loads) = @$case;

    ok($t->learn('/p3.html', host => $host), "$host, learned");
    is($t->site($host)->{candidates}, $candidates, "$host, candidates");
    is($t->site($host)->{loads}, $loads, "$host, loads");
}

@seen = map { (split)[1] } grep { m{detemplate/} } requests('many.test');

is(scalar @seen, scalar(keys %{{ map { $_ => 1 } @seen }}),
    'many requests, no page loaded twice');

# a page of another layout

$r = http_get('/o3.html', host => 'site.test');
like(body($r), qr/<main>.*The river gazette/s, 'other layout, not known');

soon {
    my $l = learning();
    return $l->{queued} + $l->{running} > 0;
} 'other layout, queued', 5;
like(detemplate('/p3.html', host => 'site.test'),
    qr/^hit; mode=strip; version=1; settled=\?0$/,
    'other layout, page is passed meanwhile');

soon { $t->site('site.test')->{version} == 2 } 'other layout, learned', 15;
$t->idle();

$r = body(http_get('/o5.html', host => 'site.test'));
like($r, qr{<main>\n<h1>}, 'other layout, content');
unlike($r, qr/The river gazette/, 'other layout, no template');
is(body(http_get('/p3.html', host => 'site.test')), $p3,
    'other layout, first layout is rewritten as before');

for (1 .. 8) {
    http_get("/o$_.html", host => 'site.test');
    http_get("/p$_.html", host => 'site.test');
}

is(learning()->{queued} + learning()->{running}, 0,
    'other layout, nothing more to learn');

# a page that the learner could not load: the visitor's request brings it

my $done = learning()->{done};

http_get('/q1.html', host => 'site.test');
soon { learning()->{done} > $done } 'page only for visitors, learned', 20;
is(learning()->{failed}, 0, 'page only for visitors, nothing has failed');

# pages from which nothing can be learned

http_get('/r1.html', host => 'alone.test');
soon { learning()->{failed} == 1 } 'no links, failed';
like(detemplate('/r1.html', host => 'alone.test'), qr/^miss; reason=backoff/,
    'no links, not tried again at once') for 1 .. 5;
is(learning()->{queued} + learning()->{running}, 0, 'no links, not queued');
is($t->said('no template for "alone.test": no-links, '
    . 'key page "http://alone.test/r1.html", next attempt in 10 seconds'), 1,
    'no links, logged');

# one learner

is(most('slow1.test', 'slow2.test', 'slow3.test'), 1, 'one learner at once');

# two learners

configure(2);
$t->reload();
soon {
    my @n = $t->read_file('error.log') =~ /start cache manager process/g;
    return @n == 2;
} 'reloaded';
is(most('slow4.test', 'slow5.test', 'slow6.test'), 2, 'two learners at once');

# templates that are due for a refresh

ok($r = $t->learn('/p3.html', host => 'refresh.test'), 'refresh, learned');

my %fields;

ok(wait_for(sub {
    $r = http_get('/p3.html', host => 'refresh.test');
    $fields{field($r, 'Detemplate')} = body($r);

    my $s = $t->site('refresh.test');
    return $s && $s->{version} >= 3;
}, 15), 'refresh, learned anew');

is(join('', grep {
    !/^(?:hit|stale); mode=strip; version=\d+; settled(?:=\?0)?$/
} keys %fields), '', 'refresh, old template is used meanwhile');
is(scalar(grep { $_ ne $p3 } values %fields), 0, 'refresh, same body');
cmp_ok($t->status_json()->{requests}{stale}, '>', 0, 'refresh, counted');
is($t->site('refresh.test')->{source}, 'learned', 'refresh, source');

# expired templates

ok($t->learn('/p3.html', host => 'valid.test'), 'valid, learned');
soon {
    $r = http_get('/p3.html', host => 'valid.test');
    return field($r, 'Detemplate') =~ /^miss; reason=expired/;
} 'valid, dropped';
is(body($r), page(3), 'valid, page unchanged');
ok($t->learn('/p3.html', host => 'valid.test'), 'valid, learned anew');

# a site with detemplate_learn off

my $done = learning()->{done};

like(detemplate('/p3.html', host => 'passive.test'), qr/^miss; reason=learn$/,
    'learn off') for 1 .. 2;

# a site with detemplate_origin

http_get('/p3.html', host => 'last.test');
ok($t->learn('/p3.html', host => 'last.test'), 'learn off, another learned');
is(scalar(grep { m{detemplate/} } requests('passive.test')), 0,
    'learn off, no page loaded');
ok(!$t->site('passive.test'), 'learn off, no site');

$t->done();

sub configure ($learners) {
    return $t->configure(%conf,
        http => "$conf{http} detemplate_learners $learners;");
}

sub learning { $t->status_json()->{learning} }

# the largest number of learners at once while these sites were learned

sub most {
    my @hosts = @_;

    my $most = 0;

    $t->idle();
    http_get('/p3.html', host => $_) for @hosts;

    wait_for(sub {
        my $l = learning();

        $most = $l->{running} if $l->{running} > $most;
        return $l->{queued} + $l->{running} == 0;
    }, 20);

    my $known = grep { $t->site($_) } @hosts;

    return $known == @hosts ? $most : "$known of " . @hosts . ' sites';
}

# the access log of a host

sub requests ($host) {
    return grep { index($_, "$host ") == 0 }
        split /\n/, $t->read_file('access.log');
}

# the page in another layout

sub other ($n) {
    my $page = page($n);
    my $head = '<div class="masthead"><p>The river gazette, printed on '
        . "paper of the mill since the flood</p>\n<p>"
        . join(' ', map { "<a href=\"/o$_.html\">Number $_</a>" } 1 .. 8)
        . "</p></div>\n";

    $page =~ s{<header.*</header>\n}{$head}s;
    $page =~ s{<aside.*</footer>}{<div class="imprint"><p>The river gazette
is written, set and printed by the people of the mill.</p>
<p>Those who find a mistake may keep it, or bring it to the office on any
day but the last one of the month, when the river is measured.</p></div>}s;

    return $page;
}
