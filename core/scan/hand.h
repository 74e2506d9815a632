
/*
 * Copyright (C) The detemplate authors
 *
 * Selectors given by hand: of elements that are kept with all that is in them,
 * and of elements that are cut as a whole.  A selector is a name, ".class",
 * "#id", "[name=value]", or several of these without a space between them; two
 * such, with a space between them, say that the second is somewhere inside of
 * the first.
 */


#ifndef DT_HAND_H_INCLUDED_
#define DT_HAND_H_INCLUDED_


#include "core/base/dt.h"
#include "core/html/token.h"


#define DT_HAND_MAX 64  /* selectors */
#define DT_HAND_LEN 128 /* bytes of one */
#define DT_HAND_TESTS 4 /* of attributes, on each side of the space */


typedef struct dt_hand_s dt_hand_t;

typedef enum {
    DT_HAND_NONE = 0,
    DT_HAND_KEEP = 1,
    DT_HAND_FORCE = 2
} dt_hand_kind_t;


/* of the value of an attribute */
typedef struct {
    uint64_t fold; /* its name, as dt_name_fold() makes it */
    dt_str_t name;
    dt_str_t value;
    unsigned word; /* the value is one of the words, as of a class */
} dt_hand_test_t;

/* the name and the attributes that a start tag must have */
typedef struct {
    uint64_t fold;
    dt_str_t tag; /* empty: any */
    unsigned n;
    dt_hand_test_t tests[DT_HAND_TESTS];
} dt_hand_part_t;

typedef struct {
    dt_hand_kind_t kind;
    unsigned nested;
    dt_hand_part_t outer; /* of an element around it, when it is nested */
    dt_hand_part_t inner;
} dt_hand_selector_t;

/* selectors, to be read only; a bit of a number is a selector's */
struct dt_hand_s {
    unsigned n;
    unsigned keeps; /* some keep */
    uint64_t named; /* those with a part that is no more than a name */
    uint64_t hash;  /* of all of them */
    dt_look_t look; /* start tags that may match */
    dt_hand_selector_t selectors[DT_HAND_MAX];
};


/* Begins a list; it has the selectors of a page's own marks: data-detemplate.
 */
void dt_hand_init(dt_hand_t *h);

/*
 * Adds a selector; its bytes must outlive h.  DT_EINVAL: it is none, or
 * DT_ELIMIT: it is too long, or there are too many; errstr, of DT_ERRSTR
 * bytes, then says why.
 */
dt_status_t dt_hand_add(dt_hand_t *h, dt_hand_kind_t kind, dt_str_t selector,
                        char *errstr);

/*
 * The verdict on the element of a start tag, of which h's look has told the
 * selectors that may look for it, in an element whose selectors are around.
 * *outer gets the bits of those that are around its content.
 */
dt_hand_kind_t dt_hand_match(const dt_hand_t *h, const dt_token_t *t,
                             uint64_t around, uint64_t *outer);


#endif /* DT_HAND_H_INCLUDED_ */
