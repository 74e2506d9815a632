#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages seen before: the list of what was cut is applied to a page that comes
# with the same validators and length, and what it cuts is what it was made of.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->write_file_expand('nginx.conf', <<'END');
%%TEST_GLOBALS%%

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    detemplate_zone templates:128k;

    proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
    sendfile on;

    log_format  result  "$uri $detemplate_status $detemplate_reason "
                        "$detemplate_removed";

    server {
        access_log   %%TESTDIR%%/result.log result;

        listen       127.0.0.1:%%PORT_0%%;
        server_name  site.test other.test;
        root         %%TESTDIR%%/html;

        detemplate   strip;

        location / {
        }

        location /annotate/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            detemplate annotate;
        }

        location /read/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            sendfile off;
        }

        location /aio/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            aio threads;
        }

        location /gzip/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            gzip on;
            gzip_min_length 0;
        }

        location /long/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            sendfile_max_chunk 32k;
            limit_rate 2m;
        }

        location /none/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            etag off;
            add_header Last-Modified "";
        }

        location /modified/ {
            detemplate_learn off;
            alias %%TESTDIR%%/html/;
            etag off;
        }

        location /cached/ {
            detemplate_learn off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
            proxy_cache cache;
            proxy_cache_valid 1h;
            proxy_cache_bypass $http_refresh;
        }

        location /proxied/ {
            detemplate_learn off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /status {
            detemplate off;
            detemplate_status;
            access_log off;
        }
    }

    server {
        listen       127.0.0.1:%%PORT_1%%;
        root         %%TESTDIR%%/html;

        location / {
        }

        location /weak/ {
            alias %%TESTDIR%%/html/;
            etag off;
            add_header Last-Modified "";
            add_header ETag 'W/"x"';
        }
    }
}
END

$t->pages('html');

# a page of a megabyte, with template at both ends and in between

my $page = Test::Detemplate::page(5);
my ($start, $content, $end) =
    $page =~ m{(.*<main>\n)(.*)(</main>.*)}s;

$t->write_file('html/long.html', $start . $content x 700
    . '</main><aside class="side"><h2>About this almanac</h2></aside><main>'
    . $content x 700 . $end);

$t->run();

###############################################################################

my ($r, $before, %want);

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

# the learner's job for each page is done before anything is compared

http_get("/p$_.html") for 4 .. 8;
$t->idle();

sub lists { $t->status_json()->{lists} }

sub moved {
    my $now = lists();
    my $text = join ' ', map { "$_ " . ($now->{$_} - $before->{$_}) }
        grep { $now->{$_} != $before->{$_} } qw/ made applied changed /;
    $before = $now;
    return $text;
}

$before = lists();

# the same page, once by scanning and then by its list

for my $uri ('/p7.html', '/annotate/p7.html', '/read/p7.html', '/aio/p7.html',
    '/gzip/p7.html', '/long/p7.html', '/cached/p7.html', '/proxied/p7.html',
    '/modified/p7.html', '/long/long.html', '/read/long.html', '/long.html')
{
    my $first = http_get("$uri?1");
    is(moved(), 'made 1', "$uri, a list is made");
    like($first, qr/^Detemplate: hit/mi, "$uri, first");

    for my $how ('again', 'once more') {
        $r = http_get("$uri?1");
        is(moved(), 'applied 1', "$uri, $how, it is applied");
        ok(body($r) eq body($first), "$uri, $how, the same");
    }

    $want{$uri} = body($first);
}

unlike($want{'/p7.html'}, qr/<nav|Printed by/, 'template is cut');
is(length $want{'/long.html'}, length $want{'/read/long.html'}, 'long');
ok(Test::Detemplate::unmarked($want{'/annotate/p7.html'})
    eq $t->read_file('html/p7.html'), 'annotate');

# what goes into the cache comes from its file, in pieces

$r = http_get('/cached/p7.html?1', fields => ['Refresh: 1']);
is(moved(), 'applied 1', 'from the upstream once more, it is applied');
ok(body($r) eq $want{'/cached/p7.html'}, 'from the upstream, the same');

my @lines = split /\n/, $t->read_file('result.log');
my ($removed) = map { / HIT - (\d+)$/ ? $1 : () } grep { m{^/p7} } @lines;
cmp_ok(scalar(grep { m{^/p7.html HIT - $removed$} } @lines), '>=', 3,
    'the result');
is(scalar(grep { m{^/p7.html HIT} && !/ - $removed$/ } @lines), 0,
    'the result, the same each time');

# a list is for one mode as for the other, for the URL with its query, and for
# what tells a page; not for HEAD, which has no body

http_head('/p7.html?1');
is(moved(), '', 'HEAD');
http_get('/p7.html?2');
is(moved(), 'made 1', 'another query');
http_get('/p7.html?2', version => '1.0');
is(moved(), 'applied 1', 'HTTP/1.0');
http_get('/p7.html?2', host => 'other.test') for 1 .. 2;
is(moved(), 'made 1 applied 1', 'another host');
http_get('/none/p7.html') for 1 .. 2;
is(moved(), '', 'no validators');
http_get('/proxied/weak/p7.html') for 1 .. 2;
is(moved(), '', 'a weak entity tag');

# gzip works on the result

$r = http_get('/gzip/p7.html?1', fields => ['Accept-Encoding: gzip']);
like($r, qr/^Content-Encoding: gzip/mi, 'gzip');
is(moved(), 'applied 1', 'gzip, applied');

# a file that changes in place, and does not tell: length and time are the same

sub copy {
    my ($name) = @_;

    $t->write_file("html/$name", $t->read_file('html/p7.html'));
}

my ($old, $new) = ('Printed by the almanac', 'Printed in a new place');

for my $at ('/', '/read/', '/annotate/') {
    $t->idle();         # what the page before taught makes lists void

    my ($name) = 'changed' . ($at =~ tr{/}{x}r) =~ tr{/}{}dr . '.html';

    copy($name);
    my $file = $t->testdir() . "/html/$name";
    http_get("$at$name") for 1 .. 2;
    is(moved(), 'made 1 applied 1', "$at, changed, seen before");

    ok(Test::Detemplate::change($file, $old, $new), "$at, changed");
    $r = http_get("$at$name");
    is(moved(), 'applied 1 changed 1', "$at, changed, it is noticed");
    like(body($r), qr/$new/, "$at, changed, what is new stays");
    ok(Test::Detemplate::subsequence(body($r), $t->read_file("html/$name")),
        "$at, changed, nothing else is there") if $at ne '/annotate/';
    like(body($r), qr{</html>\n$}, "$at, changed, to its end");

    $r = http_get("$at$name");
    is(moved(), 'made 1', "$at, changed, it is scanned");
    like(body($r), qr/$new/, "$at, changed, scanned, what is new stays");
    lacks($r, qr/the editors with questions/,
        "$at, changed, scanned, what is template goes")
        if $at ne '/annotate/';
}

is(scalar(grep { / GUARD changed / } split /\n/, $t->read_file('result.log')),
    3, 'changed, the reason');
is($t->said('is not the one that came'), 3, 'changed, in the log');

# what stays may be anything

copy('stays.html');
http_get('/stays.html') for 1 .. 2;
ok(Test::Detemplate::change($t->testdir() . '/html/stays.html',
    '<main>', '<MAIN>'), 'stays');
$r = http_get('/stays.html');
like(body($r), qr/<MAIN>/, 'stays, as it is now');
lacks($r, qr/Printed by/, 'stays, template is cut');

# a new template makes lists void

$t->idle();
http_get('/p7.html?1') for 1 .. 2;
$before = lists();
http_get('/p7.html?1');
is(moved(), 'applied 1', 'template, the same');

my $version = $t->site('site.test')->{version};
$t->write_file('html/odd.html',
    '<html><body><p>odd</p><a href="/p1.html">a</a></body></html>');
http_get('/odd.html');
ok(wait_for(sub { $t->site('site.test')->{version} > $version }, 20),
    'template, a new one');
$t->idle();
$before = lists();
http_get('/p7.html?1') for 1 .. 2;
is(moved(), 'made 1 applied 1', 'template, a new list');

# nginx's cache: a file is trusted when it has not changed for two seconds

$t->idle();
http_get('/cached/p8.html') for 1 .. 2;

# its time of modification can be put back as it is

my ($file) = map { chomp; $_ }
    `grep -rl 'KEY: .*p8.html' @{[$t->testdir()]}/cache`;
utime 1000000000, 1000000000, $file;

$before = lists();
sleep 3;
http_get('/cached/p8.html') for 1 .. 3;
is(moved(), 'applied 3', 'cached');
$r = body(http_get('/cached/p8.html'));
ok($r eq body(http_get('/p8.html')), 'cached, trusted, the same');

$before = lists();
ok(Test::Detemplate::change($file, $old, $new), 'cached, changed');
sleep 3;
$r = body(http_get('/cached/p8.html'));
like($r, qr/$new/, 'cached, changed, what is new stays');
is(moved(), 'applied 1 changed 1', 'cached, changed, it is noticed');

# a full zone

for (1 .. 600) {
    http_get("/p6.html?$_");
}

my $full = $t->status_json();
cmp_ok($full->{lists}{evicted}, '>', 0, 'full, lists go');
is($full->{zone}{evicted}, 0, 'full, sites stay');
cmp_ok($full->{lists}{bytes}, '<=', 65536, 'full, half of the zone');
cmp_ok($full->{lists}{bytes} / $full->{lists}{now}, '<=', 1024,
    'full, bytes of a list');
like(http_get('/p6.html?600'), qr/^Detemplate: hit/mi, 'full, hit');
is(lists()->{applied}, $full->{lists}{applied} + 1, 'full, the last one');
http_get('/p6.html?1');
is(lists()->{made}, $full->{lists}{made} + 1, 'full, the first has gone');

###############################################################################

$t->stop();
$t->no_alerts();

done_testing();
