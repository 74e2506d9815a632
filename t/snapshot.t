#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Snapshots are read at start, and ignored if anything is wrong with them.  A
# zone may have less room than there are sites.

use POSIX qw/ strftime /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

for my $conf (
    [ 'learn.conf', '1m', 'on' ],
    [ 'read.conf', '1m', 'off' ],
    [ 'small.conf', '64k', 'on' ],
) {
    my ($name, $size, $learn) = @$conf;

    $t->configure(
        file => $name,
        zone => $size,
        http => "
            detemplate_learners 2;
            detemplate_learn $learn;
            detemplate_site \$host;",
        servers => [
            { name => 'slow.test', server => 'detemplate_origin %%HTTP_1%%;' },
        ],
    );
}

$t->pages('html');

# damage to a site's snapshot, and the expected log line

my %damage = (
    'truncated' => [ qr/size/, sub { substr $_[0], 0, length($_[0]) / 2 } ],
    'one-short' => [ qr/size/, sub { substr $_[0], 0, -1 } ],
    'one-more' => [ qr/size/, sub { "$_[0]\0" } ],
    'half-a-head' => [ qr/truncated/, sub { substr $_[0], 0, 100 } ],
    'empty' => [ qr/truncated/, sub { '' } ],
    'version' => [ qr/format/, sub { patch($_[0], 4, "\xff") } ],
    'magic' => [ qr/magic/, sub { patch($_[0], 0, "\xff") } ],
    'random' => [ qr/magic/, sub { noise(length $_[0]) } ],
    'random-template' => [ qr/size/, sub {
        my $size = unpack 'L', substr $_[0], 12, 4;
        substr($_[0], 0, -$size) . noise($size);
    } ],
    'one-bit' => [ qr/checksum/, sub {
        patch($_[0], 2000, chr(1) ^ substr $_[0], 2000, 1);
    } ],
    'other-name' => [ qr/checksum/, sub {
        $_[0] =~ s/other-name/OTHER-NAME/r;
    } ],
);

my @whole = map { "whole-$_" } 1 .. 6;
my @bad = (sort(keys %damage), 'of-another-site', 'directory', 'unreadable',
    'link');

# snapshots are written

$t->run('learn.conf');

my $want;

for my $site (@whole, @bad) {
    http_get('/p3.html', host => $site);
}

for my $site (@whole, @bad) {
    my $r = $t->learn('/p3.html', host => $site);
    ok($r, "$site, learned") or BAIL_OUT('nothing was learned');

    $want = body($r) if !defined $want;
    is(body($r), $want, "$site, page");
}

unlike($want, qr/<nav/, 'pages are stripped');

# the evidence of a failed learning is stored, and it is no template when it is
# read

$t->write_file('html/alone.html', '<!DOCTYPE html><title>t</title><p>alone');
http_get('/alone.html', host => 'alone.test');
$t->idle();
ok(-s "$d/" . file_of('alone.test'), 'evidence without a template');

$t->stop();

my %file = map { $_ => file_of($_) } @whole, @bad;

is(scalar(grep { -s "$d/$_" } values %file), @whole + @bad,
    'each site has a snapshot');

# the command line tool reads these files

my $snapshot = "$d/$file{$whole[0]}";

is(system("$BIN check $snapshot >/dev/null 2>&1"), 0, 'a snapshot is checked');
like(`$BIN show --json $snapshot`, qr/"version":1/, 'a snapshot is shown');

# the site in its head and in its name, and how long it is valid

my $shown = decode_json(scalar `$BIN show --json $snapshot`);
is($shown->{site}, $whole[0], 'its site');
cmp_ok($shown->{valid_until}, $_->[0], in_a_week($_->[1]), 'end of validity')
    for [ 'gt', -120 ], [ 'le', 0 ];
is(`printf %s $whole[0] | md5sum` =~ s/ .*\n//sr,
    $snapshot =~ s{.*/(.*)\.dt$}{$1}r, 'its name');
my $apply = "$BIN apply --url http://site.test/p3.html $snapshot";
is(scalar(`$apply <$d/html/p3.html`), $want, 'a snapshot is applied');

$t->write_file('head', substr $t->read_file($file{$whole[0]}), 0, 700);
isnt(system("$BIN check $d/head >/dev/null 2>&1"), 0,
    'a truncated snapshot is refused');

# damaged snapshots

for my $site (keys %damage) {
    my $content = $t->read_file($file{$site});
    my $damaged = $damage{$site}[1]->($content);

    isnt($damaged, $content, "$site, damaged");
    $t->write_file($file{$site}, $damaged);
}

# the evidence is not read to serve pages

my $content = $t->read_file($file{'whole-6'});
$t->write_file($file{'whole-6'},
    patch($content, -1, chr(1) ^ substr $content, -1));

$t->write_file($file{'of-another-site'}, $t->read_file($file{'whole-1'}));
unlink "$d/$file{directory}";
mkdir "$d/$file{directory}" or die "directory: $!\n";
rename "$d/$file{link}", "$d/templates/link" or die "link: $!\n";
symlink 'link', "$d/$file{link}" or die "link: $!\n";
chmod 0, "$d/$file{unreadable}";

my %says = map { $_ => qr/is ignored: $damage{$_}[0]/ } keys %damage;

$says{'of-another-site'} = qr/is ignored: site/;
$says{directory} = qr/is ignored: not a file/;
$says{unreadable} = qr/open\(\) ".*" failed \(13: /;
$says{link} = qr/open\(\) ".*" failed \(40: /;

# intact templates are used from the first request on

my $log = restart('read.conf');
my $json = snapshots_read(@whole + @bad);

is($json->{snapshots}{taken}, @whole, 'number of accepted snapshots');
is($json->{snapshots}{refused}, @bad, 'number of refused snapshots');
is(join(' ', sort map { $_->{site} } @{$json->{sites}}),
    join(' ', sort @whole), 'sites');
is(join(' ', map { $_->{source} } @{$json->{sites}}),
    join(' ', map { 'snapshot' } @whole), 'source of the templates');

for my $site (@whole) {
    my $r = http_get('/p3.html', host => $site);

    is(field($r, 'Detemplate'), 'hit; mode=strip; version=1; settled',
        "$site, first request");
    is(body($r), $want, "$site, page from the snapshot");
}

for my $site (@bad) {
    my $r = http_get('/p3.html', host => $site);

    is(field($r, 'Detemplate'), 'miss; reason=learn', "$site, no template");
    is(body($r), page(3), "$site, page unchanged");

    my @lines = grep { /\Q$file{$site}\E"/ } $log->();

    is(@lines, 1, "$site, one line in the log");
    like($lines[0], $says{$site}, "$site, reason in the log");
}

is($t->learning('queued'), 0, 'nothing to learn');

# refused sites are learned anew

$log = restart('learn.conf');

for my $site (@bad) {
    my $r = $t->learn('/p3.html', host => $site);
    is(body($r), $want, "$site, learned anew");
}

is($t->learning('done'), @bad, 'number of learned sites');

# a directory in place of the file stays there and is logged

is(scalar(grep { /\Q$file{directory}\E" was not written/ } $log->()), 1,
    'directory, snapshot is not written');
ok(-d "$d/$file{directory}", 'directory, still there');
is(scalar(grep { /was not written/ } $log->()), 1,
    'other snapshots are written');

restart('read.conf');
$json = snapshots_read(@whole + @bad);

is(scalar @{$json->{sites}}, @whole + @bad - 1,
    'all snapshots but one are intact again');
is($json->{snapshots}{refused}, 1, 'only the directory refused');

# A request before the snapshots have been read: its job ends when they are.
# Other files make the reading take a while.

mkdir "$d/templates/x$_" or die "x$_: $!\n" for 1 .. 20000;

restart('learn.conf');
http_get('/p3.html', host => $_) for @whole;
cmp_ok($t->counted('learning') + $t->counted('no-template'), '>', 0,
    'early request');
cmp_ok($t->learning('queued'), '>', 0, 'early request, job');

rmdir "$d/templates/x$_" or die "x$_: $!\n" for 1 .. 20000;

soon {
    my $learning = $t->status_json()->{learning};
    return $learning->{queued} + $learning->{running} == 0;
} 'asked for early, no job is left', 20;

is(detemplate('/p3.html', host => $_), 'hit; mode=strip; version=1; settled',
    "early request, $_") for @whole;
is($t->learning('done'), 0, 'early request, nothing is learned');

# more sites than fit into the zone

restart('small.conf');

soon { ($json = $t->status_json()) && $json->{zone}{sites} }
    'small zone, some sites';

my @sites = (@whole, grep { $_ ne 'directory' } @bad);

cmp_ok($json->{zone}{sites}, '<', @sites, 'small zone, not all sites');
is($json->{zone}{evicted}, 0, 'small zone, none evicted at start');

for my $site (@sites, reverse @sites) {
    my $r = $t->learn('/p3.html', host => $site);
    is(body($r), $want, "small zone, $site");
}

$json = $t->status_json();

cmp_ok($json->{zone}{evicted}, '>', 0, 'evicted');
cmp_ok($json->{zone}{sites}, '<', @sites,
    'evicted, not all sites are in the zone');
cmp_ok($json->{zone}{sites}, '>', 1,
    'evicted, more than the last site is in the zone');
is($json->{learning}{done}, 0, 'evicted, read again and not learned again');

# the least recently used site is removed; use is recorded in seconds

my @there = map { $_->{site} } @{$json->{sites}};
my $oldest = $there[-1];
my $next = $there[-2];
my @others = grep { my $site = $_; !grep { $_ eq $site } @there } @sites;
my $other;
my $evicted = $json->{zone}{evicted};

select undef, undef, undef, 1.2;

is(detemplate('/p3.html', host => $oldest),
    'hit; mode=strip; version=1; settled', 'site is used again');

# the last removal may have left some room

do {
    $other = shift @others;
    ok($t->learn('/p3.html', host => $other), 'one more site');
    $json = $t->status_json();
} until $json->{zone}{evicted} > $evicted || !@others;

@there = map { $_->{site} } @{$json->{sites}};

cmp_ok($json->{zone}{evicted}, '>', $evicted, 'one more site, evicted');
ok((grep { $_ eq $other } @there), 'one more site, is in the zone');
ok((grep { $_ eq $oldest } @there), 'used again, not evicted');
ok(!(grep { $_ eq $next } @there), 'least recently used, evicted');
is(body($t->learn('/p3.html', host => $next)), $want,
    'evicted, snapshot is read on request');

# nor is a site removed that is being learned, here while its learner waits

$t->answers(1, sub ($uri, @) {
    my ($n) = $uri =~ m{^/p(\d)\.html} or return;

    $t->write_file('asked', '');
    wait_for(sub { -e "$d/go" }, 15);

    return response(page($n));
});

http_get('/p3.html', host => 'slow.test');
soon { -e "$d/asked" } 'slow site, being learned';
select undef, undef, undef, 1.2;

$evicted = $t->status_json()->{zone}{evicted};
$t->learn('/p3.html', host => $_) for @sites;
$json = $t->status_json();

cmp_ok($json->{zone}{evicted}, '>', $evicted, 'slow site, others evicted');
is($json->{learning}{running}, 1, 'slow site, still being learned');

$t->write_file('go', '');
is(body($t->learn('/p3.html', host => 'slow.test')), $want,
    'slow site, learned');
is($t->learning('done'), 1, 'slow site, learned once');

$t->done();

# starts nginx with another configuration, returns the new lines of the log

sub restart ($conf) {
    $t->stop();

    my $before = length $t->read_file('error.log');

    $t->run($conf);

    return sub {
        split /\n/, substr $t->read_file('error.log'), $before;
    };
}

# the status once so many snapshots were accepted or refused

sub snapshots_read ($n) {
    my $json;

    wait_for(sub {
        $json = $t->status_json();
        return $json->{snapshots}{taken} + $json->{snapshots}{refused} >= $n;
    }, 5);

    return $json;
}

# the remaining time by "detemplate_valid" as the tool prints it, with some
# seconds of tolerance

sub in_a_week ($seconds) {
    return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(time() + 604800 + $seconds));
}

# the name of the file that holds the site's snapshot

sub file_of ($site) {
    for my $path (glob "$d/templates/*.dt") {
        my ($name) = $path =~ m{([^/]+)$};

        return "templates/$name"
            if $t->read_file("templates/$name") =~ /\Q$site\E\0/;
    }

    return "no-snapshot-of-$site";
}

sub patch ($content, $offset, $byte) {
    substr $content, $offset, 1, $byte;

    return $content;
}

# pseudorandom bytes, the same each time

sub noise ($n) {
    my $seed = 4711;

    return join '', map {
        $seed = ($seed * 1103515245 + 12345) % 2147483648;
        chr(($seed >> 16) & 0xff);
    } 1 .. $n;
}
