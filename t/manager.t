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

