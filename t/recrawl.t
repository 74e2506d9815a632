#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A crawl of 1,000 pages again, of which only the year in the footer has
# changed: no page is sent, as HTML and as Markdown.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->configure(http => 'detemplate_accept markdown; detemplate_front off;');

sub files ($year) {
    $t->write_file("html/p$_.html", page($_)
        =~ s{(?=</footer>)}{<p>Copyright 1998-$year by the almanac</p>}r)
        for 1 .. 1000;
}

my %forms = (strip => 'text/html', Markdown => 'text/markdown');
my %tags;

files(2026);
learn();

for my $form (sort keys %forms) {
    $tags{$form}[$_] = field(ask($form, $_), 'ETag') for 1 .. 1000;
}

is(crawl($_), '0 body bytes; 1000 304s', "$_, again") for sort keys %forms;

# the year changes on all pages, and then in the template

files(2027);
$t->stop();
unlink glob "$d/templates/*.dt";
learn();

is(crawl($_), '0 body bytes; 1000 304s', "$_, another year")
    for sort keys %forms;

# and a page of which a word changes is sent

$t->write_file('html/p7.html', $t->read_file('html/p7.html')
    =~ s/<main>/<main><p>Something new.<\/p>/r);
like(crawl($_), qr/^\d+ body bytes; 999 304s$/, "$_, a page has changed")
    for sort keys %forms;

$t->done();

sub learn {
    $t->run();
    ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
    $t->idle();
}

sub ask ($form, $n, @fields) {
    return http_get("/p$n.html", fields => [ "Accept: $forms{$form}",
        @fields ]);
}

sub crawl ($form) {
    my ($bytes, $same) = (0, 0);

    for my $n (1 .. 1000) {
        my $r = ask($form, $n, "If-None-Match: $tags{$form}[$n]");

        $same += status_of($r) == 304;
        $bytes += length body($r);
    }

    my $said = "$bytes body bytes; $same 304s";

    note("$form, crawl of 1,000 pages: $said");

    return $said;
}
