
/*
 * Copyright (C) The detemplate authors
 *
 * What the command inspect found, and its report.
 */


#ifndef DT_CLI_INSPECT_H_INCLUDED_
#define DT_CLI_INSPECT_H_INCLUDED_


#include "core/rules/explain.h"
#include "core/scan/scan.h"
#include "core/template/template.h"
#include "cli_job.h"


/* a piece of the page to tell of */
typedef struct {
    uint32_t record;
    unsigned cut : 1;
    unsigned whole : 1; /* has its own reason; else only its parts have */
    unsigned shape : 1; /* which is its shape */
    int far;            /* of what stays: how far from being cut */
    dt_why_t why;
} dt_cli_piece_t;


typedef struct {
    dt_cli_job_t job;
    dt_arena_t *arena;
    void *tmpl;
    size_t len;
    dt_template_info_t info;

    uint8_t *gone;  /* for each byte of the page: it is cut, */
    uint8_t *plain; /* also when not bold */
    uint64_t removed;
    unsigned regions;

    dt_record_t *records;
    size_t n;
    dt_cli_piece_t *pieces;
    size_t npieces;
    dt_explain_t *explain;
} dt_cli_inspect_t;


/* Prints all of it, as args->json says. */
void dt_cli_inspect_report(dt_cli_inspect_t *t);


#endif /* DT_CLI_INSPECT_H_INCLUDED_ */
