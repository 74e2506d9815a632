#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Which responses are rewritten, and the header fields of requests and
# responses (RFC 9110, RFC 9111).

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    http => q{
        # a single learning, since entity tags are those of what is sent
        detemplate_loads 5;
        map $upstream_http_etag $strong {
            volatile;
            "~^\"" 1;
        }},
    mode => '$mode',
    status => 0,
    pages => [
        '/pass/' => 'detemplate_bypass 1;',
        '/index/' => 'index p3.html;',
        '/moved/' => '',
        '/gzip/' => 'gzip on; gzip_min_length 1;',
        '/charset/' => 'charset utf-16le;',
        '/ranges/' => 'add_header Accept-Ranges bytes;',
        '/expires/' => '
            expires 1h;
            add_header Vary Cookie;
            detemplate_vary X-Mode;',
    ],
    locations => [
        '= /moved/' => 'alias %%TESTDIR%%/html/; index p3.html;',
        '/o/' => '
            detemplate_bypass $upstream_http_x_whole $http_x_pass;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%;',
        '/any/' => '
            detemplate_types *;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%/o/;',
        '/tiers/' => '
            detemplate_bypass $upstream_http_detemplate;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%/o/;',
        '/tags/' => '
            detemplate_bypass $strong;
            proxy_http_version 1.1;
            proxy_pass %%HTTP_1%%/o/;',
        '/other/' => '
            detemplate_site other.test;
            detemplate_learn off;
            proxy_pass %%HTTP_1%%/o/;',
        '/return/' => 'return 200 "<p>words</p>";',
    ],
    servers => [
        {
            name => 'learned.test',
            listen => [2],
            mode => 'strip',
            locations => ['/' => 'proxy_pass %%HTTP_1%%/log/;'],
        },
    ],
);

$t->pages('html');
$t->write_file('html/p3.png', 'not really a picture');

# replies of the origin: header fields, and "status" or "body"

my %replies = (
    'plain' => [],
    'created' => [ status => 201 ],
    'no-content' => [ status => 204 ],
    'reset' => [ status => 205 ],
    'not-found' => [ status => 404 ],
    'error' => [ status => 503 ],
    'partial' => [ status => 206, 'Content-Range' => 'bytes 0-9/100' ],
    'xhtml' => [ 'Content-Type' => 'application/xhtml+xml' ],
    'upper-type' => [ 'Content-Type' => 'Text/HTML' ],
    'spaced-type' => [ 'Content-Type' => 'text/html ; charset=utf-8' ],
    'other-parameter' => [
        'Content-Type' => 'application/xhtml+xml; profile="a;b"' ],
    'long-type' => [ 'Content-Type' => 'text/htmlx; a=text/html' ],
    'text' => [ 'Content-Type' => 'text/plain' ],
    'no-type' => [ 'Content-Type' => undef ],
    'json' => [ 'Content-Type' => 'application/json' ],
    'events' => [ 'Content-Type' => 'text/event-stream' ],
    'multipart' => [ 'Content-Type' => 'multipart/mixed; boundary=x' ],

    'transform' => [ 'Cache-Control' => 'no-store' ],
    'no-transform' => [ 'Cache-Control' => 'no-transform' ],
    'no-transform-part' => [
        'Cache-Control' => 'public,max-age=1 , No-Transform' ],
    'no-transform-line' => [ 'Cache-Control' => 'public',
        'Cache-Control' => 'no-transform' ],
    'not-no-transform' => [ 'Cache-Control' => 'x-no-transform' ],

    'identity' => [ 'Content-Encoding' => 'Identity' ],
    'br' => [ 'Content-Encoding' => 'br' ],
    'none' => [ 'Content-Encoding' => 'none' ],
    'codings' => [ 'Content-Encoding' => 'identity, gzip' ],

    'utf-8' => [ 'Content-Type' => 'text/html; charset=UTF-8' ],
    'latin-1' => [ 'Content-Type' => 'text/html; charset=iso-8859-1' ],
    'utf-16' => [ 'Content-Type' => 'text/html; charset=UTF-16' ],
    'utf-32' => [ 'Content-Type' => 'text/html; charset="utf-32be"' ],
    'utf-7' => [ 'Content-Type' => 'text/html; charset=utf-7' ],
    'iso-2022' => [ 'Content-Type' => 'text/html;charset=ISO-2022-JP' ],
    'hz' => [ 'Content-Type' => 'text/html; charset=hz-gb-2312' ],
    'bom-16le' => [ body => "\xff\xfe" . page(3) ],
    'bom-16be' => [ body => "\xfe\xff" . page(3) ],
    'bom-8' => [ body => "\xef\xbb\xbf" . page(3) ],
    'meta' => [ body => page(3) =~ s/"utf-8"/"ISO-2022-KR"/r ],
    'meta-http' => [ body => page(3) =~
        s{charset="utf-8"}{http-equiv="content-type"
            content="text/html; charset=iso-2022-jp"}r ],

    'signed' => [ 'Signature-Input' => 'a=("content-digest");keyid="k"',
        'Signature' => 'a=:AAAA:' ],
    'digests' => [ 'Content-Digest' => 'sha-256=:AAAA:',
        'Repr-Digest' => 'sha-256=:AAAA:', 'Digest' => 'md5=AAAA',
        'Content-MD5' => 'AAAA', 'Want-Digest' => 'md5' ],

    'strong' => [ ETag => '"abc"' ],
    'weak' => [ ETag => 'W/"abc"' ],
    'malformed' => [ ETag => 'abc' ],
    'unfinished' => [ ETag => '"abc' ],
    'two-tags' => [ ETag => '"abc", "def"' ],
    'empty-tag' => [ ETag => '""' ],
    'spaced-tag' => [ ETag => '"a c"' ],
    'tabbed-tag' => [ ETag => qq{"a\tc"} ],
    'control-tag' => [ ETag => qq{"a\x01c"} ],
    'delete-tag' => [ ETag => qq{"a\x7fc"} ],
    'high-tag' => [ ETag => qq{"a\x80c"} ],
    'tag-lines' => [ ETag => '"a"', ETag => '"abc"' ],
    'bad-lines' => [ ETag => '"a"', ETag => 'abc' ],
    'date-lines' => [ 'Last-Modified' => 'Mon, 28 Sep 1970 06:00:00 GMT',
        'Last-Modified' => 'Tue, 29 Sep 1970 06:00:00 GMT' ],

    'cached' => [ 'Cache-Control' => 'private, max-age=60',
        Vary => 'Cookie', 'Set-Cookie' => 'a=1',
        'Last-Modified' => 'Mon, 28 Sep 1970 06:00:00 GMT',
        'Accept-Ranges' => 'bytes' ],
    'fresh' => [ ETag => '"fresh"', 'Cache-Control' => 'private, max-age=60',
        Vary => 'Cookie', 'Content-Location' => '/other' ],
    'unbuffered' => [ 'X-Accel-Buffering' => 'no' ],
    'whole' => [ 'X-Whole' => 'yes' ],
    'second-tier' => [ 'Detemplate' => 'hit; mode=annotate; version=7' ],
);

$t->origin(1, sub ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)};
    my $head = $request =~ /^HEAD/;

    if ($uri =~ m{^/log/p(\d+)}) {
        $t->append_file('requests.log', $request);
        print $s response(page($1));
        return;
    }

    my ($name) = $uri =~ m{^/o/([\w-]+)/} or return;
    my @reply = @{$replies{$name} || []};
    my ($status, $body, $type, $lines, $tag) = (200, page(3), 'text/html', '');

    while (my ($field, $value) = splice @reply, 0, 2) {
        if ($field eq 'status') {
            $status = $value;
        } elsif ($field eq 'body') {
            $body = $value;
        } elsif ($field eq 'Content-Type') {
            $type = $value;
        } else {
            $lines .= "$field: $value\r\n";
            $tag = $value if $field eq 'ETag';
        }
    }

    # the fields that the origin received

    for my $f (qw/ Range If-Range If-Match If-None-Match If-Modified-Since
        If-Unmodified-Since Detemplate-Learner X-Kept /)
    {
        $lines .= "X-Seen: $f=$1\r\n" if $request =~ /^$f: (.*?)\r$/mi;
    }

    if ($tag && $request =~ /^If-None-Match: (.*?)\r$/mi && $1 eq $tag) {
        $status = 304;
    }

    my $out = "HTTP/1.1 $status Reply\r\nConnection: close\r\n$lines";
    $out .= "Content-Type: $type\r\n" if defined $type;

    if ($status == 204 || $status == 304) {
        print $s "$out\r\n";
    } else {
        print $s $out . "Content-Length: " . length($body) . "\r\n\r\n"
            . ($head ? '' : $body);
    }
});

$t->run();

my $r;

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');

my $want = body($r);
my $hit = qr/^hit; mode=strip; version=\d+; settled(?:=\?0)?$/;

# which responses are rewritten

like(result(split m{/}, $_->[0]), $_->[1] eq 'hit' ? $hit
    : qr/^bypass; reason=$_->[1]$/, "$_->[0], " . ($_->[2] || $_->[1])) for (
    [ 'plain', 'hit' ],
    [ 'created', 'status' ],
    [ 'no-content', 'status' ],
    [ 'reset', 'status' ],
    [ 'not-found', 'status' ],
    [ 'error', 'status' ],
    [ 'partial', 'range' ],
    [ 'xhtml', 'hit' ],
    [ 'upper-type', 'hit' ],
    [ 'spaced-type', 'hit' ],
    [ 'other-parameter', 'hit' ],
    [ 'long-type', 'type' ],
    [ 'text', 'type' ],
    [ 'json', 'type' ],
    [ 'events', 'type' ],
    [ 'multipart', 'type' ],
    [ 'transform', 'hit' ],
    [ 'no-transform', 'no-transform' ],
    [ 'no-transform-part', 'no-transform', 'list part' ],
    [ 'no-transform-line', 'no-transform', 'second line' ],
    [ 'not-no-transform', 'hit' ],
    [ 'identity', 'hit' ],
    [ 'br', 'encoding' ],
    [ 'none', 'encoding' ],
    [ 'unbuffered', 'hit' ],
    [ 'whole', 'bypass', 'by a field of the response' ],
    [ 'codings', 'encoding', 'several' ],
    [ 'utf-8', 'hit' ],
    [ 'latin-1', 'hit' ],
    [ 'utf-16', 'charset' ],
    [ 'utf-32', 'charset' ],
    [ 'utf-7', 'charset' ],
    [ 'iso-2022', 'charset' ],
    [ 'hz', 'charset' ],
    [ 'signed', 'signature' ],
    [ 'digests', 'hit' ],
    [ 'second-tier', 'hit', 'one field' ],
    [ 'text/any', 'hit', 'any type' ],
    [ 'events/any', 'type', 'any type' ],
    [ 'multipart/any', 'type', 'any type' ],
    [ 'second-tier/tiers', 'bypass', 'another tier rewrote it' ],
    [ 'plain/tiers', 'hit', 'another tier passed it' ],
    [ 'strong/tags', 'bypass', 'strong tag' ],
    [ 'weak/tags', 'hit', 'bypass for strong tags' ],
);

gets(
    [ 'bypass for strong tags, condition', '/tags/strong/p3.html',
        { fields => ['If-None-Match: "x"'] },
        Detemplate => qr/^bypass; reason=bypass$/ ],
    [ 'other site', '/other/plain/p3.html',
        Detemplate => qr/^miss; reason=learn$/ ],
    [ 'charset filter before the module', '/charset/p3.html',
        Detemplate => qr/reason=charset/ ],
    [ 'response without handler', '/return/',
        Detemplate => qr/^hit; new-layout; / ],
    [ "nginx's own error page", '/none.html',
        Detemplate => qr/reason=status/ ],

    # bodies of these responses

    (map { [ "$_, unchanged", "/o/$_/p3.html", body => body_of($_) ] } qw/
        not-found error reset partial text no-transform br none utf-16 signed
        bom-16le bom-16be meta meta-http /),
    [ 'stripped', '/o/plain/p3.html', body => $want ],
    [ 'stripped, unbuffered by a field', '/o/unbuffered/p3.html',
        body => $want ],
    [ 'bom of utf-8 kept', '/o/bom-8/p3.html', body => "\xef\xbb\xbf$want" ],
    [ 'preview', '/o/spaced-type/p3.html', { fields => ['X-Mode: preview'] },
        Detemplate => qr/^hit; mode=preview/ ],
    [ 'preview', '/o/other-parameter/p3.html',
        { fields => ['X-Mode: preview'] }, Detemplate => qr/reason=type/ ],

    # the parameters of the type are kept

    (map { [ $_, "/o/$_/p3.html", 'Content-Type' => $replies{$_}[1] ] }
        qw/ spaced-type other-parameter /),
);

# requests

like(result('plain', 'o', @{$_->[0]}), $_->[1], $_->[2]) for (
    [ [ method => 'HEAD' ], $hit, 'head' ],
    [ [ method => 'POST', fields => ['Content-Length: 0'] ],
        qr/reason=method/, 'post' ],
    [ [ fields => ['Cache-Control: no-cache'] ], $hit, 'no-cache' ],
    [ [ fields => ['Cache-Control: no-transform'] ], $hit,
        'no-transform of the request' ],
    [ [ fields => ['Cookie: a=1', 'Authorization: Basic YTph'] ], $hit,
        'cookie and authorization' ],
);

# fields of a rewritten response, and of one that is not; some are in lines
# that nginx itself does not parse

gets(
    [ 'rewritten', '/o/cached/p3.html', status => 200,
        'Content-Length' => qr/^\d+$/,
        'Accept-Ranges' => '', 'Last-Modified' => '', Vary => 'Cookie',
        'Cache-Control' => 'private, max-age=60', 'Set-Cookie' => 'a=1' ],
    [ 'digests', '/o/digests/p3.html', 'Want-Digest' => 'md5',
        map { ($_ => '') }
            qw/ Content-Digest Repr-Digest Digest Content-MD5 / ],
    [ 'add_header', '/ranges/p3.html', 'Accept-Ranges' => '' ],
    [ 'two lines', '/o/date-lines/p3.html', 'Last-Modified' => '' ],
    [ 'bypass', '/o/not-found/p3.html', 'Content-Length' => length page(3) ],
    [ 'bypass', '/o/cached/p3.html', { fields => ['X-Pass: 1'] },
        'Last-Modified' => 'Mon, 28 Sep 1970 06:00:00 GMT',
        'Accept-Ranges' => 'bytes' ],
    [ 'off', '/p3.html', { fields => ['X-Mode: off'] },
        ETag => qr/^"[^;]+"$/ ],
);

# head; a learning may come in between; an origin that has no body for it tells
# no tag and no length of what would be sent

for my $uri (qw{
    /p3.html /o/plain/p3.html /o/strong/p3.html /o/not-found/p3.html
    /o/digests/p3.html /o/utf-16/p3.html /other/plain/p3.html /p3.png
}) {
    my %head = map { ($_ => 1) } split /\n/, fields(http_head($uri));
    my @get = split /\n/, fields(http_get($uri));

    delete @head{@get};
    is(join(', ', keys %head), '', "head, no more than $uri");

    %head = map { ($_ => 1) } split /\n/, fields(http_head($uri));
    is(join(', ', grep { !$head{$_} && !/^(?:ETag|Content-Length)/ } @get),
        '', "head, fields of $uri");
}

# entity tags

my ($h) = tag('strong') =~ /^("dt-[0-9a-f]{16}")$/;

is(tag($_->[0]), $_->[1], "entity tag, $_->[0]") for (
    [ 'strong', $h ], [ 'weak', "W/$h" ],
    (map { [ $_, $h ] } qw/ empty-tag malformed unfinished two-tags spaced-tag
        tabbed-tag control-tag delete-tag high-tag plain tag-lines
        bad-lines /),
);

like(tag('strong', fields => ['X-Mode: annotate']), qr/^(?!$h)"dt-/,
    'entity tag, mode');
is(tag('strong', fields => ['X-Pass: 1']), '"abc"', 'entity tag, bypass');

# conditional and range requests for rewritten responses

my $tag = field(http_get('/p3.html'), 'ETag');
my $plain = field(http_get('/p3.html', fields => ['X-Mode: off']), 'ETag');
my $date = field(http_get('/p3.html', fields => ['X-Mode: off']),
    'Last-Modified');
my $picture_date = field(http_get('/p3.png'), 'Last-Modified');
my $epoch = 'Thu, 01 Jan 1970 00:00:01 GMT';

is($tag, $h, 'entity tag, file');

my $marked = tag('strong', fields => ['X-Mode: annotate']);

is(status_of(http_get($_->[0], fields => $_->[1])), $_->[2], $_->[3]) for (
    [ '/p3.html', ["If-None-Match: $tag"], 304, 'if-none-match' ],
    [ '/p3.html', ["If-None-Match: \"x\",W/\"y\" , $tag"], 304,
        'if-none-match, list' ],
    [ '/p3.html', ["If-None-Match: $tag", "If-Modified-Since: $epoch"], 304,
        'if-none-match, first of conditions' ],
    [ '/p3.html', ["If-None-Match: $plain"], 200, 'if-none-match, of origin' ],
    [ '/p3.html', ['If-None-Match: "dt-0123456789abcdef"'], 200,
        'if-none-match, other template' ],
    [ '/p3.html', ["If-None-Match: $marked"], 200,
        'if-none-match, other mode' ],
    [ '/p3.html', ['If-None-Match: *'], 304, 'if-none-match, any' ],
    [ '/p3.html', ['If-None-Match: abc'], 200, 'if-none-match, malformed' ],
    [ '/p3.html', ["If-Match: $tag"], 200, 'if-match' ],
    [ '/p3.html', ["If-Match: $plain"], 200, 'if-match, of origin' ],
    [ '/p3.html', ["If-Modified-Since: $date"], 200, 'if-modified-since' ],
    [ '/p3.html', ["If-Unmodified-Since: $epoch"], 200,
        'if-unmodified-since' ],
    [ '/p3.html', ['Range: bytes=0-9'], 200, 'range' ],
    [ '/p3.html', ['Range: bytes=0-9', "If-Range: $plain"], 200, 'if-range' ],
    [ '/index/', ["If-None-Match: $tag"], 304, 'internal redirect' ],
    [ '/index/', ['Range: bytes=0-9'], 200, 'internal redirect, range' ],
    [ '/moved/', ["If-None-Match: $tag"], 304, 'other location' ],
    [ '/moved/', ['Range: bytes=0-9'], 200, 'other location, range' ],
    [ '/gzip/p3.html', ["If-None-Match: $tag", 'Accept-Encoding: gzip'], 304,
        'gzip behind' ],
    [ '/p3.png', ['Range: bytes=0-9'], 206, 'picture, range' ],
    [ '/p3.png', ["If-Modified-Since: $picture_date"], 304,
        'picture, if-modified-since' ],
    [ '/p3.html', ["If-None-Match: $plain", 'X-Mode: off'], 304, 'off' ],
    [ '/p3.html', ['Range: bytes=0-9', 'X-Mode: off'], 206, 'off, range' ],
    [ '/pass/p3.html', ["If-None-Match: $plain"], 304, 'bypass' ],
);

gets([ 'not modified', '/p3.html', { fields => ["If-None-Match: $tag"] },
    ETag => $tag, 'Last-Modified' => '', Detemplate => $hit ]);

# The fields that caches use are those of a 200, from the origin and from
# nginx.

for my $uri (qw{ /o/fresh/p3.html /expires/p3.html }) {
    my $full = http_get($uri);

    $r = http_get($uri, fields => ['If-None-Match: ' . field($full, 'ETag')]);
    is(status_of($r), 304, "$uri, not modified");

    for my $f (qw/ ETag Vary Cache-Control Content-Location /) {
        is(field($r, $f), field($full, $f), "$uri, not modified, $f");
    }

    like(field($full, 'Vary'), qr/^Cookie/, "$uri, vary of the full response");
}

is(body(http_get($_, fields => ['If-None-Match: "x"'])), $want, "$_, body")
    for qw{ /p3.html /index/ /moved/ };

is(body(http_get('/p3.html', fields => ['Range: bytes=0-9'])), $want,
    'range is ignored, whole page is sent');

# the field of a 416 describes the error page

for my $case (['p3.png', 'strip'], ['p3.html', 'headers']) {
    $r = http_get("/$case->[0]", fields => ['Range: bytes=99999999-',
        "X-Mode: $case->[1]"]);
    is(status_of($r), 416, "unsatisfiable range, $case->[1]");
    is(join('|', $r =~ /^(Detemplate\S*: .*?)\x0d?$/mg),
        'Detemplate: bypass; reason=status',
        "unsatisfiable range, $case->[1], field");
}

# the conditions that the origin receives

sub seen { field(http_get("/o/$_[0]/p3.html", fields => $_[1]), 'X-Seen') }

is(seen(@$_[0, 1]), $_->[2], $_->[3]) for (
    [ 'plain', ['Range: bytes=0-9', 'If-Range: "abc"', 'X-Kept: 1'],
        'X-Kept=1', 'upstream, no range' ],
    [ 'plain', ["If-Modified-Since: $date", "If-Unmodified-Since: $date"], '',
        'upstream, no dates' ],
    [ 'plain', ['If-None-Match: "abc"', 'If-Match: *'], '',
        'upstream, no tags' ],
    [ 'strong', [qq{If-None-Match: $h}, qq{If-Match: $h}], '',
        'upstream, not ours either' ],
    [ 'plain', ['X-Pass: 1', 'Range: bytes=0-9'],
        'Range=bytes=0-9', 'upstream, bypass' ],
    [ 'plain', ['Detemplate-Learner: ' . 'a' x 32, 'X-Kept: 1'], 'X-Kept=1',
        'upstream, no marker' ],
    [ 'plain', ['X-Mode: off', 'detemplate-learner: x', 'X-Kept: 1'],
        'X-Kept=1', 'upstream, no marker, off' ],
);

$r = http_get('/o/strong/p3.html', fields => ["If-None-Match: $h"]);

is(status_of($r), 304, 'upstream, not modified');
is(field($r, 'ETag'), $h, 'upstream, not modified, tag');

like(result('plain', 'o', fields => ['Detemplate-Learner: ' . 'a' x 32]), $hit,
    "learner's field with a wrong key");

# the learner never gets a rewritten page, and the origin never sees the
# learner's key

ok($t->learn('/p3.html', port => $t->port(2), host => 'learned.test'),
    'learned through an upstream');

my $log = $t->read_file('requests.log');

like($log, qr/User-Agent: detemplate/i, 'learner is seen by the upstream');
unlike($log, qr/Detemplate-Learner/i,
    "learner's key is not sent to the upstream");

$t->done();

# the field Detemplate of that reply of the origin

sub result ($name, $prefix = 'o', %extra) {
    return detemplate("/$prefix/$name/p3.html", %extra);
}

sub tag ($name, %extra) {
    return field(http_get("/o/$name/p3.html", %extra), 'ETag');
}

sub body_of {
    my %reply = @{$replies{$_[0]}};

    return $reply{body} || page(3);
}

# the header of a response without fields that depend on time and framing

sub fields {
    my ($head) = split /\r\n\r\n/, $_[0], 2;

    return join "\n", sort grep {
        !/^(?:Date|Connection|Transfer-Encoding):/i
    } map { s{; version=\d+; settled.*}{}r } split /\r\n/, $head;
}
