#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What the learner asks a site for, and how fast: robots.txt, one request at a
# time, a rest between two, and a bound on the requests of an hour.

use Test::Detemplate;
use Time::HiRes qw/ sleep time /;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

my %server = (origin => 1, server => 'detemplate_site $host;');

$t->configure(
    name => '*.test',
    http => 'detemplate_loads 20; detemplate_candidates 3;',
    %server,
    locations => [ '= /control' => 'detemplate_control;' ],
    servers => [
        { %server, name => 'rude.test', server => 'detemplate_robots off;' },
        { %server, name => 'fast.test',
            server => 'detemplate_connections 4;' },
        { name => 'files.test', root => 'files' },
    ],
);

# robots.txt of sites, by their names

my %robots = (
    some => "User-agent: *\nDisallow: /p1\nDisallow: /p2\n",
    ours => "User-agent: *\nDisallow: /\n\nUser-agent: Detemplate/1.0\n"
        . "Disallow: /p3.html\n",
    rude => "User-agent: *\nDisallow: /p\nSitemap: /map.xml\n",
    closed => "User-agent: *\nDisallow: /\n",
    slow => "User-agent: *\nCrawl-delay: 0.3\n",
);

# pages link to all others; some are asked for under many addresses

$t->answers(1, sub ($uri, $host, $learner, @) {
    my ($name) = $host =~ /^(\w+)/;
    my $began = time;

    return response($robots{$name}, 'Content-Type: text/plain')
        if $uri eq '/robots.txt' && $robots{$name};
    return response('', '503 Not now') if $uri eq '/robots.txt'
        && $name eq 'away';

    sleep 0.1 if $learner && $name =~ /^(?:paced|fast)/;

    my $r = response($uri =~ m{^/p(\d+)\.html} && $learner
            && ($name eq 'dead' || ($name eq 'barren' && $1 > 5))
        ? undef : $uri =~ m{^/p(\d+)\.html} ? page($1) =~ s{(?=</nav>)}
        {join '', map { "<a href='/p$_.html'>$_</a>" } 9 .. 90}er : undef);

    $t->append_file("asked-$name", "$uri $began " . time . "\n") if $learner;

    return $r;
});

$t->pages('files')->run();

# robots.txt is obeyed

ok($t->learn('/p5.html', host => 'some.test'), 'some are forbidden, learned');
is(join(' ', grep { m{^/p[12]} } asked('some')), '', 'they are not asked for');
cmp_ok(scalar asked('some'), '>', 10, 'but others are');

ok($t->learn('/p5.html', host => 'ours.test'), 'our group counts, learned');
is(scalar(grep { m{^/p3\.} } asked('ours')), 0, 'and what it forbids');

ok($t->learn('/p5.html', host => 'rude.test'), 'off, learned');
cmp_ok(scalar(grep { m{^/p\d} } asked('rude')), '>', 5, 'off, asked for');
is(scalar(grep { m{^/map} } asked('rude')), 1, 'off, sitemaps count');

http_get('/p5.html', host => 'closed.test');
soon { $t->without('closed.test')->{reason} eq 'robots' }
    'all is forbidden, status';
is(scalar(grep { m{^/p} } asked('closed')), 0, 'all is forbidden, no request');
http_get("/p$_.html", host => 'closed.test'), $t->idle() for 1 .. 3;
my @lines = $t->log_lines(qr/\[notice\].*"closed\.test": robots: /);
is(scalar @lines, 1, 'all is forbidden, one line');
like($lines[0] // '', qr/"detemplate_robots off".*"detemplate_learn served"/,
    'which says how it can be learned');

http_get('/p5.html', host => 'away.test');
$t->idle();
is(scalar(grep { m{^/p} } asked('away')), 0,
    'robots.txt cannot be had, no request');
like($t->without('away.test')->{detail}, qr/robots\.txt.*503/,
    'robots.txt cannot be had, status');

# the pace

my $began = time;

ok($t->learn('/p5.html', host => 'slow.test'), 'a delay, learned');
rests('slow', 0.29, 'a delay, kept');

ok($t->learn('/p5.html', host => 'paced.test'), 'a slow origin, learned');
rests('paced', 0.09, 'a slow origin, as long as it took');
is(most('paced'), 1, 'a slow origin, one at a time');

ok($t->learn('/p5.html', host => 'fast.test'), 'four connections, learned');
cmp_ok(most('fast'), '>', 1, 'four connections, several at a time');

# dead links, and a site that is forgotten again and again

http_get("/p$_.html", host => 'dead.test'), $t->idle() for 1 .. 40;
my @dead = asked('dead');
cmp_ok(scalar @dead, '<=', 120, 'dead links, requests of an hour');
cmp_ok(scalar @dead, '>', 20, 'dead links, but some');

# where most links are dead, one learning tries three times as many pages as it
# is to load, with robots.txt and a sitemap; then visitors bring the pages that
# there are

ok($t->learn('/p5.html', host => 'barren.test'), 'most are dead, learned');
my @barren = asked('barren');
cmp_ok(scalar @barren, '<=', 3 * 20 + 2, 'most links are dead, requests');

my $done = $t->learning('done');
http_get("/p$_.html", host => 'barren.test'), $t->idle() for 6 .. 20;
cmp_ok($t->learning('done'), '>', $done, 'it is learned from visits');
is(scalar asked('barren'), @barren, 'which requests nothing');

# a site that is forgotten again and again is not asked more often

for my $n (1 .. 30) {
    http_get('/p' . (1 + $n % 8) . '.html', host => 'again.test');
    $t->idle();
    http_request('POST', '/control?do=forget&site=again.test',
        fields => ['Detemplate-Control: yes']);
}

my @again = asked('again');
cmp_ok(scalar @again, '<=', 120, 'forgotten, requests of an hour');
cmp_ok(scalar @again, '>', 60, 'forgotten, but some');
cmp_ok($t->learning('requests'), '>=', @again, 'all are counted');

# files that are not there are no errors

ok($t->learn('/p3.html', host => 'files.test'), 'files, learned');
is(join('', $t->log_lines(qr/No such file or directory/)), '',
    'files, none is missed');

$t->done();

sub asked ($name) {
    return if !-e "$d/asked-$name";
    return map { (split)[0] } split /\n/, $t->read_file("asked-$name");
}

# the least time between the end of a request for a page and the next one

sub rests ($name, $least, $title) {
    my ($last, $min, $n) = (undef, 1e9, 0);

    for (sort { $a->[1] <=> $b->[1] } map { [ split ] } split /\n/,
        $t->read_file("asked-$name"))
    {
        if (defined $last && $_->[1] - $last < $min) {
            $min = $_->[1] - $last;
        }
        $last = $_->[2];
        $n++;
    }

    cmp_ok($n, '>', 5, "$title, requests");
    cmp_ok($min, '>=', $least, $title);
}

# the most requests at a time

sub most ($name) {
    my @all = map { [ (split)[1, 2] ] } split /\n/,
        $t->read_file("asked-$name");
    my $most = 0;

    for my $one (@all) {
        my $n = grep { $_->[0] <= $one->[0] && $one->[0] < $_->[1] } @all;
        $most = $n if $n > $most;
    }

    return $most;
}
