#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Sites that VitePress and Docusaurus make, by the recipe of doc/recipes.md: no
# menu, side bar or footer is left, and no word of a page's own text is lost, in
# HTML and in Markdown.  Then indexers of npm on the same pages, by theirs.
#
# Packages are installed once, in build/apps; what is not there is skipped.

use File::Path qw/ make_path /;
use JSON::PP;
use Test::Detemplate::Recipe;
use Test::Detemplate;

my $RECIPE = 'VitePress, Docusaurus and other generators';
my $PAGES = 12;
my $WWW = 'docs.example.com';
my $NPM = "$TOP/build/apps";
my $LIMITS = 'ulimit -f 200000; NODE_OPTIONS=--max-old-space-size=1024'
    . ' timeout -k 5 480';

# words of menus, which no page has as its own
my @MENU = qw/ voyages handbook almanac editors typeset /;

# text of each page, with words of its own in the places of "%"
my $TEXT = <<'END';
# % % %

% % % % % % % % % % % %. % % % % % % % % % % % % % % % % % % % % % % %.

## % %

- % % %
- % [% %](/next) %

1. % % % %
2. % % %

| % | % |
|---|---|
| % % | % |
| % | % % |

> % % % % % %

### % %

% `%` **% %** % *%* % % % % % % % % % % % % % % % % % %.

```js
% = %
```

END

my %GENERATORS = (
    vitepress => {
        packages => ['vitepress@1'],
        build => 'vitepress/bin/vitepress.js build docs',
        dist => 'docs/.vitepress/dist',
        docs => \&vitepress,
    },
    docusaurus => {
        packages => [ '@docusaurus/core@3', '@docusaurus/preset-classic@3',
            'react@19', 'react-dom@19' ],
        build => '@docusaurus/core/bin/docusaurus.mjs build',
        dist => 'build',
        docs => \&docusaurus,
    },
);

for my $name (sort keys %GENERATORS) {
SKIP: {
    my $is = $GENERATORS{$name};
    my $why = npm($name, @{$is->{packages}});

    skip("$name: $why", 1) if $why;

    my $t = recipe(section($RECIPE), root => "%%TESTDIR%%/$is->{dist}",
        before => sub ($t) { $is->{pages} = site($t, $name, $is) });

    pages($t, $name, $is->{pages});
    $t->no_alerts();

    $why = npm('pagefind', 'pagefind@1.6.0');
    skip("Pagefind: $why", 1) if $why;

    indexers($name, $is, $t->testdir() . "/$is->{dist}");
}
}

done_testing();

# whether packages are in a folder of their own: nothing, or why they are not

sub npm ($name, @packages) {
    my $dir = "$NPM/$name";

    return 'no npm' if !on_path('npm') || !on_path('node');
    return '' if !grep { !-d "$dir/node_modules/" . s/(?<=.)@.*//r } @packages;

    make_path($dir);
    my $said = `timeout 300 npm install --prefix $dir --ignore-scripts \\
        --no-audit --no-fund @packages 2>&1`;

    return '' if $? == 0;
    my ($code) = $said =~ /(?:ERR!|error) code (\S+)/;

    return "npm does not install @packages: " . ($code // 'time is up');
}

# writes a site, and has it built; returns its pages

sub site ($t, $name, $is) {
    my $pages = $is->{docs}->($t);
    my $dir = $t->testdir();

    symlink "$NPM/$name/node_modules", "$dir/node_modules";
    system("cd $dir && $LIMITS node node_modules/$is->{build} >build.log 2>&1")
        == 0 or die "$name: " . $t->read_file('build.log');

    return $pages;
}

# the n-th word, of three syllables; each is there once

sub word ($n) {
    my $i = ($n * 7919 + 4211) % 1000000;

    return join '', map {
        my $s = int($i / 100 ** $_) % 100;
        substr('bcdfghjklmnpqrstvwxz', $s / 5, 1) . substr 'aeiou', $s % 5, 1;
    } 0 .. 2;
}

# pages of a text: a name, a title, the text, and the words that are its own

sub articles ($text) {
    my ($n, @pages) = (0);

    for (1 .. $PAGES) {
        my @own;

        push @pages, { text => $text =~ s/%/push @own, word($n++); $own[-1]/ger,
            own => \@own, title => "@own[0 .. 2]", name => "p$_" };
        $pages[-1]{text} =~ s{/next\b}{'/p' . ($_ % $PAGES + 1)}e;
    }

    return \@pages;
}

sub vitepress ($t) {
    my $pages = articles("${TEXT}::: tip % %\n% % % %\n:::\n\n"
        . "::: details % %\n% % % %\n:::\n\n::: code-group\n"
        . join("\n", map { "```$_ [%]\n% %\n```" } qw/ js sh /) . "\n:::\n");
    my @items = map { { text => $_->{title}, link => "/$_->{name}" } } @$pages;

    $t->write_file("docs/$_->{name}.md", $_->{text}) for @$pages;
    $t->write_file('docs/index.md', "# Start\n\n[First](/p1)\n");
    $t->write_file('docs/.vitepress/config.mjs', 'export default '
        . encode_json({ title => 'Voyages', cleanUrls => JSON::PP::true,
            lastUpdated => JSON::PP::true, themeConfig => {
                nav => [ map { { text => ucfirst, link => '/p3' } }
                    @MENU[1, 2] ],
                sidebar => [ { text => ucfirst $MENU[3], items => \@items } ],
                editLink => { pattern => 'http://example.com/:path' },
                footer => { message => "Is $MENU[4] daily." } } }));

    return $pages;
}

sub docusaurus ($t) {
    my $pages = articles("import Tabs from '\@theme/Tabs';\n"
        . "import TabItem from '\@theme/TabItem';\n\n"
        . "${TEXT}:::tip[% %]\n\n% % % %\n\n:::\n\n<details>\n"
        . "<summary>% %</summary>\n\n% % % %\n\n</details>\n\n<Tabs>\n"
        . join('', map { "<TabItem value=\"$_\" label=\"%\">\n\n% % %\n\n"
            . "</TabItem>\n" } qw/ a b /) . "</Tabs>\n");

    $t->write_file("docs/$_->{name}.mdx", $_->{text}) for @$pages;
    $t->write_file('docs/index.mdx', "---\nslug: /\n---\n\n# Start\n\n"
        . "[First](/p1)\n");
    $t->write_file('package.json', '{}');
    $t->write_file('docusaurus.config.js', 'module.exports = '
        . encode_json({ title => 'Voyages', url => "http://$WWW",
            baseUrl => '/', trailingSlash => JSON::PP::false,
            presets => [ [ 'classic', { blog => JSON::PP::false, docs => {
                routeBasePath => '/', editUrl => 'http://example.com/' } } ] ],
            themeConfig => {
                navbar => { title => 'Voyages', items => [
                    map { { label => ucfirst, to => '/p3' } } @MENU[1, 2] ] },
                footer => { links => [ { title => ucfirst $MENU[3], items => [
                        { label => 'Chapters', to => '/p1' } ] } ],
                    copyright => "Is $MENU[4] daily." } } }));

    return $pages;
}

# the words that a reader sees of a page of HTML

sub words ($html) {
    return { map { (lc, 1) } $html =~ s/^.*?<body//sr
        =~ s{<(script|style|template)\b.*?</\g1>}{ }gsr
        =~ s/<!--.*?-->//gsr =~ s/<[^>]*>/ /gr =~ /[a-z]+/gi };
}

# asks for all pages, until nothing more is learned

sub learn ($t, $pages, @client) {
    for (1 .. 3) {
        $t->learn("/$_->{name}", @client) for @$pages;
        $t->idle();
    }
}

# pages have all menus, or their own words alone

sub pages ($t, $name, $pages) {
    my @indexer = (host => $WWW, fields => ['User-Agent: MyIndexer/1.0']);

    learn($t, $pages, @indexer);

    my @titles = map { split / /, $_->{title} } @$pages;
    my @bad;

    for my $page (@$pages) {
        my $url = "/$page->{name}";
        my $md = body(http_get("$url.md", host => $WWW))
            =~ s/\A---\n.*?^---\n//msr =~ s/\]\([^()]*\)/]/gr;
        my %own = map { ($_ => 1) } @{$page->{own}}, qw/ js sh /;
        my %forms = (HTML => words(body(http_get($url, @indexer))),
            Markdown => { map { (lc, 1) } $md =~ /[a-z]+/gi });
        my $whole = words(body(http_get($url, host => $WWW)));

        push @bad, map { "$url, for readers, lacks $_" }
            grep { !$whole->{$_} } @MENU, @titles, @{$page->{own}};

        for my $form (sort keys %forms) {
            my $has = $forms{$form};

            push @bad, map { "$url, $form, lacks $_" }
                grep { !$has->{$_} } @{$page->{own}};
            push @bad, map { "$url, $form, has $_" }
                grep { !$own{$_} } sort keys %$has;
        }
    }

    is(join("\n", @bad), '', "$name, pages have their own words alone");
}

# Pagefind by its two recipes: by marks, in pages that wget fetches, and without
# nginx; and the line for DocSearch, which uses cheerio

sub indexers ($name, $is, $dist) {
    my $pages = $is->{pages};
    my $section = section('Indexers');
    my ($mark) = $section =~ /^\| Pagefind \| `(.*?);`/m;
    my ($line) = $section =~ /^\| DocSearch \|.*`(\$\(.*?;)`/m;
    my ($commands) = $section =~ /^((?: {4}.+\n)*? {4}pagefind .*\n)/m;
    my $t = recipe(section($RECIPE), root => $dist,
        change => [ 'detemplate +\$mode;',
            "detemplate annotate; $mark data-template;",
            'detemplate_vary [^;]+;', '' ]);
    my $dir = $t->testdir();
    my $url = 'http://127.0.0.1:' . $t->port(0) . '/';

    learn($t, $pages, host => '127.0.0.1');

    local $ENV{PATH} = "$NPM/pagefind/node_modules/.bin:$ENV{PATH}";

    $commands =~ s/^    //mg;
    $commands =~ s{\Qhttp://www.example.com/}{$url}g;
    $commands =~ s/^detemplate /$BIN /gm;
    is(system("cd $dir && { set -e; $commands pagefind --site site;"
        . " cp -r $dist whole; pagefind --site whole; } >log 2>&1"), 0,
        "$name, Pagefind, commands") or diag($t->read_file('log'));

    # Pagefind itself leaves out <nav> and <footer>, and finds words by how they
    # begin: no word of six letters is the beginning of another's

    my %own = map { ($_ => 1) } map { @{$_->{own}} } @$pages;
    my @words = grep { !$own{$_} && /.{6}/ }
        sort keys %{words(slurp("$dist/p1.html"))};
    my @queries = (@words, map { $_->{title} } @$pages);

    $t->write_file('queries', join '', map { "$_\n" } @queries);

    for my $kind (qw/ whole site stripped /) {
        my @found = split /\n/, `node $TOP/bench/indexers.mjs \\
            $dir/$kind/pagefind <$dir/queries`;
        my @menus = grep { $_ } splice @found, 0, scalar @words;

        cmp_ok(scalar @menus, '>', 0, "$name, Pagefind, whole pages, menus")
            if $kind eq 'whole';
        is("@menus", '', "$name, Pagefind, $kind, menus") if $kind ne 'whole';
        is("@found", join(' ', map { "/$_->{name}.html" } @$pages),
            "$name, Pagefind, $kind, headings");
    }

SKIP: {
    my $cheerio = "$NPM/docusaurus/node_modules/cheerio";

    skip("$name, DocSearch: no cheerio", 1) if !-d $cheerio;

    $t->write_file('extract.cjs', "const \$ = require('$cheerio')"
        . ".load(require('fs').readFileSync(0));\n"
        . "$line\nconsole.log(\$.html());\n");

    # bare text of the template has no element that could be removed

    my %known = map { ($_ => 1) } @MENU, keys %own;

    is_deeply([ map {
        my $has = words(scalar `node $dir/extract.cjs \\
            <$dir/site/$_->{name}.html`);
        [ sort grep { $known{$_} } keys %$has ];
    } @$pages ], [ map { [ sort @{$_->{own}} ] } @$pages ],
        "$name, DocSearch, pages have no words of menus");
}

    $t->no_alerts();
}
