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

is(field($r, 'Content-Type'), $type, 'type');
like(field($r, 'Detemplate'), qr/^miss; reason=\S+; mode=markdown$/,
    'no template');
like($rich, qr/^# Head & \\\*more\\?\*$/m, 'heading, escaped');
like($rich, qr{\[link\]\(http://site\.test:\d+/o/next\?a=1&b=2\)},
    'absolute link');
like($rich, qr/^- one\n\n?  - two$/m, 'lists');
like($rich, qr/^\| k \| v \|\n\| --- \| --- \|\n\| 1 \| a\\\|b \|$/m, 'table');
like($rich, qr/^```c\nif \(a < b\)\n```$/m, 'code');
unlike($rich, qr/nothing/, 'no script');

$r = plain('/o/rich');

is(field($r, 'Content-Type'), 'text/plain; charset=utf-8', 'text, type');
like(body($r), qr/^Head & \*more\*$/m, 'text, heading');
unlike(body($r), qr/http:/, 'text, no link');

is(field(get('/o/rich'), 'Last-Modified'), '', 'no date');
is(field(get('/o/rich'), 'Accept-Ranges'), '', 'no ranges');
is(body(get('/o/rich', 'Range: bytes=0-4')), $rich, 'range is not looked at');
is(field(get('/o/rich', 'Range: bytes=0-4', 'If-Modified-Since: '
    . 'Mon, 01 Jan 2024 00:00:00 GMT'), 'X-Asked'), '', 'nor is the date');

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

ok(body(http_get('/o/big', version => '1.0', fields => ['X-Mode: markdown']))
    eq $big, 'a long page, HTTP/1.0');

is(body(get('/o/rich', 'X-Gzip: yes')), $rich, 'compressed');
is(field(get('/o/rich', 'X-Gzip: yes'), 'Content-Encoding'), '', 'no coding');

$r = http_get('/o/rich', version => '1.0', fields => ['X-Mode: markdown']);
is(body($r), $rich, 'HTTP/1.0, the same');
is(field($r, 'Content-Length'), length $rich, 'HTTP/1.0, length');
is(field($r, 'Content-Type'), $type, 'HTTP/1.0, type');

my $h = http_request('HEAD', '/o/rich', fields => [ 'X-Mode: markdown' ]);
is(field($h, $_), field(get('/o/rich'), $_), "HEAD, $_")
    for qw/ Content-Type ETag Detemplate /;
is(body($h), '', 'HEAD, no body');
is(field($h, 'Content-Length'), '', 'HEAD, no length');

is(field(get('/o/rich'), 'X-Form'), 'markdown', 'form, Markdown');
is(field(plain('/o/rich'), 'X-Form'), 'text', 'form, text');
is(field(http_get('/o/rich'), 'X-Form'), 'html', 'form, HTML');
is(field(get('/o/unknown'), 'X-Form'), 'html', 'form, it passes');

# charsets

my $utf8 = encode('utf-8', $russian);

like(body(get("/o/$_")), qr/^$utf8\n/, "charset of $_")
    for qw/ koi8 meta bom /;
like(body(get('/small/koi8', 'X-Slow: 1')), qr/^$utf8\n/, 'charset, slow');

# where each buffer is flushed, and the first one has nothing of the page

my @late = ('X-Slow: 1', 'X-Late: 1');

like(body(get('/unbuffered/meta', @late)), qr/^$utf8\n/, 'charset, flushed');
is(field(get("/unbuffered/$_", @late), 'Detemplate'),
    'bypass; reason=charset', "$_ passes, flushed") for qw/ utf-16 /;

# for a browser, a meta element with a label of no encoding says nothing

like(body(get('/o/unknown-meta')), qr/^words\n/, 'unknown-meta');

is(body(get('/o/quoted')), encode('utf-8', "\x{65e5}\x{672c}\n"),
    'charset in quotes');

for my $page (qw/ utf-16 unknown /) {
    for my $fields ([ ], [ 'X-Gzip: yes' ], [ 'X-Slow: 1' ]) {
        $r = get("/o/$page", @$fields);

        is(field($r, 'Detemplate'), 'bypass; reason=charset',
            "$page @$fields passes");
        like(field($r, 'Content-Type'), qr{^text/html}, "$page, type");

        my $body = body($r);

        $body = gunzip($body) if field($r, 'Content-Encoding') eq 'gzip';
        is($body, $pages{"/$page"}[0], "$page, its bytes");
    }
}

# what is no page, and pages that say to pass

for my $page (qw/ json markdown /) {
    $r = get("/all/$page");

    is(field($r, 'Detemplate'), 'bypass; reason=type', "$page passes");
    is(body($r), $pages{"/$page"}[0], "$page, its bytes");
}

like(field(get('/o/markdown'), 'Detemplate'), qr/reason=type/,
    'Markdown passes');
is(body(get('/o/xhtml')), "x\n", 'XHTML');
is(field(get('/never/p3.html?as_it_is=1'), 'Detemplate'),
    'bypass; reason=bypass', 'bypass');
is(body(get('/never/p3.html?as_it_is=1')), $p3, 'bypass, its bytes');

is(body(get("/o/$_")), '', "$_") for qw/ empty nothing /;
is(field(get("/o/$_"), 'Content-Type'), $type, "$_, type")
    for qw/ empty nothing /;
is(body(get('/o/base')), "[y](https://other.test/d/x)\n", 'base');
like(body(get('/o/last')), qr/^it ends in a tag/, 'an open tag');
like(body(get('/o/rich', 'X-Forwarded-Proto: https')),
    qr{\(https://site\.test/}, 'TLS ends before us');

# links to the page itself

my $base = 'http://site.test:' . $t->port(0);

is(field(get('/o/rich?a=>"'), 'Link'),
    "<$base/o/rich?a=%3E%22>; rel=\"canonical\"", 'Link, the URL');
is(field(get('/o/canonical'), 'Link'),
    "<$base/c?a=%3Cb%3E%22>; rel=\"canonical\"", 'Link, what the page says');
is(field(get('/o/rich'), 'Link'), field(get('/o/rich', 'X-Gzip: yes'), 'Link'),
    'Link, compressed');
is(field(http_get('/o/rich'), 'Link'), '', 'no Link, mode strip');

# conditions, without a template

my $tag = field(get('/o/rich'), 'ETag');

like($tag, qr{^W/"o1;dt=0{16}-markdown-[0-9a-f]{16}"$}, 'tag');
is(status_of(get('/o/rich', "If-None-Match: $tag")), 304, 'tag matches');
is(field(get('/o/rich', "If-None-Match: $tag"), 'ETag'), $tag, '304, tag');
is(status_of(get('/o/rich', 'If-None-Match: "o1"')), 200,
    'tag of the page itself');
is(status_of(http_get('/o/rich', fields => [ 'X-Mode: text',
    "If-None-Match: $tag" ])), 200, 'tag of another mode');

# with a template

$r = $t->learn('/p3.html', fields => [ 'X-Mode: markdown' ]);
$t->idle();
$r = get('/p3.html');
my $md = body($r);

like(field($r, 'Detemplate'),
    qr/^hit; mode=markdown; version=\d+; settled(?:=\?0)?$/, 'hit');
is(field($r, 'Content-Type'), $type, 'hit, type');

for my $p (($p3 =~ m{<main>(.*)</main>}s)[0] =~ m{<p>(.*?)</p>}g) {
    ok(index($md, "$p\n") >= 0, 'a paragraph');
}

my $second = field($r, 'ETag');

like($second, qr{^W/".*;dt=[0-9a-f]{16}-markdown-[0-9a-f]{16}"$}, 'hit, tag');
isnt($second =~ s/.*;//r, $tag =~ s/.*;//r, 'hit, a tag of its own');
is(status_of(get('/p3.html', "If-None-Match: $second")), 304, 'tag matches');

$h = http_request('HEAD', '/p3.html', fields => [ 'X-Mode: markdown' ]);
is(field($h, $_), field($r, $_), "hit, HEAD, $_")
    for qw/ Content-Type ETag Detemplate /;

my ($front, $rest) = body(get('/front/p3.html'))
    =~ /^(---\n.*?\n---\n)\n(.*)/s;
my ($title) = $p3 =~ m{<title>(.*)</title>};

is($rest, $md =~ s{/p}{/front/p}gr, 'front matter, the rest is the same');
is($front, qq{---\ntitle: "$title"\nurl: "$base/front/p3.html"\n}
    . qq{language: "en"\n---\n}, 'front matter');

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
unlike(body(http_get('/front/p3.html', fields => [ 'X-Mode: text' ])),
    qr/^---/, 'text has none');

unlike($md, qr/Chapter \d|almanac|<\w/, 'no template, no markup');
is(body(get('/pieces/p3.html')) =~ s{/pieces/}{/}gr, $md, 'in pieces');
like(body(plain('/p3.html')), qr/^\w[^\[\]#*]+$/, 'as text');

$r = get('/gzip/p3.html', 'Accept-Encoding: gzip');
is(field($r, 'Content-Encoding'), 'gzip', 'compressed behind us');

# gzip that breaks ends the response before it looks whole

$r = get('/o/cut', 'X-Gzip: broken');
ok($r eq '' || status_of($r) >= 500 || body($r) =~ /incomplete/,
    'a broken page does not look whole');

# many at once and again, in the memory that they leave

is(body(get('/p3.html')), $md, 'again') for 1 .. 3;

$t->done();
