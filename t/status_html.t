#!/usr/bin/perl

# Copyright (C) The detemplate authors

# detemplate_status in a browser: who gets the page, that it agrees with the
# JSON document, that names are escaped, and that it can be read without
# scripts and styles.

use Test::Detemplate;

my $t = Test::Detemplate->new();
my $long = '"' x 253;

$t->configure(
    http => 'detemplate_learners 4;',
    pages => ['/named/' => q{detemplate_site '<a&"b>';}],
    locations => [
        '~ ^/long/(\d+)(/.*)' => "
            alias %%TESTDIR%%/html\$2;
            detemplate_site '$long\$1';",
        '/alone/' => 'alias %%TESTDIR%%/alone/; detemplate_site alone.test;',
        # a mistake: the mode is not off here
        '= /stripped' => 'detemplate_status;',
        '= /style.css' => 'types { } default_type text/css;',
    ],
);

$t->pages('html');
$t->write_file('alone/p1.html', '<!DOCTYPE html><title>t</title><p>alone');
$t->run();

# clients that get the page

my $browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,'
    . '*/*;q=0.8';

for my $case (
    [ '', $browser, 'html' ],
    [ '', 'text/html, text/plain, text/css, */*;q=0.01', 'html' ],
    [ '', 'text/html, text/*;q=0.5, image/*', 'html' ],
    [ '', 'TEXT/HTML', 'html' ],
    [ '', 'text/html;q=0.9, text/plain;q=0.5', 'html' ],
    [ '', 'text/html;q=0.5, text/plain;q=0.9', 'plain' ],
    [ '', 'text/html; level=1; q=0.5, text/plain', 'plain' ],
    [ '', 'text/html;q=0.25,application/openmetrics-text;version=1.0.0;q=0.3',
        'plain' ],
    [ '', 'application/json, text/html;q=0.9', 'json' ],
    [ '', 'application/json;q=0.9, text/html', 'html' ],
    [ '', 'text/html, application/json;q=0.9', 'html' ],
    [ '', 'application/json, text/html', 'json' ],
    [ '', 'text/html;q=0.9 , text/plain;q=0.5', 'html' ],
    [ '', 'text/html;q=0.3333', 'html' ],
    [ '', 'text/html;q=0', 'json' ],
    [ '', 'text/html;q=0.000', 'json' ],
    [ '', 'text/html;q=', 'json' ],
    [ '', 'text/html;q=x', 'json' ],
    [ '', 'text/html;q=1.', 'html' ],
    [ '', 'text/htmlx, application/x-text/plain', 'json' ],
    [ '', 'text/plain;q=0;x="text/html"', 'json' ],
    [ '', '*/*', 'json' ],
    [ '', 'image/png', 'json' ],
    [ '', undef, 'json' ],
    [ '?format=html', 'application/json', 'html' ],
    [ '?format=html', undef, 'html' ],
    [ '?format=json', $browser, 'json' ],
    [ '?format=prometheus', $browser, 'plain' ],
) {
    my ($arguments, $accept, $want) = @$case;

    my ($type) = field(http_get("/status$arguments",
        fields => [ defined $accept ? "Accept: $accept" : () ]),
        'Content-Type') =~ m{/(\w+)};

    is($type, $want, "type, \"$arguments\", " . ($accept || 'no accept'));
}

# nothing has happened yet

my $r = http_get('/status?format=html');

has('page', $r, status => 200, 'Content-Type' => 'text/html; charset=utf-8',
    'Content-Length' => length body($r),
    'Cache-Control' => 'no-store, no-transform',
    'X-Content-Type-Options' => 'nosniff');
is(faults(body($r)), '', 'empty, page is valid');
is(tables(body($r))->[0][0][0], 'site', 'empty, sites');
is(scalar @{tables(body($r))->[0]}, 1, 'empty, no sites');
unlike(body($r), qr/Sites without|Why pages/, 'empty, no empty tables');

my $head = http_head('/status', fields => [ 'Accept: text/html' ]);
is(body($head), '', 'head, no body');
is(field($head, $_), field($r, $_), "head, $_")
    for qw/ Content-Type Content-Length /;

# what has happened

# with many names of the maximum length, the page has its maximum length

my @folders = ('', 'named/', map { "long/$_/" } 10 .. 49);

http_get("/${_}p3.html") for @folders;
is(scalar(grep { !$t->learn("/${_}p3.html") } @folders), 0, 'learned');

http_get('/alone/p1.html');
soon { $t->learning('failed') } 'failed', 20;
http_get('/none.html');
$t->write_file('html/style.css', 'body { }');
http_get('/style.css') for 1 .. 3;

my ($html, $json);

# requests are counted after the response, so both are requested until they
# agree

wait_for(sub {
    $html = body(http_get('/status?format=html'));
    $json = $t->status_json();
    return body(http_get('/status?format=html')) eq $html
        && $json->{reasons}{status};
}, 10);

my ($sites, $without, $requests, $reasons) = @{tables($html)};
my %shown = map { $_->[0] => $_ } @$sites;

my $text = text($html);

is(faults($html), '', 'page is valid');
is(join(' ', map { $_->[0] } @$sites[1 .. $#$sites]),
    join(' ', map { $_->{site} } @{$json->{sites}}), 'sites, decoded');
like($html, qr{>&lt;a&amp;&quot;b&gt;</th>}, 'sites, escaped');
ok($shown{"${long}49"}, 'sites, longest name');

for my $site (@{$json->{sites}}) {
    my (undef, $words, $version, $age, $source, $patterns, $guarded, $loads,
        $candidates) = @{$shown{$site->{site}}};
    my $name = substr $site->{site}, -9;

    is("$version $source $patterns $guarded $loads $candidates",
        join(' ', @$site{qw/ version source patterns guarded loads
                             candidates /}), "$name, numbers");
    like($age, qr/^\d+ s$/, "$name, age");
    is($words, sprintf('%.1f %%', 100 * $site->{coverage}), "$name, words");
}

my $now = time();

is_deeply([ map { "@$_[0 .. 3, 5]" } @$without[1 .. $#$without] ],
    [ map { "$_->{site} $_->{state} $_->{reason} $_->{page} $_->{next_in} s" }
        @{$json->{without}} ], 'sites without a template');
is(scalar(grep { $now - $_->{failed_at} > 60 } @{$json->{without}}), 0,
    'sites without a template, time of the failure');
like($without->[1][4], qr/^\d+ s$/, 'sites without a template, age');
like($text, qr/^alone\.testidleno-/m, 'sites without a template, reason');

# what is no page is told apart

is(delete $json->{reasons}{type}, 3, 'style sheets');
like($text, qr/^Not counted here: 3 responses that are no pages/m,
    'style sheets are no pages that pass');

my $all = 0;
$all += $_ for values %{$json->{requests}};

is_deeply([ map { "@$_" } @$requests[1 .. $#$requests] ], [ map {
    my $n = $json->{requests}{$_};
    uc . " $n " . sprintf '%.1f %%', int(1000 * $n / $all + .5) / 10;
} qw/ off hit miss stale bypass guard error / ], 'requests');

my %counts = map { $_->[0] => $_->[1] } @$reasons[1 .. $#$reasons];
my %happened = map { $json->{reasons}{$_} ? ($_ => $json->{reasons}{$_}) : () }
    keys %{$json->{reasons}};

is_deeply(\%counts, \%happened, 'reasons, those that happened');

my $learning = $json->{learning};

like($text, qr/template: 42\. Being learned now: 0, waiting for it: 0\./,
    'number of sites');
like($text, qr/done: $learning->{done}, failed: $learning->{failed}\./,
    'learnings');
like($text, qr/rewritten had (\d+) bytes|rewritten had (\d+\.\d) KiB/,
    'bytes');
like($text, qr/Guarded patterns .* Compared pages/, 'words are explained');

my $saved = $json->{saved};
my $tokens = $saved->{words} + int($saved->{words} / 3);

like($text, qr/Saved: $saved->{words} words of template, which are /, 'words');
like($text, qr/ about $tokens tokens, or $saved->{tokens} with their markup\./,
    'tokens of these words');
like($text, qr/Free of 1\.0 MiB: \d+\.\d KiB, in use: \d+\.\d %/, 'zone');

# each bar has its number in front of it

my @bars = $html =~ m{(\d+)\.(\d) % <meter max="1000" value="(\d+)"}g;
is(scalar(@bars) / 3, () = $html =~ /<meter/g, 'bars, numbers');

while (my ($whole, $tenth, $value) = splice @bars, 0, 3) {
    is($value, 10 * $whole + $tenth, "bar, $value");
}

# no scripts, and nothing is loaded from elsewhere

unlike($html, qr{<(?:script|img|iframe|link|object)|\bon\w+=|<[^>]*://|url\(},
    'no script, nothing from elsewhere');
like($html, qr{<meta http-equiv="refresh" content="\d+">}, 'page is reloaded');

# the status is never rewritten, even where pages are

my $again = http_get('/stripped?format=html');
is(field($again, 'Detemplate'), 'bypass; reason=no-transform',
    'status in a stripped location');
is(faults(body($again)), '', 'status in a stripped location is valid');

# in a text browser

SKIP: {
    skip 'no w3m', 3 if !on_path('w3m');

    local $ENV{HOME} = $t->testdir();
    my $seen = `w3m -dump -cols 200 http://127.0.0.1:@{[$t->port(0)]}/status`;

    like($seen, qr/^ *site\.test +\d+\.\d % +1 +\d+(?: \w+)? +learned /m,
        'w3m, site');
    like($seen, qr/^ *HIT +\d+ +\d+\.\d % *$/m, 'w3m, requests');
    like($seen, qr/^ *status +$happened{status} +\d+\.\d % *$/m,
        'w3m, reasons');
}

$t->done();

# the text of elements that any client shows

sub text ($markup) {
    my %named = (amp => '&', lt => '<', gt => '>', quot => '"');

    return $markup =~ s/<[^>]*>//gr =~ s/&(\w+);/$named{$1}/gr
        =~ s/^\s+|\s+$//gr;
}

# the cells of each row of each table

sub tables ($html) {
    return [ map {
        [ map {
            [ map { text($_) } m{<t[hd][ >].*?</t[hd]>}g ]
        } m{<tr>.*?</tr>}gs ]
    } $html =~ m{<table[^>]*>(.*?)</table>}gs ];
}

# errors in the page: elements that are not closed or overlap, unescaped text,
# a missing end

sub faults ($html) {
    my (@open, @faults);

    $html =~ s{\A<!DOCTYPE html>\n}{} or push @faults, 'no doctype';
    $html =~ s{<style>.*?</style>}{}s;

    my $attribute = qr/ [a-z-]+="[^"<]*"/;

    while ($html =~ m{\G(?:<(/?)([a-z0-9]+)$attribute*>|([^<]+))}gc) {
        my ($end, $name, $rest) = ($1, $2, $3);

        if (defined $rest) {
            push @faults, "bare $&" if $rest =~ /[>"]|&(?!\w+;)/;

        } elsif ($end) {
            my $last = pop(@open) // 'nothing';
            push @faults, "$name closes $last" if $last ne $name;

        } elsif ($name ne 'meta') {
            push @open, $name;
        }
    }

    push @faults, 'not understood at ' . substr $html, pos($html) // 0, 20
        if (pos($html) // 0) != length $html;
    push @faults, "open: @open" if @open;

    return join '; ', @faults;
}
