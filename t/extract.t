#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate extract: folders as wget and HTTrack make them, web archives and
# lists of files; what it writes, what it refuses, and doc/extract.md's recipe.

use Compress::Zlib qw(memGzip compress);
use File::Path qw(make_path);
use Time::HiRes qw(sleep);
use Test::Detemplate;
use Test::Detemplate::Extract;

plan skip_all => 'no wget' if system('wget --version >/dev/null 2>&1');

my $n = 12;

$t->write_file("html/p$_.html", html($_)) for 1 .. $n;
$t->write_file('html/index.html', html(0));
$t->configure(zone => '1m', server => 'detemplate off;');

my $url = 'http://127.0.0.1:' . $t->port(0);

# A plain folder.

extract('-o', 'out', 'html');

is($rc, 0, 'a folder: exit code');
like($err, qr{html stands for http://localhost/, though nothing},
    'guess printed');
is(scalar(() = glob "$dir/out/*.md"), $n + 1, 'a file for each page');
like(written('out/p3.md'), qr/^---\ntitle: "Page 3 \\"q\\" of Harbour"\nurl:/,
    'front matter');
like(written('out/p3.md'), qr/^# Tide unique3$/m, 'heading stays');
unlike(written('out/p3.md'), qr/Chapter|almanac/, 'template is cut');
is(scalar(() = glob "$dir/out/.detemplate-[0-9]*"), 0, 'no half file');

for my $page (0 .. $n) {
    my $file = $page ? "p$page" : 'index';
    my $md = written("out/$file.md");
    my $lost = grep { index($md, $_) < 0 }
        map { split ' ', words($page * 10 + $_, 30 + $page) } 1 .. 4;
    is($lost, 0, "no word of $file is lost");
}

extract('-q', '-o', 'out', 'html');
is($rc, 0, 'again: own files are replaced');
is($err, '', 'quiet');

# what somebody else wrote stays

$t->write_file('other/p3.md', 'mine');
extract('-q', '-o', 'other', 'html');
is($rc, 1, 'foreign file: exit code');
is(written('other/p3.md'), 'mine', 'foreign file stays');
like($err, qr/left out: p3\.html: its output is there/, 'and a line');
like($err, qr/1 left out$/, 'and a count');
extract('-q', '-o', 'other', 'html');
is(written('other/p3.md'), 'mine', 'foreign file stays again');

mkdir "$dir/elsewhere";
mkdir "$dir/linked";
mkdir "$dir/tree";
mkdir "$dir/tree/sub";
$t->write_file("tree/sub/a$_.html", html($_, 'Tree', 4)) for 1 .. 4;
symlink "$dir/elsewhere", "$dir/linked/sub";
extract('-q', '-o', 'linked', "$dir/tree");
is($rc, 1, 'link in the output: exit code');
is(scalar(() = glob "$dir/elsewhere/*"), 0, 'links are not followed');

# a full disk

SKIP: {
    mkdir "$dir/small";
    skip 'nothing can be mounted', 4 if system("mount -t tmpfs -o size=16k"
        . " detemplate-test $dir/small 2>/dev/null");

    for my $jobs (1, 2) {
    extract('-q', '-j', $jobs, '-o', 'small/out', 'html');
        is($rc, 3, "full disk, $jobs: exit code");
        like($err, qr/^detemplate: \S+\.html: No space left on device\n\z/,
            "full disk, $jobs: one line");
        unlink glob "$dir/small/out/{*.md,.detemplate-extract}";
    }

    system("umount $dir/small");
}

# formats

extract('-q', '-o', 'txt', '-m', 'text', 'html');
like(written('txt/p3.txt'), qr/^Tide unique3$/m, 'text');
extract('-q', '-o', 'cut', '-m', 'html', 'html');
like(written('cut/p3.html'), qr/^<main><h1>Tide unique3/m, 'html');
unlike(written('cut/p3.html'), qr/<nav>/, 'html is cut');

extract('-o', '-', '-b', 'https://a.test/', 'html');
my @pages = lines($out);
is(scalar(@pages), $n + 1, 'jsonl: a line for each page');
is($pages[0]{url}, 'https://a.test/', 'url');
is($pages[1]{title}, 'Page 1 "q" of Harbour', 'title');
is($pages[1]{language}, 'en', 'language');
is($pages[1]{source}, 'p1.html', 'source');
like($pages[1]{hash}, qr/^[0-9a-f]{16}$/, 'hash');
is($pages[1]{headings}[0]{text}, 'Tide unique1', 'headings');
ok(exists $pages[1]{date} && !defined $pages[1]{date}, 'no date: null');
like($pages[1]{text}, qr/^# Tide unique1\n/, 'text');
ok($pages[1]{words} > 120 && $pages[1]{words} < 140, 'words');
ok($pages[1]{template_words} > 30, 'template_words');
ok($pages[1]{template} > 0, 'template');
ok(!exists $pages[1]{reason}, 'no reason');

# at another time, too

sleep 1.1;
my $first = $out;
extract('-q', '-j', '3', '-o', '-', '-b', 'https://a.test/', 'html');
is($out, $first, 'three processes write the same');

# what a live site's URL would do is nothing to the pages of a folder

extract('-o', '-', '-b', 'https://a.test/share/print/', 'html');
is(scalar(grep { $_->{text} =~ /Chapter/ } lines($out)), 0,
    'a base that looks like an action');

extract('-q', '-m', 'jsonl', '-o', 'all.jsonl', 'html');
is(scalar(lines(written('all.jsonl'))), $n + 1, 'jsonl into a file');
$t->write_file('mine.txt', 'mine');
extract('-q', '-m', 'jsonl', '-o', 'mine.txt', 'html');
is($rc, 3, 'no foreign file is replaced');
is(written('mine.txt'), 'mine', 'it stays');

# Mirrors of the running site.

$t->run();

qx{cd $dir && mkdir mirror && cd mirror && wget -q -r $url/ 2>&1};
my $host = '127.0.0.1:' . $t->port(0);

extract('-o', '-', "$dir/mirror/$host");
like($err, qr{stands for \Q$url\E/, as its name}, 'wget: guess');
@pages = lines($out);
is(scalar(@pages), $n + 1, 'wget: pages');
is(scalar(grep { $_->{text} =~ /Chapter/ } @pages), 0, 'wget: no menu');

extract('-o', '-', "$dir/mirror");
is(scalar(grep { $_->{url} =~ m{^\Q$url\E/} } lines($out)), $n + 1,
    'wget: the folder above');

qx{cd $dir && wget -q -r --delete-after --warc-file=site $url/ 2>&1};
ok(-s "$dir/site.warc.gz", 'wget wrote a WARC');

extract('-o', '-', "$dir/site.warc.gz");
is($rc, 0, 'WARC: exit code');
@pages = lines($out);
is(scalar(@pages), $n + 1, 'WARC: pages');
is($pages[0]{url}, "$url/", 'WARC: url');
is(scalar(grep { $_->{text} =~ /Chapter/ } @pages), 0, 'WARC: no menu');

qx{cd $dir && gzip -dc site.warc.gz >site.warc && gzip -c site.warc >one.gz};
$first = $out;
extract('-q', '-o', '-', 'site.warc');
is($out, $first, 'WARC: not compressed');
extract('-q', '-j', '2', '-o', '-', 'one.gz');
is($out, $first, 'WARC: compressed as a whole');

extract('-q', '-o', 'warc', "$dir/site.warc.gz");
like(written("warc/$host/p3.md"), qr/^# Tide unique3$/m, 'WARC: files');
like(written("warc/$host/index.md"), qr/^# Tide unique0$/m, 'WARC: index');

# HTTrack: a page about the mirror, a cache, and a comment in each page

for my $page (0 .. $n) {
    my $file = $page ? "p$page.html" : 'index.html';
    $t->write_file("httrack/www.tides.test/$file",
        html($page) . "<!-- Mirrored from "
        . "www.tides.test/$file by HTTrack Website Copier/3.x -->\n");
}

$t->write_file('httrack/index.html', '<html><title>Local index - HTTrack');
$t->write_file('httrack/hts-cache/old.html', html(99));

extract('-o', '-', "$dir/httrack");
is($rc, 0, 'HTTrack: exit code');
like($err, qr{www\.tides\.test stands for http://www\.tides\.test/},
    'HTTrack: guess');
@pages = lines($out);
is(scalar(@pages), $n + 1, 'HTTrack: only pages of the site');

# queries in names, as wget writes them

for my $case (
    ['tides.test:81', 'index.html?p=%d&a=b', '/?p=%d&a=b'],
    ['tides.test:81', 'show.php?p=%d.html', '/show.php?p=%d'],
    ['tides.test+81', 'index.html@p=%d&a=b', '/?p=%d&a=b'],
    ['tides.test+81', 'a/show.php@p=%d.html', '/a/show.php?p=%d'],
    ['tides.test+81', '@p=%d.html', '/@p=%d.html'],
    ['tides.test+81', 'a/index.html@%d.html', '/a/index.html@%d.html'],
) {
    my ($folder, $name, $path) = @$case;
    my $top = 'query' . $folder . $name =~ tr/a-z//cdr;
    $t->write_file("$top/$folder/" . sprintf($name, $_), html($_)) for 1 .. $n;
    extract('-o', '-', "$dir/$top");
    is(join(' ', sort map { $_->{url} } lines($out)),
        join(' ', sort map { sprintf "http://tides.test:81$path", $_ }
             1 .. $n), "wget: $folder/$name");
    is(scalar(grep { $_->{text} =~ /almanac/ } lines($out)), 0,
        "wget: no template of $folder/$name") if $path =~ /\?/;
}

# a folder that ends like a page is no host

$t->write_file("manual.html/p$_.html", html($_)) for 1 .. $n;
extract('-o', '-', "$dir/manual.html");
like($err, qr{stands for http://localhost/, though}, 'manual.html: no host');

# pages that say their URL

for my $how ("<meta content='%s' property='og:url'>",
    '<link rel="canonical" href="%s">')
{
    for my $page (1 .. $n) {
        my $own = sprintf $how, "https://docs.tides.test/3/p$page.html";
        $t->write_file("canonical/p$page.html",
            html($page) =~ s/<head>/<head>$own/r);
    }

    extract('-o', '-', "$dir/canonical");
    like($err, qr{stands for https://docs\.tides\.test/3/, as its pages},
        "guess by $how");
}

# pages of a list that name one canonical URL keep their own

my $pages = join '', map {
    "$dir/canonical/p$_.html\thttps://mirror.test/p$_.html\n" } 1 .. $n;

extract(\$pages, '-o', '-', '--format', 'jsonl', '-');
is(join(' ', map { $_->{url} } lines($out)),
    join(' ', map { "https://mirror.test/p$_.html" } 1 .. $n), 'own URLs');

# A WARC with two hosts, codings, and what is not a page.

# in a block of Brotli that is not compressed

sub brotli {
    return substr(pack('V', length($_[0]) - 1 << 4 | 1 << 20), 0, 3) . $_[0]
        . "\x03";
}

my $te = "Transfer-Encoding: chunked\r\n";
my $gz = "Content-Encoding: gzip\r\n";
my $br = "Content-Encoding: br\r\n";
my $page1 = html(1);

my @records = map {
    (record("http://a.test/p$_.html", answer(html($_))),
     record("http://b.test/p$_.html", answer(html($_, 'Quarry')),
            version => 'WARC/1.1'))
} 1 .. $n;

archive('two.warc', @records);
@pages = lines($out);
is($rc, 0, 'two hosts: exit code');
is(scalar(@pages), 2 * $n, 'two hosts: pages');
is(scalar(grep { $_->{text} =~ /Chapter|almanac/ } @pages), 0,
    'two hosts: each has its template');
is($pages[1]{url}, 'http://b.test/p1.html', 'in the order of the source');

for my $case (
    ['chunked', answer(chunked($page1, 100), fields => $te)],
    ['gzip', answer(memGzip($page1), fields => $gz)],
    ['deflate', answer(compress($page1),
        fields => "Content-Encoding: deflate\r\n")],
    ['chunked and gzip', answer(chunked(memGzip($page1), 100),
        fields => "$te$gz")],
    ['brotli', answer(brotli($page1), fields => $br)],
    ['chunked and brotli', answer(chunked(brotli($page1), 100),
        fields => "$te$br")],
    ['fields of a body that was decoded', answer($page1, fields => "$te$gz")],
    ['brotli that was decoded', answer("\n $page1", fields => $br)],
    ['an unknown coding that was decoded', answer("\xef\xbb\xbf$page1",
        fields => "Content-Encoding: utf-8\r\n")],
    ['target in brackets', answer($page1), '<http://a.test/x>'],
) {
    my ($name, $http, $target) = @$case;
    archive('c.warc', @records,
        record($target // 'http://a.test/x', $http));
    my ($last) = (lines($out))[-1];
    is($last->{url}, 'http://a.test/x', "$name: there");
    is($last->{text} =~ s/.*?(?=Tide)//r, $pages[0]{text} =~ s/.*?(?=Tide)//r,
        "$name: text");
}

for my $case (
    ['another status', answer($page1, status => '404 Not Found')],
    ['another type', answer($page1, type => 'image/png')],
    ['a request', answer($page1), type => 'request'],
    ['a revisit', answer($page1), type => 'revisit'],
) {
    my ($name, $http, %o) = @$case;
    archive('c.warc', @records,
        record('http://a.test/x', $http, %o));
    is($rc, 0, "$name: exit code");
    is(scalar(lines($out)), 2 * $n, "$name: no page");
}

for my $case (
    ['another coding', record('http://a.test/x', answer("\x28\xb5\x2f\xfd",
        fields => "Content-Encoding: zstd\r\n")), qr{x: encoding}],
    ['half of brotli', record('http://a.test/x',
        answer(substr(brotli($page1), 0, 900), fields => $br)),
        qr{x: encoding}],
    ['a bomb of brotli', record('http://a.test/x', answer(pack('H*',
        '9b7f8d5b0024c2e2b140720ab700'), fields => $br)), qr{x: too-large}],
    ['a large page', record('http://a.test/x', answer('<p>a ' x 1100000)),
        qr{x: too-large}],
    ['a bomb', record('http://a.test/x', answer(memGzip('a' x 6000000),
        fields => $gz)), qr{x: too-large}],
    ['half a page', substr(record('http://a.test/x', answer($page1)), 0, 900),
        qr{x: truncated}],
    ['a length that lies', record('http://a.test/x', answer($page1),
        length => 20), qr{rest: no record begins there}],
    ['no length', record('http://a.test/x', answer($page1), length => 'x'),
        qr{rest: a record without a length}],
    ['a large header', "WARC/1.0\r\n" . ("X: y\r\n" x 20000),
        qr{rest: a record's header is too large}],
    ['another scheme', record('ftp://a.test/x', answer($page1)),
        qr{ftp://a.test/x: not an http URL}],
    ['UTF-16', record('http://a.test/x', answer("\xff\xfe<\0p\0>\0",)),
        qr{x: its charset is not read}],
    ['an unknown charset', record('http://a.test/x', answer($page1,
        type => 'text/html; charset=klingon')),
        qr{x: its charset is not known}],
) {
    my ($name, $record, $line) = @$case;
    archive('c.warc', @records, $record);
    is($rc, 1, "$name: exit code");
    like($err, $line, "$name: line");
    like($err, qr/1 left out$/, "$name: count");
    is(scalar(lines($out)), 2 * $n, "$name: the other pages");
}

for my $case (
    ['its type', 'text/html; charset="windows-1251"', ''],
    ['its head', 'text/html', '<meta charset=windows-1251>'],
    ['its type, not its head', 'text/html;charset=windows-1251',
        '<meta charset=utf-8>'],
    ['a head that was read as ASCII', 'text/html',
        '<meta charset=utf-16>', "\xd0\x9f\xd1\x80\xd0\xb8"],
    ['its mark, not its type', 'text/html;charset=windows-1251', '',
        "\xd0\x9f\xd1\x80\xd0\xb8", "\xef\xbb\xbf"],
) {
    my ($name, $type, $meta, $bytes, $mark) = @$case;
    my $page = html(1) =~ s/<head>/<head>$meta/r
        =~ s/Tide/$bytes \/\/ "\xcf\xf0\xe8"/er;
    archive('c.warc', @records,
        record('http://a.test/x', answer(($mark // '') . $page,
            type => $type)));
    like((lines($out))[-1]{text}, qr/^# \x{41f}\x{440}\x{438} unique1$/m,
        "charset by $name");
}

archive('bad.warc', 'this is no archive');
is($rc, 1, 'no archive: exit code');
like($err, qr/bad.warc: neither a directory nor a WARC: /, 'no archive: line');

# what has no pages is told

mkdir "$dir/empty";
$t->write_file('empty.warc', '');

for my $source ('empty', 'empty.warc', '-') {
    extract('-q', '-o', '-', $source);
    is($rc, 1, "$source: exit code");
    like($err, qr/^detemplate: left out: $source: no pages$/m,
        "$source: line");
}

$t->write_file('cut.gz', substr(join('', map { memGzip($_) } @records), 0,
    -300));
extract('-o', '-', "$dir/cut.gz");
is($rc, 1, 'truncated: exit code');
ok(scalar(lines($out)) >= 2 * $n - 2, 'truncated: what is there');

# names that would leave the output, or hide there

my %hostile = map { $_ => 1 } '..%2f..%2fup', '%2e%2e/up', '/../../up',
    '//up', '/a/%2e%2e%2f%2e%2e%2fup', '/.detemplate-extract', '/con%00trol',
    '/' . 'x' x 300, '/' . 'd/' x 900 . 'e', '/?/../../up', '/a%0ab',
    '/name%2F..%2F..%2Fup';
$t->write_file('h.warc', join '', @records, map {
    record('http://a.test' . (m{^/} ? '' : '/') . $_, answer($page1))
} sort keys %hostile);
extract('-q', '-o', 'jail/out', "$dir/h.warc")
    if mkdir "$dir/jail";
is(join(' ', map { s{.*/}{}r } glob "$dir/jail/{*,.[!.]*}"), 'out',
    'nothing is written beside the output');
like(join(' ', map { s{.*/}{}r } glob "$dir/jail/out/{*,.[!.]*}"),
    qr/^a\.test b\.test \.detemplate-extract(?: \S+\.state)?$/,
    'and only hosts below it');

# names that collide

$t->write_file("same/a.$_", html(1)) for qw(html htm);
extract('-q', '-o', 'same-out', "$dir/same");
is(join(' ', sort map { s{.*/}{}r } glob "$dir/same-out/*"), 'a.html.md a.md',
    'two pages of one name');

# folders of one name, of which nothing is known, are sites of their own

for my $site (qw(Quarry Mill)) {
    $t->write_file("$site/html/p$_.html", html($_, $site)) for 1 .. $n;
}

extract('-o', 'both', "$dir/Quarry/html", "$dir/Mill/html");
like($err, qr/24 pages of 2 sites/, 'two folders: two sites');
like($err, qr{html-2 stands for http://html-2\.localhost/},
    'two folders: a name for each');
like(written('both/html/p3.md') . written('both/html-2/p3.md'),
    qr/unique3.*unique3/s, 'two folders: files of both');
unlike(written('both/html/p3.md') . written('both/html-2/p3.md'),
    qr/almanac/, 'two folders: two templates');

# Lists, groups of pages, wrong usage.

extract(\join('', map { "$dir/html/p$_.html\t"
    . "http://l.test/$_\n" } 1 .. $n), '-o', '-', '-');
@pages = lines($out);
is(scalar(@pages), $n, 'a list: pages');
is($pages[0]{url}, 'http://l.test/1', 'a list: url');

extract(\"$dir/nothing\thttp://l.test/1\nx\n", '-o', '-', '-');
is($rc, 1, 'a list: exit code');
like($err, qr{left out: x: a line without FILE, TAB and URL}, 'a wrong line');
like($err, qr{left out: \Q$dir\E/nothing: No such file}, 'a missing file');

$t->write_file('x.xhtml', my $xml = '<html '
    . 'xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>'
    . '<p>Sounding <![CDATA[a > b]]></p></body></html>');
$t->write_file('x.html', $xml);
extract(\join('', map { "$dir/$_\thttp://l.test/$_\n" }
    'x.xhtml', 'x.html'), '-o', '-', '-');
is(join('|', map { $_->{text} } lines($out)), "Sounding a > b\n|",
    'XHTML is read as XML, HTML is not');

for my $part (qw(one two)) {
    $t->write_file("parts/$part/p$_.html", html($_, $part)) for 1 .. $n;
}

extract('-s', 'directory', '-o', '-', "$dir/parts");
like($err, qr/24 pages of 2 sites/, 'sites by directory');
extract('-s', 'host', '-o', '-', "$dir/parts");
like($err, qr/24 pages of 1 sites/, 'sites by host');

extract('-o', '-', "$dir/same");
is((lines($out))[0]{reason}, 'no-template', 'nothing to learn from');
is($rc, 0, 'which is no error');

for my $case (
    [['x'], 2, qr/--out is missing/],
    [['-o', 'x'], 2, qr/an argument is missing/],
    [['-o', 'x', '-m', 'pdf', 'x'], 2, qr/--format must be/],
    [['-o', '-', '-m', 'text', 'x'], 2, qr/only jsonl/],
    [['-o', 'x', '-s', 'y', 'x'], 2, qr/--site-by must be/],
    (map { [['-o', 'x', '-b', $_, 'html'], 2, qr/--base must be/] } 'ftp://x/',
        'http://x', 'http:///', 'http://a b/', 'http://x/?y/', ''),
    [['-o', 'x', '-k', '[', 'x'], 2, qr/--keep/],
    [['-o', 'x', 'nowhere'], 3, qr/nowhere: No such file/],
    [['-o', '/dev/null/x', 'html'], 3, qr{/dev/null/x: Not a directory}],
    [['-o', 'x', '/dev/null'], 3, qr/neither a directory nor a WARC/],
) {
    my ($arguments, $code, $line) = @$case;
    extract(@$arguments);
    is($rc, $code, "exit code of @$arguments");
    like($err, $line, "message of @$arguments");
}

# of a manual, most files may only redirect to where a page is now

$t->write_file("moved/p$_.html", html($_)) for 1 .. $n;
$t->write_file("moved/old$_.html", '<meta http-equiv=refresh content="0; '
    . "url=p1.html\"><p>Chapter $_ is <a href=p1.html>there</a>")
    for 1 .. 15 * $n;

extract('-q', '-o', '-', 'moved');
is(scalar(grep { $_->{template_words} } lines($out)), $n,
    'pages among redirects are learned');

is(system("$BIN extract -q -o - $dir/parts 2>$dir/errors | head -c 100"
    . ' >/dev/null'), 0, 'into head');
is(written('errors'), '', 'which ends silently');

# Ctrl-C

# many large pages, of few files

$t->write_file("many/0-$_.html", html($_, 'Harbour', 40) x 40) for 1 .. 6;

for my $page (1 .. 2994) {
    link "$dir/many/0-" . ($page % 6 + 1) . '.html', "$dir/many/$page.html"
        or die "link: $!\n";
}

SKIP: {
    skip 'no terminal', 4
        if system('script -qec true /dev/null </dev/null >/dev/null 2>&1');
    system("script -qec '$BIN extract -o - $dir/many >/dev/null' $dir/tty"
        . ' </dev/null >/dev/null');
    my $tty = written('tty');
    like($tty, qr/\r\e\[Kreading: page \d+\r/, 'progress of reading');
    like($tty, qr/\r\e\[Klearning: site 1 of 1/, 'progress of learning');
    like($tty, qr{\r\e\[Kpage \d+ of 3000, [\d.]+ MB/s, \d+% template, \d+ s },
        'progress of pages');
    like($tty, qr/\r\e\[Kdetemplate: 3000 pages [^\r]*\r?\n[^\r]*\z/,
        'which is gone at the end');
}

for my $jobs (1, 3) {
    my $pid = fork();

    if ($pid == 0) {
        chdir $dir;
        open STDERR, '>', "$dir/errors";
        exec $BIN, 'extract', '-j', $jobs, '-q', '-o', "stop$jobs", 'many';
    }

    wait_for(sub { scalar(() = glob "$dir/stop$jobs/*.md") }, 20);
    kill 'INT', $pid;
    waitpid $pid, 0;
    is($? & 127, 2, "$jobs: ends by the signal");

    my @there = glob "$dir/stop$jobs/*.md";
    ok(@there && @there < 3000, "$jobs: not all pages");
    is(scalar(grep { written("stop$jobs/" . s{.*/}{}r) !~ /\n\z/ } @there), 0,
        "$jobs: no half file");
    is(scalar(() = glob "$dir/stop$jobs/.detemplate-[0-9]*"), 0,
        "$jobs: nothing else");
    is(join(' ', sort split ' ', written("stop$jobs/.detemplate-extract")),
        join(' ', sort map { s{.*/}{}r } @there), "$jobs: all are listed");
}

# The recipe, with the server of this test.

my $recipe = slurp("$TOP/doc/extract.md");

my ($loop, $python) = grep { /^import json/ }
    $recipe =~ /^```python\n(.*?)^```$/msg;

# the loop of a program, in whose path the command is

$t->write_file('loop.py', $loop);
$t->write_file('files', join '', map { "$dir/html/p$_.html http://l.test/$_\n"
    } 1 .. $n);
mkdir "$dir/bin";
symlink $BIN, "$dir/bin/detemplate";
is(qx{PATH=$dir/bin:\$PATH python3 $dir/loop.py <$dir/files 2>&1}
    =~ s/\t\d+\t/ /gr, join('', map {
        qq{http://l.test/$_ Page $_ "q" of Harbour\n} } 1 .. $n),
    'the loop of a program');

SKIP: {
    skip 'no sqlite3 in python3', 8
        if system('python3 -c "import sqlite3" 2>/dev/null');

    my %how = ($recipe =~ /^### (\w+)\n.*?\n\n((?: {4}\S[^\n]*\n)+)/msg);
    is(join(' ', sort keys %how), 'Archive Mirror', 'two ways');

    for my $name (sort keys %how) {
        my $commands = $how{$name} =~ s/^    //gmr
            =~ s{http://www\.example\.com/}{$url/}gr
            =~ s{www\.example\.com}{$host}gr
            =~ s{^detemplate }{$BIN }gmr;

        mkdir "$dir/$name";
        $t->write_file("$name/run", "set -e\ncd $dir/$name\n$commands");
        $t->write_file("$name/search.py", $python);
        is(system("sh $dir/$name/run >$dir/$name/log 2>&1"), 0,
            "$name: runs") or diag(written("$name/log"));

        my $search = "cd $dir/$name && python3 search.py pages.jsonl";
        is(qx{$search Chapter}, '', "$name: a word of the menu finds nothing");
        is(qx{$search unique7}, "$url/p7.html\tPage 7 \"q\" of Harbour\n",
            "$name: a word of a page finds that page");
    }
}

done_testing();
