#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Tests for the cache manager's jobs: one learning at a time and per site,
# back-off, refresh, expiry, and pages that the template covers badly.

###############################################################################

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use Test::Detemplate;

###############################################################################

my $t = Test::Detemplate->new();

$t->write_file_expand('nginx.conf', <<'EOF');

%%TEST_GLOBALS%%

worker_processes 2;

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    detemplate_zone  templates:1m;
    detemplate       strip;

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  site.test;

        location / {
            proxy_pass http://127.0.0.1:%%PORT_1%%;
        }

        location = /status {
            detemplate_status;
        }
    }

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  none.test;
        root         %%TESTDIR%%/none;
    }

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  stale.test;
        root         %%TESTDIR%%/site;

        detemplate_refresh  1s;
    }

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  expired.test;
        root         %%TESTDIR%%/site;

        detemplate_refresh  1s;
        detemplate_valid    1s;
    }

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  second.test;
        root         %%TESTDIR%%/site;
    }

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  passive.test;
        root         %%TESTDIR%%/site;

        detemplate_learn  off;
    }
}

EOF

$t->pages('site', 8);

# a section with a template of its own

for my $i (1 .. 8) {
	my $links = join '', map { "<td><a href=\"/b/q$_.html\">Item $_</a></td>" }
		1 .. 8;
	my ($text) = page($i + 40) =~ m{(<h1>.*)</main>}s;

	$t->write_file("site/b/q$i.html", "<html><body><table id=shelf><tr>$links"
		. "</tr></table><div class=body>$text</div><div class=imprint><p>"
		. 'Shelves are dusted weekly, please mind the ladder.</p></div>'
		. '</body></html>');
}

$t->write_file('none/index.html', '<html><body><p>Nothing to follow.</p>'
	. '</body></html>');

# what the origin of site.test was asked for; slow enough to meet a learning

my $d = $t->testdir();

$t->origin(1, sub {
	my ($client, $request) = @_;
	my ($uri) = $request =~ m{^GET /(\S+)};

	open my $fh, '>>', "$d/asked" or return;
	syswrite $fh, ($request =~ /Detemplate-Learner/i ? 'leak ' : '')
		. "$uri\n";
	select undef, undef, undef, 0.1;

	my $page = $t->read_file("site/$uri");
	print $client "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n$page";
});

$t->run();

###############################################################################

my ($r, $s);

# learning, once

like(field(http_get('/p1.html'), 'Detemplate'),
	qr/^miss; reason=no-template/, 'first request');
is(body(http_get('/p2.html')), $t->read_file('site/p2.html'),
	'page passes unchanged');

http_get("/p$_.html") for 1 .. 8;

ok($r = $t->learn('/p1.html'), 'learned');
like(body($r), qr/<h1>/, 'content is there');
unlike(body($r), qr/Chapter 7/, 'template is not');

$s = $t->status_json();
is($s->{learning}{done}, 1, 'one learning');
is($s->{learning}{failed}, 0, 'none failed');
is($s->{learning}{queued} + $s->{learning}{running}, 0, 'none under way');
is($s->{sites}[0]{source}, 'learned', 'source');
is($s->{sites}[0]{version}, 1, 'version');
cmp_ok($s->{reasons}{learner}, '>=', 4, 'learner loaded pages');
cmp_ok($s->{reasons}{learning}, '>', 0, 'reason while learning');

$r = $t->read_file('asked');
unlike($r, qr/leak/, 'key is not sent to the origin');
is(grep({ $_ eq 'p3.html' } split /\n/, $r), 2,
	'origin was asked once by the client and once by the learner');

# a site that gives no template

like(field(http_get('/index.html', host => 'none.test'), 'Detemplate'),
	qr/reason=no-template/, 'no links, first request');

wait_for(sub { $t->status_json()->{learning}{failed} == 1 }, 10);

like(field(http_get('/index.html', host => 'none.test'), 'Detemplate'),
	qr/^miss; reason=backoff/, 'no links, back-off');
http_get('/index.html', host => 'none.test') for 1 .. 20;

$s = $t->status_json();
is($s->{learning}{failed}, 1, 'one attempt');
is($s->{learning}{queued} + $s->{learning}{running}, 0, 'no further attempt');
is(scalar(() = $t->read_file('error.log') =~ /no template for "none\.test"/g),
	1, 'one log line');
like($t->read_file('error.log'),
	qr/no template for "none\.test": no-links.* attempt in \d+ seconds/,
	'log line has the reason');

# many requests, one learning

my @sockets = map {
	http_get('/p' . ($_ % 8 + 1) . '.html', host => 'second.test', start => 1)
} 1 .. 30;

http('', socket => $_) for @sockets;

ok($t->learn('/p1.html', host => 'second.test'), 'learned under load');
is($t->status_json()->{learning}{done}, 2, 'one learning for many requests');

# a page of another template

$s = $t->status_json()->{learning}{done};
like(field(http_get('/b/q1.html', host => 'second.test'), 'Detemplate'),
	qr/^hit/, 'page of another section');
ok(wait_for(sub { $t->status_json()->{learning}{done} == $s + 1 }, 10),
	'badly covered page is learned from');
ok($r = wait_for(sub {
	my $reply = http_get('/b/q2.html', host => 'second.test');
	return field($reply, 'Detemplate') =~ /version=2/ ? $reply : '';
}, 10), 'version of the merged template');
unlike(body($r), qr/Shelves are dusted/, 'template of the section');
unlike(body(http_get('/p5.html', host => 'second.test')), qr/Chapter 7/,
	'template of the first section');

# refresh

ok($t->learn('/p1.html', host => 'stale.test'), 'learned, refresh');
ok(wait_for(sub {
	field(http_get('/p2.html', host => 'stale.test'), 'Detemplate')
		=~ /version=[2-9]/;
}, 10), 'learned anew');
cmp_ok($t->status_json()->{requests}{stale}, '>', 0, 'stale meanwhile');

# expiry

ok($t->learn('/p1.html', host => 'expired.test'), 'learned, expiry');
ok(wait_for(sub {
	field(http_get('/p2.html', host => 'expired.test'), 'Detemplate')
		=~ /^miss; reason=expired/;
}, 10), 'expired');
ok($t->learn('/p1.html', host => 'expired.test'), 'learned after expiry');

# no learning

http_get('/p1.html', host => 'passive.test') for 1 .. 3;
like(field(http_get('/p1.html', host => 'passive.test'), 'Detemplate'),
	qr/^miss; reason=no-template/, 'learning is off');
ok(!grep({ $_->{site} eq 'passive.test' } @{$t->status_json()->{sites}}),
	'no template when learning is off');

$t->no_alerts();

done_testing();

###############################################################################
