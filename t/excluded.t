#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What is in a location with "detemplate_learn off" is no evidence, whoever
# links to it.  Each of two sites has three pages, which share some words with
# eight pages below /p/ and have nothing in common but the links to those.

use Test::Detemplate;

my $t = Test::Detemplate->new();

my @site = (listen => [0], root => 'html', status => 0);

$t->configure(
    name => 'out.test',
    locations => [ '/p/', 'detemplate off; detemplate_learn off;',
        '/q/', 'detemplate_learn off;',
        '/moved/', 'detemplate_learn off; return 301 /index.html;' ],
    servers => [ { @site, name => 'in.test' } ],
);

my $SHARED = '<p>The tides of this bay are told by the warden each morning'
    . '.</p>';

sub html ($words, @links) {
    return "<!DOCTYPE html><html><head><title>t</title></head><body>"
        . "<div>$SHARED</div><main><h1>$words</h1><p>$words is all that "
        . "anybody says of $words.</p></main>"
        . join('', map { "<a href=\"$_\">$words $_</a>" } @links)
        . '</body></html>';
}

my @own = qw/ index a /;
my @below = map { ("/p/$_.html", "/q/$_.html") }
    qw/ barley copper dune ember fern gale hazel ivory /;

$t->write_file("html/$_.html", html($_, '/moved/', @below)) for @own;
$t->write_file('html' . $_, html(m{/([pq]/\w+)}, '/index.html', @below))
    for @below;

$t->run();

like(body($t->learn('/index.html', host => 'in.test')), qr/says of index/,
    'without the directive the site is learned');
unlike(body(http_get('/a.html', host => 'in.test')), qr/tides of this bay/,
    'and what its pages share is cut');

for (1 .. 2) {
    for my $page (@own) {
        my $reply = body(http_get("/$page.html", host => 'out.test'));

        is(index($reply, $SHARED) >= 0, 1, "nothing is cut, $page");
        $t->idle();
    }
}

ok(!$t->site('out.test'), 'nothing is learned from excluded pages');
is($t->said('no template for "out.test": no-candidates: detemplate_learn off'),
    1, 'the log says why');

# only the learner is told

my ($key) = $t->read_file('templates/key') =~ /(\w+)/;
my @out = ('/p/dune.html', host => 'out.test');

is(field(http_get(@out), 'Detemplate-Learner'), '', 'readers are not told');
is(field(http_get(@out, fields => ["Detemplate-Learner: $key"]),
    'Detemplate-Learner'), 'off', 'the learner is told');
is(field(http_get('/a.html', host => 'out.test',
    fields => ["Detemplate-Learner: $key"]), 'Detemplate-Learner'), '',
    'of other pages it is told nothing');

$t->done();
