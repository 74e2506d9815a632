#!/usr/bin/perl

# Copyright (C) The detemplate authors

# The monitoring examples in conf-examples/: each alert fires when it should
# and not before, and a real Prometheus that reads a real nginx answers each
# query of the dashboard.

use Test::Detemplate;

for my $program (qw/ prometheus promtool /) {
    plan skip_all => "no $program"
        if !on_path($program);
}

my $examples = "$TOP/conf-examples";
my $rules = "$examples/prometheus-rules.yml";
my $t = Test::Detemplate->new();
my $d = $t->testdir();
my $p = 'nginx_detemplate';

# the alerts: series of counters in steps of a minute, after two hours, and the
# alerts that fire

my @alerts = (
    [ 'LearningFails',
        { "learned_total{%s,result=\"failed\"}" => '0+1x120',
          "learned_total{%s,result=\"done\"}" => '5x120' },
        { "learned_total{%s,result=\"failed\"}" => '0+1x120',
          "learned_total{%s,result=\"done\"}" => '5+1x120' } ],
    [ 'SiteUnlearned',
        { "sites_without_template{%s}" => '0x30 1x90' },
        { "sites_without_template{%s}" => '0x10 1x50 0x10 2x50' } ],
    [ 'QueueStands',
        { "learning{%s,state=\"queued\"}" => '1x120',
          "learned_total{%s,result=\"done\"}" => '5x120' },
        { "learning{%s,state=\"queued\"}" => '1x120',
          "learned_total{%s,result=\"done\"}" => '0+1x120' } ],
    [ 'QueueLong',
        { "learning{%s,state=\"queued\"}" => '65x120',
          "learned_total{%s,result=\"done\"}" => '0+1x120' },
        { "learning{%s,state=\"queued\"}" => '64x120',
          "learned_total{%s,result=\"done\"}" => '0+1x120' } ],
    [ 'ZoneFull',
        { "evicted_total{%s}" => '0+1x120' },
        { "evicted_total{%s}" => '7x120' } ],
    [ 'Memory',
        { "reasons_total{%s,reason=\"memory\"}" => '0+1x120' },
        { "reasons_total{%s,reason=\"memory\"}" => '7x120',
          "reasons_total{%s,reason=\"type\"}" => '0+9x120' } ],
    [ 'Guard',
        { "requests_total{%s,status=\"guard\"}" => '0+10x120',
          "requests_total{%s,status=\"hit\"}" => '0+90x120' },
        { "requests_total{%s,status=\"guard\"}" => '0+4x120',
          "requests_total{%s,status=\"hit\"}" => '0+96x120' } ],
    [ 'RedisAway',
        { "redis_connected{%s}" => '1x10 0x110' },
        { "redis_connected{%s}" => '1x120',
          "redis_total{%s,result=\"failed\"}" => '0+1x120' } ],
    [ 'SnapshotsRefused',
        { "snapshots_total{%s,result=\"refused\"}" => '0+1x120' },
        { "snapshots_total{%s,result=\"refused\"}" => '1x120',
          "snapshots_total{%s,result=\"taken\"}" => '0+1x120' } ],
);

my $text = slurp($rules);
my @named = $text =~ /- alert: Detemplate(\w+)/g;

is(join(' ', sort @named), join(' ', sort map { $_->[0] } @alerts),
    'alerts, all are tested');

for my $case (@alerts) {
    my ($name, $bad, $good) = @$case;

    is(fires($bad), $name, "$name, fires alone");
    is(fires($good), '', "$name, does not fire");
}

$t->configure(
    status => 0,
    http => 'detemplate_redis redis://127.0.0.1:%%PORT_2%%;',
    locations => [
        '= /detemplate-status' => 'detemplate off; detemplate_status;',
    ],
);

$t->write_file_expand('prometheus.yml', <<"END");
global:
  scrape_interval: 500ms
  evaluation_interval: 500ms
rule_files: [ '$rules' ]
scrape_configs:
  - job_name: detemplate
    metrics_path: /detemplate-status
    static_configs:
      - targets: [ '127.0.0.1:%%PORT_0%%' ]
END

$t->redis(2);
$t->pages('html')->run();

$t->fork_child('prometheus', "--config.file=$d/prometheus.yml",
    "--storage.tsdb.path=$d/prometheus", '--log.level=error',
    '--web.listen-address=127.0.0.1:' . $t->port(1));
ok($t->waitforsocket($t->port(1)), 'prometheus') or BAIL_OUT('no prometheus');

ok($t->learn('/p3.html'), 'learned');

# an event of another machine

$t->redis_says(2, 'MULTI', 'XADD dt:events * site site.test version 0 '
    . 'learned_at 0 do relearn by another added 0 redesign 0', 'EXEC');

# a rate needs two different samples

for my $moves ('requests_total{status="hit"}',
    'reasons_total{reason="status"}')
{
    soon {
        http_get("/$_.html") for qw/ p3 none /;
        return scalar @{query("rate(${p}_$moves\[10s]) > 0")};
    } "asked, $moves", 30;
}

my @groups = map { @{$_->{rules}} }
    @{api('/api/v1/rules')->{data}{groups}};

is(scalar(grep { $_->{health} ne 'ok' } @groups), 0, 'rules, all evaluated')
    or diag(explain(\@groups));
cmp_ok(scalar @groups, '>', @named, 'rules exist');

my $dashboard = decode_json(slurp("$examples/grafana-dashboard.json"));
my $queries = 0;

for my $panel (@{$dashboard->{panels}}) {
    for my $target (@{$panel->{targets}}) {
        my $expr = $target->{expr} =~ s/\$instance/.*/gr
            =~ s/\$__rate_interval/10s/gr;
        my $rows = query($expr);
        my ($legend) = $target->{legendFormat} =~ /\{\{(\w+)\}\}/;

        $queries++;
        cmp_ok(scalar @$rows, '>', 0, "dashboard, $panel->{title}")
            or diag($expr);
        ok(!grep({ !defined $_->{metric}{$legend} } @$rows),
            "dashboard, $panel->{title}, legend") if defined $legend;
        ok(!grep({ $_->{value}[1] eq 'NaN' } @$rows),
            "dashboard, $panel->{title}, numbers");
    }
}

cmp_ok($queries, '>', 9, 'dashboard, queries');

my ($variable) = grep { $_->{type} eq 'query' }
    @{$dashboard->{templating}{list}};
my ($metric) = $variable->{query}{query} =~ /^label_values\((\w+), instance\)/;
is(scalar @{query($metric)}, 1, 'dashboard, machines');

# each metric is used by an alert or a query

my %metrics = map { $_ => 1 } body(http_get('/detemplate-status'
    . '?format=prometheus')) =~ /^# TYPE (\w+)/mg;
my $seen = $text . slurp("$examples/grafana-dashboard.json");

is(join(' ', grep { $seen !~ /\b$_\b/ } sort keys %metrics), '',
    'metrics, all are used');

is(join(' ', grep { !$metrics{$_} }
    sort keys %{{ map { $_ => 1 } $seen =~ /(?<!:)\b(${p}_\w+)/g }}), '',
    'metrics, no unknown ones are used');

$t->write_file('metrics', body(http_get('/detemplate-status'
    . '?format=prometheus')));
is(`promtool check metrics <$d/metrics 2>&1`, '',
    'promtool accepts the metrics');

$t->done();

# the names of the alerts that fire with these series, from promtool

sub fires ($series) {
    my $yaml = "rule_files: [ '$rules' ]\nevaluation_interval: 1m\n"
        . "tests:\n  - interval: 1m\n    input_series:\n";

    for my $name (sort keys %$series) {
        $yaml .= "      - series: '${p}_" . sprintf($name, 'instance="a"')
            . "'\n        values: '$series->{$name}'\n";
    }

    # promtool prints what it got if told to expect something else

    $yaml .= "    promql_expr_test:\n"
        . "      - expr: 'count by (alertname)"
        . " (ALERTS{alertstate=\"firing\"})'\n        eval_time: 119m\n"
        . "        exp_samples: [ { labels: 'none{}', value: 0 } ]\n";

    $t->write_file('rules-test.yml', $yaml);
    my $out = `promtool test rules $d/rules-test.yml 2>&1`;
    my ($got) = $out =~ /got:(.*)/s or return "not understood: $out";

    return join ' ', $got =~ /alertname=\\?"Detemplate(\w+)/g;
}

sub api ($uri) {
    return decode_json(body(http_get($uri, port => $t->port(1))));
}

sub query ($expr) {
    my $answer = api('/api/v1/query?query='
        . $expr =~ s/([^\w.-])/sprintf '%%%02x', ord $1/ger);

    diag("$expr: $answer->{error}") if $answer->{status} ne 'success';

    return $answer->{data}{result} || [];
}
