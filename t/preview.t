#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Mode "preview": the page with marks that a style tints, and a badge at its
# end.  No cache stores it and no indexer lists it.  Also: changes to the
# origin's policies, and links between badge, status and previews.

use Digest::SHA qw/ sha256_base64 /;
use IO::Compress::Gzip qw/ gzip /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        map $arg_detemplate $asked {
            default off;
            preview preview;
        }',
    mode => '$mode',
    pages => [
        '/kept/' => '
            expires 1h;
            add_header Cache-Control public;
            add_header Pragma cache;
            add_header CDN-Cache-Control max-age=9;
            add_header Cloudflare-CDN-Cache-Control max-age=9;
            add_header Surrogate-Control max-age=9;
            add_header X-Accel-Expires 9;
            add_header X-Robots-Tag all;',
        '/policy/' => '
            add_header Content-Security-Policy $http_x_policy;
            add_header content-security-policy "style-src x.test";
            add_header Content-Security-Policy-Report-Only $http_x_policy;
            add_header X-Content-Security-Policy $http_x_policy;',
        '/named/' => q{detemplate_site '<a&"b>';},
        '/links/' => 'detemplate_links keep;',
        '/fixed/' => 'detemplate preview;',
        '/sendfile/' => 'sendfile on;',
        '/small/' => 'sendfile off; output_buffers 1 64;',
        '/xml/' => '
            types {
                application/xhtml+xml html;
            }',
        '/other/' => '
            types {
                text/html+ html;
                text/abcd htm;
            }
            detemplate_types text/html+ text/abcd;',
        '/unknown/' => 'detemplate_site unknown.test; detemplate_learn off;',
    ],
    locations => [
        '/wide/' => 'alias %%TESTDIR%%/wide/;',
        '/full/' => 'alias %%TESTDIR%%/full/;',
        '/deep/' => 'alias %%TESTDIR%%/deep/;',
        '/zipped/' => '
            alias %%TESTDIR%%/zipped/;
            add_header Content-Encoding gzip;',
        '"/the <status> & more"' => '
            detemplate off;
            detemplate_status preview=detemplate=preview;',
        '= /cookie' => 'detemplate off; detemplate_status preview=;',
    ],
    servers => [
        {
            name => 'asked.test',
            listen => [1],
            mode => '$asked',
            server => 'detemplate_wait 20s;',
            locations => [
                '~ ^/(query|long)(/.*)' => '
                    alias %%TESTDIR%%/html$2;
                    detemplate_site $1.test;',
                # no link points to this status
                '~ /status' => 'detemplate off; detemplate_status;',
            ],
        },
    ],
);

# template text outside of elements, and text of the page

sub with_text ($page) {
    return $page =~ s{</main>}{</main>\nPrinted on the paper of this house.
<p>End of it</p>}r;
}

for my $i (1 .. 8) {
    my $page = with_text(page($i));

    $t->write_file("html/p$i.html", $page);
    gzip(\$page, \my $zipped);
    $t->write_file("zipped/p$i.html", $zipped);
}

my $plain = $t->read_file('html/p3.html');

$t->write_file('html/p3.htm', $plain);
$t->write_file('full/p3.html', $plain =~ s{(<footer>.*</footer>)}{$1 x 90}ser);
$t->write_file('wide/p3.html', "\xfe\xff" . join '', map { "\0$_" }
    split //, $plain);
$t->write_file('deep/p3.html',
    $plain =~ s{<main>}{'<main>' . '<div>' x 300}er);

$t->run();

ok($t->learn('/p3.html'), 'learned');
ok($t->idle(), 'idle');

my @preview = (fields => [ 'X-Mode: preview' ]);

# the page and what the preview adds to it

my $first = http_get('/p3.html', @preview);
my $r = $first;
my $body = body($r);

like(field($r, 'Detemplate'),
    qr/^hit; mode=preview; version=\d+; settled(?:=\?0)?$/, 'field');

my ($page, $end) = $body
    =~ m{\A(.*</html>\n)(<detemplate-badge .*</detemplate-badge>\n)\z}s;

is(untinted($page), $plain, 'page without marks and badge is unchanged');
unlike($end, qr/[^\x20-\x7e\n]/, 'badge, ASCII');

my $annotated = body(http_get('/p3.html', fields => [ 'X-Mode: annotate' ]));

is($page =~ s{ data-detemplate=""}{ data-template}gr
    =~ s{<detemplate-text>}{<!--template-->}gr
    =~ s{</detemplate-text>}{<!--/template-->}gr, $annotated,
    'what annotate marks');
like($page, qr{<detemplate-text>Printed on the paper of this house\.</d},
    'bare text');
like($page, qr{<header data-detemplate="" id="top">}, 'element');

# the numbers

my $stripped = body(http_get('/p3.html'));
my ($in, $out) = map { length } $plain, $stripped;
my $permille = int(1000 * ($in - $out) / $in + .5);
my $share = sprintf '%d.%d %%', $permille / 10, $permille % 10;
my $regions = () = $page =~ / data-detemplate=""|<detemplate-text>/g;

is($end =~ s{<style>.*</style>}{}r, sprintf('<detemplate-badge role="note" '
    . 'lang="en" dir="ltr"><details><summary>%s template</summary>site.test, '
    . 'version %d: %s of %d bytes would be cut, in %d regions. '
    . '<a href="/the%%20%%3Cstatus%%3E%%20&amp;%%20more?format=html">Status'
    . '</a><p><b>cut</b> <i>cut by hand</i> <u>kept by hand</u></p></details>'
    . "</detemplate-badge>\n", $share,
    field($first, 'Detemplate') =~ /version=(\d+)/,
    $share, $in, $regions), 'badge');

# in pieces, compressed, and with a fixed mode

is(of_any(http_get("/$_/p3.html", @preview)), of_any($r), $_)
    for qw/ small fixed zipped /;

ok($t->learn('/named/p3.html'), 'named, learned');

my @fields = @{$preview[1]};
my @not_cached = ('Cache-Control' => 'no-store, no-transform',
    'X-Robots-Tag' => 'noindex', ETag => '', 'Last-Modified' => '');
my @passed = (body => $plain, 'Cache-Control' => qr/^(?!.*no-store)/);

gets(
    [ 'links', '/links/p3.html', \@fields, body => qr/ Links would stay\. <a/,
        body => qr{<footer data-detemplate="">} ],
    [ 'head', '/p3.html', { method => 'HEAD', @preview }, body => '',
        'Cache-Control' => 'no-store, no-transform' ],

    # a hostile site name

    [ 'name', '/named/p3.html', \@fields, lacks => qr{<a&}, body =>
        qr{template</summary>&lt;a&amp;&quot;b&gt;, version \d+: } ],

    # no cache may store it

    [ 'preview', '/kept/p3.html', \@fields, @not_cached,
        'X-Content-Type-Options' => 'nosniff', map { ($_ => '') }
        qw/ Expires Pragma CDN-Cache-Control Cloudflare-CDN-Cache-Control
        Surrogate-Control X-Accel-Expires Accept-Ranges / ],
    [ 'strip', '/kept/p3.html', 'X-Robots-Tag' => 'all',
        'Cache-Control' => qr/public/ ],

    # responses that are passed unchanged

    (map { [ $_, $_, \@fields, Detemplate => 'bypass; reason=type', @passed ] }
        '/xml/p3.html', '/other/p3.html', '/other/p3.htm'),
    [ 'xml, strip', '/xml/p3.html', Detemplate => qr/^hit/ ],
    [ 'another charset', '/wide/p3.html', \@fields,
        body => $t->read_file('wide/p3.html') ],
    [ 'too deep', '/deep/p3.html', \@fields,
        body => qr{ 0 regions\. The page would pass: too-deep\. <a} ],
    [ 'guard', '/full/p3.html', \@fields,
        body => qr{ regions\. The page would pass: guard\. <a} ],
    [ 'no template', '/unknown/p3.html', \@fields, Detemplate => qr/^miss/,
        body => $plain, @not_cached ],
);

my $off = http_get('/p3.html', fields => [ 'X-Mode: off' ]);

for my $condition ('If-None-Match: ' . field(http_get('/kept/p3.html',
    fields => [ 'X-Mode: off' ]), 'ETag'), 'If-Modified-Since: '
    . field($off, 'Last-Modified'), 'Range: bytes=0-9')
{
    $r = http_get('/p3.html', fields => [ @fields, $condition ]);
    is(status_of($r), 200, "no condition, $condition");
    is(of_any($r), of_any($first), 'the whole page');
}

# content security policies; the hash is that of the style

my ($style) = $end =~ m{<style>(.*)</style>};
my $hash = "'sha256-" . sha256_base64($style) . "='";

unlike($style, qr/</, 'style, no markup');

for my $case (
    [ "style-src 'self'", "style-src 'self' $hash" ],
    [ "STYLE-SRC 'self'", "STYLE-SRC 'self' $hash" ],
    [ "style-src", "style-src $hash" ],
    [ "style-src 'none'", "style-src  $hash" ],
    [ "style-src 'NONE'; img-src *", "style-src  $hash; img-src *" ],
    [ "img-src *;style-src a.test ; font-src *",
        "img-src *;style-src a.test $hash ; font-src *" ],
    [ "style-src-elem 'self'; style-src 'none'",
        "style-src-elem 'self' $hash; style-src 'none'" ],
    [ "style-src 'none'; style-src-elem a.test; default-src *",
        "style-src 'none'; style-src-elem a.test $hash; default-src *" ],
    [ "default-src 'self'; style-src b.test",
        "default-src 'self'; style-src b.test $hash" ],
    [ "style-src a.test; style-src b.test",
        "style-src a.test $hash; style-src b.test" ],
    [ "style-src-attr 'none'; style-srcs x", undef ],
    [ "img-src style-src", undef ],

    # default-src applies to scripts too

    [ "default-src 'self'",
        "default-src 'self'; style-src-elem 'self' $hash" ],
    [ "default-src 'none'; img-src *",
        "default-src 'none'; img-src *; style-src-elem  $hash" ],
    [ "default-src 'self' 'unsafe-inline' 'nonce-x'; script-src *",
        "default-src 'self' 'unsafe-inline' 'nonce-x'; script-src *; "
        . "style-src-elem 'self' 'unsafe-inline' 'nonce-x' $hash" ],

    # a hash would disable 'unsafe-inline', which the page's own styles need

    [ "style-src 'unsafe-inline'", undef ],
    [ "style-src 'self' 'Unsafe-Inline' a.test", undef ],
    [ "default-src 'self' 'unsafe-inline'", undef ],
    [ "default-src 'self'; style-src 'unsafe-inline'", undef ],

    # unless another source does so already

    [ "style-src 'unsafe-inline' 'nonce-abc'",
        "style-src 'unsafe-inline' 'nonce-abc' $hash" ],
    [ "style-src 'SHA512-abc' 'unsafe-inline'",
        "style-src 'SHA512-abc' 'unsafe-inline' $hash" ],
    [ "style-src 'nonce-' 'unsafe-inline'", undef ],

    # several policies in one line

    [ "style-src 'self', default-src b.test,img-src *",
        "style-src 'self' $hash, default-src b.test; style-src-elem b.test "
        . "$hash,img-src *" ],
    [ "style-src a.test, style-src 'unsafe-inline'",
        "style-src a.test $hash, style-src 'unsafe-inline'" ],

    [ ",;, ;; ,", undef ],
    [ join(',', ('style-src') x 300), join(',', ("style-src $hash") x 300) ],
    [ join(',', ('default-src a') x 200),
        join(',', ("default-src a; style-src-elem a $hash") x 200) ],
) {
    my ($policy, $want) = @$case;

    $want = $policy if !defined $want;

    gets([ length $policy < 80 ? $policy : substr($policy, 0, 9) . '...',
        '/policy/p3.html', [ @fields, "X-Policy: $policy" ],
        'Content-Security-Policy' => "$want, style-src x.test $hash",
        'Content-Security-Policy-Report-Only' => $want,
        'X-Content-Security-Policy' => $policy ]);
}

# each of several lines; unchanged where nothing is tinted

my $self = "X-Policy: style-src 'self'";
my @asked = (host => 'asked.test', port => $t->port(1));

gets(
    [ 'annotate', '/policy/p3.html', [ 'X-Mode: annotate', $self ],
        'Content-Security-Policy' => "style-src 'self', style-src x.test" ],
    [ 'not found', '/policy/none.html', [ @fields, $self ],
        'Content-Security-Policy' => '' ],
);

# The learner requests the page without the argument, also for a request that
# waits for it.

gets(
    [ 'request waits for the template, without a link',
        '/p3.html?detemplate=preview', { @asked }, lacks => qr/Status/,
        Detemplate =>
            qr/^hit; mode=preview; version=\d+; settled(?:=\?0)?$/ ],
    [ 'off without the argument', '/p3.html', { @asked }, Detemplate => '' ],
    map { [ substr($_, 0, 20), "/$_&detemplate=preview", { @asked },
        Detemplate => qr/^hit/ ] } 'query/p3.html?page=3',
        'long/p3.html?page=' . 'x' x 250,
);

ok($t->idle(), 'idle');

my $html = body(http_get('/the%20%3Cstatus%3E%20&%20more?format=html'));

my $query = '<a href="http://asked.test/query/p3.html?page=3&amp;detemplate=';

like($html, qr{>query\.test \Q$query\Epreview">preview<}, 'status, query');
like($html, qr{<th scope="row">long\.test</th>}, 'status, too long');

my $link = '<th scope="row">asked.test <a href="http://asked.test/p3.html';

like($html, qr{\Q$link?detemplate=preview">preview</a></th>}, 'status');
like(body(http_get('/cookie?format=html')), qr{\Q$link">preview</a></th>},
    'status, without an argument');
lacks(http_get('/status?format=html'), qr/>preview</, 'none');

$t->done();

sub untinted {
    return $_[0] =~ s{ data-detemplate=""|</?detemplate-text>}{}gr;
}

# the preview without the version of the template, as other folders are learned
# meanwhile

sub of_any { body($_[0]) =~ s/version \d+/version/r }
