
/*
 * Copyright (C) The detemplate authors
 *
 * An element begins: where a parser has it, and whether it may be template.
 */


#include "core/scan/element.h"
#include "core/template/table.h"


/*
 * End tags that are left out, as far as a start tag tells where they would be,
 * and what the element of that tag is then worth.
 */


/* a row, a cell, ... ends what stands in its table and in none of these */
static int
dt_scan_clear_table(dt_scan_t *s, uint64_t start)
{
    unsigned depth = s->depth, n = dt_scan_in_table(s);

    if (s->stack[n].flags & DT_TAG_TABLE) {
        dt_scan_close_above(s, n, start, 1);
    }

    return s->depth != depth;
}


/* the start of an element closes what may end without an end tag */
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


/*
 * Whether all of e, which ends there, is cut, whatever becomes of what it is
 * in, and it closed no other itself.  Where an element begins is not noted
 * below what cannot be template, but there is no region in such a one either.
 */
static int
dt_scan_gone(const dt_scan_t *s, const dt_open_t *e, uint64_t end)
{
    const dt_region_t *r = &s->regions[s->nregions];

    return s->nregions && !(e->state & DT_OPEN_CLOSED) && !r[-1].weak
           && r[-1].start + r[-1].len == end && r[-1].start <= e->start;
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


int
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

    return cleared                                           ? DT_OPEN_GLUED
           : dt_scan_gone(s, &s->stack[s->depth + 1], start) ? 0
           : dt_scan_all_implied(s, depth)                   ? DT_OPEN_CLOSED
                                                             : DT_OPEN_GLUED;
}


/* sets what is known of e by its start tag; what embeds something is told
   apart by all attributes, since its words are for who cannot show it */
static inline void
dt_scan_sums(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag)
{
    int embeds = tag == &dt_tag_unknown || (tag->is & DT_IS_OBJECT);
    uint64_t sum, bare = 0;

    sum = dt_token_sum(&s->token, &s->address, embeds ? &bare : NULL);
    e->bare = !s->token.regular || s->token.n ? DT_BARE_OTHERS : DT_BARE_NONE;
    e->hash = dt_mix(e->name, sum + bare);
}


/* whether an element alive may begin here: its start tag is known */
static int
dt_scan_known(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag)
{
    size_t slot;

    dt_scan_sums(s, e, tag);

    slot =
        dt_table_find(s->nodes, s->node_bits, dt_key_start(e->path, e->hash));

    if (slot == DT_TABLE_NONE || !(s->info[slot] & DT_NODE_START)
        || (e->state & DT_OPEN_UNSOUND))
    {
        /* nothing will be alive */

        if (!s->alive || dt_scan_leads(s, e->path)) {
            e->state |= DT_OPEN_KNOWN;
        }

        return 0;
    }

    e->state |= DT_OPEN_KNOWN;

    if (s->info[slot] & DT_NODE_WRAPPER) {
        e->state |= DT_OPEN_WRAPPER;
    }

    return 1;
}


static void
dt_scan_open_record(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag)
{
    dt_record_t *rec;

    dt_scan_sums(s, e, tag);
    e->words = 0;
    e->links = 0;
    e->mark = (uint32_t) s->nrecords;

    rec = dt_scan_record(s);
    if (rec == NULL) {
        return;
    }

    rec->start_key = dt_key_start(e->path, e->hash);
    rec->path = e->path;
    rec->name = e->name;
    rec->start = (uint32_t) e->start;
    rec->parent = s->depth > 1 ? s->stack[s->depth - 1].mark : UINT32_MAX;
    rec->shape = dt_shape_kind(&s->token);
}


/* whether an element that begins stands in a line of text */
static inline void
dt_scan_line(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag)
{
    if (tag->kind != DT_TAG_A && tag->kind != DT_TAG_INLINE) {
        dt_line_break(s);

    } else if (e[-1].state & (DT_OPEN_KNOWN | DT_OPEN_LINE)) {
        e->state = DT_OPEN_LINE;
    }
}


/* whether a parser opens what was left open again before e, and has e, and
   what comes behind it, in that */
static int
dt_scan_goes_on(const dt_open_t *e)
{
    unsigned flags =
        e->flags
        & (DT_TAG_SPECIAL | DT_TAG_SCOPE | DT_TAG_TABLE | DT_TAG_INTABLE);

    return !(flags & DT_TAG_SPECIAL) || e->name == DT_NAME_SELECT
           || flags == (DT_TAG_SPECIAL | DT_TAG_SCOPE);
}


/* what dt_scan_push() leaves out: where e, at offset start, begins */
static inline void
dt_scan_note(const dt_scan_t *s, dt_open_t *e, uint64_t start,
             uint32_t out_of_place)
{
    size_t len = (size_t) (s->token.rest - s->token.start - 1);

    e->name_len = (uint8_t) (len < 255 ? len : 0);
    e->start = start;
    e->child = 0;
    e->mark = s->nregions;
    e->made = s->made;
    e->out_of_place = out_of_place;
    e->relative = s->address.relative;
    e->whole_path = s->address.whole_path;
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
    int open = s->unclosed & DT_UNCLOSED_LINK;

    if (tag->kind != DT_TAG_A) {
        return tag->name == DT_NAME_NOBR ? s->unclosed & DT_UNCLOSED_NOBR : 0;
    }

    if (open && !dt_scan_select(s) && !dt_scan_marked(s)) {
        s->unclosed &= (uint8_t) ~DT_UNCLOSED_LINK;
    }

    s->links++;

    return open;
}


/*
 * Whether e is formatting of which three equal ones are open, as far as their
 * names tell: with it, a parser forgets the first, which it then does not open
 * again.  What is around a cell or a caption does not count.
 */
static int
dt_scan_is_fourth(dt_scan_t *s, const dt_open_t *e)
{
    unsigned n, same = s->nunclosed[dt_tag_slot(e->name) % DT_SCAN_UNCLOSED];
    const unsigned cell = DT_TAG_INTABLE | DT_TAG_SCOPE;

    for (n = s->depth - 1; n && (s->stack[n].flags & cell) != cell; n--) {
        same += s->stack[n].name == e->name;
    }

    s->out_of_place += same > 0; /* no path names them */

    if (same >= 2 && !dt_scan_three_equal(s)) {
        s->three_left =
            s->nunclosed[dt_tag_slot(e->name) % DT_SCAN_UNCLOSED] != 0;
        s->three = s->depth;
        s->three_start = e->start;
    }

    return same >= 3;
}


/*
 * Returns whether a parser has e where the scanner has it, as far as its start
 * tag tells.  closes says that the tag ends a link or a nobr that was left
 * open.
 */
static inline __attribute__((always_inline)) int
dt_scan_is_placed(dt_scan_t *s, const dt_open_t *e, const dt_tag_t *tag,
                  int closes)
{
    return !((tag->is & DT_IS_FORMAT) && dt_scan_is_fourth(s, e))
           && (!(e[-1].flags & DT_TAG_TABLE) || (tag->flags & DT_TAG_INTABLE))
           && !closes;
}


/* the same, and whether the tag may have a mark */
static int
dt_scan_is_sound(dt_scan_t *s, const dt_open_t *e, const dt_tag_t *tag,
                 int closes)
{
    return dt_scan_is_placed(s, e, tag, closes) && e->name_len != 0
           && s->token.whole
           && (s->token.regular || dt_token_markable(&s->token));
}


/* e is alive from here on, if its start tag is known; leads says that its path
   is one of the template's */
static void
dt_scan_enliven(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag, int leads)
{
    if (!leads || (s->keep_links && e->name == DT_NAME_A)
        || !dt_scan_known(s, e, tag))
    {
        dt_scan_kill(s);

    } else if (!s->alive) {
        s->alive = s->depth;

        if (!dt_line_waits(s)) {
            s->since = e->start;
        }
    }
}


/* a label or a part of a table begins */
static __attribute__((noinline)) void
dt_scan_label(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag)
{
    dt_open_t *parent = e - 1;

    if (parent->name == DT_NAME_TR && !parent->child) {
        /* a row's first cell is its label */
        parent->child = 1;
        e->flags |= e->name == DT_NAME_TD ? DT_TAG_LABEL : 0;

    } else if ((tag->flags & (DT_TAG_SPECIAL | DT_TAG_INTABLE))
                   == DT_TAG_SPECIAL
               && tag->kind == DT_TAG_OTHER && !s->alive)
    {
        /* a figcaption or summary, also behind what it labels, where something
           of a figure or of details stays */
        s->line = DT_LINE_STAYS;
        s->line_link = 0;
    }
}


/* e, in which nothing can be template, begins: maybe in what may go by its
   shape, where words are counted */
static inline void
dt_scan_open_cold(dt_scan_t *s, dt_open_t *e, const dt_tag_t *tag, int closes)
{
    if (s->shape) {
        e->words = 0;
        e->links = 0;

        if (!dt_scan_is_placed(s, e, tag, closes)) {
            dt_scan_unsound(s, e);
        }
    }
}


int
dt_scan_open(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    int closes, leads, closed, opens = 0, body = 0;
    uint32_t out_of_place = s->out_of_place;
    dt_open_t *e, *parent;

    closed = dt_scan_begin(s, start, tag);
    if (closed == DT_SCAN_NONE) {
        return 0;
    }

    out_of_place -= closed >= 0;
    parent = &s->stack[s->depth];

    if (s->unclosed) {
        opens = dt_scan_opens(s);
        body = s->unclosed & DT_UNCLOSED_BODY;
        s->unclosed &= (uint8_t) ~DT_UNCLOSED_BODY;
    }

    if (s->depth == DT_SCAN_DEPTH) {
        dt_scan_pass(s);
        s->too_deep = 1;
        return 0;
    }

    e = parent + 1;

    dt_scan_push(e, s->token.name, s->token.len, tag, ++s->depth);

    closes = dt_scan_ends_unclosed(s, tag);

    dt_scan_line(s, e, tag);

    if (dt_force_wants(s)) {
        dt_force_open(s, e, start, tag,
                      closes || opens ? DT_OPEN_GLUED : closed);
    }

    if (!(parent->state & DT_OPEN_KNOWN)) {
        dt_scan_open_cold(s, e, tag, closes);
        return 1;
    }

    e->path = tag->flags & DT_TAG_STYLE ? parent->path
                                        : dt_key_path(parent->path, e->name);

    leads = s->alive || s->recording || dt_scan_leads(s, e->path);

    if (!leads && !s->last) {
        dt_scan_open_cold(s, e, tag, closes);
        return 1;
    }

    dt_scan_note(s, e, start, out_of_place);

    if (tag->flags & (DT_TAG_LABEL | DT_TAG_INTABLE)) {
        dt_scan_label(s, e, tag);
    }

    e->state |= opens && (body || dt_scan_goes_on(e)) ? DT_OPEN_GLUED
                : closed >= 0                         ? (uint8_t) closed
                : dt_scan_glued(s)                    ? DT_OPEN_GLUED
                                                      : 0;

    if (!dt_scan_is_sound(s, e, tag, closes)) {
        dt_scan_unsound(s, e);
    }

    if (s->recording) {
        e->state |= DT_OPEN_KNOWN;
        dt_scan_open_record(s, e, tag);

    } else {
        dt_scan_enliven(s, e, tag, leads);
    }

    if (s->bold) {
        dt_shape_open(s, e);
    }

    return 1;
}
