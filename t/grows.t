#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The pages of a site link to no others of it: its template is first that of
# few pages.  A crawler that waits for it gets hardly a menu all the same.

use Test::Detemplate;

my $t = Test::Detemplate->new();

# with so many loads, there may be as many requests as are needed here

$t->configure(http => 'detemplate_wait 10s; detemplate_loads 300;');

# ten pages of each of two layouts, and a page of none again and again

for my $layout ('a', 'b') {
    $t->write_file("html/$layout$_.html", layout($layout, $_)) for 0 .. 9;
}

$t->write_file('html/odd.html', layout('odd', 0));
$t->write_file("html/alone$_.html", layout("alone$_", 0)) for 1 .. 30;
$t->run_with($t->clock());

my %menus;

for my $layout ('a', 'b') {
    for my $n (0 .. 9) {
        my $r = http_get("/$layout$n.html", host => 'grows.test');

        like(body($r), qr/Words of $layout$n only/, "$layout$n, its words");
        $menus{$layout}++ if body($r) =~ /Menu of $layout/;
    }
}

cmp_ok($menus{a} // 0, '<=', 5, 'the first pages have a menu');
cmp_ok($menus{b} // 0, '<=', 5, 'another layout, the first pages have one');

like(detemplate('/b9.html', host => 'grows.test'), qr/^hit/, 'a hit');

# it does not grow for ever: one page shows nothing of the template

my $done;

for (1 .. 30) {
    http_get('/odd.html', host => 'grows.test');
    $done = idle_done();
}

is($done, 16, 'so many learnings in a row');

# then it is learned every ten seconds, not once in a day

http_get('/odd.html', host => 'grows.test');
is(idle_done(), 16, 'no learning yet');
$t->write_file('ahead-steady', 11);
soon {
    http_get('/odd.html', host => 'grows.test');
    return idle_done() > 16;
} 'the next learning is soon';

# where no page has anything of another, as many are tried in a row

my $failed = $t->learning('failed');

http_get("/alone$_.html", host => 'alone.test') for 1 .. 30;
is($t->learning('failed') - $failed, 16, 'so many failures in a row');

$t->done();

sub layout ($layout, $n) {
    my $menu = join '', map {
        "<li><a href=//menu.test/$_>Menu of $layout, line $_</a></li>"
    } 1 .. 8;
    my $own = join '', map {
        "<p>Words of $layout$n only, in line $_ of its text.</p>"
    } 1 .. 8;

    return "<!DOCTYPE html><title>$layout$n</title><body class=$layout>"
        . "<div id=top-$layout><ul>$menu</ul></div>"
        . "<div id=text-$layout>$own</div></body>";
}

# how often the site was learned, when nothing more is to be learned now

sub idle_done {
    $t->idle();

    return $t->learning('done');
}
