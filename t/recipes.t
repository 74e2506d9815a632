#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Recipes of doc/recipes.md, as they are there: for an indexer's first pass,
# for marks that only indexers get, and for indexers that read files.

use Test::Detemplate;

my $text = slurp("$TOP/doc/recipes.md");
my $WWW = 'www.example.com';
my $t;

# a crawler that comes once gets no menu, not even on its first page

recipe("An indexer's first pass");

for my $i (1 .. 4) {
    has("first pass, page $i", http_get("/p$i.html", host => $WWW,
        fields => ['User-Agent: MyCrawler/1.0']),
        lacks => qr/<nav/, Detemplate => qr/^hit;/);
}

gets([ 'first pass, for readers', '/p5.html', { host => $WWW },
    body => page(5), Detemplate => '' ]);

# marks for indexers alone

recipe('Indexers');

my %agent = (docsearch => 'DocSearch/1.0', elastic => 'Elastic-Crawler (1)');

for my $name (sort keys %agent) {
    my @indexer = (host => $WWW, fields => ["User-Agent: $agent{$name}"]);

    ok($t->learn('/p1.html', @indexer), "marks, $name, learned");
    my $r = http_get('/p2.html', @indexer);
    has("marks, $name", $r, body => qr/<header data-template/,
        Vary => 'User-Agent');
    is(unmarked(body($r)), page(2), "marks, $name, only marks are added");
}

gets([ 'marks, for readers', '/p2.html', { host => $WWW }, body => page(2),
    Vary => 'User-Agent' ]);

# the commands for indexers of files, as far as the programs are here

my ($commands) = $text =~ /^((?: {4}.+\n)*? {4}pagefind .*\n(?: {4}.*\n)*)/m;
my $dir = $t->testdir() . '/files';
my $url = 'http://127.0.0.1:' . $t->port(0) . '/';

$t->write_file('html/index.html', page(1));
mkdir $dir;

for my $program (qw/ pagefind omindex wget /) {
    $commands =~ s/^ *$program .*\n//mg if !on_path($program);
}

$commands = $commands =~ s/^    //gmr =~ s{\Qhttp://$WWW/}{$url}gr
    =~ s/^detemplate /$BIN /gmr =~ s/^wget /wget -q /gmr;

SKIP: {
    skip('no wget', 4) if !on_path('wget');

    is(system("cd $dir && { $commands } >log 2>&1"), 0, 'files, commands')
        or diag($t->read_file('files/log'));

    my $page = $t->read_file('files/stripped/p3.html');

    has('files, stripped', response($page), body => qr/<h1>/,
        lacks => qr/<nav|almanac society/);

    skip('no omindex', 2) if !on_path('omindex');

    my ($own) = page(3) =~ m{<main>.*?<p>(\w+)}s;
    my $words = `xapian-delve -a -1 $dir/index 2>>$dir/log`;

    like($words, qr/^\L$own\E$/m, 'files, omindex has words of pages');
    unlike($words, qr/^(?:almanac|chapter)$/m, 'files, and none of menus');
}

$t->done();

# a server by the first configuration below a heading, on a free port

sub recipe ($heading) {
    my ($conf) = $text =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms;
    ($conf) = ($conf // '') =~ /^```nginx\n(.*?)^```/ms
        or die "recipes.md: no configuration below \"$heading\"\n";

    $t->no_alerts() if $t;
    $t = Test::Detemplate->new();
    $t->pages('html');

    my $server = "listen 127.0.0.1:%%PORT_0%%;\nserver_name $WWW 127.0.0.1;\n"
        . "root %%TESTDIR%%/html;\n";

    $conf .= "server { $server }\n" if $conf !~ s/^server \{\n/$&$server/m;
    $conf =~ s/^detemplate_path [^;]+;//m;

    $t->write_file_expand('nginx.conf', "%%TEST_GLOBALS%%\nevents { }\n"
        . "http {\n%%TEST_GLOBALS_HTTP%%\n$conf}\n");
    $t->run();
}
