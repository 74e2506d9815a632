#!/usr/bin/perl

# Copyright (C) The detemplate authors

# do=template: what is cut of a page, as Markdown, so that it can be indexed
# once for the site, or as a page of HTML.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $CONTROL = '/control?do=template&site=site.test&url=';

$t->configure(
    mode => 'strip',
    server => '
        index index.html;
        location = /control { detemplate off; detemplate_control; }
        location = /any { detemplate off; detemplate_control public; }
        location /proxy/ { proxy_pass %%HTTP_1%%/; }
        location /inside/ { alias %%TESTDIR%%/html/; internal; }
        location /closed/ { alias %%TESTDIR%%/html/; deny all; }
        location /moved/ { rewrite ^/moved/(.*) /inside/$1 last; }
        location /echo { return 200 "$request_uri"; }',
    pages => [
        '/off/' => 'detemplate off;',
        '/markdown/' => 'detemplate markdown;',
        '/other/' => 'detemplate_site other;',
    ],
    servers => [ { name => 'else.test', mode => 'strip' } ],
);

$t->pages('html');
$t->write_file('html/dir/index.html', page(4) =~
    s{<head>}{<head><base href="/x.html">}r =~ s{href="/p}{href="p}gr);
$t->write_file('html/empty.html', '<!doctype html><html><p>Nothing');

$t->origin(1, sub ($s, $request) {
    print $s response(page(5));
});

$t->run();

is(status_of(get('/p3.html')), 404, 'not learned');

ok($t->learn('/p3.html'), 'learned');
$t->idle();

# the menu, the side bar and the footer, and nothing that is the page's own

my $r = get('/p3.html');
my $want = body($r);

has('template', $r, status => 200, 'X-Robots-Tag' => 'noindex', Link => '',
    'Content-Type' => 'text/markdown; charset=utf-8',
    body => qr/^\[The quiet .*\n\n- \[Chapter 1\]\(http:\S+p1\.html\)\n/,
    body => qr/^## About this almanac\n\nIt has been/m,
    body => qr/^Printed by the almanac society\. All .*\n\nWrite to the/m);

my %words = map { $_ => 1 } body(get_md('/p3.html')) =~ /[a-z]{4,}/gi;
my @own = grep { !/^(?:page|title|site|test|http|html|url|language)$/ }
    keys %words;

cmp_ok(scalar @own, '>', 30, 'words of the page');
is(join(' ', grep { $want =~ /\b\Q$_\E\b/ } @own), '', 'none of these');

# the same as HTML, which a browser shows as it shows the page

my $html = get('/p3.html', format => 'html');

has('HTML', $html, status => 200, 'X-Robots-Tag' => 'noindex', Link => '',
    'Content-Type' => 'text/html',
    body => qr{^<!DOCTYPE html>.*<head>\n<base href="/p3.html"><meta}s,
    body => qr{<link rel="stylesheet" href="/style.css">\n</head>\n<body>},
    body => qr{Chapter 1.*All rights.*</footer>\n</body>\n</html>}s,
    lacks => qr/<main|<title/);
is(join(' ', grep { body($html) =~ /\b\Q$_\E\b/ } @own), '',
    'none of its words');
is(body(get($_, format => 'html')) =~ s/<base[^>]*>//r,
    body($html) =~ s/<base[^>]*>//r, "HTML, $_")
    for '/markdown/p3.html', '/proxy/any', '/off/p3.html';
has('HTML, a page with a base', get('/dir/', format => 'html'), status => 200,
    body => qr{<head><base href="/x.html">\n<meta});
has('HTML, a query', get('/p3.html?a="&b', format => 'html'),
    body => qr{<base href="/p3.html\?a=%22&amp;b">});
is(status_of(get('/p3.html', format => 'pdf')), 400, 'another format');
is(body(get('/p3.html', format => 'markdown')), $want, 'Markdown');

# pages

is(body(get($_)), $want, $_) for '/p5.html', '/markdown/p3.html',
    '/proxy/any', '/off/p3.html', '/p3.html?a=b', '/moved/p3.html',
    '/p3.html#top', 'http://site.test/p3.html', 'HTTPS://SITE.TEST:8/p3.html',
    '/%70%33.html';
is(body(get('/dir/')), $want, 'links by the base');
is(body(get('/empty.html')), '', 'nothing is cut');
is(status_of(get('/p3.html', 'If-None-Match: ' . field($r, 'ETag'))), 304,
    'not modified');
isnt(field($r, 'ETag'), field(get_md('/p3.html'), 'ETag'), 'a tag of its own');

# what is no such page

for ([ '/none.html', 404 ], [ '/inside/p3.html', 404 ],
    [ '/closed/p3.html', 403 ], [ '/other/p3.html', 404 ], [ '/echo', 200 ],
    [ 'p3.html', 400 ], [ '', 400 ], [ 'http://else.test/p3.html', 400 ],
    [ 'http://site.testing/p3.html', 400 ], [ 'httpx://site.test/', 400 ],
    [ '/../p3.html', 400 ], [ '/p%0a3.html', 400 ], [ '/p 3.html', 400 ],
    [ '/' . 'x' x 2048, 400 ], [ '/control?do=template&site=a&url=/', 400 ],
    [ '/control?do=show&site=a', 405 ])
{
    my ($uri, $status) = @$_;

    is(status_of(get($uri)), $status, substr "$uri, $status", 0, 60);
}

gets(
    [ 'no site', '/control?do=template&url=/p3.html', status => 400 ],
    [ 'a long name', '/control?do=template&site=' . 'a' x 256 . '&url=/',
        status => 400 ],
    [ 'another site', '/control?do=template&site=other&url=/p3.html',
        status => 404 ],
    [ 'not from this machine', "$CONTROL/p3.html", ['X-Real-IP: 192.0.2.1'],
        status => 403 ],
    [ 'public', $CONTROL =~ s/control/any/r . '/p3.html',
        ['X-Real-IP: 192.0.2.1'], status => 200 ],
    [ 'HEAD', "$CONTROL/p3.html", { method => 'HEAD' }, status => 405 ],
    [ 'pages are as they were', '/p3.html', status => 200,
        lacks => qr/Chapter/ ],
);

$t->done();

sub get ($url, @more) {
    my ($format) = @more == 2 ? $more[1] : ();

    $url =~ s/([^\w\/.:-])/sprintf '%%%02x', ord $1/ge unless $url =~ /%/;
    $url .= "&format=$format" if $format;

    return http_get($CONTROL . $url, fields => $format ? [] : \@more);
}

sub get_md { http_get("/markdown$_[0]") }
