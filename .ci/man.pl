#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# man.pl PROGRAM DIR   writes the manual pages detemplate.1 and
#                      ngx_http_detemplate.5 into DIR
#
# Their text comes from README.md, from pages of doc/, from the smallest
# example, and from the options that PROGRAM prints, so that no text is written
# twice.  The script knows the forms of Markdown that these files use, and no
# others.

use strict;
use warnings;

use FindBin;

my ($program, $dir) = @ARGV;

die "usage: man.pl PROGRAM DIR\n" if !defined $dir;

my $readme = slurp("$FindBin::Bin/../README.md");
my $changes = slurp("$FindBin::Bin/../CHANGES");

my ($date) = $changes =~ /^Changes with .*?(\d+ \w+ \d+)$/m
    or die "CHANGES: no date\n";
my ($version) = help('--version') =~ /^detemplate (\S+)$/
    or die "$program: no version\n";

my %section = $readme =~ /^## (.*?)\n(.*?)(?=^## |\z)/msg;

for my $name ('Description', 'Directives', 'Response', 'Learning', 'HTTP',
    'Operations', 'Command line tool')
{
    my $file = $name =~ /(\w+)$/ ? lc $1 : die;

    ($section{$name}) = slurp("$FindBin::Bin/../doc/$file.md")
        =~ /^# $name\n(.*)/s;
}

$section{Synopsis} = "```\n"
    . slurp("$FindBin::Bin/../conf-examples/minimal.conf") =~ s/^#.*\n//mgr
        =~ s/\A\n+//r . "```\n";

my ($about) = $readme =~ /^\*\*detemplate\*\*: an? (.*?)\.$/m
    or die "README.md: no first sentence\n";

page('detemplate', 1, 'learns the template of a website, and cuts it out',
    tool());

page('ngx_http_detemplate', 5, $about, map {
    "." . macro('SH', uc) . markdown(delete $section{$_}
        // die "no section '$_'\n")
} 'Synopsis', 'Description', 'Directives', 'Response', 'Learning', 'HTTP',
  'Operations', 'Limits', 'Compatibility');


sub slurp {
    my ($file) = @_;

    open(my $fh, '<:encoding(UTF-8)', $file) or die "$file: $!\n";
    local $/;

    return scalar <$fh>;
}


sub help {
    open(my $fh, '-|:encoding(UTF-8)', $program, @_)
        or die "$program: $!\n";
    my $text = do { local $/; <$fh> };
    close $fh or die "$program @_ failed\n";

    return $text;
}


sub page {
    my ($name, $number, $what, @text) = @_;

    my $file = "$dir/$name.$number";
    my $other = $number == 1 ? '\fBngx_http_detemplate\fR(5)'
                             : '\fBdetemplate\fR(1)';

    open(my $fh, '>:encoding(UTF-8)', $file) or die "$file: $!\n";

    print $fh ".\\\" made from README.md and doc/: change these\n",
        '.', macro('TH', $name, $number, $date, "detemplate $version",
                   $number == 1 ? 'User commands' : 'nginx modules'),
        ".nh\n.ad l\n", ".SH NAME\n$name \\- ", line($what), "\n", @text,
        ".SH SEE ALSO\n$other, \\fBnginx\\fR(8)\n.PP\n",
        "What is named doc/, conf\\-examples/ and redis\\-schema/ is in\n",
        "/usr/share/doc/detemplate/ where Debian's packages are installed.\n";

    close $fh or die "$file: $!\n";
}


# returns the page of the program: the commands come from the program's own
# help, and the rest from doc/tool.md
sub tool {
    my ($head) = $section{'Command line tool'} // '';
    my ($commands) = help('--help') =~ /^Commands:\n(.*?)\n\n/ms
        or die "$program --help: no commands\n";

    my @names = $commands =~ /^  (\w+)/mg;
    my ($synopsis, $text) = ('', '');

    for my $name (@names) {
        my ($usage, $what, $options)
            = help($name, '--help') =~ /^Usage:\ (.*?)\s*\n\n(.*?)\n\n
                                         Options:\n(.*?)\n\n/xs
            or die "$program $name --help: not understood\n";

        $synopsis .= ".br\n" if $synopsis ne '';
        $synopsis .= code($usage) . "\n";
        $text .= '.' . macro('SS', $name) . line($what) . "\n";

        while ($options =~ /^\ \ (\S.*?)\s{2,}(.*?)(?=^\ \ \S|\z)/msgx) {
            my ($option, $does) = ($1, $2);
            $text .= ".TP\n" . code($option) . "\n"
                . line($does =~ s/\s+/ /gr =~ s/ $//r) . "\n";
        }
    }

    $head =~ s/^Exit codes: (.*?\.)\s//ms
        or die "doc/tool.md: no exit codes\n";

    my $codes = $1;

    return ".SH SYNOPSIS\n$synopsis",
        ".SH DESCRIPTION\n", markdown($head), ".SH OPTIONS\n", $text,
        ".SH EXIT STATUS\n", inline($codes), "\n";
}


# blocks: headings, fenced and indented code, tables, lists, paragraphs
sub markdown {
    my ($text) = @_;

    my $out = '';
    my @lines = split /\n/, $text;

    while (@lines) {
        local $_ = shift @lines;

        if (/^\s*$|^!\[/) {
            next;

        } elsif (/^#{2,} (.*)/) {
            $out .= '.' . macro('SS', $1);

        } elsif (/^```/) {
            my @block;
            push @block, shift @lines while @lines && $lines[0] !~ /^```/;
            shift @lines;
            $out .= block(@block);

        } elsif (/^ {4}\S/) {
            my @block = s/^ {4}//r;
            push @block, shift(@lines) =~ s/^ {4}//r
                while @lines && $lines[0] =~ /^ {4}/;
            $out .= block(@block);

        } elsif (/^\|/) {
            my @rows = $_;
            push @rows, shift @lines while @lines && $lines[0] =~ /^\|/;
            $out .= row($_) for @rows[2 .. $#rows];

        } elsif (/^- (.*)/) {
            my $item = $1;
            $item .= "\n$1"
                while @lines && $lines[0] =~ /^  (\S.*)/ && shift @lines;
            $item = ".IP \\(bu 2\n" . inline($item) . "\n";
            $item = ".PD 0\n$item.PD\n"
                if $item =~ /\n\\fB(?:default|context)/;
            $out .= $item;

        } else {
            my $paragraph = $_;
            $paragraph .= "\n" . shift @lines
                while @lines && $lines[0] =~ /^[^\s#|`-]|^`[^`]/;
            $out .= ".PP\n" . inline($paragraph) . "\n";
        }
    }

    return $out =~ s/^\.PP\n//r;
}


# the first cell is the tag; the others are paragraphs behind it
sub row {
    my ($line) = @_;

    my ($tag, @cells) = $line =~ /\G\|\s*((?:\\\||[^|])*?)\s*(?=\|)/g;

    s/\\\|/|/g for $tag, @cells;

    return ".TP\n" . inline($tag) . "\n"
        . join("\n.br\n", map { inline(ucfirst =~ s/[^.?]\K$/./r) } @cells)
        . "\n";
}


sub block {
    return join '', ".PP\n.RS 4\n.nf\n", map({ line($_) . "\n" } @_),
        ".fi\n.RE\n";
}


# `code`, **strong** and [text](target) within a paragraph
sub inline {
    my ($text) = @_;

    my $out = '';

    while ($text =~ /\G(?: `([^`]+)` | \*\*(.+?)\*\*
                       | \[([^\]]+)\]\(([^)]+)\) | ([^`*\[]+|.) )/gxs)
    {
        $out .= defined $1 ? code($1)
              : defined $2 ? '\fB' . inline($2) =~ s/\\fR/\\fR\\fB/gr . '\fR'
              : defined $3 ? link_text($3, $4) : escape($5);
    }

    # no line of the text is a request
    $out =~ s/^(?=[.'])/\\&/mg;

    return $out;
}


sub link_text {
    my ($text, $target) = @_;

    return inline($text) if $target =~ /^#/ || $text eq $target;
    return inline($text) . ' (' . escape($target) . ')';
}


# what somebody types
sub code {
    return '\fB' . escape($_[0]) . '\fR';
}


sub escape {
    return $_[0] =~ s/\\/\\e/gr =~ s/-/\\-/gr;
}


# text that is a line of its own
sub line {
    return escape($_[0]) =~ s/^(?=[.'])/\\&/r;
}


sub macro {
    my ($name, @arguments) = @_;

    return join(' ', $name, map {
        '"' . escape(s/`//gr) =~ s/"/\\(dq/gr . '"'
    } @arguments) . "\n";
}
