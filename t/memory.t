#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A page that is held takes a bounded amount of the worker's memory, however
# small the pieces are in which it comes, and however slowly it is read.

use IO::Compress::Gzip qw/ gzip /;
use IO::Socket::IP;
use Socket qw/ SOL_SOCKET SO_RCVBUF /;
use Test::Detemplate;

plan skip_all => 'sanitizers have memory of their own' if $ENV{ASAN_OPTIONS};

my $t = Test::Detemplate->new();

$t->configure(
    main => 'worker_processes 1; worker_rlimit_nofile 4096;',
    mode => '$mode',
    listen => ['0 sndbuf=8k'],
    origin => 1,
    server => 'proxy_http_version 1.1;',
    locations => [
        '/unbuffered/' => 'proxy_buffering off; proxy_pass %%HTTP_1%%/;',
        '/gzip/' => 'gzip on; proxy_pass %%HTTP_1%%/;',
        '/gzipped/' => 'root %%TESTDIR%%; gzip_static always;',
        '/large/' => 'root %%TESTDIR%%;',
        '= /pid' => 'detemplate off; return 200 $pid;',
    ],
);

# a long page; one that is too large; and one with much that is cut

my %pages = (long => page(3, paragraphs => 1500),
    longer => page(3, paragraphs => 20000),
    held => join('', page(3) =~ m{^(.*<main>)}s,
        map({ my ($aside) = page(3) =~ m{(<aside.*?)</p>}s;
            "$aside x</p></aside>" } 1 .. 2500),
        page(3) =~ m{(</main>.*)$}s));

$t->origin(1, sub ($s, $request) {
    my ($name, $n) = $request =~ m{^GET /(?:(\w+)-)?p(\d+)} or return;
    my $page = $name ? $pages{$name} : page($n);
    my $size = !$name ? length $page : $name eq 'longer' ? 32 : 1;

    print $s head('Transfer-Encoding: chunked'), chunked($page, $size);
});

my $some = page(3, paragraphs => 430);
my $large = page(3, paragraphs => 4200);
gzip(\$large, \my $zipped);
$t->write_file('large/p3.html', $large);
$t->write_file('large/p4.html', $some);
$t->write_file('gzipped/p3.html.gz', $zipped);

my $conf = $t->read_file('nginx.conf');
$conf =~ s/events \{/events {\nworker_connections 4000;/;
$t->write_file('nginx.conf', $conf);

$t->run();

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

for my $name (sort keys %pages) {
    cmp_ok(length $pages{$name}, '>', 250000, "$name, so many bytes");

    for my $dir (qw{ / /unbuffered/ /gzip/ }) {
        my @gzip = ('Accept-Encoding: gzip');
        my $uri = "$dir$name-p3.html";
        my $off = peak($uri, @gzip, 'X-Mode: off');

        # while it grows, a page has three times its bytes, and the scanner
        # keeps what it knows of its elements

        my $most = 2048 + 3 * length($pages{$name}) / 1024;

        for my $mode (qw/ strip annotate markdown /) {
            cmp_ok(peak($uri, @gzip, "X-Mode: $mode") - $off, '<', $most,
                "$uri, $mode");
        }
    }
}

# Clients that read slowly: each has a page, and not much more

my $kb = length($some) / 1024;
my $idle = slow(1, '/large/p4.html', '1.1', 'off');

for my $mode (qw/ off strip annotate markdown text json preview headers /) {
    my $each = (slow(200, '/large/p4.html', '1.1', $mode) - $idle) / 200;

    diag(sprintf "%s: %.0f KB for a page of %.0f KB", $mode, $each, $kb)
        if $ENV{TEST_VERBOSE};
    cmp_ok($each, '<', 2.5 * $kb, "200 slow clients, $mode");
}

# what all of them take is bounded

my $passed = $t->counted('memory');

cmp_ok(slow(400, '/large/p3.html', '1.1', 'strip'), '<', 200 * 1024,
    'slow clients, what is held');
cmp_ok($t->counted('memory') - $passed, '>', 100, 'slow clients, counted');
is($t->said('so that this one passes') > 0, 1, 'slow clients, log');
is(detemplate('/large/p3.html', fields => ['X-Mode: strip']) =~ /^hit/, 1,
    'then pages are held again');

$passed = $t->counted('memory');
slow(800, '/gzipped/p3.html', '1.1', 'annotate');
cmp_ok($t->counted('memory') - $passed, '>', 50, 'slow clients, inflated');
is(detemplate('/p3.html', fields => ['X-Mode: markdown']) =~ /^hit/, 1,
    'then pages are converted again');

$t->done();

# KB that a worker has at its peak, a new one that was asked for nothing else

sub peak ($uri, @fields) {
    my $pid = worker();
    my $r = http_get($uri, fields => \@fields);

    open my $fh, '<', "/proc/$pid/status" or die "no worker\n";

    my ($peak) = join('', <$fh>) =~ /^VmHWM:\s+(\d+) kB/m;

    return $peak;
}

sub worker {
    my $old = body(http_get('/pid'));
    my $pid;

    kill 'TERM', $old;

    wait_for(sub { ($pid = body(http_get('/pid')) || $old) != $old }, 10)
        or die "no new worker\n";

    return $pid;
}

# KB that a new worker has while so many clients have asked and do not read

sub slow ($n, $uri, $version, $mode) {
    my $pid = worker();
    my @s = map {
        http_request('GET', $uri, version => $version, start => 1,
            fields => ["X-Mode: $mode"], socket => IO::Socket::IP->new(
                PeerAddr => '127.0.0.1', PeerPort => $t->port(0),
                Sockopts => [[ SOL_SOCKET, SO_RCVBUF, pack 'i', 4096 ]]))
    } 1 .. $n;

    # the last has its first bytes by now, and so have the others

    can_read(IO::Select->new($s[-1]), 60);

    open my $fh, '<', "/proc/$pid/status" or die "no worker\n";

    my ($rss) = join('', <$fh>) =~ /^VmRSS:\s+(\d+) kB/m;

    close $_ for @s;

    return $rss;
}
