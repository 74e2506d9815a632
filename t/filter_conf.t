#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What nginx -t accepts, and what it refuses with a message that names the
# directive.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $zone = 'detemplate_zone z:1m;';
my $here = qr/in \S+\/try\.conf:\d+/;
my $bounds = 'must be between 1s and 10y';

$t->write_file('password', "secret\n");

# lines of http {} without a zone, of http {}, and of server {}

accepted('bare http' => '', 'detemplate off;', 'detemplate_zone z:32k;',
    "detemplate strip; $zone");
accepted('bare server' => 'detemplate off;');
accepted(http => '', 'detemplate strip;',
    'detemplate_redis redis://127.0.0.1:6379/0;',
    'detemplate_redis redis://user:secret@localhost:6379/1 prefix=a: '
        . 'timeout=300ms;',
    'detemplate_redis rediss://redis.example.com:6380 ca=ca.pem cert=own.pem '
        . 'key=own.key verify=on user_file=user password_file=secret;',
    'detemplate_redis redis+sentinel://a:1,b:2/main/0 '
        . 'sentinel_password_file=%%TESTDIR%%/s;',
    'detemplate_redis unix:/tmp/redis.sock '
        . 'password_file=%%TESTDIR%%/password;',
    'detemplate_learners 4;', 'detemplate_candidates 1; detemplate strip;',
    'detemplate_valid 10y; detemplate_refresh 1s; detemplate strip;',
    'detemplate_valid 1h; detemplate strip;');
accepted(server => 'detemplate annotate;', 'location / { detemplate strip; }',
    'location / { detemplate_candidates 1; }',
    'location / { detemplate_candidates 40; }',
    'location / { detemplate_valid 1h; }',
    'detemplate off; location / { detemplate annotate; }',
    'detemplate $http_x_mode;', 'detemplate ${http_x_mode}x;',
    'detemplate strip; detemplate_site $host; '
        . 'detemplate_origin http://127.0.0.1:8080/; '
        . 'detemplate_types text/plain; '
        . 'detemplate_candidates 4; detemplate_votes 4; detemplate_loads 4; '
        . 'detemplate_valid 1h; detemplate_refresh 1h; detemplate_wait 2s; '
        . 'detemplate_learn off; detemplate_detector etdm; '
        . 'detemplate_robots off; detemplate_connections 4; '
        . 'detemplate_bypass $cookie_a $arg_b;',
    (map { "detemplate strip; detemplate_learn $_;" } 'all', 'public',
        'served', 'served all', '"served all"', '$http_x_learn'),
    'detemplate strip; detemplate_types *;',
    'detemplate_origin https://example.com/base;', 'detemplate_origin off;',
    'detemplate_links cut; location / { detemplate_links keep; }',
    'location /status { detemplate_status; }', 'detemplate preview;',
    (map { "location /s { detemplate_status$_; }" }
        ' preview=a=b', ' preview=', '', ' public preview=a'),
    (map { "detemplate_accept $_;" }
        'json', 'text', 'text json markdown', 'off'),
    'detemplate strip; detemplate_keep ' . join(' ', map { ".c$_" } 1 .. 62)
        . ';');

# the same, and an expression that the message matches

refused('bare http',
    'detemplate strip;' => qr/detemplate_zone name:size/,
    'detemplate_zone z;' => qr/detemplate_zone".*name:size/,
    'detemplate_zone :1m;' => qr/detemplate_zone".*name:size/,
    'detemplate_zone z:many;' => qr/size "many" in "detemplate_zone"/,
    'detemplate_zone z:16k;' => qr/"detemplate_zone" "z".*at least 32k/,
);

refused('bare server',
    'detemplate $http_x;' => qr/detemplate_zone name:size/,
    'location /status { detemplate_status; }' => qr/detemplate_zone name:size/,
    'detemplate_accept markdown;' => qr/need "detemplate_zone/,
    'location /c { detemplate_control; }' =>
        qr/"detemplate_control" need "detemplate_zone/,
);

refused('http',
    'detemplate on;' => qr/"on" in "detemplate".*"strip"/,
    'detemplate;' => qr/number of arguments in "detemplate"/,
    'detemplate strip; detemplate off;' =>
        qr/"detemplate" directive is duplicate/,
    'detemplate_zone y:1m;' => qr/"detemplate_zone" directive is dup/,
    'detemplate_connections 0;' =>
        qr/"detemplate_connections" must be between 1 and 4/,
    'detemplate_connections 5;' =>
        qr/"detemplate_connections" must be between 1 and 4/,
    'detemplate_robots never;' => qr/invalid value "never"/,
    'detemplate_learners 0;' => qr/"detemplate_learners" must be/,
    (map { ("detemplate_hold $_;" => qr/"detemplate_hold".*invalid size/) }
        qw/ many -1 2x /, "''"),
    (map { ("detemplate_hold 1m $_;" => qr/"detemplate_hold".*invalid time/) }
        qw/ soon 0 -1 5x /, "''"),
    'detemplate_hold 1m; detemplate_hold 2m;' =>
        qr/"detemplate_hold" directive is duplicate/,
    'detemplate_hold 1m 1s 1s;' => qr/number of arguments in "detemplate_hold/,
    "detemplate_program '';" => qr/"detemplate_program" directive is empty/,
    'detemplate_path b;' => qr/"detemplate_path" directive is dup/,
    (map { ("detemplate_redis $_->[0];" => $_->[1]) }
        [ 'http://localhost',
            qr/"detemplate_redis".*redis:\/\/.* or unix: $here/ ],
        [ 'redis://a read=redis://b',
            qr/invalid parameter "read=redis:\/\/b" of "detemplate_redis"/ ],
        [ "''", qr/"detemplate_redis".*URL.* $here/ ],
        [ 'redis://localhost:99999', qr/"detemplate_redis".*port.* $here/ ],
        [ 'redis://localhost verify=no',
            qr/parameter "verify=no" of "detemplate_redis", known are .*/ ],
        [ "redis://localhost 'prefix=" . 'x' x 2000 . "'",
            qr/"detemplate_redis".*prefix.* $here/ ],
        [ 'redis://localhost timeout=61s',
            qr/"detemplate_redis".*time-out.* $here/ ],
        [ 'redis://no.invalid; detemplate_redis unix:/b',
            qr/"detemplate_redis" directive is dup/ ],
        [ 'redis://localhost pre=a',
            qr/"pre=a" of "detemplate_redis".*prefix=/ ],
        [ 'redis://localhost timeout=soon',
            qr/"timeout=soon" of "detemplate_redis"/ ],
        [ 'redis://localhost password_file=',
            qr/"password_file=" of "detemplate_redis"/ ]),
);

refused('server',
    (map { ("$_;" => qr/"@{[s{ .*}{}r]}" directive is not allowed here/) }
        'detemplate_zone z:1m', 'detemplate_redis redis://localhost',
        'detemplate_learners 2', 'detemplate_status'),
    'detemplate strip; detemplate_candidates 2; detemplate_votes 3;' =>
        qr/"detemplate_votes" is 3 of only 2 "detemplate_candidates"/,
    'detemplate_candidates 3; detemplate_loads 2;' =>
        qr/"detemplate_loads" is 2, less than/,
    'detemplate_loads 2; detemplate_votes 3;' =>
        qr/"detemplate_votes" is 3 of only 2/,
    'detemplate_candidates 0;' => qr/"detemplate_candidates" must be/,
    'detemplate_candidates 64;' => qr/must be between 1 and 63/,
    'detemplate_valid 1h; detemplate_refresh 2h;' =>
        qr/"detemplate_refresh" is 7200 s.*"detemplate_valid"/,
    'detemplate_valid 0;' => qr/"detemplate_valid" $bounds/,
    'detemplate_refresh 0;' => qr/"detemplate_refresh" $bounds/,
    'detemplate_valid 3651d;' => qr/"detemplate_valid" $bounds/,
    'detemplate_links cut; detemplate_links keep;' =>
        qr/"detemplate_links" directive is duplicate/,
    'detemplate_links some;' =>
        qr/invalid value "some" in "detemplate_links"/,
    'detemplate_cut bold; detemplate_cut cautious;' =>
        qr/"detemplate_cut" directive is duplicate/,
    'detemplate_cut brave;' =>
        qr/"brave" in "detemplate_cut", it must be "bold", "cautious"/,
    'detemplate_site "";' => qr/name "" in "detemplate_site"/,
    'detemplate_site "a b";' => qr/name "a b" in "detemplate_site"/,
    'detemplate_site a}b;' => qr/in "detemplate_site"|unexpected "}"/,
    'detemplate_site ' . 'a' x 256 . ';' =>
        qr/in "detemplate_site", it must have 1 to 255/,
    'detemplate_wait long;' => qr/"detemplate_wait" directive invalid/,
    'detemplate_types html;' =>
        qr/"html" in "detemplate_types", it must be like/,
    'detemplate_learn maybe;' =>
        qr/"maybe" in "detemplate_learn", it must be "off", "on", /,
    'detemplate_detector magic;' => qr/"magic" in "detemplate_detector".*etdm/,
    'detemplate_origin off; detemplate_origin http://a;' =>
        qr/"detemplate_origin" directive is dup/,
    (map { ("detemplate_origin $_;" => qr/in "detemplate_origin"/) }
        '127.0.0.1:8080', 'ftp://localhost/', 'http://', 'http://[a/',
        'http://a/?b'),
    'detemplate_llms maybe;' => qr/invalid value "maybe"/,
    'detemplate previews;' => qr/"json" or a variable/,
    (map { ("detemplate_url '$_';" => qr/invalid URL "\Q$_\E" in/) }
        '', 'www.example.com', 'ftp://a', 'https://', 'https:///',
        'http://a/b', 'https://.a', 'https://a b', 'https://:80'),
    'detemplate_url https://a; detemplate_url https://b;' =>
        qr/"detemplate_url" directive is duplicate/,
    (map { ("detemplate_suffix '$_';"
        => qr/invalid value "\Q$_\E" in "detemplate_suffix"/) }
        '', '.', 'md', '.a/b', '.MD', '.m d'),
    'detemplate_accept ;' => qr/number of arguments in "detemplate_accept"/,
    (map { ("detemplate_accept $_;"
        => qr/invalid value "\w+" in "detemplate_accept"/) } 'xml',
        'markdown off', 'off text', 'markdown html', 'markdown text text',
        'json json', 'off json'),
    (map { ("detemplate strip; detemplate_vary $_;" => qr/"detemplate_vary"/) }
        '""', '*', 'X-Mode:', '"X Mode"', 'X-Mode x-mode', 'off X-Mode',
        'X-Mode off', 'off; detemplate_vary X-Mode'),
    'location /c { detemplate_control all; }' =>
        qr/invalid parameter "all" of/,
    'location /c { detemplate_control; detemplate_control; }' =>
        qr/is duplicate/,
    (map { ("detemplate_learner_address $_;"
        => qr/invalid address .* in "detemplate_lear/) } 'no', '""',
        '127.0.0.1:80', '10.0.0.0/8', 'unix:/a', '$a', 'localhost'),
    'detemplate_learner_address client; detemplate_learner_address ::1;' =>
        qr/"detemplate_learner_address" directive is dup/,
    (map { ("location /s { detemplate_status $_->[0]; }" => $_->[1]) }
        [ 'publics', qr/preview=argument or public/ ],
        [ 'previews=a', qr/invalid parameter "previews=a"/ ],
        [ 'preview', qr/invalid parameter "preview"/ ],
        [ 'preview=a; detemplate_status', qr/is duplicate/ ],
        [ '; detemplate_status', qr/is duplicate/ ],
        map { [ "'preview=$_'", qr/invalid parameter/ ] }
            'a"', 'a b', 'a<b', 'a&b', 'a#b', 'a?b', "a\x7f"),
    (map { ("detemplate annotate; detemplate_marks $_;"
        => qr/"detemplate_marks"/) }
        map({ "'attribute=a=\"b${_}c\"'" } qw/ < > & /, "\t", "\x7f"),
        'attribute=', 'attribute=1a', 'attribute=a>b', 'attribute=a=b',
        'attribute=a="', '\'attribute=a="b\'', '\'attribute=a="b">"\'',
        '\'attribute="b"\'', '"attribute=a b"', 'begin=<!--a-->',
        'end=<!--a-->', 'begin=<!--a--> htdig', 'begin=<!--a--> end=b',
        'begin=<b> end=</b>', 'begin=<!----> end=<!--a-->',
        'begin=<!--a--b--> end=<!--a-->', 'begin=<!--a---> end=<!--a-->',
        'begin=<!-->--> end=<!--a-->', 'begin=<!--a--> end=<!-- end=<!--a-->',
        'google', ''),
    (map { ("detemplate strip; detemplate_$_->[0];" => $_->[1]) }
        [ 'keep a>b',
            qr/invalid selector "a>b" in "detemplate_keep": only names/ ],
        [ 'force "a b c"', qr/more than two are nested/ ],
        [ 'force .a ""', qr/invalid selector "" .*it is empty/ ],
        [ 'force [a]', qr/in brackets there must be name=value/ ],
        [ 'keep ' . 'a' x 129, qr/longer than 128 bytes/ ],
        [ 'keep' . ' a' x 63, qr/there are more than 62/ ],
        [ 'keep' . ' a' x 40 . '; detemplate_force' . ' b' x 40,
            qr/in "detemplate_force": there are more than 62/ ],
        [ 'keep off; detemplate_keep a',
            qr/"detemplate_keep" directive has "off" and other selectors/ ],
        [ 'keep off a', qr/has "off" and other selectors/ ]),
);

# accepted, but nobody would see why nothing is learned: servers after the
# first one, what the warning says or nothing, title

my $on = "$zone detemplate strip;";
my $other = 'listen 127.0.0.1:%%PORT_8%%;';

warns(@$_) for (
    [ '', '', 'a server with a name' ],
    [ "$other server_name b;", '', 'two names' ],
    [ $other, 'pages of the server in \S+:\d+ pass unchanged: it has neither '
        . '"server_name" nor "detemplate_site"', 'no name' ],
    [ "$other server_name _;", '', 'any name' ],
    [ "$other detemplate_site b;", '', 'a site instead of a name' ],
    [ "$other detemplate off;", '', 'no name and no pages' ],
    [ "$other detemplate off; location / { detemplate strip; }",
        'pass unchanged', 'no name, pages in a location' ],
    [ "listen unix:%%TESTDIR%%/a.sock; server_name b;",
        'nothing is learned from the server in \S+:\d+: the learner can use '
        . 'none of its listeners', 'a unix socket' ],
    [ "listen unix:%%TESTDIR%%/a.sock; $other server_name b;", '',
        'a unix socket and an address' ],
    [ "listen unix:%%TESTDIR%%/a.sock; server_name b; "
        . 'detemplate_origin http://127.0.0.1;', '',
        'a unix socket and an origin' ],
    [ "listen unix:%%TESTDIR%%/a.sock; server_name b; detemplate_learn off;",
        '', 'a unix socket, nothing is to be learned' ],
    [ 'listen 127.0.0.1:%%PORT_8%% proxy_protocol; server_name b;',
        'none of its listeners', 'the PROXY protocol' ],
    [ "$other server_name s;", '', 'one site with two servers' ],
    [ "$other server_name s; root /other;", 'the servers in \S+:\d+ and '
        . '\S+:\d+ have one template, that of the site "s", but not one root',
        'one name with two roots' ],
    [ "$other server_name s; }\nserver { $other server_name s; "
        . 'root /other;', 'and \S+:(\d+) have one template(?s:.*)servers in '
        . '\S+:\1 and', 'one name with two roots, and the first again' ],
    [ "$other server_name b; root /other; detemplate_site s;",
        'that of the site "s"', 'one site with two roots' ],
    [ "$other server_name s; root /other; detemplate_site t;", '',
        'one name, two sites' ],
    [ "$other server_name s; root /other; detemplate off;", '',
        'one name, no pages' ],
    [ "$other server_name s; root /other; detemplate_site \$host;", '',
        'one name, a site that requests choose' ],
);

# a host name that cannot be resolved

my ($rc, $out) = $t->try_conf("$zone detemplate_redis redis://no.invalid;");

ok($rc == 0 && $out !~ /no.invalid/, 'accepted: Redis at an unknown host')
    or diag($out);

# without detemplate_path: a folder below the prefix

my $d = $t->testdir();

try_path('');
ok(-d "$d/detemplate", 'default path');

# with an empty path it would be the prefix itself, which would then belong to
# the workers' user

like(try_path("detemplate_path '';"), qr/"detemplate_path" directive is empty/,
    'refused: empty path');

# its size

is(try_path("detemplate_path p max_size=$_;") =~ s/.*(test is )/$1/sr,
    "test is successful\n", "accepted: max_size=$_") for qw/ 1 64k 200m 5g /;
like(try_path("detemplate_path p $_;"),
    qr/\[emerg\] invalid "$_" in "detemplate_path" in \S+:\d/, "refused: $_")
    for qw/ max_size= max_size=0 max_size=-1 max_size=1x max_size=99999999999g
        max_size max_sizes=1g q /;

# nginx itself would say mkdir() only

my $emerg = qr{\[emerg\] mkdir\(\) "\Q$d\E/none/of/it" of "detemplate_path" };

like(try_path("detemplate_path $_;"), qr{${emerg}failed .* in \S+:\d},
    "refused: no folder, $_") for 'none/of/it', "$d/none/of/it";

# a file would change its owner as well

$t->write_file($_, '') for qw/ file prefix\/detemplate /;
chmod 0644, "$d/file";
my $owned = join ' ', (stat "$d/file")[2, 4, 5];

like(try_path("detemplate_path $_;"),
    qr{\[emerg\] "$d/file" in "detemplate_path" is not a directory in \S+:\d},
    "refused: path of a file, $_") for 'file', "$d/file", 'file/';
is(join(' ', (stat "$d/file")[2, 4, 5]), $owned, 'file keeps owner and mode');
like(try_path('', "$d/prefix"), qr{detemplate" in "detemplate_path" is not a},
    'refused: default path, a file');

like(try_path(''), qr{\[warn\].*no "detemplate_path" is set, .* in "\Q$d\E/},
    'no path, the default is named');

done_testing();

# what nginx -t says of these lines at a level, "bare" without a zone

sub tried ($level, $lines) {
    my $with = $level =~ /^bare/ ? '' : $zone;

    return $level =~ /http$/ ? $t->try_conf("$with $lines")
        : $t->try_conf($with, $lines);
}

sub accepted ($level, @all) {
    for my $lines (@all) {
        my ($rc, $out) = tried($level, $lines);

        ok($rc == 0, "accepted, $level: " . substr $lines, 0, 60)
            or diag($out);
    }
}

sub refused ($level, @pairs) {
    while (my ($lines, $re) = splice @pairs, 0, 2) {
        my ($rc, $out) = tried($level, $lines);

        ok($rc == 1 && $out =~ /\[emerg\].*$re/,
            "refused, $level: " . substr $lines, 0, 60)
            or diag("exit $rc\n$out");
    }
}

sub warns ($more, $re, $title) {
    my ($rc, $out) = $t->try_conf($more ? "$on server { $more }" : $on);

    ok($rc == 0 && ($re ? $out =~ /\[warn\].*$re/ : $out !~ /\[warn\]/),
        "warning: $title") or diag($out);
}

# the messages for a configuration with only this path

sub try_path ($path, $prefix = undef) {
    $t->try_conf($zone, 'detemplate strip;');
    $t->write_file('try.conf',
        $t->read_file('try.conf') =~ s/detemplate_path [^;]*;/$path/r);

    my $nginx = "$Test::Detemplate::NGINX -p " . ($prefix || $d);

    return scalar `$nginx/ -t -e $d/try.log -c $d/try.conf 2>&1`;
}
