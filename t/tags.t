#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The entity tag of a page identifies what is sent of it.  A template that was
# learned again, or by another machine, may have the same version.

use File::Path qw/ remove_tree /;
use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();

$t->configure(http => 'detemplate_loads 5; detemplate_cut cautious;');

$t->pages('html')->run();

my $r = $t->learn('/p3.html');
my $first = field($r, 'ETag');
my $field = qr{^hit; mode=strip; version=1; cut=cautious; settled(?:=\?0)?$};
my $body = body($r);

like($first, qr{^"dt-[0-9a-f]{16}"$}, 'tag');
like(field($r, 'Detemplate'), $field, 'version');
is(unchanged($first), 304, 'not modified');

# the same template, read from its snapshot

$t->stop();
$t->run();
$r = $t->learn('/p3.html');

is(field($r, 'ETag'), $first, 'snapshot, tag');
is(unchanged($first), 304, 'snapshot, not modified');

# the same page after the other pages have changed

$t->stop();
remove_tree("$d/templates");
$t->write_file("html/p$_.html", page($_) =~ s/Printed by/Bound by/r)
    for 1, 2, 4 .. 8;
$t->run();
$r = $t->learn('/p3.html');

like(field($r, 'Detemplate'), $field, 'learned anew, same version');
isnt(body($r), $body, 'learned anew, another body');
isnt(field($r, 'ETag'), $first, 'learned anew, another tag');
is(unchanged($first), 200, 'learned anew, modified');
is(unchanged(field($r, 'ETag')), 304, 'learned anew, new tag matches');

$t->done();

sub unchanged {
    return status_of(http_get('/p3.html',
        fields => ["If-None-Match: $_[0]"]));
}
