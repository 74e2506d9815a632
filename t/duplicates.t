#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Sites that serve each page under several URLs, as real sites do.  The text of
# a page stays, however many copies repeat it.  Each kind of copies is a site
# of its own.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => 'detemplate_site $host; detemplate_loads 100;',
    name => 'any.test',
    origin => 1,
);

# Copies of page n, number i of them: the path or query of each.  A flood is so
# many pages without a template that all other pages are forgotten.

my $PAGES = 6;

my %kinds = (
    sort => { query => 'sort', copies => 6, make => \&sorted },
    print => { path => 'large', copies => 4, make => sub ($page, $n, $i) {
        return plain($page) =~ s{<body>}{<body><p>Size $i.</p>}r;
    } },
    amp => { path => 'fast', copies => 3, make => sub ($page, $n, $i) {
        return plain($page) =~ s{<html}{<html amp}r
            =~ s{</body>}{<p>Fast $i.</p></body>}r;
    } },
    page => { query => 'page', copies => 6, make => sub ($page, $n, $i) {
        my $k = 0;
        return $page =~ s{<p>[^<]*</p>\n}{$k++ == $i % 3 ? '' : $&}ger;
    } },
    list => { path => 'list', copies => 6, make => sub ($page, $n, $i) {
        my $next = own($n % $PAGES + 1);
        return $page =~ s{</main>}{$next\n<p>List $i.</p></main>}r;
    } },
    lang => { dir => [qw/ de fr es it pl /], copies => 5, make => sub {
        my ($page, $n, $i) = @_;
        my ($main) = $page =~ m{(<main>.*</main>)}s;

        # all words except those of the content tell the language

        my $other = $page =~ s{(?<=[> ])(\w{3,})(?=[\s<.])}{$1$i}gr;
        return $other =~ s{<main>.*</main>}{$main}sr;
    } },
    session => { query => 'sid', copies => 6, make => sub ($page, $n, $i) {
        return $page =~ s{href="(/p\d+\.html)"}{href="$1?sid=$n$i"}gr;
    } },
    utm => { query => 'utm_source', copies => 6, make => sub { $_[0] } },
    month => { path => 'month', copies => 6, make => sub ($page, $n, $i) {
        my $days = join '', map { "<td>$_</td>" } 1 .. 28;
        return $page
            =~ s{<main>.*</main>}{<table><tr>$days</tr></table>}sr;
    } },
    gone => { path => 'gone', copies => 6, flood => 1, make => sub {
        my ($page, $n, $i) = @_;
        my $near = join ' ', map { "near-$n-$i-$_" } 1 .. 60;
        return plain(page(1)) =~ s{<body>}{<body><p>No such page: $near.</p>}r;
    } },
    login => { path => 'member', copies => 6, make => sub ($page, $n, $i) {
        return '<!DOCTYPE html><title>Members</title><h1>Members only</h1>'
            . '<p>Tell your name to go on to the page that you asked for.'
            . "</p><form><input type=hidden value=$n-$i></form>";
    } },
);

$t->answers(1, sub ($uri, $host, @) {
    return response(served($host =~ s/\.test//r, $uri));
});

$t->run();

for my $name (sort keys %kinds) {
    my $kind = $kinds{$name};
    my @uris = grep { !/\?/ } map { ("/p$_.html", uris($name, $_)) }
        1 .. $PAGES;

    # visitors request copies as well, and those of the last page first

    for (1 .. 2) {
        for my $uri ($uris[0], reverse @uris) {
            http_get($uri, host => "$name.test");
            $t->idle();
        }
    }

    my (@lost, @left);

    for my $n (1 .. $PAGES) {
        my $r = body(http_get("/p$n.html", host => "$name.test"));
        my $own = own($n);

        push @lost, $n if index($r, $own) < 0;
        push @left, $n if $r =~ /Chapter 2|Printed by the almanac/;
    }

    is("@lost", '', "$name, content");
    is("@left", '', "$name, no template") if !$kind->{flood};
}

# the guard logs what it did

my $site = $t->site('gone.test');

cmp_ok($site->{guarded}, '>', 0, 'guard, counted');
like($t->read_file('error.log'),
    qr/learned "gone\.test": [^\n]*, [1-9]\d* guarded/, 'guard, logged');
is($t->site('utm.test')->{guarded}, 0, 'guard, nothing on an ordinary site');

$t->done();

# the text that only page n has

sub own { page($_[0]) =~ m{<main>\n(.*)\n</main>}s ? $1 : die }

# the URLs of the copies of page n

sub uris ($name, $n) {
    my $kind = $kinds{$name};

    return map {
        $kind->{query} ? "/p$n.html?$kind->{query}=$n$_"
        : $kind->{dir} ? "/$kind->{dir}[$_ - 1]/p$n.html"
        : "/p$n-$kind->{path}-$_.html";
    } 1 .. $kind->{copies};
}

# a page with links to its copies; the first page links to the copies of the
# others

sub served ($name, $uri) {
    for my $n (1 .. $PAGES) {
        my @uris = uris($name, $n);

        for my $i (0 .. @uris) {
            next if $uri ne ($i ? $uris[$i - 1] : "/p$n.html");

            my $links = join '', map { "<a href=\"$_\"></a>" } @uris,
                $n == 1 ? uris($name, 2) : ();
            my $page = page($n, pages => $PAGES);

            $page = $kinds{$name}{make}->($page, $n, $i) if $i;
            return $page =~ s{</body>}{<div>$links</div></body>}r;
        }
    }
}

sub plain { $_[0] =~ s{<(header|aside|footer)\b.*?</\1>\n}{}gsr }

# the same paragraphs in another order

sub sorted ($page, $n, $i) {
    my @p = $page =~ m{^<p>[^<]*</p>$}mg;

    push @p, shift @p for 1 .. $i % 3;
    return $page =~ s{^<p>[^<]*</p>$}{shift @p}gemr;
}
