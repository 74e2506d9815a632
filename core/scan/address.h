
/*
 * Copyright (C) The detemplate authors
 *
 * Where a page stands, and the targets of its links, as hashes.
 */


#ifndef DT_ADDRESS_H_INCLUDED_
#define DT_ADDRESS_H_INCLUDED_


#include "core/base/dt.h"
#include "core/base/find.h"
#include "core/html/token.h"


#define DT_ADDRESS_SEGMENTS 16 /* directories of a URL that are told apart */


typedef struct {
    uint64_t self;
    uint64_t
        dirs[DT_ADDRESS_SEGMENTS + 1]; /* [0] the host, [i] i directories */
    unsigned ndirs;
    dt_str_t host;
    char host_buf[256];
} dt_address_t;


/* The page at path on host, both as in a URL; an empty host matches none. */
void dt_address_init(dt_address_t *address, dt_str_t host, dt_str_t path);

/*
 * The hash of the link [p, end) on this page: the same for every form of one
 * URL.  media: a query that only busts caches is left out.
 */
uint64_t dt_address_link(dt_address_t *address, const char *p, const char *end,
                         int media);

/* Returns whether the link [p, end) leads to a page of HTML of the site. */
int dt_address_is_page(const dt_address_t *address, const char *p,
                       const char *end);

/* Takes <base href> into account: links are relative to it from here on.
   Returns whether that is the page's own host. */
int dt_address_base(dt_address_t *address, const char *p, const char *end);

/*
 * The hash of those attributes that say something, in any order; address tells
 * the targets of links.  Of an element without words, other attributes may say
 * all: *bare, unless bare is NULL, becomes the hash of these.
 */
uint64_t dt_token_attrs_sum(const dt_token_t *t, dt_address_t *address,
                            uint64_t *bare);

static inline uint64_t
dt_token_sum(const dt_token_t *t, dt_address_t *address, uint64_t *bare)
{
    return t->regular && t->n == 0 ? 0 : dt_token_attrs_sum(t, address, bare);
}


#endif /* DT_ADDRESS_H_INCLUDED_ */
