#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The modes "markdown" and "text": what of a page is content, converted while
# it streams; the whole page where no template is known; and the page as it is
# where it cannot be converted.

use Encode qw/ encode /;
use IO::Compress::Gzip qw/ gzip /;
use IO::Uncompress::Gunzip qw//;
use Test::Detemplate;

my $t = Test::Detemplate->new();

# the origin's own pages, by path; a second element is the Content-Type

my $p3 = page(3);
my $long = '<p>' . 'a long line of many words ' x 40 . '</p>';
my $russian = "\x{434}\x{43e}\x{43c}";

my %pages = (
    '/rich' => [ '<!DOCTYPE html><html><head><title>T</title></head><body>'
        . '<h1>Head &amp; *more*</h1><p>A <a href="next?a=1&amp;b=2">link</a> '
        . 'and <b>bold</b>.</p><ul><li>one<ul><li>two</li></ul></li></ul>'
        . '<table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>a|b</td></tr>'
        . '</table><pre><code class="language-c">if (a &lt; b)</code></pre>'
        . '<script>nothing();</script></body></html>' ],
    '/koi8' => [ encode('koi8-r', "<p>$russian</p>$long"),
        'text/html; charset=koi8-r' ],
    '/meta' => [ encode('windows-1251', '<meta charset="windows-1251">'
        . "<script charset=x></script><p>$russian</p>") ],
    '/quoted' => [ encode('cp932', "<p>\x{65e5}\x{672c}</p>"),
        "text/html;\tcharset=\"shift_jis\"; v=1" ],
    '/bom' => [ "\xef\xbb\xbf" . encode('utf-8', "<p>$russian</p>"),
        'text/html; charset=koi8-r' ],
    '/utf-16' => [ encode('UTF-16LE', "\x{feff}<p>words</p>") ],
    '/unknown' => [ "<p>words</p>$long", 'text/html; charset=x-klingon' ],
    '/unknown-meta' => [ "<meta charset=x-klingon><p>words</p>$long" ],
    '/json' => [ '{"a":"<p>b</p>"}', 'application/json' ],
    '/xhtml' => [ '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p>'
        . '</body></html>', 'application/xhtml+xml' ],
    '/markdown' => [ "# as it is <b>\n", 'text/markdown' ],
    '/big' => [ join '', map { "<p>$_ of <b>many</b> &lt; words</p>\n" }
        1 .. 40000 ],
    '/cut' => [ "<p>first</p>$long" ],
    '/empty' => [ '' ],
    '/nothing' => [ '<script>nothing();</script>' ],
    '/base' => [ '<base href="https://other.test/d/"><p><a href="x">y</a>'
        . '</p>' ],
    '/canonical' => [ '<title>T</title><link rel="canonical" '
        . 'href="/c?a=<b>&quot;"><p>x</p>' ],
    '/head' => [ '<html lang="de"><title> A "title":&#10;\ &copy; - # {x} '
        . "\x01\xc2\x85\xc2\x9f\xe2\x80\xa8\xef\xbf\xbe \xf0\x9f\x98\x80"
        . '</title><meta name="description" content="d: &quot;e&quot;">'
        . '<meta property="article:published_time" content="2024-05-06">'
        . '<link rel="canonical" href="https://a.test/&quot;"><p>x</p>' ],
    '/last' => [ '<p>it ends in a tag <b' ],
);

$t->configure(
    mode => '$mode',
    http => 'output_buffers 2 32k; gzip_types text/markdown; gzip_vary on;
        detemplate_front off;',
    server => 'etag on; add_header X-Form $detemplate_form;',
    pages => [
        '/pieces/' => 'output_buffers 1 16;',
        '/front/' => '
            detemplate_front on;',
        '/never/' => 'detemplate_bypass $arg_as_it_is;',
    ],
    locations => [
        '/gzip/' => 'alias %%TESTDIR%%/html/; gzip on; gzip_min_length 1;',
        '/url/' => 'proxy_pass %%HTTP_1%%/; detemplate_learn off;
            detemplate_url $http_x_forwarded_proto://$host;',
        '/o/' => 'proxy_pass %%HTTP_1%%/; detemplate_site origin;
            detemplate_learn off;',
        '/of/' => 'proxy_pass %%HTTP_1%%/; detemplate_site origin;
            detemplate_learn off; detemplate_front on;',
        '/unbuffered/' => 'proxy_pass %%HTTP_1%%/; proxy_buffering off;
            detemplate_site origin; detemplate_learn off;',
        '/small/' => 'proxy_pass %%HTTP_1%%/; proxy_buffer_size 512;
            proxy_buffers 2 512; proxy_busy_buffers_size 512;
            detemplate_site origin; detemplate_learn off;',
        '/all/' => 'proxy_pass %%HTTP_1%%/; detemplate_types *;
            detemplate_site origin; detemplate_learn off;',
    ],
);

$t->pages('html');

$t->origin(1, sub ($client, $request) {
    my ($path) = $request =~ m{^\w+ ([^? ]+)};
    my ($slow) = $request =~ /^X-Slow:/mi;
    my ($gzip) = $request =~ /^X-Gzip: (\S+)/mi;
    my ($body, $type) = @{$pages{$path} || return};
    my @lines = ('HTTP/1.1 200 OK', 'Content-Type: '
        . ($type // 'text/html'), 'ETag: "o1"', 'Connection: close',
        'Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT',
        'Accept-Ranges: bytes');

    if ($request =~ /^If-None-Match: .*"o1"/mi) {
        print $client "HTTP/1.1 304 Not Modified\r\nETag: \"o1\"\r\n"
            . "Connection: close\r\n\r\n";
        return;
    }

    push @lines, 'X-Asked: ' . join ' ', $request =~ /^(If-\S+|Range):/mg;

    if ($gzip) {
        my $out;
        gzip(\$body, \$out);
        $body = $gzip eq 'broken' ? "$out" =~ s/^.{20}\K.+//sr : $out;
        push @lines, 'Content-Encoding: gzip';
    }

    push @lines, 'Content-Length: ' . length $body if !$slow;
    print $client join("\r\n", @lines, '', '');

    return if $request =~ /^HEAD/;

    select undef, undef, undef, 0.2 if $request =~ /^X-Late:/mi;

    $slow ? map { print $client $_; select undef, undef, undef, 0.0005 }
        $body =~ /(.{1,7})/sg : print $client $body;
});

$t->run();

sub get ($uri, @fields) {
    return http_get($uri, fields => [ 'X-Mode: markdown', @fields ]);
}

sub gunzip ($in) {
    IO::Uncompress::Gunzip::gunzip(\$in, \my $out);

    return $out;
}

sub plain { http_get($_[0], fields => [ 'X-Mode: text' ]) }

my $type = 'text/markdown; charset=utf-8';

# before there is a template, the whole page is converted

my $r = get('/o/rich');
my $rich = body($r);

has('no template', $r, 'Content-Type' => $type,
    Detemplate => qr/^miss; reason=\S+; mode=markdown$/,
    'Last-Modified' => '', 'Accept-Ranges' => '', 'X-Form' => 'markdown',
    body => qr/^# Head & \\\*more\\?\*$/m,
    body => qr{\[link\]\(http://site\.test:\d+/o/next\?a=1&b=2\)},
    body => qr/^- one\n\n?  - two$/m,
    body => qr/^\| k \| v \|\n\| --- \| --- \|\n\| 1 \| a\\\|b \|$/m,
    body => qr/^```c\nif \(a < b\)\n```$/m, lacks => qr/nothing/);
has('text', plain('/o/rich'), 'Content-Type' => 'text/plain; charset=utf-8',
    'X-Form' => 'text', body => qr/^Head & \*more\*$/m, lacks => qr/http:/);
has('the range is not looked at', get('/o/rich', 'Range: bytes=0-4'),
    body => $rich);
has('nor is the date', get('/o/rich', 'Range: bytes=0-4', 'If-Modified-Since: '
    . 'Mon, 01 Jan 2024 00:00:00 GMT'), 'X-Asked' => '');

for my $where (qw/ unbuffered small /) {
    for my $slow ([ ], [ 'X-Slow: 1' ]) {
        is(body(get("/$where/rich", @$slow)) =~ s{/$where/}{/o/}r, $rich,
            "$where @$slow, the same");
    }
}

# a page that is much longer than all buffers

my $big = join "\n", map { "$_ of **many** < words\n" } 1 .. 40000;

for my $where (qw/ o unbuffered small /) {
    for my $fields ([ ], [ 'X-Gzip: yes' ]) {
        ok(body(get("/$where/big", @$fields)) eq $big,
            "a long page, $where @$fields");
    }
}

my %old = (version => '1.0', fields => ['X-Mode: markdown']);

ok(body(http_get('/o/big', %old)) eq $big, 'a long page, HTTP/1.0');

has('compressed', get('/o/rich', 'X-Gzip: yes'), body => $rich,
    'Content-Encoding' => '');
has('HTTP/1.0', http_get('/o/rich', %old), body => $rich,
    'Content-Length' => length $rich, 'Content-Type' => $type);
has('HEAD', http_head('/o/rich', fields => [ 'X-Mode: markdown' ]), body => '',
    'Content-Length' => '', ETag => '', map { ($_ => field($r, $_)) }
        qw/ Content-Type Detemplate /);
has('HTML', http_get('/o/rich'), 'X-Form' => 'html', Link => '');
has('it passes', get('/o/unknown'), 'X-Form' => 'html');

# charsets

my $utf8 = encode('utf-8', $russian);

has("charset of $_", get("/o/$_"), body => qr/^$utf8\n/)
    for qw/ koi8 meta bom /;
has('charset, slow', get('/small/koi8', 'X-Slow: 1'), body => qr/^$utf8\n/);

# where each buffer is flushed, and the first one has nothing of the page

my @late = ('X-Slow: 1', 'X-Late: 1');

has('charset, flushed', get('/unbuffered/meta', @late), body => qr/^$utf8\n/);
has('utf-16, flushed', get('/unbuffered/utf-16', @late),
    Detemplate => 'bypass; reason=charset');

# for a browser, a meta element with a label of no encoding says nothing

has('unknown-meta', get('/o/unknown-meta'), body => qr/^words\n/);
has('quotes', get('/o/quoted'), body => encode('utf-8', "\x{65e5}\x{672c}\n"));

for my $page (qw/ utf-16 unknown /) {
    for my $fields ([ ], [ 'X-Gzip: yes' ], [ 'X-Slow: 1' ]) {
        $r = get("/o/$page", @$fields);
        has("$page @$fields", $r, Detemplate => 'bypass; reason=charset',
            'Content-Type' => qr{^text/html});

        my $body = body($r);

        $body = gunzip($body) if field($r, 'Content-Encoding') eq 'gzip';
        is($body, $pages{"/$page"}[0], "$page, its bytes");
    }
}

# what is no page, and pages that say to pass

has("$_ passes", get("/all/$_"), Detemplate => 'bypass; reason=type',
    body => $pages{"/$_"}[0]) for qw/ json markdown /;
has('Markdown', get('/o/markdown'), Detemplate => qr/reason=type/);
has('XHTML', get('/o/xhtml'), body => "x\n");
has('bypass', get('/never/p3.html?as_it_is=1'), body => $p3,
    Detemplate => 'bypass; reason=bypass');
has($_, get("/o/$_"), body => '', 'Content-Type' => $type)
    for qw/ empty nothing /;
has('base', get('/o/base'), body => "[y](https://other.test/d/x)\n");
has('an open tag', get('/o/last'), body => qr/^it ends in a tag/);
has('TLS ends before us', get('/url/rich', 'X-Forwarded-Proto: https'),
    body => qr{\(https://site\.test/});

# links to the page itself

my $base = 'http://site.test:' . $t->port(0);

has('the URL', get('/o/rich?a=>"'),
    Link => "<$base/o/rich?a=%3E%22>; rel=\"canonical\"");
has('what the page says', get('/o/canonical'),
    Link => "<$base/c?a=%3Cb%3E%22>; rel=\"canonical\"");
has('compressed', get('/o/rich', 'X-Gzip: yes'),
    Link => field(get('/o/rich'), 'Link'));

# conditions, without a template

my $tag = field(get('/o/rich'), 'ETag');

like($tag, qr{^"dt-[0-9a-f]{16}"$}, 'tag');
has('tag matches', get('/o/rich', "If-None-Match: $tag"), status => 304,
    ETag => $tag);
has('tag of the page itself', get('/o/rich', 'If-None-Match: "o1"'),
    status => 200);
has('tag of another mode', http_get('/o/rich', fields => [ 'X-Mode: text',
    "If-None-Match: $tag" ]), status => 200);

# with a template

$r = $t->learn('/p3.html', fields => [ 'X-Mode: markdown' ]);
$t->idle();
$r = get('/p3.html');
my $md = body($r);

has('hit', $r, 'Content-Type' => $type,
    Detemplate => qr/^hit; mode=markdown; version=\d+; settled(?:=\?0)?$/,
    ETag => qr{^"dt-[0-9a-f]{16}"$},
    lacks => qr/Chapter \d|almanac|<\w/);

for my $p (($p3 =~ m{<main>(.*)</main>}s)[0] =~ m{<p>(.*?)</p>}g) {
    ok(index($md, "$p\n") >= 0, 'a paragraph');
}

my $second = field($r, 'ETag');

has('tag matches', get('/p3.html', "If-None-Match: $second"), status => 304);
has('hit, HEAD', http_head('/p3.html', fields => [ 'X-Mode: markdown' ]),
    ETag => '', map { ($_ => field($r, $_)) } qw/ Content-Type Detemplate /);

my ($front, $rest) = body(get('/front/p3.html'))
    =~ /^(---\n.*?\n---\n)\n(.*)/s;
my ($title) = $p3 =~ m{<title>(.*)</title>};

is($rest, $md =~ s{/p}{/front/p}gr, 'front matter, the rest is the same');
is($front, qq{---\ntitle: "$title"\nurl: "$base/front/p3.html"\n}
    . qq{description: null\nlanguage: "en"\ndate: null\nsource: null\n---\n},
    'front matter');

# each value is a string of JSON, and so of YAML, whatever the page says

my %head = map { /^(\w+): (".*")$/ ? ($1, decode_json("[$2]")->[0]) : () }
    split /\n/, body(get('/of/head'));

is_deeply(\%head, {
    title => qq{A "title": \\ \xa9 - # {x} \x{1f600}},
    url => 'https://a.test/%22',
    description => 'd: "e"',
    language => 'de',
    date => '2024-05-06',
}, 'front matter, all of it');
has('text', plain('/front/p3.html'), lacks => qr/^---/);
is(body(get('/pieces/p3.html')) =~ s{/pieces/}{/}gr, $md, 'in pieces');
has('as text', plain('/p3.html'), body => qr/^\w[^\[\]#*]+$/);
has('behind us', get('/gzip/p3.html', 'Accept-Encoding: gzip'),
    'Content-Encoding' => 'gzip');

# gzip that breaks is passed as it came

has('a broken page', get('/o/cut', 'X-Gzip: broken'),
    Detemplate => 'error; reason=encoding', 'Content-Encoding' => 'gzip',
    'Content-Type' => qr{^text/html});

# many at once and again, in the memory that they leave

has('again', get('/p3.html'), body => $md) for 1 .. 3;

$t->done();
