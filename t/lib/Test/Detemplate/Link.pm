package Test::Detemplate::Link;

# Copyright (C) The detemplate authors

# Runs "detemplate link", and speaks to it as nginx does: frames of
# core/base/wire.h over two pipes.  Runs Redis, and speaks to it.

use v5.36;

use Config;
use IO::Select;
use POSIX ();
use Test::Detemplate;

our @ISA = 'Exporter';
our @EXPORT = qw(template serves facts free_port redis_start redis_stop
    redis_user fds no_tls authority certificate write_to);

# see there

*import = \&Test::Detemplate::import;

my $patience = $Test::Detemplate::PATIENCE;

my %whats;
my @whats = qw(CONF GET LOCK UNLOCK COMPARE PUT FORGET RELEARN PIN UNPIN
    RESTORE EVENT GAP STATE);
@whats{@whats} = 1 .. @whats;

our @DIDS = qw(learn forget relearn pin unpin);
our @RC = qw(OK DECLINED ENOMEM ELIMIT EINVAL EIO EBUG);
our %FLAGS = (whole => 1, give_back => 2, added => 4, redesigned => 8,
    locked => 16, pinned => 32, away => 64);

my $slice = $Config{ptrsize} == 8 ? 'Q2' : 'L2';
my $head = "L2 L12 q3 L2 Q2 ($slice)4";
my $head_size = length pack $head, (0) x 27;
my @fields = qw(what id flags rc event n version patterns loads candidates
    coverage ttl learned_at since event_at latency reconnects received sent);

# processes and files belong to a test of that module

our $t = Test::Detemplate->new();

sub new ($class, %conf) {
    my $self = bless { buf => '', id => 0, news => [], answers => {} },
        $class;

    pipe my $in, my $to or die "pipe: $!\n";
    pipe my $from, my $out or die "pipe: $!\n";
    open $self->{err}, '+>', undef or die "err: $!\n";

    my $pid = fork() // die "fork: $!\n";

    if (!$pid) {
        close $to;
        close $from;
        open STDIN, '<&', $in or POSIX::_exit(9);
        open STDOUT, '>&', $out or POSIX::_exit(9);
        open STDERR, '>&', $self->{err} or POSIX::_exit(9);

        # what the test was started with is not counted as the link's

        POSIX::close($_) for 3 .. 255;
        exec { $BIN } $BIN, 'link' or POSIX::_exit(9);
    }

    close $in;
    close $out;
    binmode $_ for $to, $from;
    @$self{qw(pid to from)} = ($pid, $to, $from);
    $t->{pids}{$pid} = 1;
    $SIG{PIPE} = 'IGNORE';

    my $hello = '';
    while ($hello !~ /\n/) {
        sysread $from, $hello, 1, length $hello or last;
    }
    $self->{hello} = $hello;

    $self->send('CONF', text => join '', map { "$_=$conf{$_}\n" }
        sort keys %conf) if %conf;

    return $self;
}

# sends a frame; returns its number

sub send ($self, $what, %f) {
    my $frame = $self->frame($what, %f);

    while (length $frame) {
        my $n = syswrite $self->{to}, $frame;
        return if !$n;
        substr $frame, 0, $n, '';
    }

    return $self->{id};
}

sub frame ($self, $what, %f) {
    my $flags = 0;
    $flags |= $FLAGS{$_} // die "no flag $_\n" for @{$f{flags} || []};

    my @slices = map { $_ // '' } @f{qw(site text peer bytes)};
    my $all = $head_size;
    $all += length for @slices;
    my $size = $all + 7 & ~7;

    return pack($head, 0x4b4c5444, $size, $whats{$what} // $what,
        ++$self->{id}, $flags, 0, 0, $f{n} // 0,
        map({ $f{$_} // 0 } qw(version patterns loads candidates coverage ttl
        learned_at)), (0) x 6, map { (length, 0) } @slices)
        . $slices[3] . join('', @slices[0 .. 2]) . "\0" x ($size - $all);
}

# takes the frames that come within that time; true: there was one

sub take ($self, $time) {
    IO::Select->new($self->{from})->can_read($time) or return 0;

    my $n = sysread $self->{from}, $self->{buf}, 1 << 20,
        length $self->{buf};
    return $self->{eof} = 0 if !$n;

    while (length $self->{buf} >= $head_size) {
        my ($magic, $size, @v) = unpack $head, $self->{buf};
        die "magic\n" if $magic != 0x4b4c5444;
        last if length $self->{buf} < $size;

        my %f;
        @f{@fields} = @v;
        my %len;
        @len{qw(site text peer bytes)} = @v[19, 21, 23, 25];
        my $at = $head_size;

        for (qw(bytes site text peer)) {
            $f{$_} = substr $self->{buf}, $at, $len{$_};
            $at += $len{$_};
        }

        substr $self->{buf}, 0, $size, '';
        $f{what} = $whats[$f{what} - 1];
        $f{rc} = $RC[$f{rc}];
        $f{event} = $DIDS[$f{event}];
        my $flags = $f{flags};
        $f{flags} = join ' ', grep { $flags & $FLAGS{$_} } sort keys %FLAGS;

        if ($f{what} eq 'STATE') {
            $self->{state} = \%f;

        } elsif ($f{what} =~ /^(?:EVENT|GAP)$/) {
            push @{$self->{news}}, \%f;

        } else {
            $self->{answers}{$f{id}} = \%f;
        }
    }

    return 1;
}

# the answer to a frame that was sent

sub answer ($self, $id) {
    my $end = time + 20 * $patience;

    while (!$self->{answers}{$id} && time < $end) {
        $self->take(1) or !exists $self->{eof} or last;
    }

    return delete $self->{answers}{$id} || {};
}

# sends an order; returns its answer

sub order ($self, @order) {
    return $self->answer($self->send(@order));
}

# a check of what an order is answered with, and perhaps of the text

sub does ($self, $rc, $title, @order) {
    my ($want, $why) = ref $rc ? @$rc : $rc;
    my $answer = $self->order(@order);

    is($answer->{rc}, $want, $title);
    like($answer->{text}, $why, "$title, cause") if defined $why;
}

# sends an order for each of the sites; returns how many answers have this rc,
# keeps the last answer, and counts what the others say

sub all ($self, $sites, $what, $rc, @more) {
    my $n = 0;

    for my $id (map { $self->send($what, site => $_, @more) } @$sites) {
        my $r = $self->{last} = $self->answer($id);

        if ($r->{rc} eq $rc) {
            $n++;

        } else {
            $self->{why}{"$what $r->{rc} $r->{text}"}++;
        }
    }

    return $n;
}

# does an order of each kind; returns what was not answered with OK

sub each_order ($self, $site) {
    my @bad;

    for ([PUT => facts(template(1)), ttl => 99], [GET => flags => ['whole']],
        [LOCK => ttl => 9], [LOCK => ttl => 9], ['UNLOCK'], ['COMPARE'],
        [PUT => facts(template(2)), ttl => 99, flags => ['give_back']],
        ['PIN'], ['UNPIN'], [RESTORE => n => 1], ['RELEARN'], ['FORGET'])
    {
        my ($what, @more) = @$_;

        my $r = $self->order($what, site => $site, @more);
        push @bad, "$what $r->{rc} $r->{text}"
            if $r->{rc} ne 'OK' || $r->{text} ne '';
    }

    return join ', ', @bad;
}

# waits for the news that code wants; returns it

sub news ($self, $code) {
    my $end = time + 15 * $patience;

    while (time < $end) {
        for my $i (0 .. $#{$self->{news}}) {
            local $_ = $self->{news}[$i];
            return splice @{$self->{news}}, $i, 1 if $code->();
        }

        $self->take(1);
    }

    return;
}

# waits for a state; returns it

sub state ($self, $code) {
    my $end = time + 20 * $patience;

    while (time < $end) {
        for ($self->{state} || ()) {
            return $_ if $code->();
        }

        $self->take(1);
    }

    return;
}

sub up { $_[0]->state(sub { $_->{flags} !~ /away/ }) }
sub down { $_[0]->state(sub { $_->{flags} =~ /away/ }) }

# ends the input; returns the exit code, and what standard error got

sub end ($self) {
    close $self->{to};
    1 while !exists $self->{eof} && $self->take(15 * $patience);
    waitpid $self->{pid}, 0;
    delete $t->{pids}{$self->{pid}};
    my $code = $?;

    seek $self->{err}, 0, 0;
    my $said = do { local $/; readline $self->{err} } // '';

    return ($code & 127 ? "signal " . ($code & 127) : $code >> 8, $said);
}

sub DESTROY ($self) {
    local $?;

    $t->end_child($self->{pid}, 'KILL') if $t && $$ == $t->{parent};
}

# a template that was learned that often

my %templates;

sub template ($version) {
    my $d = dir();

    $t->pages('site') if !%templates;

    for my $n (grep { !$templates{$_} } 1 .. $version) {
        my $prev = $n == 1 ? '' : "--prev $d/" . ($n - 1);
        system("$BIN learn --root $d/site $prev --out $d/$n p1.html "
            . ">>$d/learn.log 2>&1") == 0 or die "nothing was learned\n";

        $templates{$n} = $t->read_file($n);
    }

    return $templates{$version};
}

# the bytes of it that serve

sub serves { return substr $_[0], 0, unpack 'x12 L', $_[0] }

# what the head of it says, as in an order to write it

sub facts ($t) {
    # see dt_template_head_t: learned_at is the third number from its end
    my ($patterns, undef, $version, $loads, $candidates, undef, $coverage) =
        unpack 'x56 L7', $t;

    return (version => $version, patterns => $patterns, loads => $loads,
        candidates => $candidates, coverage => $coverage,
        learned_at => unpack('x' . (unpack('x6 S', $t) - 24) . 'q', $t),
        bytes => $t);
}

my $ports = 0;

sub free_port { $t->port($ports++) }
sub dir { $t->testdir() }

# starts a server of Redis with these options; returns its process

sub redis_start ($port, @options) {
    my $home = dir() . "/$port";
    my @first = ref $options[0] ? @{shift @options} : ();

    mkdir $home;

    my $pid = $t->fork_child('redis-server', @first, '--port', $port, '--bind',
        '127.0.0.1', '--save', '', '--dir', $home, @options);

    $t->waitforsocket($port) or die "redis did not start\n";

    return $pid;
}

sub redis_stop ($pid, $signal = 'KILL') { $t->end_child($pid, $signal) }

# what ACL SETUSER needs for a user with this password and the rights that the
# schema says, and more

sub redis_user ($password, @more) {
    my ($acl) = slurp("$TOP/redis-schema/README.md")
        =~ /^ACL SETUSER (detemplate on .*)$/m or die "no user in it\n";

    return (split(/ /, $acl =~ s/PASSWORD/$password/r), @more);
}

# descriptors of a process

sub fds { return scalar(() = glob "/proc/$_[0]/fd/*") }

# why there is no TLS, if there is none

sub no_tls {
    return 'no openssl' if `openssl version` !~ /^OpenSSL/;
    return 'this Redis has no TLS'
        if `redis-server --tls-port 0 --no-such-option 1 2>&1` =~ /'tls-port/;

    return '';
}

# these make NAME.pem and NAME.key

sub authority ($name, $subject) {
    my $d = dir();

    openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1",
        "-nodes -days 9 -subj '/CN=$subject' -keyout $d/$name.key",
        "-out $d/$name.pem");
}

sub certificate ($name, $ca, $names, $days = '-days 9') {
    my $d = dir();

    openssl("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes",
        "-subj /CN=$name -addext subjectAltName=$names",
        "-keyout $d/$name.key -out $d/$name.csr");
    openssl("x509 -req -in $d/$name.csr -CA $d/$ca.pem -CAkey $d/$ca.key",
        "-CAcreateserial -copy_extensions copy", $days,
        "-out $d/$name.pem");
}

sub openssl {
    system("openssl @_ >>@{[dir()]}/openssl.log 2>&1") == 0
        or die "openssl @_\n";
}

# replaces a file

sub write_to {
    open my $f, '>', "$_[0].new" or die "$_[0]: $!\n";
    print $f $_[1];
    close $f;
    rename "$_[0].new", $_[0];
}

1;
