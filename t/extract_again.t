#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate extract, a second time into the same output: only files whose
# words change are written, and those whose pages are gone are removed.

use Test::Detemplate;
use Test::Detemplate::Extract;

my $n = 12;

$t->write_file("html/p$_.html", html($_)) for 1 .. $n;
$t->write_file("more/b.test/p$_.html", html($_, 'Quarry')) for 1 .. $n;

# what each file of the output is: the same file, unless it was written; a new
# file may have the number of the one that it replaces, so its time counts in
# fractions of a second

sub files ($out) {
    return { map { s{^\Q$dir/$out/}{}r =>
        join ' ', (Time::HiRes::stat)[1, 7, 9] }
        split /\n/, qx{find $dir/$out -name '*.md'} };
}

sub changed ($was, $is) {
    return join ' ', sort grep { ($was->{$_} // '') ne ($is->{$_} // '') }
        keys %{{%$was, %$is}};
}

extract('-o', 'a/b/out', 'html', 'more');
is($rc, 0, 'parents of the output are made');
unlike($err, qr/unchanged/, 'the first run does not count what is new');
my $first = files('a/b/out');
is(scalar(keys %$first), 2 * $n, 'files of both');

for my $jobs (1, 3) {
    extract('-o', 'a/b/out', '-j', $jobs, 'html', 'more');
    is($rc, 0, "again, $jobs: exit code");
    is(changed($first, files('a/b/out')), '', "again, $jobs: nothing changed");
    like($err, qr/; 0 written, 24 unchanged, 0 removed$/m,
        "again, $jobs: it says so");
}

# of one site a page changes

$t->write_file('html/p3.html', html(3) =~ s/Tide/Heron/r);
extract('-o', 'a/b/out', 'html', 'more');
is(changed($first, files('a/b/out')), 'html/p3.md', 'one file changed');
like($err, qr/; 1 written, 23 unchanged, 0 removed$/m, 'it says so');
like(written('a/b/out/html/p3.md'), qr/^# Heron unique3$/m, 'its words');
$first = files('a/b/out');

# a page is gone, and another is new

unlink "$dir/html/p4.html";
$t->write_file('html/p44.html', html(44));
extract('-o', 'a/b/out', 'html', 'more');
is(changed($first, files('a/b/out')), 'html/p4.md html/p44.md',
    'one file is gone, one is new');
ok(!-e "$dir/a/b/out/html/p4.md", 'it is removed');
like($err, qr/; 1 written, 23 unchanged, 1 removed$/m, 'it says so');
is(join(' ', sort split /\n/, written('a/b/out/.detemplate-extract')),
    join(' ', sort keys %{files('a/b/out')}), 'the list is that of the files');
$first = files('a/b/out');

# another source is not gone because it is not read

extract('-o', 'a/b/out', 'more');
ok(-e "$dir/a/b/out/html/p3.md", 'files of a source that is not read stay');

# what is lost is written anew

extract('-o', 'out', 'html');
$first = files('out');
unlink "$dir/out/p5.md";
extract('-o', 'out', 'html');
is(changed($first, files('out')), 'p5.md', 'a lost file is written');
$first = files('out');

# other options change all

extract('-o', 'out', '-F', 'html');
is(scalar(split ' ', changed($first, files('out'))), $n, 'other options');
extract('-o', 'out', '-F', 'html');
like($err, qr/; 0 written, 12 unchanged/, 'the same options again');

# a page that cannot be read is told each time, and its file stays

$t->write_file('html/p6.html', "\xff\xfe<\0p\0>\0");

for (1, 2) {
    extract('-o', 'out', '-F', 'html');
    is($rc, 1, "left out, $_: exit code");
    like($err, qr/left out: p6\.html: its charset/, "left out, $_: line");
    ok(-e "$dir/out/p6.md", "left out, $_: its file stays");
}

$t->write_file('html/p6.html', html(6));

# a file of somebody else is not removed, nor is one that a link stands for

$t->write_file('out/mine.md', 'mine');
unlink "$dir/out/p7.md", "$dir/html/p7.html";
mkdir "$dir/out/p7.md";
extract('-o', 'out', '-F', 'html');
ok(-e "$dir/out/mine.md" && -d "$dir/out/p7.md", 'others stay');
rmdir "$dir/out/p7.md";

# pages without template are told each time

$t->write_file("html/x$_.html", '<p>' . words(500 + $_, 90)) for 1 .. 4;

for (1, 2) {
    extract('-q', '-o', 'out', '-F', 'html');
    is($rc, 1, "without template, $_: exit code");
    like($err, qr/^detemplate: 4 of the 15 pages/, "without template, $_");
}

# archives

my @records = map { record("http://a.test/p$_.html", answer(html($_))) }
    1 .. $n;
archive('a.warc', @records);
extract('-o', 'warc', 'a.warc');
$first = files('warc');
archive('a.warc', map { record("http://a.test/p$_.html", answer(html($_))) }
    reverse 2 .. $n);
extract('-o', 'warc', 'a.warc');
is(changed($first, files('warc')), 'a.test/p1.md', 'an archive: one is gone');

# a list of the state that nobody has written

my ($state) = written('warc/.detemplate-extract.state') =~ /^(\S+ \S+ \d)/;
$t->write_file('warc/.detemplate-extract.state', join "\n", '', 'x',
    (map { "$state $_" } '../html/p1.html', '/etc/passwd', 'a/../../x', '',
     '.', 'a.test/../../html/p2.html'), "\0", 'f' x 9000,
    '0123456789abcdef 0123456789abcdef 1 a.test/p2.md');
extract('-o', 'warc', 'a.warc');
is($rc, 0, 'a broken state: exit code');
ok(-e "$dir/html/p1.html" && -e "$dir/html/p2.html",
    'and nothing outside is removed');

# a run that is stopped leaves no state

$t->write_file("many/$_.html", html($_) x 20) for 1 .. 400;
extract('-q', '-o', 'stop', 'many');
ok(-e "$dir/stop/.detemplate-extract.state", 'a state');
$t->write_file("many/1.html", html(999));

if ((my $pid = fork()) == 0) {
    chdir $dir;
    open STDERR, '>', "$dir/errors";
    exec $BIN, 'extract', '-q', '-o', 'stop', 'many';

} else {
    wait_for(sub { !-e "$dir/stop/.detemplate-extract.state" }, 20);
    kill 'INT', $pid;
    waitpid $pid, 0;
}

extract('-q', '-o', 'stop', 'many');
like(written('stop/1.md'), qr/unique999/, 'which would say what is not so');

done_testing();
