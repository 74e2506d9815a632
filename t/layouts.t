#!/usr/bin/perl

# Copyright (C) The detemplate authors

# A site with five layouts in two languages, learned from the pages that are
# requested, and a site that gets a new design while nginx runs.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    name => 'layouts.test',
    root => 'layouts',
    server => 'detemplate_loads 60;',
    servers => [
        {
            name => 'seen.test',
            root => 'layouts',
            server => 'detemplate_loads 60;',
            locations => [
                '/' => '
                    error_page 418 = @quiet;
                    if ($http_quiet) {
                        return 418;
                    }',
                '@quiet' => 'detemplate_learn off;',
            ],
        },
        {
            name => 'design.test',
            root => 'design',
            server => 'detemplate_refresh 3s;',
        },
        {
            name => 'section.test',
            root => 'section',
            server => 'detemplate_refresh 2s;',
        },
    ],
);

my @languages = qw/ en de /;
my @layouts = qw/ news shop docs blog club /;

# the template of each layout and language

sub menu ($language, $layout) {
    return map { "$language-$layout menu entry $_" } 1 .. 6;
}

sub content ($language, $layout, $n) {
    return map { "$language$layout$n" . 'x' . $_ } 1 .. 60;
}

my %around = (
    news => ['<header><ul>%s</ul></header><main>%s</main>', 'li'],
    shop => ['<table><tr><td>%s</td></tr></table><div>%s</div>', 'p'],
    docs => ['<nav>%s</nav><article>%s</article>', 'div'],
    blog => ['<div class="a"><div>%s</div></div><section>%s</section>', 'h5'],
    club => ['<aside><dl>%s</dl></aside><div><div>%s</div></div>', 'dd'],
);

sub layout_page ($language, $layout, $n) {
    my ($form, $tag) = @{$around{$layout}};
    my $i = 0;

    my $menu = join '', map {
        $i++; "<$tag><a href=\"/$language/$layout/$i.html\">$_</a></$tag>"
    } menu($language, $layout);

    my $to = join ' ', map {
        "<a href=\"/$language/$_/1.html\">$language to $_</a>"
    } @layouts;

    my @words = content($language, $layout, $n);
    my $text = join '', map { "<p>@words[20 * $_ .. 20 * $_ + 19]</p>" }
        0 .. 2;

    return "<!DOCTYPE html><html lang=\"$language\"><title>$n</title><body>"
        . "<div id=\"top\">$to</div>" . sprintf($form, $menu, $text)
        . "<footer>$language: all that is here may be copied</footer>"
        . '</body></html>';
}

my @pages;

for my $language (@languages) {
    for my $layout (@layouts) {
        for my $n (1 .. 6) {
            $t->write_file("layouts/$language/$layout/$n.html",
                layout_page($language, $layout, $n));
            push @pages, [$language, $layout, $n];
        }
    }
}

$t->run();

my ($r, $json);

sub get ($language, $layout, $n) {
    return http_get("/$language/$layout/$n.html", host => 'layouts.test');
}

sub jobs {
    $json = $t->status_json()->{learning};
    return $json->{queued} + $json->{running} + $json->{done}
        + $json->{failed};
}

ok($t->learn('/en/news/1.html', host => 'layouts.test'), 'first layout')
    or BAIL_OUT('nothing was learned');

for my $round (1 .. 2) {
    for my $page (@pages) {
        get(@$page);
        $t->idle();
    }
}

my ($left, $lost) = ('', '');

for my $page (@pages) {
    $r = body(get(@$page));

    $left .= " @$page" if $r =~ /menu entry|may be copied| to news/;
    $lost .= " @$page" if grep { index($r, $_) < 0 } content(@$page);
    $lost .= " @$page: bytes" if !subsequence($r =~ s/>/>\n/gr,
        layout_page(@$page) =~ s/>/>\n/gr);
}

is($left, '', 'no menu of any layout and language is left');
is($lost, '', 'no word of content is lost');

# a page with too little of the template is learned from only if its location
# may queue jobs

ok($t->learn('/en/news/1.html', host => 'seen.test'),
    'passive location, first layout');
$t->idle();

my $before = jobs();

sub seen {
    http_get('/odd.html', host => 'seen.test', @_);
}

$t->write_file('layouts/odd.html', '<!DOCTYPE html><title>o</title><p>odd');

seen(fields => ['Quiet: 1']);
is(jobs(), $before, 'passive location, not learned from');
seen();
soon { jobs() == $before + 1 } 'passive location, an active one queues a job';
$t->idle();

# a section whose pages have the whole template of the site, and a little more

sub section_page ($n) {
    my $more = join ' ', map { "<a href=\"/s/p$_.html\">$_ here</a>" } 1 .. 4;

    return page($n + 8, pages => 8)
        =~ s{</nav>}{</nav><div class="s">$more</div>}r;
}

$t->write_file("section/p$_.html", page($_, pages => 8)) for 1 .. 8;
$t->write_file("section/s/p$_.html", section_page($_)) for 1 .. 4;

ok($r = $t->learn('/p3.html', host => 'section.test'), 'section, learned');

# nobody links to it, but its pages are in the reservoir when the site is
# learned again

ok(wait_for(sub {
    for my $n (1, 2, 4) {
        $r = http_get("/s/p$n.html", host => 'section.test');
        return if body($r) =~ /Printed by/;
    }

    $r = body(http_get('/s/p3.html', host => 'section.test'));
    return $r !~ /here</;
}, 30), 'section, its own menu is cut');
like($r, qr{\Q@{[section_page(3) =~ m{(<main>.*</main>)}s]}\E},
    'section, content');

# a new design: the old patterns match no more, and the site is learned anew

sub design_page { page($_[0], paragraphs => 6) }

sub new_design {
    my ($main) = design_page($_[0]) =~ m{(<main>.*</main>)}s;

    return '<!DOCTYPE html><html><title>new</title><body><div><ol>'
        . join('', map { "<li><a href=\"/p$_.html\">Part $_</a></li>" } 1 .. 8)
        . "</ol></div>$main<div><p>The almanac is new, and says so.</p></div>"
        . '</body></html>';
}

$t->write_file("design/p$_.html", design_page($_)) for 1 .. 8;

ok($r = $t->learn('/p3.html', host => 'design.test'), 'design, learned');
lacks($r, qr/<nav|Printed by/, 'design, stripped');

$t->write_file("design/p$_.html", new_design($_)) for 1 .. 8;

$r = http_get('/p3.html', host => 'design.test');
is(body($r), new_design(3), 'new design, nothing is cut');

soon {
    $r = body(http_get('/p3.html', host => 'design.test'));
    return $r !~ /<ol>|says so/;
} 'new design, learned', 30;

like($r, qr{\Q@{[new_design(3) =~ m{(<main>.*</main>)}s]}\E},
    'new design, content');
cmp_ok($t->site('design.test')->{version}, '<=', 3,
    'new design, learned in one or two learnings');

$r = body(http_get('/p5.html', host => 'design.test'));
unlike($r, qr/<ol>|says so/, 'new design, other pages');

$t->done();
