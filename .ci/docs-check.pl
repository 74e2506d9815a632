#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# docs-check.pl [TREE]   checks that each directive of the command table has
#                        its heading and its row in doc/directives.md, and
#                        stands in some t/*.t, that the page describes no
#                        other, that doc/response.md has a row for each
#                        reason, that README.md has at most 15,000 bytes,
#                        that files and headings which pages link to are
#                        there, that "What is template" has the numbers of the
#                        rules, and that each of conf-examples/, and each
#                        configuration that pages show as "nginx", passes
#                        "nginx -t" with the module
#
# TEST_NGINX_BINARY, TEST_NGINX_MODULE   the nginx to ask, and the module it
#                                        loads; empty: it is built in
# TEST_MAN                               the folder of the manual pages, whose
#                                        section 5 must have each directive,
#                                        variable and reason, and about which
#                                        "man --warnings" must be silent

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;

my $tree = abs_path(shift // "$FindBin::Bin/..");
my $nginx = $ENV{TEST_NGINX_BINARY} // '/usr/sbin/nginx';
my $module = $ENV{TEST_NGINX_MODULE}
             // "$tree/build/ngx_http_detemplate_filter_module.so";
my $complaints = 0;

chdir $tree or die "$tree: $!\n";

my %directives = directives(<ngx_module/{*,*/*}.c>);
my $readme = -e 'README.md' ? slurp('README.md') : '';
my $described = -e 'doc/directives.md' ? slurp('doc/directives.md') : '';
my $response = -e 'doc/response.md' ? slurp('doc/response.md') : '';
my $tests = join '', map { slurp($_) } <t/*.t>;

complain('no directive found in ngx_module/*.c') if !%directives;

for my $d (sort keys %directives) {
    complain("doc/directives.md: no heading '## $d'")
        if $described !~ /^## \Q$d\E$/m;
    complain("doc/directives.md: no row for $d")
        if $described !~ /^\| \[`\Q$d\E`\]\(#\Q$d\E\) \|/m;
    complain("t/*.t: $d is in no test") if $tests !~ /(?:^|[\s{;])\Q$d\E\s+\S/m
                                            && $tests !~ /[\s{]\Q$d\E;/;
}

for my $d ($described =~ /^## (detemplate\w*)$/mg,
    $described =~ /^\| \[`\w+`\]\(#(\w+)\)/mg)
{
    complain("$d is not a directive") if !$directives{$d};
}

for my $r (reasons(<ngx_module/{*,*/*}.c>)) {
    complain("doc/response.md: no row '| `$r` |'")
        if $response !~ /^\| `\Q$r\E` \|/m;
}

complain('README.md: more than 15000 bytes') if length $readme > 15000;

for my $page (<*.md>, <*/*.md>) {
    my ($dir) = $page =~ m{^(.*/)};

    for my $link (slurp($page) =~ /\]\(([^):\s]+)\)/g) {
        my ($file, $heading) = split /#/, $link;
        my $target = $file eq '' ? $page : ($dir // '') . $file;

        if (!-e $target) {
            complain("$page: no file $file");

        } elsif (defined $heading
            && !grep { $_ eq $heading } headings($target))
        {
            complain("$page: no heading for $link");
        }
    }
}

numbers(grep { -e } 'README.md', <doc/*.md>);

manual($ENV{TEST_MAN}) if defined $ENV{TEST_MAN};

if ($module eq '' || -e $module) {
    example($_, slurp($_)) for <conf-examples/*.conf>;

    for my $page (<*.md>, <*/*.md>) {
        example($page, $_) for slurp($page) =~ /^```nginx\n(.*?)^```$/msg;
    }

} else {
    complain("$module: not built, conf-examples not checked");
}

print "docs: $complaints complaints\n" if $complaints;
exit($complaints ? 1 : 0);


sub complain {
    print "$_[0]\n";
    $complaints++;
}


sub slurp {
    my ($file) = @_;

    open(my $fh, '<', $file) or die "$file: $!\n";
    local $/;

    return <$fh>;
}


# the anchors of a page's headings
sub headings {
    my ($page) = @_;

    return map { s/[^\w -]//gr =~ tr/ /-/r } map { lc }
        slurp($page) =~ s/^```.*?^```$//msgr =~ /^#+ (.*)/mg;
}


# the names in the tables of type ngx_command_t
sub directives {
    my %found;

    my $text = join '', map { slurp($_) } @_;

    for my $table ($text =~ /ngx_command_t\s+\w+\[\] = \{(.*?)^\};/msg) {
        $found{$_} = 1 for $table =~ /ngx_string\("(\w+)"\)/g;
    }

    return %found;
}


# the words of $detemplate_reason, but for the empty one
sub reasons {
    my $text = join '', map { slurp($_) } @_;
    my ($list) = $text =~ /^ngx_str_t\s+\w+_reasons\[\] = \{(.*?)^\};/ms;

    return ($list // '') =~ /ngx_string\("([^"]+)"\)/g;
}


# the names in the table of type ngx_http_variable_t
sub variables {
    my $text = join '', map { slurp($_) } @_;
    my ($list)
        = $text =~ /ngx_http_variable_t\s+\w+_vars\[\] = \{(.*?)^\};/ms;

    return ($list // '') =~ /ngx_string\("(\w+)"\)/g;
}


sub manual {
    my ($dir) = @_;

    my $man = 'man --warnings -E UTF-8 -l -Tutf8 -Z';
    my $page = join '', map { slurp($_) } <$dir/*.5>;
    my @code = <ngx_module/{*,*/*}.c>;

    complain("$dir: no manual pages") if $page eq '';

    for my $heading (sort keys %directives) {
        complain("*.5: no '.SS $heading'") if $page !~ /^\.SS "$heading"$/m;
    }

    for my $tag (reasons(@code), map { "\$$_" } variables(@code)) {
        my $bold = '\fB' . $tag =~ s/-/\\-/gr . '\fR';
        complain("*.5: no tag $tag") if $page !~ /^\.TP\n\Q$bold\E$/m;
    }

    for my $file (<$dir/*.[0-9]>) {
        my $out = qx(LC_ALL=C.UTF-8 MANWIDTH=80 $man $file 2>&1 >/dev/null);
        complain("$file: $out") if $? || $out ne '';
    }
}


# What dt_rules_init() and serve.h say, and the table of it: a row has a name
# and its number.  What the text has in percent must be one of the numbers.
sub numbers {
    my %is;

    for my $file (grep { -e } <core/rules/*.c>) {
        my ($body) = slurp($file) =~ /^dt_rules_init\(.*?^\{(.*?)^\}/ms;
        %is = ($body =~ /->(\w+) = (\d+);/g) if defined $body;
    }

    complain('core/rules/*.c: no numbers in dt_rules_init()') if !%is;

    for my $file (grep { -e } 'core/template/serve.h') {
        %is = (%is, slurp($file) =~ /^#define (\w+) (\d+)$/mg);
    }

    my ($where, $text);

    for my $file (@_) {
        my ($marks, $rest) = slurp($file)
            =~ /^(#+) What is template$(.*)/ms or next;

        ($where, $text) = ($file, $rest =~ s/^#{1,${\length $marks}} .*//msr);
    }

    if (!defined $text) {
        complain('no heading "What is template"');
        return;
    }

    my $row = qr/^\| `(\w+)` \| (\d+) \|/m;
    my %says = $text =~ /$row/g;
    my %value = reverse %is;

    for my $name (sort keys %is) {
        my $says = $says{$name} // 'nothing';
        complain("$where: $name is $is{$name}, the table says $says")
            if $says ne $is{$name};
    }

    for my $name (sort keys %says) {
        complain("$where: $name is no number of a rule")
            if !defined $is{$name};
    }

    for my $n (sort keys %{{ $text =~ s/$row.*//gr
                             =~ /\b(\d+)( %| percent)/g }}) {
        complain("$where: no rule says $n percent") if !defined $value{$n};
    }
}


# An example is a whole configuration, or what stands inside http { }.
sub example {
    my ($file, $text) = @_;

    my $dir = tempdir(CLEANUP => 1);
    my $load = $module eq '' ? '' : "load_module $module;\n";

    mkdir "$dir/$_" for qw(logs conf);

    $text = "events { }\nhttp {\n$text\n}\n" if $text !~ /^\s*events\b/m;
    $text =~ s/^\s*(?:load_module|pid|error_log|access_log)\s[^;]*;//mg;
    $text =~ s/^(\s*detemplate_path\s)[^;]*/$1$dir\/templates/mg;

    # what nginx would open outside the folder, when it is not root

    $text =~ s/^(\s*http\s*\{)/$1\n    access_log off;/m;
    $text = "${load}pid $dir/pid;\nerror_log stderr;\n$text";

    open(my $fh, '>', "$dir/conf/nginx.conf") or die "$dir: $!\n";
    print $fh $text;
    close $fh;

    my $out = qx($nginx -t -p $dir/ -c $dir/conf/nginx.conf 2>&1);
    complain("$file: $out") if $?;
}
