
/*
 * Copyright (C) The detemplate authors
 *
 * Handles tags: some begin or end elements, some stand alone, and some open
 * something that is not looked at.
 */


#include <strings.h>

#include "core/scan/element.h"
#include "core/scan/nest.h"
#include "core/scan/raw.h"
#include "core/scan/shape.h"
#include "core/scan/tree.h"
#include "core/template/table.h"


/*
 * End tags that are left out, as far as a start tag tells where they would be,
 * and how weak the element of that tag then is.
 */

/* a row, a cell, ... ends all elements in its table that are in none of these
 */
static int
dt_scan_clear_table(dt_scan_t *s, uint64_t start)
{
    unsigned depth = s->depth, n = dt_scan_in_table(s);

    if (s->stack[n].flags & DT_TAG_TABLE) {
        dt_scan_close_above(s, n, start, 1);
    }

    return s->depth != depth;
}


/* the start of an element closes elements that may end without an end tag */
static void
dt_scan_implied(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    unsigned n, k;
    dt_open_t *top = &s->stack[s->depth];

    switch (tag->kind) {

    case DT_TAG_LI:
    case DT_TAG_D:
        n = dt_near(top, tag->kind);
        if (n) {
            dt_scan_close_to(s, n, start, start, 0);
        }

        break;

    case DT_TAG_CELL:
    case DT_TAG_ROW:
    case DT_TAG_SECTION:
        for (k = DT_TAG_CELL; k <= tag->kind; k++) {
            n = dt_near(&s->stack[s->depth], k);
            if (n) {
                dt_scan_close_to(s, n, start, start, 1);
            }
        }

        break;

    case DT_TAG_OPTION:
    case DT_TAG_RUBY:
        if (dt_near(top, DT_TAG_OPTION)
            && dt_tag_find(top->name)->kind == tag->kind
            && top->name != DT_NAME_OPTGROUP
            && (tag->kind == DT_TAG_OPTION || dt_scan_scoped(s, DT_NAME_RUBY)))
        {
            dt_scan_close(s, start, 1);
        }

        break;
    }

    n = dt_near(&s->stack[s->depth], DT_TAG_P);

    if (n && (tag->flags & DT_TAG_CLOSES_P)
        && (!(tag->flags & DT_TAG_TABLE) || s->doctype == DT_DOCTYPE_KNOWN))
    {
        dt_scan_close_to(s, n, start, start, 0);
    }
}


/* whether all elements down to a depth, no longer on the stack, may end
   without an end tag */
static int
dt_scan_all_implied(const dt_scan_t *s, unsigned depth)
{
    while (depth > s->depth && (s->stack[depth].flags & DT_TAG_IMPLIED)) {
        depth--;
    }

    return depth <= s->depth;
}


/*
 * Closes the elements that a start tag closes.  -1: none; DT_SCAN_NONE: the
 * tag begins no element; else how weak its element is for that:
 * DT_WEAK_CLOSED, where all that it closed may end without an end tag, or
 * DT_WEAK_TREE.
 */
#define DT_SCAN_NONE -2

static __attribute__((noinline)) int
dt_scan_close_for(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int cleared = 0;
    unsigned depth = s->depth;

    if ((tag->flags & DT_SOUP_FLAGS) && dt_soup_start(s, start, tag)) {
        return DT_SCAN_NONE;
    }

    if (tag->flags & DT_TAG_INTABLE) {
        cleared = dt_scan_clear_table(s, start);
    }

    if (tag->closes & s->stack[s->depth].near) {
        dt_scan_implied(s, tag, start);
    }

    if (tag->kind == DT_TAG_A || tag->kind == DT_TAG_HEADING
        || (tag->flags & (DT_TAG_TABLE | DT_TAG_RULE)))
    {
        dt_soup_begin(s, start, tag);
    }

    if (s->depth == depth) {
        return -1;
    }

    return !cleared && dt_scan_all_implied(s, depth) ? DT_WEAK_CLOSED
                                                     : DT_WEAK_TREE;
}


/* whether a tag with one of DT_SOUP_FLAGS may be out of place */
static inline int
dt_scan_is_out(const dt_scan_t *s, const dt_tag_t *tag)
{
    return (tag->flags & DT_TAG_RULE)
           || ((tag->flags & (DT_TAG_RAW | DT_TAG_NEST)) && dt_scan_select(s))
           || ((tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
               && (tag->kind == DT_TAG_OTHER
                   || !(s->stack[s->depth].flags & DT_TAG_TABLE)));
}


static inline int
dt_scan_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    return (tag->closes & s->stack[s->depth].near)
                   || ((tag->flags & DT_SOUP_FLAGS) && dt_scan_is_out(s, tag))
               ? dt_scan_close_for(s, start, tag)
               : -1;
}


/* whether a parser, before e, reopens formatting that was left open, and has
   e, and all that comes behind it, in that */
static int
dt_scan_goes_on(const dt_open_t *e)
{
    unsigned flags =
        e->flags
        & (DT_TAG_SPECIAL | DT_TAG_SCOPE | DT_TAG_TABLE | DT_TAG_INTABLE);

    return !(flags & DT_TAG_SPECIAL) || e->name == DT_NAME_SELECT
           || flags == (DT_TAG_SPECIAL | DT_TAG_SCOPE);
}


/* whether a parser has set a marker, before which it looks for no formatting
   that was left open */
static int
dt_scan_marked(const dt_scan_t *s)
{
    unsigned n;

    for (n = s->depth; n; n--) {
        if ((s->stack[n].flags & DT_TAG_SCOPE)
            && !(s->stack[n].flags & DT_TAG_TABLE)
            && s->stack[n].name != DT_NAME_BUTTON)
        {
            return 1;
        }
    }

    return 0;
}


/* whether the start tag of a link, or a nobr, ends one that was left open */
static inline int
dt_scan_ends_unclosed(dt_scan_t *s, const dt_tag_t *tag)
{
    int open = s->left.what & DT_UNCLOSED_LINK;

    if (tag->kind != DT_TAG_A) {
        return tag->name == DT_NAME_NOBR ? s->left.what & DT_UNCLOSED_NOBR : 0;
    }

    if (open && !dt_scan_select(s) && !dt_scan_marked(s)) {
        dt_left_ended(s, DT_UNCLOSED_LINK);
    }

    return open;
}


/*
 * Whether e is formatting of which three equal ones are open, as far as their
 * names tell: with it, a parser forgets the first, which it then does not open
 * again.  Elements around a cell or a caption do not count.
 */
static int
dt_scan_is_fourth(const dt_scan_t *s, const dt_open_t *e)
{
    unsigned n, same = s->left.count[dt_tag_slot(e->name) % DT_SCAN_UNCLOSED];

    if (e->formats + same <= 3) {
        return 0;
    }

    for (n = s->depth - 1;
         n && (s->stack[n].flags & DT_TAG_CELL_FLAGS) != DT_TAG_CELL_FLAGS;
         n--)
    {
        same += s->stack[n].name == e->name;
    }

    return same >= 3;
}


/*
 * Returns whether a parser has e where the scanner has it, as far as its start
 * tag tells.  closes says that the tag ends a link or a nobr that was left
 * open.
 */
static inline int
dt_scan_is_placed(const dt_scan_t *s, const dt_open_t *e, const dt_tag_t *tag,
                  int closes)
{
    return !((tag->is & DT_IS_FORMAT) && dt_scan_is_fourth(s, e))
           && (!(e[-1].flags & DT_TAG_TABLE) || (tag->flags & DT_TAG_INTABLE))
           && !closes;
}


/* the same, and whether the tag may have a mark */
static int
dt_scan_is_sound(const dt_scan_t *s, const dt_open_t *e, const dt_tag_t *tag,
                 int closes)
{
    return dt_scan_is_placed(s, e, tag, closes)
           && s->token.rest - s->token.start < 255
           && (s->token.regular || dt_token_markable(&s->token));
}


/* the facts that the start tag of an element tells go into its record; an
   element that embeds something is told apart by all attributes, since its
   words are for readers that cannot show it */
static void
dt_scan_open_hot(dt_scan_t *s, dt_open_t *e, dt_record_t *r,
                 const dt_tag_t *tag)
{
    int embeds = tag == &dt_tag_unknown || (tag->is & DT_IS_OBJECT);
    size_t slot;
    uint64_t sum, bare = 0;
    const dt_tables_view_t *t = &s->tables;

    sum = dt_token_sum(&s->token, &s->address, embeds ? &bare : NULL);
    e->bare = *s->token.rest == '>' ? DT_BARE_NONE : DT_BARE_OTHERS;
    e->hash = dt_mix(e->name, sum + bare);
    r->path = e->path;
    r->start_key = dt_key_start(e->path, e->hash);

    if (dt_scan_learns(s)) {
        e->state |= DT_OPEN_KNOWN;
        r->shape = (uint8_t) dt_shape_kind(&s->token);
        r->calls = dt_shape_calls(&s->token);
        return;
    }

    if (s->bold && (tag->flags & DT_TAG_SPECIAL)) {
        r->shape = (uint8_t) dt_shape_named(t, e->path, &s->token);
    }

    slot = dt_table_find(t->nodes, t->node_bits, r->start_key);

    if (slot != DT_TABLE_NONE && (t->info[slot] & DT_NODE_START)) {
        e->state |= DT_OPEN_KNOWN;
        r->state |= DT_RECORD_KNOWN;
        r->info = t->info[slot] & DT_NODE_WRAPPER;
    }
}


/* an element has begun: notes it; closed: see dt_scan_close_for() */
static void
dt_scan_open_record(dt_scan_t *s, dt_open_t *e, uint64_t start,
                    const dt_tag_t *tag, int closes, int closed)
{
    const dt_open_t *parent = e - 1;
    dt_record_t *r = dt_scan_record(s, parent, start, e->name);

    if (r == NULL) {
        return;
    }

    e->start = start;
    e->record = s->records->n - 1;
    e->weak = closed >= 0 ? (uint8_t) closed : 0;
    e->state = parent->state & DT_OPEN_LOST;
    r->flags = tag->flags;
    r->kind = tag->kind;

    if (dt_scan_is_sound(s, e, tag, closes)) {
        r->at = (uint8_t) (s->token.rest - s->token.start);

    } else {
        e->state |= DT_OPEN_UNSOUND;
    }

    if (!(parent->state & DT_OPEN_HOT)
        || (!dt_scan_learns(s) && (e->state & DT_OPEN_LOST)))
    {
        return;
    }

    e->path = tag->flags & DT_TAG_STYLE ? parent->path
                                        : dt_key_path(parent->path, e->name);

    if (dt_scan_learns(s) || (parent->state & DT_OPEN_KNOWN)
        || dt_scan_leads(s, e->path))
    {
        e->state |= DT_OPEN_HOT;
        dt_scan_hot(s, r);
        dt_scan_open_hot(s, e, r, tag);
    }
}


/* an element begins: the tag in s->token; whether it does */
static int
dt_scan_open(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int closes, closed, opens = 0, body = 0;
    dt_open_t *e;

    closed = dt_scan_begin(s, start, tag);
    if (closed == DT_SCAN_NONE) {
        return 0;
    }

    if (s->left.what) {
        opens = dt_scan_opens(s);
        body = s->left.what & DT_UNCLOSED_BODY;
        dt_left_ended(s, DT_UNCLOSED_BODY);
    }

    if (s->depth == DT_SCAN_DEPTH) {
        dt_scan_stay(s, DT_STAYS_DEEP);
        return 0;
    }

    e = dt_scan_push(s, tag);
    closes = dt_scan_ends_unclosed(s, tag);

    if (s->records == NULL) {
        return 1;
    }

    if (opens && (body || dt_scan_goes_on(e))) {
        closed = DT_WEAK_TREE;

    } else if (closed < 0 && dt_scan_glued(s)) {
        closed = DT_WEAK_GLUED;
    }

    dt_scan_open_record(s, e, start, tag, closes, closed);

    return s->state != DT_SCAN_PASS;
}


/* the head, if its end is looked for, ends before an offset */
static void
dt_scan_head_ends(dt_scan_t *s, uint64_t off)
{
    if (s->heads == DT_HEAD_PAGE || (s->heads == DT_HEAD_WANTED && s->doctype))
    {
        s->head_end = off + 1;
    }

    s->heads = DT_HEAD_NONE;
}


void
dt_scan_body(dt_scan_t *s, uint64_t off)
{
    dt_scan_head_ends(s, off);
    s->body = off + 1;
    s->in_body = 1;
    dt_scan_apart(s);
}


/* an element that was passed without a look inside ends at an offset; its
   inside tells it apart */
static void
dt_scan_leaf_ends(dt_scan_t *s, uint64_t end)
{
    dt_open_t *e = &s->stack[s->depth];

    if (s->leaf == 0) {
        return;
    }

    s->records->elts[s->leaf - 1].end = (uint32_t) end;
    s->leaf = 0;

    if (s->inside == 0) {
        return;
    }

    e->hash = dt_hash(dt_scan_at_off(s, s->inside), (size_t) (end - s->inside),
                      e->hash);
}


/* the record of an element without an inside that is looked at, or NULL */
static dt_record_t *
dt_scan_leaf_record(dt_scan_t *s, const dt_tag_t *tag, uint64_t start)
{
    dt_record_t *r =
        dt_scan_record(s, &s->stack[s->depth], start, s->token.name);

    if (r == NULL) {
        return NULL;
    }

    s->inside = 0;
    r->flags = tag->flags;
    r->kind = tag->kind;
    r->state = DT_RECORD_LEAF;
    r->at = s->token.rest - s->token.start < 255
                ? (uint8_t) (s->token.rest - s->token.start)
                : 0;

    if (tag->flags & DT_TAG_VOID) {
        r->end = (uint32_t) dt_scan_off(s, s->token.end);

    } else {
        s->leaf = s->records->n;
    }

    return r;
}


/*
 * Notes an element without an inside that is looked at: one that has none may
 * be template by itself.  Scripts that are run are part of the element around
 * them.  So are the others, but the element around one of them is template
 * only if the same inside is.  closed says that its tag closed another
 * element, which would go on if the tag were cut.
 */
static void
dt_scan_leaf(dt_scan_t *s, const dt_tag_t *tag, uint64_t start, int closed)
{
    uint64_t sum, path, bare = 0, name = s->token.name;
    dt_open_t *e = &s->stack[s->depth];
    dt_record_t *r = dt_scan_leaf_record(s, tag, start);

    if (r == NULL) {
        return;
    }

    r->weak = (uint8_t) ((closed || dt_scan_opens(s) ? DT_WEAK_TREE : 0)
                         | (dt_scan_glued(s) ? DT_WEAK_GLUED : 0));

    if (!(s->token.regular || dt_token_markable(&s->token))
        || ((e->flags & DT_TAG_TABLE)
            && !(tag->flags & (DT_TAG_INTABLE | DT_TAG_SILENT))
            && tag->kind != DT_TAG_FORM))
    {
        e->state |= DT_OPEN_UNSOUND;
        r->state |= DT_RECORD_UNSOUND;
        r->at = 0;
        return;
    }

    path = dt_key_path(e->path, name);

    if (!(e->state & DT_OPEN_HOT)
        || !(dt_scan_learns(s) || (e->state & DT_OPEN_KNOWN)
             || dt_scan_leads(s, path))
        || dt_raw_is_run(&s->token))
    {
        return;
    }

    sum = dt_token_sum(&s->token, &s->address,
                       tag->flags & DT_TAG_HEAD ? NULL : &bare);
    sum += bare;
    e->hash = dt_mix(e->hash, dt_mix(name, sum));

    if (s->leaf) {
        s->inside = dt_scan_off(s, s->token.end);
        r->weak |= DT_WEAK_INSIDE;
        dt_scan_hot(s, r);
    }

    if (!(tag->flags & DT_TAG_VOID) || name == DT_NAME_BR) {
        return;
    }

    r->key = dt_key_node(path, sum);
    r->start_key = dt_key_start(path, sum);
    r->path = path;
    dt_scan_hot(s, r);

    if (!dt_scan_learns(s)) {
        dt_scan_find(s, r);
    }
}


/* the tag of a base; the cases left out here change nothing */
static void
dt_scan_base(dt_scan_t *s)
{
    int closed;
    dt_attr_t a;
    const char *p = s->token.rest;

    do {
        p = dt_token_next(&a, p, s->token.end, &closed);

        if (p == NULL || a.name == a.stop) {
            return;
        }
    } while (dt_name_fold(a.name, a.stop) != DT_NAME_HREF);

    if (!dt_address_base(&s->address, a.value, a.end) && s->heads) {
        s->heads = DT_HEAD_FULL;
    }
}


/* enters an element whose inside is not looked at */
static void
dt_scan_enter(dt_scan_t *s, const dt_tag_t *tag)
{
    uint64_t name = s->token.name;

    if ((tag->flags & DT_TAG_RAW) && name != DT_NAME_NOSCRIPT) {
        dt_scan_turn(s, DT_SCAN_RAW, name);

    } else if (name == DT_NAME_NOSCRIPT || name == DT_NAME_TEMPLATE
               || ((tag->flags & DT_TAG_NEST) && !dt_token_closed(&s->token)))
    {
        dt_nest_enter(s, name);

    } else if (s->leaf) {
        dt_scan_leaf_ends(s, dt_scan_off(s, s->token.end));
    }
}


/* whether a tag is one of those that are around head and body, or are these */
static int
dt_scan_is_outer(const dt_tag_t *tag)
{
    return tag->kind == DT_TAG_HTML || tag->kind == DT_TAG_HEADTAG
           || tag->kind == DT_TAG_BODY;
}


/* a start tag in a head whose end is looked for */
static void
dt_scan_in_head(dt_scan_t *s, const dt_tag_t *tag)
{
    static const char type[] = "text/markdown";
    const char *p = s->token.rest, *end = s->token.end;

    if (dt_scan_is_outer(tag) && s->heads == DT_HEAD_WANTED) {
        s->heads = DT_HEAD_PAGE;
    }

    if (s->token.name != dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0)) {
        return;
    }

    /* a rough look is enough: a false match hides no such link */
    for (; end - p >= (ptrdiff_t) sizeof(type); p++) {
        if (strncasecmp(p, type, sizeof(type) - 1) == 0) {
            s->heads = DT_HEAD_FULL;
            return;
        }
    }
}


/* handles a start tag before the body; returns whether it belongs there, and
   does not begin the body */
static int
dt_scan_before(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    if (s->heads) {
        dt_scan_in_head(s, tag);
    }

    if (tag->kind == DT_TAG_BASE) {
        dt_scan_base(s);
    }

    if (tag->flags & DT_TAG_HEAD) {
        if (s->headed && !dt_scan_is_outer(tag)) {
            (void) dt_scan_leaf_record(s, tag, start);
        }

        dt_scan_enter(s, tag);
        return 1;
    }

    dt_scan_body(s, start);
    s->bodied = tag->kind == DT_TAG_BODY;

    return 0;
}


/* handles a start tag in the body */
static void
dt_scan_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int closed;
    unsigned seen;

    if (tag->name == DT_NAME_TEMPLATE && dt_nest_is_shadow(s)) {
        tag = &dt_tag_shadow;

    } else if (tag->name == DT_NAME_NOSCRIPT && dt_nest_is_plain(s)) {
        tag = &dt_tag_noscript;
    }

    if (tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST)
        || (tag->kind == DT_TAG_FORM
            && (s->stack[s->depth].flags & DT_TAG_TABLE)))
    {
        closed = dt_scan_begin(s, start, tag);
        if (closed == DT_SCAN_NONE) {
            dt_scan_apart(s);
            return;
        }

        seen = !(tag->flags & DT_TAG_SILENT) && s->token.name != DT_NAME_WBR;
        dt_scan_break(s, seen);

        if (tag->name == DT_NAME_BR) {
            s->stack[s->depth].state |= DT_OPEN_WHITE;
        }

        if (s->records != NULL) {
            dt_scan_leaf(s, tag, start, closed > 0);
        }

        dt_left_ended(s, DT_UNCLOSED_BODY);
        s->form = tag->kind == DT_TAG_FORM ? start + 1 : s->form;

        if (seen) {
            dt_scan_apart(s);
        }

        dt_scan_enter(s, tag);
        return;
    }

    if (!dt_scan_open(s, start, tag)) {
        dt_scan_apart(s);
        return;
    }

    dt_scan_apart(s);

    if (tag->name == DT_NAME_SELECT) {
        s->select = s->depth;
    }

    if (tag->kind == DT_TAG_FORM) {
        /* its end tag must come to dt_scan_end_form(), not to a loop that
           compares only names of this length */
        s->form = start + 1;
        s->stack[s->depth].len = 0;
    }
}


/* in XML, a start tag that ends with "/>" is all of its element */
static void
dt_scan_closed_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned depth = s->depth;

    if (!s->in_body && !(tag->flags & DT_TAG_HEAD)) {
        dt_scan_body(s, start);
    }

    if (s->in_body && !(tag->flags & (DT_TAG_VOID | DT_TAG_RAW | DT_TAG_NEST))
        && dt_scan_open(s, start, tag) && s->depth > depth)
    {
        dt_scan_pop(s);
    }
}


void
dt_scan_start_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned n;

    s->begun = 1;

    if (s->xml == 1 && !s->nest.name && dt_token_closed(&s->token)) {
        dt_scan_closed_tag(s, start, tag);
        return;
    }

    if (s->nest.name) {
        if (!dt_scan_nest_start(s, tag)) {
            return;
        }

    } else if (tag->kind == DT_TAG_BODY || tag->kind == DT_TAG_HTML) {
        n = tag->kind == DT_TAG_BODY;
        s->outer[s->outer[n] ? 2u : n] = start + 1;
    }

    if (s->in_body || !dt_scan_before(s, start, tag)) {
        dt_scan_start(s, start, tag);
    }
}


/* handles a start tag that is no more than the beginning of an element */
static void
dt_scan_usual_tag(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    if (s->nest.name || !s->in_body || (tag->flags & DT_TAG_ODD) || s->xml) {
        dt_scan_start_tag(s, start, tag);

    } else {
        (void) dt_scan_open(s, start, tag);
        dt_scan_apart(s);
    }
}


/*
 * The end tag of a form lets another form begin, no matter which element it
 * closes.  So an element that contains the end tag, but not the start of the
 * form, is cut only as part of a larger one.
 */
static void
dt_scan_end_form(dt_scan_t *s)
{
    unsigned n = s->depth;

    if (dt_scan_opens(s) || (s->left.what && s->left.depth == n)) {
        /* formatting that was opened again in the form goes on behind it, and
           so does the element in which that happened */
        s->stack[n].state |= DT_OPEN_UNSOUND;

        while (n && s->stack[n].name != DT_NAME_FORM) {
            n--;
        }

        if (n && n < s->depth) {
            dt_scan_give_up(s);

            if (s->state == DT_SCAN_PASS) {
                return;
            }
        }
    }

    for (n = s->form ? s->depth : 0; n; n--) {
        if (s->stack[n].start >= s->form) {
            s->stack[n].weak |= DT_WEAK_TREE;
        }
    }

    s->form = 0;
}


/*
 * An end tag inside of the nest, from offset start to stop: whether that is
 * all that becomes of it.
 */
static int
dt_scan_nested_end(dt_scan_t *s, const dt_tag_t *tag, uint64_t start,
                   uint64_t stop)
{
    uint64_t name = s->token.name;

    switch (dt_scan_nest_end(s, name, tag)) {

    case DT_NEST_ENDED:
        if (s->inert != NULL && (tag->flags & DT_TAG_SILENT)) {
            memset(s->inert + s->nest.start, ' ',
                   (size_t) (start - s->nest.start));
        }

        dt_scan_leaf_ends(s, stop);

        return 1;

    case DT_NEST_OUT:
        /* by an older standard, the next start tag ends it */
        dt_scan_give_up(s);
        break;

    case DT_NEST_AROUND:
        if (s->in_body && dt_scan_ended(s, name, tag)) {
            dt_nest_leave(s);
            dt_scan_give_up(s);
            break;
        }

        if (s->left.what) {
            /* it may end formatting that was opened again around it */
            dt_scan_give_up(s);
        }

        return 1;

    default: /* DT_NEST_IN */
        return 1;
    }

    s->leaf = 0; /* it has no end of its own */

    return s->state == DT_SCAN_PASS;
}


void
dt_scan_end_tag(dt_scan_t *s, uint64_t start, uint64_t stop)
{
    unsigned n;
    uint64_t name = s->token.name;
    const dt_tag_t *tag;

    s->begun = 1;

    if (s->nest.name) {
        if (dt_scan_nested_end(s, dt_tag_find(name), start, stop)) {
            return;
        }

    } else if (s->leaf) {
        dt_scan_leaf_ends(s, stop);
    }

    if (!s->in_body) {
        if (s->heads
            && (name == DT_NAME_BR || dt_scan_is_outer(dt_tag_find(name)))) {
            dt_scan_head_ends(s, start);
        }

        return;
    }

    if (name == DT_NAME_FORM) {
        dt_scan_end_form(s);
    }

    if (s->depth && s->stack[s->depth].name == name) {
        dt_scan_apart(s);
        dt_scan_close(s, stop, 0);
        return;
    }

    tag = dt_tag_find(name);
    n = dt_scan_ended(s, name, tag);

    if (n == 0 || name == DT_NAME_FORM) {
        if (dt_soup_end(s, tag, n, start) || n == 0) {
            return;
        }
    }

    if (s->stack[n].name != name) {
        s->stack[n].state |= DT_OPEN_UNSOUND;
    }

    dt_scan_apart(s);
    dt_scan_close_to(s, n, start, stop,
                     tag->flags & (DT_TAG_TABLE | DT_TAG_INTABLE));
}


/* the tag in s->token, whose '<' is at p */
static void
dt_scan_tag(dt_scan_t *s, const char *p)
{
    uint64_t start = dt_scan_off(s, p);

    s->token.start = p;

    if (p[1] == '/') {
        dt_scan_end_tag(s, start, dt_scan_off(s, s->token.end));

    } else {
        dt_scan_usual_tag(s, start, dt_tag_find(s->token.name));
    }
}


/*
 * Reads the tag whose '<' or, of an end tag, '/' is at p[-1].  Of attributes
 * that nobody asks for, only the end is looked for.  NULL: it does not end.
 */
static inline const char *
dt_scan_read(dt_scan_t *s, const char *p, const char *end)
{
    dt_token_t *t = &s->token;

    if (s->records == NULL || (s->stack[s->depth].state & DT_OPEN_HOT)
        || !s->in_body || s->nest.name || end - p < DT_BLOCK + DT_TOKEN_NEAR
        || (t->len = dt_name_block(p, &t->name)) == 0)
    {
        return dt_token_read(t, p, end);
    }

    t->rest = p + t->len;
    t->limit = end;
    t->n = 0;
    t->regular = 0;
    t->end = *t->rest == '>' ? t->rest + 1 : dt_token_near(t->rest, end);

    return t->end;
}


const char *
dt_scan_markup(dt_scan_t *s, const char *p, const char *end)
{
    int end_tag = p[1] == '/';
    const char *q;

    if (end_tag && end - p >= 2 + DT_SCAN_ENDS && !s->nest.name
        && dt_scan_ends(&s->stack[s->depth], p + 2))
    {
        q = p + 3 + s->stack[s->depth].len;
        dt_scan_apart(s);
        dt_scan_close(s, dt_scan_off(s, q), 0);
        return q;
    }

    if (end - p < 2 + end_tag || !dt_char_is(p[1 + end_tag], DT_C_ALPHA)) {
        return dt_scan_other(s, p, end);
    }

    q = dt_scan_read(s, p + 1 + end_tag, end);

    if (q != NULL) {
        dt_scan_tag(s, p);
    }

    return q;
}
