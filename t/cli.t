#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The command line tool: every command, every exit code, on a small site of
# files and on the same site behind a server on loopback.

use Test::Detemplate;

use POSIX qw(_exit mkfifo);

my $t = Test::Detemplate->new();
my $dir = $t->testdir();

# The site: pages with one template, and a site of one page.

my ($heading) = page(1) =~ m{<h1>(.*?)</h1>};

$t->pages('site');
$t->write_file('site/p1.html',
    page(1) =~ s{</main>}{<p><a href="p4.html?old=1">Old</a></p></main>}r);
$t->write_file('site/index.html', page(9));
$t->write_file('lone/p1.html', "<html><body><p>$heading</p></body></html>\n");
$t->write_file('unseen.html', page(23));

# runs commands, whose redirections come last

my ($code, $out, $err);

# the words of a page's body

sub words ($html) {
    return $html =~ s/.*<body//sr =~ s/<[^>]*>/ /gr =~ /[\w.]+/g;
}

sub exits ($want, @commands) {
    for my $args (@commands) {
        unlink "$dir/stdout";
        system("cd $dir && '$BIN' </dev/null >$dir/stdout 2>$dir/stderr "
            . $args);
        $code = $? & 127 ? "signal $?" : $? >> 8;
        $out = $t->read_file('stdout');
        $err = $t->read_file('stderr');
        is($code, $want, "exit $want: $args") or diag($err);
    }
}

# commands, and what they print

sub prints (@rows) {
    for my $row (@rows) {
        my ($args, $want) = @$row;

        exits(0, $args);
        ref $want ? like($out, $want, "prints: $args")
            : is($out, $want, "prints: $args");
    }
}

# commands that fail, and their messages

sub says ($want, @rows) {
    for my $row (@rows) {
        my ($args, $re) = @$row;

        exits($want, $args);
        like($err, $re, "says: $args");
    }
}

# usage

says(2, [ '', qr/a command is missing/ ],
    [ 'learn --votes', qr/a value is missing/ ],
    map { my ($args, $option) = @$_;
        [ $args, qr/^detemplate: unknown option: $option;/ ] }
    [ 'show -xj t1', '-x' ], [ 'show -jx t1', '-x' ],
    [ 'show --json -xj t1', '-x' ], [ 'show --wrong t1', '--wrong' ],
    [ 'show --json=1 t1', '--json=1' ], [ 'show --help=1 t1', '--help=1' ]);

exits(2, 'unlearn', 'learn', 'learn http://a/ http://b/',
    'learn --wrong http://a/', 'learn --votes 0 http://a/',
    'learn --votes 3x http://a/', 'learn --candidates 64 http://a/',
    'learn --loads 1001 http://a/', 'learn --base http://a/ http://a/',
    'learn --root site --connect 127.0.0.1:1 p1.html',
    'learn --root site --base http://a p1.html',
    'learn --root site --detector none p1.html',
    'learn --root site -n 2 -v 3 p1.html', 'learn ftp://a/', 'show',
    'check a b', 'detectors a');
exits(0, "learn --root site -n $_ p1.html") for 1, 63;

prints([ '--version', qr/^detemplate \d+\.\d+\.\d+\n$/ ]);
exits(0, '--help');
my @commands = $out =~ /^  (\w+) /mg;
is("@commands", 'learn show inspect extract apply test check detectors '
    . 'learner link relearn forget pin unpin restore evaluate',
    'all commands');

for (@commands) {
    prints([ "$_ --help", qr/^Usage: detemplate $_/ ]);
    like($out, qr/Exit codes: 0/, "$_ prints its exit codes");
}

prints([ 'detectors', qr/^etdm /m ]);
my @detectors = $out =~ /^(\S+) /mg;
is("@detectors", 'etdm etdm-all rtdm-td site-style-tree content-extractor '
    . 'fast-content-extractor template-hash shingles text-mdl',
    'all detectors');
like($out, qr/^  equal-attributes=100  +\S/m, 'options with their defaults');

my ($listed) = slurp("$TOP/doc/directives.md")
    =~ /^## detemplate_detector$(.*?)^##/ms;
is_deeply([ grep { $listed !~ /`\Q$_\E`/ } @detectors ], [],
    'the directive names all detectors');

# learn from files

my $learn = 'learn --root site --base http://almanac.example/';

exits(0, "$learn -o t1 p1.html");
is($err, '', 'no progress without a terminal');
like($out, qr{^  key +http://almanac\.example/p1\.html$}m, 'the key page');
is(() = $out =~ /^\* /mg, 6, 'the subdigraph: six candidates');
like($out, qr/Chapter 1 Chapter 2/, 'the menu is template');
like($out, qr/All rights reserved/, 'the footer is template');
unlike($out, qr/$heading/, 'the heading is not template');
ok(-s "$dir/t1", 'a template is written');

my ($cut) = $out =~ /^cut +(\d+ of \d+ bytes) of the key page/m;
prints([ $learn =~ s/learn/inspect/r . ' --template t1 p1.html',
    qr/^cut +\Q$cut\E \(\d/m ]);

exits(0, "$learn --json -o t2 --candidates 4 --votes 3 --loads 10 "
    . '--detector etdm p2.html');
my $j = eval { decode_json($out) };
ok($j, 'JSON') or diag($out);
ok($j->{learned}, 'learned');
is("$j->{reason} $j->{url}", 'ok http://almanac.example/p2.html',
    'reason and url');
is($j->{pages}[0]{result}, 'key', 'the key page comes first');
is(scalar(grep { $_->{in_cs} } @{ $j->{pages} }), 4, 'four candidates');
ok(@{ $j->{pages} } <= 11, 'no more loads than allowed');
is($j->{bytes} + $j->{evidence}, -s "$dir/t2", 'size');
ok($j->{coverage} > 0 && $j->{coverage} < 1, 'coverage');
ok($j->{patterns} > 0, 'patterns');
my $removed = 0;
$removed += $_->{length} for @{ $j->{regions} };
is($j->{removed}, $removed, 'bytes that are cut');

my $key = $t->read_file('site/p2.html');
my $text = join ' ', map { $_->{text} } @{ $j->{regions} };
like($text, qr/Chapter 1/, 'regions: the menu');
ok(!(grep { substr($key, $_->{start}, $_->{length}) =~ /<h1>/ }
    @{ $j->{regions} }), 'regions: not the heading');

exits(0, "$learn -o t3 --prev t1 p5.html");
prints([ 'show --json t3', qr/"version":2,/ ]);

exits(0, "learn --root site --detector $_ p1.html") for @detectors;

says(1, [ 'learn --root lone -o none p1.html', qr/nothing learned/ ]);
ok(!-e "$dir/none", 'no template file is written');
exits(1, 'learn --root lone --json p1.html');
ok(!decode_json($out)->{learned}, 'not learned, in JSON');
exits(1, 'learn --root site missing.html');
exits(3, 'learn --root site -o no/such/dir p1.html',
    'learn --root site -o site p1.html');

# an output that is not a regular file, such as /dev/null, is written to and
# stays what it is

mkfifo("$dir/pipe", 0600) or die "pipe: $!";

$t->fork_child(sub {
    open STDOUT, '>', "$dir/piped";
    exec 'cat', "$dir/pipe" or _exit(127);
});
exits(0, "$learn -o pipe p1.html");
ok(-p "$dir/pipe", 'learn, a pipe is written to');
soon { system("$BIN check $dir/piped >/dev/null 2>&1") == 0 } 'and is whole';

# a symbolic link stays one and leads to the new file; a file keeps its mode

sub mode ($name) { sprintf '%o', (stat "$dir/$name")[2] & 07777 }

$t->write_file('links/file', 'old');
chmod 0600, "$dir/links/file";
symlink 'links/file', "$dir/link";
exits(0, "$learn -o link p1.html", 'check links/file');
is(readlink "$dir/link", 'links/file', 'learn, a link is kept');
is(mode('links/file'), '600', 'learn, the mode is kept');
chmod 0640, "$dir/links/file";
exits(0, "$learn -o links/file p1.html");
is(mode('links/file'), '640', 'learn, another mode is kept');
is(() = glob("$dir/links/*"), 1, 'learn, no temporary file is left');

SKIP: {
    skip 'not root', 2 if $> != 0;

    chown 4, 5, "$dir/links/file";
    exits(0, "$learn -o links/file p1.html");
    is(join(' ', (stat "$dir/links/file")[4, 5]), '4 5', 'learn, the owner');
}

# a user who cannot keep the owner keeps the group, or removes the rights of
# others

SKIP: {
    my $as = 'setpriv --reuid 9 --regid 7';

    skip 'not root, or not for others', 8 if $> != 0
        || system("chmod 755 $dir; chmod 777 $dir/links;"
            . " $as --groups 5 $BIN --version >/dev/null 2>&1") != 0;

    for (
        [ '--groups 5', 0640, '9 5 640' ],
        [ '--clear-groups', 0640, '9 7 600' ],
        [ '--clear-groups', 0664, '9 7 644' ],
        [ '--clear-groups', 0604, '9 7 600' ],
    ) {
        my ($groups, $mode, $want) = @$_;

        chown 4, 5, "$dir/links/file";
        chmod $mode, "$dir/links/file";
        is(system("cd $dir && $as $groups $BIN $learn -o links/file p1.html "
            . '>/dev/null'), 0, "learn, as another with $groups");
        is(join(' ', (stat "$dir/links/file")[4, 5], mode('links/file')),
            $want, "learn, by another with $groups");
    }
}

symlink 'links/new', "$dir/ahead";
exits(0, "$learn -o ahead p1.html", 'check links/new',
    "$learn -o links/newer p1.html");
is(readlink "$dir/ahead", 'links/new', 'learn, a dangling link is kept');
is(mode('links/newer'), '644', 'learn, the mode of a new file');

symlink 'round', "$dir/round";
says(3, [ "$learn -o round p1.html",
    qr/^detemplate: round: Too many levels/m ]);
ok(-l "$dir/round", 'the link to itself is kept');

is(() = glob("$dir/site.*"), 0, 'a file that cannot be renamed is removed');
exits(3, 'learn --root site p1.html >/dev/full',
    'learn --root site --prev missing p1.html');
exits(4, 'learn --root site --prev site/p1.html p1.html');

# show, check

prints([ 'show t1', qr/^version +1$/m ]);
like($out, qr/^patterns +[1-9]/m, 'has patterns');
like($out, qr/^learned +20\d\d-\d\d-\d\dT[\d:]+Z$/m, 'has a date');
exits(0, 'show --json t1');
$j = decode_json($out);
is($j->{bytes} + $j->{evidence}, -s "$dir/t1", 'its size');
ok($j->{bytes} > 0 && $j->{evidence} > 0, 'sizes of both parts');

my $t1 = $t->read_file('t1');
$t->write_file('half', substr($t1, 0, length($t1) / 2));
$t->write_file('empty', '');
$t->write_file('flipped', $t1 ^ ("\0" x (length($t1) - 9) . "\1"));
$t->write_file('huge', "\0" x (5 << 20));

exits(0, 'check t1');
exits(4, 'check half', 'check empty', 'check flipped', 'check huge',
    'check site/p1.html', 'show half', 'apply --url http://a/ half');
exits(3, 'check missing', 'show missing', 'apply --url http://a/ missing');
exits(2, 'apply t1 <unseen.html');

# A snapshot of nginx: "check" prints its site and how long it is valid if its
# head has this format.  Control characters in a name are not printed to the
# terminal.

sub snapshot ($site, $valid, $format = 4) {
    return pack('a4 L3 q2 L2 a256', 'DTSN', $format, 0, length $t1, $valid, 0,
        0, length $site, $site) . $t1;
}

sub without ($shown) {
    return $shown =~ s/^(site|valid until) .*\n//mgr
        =~ s/,"(site|valid_until)":"[^"]*"//gr;
}

exits(0, 'show t1');
my $bare = $out;
is(without($bare), $bare, 'a template has neither site nor time');
exits(0, 'show --json t1');
my $bare_json = $out;
is(without($bare_json), $bare_json, 'a template: neither in JSON');
prints([ 'check t1', "t1: ok\n" ]);

$t->write_file('of.dt', snapshot('www.example.com', 1798761600));
prints([ 'show of.dt', qr/^site +www\.example\.com$/m ]);
like($out, qr/^valid until +2027-01-01T00:00:00Z$/m,
    'a snapshot: end of validity');
is(without($out), $bare, 'a snapshot: the rest is as of a template');
exits(0, 'show --json of.dt');
$j = decode_json($out);
is("$j->{site} $j->{valid_until}", 'www.example.com 2027-01-01T00:00:00Z',
    'a snapshot: its site and end of validity, in JSON');
is(without($out), $bare_json,
    'a snapshot: the rest is as of a template, in JSON');
$t->write_file("snapshots/$_.dt", snapshot("$_.example.com", 1798761600))
    for qw(one two);
$t->write_file('snapshots/key', 'secret');
prints([ 'show snapshots', qr/^learned\ +version\ +patterns\ +pages\ +site
    \n\S+\ .*\ one\.example\.com\n\S+\ .*\ two\.example\.com\n\z/x ]);
exits(0, 'show --json snapshots');
is(join(' ', map { decode_json($_)->{site} } split /\n/, $out),
    'one.example.com two.example.com', 'a directory: its sites, in JSON');
mkdir "$dir/no-snapshots";
exits(3, 'show corpus-that-is-not-there', 'show no-snapshots');

prints([ 'check of.dt', 'of.dt: ok, of the site "www.example.com" until '
    . "2027-01-01T00:00:00Z\n" ]);

$t->write_file('of.dt', snapshot("a\e[2J\xff\0\"b\nDTPL", ~0 >> 1));
prints([ 'show of.dt', qr/^site +a\?\[2J\?\?"b\?DTPL$/m ],
    [ 'check of.dt', qr/site "a\?\[2J\?\?"b\?DTPL" until/ ],
    [ 'show of.dt', qr/^valid until +9223372036854775807$/m ]);
exits(0, 'show --json of.dt');
is(decode_json($out)->{site}, "a\e[2J\x{fffd}\0\"b\nDTPL",
    'JSON has the site as it is');
unlike($out, qr/\e|\xff|\n./, 'JSON has control characters escaped');

for my $other (snapshot('', 1798761600), snapshot('x' x 256, 1798761600),
    snapshot('www.example.com', 1798761600, 2))
{
    $t->write_file('of.dt', $other);
    prints([ 'show of.dt', $bare ], [ 'check of.dt', "of.dt: ok\n" ]);
}

# sites without a template, and the reason

sub unfound ($from, $why) {
    says(3, [ "inspect --root site --snapshot $from p1.html",
        qr/^detemplate: $why$/ ]);
}

my $none = 'belongs to the site "localhost"';

unfound('missing', 'missing: No such file or directory');
unfound('t1', 't1: Not a directory');
mkdir "$dir/cache";
unfound('cache', "no snapshot in cache $none");
symlink 'gone', "$dir/cache/gone.dt";
$t->write_file('cache/other.dt', snapshot('www.example.com', 1));
unfound('cache', "no snapshot in cache $none");
symlink 'loop.dt', "$dir/cache/loop.dt";
unfound('cache', 'cache/loop\.dt: Too many levels of symbolic links; '
    . "no readable snapshot $none");
unlink "$dir/cache/loop.dt";
mkdir "$dir/cache/folder.dt";
unfound('cache', 'cache/folder\.dt: Is a directory; '
    . "no readable snapshot $none");
$t->write_file('cache/found.dt', snapshot('localhost', 1));
exits(0, 'inspect --root site --snapshot cache p1.html');

# apply

my $unseen = $t->read_file('unseen.html');
my ($content) = $unseen =~ m{<h1>(.*?)</h1>};
my $apply = 'apply --url http://almanac.example/unseen.html';

exits(0, "$apply t1 <unseen.html");
my $strip = $out;
unlike($strip, qr/Chapter 1|rights reserved|written by hand/,
    'strip: no template');
like($strip, qr{<main>.*$content.*</main>}s, 'strip: the content');
ok(subsequence(map({ s/(?=.)/\n/gr } $strip), $unseen =~ s/(?=.)/\n/gr),
    'strip: a subsequence of the page');

prints([ "$apply --mode strip t1 <unseen.html", $strip ],
    [ "$apply -m annotate t1 <unseen.html", qr/ data-template/ ]);
is(unmarked($out), $unseen, 'annotate: page without its marks is unchanged');

for (['sub/page.html', '../'], ['page.html', 'http://almanac.example/']) {
    my ($at, $links) = @$_;

    $t->write_file('linked.html', $unseen =~ s{href="/p}{href="${links}p}gr);
    exits(0, "apply --url http://almanac.example/$at t1 <linked.html");
    is($out =~ s{href="\Q${links}p\E}{href="/p}gr, $strip,
        "the same links, written as $links");
}

# the template: what strip cuts, as a page with its style sheet

exits(0, "$apply --mode template t1 <unseen.html");
my $view = $out;
my $base = '<base href="http://almanac.example/unseen.html" />';

like($view, qr{^<!DOCTYPE.*<head>\n\Q$base\E<meta [^<]*<link rel="style}s,
    'template: the head, without the title');
like($view, qr{<header.*Chapter 1.*rights reserved.*</footer>\n</body>}s,
    'template: the template');
unlike($view, qr/<main|<title|$content/, 'template: no content');
is(join(' ', sort(words($view), words($strip))),
    join(' ', sort(words($unseen))), 'template: all that strip lacks');

prints([ "$apply --mode template --format markdown t1 <unseen.html",
        qr{^\[The quiet .*\n\n- \[Chapter 1\]\(http:.*All rights}s ],
    [ "$apply -m template -a text t1 <unseen.html",
        qr/^The quiet .*Chapter 1.*rights/s ],
    [ 'apply --mode template --url "http://a/?b=\"&c" t1 <unseen.html',
        qr{<base href="http://a/\?b=%22&amp;c" />} ]);
exits(2, "$apply --mode template - <unseen.html",
    "$apply --mode template --format pdf t1 <unseen.html");

prints([ "$apply t1", '' ]);
says(3, [ "$apply t1 <site",
        qr/^detemplate: standard input: Is a directory$/ ],
    [ "$apply t1 <&-", qr/^detemplate: standard input: Bad file desc/ ]);
exits(2, 'apply --mode cut t1 <unseen.html',
    'apply --url nothing t1 <unseen.html');
exits(3, "$apply t1 <unseen.html >/dev/full");

# a charset that shifts, whose bytes are all those of ASCII

$t->write_file('shifts.html', "<p>\e\$BF|K\\\e(B " . 'word ' x 100);
prints([ 'apply --mode text --url http://a/ --charset iso-2022-jp - '
    . '<shifts.html', qr/^\xe6\x97\xa5\xe6\x9c\xac word word/ ]);

# control characters of a page, and of a file name, are not printed to the
# terminal

$t->write_file("evil/p$_.html",
    page($_) =~ s/Chapter 1/Chap\e[2Jter "1\\" \xff\xc2\x9b/r) for 1 .. 8;

for my $json ('', '--json') {
    exits(0, "learn --root evil $json p1.html");
    unlike($out, qr/\e|\xff|\xc2\x9b/, "learn $json, no control characters");
}

ok(eval { decode_json($out) }, 'output with control characters is valid JSON');

$t->write_file("evil/\e[2J\xc2\x9b", $t1);
prints([ "check 'evil/\e[2J\xc2\x9b'", "evil/?[2J?: ok\n" ]);

# over HTTP

# Serves the site, and writes its requests to a log.  The last bytes of
# robots.txt, as many as asked for, are missing.

my ($port, $n);

sub serve ($status, $robots, $lacks = 0) {
    $t->origin(++$n, sub ($s, $request) {
        my ($path) = $request =~ m{^GET (\S+) };

        $t->append_file('requests', "$path\n");

        my $is_robots = $path eq '/robots.txt';
        my $body = $is_robots ? $robots : $t->read_file("site$path");
        my $st = $is_robots ? $status
            : $path =~ m{^/to-(.*)} ? "302 Found\r\nLocation: /$1"
            : $body eq '' ? '404 Not Found' : '200 OK';
        my $length = length($body) + ($is_robots ? $lacks : 0);

        print $s "HTTP/1.1 $st\r\nContent-Type: text/"
            . ($is_robots ? 'plain' : 'html') . "\r\nContent-Length: "
            . "$length\r\nConnection: close\r\n\r\n$body";
    });
    $port = $t->port($n);
}

sub from ($page) {
    return "learn --connect 127.0.0.1:$port http://almanac.example/$page";
}

# the requests so far, or since the last time

sub requests {
    my $requests = $t->read_file('requests');

    unlink "$dir/requests";

    return $requests;
}

serve('200 OK', "User-agent: *\nDisallow: /p3\nDisallow: /*?\n");
exits(0, from('p1.html') . ' -o t4 -l 8');
my $asked = requests();
like($asked, qr{^/robots\.txt\n/p1\.html\n}, 'robots.txt is requested first');
unlike($asked, qr{^/p3}m, 'disallowed pages are not requested');
unlike($asked, qr{\?}, 'pages with a disallowed query are not requested');
exits(0, 'check t4');

says(1, [ from('p3.html'), qr/forbidden by robots\.txt/ ]);
is(requests(), "/robots.txt\n", 'a disallowed key page is not requested');
says(1, [ from('to-p3.html'), qr/that robots\.txt forbids/ ]);
is(requests(), "/robots.txt\n/to-p3.html\n",
    'the disallowed target is not requested');
exits(0, from('to-p2.html'));

serve('404 Not Found', 'none');
exits(0, from('p3.html'));
exits(1, from('missing.html'));
requests();

for (['503 Service Unavailable', 'later'],
    ['200 OK', "User-agent: *\nDisallow: /p3\n", 9])
{
    serve(@$_);
    exits(3, from('p3.html'));
    is(requests(), "/robots.txt\n", "nothing else is requested, $_->[0]");
}

$port = $t->port(++$n);
exits(3, from('p3.html'));

# evaluate: a corpus of two sites, one of which is incomplete

mkdir "$dir/$_" for qw(corpus corpus/other);
$t->pages('corpus/almanac/pages');
$t->write_file('corpus/almanac/pages/tides/index.html', page(9));
$t->write_file('corpus/almanac/pages/t.php?n=1', page(10));
$t->write_file('corpus/almanac/site.json', '{"base_url": '
    . '"http://almanac.example/", "key_pages": ["p1.html", "p2.html"]}');

# folders nested deeper than the stack allows: 32 levels are read

$t->write_file('corpus/almanac/pages' . '/d' x $_ . '/p.html', page(11))
    for 32, 33;
$t->write_file('corpus/almanac/pages' . '/d' x 900 . '/none', '');

says(3, [ 'evaluate nowhere',
    qr/^detemplate: nowhere: No such file or directory$/m ]);
exits(0, 'evaluate corpus');
is_deeply([ $out =~ /^(\S+) +2 +6\.0 +6\.0 /mg ], \@detectors,
    'all detectors, two key pages, no more loads than pages compared');

for ([ 'cs', 6 ], [ 'random:2', 2 ], [ 'random:50', 9 ], [ 'first:4', 4 ],
    [ 'all', 11 ])
{
    my ($which, $pages) = @$_;

    exits(0, "evaluate --json -d etdm -d rtdm-td --pages $which corpus");
    my $e = decode_json($out)->{sites};
    is(scalar(@$e), 1, "$which: one site");
    is_deeply([ map { $_->{page} } @{ $e->[0]{keys} } ],
        [ 'p1.html', 'p2.html' ], "$which: key pages");

    for my $k (@{ $e->[0]{keys} }) {
        my $bytes = $t->read_file("corpus/almanac/pages/$k->{page}");

        for my $f (@{ $k->{found} }) {
            is($f->{pages}, $pages, "$which, $f->{detector}: pages");
            is(length $f->{nodes}, scalar(@{ $k->{nodes} }),
                'a decision for each node');

            # for etdm, pages of one shape are copies, which do not vote

            next if $f->{detector} ne 'rtdm-td';

            my $cut = join '', map {
                substr $bytes, $_->[0], $_->[1] - $_->[0]
            } @{ $f->{cut} };
            like($cut, qr/quiet almanac.*Chapter 1.*All rights reserved/s,
                'the template is cut');
            unlike($cut, qr/<main>/, 'the content is not cut');
        }
    }
}

my @twice = map {
    exits(0, 'evaluate --json -d etdm -p random:3 -r 1 corpus');
    $out =~ s/_?ms":[\d.]+//gr;
} 1, 2;
is($twice[1], $twice[0], 'the same pages for the same seed');

exits(0, 'evaluate --json -d etdm -o votes=9 -p random:3 corpus');
exits(2, 'evaluate -o voices=2 corpus', 'evaluate -o votes corpus',
    'evaluate -d none corpus', map { "evaluate -p $_ corpus" }
    qw(random random: random:0 random:x random:3x last:3 random:99999));
exits(3, 'evaluate lone', 'evaluate missing');

done_testing();
