
/*
 * Copyright (C) The detemplate authors
 *
 * The layout of a template's bytes.  It is for template.c, which checks them;
 * for the scanner, which looks keys up; and for the rules, which write them
 * and their evidence.  Other users of templates need only template.h.
 *
 *     +------+--------+-------+---------+-----------+----------+
 *     | head | firsts | paths | nodes   | node info | evidence |
 *     |      | bits   | u64[] | u64[]   | u32[]     |          |
 *     +------+--------+-------+---------+-----------+----------+
 *     |<---------------- serve_size --------------->|
 *
 * firsts has a bit for the beginning of each text at its place.  A text whose
 * bit is not set is not in the template.  The number of bits is a power of
 * two, large enough that most bits are unset.
 *
 * paths has the places where something may be cut alone, and all places around
 * them.  paths and nodes are hash tables with linear probing.  They have a
 * power of two slots, of which at most half are used; 0 is an empty slot.  No
 * key is more than DT_PROBE_MAX slots behind its home, so that a look-up in
 * hostile bytes also ends soon.  Numbers are in the byte order of the machine,
 * and magic reveals a foreign order.
 */


#ifndef DT_TABLE_H_INCLUDED_
#define DT_TABLE_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/hash.h"


#define DT_TEMPLATE_MAGIC 0x4c505444u /* "DTPL" */
#define DT_PROBE_MAX 64
#define DT_BITS_MAX 20
#define DT_DIRS_MAX 64


typedef struct {
    uint32_t magic;
    uint16_t format;
    uint16_t head_size;
    uint32_t size;
    uint32_t serve_size;
    uint64_t serve_sum; /* of the bytes from path_bits to serve_size */
    uint64_t rest_sum;  /* from serve_size to size */

    uint32_t path_bits;
    uint32_t node_bits;
    uint32_t first_bits;
    uint32_t paths; /* offsets of the sections */
    uint32_t nodes;
    uint32_t info;
    uint32_t npatterns;
    uint32_t most; /* most words of template that a page showed */

    uint32_t version;
    uint32_t loads;
    uint32_t candidates;
    uint32_t typical;
    uint32_t coverage;
    uint32_t npages;    /* evidence: number of pages, */
    uint32_t nplaces;   /* of places, */
    uint32_t nevidence; /* and of patterns; */
    uint32_t nseen;     /* and of keys of patterns in groups */
    uint32_t guarded;
    uint32_t shapes;            /* number of shapes in nodes */
    uint32_t unused;            /* 0 */
    uint64_t dirs[DT_DIRS_MAX]; /* directories that nodes are limited to;
                                   [0] is not used */
    int64_t learned_at;
    int64_t created_at;
    uint64_t seed;
} dt_template_head_t;

#define DT_TEMPLATE_SUMMED offsetof(dt_template_head_t, path_bits)


/* node info: the number of words in the low half, and these bits */
enum {
    DT_NODE_STRONG = 0x10000,  /* may be cut alone */
    DT_NODE_START = 0x20000,   /* the key of a start tag, not of a subtree */
    DT_NODE_WRAPPER = 0x40000, /* the key of an element that is cut when all
                                  its content is cut */
    DT_NODE_SHAPE = 0x80000,   /* the key of a shape, which is cut when bold;
                                  the words are the most that pages have there
                                  */
    DT_NODE_WORDS = 0xffff,
    DT_NODE_DIR = 24 /* from this bit on: the number of the only directory
                        in which it is STRONG, 0: everywhere */
};


/* evidence: the patterns of the pages that were loaded for a site */

#define DT_PAGES_MAX 64 /* as many as a set of pages has bits */

#define DT_PAGE_DIRS 5 /* of the directories that a page is in */

typedef struct {
    uint64_t url;                /* hash of the URL */
    uint64_t dirs[DT_PAGE_DIRS]; /* see dt_key_dirs() */
    uint64_t name; /* hash of the last part of its path, without extension
                    */
    int64_t loaded_at;
    uint32_t words;         /* of the page */
    uint32_t learning : 31; /* version of the template that it was loaded for
                             */
    uint32_t linked : 1;    /* it and another page link to each other */
} dt_evidence_page_t;

typedef struct {
    uint64_t path;
    uint32_t parent; /* index of the place around it, or UINT32_MAX */
    uint32_t kind;
} dt_evidence_place_t;

enum {
    DT_PLACE_NEW = 0, /* its parent is not set yet */
    DT_PLACE_PATH,    /* told apart by the names of elements, */
    DT_PLACE_NAMED    /* and by what they call themselves */
};

typedef struct {
    uint64_t key;   /* place and content */
    uint64_t start; /* key of the start tag, 0 for text */
    uint64_t pages; /* bit set: the pages that showed it */
    uint64_t up;    /* key of the element around it, on the last page */
    uint16_t first; /* of text: dt_key_first() */
    uint16_t place;
    uint16_t words;
    uint16_t merged; /* a group: number of its patterns, whose words these are;
                        0: a single pattern */
    uint8_t flags;
    uint8_t count; /* the count of it on a page, at least 1 */
    uint8_t now;   /* the same on the page that is being added */
    uint8_t unused[3];
    uint16_t named; /* the place of that kind */
} dt_pattern_t;

/* machines of 32 and of 64 bits share templates, so the struct has no
   padding */
_Static_assert(sizeof(dt_template_head_t) == 648, "head");
_Static_assert(sizeof(dt_evidence_page_t) == 72, "page");
_Static_assert(sizeof(dt_evidence_place_t) == 16, "place");
_Static_assert(sizeof(dt_pattern_t) == 48, "pattern");

/*
 * The evidence is pages, places, patterns; then the high halves of the keys of
 * patterns in groups; and for each of them the number of its group, 16 bits.
 * It is filled up to 8 bytes.
 */
#define DT_SEEN_SIZE 6

static inline uint64_t
dt_seen_size(uint64_t n)
{
    return (n * DT_SEEN_SIZE + 7) & ~(uint64_t) 7;
}


enum {
    DT_PATTERN_DETECTED = 1, /* the detector found it to be template */
    DT_PATTERN_VARIES = 2,   /* pages show it a different number of times */
    DT_PATTERN_LINKS = 4,    /* most of its words are links */
    DT_PATTERN_LABEL = 8, /* it is a heading or label: h1 to h6, th, dt, ... */
    DT_PATTERN_ASIDE = 16, /* it is in nav or aside */
    DT_PATTERN_MAIN = 32,  /* it is in main or article, or around one */
    DT_PATTERN_NAV = 64, /* a shape: calls itself navigation, and has links */
    DT_PATTERN_BESIDE = 128, /* a shape: beside content, outside of main */
    DT_PATTERN_SHAPE = DT_PATTERN_NAV | DT_PATTERN_BESIDE
};


/* Keys.  Compiling and scanning use the same function for each. */

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


/* the role that an element declares; see core/scan/shape.c */
enum {
    DT_SHAPE_NAV = 1,    /* navigation */
    DT_SHAPE_BESIDE = 2, /* beside or below content */
    DT_SHAPE_MAIN = 4    /* content */
};

static inline uint64_t
dt_key_shape(uint64_t path, unsigned kind)
{
    return dt_mix(path + 0xa3, kind) | 1;
}


/* The beginning of a text is a number of DT_FIRST_BITS bits.  Its highest bits
   are an index into firsts, which has at least 1 << DT_FIRST_LEAST bits. */
#define DT_FIRST_BITS 15
#define DT_FIRST_LEAST 6

static inline uint32_t
dt_key_first(uint64_t path, const char *p, size_t len)
{
    return (uint32_t) (dt_mix(path, dt_load_tail(p, len < 8 ? len : 8))
                       >> (64 - DT_FIRST_BITS));
}


#define DT_TABLE_NONE SIZE_MAX


/* Returns the slot of key, or DT_TABLE_NONE. */
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


#define DT_SNAPSHOT_MAGIC 0x4e535444u /* "DTSN" */
#define DT_SNAPSHOT_FORMAT 4
#define DT_SNAPSHOT_SITE 255 /* bytes of a site's name */

enum {
    DT_SNAPSHOT_FROM_HOST = 1, /* a client named the site */
    DT_SNAPSHOT_PINNED = 2,
    DT_SNAPSHOT_FLEET = 4, /* with the one before: by all machines */
    DT_SNAPSHOT_FLAGS = 7
};

/* the head of a snapshot's file; the template follows */
typedef struct {
    uint32_t magic;
    uint32_t format;
    uint32_t sum;  /* of all bytes after it */
    uint32_t size; /* of the template */
    int64_t valid; /* seconds since 1970 */
    int64_t refresh;
    uint32_t flags; /* DT_SNAPSHOT_FROM_HOST, ... */
    uint32_t len;   /* of the name */
    char site[DT_SNAPSHOT_SITE + 1];
} dt_snapshot_head_t;


#endif /* DT_TABLE_H_INCLUDED_ */
