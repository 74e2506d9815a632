#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_llms: Markdown names the site's /llms.txt, and nobody is asked
# whether there is one.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    mode => 'off',
    http => 'detemplate_llms on; detemplate_accept markdown;
        detemplate_learn off; detemplate_front off;',
    name => 'site.test',
    server => 'location = /llms.txt { proxy_pass %%HTTP_1%%; }',
    pages => [
        '/front/' => 'detemplate_front on;',
        '/off/' => 'detemplate_llms off;',
        '/plain/' => 'detemplate_accept off; detemplate text;',
        '/url/' => 'detemplate_url https://www.example.com;',
    ],
);

$t->pages('html');
$t->answers(1, sub ($uri, @) {
    $t->append_file('asked', $uri);
    return response('');
});
$t->run();

my $own = $t->port(0);
my $line = qr{> Index of this site for agents: <http://site\.test:$own/llms};

like(body(md('/p1.html')), qr{\A$line\.txt>\n\n\[The }, 'the first line');
like(body(md('/front/p1.html')),
    qr{\A---\n(\w+: .*\n)+---\n\n$line\.txt>\n\n\[The }, 'front matter');
like(body(md('/url/p1.html')), qr{<https://www\.example\.com/llms\.txt>},
    'where the site is');
unlike(body(md($_)), qr/llms/, "$_, not named")
    for '/off/p1.html', '/plain/p1.html';
unlike(body(http_get('/p1.html')), qr/llms/, 'HTML');
isnt(field(md('/p1.html'), 'ETag'), field(md('/off/p1.html'), 'ETag'),
    'tags tell them apart');
is(status_of(md('/p1.html', 'If-None-Match: ' . field(md('/p1.html'),
    'ETag'))), 304, 'not modified');
ok(!-e $t->testdir() . '/asked', 'nobody was asked');

$t->done();

sub md ($uri, $field = undef) {
    return http_get($uri,
        fields => [ 'Accept: text/markdown', $field || () ]);
}
