#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Pages as JSON, by Accept or mode, and headings that keep their ids.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $own = $t->port(0);

$t->configure(
    mode => 'off',
    http => 'detemplate_accept markdown json text;',
    pages => [
        '/mode/' => 'detemplate json;',
        '/body/' => '',
        '/anchors/' => 'detemplate_anchors on;',
        '/small/' => 'detemplate_hold 1k;',
        '/some/' => 'detemplate_accept json;',
        '/strip/' => 'detemplate strip;',
    ],
);

$t->pages('html');
$t->write_file('html/own.html', page(9) =~ s{<main>.*</main>}{<main>
<h1 id="top">Caf\xc3\xa9 "one" \xf0\x9f\x98\x80</h1>
<p>A <a href="/p1.html?a&amp;b">link</a>.
<h2>Two <code>x|y</code></h2><pre>a\tb\\n</pre>
<h3><span id="three">Three</span></h3></main>}sr);
$t->write_file('html/bad.html', "<h1>a\xff\x01b\xe2\x28</h1>\0c");
$t->write_file('html/empty.html', '');

$t->run();

my $r = get('/own.html');
my $j = json($r);

is($j->{template}, undef, 'no template');
ok($t->learn('/p3.html', fields => ['Accept: application/json']), 'learned');
$t->idle();

# what it says

$r = get('/own.html');
$j = json($r);

has('JSON', $r, 'Content-Type' => 'application/json', Vary => 'Accept',
    Link => "<http://site.test:$own/own.html>; rel=\"canonical\"",
    Detemplate => qr/mode=json/);
is(join(' ', sort keys %$j), 'date description hash headings language links '
    . 'modified source template template_words text title tokens '
    . 'truncated url words',
    'members');
is($j->{url}, "http://site.test:$own/own.html", 'url');
like($j->{title}, qr/^Page 9: \w+/, 'title');
is($j->{language}, 'en', 'language');
is($j->{text}, "# Caf\x{e9} \"one\" \x{1f600}\n\nA "
    . "[link](http://site.test:$own/p1.html?a&b).\n\n## Two `x|y`\n\n"
    . "```\na\tb\\n\n```\n\n### Three\n", 'text');
is($j->{text}, decode_md('/own.html'), 'the same as Markdown');
is_deeply([ map { [ @$_{qw/ level text id /} ] } @{$j->{headings}} ],
    [ [ 1, "Caf\x{e9} \"one\" \x{1f600}", 'top' ], [ 2, 'Two x|y', undef ],
    [ 3, 'Three', 'three' ] ], 'headings');
is(join('|', map { substr $j->{text}, $_->{offset}, 5 } @{$j->{headings}}),
    '# Caf|## Tw|### T', 'their offsets, in characters');
is_deeply($j->{links}, [ "http://site.test:$own/p1.html?a&b" ], 'links');
is($j->{words}, 10, 'words');
is($j->{tokens}, int(length(utf8($j->{text})) / 4), 'tokens');
is($j->{template}{version}, field($r, 'Detemplate') =~ /version=(\d+)/ && $1,
    'version');
ok(defined $j->{template}{settled}, 'settled');
like($j->{modified}, qr/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'modified');

# pages of all kinds are JSON

for my $uri ('/mode/p3.html', '/bad.html', '/empty.html', '/some/p3.html',
    map { "/p$_.html" } 1 .. 8)
{
    my $page = json(get($uri));

    ok(ref $page, "$uri, JSON");
    unlike($page->{text}, qr/Chapter/, "$uri, no template");
}

# who asks for what

gets(
    [ 'HEAD', '/mode/p3.html', { method => 'HEAD' },
        'Content-Type' => 'application/json' ],
    (map { [ $_->[0], '/p3.html', [ "Accept: $_->[0]" ],
        'Content-Type' => qr/^\Q$_->[1]\E/ ] }
        [ 'application/json, text/plain, */*', 'application/json' ],
        [ 'application/json, text/markdown', 'text/markdown' ],
        [ 'text/html, application/json;q=0.9', 'text/html' ],
        [ '*/*', 'text/html' ]),
    [ 'only JSON', '/some/p3.html', [ 'Accept: text/markdown' ],
        'Content-Type' => 'text/html' ],
    [ 'no link to Markdown', '/some/p3.html', Link => '' ],
);

# tags

$r = get('/body/p3.html');
has('a weak tag', $r, ETag => qr{^W/"dt-[0-9a-f]{16}"$},
    'Content-Length' => length body($r));
has('not modified', get('/body/p3.html', 'If-None-Match: '
    . field($r, 'ETag')), status => 304);

utime time() - 5000, time() - 5000, "$d/html/p3.html";
my $touched = get('/body/p3.html');

isnt(json($touched)->{modified}, json($r)->{modified}, 'touched');
is(field($touched, 'ETag'), field($r, 'ETag'), 'the same tag');
has('larger than what is held', get('/small/p3.html'), body => page(3),
    Detemplate => 'bypass; reason=size');

# ids in Markdown

is(md('/anchors/own.html') =~ s/ <a id="(?:top|three)"><\/a>/ /gr,
    md('/own.html') =~ s{/own\.html}{/anchors/own.html}r, 'anchors');
is(() = md('/anchors/own.html') =~ /<a id="(?:top|three)"><\/a>/g, 2,
    'which are there');
$j = json(get('/anchors/own.html'));
is(substr($j->{text}, $j->{headings}[2]{offset}), "### <a id=\"three\"></a>"
    . "Three\n", 'and in JSON');
isnt(field(get('/anchors/p3.html'), 'ETag'), field(get('/p3.html'), 'ETag'),
    'tags tell them apart');

# real clients

for my $client (
    [ python3 => q{python3 -c 'import json, sys; p = json.load(sys.stdin); }
        . q{print(p["text"][p["headings"][2]["offset"]:], end="")'} ],
    [ jq => q{jq -r '.headings[2].offset as $o | .text[$o:-1]'} ],
) {
    my ($name, $command) = @$client;

    SKIP: {
        skip "no $name", 1 if !on_path($name);

        is(`curl -s -H 'Accept: application/json' -H Host:site.test \\
            http://127.0.0.1:$own/own.html | $command`, "### Three\n", $name);
    }
}

$t->done();

sub get ($uri, @fields) {
    return http_get($uri, fields => ['Accept: application/json', @fields]);
}

sub json { my $page = eval { decode_json(body($_[0])) }; diag $@ if $@; $page }

sub md {
    return body(http_get($_[0], fields => ['Accept: text/markdown']));
}

sub decode_md {
    my $md = md($_[0]) =~ s/^---\n.*?\n---\n\n//sr;

    utf8::decode($md);

    return $md;
}

sub utf8 { my $s = $_[0]; utf8::encode($s); $s }
