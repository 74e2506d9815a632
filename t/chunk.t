#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate extract --chunk: sections of pages.

use Test::Detemplate;
use Test::Detemplate::Extract;

$t->write_file('parts/a.html', '<html lang=en><head><title>A</title></head>'
    . '<body><p>Before.</p><h1 id=top>One</h1><p>' . words(1, 12) . '. '
    . words(2, 12) . '.</p><h2>"Two"</h2><p>' . words(3, 12) . '<pre>'
    . join("\n\n", map { "line $_ #" } 1 .. 8) . "</pre><h3 id=\xc3\xa9(>Three"
    . '</h3><table><tr><th>x<th>y' . ('<tr><td>one<td>two' x 9)
    . '</table><p>last<h1>Four</h1><p>' . 'word ' x 50 . '</body></html>');

extract(qw(-q -o - --format jsonl parts));
my ($whole) = lines($out);

for my $most ('', ':20') {
    extract(qw(-q -o - --chunk), "heading$most", 'parts');

    my @parts = lines($out);
    my $at = 0;

    is($rc, 0, "sections$most: exit code");
    is(join('|', map { join '/', $_->{url} =~ s/.*a\.html//r, @{$_->{path}} }
        grep { $_->{part} == 1 } @parts),
        q{|#top/One|#top/One/"Two"|#%C3%A9(/One/"Two"/Three|/Four},
        "sections$most: URLs and headings");

    for my $part (@parts) {
        is(substr($whole->{text}, $part->{offset}, length $part->{text}),
            $part->{text}, "sections$most: text at $at");
        like(substr($whole->{text}, $at, $part->{offset} - $at), qr/^\s*$/,
            "sections$most: all of it");
        $at = $part->{offset} + length $part->{text};
        ok($most ? $part->{words} <= 20 : $part->{part} == 1,
            "sections$most: words");
        is(scalar(() = $part->{text} =~ /^```/mg) % 2, 0,
            "sections$most: no part of a fence");
        unlike($part->{text}, qr/^\| one.*\A(?!.*---)/s,
            "sections$most: no part of a table");
    }

    is($at, length($whole->{text} =~ s/\s*$//r), "sections$most: to its end");
    is(scalar(grep { $_->{part} > 1 } @parts) > 0, !!$most,
        "sections$most: divided");
}

for my $how (qw(headings heading: heading:19 heading:20x page)) {
    extract('-o', '-', '--chunk', $how, 'parts');
    is($rc, 2, "sections: not $how");
}

extract(qw(-o parts.out --chunk heading parts));
is($rc, 2, 'sections: no files');

$t->done();
