#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A list whose regions are what they were in a file is trusted there.  Two
# pages of one URL that nothing tells apart come in turn, and one of them is
# read slowly: the list made meanwhile, of the other one, is not trusted.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;
use Time::HiRes qw/ sleep /;

my $t = Test::Detemplate->new();

$t->write_file_expand('nginx.conf', <<'END');
%%TEST_GLOBALS%%

worker_processes 2;

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    detemplate_zone templates:1m;

    proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
    sendfile on;

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  site.test;
        root         %%TESTDIR%%/html;

        detemplate   strip;

        location / {
        }

        location /cached/ {
            detemplate_learn off;
            proxy_pass http://127.0.0.1:%%PORT_1%%/$http_variant/;
            proxy_cache cache;
            proxy_cache_valid 1h;
            proxy_cache_key $uri$http_variant;
        }

        location /status {
            detemplate off;
            detemplate_status;
        }
    }

    server {
        listen       127.0.0.1:%%PORT_1%%;
        root         %%TESTDIR%%;
        etag         off;
        index        page.html;
    }
}
END

$t->pages('html');

# the same length and time, but template is elsewhere; too long to be kept as
# it was rewritten

my ($start, $content, $end) = page(7) =~ m{(.*<main>\n)(.*)(</main>.*)}s;
my %page = (one => $start . $content x 1000 . $end);

$page{two} = $page{one} =~ s{(<p>[^\n]*\n)(</main>.*)(</body>)}{$2$1$3}sr;

for my $name (qw/ one two /) {
    $t->write_file("$name/page.html", $page{$name});
    utime 1000000000, 1000000000, $t->testdir() . "/$name/page.html";
}

$t->run_with($t->preload('slow', "-DSLOW=\"@{[$t->testdir()]}/slow\""));

###############################################################################

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
http_get("/p$_.html") for 4 .. 8;
$t->idle();

sub variant {
    my ($name, %extra) = @_;

    return http_get('/cached/', fields => ["Variant: $name"], %extra);
}

sub lists { $t->status_json()->{lists}{$_[0]} }

# makes the list anew, of this one

sub listed {
    my ($name) = @_;
    my $made = lists('made');

    for (1 .. 2) {
        variant($name) if lists('made') == $made;
    }

    return lists('made') == $made + 1;
}

# both are in the cache, and nothing has changed them for two seconds

variant($_) for qw/ one two /;
sleep 3.5;

my %want;

for my $name (qw/ two one /) {
    ok(listed($name), "$name, a list is made");
    $want{$name} = body(variant($name));
    unlike($want{$name}, qr/<footer|<nav/, "$name, template is cut");
    ok(Test::Detemplate::subsequence($want{$name}, $page{$name}),
        "$name, nothing else is there");
}

# while one worker reads the first page, to see whether its list is true of it

listed('two');
listed('one');

my $slow = $t->testdir() . '/slow';
$t->write_file('slow', '');
my $s = variant('one', start => 1);
ok(wait_for(sub { !-f $slow }, 10), 'one, being read');

ok(listed('two'), 'two, a list is made meanwhile');
my $r = http('', socket => $s);
ok(body($r) eq $want{one}, 'one, read slowly');

# that list is not true of the first page

my $changed = lists('changed');
$r = body(variant('one'));
is(lists('changed'), $changed + 1, 'one, afterwards, it is noticed');
ok(index($r, $content x 1000) != -1, 'one, afterwards, its content is there');

###############################################################################

$t->stop();
$t->no_alerts();

done_testing();
