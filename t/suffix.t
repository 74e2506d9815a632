#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_suffix: a page's URL with the suffix has its Markdown.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $own = $t->port(0);

$t->configure(
    mode => 'off',
    server => '
        detemplate_suffix .md;
        index index.html;
        location /proxy/ { proxy_pass %%HTTP_1%%/; }
        location /closed/ { alias %%TESTDIR%%/html/; deny all; }
        location ~ ^/inside/.*html$ { internal; }
        location /tried/ { try_files $uri /p3.html =404; }
        location /moved/ { rewrite ^/moved/(.*) /$1 last; }',
    pages => [
        '/strip/' => 'detemplate strip;',
        '/annotate/' => 'detemplate annotate;',
        '/preview/' => 'detemplate preview;',
        '/headers/' => 'detemplate headers;',
        '/plain/' => 'detemplate strip; detemplate_suffix off;',
        '/xml/' => 'detemplate strip; types { application/xhtml+xml html; }',
        '/never/' => 'detemplate_suffix off;',
        '/agents/' => 'detemplate strip; detemplate_accept markdown json;',
        '/accept/' => 'detemplate_accept markdown;',
        '/varied/' => 'detemplate strip; detemplate_accept markdown;
            detemplate_vary X-Mode;',
        '/passed/' => 'detemplate strip; detemplate_bypass $http_x_pass;
            detemplate_vary X-Pass;',
        '/text/' => 'detemplate_suffix .txt;',
    ],
);

$t->pages('html');
$t->write_file("html/$_", page(4)) for 'dir/index.html', 'inside/p.html';
$t->write_file('html/own.html', page(5));
$t->write_file('html/own.html.md', "# Our own\n");
$t->write_file('html/a.png', 'picture');

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)};
    my ($n) = $uri =~ m{^/p(\d)\.html(?:\?|$)};
    my $page = $n ? page($n) : "no $uri";

    print $s 'HTTP/1.1 ' . ($n ? '200 OK' : '404 No')
        . "\r\nContent-Type: text/html\r\nConnection: close\r\n"
        . 'Content-Length: ' . length($page) . "\r\n\r\n$page";
});

$t->run();

ok($t->learn('/p3.html.md'), 'learned by the page');
$t->idle();
is(scalar($t->log_lines(qr/GET \S+\.md.*client: 192/)), 0,
    'the learner asks for pages');

# as the page with Accept

my $want = body(http_get('/accept/p3.html',
    fields => ['Accept: text/markdown'])) =~ s{/accept/}{/}gr;
my $page = "http://site.test:$own/p3.html";
my $r = http_get('/p3.html.md');

has('Markdown', $r, status => 200, body => $want,
    'Content-Type' => 'text/markdown; charset=utf-8',
    body => qr{^url: "\Q$page\E"$}m, lacks => qr/Chapter/,
    'X-Robots-Tag' => 'noindex', Link => "<$page>; rel=\"canonical\"");

gets(
    [ 'arguments', '/p3.html.md?a=b',
        Link => "<$page?a=b>; rel=\"canonical\"" ],
    [ 'not modified', '/p3.html.md', [ 'If-None-Match: ' . field($r, 'ETag') ],
        status => 304 ],
    [ 'HEAD', '/p3.html.md', { method => 'HEAD' },
        'Content-Type' => field($r, 'Content-Type') ],
    [ 'POST', '/p3.html.md', { method => 'POST',
        fields => ['Content-Length: 0'] }, status => 404 ],

    # where the URL leads

    (map { my ($uri, $type, $status) = @$_;
        [ $uri, $uri, status => $status, 'Content-Type' => qr/^\Q$type\E/ ] }
        [ '/dir/.md', 'text/markdown', 200 ],
        [ '/dir/index.md', 'text/markdown', 200 ],
        [ '/dir/index.html.md', 'text/markdown', 200 ],
        [ '/proxy/p3.html.md', 'text/markdown', 200 ],
        [ '/proxy/none.html.md', 'text/html', 404 ],
        [ '/moved/p3.html.md', 'text/markdown', 200 ],
        [ '/strip/p3.html.md', 'text/markdown', 200 ],
        [ '/text/p3.html.txt', 'text/markdown', 200 ],
        [ '/text/p3.html.md', 'text/html', 404 ],
        [ '/never/p3.html.md', 'text/html', 404 ],
        [ '/none.html.md', 'text/html', 404 ],
        [ '/p3.html.md.md', 'text/html', 404 ],
        [ '/p3.html%2emd', 'text/html', 404 ],
        [ '/a.png.md', 'image/png', 200 ],
        [ '/closed/p3.html.md', 'text/html', 403 ],
        [ '/inside/p.html.md', 'text/html', 404 ]),
    [ 'a file of the origin', '/own.html.md', body => "# Our own\n" ],

    # HTML says where its Markdown is, and it leads there

    (map { my ($uri, $twin) = @$_;
        ([ $uri, $uri, Link => "<http://site.test:$own$twin>; "
            . 'rel="alternate"; type="text/markdown"' ],
        [ $uri, $twin, status => 200 ]) }
        [ '/p3.html', '/p3.html.md' ], [ '/dir/', '/dir/index.md' ],
        [ '/p3.html?a', '/p3.html.md?a' ],
        [ '/strip/p3.html', '/strip/p3.html.md' ],
        [ '/text/p3.html', '/text/p3.html.txt' ]),
    [ 'never', '/never/p3.html', Link => '' ],

    # caches have one form of such a URL

    (map { [ "$_->[0], Vary", $_->[0], Vary => $_->[1] ] }
        [ '/varied/p3.html', 'X-Mode, Accept' ], [ '/varied/p3.html.md', '' ],
        [ '/varied/none.html.md', '' ], [ '/passed/p3.html.md', 'X-Pass' ]),
);

# and so does the head of a page that is rewritten

my ($end) = page(3) =~ m{(\s*</head>)};

for my $case (
    [ '/strip/p3.html', '/strip/p3.html.md', '' ],
    [ '/annotate/p3.html', '/annotate/p3.html.md', '' ],
    [ '/preview/p3.html', '/preview/p3.html.md', '' ],
    [ '/xml/p3.html', '/xml/p3.html.md', ' /' ],
    [ q{/strip/p3.html?a="b'<c>&d}, '/strip/p3.html.md?a=%22b\'%3Cc%3E&amp;d',
        '' ],
    [ '/plain/p3.html' ], [ '/headers/p3.html' ], [ '/p3.html' ],
) {
    my ($uri, $twin, $slash) = @$case;
    my $got = body(http_get($uri));

    my $link = $twin ? "\n<link rel=\"alternate\" type=\"text/markdown\" "
        . "href=\"$twin\"$slash></head>" : $end;

    like($got, qr{\.css">\Q$link\E}, "$uri, head");
    is(() = $got =~ /text.markdown/g, $twin ? 1 : 0, "$uri, once");
}

isnt(field(http_get('/strip/p3.html'), 'ETag'),
    field(http_get('/plain/p3.html'), 'ETag'), 'tags tell them apart');
$t->write_file('html/linked.html', page(3) =~
    s{</head>}{<link rel=alternate type=text/markdown href=a.md></head>}r);
is(() = body(http_get('/strip/linked.html')) =~ /text.markdown/g, 1,
    'the page has a link of its own');

# agents, as they are documented to ask: some follow the link in the head

for (
    [ 'Claude Code', 'text/markdown, text/html, */*', 0 ],
    [ 'Cursor', 'text/markdown, text/plain;q=0.9, */*;q=0.8', 0 ],
    [ 'OpenCode', 'text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, '
        . '*/*;q=0.1', 0 ],
    [ 'Codex', 'text/html, */*', 1 ],
    [ 'ChatGPT', '*/*', 1 ],
) {
    my ($agent, $accept, $follows) = @$_;
    my @as = (fields => ["Accept: $accept"]);

    $r = http_get('/agents/p3.html', @as);

    is(field($r, 'Content-Type') =~ m{^text/html} || 0, $follows,
        "$agent, what it gets");

    if ($follows) {
        my ($href) = body($r) =~
            m{<link rel="alternate" type="text/markdown" href="(.*?)"></head>};
        $r = http_get($href, @as);
    }

    like(field($r, 'Content-Type'), qr{^text/markdown}, "$agent, Markdown");
    like(body($r), qr/^# \w/m, "$agent, of the page");
    unlike(body($r), qr/Chapter/, "$agent, and no template");
}

# a real client

SKIP: {
    skip 'no wget', 2 if !on_path('wget');

    system("wget -q -O $d/got http://127.0.0.1:$own/p3.html.md");
    is($?, 0, 'wget');
    like($t->read_file('got'), qr/^---\ntitle: .*^# /ms, 'wget, Markdown');
}

$t->done();
