#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_status: the JSON document and the metrics, their fields, and that
# they report what has happened.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => '
        map $uri $strip {
            default strip;
        }
        set_real_ip_from 127.0.0.1;
        real_ip_header X-From;',
    server => 'listen unix:%%TESTDIR%%/nginx.sock;',
    pages => [
        '/off/' => 'detemplate off;',
        '/bypass/' => 'detemplate_bypass 1;',
        '/kept/' => 'add_header Cache-Control no-transform;',
        '/variable/' => 'detemplate $http_x_mode$strip;',
        '/named/' => 'detemplate_site \'a"b\\\\c<d>\\\'/\';',
        '/argument/' => 'detemplate_site $arg_site;',
        '/control/' => q{set $tab "a\tb"; detemplate_site $tab;},
        '/ssi/' => 'ssi on; log_subrequest on;',
    ],
    locations => [
        '= /moved' => 'return 301 /p3.html;',
        '/alone/' => 'alias %%TESTDIR%%/alone/; detemplate_site alone.test;',
        '= /public/status' => '
            detemplate off;
            detemplate_status public preview=a;',
        '/if/' => '
            detemplate off;
            detemplate_status public preview=a;
            if ($arg_a) {
                add_header X-If 1;
            }
            location = /if/closed {
                detemplate_status;
            }',
        '= /gzip/status' => '
            detemplate off;
            gzip on;
            gzip_min_length 1;
            gzip_types application/json;
            detemplate_status;',
    ],
);

$t->pages('html');
$t->write_file('html/picture.png', 'PNG');
$t->write_file('alone/p1.html', '<!DOCTYPE html><title>t</title><p>alone');

$t->run();

my @statuses = qw/ off hit miss stale bypass guard error /;
my @reasons = qw/ off method status type encoding charset no-transform range
    signature bypass site no-template learning backoff expired
    no-match guard too-deep memory host url query action search
    private address learn busy size slow /;

my ($r, $json, $old, $text);

# access to the status

like(of('/status', $_), qr/^200 \{/, "from $_")
    for qw/ 127.0.0.1 127.255.0.9 ::1 ::ffff:127.0.0.1 /;

for my $from (qw/ 126.0.0.1 10.127.0.1 128.0.0.1 ::2 ::7f00:1 2001:db8::1
    ::ffff:10.0.0.127 7f00:: /)
{
    like(of('/status', $from), qr/^403 <html>/, "from $from");
    like(of('/public/status', $from), qr/^200 \{/, "from $from, public");
    like(of('/if/status?a=1', $from), qr/^200 \{/, "from $from, public, if");
    like(of('/if/closed', $from), qr/^403 <html>/, "from $from, not public");
}

my $d = $t->testdir();

like(`curl -s --unix-socket $d/nginx.sock http://site.test/status`, qr/^\{/,
    'from a unix socket');

is(() = $t->read_file('error.log') =~ /detemplate_status" without "public"/g,
    16, 'logged');

# the document

$r = http_get('/status');
has('document', $r, status => 200, 'Content-Type' => 'application/json',
    'Content-Length' => length body($r), Detemplate => '',
    'Cache-Control' => 'no-store, no-transform',
    'X-Content-Type-Options' => 'nosniff');

$json = decode_json(body($r));

is(fields($json), 'by_hand bytes learning off_template reasons '
    . 'redis requests ' . 'saved sites snapshots without zone', 'fields');
my %fields = (
    learning => 'done failed queued redesigns requests running',
    saved => 'tokens words',
    by_hand => 'bytes cut kept',
    requests => join(' ', sort @statuses),
    reasons => join(' ', sort @reasons),
    bytes => 'in removed',
    zone => 'evicted free sites size',
    redis => 'failed taken',
    snapshots => 'evicted refused taken',
);

is(fields($json->{$_}), $fields{$_}, $_) for sort keys %fields;
is_deeply($json->{sites}, [], 'no sites');
is($json->{zone}{size}, 1048576, 'zone, size');

# the first page, and its learning

http_get('/p3.html');
is(change('requests', 'miss'), 1, 'first request, miss');
is($json->{reasons}{'no-template'}, 1, 'first request, reason');
is($json->{bytes}{removed}, 0, 'first request, nothing removed');

ok($t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
change('learning', 'done');

cmp_ok($json->{learning}{requests}, '>', 4, 'learned, requests are counted');
is_deeply({ %{$json->{learning}}, requests => 0 }, { queued => 0,
    running => 0, done => 1, failed => 0, redesigns => 0, requests => 0 },
    'learned, once');
is($json->{zone}{sites}, 1, 'learned, sites');
is(scalar @{$json->{sites}}, 1, 'learned, one site');

my ($site) = @{$json->{sites}};

is(fields($site), 'bytes candidates coverage evidence guarded hits in '
    . 'learned_at loads patterns removed site source version words',
    'site, fields');
is($site->{site}, 'site.test', 'site, name');
is($site->{version}, 1, 'site, version');
is($site->{source}, 'learned', 'site, source');
cmp_ok($site->{patterns}, '>', 0, 'site, patterns');
cmp_ok($site->{bytes}, '>', 0, 'site, bytes');
cmp_ok($site->{bytes}, '<', $json->{zone}{size},
    'site, smaller than the zone');
cmp_ok($site->{loads}, '>', 3, 'site, loads');

# the log and the command line tool report the same sizes

my ($bytes, $evidence) = map { / in (\d+) bytes and (\d+) of evidence/ }
    $t->log_lines(qr/learned "site\.test"/);
is($site->{bytes}, $bytes, 'site, bytes as in the log');
is($site->{evidence}, $evidence, 'site, evidence as in the log');

my ($snapshot) = glob $t->testdir() . '/*/*.dt';
my $shown = decode_json(scalar `$BIN show --json $snapshot`);
is("$shown->{bytes} $shown->{evidence}", "$bytes $evidence",
    'site, sizes as the tool shows them');

is($site->{candidates}, 6, 'site, candidates');
cmp_ok($site->{coverage}, '>', 0, 'site, coverage');
cmp_ok($site->{coverage}, '<', 1, 'site, not all is template');
cmp_ok($site->{learned_at}, '<=', time(), 'site, age');

# counters that change; the key makes a request one of the learner's

my $key = substr $t->read_file('templates/key'), 0, 32;

for my $case (
    [ '/p3.html', 'hit' ],
    [ '/p4.html', 'hit' ],
    [ '/bypass/p3.html', 'bypass', 'bypass' ],
    [ '/off/p3.html' ],
    [ '/picture.png', '', 'type' ],
    [ '/bypass/picture.png', '', 'type' ],
    [ '/variable/picture.png', '', 'type' ],
    [ '/variable/picture.png', '', 'type',
        'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT' ],
    [ '/kept/picture.png', '', 'type' ],
    [ '/moved', 'bypass', 'status' ],
    [ '/moved', '', '', "Detemplate-Learner: $key" ],
    [ '/picture.png', '', '', "Detemplate-Learner: $key" ],
    [ '/missing.html', 'bypass', 'status' ],
    [ '/kept/p3.html', 'bypass', 'no-transform' ],
    [ '/argument/p3.html', 'bypass', 'site' ],
    [ '/control/p3.html', 'bypass', 'site' ],
    [ '/argument/p3.html?site=' . 'x' x 256, 'bypass', 'site' ],
) {
    my ($uri, $status, $reason, @fields) = @$case;

    change();
    http_get($uri, fields => \@fields);
    change('requests', $status) if $status;
    change('reasons', $reason) if !$status && $reason;
    change() if !$status && !$reason;

    my $title = substr $uri, 0, 40;

    is(moved('requests'), $status || '', "$title, request");
    is(moved('reasons'), $reason || '', "$title, reason");
}

# the learner's own requests are passed and not counted

my $bypass = $json->{requests}{bypass};

http_get('/named/p3.html');
ok($t->learn('/named/p3.html'), 'name, learned');
change();

is($json->{requests}{bypass}, $bypass, 'learner, not counted');

# bytes

change();
my $want = body(http_get('/p3.html'));
my $cut = length(page(3)) - length $want;
is(change('bytes', 'removed'), $cut, 'bytes, removed');
is($json->{bytes}{in} - $old->{bytes}{in}, length page(3), 'bytes, in');
is($json->{saved}{tokens}, int($json->{bytes}{removed} / 4), 'saved, tokens');

my $gone = words_of(page(3)) - words_of($want);
is($json->{saved}{words} - $old->{saved}{words}, $gone, 'saved, words');

# what was served of each site

my $p3 = 'nginx_detemplate_site';
my %series = samples(body(http_get('/status?format=prometheus')));
my ($was, $is) = map { my $j = $_; grep { $_->{site} eq 'site.test' }
    @{$j->{sites}} } $old, $json;

is($is->{hits} - $was->{hits}, 1, 'site, hits');
is($is->{in} - $was->{in}, length page(3), 'site, bytes');
is($is->{removed} - $was->{removed}, $cut, 'site, bytes removed');
is($is->{words} - $was->{words}, $gone, 'site, words removed');
is($series{"${p3}_$_->[0]\{site=\"site.test\"}"}, $is->{$_->[1]},
    "site, metrics, $_->[1]") for [ 'hits_total', 'hits' ],
    [ 'in_bytes_total', 'in' ], [ 'removed_bytes_total', 'removed' ],
    [ 'removed_words_total', 'words' ], [ 'version', 'version' ];

# failures

http_get('/alone/p1.html');
is(change('learning', 'failed'), 1, 'failed');
is(scalar(grep { $_->{site} eq 'alone.test' } @{$json->{sites}}), 0,
    'failed, no site');

# names

is(join(' ', sort map { $_->{site} } @{$json->{sites}}),
    q{a"b\c<d>'/ site.test}, 'names, decoded');
like(body(http_get('/status')), qr{"site":"a\\u0022b\\u005cc<d>'/"},
    'names, escaped');

# methods

my $get = http_get('/status');
$r = http_head('/status');

is(status_of($r), 200, 'head');
is(body($r), '', 'head, no body');
is(field($r, $_), field($get, $_), "head, $_")
    for qw/ Content-Type Content-Length Cache-Control /;

is(status_of(http_request($_, '/status', fields => ['Content-Length: 0'])),
    405, lc) for qw/ POST PUT DELETE /;

# the choice of the format

for my $case (
    [ '', undef, 'json' ],
    [ '?format=json', 'text/plain', 'json' ],
    [ '?format=prometheus', undef, 'text' ],
    [ '?format=prometheus', 'application/json', 'text' ],
    [ '?format', 'text/plain', 'text' ],
    [ '', 'text/plain', 'text' ],
    [ '', 'application/openmetrics-text;version=1.0.0, text/plain;q=0.5',
        'text' ],
    [ '', 'application/json, text/plain', 'json' ],
    [ '', '*/*', 'json' ],
) {
    my ($arguments, $accept, $format) = @$case;

    $r = http_get("/status$arguments",
        fields => [ defined $accept ? "Accept: $accept" : () ]);
    is(field($r, 'Content-Type') =~ /json/ ? 'json' : 'text', $format,
        "format, \"$arguments\", " . ($accept || 'no accept'));
}

# an unknown format; a client without access is not told about it

is(status_of(http_get("/status?$_")), 400, "format, $_")
    for qw/ format=xml format= format=jso format=prometheus2 format=JSON /;
like(of('/status?format=xml', '10.0.0.1'), qr/^403 /,
    'format, access is checked first');

# metrics

$r = http_get('/status?format=prometheus');
is(field($r, 'Content-Type'), 'text/plain; version=0.0.4', 'metrics, type');
is(field($r, 'Content-Length'), length body($r), 'metrics, length');

$text = body($r);
is(join("\n", faults($text)), '', 'metrics, format');

change();

my %metrics = samples($text);
my $p = 'nginx_detemplate';

for my $case (
    [ 'requests_total', 'status', 'requests', @statuses ],
    [ 'reasons_total', 'reason', 'reasons', @reasons ],
    [ 'learning', 'state', 'learning', qw/ queued running / ],
    [ 'learned_total', 'result', 'learning', qw/ done failed / ],
    [ 'by_hand_total', 'what', 'by_hand', qw/ kept cut / ],
    [ 'redis_total', 'result', 'redis', qw/ taken failed / ],
    [ 'snapshots_total', 'result', 'snapshots',
        qw/ taken refused evicted / ],
) {
    my ($name, $label, $group, @values) = @$case;

    is($metrics{"${p}_$name\{$label=\"$_\"}"}, $json->{$group}{$_},
        "metrics, $name, $_") for @values;
}

is($metrics{"${p}_$_->[0]"}, $_->[1], "metrics, $_->[0]") for (
    (map { [ "${_}_bytes_total", $json->{bytes}{$_} ] } qw/ in removed /),
    (map { [ "zone_${_}_bytes", $json->{zone}{$_} ] } qw/ size free /),
    [ 'removed_words_total', $json->{saved}{words} ],
    [ 'saved_tokens_total', $json->{saved}{tokens} ],
    [ 'redesigns_total', $json->{learning}{redesigns} ],
    [ 'learner_requests_total', $json->{learning}{requests} ],
    [ 'sites', $json->{zone}{sites} ],
    [ 'evicted_total', $json->{zone}{evicted} ],
);
is(scalar(keys %metrics), @statuses + @reasons + 22 + 6 * @{$json->{sites}},
    'metrics, no others than documented');

# other filters

$r = http_get('/gzip/status', fields => ['Accept-Encoding: gzip']);
is(field($r, 'Content-Encoding'), 'gzip', 'compressed');

# none of these requests was for a page

change();
is(moved('requests'), '', 'status, not counted');

# a page with included parts is one page, also if the parts are logged

$t->write_file('html/parts.html', page(9)
    =~ s{(?=</main>)}{join '', map {
        "<!--#include virtual=\"/ssi/p$_.html\"-->"
    } 1 .. 2}er);

$old = total();
ok(http_get('/ssi/parts.html'), 'page with included parts');
is(total() - $old, 1, 'page with included parts is counted once');

# parameters apply inside an "if" in the same location

like(body(http_get("/if/status?format=html$_")), qr/\?a">preview</,
    "links, $_") for '', '&a=1';
unlike(body(http_get('/if/closed?format=html')), qr/>preview</,
    'another status, no links');

$t->done();

# how many words the body of a page has

sub words_of ($page) {
    my @words = $page =~ s/<head>.*<\/head>//sr =~ s/<[^>]*>/ /gr =~ /\S+/g;

    return scalar @words;
}

# all requests are counted

sub total {
    my $sum = 0;

    $sum += $_ for values %{$t->status_json()->{requests}};

    return $sum;
}

sub fields { join ' ', sort keys %{$_[0]} }

# Requests the document; the previous one is in $old.  Requests are counted
# when they are logged, which may be after the client has read the response.
# With a counter's name, waits until it has changed and returns the difference.

sub change ($group = undef, $name = undef) {
    $old = $json;

    return wait_for(sub {
        $json = $t->status_json();
        return !defined $group
            || $json->{$group}{$name} - $old->{$group}{$name};
    }, 5);
}

# the names of the counters in a group that have grown by one

sub moved ($group) {
    return join ' ', map {
        my $n = $json->{$group}{$_} - $old->{$group}{$_};
        $n == 0 ? () : $n == 1 ? $_ : "$_($n)";
    } sort keys %{$json->{$group}};
}

# Errors in the metrics: each sample belongs to the family whose HELP and TYPE
# precede it, families are contiguous, and names and values are valid.

sub faults ($text) {
    my ($family, $type, $help, %families, %samples, @faults);

    push @faults, 'no line feed at the end' if $text !~ /\n\z/;

    for my $line (split /\n/, $text) {
        if ($line =~ /^# HELP ([a-z_:][a-z0-9_:]*) [A-Z][^\\]*\.$/) {
            $help = $1;
            next;
        }

        if ($line =~ /^# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge)$/) {
            ($family, $type) = ($1, $2);
            push @faults, "$family again" if $families{$family}++;
            push @faults, "$family, no help" if ($help || '') ne $family;
            push @faults, "$family, a counter by its name"
                if ($type eq 'counter') != ($family =~ /_total$/);
            next;
        }

        if ($line !~ /^([a-z_:][a-z0-9_:]*)
            (\{[a-z_]+="(?:[^"\\\n]|\\["\\])*"\})?[ ]\d+$/x) {
            push @faults, "no sample: $line";
            next;
        }

        push @faults, "$line outside of its family"
            if !defined $family || $1 ne $family;
        push @faults, "$line again" if $samples{$1 . ($2 || '')}++;
    }

    return @faults;
}

sub samples { map { /^(\S+) (\d+)$/ ? ($1 => $2) : () } split /\n/, $_[0] }

# status and body of a request from an address

sub of ($uri, $from) {
    my $r = http("GET $uri HTTP/1.0\nHost: site.test\nX-From: $from\n\n");

    return status_of($r) . ' ' . body($r);
}
