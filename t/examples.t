#!/usr/bin/perl

# Copyright (C) The detemplate authors

# conf-examples/proxy.conf in front of an application that compresses whatever
# a client lets it compress.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

my $t = Test::Detemplate->new();

open my $example, '<', "$FindBin::Bin/../conf-examples/proxy.conf" or die;
my $conf = do { local $/; <$example> };

# only what cannot be the same here: addresses, paths, and the status' name

for ([ 'load_module [^;]+;', '%%TEST_GLOBALS%%' ],
    [ 'detemplate_path [^;]+;', '%%TEST_GLOBALS_HTTP%%' ],
    [ '127\.0\.0\.1:8000', '127.0.0.1:%%PORT_1%%' ],
    [ 'listen +8080', 'listen 127.0.0.1:%%PORT_0%%' ],
    [ 'logs/indexing', '%%TESTDIR%%/indexing' ],
    [ '/detemplate-status', '/status' ])
{
    $conf =~ s/$_->[0]/$_->[1]/ or die "no $_->[0]";
}

$t->write_file_expand('nginx.conf', $conf);
$t->pages('html');

$t->origin(1, sub {
    my ($s, $request) = @_;
    my ($uri) = $request =~ m{^\S+ (\S+)} or return;
    my $body = $t->read_file("html$uri");
    my $coding = '';

    if ($request =~ /^Accept-Encoding: \S/mi) {
        $coding = "Content-Encoding: br\r\n";
        $body = 'compressed';
    }

    print $s "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${coding}"
        . "Content-Length: " . length($body)
        . "\r\nConnection: close\r\n\r\n$body";
});

$t->run();

###############################################################################

my @indexer = (host => 'www.example.com',
    fields => ['Detemplate: strip', 'Accept-Encoding: gzip, br']);

my $r = $t->learn('/p3.html', @indexer);
ok($r, 'learned');
unlike(body($r), qr/<nav|compressed/, 'stripped, for an indexer');

$r = http_get('/p3.html', host => 'www.example.com',
    fields => ['Accept-Encoding: gzip, br']);
is(body($r), page(3), 'whole, for readers');
is(field($r, 'Detemplate'), '', 'without a field');

$t->no_alerts();

done_testing();
