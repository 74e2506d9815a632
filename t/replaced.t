#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A filter behind ours gives up a response whose header it has seen, and nginx
# sends another one for the same request: what is known of the first must not
# be taken for the second, which passes as it is.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

plan(skip_all => 'no ModSecurity for this nginx')
    if !$t->beside(0, 'ngx_http_modsecurity_module');

$t->write_file_expand('nginx.conf', <<'END');
%%TEST_GLOBALS%%

events {
}

http {
    %%TEST_GLOBALS_HTTP%%

    detemplate_zone templates:1m;
    sendfile on;

    server {
        listen       127.0.0.1:%%PORT_0%%;
        server_name  site.test;
        root         %%TESTDIR%%/html;

        detemplate   $http_mode;
        error_page   403 =200 /blocked.html;

        modsecurity  on;
        modsecurity_rules 'SecRuleEngine On
SecRule REQUEST_HEADERS:Block "@streq 1" "id:1,phase:3,deny,status:403"';

        location / {
        }

        location = /blocked.html {
            modsecurity off;
        }

        location /status {
            modsecurity off;
            detemplate off;
            detemplate_status;
        }
    }
}
END

$t->pages('html');

my $blocked = "<html><body><p>This request was blocked.</p></body></html>\n";
$t->write_file('html/blocked.html', $blocked);

# so that nothing was changed in the last minute

$t->write_file('ahead', 120);

$t->run_with($t->clock());

###############################################################################

my $r;

sub get {
    my ($uri, $mode, @fields) = @_;

    return http_get($uri, fields => ["Mode: $mode", @fields]);
}

wait_for(sub { get('/p3.html', 'strip') =~ /^Detemplate: hit/mi }, 20)
    or BAIL_OUT('nothing was learned');
get("/p$_.html", 'strip') for 4 .. 8;
$t->idle();

for my $mode (qw/ strip annotate headers shadow preview /) {

    # scanned; by a list; as it was rewritten

    for my $times (0, 1, 4) {
        get('/p7.html', $mode) for 1 .. $times;

        my $name = "$mode, $times times before";

        $r = get('/p7.html', $mode, 'Block: 1');
        is(body($r), $blocked, "$name, what stands in its place");
        like($r, qr/^Detemplate: bypass; reason=status/mi, "$name, the field");
        unlike($r, qr/^ETag: .*;dt=/mi, "$name, the tag");

        my $head = http_head('/p7.html',
            fields => ["Mode: $mode", 'Block: 1']);
        is(field($head, 'Content-Length'), length $blocked, "$name, HEAD");
    }

    like(get('/p7.html', $mode), qr/^Detemplate: hit/mi, "$mode, others");
}

###############################################################################

$t->stop();
$t->no_alerts();

done_testing();
