#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Other filter modules, loaded before or after ours: brotli compresses the
# rewritten page, and what njs makes of a page is scanned each time.

use Test::Detemplate;

my %brotli = (
    pages => [
        '/br/' => '
            brotli on;
            brotli_min_length 0;
            gzip on;
            gzip_min_length 0;
            gzip_vary on;',
    ],
    locations => [
        '/br-proxy/' => '
            brotli on;
            brotli_min_length 0;
            gzip_vary on;
            proxy_pass %%HTTP_1%%/;',
    ],
);

my %njs = (
    http => 'js_import other from %%TESTDIR%%/other.js;',
    pages => [
        '/js/' => 'js_body_filter other.word; sendfile off;',
        '/js-gzip/' => '
            js_body_filter other.word;
            gzip on;
            gzip_min_length 0;',
    ],
    locations => [

        # one URL that only some clients get through njs

        '/js-some/' => '
            if ($http_x_word) {
                rewrite ^/js-some/(.*) /js/$1 last;
            }
            rewrite ^/js-some/(.*) /$1 last;',
        '/js-proxy/' => '
            js_header_filter other.longer;
            js_body_filter other.long;
            proxy_pass %%HTTP_1%%/;',
    ],
);

my $script = <<'END';
function word(r, data, flags) {
    r.sendBuffer(data.replace(/almond/g, r.headersIn['X-Word']), flags);
}

function longer(r) {
    delete r.headersOut['Content-Length'];
}

function long(r, data, flags) {
    r.sendBuffer(data.replace(/almond/g, 'bitter almond'), flags);
}

export default { word, longer, long };
END

my ($t, $r);

# starts nginx and learns its site

sub site (%conf) {
    $conf{http} = join ' ', 'detemplate_loads 5; sendfile on;',
        $conf{http} // '';
    $t->configure(%conf, servers => [{ listen => [1], mode => 'off' }]);

    $t->pages('html');
    $t->write_file('html/p9.html',
        page(9) =~ s{(?<=</h1>\n)<p>}{<p>almond }r);
    $t->write_file('html/long.html',
        page(9) =~ s{(</h1>)(.*)(</main>)}{$1 . $2 x 1000 . $3}esr);

    $t->run();

    $t->learn('/p3.html') or BAIL_OUT('nothing was learned');
    http_get("/p$_.html") for 4 .. 8;
    $t->idle();
}

# header and decoded body, for a client that accepts these codings

sub decoded ($uri, $codings, @fields) {
    open my $curl, '-|', 'curl', '-s', '-i', '--compressed', '-m', 10,
        map({ ('-H', $_) } 'Host: site.test', "Accept-Encoding: $codings",
            @fields), 'http://127.0.0.1:' . $t->port(0) . $uri
        or return '';
    binmode $curl;
    local $/;

    return <$curl> // '';
}

# curl decodes chunks, but keeps the fields that announce them

sub text { (split /\r\n\r\n/, $_[0], 2)[1] // '' }

sub brotli_site ($order) {
    site(%brotli);

    for my $uri (map { ("/br/$_.html", "/br-proxy/$_.html") } 'p9', 'long') {
        my ($page) = $uri =~ m{([^/]*)$};
        my $strip = body(http_get("/$page"));
        my $name = "brotli $order, $uri";

        isnt($strip, $t->read_file("html/$page"), "$name, stripped");
        is(body(http_get($uri)), $strip, "$name, without coding");

        $r = decoded($uri, 'br, gzip');
        ok(text($r) eq $strip, "$name, body") or diag(substr $r, 0, 600);

        is(field($r, 'Content-Encoding'), 'br', "$name, coding");
        is(field($r, 'Vary'), 'Accept-Encoding', "$name, vary");
        is(field($r, 'Content-Length'), '', "$name, length");
        like(field($r, 'ETag'), qr{^W/"dt-}, "$name, tag");
        like(field($r, 'Detemplate'), qr/^hit/, "$name, field");

        $r = decoded($uri, 'br', 'If-None-Match: ' . field($r, 'ETag'));
        is(status_of($r), 304, "$name, 304");

        $r = http_head($uri, fields => ['Accept-Encoding: br']);
        like(field($r, 'Detemplate'), qr/^hit/, "$name, HEAD");
    }

    $r = decoded('/br/p9.html', 'gzip');
    is(field($r, 'Content-Encoding'), 'gzip', "brotli $order, gzip");
    is(text($r), body(http_get('/p9.html')), "brotli $order, gzip, body");
}

sub njs_site ($order) {
    $t->write_file('other.js', $script);
    site(%njs);

    my $strip = body(http_get('/p9.html'));

    # The same length and validators as before.  With sendfile, njs sees the
    # bytes of a file only if it is compressed afterwards.

    for my $case ([ 'js', 'butter' ], [ 'js', 'cheese' ],
        [ 'js-gzip', 'butter' ])
    {
        my ($at, $word) = @$case;
        my $name = "njs $order, $at, $word";

        $r = text(decoded("/$at/p9.html", 'gzip', "X-Word: $word"));
        like($r, qr/<p>$word /, $name);
        unlike($r, qr/almond/, "$name, each");

        is($r, $strip =~ s/almond/$word/gr, "$name, body");
    }

    # the first clients get the page as it is in its file

    for my $word ('', 'butter', '', 'butter') {
        for (1 .. 5) {
            $r = text(decoded('/js-some/p9.html', '',
                $word ? "X-Word: $word" : ()));
        }

        is($r, $word ? $strip =~ s/almond/$word/gr : $strip,
            "njs $order, some, " . ($word || 'none'));
    }

    for (1 .. 3) {
        $r = http_get('/js-proxy/p9.html');
        is(body($r), $strip =~ s/almond/bitter almond/gr,
            "njs $order, longer");
    }
}

for my $order ('before', 'behind') {
    SKIP: {
        $t = Test::Detemplate->new();

        skip('no brotli in curl', 1) if !curl_has(qr/ brotli/);
        skip('no brotli for this nginx', 1)
            if !$t->beside($order eq 'behind',
                'ngx_http_brotli_filter_module');

        brotli_site($order);
        $t->no_alerts();
    }

    SKIP: {
        $t = Test::Detemplate->new();

        skip('no njs for this nginx', 1)
            if !$t->beside($order eq 'behind', 'ngx_http_js_module');

        njs_site($order);
        $t->no_alerts();
    }
}

done_testing();
