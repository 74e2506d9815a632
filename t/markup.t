#!/usr/bin/perl

# Copyright (C) The detemplate authors
#
# Markup that is the same on all pages of a site, in the head, the header and
# the content: whatever it is, the site is learned, and its footer is cut.

use v5.36;

use File::Temp qw(tempdir);
use Test::More;

my $tool = $ENV{DETEMPLATE};

plan skip_all => 'no detemplate' if !defined $tool;

my @markup = (
    '<template><style>.a{}</style></template>',
    '<template><script>var a = "</p>";</script><p>x</template>',
    '<template><svg><path d="M0"/></svg></template>',
    '<template><select><option>a</select><textarea></p></textarea></template>',
    '<template><template><li>a</template><tr><td>b</template>',
    '<template><!-- </template> --><div></template>',
    '<x-card><template shadowrootmode="open"><style>:host{}</style><p>a</p>'
        . '<slot></slot></template></x-card>',
    '<noscript><!-- c --><img src="/x.gif"></noscript>',
    '<noscript><p>a</noscript>',
    '<noscript><p>a</p></noscript>',
    '<noscript><ul><li>a</noscript>',
    '<noscript><style>.a{}</style><iframe src="/f"></iframe></noscript>',
    '<noscript><svg><g></g></svg></noscript>',
    '<svg><style><![CDATA[.a{fill:red}]]></style></svg>',
    '<svg><script>1 < 2</script></svg>',
    '<svg><foreignObject><div>hi</div></foreignObject></svg>',
    '<svg><foreignObject><p>hi</p><br></foreignObject><g/></svg>',
    '<svg><title>a</title><desc>b <b>c</b></desc></svg>',
    '<svg><font><a href="/">b</a></font></svg>',
    '<svg><switch><text>a</text><svg></svg></switch></svg>',
    '<svg><g></svg>',
    '<math><mfrac><mn>1</mn><mtext>a <b>b</b></mtext></mfrac></math>',
    '<math><annotation-xml encoding="text/html"><p>a</p></annotation-xml>'
        . '</math>',
    '<nobr>a<nobr>b</nobr></nobr>',
    '<button>a<button>b</button></button>',
    '<form><input name="a"><form><input name="b"></form></form>',
    '<noscript></p></noscript>',
    '<svg><text>a</svg>',
    '<template><col><td></template>',
    '<template><frame><option></template>',
    '<script><!-- <script> </script> --></script>',
    '<object><param name="a"><p>b</object>',
    '<dialog><p>a</dialog>',
    '<search><p>a</search>',
);

my @words = qw(apple pear plum cherry walnut maple river stone lantern harbor
    meadow copper silver violet thunder winter garden engine bridge window
    carpet pepper saffron cinnamon orchard valley canyon island tunnel beacon);
my $seed = 7;

sub own ($n) {
    return join ' ', map {
        $seed = ($seed * 1103515245 + 12345) % 2147483648;
        $words[($seed >> 16) % @words] . int(($seed >> 8) % 50);
    } 1 .. $n;
}

sub site ($dir, $head, $header, $content, $body = '%s') {
    my $links = join '', map { "<li><a href=\"/p$_.html\">Chapter $_</a>" }
        1 .. 14;

    for my $i (1 .. 14) {
        open my $f, '>', "$dir/p$i.html" or die "$!";
        print $f "<!DOCTYPE html><html><head><title>p$i</title>$head</head>"
            . '<body>' . sprintf($body,
                '<header><a href="/p1.html">Acme docs</a><p>Trusted fruit'
            . " knowledge since forever</p></header>$header<nav><ul>$links"
            . '</ul></nav><main><h1>' . own(3) . '</h1>'
            . join($content, map { '<p>' . own(40) . '</p>' } 1 .. 4)
            . '</main><footer><p>Copyright Acme company all rights reserved'
            . '</p></footer>') . '</body></html>';
        close $f;
    }
}

# a page without its template

sub apply ($dir) {
    my $apply = "$tool apply --url http://localhost/p3.html $dir/t";

    return qx{$apply <$dir/p3.html};
}

for my $markup (@markup) {
    for my $where (0 .. 2) {
        my @at = ('', '', '');
        my $dir = tempdir(CLEANUP => 1);

        # what is no part of a head would begin the body
        next if $where == 0 && $markup !~ /^<(template|noscript|script)/;

        $at[$where] = $markup;
        site($dir, @at);

        my $out = qx{$tool learn --root $dir --out $dir/t p1.html 2>&1};
        my $rest = -e "$dir/t" ? apply($dir) : $out;
        my $in = (qw(head header content))[$where];

        like($rest, qr/^(?!.*Copyright).*<main>/s, "$markup in $in: learned");
    }
}

# all of the page in noscript, as an application sends it to who executes no
# scripts

{
    my $dir = tempdir(CLEANUP => 1);

    site($dir, '', '', '', '<div id=app></div><noscript>%s</noscript>');
    system("$tool learn --root $dir --out $dir/t p1.html >$dir/out 2>&1");

    like(apply($dir),
        qr{^(?!.*(Trusted|Chapter|Copyright)).*<noscript>.*<main>}s,
        'a page in noscript: learned and cut');
}

# where it cannot be followed, what stood before is learned and cut

for my $markup ('<svg><div>x</div></svg>', '<select><input></select>',
                '<tr><td>x</td></tr>')
{
    my $dir = tempdir(CLEANUP => 1);

    site($dir, '', $markup, '');
    system("$tool learn --root $dir --out $dir/t p1.html >$dir/out 2>&1");

    my $rest = apply($dir);

    like($rest, qr/^(?!.*Trusted).*Chapter 9.*Copyright/s,
        "$markup: what stood before is cut");
}

done_testing();
