#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_keep and detemplate_force: what is kept and what is cut by hand,
# in all modes; selectors that are none; entity tags.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        # a single learning, because entity tags contain the template
        detemplate_loads 5;
        detemplate_force .outer;',
    pages => [
        '/none/' => 'detemplate_force off;',
        '/page/' => 'detemplate_keep [data-detemplate=keep];
            detemplate_force off;',
        '/keep/' => 'detemplate_keep aside ".brand a"; detemplate_force off;',
        '/force/' => 'detemplate_force .ad "#gone" "main [role=note]";',
        '/both/' => 'detemplate_keep .ad; detemplate_force p;
            detemplate_force .ad;',
        '/annotate/' => 'detemplate annotate; detemplate_force .ad;',
        '/marks/' => 'detemplate annotate; detemplate_force .ad;
            detemplate_marks nosnippet data-template;',
        '/preview/' => 'detemplate preview; detemplate_force .ad;
            detemplate_keep aside;',
        '/headers/' => 'detemplate headers; detemplate_force .ad;',
        '/text/' => 'detemplate text; detemplate_force .ad;',
    ],
    locations => [
        '/levels/' => '
            alias %%TESTDIR%%/html/;
            detemplate_keep aside;
            location /levels/more/ {
                alias %%TESTDIR%%/html/;
                detemplate_force .ad;
            }
            location /levels/off/ {
                alias %%TESTDIR%%/html/;
                detemplate_keep off;
            }',
    ],
);

my $ad = '<div class="box ad"><p>Buy a better almanac.</p></div>';

sub hand_page ($i) {
    return page($i) =~ s{</h1>}{</h1>
        <p class="outer">Outer $i.</p>
        @{[$ad =~ s/better/better $i/r]}
        <ul id=gone><li>Gone $i.</li></ul><p role='note'>A note $i.</p>
        <p data-detemplate=cut>Page $i says so.</p>}r;
}

$t->write_file("html/p$_.html", hand_page($_)) for 1 .. 8;
$t->write_file('html/kept.html',
    hand_page(9) =~ s/<footer/<footer data-detemplate="keep"/r);
$t->run();

my ($r, %tags);

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my %words = (
    about => qr/About this almanac/, brand => qr/The quiet almanac/,
    menu => qr/Chapter 1/, footer => qr/Printed by/, outer => qr/Outer \d/,
    ad => qr/Buy a better/, gone => qr/Gone \d/, note => qr/A note \d/,
    said => qr/Page \d says/,
);

# the words that a page has, of those above, and its text

sub words ($r) {
    like($r, qr/\b[A-Z]\w+ \w+ \w+ \w+ \d<\/h1>|text\/plain/, 'content stays');

    return join ' ', grep { body($r) =~ $words{$_} } sort keys %words;
}

# several times, since known regions take another way

my %want = (
    none => 'ad gone note outer said',
    page => 'ad gone note outer',
    keep => 'about ad brand gone note outer',
    force => 'outer',
    both => 'ad gone',
    levels => 'about ad gone note',
    'levels/more' => 'about gone note outer',
    'levels/off' => 'ad gone note',
    text => 'gone note outer',
);

for my $time (1 .. 3) {
    is(words(http_get('/p4.html')), 'ad gone note', "server, time $time");

    for my $name (sort keys %want) {
        $r = http_get("/$name/p4.html");
        is(words($r), $want{$name}, "$name, time $time");

        ok(subsequence(map { s/(?=<)/\n/gr } body($r),
            $t->read_file('html/p4.html')), "$name, only cut")
            if $name ne 'text';

        next if $time > 1;

        my $tag = field($r, 'ETag');
        ok(!$tags{$tag}++, "$name, an entity tag of its own");
        is(status_of(http_get("/$name/p4.html",
            fields => ["If-None-Match: $tag"])), 304, "$name, not modified");
    }
}

is(words(http_get('/page/kept.html')), 'ad footer gone note outer',
    'the page keeps its footer');
is(words(http_get('/none/kept.html')), 'ad gone note outer said',
    'the page has no say where nothing is set');

# marks and tints

$r = body(http_get('/annotate/p4.html'));
like($r, qr{<div data-template="hand" class="box ad"><p>Buy}, 'annotate');
like($r, qr{<footer data-template>}, 'annotate, by rule');
is($r =~ s/ data-template(="hand")?(?=[ >])//gr, $t->read_file('html/p4.html'),
    'annotate, unmarked');

like(body(http_get('/marks/p4.html')),
    qr{<div data-nosnippet data-template="hand" class="box ad">}, 'dialects');

$r = body(http_get('/preview/p4.html'));
like($r, qr{<div data-detemplate="hand" class="box ad"><p>Buy}, 'preview');
like($r, qr{<footer data-detemplate="">}, 'preview, by rule');
like($r, qr{<aside class="side">}, 'preview, kept');
like($r, qr{in \d+ regions\. By hand: 2 cut, 1 kept\.}, 'preview, badge');

$r = http_get('/headers/p4.html');
my $page = body($r);
my @got = map { /(\d+) (\d+)/ ? substr($page, $1, $2) : () }
    split /,/, field($r, 'Detemplate-Regions');
ok((grep { /^<div class="box ad">.*<\/div>$/s } @got), 'headers')
    or diag(field($r, 'Detemplate-Regions'));

# the command does the same

my ($snapshot) = glob $t->testdir() . '/*/*.dt';
my $bin = "$BIN apply --url http://site.test/p4.html";
my $from = "$snapshot < " . $t->testdir() . '/html/p4.html 2>&1';

like(`$bin $from`, qr/Buy a better/, 'apply, nothing by hand');
unlike(`$bin --force .ad $from`, qr/Buy a better/, 'apply, force');
like(`$bin --keep aside $from`, qr/About this almanac/, 'apply, keep');
like(`$bin --keep a:b $from`, qr/--keep a:b: only names/, 'apply, says why');
is($? >> 8, 2, 'apply, exit code');

$t->done();
