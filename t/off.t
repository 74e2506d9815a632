#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages of a learned site that show nothing of its template are listed in the
# status, and counted in the metrics.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => 'detemplate_site $host;',
    name => 'site.test other.test',
    pages => [ '/markdown/' => 'detemplate markdown;' ],
);
$t->pages('html');
$t->write_file("html/odd$_.html",
    "<!DOCTYPE html><title>t</title><p>Nothing that others say, $_.")
    for 0 .. 40;
$t->run();

ok($t->learn("/p3.html", host => $_), "learned, $_")
    for qw/ site.test other.test /;
$t->idle();
is(listed(), '', 'none at first');

my $before = time();

http_get($_) for qw{ /p1.html /odd1.html /p2.html /odd2.html?a=b };
is(listed(), 'site.test/odd2.html?a=b site.test/odd1.html', 'latest first');

http_get('/odd1.html') for 1 .. 3;
http_get('/odd1.html', host => 'other.test');
is(listed(), 'other.test/odd1.html site.test/odd1.html '
    . 'site.test/odd2.html?a=b', 'each page once');

my $at = $t->status_json()->{off_template}[0]{at};

ok($at >= $before && $at <= time(), 'time');

http_get('/odd3.html');
http_get('/none.html');
http_get('/markdown/odd4.html');
like(listed(), qr{^site\.test/markdown/odd4\.html site\.test/odd3\.html },
    'converted as well');

# what the texts may do

http_get('/odd5.html?' . 'x' x 1000);
is(length((split / /, listed())[0]), 255 + length('site.test'), 'a long URI');
http_get('/odd5.html?"<b>\\');
like(listed(), qr{^site\.test/odd5\.html\?"<b>\\ }, 'odd bytes');
like(body(http_get('/status?format=html')),
    qr{/odd5\.html\?&quot;&lt;b&gt;\\<}, 'page for browsers');

my %series = body(http_get('/status?format=prometheus'))
    =~ /off_template_pages\{site="(.*?)"\} (\d+)/g;

is("@series{qw/ site.test other.test /}", '6 1', 'metrics');

# no more than 32

http_get("/odd$_.html") for 0 .. 40;
is(listed(), join(' ', map { "site.test/odd$_.html" } reverse 9 .. 40),
    'the last 32');

$t->done();

sub listed {
    return join ' ', map { "$_->{site}$_->{page}" }
        @{$t->status_json()->{off_template}};
}
