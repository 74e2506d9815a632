#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate extract: several designs on one host, what is told of pages that
# show little of their template, sites of few pages, and archives that programs
# and machines share.

use Compress::Zlib qw(memGzip);
use Test::Detemplate;
use Test::Detemplate::Extract;

# a page of one of several designs, which have no words in common

sub design ($name, $n, $content = words($n, 80)) {
    my $menu = join '', map { "<li><a href=\"$name-$_.html\">$name part $_</a>"
        } 1 .. 8;

    return "<!DOCTYPE html><title>$name</title><body><div><ul>$menu</ul>"
        . "<p>$name is set in type by hand</div><main><p>$content</main>"
        . "<p>$name remains with its printers</p>";
}

sub folder ($name, $pages, $first = 1) {
    $t->write_file("$name-$_.html", design($name =~ s{.*/}{}r, $first + $_))
        for 1 .. $pages;
}

sub uncut {
    return grep { $_->{text} =~ / part \d| by hand|with its pr/ } lines($out);
}

# each directory has a design of its own; some have hardly any pages

my %pages = (anvil => 160, bugle => 60, cello => 30, drums => 24, easel => 12);
my $first = 1;

for (sort keys %pages) {
    folder("manuals/docs.test/$_/$_", $pages{$_}, $first);
    $first += 300;
}

extract('-o', '-', "$dir/manuals");
is(scalar(uncut()), 0, 'five manuals: each is learned');
like($err, qr/286 pages of [2-5] sites/, 'five manuals: sites');
is($rc, 0, 'five manuals: exit code');

my $all = $out;
extract('-q', '-j', '3', '-o', '-', "$dir/manuals");
is($out, $all, 'five manuals: three processes write the same');

# deeper, beside pages of the host itself

$first = 2000;

for (['host', 60], ['a/b/flute', 30], ['a/c/gongs', 30]) {
    folder("deep/www.docs.test/$_->[0]", $_->[1], $first);
    $first += 300;
}

extract('-o', '-', "$dir/deep");
is(scalar(uncut()), 0, 'deeper: each is learned');

# the designs of one directory are told apart by nothing but their words

folder('mixed/harps', 200, 4000);
folder('mixed/organ', 24, 5000);
extract('-o', '-', "$dir/mixed");
is(scalar(uncut()), 0, 'one directory: each is learned');
like($err, qr/224 pages of 1 sites/, 'one directory: one site');

# a part of a site, whose pages link to many that are not there

for my $page (1 .. 60) {
    my $links = join ' ', map { "<a href=\"gone-$page-$_.html\">$page/$_</a>"
        } 1 .. 60;
    $t->write_file("part/$page.html", design($page % 3 ? 'viola' : 'zither',
        8000 + $page, words(8000 + $page, 80) . "<p>$links"));
}

extract('-o', '-', "$dir/part");
is(scalar(uncut()), 0, 'a part of a site: each is learned');

# pages without any template

folder('plain/pages/piano', 40, 6000);
$t->write_file("plain/raw/$_.html", '<p>' . words(7000 + $_, 90))
    for 1 .. 4;
extract('-o', '-', "$dir/plain");
is($rc, 0, 'less than a tenth without template: exit code');
like($err, qr{; 4 pages show none of it, 0 little$}m, 'they are counted');
like($err, qr{^detemplate: of 4 pages, 4 show none, 0 little: \S+/raw/$}m,
    'their directory is named');
unlike($err, qr{/pages/}, 'others are not');

$t->write_file("plain/raw/$_.html", '<p>' . words(7000 + $_, 90))
    for 5 .. 7;
extract('-q', '-o', '-', "$dir/plain");
is($rc, 1, 'more than a tenth: exit code');
is($err, "detemplate: 7 of the 47 pages of sites that have a template show "
    . "none of it\n", 'and the reason');

extract('-p', 'json', '-o', '-', "$dir/plain");
my ($end) = grep { $_->{event} eq 'summary' } lines($err =~ s/^[^{].*\n//gmr);
is($end->{pages}, 47, 'JSON: pages');
is($end->{none}, 7, 'JSON: without template');
is_deeply([map { $_->{url} =~ s{.*(?=/\w)}{}r } @{$end->{directories}}],
    ['/raw/'], 'JSON: their directory');

# some hosts of many

sub hosts {
    my %hosts = map { $_->{url} =~ m{//(.*?)/} => 1 } lines($out);
    return join ' ', sort keys %hosts;
}

archive('hosts.warc', map { my $n = $_; map { record("http://$_/$n", answer(
    html($n))) } qw(a.test www.a.test b.test c.test:81) } 1 .. 8);
extract('-o', '-', 'hosts.warc');
my $hosts = $out;
extract('-q', '-O', 'a.test', '-o', '-', 'hosts.warc');
is(hosts(), 'a.test www.a.test', 'one host');
is($out, join('', grep { m{://(www\.)?a\.test/} } $hosts =~ /.*\n/g),
    'its pages are as in the whole');
extract('-q', '--only', 'www.B.test', '--only', 'c.test:81', '-o', '-',
    'hosts.warc');
is(hosts(), 'b.test c.test:81', 'two hosts');
extract('-q', '-O', 'd.test', '-o', '-', 'hosts.warc');
is($rc, 1, 'a host that is not there');

# doc/extract.md's ways to share an archive out: together they write the lines
# of one run

my $recipe = slurp("$TOP/doc/extract.md");
my ($list, $parallel, $job) = map { s/detemplate(?= )/$BIN/gr }
    $recipe =~ /^```sh\n(.*?)^```$/msg;
my ($node) = $recipe =~ /^```js\n(.*?)^```$/ms;

$t->write_file('crawl.warc.gz', memGzip($t->read_file('hosts.warc')));
mkdir "$dir/out";

sub sorted { join '', sort $_[0] =~ /.*\n/g }

sub shared { sorted(join '', map { slurp($_) } glob "$dir/out/*.jsonl") }

system("cd $dir && $list");
is($t->read_file('hosts'), "a.test\nb.test\nc.test:81\n", 'a list of hosts');

$t->write_file('job', $job);
system("cd $dir && SLURM_ARRAY_TASK_ID=$_ sh job") for 1 .. 3;
is(shared(), sorted($hosts), 'a job for each host');

SKIP: {
    skip('no GNU parallel', 1)
        if `parallel --version 2>/dev/null` !~ /^GNU parallel/;

    unlink glob "$dir/out/*";
    system("cd $dir && $parallel 2>/dev/null");
    is(shared(), sorted($hosts), 'GNU parallel');
}

SKIP: {
    skip('no node', 1) if !on_path('node');

    $t->write_file('read.js', $node);
    mkdir "$dir/bin";
    symlink $BIN, "$dir/bin/detemplate";
    symlink "$dir/crawl.warc.gz", "$dir/site.warc.gz";
    is(`cd $dir && PATH=$dir/bin:\$PATH node read.js`,
        join('', map { "$_->{url}\n" } lines($hosts)), 'Node');
}

# what is handed over is a page, whatever its URL says

sub list ($target, @n) {
    return \join '', map { "$dir/p$_.html\thttp://jobs.test"
        . sprintf("$target\n", $_) } @n;
}

$t->write_file("p$_.html", html($_)) for 1 .. 24;

for my $target ('/JobSearch?q=%d', '/search/%d', '/edit.php?id=%d',
    '/login?next=%d', '/print/%d', '/a?b=%d&c=1&d=2&e=3&f=4&g=5&h=6&i=7&j=8')
{
    extract(list($target, 1 .. 24), '-o', '-', '-');
    is(scalar(grep { $_->{text} =~ /almanac/ } lines($out)), 0,
        "$target is learned");
}

# of few pages, two are in one directory

for my $case (
    ['three', 'a/%d', 1, 2, 'b/%d', 3],
    ['four', 'a/%d', 1, 2, 'b/%d', 3, 4],
    ['four in three', 'a/%d', 1, 2, 'b/%d', 3, 'c/%d', 4],
) {
    my ($name, @where) = @$case;
    my ($path, $lines) = ('', '');

    for (@where) {
        $path = $_, next if /%/;
        $lines .= ${list("/$path", $_)};
    }

    extract(\$lines, '-o', '-', '-');
    is(scalar(grep { $_->{text} =~ /almanac/ } lines($out)), 0,
        "$name pages: all are learned");
}

done_testing();
