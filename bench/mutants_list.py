# Copyright (C) The detemplate authors
"""Changes that a test must catch, one at a time, for bench/mutants.

Each has a name, what it does, its cut (cuts.py), and the tests that are to
catch it: names of t/core (test_rules) or t (redis.t).
"""

import collections
import os
import re

from accuracy_cuts import CUTS
from cuts import TOP

Mutant = collections.namedtuple("Mutant", "name about tests cut")

DECIDE = "core/rules/decide.c"
QUORUM = "core/rules/quorum.c"
EVIDENCE = "core/rules/evidence.c"
GLUE = "ngx_module/ngx_http_detemplate_"
RULES = ("test_rules",)


def one(file, old, new):
    return [(file, old, new)]


MUTANTS = [
    Mutant("aside", "links in nav and aside: all places around count", RULES,
           one(DECIDE, "if ((e->flags & DT_PATTERN_LINKS) "
               "&& (e->flags & DT_PATTERN_ASIDE)) {", "if (0) {")),
    Mutant("near", "links: all places around count, not only the nearest",
           RULES, CUTS["near"]),
    Mutant("detected", "the detector's word is ignored", RULES,
           one(DECIDE, "if (!(e->flags & DT_PATTERN_DETECTED)) {",
               "if (1) {")),
    Mutant("share-text", "what is not links: any part of all pages", RULES,
           one(DECIDE, "    if (!links\n        && votes",
               "    if (0\n        && votes")),
    Mutant("words-calm", "calm places: least words as in others", RULES,
           one(DECIDE, "return calm || links ? 0 : rules->words;",
               "return links ? 0 : rules->words;")),
    Mutant("words-links", "links: least words as of other things", RULES,
           one(DECIDE, "return calm || links ? 0 : rules->words;",
               "return calm ? 0 : rules->words;")),
    Mutant("varied-links", "links in calm places may not vary", RULES,
           one(DECIDE, "if ((e->flags & DT_PATTERN_VARIES) "
               "&& !(calm && links)) {",
               "if (e->flags & DT_PATTERN_VARIES) {")),
    Mutant("varied-calm", "links may vary everywhere", RULES,
           one(DECIDE, "if ((e->flags & DT_PATTERN_VARIES) "
               "&& !(calm && links)) {",
               "if ((e->flags & DT_PATTERN_VARIES) && !links) {")),
    Mutant("quorum-aside", "links in nav and aside: directories count", RULES,
           one(DECIDE, "dir = links && (e->flags & DT_PATTERN_ASIDE)",
               "dir = 0")),
    Mutant("shape-main", "shapes: in main and article as well", RULES,
           one("core/rules/shapes.c", "|| e[i].flags & DT_PATTERN_MAIN", "")
           + one(EVIDENCE, "    } else if (!(shapes & DT_SHAPE_MAIN)) {",
                 "    }\n\n    if (!(shapes & DT_SHAPE_MAIN)) {")),
    Mutant("shape-links", "shapes: navigation of any page", RULES,
           one("core/rules/shapes.c", "shape & DT_SHAPE_NAV && links",
               "shape & DT_SHAPE_NAV && links != 1")),
    Mutant("shape-inline", "shapes: parts of lines", RULES,
           one("core/scan/shape.c",
               "if (!(dt_tag_find(t->name)->flags & DT_TAG_SPECIAL)) {",
               "if (0) {")),
    Mutant("shape-unsound", "shapes: what a parser may see otherwise", RULES,
           one("core/scan/shape.c", "(DT_OPEN_UNSOUND | DT_OPEN_GLUED)",
               "DT_OPEN_GLUED")),
    Mutant("hollow-support", "hollow elements: one page is enough", RULES,
           one("core/rules/write.c", "if (dt_rules_votes(s[i].pages, with) "
               ">= ev->rules.support) {", "if (1) {")),
    Mutant("grounds-pages", "text at a place: pages count, not votes", RULES,
           one(DECIDE, "repeated = dt_rules_votes(e[i].pages, with) "
               ">= ev->rules.support;",
               "repeated = (unsigned) __builtin_popcountll(e[i].pages)"
               " >= ev->rules.support;")),

    Mutant("quorum-share-text", "elsewhere: any part of all pages", RULES,
           one(QUORUM, "|| votes * 100 < dt_rules_votes(rest, with) "
               "* rules->share_text)", ")")),
    Mutant("quorum-share", "elsewhere: any part of those with the place",
           RULES, one(QUORUM, "             || votes * 100 < dt_rules_votes"
                      "(of & rest, with) * share\n", "")),
    Mutant("quorum-support", "inside a directory: one page is enough", RULES,
           one(QUORUM, "if (votes < ev->rules.support\n            || ",
               "if (")),
    Mutant("quorum-first", "the first directory, not the strongest", RULES,
           one(QUORUM, "&& here > most)", "&& most == 0)")),
    Mutant("quorum-last", "the last directory, not the strongest", RULES,
           one(QUORUM, "&& here > most)", ")")),
    Mutant("quorum-deepest", "the topmost of directories with the same pages",
           RULES, one(QUORUM, "for (k = DT_PAGE_DIRS; k-- > 0; /* void */) {",
                      "for (k = 0; k < DT_PAGE_DIRS; k++) {")),
    Mutant("quorum-smallest", "any directory that has all of the pages", RULES,
           one(QUORUM, "\n            && (ev->dirs[i].pages & ~in->pages) "
               "== 0", "")),
    Mutant("known-support", "a directory is known by one page",
           RULES, one(QUORUM, "if (n >= ev->rules.support) {",
                      "if (n) {")),

    Mutant("guard-half", "more than half of the pages must be left empty",
           RULES, one("core/rules/guard.c", ">= ev->rules.empty",
                      "> ev->rules.empty")),
    Mutant("guard-main", "main and article may be left empty", RULES,
           one("core/rules/guard.c",
               "    dt_guard_scope(ev, with, v, DT_PATTERN_MAIN, g);\n", "")),
    Mutant("alike-own", "a page that says nothing is a copy of each other",
           RULES,
           one("core/rules/alike.c", "(bare >> i ^ bare >> j) & 1", "0")),
    Mutant("alike-name", "pages of one name have a vote each",
           RULES + ("test_compile",),
           one("core/rules/alike.c",
               "share = share * 100 > rules->alike_name",
               "share = 0 && share * 100 > rules->alike_name")),
    Mutant("kind-main", "pages of a kind count everywhere", RULES,
           one("core/rules/kind.c",
               "return (e->flags & DT_PATTERN_MAIN)\n           &&",
               "return")),
    Mutant("kind-bare", "it is asked where there is main content", RULES,
           one("core/rules/kind.c", "bare = bare && ", "bare = 1 || ")),
    Mutant("kind-links", "what is not links may have many words", RULES,
           one("core/rules/kind.c", "!(links && e->words", "!(1 && e->words")),
    Mutant("evidence", "what a learning leaves that failed is lost",
           ("reach.t",),
           one(GLUE + "manager.c", "        work->evidence = 1;", "")),
    Mutant("sentence", "parts of a sentence are cut", ("test_scan",),
           one("core/scan/line.c", "return s->line != DT_LINE_NONE\n",
               "return 0\n")),
    Mutant("sentence-weak", "what stays leaves what it is joined to", RULES,
           one("core/scan/region.c",
               "*weak |= i < last && s->regions[i].weak;",
               "*weak = i < last && s->regions[i].weak;")),
    Mutant("sentence-around", "the line goes on before what it is in", RULES,
           one("core/scan/region.c",
               "while (first && first < s->nregions", "while (0")),
    Mutant("sentence-held", "a line is given out before its end", RULES,
           one("core/scan/region.c",
               "while (i && i < s->nregions && s->regions[i].joined)",
               "while (0)")),
    Mutant("sentence-long", "a line may be as long as it likes",
           ("test_rewrite",),
           one("core/scan/region.c",
               "if (s->line == DT_LINE_GONE && s->since < off)", "if (0)")),
    Mutant("sentence-known", "links go by their bytes", ("test_memo",),
           one("core/scan/memo.c", "!(e->state & DT_OPEN_LINE) && ", "")),
    Mutant("known-room", "what goes by its bytes takes no room",
           ("test_memo",),
           one("core/scan/memo.c", " || !dt_memo_fits(s, slot)", "")),
    Mutant("path-cut", "what is cut may have no parts that are not",
           ("test_compile",),
           one("core/scan/tree.c", "if (!s->alive\n        && dt_table_find",
               "if (1\n        && dt_table_find")),
    Mutant("score-up", "trees are walked to the other side",
           ("test_score",),
           one("core/rules/score.c", "(x[t->feature[n]] > t->most[n])",
               "(x[t->feature[n]] <= t->most[n])")),
    Mutant("gone", "what goes with an element counts as there",
           RULES,
           one("core/rules/guard.c",
               "            v[i].gone |= e[i].pages & v[up - e].cut;\n", "")),
    Mutant("newest-goes", "the newest page makes room", RULES
           + ("test_compile",),
           one(EVIDENCE, "ev->pages[i].loaded_at < ev->pages[slot].loaded_at",
               "ev->pages[i].loaded_at > ev->pages[slot].loaded_at")),
    Mutant("detected-parents", "an element around what is not template may be",
           RULES + ("test_detect", "test_compile"),
           one("core/rules/detected.c",
               "nodes[dom->nodes[k].parent] = 0;", ";")),
    Mutant("rewrite-guard", "four times the template of any page", RULES,
           one("core/template/serve.h", "DT_SERVE_TIMES 2",
               "DT_SERVE_TIMES 4")),
    Mutant("learn-tries", "no more tries while few pages are found",
           ("test_learn",),
           one("core/learn/learn.c", "? 2 * l->o->loads", "? 2 * enough")),

    Mutant("if-match-line", "If-Match goes to no upstream",
           ("filter_headers.t",),
           one(GLUE + "fields.c",
               "            && h != r->headers_in.if_match\n", "")),
    Mutant("if-match-tags", "If-Match keeps the tags that were sent",
           ("filter_headers.t",),
           one(GLUE + "fields.c",
               "match = ngx_http_detemplate_restore_tags(r, "
               "&r->headers_in.if_match,\n"
               "                                             suffix);",
               "match = NGX_DECLINED;")),
    Mutant("tag-bytes", "control bytes and spaces may stand in a tag",
           ("filter_headers.t",),
           one(GLUE + "fields.c", "if (*p <= ' ' || *p == 0x7f) {",
               "if (0) {")),
    Mutant("copy-refs", "a worker's copy goes while a response needs it",
           ("redis.t",),
           one(GLUE + "copies.c",
               "ngx_http_detemplate_template_release(t);",
               "ngx_free(t);")),
    Mutant("copy-trim", "a worker's copies are never dropped", ("redis.t",),
           one(GLUE + "copies.c",
               "++zone->ncopies > zone->most_copies",
               "++zone->ncopies == 0")),
    Mutant("job-due", "nothing is queued when a template is to be refreshed",
           ("manager.t",),
           one(GLUE + "zone.c", "out->due = (job == NULL);",
               "out->due = 0;")),
    Mutant("list-want", "pages seen before are not learned from",
           ("layouts.t",),
           one(GLUE + "lists.c", "l->want = want;", "l->want = 0;")),
    Mutant("want", "a directory that is hardly known may take all loads",
           ("layouts.t",),
           one(GLUE + "backoff.c", "< loads * want;", "< loads * 100;")),
    Mutant("queued-job", "a job is kept when its snapshot has been read",
           ("snapshot.t",),
           one(GLUE + "zone.c",
               "if (node->state == NGX_HTTP_DETEMPLATE_STATE_QUEUED\n",
               "if (0\n")),
    Mutant("evict-running", "a site that is being learned may go",
           ("snapshot.t",),
           one(GLUE + "node.c", "if (node != keep && node->state "
               "!= NGX_HTTP_DETEMPLATE_STATE_RUNNING) {",
               "if (node != keep) {")),
    Mutant("host-differs", "Host may name another server", ("identity.t",),
           one(GLUE + "job.c", "if (ngx_http_detemplate_host_differs(r)) {",
               "if (0) {")),
    Mutant("host-origin", "an origin is asked by any name", ("identity.t",),
           one(GLUE + "job.c", ": dlcf->origin.len != 0))", ": 0))")),
    Mutant("host-own", "an origin is asked by the client's word",
           ("identity.t",),
           one(GLUE + "job.c", "    if (dlcf->origin.len == 0) {\n"
               "        ctx->own", "    if (1) {\n        ctx->own")),
    Mutant("host-port", "any port is asked for", ("identity.t",),
           one(GLUE + "host.c", "           && n == (ngx_int_t)\n",
               "           && n != -2 + 0 * (ngx_int_t)\n")),
    Mutant("tenants", "tenants of a wildcard share a site", ("identity.t",),
           one(GLUE + "host.c", "        kind = NGX_HTTP_DETEMPLATE_HOST_"
               "MATCHED;\n", "        kind = NGX_HTTP_DETEMPLATE_HOST_NAMED;"
               "\n            *own = *dscf->own;\n")),
    Mutant("chosen", "everybody can make any number of sites",
           ("identity.t",),
           one(GLUE + "backoff.c",
               "if (sh->chosen >= NGX_HTTP_DETEMPLATE_CHOSEN) {",
               "if (0) {")),
    Mutant("access", "who is not let in starts a learning",
           ("identity.t",),
           one(GLUE + "filter_module.c", "NGX_HTTP_PRECONTENT_PHASE",
               "NGX_HTTP_PREACCESS_PHASE")),
    Mutant("private", "who shows who he is has his pages learned",
           ("reach.t",),
           one(GLUE + "job.c", "    return ctx->counted ? NGX_HTTP_DETEMPLATE"
               "_R_NONE\n                        : NGX_HTTP_DETEMPLATE_R_"
               "PRIVATE;", "    return NGX_HTTP_DETEMPLATE_R_NONE;")),
    Mutant("told", "a reason is told each time", ("reach.t",),
           one(GLUE + "backoff.c", "tell = !told->used", "tell = 1")),
    Mutant("page-waits", "a failed page holds up the site", ("reach.t",),
           one(GLUE + "backoff.c",
               "if (node->no_room\n"
               "        || node->spent >= NGX_HTTP_DETEMPLATE_SPEND * "
               "job.loads)\n    {",
               "if (1) {")),
    Mutant("site-waits", "failed pages never hold up the site",
           ("reach.t",),
           one(GLUE + "backoff.c",
               "if (node->no_room\n"
               "        || node->spent >= NGX_HTTP_DETEMPLATE_SPEND * "
               "job.loads)\n    {",
               "if (node->no_room) {")),
    Mutant("retry-after", "Retry-After is not heeded", ("reach.t",),
           one(GLUE + "backoff.c", "delay = ngx_max(delay, (ngx_msec_t) "
               "work->retry_after * 1000);", "")),
    Mutant("later", "pages that come meanwhile are forgotten", ("reach.t",),
           one(GLUE + "backoff.c", "    node->nlater++;\n", "")),
    Mutant("known", "remembered pages are learned from whatever they show",
           ("test_learn",),
           one("core/learn/known.c", "return rc == DT_OK && !stats.guard",
               "return 0 && !stats.guard")),
    Mutant("page-parts", "what acts is told by whole words", ("test_page",),
           one("core/base/page_kind.c", "return found && (all || p.n <= "
               "DT_PAGE_TITLE);", "return 0;")),
    Mutant("page-title", "titles act", ("test_page",),
           one("core/base/page_kind.c", "#define DT_PAGE_TITLE 3",
               "#define DT_PAGE_TITLE 30")),
    Mutant("page-session", "sessions are part of a page", ("test_page",),
           one("core/base/page.c",
               "if (arg->whole.len == 0 || dt_page_session(arg)) {",
               "if (arg->whole.len == 0) {")),
    Mutant("links-keep", "links are cut when they are to stay",
           ("crawl.t",),
           one("core/scan/tree.c", "(s->keep_links && e->name == DT_NAME_A)",
               "(0)")),
    Mutant("areas-keep", "areas are cut when they are to stay",
           ("crawl.t",),
           one("core/scan/element.c",
               "(s->keep_links && s->token.name == DT_NAME_AREA)", "(0)")),
    Mutant("list-links", "a list is used whether links stay or not",
           ("crawl.t",),
           one(GLUE + "edits.c", "ctx->links | ctx->bold << 1;",
               "ctx->bold << 1;")),
    Mutant("list-bold", "a list is used whether shapes go or not",
           ("cut.t",),
           one(GLUE + "edits.c", "ctx->links | ctx->bold << 1;",
               "ctx->links;")),
    Mutant("memo-rest", "what goes on like a known region is taken for one",
           ("test_memo",),
           one("core/scan/memo.c",
               "|| memcmp(m->bytes + slot->off + s->memo_same, p, len) != 0)",
               ")")),
    Mutant("memo-times", "a region is compared with what took its place",
           ("test_memo",),
           one("core/scan/memo.c", "m->times != s->memo_times", "0")),
    Mutant("memo-links", "known regions go with the links that are to stay",
           ("crawl.t",),
           one("core/scan/rewrite.c", "o->keep_links ? NULL : o->memo",
               "o->memo")),
    Mutant("own-linked", "queries need no links to be the site's own",
           RULES,
           one(QUORUM, "(ev->pages[p].linked & (set >> p & 1))",
               "(set >> p & 1)")),
    Mutant("own-path", "directories of linked pages are the site's own",
           RULES,
           one(QUORUM, "!(k == 0 && dt_quorum_own(ev, with, set))",
               "!dt_quorum_own(ev, with, set)")),
    Mutant("back-off", "back-off does not double", ("process.t",),
           one(GLUE + "backoff.c", "<< ngx_min(failures, 10)", "<< 0")),
    Mutant("clock-redis", "a template from the future is taken",
           ("redis.t",),
           one(GLUE + "manager.c",
               "} else if (ngx_http_detemplate_ahead(pub.info.learned_at)) {",
               "} else if (0) {")),
    Mutant("clock-snapshot", "a snapshot from the future is taken",
           ("faults.t",),
           one(GLUE + "snapshot.c",
               "ngx_http_detemplate_ahead(pub->info.learned_at)", "0")),
    Mutant("clock-zone", "a template from the future stays", ("faults.t",),
           one(GLUE + "zone.c",
               "|| ngx_http_detemplate_ahead(node->info.learned_at)", "")),
    Mutant("pace", "the manager drives those of other paths", ("pace.t",),
           one(GLUE + "manager.c", "    return NGX_HTTP_DETEMPLATE_NEVER;",
               "    return NGX_HTTP_DETEMPLATE_TICK;")),
    Mutant("rest", "the manager never rests", ("pace.t",),
           one(GLUE + "manager.c",
               "return ngx_max(due, NGX_HTTP_DETEMPLATE_TICK);",
               "return ngx_min(due, NGX_HTTP_DETEMPLATE_TICK);")),
    Mutant("wake-old", "workers of before a reload are not heard",
           ("pace.t",),
           one(GLUE + "wake.c", "if (ozone && ozone->manager) {",
               "if (0) {")),
    Mutant("subrequests", "parts of a page are counted as pages",
           ("status.t",),
           one(GLUE + "filter_module.c",
               "    /* with log_subrequest, this phase runs for parts of the "
               "page as well */\n\n    if (r != r->main) {",
               "    if (0) {")),
    Mutant("tag", "entity tags do not name the template", ("tags.t",),
           one(GLUE + "request.c", "ctx->tmpl->tag, mode",
               "(uint64_t) ctx->tmpl->version, mode")),
    Mutant("redis-slow", "a slow Redis is waited for", ("test_redis",),
           one("core/redis/redis_io.c",
               "if (ms * DT_REDIS_SLOW <= conn->conf.timeout) {",
               "if (ms >= 0) {")),
    Mutant("redis-elements", "Redis may announce any array",
           ("test_redis",),
           one("core/redis/redis_reply.c", "if ((size_t) n > a->left) {",
               "if (0) {")),
    Mutant("redis-bytes", "Redis may send any number of bytes",
           ("test_redis",),
           one("core/redis/redis_io.c",
               "if (conn->bytes > DT_REDIS_REPLIES) {", "if (0) {")),
    Mutant("redis-login", "commands do not wait for the log-in",
           ("test_redis",),
           one("core/redis/redis_io.c",
               "if (call->login) {\n            return",
               "if (0) {\n            return")),
    Mutant("redis-trial", "somebody waits for one that may still be away",
           ("test_redis",),
           one("core/redis/redis_conn.c",
               "    if (conn->failures) {\n        dt_redis_call_tell",
               "    if (0) {\n        dt_redis_call_tell")),
    Mutant("redis-ahead", "no job is asked about ahead",
           ("redis_wait.t",),
           one(GLUE + "manager.c", "max += m->ahead;", "max += 0;")),
    Mutant("redis-give-back", "a job that waits keeps its lock",
           ("redis_wait.t",),
           one(GLUE + "manager.c",
               "            ngx_http_detemplate_manager_unlock(m, learner);\n"
               "            ngx_http_detemplate_zone_requeue",
               "            ngx_http_detemplate_zone_requeue")),
]


def numbers(file, line, what):
    """Each number of the lines that match, a little more and a little less."""
    with open(os.path.join(TOP, file)) as f:
        text = f.read()

    for found in re.finditer(line, text, re.M):
        name, value = found.group(1), int(found.group(2))
        step = STEPS.get(name, 1)

        for new in (value - step, value + step):
            yield Mutant("%s=%d" % (name.replace("_", "-"), new),
                         "%s, not %d" % (what, value),
                         RULES + FITTED.get(name, ()), one(
                             file, found.group(0),
                             found.group(0).replace(str(value), str(new))))


# of 64 pages at the most, not every percent makes a difference
STEPS = {"typical": 25}

# numbers that rows of test_rules do without
FITTED = {name: ("test_score",) for name in ("score", "score_rules")}

MUTANTS += numbers("core/rules/rules.c", r"^    r->(\w+) = (\d+);$",
                   "a number of the rules")
MUTANTS += numbers("core/template/serve.h", r"^#define (DT_\w+) (\d+)$",
                   "a number of serving")
