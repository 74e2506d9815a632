
/*
 * Copyright (C) The detemplate authors
 *
 * The parts of a page: a record for each element and each text of its body, in
 * the order of their starts.  Pages are learned from their records, and served
 * by them, so that both see the same.
 */


#ifndef DT_RECORD_H_INCLUDED_
#define DT_RECORD_H_INCLUDED_


#include "core/base/dt.h"


#define DT_RECORD_NONE UINT32_MAX

typedef struct {
    uint64_t key;       /* place and content; 0: not usable, since it is
                           unsound, was not closed, or was not looked at */
    uint64_t start_key; /* place and start tag; 0: text */
    uint64_t path;
    uint64_t name;   /* 0: text */
    uint32_t start;  /* offsets in the page */
    uint32_t end;    /* 0: it was not closed */
    uint32_t next;   /* the first record that is not in it */
    uint32_t parent; /* record of the element around it, or DT_RECORD_NONE */
    uint32_t words;  /* while serving, those that the template tells, */
    uint32_t links;  /* and 0: words of it inside links */
    uint32_t line;   /* equal for texts between which no line is broken */
    uint32_t info;   /* DT_NODE_*, if it was found in the template */
    uint32_t state;  /* DT_RECORD_* */
    uint32_t own;    /* bytes of text before it that stay, and are no links, */
    uint32_t stay;   /* or are: see unit.c */
    uint32_t calls;  /* while learning, its own names: the hash of its
                        class and id, see dt_shape_calls(); 0: nothing */
    uint16_t first;  /* of text: its bit among the first bytes */
    uint16_t flags;  /* DT_TAG_* of its element */
    uint8_t kind;    /* dt_tag_kind_t of its element */
    uint8_t weak;    /* DT_WEAK_*: it may not be cut on its own */
    uint8_t shape;   /* its shape's kind: DT_SHAPE_*; see shape.c */
    uint8_t at;      /* bytes up to behind the name of its tag; 0: text, or a
                       tag that cannot have a mark */
} dt_record_t;


enum {
    DT_RECORD_LEAF = 0x1,    /* its inside has no records: img, script, svg */
    DT_RECORD_KNOWN = 0x2,   /* its start tag is the template's */
    DT_RECORD_FOUND = 0x4,   /* so is all of it: info is set */
    DT_RECORD_UNSOUND = 0x8, /* parsers may have it elsewhere */
    DT_RECORD_WHITE = 0x10,  /* there is white space between tags in it */
    DT_RECORD_OWN = 0x20,    /* it stays, and so do the elements around */
    DT_RECORD_TEMPLATE = 0x40, /* it is the template's, with all in it, */
    DT_RECORD_STRONG = 0x80,   /* and may be cut on its own, */
    DT_RECORD_GAP = 0x100,     /* but only with the words before it */
    DT_RECORD_KIDS = 0x200,    /* it has an inside that is looked at; */
    DT_RECORD_MIXED = 0x400,   /* some of it is not the template's, */
    DT_RECORD_HELD = 0x800,    /* or not strong */
    DT_RECORD_CUT = 0x1000,    /* it is cut, or in an element that is */
    DT_RECORD_SHAPED = 0x2000, /* it is cut by its shape, */
    DT_RECORD_FORCED = 0x4000, /* or by hand */
    DT_RECORD_JOINED =
        0x8000,               /* text: it goes or stays with the one before; */
    DT_RECORD_LINK = 0x10000, /* it is in a link, */
    DT_RECORD_SAYS = 0x20000, /* it has a word, */
    DT_RECORD_MUTE = 0x40000, /* or has none */
    DT_RECORD_UNIT = 0x80000, /* it is one thing, see unit.c, */
    DT_RECORD_LINKS = 0x100000, /* most texts of which are links, */
    DT_RECORD_LOOSE = 0x200000, /* or is not */
    DT_RECORD_AROUND = 0x400000 /* something that is cut is in it: rewrite.c */
};

enum {
    DT_WEAK_TREE = 1,   /* a parser opens or closes something at its tag */
    DT_WEAK_GLUED = 2,  /* no white space is between it and the text before */
    DT_WEAK_CLOSED = 4, /* its tag closed another one, which would go on */
    DT_WEAK_INSIDE = 8  /* its inside is compared, but not known */
};


/* the i-th of the records of a page is the page's own: it is no template, nor
   is an element around it */
static inline void
dt_record_own(dt_record_t *r, uint32_t i)
{
    r[i].state |= DT_RECORD_OWN;

    do {
        r[i].state &= ~(uint32_t) (DT_RECORD_TEMPLATE | DT_RECORD_STRONG
                                   | DT_RECORD_GAP);
        i = r[i].parent;
    } while (i != DT_RECORD_NONE && (r[i].state & DT_RECORD_TEMPLATE));
}


#endif /* DT_RECORD_H_INCLUDED_ */
