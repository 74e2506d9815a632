#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The program that learns: where it is looked for, what it inherits from nginx,
# and what happens if it has another version or misbehaves.

use Config;
use File::Copy qw/ copy /;
use Test::Detemplate;

plan skip_all => 'no /proc' if !-e '/proc/self/stat';

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $module = $Test::Detemplate::MODULE;
my $secret = 'a-password-of-redis-0123456789';
my $zone = 'detemplate_zone z:1m;';

# where it is looked for

my $none = qr/\[emerg\].*program that learns cannot be executed: /;

$t->write_file('plain', '');
$t->write_file('bin/program', "#!/bin/sh\n");
chmod 0755, "$d/bin/program";

for (
    [ "$zone detemplate_program bin/program;", 'detemplate strip;', undef,
        'program, below the prefix' ],
    [ "$zone detemplate_program $d/bin/program;", 'detemplate strip;', undef,
        'program, path' ],
    [ "$zone detemplate_program $d/none;", 'detemplate strip;',
        qr/$none"\Q$d\E\/none" of "detemplate_program" in $d\/\S+:\d.*\(2: /,
        'program, none' ],
    [ "$zone detemplate_program $d/plain;", 'detemplate strip;',
        qr/$none"\Q$d\E\/plain".*\(13: /, 'program, not to be executed' ],
    [ "$zone detemplate_program $d/bin;", 'detemplate strip;',
        qr/$none"\Q$d\E\/bin"/, 'program, a folder' ],
    [ "$zone detemplate_program $d/none;", 'detemplate $arg_mode;', $none,
        'program, mode by a variable' ],
    [ "$zone detemplate_program $d/none; detemplate strip;",
        'detemplate off; location /a { detemplate annotate; }', $none,
        'program, for one location' ],
    [ "$zone detemplate_program $d/none; detemplate strip;",
        'detemplate_learn off;', undef, 'program, nothing is learned' ],
    [ "$zone detemplate_program $d/none; detemplate strip;",
        'detemplate off;', undef, 'program, nothing is served' ],
    [ "$zone detemplate_program $d/none;", '', undef, 'program, not used' ],
    [ "$zone detemplate_program a; detemplate_program b;", '',
        qr/"detemplate_program" directive is duplicate/, 'program, twice' ],
    [ "$zone detemplate_program '';", '',
        qr/"detemplate_program" directive is empty/, 'program, empty' ],
) {
    try_conf(@$_);
}

SKIP: {
    skip 'the module is in nginx', 3 if $module eq '';

    # a module without the program next to it, and one with it

    mkdir "$d/modules";
    copy($module, "$d/modules/a.so") or die "$module: $!\n";
    symlink "$d/modules/a.so", "$d/link.so";

    local $t->{module} = "load_module $d/link.so;\n";

    try_conf($zone, 'detemplate strip;',
        qr/$none"\Q$d\E\/modules\/detemplate", install.*detemplate_program/,
        'module alone');

    symlink $BIN, "$d/modules/detemplate";
    try_conf($zone, 'detemplate strip;', undef, 'program beside the module');
    try_conf("$zone detemplate_program $d/none;", 'detemplate strip;',
        qr/$none"\Q$d\E\/none"/, 'directive before what is beside');
}

# a program that root may execute and the user of the workers may not

SKIP: {
    skip 'not root', 16 if $> != 0;

    my $nobody = getpwnam('nobody');

    $t->write_file('closed/program', "#!/bin/sh\n");
    symlink "$d/closed/program", "$d/link";

    for (
        [ 0700, 0755, 0, '', 'closed', 'a folder of root' ],
        [ 0755, 0744, 0, '', 'closed/program', 'a file of root' ],
        [ 0711, 0711, 0, '', '', 'for all' ],
        [ 0755, 0700, $nobody, '', '', 'their own' ],
        [ 0755, 0077, $nobody, '', 'closed/program', 'their own, not x' ],
        [ 0755, 0710, 0, 'user nobody root;', '', 'their group' ],
        [ 0755, 0701, 0, 'user nobody root;', 'closed/program',
            'their group, not x' ],
        [ 0700, 0700, 0, 'user root;', '', 'root' ],
    ) {
        my ($folder, $file, $owner, $user, $said, $title) = @$_;

        chown $owner, 0, "$d/closed/program";
        chmod $folder, "$d/closed";
        chmod $file, "$d/closed/program";

        local $t->{module} = "$t->{module}$user\n";
        my ($rc, $out) = $t->try_conf("$zone detemplate_program link;",
            'detemplate strip;');
        my ($mode) = $out =~ /\[warn\] the program that learns, "$d\/link", (?#
            )cannot be executed by user "nobody": see the mode of "$d\/(.*)"/;

        is($rc, 0, "user, $title, accepted");
        is($mode // '', $said, "user, $title, logged");
    }
}

# a program that the test replaces; each host is a site

my $tls = system('openssl req -x509 -newkey ec -pkeyopt '
    . 'ec_paramgen_curve:prime256v1 -nodes -subj /CN=tls.test '
    . "-keyout $d/key.pem -out $d/cert.pem >$d/openssl.log 2>&1") == 0;

$t->write_file('tls.conf', !$tls ? '' : <<"END");
server {
    listen               127.0.0.1:@{[$t->port(3)]} ssl;
    ssl_certificate      $d/cert.pem;
    ssl_certificate_key  $d/key.pem;
}
END

$t->configure(
    main => "env SECRET=$secret;",
    zone => '16m',
    http => "
        detemplate_program %%TESTDIR%%/program;
        detemplate_learners 4;
        include tls.conf;",
    name => 'any.test',
    server => 'detemplate_site $host; detemplate_origin %%HTTP_1%%;',
    locations => ['/big/' => 'detemplate_refresh 2s; proxy_pass %%HTTP_1%%;'],
);

$t->pages('html');

$t->answers(1, sub ($uri, @) {
    my ($big, $n) = $uri =~ m{^(/big)?/p(\d)\.html} or return;

    select undef, undef, undef, 0.1 while -e "$d/slow";

    return response($big ? big($n) : page($n));
});

install($BIN);
$t->run();

my $manager = $t->process('cache manager');

# its descriptors, environment and limits while it waits for pages

my ($learner, $fds, $maps, @keys);
my $pipes = pipes();

$t->write_file('slow', '');
$learner = learner('slow.test');
$fds = opened($learner);

# it has a connection once it has sent its version and read its job

wait_for(sub {
    grep { /^socket:/ } values %{$fds = opened($learner)};
}, 5);

is(join(' ', map { ($fds->{$_} || '') =~ /^(\w+):/ } 0 .. 2),
    'pipe pipe pipe', 'learner, three pipes');
is(join(' ', grep { $_ > 2 && $fds->{$_} !~ /^(?:socket|anon_inode|pipe):/ }
    keys %$fds), '', 'learner, no open file');

for my $pid ($t->{nginx}, $manager) {
    my %has = map { $_ => 1 } values %{opened($pid)};

    # except for the other ends of its pipes

    is(join(' ', grep { $has{$_} && !/^pipe:/ } values %$fds), '',
        'learner, nothing that nginx has open, ' . proc_title($pid));
}

$maps = slurp("/proc/$learner/maps");

like($maps, qr/libgumbo/, 'learner, maps gumbo');
unlike($maps, qr{nginx|/dev/zero|\.so \(deleted\)|filter_module},
    'learner, maps nothing of nginx');
like(slurp("/proc/$manager/maps"), qr/^\S+ .w.s /m,
    'manager, memory that others write to');
unlike($maps, qr/^\S+ .w.s /m, 'learner, no memory that others write to');
unlike(slurp("/proc/$manager/maps"), qr/libgumbo|libcurl/,
    'manager, maps neither gumbo nor libcurl');

is(join(' ', grep { !/^(?:ASAN|UBSAN)_OPTIONS=/ } split /\0/,
    slurp("/proc/$learner/environ")), '', 'learner, empty environment');
is(slurp("/proc/$learner/status") =~ /^NoNewPrivs:\s*(\d)/m && $1, 1,
    'learner, no new privileges');

SKIP: {
    my ($mode) = slurp("/proc/$learner/status") =~ /^Seccomp:\s*(\d)/m;

    skip 'there is no filter', 1
        if !-e '/proc/sys/kernel/seccomp/actions_avail'
            || $Config{ptrsize} < 8;
    is($mode, 2, 'learner, system calls are limited');
}

# The search finds both values in nginx, so it would find them in the learner
# too.

SKIP: {
    my $its = memory($learner);
    my $memory = memory($t->{nginx});

    skip 'memory cannot be read', 5 if !defined $memory;

    cmp_ok(index($memory, $secret), '>', 0, 'nginx has the password');
    is(index($its, $secret), -1, 'learner has no password');
    cmp_ok(index($its, 'Detemplate-Learner: '), '>', 0,
        'learner, test can read its memory');

    skip 'no openssl', 2 if !$tls;

    @keys = keys_of("$d/key.pem");

    cmp_ok((grep { index($memory, $_) >= 0 } @keys), '>', 0,
        'nginx has the key');
    is((grep { index($its, $_) >= 0 } @keys), 0, 'learner has no key');
}

unlink "$d/slow";
ok($t->learn('/p3.html', host => 'slow.test'), 'learned');

# Programs that misbehave: one line in the log, a back-off, and no process is
# left.

my $hello = qx($BIN --version);

# as core/base/wire.c writes it; a slice is a length and a pointer

my $answer = sub ($rc, $len, $reason) {
    my $slice = $Config{ptrsize} == 8 ? 'Q2' : 'L2';
    my $size = ($Config{ptrsize} == 8 ? 240 : 232) + $len + 7 & ~7;

    return "print pack('a4L10a20a160$slice', 'DTAN', $size, "
        . "$rc, 3, 2, 0, 9, 4, 0, 0, 0, '$reason', 'said so', $len, 0);";
};
my $perl = "#!/usr/bin/perl\n\$| = 1; print '$hello';";

wait_for(sub { pipes() == $pipes }, 5);

my $open = keys %{proc_fds($manager)};
my $failed = $t->learning('failed');

# title, program, reason, another expression for the log, and a signal that
# ends it

for (
    [ 'garbage', "#!/bin/sh\nhead -c 100000 /dev/urandom\nsleep 100",
        'protocol: learner ended by signal 9' ],
    [ 'text', "#!/bin/sh\necho hello; sleep 100",
        'protocol: learner ended by signal 9' ],
    [ 'endless', "#!/bin/sh\nexec yes", 'protocol: ' ],
    [ 'endless-line', "#!/bin/sh\nexec tr '\\0' x </dev/zero", 'protocol: ' ],
    [ 'endless-error', "#!/bin/sh\nyes 'so it says' >&2",
        'timeout: .*: so it says,', 'ALRM' ],
    [ 'silent', "#!/bin/sh\nexec sleep 100",
        'timeout: learner ended by signal 14', 'ALRM' ],
    [ 'deaf', "#!/bin/sh\nexec <&-; echo '${\($hello =~ s/\n//r)}'; sleep 100",
        'timeout: ', 'ALRM' ],
    [ 'shut', "#!/bin/sh\nexec >&- 2>&-; sleep 100", 'timeout: ', 'ALRM' ],
    [ 'code', "#!/bin/sh\necho one >&2; echo two words >&2; exit 3",
        'no-answer: learner exited with code 3: two words' ],
    [ 'unended', "#!/bin/sh\nprintf 'one\\ntwo words' >&2; exit 3",
        'no-answer: learner exited with code 3: two words,' ],
    [ 'killed', "#!/bin/sh\nkill -9 \$\$",
        'crashed: learner ended by signal 9' ],
    [ 'half', "$perl print 'DTAN';", 'no-answer: learner exited with code 0' ],
    [ 'magic', "$perl print 'x' x 300; sleep 100;", 'protocol: ' ],
    [ 'status', "$perl ${\$answer->(7, 0, 'x')} sleep 100;", 'protocol: ' ],
    [ 'large', "$perl ${\$answer->(0, (4 << 20) + 1, 'x')} sleep 100;",
        'protocol: ' ],
    [ 'surplus', "$perl ${\$answer->(1, 0, 'x')} print 'x'; sleep 100;",
        'protocol: ' ],
    [ 'short', "$perl ${\$answer->(0, 99, 'x')} print 'x' x 98;",
        'no-answer: ' ],
    [ 'bytes', "$perl ${\$answer->(0, 99, 'x')} print 'x' x 104;",
        'template' ],
    [ 'declines', "$perl ${\$answer->(1, 0, 'no-links')}",
        'no-links: said so' ],
    [ 'control', $perl . $answer->(1, 0, "\e[2J"), '\\?\\[2J: said so' ],
    [ 'crlf', "#!/bin/sh\nprintf 'a\\033b\\rc\\n' >&2; exit 1",
        'no-answer: .*: a\\?b\\?c' ],
) {
    my ($title, $program, $reason, $signal) = @$_;

    misbehaves($title, $program, $reason, $signal);
}

# a program that starts a child: both are ended

misbehaves('family', "#!/bin/sh\nsleep 100 &\necho \$! >$d/child\necho hello\n"
    . 'sleep 100', 'protocol: ');

my ($child) = $t->read_file('child') =~ /^(\d+)$/m;

ok($child && wait_for(sub { !proc_stat($child) }, 5),
    'child of a learner has ended') or kill 'KILL', grep { $_ } $child;

# the program is missing, or cannot be executed

install(undef);
misbehaves('gone', undef, 'no-answer: .*code 127: execve.*failed \\(2: ');
$t->write_file('program', '');
misbehaves('plain', undef, 'no-answer: .*code 127: execve.*failed \\(13: ');

is($t->log_lines(qr/\[(?:alert|crit)\]/), 0,
    'log has no errors above the expected level');

# another version is logged once, and nothing is learned until it is replaced

my $learned = $t->learning('done');

install("#!/bin/sh\necho \$\$ >>$d/ran\necho 'detemplate 0.0.9'\ncat");

for my $i (1 .. 3) {
    http_get('/p3.html', host => "version$i.test");

    # a job is queued after the response has ended

    wait_for(sub { $t->said('"detemplate 0.0.9"') }, 20);
    soon {
        $t->learning('running') + $t->learning('queued') == 0;
    } "version, $i", 20 or diag($t->read_file('error.log'));
}

my ($version) = $hello =~ /(\d\S*)/;
my @told = $t->log_lines(qr/\[error\].*"detemplate 0\.0\.9".*\Q$version\E/);

is(scalar @told, 1, 'version, both are logged once');
is($t->learning('failed'), $failed, 'version, no site has failed');
is(scalar(() = $t->read_file('ran') =~ /\n/g), 1, 'version, executed once');
like(detemplate('/p3.html', host => 'version1.test'), qr/reason=backoff/,
    'version, page passes');
is(left_open(), $open, 'version, no descriptor is left');

install("#!/bin/sh\necho 'detemplate 0.10.99-long'\ncat");
http_get('/p3.html', host => 'longer.test');
soon { $t->said('"detemplate 0.10.99-long"') }
    'version, a longer one is logged', 5;

install("#!/bin/sh\necho 'detemplate 1'\ncat");
http_get('/p3.html', host => 'shorter.test');
soon { $t->said('"detemplate 1"') } 'version, a shorter one is logged', 5;

install($BIN);
ok($t->learn('/p3.html', host => 'mended.test'),
    'version, learned after it was replaced');
is($t->learning('done'), $learned + 1, 'version, learned once');

# a template that is larger than a pipe passes through it, and blocks nothing
# else

ok($t->learn('/big/p3.html', host => 'big.test'), 'big, learned');
$t->idle(60);

# its snapshot is written after it is in the zone

ok(wait_for(sub { grep { -s > 1 << 20 } glob "$d/templates/*.dt" }, 5),
    'big, snapshot');

install("$perl open F, '>', '$d/asleep'; sleep 100;");

# on a busy machine, its learner rests for longer

soon {
    http_get('/big/p3.html', host => 'big.test');
    $t->learning('running') == 1;
} 'big, job waits to be read', 20;

$learner = executing('big');

# perl reads its script only after it was executed, so an older script must
# have been read

soon { -e "$d/asleep" } 'big, old program still runs', 20;

install($BIN);
ok($t->learn('/p3.html', host => 'meanwhile.test'), 'big, others are learned');

# the template is in the zone before its learner has ended

soon { $t->learning('running') == 1 } 'big, other learners have ended', 5;
ok(kill('KILL', $learner), 'big, still waits');
soon { $t->learning('running') == 0 } 'big, given up', 20;

# waits for the end of that back-off

soon {
    http_get('/big/p3.html', host => 'big.test');
    my $site = $t->site('big.test');
    return $site && $site->{version} > 1;
} 'big, learned anew, from what was known', 60;
$t->idle(60);

is(left_open(), $open, 'no descriptor is left');
is(join(' ', children()), '', 'no child is left');

$t->done();

sub try_conf ($http, $server, $re, $title) {
    my ($rc, $out) = $t->try_conf($http, $server);

    ok(defined $re ? $rc == 1 && $out =~ $re : $rc == 0, $title)
        or diag("exit $rc\n$out");
}

# installs the next program: a script, a binary, or none

sub install ($what) {
    unlink "$d/next", "$d/program";
    return if !defined $what;

    if ($what =~ /^#/) {
        $t->write_file('next', "$what\n");
        chmod 0755, "$d/next";

    } else {
        symlink $what, "$d/next" or die "$what: $!\n";
    }

    rename "$d/next", "$d/program" or die "program: $!\n";
}

sub pipes { scalar grep { /^pipe:/ } values %{proc_fds($manager)} }

sub children {
    return grep {
        my $stat = proc_stat($_);
        $stat && $stat->{parent} == $manager;
    } processes();
}

# waits for a learner of a new site

sub learner ($host) {
    http_get('/p3.html', host => $host);

    return wait_for(sub {
        my ($pid) = grep { proc_title($_) eq 'learner' } children();
        return $pid;
    }, 10) || die "no learner for $host\n";
}

# the manager's descriptors once it has ended the last learner

sub left_open {
    wait_for(sub { keys %{proc_fds($manager)} == $open }, 10);

    return scalar keys %{proc_fds($manager)};
}

# the child that has executed another program than nginx

sub executing ($title) {
    return wait_for(sub {
        my ($pid) = grep { slurp("/proc/$_/cmdline") =~ /^(?!nginx)./ }
            children();
        return $pid;
    }, 20) || BAIL_OUT("$title: not executed");
}

sub misbehaves ($title, $program, $reason, $signal = undef) {
    my $host = "$title.test";
    my $re = qr/\[error\].*no template for "\Q$host\E": $reason/;

    install($program) if defined $program;
    http_get('/p3.html', host => $host);

    if ($signal) {
        my $pid = executing($title);

        select undef, undef, undef, 0.2;
        kill $signal, $pid;
    }

    soon { $t->log_lines($re) } "$title, reason"
        or diag(grep { /\Q$host\E/ } $t->log_lines(qr/no template/));
    is($t->said("no template for \"$host\""), 1, "$title, logged once");
    is($t->learning('failed'), ++$failed, "$title, failed");
    is($t->learning('running'), 0, "$title, not running");
    like(detemplate('/p3.html', host => $host), qr/^miss; reason=backoff/,
        "$title, back-off");
    is(left_open(), $open, "$title, no descriptor is left");
    is(join(' ', children()), '', "$title, no child is left");
}

# libcurl may have an eventfd, and nginx too; their numbers tell them apart

sub opened ($pid) {
    my $fds = proc_fds($pid);

    for my $fd (grep { $fds->{$_} =~ /eventfd/ } keys %$fds) {
        my ($id) = slurp("/proc/$pid/fdinfo/$fd") =~ /^(eventfd-id:.*)/m;
        $fds->{$fd} .= $id // '';
    }

    return $fds;
}

# the memory of a process; undef where it cannot be read

sub memory ($pid) {
    my $all = '';

    open my $mem, '<:raw', "/proc/$pid/mem" or return undef;

    for (split /\n/, slurp("/proc/$pid/maps")) {
        my ($from, $to) = /^([0-9a-f]+)-([0-9a-f]+) r/ or next;

        no warnings 'portable';

        $from = hex $from;
        my $len = hex($to) - $from;

        # memory of a sanitizer is skipped

        next if $len > 1 << 28;

        sysseek $mem, $from, 0 or next;
        sysread $mem, $all, $len, length $all;
    }

    return $all;
}

# the private number as it is written, and as libraries store it

sub keys_of ($file) {
    my ($hex) = `openssl ec -in $file -noout -text 2>/dev/null`
        =~ /priv:\s*([0-9a-f:\s]+)/ or return;

    my $bytes = pack 'H*', $hex =~ s/[^0-9a-f]//gr;

    $bytes =~ s/^\0//;

    return ($bytes, scalar reverse $bytes);
}

# a page with a template of the maximum size

sub big ($n) {
    my $seed = $n;
    my $word = sub {
        $seed = ($seed * 1103515245 + 12345) % 2147483648;
        return join '', map { chr(97 + ($seed >> $_) % 26) } 4, 8, 12, 16, 20;
    };

    return "<!DOCTYPE html><html><head><title>Page $n</title></head><body>"
        . '<nav>' . join(' ', map { "<a href=\"p$_.html\">Page $_</a>" }
            1 .. 8) . '</nav><main>'
        . join('', map { '<p>' . join(' ', map { $word->() } 1 .. 1000)
            . '</p>' } 1 .. 12)
        . '</main><footer>' . join("\n", map { "<p>shared $_</p>" } 1 .. 20000)
        . '</footer></body></html>';
}
