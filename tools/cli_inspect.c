
/*
 * Copyright (C) The detemplate authors
 *
 * The command inspect reports which pieces of a page are cut and why, and
 * which are close to being cut.  The rewriter itself tells the regions.  The
 * reasons come from deciding once more by the template's evidence.
 */


#include <inttypes.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "cli_cut.h"
#include "cli_inspect.h"


#define DT_CLI_MEMORY ((size_t) 256 << 20)
#define DT_CLI_NEAR                                                           \
    1500 /* thousandths below the score that is enough: close */


static void
dt_cli_inspect_cut(void *data, uint64_t start, uint64_t end)
{
    dt_cli_inspect_t *t = data;

    memset(t->cut_bytes + start, 1, (size_t) (end - start));
    t->removed += end - start;
    t->regions++;
}


/* marks bytes that are cut */
static void
dt_cli_inspect_mark(void *data, uint64_t start, uint64_t end)
{
    memset((uint8_t *) data + start, 1, (size_t) (end - start));
}


/* whether all of a record, or anything of it, is cut */
static int
dt_cli_is_cut(const uint8_t *cut_bytes, const dt_record_t *r, int all)
{
    const uint8_t *p = cut_bytes + r->start;
    size_t len = r->end - r->start;

    return len != 0 && (memchr(p, all ? 0 : 1, len) == NULL) == (all != 0);
}


/* returns how far a piece is from being cut; -1: too far to be reported */
static int
dt_cli_far(const dt_why_t *why)
{
    switch (why->question) {

    case DT_QUESTION_SCORE:
        return why->least - why->score <= DT_CLI_NEAR ? why->least - why->score
                                                      : -1;

    case DT_QUESTION_SHARE:
    case DT_QUESTION_SENTENCE:
    case DT_QUESTION_GUARD:
        return 0;

    default:
        return -1;
    }
}


/* returns why a piece is not cut on this page, but on others */
static dt_question_t
dt_cli_why_not_here(const dt_cli_inspect_t *t, uint64_t dir)
{
    unsigned i;
    uint64_t dirs[DT_PAGE_DIRS];

    dt_key_dirs(t->learning.url.path, dirs);

    for (i = 0; dir && i < DT_PAGE_DIRS && dirs[i] != dir; i++) {
        /* void */
    }

    return i < DT_PAGE_DIRS ? DT_QUESTION_SENTENCE : DT_QUESTION_SHARE;
}


/* fills in the next piece, but does not count it */
static dt_cli_piece_t *
dt_cli_next(dt_cli_inspect_t *t, size_t i)
{
    dt_cli_piece_t *p = &t->pieces[t->npieces];
    const dt_record_t *r = &t->records[i];

    *p = (dt_cli_piece_t){ .record = (uint32_t) i };
    p->cut = dt_cli_is_cut(t->cut_bytes, r, 1) != 0;
    p->hand = p->cut ? !dt_cli_is_cut(t->by_rule, r, 1)
                     : dt_cli_is_cut(t->by_rule, r, 1)
                           && !dt_cli_is_cut(t->cut_bytes, r, 0);
    p->shape = p->cut && !p->hand && !dt_cli_is_cut(t->cautious, r, 1);
    p->explained =
        (p->shape ? dt_explain_shape(t->explain, r->path, r->shape, &p->why)
                  : dt_explain(t->explain, r->key, &p->why))
        == DT_OK;

    if (!p->cut && p->explained && p->why.question == DT_QUESTION_NONE) {
        p->why.question = dt_cli_why_not_here(t, p->why.dir);
    }

    return p;
}


/* counts a piece that says the words of --text */
static void
dt_cli_found(dt_cli_inspect_t *t, size_t i)
{
    (void) dt_cli_next(t, i);
    t->npieces++;
}


/*
 * Collects the pieces of the page to report.  Of pieces that are cut, these
 * are the outermost that have a reason of their own, or that were cut because
 * all that they contain is cut.  Of the others, these are the outermost that
 * are close to being cut.
 */
static void
dt_cli_pieces(dt_cli_inspect_t *t)
{
    size_t i;
    uint32_t reported = 0, around = 0;
    dt_cli_piece_t *p;
    const dt_record_t *r;

    for (i = 0; i < t->n; i++) {
        r = &t->records[i];

        if (r->start < reported || r->words == 0
            || r->end > t->learning.key_len) {
            continue;
        }

        p = dt_cli_next(t, i);

        if (p->hand) {
            p->distance = 0;

        } else if (p->cut) {
            if (!p->explained
                || (p->why.question != DT_QUESTION_NONE && r->name != 0)) {
                p->explained = 0;

                /* the pieces in it follow */

                if (r->start >= around) {
                    around = r->end;
                    t->npieces++;
                }

                continue;
            }

        } else {
            p->distance = p->explained && !dt_cli_is_cut(t->cut_bytes, r, 0)
                              ? dt_cli_far(&p->why)
                              : -1;

            if (p->distance < 0) {
                continue;
            }
        }

        reported = r->end;
        t->npieces++;
    }
}


/* inspects the page, when page and template are loaded */
static int
dt_cli_inspect_page(dt_cli_inspect_t *t, const dt_hand_t *hand)
{
    dt_rules_t rules;
    dt_status_t rc;
    dt_cli_learning_t *learning = &t->learning;
    dt_str_t page = { learning->key_len, learning->key };
    unsigned bold = !learning->args->cautious;

    dt_template_info(t->tmpl, &t->info);

    if (t->len < t->info.size) {
        return dt_cli_error(DT_EXIT_TEMPLATE, "the template does not "
                                              "contain its evidence");
    }

    dt_rules_init(&rules);

    t->arena = dt_arena_create(DT_CLI_MEMORY);
    t->explain =
        t->arena ? dt_explain_create(t->tmpl, &rules, t->arena) : NULL;
    t->cut_bytes = calloc(page.len + 1, 1);
    t->by_rule = calloc(page.len + 1, 1);
    t->cautious = calloc(page.len + 1, 1);
    t->tried = calloc(page.len + 1, 1);

    rc = t->explain == NULL || t->cut_bytes == NULL || t->by_rule == NULL
                 || t->cautious == NULL || t->tried == NULL
             ? DT_ENOMEM
             : dt_cli_cuts(t->tmpl, page, &learning->url, bold, hand,
                           dt_cli_inspect_cut, t);

    if (rc == DT_OK) {
        rc = dt_cli_cuts(t->tmpl, page, &learning->url, bold, NULL,
                         dt_cli_inspect_mark, t->by_rule);
    }

    if (rc == DT_OK) {
        rc = dt_cli_cuts(t->tmpl, page, &learning->url, 0, NULL,
                         dt_cli_inspect_mark, t->cautious);
    }

    if (rc == DT_OK) {
        rc = dt_scan_records(page, t->info.seed, learning->url.host,
                             learning->url.path, &t->records, &t->n);
    }

    if (rc == DT_OK) {
        t->pieces = calloc(t->n + 1, sizeof(dt_cli_piece_t));
        rc = t->pieces == NULL ? DT_ENOMEM : DT_OK;
    }

    if (rc != DT_OK) {
        return dt_cli_error(DT_EXIT_IO, "the page cannot be read: %s",
                            dt_strstatus(rc));
    }

    if (learning->args->diff) {
        return dt_cli_inspect_diff(t)
                   ? dt_cli_error(DT_EXIT_IO, "out of memory")
                   : DT_EXIT_OK;
    }

    if (learning->args->text == NULL) {
        dt_cli_pieces(t);

    } else if (dt_cli_inspect_find(t, learning->args->text, dt_cli_found)) {
        return dt_cli_error(DT_EXIT_IO, "out of memory");

    } else if (t->npieces == 0) {
        return dt_cli_error(DT_EXIT_NOTHING,
                            "no piece of the page says \"%s\"",
                            learning->args->text);
    }

    dt_cli_inspect_report(t);

    return DT_EXIT_OK;
}


/* loads the template of the page's site from the snapshots */
static int
dt_cli_snapshot(dt_cli_inspect_t *t)
{
    int code;
    char *name;
    dt_str_t site, port;

    site = t->learning.args->site != NULL
               ? dt_cstr(t->learning.args->site)
               : dt_url_name(&t->learning.url, &port);

    name = dt_cli_find_snapshot(t->learning.args->snapshot, site);

    if (name == NULL) {
        return DT_EXIT_IO;
    }

    t->tmpl = dt_cli_read_template(name, &t->len, NULL, &code);
    free(name);

    return code;
}


static int
dt_cli_inspect_run(dt_cli_inspect_t *t)
{
    int code;
    dt_status_t rc = DT_OK;
    dt_learned_t l;
    const dt_cli_args_t *args = t->learning.args;

    if (args->tmpl != NULL) {
        t->tmpl = dt_cli_read_template(args->tmpl, &t->len, NULL, &code);
        return code == DT_EXIT_OK ? dt_cli_learning_key_page(&t->learning)
                                  : code;
    }

    if (args->snapshot != NULL) {
        code = dt_cli_snapshot(t);
        return code == DT_EXIT_OK ? dt_cli_learning_key_page(&t->learning)
                                  : code;
    }

    memset(&l, 0, sizeof(l));
    code = dt_cli_learning_run(&t->learning, &rc, &l);

    if (code == DT_EXIT_OK && rc != DT_OK) {
        code = dt_cli_learning_failed(rc, &l);
    }

    t->tmpl = l.bytes;
    t->len = l.len;
    l.bytes = NULL;
    dt_learned_free(&l);

    return code;
}


int
dt_cli_inspect(const dt_cli_args_t *args)
{
    int code;
    dt_hand_t list;
    const dt_hand_t *hand;
    dt_cli_inspect_t t;

    memset(&t, 0, sizeof(t));

    if ((args->tmpl && args->snapshot) || (args->site && !args->snapshot)) {
        return dt_cli_error(
            DT_EXIT_USAGE,
            "use either --template or --snapshot, and --site only "
            "with --snapshot");
    }

    if (args->diff && (args->json || args->text)) {
        return dt_cli_error(DT_EXIT_USAGE,
                            "use --diff without --json and --text");
    }

    code = dt_cli_hand(args, &list, &hand);
    if (code != DT_EXIT_OK) {
        return code;
    }

    code = dt_cli_learning_open(&t.learning, args,
                                args->tmpl == NULL && args->snapshot == NULL);

    if (code == DT_EXIT_OK) {
        code = dt_cli_inspect_run(&t);
    }

    if (code == DT_EXIT_OK) {
        t.hand = &list;
        code = dt_cli_inspect_page(&t, hand);
    }

    dt_arena_destroy(t.arena);
    dt_cli_learning_close(&t.learning);
    free(t.tmpl);
    free(t.cut_bytes);
    free(t.by_rule);
    free(t.cautious);
    free(t.tried);
    free(t.records);
    free(t.pieces);

    return code;
}
