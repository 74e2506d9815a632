#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The files that "make install" installs, also in place of a module that nginx
# has loaded.

use Cwd qw/ abs_path /;
use File::Find;
use Test::Detemplate;

plan(skip_all => 'not the module of build/')
    if (abs_path($Test::Detemplate::MODULE) // '') ne
       abs_path($TOP)
           . '/build/ngx_http_detemplate_filter_module.so';

my $t = Test::Detemplate->new();
my $root = $t->testdir() . '/root';
my $modules = 'usr/lib/nginx/modules';
my $so = "$modules/ngx_http_detemplate_filter_module.so";

delete @ENV{qw/ MAKEFLAGS MFLAGS MAKELEVEL /};

$t->write_file("root/$so", 'of another version');
open my $mapped, '<', "$root/$so" or die;

my $said = `make -s -C $TOP install DESTDIR=$root 2>&1`;

is($?, 0, 'exit code') or diag($said);

my @files;
find({ no_chdir => 1, wanted => sub {
    push @files, $File::Find::name =~ s{^\Q$root/}{}r if !-d;
} }, $root);

is(join("\n", sort @files), join("\n", sort $so, "$modules/detemplate",
    'usr/local/bin/detemplate',
    map { "usr/local/share/$_" } 'bash-completion/completions/detemplate',
    'man/man1/detemplate.1', 'man/man5/ngx_http_detemplate.5',
    'zsh/site-functions/_detemplate'), 'files');

is(<$mapped>, 'of another version',
    'existing module is replaced, not overwritten');
is(readlink "$root/usr/local/bin/detemplate", "/$modules/detemplate",
    'link to the program, without DESTDIR');
like(`$root/$modules/detemplate --version`, qr/^detemplate \d/, 'program');

# the program is found beside the module

$t->{module} = "load_module $root/$so;\n";
my ($rc, $out) = $t->try_conf('detemplate_zone z:1m; detemplate strip;');
is($rc, 0, 'module') or diag($out);

unlink "$root/$modules/detemplate";
($rc, $out) = $t->try_conf('detemplate_zone z:1m; detemplate strip;');
like($out, qr/"\Q$root\E.*?detemplate", install "detemplate" there/,
    'without the program beside it');

# what a package has installed stays

mkdir "$root/bin" or die;
$t->write_file('root/bin/dpkg', "#!/bin/sh\ntest \"\$2\" = $root/m/$1.so\n")
    if $so =~ m{([^/]+)\.so$};
chmod 0755, "$root/bin/dpkg";

{
    local $ENV{PATH} = "$root/bin:$ENV{PATH}";
    my $make = "make -s -C $TOP install PREFIX=$root/p";

    like(`$make MODULES=$root/m 2>&1`, qr/^a package has installed the module/,
        'module of a package');
    ok(!-e "$root/m" && !-e "$root/p", 'nothing is installed');
    is(`$make MODULES=$root/n 2>&1`, '', 'another folder');
    ok(-e "$root/n/detemplate", 'installed there');
}

done_testing();
