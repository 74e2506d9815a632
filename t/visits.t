#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What visitors ask for.  Any number of pages without links, as of an API,
# neither keep a site from being learned, nor crowd other pages out, nor let a
# template expire.  A hit says whether learning has more to do.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'detemplate_site $host; detemplate_learners 2;',
    name => 'any.test',
    origin => 1,
    servers => [
        {
            name => 'due.test',
            origin => 1,
            server => 'detemplate_refresh 3s; detemplate_valid 12s;
                detemplate_loads 1000;',
        },
    ],
);

# The pages of /o/ have another layout, and nobody links to them.  A page of
# the API is another one each time.

$t->answers(1, sub ($uri, @) {
    return response($uri =~ m{^/(?:ping|api/)}
        ? "<!DOCTYPE html><title>pong</title><p>pong to $uri"
        : $uri =~ m{^/p(\d+)\.html} ? page($1)
        : $uri =~ m{^/o/(\d+)\.html} ? other_page($1, 'o/') : '',
        'Cache-Control: max-age=7');
});

$t->run();

my ($r, $n) = ('', 0);

# a new site, whose visitors nearly all ask for the API

for my $api ('/ping?n=', '/ping?o=1&n=', '/api/') {
    my $host = 'new' . ++$n . '.test';

    soon {
        pings($host, $api, 100);
        $r = http_get('/p' . (1 + int rand 8) . '.html', host => $host);
        return field($r, 'Detemplate') =~ /^hit/;
    } "new site, $api", 90;
}

# a site that has a template: an API, and a layout that few ask for

ok($t->learn('/p3.html', host => 'old.test'), 'learned');
ok($t->idle(), 'learned, idle');

$r = http_get('/p4.html', host => 'old.test');
like(field($r, 'Detemplate'), qr/^hit; .*; settled$/, 'learned, settled');
is(field($r, 'Cache-Control'), 'max-age=7', 'learned, Cache-Control');

$r = http_get('/ping?n=0', host => 'old.test');
like(field($r, 'Detemplate'), qr/^hit; new-layout; .*; settled=\?0$/,
    'nothing, a hit');
is(field($r, 'Cache-Control'), 'max-age=7', 'little, Cache-Control');
like(body($r), qr/pong/, 'little, body');

pings('old.test', '/ping?m=', 20);
like(detemplate('/p4.html', host => 'old.test'), qr/; settled=\?0$/,
    'little, not settled');

soon {
    pings('old.test', '/ping?n=', 50);
    $r = http_get('/o/3.html', host => 'old.test');
    return body($r) !~ /<nav/ && field($r, 'Detemplate') !~ /new-layout/;
} 'another layout is learned', 90;

# a site of few pages is learned from again at once, but not for ever

my ($done, $last) = $t->learning('done');

my $begun = $done;

ok(wait_for(sub {
    $last = $done;

    for (1 .. 4) {
        pings('old.test', '/ping?n=', 50);
        select undef, undef, undef, 0.5;
    }

    $done = $t->learning('done');
    return $done <= $last + 1;
}, 90), 'little, hardly anything is learned');

cmp_ok($done - $begun, '<=', 18, 'little, at most so often');
like(detemplate('/p4.html', host => 'old.test'), qr/; settled=\?0$/,
    'little, a learning is planned');

# a template that is due again and again

ok($t->learn('/p3.html', host => 'due.test'), 'due, learned');

my $version = $t->site('due.test')->{version};
my @gone;

for (1 .. 30) {
    pings('due.test', '/ping?n=', 60);
    $r = http_get('/p' . (1 + $_ % 8) . '.html', host => 'due.test');
    push @gone, $_ if field($r, 'Detemplate') !~ /^(?:hit|stale)/;
    select undef, undef, undef, 0.5;
}

is("@gone", '', 'due, the template does not expire');
cmp_ok($t->site('due.test')->{version}, '>', $version, 'due, learned again');

$t->done();

sub pings ($host, $api, $count) {
    my @sockets = map {
        http_get($api . $n++, host => $host, start => 1)
    } 1 .. $count;

    http('', socket => $_) for @sockets;
}
