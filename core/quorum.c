
/*
 * Copyright (C) The detemplate authors
 *
 * Who may write below one directory (/~mallory/, /users/x/) may put what
 * another page says on as many pages as he likes; so may who chooses the query
 * (/search?q=...).  What pages there and elsewhere show must be template
 * without them as well: two pages elsewhere, and enough of those that are
 * there, must show it.  What one directory only shows is its own affair.
 *
 * A directory is one at any depth, with all that is below it, and each page
 * with the same path, whatever its query.  One that holds all pages, or a
 * single one, is none.
 */


#include "evidence.h"


static uint64_t
dt_quorum_all(const dt_compile_t *c)
{
    return c->npages < 64 ? ((uint64_t) 1 << c->npages) - 1 : UINT64_MAX;
}


dt_status_t
dt_quorum_init(dt_compile_t *c)
{
    unsigned p, q, k, i, n = 0;
    uint64_t dir, set, all = dt_quorum_all(c);

    c->dirs = dt_arena_calloc(c->arena, DT_PAGES_MAX * DT_PAGE_DIRS,
                              sizeof(uint64_t));
    if (c->dirs == NULL) {
        return DT_ENOMEM;
    }

    for (p = 0; p < c->npages; p++) {
        for (k = 0; k < DT_PAGE_DIRS; k++) {
            dir = c->pages[p].dirs[k];
            set = 0;

            for (q = 0; dir && q < c->npages; q++) {
                for (i = 0; i < DT_PAGE_DIRS; i++) {
                    if (c->pages[q].dirs[i] == dir) {
                        set |= (uint64_t) 1 << q;
                    }
                }
            }

            for (i = 0; i < n && c->dirs[i] != set; i++) { /* void */
            }

            if (i == n && set != all && (set & (set - 1))) {
                c->dirs[n++] = set;
            }
        }
    }

    c->ndirs = n;

    return DT_OK;
}


int
dt_quorum(const dt_compile_t *c, const dt_rules_t *rules, const uint8_t *with,
          uint64_t pages, uint64_t of, unsigned share)
{
    unsigned i, votes;
    uint64_t left, rest, all = dt_quorum_all(c);

    /* what a section has in common is a matter of that section */

    for (i = 0; i < c->ndirs; i++) {
        if ((pages & ~c->dirs[i]) == 0 && (c->dirs[i] & ~all) == 0) {
            all = c->dirs[i];
        }
    }

    for (i = 0; i < c->ndirs; i++) {
        left = pages & ~c->dirs[i];
        rest = all & ~c->dirs[i];

        if (left == 0 || left == pages) {
            continue;
        }

        votes = dt_decide_votes(left, with);

        if (votes < 2 || votes * 100 < dt_decide_votes(of & rest, with) * share
            || votes * 100 < dt_decide_votes(rest, with) * rules->share_text)
        {
            return 0;
        }
    }

    return 1;
}
