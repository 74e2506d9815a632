
/*
 * Copyright (C) The detemplate authors
 *
 * The state of the reader: its knowledge of a page up to a token.  tree.c (the
 * stack of open elements), element.c (effects of tags), nest.c (svg and the
 * like), raw.c (comments and scripts) and scan.c (text) share it.
 */


#ifndef DT_STATE_H_INCLUDED_
#define DT_STATE_H_INCLUDED_


#include "core/base/hash.h"
#include "core/base/tags.h"
#include "core/html/token.h"
#include "core/scan/address.h"
#include "core/scan/hand.h"
#include "core/scan/record.h"
#include "core/template/table.h"


#define DT_SCAN_DEPTH 250   /* open elements; deeper pages pass unchanged */
#define DT_SCAN_INNER 48    /* open elements inside of svg, math, ... */
#define DT_SCAN_UNCLOSED 42 /* names of formatting that are told apart */


/* an open element */
typedef struct {
    uint64_t path; /* the names from body down to it */
    uint64_t name;
    uint64_t hash;  /* start tag and children so far */
    uint64_t start; /* offset of '<' in the page */
    uint64_t near;  /* a byte for each kind of element: the innermost open one
                       that may be closed from here; 0: none */
    uint32_t words;
    uint32_t links;
    uint32_t record;
    uint16_t flags; /* DT_TAG_* */
    uint8_t state;
    uint8_t bare; /* DT_BARE_* */
    uint8_t len;  /* of the name, if dt_name_quick() tells, else 0 */
    uint8_t kind;
    uint8_t weak;    /* DT_WEAK_* */
    uint8_t formats; /* elements of formatting, itself and around it, up to a
                        cell */
} dt_open_t;

/* the parts beside its hash that tell an element apart */
enum {
    DT_BARE_TEXT = 0, /* nothing, as there is text in it */
    DT_BARE_NONE,
    DT_BARE_OTHERS /* maybe other attributes of its start tag */
};

#define dt_near(e, kind) ((unsigned) ((e)->near >> 8 * (kind)) & 0xff)

enum {
    DT_OPEN_HOT = 1,   /* its place is the template's: its content is
                            looked up, */
    DT_OPEN_KNOWN = 2, /* and its start tag is the template's */
    DT_OPEN_LOST = 4,  /* its content stays: see dt_scan_lose() */
    DT_OPEN_UNSOUND = DT_RECORD_UNSOUND, /* misnested, or not where a parser
                                            would leave it */
    DT_OPEN_WHITE = DT_RECORD_WHITE
};


typedef enum {
    DT_SCAN_TEXT = 0, /* between tags */
    DT_SCAN_COMMENT,
    DT_SCAN_BOGUS, /* up to the next '>': <!doctype, <?, </1 */
    DT_SCAN_RAW,   /* in script, style, ... */
    DT_SCAN_CDATA, /* in svg or math */
    DT_SCAN_PASS   /* given up: the rest is not looked at */
} dt_scan_state_t;


/* the facts known of a head whose end is looked for */
enum {
    DT_HEAD_NONE = 0, /* it is of no interest, or it is known */
    DT_HEAD_WANTED,
    DT_HEAD_PAGE, /* the page is a document, no fragment of one */
    DT_HEAD_FULL /* it has a link to Markdown, or links lead to another host */
};


/* the svg, math, template or noscript that is being passed: nest.c */
typedef struct {
    uint64_t name;     /* 0: none */
    uint64_t start;    /* the first byte of its inside */
    unsigned n;        /* elements that are open in it, and it itself, */
    uint8_t formatted; /* there is formatting in it */
    uint64_t balance; /* names of start tags that set markers, less end tags */
    uint64_t inner[DT_SCAN_INNER]; /* their names, */
    uint8_t inside[DT_SCAN_INNER]; /* and their bits, DT_IN_* */
} dt_nest_t;


/* where a table in a p stands */
enum {
    DT_DOCTYPE_NONE = 0, /* in it */
    DT_DOCTYPE_OTHER,    /* there or here: parsers differ */
    DT_DOCTYPE_KNOWN     /* behind it, which it ends */
};


/* why nothing of a page may be cut */
enum {
    DT_STAYS_DEEP = 1,  /* it is nested too deep */
    DT_STAYS_FRAMES = 2 /* its body is replaced by a frameset, unless there are
                           words before it */
};


/* the tables of a template; all NULL or 0: there is none */
typedef struct {
    const uint64_t *paths;
    const uint64_t *nodes;
    const uint32_t *info;
    const uint64_t *firsts;
    unsigned first_shift;
    unsigned path_bits;
    unsigned node_bits;
    uint64_t dirs; /* of the template that the page is in: bits, the first is
                      set */
} dt_tables_view_t;


/* records of a page; the memory is used again for the next one */
typedef struct {
    dt_record_t *elts;
    uint32_t *hot; /* numbers of those that were looked up */
    uint32_t n;
    uint32_t nhot;
    uint32_t max; /* of both */
    uint8_t nomem;
} dt_records_t;


/* formatting that was left open, which a parser opens again: tree.c */
typedef struct {
    uint8_t what;   /* DT_UNCLOSED_* */
    uint8_t others; /* an inline element that is no formatting was left open,
                        too */
    uint32_t depth; /* of the element in which a parser has opened again all
                        that was left open, */
    uint64_t start; /* and where that element begins */
    uint32_t count[DT_SCAN_UNCLOSED]; /* by name */
} dt_left_t;


typedef struct {
    dt_tables_view_t tables;
    dt_records_t *records; /* NULL: the scanner only follows */
    uint8_t bold;          /* elements that repeat by shape are template too */

    /* where the reader is */
    dt_scan_state_t state;
    uint64_t shift;    /* from a byte's address to its offset in the page */
    const char *limit; /* behind the last byte of the page */
    uint64_t raw;      /* name of the raw element being passed, 0: none */
    uint64_t glue;     /* the last bytes of the text before, see
                            dt_load64(); 0: there is none */
    uint32_t line;
    dt_token_t token;
    dt_address_t address;

    /* the page around its body */
    uint8_t in_body;
    uint8_t begun;     /* the page has had a tag */
    uint8_t doctype;   /* DT_DOCTYPE_*, of the first one before any tag */
    uint8_t bodied;    /* the body has a tag of its own */
    uint8_t declared;  /* the page begins with an XML declaration */
    uint8_t xml;       /* while it follows: "/>" ends any element, and CDATA is
                          anywhere, as in XML; 2: if it is declared */
    uint8_t stays;     /* DT_STAYS_*: why nothing of the page may be cut */
    uint8_t heads;     /* DT_HEAD_*: whether the end of the head is looked for,
                          and may get a link */
    uint8_t headed;    /* elements of the head have records as well */
    uint64_t head_end; /* one more than where it is; 0: not yet */
    uint64_t body;     /* the same of the beginning of the body, */
    uint64_t rest;     /* and of the tag from which on nothing is looked at */
    uint64_t outer[3]; /* the same of the first tags of html and body, and of
                          the last one that adds to these */

    /* open elements */
    unsigned depth;
    unsigned select; /* where the last one began */
    uint64_t form;   /* one more than the offset of the form that has not
                         ended, 0: none; parsers drop a form in it */
    dt_left_t left;
    uint32_t leaf;   /* record of the element being passed, and one; 0: none */
    uint64_t inside; /* where its inside begins, if that is compared, or 0 */

    dt_nest_t nest;
    char *inert; /* a copy of the page, in which the insides of template and
                    noscript become white space, or NULL */

    dt_open_t stack[DT_SCAN_DEPTH + 2]; /* not cleared at the beginning */
} dt_scan_t;


/* a page about which is decided: cut.c and the files that it calls */
typedef struct {
    dt_str_t page;
    dt_record_t *r; /* its records, of which states are set */
    uint32_t n;
    const uint32_t *hot; /* numbers of those that were looked up */
    uint32_t nhot;
    const dt_scan_t *scan; /* its state at the end */
    const dt_hand_t *hand; /* selectors that keep and cut; NULL: none */
    unsigned keep_links;   /* no link is template, nor elements around it */
    uint64_t most;         /* words of template that may be cut */

    uint32_t kept;  /* elements that are kept by hand */
    uint32_t words; /* of template found, whether it stays or not, */
    uint32_t cut;   /* and of the parts that are cut */
    unsigned guard; /* more words would be cut than may be: none are */
} dt_cut_t;


/* formatting that was left open */
enum {
    DT_UNCLOSED_LINK = 1, /* which another link ends, */
    DT_UNCLOSED_NOBR = 2, /* or another nobr */
    DT_UNCLOSED_STYLE = 4,
    DT_UNCLOSED_BODY = 8, /* none: the body itself, which ended */
    DT_UNCLOSED_ANY = DT_UNCLOSED_LINK | DT_UNCLOSED_NOBR | DT_UNCLOSED_STYLE
};


/* names as dt_name_fold() makes them; that of text is for paths */
#define DT_NAME_TEXT dt_letters('t', 'e', 'x', 't', 0, 0, 0, 0)
#define DT_NAME_P dt_letters('p', 0, 0, 0, 0, 0, 0, 0)
#define DT_NAME_PRE dt_letters('p', 'r', 'e', 0, 0, 0, 0, 0)
#define DT_NAME_LISTING dt_letters('l', 'i', 's', 't', 'i', 'n', 'g', 0)
#define DT_NAME_AREA dt_letters('a', 'r', 'e', 'a', 0, 0, 0, 0)
#define DT_NAME_UL dt_letters('u', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_OL dt_letters('o', 'l', 0, 0, 0, 0, 0, 0)
#define DT_NAME_BR dt_letters('b', 'r', 0, 0, 0, 0, 0, 0)
#define DT_NAME_HR dt_letters('h', 'r', 0, 0, 0, 0, 0, 0)
#define DT_NAME_WBR dt_letters('w', 'b', 'r', 0, 0, 0, 0, 0)
#define DT_NAME_DIV dt_letters('d', 'i', 'v', 0, 0, 0, 0, 0)
#define DT_NAME_FORM dt_letters('f', 'o', 'r', 'm', 0, 0, 0, 0)
#define DT_NAME_TABLE dt_letters('t', 'a', 'b', 'l', 'e', 0, 0, 0)
#define DT_NAME_BUTTON dt_letters('b', 'u', 't', 't', 'o', 'n', 0, 0)
#define DT_NAME_NOBR dt_letters('n', 'o', 'b', 'r', 0, 0, 0, 0)
#define DT_NAME_OPTION dt_letters('o', 'p', 't', 'i', 'o', 'n', 0, 0)
#define DT_NAME_OPTGROUP dt_letters('o', 'p', 't', 'g', 'r', 'o', 'u', 'p')
#define DT_NAME_SELECT dt_letters('s', 'e', 'l', 'e', 'c', 't', 0, 0)
#define DT_NAME_SCRIPT dt_letters('s', 'c', 'r', 'i', 'p', 't', 0, 0)
#define DT_NAME_NOSCRIPT dt_letters('n', 'o', 's', 'c', 'r', 'i', 'p', 't')
#define DT_NAME_RUBY dt_letters('r', 'u', 'b', 'y', 0, 0, 0, 0)
#define DT_NAME_FONT dt_letters('f', 'o', 'n', 't', 0, 0, 0, 0)
#define DT_NAME_SVG dt_letters('s', 'v', 'g', 0, 0, 0, 0, 0)
#define DT_NAME_MATH dt_letters('m', 'a', 't', 'h', 0, 0, 0, 0)
#define DT_NAME_TEMPLATE dt_letters('t', 'e', 'm', 'p', 'l', 'a', 't', 'e')

#define dt_scan_off(s, p) ((s)->shift + (uintptr_t) (p))

/* the byte at an offset of the page */
#define dt_scan_at_off(s, off)                                                \
    ((const char *) (uintptr_t) ((off) - (s)->shift))


/* the next bytes are read in this state; raw: the element that they are in */
static inline void
dt_scan_turn(dt_scan_t *s, dt_scan_state_t state, uint64_t raw)
{
    s->state = state;
    s->raw = raw;
}


/* the next token is joined to no word before it */
static inline void
dt_scan_apart(dt_scan_t *s)
{
    s->glue = 0;
}


/* text [p, end) was passed, maybe a piece of it: the lowest bit, which nobody
   asks for, says that there was one */
static inline void
dt_scan_passed(dt_scan_t *s, const char *p, const char *end)
{
    size_t n = (size_t) (end - p);

    if (n >= 8) {
        s->glue = dt_load64(end - 8) | 1;

    } else if (n) {
        s->glue = s->glue >> 8 * n | dt_load_tail(p, n) << (64 - 8 * n) | 1;
    }
}


/* whether the next token is joined to the word before it: there is neither
   white space between nor a space that does not break */
static inline int
dt_scan_glued(const dt_scan_t *s)
{
    /* a parser drops NUL, and keeps other bytes below the space */

    return s->glue && !dt_char_is(s->glue >> 56, DT_C_SPACE)
           && s->glue >> 48 != 0xa0c2
           && s->glue >> 16 != dt_letters('&', 'n', 'b', 's', 'p', ';', 0, 0)
           && s->glue >> 16 != dt_letters('&', '#', '1', '6', '0', ';', 0, 0);
}


/* whether all is looked at, since there is no template yet */
#define dt_scan_learns(s) ((s)->tables.nodes == NULL)


/* whether something may be cut on its own at a path, or further down */
static inline int
dt_scan_leads(const dt_scan_t *s, uint64_t path)
{
    return dt_table_find(s->tables.paths, s->tables.path_bits, path)
           != DT_TABLE_NONE;
}


/*
 * Formatting that is left open is reopened by a parser where text comes next,
 * or an element that may stand in a line of text; which then must not go,
 * since the next token would open it elsewhere.  Whether that is so here.  So
 * it is with the body that ended, which anything opens again but white space
 * and comments: these stand elsewhere until then.
 */
static inline int
dt_scan_opens(const dt_scan_t *s)
{
    return s->left.what
           && (s->left.depth > s->depth
               || s->stack[s->left.depth].start != s->left.start);
}


#endif /* DT_STATE_H_INCLUDED_ */
