#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages that contain what other pages say, on sites that do not mark their
# content.  An author repeats another's page among text of his own, a post of
# a forum stands in several threads, and a manual is also there on one page.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'detemplate_site $host;',
    name => '*.test',
    origin => 1,
);

my $PAGES = 30;

# a site: pages of the author, whether they are requested first, and whether
# "Recent changes" links to them

my %wikis = (
    'three-first' => [3, 1, 1],
    'three-last' => [3, 0, 1],
    'three-alone' => [3, 1, 0],
    'five-first' => [5, 1, 1],
    'five-last' => [5, 0, 1],
    'five-alone' => [5, 1, 0],
);

$t->answers(1, sub ($uri, $host, @) {
    my ($name) = $uri =~ m{^/(\S*?)\.html} or return;
    my ($site) = $host =~ m{^([\w-]+)\.test} or return;

    my $page = $site eq 'forum' ? thread($name)
        : $site =~ /^manual/ ? chapter($name) : wiki($site, $name);

    return response($page);
});

$t->run();

for my $site (sort keys %wikis) {
    my ($pages, $first) = @{$wikis{$site}};
    my @his = map { "his$_" } 1 .. $pages;
    my @theirs = ('index', map { "p$_" } 1 .. $PAGES);

    visit($site, $first ? (@his, @theirs) : (@theirs, @his)) for 1, 2;

    is(lost($site, map { ["p$_", text("p$_")] } 1 .. $PAGES), '',
        "$site, content");
    ok($t->site("$site.test"), "$site, learned");
    is(index(served($site, 'p5'), 'Made by many'), -1, "$site, no template");
}

visit('forum', map { "t$_" } 1 .. $PAGES) for 1, 2;
is(lost('forum', map { ["t$_", posts($_)] } 1 .. $PAGES), '',
    'forum, content');
is(index(served('forum', 't5'), 'Made by many'), -1, 'forum, no template');

# whichever page the manual is learned from

for my $key ('all', 'c1', 'contents') {
    ok($t->learn("/$key.html", host => "manual-$key.test"),
        "manual, learned from $key");
    visit("manual-$key", 'all', 'contents', map { "c$_" } 1 .. $PAGES);

    is(lost("manual-$key", ['all', map { text("c$_") } 1 .. $PAGES],
        map { ["c$_", text("c$_")] } 1 .. $PAGES), '', "manual, $key, whole");
    is(index(served("manual-$key", 'c5'), 'Made by many'), -1,
        "manual, $key, no template");
}

is($t->learning('failed'), 0, 'no learning failed');

$t->done();

sub served { body(http_get("/$_[1].html", host => "$_[0].test")) }

sub visit ($site, @names) {
    for my $name (@names) {
        served($site, $name);
        $t->idle();
    }
}

# the names of the pages that do not show all of their text

sub lost ($site, @pages) {
    my @lost;

    for my $page (@pages) {
        my ($name, @text) = @$page;
        my $body = served($site, $name);

        push @lost, $name if grep { index($body, $_) < 0 } @text;
    }

    return join ' ', @lost;
}

# five paragraphs of a page, always the same

sub text ($name) {
    return map { my $n = $_;
        join ' ', map { "$name-$n-$_" } 1 .. 30 } 1 .. 5;
}

sub html ($title, $links, @text) {
    return "<!DOCTYPE html><html><head><title>$title</title></head><body>"
        . '<div><a href="/index.html">First page</a> '
        . '<a href="/p1.html">Where to begin</a> '
        . '<a href="/t1.html">How to take part</a></div>'
        . "<div><h1>$title</h1>" . join('', map { "<p>$_</p>" } @text)
        . '</div><ul>' . join('', map { "<li><a href=\"/$_.html\">$_</a>" }
        @$links) . '</ul><div><p>Made by many, and free for everybody to '
        . 'use.</p><p>Tell us what is wrong with this page.</p></div>'
        . '</body></html>';
}

sub wiki ($site, $name) {
    my ($pages, undef, $linked) = @{$wikis{$site}};
    my @his = map { "his$_" } 1 .. $pages;
    my ($n) = $name =~ /(\d+)/ ? $1 : 0;
    my @near = map { 'p' . (1 + ($n * 7 + $_ * 4) % $PAGES) } 1 .. 6;

    return html($name, [@his, 'index'], text('p5'), text($name))
        if $name =~ /^his/;

    return html($name, [$linked ? @his : (), @near], text($name));
}

# the posts of a thread; one of the fifth thread is pasted into five others

sub posts ($n) {
    return (text("t$n"), $n % 6 == 5 ? (text('t5'))[0] : ());
}

sub thread ($name) {
    my ($n) = $name =~ /t(\d+)/ or return;
    my @near = map { 't' . (1 + ($n * 7 + $_ * 4) % $PAGES) } 1 .. 6;

    return html($name, \@near, posts($n));
}

sub chapter ($name) {
    my @all = map { "c$_" } 1 .. $PAGES;
    my ($n) = $name =~ /c(\d+)/;
    my @near = ('contents', 'all', $n ? map { 'c' . (1 + ($n + $_) % $PAGES) }
        0 .. 2 : @all);

    return html($name, \@near, $name eq 'all' ? map { text($_) } @all
        : $name eq 'contents' ? () : text($name));
}
