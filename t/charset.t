#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Charsets.  Pages in a charset that keeps ASCII as it is are learned and cut
# as bytes; pages in others are passed unchanged.

use Encode qw/ encode /;
use Test::Detemplate;

# The letters that replace a to z.  In Shift_JIS the second bytes of several
# are ASCII: a backslash, a bar, a bracket.

my %letters = (
    'windows-1251' => [ 0x430 .. 0x449 ],
    'gb2312' => [ unpack 'W*', "\x{7684}\x{4e00}\x{662f}\x{5728}\x{4e0d}"
        . "\x{4e86}\x{6709}\x{548c}\x{4eba}\x{8fd9}\x{4e2d}\x{5927}\x{4e3a}"
        . "\x{4e0a}\x{4e2a}\x{56fd}\x{6211}\x{4ee5}\x{8981}\x{4ed6}\x{65f6}"
        . "\x{6765}\x{7528}\x{4eec}\x{751f}\x{5230}" ],
    'euc-kr' => [ unpack 'W*', "\x{ac00}\x{b098}\x{b2e4}\x{b77c}\x{b9c8}"
        . "\x{bc14}\x{c0ac}\x{c544}\x{c790}\x{cc28}\x{ce74}\x{d0c0}\x{d30c}"
        . "\x{d558}\x{ac70}\x{b108}\x{b354}\x{b7ec}\x{ba38}\x{bc84}\x{c11c}"
        . "\x{c5b4}\x{c800}\x{cc98}\x{cee4}\x{d130}" ],
    'shift_jis' => [ unpack 'W*', "\x{8868}\x{30bd}\x{80fd}\x{30dd}\x{4e88}"
        . "\x{5341}\x{7533}\x{30bc}\x{30be}\x{6b6f}\x{30a1}\x{30e0}\x{6b27}"
        . "\x{571f}\x{7bc0}\x{88e1}\x{8cbc}\x{6697}\x{5642}\x{6771}\x{5fc3}"
        . "\x{6d77}\x{5c71}\x{5ddd}\x{7a7a}\x{82b1}" ],
);

my %names = ('gb2312' => 'euc-cn', 'shift_jis' => 'cp932');
my @bytes = sort keys %letters;

my $t = Test::Detemplate->new();

$t->configure(
    http => 'detemplate_site $host;',
    mode => '$mode',
    pages => [
        '/tab/' => q{
            types { }
            default_type "text/html;\tcharset=UTF-16LE";},
        '/quoted/' => q{
            types { }
            default_type 'text/html; version=1;\t charset="utf-16"';},
        '/tab/8/' => q{
            types { }
            default_type "text/html;\tcharset=utf-8";},
        '/pieces/' => 'output_buffers 1 16;',
    ],
    locations => [
        '~ ^/as/(?<as>[^/]+)(?<file>/.+)' => '
            charset $as;
            try_files $file =404;',
    ],
    servers => [
        {
            name => '~^header\.(?<dir>.+)\.test$',
            root => '$dir',
            server => 'charset $dir;',
        },
        { name => '~^meta\.(?<dir>.+)\.test$', root => '$dir' },
    ],
);

$t->pages('html');

for my $charset (@bytes) {
    $t->write_file("$charset/p$_.html", foreign($_, $charset)) for 1 .. 8;
}

# one page in each of the other charsets, on a site that has a template

my %page = (
    'utf-8-bom' => "\xef\xbb\xbf" . page(3),
    'utf-16be-bom' => encode('UTF-16BE', "\x{feff}" . page(3)),
    'utf-16le-bom' => encode('UTF-16LE', "\x{feff}" . page(3)),
    'utf-32be-bom' => encode('UTF-32BE', "\x{feff}" . page(3)),
    'utf-32le-bom' => encode('UTF-32LE', "\x{feff}" . page(3)),
    'utf-16le' => encode('UTF-16LE', page(3)),
    'utf-7' => page(3),
    'iso-2022-jp' => foreign(3, 'shift_jis', 'iso-2022-jp'),
    'hz-gb-2312' => page(3),
    'spaces' => page(3) =~ s{<meta [^>]*>}{<META CHARSET\n= 'ISO-2022-KR'>}r,
    'meta-in-time' => late(1024),
    'content' => page(3) =~ s{<meta [^>]*>}{<meta http-equiv="Content-Type"
        content="text/html; charset=ISO-2022-KR">}r,
);

$t->write_file("html/$_.html", $page{$_}) for keys %page;
$t->write_file('html/meta-late.html', late(1025));

# a site whose pages are all in UTF-16

$t->write_file("utf-16/p$_.html", encode('UTF-16LE', "\x{feff}" . page($_)))
    for 1 .. 4;

$t->run();

# charsets whose pages are cut as bytes

for my $charset (@bytes) {
    for my $where (qw/ header meta /) {
        my $host = "$where.$charset.test";
        my $name = "$charset in $where";
        my $page = foreign(3, $charset);

        is(body(http_get('/p3.html', host => $host)), $page,
            "$name, unchanged before there is a template");

        my $r = $t->learn('/p3.html', host => $host);
        ok($r, "$name, learned");

        like(field($r, 'Content-Type'), $where eq 'header'
            ? qr{^text/html; charset=\Q$charset\E$} : qr{^text/html$},
            "$name, content type");

        for my $i (3, 5) {
            my $whole = foreign($i, $charset);
            my ($main) = $whole =~ m{(<main>.*</main>)}s;
            my $body = body(http_get("/p$i.html", host => $host));

            ok(index($body, $main) > 0, "$name, content of page $i");
            unlike($body, qr/<nav|<footer|<aside/,
                "$name, no template in page $i");
            ok(subsequence($body, $whole), "$name, page $i is a subsequence");
        }

        my $marked = body(http_get('/p3.html', host => $host,
            fields => [ 'X-Mode: annotate' ]));

        like($marked, qr/<header data-template/, "$name, annotated");
        is(unmarked($marked), $page,
            "$name, page without its marks is unchanged");
    }
}

# charsets whose pages are passed unchanged

ok($t->learn('/p3.html'), 'learned');

my $r = body(http_get('/p3.html'));

is(body(http_get('/utf-8-bom.html')), "\xef\xbb\xbf$r", 'utf-8 bom kept');
is(body(http_get('/as/UTF-8/p3.html')), $r, 'utf-8 in header, stripped');
is(body(http_get('/tab/8/p3.html')), $r, 'utf-8 behind a tab, stripped');

for my $case (
    [ '/as/utf-16/p3.html', page(3), 'utf-16 in header' ],
    [ '/as/UTF-16LE/utf-16le.html', $page{'utf-16le'}, 'UTF-16LE in header' ],
    [ '/tab/p3.html', page(3), 'UTF-16LE behind a tab' ],
    [ '/quoted/p3.html', page(3), 'utf-16 in quotes, behind others' ],
    [ '/as/utf-32/p3.html', page(3), 'utf-32 in header' ],
    [ '/as/utf-7/utf-7.html', page(3), 'utf-7 in header' ],
    [ '/as/iso-2022-jp/iso-2022-jp.html', $page{'iso-2022-jp'},
        'iso-2022-jp in header' ],
    [ '/as/ISO-2022-KR/p3.html', page(3), 'ISO-2022-KR in header' ],
    [ '/as/hz-gb-2312/hz-gb-2312.html', page(3), 'hz in header' ],
    [ '/utf-16be-bom.html', undef, 'utf-16be by its bom' ],
    [ '/utf-16le-bom.html', undef, 'utf-16le by its bom' ],
    [ '/utf-32be-bom.html', undef, 'utf-32be by its bom' ],
    [ '/utf-32le-bom.html', undef, 'utf-32le by its bom' ],
    [ '/iso-2022-jp.html', undef, 'iso-2022-jp in meta' ],
    [ '/spaces.html', undef, 'iso-2022-kr in meta with spaces' ],
    [ '/content.html', undef, 'iso-2022-kr in meta with content' ],
    [ '/meta-in-time.html', undef, 'iso-2022-kr in the first 1024 bytes' ],
    [ '/pieces/content.html', undef, 'the same, of a page in pieces' ],
) {
    my ($uri, $page, $title) = @$case;
    my ($name) = $uri =~ m{([^/]+)\.html$};
    my $before = $t->counted('charset');

    $r = http_get($uri);
    is(body($r), defined $page ? $page : $page{$name}, $title);
    unlike(field($r, 'Detemplate'), qr/^miss/, "$title, page has a template");
    is($t->counted('charset'), $before + 1, "$title, counted");
}

# browsers do not look for a meta element any further

$r = body(http_get('/meta-late.html'));
unlike($r, qr/<nav/, 'a charset after the first 1024 bytes, stripped');
ok(subsequence($r, late(1025)),
    'a charset after the first 1024 bytes, a subsequence');

is(detemplate('/as/utf-16/p3.html'), 'bypass; reason=charset',
    'reason in the field');
is(scalar($t->log_lines(
    qr{page of "site.test" passed: charset .*"GET /utf-16le-bom.html })), 1,
    'reason is logged once');

# a site in UTF-16 is loaded once and then given up

my $host = 'meta.utf-16.test';
my $page = encode('UTF-16LE', "\x{feff}" . page(1));
my $warned = qr/no template for "\Q$host\E": no-links/;

is(body(http_get('/p1.html', host => $host)), $page, 'utf-16 site');
soon { $t->read_file('error.log') =~ $warned } 'utf-16 site, no template', 20;
$r = http_get('/p1.html', host => $host);
is(body($r), $page, 'utf-16 site, page is unchanged');
is(field($r, 'Detemplate'), 'miss; reason=backoff', 'utf-16 site, reason');

$t->done();

# a page with its charset in a meta element after that many bytes

sub late ($len) {
    my ($top, $rest) = page(3) =~ m{^(.*)<meta charset="utf-8">(.*)$}s;
    my $meta = '<meta charset="iso-2022-kr">';

    return $top . '<!--' . 'x' x ($len - 7 - length($top . $meta)) . '-->'
        . $meta . $rest;
}

# the page with each letter of its text replaced by one of another charset

sub foreign {
    my ($i, $charset, $as) = @_;

    my @to = map { chr } @{$letters{$charset}};
    my $encoding = $names{$as || $charset} || $as || $charset;
    my $page = page($i);

    my $translate = sub {
        join '', map { /[a-z]/ ? $to[ord() - 97] : $_ } split //, lc $_[0];
    };

    $page =~ s{>([^<]+)<}{'>' . $translate->($1) . '<'}ge;
    $page =~ s{class="(brand|side)"}{'title="' . $translate->($1) . '"'}ge;
    $page =~ s{charset="utf-8"}{'charset="' . ($as || $charset) . '"'}e;

    return encode($encoding, $page, Encode::FB_CROAK);
}
