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

my $r = http_get('/cautious/p3.html');
lacks($r, qr/The trees of the park/, 'cautious, template is cut');
like(body($r), qr/Before: Beech.*Next: Elm.*Last changed/s,
    'cautious, the rest stays');
like(field($r, 'Detemplate'),
    qr/^hit; mode=strip; version=\d+; cut=cautious; settled(?:=\?0)?$/,
    'cautious, field');
like(field($r, 'ETag'), qr{^W/"[^"]+;dt=[0-9a-f]{16}-strip-cautious"$},
    'cautious, tag');

$r = http_get('/p3.html');
lacks($r, qr/The trees|Before: |Next: |Last changed/,
    'bold, all navigation is cut');
like(body($r), qr{<main>.*On Cedar.*</main>}s, 'bold, content');
like(field($r, 'Detemplate'),
    qr/^hit; mode=strip; version=\d+; settled(?:=\?0)?$/, 'bold, field');
like(field($r, 'ETag'), qr{^W/"[^"]+;dt=[0-9a-f]{16}-strip"$}, 'bold, tag');
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

like(detemplate('/cautious/links/p4.html'),
    qr/; links=keep; settled(?:=\?0)?$/, 'links are kept, field');

# the value comes from a variable of the request

$r = http_get('/some/p5.html', fields => [ 'X-Cut: cautious' ]);
like(body($r), qr/Next: /, 'variable, cautious');
lacks(http_get('/some/p5.html'), qr/Next: /, 'variable, bold');
lacks(http_get('/some/p5.html', fields => [ 'X-Cut: odd' ]), qr/Next: /,
    'variable, another value is "bold"');

my $tag = field($r, 'ETag');
is(status_of(http_get('/some/p5.html', fields => [ 'X-Cut: cautious',
    "If-None-Match: $tag" ])), 304, 'variable, not modified');
is(status_of(http_get('/some/p5.html', fields => [ "If-None-Match: $tag" ])),
    200, 'variable, page has another entity tag');

# what annotate marks

$r = body(http_get('/annotate/p6.html'));
like($r, qr{<div data-template class="pager">}, 'annotate');
is(unmarked($r), $t->read_file('html/p6.html'), 'annotate, unmarked');

# content that looks like navigation stays

like(body(http_get('/list.html')), qr{menu.*Ash.*Yew.*</main>}s,
    'a list of pages in main is kept');
lacks(http_get('/list.html'), qr/Last changed/,
    'the navigation around it is cut');
like(body(http_get('/text.html')), qr/Whoever comes here/,
    'a text in place of links is kept');
like(body(http_get('/many.html')), qr/All of Ash.*All of Yew/s,
    'more links than others have are kept');

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
        . "<footer>Last changed on day $n by the keeper of $name</footer>"
        . "</body>\n";
}
