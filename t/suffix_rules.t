#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_suffix: all rules of a server see the page's URL, so that what is
# refused without the suffix is refused with it.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my ($words) = page(3) =~ m{<p>((?:\w+ ){6})};

my @refused = qw/ server map set chain exact nested prefix named referer limit
    method basic inside filename there tried any /;

$t->configure(
    http => '
        map $uri $closed { default 0; ~^/map/.*\.html$ 1; }
        map $uri $raw { default 0; ~^/(?:never|own)/.*\.md$ 1; }
        map $uri $dir { default other; ~html$ html; }
        limit_req_zone $server_name zone=slow:1m rate=1r/m;',
    mode => 'off',
    name => 'site.test',
    server => '
        detemplate_suffix .md;
        add_header X-Uri "$uri $request_uri $detemplate_uri" always;

        if ($uri ~ ^/server/.*\.html$) { return 403; }
        if ($closed) { return 403; }
        if ($raw) { return 403; }
        set $refuse "";
        if ($uri ~ ^/set/) { set $refuse a; }
        if ($uri ~ html$) { set $refuse "${refuse}b"; }
        if ($refuse = ab) { return 403; }
        rewrite ^/chain/(.*)\.html$ /inner/$1.html last;
        rewrite ^/front/(.*)\.htm$ /$1.html;

        location /inner/ { deny all; }
        location = /exact/p3.html { deny all; }
        location /nested/ { location ~ \.html$ { deny all; } }
        location ^~ /prefix/p3.html { deny all; }
        location /named/ { error_page 403 = @named; deny all; }
        location @named { return 401; }
        location /referer/ {
            valid_referers server_names;
            if ($invalid_referer) { return 403; }
        }
        location /limit/ { limit_req zone=slow; }
        location /method/ { limit_except POST { deny all; } }
        location /basic/ {
            auth_basic closed;
            auth_basic_user_file %%TESTDIR%%/users;
        }
        location /inside/ { internal; }
        location /filename/ {
            if ($request_filename ~ html$) { return 403; }
        }
        location /there/ { if (-f $request_filename) { return 403; } }
        location /tried/ { try_files $uri =404; deny all; }
        location /any/ { satisfy any; deny all; auth_basic closed;
            auth_basic_user_file %%TESTDIR%%/users; }

        location /clean/ { try_files $uri $uri.html $uri/ =404; }
        location /missing/ { if (!-f $request_filename) { return 403; } }
        location /varies/ { root %%TESTDIR%%/$dir; }
        location /alias/ { alias %%TESTDIR%%/alias/; }
        location ~ ^/regex/(.*)$ { alias %%TESTDIR%%/alias/$1; }
        location /moved/ { rewrite ^/moved/(.*)$ /clean/$1 last; }
        location /never/ { detemplate_suffix off; }
        location /app/ { proxy_pass %%HTTP_1%%$detemplate_uri; }
        location /asked/ { proxy_pass %%HTTP_1%%; }
        location ~ ^/own/.*\.md$ { default_type text/plain; }',
);

$t->pages("html/$_") for @refused, qw/ . clean missing varies never own /;
$t->pages('alias');
$t->write_file("$_/p3.html.md", "# Our own\n") for qw{ alias html/clean };
$t->write_file("html/$_/p9.html.md", "# Our own\n") for qw/ never own /;
$t->write_file('users', "u:{PLAIN}p\n");
$t->answers(1, sub ($uri, @) {
    response(page(3) =~ s{</main>}{<p>It is $uri</p>$&}r)
});
$t->run();

http_get('/limit/p3.html');

for my $name (@refused) {
    my $status = status_of(http_get("/$name/p3.html"));

    like($status, qr/^(?:40[134]|503)$/, "$name, refused");

    for my $uri ("/$name/p3.html.md", "//$name/./p3.html.md",
        "/$name/x/../p3.html.md?a=b.md", "/%" . unpack('H2', $name)
        . substr($name, 1) . '/p3.html.md')
    {
        has("$uri, refused", http_get($uri), status => $status,
            lacks => qr/$words|<main>/);
    }

    # such URLs have no suffix, or another one

    for my $uri (map { "/$name/p3.html$_" }
        qw/ %2emd .m%64 .md.md .MD .md%00 .md%20 .md%3f .md; .md%23 /)
    {
        has("$uri, no page", http_get($uri),
            lacks => qr/$words|<main>/);
    }
}

# what is allowed stays so, and all but the request line are those of the page

gets(
    (map { my ($uri, $page, $to) = @$_;
        [ $uri, $uri, status => 200, 'Content-Type' => qr{^text/markdown},
            'X-Uri' => "$page $uri $to" ] }
        [ '/p3.html.md', '/p3.html', '/p3.html' ],
        [ '/p3.html.md?a', '/p3.html', '/p3.html?a' ],
        [ '/clean/p4.md', '/clean/p4.html', '/clean/p4' ],
        [ '/moved/p4.md', '/clean/p4.html', '/moved/p4' ],
        [ '/missing/p3.html.md', '/missing/p3.html', '/missing/p3.html' ],
        [ '/varies/p3.html.md', '/varies/p3.html', '/varies/p3.html' ],
        [ '/front/p3.htm.md', '/p3.html', '/front/p3.htm' ],
        [ '/regex/p4.html.md', '/regex/p4.html', '/regex/p4.html' ],
        [ '/app/p3.html.md', '/app/p3.html', '/app/p3.html' ],
        [ '/asked/p3.html.md', '/asked/p3.html', '/asked/p3.html' ]),

    # files, and a location that has no such URLs: all rules see what was asked

    (map { [ $_, $_, status => 200, body => "# Our own\n",
        'X-Uri' => "$_ $_ $_" ] }
        '/alias/p3.html.md', '/regex/p3.html.md', '/clean/p3.html.md'),
    [ 'no such URL, refused', '/never/p9.html.md', status => 403 ],
    [ 'no such URL, none', '/never/p3.htm.md', status => 403,
        'X-Uri' => join ' ', ('/never/p3.htm.md') x 3 ],
    [ 'a file, refused', '/own/p9.html.md', status => 403,
        lacks => qr/Our own/ ],
    [ 'no such file', '/own/p3.html.md', status => 200 ],
);

# an application is asked for the page, also by the variable

like(body(http_get("$_.md")), qr/^It is \Q$_\E$/m, "$_, of an application")
    for qw{ /asked/p3.html /app/p3.html };

$t->done();
