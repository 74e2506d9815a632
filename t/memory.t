#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A page that is rewritten takes a bounded amount of the worker's memory,
# however small the pieces are in which it comes.

use warnings;
use strict;

use FindBin;
use lib "$FindBin::Bin/lib";

use Test::More;
use Test::Detemplate;

use constant MOST => 2048;   # KB more than the same page takes in mode off

plan skip_all => 'sanitizers have memory of their own' if $ENV{ASAN_OPTIONS};

my $t = Test::Detemplate->new();

$t->configure(
    main => 'worker_processes 1;',
    mode => '$mode',
    origin => 1,
    server => 'proxy_http_version 1.1;',
    locations => [
        '/unbuffered/' => 'proxy_buffering off; proxy_pass %%HTTP_1%%/;',
        '/gzip/' => 'gzip on; proxy_pass %%HTTP_1%%/;',
        '= /pid' => 'detemplate off; return 200 $pid;',
    ],
);

# a long page; a longer one, in pieces of which each is copied; and one with
# much that is held until it is cut, or not

my %pages = (long => page(3, paragraphs => 1500),
    longer => page(3, paragraphs => 20000),
    held => join('', page(3) =~ m{^(.*<main>)}s,
        map({ my ($aside) = page(3) =~ m{(<aside.*?)</p>}s;
            "$aside x</p></aside>" } 1 .. 2500),
        page(3) =~ m{(</main>.*)$}s));

$t->origin(1, sub {
    my ($s, $request) = @_;

    my ($name, $n) = $request =~ m{^GET /(?:(\w+)-)?p(\d+)} or return;
    my $page = $name ? $pages{$name} : page($n);
    my $size = !$name ? length $page : $name eq 'longer' ? 32 : 1;

    print $s "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        . "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        . join('', map { sprintf "%x\r\n%s\r\n", length, $_ }
            unpack "(a$size)*", $page)
        . "0\r\n\r\n";
});

$t->run();

###############################################################################

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

for my $name (sort keys %pages) {
    cmp_ok(length $pages{$name}, '>', 250000, "$name, so many bytes");

    for my $dir (qw{ / /unbuffered/ /gzip/ }) {
        my @gzip = ('Accept-Encoding: gzip');
        my $uri = "$dir$name-p3.html";
        my $off = peak($uri, @gzip, 'X-Mode: off');

        for my $mode (qw/ strip annotate /) {
            cmp_ok(peak($uri, @gzip, "X-Mode: $mode") - $off, '<', MOST,
                "$uri, $mode");
        }
    }
}

$t->no_alerts();

done_testing();

###############################################################################

# KB that a worker has at its peak, a new one that was asked for nothing else

sub peak {
    my ($uri, @fields) = @_;

    my $old = body(http_get('/pid'));
    my $pid;

    kill 'TERM', $old;

    wait_for(sub { ($pid = body(http_get('/pid')) || $old) != $old }, 10)
        or die "no new worker\n";

    my $r = http_get($uri, fields => \@fields);

    open my $fh, '<', "/proc/$pid/status" or die "no worker\n";

    my ($peak) = join('', <$fh>) =~ /^VmHWM:\s+(\d+) kB/m;

    return $peak;
}
