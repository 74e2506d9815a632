#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A site gets another design while nginx runs.  Its pages are served whole
# until one of them was learned, then without the new template.  In the end no
# pattern of the old design is left.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'detemplate_site $host;',
    name => 'any.test',
    origin => 1,
    servers => [
        {
            name => 'new.test brief.test',
            origin => 1,
            server => 'detemplate_refresh 1s;',
        },
    ],
);

my $PAGES = 8;

$t->answers(1, sub ($uri, $host, @) {
    my ($n) = $uri =~ m{^/p([1-8])\.html$} or return response('');

    return response(served($n, $host =~ /^new/ || -e $t->testdir() . '/new'));
});

$t->run();

my $r;

for my $host ('site.test', 'brief.test', 'new.test') {
    ok($t->learn('/p1.html', host => $host), "$host learned")
        or BAIL_OUT('nothing was learned');
    $t->idle();
}

my $patterns = $t->site('new.test')->{patterns};

is(bad('site.test', 0), '', 'old design');

# the design changes from one request to the next

$t->write_file('new', '');

my $version = $t->site('site.test')->{version};
ok(!exists $t->site('site.test')->{redesigned_at}, 'no redesign so far');

$r = http_get('/p2.html', host => 'site.test');
is(body($r), served(2, 1), 'new design, page is passed unchanged');
like(field($r, 'Detemplate'), qr/^hit/,
    'new design, template is still the old one');

soon { $t->site('site.test')->{version} == $version + 1 }
    'new design, learned';

cmp_ok($t->learning('redesigns'), '>=', 1, 'new design, counted');
like(body(http_get('/status?format=prometheus')),
    qr/^nginx_detemplate_redesigns_total [1-9]/m, 'new design, metrics');
cmp_ok($t->site('site.test')->{redesigned_at}, '>', 0, 'new design, time');
ok(wait_for(sub { $t->said('"site.test" has another design, its pages were '
    . 'loaded anew') }, 5), 'new design, logged');
ok(!$t->said('"new.test" has another design'), 'another site has not');
is(bad('site.test', 1), '', 'new design, after one learning');
$t->idle();

# pages are loaded again at each refresh, and the old patterns disappear

ok(wait_for(sub {
    http_get('/p' . (1 + int rand $PAGES) . '.html', host => 'brief.test');
    return $t->site('brief.test')->{patterns} <= $patterns;
}, 20), 'old patterns gone') or diag($t->site('brief.test')->{patterns}
    . " patterns, not $patterns");
is(bad('brief.test', 1), '', 'old patterns gone, new design is cut');

$t->done();

# the pages that are not served as their content alone

sub bad ($host, $new) {
    return join ' ', grep {
        my $r = body(http_get("/p$_.html", host => $host));
        my ($own) = page($_) =~ m{(<h1>.*)</main>}s;

        index($r, $own) < 0 || $r =~ /Chapter 1|society|Part 1\b|mill/;
    } 1 .. $PAGES;
}

# the page, in the old design or the new

sub served ($n, $new) {
    my $page = page($n, pages => $PAGES);
    return $page if !$new;

    my ($own) = $page =~ m{<main>(.*)</main>}s;
    my $menu = join '', map { "<a href=\"/p$_.html\">Part $_</a> " }
        1 .. $PAGES;

    return $page =~ s{<body>.*</body>}{<body>
<table><tr><td><b>The mill gazette</b><p>Printed at the mill by the river</p>
<div>$menu</div></td><td><div class="text">$own</div></td></tr></table>
<ul><li>All of it is true, says the mill</li><li>None may be sold</li></ul>
</body>}sr;
}
