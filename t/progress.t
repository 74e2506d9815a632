#!/usr/bin/perl

# Copyright (C) The detemplate authors

# learn and inspect show on a terminal which page a slow server is asked for,
# and tell nothing where standard error is none.

use Test::Detemplate;

plan skip_all => 'no script' if !on_path('script');

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $url = 'http://127.0.0.1:' . $t->port(1) . '/p';

$t->origin(1, sub ($s, $request) {
    my ($n) = $request =~ m{^\S+ /p(\d)\.html};
    my $body = $n ? page($n) : 'none';

    select undef, undef, undef, 0.05;
    print $s 'HTTP/1.1 ' . ($n ? '200 OK' : '404 Not Found')
        . "\r\nContent-Type: text/html\r\nConnection: close\r\n"
        . 'Content-Length: ' . length($body) . "\r\n\r\n$body";
});

for my $command ("learn -o $d/t ${url}1.html",
    "inspect --template $d/t ${url}2.html")
{
    my ($name, $page) = $command =~ /^(\w+).* (\S+)$/;

    system("$BIN $command >$d/out 2>$d/err </dev/null");
    is($?, 0, $name);
    is($t->read_file('err'), '', "$name, no terminal, nothing is told");

    system("script -qec '$BIN $command >$d/out' $d/tty "
        . '</dev/null >/dev/null');

    my @told = $t->read_file('tty') =~ /\e\[K([^\e\r\n]*)/g;

    is($told[0], "waiting for  $page", "$name, the page that is waited for");
    like($told[1], $name eq 'learn' ? qr/^key +\Q$page\E$/ : qr/^$/,
        "$name, it has come");
    unlike($told[-1], qr/waiting/, "$name, nothing is left of it");
}

done_testing();
