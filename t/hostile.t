#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Sites without a template, and pages made to do harm.  The client gets the
# bytes of the origin, the log has one line with the reason, a counter counts
# it, and every learner ends.

use Socket qw/ SOL_SOCKET SO_LINGER /;
use Test::Detemplate;

my $t = Test::Detemplate->new();

# the learner is sent to other addresses than those with the pages

my @elsewhere = map {
    { name => "$_.test", server => "detemplate_origin %%HTTP_1%%/$_;" }
} qw/ reset slow half garbage /;

$t->configure(
    http => '
        detemplate_learners 8;
        detemplate_hold 16m;
        detemplate_site $host;
        detemplate_learn public;
        proxy_http_version 1.1;',
    origin => 1,
    servers => [
        # an origin where nothing listens
        {
            name => 'dead.test',
            locations => ['/' => 'proxy_pass %%HTTP_3%%;'],
        },
        { name => 'down.test', server => 'detemplate_origin %%HTTP_3%%;' },
        @elsewhere,
    ],
);

$t->pages('html');

my %hostile = (
    'deep' => '<!DOCTYPE html><title>t</title>' . '<div>' x 200000,
    'attributes' => '<!DOCTYPE html><title>t</title><p '
        . join(' ', map { "a$_=\"$_\"" } 1 .. 200000) . '>text</p>',
    'same-attribute' => '<!DOCTYPE html><title>t</title><p '
        . 'a=b ' x 200000 . '>text</p>',
    'unclosed' => '<!DOCTYPE html><html><head><title>t</title><body>'
        . '<table><tr><td><p><b><i><font><a href="/p2.html"><select><option>'
        x 2000 . '<!-- <script> <textarea> <svg> "',
    'in-tag' => '<!DOCTYPE html><title>t</title><p><a href="' . 'x' x 300000,
    'in-comment' => '<!DOCTYPE html><title>t</title><p>a<!--' . '-' x 300000,
    'formatting' => '<!DOCTYPE html><title>t</title><p>' . '<b><i></p><p>'
        x 20000,
    'end-tags' => '<!DOCTYPE html><title>t</title>' . '</div></p></br>'
        x 30000,
    'tables' => '<!DOCTYPE html><title>t</title>' . '<table><td>x' x 20000,
    'tables-in-a-row' => '<!DOCTYPE html><title>t</title>'
        . '<table>x' x 20000,
    'nul' => "<!DOCTYPE html>\0<ti\0tle>\0</title>\0<p\0 a\0=\"\0\">\0text"
        . "\0" x 1000 . "</p><\0/p>\0<a href=\"/p2\0.html\">\0</a>",
    'binary' => join('', map { chr(($_ * 7919 >> 3) & 255) } 1 .. 50000),
    'nothing' => '',
    'one-byte' => '<',
);

my $long = page(3) =~ s{<main>}{'<main>' . join '', map {
    "<p>Paragraph $_ of a text that goes on and on.</p>\n"
} 1 .. 65000}er;

# paths of links, and what they return

my %site = (
    'no-links' => sub { () },
    'to-itself' => sub { ('/p1.html', '/p1.html#top', './p1.html') },
    'off-site' => sub { map { "http://other.test/$_.html" } 1 .. 3 },
    'not-found' => sub { map { "/404/$_.html" } 1 .. 3 },
    'redirects' => sub { map { "/away/$_.html" } 1 .. 3 },
    'loops' => sub { map { "/loop/$_.html" } 1 .. 3 },
    'acting' => sub { map { "/go/$_.html" } 1 .. 3 },
    'not-html' => sub { map { "/picture/$_" } 1 .. 3 },
    'huge' => sub { map { "/huge/$_.html" } 1 .. 3 },
    'private' => sub { map { "/private/$_.html" } 1 .. 3 },
    'resets' => sub { map { "/torn/$_.html" } 1 .. 3 },
    'cut' => sub { map { "/half/$_.html" } 1 .. 3 },
    'same' => sub { map { "/same/$_.html" } 1 .. 3 },
    'nearly-same' => sub { map { "/nearly-same/$_.html" } 1 .. 3 },
    'log-in' => sub { map { "/members/$_.html" } 1 .. 3 },
    'log-in-and-back' => sub { map { "/members/back/$_.html" } 1 .. 3 },
    'slow' => sub { ('/slow/1.html') },
    'endless' => sub { ('/endless/1.html') },
    'again' => sub { '/404/1.html' },
    'mixed' => sub {
        (map({ "/hostile/$_.html" } sort keys %hostile),
            map { "/p$_.html" } 2 .. 8);
    },
);

# what the first folder of a URI makes of it

my %folders = (
    hostile => sub ($uri, @) { page_of($uri =~ m{^/hostile/(.+)\.html$}
        ? $hostile{$1} : die) },
    within => sub ($uri, @) { response(within($uri =~ m{^/within/(.+)\.html$}
        ? $1 : die)) },
    404 => sub { response(page(2), '404 Not Found') },
    away => sub ($uri, @) { moved("http://other.test$uri") },
    loop => sub ($uri, @) { moved("${uri}l") },
    go => sub ($uri, @) { moved("/logout?from=$uri") },
    picture => sub { response(page(2), 'Content-Type: image/png') },
    private => sub { response(page(2), 'Set-Cookie: a=b') },
    half => sub { substr response(page(2)), 0, -length(page(2)) / 2 },
    garbage => sub { $hostile{binary} },
    same => sub ($uri, $host) { response(key_page($host)) },
    'nearly-same' => sub ($uri, $host) {
        response(key_page($host) =~ s/Page 1/$uri/r)
    },
    members => sub ($uri, @) {
        my $to = $uri =~ /back/ ? $uri : '/';

        return response('<!DOCTYPE html><title>Members</title>'
            . "<body><form action=\"/enter?to=$to\"><p>Please tell us who you "
            . 'are.</p><input name="name"><input type="submit"></form>'
            . '</body>');
    },
);

# those that take time, or end otherwise

my %endings = (
    huge => [ 0, (page(2) x 100) x 100 ],
    slow => [ 0.1, split //, page(2) ],
    endless => [ 0.1, page(2), ("<p>and on it goes</p>\n" x 100) x 200 ],
);

$t->write_file('asked', '');
$t->origin(1, \&answer);
$t->run();

# versions of libcurl have different words for an incomplete body

my $short = qr/(?:transfer closed|end of response) with \d+ bytes/;

# some pages are refused only where the machine is slow

my $limit = qr/key-page: page exceeds a limit/;
my $slow = qr/no-links|$limit/;

# sites without a template, and the log line of each

for my $case (
    [ 'no-links', qr/no-links/, 'no links' ],
    [ 'to-itself', qr/no-links/, 'links to itself' ],
    [ 'off-site', qr/no-links/, 'links to another site' ],
    [ 'not-found', qr/no-candidates: HTTP status 404/, 'links to 404' ],
    [ 'redirects', qr/no-candidates: redirected to another site/,
        'redirects off the site' ],
    [ 'loops', qr/no-candidates: too many redirects/, 'redirects in circles' ],
    [ 'acting',
        qr/no-candidates: redirected to a page that is not learned from/,
        'redirects to what acts' ],
    [ 'not-html', qr/no-candidates: not HTML/, 'links to pictures' ],
    [ 'huge', qr/no-candidates: body too large/, 'links to huge pages' ],
    [ 'private', qr/no-candidates: sent Set-Cookie/, 'private pages' ],
    [ 'resets', qr/no-candidates: HTTP status 502/, 'links that are reset' ],
    [ 'cut', qr/no-candidates: $short/, 'links to half a page' ],
    [ 'same', qr/no-candidates: same page as one that was loaded/,
        'one page behind each link' ],
    [ 'nearly-same', qr/no-template/, 'nearly one page behind each link' ],
    [ 'log-in', qr/no-template/, 'a login page behind each link' ],
    [ 'log-in-and-back', qr/no-template/, 'a login page for each link' ],

    [ 'down.test', qr/key-page: Failed to connect/, 'origin is down' ],
    [ 'reset.test', qr/no-candidates: Recv failure/, 'origin resets' ],
    [ 'half.test', qr/key-page: .*$short/, 'origin sends half a page' ],
    [ 'garbage.test', qr/no-candidates: Received HTTP/,
        'origin sends garbage' ],

    [ 'deep', $limit, 'key page, 1 MB of div' ],
    [ 'attributes', $limit, 'key page, 200,000 attributes' ],
    [ 'same-attribute', $slow, 'key page, 200,000 times one attribute' ],
    [ 'unclosed', $limit, 'key page, nothing closed' ],
    [ 'formatting', $limit, 'key page, formatting elements' ],
    [ 'tables', $limit, 'key page, tables' ],
    [ 'tables-in-a-row', $slow, 'key page, tables in a row' ],
    [ 'nul', qr/no-candidates/, 'key page, NUL bytes' ],
    [ 'binary', qr/no-links/, 'key page, binary' ],
    [ 'end-tags', qr/no-links/, 'key page, end tags' ],
    [ 'in-tag', qr/no-links/, 'key page, ends in a tag' ],
    [ 'in-comment', qr/no-links/, 'key page, ends in a comment' ],
    [ 'nothing', qr/no-links/, 'key page, empty' ],
    [ 'one-byte', qr/no-links/, 'key page, one byte' ],
) {
    no_template(@$case);
}

# these take time, so they run at once

no_templates(
    [ 'slow', qr/no-candidates: .*timed out/, 'a slow page' ],
    [ 'endless', qr/no-candidates: .*timed out/, 'an endless page' ],
    [ 'slow.test', qr/key-page: .*timed out/, 'origin is slow' ],
);

# nothing listens: there is nothing to learn from nginx's own error page

my $failed = $t->learning('failed');
my ($r, $body);

$r = http_get('/p1.html', host => 'dead.test');
is(status_of($r), 502, 'no origin, response of nginx');
is(field($r, 'Detemplate'), 'bypass; reason=status', 'no origin, reason');
is($t->learning('queued'), 0, 'no origin, nothing queued');

# back-off

no_template('again', qr/no-candidates/, 'again');
is(asked('acting'), 4,
    'redirects to pages with side effects are not followed');
my $asked = asked('again');
cmp_ok($asked, '<=', 5, 'back-off, what was requested');

is(join(' ', map {
    field(http_get('/p1.html', host => 'again'), 'Detemplate')
        =~ s/.*reason=//r;
} 1 .. 10), join(' ', ('backoff') x 10), 'again, not learned at once');
is(asked('again'), $asked, 'back-off, not requested again');
is($t->learning('failed'), $failed + 1, 'back-off, failed once');

# a template is learned although some links fail

ok($t->learn('/p1.html', host => 'mixed'), 'good and bad links, learned');
$body = body(http_get('/p3.html', host => 'mixed'));
is($body, stripped(page(3)), 'good and bad links, page');

# pages of a site with a template: passed unchanged, or without the template

$t->learn('/p3.html', host => 'good') or BAIL_OUT('nothing was learned');
is(body(http_get('/p3.html', host => 'good')), stripped(page(3)), 'stripped');

my %reason = ('deep' => 'too-deep', 'tables' => 'too-deep');

for my $name (sort keys %hostile) {
    my $reason = $reason{$name} || 'no-match';
    my $counted = $t->counted($reason);

    $r = http_get("/hostile/$name.html", host => 'good');
    ok(body($r) eq $hostile{$name}, "$name, unchanged");

    # body filters never see an empty body

    my @lines = $t->log_lines(
        qr{passed: .*/hostile/$name\.html .*host: "good"});
    is(@lines, 1, "$name, one line in the log");
    like($lines[0], qr/passed: $reason /, "$name, reason in the log");
    is($t->counted($reason), $counted + 1, "$name, counted");

    # hostile bytes between a header and a footer

    my $whole = within($name);

    $body = body(http_get("/within/$name.html", host => 'good'));
    ok(index($body, "<main>$hostile{$name}") > 0,
        "$name in a page, content is whole");
    ok(subsequence($body, $whole), "$name in a page, a subsequence");
}

cmp_ok(length $long, '>', 3 << 20, 'long page');
$body = body(http_get('/long.html', host => 'good'));
ok($body eq stripped($long), 'long page, stripped');
ok(body(http_get('/long.html', host => 'long')) eq $long,
    'long page, unchanged before there is a template');
ok($r = $t->learn('/long.html', host => 'long'), 'long key page, learned');
ok(body($r) eq stripped($long), 'long key page, stripped');

# all learners have ended on their own

soon {
    my $learning = $t->status_json()->{learning};
    return $learning->{queued} + $learning->{running} == 0;
} 'all learners ended', 30;
is(scalar($t->log_lines(qr/ended by signal|crashed|no-answer/)), 0,
    'no learner was killed');
like(detemplate('/p3.html', host => 'good'), qr/^hit/,
    'site still has its template');

$t->done();

# requests key pages until their sites are given up

sub no_template { no_templates([ @_ ]) }

sub no_templates {
    my @cases = @_;
    my $failed = $t->learning('failed');

    for my $case (@cases) {
        my ($host, undef, $title) = @$case;

        ok(body(http_get('/p1.html', host => $host)) eq key_page($host),
            "$title, page unchanged");
    }

    soon {
        $t->learning('failed') >= $failed + @cases;
    } "$cases[0][2], given up", 30;

    my $learning = $t->status_json()->{learning};
    is($learning->{failed}, $failed + @cases, "$cases[0][2], counted");
    is($learning->{queued} + $learning->{running}, 0,
        "$cases[0][2], learner has ended");

    for my $case (@cases) {
        my ($host, $reason, $title) = @$case;
        my @lines = $t->log_lines(qr/no template for "\Q$host\E":/);

        is(@lines, 1, "$title, one line in the log");
        like($lines[0], qr/: $reason/, "$title, reason in the log");

        my $r = http_get('/p1.html', host => $host);
        is(field($r, 'Detemplate'), 'miss; reason=backoff',
            "$title, backs off");
        ok(body($r) eq key_page($host), "$title, page still unchanged");
    }
}

# how often a learner requested pages of a site

sub asked ($host) {
    return scalar grep { /^\Q$host\E .* learner$/ } split /\n/,
        $t->read_file('asked');
}

# a page without the shared header and footer

sub stripped ($page) {
    $page =~ s{<$_ .*</$_>}{}s for qw/ header aside /;
    $page =~ s{<footer>.*</footer>}{}s;

    return $page;
}

# something hostile between a header and a footer

sub within ($name) {
    return page(3) =~ s{<main>.*</main>}{<main>$hostile{$name}</main>}sr;
}

sub key_page ($host) {
    return $hostile{$host} if defined $hostile{$host};
    return page(1) if !$site{$host};

    my $links = join '', map { "<li><a href=\"$_\">$_</a></li>\n" }
        $site{$host}->();

    return page(1) =~ s{<ul>.*</ul>}{<ul>\n$links</ul>}sr
        =~ s{<a href="/p1.html">(.*?)</a>}{$1}r;
}

sub moved ($to) { response('', '302 Found', "Location: $to") }

# an empty page is one, too

sub page_of ($page) { response($page, '200 OK', 'Content-Type: text/html') }

sub answer ($s, $request) {
    my ($uri) = $request =~ m{^\S+ (\S+)} or return;
    my ($host) = $request =~ /^Host: (\S+?)\r?$/mi;
    my ($dir) = $uri =~ m{^/([^/]+)/};

    $t->append_file('asked', "$host $uri "
        . ($request =~ /^User-Agent: detemplate/mi ? 'learner' : 'client')
        . "\n");

    if ($uri eq '/p1.html') {
        print $s page_of(key_page($host));

    } elsif ($uri =~ m{^/p(\d)\.html$|^/long\.html$}) {
        print $s response($1 ? page($1) : $long);

    } elsif (($dir // '') =~ /^(?:reset|torn)$/) {
        setsockopt $s, SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0;

    } elsif (my $ending = $endings{$dir // ''}) {
        my ($pause, @parts) = @$ending;

        print $s head();

        for my $part (@parts) {
            print $s $part or last;
            select undef, undef, undef, $pause;
        }

    } else {
        print $s $folders{$dir // 404}->($uri, $host);
    }
}
