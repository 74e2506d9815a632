#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Learnings that fail: each reason is logged once for a site, and the site
# rests, for longer each time and in proportion to what its learnings cost.
# Pages that are made to be expensive do not make a learning fail.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

# A learner that waits, and one that uses up its time, while there is a file.
# Learners are nice to other processes, so eight of them share the work.

$t->write_file('program', <<"END");
#!/usr/bin/perl
if (rename '$d/hold', '$d/held') { sleep 1 while -e '$d/held' }
exec '$BIN', \@ARGV if !-e '$d/burn';
\$| = 1;
print `$BIN --version`;
for (1 .. 8) {
    next if fork;
    for (my \$n = 0; (times)[0] < 3 / 8; ) { \$n += \$_ for 1 .. 1e5 }
    exit;
}
1 while wait > 0;
kill 'XCPU', \$\$;
END
chmod 0755, "$d/program";

$t->configure(
    zone => '4m',
    name => '*.test',
    http => "detemplate_program $d/program; detemplate_loads 10;
        detemplate_learners 3;",
    origin => 1,
    server => 'detemplate_site $host;',
);

my %bad = (
    deep => '<b></div>' x 240000,
    letters => '<li><dd>' x 10000 . '<b>' . 'x' x 2000000,
    wide => '<a><b></div></div>' x 120000,
    script => '<script>' . '<!--<script' x 200000,
    formatting => '<b><i><u><a>' x 180000,
    nobr => '<i><nobr>' x 240000,
);

$t->answers(1, \&answer);
$t->run();

my $site;

# many pages, each of which may be a key page, and all nearly the same

for my $n (1 .. 8) {
    is(detemplate("/same/$n.html", host => 'same.test'), 'miss; reason='
        . ($n <= 4 ? 'no-template' : 'backoff'), "same reason, page $n");
    $t->idle();
}

$site = $t->without('same.test');

is($t->learning('failed'), 4, 'same reason, four failed');
is($t->said('no template for "same.test"'), 1, 'same reason, logged once');
is($site->{reason}, 'guard', 'same reason, status');
cmp_ok($site->{next_in}, '>', 0, 'same reason, the site rests');
is(detemplate('/same/new.html', host => 'same.test'), 'miss; reason=backoff',
    'same reason, so does a page that is new');

# another reason is logged, and so is the same one once the site was learned

http_get("/$_", host => 'other.test'), $t->idle()
    for 'alone1.html', 'alone2.html', 'once.html';
is(join(' ', map { /"other\.test": (\S+?)[:,]/ } $t->log_lines(qr/no templ/)),
    'no-links no-template key-page', 'another reason, logged as well');

ok($t->learn('/p3.html', host => 'other.test'), 'learned at last');

# when the time has come, a page that does better is learned

ok($t->learn('/p3.html', host => 'same.test'), 'rested, learned');

# a learner that has nothing of the processor for a time, see the end

$t->idle();

my $began = time;

$t->write_file('hold', '');
http_get('/p3.html', host => 'held.test');
soon { -e "$d/held" } 'held, its learner waits', 20;

# A learner that was killed, since its time of the processor was used up: the
# site rests at least thirty times as long.

$t->write_file('burn', '');
http_get('/p3.html', host => 'burnt.test');
soon { $t->log_lines(qr/no template for "burnt\.test": cpu: /) }
    'killed, reason', 40;
unlink "$d/burn";

my ($next) = map { /next attempt in (\d+) seconds/ }
    $t->log_lines(qr/"burnt\.test"/);

cmp_ok($next, '>=', 60, 'killed, rests for long');
cmp_ok($t->without('burnt.test')->{next_in}, '>=', 30, 'killed, status');
is(detemplate('/p4.html', host => 'burnt.test'), 'miss; reason=backoff',
    'killed, no other page is tried');

# Pages that cost too much are left out.  Those that the scanner sees through
# cost little, others a second.

for my $kind (sort keys %bad) {
    ok($t->learn('/p3.html', host => "$kind.test"), "$kind, learned");

    my $line = wait_for(sub {
        ($t->log_lines(qr/learned "$kind\.test": version 1/))[0];
    }, 5);

    like($line, qr/, 1 pages beyond a limit$/, "$kind, counted")
        if $kind ne 'script';
    is($t->said("no template for \"$kind.test\""), 0, "$kind, none failed");
}

# as a key page

http_get('/bad/wide', host => 'key.test');
soon {
    $t->log_lines(qr/"key\.test": key-page: page exceeds a limit, /)
        && $t->log_lines(qr/"key\.test": .*, 1 pages beyond a limit, next /);
} 'key page, reason', 20 or diag($t->log_lines(qr/"key\.test"/));
is(detemplate('/bad/wide', host => 'key.test'), 'miss; reason=backoff',
    'key page, back-off');
ok($t->learn('/p3.html', host => 'key.test'), 'key page, another is learned');

sleep 1 while time < $began + 36;
unlink "$d/held";
soon { $t->site('held.test') } 'held, learned', 20;
is($t->said('no template for "held.test"'), 0, 'held, did not fail');
ok($t->idle(), 'no learner is left');

$t->done();

sub answer ($uri, $host, @) {
    ($host) = $host =~ /^(\w+)/;
    my $body;

    if ($uri =~ m{^/same/(\w+)\.html}) {
        $body = '<html><body>' . join('', map {
            "<p><a href=/same/$_.html>$_</a> and the same words"
        } 1 .. 40) . "<p>Page $1</body></html>";

    } elsif ($uri =~ m{^/alone\d}) {
        $body = "<html><body><p>Nothing is linked from $uri</body></html>";

    } elsif ($uri eq '/once.html' && !-e "$d/once") {
        $t->write_file('once', '');
        $body = '<html><body><p>The learner comes too late</body></html>';

    } elsif ($uri =~ m{^/bad/(\w+)}) {
        $body = "<html><body>$bad{$1}";

    } elsif ($uri =~ m{^/p(\d+)\.html}) {
        $body = page($1);
        $body =~ s{<body[^>]*>\K}{<p><a href="/bad/$host">More</a></p>}
            if $bad{$host};
    }

    return response($body);
}
