#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Bytes at the borders between buffers, for clients that read slowly: a buffer
# is kept until all of its bytes were sent.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    listen => [0, '1 sndbuf=32k', '2 sndbuf=64k', '3 sndbuf=96k',
        '4 sndbuf=128k'],
    mode => 'annotate',
    server => 'detemplate_marks htdig;',
);

$t->pages('html');

# a mark is the last that is sent of a buffer; what follows it is not decided
# yet

my ($top, $content, $end) = page(3, paragraphs => 400)
    =~ m{^(.*?)(<main>\n.*</main>\n)(.*)$}s;
my ($aside, $footer) = $end =~ m{(<aside.*</aside>)\n(<footer>.*</footer>)}s;
my $page = $top;

for my $i (1 .. 8) {
    my $need = 32768 * $i - 60 - length($page) - length($aside) - 15;
    $page .= '<main>' . substr($content x 2, 6, $need) =~ tr/<>/()/r
        . '</main>' . "\n\n" . $aside . $footer . "\n";
}

$page .= $content x 4;
$t->write_file('html/border.html', $page);

$t->run();

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $want = body(http_get('/border.html'));

is($want =~ s/<!--.?htdig_noindex-->//gr, $page,
    'page without its marks is unchanged');
cmp_ok(() = $want =~ /<!--.htdig_noindex--><!--htdig_noindex--><footer/g,
    '>', 7, 'marks are where buffers end');

# sockets accept different amounts before the client reads

for my $i (1 .. 4) {
    my $s = http_get('/border.html', port => $t->port($i), start => 1);
    select undef, undef, undef, 0.1;
    ok(body(http('', socket => $s)) eq $want, "slow client $i");
}

$t->done();
