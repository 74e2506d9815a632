#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A filter behind this module rejects a response whose header it has seen, and
# nginx sends another one for the same request.  The module must not apply what
# it knows of the first response to the second, which passes unchanged.

use Test::Detemplate;

my $t = Test::Detemplate->new();

plan(skip_all => 'no ModSecurity for this nginx')
    if !$t->beside(0, 'ngx_http_modsecurity_module');

$t->configure(
    http => 'sendfile on;',
    mode => '$mode',
    server => q{
        error_page 403 =200 /blocked.html;
        modsecurity on;
        modsecurity_rules 'SecRuleEngine On
SecRule REQUEST_HEADERS:Block "@streq 1" "id:1,phase:3,deny,status:403"';},
    locations => ['= /blocked.html' => 'modsecurity off;'],
);

$t->pages('html');

my $blocked = "<html><body><p>This request was blocked.</p></body></html>\n";
$t->write_file('html/blocked.html', $blocked);

$t->run();

my $r;

sub get ($uri, $mode, @fields) {
    return http_get($uri, fields => ["X-Mode: $mode", @fields]);
}

wait_for(sub { get('/p3.html', 'strip') =~ /^Detemplate: hit/mi }, 20)
    or BAIL_OUT('nothing was learned');
get("/p$_.html", 'strip') for 4 .. 8;
$t->idle();

for my $mode (qw/ strip annotate headers shadow preview /) {

    # a page that is new, and one whose regions are known

    for my $times (0, 1, 4) {
        get('/p7.html', $mode) for 1 .. $times;

        my $name = "$mode, $times times before";

        $r = get('/p7.html', $mode, 'Block: 1');
        is(body($r), $blocked, "$name, what stands in its place");
        like($r, qr/^Detemplate: bypass; reason=status/mi, "$name, the field");
        unlike($r, qr/^ETag: .*;dt=/mi, "$name, the tag");

        my $head = http_head('/p7.html',
            fields => ["X-Mode: $mode", 'Block: 1']);
        is(field($head, 'Content-Length'), length $blocked, "$name, HEAD");
    }

    like(get('/p7.html', $mode), qr/^Detemplate: hit/mi, "$mode, others");
}

$t->stop();
$t->done();
