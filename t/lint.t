#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# Each checker of .ci/ complains of what it should find, and of nothing else.

use v5.36;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $ci = abs_path("$FindBin::Bin/../.ci");
my $dir = tempdir(CLEANUP => 1);
my $n = 0;

my $fn = "static void\nf(void)\n{\n%s}\n";

style('good.c', sprintf($fn, "    g();\n"), undef, 'plain file');
style('cols.c', '/* ' . 'x' x 80 . " */\n", 'columns', 'long line');
style('tab.c', "int\ta;\n", 'tab', 'tab');
style('space.c', "int a; \n", 'trailing space', 'trailing space');
style('eof.c', 'int a;', 'no newline', 'no newline at the end');
style('ban.c', sprintf($fn, qq{    sprintf(b, "x");\n}), 'banned', 'sprintf');
style('ban2.c', sprintf($fn, qq{    strcat (b, "x");\n}), 'banned', 'strcat');
style('quote.c', sprintf($fn, qq{    g("strcat(");\n}), undef, 'in a string');
style('note.c', "/* strcpy(a, b) // */\n", undef, 'in a comment');
style('slash.c', "int a;  // b\n", '"//"', 'comment with slashes');
style('url.c', qq{char *s = "http://a";\n}, undef, 'slashes in a string');
style('long.c', sprintf($fn, "    g();\n" x 81), 'function of', 'function');
style('file.c', "int a;\n" x 1001, 'file longer', 'long file');
style('most.c', "int a;\n" x 1000, undef, 'file of 1000 lines');

style('ngx_else.c', sprintf($fn, "    if (a) {\n        b();\n    } else {\n"
    . "        c();\n    }\n"), 'before "} else"', 'no blank before else');
style('ngx_else.c', sprintf($fn, "    if (a) {\n        b();\n\n"
    . "    } else {\n        c();\n    }\n"), undef, 'blank before else');

my @decl = (
    ["ngx_int_t   rc;", "ngx_buf_t  *b;", undef, 'aligned'],
    ["ngx_int_t  rc;", "ngx_buf_t  *b;", 'not below', 'names not aligned'],
    ["ngx_int_t    rc;", "off_t        n;", 'longer type', 'not sorted'],
    ["off_t      n;", "ngx_int_t rc;", 'gap of 1', 'one space'],
    ["off_t          n;", "ngx_int_t      rc;", 'gap of 6', 'many spaces'],
);

for (@decl) {
    my ($a, $b, $want, $name) = @$_;
    style('ngx_decl.c', sprintf($fn, "    $a\n    $b\n\n    g();\n"), $want,
          "declarations: $name");
}

style('ngx_decl.c', sprintf($fn, "    off_t  n;\n    g();\n"), 'no blank line',
    'declarations: no blank line behind');

my $palloc = "    b = ngx_palloc(pool, 1);\n%s    g(b);\n";

style('ngx_mem.c', sprintf($fn, sprintf($palloc, '')), 'not checked',
    'allocation not checked');
style('ngx_mem.c', sprintf($fn, sprintf($palloc, "    if (b == NULL) {\n"
    . "        return;\n    }\n\n")), undef, 'allocation checked');

my %sound = ('core/scan/scan.c' => qq{#include "core/scan/scan.h"\n},
    'core/text/out.c' => qq{#include "core/text/text.h"\n},
    'core/dom/dom.c' => qq{#include <gumbo.h>\n#include "core/base/dt.h"\n},
    'objs/scan/scan.c' => "int scan;\n",
    'objs/text/out.c' => "int out;\n",
    'objs/dom/dom.c' => "void gumbo_parse(void);\nvoid f(void);\n"
                        . "void f(void) { gumbo_parse(); }\n");

borders({ }, undef, 'sound tree');
borders({ 'core/str.c' => "int a;\n" }, 'in no room', 'file beside the rooms');
borders({ 'core/hall/a.c' => "int a;\n" }, 'no such room', 'another room');
borders({ 'core/scan/a.c' => qq{#include <ngx_core.h>\n} },
    'nothing of nginx', 'nginx in the core');
borders({ 'core/detect/a.c' => "#include <gumbo.h>\n" }, 'gumbo is for',
    'gumbo elsewhere');
borders({ 'core/learn/a.h' => "#include <curl/curl.h>\n" }, 'curl is for',
    'libcurl elsewhere');
borders({ 'ngx_module/ngx_a.c' => qq{#  include <hiredis/hiredis.h>\n} },
    'hiredis is for', 'hiredis in the module');
borders({ 'core/web/a.c' => "#include <openssl/ssl.h>\n" }, 'openssl is for',
    'OpenSSL elsewhere');
borders({ 'tools/a.c' => "#include <gumbo.h>\n" }, 'gumbo is for',
    'gumbo in a tool');
borders({ 'core/scan/a.c' => qq{#include "../dom/dom.h"\n} },
    'include with ..', 'by another way');

for my $pair (qw(base:template template:scan scan:dom scan:web dom:scan
                 detect:rules rules:learn rules:web web:dom redis:scan
                 learn:redis module:dom module:rules module:detect module:web
                 module:learn))
{
    my ($from, $to) = split /:/, $pair;
    my $file = $from eq 'module' ? 'ngx_module/ngx_a.c' : "core/$from/a.h";

    borders({ $file => qq{#include "core/$to/a.h"\n} },
            "$from includes $to", "$from includes $to");
}

borders({ 'core/rules/decide.h' => qq{#include "core/rules/explain.h"\n} },
    'does not include explain.h', 'what decides, explains');
borders({ 'core/rules/explain.h' => qq{#include "core/rules/explain.h"\n} },
    undef, 'what explains, explains');

for my $pair (qw(zone:body zone:manager zone:conf.h body:request
                 request:status status:request manager:request))
{
    my ($from, $to) = split /:/, $pair;
    my $header = $to =~ /\.h$/ ? $to : "$to/a.h";

    borders({ "ngx_module/$from/a.c" => qq{#include "ngx_module/$header"\n} },
            "$from includes $to", "module: $from includes $to");
}

borders({ "ngx_module/hall/a.c" => "int a;\n" }, 'no such room',
    'module: another room');
borders({ 'ngx_module/body/a.c' => qq{#include "ngx_module/zone/a.h"\n},
          'ngx_module/zone/a.c' => qq{#include "ngx_module/detemplate.h"\n} },
    undef, 'module: a room below, and what all share');

borders({ 'objs/scan/a.c' => "void g(void);\nvoid f(void) { g(); }\n",
          'objs/scan/b.c' => "void h(void);\nvoid g(void) { h(); }\n",
          'objs/scan/c.c' => "void f(void);\nvoid h(void) { f(); }\n" },
    'call each other: objs/scan/a.o objs/scan/b.o objs/scan/c.o',
    'three files in a circle');
borders({ 'objs/scan/a.c' => "void g(void);\nvoid f(void) { g(); }\n",
          'objs/scan/b.c' => "void h(void);\nvoid g(void) { h(); }\n",
          'objs/scan/c.c' => "void h(void) { }\n" },
    undef, 'three files in a row');

for my $call (qw(gumbo_parse curl_easy_init redisConnect)) {
    borders({ 'objs/scan/a.c' => "void $call(void);\nvoid f(void);\n"
                                 . "void f(void) { $call(); }\n" },
        "calls $call", "the scanner calls $call");
}

borders({ 'objs/scan/scan.c' => undef }, 'no objects', 'objects missing');

# a file and its header are one, and each has one door

my %door = ('core/scan/a.h' => "void dt_a(void);\n",
    'core/scan/a.c' => qq{#include "core/scan/a.h"\nvoid\ndt_a(void)\n{\n}\n});

doors({ %door }, '', 'one door');
doors({ %door, 'core/scan/b.h' => qq{#include "core/scan/a.h"\n} }, '',
    'a header below');
doors({ %door, 'core/scan/a.h' => qq{#include "core/scan/b.h"\n},
        'core/scan/b.h' => '',
        'core/scan/b.c' => qq{#include "core/scan/c.h"\n},
        'core/scan/c.h' => qq{#include "core/scan/a.h"\n} },
    'core/scan/a core/scan/b core/scan/c', 'files that include each other');
doors({ %door, 'core/scan/a.h' => '', 'core/scan/b.h' => "int dt_a(void);\n" },
    'dt_a of core/scan/a in core/scan/b.h', 'a header of another name');
doors({ %door, 'core/scan/b.h' => "void dt_b(void);\n"
        . "static inline void\ndt_a(void)\n{\n    dt_b();\n}\n" }, '',
    'a function that a header defines');

for my $set ('ctx->at.n = 1', 'ctx->at.n |= 1', 'ctx->at.n++',
    'ngx_str_null(&ctx->at.n)')
{
    doors({ 'ngx_module/zone/a.c' => "void f()\n{\n    ctx->at.n = 2;\n}\n",
            'ngx_module/body/b.c' => "void g()\n{\n    $set;\n}\n" },
        'at.n in ngx_module/body/b.c ngx_module/zone/a.c', "set by two: $set");
}

doors({ 'ngx_module/zone/a.c' => "void f()\n{\n    ctx->at = 2;\n}\n",
        'ngx_module/body/b.c' => "void g()\n{\n    f(ctx->at == 1);\n}\n" },
    '', 'set by one');

my $root = "$dir/" . $n++;

write_files($root, { map { ("core/scan/$_.h" => "void dt_$_(void);\n",
    "core/text/$_.c" => "void\ndt_$_(void)\n{\n}\n") } 'a' .. 'z' });
complains("$ci/doors.py $root", 'functions: 26, at most', 'doors: a bound');

libraries("int a;\n", '', undef, 'neither library');
libraries("int a;\n", '-Wl,--no-as-needed -lcurl', 'needs libcurl', 'libcurl');
libraries("int a;\n", '-Wl,--no-as-needed -lgumbo', 'needs libgumbo',
    'gumbo');
libraries("void $_(void);\nvoid f(void);\nvoid f(void) { $_(); }\n", '',
    "leaves $_ open", $_) for qw(curl_easy_init gumbo_parse);
libraries(undef, '', 'not built', 'no module');

hardened(@$_) for (
    [ '', undef, 'hardened' ],
    [ '-fno-stack-protector', 'no stack protector', 'no stack protector' ],
    [ '-U_FORTIFY_SOURCE', 'no _FORTIFY_SOURCE', 'no checks of lengths' ],
    [ '-Wl,-z,lazy', 'not bound at once', 'bound lazily' ],
    [ '-Wl,-z,norelro', 'no RELRO', 'tables may be written to' ],
    [ '-Wl,-z,execstack', 'can be executed', 'the stack is code' ],
);
hardened(undef, 'not built', 'nothing to look at');

my $table = "static ngx_command_t  c[] = {\n\n"
    . "    { ngx_string(\"detemplate\"),\n      0 },\n\n"
    . "      ngx_null_command\n};\n";
my $rules = "## What is template\n\nOn 15 % of pages, 3 of them.\n\n"
    . "| `share` | 15 | percent |\n| `support` | 3 | pages |\n"
    . "| `DT_MORE` | 200 | words |\n\n## Other\n\n77 %, and half.\n";
my $row = "| [`detemplate`](#detemplate) |\n";
my $described = "$row\n## detemplate\n";
my %docs = ('ngx_module/a.c' => $table,
    'doc/directives.md' => $described,
    'README.md' => $rules,
    't/a.t' => "    detemplate strip;\n",
    'core/rules/rules.c' => "void\ndt_rules_init(dt_rules_t *r)\n{\n"
        . "    r->support = 3;\n    r->share = 15;\n}\n",
    'core/template/serve.h' => "#define DT_MORE 200\n");

docs({ }, undef, 'sound tree');
docs({ 'doc/directives.md' => $row }, "no heading '##", 'no heading');
docs({ 'doc/directives.md' => "## detemplate\n" }, 'no row for detemplate',
    'no row');
docs({ 't/a.t' => "detemplate_zone a;\n" }, 'in no test', 'no test');
docs({ 'doc/directives.md' => "$described## detemplate_x\n" },
    'detemplate_x is not', 'heading without directive');
docs({ 'doc/directives.md' => "| [`detemplate_x`](#detemplate_x) |\n"
    . $described }, 'detemplate_x is not', 'row without directive');
docs({ 'ngx_module/a.c' => "int a;\n" }, 'no directive', 'no table');
docs({ 'ngx_module/b.c' => "ngx_str_t  r_reasons[] = {\n"
    . "    ngx_string(\"\"),\n    ngx_string(\"off\")\n};\n" },
    'no row \'| `off` |', 'reason');
docs({ 'README.md' => $rules . "\n" x 15000 }, 'more than 15000',
    'long page');
docs({ 'doc/a.md' => "[a](../README.md) [b](b.md#c)\n" }, 'no file b.md',
    'link to nowhere');
docs({ 'doc/a.md' => "[a](../README.md#what-is-template) [b](#b)\n" },
    'no heading for #b', 'link to no heading');
docs({ 'doc/a.md' => "# b c\n[a](../README.md#a) [b](#b-c)\n" },
    'no heading for ../README.md#a', 'link to no heading of another page');
docs({ 'README.md' => "\n", 'doc/rules.md' => $rules }, undef,
    'rules in a file of their own');
docs({ 'README.md' => "\n" }, 'no heading "What', 'no rules');
docs({ 'core/rules/rules.c' => "int a;\n" }, 'no numbers', 'no rules set');

for (
    [ 'is 3, the table says 4', sub { s/support` \| 3/support` | 4/ } ],
    [ 'is 200, the table says nothing', sub { s/^.*DT_MORE.*\n//m } ],
    [ 'calm is no number', sub { s/^.*DT_MORE/| `calm` | 5 |\n$&/m } ],
    [ 'no rule says 16 percent', sub { s/15 %/16 %/ } ],
    [ 'no rule says 17 percent', sub { s/15 %/17 percent/ } ],
) {
    my ($want, $change) = @$_;

    local $_ = $rules;
    $change->();
    docs({ 'README.md' => $_ }, $want, "numbers: $want");
}

my $page = ".TH a 5\n.SH A\n.SS \"detemplate\"\n.TP\n\\fBno\\-way\\fR\na\n"
    . ".TP\n\\fB\$d_v\\fR\na\n";
my %named = ('doc/response.md' => "| `no-way` |\n",
    'ngx_module/b.c' => "ngx_str_t  r_reasons[] = {\n"
    . "    ngx_string(\"\"),\n    ngx_string(\"no-way\")\n};\n"
    . "static ngx_http_variable_t  d_vars[] = {\n"
    . "    { ngx_string(\"d_v\"), NULL },\n};\n");

for (
    [ undef, $page, 'sound manual' ],
    [ 'no manual', undef, 'no manual' ],
    [ "no '.SS detemplate'", $page =~ s/^\.SS.*\n//mr, 'directive' ],
    [ 'no tag no-way', $page =~ s/no\\-way/now/r, 'reason' ],
    [ 'no tag $d_v', $page =~ s/d_v/d_w/r, 'variable' ],
    [ 'NOSUCH', "$page.NOSUCH a\n", 'warning' ],
) {
    my ($want, $text, $name) = @$_;

    local $ENV{TEST_MAN} = 'man';
    docs({ %named, 'man/a.5' => $text }, $want, "manual: $name");
}

docs({ 'conf-examples/a.conf' => "server { listen 127.0.0.1:8080; }\n" },
    undef, 'good example');
docs({ 'conf-examples/a.conf' => "server { lisen 127.0.0.1:8080; }\n" },
    'unknown directive', 'bad example');
docs({ 'doc/a.md' => "```nginx\nserver { lisen 127.0.0.1:8080; }\n```\n" },
    'unknown directive "lisen"', 'bad example of a page');

done_testing();

sub complains ($command, $want, $name) {
    my $out = qx($command 2>&1);
    my $failed = $? != 0;

    if (defined $want) {
        ok($failed && index($out, $want) >= 0, $name) or diag($out);

    } else {
        ok(!$failed && $out eq '', $name) or diag($out);
    }
}

sub write_files ($root, $files) {
    for my $f (sort keys %$files) {
        next if !defined $files->{$f};

        make_path(dirname("$root/$f"));
        open(my $fh, '>', "$root/$f") or die "$root/$f: $!\n";
        print $fh $files->{$f};
        close $fh;
    }
}

sub style ($file, $text, $want, $name) {
    write_files($dir, { $file => $text });
    complains("$ci/style.pl $dir/$file", $want, "style: $name");
}

sub borders ($files, $want, $name) {
    my $root = "$dir/" . $n++;
    my %all = (%sound, %$files);

    write_files($root, \%all);

    for my $o (grep { /^objs\// && defined $all{$_} } keys %all) {
        system('cc', '-c', '-o', "$root/$o.o" =~ s/\.c\.o$/.o/r, "$root/$o");
    }

    complains("$ci/borders.sh $root objs", $want, "borders: $name");
}

# the bounds are those of the whole tree, so -v, which lists all, is asked
sub doors ($files, $want, $name) {
    my $root = "$dir/" . $n++;

    write_files($root, $files);

    my $out = join '', grep { /^ / } qx($ci/doors.py $root -v 2>&1);
    is($out, $want eq '' ? '' : "    $want\n", "doors: $name");
}

sub libraries ($text, $libs, $want, $name) {
    my $so = "$dir/module" . $n++;

    if (defined $text) {
        write_files($dir, { 'module.c' => $text });
        system("cc -shared -fPIC -o $so $dir/module.c $libs");
    }

    complains("$ci/libraries.sh $so", $want, "libraries: $name");
}

sub hardened ($flags, $want, $name) {
    my $so = "$dir/module" . $n++;

    if (defined $flags) {
        write_files($dir, { 'module.c' => "#include <string.h>\n"
            . "void f(char *p, const char *q);\n"
            . "void f(char *p, const char *q)\n"
            . "{ char a[64]; strcpy(a, q); strcpy(p, a); }\n" });
        system('cc -shared -fPIC -O2 -fstack-protector-strong '
            . "-D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now $flags "
            . "-o $so $dir/module.c");
    }

    complains("$ci/hardened.sh $so", $want, "hardened: $name");
}

# the examples in these trees do not need the module
sub docs ($files, $want, $name) {
    my $root = "$dir/" . $n++;

    write_files($root, { %docs, %$files });

    local $ENV{TEST_NGINX_MODULE} = '';
    complains("$ci/docs-check.pl $root", $want, "docs: $name");
}
