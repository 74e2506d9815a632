package Test::Detemplate;

# Copyright (C) The detemplate authors

# nginx with the module, an origin and a Redis for tests, all on free ports of
# the loopback, in a directory of their own.  They are stopped by process id at
# the end.

use v5.36;

use Exporter ();
use feature ();
use File::Basename qw/ dirname /;
use File::Path qw/ make_path /;
use File::Spec;
use File::Temp qw/ tempdir /;
use FindBin ();
use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;
use JSON::PP;
use POSIX qw/ WNOHANG /;
use Socket qw/ CRLF SOCK_STREAM /;
use Test::More ();
use Time::HiRes qw/ sleep time /;

our @ISA = 'Exporter';
our @EXPORT = qw/ body can_read chunked curl_has decode_json detemplate field
    gets h2_get has head http http_get http_head http_request lacks nginx_has
    on_path other_page page proc_fds proc_stat proc_title processes read_until
    redis_cli response slurp soon status_of subsequence unmarked wait_for $BIN
    $TOP /;

our $NGINX = $ENV{TEST_NGINX_BINARY} || 'nginx';

# TEST_NGINX_MODULE is empty where the module is linked into nginx

our $MODULE = defined $ENV{TEST_NGINX_MODULE} ? $ENV{TEST_NGINX_MODULE}
    : 'build/ngx_http_detemplate_filter_module.so';

our $TOP = dirname(dirname(dirname(dirname(File::Spec->rel2abs(__FILE__)))));
our $BIN = File::Spec->rel2abs($ENV{DETEMPLATE}
    || dirname($MODULE || 'build/.') . '/detemplate');

# Times in tests are those of an idle machine.  All that waits for something
# waits so many times as long before it gives up.  Nothing waits that long for
# what does not come, unless the test fails.

our $PATIENCE = 8;

# A test has strict, warnings, signatures and Test::More with this module.

sub import ($class) {
    strict->import();
    warnings->import();
    feature->import('signatures');
    Test::More->export_to_level(1);
    $_->export_to_level(1) for __PACKAGE__, $class;
}

# requests go to the instance that was made last

my ($current, @all);

sub new ($class) {
    my $dir = tempdir('detemplate-test-XXXXXX', TMPDIR => 1,
        CLEANUP => !$ENV{TEST_LEAVE});

    # workers have another user when root starts nginx

    chmod 0777, $dir;

    my $self = bless {
        dir => $dir, ports => [], pids => {}, parent => $$
    }, $class;

    die "no module $MODULE, see TEST_NGINX_MODULE\n"
        if $MODULE ne '' && !-f $MODULE;

    $self->{module} = $MODULE eq '' ? ''
        : 'load_module ' . File::Spec->rel2abs($MODULE) . ";\n";
    $current = $self;
    push @all, $self;

    # END blocks run on exit only, so signals must lead to one.  No test takes
    # as long as the alarm.  The reader of the output may have gone: its
    # SIGPIPE is handled once.

    $SIG{INT} = $SIG{TERM} = $SIG{HUP} = sub { exit 1 };
    $SIG{PIPE} = sub { $SIG{PIPE} = 'IGNORE'; exit 1 };
    $SIG{ALRM} = sub { die "test takes too long\n" };
    alarm 300 * $PATIENCE;

    return $self;
}

sub testdir { $_[0]->{dir} }

# The n-th port of this test, the same each time.  It is below those that the
# system gives to clients.  Tests that run at once do not take the same one:
# an abstract socket named after the port belongs to the test until it ends.

my $next_port = 10000 + $$ * 37 % 20000;

sub port ($self, $n) {
    for (my $tries = 0; !defined $self->{ports}[$n]; $tries++) {
        die "no free port: $!\n" if $tries == 20000;

        my $port = $next_port++;
        $next_port = 10000 if $next_port == 30000;

        my $lock = IO::Socket::UNIX->new(Type => SOCK_STREAM,
            Local => "\0detemplate-test-port-$port") or next;

        IO::Socket::INET->new(Listen => 1, Proto => 'tcp',
            LocalAddr => '127.0.0.1', LocalPort => $port) or next;

        $self->{ports}[$n] = $port;
        push @{$self->{locks}}, $lock;
    }

    return $self->{ports}[$n];
}

sub write_file ($self, $name, $content) {
    my ($path) = $name =~ m{^(.*)/};
    make_path("$self->{dir}/$path") if defined $path;

    # a clock that is empty for a moment goes back

    my $new = "$self->{dir}/$name" . ($name =~ /^ahead/ ? '.new' : '');

    open my $fh, '>:raw', $new or die "$name: $!\n";
    print $fh $content;
    close $fh or die "$name: $!\n";

    rename $new, "$self->{dir}/$name" or die "$name: $!\n"
        if $name =~ /^ahead/;

    return $self;
}

sub read_file ($self, $name) { slurp("$self->{dir}/$name") }

# adds to a file, as processes do that share one

sub append_file ($self, $name, $content) {
    open my $fh, '>>:raw', "$self->{dir}/$name" or die "$name: $!\n";
    syswrite $fh, $content;
}

# Writes a configuration: an nginx with the pages of html/, whose template it
# cuts, and its status.  A test names only what is particular to it:
#
#   file       name of the configuration; nginx.conf
#   main       lines outside of http {}
#   zone       size of the zone; 1m
#   http       lines of http {}
#   servers    more servers, each with the names below
#
# and of the server that is the default one:
#
#   listen     numbers of ports, with parameters of "listen"; [0]
#   name       server_name; site.test
#   mode       value of detemplate; strip, and for other servers that of the
#              first one, which stands in http {}.  With $mode the field X-Mode
#              of a request has the mode
#   root       folder of the pages; html.  An empty one is the test's folder
#   origin     if true, pages come from port 1 instead, asked for with the
#              Host of the client
#   server     lines of server {}
#   pages      pairs of a location and its lines: the pages of html/, below
#              another path
#   locations  pairs of a location and its lines
#   status     if true, /status has the status; the first server has it

sub configure ($self, %conf) {
    my %all = (file => 'nginx.conf', main => '', zone => '1m', http => '',
        mode => 'strip', servers => [], name => 'site.test', status => 1,
        %conf);
    my ($file, $main, $zone, $http, $mode, $servers) =
        delete @all{qw/ file main zone http mode servers /};
    my @servers = map { server_block(%$_) } \%all, @$servers;

    my $map = $mode eq '$mode'
        ? 'map $http_x_mode $mode { default $http_x_mode; "" strip; }' : '';

    return $self->write_file_expand($file, <<"END");
%%TEST_GLOBALS%%
$main

events {
}

http {
    %%TEST_GLOBALS_HTTP%%
    detemplate_zone templates:$zone;
    detemplate $mode;
    $map
    $http
    @servers
}
END
}

sub server_block (%server) {
    my %known = map { ($_ => 1) } qw/ listen name mode root origin server
        pages locations status /;
    die "configure: $_ is unknown\n" for grep { !$known{$_} } keys %server;

    my @lines = map { "listen 127.0.0.1:%%PORT_" . s/^\d+\K/%%/r . ';' }
        @{$server{listen} || [0]};

    push @lines, "server_name $server{name};" if defined $server{name};
    push @lines, "root %%TESTDIR%%/" . ($server{root} // 'html') . ';';
    push @lines, "detemplate $server{mode};" if defined $server{mode};
    push @lines, $server{server} // '';

    my @pages = @{$server{pages} || []};
    my @locations = @{$server{locations} || []};

    while (my ($path, $lines) = splice @pages, 0, 2) {
        push @locations, $path, "alias %%TESTDIR%%/html/; $lines";
    }

    push @locations, '= /status',
        'access_log off; detemplate off; detemplate_status;'
        if $server{status};

    if ($server{origin}) {
        push @lines, 'proxy_set_header Host $host;';
        push @locations, '/', 'proxy_pass %%HTTP_1%%;';
    }

    while (my ($path, $lines) = splice @locations, 0, 2) {
        push @lines, "location $path {\n$lines\n}";
    }

    return join "\n", "\nserver {", @lines, "}\n";
}

# %%PORT_n%%, %%HTTP_n%% (a URL of that port), %%TESTDIR%% and what every
# configuration begins with

sub write_file_expand ($self, $name, $content) {
    my $d = $self->{dir};
    my $globals = "$self->{module}pid $d/nginx.pid;\n"
        . "error_log $d/error.log " . ($ENV{TEST_LOG} || 'info') . ";\n"
        . ($ENV{ASAN_OPTIONS} ? "env ASAN_OPTIONS;\n" : '');
    my $http = join '', map { "    ${_}_temp_path $d/${_}_temp;\n" }
        qw/ client_body proxy fastcgi uwsgi scgi /;

    $http .= "    access_log off;\n    root $d;\n"
        . "    types { text/html html; application/xhtml+xml xhtml; "
        . "text/css css; image/png png; }\n"
        . "    default_type text/html;\n"
        . "    detemplate_path $d/templates;\n";

    $content =~ s/%%TEST_GLOBALS%%/$globals/g;
    $content =~ s/%%TEST_GLOBALS_HTTP%%/$http/g;
    $content =~ s/%%TESTDIR%%/$d/g;
    $content =~ s{%%HTTP_(\d+)%%}{http://127.0.0.1:%%PORT_$1%%}g;
    $content =~ s/%%PORT_(\d+)%%/$self->port($1)/ge;

    return $self->write_file($name, $content);
}

# Loads other modules too, from TEST_NGINX_MODULES or from nginx's own folders,
# before or after ours.  Returns false where one is missing or was built for
# another nginx.

sub beside ($self, $behind, @names) {
    my $loads = '';

    for my $name (@names) {
        my ($file) = grep { -f } map { "$_/$name.so" }
            split(/:/, $ENV{TEST_NGINX_MODULES} || ''),
            '/usr/lib/nginx/modules', '/usr/lib64/nginx/modules';

        return 0 if !$file;

        $loads .= "load_module $file;\n";
    }

    $self->{module} = $behind ? "$self->{module}$loads"
        : "$loads$self->{module}";

    my ($rc, $out) = $self->try_conf('detemplate_zone templates:1m;');

    # a module of another nginx cannot be used, which is no failure
    die $out if $rc
        && $out !~ /not binary compatible|instead of \d|undefined symbol/;

    return !$rc;
}

# Builds t/lib/NAME.c as a module, and loads it too; false without the tree
# that nginx and our module are built in

sub module ($self, $name) {
    my ($dir) = $MODULE =~ m{^(.*)/} or return 0;
    my ($tree) = grep { -f "$_/objs/ngx_auto_config.h" }
        "$dir/nginx", "$dir/..";

    return 0 if !$tree;

    my $file = $self->compile($name, map { "-I$tree/$_" } 'objs',
        map { "src/$_" } qw{ core event event/modules event/quic os/unix http
            http/modules http/v2 http/v3 });

    $self->{module} .= "load_module $file;\n";

    return 1;
}

# the exit code and messages of nginx -t, with these lines in http {} and in
# server {}

sub try_conf ($self, $http, $server = '') {
    $self->write_file_expand('try.conf', "%%TEST_GLOBALS%%\n"
        . "events { }\nhttp {\n%%TEST_GLOBALS_HTTP%%\n$http\n"
        . "server { listen 127.0.0.1:%%PORT_9%%; server_name s;\n"
        . "$server\n}\n}\n");

    my $d = $self->{dir};
    my $out = `$NGINX -t -p $d/ -e $d/try.log -c $d/try.conf 2>&1`;

    return ($? >> 8, $out);
}

# a key and a certificate, NAME-key.pem and NAME.pem; false without openssl

sub certificate ($self, $name, $subject, $more = '') {
    my $d = $self->{dir};

    return system('openssl req -x509 -newkey ec -pkeyopt '
        . "ec_paramgen_curve:prime256v1 -nodes -subj /CN=$subject $more "
        . "-keyout $d/$name-key.pem -out $d/$name.pem "
        . ">$d/openssl.log 2>&1") == 0;
}

# libraries to be preloaded: see ahead.c and short.c

sub clock ($self) {
    return $self->compile('ahead', "-DAHEAD=\"$self->{dir}/ahead\"");
}

sub short ($self, $size) {
    return $self->compile('short', "-DSHORT=\"$self->{dir}/short\"",
        "-DSIZE=$size");
}

sub compile ($self, $name, @flags) {
    my ($lib) = $INC{'Test/Detemplate.pm'} =~ m{^(.*)/Test/};

    system('cc', '-shared', '-fPIC', @flags, '-o', "$self->{dir}/$name.so",
        "$lib/$name.c") == 0 or die "no compiler\n";

    return "$self->{dir}/$name.so";
}

# starts a child that runs code or executes a list

sub fork_child ($self, @what) {
    my $pid = fork();
    die "fork: $!\n" if !defined $pid;

    if ($pid == 0) {
        $SIG{$_} = 'DEFAULT' for qw/ INT TERM HUP QUIT PIPE ALRM /;
        alarm 0;

        if (ref $what[0]) {
            $what[0]->();
            POSIX::_exit(0);
        }

        open STDOUT, '>', '/dev/null';
        open STDERR, '>>', "$self->{dir}/stderr.log";
        exec @what or POSIX::_exit(127);
    }

    $self->{pids}{$pid} = 1;

    return $pid;
}

sub run ($self, $conf = 'nginx.conf') {
    my $d = $self->{dir};

    $self->{nginx} = $self->fork_child($NGINX, '-p', "$d/", '-e',
        "$d/error.log", '-c', "$d/$conf", '-g', 'daemon off;');

    $self->waitforsocket($self->port(0))
        or die "nginx did not start:\n" . $self->read_file('error.log')
            . $self->read_file('stderr.log');

    return $self;
}

# the same with a preloaded library; the sanitizers want to be loaded first

sub run_with ($self, $library, @conf) {
    local $ENV{LD_PRELOAD} = $library;
    local $ENV{ASAN_OPTIONS} = join(':', $ENV{ASAN_OPTIONS} || (),
        'verify_asan_link_order=0');

    return $self->run(@conf);
}

sub reload ($self) {
    kill 'HUP', $self->{nginx};

    return $self;
}

# An origin in Perl.  The code gets the socket and the request of each
# connection.  A request ends with an empty line, or where the expression
# matches.

sub origin ($self, $n, $code, $end = qr/\r\n\r\n/) {
    my $server = IO::Socket::INET->new(Listen => 64, Proto => 'tcp',
        LocalAddr => '127.0.0.1', LocalPort => $self->port($n),
        ReuseAddr => 1) or die "origin: $!\n";

    return $self->fork_child(sub {
        local $SIG{PIPE} = 'IGNORE';
        local $SIG{CHLD} = 'IGNORE';

        while (my $client = $server->accept()) {
            my $pid = fork();

            if (defined $pid && $pid == 0) {
                my $request = '';

                alarm 20 * $PATIENCE;
                $client->autoflush(1);

                while ($request !~ $end) {
                    $client->sysread($request, 65536, length $request)
                        or last;
                }

                $code->($client, $request);
                $client->close();
                POSIX::_exit(0);
            }

            $client->close();
        }
    });
}

# An origin whose code returns what it answers to a URI.  It also gets the host,
# whether a learner asks, and the request.

sub answers ($self, $n, $code) {
    return $self->origin($n, sub ($s, $request) {
        my ($uri) = $request =~ m{^\S+ (\S+)} or return;
        my ($host) = $request =~ /^Host: (\S+)/mi;
        my $learner = $request =~ m{^User-Agent: detemplate/}mi ? 1 : 0;

        print $s $code->($uri, $host // '', $learner, $request) // '';
    });
}

sub redis ($self, $n, @args) {
    my $pid = $self->fork_child('redis-server', '--port', $self->port($n),
        '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no',
        '--dir', $self->{dir}, @args);

    $self->waitforsocket($self->port($n)) or die "redis did not start\n";

    return $pid;
}

# the process that speaks to Redis, a child of the manager; or 0

sub redis_link ($self) {
    for my $path (glob '/proc/[0-9]*') {
        open my $fh, '<', "$path/cmdline" or next;
        next if (<$fh> // '') !~ /^detemplate\0link\0/;

        my ($pid) = $path =~ /(\d+)/;

        return $pid if parent(parent($pid)) == $self->{nginx};
    }

    return 0;
}

sub parent ($pid) {
    open my $fh, '<', "/proc/$pid/status" or return 0;

    return join('', <$fh>) =~ /^PPid:\s+(\d+)/m ? $1 : 0;
}

# sends commands to the Redis on that port, each a list of words or a line;
# returns the last answer: a string, a list of answers, or undef

sub redis_says ($self, $n, @commands) {
    my $s = IO::Socket::INET->new(Proto => 'tcp',
        PeerAddr => '127.0.0.1:' . $self->port($n)) or die "redis: $!\n";
    my $answer;

    for my $command (@commands) {
        $answer = redis_cli($s, ref $command ? @$command
            : split / /, $command);
        die "redis: $answer\n" if ($answer // '') =~ /^-/;
    }

    return $answer;
}

# sends a command to a port, a path or a socket

sub redis_cli ($at, @words) {
    my $s = ref $at ? $at : $at =~ m{/} ? IO::Socket::UNIX->new(Peer => $at)
        : IO::Socket::INET->new(PeerAddr => "127.0.0.1:$at") or return;

    print $s '*' . @words . "\r\n", map { '$' . length() . "\r\n$_\r\n" }
        @words;

    return redis_answer($s);
}

sub redis_answer ($s) {
    defined(my $line = <$s>) or return;
    $line =~ s/\r\n$//;

    return substr $line, 1 if $line =~ /^[+:]/;
    return $line if $line =~ /^-/;
    return if $line =~ /^[\$*]-1/;
    return [map { redis_answer($s) } 1 .. $1] if $line =~ /^\*(\d+)/;

    my ($len) = $line =~ /^\$(\d+)/ or die "redis: $line\n";
    my $bytes = '';
    read $s, $bytes, $len + 2;

    return substr $bytes, 0, $len;
}

sub waitforsocket ($self, $port) {
    return wait_for(sub {
        IO::Socket::INET->new(Proto => 'tcp',
            PeerAddr => "127.0.0.1:$port");
    }, 10);
}

# ends a child: asks it to, then kills it

sub end_child ($self, $pid, $signal = 'TERM') {
    return if !$pid || !delete $self->{pids}{$pid};

    kill $signal, $pid;

    return if wait_for(sub { waitpid($pid, WNOHANG) != 0 }, 10);

    kill 'KILL', $pid;
    waitpid $pid, 0;
}

sub stop ($self) {
    $self->end_child(delete $self->{nginx}, 'QUIT') if $self->{nginx};
    $self->end_child($_) for keys %{$self->{pids}};

    return $self;
}

# The last check of a file: nothing in the log is an alert or a report of a
# sanitizer, except for what the test provoked.

sub no_alerts ($self, $provoked = undef) {
    $self->stop();

    my @bad = grep {
        /\[(?:alert|emerg)\]|Sanitizer|runtime error|==ABORTING/
            && !($provoked && /$provoked/)
    } split /\n/, $self->read_file('error.log')
        . $self->read_file('stderr.log');

    Test::More::is(join("\n", @bad), '', 'no alerts');
}

sub done ($self, $provoked = undef) {
    $self->no_alerts($provoked);
    Test::More::done_testing();
}

END {
    if ($current && $current->{parent} == $$) {
        my $rc = $?;

        for my $self (@all) {
            $self->stop();
            Test::More::diag($self->read_file('error.log'))
                if $rc && $ENV{TEST_VERBOSE};
        }

        $? = $rc;
    }
}

# Requests the page until it is rewritten, as the first visitors of a site do.
# Then waits for the end of the learning: a template is used before it is in
# its file and before it is counted.

sub learn ($self, $uri, %extra) {
    my $reply = wait_for(sub {
        my $r = http_get($uri, port => $self->port(0), %extra);
        return field($r, 'Detemplate') =~ /^hit/ ? $r : '';
    }, 60);

    wait_for(sub {
        my $site = $self->site($extra{host} || 'localhost');
        return !$site || ($site->{state} // '') ne 'running';
    }, 5) if $reply;

    return $reply;
}

# waits until nothing is being learned

sub idle ($self, $seconds = 20) {
    return wait_for(sub { $self->jobs() == 0 }, $seconds);
}

sub learning ($self, $what) { $self->status_json()->{learning}{$what} }

sub jobs ($self) {
    my $l = $self->status_json()->{learning};

    return $l->{queued} + $l->{running};
}

sub status_json ($self, $uri = '/status') {
    return eval {
        decode_json(body(http_get($uri, port => $self->port(0))));
    };
}

# the site's entry in the status, with a template or without

sub site ($self, $name, $list = 'sites') {
    my ($site) = grep { $_->{site} eq $name }
        @{($self->status_json() || {})->{$list}};

    return $site;
}

sub without ($self, $name) { $self->site($name, 'without') // {} }

# the process of nginx with this title, but not one that is known; after a
# reload there may be two for a while

sub process ($self, $title, $other = 0) {
    return wait_for(sub {
        my ($pid) = grep {
            my $stat = proc_stat($_);

            $stat && $stat->{parent} == $self->{nginx} && $_ != $other
                && proc_title($_) eq "$title process";
        } processes();

        return $pid;
    });
}

# the number of pages that were passed unchanged for that reason

sub counted { $_[0]->status_json()->{reasons}{$_[1]} }

# the log lines that match, and the number of those that contain a text

sub log_lines ($self, $re) {
    return grep { $_ =~ $re } split /\n/, $self->read_file('error.log');
}

sub said { scalar $_[0]->log_lines(qr/\Q$_[1]\E/) }

sub wait_for ($code, $seconds = 10) {
    my $end = time() + $seconds * $PATIENCE;

    while (1) {
        my $r = $code->();
        return $r if $r || time() > $end;
        sleep 0.05;
    }
}

# the bytes of a file, or none if it cannot be read

sub slurp ($file) {
    open my $fh, '<:raw', $file or return '';
    local $/;

    return scalar(<$fh>) // '';
}

# a check that something becomes true

sub soon :prototype(&$;$) ($code, $title, $seconds = 10) {
    return Test::More::ok(wait_for($code, $seconds), $title);
}

# whether a program is there, and what nginx and curl were built with

sub on_path ($name) { grep { -x "$_/$name" } split /:/, $ENV{PATH} }

sub nginx_has ($re) { `$NGINX -V 2>&1` =~ $re }
sub curl_has ($re) { `curl --version 2>&1` =~ $re }

# whether the handles of a select have something to read

sub can_read ($select, $seconds = 10) {
    return $select->can_read($seconds * $PATIENCE);
}

# sends bytes, returns all that comes until the server closes

sub http ($request, %extra) {
    my $s = $extra{socket} || IO::Socket::INET->new(Proto => 'tcp',
        PeerAddr => '127.0.0.1:' . ($extra{port} || $current->port(0)))
        or return '';

    local $SIG{PIPE} = 'IGNORE';

    $s->autoflush(1);
    print $s $request;

    return $s if $extra{start};

    return read_until($s, undef, $extra{timeout} // 10);
}

# what comes from a socket, until the expression matches, if there is one, or
# nothing more comes

sub read_until ($socket, $what, $seconds = 10) {
    my $reply = '';
    my $select = IO::Select->new($socket);

    while (!(defined $what && $reply =~ $what)
        && can_read($select, $seconds))
    {
        $socket->sysread($reply, 65536, length $reply) or last;
    }

    return $reply;
}

# method and URI; fields are lines such as "Range: bytes=0-4"

sub http_request ($method, $uri, %extra) {
    my $version = $extra{version} || '1.1';
    my @lines = ("$method $uri HTTP/$version",
        'Host: ' . ($extra{host} || 'site.test'), @{$extra{fields} || []});

    push @lines, 'Connection: close'
        if $version eq '1.1' && !$extra{keepalive};

    return http(join(CRLF, @lines) . CRLF . CRLF, %extra);
}

# the field Detemplate of the response to such a request

sub detemplate ($uri, %extra) {
    return field(http_request($extra{method} // 'GET', $uri, %extra),
        'Detemplate');
}

sub http_get { http_request('GET', @_) }
sub http_head { http_request('HEAD', @_) }

# Requests all URIs at once over HTTP/2.  Returns the numbers of the streams in
# the order in which they end, and the bodies.  A stream that is reset does not
# end.  With a window, each stream may have so many bytes in flight; without
# one there is no limit.  In fields, the number of a URI has a name and a value.

sub h2_get {
    my ($extra, @uris) = @_;

    my $socket = IO::Socket::INET->new(Proto => 'tcp',
        PeerAddr => '127.0.0.1:' . $extra->{port}) or return '';
    my $frame = sub ($type, $flags, $id, $data) {
        return substr(pack('N', length $data), 1)
            . pack('CCN', $type, $flags, $id) . $data;
    };

    # GET, http, path, authority

    my $request = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        . $frame->(4, 0, 0, pack('nN', 4, $extra->{window} || 0x7fffffff))
        . $frame->(8, 0, 0, pack('N', 0x7fff0000));

    for my $i (0 .. $#uris) {
        $request .= $frame->(1, 5, 2 * $i + 1, "\x82\x86"
            . pack('CC/a', 0x04, $uris[$i])
            . pack('CC/a', 0x01, $extra->{host} || 'site.test')
            . ($extra->{fields}{$i}
                ? pack('CC/aC/a', 0, @{$extra->{fields}{$i}}) : ''));
    }

    http($request, socket => $socket, start => 1);

    my ($in, $order, $done, @parts) = ('', '', 0, ('') x @uris);
    my $select = IO::Select->new($socket);

    while ($done < @uris && can_read($select)) {
        $socket->sysread($in, 65536, length $in) or last;

        while (length $in >= 9) {
            my ($high, $low, $type, $flags, $id) = unpack 'CnCCN', $in;
            my $len = $high * 65536 + $low;
            my $ends = $type < 2 && $flags & 1;

            last if length $in < 9 + $len;

            $parts[($id - 1) / 2] .= substr $in, 9, $len if $type == 0;
            $order .= ($id - 1) / 2 if $id && $ends;
            $done++ if $id && ($ends || $type == 3);
            print $socket $frame->(8, 0, $id, pack('N', $len))
                if $extra->{window} && $type == 0 && $len && !$ends;
            substr $in, 0, 9 + $len, '';
        }
    }

    return ($order, @parts);
}

sub status_of { ($_[0] || '') =~ m{^HTTP/\S+ (\d+)} ? $1 : 0 }

# all values of a header field, joined, or an empty string

sub field ($reply, $name) {
    my ($head) = split /\r\n\r\n/, $reply || '', 2;

    return join ', ', ($head || '') =~ /^\Q$name\E:[ \t]*(.*?)\r?$/mig;
}

# the body of one response, with its chunks joined

sub body ($reply) {
    my (undef, $body) = split /\r\n\r\n/, $reply || '', 2;
    $body = '' if !defined $body;

    return $body if field($reply, 'Transfer-Encoding') !~ /chunked/i;

    my $out = '';

    while ($body =~ /\G([0-9a-f]+)[^\r]*\r\n/gci) {
        my $len = hex $1;
        return $out if $len == 0;
        $out .= substr $body, pos $body, $len;
        pos($body) += $len + 2;
    }

    return "$out(incomplete)";
}

# true if part is whole with some bytes left out, compared line by line

sub subsequence ($part, $whole) {
    my $pos = 0;

    for my $line (split /^/, $part) {
        $pos = index $whole, $line, $pos;
        return 0 if $pos < 0;
        $pos += length $line;
    }

    return 1;
}

# an origin's response: a page, or 404 where there is none; a line may have
# another status

sub response ($body, @lines) {
    $body //= '';

    my @head = @lines && $lines[0] =~ /^\d/ ? 'HTTP/1.1 ' . shift @lines
        : $body eq '' ? 'HTTP/1.1 404 Not Found' : 'HTTP/1.1 200 OK';

    push @head, 'Content-Type: text/html'
        if $body ne '' && !grep { /^Content-Type:/i } @lines;

    return join(CRLF, @head, @lines, 'Content-Length: ' . length $body,
        'Connection: close', '', $body);
}

# Checks a response: its "status", its "body", what its body "lacks", and header
# fields by their names, each of which is a string or matches an expression.

sub has ($title, $reply, @wants) {
    while (my ($what, $want) = splice @wants, 0, 2) {
        my $got = $what eq 'status' ? status_of($reply)
            : $what =~ /^(?:body|lacks)$/ ? body($reply)
            : field($reply, $what);

        $what eq 'lacks' ? lacks($reply, $want, "$title, lacks $want")
            : ref $want ? Test::More::like($got, $want, "$title, $what")
            : Test::More::is($got, $want, "$title, $what");
    }
}

# rows of a title, a URI, options of the request if there are some, or its
# fields, and what the response has

sub gets (@rows) {
    for my $row (@rows) {
        my ($title, $uri, @wants) = @$row;
        my $first = ref $wants[0] ? shift @wants : {};
        my %extra = ref $first eq 'HASH' ? %$first : (fields => $first);

        has($title, http_request($extra{method} // 'GET', $uri, %extra),
            @wants);
    }
}

# the header of a page that an origin sends in parts, and a body in chunks

sub head (@lines) {
    return join CRLF, 'HTTP/1.1 200 OK', 'Content-Type: text/html',
        'Connection: close', @lines, '', '';
}

sub chunked ($body, $size) {
    return join '', map({ sprintf "%x\r\n%s\r\n", length, $_ }
        unpack "(a$size)*", $body), "0\r\n\r\n";
}

# checks that a page came and that the expression does not match it

sub lacks ($reply, $re, $title) {
    my $body = body($reply);

    Test::More::ok($body ne '' && $body !~ $re, $title)
        or Test::More::diag($reply);
}

# overwrites bytes of a file but keeps its length and modification time

sub change ($file, $from, $to) {
    my @st = stat $file;
    open my $f, '+<', $file or die $!;
    local $/;
    my $data = <$f>;
    my $at = index $data, $from;
    seek $f, $at, 0;
    print $f $to;
    close $f;
    utime $st[8], $st[9], $file;

    return $at >= 0;
}

# removes the marks from an annotated page

sub unmarked { $_[0] =~ s{ data-template(?=[\s/>])|<!--/?template-->}{}gr }

sub processes { map { m{^/proc/(\d+)$} ? $1 : () } glob '/proc/[0-9]*' }

# fields of /proc/PID/stat; undef for a process that has ended

sub proc_stat ($pid) {
    open my $fh, '<', "/proc/$pid/stat" or return undef;

    my $line = <$fh> || '';
    my @fields = split ' ', $line =~ s/^\d+ \(.*\) //sr;
    return undef if @fields < 17;

    my %stat;
    @stat{qw/ state parent group session tty nice /} = @fields[0 .. 4, 16];

    return \%stat;
}

# the title that nginx gives to a process; "learner" for the program that
# learns

sub proc_title ($pid) {
    open my $fh, '<', "/proc/$pid/cmdline" or return '';

    my $line = <$fh> || '';

    return 'learner' if $line eq "detemplate\0learner\0";
    return $line =~ /^nginx: (.*?process)/ ? $1 : '';
}

# the number and target of each open descriptor

sub proc_fds ($pid) {
    return { map {
        my $to = readlink;
        defined $to ? (m{(\d+)$} => $to) : ();
    } glob "/proc/$pid/fd/*" };
}

# A site of pages p1.html to p<n>.html.  They share header, menu and footer;
# the words between are each page's own.

my @words = qw/ river stone lantern copper meadow orbit violin harbour winter
    ledger canyon pepper saddle marble thunder ribbon velvet anchor timber
    glacier falcon mirror compass garden engine button feather basket candle
    island jacket kettle ladder magnet needle oyster pencil quarry rocket
    signal tunnel umbrella valley window yellow zipper bridge cloud desert
    ember forest grain hollow iris jungle kernel lemon motor noble olive /;

sub page {
    my ($i, %extra) = @_;

    my $seed = $i * 7919 + 17;
    my $word = sub {
        $seed = ($seed * 1103515245 + 12345) % 2147483648;
        return $words[($seed >> 8) % @words];
    };
    my $text = sub { join ' ', map { $word->() } 1 .. $_[0] };

    my $menu = join "\n", map {
        "<li><a href=\"/p$_.html\">Chapter $_</a></li>"
    } 1 .. ($extra{pages} || 8);

    my $paragraphs = join "\n", map {
        '<p>' . ucfirst($text->(30 + $i % 5)) . ".</p>"
    } 1 .. ($extra{paragraphs} || 3 + $i % 3);

    return <<"END";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Page $i: @{[$text->(3)]}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header id="top">
<p class="brand"><a href="/p1.html">The quiet almanac of small things</a></p>
<nav><ul>
$menu
</ul></nav>
</header>
<main>
<h1>@{[ucfirst $text->(4)]} $i</h1>
$paragraphs
</main>
<aside class="side"><h2>About this almanac</h2>
<p>It has been written by hand since the first frost of the year.</p>
</aside>
<footer>
<p>Printed by the almanac society. All rights reserved by its members.</p>
<p>Write to the editors with questions of any kind.</p>
</footer>
</body>
</html>
END
}

# a page of another layout: o1.html and so on; the layout is a letter

sub other_page ($i, $layout = 'o') {
    return page($i) =~ s{/p(\d)}{/$layout$1}gr
        =~ s/almanac/gazette $layout/gr =~ s/Chapter/Part $layout/gr
        =~ s{(</?)aside}{$1section}gr =~ s/class="\w+"/title="$layout"/gr;
}

sub pages ($self, $dir, $n = 8) {
    $self->write_file("$dir/p$_.html", page($_)) for 1 .. $n;

    return $self;
}

1;
