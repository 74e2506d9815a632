#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Commands of an operator, while requests run: none of them fails.

use Test::Detemplate;

my $t = Test::Detemplate->new();

my $REDIS = 'detemplate_redis redis://127.0.0.1:%%PORT_2%%;';

sub conf {
    $t->configure(
        zone => '4m',
        listen => [ 0, '3 proxy_protocol' ],
        http => "$REDIS detemplate_cut cautious;",
        server => $_[0] // '',
        locations => [ '= /control', ' detemplate_control;',
            '= /any', 'detemplate_control public; '
                . 'set_real_ip_from 127.0.0.1; real_ip_header X-Real;',
            '= /own', 'detemplate_control; '
                . 'set_real_ip_from 127.0.0.1; real_ip_header X-Real;' ],
    );
}

conf();
$t->pages('html');
my $redis = $t->redis(2);
$t->run();

# who may command

my @field = (fields => ['Detemplate-Control: yes']);
my $show = '/control?do=show&site=site.test';

is(status_of(http_get($show, @field)), 405, 'GET is not allowed');
is(field(http_get($show, @field), 'Allow'), 'POST', 'but POST is');
is(status_of(http_request('POST', $show)), 403, 'without the field');
is(status_of(http_request('POST', $show,
    fields => [@{$field[1]}, 'Origin: http://site.test'])), 403, 'a page');
is(status_of(http_request('POST', '/own?do=show&site=site.test',
    fields => [@{$field[1]}, 'X-Real: 10.0.0.1'])), 403, 'another machine');
is(status_of(http_request('POST', '/any?do=show&site=site.test',
    fields => [@{$field[1]}, 'X-Real: 10.0.0.1'])), 404, 'public: anybody');

# a proxy on this machine speaks for anybody

for my $name (qw/ X-Forwarded-For x-forwarded-host X-Forwarded-Proto
    Forwarded Via X-Real-IP /)
{
    is(status_of(http_request('POST', $show,
        fields => [@{$field[1]}, "$name: 127.0.0.1"])), 403,
        "by proxy, $name");
    is(status_of(http_get('/status', fields => ["$name: 127.0.0.1"])), 403,
        "by proxy, $name, status");
}

for my $asks ("POST $show", 'GET /status') {
    is(status_of(http("PROXY TCP4 10.0.0.1 127.0.0.1 1 2\r\n$asks HTTP/1.0\r\n"
        . "Detemplate-Control: yes\r\n\r\n", port => $t->port(3))), 403,
        "by proxy, PROXY protocol, $asks");
}

for my $args ('', '?site=site.test', '?do=show', '?do=show&site=',
    '?do=sing&site=site.test', '?do=restore&site=site.test&n=4',
    '?do=restore&site=site.test&n=x', '?do=show&site=' . 'x' x 256,
    '?do=show&site=' . '%78' x 256)
{
    my $reply = http_request('POST', "/control$args", @field);

    is(status_of($reply), 400, 'wrong arguments: ' . substr($args, 0, 40));
    like(body($reply), qr/^\{"error":"[^"]+"\}$/, 'the answer says why');
}

for my $do (qw/ show relearn forget pin unpin restore /) {
    is(command($do, site => 'no.test')->{status}, 404, "$do, unknown site");
}

# the same by the program

my ($code, $out) = run_program('relearn', 'no.test');
is($code, 1, 'detemplate relearn, unknown site');
like($out, qr/"error":"the site is not known"/, 'nginx says so');
is((run_program('relearn'))[0], 2, 'without a site');
is(system("$BIN forget site.test 2>/dev/null") >> 8, 2, 'without a URL');
is((run_program('show'))[0], 2, 'another command');

# the first two templates

my $load = load();

ok($t->learn('/p1.html', host => 'site.test'), 'learned');
settle();

my $first = command('show');

is($first->{status}, 200, 'show');
ok($first->{template}{version} > 0 && $first->{template}{coverage} > .1,
    'a template, and what it cuts');
is_deeply($first->{earlier}, [undef, undef, undef], 'none before it');
is(cuts('almanac society'), 1, 'it cuts the template');

redesign('gazette');
is(cuts('gazette society'), 0, 'another design is not known');

my $reply = command('relearn');

is("$reply->{status} $reply->{result}", '200 queued', 'relearn');
soon { cuts('gazette society') } 'learned anew', 20;
settle();

my $second = command('show');

is($second->{earlier}[0]{learned_at}, $first->{template}{learned_at},
    'the former template is kept');

# pin

is(command('pin')->{result}, 'done', 'pin');
ok(command('show')->{pinned}, 'the site is pinned');

redesign('journal');
visit();
is(cuts('journal society'), 0, 'a pinned template does not change');
is($t->learning('queued'), 0, 'and queues nothing');

conf('detemplate_valid 1s;');
reload();
sleep 2;
visit();
like(detemplate('/p1.html'), qr/^hit;/, 'it does not expire, nor is it stale');
conf();
reload();

# no request runs until the site is relearned

kill 'STOP', $load;
restart();
soon { command('show')->{pinned} } 'it is pinned after a restart';
is(command('show')->{earlier}[0]{version}, $first->{template}{version},
    'and the former one is still there');

is(command('unpin')->{result}, 'done', 'unpin');
ok(!command('show')->{pinned}, 'unpinned');

# after a restart no request has said yet where the site is

is(command('relearn')->{result}, 'waiting for a page', 'relearn, restarted');
kill 'CONT', $load;
ok(wait_for(sub { visit(); cuts('journal society') }, 20), 'learned anew');
settle();

my $third = command('show');

is(scalar(grep { $_ } @{$third->{earlier}}), 2, 'two are kept');

# restore

redesign('almanac');
$reply = command('restore', n => 2);
is("$reply->{status} $reply->{result}", '200 done', 'restore the first one');
is($reply->{template}{learned_at}, $first->{template}{learned_at},
    'it serves');
is_deeply([map { $_->{learned_at} } grep { $_ } @{$reply->{earlier}}],
    [map { $_->{learned_at} } $third->{template}, $second->{template}],
    'and no other was lost');
ok($reply->{pinned}, 'a restored template is pinned');
is(cuts('almanac society'), 1, 'it cuts what it did');

$reply = command('restore', n => 3);
is("$reply->{status} $reply->{error}", '404 the site has no such template',
    'there is no third one');
is(cuts('almanac society'), 1, 'which changes nothing');

($code, $out) = run_program('restore', '--list', 'site.test');
is($code, 0, 'detemplate restore --list');
is(JSON::PP::decode_json($out)->{earlier}[1]{learned_at},
    $second->{template}{learned_at}, 'what is kept');

for my $do (qw/ pin unpin /) {
    ($code, $out) = run_program($do, 'site.test');
    is("$code " . JSON::PP::decode_json($out)->{result}, '0 done',
        "detemplate $do");
}

($code, $out) = run_program('restore', '-n', 2, 'site.test');
is("$code " . JSON::PP::decode_json($out)->{template}{learned_at},
    "0 $second->{template}{learned_at}", 'detemplate restore');

# a learning ends the pin

redesign('journal');
is(command('relearn')->{result}, 'queued', 'relearn, pinned');
soon { cuts('journal society') } 'learned anew', 20;
settle();
ok(!command('show')->{pinned}, 'unpinned');
is($t->said('"site.test" is not pinned any more'), 1, 'unpinned, log');

# forget; whoever asks for a page now has the site learned again at once

end_load($load);

is($t->redis_says(2, 'EXISTS dt:{site.test}:template dt:{site.test}:meta'), 2,
    'Redis has it');

# a learner that runs must not bring back what was forgotten

my $before = $t->learning('done');

command('relearn');
$reply = command('forget');
is("$reply->{status} $reply->{result}", '200 done', 'forget');
is($reply->{template}, undef, 'no template is left');

is($t->redis_says(2, 'EXISTS dt:{site.test}:template dt:{site.test}:meta'), 0,
    'nor in Redis');
is($t->redis_says(2, 'ZCARD dt:sites'), 0, 'nor among its sites');

# requests run on, so the site is learned again

ok(wait_for(sub { visit(); cuts('journal society') }, 20), 'learned again');
settle();

my $again = command('show');

is(scalar($t->log_lines(qr/learned "site\.test": version 1,/)), 2,
    'from nothing');
is_deeply($again->{earlier}, [undef, undef, undef], 'without a past');

my ($requests, $failed) = $t->read_file('load') =~ /(\d+) (\d+)/;

ok($requests > 100, 'requests ran');
is($failed, 0, "none of $requests requests failed")
    or diag($t->read_file('failed'));

# a shorter time counts after a reload

like(detemplate('/p1.html'), qr/^hit;/, 'fresh');
my $done = $t->learning('done');
conf('detemplate_refresh 1s; detemplate_valid 1h;');
reload();
sleep 2;
ok(wait_for(sub { http_get('/p1.html');
    $t->learning('done') > $done }, 20),
    'a shorter detemplate_refresh counts after a reload');
$t->idle();

conf('detemplate_learn off; detemplate_valid 1s;');
reload();
soon { detemplate('/p1.html') =~ /expired/ }
    'and so does a shorter detemplate_valid';

# Redis is away: the answer says that not all was done

conf();
reload();
ok($t->learn('/p1.html', host => 'site.test'), 'learned');
$t->end_child($redis);
$reply = command('forget');
is("$reply->{status} $reply->{error}", '500 failed, see the log',
    'Redis is away');
like($t->read_file('error.log'), qr/redis is away/, 'the log says why');

$t->done();

sub command ($do, %args) {
    my $site = $args{site} || 'site.test';
    my $n = $args{n} ? "&n=$args{n}" : '';
    my $reply = http_request('POST', "/control?do=$do&site=$site$n", @field);

    return { %{JSON::PP::decode_json(body($reply) || '{}')},
        status => status_of($reply) };
}

sub run_program ($what, @args) {
    my $url = 'http://127.0.0.1:' . $t->port(0) . '/control';
    my $out = `$BIN $what --control $url @args 2>&1`;

    return ($? >> 8, $out);
}

# whether the words stand in the page, and are cut from it

sub cuts ($words) {
    return index($t->read_file('html/p2.html'), $words) >= 0
        && index(body(http_get('/p2.html')), $words) < 0 ? 1 : 0;
}

# another design: another name, another class

sub redesign ($name) {
    for my $i (1 .. 8) {
        $t->write_file("new/p$i.html",
            page($i) =~ s/almanac/$name/gr =~ s/side/$name/gr);
        rename "$t->{dir}/new/p$i.html", "$t->{dir}/html/p$i.html";
    }
}

sub visit {
    http_get("/p$_.html") for 1 .. 8;
    $t->idle();
}

# all that can be learned is learned

sub settle {
    visit() for 1 .. 2;
}

sub reload {
    my $pid = workers();

    $t->reload();
    wait_for(sub { workers() ne $pid }, 10) or die "no reload\n";
}

sub workers {
    open my $fh, '<', "/proc/$t->{nginx}/task/$t->{nginx}/children"
        or return '';

    return join ' ', sort grep { proc_title($_) =~ /^worker process$/ }
        split / /, <$fh> // '';
}

sub restart {
    $t->end_child(delete $t->{nginx}, 'QUIT');
    $t->run();
}

# a client that requests pages until it is told to end

sub load {
    return $t->fork_child(sub {
        my ($n, $failed, $end) = (0, 0, 0);

        local $SIG{TERM} = sub { $end = 1 };

        while (!$end && $n < 100_000) {
            my $i = 1 + $n % 8;
            my $reply = http_get("/p$i.html");

            # A worker that ends closes connections without a byte of a
            # request: clients repeat such requests.

            $reply ||= http_get("/p$i.html");

            # the signal interrupts the last request

            last if $end;

            $n++;

            if ($reply !~ m{^HTTP/1.1 200 .*<h1>.* $i</h1>.*</html>}s) {
                $failed++;
                $t->write_file('failed', $reply);
            }

            Time::HiRes::sleep(.005);
        }

        $t->write_file('load', "$n $failed\n");
    });
}

sub end_load {
    $t->end_child($_[0]);
}
