#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A page that is rewritten takes a bounded amount of the worker's memory,
# however small the pieces are in which it comes.

use IO::Compress::Gzip qw/ gzip /;
use Test::Detemplate;

use constant MOST => 2048;   # KB more than the same page takes in mode off

plan skip_all => 'sanitizers have memory of their own' if $ENV{ASAN_OPTIONS};

my $t = Test::Detemplate->new();

$t->configure(
    main => 'worker_processes 1; worker_rlimit_nofile 4096;',
    mode => '$mode',
    listen => ['0 sndbuf=32k'],
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

# a long page; a longer one, in pieces of which each is copied; and one with
# much that is held until it is cut, or not

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

my $large = page(3, paragraphs => 4200);
my $huge = page(3, paragraphs => 12000);
gzip(\$huge, \my $zipped);
$t->write_file('large/p3.html', $large);
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

        for my $mode (qw/ strip annotate /) {
            cmp_ok(peak($uri, @gzip, "X-Mode: $mode") - $off, '<', MOST,
                "$uri, $mode");
        }
    }
}

# Clients that read slowly: what all of them take is bounded.  A page of a
# megabyte is held for HTTP/1.0, until the worker holds too much.

my $off = slow(100, '/large/p3.html', '1.0', 'off');
my $strip = slow(100, '/large/p3.html', '1.0', 'strip');

cmp_ok($strip - $off, '<', 48 * 1024, 'slow clients, what is held');
cmp_ok($t->status_json()->{not_held}, '>', 50, 'slow clients, counted');
is($t->said('is not held') > 0, 1, 'slow clients, log');

my $r = http_get('/large/p3.html', version => '1.0',
    fields => ['X-Mode: strip']);
is(field($r, 'Content-Length'), length body($r), 'then pages are held again');

my $passed = $t->counted('memory');
slow(800, '/gzipped/p3.html', '1.1', 'markdown');
cmp_ok($t->counted('memory') - $passed, '>', 50, 'slow clients, some pass');
is(detemplate('/p3.html', fields => ['X-Mode: markdown']) =~ /^hit/, 1,
    'then pages are converted again');

$t->done();

# KB that a worker has at its peak, a new one that was asked for nothing else

sub peak ($uri, @fields) {
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

# KB that a worker has while so many clients have asked and do not read

sub slow ($n, $uri, $version, $mode) {
    my @s = map {
        http_request('GET', $uri, version => $version, start => 1,
            fields => ["X-Mode: $mode"])
    } 1 .. $n;

    # the last has its first bytes by now, and so have the others

    can_read(IO::Select->new($s[-1]), 60);

    my $pid = body(http_get('/pid'));

    open my $fh, '<', "/proc/$pid/status" or die "no worker\n";

    my ($rss) = join('', <$fh>) =~ /^VmRSS:\s+(\d+) kB/m;

    close $_ for @s;

    return $rss;
}
