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
)->pages('html')->run();

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

    has($value, get_as('/p3.html', $value), 'Content-Type' => $type{$form},
        Vary => 'Accept');
    has("text as well, $value", get_as('/text/p3.html', $value),
        'Content-Type' => $type{$with_text});
}

gets(
    [ 'no field', '/p3.html', 'Content-Type' => 'text/html' ],
    [ 'two fields', '/p3.html',
        [ 'Accept: text/html;q=0.5', 'accept: text/markdown' ],
        'Content-Type' => $type{MARKDOWN} ],

    # readers get the page as the mode says

    [ 'off', '/p3.html', [ 'Accept: text/html' ], body => page(3),
        Detemplate => '' ],
);

# the learner gets the page, and what it learns is cut

has('learned', $t->learn('/p3.html', fields => [ 'Accept: text/markdown' ]),
    body => qr/^# /m, lacks => qr/Chapter/);

my @all = [ 'Accept: */*' ];
my @md = [ 'Accept: text/markdown' ];

gets(
    [ 'off', '/p3.html', @all, body => page(3) ],
    [ 'strip for others', '/strip/p3.html', @all,
        Detemplate => qr/mode=strip/ ],
    [ 'Markdown whatever the mode is', '/strip/p3.html', @md,
        Detemplate => qr/mode=markdown/ ],
    [ 'not inherited', '/never/p3.html', @md, 'Content-Type' => 'text/html',
        Vary => '' ],
    [ 'it is off', '/never/nothing.css', Detemplate => '' ],
    [ 'all', '/star/p3.html', @all, Vary => '*' ],
    [ 'once', '/vary/p3.html', @all, Vary => 'X-Mode, accept' ],
    [ 'of gzip as well', '/coding/p3.html', @md,
        Vary => 'Accept-Encoding, Accept' ],
    [ 'a page that passes', '/bypass/p3.html', @md, Vary => 'Accept',
        'Content-Type' => 'text/html' ],
    [ 'an error', '/nowhere.html', @md, Vary => 'Accept', status => 404 ],
    [ 'what is Markdown passes', '/twin/p3.html', @md,
        Detemplate => 'bypass; reason=type', body => page(3) ],
    map { [ $_, $_, Vary => '' ] } '/picture.png', '/style.css',
);

# readers are told that there is Markdown, where there is

my $base = 'http://site.test:' . $t->port(0);
my $link = "<$base%s>; rel=\"alternate\"; type=\"text/markdown\"";

for my $uri ('/p3.html?a="', '/strip/p3.html', '/text/p3.html') {
    my $encoded = $uri =~ s/"/%22/r;

    gets([ $uri, $uri, @all, Link => sprintf $link, $encoded ],
        [ $uri, $uri, @md, Link => "<$base$encoded>; rel=\"canonical\"" ]);
}

gets(
    [ 'HEAD', '/p3.html', { method => 'HEAD' },
        Link => sprintf $link, '/p3.html' ],
    [ 'one of its own', '/link/p3.html', @all,
        Link => '</a.md>; rel="alternate"; type="Text/Markdown"' ],
    map({ [ $_, $_, @all, Link => '' ] } '/never/p3.html', '/bypass/p3.html',
        '/nowhere.html', '/picture.png', '/twin/p3.html', '/charset/p3.html'),
    [ 'as it cannot be had', '/charset/p3.html', @md,
        Detemplate => 'bypass; reason=charset' ],
);

# validators and HEAD, on a site that has one page only, which stays as it was
# learned

my @own = (host => 'own.test');

ok($t->learn('/p3.html', @own), 'another site');
$t->idle();

for my $form ('text/markdown', 'text/html') {
    my $r = http_get('/p3.html', @own, fields => [ "Accept: $form" ]);
    my $tag = field($r, 'ETag');

    has("$form, HEAD", http_head('/p3.html', @own,
        fields => [ "Accept: $form" ]), ETag => '',
        map { ($_ => field($r, $_)) } qw/ Content-Type Vary Detemplate /);
    gets([ "tag of $form, for $_", '/p3.html', { @own,
        fields => [ "Accept: $_", "If-None-Match: $tag" ] },
        status => $_ eq $form ? 304 : 200, Vary => 'Accept' ])
        for 'text/markdown', 'text/html';
}

my $since = 'If-Modified-Since: ' . field(http_get('/p3.html'),
    'Last-Modified');

gets(
    [ 'the date of the page says nothing of Markdown', '/p3.html',
        [ @{$md[0]}, $since ], status => 200 ],
    [ 'but of itself', '/p3.html', [ 'Accept: text/html', $since ],
        status => 304 ],
    [ 'POST', '/post', { method => 'POST',
        fields => [ @{$md[0]}, 'Content-Length: 0' ] },
        'Content-Type' => 'text/html' ],
);

$t->done();
