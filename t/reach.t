#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Sites as people run them: pages named by a query, pages with cookies, and
# pages from which nothing can be learned.  Also the reasons that are logged.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $sid = '9f86d081884c7d659a2feaa0c55ad015';

$t->configure(
    zone => '4m',
    name => '*.test',
    origin => 1,
    locations => [
        '/public/' => '
            detemplate_site public;
            detemplate_learn public;
            proxy_pass %%HTTP_1%%;',
        '/off/' => '
            detemplate_site off;
            detemplate_learn off;
            proxy_pass %%HTTP_1%%;',
        '/poor/' => '
            detemplate_site poor;
            detemplate_candidates 1;
            detemplate_loads 3;
            proxy_pass %%HTTP_1%%;',
        '/few/' => '
            detemplate_site few;
            detemplate_loads 10;
            proxy_pass %%HTTP_1%%;',
    ],
    servers => [
        {
            name => 'waits.test',
            origin => 1,
            server => 'detemplate_wait 20s;',
        },
    ],
);

$t->answers(1, \&answer);
$t->run();

my $r;

# pages that are named by a query

for my $case (
    [ 'blog', '/?p=%d' ],
    [ 'forum', '/viewtopic.php?f=1&t=%d' ],
    [ 'wiki', '/index.php?title=Page_%d' ],
) {
    my ($name, $form) = @$case;
    my $uri = sprintf $form, 3;

    ok($r = $t->learn($uri, host => "$name.test"), "$name, learned");
    lacks($r, qr/Chapter 2|Printed by the almanac/, "$name, template is cut");

    my @left = grep {
        body(http_get(sprintf($form, $_), host => "$name.test"))
            =~ /Chapter 2|Printed by the almanac/
    } 1 .. 8;
    is("@left", '', "$name, template is cut from all pages");
}

# if a query names the pages, the page without a query is one of them

lacks(http_get('/', host => 'blog.test'),
    qr/Chapter 2|Printed by the almanac/, 'blog, front page');

# parameters of sessions and of campaigns are not sent by the learner

ok($t->learn("/viewtopic.php?sid=$sid&f=1&utm_source=x&t=3",
    host => 'session.test'), 'session, learned');
is(scalar(grep { /session\.test.*(?:sid|utm)/ } learner()), 0,
    'session, parameters are not requested');
is(scalar(grep { /session\.test \S+t=3$/ } learner()), 0,
    'session, page is not requested again');

# requests from which nothing is learned, and the reason

for my $case (
    [ '/p1.html?q=plums', 'search', 'q=plums' ],
    [ '/p1.html?a=1&b=2&c=3&d=4&e=5', 'query', 'a=1&b=2&c=3&d=4&e=5' ],
    [ '/items/delete_all', 'action', 'delete_all' ],
    [ '/p1.html?do=purgeCache', 'action', 'do=purgeCache' ],
    [ '/p|1.html', 'url', '/p|1.html' ],
    [ '/' . 'a' x 2040, 'url', '/' . 'a' x 127 ],
    [ '/off/p1.html', 'learn', 'detemplate_learn off' ],
) {
    my ($uri, $reason, $what) = @$case;
    my $first = !$t->log_lines(qr/not learned from: $reason,/);

    for (1 .. 3) {
        is(detemplate($uri, host => 'why.test'), "miss; reason=$reason",
            "$reason, $what");
    }

    is(scalar($t->log_lines(qr/not learned from: $reason,/)), 1,
        "$reason, logged once");
    is(scalar($t->log_lines(
        qr/\[notice\].* not learned from: $reason, "\Q$what\E"/)), 1,
        "$reason, what decided") if $first;
}

is(scalar(grep { /why\.test/ } learner()), 0, 'nothing was requested');

# a HEAD request logs nothing

is(detemplate('/p1.html', host => 'why.test', method => 'HEAD'),
    'miss; reason=method', 'head');
is($t->said('reason: method'), 0, 'head, nothing is logged');

# bytes of a request are escaped in the log

http_get("/p1.html?x=\"\xff%0a", host => 'log.test');
is($t->said('url, "/p1.html?x=??%0a"'), 1, 'log, printable');

# cookies and caches

ok($r = $t->learn('/private/p3.html', host => 'private.test'),
    'no-store and a cookie, learned');

my @cookie = (fields => ['Cookie: session=x']);
my @user = (fields => ['Authorization: Basic eDp5']);

for my $case (
    [ 'private', @cookie, 'cookie' ], [ 'private', @user, 'credentials' ],
) {
    my ($dir, $name, $fields, $title) = @$case;

    is(detemplate("/$dir/p3.html", host => "$title.test", $name => $fields),
        'miss; reason=private', "$title, private");
    like(detemplate('/p3.html', host => "$title.test", $name => $fields),
        qr/^miss; reason=no-template/, "$title, public");
}

is($t->said('private, "Cache-Control: no-store, and the request had'), 2,
    'private, logged');

like(detemplate('/private/p3.html', host => 'waits.test', @cookie),
    qr/^miss; reason=private/, 'private, does not wait');
is(scalar(grep { /waits\.test/ } learner()), 0,
    'private, nothing was requested');

# only cookies that do not differ between clients are allowed

http_get('/public/p3.html', host => 'public.test');
soon {
    $t->said('no template for "public": key-page: '
        . 'sent Set-Cookie') == 1
} 'public, the cookie is named in the log';

# a page without links does not block the others: its directory has some

http_get('/alone.html', host => 'backoff.test');
ok($t->learn('/p3.html', host => 'backoff.test'), 'alone, another page');
is(scalar(grep { $_->{site} eq 'backoff.test' }
    @{$t->status_json()->{without}}), 0, 'alone, learned');

# its links count: other pages with the same dead links are not tried

my $failed = $t->learning('failed');

for my $n (1 .. 3) {
    like(detemplate("/p$n.html", host => 'dead.test'), qr/^miss/,
        "dead links, page $n");
    $t->idle();
    is($t->learning('failed'), $failed + ($n < 3 ? $n : 2),
        "dead links, page $n is learned from");
}

is($t->said('no template for "dead.test": no-candidates'), 1,
    'dead links, logged once');

lacks(http_get('/p4.html', host => 'dead.test'),
    qr/Chapter 2|Printed by the almanac/, 'dead links, template is cut');
is($t->site('dead.test')->{loads}, 3, 'dead links, loads');

# but only for a while

for my $n (1 .. 4) {
    is(detemplate("/poor/alone$n.html", host => 'a.test'),
        'miss; reason=no-template', "in a row, page $n");
    $t->idle();
}

is(detemplate('/poor/p3.html', host => 'a.test'), 'miss; reason=backoff',
    'four failed in a row');

# a server that asks to be left alone with 429 or 503

http_get('/later.html', host => 'later.test', fields => ['Cookie: a=b']);
soon {
    $t->said('HTTP status 503, key page "http://later.test/later.html", '
        . 'next attempt in 600 seconds')
} 'retry-after';

# a candidate that asks so ends the learning, and the site rests for the time

http_get('/p1.html', host => 'limits.test');
ok(wait_for(sub { $t->said('no template for "limits.test": no-candidates: '
    . 'HTTP status 429, key page "http://limits.test/p1.html", next attempt '
    . 'in 900 seconds') }, 10), 'retry-after of a candidate');
cmp_ok(length $t->read_file('limits'), '<=', 7,
    'retry-after, hardly anything more is requested');
is(detemplate('/p2.html', host => 'limits.test'), 'miss; reason=backoff',
    'retry-after, the site rests');

# with detemplate_wait, a first crawl gets stripped pages from the first one on

my @socks = map { http_get($_, host => 'waits.test', start => 1) }
    qw{ /p1.html /gone/x.html };

is(join(' ', map { status_of(http('', socket => $_)) } @socks), '200 404',
    'waits, a page and another');
$t->idle();
is(scalar(grep { m{/gone/x} } learner()), 0,
    'waits, the page that is gone is not loaded by a learner');

my @passed = grep {
    field(http_get("/p$_.html", host => 'waits.test'), 'Detemplate')
        !~ /^hit/
} 1 .. 8;
is("@passed", '', 'waits, all pages are rewritten');

# pages of other sections, one by one, all at once, and before there is a
# template; those that nobody links to are learned because they are asked for

for my $host (qw/ one.test burst.test /) {
    ok($t->learn('/p3.html', host => $host), "$host, learned");
    $t->idle();
}

for my $n (1 .. 4) {
    http_get("/section$n/p1.html", host => 'one.test');
    $t->idle();
}

http_get("/section$_/p1.html", host => 'burst.test') for 1 .. 4;

for my $uri (qw{ /p3.html /p4.html }, map { "/section$_/p1.html" } 1 .. 4) {
    like(detemplate($uri, host => 'first.test'), qr/^miss/,
        "before the first template, $uri");
}

# once is enough where there was a template

sleep 12;
ok($t->idle(), 'sections, all is learned');

for my $host (qw/ one.test burst.test first.test /) {
    my @left;

    wait_for(sub {
        @left = grep {
            body(http_get("/section$_/p1.html", host => $host))
                =~ /Words of section/
        } 1 .. 4;
        return !@left || $host ne 'first.test';
    }, 40);
    is("@left", '', "$host, all sections");
}

# if nothing can be learned from the first page, the next ones are tried

http_get("/p$_.html", host => 'dead.first.test') for 1 .. 3;
$t->idle();
is($t->site('dead.first.test')->{loads}, 3,
    'before the first template, another key page');

$t->done();

# the requests of learners: host and target

sub learner { map { /^learner (.*)/ } split /\n/, $t->read_file('asked.log') }

sub answer ($uri, $host, $learner, @) {
    my $who = $learner ? 'learner' : 'other';
    my ($status, @fields) = '200 OK';

    $t->append_file('asked.log', "$who $host $uri\n");

    my ($dir) = $uri =~ m{^/([a-z]+\d?(?:/other)?)/};
    my ($n) = $uri =~ m{(?:p|p=|t=|Page_)(\d+)};

    # the first key page of these sites

    select undef, undef, undef, 0.5
        if $learner && $host =~ /first|waits/
            && $uri =~ m{^(?:/few)?/p[13]\.};

    $dir ||= '';
    my $body = page($n || 1);

    if ($dir eq 'private' || $dir eq 'public') {
        @fields = ('Set-Cookie: PHPSESSID=x', 'Cache-Control: no-store');
        $body =~ s{href="/p}{href="/$dir/p}g;

    } elsif ($dir =~ /^section(\d)/) {
        my $words = join ' ', map { "section$1-$_" } 1 .. 30;

        $body =~ s{href="/p}{href="/$dir/p}g;
        $body =~ s{<main>}{<div><p>Words of $words.</p></div><main>};
        $body =~ s{<footer>.*</footer>}{}s;

    } elsif ($dir =~ /^few/) {
        $body =~ s{href="/p}{href="/$dir/p}g;

    } elsif ($host eq 'first.test' && $uri eq '/p8.html') {
        $body =~ s{<(header|footer).*?</\1>}{}sg;

    } elsif ($uri =~ /alone/) {
        $body = "<!DOCTYPE html><title>t</title><p>alone, $uri";

    } elsif ($uri =~ /later/ && $learner) {
        $status = '503 Busy';
        @fields = 'Retry-After: 600';

    } elsif ($host eq 'limits.test' && $learner) {
        $t->append_file('limits', 'x');

        if ($uri ne '/p1.html') {
            $status = '429 Too Many Requests';
            @fields = 'Retry-After: 900';
        }

    } elsif ($uri =~ m{^/gone/}) {
        $status = '404 Not Found';

    } elsif ($host =~ /^dead/) {
        $body =~ s{href="/p}{href="/gone/p}g;

    } elsif ($host eq 'blog.test') {
        $body =~ s{href="/p(\d)\.html"}{href="/?p=$1"}g;

    } elsif ($host =~ /^(?:forum|session)/) {
        $body =~ s{href="/p(\d)\.html"}
            {href="/viewtopic.php?f=1&amp;t=$1&amp;sid=$sid"}g;

    } elsif ($host eq 'wiki.test') {
        $body =~ s{href="/p(\d)\.html"}{href="/index.php?title=Page_$1"}g;
    }

    return response($body, $status, @fields);
}
