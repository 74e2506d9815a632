#!/usr/bin/perl

# Copyright (C) The detemplate authors

# An attacker wants text of others to be cut.  He may publish below one
# directory, comment everywhere, and create links to a search that shows its
# query.  His pages repeat paragraphs of honest pages at the same places.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'detemplate_site $host; detemplate_loads 300;',
    name => 'any.test',
    origin => 1,
);

my $PAGES = 8;
my $COPIES = 200;

# URLs of his pages, number i of them; undef: he only comments

my %places = (
    user => sub { "/~mallory/$_[0].html" },
    below => sub { "/users/x/page$_[0]/" },
    lookup => sub { "/lookup?word=w$_[0]" },
    search => sub { "/search?q=" . ($_[0] % 9) . '%20' x ($_[0] / 9) },
);

$t->answers(1, sub ($uri, $host, @) {
    return response(served($host =~ s/\.test//r, $uri));
});

$t->run();

for my $name (sort(keys %places), 'comments') {
    my $host = "$name.test";
    my @copies = $places{$name} ? map { $places{$name}->($_) } 1 .. $COPIES
        : ();

    # some honest visitors, then many of his own, then the other ones

    visit($host, '/p1.html', '/p2.html', @copies[0 .. @copies / 8 - 1]);
    visit($host, map { "/p$_.html" } 3 .. $PAGES);
    visit($host, @copies[@copies / 8 .. $#copies]);

    my (@lost, @left);

    for my $n (1 .. $PAGES) {
        my $r = body(http_get("/p$n.html", host => $host));

        push @lost, $n if index($r, own($n)) < 0;
        push @left, $n if $r =~ /Chapter 2|Printed by the almanac/;
    }

    is("@lost", '', "$name, content");

    # a site of which one author has nine pages in ten is nearly all his, so
    # that little of what the others show is on a quarter of its pages

    is("@left", '', "$name, no template") if !@copies;
    cmp_ok($t->site($host)->{loads}, ">=", 8, "$name, loaded");
}

$t->done();

# requests each URL and waits for the end of learning

sub visit ($host, @uris) {
    for my $uri (@uris) {
        my $r = http_get($uri, host => $host);

        $t->idle();
    }
}

# the text of page n

sub own { page($_[0]) =~ m{<main>\n<h1>[^\n]*\n(.*)\n</main>}s ? $1 : die }

# a page, honest or his

sub served ($name, $uri) {
    my $his = $places{$name};
    my @copies = $his ? map { $his->($_) } 1 .. $COPIES : ();

    # honest pages link to some of his, as to other users' pages

    my $links = join '', map { "<a href=\"$_\">" . length . '</a>' }
        @copies[grep { $_ % 9 == 0 } 0 .. $#copies];

    for my $n (1 .. $PAGES) {
        next if $uri ne "/p$n.html";

        my $page = page($n, pages => $PAGES);
        my $spam = join '', map { "<li>$_</li>" }
            own(1) =~ m{^<p>(.*)</p>$}mg, own(2) =~ m{^<p>(.*)</p>$}mg;

        $links = '' if $name =~ /search|lookup/ && $n > 2;
        $page =~ s{</main>}{<h2>Comments</h2><ol>$spam</ol></main>}
            if !$his;
        return $page =~ s{</body>}{<div>$links</div></body>}r;
    }

    for my $i (grep { $copies[$_ - 1] eq $uri } 1 .. @copies) {
        my $stolen = join "\n", map { own($_) } 1 .. 3;
        my $filler = join "\n", map { my $p = $_;
            '<p>' . join(' ', map { "his$i-$p-$_" } 1 .. 40) . '</p>'
        } 1 .. 9;
        my @near = map { $his->(1 + ($i + $_) % $COPIES) } 1 .. 9;
        my $near = join '', map { "<a href=\"$_\">$_</a> " } @near;

        return "<!DOCTYPE html><html><title>$i</title><body><main>"
            . "<h1>His $i</h1>$filler\n$stolen</main>$near"
            . '<a href="/p1.html">1</a> <a href="/p2.html">2</a> '
            . '<a href="/p3.html">3</a></body></html>';
    }
}
