
/*
 * Copyright (C) The detemplate authors
 *
 * Inside of a template's bytes: for template.c, which builds and checks them,
 * for the scanner, which looks things up, and for the rules, whose evidence is
 * in there.  Other users of templates need template.h alone.
 *
 *     +------+--------+-------+---------+-----------+----------+
 *     | head | firsts | paths | nodes   | node info | evidence |
 *     |      | bits   | u64[] | u64[]   | u32[]     |          |
 *     +------+--------+-------+---------+-----------+----------+
 *     |<---------------- serve_size --------------->|
 *
 * firsts has a bit for how each text begins, at its place: what is not there
 * is no text of the template.  As many bits as keep most of them unset, a
 * power of two, right behind the head.
 *
 * paths are the places where something may be cut on its own, and all around
 * them.  They and nodes are hash tables with linear probing: a power of two
 * slots, at most half of them taken, 0 is empty, and no key lies more than
 * DT_PROBE_MAX slots behind its home, so that a look-up in hostile bytes ends
 * soon as well.  Numbers are in the byte order of the machine; magic, read as
 * a number, tells a foreign order.
 */


#ifndef DT_TABLE_H_INCLUDED_
#define DT_TABLE_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/hash.h"


#define DT_TEMPLATE_MAGIC 0x4c505444u /* "DTPL" */
#define DT_PROBE_MAX 64
#define DT_BITS_MAX 20
#define DT_DIRS_MAX 64
#define DT_KNOWN 16


typedef struct {
    uint32_t magic;
    uint16_t format;
    uint16_t head_size;
    uint32_t size;
    uint32_t serve_size;
    uint64_t serve_sum; /* of what follows, up to serve_size */
    uint64_t rest_sum;  /* from serve_size to size */

    uint32_t path_bits;
    uint32_t node_bits;
    uint32_t first_bits;
    uint32_t paths; /* offsets of the sections */
    uint32_t nodes;
    uint32_t info;
    uint32_t npatterns;
    uint32_t most; /* words of template that a page showed at the most */

    uint32_t version;
    uint32_t loads;
    uint32_t candidates;
    uint32_t typical;
    uint32_t coverage;
    uint32_t npages;    /* evidence: pages, */
    uint32_t nplaces;   /* places, */
    uint32_t nevidence; /* and patterns */
    uint32_t guarded;
    uint32_t shapes;            /* nodes that are a shape */
    uint64_t dirs[DT_DIRS_MAX]; /* those that nodes are limited to, from 1 */
    uint64_t known[DT_KNOWN];   /* bits: see dt_template_known() */
    int64_t learned_at;
    int64_t created_at;
    uint64_t seed;
} dt_template_head_t;

#define DT_TEMPLATE_SUMMED offsetof(dt_template_head_t, path_bits)

/* the checksum of len bytes */
uint64_t dt_template_sum(const char *p, size_t len);


/* node info: words in the low half, and */
enum {
    DT_NODE_STRONG = 0x10000, /* may be cut on its own */
    DT_NODE_START = 0x20000,  /* the key of a start tag, not of a subtree */
    DT_NODE_HOLLOW = 0x40000, /* of an element that goes when all that is in
                                 it goes */
    DT_NODE_SHAPE = 0x80000,  /* the key of a shape: cut when bold; the words
                                 are the most that pages have there */
    DT_NODE_WORDS = 0xffff,
    DT_NODE_DIR = 24 /* bits from here: STRONG in this directory of
                        the head only, 0: everywhere */
};


/*
 * Hashes of what a page is in: of its path, which may have several queries,
 * and of the topmost of its directories; 0: no more.
 */
#define DT_PAGE_DIRS 5

void dt_key_dirs(dt_str_t path, uint64_t dirs[DT_PAGE_DIRS]);

/* The bit in known[] of a directory of which enough pages were loaded. */
static inline unsigned
dt_template_known(uint64_t dir)
{
    return (unsigned) (dir >> 1) % (64 * DT_KNOWN);
}

/* Bits: which directories of the template the path is in; the first is set. */
uint64_t dt_template_dirs(const dt_template_head_t *h, dt_str_t path);


/* evidence: what the pages loaded for a site showed */

#define DT_PAGES_MAX 64 /* as many as bits in a set of pages */

typedef struct {
    uint64_t url;                /* hash of the URL */
    uint64_t dirs[DT_PAGE_DIRS]; /* of its path, and of directories above */
    uint64_t name;               /* of its last part, without extension */
    int64_t loaded_at;
    uint32_t words;         /* of the page */
    uint32_t learning : 31; /* version that loaded it */
    uint32_t linked : 1;    /* another page linked to it, and it to that */
} dt_evidence_page_t;

typedef struct {
    uint64_t path;
    uint32_t parent; /* index of the place around it, or UINT32_MAX */
    uint32_t linked; /* parent is set */
} dt_evidence_place_t;

typedef struct {
    uint64_t key;   /* place and content */
    uint64_t start; /* key of the start tag, 0 for text */
    uint64_t pages; /* which of the pages showed it: a bit set */
    uint64_t up;    /* key of the element around it, as seen last */
    uint16_t first; /* of text: dt_key_first() */
    uint16_t place;
    uint16_t words;
    uint8_t flags;
    uint8_t count; /* how often a page shows it */
    uint8_t now;   /* the same, of the page being added */
} dt_pattern_t;

enum {
    DT_PATTERN_DETECTED = 1, /* the detector called it template */
    DT_PATTERN_VARIES = 2,   /* pages show it a different number of times */
    DT_PATTERN_LINKS = 4,    /* most of its words are links */
    DT_PATTERN_LABEL = 8,    /* heads what follows: h1 to h6, th, dt, ... */
    DT_PATTERN_ASIDE = 16,   /* stands beside content: in nav or aside */
    DT_PATTERN_MAIN = 32,    /* in main or article, or around one */
    DT_PATTERN_NAV = 64,     /* calls itself navigation, and is, */
    DT_PATTERN_BESIDE = 128, /* or stands beside content, outside of main */
    DT_PATTERN_SHAPE = DT_PATTERN_NAV | DT_PATTERN_BESIDE
};


/* keys: one function each, for compiling and scanning alike */

static inline uint64_t
dt_key_path(uint64_t parent, uint64_t name)
{
    return dt_mix(parent, name) | 1;
}


static inline uint64_t
dt_key_node(uint64_t path, uint64_t hash)
{
    return dt_mix(path + 0x51, hash) | 1;
}


static inline uint64_t
dt_key_start(uint64_t path, uint64_t attrs)
{
    return dt_mix(path + 0x7f, attrs) | 1;
}


/* what an element calls itself; see core/scan/shape.c */
enum {
    DT_SHAPE_NAV = 1,    /* navigation */
    DT_SHAPE_BESIDE = 2, /* what stands beside content, or below */
    DT_SHAPE_MAIN = 4    /* content */
};

static inline uint64_t
dt_key_shape(uint64_t path, unsigned kind)
{
    return dt_mix(path + 0xa3, kind) | 1;
}


/* bits of a number that tells how text begins: those that are stored, and that
   tables are indexed by, the highest of them; a table has 64 bits at least */
#define DT_FIRST_BITS 15
#define DT_FIRST_LEAST 6

static inline uint32_t
dt_key_first(uint64_t path, const char *p, size_t len)
{
    return (uint32_t) (dt_mix(path, dt_load_tail(p, len < 8 ? len : 8))
                       >> (64 - DT_FIRST_BITS));
}


#define DT_TABLE_NONE SIZE_MAX


/* the slot of key, or DT_TABLE_NONE */
static inline size_t
dt_table_find(const uint64_t *keys, unsigned bits, uint64_t key)
{
    size_t i = dt_hash_home(key, bits);

    while (keys[i] != key) {
        if (keys[i] == 0) {
            return DT_TABLE_NONE;
        }

        i = (i + 1) & (((size_t) 1 << bits) - 1);
    }

    return i;
}


#endif /* DT_TABLE_H_INCLUDED_ */
