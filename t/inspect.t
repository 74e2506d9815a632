#!/usr/bin/perl

# Copyright (C) The detemplate authors

# "detemplate inspect" reports as cut what nginx cuts with the same snapshot,
# and gives the reasons.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
$t->configure(
    servers => [{ name => 'plain.test', mode => 'off' }, { name => '[::1]' }],
);

# two paragraphs are on five pages; the pages of a directory share a line

my $below = join '',
    map { "<li><a href=\"/sub/q$_.html\">Room $_</a></li>" } 1 .. 8;

# text outside the main content, where it is enough that pages of one kind
# share it

for my $i (1 .. 8) {
    my $more = $i > 5 ? ''
        : "<p>Written in <b>winter quarters by the pier</b> of page $i.</p>";
    my $tide = $i > 3 ? '' : '<p>The tide tables are on loan at present.</p>';

    $t->write_file("html/p$i.html", page($i)
        =~ s/(?=<main>)/$more/r =~ s/<main>\K/$tide/r
        =~ s{(?=<main>)}{<ul class="pager"><li><a href="$i">Go $i</a></ul>}r);
    $t->write_file("html/sub/q$i.html", page(20 + $i)
        =~ s{(?=<main>)}{<p>Only below the stairs is this to be read.</p>}r
        =~ s{</nav>}{<ul>$below</ul></nav>}r);
}

$t->run();

ok($t->learn('/p1.html', host => 'site.test'), 'learned');

for my $uri (map { "/p$_.html" } 2 .. 8) {
    http_get($uri, host => 'site.test');
    $t->idle();
}

my ($dir) = map { s{/[^/]*$}{}r } glob "$d/*/*.dt";
my ($file) = glob "$dir/*.dt";
my $to = '--connect 127.0.0.1:' . $t->port(0);

my $page = $t->read_file('html/p2.html');
my $plain = 'http://plain.test/p2.html';

# the snapshot is found by the site's name, by a given name, or by its file

my $out = inspect("--snapshot $dir --site site.test $plain");
my $j = decode_json($out);

is(inspect("--template $file $plain"), $out, 'snapshot is found by its file');
is(inspect("--snapshot $dir http://site.test/p2.html") =~ s/site\.test//r,
    inspect("--template $file $plain") =~ s/plain\.test//r,
    'snapshot is found by the host');
is(inspect("--snapshot $dir $plain"), '', 'another host, no snapshot');
like(`$BIN inspect --snapshot $dir $to $plain 2>&1`,
    qr/the site "plain\.test"/, 'missing snapshot is reported');

# a name that is an IPv6 address, with a port that does not belong to it

my $six = 'http://[::1]:19080/p2.html';

like(`$BIN inspect --snapshot $dir $to $six 2>&1`, qr/the site "\[::1\]"/,
    'an address, missing snapshot is reported');
ok($t->learn('/p1.html', host => '[::1]'), 'an address, learned');
like(inspect("--snapshot $dir $six"), qr/"version":[12],/,
    'an address, found');
is(inspect("--snapshot $dir http://site.test:19080/p2.html") =~ s/:19080//r,
    inspect("--snapshot $dir http://site.test/p2.html"), 'a port is ignored');

# what is cut

$j = decode_json(inspect("--template $file --root $d/html"
    . ' --base http://site.test/ p2.html', 1));

my $stripped = body(http_get('/p2.html', host => 'site.test'));
my $rest = $page;

substr($rest, $_->{start}, $_->{length}) =~ s/./\0/gs
    for grep { $_->{pages} } @{$j->{cut}};

is($rest =~ tr/\0//dr =~ s/<[^>]*>|\s//gr, $stripped =~ s/<[^>]*>|\s//gr,
    'reported as cut is what nginx cuts');
is($j->{bytes}, length $page, 'bytes');
is($j->{removed}, length($page) - length($stripped), 'bytes removed');

# and why

my ($menu) = grep { $_->{text} =~ /^The quiet|Chapter 1/ && $_->{pages} }
    @{$j->{cut}};
is($menu->{place}[0], 'header', 'place');
cmp_ok($menu->{pages}, '>=', 8, 'pages');
cmp_ok($menu->{of_pages}, '>=', $menu->{pages}, 'number of all pages');
ok(!exists $menu->{stays_by}, 'cut on its own');

for my $p (grep { exists $_->{score} } @{$j->{cut}}, @{$j->{near}}) {
    my $sum = $p->{mean};
    $sum += $_ for values %{$p->{by}};

    cmp_ok(abs($sum - $p->{score}), '<', 0.03, "'$p->{text}', its parts");
    is($p->{score} >= $p->{enough} ? 1 : 0,
        ($p->{stays_by} // '') eq 'score' ? 0 : 1, 'text, sum of its parts');
}

# what stays

my %near = map { $_->{text} => $_ } @{$j->{near}};
is(($near{'winter quarters by the pier'} || {})->{stays_by}, 'sentence',
    'part of a sentence');
ok(!$near{'The tide tables are on loan at present.'},
    'distant text is not shown');

my $text = `$BIN inspect --template $file $to $plain`;
like($text, qr/^ +place +header/m, 'text, place');
like($text, qr/^ +pages +\d+ of \d+, \d+ of \d+ votes/m, 'text, pages');
like($text, qr/^ +for +\w+ \d\.\d\d/m, 'text, for');
like($text, qr/^ +against +\w+ \d\.\d\d/m, 'text, against');

# why a piece stays, by the first question that it fails

like(`$BIN inspect --template $file $to $plain --text 'Nobody says this' 2>&1`,
    qr/^detemplate: no piece of the page says "Nobody says this"$/, 'no text');
is($? >> 8, 1, 'no text, exit code');

$j = decode_json(inspect("--template $file $plain --text 'Chapter  2'"));
is(scalar @{$j->{cut}}, 1, 'a text that is cut');
is(scalar @{$j->{near}}, 0, 'and nothing else');

my ($own) = $page =~ m{<h1>(.*?)</h1>};

like(why('p2.html', $own), re("^shown by 1 of \\d+ pages; 3 votes are needed, "
    . "these have 1\$"), 'the heading of the page');
like(why('p2.html', 'winter quarters'), re("^it is template, but here it "
    . "is one thing with words "
    . "that stay, or their label\$"), 'part of a sentence');

$t->write_file('html/new.html', $page
    =~ s{<main>\K}{<p>Never seen before.</p>}r);
like(why('new.html', 'Never seen'), re("^none of the \\d+ pages that the "
    . "template "
    . "knows shows it\$"), 'a text of a page that is new');

$t->write_file('html/new.html', page(21)
    =~ s{(?=<main>)}{<p>Only below the stairs is this to be read.</p>}r);

$j = decode_json(inspect("--root $d/html --base http://site.test/ sub/q1.html "
    . "--text 'Only below'", 1));
is(scalar @{$j->{cut}}, 1, 'cut where its directory is');

`$BIN learn --root $d/html --base http://site.test/ -o $d/sub.t sub/q1.html`;
like(why('new.html', 'Only below', "$d/sub.t"), re("^it is template only in a "
    . "directory that this page is not in\$"), 'another directory');

# a line of three pages, of which two are copies

for my $i (1 .. 8) {
    my $line = $i > 5 ? '<p>The pilot boat leaves at noon.</p>' : '';

    $t->write_file("twins/p$i.html", page($i == 8 ? 7 : $i)
        =~ s/<main>\K/$line/r =~ s/7(?=<\/h1>)/$i/r);
}

`$BIN learn --root $d/twins --base http://site.test/ -o $d/twins.t p6.html`;
is(why('p6.html', 'pilot boat', "$d/twins.t", 'twins'), 'shown by 3 of 8 '
    . 'pages; 3 votes are needed, these have 2, since 1 of the pages is a '
    . 'copy of others', 'copies have one vote');

$text = `$BIN inspect --template $file $to $plain --text 'winter quarters'`;
like($text, qr/^not cut: 1 pieces$/m, 'text, number of pieces');
like($text, qr/^ +stays: it is template, but/m, 'text, why');

# nginx sends the whole page to those who know its secret

$out = `$BIN inspect --json $to --snapshot $dir http://site.test/p2.html`;
is(decode_json($out)->{bytes}, length $page, 'the whole page of a server that '
    . 'strips');
like(`$BIN inspect $to --template $file http://site.test/p2.html 2>&1`,
    qr/not whole: nginx has changed the page \(mode=strip\); ask for /,
    'without the secret it is refused');
like(`$BIN learn $to http://site.test/p2.html 2>&1`,
    qr/nothing learned: key-page: nginx has changed the page/,
    'nor is anything learned from it');

rename "$dir/key", "$dir/other";
like(`$BIN inspect $to --snapshot $dir http://site.test/p2.html 2>&1`,
    qr/nginx has changed the page \(mode=strip\)/, 'no secret');
rename "$dir/other", "$dir/key";

# an element that is cut for its shape, and the decision without that rule

my $less = decode_json(inspect("--cautious --template $file $plain"));
$j = decode_json(inspect("--template $file $plain"));
my ($shape) = grep { $_->{shape} } @{$j->{cut}};
is($shape->{text}, 'Go 2', 'shape');
is($shape->{place}[-1], 'ul', 'shape, place');
cmp_ok($shape->{pages}, '>=', 8, 'shape, pages that have one');
is($j->{removed} - $less->{removed}, $shape->{length},
    'shape, no other reason');
ok(!grep({ $_->{shape} || $_->{text} eq 'Go 2' } @{$less->{cut}}),
    'no shape without that rule');
like(`$BIN inspect --template $file $to $plain`,
    qr/Go 2\n +place +ul\n +pages +\d+ .*\n +cut by its shape$/m,
    'text, shape');
like(`$BIN apply --url $plain --cautious $file <$d/html/p2.html`, qr/Go 2/,
    'apply, cautious');
like(`$BIN apply --url $plain $file <$d/html/p2.html`,
    qr/^(?!.*Go 2).*<main>/s, 'apply');

# what is kept, and what is cut, by hand

my $hand = "--template $file --keep header --force h1 $plain";
$j = decode_json(inspect($hand));
my ($forced) = grep { $_->{hand} } @{$j->{cut}};
my ($kept) = grep { $_->{hand} } @{$j->{near}};
is($forced->{place}[-1], 'h1', 'hand, cut');
is($forced->{text}, $own, 'hand, text that is cut');
ok(!exists $forced->{pages}, 'hand, no reason of the rules');
is($kept->{place}[0], 'header', 'hand, kept');
is($kept->{stays}, 'it is kept by hand', 'hand, why it stays');
is(scalar grep({ $_->{hand} } @{$j->{cut}}, @{$j->{near}}), 2,
    'hand, the outermost only');

$text = `$BIN inspect $to $hand`;
like($text, qr/\Q$own\E\n +place +.*\n +cut by hand\n/, 'text, cut by hand');
like($text, qr/^ +place +header\n +stays: it is kept by hand\n/m,
    'text, kept by hand');
like(`$BIN inspect $to $hand --text '$own'`, qr/^ +cut by hand$/m,
    'text, asked for');
is(system("$BIN inspect $to --keep a:b $plain >/dev/null 2>&1") >> 8, 2,
    'no selector');

# the line that keeps a piece which is cut, or cuts one that stays, and how
# many words elsewhere change with it

$t->write_file('html/lines.html', $page
    =~ s{(?=<main>)}{<div id="n"><p class="w-1/2 own">Own words</p></div>}r
    =~ s{</main>\K}{<p class="own n-123">Others</p>}r);

for (
    [ 'lines', 'The quiet', '', qr/^detemplate_keep "\.brand a";$/, 0 ],
    [ 'lines', 'Go 2', '', qr/^detemplate_keep "\.pager a";$/, 0 ],
    [ 'lines', 'Own words', '', qr/^detemplate_force "#n p";$/, 0 ],
    [ 'lines', 'Others', '', qr/^detemplate_force \.n-123;$/, 0 ],
    [ 'lines', 'Own words', '--force h1 --force "#x"',
        qr/^detemplate_force h1 "#x" "#n p";$/, 0 ],
    [ 'p2', $own, '', qr/^detemplate_force h1;$/, 0 ],
    [ 'p2', $own, '--force h1', undef, undef ],
) {
    my ($name, $words, $more, $want, $elsewhere) = @$_;
    my $args = "--template $file --root $d/html --base http://site.test/ "
        . "$name.html --text '$words' $more";

    my $found = decode_json(inspect($args, 1));
    my ($piece) = (@{$found->{cut}}, @{$found->{near}});

    if (!defined $want) {
        ok(!exists $piece->{line}, "line, $name, $words, none");
        next;
    }

    like($piece->{line}, $want, "line, $name, $words");
    is($piece->{line_words}, $elsewhere, "line, $name, $words, elsewhere");

    # and it does so

    my ($option, @selectors) = $piece->{line}
        =~ /^detemplate_(keep|force)|("[^"]+"|[^\s;"]+)(?=[\s;])/g;
    my $after = decode_json(inspect("$args "
        . join(' ', map { "--$option $_" } grep { defined } @selectors), 1));

    is(scalar @{$after->{cut}}, $option eq 'keep' ? 0 : 1,
        "line, $name, $words, followed");
}

like(`$BIN inspect --template $file $to $plain --text 'Go 2'`,
    qr/^ +keep it detemplate_keep "\.pager a";$/m, 'text, the line');

# the page, line by line

$text = `$BIN inspect --template $file $to $plain --diff`;
like($text, qr/^- The quiet.*\n(?:[- ] .*\n)*  \Q$own\E$/m, 'diff');
unlike($text, qr/^[^ -]|\e/m, 'diff, no other line');
is(join('', $text =~ /^[- ] (.*)\n/mg) =~ s/\s//gr,
    $page =~ s{<title>.*?</title>|<[^>]*>|\s}{}gr, 'diff, all words');
is(system("$BIN inspect $to $plain --diff --json >/dev/null 2>&1") >> 8, 2,
    'diff, no JSON');

# without a template it learns one; some text is template in one directory only

$text = `$BIN inspect --root $d/html --base http://site.test/ p1.html 2>&1`;
like($text, qr/^template +version 1, from \d+ pages$/m, 'learned');

$j = decode_json(inspect("--root $d/html --base http://site.test/ sub/q1.html",
    1));
my ($only) = grep { $_->{text} =~ /^Only below/ } @{$j->{cut}};
is(($only || {})->{directory}, '/sub/', 'a directory');

for my $bad ("--template $file --snapshot $dir $plain", "--site a $plain",
    'ftp://a/')
{
    is(system("$BIN inspect $bad >/dev/null 2>&1") >> 8, 2, "usage: $bad");
}

is(system("$BIN inspect --template $file $to http://plain.test/none.html"
    . ' >/dev/null 2>&1') >> 8, 3, 'no such page');
is(system("$BIN inspect --template $d/html/p1.html $to $plain"
    . ' >/dev/null 2>&1') >> 8, 4, 'no template');

$t->done();

sub re { qr/$_[0]/ }

sub why ($page, $text, $tmpl = undef, $root = undef) {
    $tmpl //= $file;
    $root //= 'html';

    my $j = decode_json(inspect("--template $tmpl --root $d/$root --base "
        . "http://site.test/ $page --text '$text'", 1));

    return join ' | ', map { $_->{stays} } @{$j->{near}};
}

sub inspect ($args, $files = undef) {
    my $connect = $files ? '' : $to;

    return `$BIN inspect --json $connect $args 2>$d/stderr`;
}
