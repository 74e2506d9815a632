package Test::Detemplate::Extract;

# Copyright (C) The detemplate authors

# What tests of "detemplate extract" share: pages, archives, runs of the
# command.

use v5.36;

use Test::Detemplate;

our @ISA = 'Exporter';
our @EXPORT = qw($t $dir $out $err $rc answer archive extract html lines
    record words written);

# see there

*import = \&Test::Detemplate::import;

our $t = Test::Detemplate->new();
our $dir = $t->testdir();

sub written ($name) { $t->read_file($name) }

my @words = qw(amber basil cedar delta ember fjord grove heron inlet jetty kelp
    larch maple north ocean pearl quartz river stone tulip umber valley);

# words that no other page has

sub words ($n, $count) {
    return join ' ', map { $words[($n * 7 + $_ * ($n + 3)) % @words] . ($n
        * 100 + $_) } 1 .. $count;
}

# a page of a site, with links to the others

sub html ($n, $site = 'Harbour', $pages = 12) {
    my $menu = join '', map { "<li><a href=\"/p$_.html\">Chapter $_</a>" }
        1 .. $pages;

    return "<!DOCTYPE html>\n<html lang=en><head><title>Page $n \"q\" of $site"
        . "</title></head>\n<body><header><p>The $site almanac, printed"
        . " daily since the lighthouse</p></header>\n<nav><ul>$menu</ul></nav>"
        . "\n<main><h1>Tide unique$n</h1>\n"
        . join('', map { '<p>' . words($n * 10 + $_, 30 + $n) . "</p>\n" }
               1 .. 4)
        . "</main>\n<footer><p>$site almanac, all tides reserved, no anchors"
        . " without permission</p></footer></body></html>\n";
}

# a record of an archive, and the response in it

sub record ($target, $block, %o) {
    return ($o{version} // 'WARC/1.0') . "\r\nWARC-Type: "
        . ($o{type} // 'response')
        . "\r\nWARC-Target-URI: $target\r\nContent-Length: "
        . ($o{length} // length $block) . "\r\n" . ($o{fields} // '')
        . "\r\n$block\r\n\r\n";
}

sub answer ($body, %o) {
    return 'HTTP/1.1 ' . ($o{status} // '200 OK') . "\r\nContent-Type: "
        . ($o{type} // 'text/html') . "\r\n" . ($o{fields} // '')
        . "\r\n$body";
}

# Runs the command in the directory of the test; a reference in front is its
# input.  Sets its output, its errors and its exit code.

our ($out, $err, $rc);

sub extract (@arguments) {
    my $in = '</dev/null';

    if (ref $arguments[0]) {
        $t->write_file('input', ${shift @arguments});
        $in = "<$dir/input";
    }

    my $quoted = join ' ', map { "'" . s/'/'\\''/gr . "'" } @arguments;

    $out = qx{cd $dir && $BIN extract $quoted $in 2>$dir/errors};
    ($err, $rc) = (written('errors'), $? >> 8);
}

# the same of an archive of these records

sub archive ($name, @records) {
    $t->write_file($name, join '', @records);
    return extract('-o', '-', "$dir/$name");
}

sub lines { map { decode_json($_) } split /\n/, $_[0] }

1;
