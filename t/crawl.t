#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_links: with "keep", a crawler that follows links finds the same
# pages on a stripped site as on the plain one.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => q{
        # as in conf-examples/search.conf
        map $request_uri $index {
            default cut;
            "~^[^?]*/(index\.[a-z]+)?(\?|$)" keep;
        }
        map $http_x_links $links {
            default $index;
            keep keep;
            odd kept;
        }},
    server => 'index index.html; detemplate_links $links;',
    locations => [
        '^~ /plain/' => 'alias %%TESTDIR%%/html/; detemplate off;',
        '^~ /all/' => 'alias %%TESTDIR%%/html/; detemplate_links cut;',
    ],
);

# Only menus link to the sections.  Only the front page of a section links to
# the pages of the section.

my @sections = qw/ plums pears figs /;
my $map = '<map name="m"><area href="/map.html" alt="a map of the garden">'
    . '</map>';
my $menu = "<nav><ul>\n" . join("\n", map {
    "<li><a href=\"/$_/\">All about $_</a></li>"
} @sections) . "\n</ul><p>Choose a fruit of the garden.</p></nav>$map";

$t->write_file("html/$_->[0]", layout(@$_)) for
    [ 'index.html', 'the garden', map { "/p$_.html" } 1 .. 6 ],
    [ 'map.html', 'a map' ],
    map({ [ "p$_.html", "page $_" ] } 1 .. 6),
    map {
        my $s = $_;
        [ "$s/index.html", $s, map { "/$s/p$_.html" } 1 .. 4 ],
        map { [ "$s/p$_.html", "$s $_" ] } 1 .. 4
    } @sections;

$t->run();

ok($t->learn('/p1.html'), 'learned');
visit() for 1 .. 3;

my $hit = qr/^hit; mode=strip; version=\d+/;

gets(
    [ 'cut', '/p2.html', Detemplate => qr/$hit; settled(?:=\?0)?$/, lacks =>
        qr/All about|Choose a fruit|Grown with care|map\.html/ ],
    [ 'another value is "cut"', '/p2.html', ['X-Links: odd'],
        lacks => qr/All about/ ],
    [ 'cut, front page', '/all/', lacks => qr/All about/ ],
);

my $r = http_get('/p2.html', fields => ['X-Links: keep']);
has('keep', $r, body => qr{<a href="/plums/">All about plums</a>},
    body => qr{<area href="/map\.html"},
    lacks => qr/Choose a fruit|Grown with care/,
    Detemplate => qr/$hit; links=keep; settled(?:=\?0)?$/);
ok(subsequence(body($r) =~ s/(?=<)/\n/gr,
    $t->read_file('html/p2.html') =~ s/(?=<)/\n/gr),
    'keep, nothing else has changed');

my $tag = 'If-None-Match: ' . field($r, 'ETag');

gets(
    [ 'keep, not modified', '/p2.html', [ 'X-Links: keep', $tag ],
        status => 304 ],
    [ 'page has another entity tag', '/p2.html', [ $tag ], status => 200 ],
);

# the pages that a crawler finds

my @plain = crawl('/plain/');
my @stripped = crawl('/');
my @cut = crawl('/all/');

is(scalar @plain, 23, 'plain site, all pages are found');
is("@stripped", "@plain", 'stripped site, the same pages are found');
cmp_ok(scalar @cut, '<', 12, 'all links cut, fewer pages are found');

$t->done();

# all pages that can be reached through the links of files, beginning with a
# directory

sub crawl ($dir) {
    my @todo = '/';
    my %seen = ('/' => 1);

    while (defined(my $path = shift @todo)) {
        my $body = body(http_get($dir . substr $path, 1));

        for my $href ($body =~ /href="([^"]+)"/g) {
            push @todo, $href if !$seen{$href}++;
        }
    }

    return sort keys %seen;
}

sub visit {
    for my $path (crawl('/plain/')) {
        http_get($path);
        $t->idle();
    }
}

sub layout ($file, $title, @links) {
    my $i = length($file) * 31 + ord($file) + ord(substr $file, 2);
    my ($own) = page($i) =~ m{<main>(.*)</main>}s;
    my $list = join '', map { "<p><a href=\"$_\">Of $_</a></p>" } @links;

    $own =~ s/<p>/<p>On $title. /g;

    return "<!DOCTYPE html><title>$title</title><body><header>$menu</header>\n"
        . "<main><h1>$title</h1>$own$list</main>\n"
        . "<footer><p>Grown with care by the people of the garden.</p>"
        . "</footer></body>\n";
}
