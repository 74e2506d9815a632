#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Recipes of doc/recipes.md, as they are there: for an application of PHP, for
# sites behind a log-in or a limit, for a proxy in front of others' sites, for
# an indexer's first pass, for marks and those who read them, for caches that
# ignore Vary, and for indexers that read files.  t/apps/static.t and
# t/examples.t have the others.

use MIME::Base64;
use Socket ();
use Test::Detemplate::Recipe;
use Test::Detemplate;

my $WWW = 'www.example.com';
my $t;

# an application of PHP, whose pages have names without a file

SKIP: {
    my ($fpm) = reverse sort glob '/usr/sbin/php-fpm[0-9]*';

    skip 'no php-fpm', 5 if !$fpm;

    $t = recipe(section('PHP-FPM'), root => '%%TESTDIR%%/php',
        change => [ '/run/php/php-fpm.sock', '%%TESTDIR%%/fpm.sock' ],
        before => sub ($t) {
            $t->pages('html');
            $t->write_file('php/index.php', '<?php readfile("../html"'
                . ' . strtok($_SERVER["REQUEST_URI"], "?"));');
            $t->write_file_expand('fpm.conf', "[global]\n"
                . "error_log = %%TESTDIR%%/fpm.log\ndaemonize = no\n[www]\n"
                . "user = www-data\ngroup = www-data\n"
                . "listen = %%TESTDIR%%/fpm.sock\nlisten.mode = 0666\n"
                . "pm = static\npm.max_children = 2\n");
            $t->fork_child($fpm, '-F', '-y', $t->testdir() . '/fpm.conf');
            wait_for(sub { -S $t->testdir() . '/fpm.sock' });
        });

    gets([ 'PHP, first', '/p3.html', { host => $WWW }, body => page(3) ]);
    has('PHP, then', $t->learn('/p3.html', host => $WWW),
        lacks => qr/<nav|Chapter 2/);
    gets([ 'PHP, logged in', '/p3.html', { host => $WWW,
        fields => [ 'Cookie: wordpress_logged_in_1=ann' ] }, body => page(3),
        Detemplate => 'bypass; reason=bypass' ]);
    $t->no_alerts();
}

# a log-in by a form: the indexer's own pages are learned from, and no others

my $asked = sub { $t->read_file('asked') };

$t = recipe(section('An intranet behind a log-in'),
    change => [ '127\.0\.0\.1:8080', '127.0.0.1:%%PORT_1%%' ],
    before => sub ($t) {
        $t->answers(1, sub ($uri, $host, $learner, $request) {
            $t->append_file('asked', "$learner");
            return response('<form action="/log-in"><input name="n"></form>')
                if $request !~ /^Cookie: user=/m;
            return response($t->read_file("html$uri"),
                'Cache-Control: private');
        });
    });

my @ann = (host => $WWW, fields => [ 'Cookie: user=ann', 'User-Agent: Ann' ]);
my @indexer = (host => $WWW, fields => [ 'Cookie: user=indexer',
    'User-Agent: MyIndexer/1.0' ]);

http_get("/p$_.html", @ann) for 1 .. 8;
is_deeply($t->status_json()->{sites}, [], "form, nothing of users' pages");
http_get("/p$_.html", @indexer) for 1 .. 3;
soon { $t->site($WWW) } 'form, learned';
has('form, the indexer', http_get('/p4.html', @indexer),
    body => qr/<main>/, lacks => qr/<nav/);
gets([ 'form, users', '/p4.html', { @ann }, body => page(4),
    Detemplate => '' ]);
unlike($asked->(), qr/1/, 'form, nothing was requested');
$t->no_alerts();

# a password that all users have

$t = recipe(section('An intranet behind a log-in'), nth => 1,
    change => [ '/etc/nginx/users', '%%TESTDIR%%/users' ],
    before => sub ($t) { $t->write_file('users', "ann:{PLAIN}plum\n") });
@ann = (host => 'intranet.example.com',
    fields => [ 'Authorization: Basic ' . encode_base64('ann:plum', '') ]);

gets([ 'password, none', '/p3.html', { host => 'intranet.example.com' },
    status => 401 ]);
has('password, learned', $t->learn('/p3.html', @ann), status => 200,
    lacks => qr/<nav/);
$t->no_alerts();

# a proxy in front of others' sites, which have names and speak TLS

SKIP: {
    skip 'no TLS', 6 if !nginx_has(qr/http_ssl/) || !on_path('openssl');

    $t = recipe(section("A proxy in front of other people's sites"),
        change => [ '127\.0\.0\.53', '127.0.0.1:%%PORT_2%% ipv6=off',
            '(?<=https://\$host)', ':%%PORT_1%%' ],
        http => 'server { listen 127.0.0.1:%%PORT_1%% ssl; detemplate off;
            root %%TESTDIR%%/html; access_log %%TESTDIR%%/asked;
            ssl_certificate %%TESTDIR%%/a.pem;
            ssl_certificate_key %%TESTDIR%%/a-key.pem; }',
        before => sub ($t) {
            $t->certificate('a', 'other.example');
            names($t, 2);
        });

    my $get = sub ($i) {
        return http_get("http://other.example/p$i.html",
            host => 'other.example');
    };

    has("proxy, page $_", $get->($_), body => page($_)) for 1 .. 3;
    soon { $t->site('other.example') } 'proxy, learned';
    has('proxy, then', $get->(4), body => qr/<main>/, lacks => qr/<nav/);
    unlike($asked->(), qr/detemplate/, 'proxy, no request but those');
    $t->no_alerts();
}

# limits of clients, but not of the learner

$t = recipe(section('Requests of the learner', 'doc/learning.md'),
    server => 'detemplate strip; location / { limit_req zone=clients; }',
    http => 'detemplate_zone templates:1m;');

my @statuses = map { status_of(http_get("/p$_.html", host => $WWW)) } 1 .. 4;

like("@statuses", qr/^200 .*503/, 'limits, of a client');
$t->idle();
cmp_ok(($t->site($WWW) // {})->{loads} // 0, '>', 4, 'limits, learned');

# a crawler that comes once gets no menu, not even on its first page

$t->no_alerts();
$t = recipe(section("An indexer's first pass"));

for my $i (1 .. 4) {
    has("first pass, page $i", http_get("/p$i.html", host => $WWW,
        fields => ['User-Agent: MyCrawler/1.0']),
        lacks => qr/<nav/, Detemplate => qr/^hit;/);
}

gets([ 'first pass, for readers', '/p5.html', { host => $WWW },
    body => page(5), Detemplate => '' ]);

# marks for indexers alone

$t->no_alerts();
$t = recipe(section('Indexers'));

my %agent = (docsearch => 'DocSearch/1.0', elastic => 'Elastic-Crawler (1)');

for my $name (sort keys %agent) {
    @indexer = (host => $WWW, fields => ["User-Agent: $agent{$name}"]);

    ok($t->learn('/p1.html', @indexer), "marks, $name, learned");
    my $r = http_get('/p2.html', @indexer);
    has("marks, $name", $r, body => qr/<header data-template/,
        Vary => 'User-Agent');
    is(unmarked(body($r)), page(2), "marks, $name, only marks are added");
}

gets([ 'marks, for readers', '/p2.html', { host => $WWW }, body => page(2),
    Vary => 'User-Agent' ]);

# the rows of crawlers that leave out the elements with an attribute: the page
# that they get has, without these, its own words alone

my $table = section('Indexers');
my ($elastic, $left_out) = $table
    =~ /^\| Elastic's Open Crawler \| `(detemplate_marks \w+;)` \|.*`(\S+)`/m;
my ($data, $removed) = $table
    =~ /^\| DocSearch \| `(detemplate_marks \S+;)`.*`\$\("\[(.*?)\]"\)/m;

for my $row ([ 'elastic', $elastic, $left_out ],
    [ 'docsearch', $data, $removed ])
{
    my ($name, $marks, $attribute) = @$row;

    $t->no_alerts();
    $t = recipe($table, change => [ '(?<=detemplate       \$mode;)', $marks ]);
    @indexer = (host => $WWW, fields => ["User-Agent: $agent{$name}"]);
    $t->learn('/p1.html', @indexer);
    $t->idle();

    my $r = http_get('/p2.html', @indexer);

    has("$name, its marks", $r, body => qr/<header \Q$attribute\E /);
    is_deeply(words(without(body($r), $attribute)),
        words(page(2) =~ s{.*(?=<main>)|(?<=</main>).*}{}gsr),
        "$name, the words of the page alone");
}

# a program that reads marks

SKIP: {
    my ($program) = section('Reading the marks', 'doc/start.md')
        =~ /^```python\n(.*?)^```/ms;

    skip('no lxml', 2)
        if system('/usr/bin/python3 -c "import lxml.html" 2>/dev/null');

    $t->no_alerts();
    $t = recipe($table, change => [ 'default            off;',
        'default annotate;' ]);
    $t->learn('/p1.html', host => '127.0.0.1');
    $t->idle();
    $t->write_file('read.py', $program =~ s{http://www\.example\.com/}
        {'http://127.0.0.1:' . $t->port(0) . '/p2.html'}er);

    my $read = `/usr/bin/python3 @{[$t->testdir()]}/read.py 2>&1`;
    my ($own) = page(2) =~ m{<main>.*?<p>(.*?)</p>}s;

    like($read, qr/\Q$own/, 'read, its own words');
    unlike($read, qr/almanac|Chapter 2/, 'read, and none of menus');
}

# a cache that ignores Vary stores pages for readers, and what has a URL of its
# own

$t->no_alerts();
$t = recipe(section('Caches that ignore Vary', 'doc/http.md'),
    server => 'detemplate off; detemplate_accept markdown;
        detemplate_suffix .md;',
    http => 'detemplate_zone templates:1m;');

gets(
    [ 'caches, a page', '/p2.html', { host => $WWW }, body => page(2),
        'Cache-Control' => '' ],
    [ 'caches, Markdown by Accept', '/p2.html', { host => $WWW,
        fields => ['Accept: text/markdown'] }, body => qr/^# /m,
        'Cache-Control' => 'private' ],
    [ 'caches, Markdown by its URL', '/p2.html.md', { host => $WWW },
        body => qr/^# /m, 'Cache-Control' => '' ],
);

# the commands for indexers of files, as far as the programs are here

my ($commands) = section('Indexers')
    =~ /^((?: {4}.+\n)*? {4}pagefind .*\n(?: {4}.*\n)*)/m;
my $dir = $t->testdir() . '/files';
my $url = 'http://127.0.0.1:' . $t->port(0) . '/';

$t->write_file('html/index.html', page(1));
mkdir $dir;

for my $program (qw/ pagefind omindex wget /) {
    $commands =~ s/^ *$program .*\n//mg if !on_path($program);
}

$commands = $commands =~ s/^    //gmr =~ s{\Qhttp://$WWW/}{$url}gr
    =~ s/^detemplate /$BIN /gmr =~ s/^wget /wget -q /gmr;

SKIP: {
    skip('no wget', 4) if !on_path('wget');

    is(system("cd $dir && { $commands } >log 2>&1"), 0, 'files, commands')
        or diag($t->read_file('files/log'));

    my $page = $t->read_file('files/stripped/p3.html');

    has('files, stripped', response($page), body => qr/<h1>/,
        lacks => qr/<nav|almanac society/);

    skip('no omindex', 2) if !on_path('omindex');

    my ($own) = page(3) =~ m{<main>.*?<p>(\w+)}s;
    my $words = `xapian-delve -a -1 $dir/index 2>>$dir/log`;

    like($words, qr/^\L$own\E$/m, 'files, omindex has words of pages');
    unlike($words, qr/^(?:almanac|chapter)$/m, 'files, and none of menus');
}

$t->done();

# the words of a page, which are no part of its head

sub words ($html) {
    return [ $html =~ s{^.*</head>}{}sr =~ s/<!--.*?-->//gsr
        =~ s/<[^>]*>/ /gr =~ /\w+/g ];
}

# the page without the elements that have an attribute: each of them ends with
# its own end tag

sub without ($html, $attribute) {
    my ($out, $name, $open) = ('', '', 0);

    for my $part ($html =~ /<[^>]*>|[^<]+/g) {
        my ($end, $tag) = $part =~ m{^<(/?)(\w+)};

        if (!$open && $tag && $part =~ /\s\Q$attribute\E[\s=>]/) {
            ($name, $open) = ($tag, 1);

        } elsif (!$open) {
            $out .= $part;

        } elsif (($tag // '') eq $name) {
            $open += $end ? -1 : 1;
        }
    }

    return $out;
}

# a server of names, each of which is this machine's

sub names ($t, $n) {
    my $server = IO::Socket::INET->new(Proto => 'udp',
        LocalAddr => '127.0.0.1', LocalPort => $t->port($n))
        or die "names: $!\n";

    $t->fork_child(sub {
        while ($server->recv(my $asked, 512)) {
            my ($id, $name) = unpack 'a2 x10 a*', $asked;

            $server->send($id . pack('n5', 0x8180, 1, 1, 0, 0) . $name
                . pack('n3 N n C4', 0xc00c, 1, 1, 60, 4, 127, 0, 0, 1));
        }
    });
}
