#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The variables, the log and the status of a request.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => q{
        log_format vars
            '$request_uri|$detemplate_status|$detemplate_reason|'
            '$detemplate_removed|$detemplate_version|$body_bytes_sent';},
    mode => '$mode',
    server => '
        access_log %%TESTDIR%%/vars.log vars;
        detemplate_bypass $arg_whole $http_x_whole;',
    pages => [
        '/taken-back/' => 'detemplate_bypass "";',
        '/taken-back/0/' => 'detemplate_bypass 0;',
        '/plain/' => 'detemplate off;',
        '/words/' => 'detemplate_links $arg_links; detemplate_cut $arg_cut;',
        '/kept/' => 'add_header Cache-Control no-transform;',
        '/no-site/' => 'set $none ""; detemplate_site $none;',
        '/spaced-site/' => 'detemplate_site "$arg_site of";',
        '/no-learning/' => 'detemplate_site other.test; detemplate_learn off;',
    ],
    locations => [
        '/' => '
            add_header X-Vars
                "$detemplate_status $detemplate_reason $detemplate_version"
                always;',
    ],
);

$t->pages('html');
$t->write_file('html/style.css', 'p { color: red }');
$t->write_file('html/other.html',
    '<!DOCTYPE html><title>t</title><p>Nothing that other pages say.</p>');
$t->write_file('html/deep.html', '<!DOCTYPE html><title>t</title><body>'
    . '<div>' x 3000 . 'deep' . '</div>' x 3000 . '</body>');
$t->write_file('html/meta.html', page(3) =~ s/"utf-8"/"iso-2022-jp"/r);

$t->run();

http_get('/p3.html');
like(logged('/p3.html'), qr/^MISS\|no-template\|0\|-\|\d+$/, 'miss');

my $r = $t->learn('/p3.html');
ok($r, 'learned') or BAIL_OUT('nothing was learned');

my $removed = length(page(3)) - length(body($r));

cmp_ok($removed, '>', 500, 'removed');

# URI, options, expected log line, title

for my $case (
    [ '/p3.html', {}, qr/^HIT\|-\|$removed\|(\d+)\|/, 'hit' ],
    [ '/p3.html', { version => '1.0' }, qr/^HIT\|-\|$removed\|(\d+)\|/,
        'hit, http/1.0' ],
    [ '/p3.html?a', {}, qr/^HIT\|-\|$removed\|/, 'hit, arguments' ],
    [ '/p3.html', { method => 'HEAD' }, qr/^HIT\|-\|0\|(\d+)\|0$/,
        'head' ],
    [ '/p3.html', { fields => ['X-Mode: annotate'] },
        qr/^HIT\|-\|[1-9]\d+\|/, 'annotate' ],
    [ '/p3.html', { fields => ['X-Mode: off'] }, qr/^OFF\|off\|0\|-/, 'off' ],
    [ '/p3.html', { fields => ['X-Mode: STRIP'] }, qr/^OFF\|off\|0\|-/,
        'unknown mode' ],
    [ '/plain/p3.html', {}, qr/^OFF\|off\|0\|-/, 'off in location' ],
    [ '/p3.html?whole=1', {}, qr/^BYPASS\|bypass\|0\|-/, 'bypass' ],
    [ '/p3.html?whole=0', {}, qr/^HIT\|/, 'bypass, zero is none' ],
    [ '/p3.html', { fields => ['X-Whole: yes'] }, qr/^BYPASS\|bypass\|/,
        'bypass, field' ],
    [ '/taken-back/p3.html?whole=1', {}, qr/^HIT\|/, 'bypass, taken back' ],
    [ '/taken-back/0/p3.html?whole=1', {}, qr/^HIT\|/,
        'bypass, taken back by 0' ],
    [ '/style.css', {}, qr/^BYPASS\|type\|0\|-/, 'type' ],
    [ '/none.html', {}, qr/^BYPASS\|status\|/, 'status' ],
    [ '/kept/p3.html', {}, qr/^BYPASS\|no-transform\|/, 'no-transform' ],
    [ '/p3.html', { method => 'OPTIONS' }, qr/^BYPASS\|method\|/, 'method' ],
    [ '/meta.html', {}, qr/^BYPASS\|charset\|0\|/, 'charset of the body' ],
    [ '/other.html', {}, qr/^HIT\|no-match\|0\|(\d+)\|/, 'no match' ],
    [ '/deep.html', {}, qr/^GUARD\|too-deep\|/, 'too deep' ],
    [ '/no-site/p3.html', {}, qr/^BYPASS\|site\|/, 'no site' ],
    [ '/spaced-site/p3.html', {}, qr/^BYPASS\|site\|/, 'bad site' ],
    [ '/spaced-site/p3.html?site=' . 'a' x 300, {}, qr/^BYPASS\|site\|/,
        'long site' ],
    [ '/no-learning/p3.html', {}, qr/^MISS\|learn\|0\|-/,
        'other site, not learned' ],
    [ '/no-learning/p3.html', {}, qr/^MISS\|learn\|0\|-/,
        'nor at the next request' ],
) {
    my ($uri, $extra, $re, $title) = @$case;

    http_request($extra->{method} || 'GET', $uri, %$extra);
    like(logged($uri), $re, $title);
}

# fields that are added to a header have the values known by then

for my $case (
    [ '/p3.html', {}, qr/^HIT  \d+$/, 'hit' ],
    [ '/p3.html?whole=1', {}, qr/^BYPASS bypass $/, 'bypass' ],
    [ '/p3.html', { fields => ['X-Mode: off'] }, qr/^OFF off $/, 'off' ],
    [ '/p3.html', { method => 'HEAD' }, qr/^HIT  \d+$/, 'head' ],
    [ '/p3.html', { fields => ['If-None-Match: ' . field($r, 'ETag')] },
        qr/^HIT  \d+$/, 'not modified' ],
    [ '/style.css', {}, qr/^BYPASS type $/, 'type' ],
    [ '/none.html', {}, qr/^BYPASS status $/, 'status' ],
    [ '/p3.html', { host => 'other.test' }, qr/^MISS no-template $/, 'miss' ],
) {
    my ($uri, $extra, $re, $title) = @$case;

    $r = http_request($extra->{method} || 'GET', $uri, %$extra);
    like(field($r, 'X-Vars'), $re, "in a header, $title");
}

like(field($r, 'Detemplate'), qr/^miss; reason=no-template/,
    'in a header, miss, evaluating a variable queues nothing');

# the log has the reason why a page was not rewritten

my $log = $t->read_file('error.log');

like($log, qr/\[info\].*page of "site.test" passed: $_/, "log, $_")
    for qw/ no-template no-match too-deep charset /;
unlike($log, qr/passed: (?:type|status|method|bypass)/,
    'log, response that is no page');

# counters

my $s = $t->status_json();

cmp_ok($s->{requests}{$_}, '>', 0, "status, $_")
    for qw/ hit miss bypass guard off /;
is($s->{requests}{error}, 0, 'status, no errors');
cmp_ok($s->{bytes}{removed}, '>=', 4 * $removed, 'status, bytes');
is(scalar(grep { $_->{site} eq 'other.test' } @{$s->{sites}}), 0,
    'status, site not learned');

# values that the configuration cannot check are told of once for a location

http_get('/kept/p3.html', fields => ["X-Mode: $_"]) for "Strip\ta\x80", 'none';
http_get("/words/p3.html?links=$_&cut=bold") for qw/ Keep none keep cut /;

is($t->said('unknown value "Strip?a?" of the variable in '
    . '"detemplate" means "off", it must be one of "off", "strip", '
    . '"annotate", "preview", "headers", "shadow", "markdown", "text"'), 1,
    'unknown mode, told');
is($t->said('unknown value'), 3, 'unknown values, told once');
is($t->said('"Keep" of the variable in "detemplate_links" means "cut", it '
    . 'must be one of "cut", "keep"'), 1, 'unknown word, told');

$t->done();

# the log line of the last request for this URI

sub logged ($uri) {
    my $last = '';

    wait_for(sub {
        for (split /\n/, $t->read_file('vars.log')) {
            $last = $1 if /^\Q$uri\E\|(.*)/;
        }

        $last;
    }, 5);

    return $last;
}
