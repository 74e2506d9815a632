
/*
 * Copyright (C) The detemplate authors
 */


#include <stdlib.h>

#include "tools/cli_cut.h"
#include "core/learn/links.h"
#include "core/rules/compile.h"
#include "core/scan/rewrite.h"
#include "cli_cut.h"


typedef struct {
    void (*report)(void *data, uint64_t start, uint64_t end);
    void *data;
} dt_cli_cut_t;


/* nothing is done with the bytes that stay */
static int
dt_cli_keep(void *data, const char *p, size_t len, dt_out_kind_t kind)
{
    (void) data;
    (void) p;
    (void) len;
    (void) kind;

    return 0;
}


static void
dt_cli_region(void *data, uint64_t start, uint32_t len)
{
    dt_cli_cut_t *c = data;

    c->report(c->data, start, start + len);
}


/* adds selectors to a list; name is the option's; returns an exit code */
static int
dt_cli_hand_add(dt_hand_t *list, dt_hand_kind_t kind,
                const dt_cli_list_t *selectors, const char *name)
{
    unsigned i;
    char errstr[DT_ERRSTR];

    for (i = 0; i < selectors->n; i++) {
        if (dt_hand_add(list, kind, dt_cstr(selectors->values[i]), errstr)
            != DT_OK) {
            return dt_cli_error(DT_EXIT_USAGE, "--%s %s: %s", name,
                                selectors->values[i], errstr);
        }
    }

    return DT_EXIT_OK;
}


int
dt_cli_hand(const dt_cli_args_t *args, dt_hand_t *list, const dt_hand_t **hand)
{
    int code;

    *hand = args->keep.n || args->force.n ? list : NULL;
    dt_hand_init(list);

    code = dt_cli_hand_add(list, DT_HAND_KEEP, &args->keep, "keep");

    return code == DT_EXIT_OK
               ? dt_cli_hand_add(list, DT_HAND_FORCE, &args->force, "force")
               : code;
}


dt_status_t
dt_cli_cuts(const void *tmpl, dt_str_t page, const dt_url_t *url,
            unsigned bold, const dt_hand_t *hand,
            void (*report)(void *data, uint64_t start, uint64_t end),
            void *data)
{
    dt_cli_cut_t c = { report, data };
    dt_rewrite_opts_t o;

    memset(&o, 0, sizeof(o));
    o.tmpl = tmpl;
    o.mode = DT_STRIP;
    o.bold = bold;
    o.hand = hand;
    o.host = url->host;
    o.path = url->path;
    o.out = dt_cli_keep;
    o.region = dt_cli_region;
    o.out_data = &c;

    return dt_rewrite_page(&o, page, NULL);
}


/* sets rules by which everything that a single page shows is template */
static void
dt_cli_all(dt_rules_t *r)
{
    dt_rules_init(r);
    r->support = 1;
    r->place = 0;
    r->share = 0;
    r->outside = 0;
    r->wrapper = 0;
    r->gain = 0;
    r->remain = 0;
}


/* removes the evidence that the detector did not find */
static void
dt_cli_only_detected(dt_evidence_t *ev)
{
    dt_pattern_t *p = ev->patterns.elts;

    for (uint32_t i = 0; i < ev->patterns.n; i++) {
        if (!(p[i].flags & DT_PATTERN_DETECTED)) {
            p[i].pages = 0;
        }
    }
}


void
dt_cli_cut(const dt_cli_page_t *page, uint8_t *nodes,
           void (*report)(void *data, uint64_t start, uint64_t end),
           void *data)
{
    size_t n;
    unsigned number;
    dt_rules_t rules;
    dt_compiled_t done = { 0 };
    dt_record_t *records = NULL;
    dt_page_id_t id = dt_links_id(&page->url);
    dt_evidence_t *ev = NULL;
    const dt_dom_t *dom = page->dom;
    dt_arena_t *a = dt_arena_create((size_t) 512 << 20);

    dt_cli_all(&rules);

    if (a != NULL) {
        ev = dt_evidence_create(NULL, &rules, 1, a);
    }

    if (ev != NULL
        && dt_scan_records(dom->src, ev->seed, page->url.host, page->url.path,
                           &records, &n)
               == DT_OK
        && dt_evidence_add(ev, &id, dom, records, n, 1, &number) == DT_OK)
    {
        dt_evidence_detected(ev, dom, records, n, nodes);
        dt_cli_only_detected(ev);

        if (dt_compile(
                ev,
                &(dt_compile_info_t){ .now = 1, .key = records, .nkey = n },
                &done)
            == DT_OK)
        {
            (void) dt_cli_cuts(done.bytes, dom->src, &page->url, 0, NULL,
                               report, data);
        }
    }

    free(done.bytes); /* allocated even when nothing is template */
    free(records);
    dt_arena_destroy(a);
}
