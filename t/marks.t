#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Dialects of annotate: the marks in pages, and indexers that obey them do not
# index the template.

use Test::Detemplate;

my $t = Test::Detemplate->new();

# of each location: the directive, then the marks in a start tag, around an
# element and around text

my @dialects = (
    [ 'default', '', ' data-template', '', '',
        '<!--template-->', '<!--/template-->' ],
    [ 'data-template', 'data-template', ' data-template', '', '',
        '<!--template-->', '<!--/template-->' ],
    [ 'nosnippet', 'nosnippet', ' data-nosnippet' ],
    [ 'elastic', 'elastic', ' data-elastic-exclude' ],
    [ 'swiftype', 'swiftype', ' data-swiftype-index="false"' ],
    [ 'pagefind', 'pagefind', ' data-pagefind-ignore' ],
    [ 'googleoff', 'googleoff', '', pair('<!--googleoff: index-->',
        '<!--googleon: index-->') ],
    [ 'noindex', 'noindex', '', pair('<!--noindex-->', '<!--/noindex-->') ],
    [ 'htdig', 'htdig', '',
        pair('<!--htdig_noindex-->', '<!--/htdig_noindex-->') ],
    [ 'mnogosearch', 'mnogosearch', '',
        pair('<!--UdmComment-->', '<!--/UdmComment-->') ],
    [ 'attribute', '\'attribute=x-part="the template"\'',
        ' x-part="the template"' ],
    [ 'pair', '"begin=<!-- stop -->" "end=<!-- go on -->"', '',
        pair('<!-- stop -->', '<!-- go on -->') ],
    [ 'several', 'nosnippet googleoff attribute=x data-template noindex',
        ' data-nosnippet x data-template',
        '<!--googleoff: index--><!--noindex-->',
        '<!--/noindex--><!--googleon: index-->',
        '<!--googleoff: index--><!--template--><!--noindex-->',
        '<!--/noindex--><!--/template--><!--googleon: index-->' ],
);

$t->configure(
    http => '
        # a single learning, because entity tags contain the template
        detemplate_loads 5;
        map $http_x_mode $marked {
            default $http_x_mode;
            "" annotate;
        }',
    mode => '$marked',
    server => 'sendfile on;',
    pages => [
        map { ("/$_->[0]/" => $_->[1] && "detemplate_marks $_->[1];") }
            @dialects,
    ],
    servers => [
        # for crawlers, which send no host name
        {
            name => 'crawled.test',
            listen => [2],
            mode => 'annotate',
            server => 'detemplate_site site.test; detemplate_learn off;',
            pages => [
                '/off/' => 'detemplate off;',
                '/htdig/' => 'detemplate_marks htdig;',
            ],
        },
    ],
);

# pages with text of the template outside of any element of it

sub text_page ($i) {
    return page($i) =~ s{<footer>}{<div>Gathered by the same old hands
        <p>In the year 19$i.</p></div>\n<footer>}r;
}

$t->write_file("html/p$_.html", text_page($_)) for 1 .. 8;
$t->run();

my $r;

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

# the marks in pages

my $plain = body($r);
like($plain, qr/<div><!--template-->Gathered .* hands<!--\/template-->\s/s,
    'some text is template');

my %tags;

for my $dialect (@dialects) {
    my ($name, undef, $attribute, $before, $after, $begin, $end) = @$dialect;

    my $want = $plain =~ s{<(header|aside|footer) data-template(.*?</\g1>)}
        {($before || '') . "<$1$attribute$2" . ($after || '')}gesr
        =~ s{<!--template-->}{$begin || ''}gesr
        =~ s{<!--/template-->}{$end || ''}gesr;

    $r = http_get("/$name/p3.html");
    is(body($r), $want, "$name, body");

    # entity tags

    my $tag = field($r, 'ETag');
    is($tags{$want} //= $tag, $tag, "$name, an entity tag of what is sent");

    my @fields = (fields => ["If-None-Match: $tag"]);
    my $other = $name eq 'htdig' ? 'noindex' : 'htdig';

    is(status_of(http_get("/$name/p3.html", @fields)), 304,
        "$name, not modified");
    is(status_of(http_get("/$other/p3.html", @fields)), 200,
        "$name, tag of another dialect does not match");
}

is(field(http_get('/htdig/p3.html', fields => ['X-Mode: strip']), 'ETag'),
    field(http_get('/p3.html', fields => ['X-Mode: strip']), 'ETag'),
    'strip, tag does not depend on the dialect');

# indexers that read the marks

my @template = qw/ almanac chapter written frost printed society editors
    gathered hands /;
my ($own) = text_page(3) =~ m{<p>(\w+)};

SKIP: {
    skip 'no omindex', 4 if !on_path('omindex');

    for my $name (qw/ off htdig mnogosearch /) {
        my $dir = $t->testdir() . "/omindex-$name";

        mkdir "$dir";
        $t->write_file("omindex-$name/html/p$_.html", body(http_get(
            $name eq 'off' ? "/p$_.html" : "/$name/p$_.html",
            fields => $name eq 'off' ? ['X-Mode: off'] : []))) for 1 .. 8;

        system("omindex --db $dir/db --url / $dir/html >$dir/log 2>&1") == 0
            or diag($t->read_file("omindex-$name/log"));

        indexed("omindex, $name", $name ne 'off',
            `xapian-delve -a -1 $dir/db 2>$dir/log`);
    }
}

SKIP: {
    skip 'no htdig', 4 if !on_path('htdig');

    for my $name (qw/ off htdig /) {
        my $dir = $t->testdir() . "/htdig-$name";
        my $url = 'http://127.0.0.1:' . $t->port(2) . "/$name/";

        $t->write_file("htdig-$name/htdig.conf", "database_dir: $dir\n"
            . 'start_url: ' . join(' ', map { "${url}p$_.html" } 1 .. 8)
            . "\nlimit_urls_to: $url\nmax_hop_count: 0\n");

        system("htdig -i -c $dir/htdig.conf >$dir/log 2>&1;"
            . "htdump -c $dir/htdig.conf >>$dir/log 2>&1") == 0
            or diag($t->read_file("htdig-$name/log"));

        indexed("htdig, $name", $name ne 'off',
            map { /^(\w+)\t/ ? $1 : () } split /^/,
            $t->read_file("htdig-$name/db.worddump"));
    }
}

$t->done();

sub pair { ($_[0], $_[1], $_[0], $_[1]) }

# the words that an indexer finds after it has read the site

sub indexed ($title, $marked, @words) {
    my %words = map { my $w = lc; chomp $w; ($w => 1) } @words;

    is(join(' ', grep { $words{$_} } @template), $marked ? '' : "@template",
        "$title, words of the template");
    ok($words{lc $own}, "$title, a word of a page");
}
