package Test::Detemplate::Recipe;

# Copyright (C) The detemplate authors

# Servers by the configurations of a document, as they stand there.

use v5.36;

use Test::Detemplate;

our @ISA = 'Exporter';
our @EXPORT = qw/ recipe section /;

# see there

*import = \&Test::Detemplate::import;

# the text below a heading

sub section ($heading, $file = 'doc/recipes.md') {
    my ($text) = slurp("$TOP/$file")
        =~ /^##+ \Q$heading\E\n(.*?)(?=^##+ |\z)/ms;

    return $text // die "$file: no \"$heading\"\n";
}

# Starts nginx with a configuration of a text, the first or another (nth), with
# nothing changed but what cannot be the same here: port, root and folder of
# templates.  There may be more lines in its server, and servers (http).  Each
# of the pairs of an expression and what takes its place must be found.

sub recipe ($text, %o) {
    my @all = $text =~ /^```nginx\n(.*?)^```/msg;
    my $conf = $all[$o{nth} // 0] // die "no configuration in \"$text\"\n";
    my @pairs = @{$o{change} // []};

    while (my ($from, $to) = splice @pairs, 0, 2) {
        $conf =~ s/$from/$to/g or die "no $from in $conf\n";
    }

    $conf =~ s/^ *(?:detemplate_path|listen|root) [^;]+;//mg;

    my $server = "listen 127.0.0.1:%%PORT_0%%;\n"
        . "server_name www.example.com 127.0.0.1;\n"
        . 'root ' . ($o{root} // '%%TESTDIR%%/html') . ";\n"
        . "location = /status { auth_basic off; allow all;\n"
        . "detemplate off; detemplate_status; }\n" . ($o{server} // '');

    $conf .= "server {\n}\n" if $conf !~ /^server \{/m;
    $conf =~ s/^server \{\n/$&$server/m;

    my $t = Test::Detemplate->new();

    $t->pages('html') if !$o{root};
    $t->write_file_expand('nginx.conf', "%%TEST_GLOBALS%%\nevents { }\n"
        . "http {\n%%TEST_GLOBALS_HTTP%%\n"
        . (-f '/etc/nginx/mime.types' ? "include /etc/nginx/mime.types;\n"
            : '')
        . "$conf\n" . ($o{http} // '') . "}\n");
    $o{before}->($t) if $o{before};
    $t->run();

    return $t;
}

1;
