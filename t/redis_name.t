#!/usr/bin/perl

# Copyright (C) The detemplate authors

# Redis by a host name, which is looked up at each connect.  nginx starts even
# if the name is unknown.

use Test::Detemplate;

my $t = Test::Detemplate->new();

$t->answers(1, sub ($uri, @) {
    return $uri =~ m{^/p(\d)\.html} && response(page($1));
});

$t->redis(2, '--requirepass', 'topsecret');

# localhost may also be [::1], where this server does not listen

configure('localhost');
$t->run();

ok($t->learn('/p3.html', host => 'first.test'), 'a name, learned');
soon { redis('EXISTS', 'localhost:{first.test}:template') }
    'a name, published', 5;
is($t->said('redis'), 0, 'a name, nothing is logged');

# the next name is unknown

configure('no.invalid');
ok(replaced(1), 'reload, another manager');

ok($t->learn('/p3.html', host => 'second.test'), 'unknown, learned');
soon { $t->said('redis is away') } 'unknown, logged';
is(scalar $t->log_lines(qr/redis is away.*redis no\.invalid:\d+: host: /), 1,
    'unknown, once, and why');
is($t->said('topsecret'), 0, 'unknown, password is not logged');
is_deeply(redis('KEYS', '*second.test*'), [], 'unknown, not published');

# back to the first name

configure('localhost');
ok(replaced(2), 'second reload, another manager');

ok($t->learn('/p3.html', host => 'third.test'), 'known again, learned');
soon { redis('EXISTS', 'localhost:{third.test}:template') }
    'known again, published', 5;

$t->done();

sub configure ($name) {
    $t->configure(
        name => 'any.test',
        origin => 1,
        server => 'detemplate_site $host;',
        http => "detemplate_redis redis://:topsecret\@$name:%%PORT_2%%/0
            prefix=$name:;",
    );
}

# reloads for the n-th time and waits until the previous manager has ended

sub replaced ($n) {
    $t->reload();

    return wait_for(sub {
        my @gone = $t->read_file('error.log')
            =~ /cache manager process \d+ exited/g;

        return @gone >= $n;
    }, 15);
}

sub redis { $t->redis_says(2, 'AUTH topsecret', \@_) }
