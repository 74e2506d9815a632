
/*
 * Copyright (C) The detemplate authors
 *
 * The findings of the command inspect, and its report.
 */


#ifndef DT_CLI_INSPECT_H_INCLUDED_
#define DT_CLI_INSPECT_H_INCLUDED_


#include "core/rules/explain.h"
#include "core/scan/hand.h"
#include "core/scan/scan.h"
#include "core/template/template.h"
#include "cli_learning.h"


/* a piece of the page to report */
typedef struct {
    uint32_t record;
    unsigned cut : 1;
    unsigned explained : 1; /* it has its own reason, not only its parts */
    unsigned shape : 1;     /* that reason is its shape */
    unsigned hand : 1;      /* without selectors it would be the other way */
    int distance;           /* if not cut: how far it is from that */
    dt_why_t why;
} dt_cli_piece_t;


typedef struct {
    dt_cli_learning_t learning;
    dt_arena_t *arena;
    void *tmpl;
    size_t len;
    dt_template_info_t info;

    uint8_t *cut_bytes; /* for each byte of the page: it is cut */
    uint8_t *by_rule;   /* likewise without selectors, */
    uint8_t *cautious;  /* and without bold */
    uint8_t *tried;     /* likewise with one selector more */
    const dt_hand_t *hand;
    uint64_t scanned; /* bytes, of all that were tried */
    uint64_t removed;
    unsigned regions;

    dt_record_t *records;
    size_t n;
    dt_cli_piece_t *pieces;
    size_t npieces;
    dt_explain_t *explain;
} dt_cli_inspect_t;


/* Prints the findings, as JSON if args->json is set. */
void dt_cli_inspect_report(dt_cli_inspect_t *t);

/*
 * Calls found for each of the innermost pieces that say text, white space
 * aside, in the order of the page.  Not 0: no memory.
 */
int dt_cli_inspect_find(dt_cli_inspect_t *t, const char *text,
                        void (*found)(dt_cli_inspect_t *t, size_t i));

/* Writes to p, with a NUL, the first question that a piece fails: words for
   the operator, with the numbers. */
void dt_cli_inspect_words(const dt_cli_inspect_t *t,
                          const dt_cli_piece_t *piece, char *p, size_t size);


/*
 * Writes to buf, with a NUL, the line of nginx's configuration that keeps a
 * piece which is cut, or cuts one that stays; empty: there is none.  Returns
 * how many words elsewhere on the page change as well.
 */
uint64_t dt_cli_inspect_line(dt_cli_inspect_t *t, const dt_cli_piece_t *piece,
                             char *buf, size_t size);

/* Prints the lines of the page: those that are cut begin with a '-', and are
   red on a terminal.  Not 0: no memory. */
int dt_cli_inspect_diff(const dt_cli_inspect_t *t);


#endif /* DT_CLI_INSPECT_H_INCLUDED_ */
