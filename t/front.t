#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A cache in front that revalidates: what it has of a page from before there
# was a template is replaced by the rewritten page, whatever validators the
# origin has.

use Test::Detemplate;

my $t = Test::Detemplate->new();

# the origins: a file, and applications with one validator or none

my %origins = map { ($_ => '') } qw/ file dated tagged plain weak /;
my $date = 'Last-Modified: Sun, 09 Sep 2001 01:46:40 GMT';

$t->configure(
    http => 'proxy_cache_path %%TESTDIR%%/cache keys_zone=front:1m;
        detemplate_accept markdown;',
    name => 'site.test',
    server => join("\n", map {
        "location /$_/ { proxy_pass %%HTTP_1%%; }" }
        grep { $_ ne 'file' } keys %origins),
    servers => [ { name => 'front.test', mode => 'off', listen => [2],
        server => 'location / {
            proxy_pass http://127.0.0.1:%%PORT_0%%;
            proxy_set_header Host site.test;
            proxy_cache front;
            proxy_cache_valid 1s;
            proxy_cache_revalidate on;
            add_header X-Cache $upstream_cache_status;
        }' } ],
);

$t->pages('html');
$t->pages('html/file');
$t->answers(1, sub ($uri, @) {
    my ($what, $n) = $uri =~ m{^/(\w+)/p(\d)\.html} or return '';
    my $tag = $what eq 'weak' ? qq{W/"$n"} : qq{"$n"};

    return response(page($n), $what eq 'dated' ? $date
        : $what =~ /tagged|weak/ ? "ETag: $tag" : ());
});
$t->run();

sub front ($what, $accept = 'text/html') {
    return http_get("/$what/p4.html", port => $t->port(2),
        host => 'front.test', fields => [ "Accept: $accept" ]);
}

for my $what (sort keys %origins) {
    my $r = front($what);

    is(body($r), page(4), "$what, whole at first");
    $origins{$what} = field($r, 'ETag');
}

ok($t->learn('/p3.html'), 'learned');
$t->idle();

for my $what (sort keys %origins) {
    my $r;

    soon { $r = front($what); body($r) !~ /<nav/ } "$what, then rewritten", 10;
    is(body($r), body(http_get("/$what/p4.html")), "$what, the page");
    isnt(field($r, 'ETag'), $origins{$what}, "$what, another tag");
    is(field($r, 'Last-Modified'), '', "$what, no date");
    soon { $r = front($what); field($r, 'X-Cache') eq 'REVALIDATED' }
        "$what, and revalidated", 10;
    unlike(body($r), qr/<nav/, "$what, still rewritten");
    like(body(front($what, 'text/markdown')), qr/^# \w/m, "$what, Markdown");
}

$t->done();
