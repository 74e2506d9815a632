#!/usr/bin/perl

# Copyright (C) The detemplate authors

# What nginx -t accepts, and what it refuses with a message that names the
# directive.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $zone = 'detemplate_zone z:1m;';
my $here = qr/in \S+\/try\.conf:\d+/;

$t->write_file('password', "secret\n");

# lines of http {}, lines of server {}, title

ok_conf(@$_) for (
    [ '', '', 'nothing' ],
    [ $zone, '', 'zone alone' ],
    [ "$zone detemplate strip;", '', 'http' ],
    [ $zone, 'detemplate annotate;', 'server' ],
    [ $zone, 'location / { detemplate strip; }', 'location' ],
    [ "detemplate strip; $zone", '', 'zone after its use' ],
    [ $zone, 'location / { detemplate_candidates 1; }',
        'votes follow candidates' ],
    [ $zone, 'location / { detemplate_candidates 40; }',
        'loads follow candidates' ],
    [ $zone, 'location / { detemplate_valid 1h; }', 'refresh follows valid' ],
    [ "$zone detemplate strip;",
        'detemplate off; location / { detemplate annotate; }', 'levels' ],
    [ 'detemplate off;', 'detemplate off;', 'off needs no zone' ],
    [ $zone, 'detemplate $http_x_mode;', 'variable' ],
    [ $zone, 'detemplate ${http_x_mode}x;', 'variable in text' ],
    [ 'detemplate_zone z:32k;', 'detemplate strip;', 'smallest zone' ],
    [ "$zone detemplate_redis redis://127.0.0.1:6379/0;", '', 'redis' ],
    [ "$zone detemplate_redis redis://user:secret\@localhost:6379/1 prefix=a: "
        . 'timeout=300ms;', '', 'redis, options' ],
    [ "$zone detemplate_redis rediss://redis.example.com:6380 ca=ca.pem "
        . 'cert=own.pem key=own.key verify=on user_file=user '
        . 'password_file=secret;', '', 'redis, TLS' ],
    [ "$zone detemplate_redis redis+sentinel://a:1,b:2/main/0 "
        . 'sentinel_password_file=%%TESTDIR%%/s;', '', 'redis, Sentinel' ],
    [ "$zone detemplate_redis unix:/tmp/redis.sock password_file="
        . '%%TESTDIR%%/password;', '', 'redis, socket and password file' ],
    [ "$zone detemplate_learners 4;", '', 'learners' ],
    [ $zone, 'detemplate strip; detemplate_site $host; '
        . 'detemplate_origin http://127.0.0.1:8080/; '
        . 'detemplate_types text/plain; '
        . 'detemplate_candidates 4; detemplate_votes 4; detemplate_loads 4; '
        . 'detemplate_valid 1h; detemplate_refresh 1h; detemplate_wait 2s; '
        . 'detemplate_learn off; detemplate_detector etdm; '
        . 'detemplate_bypass $cookie_a $arg_b;', 'all of a server' ],
    [ "$zone detemplate_types *;", 'detemplate strip;', 'any type' ],
    [ "$zone detemplate_origin https://example.com/base;", '',
        'origin, https' ],
    [ "$zone detemplate_origin off;", 'detemplate_origin off;',
        'origin, off' ],
    [ "$zone detemplate_candidates 1;", 'detemplate strip;',
        'one candidate, votes follow' ],
    [ "$zone detemplate_links keep;", 'detemplate_links cut; '
        . 'location / { detemplate_links keep; }', 'links, levels' ],
    [ "$zone detemplate_valid 10y; detemplate_refresh 1s;",
        'detemplate strip;', 'valid and refresh, bounds' ],
    [ "$zone detemplate_valid 1h;", 'detemplate strip;',
        'short life, refresh follows' ],
    [ $zone, 'location /status { detemplate_status; }', 'status' ],
);

# the same, and an expression that the message matches

no_conf(@$_) for (
    [ 'detemplate strip;', '', qr/detemplate_zone name:size/, 'no zone' ],
    [ '', 'detemplate $http_x;', qr/detemplate_zone name:size/,
        'no zone, variable' ],
    [ '', 'location /status { detemplate_status; }',
        qr/detemplate_zone name:size/, 'no zone, status' ],
    [ "$zone detemplate on;", '', qr/"on" in "detemplate".*"strip"/, 'mode' ],
    [ "$zone detemplate;", '', qr/number of arguments in "detemplate"/,
        'no mode' ],
    [ "$zone detemplate strip; detemplate off;", '',
        qr/"detemplate" directive is duplicate/, 'mode twice' ],
    [ 'detemplate_zone z;', '', qr/detemplate_zone".*name:size/, 'no size' ],
    [ 'detemplate_zone :1m;', '', qr/detemplate_zone".*name:size/, 'no name' ],
    [ 'detemplate_zone z:many;', '', qr/size "many" in "detemplate_zone"/,
        'size' ],
    [ 'detemplate_zone z:16k;', '', qr/"detemplate_zone" "z".*at least 32k/,
        'small zone' ],
    [ "$zone detemplate_zone y:1m;", '',
        qr/"detemplate_zone" directive is dup/, 'two zones' ],
    [ $zone, $zone, qr/"detemplate_zone" directive is not allowed here/,
        'zone in server' ],
    [ $zone, 'detemplate_redis redis://localhost;',
        qr/"detemplate_redis" directive is not allowed here/,
        'redis in server' ],
    [ $zone, 'detemplate_learners 2;',
        qr/"detemplate_learners" directive is not allowed here/,
        'learners in server' ],
    [ $zone, 'detemplate_status;',
        qr/"detemplate_status" directive is not allowed here/,
        'status in server' ],
    [ "$zone detemplate_program '';", '',
        qr/"detemplate_program" directive is empty/, 'no program' ],
    [ "$zone detemplate_path b;", '', qr/"detemplate_path" directive is dup/,
        'two paths' ],
    [ "$zone detemplate_redis http://localhost;", '',
        qr/"detemplate_redis".*redis:\/\/.* or unix: $here/,
        'redis, scheme' ],
    [ "$zone detemplate_redis redis://a read=redis://b;", '',
        qr/invalid parameter "read=redis:\/\/b" of "detemplate_redis"/,
        'redis, no replica for reading' ],
    [ "$zone detemplate_redis '';", '',
        qr/"detemplate_redis".*URL.* $here/, 'redis, empty' ],
    [ "$zone detemplate_redis redis://localhost:99999;", '',
        qr/"detemplate_redis".*port.* $here/, 'redis, port' ],
    [ "$zone detemplate_redis redis://localhost verify=no;", '',
        qr/invalid parameter "verify=no" of "detemplate_redis", known are .*/,
        'redis, verify' ],
    [ "$zone detemplate_redis redis://localhost 'prefix=" . 'x' x 2000 . "';",
        '', qr/"detemplate_redis".*prefix.* $here/, 'redis, long prefix' ],
    [ "$zone detemplate_redis redis://localhost timeout=61s;", '',
        qr/"detemplate_redis".*time-out.* $here/, 'redis, long timeout' ],
    [ "$zone detemplate_redis redis://no.invalid; detemplate_redis unix:/b;",
        '', qr/"detemplate_redis" directive is dup/, 'two of redis' ],
    [ "$zone detemplate_redis redis://localhost pre=a;", '',
        qr/"pre=a" of "detemplate_redis".*prefix=/, 'redis, option' ],
    [ "$zone detemplate_redis redis://localhost timeout=soon;", '',
        qr/"timeout=soon" of "detemplate_redis"/, 'redis, timeout' ],
    [ "$zone detemplate_redis redis://localhost password_file=;", '',
        qr/"password_file=" of "detemplate_redis"/, 'redis, password file' ],
    [ $zone, 'detemplate strip; detemplate_candidates 2; detemplate_votes 3;',
        qr/"detemplate_votes" is 3 of only 2 "detemplate_candidates"/,
        'votes' ],
    [ $zone, 'detemplate_loads 2;', qr/"detemplate_loads" is 2, less than/,
        'loads' ],
    [ $zone, 'detemplate_candidates 0;', qr/"detemplate_candidates" must be/,
        'no candidates' ],
    [ $zone, 'detemplate_candidates 64;', qr/must be between 1 and 63/,
        'candidates' ],
    [ "$zone detemplate_learners 0;", '', qr/"detemplate_learners" must be/,
        'no learners' ],
    [ $zone, 'detemplate_valid 1h; detemplate_refresh 2h;',
        qr/"detemplate_refresh" is 7200 s.*"detemplate_valid"/, 'refresh' ],
    [ $zone, 'detemplate_valid 0;',
        qr/"detemplate_valid" must be between 1s and 10y/, 'valid, none' ],
    [ $zone, 'detemplate_refresh 0;',
        qr/"detemplate_refresh" must be between 1s and 10y/,
        'refresh, none' ],
    [ $zone, 'detemplate_valid 3651d;',
        qr/"detemplate_valid" must be between 1s and 10y/, 'valid, too long' ],
    [ $zone, 'detemplate_links cut; detemplate_links keep;',
        qr/"detemplate_links" directive is duplicate/, 'links twice' ],
    [ $zone, 'detemplate_cut bold; detemplate_cut cautious;',
        qr/"detemplate_cut" directive is duplicate/, 'cut twice' ],
    [ $zone, 'detemplate_site "";', qr/name "" in "detemplate_site"/,
        'site, empty' ],
    [ $zone, 'detemplate_site "a b";', qr/name "a b" in "detemplate_site"/,
        'site, a space' ],
    [ $zone, 'detemplate_site a}b;', qr/in "detemplate_site"|unexpected "}"/,
        'site, a brace' ],
    [ $zone, 'detemplate_site ' . 'a' x 256 . ';',
        qr/in "detemplate_site", it must have 1 to 255/, 'site, too long' ],
    [ $zone, 'detemplate_wait long;', qr/"detemplate_wait" directive invalid/,
        'wait' ],
    [ $zone, 'detemplate_types html;',
        qr/"html" in "detemplate_types", it must be like/, 'types' ],
    [ $zone, 'detemplate_learn maybe;',
        qr/"maybe" in "detemplate_learn", it must be "on", /,
        'learn' ],
    [ $zone, 'detemplate_detector magic;',
        qr/"magic" in "detemplate_detector".*etdm/, 'detector' ],
    [ $zone, 'detemplate_origin 127.0.0.1:8080;', qr/in "detemplate_origin"/,
        'origin, no scheme' ],
    [ $zone, 'detemplate_origin ftp://localhost/;', qr/in "detemplate_origin"/,
        'origin, scheme' ],
    [ $zone, 'detemplate_origin http://;', qr/in "detemplate_origin"/,
        'origin, no host' ],
    [ $zone, 'detemplate_origin off; detemplate_origin http://a;',
        qr/"detemplate_origin" directive is dup/, 'two origins' ],
    [ $zone, 'detemplate_origin http://[a/;', qr/in "detemplate_origin"/,
        'origin, no address' ],
    [ $zone, 'detemplate_origin http://a/?b;', qr/in "detemplate_origin"/,
        'origin, arguments' ],
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
    "refused: no folder, $_")
    for 'none/of/it', "$d/none/of/it";

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

###############################################################################

sub ok_conf ($http, $server, $title) {
    my ($rc, $out) = $t->try_conf($http, $server);

    ok($rc == 0, "accepted: $title") or diag($out);
}

sub no_conf ($http, $server, $re, $title) {
    my ($rc, $out) = $t->try_conf($http, $server);

    ok($rc == 1 && $out =~ /\[emerg\].*$re/, "refused: $title")
        or diag("exit $rc\n$out");
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
