#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_cut: navigation and footers are cut even where their text differs
# on each page, but not with "cautious".  Content that looks like them stays.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        map $http_x_cut $cut {
            default bold;
            cautious cautious;
            odd careful;
        }',
    pages => [
        '/some/' => 'detemplate_cut $cut;',
        '/annotate/' => 'detemplate annotate;',
    ],
    locations => [
        '/cautious/' => '
            alias %%TESTDIR%%/html/;
            detemplate_cut cautious;
            location /cautious/not/ {
                alias %%TESTDIR%%/html/;
                detemplate_cut bold;
            }
            location /cautious/links/ {
                alias %%TESTDIR%%/html/;
                detemplate_links keep;
            }',
    ],
);

my @names = qw/ Ash Beech Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Yew /;

$t->write_file("html/p$_.html", layout($_)) for 1 .. 12;

# content that looks like navigation: a list of pages in main; text where other
# pages have links; many more links than on other pages

$t->write_file('html/list.html', layout(13, main => '<ul class="menu">'
    . join('', map { "<li><a href=\"p$_.html\">$names[$_ - 1]</a></li>" }
        1 .. 12) . '</ul>'));
$t->write_file('html/text.html', layout(14, near => 'Whoever comes here by '
    . 'chance finds <a href="p1.html">Ash</a>'));
$t->write_file('html/many.html', layout(15, near => join ' ', map {
    "<a href=\"p$_.html\">All of $names[$_ - 1] and its kin</a>" } 1 .. 12));

$t->run();

ok($t->learn('/p1.html'), 'learned');

for (1 .. 2) {
    http_get("/p$_.html"), $t->idle() for 1 .. 12;
}

my $settled = qr/settled(?:=\?0)?$/;

has('cautious', http_get('/cautious/p3.html'),
    lacks => qr/The trees of the park/,
    body => qr/Before: Beech.*Next: Elm.*Last changed/s,
    Detemplate => qr/^hit; mode=strip; version=\d+; cut=cautious; $settled/);

my $r = http_get('/p3.html');
has('bold', $r, lacks => qr/The trees|Before: |Next: |Last changed/,
    body => qr{<main>.*On Cedar.*</main>}s,
    Detemplate => qr/^hit; mode=strip; version=\d+; $settled/);
ok(subsequence(map { s/(?=<)/\n/gr } body($r), $t->read_file('html/p3.html')),
    'bold, nothing else has changed');

# one file in each mode

for (1 .. 3) {
    my $n = $_;
    my %got = map { $_ => body(http_get("/$_/p4.html")) =~ /Next: / ? 1 : 0 }
        qw{ cautious cautious/not cautious/links some };
    is_deeply(\%got, { cautious => 1, 'cautious/not' => 0,
        'cautious/links' => 1, some => 0 }, "time $n");
}

# the value comes from a variable of the request

my @cautious = 'X-Cut: cautious';
my $own = 'If-None-Match: ' . field(http_get('/some/p5.html',
    fields => \@cautious), 'ETag');

gets(
    [ 'links are kept', '/cautious/links/p4.html',
        Detemplate => qr/; links=keep; $settled/ ],
    [ 'variable', '/some/p5.html', \@cautious, body => qr/Next: / ],
    [ 'variable, bold', '/some/p5.html', lacks => qr/Next: / ],
    [ 'variable, another value is "bold"', '/some/p5.html', [ 'X-Cut: odd' ],
        lacks => qr/Next: / ],
    [ 'variable, not modified', '/some/p5.html', [ @cautious, $own ],
        status => 304 ],
    [ 'variable, page has another entity tag', '/some/p5.html', [ $own ],
        status => 200 ],
);

# what annotate marks

$r = body(http_get('/annotate/p6.html'));
like($r, qr{<div data-template class="pager">}, 'annotate');
is(unmarked($r), $t->read_file('html/p6.html'), 'annotate, unmarked');

# content that looks like navigation stays

gets(
    [ 'a list of pages in main', '/list.html',
        body => qr{menu.*Ash.*Yew.*</main>}s, lacks => qr/Last changed/ ],
    [ 'a text in place of links', '/text.html',
        body => qr/Whoever comes here/ ],
    [ 'more links than others have', '/many.html',
        body => qr/All of Ash.*All of Yew/s ],
);

$t->done();

sub layout ($n, %other) {
    my ($own) = page($n) =~ m{<main>(.*)</main>}s;
    my $name = $names[$n - 1] // "page $n";
    my ($last, $next) = map { ($n + $_) % 12 } -2, 0;
    my $main = $other{main} // '';
    my $near = $other{near}
        // "<a href=\"p" . ($last + 1) . ".html\">Before: $names[$last]</a>"
        . " <a href=\"p" . ($next + 1) . ".html\">Next: $names[$next]</a>";

    $own =~ s/<p>/<p>On $name. /g;

    return "<!DOCTYPE html><title>$name</title><body>"
        . '<header><a href="/">The trees of the park, by their names</a>'
        . "</header><div class=\"pager\">$near</div>\n"
        . "<main><h1>$name</h1>$own$main</main>\n"
        . "<footer>Last changed in 2014, on day $n</footer>"
        . "</body>\n";
}
