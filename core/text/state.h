
/*
 * Copyright (C) The detemplate authors
 *
 * The state of a page while it becomes text.  The functions that change it
 * are in the files named here, each of which has a header.
 */


#ifndef DT_TEXT_STATE_H_INCLUDED_
#define DT_TEXT_STATE_H_INCLUDED_


#include "core/scan/scan.h"
#include "core/text/bytes.h"
#include "core/text/link.h"
#include "core/text/text.h"


#define DT_TEXT_BOXES 32   /* lists, items and quotes in one another */
#define DT_TEXT_COLUMNS 64 /* of a table */
#define DT_TEXT_SCRIPTS 4  /* subs and sups in one another */
#define DT_TEXT_STRUCK 8   /* elements that a style strikes through */
#define DT_TEXT_LANG 24    /* bytes of the name of a language */
#define DT_TEXT_FIELD 512  /* bytes of a field of the front matter */
#define DT_TEXT_ID 128     /* bytes of an id */
#define DT_TEXT_OUT 2048   /* bytes that are given out at once */
#define DT_TEXT_LINE 8192  /* bytes of a line for which room is there */


/*
 * The operations that a line holds besides characters.  No text has such
 * bytes, since control characters are no text.  A link is DT_OP_LINK, its URL,
 * DT_OP_URL, then its content up to DT_OP_LINK_END; an image is DT_OP_IMAGE,
 * its text, DT_OP_URL, its URL, DT_OP_IMAGE_END.  '\n' is a line break.
 */
enum {
    DT_OP_STRONG = 1,
    DT_OP_STRONG_END,
    DT_OP_EM,
    DT_OP_EM_END,
    DT_OP_DEL,
    DT_OP_DEL_END,
    DT_OP_CODE = 14,
    DT_OP_CODE_END,
    DT_OP_LINK,
    DT_OP_LINK_END,
    DT_OP_URL,
    DT_OP_IMAGE,
    DT_OP_IMAGE_END,
    DT_OP_CELL, /* ends a cell of a table, */
    DT_OP_ROW,  /* and a row */
    DT_OP_NONE, /* nothing */
    DT_OP_MATH, /* TeX, which is written as it is */
    DT_OP_MATH_END
};


/* whether a byte of a line is an operation */
#define dt_is_op(c) ((unsigned char) (c) < ' ' && (c) != '\n')


/* the bits of a block at p that are those of [p, end) */
static inline uint64_t
dt_text_bits(uint64_t bits, const char *p, const char *end)
{
    return end - p < DT_BLOCK ? bits & (((uint64_t) 1 << (end - p)) - 1)
                              : bits;
}


/* returns the first operation or line break in [p, end) of the line, or end */
static inline const char *
dt_op_find(const char *p, const char *end)
{
    uint64_t ops;

    for (; p < end; p += DT_BLOCK) {
        ops = dt_text_bits(dt_mask_bits(dt_block_mask(
                               dt_block_le(dt_block_load(p), ' ' - 1))),
                           p, end);
        if (ops) {
            return p + (unsigned) __builtin_ctzll(ops);
        }
    }

    return end;
}


/* out.c: bytes of the text */
typedef struct {
    dt_text_out_pt out;
    void *data;
    uint8_t failed;  /* out() refused */
    uint8_t json;    /* it is a string of JSON, of which is known: */
    uint8_t in_word; /* the last byte was one of a word, */
    uint8_t in_run;  /* or a mark */
    uint32_t runs;   /* words so far, */
    uint64_t chars;  /* characters, */
    uint64_t bytes;
    uint64_t hash; /* of the words, with a space between */
    size_t len;
    char buf[DT_TEXT_OUT];
} dt_out_t;


/* json.c: items of a list of JSON */
typedef struct {
    dt_bytes_t bytes;
    int full; /* there were more */
} dt_json_list_t;


/* the kind of a line */
typedef enum {
    DT_BLOCK_PARAGRAPH = 0,
    DT_BLOCK_H1, /* up to H6 */
    DT_BLOCK_H6 = DT_BLOCK_H1 + 5,
    DT_BLOCK_PRE,
    DT_BLOCK_CELL /* of a table */
} dt_text_kind_t;


/* box.c: the boxes around a line */
enum { DT_BOX_UL = 0, DT_BOX_OL, DT_BOX_ITEM, DT_BOX_QUOTE };

typedef struct {
    uint8_t type;
    uint8_t task;    /* of an item: ' ' or 'x' of its check box; 0: none */
    uint8_t started; /* of an item: its mark was written */
    uint8_t width;   /* of that mark */
    uint8_t sign;    /* of a list: its marks end with this, or are it */
    uint16_t depth;  /* of the element on the scanner's stack */
    uint32_t number; /* of an ordered list's next item, of an item */
    int8_t step;     /* of an ordered list, to the item behind */
    uint8_t odd;     /* that does not count up */
    uint8_t items;   /* it has some */
} dt_box_t;


/* grid.c: a table */
typedef enum {
    DT_GRID_NONE = 0, /* there is none, or it is only a layout */
    DT_GRID_MAYBE,    /* it may become one */
    DT_GRID_DATA
} dt_grid_t;

typedef struct {
    dt_grid_t state;
    unsigned in_row : 1;
    unsigned depth;                  /* of the table */
    unsigned column;                 /* of the cell at hand or the next one */
    unsigned wide;                   /* columns of the cell at hand */
    unsigned columns;                /* in which a cell begins, */
    unsigned reach;                  /* and that any takes, so far */
    dt_bytes_t rows;                 /* cells and rows that have ended; */
    size_t alone;                    /* those before this stand alone */
    dt_bytes_t line;                 /* that comes before the table, while a
                                        cell is read */
    uint8_t space;                   /* white space comes behind that */
    uint8_t align[DT_TEXT_COLUMNS];  /* 'l', 'c', 'r', or 0 */
    uint16_t below[DT_TEXT_COLUMNS]; /* rows that a cell above takes */
} dt_grid_table_t;


/* head.c: the fields of the head */
enum {
    DT_FRONT_TITLE = 0,
    DT_FRONT_URL,
    DT_FRONT_DESCRIPTION,
    DT_FRONT_LANGUAGE,
    DT_FRONT_DATE,
    DT_FRONT_FIELDS
};

typedef struct {
    uint8_t waits;               /* it is to be written before the body, */
    uint8_t based;               /* a base was named */
    dt_str_t title;              /* as it is in the page */
    size_t len[DT_FRONT_FIELDS]; /* of t->front */
    size_t canonical_len;
} dt_head_t;


/* math.c: the state of reading math */
enum {
    DT_MATH_NONE = 0,
    DT_MATH_READ,  /* its words are written, */
    DT_MATH_NOTE,  /* but not those of an annotation */
    DT_MATH_SKIP,  /* nor that of another kind, */
    DT_MATH_DONE,  /* TeX was written in their place */
    DT_MATH_BEFORE /* it ended: a hidden element behind it is its double */
};

typedef struct {
    uint8_t state;
    uint8_t text;                 /* there was some since the last tag */
    uint8_t space;                /* white space comes before it */
    uint8_t child[DT_SCAN_INNER]; /* of its open elements: see math.c */
    size_t at;                    /* one more than where it begins in the
                                     line; 0: not there */
    dt_str_t tex;                 /* of an annotation */
} dt_math_t;


struct dt_text_s {
    const dt_text_opts_t *o;
    const char *page; /* as UTF-8 */
    const char *end;
    uint8_t no_memory;
    uint8_t windows; /* bytes that are not UTF-8 are windows-1252 */

    /* page.c, markup.c: reading */
    unsigned skip; /* depth of the element whose text is not read; 0: none */
    unsigned form;
    unsigned hidden;  /* depth of the element that no reader sees; 0: none */
    unsigned media;   /* depth of the film or sound, which has no text, */
    unsigned found;   /* whose URL was found */
    unsigned quotes;  /* in one another */
    unsigned lines;   /* depth of the pre whose lines are read as text */
    unsigned nstruck; /* elements that a style strikes through, at */
    uint16_t struck[DT_TEXT_STRUCK]; /* these depths */
    size_t counted; /* bytes in which items of lists were counted, */
    size_t looked;  /* and those of pres, in which links were */
    unsigned inner; /* elements that were open in s->nest before the token */
    uint8_t does[DT_SCAN_DEPTH + 2]; /* the effect of each element's end */
    dt_math_t math;

    /* inline.c, block.c: the line, which ends before line[len] */
    dt_text_kind_t kind;
    uint8_t space;   /* white space comes before the next text */
    uint8_t visible; /* there is something to read in it */
    uint8_t marked;  /* there is emphasis, code or TeX in it */
    uint8_t cr;      /* the byte before was a carriage return */
    uint8_t first;   /* the next byte is the first of a pre */
    uint8_t nopen;
    unsigned opened;                   /* a bit for each of these: */
    uint8_t open[8];                   /* operations that have no end yet, */
    unsigned styles[DT_OP_CODE + 1];   /* and elements that ask for them */
    unsigned scripts;                  /* subs and sups that are open: */
    size_t script_at[DT_TEXT_SCRIPTS]; /* one more than where each begins; 0:
                                          nowhere */
    size_t link_len;   /* of the link that is open: it begins again in the next
                        block; 0: none is */
    dt_str_t fragment; /* that link leads there within the page, as it is
                          written; empty: elsewhere */
    size_t own_at;     /* one more than where a link to the heading itself
                          begins in it; 0: nowhere */
    size_t tail;       /* where the operations at the end begin */
    dt_bytes_t line;

    /* media.c: sizes of a picture that stand before it; hashes of the last
       picture's URL and text */
    dt_str_t source;
    uint64_t picture;
    uint64_t picture_says;
    uint8_t picture_spare; /* it is in a noscript */

    /* code.c */
    char lang[DT_TEXT_LANG];
    unsigned lang_depth; /* of the element that named it */
    unsigned apart;      /* depth of code whose lines are elements */

    /* box.c */
    uint8_t begun;    /* there is a block before */
    uint8_t defined;  /* which is a term or its definition */
    uint8_t list_end; /* the sign of the list that ended last; 0: none */
    unsigned last;    /* boxes around that block */
    unsigned common;  /* boxes that are around the block before as well */
    unsigned nboxes;
    dt_box_t boxes[DT_TEXT_BOXES];

    dt_grid_table_t table;
    dt_head_t head;
    dt_bytes_t named;  /* hidden.c: hashes of the ids that controls name */
    uint8_t named_all; /* they are there */
    dt_json_list_t headings;
    dt_json_list_t links;
    size_t id_len; /* of the heading */
    dt_out_t out;

    /* not cleared at the beginning */
    char room[DT_TEXT_LINE + 3 * DT_BLOCK];
    char front[DT_FRONT_FIELDS][DT_TEXT_FIELD];
    char canonical[DT_TEXT_URL];
    char link[DT_TEXT_URL];
    char id[DT_TEXT_ID];
    dt_base_t base;
    dt_scan_t scan;
};


/* whether the line is a heading */
static inline int
dt_text_is_heading(const dt_text_t *t)
{
    return t->kind >= DT_BLOCK_H1 && t->kind <= DT_BLOCK_H6;
}


#endif /* DT_TEXT_STATE_H_INCLUDED_ */
