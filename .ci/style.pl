#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# style.pl [FILE ...]   complains of what is not in the project's style; all
#                       files of the tree without arguments
#
# Every text file: 79 columns, no tabs, no trailing space, one newline at the
# end.  C: no banned function, bounded length of functions and files.  Files
# in ngx_module/ also by nginx's own rules, which no formatter knows: no "//",
# a blank line before "} else", names of declarations aligned two spaces
# behind the longest type and sorted by its length, allocations checked.

use strict;
use warnings;

use FindBin;

my $banned = qr/\b(?:v?sprintf|strn?cat|strcpy|stpcpy|gets|alloca)\s*\(/;

my $alloc = qr/(?:ngx_(?:p|pn|pc|c)?alloc
               |ngx_(?:array|list)_(?:push|push_n|create)
               |ngx_(?:create_temp|alloc|calloc)_buf
               |ngx_alloc_chain_link|ngx_pool_cleanup_add
               |ngx_slab_c?alloc(?:_locked)?
               |(?:m|c|re)alloc|strn?dup
               |dt_arena_c?alloc)/x;

my $type = qr/(?:(?:const|static|struct|unsigned|volatile|enum)\s+)*\w+/;

my $complaints = 0;

if (!@ARGV) {
    chdir "$FindBin::Bin/.." or die "chdir: $!\n";
    @ARGV = grep { -f && !/\.(?:md|json|html)$/ }
            <{core/*,ngx_module,ngx_module/*,tools,bench}/*>,
            <t/*.t t/*/*.{c,h,pm} .ci/* conf-examples/* debian/*>,
            qw(Makefile config);
}

check($_) for @ARGV;

print "style: $complaints complaints\n" if $complaints;
exit($complaints ? 1 : 0);


sub complain {
    my ($file, $line, $text) = @_;

    print "$file:$line: $text\n";
    $complaints++;
}


sub check {
    my ($file) = @_;

    open(my $fh, '<:encoding(UTF-8)', $file) or die "$file: $!\n";
    my $text = do { local $/; <$fh> };
    close $fh;

    my @lines = split /\n/, $text, -1;

    if (pop @lines ne '') {
        complain($file, @lines + 1, 'no newline at the end');

    } elsif (@lines && $lines[-1] eq '' && $file =~ /\.[ch]$/) {
        complain($file, scalar @lines, 'blank line at the end')
            if $file !~ /\.h$/;
    }

    general($file, \@lines);

    return if $file !~ /\.[ch]$/;

    my @code = split /\n/, blank_out($text), -1;

    c_rules($file, \@code);
    nginx_rules($file, \@lines, \@code) if $file =~ m{(?:^|/)ngx_};
}


sub general {
    my ($file, $lines) = @_;

    my $make = $file =~ m{Makefile$|debian/rules$};

    for my $i (0 .. $#$lines) {
        local $_ = $lines->[$i];

        complain($file, $i + 1, 'line of ' . length() . ' columns')
            if length() > 79 && !/^ -- .* <.*>  /;
        complain($file, $i + 1, 'tab') if /\t/ && !($make && /^\t[^\t]*$/);
        complain($file, $i + 1, 'trailing space') if /\s$/;
    }
}


# code without comments, strings and characters; lines stay in their places
sub blank_out {
    my ($text) = @_;

    $text =~ s{(/\*.*?\*/)|("(?:[^"\\\n]|\\.)*")|('(?:[^'\\\n]|\\.)*')}
              {blank($1 // $2 // $3)}gse;

    return $text;
}


sub blank {
    my ($piece) = @_;

    $piece =~ s/[^\n]/ /g if $piece =~ m{^/\*};
    $piece =~ s/(?<=.)[^\n](?=.)/x/g if $piece =~ /^["']/;

    return $piece;
}


sub c_rules {
    my ($file, $code) = @_;

    my $glue = $file =~ m{(?:^|/)ngx_};
    my $max = 1000;
    my $open;

    complain($file, scalar @$code, "file longer than $max lines")
        if $file !~ m{(?:^|/)t/|/model\.c$} && @$code - 1 > $max;

    for my $i (0 .. $#$code) {
        local $_ = $code->[$i];

        complain($file, $i + 1, 'banned function') if /$banned/;
        complain($file, $i + 1, 'comment with "//"') if m{//};

        if (/^\{/) {
            $open = $i;

        } elsif (/^\}/ && defined $open) {
            my $n = $i - $open - 1;
            my $head = join ' ', @$code[($open > 3 ? $open - 3 : 0) .. $open];
            my $limit = !$glue ? 80 : $head =~ /_body_filter\(/ ? 150 : 100;
            complain($file, $open + 1, "function of $n lines")
                if $n > $limit && $file !~ m{(?:^|/)t/};
            undef $open;
        }
    }
}


sub nginx_rules {
    my ($file, $lines, $code) = @_;

    for my $i (0 .. $#$code) {
        local $_ = $code->[$i];

        complain($file, $i + 1, 'no blank line before "} else"')
            if /^\s*\} else\b/ && $lines->[$i - 1] ne '';

        complain($file, $i + 1, '"else" not behind its brace')
            if /^\s*else\b/;

        complain($file, $i + 1, 'brace of a function not on its own line')
            if /^\w.*\)\s*\{$/;

        complain($file, $i + 1, "allocation not checked: $1")
            if /^\s*(?:$type\s+\**)?(\*?[\w.>\[\]-]+) = (?:\(.*?\) ?)?$alloc\(/
               && !checked($code, $i, $1);

        declarations($file, $code, $i + 1) if /^\{/;
    }
}


# whether $name is compared within a few statements
sub checked {
    my ($code, $i, $name) = @_;

    $name = quotemeta $name;

    for my $j ($i .. $i + 8) {
        last if $j > $#$code;
        local $_ = $code->[$j];

        return 1 if /$name\s*[!=]= NULL/ || /return\b.*$name/;
    }

    return 0;
}


sub declarations {
    my ($file, $code, $i) = @_;

    my ($column, $gap, $length, $first);
    my $plain = 0;

    for (; $i <= $#$code; $i++) {
        local $_ = $code->[$i];

        next if /^\s{6,}\S/ && defined $first;
        last if !/^    ($type)(\s+)(\**)(\w+)(?:\[[^\]]*\])*(?:[;,]|\s*=|\s*:)/
                || $1 =~ /^(?:return|goto|case|else)$/;

        my ($t, $space, $stars, $name) = ($1, $2, $3, $4);
        my $at = 4 + length("$t$space$stars");

        $first //= $i;
        $column //= $at;
        $gap = length $space if !defined $gap || length $space < $gap;

        complain($file, $i + 1, "'$name' is not below the names above it")
            if $at != $column;
        complain($file, $i + 1, "'$name' stands behind a longer type")
            if defined $length && length $t < $length;

        $length = length $t;
        $plain ||= !/=/;
    }

    return if !defined $first;

    # "conf_t *prev = parent;" has one space, "buf_t  **b" moves the others
    complain($file, $first + 1, "gap of $gap, not 2, behind the longest type")
        if $gap > 3 || $gap < ($plain ? 2 : 1);
    complain($file, $i + 1, 'no blank line behind the declarations')
        if $code->[$i] =~ /\S/ && $code->[$i] !~ /^(?:\}|#)/;
}
