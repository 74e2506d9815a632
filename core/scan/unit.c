
/*
 * Copyright (C) The detemplate authors
 *
 * EXPERIMENT
 */


#include <stdlib.h>
#include <stdio.h>
#include <strings.h>

#include "core/scan/line.h"
#include "core/scan/unit.h"

static int
dt_x(const char *name, int def)
{
    const char *v = getenv(name);
    return v ? atoi(v) : def;
}
#define X(name, def) ({ static int x_ = -1; if (x_ < 0) { x_ = dt_x(name, def); } x_; })

#define DT_NAME_DL dt_letters('d', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_DT dt_letters('d', 't', 0, 0, 0, 0, 0, 0)
#define DT_NAME_LI dt_letters('l', 'i', 0, 0, 0, 0, 0, 0)
#define DT_NAME_TH dt_letters('t', 'h', 0, 0, 0, 0, 0, 0)
#define DT_NAME_FIGURE dt_letters('f', 'i', 'g', 'u', 'r', 'e', 0, 0)
#define DT_NAME_CAPTION dt_letters('c', 'a', 'p', 't', 'i', 'o', 'n', 0)
#define DT_NAME_MENU dt_letters('m', 'e', 'n', 'u', 0, 0, 0, 0)
#define DT_NAME_P_ dt_letters('p', 0, 0, 0, 0, 0, 0, 0)

static int
stays(const dt_cut_t *c, uint32_t k)
{
    return c->r[k].name == 0 && !(c->r[k].state & DT_RECORD_CUT)
           && dt_line_says(c, &c->r[k]);
}

/* texts: made of links? */
static int
is_nav(const dt_cut_t *c, uint32_t i)
{
    uint32_t k, links = 0, all = 0;
    for (k = i + 1; k < c->r[i].next; k++) {
        if (c->r[k].name == 0 && dt_line_says(c, &c->r[k])) {
            all++;
            links += (c->r[k].state & DT_RECORD_LINK) != 0;
        }
    }
    return links * 100 >= all * (unsigned) X("NAVP", 50);
}

static int
is_lines(const dt_cut_t *c, uint32_t i, int table)
{
    uint32_t k;
    const dt_record_t *r;
    for (k = i + 1; k < c->r[i].next; k++) {
        r = &c->r[k];
        if (r->name == 0 || r->kind == DT_TAG_A || r->kind == DT_TAG_INLINE
            || (r->state & DT_RECORD_LEAF)) continue;
        if (r->kind == DT_TAG_LI || r->kind == DT_TAG_D || r->name == DT_NAME_UL || r->name == DT_NAME_OL || r->name == DT_NAME_DL) continue;
        if (table && ((r->flags & (DT_TAG_TABLE | DT_TAG_INTABLE)))) continue;
        if (!(r->flags & DT_TAG_SPECIAL) && !(r->flags & DT_TAG_CLOSES_P)) continue;
        if (X("PLINE", 1) && r->kind == DT_TAG_P) continue;
        if (X("DIVLINE", 0) && r->name == DT_NAME_DIV) continue;
        return 0;
    }
    return 1;
}

static int
is_data(const dt_cut_t *c, uint32_t i)
{
    uint32_t k, rows = 0, cols = 0, most = 0, th = 0, cap = 0;
    const dt_record_t *r;
    for (k = i + 1; k < c->r[i].next; k++) {
        r = &c->r[k];
        if (r->name == DT_NAME_TABLE || r->kind == DT_TAG_FORM || r->kind == DT_TAG_HEADING) return 0;
        if (r->kind == DT_TAG_ROW) { rows++; cols = 0; }
        if (r->kind == DT_TAG_CELL) { cols++; most = cols > most ? cols : most; th += r->name == DT_NAME_TH; }
        cap += r->name == DT_NAME_CAPTION;
    }
    if (rows < 2 || most < 2) return 0;
    if (cap || th || most >= 5 || rows >= 20) return 1;
    return X("LINETABLE", 1) && is_lines(c, i, 1);
}

static int
is_unit(const dt_cut_t *c, uint32_t i)
{
    const dt_record_t *r = &c->r[i];
    if (X("U_LIST", 1) && (r->name == DT_NAME_UL || r->name == DT_NAME_OL || r->name == DT_NAME_MENU || r->name == DT_NAME_DL)) {
        return is_lines(c, i, 0) && !is_nav(c, i);
    }
    if (X("U_TABLE", 1) && r->name == DT_NAME_TABLE) {
        return is_data(c, i) && !is_nav(c, i);
    }
    if (X("U_ROW", 1) && r->kind == DT_TAG_ROW) {
        return is_lines(c, i, 1) && !is_nav(c, i);
    }
    if (X("U_PRE", 1) && (r->name == DT_NAME_PRE || r->name == DT_NAME_FIGURE)) return 1;
    return 0;
}

static int
own(const dt_cut_t *c, uint32_t i, uint32_t end)
{
    int changed = 0;
    for (; i < end; i++) {
        changed |= !(c->r[i].state & DT_RECORD_OWN);
        c->r[i].state |= DT_RECORD_OWN;
    }
    return changed;
}

static int
any_stays(const dt_cut_t *c, uint32_t i, uint32_t end, int links)
{
    for (; i < end; i++) {
        if (stays(c, i) && (links || !(c->r[i].state & DT_RECORD_LINK))) return 1;
    }
    return 0;
}

static int
rank(const dt_cut_t *c, const dt_record_t *r)
{
    return c->page.data[r->start + 2] - '0';
}

/* heading i: is anything it heads staying */
static int
heads(const dt_cut_t *c, uint32_t i)
{
    uint32_t top = i, up, k, words;
    int n = rank(c, &c->r[i]);
    /* climb over wrappers */
    for (;;) {
        up = c->r[top].parent;
        if (up == DT_RECORD_NONE) break;
        for (k = up + 1, words = 0; k < c->r[up].next && words <= 4; k++) {
            if (k >= i && k < c->r[i].next) continue;
            if (c->r[k].name == 0) {
                words += !(c->r[k].state & DT_RECORD_LINK) && dt_line_says(c, &c->r[k]) ? 5 : 1;
            }
        }
        if (words > 4) break;
        top = up;
    }
    k = c->r[top].next;
    up = c->r[top].parent;
    for (; k < (up == DT_RECORD_NONE ? c->n : c->r[up].next); k++) {
        if (c->r[k].kind == DT_TAG_HEADING && rank(c, &c->r[k]) <= n) return 0;
        if (stays(c, k) && (X("HLINKS", 0) || !(c->r[k].state & DT_RECORD_LINK))) return 1;
    }
    return 0;
}

/* field: small element in which text stays behind cut text */
static int
field(const dt_cut_t *c, uint32_t i)
{
    uint32_t up = c->r[i].parent, k, n, last;
    int changed = 0, levels;
    for (levels = 0; up != DT_RECORD_NONE && levels < X("F_LEVELS", 3); up = c->r[up].parent, levels++) {
        for (k = up + 1, n = 0, last = 0; k < c->r[up].next; k++) {
            if (c->r[k].name == 0) {
                if (k < i || !(c->r[k].state & DT_RECORD_CUT)) n += 0;
                n++;
                if (k > i && stays(c, k) && (X("F_LINKS", 1) || !(c->r[k].state & DT_RECORD_LINK))) last = k;
            }
        }
        if (n > (uint32_t) X("F_TEXTS", 3)) break;
        if (last) {
            changed |= own(c, i, c->r[i].next);
            break;
        }
    }
    return changed;
}

int
dt_unit_keep(const dt_cut_t *c)
{
    int changed = 0;
    uint32_t n, i, up, end = 0, k;
    for (n = 0; n < c->nhot; n++) {
        i = c->hot[n];
        if (i < end || !(c->r[i].state & DT_RECORD_CUT)) continue;
        end = c->r[i].next;
        for (up = c->r[i].parent; up != DT_RECORD_NONE; up = c->r[up].parent) {
            if (!(c->r[up].state & DT_RECORD_OWN) && is_unit(c, up)
                && any_stays(c, up + 1, c->r[up].next, 1)) {
                changed |= own(c, up, c->r[up].next);
            }
        }
        if (X("U_HEAD", 1)) {
            for (k = i; k < end; k++) {
                if (c->r[k].kind == DT_TAG_HEADING && c->r[k].name && heads(c, k)) {
                    changed |= own(c, k, c->r[k].next);
                }
            }
            /* part of a heading */
        }
        if (X("U_FIELD", 1)) changed |= field(c, i);
    }
    return changed;
}
