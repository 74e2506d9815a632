#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Each of conf-examples/*.conf does what its comments say.

use Test::Detemplate;

my $www = 'www.example.com';
my ($t, $r);

# a proxy in front of an application that compresses whenever a client accepts
# it

example('proxy', [ '127\.0\.0\.1:8000', '127.0.0.1:%%PORT_1%%' ],
    [ '/var/log/nginx/indexing', '%%TESTDIR%%/indexing' ]);
application(compresses => 1);
$t->run();

my @indexer = (host => $www,
    fields => ['Detemplate: strip', 'Accept-Encoding: gzip, br']);

$r = $t->learn('/p3.html', @indexer);
ok($r, 'proxy, learned');
lacks($r, qr/<nav|compressed/, 'proxy, stripped, for an indexer');

$r = http_get('/p3.html', host => $www,
    fields => ['Accept-Encoding: gzip, br']);
is(body($r), page(3), 'proxy, whole for readers');
is(field($r, 'Detemplate'), '', 'proxy, without a field');
unlike($t->read_file('asked.log'), qr/^Detemplate:/mi,
    'proxy, the trigger is not passed on');
is(field(http_get('/p3.html', @indexer, fields => ['Detemplate: strip',
    'Cookie: session=1']), 'Detemplate'), 'bypass; reason=bypass',
    "proxy, nothing is learned from a user's request");

example('minimal');
$t->run();

is(body(http_get('/p3.html', host => $www)), page(3), 'minimal, first');
$r = $t->learn('/p3.html', host => $www);
lacks($r, qr/<nav/, 'minimal, then stripped');

example('preview');
$t->run();

$r = http_get('/p3.html?detemplate=preview', host => $www);
like(body($r), qr/<header data-detemplate/, 'preview, the first look');
like(body(http_get('/p3.html', host => $www,
    fields => ['Cookie: detemplate=preview'])), qr/data-detemplate/,
    'preview, by a cookie');

$r = http_get('/p3.html', host => $www);
is(body($r), page(3), 'preview, whole for readers');
is(field($r, 'Vary'), 'Cookie',
    'preview, page and preview have different entity tags');
like(body(http_get('/status?format=html', host => $www)),
    qr/\?detemplate=preview">/, 'preview, links to it');

example('search');
$t->pages('html/articles');
$t->write_file('html/downloads/p1.html', page(1));
$t->write_file('html/index.html', page(9));
$t->run();

$r = http_get('/articles/p3.html', host => $www);
like(body($r), qr/<header data-template/,
    'search, first request waits for the template');
is(unmarked(body($r)), page(3), 'search, page is unchanged except for marks');
like(detemplate('/', host => $www),
    qr/^hit; mode=annotate; version=\d+; links=keep; settled(?:=\?0)?$/,
    'search, the front page keeps links');
is(detemplate('/downloads/p1.html', host => $www), '', 'search, downloads');

# the indexer is on the loopback here

example('agents', [ '192\.0\.2\.0/24 +1', '127.0.0.2 1' ]);
$t->write_file('html/own.md', "# As <b>it is\n");
$t->write_file('html/style.css', '');
$t->write_file('html/a.png', '');
$t->run();

my $asks = sub ($uri, $accept, @fields) {
    return http_get($uri, host => $www,
        fields => [ "Accept: $accept", @fields ]);
};

$r = $asks->('/p3.html', 'text/html, */*;q=0.8');
is(body($r), page(3), 'agents, readers get the page');
like(body(http_get('/p3.html.md', host => $www)), qr/^# /m,
    'agents, Markdown by its URL');
like(field($asks->('/p3.html', 'text/markdown'), 'ETag'), qr/^"dt-/,
    'agents, tag of what is sent');
is(field(http_get('/style.css', host => $www), 'Content-Type'), 'text/css',
    'agents, a style sheet has its type');
is(field(http_get('/own.md', host => $www), 'Content-Type'), 'text/markdown',
    'agents, Markdown of its own');
is(field(http_get('/a.png', host => $www), 'Content-Type'), 'image/png',
    'agents, a picture has its type');
is(field($r, 'Vary'), 'Accept', 'agents, caches are told');
like(field($r, 'Link'), qr{^<.*/p3\.html\.md>; rel="alternate"},
    'agents, readers are told');
is(field($r, 'Cache-Control'), '', 'agents, readers share a cache');

$r = $t->learn('/p3.html', host => $www,
    fields => [ 'Accept: text/markdown' ]);
like(body($r), qr/^---\ntitle: "Page 3.*?^# \w+ \w+/ms, 'agents, Markdown');
unlike(body($r), qr/Chapter|<\w/, 'agents, without template');
is(field($r, 'Cache-Control'), 'private', 'agents, no CDN stores it');
is(field($r, 'Vary'), 'Accept', 'agents, caches are told as well');

$r = indexer_get('/p3.html');
like(body($r), qr/<nav|<header data-template/, 'agents, the indexer');
is(unmarked(body($r)) =~ s/<link rel="alternate" .*?>//r, page(3),
    'agents, the indexer gets marks');
is(field($r, 'Cache-Control'), 'private', 'agents, no CDN stores them');

$r = $asks->('/p3.html', 'text/markdown', 'Cookie: session=1');
is(body($r), page(3), "agents, a user's page passes");
is(field($r, 'Cache-Control'), '', "agents, which it is");

$r = $asks->('/own.md', 'text/markdown');
is(body($r), "# As <b>it is\n", 'agents, Markdown of its own');

example('sites');
$t->pages("html/$_") for qw/ en fr /;
$t->run();

for (qw{ www.example.com/p3.html example.com/p3.html
    ann.blogs.example.com/p3.html shop.example.com/en/p3.html })
{
    my ($host, $uri) = m{^(.*?)(/.*)};
    ok($t->learn($uri, host => $host), "sites, $_");
}

is(join(' ', sort map { $_->{site} } @{$t->status_json()->{sites}}),
    'blog-ann example shop/en', 'sites, by their names');

for my $uri (qw{ /p3.html /en/p3.html /fr/p3.html }) {
    $r = http_get($uri, host => 'evil.example');
    is(field($r, 'Detemplate'), 'bypass; reason=site',
        "sites, without a name, $uri");
}

# here the cache keeps a page for a second instead of a minute

example('cached', [ '127\.0\.0\.1:8081', '127.0.0.1:%%PORT_1%%' ],
    [ '/var/cache/detemplate', '%%TESTDIR%%/pages' ],
    [ 'proxy_cache_valid +200 1m', 'proxy_cache_valid 200 1s' ]);
$t->run();

my @strip = (host => $www, fields => ['Detemplate: strip']);

$r = http_get('/p3.html', @strip);
is(body($r), page(3), 'cached, first');
is(field($r, 'X-Cache'), 'MISS', 'cached, first, not kept');

ok($t->learn('/p3.html', @strip), 'cached, learned');
$t->idle();

my $strip = body(http_get('/p4.html', @strip));
unlike($strip, qr/<nav/, 'cached, stripped');

$r = http_get('/p4.html', @strip);
is(field($r, 'X-Cache'), 'HIT', 'cached, from the cache');
is(body($r), $strip, 'cached, from the cache, body');
is(field($r, 'Content-Length'), length $strip, 'cached, with its length');
like(field($r, 'ETag'), qr{^W/".*;dt=.*-strip"$}, 'cached, entity tag');

my $tag = field($r, 'ETag');

$r = http_get('/p4.html', host => $www,
    fields => ['Detemplate: strip', "If-None-Match: $tag"]);
is(status_of($r), 304, 'cached, not modified');
is(field($r, 'X-Cache'), 'HIT', 'cached, not modified, by the cache');

$r = http_head('/p4.html', @strip);
is(field($r, 'X-Cache'), 'HIT', 'cached, HEAD');
is(field($r, 'ETag'), $tag, 'cached, HEAD, entity tag');

$r = http_get('/p4.html', host => $www,
    fields => ['Detemplate: strip', 'Range: bytes=0-9']);
is(status_of($r), 200, 'cached, a range of a stripped page is the whole');
is(body($r), $strip, 'cached, range, body');

$r = http_get('/p4.html', host => $www, fields => ['Detemplate: annotate']);
is(field($r, 'X-Cache'), 'MISS', 'cached, another mode');
is(unmarked(body($r)), page(4), 'cached, another mode, body');
is(body(http_get('/p4.html', host => $www)), page(4), 'cached, no mode');
is(body(http_get('/p4.html', host => $www)), page(4), 'cached, no mode, kept');

soon {
    return field(http_get('/p4.html', @strip), 'X-Cache') eq 'REVALIDATED';
} 'cached, after its time, revalidated', 5;

# another template gives a page another entity tag

$t->write_file("html/odd$_.html", '<html><body><div class="odd">'
    . '<p>These words stand on each odd page of this place.</p></div>'
    . "<p>Odd page $_ has a word of its own, which is w$_.</p>"
    . join('', map { "<a href=\"/odd$_.html\">$_</a>" } 1 .. 6)
    . '</body></html>') for 1 .. 6;
http_get("/odd$_.html", @strip) for 1 .. 6;

soon {
    return field(http_get('/p4.html', @strip), 'ETag') ne $tag;
} 'cached, a new template replaces the page', 20;
is(body(http_get('/p4.html', @strip)), $strip, 'cached, new template, body');

example('fleet',
    [ 'redis://127\.0\.0\.1:6379', 'redis://127.0.0.1:%%PORT_4%%' ],
    [ '127\.0\.0\.1:8000', '127.0.0.1:%%PORT_1%%' ],
    [ 'listen +127\.0\.0\.1:8081', 'listen 127.0.0.1:%%PORT_2%%' ],
    [ '127\.0\.0\.1:8081', '127.0.0.1:%%PORT_2%%' ]);
application();
$t->run();

$r = $t->learn('/p3.html', host => $www);
ok($r, 'fleet, learned while Redis is away');
lacks($r, qr/<nav/, 'fleet, stripped');

$t->done();

# an example as a file of conf.d, with nothing changed but what cannot be the
# same here

sub example ($name, @changes) {
    $t->no_alerts() if $t;
    $t = Test::Detemplate->new();
    $t->pages('html');

    my $conf = "%%TEST_GLOBALS%%\nevents { }\nhttp {\n"
        . slurp("$TOP/conf-examples/$name.conf") . "\n}\n";

    for ([ 'detemplate_path [^;]+;', '%%TEST_GLOBALS_HTTP%%' ],
        [ 'listen +8080', 'listen 127.0.0.1:%%PORT_0%%' ],
        @changes)
    {
        $conf =~ s/$_->[0]/$_->[1]/g or die "$name: no $_->[0]";
    }

    $conf =~ s{root +html}{root %%TESTDIR%%/html}g;
    $conf =~ s{/detemplate-status}{/status};

    # additions for the tests, where the example lacks them

    $conf =~ s/^ *server \{\n/$&location = \/status {
        detemplate off; detemplate_status; }\n/m if $conf !~ m{\/status};

    $t->write_file_expand('nginx.conf', $conf);
}

# a request from another address of this machine

sub indexer_get ($uri) {
    my $s = IO::Socket::INET->new(Proto => 'tcp', LocalAddr => '127.0.0.2',
        PeerAddr => '127.0.0.1:' . $t->port(0)) or die "indexer: $!\n";

    return http_get($uri, host => $www, socket => $s);
}

sub application {
    my (%how) = @_;

    $t->origin(1, sub ($s, $request) {
        my ($uri) = $request =~ m{^\S+ (\S+)} or return;

        $t->append_file('asked.log', $request);
        print $s $how{compresses} && $request =~ /^Accept-Encoding: \S/mi
            ? response('compressed', 'Content-Encoding: br')
            : response($t->read_file("html$uri"));
    });
}
