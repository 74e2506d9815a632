
/*
 * Copyright (C) The detemplate authors
 *
 * What the scanner knows of a page while it reads it: open elements, and
 * pieces that are template.  All layers of the scanner (see scan.h) share it.
 * Here are no functions but those that read it, and say what they read.
 */


#ifndef DT_STATE_H_INCLUDED_
#define DT_STATE_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/hash.h"
#include "core/scan/address.h"
#include "core/base/tags.h"
#include "core/scan/hand.h"
#include "core/scan/memo.h"
#include "core/html/token.h"
#include "core/template/table.h"


#define DT_SCAN_DEPTH 250   /* open elements; deeper pages pass unchanged */
#define DT_SCAN_HOLD 65536  /* bytes of the largest piece that is looked at */
#define DT_SCAN_LOOK 24     /* bytes behind '<' that decide what it is */
#define DT_SCAN_PENDING 512 /* regions inside elements that are open */
#define DT_SCAN_FINAL 128   /* regions that wait to be fetched */
#define DT_SCAN_INNER 48    /* open elements inside of svg, math, ... */
#define DT_SCAN_UNCLOSED 42 /* names of formatting that are told apart */
#define DT_SCAN_PIECES 32   /* that may be worth remembering, see memo.c */
#define DT_SCAN_PLAIN_BITS 6
#define DT_SCAN_FORCED 256 /* regions that wait for what is around them */

/* start tags without a look */
#define DT_SCAN_PLAIN (1 << DT_SCAN_PLAIN_BITS)

#define DT_SCAN_REGIONS (DT_SCAN_PENDING + DT_SCAN_FINAL + DT_SCAN_DEPTH)


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
    uint32_t mark; /* regions pending when it was opened, or its record */
    uint32_t out_of_place; /* these counters when it began: the scanner's, */
    uint32_t relative;     /* those of its address, */
    uint32_t whole_path;
    uint16_t made;  /* and the scanner's again */
    uint16_t flags; /* DT_TAG_*, and */
    uint8_t state;
    uint8_t bare;     /* DT_BARE_* */
    uint8_t child;    /* it has had one; known of those that are noted */
    uint8_t len;      /* of the name, if dt_name_quick() tells, else 0 */
    uint8_t name_len; /* the same, of any name up to 254 */
} dt_open_t;

/* what tells an element apart beside its hash */
enum {
    DT_BARE_TEXT = 0, /* nothing, as there is text in it */
    DT_BARE_NONE,
    DT_BARE_OTHERS /* maybe other attributes of its start tag */
};

#define dt_near(e, kind) ((unsigned) ((e)->near >> 8 * (kind)) & 0xff)

enum {
    DT_OPEN_KNOWN = 1,    /* its path is one of the template's */
    DT_OPEN_GLUED = 2,    /* follows text without white space between */
    DT_OPEN_CLOSED = 4,   /* its start tag closed another element */
    DT_OPEN_UNSOUND = 8,  /* misnested, or not where a parser would leave it */
    DT_OPEN_WRAPPER = 16, /* template also when only all its children are */
    DT_OPEN_LINE = 32,    /* stands in a line of text, at a known place */
    DT_OPEN_NAV = 64,     /* may go by its shape, as navigation, */
    DT_OPEN_BESIDE = 128, /* or as what stands beside content */
    DT_OPEN_SHAPE = DT_OPEN_NAV | DT_OPEN_BESIDE
};


/* a piece of the page that is template, when serving */
typedef struct {
    uint64_t start;
    uint32_t len;
    uint16_t words;
    uint8_t at;         /* behind the tag's name, from start; 0: text */
    uint8_t weak : 1;   /* only as part of a larger one */
    uint8_t joined : 1; /* goes or stays with the one before */
    uint8_t last : 1;   /* only as the last part of the page */
} dt_region_t;


/* a piece of the page that is cut by hand */
typedef struct {
    uint64_t start;
    uint32_t len;
    uint8_t at; /* as of a region */
} dt_forced_t;


/* an open element that selectors are looked for in */
typedef struct {
    uint64_t start;
    uint64_t around; /* bits of these selectors */
    unsigned depth;
} dt_outer_t;


/* what a region, which may be known by its bytes, does to what is around it */
typedef struct {
    uint64_t hash; /* for that of the element around it */
    uint32_t len;
    uint32_t said;  /* if counted, its words in all, */
    uint32_t links; /* and those of links */
    uint16_t words;
    uint16_t made; /* regions in it, and it */
    uint8_t at;
    uint8_t depth;
    uint8_t relative : 1; /* it depends on the page's own directory */
    uint8_t text : 1;     /* it has some, */
    uint8_t says : 1;     /* with words */
    uint8_t counted : 1;  /* these are, as it is in a shape; */
    uint8_t shaped : 1;   /* else it is or has one */
} dt_memo_facts_t;


/* such a piece inside of an element that is alive */
typedef struct {
    uint64_t around; /* see dt_memo_around() */
    uint64_t start;
    dt_memo_facts_t facts;
} dt_memo_piece_t;


/* a piece of the page, when compiling */
typedef struct {
    uint64_t key;       /* 0: not usable: unsound, or never closed */
    uint64_t start_key; /* 0: text */
    uint64_t path;
    uint32_t first;  /* of text: its bit among the first bytes */
    uint32_t parent; /* record of the element around it, or UINT32_MAX */
    uint32_t start;  /* offsets in the page */
    uint32_t end;
    uint32_t words;
    uint32_t links; /* words of it inside links */
    uint64_t name;  /* 0: text */
    uint32_t weak;  /* may not be cut on its own here: glued, ... */
    uint32_t shape; /* what it calls itself: DT_SHAPE_*; see shape.c */
} dt_record_t;


/* a start tag in which nothing may be looked for: see cold.c */
typedef struct {
    uint64_t first; /* bytes */
    uint64_t last;
    uint64_t between[2];
    uint64_t name;
    const dt_tag_t *tag;
    const char *behind;
    unsigned len; /* of the name */
} dt_plain_t;


typedef enum {
    DT_SCAN_TEXT = 0, /* between tags */
    DT_SCAN_TAG,      /* in a tag whose end has not come */
    DT_SCAN_COMMENT,
    DT_SCAN_BOGUS, /* up to the next '>': <!doctype, <?, </1 */
    DT_SCAN_RAW,   /* in script, style, ... */
    DT_SCAN_CDATA, /* in svg or math */
    DT_SCAN_KNOWN, /* in what may be a known region that is not yet whole */
    DT_SCAN_PASS   /* given up: the rest is not looked at */
} dt_scan_state_t;


/* what is known of a head whose end is looked for */
enum {
    DT_HEAD_NONE = 0, /* it is of no interest, or it is known */
    DT_HEAD_WANTED,
    DT_HEAD_PAGE, /* the page is a document, no fragment of one */
    DT_HEAD_FULL /* it has a link to Markdown, or links lead to another host */
};


/* where a table in a p stands */
enum {
    DT_DOCTYPE_NONE = 0, /* in it */
    DT_DOCTYPE_OTHER,    /* there or here: parsers differ */
    DT_DOCTYPE_KNOWN     /* behind it, which it ends */
};


typedef struct {
    /* the template; all NULL or 0 when compiling */
    const uint64_t *paths;
    const uint64_t *nodes;
    const uint32_t *info;
    const uint64_t *firsts;
    unsigned first_shift;
    unsigned path_bits;
    unsigned node_bits;
    uint64_t seed;
    uint64_t dirs; /* of the template that the page is in: bits, the first is
                      set */

    dt_scan_state_t state;
    unsigned step; /* where in a tag or comment its bytes so far end */
    uint8_t in_body;
    uint8_t begun;     /* the page has had a tag */
    uint8_t doctype;   /* DT_DOCTYPE_*, of the first one before any tag */
    uint8_t bodied;    /* the body has a tag of its own */
    uint8_t cut_words; /* a region with words was found */
    uint8_t heads;     /* DT_HEAD_*: whether the end of the head is looked for,
                          and may get a link */
    uint64_t head_end; /* one more than where it is; 0: not yet */
    uint64_t body;     /* the same of the beginning of the body */
    uint8_t follows;   /* nothing is cut or recorded: see dt_scan_give_up() */
    uint8_t declared;  /* the page begins with an XML declaration */
    uint8_t xml;       /* while it follows: "/>" ends any element, and CDATA is
                          anywhere, as in XML; 2: if it is declared */
    uint8_t look;      /* the bytes at hand begin with '<' and are too few */
    uint8_t cut;       /* the beginning of the token was let go */
    uint8_t too_deep;
    uint8_t unclosed;        /* DT_UNCLOSED_*: formatting that was left open */
    uint8_t unclosed_inline; /* another inline element was left open */
    uint8_t three_left;      /* three elements of one kind of formatting were
                                open in one another, some of them left open; */
    unsigned three;          /* or the third one, which may have ended: */
    uint64_t three_start;    /* it begins there; 0: none was */
    uint8_t full;        /* dt_scan_run() returned early: take the regions */
    uint8_t keep_links;  /* no link is template, nor what it stands in */
    uint8_t bold;        /* what repeats by its shape is template as well */
    uint8_t script;      /* how many escapes a script is in, 0 to 2 */
    uint8_t line;        /* DT_LINE_* */
    uint8_t label;       /* the last heading is another label, DT_LABEL_* */
    uint8_t introduces;  /* the last text that went does so with what comes
                            next: it ends in a colon, or a br is behind it in
                            a label */
    unsigned headed;     /* depth of the element that the last heading is in */
    uint64_t heading;    /* where the regions of that heading begin */
    uint64_t white;      /* where the last white space between tags begins, or
                            a break of a line */
    uint64_t said;       /* where the last words of template begin, */
    uint64_t shaped;     /* and the last element that set s->shape */
    uint32_t stay_words; /* words of template that stays: of headings, and by
                            hand */
    uint64_t since;      /* nothing that is not decided begins before; void
                            when nothing is alive nor waits in a line */
    uint32_t line_link;  /* the link that the last words are in, 0: none */
    uint32_t links;      /* links so far, where lines may matter */

    uint64_t form; /* one more than the offset of the form that has not ended,
                      0: none; parsers drop a form that begins in it */
    uint64_t glue; /* the last bytes of the text before, see dt_load64();
                      0: there is none */
    uint64_t cut_end; /* where the last region ends */
    uint64_t raw;     /* name of the raw element being passed, 0: none */
    uint64_t nest;    /* name of the svg, math, ... being passed, 0: none */
    char *inert;      /* a copy of the page, in which the insides of template
                         and noscript become white space, or NULL; */
    uint64_t nest_start; /* the first byte of that inside */
    unsigned ninner;     /* elements that are open in it, and it */
    uint64_t inner[DT_SCAN_INNER];
    uint8_t inside[DT_SCAN_INNER]; /* what they are: see nest.c */
    uint64_t balance; /* names of start tags that set markers, less end tags */
    uint8_t formatted; /* there is formatting in it */

    /* by name, how many elements of formatting were left open */
    uint32_t nunclosed[DT_SCAN_UNCLOSED];

    unsigned depth;
    unsigned select; /* where the last one began */
    unsigned alive;  /* the outermost element that may be template; depth:
                        none */
    unsigned shape;  /* the outermost that may be by its shape; 0: none */
    uint64_t last;   /* one more than where the first region begins that is
                        cut only as the last part of the page; 0: none */

    uint32_t behind; /* words that stay behind it */

    /* serving */
    uint32_t nregions;

    /* what is wanted by hand: see force.c */
    const dt_hand_t *hand; /* NULL: nothing */
    unsigned kept;         /* the element that is kept; 0: none, or
                              DT_FORCE_LEAF: the page */
    uint64_t kept_start;   /* its first byte, or one before */
    unsigned force;        /* that is cut if it ends; 0: none, or
                              DT_FORCE_LEAF: on no stack */
    uint8_t force_at;      /* its region */
    uint64_t force_start;
    uint64_t wanted; /* behind the '<' of the last element that is to be cut */
    uint32_t nforced;
    uint32_t nkept; /* elements so far */
    unsigned nouters;
    uint64_t around; /* selectors that the page itself is around */

    /* compiling */
    dt_record_t *records;
    size_t nrecords;
    size_t records_max;
    uint8_t recording;
    uint8_t nomem;

    /* regions by their bytes: see memo.c */
    dt_memo_t *memo; /* NULL: none */
    uint64_t memo_page[2];
    uint8_t memo_ready;
    uint8_t memo_first;  /* nothing was known before this page */
    uint32_t memo_known; /* bytes */
    uint64_t memo_from;  /* none that is not whole begins before */
    uint64_t memo_key;   /* of what is looked for, of which */
    uint32_t memo_len;   /* bytes were hashed */
    unsigned memo_stops; /* passed, with these hashes */
    uint32_t memo_early[DT_MEMO_STOPS];
    uint16_t made; /* regions so far, wherever they went */
    unsigned npieces;
    uint32_t reopened; /* depth of the element in which a parser has opened
                          again all that was left open, */
    uint64_t reopened_start; /* and where that element begins */
    uint32_t out_of_place;   /* tags so far that did what their path does not
                                tell */
    uint64_t from;           /* what is in memory from this offset on */
    const char *held;        /* what was before that, as far as it was kept: */
    uint64_t held_off;
    uint64_t held_end; /* offsets */

    uint64_t shift;    /* from a byte's address to its offset in the page */
    const char *limit; /* behind the bytes at hand */
    char let_go[DT_SCAN_LOOK]; /* how the tag let go of begins */

    uint8_t plain_len[DT_SCAN_PLAIN]; /* of those in plain; 0: none */

    dt_address_t address;
    dt_token_t token;

    /* not cleared at the beginning */
    dt_region_t regions[DT_SCAN_REGIONS];
    dt_open_t stack[DT_SCAN_DEPTH + 2];
    dt_memo_piece_t pieces[DT_SCAN_PIECES];
    dt_forced_t forced[DT_SCAN_FORCED + DT_SCAN_FINAL];
    dt_outer_t outers[DT_HAND_MAX];
    dt_sum_t memo_sum;
    dt_plain_t plain[DT_SCAN_PLAIN + 1];
} dt_scan_t;


#define DT_FORCE_LEAF (DT_SCAN_DEPTH + 2) /* one that is on no stack */


/* what the words said last in a line become */
enum {
    DT_LINE_NONE = 0, /* there are none, or a separator is behind them */
    DT_LINE_STAYS,
    DT_LINE_GONE,   /* template, of the last region, */
    DT_LINE_HEADING /* the same, in a heading that has ended */
};


/* what a heading is that is none of h1 to h6 */
enum {
    DT_LABEL_NONE = 0,
    DT_LABEL_BEGUN, /* th, dt, caption and the like, of which no value came, */
    DT_LABEL_VALUE, /* of which one is known */
    DT_LABEL_COLON  /* a line that ends in a colon */
};


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
#define DT_NAME_A dt_letters('a', 0, 0, 0, 0, 0, 0, 0)
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
#define DT_NAME_TR dt_letters('t', 'r', 0, 0, 0, 0, 0, 0)
#define DT_NAME_TD dt_letters('t', 'd', 0, 0, 0, 0, 0, 0)
#define DT_NAME_DD dt_letters('d', 'd', 0, 0, 0, 0, 0, 0)
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


/*
 * the bytes between two offsets, up to the end of the piece that they are in
 */
static inline const char *
dt_scan_span(const dt_scan_t *s, uint64_t off, uint64_t to, size_t *n)
{
    if (off < s->from) {
        *n = (size_t) ((to < s->from ? to : s->from) - off);
        return s->held + (off - s->held_off);
    }

    *n = (size_t) (to - off);

    return (const char *) (uintptr_t) (off - s->shift);
}


/* whether three elements of one kind of formatting may be open */
static inline int
dt_scan_three_equal(const dt_scan_t *s)
{
    return s->three_left
           || (s->three_start && s->three <= s->depth
               && s->stack[s->three].start == s->three_start);
}


/* whether nothing in the innermost element can be template, or matters to what
   may be */
static inline int
dt_scan_is_cold(const dt_scan_t *s)
{
    return !(s->stack[s->depth].state & (DT_OPEN_KNOWN | DT_OPEN_LINE));
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


/* whether what comes next is joined to the word before it: there is neither
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


/* whether something may be cut on its own at a path, or further down */
static inline int
dt_scan_leads(const dt_scan_t *s, uint64_t path)
{
    return dt_table_find(s->paths, s->path_bits, path) != DT_TABLE_NONE;
}


/*
 * Formatting that is left open is opened again by a parser where text comes
 * next, or what may stand in a line of text; which then must not go, since
 * what follows would open it elsewhere.  Whether that is so here.  So it is
 * with the body that ended, which anything opens again but white space and
 * comments: these stand elsewhere until then.
 */
static inline int
dt_scan_opens(const dt_scan_t *s)
{
    return s->unclosed
           && (s->reopened > s->depth
               || s->stack[s->reopened].start != s->reopened_start);
}


/* whether the n-th element that selectors are looked for in has not ended, or
   n is 0: they are not removed when they end */
static inline int
dt_hand_is_open(const dt_scan_t *s, unsigned n)
{
    const dt_outer_t *o = s->outers + n;

    return n == 0
           || (o[-1].depth <= s->depth
               && s->stack[o[-1].depth].start == o[-1].start);
}


/* the selectors that the innermost element, or one around it, is around */
static inline uint64_t
dt_hand_around(const dt_scan_t *s)
{
    unsigned n = s->nouters;

    while (!dt_hand_is_open(s, n)) {
        n--;
    }

    return n ? s->outers[n - 1].around : s->around;
}


/* how many of what is cut by hand begin before an offset */
static inline uint32_t
dt_scan_forced(const dt_scan_t *s, uint64_t off)
{
    uint32_t n = s->nforced;

    while (n && s->forced[n - 1].start >= off) {
        n--;
    }

    return n;
}


/* whether this page is in the directory that a node is limited to */
static inline int
dt_scan_in_dir(const dt_scan_t *s, uint32_t info)
{
    return s->dirs >> (info >> DT_NODE_DIR & (DT_DIRS_MAX - 1)) & 1;
}


/* whether a node of the template may be cut on its own on this page */
static inline int
dt_scan_is_strong(const dt_scan_t *s, uint32_t info)
{
    return (info & DT_NODE_STRONG) && dt_scan_in_dir(s, info);
}


#endif /* DT_STATE_H_INCLUDED_ */
