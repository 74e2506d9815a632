#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The command line tool: every command, every exit code, on a small site of
# files and on the same site behind a server on loopback.

use v5.36;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP qw(decode_json);
use POSIX qw(_exit mkfifo);
use Test::More;

my $parent = $$;
my @children;

my $bin = $ENV{DETEMPLATE}
    || abs_path(dirname(__FILE__) . '/..') . '/build/detemplate';

plan skip_all => "no $bin: run make" unless -x $bin;

my $dir = tempdir('dt-cli-XXXXXX', TMPDIR => 1, CLEANUP => 1);

END {
    if ($$ == $parent) {
        my $code = $?;
        kill 'KILL', $_ for @children;
        waitpid $_, 0 for @children;
        $? = $code;
    }
}


###############################################################################
# The site: eight pages with one template, each with its own text.

my @words = qw(
    amber basil cedar delta ember fjord grove heron inlet jetty kelp larch
    maple north ocean pearl quartz river stone tulip umber valley willow yarrow
);

sub text ($page, $n) {
    return join ' ', map { $words[($page * 7 + $_ * ($page + 3)) % @words]
                           . ($page * 100 + $_) } 1 .. $n;
}

sub page ($n, $extra = undef) {
    my $menu = join '',
        map { "<li><a href=\"p$_.html\">Chapter $_</a></li>\n" } 1 .. 8;

    return "<!DOCTYPE html>\n<html><head><title>Page $n</title></head>\n"
        . "<body>\n<header><h1>The Harbour Almanac</h1>"
        . "<p>Printed daily since the lighthouse was built</p></header>\n"
        . "<nav><ul>\n$menu</ul></nav>\n"
        . "<main><h2>" . text($n, 3) . "</h2>\n"
        . join('', map { '<p>' . text($n * 10 + $_, 20 + $n) . "</p>\n" }
               1 .. 3 + $n % 3)
        . ($extra // '') . "</main>\n"
        . "<footer><p>Harbour Almanac, all tides reserved, "
        . "no anchors without permission</p></footer>\n</body></html>\n";
}

sub write_file ($name, $data) {
    open my $f, '>:raw', "$dir/$name" or die "$name: $!";
    print $f $data;
    close $f;
}

sub read_file ($name) {
    open my $f, '<:raw', "$dir/$name" or return '';
    local $/;
    return <$f>;
}

mkdir "$dir/site";
mkdir "$dir/lone";
write_file("site/p$_.html", page($_)) for 1 .. 8;
write_file('site/p1.html', page(1, '<p><a href="p4.html?old=1">Old</a></p>'));
write_file('site/index.html', page(9));
write_file('lone/p1.html', "<html><body><p>" . text(1, 50)
           . "</p></body></html>\n");
write_file('unseen.html', page(23));


###############################################################################
# runs a command; the arguments are one string, as none of them has a space

my ($code, $out, $err);

sub run ($args, $in, $to) {
    $in //= '/dev/null';
    $to //= "$dir/stdout";

    unlink "$dir/stdout";
    system("cd $dir && '$bin' $args <$in >$to 2>$dir/stderr");
    $code = $? & 127 ? "signal $?" : $? >> 8;
    $out = read_file('stdout');
    $err = read_file('stderr');
}

sub exits ($want, $args, $in = undef, $to = undef) {
    run($args, $in, $to);
    is($code, $want, "exit $want: $args" . ($in ? " < $in" : ''))
        or diag($err);
}


###############################################################################
# usage

exits(2, '');
like($err, qr/a command is missing/, 'no command: message');
exits(2, 'unlearn');
exits(2, 'learn');
exits(2, 'learn http://a/ http://b/');
exits(2, 'learn --wrong http://a/');
exits(2, 'learn --votes');
like($err, qr/a value is missing/, 'no value: message');

for (['show -xj t1', '-x'], ['show -jx t1', '-x'],
     ['show --json -xj t1', '-x'], ['show --wrong t1', '--wrong'],
     ['show --json=1 t1', '--json=1'], ['show --help=1 t1', '--help=1'])
{
    exits(2, $_->[0]);
    like($err, qr/^detemplate: unknown option: $_->[1];/,
        'message names the option');
}

exits(2, 'learn --votes 0 http://a/');
exits(2, 'learn --votes 3x http://a/');
exits(2, 'learn --candidates 64 http://a/');
exits(2, 'learn --loads 1001 http://a/');
exits(2, 'learn --base http://a/ http://a/');
exits(2, 'learn --root site --connect 127.0.0.1:1 p1.html');
exits(2, 'learn --root site --base http://a p1.html');
exits(2, 'learn --root site --detector none p1.html');
exits(2, 'learn --root site -n 2 -v 3 p1.html');
exits(0, "learn --root site -n $_ p1.html") for 1, 63;
exits(2, 'learn ftp://a/');
exits(2, 'show');
exits(2, 'check a b');
exits(2, 'detectors a');

exits(0, '--version');
like($out, qr/^detemplate \d+\.\d+\.\d+\n$/, 'a version');
exits(0, '--help');
my @commands = $out =~ /^  (\w+) /mg;
is("@commands", 'learn show inspect extract apply test check detectors '
    . 'learner link relearn forget pin unpin restore evaluate',
   'all commands');

for (@commands) {
    exits(0, "$_ --help");
    like($out, qr/^Usage: detemplate $_/, "$_ prints its usage");
    like($out, qr/Exit codes: 0/, "$_ prints its exit codes");
}

exits(0, 'detectors');
like($out, qr/^etdm /m, 'etdm is listed as a detector');
my @detectors = $out =~ /^(\S+) /mg;
is("@detectors", 'etdm etdm-all rtdm-td site-style-tree content-extractor '
   . 'fast-content-extractor template-hash shingles text-mdl',
   'all detectors');

my $directives = do {
    open my $f, '<', dirname(__FILE__) . '/../doc/directives.md' or die;
    local $/;
    <$f>;
};
my ($listed) = $directives =~ /^## detemplate_detector$(.*?)^##/ms;
is_deeply([ grep { $listed !~ /`\Q$_\E`/ } @detectors ], [],
          'the directive names all detectors');


###############################################################################
# learn from files

exits(0, 'learn --root site --base http://almanac.example/ -o t1 p1.html');
is($err, '', 'no progress without a terminal');
like($out, qr{^  key +http://almanac\.example/p1\.html$}m, 'the key page');
is(() = $out =~ /^\* /mg, 3, 'the subdigraph: three candidates');
like($out, qr/Chapter 1 Chapter 2/, 'the menu is template');
like($out, qr/all tides reserved/, 'the footer is template');
unlike($out, qr/@{[text(1, 3)]}/, 'the heading is not template');
ok(-s "$dir/t1", 'a template is written');

my ($cut) = $out =~ /^cut +(\d+ of \d+ bytes) of the key page/m;
exits(0, 'inspect --root site --base http://almanac.example/ --template t1'
      . ' p1.html');
like($out, qr/^cut +\Q$cut\E \(\d/m, 'inspect cuts what learn says');

exits(0, 'learn --root site --base http://almanac.example/ --json -o t2'
      . ' --candidates 4 --votes 3 --loads 10 --detector etdm p2.html');
my $j = eval { decode_json($out) };
ok($j, 'JSON') or diag($out);
ok($j->{learned}, 'learned');
is($j->{reason}, 'ok', 'reason');
is($j->{url}, 'http://almanac.example/p2.html', 'url');
is($j->{pages}[0]{result}, 'key', 'the key page comes first');
is(scalar(grep { $_->{in_cs} } @{ $j->{pages} }), 4, 'four candidates');
ok(@{ $j->{pages} } <= 11, 'no more loads than allowed');
is($j->{bytes} + $j->{evidence}, -s "$dir/t2", 'size');
ok($j->{coverage} > 0 && $j->{coverage} < 1, 'coverage');
ok($j->{patterns} > 0, 'patterns');
my $removed = 0;
$removed += $_->{length} for @{ $j->{regions} };
is($j->{removed}, $removed,
   'bytes that are cut');

my $key = read_file('site/p2.html');
my $text = join ' ', map { $_->{text} } @{ $j->{regions} };
like($text, qr/Chapter 1/, 'regions: the menu');
ok(!(grep { substr($key, $_->{start}, $_->{length}) =~ /<h2>/ }
     @{ $j->{regions} }), 'regions: not the heading');

exits(0, 'learn --root site --base http://almanac.example/ -o t3 --prev t1'
      . ' p5.html');
exits(0, 'show --json t3');
is(decode_json($out)->{version}, 2, 'merged: version 2');

exits(0, "learn --root site --detector $_ p1.html") for @detectors;

exits(1, 'learn --root lone -o none p1.html');
like($err, qr/nothing learned/, 'one page: message');
ok(!-e "$dir/none", 'no template file is written');
exits(1, 'learn --root lone --json p1.html');
ok(!decode_json($out)->{learned}, 'not learned, in JSON');
exits(1, 'learn --root site missing.html');
exits(3, 'learn --root site -o no/such/dir p1.html');
exits(3, 'learn --root site -o site p1.html');

# an output that is not a regular file, such as /dev/null, is written to and
# stays what it is

mkfifo("$dir/pipe", 0600) or die "pipe: $!";
my $reader = fork() // die "fork: $!";

if ($reader == 0) {
    open STDOUT, '>', "$dir/piped";
    exec 'timeout', 100, 'cat', "$dir/pipe" or _exit(127);
}

exits(0, 'learn --root site --base http://almanac.example/ -o pipe p1.html');
waitpid $reader, 0;
ok(-p "$dir/pipe", 'learn, a pipe is written to');
exits(0, 'check piped');

# a symbolic link stays one and leads to the new file; a file keeps its mode

sub mode ($name) {
    return sprintf '%o', (stat "$dir/$name")[2] & 07777;
}

my $learn = 'learn --root site --base http://almanac.example/ -o';

mkdir "$dir/links";
write_file('links/file', 'old');
chmod 0600, "$dir/links/file";
symlink 'links/file', "$dir/link";
exits(0, "$learn link p1.html");
is(readlink "$dir/link", 'links/file', 'learn, a link is kept');
exits(0, 'check links/file');
is(mode('links/file'), '600', 'learn, the mode is kept');
chmod 0640, "$dir/links/file";
exits(0, "$learn links/file p1.html");
is(mode('links/file'), '640', 'learn, another mode is kept');
is(() = glob("$dir/links/*"), 1, 'learn, no temporary file is left');

SKIP: {
    skip 'not root', 2 if $> != 0;

    chown 4, 5, "$dir/links/file";
    exits(0, "$learn links/file p1.html");
    is(join(' ', (stat "$dir/links/file")[4, 5]), '4 5', 'learn, the owner');
}

# a user who cannot keep the owner keeps the group, or removes the rights of
# others

SKIP: {
    my $as = 'setpriv --reuid 9 --regid 7';

    skip 'not root, or not for others', 8 if $> != 0
        || system("chmod 755 $dir; chmod 777 $dir/links;"
                  . " $as --groups 5 $bin --version >/dev/null 2>&1") != 0;

    for (
        [ '--groups 5', 0640, '9 5 640' ],
        [ '--clear-groups', 0640, '9 7 600' ],
        [ '--clear-groups', 0664, '9 7 644' ],
        [ '--clear-groups', 0604, '9 7 600' ],
    ) {
        my ($groups, $mode, $want) = @$_;

        chown 4, 5, "$dir/links/file";
        chmod $mode, "$dir/links/file";
        is(system("cd $dir && $as $groups $bin $learn links/file p1.html"), 0,
            "learn, as another with $groups");
        is(join(' ', (stat "$dir/links/file")[4, 5], mode('links/file')),
            $want, "learn, by another with $groups");
    }
}

symlink 'links/new', "$dir/ahead";
exits(0, "$learn ahead p1.html");
is(readlink "$dir/ahead", 'links/new', 'learn, a dangling link is kept');
exits(0, 'check links/new');
exits(0, "$learn links/newer p1.html");
is(mode('links/newer'), '644', 'learn, the mode of a new file');

symlink 'round', "$dir/round";
exits(3, "$learn round p1.html");
like($err, qr/^detemplate: round: Too many levels/m, 'a link to itself');
ok(-l "$dir/round", 'the link to itself is kept');

is(() = glob("$dir/site.*"), 0, 'a file that cannot be renamed is removed');
exits(3, 'learn --root site p1.html', undef, '/dev/full');
exits(3, 'learn --root site --prev missing p1.html');
exits(4, 'learn --root site --prev site/p1.html p1.html');


###############################################################################
# show, check

exits(0, 'show t1');
like($out, qr/^version +1$/m, 'version 1');
like($out, qr/^patterns +[1-9]/m, 'has patterns');
like($out, qr/^learned +20\d\d-\d\d-\d\dT[\d:]+Z$/m, 'has a date');
exits(0, 'show --json t1');
$j = decode_json($out);
is($j->{bytes} + $j->{evidence}, -s "$dir/t1", 'its size');
ok($j->{bytes} > 0 && $j->{evidence} > 0, 'sizes of both parts');

my $t1 = read_file('t1');
write_file('half', substr($t1, 0, length($t1) / 2));
write_file('empty', '');
write_file('flipped', $t1 ^ ("\0" x (length($t1) - 9) . "\1"));
write_file('huge', "\0" x (5 << 20));

exits(0, 'check t1');
exits(4, "check $_") for qw(half empty flipped huge site/p1.html);
exits(4, 'show half');
exits(4, "apply --url http://a/ half");
exits(3, "$_ missing") for 'check', 'show', 'apply --url http://a/';
exits(2, 'apply t1', 'unseen.html');


# A snapshot of nginx: "check" prints its site and how long it is valid if its
# head has this format.  Control characters in a name are not printed to the
# terminal.

sub snapshot ($site, $valid, $format = undef) {
    return pack('a4 L3 q2 L2 a256', 'DTSN', $format // 4, 0, length $t1,
                $valid, 0, 0, length $site, $site) . $t1;
}

sub without {
    return $_[0] =~ s/^(site|valid until) .*\n//mgr
                 =~ s/,"(site|valid_until)":"[^"]*"//gr;
}

exits(0, 'show t1');
my $bare = $out;
is(without($bare), $bare, 'a template has neither site nor time');
exits(0, 'show --json t1');
my $bare_json = $out;
is(without($bare_json), $bare_json, 'a template: neither in JSON');
exits(0, 'check t1');
is($out, "t1: ok\n", 'a template: check prints nothing else');

write_file('of.dt', snapshot('www.example.com', 1798761600));
exits(0, 'show of.dt');
like($out, qr/^site +www\.example\.com$/m, 'a snapshot: its site');
like($out, qr/^valid until +2027-01-01T00:00:00Z$/m,
    'a snapshot: end of validity');
is(without($out), $bare, 'a snapshot: the rest is as of a template');
exits(0, 'show --json of.dt');
$j = decode_json($out);
is($j->{site}, 'www.example.com', 'its site, in JSON');
is($j->{valid_until}, '2027-01-01T00:00:00Z',
    'a snapshot: end of validity, in JSON');
is(without($out), $bare_json,
    'a snapshot: the rest is as of a template, in JSON');
mkdir "$dir/snapshots";
write_file("snapshots/$_.dt", snapshot("$_.example.com", 1798761600))
    for qw(one two);
write_file('snapshots/key', 'secret');
exits(0, 'show snapshots');
like($out, qr/^learned\ +version\ +patterns\ +pages\ +site
              \n\S+\ .*\ one\.example\.com
              \n\S+\ .*\ two\.example\.com\n\z/x, 'a directory: its sites');
exits(0, 'show --json snapshots');
is(join(' ', map { decode_json($_)->{site} } split /\n/, $out),
   'one.example.com two.example.com', 'a directory: its sites, in JSON');
exits(3, 'show corpus-that-is-not-there');
mkdir "$dir/no-snapshots";
exits(3, 'show no-snapshots');

exits(0, 'check of.dt');
is($out, 'of.dt: ok, of the site "www.example.com" until '
   . "2027-01-01T00:00:00Z\n", 'its site, checked');

write_file('of.dt', snapshot("a\e[2J\xff\0\"b\nDTPL", ~0 >> 1));
exits(0, 'show of.dt');
like($out, qr/^site +a\?\[2J\?\?"b\?DTPL$/m,
    'site is printed without control characters');
like($out, qr/^valid until +9223372036854775807$/m, 'no date');
exits(0, 'show --json of.dt');
is(decode_json($out)->{site}, "a\e[2J\x{fffd}\0\"b\nDTPL",
    'JSON has the site as it is');
unlike($out, qr/\e|\xff|\n./, 'JSON has control characters escaped');
exits(0, 'check of.dt');
like($out, qr/site "a\?\[2J\?\?"b\?DTPL" until/,
    'check prints the site without control characters');

for ([ 'no name', snapshot('', 1798761600) ],
     [ 'a long one', snapshot('x' x 256, 1798761600) ],
     [ 'another format', snapshot('www.example.com', 1798761600, 2) ])
{
    write_file('of.dt', $_->[1]);
    exits(0, 'show of.dt');
    is($out, $bare, "a snapshot with $_->[0]");
    exits(0, 'check of.dt');
    is($out, "of.dt: ok\n", 'exit code of check');
}

# sites without a template, and the reason

sub unfound ($dir, $why) {
    exits(3, "inspect --root site --snapshot $dir p1.html");
    like($err, qr/^detemplate: $why$/, "message: $why");
}

my $none = 'belongs to the site "localhost"';

unfound('missing', 'missing: No such file or directory');
unfound('t1', 't1: Not a directory');
mkdir "$dir/cache";
unfound('cache', "no snapshot in cache $none");
symlink 'gone', "$dir/cache/gone.dt";
write_file('cache/other.dt', snapshot('www.example.com', 1));
unfound('cache', "no snapshot in cache $none");
symlink 'loop.dt', "$dir/cache/loop.dt";
unfound('cache', 'cache/loop\.dt: Too many levels of symbolic links; '
        . "no readable snapshot $none");
unlink "$dir/cache/loop.dt";
mkdir "$dir/cache/folder.dt";
unfound('cache', 'cache/folder\.dt: Is a directory; '
        . "no readable snapshot $none");
write_file('cache/found.dt', snapshot('localhost', 1));
exits(0, 'inspect --root site --snapshot cache p1.html');


###############################################################################
# apply

sub subsequence ($small, $big) {
    my $at = 0;

    for my $c (split //, $small) {
        $at = index($big, $c, $at) + 1 or return 0;
    }

    return 1;
}

my $unseen = read_file('unseen.html');
my $url = '--url http://almanac.example/unseen.html';

exits(0, "apply $url t1", 'unseen.html');
my $strip = $out;
unlike($strip, qr/Chapter 1|tides reserved|since the lighthouse/,
       'strip: no template');
like($strip, qr{<main>.*@{[text(23, 3)]}.*</main>}s, 'strip: the content');
ok(subsequence($strip, $unseen), 'strip: a subsequence of the page');

exits(0, "apply $url --mode strip t1", 'unseen.html');
is($out, $strip, 'strip is the default');

exits(0, "apply $url -m annotate t1", 'unseen.html');
like($out, qr/ data-template/, 'annotate: marks');
(my $back = $out) =~ s{ data-template|<!--/?template-->}{}g;
is($back, $unseen, 'annotate: page without its marks is unchanged');

for (['sub/page.html', '../'], ['page.html', 'http://almanac.example/']) {
    my ($at, $links) = @$_;

    (my $page = $unseen) =~ s/href="p/href="${links}p/g;
    write_file('linked.html', $page);
    exits(0, "apply --url http://almanac.example/$at t1", 'linked.html');
    is($out, $strip, "the same links, written as $links");
}

exits(0, "apply $url t1");
is($out, '', 'an empty page');
exits(3, "apply $url t1", 'site');
like($err, qr/^detemplate: standard input: Is a directory$/,
    'a folder instead of a file');
exits(3, "apply $url t1", '&-');
like($err, qr/^detemplate: standard input: Bad file desc/,
    'standard output is closed');
exits(2, 'apply --mode cut t1', 'unseen.html');
exits(2, 'apply --url nothing t1', 'unseen.html');

# a charset that shifts, whose bytes are all those of ASCII

write_file('shifts.html', "<p>\e\$BF|K\\\e(B " . 'word ' x 100);
exits(0, 'apply --mode text --url http://a/ --charset iso-2022-jp -',
    'shifts.html');
like($out, qr/^\xe6\x97\xa5\xe6\x9c\xac word word/, 'apply --charset');
exits(3, "apply $url t1", 'unseen.html', '/dev/full');


###############################################################################
# control characters of a page are not printed to the terminal

mkdir "$dir/evil";
for my $n (1 .. 8) {
    (my $page = page($n)) =~ s/Chapter 1/Chap\e[2Jter "1\\" \xff\xc2\x9b/;
    write_file("evil/p$n.html", $page);
}

exits(0, 'learn --root evil p1.html');
unlike($out, qr/\e|\xff|\xc2\x9b/,
    'text is printed without control characters');
exits(0, 'learn --root evil --json p1.html');
unlike($out, qr/\e|\xff|\xc2\x9b/, 'JSON has no raw control characters');
ok(eval { decode_json($out) }, 'output with control characters is valid JSON');

# nor are those of a file name

write_file("evil/\e[2J\xc2\x9b", $t1);
exits(0, "check 'evil/\e[2J\xc2\x9b'");
is($out, "evil/?[2J?: ok\n",
    'file names are printed without control characters');


###############################################################################
# over HTTP

# Serves the site until it is killed, or for a minute, and writes its requests
# to a log.  The last bytes of robots.txt, as many as asked for, are missing.
sub serve ($status, $robots, $lacks = undef) {
    my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 9)
        or die "no port: $!";
    my $pid = fork;

    die "fork: $!" unless defined $pid;

    if ($pid) {
        push @children, $pid;
        return $listen->sockport;
    }

    alarm 600;
    $SIG{PIPE} = 'IGNORE';

    while (my $c = $listen->accept) {
        my ($path, $line) = ('');

        while (defined($line = <$c>) && $line =~ /\S/) {
            $path = $1 if $line =~ m{^GET (\S+) };
        }

        open my $log, '>>', "$dir/requests";
        print $log "$path\n";
        close $log;

        my $name = $path eq '/' ? '/index.html' : $path;
        my $body = $path eq '/robots.txt' ? $robots : read_file("site$name");
        my $st = $path eq '/robots.txt' ? $status
            : $body eq '' ? '404 Not Found' : '200 OK';
        my $type = $path eq '/robots.txt' ? 'text/plain' : 'text/html';

        my $length = length($body)
            + ($path eq '/robots.txt' ? $lacks // 0 : 0);

        $st = "302 Found\r\nLocation: /$1" if $path =~ m{^/to-(.*)};

        print $c "HTTP/1.1 $st\r\nContent-Type: $type\r\nContent-Length: "
            . "$length\r\nConnection: close\r\n\r\n$body";
        close $c;
    }

    _exit(0);
}

sub requests {
    my $r = read_file('requests');
    unlink "$dir/requests";
    return $r;
}

my $site = 'http://almanac.example';
my $port = serve('200 OK', "User-agent: *\nDisallow: /p3\nDisallow: /*?\n");

exits(0, "learn -o t4 -l 8 --connect 127.0.0.1:$port $site/p1.html");
my $asked = requests();
like($asked, qr{^/robots\.txt\n/p1\.html\n}, 'robots.txt is requested first');
unlike($asked, qr{^/p3}m, 'disallowed pages are not requested');
unlike($asked, qr{\?}, 'pages with a disallowed query are not requested');
exits(0, 'check t4');

exits(1, "learn --connect 127.0.0.1:$port $site/p3.html");
like($err, qr/forbidden by robots\.txt/, 'a disallowed key page: message');
is(requests(), "/robots.txt\n", 'a disallowed key page is not requested');

exits(1, "learn --connect 127.0.0.1:$port $site/to-p3.html");
like($err, qr/that robots\.txt forbids/,
    'a redirect to a disallowed page: message');
is(requests(), "/robots.txt\n/to-p3.html\n",
    'the disallowed target is not requested');
exits(0, "learn --connect 127.0.0.1:$port $site/to-p2.html");
requests();

$port = serve('404 Not Found', 'none');
exits(0, "learn --connect 127.0.0.1:$port $site/p3.html");
exits(1, "learn --connect 127.0.0.1:$port $site/missing.html");
requests();

$port = serve('503 Service Unavailable', 'later');
exits(3, "learn --connect 127.0.0.1:$port $site/p3.html");
is(requests(), "/robots.txt\n", 'robots.txt fails: nothing else is requested');

$port = serve('200 OK', "User-agent: *\nDisallow: /p3\n", 9);
exits(3, "learn --connect 127.0.0.1:$port $site/p3.html");
is(requests(), "/robots.txt\n",
    'robots.txt is truncated: nothing else is requested');

my $closed = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1);
$port = $closed->sockport;
close $closed;
exits(3, "learn --connect 127.0.0.1:$port $site/p3.html");


###############################################################################
# evaluate: a corpus of two sites, one of which is incomplete

mkdir "$dir/$_" for qw(corpus corpus/almanac corpus/almanac/pages
                       corpus/almanac/pages/tides corpus/other);
write_file("corpus/almanac/pages/p$_.html", page($_)) for 1 .. 8;
write_file('corpus/almanac/pages/tides/index.html', page(9));
write_file('corpus/almanac/pages/t.php?n=1', page(10));
write_file('corpus/almanac/site.json', '{"base_url": '
           . '"http://almanac.example/", "key_pages": '
           . '["p1.html", "p2.html"]}');

# folders nested deeper than the stack allows: 32 levels are read

make_path("$dir/corpus/almanac/pages" . '/d' x 900);
write_file('corpus/almanac/pages' . '/d' x $_ . '/p.html', page(11))
    for 32, 33;

exits(3, 'evaluate nowhere');
like($err, qr/^detemplate: nowhere: No such file or directory$/m,
     'evaluate: no such directory');
exits(0, 'evaluate corpus');
is_deeply([ $out =~ /^(\S+) +2 +3\.0 +4\.0 /mg ], \@detectors,
          'all detectors, two key pages, three pages compared');

for ([ 'cs', 3 ], [ 'random:2', 2 ], [ 'random:50', 9 ], [ 'first:4', 4 ],
     [ 'all', 11 ])
{
    my ($which, $pages) = @$_;

    exits(0, "evaluate --json -d etdm -d rtdm-td --pages $which corpus");
    my $e = decode_json($out)->{sites};
    is(scalar(@$e), 1, "$which: one site");
    is_deeply([ map { $_->{page} } @{ $e->[0]{keys} } ],
              [ 'p1.html', 'p2.html' ], "$which: key pages");

    for my $k (@{ $e->[0]{keys} }) {
        my $bytes = read_file("corpus/almanac/pages/$k->{page}");

        for my $f (@{ $k->{found} }) {
            is($f->{pages}, $pages, "$which, $f->{detector}: pages");
            is(length $f->{nodes}, scalar(@{ $k->{nodes} }),
               'a decision for each node');

            # for etdm, pages of one shape are copies, which do not vote
            next if $f->{detector} ne 'rtdm-td';

            my $cut = join '', map { substr($bytes, $_->[0],
                                            $_->[1] - $_->[0]) }
                               @{ $f->{cut} };
            like($cut, qr/Printed daily.*Chapter 1.*all tides reserved/s,
                 'the template is cut');
            unlike($cut, qr/<main>/, 'the content is not cut');
        }
    }
}

exits(0, 'evaluate --json -d etdm -p random:3 -r 1 corpus');
my $first = $out =~ s/_?ms":[\d.]+//gr;
exits(0, 'evaluate --json -d etdm -p random:3 -r 1 corpus');
is($out =~ s/_?ms":[\d.]+//gr, $first, 'the same pages for the same seed');

exits(0, 'evaluate --json -d etdm -o votes=9 -p random:3 corpus');
exits(2, 'evaluate -o voices=2 corpus');
exits(2, 'evaluate -o votes corpus');
exits(2, 'evaluate -d none corpus');
exits(2, "evaluate -p $_ corpus")
    for qw(random random: random:0 random:x random:3x last:3 random:99999);
exits(3, 'evaluate lone');
exits(3, 'evaluate missing');

done_testing();
