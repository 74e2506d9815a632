#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_accept: which form of a page a client gets by its field Accept,
# and that caches are told.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    mode => 'off',
    server => 'etag on; detemplate_accept markdown;',
    pages => [
        '/text/' => 'detemplate_accept markdown text;',
        '/strip/' => 'detemplate strip;',
        '/never/' => 'detemplate_accept off;',
        '/star/' => 'add_header Vary *;',
        '/vary/' => 'detemplate_vary X-Mode accept;',
        '/bypass/' => 'detemplate_bypass 1;',
        '/coding/' => 'detemplate_vary Accept-Encoding; gzip on;
            gzip_vary on;',
    ],
    locations => [
        '/post' => 'proxy_pass %%HTTP_0%%/p1.html; proxy_method GET;
            proxy_set_header Accept ""; proxy_set_header Host site.test;',
        '/style.css' => 'return 200;',
        '/picture.png' => 'empty_gif;',
        '/link/' => 'alias %%TESTDIR%%/html/; add_header Link
            \'</a.md>; rel="alternate"; type="Text/Markdown"\';',
        '/charset/' => 'alias %%TESTDIR%%/html/;
            types { } default_type "text/html; charset=x-klingon";',
        '/twin/' => 'alias %%TESTDIR%%/html/; types { text/markdown html; }',
    ],
    servers => [
        {
            name => 'own.test',
            mode => 'strip',
            server => 'etag on; detemplate_accept markdown;',
        },
    ],
);

$t->pages('html');
$t->run();

sub get_as ($uri, $accept, @fields) {
    return http_get($uri, fields => [ "Accept: $accept", @fields ]);
}

my %type = ('HTML' => 'text/html',
    'MARKDOWN' => 'text/markdown; charset=utf-8',
    'TEXT' => 'text/plain; charset=utf-8');

# the table of the core's own test

my ($table) = slurp("$TOP/t/core/test_accept.c")
    =~ /rows\[\] = \{\n(.*?)^\};/ms;

my @rows;

while ($table =~ /\{ ((?:"(?:[^"\\]|\\.)*"\s*)+),\s*(\w+),\s*(\w+) \}/g) {
    my ($value, @forms) = ($1, $2, $3);

    push @rows, [ join('', map { s/\\(.)/$1/gr }
        $value =~ /"((?:[^"\\]|\\.)*)"/g), @forms ];
}

cmp_ok(scalar @rows, '>=', 40, 'fields');

for my $row (@rows) {
    my ($value, $form, $with_text) = @$row;

    my $r = get_as('/p3.html', $value);

    is(field($r, 'Content-Type'), $type{$form}, $value);
    is(field($r, 'Vary'), 'Accept', 'Vary');
    is(field(get_as('/text/p3.html', $value), 'Content-Type'),
        $type{$with_text}, "text as well, $value");
}

is(field(http_get('/p3.html'), 'Content-Type'), 'text/html', 'no field');
is(field(http_get('/p3.html', fields => [ 'Accept: text/html;q=0.5',
    'accept: text/markdown' ]), 'Content-Type'), $type{MARKDOWN},
    'two fields');

# readers get the page as the mode says

is(body(get_as('/p3.html', 'text/html')), page(3), 'off: the page itself');
is(field(get_as('/p3.html', 'text/html'), 'Detemplate'), '', 'off: no field');

# the learner gets the page, and what it learns is cut

my $md = body($t->learn('/p3.html', fields => [ 'Accept: text/markdown' ]));

like($md, qr/^# /m, 'learned');
unlike($md, qr/Chapter/, 'no template');

is(body(get_as('/p3.html', '*/*')), page(3), 'off: still the page itself');
like(field(get_as('/strip/p3.html', '*/*'), 'Detemplate'), qr/mode=strip/,
    'strip for others');
like(field(get_as('/strip/p3.html', 'text/markdown'), 'Detemplate'),
    qr/mode=markdown/, 'Markdown whatever the mode is');
is(field(get_as('/never/p3.html', 'text/markdown'), 'Content-Type'),
    'text/html', 'not inherited');
is(field(get_as('/never/p3.html', 'text/markdown'), 'Vary'), '', 'no Vary');
is(detemplate('/never/nothing.css'), '', 'it is off');

# Vary

is(field(get_as('/star/p3.html', '*/*'), 'Vary'), '*', 'Vary, all');
is(field(get_as('/vary/p3.html', '*/*'), 'Vary'), 'X-Mode, accept',
    'Vary, once');
is(field(get_as('/coding/p3.html', 'text/markdown'), 'Vary'),
    'Accept-Encoding, Accept', 'Vary, of gzip as well');
is(field(get_as('/bypass/p3.html', 'text/markdown'), 'Vary'), 'Accept',
    'Vary, of a page that passes');
is(field(get_as('/bypass/p3.html', 'text/markdown'), 'Content-Type'),
    'text/html', 'which passes');
is(field(get_as('/nowhere.html', 'text/markdown'), 'Vary'), 'Accept',
    'Vary, of an error');
is(status_of(get_as('/nowhere.html', 'text/markdown')), 404, 'which it is');
is(field(http_get($_), 'Vary'), '', "no Vary, $_")
    for '/picture.png', '/style.css';
is(field(get_as('/twin/p3.html', 'text/markdown'), 'Detemplate'),
    'bypass; reason=type', 'what is Markdown passes');
is(body(get_as('/twin/p3.html', 'text/markdown')), page(3), 'as it is');

# readers are told that there is Markdown, where there is

my $base = 'http://site.test:' . $t->port(0);
my $link = "<$base%s>; rel=\"alternate\"; type=\"text/markdown\"";

for my $uri ('/p3.html?a="', '/strip/p3.html', '/text/p3.html') {
    is(field(get_as($uri, '*/*'), 'Link'),
        sprintf($link, $uri =~ s/"/%22/r), "Link, $uri");
    is(field(get_as($uri, 'text/markdown'), 'Link'),
        sprintf("<$base%s>; rel=\"canonical\"", $uri =~ s/"/%22/r),
        "canonical, $uri");
}

is(field(http_head('/p3.html'), 'Link'), sprintf($link, '/p3.html'),
    'Link, HEAD');
is(field(get_as('/link/p3.html', '*/*'), 'Link'),
    '</a.md>; rel="alternate"; type="Text/Markdown"', 'one of its own');
is(field(get_as($_, '*/*'), 'Link'), '', "no Link, $_")
    for '/never/p3.html', '/bypass/p3.html', '/nowhere.html', '/picture.png',
        '/twin/p3.html', '/charset/p3.html';
is(field(get_as('/charset/p3.html', 'text/markdown'), 'Detemplate'),
    'bypass; reason=charset', 'as it cannot be had');

# validators and HEAD, on a site that has one page only, which stays as it was
# learned

my @own = (host => 'own.test');

ok($t->learn('/p3.html', @own), 'another site');
$t->idle();

for my $form ('text/markdown', 'text/html') {
    my $r = http_get('/p3.html', @own, fields => [ "Accept: $form" ]);
    my $tag = field($r, 'ETag');
    my $h = http_head('/p3.html', @own, fields => [ "Accept: $form" ]);

    is(field($h, $_), field($r, $_), "$form, HEAD, $_")
        for qw/ Content-Type ETag Vary Detemplate /;

    for my $other ('text/markdown', 'text/html') {
        $r = http_get('/p3.html', @own,
            fields => [ "Accept: $other", "If-None-Match: $tag" ]);

        is(status_of($r), $other eq $form ? 304 : 200,
            "tag of $form, for $other");
        is(field($r, 'Vary'), 'Accept', 'Vary');
    }
}

is(status_of(get_as('/p3.html', 'text/markdown', 'If-Modified-Since: '
    . field(http_get('/p3.html'), 'Last-Modified'))), 200,
    'the date of the page says nothing of Markdown');
is(status_of(get_as('/p3.html', 'text/html', 'If-Modified-Since: '
    . field(http_get('/p3.html'), 'Last-Modified'))), 304,
    'but of itself');

# other methods

my $post = http_request('POST', '/post', fields => [ 'Accept: text/markdown',
    'Content-Length: 0' ]);

is(field($post, 'Content-Type'), 'text/html', 'POST');

$t->done();
