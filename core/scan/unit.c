
/*
 * Copyright (C) The detemplate authors
 *
 * A unit, one thing for a reader, is cut whole or kept whole, and nothing that
 * stays loses its label:
 *
 * - A list whose items are lines, a data table, a row of lines, a pre and a
 *   figure are units.  While a word of one stays, all of it does.  Navigation
 *   is no unit: the entries of a menu may go singly.
 * - A heading stays while something in its section does.  The section ends
 *   with the next heading of its rank, or with the element that it is in.  In
 *   the main region a block that is all bold is a heading, too; links do not
 *   keep it.
 * - In a field, which is a small element of few texts in the main region, a
 *   text stays while a text behind it does.
 * - A label (legend, summary, label, ...) stays while a text behind it in the
 *   same element does, or a picture or a control there; a line that ends in a
 *   colon, while the text that comes next does.
 *
 * Links that stay are content only in the main region: the smallest element
 * that holds most of the page's own words.
 *
 * A table is a data table by the signs that browsers use for screen readers: a
 * caption, a th, five columns, twenty rows, or three columns and more rows
 * speak for it; a nested table, a form, a heading, a single row or a single
 * column against it.
 */


#include "core/scan/line.h"
#include "core/scan/unit.h"


#define DT_UNIT_MAIN                                                          \
    80 /* percent of the page's own text in its main
                              region */
#define DT_UNIT_LINKS                                                         \
    50                    /* percent of its texts that are links, of
                              navigation */
#define DT_UNIT_LINES 50  /* percent of the items of a list that are lines */
#define DT_UNIT_COLUMNS 5 /* of a table that needs no more to be of data */
#define DT_UNIT_ROWS 20   /* the same */
#define DT_UNIT_GRID 3    /* columns of one that has more rows than columns */
#define DT_UNIT_TEXTS 3   /* texts of a field */
#define DT_UNIT_LEVELS 3  /* elements around a text that may be its field */
#define DT_UNIT_HEAD                                                          \
    64                   /* records of an element that is only the wrapper of
                              a heading */
#define DT_UNIT_BESIDE 4 /* texts there beside the heading, all links */

/* a page while its units are looked for */
typedef struct {
    const dt_cut_t *cut;
    uint32_t own;      /* bytes of text that stay, and are no links, */
    uint32_t stay;     /* or are */
    uint32_t main;     /* the element that is the main region, */
    uint32_t main_end; /* and the first record behind; 0: there is none */
} dt_unit_t;


#define DT_NAME_DL dt_letters('d', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_B dt_letters('b', 0, 0, 0, 0, 0, 0, 0)
#define DT_NAME_STRONG dt_letters('s', 't', 'r', 'o', 'n', 'g', 0, 0)
#define DT_NAME_TH dt_letters('t', 'h', 0, 0, 0, 0, 0, 0)
#define DT_NAME_MENU dt_letters('m', 'e', 'n', 'u', 0, 0, 0, 0)
#define DT_NAME_LABEL dt_letters('l', 'a', 'b', 'e', 'l', 0, 0, 0)
#define DT_NAME_FIGURE dt_letters('f', 'i', 'g', 'u', 'r', 'e', 0, 0)
#define DT_NAME_CAPTION dt_letters('c', 'a', 'p', 't', 'i', 'o', 'n', 0)


static inline int
dt_unit_is_list(uint64_t name)
{
    return name == DT_NAME_UL || name == DT_NAME_OL || name == DT_NAME_MENU
           || name == DT_NAME_DL;
}


/* whether a block is all of a cell, or of an item */
static int
dt_unit_is_all(const dt_cut_t *c, uint32_t i)
{
    const dt_record_t *r = &c->r[i];

    return (r->kind == DT_TAG_P || r->name == DT_NAME_DIV)
           && r->parent == i - 1 && c->r[i - 1].next == r->next
           && (c->r[i - 1].kind == DT_TAG_LI || c->r[i - 1].kind == DT_TAG_D
               || c->r[i - 1].kind == DT_TAG_CELL);
}


/* whether an element is a group of a dl's terms and definitions */
static int
dt_unit_is_group(const dt_cut_t *c, const dt_record_t *r)
{
    return r->name == DT_NAME_DIV && r->parent != DT_RECORD_NONE
           && c->r[r->parent].name == DT_NAME_DL;
}


/* whether records from i to end are lines of text: inline elements and, in a
   list, lists, or in a table, its parts */
static int
dt_unit_lines(const dt_cut_t *c, uint32_t i, uint32_t end, int in_table)
{
    const dt_record_t *r;

    for (; i < end; i++) {
        r = &c->r[i];

        if (!(r->flags & (DT_TAG_SPECIAL | DT_TAG_CLOSES_P))
            || (r->state & DT_RECORD_LEAF) || dt_unit_is_all(c, i)
            || (in_table ? r->name != DT_NAME_TABLE
                               && (r->flags & (DT_TAG_TABLE | DT_TAG_INTABLE))
                         : r->kind == DT_TAG_LI || r->kind == DT_TAG_D
                               || dt_unit_is_list(r->name)
                               || dt_unit_is_group(c, r)))
        {
            continue;
        }

        return 0;
    }

    return 1;
}


/* whether most items of a list are lines: it is none of articles */
static int
dt_unit_items(const dt_cut_t *c, uint32_t list)
{
    uint32_t i, items = 0, lines = 0;

    for (i = list + 1; i < c->r[list].next; i = c->r[i].next) {
        if (c->r[i].name) {
            items++;
            lines += dt_unit_lines(c, i, c->r[i].next, 0) != 0;
        }
    }

    return lines * 100ull >= items * (uint64_t) DT_UNIT_LINES;
}


/* whether a table is one of data, and no layout */
static int
dt_unit_table(const dt_cut_t *c, uint32_t table)
{
    uint32_t i, rows = 0, cells = 0, columns = 0;
    unsigned heads = 0;
    const dt_record_t *r;

    for (i = table + 1; i < c->r[table].next; i++) {
        r = &c->r[i];

        if (r->name == DT_NAME_TABLE || r->kind == DT_TAG_FORM
            || r->kind == DT_TAG_HEADING)
        {
            return 0;
        }

        if (r->kind == DT_TAG_ROW) {
            rows++;
            cells = 0;

        } else if (r->kind == DT_TAG_CELL) {
            cells++;
            columns = cells > columns ? cells : columns;
        }

        heads |= r->name == DT_NAME_TH || r->name == DT_NAME_CAPTION;
    }

    return rows > 1
           && (heads || columns >= DT_UNIT_COLUMNS
               || (rows >= DT_UNIT_ROWS && columns > 1)
               || (columns >= DT_UNIT_GRID && rows > columns)
               || (columns > 1
                   && dt_unit_lines(c, table + 1, c->r[table].next, 1)));
}


/* whether most texts of an element are links */
static int
dt_unit_is_links(const dt_cut_t *c, uint32_t i)
{
    uint32_t texts = 0, links = 0, end = c->r[i].next;

    for (; i < end; i++) {
        if (c->r[i].state & DT_RECORD_SAYS) {
            texts++;
            links += (c->r[i].state & DT_RECORD_LINK) != 0;
        }
    }

    return links * 100ull >= texts * (uint64_t) DT_UNIT_LINKS;
}


/* whether an element is one thing, or may be: navigation is not known */
static int
dt_unit_is(const dt_cut_t *c, uint32_t i)
{
    const dt_record_t *r = &c->r[i];

    return dt_unit_is_list(r->name)   ? dt_unit_items(c, i)
           : r->name == DT_NAME_TABLE ? dt_unit_table(c, i)
           : r->kind == DT_TAG_ROW
               ? dt_unit_lines(c, i + 1, r->next, 1)
               : r->name == DT_NAME_PRE || r->name == DT_NAME_FIGURE;
}


/* all of the records from i to end stays: whether that is new */
static int
dt_unit_own(const dt_cut_t *c, uint32_t i, uint32_t end)
{
    uint32_t all = DT_RECORD_OWN;

    for (; i < end; i++) {
        all &= c->r[i].state;
        dt_record_own(c->r, i);
    }

    return !all;
}


/* Notes how much text stays before each record, and which texts have words. */
static void
dt_unit_sums(dt_unit_t *u)
{
    uint32_t i, len, own = 0, stay = 0;
    dt_record_t *r;
    const dt_cut_t *c = u->cut;

    for (i = 0; i < c->n; i++) {
        r = &c->r[i];
        r->own = own;
        r->stay = stay;

        if (r->state & DT_RECORD_SHAPED) {
            for (i++; i < r->next; i++) {
                c->r[i].own = own;
                c->r[i].stay = stay;
            }

            i--;
            continue;
        }

        if (r->name || (r->state & (DT_RECORD_CUT | DT_RECORD_MUTE))) {
            continue;
        }

        if (!(r->state & DT_RECORD_SAYS)) {
            r->state |= dt_line_says(c, r) ? DT_RECORD_SAYS : DT_RECORD_MUTE;

            if (r->state & DT_RECORD_MUTE) {
                continue;
            }
        }

        len = r->end - r->start;
        stay += len;
        own += r->state & DT_RECORD_LINK ? 0 : len;
    }

    u->own = own;
    u->stay = stay;
}


/* bytes of text that stay in the records from i to end; links: those of links
   count as well */
static uint32_t
dt_unit_stays(const dt_unit_t *u, uint32_t i, uint32_t end, int links)
{
    const dt_cut_t *c = u->cut;

    if (links) {
        return (end < c->n ? c->r[end].stay : u->stay) - c->r[i].stay;
    }

    return (end < c->n ? c->r[end].own : u->own) - c->r[i].own;
}


/* sets the main region */
static void
dt_unit_main(dt_unit_t *u)
{
    uint32_t i, next, end;
    const dt_cut_t *c = u->cut;

    u->main = 0;
    u->main_end = 0;

    for (i = 0, end = c->n; i < end; i = next) {
        next = c->r[i].next;

        if ((c->r[i].flags & DT_TAG_SPECIAL)
            && dt_unit_stays(u, i, next, 0) * 100ull
                   >= u->own * (uint64_t) DT_UNIT_MAIN)
        {
            u->main = i;
            u->main_end = next;

            if (c->r[i].flags & DT_TAG_MAIN) {
                return;
            }

            end = next;
            next = i + 1;
        }
    }
}


/* whether a picture, a control or the like stays in the records from i to
   end */
static int
dt_unit_shows(const dt_cut_t *c, uint32_t i, uint32_t end)
{
    const dt_record_t *r;

    for (; i < end; i++) {
        r = &c->r[i];

        if ((r->state & (DT_RECORD_LEAF | DT_RECORD_CUT)) == DT_RECORD_LEAF
            && !(r->flags & DT_TAG_SILENT) && r->name != DT_NAME_BR
            && r->name != DT_NAME_HR && r->name != DT_NAME_WBR)
        {
            return 1;
        }
    }

    return 0;
}


/* whether most text of an element stays */
static int
dt_unit_is_own(const dt_unit_t *u, uint32_t i)
{
    uint32_t k, all = 0;
    const dt_record_t *r = &u->cut->r[i];

    for (k = i + 1; k < r->next; k++) {
        all +=
            u->cut->r[k].name == 0 ? u->cut->r[k].end - u->cut->r[k].start : 0;
    }

    return dt_unit_stays(u, i, r->next, 1) * 2ull >= all;
}


/* keeps the units around the i-th record, which is cut, that are not cut as a
   whole */
static int
dt_unit_around(const dt_unit_t *u, uint32_t i, int in_main)
{
    int changed = 0;
    uint32_t up;
    dt_record_t *r;
    const dt_cut_t *c = u->cut;

    for (up = c->r[i].parent; up != DT_RECORD_NONE; up = r->parent) {
        r = &c->r[up];

        if (!(r->state & (DT_RECORD_UNIT | DT_RECORD_LOOSE))) {
            r->state |= dt_unit_is(c, up) ? DT_RECORD_UNIT : DT_RECORD_LOOSE;
            r->state |= dt_unit_is_links(c, up) ? DT_RECORD_LINKS : 0;
        }

        if ((r->state & (DT_RECORD_UNIT | DT_RECORD_OWN)) == DT_RECORD_UNIT
            && (dt_unit_stays(u, up, r->next, 1)
                || (r->name == DT_NAME_FIGURE
                    && dt_unit_shows(c, up, r->next)))
            && (in_main || !(r->state & DT_RECORD_LINKS)
                || (r->name == DT_NAME_TABLE && dt_unit_is_own(u, up))))
        {
            changed |= dt_unit_own(c, up, r->next);
        }
    }

    return changed;
}


/* whether an element is only the wrapper of the heading in it: there are but a
   few links beside */
static int
dt_unit_wraps(const dt_cut_t *c, uint32_t wrapper, uint32_t heading)
{
    uint32_t i, texts = 0;

    if (c->r[wrapper].next - wrapper > DT_UNIT_HEAD) {
        return 0;
    }

    for (i = wrapper + 1; i < c->r[wrapper].next; i++) {
        if (i == heading) {
            i = c->r[heading].next - 1;
            continue;
        }

        if (c->r[i].name == 0) {
            texts++;

            if (texts > DT_UNIT_BESIDE
                || !(c->r[i].state & (DT_RECORD_LINK | DT_RECORD_MUTE)))
            {
                return 0;
            }
        }
    }

    return 1;
}


/* whether something stays in the section of a heading */
static int
dt_unit_heads(const dt_unit_t *u, uint32_t heading, int in_main)
{
    const dt_cut_t *c = u->cut;
    char rank = c->page.data[c->r[heading].start + 2];
    uint32_t i = heading, end, up = c->r[heading].parent;

    for (; in_main && up != DT_RECORD_NONE && dt_unit_wraps(c, up, heading);
         up = c->r[up].parent)
    {
        i = up;
    }

    end = up == DT_RECORD_NONE ? c->n : c->r[up].next;

    for (i = c->r[i].next; i < end; i++) {
        if (c->r[i].kind == DT_TAG_HEADING
            && c->page.data[c->r[i].start + 2] <= rank) {
            return 0;
        }

        if (dt_unit_stays(u, i, i + 1, in_main)) {
            return 1;
        }
    }

    return 0;
}


/* keeps the headings, which are cut, of sections that stay, from i to end */
static int
dt_unit_headings(const dt_unit_t *u, uint32_t i, uint32_t end, int in_main)
{
    int changed = 0;

    for (; i < end; i++) {
        if (u->cut->r[i].kind == DT_TAG_HEADING
            && dt_unit_heads(u, i, in_main)) {
            changed |= dt_unit_own(u->cut, i, u->cut->r[i].next);
        }
    }

    return changed;
}


/* whether all of a block is bold */
static int
dt_unit_is_bold(const dt_cut_t *c, uint32_t i)
{
    const dt_record_t *r = &c->r[i];

    return (r->kind == DT_TAG_P || r->name == DT_NAME_DIV) && r->next > i + 2
           && c->r[i + 1].next == r->next
           && (c->r[i + 1].name == DT_NAME_B
               || c->r[i + 1].name == DT_NAME_STRONG);
}


/* keeps the i-th record, which is cut, if it is in a bold block, or one, while
   a text stays that stands behind it in the same element, up to a heading */
static int
dt_unit_bold(const dt_unit_t *u, uint32_t i)
{
    const dt_cut_t *c = u->cut;
    uint32_t k, end, up;

    while (!dt_unit_is_bold(c, i)) {
        up = c->r[i].parent;

        if (up == DT_RECORD_NONE || up + 2 < i
            || c->r[up].next != c->r[i].next) {
            return 0;
        }

        i = up;
    }

    up = c->r[i].parent;
    end = up == DT_RECORD_NONE ? c->n : c->r[up].next;

    for (k = c->r[i].next; k < end; k = c->r[k].next) {
        if (c->r[k].kind == DT_TAG_HEADING || dt_unit_is_bold(c, k)) {
            return 0;
        }

        if (dt_unit_stays(u, k, c->r[k].next, 0)) {
            return dt_unit_own(c, i, c->r[i].next);
        }
    }

    return 0;
}


/* keeps the i-th record, which is cut, if it is a label, or in one, while a
   text behind it in the same element stays, or a picture or a control there */
static int
dt_unit_label(const dt_unit_t *u, uint32_t i)
{
    const dt_cut_t *c = u->cut;
    uint32_t up = i, in, begin, end;

    while (up != DT_RECORD_NONE && !(c->r[up].flags & DT_TAG_LABEL)) {
        up = c->r[up].parent;
    }

    if (up == DT_RECORD_NONE || c->r[up].kind == DT_TAG_HEADING) {
        return 0;
    }

    in = c->r[up].parent;
    begin = in == DT_RECORD_NONE ? 0 : in;
    end = in == DT_RECORD_NONE ? c->n : c->r[in].next;

    return dt_unit_shows(c, up, c->r[up].next)
                   || (end - begin < DT_UNIT_HEAD
                       && (dt_unit_shows(c, begin, end)
                           || (c->r[up].name != DT_NAME_LABEL
                               && c->r[up].next < end
                               && dt_unit_stays(u, c->r[up].next, end, 1))))
               ? dt_unit_own(c, up, c->r[up].next)
               : 0;
}


/* whether a text ends in one of these bytes */
static int
dt_unit_ends(const char *p, const char *end, const char *with, size_t len)
{
    return (size_t) (end - p) > len && memcmp(end - len, with, len) == 0;
}


/* whether a text ends in a colon, in ASCII or of full width; a space that does
   not break may follow it */
static int
dt_unit_is_colon(const dt_cut_t *c, const dt_record_t *r)
{
    const char *p = c->page.data + r->start, *end = c->page.data + r->end;

    end -= dt_unit_ends(p, end, "&nbsp;", 6)     ? 6
           : dt_unit_ends(p, end, "&#160;", 6)   ? 6
           : dt_unit_ends(p, end, "\xc2\xa0", 2) ? 2
                                                 : 0;

    return end[-1] == ':' || dt_unit_ends(p, end, "\xef\xbc\x9a", 3);
}


/* keeps the i-th record, which is cut, if its last text ends in a colon and
   the text that comes next in the same element stays */
static int
dt_unit_colon(const dt_unit_t *u, uint32_t i)
{
    const dt_cut_t *c = u->cut;
    uint32_t k = c->r[i].next, end, up = c->r[i].parent;

    while (k > i && c->r[k - 1].name) {
        k--;
    }

    if (k == i || !dt_unit_is_colon(c, &c->r[k - 1])) {
        return 0;
    }

    end = up == DT_RECORD_NONE ? c->n : c->r[up].next;
    end = end - k < DT_UNIT_HEAD ? end : k + DT_UNIT_HEAD;

    for (; k < end; k++) {
        if (c->r[k].name == 0 && dt_line_says(c, &c->r[k])) {
            return !(c->r[k].state & DT_RECORD_CUT)
                   && dt_unit_own(c, i, c->r[i].next);
        }
    }

    return 0;
}


/* keeps the i-th record, which is cut, if it is in a field of the main
   region in which a text behind it stays; a paragraph is no label */
static int
dt_unit_field(const dt_unit_t *u, uint32_t i)
{
    uint32_t k, texts, up = u->cut->r[i].parent;
    unsigned level;
    const dt_cut_t *c = u->cut;

    if (c->r[i].kind == DT_TAG_P) {
        return 0;
    }

    for (level = 0; up != DT_RECORD_NONE && up > u->main && up < u->main_end
                    && level < DT_UNIT_LEVELS;
         level++)
    {
        for (k = up + 1, texts = 0;
             k < c->r[up].next && texts <= DT_UNIT_TEXTS; k++) {
            texts += c->r[k].name == 0;
        }

        if (texts > DT_UNIT_TEXTS) {
            return 0;
        }

        if (dt_unit_stays(u, c->r[i].next - 1, c->r[up].next, 1)) {
            return dt_unit_own(c, i, c->r[i].next);
        }

        up = c->r[up].parent;
    }

    return 0;
}


int
dt_unit_keep(const dt_cut_t *c)
{
    int in_main, changed = 0;
    uint32_t n, i, end = 0;
    dt_unit_t u = { .cut = c };

    dt_unit_sums(&u);
    dt_unit_main(&u);

    for (n = 0; n < c->nhot; n++) {
        i = c->hot[n];

        if (i < end || !(c->r[i].state & (DT_RECORD_CUT | DT_RECORD_SHAPED))) {
            continue;
        }

        end = c->r[i].next;
        in_main = i > u.main && i < u.main_end;

        if (c->r[i].state & DT_RECORD_SHAPED) {
            if (dt_unit_around(&u, i, in_main)) {
                changed = 1;
            }

            if (c->r[i].state & DT_RECORD_OWN) {
                c->r[i].state &= ~(uint32_t) DT_RECORD_SHAPED;
            }

            continue;
        }

        changed |= dt_unit_around(&u, i, in_main);
        changed |= dt_unit_headings(&u, i, end, in_main);
        changed |= in_main && dt_unit_bold(&u, i);
        changed |= dt_unit_field(&u, i);
        changed |= dt_unit_label(&u, i);
        changed |= dt_unit_colon(&u, i);
    }

    return changed;
}
