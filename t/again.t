#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The module looks at a request more than once: for a variable before there is
# a response, after a redirect to another location, for the response, and after
# it.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->configure(
    zone => '4m',
    http => '
        proxy_cache_path %%TESTDIR%%/cache keys_zone=cache:1m;
        log_format status "$uri $detemplate_status";
        map $http_x_mode $mode { default $http_x_mode; "" strip; }',
    listen => [0, '3 sndbuf=4k'],
    pages => [
        '/index/' => 'index p3.html;',
        '/other/' => 'index p3.html;',
        '/refused/' => 'index p3.html;',
        '/same/' => 'index p3.html;',
        '/own/' => '
            add_header X-Reason "[$detemplate_reason]";
            detemplate_bypass $detemplate_reason $detemplate_removed;',
        '/post/' => '
            detemplate $mode;
            access_log %%TESTDIR%%/post.log status;
            post_action /done;',
        '/count/' => 'post_action /done;',
        '/parts/' => 'ssi on; output_buffers 2 64k;',
    ],
    locations => [
        '/try/' => 'try_files /none$uri @application;',
        '@application' => '
            detemplate_bypass $cookie_session;
            rewrite ^/try(/.*) $1 break;
            proxy_pass http://127.0.0.1:%%PORT_2%%;',
        '= /index/p3.html' => '
            detemplate off;
            alias %%TESTDIR%%/html/p3.html;',
        '= /other/p3.html' => '
            detemplate_site other.test;
            detemplate_learn off;
            alias %%TESTDIR%%/html/p3.html;',
        '= /refused/p3.html' => '
            set $none "no name";
            detemplate_site $none;
            alias %%TESTDIR%%/html/p3.html;',
        '= /same/p3.html' => '
            detemplate_site site.test;
            alias %%TESTDIR%%/html/p3.html;',
        '/off/' => 'try_files /none$uri @off;',
        '@off' => 'detemplate off; rewrite ^/off(/.*) $1 break;',
        '= /done' => '
            detemplate $mode;
            access_log %%TESTDIR%%/post.log status;
            alias %%TESTDIR%%/html/p1.html;',
        '/slice/' => '
            sendfile on;
            slice 4k;
            proxy_cache cache;
            proxy_cache_key $uri$slice_range;
            proxy_set_header Range $slice_range;
            proxy_cache_valid 200 206 1h;
            proxy_pass %%HTTP_2%%/;',
        '/part/' => '
            proxy_buffering off;
            proxy_buffer_size 4k;
            proxy_pass %%HTTP_1%%;',
    ],
    servers => [
        {
            name => 'version.test conditions.test',
            server => 'detemplate_site $host; detemplate_refresh 1s;',
            pages => ['/conditions/' => ''],
            locations => [
                '/' => 'add_header X-Version "[$detemplate_version]";',
            ],
        },
        { listen => [2], name => 'files.test', mode => 'off' },
    ],
);

$t->pages('html');

# the first piece of the included page is template, the others are not

my ($top, $nav, $rest) = page(3) =~ m{^(.*)(<nav>.*</nav>)(.*)$}s;
my @pieces = map { my $n = $_; join ' ', map { "piece $n word $_" } 1 .. 220 }
    1 .. 12;
my $words = join ' ', map { "word $_ of many" } 1 .. 40000;

$t->write_file('html/part.html', "$top<p>$words</p>\n"
    . "<!--# include virtual=\"/part/x\" -->\n$rest");

$t->origin(1, sub ($s, $) {
    print $s head();

    for my $piece ($nav, @pieces) {
        print $s $piece;
        select undef, undef, undef, 0.03;
    }
});

$t->run();

my ($r, $etag, %versions);

ok($r = $t->learn('/p3.html'), 'learned') or BAIL_OUT('nothing was learned');
my $want = body($r);

# a request moves to a location that does not rewrite

$r = http_get('/try/p3.html');
is(body($r), $want, 'try_files, stripped');
$etag = field($r, 'ETag');
like($etag, qr{^"dt-[0-9a-f]{16}"$}, 'try_files, tag');
is(status_of(http_get('/try/p3.html', fields => ["If-None-Match: $etag"])),
    304, 'try_files, condition');

my @tag = ["If-None-Match: $etag"];

gets(
    [ 'try_files to a bypass', '/try/p3.html',
        [ "If-None-Match: $etag", 'Cookie: session=1' ], status => 200,
        body => page(3) ],
    [ 'index that is off', '/index/', @tag, status => 200, body => page(3) ],
    (map { my $field = $_;
        ([ 'index of a site without a template', '/other/', [$field],
            status => 200, body => page(3) ],
        [ 'index of a name that is none', '/refused/', [$field],
            status => 200, body => page(3) ]) }
        "If-None-Match: $etag", "If-None-Match: \"x\", $etag"),
    [ 'index of the same site', '/same/', @tag, status => 304 ],
    [ 'try_files to a page that is off', '/off/p3.html',
        ['Range: bytes=0-9'], status => 206 ],

    # a condition of the module contains its own variables

    [ 'own variables', '/own/p3.html', body => $want, 'X-Reason' => '[]' ],
);

# after the response

$r = http_get('/post/p3.html');
is(body($r), $want, 'post_action, stripped');
soon { $t->read_file('post.log') =~ /\n/ } 'post_action, logged', 5;
like($t->read_file('post.log'), qr/ HIT\n/, 'post_action, status');

my $types = $t->counted('type') || 0;

$t->write_file('html/x.css', 'a{}');
http_get('/count/x.css') for 1, 2;
soon { ($t->counted('type') || 0) == $types + 2 }
    'post_action, what is no page is counted', 5;

# slices come from files

is(body(http_get('/slice/p3.html')), $want, "slices, $_") for 1 .. 4;

# a template that is due is learned anew, whatever has looked it up before

for my $case ([ 'version', '/p3.html' ],
    [ 'conditions', '/conditions/p3.html', 'If-None-Match: "x"' ])
{
    my ($name, $uri, @fields) = @$case;

    ok($t->learn($uri, host => "$name.test"), "$name, learned");
    soon {
        $r = http_get($uri, host => "$name.test", fields => \@fields);
        return field($r, 'Detemplate') =~ /version=[3-9]/;
    } "$name, learned anew", 15;
}

like(field(http_get('/p3.html', host => 'version.test'), 'X-Version'),
    qr/^\[\d+\]$/, 'version, in a header');

# nginx puts pieces of an included page into the same memory once it is free

my $parts = body(http_get('/parts/part.html'));
my $slow = slowly('/parts/part.html');

ok(index($parts, $words) > 0, 'include, the page');
ok(index($parts, join '', @pieces) > 0, 'include, the include');
ok($parts !~ /<nav/, 'include, stripped');
ok($slow eq $parts, 'include, a slow client')
    or diag(first_difference($slow, $parts));

$t->done();

# the body that a client gets which reads some bytes now and then

sub slowly ($uri) {
    my $s = http_get($uri, port => $t->port(3), start => 1);
    my $reply = '';

    select undef, undef, undef, 0.3;

    while ($s->sysread($reply, 9000, length $reply)) {
        select undef, undef, undef, 0.002;
    }

    return body($reply);
}

sub first_difference ($got, $want) {
    my $n = 0;
    $n++ while $n < length $got && substr($got, $n, 1) eq substr $want, $n, 1;

    return "at $n of " . length($got) . ' and ' . length($want) . ': '
        . substr($got, $n, 60) . ' | ' . substr $want, $n, 60;
}
