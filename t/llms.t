#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_llms: Markdown names the site's /llms.txt, if it has one.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

# servers in front of an application, which has what the name of each says

my @names = qw/ text html none fails error modified /;

$t->configure(
    mode => 'off',
    http => 'detemplate_llms on; detemplate_accept markdown;
        detemplate_learn off; detemplate_front off;',
    name => 'site.test',
    server => 'location = /llms.txt { types { text/plain txt; } }',
    pages => [
        '/front/' => 'detemplate_front on;',
        '/off/' => 'detemplate_llms off;',
        '/plain/' => 'detemplate_accept off; detemplate text;',
        '/body/' => '',
    ],
    servers => [ (map { {
        name => "$_.test", mode => 'off', root => 'html',
        server => "location = /llms.txt { proxy_pass %%HTTP_1%%/$_; }",
    } } @names), { name => 'bare.test', mode => 'off', root => 'html',
        server => 'location = /llms.txt { return 404; }' },
        { name => '~^many', mode => 'off', root => 'html',
            server => 'location = /llms.txt {
                proxy_pass %%HTTP_1%%/text; }' } ],
);

$t->pages('html');
$t->write_file('html/llms.txt', "# Site\n");

$t->origin(1, sub ($s, $request) {
    my ($what) = $request =~ m{^GET /(\w+)};

    $t->append_file('asked', "$what\n");
    return if $what eq 'fails';

    my ($status, $type) = $what eq 'text' ? (200, 'text/markdown')
        : $what eq 'html' ? (200, 'TEXT/HTML; charset=utf-8')
        : $what eq 'none' ? (404, 'text/plain')
        : $what eq 'modified' ? (304, '') : (500, 'text/plain');

    print $s "HTTP/1.1 $status X\r\nConnection: close\r\n"
        . ($type ? "Content-Type: $type\r\nContent-Length: 5\r\n\r\nabcde"
        : "\r\n");
});

$t->run();

my $own = $t->port(0);
my $line = qr{> Index of this site for agents: <http://site\.test:$own/llms};

like(body(md('/p1.html')), qr{\A$line\.txt>\n\n\[The }, 'the first line');
like(body(md('/front/p1.html')),
    qr{\A---\n(\w+: .*\n)+---\n\n$line\.txt>\n\n\[The }, 'front matter');
unlike(body(md($_)), qr/llms/, "$_, not named")
    for '/off/p1.html', '/plain/p1.html';
unlike(body(http_get('/p1.html')), qr/llms/, 'HTML');
isnt(field(md('/p1.html'), 'ETag'), field(md('/off/p1.html'), 'ETag'),
    'tags tell them apart');
is(status_of(md('/p1.html', 'If-None-Match: ' . field(md('/p1.html'),
    'ETag'))), 304, 'not modified');
is(field(http_request('HEAD', '/p1.html', fields => [ 'Accept: text/markdown'
    ]), 'ETag'), field(md('/p1.html'), 'ETag'), 'HEAD');
like(field(md('/body/p1.html'), 'Content-Length'), qr/^\d+$/, 'held');

# what an application says

for ([ text => 1 ], [ html => 0 ], [ none => 0 ], [ fails => 0 ],
    [ error => 0 ], [ modified => 1 ], [ bare => 0 ])
{
    my ($name, $has) = @$_;

    for my $n (1, 2) {
        my $r = md('/p1.html', 'If-None-Match: "x"', "$name.test");

        is(status_of($r), 200, "$name $n, status");
        like(body($r), $has ? qr{\A> .*//$name\.test:$own/llms\.txt>\n}
            : qr/\A\[The /, "$name $n, " . ($has ? 'has one' : 'has none'));
    }
}

is($t->read_file('asked'), join('', map { "$_\n" } qw/ text html none fails
    error modified /), 'each site was asked once');

# more sites than a worker remembers

is(scalar(grep { body(md('/p1.html', 'X: 1', "many$_.test")) !~ /llms\.txt>/ }
    1 .. 300), 0, 'many sites');

$t->done();

sub md ($uri, $field = undef, $host = undef) {
    return http_get($uri, host => $host,
        fields => [ 'Accept: text/markdown', $field || () ]);
}
