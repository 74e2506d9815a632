#!/usr/bin/perl

# Copyright (C) The detemplate authors

# "detemplate test": a site's own tests of what stays and what is cut.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my ($own) = page(3) =~ /<h1>(.*?)</;

$t->pages('html');
$t->configure(mode => 'off');
$t->run();

my $to = '--connect 127.0.0.1:' . $t->port(0);

# pages of a server, of a directory, and of what wget leaves of a site

$t->write_file('good', "# a comment\n\npage http://site.test/p3.html\n"
    . "  keep $own\n  cut\tPrinted by the   almanac\r\n"
    . "page http://site.test/p4.html\ncut Chapter 2\n");

is(tests("$to $d/good"), "0 ok 1 - keep \"$own\"\n"
    . "ok 2 - cut \"Printed by the almanac\"\nok 3 - cut \"Chapter 2\"\n"
    . "1..3\n", 'from a server');

$t->write_file('files', $t->read_file('good') =~ s{http://site\.test/}{}gr);
is(tests("--root $d/html $d/files"), tests("$to $d/good"), 'from a directory');

SKIP: {
    skip 'no wget', 1 if `wget --version 2>&1` !~ /^GNU Wget/;

    system("wget -q -r -k -nH -P $d/mirror http://127.0.0.1:" . $t->port(0)
        . '/p3.html');
    is(tests("--root $d/mirror $d/files"), tests("$to $d/good"),
        'from what wget -r -k leaves');
}

# failures, and each kind of them

$t->write_file('bad', "page http://site.test/p3.html\ncut $own\n"
    . "keep Printed by the almanac\ncut nowhere\nkeep nowhere\nkeep $own\n");

is(tests("$to $d/bad"), "1 not ok 1 - cut \"$own\"\n"
    . "# line 2, page http://site.test/p3.html: stays\n"
    . "not ok 2 - keep \"Printed by the almanac\"\n"
    . "# line 3, page http://site.test/p3.html: is cut\n"
    . "not ok 3 - cut \"nowhere\"\n"
    . "# line 4, page http://site.test/p3.html: not on the page\n"
    . "not ok 4 - keep \"nowhere\"\n"
    . "# line 5, page http://site.test/p3.html: not on the page\n"
    . "ok 5 - keep \"$own\"\n1..5\n", 'failures');

is(tests("--keep footer --force h1 $to $d/bad") =~ s/\n#.*//gr, "1 "
    . "ok 1 - cut \"$own\"\nok 2 - keep \"Printed by the almanac\"\n"
    . "not ok 3 - cut \"nowhere\"\nnot ok 4 - keep \"nowhere\"\n"
    . "not ok 5 - keep \"$own\"\n1..5\n", 'what is kept and cut by hand');

my ($code, $json) = tests("--json $to $d/bad") =~ /^(\d) (.*)/s;
my $j = decode_json($json);

is("$code $j->{failed}", '1 4', 'JSON, failures');
is_deeply($j->{tests}[1], { line => 3, page => 'http://site.test/p3.html',
    expect => 'keep', text => 'Printed by the almanac', why => 'is cut',
    ok => JSON::PP::false }, 'JSON, a test');
is(scalar(@{$j->{tests}}), 5, 'JSON, all tests');

# a template that is there already, and one of another site

is(system("$BIN learn $to --out $d/t http://site.test/p3.html >$d/out 2>&1"),
    0, 'learned');
is(tests("$to --template $d/t $d/good"), tests("$to $d/good"), 'a template');
$t->write_file('poor/1.html', '<!DOCTYPE html><p>none');
$t->write_file('poor.t', "page 1.html\nkeep none\n");
like(tests("--root $d/poor $d/poor.t"), qr/^1 .*nothing learned/,
    'nothing learned');

# what is no test

for my $case (
    [ '', qr/^2 .*no page/, 'empty' ],
    [ "keep a\n", qr/^2 .*line 1 must be/, 'no page first' ],
    [ "page a\n\nstay b\n", qr/^2 .*line 3 must be/, 'another word' ],
    [ "page a\nkeep \n", qr/^2 .*line 2 must be/, 'no text' ],
    [ "page ftp://a/\nkeep b\n", qr/^2 .*not an http URL/, 'another scheme' ],
    [ "page http://site.test/none\nkeep b\n", qr/^[13] /, 'no such page' ],
) {
    my ($text, $re, $title) = @$case;

    $t->write_file('odd', $text);
    like(tests("$to $d/odd"), $re, $title);
}

like(tests("$to $d/none"), qr/^3 .*cannot be read/, 'no such file');

$t->done();

# the exit code, and what is printed

sub tests ($args) {
    my $out = `$BIN test $args 2>&1`;

    return ($? >> 8) . " $out";
}
