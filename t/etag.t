#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The entity tag of a rewritten page is a hash of what is sent, so it stays
# when only the template of the page changes.

use Digest::SHA qw/ sha256_base64 /;
use IO::Compress::Gzip;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->configure(
    http => 'detemplate_hold 64k;',
    server => '
        location /proxy/ { proxy_pass %%HTTP_1%%/; etag off; }
        location /pieces/ { proxy_pass %%HTTP_1%%/; proxy_buffering off; }
        location /packed/ { proxy_pass %%HTTP_1%%/packed/; }',
    pages => [
        '/markdown/' => 'detemplate markdown;',
        '/annotate/' => 'detemplate annotate;',
        '/preview/' => 'detemplate preview;',
        '/headers/' => 'detemplate headers;',
        '/gzip/' => 'gzip on; gzip_min_length 0;',
        '/stream/' => 'detemplate markdown;',
    ],
);

$t->pages('html');
$t->write_file('html/large.html', page(9, paragraphs => 4000));
$t->write_file('html/empty.html', '');

# without validators, in pieces, and for HEAD without a body

$t->origin(1, sub ($s, $request) {
    my ($method, $packed, $n) =
        $request =~ m{^(\S+) /(packed/)?p(\d)\.html} or return;
    my $page = $t->read_file("html/p$n.html");
    my $zip;

    IO::Compress::Gzip::gzip(\$page, \$zip);

    print $s "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n"
        . ($packed ? "Content-Encoding: gzip\r\n" : '') . "\r\n";
    return if $method eq 'HEAD';

    for (unpack '(a1000)*', $packed ? $zip : $page) {
        print $s $_;
        select undef, undef, undef, 0.01;
    }
});

$t->run();

ok($t->learn('/p3.html'), 'learned');
$t->idle();

my %before;

for my $way (qw{ / /proxy/ /pieces/ /packed/ /markdown/ /annotate/ /gzip/ }) {
    my $r = http_get("${way}p3.html");
    my $tag = field($r, 'ETag');

    $before{$way} = $tag;

    has($way, $r, ETag => qr/^"dt-[0-9a-f]{16}"$/, Detemplate => qr/^hit/,
        'Content-Length' => length body($r));

    gets([ "$way, not modified, $_", "${way}p3.html", ["If-None-Match: $_"],
        status => 304, body => '', ETag => $tag ])
        for $tag, "W/$tag", "\"a\", W/\"b\",$tag", "$tag , \"c\"", '*';
    gets([ "$way, modified, $_", "${way}p3.html", ["If-None-Match: $_"],
        status => 200 ])
        for '"a"', '"dt-0123456789abcdef"', substr($tag, 0, -1);
    gets([ "$way, HEAD", "${way}p3.html", { method => 'HEAD' },
            ETag => '' ],
        [ "$way, HEAD, condition", "${way}p3.html", { method => 'HEAD',
            fields => ["If-None-Match: $tag"] },
            status => 200 ]);
}

# a digest for those who want one

for my $case (
    [ 'sha-256=1', 1 ], [ 'sha-512=3, SHA-256=10', 1 ], [ 'sha-256=0', 0 ],
    [ 'sha-256', 0 ], [ 'sha-256=', 0 ], [ 'sha-512=9', 0 ],
) {
    my ($want, $has) = @$case;
    my $r = http_get('/p3.html', fields => ["Want-Repr-Digest: $want"]);

    is(field($r, 'Repr-Digest'), $has ? 'sha-256=:' . sha256_base64(body($r))
        . '=:' : '', "digest, $want");
}

gets(
    [ 'digest, coded', '/p3.html',
        [ 'Want-Repr-Digest: sha-256=1', 'Accept-Encoding: x' ],
        'Repr-Digest' => '' ],
    [ 'digest, not wanted', '/p3.html', 'Repr-Digest' => '' ],
);

# sizes of Markdown, if they are known

for my $uri (qw{ /markdown/p3.html /stream/large.html /p3.html }) {
    my $r = http_get($uri);

    is(join(' ', map { field($r, "X-$_-Tokens") } qw/ Markdown Original /),
        $uri !~ /markdown/ ? ' ' : int(length(body($r)) / 4) . ' '
        . int(length(page(3)) / 4), "$uri, sizes");
}

is($before{'/proxy/'}, $before{'/'}, 'the same bytes, the same tag');
is($before{'/pieces/'}, $before{'/'}, 'whatever pieces they come in');
is($before{'/packed/'}, $before{'/'}, 'and compressed');
isnt($before{'/markdown/'}, $before{'/'}, 'other bytes, another tag');

my $r = http_get('/p3.html', version => '1.0',
    fields => ["If-None-Match: $before{'/'}"]);

is(status_of($r), 304, 'HTTP/1.0');
is(http_get('/p3.html', version => '1.0'), http_get('/p3.html',
    version => '1.0', fields => ['If-None-Match: "a"']), 'HTTP/1.0, whole');

# a filter that compresses makes the tag weak

$r = http_get('/gzip/p3.html', fields => ['Accept-Encoding: gzip']);
has('gzip', $r, 'Content-Encoding' => 'gzip', ETag => "W/$before{'/gzip/'}");

gets(
    [ 'gzip, not modified', '/gzip/p3.html', [ 'Accept-Encoding: gzip',
        'If-None-Match: ' . field($r, 'ETag') ], status => 304 ],

    # these have no such tag

    [ 'a large page', '/large.html', ETag => qr/^"[0-9a-f]+-[0-9a-f]+"$/,
        'Last-Modified' => qr/GMT/ ],
    [ 'headers', '/headers/p3.html', ETag => qr/^"[^;]+"$/ ],
    [ 'preview', '/preview/p3.html', ETag => '' ],
    [ 'an empty page', '/empty.html', status => 200 ],
);

# the year in the footer changes: of the pages, and then in the template

my $all = 0;
my @pages = map { "/p$_.html" } 1 .. 8;
my %tags = map { ($_ => field(http_get($_), 'ETag')) } @pages;

sub crawl { join ' ', map {
    status_of(http_get($_, fields => ["If-None-Match: $tags{$_}"]))
} @pages }

is(crawl(), join(' ', (304) x 8), 'a crawl again');

touch($_) for 1 .. 8;
is(crawl(), join(' ', (304) x 8), 'after files were touched');

$t->write_file("html/p$_.html", page($_) =~ s/Printed by/Bound by/r)
    for 1 .. 8;
$t->stop();
unlink glob "$d/templates/*.dt";
$t->run();
ok($t->learn('/p3.html'), 'learned again');
$t->idle();
is(crawl(), join(' ', (304) x 8), 'after another footer was learned');

# a real client

SKIP: {
    skip 'no curl', 2 if !on_path('curl');

    my $curl = "curl -s -w %{http_code} --etag-compare $d/tag "
        . "--etag-save $d/tag -o $d/out http://127.0.0.1:" . $t->port(0);

    is(`$curl/p2.html`, 200, 'curl');
    soon { `$curl/p2.html` == 304 } 'curl, again', 5;
}

$t->done();

sub touch { utime time() - 1000, time() - 1000, "$d/html/p$_[0].html" }
