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

has('proxy, for an indexer', $t->learn('/p3.html', @indexer),
    lacks => qr/<nav|compressed/);
gets([ 'proxy, for readers', '/p3.html', { host => $www,
    fields => ['Accept-Encoding: gzip, br'] }, body => page(3),
    Detemplate => '' ]);
unlike($t->read_file('asked.log'), qr/^Detemplate:/mi,
    'proxy, the trigger is not passed on');
gets([ "proxy, nothing is learned from a user's request", '/p3.html', {
    @indexer, fields => ['Detemplate: strip', 'Cookie: session=1'] },
    Detemplate => 'bypass; reason=bypass' ]);

my %www = (host => $www);

example('minimal');
$t->run();

gets([ 'minimal, first', '/p3.html', \%www, body => page(3) ]);
has('minimal, then', $t->learn('/p3.html', %www), lacks => qr/<nav/);

example('preview');
$t->run();

gets(
    [ 'preview, the first look', '/p3.html?detemplate=preview', \%www,
        body => qr/<header data-detemplate/ ],
    [ 'preview, by a cookie', '/p3.html', { %www,
        fields => ['Cookie: detemplate=preview'] },
        body => qr/data-detemplate/ ],
    [ 'preview, for readers', '/p3.html', \%www, body => page(3),
        Vary => 'Cookie' ],
    [ 'preview, links to it', '/status?format=html', \%www,
        body => qr/\?detemplate=preview">/ ],
);

example('search');
$t->pages('html/articles');
$t->write_file('html/downloads/p1.html', page(1));
$t->write_file('html/index.html', page(9));
$t->run();

$r = http_get('/articles/p3.html', %www);
like(body($r), qr/<header data-template/,
    'search, first request waits for the template');
is(unmarked(body($r)), page(3), 'search, page is unchanged except for marks');
gets(
    [ 'search, the front page keeps links', '/', \%www, Detemplate =>
        qr/^hit; mode=annotate; version=\d+; links=keep; settled(?:=\?0)?$/ ],
    [ 'search, downloads', '/downloads/p1.html', \%www, Detemplate => '' ],
);

# the indexer is on the loopback here

example('agents', [ '192\.0\.2\.0/24 +1', '127.0.0.2 1' ]);
$t->write_file('html/own.md', "# As <b>it is\n");
$t->write_file('html/style.css', '');
$t->write_file('html/a.png', '');
$t->run();

my @md = 'Accept: text/markdown';

gets(
    [ 'agents, readers', '/p3.html', { %www,
        fields => ['Accept: text/html, */*;q=0.8'] }, body => page(3),
        Vary => 'Accept', 'Cache-Control' => '',
        Link => qr{^<.*/p3\.html\.md>; rel="alternate"} ],
    (map { [ "agents, Markdown by its URL, $_", $_, \%www, body => qr/^# /m,
        Vary => '', 'Cache-Control' => '' ] } '/p3.html.md', '/p3.md'),
    [ 'agents, a clean URL', '/p3', { %www, fields => \@md }, status => 200,
        body => qr/^# /m, Vary => 'Accept' ],
    [ 'agents, tag of what is sent', '/p3.html', { %www, fields => \@md },
        ETag => qr/^"dt-/ ],
    [ 'agents, a style sheet', '/style.css', \%www,
        'Content-Type' => 'text/css' ],
    [ 'agents, Markdown of its own', '/own.md', \%www,
        'Content-Type' => 'text/markdown' ],
    [ 'agents, a picture', '/a.png', \%www, 'Content-Type' => 'image/png' ],
);

has('agents, learned', $t->learn('/p3.html', %www, fields => \@md),
    body => qr/^---\ntitle: "Page 3.*?^# \w+ \w+/ms, lacks => qr/Chapter|<\w/,
    'Cache-Control' => '', Vary => 'Accept');

$r = indexer_get('/p3.html');
has('agents, the indexer', $r, body => qr/<nav|<header data-template/,
    'Cache-Control' => 'private');
is(unmarked(body($r)) =~ s/<link rel="alternate" .*?>//r, page(3),
    'agents, the indexer gets marks');

gets(
    [ "agents, a user's page passes", '/p3.html', { %www,
        fields => [ @md, 'Cookie: session=1' ] }, body => page(3),
        'Cache-Control' => '' ],
    [ 'agents, Markdown of its own', '/own.md', { %www, fields => \@md },
        body => "# As <b>it is\n" ],
);

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
gets(map { [ "sites, without a name, $_", $_, { host => 'evil.example' },
    Detemplate => 'bypass; reason=site' ] }
    qw{ /p3.html /en/p3.html /fr/p3.html });

# here the cache keeps a page for a second instead of a minute

example('cached', [ '127\.0\.0\.1:8081', '127.0.0.1:%%PORT_1%%' ],
    [ '/var/cache/detemplate', '%%TESTDIR%%/pages' ],
    [ 'proxy_cache_valid +200 1m', 'proxy_cache_valid 200 1s' ]);
$t->run();

my @strip = (%www, fields => ['Detemplate: strip']);

gets([ 'cached, first, not kept', '/p3.html', { @strip }, body => page(3),
    'X-Cache' => 'MISS' ]);

ok($t->learn('/p3.html', @strip), 'cached, learned');
$t->idle();

my $strip = body(http_get('/p4.html', @strip));
unlike($strip, qr/<nav/, 'cached, stripped');

$r = http_get('/p4.html', @strip);
has('cached, from the cache', $r, 'X-Cache' => 'HIT', body => $strip,
    'Content-Length' => length $strip, ETag => qr{^"dt-});

my $tag = field($r, 'ETag');

gets(
    [ 'cached, not modified', '/p4.html', { %www,
        fields => ['Detemplate: strip', "If-None-Match: $tag"] },
        status => 304, 'X-Cache' => 'HIT' ],
    [ 'cached, HEAD', '/p4.html', { method => 'HEAD', @strip },
        'X-Cache' => 'HIT', ETag => $tag ],
    [ 'cached, a range of a stripped page is the whole', '/p4.html', { %www,
        fields => ['Detemplate: strip', 'Range: bytes=0-9'] }, status => 200,
        body => $strip ],
);

$r = http_get('/p4.html', %www, fields => ['Detemplate: annotate']);
is(field($r, 'X-Cache'), 'MISS', 'cached, another mode');
is(unmarked(body($r)), page(4), 'cached, another mode, body');
gets(map { [ "cached, no mode, $_", '/p4.html', \%www, body => page(4) ] }
    1, 2);

soon { field(http_get('/p4.html', @strip), 'X-Cache') eq 'REVALIDATED' }
    'cached, after its time, revalidated', 5;

# another template that makes the same of a page leaves its entity tag

$t->write_file("html/odd$_.html", '<html><body><div class="odd">'
    . '<p>These words stand on each odd page of this place.</p></div>'
    . "<p>Odd page $_ has a word of its own, which is w$_.</p>"
    . join('', map { "<a href=\"/odd$_.html\">$_</a>" } 1 .. 6)
    . '</body></html>') for 1 .. 6;
http_get("/odd$_.html", @strip) for 1 .. 6;

$t->idle();
has('cached, new template', http_get('/p4.html', @strip), body => $strip,
    ETag => $tag);

# the same with Markdown: one copy for each form, however "Accept" is written

example('agents-cached', [ '127\.0\.0\.1:8081', '127.0.0.1:%%PORT_1%%' ],
    [ '/var/cache/detemplate', '%%TESTDIR%%/forms' ]);
$t->run();

my @accept = map { "Accept: $_" } 'text/markdown', 'text/html, */*;q=0.8',
    'text/html;q=0.5, text/markdown', '*/*', 'text/markdown;q=0, text/html';
my %form = (0 => 'Markdown', 2 => 'Markdown');

ok($t->learn('/p3.html', %www, fields => [ $accept[0] ]),
    'agents, cached, learned');
$t->idle();

for my $i (0 .. $#accept) {
    my $form = $form{$i} // 'HTML';
    my $first = $i < 2 ? 'MISS' : 'HIT';

    gets([ "agents, cached, $accept[$i]", '/p4.html', { %www,
        fields => [ $accept[$i] ] }, 'X-Cache' => $first, Vary => 'Accept',
        body => $form eq 'HTML' ? page(4) : qr/^# /m ]);
}

gets(
    [ 'agents, cached, by its URL', '/p4.html.md', \%www, body => qr/^# /m,
        'X-Cache' => 'MISS' ],
    [ "agents, cached, a user's page passes", '/p4.html', { %www,
        fields => [ $accept[0], 'Cookie: session=1' ] }, body => page(4),
        'X-Cache' => 'BYPASS' ],
    [ 'agents, cached, and is not kept', '/p4.html', { %www,
        fields => [ $accept[0] ] }, 'X-Cache' => 'HIT', body => qr/^# /m ],
);

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

# the profile of AppArmor is one, where its parser is here

SKIP: {
    skip('no apparmor_parser', 1) if !-x '/sbin/apparmor_parser';

    is(`/sbin/apparmor_parser -Q -K -S \\
        $TOP/conf-examples/apparmor/usr.sbin.nginx 2>&1 >/dev/null`
        =~ s/^Cache read.*\n//mr, '', 'profile of AppArmor');
}

# who is logged in, by the recipe for PHP: not who only has a session

my ($map) = slurp("$TOP/doc/recipes.md") =~ /^(map \$http_cookie.*?^\})/ms;
my $hash = '0123456789abcdef' x 2;

$t->no_alerts();
$t = Test::Detemplate->new();
$t->configure(http => $map, server => 'detemplate_bypass $logged_in;');
$t->pages('html');
$t->run();
ok($t->learn('/p3.html'), 'PHP, learned');

for ([ 'DokuWiki=abc', 'hit' ], [ "DW$hash=abc", 'bypass' ],
    [ "PHPSESSID=1; DW$hash=abc", 'bypass' ], [ "x=DW$hash=a", 'hit' ],
    [ 'wordpress_test_cookie=1; wp-settings-1=a', 'hit' ],
    [ "a=b;wordpress_logged_in_$hash=ann", 'bypass' ],
    [ 'my_wiki_session=1', 'hit' ], [ 'my_wikiUserID=7', 'bypass' ])
{
    my ($cookie, $want) = @$_;
    like(detemplate('/p3.html', fields => ["Cookie: $cookie"]), qr/^$want;/,
        "PHP, $cookie");
}

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
