
/*
 * Copyright (C) The detemplate authors
 *
 * The template as a page.  Alarte et al. and Vieira et al. make one of the
 * nodes that were found and of their ancestors, so that a browser can show it.
 * Here it has the parts that strip cuts, the elements around them, and the
 * elements of the head that say how a page looks.  So each word of a page is
 * in one of the two.
 */


#include <strings.h>

#include "core/scan/view.h"


#define DT_VIEW_CUT (DT_RECORD_CUT | DT_RECORD_SHAPED | DT_RECORD_FORCED)

#define DT_NAME_LINK dt_letters('l', 'i', 'n', 'k', 0, 0, 0, 0)
#define DT_NAME_META dt_letters('m', 'e', 't', 'a', 0, 0, 0, 0)
#define DT_NAME_STYLE dt_letters('s', 't', 'y', 'l', 'e', 0, 0, 0)
#define DT_NAME_BASE dt_letters('b', 'a', 's', 'e', 0, 0, 0, 0)


/* whether [p, end) has a word, in upper or lower case */
static int
dt_view_has(const char *p, const char *end, const char *word)
{
    size_t len = strlen(word);

    for (; (size_t) (end - p) >= len; p++) {
        if (strncasecmp(p, word, len) == 0) {
            return 1;
        }
    }

    return 0;
}


/* whether an attribute makes a link one to a style sheet, or a meta one that
   says how the page is read */
static int
dt_view_attr(uint64_t tag, const dt_attr_t *a)
{
    const char *p = a->value;

    switch (dt_name_fold(a->name, a->stop)) {

    case dt_letters('r', 'e', 'l', 0, 0, 0, 0, 0):
        return tag == DT_NAME_LINK && dt_view_has(p, a->end, "stylesheet");

    case dt_letters('c', 'h', 'a', 'r', 's', 'e', 't', 0):
        return tag == DT_NAME_META;

    case dt_letters('n', 'a', 'm', 'e', 0, 0, 0, 0):
        return tag == DT_NAME_META && dt_view_has(p, a->end, "viewport");

    default: /* http-equiv */
        return tag == DT_NAME_META && dt_view_has(p, a->end, "content-type");
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


void
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
