#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The order of jobs.  Sites that the configuration names come first, then names
# that have been served before, then new names; among them, servers take turns.
# Slow tenants of a server do not keep all learners.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->pages('html');
$t->write_file("html/o$_.html", other_page($_)) for 1 .. 8;

# the origin answers only to slow.test, and not while a file exists

my $origin = sub ($uri, @) {
    my ($n) = $uri =~ m{^/p(\d)\.html} or return;

    $t->write_file('asked', '');
    select undef, undef, undef, 0.05 while -e "$d/wait";

    return response(page($n));
};

my %conf = (
    name => 'one.test',
    servers => [
        { name => 'two.test' },
        { name => 'three.test', server => 'detemplate_site third;' },
        { name => '*.a.test' },
        { name => '*.b.test' },
        { name => '*.slow.test',
            server => 'detemplate_origin %%HTTP_1%%;' },
    ],
);

# slow tenants, and the default number of learners

$t->configure(%conf);
$t->write_file('wait', '');
$t->answers(1, $origin);
$t->run();

http_get('/p3.html', host => "t$_.slow.test") for 1 .. 8;
soon { -e "$d/asked" } 'slow tenants, being learned';
http_get('/p3.html', host => 'one.test');
ok($t->learn('/p3.html', host => 'one.test'), 'slow tenants, named site');

my $l = $t->status_json()->{learning};

is($l->{done}, 1, 'slow tenants, only the named site is learned');
is($l->{running}, 1, 'slow tenants, one learner works for them');
cmp_ok($l->{queued}, '>', 0, 'slow tenants, others wait');

unlink "$d/wait";
ok($t->idle(60), 'slow tenants, idle');
$t->stop();
unlink "$d/asked";

# the order, with one learner, which is at work when the others are queued

unlink glob "$d/templates/*";
$t->configure(%conf, http => 'detemplate_learners 1;');
$t->answers(1, $origin);
$t->run();
ok($t->learn('/p3.html', host => 'old.a.test'), 'order, served before');

$t->write_file('wait', '');
http_get('/p3.html', host => 'first.slow.test');
soon { -e "$d/asked" } 'order, the learner is at work';

http_get('/p3.html', host => $_) for map({ "n$_.a.test" } 1 .. 4),
    'n1.b.test', 'n2.b.test';
http_get('/o3.html', host => 'old.a.test');
http_get('/p3.html', host => $_) for 'two.test', 'three.test';

is($t->learning('queued'), 9, 'order, queued');
unlink "$d/wait";
ok($t->idle(60), 'order, idle');
wait_for(sub { $t->said('learned "n4.a.test"') }, 5);

my @order = map { /learned "(.*?)":/ } $t->log_lines(qr/learned "/);
shift @order while @order && $order[0] ne 'first.slow.test';

is(join(' ', map { s/\.test$//r } @order[1 .. $#order]),
    'two third old.a n1.a n1.b n2.a n2.b n3.a n4.a', 'order');

$t->done();
