
/*
 * Copyright (C) The detemplate authors
 *
 * Writes a page of which it is decided which parts are cut: slices of its
 * bytes, and marks between them.
 */


#include <stdlib.h>
#include <string.h>

#include "core/scan/rewrite.h"
#include "core/scan/cut.h"
#include "core/scan/scan.h"
#include "core/template/serve.h"


/*
 * The template as a page.  Alarte et al. and Vieira et al. make one of the
 * nodes that were found and of their ancestors, so that a browser can show it.
 * Here it has the parts that strip cuts, the elements around them, and the
 * elements of the head that say how a page looks.  So each word of a page is
 * in one of the two.
 */


#define DT_VIEW_CUT (DT_RECORD_CUT | DT_RECORD_SHAPED | DT_RECORD_FORCED)

#define DT_NAME_LINK dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0)
#define DT_NAME_META dt_letters('m', 'e', 't', 'a', 0, 0, 0, 0)
#define DT_NAME_STYLE dt_letters('s', 't', 'y', 'l', 'e', 0, 0, 0)
#define DT_NAME_BASE dt_letters('b', 'a', 's', 'e', 0, 0, 0, 0)


/* whether an attribute makes a link one to a style sheet, or a meta one that
   says how the page is read */
static int
dt_view_attr(uint64_t tag, const dt_attr_t *a)
{
    const char *p = a->value;

    switch (dt_name_fold(a->name, a->stop)) {

    case dt_letters('r', 'e', 'l', 0, 0, 0, 0, 0):
        return tag == DT_NAME_LINK && dt_str_has(p, a->end, "stylesheet");

    case dt_letters('c', 'h', 'a', 'r', 's', 'e', 't', 0):
        return tag == DT_NAME_META;

    case dt_letters('n', 'a', 'm', 'e', 0, 0, 0, 0):
        return tag == DT_NAME_META && dt_str_has(p, a->end, "viewport");

    default: /* http-equiv */
        return tag == DT_NAME_META && dt_str_has(p, a->end, "content-type");
    }
}


/* whether a leaf says how the page looks */
static int
dt_view_styles(const dt_cut_t *c, const dt_record_t *r)
{
    int closed;
    dt_attr_t a;
    const char *p = c->page.data + r->start + r->at;

    if (r->name == DT_NAME_STYLE || r->name == DT_NAME_BASE) {
        return 1;
    }

    if ((r->name != DT_NAME_LINK && r->name != DT_NAME_META) || r->at == 0) {
        return 0;
    }

    for (;;) {
        p = dt_token_next(&a, p, c->page.data + r->end, &closed);

        if (p == NULL || a.name == a.stop) {
            return 0;
        }

        if (dt_view_attr(r->name, &a)) {
            return 1;
        }
    }
}


/*
 * Whether a record goes that has nothing of the template in it.  gone: where
 * the one before that goes ends.  A tag that ends another element stays,
 * unless that goes as well.
 */
static int
dt_view_goes(const dt_cut_t *c, const dt_record_t *r, uint32_t gone)
{
    if (r->end == 0) {
        return 0; /* it does not end */
    }

    if (r->name == 0) {
        return 1;
    }

    if (r->state & DT_RECORD_LEAF) {
        return !dt_view_styles(c, r);
    }

    return !(r->weak & (DT_WEAK_TREE | DT_WEAK_CLOSED)) || r->start == gone;
}


/* notes which elements are around the cut ones */
static void
dt_view_around(const dt_cut_t *c)
{
    uint32_t i, k;

    for (i = 0; i < c->n; i++) {
        if (!(c->r[i].state & DT_VIEW_CUT)) {
            continue;
        }

        for (k = c->r[i].parent;
             k != DT_RECORD_NONE && !(c->r[k].state & DT_RECORD_AROUND);
             k = c->r[k].parent)
        {
            c->r[k].state |= DT_RECORD_AROUND;
        }
    }
}


/*
 * Turns round the verdicts of dt_cut(): records that would be cut stay, with
 * the elements around them and the page's styles, and the rest of the records
 * is cut.  The head must have records.
 */
static void
dt_view(const dt_cut_t *c)
{
    uint32_t i, next, gone = 0;
    dt_record_t *r;

    dt_view_around(c);

    for (i = 0; i < c->n; i = next) {
        r = &c->r[i];
        next = i + 1;

        if (r->state & DT_VIEW_CUT) {
            for (next = r->next; i < next; i++) {
                c->r[i].state &= ~(uint32_t) DT_VIEW_CUT;
            }

        } else if (!(r->state & DT_RECORD_AROUND) && dt_view_goes(c, r, gone))
        {
            r->state |= DT_RECORD_CUT;
            gone = r->end;
            next = r->next;
        }
    }
}


#define DT_WORK_RECORDS 16384 /* more are not kept for the next page */


struct dt_work_s {
    dt_records_t records;
    dt_scan_t scan;
};


/* a page that is being written */
typedef struct {
    const dt_rewrite_opts_t *o;
    dt_str_t page;
    const dt_scan_t *scan;
    const dt_wrap_t *wrap;
    uint32_t sent;   /* bytes that were given out, or cut */
    unsigned xml;    /* parts that are cut must be well-formed */
    unsigned failed; /* out() has refused */
    dt_rewrite_stats_t stats;
} dt_rewrite_t;


static const dt_wrap_t dt_rewrite_wrap = {
    { 14, " data-template" },
    { 15, "<!--template-->" },
    { 16, "<!--/template-->" },
    { 21, " data-template=\"hand\"" },
};


/* in XML, an attribute has a value */
static const dt_wrap_t dt_rewrite_xml = {
    { 17, " data-template=\"\"" },
    { 15, "<!--template-->" },
    { 16, "<!--/template-->" },
    { 21, " data-template=\"hand\"" },
};


static void
dt_rewrite_out(dt_rewrite_t *rw, const char *p, size_t len, dt_out_kind_t kind)
{
    if (len && !rw->failed && rw->o->out(rw->o->out_data, p, len, kind)) {
        rw->failed = 1;
    }
}


/* the bytes up to an offset stay */
static void
dt_rewrite_keep(dt_rewrite_t *rw, uint32_t to)
{
    if (rw->sent < to) {
        dt_rewrite_out(rw, rw->page.data + rw->sent, to - rw->sent,
                       DT_OUT_INPUT);
        rw->sent = to;
    }
}


static void
dt_rewrite_mark(dt_rewrite_t *rw, uint32_t at, dt_str_t mark)
{
    if (mark.len) {
        dt_rewrite_keep(rw, at);
        dt_rewrite_out(rw, mark.data, mark.len, DT_OUT_MARK);
    }
}


/* the byte behind a mark in [p, end), or NULL */
static const char *
dt_xml_behind(const char *p, const char *end, const char *mark)
{
    p = p < end ? memmem(p, (size_t) (end - p), mark, strlen(mark)) : NULL;

    return p != NULL ? p + strlen(mark) : NULL;
}


/* the byte behind the tag whose name, or '/', is at p, or NULL; *depth: the
   elements that are open */
static const char *
dt_xml_tag(const char *p, const char *end, int *depth)
{
    char last, c = 0, quote = 0;
    int ends = *p == '/';

    for (; p < end; p++) {
        last = c;
        c = *p;

        if (quote) {
            quote = c == quote ? 0 : quote;

        } else if (c == '>') {
            *depth += ends ? -1 : last != '/';
            return p + 1;

        } else if (c == '"' || c == '\'') {
            quote = c;
        }
    }

    return NULL;
}


/*
 * Whether all that begins in [start, end) ends there, as XML has it, and
 * nothing else does: a page that is XML must be well-formed without it.  The
 * scanner follows HTML, where a p ends before a list.
 */
static int
dt_xml_is_whole(const char *start, const char *end)
{
    int depth = 0;
    const char *p = start;

    while (p != NULL && p < end && depth >= 0) {
        if (*p == '>' && p > start && strchr("-]?", p[-1]) != NULL) {
            /* a comment, CDATA or the like may end */
            return 0;
        }

        if (*p != '<') {
            p++;
            continue;
        }

        if (end - p < 3) {
            return 0;
        }

        p = p[1] == '!'
                ? dt_xml_behind(p + 4, end, p[2] == '-' ? "-->" : "]]>")
            : p[1] == '?' ? dt_xml_behind(p + 1, end, "?>")
                          : dt_xml_tag(p + 1, end, &depth);
    }

    return p == end && depth == 0;
}


/*
 * Sets the bytes of a record that are cut.  A row must keep its cells, or the
 * others would stand below another head: only the inside of a cell is cut.
 */
static void
dt_rewrite_range(const dt_rewrite_t *rw, const dt_record_t *r, uint32_t *start,
                 uint32_t *end)
{
    const char *p, *tag, *page = rw->page.data;

    *start = r->start;
    *end = r->end;

    if (r->kind != DT_TAG_CELL || (r->state & DT_RECORD_FORCED)) {
        return;
    }

    p = dt_token_skip(page + r->start + 3, page + r->end);
    *start = p != NULL ? (uint32_t) (p - page) : r->end;

    tag = memrchr(page + *start, '<', r->end - *start);

    if (tag != NULL && page + r->end - tag >= 5 && tag[1] == '/'
        && (tag[2] | 0x20) == 't' && dt_char_is(tag[4], DT_C_NAME_END))
    {
        *end = (uint32_t) (tag - page);
    }
}


/* [start, end) is cut or marked */
static void
dt_rewrite_region(dt_rewrite_t *rw, uint32_t start, uint32_t end)
{
    rw->stats.regions++;
    rw->stats.removed += end - start;

    if (rw->o->region != NULL) {
        rw->o->region(rw->o->out_data, start, end - start);
    }
}


/* cuts a record, or marks it, by an attribute behind its tag's name */
static void
dt_rewrite_cut(dt_rewrite_t *rw, const dt_record_t *r)
{
    uint32_t start, end;
    dt_str_t attribute = rw->wrap->attribute;

    dt_rewrite_range(rw, r, &start, &end);

    if (start == end
        || (rw->xml
            && !dt_xml_is_whole(rw->page.data + start, rw->page.data + end)))
    {
        return;
    }

    if ((r->state & DT_RECORD_FORCED) && rw->wrap->by_hand.len) {
        attribute = rw->wrap->by_hand;
    }

    dt_rewrite_region(rw, start, end);

    if (rw->o->mode != DT_ANNOTATE) {
        dt_rewrite_keep(rw, start);
        rw->sent = end;

    } else if (r->name) {
        dt_rewrite_mark(rw, r->start, rw->o->before);
        dt_rewrite_mark(rw, r->start + r->at, attribute);
        dt_rewrite_mark(rw, r->end, rw->o->after);

    } else {
        dt_rewrite_mark(rw, r->start, rw->wrap->begin);
        dt_rewrite_mark(rw, r->end, rw->wrap->end);
    }

    if (r->state & DT_RECORD_FORCED) {
        rw->stats.forced++;
        rw->stats.forced_bytes += r->end - r->start;
    }
}


/* writes the addition at the end of the head; in XML, a head ends with its end
   tag, or is none */
static void
dt_rewrite_head(dt_rewrite_t *rw)
{
    uint64_t at = rw->scan->head_end - 1;
    const char *p = rw->page.data;

    if (rw->scan->head_end
        && (!rw->xml
            || (rw->page.len - at > 3 && p[at + 1] == '/'
                && p[at + 3] == 'e')))
    {
        dt_rewrite_mark(rw, (uint32_t) at, rw->o->head);
    }
}


/* writes the page up to an offset: c has decided about it */
static void
dt_rewrite_write(dt_rewrite_t *rw, const dt_cut_t *c, uint32_t end)
{
    uint32_t i;
    const dt_record_t *r;

    for (i = 0; i < c->n; /* void */) {
        r = &c->r[i];

        if (!(r->state
              & (DT_RECORD_CUT | DT_RECORD_SHAPED | DT_RECORD_FORCED))) {
            i++;
            continue;
        }

        dt_rewrite_cut(rw, r);
        i = r->next;
    }

    dt_rewrite_keep(rw, end);
}


/* writes the addition at the beginning of the head, unless the page has a base
 */
static void
dt_rewrite_base(dt_rewrite_t *rw, const dt_cut_t *c)
{
    uint32_t i;
    uint64_t body = rw->scan->body ? rw->scan->body - 1 : rw->page.len;

    for (i = 0; i < c->n && c->r[i].start < body; i++) {
        if (c->r[i].kind == DT_TAG_BASE) {
            return;
        }
    }

    dt_rewrite_mark(rw, i ? c->r[0].start : (uint32_t) body, rw->o->head);
}


/* writes the template alone, of the parts that are looked at; failed: nothing
   of the page */
static void
dt_rewrite_template(dt_rewrite_t *rw, dt_cut_t *c, int failed)
{
    uint64_t end = rw->scan->rest ? rw->scan->rest - 1 : rw->page.len;

    if (failed || (rw->xml && rw->scan->rest)) {
        c->n = 0;
        end = 0;
    }

    if (end) {
        dt_rewrite_base(rw, c);
    }

    dt_view(c);
    dt_rewrite_write(rw, c, (uint32_t) end);

    if (rw->sent < rw->page.len) {
        dt_rewrite_region(rw, rw->sent, (uint32_t) rw->page.len);
    }
}


dt_work_t *
dt_work_create(void)
{
    return calloc(1, sizeof(dt_work_t));
}


void
dt_work_destroy(dt_work_t *work)
{
    if (work != NULL) {
        dt_scan_free(&work->records);
        free(work);
    }
}


/* gives back memory that few pages need */
static void
dt_work_trim(dt_work_t *work)
{
    if (work->records.max > DT_WORK_RECORDS) {
        dt_scan_free(&work->records);
    }
}


/* nothing of the page is cut */
static dt_status_t
dt_rewrite_pass(const dt_rewrite_opts_t *o, dt_str_t page)
{
    return page.len && o->out(o->out_data, page.data, page.len, DT_OUT_INPUT)
               ? DT_ELIMIT
               : DT_OK;
}


static dt_status_t
dt_rewrite_work(dt_work_t *work, const dt_rewrite_opts_t *o, dt_str_t page,
                dt_rewrite_stats_t *stats)
{
    const dt_template_head_t *h = o->tmpl;
    dt_status_t rc;
    dt_cut_t c = { .page = page,
                   .scan = &work->scan,
                   .hand = o->hand,
                   .keep_links = o->keep_links,
                   .most =
                       DT_SERVE_TIMES * (uint64_t) h->most + DT_SERVE_MORE };
    dt_rewrite_t rw = { .o = o, .page = page, .scan = &work->scan };
    dt_scan_opts_t so = { .tmpl = o->tmpl,
                          .host = o->host,
                          .path = o->path,
                          .bold = o->bold && !o->keep_links && h->shapes,
                          .head = o->head.len && o->mode != DT_TEMPLATE,
                          .heads = o->mode == DT_TEMPLATE };

    rc = dt_scan_page(&work->scan, &so, page, &work->records);

    if (rc == DT_ENOMEM) {
        return rc;
    }

    c.r = work->records.elts;
    c.n = work->records.n;
    c.hot = work->records.hot;
    c.nhot = work->records.nhot;

    if (rc == DT_OK) {
        dt_cut(&c);
    }

    rw.wrap = o->wrap != NULL       ? o->wrap
              : work->scan.declared ? &dt_rewrite_xml
                                    : &dt_rewrite_wrap;
    rw.xml = o->xml == 1 || (o->xml == 2 && work->scan.declared);

    if (o->mode == DT_TEMPLATE) {
        dt_rewrite_template(&rw, &c, rc != DT_OK);

    } else {
        dt_rewrite_head(&rw);
        dt_rewrite_write(&rw, &c, (uint32_t) page.len);
    }

    *stats = rw.stats;
    stats->in = page.len;
    stats->words = c.words;
    stats->cut_words = c.guard ? 0 : c.cut;
    stats->kept = c.kept;
    stats->guard = c.guard & 1u;
    stats->too_deep = (work->scan.stays & DT_STAYS_DEEP) != 0;

    return rw.failed ? DT_ELIMIT : DT_OK;
}


dt_status_t
dt_rewrite_page(const dt_rewrite_opts_t *o, dt_str_t page,
                dt_rewrite_stats_t *stats)
{
    dt_status_t rc;
    dt_work_t *work = o->work;
    dt_rewrite_stats_t own = { 0 };

    stats = stats != NULL ? stats : &own;
    memset(stats, 0, sizeof(dt_rewrite_stats_t));
    stats->in = page.len;

    if (o->tmpl == NULL || page.len >= UINT32_MAX) {
        return o->mode == DT_TEMPLATE ? DT_OK : dt_rewrite_pass(o, page);
    }

    work = work != NULL ? work : dt_work_create();
    if (work == NULL) {
        return DT_ENOMEM;
    }

    rc = dt_rewrite_work(work, o, page, stats);

    if (o->work == NULL) {
        dt_work_destroy(work);

    } else {
        dt_work_trim(work);
    }

    return rc;
}
