#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate extract: archives as programs write them, ZIPs of them, and what
# comes on standard input.

use Compress::Zlib qw(memGzip);
use IO::Compress::Zip qw(zip :constants $ZipError);
use Test::Detemplate;
use Test::Detemplate::Extract;

my $n = 12;
my $te = "Transfer-Encoding: chunked\r\n";
my @records = map { record("http://a.test/p$_.html", answer(html($_))) }
    1 .. $n;

# the words of a page, without the line that all pages have

sub own ($page) { $page->{text} =~ s/.*?(?=Tide|Heron)//sr }

archive('a.warc', @records);
my ($first) = lines($out);
is($rc, 0, 'exit code');

# a body that says chunked, and is not, in one line or several

my $line = html(1) =~ s/\n//gr;

for my $case (
    ['one line', $line],
    ['several lines', html(1)],
    ['one line, first digits', "1a" . $line],
    ['lines, first digits', "a\n" . html(1)],
    ['lines, first digits and a space', "12 \r\n" . html(1)],
    ['lines, first a nought', "0\n" . html(1)],
    ['chunks, a broken last one', chunked($line, 100) =~ s/0\r\n\r\n\z//r],
    ['chunks with extensions', chunked($line, 100) =~ s/^64/64;a=b/r],
    ['chunks', chunked($line, 100)],
) {
    my ($name, $body) = @$case;
    archive('c.warc', @records, record('http://a.test/x',
        answer($body, fields => $te)));
    is($rc, 0, "$name: exit code");
    is(own((lines($out))[-1]) =~ s/\s+/ /gr, own($first) =~ s/\s+/ /gr,
        "$name: text");
}

archive('c.warc', map { record("http://a.test/$_",
    answer(html($_) =~ s/\n//gr, fields => $te)) } 1 .. $n);
is(scalar(grep { $_->{text} =~ /^# Tide unique\d/ } lines($out)), $n,
    'pages of one line that say chunked');

# what is left out, with a line

for my $case (
    ['a segment', record('http://a.test/x', answer(html(1)),
        fields => "WARC-Segment-Number: 1\r\n"), qr{x: segmented}],
    ['a PDF', record('http://a.test/x', answer("%PDF-1.7\n1 0 obj\n")),
        qr{x: a PDF}],
) {
    my ($name, $record, $said) = @$case;
    archive('c.warc', @records, $record);
    is($rc, 1, "$name: exit code");
    like($err, $said, "$name: line");
    is(scalar(lines($out)), $n, "$name: the other pages");
}

archive('c.warc', @records, record('http://a.test/x', answer(html(1)),
    type => 'continuation', fields => "WARC-Segment-Number: 2\r\n"));
is($rc, 0, 'a later segment is no page');

# a resource has no header of HTTP

my $html = "Content-Type: text/html; charset=windows-1251\r\n";

archive('c.warc', @records, record('http://a.test/x',
    html(1) =~ s/Tide/Heron \xcf\xf0\xe8/r, type => 'resource',
    fields => $html));
is($rc, 0, 'a resource: exit code');
like((lines($out))[-1]{text}, qr/^# Heron \x{41f}\x{440}\x{438} unique1$/m,
    'a resource: text');
unlike((lines($out))[-1]{text}, qr/almanac/, 'a resource: no template');

for my $case (
    ['no type', ''],
    ['another type', "Content-Type: image/png\r\n"],
) {
    my ($name, $fields) = @$case;
    archive('c.warc', @records, record('http://a.test/x', html(1),
        type => 'resource', fields => $fields));
    is($rc, 0, "a resource of $name: exit code");
    is(scalar(lines($out)), $n, "a resource of $name: no page");
}

# a WACZ: a ZIP of archives

sub wacz ($name, %o) {
    my $all = join '', @records;
    my $one = memGzip(join '', @records[0 .. 4]);
    my $two = join '', @records[5 .. $n - 1];
    my @files = (
        ['datapackage.json', \'{}'],
        ['archive/one.warc.gz', \$one],
        ['archive/two.WARC', \$two],
        ['pages/pages.jsonl', \"{}\n" ],
        ['archive/none.warc', \''],
    );
    my $zip;

    for my $file (@files) {
        my ($path, $content) = @$file;

        if (!$zip) {
            $zip = IO::Compress::Zip->new("$dir/$name", Name => $path, %o);
        } else {
            $zip->newStream(Name => $path, %o);
        }

        $zip->print($$content);
    }

    $zip->close();
}

extract('-q', '-o', '-', 'a.warc');
my $all = $out;

for my $case (
    ['stored', Method => ZIP_CM_STORE],
    ['stored, ZIP64', Method => ZIP_CM_STORE, Zip64 => 1],
    ['deflated', Method => ZIP_CM_DEFLATE],
    ['deflated as a stream', Method => ZIP_CM_DEFLATE, Stream => 1],
    ['with a comment', Method => ZIP_CM_STORE, ZipComment => 'PK' x 90],
) {
    my ($name, %o) = @$case;
    wacz('a.wacz', %o);
    extract('-q', '-o', '-', 'a.wacz');
    is($rc, 0, "WACZ $name: exit code");
    is($err, '', "WACZ $name: nothing left out");
    is($out, $all, "WACZ $name: pages");
    extract('-q', '-j', 2, '-o', '-', 'a.wacz');
    is($out, $all, "WACZ $name: two processes write the same");
}

my $wacz = written('a.wacz');
my $directory = unpack 'V', substr $wacz, rindex($wacz, "PK\5\6") + 16, 4;

for my $case (
    ['no directory', substr($wacz, 0, -300), qr{ZIP with no directory}],
    ['a directory that is elsewhere', do {
        my $w = $wacz; substr($w, rindex($w, "PK\5\6") + 16, 4) = 'abcd';
        $w },
        qr{ZIP with broken directory}],
    ['a file that is elsewhere', do {
        my $w = $wacz; substr($w, $directory + 42, 4) = 'abcd'; $w },
        qr{ZIP with broken directory}],
    ['too many files', do {
        my $w = $wacz;
        substr($w, rindex($w, "PK\5\6") + 10, 2) = "\xff\xff"; $w },
        qr{ZIP with broken directory}],
) {
    my ($name, $content, $said) = @$case;
    $t->write_file('b.wacz', $content);
    extract('-q', '-o', '-', 'b.wacz');
    is($rc, 1, "WACZ with $name: exit code");
    like($err, $said, "WACZ with $name: line");
}

zip(\('x' x 40_000_000) => "$dir/bomb.zip", Name => 'a.warc', Minimal => 1)
    or die $ZipError;
extract('-q', '-o', '-', 'bomb.zip');
like($err, qr/left out: a\.warc: compressed too much/, 'a bomb');

# standard input

my $warc = join '', @records;

for my $case (
    ['a WARC', $warc],
    ['a compressed WARC', memGzip($warc)],
    ['a WACZ', $wacz],
) {
    my ($name, $input) = @$case;

    for my $how ('<', 'cat |') {
        $t->write_file('input', $input);
        $out = $how eq '<' ? qx{$BIN extract -q -o - - <$dir/input}
            : qx{cat $dir/input | $BIN extract -q -j 2 -o - -};
        is($?, 0, "$name on standard input, $how: exit code");
        is($out, $all, "$name on standard input, $how: pages");
    }
}

extract(\html(1), '-o', '-', '-b', 'http://a.test/x/', '-');
is($rc, 0, 'a page on standard input: exit code');
is((lines($out))[0]{url}, 'http://a.test/x/', 'a page: URL');
like((lines($out))[0]{text}, qr/^# Tide unique1$/m, 'a page: text');

for my $case (
    ['bytes', join '', map { chr } 0 .. 255],
    ['a picture', "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ['a PDF', "%PDF-1.7\n1 0 obj\n"],
) {
    my ($name, $input) = @$case;
    extract(\($input x 50), '-q', '-o', '-', '-');
    is($rc, 1, "$name on standard input: exit code");
    is($err, "detemplate: left out: -: neither a WARC, a WACZ, a page nor a"
        . " list\ndetemplate: 1 left out\n", "$name: one line");
}

# a list that a program writes

$t->write_file("p$_.html", html($_)) for 1 .. $n;
my $list = join '', map { "$dir/p$_.html\thttp://l.test/$_\n" } 1 .. $n;
$t->write_file('list', $list);
extract('-q', '-o', '-', '-i', 'list');
is($rc, 0, '--list: exit code');
is(scalar(lines($out)), $n, '--list: pages');
my $listed = $out;
extract(\$list, '-q', '-o', '-', '--list', '-');
is($out, $listed, '--list -: the same');
extract('-q', '-o', '-', '-i', 'nothing');
is($rc, 3, '--list: a missing file');

# many archives

$t->write_file("many/$_.warc", $records[$_ % $n]) for 0 .. 299;
extract('-q', '-o', '-', map { "many/$_.warc" } 0 .. 299);
is($rc, 0, '300 archives: exit code');
is(scalar(lines($out)), $n, '300 archives: of a URL the last counts');

done_testing();
