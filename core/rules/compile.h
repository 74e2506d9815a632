
/*
 * Copyright (C) The detemplate authors
 *
 * From evidence to the bytes of a template.
 */


#ifndef DT_COMPILE_H_INCLUDED_
#define DT_COMPILE_H_INCLUDED_


#include "core/rules/evidence.h"
#include "core/scan/scan.h"


#define DT_COMPILE_STORED 49152u /* patterns of a template, at most */


typedef struct {
    uint32_t candidates;
    uint32_t loads; /* of this learning */
    int64_t now;
    const dt_record_t *key; /* the key page, to count what is covered */
    size_t nkey;
} dt_compile_info_t;

typedef struct {
    void *bytes; /* malloc()ed */
    size_t len;
    uint32_t patterns;
    uint32_t guarded;      /* patterns that stay: see guard.c */
    uint32_t words;        /* of the key page */
    uint32_t static_words; /* of it, template */
    uint32_t static_bytes;
} dt_compiled_t;

/*
 * Decides and writes the template.  DT_DECLINED: nothing is template, and what
 * is written has evidence only.
 */
dt_status_t dt_compile(dt_evidence_t *ev, const dt_compile_info_t *info,
                       dt_compiled_t *out);


#endif /* DT_COMPILE_H_INCLUDED_ */
