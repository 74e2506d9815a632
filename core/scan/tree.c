
/*
 * Copyright (C) The detemplate authors
 *
 * The stack of open elements.  It follows the tree construction of the HTML
 * standard where it matters (implied end tags, scopes, tables).  Where
 * following on would need a parser (misnested formatting, foster parents), the
 * elements concerned are unsound: they stay in the page.
 */


#include <stdlib.h>

#include "core/scan/tree.h"
#include "core/template/table.h"


dt_status_t
dt_scan_grow(dt_scan_t *s)
{
    dt_records_t *v = s->records;
    uint32_t *hot, max = v->max ? 2 * v->max : 1024;
    dt_record_t *elts = NULL;

    if (max > v->max) {
        elts = realloc(v->elts, max * sizeof(dt_record_t));
    }

    if (elts != NULL) {
        v->elts = elts;
        hot = realloc(v->hot, max * sizeof(uint32_t));

        if (hot != NULL) {
            v->hot = hot;
            v->max = max;
            return DT_OK;
        }
    }

    v->nomem = 1;
    dt_scan_turn(s, DT_SCAN_PASS, 0);

    return DT_ENOMEM;
}


void
dt_scan_free(dt_records_t *records)
{
    free(records->elts);
    free(records->hot);
    memset(records, 0, sizeof(dt_records_t));
}


/* Passes the rest of the page: none of it is template, nor is any element that
   is open. */
static void
dt_scan_pass(dt_scan_t *s)
{
    unsigned n;

    for (n = 0; n <= s->depth; n++) {
        s->stack[n].state |= DT_OPEN_UNSOUND;
    }

    dt_scan_turn(s, DT_SCAN_PASS, 0);
}


void
dt_scan_give_up(dt_scan_t *s)
{
    if (s->records != NULL) {
        dt_scan_pass(s);
    }
}


void
dt_scan_stay(dt_scan_t *s, unsigned why)
{
    s->stays |= (uint8_t) why;
    dt_scan_pass(s);
}


void
dt_scan_stop(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->flags & DT_TAG_RAW) {
        dt_scan_pass(s);

    } else if (s->records != NULL) {
        dt_scan_stay(s, DT_STAYS_FRAMES);
    }
}


void
dt_left_opened(dt_scan_t *s)
{
    const dt_open_t *e = &s->stack[s->depth];

    if (s->records != NULL && !(e->flags & DT_TAG_TABLE)) {
        s->left.depth = s->depth;
        s->left.start = e->start;
    }
}


void
dt_left_ended(dt_scan_t *s, unsigned what)
{
    s->left.what &= (uint8_t) ~what;
}


void
dt_scan_unclosed_any(dt_scan_t *s)
{
    s->left.what |= DT_UNCLOSED_ANY;
    s->left.others = 1;
    s->left.depth = UINT32_MAX;
}


void
dt_scan_unclosed(dt_scan_t *s, const dt_tag_t *tag)
{
    if (tag->is & (DT_IS_FORMAT | DT_IS_ANCHOR)) {
        s->left.what |= tag->kind == DT_TAG_A       ? DT_UNCLOSED_LINK
                        : tag->name == DT_NAME_NOBR ? DT_UNCLOSED_NOBR
                                                    : DT_UNCLOSED_STYLE;
        s->left.count[dt_tag_slot(tag->name) % DT_SCAN_UNCLOSED]++;
        s->left.depth = UINT32_MAX;

    } else if (tag->is & DT_IS_OBJECT) {
        /* its marker stays, and keeps others from being found */
        dt_scan_unclosed_any(s);
    }
}


/* Looks up the key of a record. */
void
dt_scan_find(const dt_scan_t *s, dt_record_t *r)
{
    size_t slot = dt_table_find(s->tables.nodes, s->tables.node_bits, r->key);

    if (slot != DT_TABLE_NONE && !(s->tables.info[slot] & DT_NODE_START)) {
        r->state |= DT_RECORD_FOUND;
        r->info = s->tables.info[slot];
    }
}


/* the hash that tells e, which ended without text, apart beside its own */
static uint64_t
dt_scan_bare(const dt_scan_t *s, const dt_open_t *e)
{
    uint64_t bare = 0;
    dt_token_t t;
    dt_address_t address = s->address;

    t.look = NULL;

    if (dt_token_read(&t, dt_scan_at_off(s, e->start) + 1, s->limit) != NULL) {
        t.regular = 0; /* which leaves classes out */
        (void) dt_token_attrs_sum(&t, &address, &bare);
    }

    return bare;
}


/* the words and the hash of e, which ended, go into those of the element
   around it; and e is looked up, if it may be template */
static void
dt_scan_closed_hot(dt_scan_t *s, dt_open_t *e, dt_record_t *r)
{
    dt_open_t *parent = e - 1;

    r->words = e->words;
    r->links = e->links;
    parent->words += e->words;
    parent->links += e->links;

    if (!(e->state & DT_OPEN_KNOWN)) {
        return;
    }

    if (e->bare == DT_BARE_TEXT) {
        parent->bare = DT_BARE_TEXT;

    } else if (e->bare == DT_BARE_OTHERS) {
        e->hash = dt_mix(e->hash, dt_scan_bare(s, e));
    }

    parent->hash = dt_mix(parent->hash, e->hash);

    if (!(e->state & DT_OPEN_UNSOUND)) {
        r->key = dt_key_node(e->path, e->hash);

        if (!dt_scan_learns(s)) {
            dt_scan_find(s, r);
        }
    }
}


/* the innermost element, which has a record, ends at an offset */
static inline void
dt_scan_closed(dt_scan_t *s, uint64_t end, int implied)
{
    dt_open_t *e = &s->stack[s->depth], *parent = e - 1;
    dt_record_t *r = &s->records->elts[e->record];

    if (s->form > e->start) {
        /*
         * a form inside it is still open, so another one cannot begin after it
         */
        e->state |= DT_OPEN_UNSOUND;
    }

    r->end = (uint32_t) end;
    r->next = s->records->n;
    r->weak = implied ? e->weak & (uint8_t) ~DT_WEAK_CLOSED : e->weak;
    r->state |= e->state & (DT_OPEN_UNSOUND | DT_OPEN_WHITE);
    parent->state |= e->state & (DT_OPEN_UNSOUND | DT_OPEN_WHITE);

    if (e->state & DT_OPEN_HOT) {
        dt_scan_closed_hot(s, e, r);
    }
}


void
dt_scan_close(dt_scan_t *s, uint64_t end, int implied)
{
    if (s->records != NULL) {
        dt_scan_closed(s, end, implied);
    }

    dt_scan_pop(s);
}


void
dt_scan_close_above(dt_scan_t *s, unsigned n, uint64_t end, int in_table)
{
    dt_open_t *e;

    if (dt_scan_select(s) > n) {
        /* a parser keeps the element open and ignores all tags inside it */
        dt_scan_give_up(s);

        if (s->state == DT_SCAN_PASS) {
            return;
        }
    }

    while (s->depth > n) {
        e = &s->stack[s->depth];

        if (!(e->flags & DT_TAG_IMPLIED)
            && !(in_table && (e->flags & DT_TAG_INTABLE))) {
            e->state |= DT_OPEN_UNSOUND;
            s->stack[n].state |= DT_OPEN_UNSOUND;
            dt_scan_unclosed(s, dt_tag_find(e->name));
            s->left.others = s->left.others || !(e->flags & DT_TAG_SPECIAL);
        }

        dt_scan_close(s, end, 1);
    }
}


void
dt_scan_close_to(dt_scan_t *s, unsigned n, uint64_t inner, uint64_t end,
                 int in_table)
{
    dt_scan_close_above(s, n, inner, in_table);

    if (s->depth == n) {
        dt_scan_close(s, end, inner == end);
    }
}


void
dt_scan_close_all(dt_scan_t *s, uint64_t end)
{
    while (s->depth) {
        s->stack[s->depth].state |= DT_OPEN_UNSOUND;
        dt_scan_close(s, end, 1);
    }
}


unsigned
dt_scan_in_table(const dt_scan_t *s)
{
    unsigned n = s->depth;

    while (n && !(s->stack[n].flags & (DT_TAG_TABLE | DT_TAG_INTABLE))) {
        n--;
    }

    return n;
}


/* returns whether an end tag ends e: that of any heading ends a heading */
static int
dt_scan_is_ended(const dt_open_t *e, uint64_t name, const dt_tag_t *tag)
{
    return e->name == name
           || (tag->kind == DT_TAG_HEADING
               && dt_tag_find(e->name)->kind == DT_TAG_HEADING);
}


unsigned
dt_scan_ended(const dt_scan_t *s, uint64_t name, const dt_tag_t *tag)
{
    unsigned n, low;
    const dt_open_t *e = &s->stack[s->depth];

    if (tag->kind < DT_TAG_A) {
        n = dt_near(e, tag->kind);

        if (n && s->stack[n].name == name) {
            return n;
        }

        if (tag->kind != DT_TAG_LI && tag->kind != DT_TAG_D) {
            return 0;
        }
    }

    low = s->depth > 64 ? s->depth - 64 : 0;

    for (n = s->depth; n > low; n--) {
        e = &s->stack[n];

        if (dt_scan_is_ended(e, name, tag)) {
            return n;
        }

        if (name == DT_NAME_NOSCRIPT) {
            /* its inside never goes on behind it where scripts run */
            continue;
        }

        /* of special elements, only the end tag of a p stops at a button */

        if ((e->flags & DT_TAG_SCOPE) && !(tag->flags & DT_TAG_TABLE)
            && (e->name != DT_NAME_BUTTON || !(tag->flags & DT_TAG_SPECIAL)))
        {
            return 0;
        }

        if (tag->kind == DT_TAG_LI
            && (e->name == DT_NAME_UL || e->name == DT_NAME_OL)) {
            return 0;
        }

        if ((e->flags & DT_TAG_SPECIAL)
            && !(tag->flags & (DT_TAG_SPECIAL | DT_TAG_CLOSES_P)))
        {
            return 0;
        }
    }

    return 0;
}


/*
 * Tags that are out of place.  The tree that a parser makes of them is
 * followed where that is simple and where real pages need it: the tables below
 * list these cases.  Elements of other cases are not cut.  Where the place of
 * the next token is not sure, the rest of the page passes.
 */

/* the ways to treat a tag that is out of place */
enum {
    DT_SOUP_PASS = 1,     /* the rest of the page passes */
    DT_SOUP_LOSE = 2,     /* dt_scan_lose() */
    DT_SOUP_ENDS = 4,     /* it ends the element, which was left open */
    DT_SOUP_STAYS = 8,    /* the element around it is no template */
    DT_SOUP_SKIP = 16,    /* it begins no element */
    DT_SOUP_REOPENS = 16, /* formatting that it ends begins again behind it */
    DT_SOUP_BODY = 32,    /* the body has ended */
    DT_SOUP_BREAK = 64,   /* a line of text ends */
    DT_SOUP_POPS = 128,   /* all up to the element ends, of any kind */
    DT_SOUP_CLEARS = 256, /* all in the element ends */
    DT_SOUP_BEGINS = 512, /* it begins an element all the same */
    DT_SOUP_FOLLOW = 1024 /* the rest of the page passes, but for a scanner
                             that only follows */
};

/* an out of place tag */
typedef struct {
    unsigned kinds; /* bits of dt_tag_kind_t, */
    unsigned flags; /* DT_TAG_*, */
    int is;         /* and DT_IS_*: of tags that have one of these */

    /* sets *n to the depth of the element that it concerns, which is the depth
       of the stack or, for an end tag, of the element that it ends; NULL: each
       such tag is out of place */
    int (*when)(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n);

    unsigned what; /* DT_SOUP_* */
} dt_soup_t;

#define DT_KIND(kind) (1u << DT_TAG_##kind)


/* whether a parser that has another tree inside of e ends e where its own end
   tag is */
static int
dt_scan_holds(const dt_open_t *e)
{
    return (e->flags & DT_TAG_SPECIAL) && e->name != DT_NAME_FORM
           && (!(e->flags & DT_TAG_IMPLIED) || (e->flags & DT_TAG_INTABLE));
}


void
dt_scan_lose(dt_scan_t *s, unsigned n)
{
    while (n && !dt_scan_holds(&s->stack[n])) {
        n--;
    }

    for (; n <= s->depth; n++) {
        s->stack[n].state |= DT_OPEN_UNSOUND | DT_OPEN_LOST;
    }

    dt_scan_unclosed_any(s);
}


unsigned
dt_scan_scoped(const dt_scan_t *s, uint64_t name)
{
    unsigned n = s->depth;

    while (n && s->stack[n].name != name) {
        if ((s->stack[n].flags & DT_TAG_SCOPE)
            && s->stack[n].name != DT_NAME_BUTTON) {
            return 0;
        }

        n--;
    }

    return n;
}


/* a form in another one */
static int
dt_soup_in_form(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) n;

    return tag->kind == DT_TAG_FORM && s->form != 0;
}


/* a button in another one */
static int
dt_soup_in_button(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = tag->name == DT_NAME_BUTTON ? dt_scan_scoped(s, tag->name) : 0;

    return *n != 0;
}


/* a nobr in another one */
static int
dt_soup_in_nobr(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = tag->name == DT_NAME_NOBR ? dt_scan_scoped(s, tag->name) : 0;

    return *n != 0;
}


/* a select in a select, whose end tag it is taken for */
static int
dt_soup_of_itself(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = dt_scan_select(s);

    return *n != 0 && (tag->is & DT_IS_SELECT);
}


/* a field that ends a select */
static int
dt_soup_in_select(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = dt_scan_select(s);

    return *n != 0 && (tag->is & DT_IS_SELECT_END);
}


/* raw text, or svg and the like, in a select: an older standard drops its
   tags */
static int
dt_soup_raw_in_select(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = dt_scan_select(s);

    return *n != 0 && tag->name != DT_NAME_SCRIPT
           && tag->name != DT_NAME_TEMPLATE;
}


/* a part of a table that is in no table at all */
static int
dt_soup_in_none(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) tag;
    (void) n;

    return !dt_scan_in_table(s) && !dt_scan_scoped(s, DT_NAME_TEMPLATE);
}


/* a table right in a table, or in its section or row, which it ends */
static int
dt_soup_in_rows(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    unsigned k = s->depth;

    if (tag->flags & DT_TAG_INTABLE) {
        return 0;
    }

    while (k && s->stack[k].name != DT_NAME_TABLE
           && (s->stack[k].flags & DT_TAG_TABLE))
    {
        k--;
    }

    *n = k;

    return k && s->stack[k].name == DT_NAME_TABLE;
}


/* a table in no cell of the one that it is in, or a part of a table that is
   not where it may be: a caption or columns in the table itself, col in
   colgroup as well, the others not in these */
static int
dt_soup_in_no_place(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    unsigned flags = s->stack[dt_scan_in_table(s)].flags
                     & (DT_TAG_TABLE | DT_TAG_INTABLE | DT_TAG_SCOPE);

    (void) n;

    if (!(tag->flags & DT_TAG_INTABLE)) {
        return (flags & (DT_TAG_TABLE | DT_TAG_SCOPE)) != DT_TAG_SCOPE;
    }

    if (tag->kind == DT_TAG_OTHER) {
        return flags != (DT_TAG_TABLE | DT_TAG_SCOPE)
               && (flags != DT_TAG_INTABLE || !(tag->flags & DT_TAG_VOID));
    }

    return !(s->stack[dt_scan_in_table(s)].flags
             & (DT_TAG_TABLE | DT_TAG_IMPLIED));
}


/* a link in a link */
static int
dt_soup_in_link(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) tag;

    *n = dt_near(&s->stack[s->depth], DT_TAG_A);

    return *n != 0;
}


/* a heading right in a heading */
static int
dt_soup_in_heading(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    return dt_tag_find(s->stack[*n].name)->kind == tag->kind;
}


/* a table in a p, where not all parsers have it there */
static int
dt_soup_in_p(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) tag;

    *n = dt_near(&s->stack[s->depth], DT_TAG_P);

    return *n != 0 && s->doctype == DT_DOCTYPE_OTHER && (*n)--;
}


/* a form that ends while other elements of it are open */
static int
dt_soup_is_first(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    unsigned k = s->depth;

    (void) tag;

    while (k > *n && (s->stack[k].flags & DT_TAG_IMPLIED)) {
        k--;
    }

    return *n != 0 && k > *n && dt_scan_select(s) < *n;
}


/* a section of a table that is not open ends a row, where a parser has made up
   the section */
static int
dt_soup_of_row(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    unsigned row = dt_near(&s->stack[s->depth], DT_TAG_ROW);

    (void) tag;

    if (*n != 0 || row == 0) {
        return 0;
    }

    *n = row - 1;

    return 1;
}


/* a select does not end where something else is open in it */
static int
dt_soup_of_select(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    return *n == 0 && tag->name == DT_NAME_SELECT && dt_scan_select(s);
}


static int
dt_soup_of_none(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) s;
    (void) tag;

    return *n == 0;
}


/* a parser makes an element of the end tag alone */
static int
dt_soup_of_p(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    (void) s;

    return *n == 0 && (tag->kind == DT_TAG_P || tag->name == DT_NAME_BR);
}


/* formatting ends inside of a block that it is around */
static int
dt_soup_of_around(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    *n = dt_scan_scoped(s, tag->name);

    return *n != 0;
}


/* the element that ends may have been left open and reopened */
static int
dt_soup_of_unclosed(const dt_scan_t *s, const dt_tag_t *tag, unsigned *n)
{
    return *n == 0 && s->left.others && !(tag->flags & DT_TAG_SPECIAL);
}


/* start tags, before they end anything; the first case that fits is done */
static const dt_soup_t dt_soup_starts[] = {
    { DT_KIND(STOP), 0, 0, NULL, DT_SOUP_PASS },
    { DT_KIND(BODY) | DT_KIND(HTML) | DT_KIND(HEADTAG), 0, 0, NULL,
      DT_SOUP_STAYS },
    { 0, DT_TAG_RULE, 0, dt_soup_in_form, DT_SOUP_SKIP },
    { 0, DT_TAG_RULE, 0, dt_soup_of_itself, DT_SOUP_POPS | DT_SOUP_FOLLOW },
    { 0, DT_TAG_RULE | DT_TAG_RAW, 0, dt_soup_in_select,
      DT_SOUP_POPS | DT_SOUP_BEGINS | DT_SOUP_FOLLOW },
    { 0, DT_TAG_RAW | DT_TAG_NEST, 0, dt_soup_raw_in_select,
      DT_SOUP_STAYS | DT_SOUP_BEGINS | DT_SOUP_FOLLOW },
    { 0, DT_TAG_INTABLE, 0, dt_soup_in_none, DT_SOUP_SKIP | DT_SOUP_FOLLOW },
    { 0, DT_TAG_TABLE, 0, dt_soup_in_rows,
      DT_SOUP_POPS | DT_SOUP_BEGINS | DT_SOUP_FOLLOW },
    { 0, DT_TAG_TABLE | DT_TAG_INTABLE, 0, dt_soup_in_no_place, DT_SOUP_PASS },
    { 0, 0, 0, NULL, 0 },
};

/* start tags, when elements that may end without an end tag have ended */
static const dt_soup_t dt_soup_inner[] = {
    { 0, DT_TAG_TABLE, 0, dt_soup_in_p, DT_SOUP_LOSE },
    { DT_KIND(A), 0, 0, dt_soup_in_link, DT_SOUP_ENDS },
    { 0, DT_TAG_RULE, 0, dt_soup_in_button, DT_SOUP_POPS },
    { 0, DT_TAG_RULE, 0, dt_soup_in_nobr, DT_SOUP_ENDS },
    { DT_KIND(HEADING), 0, 0, dt_soup_in_heading, DT_SOUP_ENDS },
    { 0, 0, 0, NULL, 0 },
};

/* end tags */
static const dt_soup_t dt_soup_ends[] = {
    { DT_KIND(FORM), 0, 0, dt_soup_is_first, DT_SOUP_LOSE },
    { DT_KIND(SECTION), 0, 0, dt_soup_of_row,
      DT_SOUP_CLEARS | DT_SOUP_FOLLOW },
    { 0, 0, DT_IS_SELECT, dt_soup_of_select, DT_SOUP_PASS },
    { DT_KIND(BODY) | DT_KIND(HTML), 0, 0, dt_soup_of_none, DT_SOUP_BODY },
    { 0, DT_TAG_SPECIAL, 0, dt_soup_of_p, DT_SOUP_STAYS | DT_SOUP_BREAK },
    { 0, 0, DT_IS_FORMAT | DT_IS_ANCHOR, dt_soup_of_around,
      DT_SOUP_STAYS | DT_SOUP_REOPENS },
    { ~0u, 0, 0, dt_soup_of_unclosed, DT_SOUP_STAYS },
    { 0, 0, 0, NULL, 0 },
};


/* the case of a tag, or the last of the table; *n: see dt_soup_t */
static const dt_soup_t *
dt_soup_find(const dt_soup_t *c, const dt_scan_t *s, const dt_tag_t *tag,
             unsigned *n)
{
    unsigned m = *n;

    for (; c->what; c++) {
        if (((c->kinds & (1u << tag->kind)) || (c->flags & tag->flags)
             || (c->is & tag->is))
            && (c->when == NULL || c->when(s, tag, &m)))
        {
            *n = m;
            break;
        }

        m = *n;
    }

    return c;
}


/* ends the elements open from depth n on, as far as a parser does that too */
static void
dt_soup_close(dt_scan_t *s, unsigned n, uint64_t start)
{
    unsigned k;

    for (k = n; k <= s->depth; k++) {
        s->stack[k].state |= DT_OPEN_UNSOUND;

        if (k > n && (s->stack[k].flags & DT_TAG_SPECIAL)) {
            /* a parser goes on in it, and has moved the other one into it */
            dt_scan_lose(s, n);
            return;
        }
    }

    dt_scan_close_to(s, n, start, start, 0);
}


/* ends the element at depth n and all in it, which the start tag of another
   one does */
static void
dt_soup_pop(dt_scan_t *s, unsigned n, uint64_t start, int begins)
{
    if (!begins) {
        /* the tag would begin one if this one were cut */
        s->stack[n].state |= DT_OPEN_UNSOUND;
    }

    dt_scan_close_to(s, n, start, start, s->stack[n].name == DT_NAME_TABLE);
}


int
dt_soup_start(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned n = s->depth;
    unsigned what = dt_soup_find(dt_soup_starts, s, tag, &n)->what;
    int begins = (what & DT_SOUP_BEGINS) != 0;

    if ((what & DT_SOUP_FOLLOW) && s->records != NULL) {
        dt_scan_pass(s);
        return 1;
    }

    if (tag->kind == DT_TAG_STOP) {
        dt_scan_stop(s, tag);

    } else if (what & DT_SOUP_PASS) {
        dt_scan_give_up(s);

    } else if ((what & DT_SOUP_STAYS) && n) {
        s->stack[n].state |= DT_OPEN_UNSOUND;

    } else if (what & DT_SOUP_POPS) {
        dt_soup_pop(s, n, start, begins);
    }

    return what != 0 && !begins;
}


void
dt_soup_begin(dt_scan_t *s, uint64_t start, const dt_tag_t *tag)
{
    unsigned n = s->depth;
    unsigned what = dt_soup_find(dt_soup_inner, s, tag, &n)->what;

    if (what & DT_SOUP_LOSE) {
        dt_scan_lose(s, n);

    } else if (what & DT_SOUP_ENDS) {
        dt_soup_close(s, n, start);

    } else if (what & DT_SOUP_POPS) {
        dt_soup_pop(s, n, start, 1);
    }
}


int
dt_soup_end(dt_scan_t *s, const dt_tag_t *tag, unsigned n, uint64_t start)
{
    unsigned k = n;
    unsigned what = dt_soup_find(dt_soup_ends, s, tag, &k)->what;

    if ((what & DT_SOUP_FOLLOW) && s->records != NULL) {
        dt_scan_pass(s);
        return 1;
    }

    if (what & DT_SOUP_PASS) {
        dt_scan_give_up(s);

    } else if (what & DT_SOUP_LOSE) {
        dt_scan_lose(s, k);

    } else if (what & DT_SOUP_CLEARS) {
        dt_scan_close_above(s, k, start, 1);

    } else if (what & DT_SOUP_BODY) {
        dt_scan_break(s, 1);
        s->left.what |= DT_UNCLOSED_BODY;
        s->left.depth = UINT32_MAX;

    } else if (what & DT_SOUP_STAYS) {
        for (; (what & DT_SOUP_REOPENS) && k <= s->depth; k++) {
            dt_scan_unclosed(s, dt_tag_find(s->stack[k].name));
        }

        s->stack[s->depth].state |= DT_OPEN_UNSOUND;
        s->left.depth = UINT32_MAX;

        if (what & DT_SOUP_BREAK) {
            dt_scan_break(s, 1);
        }
    }

    return what != 0;
}
