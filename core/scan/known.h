
/*
 * Copyright (C) The detemplate authors
 *
 * Shared by the files of known regions: memo.c (compares) and memo_add.c
 * (remembers); and shape.c, which knows start tags.
 */


#ifndef DT_KNOWN_H_INCLUDED_
#define DT_KNOWN_H_INCLUDED_


#include "core/scan/memo.h"
#include "core/scan/region.h"


#define DT_MEMO_SLOTS 128
#define DT_MEMO_INDEX 256 /* a power of two */
#define DT_MEMO_PROBES 8
#define DT_MEMO_FIRST 40 /* bytes that tell which one it may be */
#define DT_MEMO_LAST 4   /* others, which say soon that it is not */
#define DT_MEMO_SEEN 256
#define DT_MEMO_BEGINS 2048 /* bits: most tags begin none of them */
#define DT_MEMO_TAGS 256    /* a power of two, of start tags */
#define DT_MEMO_TAG 256     /* bytes of the longest of these */


typedef struct {
    uint64_t key;  /* what is around, and first bytes */
    uint64_t page; /* host, directories, and the address if links need it */
    uint64_t sum;  /* of the bytes */
    dt_memo_facts_t facts;
    uint32_t early[DT_MEMO_STOPS]; /* parts of sums on the way */
    uint32_t last;                 /* bytes */
} dt_memo_slot_t;

_Static_assert(DT_MEMO_FIRST <= DT_MEMO_LEAST, "bytes that are not there");
_Static_assert(DT_MEMO_SLOTS <= UINT8_MAX, "more than the index can tell");

struct dt_memo_s {
    uint32_t n;                           /* slots */
    uint64_t begins[DT_MEMO_BEGINS / 64]; /* a bit for how each begins */
    uint8_t index[DT_MEMO_INDEX];         /* of slots, by key; 0: no more, else
                                             one more than its number */
    dt_memo_slot_t slots[DT_MEMO_SLOTS];
    uint32_t seen[DT_MEMO_SEEN]; /* of what came once, a part of the hash */
    uint64_t tags[DT_MEMO_TAGS]; /* hashes of start tags; instead of the last
                                    byte, the kinds of shape that they name */
};


/*
 * When a region comes in pieces, the scanner waits for more bytes as long as
 * they may be a known region.  After so many bytes it checks whether they are.
 */
extern const uint32_t dt_memo_stops[DT_MEMO_STOPS + 1];

/*
 * the properties of a page that regions depend on; some only with relative
 * links
 */
void dt_memo_page(dt_scan_t *s);


/*
 * What an element in e depends on around it.  The path does not name elements
 * of style, but they may keep its tags from closing outer elements; so may an
 * open form.  Around it are selectors as well.
 */
static inline uint64_t
dt_memo_around(const dt_scan_t *s, const dt_open_t *e)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t near = (((e->near & ones * 0x7f) + ones * 0x7f) | e->near) >> 7;

    return e->path + (near & ones) + (s->form ? 2u : 0u)
           + (s->hand != NULL ? dt_hand_around(s) * DT_NAME_FOLD : 0u);
}


/* the bit of an element at p with these surroundings */
static inline unsigned
dt_memo_begin(uint64_t around, const char *p, uint64_t *first)
{
    *first = dt_mix(around ^ dt_load64(p + 1), dt_load64(p + 24));

    return (unsigned) (*first >> 32) % DT_MEMO_BEGINS;
}


/* surroundings and first bytes; often elements differ in a number only */
static inline uint64_t
dt_memo_key(uint64_t first, const char *p)
{
    return dt_mix(dt_mix(first, dt_load64(p + 9)) + dt_load64(p + 16),
                  dt_load64(p + 32))
           | 1;
}


#endif /* DT_KNOWN_H_INCLUDED_ */
