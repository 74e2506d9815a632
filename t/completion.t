#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Shells complete the commands of the program, and the options of each, which
# they read from its own help.

use File::Basename qw/ dirname /;
use File::Temp qw/ tempdir /;
use Test::Detemplate;

local $ENV{PATH} = dirname($BIN) . ":$ENV{PATH}";

for (
    [ 'detemplate ins', 'inspect' ],
    [ 'detemplate re', 'relearn restore' ],
    [ 'detemplate inspect --te', '--template --text' ],
    [ 'detemplate extract --no', '--no-front' ],
    [ 'detemplate check --', '--help' ],
    [ 'detemplate nosuch --', '' ],
    [ 'detemplate show a', '' ],
) {
    my ($line, $want) = @$_;

    is(join(' ', bash($line)), $want, "bash, $line");
}

is(join(' ', sort(bash('detemplate '))), join(' ', sort(
    `$BIN --help` =~ /^  (\w+) {2,}/mg)), 'bash, all commands');

SKIP: {
    skip('no zsh', 2) if !grep { -x "$_/zsh" } split /:/, $ENV{PATH};

    like(zsh('detemplate ins'), qr/^detemplate inspect$/, 'zsh, a command');
    like(zsh('detemplate extract --no'), qr/^detemplate extract --no-front$/,
        'zsh, an option');
}

done_testing();

sub bash ($line) {
    my $last = () = $line =~ / /g;

    return split /\s+/, `bash -c '. $TOP/tools/completion/bash/detemplate
        COMP_WORDS=($line); COMP_CWORD=$last
        _detemplate; echo "\${COMPREPLY[@]}"'`;
}

# what a shell on a terminal of its own makes of the line and a tab

sub zsh ($line) {
    my $dir = tempdir('dt-zsh-XXXXXX', TMPDIR => 1, CLEANUP => 1);

    open my $script, '>', "$dir/script" or die;
    print $script <<"END";
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; fpath=($TOP/tools/completion/zsh \$fpath); bindkey -e'
zpty -w shell 'autoload -U compinit; compinit -u -D; echo REA""DY'
zpty -r -m shell line '*READY*'
zpty -w -n shell '$line'\$'\\t'
sleep 1
zpty -w shell \$'\\001print -r -- \\005 > $dir/line'
zpty -w shell 'echo DO""NE'
zpty -r -m shell line '*DONE*'
END
    close $script;
    system('timeout', '20', 'zsh', '-f', "$dir/script");

    return -e "$dir/line" ? slurp("$dir/line") : '';
}
