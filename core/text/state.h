
/*
 * Copyright (C) The detemplate authors
 *
 * Between the files that write text, lowest first: out.c (bytes, what lines
 * begin with, and JSON), render.c (the inside of a line), block.c (the line is
 * written), inline.c (the line that is held), table.c, attr.c (attributes),
 * hidden.c, math.c (formulas), head.c (front matter), markup.c (what tags do),
 * writer.c (reads the page, begins and ends).
 */


#ifndef DT_TEXT_STATE_H_INCLUDED_
#define DT_TEXT_STATE_H_INCLUDED_


#include <iconv.h>

#include "core/base/find.h"
#include "core/scan/scan.h"
#include "core/text/text.h"


#define DT_TEXT_BOXES 32   /* lists, items and quotes in one another */
#define DT_TEXT_COLUMNS 64 /* of a table */
#define DT_TEXT_SCRIPTS 4  /* subs and sups in one another */
#define DT_TEXT_PART 40    /* bytes of a character or of a reference */
#define DT_TEXT_LANG 24    /* bytes of the name of a language */
#define DT_TEXT_FIELD 512  /* bytes of a field of the front matter */
#define DT_TEXT_ID 128     /* bytes of an id */
#define DT_TEXT_URL 2048   /* bytes of the longest URL that is written */
#define DT_TEXT_OUT 2048   /* bytes that are given out at once */
#define DT_TEXT_ASCII 64   /* bytes of ASCII that are not converted */

/* bytes of a page's lists whose items are counted */
#define DT_TEXT_COUNTED (16 * DT_SCAN_HOLD)

/* whether a character is written nowhere: controls, those of bidirectional
   text, tags, and the byte order mark */
static inline int
dt_text_is_odd(uint32_t c)
{
    if (c < 0x200e) {
        return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c;
    }

    if (c < 0x206a) {
        return c < 0x2010 || (c >= 0x202a && c < 0x202f) || c >= 0x2066;
    }

    return c == 0xfeff || (c >= 0xe0000 && c < 0xe0080);
}


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


/*
 * What a line holds besides characters.  No text has such bytes, since control
 * characters are no text.  A link is DT_OP_LINK, its URL, DT_OP_URL, then what
 * it shows up to DT_OP_LINK_END; an image is DT_OP_IMAGE, what it shows,
 * DT_OP_URL, its URL, DT_OP_IMAGE_END.  '\n' is a line break.
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
    DT_OP_CELL, /* ends a cell of a row */
    DT_OP_NONE, /* nothing */
    DT_OP_MATH, /* TeX, which is written as it is */
    DT_OP_MATH_END
};


/* what a line is */
typedef enum {
    DT_BLOCK_PARAGRAPH = 0,
    DT_BLOCK_H1, /* up to H6 */
    DT_BLOCK_H6 = DT_BLOCK_H1 + 5,
    DT_BLOCK_PRE,
    DT_BLOCK_ROW /* of a table */
} dt_text_kind_t;


/* what a line stands in */
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


/* a table: what becomes of it shows in its first row */
typedef enum {
    DT_GRID_NONE = 0, /* there is none, or it is only a layout */
    DT_GRID_FIRST,    /* in the first row */
    DT_GRID_DATA      /* its first row was written, or has a heading */
} dt_grid_t;

typedef struct {
    dt_grid_t state;
    unsigned written : 1; /* the first row was */
    unsigned in_cell : 1;
    unsigned wide;                   /* columns of the cell at hand */
    unsigned depth;                  /* of the table */
    unsigned column;                 /* of the next cell */
    unsigned columns;                /* of the table */
    uint8_t align[DT_TEXT_COLUMNS];  /* 'l', 'c', 'r', or 0 */
    uint16_t below[DT_TEXT_COLUMNS]; /* rows that a cell above takes */
} dt_text_table_t;


typedef struct {
    char data[DT_TEXT_FIELD];
    uint16_t len;
} dt_text_field_t;

/* bytes that grow */
typedef struct {
    char *data;
    size_t len;
    size_t size;
} dt_text_bytes_t;

/* items of a list of JSON */
typedef struct {
    dt_text_bytes_t bytes;
    int full; /* there were more */
} dt_json_list_t;

/* where in the object the text that is written is */
enum {
    DT_JSON_NONE = 0, /* there is none */
    DT_JSON_HEAD,
    DT_JSON_TEXT,
    DT_JSON_TAIL
};


/* what the front matter says, in this order */
enum {
    DT_FRONT_TITLE = 0,
    DT_FRONT_URL,
    DT_FRONT_DESCRIPTION,
    DT_FRONT_LANGUAGE,
    DT_FRONT_DATE,
    DT_FRONT_FIELDS
};


/* a list that counts down */
enum {
    DT_LIST_NONE = 0,
    DT_LIST_WAITS, /* for its end */
    DT_LIST_ALL    /* no more are looked for: the page ends, or it was long */
};


/* what becomes of math */
enum {
    DT_MATH_NONE = 0,
    DT_MATH_READ,  /* its words are written, */
    DT_MATH_NOTE,  /* but not those of an annotation */
    DT_MATH_SKIP,  /* nor that of another kind, */
    DT_MATH_DONE,  /* TeX was written in their place */
    DT_MATH_BEFORE /* it has ended: what is hidden behind it is its double */
};


/* what the end of an element does */
enum {
    DT_DOES_NOTHING = 0,
    DT_DOES_SPACE, /* words do not go on behind it */
    DT_DOES_BREAK, /* it ends a block */
    DT_DOES_BOX,   /* and what lines stand in */
    DT_DOES_TERM,
    DT_DOES_HEADING,
    DT_DOES_PRE,
    DT_DOES_TABLE,
    DT_DOES_ROW,
    DT_DOES_CELL,
    DT_DOES_LINK,
    DT_DOES_SUP,
    DT_DOES_SUB,
    DT_DOES_QUOTE,
    DT_DOES_MEDIA,
    DT_DOES_STYLE /* and more: less this, it is an operation that ends */
};


/* link.c: joins URLs, as RFC 3986 and browsers do */

/* an absolute URL, and what of it relative links are put behind */
typedef struct {
    size_t scheme; /* ends with its ':'; 0: only what is absolute is a link */
    size_t root;   /* ends before the path, */
    size_t dir;    /* with the last '/' of it, if any, */
    size_t path;   /* behind it, */
    size_t query;  /* and before the '#' */
    int plain;     /* nothing in it is to be escaped or resolved */
    char data[DT_TEXT_URL + 16];
} dt_base_t;


/* takes a URL, whose scheme is http or https, as the base; an empty one, and
   one that is too long, as none */
void dt_base_set(dt_base_t *b, dt_str_t url);

/*
 * Writes what dt_link_join() and dt_link_target() make of a reference, if that
 * is only what the base begins with and what stands in [p, end).  Returns its
 * length, or 0.
 */
size_t dt_link_plain(const dt_base_t *b, const char *p, const char *end,
                     char *out, size_t size);

/*
 * Resolves a reference, as it stands in a page.  Writes the URL into out;
 * returns its length, or 0: it has more than size bytes, or none.
 */
size_t dt_link_join(const dt_base_t *b, dt_str_t ref, char *out, size_t size);

/*
 * Writes an absolute URL without white space, and without bytes that mean
 * something in Markdown.  For a target of a link there, it must not have what
 * looks like a reference either.  Returns its length, or 0: it has more than
 * size bytes, or is of a scheme that says no place, such as "javascript" or
 * "data".
 */
size_t dt_link_target(dt_str_t url, int target, char *out, size_t size);


struct dt_text_s {
    dt_alloc_t alloc;
    dt_text_out_pt out;
    void *out_data;
    iconv_t charset; /* (iconv_t) -1: none is needed */
    uint8_t plain;
    uint8_t drops; /* what no reader sees is not written */
    uint8_t failed;
    uint8_t lent;    /* its memory is the caller's */
    uint8_t windows; /* what is not UTF-8 is windows-1252 */
    uint8_t ascii;   /* what is ASCII in the charset is UTF-8 */

    /* reading */
    uint8_t off;           /* 0: nothing was read; for the scanner an offset */
    dt_text_bytes_t carry; /* a token that is not whole */
    unsigned skip; /* depth of the element whose text is not read; 0: none */
    unsigned form;
    unsigned hidden; /* depth of the element that no reader sees; 0: none */
    unsigned media;  /* depth of the film or sound whose URL is looked for */
    unsigned quotes; /* in one another */
    uint8_t listed;  /* DT_LIST_* */
    uint32_t items;  /* of the list that begins */
    size_t again;    /* bytes of a list that waits, from which its end is
                        looked for again: twice as many as before */
    size_t counted;  /* bytes of lists whose items were counted */
    unsigned inner;  /* elements that were open in s->nest before the token */
    uint8_t math;    /* DT_MATH_* */
    uint8_t child[DT_SCAN_INNER]; /* of the open elements of math: see math.c
                                   */
    uint8_t math_text;            /* there was some since the last tag */
    uint8_t math_space;           /* white space comes before it */
    size_t tex_len;
    size_t math_at;   /* where the math begins in the line; 0: not there */
    unsigned scripts; /* subs and sups that are open: */
    size_t script_at[DT_TEXT_SCRIPTS]; /* where each begins, and one more; 0:
                                          nowhere */
    uint8_t part_len;                  /* a character that is not whole */
    char part[DT_TEXT_PART];
    uint8_t raw_len; /* bytes that could not yet be converted */
    char raw[16];
    uint8_t does[DT_SCAN_DEPTH + 2]; /* what the end of each element does */

    /* the line */
    dt_text_kind_t kind;
    uint8_t space;     /* white space comes before what comes next */
    uint8_t visible;   /* there is something to read in it */
    uint8_t continued; /* its beginning was written */
    uint8_t partial;   /* there is more of it than is at hand */
    uint8_t marked;    /* there is emphasis, code or TeX in it */
    uint8_t cr;        /* the byte before was a carriage return */
    uint8_t first;     /* the next byte is the first of a pre */
    size_t fence;      /* of the pre */
    uint8_t nopen;
    unsigned opened;                 /* a bit for each of these: */
    uint8_t open[8];                 /* operations that have no end yet, */
    unsigned styles[DT_OP_CODE + 1]; /* and elements that ask for them */
    char lang[DT_TEXT_LANG];
    unsigned lang_depth; /* of the element that named it */
    size_t tail;         /* where the operations at the end begin */

    /* blocks */
    uint8_t begun;    /* there is a block before */
    uint8_t defined;  /* which is a term or its definition */
    uint8_t list_end; /* the sign of the list that ended last; 0: none */
    unsigned last;    /* boxes around that block */
    unsigned common;  /* boxes that are around the block before as well */
    unsigned nboxes;
    dt_box_t boxes[DT_TEXT_BOXES];
    dt_text_table_t table;

    /* the head */
    uint8_t front; /* it is to be written, */
    uint8_t head;  /* and what comes before the body */
    uint8_t based; /* a base was named */
    dt_str_t url;
    dt_str_t index;
    dt_text_field_t fields[DT_FRONT_FIELDS];
    char title[DT_TEXT_FIELD]; /* as it is in the page */
    size_t title_len;
    char canonical[DT_TEXT_URL];
    size_t canonical_len;
    size_t link_len; /* of the link that is open: it begins again in the next
                        block; 0: none is */

    /* JSON */
    uint8_t json;    /* DT_JSON_* */
    uint8_t anchors; /* ids are written in Markdown, too */
    uint8_t in_word;
    uint32_t runs;  /* words so far, */
    uint64_t chars; /* characters, */
    uint64_t bytes;
    dt_json_list_t headings;
    dt_json_list_t links;
    size_t id_len; /* of the heading */

    size_t out_len;
    size_t len; /* of the line */

    /* not cleared at the beginning */
    char line[DT_TEXT_LINE + DT_TEXT_URL + 64];
    char out_buf[DT_TEXT_OUT];
    char link[DT_TEXT_URL];
    char tex[DT_TEXT_FIELD];
    char id[DT_TEXT_ID];
    dt_base_t base;
    dt_scan_t scan;
};


/* out.c: bytes of the text, for which there may be no room */
void dt_out_more(dt_text_t *t, const char *p, size_t len);
void dt_out_flush(dt_text_t *t);


static inline void
dt_out_bytes(dt_text_t *t, const char *p, size_t len)
{
    if (len > DT_TEXT_OUT - t->out_len) {
        dt_out_more(t, p, len);
        return;
    }

    memcpy(t->out_buf + t->out_len, p, len);
    t->out_len += len;
}


static inline void
dt_out_char(dt_text_t *t, char c)
{
    dt_out_bytes(t, &c, 1);
}


/* a run of backticks */
void dt_out_ticks(dt_text_t *t, size_t len);

/* begins a block: what stands between it and the one before, and its first
   line up to its text */
void dt_out_block(dt_text_t *t);

/* begins the next line of the same block */
void dt_out_next(dt_text_t *t);

/* a box of a type, of the element at a depth, begins, unless there are too
   many; those of elements at that depth or below end */
dt_box_t *dt_out_open(dt_text_t *t, unsigned type, unsigned depth);
void dt_out_close(dt_text_t *t, unsigned depth);


/* adds bytes, of which there may be so many at most; 0: they are
   too many, or there is no memory */
int dt_text_add(dt_text_t *t, dt_text_bytes_t *b, const char *p, size_t len,
                size_t most);


/* notes a heading, which is the line, or a link that is being written */
void dt_json_heading(dt_text_t *t, unsigned level);
void dt_json_link(dt_text_t *t, const char *url, size_t len);


/*
 * render.c: writes what is in [p, end) of the line, as Markdown or as text.
 * begins: a block's line begins with it.  cell: it is a cell of a table.
 */
void dt_render(dt_text_t *t, char *p, char *end, int begins, int cell);


/* block.c: ends what was opened last, or removes it where nothing came after
   it */
void dt_block_end(dt_text_t *t);


/* writes the line, if there is something in it, as what it is; but no row */
void dt_block_flush(dt_text_t *t);

/* writes the cells of the row as paragraphs, but for what is in the last one
   before it ended: that is the line then */
void dt_block_cells(dt_text_t *t);

/* the line is full: it is written so far, and goes on with the word at hand;
   what is open ends */
void dt_block_spill(dt_text_t *t);

/* forgets the line */
void dt_block_reset(dt_text_t *t);


/* what text is */
typedef enum {
    DT_READ_RAW = 0, /* all of it */
    DT_READ_TEXT,    /* and references in it */
    DT_READ_PAGE     /* which go up to a '<' that may begin something else */
} dt_read_t;

/* inline.c: adds bytes of text; last: what comes next is no text.  Returns
   behind it. */
const char *dt_inline_text(dt_text_t *t, const char *p, const char *end,
                           dt_read_t read, int last);

/* adds an operation that opens something, with the URL of a link; or ends all
   that was opened since */
void dt_inline_open(dt_text_t *t, unsigned op, const char *p, size_t len);
void dt_inline_close(dt_text_t *t, unsigned op);

/* the link that was opened last is removed if it is only there to be copied */
void dt_inline_permalink(dt_text_t *t);

/* an image, shown as alt */
void dt_inline_image(dt_text_t *t, const char *alt, size_t alen,
                     const char *url, size_t len);

/* what stands beside text, as a link with a text; the text alone where a link
   is open, or the URL is empty */
void dt_inline_linked(dt_text_t *t, const char *text, size_t tlen,
                      const char *url, size_t len);

/* bytes of UTF-8 as text */
void dt_inline_words(dt_text_t *t, const char *p, size_t len);

/* a line break */
void dt_inline_break(dt_text_t *t);

/* adds a byte as it is */
void dt_inline_byte(dt_text_t *t, char c);


/*
 * attr.c: the value of an attribute of the tag at hand, its references
 * resolved, in buf of size bytes.  Returns its length; -1: there is none, or
 * it is longer.
 */
ptrdiff_t dt_text_attr(const dt_text_t *t, const char *name, char *buf,
                       size_t size);

/* the number that an attribute of the tag tells; -1: there is none, -2: one
   that is not in bounds */
long dt_text_attr_number(const dt_text_t *t, const char *name);

/* the URL that an attribute of the tag names, made absolute, and for a target
   as dt_link_target() has it; 0: it names none that is written */
size_t dt_text_attr_url(const dt_text_t *t, const char *name, int target,
                        char *buf, size_t size);

/* where text comes from */
typedef enum {
    DT_SOURCE_TEXT = 0,
    DT_SOURCE_VALUE, /* of an attribute */
    DT_SOURCE_URL    /* likewise */
} dt_source_t;

/* [p, end) with its references resolved and white space as single spaces, but
   in a URL as it is; added to the *len bytes in buf; 0: not all of it fits */
int dt_text_decode(const dt_text_t *t, const char *p, const char *end,
                   dt_source_t source, char *buf, size_t *len, size_t size);

/* takes the name of a language that the tag's class tells, for code in the
   element at a depth */
void dt_text_language(dt_text_t *t, unsigned depth);


/* hidden.c: whether the tag says that no reader sees its element */
int dt_text_is_hidden(const dt_text_t *t);

/* the tag is that of a link, or of an image: begins it, if it names a URL */
int dt_text_link(dt_text_t *t);
void dt_text_image(dt_text_t *t);

/* the tag is that of a frame, a film or a sound: a link to it, if it names a
   URL */
int dt_text_media(dt_text_t *t);

/* whether an attribute of the tag has a value, in upper or lower case; NULL:
   any */
int dt_text_has(const dt_text_t *t, const char *name, const char *value);


/* math.c: a tag of math, or in it; its end, or an end tag in it, from depth
   before on */
void dt_math_tag(dt_text_t *t, unsigned before);
void dt_math_end(dt_text_t *t, unsigned before);

/* text in math is that of an annotation: TeX */
void dt_math_note(dt_text_t *t, const char *p, const char *end);


/* table.c: a table, a row, a cell begins or ends */
void dt_table_open(dt_text_t *t, int layout);
void dt_table_close(dt_text_t *t);
void dt_table_row(dt_text_t *t);
void dt_table_row_end(dt_text_t *t);
void dt_table_cell(dt_text_t *t, int heading);
void dt_table_cell_end(dt_text_t *t);

/* something begins in a row that no cell of a table can have; whether it is to
   be written as text within the cell */
int dt_table_block(dt_text_t *t);


/* head.c: a start tag before the body */
void dt_head_tag(dt_text_t *t);

/* text of the title */
void dt_head_title(dt_text_t *t, const char *p, const char *end);

/* writes the front matter and the link to an index, or what comes before the
   text in JSON, once */
void dt_head_write(dt_text_t *t);

/* the text has ended and was given out: writes what JSON has behind it */
void dt_head_end(dt_text_t *t);


/* markup.c: a start tag has begun an element, or none; the element at a depth
   has ended */
void dt_text_tag(dt_text_t *t, int begun);
void dt_text_end(dt_text_t *t, unsigned depth);

/* ends the block at hand, as far as it is one of its own */
void dt_text_break(dt_text_t *t);


#endif /* DT_TEXT_STATE_H_INCLUDED_ */
