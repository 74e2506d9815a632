#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What decides the bytes of a page is in its entity tag: each directive that
# does, and each property of a request.  A directive that is not in one of the
# lists here fails the test.

use Socket qw/ CRLF /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

# two settings of a directive that give two bodies; "mode" stands for the rest

my %decides = (
    detemplate => [ 'strip', 'annotate' ],
    detemplate_links => [ 'strip; detemplate_links cut',
        'strip; detemplate_links keep' ],
    detemplate_cut => [ 'strip; detemplate_cut bold',
        'strip; detemplate_cut cautious' ],
    detemplate_marks => [ 'annotate; detemplate_marks nosnippet',
        'annotate; detemplate_marks pagefind' ],
    detemplate_keep => [ 'strip', 'strip; detemplate_keep footer' ],
    detemplate_force => [ 'strip', 'strip; detemplate_force h1' ],
    detemplate_front => [ 'markdown', 'markdown; detemplate_front off' ],
    detemplate_hidden => [ 'markdown', 'markdown; detemplate_hidden keep' ],
    detemplate_llms => [ 'markdown', 'markdown; detemplate_llms on' ],
    detemplate_anchors => [ 'markdown', 'markdown; detemplate_anchors on' ],
    detemplate_suffix => [ 'strip', 'strip; detemplate_suffix .md' ],
    detemplate_accept => [ 'strip',
        'strip; detemplate_accept markdown' ],
    detemplate_url => [ 'markdown; detemplate_url $http_x_forwarded_proto://a',
        'markdown; detemplate_url https://www.example.com' ],
    detemplate_site => [ 'markdown', 'markdown; detemplate_site other.test' ],
);

# these decide which template there is, and its bytes are in the tag

my @template = qw/ detemplate_zone detemplate_path detemplate_redis
    detemplate_learners detemplate_program detemplate_origin
    detemplate_candidates detemplate_votes detemplate_loads detemplate_valid
    detemplate_refresh detemplate_wait detemplate_learn detemplate_robots
    detemplate_connections detemplate_learner_address detemplate_detector /;

# these decide whether a page is rewritten: if not, the tag is the origin's

my @whether = qw/ detemplate_types detemplate_bypass /;

# and these change no page

my @nothing = qw/ detemplate_hold detemplate_vary
    detemplate_status detemplate_control /;

my @names = keys %decides;
my %locations = map {
    my ($name, $i) = ($_ =~ /(.*) (\d)/);
    ("$name-$i" => "detemplate $decides{$name}[$i];")
} map { ("$_ 0", "$_ 1") } @names;

$t->configure(
    http => 'detemplate_loads 8;',
    name => 'site.test www.site.test',
    server => 'location = /llms.txt { types { text/plain txt; } }',
    pages => [ map { ("/$_/" => $locations{$_}) } sort keys %locations ],
    servers => [{ name => 'redirect.test', listen => [2],
        pages => [ '/' => 'detemplate_site localhost; detemplate markdown;',
            '/named/' => 'server_name_in_redirect on; detemplate markdown;',
            '/port/' => 'port_in_redirect off; detemplate markdown;' ] }],
);

# a footer of which only the shape repeats is cut by "bold" only

$t->write_file("html/p$_.html", page($_) =~ s{(<footer>)}
    {$1<nav><a href="/n$_">Next to $_</a> <a href="/m$_">Before $_</a></nav>}r
    =~ s{(?=</main>)}{<p hidden>Unseen $_</p>}r =~ s{<h1}{<h1 id="h"}r)
    for 1 .. 8;
$t->write_file('html/llms.txt', "# Site\n");

$t->run();

# the directives as they are documented, which "make lint" compares with those
# that there are

my @documented = grep { /^detemplate/ } map { /^## (\w+)$/ ? $1 : () }
    split /\n/, slurp("$TOP/doc/directives.md");

cmp_ok(scalar @documented, '>', 25, 'directives');
is(join(' ', sort @names, @template, @whether, @nothing),
    join(' ', sort @documented), 'all are in a list');

ok($t->learn('/detemplate-0/p3.html'), 'learned');

$t->idle();

for my $name (sort @names) {
    my @r = map { get("/$name-$_/p3.html", 'Accept: text/markdown') } 0, 1;

    isnt(body($r[0]), body($r[1]), "$name, another body")
        or next;
    isnt(field($r[0], 'ETag'), field($r[1], 'ETag'), "$name, another tag");
    has("$name, tag $_", get("/$name-1/p3.html", 'Accept: text/markdown',
        'If-None-Match: ' . field($r[$_], 'ETag')),
        status => $_ ? 304 : 200) for 0, 1;
}

# the request

my @markdown = '/detemplate_front-0/p3.html';
my $usual = get(@markdown);
my %requests = (
    'another name' => [ host => 'www.site.test' ],
);

for my $title (sort keys %requests) {
    my $r = http_get(@markdown, @{$requests{$title}});

    isnt(body($r), body($usual), "$title, another body");
    isnt(field($r, 'ETag'), field($usual, 'ETag'), "$title, another tag");
}

# behind a proxy that ends TLS, as its field says

my $url = '/detemplate_url-0/p3.html';
my %by = map {
    ($_ => http_get($url, fields => $_ ? [ "X-Forwarded-Proto: $_" ] : []))
} '', 'http', 'https', 'HTTPS', 'ftp', 'https, http', '"', 'https://b';

is(join(' ', map { (body($by{$_}) =~ m{^url: "(.*?//[^/:]+)}m)[0] // '' }
    sort keys %by), 'http://site.test http://site.test HTTPS://a '
    . 'http://site.test http://a https://a http://site.test http://site.test',
    'a proxy, the URL');
is(join(' ', sort { $a cmp $b } map { field($_, 'Vary') } values %by),
    join(' ', ('X-Forwarded-Proto') x 8), 'a proxy, Vary');
isnt(field($by{http}, 'ETag'), field($by{https}, 'ETag'),
    'a proxy, another tag');
is(field(http_get(@markdown, fields => [ 'X-Forwarded-Proto: https' ]), $_),
    field($usual, $_), "what nothing is said of, $_") for qw/ ETag Vary /;

# what a client says of the port counts as little as for redirects

my $own = $t->port(0);

for my $host ("site.test:81", "site.test:$own", "SITE.test.") {
    my $r = http_get(@markdown, host => $host);

    is(body($r), body($usual), "Host: $host, the same body");
}

like(body($usual), qr{^url: "http://site\.test:$own/}m, 'port of the server');
is(body(http('GET http://site.test:81/detemplate_front-0/p3.html HTTP/1.1'
    . CRLF . 'Host: www.site.test:82' . CRLF . 'Connection: close' . CRLF
    . CRLF)), body($usual), 'absolute URI');

my ($port) = $t->port(2);

for ([ '/p3.html', 'other.test', "http://other.test:$port" ],
    [ '/named/p3.html', 'other.test:8', "http://redirect.test:$port" ],
    [ '/port/p3.html', 'other.test:8', 'http://other.test' ])
{
    my ($uri, $host, $url) = @$_;
    my $r = http_get($uri, host => $host, port => $port);
    like(body($r), qr{^url: "\Q$url$uri\E"$}m, "as redirects, $uri");
}

# bytes of a request that are not UTF-8

for my $bytes ("\xff\xfe", "\xc3", '<">', "a\x80b", "\xed\xa0\x80") {
    my $r = body(get("$markdown[0]?$bytes"));
    my $link = field(get("$markdown[0]?$bytes"), 'Link');
    my $encoded = $bytes =~ s/([^ -~]|[<>"])/sprintf '%%%02X', ord $1/ger;

    like($r, qr{^url: "http://site\.test:$own\Q$markdown[0]?$encoded\E"$}m,
        "percent-encoded, $encoded");
    like($link, qr{\?\Q$encoded\E>}, "as in Link, $encoded");
    ok(utf8::decode(my $copy = $r), "UTF-8, $encoded");
}

$t->done();

sub get { http_get($_[0], fields => [ @_[1 .. $#_] ]) }
