#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages that are asked for again and again: a worker keeps what they became,
# as long as the file that they came from is the same.  Their length is known
# beforehand.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use IO::Uncompress::Gunzip qw/ gunzip /;
use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

my $conf = <<'END';
%%TEST_GLOBALS%%

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    # 8 parts of 20 KB, as there is one worker

    detemplate_zone templates:160k;
    detemplate_learn off;
    detemplate strip;

    proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
    proxy_cache cache;
    proxy_cache_valid 1h;
    proxy_cache_key $uri;
    sendfile on;

    log_format  result  "$uri $detemplate_status $detemplate_reason "
                        "$detemplate_removed";

    charset_map koi8-r windows-1251 {
        C1 E0;
    }

    server {
        access_log   %%TESTDIR%%/result.log result;

        listen       127.0.0.1:%%PORT_0%%;
        server_name  site.test;
        root         %%TESTDIR%%/html;

        location / {
            detemplate_learn on;
            proxy_cache off;
        }

        location /cached/ {
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /annotate/ {
            detemplate annotate;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /mode/ {
            detemplate $http_mode;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /read/ {
            sendfile off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /file/ {
            alias %%TESTDIR%%/html/;
            proxy_cache off;
            sendfile off;
        }

        location /directio/ {
            alias %%TESTDIR%%/html/;
            proxy_cache off;
            directio 512;
        }

        location /gzip/ {
            gzip on;
            gzip_min_length 0;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /charset/ {
            source_charset koi8-r;
            charset windows-1251;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /slow/ {
            limit_rate 6k;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }

        location /redirected/ {
            detemplate off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
            error_page 412 = @instead;
        }

        location @instead {
            rewrite ^ /p7.html break;
        }

        location /opened/ {
            detemplate off;
            alias %%TESTDIR%%/html/;
            error_page 412 = @opened;
        }

        location @opened {
            open_file_cache max=10;
            root %%TESTDIR%%/also;
            rewrite ^ /p7.html break;
        }

        location /status {
            detemplate off;
            detemplate_status;
            access_log off;
        }
    }

    server {
        listen       127.0.0.1:%%PORT_2%%;
        server_name  site.test;

        location / {
            detemplate annotate;
            detemplate_marks nosnippet;
            proxy_pass http://127.0.0.1:%%PORT_1%%/;
        }
    }

    server {
        listen       127.0.0.1:%%PORT_1%%;
        root         %%TESTDIR%%/html;

        location / {
            detemplate off;
            proxy_cache off;
        }
    }
}
END

$t->write_file_expand('nginx.conf', $conf);

$t->pages('html');

# pages of some 19 KB, and one that has no room in a part; the first one has a
# byte that is none of ASCII

my ($start, $content, $end) =
    Test::Detemplate::page(5) =~ m{(.*<main>\n)(.*)(</main>.*)}s;

$t->write_file("html/long$_.html", "$start<p>This is page $_.</p>\n"
    . ($_ == 1 ? "<p>\xc1</p>" : '') . $content x 16 . $end) for 1 .. 24;
$t->write_file('html/huge.html', $start . $content x 25 . $end);

# of just 512 KiB, and of a little more

my $times = int((524288 - length "$start$end") / length $content);
$t->write_file("html/most$_.html", $start . $content x ($times + $_) . $end)
    for 0, 1;

# two of the same length and time, of which one will not be sent

my $p7 = Test::Detemplate::page(7);
(my $other = $p7) =~ s{(<main>\n)(.*)(?=</main>)}{$1 . other($2)}se;
mkdir $t->testdir() . '/also';
$t->write_file('also/p7.html', $p7);
$t->write_file('html/other.html', $other);
utime 1e9, 1e9, map { $t->testdir() . "/$_" }
    qw! also/p7.html html/p7.html html/other.html !;

sub other {
    my ($html) = @_;

    $html =~ s/(?<=>)([^<]+)/ (my $s = $1) =~ tr{a-z}{b-za}; $s /ge;
    return $html;
}

# two minutes ahead, so that nothing was changed in the last one

$t->write_file('ahead', 120);

my $clock = $t->clock();

$t->run_with($clock);

###############################################################################

my ($r, %want);

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
http_get("/p$_.html") for 4 .. 8;
$t->idle();

# into the cache

http_get("/cached/$_.html") for 'p7', 'p8', 'huge', map { "long$_" } 1 .. 24;
http_get("/$_/long1.html")
    for qw/ annotate mode read gzip charset slow /;
http_get("/$_/p7.html") for qw/ annotate read gzip /;

# whether its length is told

sub known { Test::Detemplate::field($_[0], 'Content-Length') }

# until it is

sub keep {
    my ($uri, %extra) = @_;

    for (1 .. 8) {
        $r = http_get($uri, %extra);
        return $r if known($r);
    }

    return '';
}

sub worker {
    my $pid = $t->read_file('nginx.pid') + 0;

    return (grep {
        my $stat = Test::Detemplate::proc_stat($_);
        $stat && $stat->{parent} == $pid
            && Test::Detemplate::proc_title($_) eq 'worker process'
    } map { m{(\d+)$} } glob '/proc/[0-9]*')[0];
}

# the files that the worker keeps them in

sub parts {
    return grep { /memfd:detemplate/ }
        values %{Test::Detemplate::proc_fds(worker())};
}

# what is served is what was served by scanning, whatever comes of it then

for my $uri (map { ("$_/p7.html", "$_/long1.html") }
    '/cached', '/annotate', '/read', '/file', '')
{
    my $first = http_get("$uri?scanned");
    is(known($first), '', "$uri, scanned");

    my $kept = keep("$uri?scanned");
    ok($kept, "$uri, kept");
    is(known($kept), length body($first), "$uri, its length");
    ok(body($kept) eq body($first), "$uri, the same");
    like($kept, qr/^Detemplate: hit/mi, "$uri, the field");
    unlike($kept, qr/^(Accept-Ranges|Last-Modified)/mi, "$uri, no fields");
    is(field($kept, 'ETag'), field($first, 'ETag'), "$uri, the tag");

    $r = http_head("$uri?scanned");
    is(known($r), known($kept), "$uri, HEAD");
    is(body($r), '', "$uri, HEAD, no body");

    $r = http_get("$uri?scanned", version => '1.0');
    ok(body($r) eq body($first), "$uri, HTTP/1.0");

    $r = http_get("$uri?scanned", fields => ['Range: bytes=5-9']);
    is(status_of($r), 200, "$uri, no range");
    ok(body($r) eq body($first), "$uri, no range, all of it");

    $r = http_get("$uri?scanned",
        fields => ['If-None-Match: ' . field($kept, 'ETag')]);
    is(status_of($r), 304, "$uri, 304");

    $want{$uri} = body($first);
}

# what came first for a request, and was not sent

http_get('/redirected/other.html');
for my $uri ('/redirected/other.html', '/opened/other.html') {
    for (1 .. 6) {
        $r = http_get($uri, fields => ['If-Match: "none"']);
        ok(body($r) eq $want{'/p7.html'}, "$uri, the other page");
    }
}

# the same URL in another mode, and with other marks

for my $mode (qw/ strip annotate /) {
    $r = keep('/mode/long1.html', fields => ["Mode: $mode"]);
    my $like = $mode eq 'strip' ? 'cached' : 'annotate';
    ok(body($r) eq $want{"/$like/long1.html"}, "mode, $mode");
}

$r = keep('/annotate/long1.html?scanned', port => $t->port(2));
like(body($r), qr/<header data-nosnippet/, 'other marks');
ok(body(http_get('/annotate/long1.html?scanned'))
    eq $want{'/annotate/long1.html'}, 'other marks, not for all');

ok(Test::Detemplate::unmarked($want{'/annotate/long1.html'})
    eq $t->read_file('html/long1.html'), 'annotate');
cmp_ok(length $want{'/cached/p7.html'}, '<', 16384, 'a small one');
cmp_ok(length $want{'/cached/long1.html'}, '>', 16384, 'a large one');

my %removed = map { m{^(/cached/p7.html HIT - \d+)$} ? ($1 => 1) : () }
    split /\n/, $t->read_file('result.log');
delete $removed{'/cached/p7.html HIT - 0'};     # HEAD
is(scalar(keys %removed), 1, 'the result');

my $lists = $t->status_json()->{lists};
http_get('/cached/p7.html?scanned') for 1 .. 3;
my $now = $t->status_json()->{lists};
is($now->{applied} - $lists->{applied}, 3, 'counted');

# others work on it

my $gzip = ['Accept-Encoding: gzip'];
for my $name ('p7', 'long1') {
    keep("/gzip/$name.html");
    $r = body(http_get("/gzip/$name.html", fields => $gzip));
    gunzip(\$r => \my $out);
    ok($out eq $want{"/cached/$name.html"}, "gzip, $name");
}

# who changes pages on their way, even if they stay as long as they are, does
# so each time

$r = http_get('/charset/long1.html');
like(body($r), qr/<p>\xe0<\/p>/, 'charset');
for (1 .. 6) {
    $r = http_get('/charset/long1.html');
    is(known($r), '', 'charset, not kept');
    like(body($r), qr/<p>\xe0<\/p>/, 'charset, each time');
}

# a file that only whole blocks can be read of

for (1 .. 4) {
    $r = http_get('/directio/long1.html?scanned');
    ok(body($r) eq $want{'/file/long1.html'}, 'directio');
}

is(scalar $t->log_lines(qr/preadv?\(\)/), 0, 'directio, nothing failed');

# there is no room for more than a part

ok(!keep('/cached/huge.html'), 'huge, not kept');
like(http_get('/cached/huge.html'), qr/^Detemplate: hit/mi, 'huge');

# a slow client has the part that its page is in, whatever comes then

my $slow = keep('/slow/long1.html');
ok(body($slow) eq $want{'/cached/long1.html'}, 'slow');
ok(keep('/cached/p7.html'), 'slow, others');
my $s = http_get('/slow/long1.html', start => 1);
sleep 0.3;

my $good = 0;
for my $n (2 .. 24) {
    my $whole = body(http_get("/cached/long$n.html"));
    $r = keep("/cached/long$n.html");
    $good++ if body($r) eq $whole && $r =~ /This is page $n\./;
}
is($good, 23, 'many, all kept in turn');
is(scalar(parts()), 8, 'many, old ones are gone');

$r = http('', socket => $s);
ok(body($r) eq $want{'/cached/long1.html'}, 'slow, as it was');

# a file that changes in place, and does not tell

my ($old, $new) = ('Printed by the almanac', 'Printed in a new place');
my ($file) = map { chomp; $_ }
    `grep -rl 'KEY: /cached/p8.html' @{[$t->testdir()]}/cache`;

for (['/cached/p8.html', $file], ['/p8.html', $t->testdir() . '/html/p8.html'])
{
    my ($uri, $name) = @$_;

    ok(keep($uri), "changed, $uri, kept");
    ok(Test::Detemplate::change($name, $old, $new), "changed, $uri");
    like(body(http_get($uri)), qr/$new/, "changed, $uri, as it is now");
    like(body(http_get($uri)), qr/$new/, "changed, $uri, the next time");
}

# a new template

my $version = $t->site('site.test')->{version};
ok(keep('/cached/p7.html'), 'template, kept');
$t->write_file('html/odd.html',
    '<html><body><p>odd</p><a href="/p1.html">a</a></body></html>');
http_get('/odd.html');
ok(wait_for(sub { $t->site('site.test')->{version} > $version }, 20),
    'template, a new one');
is(known(http_get('/cached/p7.html')), '', 'template, scanned');
ok(keep('/cached/p7.html'), 'template, kept again');

# no more files in memory: it is said once, and tried again after a while

sub long { grep { keep("/cached/long$_.html") } 2 .. 24 }

is(scalar(long()), 23, 'failing, not yet');
$t->write_file('ahead-memfd', '');
cmp_ok(scalar(long()), '<', 23, 'failing, some are not kept');
is($t->said('bytes of rewritten pages'), 1, 'failing, said once');
unlink $t->testdir() . '/ahead-memfd';
cmp_ok(scalar(long()), '<', 23, 'failing, not tried each time');
$t->write_file('ahead-steady', 61);
is(scalar(long()), 23, 'failing, tried after a minute');

# a list whose page is kept is not asked for; a minute later it is touched all
# the same, and stays when those go that were not

sub lists { $t->status_json()->{lists}{$_[0]} }

my $older = lists('now');

ok(keep('/mode/p7.html?touch', fields => ['Mode: strip']), 'touched, kept');
http_get("/p3.html?touch$_") for 1 .. 30;

$t->write_file('ahead', 120 + 61);
ok(known(http_get('/mode/p7.html?touch', fields => ['Mode: strip'])),
    'touched, kept a minute later');

my $evicted = lists('evicted') + $older + 10;

for (1 .. 2000) {
    last if lists('evicted') >= $evicted;
    http_get("/p3.html?fill$_");
}

is(lists('evicted'), $evicted, 'touched, others went');

my $applied = lists('applied');

http_get('/mode/p7.html?touch', fields => ['Mode: headers']);
is(lists('applied'), $applied + 1, 'touched, its list is there');

$t->stop();

# a long page would keep the others waiting while it is made

$conf =~ s/templates:160k/templates:8m/;
$t->write_file_expand('nginx.conf', $conf);
$t->run_with($clock);
ok($t->learn('/p3.html'), 'long, learned');
$t->idle();
ok(keep('/most0.html'), 'long, kept');
ok(!keep('/most1.html'), 'too long, not kept');

$t->stop();

# where there is room for huge pages, they are asked for as they begin, but not
# for a minute when there was none, or the last one took 600 ms

$conf =~ s/templates:8m/templates:32m/;
$t->write_file_expand('nginx.conf', $conf);
$t->write_file('ahead-huge', '');
chmod 0666, $t->testdir() . '/ahead-huge';
$t->run_with($clock);
ok($t->learn('/p3.html'), 'huge, learned');
$t->idle();

sub huge { [ map { [split] } split /\n/, $t->read_file('ahead-huge') ] }

my $n = 0;

# more than one has room for, less than two have

sub fill { return grep { keep('/most0.html?' . $n++) } 1 .. 5 }

ok(keep('/p7.html?huge'), 'huge, the first kept');
is(scalar(@{huge()}), 1, 'huge, asked for one');

my ($address, $size, $failed) = @{huge()->[0]};

is($size, 2 << 20, 'huge, its size');
like($address, qr/[02468ace]00000$/, 'huge, its place');

SKIP: {
    skip('no huge pages', 1) if $failed;

    open my $smaps, '<', '/proc/' . worker() . '/smaps' or die "smaps: $!\n";
    local $/;

    ok(<$smaps> =~ /memfd:.*(?:\n\w+:.*)*\nShmemPmdMapped: +2048 kB/,
        'huge, as it is');
}

my ($asked, $minutes) = (2, 0);

is(scalar(fill()), 5, 'huge, all kept');
is(scalar(@{huge()}), $asked, 'huge, asked for the next');

for my $why ('slow', 'none') {
    $t->write_file("ahead-$why", '');
    is(scalar(fill()), 5, "$why, kept");
    is(scalar(@{huge()}), ++$asked, "$why, asked for");
    unlink $t->testdir() . "/ahead-$why";

    $t->write_file('ahead-steady', 61 * $minutes + 61 + 50);
    is(scalar(fill()), 5, "$why, kept in small pages");
    is(scalar(@{huge()}), $asked, "$why, not asked for again");

    $t->write_file('ahead-steady', 61 * ++$minutes + 61);
    is(scalar(fill()), 5, "$why, kept a minute later");
    is(scalar(@{huge()}), ++$asked, "$why, asked for a minute later");
}

###############################################################################

$t->stop();
$t->no_alerts();

done_testing();
