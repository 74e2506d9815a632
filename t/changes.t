#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_changes: when the words of pages changed, Last-Modified by it, and
# lists of pages that changed.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $own = $t->port(0);

# an application that says "now" of each page, and one that says nothing

$t->configure(
    http => 'detemplate_changes changes:64k;',
    server => '
        location /now/ {
            proxy_pass %%HTTP_1%%/; expires epoch;
            add_header Last-Modified $date_gmt;
        }
        location /app/ { proxy_pass %%HTTP_1%%/; proxy_pass_header Date; }
        location = /changes { detemplate_changes_feed; }
        location = /changes.atom { detemplate_changes_feed; }
        location = /sitemap.xml { detemplate_changes_feed; }',
    pages => [
        '/markdown/' => 'detemplate markdown;',
        '/body/' => 'detemplate_etag body;',
        '/json/' => 'detemplate json; detemplate_etag body;',
        '/annotate/' => 'detemplate annotate;',
        '/headers/' => 'detemplate headers;',
        '/preview/' => 'detemplate preview;',
        '/small/' => 'detemplate_hold 1k;',
        '/never/' => 'if_modified_since off;',
        '/unlisted/' => 'detemplate_learn off;',
    ],
    servers => [ { name => 'other.test', mode => 'strip', locations => [
        '= /changes', 'detemplate_changes_feed;' ] } ],
);

$t->pages('html');
$t->write_file('html/odd.html', page(6));

sub start {
    $t->origin(1, sub ($s, $request) {
        my ($n) = $request =~ m{^\S+ /p(\d)\.html};

        print $s "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n"
            . 'Last-Modified: ' . http_date(time()) . "\r\n\r\n"
            . $t->read_file("html/p$n.html");
    });
    $t->run();
}

utime 1e9, 1e9, glob "$d/html/*.html";
start();

is(field(http_get('/now/p3.html'), 'Last-Modified') =~ /GMT$/, 1,
    'not learned: that of the origin');
ok($t->learn('/p3.html'), 'learned');
$t->idle();

my $begun = time();

# what is sent since when

my $old = http_date(1e9);

gets(
    (map { [ $_, $_, 'Last-Modified' => $old ] } '/p3.html',
        '/markdown/p3.html', '/annotate/p3.html', '/headers/p3.html'),
    (map { [ "$_, none", $_, 'Last-Modified' => '' ] }
        '/preview/p3.html', '/small/p3.html'),
    [ 'for somebody known, none', '/p3.html', ['Cookie: a=b'],
        'Last-Modified' => '' ],
    [ 'HEAD', '/p3.html', { method => 'HEAD' }, 'Last-Modified' => $old ],
);

my $now = field(http_get('/now/p3.html'), 'Last-Modified');
my $app = field(http_get('/app/p3.html'), 'Last-Modified');

sleep 2;

my $json = http_get('/json/p3.html');

is(decode_json(body($json))->{modified}, '2001-09-09T01:46:40Z', 'JSON says');
has('JSON', $json, 'Last-Modified' => $old,
    'Content-Length' => length body($json));

# conditions

my @since = "If-Modified-Since: $old";

gets(
    [ 'the same words', '/now/p3.html', 'Last-Modified' => $now ],
    [ 'of an upstream', '/app/p3.html', 'Last-Modified' => $app ],
    (map { my ($uri, $since, $status) = @$_;
        [ "$uri, $since", $uri, [ "If-Modified-Since: $since" ],
            status => $status, $status == 304 ? (body => '') : () ] }
        [ '/p3.html', $old, 304 ], [ '/p3.html', http_date(1e9 + 1), 304 ],
        [ '/p3.html', http_date(1e9 - 1), 200 ],
        [ '/p3.html', 'yesterday', 200 ],
        [ '/now/p3.html', $now, 304 ], [ '/app/p3.html', $app, 304 ],
        [ '/app/p3.html', http_date(time()), 304 ],
        [ '/app/p3.html', $old, 200 ], [ '/markdown/p3.html', $old, 304 ],
        [ '/body/p3.html', $old, 304 ], [ '/never/p3.html', $old, 200 ],
        [ '/small/p3.html', $old, 200 ]),
    [ 'If-None-Match wins', '/body/p3.html', [ @since, 'If-None-Match: "a"' ],
        status => 200 ],
    [ 'somebody known', '/p3.html', [ @since, 'Cookie: a=b' ],
        status => 200 ],
);

# only the template of a page changes, or the file is touched

$t->write_file('html/p3.html', page(3) =~ s/Printed by/Printed  by/r);
is(field(http_get('/p3.html'), 'Last-Modified'), $old, 'the same words, still')
    or diag body(http_get('/p3.html'));
utime 1e9 + 5000, 1e9 + 5000, "$d/html/p3.html";
is(field(http_get('/p3.html'), 'Last-Modified'), $old, 'touched');

# its own words change, twice in a second

my @times;

for my $word (qw/ first second third /) {
    $t->write_file('html/p3.html', page(3) =~ s/(<h1>)/$1$word /r);
    utime time(), time(), "$d/html/p3.html";

    my $r = http_get('/app/p3.html', fields => ["If-Modified-Since: $app"]);

    is(status_of($r), 200, "$word, modified");
    $app = field($r, 'Last-Modified');
    push @times, http_time($app);
    is(status_of(http_get('/app/p3.html',
        fields => ["If-Modified-Since: $app"])), 304, "$word, not modified");
}

ok($times[0] < $times[1] && $times[1] < $times[2], 'later each time');
cmp_ok($times[2], '<=', time() + 5, 'but not by much');

# lists

http_get($_) for '/p1.html', '/p2.html', '/unlisted/p5.html', '/p3.html',
    '/odd.html?a=%22%3Cb%3E&c', '/body/p4.html';
$t->learn('/p6.html', host => 'other.test');
http_get('/p7.html', fields => ['Cookie: a=b']);

my $feed = http_get('/changes');
my $j = decode_json(body($feed));
my %listed = map { ($_->{url} => $_->{modified}) } @{$j->{pages}};
my $site = "http://site.test:$own";

is(field($feed, 'Content-Type'), 'application/json', 'JSON');
ok(exists $listed{"$site$_"}, "$_ is listed") for '/p1.html', '/app/p3.html',
    '/odd.html?a=%22%3Cb%3E&c', '/body/p4.html', '/markdown/p3.html';
is($listed{"$site/p1.html"}, '2001-09-09T01:46:40Z', 'since when');
ok(!exists $listed{"$site$_"}, "$_ is not listed") for '/p5.html',
    '/unlisted/p5.html', '/p6.html', '/p7.html', '/preview/p3.html';
is(scalar(@{$j->{pages}}), scalar(keys %listed), 'each once');
is($j->{complete}, JSON::PP::false, 'these are not all');
is(scalar(@{decode_json(body(http_get("/changes?since=$begun")))->{pages}}),
    scalar(keys %listed), 'since the beginning');
ok(decode_json(body(http_get("/changes?since=" . (time() + 1))))->{complete},
    'all since now');
is(scalar(@{decode_json(body(http_get('/changes?since='
    . (time() + 9))))->{pages}}), 0, 'none since then');
gets(
    (map { [ $_, "/changes?since=$_", status => 200 ] }
        '2026-01-02', '2026-01-02T03:04:05Z', 0),
    (map { [ "refused: $_", "/changes?$_", status => 400 ] }
        'since=yesterday', 'since=2026-01-02T03:04:05', 'since=2026-01-2x',
        'since=-1', 'format=rss', 'since=2026-01-02T03:04:05Zx'),
    [ 'another site has its own', '/changes', { host => 'other.test' },
        body => qr/p6\.html/ ],
    [ 'POST', '/changes', { method => 'POST',
        fields => ['Content-Length: 0'] }, status => 405 ],
    [ 'Atom', '/changes?format=atom', { method => 'HEAD' },
        'Content-Type' => 'application/atom+xml' ],
);
like(body(http_get('/sitemap.xml')), qr{/odd\.html\?a=%22%3Cb%3E&amp;c</loc>
    <lastmod>2001-09-09T01:46:40Z</lastmod>}x, 'a sitemap');

# all that is known outlives a restart, whatever the size of the zone

my $count = keys %listed;

for my $size ('64k', '256k', '32k') {
    $t->stop();
    $t->write_file('nginx.conf', $t->read_file('nginx.conf')
        =~ s/changes:\d+k/changes:$size/r);
    start();

    # until its snapshot was read, the page passes as the origin sends it

    $t->learn('/app/p3.html');

    is(field(http_get('/app/p3.html'), 'Last-Modified'), $app,
        "$size, a time");
    is(scalar(@{decode_json(body(http_get('/changes')))->{pages}}), $count,
        "$size, the list");
}

$t->reload();
is(field(http_get('/app/p3.html'), 'Last-Modified'), $app, 'a reload');

$t->stop();

my $saved = $t->read_file('templates/changes');

start();

for my $case ([ 'cut off' => sub { substr $_[0], 0, -1 } ],
    [ 'empty' => sub { '' } ],
    [ 'another format' => sub { $_[0] =~ s/1/2/r } ],
    [ 'a byte' => sub { substr($_[0], 60, 1) ^= "\1"; $_[0] } ],
    [ 'large' => sub { $_[0] . "\0" x 1e6 } ])
{
    my ($what, $change) = @$case;

    $t->stop();
    $t->write_file('templates/changes',
        $change->($saved));
    start();

    is(status_of(http_get('/app/p3.html')), 200, "$what, pages are served");
}

is(scalar($t->log_lines(qr/changes" is not sound/)), 5, 'the log tells of it');

# more pages than there is room for

my @urls = map { "/p1.html?$_-" . 'x' x ($_ * 37 % 900) } 1 .. 1500;

http_get($_) for @urls;

$j = decode_json(body(http_get('/changes')));

my @got = map { $_->{url} } @{$j->{pages}};

cmp_ok(scalar(@got), '>', 5, 'some are there');
cmp_ok(scalar(@got), '<', 100, 'not all are');
is(join(' ', @got), join(' ', map { "$site$_" } (reverse @urls)[0 .. $#got]),
    'these are the latest');
is($j->{complete}, JSON::PP::false, 'and it says so');
is(field(http_get($urls[-1]), 'Last-Modified'), $old, 'its time, too');

# real clients

SKIP: {
    skip 'no curl', 3 if !on_path('curl');

    my $curl = "curl -s -o $d/got -R -w %{http_code} -H Host:site.test";
    my $url = "http://127.0.0.1:$own/now/p2.html";

    is(`$curl $url`, 200, 'curl');
    is(`$curl -z $d/got $url`, 304, 'curl -z');
    change('p2');
    is(`$curl -z $d/got $url`, 200, 'curl -z, changed');
}

SKIP: {
    skip 'no wget', 3 if !on_path('wget');

    my $wget = "cd $d && wget -N --header=Host:site.test "
        . "http://127.0.0.1:$own/now/p4.html 2>&1";

    like(`$wget`, qr/ 200 OK/, 'wget');
    like(`$wget`, qr/ 304 Not Modified/, 'wget -N');
    change('p4');
    like(`$wget`, qr/ 200 OK/, 'wget -N, changed');
}

# modules of Debian are not there for another python

my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';
my $feedparser = q{
import feedparser, sys
d = feedparser.parse(sys.stdin.buffer.read())
print(d.bozo, d.version, len(d.entries), d.entries[0].link,
      d.entries[0].updated_parsed.tm_year)
};

my $sitemap = q{
import sys
from scrapy.utils.sitemap import Sitemap
u = list(Sitemap(sys.stdin.buffer.read()))
print(len(u), u[0]["loc"], u[0]["lastmod"][:4])
};

for my $client (
    [ feedparser => $feedparser, 'changes.atom',
        qr{^False atom10 (\d+) (\S+) } ],
    [ scrapy => $sitemap, 'sitemap.xml', qr{^(\d+) (\S+) } ],
) {
    my ($module, $program, $uri, $says) = @$client;

    SKIP: {
        skip "no $module", 2
            if system "$python -c 'import $module' 2>/dev/null";

        $t->write_file('client.py', $program);
        $j = decode_json(body(http_get('/changes')));

        my ($n, $url) = `curl -s -H Host:site.test \\
            http://127.0.0.1:$own/$uri | $python $d/client.py` =~ $says;

        is($n, @{$j->{pages}}, "$module, pages");
        is($url, $j->{pages}[0]{url}, "$module, URL");
    }
}

$t->done();

sub change {
    $t->write_file("html/$_[0].html",
        $t->read_file("html/$_[0].html") =~ s/(<h1>)/$1Another /r);
}

sub http_date {
    my @t = gmtime $_[0];

    return sprintf '%s, %02d %s %d %02d:%02d:%02d GMT',
        (qw/ Sun Mon Tue Wed Thu Fri Sat /)[$t[6]], $t[3],
        (qw/ Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec /)[$t[4]],
        $t[5] + 1900, @t[2, 1, 0];
}

sub http_time ($time) {
    for (my $s = time() - 100; $s < time() + 100; $s++) {
        return $s if http_date($s) eq $time;
    }

    return 0;
}
